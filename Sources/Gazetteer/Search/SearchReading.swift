import OpenStreetMap

/// What the words of a search ask for: kinds, wishes, times, a name, and a place to look at.
///
///     let reading = try gazetteer.readings(of: "wheelchair accessible museum near Kiasma open Sunday 10:00").first
///     // kinds ["museum"], wishes ["wheelchair"], opening on a Sunday at 600 minutes, place near "Kiasma"
///
/// A text may be read in several ways: the words behind "in" may be a place or belong to a name. `Gazetteer.readings` tells
/// all of them, the likeliest first; the first that finds anything is meant.
public struct SearchReading: Sendable, Equatable {
    public enum Relation: Sendable, Equatable {
        /// Within the outline of the place.
        case inside
        /// Around it.
        case near
    }

    /// Where to look.
    public struct Place: Sendable, Equatable {
        /// Nil where the place merely stands beside the kind: "restaurants Vaduz".
        public var relation: Relation?
        /// As it was written.
        public var text: String
        /// Kinds of the lexicon that the text stands for: "near the station".
        public var kinds: [String] = []
    }

    /// When it must be open.
    public enum Opening: Sendable, Equatable {
        case now
        /// At all times.
        case always
        /// On a day, at a minute of it; at any time of the day where that is nil.
        case on(Day, minute: Int?)

        public enum Day: Sendable, Equatable {
            case today, tomorrow
            /// The next day of that name, today included; 0 is Monday.
            case weekday(Int)
        }
    }

    /// Names of the lexicon (`PlaceKinds`): one of them is asked for. Empty for any.
    public var kinds: [String] = []
    /// Groups of names of the lexicon: one of each group is asked for besides ("vegan" and "italian").
    public var traits: [[String]] = []
    /// Names in `lexicons/queries.tsv`, `wheelchair`: all are asked for.
    public var wishes: [String] = []
    public var opening: Opening?
    /// Canonical words that names, brands or cuisines must hold.
    public var name: [String] = []
    /// Canonical words of the kinds and the name together: what bears all of them in its name is meant as well; where there
    /// is no name besides, what has just them for a brand ("Subway").
    public var allWords: [String] = []
    public var place: Place?
    /// Whether it says that what is near is meant, for whoever knows where the asker is.
    public var isNearby = false

    public init() {}

    /// Whether it asks for a kind of place, with or without a name.
    public var isOfKind: Bool { !kinds.isEmpty || !traits.isEmpty }

    /// Whether it asks for nothing.
    var isEmpty: Bool { !isOfKind && wishes.isEmpty && opening == nil && name.isEmpty }
}

/// Reads the words of one query.
struct QueryReader {
    let normalizer: TextNormalizer
    let categories: CategoryLexicon
    let phrases: QueryWords
    /// Tells which of several kinds a word is the plain name of.
    private let called: CategoryPhrases
    private let text: [UInt8]
    private let words: [TextFold.Word]
    /// Kinds by the words that were asked for, since readings ask for the same again and again.
    private var known: [Range<Int>: [String]] = [:]
    /// Words that a wish, a time or "nearby" has taken.
    private var taken: [Bool]
    private var wishes: [String] = []
    private var opening: SearchReading.Opening?
    private var isNearby = false

    /// More words than anybody asks with are passed over.
    private static let mostWords = 24

    init(
        _ text: String, normalizer: TextNormalizer, categories: CategoryLexicon, phrases: QueryWords,
        called: CategoryPhrases
    ) {
        self.called = called
        self.normalizer = normalizer
        self.categories = categories
        self.phrases = phrases
        self.text = Array(text.utf8.prefix(4096))
        words = Array(TextFold.words(text).prefix(Self.mostWords))
        taken = Array(repeating: false, count: words.count)
    }

    /// What the words may mean, the likeliest first; empty for a text without words.
    mutating func readings() -> [SearchReading] {
        guard !words.isEmpty else { return [] }
        let whole = kinds(words.indices)
        if !whole.isEmpty, !standsBesideWish(whole) {
            // The words' main meaning first; where it finds nothing, a "chemist" may as well be a pharmacy.
            return [whole, allKinds(words.indices)].reduce(into: []) { readings, found in
                var reading = SearchReading()
                take(found, words.indices, into: &reading)
                reading.allWords = canonical(Array(words.indices))
                if !readings.contains(reading) { readings.append(reading) }
            }
        }
        // "all'aperto" is a terrace, though "aperto" alone is open.
        takeWishes()
        takeHours()
        takeNearby()
        takeFillers()
        var result: [SearchReading] = []
        func add(_ reading: SearchReading?) {
            if let reading, !reading.isEmpty, !result.contains(reading) { result.append(reading) }
        }
        let free = words.indices.filter { !taken[$0] }
        let alone = subject(free)
        let besideKind = free.filter { lastName.contains($0) }
        let splits = splits(of: free)
        let plain = splits.filter { !$0.isWeak }
        for split in plain { add(placed(split) { $0.name.isEmpty }) }
        if alone.name.isEmpty { add(alone) }
        for split in plain { add(placed(split) { !$0.name.isEmpty && $0.isOfKind }) }
        if alone.isOfKind {
            var beside = alone
            (beside.name, beside.allWords) = ([], [])
            beside.place = .init(relation: nil, text: written(besideKind))
            if !alone.name.isEmpty { add(beside) }
            add(alone)
        }
        var named = SearchReading()
        named.name = canonical(free)
        (named.wishes, named.opening, named.isNearby) = (wishes, opening, isNearby)
        if !named.name.isEmpty { add(named) }
        for split in splits where split.isWeak { add(placed(split) { $0.name.isEmpty || $0.isOfKind }) }
        for split in plain { add(placed(split) { _ in true }) }
        if taken.contains(true) {
            var all = SearchReading()
            all.name = canonical(Array(words.indices))
            if !all.name.isEmpty { add(all) }
        }
        return result
    }

    /// Whether the kinds of the whole text are those of a part of it, and a wish stands beside that.
    private mutating func standsBesideWish(_ whole: [String]) -> Bool {
        for cut in words.indices.dropFirst() {
            let wish = phrases.longest(at: cut, in: words, Self.wish)
            if wish != nil, kinds(0..<cut) == whole { return true }
        }
        guard let (_, count) = phrases.longest(at: 0, in: words, Self.wish), count < words.count else { return false }
        return kinds(count..<words.count) == whole
    }

    private static func wish(_ meaning: QueryWords.Meaning) -> String? {
        if case .wish(let name) = meaning { return name }
        return nil
    }

    // MARK: Words

    /// The text of these words; a space stands for those left out.
    private func written(_ indices: [Int]) -> String {
        var parts: [String] = []
        var run: ClosedRange<Int>?
        func close() {
            guard let run else { return }
            let bytes = text[min(words[run.lowerBound].start, text.count)..<min(words[run.upperBound].end, text.count)]
            parts.append(String(decoding: bytes, as: UTF8.self))
        }
        for index in indices {
            if let held = run, held.upperBound + 1 == index {
                run = held.lowerBound...index
            } else {
                close()
                run = index...index
            }
        }
        close()
        return parts.joined(separator: " ")
    }

    private func canonical(_ indices: [Int]) -> [String] {
        let tokens = normalizer.read(written(indices)).filter { !$0.role.contains(.light) }
        return tokens.prefix(12).map(\.text)
    }

    /// The kinds that a run of words means.
    private mutating func kinds(_ run: Range<Int>) -> [String] {
        if let known = known[run] { return known }
        var found = allKinds(run)
        if found.count > 1 {
            // "Cafés" are cafés first, though one language calls pubs so as well.
            let main = called.kinds(calledBy: words[run].map(\.text).joined(separator: " "))
            if found.contains(where: { main.contains($0) }) { found.removeAll { !main.contains($0) } }
        }
        known[run] = found
        return found
    }

    /// The kinds that a run of words may mean in any language.
    private func allKinds(_ run: Range<Int>) -> [String] {
        categories.categories(meantBy: CategoryLexicon.key(normalizer.read(written(Array(run)))))
    }

    private mutating func kinds(_ indices: [Int]) -> [String] {
        guard let first = indices.first, let last = indices.last, last - first + 1 == indices.count else { return [] }
        return kinds(first..<last + 1)
    }

    // MARK: Times

    private mutating func takeHours() {
        var isOpen = false
        var day: SearchReading.Opening.Day?
        var minute: Int?
        var isAlways = false
        var used: [Int] = []
        var index = 0
        while index < words.count {
            if taken[index] {
                index += 1
                continue
            }
            // Words before a time or a day belong to it.
            var ahead = index
            var isUntil = false
            while let (hours, count) = phrases.longest(at: ahead, in: words, { Self.leads($0) }) {
                if hours == .until { isUntil = true }
                ahead += count
            }
            if let (found, count) = time(at: ahead, isBare: ahead > index || day != nil) {
                minute = isUntil ? max(found - 1, 0) : found
                used += index..<ahead + count
                index = ahead + count
                continue
            }
            if let (found, count) = phrases.longest(at: ahead, in: words, { Self.day($0) }), !isUntil {
                day = found
                used += index..<ahead + count
                index = ahead + count
                continue
            }
            guard let (hours, count) = phrases.longest(at: index, in: words, { Self.state($0) }),
                !taken[index..<index + count].contains(true)
            else {
                index += 1
                continue
            }
            switch hours {
            case .open: isOpen = true
            case .opennow: isOpen = true
            case .always: isAlways = true
            case .today: day = .today
            case .tomorrow: day = .tomorrow
            case .tonight: (day, minute) = (.today, minute ?? 20 * 60)
            case .now, .until, .uhr, .at: break
            }
            used += index..<index + count
            index += count
        }
        if isAlways {
            opening = .always
        } else if isOpen || day != nil && minute != nil {
            if day == nil, minute == nil {
                opening = .now
            } else {
                opening = .on(day ?? .today, minute: minute)
            }
        } else {
            return
        }
        // Kinds that hold such a word, "open air cinema", are left whole.
        var at = 0
        while at < words.count {
            if let count = longestKind(at: at), count > 1, used.contains(where: { (at..<at + count).contains($0) }),
                !(at..<at + count).allSatisfy({ used.contains($0) })
            {
                used.removeAll { (at..<at + count).contains($0) }
                at += count
            } else {
                at += 1
            }
        }
        if used.isEmpty { opening = nil }
        for index in used { taken[index] = true }
    }

    private static func leads(_ meaning: QueryWords.Meaning) -> QueryWords.Hours? {
        if case .hours(let hours) = meaning, hours == .at || hours == .until { return hours }
        return nil
    }

    private static func day(_ meaning: QueryWords.Meaning) -> SearchReading.Opening.Day? {
        if case .day(let number) = meaning { return .weekday(number) }
        return nil
    }

    private static func state(_ meaning: QueryWords.Meaning) -> QueryWords.Hours? {
        if case .hours(let hours) = meaning, ![.at, .until, .uhr].contains(hours) { return hours }
        return nil
    }

    /// A time of the day in minutes, and its number of words: "10:00", "10.30", "10 Uhr", "10h30", "9pm", "9 pm".
    ///
    /// - Parameter isBare: whether a number alone is a time.
    private func time(at index: Int, isBare: Bool) -> (minute: Int, count: Int)? {
        guard words.indices.contains(index) else { return nil }
        let word = words[index].text
        let digits = word.prefix { $0.isNumber }
        guard (1...2).contains(digits.utf8.count), var hour = Int(digits), hour <= 24 else { return nil }
        var minute = 0
        var count = 1
        var rest = word.dropFirst(digits.count)
        var isTime = isBare
        if rest.first == "h" {
            rest = rest.dropFirst()
            isTime = true
            if let given = Int(rest), rest.utf8.count == 2, given < 60 {
                minute = given
                rest = ""
            }
        } else if rest.isEmpty, index + 1 < words.count {
            let next = words[index + 1]
            let end = words[index].end
            let given = next.text.prefix { $0.isNumber }
            if next.start == end + 1, end < text.count,
                text[end] == UInt8(ascii: ":") || text[end] == UInt8(ascii: "."),
                given.utf8.count == 2, let value = Int(given), value < 60
            {
                minute = value
                rest = next.text.dropFirst(given.count)
                count = 2
                isTime = true
            }
        }
        if rest.isEmpty, index + count < words.count {
            let next = words[index + count].text
            if next == "am" || next == "pm" {
                rest = next[...]
                count += 1
            } else if let (_, more) = phrases.longest(at: index + count, in: words, { Self.isUhr($0) }) {
                count += more
                isTime = true
            }
        }
        if rest == "am" || rest == "pm" {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (rest == "pm" ? 12 : 0)
            isTime = true
        } else if !rest.isEmpty {
            return nil
        }
        return isTime ? (min(hour * 60 + minute, 1439), count) : nil
    }

    private static func isUhr(_ meaning: QueryWords.Meaning) -> Bool? {
        if case .hours(.uhr) = meaning { return true }
        return nil
    }

    // MARK: Wishes

    private mutating func longestKind(at index: Int) -> Int? {
        for count in stride(from: min(categories.longest + 1, words.count - index), to: 0, by: -1) {
            let found = kinds(index..<index + count)
            guard !found.isEmpty else { continue }
            // Words behind it that say nothing are no part of it: "sushi zum".
            var least = count
            while least > 1, kinds(index..<index + least - 1) == found { least -= 1 }
            return least
        }
        return nil
    }

    private mutating func takeWishes() {
        var index = 0
        while index < words.count {
            guard !taken[index],
                let (wish, count) = phrases.longest(at: index, in: words, Self.wish),
                !taken[index..<index + count].contains(true),
                phrases.longest(at: index, in: words, { Self.state($0) })?.1 ?? 0 <= count
            else {
                // A kind of several words is not torn apart: "dog park".
                index += taken[index] ? 1 : longestKind(at: index) ?? 1
                continue
            }
            if let kind = longestKind(at: index), kind > count {
                index += kind
                continue
            }
            if !wishes.contains(wish) { wishes.append(wish) }
            for word in index..<index + count { taken[word] = true }
            index += count
        }
    }

    /// "near me", at the beginning or at the end.
    private mutating func takeNearby() {
        for index in words.indices where !taken[index] {
            let found = phrases.longest(at: index, in: words) { $0 == .here ? true : nil }
            guard let (_, count) = found, !taken[index..<index + count].contains(true),
                taken[..<index].allSatisfy({ $0 }) || taken[(index + count)...].allSatisfy({ $0 }), count < words.count
            else { continue }
            let joint = phrases.longest(at: index, in: words) { meaning -> Bool? in
                if case .joint = meaning { return true }
                return nil
            }
            if let joint, joint.1 > count || joint.1 == count && index + count < words.count && count < 2 { continue }
            isNearby = true
            for word in index..<index + count { taken[word] = true }
        }
    }

    /// Words that say nothing, at the beginning and beside what was taken.
    private mutating func takeFillers() {
        var index = 0
        while index < words.count {
            if taken[index] {
                index += 1
                continue
            }
            guard let (_, count) = phrases.longest(at: index, in: words, { $0 == .filler ? true : nil }),
                !taken[index..<index + count].contains(true)
            else {
                index += 1
                continue
            }
            let end = index + count
            let begins = taken[..<index].allSatisfy { $0 }
            let isBeside = index > 0 && taken[index - 1] || end < words.count && taken[end]
            if begins && end < words.count || isBeside { for word in index..<end { taken[word] = true } }
            index = end
        }
    }

    // MARK: Kinds and names

    /// The words that the last `subject` took for a name.
    private var lastName: Set<Int> = []

    /// Notes kinds that a run of words means. Where it is a trait with the word for restaurant in it, "Georgian restaurant",
    /// restaurants are meant, not all that has the trait.
    private mutating func take(_ found: [String], _ run: Range<Int>, into reading: inout SearchReading) {
        guard found.allSatisfy({ isTrait($0) }) else {
            reading.kinds = found
            return
        }
        reading.traits.append(found)
        for cut in run.dropFirst()
        where kinds(run.lowerBound..<cut) == ["restaurant"] || kinds(cut..<run.upperBound) == ["restaurant"] {
            reading.kinds = ["restaurant"]
        }
        if reading.kinds.isEmpty, run.count == 1, endsAsRestaurant(words[run.lowerBound].text) {
            reading.kinds = ["restaurant"]
        }
    }

    /// Whether a compound ends in a word for restaurant: "vegaaniravintola".
    private func endsAsRestaurant(_ word: String) -> Bool {
        word.indices.dropFirst(3).dropLast(3).contains { cut in
            let end = normalizer.read(String(word[cut...]))
            return categories.categories(meantBy: CategoryLexicon.key(end)) == ["restaurant"]
        }
    }

    private func isTrait(_ kind: String) -> Bool { PlaceKinds.shared[kind]?.sort == .trait }

    /// Kinds, traits and a name out of these words, with the wishes that were found.
    private mutating func subject(_ indices: [Int]) -> SearchReading {
        var reading = SearchReading()
        (reading.wishes, reading.opening, reading.isNearby) = (wishes, opening, isNearby)
        var left = indices
        // Fillers before it say nothing.
        while let first = left.first, left.count > 1,
            let (_, count) = phrases.longest(at: first, in: words, { $0 == .filler ? true : nil }), count < left.count,
            kinds(left).isEmpty
        {
            left.removeFirst(count)
        }
        lastName = []
        guard !left.isEmpty else { return reading }
        let whole = kinds(left)
        if !whole.isEmpty, let first = left.first {
            take(whole, first..<first + left.count, into: &reading)
            return reading
        }
        if let several = alternatives(left) {
            reading.kinds = several
            return reading
        }
        // The longest kind at either end, again and again; what is left over is a name.
        while !left.isEmpty, let (count, isHead) = longestKindAtAnEnd(of: left) {
            let run = isHead ? Array(left.prefix(count)) : Array(left.suffix(count))
            let found = kinds(run)
            let isTraits = found.allSatisfy { isTrait($0) }
            if !isTraits, !reading.kinds.isEmpty { break }
            if isTraits {
                reading.traits.append(found)
            } else {
                reading.kinds = found
            }
            if isHead { left.removeFirst(count) } else { left.removeLast(count) }
        }
        lastName = Set(left)
        reading.name = canonical(left)
        reading.allWords = canonical(indices)
        if reading.name.isEmpty { lastName = [] }
        return reading
    }

    private mutating func longestKindAtAnEnd(of indices: [Int]) -> (count: Int, isHead: Bool)? {
        for count in stride(from: min(categories.longest + 1, indices.count), to: 0, by: -1) {
            if !kinds(Array(indices.suffix(count))).isEmpty { return (count, false) }
            if !kinds(Array(indices.prefix(count))).isEmpty { return (count, true) }
        }
        return nil
    }

    /// The kinds of "cafes and bars"; nil where it is no list of kinds.
    private mutating func alternatives(_ indices: [Int]) -> [String]? {
        var parts: [[Int]] = [[]]
        var position = 0
        while position < indices.count {
            let index = indices[position]
            if let (_, count) = phrases.longest(at: index, in: words, { $0 == .or ? true : nil }), position > 0 {
                parts.append([])
                position += count
                continue
            }
            if position > 0, words[index].separator >= .comma { parts.append([]) }
            parts[parts.count - 1].append(index)
            position += 1
        }
        parts.removeAll { $0.isEmpty }
        guard parts.count > 1 else { return nil }
        var result: [String] = []
        for part in parts {
            let found = kinds(part)
            if found.isEmpty { return nil }
            for kind in found where !result.contains(kind) { result.append(kind) }
        }
        return result
    }

    // MARK: Places

    private struct Split {
        var subject: [Int]
        var place: [Int]
        var relation: SearchReading.Relation
        var isWeak: Bool
    }

    /// Where a joint parts what is looked for from a place.
    private mutating func splits(of free: [Int]) -> [Split] {
        var result: [Split] = []
        for (position, index) in free.enumerated() {
            var seen: Set<Int> = []
            for (meaning, count) in phrases.phrases(at: index, in: words) {
                let run = free[position...].prefix(count)
                guard run.count == count, run.last == index + count - 1 else { continue }
                let before = Array(free[..<position]), behind = Array(free[(position + count)...])
                switch meaning {
                case .joint(let relation, let isWeak):
                    guard !behind.isEmpty, !before.isEmpty || !wishes.isEmpty || opening != nil,
                        seen.insert(count).inserted
                    else { continue }
                    result.append(Split(subject: before, place: behind, relation: relation, isWeak: isWeak))
                case .after(let relation):
                    guard !before.isEmpty else { continue }
                    if !behind.isEmpty {
                        result.append(Split(subject: behind, place: before, relation: relation, isWeak: false))
                    }
                    // "ravintolat Kiasman lähellä": the kind stands before the place.
                    guard behind.isEmpty || relation == .near else { continue }
                    for cut in before.indices.dropFirst().reversed() where !kinds(Array(before[..<cut])).isEmpty {
                        result.append(
                            Split(
                                subject: Array(before[..<cut]), place: Array(before[cut...]), relation: relation,
                                isWeak: false))
                        break
                    }
                default: continue
                }
            }
        }
        return result
    }

    /// The reading of a split, where its subject is wanted.
    private mutating func placed(_ split: Split, where isWanted: (SearchReading) -> Bool) -> SearchReading? {
        var reading = subject(split.subject)
        guard isWanted(reading), !reading.isEmpty else { return nil }
        reading.place = .init(
            relation: split.relation, text: written(split.place), kinds: kinds(split.place))
        return reading
    }
}

extension Gazetteer {
    /// What the words of a search may mean, the likeliest first. The lexicon of kinds is that of the atlas.
    public func readings(of words: String) throws -> [SearchReading] {
        try withDatabase { database in
            var reader = try text(database).reader(words, database)
            return reader.readings()
        }
    }
}

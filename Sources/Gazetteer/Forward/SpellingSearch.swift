/// Reads a query anew with words put right that nothing fits as they are written.
///
/// A misspelled word is most often one that the atlas does not know; only where there is none, or none can be put right, are
/// words doubted that it knows ("Bachgasse" for "Buchgasse", where another place is called Bach). What a word may stand for
/// comes from the vocabulary. Those words come first that stand in a name together with another word of the text, or in
/// the place that it names; the best few are tried in full readings of the text. All is bounded: nodes of the vocabulary,
/// look-ups, readings.
struct SpellingSearch {
    typealias Mask = QueryReading.Mask

    private static let wordsInDoubt = 6
    private static let optionsForWord = 24
    private static let readingsOfGroup = 4

    let asked: Geocoder
    private let vocabulary: Vocabulary
    /// What is left to the query.
    private(set) var nodesLeft = Self.nodes
    private var lookUpsLeft = 120
    /// The effort of the connection at which nothing more is tried.
    private let effortLimit: Double
    private var readingsLeft: Int
    static let nodes = 150_000
    /// Nodes that are visited in the time of a plain look-up.
    private static let nodesOfUnit = 100
    /// Of a name that was asked for in part only, and may be another's.
    static let coverageOfPart = 0.75
    static let readings = 10
    /// Of a text longer than an address commonly is.
    private static let longText = 12
    private static let readingsOfLongText = 3
    private static let lookUpsOfCheapText = 200

    /// The readings that were tried, with the worth of their corrections beside their score.
    private(set) var outcomes: [(geocoder: Geocoder, option: Option)] = []

    /// A word of the text that may be misspelled.
    private struct Word {
        var index: Int
        var mask: Mask
        var isKnown: Bool
        /// Whether the best reading of the text leaves it over.
        var isLeft: Bool
    }

    /// What may stand for words of the text.
    struct Option {
        /// Which of the written words.
        var place: Range<Int>
        var words: [String]
        var edits: Int
        /// 0 to 2: how like the error is to those that people make.
        var likeness: Double
        var frequency: Int
        var isSupported = false
        /// Its rare tokens, by which names are looked up.
        var keys: [String]

        func comes(before other: Option) -> Bool {
            if isSupported != other.isSupported { return isSupported }
            if edits != other.edits { return edits < other.edits }
            if likeness != other.likeness { return likeness > other.likeness }
            if frequency != other.frequency { return frequency > other.frequency }
            return words.lexicographicallyPrecedes(other.words)
        }
    }

    init(_ asked: Geocoder) throws {
        self.asked = asked
        vocabulary = try asked.knowledge.vocabulary(asked.database)
        effortLimit = asked.effortLimitOfRequest
        // A text that is costly to read is not read often.
        readingsLeft =
            asked.lookUpsLeft < Self.lookUpsOfCheapText || asked.reading.tokens.count > Self.longText
            ? Self.readingsOfLongText : Self.readings
    }

    private var isSpent: Bool { asked.database.effort >= effortLimit }
    private var reading: QueryReading { asked.reading }
    private var normalizer: TextNormalizer { asked.knowledge.normalizer }

    /// The readings that explain more of the text than it does as written, best first; those of equal worth together.
    mutating func run() throws -> [Geocoder] {
        let words = try doubtfulWords()
        let unknown = Array(words.filter { !$0.isKnown }.prefix(Self.wordsInDoubt))
        let known = Array(words.filter(\.isKnown).prefix(Self.wordsInDoubt))
        for group in [unknown, known] where !group.isEmpty {
            let near = try group.map { try options(for: $0, edits: 1) }
            try tryOut(near.flatMap { $0 }.map { [$0] })
            if isSatisfied { break }
            if !group[0].isKnown, group.count > 1 {
                try tryOut(try pairs(near))
                if isSatisfied { break }
            }
            let far = try group.flatMap { try options(for: $0, edits: 2) }
            try tryOut(far.map { [$0] })
            if isSatisfied { break }
        }
        return best()
    }

    // MARK: Which words

    private mutating func doubtfulWords() throws -> [Word] {
        let best = asked.accepted.first ?? asked.refused.first
        let left = best.map { asked.wordsLeft(by: $0) } ?? reading.significant
        // What an answer explains stands, unless it lies elsewhere than the text says.
        let isBound = asked.accepted.first.map { !$0.contradicts } ?? false
        let named = reading.regions.reduce(0) { $0 | ($1.region.isCode ? 0 : $1.mask) } as Mask
        let hasNumber = asked.digits & ~reading.ignored != 0
        // Half a name may be all of a misspelled other one.
        let isPart = asked.accepted.first.map { $0.coverage < Self.coverageOfPart } ?? false
        var words: [Word] = []
        for (index, word) in reading.written.enumerated() {
            let mask = reading.mask(of: word.start..<word.end)
            guard mask != 0, mask & reading.ignored == 0 else { continue }
            guard Self.isLetters(word.text), word.text.utf8.count >= 4 else { continue }
            var isRefused = false
            for position in reading.tokens.indices where mask & QueryReading.bit(position) != 0 {
                let role = reading.tokens[position].role
                if !role.isDisjoint(with: [.digits, .joint, .unit]) { isRefused = true }
            }
            let isKind = !asked.knowledge.categories.categories(named: normalizer.key(word.text)).isEmpty
            // A kind of place is asked for by its word, where nothing speaks of an address.
            guard !isRefused, !isKind || hasNumber else { continue }
            let isLeft = mask & left != 0
            let isKnown =
                try isKind || mask & named != 0 || normalizer.canonical[word.text] != nil || term(word.text.utf8) != nil
            if isBound, !isLeft, isKnown || !isPart { continue }
            words.append(Word(index: index, mask: mask, isKnown: isKnown, isLeft: isLeft))
        }
        return words.filter(\.isLeft) + words.filter { !$0.isLeft }
    }

    private mutating func term(_ word: some Collection<UInt8>) throws -> Vocabulary.Term? {
        guard nodesLeft > 0 else { return nil }
        return try vocabulary.term(word, nodesLeft: &nodesLeft)
    }

    private static func isLetters(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7a } }

    // MARK: What they may stand for

    /// What the word may stand for at that many edits exactly, the likeliest first.
    private mutating func options(for word: Word, edits: Int) throws -> [Option] {
        let written = reading.written[word.index]
        let count = written.text.utf8.count
        guard edits == 1 || count >= 8, !isSpent else { return [] }
        let nodesBefore = nodesLeft
        defer { asked.database.charge((nodesBefore - nodesLeft) / Self.nodesOfUnit) }
        var found: [String: Option] = [:]
        func add(_ words: [String], _ frequency: Int, place: Range<Int>, likeness: Double) {
            let key = words.joined(separator: " ")
            guard found[key] == nil, key != written.text else { return }
            found[key] = Option(
                place: place, words: words, edits: edits, likeness: likeness, frequency: frequency, keys: [])
        }
        let here = word.index..<word.index + 1
        for neighbour in try vocabulary.neighbours(of: written.text, within: edits, nodesLeft: &nodesLeft)
        where neighbour.distance == edits {
            add(
                [neighbour.term.word], neighbour.term.frequency, place: here,
                likeness: Self.likeness(written.text, neighbour.term.word))
        }
        if edits == 1 {
            for term in try variants(of: written) { add([term.word], term.frequency, place: here, likeness: 1) }
            // A space too many or too few.
            let letters = Array(written.text.utf8)
            for cut in 3..<max(3, min(letters.count, 40) - 2) {
                guard let left = try term(letters[..<cut]), let right = try term(letters[cut...]),
                    !left.isDerived, !right.isDerived
                else { continue }
                add([left.word, right.word], min(left.frequency, right.frequency), place: here, likeness: 1)
            }
            for first in [word.index - 1, word.index] where first >= 0 && first + 1 < reading.written.count {
                let (left, right) = (reading.written[first], reading.written[first + 1])
                guard right.separator < .comma, Self.isLetters(left.text), Self.isLetters(right.text),
                    let both = try term((left.text + right.text).utf8)
                else { continue }
                add([both.word], both.frequency, place: first..<first + 2, likeness: 1)
            }
        }
        var options = found.values.sorted { $0.comes(before: $1) }
        if options.count > Self.optionsForWord { options.removeLast(options.count - Self.optionsForWord) }
        for index in options.indices { try support(&options[index]) }
        return options.sorted { $0.comes(before: $1) }
    }

    /// How like a person's slip it is: the first letter is seldom wrong; neighbours are swapped, letters doubled.
    private static func likeness(_ a: String, _ b: String) -> Double {
        var value = a.utf8.first == b.utf8.first ? 1.0 : 0
        if a.utf8.count == b.utf8.count {
            if a.utf8.sorted() == b.utf8.sorted() { value += 1 }
        } else {
            func single(_ text: String) -> [UInt8] {
                text.utf8.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
            }
            if single(a) == single(b) { value += 1 }
        }
        return value
    }

    /// Words that differ by one edit in the letters of their own alphabet, which may be several in the folded ones.
    ///
    /// One Cyrillic letter may fold to four Latin ones, and `ae` folds to one: therefore all edits are made in the written
    /// letters, folded, and looked up.
    private mutating func variants(of word: TextFold.Word) throws -> [Vocabulary.Term] {
        var letters: [[UInt8]] = []
        var alphabet: Alphabet?
        for scalar in reading.text(word.start..<word.end).unicodeScalars {
            guard let folded = TextFold.letters(scalar) else { return [] }
            if scalar.value >= 0x80 { alphabet = alphabet ?? Alphabet(of: scalar) }
            if !folded.isEmpty { letters.append(folded) }
        }
        guard letters.count >= 4, letters.count <= 24 else { return [] }
        var result: [Vocabulary.Term] = []
        func look(_ parts: [[UInt8]], _ search: inout SpellingSearch) throws {
            var folded = Array(parts.joined())
            TextFold.collapse(&folded)
            if let term = try search.term(folded) { result.append(term) }
        }
        // A letter beside or within a pair undoes it; elsewhere only the letters of pairs matter.
        let pairs = ["ae", "oe", "ue", "aa"].map { Array($0.utf8) }
        let hasPair = zip(letters, letters.dropFirst()).contains { pairs.contains(Array($0.suffix(1) + $1.prefix(1))) }
        let others = (alphabet ?? (hasPair ? .allLatin : .latin)).letters
        for index in 0...letters.count {
            for letter in others {
                try look(letters[..<index] + [letter] + letters[index...], &self)
                if index < letters.count { try look(letters[..<index] + [letter] + letters[(index + 1)...], &self) }
            }
            guard index < letters.count else { break }
            try look(Array(letters[..<index] + letters[(index + 1)...]), &self)
            guard index + 1 < letters.count else { continue }
            var swapped = letters
            swapped.swapAt(index, index + 1)
            try look(swapped, &self)
        }
        return result
    }

    /// The letters of an alphabet as they fold.
    private struct Alphabet {
        var letters: [[UInt8]]

        private init(_ range: ClosedRange<UInt32>) {
            var letters: Set<[UInt8]> = []
            for value in range {
                guard let scalar = Unicode.Scalar(value), let folded = TextFold.letters(scalar), !folded.isEmpty else {
                    continue
                }
                letters.insert(folded)
            }
            self.letters = letters.sorted { $0.lexicographicallyPrecedes($1) }
        }

        private init(_ letters: [String]) { self.letters = letters.map { Array($0.utf8) } }

        /// Those that make or break the pairs that fold to one letter; the walk of the trie finds all others.
        static let latin = Alphabet(["a", "e", "o", "u", "ss"])
        static let allLatin = Alphabet((0x61...0x7a).map { String(UnicodeScalar($0)) } + ["ss"])
        static let greek = Alphabet(0x3b1...0x3c9)
        static let cyrillic = Alphabet(0x430...0x45f)
        static let armenian = Alphabet(0x561...0x587)

        init(of scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x370..<0x400: self = .greek
            case 0x400..<0x530: self = .cyrillic
            case 0x530..<0x590: self = .armenian
            default: self = .latin
            }
        }
    }

    // MARK: What speaks for them

    /// Whether a name holds the option with another word of the text, or lies in a place of that name, or the other way
    /// round. Where the text has no other word, all are supported.
    private mutating func support(_ option: inout Option) throws {
        let tokens = option.words.flatMap { normalizer.tokens($0) }
        let rare = option.words.flatMap { normalizer.read($0) }.filter { !$0.isCommon }.map(\.text)
        option.keys = rare.isEmpty ? tokens : rare
        guard !rare.isEmpty, lookUpsLeft > 0 else { return }
        let others = otherWords(than: option.place)
        guard !others.isEmpty else {
            option.isSupported = true
            return
        }
        let own = rare.map { "\"\($0)\"" }.joined(separator: " AND ")
        let around = rare.map { "\"@\($0)\"" }.joined(separator: " AND ")
        let any = others.map { "\"\($0)\" OR \"@\($0)\"" }.joined(separator: " OR ")
        let names = others.map { "\"\($0)\"" }.joined(separator: " OR ")
        option.isSupported = try occurs("((\(own)) AND (\(any))) OR ((\(around)) AND (\(names)))")
    }

    /// The rare tokens of the other words, at most six: those of regions stand in no name around.
    private func otherWords(than place: Range<Int>) -> [String] {
        let mask =
            place.reduce(0) {
                $0 | reading.mask(of: reading.written[$1].start..<reading.written[$1].end)
            } as Mask
        let named = reading.regions.reduce(0) { $0 | $1.mask } as Mask
        var result: [String] = []
        for index in reading.tokens.indices where (mask | reading.ignored) & QueryReading.bit(index) == 0 {
            let token = reading.tokens[index]
            guard !token.isCommon, token.role.isDisjoint(with: [.digits, .joint, .unit]), token.text.utf8.count > 1,
                named & QueryReading.bit(index) == 0, !result.contains(token.text)
            else { continue }
            result.append(token.text)
            if result.count == 6 { break }
        }
        return result
    }

    private mutating func occurs(_ expression: String) throws -> Bool {
        guard lookUpsLeft > 0, !isSpent else { return false }
        lookUpsLeft -= 1
        asked.database.charge(Geocoder.chargeOfExpression)
        let statement = try asked.database.statement("SELECT rowid FROM name_text WHERE name_text MATCH ?1 LIMIT 1")
        statement.bind(1, expression)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Options of two words that stand together in a name or one in the place of the other.
    private mutating func pairs(_ near: [[Option]]) throws -> [[Option]] {
        let lists = near.filter { !$0.isEmpty }.prefix(3)
        var result: [[Option]] = []
        for first in lists.indices {
            for second in lists.indices where second > first {
                for a in lists[first].prefix(6) {
                    for b in lists[second].prefix(6) where !a.place.overlaps(b.place) {
                        guard let one = a.keys.first, let other = b.keys.first else { continue }
                        let fits = try occurs(
                            "(\"\(one)\" AND (\"\(other)\" OR \"@\(other)\")) OR (\"@\(one)\" AND \"\(other)\")")
                        guard fits else { continue }
                        var (a, b) = (a, b)
                        a.isSupported = true
                        b.isSupported = true
                        result.append([a, b])
                    }
                }
            }
        }
        return result
    }

    // MARK: Trying them out

    private var isSatisfied: Bool { outcomes.contains { $0.geocoder.explainsEverything } }

    /// Reads the text with each of the options, the best first, until one explains all of it and none as good is left.
    private mutating func tryOut(_ options: [[Option]]) throws {
        let sorted = options.compactMap { list in list.first.map { (first: $0, list: list) } }
            .sorted { $0.first.comes(before: $1.first) }
        for (leading, list) in sorted.prefix(Self.readingsOfGroup) {
            guard readingsLeft > 0, !isSpent else { return }
            if let good = outcomes.last(where: { $0.geocoder.explainsEverything })?.option,
                good.isSupported != leading.isSupported || good.edits < leading.edits
            {
                return
            }
            readingsLeft -= 1
            var words = reading.written
            var corrections: [Geocoder.Correction] = []
            for option in list.sorted(by: { $0.place.lowerBound > $1.place.lowerBound }) {
                let place = option.place
                guard place.upperBound <= words.count else { continue }
                let span = words[place.lowerBound].start..<words[place.upperBound - 1].end
                let first = words[place.lowerBound]
                words.replaceSubrange(
                    place,
                    with: option.words.enumerated().map { index, text in
                        TextFold.Word(
                            text: text, start: span.lowerBound, end: span.upperBound,
                            separator: index == 0 ? first.separator : .space, isForeign: first.isForeign)
                    })
                corrections.insert(
                    Geocoder.Correction(span: span, words: option.words, edits: option.edits), at: 0)
            }
            var geocoder = Geocoder(asked, words: words, corrections: corrections)
            try geocoder.run()
            geocoder.dropReadingsWithoutCorrections()
            try geocoder.dropOtherKindsOfStreet()
            outcomes.append((geocoder, leading))
        }
    }

    /// The outcomes that are better than the text as it was written.
    private func best() -> [Geocoder] {
        let floor = asked.accepted.first
        let fitting = outcomes.filter { outcome in
            guard let best = outcome.geocoder.accepted.first else { return false }
            guard let floor else { return true }
            return best.score > floor.score && (floor.contradicts || outcome.geocoder.explainsEverything)
        }
        let sorted = fitting.sorted { a, b in
            if a.geocoder.explainsEverything != b.geocoder.explainsEverything {
                return a.geocoder.explainsEverything
            }
            let (p, q) = (a.geocoder.accepted[0].score, b.geocoder.accepted[0].score)
            return abs(p - q) > 0.001 ? p > q : a.option.comes(before: b.option)
        }
        guard let first = sorted.first else { return [] }
        return sorted.filter { $0.geocoder.accepted[0].score >= first.geocoder.accepted[0].score * 0.98 }.map(
            \.geocoder)
    }
}

extension Geocoder {
    /// Words that are read otherwise than they were written.
    struct Correction {
        /// Where they lie in the source, in UTF-8 bytes.
        var span: Range<Int>
        /// What is read instead, folded.
        var words: [String]
        var edits: Int

        /// What is left of the score of a reading.
        var factor: Double { edits > 1 ? 0.86 : 0.93 }
    }

    /// Leaves out what has another kind of street than the text says: "Main Street 5" is no misspelled Hainweg.
    mutating func dropOtherKindsOfStreet() throws {
        accepted = try accepted.filter { result in
            let left = reading.tokens.indices.filter {
                (reading.significant & ~result.used) & QueryReading.bit($0) != 0
                    && reading.tokens[$0].role.contains(.street)
            }
            guard !left.isEmpty else { return true }
            guard let name = try Feature.load(result.candidate.id, database)?.name else { return false }
            let tokens = knowledge.normalizer.tokens(name)
            return left.allSatisfy { tokens.contains(reading.tokens[$0].text) }
        }
    }

    /// An answer must need each of the corrections.
    mutating func dropReadingsWithoutCorrections() {
        let masks = corrections.map { reading.mask(of: $0.span) & reading.significant }
        func needs(_ result: Reading) -> Bool { masks.allSatisfy { $0 & ~result.used == 0 } }
        refused.removeAll { !needs($0) }
        accepted.removeAll { !needs($0) }
    }

    /// The correction in the letters of the name that it led to.
    func told(_ correction: Correction, as feature: Feature) -> SpellingCorrection {
        var names: [String] = []
        func add(_ feature: Feature) {
            if let name = feature.name { names.append(name) }
            for pair in feature.tags.pairs where pair.key.hasPrefix("name") || pair.key.hasPrefix("addr:") {
                names.append(pair.value)
            }
        }
        add(feature)
        var around: [Int64] = []
        if let parent = feature.parent { around.append(parent) }
        if let context = feature.context {
            around += (try? knowledge.places(ofContext: context, database).prefix(8)) ?? []
        }
        var isRead = false
        var read = ""
        let normalizer = knowledge.normalizer
        let wanted = correction.words.flatMap { normalizer.tokens($0) }
        func find() {
            for name in names where !isRead {
                let words = normalizer.written(name)
                for first in words.indices {
                    for last in first..<min(words.count, first + correction.words.count + 1) where !isRead {
                        guard
                            words[first...last].map(\.text) == correction.words
                                || normalizer.read(Array(words[first...last])).map(\.text) == wanted
                        else { continue }
                        let bytes = Array(name.utf8)
                        guard words[first].start < words[last].end, words[last].end <= bytes.count else { continue }
                        read = String(decoding: bytes[words[first].start..<words[last].end], as: UTF8.self)
                        isRead = true
                    }
                }
            }
        }
        find()
        for id in around where !isRead {
            names = []
            if let place = try? Feature.load(id, database) { add(place) }
            find()
        }
        return SpellingCorrection(
            written: reading.text(correction.span), read: isRead ? read : correction.words.joined(separator: " "),
            edits: correction.edits)
    }
}

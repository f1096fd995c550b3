import Geometry
import OpenStreetMap

extension Gazetteer {
    /// What a text that is being typed may become, from its first letter on, best first.
    ///
    /// Every word counts, in any order; the last may be unfinished. A word may stand for the place around ("vaduz stad") or
    /// be the beginning of a house number ("Städtle 4" offers 4, 40 and 49). From the fourth letter on one typing error is
    /// forgiven, from the eighth two, where nothing fits the text as it stands. The same feature is offered once, and pieces
    /// of a street of one town as one.
    ///
    /// Cost: at most a few hundred statements and a few thousand rows, whatever the text and the size of the gazetteer
    /// (`CompletionSearch`); commonly a tenth of that. Throws `DatabaseError` for a damaged atlas.
    public func complete(_ query: CompletionQuery) throws -> CompletionAnswer {
        try withDatabase { database in
            let text = try text(database)
            let knowledge = try completionKnowledge(text, database)
            let search = CompletionSearch(query, self, database, text, knowledge)
            return try search.answer()
        }
    }

    private func completionKnowledge(_ text: GazetteerText, _ database: Database) throws -> CompletionKnowledge {
        try completing.withLock { known in
            if let known { return known }
            let made = try CompletionKnowledge(text, database)
            known = made
            return made
        }
    }
}

/// One completion at work.
///
/// Candidates are names in which the typed words occur, a bounded number from each of several lists that are sorted so that
/// the best are among the first: the most important places, streets and other names of the whole gazetteer, and all names in
/// the cells around `near`. Each is weighed by itself (`CompletionFit`); the best become completions.
package final class CompletionSearch {
    /// Features of one band for one expression, and rows: a town may have a hundred names that begin alike.
    static let featuresPerBand = 40
    static let rowsPerBand = 240
    /// Names of one feature that are weighed.
    static let namesOfFeature = 6
    /// Rows of one cell for one word.
    static let rowsPerCell = 40
    /// Where several words must meet, names beyond so many of a band are looked at only for rare words.
    static let rowsOfCommonWords = 200_000
    /// Streets whose house numbers are looked up.
    static let streetsWithNumbers = 6
    /// House numbers of one street.
    static let numbersOfStreet = 200
    /// Nodes of the vocabulary visited for typing errors.
    static let nodes = 30_000
    /// What a completion may cost before nothing more is tried, in hundredths of a millisecond or so, and what the list of a
    /// word of an expression does.
    private static let mostEffort = 800
    private static let chargeOfWord = 10
    /// The words that an expression asks for, the longest of a text, and how many of them may be of one letter or two: all
    /// others are only weighed.
    private static let wordsOfExpression = 6
    private static let shortWordsOfExpression = 3

    let query: CompletionQuery
    let gazetteer: Gazetteer
    let database: Database
    let text: GazetteerText
    let knowledge: CompletionKnowledge
    let near: Coordinate?
    private(set) var typed: TypedText
    private(set) var effort = CompletionEffort()
    private var charged = 0

    /// A feature that fits.
    struct Found {
        var row: CompletionRow
        var fit: CompletionFit
        /// A house of it.
        var house: (feature: Int64, key: String)?
        var score: Double
    }

    init(
        _ query: CompletionQuery, _ gazetteer: Gazetteer, _ database: Database, _ text: GazetteerText,
        _ knowledge: CompletionKnowledge
    ) {
        self.query = query
        self.gazetteer = gazetteer
        self.database = database
        self.text = text
        self.knowledge = knowledge
        let bias = query.near ?? query.viewbox?.center
        near = bias?.isValid == true ? bias : nil
        typed = TypedText(query.text, normalizer: text.normalizer, lexicon: knowledge.lexicon)
    }

    func answer() throws -> CompletionAnswer {
        var answer = CompletionAnswer()
        guard !typed.words.isEmpty else { return answer }
        var found: [Found] = []
        if query.kinds?.isEmpty ?? false {
            answer.completions = try completions([])
            answer.effort = effort
            return answer
        }
        if query.tolerance != .errors { found = try read(typed.words) }
        if query.tolerance == .errors
            || query.tolerance == .all && Self.mayBeMisspelled(typed.words.count, found: found.count)
        {
            for onlyUnknown in [true, false] where !isSpent {
                try correct(onlyUnknown: onlyUnknown)
                guard typed.words.contains(where: { !$0.corrections.isEmpty }) else { continue }
                let more = try read(typed.words)
                if more.isEmpty { continue }
                found = more
                break
            }
        }
        found.sort { Self.comesFirst($0, $1) }
        answer.completions = try completions(found)
        answer.effort = effort
        return answer
    }

    /// Whether no more is tried: no text that a person types costs as much.
    private var isSpent: Bool { charged + effort.statements + effort.rows / 4 >= Self.mostEffort }

    /// Whether so few completions make it likely that the text holds a typing error.
    package static func mayBeMisspelled(_ words: Int, found: Int) -> Bool { found == 0 || words == 1 && found < 3 }

    static func comesFirst(_ a: Found, _ b: Found) -> Bool {
        if a.fit.edits != b.fit.edits { return a.fit.edits < b.fit.edits }
        if a.score != b.score { return a.score > b.score }
        if a.row.feature != b.row.feature { return a.row.feature < b.row.feature }
        return (a.house?.key ?? "", a.house?.feature ?? 0) < (b.house?.key ?? "", b.house?.feature ?? 0)
    }

    // MARK: Readings

    /// What the words may stand for: names alone, and names with a house number.
    private func read(_ words: [TypedText.Word]) throws -> [Found] {
        var best: [Int64: Found] = [:]
        func keep(_ found: [Found]) {
            for one in found {
                let key = one.house?.feature ?? one.row.feature
                if let known = best[key], !Self.comesFirst(one, known) { continue }
                best[key] = one
            }
        }
        keep(try names(words, isLastOpen: !typed.isLastComplete, in: CompletionBand.allCases))
        for index in numbers(words) where !isSpent {
            var rest = words
            let number = rest.remove(at: index)
            let isOpen = index == words.count - 1 && !typed.isLastComplete
            keep(try houses(number, isOpen: isOpen, rest, isLastOpen: !isOpen && !typed.isLastComplete))
        }
        return Array(best.values)
    }

    /// The places of words that may be a house number, where other words are left for the street.
    private func numbers(_ words: [TypedText.Word]) -> [Int] {
        let plausible = words.indices.filter { HouseNumber.isPlausible(words[$0].string) && words[$0].text.count <= 6 }
        guard plausible.count < words.count, let last = plausible.last, let first = plausible.first else { return [] }
        return first == last ? [last] : [last, first]
    }

    private func houses(
        _ number: TypedText.Word, isOpen: Bool, _ rest: [TypedText.Word], isLastOpen: Bool
    ) throws -> [Found] {
        if let kinds = query.kinds, !kinds.contains(.address) { return [] }
        guard rest.reduce(0, { $0 + $1.length }) >= 2 else { return [] }
        var streets = try names(rest, isLastOpen: isLastOpen, in: [.streets, .places], forNumbers: true)
        streets.sort { Self.comesFirst($0, $1) }
        var result: [Found] = []
        for (position, street) in streets.prefix(Self.streetsWithNumbers).enumerated() {
            let statement = try begin(
                """
                SELECT a.key, a.feature, f.kind FROM address_number a CROSS JOIN feature f ON f.id = a.feature
                WHERE a.parent = ?1 AND a.key >= ?2 AND a.key < ?3 LIMIT \(Self.numbersOfStreet)
                """)
            statement.bind(1, street.row.feature)
            statement.bind(2, number.string)
            statement.bind(3, number.string + (isOpen ? "\u{10FFFF}" : "\u{0}"))
            var houses: [(key: String, feature: Int64, isAddress: Bool)] = []
            while try step(statement) {
                houses.append(
                    (statement.text(0) ?? "", statement.int64(1), statement.int(2) == FeatureKind.address.rawValue))
            }
            statement.reset()
            let exact = number.string
            houses.sort { a, b in
                if (a.key == exact) != (b.key == exact) { return a.key == exact }
                let (m, n) = (Self.leadingNumber(a.key), Self.leadingNumber(b.key))
                if m != n || a.key != b.key { return m != n ? m < n : a.key < b.key }
                // The house before the shops in it.
                return a.isAddress != b.isAddress ? a.isAddress : a.feature < b.feature
            }
            var seen: Set<Int64> = []
            var last = ""
            var count = 0
            for house in houses where house.key != last && seen.insert(house.feature).inserted {
                last = house.key
                var one = street
                one.house = (house.feature, house.key)
                one.score += house.key == exact ? 0.3 : 0.25 - 0.004 * Double(count)
                result.append(one)
                count += 1
                if count >= (position == 0 ? max(5, query.limit - 2) : 3) { break }
            }
            // The street itself remains on offer; without that number, as the best that there is.
            var bare = street
            bare.score += houses.isEmpty ? -0.1 : 0.15
            if query.kinds?.contains(street.row.kind) ?? true { result.append(bare) }
        }
        return result
    }

    private static func leadingNumber(_ key: String) -> Int {
        key.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }.prefix(9).reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }

    // MARK: Candidates

    /// Names that the words fit, the best row of each feature.
    private func names(
        _ words: [TypedText.Word], isLastOpen: Bool, in bands: [CompletionBand], forNumbers: Bool = false
    ) throws -> [Found] {
        guard !words.isEmpty else { return [] }
        var seen: Set<Int64> = []
        var best: [Int64: Found] = [:]
        var weighed: [Int64: Int] = [:]
        /// Reads rows of a statement and weighs those that are new.
        func weigh(_ statement: Statement, features limit: Int) throws -> Bool {
            defer { statement.reset() }
            var count = 0
            var features = 0
            var last: Int64 = -1
            while features <= limit, try step(statement) {
                count += 1
                if statement.int64(1) != last {
                    last = statement.int64(1)
                    features += 1
                }
                if weighed[last, default: 0] >= Self.namesOfFeature { continue }
                weighed[last, default: 0] += 1
                guard seen.insert(statement.int64(0)).inserted, let row = CompletionRow(statement),
                    bands.contains(CompletionBand(row.kind)), passes(row, forNumbers: forNumbers),
                    let fit = try fit(row, words, isLastOpen: isLastOpen)
                else { continue }
                let found = Found(row: row, fit: fit, score: fit.score)
                if let known = best[row.feature], !Self.comesFirst(found, known) { continue }
                best[row.feature] = found
            }
            return features <= limit && count < Self.rowsPerBand
        }

        // The most important names of all.
        func everywhere(
            _ words: ArraySlice<TypedText.Word>, isLastOpen: Bool, context: Bool, spread: Int = 1
        ) throws -> Set<CompletionBand> {
            var unread: Set<CompletionBand> = []
            let expression = try self.expression(words, isLastOpen: isLastOpen, context: context)
            for band in bands {
                guard let range = knowledge.rows(of: band) else { continue }
                var end = range.upperBound
                if words.count > 1, try !hasRareWord(words) {
                    end = min(end, range.lowerBound + Self.rowsOfCommonWords)
                    if end < range.upperBound, range.upperBound < .max { unread.insert(band) }
                }
                let statement = try begin(
                    """
                    SELECT \(CompletionRow.columns) FROM completion_text t CROSS JOIN completion c ON c.id = t.rowid
                    WHERE completion_text MATCH ?1 AND t.rowid >= ?2 AND t.rowid <= ?3 ORDER BY t.rowid LIMIT \(Self.rowsPerBand)
                    """)
                statement.bind(1, expression)
                statement.bind(2, range.lowerBound)
                statement.bind(3, end)
                if try !weigh(statement, features: Self.featuresPerBand * spread) { unread.insert(band) }
            }
            return unread
        }
        let unread = try everywhere(words[...], isLastOpen: isLastOpen, context: words.count > 1)
        // Those near by may be among the names that were not read.
        if let near, !unread.isEmpty {
            try around(near, words, isLastOpen: isLastOpen, unread) { _ = try weigh($0, features: .max) }
        }
        // Words that no index holds together with the name: countries, states, far places.
        if words.count > 1, best.count < 5, query.tolerance != .none {
            for count in [1, 2] where count < words.count && !isSpent {
                _ = try everywhere(
                    words.dropLast(count), isLastOpen: false, context: words.count - count > 1, spread: 2)
                _ = try everywhere(
                    words.dropFirst(count), isLastOpen: isLastOpen, context: words.count - count > 1, spread: 2)
            }
        }
        return Array(best.values)
    }

    /// Names in the cells around a point, by the longest of the words.
    private func around(
        _ near: Coordinate, _ words: [TypedText.Word], isLastOpen: Bool, _ bands: Set<CompletionBand>,
        _ weigh: (Statement) throws -> Void
    ) throws {
        let drivers = words.indices.sorted { (-words[$0].length, $0) < (-words[$1].length, $1) }.prefix(2)
        for index in drivers {
            let word = words[index]
            var starts = [(letters: word.text, isBeginning: true)]
            for token in word.tokens.prefix(3) { starts.append((token, false)) }
            if let stem = word.compound.max(by: { $0.count < $1.count }) { starts.append((stem, false)) }
            for correction in word.corrections.prefix(6) { starts.append((correction.letters, correction.isBeginning)) }
            let isShort = word.text.count < 3
            var isFull = false
            func read(_ grid: CompletionIndex.Grid, limit: Int) throws -> Int {
                var count = 0
                for cell in grid.cells(around: near) {
                    for start in starts {
                        let statement = try begin(
                            """
                            SELECT \(CompletionRow.columns) FROM completion_near n CROSS JOIN completion c ON c.id = n.name
                            WHERE n.cell = ?1 AND n.word >= ?2 AND n.word < ?3 LIMIT ?4
                            """)
                        statement.bind(1, cell)
                        let letters = String(decoding: start.letters, as: UTF8.self)
                        statement.bind(2, letters)
                        statement.bind(3, letters + (start.isBeginning ? "\u{10FFFF}" : "\u{0}"))
                        statement.bind(4, limit)
                        let before = effort.rows
                        try weigh(statement)
                        if effort.rows - before >= limit { isFull = true }
                        count += effort.rows - before
                    }
                }
                return count
            }
            if bands.contains(.places) { _ = try read(.region, limit: Self.rowsPerCell) }
            guard bands != [.places] else { continue }
            if isShort {
                if try read(.quarter, limit: Self.rowsPerCell) < Self.rowsPerCell {
                    _ = try read(.town, limit: Self.rowsPerCell / 2)
                }
            } else {
                _ = try read(.town, limit: Self.rowsPerCell)
                if isFull { _ = try read(.quarter, limit: Self.rowsPerCell) }
            }
        }
    }

    func fit(_ row: CompletionRow, _ words: [TypedText.Word], isLastOpen: Bool) throws -> CompletionFit? {
        try CompletionFit(row, words, isLastOpen: isLastOpen, near: near, lexicon: knowledge.lexicon) {
            guard let context = row.context else { return [] }
            return try knowledge.words(ofContext: context, gazetteer, text)
        }
    }

    func passes(_ row: CompletionRow, forNumbers: Bool) -> Bool {
        if let kinds = query.kinds, !forNumbers, !kinds.contains(row.kind) { return false }
        if query.isBounded, let box = query.viewbox, !box.contains(row.location) { return false }
        return true
    }

    // MARK: Expressions

    /// An expression of FTS5 that holds for names with all the words.
    private func expression(_ words: ArraySlice<TypedText.Word>, isLastOpen: Bool, context: Bool) throws -> String {
        var parts: [String] = []
        let chosen = Self.telling(words)
        charged += Self.chargeOfWord * chosen.count
        for index in chosen {
            let word = words[index]
            let isOpen = isLastOpen && index == words.indices.last
            var forms = try beginnings(word)
            for token in word.tokens.prefix(8) { forms.append(Self.quoted(token)) }
            if !word.compound.isEmpty {
                forms.append("(" + word.compound.map { Self.quoted($0) }.joined(separator: " AND ") + ")")
            }
            for correction in word.corrections {
                forms.append(Self.quoted(correction.letters) + (correction.isBeginning ? "*" : ""))
            }
            if context {
                let mark = UInt8(ascii: "@")
                forms.append(Self.quoted([mark] + word.text) + (isOpen || word.text.count < 5 ? "*" : ""))
                for token in word.tokens.prefix(8) { forms.append(Self.quoted([mark] + token)) }
                for correction in word.corrections.prefix(6) {
                    forms.append(Self.quoted([mark] + correction.letters) + (correction.isBeginning ? "*" : ""))
                }
            }
            parts.append("(" + forms.joined(separator: " OR ") + ")")
        }
        return parts.joined(separator: " AND ")
    }

    /// The words of a long text that say most, in their order.
    private static func telling(_ words: ArraySlice<TypedText.Word>) -> [Int] {
        guard words.count > shortWordsOfExpression else { return Array(words.indices) }
        let sorted = words.indices.sorted { (-words[$0].text.count, $0) < (-words[$1].text.count, $1) }
        let long = sorted.filter { words[$0].text.count > 2 }.prefix(wordsOfExpression)
        let short = sorted.filter { words[$0].text.count <= 2 }.prefix(
            min(shortWordsOfExpression, wordsOfExpression - long.count))
        return (long + short).sorted()
    }

    /// How the index is asked for words that begin so. It has lists for beginnings of up to five letters, which are read as
    /// far as needed; lists of longer ones would have to be put together first, so the words themselves are named.
    private func beginnings(_ word: TypedText.Word) throws -> [String] {
        guard word.text.count > 5, word.text.allSatisfy({ $0 < 0x80 }) else { return [Self.quoted(word.text) + "*"] }
        var nodes = 2_000
        let terms = try text.vocabulary(database).terms(withPrefix: word.string, limit: 25, nodesLeft: &nodes)
        guard !terms.isEmpty, terms.count < 25, nodes > 0 else { return [Self.quoted(word.text) + "*"] }
        return [Self.quoted(word.text)]
            + terms.filter { $0.word != word.string }.map { Self.quoted(Array($0.word.utf8)) }
    }

    /// Whether one of the words, as far as it is typed, begins only rare words, so that all of its names can be looked at.
    private func hasRareWord(_ words: ArraySlice<TypedText.Word>) throws -> Bool {
        let vocabulary = try text.vocabulary(database)
        return try words.contains { word in
            guard word.text.count > 3 else { return false }
            var nodes = 1_000
            let terms = try vocabulary.terms(withPrefix: word.string, limit: 10, nodesLeft: &nodes)
            return terms.count < 10 && terms.reduce(0) { $0 + $1.frequency } < 5_000
        }
    }

    /// Words are letters and digits alone, so that nothing in them is an operator.
    private static func quoted(_ letters: [UInt8]) -> String { "\"" + String(decoding: letters, as: UTF8.self) + "\"" }

    // MARK: Typing errors

    /// Finds what misspelled words may stand for.
    ///
    /// - Parameter onlyUnknown: whether words that occur as they stand are left alone.
    private func correct(onlyUnknown: Bool) throws {
        let vocabulary = try text.vocabulary(database)
        var nodes = Self.nodes
        for (index, word) in typed.words.enumerated() {
            let most = TypedText.errorsAllowed(in: word)
            guard most > 0 else { continue }
            let isOpen = index == typed.words.count - 1 && !typed.isLastComplete
            if onlyUnknown {
                var few = 600
                let isKnown =
                    try isOpen
                    ? !vocabulary.terms(withPrefix: word.string, limit: 1, nodesLeft: &few).isEmpty
                    : vocabulary.contains(word.string)
                if isKnown { continue }
            }
            var corrections: [TypedText.Correction] = []
            // Two errors are looked for where one does not explain it.
            for distance in 1...most where corrections.isEmpty {
                if isOpen {
                    for near in try vocabulary.prefixes(near: word.string, within: distance, nodesLeft: &nodes).prefix(
                        16)
                    where near.distance > 0 {
                        corrections.append(
                            .init(letters: Array(near.letters.utf8), isBeginning: true, edits: near.distance))
                    }
                } else {
                    for near in try vocabulary.neighbours(of: word.string, within: distance, nodesLeft: &nodes).prefix(
                        16)
                    where near.distance > 0 {
                        corrections.append(
                            .init(letters: Array(near.term.word.utf8), isBeginning: false, edits: near.distance))
                    }
                }
            }
            typed.correct(index, corrections)
        }
    }

    // MARK: Answers

    /// Makes completions of the best, each feature and each pair of title and subtitle once.
    private func completions(_ found: [Found]) throws -> [Completion] {
        let limit = min(max(query.limit, 1), 100)
        var result: [Completion] = []
        var seen: Set<String> = []
        for one in found.prefix(limit * 4) where result.count < limit {
            guard let made = try completion(one),
                seen.insert(made.title.lowercased() + "\u{0}" + made.subtitle).inserted
            else { continue }
            result.append(made)
        }
        if query.offersCategories {
            try addCategories(to: &result, limit)
        }
        return result
    }

    private func addCategories(to result: inout [Completion], _ limit: Int) throws {
        var offered = 0
        for phrase in knowledge.categories.beginning(with: typed, languages: query.languages) where offered < 3 {
            let statement = try begin("SELECT 1 FROM feature_category WHERE category = ?1 LIMIT 1")
            statement.bind(1, phrase.category)
            let hasMembers = try step(statement)
            statement.reset()
            guard hasMembers else { continue }
            offered += 1
            // A whole word for a kind stands first; the beginning of one after what is near or well known.
            let letters = Double(typed.words.reduce(0) { $0 + $1.length })
            let all = Double(max(phrase.words.reduce(0) { $0 + $1.utf8.count }, 1))
            let made = Completion(
                meaning: .category(phrase.category), title: phrase.text, subtitle: "",
                titleHighlights: Highlights.find(typed.words, in: phrase.text, normalizer: text.normalizer).ranges,
                subtitleHighlights: [], kind: nil, location: nil, score: 1.45 + 0.4 * letters / all, edits: 0)
            let place = result.firstIndex { $0.edits > 0 || $0.score < made.score } ?? result.count
            result.insert(made, at: place)
        }
        if result.count > limit { result.removeLast(result.count - limit) }
    }

    private func completion(_ found: Found) throws -> Completion? {
        effort.statements += 1
        effort.rows += 1
        guard let feature = try Feature.load(found.house?.feature ?? found.row.feature, database) else { return nil }
        let languages = query.languages
        let formatter = try AddressFormatter.shared
        var title: String
        var subtitle: String
        var meaning = Completion.Meaning.feature(feature.id)
        if let house = found.house {
            meaning = .house(feature.id)
            let written = feature.houseNumber ?? house.key
            let number = HouseNumber.key(written) == house.key ? written : house.key
            let address = try gazetteer.address(of: feature, languages: languages, houseNumber: number)
            let street =
                try address.street ?? address["place"] ?? gazetteer.place(found.row.feature)?.name(in: languages)
            title =
                street.map { formatter.street($0, number: number, country: address.countryCode) } ?? number
            subtitle = formatter.lines(address).filter { $0 != title }.joined(separator: ", ")
        } else {
            title =
                feature.kind == .postcode ? feature.postcode ?? feature.name ?? "" : feature.name(in: languages) ?? ""
            let address = try gazetteer.address(of: feature, languages: languages)
            if feature.kind.rawValue <= FeatureKind.postcode.rawValue {
                subtitle = Self.surroundings(of: title, address, feature)
            } else {
                subtitle = formatter.lines(address).filter { $0 != title }.joined(separator: ", ")
            }
        }
        var inTitle = Highlights.find(typed.words, in: title, normalizer: text.normalizer)
        let isWrittenOtherwise =
            languages.isEmpty && TypedText.isBeyondLatin(query.text) && !TypedText.isBeyondLatin(title)
        if inTitle.found.isEmpty || title.isEmpty || isWrittenOtherwise, found.house == nil {
            let other = otherName(of: feature)
            if let other, title.isEmpty || languages.isEmpty && found.row.sort != .business {
                title = other
            } else if let other, found.row.sort == .business {
                subtitle = subtitle.isEmpty ? other : other + ", " + subtitle
            }
            inTitle = Highlights.find(typed.words, in: title, normalizer: text.normalizer)
        }
        guard !title.isEmpty else { return nil }
        let left = typed.words.indices.filter { !inTitle.found.contains($0) }.map { typed.words[$0] }
        let inSubtitle = Highlights.find(left, in: subtitle, normalizer: text.normalizer)
        return Completion(
            meaning: meaning, title: title, subtitle: subtitle, titleHighlights: inTitle.ranges,
            subtitleHighlights: inSubtitle.ranges, kind: found.house == nil ? feature.kind : .address,
            location: feature.location, score: found.score, edits: found.fit.edits)
    }

    /// The name of the feature that most of the typed words are in: of several the one that begins with what was typed, to
    /// the letter if possible, and then the shortest. Nil where all that fits is in another script.
    private func otherName(of feature: Feature) -> String? {
        let isBeyondLatin = TypedText.isBeyondLatin(query.text)
        let asTyped = query.text.lowercased()
        var best: (fit: Int, length: Int, name: String)?
        for (name, _) in TextIndexBuilder.names(of: feature.tags, default: feature.name).prefix(100)
        where TypedText.isBeyondLatin(name) == isBeyondLatin {
            let marks = Highlights.find(typed.words, in: name, normalizer: text.normalizer)
            guard !marks.found.isEmpty else { continue }
            var fit = marks.found.count * 4
            if name.lowercased().hasPrefix(asTyped) { fit += 2 }
            if marks.ranges.contains(where: { $0.lowerBound == 0 }) { fit += 1 }
            if let known = best, (known.fit, -known.length) >= (fit, -name.count) { continue }
            best = (fit, name.count, name)
        }
        return best?.name
    }

    /// Town, state and country around a place.
    private static func surroundings(of title: String, _ address: AddressParts, _ feature: Feature) -> String {
        let names = [
            feature.rank > 17 || feature.kind == .postcode ? address.city : nil, feature.rank > 8 ? address.state : nil,
            feature.rank > 4 || feature.kind == .postcode ? address.country : nil,
        ]
        var result: [String] = []
        for name in names.compactMap({ $0 }) where name != title && !result.contains(name) { result.append(name) }
        return result.joined(separator: ", ")
    }

    // MARK: Counting

    private func begin(_ sql: String) throws -> Statement {
        effort.statements += 1
        return try database.statement(sql)
    }

    private func step(_ statement: Statement) throws -> Bool {
        guard try statement.step() else { return false }
        effort.rows += 1
        return true
    }
}

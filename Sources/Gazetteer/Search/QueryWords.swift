import OpenStreetMap

/// Words of search queries that are no kinds of places and no names (`lexicons/queries.tsv`): wishes, times, joints.
struct QueryWords: Sendable {
    /// What a phrase does in a query.
    enum Meaning: Sendable, Equatable {
        case wish(String)
        /// Stands before a place; a weak one may as well be part of a name.
        case joint(SearchReading.Relation, isWeak: Bool)
        /// Stands behind a place.
        case after(SearchReading.Relation)
        /// Around the asker.
        case here
        case hours(Hours)
        /// 0 is Monday.
        case day(Int)
        case or
        case filler
    }

    enum Hours: String, Sendable {
        case open, opennow, now, today, tomorrow, tonight, always, until, uhr, at
    }

    struct Phrase: Sendable {
        /// Folded words; those that end in "*" stand for any ending.
        var words: [String]
        var meaning: Meaning
    }

    /// What wishes ask of the tags.
    let wishes: [String: TagExpression]
    private var byFirst: [String: [Phrase]] = [:]
    /// Phrases whose first word has any ending.
    private var open: [Phrase] = []

    /// The words that came with the program. Throws where the file cannot be found or has a line that cannot be read.
    static var shared: QueryWords { get throws { try bundled.get() } }

    private static let bundled = Result<QueryWords, any Error> {
        try QueryWords(table: GazetteerText.resource("lexicons/queries.tsv"))
    }

    /// Reads the table. Throws `LexiconError` for a line that is none.
    init(table: String) throws {
        var wishes: [String: TagExpression] = [:]
        for (index, line) in table.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            func wrong(_ reason: String) -> LexiconError {
                LexiconError(file: "queries.tsv", line: index + 1, reason: reason)
            }
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 4 else { throw wrong("needs four columns, has \(columns.count)") }
            if columns[0] == "tags" {
                do { wishes[columns[1]] = try TagExpression(columns[3]) } catch { throw wrong("\(error)") }
                continue
            }
            guard let meaning = Self.meaning(columns[0], columns[1]) else {
                throw wrong("no class and name: \(columns[0]) \(columns[1])")
            }
            if case .wish(let name) = meaning, wishes[name] == nil { throw wrong("\(name) asks for no tags") }
            for text in columns[3].split(separator: ",", omittingEmptySubsequences: false) {
                let words = text.split(separator: " ").flatMap { written -> [String] in
                    let folded = TextFold.words(String(written)).map(\.text)
                    guard written.last == "*", let last = folded.last else { return folded }
                    return folded.dropLast() + [last + "*"]
                }
                guard let first = words.first else { throw wrong("has an empty phrase") }
                let phrase = Phrase(words: words, meaning: meaning)
                if first.last == "*" { open.append(phrase) } else { byFirst[first, default: []].append(phrase) }
            }
        }
        self.wishes = wishes
    }

    private static func meaning(_ kind: String, _ name: String) -> Meaning? {
        // "à Monaco", "am Bahnhof": within what has an outline, around what has none.
        let relation: SearchReading.Relation = name == "near" ? .near : .inside
        switch kind {
        case "wish": return .wish(name)
        case "joint": return ["in", "near", "weak"].contains(name) ? .joint(relation, isWeak: name == "weak") : nil
        case "after": return ["in", "near"].contains(name) ? .after(relation) : nil
        case "here": return .here
        case "hours": return Hours(rawValue: name).map { .hours($0) }
        case "day": return Int(name).flatMap { (0...6).contains($0) ? .day($0) : nil }
        case "or": return .or
        case "filler": return .filler
        default: return nil
        }
    }

    /// The meanings of the words from `index` on, each with the number of its words, the longest first.
    func phrases(at index: Int, in words: [TextFold.Word]) -> [(meaning: Meaning, count: Int)] {
        guard words.indices.contains(index) else { return [] }
        var found: [(meaning: Meaning, count: Int)] = []
        func tryOut(_ phrase: Phrase) {
            guard index + phrase.words.count <= words.count else { return }
            for (offset, wanted) in phrase.words.enumerated() {
                let word = words[index + offset].text
                if wanted.last == "*" {
                    guard word.utf8.starts(with: wanted.utf8.dropLast()) else { return }
                } else if word != wanted {
                    return
                }
            }
            if !found.contains(where: { $0.meaning == phrase.meaning && $0.count == phrase.words.count }) {
                found.append((phrase.meaning, phrase.words.count))
            }
        }
        for phrase in byFirst[words[index].text] ?? [] { tryOut(phrase) }
        for phrase in open { tryOut(phrase) }
        return found.sorted { $0.count > $1.count }
    }

    /// The number of words of the longest phrase with a meaning that `isWanted`, from `index` on.
    func longest<R>(at index: Int, in words: [TextFold.Word], _ wanted: (Meaning) -> R?) -> (R, Int)? {
        for (meaning, count) in phrases(at: index, in: words) {
            if let result = wanted(meaning) { return (result, count) }
        }
        return nil
    }
}

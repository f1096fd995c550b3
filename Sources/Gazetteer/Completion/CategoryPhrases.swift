/// Words for kinds of places by their first letters, out of the atlas's lexicon.
struct CategoryPhrases: Sendable {
    struct Phrase: Sendable {
        var category: String
        var words: [String]
        /// As the lexicon writes it, the first letter large.
        var text: String
        var language: String
        /// How many words of its language stand before it.
        var position: Int
    }

    private let lines: SortedLines
    private let kinds: KindNumbers

    init(database: Database) throws {
        lines = try CategoryLexicon.lines("lexicon.phrases", database)
        kinds = try KindNumbers(database: database)
    }

    /// The kinds that these folded words, joined by spaces, are the singular or the plural of in some language, rather than
    /// one of the further words.
    func kinds(calledBy words: String) -> Set<String> {
        Set(
            lines.contents(of: words).compactMap { content in
                let columns = content.split(separator: " ", maxSplits: 3)
                guard columns.count >= 3, let position = Int(columns[1]), position < 2 else { return nil }
                return kinds.name(columns[2])
            })
    }

    /// Phrases that the typed words begin, one a category, of the first language that has any: the shortest first.
    ///
    /// Without languages English is the first.
    func beginning(with typed: TypedText, languages: [String]) -> [Phrase] {
        guard !typed.words.isEmpty, typed.words.reduce(0, { $0 + $1.length }) >= 2 else { return [] }
        var wanted = languages.map { String($0.lowercased().prefix { $0 != "-" }) }
        if wanted.isEmpty { wanted = ["en"] }
        func rank(_ phrase: Phrase) -> Int {
            wanted.firstIndex { $0 == phrase.language } ?? wanted.count
        }
        var best: [String: Phrase] = [:]
        let begin = typed.words.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: " ")
        func take(_ words: Substring, _ content: Substring) {
            let columns = content.split(separator: " ", maxSplits: 3)
            guard columns.count >= 3, let position = Int(columns[1]), let kind = kinds.name(columns[2]) else { return }
            let phrase = Phrase(
                category: kind, words: words.split(separator: " ").map(String.init),
                text: columns.count > 3 ? String(columns[3]) : KindWords.shown(words), language: String(columns[0]),
                position: position)
            guard let known = best[phrase.category] else {
                best[phrase.category] = phrase
                return
            }
            if (rank(phrase), phrase.position, phrase.text) < (rank(known), known.position, known.text) {
                best[phrase.category] = phrase
            }
        }
        lines.forEach(beginning: begin, contents: wanted.map { $0 + " " }, take)
        if best.isEmpty { lines.forEach(beginning: begin, take) }
        let first = best.values.map(rank).min()
        return best.values.filter { rank($0) == first }.sorted {
            ($0.text.utf8.count, $0.category) < ($1.text.utf8.count, $1.category)
        }
    }
}

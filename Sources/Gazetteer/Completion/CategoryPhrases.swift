/// Words for kinds of places by their first letters, out of the atlas's lexicon.
struct CategoryPhrases: Sendable {
    struct Phrase: Sendable {
        var category: String
        var words: [String]
        /// As the lexicon writes it, the first letter large.
        var text: String
        /// Nil where the column has no known language.
        var language: String?
        /// How many words of its language stand before it.
        var position: Int
    }

    private let phrases: [Phrase]

    /// Reads `categories.tsv`: name, tags, then words, a column for each language.
    init(text: String) {
        var phrases: [Phrase] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count >= 3 else { continue }
            for (index, column) in columns[2...].enumerated() {
                for (position, phrase) in column.split(separator: ",").enumerated() {
                    let words = TextFold.words(String(phrase)).map(\.text)
                    guard !words.isEmpty else { continue }
                    phrases.append(
                        Phrase(
                            category: String(columns[0]), words: words,
                            text: phrase.prefix(1).uppercased() + phrase.dropFirst(),
                            language: index < CategoryLexicon.languages.count ? CategoryLexicon.languages[index] : nil,
                            position: position))
                }
            }
        }
        self.phrases = phrases
    }

    /// Phrases that the typed words begin, one a category, of the first language that has any: the shortest first.
    ///
    /// Without languages English is the first.
    func beginning(with typed: TypedText, languages: [String]) -> [Phrase] {
        guard let last = typed.words.last, typed.words.reduce(0, { $0 + $1.length }) >= 2 else { return [] }
        var wanted = languages.map { String($0.lowercased().prefix { $0 != "-" }) }
        if wanted.isEmpty { wanted = ["en"] }
        func rank(_ phrase: Phrase) -> Int {
            wanted.firstIndex { $0 == phrase.language } ?? wanted.count
        }
        var best: [String: Phrase] = [:]
        for phrase in phrases where phrase.words.count >= typed.words.count {
            guard zip(phrase.words, typed.words.dropLast()).allSatisfy({ $0.utf8.elementsEqual($1.text) }),
                phrase.words[typed.words.count - 1].utf8.starts(with: last.text)
            else { continue }
            guard let known = best[phrase.category] else {
                best[phrase.category] = phrase
                continue
            }
            if (rank(phrase), phrase.position, phrase.text) < (rank(known), known.position, known.text) {
                best[phrase.category] = phrase
            }
        }
        let first = best.values.map(rank).min()
        return best.values.filter { rank($0) == first }.sorted {
            ($0.text.utf8.count, $0.category) < ($1.text.utf8.count, $1.category)
        }
    }
}

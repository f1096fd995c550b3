import OpenStreetMap

/// Kinds of places by the words people use for them, and by the tags that mark them.
///
/// A line of `categories.tsv`: name of the category, tags, then words in English, German, French, Russian, Finnish. Tags
/// are alternatives separated by commas; `+` joins what must hold together; `shop=*` stands for any value but `no`.
struct CategoryLexicon: Sendable {
    private struct Term: Sendable {
        var key: String
        /// nil for any value.
        var value: String?

        func holds(_ tags: Tags) -> Bool {
            guard let found = tags[key] else { return false }
            guard let value else { return found != "no" }
            // Cuisines come in lists; a main tag with several values is read as neither by anybody else.
            return found == value
                || key == "cuisine" && found.split(separator: ";").contains { $0.drop { $0 == " " } == value }
        }
    }

    private var byWords: [String: [String]] = [:]
    private var rules: [String: [(category: String, terms: [Term])]] = [:]
    /// The first word of each category in each of `languages`.
    private var words: [String: [String: String]] = [:]
    /// The languages of the columns of words.
    static let languages = ["en", "de", "fr", "ru", "fi"]
    /// The greatest number of tokens in one phrase.
    private(set) var longest = 1

    init(text: String, normalizer: TextNormalizer) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 3 else { continue }
            let category = columns[0]
            for alternative in columns[1].split(separator: ",") {
                let terms = alternative.split(separator: "+").compactMap { term -> Term? in
                    let parts = term.split(separator: "=", maxSplits: 1)
                    guard parts.count == 2 else { return nil }
                    return Term(key: String(parts[0]), value: parts[1] == "*" ? nil : String(parts[1]))
                }
                if let first = terms.first { rules[first.key, default: []].append((category, terms)) }
            }
            for (language, column) in zip(Self.languages, columns[2...]) {
                if let word = column.split(separator: ",").first {
                    words[category, default: [:]][language] = String(word)
                }
            }
            for column in columns[2...] {
                for phrase in column.split(separator: ",") {
                    let tokens = normalizer.tokens(String(phrase))
                    guard !tokens.isEmpty else { continue }
                    longest = max(longest, tokens.count)
                    let key = tokens.joined(separator: " ")
                    if byWords[key]?.contains(category) != true { byWords[key, default: []].append(category) }
                }
            }
        }
    }

    /// The categories that these canonical tokens, joined by spaces, name.
    func categories(named key: String) -> [String] { byWords[key] ?? [] }

    /// The word for what an object with these tags is, in the first of the languages ("de-AT", "en") that has one.
    func word(for tags: Tags, languages: [String]) -> String? {
        // What is cooked there does not tell what it is.
        guard let category = categories(of: Tags(tags.pairs.filter { $0.key != "cuisine" })).first else { return nil }
        return languages.lazy.compactMap { words[category]?[String($0.lowercased().prefix { $0 != "-" })] }.first
    }

    /// The categories that an object with these tags belongs to.
    func categories(of tags: Tags) -> [String] {
        var result: [String] = []
        for pair in tags.pairs {
            guard let candidates = rules[pair.key] else { continue }
            for candidate in candidates where !result.contains(candidate.category) {
                if candidate.terms.allSatisfy({ $0.holds(tags) }) { result.append(candidate.category) }
            }
        }
        return result
    }
}

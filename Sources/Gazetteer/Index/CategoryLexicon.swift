import CICU
import Foundation
import Locking

/// The words of an atlas for kinds of places, in all languages of the lexicon.
///
/// At import the words are brought into the form that queries are read in, sorted, and kept in the atlas as texts of
/// `SortedLines`, so that reading them costs nothing but memory:
///
///     lexicon.keys      canonical tokens without articles -> numbers of kinds, between spaces
///     lexicon.stems     language and stems of those tokens (`WordStem`) -> the same
///     lexicon.phrases   folded words -> language, place among its words, number of the kind, and the word as it is written
///                       where that is more than a capital before the folded words
///     lexicon.titles    number of the kind and language -> its first word
///     lexicon.kinds     the names of the kinds, from number 0, between spaces
struct CategoryLexicon: Sendable {
    private let keys: SortedLines
    private let stems: SortedLines
    private let first: SortedLines
    private let kinds: KindNumbers
    /// The greatest number of tokens in one phrase.
    let longest: Int

    init(database: Database) throws {
        keys = try Self.lines("lexicon.keys", database)
        stems = try Self.lines("lexicon.stems", database)
        first = try Self.lines("lexicon.titles", database)
        kinds = try KindNumbers(database: database)
        longest = min(try GazetteerText.setting("lexicon.longest", database).flatMap { Int($0) } ?? 1, 12)
    }

    static func lines(_ name: String, _ database: Database) throws -> SortedLines {
        let statement = try database.prepare("SELECT value FROM setting WHERE name = ?1")
        statement.bind(1, name)
        return SortedLines(bytes: try statement.step() ? statement.withBlob(0) { [UInt8]($0) } : [])
    }

    /// Canonical tokens as the lexicon is asked for them: without articles and prepositions, where anything is left.
    static func key(_ tokens: [TextNormalizer.Token]) -> [String] {
        let significant = tokens.filter { !$0.role.contains(.light) }
        return (significant.isEmpty ? tokens : significant).map(\.text)
    }

    /// The kinds that these canonical tokens, joined by spaces, name as they stand.
    func categories(named key: String) -> [String] {
        keys.content(of: key).map(kinds.names) ?? []
    }

    /// The kinds that these canonical tokens mean: as they stand, else in another form ("boulangeries"), else as goods with
    /// a word for shop ("magasin de fleurs", "Blumenladen").
    func categories(meantBy tokens: [String]) -> [String] {
        guard !tokens.isEmpty, tokens.count <= longest + 1 else { return [] }
        let named = categories(named: tokens.joined(separator: " "))
        if !named.isEmpty { return named }
        var found: [String] = []
        func add(_ kinds: [String]) { for kind in kinds where !found.contains(kind) { found.append(kind) } }
        for language in KindWords.languages { add(categories(tokens, in: language)) }
        if !found.isEmpty { return found }
        for (language, shops) in ShopWords.shared.byLanguage {
            for goods in Self.goods(tokens, shops, language) {
                add(categories(goods, in: language).filter { ShopWords.shared.kinds.contains($0) })
            }
        }
        return found
    }

    private func categories(_ tokens: [String], in language: String) -> [String] {
        for key in Self.stems(of: tokens, language: language) {
            if let numbers = stems.content(of: key) { return kinds.names(numbers) }
        }
        return []
    }

    /// The forms in which `lexicon.stems` knows tokens: word by word and, where compounds are written in one word, apart, or
    /// with a hyphen as one likes, in one piece.
    static func stems(of tokens: [String], language: String) -> [String] {
        var forms = [tokens.map { WordStem.of($0, language: language) }.joined(separator: " ")]
        if tokens.count > 1, compounding.contains(language) {
            forms.append(WordStem.of(tokens.joined(), language: language))
        }
        return forms.map { language + " " + $0 }
    }

    private static let compounding: Set<String> = ["de", "nl", "sv", "fi"]

    /// What is left of the words without one for shop, which stands first, last, or at the end of the last.
    private static func goods(_ tokens: [String], _ shops: Set<String>, _ language: String) -> [[String]] {
        guard let first = tokens.first, let last = tokens.last else { return [] }
        var result: [[String]] = []
        let end = WordStem.of(last, language: language)
        if tokens.count > 1 {
            if shops.contains(WordStem.of(first, language: language)) { result.append(Array(tokens.dropFirst())) }
            if shops.contains(end) { result.append(tokens.dropLast()) }
        }
        for shop in shops where end.utf8.count >= shop.utf8.count + 3 && shop.utf8.count > 3 && end.hasSuffix(shop) {
            result.append(tokens.dropLast() + [String(end.dropLast(shop.count))])
        }
        return result
    }

    /// The word for a kind, in the first of the languages ("de-AT", "en") that has one.
    func word(for kind: String, languages: [String]) -> String? {
        guard let number = kinds.number(of: kind) else { return nil }
        return languages.lazy.compactMap { first.content(of: "\(number) \($0.lowercased().prefix { $0 != "-" })") }
            .first
    }
}

/// The kinds of an atlas by the numbers that its words know them by.
struct KindNumbers: Sendable {
    private let names: [String]
    private let numbers: [String: Int]

    init(database: Database) throws {
        names = (try GazetteerText.setting("lexicon.kinds", database) ?? "").split(separator: " ").map(String.init)
        numbers = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    }

    func number(of name: String) -> Int? { numbers[name] }

    func name(_ number: some StringProtocol) -> String? {
        guard let number = Int(number), names.indices.contains(number) else { return nil }
        return names[number]
    }

    /// The names for a list of numbers.
    func names(_ list: String) -> [String] { list.split(separator: " ").compactMap { name($0) } }
}

/// The product's words for kinds of places: `lexicons/kinds/LANGUAGE.tsv`, made ready for atlases.
struct KindWords: Sendable {
    /// The languages that have a file, the commonest among the world's maps first.
    static let languages = [
        "en", "de", "fr", "es", "it", "pt", "nl", "fi", "sv", "ru", "pl", "uk", "ja", "zh", "ar",
    ]

    /// The words of one kind in one language.
    struct Line: Sendable, Equatable {
        var language: String
        var kind: String
        /// Singular, plural, others.
        var words: [String]
        /// Words that are meant to stand for another kind as well; all are then searched.
        var shared: Set<String> = []
    }

    let keys: [UInt8]
    let stems: [UInt8]
    let phrases: [UInt8]
    let first: [UInt8]
    /// The kinds' names between spaces.
    let names: String
    /// The greatest number of tokens in one phrase.
    let longest: Int

    private static let known = Mutex<KindWords?>(nil)

    /// Made once in a process. Throws where the files cannot be found or read.
    static var shared: KindWords {
        get throws {
            try known.withLock { known in
                if let known { return known }
                let normalizer = try TextNormalizer.shared
                let made = KindWords(try languages.flatMap { try lines(of: $0) }, normalizer: normalizer)
                known = made
                return made
            }
        }
    }

    /// The lines of a language's file; none where it has no file.
    static func lines(of language: String) throws -> [Line] {
        let file = "kinds/\(language).tsv"
        guard let text = try? GazetteerText.resource("lexicons/" + file) else { return [] }
        return try lines(text, language: language, file: file)
    }

    /// Reads lines of `name TAB words, parted by commas`; a `*` after a word says that it stands for other kinds too.
    /// Throws `LexiconError` for a line that is none.
    static func lines(_ text: String, language: String, file: String) throws -> [Line] {
        var result: [Line] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 2 else {
                throw LexiconError(file: file, line: index + 1, reason: "needs two columns, has \(columns.count)")
            }
            var made = Line(language: language, kind: String(columns[0]), words: [])
            for written in columns[1].split(separator: ",", omittingEmptySubsequences: false) {
                let word = String(written.last == "*" ? written.dropLast() : written)
                guard let first = word.first, first != " ", word.last != " " else {
                    throw LexiconError(
                        file: file, line: index + 1, reason: "has an empty word, or a space beside a comma")
                }
                made.words.append(word)
                if written.last == "*" { made.shared.insert(word) }
            }
            result.append(made)
        }
        return result
    }

    init(_ lines: [Line], normalizer: TextNormalizer) {
        var keys: [String: [String]] = [:]
        var stems: [String: [String]] = [:]
        var numbers: [String: Int] = [:]
        for line in lines where numbers[line.kind] == nil { numbers[line.kind] = numbers.count }
        var longest = 1
        func add(_ phrase: String, _ line: Line) {
            let tokens = CategoryLexicon.key(normalizer.read(phrase))
            guard !tokens.isEmpty else { return }
            longest = max(longest, tokens.count)
            let key = tokens.joined(separator: " ")
            let kind = String(numbers[line.kind] ?? 0)
            if keys[key]?.contains(kind) != true { keys[key, default: []].append(kind) }
            for stem in CategoryLexicon.stems(of: tokens, language: line.language)
            where stems[stem]?.contains(kind) != true {
                stems[stem, default: []].append(kind)
            }
        }
        var phrases: [(key: String, content: String)] = []
        var first: [(key: String, content: String)] = []
        for line in lines {
            for (position, phrase) in line.words.enumerated() {
                add(phrase, line)
                let folded = TextFold.words(phrase).map(\.text).joined(separator: " ")
                guard !folded.isEmpty else { continue }
                let shown = Self.shown(phrase)
                phrases.append(
                    (
                        folded,
                        "\(line.language) \(position) \(numbers[line.kind] ?? 0)"
                            + (shown == Self.shown(folded) ? "" : " " + shown)
                    ))
            }
            if let word = line.words.first { first.append(("\(numbers[line.kind] ?? 0) \(line.language)", word)) }
        }
        self.keys = SortedLines.bytes(of: keys.map { ($0.key, $0.value.joined(separator: " ")) })
        self.stems = SortedLines.bytes(of: stems.map { ($0.key, $0.value.joined(separator: " ")) })
        self.phrases = SortedLines.bytes(of: phrases)
        self.first = SortedLines.bytes(of: first)
        names = numbers.sorted { $0.value < $1.value }.map(\.key).joined(separator: " ")
        self.longest = longest
    }

    /// With a capital, as a list shows it.
    static func shown(_ phrase: some StringProtocol) -> String { phrase.prefix(1).uppercased() + phrase.dropFirst() }
}

/// The words for a shop in each language (`lexicons/kinds/shops.tsv`), as stems, and the kinds that are shops.
struct ShopWords: Sendable {
    let byLanguage: [(language: String, stems: Set<String>)]
    let kinds: Set<String>

    /// Empty where the file cannot be found or read.
    static let shared: ShopWords = {
        let text = (try? GazetteerText.resource("lexicons/kinds/shops.tsv")) ?? ""
        return ShopWords(text, normalizer: try? TextNormalizer.shared)
    }()

    /// Lines of `language TAB words, parted by commas`.
    init(_ text: String, normalizer: TextNormalizer?) {
        var byLanguage: [(language: String, stems: Set<String>)] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t").map(String.init)
            guard columns.count == 2, let normalizer else { continue }
            let words = columns[1].split(separator: ",").compactMap { word -> String? in
                let tokens = normalizer.tokens(String(word))
                return tokens.count == 1 ? WordStem.of(tokens[0], language: columns[0]) : nil
            }
            byLanguage.append((columns[0], Set(words)))
        }
        self.byLanguage = byLanguage
        kinds = Set(
            PlaceKinds.shared.all.filter { kind in
                kind.tags.alternatives.contains { terms in terms.contains { $0.key == "shop" } }
            }.map(\.name))
    }
}

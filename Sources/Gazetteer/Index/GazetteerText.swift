import CICU
import Foundation
import GazetteerData
import Locking

/// The lexicons of one atlas and small tables that queries by text ask again and again.
final class GazetteerText: Sendable {
    let normalizer: TextNormalizer
    let categories: CategoryLexicon
    let regions: RegionLexicon

    private let contexts = Mutex<[Int64: [Int64]]>([:])
    private let words = Mutex<Vocabulary?>(nil)
    private let kindPhrases = Mutex<CategoryPhrases?>(nil)

    /// Reads the atlas's own copies. Throws for an atlas whose text was normalised by another version or another ICU.
    init(database: Database, path: String) throws {
        try Self.checkVersion(database, path: path)
        let lexicons = Lexicons.shared(
            words: try Self.setting("lexicon.words", database) ?? "",
            regions: try Self.setting("lexicon.regions", database) ?? "")
        normalizer = lexicons.normalizer
        categories = try CategoryLexicon(database: database)
        regions = lexicons.regions
    }

    /// Throws where names were normalised otherwise than this program normalises queries.
    static func checkVersion(_ database: Database, path: String) throws {
        let version = try setting("text.version", database)
        let icu = try setting("icu.version", database)
        if version != String(TextNormalizer.version) || icu != Transliteration.version {
            throw DatabaseError(
                code: 1,
                message:
                    "old format: its names were normalised by version \(version ?? "none") with ICU \(icu ?? "none"), "
                    + "this program uses version \(TextNormalizer.version) with ICU \(Transliteration.version); import again",
                subject: path)
        }
    }

    static func setting(_ name: String, _ database: Database) throws -> String? {
        let statement = try database.prepare("SELECT value FROM setting WHERE name = ?1")
        statement.bind(1, name)
        return try statement.step() ? statement.text(0) : nil
    }

    static func resource(_ path: String) throws -> String {
        try String(contentsOf: GazetteerData.url(path), encoding: .utf8)
    }

    /// The words for kinds as they are written; read once, when first asked for.
    func phrases(_ database: Database) throws -> CategoryPhrases {
        try kindPhrases.withLock { known in
            if let known { return known }
            let read = try CategoryPhrases(database: database)
            known = read
            return read
        }
    }

    /// Reads the words of a search.
    func reader(_ words: String, _ database: Database) throws -> QueryReader {
        QueryReader(
            words, normalizer: normalizer, categories: categories, phrases: try .shared,
            called: try phrases(database))
    }

    /// The words of the atlas's names; read once, when first asked for. Throws for one that is damaged or missing.
    func vocabulary(_ database: Database) throws -> Vocabulary {
        try words.withLock { known in
            if let known { return known }
            let statement = try database.prepare("SELECT words FROM vocabulary WHERE id = 1")
            let bytes = try statement.step() ? statement.withBlob(0) { [UInt8]($0) } : []
            let read = try Vocabulary(bytes: bytes)
            known = read
            return read
        }
    }

    /// The places of a context, finest first.
    func places(ofContext context: Int64, _ database: Database) throws -> [Int64] {
        if let known = contexts.withLock({ $0[context] }) {
            database.chargeKnownRow()
            return known
        }
        let statement = try database.statement("SELECT places FROM context WHERE id = ?1")
        statement.bind(1, context)
        defer { statement.reset() }
        let places = try statement.step() ? Self.identifiers(inList: statement.text(0) ?? "") : []
        contexts.withLock {
            if $0.count > 50_000 { $0.removeAll() }
            $0[context] = places
        }
        return places
    }

    /// The numbers of a JSON list such as `[12,7]`.
    static func identifiers(inList list: String) -> [Int64] {
        list.split { !$0.isNumber && $0 != "-" }.compactMap { Int64($0) }
    }
}

/// Lexicons read from their texts, shared by the atlases that have the same.
private final class Lexicons: Sendable {
    let texts: [String]
    let normalizer: TextNormalizer
    let regions: RegionLexicon

    private static let known = Mutex<[Lexicons]>([])

    private init(_ texts: [String]) {
        self.texts = texts
        normalizer = TextNormalizer(lexicon: texts[0])
        regions = RegionLexicon(text: texts[1], normalizer: normalizer)
    }

    static func shared(words: String, regions: String) -> Lexicons {
        let texts = [words, regions]
        return known.withLock { list in
            if let found = list.first(where: { $0.texts == texts }) { return found }
            let made = Lexicons(texts)
            if list.count >= 4 { list.removeFirst() }
            list.append(made)
            return made
        }
    }
}

/// Names and codes of countries and of their states, which people write after a town.
struct RegionLexicon: Sendable {
    struct Region: Sendable, Equatable {
        /// The country's code, small letters.
        var country: String
        /// The state's code where it is a state.
        var state: String?
        /// Whether the word is a code of two or three letters and not a name.
        var isCode: Bool
        /// The code in folded letters, to be compared with what was written; empty for names.
        var written: String
    }

    private let byKey: [String: [Region]]
    /// The first names of each country, as keys, to find it by.
    private let names: [String: [String]]
    /// The greatest number of tokens in one name.
    let longest: Int

    /// Lines of `country TAB state or nothing TAB codes TAB names`, lists separated by commas; `#` begins a comment.
    init(text: String, normalizer: TextNormalizer) {
        var byKey: [String: [Region]] = [:]
        var names: [String: [String]] = [:]
        var longest = 1
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 4 else { continue }
            for (column, isCode) in [(2, true), (3, false)] {
                for word in columns[column].split(separator: ",") {
                    // "USA" among the names is a code as well.
                    let isCode =
                        isCode
                        || word.utf8.count <= 4 && word.utf8.allSatisfy { (0x41...0x5a).contains($0) || $0 == 0x2e }
                    let tokens = normalizer.tokens(String(word))
                    guard !tokens.isEmpty else { continue }
                    longest = max(longest, tokens.count)
                    let region = Region(
                        country: columns[0], state: columns[1].isEmpty ? nil : columns[1], isCode: isCode,
                        written: isCode ? TextFold.words(String(word)).map(\.text).joined() : "")
                    let key = tokens.joined(separator: " ")
                    if byKey[key]?.contains(region) != true { byKey[key, default: []].append(region) }
                    if columns[1].isEmpty, !isCode, (names[columns[0]] ?? []).count < 4 {
                        names[columns[0], default: []].append(key)
                    }
                }
            }
        }
        self.byKey = byKey
        self.names = names
        self.longest = min(longest, 6)
    }

    subscript(key: String) -> [Region] { byKey[key] ?? [] }

    /// At most four names of a country, as keys of tokens.
    func names(ofCountry country: String) -> [String] { names[country] ?? [] }

    /// The country of a code of two or three letters (ISO 3166-1, and those that people write besides: UK); nil for what
    /// is none.
    func country(code text: String) -> String? {
        let words = TextFold.words(text)
        guard let code = words.first?.text, words.count == 1, (2...3).contains(code.utf8.count) else { return nil }
        if names[code] != nil { return code }
        for region in byKey[code] ?? [] where region.isCode && region.state == nil && region.written == code {
            return region.country
        }
        guard code.utf8.count == 3 else { return nil }
        return names.keys.first { country in
            String(cString: sx_country_alpha3("und_\(country.uppercased())")).lowercased() == code
        }
    }
}

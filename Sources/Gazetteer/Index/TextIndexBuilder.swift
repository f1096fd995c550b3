import Foundation
import Geometry
import OpenStreetMap

/// Builds what queries by text need, once all features are in: the names in canonical tokens with their full-text
/// index, the words of addresses that are no feature, and copies of the lexicons.
///
///     name       one row for each name of a feature, most important features first, so that reading the first rows of a
///                common word gives the best-known bearers; tokens are parted by spaces and marked by their role:
///                `~` an article, `!` a street type, `^` a side of the compass
///     name_text  FTS5 over the names, contentless; rowid = name.id. Beside the tokens of the name a document holds
///                `=a_b` where the name has none but common words, and `@word` for the words of the places around it
///                and its postcode in one piece
///     written    words of `addr:city`, `addr:suburb` ... of a street or a place of interest
///     vocabulary one row: the words of all names as they are written, for typing errors and completion (`Vocabulary`)
///
/// House numbers are in none of them: `address_number` finds those.
public enum TextIndexBuilder {
    static let tables = """
        DROP TABLE IF EXISTS name;
        DROP TABLE IF EXISTS name_text;
        DROP TABLE IF EXISTS written;
        DROP TABLE IF EXISTS vocabulary;
        CREATE TABLE name(id INTEGER PRIMARY KEY, feature INTEGER NOT NULL, sort INTEGER NOT NULL, tokens TEXT NOT NULL);
        CREATE VIRTUAL TABLE name_text USING fts5(
          tokens, content='', detail=none, columnsize=0, tokenize="unicode61 remove_diacritics 0 tokenchars '@=_'");
        CREATE TABLE written(feature INTEGER PRIMARY KEY, tokens TEXT NOT NULL);
        CREATE TABLE vocabulary(id INTEGER PRIMARY KEY, words BLOB NOT NULL);
        """

    /// How a name stands to its feature; the raw value is stored as `name.sort`.
    enum Sort: Int {
        case name = 1
        /// Alternative, old, short names, codes.
        case other = 2
        /// Brand and operator.
        case business = 3
    }

    /// Reads all features and fills the tables. Call it inside or outside of a transaction, after the last feature.
    ///
    /// - Parameter spelled: spellings of a street in its addresses, by the street's feature: they lead to it as well
    ///   ("Wieslegasse" for the sign's "Wieselegasse").
    public static func build(database: Database, spelled: [Int64: [String]] = [:]) throws {
        let words = try GazetteerText.resource("lexicons/words.tsv")
        let regionText = try GazetteerText.resource("lexicons/regions.tsv")
        let normalizer = TextNormalizer(lexicon: words)
        let kindWords = try KindWords.shared

        try database.execute(tables)
        let setting = try database.prepare("INSERT OR REPLACE INTO setting(name, value) VALUES(?1, ?2)")
        for (name, value) in [
            ("text.version", String(TextNormalizer.version)), ("icu.version", Transliteration.version),
            ("lexicon.words", words), ("lexicon.regions", regionText),
            ("lexicon.kinds", kindWords.names), ("lexicon.longest", String(kindWords.longest)),
        ] {
            setting.bind(1, name)
            setting.bind(2, value)
            try setting.run()
        }
        for (name, bytes) in [
            ("lexicon.keys", kindWords.keys), ("lexicon.stems", kindWords.stems),
            ("lexicon.phrases", kindWords.phrases), ("lexicon.titles", kindWords.first),
        ] {
            setting.bind(1, name)
            setting.bind(2, blob: bytes)
            try setting.run()
        }

        let contexts = try contextWords(database, normalizer: normalizer)
        var alsoIn: [Int64: [String]] = [:]
        let places = try database.prepare("SELECT feature, name FROM also_in")
        while try places.step() { if let name = places.text(1) { alsoIn[places.int64(0), default: []].append(name) } }
        let insertName = try database.prepare("INSERT INTO name(id, feature, sort, tokens) VALUES(?1, ?2, ?3, ?4)")
        let insertText = try database.prepare("INSERT INTO name_text(rowid, tokens) VALUES(?1, ?2)")
        let insertWritten = try database.prepare("INSERT OR REPLACE INTO written(feature, tokens) VALUES(?1, ?2)")
        let columns = "SELECT id, kind, name, postcode, context, tags, importance, geometry, country FROM feature"
        // Addresses without a name are most of all features and have no order to be sorted into.
        let passes = [
            """
            \(columns) WHERE kind <> 18 AND (kind <> 9 OR name IS NOT NULL)
            ORDER BY CASE WHEN kind <= 6 THEN 0 WHEN kind = 8 THEN 1 ELSE 2 END, importance DESC, id
            """, "\(columns) WHERE kind = 9 AND name IS NULL ORDER BY id",
        ]
        let completion = try CompletionIndex.Writer(database)
        // One large piece in memory instead of many small ones on disk that are merged again and again.
        try database.execute("INSERT INTO name_text(name_text, rank) VALUES('hashsize', \(64 << 20))")
        // Reading words is most of the work and needs no database: while one batch of features is written, the next is
        // read on all cores.
        let (also, spellingsOf) = (alsoIn, spelled)
        var row = 0
        var vocabulary = VocabularyBuilder()
        var batch: [Row] = []
        var pending: ReadBatch?
        func read() -> ReadBatch {
            let next = ReadBatch(batch) { rows in
                entries(for: rows, normalizer, contexts, also, spellingsOf)
            }
            batch = []
            return next
        }
        func write(_ read: ReadBatch?) throws {
            guard let read else { return }
            for (source, entry) in zip(read.rows, read.entries()) {
                for name in entry.names {
                    row += 1
                    insertName.bind(1, row)
                    insertName.bind(2, source.id)
                    insertName.bind(3, name.sort.rawValue)
                    insertName.bind(4, name.tokens)
                    try insertName.run()
                    insertText.bind(1, row)
                    insertText.bind(2, name.document)
                    try insertText.run()
                    try completion.add(
                        row, feature: source.id, kind: source.kind, sort: name.sort, importance: source.importance,
                        location: source.location, context: source.context, words: name.typed, places: entry.around)
                }
                vocabulary.add(entry.words)
                for token in entry.lexiconTokens { vocabulary.add(lexiconToken: token) }
                if !entry.written.isEmpty, !entry.names.isEmpty {
                    insertWritten.bind(1, source.id)
                    insertWritten.bind(2, entry.written)
                    try insertWritten.run()
                }
            }
        }
        for pass in passes {
            let features = try database.prepare(pass)
            while try features.step() {
                guard let kind = FeatureKind(rawValue: features.int(1)), let tags = features.withText(5, { Array($0) })
                else { continue }
                batch.append(
                    Row(
                        id: features.int64(0), kind: kind, name: features.text(2), postcode: features.text(3),
                        context: features.isNull(4) ? nil : features.int64(4), tags: tags, country: features.text(8),
                        importance: features.double(6),
                        location: features.withBlob(7, SpatialBlob.decodePoint) ?? Coordinate(latitude: 0, longitude: 0)
                    ))
                if batch.count == 8192 {
                    let next = read()
                    try write(pending)
                    pending = next
                }
            }
        }
        let last = read()
        try write(pending)
        try write(last)
        let insertVocabulary = try database.prepare("INSERT INTO vocabulary(id, words) VALUES(1, ?1)")
        insertVocabulary.bind(1, blob: vocabulary.finish(normalizer))
        try insertVocabulary.run()
        try completion.finish()
        try database.execute("INSERT INTO name_text(name_text) VALUES('optimize')")
        try database.execute("INSERT INTO name_text(name_text, rank) VALUES('hashsize', \(1 << 20))")
    }

    /// Features whose words are being read on other threads.
    private final class ReadBatch: @unchecked Sendable {
        let rows: [Row]
        private let group = DispatchGroup()
        private var result: [Entry] = []

        init(_ rows: [Row], _ read: @escaping @Sendable ([Row]) -> [Entry]) {
            self.rows = rows
            DispatchQueue.global().async(group: group) { self.result = read(rows) }
        }

        /// Waits for the reading to end.
        func entries() -> [Entry] {
            group.wait()
            return result
        }
    }

    /// A feature as far as its words are concerned; the tags as JSON.
    private struct Row: Sendable {
        var id: Int64
        var kind: FeatureKind
        var name: String?
        var postcode: String?
        var context: Int64?
        var tags: [UInt8]
        var country: String?
        var importance: Double
        var location: Coordinate
    }

    /// What is written for a feature.
    private struct Entry: Sendable {
        var names: [(sort: Sort, tokens: String, document: String, typed: CompletionIndex.Words)] = []
        var written = ""
        /// ` @word` for the words of the places around.
        var around = ""
        var words: Set<TextNormalizer.Spelling> = []
        var lexiconTokens: Set<String> = []
    }

    /// The entries of some features, in their order, made on all cores.
    private static func entries(
        for rows: [Row], _ normalizer: TextNormalizer, _ contexts: [Int64: String],
        _ alsoIn: [Int64: [String]], _ spelled: [Int64: [String]]
    ) -> [Entry] {
        let share = 256
        return [Entry](unsafeUninitializedCapacity: rows.count) { buffer, count in
            nonisolated(unsafe) let buffer = buffer
            DispatchQueue.concurrentPerform(iterations: (rows.count + share - 1) / share) { part in
                for index in part * share..<min((part + 1) * share, rows.count) {
                    let row = rows[index]
                    buffer.initializeElement(
                        at: index,
                        to: entry(
                            for: row, normalizer, around: row.context.flatMap { contexts[$0] },
                            also: alsoIn[row.id] ?? [], spelled: spelled[row.id] ?? []))
                }
            }
            count = rows.count
        }
    }

    private static func entry(
        for row: Row, _ normalizer: TextNormalizer, around: String?, also: [String],
        spelled: [String]
    ) -> Entry {
        var entry = Entry()
        guard let tags = row.tags.withUnsafeBytes({ TagsJSON.decode($0) }) else { return entry }
        if row.kind == .interpolation || row.kind == .timeZone { return entry }
        let isPlace = row.kind.rawValue <= FeatureKind.suburb.rawValue
        var names = self.names(of: tags, default: row.name, isPlace: isPlace)
        if row.kind == .postcode, let code = row.postcode ?? tags["postal_code"] ?? row.name {
            names = postcodeForms(code, country: row.country).map { ($0, .name) }
        }
        names += spelled.map { ($0, .other) }
        names += names.flatMap { name in
            Romanization.spellings(of: name.0, country: row.country).map { ($0, name.1 == .name ? .other : name.1) }
        }
        var seen: Set<String> = []
        for (text, sort) in names {
            let words = normalizer.written(text)
            let tokens = normalizer.read(words)
            guard !tokens.isEmpty, tokens.count <= 24 else { continue }
            let marked = tokens.map { mark($0) }.joined(separator: " ")
            guard seen.insert(marked).inserted else { continue }
            var document = tokens.map(\.text).joined(separator: " ")
            if tokens.allSatisfy({ $0.isCommon }) { document += " =" + tokens.map(\.text).joined(separator: "_") }
            if row.kind.rawValue > FeatureKind.suburb.rawValue {
                if let around { document += around }
                if row.kind != .postcode, let code = row.postcode {
                    document += " @" + TextFold.words(code).map(\.text).joined()
                }
            }
            var typed = CompletionIndex.Words(text, words, tokens: tokens.map(\.text))
            typed.isTranslated = sort == .name && row.name.map { !$0.contains(text) } ?? false
            entry.names.append((sort, marked, document, typed))
            entry.words.formUnion(normalizer.spellings(of: words))
            for token in tokens where normalizer.roles[token.text] != nil { entry.lexiconTokens.insert(token.text) }
        }
        entry.written = writtenWords(tags, kind: row.kind, also: also, normalizer: normalizer)
        if row.kind.rawValue > FeatureKind.municipality.rawValue { entry.around = around ?? "" }
        if !entry.names.isEmpty {
            let own = wordsOfAddress(tags, row, also: also)
            for index in entry.names.indices { entry.names[index].typed.around = own }
        }
        return entry
    }

    /// A token with the mark of its role, as `name.tokens` holds it.
    static func mark(_ token: TextNormalizer.Token) -> String {
        if token.role.contains(.light) { return "~" + token.text }
        if token.role.contains(.street) { return "!" + token.text }
        if token.role.contains(.direction) { return "^" + token.text }
        return token.text
    }

    /// The names by which a feature may be called, each once: of all languages, split at semicolons, also without what
    /// stands in brackets, and each half of a bilingual name.
    static func names(of tags: Tags, default name: String?, isPlace: Bool = false) -> [(String, Sort)] {
        var result: [(String, Sort)] = []
        func add(_ text: String, _ sort: Sort) {
            let isTrimmed =
                text.unicodeScalars.first?.properties.isWhitespace == false
                && text.unicodeScalars.last?.properties.isWhitespace == false
            let text = isTrimmed ? text : text.trimmingCharacters(in: .whitespaces)
            if !text.isEmpty, result.count < 400 { result.append((text, sort)) }
        }
        func take(_ value: String, _ sort: Sort) {
            for part in value.utf8.split(separator: UInt8(ascii: ";")) {
                let text = String(Substring(part))
                add(text, sort)
                // Most names have neither brackets nor halves.
                guard part.contains(where: { $0 == 0x28 || $0 == 0x2F || $0 == 0x2D }) else { continue }
                if let open = text.firstIndex(of: "("), open > text.startIndex {
                    let close = text[open...].firstIndex(of: ")").map { text.index(after: $0) } ?? text.endIndex
                    // A namesake without brackets comes before it, but for towns: "Halle" is "Halle (Saale)".
                    add(String(text[..<open]) + String(text[close...]), sort == .name && !isPlace ? .other : sort)
                }
                let halves =
                    text.contains(" - ") ? text.components(separatedBy: " - ") : text.components(separatedBy: "/")
                if halves.count > 1, halves.count <= 4,
                    halves.allSatisfy({ $0.count > 3 && !$0.contains(where: \.isNumber) })
                {
                    for half in halves { add(half, sort) }
                }
            }
        }
        if let name { take(name, .name) }
        for pair in tags.pairs where Names.isNameKey(pair.key) {
            let key = pair.key
            switch key {
            case "name": if pair.value != name { take(pair.value, .name) }
            case "brand", "operator": take(pair.value, .business)
            case "ref", "iata", "icao", "short_name", "old_name", "alt_name", "loc_name": take(pair.value, .other)
            default: take(pair.value, key.hasPrefix("name:") ? .name : .other)
            }
        }
        return result
    }

    /// A postcode as written, in one piece, and without the country's letters before it.
    static func postcodeForms(_ code: String, country: String?) -> [String] {
        var forms = [code]
        let compact = String(code.filter { $0.isLetter || $0.isNumber })
        if compact != code { forms.append(compact) }
        if let country, compact.lowercased().hasPrefix(country), compact.count > country.count + 2 {
            forms.append(String(compact.dropFirst(country.count)))
        }
        return forms
    }

    private static let writtenKeys: Set<String> = [
        "addr:city", "addr:suburb", "addr:place", "addr:district", "addr:municipality", "addr:hamlet", "addr:village",
        "addr:county", "addr:state", "addr:province", "addr:quarter", "addr:neighbourhood", "addr:subdistrict", "is_in",
        "is_in:city",
    ]

    /// The address words of a feature's own tags, one phrase after another parted by `|`.
    static func writtenWords(_ tags: Tags, kind: FeatureKind, also: [String] = [], normalizer: TextNormalizer) -> String
    {
        var phrases: [String] = []
        let own = tags.pairs.filter {
            writtenKeys.contains($0.key) || ($0.key == "addr:street" && kind != .street)
        }.map(\.value)
        for text in own + also.prefix(50) {
            let phrase = normalizer.read(text).map { mark($0) }.joined(separator: " ")
            if !phrase.isEmpty, !phrases.contains(phrase) { phrases.append(phrase) }
        }
        return phrases.joined(separator: "|")
    }

    /// The postcode and the words of the places that the tags name, for completion.
    private static func wordsOfAddress(_ tags: Tags, _ row: Row, also: [String]) -> [String] {
        var words: [String] = []
        func add(_ text: String?) {
            guard let text else { return }
            for word in TextFold.words(text) where !words.contains(word.text) && words.count < 16 {
                words.append(word.text)
            }
        }
        if row.kind != .postcode { add(row.postcode) }
        add(tags["addr:city"])
        if row.kind != .street { add(tags["addr:street"] ?? tags["addr:place"]) }
        for name in also.prefix(4) { add(name) }
        return words
    }

    /// `@word` for the words of the towns and suburbs of each context, for planning only.
    private static func contextWords(_ database: Database, normalizer: TextNormalizer) throws -> [Int64: String] {
        // Nobody needs them where there are only places, as in the World.
        let finer = try database.prepare(
            "SELECT EXISTS(SELECT 1 FROM feature WHERE kind > 6 AND kind NOT IN (16, 17, 18))")
        guard try finer.step(), finer.int(0) == 1 else { return [:] }
        var placeWords: [Int64: Set<String>] = [:]
        let places = try database.prepare("SELECT id, name, tags FROM feature WHERE kind BETWEEN 3 AND 6")
        let languages = ["name:en", "name:de", "name:fr", "name:it", "name:fi", "name:sv", "name:ru", "alt_name"]
        while try places.step() {
            var words: Set<String> = []
            if let name = places.text(1) { words.formUnion(normalizer.tokens(name)) }
            if let tags = places.withText(2, TagsJSON.decode) {
                for key in languages { if let name = tags[key] { words.formUnion(normalizer.tokens(name)) } }
            }
            placeWords[places.int64(0)] = words
        }
        var result: [Int64: String] = [:]
        let contexts = try database.prepare("SELECT id, places FROM context")
        while try contexts.step() {
            guard let list = contexts.text(1) else { continue }
            var words: Set<String> = []
            for id in GazetteerText.identifiers(inList: list) { words.formUnion(placeWords[id] ?? []) }
            result[contexts.int64(0)] = words.sorted().map { " @" + $0 }.joined()
        }
        return result
    }
}

extension TextNormalizer.Token {
    /// Whether the word is too common to look names up by: a street type, an article, a side of the compass.
    var isCommon: Bool { !role.isDisjoint(with: [.street, .light, .direction]) }
}

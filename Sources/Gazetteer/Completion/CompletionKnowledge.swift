import Locking
import OpenStreetMap

/// What completion keeps in memory of one atlas.
final class CompletionKnowledge: Sendable {
    let lexicon: LexiconBeginnings
    /// Countries are known by their names in these languages.
    private static let languages = ["en", "de", "fr", "ru", "fi"]
    let categories: CategoryPhrases
    /// The last numbers of the names of places, of streets, and of all.
    let bands: [Int]

    private let words = Mutex<[Int64: [[UInt8]]]>([:])

    init(_ text: GazetteerText, _ database: Database) throws {
        lexicon = LexiconBeginnings(lexicon: text.normalizer.lexicon)
        categories = try CategoryPhrases(database: database)
        let ends = (try GazetteerText.setting("completion.bands", database) ?? "").split(separator: " ").map { Int($0) }
        guard ends.count == 2, let places = ends[0], let streets = ends[1] else {
            throw DatabaseError(
                code: 1, message: "old format: no index for completion; import again", subject: "setting")
        }
        // SQLite's numbers of rows that an atlas can hold; more would be no number of a name.
        guard 0 <= places, places <= streets, streets < 1 << 40 else {
            // SQLITE_CORRUPT
            let message = "the index for completion has impossible bounds"
            throw DatabaseError(code: 11, message: message, subject: "setting")
        }
        bands = [places, streets, 1 << 41]
    }

    /// The numbers of the names of one band.
    func rows(of band: CompletionBand) -> ClosedRange<Int>? {
        let first = band.rawValue == 0 ? 1 : bands[band.rawValue - 1] + 1
        return first <= bands[band.rawValue] ? first...bands[band.rawValue] : nil
    }

    /// The words of the names of the places around, sorted.
    func words(ofContext context: Int64, _ gazetteer: Gazetteer, _ text: GazetteerText) throws -> [[UInt8]] {
        if let known = words.withLock({ $0[context] }) { return known }
        var found: Set<[UInt8]> = []
        for place in try gazetteer.places(ofContext: context) {
            var names: [String] = place.tags.pairs.prefix(200).filter { Names.isNameKey($0.key) }.map(\.value)
            if let code = place.postcode { names.append(code) }
            if place.rank == 4, let country = place.country {
                names += Self.languages.compactMap { CountryNames.localized(country, language: $0) }
            }
            for name in names.prefix(60) {
                let folded = text.normalizer.written(name)
                for word in folded { found.insert(Array(word.text.utf8)) }
                for token in text.normalizer.read(folded) { found.insert(Array(token.text.utf8)) }
            }
        }
        let sorted = found.sorted { $0.lexicographicallyPrecedes($1) }
        words.withLock {
            if $0.count >= 20_000 { $0.removeAll() }
            $0[context] = sorted
        }
        return sorted
    }
}

extension [[UInt8]] {
    /// The first of these sorted words that begins so; nil for none.
    func firstWord(beginning start: [UInt8]) -> [UInt8]? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].lexicographicallyPrecedes(start) { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].starts(with: start) ? self[low] : nil
    }
}

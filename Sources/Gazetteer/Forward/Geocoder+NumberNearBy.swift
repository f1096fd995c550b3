import Geometry

/// A text that is nothing but a house number means the nearest house of that number.
extension Geocoder {
    /// Windows around the position, in metres, and the rows read in each.
    private static let numberWindows = [200.0, 1_000, 4_000]
    private static let rowsOfNumbers = 8_000

    /// The key of the number, where the text says nothing else.
    private var onlyNumber: String? {
        guard query.fields == nil, reading.total > 0 else { return nil }
        return reading.numbers.first { reading.significant & ~$0.mask == 0 }?.key
    }

    /// The houses of the asked number around the position that the query prefers, nearest first; empty where the text is no
    /// bare number or there is no position.
    func housesNearBy() throws -> [GeocodeMatch] {
        guard let near = query.near, near.isValid, let key = onlyNumber else { return [] }
        let plane = LocalPlane(origin: near)
        for reach in Self.numberWindows where !isSpent {
            var found: [(feature: Int64, distance: Double)] = []
            for window in plane.window(reach).withTurns {
                let statement = try database.statement(
                    """
                    SELECT f.id, f.housenumber, f.geometry FROM idx_feature_geometry i JOIN feature f ON f.id = i.pkid
                    WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3 AND f.kind = ?5
                    LIMIT \(Self.rowsOfNumbers)
                    """)
                statement.bind(1, window.west)
                statement.bind(2, window.east)
                statement.bind(3, window.south)
                statement.bind(4, window.north)
                statement.bind(5, FeatureKind.address.rawValue)
                defer { statement.reset() }
                while try statement.step() {
                    // Most are other numbers at the first glance.
                    let mayBe = statement.withText(1) { Self.mayHold($0, key) } ?? false
                    guard mayBe, let number = statement.text(1), HouseNumber.keys(number).contains(key),
                        let point = statement.withBlob(2, SpatialBlob.decodePoint)
                    else { continue }
                    let distance = near.distance(to: point)
                    if distance <= reach { found.append((statement.int64(0), distance)) }
                }
            }
            found.sort { ($0.distance, $0.feature) < ($1.distance, $1.feature) }
            let limit = min(max(query.limit, 1), 1000)
            var matches: [GeocodeMatch] = []
            for entry in found where matches.count < limit {
                guard let feature = try Feature.load(entry.feature, database), passesFilters(feature) else { continue }
                matches.append(
                    GeocodeMatch(
                        feature: feature, location: feature.location,
                        quality: MatchQuality(
                            score: 1, precision: .house, matched: reading.words(reading.significant), unmatched: [])))
            }
            if !matches.isEmpty { return matches }
        }
        return []
    }

    /// Whether a written number may be, or as a list or a range hold, the one of the key.
    private static func mayHold(_ number: UnsafeRawBufferPointer, _ key: String) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
        guard let first = number.first, isDigit(first), number.allSatisfy({ isDigit($0) || $0 | 0x20 >= 0x61 }) else {
            return true
        }
        return number.prefix(while: isDigit).elementsEqual(key.utf8.prefix(while: isDigit))
    }

    private func passesFilters(_ feature: Feature) -> Bool {
        if let kinds = query.kinds, !kinds.contains(feature.kind) { return false }
        if !query.countries.isEmpty, !query.countries.contains(feature.country ?? "") { return false }
        if query.isBounded, let box = query.viewbox, !box.contains(feature.location) { return false }
        return true
    }
}

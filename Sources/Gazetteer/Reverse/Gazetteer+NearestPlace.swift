import Geometry

extension Gazetteer {
    /// The town or village that a point most likely belongs to, where places are known by their points alone, as in a
    /// table of towns.
    ///
    /// A place reaches as far as its people need room, from 3 km for a village to some 40 km for the largest cities; of the
    /// places whose reach holds the point, the one wins whose reach is used least. Nil where none reaches so far. Cost: one
    /// look into the R*Tree, some dozens of rows.
    public func nearestPlace(to point: Coordinate, country: String? = nil) throws -> (
        feature: Feature, distance: Double
    )? {
        guard point.isValid else { return nil }
        let window = LocalPlane(origin: point).window(Self.widestPlaceReach)
        let best: (id: Int64, use: Double)? = try withDatabase { database in
            let statement = try database.statement(
                """
                SELECT f.id, f.population, f.country, i.xmin, i.ymin
                FROM idx_feature_geometry i JOIN feature f ON f.id = i.pkid
                WHERE i.xmin <= ?3 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?2 AND f.kind = ?5
                """)
            defer { statement.reset() }
            statement.bind(1, window.west)
            statement.bind(2, window.south)
            statement.bind(3, window.east)
            statement.bind(4, window.north)
            statement.bind(5, FeatureKind.place.rawValue)
            var best: (id: Int64, use: Double)?
            while try statement.step() {
                if let country, let other = statement.text(2), other != country { continue }
                let spot = Coordinate(latitude: statement.double(4), longitude: statement.double(3))
                let people = Double(max(statement.int(1), 0))
                let reach = min(3_000 + 8 * people.squareRoot(), Self.widestPlaceReach)
                let use = point.distance(to: spot) / reach
                if use <= 1, use < best?.use ?? .infinity { best = (statement.int64(0), use) }
            }
            return best
        }
        guard let best, let feature = try feature(id: best.id) else { return nil }
        return (feature, point.distance(to: feature.location))
    }

    /// Metres.
    private static let widestPlaceReach = 40_000.0
}

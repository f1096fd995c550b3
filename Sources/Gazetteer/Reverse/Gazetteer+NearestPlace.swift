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
        var best: (id: Int64, use: Double)?
        try forEachPlace(around: point, within: Self.widestPlaceReach, country: country) { id, people, distance in
            let reach = min(3_000 + 8 * Double(people).squareRoot(), Self.widestPlaceReach)
            let use = distance / reach
            if use <= 1, use < best?.use ?? .infinity { best = (id, use) }
        }
        guard let best, let feature = try feature(id: best.id) else { return nil }
        return (feature, point.distance(to: feature.location))
    }

    /// The town or village nearest to a point, however far, up to some 1,500 km.
    ///
    /// Cost: looks into the R*Tree with a window that grows until it holds one.
    public func nearestTown(to point: Coordinate, country: String? = nil) throws -> (
        feature: Feature, distance: Double
    )? {
        guard point.isValid else { return nil }
        for reach in [25_000.0, 100_000, 400_000, 1_500_000] {
            var best: (id: Int64, distance: Double)?
            try forEachPlace(around: point, within: reach, country: country) { id, _, distance in
                if distance <= reach, distance < best?.distance ?? .infinity { best = (id, distance) }
            }
            if let best, let feature = try feature(id: best.id) { return (feature, best.distance) }
        }
        return nil
    }

    /// Calls `body` with number, people and distance of each place in a window of some metres around a point.
    private func forEachPlace(
        around point: Coordinate, within metres: Double, country: String?,
        _ body: (_ id: Int64, _ people: Int, _ distance: Double) -> Void
    ) throws {
        try withDatabase { database in
            let statement = try database.statement(
                """
                SELECT f.id, f.population, f.country, i.xmin, i.ymin
                FROM idx_feature_geometry i JOIN feature f ON f.id = i.pkid
                WHERE i.xmin <= ?3 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?2 AND f.kind = ?5
                """)
            for window in LocalPlane(origin: point).window(metres).withTurns {
                defer { statement.reset() }
                statement.bind(1, window.west)
                statement.bind(2, window.south)
                statement.bind(3, window.east)
                statement.bind(4, window.north)
                statement.bind(5, FeatureKind.place.rawValue)
                while try statement.step() {
                    if let country, let other = statement.text(2), other != country { continue }
                    let spot = Coordinate(latitude: statement.double(4), longitude: statement.double(3))
                    body(statement.int64(0), max(statement.int(1), 0), point.distance(to: spot))
                }
            }
        }
    }

    /// Metres.
    private static let widestPlaceReach = 40_000.0
}

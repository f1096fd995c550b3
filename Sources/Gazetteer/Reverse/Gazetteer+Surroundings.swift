import Geometry

extension Gazetteer {
    /// The features of these kinds whose outlines contain the point, the smallest first: time zones, lakes, parks, grounds
    /// of museums.
    ///
    /// Cost: one look into the R*Tree and the outlines whose boxes contain the point.
    public func surroundings(of point: Coordinate, kinds: Set<FeatureKind>) throws -> [Feature] {
        guard point.isValid else { return [] }
        return try withDatabase { database in
            let statement = try database.statement(
                """
                SELECT f.id, f.kind, (i.xmax - i.xmin) * (i.ymax - i.ymin), a.geometry
                FROM idx_area_geometry i JOIN area a ON a.id = i.pkid JOIN feature f ON f.id = a.feature
                WHERE i.xmin <= ?1 AND i.xmax >= ?1 AND i.ymin <= ?2 AND i.ymax >= ?2
                """)
            statement.bind(1, point.longitude)
            statement.bind(2, point.latitude)
            defer { statement.reset() }
            var found: [(id: Int64, size: Double)] = []
            while try statement.step() {
                guard let kind = FeatureKind(rawValue: statement.int(1)), kinds.contains(kind) else { continue }
                var isInside = false
                statement.withBlob(3) { bytes in
                    _ = SpatialBlob.forEachRun(bytes) { run, _ in
                        if run.contains(point) { isInside.toggle() }
                    }
                }
                if isInside { found.append((statement.int64(0), statement.double(2))) }
            }
            found.sort { ($0.size, $0.id) < ($1.size, $1.id) }
            return try found.compactMap { try Feature.load($0.id, database) }
        }
    }
}

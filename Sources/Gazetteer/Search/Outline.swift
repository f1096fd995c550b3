import Geometry

extension Gazetteer {
    /// The shape of a feature: its area, the line of a street or of an interpolation, nil for what is a point.
    ///
    /// A street of several ways gives the longest of them.
    public func outline(of feature: Feature) throws -> SpatialGeometry? {
        try withDatabase { database in
            for (table, key) in [("area", "feature"), ("street_way", "feature"), ("interpolation", "feature")] {
                let statement = try database.statement("SELECT geometry FROM \(table) WHERE \(key) = ?1")
                statement.bind(1, feature.id)
                defer { statement.reset() }
                var best: SpatialGeometry?
                var size = 0
                while try statement.step() {
                    guard let shape = statement.withBlob(0, { SpatialBlob.decode($0) }) else { continue }
                    let count: Int
                    switch shape {
                    case .point: count = 1
                    case .line(let line): count = line.count
                    case .polygons(let polygons): count = polygons.reduce(0) { $0 + ($1.first?.count ?? 0) }
                    }
                    if count > size {
                        size = count
                        best = shape
                    }
                }
                if let best { return best }
            }
            return nil
        }
    }
}

extension Feature {
    /// The feature with this number, read over a connection that is already at hand.
    static func load(_ id: Int64, _ database: Database) throws -> Feature? {
        let statement = try database.statement("SELECT \(Feature.columns) FROM feature f WHERE f.id = ?1 /* load */")
        statement.bind(1, id)
        defer { statement.reset() }
        return try statement.step() ? Feature(row: statement) : nil
    }
}

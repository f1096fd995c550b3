import Geometry
import OpenStreetMap

extension Gazetteer {
    /// Rows that one question may read.
    private static let rowsOfNeighbours = 20_000

    /// The features around a point that a caller wants, nearest first.
    ///
    /// Streets are as far as their nearest line, all else as its representative point. The circle grows until `limit`
    /// features are found or `metres` are reached. Cost: the rows of the last circle, at most 20,000 each of streets and of
    /// points, beyond which some of that circle are left out. Throws `DatabaseError` for a damaged atlas.
    public func neighbours(
        of point: Coordinate, within metres: Double, limit: Int, where isWanted: (Feature) -> Bool
    ) throws -> [(feature: Feature, distance: Double)] {
        guard point.isValid, metres > 0, limit > 0 else { return [] }
        return try withDatabase { database in
            var found: [(feature: Feature, distance: Double)] = []
            var reach = min(metres, 250)
            while true {
                var lines = 0, rows = 0
                var wider = try streets(around: point, within: reach, database, &lines, isWanted)
                wider += try points(around: point, within: reach, database, &rows, isWanted)
                let isCut = max(lines, rows) >= Self.rowsOfNeighbours
                // What a smaller circle held whole stays.
                let known = Set(wider.map(\.feature.id))
                found = wider + (isCut ? found.filter { !known.contains($0.feature.id) } : [])
                if found.count >= limit || reach >= metres || isCut { break }
                reach = min(metres, reach * 4)
            }
            found.sort { ($0.distance, $0.feature.id) < ($1.distance, $1.feature.id) }
            return Array(found.prefix(limit))
        }
    }

    private func points(
        around point: Coordinate, within metres: Double, _ database: Database, _ rows: inout Int,
        _ isWanted: (Feature) -> Bool
    ) throws -> [(feature: Feature, distance: Double)] {
        var result: [(feature: Feature, distance: Double)] = []
        for box in Self.boxes(around: point, within: metres) {
            let statement = try database.statement(
                """
                SELECT \(Feature.columns) FROM idx_feature_geometry i CROSS JOIN feature f ON f.id = i.pkid
                WHERE i.xmin <= ?1 AND i.xmax >= ?2 AND i.ymin <= ?3 AND i.ymax >= ?4
                """)
            Self.bind(box, to: statement)
            defer { statement.reset() }
            while rows < Self.rowsOfNeighbours, try statement.step() {
                rows += 1
                let place = statement.withBlob(Feature.columnCount - 1) { SpatialBlob.decodePoint($0) }
                guard let place else { continue }
                let distance = point.distance(to: place)
                guard distance <= metres else { continue }
                let feature = try Feature(row: statement)
                if feature.kind != .street, feature.kind != .thing, isWanted(feature) {
                    result.append((feature, distance))
                }
            }
        }
        return result
    }

    private func streets(
        around point: Coordinate, within metres: Double, _ database: Database, _ rows: inout Int,
        _ isWanted: (Feature) -> Bool
    ) throws -> [(feature: Feature, distance: Double)] {
        var nearest: [Int64: Double] = [:]
        for box in Self.boxes(around: point, within: metres) {
            let statement = try database.statement(
                """
                SELECT w.feature, w.geometry FROM idx_street_way_geometry i JOIN street_way w ON w.id = i.pkid
                WHERE i.xmin <= ?1 AND i.xmax >= ?2 AND i.ymin <= ?3 AND i.ymax >= ?4
                """)
            Self.bind(box, to: statement)
            defer { statement.reset() }
            while rows < Self.rowsOfNeighbours, try statement.step() {
                rows += 1
                guard case .line(let line) = statement.withBlob(1, { SpatialBlob.decode($0) }) else { continue }
                let distance = point.distance(toLine: line)
                if distance <= metres { nearest[statement.int64(0), default: .infinity].lower(to: distance) }
            }
        }
        return try nearest.compactMap { id, distance in
            guard let feature = try Feature.load(id, database), feature.kind == .street, isWanted(feature) else {
                return nil
            }
            return (feature, distance)
        }
    }

    /// A box around the circle, two over the date line.
    private static func boxes(around point: Coordinate, within metres: Double) -> [BoundingBox] {
        let window = LocalPlane(origin: point).window(metres)
        let box = BoundingBox(
            center: point, height: (window.north - window.south) * 1.01, width: (window.east - window.west) * 1.01)
        guard box.west > box.east else { return [box] }
        return [
            BoundingBox(west: box.west, south: box.south, east: 180, north: box.north),
            BoundingBox(west: -180, south: box.south, east: box.east, north: box.north),
        ]
    }

    private static func bind(_ box: BoundingBox, to statement: Statement) {
        statement.bind(1, box.east)
        statement.bind(2, box.west)
        statement.bind(3, box.north)
        statement.bind(4, box.south)
    }
}

extension Double {
    fileprivate mutating func lower(to value: Double) { self = min(self, value) }
}

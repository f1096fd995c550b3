import Geometry
import OpenStreetMap

/// One of the ways that make up a street.
public struct StreetWay: Sendable, Equatable {
    /// The way in OpenStreetMap; nil where the data is not from there.
    public var osm: OSMID?
    public var line: [Coordinate]
}

extension Gazetteer {
    /// The ways of a street in the order of their numbers, at most 2,000; none for what is no street. Cost: its rows.
    public func ways(ofStreet feature: Feature) throws -> [StreetWay] {
        guard feature.kind == .street else { return [] }
        return try withDatabase { database in
            let statement = try database.statement(
                "SELECT osm_id, geometry FROM street_way WHERE feature = ?1 ORDER BY osm_id LIMIT 2000")
            statement.bind(1, feature.id)
            defer { statement.reset() }
            var ways: [StreetWay] = []
            while try statement.step() {
                guard case .line(let line) = statement.withBlob(1, { SpatialBlob.decode($0) }) else { continue }
                ways.append(StreetWay(osm: statement.isNull(0) ? nil : OSMID(.way, statement.int64(0)), line: line))
            }
            return ways
        }
    }

    /// The addresses and places of interest that belong to a street or place, at most `limit`.
    public func children(of feature: Feature, limit: Int) throws -> [Feature] {
        try withDatabase { database in
            let statement = try database.statement(
                "SELECT \(Feature.columns) FROM feature f WHERE f.parent = ?1 ORDER BY f.id LIMIT ?2 /* children */")
            statement.bind(1, feature.id)
            statement.bind(2, limit)
            defer { statement.reset() }
            var children: [Feature] = []
            while try statement.step() { children.append(try Feature(row: statement)) }
            return children
        }
    }
}

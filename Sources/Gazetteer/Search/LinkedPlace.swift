import Geometry
import OpenStreetMap

/// The place node that is one with a boundary: where the town's middle is, and what kind of place it is.
public struct LinkedPlace: Sendable, Equatable {
    public var osm: OSMID
    /// The value of its `place` tag, `town`.
    public var type: String
    public var location: Coordinate
}

extension Gazetteer {
    /// The place node that was taken into a boundary at import; nil where there is none. Cost: one row.
    public func linkedPlace(of feature: Feature) throws -> LinkedPlace? {
        guard feature.tags["linked_place"] != nil else { return nil }
        return try withDatabase { database in
            let statement = try database.statement("SELECT osm_id, type, lon, lat FROM linked_place WHERE feature = ?1")
            statement.bind(1, feature.id)
            defer { statement.reset() }
            guard try statement.step() else { return nil }
            return LinkedPlace(
                osm: OSMID(.node, statement.int64(0)), type: statement.text(1) ?? "place",
                location: Coordinate(latitude: statement.double(3), longitude: statement.double(2)))
        }
    }
}

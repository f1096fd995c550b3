import Geometry
import OpenStreetMap

/// A way into a building.
public struct Entrance: Sendable, Equatable {
    /// The node in OpenStreetMap.
    public var node: Int64
    /// `main`, `yes`, `service` ...
    public var type: String
    public var location: Coordinate
    /// Its other tags.
    public var tags: Tags
}

extension Gazetteer {
    /// The entrances on the edges of a shape, at most 100, in the order of their numbers.
    ///
    /// Cost: the rows of the box's latitudes; 10,000 at most are looked at.
    public func entrances(on shape: SpatialGeometry) throws -> [Entrance] {
        guard case .polygons(let polygons) = shape else { return [] }
        let rings = polygons.flatMap { $0 }
        let points = rings.flatMap { $0 }
        guard let first = points.first else { return [] }
        let box = points.reduce(into: BoundingBox(first)) { $0.extend(by: $1) }
        // The outline may be off by some centimetres.
        let margin = 0.000_005
        return try withDatabase { database in
            let statement = try database.statement(
                """
                SELECT osm_id, type, lon, lat, tags FROM entrance WHERE lat BETWEEN ?1 AND ?2 AND lon BETWEEN ?3 AND ?4
                ORDER BY osm_id LIMIT 10000
                """)
            statement.bind(1, box.south - margin)
            statement.bind(2, box.north + margin)
            statement.bind(3, box.west - margin)
            statement.bind(4, box.east + margin)
            defer { statement.reset() }
            var found: [Entrance] = []
            while found.count < 100, try statement.step() {
                let place = Coordinate(latitude: statement.double(3), longitude: statement.double(2))
                guard rings.contains(where: { place.distance(toLine: $0) < 0.3 }) else { continue }
                found.append(
                    Entrance(
                        node: statement.int64(0), type: statement.text(1) ?? "yes", location: place,
                        tags: statement.withText(4) { TagsJSON.decode($0) } ?? Tags()))
            }
            return found
        }
    }
}

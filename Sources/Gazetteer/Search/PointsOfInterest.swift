import Foundation
import Geometry

extension Gazetteer {
    /// Shops, sights, stops and parks within a circle, the nearest first.
    ///
    /// - Parameters:
    ///   - metres: the radius.
    ///   - limit: at most this many.
    ///   - isWanted: asked for each within the circle.
    ///
    /// Cost: reads all features of the circle's box, 50,000 at most.
    public func pointsOfInterest(
        around center: Coordinate, within metres: Double, limit: Int, where isWanted: (Feature) throws -> Bool
    ) throws -> [(feature: Feature, distance: Double)] {
        guard center.isValid, metres >= 0, limit > 0 else { return [] }
        let height = min(metres / 111_195, 180)
        let width = min(height / max(cos(center.latitude * .pi / 180), 0.01), 180)
        let box = BoundingBox(center: center, height: 2 * height, width: 2 * width)
        let boxes =
            box.west <= box.east
            ? [box]
            : [
                BoundingBox(west: box.west, south: box.south, east: 180, north: box.north),
                BoundingBox(west: -180, south: box.south, east: box.east, north: box.north),
            ]
        return try withDatabase { database in
            var found: [(feature: Feature, distance: Double)] = []
            for box in boxes {
                let statement = try database.statement(
                    """
                    SELECT \(Feature.columns) FROM idx_feature_geometry i CROSS JOIN feature f ON f.id = i.pkid
                    WHERE i.xmin <= ?1 AND i.xmax >= ?2 AND i.ymin <= ?3 AND i.ymax >= ?4 AND f.kind IN (10, 12, 14)
                    LIMIT 50000
                    """)
                statement.bind(1, box.east)
                statement.bind(2, box.west)
                statement.bind(3, box.north)
                statement.bind(4, box.south)
                defer { statement.reset() }
                while try statement.step() {
                    guard let point = statement.withBlob(Feature.columnCount - 1, { SpatialBlob.decodePoint($0) }),
                        case let distance = center.distance(to: point), distance <= metres
                    else { continue }
                    let feature = try Feature(row: statement)
                    if try isWanted(feature) { found.append((feature, distance)) }
                }
            }
            found.sort { ($0.distance, $0.feature.id) < ($1.distance, $1.feature.id) }
            return Array(found.prefix(limit))
        }
    }
}

import Foundation
import Gazetteer
import Geometry
import Sextant

/// Which part of the world shows a place: as far as it reaches, or around its point as far as such a place does, and no
/// further than a detailed map reaches where one shows it.
struct PlaceFraming {
    var box: BoundingBox
    /// Whether the place is a point of the picture rather than the whole of it.
    var isPinned: Bool

    /// - Parameter outlined: the best place of the same name that has an outline.
    init(_ place: FoundPlace, outlined: FoundPlace?, in atlas: Atlas) throws {
        let usual = Self.box(around: place.coordinate, height: Self.height(of: place.feature))
        let outline = try outlined.flatMap { try Self.mainBox(of: $0, atlas) }
        let own = place.feature.boundingBox
        let known = outline ?? (own.east != own.west && own.north != own.south ? own : nil)
        isPinned = known == nil && !(1...17).contains(place.feature.rank)
        box = known ?? usual
        // Where a town bears its region's name, or its region many islands, the town is meant.
        if (9...17).contains(place.feature.rank), let known, !Self.resembles(known, usual, around: place.coordinate) {
            box = usual
        }
        // Beyond a map of streets lie the World's outlines, or nothing. A country is worth them where that map shows a small
        // part of it.
        guard let covered = atlas.mapCoverage(around: place.coordinate, in: box) else { return }
        let hasWorld = atlas.parts.contains(where: \.isWorld)
        if place.feature.rank > 8 || known == nil || !hasWorld || Self.size(covered) > 0.1 * Self.size(box) {
            box = covered
        }
    }

    /// Degrees from south to north that show a place of which only a point is known; its rank is 4 for a country, 8 for a
    /// region, 16 for a town and 30 for a house.
    static func height(of place: Feature) -> Double {
        if let people = place.population, people > 50_000, (9...20).contains(place.rank) {
            return people > 1_000_000 ? 0.35 : 0.18
        }
        switch place.rank {
        case ...0: return 0.02
        case ...4: return 8
        case ...8: return 2
        case ...12: return 0.5
        case ...17: return 0.1
        case ...25: return 0.03
        default: return 0.005
        }
    }

    /// A box about as wide as high on the ground.
    static func box(around point: Coordinate, height: Double) -> BoundingBox {
        let width = height / max(cos(point.latitude * .pi / 180), 0.05)
        return BoundingBox(center: point, height: height, width: min(width, 360))
    }

    /// Whether a box is about as large as the usual one and lies about its place.
    private static func resembles(_ box: BoundingBox, _ usual: BoundingBox, around point: Coordinate) -> Bool {
        guard box.west <= box.east, usual.west <= usual.east else { return false }
        let (height, width) = (usual.north - usual.south, usual.east - usual.west)
        return box.contains(point) && box.north - box.south < 2 * height && box.east - box.west < 2 * width
            && abs(box.center.latitude - point.latitude) < height / 2
            && abs(box.center.longitude - point.longitude) < width / 2
    }

    private static func size(_ box: BoundingBox) -> Double {
        (box.north - box.south) * (box.east - box.west) * cos(box.center.latitude * .pi / 180)
    }

    /// The box of a place without what lies far from its main part, as countries and towns have islands in other seas.
    private static func mainBox(of place: FoundPlace, _ atlas: Atlas) throws -> BoundingBox? {
        let gazetteer = atlas.parts[place.atlasIndex].gazetteer
        guard case .polygons(let polygons)? = try gazetteer.outline(of: place.feature) else {
            return place.feature.boundingBox
        }
        return joined(
            polygons.compactMap { rings in
                guard let first = rings.first?.first else { return nil }
                var box = BoundingBox(first)
                for point in rings[0] { box.extend(by: point) }
                return box
            })
    }

    /// The largest box and, one after the other, those that come near to it.
    static func joined(_ boxes: [BoundingBox]) -> BoundingBox? {
        var rest = boxes.sorted { size($0) > size($1) }
        guard var whole = rest.first else { return nil }
        let (dx, dy) = (0.12 * (whole.east - whole.west), 0.12 * (whole.north - whole.south))
        var hasGrown = true
        while hasGrown {
            let reach = BoundingBox(
                west: whole.west - dx, south: whole.south - dy, east: whole.east + dx, north: whole.north + dy)
            let near = rest.filter { $0.intersects(reach) }
            rest.removeAll { $0.intersects(reach) }
            for box in near {
                whole.extend(by: Coordinate(latitude: box.south, longitude: box.west))
                whole.extend(by: Coordinate(latitude: box.north, longitude: box.east))
            }
            hasGrown = !near.isEmpty
        }
        return whole
    }
}

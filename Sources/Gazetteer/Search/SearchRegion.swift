import Foundation
import Geometry

/// A region of a search made ready for tests of points.
struct SearchRegion {
    /// Boxes that together hold it, none of them over the date line; nil for everywhere.
    private(set) var boxes: [BoundingBox]?
    /// The cells of those boxes.
    private(set) var cells: [ClosedRange<Int64>]?
    private let test: Test

    private indirect enum Test {
        case everything
        case box(BoundingBox)
        case circle(Coordinate, Double)
        case polygons(PolygonIndex)
        case corridor(Corridor)
        case all([Test])

        func contains(_ point: Coordinate) -> Bool {
            switch self {
            case .everything: true
            case .box(let box): box.contains(point)
            case .circle(let center, let metres): center.distance(to: point) <= metres
            case .polygons(let polygons): polygons.contains(point)
            case .corridor(let corridor): corridor.spot(of: point) != nil
            case .all(let tests): tests.allSatisfy { $0.contains(point) }
            }
        }
    }

    /// Nil for a region in which nothing can lie.
    init?(_ shape: SearchQuery.Region, database: Database) throws {
        guard let (test, boxes) = try Self.ready(shape, database) else { return nil }
        self.test = test
        self.boxes = boxes.map(Self.fewer)
        cells = boxes.map { CategoryCell.ranges(of: $0) }
    }

    func contains(_ point: Coordinate) -> Bool { test.contains(point) }

    private static func ready(_ shape: SearchQuery.Region, _ database: Database) throws -> (Test, [BoundingBox]?)? {
        switch shape {
        case .everywhere: return (.everything, nil)
        case .box(let box): return (.box(box), parts(of: box))
        case .circle(let center, let metres):
            guard center.isValid, metres >= 0 else { return nil }
            // Meridians draw together: a little wider, for the side that is nearer to the pole.
            return (.circle(center, metres), parts(of: BoundingBox(around: center, metres: metres * 1.01 + 1)))
        case .polygons(let polygons): return area(polygons)
        case .outline(let id):
            var polygons: [[[Coordinate]]] = []
            let statement = try database.statement("SELECT geometry FROM area WHERE feature = ?1")
            statement.bind(1, id)
            defer { statement.reset() }
            while try statement.step() {
                if case .polygons(let rings) = statement.withBlob(0, { SpatialBlob.decode($0) }) { polygons += rings }
            }
            return area(polygons)
        case .corridor(let corridor):
            guard !corridor.line.isEmpty else { return nil }
            return (.corridor(corridor), corridor.boxes.flatMap { parts(of: $0) })
        case .all(let shapes):
            var tests: [Test] = []
            var least: [BoundingBox]?
            for shape in shapes {
                guard let (test, boxes) = try ready(shape, database) else { return nil }
                tests.append(test)
                if let boxes, least.map({ size(of: boxes) < size(of: $0) }) ?? true { least = boxes }
            }
            return (.all(tests), least)
        }
    }

    private static func area(_ polygons: [[[Coordinate]]]) -> (Test, [BoundingBox]?)? {
        let index = PolygonIndex(polygons)
        return index.box.map { (.polygons(index), [$0]) }
    }

    /// More boxes than this are not worth a look each in the spatial index.
    private static let mostBoxes = 64

    /// Boxes around neighbours of the list, where it is long.
    private static func fewer(_ boxes: [BoundingBox]) -> [BoundingBox] {
        guard boxes.count > mostBoxes else { return boxes }
        let step = (boxes.count + mostBoxes - 1) / mostBoxes
        return stride(from: 0, to: boxes.count, by: step).map { start in
            var box = boxes[start]
            for other in boxes[start..<min(start + step, boxes.count)] {
                (box.west, box.east) = (min(box.west, other.west), max(box.east, other.east))
                (box.south, box.north) = (min(box.south, other.south), max(box.north, other.north))
            }
            return box
        }
    }

    private static func size(of boxes: [BoundingBox]) -> Double {
        boxes.reduce(0) { $0 + ($1.east - $1.west) * ($1.north - $1.south) }
    }

    /// One box, two over the date line.
    private static func parts(of box: BoundingBox) -> [BoundingBox] {
        box.west <= box.east
            ? [box]
            : [
                BoundingBox(west: box.west, south: box.south, east: 180, north: box.north),
                BoundingBox(west: -180, south: box.south, east: box.east, north: box.north),
            ]
    }
}

/// Polygons whose edges are sorted into strips of latitude, so that a point is tested against a few of them.
private struct PolygonIndex {
    let box: BoundingBox?
    private var strips: [[(a: Coordinate, b: Coordinate)]] = []

    private static let mostStrips = 1024

    init(_ polygons: [[[Coordinate]]]) {
        // A ring with a point that is none on the globe encloses nothing.
        let rings = polygons.joined().filter { $0.allSatisfy(\.isValid) }
        guard let first = rings.joined().first else {
            box = nil
            return
        }
        var box = BoundingBox(first)
        var count = 0
        for point in rings.joined() {
            box.extend(by: point)
            count += 1
        }
        self.box = box
        let strips = min(max(count / 4, 1), Self.mostStrips)
        self.strips = Array(repeating: [], count: strips)
        for ring in rings {
            guard var a = ring.last else { continue }
            for b in ring {
                defer { a = b }
                for strip in strip(min(a.latitude, b.latitude))...strip(max(a.latitude, b.latitude)) {
                    self.strips[strip].append((a, b))
                }
            }
        }
    }

    private func strip(_ latitude: Double) -> Int {
        guard let box, box.north > box.south else { return 0 }
        let place = (latitude - box.south) / (box.north - box.south) * Double(strips.count)
        return min(max(Int(place), 0), strips.count - 1)
    }

    /// By the crossings of a ray to the east: holes count as outside, and so would what two polygons both cover.
    func contains(_ point: Coordinate) -> Bool {
        guard let box, box.contains(point) else { return false }
        var isInside = false
        for (a, b) in strips[strip(point.latitude)]
        where (a.latitude > point.latitude) != (b.latitude > point.latitude) {
            let t = (point.latitude - a.latitude) / (b.latitude - a.latitude)
            if point.longitude < a.longitude + t * (b.longitude - a.longitude) { isInside.toggle() }
        }
        return isInside
    }
}

import Geometry
import Locking

/// A piece of road that nobody may use in one request. Needs no metric: it makes ways dearer, never cheaper.
///
/// What is closed is always a whole edge, the road between two junctions: closing a segment of it closes it all.
public enum RoadClosure: Sendable, Hashable {
    /// All of a way of OpenStreetMap, in both directions.
    case way(Int64)
    /// The road that leads over two neighbouring nodes of OpenStreetMap, in this direction.
    case segment(from: Int64, to: Int64)
    /// All roads that touch a box.
    case box(BoundingBox)
    /// All roads that touch a polygon, whose last point is joined with its first.
    case polygon([Coordinate])
}

/// Finds the directed edges that closures name. The table of ids is made when a first closure asks for one.
final class ClosureFinder: Sendable {
    private let graph: RoadGraph
    private let segments = Mutex<IDTable?>(nil)
    private let ways = Mutex<IDTable?>(nil)

    init(graph: RoadGraph) { self.graph = graph }

    /// Edges by a hash of the ids that they bear: 4 bytes an entry and 4 a bucket.
    private struct IDTable: Sendable {
        let first: [UInt32]
        let edges: [UInt32]
        let mask: Int

        init(count: Int, each: ((Int64, UInt32) -> Void) -> Void) {
            var size = 1024
            while size < count { size *= 2 }
            mask = size - 1
            let mask = mask
            var first = [UInt32](repeating: 0, count: size + 1)
            each { id, _ in first[Self.bucket(id, mask) + 1] += 1 }
            for bucket in 0..<size { first[bucket + 1] += first[bucket] }
            var next = first
            var edges = [UInt32](repeating: 0, count: Int(first[size]))
            each { id, edge in
                let bucket = Self.bucket(id, mask)
                edges[Int(next[bucket])] = edge
                next[bucket] += 1
            }
            self.first = first
            self.edges = edges
        }

        private static func bucket(_ id: Int64, _ mask: Int) -> Int {
            Int((UInt64(bitPattern: id) &* 0x9E37_79B9_7F4A_7C15) >> 24) & mask
        }

        func edges(of id: Int64) -> ArraySlice<UInt32> {
            let bucket = Self.bucket(id, mask)
            return edges[Int(first[bucket])..<Int(first[bucket + 1])]
        }
    }

    private func edges(ofWay id: Int64) -> [UInt32] {
        let arrays = graph.arrays
        let candidates = ways.withLock { table -> [UInt32] in
            let known =
                table
                ?? IDTable(count: arrays.ways.count) { add in
                    for (edge, way) in arrays.edgeWays.elements.enumerated() {
                        if let way = arrays.ways[way] { add(way.wayID, UInt32(edge)) }
                    }
                }
            table = known
            return Array(known.edges(of: id))
        }
        return candidates.filter { edge in
            arrays.edgeWays[edge].flatMap { arrays.ways[$0] }.map { $0.wayID == id } ?? false
        }
    }

    /// A number for two nodes, whichever comes first; others may share it.
    private static func key(_ a: Int64, _ b: Int64) -> Int64 {
        let low = UInt64(bitPattern: min(a, b)) &* 0xD6E8_FEB8_6659_FD93
        return Int64(bitPattern: (low ^ low >> 32) &+ UInt64(bitPattern: max(a, b)))
    }

    private func segmentTable() -> IDTable {
        let arrays = graph.arrays
        let edges = 0..<UInt32(arrays.edgeWays.count)
        return segments.withLock { table in
            if let table { return table }
            let made = IDTable(count: edges.reduce(0) { $0 + (arrays.shapes.pointCount(of: $1) ?? 1) - 1 }) { add in
                var nodes: [Int64] = []
                for edge in edges where arrays.readNodes(of: edge, into: &nodes) {
                    for index in 1..<nodes.count { add(Self.key(nodes[index - 1], nodes[index]), edge) }
                }
            }
            table = made
            return made
        }
    }

    /// Adds the directed edges that lead over segments to `found`. In two rounds: what a segment needs from memory is on its
    /// way while others are looked at.
    private func add(_ segments: [(from: Int64, to: Int64)], to found: inout [UInt32]) {
        guard !segments.isEmpty else { return }
        let table = segmentTable()
        var candidates: [(segment: Int, edge: UInt32)] = []
        candidates.reserveCapacity(2 * segments.count)
        for (number, segment) in segments.enumerated() {
            for edge in table.edges(of: Self.key(segment.from, segment.to)) { candidates.append((number, edge)) }
        }
        var nodes: [Int64] = []
        for (number, edge) in candidates where graph.arrays.readNodes(of: edge, into: &nodes) {
            let (from, to) = segments[number]
            for index in 1..<nodes.count {
                if nodes[index - 1] == from, nodes[index] == to { found.append(2 * edge) }
                if nodes[index - 1] == to, nodes[index] == from { found.append(2 * edge + 1) }
            }
        }
    }

    private func edges(touching ring: [Coordinate]) -> [UInt32] {
        guard let first = ring.first else { return [] }
        var box = BoundingBox(first)
        for point in ring { box.extend(by: point) }
        let arrays = graph.arrays
        guard let top = arrays.tree.top else { return [] }
        var found: [UInt32] = []
        var points: [FixedPoint] = []
        var stack = [top]
        while let node = stack.popLast() {
            let own = node.box
            guard Double(own.south) / 1e7 <= box.north, Double(own.north) / 1e7 >= box.south,
                Double(own.west) / 1e7 <= box.east, Double(own.east) / 1e7 >= box.west
            else { continue }
            guard node.isLeaf else {
                arrays.tree.forEachChild(of: node) { stack.append($0) }
                continue
            }
            guard let (edge, part) = arrays.tree.item(node), arrays.readPoints(of: edge, into: &points) else {
                continue
            }
            let touches = PackedTree.segments(ofPart: part, of: points.count - 1).contains { segment in
                Self.touches(points[segment].coordinate, points[segment + 1].coordinate, ring)
            }
            if touches { found.append(edge) }
        }
        return found
    }

    /// Whether a straight line has a point in common with a polygon.
    private static func touches(_ a: Coordinate, _ b: Coordinate, _ ring: [Coordinate]) -> Bool {
        if Polygon.covers(a, rings: [ring]) || Polygon.covers(b, rings: [ring]) { return true }
        func side(_ p: Coordinate, _ q: Coordinate, _ r: Coordinate) -> Double {
            (q.longitude - p.longitude) * (r.latitude - p.latitude)
                - (q.latitude - p.latitude) * (r.longitude - p.longitude)
        }
        guard var c = ring.last else { return false }
        for d in ring {
            // Lines on one straight line that lie apart have no side; their boxes tell.
            if max(a.longitude, b.longitude) >= min(c.longitude, d.longitude),
                max(c.longitude, d.longitude) >= min(a.longitude, b.longitude),
                max(a.latitude, b.latitude) >= min(c.latitude, d.latitude),
                max(c.latitude, d.latitude) >= min(a.latitude, b.latitude),
                side(a, b, c) * side(a, b, d) <= 0, side(c, d, a) * side(c, d, b) <= 0
            {
                return true
            }
            c = d
        }
        return false
    }

    /// The directed edges of all closures, each once, in rising order. Those that name nothing close nothing.
    func directedEdges(_ closures: [RoadClosure]) -> [UInt32] {
        var found: [UInt32] = []
        var segments: [(from: Int64, to: Int64)] = []
        for closure in closures {
            switch closure {
            case .way(let id): for edge in edges(ofWay: id) { found += [2 * edge, 2 * edge + 1] }
            case .segment(let from, let to): segments.append((from, to))
            case .box(let box):
                // West of itself, the east lies beyond the date line.
                let spans: [(Double, Double)] =
                    box.west <= box.east ? [(box.west, box.east)] : [(box.west, 180), (-180, box.east)]
                for (west, east) in spans {
                    let ring = [
                        Coordinate(latitude: box.south, longitude: west),
                        Coordinate(latitude: box.south, longitude: east),
                        Coordinate(latitude: box.north, longitude: east),
                        Coordinate(latitude: box.north, longitude: west),
                    ]
                    for edge in edges(touching: ring) { found += [2 * edge, 2 * edge + 1] }
                }
            case .polygon(let ring): for edge in edges(touching: ring) { found += [2 * edge, 2 * edge + 1] }
            }
        }
        add(segments, to: &found)
        found.sort()
        var last: UInt32?
        return found.filter { directed in
            defer { last = directed }
            return directed != last
        }
    }
}

/// The closed directed edges of one request, a bit each, in memory of a workspace.
struct ClosedEdges {
    private let bits: UnsafeMutablePointer<UInt64>

    init(bits: UnsafeMutablePointer<UInt64>) { self.bits = bits }

    @inline(__always)
    func contains(_ directed: UInt32) -> Bool { bits[Int(directed >> 6)] >> UInt64(directed & 63) & 1 != 0 }
}

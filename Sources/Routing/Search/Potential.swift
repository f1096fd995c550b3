import Geometry
import OpenStreetMap

import Glibc

/// A lower bound on what remains to the target, which leads the search there.
///
/// It must be consistent: `h(u) <= cost(u, v) + h(v)` for every edge and the turn into it, and at a target's tail at most
/// what entering the target costs.
protocol Potential {
    /// Milliseconds of cost that remain to someone who has come over the directed edge `edge` to its head `vertex`, both of
    /// which the graph has; `.max` where no way leads on to a target.
    mutating func lowerBound(over edge: Int, at vertex: Int) -> UInt32

    /// The same for someone at whose edge's head there is no other edge than that one; may be less than
    /// `lowerBound(over:at:)`, never more than what is true.
    mutating func lowerBound(turningRoundAfter edge: Int) -> UInt32

    /// A search that comes to this key without having found anything has shown that the potential is of no use to it.
    var ceiling: UInt32 { get }
    /// The files did not fit together; what was said is worth nothing.
    var isDamaged: Bool { get }
}

extension Potential {
    var ceiling: UInt32 { .max }
    var isDamaged: Bool { false }
}

/// Nothing is known: the search becomes Dijkstra's.
struct NoPotential: Potential {
    func lowerBound(over edge: Int, at vertex: Int) -> UInt32 { 0 }
    func lowerBound(turningRoundAfter edge: Int) -> UInt32 { 0 }
}

/// The straight line through the Earth at the profile's top speed.
///
/// Chords obey the triangle inequality and are never longer than great circles, and all lengths of the graph are at most
/// 0.6 % shorter than those (ellipsoid against sphere), which the scale allows for.
struct ChordPotential: Potential {
    private let vertices: UnsafePointer<GraphVertex>
    private let heads: UnsafePointer<UInt32>
    /// Unit vectors of the targets.
    private let targets: [(Double, Double, Double)]
    /// Milliseconds for a chord of one Earth radius.
    private let scale: Double
    private let cache: UnsafeMutablePointer<UInt64>
    private let stamp: UInt64

    /// - Parameter targets: the tails of their edges are what the line leads to.
    init(graph: GraphArrays, user: RoadUser, targets: [SearchTarget], workspace: Workspace) {
        vertices = graph.vertices.base
        heads = graph.heads.base
        var ends: [Coordinate] = []
        for target in targets {
            guard let tail = graph.heads[target.edge ^ 1], let vertex = graph.vertices[tail] else { continue }
            if !ends.contains(vertex.coordinate) { ends.append(vertex.coordinate) }
        }
        self.targets = ends.map { Self.vector($0) }
        // No edge exceeds these metres of great circle a second.
        let topSpeed = graph.topSpeeds[Int(user.rawValue)] ?? 0
        let speed = topSpeed.isFinite && topSpeed > 0.1 ? topSpeed : 0.1
        scale = earthRadius * 0.994 / speed * 1000
        (cache, stamp) = workspace.potentialCache(0)
    }

    private static func vector(_ place: Coordinate) -> (Double, Double, Double) {
        let latitude = place.latitude * .pi / 180
        let longitude = place.longitude * .pi / 180
        let cosine = cos(latitude)
        return (cosine * cos(longitude), cosine * sin(longitude), sin(latitude))
    }

    @inline(__always)
    mutating func lowerBound(over edge: Int, at vertex: Int) -> UInt32 {
        let cached = cache[vertex]
        if cached >> 32 == stamp { return UInt32(truncatingIfNeeded: cached) }
        return computed(vertex)
    }

    mutating func lowerBound(turningRoundAfter edge: Int) -> UInt32 { lowerBound(over: edge, at: Int(heads[edge])) }

    @inline(never)
    private func computed(_ vertex: Int) -> UInt32 {
        let (x, y, z) = Self.vector(vertices[vertex].coordinate)
        var nearest = Double.infinity
        for target in targets {
            let (dx, dy, dz) = (x - target.0, y - target.1, z - target.2)
            nearest = min(nearest, dx * dx + dy * dy + dz * dz)
        }
        // Weights are rounded: a few milliseconds are taken off.
        let bound = nearest.squareRoot() * scale - 20
        let value = bound > 0 && bound.isFinite ? UInt32(min(bound, 2_000_000_000)) : 0
        cache[vertex] = stamp << 32 | UInt64(value)
        return value
    }
}

import Glibc

/// A graph prepared for flows of one unit an edge.
struct FlowNetwork: Sendable {
    let first: [UInt32]
    let heads: [UInt32]
    /// For each arc the one that runs the other way.
    let reverse: [UInt32]

    var vertexCount: Int { first.count - 1 }

    /// Neighbours must be in rising order.
    init(_ graph: UndirectedGraph) {
        first = graph.first
        heads = graph.heads
        var next = graph.first
        var reverse = [UInt32](repeating: 0, count: heads.count)
        for arc in heads.indices {
            // Tails rise with the arcs, so the arcs back to them come in the order of each head's list.
            let head = Int(heads[arc])
            reverse[arc] = next[head]
            next[head] += 1
        }
        self.reverse = reverse
    }
}

/// Small separators of road networks by inertial flow (Schild and Sommer, "On Balanced Separators in Road Networks",
/// SEA 2015): the first and the last quarter of the vertices along a direction are source and sink; a minimum cut between
/// them is found with Dinic's algorithm (1970), and the fewest vertices that meet all its edges make the separator.
enum InertialFlow {
    enum Direction: Int, CaseIterable, Sendable {
        case east, north, northeast, southeast
    }

    /// The part of the vertices on each side that no cut comes near to.
    static let balance = 0.25

    struct Separator: Sendable {
        /// 0 or 1; -1 for the separator's own vertices.
        var side: [Int32]
        var count: Int
        /// Vertices of the smaller side.
        var smaller: Int

        /// Fewer vertices for what is cut off.
        func isBetter(than other: Separator) -> Bool { count * max(other.smaller, 1) < other.count * max(smaller, 1) }
    }

    /// A separator across one direction.
    ///
    /// - Parameter points: the vertices' places; two vertices at least.
    static func separator(of network: FlowNetwork, at points: [FixedPoint], along direction: Direction) -> Separator {
        var flow = MaximumFlow(network, ends: ends(points, direction))
        flow.run()
        return flow.separator()
    }

    /// 1 for sources, 2 for sinks, 0 for what lies between.
    private static func ends(_ points: [FixedPoint], _ direction: Direction) -> [UInt8] {
        let middle = points.isEmpty ? 0 : Double(points[points.count / 2].latitude) / 1e7
        let scale = max(cos(middle * .pi / 180), 0.01)
        var keys: [UInt64] = []
        keys.reserveCapacity(points.count)
        for (index, point) in points.enumerated() {
            let x = Double(point.longitude) * scale
            let y = Double(point.latitude)
            let along =
                switch direction {
                case .east: x
                case .north: y
                case .northeast: x + y
                case .southeast: x - y
                }
            // Sums lie within three thousand million; equal places are told apart by their numbers.
            keys.append(UInt64((along + 4e9) / 2) << 32 | UInt64(index))
        }
        let share = min(max(Int(Double(points.count) * balance), 1), points.count / 2)
        var ends = [UInt8](repeating: 0, count: points.count)
        let low = select(&keys, share)
        let high = select(&keys, points.count - share)
        for key in keys {
            let vertex = Int(key & 0xFFFF_FFFF)
            if key < low { ends[vertex] = 1 } else if key >= high { ends[vertex] = 2 }
        }
        return ends
    }

    /// The key with `rank` smaller ones (Hoare's "Find", 1961); all keys differ.
    private static func select(_ keys: inout [UInt64], _ rank: Int) -> UInt64 {
        var low = 0
        var high = keys.count - 1
        while low < high {
            let pivot = keys[low + (high - low) / 2]
            var i = low
            var j = high
            while i <= j {
                while keys[i] < pivot { i += 1 }
                while keys[j] > pivot { j -= 1 }
                if i <= j {
                    keys.swapAt(i, j)
                    i += 1
                    j -= 1
                }
            }
            if rank <= j { high = j } else if rank >= i { low = i } else { break }
        }
        return keys[rank]
    }
}

/// A maximum flow between two sets of vertices, in units of whole edges.
private struct MaximumFlow {
    private let first: [UInt32]
    private let heads: [UInt32]
    private let reverse: [UInt32]
    private let ends: [UInt8]
    /// What runs over an arc, less what runs back: -1, 0 or 1.
    private var flow: [Int8]
    /// Steps from the nearest source; -1 where none leads there.
    private var level: [Int32]
    private var next: [UInt32]
    private var queue: [UInt32]

    init(_ network: FlowNetwork, ends: [UInt8]) {
        first = network.first
        heads = network.heads
        reverse = network.reverse
        self.ends = ends
        flow = [Int8](repeating: 0, count: heads.count)
        level = [Int32](repeating: -1, count: network.vertexCount)
        next = [UInt32](repeating: 0, count: network.vertexCount)
        queue = [UInt32](repeating: 0, count: network.vertexCount)
    }

    mutating func run() {
        var path: [UInt32] = []
        while findLevels(from: 1, to: 2, forwards: true) {
            for vertex in next.indices { next[vertex] = first[vertex] }
            for source in ends.indices where ends[source] == 1 {
                while findPath(from: UInt32(source), &path) {
                    for arc in path {
                        flow[Int(arc)] += 1
                        flow[Int(reverse[Int(arc)])] -= 1
                    }
                }
            }
        }
    }

    /// Breadth first from one kind of end; whether it comes to the other kind.
    private mutating func findLevels(from start: UInt8, to end: UInt8, forwards: Bool) -> Bool {
        var count = 0
        for vertex in level.indices {
            if ends[vertex] == start {
                level[vertex] = 0
                queue[count] = UInt32(vertex)
                count += 1
            } else {
                level[vertex] = -1
            }
        }
        var done = 0
        // Nothing beyond the first end is of use.
        var farthest = Int32.max
        while done < count {
            let vertex = Int(queue[done])
            done += 1
            let step = level[vertex] + 1
            if step > farthest { break }
            for arc in Int(first[vertex])..<Int(first[vertex + 1]) {
                let head = Int(heads[arc])
                if level[head] >= 0 || (forwards ? flow[arc] >= 1 : flow[arc] <= -1) { continue }
                level[head] = step
                if ends[head] == end { farthest = step }
                queue[count] = UInt32(head)
                count += 1
            }
        }
        return farthest != .max
    }

    /// A way from a source to a sink over the levels; leaves dead ends behind for good.
    private mutating func findPath(from source: UInt32, _ path: inout [UInt32]) -> Bool {
        path.removeAll(keepingCapacity: true)
        var vertex = Int(source)
        while true {
            if ends[vertex] == 2 { return true }
            var moved = false
            while next[vertex] < first[vertex + 1] {
                let arc = Int(next[vertex])
                let head = Int(heads[arc])
                if flow[arc] < 1, level[head] == level[vertex] + 1 {
                    path.append(UInt32(arc))
                    vertex = head
                    moved = true
                    break
                }
                next[vertex] += 1
            }
            if moved { continue }
            guard let arc = path.popLast() else { return false }
            vertex = Int(heads[Int(reverse[Int(arc)])])
            next[vertex] += 1
        }
    }

    /// The fewest vertices that meet every edge of the more even one of the two outermost minimum cuts.
    mutating func separator() -> InertialFlow.Separator {
        let count = level.count
        // The last search for levels has reached all that lies on the sources' side.
        var side = level.map { Int32($0 >= 0 ? 0 : 1) }
        let sources = side.reduce(0) { $0 + ($1 == 0 ? 1 : 0) }
        _ = findLevels(from: 2, to: 1, forwards: false)
        let sinks = level.reduce(0) { $0 + ($1 >= 0 ? 1 : 0) }
        if min(sinks, count - sinks) > min(sources, count - sources) {
            for vertex in 0..<count { side[vertex] = level[vertex] >= 0 ? 1 : 0 }
        }
        for vertex in cover(side) { side[Int(vertex)] = -1 }
        var sizes = (0, 0, 0)
        for part in side {
            if part == 0 { sizes.0 += 1 } else if part == 1 { sizes.1 += 1 } else { sizes.2 += 1 }
        }
        return InertialFlow.Separator(side: side, count: sizes.2, smaller: min(sizes.0, sizes.1))
    }

    /// The fewest vertices that meet all edges between the sides: as many as a maximum matching has pairs (Kőnig 1931).
    private func cover(_ side: [Int32]) -> [UInt32] {
        var left: [UInt32] = []
        var right: [UInt32] = []
        var rightNumber: [UInt32: Int] = [:]
        var edges: [[Int]] = []
        for vertex in side.indices where side[vertex] == 0 {
            var list: [Int] = []
            for arc in Int(first[vertex])..<Int(first[vertex + 1]) where side[Int(heads[arc])] == 1 {
                let head = heads[arc]
                let number = rightNumber[head] ?? right.count
                if number == right.count {
                    rightNumber[head] = number
                    right.append(head)
                }
                list.append(number)
            }
            if !list.isEmpty {
                left.append(UInt32(vertex))
                edges.append(list)
            }
        }
        var matchOfLeft = [Int](repeating: -1, count: left.count)
        var matchOfRight = [Int](repeating: -1, count: right.count)
        var cameFrom = [Int](repeating: -1, count: right.count)
        var seen = [Int](repeating: -1, count: right.count)
        var queue: [Int] = []
        for start in left.indices {
            queue.removeAll(keepingCapacity: true)
            queue.append(start)
            var done = 0
            var end = -1
            search: while done < queue.count {
                let vertex = queue[done]
                done += 1
                for head in edges[vertex] where seen[head] != start {
                    seen[head] = start
                    cameFrom[head] = vertex
                    if matchOfRight[head] < 0 {
                        end = head
                        break search
                    }
                    queue.append(matchOfRight[head])
                }
            }
            while end >= 0 {
                let vertex = cameFrom[end]
                let before = matchOfLeft[vertex]
                matchOfLeft[vertex] = end
                matchOfRight[end] = vertex
                end = before
            }
        }
        // What unmatched vertices on the left reach over alternating paths.
        var reachedLeft = matchOfLeft.map { $0 < 0 }
        var reachedRight = [Bool](repeating: false, count: right.count)
        queue = left.indices.filter { reachedLeft[$0] }
        while let vertex = queue.popLast() {
            for head in edges[vertex] where !reachedRight[head] {
                reachedRight[head] = true
                let match = matchOfRight[head]
                if match >= 0, !reachedLeft[match] {
                    reachedLeft[match] = true
                    queue.append(match)
                }
            }
        }
        var cover = left.indices.filter { !reachedLeft[$0] }.map { left[$0] }
        cover += right.indices.filter { reachedRight[$0] }.map { right[$0] }
        return cover
    }
}

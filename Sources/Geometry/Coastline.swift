/// Lines of the coast, joined from ways. Land lies on their left.
public struct Coastline: Sendable {
    /// A line of the coast as long as the ways are joined.
    public struct Chain: Sendable, Equatable {
        /// A closed one does not repeat its first point.
        public var points: [MercatorPoint]
        public var isClosed: Bool

        public init(points: [MercatorPoint], isClosed: Bool) {
            self.points = points
            self.isClosed = isClosed
        }
    }

    private struct Run {
        var first: Int64
        var last: Int64
        var points: [MercatorPoint]
    }

    private var runs: [Run] = []

    public init() {}

    public var isEmpty: Bool { runs.isEmpty }

    /// Adds a way. Where the place of a node is missing the way is cut.
    public mutating func add(nodes: [Int64], places: [MercatorPoint?]) {
        var points: [MercatorPoint] = []
        var first: Int64 = 0
        var last: Int64 = 0
        for (node, place) in zip(nodes, places) {
            if let place {
                if points.isEmpty { first = node }
                last = node
                if points.last != place { points.append(place) }
            } else {
                if points.count > 1 { runs.append(Run(first: first, last: last, points: points)) }
                points = []
            }
        }
        if points.count > 1 { runs.append(Run(first: first, last: last, points: points)) }
    }

    /// The ways joined at their common ends. Where two lines meet with their ends, or with their starts, the shorter one
    /// was drawn in the wrong direction and is turned round.
    public func chains() -> [Chain] {
        var open = runs
        var closed: [Chain] = []
        while true {
            open = Self.joined(open, closed: &closed)
            guard let pair = Self.opposed(open) else { break }
            var (turned, other) = (open[pair.0], open[pair.1])
            if turned.points.count > other.points.count { swap(&turned, &other) }
            let index = open[pair.0].points.count > open[pair.1].points.count ? pair.1 : pair.0
            open[index] = Run(first: turned.last, last: turned.first, points: turned.points.reversed())
        }
        return closed + open.map { Chain(points: $0.points, isClosed: false) }
    }

    private static func joined(_ runs: [Run], closed: inout [Chain]) -> [Run] {
        var byFirst: [Int64: [Int]] = [:]
        var lasts: Set<Int64> = []
        for (index, run) in runs.enumerated() {
            byFirst[run.first, default: []].append(index)
            lasts.insert(run.last)
        }
        var isUsed = [Bool](repeating: false, count: runs.count)
        var open: [Run] = []
        func follow(_ start: Int) {
            isUsed[start] = true
            var run = runs[start]
            while run.first != run.last, let next = byFirst[run.last]?.first(where: { !isUsed[$0] }) {
                isUsed[next] = true
                run.points.append(contentsOf: runs[next].points.dropFirst())
                run.last = runs[next].last
            }
            if run.first == run.last {
                let ring = run.points.first == run.points.last ? Array(run.points.dropLast()) : run.points
                if ring.count >= 3 { closed.append(Chain(points: ring, isClosed: true)) }
            } else {
                open.append(run)
            }
        }
        // Lines that nothing leads to first, then the rings.
        for index in runs.indices where !lasts.contains(runs[index].first) { follow(index) }
        for index in runs.indices where !isUsed[index] { follow(index) }
        return open
    }

    /// Two lines that end, or that start, at the same node.
    private static func opposed(_ runs: [Run]) -> (Int, Int)? {
        var firsts: [Int64: Int] = [:]
        var lasts: [Int64: Int] = [:]
        for (index, run) in runs.enumerated() {
            if let other = firsts.updateValue(index, forKey: run.first) { return (other, index) }
            if let other = lasts.updateValue(index, forKey: run.last) { return (other, index) }
        }
        return nil
    }
}

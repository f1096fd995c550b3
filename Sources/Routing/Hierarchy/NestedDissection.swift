/// An order of the vertices in which contraction adds few arcs, found by nested dissection (George 1973).
///
/// Vertices with two neighbours at most go first: contracting one adds one arc at most (the same, of what remains, until
/// all have three; in rounds without neighbours, so that a long road becomes a flat tree). What remains is halved by
/// `InertialFlow` again and again: the vertices of a separator go last, the halves before it. Cells of 64 vertices and
/// fewer are ordered by their degree (Tinney and Walker 1967). "Customizable Contraction Hierarchies" (Dibbelt, Strasser
/// and Wagner, JEA 2016) says why such an order serves every metric.
///
/// The order depends on the graph alone, not on how many cores work on it. Cost: a few flows over the graph for each of
/// about twenty levels; some 60 bytes a vertex and 20 an edge.
struct NestedDissection {
    private let points: [GraphVertex]
    private var ranks: [UInt32]
    private let progress: (Double) -> Bool

    /// A part of the graph that is still to be ordered.
    private struct Cell: Sendable {
        /// Numbers in the whole graph.
        var vertices: [UInt32]
        var graph: UndirectedGraph
        /// The ranks from here on are the cell's.
        var firstRank: Int
    }

    /// The rank of each vertex, from 0 on: what is contracted first has the lowest; nil where `progress` said so.
    ///
    /// - Parameter progress: is told the part that is done, on the caller's thread; false stops.
    static func ranks(
        of graph: UndirectedGraph, at points: [GraphVertex], progress: (Double) -> Bool = { _ in true }
    ) -> [UInt32]? {
        withoutActuallyEscaping(progress) { progress in
            var dissection = NestedDissection(points: points, graph: graph, progress: progress)
            return dissection.run(graph) ? dissection.ranks : nil
        }
    }

    private init(points: [GraphVertex], graph: UndirectedGraph, progress: @escaping (Double) -> Bool) {
        self.points = points
        self.progress = progress
        ranks = [UInt32](repeating: .max, count: graph.vertexCount)
    }

    private mutating func run(_ graph: UndirectedGraph) -> Bool {
        guard progress(0) else { return false }
        let (core, done) = reduce(graph)
        guard !core.vertices.isEmpty else { return progress(1) }
        let total = core.vertices.count
        var ranked = 0
        var large = [core]
        large[0].firstRank = done
        var small: [Cell] = []
        // What keeps one core busy for a while goes level by level, its directions at once where it is alone.
        let limit = max(4096, total / 64)
        while !large.isEmpty {
            let alone = large.count == 1
            let steps = concurrently(large.count) { [large, points] in
                Self.divide(large[$0], points, directionsAtOnce: alone)
            }
            large = []
            for step in steps {
                ranked += step.ranks.count
                for (vertex, rank) in step.ranks { ranks[Int(vertex)] = rank }
                for cell in step.cells {
                    if cell.vertices.count > limit { large.append(cell) } else { small.append(cell) }
                }
            }
            guard progress(Double(ranked) / Double(total)) else { return false }
        }
        small.sort { ($0.vertices.count, $1.firstRank) > ($1.vertices.count, $0.firstRank) }
        // The largest begin, in bunches, between which the progress is told.
        var next = 0
        while next < small.count {
            var end = next
            var size = 0
            while end < small.count, size <= 4 * limit {
                size += small[end].vertices.count
                end += 1
            }
            let done = concurrently(end - next) { [small, points, next] in Self.order(small[next + $0], points) }
            for list in done {
                ranked += list.count
                for (vertex, rank) in list { ranks[Int(vertex)] = rank }
            }
            next = end
            guard progress(Double(ranked) / Double(total)) else { return false }
        }
        return true
    }

    // MARK: Few neighbours

    /// Ranks all vertices that have, or come to have, two neighbours at most; the rest becomes the first cell.
    private mutating func reduce(_ graph: UndirectedGraph) -> (core: Cell, ranked: Int) {
        let count = graph.vertexCount
        let first = graph.first
        // A neighbour that goes is replaced by the one behind it: lists never grow.
        var heads = graph.heads
        var degree = (0..<count).map { first[$0 + 1] - first[$0] }
        var round: UInt32 = 0
        var lastRound = [UInt32](repeating: 0, count: count)
        var candidates = (0..<UInt32(count)).filter { degree[Int($0)] <= 2 }
        var ranked = 0

        /// Puts `other` in the place of `gone`, or nothing where that is there already.
        func replace(_ gone: UInt32, by other: UInt32?, at vertex: UInt32) {
            let begin = Int(first[Int(vertex)])
            let end = begin + Int(degree[Int(vertex)])
            guard let place = heads[begin..<end].firstIndex(of: gone) else { return }
            if let other, !heads[begin..<end].contains(other) {
                heads[place] = other
            } else {
                heads[place] = heads[end - 1]
                degree[Int(vertex)] -= 1
            }
        }

        while !candidates.isEmpty {
            round += 1
            var waiting: [UInt32] = []
            for vertex in candidates where ranks[Int(vertex)] == .max {
                if lastRound[Int(vertex)] == round {
                    waiting.append(vertex)
                    continue
                }
                let begin = Int(first[Int(vertex)])
                let around = Array(heads[begin..<begin + Int(degree[Int(vertex)])])
                for (index, neighbour) in around.enumerated() {
                    let before = degree[Int(neighbour)]
                    replace(vertex, by: around.count == 2 ? around[1 - index] : nil, at: neighbour)
                    lastRound[Int(neighbour)] = round
                    if before > 2, degree[Int(neighbour)] <= 2 { waiting.append(neighbour) }
                }
                ranks[Int(vertex)] = UInt32(ranked)
                ranked += 1
            }
            candidates = waiting
        }
        var number = [UInt32](repeating: 0, count: count)
        var vertices: [UInt32] = []
        for vertex in 0..<count where ranks[vertex] == .max {
            number[vertex] = UInt32(vertices.count)
            vertices.append(UInt32(vertex))
        }
        var coreFirst: [UInt32] = [0]
        var coreHeads: [UInt32] = []
        for vertex in vertices {
            let begin = Int(first[Int(vertex)])
            coreHeads += heads[begin..<begin + Int(degree[Int(vertex)])].map { number[Int($0)] }.sorted()
            coreFirst.append(UInt32(coreHeads.count))
        }
        let core = Cell(
            vertices: vertices, graph: UndirectedGraph(first: coreFirst, heads: coreHeads), firstRank: 0)
        return (core, ranked)
    }

    // MARK: Cells

    private struct Division: Sendable {
        var ranks: [(UInt32, UInt32)] = []
        var cells: [Cell] = []
    }

    private static func order(_ cell: Cell, _ points: [GraphVertex]) -> [(UInt32, UInt32)] {
        var ranks: [(UInt32, UInt32)] = []
        ranks.reserveCapacity(cell.vertices.count)
        var stack = [cell]
        while let cell = stack.popLast() {
            let division = divide(cell, points, directionsAtOnce: false)
            ranks += division.ranks
            stack += division.cells
        }
        return ranks
    }

    /// Splits a cell into its connected parts, or by a separator, or orders a small one.
    private static func divide(_ cell: Cell, _ points: [GraphVertex], directionsAtOnce: Bool) -> Division {
        let count = cell.vertices.count
        if count <= 64 { return Division(ranks: byDegree(cell)) }
        var division = Division()
        func add(_ parts: [(vertices: [UInt32], graph: UndirectedGraph)]) {
            var rank = cell.firstRank
            for part in parts where !part.vertices.isEmpty {
                division.cells.append(
                    Cell(
                        vertices: part.vertices.map { cell.vertices[Int($0)] }, graph: part.graph, firstRank: rank))
                rank += part.vertices.count
            }
        }
        let connected = cell.graph.connectedParts()
        if connected.count > 1 {
            add(cell.graph.parts(connected.part, count: connected.count))
            return division
        }
        let places = cell.vertices.map { points[Int($0)].point }
        let network = FlowNetwork(cell.graph)
        let directions = InertialFlow.Direction.allCases
        let work: @Sendable (Int) -> InertialFlow.Separator = { index in
            InertialFlow.separator(of: network, at: places, along: directions[index])
        }
        let found = directionsAtOnce ? concurrently(directions.count, work) : directions.indices.map(work)
        var best = found[0]
        for separator in found.dropFirst() where separator.isBetter(than: best) { best = separator }
        add(cell.graph.parts(best.side, count: 2))
        var rank = cell.firstRank + count - best.count
        for (index, vertex) in cell.vertices.enumerated() where best.side[index] < 0 {
            division.ranks.append((vertex, UInt32(rank)))
            rank += 1
        }
        return division
    }

    /// Orders 64 vertices and fewer by contracting always the one with the fewest neighbours.
    private static func byDegree(_ cell: Cell) -> [(UInt32, UInt32)] {
        let count = cell.vertices.count
        var neighbours = [UInt64](repeating: 0, count: count)
        for vertex in 0..<count {
            for head in cell.graph.neighbours(of: vertex) { neighbours[vertex] |= 1 << UInt64(head) }
        }
        var left = count == 64 ? UInt64.max : (1 << UInt64(count)) - 1
        var ranks: [(UInt32, UInt32)] = []
        ranks.reserveCapacity(count)
        while left != 0 {
            var best = 0
            var fewest = Int.max
            var rest = left
            while rest != 0 {
                let vertex = rest.trailingZeroBitCount
                rest &= rest - 1
                let degree = neighbours[vertex].nonzeroBitCount
                if degree < fewest {
                    fewest = degree
                    best = vertex
                }
            }
            let around = neighbours[best]
            left &= ~(1 << UInt64(best))
            rest = around
            while rest != 0 {
                let vertex = rest.trailingZeroBitCount
                rest &= rest - 1
                neighbours[vertex] = (neighbours[vertex] | around) & ~(1 << UInt64(vertex)) & ~(1 << UInt64(best))
            }
            ranks.append((cell.vertices[best], UInt32(cell.firstRank + ranks.count)))
        }
        return ranks
    }
}

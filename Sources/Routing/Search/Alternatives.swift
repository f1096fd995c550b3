/// Directed edges that cost half as much again in a search, a bit each.
final class DearerEdges {
    /// Bit `e & 63` of word `e >> 6` is that of edge `e`.
    let bits: UnsafeMutablePointer<UInt64>
    private let count: Int

    init(edgeCount: Int) {
        count = edgeCount
        let words = edgeCount / 64 + 1
        bits = .allocate(capacity: words)
        bits.initialize(repeating: 0, count: words)
    }

    deinit { bits.deallocate() }

    func contains(_ directed: UInt32) -> Bool {
        Int(directed) < count && bits[Int(directed >> 6)] >> UInt64(directed & 63) & 1 != 0
    }

    func insert(_ directed: UInt32) {
        if Int(directed) < count { bits[Int(directed >> 6)] |= 1 << UInt64(directed & 63) }
    }
}

/// Other ways than the cheapest: the search runs again with the edges of the ways found so far made dearer, which leaves the
/// potential a lower bound, and what comes out is judged by what it really costs.
///
/// What makes a way worth telling is after Abraham, Delling, Goldberg and Werneck, "Alternative routes in road networks",
/// JEA 2013: limited sharing, bounded stretch, local optimality by their T-test.
extension LegPlanner {
    /// The most of an alternative's cost that it may share with one way before it.
    private static let mostShared = 0.75
    /// How many times the cheapest way's cost an alternative may cost.
    private static let mostStretch = 1.25
    /// The part of the cheapest way's cost over which an alternative must be the best there is.
    private static let localPart = 0.25

    /// - Parameter chain: the cheapest way, from `chain(stops:goesOn:)` of this planner.
    /// - Returns: other ways with what they really cost, the cheaper first.
    mutating func alternatives(
        to chain: [Arrival], count: Int, goesOn: [Bool]
    ) throws(RoutingError) -> [(cost: Int, chain: [Arrival])] {
        guard count > 0 else { return [] }
        let stops = places
        let best = chain.map(Course.init)
        let (bestCost, bestCharges) = try cost(of: best)
        let dearer = DearerEdges(edgeCount: graph.arrays.heads.count)
        defer { search.dearer = nil }
        var told = [edges(of: best)]
        var found: [(cost: Int, chain: [Arrival])] = []
        var last = best
        for _ in 0..<2 * count + 2 where found.count < count {
            for edge in edges(of: last) { dearer.insert(edge) }
            search.dearer = dearer
            let candidate: [Arrival]
            do {
                candidate = try self.chain(stops: stops, goesOn: goesOn)
            } catch RoutingError.noRoute {
                break
            }
            search.dearer = nil
            last = candidate.map(Course.init)
            let own = edges(of: last)
            let pieces = try pieces(last)
            let (total, charges) = try cost(of: last)
            guard charges <= bestCharges, Double(total) <= Self.mostStretch * Double(bestCost) + 1000 else { continue }
            guard told.allSatisfy({ shared(pieces, with: $0) <= Self.mostShared * Double(total) }) else { continue }
            var isSensible = true
            for course in last where isSensible {
                isSensible = try isLocallyBest(course, besides: told[0], within: Double(bestCost) * Self.localPart)
            }
            guard isSensible else { continue }
            told.append(own)
            found.append((total + charges * Int(TurnCosts.of(user).enteringRestricted), candidate))
        }
        return found.sorted { $0.cost < $1.cost }
    }

    /// A leg as states between two places.
    private struct Course {
        var states: [UInt32]
        var from: EdgePlace
        var to: EdgePlace

        init(_ arrival: Arrival) {
            states = arrival.states
            from = arrival.from
            to = arrival.to
        }
    }

    private func edges(of courses: [Course]) -> Set<UInt32> {
        Set(courses.flatMap(\.states).compactMap { search.edge(of: $0) })
    }

    /// The edges of legs in order, each as often as it is driven, with what they and the turns into them cost.
    private func pieces(_ courses: [Course]) throws(RoutingError) -> [(edge: UInt32, cost: Int)] {
        var pieces: [(edge: UInt32, cost: Int)] = []
        for course in courses {
            var before = 0
            for (state, head) in zip(course.states, try heads(of: course)) {
                guard let edge = search.edge(of: state) else { continue }
                var cost = head - before
                before = head
                // For entering a road with limited access: see `cost(of:)`.
                let charge = Int(TurnCosts.of(user).enteringRestricted)
                if cost >= charge { cost -= charge }
                pieces.append((edge, cost))
            }
        }
        return pieces
    }

    private func weight(_ directed: UInt32) throws(RoutingError) -> UInt32 {
        guard let weight = graph.arrays.profile(user).weights[directed] else {
            throw .damagedAtlas(file: graph.name, reason: "an edge is not there")
        }
        return weight
    }

    /// What legs cost in the search's milliseconds, nothing made dearer, and how often they pay for entering a road with
    /// limited access: that is more than any way costs, and would hide how ways differ.
    private func cost(of courses: [Course]) throws(RoutingError) -> (cost: Int, charges: Int) {
        var sum = 0
        var charges = 0
        for course in courses {
            sum += try heads(of: course).last ?? 0
            for (state, next) in zip(course.states, course.states.dropFirst()) {
                if let edge = search.edge(of: next), let turn = search.turn(from: state, into: edge),
                    turn.cost >= TurnCosts.of(user).enteringRestricted
                {
                    charges += 1
                }
            }
        }
        return (sum - charges * Int(TurnCosts.of(user).enteringRestricted), charges)
    }

    /// What it costs to come to the end of each state's edge, or to the stop on the last one.
    private func heads(of course: Course) throws(RoutingError) -> [Int] {
        var sum = 0
        var heads: [Int] = []
        for (index, state) in course.states.enumerated() {
            guard let directed = search.edge(of: state) else {
                throw .damagedAtlas(file: graph.name, reason: "a state has no edge")
            }
            var begin = 0.0
            var end = 1.0
            if index == 0 { begin = course.from.fraction(along: directed) }
            if index == course.states.count - 1 { end = course.to.fraction(along: directed) }
            if index > 0 {
                guard let turn = search.turn(from: course.states[index - 1], into: directed) else {
                    throw .damagedAtlas(file: graph.name, reason: "a way turns where it may not")
                }
                sum += Int(turn.cost)
            }
            sum += Int(Self.part(try weight(directed), max(end - begin, 0)))
            heads.append(sum)
        }
        return heads
    }

    /// What a way pays for edges that another one uses as well.
    private func shared(_ own: [(edge: UInt32, cost: Int)], with other: Set<UInt32>) -> Double {
        Double(own.reduce(0) { $0 + (other.contains($1.edge) ? $1.cost : 0) })
    }

    /// The T-test: around the middle of each stretch that is not of the best way, from `within` before it to `within` after
    /// it, no other way is cheaper.
    private mutating func isLocallyBest(
        _ course: Course, besides best: Set<UInt32>, within: Double
    ) throws(RoutingError) -> Bool {
        let heads = try heads(of: course)
        let isOwn = course.states.map { state in search.edge(of: state).map { !best.contains($0) } ?? false }
        var index = 0
        while index < isOwn.count {
            guard isOwn[index] else {
                index += 1
                continue
            }
            var end = index
            while end + 1 < isOwn.count, isOwn[end + 1] { end += 1 }
            let middle = Double(heads[index] + heads[end]) / 2
            // From the head of one edge to the head of another, neither of which is cut by a stop.
            let start = heads.lastIndex { Double($0) <= middle - within } ?? 0
            let finish = heads.firstIndex { Double($0) >= middle + within } ?? heads.count - 1
            let goal = min(finish, heads.count - 2)
            if start < goal, let edge = search.edge(of: course.states[goal]) {
                let seeds = [SearchSeed(state: course.states[start], cost: 0)]
                let targets = [SearchTarget(edge: edge, cost: try weight(edge))]
                let outcome = run(seeds: seeds, targets: targets, all: false)
                if let damage = outcome.damage { throw .damagedAtlas(file: graph.name, reason: damage) }
                if let hit = outcome.hits.first ?? nil, Int(hit.cost) + 1 < heads[goal] - heads[start] { return false }
            }
            index = end + 1
        }
        return true
    }
}

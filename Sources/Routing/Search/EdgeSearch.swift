import OpenStreetMap

/// Where a search may start: on a directed edge, in a state, with what remains of the edge still to pay.
struct SearchSeed {
    /// A state whose last edge is the one the stop lies on.
    var state: UInt32
    /// Milliseconds from the stop to the edge's head, and what was spent before.
    var cost: UInt32
}

/// Where a search may end: on a directed edge, paying a part of it.
struct SearchTarget {
    var edge: UInt32
    /// Milliseconds from the edge's tail to the stop.
    var cost: UInt32
    /// The state in which one must arrive; `Workspace.none` for any.
    var state = Workspace.none
}

/// How a target was reached.
struct SearchHit {
    var cost: UInt32
    /// The state before the target's edge.
    var parent: UInt32
    /// The state on the target's edge.
    var state: UInt32
}

/// The exact search over states, led by a potential (A*; Hart, Nilsson and Raphael 1968), and Dijkstra's without one.
///
/// Labels hold the cost at the *head* of a state's edge. The cost of going on over an edge is its weight and the cost of
/// the turn into it; both depend on the state alone, so labels may be compared. A target is reached by entering its edge,
/// whatever label that edge may have: the start may lie on the same edge, behind the target.
///
/// Vertices at which two edges meet offer no choice: their states get labels, but are neither asked about nor queued, and
/// of a dead end it is known without asking that one comes back ("low-degree" vertices: Zeitz and Strasser 2022).
struct EdgeSearch {
    private let graph: GraphArrays
    private let profile: ProfileArrays
    private let user: RoadUser
    private let turns: TurnCosts
    private let edgeStates: UInt32
    /// Edges that cost half as much again, so that other ways are found; nil for none.
    var dearer: DearerEdges?
    /// What the request closes; nil for nothing.
    private let closed: ClosedEdges?
    /// What is closed at times, where the request has one.
    var times: TimedRoads?

    init(graph: GraphArrays, user: RoadUser, closed: ClosedEdges? = nil) {
        self.closed = closed
        self.graph = graph
        self.user = user
        profile = graph.profile(user)
        turns = TurnCosts.of(user)
        edgeStates = UInt32(graph.heads.count)
    }

    struct Outcome {
        /// By target; nil where it was not reached (or not needed).
        var hits: [SearchHit?]
        var settled: Int
        /// Nothing was found below the potential's ceiling.
        var isInVain = false
        /// The file led to nonsense.
        var damage: String?
    }

    /// - Parameters:
    ///   - wantsAll: find every target's cheapest way, not only the cheapest target.
    ///   - workspace: afterwards holds the labels, from which `path(to:)` reads.
    func run<P: Potential>(
        seeds: [SearchSeed], targets: [SearchTarget], wantsAll: Bool, potential: inout P, workspace: Workspace
    ) -> Outcome {
        var hits = [SearchHit?](repeating: nil, count: targets.count)
        var settled = 0
        let stamp = workspace.begin()
        let labels = workspace.labels
        let stateCount = UInt32(workspace.stateCount)
        let heads = graph.heads.base
        let firstLeaving = graph.firstLeaving.base
        let leaving = graph.leaving.base
        let leavingCount = UInt32(graph.leaving.count)
        let vertexCount = UInt32(graph.vertices.count)
        let vertexFacts = graph.vertexFacts.base
        let arrivals = graph.arrivals.base
        let bearings = graph.bearings.base
        let weights = profile.weights.base
        let traits = profile.traits.base
        let rules = graph.rules.base
        let stateEdges = graph.stateEdges.base
        // As many bits as directed edges; `self` keeps them.
        let dearer = self.dearer?.bits
        let edgeStates = self.edgeStates
        let userBit = user.bit
        let blockedBit = UInt32(userBit)
        let junctionBit = UInt32(userBit) << VertexFacts.junctionShift
        let turningRound = turns.turningRound
        let enteringRestricted = turns.enteringRestricted
        let closed = self.closed
        // The hottest edges of all are asked whether they are targets: a bit each tells most that they are not.
        var targetFilter: UInt64 = 0
        for target in targets { targetFilter |= 1 << UInt64(target.edge & 63) }
        var limit = UInt32.max
        let ceiling = potential.ceiling
        var isInVain = false
        var damage: String?
        let popLimit = 16 * workspace.stateCount + 1024

        var queue = workspace.queue
        defer { workspace.queue = queue }
        for seed in seeds where seed.state < stateCount {
            let edge = seed.state < edgeStates ? seed.state : stateEdges[Int(seed.state - edgeStates)]
            guard edge < edgeStates else { continue }
            let head = heads[Int(edge)]
            guard head < vertexCount else { continue }
            let label = labels[Int(seed.state)]
            if label.stamp == stamp && label.cost <= seed.cost { continue }
            labels[Int(seed.state)] = Workspace.Label(stamp: stamp, cost: seed.cost, parent: Workspace.none)
            let key = Self.sum(seed.cost, potential.lowerBound(over: Int(edge), at: Int(head)))
            queue.push(key: key, state: seed.state)
        }

        turns.byAngle.withUnsafeBufferPointer { byAngle in
            turns.byArrival.withUnsafeBufferPointer { byArrival in
                search: while let (key, state) = queue.pop() {
                    if key >= limit { break }
                    if key >= ceiling {
                        isInVain = true
                        break
                    }
                    let label = labels[Int(state)]
                    let edge = state < edgeStates ? state : stateEdges[Int(state - edgeStates)]
                    guard edge < edgeStates else {
                        damage = "a restriction names an edge that is not there"
                        break
                    }
                    let vertex = heads[Int(edge)]
                    guard vertex < vertexCount else {
                        damage = "an edge leads to a vertex that is not there"
                        break
                    }
                    let edgeTraits = traits[Int(edge)]
                    let bound =
                        edgeTraits & EdgeTraits.deadEnd != 0
                            && firstLeaving[Int(vertex) + 1] == firstLeaving[Int(vertex)] &+ 1
                            && targetFilter & (1 << UInt64((edge ^ 1) & 63)) == 0
                        ? potential.lowerBound(turningRoundAfter: Int(edge))
                        : potential.lowerBound(over: Int(edge), at: Int(vertex))
                    // An older, dearer entry of a state that has got cheaper since.
                    if key > Self.sum(label.cost, bound) { continue }
                    settled += 1
                    if settled > popLimit {
                        damage = "the search does not come to an end"
                        break
                    }
                    let facts = vertexFacts[Int(vertex)]
                    let isBlocked = facts & blockedBit != 0
                    let arrival = arrivals[Int(edge)]
                    let reached = Self.sum(label.cost, byArrival[Int(arrival & ArrivalFacts.costs)])
                    let bearingIn = bearings[Int(edge ^ 1)] &+ 32768
                    let angleBase = arrival & ArrivalFacts.leftHand != 0 ? 256 : 0
                    let isJunction = facts & junctionBit != 0
                    var firstOwnRule = 0
                    var endOwnRule = 0
                    if state >= edgeStates || arrival & ArrivalFacts.rules != 0 {
                        guard let own = graph.rules(of: state) else {
                            damage = "the rules of a turn are not there"
                            break
                        }
                        (firstOwnRule, endOwnRule) = (own.lowerBound, own.upperBound)
                    }
                    let begin = firstLeaving[Int(vertex)]
                    let end = firstLeaving[Int(vertex) + 1]
                    guard begin <= end, end <= leavingCount else {
                        damage = "the edges of a vertex are not there"
                        break
                    }
                    var index = begin
                    nextEdge: while index < end {
                        let onward = leaving[Int(index)]
                        index += 1
                        guard onward < edgeStates else {
                            damage = "a vertex has an edge that is not there"
                            break search
                        }
                        let weight = weights[Int(onward)]
                        if weight == .max { continue }
                        if let closed, closed.contains(onward) { continue }
                        var cost = reached
                        if onward == edge ^ 1 {
                            if edgeTraits & EdgeTraits.deadEnd == 0 {
                                guard let closed, isCutOff(after: edge, begin..<end, closed) else { continue }
                            }
                            cost = Self.sum(cost, turningRound)
                        } else {
                            if isBlocked { continue }
                            if isJunction {
                                let angle = Int((bearings[Int(onward)] &- bearingIn) >> 8)
                                cost = Self.sum(cost, byAngle[angleBase + angle])
                            }
                        }
                        var next = onward
                        var rule = firstOwnRule
                        while rule < endOwnRule {
                            let own = rules[rule]
                            rule += 1
                            if own.edge != onward { continue }
                            if own.next == TurnRule.banned {
                                if own.users & userBit == 0 { continue }
                                // What holds at times alone is heeded by `TimedSearch`.
                                if own.condition == 0 { continue nextEdge }
                            } else {
                                next = edgeStates &+ own.next
                                guard next < stateCount, next >= edgeStates, stateEdges[Int(own.next)] == onward
                                else {
                                    damage = "a restriction leads to a state that is not there"
                                    break search
                                }
                            }
                        }
                        // From here on over vertices without a choice, which nothing is asked about.
                        var (parent, traitsBefore) = (state, edgeTraits)
                        var last = onward
                        while true {
                            let ownTraits = traits[Int(last)]
                            let entered = ownTraits & ~traitsBefore & EdgeTraits.charged
                            if entered != 0 {
                                if entered & EdgeTraits.restricted != 0 {
                                    cost = Self.sum(cost, enteringRestricted)
                                }
                                if entered & EdgeTraits.avoided != 0 {
                                    cost = Self.sum(cost, RoadWishes.enteringAvoided)
                                }
                            }
                            if targetFilter & (1 << UInt64(last & 63)) != 0 {
                                for target in 0..<targets.count where targets[target].edge == last {
                                    let wanted = targets[target].state
                                    if wanted != Workspace.none, wanted != next { continue }
                                    let total = Self.sum(cost, targets[target].cost)
                                    if let hit = hits[target], hit.cost <= total { continue }
                                    hits[target] = SearchHit(cost: total, parent: parent, state: next)
                                    if wantsAll {
                                        limit = 0
                                        for hit in hits { limit = max(limit, hit?.cost ?? .max) }
                                    } else {
                                        limit = min(limit, total)
                                    }
                                }
                            }
                            cost = Self.sum(cost, weights[Int(last)])
                            if let dearer, dearer[Int(last >> 6)] >> UInt64(last & 63) & 1 != 0 {
                                cost = Self.sum(cost, weights[Int(last)] >> 1)
                            }
                            if cost == .max { continue nextEdge }
                            let old = labels[Int(next)]
                            if old.stamp == stamp && old.cost <= cost { continue nextEdge }
                            let head = heads[Int(last)]
                            guard head < vertexCount else {
                                damage = "an edge leads to a vertex that is not there"
                                break search
                            }
                            labels[Int(next)] = Workspace.Label(stamp: stamp, cost: cost, parent: parent)
                            let arrival = arrivals[Int(last)]
                            let leave = firstLeaving[Int(head)]
                            if ownTraits & EdgeTraits.deadEnd == 0, firstLeaving[Int(head) + 1] == leave &+ 2,
                                arrival & ArrivalFacts.rules == 0, next == last,
                                leave < leavingCount &- 1
                            {
                                let (one, other) = (leaving[Int(leave)], leaving[Int(leave) + 1])
                                let following = one == last ^ 1 ? other : one
                                // Before a closed road one may turn round: that is left to the queue.
                                if following < edgeStates, following != last ^ 1,
                                    weights[Int(following)] != .max, closed?.contains(following) != true
                                {
                                    cost = Self.sum(cost, byArrival[Int(arrival & ArrivalFacts.costs)])
                                    traitsBefore = ownTraits
                                    parent = next
                                    last = following
                                    next = following
                                    continue
                                }
                            }
                            let remaining =
                                ownTraits & EdgeTraits.deadEnd != 0
                                    && firstLeaving[Int(head) + 1] == leave &+ 1
                                    && targetFilter & (1 << UInt64((last ^ 1) & 63)) == 0
                                ? potential.lowerBound(turningRoundAfter: Int(last))
                                : potential.lowerBound(over: Int(last), at: Int(head))
                            let newKey = Self.sum(cost, remaining)
                            if newKey < limit { queue.push(key: newKey, state: next) }
                            break
                        }
                    }
                }
            }
        }
        if potential.isDamaged { damage = "the hierarchy does not fit together" }
        return Outcome(hits: hits, settled: settled, isInVain: isInVain, damage: damage)
    }

    /// Sums stay below the mark of what cannot be reached.
    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    /// The states from a start to `last`, both included, after a search in `workspace`.
    static func path(to last: UInt32, workspace: Workspace) -> [UInt32]? {
        var path: [UInt32] = []
        var state = last
        while state != Workspace.none {
            guard Int(state) < workspace.stateCount, path.count <= workspace.stateCount else { return nil }
            let label = workspace.labels[Int(state)]
            guard label.stamp == workspace.stamp else { return nil }
            path.append(state)
            state = label.parent
        }
        path.reverse()
        return path
    }

    /// The cost of the turn from one state into an edge at its head, with everything between the two edges' weights, or
    /// nil where the turn is not allowed; and the state that follows.
    func turn(from state: UInt32, into onward: UInt32) -> (cost: UInt32, next: UInt32)? {
        guard let edge = self.edge(of: state), let vertex = graph.heads[edge], let facts = graph.vertexFacts[vertex],
            let arrival = graph.arrivals[edge], let edgeTraits = profile.traits[edge],
            let onwardTraits = profile.traits[onward], let weight = profile.weights[onward], weight != .max,
            let bearingIn = graph.bearings[edge ^ 1], let bearingOut = graph.bearings[onward]
        else { return nil }
        var cost = turns.byArrival[Int(arrival & ArrivalFacts.costs)]
        if let closed, closed.contains(onward) { return nil }
        if onward == edge ^ 1 {
            if edgeTraits & EdgeTraits.deadEnd == 0 {
                guard let closed, let begin = graph.firstLeaving[vertex], let end = graph.firstLeaving[vertex + 1],
                    begin <= end, Int(end) <= graph.leaving.count, isCutOff(after: edge, begin..<end, closed)
                else { return nil }
            }
            cost += turns.turningRound
        } else {
            if facts & UInt32(user.bit) != 0 { return nil }
            if facts & UInt32(user.bit) << VertexFacts.junctionShift != 0 {
                let angle = Int((bearingOut &- (bearingIn &+ 32768)) >> 8)
                cost += turns.byAngle[(arrival & ArrivalFacts.leftHand != 0 ? 256 : 0) + angle]
            }
        }
        if onwardTraits & ~edgeTraits & EdgeTraits.restricted != 0 { cost += turns.enteringRestricted }
        if onwardTraits & ~edgeTraits & EdgeTraits.avoided != 0 { cost += RoadWishes.enteringAvoided }
        guard let next = self.next(after: state, arrival, into: onward) else { return nil }
        return (cost, next)
    }

    /// The state that follows by the rules of turns alone, or nil where they forbid the turn.
    func next(after state: UInt32, into onward: UInt32) -> UInt32? {
        guard let edge = edge(of: state), let arrival = graph.arrivals[edge] else { return nil }
        return next(after: state, arrival, into: onward)
    }

    private func next(after state: UInt32, _ arrival: UInt8, into onward: UInt32) -> UInt32? {
        var next = onward
        if state >= edgeStates || arrival & ArrivalFacts.rules != 0 {
            guard let own = graph.rules(of: state) else { return nil }
            for index in own {
                guard let rule = graph.rules[index], rule.edge == onward else { continue }
                if rule.next != TurnRule.banned {
                    guard Int(rule.next) < graph.stateEdges.count else { return nil }
                    next = edgeStates + rule.next
                } else if rule.users & user.bit != 0 {
                    if rule.condition == 0 { return nil }
                }
            }
        }
        return next
    }

    /// Whether closures leave no way on from an edge but back: then one may turn round there, as at any dead end.
    @inline(never)
    private func isCutOff(after edge: UInt32, _ leaving: Range<UInt32>, _ closed: ClosedEdges) -> Bool {
        for index in leaving {
            let onward = graph.leaving.base[Int(index)]
            guard onward != edge ^ 1, onward < edgeStates, times?.mayClose(onward) != true else { continue }
            if let weight = profile.weights[onward], weight != .max, !closed.contains(onward) { return false }
        }
        return true
    }

    /// All states in which one may be on an edge.
    func states(on edge: UInt32) -> [UInt32] {
        [edge]
            + graph.stateEdges.elements.indices.filter { graph.stateEdges.base[$0] == edge }.map {
                edgeStates + UInt32($0)
            }
    }

    func edge(of state: UInt32) -> UInt32? {
        if state < edgeStates { return state }
        guard let edge = graph.stateEdges[state - edgeStates], edge < edgeStates else { return nil }
        return edge
    }
}

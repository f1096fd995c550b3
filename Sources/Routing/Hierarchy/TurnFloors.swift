import OpenStreetMap

/// What turns cost whichever way one comes and goes, so that a metric may count it.
///
/// A turn costs what its arrival costs, by the edge one comes over, and its angle. Of the angles' costs the least over all
/// edges that lead to an edge belongs to *entering* it; of what is left the least over all edges that lead on belongs to
/// *leaving* the edge one comes over, as do signals and signs at its head. For edges `e` and `f` that meet
///
///     leaving(e) + entering(f) <= cost of the turn from e into f
///
/// Restrictions are left aside, and so is what entering restricted roads costs. Milliseconds; what is more than 65,535 is
/// cut to that.
struct TurnFloors: Sendable {
    /// By directed edge.
    private(set) var entering: [UInt16]
    private(set) var leaving: [UInt16]

    /// - Throws: the reason why the graph's arrays do not fit together.
    init(_ graph: GraphArrays, user: RoadUser) throws(Customisation.Misfit) {
        let edgeCount = graph.heads.count
        let lookup = Lookup(graph, user: user)
        let turns = TurnCosts.of(user)
        entering = [UInt16](repeating: 0, count: edgeCount)
        leaving = entering
        for edge in 0..<edgeCount {
            leaving[edge] = UInt16(clamping: turns.byArrival[Int(graph.arrivals.base[edge] & ArrivalFacts.costs)])
        }
        for vertex in 0..<graph.vertices.count {
            guard let around = lookup.around(UInt32(vertex)) else {
                throw Customisation.Misfit(reason: "the edges of a vertex are not there")
            }
            for onward in around where lookup.isOpen(onward) {
                entering[Int(onward)] = lookup.entering(onward, among: around)
            }
            for back in around where lookup.isOpen(back ^ 1) {
                var least: UInt32?
                for onward in around where lookup.isOpen(onward) {
                    if let cost = lookup.cost(back ^ 1, onward) {
                        least = min(least ?? .max, cost - min(cost, UInt32(entering[Int(onward)])))
                    }
                }
                let arrival = UInt32(leaving[Int(back ^ 1)])
                leaving[Int(back ^ 1)] = UInt16(clamping: arrival + (least ?? 0))
            }
        }
    }

    /// Finds what entering single edges costs.
    struct Lookup {
        private let graph: GraphArrays
        private let profile: ProfileArrays
        private let turns: TurnCosts
        private let junctionBit: UInt32
        private let blockedBit: UInt32

        init(_ graph: GraphArrays, user: RoadUser) {
            self.graph = graph
            profile = graph.profile(user)
            turns = TurnCosts.of(user)
            junctionBit = UInt32(user.bit) << VertexFacts.junctionShift
            blockedBit = UInt32(user.bit)
        }

        /// What entering a directed edge costs at least; 0 where the file is damaged.
        func entering(_ edge: UInt32) -> UInt16 {
            guard let tail = graph.heads[edge ^ 1], let around = around(tail) else { return 0 }
            return entering(edge, among: around)
        }

        /// The directed edges that leave a vertex where turns cost something, else none; nil where the file is damaged.
        fileprivate func around(_ vertex: UInt32) -> UnsafeBufferPointer<UInt32>? {
            guard let facts = graph.vertexFacts[vertex] else { return nil }
            // Before a barrier one can only turn round, which the potential counts itself.
            guard facts & junctionBit != 0, facts & blockedBit == 0 else {
                return UnsafeBufferPointer(start: nil, count: 0)
            }
            guard let begin = graph.firstLeaving[vertex], let end = graph.firstLeaving[vertex + 1], begin <= end,
                Int(end) <= graph.leaving.count
            else { return nil }
            let around = UnsafeBufferPointer(start: graph.leaving.base + Int(begin), count: Int(end - begin))
            return around.allSatisfy { Int($0) < graph.heads.count } ? around : nil
        }

        fileprivate func isOpen(_ edge: UInt32) -> Bool { profile.weights.base[Int(edge)] != .max }

        fileprivate func entering(_ onward: UInt32, among around: UnsafeBufferPointer<UInt32>) -> UInt16 {
            var least: UInt32?
            for back in around where isOpen(back ^ 1) {
                if let cost = cost(back ^ 1, onward) { least = min(least ?? .max, cost) }
            }
            return UInt16(clamping: least ?? 0)
        }

        fileprivate func cost(_ from: UInt32, _ onward: UInt32) -> UInt32? {
            if onward == from ^ 1 {
                return profile.traits.base[Int(from)] & EdgeTraits.deadEnd != 0 ? turns.turningRound : nil
            }
            let bearingIn = graph.bearings.base[Int(from ^ 1)] &+ 32768
            let angle = Int((graph.bearings.base[Int(onward)] &- bearingIn) >> 8)
            let keepsLeft = graph.arrivals.base[Int(from)] & ArrivalFacts.leftHand != 0
            return turns.byAngle[(keepsLeft ? 256 : 0) + angle]
        }
    }
}

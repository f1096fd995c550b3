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
        let profile = graph.profile(user)
        let turns = TurnCosts.of(user)
        let weights = profile.weights.base
        let (junctionBit, blockedBit) = (UInt32(user.bit) << VertexFacts.junctionShift, UInt32(user.bit))
        entering = [UInt16](repeating: 0, count: edgeCount)
        leaving = entering
        for edge in 0..<edgeCount {
            leaving[edge] = UInt16(clamping: turns.byArrival[Int(graph.arrivals.base[edge] & ArrivalFacts.costs)])
        }
        for vertex in 0..<graph.vertices.count {
            let facts = graph.vertexFacts.base[vertex]
            // Before a barrier one can only turn round, which the potential counts itself.
            guard facts & junctionBit != 0, facts & blockedBit == 0 else { continue }
            let (begin, end) = (graph.firstLeaving.base[vertex], graph.firstLeaving.base[vertex + 1])
            guard begin <= end, Int(end) <= graph.leaving.count else {
                throw Customisation.Misfit(reason: "the edges of a vertex are not there")
            }
            let around = UnsafeBufferPointer(start: graph.leaving.base + Int(begin), count: Int(end - begin))
            guard around.allSatisfy({ Int($0) < edgeCount }) else {
                throw Customisation.Misfit(reason: "a vertex has an edge that is not there")
            }
            func cost(_ from: UInt32, _ onward: UInt32) -> UInt32? {
                if onward == from ^ 1 {
                    return profile.traits.base[Int(from)] & EdgeTraits.deadEnd != 0 ? turns.turningRound : nil
                }
                let bearingIn = graph.bearings.base[Int(from ^ 1)] &+ 32768
                let angle = Int((graph.bearings.base[Int(onward)] &- bearingIn) >> 8)
                let keepsLeft = graph.arrivals.base[Int(from)] & ArrivalFacts.leftHand != 0
                return turns.byAngle[(keepsLeft ? 256 : 0) + angle]
            }
            for onward in around where weights[Int(onward)] != .max {
                var least: UInt32?
                for back in around where weights[Int(back ^ 1)] != .max {
                    if let cost = cost(back ^ 1, onward) { least = min(least ?? .max, cost) }
                }
                entering[Int(onward)] = UInt16(clamping: least ?? 0)
            }
            for back in around where weights[Int(back ^ 1)] != .max {
                var least: UInt32?
                for onward in around where weights[Int(onward)] != .max {
                    if let cost = cost(back ^ 1, onward) {
                        least = min(least ?? .max, cost - min(cost, UInt32(entering[Int(onward)])))
                    }
                }
                let arrival = UInt32(leaving[Int(back ^ 1)])
                leaving[Int(back ^ 1)] = UInt16(clamping: arrival + (least ?? 0))
            }
        }
    }
}

/// Distances from all vertices to a few ends over a metric's arcs, each found when it is first asked for.
///
/// From the ends one goes up the elimination tree, over arcs that lead down to them; the distance of any vertex then is the
/// least over its arcs upwards, of which all lie on its own way to the root, and is remembered ("Lazy RPHAST": Zeitz and
/// Strasser, "Using Incremental Many-to-One Queries to Build a Fast and Tight Heuristic for A\* in Road Networks", JEA 2022).
/// Cost: a walk up the tree for the ends, then amortised the arcs of each rank on the ways of the vertices asked for.
struct HierarchyDistances {
    private let ranks: UnsafePointer<UInt32>
    private let parents: UnsafePointer<UInt32>
    private let count: UInt32
    private let up: MetricArcs
    private let upFirst: UnsafePointer<UInt32>
    private let upArcs: UnsafePointer<MetricArc>
    private let upCount: UInt32
    /// The mark of arcs whose weight is to be looked up; 0 over open weights.
    private let mark: UInt32
    /// By rank: the stamp, and below it the distance.
    private let cache: UnsafeMutablePointer<UInt64>
    private let stamp: UInt64
    /// Ranks on the way up.
    private let stack: UnsafeMutablePointer<UInt32>
    /// The files do not fit together.
    private(set) var isDamaged = false

    /// - Parameters:
    ///   - up: arcs to higher ranks; `down`: arcs from them.
    ///   - isFree: which of the arcs' weights count.
    ///   - ends: vertices of the graph, with what is to be added at each.
    ///   - slot: which of the workspace's memories to use.
    init(
        _ hierarchy: Hierarchy, up: MetricArcs, down: MetricArcs, isFree: Bool,
        ends: [(vertex: UInt32, cost: UInt32)], workspace: Workspace, slot: Int
    ) {
        ranks = hierarchy.ranks.base
        parents = hierarchy.parents.base
        count = UInt32(hierarchy.vertexCount)
        self.up = up
        upFirst = up.first.base
        upArcs = up.arcs.base
        upCount = UInt32(clamping: up.arcs.count)
        mark = isFree ? MetricArc.differs : 0
        let memory = workspace.potentialCache(slot)
        cache = memory.cache
        stamp = memory.stamp + 1
        stack = workspace.rankStack
        goUp(from: ends, over: down, seen: memory.stamp)
    }

    private mutating func goUp(from ends: [(vertex: UInt32, cost: UInt32)], over down: MetricArcs, seen: UInt64) {
        let downFirst = down.first.base
        let downArcs = down.arcs.base
        let downCount = UInt32(clamping: down.arcs.count)
        var listed = 0
        for end in ends {
            guard end.vertex < count, ranks[Int(end.vertex)] < count else {
                isDamaged = true
                return
            }
            let start = ranks[Int(end.vertex)]
            var rank = start
            while cache[Int(rank)] >> 32 != seen {
                cache[Int(rank)] = seen << 32 | UInt64(UInt32.max)
                stack[listed] = rank
                listed += 1
                let parent = parents[Int(rank)]
                if parent == .max { break }
                guard parent > rank, parent < count else {
                    isDamaged = true
                    return
                }
                rank = parent
            }
            let known = UInt32(truncatingIfNeeded: cache[Int(start)])
            cache[Int(start)] = seen << 32 | UInt64(min(known, end.cost))
        }
        var ranksUpwards = UnsafeMutableBufferPointer(start: stack, count: listed)
        ranksUpwards.sort()
        for index in 0..<listed {
            let rank = Int(stack[index])
            let cost = UInt32(truncatingIfNeeded: cache[rank])
            if cost == .max { continue }
            let (begin, end) = (downFirst[rank], downFirst[rank + 1])
            guard begin <= end, end <= downCount else {
                isDamaged = true
                return
            }
            for index in Int(begin)..<Int(end) {
                let arc = downArcs[index]
                let rank = arc.rank
                guard rank < count, cache[Int(rank)] >> 32 == seen else {
                    isDamaged = true
                    return
                }
                let total = Self.sum(cost, weight(arc, index, in: down))
                if total < UInt32(truncatingIfNeeded: cache[Int(rank)]) {
                    cache[Int(rank)] = seen << 32 | UInt64(total)
                }
            }
        }
        for index in stride(from: listed - 1, through: 0, by: -1) {
            let rank = Int(stack[index])
            settle(rank, atMost: UInt32(truncatingIfNeeded: cache[rank]))
            if isDamaged { return }
        }
    }

    /// The distance from a vertex that the graph has; `.max` where no way leads to an end.
    @inline(__always)
    mutating func distance(from vertex: Int) -> UInt32 {
        let rank = ranks[vertex]
        guard rank < count else {
            isDamaged = true
            return 0
        }
        let known = cache[Int(rank)]
        if known >> 32 == stamp { return UInt32(truncatingIfNeeded: known) }
        return found(rank)
    }

    @inline(never)
    private mutating func found(_ start: UInt32) -> UInt32 {
        var depth = 0
        var rank = start
        if isDamaged { return 0 }
        while cache[Int(rank)] >> 32 != stamp {
            stack[depth] = rank
            depth += 1
            let parent = parents[Int(rank)]
            if parent == .max { break }
            guard parent > rank, parent < count else {
                isDamaged = true
                return 0
            }
            rank = parent
        }
        while depth > 0 {
            depth -= 1
            settle(Int(stack[depth]), atMost: .max)
        }
        return UInt32(truncatingIfNeeded: cache[Int(start)])
    }

    /// Takes the least over the arcs upwards, all of whose ends are known.
    @inline(__always)
    private mutating func settle(_ rank: Int, atMost limit: UInt32) {
        var best = limit
        let (begin, end) = (upFirst[rank], upFirst[rank + 1])
        guard begin <= end, end <= upCount else {
            isDamaged = true
            return
        }
        var index = Int(begin)
        while index < Int(end) {
            let arc = upArcs[index]
            let rank = arc.rank
            guard rank < count else {
                isDamaged = true
                return
            }
            let known = cache[Int(rank)]
            guard known >> 32 == stamp else {
                isDamaged = true
                return
            }
            best = min(best, Self.sum(weight(arc, index, in: up), UInt32(truncatingIfNeeded: known)))
            index += 1
        }
        cache[rank] = stamp << 32 | UInt64(best)
    }

    /// The arc's weight, of the two that this is about.
    @inline(__always)
    private mutating func weight(_ arc: MetricArc, _ index: Int, in arcs: MetricArcs) -> UInt32 {
        if arc.rankAndMark & mark == 0 { return arc.weight }
        if let weight = arcs.freeWeight(of: index) { return weight }
        isDamaged = true
        return 0
    }

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}

/// What remains to the targets, as a metric knows it.
///
/// Roads for those with business there (*restricted* ones) cost a large sum to enter, once for each stretch of them. On the
/// stretch that holds the target what remains is found by Dijkstra's algorithm before the search begins; its vertices are
/// ends of the metric's open set then. From a road that is not restricted what remains is at least
///
///     min(open distance, one entry more than needed + free distance)
///
/// and from a restricted one at least the entries needed (one where all targets are restricted, else none) and the free
/// distance, or what the target's own stretch says. The free distance is left out, as 0, in a first try: a search
/// that comes to `ceiling` has found that no way leads there over open roads, and is repeated with it.
///
/// A state before a barrier can only turn round, and waits for what that costs. What remains begins with what leaving the
/// state's edge costs at least (`TurnFloors`); the metric's edges include it, and what entering them costs.
struct HierarchyPotential: Potential {
    /// How much is asked of the metric.
    enum Reach {
        /// The open set alone.
        case open
        /// Both sets.
        case both
        /// The free set alone: the target's stretch is too large to be searched.
        case free
    }

    private var open: HierarchyDistances
    private var free: HierarchyDistances?
    private let reach: Reach
    /// What remains within the targets' stretches.
    private let stretch: [UInt32: UInt32]
    /// What the entries cost that every way needs, and one more.
    private let needed: UInt32
    private let beyond: UInt32
    private let heads: UnsafePointer<UInt32>
    private let vertexFacts: UnsafePointer<UInt32>
    private let weights: TimeSection.Base
    private let traits: UnsafePointer<UInt8>
    private let leaving: UnsafePointer<UInt16>
    private let blockedBit: UInt32
    private let turningRound: UInt32
    private let vertexCount: Int

    /// The first key at which a search over the open set is in vain.
    var ceiling: UInt32 { reach == .open ? beyond : .max }
    var isDamaged: Bool { open.isDamaged || free?.isDamaged ?? false }

    init(
        graph: GraphArrays, metric: RoadMetric, targets: [SearchTarget], reach wanted: Reach, workspace: Workspace
    ) {
        let user = metric.profile
        let profile = graph.profile(user)
        let turns = TurnCosts.of(user)
        heads = graph.heads.base
        vertexFacts = graph.vertexFacts.base
        weights = profile.weights.base
        traits = profile.traits.base
        leaving = metric.leaving.base
        blockedBit = UInt32(user.bit)
        turningRound = turns.turningRound
        vertexCount = graph.vertices.count
        let floors = TurnFloors.Lookup(graph, user: user)
        var ends: [(vertex: UInt32, cost: UInt32)] = []
        var restricted: [(vertex: UInt32, cost: UInt32)] = []
        for target in targets {
            guard let tail = graph.heads[target.edge ^ 1], Int(tail) < vertexCount,
                let facts = profile.traits[target.edge]
            else { continue }
            let cost = Self.sum(target.cost, UInt32(floors.entering(target.edge)))
            if facts & EdgeTraits.restricted == 0 {
                ends.append((tail, cost))
            } else {
                restricted.append((tail, cost))
            }
        }
        let entry = turns.enteringRestricted
        needed = ends.isEmpty ? entry : 0
        beyond = needed + entry
        let all = ends + restricted
        var reach = wanted
        if !restricted.isEmpty, reach != .free {
            if let found = Self.stretch(
                graph: graph, profile: profile, metric: metric, floors: floors, from: restricted)
            {
                stretch = found.costs
                for border in found.borders { ends.append((border.vertex, Self.sum(border.cost, entry))) }
            } else {
                stretch = [:]
                reach = .free
            }
        } else {
            stretch = [:]
        }
        self.reach = reach
        open = HierarchyDistances(
            graph.hierarchy, up: metric.up, down: metric.down, isFree: false, ends: reach == .free ? [] : ends,
            workspace: workspace, slot: 0)
        if reach != .open {
            free = HierarchyDistances(
                graph.hierarchy, up: metric.up, down: metric.down, isFree: true, ends: all, workspace: workspace,
                slot: 1)
        }
    }

    /// Costs over restricted roads alone from vertices to the ends, and those vertices that are entered from other roads;
    /// nil where there are too many.
    private static func stretch(
        graph: GraphArrays, profile: ProfileArrays, metric: RoadMetric, floors: TurnFloors.Lookup,
        from ends: [(vertex: UInt32, cost: UInt32)]
    ) -> (costs: [UInt32: UInt32], borders: [(vertex: UInt32, cost: UInt32)])? {
        let most = 4096
        var costs: [UInt32: UInt32] = [:]
        var borders: [(vertex: UInt32, cost: UInt32)] = []
        var heap = BinaryHeap<(cost: UInt32, vertex: UInt32)> { ($0.cost, $0.vertex) < ($1.cost, $1.vertex) }
        for end in ends { heap.push((end.cost, end.vertex)) }
        while let (cost, vertex) = heap.pop() {
            if costs[vertex] != nil { continue }
            guard costs.count < most else { return nil }
            costs[vertex] = cost
            guard let begin = graph.firstLeaving[vertex], let end = graph.firstLeaving[vertex + 1], begin <= end,
                Int(end) <= graph.leaving.count
            else { return nil }
            var isBorder = false
            for index in begin..<end {
                // The directed edges that arrive are the turned ones of those that leave.
                guard let directed = graph.leaving[index], let tail = graph.heads[directed],
                    Int(tail) < graph.vertices.count,
                    let weight = profile.weights[directed ^ 1], let traits = profile.traits[directed ^ 1]
                else { return nil }
                if weight == .max { continue }
                if traits & EdgeTraits.restricted == 0 {
                    isBorder = true
                } else {
                    let turns = UInt32(floors.entering(directed ^ 1))
                    let total = sum(sum(cost, weight), turns + UInt32(metric.leaving.base[Int(directed ^ 1)]))
                    if total != .max, costs[tail] == nil { heap.push((total, tail)) }
                }
            }
            if isBorder { borders.append((vertex, cost)) }
        }
        return (costs, borders)
    }

    @inline(__always)
    mutating func lowerBound(over edge: Int, at vertex: Int) -> UInt32 {
        let turning = UInt32(leaving[edge])
        if vertexFacts[vertex] & blockedBit != 0 { return Self.sum(turning, boundBeforeBarrier(edge, vertex)) }
        if traits[edge] & EdgeTraits.restricted == 0, reach != .free {
            let distance = open.distance(from: vertex)
            if distance <= beyond { return turning + distance }
        }
        return Self.sum(turning, bound(vertex, isRestricted: traits[edge] & EdgeTraits.restricted != 0))
    }

    /// Turning round, the way back, and what remains from there: the head of the edge itself need not be asked about.
    @inline(__always)
    mutating func lowerBound(turningRoundAfter edge: Int) -> UInt32 {
        let back = edge ^ 1
        let weight = weights[back]
        if weight == .max { return .max }
        let vertex = Int(heads[back])
        guard vertex < vertexCount else { return 0 }
        if vertexFacts[vertex] & blockedBit != 0 { return Self.sum(turningRound, weight) }
        return Self.sum(Self.sum(turningRound, weight), lowerBound(over: back, at: vertex))
    }

    @inline(never)
    private mutating func bound(_ vertex: Int, isRestricted: Bool) -> UInt32 {
        let distance = free?.distance(from: vertex) ?? 0
        switch (reach, isRestricted) {
        case (.free, true): return distance
        case (.free, false): return Self.sum(needed, distance)
        case (_, true):
            let remaining = Self.sum(needed, distance)
            return stretch.isEmpty ? remaining : min(stretch[UInt32(vertex)] ?? .max, remaining)
        case (_, false): return min(open.distance(from: vertex), Self.sum(beyond, distance))
        }
    }

    @inline(never)
    private mutating func boundBeforeBarrier(_ edge: Int, _ vertex: Int) -> UInt32 {
        let here = bound(vertex, isRestricted: traits[edge] & EdgeTraits.restricted != 0)
        let back = edge ^ 1
        let weight = weights[back]
        if weight == .max { return here }
        let tail = Int(heads[back])
        guard tail < vertexCount else { return 0 }
        // Between two barriers nothing more is known.
        let there =
            vertexFacts[tail] & blockedBit != 0
            ? 0 : bound(tail, isRestricted: traits[back] & EdgeTraits.restricted != 0)
        let driving = Self.sum(weight, UInt32(leaving[back]))
        return min(here, Self.sum(turningRound, Self.sum(driving, there)))
    }

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}

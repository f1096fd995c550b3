import Geometry
import OpenStreetMap

/// What leads a search to its targets.
enum SearchGuidance {
    /// Nothing (Dijkstra's algorithm), as the tests compare.
    case none
    /// The straight line, where there is no metric.
    case straightLine
    case metric(RoadMetric)

    /// Whether it knows what remains but for turns.
    var isExact: Bool {
        if case .metric = self { true } else { false }
    }
}

/// Plans the legs of one request, one search each.
///
/// Where the route goes on in the same direction at a stop, a leg finds the cheapest arrival for every direction, and the
/// next one starts from all of them with what they cost: the best chain is known at the last stop.
struct LegPlanner {
    let graph: RoadGraph
    let user: RoadUser
    var search: EdgeSearch
    let workspace: Workspace
    let guidance: SearchGuidance
    private(set) var settled = 0
    /// Where the stops of the last chain may be.
    private(set) var places: [[EdgePlace]] = []

    init(graph: RoadGraph, user: RoadUser, search: EdgeSearch, workspace: Workspace, guidance: SearchGuidance) {
        self.graph = graph
        self.user = user
        self.search = search
        self.workspace = workspace
        self.guidance = guidance
    }

    /// A way from a stop to the next one.
    struct Arrival {
        var cost: Int
        /// From the seed's state to the state on the last edge.
        var states: [UInt32]
        var from: EdgePlace
        var to: EdgePlace
        /// The arrival that this way goes on from, in the leg before.
        var previous: Int?
        /// Whether `cost` holds what the legs before cost.
        var countsBefore: Bool
    }

    private struct Start {
        var state: UInt32
        var directed: UInt32
        var place: EdgePlace
        var spent: Int
        var previous: Int?
        var countsBefore = false
        /// Milliseconds from the place to the edge's head.
        var remaining: UInt32
        var isEmpty: Bool { place.fraction(along: directed) >= 1 }
    }

    /// The cheapest way from stop to stop, a leg each.
    /// - Parameter goesOn: for each stop, whether the way goes on there in the same direction.
    mutating func chain(stops: [[EdgePlace]], goesOn: [Bool]) throws(RoutingError) -> [Arrival] {
        settled = 0
        places = stops
        var legs: [[Arrival]] = []
        var starts = try self.starts(at: stops[0])
        for leg in 0..<stops.count - 1 {
            let isLast = leg == stops.count - 2
            let wantsAll = !isLast && goesOn[leg + 1]
            var arrivals = try self.arrivals(from: starts, to: stops[leg + 1], all: wantsAll)
            if arrivals.isEmpty, goesOn[leg], let before = legs.last {
                // The only way on is back.
                let best = before.indices.min { before[$0].cost < before[$1].cost }
                let spent = best.map { before[$0].cost } ?? 0
                starts = try self.starts(at: stops[leg])
                for index in starts.indices {
                    starts[index].previous = best
                    starts[index].spent = spent + Int(TurnCosts.of(user).turningRound)
                    starts[index].countsBefore = true
                }
                arrivals = try self.arrivals(from: starts, to: stops[leg + 1], all: wantsAll)
            }
            if arrivals.isEmpty {
                throw .noRoute(from: leg, to: leg + 1, reason: obstacle(from: stops[leg], to: stops[leg + 1], leg: leg))
            }
            legs.append(arrivals)
            if isLast { break }
            starts = []
            if goesOn[leg + 1] {
                for (index, arrival) in arrivals.enumerated() {
                    guard let state = arrival.states.last, let directed = search.edge(of: state) else { continue }
                    starts.append(
                        try start(
                            state: state, directed: directed, place: arrival.to, spent: arrival.cost, previous: index))
                }
            } else {
                let best = arrivals.indices.min { arrivals[$0].cost < arrivals[$1].cost }
                starts = try self.starts(at: stops[leg + 1])
                for index in starts.indices { starts[index].previous = best }
            }
        }
        // From the cheapest last arrival back to the first leg.
        var chosen: [Arrival] = []
        var index = legs.last.flatMap { last in last.indices.min { last[$0].cost < last[$1].cost } }
        for arrivals in legs.reversed() {
            guard let at = index, arrivals.indices.contains(at) else {
                throw .damagedAtlas(file: graph.name, reason: "a way has no beginning")
            }
            chosen.append(arrivals[at])
            index = arrivals[at].previous
        }
        chosen.reverse()
        return chosen
    }

    /// The way with all that is told of it.
    func route(_ request: RouteRequest, _ chosen: [Arrival]) throws(RoutingError) -> FoundRoute {
        var builder = PathBuilder(graph: graph, user: user, search: search)
        var paths: [RoadPath] = []
        var leg = 0
        while leg < chosen.count {
            // From one stop to the next at which a leg ends.
            let first = leg
            var states = chosen[leg].states
            var from = chosen[leg].from
            var path: RoadPath?
            func pathSoFar(_ to: EdgePlace) throws(RoutingError) -> RoadPath {
                let piece = try builder.path(
                    states: states, from: from, to: to, requestedStart: request.stops[first].coordinate,
                    requestedEnd: request.stops[leg + 1].coordinate)
                guard let before = path else { return piece }
                return builder.joined(before, piece)
            }
            while leg + 1 < chosen.count, request.stops[leg + 1].passesThrough {
                let next = chosen[leg + 1]
                if next.countsBefore, next.states.first == states.last, next.from == chosen[leg].to {
                    states += next.states.dropFirst()
                } else {
                    // One turns round there, or sets out over another road.
                    path = try pathSoFar(chosen[leg].to)
                    states = next.states
                    from = next.from
                }
                leg += 1
            }
            paths.append(try pathSoFar(chosen[leg].to))
            leg += 1
        }
        var snapped: [SnappedStop] = []
        for (stop, place) in zip(request.stops, chosen.prefix(1).map(\.from) + chosen.map(\.to)) {
            snapped.append(try builder.snappedStop(place, asked: stop.coordinate))
        }
        return FoundRoute(legs: paths, stops: snapped, statesSettled: settled, cost: cost(of: chosen))
    }

    /// The way as edges alone.
    func sketch(_ chosen: [Arrival]) -> RouteSketch {
        RouteSketch(
            cost: cost(of: chosen), legs: chosen.map { $0.states.compactMap { search.edge(of: $0) } },
            statesSettled: settled)
    }

    private func cost(of chosen: [Arrival]) -> Int {
        // Where the route goes on, an arrival's cost counts the legs before it as well.
        var cost = 0
        for (index, arrival) in chosen.enumerated() where index == chosen.count - 1 || !chosen[index + 1].countsBefore {
            cost += arrival.cost
        }
        return cost
    }

    private func start(
        state: UInt32, directed: UInt32, place: EdgePlace, spent: Int, previous: Int?
    ) throws(RoutingError) -> Start {
        guard let weight = graph.arrays.profile(user).weights[directed] else {
            throw .damagedAtlas(file: graph.name, reason: "an edge is not there")
        }
        let remaining = dearer(Self.part(weight, 1 - place.fraction(along: directed)), directed)
        return Start(
            state: state, directed: directed, place: place, spent: spent, previous: previous,
            countsBefore: previous != nil, remaining: remaining)
    }

    private func starts(at places: [EdgePlace]) throws(RoutingError) -> [Start] {
        var result: [Start] = []
        for place in places {
            for directed in [2 * place.edge, 2 * place.edge + 1] where place.isOpen(directed) {
                result.append(try start(state: directed, directed: directed, place: place, spent: 0, previous: nil))
            }
        }
        return result
    }

    /// The part of a weight that a fraction of its edge costs, rounded down: the same for start, target and potential.
    static func part(_ weight: UInt32, _ fraction: Double) -> UInt32 {
        guard fraction > 0 else { return 0 }
        return UInt32((Double(weight) * min(fraction, 1)).rounded(.down))
    }

    /// What a part of an edge costs in the running search.
    private func dearer(_ part: UInt32, _ directed: UInt32) -> UInt32 {
        guard let dearer = search.dearer, dearer.contains(directed) else { return part }
        return UInt32(clamping: UInt64(part) + UInt64(part >> 1))
    }

    private mutating func arrivals(
        from starts: [Start], to places: [EdgePlace], all: Bool
    ) throws(RoutingError) -> [Arrival] {
        let weights = graph.arrays.profile(user).weights
        var targets: [(target: SearchTarget, place: EdgePlace)] = []
        for place in places {
            for directed in [2 * place.edge, 2 * place.edge + 1] where place.isOpen(directed) {
                guard let weight = weights[directed] else {
                    throw .damagedAtlas(file: graph.name, reason: "an edge is not there")
                }
                let cost = dearer(Self.part(weight, place.fraction(along: directed)), directed)
                targets.append((SearchTarget(edge: directed, cost: cost), place))
            }
        }
        // Within one edge, forwards, no search is needed; but another way may be cheaper all the same.
        var direct: [Arrival] = []
        for start in starts {
            for (target, place) in targets where target.edge == start.directed {
                let from = start.place.fraction(along: start.directed)
                let to = place.fraction(along: target.edge)
                guard from <= to, let weight = weights[target.edge] else { continue }
                direct.append(
                    Arrival(
                        cost: start.spent + Int(dearer(Self.part(weight, to - from), target.edge)),
                        states: [start.state], from: start.place, to: place, previous: start.previous,
                        countsBefore: start.countsBefore))
            }
        }
        // At a junction the roads that end there and those that begin there are all near; one sets out over the latter
        // and arrives over the former, unless a bearing leaves no choice, or a ferry sails from there: it is boarded from
        // the end of a road.
        let fullStarts = starts.filter { !$0.isEmpty || $0.previous != nil || sails(at: $0.directed) }
        let seeds = (fullStarts.isEmpty ? starts : fullStarts)
        let fullTargets = targets.filter {
            $0.place.fraction(along: $0.target.edge) > 0 || sails(at: $0.target.edge ^ 1)
        }
        var usedTargets = fullTargets.isEmpty ? targets : fullTargets
        if all {
            // What one may do behind the stop depends on the restrictions that are open there.
            usedTargets = usedTargets.flatMap { target, place in
                let states = search.states(on: target.edge)
                return states.map { state in
                    var target = target
                    if states.count > 1 { target.state = state }
                    return (target, place)
                }
            }
        }

        // What all have spent alike is no matter of the search.
        let spent = seeds.map(\.spent).min() ?? 0
        let searchSeeds = seeds.map { start in
            SearchSeed(
                state: start.state, cost: UInt32(clamping: start.spent - spent + Int(start.remaining)))
        }
        var result: [Arrival] = []
        // Towards one target the potential is at its best: where all are wanted, each has a search of its own.
        for targets in all && guidance.isExact ? usedTargets.map({ [$0] }) : [usedTargets] {
            let outcome = run(seeds: searchSeeds, targets: targets.map(\.target), all: all)
            if let damage = outcome.damage { throw .damagedAtlas(file: graph.name, reason: damage) }
            for (target, hit) in zip(targets, outcome.hits) {
                guard let hit else { continue }
                guard var states = EdgeSearch.path(to: hit.parent, workspace: workspace), let first = states.first
                else { throw .damagedAtlas(file: graph.name, reason: "a way has no beginning") }
                var start: Start?
                for seed in seeds where seed.state == first {
                    if let best = start, best.spent + Int(best.remaining) <= seed.spent + Int(seed.remaining) {
                        continue
                    }
                    start = seed
                }
                guard let start else { throw .damagedAtlas(file: graph.name, reason: "a way has no beginning") }
                states.append(hit.state)
                result.append(
                    Arrival(
                        cost: spent + Int(hit.cost), states: states, from: start.place, to: target.place,
                        previous: start.previous, countsBefore: start.countsBefore))
            }
        }
        // A direct way goes before a search's way to the same end that costs as much or more.
        for arrival in direct {
            if let index = result.firstIndex(where: { $0.to == arrival.to && $0.states.last == arrival.states.last }) {
                if arrival.cost <= result[index].cost { result[index] = arrival }
            } else {
                result.append(arrival)
            }
        }
        if !all, let best = result.min(by: { $0.cost < $1.cost }) {
            // Of equally cheap ways the one without a detour over other edges.
            return [direct.first { $0.cost <= best.cost } ?? best]
        }
        return result
    }

    /// Whether a road on which no route begins may be taken at the head of an edge.
    func sails(at directed: UInt32) -> Bool {
        let profile = graph.arrays.profile(user)
        guard let vertex = graph.arrays.heads[directed], let begin = graph.arrays.firstLeaving[vertex],
            let end = graph.arrays.firstLeaving[vertex + 1], begin <= end
        else { return false }
        for index in begin..<end {
            guard let edge = graph.arrays.leaving[index] else { return false }
            for directed in [edge, edge ^ 1] {
                guard let weight = profile.weights[directed], weight != .max, let traits = profile.traits[directed],
                    traits & EdgeTraits.startable == 0
                else { continue }
                return true
            }
        }
        return false
    }

    mutating func run(seeds: [SearchSeed], targets: [SearchTarget], all: Bool) -> EdgeSearch.Outcome {
        func outcome<P: Potential>(_ potential: P) -> EdgeSearch.Outcome {
            var potential = potential
            return search.run(
                seeds: seeds, targets: targets, wantsAll: all, potential: &potential, workspace: workspace)
        }
        var found: EdgeSearch.Outcome
        switch guidance {
        case .none:
            found = outcome(NoPotential())
        case .straightLine:
            found = outcome(ChordPotential(graph: graph.arrays, user: user, targets: targets, workspace: workspace))
        case .metric(let metric):
            found = outcome(
                HierarchyPotential(
                    graph: graph.arrays, metric: metric, targets: targets, reach: .open, workspace: workspace))
            if found.isInVain {
                let settled = found.settled
                found = outcome(
                    HierarchyPotential(
                        graph: graph.arrays, metric: metric, targets: targets, reach: .both, workspace: workspace))
                found.settled += settled
            }
        }
        settled += found.settled
        return found
    }

    /// Which end is cut off.
    func obstacle(from: [EdgePlace], to: [EdgePlace], leg: Int) -> Obstacle {
        func roads(_ places: [EdgePlace]) -> Int {
            let profile = graph.arrays.profile(user)
            var most = 0
            for place in places {
                for directed in [2 * place.edge, 2 * place.edge + 1] where place.isOpen(directed) {
                    most = max(most, profile.parts.size(around: directed) ?? 0)
                }
            }
            return most
        }
        let (start, end) = (roads(from), roads(to))
        if min(start, end) < 1000 && max(start, end) > 4 * min(start, end) {
            return start <= end ? Obstacle(end: leg, roads: start) : Obstacle(end: leg + 1, roads: end)
        }
        return Obstacle()
    }
}

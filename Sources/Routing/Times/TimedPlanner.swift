import Geometry
import OpenStreetMap

/// Plans the legs of one request that has a time, one search each.
///
/// From a departure on each leg begins when the one before has ended, and the stay at the stop between is over; towards an
/// arrival they are planned from the last one back. Where the route goes on in the same direction at a stop, a leg finds the
/// cheapest way for every direction there, and the next one starts from all of them.
struct TimedPlanner {
    let planner: LegPlanner
    private let graph: RoadGraph
    private let user: RoadUser
    private var search: TimedSearch
    private let metric: RoadMetric?
    private let guidance: SearchGuidance
    private let workspace: Workspace
    private(set) var settled = 0
    private let prefixes: [UInt32: [UInt32]]

    /// - Parameter prefixes: for directed edges the further states that end on them.
    init(
        planner: LegPlanner, search: TimedSearch, metric: RoadMetric?, guidance: SearchGuidance,
        prefixes: [UInt32: [UInt32]]
    ) {
        self.planner = planner
        graph = planner.graph
        user = planner.user
        workspace = planner.workspace
        self.search = search
        self.metric = metric
        self.guidance = guidance
        self.prefixes = prefixes
    }

    /// A way from a stop to the next one, its moments as the clock counts them.
    struct Leg {
        var steps: [TimedStep]
        var from: EdgePlace
        var to: EdgePlace
        /// When it might have begun, or should have ended.
        var limit: UInt32
        /// When one sets out, and when one is there.
        var departure: UInt32
        var arrival: UInt32
        /// What has been paid beyond the time: up to its end forwards, from its beginning on backwards.
        var excess: UInt32
        /// The leg of the stop before that this one goes on from; backwards the one behind.
        var neighbour: Int?
    }

    private struct End {
        var state: UInt32
        var directed: UInt32
        var place: EdgePlace
        var moment: UInt32
        var excess: UInt32
        var neighbour: Int?
        /// Whether the way behind a stop goes on in this very state.
        var isContinued = false
        /// The part of the edge in front of the place.
        var remaining: Double { 1 - place.fraction(along: directed) }
        var driven: Double { place.fraction(along: directed) }
    }

    private func ends(
        at places: [EdgePlace], moment: UInt32, excess: UInt32, neighbour: Int?
    ) -> [End] {
        var ends: [End] = []
        for place in places {
            for directed in [2 * place.edge, 2 * place.edge + 1] where place.isOpen(directed) {
                ends.append(
                    End(
                        state: directed, directed: directed, place: place, moment: moment, excess: excess,
                        neighbour: neighbour))
            }
        }
        return ends
    }

    /// At a junction the roads that begin there are set out on, and those that end there are arrived on.
    private func starting(_ ends: [End]) -> [End] {
        let full = ends.filter { $0.remaining > 0 || $0.neighbour != nil || planner.sails(at: $0.directed) }
        return full.isEmpty ? ends : full
    }

    private func arriving(_ ends: [End]) -> [End] {
        let full = ends.filter { $0.driven > 0 || planner.sails(at: $0.directed ^ 1) }
        return full.isEmpty ? ends : full
    }

    private func add(_ a: UInt32, _ b: Int) throws(RoutingError) -> UInt32 {
        let sum = Int(a) + b
        guard sum >= 0, sum < Int(UInt32.max) else {
            throw .invalidRequest(reason: "its stays last longer than a month")
        }
        return UInt32(sum)
    }

    // MARK: From a departure on

    /// The cheapest way from stop to stop, a leg each.
    /// - Parameter goesOn: for each stop, whether the way goes on there in the same direction.
    mutating func chain(_ request: RouteRequest, stops: [[EdgePlace]], goesOn: [Bool]) throws(RoutingError) -> [Leg] {
        settled = 0
        var all: [[Leg]] = []
        var starts = ends(at: stops[0], moment: 0, excess: 0, neighbour: nil)
        for leg in 0..<stops.count - 1 {
            let isLast = leg == stops.count - 2
            let wantsAll = !isLast && goesOn[leg + 1]
            var legs = try self.legs(from: starts, to: stops[leg + 1], all: wantsAll)
            if legs.isEmpty, goesOn[leg], let before = all.last, let best = Self.cheapest(before) {
                // The only way on is back.
                let ready = try add(
                    before[best].arrival, Int(TurnCosts.of(user).turningRound) + request.stops[leg].milliseconds)
                starts = ends(at: stops[leg], moment: ready, excess: before[best].excess, neighbour: best)
                legs = try self.legs(from: starts, to: stops[leg + 1], all: wantsAll)
            }
            if legs.isEmpty {
                throw .noRoute(
                    from: leg, to: leg + 1,
                    reason: planner.obstacle(from: stops[leg], to: stops[leg + 1], leg: leg))
            }
            all.append(legs)
            if isLast { break }
            starts = []
            let stay = request.stops[leg + 1].milliseconds
            if goesOn[leg + 1] {
                for (index, leg) in legs.enumerated() {
                    guard let state = leg.steps.last?.state, let directed = search.edge(of: state) else { continue }
                    starts.append(
                        End(
                            state: state, directed: directed, place: leg.to, moment: try add(leg.arrival, stay),
                            excess: leg.excess, neighbour: index))
                }
            } else if let best = Self.cheapest(legs) {
                starts = ends(
                    at: stops[leg + 1], moment: try add(legs[best].arrival, stay), excess: legs[best].excess,
                    neighbour: best)
            }
        }
        var chosen: [Leg] = []
        var index = all.last.flatMap(Self.cheapest)
        for legs in all.reversed() {
            guard let at = index, legs.indices.contains(at) else { throw damaged("a way has no beginning") }
            chosen.append(legs[at])
            index = legs[at].neighbour
        }
        return chosen.reversed()
    }

    /// Of legs that end at one stop.
    private static func cheapest(_ legs: [Leg]) -> Int? {
        legs.indices.min {
            let (a, b) = (legs[$0], legs[$1])
            return (Int(a.arrival) + Int(a.excess), a.arrival, $0) < (Int(b.arrival) + Int(b.excess), b.arrival, $1)
        }
    }

    private func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: graph.name, reason: reason) }

    private mutating func legs(
        from starts: [End], to places: [EdgePlace], all: Bool
    ) throws(RoutingError) -> [Leg] {
        let targets = ends(at: places, moment: 0, excess: 0, neighbour: nil)
        var found: [Leg] = []
        // Within one edge, forwards, no search is needed; but another way may be cheaper all the same.
        for start in starts {
            for target in targets where target.directed == start.directed && start.driven <= target.driven {
                let part = target.driven - start.driven
                guard let hit = search.along(start.state, part: part, from: start.moment, excess: start.excess) else {
                    continue
                }
                found.append(leg([hit.step], from: start, to: target, hit))
            }
        }
        let direct = found
        let seeds = starting(starts)
        var usedTargets = arriving(targets)
        if all {
            // What one may do behind the stop depends on the restrictions that are open there.
            usedTargets = usedTargets.flatMap { target in
                planner.search.states(on: target.directed).map { state in
                    var target = target
                    target.state = state
                    return target
                }
            }
        }
        let timedSeeds = seeds.map {
            TimedSeed(state: $0.state, part: $0.remaining, ready: $0.moment, excess: $0.excess)
        }
        for targets in all && metric != nil ? usedTargets.map({ [$0] }) : [usedTargets] {
            let outcome = try run(
                timedSeeds,
                targets.map { TimedTarget(edge: $0.directed, part: $0.driven, state: all ? $0.state : nil) }, all: all)
            for (target, hit) in zip(targets, outcome.hits) {
                guard let hit else { continue }
                let steps = search.steps(to: hit.label) + [hit.step]
                // Of several starts in one state that which was ready when the way began, with the least paid.
                let start = seeds.filter { $0.state == steps.first?.state && $0.moment <= steps[0].entered }
                    .min { Int($0.moment) + Int($0.excess) < Int($1.moment) + Int($1.excess) }
                guard let start else { throw damaged("a way has no beginning") }
                found.append(leg(steps, from: start, to: target, hit))
            }
        }
        if let damage = search.damage { throw damaged(damage) }
        if !all {
            guard let best = Self.cheapest(found) else { return [] }
            // Of equally cheap ways the one without a detour over other edges.
            let cost = Int(found[best].arrival) + Int(found[best].excess)
            let asGood = direct.first {
                Int($0.arrival) + Int($0.excess) == cost && $0.arrival <= found[best].arrival
            }
            return [asGood ?? found[best]]
        }
        return found
    }

    private func leg(_ steps: [TimedStep], from start: End, to target: End, _ hit: TimedHit) -> Leg {
        Leg(
            steps: steps, from: start.place, to: target.place, limit: start.moment,
            departure: steps.first?.entered ?? start.moment, arrival: hit.moment, excess: hit.excess,
            neighbour: start.neighbour)
    }

    private mutating func run(
        _ seeds: [TimedSeed], _ targets: [TimedTarget], all: Bool
    ) throws(RoutingError) -> TimedSearch.Outcome {
        var ends: [SearchTarget] = []
        for target in targets {
            guard let weight = graph.arrays.profile(user).weights[target.edge] else {
                throw damaged("an edge is not there")
            }
            ends.append(SearchTarget(edge: target.edge, cost: LegPlanner.part(weight, target.part)))
        }
        var outcome: TimedSearch.Outcome
        switch guidance {
        case .none:
            var potential = NoPotential()
            outcome = search.run(seeds: seeds, targets: targets, wantsAll: all, potential: &potential)
        case .straightLine:
            var potential = ChordPotential(graph: graph.arrays, user: user, targets: ends, workspace: workspace)
            outcome = search.run(seeds: seeds, targets: targets, wantsAll: all, potential: &potential)
        case .metric(let metric):
            var potential = HierarchyPotential(
                graph: graph.arrays, metric: metric, targets: ends, reach: .open, workspace: workspace)
            outcome = search.run(seeds: seeds, targets: targets, wantsAll: all, potential: &potential)
            if outcome.isInVain {
                settled += outcome.settled
                potential = HierarchyPotential(
                    graph: graph.arrays, metric: metric, targets: ends, reach: .both, workspace: workspace)
                outcome = search.run(seeds: seeds, targets: targets, wantsAll: all, potential: &potential)
            }
        }
        settled += outcome.settled
        return outcome
    }

    // MARK: Towards an arrival

    /// The way that sets out as late as it can, of the least cost when what is left before the arrival counts as waiting.
    /// - Parameter deadline: the moment of arrival.
    mutating func chainBackwards(
        _ request: RouteRequest, stops: [[EdgePlace]], goesOn: [Bool], by deadline: UInt32
    ) throws(RoutingError) -> [Leg] {
        settled = 0
        var all: [[Leg]] = []
        var targets = ends(at: stops[stops.count - 1], moment: deadline, excess: 0, neighbour: nil)
        for leg in stride(from: stops.count - 2, through: 0, by: -1) {
            let isFirst = leg == 0
            var legs = try legsBackwards(from: stops[leg], to: targets, isFirst: isFirst, all: !isFirst && goesOn[leg])
            if legs.isEmpty, goesOn[leg + 1], let behind = all.last, let best = Self.latest(behind) {
                // The only way on was back.
                let last =
                    Int(behind[best].departure) - Int(TurnCosts.of(user).turningRound)
                    - request.stops[leg + 1].milliseconds
                if last >= 0 {
                    targets = ends(
                        at: stops[leg + 1], moment: UInt32(last), excess: behind[best].excess, neighbour: best)
                    legs = try legsBackwards(
                        from: stops[leg], to: targets, isFirst: isFirst, all: !isFirst && goesOn[leg])
                }
            }
            if legs.isEmpty {
                throw .noRoute(
                    from: leg, to: leg + 1,
                    reason: planner.obstacle(from: stops[leg], to: stops[leg + 1], leg: leg))
            }
            all.append(legs)
            if isFirst { break }
            targets = []
            let stay = request.stops[leg].milliseconds
            if goesOn[leg] {
                for (index, leg) in legs.enumerated() {
                    guard let state = leg.steps.first?.state, let directed = search.edge(of: state),
                        Int(leg.departure) >= stay
                    else { continue }
                    targets.append(
                        End(
                            state: state, directed: directed, place: leg.from, moment: leg.departure - UInt32(stay),
                            excess: leg.excess, neighbour: index, isContinued: true))
                }
            } else if let best = Self.latest(legs), Int(legs[best].departure) >= stay {
                targets = ends(
                    at: stops[leg], moment: legs[best].departure - UInt32(stay), excess: legs[best].excess,
                    neighbour: best)
            }
        }
        var chosen: [Leg] = []
        var index = all.last.flatMap(Self.latest)
        for legs in all.reversed() {
            guard let at = index, legs.indices.contains(at) else { throw damaged("a way has no end") }
            chosen.append(legs[at])
            index = legs[at].neighbour
        }
        return chosen
    }

    /// Of legs that begin at one stop.
    private static func latest(_ legs: [Leg]) -> Int? {
        legs.indices.min {
            let (a, b) = (legs[$0], legs[$1])
            return (Int(a.excess) - Int(a.departure), b.departure, $0) < (
                Int(b.excess) - Int(b.departure), a.departure, $1
            )
        }
    }

    private mutating func legsBackwards(
        from places: [EdgePlace], to targets: [End], isFirst: Bool, all: Bool
    ) throws(RoutingError) -> [Leg] {
        // On the way one comes to a stop in any state of its edge; a route begins in the plain one.
        var starts: [End] = []
        for start in ends(at: places, moment: 0, excess: 0, neighbour: nil) {
            starts.append(start)
            if isFirst { continue }
            for state in prefixes[start.directed] ?? [] {
                var further = start
                further.state = state
                starts.append(further)
            }
        }
        var found: [Leg] = []
        for target in targets {
            for start in starts
            where start.directed == target.directed && start.driven <= target.driven
                && (start.state == target.state || !target.isContinued)
            {
                let part = target.driven - start.driven
                guard let hit = search.along(start.state, part: part, by: target.moment, excess: target.excess) else {
                    continue
                }
                found.append(legBackwards([hit.step], from: start, to: target, hit))
            }
        }
        let direct = found
        let seeds = arriving(targets)
        var deadlines: [TimedSearch.Deadline] = []
        for seed in seeds {
            // Where a stop lies one may be in whatever state, unless the way goes on from there in a certain one.
            let states = seed.isContinued ? [seed.state] : [seed.directed] + (prefixes[seed.directed] ?? [])
            for state in states {
                deadlines.append(
                    TimedSearch.Deadline(state: state, part: seed.driven, moment: seed.moment, excess: seed.excess))
            }
        }
        let usedStarts = starting(starts)
        for starts in all ? usedStarts.map({ [$0] }) : [usedStarts] {
            let profile = graph.arrays.profile(user)
            var beginnings: [(edge: UInt32, cost: UInt32)] = []
            for start in starts {
                guard let weight = profile.weights[start.directed] else { throw damaged("an edge is not there") }
                beginnings.append((start.directed, LegPlanner.part(weight, start.remaining)))
            }
            let isGuided = if case .none = guidance { false } else { true }
            var potential = BackwardPotential(
                graph: graph.arrays, metric: isGuided ? metric : nil, user: user, beginnings: beginnings,
                workspace: workspace)
            let outcome = search.runBackwards(
                deadlines: deadlines,
                beginnings: starts.map { TimedSearch.Beginning(state: $0.state, part: $0.remaining) },
                wantsAll: all, prefixes: prefixes, potential: &potential)
            settled += outcome.settled
            for (start, hit) in zip(starts, outcome.hits) {
                guard let hit else { continue }
                let steps = search.stepsBackwards(hit)
                guard let last = steps.last, let directed = search.edge(of: last.state) else {
                    throw damaged("a way has no end")
                }
                let target = seeds.filter {
                    $0.directed == directed
                        && $0.moment >= last.entered + LegPlanner.part(last.variant.duration, $0.driven)
                }.min { Int($0.excess) - Int($0.moment) < Int($1.excess) - Int($1.moment) }
                guard let target else { throw damaged("a way has no end") }
                found.append(legBackwards(steps, from: start, to: target, hit))
            }
        }
        if let damage = search.damage { throw damaged(damage) }
        if !all {
            guard let best = Self.latest(found) else { return [] }
            let cost = Int(found[best].excess) - Int(found[best].departure)
            let asGood = direct.first {
                Int($0.excess) - Int($0.departure) == cost && $0.departure >= found[best].departure
            }
            return [asGood ?? found[best]]
        }
        return found
    }

    private func legBackwards(_ steps: [TimedStep], from start: End, to target: End, _ hit: TimedHit) -> Leg {
        var arrival = target.moment
        if let last = steps.last {
            let part = steps.count == 1 ? target.driven - start.driven : target.driven
            arrival = last.entered + LegPlanner.part(last.variant.duration, part)
        }
        return Leg(
            steps: steps, from: start.place, to: target.place, limit: target.moment,
            departure: hit.moment, arrival: arrival, excess: hit.excess, neighbour: target.neighbour)
    }

    // MARK: Telling

    /// The way with all that is told of it.
    /// - Parameter origin: seconds since 1970 at the clock's beginning.
    func route(_ request: RouteRequest, _ chosen: [Leg], cost: Int, origin: Int64) throws(RoutingError) -> FoundRoute {
        var builder = PathBuilder(graph: graph, user: user, search: planner.search)
        var paths: [RoadPath] = []
        var allTimes: [LegTimes] = []
        for (number, leg) in chosen.enumerated() {
            builder.schedule = leg.steps
            var path = try builder.path(
                states: leg.steps.map(\.state), from: leg.from, to: leg.to,
                requestedStart: request.stops[number].coordinate, requestedEnd: request.stops[number + 1].coordinate)
            let departure = Double(origin) + Double(leg.departure) / 1000
            let arrival = Double(origin) + Double(leg.arrival) / 1000
            if number > 0, request.stops[number].passesThrough, let before = paths.popLast(),
                var times = allTimes.popLast()
            {
                // One waits where one only passes, if what follows is closed.
                let wait = departure - times.arrival
                if wait > 0, !path.edges.isEmpty {
                    path.edges[0].wait += wait
                    path.edges[0].turnDuration += wait
                    path.edges[0].turnWeight += wait * 10
                }
                path = builder.joined(before, path)
                times.arrival = arrival
                allTimes.append(times)
            } else {
                allTimes.append(LegTimes(departure: departure, arrival: arrival))
            }
            paths.append(path)
        }
        builder.schedule = nil
        var snapped: [SnappedStop] = []
        for (stop, place) in zip(request.stops, chosen.prefix(1).map(\.from) + chosen.map(\.to)) {
            snapped.append(try builder.snappedStop(place, asked: stop.coordinate))
        }
        var route = FoundRoute(legs: paths, stops: snapped, statesSettled: settled, cost: cost)
        route.times = allTimes
        return route
    }

    func sketch(_ chosen: [Leg], cost: Int) -> RouteSketch {
        RouteSketch(
            cost: cost, legs: chosen.map { $0.steps.compactMap { search.edge(of: $0.state) } }, statesSettled: settled)
    }
}

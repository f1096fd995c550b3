import Geometry
import OpenStreetMap

extension Stop {
    /// How long one stays there.
    var milliseconds: Int { passesThrough ? 0 : 1000 * stay }
}

/// Requests that have a time.
extension Router {
    /// A plan with what it costs, and the seconds since 1970 from which its moments count.
    struct TimedPlan {
        var legs: [TimedPlanner.Leg]
        var cost: Int
        var origin: Int64
    }

    /// Whether a request has a time, and the roads of its profile depend on one.
    func depends(onTime request: RouteRequest) -> Bool {
        guard request.departure != nil || request.arrival != nil else { return false }
        let arrays = graph.arrays
        if arrays.conditions.count > 0 || arrays.times.vertices.count > 0 { return true }
        return arrays.times.edges.elements.contains { $0.user == UInt32(request.profile.rawValue) }
    }

    /// A way on which nothing depends on the time, with the moments at which its legs begin and end.
    static func timed(_ route: FoundRoute, _ request: RouteRequest) -> FoundRoute {
        var route = route
        let stays = request.stops.dropFirst().filter { !$0.passesThrough }.map { Double($0.stay) }
        var moment: Double
        if let departure = request.departure {
            moment = Double(departure)
        } else if let arrival = request.arrival {
            moment = Double(arrival) - route.duration - stays.dropLast().reduce(0, +)
        } else {
            return route
        }
        route.times = zip(route.legs, stays + [0]).map { leg, stay in
            let times = LegTimes(departure: moment, arrival: moment + leg.duration)
            moment = times.arrival + stay
            return times
        }
        return route
    }

    /// How long after the departure, or before the arrival, things that depend on the time are come to at most; seconds.
    static func span(of request: RouteRequest) -> Int {
        let pace =
            switch request.profile {
            case .car: 20.0
            case .bicycle: 6.0
            case .foot: 2.0
            }
        var metres = 0.0
        for (a, b) in zip(request.stops, request.stops.dropFirst()) {
            metres += a.coordinate.distance(to: b.coordinate)
        }
        let driving = Int(min(metres / 1000 / pace * 3600, 1e9).rounded(.up))
        let stays = request.stops.dropFirst().dropLast().reduce(0) { $0 + $1.milliseconds / 1000 }
        return min(min(request.longestWait, longestSpan) + driving + stays, longestSpan)
    }

    /// Seconds: what a clock of milliseconds in 31 bits has room for.
    private static let longestSpan = 2_000_000

    func planInTime<R>(
        _ request: RouteRequest, guidance: SearchGuidance?,
        _ finish: (TimedPlanner, TimedPlan) throws(RoutingError) -> R
    ) throws(RoutingError) -> R {
        try Self.check(request)
        let network = try networkAtAllHours(request.profile, request.wishes)
        let roads = try network.timedRoads(graph, speeds: request.wishes.speeds)
        let workspace = pool.take()
        defer { pool.give(workspace) }
        let (closed, stops) = try snapped(request, network, workspace)
        let arrays = network.graph.arrays
        var search = EdgeSearch(graph: arrays, user: request.profile, closed: closed)
        search.times = roads
        let span = Self.span(of: request)
        // Before an arrival there is always time enough to come from anywhere; what changes is entered within the span alone.
        let length = request.departure != nil ? span : Self.longestSpan
        let origin = request.departure ?? (request.arrival ?? 0) - Int64(length)
        let offset = request.utcOffset
        let clock = ConditionClock(
            origin: origin, earliest: UInt32(length - span) * 1000, length: UInt32(length) * 1000,
            conditions: roads.conditions, vehicle: request.wishes.vehicle,
            site: OpeningHours.Site(coordinate: request.stops[0].coordinate) { _ in offset / 60 },
            utcOffset: offset, changes: request.clockChanges,
            stoppedAt: request.longestWait == 0 ? request.departure ?? request.arrival : nil)
        let guidance = guidance ?? network.metric.map { .metric($0) } ?? .straightLine
        var prefixes: [UInt32: [UInt32]] = [:]
        if request.departure == nil {
            for (number, edge) in arrays.stateEdges.elements.enumerated() {
                prefixes[edge, default: []].append(UInt32(arrays.heads.count + number))
            }
        }
        var planner = TimedPlanner(
            planner: LegPlanner(
                graph: network.graph, user: request.profile, search: search, workspace: workspace, guidance: guidance),
            search: TimedSearch(
                graph: arrays, user: request.profile, roads: roads, closed: closed, workspace: workspace, clock: clock),
            metric: network.metric, guidance: guidance, prefixes: prefixes)
        let goesOn = Self.goesOn(request)
        func legs(_ places: [[EdgePlace]]) throws(RoutingError) -> [TimedPlanner.Leg] {
            request.departure != nil
                ? try planner.chain(request, stops: places, goesOn: goesOn)
                : try planner.chainBackwards(request, stops: places, goesOn: goesOn, by: UInt32(length) * 1000)
        }
        let chosen: [TimedPlanner.Leg]
        do throws(RoutingError) {
            chosen = try legs(stops.map(\.nearest))
        } catch {
            guard case .noRoute = error, !request.keepsToIslands, stops.contains(where: { $0.main != nil }) else {
                throw error
            }
            chosen = try legs(stops.map { $0.main ?? $0.nearest })
        }
        let stays = request.stops.dropFirst().dropLast().reduce(0) { $0 + $1.milliseconds }
        var cost = -stays
        if request.departure != nil, let last = chosen.last {
            cost += Int(last.arrival) + Int(last.excess)
        } else if let first = chosen.first {
            cost += 1000 * length - Int(first.departure) + Int(first.excess)
        }
        return try finish(planner, TimedPlan(legs: chosen, cost: cost, origin: origin))
    }

    /// The roads at their best, where some of the profile's depend on the time.
    func networkAtAllHours(_ profile: Profile, _ wishes: RoadWishes) throws(RoutingError) -> RoadNetwork {
        if try network(profile, RoadWishes()).timedRoads(graph, speeds: nil).isEmpty {
            return try network(profile, wishes)
        }
        return try cache.network(
            key: RoadNetwork.key(profile, wishes, isAtAllHours: true), graph: graph, profile: profile
        ) { () throws(RoutingError) in
            try graph.metric(for: profile, wishes: wishes, isAtAllHours: true)
        }
    }
}

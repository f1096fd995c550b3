import Geometry
import OpenStreetMap

/// Finds ways over a road graph.
///
///     let graph = try RoadGraph.open(path: "Monaco.atlas/roads.graph")
///     let router = try Router(graph: graph, metrics: [graph.metric(for: .car)])
///     let route = try router.route(RouteRequest(stops: [Stop(harbour), Stop(station)]))
///     print(route.length, route.duration)
///
/// With a metric of the request's profile a search settles little more than the way itself; without one it is led by the
/// straight line. Both find the same. Wishes (`RoadWishes`) have a metric of their own, made when they are first asked for,
/// which takes seconds on a country, and kept in a `MetricCache`; other requests go on meanwhile.
///
/// Safe to use from many tasks at once. Search memory comes from a small pool: for each search that runs at the same time 12
/// bytes a state, 4 a vertex, and 8 or 16 a vertex for what remains, of which only what is touched becomes resident.
public final class Router: Sendable {
    public let graph: RoadGraph
    /// Where the metrics of wishes are kept.
    public let cache: MetricCache
    let pool: WorkspacePool
    /// By profile: the roads without any wish.
    private let plain: [RoadNetwork]
    private let closures: ClosureFinder

    /// A router that the straight line leads: for graphs that are asked once or twice.
    public convenience init(graph: RoadGraph) {
        self.init(graph: graph, plain: [], cache: MetricCache())
    }

    /// - Parameters:
    ///   - metrics: of no wishes, one a profile at most; the last one counts.
    ///   - cache: where metrics of wishes are kept; in memory alone without one.
    /// - Throws: `damagedAtlas` for a metric of another graph.
    public convenience init(
        graph: RoadGraph, metrics: [RoadMetric], cache: MetricCache = MetricCache()
    ) throws(RoutingError) {
        for metric in metrics where !metric.fits(graph) || metric.wished != nil {
            throw .damagedAtlas(file: metric.name, reason: "belongs to another atlas")
        }
        self.init(graph: graph, plain: metrics, cache: cache)
    }

    private init(graph: RoadGraph, plain metrics: [RoadMetric], cache: MetricCache) {
        self.graph = graph
        self.cache = cache
        plain = RoadUser.allCases.map { user in
            RoadNetwork(graph: graph, profile: user, metric: metrics.last { $0.profile == user })
        }
        closures = ClosureFinder(graph: graph)
        let arrays = graph.arrays
        pool = WorkspacePool(
            stateCount: arrays.heads.count + arrays.stateEdges.count, vertexCount: arrays.vertices.count)
    }

    func network(_ profile: Profile, _ wishes: RoadWishes) throws(RoutingError) -> RoadNetwork {
        if wishes.isEmpty { return plain[Int(profile.rawValue)] }
        if let fault = wishes.fault { throw .invalidRequest(reason: fault) }
        return try cache.network(key: RoadNetwork.key(profile, wishes), graph: graph, profile: profile) {
            () throws(RoutingError) in try graph.metric(for: profile, wishes: wishes)
        }
    }

    /// Makes the metric of wishes now, so that the first request that has them need not wait.
    /// - Returns: the metric; nil where nothing is wished and the atlas has none.
    @discardableResult
    public func prepare(_ profile: Profile, wishes: RoadWishes) throws(RoutingError) -> RoadMetric? {
        try network(profile, wishes).metric
    }

    /// The cheapest way through the stops of `request`, in order.
    ///
    /// Stops are moved to the nearest road that the profile may use; roads under the ground count as 30 m further away, and
    /// in a car park a car stops on its lanes. Where that road leads nowhere, the nearest one of the main network within a
    /// kilometre is tried instead. Where there is no way, it is looked for what keeps it from being there (`Obstacle`).
    /// - Throws: `invalidRequest`, `noRoadNearby`, `noRoute`, `damagedAtlas`.
    public func route(_ request: RouteRequest) throws(RoutingError) -> FoundRoute {
        try route(request, ledBy: nil)
    }

    func route(_ request: RouteRequest, guidance: SearchGuidance) throws(RoutingError) -> FoundRoute {
        try route(request, ledBy: guidance)
    }

    /// - Parameter guidance: what leads the search; nil for the best there is.
    private func route(_ request: RouteRequest, ledBy guidance: SearchGuidance?) throws(RoutingError) -> FoundRoute {
        guard depends(onTime: request) else {
            return try plan(request, guidance: guidance) { (plan) throws(RoutingError) in try plan.route() }
        }
        do throws(RoutingError) {
            return try planInTime(request, guidance: guidance) { (planner, plan) throws(RoutingError) in
                try planner.route(request, plan.legs, cost: plan.cost, origin: plan.origin)
            }
        } catch {
            guard case .noRoute(let from, let to, _) = error, request.tellsWhyNot || request.goesAsFarAsPossible else {
                throw error
            }
            // Whatever the time is: that throws what is in the way then, or leads up to it.
            var timeless = request
            timeless.departure = nil
            timeless.arrival = nil
            let route = try plan(timeless, guidance: guidance) { (plan) throws(RoutingError) in try plan.route() }
            if route.shortfall != nil { return Router.timed(route, request) }
            var obstacle = Obstacle()
            obstacle.isOpenAtOtherTimes = true
            throw .noRoute(from: from, to: to, reason: obstacle)
        }
    }

    /// How many directed pieces of road a closure closes.
    public func roadCount(closedBy closure: RoadClosure) -> Int { closures.directedEdges([closure]).count }

    /// The cheapest way, and up to `alternatives` others that are worth a thought, the cheaper first.
    ///
    /// Each other way shares at most three quarters of its cost with any that comes before it, costs at most a quarter more
    /// than the cheapest, and is no detour by itself: around the middle of every stretch of its own, a quarter of the
    /// cheapest way's cost long, nothing is cheaper. There may be fewer, or none. Costs some searches each. Where something
    /// depends on the request's time there are none.
    /// - Throws: as `route(_:)` does.
    public func routes(_ request: RouteRequest, alternatives: Int) throws(RoutingError) -> [FoundRoute] {
        if depends(onTime: request) { return [try route(request)] }
        return try plan(request, guidance: nil) { (plan) throws(RoutingError) in
            var plan = plan
            var routes = [try plan.route()]
            let others = try plan.planner.alternatives(
                to: plan.chain, count: alternatives, goesOn: Self.goesOn(plan.request))
            for (cost, chain) in others {
                plan.chain = chain
                var route = try plan.route()
                route.cost = cost
                routes.append(route)
            }
            return routes
        }
    }

    /// What the cheapest way costs and over which edges it leads, without geometry, names or junctions.
    ///
    /// - Throws: as `route(_:)` does.
    public func sketch(_ request: RouteRequest) throws(RoutingError) -> RouteSketch {
        var request = request
        request.tellsWhyNot = false
        if depends(onTime: request) {
            return try planInTime(request, guidance: nil) { (planner, plan) throws(RoutingError) in
                planner.sketch(plan.legs, cost: plan.cost)
            }
        }
        return try plan(request, guidance: nil) { (plan) throws(RoutingError) in plan.planner.sketch(plan.chain) }
    }

    /// What has been found for a request.
    private struct Plan {
        var planner: LegPlanner
        /// As asked, or with the last stops cut off where the route ends before them.
        var request: RouteRequest
        var chain: [LegPlanner.Arrival]
        var shortfall: Shortfall?

        func route() throws(RoutingError) -> FoundRoute {
            var route = try planner.route(request, chain)
            route.shortfall = shortfall
            return Router.timed(route, request)
        }
    }

    /// - Parameter guidance: what leads the search; nil for the best there is.
    private func plan<R>(
        _ request: RouteRequest, guidance: SearchGuidance?, _ finish: (Plan) throws(RoutingError) -> R
    ) throws(RoutingError) -> R {
        try Self.check(request)
        let network = try network(request.profile, request.wishes)
        let workspace = pool.take()
        defer { pool.give(workspace) }
        let (closed, stops) = try snapped(request, network, workspace)
        let search = EdgeSearch(
            graph: network.graph.arrays, user: request.profile, closed: closed)
        var planner = LegPlanner(
            graph: network.graph, user: request.profile, search: search, workspace: workspace,
            guidance: guidance ?? network.metric.map { .metric($0) } ?? .straightLine)
        let goesOn = Self.goesOn(request)
        var places = stops.map(\.nearest)
        let chain: [LegPlanner.Arrival]
        do throws(RoutingError) {
            do throws(RoutingError) {
                chain = try planner.chain(stops: places, goesOn: goesOn)
            } catch {
                guard case .noRoute = error, !request.keepsToIslands, stops.contains(where: { $0.main != nil }) else {
                    throw error
                }
                places = stops.map { $0.main ?? $0.nearest }
                chain = try planner.chain(stops: places, goesOn: goesOn)
            }
        } catch {
            guard case .noRoute(let from, let to, let reason) = error,
                request.tellsWhyNot || request.goesAsFarAsPossible
            else { throw error }
            let whyNot = WhyNot(
                graph: network.graph, base: graph, user: request.profile, wishes: request.wishes, search: search,
                closed: closed)
            var obstacle = reason
            if request.tellsWhyNot { obstacle.hindrances = whyNot.hindrances(from: places[from], to: places[to]) }
            let asked = request.stops[to].coordinate
            let snapper = Snapper(
                graph: network.graph.arrays, user: request.profile, name: graph.name,
                takesAny: request.snapsToAnyRoad)
            let last = try whyNot.nearestReachable(
                to: asked, from: places[from], snapper: snapper, tries: planner.guidance.isExact ? 64 : 8
            ) { (place) throws(RoutingError) in
                do throws(RoutingError) {
                    _ = try planner.chain(stops: [places[from], [place]], goesOn: [false, false])
                    return true
                } catch {
                    guard case .noRoute = error else { throw error }
                    return false
                }
            }
            guard let last else { throw RoutingError.noRoute(from: from, to: to, reason: obstacle) }
            let distance = last.point.coordinate.distance(to: asked)
            obstacle.reach = Obstacle.Reach(coordinate: last.point.coordinate, distance: distance)
            guard request.goesAsFarAsPossible else {
                throw RoutingError.noRoute(from: from, to: to, reason: obstacle)
            }
            var shorter = request
            shorter.stops.removeLast(request.stops.count - 1 - to)
            let chain = try planner.chain(
                stops: Array(places.prefix(to)) + [[last]], goesOn: Array(goesOn.prefix(to + 1)))
            return try finish(
                Plan(
                    planner: planner, request: shorter, chain: chain,
                    shortfall: Shortfall(stop: to, distance: distance, obstacle: obstacle)))
        }
        return try finish(Plan(planner: planner, request: request, chain: chain))
    }

    func snapped(
        _ request: RouteRequest, _ network: RoadNetwork, _ workspace: Workspace
    ) throws(RoutingError) -> (closed: ClosedEdges?, stops: [SnapChoice]) {
        let closed = workspace.close(request.closures.isEmpty ? [] : closures.directedEdges(request.closures))
        var stops: [SnapChoice] = []
        for (index, stop) in request.stops.enumerated() {
            stops.append(try snap(stop, index: index, request, network, closed))
        }
        return (closed, stops)
    }

    /// By stop, whether the route goes on there in the same direction.
    static func goesOn(_ request: RouteRequest) -> [Bool] {
        request.stops.map { request.continueStraight ?? (request.profile == .car || $0.passesThrough) }
    }

    /// The nearest roads that `profile` may use at `stop`, the nearest first, each once.
    ///
    /// Bearing, radius (20 km without one) and approach of the stop are heeded, and so are wishes: a road that they close is
    /// none. Roads under the ground count as 30 m further away than they are. Empty where there is no such road.
    /// - Parameter snapsToAnyRoad: as `RouteRequest.snapsToAnyRoad`.
    /// - Throws: `invalidRequest`, `damagedAtlas`.
    public func nearestRoads(
        to stop: Stop, count: Int, profile: Profile = .car, wishes: RoadWishes = RoadWishes(),
        snapsToAnyRoad: Bool = false
    ) throws(RoutingError) -> [SnappedStop] {
        let request = RouteRequest(stops: [stop, stop], profile: profile, wishes: wishes)
        try Self.check(request)
        guard count > 0 else { return [] }
        let graph = try network(profile, wishes).graph
        let snapper = Snapper(graph: graph.arrays, user: profile, name: graph.name, takesAny: snapsToAnyRoad)
        var places: [EdgePlace] = []
        try snapper.nearest(to: stop, within: min(stop.radius ?? request.maximumSnapDistance, 1e7)) {
            (place) throws(RoutingError) in
            places.append(place)
            return places.count < count
        }
        let search = EdgeSearch(graph: graph.arrays, user: profile)
        var builder = PathBuilder(graph: graph, user: profile, search: search)
        var roads: [SnappedStop] = []
        for place in places { roads.append(try builder.snappedStop(place, asked: stop.coordinate)) }
        return roads
    }

    static func check(_ request: RouteRequest) throws(RoutingError) {
        guard request.stops.count >= 2 else { throw .invalidRequest(reason: "it needs two stops at least") }
        guard request.stops.count <= 1000 else { throw .invalidRequest(reason: "it has more than 1000 stops") }
        guard request.closures.count <= 100_000 else {
            throw .invalidRequest(reason: "it closes more than 100,000 roads")
        }
        for moment in [request.departure, request.arrival] {
            if let moment, moment.magnitude > 1 << 40 {
                throw .invalidRequest(reason: "its time lies beyond all calendars")
            }
        }
        guard request.longestWait >= 0, request.utcOffset.magnitude <= 86_400 else {
            throw .invalidRequest(reason: "its longest wait or its local time is no length of time")
        }
        for (index, stop) in request.stops.enumerated() {
            guard stop.coordinate.isValid else {
                throw .invalidRequest(reason: "stop \(index + 1) lies off the globe")
            }
            guard stop.stay >= 0, stop.stay < 10_000_000 else {
                throw .invalidRequest(reason: "the stay at stop \(index + 1) is no length of time")
            }
            if let radius = stop.radius, !(radius >= 0) {
                throw .invalidRequest(reason: "the radius of stop \(index + 1) is no length")
            }
            if let bearing = stop.bearing, !bearing.degrees.isFinite || !bearing.tolerance.isFinite {
                throw .invalidRequest(reason: "the bearing of stop \(index + 1) is no direction")
            }
        }
    }

    // MARK: Snapping

    /// Metres up to which who names a point means the road itself, whatever lies around it.
    private static let onTheRoad = 2.0

    /// The nearest places of a stop, and those on the main network where the nearest ones are not.
    struct SnapChoice {
        var nearest: [EdgePlace]
        var main: [EdgePlace]?
    }

    private func snap(
        _ stop: Stop, index: Int, _ request: RouteRequest, _ network: RoadNetwork, _ closed: ClosedEdges?
    ) throws(RoutingError) -> SnapChoice {
        let limit = min(stop.radius ?? request.maximumSnapDistance, 1e7)
        let snapper = Snapper(
            graph: network.graph.arrays, user: request.profile, name: graph.name, takesAny: request.snapsToAnyRoad)
        var (nearest, main) = try places(near: stop, snapper, limit, network, closed) { _ in true }
        if request.profile == .car, let first = nearest.first, first.distance > Self.onTheRoad {
            // In a car park one stops on its lanes, even if a street outside is nearer.
            var inCarPark = try roads(inCarParkAt: stop, snapper, limit)
            if let closed { inCarPark = inCarPark.filter { !closed.contains(2 * $0) && !closed.contains(2 * $0 + 1) } }
            if !inCarPark.isEmpty, !inCarPark.contains(first.edge) {
                (nearest, main) = try places(near: stop, snapper, limit, network, closed) { inCarPark.contains($0) }
            }
        }
        guard let first = nearest.first else {
            throw .noRoadNearby(stop: index, coordinate: stop.coordinate, distance: limit)
        }
        if let best = main.first, best.rank <= first.rank + 0.02 { main = [] }
        return SnapChoice(nearest: nearest, main: main.isEmpty ? nil : main)
    }

    /// The nearest places, and the nearest on the main network.
    /// - Parameter mayBeNearest: whether an edge counts for the former.
    private func places(
        near stop: Stop, _ snapper: Snapper, _ limit: Double, _ network: RoadNetwork, _ closed: ClosedEdges?,
        _ mayBeNearest: (UInt32) -> Bool
    ) throws(RoutingError) -> (nearest: [EdgePlace], main: [EdgePlace]) {
        var nearest: [EdgePlace] = []
        var main: [EdgePlace] = []
        var seen = 0
        try snapper.nearest(to: stop, within: limit) { (place) throws(RoutingError) in
            var place = place
            if let closed {
                // One does not set out on a closed road, nor arrive there.
                if closed.contains(2 * place.edge) { place.isForwardOpen = false }
                if closed.contains(2 * place.edge + 1) { place.isBackwardOpen = false }
                if !place.isForwardOpen && !place.isBackwardOpen { return true }
            }
            if nearest.isEmpty, !mayBeNearest(place.edge) { return true }
            seen += 1
            let isMain = try isOnMainNetwork(place, network)
            if let first = nearest.first {
                // Places as near as the nearest are as good: at a junction, all its roads.
                if place.rank <= first.rank + 0.02 {
                    nearest.append(place)
                    if isMain { main.append(place) }
                    return nearest.count < 64
                }
                if let first = main.first {
                    guard place.rank <= first.rank + 0.02 else { return false }
                    if isMain { main.append(place) }
                    return main.count < 64
                }
                if place.rank > first.rank + 1000 || seen > 500 { return false }
                if isMain { main.append(place) }
                return true
            }
            nearest.append(place)
            if isMain { main.append(place) }
            return true
        }
        return (nearest, main)
    }

    /// The roads on which a car stops whose driver named a point within a car park: those that lead over it, else those that
    /// end at its edge. None where the point lies in no car park.
    private func roads(inCarParkAt stop: Stop, _ snapper: Snapper, _ limit: Double) throws(RoutingError) -> Set<UInt32>
    {
        let parks = snapper.carParks(around: stop.coordinate)
        if parks.isEmpty { return [] }
        var within: Set<UInt32> = []
        var joining: Set<UInt32> = []
        var seen = 0
        try snapper.nearest(to: stop, within: min(limit, 300)) { (place) throws(RoutingError) in
            seen += 1
            if !snapper.carParks(around: place.point.coordinate).isDisjoint(with: parks) {
                within.insert(place.edge)
                return false
            }
            if joining.isEmpty, snapper.joins(place.edge, parks) { joining.insert(place.edge) }
            return seen < 64
        }
        return within.isEmpty ? joining : within
    }

    private func isOnMainNetwork(_ place: EdgePlace, _ network: RoadNetwork) throws(RoutingError) -> Bool {
        let profile = network.graph.arrays.profile(network.profile)
        for directed in [2 * place.edge, 2 * place.edge + 1] where place.isOpen(directed) {
            guard let size = profile.parts.size(around: directed) else {
                throw .damagedAtlas(file: graph.name, reason: "an edge belongs to a part that is not there")
            }
            if size >= network.islandLimit { return true }
        }
        return false
    }
}

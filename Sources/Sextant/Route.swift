import Geometry
import Guidance
import Routing

/// A way through two or more stops, with what a driver is told.
///
///     let route = try router.directions(RouteRequest(stops: [Stop(from), Stop(to)]))
///     for step in route.legs.flatMap(\.steps) { print(step.sentence) }
///
/// A route's distance, duration and weight are the sums over its legs, and a leg's those over its steps; each leg's
/// shape begins where the one before ends.
public struct Route: Sendable, Equatable {
    /// One for each two neighbouring stops, those left out that the route only passes.
    public var legs: [RouteLeg]
    /// All stops, where they were moved to the road.
    public var waypoints: [SnappedStop]
    /// The kinds of road that it uses, of those that one may wish to avoid.
    public var kinds: RoadKinds
    /// What one should know before setting out.
    public var notices: [RouteNotice]
    /// Where it ends before a stop that cannot be reached; nil where it leads to the last one.
    public var shortfall: Shortfall?
    /// When each leg begins and ends; empty where the request had no time.
    public var times: [LegTimes] = []
    /// Seconds of waiting on the way for what is closed.
    public var waiting: Double { legs.reduce(0) { $0 + $1.steps.reduce(0) { $0 + $1.wait } } }

    public init(
        legs: [RouteLeg], waypoints: [SnappedStop], kinds: RoadKinds = [], notices: [RouteNotice] = [],
        shortfall: Shortfall? = nil
    ) {
        self.legs = legs
        self.waypoints = waypoints
        self.kinds = kinds
        self.notices = notices
        self.shortfall = shortfall
    }

    /// Metres.
    public var distance: Double { legs.reduce(0) { $0 + $1.distance } }
    /// Seconds.
    public var duration: Double { legs.reduce(0) { $0 + $1.duration } }
    public var weight: Double { legs.reduce(0) { $0 + $1.weight } }
    /// Every point of the way at full precision; the points at which legs meet come once.
    public var geometry: [Coordinate] {
        var line: [Coordinate] = []
        for leg in legs {
            line.append(contentsOf: leg.shape.dropFirst(line.last == leg.shape.first && !line.isEmpty ? 1 : 0))
        }
        return line
    }

    /// The geometry as an encoded polyline.
    public func polyline(precision: Polyline.Precision = .five) -> String {
        Polyline.encode(geometry, precision: precision)
    }
}

/// The way from one stop to the next.
public struct RouteLeg: Sendable, Equatable {
    /// From the departure to the arrival.
    public var steps: [GuidanceStep]
    /// Every point of the leg; the steps' shapes are ranges of it.
    public var shape: [Coordinate]
    /// The OSM node of each point; 0 at an end inside an edge. Read from the graph when asked for.
    public var nodeIDs: [Int64] {
        var ids: [Int64] = []
        ids.reserveCapacity(shape.count)
        for edge in pieces.joined() { ids.append(contentsOf: edge.nodeIDs.dropFirst(ids.isEmpty ? 0 : 1)) }
        return ids
    }
    /// The piece between each two neighbouring points; made when asked for.
    public var segments: [RouteSegment] {
        var segments: [RouteSegment] = []
        segments.reserveCapacity(max(shape.count - 1, 0))
        for edge in pieces.joined() {
            let lengths = zip(edge.shape, edge.shape.dropFirst()).map { $0.distance(to: $1) }
            let whole = lengths.reduce(0, +)
            for length in lengths {
                let share = whole > 0 ? length / whole : 1 / Double(lengths.count)
                segments.append(
                    RouteSegment(
                        distance: edge.length * share, duration: edge.duration * share, weight: edge.weight * share))
            }
        }
        return segments
    }
    /// Metres.
    public var distance: Double
    /// Seconds.
    public var duration: Double
    public var weight: Double
    /// The roads that tell this leg from others: the two longest that have a name, in order.
    public var summary: String
    /// The edges of each path that the leg leads over.
    private var pieces: [[PathEdge]]

    /// The geometry of one of the leg's steps.
    public func shape(of step: GuidanceStep) -> ArraySlice<Coordinate> {
        shape[step.shape.clamped(to: 0...max(shape.count - 1, 0))]
    }
}

/// The piece of a leg between two neighbouring points.
public struct RouteSegment: Sendable, Equatable {
    /// Metres.
    public var distance: Double
    /// Seconds, without what is lost in turns.
    public var duration: Double
    public var weight: Double
}

extension Router {
    /// The cheapest way through the stops of a request, with steps and sentences.
    ///
    /// Costs the search, and time linear in the length of the way.
    ///
    /// - Throws: `RoutingError`.
    public func directions(_ request: RouteRequest) throws(RoutingError) -> Route {
        Route(try route(request), avoiding: request.wishes.avoided)
    }

    /// The cheapest way and up to `alternatives` others, as `routes(_:alternatives:)` chooses them.
    ///
    /// - Throws: `RoutingError`.
    public func directions(_ request: RouteRequest, alternatives: Int) throws(RoutingError) -> [Route] {
        try routes(request, alternatives: alternatives).map { Route($0, avoiding: request.wishes.avoided) }
    }
}

extension Route {
    /// The directions for a way that the router found.
    /// - Parameter avoided: what was to be avoided, so that the notices tell what is used all the same.
    public init(_ found: FoundRoute, avoiding avoided: RoadKinds = []) {
        self.init(
            legs: found.legs.map(RouteLeg.init), waypoints: found.stops, kinds: found.kinds,
            notices: RouteNotice.of(found, avoiding: avoided), shortfall: found.shortfall)
        times = found.times
    }
}

extension RouteLeg {
    /// The directions for a path.
    public init(_ path: RoadPath) {
        var shape: [Coordinate] = []
        shape.reserveCapacity(path.edges.reduce(1) { $0 + max($1.shape.count - 1, 0) })
        for edge in path.edges { shape.append(contentsOf: edge.shape.dropFirst(shape.isEmpty ? 0 : 1)) }
        steps = Guide.steps(for: path)
        self.shape = shape
        pieces = [path.edges]
        distance = path.length
        duration = path.duration
        weight = path.weight
        summary = Self.summary(of: steps)
    }

    private static func summary(of steps: [GuidanceStep]) -> String {
        var names: [String] = []
        var lengths: [Double] = []
        for step in steps {
            let name = step.name.isEmpty ? step.ref : step.name
            guard !name.isEmpty else { continue }
            if let i = names.firstIndex(of: name) {
                lengths[i] += step.distance
            } else {
                names.append(name)
                lengths.append(step.distance)
            }
        }
        let longest = names.indices.sorted { lengths[$0] > lengths[$1] }.prefix(2).sorted()
        return longest.map { names[$0] }.joined(separator: ", ")
    }
}

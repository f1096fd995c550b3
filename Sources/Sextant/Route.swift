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
    /// One for each two neighbouring stops.
    public var legs: [RouteLeg]
    /// The stops, where they were moved to the road.
    public var waypoints: [SnappedStop]
    /// The kinds of road that it uses, of those that one may wish to avoid.
    public var kinds: RoadKinds

    public init(legs: [RouteLeg], waypoints: [SnappedStop], kinds: RoadKinds = []) {
        self.legs = legs
        self.waypoints = waypoints
        self.kinds = kinds
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
    /// The OSM node of each point; 0 at an end inside an edge.
    public var nodeIDs: [Int64]
    /// The piece between each two neighbouring points; made when asked for.
    public var segments: [RouteSegment] {
        var segments: [RouteSegment] = []
        segments.reserveCapacity(max(shape.count - 1, 0))
        var point = 0
        for sum in sums {
            let lengths = (point..<point + sum.segments).map { shape[$0].distance(to: shape[$0 + 1]) }
            let whole = lengths.reduce(0, +)
            for length in lengths {
                let share = whole > 0 ? length / whole : 1 / Double(lengths.count)
                segments.append(
                    RouteSegment(
                        distance: sum.distance * share, duration: sum.duration * share, weight: sum.weight * share))
            }
            point += sum.segments
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
    /// What the leg's edges add up to, each with its number of segments.
    private var sums: [EdgeSum]

    private struct EdgeSum: Sendable, Equatable {
        var segments: Int
        var distance: Double
        var duration: Double
        var weight: Double
    }

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
        Route(try route(request))
    }

    /// The cheapest way and up to `alternatives` others, as `routes(_:alternatives:)` chooses them.
    ///
    /// - Throws: `RoutingError`.
    public func directions(_ request: RouteRequest, alternatives: Int) throws(RoutingError) -> [Route] {
        try routes(request, alternatives: alternatives).map { Route($0) }
    }
}

extension Route {
    /// The directions for a way that the router found.
    public init(_ found: FoundRoute) {
        self.init(legs: found.legs.map(RouteLeg.init), waypoints: found.stops, kinds: found.kinds)
    }
}

extension RouteLeg {
    /// The directions for a path.
    public init(_ path: RoadPath) {
        var shape: [Coordinate] = []
        var nodeIDs: [Int64] = []
        let count = path.edges.reduce(1) { $0 + max($1.shape.count - 1, 0) }
        shape.reserveCapacity(count)
        nodeIDs.reserveCapacity(count)
        sums = []
        sums.reserveCapacity(path.edges.count)
        for edge in path.edges {
            sums.append(
                EdgeSum(
                    segments: max(edge.shape.count - 1, 0), distance: edge.length, duration: edge.duration,
                    weight: edge.weight))
            let skip = shape.isEmpty ? 0 : 1
            shape.append(contentsOf: edge.shape.dropFirst(skip))
            nodeIDs.append(contentsOf: edge.nodeIDs.dropFirst(skip))
        }
        steps = Guide.steps(for: path)
        self.shape = shape
        self.nodeIDs = nodeIDs
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

extension RouteLeg {
    /// Goes on with the leg that begins where this one ends; nothing is told at the stop between them.
    public mutating func append(_ next: RouteLeg) {
        guard let end = steps.indices.last, end > 0, let departure = next.steps.first else { return }
        let offset = shape.count - 1
        steps.removeLast()
        var last = steps.removeLast()
        last.distance += departure.distance
        last.duration += departure.duration
        last.weight += departure.weight
        last.shape = last.shape.lowerBound...(departure.shape.upperBound + offset)
        last.intersections += departure.intersections.dropFirst().map { $0.moved(by: offset) }
        steps.append(last)
        for step in next.steps.dropFirst() {
            var step = step
            step.shape = (step.shape.lowerBound + offset)...(step.shape.upperBound + offset)
            step.intersections = step.intersections.map { $0.moved(by: offset) }
            steps.append(step)
        }
        shape += next.shape.dropFirst()
        nodeIDs += next.nodeIDs.dropFirst()
        sums += next.sums
        distance += next.distance
        duration += next.duration
        weight += next.weight
        summary = Self.summary(of: steps)
    }
}

extension StepIntersection {
    fileprivate func moved(by offset: Int) -> StepIntersection {
        var moved = self
        moved.shapeIndex += offset
        return moved
    }
}

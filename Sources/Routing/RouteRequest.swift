import Geometry
import OpenStreetMap

/// Who travels: a car, a bicycle, a walker.
public typealias Profile = RoadUser

/// On which side of the road a stop may be reached or left.
public enum Approach: UInt8, Sendable, Hashable, Codable {
    case unrestricted
    /// The stop must lie on the side on which traffic keeps: nobody has to cross the road.
    case curb
    /// The stop must lie on the other side.
    case opposite
}

/// A direction of travel with a tolerance.
public struct BearingRange: Sendable, Hashable, Codable {
    /// Degrees clockwise from north.
    public var degrees: Double
    /// Degrees by which the road's direction may differ on each side; 180 and more allow every direction.
    public var tolerance: Double

    public init(degrees: Double, tolerance: Double) {
        self.degrees = degrees
        self.tolerance = tolerance
    }

    /// Whether a road that runs at `bearing` lies within the range.
    public func contains(_ bearing: Double) -> Bool {
        guard degrees.isFinite, tolerance.isFinite else { return false }
        if tolerance >= 180 { return true }
        var difference = (bearing - degrees).truncatingRemainder(dividingBy: 360)
        if difference < -180 { difference += 360 }
        if difference > 180 { difference -= 360 }
        return difference.magnitude <= tolerance
    }
}

/// A place that a route starts at, passes or ends at.
public struct Stop: Sendable, Hashable {
    public var coordinate: Coordinate
    /// The direction in which the road must be travelled at the stop; nil leaves both.
    public var bearing: BearingRange?
    /// Metres within which a road must lie; nil stands for `RouteRequest.maximumSnapDistance`.
    public var radius: Double?
    public var approach: Approach
    /// Seconds that one stays there before the route goes on; matters where the request has a time, and one does stop.
    public var stay = 0
    /// Whether the route only leads past here: no leg ends, nothing is told, and one goes on in the same direction unless the
    /// request says otherwise. At the ends of a request it says nothing.
    public var passesThrough: Bool

    public init(
        _ coordinate: Coordinate, bearing: BearingRange? = nil, radius: Double? = nil,
        approach: Approach = .unrestricted, passesThrough: Bool = false
    ) {
        self.coordinate = coordinate
        self.bearing = bearing
        self.radius = radius
        self.approach = approach
        self.passesThrough = passesThrough
    }
}

/// A question to the router.
public struct RouteRequest: Sendable, Hashable {
    /// Two stops at least, in the order in which they are visited.
    public var stops: [Stop]
    public var profile: Profile
    /// Whether the route goes on in the same direction at the stops between its ends. Nil stands for the profile's
    /// habit: a car goes on, bicycles and walkers may turn round.
    public var continueStraight: Bool?
    /// Metres beyond which a stop without a radius counts as having no road.
    public var maximumSnapDistance: Double
    /// Whether stops may also be moved to roads where one does not usually begin: private drives, ferries.
    public var snapsToAnyRoad: Bool
    /// Seconds since 1970 at which one may set out.
    ///
    /// With a departure or an arrival everything that depends on the time is heeded at the moment at which it is come to:
    /// conditional access, restrictions and speeds, the opening hours of gates and ferries. One waits before what is
    /// closed where that is cheaper than a way round, a second of it for a second of driving (`PathEdge.wait`). With neither,
    /// roads are as their plain tags say. The first such request of a profile and its wishes makes a metric of its own, as
    /// wishes do, where the atlas has roads that depend on the time.
    public var departure: Int64?
    /// Seconds since 1970 at which one wants to be at the last stop; counts where there is no departure. The route sets
    /// out as late as it can.
    public var arrival: Int64?
    /// Seconds that local time is ahead of universal time, until the first of `clockChanges`.
    public var utcOffset: Int
    /// When clocks change on the way.
    public var clockChanges: [ClockChange] = []
    /// Seconds that may go by with waiting: nothing that depends on the time is entered later after the departure than
    /// this and the time that a slow pace would take (20 km in a straight line an hour by car, 6 by bicycle, 2 on foot);
    /// in the same way before the arrival. At most some 23 days count in all. With 0 nobody waits: everything is taken to
    /// stay as it is at the departure or arrival, however long the way is.
    public var longestWait = 86_400
    /// What is wished of all roads.
    public var wishes: RoadWishes
    /// Roads that are closed for this request alone; those that name nothing close nothing.
    public var closures: [RoadClosure]
    /// Whether the route may end before a stop that cannot be reached, at the reachable place nearest to it
    /// (`FoundRoute.shortfall` tells so), instead of there being none.
    public var goesAsFarAsPossible = false
    /// Whether an error tells what is in the way and how far one gets, which takes up to a second on a country; otherwise
    /// which end is cut off, and nothing more.
    public var tellsWhyNot = true
    /// Whether a stop keeps to its nearest road even where that is an island that the other stops are not on. Otherwise the
    /// nearest road of the main network within a kilometre is taken then.
    public var keepsToIslands = false

    public init(
        stops: [Stop], profile: Profile = .car, continueStraight: Bool? = nil, maximumSnapDistance: Double = 20_000,
        snapsToAnyRoad: Bool = false, departure: Int64? = nil, utcOffset: Int = 0, wishes: RoadWishes = RoadWishes(),
        closures: [RoadClosure] = []
    ) {
        self.wishes = wishes
        self.closures = closures
        self.stops = stops
        self.profile = profile
        self.continueStraight = continueStraight
        self.maximumSnapDistance = maximumSnapDistance
        self.snapsToAnyRoad = snapsToAnyRoad
        self.departure = departure
        self.utcOffset = utcOffset
    }
}

/// Where a stop was moved to.
public struct SnappedStop: Sendable, Equatable {
    /// The place on the road.
    public var location: Coordinate
    /// The road's name, or empty.
    public var name: String
    /// Metres between the asked place and the road.
    public var distance: Double
    /// The OSM way, and the node ids of the segment's ends on it.
    public var wayID: Int64
    public var nodeIDs: [Int64]

    public init(location: Coordinate, name: String, distance: Double, wayID: Int64 = 0, nodeIDs: [Int64] = []) {
        self.location = location
        self.name = name
        self.distance = distance
        self.wayID = wayID
        self.nodeIDs = nodeIDs
    }
}

/// An answer of the router: a leg between each two neighbouring stops, those left out that it only passes.
public struct FoundRoute: Sendable, Equatable {
    public var legs: [RoadPath]
    /// All stops, those that it only passes included.
    public var stops: [SnappedStop]
    /// Where the route ends before a stop that cannot be reached; nil where it leads to the last one.
    public var shortfall: Shortfall?
    /// How many search states were settled, a measure of the work done.
    public var statesSettled: Int
    /// What the route costs in the search's own whole milliseconds: time with the penalties of its roads and turns.
    public var cost: Int
    /// When each leg begins and ends; empty where the request has no time.
    public var times: [LegTimes] = []

    public init(legs: [RoadPath], stops: [SnappedStop], statesSettled: Int, cost: Int = 0) {
        self.legs = legs
        self.stops = stops
        self.statesSettled = statesSettled
        self.cost = cost
    }

    /// Metres.
    public var length: Double { legs.reduce(0) { $0 + $1.length } }
    /// Seconds.
    public var duration: Double { legs.reduce(0) { $0 + $1.duration } }
    public var weight: Double { legs.reduce(0) { $0 + $1.weight } }
    /// The kinds of road that it uses, of those that one may wish to avoid.
    public var kinds: RoadKinds {
        legs.reduce(into: []) { kinds, leg in
            for edge in leg.edges { kinds.formUnion(edge.kinds) }
            if leg.junctions.contains(where: { $0.barrier == "toll_booth" }) { kinds.insert(.tolls) }
        }
    }
}

/// When a leg begins and ends, in seconds since 1970.
public struct LegTimes: Sendable, Hashable {
    /// When one sets out: where the first road is closed, or an arrival asked for, not at once.
    public var departure: Double
    public var arrival: Double

    public init(departure: Double, arrival: Double) {
        self.departure = departure
        self.arrival = arrival
    }
}

/// What a route costs and over which edges it leads, and nothing more.
public struct RouteSketch: Sendable, Equatable {
    /// As `FoundRoute.cost`.
    public var cost: Int
    /// The directed edges of each leg, those that its stops lie on included.
    public var legs: [[UInt32]]
    public var statesSettled: Int
}

/// What can go wrong when a route is asked for.
public enum RoutingError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Fewer than two stops, a coordinate off the globe, a radius or bearing that is no number.
    case invalidRequest(reason: String)
    /// No road that the profile may use lies near enough. `stop` counts from 0; `distance` is the limit in metres.
    case noRoadNearby(stop: Int, coordinate: Coordinate, distance: Double)
    /// There are roads at both stops, but no way between them. The stops are counted from 0.
    case noRoute(from: Int, to: Int, reason: Obstacle)
    /// The file is not what was written: truncated, or bytes of it changed.
    case damagedAtlas(file: String, reason: String)
    /// The file is of a newer (or no longer read) format version.
    case unsupportedVersion(file: String, version: Int)
    /// The file cannot be opened, read or written.
    case fileError(file: String, reason: String)
    /// The disk has no room for the file, of which nothing was kept.
    case diskFull(file: String)
    /// Whoever was told the progress wanted no more of it.
    case stopped(during: String)

    public var description: String {
        switch self {
        case .invalidRequest(let reason): return "this is no route request: \(reason)"
        case .noRoadNearby(let stop, let coordinate, let distance):
            let metres = Int(exactly: distance.rounded()).map(String.init) ?? "\(distance)"
            return "no road within \(metres) m of stop \(stop + 1) at \(coordinate)"
        case .noRoute(let from, let to, let reason):
            return "no route from stop \(from + 1) to stop \(to + 1): \(reason.words { "stop \($0 + 1)" })"
        case .damagedAtlas(let file, let reason): return "\(file) is damaged: \(reason)"
        case .unsupportedVersion(let file, let version):
            return "\(file) has format version \(version), which this program does not read"
        case .fileError(let file, let reason): return "\(file): \(reason)"
        case .diskFull(let file): return "the disk is full; nothing of \(file) was kept"
        case .stopped(let phase): return "stopped at \(phase); nothing was kept"
        }
    }
}

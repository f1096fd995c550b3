import Geometry
import OpenStreetMap

/// Why no way leads from one stop to the next, and what would have to be otherwise.
///
///     do {
///         try router.route(request)
///     } catch .noRoute(_, let to, let obstacle) {
///         print(obstacle.words { "stop \($0 + 1)" })
///         for hindrance in obstacle.hindrances { print(hindrance, hindrance.remedy) }
///     }
public struct Obstacle: Sendable, Hashable {
    /// The stop whose road hangs together with few others, counted from 0: an island, or a trap of one-way streets. Nil where
    /// both ends lie on a large part of the network.
    public var end: Int?
    /// How many pieces of road, each counted by direction, hang together at that end; 0 without one.
    public var roads: Int
    /// The least number of rules that would have to be lifted for a way to lead there, in the way's order. Empty where no way
    /// would lead there even then, or none was found within the bounds of the search.
    public var hindrances: [Hindrance]
    /// The place nearest to the stop that can be reached.
    public var reach: Reach?
    /// Whether a way leads there at other times: what is closed at the request's time is in the way.
    public var isOpenAtOtherTimes = false

    public init(end: Int? = nil, roads: Int = 0, hindrances: [Hindrance] = [], reach: Reach? = nil) {
        self.end = end
        self.roads = roads
        self.hindrances = hindrances
        self.reach = reach
    }

    /// How far one gets.
    public struct Reach: Sendable, Hashable {
        /// On a road that can be reached from the stop before.
        public var coordinate: Coordinate
        /// Metres in a straight line that are left to the stop.
        public var distance: Double

        public init(coordinate: Coordinate, distance: Double) {
            self.coordinate = coordinate
            self.distance = distance
        }
    }

    /// What is in the way, as a sentence without its end.
    /// - Parameter label: what a stop, counted from 0, is called.
    public func words(_ label: (Int) -> String) -> String {
        if isOpenAtOtherTimes { return "a way leads there at other times, but not at this one" }
        var text = hindrances.prefix(5).map(\.description).joined(separator: "; ")
        if hindrances.count > 5 { text += "; and \(hindrances.count - 5) more" }
        guard let end else { return text.isEmpty ? "the roads at both ends are not connected" : text }
        let island = "the road at \(label(end)) leads nowhere else (\(roads) pieces of road hang together there)"
        return text.isEmpty ? island : island + ": " + text
    }

    /// What to allow so that a way leads there; empty where nothing is known to help.
    public var remedies: [String] {
        var texts: [String] = []
        for hindrance in hindrances where !texts.contains(hindrance.remedy) { texts.append(hindrance.remedy) }
        return texts
    }
}

/// A rule that keeps a way from leading where it is asked to.
public struct Hindrance: Sendable, Hashable, CustomStringConvertible {
    public enum Rule: Sendable, Hashable {
        /// A barrier that the profile cannot pass, by its kind (`gate`, `bollard`), or a node's tag that forbids passing.
        case barrier(String)
        /// A road that a tag closes to the profile, as `motor_vehicle=no`.
        case access(String)
        /// A road of a sort that the profile does not use, as a car does no footway.
        case unsuited(RoadClass)
        /// A road that is one-way, the other way.
        case oneway
        /// A turn restriction, into the way of this number.
        case turnRestriction(into: Int64)
        /// Kinds of road that the request excludes.
        case excluded(RoadKinds)
        /// A limit that the vehicle exceeds, as "3.5 m high".
        case tooLarge(String)
        /// The request closes the road.
        case closure
        /// The request's speeds close the road.
        case speed
    }

    public var rule: Rule
    /// The way, or the node of a barrier or restriction.
    public var id: OSMID
    /// The name of the road, or its number, or empty.
    public var road: String
    /// Where the rule is met.
    public var coordinate: Coordinate

    public init(rule: Rule, id: OSMID, road: String, coordinate: Coordinate) {
        self.rule = rule
        self.id = id
        self.road = road
        self.coordinate = coordinate
    }

    private var object: String {
        let word = id.type == .node ? "node" : "way"
        return road.isEmpty ? "\(word) \(id.number)" : "\(road) (\(word) \(id.number))"
    }

    /// What is in the way, and where: "a gate (node 7) at 47.14, 9.52 is closed".
    public var description: String {
        switch rule {
        case .barrier(let kind):
            if kind.contains("=") { return "node \(id.number) at \(coordinate) may not be passed (\(kind))" }
            let words = kind.split(separator: "_").joined(separator: " ")
            return "a barrier (\(words), node \(id.number)) at \(coordinate) cannot be passed"
        case .access(let tag): return "\(object) at \(coordinate) is closed (\(tag))"
        case .unsuited(let kind): return "\(object) at \(coordinate) is \(kind.words), which is not for this traffic"
        case .oneway: return "\(object) at \(coordinate) is one-way, the other way"
        case .turnRestriction(let way):
            return "at node \(id.number) (\(coordinate)) a restriction forbids to turn into way \(way)"
        case .excluded(let kinds): return "\(object) at \(coordinate) is excluded by the request (\(kinds.words))"
        case .tooLarge(let limit): return "\(object) at \(coordinate) is too small or weak: at most \(limit)"
        case .closure: return "\(object) at \(coordinate) is closed by the request"
        case .speed: return "\(object) at \(coordinate) is closed by the request's speeds"
        }
    }

    /// What to allow.
    public var remedy: String {
        switch rule {
        case .barrier(let kind):
            kind.contains("=") ? "pass node \(id.number)" : "open the barrier at node \(id.number)"
        case .access: "open way \(id.number)"
        case .unsuited(let kind): "use \(kind.words)"
        case .oneway: "drive against the one-way street (way \(id.number))"
        case .turnRestriction(let way): "turn into way \(way) at node \(id.number)"
        case .excluded(let kinds): "do not exclude \(kinds.words)"
        case .tooLarge(let limit): "a vehicle of at most \(limit)"
        case .closure: "do not close way \(id.number)"
        case .speed: "do not close way \(id.number) by speeds"
        }
    }

    /// A word for programs: `barrier`, `access`, `unsuited`, `oneway`, `restriction`, `excluded`, `size`, `closure`, `speed`.
    public var kind: String {
        switch rule {
        case .barrier: "barrier"
        case .access: "access"
        case .unsuited: "unsuited"
        case .oneway: "oneway"
        case .turnRestriction: "restriction"
        case .excluded: "excluded"
        case .tooLarge: "size"
        case .closure: "closure"
        case .speed: "speed"
        }
    }
}

/// Where a route ends that does not lead to a stop, because none does.
public struct Shortfall: Sendable, Hashable {
    /// The stop that is not reached, counted from 0; the route leads to the one before and from there as near as it can.
    public var stop: Int
    /// Metres in a straight line from the route's end to that stop.
    public var distance: Double
    public var obstacle: Obstacle

    public init(stop: Int, distance: Double, obstacle: Obstacle) {
        self.stop = stop
        self.distance = distance
        self.obstacle = obstacle
    }
}

extension RoadKinds {
    /// "toll, ferry"
    public var words: String { Self.names.filter { contains($0.kind) }.map(\.name).joined(separator: ", ") }
}

extension RoadClass {
    fileprivate var words: String {
        switch self {
        case .motorway, .motorwayLink: "a motorway"
        case .trunk, .trunkLink: "a trunk road"
        case .track: "a track"
        case .pedestrian: "a pedestrian street"
        case .cycleway: "a cycleway"
        case .footway: "a footway"
        case .path: "a path"
        case .steps: "a flight of steps"
        case .ferry: "a ferry"
        default: "a road"
        }
    }
}

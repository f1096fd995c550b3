import Geometry
import OpenStreetMap

public typealias TravelMode = OpenStreetMap.TravelMode
public typealias RoadClass = OpenStreetMap.RoadClass

/// What a road is called and what it is like: the attributes of a way in one direction of travel.
///
/// Empty text stands for a missing tag, as most roads lack most of them. A value of one reference: a path holds thousands of
/// them, and most of the roads at its junctions are the same few.
public struct RoadAttributes: Sendable, Equatable {
    private struct Values: Equatable {
        var name: String = ""
        var ref: String = ""
        var destinations: String = ""
        var exits: String = ""
        var pronunciation: String = ""
        var rotaryName: String = ""
        var turnLanes: String = ""
        var lanes: Int = 0
        var roadClass: RoadClass = .other
        var isOneway: Bool = false
        var isRoundabout: Bool = false
        var isCircular: Bool = false
        var isBridge: Bool = false
        var isTunnel: Bool = false
        var isToll: Bool = false
        var isUnpaved: Bool = false
        var isLeftHandTraffic: Bool = false
    }

    /// Changed only while one value alone refers to it.
    private final class Storage: @unchecked Sendable {
        var values: Values

        init(_ values: Values) { self.values = values }
    }

    private static let empty = Storage(Values())

    private var storage: Storage
    public var wayID: Int64 = 0
    /// Low-priority roads (`restricted`, `private`, `destination` access).
    public var isRestricted = false

    public init() { storage = Self.empty }

    private mutating func own() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.values) }
    }

    public static func == (a: RoadAttributes, b: RoadAttributes) -> Bool {
        a.wayID == b.wayID && a.isSame(as: b)
    }

    /// Whether both are equal but for the way. Costs next to nothing for roads that were read together.
    public func isSame(as other: RoadAttributes) -> Bool {
        isRestricted == other.isRestricted && (storage === other.storage || storage.values == other.storage.values)
    }

    /// Whether both surely have the same name and number, told without comparing texts; false may mean that they have.
    public func isKnownToBeNamed(as other: RoadAttributes) -> Bool { storage === other.storage }

    public var name: String {
        get { storage.values.name }
        set {
            own()
            storage.values.name = newValue
        }
    }
    /// Route numbers, parts joined with "; " as the tag has them.
    public var ref: String {
        get { storage.values.ref }
        set {
            own()
            storage.values.ref = newValue
        }
    }
    /// Where signs point (`destination`, or `destination:forward`/`:backward` by direction), with `destination:ref`
    /// first.
    public var destinations: String {
        get { storage.values.destinations }
        set {
            own()
            storage.values.destinations = newValue
        }
    }
    /// The number of the exit (`junction:ref` of the way, or `ref` of a `motorway_junction` node before it).
    public var exits: String {
        get { storage.values.exits }
        set {
            own()
            storage.values.exits = newValue
        }
    }
    public var pronunciation: String {
        get { storage.values.pronunciation }
        set {
            own()
            storage.values.pronunciation = newValue
        }
    }
    /// The name of a rotary where it differs from the street's.
    public var rotaryName: String {
        get { storage.values.rotaryName }
        set {
            own()
            storage.values.rotaryName = newValue
        }
    }
    /// Lanes in the direction of travel as `turn:lanes` tells them, left to right, or empty.
    public var turnLanes: String {
        get { storage.values.turnLanes }
        set {
            own()
            storage.values.turnLanes = newValue
        }
    }
    /// The number of lanes in the direction of travel; 0 where unknown.
    public var lanes: Int {
        get { storage.values.lanes }
        set {
            own()
            storage.values.lanes = newValue
        }
    }
    public var roadClass: RoadClass {
        get { storage.values.roadClass }
        set {
            own()
            storage.values.roadClass = newValue
        }
    }
    public var isOneway: Bool {
        get { storage.values.isOneway }
        set {
            own()
            storage.values.isOneway = newValue
        }
    }
    /// `junction=roundabout` (with `isCircular` false) or `junction=circular`.
    public var isRoundabout: Bool {
        get { storage.values.isRoundabout }
        set {
            own()
            storage.values.isRoundabout = newValue
        }
    }
    public var isCircular: Bool {
        get { storage.values.isCircular }
        set {
            own()
            storage.values.isCircular = newValue
        }
    }
    public var isBridge: Bool {
        get { storage.values.isBridge }
        set {
            own()
            storage.values.isBridge = newValue
        }
    }
    public var isTunnel: Bool {
        get { storage.values.isTunnel }
        set {
            own()
            storage.values.isTunnel = newValue
        }
    }
    public var isToll: Bool {
        get { storage.values.isToll }
        set {
            own()
            storage.values.isToll = newValue
        }
    }
    /// Whether the surface is not sealed, as far as the tags tell.
    public var isUnpaved: Bool {
        get { storage.values.isUnpaved }
        set {
            own()
            storage.values.isUnpaved = newValue
        }
    }
    public var isLeftHandTraffic: Bool {
        get { storage.values.isLeftHandTraffic }
        set {
            own()
            storage.values.isLeftHandTraffic = newValue
        }
    }
}

/// One way that leaves a junction, seen from the junction, drivable or not.
public struct JunctionArm: Sendable, Equatable {
    /// Degrees clockwise from north, leaving the junction.
    public var bearing: Double
    public var road: RoadAttributes
    /// Whether the profile may drive from the junction into this arm (turn restrictions of the arriving edge aside).
    public var isEnterable: Bool
    /// Whether the profile may arrive at the junction over this arm.
    public var isLeavable: Bool
    /// Whether the turn from the path's arriving edge into this arm is allowed (restrictions and access together).
    public var isTurnAllowed: Bool
    /// The mode of travel on the arm where it is enterable.
    public var mode: TravelMode
    /// A first stretch of the arm's geometry, beginning at the junction, up to about 30 m.
    ///
    /// Read from the graph when asked for: most are never looked at.
    public var shape: [Coordinate] {
        get {
            switch outline {
            case .points(let points): points
            case .edge(let graph, let directed): graph.start(of: directed)
            }
        }
        set { outline = .points(newValue) }
    }
    public var isPathEntry: Bool
    public var isPathExit: Bool

    private enum Outline {
        case points([Coordinate])
        case edge(RoadGraph, UInt32)
    }

    private var outline: Outline

    public init(
        bearing: Double, road: RoadAttributes, isEnterable: Bool, isLeavable: Bool, isTurnAllowed: Bool,
        mode: TravelMode, shape: [Coordinate], isPathEntry: Bool = false, isPathExit: Bool = false
    ) {
        self.bearing = bearing
        self.road = road
        self.isEnterable = isEnterable
        self.isLeavable = isLeavable
        self.isTurnAllowed = isTurnAllowed
        self.mode = mode
        outline = .points(shape)
        self.isPathEntry = isPathEntry
        self.isPathExit = isPathExit
    }

    /// An arm whose shape is that of a directed edge that the graph has.
    init(
        bearing: Double, road: RoadAttributes, isEnterable: Bool, isLeavable: Bool, isTurnAllowed: Bool,
        mode: TravelMode, graph: RoadGraph, directed: UInt32, isPathEntry: Bool, isPathExit: Bool
    ) {
        self.bearing = bearing
        self.road = road
        self.isEnterable = isEnterable
        self.isLeavable = isLeavable
        self.isTurnAllowed = isTurnAllowed
        self.mode = mode
        outline = .edge(graph, directed)
        self.isPathEntry = isPathEntry
        self.isPathExit = isPathExit
    }

    public static func == (a: JunctionArm, b: JunctionArm) -> Bool {
        a.bearing == b.bearing && a.road == b.road && a.isEnterable == b.isEnterable && a.isLeavable == b.isLeavable
            && a.isTurnAllowed == b.isTurnAllowed && a.mode == b.mode && a.isPathEntry == b.isPathEntry
            && a.isPathExit == b.isPathExit && a.shape == b.shape
    }
}

/// The vertex at which one edge of a path ends and the next begins.
public struct PathJunction: Sendable, Equatable {
    public var nodeID: Int64
    public var location: Coordinate
    /// Every incident way, sorted clockwise by bearing, the arriving one (pointing back) included.
    public var arms: [JunctionArm]
    public var hasTrafficSignal: Bool
    /// `name` of the node's junction, or empty.
    public var name: String
    /// The kind of a barrier that costs time here, as `toll_booth`, `border_control` or `gate`; empty for none.
    public var barrier: String

    public init(
        nodeID: Int64, location: Coordinate, arms: [JunctionArm], hasTrafficSignal: Bool = false, name: String = "",
        barrier: String = ""
    ) {
        self.barrier = barrier
        self.nodeID = nodeID
        self.location = location
        self.arms = arms
        self.hasTrafficSignal = hasTrafficSignal
        self.name = name
    }
}

/// One piece of a path: an edge of the graph, or a part of one at the path's ends.
public struct PathEdge: Sendable, Equatable {
    public var road: RoadAttributes
    public var mode: TravelMode
    /// From where the path enters the edge to where it leaves it; two points at least.
    public var shape: [Coordinate]
    /// OSM node ids of the shape's points; 0 at a snapped end inside the edge.
    ///
    /// Those of whole edges are read from the graph when asked for: most are never looked at.
    public var nodeIDs: [Int64] {
        get {
            switch nodes {
            case .list(let ids): ids
            case .edge(let graph, let directed): graph.nodes(of: directed)
            }
        }
        set { nodes = .list(newValue) }
    }
    /// Metres along `shape`.
    public var length: Double
    /// Seconds on the edge itself.
    public var duration: Double
    /// Cost units (deciseconds with penalties) on the edge itself.
    public var weight: Double
    /// Seconds lost in the turn from the edge before onto this one, waiting included.
    public var turnDuration: Double
    public var turnWeight: Double
    /// Seconds of waiting before the edge is entered, until it opens or the turn is allowed.
    public var wait = 0.0

    private enum Nodes {
        case list([Int64])
        case edge(RoadGraph, UInt32)
    }

    private var nodes: Nodes

    /// All of a directed edge that the graph has.
    init(
        road: RoadAttributes, mode: TravelMode, shape: [Coordinate], graph: RoadGraph, directed: UInt32, length: Double,
        duration: Double, weight: Double
    ) {
        self.init(
            road: road, mode: mode, shape: shape, nodeIDs: [], length: length, duration: duration, weight: weight)
        nodes = .edge(graph, directed)
    }

    public static func == (a: PathEdge, b: PathEdge) -> Bool {
        a.road == b.road && a.mode == b.mode && a.shape == b.shape && a.length == b.length && a.duration == b.duration
            && a.weight == b.weight && a.turnDuration == b.turnDuration && a.turnWeight == b.turnWeight
            && a.nodeIDs == b.nodeIDs
    }

    public init(
        road: RoadAttributes, mode: TravelMode, shape: [Coordinate], nodeIDs: [Int64], length: Double, duration: Double,
        weight: Double, turnDuration: Double = 0, turnWeight: Double = 0
    ) {
        self.road = road
        self.mode = mode
        self.shape = shape
        nodes = .list(nodeIDs)
        self.length = length
        self.duration = duration
        self.weight = weight
        self.turnDuration = turnDuration
        self.turnWeight = turnWeight
    }
}

extension PathEdge {
    /// The kinds of road that one may wish to avoid that this is one of.
    public var kinds: RoadKinds {
        var kinds: RoadKinds = []
        if road.isToll { kinds.insert(.tolls) }
        if road.isTunnel { kinds.insert(.tunnels) }
        if road.isUnpaved { kinds.insert(.unpaved) }
        if road.roadClass == .motorway || road.roadClass == .motorwayLink { kinds.insert(.motorways) }
        if road.roadClass == .ferry || mode == .ferry { kinds.insert(.ferries) }
        return kinds
    }
}

/// A found way between two stops, as guidance reads it: edges, and the junctions between them.
///
/// `junctions[i]` lies between `edges[i]` and `edges[i + 1]`, so there is one less. A path whose ends snap to the same
/// spot has one edge of no length.
public struct RoadPath: Sendable, Equatable {
    public var edges: [PathEdge]
    public var junctions: [PathJunction]
    /// Where the stops were asked for, before they were moved to the road.
    public var requestedStart: Coordinate
    public var requestedEnd: Coordinate

    public init(edges: [PathEdge], junctions: [PathJunction], requestedStart: Coordinate, requestedEnd: Coordinate) {
        self.edges = edges
        self.junctions = junctions
        self.requestedStart = requestedStart
        self.requestedEnd = requestedEnd
    }

    /// Metres.
    public var length: Double { edges.reduce(0) { $0 + $1.length } }
    /// Seconds, turns included.
    public var duration: Double { edges.reduce(0) { $0 + $1.duration + $1.turnDuration } }
    public var weight: Double { edges.reduce(0) { $0 + $1.weight + $1.turnWeight } }
}

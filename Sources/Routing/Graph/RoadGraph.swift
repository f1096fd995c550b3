import Geometry
import OpenStreetMap

/// Roads as a graph in flat memory, mapped from a file or built in memory. The memory is the file, byte by byte.
///
/// **Numbers.** *Vertices* are junctions, ends of ways, and nodes that matter on the way (barriers, signals). An *edge* is
/// the piece of one way between two vertices; edge `e` travelled along its way is the *directed edge* `2e`, against it
/// `2e + 1`, so `d ^ 1` turns round. *States* of the search are the directed edges and, after them, one for each open
/// prefix of a turn restriction over several edges (see `TurnRules`).
///
/// **Layout** (little-endian; the file is refused on other machines):
///
///     bytes 0-7    "SXROADS\n"
///     8-11         UInt32 format version (`RoadGraph.formatVersion`): any change of meaning raises it, readers read one
///     12-15        UInt32 number of sections n
///     16-31        the atlas id
///     32-39        UInt64 length of the file
///     40-47        UInt64 checksum of the table of contents (`Checksum`)
///     48-55        UInt64 checksum of bytes 0-47
///     56-63        0
///     64-          table of contents: n entries of 40 bytes
///                      UInt32 section id, UInt32 bytes of an element, UInt64 offset, UInt64 count, UInt64 checksum, UInt64 0
///     then         the sections, each at a multiple of 64 bytes, with zeros between
///
/// The sections are listed at `SectionID`. V vertices, E edges, W ways, A attribute records, S strings, X further states,
/// M arcs of the hierarchy.
public final class RoadGraph: Sendable {
    public static let formatVersion: UInt32 = 5

    let storage: GraphStorage
    let arrays: GraphArrays
    /// What messages call the file.
    let name: String
    /// Whose memory some of the arrays lie in, where wishes have changed them.
    private let metric: RoadMetric?

    init(storage: GraphStorage, name: String) throws(RoutingError) {
        self.storage = storage
        self.name = name
        arrays = try GraphArrays(storage: storage, name: name)
        metric = nil
    }

    init(storage: GraphStorage, arrays: GraphArrays, name: String, metric: RoadMetric) {
        self.storage = storage
        self.arrays = arrays
        self.name = name
        self.metric = metric
    }

    public var vertexCount: Int { arrays.vertices.count }
    public var edgeCount: Int { arrays.edgeWays.count }
    public var wayCount: Int { arrays.ways.count }
    /// States beyond the directed edges that restrictions over several edges need.
    public var restrictionStateCount: Int { arrays.stateEdges.count }
    /// The 16 bytes that all files of an atlas share.
    public var atlasID: [UInt8] { Array(storage.bytes[16..<32]) }
    public var byteCount: Int { storage.bytes.count }

    /// The first thirty metres of a directed edge, beginning where it does; none where the file is damaged.
    func start(of directed: UInt32) -> [Coordinate] {
        var points: [FixedPoint] = []
        guard arrays.readPoints(of: directed >> 1, into: &points) else { return [] }
        let count = points.count
        var shape: [Coordinate] = []
        shape.reserveCapacity(min(count, 32))
        var length = 0.0
        for step in 0..<count {
            let point = points[directed & 1 == 0 ? step : count - 1 - step]
            if step > 0 { length += Ground.metres(points[directed & 1 == 0 ? step - 1 : count - step], point) }
            shape.append(point.coordinate)
            if length >= 30 || shape.count >= 32 { break }
        }
        return shape
    }

    /// The ids of the nodes of a directed edge, beginning where it does; none where the file is damaged.
    func nodes(of directed: UInt32) -> [Int64] {
        var nodes: [Int64] = []
        guard arrays.readNodes(of: directed >> 1, into: &nodes) else { return [] }
        if directed & 1 == 1 { nodes.reverse() }
        return nodes
    }

    /// Where a vertex lies; nil beyond `vertexCount`.
    public func location(ofVertex vertex: Int) -> Coordinate? { arrays.vertices[vertex]?.coordinate }

    /// The box around all vertices; nil for a graph without any. Walks over all vertices.
    public var boundingBox: BoundingBox? {
        var box: BoundingBox?
        for index in 0..<arrays.vertices.count {
            let place = arrays.vertices.base[index].coordinate
            if box == nil { box = BoundingBox(place) } else { box?.extend(by: place) }
        }
        return box
    }
}

/// The sections of the file. Elements are packed C structs in the order given here.
enum SectionID: UInt32, CaseIterable {
    /// V × { Int64 OSM node id, Int32 latitude, Int32 longitude in 1e-7 degrees }
    case vertices = 1
    /// V × UInt32 of `VertexFacts`
    case vertexFacts = 2
    /// { UInt32 vertex, UInt32 string of its name, UInt32 string of its exit number }, by vertex
    case vertexNames = 3
    /// (V + 1) × UInt32: where the directed edges that leave a vertex begin in `leaving`
    case firstLeaving = 4
    /// 2E × UInt32 directed edges, grouped by the vertex they leave, clockwise from north
    case leaving = 5
    /// 2E × UInt32: the vertex a directed edge leads to
    case heads = 6
    /// E × UInt32: the way
    case edgeWays = 7
    /// (E + 1) × UInt32: where an edge's run begins in `shapeBytes`
    case firstShapeByte = 8
    /// Runs of `EdgeShapes`
    case shapeBytes = 9
    /// 2E × UInt16: bearing at which a directed edge leaves its tail, in 65536ths of a turn
    case bearings = 11
    /// 2E × UInt8 of `ArrivalFacts`
    case arrivals = 12
    /// W × { UInt32 number in `looks`, UInt32 lower and Int32 upper half of the OSM way id }
    case ways = 13
    /// A × `AttributeRecord`
    case attributes = 14
    /// (S + 1) × UInt32: where a string begins in `stringBytes`
    case firstStringByte = 15
    /// UTF-8
    case stringBytes = 16
    /// Boxes of the packed R-tree, { UInt8 south, west, north, east } in 255ths of the parent's: the leaves in order, then
    /// each level above
    case treeBoxes = 17
    /// For each leaf UInt32 edge
    case treeEdges = 18
    /// R × UInt32: the states that have rules, in rising order
    case ruledStates = 19
    /// { UInt32 edge, UInt32 next, UInt16 condition string + 1, UInt8 users, UInt8 0 } (see `TurnRule`)
    case rules = 20
    /// X × UInt32: the last directed edge of a further state
    case stateEdges = 21
    /// UInt32 strings: conditions of conditional restrictions
    case conditions = 22
    /// 3 × Double: top speed of car, bicycle and walker in metres of great circle a second
    case topSpeeds = 23
    /// { UInt16 height, width, length in millimetres, UInt16 weight, axle load in tens of kilograms }, 0 for none
    case limits = 24
    /// { UInt32 way, UInt32 limits along the way, UInt32 against it } by way; the greatest number for none
    case wayLimits = 25
    /// { UInt32 vertex, UInt32 limits } by vertex
    case vertexLimits = 26
    /// `TimedEdge` by user and edge
    case timedEdges = 27
    /// `TimedVariant`, for each timed edge two to the power of its set's conditions
    case timedVariants = 28
    /// (sets + 1) × UInt32: where the conditions of a set begin in `setConditions`
    case firstSetCondition = 29
    /// UInt32 strings, as `RoadCondition` reads them
    case setConditions = 30
    /// `TimedVertex` by vertex
    case timedVertices = 31

    // For each profile, at 32, 48 and 64.
    /// 2E × UInt16 of `PackedTime`: cost
    case carWeights = 32
    /// 2E × UInt8 of `EdgeTraits`
    case carTraits = 33
    /// UInt32 directed edges that are open and not in the largest strongly connected part, in rising order
    case carPartEdges = 34
    /// For each of them UInt32 part
    case carParts = 35
    /// UInt32 directed edges in each part; the first is the largest
    case carPartSizes = 36

    /// { UInt32 vertex, UInt32 string of its kind or tag } by vertex: barriers that stop somebody or cost time
    case barriers = 40
    /// { UInt32 way, UInt32 strings for car, bicycle, foot } by way: the tags that keep them out of a way, 0 for none
    case closedWays = 41

    case bicycleWeights = 48
    case footWeights = 64

    /// { UInt32 attributes along the way, UInt32 against it, UInt32 factors }
    case looks = 71
    /// 6 × UInt16: what a second costs in 256ths, for each profile along the way, then against it
    case factors = 72
    /// { Int32 south, west, north, east }, once: the box of the whole tree
    case treeRoot = 73
    /// For each leaf of the tree UInt8: which part of its edge
    case treeParts = 74
    /// (R + 1) × UInt32: where the rules of a state of `ruledStates` begin in `rules`
    case firstRule = 75

    // The hierarchy (see `Hierarchy`), M arcs.
    /// V × UInt32: the rank of a vertex
    case ranks = 80
    /// M varints: for each rank the number of its arcs, and how much higher than the one before each leads
    case arcBytes = 82
    /// V × UInt32: the lowest higher neighbour of a rank; the greatest number where there is none
    case parents = 83

    /// UInt8, for each timed vertex two to the power of its set's conditions: the users that cannot pass (`RoadUser.bit`)
    case vertexVariants = 90
}

/// A coordinate in whole 1e-7 degrees, as OpenStreetMap keeps it.
struct FixedPoint: Hashable {
    var latitude: Int32
    var longitude: Int32

    init(latitude: Int32, longitude: Int32) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ coordinate: Coordinate) {
        latitude = Self.fixed(coordinate.latitude, limit: 90)
        longitude = Self.fixed(coordinate.longitude, limit: 180)
    }

    private static func fixed(_ degrees: Double, limit: Double) -> Int32 {
        guard degrees.isFinite else { return 0 }
        return Int32((min(max(degrees, -limit), limit) * 1e7).rounded())
    }

    var coordinate: Coordinate {
        Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
    }

    /// The place at a part (0 to 1) of the straight way to a near point, the shorter way round the globe.
    func towards(_ other: FixedPoint, part: Double) -> FixedPoint {
        guard part > 0 else { return self }
        let turn: Int64 = 3_600_000_000
        var east = Int64(other.longitude) - Int64(longitude)
        if east > turn / 2 { east -= turn }
        if east < -turn / 2 { east += turn }
        let north = Int64(other.latitude) - Int64(latitude)
        let part = min(part, 1)
        var x = Int64(longitude) + Int64((Double(east) * part).rounded())
        if x > turn / 2 { x -= turn }
        if x < -turn / 2 { x += turn }
        let y = Int64(latitude) + Int64((Double(north) * part).rounded())
        return FixedPoint(latitude: Int32(truncatingIfNeeded: y), longitude: Int32(truncatingIfNeeded: x))
    }
}

struct GraphVertex {
    var nodeID: Int64
    var latitude: Int32
    var longitude: Int32

    var point: FixedPoint { FixedPoint(latitude: latitude, longitude: longitude) }
    var coordinate: Coordinate { point.coordinate }
}

/// Bits of a vertex.
enum VertexFacts {
    /// Bits 0-2: users (`RoadUser.bit`) that cannot pass through.
    static let blocked: UInt32 = 0b111
    static let signal: UInt32 = 1 << 3
    /// Bits 4-6: users that find three usable edges or more here, so that turning costs time.
    static let junctionShift: UInt32 = 4
    static let hasName: UInt32 = 1 << 7
}

struct VertexName {
    var vertex: UInt32
    var name: UInt32
    var exit: UInt32
}

/// What a directed edge meets at its head.
enum ArrivalFacts {
    static let signal: UInt8 = 1
    static let stop: UInt8 = 2
    static let giveWay: UInt8 = 4
    static let gate: UInt8 = 8
    static let tollBooth: UInt8 = 16
    static let costs: UInt8 = 31
    /// Traffic keeps left.
    static let leftHand: UInt8 = 64
    /// The edge has turn rules.
    static let rules: UInt8 = 128
}

/// Bits of a directed edge for one profile.
enum EdgeTraits {
    /// Bits 0-2: `TravelMode`; 0 where closed.
    static let mode: UInt8 = 0b111
    static let restricted: UInt8 = 1 << 3
    /// At the head one may turn round: there is no other way on, or room to.
    static let deadEnd: UInt8 = 1 << 4
    /// A route may start or end here.
    static let startable: UInt8 = 1 << 5
    /// The request's wishes avoid it.
    static let avoided: UInt8 = 1 << 6
    /// What costs something to enter from a road that is not so.
    static let charged = restricted | avoided
}

/// What a vehicle may measure and weigh.
struct LimitRecord: Hashable {
    var height: UInt16
    var width: UInt16
    var length: UInt16
    var weight: UInt16
    var axleLoad: UInt16

    init(_ limits: RoadLimits) {
        height = limits.height
        width = limits.width
        length = limits.length
        weight = limits.weight
        axleLoad = limits.axleLoad
    }

    var limits: RoadLimits {
        var limits = RoadLimits()
        limits.height = height
        limits.width = width
        limits.length = length
        limits.weight = weight
        limits.axleLoad = axleLoad
        return limits
    }
}

struct WayLimits {
    var way: UInt32
    var forward: UInt32
    var backward: UInt32
}

struct VertexLimits {
    var vertex: UInt32
    var limits: UInt32
}

/// A directed edge that one user finds different at different times.
///
/// Of the conditions of its set those that hold make a number, a bit for each, the first the lowest: that of the variant,
/// counted from `first`.
struct TimedEdge {
    var edge: UInt32
    /// `RoadUser.rawValue`.
    var user: UInt32
    var set: UInt32
    var first: UInt32
}

/// A directed edge while certain conditions hold.
struct TimedVariant: Hashable {
    /// Milliseconds of cost as `PackedTime` rounds them; the greatest number where it is closed.
    var weight: UInt32
    /// Milliseconds.
    var duration: UInt32
    /// `EdgeTraits`.
    var traits: UInt32

    static let closed = TimedVariant(weight: .max, duration: .max, traits: 0)
    var isOpen: Bool { weight != .max }
}

/// A vertex that does not let the same users pass at all times.
struct TimedVertex {
    var vertex: UInt32
    var set: UInt32
    /// Where its variants begin in `vertexVariants`.
    var first: UInt32
}

/// What ways have in common that look alike: the attributes in both directions, and what a second costs on them.
struct WayLook: Hashable {
    var forward: UInt32
    var backward: UInt32
    var factors: UInt32
}

/// By profile along the way, then against it: what a second costs, in 256ths.
struct WayFactors: Hashable {
    var values: (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)

    init(_ all: [UInt16]) {
        func value(_ index: Int) -> UInt16 { index < all.count ? all[index] : 256 }
        values = (value(0), value(1), value(2), value(3), value(4), value(5))
    }

    func factor(_ user: RoadUser, isForward: Bool) -> UInt16 {
        switch (user, isForward) {
        case (.car, true): values.0
        case (.bicycle, true): values.1
        case (.foot, true): values.2
        case (.car, false): values.3
        case (.bicycle, false): values.4
        case (.foot, false): values.5
        }
    }

    /// Milliseconds that an edge takes which costs `weight`, where a second costs `factor` 256ths.
    static func duration(_ weight: UInt32, _ factor: UInt16) -> UInt32 {
        factor <= 256 ? weight : UInt32((UInt64(weight) * 256 + UInt64(factor) / 2) / UInt64(factor))
    }

    static func == (a: WayFactors, b: WayFactors) -> Bool { a.values == b.values }

    func hash(into hasher: inout Hasher) {
        for value in [values.0, values.1, values.2, values.3, values.4, values.5] { hasher.combine(value) }
    }
}

struct VertexBarrier {
    var vertex: UInt32
    var kind: UInt32
}

struct ClosedWay {
    var way: UInt32
    var car: UInt32
    var bicycle: UInt32
    var foot: UInt32
}

/// A way as the file has it, without room between.
struct WayRecord {
    var look: UInt32
    private var low: UInt32
    private var high: Int32

    init(wayID: Int64, look: UInt32) {
        self.look = look
        low = UInt32(truncatingIfNeeded: wayID)
        high = Int32(truncatingIfNeeded: wayID >> 32)
    }

    var wayID: Int64 { Int64(high) << 32 | Int64(low) }
}

struct GraphWay {
    var wayID: Int64
    var forward: UInt32
    var backward: UInt32
}

/// The ways by their numbers.
struct WaySection: Sendable {
    private let records: Section<WayRecord>
    private let looks: Section<WayLook>
    private let factors: Section<WayFactors>

    /// - Throws: `damagedAtlas` where the sizes do not fit together.
    init(_ reader: SectionReader) throws(RoutingError) {
        records = try reader.section(.ways)
        looks = try reader.section(.looks)
        factors = try reader.section(.factors)
    }

    var count: Int { records.count }

    /// The way; nil where there is none.
    @inline(__always)
    subscript(number: UInt32) -> GraphWay? {
        guard let record = records[number], let look = looks[record.look] else { return nil }
        return GraphWay(wayID: record.wayID, forward: look.forward, backward: look.backward)
    }

    /// What a second costs on a way, in 256ths.
    func factor(_ way: UInt32, _ user: RoadUser, isForward: Bool) -> UInt16? {
        guard let record = records[way], let look = looks[record.look], let factors = factors[look.factors] else {
            return nil
        }
        return factors.factor(user, isForward: isForward)
    }
}

/// Names and looks of a road in one direction; texts are numbers of strings, 0 the empty one.
struct AttributeRecord: Hashable {
    var name: UInt32 = 0
    var ref: UInt32 = 0
    var destinations: UInt32 = 0
    var exits: UInt32 = 0
    var pronunciation: UInt32 = 0
    var turnLanes: UInt32 = 0
    var flags: UInt16 = 0
    var lanes: UInt8 = 0
    var roadClass: UInt8 = RoadClass.other.rawValue

    static let oneway: UInt16 = 1
    static let roundabout: UInt16 = 2
    static let circular: UInt16 = 4
    static let bridge: UInt16 = 8
    static let tunnel: UInt16 = 16
    static let toll: UInt16 = 32
    static let leftHand: UInt16 = 64
    static let unpaved: UInt16 = 128
    /// Under the ground or within a building.
    static let underground: UInt16 = 256
    /// The outline of a car park.
    static let carPark: UInt16 = 512
}

extension AttributeRecord {
    /// The kinds of road that one may wish to avoid that this is one of.
    var kinds: RoadKinds {
        var kinds: RoadKinds = []
        if flags & Self.toll != 0 { kinds.insert(.tolls) }
        if flags & Self.tunnel != 0 { kinds.insert(.tunnels) }
        if flags & Self.unpaved != 0 { kinds.insert(.unpaved) }
        switch RoadClass(rawValue: roadClass) {
        case .motorway, .motorwayLink: kinds.insert(.motorways)
        case .ferry: kinds.insert(.ferries)
        default: break
        }
        return kinds
    }
}

struct TreeBox {
    var south: Int32
    var west: Int32
    var north: Int32
    var east: Int32
}

/// A rule of a state: `edge` may not be entered from it, or entering it leads to a further state.
///
/// Restrictions are words over directed edges whose last letter is forbidden after the others. They are compiled into
/// the automaton of Aho and Corasick ("Efficient string matching", CACM 1975): a state stands for the longest suffix of
/// the path that begins a word of two letters and more, and has the rules of all its suffixes.
struct TurnRule: Hashable {
    var edge: UInt32
    /// `TurnRule.banned`, or the further state (counted from 0).
    var next: UInt32
    /// 0 for always, else a number into `conditions`, plus one.
    var condition: UInt16
    var users: UInt8
    var unused: UInt8 = 0

    static let banned = UInt32.max
}

import Geometry
import OpenStreetMap

/// Makes a road graph from OpenStreetMap objects: first all relations, then the tagged nodes, then the ways.
///
///     var builder = RoadGraphBuilder()
///     for relation in relations { builder.add(relation) }
///     for node in nodes { builder.add(node) }
///     for way in ways { builder.add(way, rules: rules) }
///     let graph = try builder.finish(atlasID: id)
///
/// Memory grows with the roads: about 20 bytes for each of their nodes and 100 for each way while adding.
public struct RoadGraphBuilder {
    public struct Options: Sendable {
        public init() {}
    }

    /// What was left out, counted by reason.
    public internal(set) var skipped: [String: Int] = [:]
    /// Ways that became part of the graph.
    public var wayCount: Int { ways.count }

    /// A way as it was added; its nodes stand in `nodeIDs` and `points` from `first` on.
    struct Way {
        var id: Int64
        var first: Int
        var count: Int
        var forward: UInt32
        var backward: UInt32
        var passages: UInt32
        var duration: Float
        var roadClass: RoadClass
        var isLeftHand: Bool
        var isOneway: Bool
        /// The edge of an area, which is kept only where it joins roads.
        var isOutline: Bool
        /// The tags that keep users out of all of it, as a number into `closings`; 0 for none.
        var closing: UInt32
    }

    /// What a way means for the three profiles, forwards then backwards; most ways share theirs.
    struct Passages: Hashable {
        struct Passage: Hashable {
            var speed: UInt16 = 0  // 1/100 km/h
            var factor: UInt16 = 256  // 1/256
            var traits: UInt8 = 0
        }
        var all: [Passage]
    }

    var relations = RestrictionCollector()
    var facts: [Int64: RoadNodeTags] = [:]
    /// What vehicles may measure and weigh, at nodes and on ways by their numbers.
    var nodeLimits: [Int64: RoadLimits] = [:]
    var wayLimits: [UInt32: (forward: RoadLimits, backward: RoadLimits)] = [:]
    /// What depends on the time, at nodes and on ways by their numbers.
    var nodeTimes: [Int64: NodeTimes] = [:]
    var wayTimes: [UInt32: WayTimes] = [:]

    /// The users that a node stops, by the conditions that hold: a bit of the index for each.
    struct NodeTimes {
        var conditions: [String]
        var blocked: [UInt8]
    }

    /// A way's numbers in `passages`, by the conditions that hold.
    struct WayTimes {
        var conditions: [String]
        var passages: [UInt32]
    }

    var ways: [Way] = []
    var nodeIDs: [Int64] = []
    var points: [FixedPoint] = []
    var passages: [Passages] = []
    private var passageNumbers: [Passages: UInt32] = [:]
    var attributes: [AttributeRecord] = []
    private var attributeNumbers: [AttributeRecord: UInt32] = [:]
    /// Strings of tags that keep users out, by `RoadUser.rawValue`; 0 for none.
    var closings: [[UInt32]] = [[0, 0, 0]]
    private var closingNumbers: [[UInt32]: UInt32] = [:]
    var strings = StringTable()
    private var seenWays: Set<Int64> = []

    public init(options: Options = Options()) {}

    mutating func skip(_ reason: String, _ count: Int = 1) { skipped[reason, default: 0] += count }

    /// Takes turn restrictions, and ferry routes whose ways have no tags of their own.
    public mutating func add(_ relation: OSMRelation) {
        if let reason = relations.add(relation) { skip(reason) }
    }

    /// Takes barriers, signals, signs and named junctions.
    public mutating func add(_ node: OSMNode) {
        if let tags = RoadNodeTags(node.tags) { facts[node.id] = tags }
        if let limits = RoadLimits(node.tags, direction: nil) { nodeLimits[node.id] = limits }
        if let times = ConditionalTags(node.tags, isNode: true) { addTimes(times, of: node) }
    }

    private mutating func addTimes(_ times: ConditionalTags, of node: OSMNode) {
        countLeftOut(times)
        let plain = facts[node.id]?.blocked ?? 0
        let blocked = (0..<1 << times.conditions.count).map { mask in
            times.isClosed(holding: mask)
                ? 0b111 : RoadNodeTags(times.tags(node.tags, holding: mask))?.blocked ?? 0
        }
        if blocked.contains(where: { $0 != plain }) {
            nodeTimes[node.id] = NodeTimes(conditions: times.conditions, blocked: blocked)
        }
    }

    private mutating func countLeftOut(_ times: ConditionalTags) {
        if times.leftOut > 0 { skip("condition beyond the fifth of a way or node", times.leftOut) }
    }

    /// Takes roads, ferries and whatever else can be travelled; other ways are passed over.
    public mutating func add(_ way: OSMWay, rules: CountryRules) {
        var tags = way.tags
        if tags["highway"] == nil, tags["route"] == nil, let ferry = relations.ferryTags[way.id] {
            tags.pairs += ferry.pairs
        }
        guard let road = RoadTags(tags, rules: rules) else { return }
        if road.isOutline, way.nodes.count < 4 || way.nodes.first != way.nodes.last { return }
        guard seenWays.insert(way.id).inserted else {
            skip("way that was there already")
            return
        }
        let passagesNumber = intern(road)
        let times = self.times(of: tags, plain: passagesNumber, rules: rules)
        let closing = internClosing(road, tags)
        let forward = intern(attributes(of: road, tags: tags, direction: .forward, rules: rules))
        let backward = intern(attributes(of: road, tags: tags, direction: .backward, rules: rules))
        // Runs of nodes whose places are known; an extract may have cut the way.
        let begin = ways.count
        var first = nodeIDs.count
        var hasGap = false
        func closeRun(_ builder: inout RoadGraphBuilder) {
            let count = builder.nodeIDs.count - first
            if count >= 2 {
                builder.ways.append(
                    Way(
                        id: way.id, first: first, count: count, forward: forward, backward: backward,
                        passages: passagesNumber, duration: Float(road.duration ?? 0), roadClass: road.roadClass,
                        isLeftHand: rules.drivesOnLeft, isOneway: road.isOneway,
                        isOutline: road.isOutline, closing: closing))
            } else {
                builder.nodeIDs.removeLast(count)
                builder.points.removeLast(count)
            }
            first = builder.nodeIDs.count
        }
        for index in 0..<way.nodes.count {
            guard index < way.locations.count, let location = way.locations[index], location.isValid else {
                hasGap = true
                closeRun(&self)
                continue
            }
            if nodeIDs.count > first && nodeIDs[nodeIDs.count - 1] == way.nodes[index] { continue }
            nodeIDs.append(way.nodes[index])
            points.append(FixedPoint(location))
        }
        let before = ways.count
        closeRun(&self)
        let limits = [RoadDirection.forward, .backward].map { RoadLimits(tags, direction: $0) ?? RoadLimits() }
        if limits.contains(where: { $0 != RoadLimits() }) {
            for number in begin..<ways.count { wayLimits[UInt32(number)] = (limits[0], limits[1]) }
        }
        if let times { for number in begin..<ways.count { wayTimes[UInt32(number)] = times } }
        if hasGap { skip("way with missing nodes (the rest of it was kept)") }
        if ways.count == before && !hasGap { skip("way of fewer than two nodes") }
    }

    /// Nil where the way is the same at all times.
    private mutating func times(of tags: Tags, plain: UInt32, rules: CountryRules) -> WayTimes? {
        guard let times = ConditionalTags(tags) else { return nil }
        countLeftOut(times)
        var passages: [UInt32] = []
        for mask in 0..<1 << times.conditions.count {
            let road = times.isClosed(holding: mask) ? nil : RoadTags(times.tags(tags, holding: mask), rules: rules)
            passages.append(road.map { intern($0) } ?? intern(Self.closed))
        }
        return passages.contains { $0 != plain } ? WayTimes(conditions: times.conditions, passages: passages) : nil
    }

    private static let closed = Passages(all: [Passages.Passage](repeating: Passages.Passage(), count: 6))

    private mutating func intern(_ road: RoadTags) -> UInt32 {
        func pack(_ passage: RoadPassage) -> Passages.Passage {
            var packed = Passages.Passage()
            guard passage.isOpen else { return packed }
            packed.speed = UInt16(min(max(passage.speed * 100, 1), 60000))
            packed.factor = UInt16(min(max(passage.factor * 256, 256), 60000))
            packed.traits = passage.mode.rawValue
            if passage.isRestricted { packed.traits |= EdgeTraits.restricted }
            if passage.isStartable { packed.traits |= EdgeTraits.startable }
            return packed
        }
        return intern(Passages(all: road.forward.map(pack) + road.backward.map(pack)))
    }

    private mutating func intern(_ value: Passages) -> UInt32 {
        if let number = passageNumbers[value] { return number }
        let number = UInt32(passages.count)
        passages.append(value)
        passageNumbers[value] = number
        return number
    }

    /// The tags that keep users out of a way altogether.
    private mutating func internClosing(_ road: RoadTags, _ tags: Tags) -> UInt32 {
        var texts: [UInt32] = [0, 0, 0]
        for user in RoadUser.allCases {
            let index = Int(user.rawValue)
            if road.forward[index].isOpen || road.backward[index].isOpen { continue }
            if let tag = RoadAccess.closingTag(tags, for: user) { texts[index] = strings.intern(tag) }
        }
        if texts == [0, 0, 0] { return 0 }
        if let number = closingNumbers[texts] { return number }
        let number = UInt32(closings.count)
        closings.append(texts)
        closingNumbers[texts] = number
        return number
    }

    private mutating func intern(_ record: AttributeRecord) -> UInt32 {
        if let number = attributeNumbers[record] { return number }
        let number = UInt32(attributes.count)
        attributes.append(record)
        attributeNumbers[record] = number
        return number
    }

    private mutating func attributes(
        of road: RoadTags, tags: Tags, direction: RoadDirection, rules: CountryRules
    ) -> AttributeRecord {
        let suffix = direction == .forward ? ":forward" : ":backward"
        var values: [String: String] = [:]
        for pair in tags.pairs {
            switch pair.key {
            case "name", "ref", "destination", "destination:ref", "destination:street", "junction:ref", "turn:lanes",
                "lanes",
                "name:pronunciation":
                values[pair.key] = pair.value
            default:
                if pair.key.hasSuffix(suffix) { values[pair.key] = pair.value }
            }
        }
        func value(_ key: String) -> String { values[key + suffix] ?? values[key] ?? "" }
        var record = AttributeRecord()
        var name = value("name")
        if name.isEmpty, road.roadClass >= .pedestrian, road.roadClass <= .steps {
            // A path beside a street goes by the street's name.
            name = tags["is_sidepath:of:name"] ?? (Self.isSidepath(tags) ? tags["street:name"] : nil) ?? ""
        }
        record.name = strings.intern(name)
        record.ref = strings.intern(listed(value("ref"), separator: "; "))
        record.exits = strings.intern(listed(value("junction:ref"), separator: "; "))
        record.pronunciation = strings.intern(value("name:pronunciation"))
        let isAlong =
            !road.isOneway || direction == .forward || tags.has("oneway", "-1") || tags.has("oneway", "reverse")
        if isAlong {
            let places = listed(value("destination"), separator: ", ")
            let numbers = listed(value("destination:ref"), separator: ", ")
            let streets = places.isEmpty ? listed(value("destination:street"), separator: ", ") : places
            let text = numbers.isEmpty ? streets : streets.isEmpty ? numbers : numbers + ": " + streets
            record.destinations = strings.intern(text)
            // A plain `turn:lanes` on a two-way road tells nothing about one direction.
            let lanes = values["turn:lanes" + suffix] ?? (road.isOneway ? values["turn:lanes"] ?? "" : "")
            record.turnLanes = strings.intern(lanes)
        }
        if let lanes = values["lanes" + suffix].flatMap({ Int($0) }) {
            record.lanes = UInt8(min(max(lanes, 0), 255))
        } else if let lanes = values["lanes"].flatMap({ Int($0) }) {
            record.lanes = UInt8(min(max(road.isOneway ? lanes : lanes / 2, 0), 255))
        }
        if road.isOneway { record.flags |= AttributeRecord.oneway }
        if road.isRoundabout { record.flags |= AttributeRecord.roundabout }
        if road.isCircular { record.flags |= AttributeRecord.circular }
        if road.isBridge { record.flags |= AttributeRecord.bridge }
        if road.isTunnel { record.flags |= AttributeRecord.tunnel }
        if road.isToll { record.flags |= AttributeRecord.toll }
        if RoadTags.isUnpaved(tags) { record.flags |= AttributeRecord.unpaved }
        if road.isUnderground { record.flags |= AttributeRecord.underground }
        if road.isOutline, tags.has("amenity", "parking") { record.flags |= AttributeRecord.carPark }
        if rules.drivesOnLeft { record.flags |= AttributeRecord.leftHand }
        record.roadClass = road.roadClass.rawValue
        return record
    }

    private static func isSidepath(_ tags: Tags) -> Bool {
        tags.has("is_sidepath", "yes") || tags.has("footway", "sidewalk") || tags.has("path", "sidewalk")
            || tags.has("cycleway", "sidepath") || tags.has("cycleway", "sidewalk")
    }

    /// The parts of a value parted by semicolons, joined anew.
    private func listed(_ value: String, separator: String) -> String {
        guard value.utf8.contains(UInt8(ascii: ";")) else { return value }
        var result = ""
        for part in value.split(separator: ";") {
            var text = part
            while text.first == " " { text.removeFirst() }
            while text.last == " " { text.removeLast() }
            if text.isEmpty { continue }
            if !result.isEmpty { result += separator }
            result += text
        }
        return result
    }

    /// Gives back the memory of what only `add` looks things up in.
    mutating func forgetLookups() {
        seenWays = []
        passageNumbers = [:]
        attributeNumbers = [:]
    }

    /// What `finish` is at.
    public enum Phase: Sendable {
        /// Cutting ways into edges and weighing them.
        case roads
        /// Finding the order in which the hierarchy contracts the vertices.
        case order
    }

    /// Builds the graph and its hierarchy.
    ///
    /// `skipped` of the returned report counts what was left out, restrictions that could not be used included.
    /// - Parameters:
    ///   - atlasID: 16 bytes that all files of an atlas share.
    ///   - progress: is told the phase and how far it is, from 0 to 1; false stops.
    /// - Throws: `invalidRequest` for more roads than a file can hold, `stopped`.
    public mutating func finish(
        atlasID: [UInt8], progress: (Phase, Double) -> Bool = { _, _ in true }
    ) throws(RoutingError) -> RoadGraph {
        var assembly = GraphAssembly(self)
        self = RoadGraphBuilder(skipped: skipped)
        let graph = try assembly.build(atlasID: atlasID, progress: progress)
        for (reason, count) in assembly.skipped { skip(reason, count) }
        return graph
    }

    private init(skipped: [String: Int]) {
        self.init()
        self.skipped = skipped
    }
}

/// Texts, each kept once; 0 is the empty one.
struct StringTable {
    private(set) var texts: [String] = [""]
    private var numbers: [String: UInt32] = ["": 0]

    mutating func intern(_ text: String) -> UInt32 {
        if text.isEmpty { return 0 }
        if let number = numbers[text] { return number }
        let number = UInt32(texts.count)
        texts.append(text)
        numbers[text] = number
        return number
    }
}

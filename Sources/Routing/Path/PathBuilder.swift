import Geometry
import OpenStreetMap

/// Turns states of a search into edges with geometry, names and junctions.
struct PathBuilder {
    private let graph: RoadGraph
    private let arrays: GraphArrays
    private let profile: ProfileArrays
    private let user: RoadUser
    private let search: EdgeSearch
    private var reader: AttributeReader
    /// Memory for the points and nodes of the edge at hand.
    private var points: [FixedPoint] = []
    private var nodes: [Int64] = []
    /// For the states of the path at hand, when their edges are entered and what they are then; nil without a time.
    var schedule: [TimedStep]?

    init(graph: RoadGraph, user: RoadUser, search: EdgeSearch) {
        self.graph = graph
        arrays = graph.arrays
        profile = graph.arrays.profile(user)
        self.user = user
        self.search = search
        reader = AttributeReader(graph: graph)
    }

    private func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: graph.name, reason: reason) }

    mutating func path(
        states: [UInt32], from: EdgePlace, to: EdgePlace, requestedStart: Coordinate, requestedEnd: Coordinate
    ) throws(RoutingError) -> RoadPath {
        var edges: [PathEdge] = []
        var junctions: [PathJunction] = []
        edges.reserveCapacity(states.count)
        junctions.reserveCapacity(states.count)
        for (index, state) in states.enumerated() {
            guard let directed = search.edge(of: state) else { throw damaged("a state has no edge") }
            let isFirst = index == 0
            let isLast = index == states.count - 1
            var edge = try piece(directed, from: isFirst ? from : nil, to: isLast ? to : nil)
            if let schedule, index < schedule.count {
                var part = 1.0
                if isFirst { part -= from.fraction(along: directed) }
                if isLast { part -= 1 - to.fraction(along: directed) }
                set(&edge, to: schedule[index].variant, part: max(part, 0))
            }
            if index > 0 {
                guard let turn = search.turn(from: states[index - 1], into: directed) else {
                    throw damaged("a way turns where it may not")
                }
                edge.turnDuration = Double(turn.cost) / 1000
                edge.turnWeight = Double(turn.cost) / 100
                // Beyond its time, entering a restricted road is a matter of cost alone.
                var cost = turn.cost
                for charge in [TurnCosts.of(user).enteringRestricted, RoadWishes.enteringAvoided] where cost >= charge {
                    cost -= charge
                }
                edge.turnDuration = Double(cost) / 1000
                if let schedule, index < schedule.count {
                    wait(
                        before: &edge, schedule[index - 1], schedule[index], turn: cost, behind: index == 1 ? from : nil
                    )
                }
                let junction = try self.junction(after: states[index - 1], into: directed)
                if edge.road.exits.isEmpty, edge.road.roadClass.isLink, let exit = try exitNumber(before: directed) {
                    edge.road.exits = exit
                }
                junctions.append(junction)
            }
            edges.append(edge)
        }
        // A piece of no length at an end says nothing that its neighbour does not say.
        if edges.count > 1, edges[0].length == 0 {
            edges.removeFirst()
            junctions.removeFirst()
        }
        if edges.count > 1, edges[edges.count - 1].length == 0 {
            edges.removeLast()
            junctions.removeLast()
        }
        return RoadPath(
            edges: edges, junctions: junctions, requestedStart: requestedStart, requestedEnd: requestedEnd)
    }

    /// Makes an edge what it is at its time.
    private func set(_ edge: inout PathEdge, to variant: TimedVariant, part: Double) {
        edge.duration = Double(variant.duration) / 1000 * part
        edge.weight = Double(variant.weight) / 100 * part
        let traits = UInt8(truncatingIfNeeded: variant.traits)
        edge.mode = TravelMode(rawValue: traits & EdgeTraits.mode) ?? edge.mode
        edge.road.isRestricted = traits & (EdgeTraits.restricted | TimedRoads.momentary) != 0
    }

    /// Adds what one waits before an edge, and what entering it costs at this hour alone.
    /// - Parameters:
    ///   - turn: milliseconds of the turn.
    ///   - start: the place where the edge before begins, if within it.
    private func wait(
        before edge: inout PathEdge, _ last: TimedStep, _ step: TimedStep, turn: UInt32, behind start: EdgePlace?
    ) {
        var driving = last.variant.duration
        if let start, let directed = search.edge(of: last.state) {
            driving = LegPlanner.part(driving, 1 - start.fraction(along: directed))
        }
        let ready = UInt64(last.entered) + UInt64(driving) + UInt64(turn)
        if UInt64(step.entered) > ready {
            edge.wait = Double(UInt64(step.entered) - ready) / 1000
            edge.turnDuration += edge.wait
            edge.turnWeight += edge.wait * 10
        }
        let entered = UInt8(truncatingIfNeeded: step.variant.traits & ~last.variant.traits)
        if entered & TimedRoads.momentary != 0 {
            edge.turnWeight += Double(TurnCosts.of(user).enteringRestricted) / 100
        }
    }

    /// One path of two, the second of which begins where the first ends, over another road or back over the same.
    func joined(_ first: RoadPath, _ second: RoadPath) -> RoadPath {
        guard let last = first.edges.last, let next = second.edges.first, let place = next.shape.first else {
            return first.edges.isEmpty ? second : first
        }
        func arm(_ edge: PathEdge, _ shape: [Coordinate], isEntry: Bool) -> JunctionArm {
            JunctionArm(
                bearing: shape.count > 1 ? shape[0].bearing(to: shape[1]) : 0, road: edge.road, isEnterable: true,
                isLeavable: true, isTurnAllowed: true, mode: edge.mode, shape: shape, isPathEntry: isEntry,
                isPathExit: !isEntry)
        }
        var back = arm(last, last.shape.reversed(), isEntry: true)
        let onward = arm(next, next.shape, isEntry: false)
        var arms = [back, onward].sorted { $0.bearing < $1.bearing }
        var turn = (onward.bearing - back.bearing).magnitude
        turn = min(turn, 360 - turn)
        if last.road.wayID == next.road.wayID, turn < 10 {
            back.isPathExit = true
            arms = [back]
        }
        return RoadPath(
            edges: first.edges + second.edges,
            junctions: first.junctions + [PathJunction(nodeID: 0, location: place, arms: arms)] + second.junctions,
            requestedStart: first.requestedStart, requestedEnd: second.requestedEnd)
    }

    mutating func snappedStop(_ place: EdgePlace, asked: Coordinate) throws(RoutingError) -> SnappedStop {
        let directed = place.isForwardOpen ? 2 * place.edge : 2 * place.edge + 1
        let road = try reader.road(directed)
        let location = place.point.coordinate
        try readEdge(place.edge)
        guard place.segment + 1 < nodes.count else { throw damaged("a place lies beyond its edge") }
        return SnappedStop(
            location: location, name: road.name, distance: asked.distance(to: location), wayID: road.wayID,
            nodeIDs: [nodes[place.segment], nodes[place.segment + 1]])
    }

    /// Fills `points` and `nodes`, as many of one as of the other and two at least.
    private mutating func readEdge(_ edge: UInt32) throws(RoutingError) {
        guard arrays.readPoints(of: edge, into: &points), arrays.readNodes(of: edge, into: &nodes),
            points.count == nodes.count
        else { throw damaged("the geometry of an edge is not there") }
    }

    // MARK: Edges

    /// The geometry of a directed edge between two places on it, or from and to its ends.
    private mutating func piece(_ directed: UInt32, from: EdgePlace?, to: EdgePlace?) throws(RoutingError) -> PathEdge {
        if from == nil, to == nil { return try whole(directed) }
        let isForward = directed & 1 == 0
        try readEdge(directed >> 1)
        let count = points.count
        // Along the way: from `lower` to `upper`.
        let lower = isForward ? from : to
        let upper = isForward ? to : from
        var shape: [FixedPoint] = []
        var ids: [Int64] = []
        shape.reserveCapacity(count)
        ids.reserveCapacity(count)
        var begin = 0
        var finish = count - 1
        if let lower {
            begin = lower.segment + 1
            if lower.point == points[lower.segment < count ? lower.segment : 0] { begin = lower.segment }
        }
        if let upper {
            finish = upper.segment
            if upper.segment + 1 < count, upper.point == points[upper.segment + 1] { finish = upper.segment + 1 }
        }
        guard begin <= count, finish < count else { throw damaged("a place lies beyond its edge") }
        if let lower, begin >= count || lower.point != points[begin] {
            shape.append(lower.point)
            ids.append(0)
        }
        if begin <= finish {
            for index in begin...finish {
                shape.append(points[index])
                ids.append(nodes[index])
            }
        }
        if let upper, shape.last != upper.point {
            shape.append(upper.point)
            ids.append(0)
        }
        if let only = shape.first, shape.count == 1 {
            shape.append(only)
            ids.append(ids[0])
        }
        if !isForward {
            shape.reverse()
            ids.reverse()
        }
        var length = 0.0
        for index in 1..<max(shape.count, 1) { length += Ground.metres(shape[index - 1], shape[index]) }
        let fromFraction = from?.fraction(along: directed) ?? 0
        let toFraction = to?.fraction(along: directed) ?? 1
        let part = min(max(toFraction - fromFraction, 0), 1)
        guard let duration = arrays.duration(of: directed, user), let weight = profile.weights[directed],
            let traits = profile.traits[directed]
        else { throw damaged("an edge is not there") }
        var road = try reader.road(directed)
        road.isRestricted = traits & EdgeTraits.restricted != 0
        return PathEdge(
            road: road, mode: TravelMode(rawValue: traits & EdgeTraits.mode) ?? .driving,
            shape: shape.map(\.coordinate), nodeIDs: ids, length: length,
            duration: Double(duration) / 1000 * part, weight: Double(weight) / 100 * part)
    }

    /// A directed edge from end to end, as most of a path's are.
    private mutating func whole(_ directed: UInt32) throws(RoutingError) -> PathEdge {
        guard arrays.readPoints(of: directed >> 1, into: &points) else {
            throw damaged("the geometry of an edge is not there")
        }
        guard let duration = arrays.duration(of: directed, user), let weight = profile.weights[directed],
            let traits = profile.traits[directed]
        else { throw damaged("an edge is not there") }
        let count = points.count
        let isForward = directed & 1 == 0
        var length = 0.0
        let shape = [Coordinate](unsafeUninitializedCapacity: count) { shape, initialized in
            for step in 0..<count {
                let point = points[isForward ? step : count - 1 - step]
                if step > 0 { length += Ground.metres(points[isForward ? step - 1 : count - step], point) }
                (shape.baseAddress.map { $0 + step })?.initialize(to: point.coordinate)
            }
            initialized = count
        }
        var road = try reader.road(directed)
        road.isRestricted = traits & EdgeTraits.restricted != 0
        return PathEdge(
            road: road, mode: TravelMode(rawValue: traits & EdgeTraits.mode) ?? .driving, shape: shape, graph: graph,
            directed: directed, length: length, duration: Double(duration) / 1000, weight: Double(weight) / 100)
    }

    // MARK: Junctions

    private mutating func junction(after state: UInt32, into entered: UInt32) throws(RoutingError) -> PathJunction {
        guard let arriving = search.edge(of: state), let vertex = arrays.heads[arriving],
            let record = arrays.vertices[vertex], let begin = arrays.firstLeaving[vertex],
            let end = arrays.firstLeaving[vertex + 1], begin <= end, Int(end) <= arrays.leaving.count,
            let facts = arrays.vertexFacts[vertex]
        else { throw damaged("a vertex is not there") }
        var arms: [JunctionArm] = []
        arms.reserveCapacity(Int(end - begin))
        for index in begin..<end {
            guard let directed = arrays.leaving[index], let bearing = arrays.bearings[directed],
                let weight = profile.weights[directed], let back = profile.weights[directed ^ 1],
                let traits = profile.traits[directed], let backTraits = profile.traits[directed ^ 1]
            else { throw damaged("a vertex has an edge that is not there") }
            var road = try reader.road(directed)
            let isEnterable = weight != .max
            road.isRestricted = (isEnterable ? traits : backTraits) & EdgeTraits.restricted != 0
            let mode = TravelMode(rawValue: (isEnterable ? traits : backTraits) & EdgeTraits.mode) ?? user.habit
            arms.append(
                JunctionArm(
                    bearing: Double(bearing) / 65536 * 360, road: road, isEnterable: isEnterable,
                    isLeavable: back != .max, isTurnAllowed: search.turn(from: state, into: directed) != nil,
                    mode: mode, graph: graph, directed: directed, isPathEntry: directed == arriving ^ 1,
                    isPathExit: directed == entered))
        }
        var name = ""
        if facts & VertexFacts.hasName != 0, let entry = vertexName(vertex) { name = try reader.string(entry.name) }
        var barrier = ""
        if let arrival = arrays.arrivals[arriving], arrival & (ArrivalFacts.gate | ArrivalFacts.tollBooth) != 0,
            let known = arrays.barriers.first(where: vertex, \.vertex)
        {
            barrier = try reader.string(known.kind)
        }
        return PathJunction(
            nodeID: record.nodeID, location: record.coordinate, arms: arms,
            hasTrafficSignal: facts & VertexFacts.signal != 0, name: name, barrier: barrier)
    }

    private func exitNumber(before directed: UInt32) throws(RoutingError) -> String? {
        guard let vertex = arrays.heads[directed ^ 1], let facts = arrays.vertexFacts[vertex],
            facts & VertexFacts.hasName != 0, let entry = vertexName(vertex)
        else { return nil }
        let text = try reader.string(entry.exit)
        return text.isEmpty ? nil : text
    }

    private func vertexName(_ vertex: UInt32) -> VertexName? { arrays.vertexNames.first(where: vertex, \.vertex) }
}

extension RoadUser {
    /// How one moves who has no road.
    var habit: TravelMode {
        switch self {
        case .car: .driving
        case .bicycle: .cycling
        case .foot: .walking
        }
    }
}

/// Reads names and attributes, each once a route.
struct AttributeReader {
    private let graph: RoadGraph
    private let arrays: GraphArrays
    /// Attributes by number, and their place in `roads`: a table with open addressing, since most of a path's time would go into
    /// hashing otherwise. The key of an empty slot is the greatest number.
    private var slots: [(key: UInt32, road: UInt32)]
    private var roads: [RoadAttributes] = []

    init(graph: RoadGraph) {
        self.graph = graph
        arrays = graph.arrays
        slots = [(key: UInt32, road: UInt32)](repeating: (.max, 0), count: 256)
    }

    private func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: graph.name, reason: reason) }

    /// The slot that holds a key, or the empty one where it belongs.
    @inline(__always)
    private func slot(of key: UInt32) -> Int {
        let mask = slots.count - 1
        var slot = Int((key &* 0x9E37_79B1) >> 8) & mask
        while slots[slot].key != key, slots[slot].key != .max { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [(key: UInt32, road: UInt32)](repeating: (.max, 0), count: 2 * old.count)
        for entry in old where entry.key != .max { slots[slot(of: entry.key)] = entry }
    }

    func string(_ number: UInt32) throws(RoutingError) -> String {
        if number == 0 { return "" }
        guard let first = arrays.firstStringByte[number], Int(number) + 1 < arrays.firstStringByte.count,
            let end = arrays.firstStringByte[number + 1], first <= end, Int(end) <= arrays.stringBytes.count
        else { throw damaged("a text is not there") }
        let bytes = UnsafeBufferPointer(start: arrays.stringBytes.base + Int(first), count: Int(end - first))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The attributes of a directed edge's way in its direction.
    mutating func road(_ directed: UInt32) throws(RoutingError) -> RoadAttributes {
        guard let way = arrays.edgeWays[directed >> 1], let record = arrays.ways[way] else {
            throw damaged("a way is not there")
        }
        let key = directed & 1 == 0 ? record.forward : record.backward
        let known = slots[slot(of: key)]
        if known.key == key {
            var road = roads[Int(known.road)]
            road.wayID = record.wayID
            return road
        }
        guard key != .max, let attributes = arrays.attributes[key] else {
            throw damaged("the attributes of a way are not there")
        }
        var road = RoadAttributes()
        road.wayID = record.wayID
        road.name = try string(attributes.name)
        road.ref = try string(attributes.ref)
        road.destinations = try string(attributes.destinations)
        road.exits = try string(attributes.exits)
        road.pronunciation = try string(attributes.pronunciation)
        road.turnLanes = try string(attributes.turnLanes)
        road.lanes = Int(attributes.lanes)
        road.roadClass = RoadClass(rawValue: attributes.roadClass) ?? .other
        road.isOneway = attributes.flags & AttributeRecord.oneway != 0
        road.isRoundabout = attributes.flags & AttributeRecord.roundabout != 0
        road.isCircular = attributes.flags & AttributeRecord.circular != 0
        road.isBridge = attributes.flags & AttributeRecord.bridge != 0
        road.isTunnel = attributes.flags & AttributeRecord.tunnel != 0
        road.isUnpaved = attributes.flags & AttributeRecord.unpaved != 0
        road.isToll = attributes.flags & AttributeRecord.toll != 0
        road.isLeftHandTraffic = attributes.flags & AttributeRecord.leftHand != 0
        slots[slot(of: key)] = (key, UInt32(roads.count))
        roads.append(road)
        if 2 * roads.count > slots.count { grow() }
        return road
    }
}

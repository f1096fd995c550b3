import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Routing

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}

/// A few streets on a grid with one-ways, barriers, signals and restrictions of all kinds.
struct RandomWorld {
    var ways: [OSMWay] = []
    var nodes: [OSMNode] = []
    var relations: [OSMRelation] = []
    let rules: CountryRules
    private(set) var isDecorated = false

    /// - Parameter isDecorated: with tolls, motorways, tunnels, surfaces and limits, among which one may have wishes.
    init(seed: UInt64, isDecorated: Bool) {
        self.init(seed: seed)
        guard isDecorated else { return }
        self.isDecorated = true
        var random = SeededGenerator(seed: seed &* 31_337)
        for index in ways.indices {
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1: ways[index].tags["toll"] = "yes"
            case 2: ways[index].tags["highway"] = "motorway"
            case 3: ways[index].tags["highway"] = "motorway_link"
            case 4: ways[index].tags["tunnel"] = "yes"
            case 5, 6: ways[index].tags["surface"] = ["gravel", "asphalt"].randomElement(using: &random)
            case 7: ways[index].tags["maxheight"] = "3.5"
            case 8: ways[index].tags["maxweight:forward"] = "7.5"
            case 9: ways[index].tags["maxlength"] = "10"
            default: break
            }
        }
        let known = Set(nodes.map(\.id))
        for way in ways {
            for (node, place) in zip(way.nodes, way.locations) where !known.contains(node) {
                guard let place, !nodes.contains(where: { $0.id == node }) else { continue }
                switch Int.random(in: 0..<30, using: &random) {
                case 0: nodes.append(OSMNode(id: node, location: place, tags: ["barrier": "toll_booth"]))
                case 1: nodes.append(OSMNode(id: node, location: place, tags: ["maxheight": "3.6"]))
                default: break
                }
            }
        }
    }

    /// Some wishes, mostly of several sorts at once.
    func wishes(_ random: inout SeededGenerator) -> RoadWishes {
        var wishes = RoadWishes()
        for (_, kind) in RoadKinds.names {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: wishes.excluded.insert(kind)
            case 1, 2: wishes.avoided.insert(kind)
            default: break
            }
        }
        if Bool.random(using: &random) { wishes.vehicle.height = Double(Int.random(in: 33...38, using: &random)) / 10 }
        if Bool.random(using: &random) { wishes.vehicle.weight = Double(Int.random(in: 6...12, using: &random)) }
        if Bool.random(using: &random) { wishes.vehicle.length = Double(Int.random(in: 9...11, using: &random)) }
        if Bool.random(using: &random) {
            var segments: [SegmentSpeeds.Segment] = []
            for way in ways {
                for (a, b) in zip(way.nodes, way.nodes.dropFirst()) {
                    guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
                    let (from, to) = Bool.random(using: &random) ? (a, b) : (b, a)
                    let speed: Double = [0, 5, 20, 130][Int.random(in: 0..<4, using: &random)]
                    segments.append(.init(from: from, to: to, speed: speed))
                }
            }
            wishes.speeds = SegmentSpeeds(segments)
        }
        return wishes
    }

    /// Some roads that are closed.
    func closures(_ random: inout SeededGenerator) -> [RoadClosure] {
        (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
            guard let way = ways.randomElement(using: &random) else { return nil }
            if Bool.random(using: &random) { return .way(way.id) }
            let index = Int.random(in: 0..<way.nodes.count - 1, using: &random)
            let ends = (way.nodes[index], way.nodes[index + 1])
            return Bool.random(using: &random)
                ? .segment(from: ends.0, to: ends.1) : .segment(from: ends.1, to: ends.0)
        }
    }

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        rules = CountryRules(drivesOnLeft: Bool.random(using: &random))
        let columns = Int.random(in: 2...4, using: &random)
        let rows = Int.random(in: 2...4, using: &random)
        func id(_ x: Int, _ y: Int) -> Int64 { Int64(y * columns + x + 1) }
        var places: [Int64: Coordinate] = [:]
        for y in 0..<rows {
            for x in 0..<columns {
                // A little out of line, so that no two ways cost the same.
                let jitter = Double.random(in: -0.0002...0.0002, using: &random)
                places[id(x, y)] = Coordinate(
                    latitude: 48 - Double(y) * 0.001 + jitter, longitude: 11 + Double(x) * 0.0015)
            }
        }
        var segments: [(Int64, Int64)] = []
        for y in 0..<rows {
            for x in 0..<columns {
                if x + 1 < columns, Double.random(in: 0..<1, using: &random) < 0.85 {
                    segments.append((id(x, y), id(x + 1, y)))
                }
                if y + 1 < rows, Double.random(in: 0..<1, using: &random) < 0.85 {
                    segments.append((id(x, y), id(x, y + 1)))
                }
            }
        }
        segments.shuffle(using: &random)
        while let (a, b) = segments.popLast() {
            // Some ways go on over further segments.
            var list = Bool.random(using: &random) ? [a, b] : [b, a]
            while Int.random(in: 0..<3, using: &random) == 0, let last = list.last,
                let next = segments.firstIndex(where: {
                    ($0.0 == last && !list.contains($0.1)) || ($0.1 == last && !list.contains($0.0))
                })
            {
                let segment = segments.remove(at: next)
                list.append(segment.0 == last ? segment.1 : segment.0)
            }
            var tags: Tags = [
                "highway": ["residential", "tertiary", "primary", "service"].randomElement(using: &random) ?? "primary"
            ]
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: tags["oneway"] = "yes"
            case 2: tags["oneway"] = "-1"
            case 3: tags["access"] = "destination"
            case 4: tags["maxspeed"] = "30"
            default: break
            }
            ways.append(
                OSMWay(id: Int64(ways.count + 1), nodes: list, locations: list.map { places[$0] }, tags: tags))
        }
        for (node, place) in places.sorted(by: { $0.key < $1.key }) {
            switch Int.random(in: 0..<20, using: &random) {
            case 0: nodes.append(OSMNode(id: node, location: place, tags: ["barrier": "bollard"]))
            case 1: nodes.append(OSMNode(id: node, location: place, tags: ["highway": "traffic_signals"]))
            default: break
            }
        }
        addRestrictions(&random)
    }

    private mutating func addRestrictions(_ random: inout SeededGenerator) {
        func meeting(_ way: OSMWay, _ other: OSMWay) -> Int64? {
            let ends = [way.nodes.first, way.nodes.last].compactMap { $0 }
            return ends.first { other.nodes.first == $0 || other.nodes.last == $0 }
        }
        guard ways.count > 2 else { return }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            // A chain of ways that meet at their ends.
            var chain = [ways[Int.random(in: 0..<ways.count, using: &random)]]
            let wanted = Int.random(in: 2...4, using: &random)
            var meetings: [Int64] = []
            while chain.count < wanted {
                let last = chain[chain.count - 1]
                let next = ways.filter { other in
                    guard !chain.contains(where: { $0.id == other.id }), let node = meeting(last, other) else {
                        return false
                    }
                    return meetings.last != node
                }
                guard let way = next.randomElement(using: &random), let node = meeting(last, way) else { break }
                meetings.append(node)
                chain.append(way)
            }
            guard chain.count >= 2 else { continue }
            let only = Int.random(in: 0..<3, using: &random) == 0
            var members = [OSMRelation.Member(id: OSMID(.way, chain[0].id), role: "from")]
            if chain.count == 2 {
                members.append(.init(id: OSMID(.node, meetings[0]), role: "via"))
            } else {
                for way in chain[1..<chain.count - 1] { members.append(.init(id: OSMID(.way, way.id), role: "via")) }
            }
            members.append(.init(id: OSMID(.way, chain[chain.count - 1].id), role: "to"))
            relations.append(
                OSMRelation(
                    id: Int64(relations.count + 1), members: members,
                    tags: ["type": "restriction", "restriction": only ? "only_straight_on" : "no_left_turn"]))
        }
    }
}

@Suite struct RandomWorldTests {
    static let worlds = ProcessInfo.processInfo.environment["SEXTANT_RANDOM_WORLDS"].flatMap { Int($0) } ?? 300

    @Test func routesCostWhatTheOracleSays() throws { try compare(wishing: false) }

    @Test func routesWithWishesCostWhatTheOracleSays() throws { try compare(wishing: true) }

    private func compare(wishing: Bool) throws {
        var compared = 0
        var found = 0
        var restricted = 0
        var settled = 0
        var settledPlainly = 0
        for seed in 1...UInt64(Self.worlds) {
            let world = RandomWorld(seed: seed, isDecorated: wishing)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            let router = try Town.router(graph)
            var wishing = SeededGenerator(seed: seed &* 6007)
            let wishes = world.isDecorated ? world.wishes(&wishing) : RoadWishes()
            let closures = world.isDecorated ? world.closures(&wishing) : []
            let oracle = Oracle(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules, wishes: wishes,
                closures: closures)
            guard !oracle.pieces.isEmpty else { continue }
            restricted += graph.restrictionStateCount
            var random = SeededGenerator(seed: seed &* 7919)
            for round in 0..<4 {
                let a = Int.random(in: 0..<oracle.pieces.count, using: &random)
                // Every second pair lies on one piece.
                let b = round % 2 == 0 ? Int.random(in: 0..<oracle.pieces.count, using: &random) : a
                func pick(_ piece: Int) -> Coordinate {
                    let line = oracle.line(piece)
                    let segment = Int.random(in: 0..<line.count - 1, using: &random)
                    let part = round == 2 ? 0 : Double.random(in: 0.05...0.95, using: &random)
                    let (p, q) = (line[segment].coordinate, line[segment + 1].coordinate)
                    return Coordinate(
                        latitude: p.latitude + (q.latitude - p.latitude) * part,
                        longitude: p.longitude + (q.longitude - p.longitude) * part)
                }
                let stops = [Stop(pick(a)), Stop(pick(b))]
                var request = RouteRequest(stops: stops)
                request.maximumSnapDistance = 1
                request.wishes = wishes
                request.closures = closures
                let answer = try answer(router, request)
                // The piece may be closed to cars in both directions.
                guard answer.isNearRoads else { continue }
                let route = answer.route
                func place(_ piece: Int, _ index: Int) -> Oracle.Place {
                    let point = FixedPoint(route?.stops[index].location ?? stops[index].coordinate)
                    for vertex in [piece, piece ^ 1] where oracle.line(vertex)[0] == point {
                        return .node(oracle.tailNode(vertex))
                    }
                    return .spot(piece: piece, point)
                }
                let expected = oracle.cost(from: place(a, 0), to: place(b, 1))
                compared += 1
                if route != nil { found += 1 }
                let same = route?.cost == expected
                #expect(
                    same,
                    "world \(seed), round \(round): \(route?.cost ?? -1) instead of \(expected ?? -1); \(wishes.key)")
                if !same { return }
                if let route { check(route, world, seed) }
                let slow = slower(router, request)
                #expect(slow.plain?.cost == route?.cost, "world \(seed), round \(round): A* and Dijkstra differ")
                #expect(slow.straight?.cost == route?.cost, "world \(seed), round \(round): the line misleads")
                settled += route?.statesSettled ?? 0
                settledPlainly += slow.plain?.statesSettled ?? 0
            }
        }
        print("random worlds: \(compared) routes compared, \(found) found, \(restricted) further states")
        print("random worlds: \(settled) states settled, \(settledPlainly) by Dijkstra's algorithm")
        // There is little to pass by in worlds as small as these.
        #expect(settled * 4 < settledPlainly * 3)
        #expect(found * 3 > compared)
        #expect(restricted > 0)
    }

    private func answer(_ router: Router, _ request: RouteRequest) throws -> (isNearRoads: Bool, route: FoundRoute?) {
        do {
            return (true, try router.route(request))
        } catch RoutingError.noRoute {
            return (true, nil)
        } catch RoutingError.noRoadNearby {
            return (false, nil)
        }
    }

    private func slower(_ router: Router, _ request: RouteRequest) -> (plain: FoundRoute?, straight: FoundRoute?) {
        (try? router.route(request, guidance: .none), try? router.route(request, guidance: .straightLine))
    }

    /// The parts of a route add up, join, and lie on ways.
    private func check(_ route: FoundRoute, _ world: RandomWorld, _ seed: UInt64) {
        let ways = Dictionary(world.ways.map { ($0.id, $0) }, uniquingKeysWith: { a, _ in a })
        for leg in route.legs {
            #expect(leg.junctions.count == leg.edges.count - 1)
            #expect((leg.weight * 100 - Double(route.cost)).magnitude < 2.5, "world \(seed)")
            for (edge, next) in zip(leg.edges, leg.edges.dropFirst()) { #expect(edge.shape.last == next.shape.first) }
            for edge in leg.edges {
                #expect(edge.shape.count == edge.nodeIDs.count)
                let length = zip(edge.shape, edge.shape.dropFirst()).reduce(0) {
                    $0 + Ground.metres(FixedPoint($1.0), FixedPoint($1.1))
                }
                #expect((length - edge.length).magnitude < 1e-6)
                guard let way = ways[edge.road.wayID] else {
                    Issue.record("world \(seed): an edge of no way")
                    continue
                }
                for (point, id) in zip(edge.shape, edge.nodeIDs) where id != 0 {
                    let index = way.nodes.firstIndex(of: id)
                    let same = index.flatMap { way.locations[$0] }.map { FixedPoint($0) == FixedPoint(point) }
                    #expect(same == true, "world \(seed): a point off its way")
                }
            }
        }
    }
}

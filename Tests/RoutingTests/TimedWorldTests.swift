import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Routing

extension RandomWorld {
    private static let hours = [
        "Mo-Fr 07:00-09:00", "22:00-06:00", "Sa,Su", "06:15-06:45,07:00-07:15", "Mo-Fr 06:30-07:00", "05:00-05:15",
        "Mo 07:45-19:00", "Su-Su 00:00-12:00",
    ]

    private static func condition(_ random: inout SeededGenerator) -> String {
        let hours = hours.randomElement(using: &random) ?? "Sa"
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return "weight>7.5"
        case 1: return "weight>6.5 AND \(hours)"
        default: return hours
        }
    }

    /// Makes much of the world depend on the time.
    mutating func addTimes(_ random: inout SeededGenerator) {
        func set(_ tags: inout Tags, _ key: String, _ values: [String]) {
            tags[key + ":conditional"] = values.map { "\($0) @ (\(Self.condition(&random)))" }.joined(separator: "; ")
        }
        for index in ways.indices {
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: set(&ways[index].tags, "access", ["no"])
            case 2: set(&ways[index].tags, "motor_vehicle", ["destination"])
            case 3: set(&ways[index].tags, "motor_vehicle", ["no", "destination"])
            case 4: set(&ways[index].tags, "maxspeed", ["20"])
            case 5: set(&ways[index].tags, "maxspeed", ["130"])
            case 6: set(&ways[index].tags, "oneway", ["yes", "no"])
            case 7:
                ways[index].tags["access"] = "no"
                set(&ways[index].tags, "motorcar", ["yes"])
            case 8: set(&ways[index].tags, "motor_vehicle:forward", ["no"])
            case 9: ways[index].tags["opening_hours"] = Self.hours.randomElement(using: &random)
            default: break
            }
        }
        for index in nodes.indices where nodes[index].tags["barrier"] == "bollard" && Bool.random(using: &random) {
            set(&nodes[index].tags, "motor_vehicle", ["yes"])
        }
        let known = Set(nodes.map(\.id))
        for way in ways {
            for (node, place) in zip(way.nodes, way.locations) where !known.contains(node) {
                guard let place, !nodes.contains(where: { $0.id == node }) else { continue }
                var tags: Tags = ["barrier": "lift_gate", "access": "yes"]
                switch Int.random(in: 0..<16, using: &random) {
                case 0: tags["opening_hours"] = Self.hours.randomElement(using: &random)
                case 1: set(&tags, "motor_vehicle", ["no"])
                default: continue
                }
                nodes.append(OSMNode(id: node, location: place, tags: tags))
            }
        }
        for index in relations.indices where Bool.random(using: &random) {
            let kind = relations[index].tags["restriction"] ?? "no_left_turn"
            relations[index].tags["restriction"] = nil
            set(&relations[index].tags, "restriction", [kind])
        }
    }
}

@Suite struct TimedWorldTests {
    @Test func departuresCostAndArriveAsTheOracleSays() throws { try compare(backwards: false) }

    @Test func arrivalsCostAndSetOutAsAllWalksSay() throws { try compare(backwards: true) }

    @Test func roadsAtAllHoursCostNoMoreThanAtAnyHour() throws {
        var (edges, vertices) = (0, 0)
        for seed in 1...UInt64(min(RandomWorldTests.worlds, 300)) {
            var random = SeededGenerator(seed: seed &* 31)
            var world = RandomWorld(seed: seed, isDecorated: seed % 2 == 0)
            world.addTimes(&random)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            let router = try Town.router(graph)
            let wishes = seed % 2 == 0 ? world.wishes(&random) : RoadWishes()
            for profile in Profile.allCases {
                let network = try router.networkAtAllHours(profile, wishes)
                let roads = try network.timedRoads(graph, speeds: wishes.speeds)
                let arrays = network.graph.arrays
                for edge in 0..<UInt32(arrays.heads.count) {
                    guard let entry = roads.entry(of: edge), let weight = arrays.profile(profile).weights[edge],
                        let duration = arrays.duration(of: edge, profile)
                    else { continue }
                    edges += 1
                    for variant in roads.variants[entry.first..<entry.first + roads.variantCount(entry)] {
                        #expect(weight <= variant.weight, "world \(seed), edge \(edge)")
                        #expect(duration <= variant.duration, "world \(seed), edge \(edge)")
                    }
                }
                for vertex in 0..<UInt32(arrays.vertices.count) {
                    guard let entry = roads.entry(ofVertex: vertex) else { continue }
                    vertices += 1
                    let isOpen = (0..<roads.variantCount(entry)).contains { !roads.isBlocked(entry, $0) }
                    let isBlocked = arrays.vertexFacts.base[Int(vertex)] & UInt32(profile.bit) != 0
                    // A limit or an excluded toll booth closes it all the same.
                    if isBlocked, wishes.isEmpty { #expect(!isOpen, "world \(seed), vertex \(vertex)") }
                }
            }
        }
        #expect(edges > 100 && vertices > 10)
    }

    private static func answer(_ router: Router, _ request: RouteRequest) throws -> (
        isNearRoads: Bool, route: FoundRoute?
    ) {
        do {
            return (true, try router.route(request))
        } catch RoutingError.noRoute {
            return (true, nil)
        } catch RoutingError.noRoadNearby {
            return (false, nil)
        }
    }

    private static func place(_ point: FixedPoint, _ oracle: Oracle) -> Oracle.Place? {
        var best: (distance: Double, piece: Int)?
        for piece in oracle.pieces.indices {
            let line = oracle.line(piece)
            if line[0] == point { return .node(oracle.tailNode(piece)) }
            for (a, b) in zip(line, line.dropFirst()) {
                let excess = Ground.metres(a, point) + Ground.metres(point, b) - Ground.metres(a, b)
                if excess < best?.distance ?? 0.1 { best = (excess, piece) }
            }
        }
        return best.map { .spot(piece: $0.piece, point) }
    }

    private func compare(backwards: Bool) throws {
        var (compared, found, waited, byWalks, later) = (0, 0, 0, 0, 0)
        for seed in 1...UInt64(RandomWorldTests.worlds) {
            var random = SeededGenerator(seed: seed &* 104_729 &+ (backwards ? 1 : 0))
            var world = RandomWorld(seed: seed, isDecorated: seed % 2 == 0)
            world.addTimes(&random)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            let router = try Town.router(graph)
            let wishes = seed % 2 == 0 ? world.wishes(&random) : RoadWishes()
            let closures = seed % 2 == 0 ? world.closures(&random) : []
            for round in 0..<3 {
                // From a Monday morning on, with seconds of all sorts.
                var request = RouteRequest(stops: [])
                let moment = 1_780_268_400 + Int64.random(in: 0..<90_000, using: &random)
                if backwards { request.arrival = moment } else { request.departure = moment }
                request.utcOffset = [0, 3600, -18_000][Int.random(in: 0..<3, using: &random)]
                if Int.random(in: 0..<4, using: &random) == 0 {
                    request.clockChanges = [
                        ClockChange(
                            moment: (moment / 3600 + Int64.random(in: -9...9, using: &random)) * 3600,
                            utcOffset: request.utcOffset + 3600)
                    ]
                }
                request.longestWait = [0, 600, 3600, 86_400, 86_400][Int.random(in: 0..<5, using: &random)]
                request.maximumSnapDistance = 1
                request.wishes = wishes
                request.closures = closures
                let lines = Oracle(
                    ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules,
                    cuts: Set(world.nodes.map(\.id)))
                guard !lines.pieces.isEmpty else { continue }
                for _ in 0..<2 {
                    let line = lines.line(Int.random(in: 0..<lines.pieces.count, using: &random))
                    let segment = Int.random(in: 0..<line.count - 1, using: &random)
                    let part = round == 2 ? 0 : Double.random(in: 0.05...0.95, using: &random)
                    let (p, q) = (line[segment].coordinate, line[segment + 1].coordinate)
                    request.stops.append(
                        Stop(
                            Coordinate(
                                latitude: p.latitude + (q.latitude - p.latitude) * part,
                                longitude: p.longitude + (q.longitude - p.longitude) * part)))
                }
                let answer = try Self.answer(router, request)
                guard answer.isNearRoads else { continue }
                let route = answer.route
                // An arrival is looked at from 2,000,000 s before on.
                let span = Router.span(of: request)
                let length = backwards ? 2_000_000 : span
                let oracle = TimedOracle(
                    world, wishes: wishes, closures: closures, origin: moment - (backwards ? Int64(length) : 0),
                    span: length * 1000, utcOffset: request.utcOffset, changes: request.clockChanges,
                    stop: request.longestWait == 0 ? backwards ? length * 1000 : 0 : nil,
                    earliest: (length - span) * 1000)
                let places = request.stops.indices.compactMap { index in
                    Self.place(
                        FixedPoint(route?.stops[index].location ?? request.stops[index].coordinate), oracle.plain)
                }
                guard places.count == 2 else { continue }
                let (start, end) = (places[0], places[1])
                compared += 1
                if route != nil { found += 1 }
                let name = "world \(seed), round \(round)\(backwards ? " backwards" : ""), \(wishes.key)"
                if let route {
                    waited += route.legs[0].edges.contains { $0.wait > 0 } ? 1 : 0
                    let first = route.times[0].departure - Double(moment)
                    if !backwards, first > 0 { later += 1 }
                    let slow = try router.route(request, guidance: .none)
                    #expect(slow.cost == route.cost, "\(name): A* and Dijkstra differ")
                    let straight = try router.route(request, guidance: .straightLine)
                    #expect(straight.cost == route.cost, "\(name): the line misleads")
                    // Waiting before the first edge is part of the cost, and of no edge.
                    let told = route.legs[0].weight * 100 + (backwards ? 0 : first * 1000)
                    let last = backwards ? Double(moment) - route.times[0].arrival : 0
                    #expect(
                        (told + last * 1000 - Double(route.cost)).magnitude < 3, "\(name): \(told) told, \(route.cost)")
                }
                // Ends of no length are not told.
                let pieces = route.map { $0.legs[0].edges.count } ?? 0
                if backwards {
                    let longest = 5
                    let walked = oracle.departureByAllWalks(from: start, to: end, by: length * 1000, longest: longest)
                    if let walked {
                        let cost = try #require(route?.cost, "\(name): not found, but for \(walked.cost)")
                        #expect(cost <= walked.cost, "\(name)")
                        byWalks += 1
                        if pieces + 2 <= longest {
                            #expect(cost == walked.cost, "\(name)")
                            if cost != walked.cost { return }
                        }
                    } else {
                        #expect(route == nil || pieces + 2 > longest, "\(name): all walks find nothing")
                    }
                } else {
                    let expected = oracle.answer(from: start, to: end)
                    let same = route?.cost == expected?.cost
                    #expect(same, "\(name): \(route?.cost ?? -1) instead of \(expected?.cost ?? -1)")
                    if !same { return }
                    if let route, let expected {
                        let arrival = ((route.times[0].arrival - Double(moment)) * 1000).rounded()
                        #expect(Int(arrival) == expected.moment, "\(name)")
                    }
                    let longest = 5
                    let walked = oracle.answerByAllWalks(from: start, to: end, longest: longest)
                    if let walked, let expected {
                        byWalks += 1
                        #expect(expected <= walked, "\(name)")
                        if pieces + 2 <= longest {
                            #expect(expected.cost == walked.cost, "\(name): \(expected) \(walked)")
                        }
                    }
                }
            }
        }
        print(
            "timed worlds\(backwards ? " backwards" : ""): \(compared) compared, \(found) found, \(byWalks) by all walks, "
                + "\(waited) with waiting, \(later) set out later")
        #expect(found * 4 > compared)
        #expect(waited > 0 && byWalks > 0)
    }
}

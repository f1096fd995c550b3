import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct WhyNotTests {
    private func obstacle(
        _ town: Town, _ from: Character, _ to: Character, profile: Profile = .car, wishes: RoadWishes = RoadWishes(),
        closures: [RoadClosure] = []
    ) throws -> Obstacle {
        var request = town.request([from, to], profile: profile)
        request.wishes = wishes
        request.closures = closures
        guard case .noRoute(0, 1, let obstacle)? = town.drive(request).error else {
            Issue.record("there is a route")
            return Obstacle()
        }
        return obstacle
    }

    /// The street of three ways whose middle one, or whose node b, keeps somebody out.
    private func street(_ tags: String = "", nodes: [String] = [], relations: [String] = []) throws -> Town {
        try Town("a - b - c - d", ways: ["ab", "bc \(tags)", "cd"], nodes: nodes, relations: relations)
    }

    @Test func aBarrierIsToldWithItsKindNodeAndPlace() throws {
        let town = try street(nodes: ["b barrier=bollard"])
        let obstacle = try obstacle(town, "a", "d")
        #expect(
            obstacle.hindrances == [
                Hindrance(rule: .barrier("bollard"), id: OSMID(.node, 2), road: "", coordinate: town.spot("b"))
            ])
        #expect(obstacle.remedies == ["open the barrier at node 2"])
        #expect(obstacle.reach?.coordinate == town.spot("b"))
        #expect(obstacle.words { "stop \($0 + 1)" }.contains("a barrier (bollard, node 2)"))
    }

    @Test func aPrivateGateKeepsWalkersOut() throws {
        let town = try street(nodes: ["b barrier=gate access=private"])
        #expect(try obstacle(town, "a", "d", profile: .foot).hindrances.map(\.rule) == [.barrier("gate")])
    }

    @Test func aNodeWithoutABarrierTellsItsTag() throws {
        let town = try street(nodes: ["b motor_vehicle=no"])
        #expect(try obstacle(town, "a", "d").hindrances.map(\.rule) == [.barrier("motor_vehicle=no")])
    }

    @Test(arguments: [
        ("access=no", Profile.car, "access=no"), ("motor_vehicle=agricultural", .car, "motor_vehicle=agricultural"),
        ("motor_vehicle=no bicycle=no", .bicycle, "bicycle=no"), ("foot=no", .foot, "foot=no"),
    ])
    func aClosedRoadTellsTheTagThatClosesIt(_ tags: String, _ profile: Profile, _ tag: String) throws {
        let town = try Town(
            "a - b - c - d", ways: ["ab", "bc highway=\(profile == .bicycle ? "trunk" : "tertiary") \(tags)", "cd"])
        let found = try obstacle(town, "a", "d", profile: profile).hindrances
        #expect(found.map(\.rule) == [.access(tag)])
        #expect(found.map(\.id) == [OSMID(.way, 2)] && found.map(\.road) == ["bc"])
    }

    @Test func aFootwayIsNoRoadForCars() throws {
        let town = try Town("a - b - e - c - d", ways: ["ab", "be highway=footway", "ec highway=footway", "cd"])
        // One permission for both pieces.
        #expect(try obstacle(town, "a", "d").hindrances.map(\.rule) == [.unsuited(.footway)])
    }

    @Test func aOneWayStreetTheOtherWayIsTold() throws {
        let town = try Town("a - b - c - d", ways: ["ab", "cb oneway=yes", "cd"])
        let obstacle = try obstacle(town, "a", "d")
        #expect(obstacle.hindrances.map(\.rule) == [.oneway] && obstacle.hindrances.map(\.id) == [OSMID(.way, 2)])
        // Also where the one-way street itself is the start or the end.
        #expect(try self.obstacle(town, "a", "c").hindrances.map(\.rule).contains(.oneway))
        let back = try Town("a - b", ways: ["ab oneway=yes"])
        var request = back.request(["b", "a"])
        request.tellsWhyNot = true
        guard case .noRoute(_, _, let reason)? = back.drive(request).error else {
            Issue.record("a one-way street was driven the other way")
            return
        }
        #expect(reason.reach?.distance == back.spot("b").distance(to: back.place("a")))
    }

    @Test func aTurnRestrictionIsToldWithItsNodeAndWay() throws {
        let town = try street(relations: ["no_straight_on ab b bc"])
        let found = try obstacle(town, "a", "d").hindrances
        #expect(found.map(\.rule) == [.turnRestriction(into: 2)] && found.map(\.id) == [OSMID(.node, 2)])
    }

    @Test func wishesAreTold() throws {
        let ferry = try street("route=ferry duration=0:10")
        let without = RoadWishes(excluded: [.ferries, .tolls])
        #expect(try obstacle(ferry, "a", "d", wishes: without).hindrances.map(\.rule) == [.excluded(.ferries)])
        #expect(try obstacle(ferry, "a", "d", wishes: without).remedies == ["do not exclude ferry"])
        let booth = try street(nodes: ["b barrier=toll_booth"])
        #expect(try obstacle(booth, "a", "d", wishes: without).hindrances.map(\.rule) == [.excluded(.tolls)])
        let low = try street("maxheight=3.5")
        let lorry = RoadWishes(vehicle: VehicleSize(height: 3.8, weight: 12))
        #expect(try obstacle(low, "a", "d", wishes: lorry).hindrances.map(\.rule) == [.tooLarge("3.5 m high")])
        let weak = try street(nodes: ["b maxweight=7.25"])
        #expect(try obstacle(weak, "a", "d", wishes: lorry).hindrances.map(\.rule) == [.tooLarge("7.25 t")])
        let slow = RoadWishes(speeds: SegmentSpeeds([.init(from: 2, to: 3, speed: 0)]))
        #expect(try obstacle(street(), "a", "d", wishes: slow).hindrances.map(\.rule) == [.speed])
    }

    @Test func aClosureOfTheRequestIsTold() throws {
        let found = try obstacle(street(), "a", "d", closures: [.way(2)]).hindrances
        #expect(found.map(\.rule) == [.closure] && found.map(\.id) == [OSMID(.way, 2)])
    }

    @Test func anIslandIsToldWithItsSize() throws {
        var ways = ["cd"]
        let letters = Array("abefghijklmnopqrstuvwxyz")
        for (a, b) in zip(letters, letters.dropFirst()) { ways.append("\(a)\(b)") }
        let town = try Town(letters.map(String.init).joined(separator: " ") + "          c - d", ways: ways)
        let obstacle = try obstacle(town, "a", "d")
        #expect(obstacle.end == 1 && obstacle.roads == 2 && obstacle.hindrances.isEmpty)
        #expect(obstacle.reach?.coordinate == town.spot("z"))
    }

    @Test func theFewestRulesAreLifted() throws {
        // Two bollards on the short way, one on the long one.
        let town = try Town(
            """
            a - b - c - d
            |           |
            e - - f - - g
            """, ways: ["ab", "bc", "cd", "aef", "fgd", "ah"].map { $0 == "ah" ? "dh" : $0 },
            nodes: ["b barrier=bollard", "c barrier=bollard", "f barrier=bollard"])
        #expect(try obstacle(town, "a", "d").hindrances.map(\.id) == [OSMID(.node, 6)])
    }

    @Test func severalRulesStandInTheOrderOfTheWay() throws {
        let town = try Town(
            "a - b - c - d - e", ways: ["ab", "bc", "cd motor_vehicle=no", "ed oneway=yes"],
            nodes: ["b barrier=bollard"])
        let kinds = try obstacle(town, "a", "e").hindrances.map(\.kind)
        #expect(kinds == ["barrier", "access", "oneway"])
    }

    @Test func whoGoesAsFarAsPossibleGetsAWayThere() throws {
        let town = try Town("a - b - c - d - e", ways: ["ab", "bc", "cd", "de"], nodes: ["c barrier=bollard"])
        var request = town.request(["a", "b", "e", "d"])
        request.goesAsFarAsPossible = true
        let drive = town.drive(request)
        #expect(drive.path == "a b | b c")
        #expect(drive.route?.shortfall?.stop == 2)
        #expect(drive.route?.shortfall?.distance == town.spot("c").distance(to: town.place("e")))
        #expect(drive.route?.stops.count == 3)
        // Where all can be reached nothing falls short.
        request.stops.removeLast(2)
        #expect(town.drive(request).route?.shortfall == nil)
    }

    @Test func whoWantsNoReasonGetsNone() throws {
        var request = try street().request(["a", "d"])
        request.closures = [.way(2)]
        request.tellsWhyNot = false
        #expect(try street().drive(request).error == .noRoute(from: 0, to: 1, reason: Obstacle()))
    }

    /// Beyond the bounds of the search the smaller end is searched from.
    @Test func onALargeMapTheSearchBeginsAtTheSmallerEnd() throws {
        let letters = Array("abefghijklmnopqrstuvwxy")
        var ways = zip(letters, letters.dropFirst()).map { "\($0)\($1)" }
        ways += ["cd", "yc motor_vehicle=no"]
        let town = try Town(letters.map(String.init).joined(separator: " ") + " c d", ways: ways)
        let snapper = Snapper(graph: town.graph.arrays, user: .car, name: "", takesAny: false)
        func places(_ letter: Character) throws -> [EdgePlace] {
            var found: [EdgePlace] = []
            try snapper.nearest(to: Stop(town.place(letter)), within: 10) {
                found.append($0); return false
            }
            return found
        }
        for (from, to) in [("a", "d"), ("d", "a")] as [(Character, Character)] {
            let whyNot = WhyNot(
                graph: town.graph, base: town.graph, user: .car, wishes: RoadWishes(),
                search: EdgeSearch(graph: town.graph.arrays, user: .car), closed: nil, limit: 12)
            let found = try whyNot.hindrances(from: places(from), to: places(to))
            #expect(found.map(\.rule) == [.access("motor_vehicle=no")], "\(from)\(to)")
            var asked = 0
            let place = try whyNot.nearestReachable(
                to: town.place(to), from: places(from), snapper: snapper, tries: 64
            ) { place in
                asked += 1
                let parts = town.graph.arrays.car.parts
                let start = try? places(from).first.map { parts.part(of: 2 * $0.edge) }
                return parts.part(of: 2 * place.edge) == start
            }
            #expect(place?.point == FixedPoint(town.place(from == "a" ? "y" : "c")), "\(from)\(to)")
            #expect(asked < 10)
        }
    }

    /// On random worlds with wishes: what is to be lifted suffices, and nothing reachable is nearer than what is told.
    @Test func whatIsToBeLiftedSuffices() throws {
        var explained = 0
        var rules: [String: Int] = [:]
        for seed in 1...UInt64(300) {
            let world = RandomWorld(seed: seed, isDecorated: true)
            let places = world.ways.flatMap(\.locations).compactMap { $0 }
            guard let from = places.first, let to = places.last else { continue }
            var random = SeededGenerator(seed: seed &* 7919)
            var request = RouteRequest(stops: [Stop(from), Stop(to)])
            request.wishes = world.wishes(&random)
            request.keepsToIslands = true
            let router = try Town.router(
                Town.graph(ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules))
            let obstacle: Obstacle
            do {
                _ = try router.route(request)
                continue
            } catch .noRoute(_, _, let reason) {
                obstacle = reason
            } catch {
                continue
            }
            if let reach = obstacle.reach {
                var farther = request
                farther.goesAsFarAsPossible = true
                let route = try router.route(farther)
                #expect(route.stops.last?.location == reach.coordinate, "seed \(seed)")
                for place in Set(places) where place.distance(to: to) < reach.distance - 1 {
                    var other = request
                    other.stops[1] = Stop(place, radius: 0.5)
                    other.tellsWhyNot = false
                    #expect(throws: RoutingError.self, "seed \(seed): \(place)") { try router.route(other) }
                }
            }
            guard !obstacle.hindrances.isEmpty else { continue }
            explained += 1
            var changed = world
            var allowed = request
            for hindrance in obstacle.hindrances {
                rules[hindrance.kind, default: 0] += 1
                for index in changed.ways.indices where changed.ways[index].id == hindrance.id.number {
                    guard hindrance.id.type == .way else { continue }
                    switch hindrance.rule {
                    case .oneway: changed.ways[index].tags["oneway"] = "no"
                    case .access, .unsuited:
                        changed.ways[index].tags = ["highway": "residential"]
                    default: break
                    }
                }
                switch hindrance.rule {
                case .barrier: changed.nodes.removeAll { $0.id == hindrance.id.number }
                case .turnRestriction(let way):
                    changed.relations.removeAll { $0.members.contains { $0.role == "to" && $0.id.number == way } }
                case .excluded(let kinds): allowed.wishes.excluded.subtract(kinds)
                case .tooLarge: allowed.wishes.vehicle = VehicleSize()
                case .speed: allowed.wishes.speeds = nil
                default: break
                }
            }
            let open = try Town.router(
                Town.graph(
                    ways: changed.ways, nodes: changed.nodes, relations: changed.relations, rules: changed.rules))
            #expect(throws: Never.self, "seed \(seed): \(obstacle.words { "\($0)" })") { try open.route(allowed) }
        }
        print("why not: \(explained) explained on 300 random worlds, \(rules)")
        #expect(explained > 20)
    }
}

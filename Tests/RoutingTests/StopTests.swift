import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct StopTests {
    private static let drawing = """
        a - b - c - d
            |   |
            e - f
        """
    private static let ways = ["ab", "bc", "cd", "be", "ef", "cf"]

    private func passing(_ town: Town, _ letters: [Character], profile: Profile = .car) -> RouteRequest {
        var request = town.request(letters, profile: profile)
        for index in request.stops.indices.dropFirst().dropLast() { request.stops[index].passesThrough = true }
        return request
    }

    @Test func whatIsOnlyPassedEndsNoLeg() throws {
        let town = try Town(Self.drawing, ways: Self.ways)
        let stopping = town.drive(town.request(["a", "e", "d"]))
        let passing = town.drive(passing(town, ["a", "e", "d"]))
        #expect(stopping.path == "a b e | e f c d")
        #expect(passing.path == "a b e f c d")
        #expect(passing.route?.legs.count == 1 && passing.route?.stops.count == 3)
        #expect(passing.route?.cost == stopping.route?.cost)
        let (a, b) = (passing.route?.length ?? 0, stopping.route?.length ?? 1)
        #expect((a - b).magnitude < 0.01)
        let path = try #require(passing.route?.legs.first)
        #expect(path.junctions.count == path.edges.count - 1)
    }

    @Test func aStopWithinAPieceOfRoadIsPassedWithoutCuttingIt() throws {
        let town = try Town("a - - b\n\n\n", ways: ["ab"])
        var request = town.request(["a", "b"])
        let middle = Coordinate(
            latitude: town.place("a").latitude, longitude: (town.place("a").longitude + town.place("b").longitude) / 2)
        request.stops.insert(Stop(middle, passesThrough: true), at: 1)
        let route = try #require(town.drive(request).route)
        #expect(route.legs.count == 1 && route.legs[0].edges.count == 1)
        #expect(route.stops[1].distance < 0.1)
        #expect((route.length - 150).magnitude < 1)
    }

    @Test func onePassesADeadEndByTurningRound() throws {
        let town = try Town("a - b - c\n    |\n    e", ways: ["ab", "bc", "be"])
        for profile in [Profile.car, .bicycle, .foot] {
            let drive = town.drive(passing(town, ["a", "e", "c"], profile: profile))
            #expect(drive.path == "a b e b c", "\(profile)")
            let path = try #require(drive.route?.legs.first)
            #expect(drive.route?.legs.count == 1 && path.junctions.count == path.edges.count - 1)
        }
    }

    @Test func whoMayTurnRoundTurnsWhereItIsShorter() throws {
        let town = try Town(Self.drawing, ways: Self.ways)
        var request = passing(town, ["a", "e", "a"], profile: .bicycle)
        // Round the block, since one goes on.
        #expect(["a b e f c b a", "a b c f e b a"].contains(town.drive(request).path))
        request.continueStraight = false
        #expect(town.drive(request).path == "a b e b a")
        #expect(town.drive(request).route?.legs.count == 1)
        #expect(town.drive(request).route?.legs.first?.junctions.count { $0.nodeID == 0 } == 1)
    }

    /// Of a leg, the cheapest way for every state in which one may arrive: Dijkstra's algorithm over states, nothing else.
    private struct Chain {
        let town: RoadGraph
        let search: EdgeSearch
        let user = Profile.car

        /// What it costs to be at a place in a state, by state.
        typealias Costs = [UInt32: Int]

        func leg(_ starts: [(state: UInt32, place: EdgePlace, cost: Int)], to places: [EdgePlace]) -> Costs {
            let weights = town.arrays.car.weights.base
            var arrived: Costs = [:]
            func arrive(_ state: UInt32, _ cost: Int) {
                if arrived[state].map({ cost < $0 }) ?? true { arrived[state] = cost }
            }
            var costs: Costs = [:]
            var waiting: Set<UInt32> = []
            for (state, place, cost) in starts {
                guard let edge = search.edge(of: state) else { continue }
                let weight = weights[Int(edge)]
                let from = place.fraction(along: edge)
                for target in places where target.edge == edge >> 1 && target.isOpen(edge) {
                    let to = target.fraction(along: edge)
                    if from <= to { arrive(state, cost + Int(LegPlanner.part(weight, to - from))) }
                }
                let total = cost + Int(LegPlanner.part(weight, 1 - from))
                if costs[state].map({ total < $0 }) ?? true {
                    costs[state] = total
                    waiting.insert(state)
                }
            }
            while let state = waiting.min(by: { (costs[$0] ?? 0) < (costs[$1] ?? 0) }) {
                waiting.remove(state)
                let cost = costs[state] ?? 0
                for onward in 0..<UInt32(town.arrays.heads.count) {
                    guard let edge = search.edge(of: state),
                        town.arrays.heads.base[Int(edge)] == town.arrays.heads.base[Int(onward ^ 1)],
                        let turn = search.turn(from: state, into: onward)
                    else { continue }
                    let entered = cost + Int(turn.cost)
                    for target in places where target.edge == onward >> 1 && target.isOpen(onward) {
                        arrive(
                            turn.next,
                            entered + Int(LegPlanner.part(weights[Int(onward)], target.fraction(along: onward))))
                    }
                    let total = entered + Int(weights[Int(onward)])
                    if costs[turn.next].map({ total < $0 }) ?? true {
                        costs[turn.next] = total
                        waiting.insert(turn.next)
                    }
                }
            }
            return arrived
        }

        /// The cost of a route that goes on at its stops; nil where there is none.
        func cost(_ stops: [EdgePlace]) -> Int? {
            func all(_ place: EdgePlace, _ cost: Int) -> [(state: UInt32, place: EdgePlace, cost: Int)] {
                [2 * place.edge, 2 * place.edge + 1].filter { place.isOpen($0) }.map { ($0, place, cost) }
            }
            var starts = all(stops[0], 0)
            for (from, to) in zip(stops, stops.dropFirst()) {
                var arrived = leg(starts, to: [to])
                if arrived.isEmpty, let best = starts.map(\.cost).min() {
                    arrived = leg(all(from, best + Int(TurnCosts.car.turningRound)), to: [to])
                }
                if arrived.isEmpty { return nil }
                starts = arrived.map { ($0, to, $1) }
            }
            return starts.map(\.cost).min()
        }
    }

    /// Places within pieces of road, at which no other road is as near.
    private func places(_ graph: RoadGraph, _ count: Int, _ random: inout SeededGenerator) throws -> [(Stop, EdgePlace)]
    {
        let snapper = Snapper(graph: graph.arrays, user: .car, name: "", takesAny: false)
        var found: [(Stop, EdgePlace)] = []
        for _ in 0..<20 * count where found.count < count {
            let edge = UInt32.random(in: 0..<UInt32(graph.edgeCount), using: &random)
            var points: [FixedPoint] = []
            guard graph.arrays.readPoints(of: edge, into: &points) else { continue }
            let (a, b) = (points[0], points[1])
            let stop = Stop(a.towards(b, part: Double.random(in: 0.2...0.8, using: &random)).coordinate)
            var near: [EdgePlace] = []
            try snapper.nearest(to: stop, within: 100) { place in
                near.append(place)
                return near.count < 2
            }
            guard let place = near.first, place.distance < 0.5, near.count < 2 || near[1].distance > 1 else { continue }
            found.append((stop, place))
        }
        return found
    }

    @Test func aHundredStopsCostWhatTheirSearchesCost() throws {
        var compared = 0
        for seed in 1...UInt64(60) {
            let world = RandomWorld(seed: seed)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            guard graph.edgeCount > 0 else { continue }
            let router = try Town.router(graph)
            var random = SeededGenerator(seed: seed &* 613)
            let stops = try places(graph, 100, &random)
            guard stops.count == 100 else { continue }
            var request = RouteRequest(stops: stops.map(\.0), continueStraight: false)
            request.keepsToIslands = true
            request.tellsWhyNot = false
            guard let route = try? router.route(request) else { continue }
            var sum = 0
            for (from, to) in zip(request.stops, request.stops.dropFirst()) {
                var leg = RouteRequest(stops: [from, to])
                leg.keepsToIslands = true
                sum += try router.route(leg).cost
            }
            compared += 1
            #expect(route.cost == sum, "seed \(seed)")
            #expect(route.legs.count == 99 && route.stops.count == 100)
        }
        print("stops: \(compared) routes of 100 stops compared with their searches")
        #expect(compared > 5)
    }

    @Test func whoGoesOnAtAHundredStopsPaysWhatDijkstrasChainPays() throws {
        var compared = 0
        for seed in 1...UInt64(60) {
            let world = RandomWorld(seed: seed)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            guard graph.edgeCount > 0 else { continue }
            var random = SeededGenerator(seed: seed &* 613)
            let stops = try places(graph, 100, &random)
            guard stops.count == 100 else { continue }
            var request = RouteRequest(stops: stops.map(\.0))
            request.keepsToIslands = true
            request.tellsWhyNot = false
            for index in request.stops.indices { request.stops[index].passesThrough = Bool.random(using: &random) }
            let chain = Chain(
                town: graph, search: EdgeSearch(graph: graph.arrays, user: .car))
            let expected = chain.cost(stops.map(\.1))
            for router in [try Town.router(graph), Router(graph: graph)] {
                let route = try? router.route(request)
                #expect(route?.cost == expected, "seed \(seed)")
                let between = request.stops.dropFirst().dropLast()
                if let route { #expect(route.legs.count == 1 + between.count { !$0.passesThrough }) }
            }
            if expected != nil { compared += 1 }
        }
        print("stops: \(compared) routes that go on at 100 stops compared with a chain of Dijkstra's")
        #expect(compared > 5)
    }

    @Test func otherWaysWithStopsBetweenKeepWhatIsStated() throws {
        var told = 0
        for seed in 1...UInt64(150) {
            let world = RandomWorld(seed: seed)
            let places = world.ways.flatMap(\.locations).compactMap { $0 }
            guard let from = places.first, let to = places.last, places.count > 4 else { continue }
            let router = try Town.router(
                Town.graph(ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules))
            var request = RouteRequest(stops: [Stop(from), Stop(places[places.count / 2]), Stop(to)])
            request.tellsWhyNot = false
            request.stops[1].passesThrough = seed % 2 == 0
            guard let routes = try? router.routes(request, alternatives: 3) else { continue }
            told += routes.count - 1
            for (index, route) in routes.enumerated() {
                #expect(route.legs.count == (seed % 2 == 0 ? 1 : 2) && route.stops.count == 3, "seed \(seed)")
                #expect(Double(route.cost) <= 1.25 * Double(routes[0].cost) + 1000, "seed \(seed)")
                // What is shared is counted by pieces between nodes.
                func pieces(_ route: FoundRoute) -> [[Coordinate]] { route.legs.flatMap(\.edges).map(\.shape) }
                for other in routes[..<index] {
                    let driven = Set(pieces(other))
                    let shared = route.legs.flatMap(\.edges).reduce(0.0) {
                        $0 + (driven.contains($1.shape) ? $1.uncharged : 0)
                    }
                    let all = route.legs.flatMap(\.edges).reduce(0.0) { $0 + $1.uncharged }
                    // Milliseconds are rounded edge by edge.
                    #expect(shared <= 0.75 * all + Double(route.legs.flatMap(\.edges).count) + 2, "seed \(seed)")
                }
            }
        }
        print("alternatives with stops between: \(told) told on 150 random worlds")
        #expect(told > 10)
    }
}

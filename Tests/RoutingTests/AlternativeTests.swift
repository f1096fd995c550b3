import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct AlternativeTests {
    /// Two ways along a lake, the upper one a little longer, and a far detour below.
    private static let lake = """
                      u
        a - b - - - - - - - - c - d
            |                 |
            |                 |
            |                 |
            |                 |
            |                 |
            |                 |
            x - - - - - - - - y
        """
    private static let ways = ["ab", "bc", "cd", "bu", "uc", "bx", "xy", "yc"]

    private func letters(_ town: Town, _ route: FoundRoute) -> String {
        var names: [Character] = []
        for id in route.legs.flatMap(\.edges).flatMap(\.nodeIDs) {
            guard let place = town.graph.vertex(id),
                let name = town.places.first(where: { $0.value.distance(to: place) < 1 })?.key
            else { continue }
            if names.last != name { names.append(name) }
        }
        return String(names)
    }

    @Test func anotherWayRoundIsToldAndAFarOneIsNot() throws {
        let town = try Town(Self.lake, ways: Self.ways)
        let routes = try town.router.routes(town.request(["a", "d"]), alternatives: 3)
        #expect(routes.map { letters(town, $0) } == ["abcd", "abucd"])
        #expect(try town.router.routes(town.request(["a", "d"]), alternatives: 0).count == 1)
    }

    @Test func aRoundTripOverAStubIsNoOtherWay() throws {
        let town = try Town("a - b - c - d\n    |\n    e", ways: ["ab", "bc", "cd", "be"])
        #expect(try town.router.routes(town.request(["a", "d"]), alternatives: 3).count == 1)
    }

    /// A third of the way's cost is lost at signals, which both share as well as the road.
    @Test func aWayWithManySignalsIsNoOtherWayThanItself() throws {
        let letters = Array("abcdefghijklmnopqrst")
        let town = try Town(
            letters.map(String.init).joined(separator: " "),
            ways: zip(letters, letters.dropFirst()).map { "\($0)\($1) highway=primary" },
            nodes: letters.dropFirst().dropLast().map { "\($0) highway=traffic_signals" })
        #expect(try town.router.routes(town.request(["a", "t"]), alternatives: 3).count == 1)
    }

    @Test func otherWaysLeadThroughTheSameStops() throws {
        let town = try Town(Self.lake, ways: Self.ways)
        var request = town.request(["a", "b", "d"])
        request.continueStraight = true
        let routes = try town.router.routes(request, alternatives: 2)
        #expect(routes.count >= 1 && routes.allSatisfy { $0.legs.count == 2 && $0.stops == routes[0].stops })
    }

    /// On random towns: the first is the route itself; each other way costs what its pieces and turns cost, at most a quarter
    /// more, and shares at most three quarters with each before it.
    @Test func whatIsToldKeepsWhatIsStated() throws {
        var told = 0
        for seed in 1...UInt64(200) {
            let world = RandomWorld(seed: seed)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            let places = world.ways.flatMap(\.locations).compactMap { $0 }
            guard let from = places.first, let to = places.last else { continue }
            let request = RouteRequest(stops: [Stop(from), Stop(to)])
            for router in [try Town.router(graph), Router(graph: graph)] {
                guard let best = try? router.route(request) else { continue }
                let routes = try router.routes(request, alternatives: 3)
                #expect(routes.count <= 4 && routes.first?.cost == best.cost, "seed \(seed)")
                told += routes.count - 1
                for (index, route) in routes.enumerated() {
                    let edges = route.legs.flatMap(\.edges)
                    let sum = edges.reduce(0) { $0 + ($1.weight + $1.turnWeight) * 100 }
                    #expect(abs(sum - Double(route.cost)) <= Double(2 * edges.count + 2), "seed \(seed)")
                    #expect(Double(route.cost) <= 1.25 * Double(best.cost) + 1000, "seed \(seed)")
                    for other in routes[..<index] {
                        let driven = Set(other.legs.flatMap(\.edges).map(\.shape))
                        let shared = edges.reduce(0) { $0 + (driven.contains($1.shape) ? $1.uncharged : 0) }
                        let all = route.legs.flatMap(\.edges).reduce(0.0) { $0 + $1.uncharged }
                        // Milliseconds are rounded edge by edge.
                        #expect(shared <= 0.75 * all + Double(route.legs.flatMap(\.edges).count) + 2, "seed \(seed)")
                    }
                }
            }
        }
        print("alternatives: \(told) told on 200 random towns")
        #expect(told > 20)
    }
}

extension PathEdge {
    /// Milliseconds of cost of the edge and the turn into it, without what entering a road with limited access costs.
    var uncharged: Double {
        let turn = turnWeight * 100
        let charge = Double(TurnCosts.car.enteringRestricted)
        return weight * 100 + (turn >= charge ? turn - charge : turn)
    }
}

/// The T-test by Dijkstra's algorithm alone.
@Suite struct LocalOptimalityTests {
    private struct Towns {
        let graph: RoadGraph
        let search: EdgeSearch
        /// Directed edges by their lines; those that share one are left out.
        var byLine: [[Coordinate]: UInt32] = [:]

        init(_ graph: RoadGraph) {
            self.graph = graph
            search = EdgeSearch(graph: graph.arrays, user: .car)
            var twice: Set<[Coordinate]> = []
            for edge in 0..<UInt32(graph.edgeCount) {
                var points: [FixedPoint] = []
                guard graph.arrays.readPoints(of: edge, into: &points) else { continue }
                let line = points.map(\.coordinate)
                for (line, directed) in [(line, 2 * edge), (line.reversed(), 2 * edge + 1)] {
                    if byLine.updateValue(directed, forKey: line) != nil { twice.insert(line) }
                }
            }
            for line in twice { byLine[line] = nil }
        }

        func weight(_ directed: UInt32) -> Int { Int(graph.arrays.car.weights[directed] ?? .max) }

        /// From the head of a state's edge to the head of an edge.
        func cost(from state: UInt32, to goal: UInt32) -> Int? {
            var costs = [state: 0]
            var waiting: Set<UInt32> = [state]
            var best: Int?
            while let next = waiting.min(by: { (costs[$0] ?? 0) < (costs[$1] ?? 0) }) {
                waiting.remove(next)
                for onward in 0..<UInt32(2 * graph.edgeCount) {
                    guard let edge = search.edge(of: next),
                        graph.arrays.heads.base[Int(edge)] == graph.arrays.heads.base[Int(onward ^ 1)],
                        let turn = search.turn(from: next, into: onward)
                    else { continue }
                    let total = (costs[next] ?? 0) + Int(turn.cost) + weight(onward)
                    if onward == goal { best = min(best ?? total, total) }
                    if costs[turn.next].map({ total < $0 }) ?? true {
                        costs[turn.next] = total
                        waiting.insert(turn.next)
                    }
                }
            }
            return best
        }
    }

    @Test func aroundTheMiddleOfWhatIsItsOwnNothingIsCheaper() throws {
        var checked = 0
        for seed in 1...UInt64(200) {
            let world = RandomWorld(seed: seed)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            let places = world.ways.flatMap(\.locations).compactMap { $0 }
            guard let from = places.first, let to = places.last else { continue }
            var request = RouteRequest(stops: [Stop(from), Stop(to)])
            request.tellsWhyNot = false
            guard let routes = try? Town.router(graph).routes(request, alternatives: 3) else { continue }
            let town = Towns(graph)
            let best = Set(routes[0].legs.flatMap(\.edges).map { town.byLine[$0.shape] })
            for route in routes.dropFirst() {
                // The pieces at the ends may be cut; the others are whole.
                let edges = route.legs[0].edges.dropFirst().dropLast().map { town.byLine[$0.shape] }
                let known = edges.compactMap { $0 }
                guard known.count == edges.count, let first = known.first else { continue }
                var states = [first]
                var heads = [0]
                for edge in known.dropFirst() {
                    let turn = try #require(town.search.turn(from: states[states.count - 1], into: edge))
                    states.append(turn.next)
                    heads.append(heads[heads.count - 1] + Int(turn.cost) + town.weight(edge))
                }
                let within = 0.25 * Double(routes[0].cost)
                var index = 0
                while index < known.count {
                    var end = index
                    while end < known.count, !best.contains(known[end]) { end += 1 }
                    defer { index = max(end, index + 1) }
                    guard end > index else { continue }
                    let middle = Double(heads[index] + heads[end - 1]) / 2
                    // A part of a best way is one as well: where the stretch reaches to the ends, what is known of it counts.
                    let start = heads.lastIndex { Double($0) <= middle - within } ?? 0
                    let goal = heads.firstIndex { Double($0) >= middle + within } ?? heads.count - 1
                    guard start < goal, let cost = town.cost(from: states[start], to: known[goal]) else { continue }
                    checked += 1
                    // Within the rounding of the search's milliseconds.
                    #expect(cost + 1 >= heads[goal] - heads[start], "seed \(seed)")
                }
            }
        }
        print("alternatives: \(checked) stretches pass the T-test by Dijkstra's algorithm")
        #expect(checked > 5)
    }
}

extension RoadGraph {
    /// Where the vertex of an OSM node lies.
    fileprivate func vertex(_ node: Int64) -> Coordinate? {
        for index in 0..<vertexCount where arrays.vertices[index]?.nodeID == node { return location(ofVertex: index) }
        return nil
    }
}

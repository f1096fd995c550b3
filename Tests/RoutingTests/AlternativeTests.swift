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
                        let shared = edges.reduce(0) { $0 + (driven.contains($1.shape) ? $1.weight * 100 : 0) }
                        #expect(shared <= 0.75 * Double(route.cost) + 2, "seed \(seed)")
                    }
                }
            }
        }
        print("alternatives: \(told) told on 200 random towns")
        #expect(told > 20)
    }
}

extension RoadGraph {
    /// Where the vertex of an OSM node lies.
    fileprivate func vertex(_ node: Int64) -> Coordinate? {
        for index in 0..<vertexCount where arrays.vertices[index]?.nodeID == node { return location(ofVertex: index) }
        return nil
    }
}

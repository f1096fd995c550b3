import OpenStreetMap
import Testing

@testable import Routing

/// Directed edges with weights over vertices on a plane, as `RoadGraph` numbers them.
private struct Network {
    var points: [GraphVertex] = []
    /// The heads of `2e` and `2e + 1`.
    var heads: [UInt32] = []
    var weights: [UInt32] = []

    init(count: Int, seed: UInt64 = 1) {
        var random = SeededGenerator(seed: seed)
        for vertex in 0..<count {
            points.append(
                GraphVertex(
                    nodeID: Int64(vertex), latitude: Int32.random(in: 470_000_000...480_000_000, using: &random),
                    longitude: Int32.random(in: 90_000_000...100_000_000, using: &random)))
        }
    }

    mutating func join(_ a: Int, _ b: Int, _ forward: UInt32 = 1, _ backward: UInt32 = 1) {
        heads += [UInt32(b), UInt32(a)]
        weights += [forward, backward]
    }

    /// Streets on a grid, some missing, some one way, some drawn twice, with a few far links and loops.
    static func random(seed: UInt64, side: ClosedRange<Int> = 1...14) -> Network {
        var random = SeededGenerator(seed: seed)
        let columns = Int.random(in: side, using: &random)
        let rows = Int.random(in: side, using: &random)
        var network = Network(count: columns * rows, seed: seed &* 31)
        for y in 0..<rows {
            for x in 0..<columns {
                network.points[y * columns + x].longitude = 90_000_000 + Int32(x) * 10_000
                network.points[y * columns + x].latitude = 470_000_000 + Int32(y) * 10_000
            }
        }
        func weight(_ random: inout SeededGenerator) -> UInt32 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0: .max
            case 1: 1
            case 2: UInt32.random(in: UInt32.max / 3..<UInt32.max, using: &random)
            default: UInt32.random(in: 1...20, using: &random)
            }
        }
        let density = Double.random(in: 0.3...1, using: &random)
        for vertex in 0..<columns * rows {
            for other in [vertex % columns + 1 < columns ? vertex + 1 : -1, vertex + columns]
            where other >= 0 && other < columns * rows && Double.random(in: 0..<1, using: &random) < density {
                network.join(vertex, other, weight(&random), weight(&random))
                if Int.random(in: 0..<9, using: &random) == 0 {
                    network.join(other, vertex, weight(&random), weight(&random))
                }
            }
            if Int.random(in: 0..<40, using: &random) == 0 {
                let other = Int.random(in: 0..<columns * rows, using: &random)
                network.join(vertex, other, weight(&random), weight(&random))
            }
        }
        return network
    }

    var simple: UndirectedGraph { UndirectedGraph(vertexCount: points.count, heads: heads) }
    func ranks() throws -> [UInt32] { try #require(NestedDissection.ranks(of: simple, at: points)) }

    /// Dijkstra's algorithm over the edges.
    func distances(to targets: [(vertex: UInt32, cost: UInt32)]) -> [UInt32] {
        var distance = [UInt32](repeating: .max, count: points.count)
        var heap = BinaryHeap<(UInt32, UInt32)> { $0 < $1 }
        for target in targets { heap.push((target.cost, target.vertex)) }
        var arriving = [[Int]](repeating: [], count: points.count)
        for directed in heads.indices { arriving[Int(heads[directed])].append(directed) }
        while let (cost, vertex) = heap.pop() {
            if distance[Int(vertex)] != .max { continue }
            distance[Int(vertex)] = cost
            for directed in arriving[Int(vertex)] where weights[directed] != .max {
                let (sum, overflow) = cost.addingReportingOverflow(weights[directed])
                if !overflow, sum != .max { heap.push((sum, heads[directed ^ 1])) }
            }
        }
        return distance
    }
}

/// A hierarchy and a metric of a network, in memory that looks like a file.
private struct Contracted {
    let arrays: HierarchyArrays
    let hierarchy: Hierarchy
    let up: MetricArcs
    let down: MetricArcs
    private let storage: [GraphStorage]

    /// - Parameter open: the network with some edges closed; its own weights are the free ones.
    init(_ network: Network, open: Network? = nil, ranks: [UInt32]) throws {
        arrays = try #require(HierarchyArrays(network.simple, ranks: ranks))
        var writer = SectionWriter()
        arrays.add(to: &writer)
        writer.add(.heads, network.heads)
        let first = writer.finish(RoadGraph.form, atlasID: [UInt8](0..<16))
        let reader = SectionReader(
            bytes: first.bytes, table: try SectionFile.table(of: first, form: RoadGraph.form, name: "x"), name: "x")
        hierarchy = Hierarchy(
            ranks: try reader.section(.ranks), arcBytes: try reader.section(.arcBytes),
            parents: try reader.section(.parents))
        let arcs = try hierarchy.arcs()
        #expect(arcs.first == arrays.arcs.first && arcs.heads == arrays.arcs.heads)
        let heads: Section<UInt32> = try reader.section(.heads)
        let (open, free) = (open ?? network, network)
        var openWeights = try Customisation(hierarchy, arcs, heads: heads) { open.weights[$0] }
        var freeWeights = try Customisation(hierarchy, arcs, heads: heads) { free.weights[$0] }
        openWeights.run()
        freeWeights.run()
        var metrics = SectionWriter()
        MetricArcs.add(
            arcs, open: openWeights.up, free: freeWeights.up,
            isNeeded: { (openWeights.isNeeded[$0] | freeWeights.isNeeded[$0]) & 1 != 0 }, first: .upFirst, to: &metrics)
        MetricArcs.add(
            arcs, open: openWeights.down, free: freeWeights.down,
            isNeeded: { (openWeights.isNeeded[$0] | freeWeights.isNeeded[$0]) & 2 != 0 }, first: .downFirst,
            to: &metrics)
        let second = metrics.finish(RoadMetric.form, atlasID: [UInt8](0..<16))
        let sections = SectionReader(
            bytes: second.bytes, table: try SectionFile.table(of: second, form: RoadMetric.form, name: "x"), name: "x")
        up = try MetricArcs(sections, first: .upFirst, vertexCount: network.points.count)
        down = try MetricArcs(sections, first: .downFirst, vertexCount: network.points.count)
        storage = [first, second]
    }

    func distances(
        from vertices: [Int], to targets: [(vertex: UInt32, cost: UInt32)], isFree: Bool = false, workspace: Workspace
    ) -> [UInt32] {
        var distances = HierarchyDistances(
            hierarchy, up: up, down: down, isFree: isFree, ends: targets, workspace: workspace, slot: isFree ? 1 : 0)
        let answers = vertices.map { distances.distance(from: $0) }
        #expect(!distances.isDamaged)
        return answers
    }
}

@Suite struct HierarchyTests {
    private static func path(_ count: Int) -> Network {
        var network = Network(count: count)
        for vertex in 1..<count { network.join(vertex - 1, vertex) }
        return network
    }

    private static func clique(_ count: Int) -> Network {
        var network = Network(count: count)
        for a in 0..<count { for b in 0..<a { network.join(a, b) } }
        return network
    }

    private static func star(_ count: Int) -> Network {
        var network = Network(count: count)
        for vertex in 1..<count { network.join(0, vertex) }
        return network
    }

    private static func grid(_ side: Int) -> Network {
        var network = Network(count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                network.points[y * side + x].longitude = 90_000_000 + Int32(x) * 10_000
                network.points[y * side + x].latitude = 470_000_000 + Int32(y) * 10_000
                if x + 1 < side { network.join(y * side + x, y * side + x + 1) }
                if y + 1 < side { network.join(y * side + x, y * side + side + x) }
            }
        }
        return network
    }

    @Test func everyVertexHasARankOfItsOwn() throws {
        var networks = [
            Network(count: 0), Network(count: 1), Network(count: 300), Self.path(2), Self.path(5000), Self.clique(150),
            Self.star(400), Self.grid(60),
        ]
        for seed in 1...40 as ClosedRange<UInt64> { networks.append(.random(seed: seed, side: 1...40)) }
        for network in networks {
            let ranks = try network.ranks()
            #expect(ranks.sorted() == (0..<UInt32(network.points.count)).map { $0 })
        }
    }

    @Test func allAtOnePlaceAreOrderedAsWell() throws {
        var network = Self.grid(30)
        for vertex in network.points.indices {
            network.points[vertex].latitude = 0
            network.points[vertex].longitude = 0
        }
        let ranks = try network.ranks()
        #expect(ranks.sorted() == (0..<900).map { $0 })
    }

    @Test func theOrderIsTheSameEachTime() throws {
        let network = Network.random(seed: 5, side: 90...100)
        let ranks = try network.ranks()
        for _ in 0..<3 { #expect(try network.ranks() == ranks) }
    }

    @Test func stoppingTheOrderGivesNone() {
        let network = Self.grid(20)
        #expect(NestedDissection.ranks(of: network.simple, at: network.points) { _ in false } == nil)
    }

    private static func height(_ parents: [UInt32]) -> Int {
        var depth = [Int](repeating: 1, count: parents.count)
        for rank in stride(from: parents.count - 1, through: 0, by: -1) where parents[rank] != .max {
            depth[rank] = depth[Int(parents[rank])] + 1
        }
        return depth.max() ?? 0
    }

    @Test func fewArcsAreAddedAndNoWayToTheRootIsLong() throws {
        let path = Self.path(100_000)
        let flat = try #require(HierarchyArrays(path.simple, ranks: try path.ranks()))
        #expect(flat.arcs.heads.count < 200_000)
        #expect(Self.height(flat.parents) < 60)
        let grid = Self.grid(100)
        let square = try #require(HierarchyArrays(grid.simple, ranks: try grid.ranks()))
        print("grid of 100 by 100: \(square.arcs.heads.count) arcs, height \(Self.height(square.parents))")
        #expect(square.arcs.heads.count < 280_000)
        #expect(Self.height(square.parents) < 450)
    }

    @Test func theHigherNeighboursOfAVertexAreAllJoined() throws {
        for seed in 1...30 as ClosedRange<UInt64> {
            let network = Network.random(seed: seed)
            let contracted = try Contracted(network, ranks: try network.ranks())
            let (first, heads) = (contracted.arrays.arcs.first, contracted.arrays.arcs.heads)
            for rank in network.points.indices {
                let above = heads[Int(first[rank])..<Int(first[rank + 1])]
                #expect(above.first ?? .max == contracted.arrays.parents[rank], "seed \(seed)")
                for low in above {
                    let known = Set(heads[Int(first[Int(low)])..<Int(first[Int(low) + 1])])
                    #expect(above.allSatisfy { $0 <= low || known.contains($0) }, "seed \(seed)")
                }
            }
            for edge in 0..<network.heads.count / 2 {
                let ends =
                    [contracted.arrays.ranks[Int(network.heads[2 * edge])]]
                    + [contracted.arrays.ranks[Int(network.heads[2 * edge + 1])]]
                let (low, high) = (min(ends[0], ends[1]), max(ends[0], ends[1]))
                let arc = contracted.arrays.arcs.arc(from: low, to: high)
                #expect(
                    arc == (first[Int(low)]..<first[Int(low) + 1]).first { heads[Int($0)] == high }.map { Int($0) },
                    "seed \(seed)")
                #expect((arc == nil) == (low == high), "seed \(seed)")
            }
        }
    }

    @Test func distancesAreThoseOfDijkstra() throws {
        var compared = 0
        var unreachable = 0
        for seed in 1...150 as ClosedRange<UInt64> {
            let network = Network.random(seed: seed)
            var random = SeededGenerator(seed: seed &* 7919)
            // Any order will do: distances do not depend on it.
            let ranks =
                seed % 3 == 0
                ? (0..<UInt32(network.points.count)).shuffled(using: &random) : try network.ranks()
            var open = network
            for index in open.weights.indices where Int.random(in: 0..<8, using: &random) == 0 {
                open.weights[index] = .max
            }
            let contracted = try Contracted(network, open: open, ranks: ranks)
            let workspace = Workspace(stateCount: 1, vertexCount: network.points.count)
            for round in 0..<8 {
                let isFree = round % 2 == 0
                let targets = (0...round).map { _ in
                    (
                        vertex: UInt32.random(in: 0..<UInt32(network.points.count), using: &random),
                        cost: UInt32.random(in: 0...30, using: &random)
                    )
                }
                let expected = (isFree ? network : open).distances(to: targets)
                let vertices = network.points.indices.shuffled(using: &random)
                let answers = contracted.distances(from: vertices, to: targets, isFree: isFree, workspace: workspace)
                for (vertex, answer) in zip(vertices, answers) {
                    #expect(answer == expected[vertex], "seed \(seed), round \(round), vertex \(vertex)")
                    if answer != expected[vertex] { return }
                    compared += 1
                    if answer == .max { unreachable += 1 }
                }
            }
        }
        print("hierarchy: \(compared) distances compared, \(unreachable) of them without a way")
        #expect(unreachable > 100 && unreachable * 2 < compared)
    }

    @Test func sumsBeyondAllNumbersAreNoWay() throws {
        var network = Self.path(6)
        network.weights = network.weights.map { _ in UInt32.max / 2 }
        let contracted = try Contracted(network, ranks: try network.ranks())
        let workspace = Workspace(stateCount: 1, vertexCount: 6)
        let answers = contracted.distances(from: Array(0..<6), to: [(0, 0)], workspace: workspace)
        #expect(answers == [0, UInt32.max / 2, UInt32.max - 1, .max, .max, .max])
    }

    @Test func arcsThatAWayOverOthersReplacesAreNotKept() throws {
        // From 0 to 2 it is cheaper over 1, whose rank is higher.
        var network = Network(count: 3)
        network.join(0, 1, 1, 1)
        network.join(1, 2, 1, 1)
        network.join(0, 2, 5, 2)
        let contracted = try Contracted(network, ranks: [0, 1, 2])
        #expect(contracted.arrays.arcs.heads.count == 3)
        #expect(contracted.up.arcs.count == 2)
        #expect(contracted.down.arcs.count == 2)
    }
}

@Suite struct HierarchyPotentialTests {
    /// What the potential says never exceeds what the next edge costs and what it says behind that.
    @Test func thePotentialIsConsistentOnRandomWorlds() throws {
        var compared = 0
        var sharp = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            let world = RandomWorld(seed: seed)
            let graph = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            let arrays = graph.arrays
            var random = SeededGenerator(seed: seed &* 104_729)
            for profile in Profile.allCases where arrays.heads.count > 0 {
                let metric = try graph.metric(for: profile)
                let columns = arrays.profile(profile)
                let floors = TurnFloors.Lookup(arrays, user: profile)
                let search = EdgeSearch(graph: arrays, user: profile)
                let workspace = Workspace(
                    stateCount: arrays.heads.count + arrays.stateEdges.count, vertexCount: graph.vertexCount)
                for reach in [HierarchyPotential.Reach.open, .both, .free] {
                    var targets: [SearchTarget] = []
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        let edge = UInt32.random(in: 0..<UInt32(arrays.heads.count), using: &random)
                        guard let weight = columns.weights[edge], weight != .max else { continue }
                        targets.append(SearchTarget(edge: edge, cost: UInt32.random(in: 0...weight, using: &random)))
                    }
                    guard !targets.isEmpty else { continue }
                    var potential = HierarchyPotential(
                        graph: arrays, metric: metric, targets: targets, reach: reach, workspace: workspace)
                    func bound(_ directed: UInt32) -> UInt32 {
                        potential.lowerBound(over: Int(directed), at: Int(arrays.heads.base[Int(directed)]))
                    }
                    for state in 0..<UInt32(workspace.stateCount) {
                        let edge = try #require(search.edge(of: state))
                        guard columns.weights[edge] != .max else { continue }
                        let here = UInt64(bound(edge))
                        let head = Int(arrays.heads.base[Int(edge)])
                        for index in arrays.firstLeaving.base[head]..<arrays.firstLeaving.base[head + 1] {
                            let onward = arrays.leaving.base[Int(index)]
                            guard let turn = search.turn(from: state, into: onward) else { continue }
                            let weight = UInt64(columns.weights.base[Int(onward)])
                            let there = bound(onward)
                            compared += 1
                            let floor =
                                UInt32(metric.leaving.base[Int(edge)]) + UInt32(floors.entering(onward))
                            #expect(floor <= turn.cost, "world \(seed), \(profile): turn \(edge) to \(onward)")
                            for target in targets where target.edge == onward {
                                #expect(
                                    here <= UInt64(turn.cost) + UInt64(target.cost),
                                    "world \(seed), \(profile), \(reach): target \(onward) from \(edge)")
                            }
                            if there == .max { continue }
                            #expect(
                                here <= UInt64(turn.cost) + weight + UInt64(there),
                                "world \(seed), \(profile), \(reach): \(edge) to \(onward)")
                            if here == UInt64(turn.cost) + weight + UInt64(there), here > 0 { sharp += 1 }
                        }
                    }
                    #expect(!potential.isDamaged)
                }
            }
        }
        print("potential: \(compared) steps compared, \(sharp) without any slack")
        #expect(sharp > 1000)
    }

    @Test func aTownWithAPrivateQuarterIsSearchedOnceThroughItsGate() throws {
        let town = try Town(
            """
            a - b - c - d
                |   |
                e - f
                |
                g
            """, ways: ["abcd", "be access=private", "ef access=private", "eg", "cf access=private"])
        // Whoever wants to go to g has to cross the private roads: the first try finds nothing.
        let drive = town.drive("d", "g")
        #expect(drive.path == "d c f e g" || drive.path == "d c b e g")
        let plain = try town.router.route(town.request(["d", "g"]), guidance: .none)
        #expect(drive.route?.cost == plain.cost)
        #expect((drive.route?.cost ?? 0) > Int(TurnCosts.car.enteringRestricted))
    }

    @Test func privateRoadsOfManyStopsDoNotAddUpBeyondAllNumbers() throws {
        let town = try Town("a - b - c - d", ways: ["abc", "cd access=private"])
        let letters = (0..<60).map { $0 % 2 == 0 ? Character("a") : Character("d") }
        for profile in Profile.allCases {
            let request = town.request(letters, profile: profile)
            let route = try town.router.route(request)
            let plain = try town.router.route(request, guidance: .none)
            #expect(route.cost == plain.cost)
        }
        let route = try town.router.route(town.request(letters))
        #expect(route.cost > 20 * Int(TurnCosts.car.enteringRestricted))
    }
}

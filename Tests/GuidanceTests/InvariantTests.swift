import Geometry
import Guidance
import Routing
import Testing

/// What holds for the steps of every path, tried on random towns.
struct InvariantTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func stepsAddUpAndJoin(seed: UInt64) throws {
        let town = RandomTown(seed: seed)
        for (from, to) in town.pairs(8) {
            guard let path = town.town(cuts: []).path(from, to) else { continue }
            let steps = Guide.steps(for: path)
            let shape = Self.shape(of: path)
            #expect(steps.count >= 2, "seed \(seed)")
            #expect(abs(steps.reduce(0) { $0 + $1.distance } - path.length) < 0.001, "seed \(seed), \(from) to \(to)")
            #expect(abs(steps.reduce(0) { $0 + $1.duration } - path.duration) < 0.001, "seed \(seed), \(from) to \(to)")
            #expect(abs(steps.reduce(0) { $0 + $1.weight } - path.weight) < 0.001, "seed \(seed), \(from) to \(to)")
            #expect(steps.first?.shape.lowerBound == 0)
            for (step, next) in zip(steps, steps.dropFirst()) {
                #expect(step.shape.upperBound == next.shape.lowerBound, "seed \(seed), \(from) to \(to)")
                #expect(shape[next.shape.lowerBound] == next.manoeuvre.location)
                let length = Polyline.length(of: Array(shape[step.shape]))
                #expect(abs(length - step.distance) < 0.001, "seed \(seed), \(from) to \(to)")
            }
            let last = try #require(steps.last)
            #expect(
                last.manoeuvre.type == .arrive && last.distance == 0
                    && last.shape == (shape.count - 1)...(shape.count - 1))
            for crossing in steps.flatMap(\.intersections) {
                #expect(shape[crossing.shapeIndex] == crossing.location)
                #expect(
                    crossing.bearings.count == crossing.entries.count && crossing.bearings == crossing.bearings.sorted()
                )
            }
        }
    }

    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func cuttingWaysChangesNothing(seed: UInt64) {
        let town = RandomTown(seed: seed)
        for (from, to) in town.pairs(8) {
            guard let whole = town.town(cuts: []).path(from, to),
                let cut = town.town(cuts: town.allNodes).path(from, to),
                Self.shape(of: whole) == Self.shape(of: cut)
            else { continue }
            let expected = Guide.steps(for: whole)
            let steps = Guide.steps(for: cut)
            #expect(steps.map(Town.text) == expected.map(Town.text), "seed \(seed), \(from) to \(to)")
            #expect(steps.map(\.shape) == expected.map(\.shape), "seed \(seed), \(from) to \(to)")
            #expect(steps.map(\.manoeuvre) == expected.map(\.manoeuvre), "seed \(seed), \(from) to \(to)")
        }
    }

    private static func shape(of path: RoadPath) -> [Coordinate] {
        var shape: [Coordinate] = []
        for edge in path.edges { shape.append(contentsOf: edge.shape.dropFirst(shape.isEmpty ? 0 : 1)) }
        return shape
    }
}

/// A grid of streets with bends, gaps, one-way streets, roundabouts and few names, made from a seed.
struct RandomTown {
    private var random: SplitMix
    private let places: [String: Coordinate]
    private var ways: [Town.Way] = []
    let allNodes: Set<String>

    init(seed: UInt64) {
        random = SplitMix(state: seed)
        var places: [String: Coordinate] = [:]
        let side = 6
        let metres = [8.0, 25, 90][Int(random.next() % 3)]
        let degree = metres / 111_200
        for row in 0..<side {
            for column in 0..<side {
                let jitter = { (random: inout SplitMix) in Double(random.next() % 1000) / 1000 * 0.6 - 0.3 }
                places["\(row)-\(column)"] = Coordinate(
                    latitude: (Double(row) + jitter(&random)) * degree,
                    longitude: (Double(column) + jitter(&random)) * degree)
            }
        }
        self.places = places
        allNodes = Set(places.keys)
        let classes = ["primary", "primary", "residential", "service", "secondary_link", "motorway_link", "tertiary"]
        for line in 0..<side {
            for isRow in [true, false] {
                var nodes: [String] = []
                let tags = { (random: inout SplitMix) -> [String: String] in
                    var tags = [
                        "highway": classes[Int(random.next() % 7)],
                        "name": ["", "A", "B", "C"][Int(random.next() % 4)],
                    ]
                    if random.next() % 4 == 0 { tags["oneway"] = "yes" }
                    if random.next() % 12 == 0 { tags["junction"] = "roundabout" }
                    if random.next() % 12 == 0 { tags["turn:lanes"] = "left|through;right|" }
                    return tags
                }
                for k in 0..<side {
                    nodes.append(isRow ? "\(line)-\(k)" : "\(k)-\(line)")
                    let choice = random.next() % 6
                    if choice == 0, nodes.count > 1 {
                        ways.append(Town.Way(nodes: nodes, tags: tags(&random), origin: ways.count))
                        nodes = random.next() % 3 == 0 ? [] : [nodes[nodes.count - 1]]
                    }
                }
                if nodes.count > 1 { ways.append(Town.Way(nodes: nodes, tags: tags(&random), origin: ways.count)) }
            }
        }
    }

    func town(cuts: Set<String>) -> Town { Town(places: places, ways: ways, cuts: cuts) }

    func pairs(_ count: Int) -> [(String, String)] {
        var random = random
        let ends = ways.flatMap { [$0.nodes[0], $0.nodes[$0.nodes.count - 1]] }
        return (0..<count).map { _ in
            (ends[Int(random.next() % UInt64(ends.count))], ends[Int(random.next() % UInt64(ends.count))])
        }.filter { $0 != $1 }
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

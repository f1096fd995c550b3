import Foundation
import Geometry
import Routing
import Sextant

/// Times ways between random ends, one thread: the bare search, that with the path's geometry, and that with the steps
/// besides; the same with wishes and with closed roads.
struct RoutesBench {
    var profile = Profile.car
    var seed: UInt64 = 1
    var count = 1000
    /// How far from the first end the second lies at most; nil for anywhere.
    var kilometres: Double?
    /// A file whose lines begin with the longitude and latitude of both ends; nil for random ends.
    var pairsFile: String?
    var excluded: RoadKinds = []
    var avoided: RoadKinds = []
    /// How many roads are closed: ten on the plain way, the others anywhere.
    var closures = 0
    /// Prints one line a pair instead, with cost and settled states, for comparing two builds.
    var lists = false

    func run(_ path: String) throws {
        let opening = ContinuousClock.now
        let atlas = try Atlas.open([path])
        let opened = ContinuousClock.now - opening
        guard let router = atlas.parts.first?.router, router.graph.vertexCount > 1 else {
            throw AtlasHasNothing(path: path)
        }
        var random = SeededGenerator(seed: seed)
        let pairs = try pairsFile.map(Self.pairs) ?? pairs(router.graph, &random)
        let wishes = RoadWishes(excluded: excluded, avoided: avoided)
        var preparing = Timings()
        if !wishes.isEmpty { _ = try preparing.time { try router.prepare(profile, wishes: wishes) } }
        var (found, missing, settled, edges, cost) = (0, 0, 0, 0, 0)
        var metres = 0.0
        var settledByPair: [Int] = []
        var (bare, plain, search, steps, failing) = (Timings(), Timings(), Timings(), Timings(), Timings())
        let spots = closures > 0 ? try closable(router, &random) : []
        // Each sort of question to all pairs before the next sort: what a pair needs has left the processor's caches by then.
        for round in 0..<2 {
            (plain, bare, search, steps, failing) = (Timings(), Timings(), Timings(), Timings(), Timings())
            var requests: [RouteRequest] = []
            for (index, pair) in pairs.enumerated() {
                var request = RouteRequest(stops: [Stop(pair.0), Stop(pair.1)], profile: profile)
                var timing = Timings()
                do {
                    let sketch = try timing.timeOnProcessor { try router.sketch(request) }
                    plain.add(timing.milliseconds[0])
                    if closures > 0 { request.closures = closed(on: try router.route(request), spots, &random) }
                    request.wishes = wishes
                    requests.append(request)
                    if lists, round == 1, wishes.isEmpty, closures == 0 {
                        Swift.print("\(index)\t\(sketch.cost)\t\(sketch.statesSettled)")
                    }
                } catch let error as RoutingError where error.isAboutTheWay {
                    failing.add(timing.milliseconds.first ?? 0)
                    if lists, round == 1 { Swift.print("\(index)\t-") }
                }
            }
            (found, missing, settled, edges, cost, metres) = (0, pairs.count - requests.count, 0, 0, 0, 0)
            settledByPair = []
            var ways: [RouteRequest] = []
            for request in requests {
                var timing = Timings()
                do {
                    let sketch = try timing.timeOnProcessor { try router.sketch(request) }
                    bare.add(timing.milliseconds[0])
                    settled += sketch.statesSettled
                    settledByPair.append(sketch.statesSettled)
                    ways.append(request)
                } catch let error as RoutingError where error.isAboutTheWay {
                    missing += 1
                    failing.add(timing.milliseconds.first ?? 0)
                }
            }
            for request in ways {
                var timing = Timings()
                let route = try timing.timeOnProcessor { try router.route(request) }
                search.add(timing.milliseconds[0])
                edges += route.legs.reduce(0) { $0 + $1.edges.count }
                cost += route.cost
            }
            for request in ways {
                var timing = Timings()
                let directions = try timing.timeOnProcessor { try router.directions(request) }
                steps.add(timing.milliseconds[0])
                found += 1
                metres += directions.distance
            }
        }
        if lists { return }
        settledByPair.sort()
        let way = max(found, 1)
        var figures: [String: Any] = [
            "profile": "\(profile)", "seed": seed, "vertices": router.graph.vertexCount,
            "edges": router.graph.edgeCount, "found": found, "without_way": missing,
            "bare": bare.figures, "bare_without_wishes": plain.figures, "route": search.figures,
            "route_with_steps": steps.figures, "no_route": failing.figures,
            "settled_mean": settled / way, "settled_max": settledByPair.last ?? 0,
            "settled_p50": settledByPair.isEmpty ? 0 : settledByPair[settledByPair.count / 2],
            "settled_p99": settledByPair.isEmpty ? 0 : settledByPair[settledByPair.count * 99 / 100],
            "edges_mean": edges / way, "minutes_mean": Double(cost) / 60_000 / Double(way),
            "kilometres_mean": metres / 1000 / Double(way),
            "opening_ms": Double(opened.components.attoseconds) / 1e15 + Double(opened.components.seconds) * 1e3,
            "peak_memory_mb": peakMemory() ?? -1,
        ]
        if !wishes.isEmpty { figures["preparing_ms"] = preparing.milliseconds[0] }
        if closures > 0 { figures["closures"] = closures }
        try SextantBench.print(figures)
    }

    /// Roads at random places, each as two neighbouring nodes.
    private func closable(_ router: Router, _ random: inout SeededGenerator) throws -> [RoadClosure] {
        var spots: [RoadClosure] = []
        for _ in 0..<20 * closures {
            guard let place = router.graph.location(ofVertex: .random(in: 0..<router.graph.vertexCount, using: &random))
            else { continue }
            let road = try router.nearestRoads(to: Stop(place, radius: 100), count: 1, profile: profile).first
            if let nodes = road?.nodeIDs, nodes.count == 2 { spots.append(.segment(from: nodes[0], to: nodes[1])) }
        }
        return spots
    }

    private func closed(
        on route: FoundRoute, _ spots: [RoadClosure], _ random: inout SeededGenerator
    ) -> [RoadClosure] {
        let edges = route.legs.flatMap(\.edges).dropFirst().dropLast()
        var closures: [RoadClosure] = []
        for _ in 0..<10 {
            guard let edge = edges.randomElement(using: &random), edge.nodeIDs.count > 1 else { continue }
            closures.append(.segment(from: edge.nodeIDs[0], to: edge.nodeIDs[1]))
        }
        while closures.count < self.closures, let spot = spots.randomElement(using: &random) { closures.append(spot) }
        return closures
    }

    private static func pairs(_ path: String) throws -> [(Coordinate, Coordinate)] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: "\t").prefix(4).compactMap { Double($0) }
            guard numbers.count == 4 else { return nil }
            return (
                Coordinate(latitude: numbers[1], longitude: numbers[0]),
                Coordinate(latitude: numbers[3], longitude: numbers[2])
            )
        }
    }

    private func pairs(_ graph: RoadGraph, _ random: inout SeededGenerator) -> [(Coordinate, Coordinate)] {
        var pairs: [(Coordinate, Coordinate)] = []
        var tries = 0
        while pairs.count < count, tries < 1000 * max(count, 1) {
            tries += 1
            guard let a = graph.location(ofVertex: .random(in: 0..<graph.vertexCount, using: &random)),
                let b = graph.location(ofVertex: .random(in: 0..<graph.vertexCount, using: &random))
            else { continue }
            if let kilometres, a.distance(to: b) > kilometres * 1000 { continue }
            pairs.append((a, b))
        }
        return pairs
    }
}

extension RoutingError {
    /// Whether the ends or what lies between them are at fault, and not the atlas.
    fileprivate var isAboutTheWay: Bool {
        switch self {
        case .noRoute, .noRoadNearby: true
        default: false
        }
    }
}

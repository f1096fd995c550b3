import Foundation
import Geometry
import Routing
import Sextant

/// Times ways between random ends, one thread: the search with the path's geometry, and that with the steps besides.
enum RoutesBench {
    /// - Parameters:
    ///   - kilometres: how far from the first end the second lies at most; nil for anywhere.
    ///   - lists: prints one line a pair instead, with cost and settled states, for comparing two builds.
    static func run(
        _ path: String, profile: Profile, seed: UInt64, count: Int, kilometres: Double?, lists: Bool
    ) throws {
        let atlas = try Atlas.open([path])
        guard let router = atlas.parts.first?.router, router.graph.vertexCount > 1 else {
            throw AtlasHasNothing(path: path)
        }
        var random = SeededGenerator(seed: seed)
        let pairs = pairs(router.graph, count: count, kilometres: kilometres, &random)
        var (found, missing, settled, edges, cost) = (0, 0, 0, 0, 0)
        var settledByPair: [Int] = []
        var (search, steps, failing) = (Timings(), Timings(), Timings())
        for round in 0..<2 {
            let isWarm = round == 1
            for (index, pair) in pairs.enumerated() {
                let request = RouteRequest(stops: [Stop(pair.0), Stop(pair.1)], profile: profile)
                var timings = (Timings(), Timings())
                do {
                    let route = try timings.0.time { try router.route(request) }
                    let directions = try timings.1.time { try router.directions(request) }
                    _ = directions.legs.count
                    guard isWarm else { continue }
                    search.add(timings.0.milliseconds[0])
                    steps.add(timings.1.milliseconds[0])
                    found += 1
                    settled += route.statesSettled
                    settledByPair.append(route.statesSettled)
                    edges += route.legs.reduce(0) { $0 + $1.edges.count }
                    cost += route.cost
                    if lists { Swift.print("\(index)\t\(route.cost)\t\(route.statesSettled)") }
                } catch RoutingError.noRoute {
                    guard isWarm else { continue }
                    missing += 1
                    failing.add(timings.0.milliseconds[0])
                    if lists { Swift.print("\(index)\t-") }
                }
            }
        }
        if lists { return }
        settledByPair.sort()
        let way = max(found, 1)
        try SextantBench.print([
            "profile": "\(profile)", "seed": seed, "vertices": router.graph.vertexCount,
            "edges": router.graph.edgeCount, "found": found, "without_way": missing,
            "route": search.figures, "route_with_steps": steps.figures, "no_route": failing.figures,
            "settled_mean": settled / way, "settled_max": settledByPair.last ?? 0,
            "settled_p50": settledByPair.isEmpty ? 0 : settledByPair[settledByPair.count / 2],
            "settled_p99": settledByPair.isEmpty ? 0 : settledByPair[settledByPair.count * 99 / 100],
            "edges_mean": edges / way, "minutes_mean": Double(cost) / 60_000 / Double(way),
            "peak_memory_mb": peakMemory() ?? -1,
        ])
    }

    private static func pairs(
        _ graph: RoadGraph, count: Int, kilometres: Double?, _ random: inout SeededGenerator
    ) -> [(Coordinate, Coordinate)] {
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

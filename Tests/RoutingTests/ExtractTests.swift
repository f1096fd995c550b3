import Foundation
import Geometry
import OpenStreetMap
import OpenStreetMapFiles
import Testing

@testable import Routing

/// Real extracts, where they lie beside the package; skipped otherwise.
@Suite struct ExtractTests {
    static func extract(_ name: String) -> String? {
        let folder =
            ProcessInfo.processInfo.environment["SEXTANT_SHARED"]
            ?? URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../shared")
            .path
        let path = folder + "/data/osm/" + name
        guard FileManager.default.fileExists(atPath: path) else {
            print("skipped: \(name) is not there")
            return nil
        }
        return path
    }

    static func read(_ path: String) throws -> (graph: RoadGraph, ways: [OSMWay]) {
        var builder = RoadGraphBuilder()
        var ways: [OSMWay] = []
        let stream = OSMStream([.file(path)])
        try stream.relations { builder.add($0) }
        try stream.objects(
            areaKeys: [], node: { builder.add($0) },
            way: { way in
                builder.add(way, rules: .unknown)
                ways.append(way)
            })
        return (try builder.finish(atlasID: [UInt8](0..<16)), ways)
    }

    @Test(arguments: [
        "countries/monaco-2026-07-07.osm.pbf", "towns/sydney-east-2021-01-15.osm.pbf",
        "countries/liechtenstein-2024-03-04.osm.pbf", "towns/helsinki-centre-2019-04-21.osm.pbf",
    ])
    func aStarAgreesWithDijkstra(_ name: String) throws {
        guard let path = Self.extract(name) else { return }
        let (graph, ways) = try Self.read(path)
        let router = try Town.router(graph)
        let pairs = ProcessInfo.processInfo.environment["SEXTANT_RANDOM_PAIRS"].flatMap { Int($0) } ?? 200
        var random = SeededGenerator(seed: 4711)
        var wayByID: [Int64: OSMWay] = [:]
        for way in ways { wayByID[way.id] = way }
        let roads = ways.filter { $0.tags["highway"] != nil }
        func place() -> Coordinate {
            while true {
                guard let way = roads.randomElement(using: &random),
                    let place = way.locations.randomElement(using: &random),
                    let place
                else { continue }
                return place
            }
        }
        var differences = 0
        var found = 0
        var settled: [String: Int] = [:]
        for index in 0..<pairs {
            let profile = index % 4 == 3 ? (index % 8 == 3 ? Profile.bicycle : .foot) : .car
            let request = RouteRequest(stops: [Stop(place()), Stop(place())], profile: profile)
            let fast = try? router.route(request)
            let plain = try? router.route(request, guidance: .none)
            if fast?.cost != plain?.cost {
                differences += 1
                print("\(name), pair \(index), \(profile): \(fast?.cost ?? -1) instead of \(plain?.cost ?? -1)")
            }
            if index % 10 == 0 {
                let straight = try? router.route(request, guidance: .straightLine)
                if straight?.cost != plain?.cost { differences += 1 }
            }
            guard let fast, let plain else { continue }
            found += 1
            settled["hierarchy", default: 0] += fast.statesSettled
            settled["Dijkstra", default: 0] += plain.statesSettled
            settled["way", default: 0] += fast.legs.reduce(0) { $0 + $1.edges.count }
            for edge in fast.legs[0].edges {
                guard let way = wayByID[edge.road.wayID] else {
                    Issue.record("an edge of no way")
                    continue
                }
                for (point, id) in zip(edge.shape, edge.nodeIDs) where id != 0 {
                    let index = way.nodes.firstIndex(of: id)
                    #expect(index.flatMap { way.locations[$0] }.map { $0.distance(to: point) < 0.5 } == true)
                }
            }
        }
        print("\(name): \(found) of \(pairs) pairs have a route, \(differences) differences; settled \(settled)")
        #expect(differences == 0)
        // Turns and restrictions alone lead astray.
        #expect(settled["hierarchy", default: 0] < 2 * settled["way", default: 0])
        #expect(settled["hierarchy", default: 0] * 16 < settled["Dijkstra", default: 0])
        #expect(found * 2 > pairs)
    }
}

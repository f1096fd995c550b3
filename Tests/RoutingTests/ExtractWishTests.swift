import Foundation
import Geometry
import OpenStreetMap
import OpenStreetMapFiles
import Testing

@testable import Routing

/// Walks found paths over the tags as they stand in the file, with rules written down a second time and in few words: only
/// what leaves no doubt is asked.
private struct RawRules {
    private var ways: [Int64: OSMWay] = [:]
    private var nodes: [Int64: Tags] = [:]
    /// Forbidden turns over a node: from way, node, to way.
    private var banned: Set<[Int64]> = []

    mutating func add(_ way: OSMWay) { ways[way.id] = way }
    mutating func add(_ node: OSMNode) { nodes[node.id] = node.tags }

    mutating func add(_ relation: OSMRelation) {
        guard relation.tags["type"] == "restriction", let kind = relation.tags["restriction"], kind.hasPrefix("no_"),
            kind != "no_u_turn", kind != "no_entry", kind != "no_exit", relation.tags["except"] == nil
        else { return }
        func members(_ role: String) -> [OSMID] { relation.members.filter { $0.role == role }.map(\.id) }
        let (from, via, to) = (members("from"), members("via"), members("to"))
        guard from.count == 1, via.count == 1, to.count == 1, via[0].type == .node, from[0].type == .way,
            to[0].type == .way
        else { return }
        banned.insert([from[0].number, via[0].number, to[0].number])
    }

    /// What a path breaks; nil where it breaks nothing.
    func fault(of path: RoadPath, wishes: RoadWishes, closures: [RoadClosure]) -> String? {
        for (index, edge) in path.edges.enumerated() {
            guard let way = ways[edge.road.wayID] else { return "way \(edge.road.wayID) is not there" }
            let tags = way.tags
            guard tags["highway"] != nil || tags["route"] != nil || tags["man_made"] != nil || tags["railway"] != nil
            else { return "way \(way.id) is no road" }
            let kinds = Oracle.kinds(tags)
            if !kinds.isDisjoint(with: wishes.excluded) { return "way \(way.id) is excluded" }
            if closures.contains(.way(way.id)) { return "way \(way.id) is closed" }
            let places = edge.nodeIDs.compactMap { id in id == 0 ? nil : way.nodes.firstIndex(of: id) }
            guard places.count == edge.nodeIDs.filter({ $0 != 0 }).count else { return "way \(way.id) has other nodes" }
            // Between two stops at one node there is one piece without length.
            if places.count >= 2, edge.length > 0, way.nodes.count == Set(way.nodes).count {
                let isForward = places[0] < places[1]
                for (a, b) in zip(places, places.dropFirst()) where abs(a - b) != 1 || (a < b) != isForward {
                    return "way \(way.id) is left out in part"
                }
                if tags["oneway"] == "yes", !isForward, !tags.pairs.contains(where: { $0.key.hasPrefix("oneway:") }) {
                    return "way \(way.id) is driven against its direction"
                }
                if !Oracle.passes(tags, wishes.vehicle, forward: isForward) { return "way \(way.id) is too small" }
            }
            for (from, to) in zip(edge.nodeIDs, edge.nodeIDs.dropFirst())
            where closures.contains(.segment(from: from, to: to)) { return "\(from) to \(to) is closed" }
            // Where the road turns round at a node that stops vehicles it does not pass.
            for id in edge.nodeIDs.dropFirst().dropLast() {
                if let fault = fault(at: id, wishes) { return fault }
            }
            guard index > 0, let node = edge.nodeIDs.first, node != 0 else { continue }
            let before = path.edges[index - 1]
            if before.nodeIDs.dropLast().last == edge.nodeIDs.dropFirst().first { continue }
            if let fault = fault(at: node, wishes) { return fault }
            if banned.contains([before.road.wayID, node, edge.road.wayID]), before.road.wayID != edge.road.wayID {
                return "the turn from \(before.road.wayID) over \(node) into \(edge.road.wayID) is forbidden"
            }
        }
        return nil
    }

    private func fault(at node: Int64, _ wishes: RoadWishes) -> String? {
        guard let tags = nodes[node] else { return nil }
        if !Oracle.passes(tags, wishes.vehicle, forward: nil) { return "node \(node) is too small" }
        if wishes.excluded.contains(.tolls), tags["barrier"] == "toll_booth" { return "node \(node) takes a toll" }
        if tags["barrier"] == "bollard", tags.pairs.allSatisfy({ $0.key == "barrier" }) {
            return "node \(node) is a bollard"
        }
        return nil
    }
}

@Suite struct ExtractWishTests {
    private static let requests =
        (ProcessInfo.processInfo.environment["SEXTANT_RANDOM_PAIRS"].flatMap { Int($0) } ?? 400) / 10

    /// Wishes that real roads have something to say to.
    private static func wishes(_ random: inout SeededGenerator) -> RoadWishes {
        var wishes = RoadWishes()
        switch Int.random(in: 0..<8, using: &random) {
        case 0: wishes.excluded = [.motorways, .tolls]
        case 1: wishes.excluded = .tunnels
        case 2: wishes.avoided = [.tunnels, .unpaved]
        case 3: wishes.vehicle = VehicleSize(height: 3.8, width: 2.5, weight: 12)
        case 4:
            wishes.excluded = .unpaved
            wishes.vehicle = VehicleSize(height: 2.2)
        case 5: wishes.avoided = [.motorways, .ferries]
        case 6: wishes.excluded = RoadKinds.all
        default: break
        }
        return wishes
    }

    @Test(arguments: [
        "countries/monaco-2026-07-07.osm.pbf", "countries/liechtenstein-2024-03-04.osm.pbf",
        "towns/sydney-east-2021-01-15.osm.pbf", "towns/helsinki-centre-2019-04-21.osm.pbf",
        "towns/queens-village-nyc-2016-07-14.osm.pbf", "countries/andorra-2026-04-04.osm.pbf",
    ])
    func routesWithWishesCostAsDijkstraSaysAndBreakNoRule(_ name: String) throws {
        guard let path = ExtractTests.extract(name) else { return }
        var builder = RoadGraphBuilder()
        var rules = RawRules()
        var roads: [OSMWay] = []
        let stream = OSMStream([.file(path)])
        try stream.relations {
            builder.add($0)
            rules.add($0)
        }
        try stream.objects(
            areaKeys: [],
            node: {
                builder.add($0)
                rules.add($0)
            },
            way: { way in
                builder.add(way, rules: .unknown)
                rules.add(way)
                if way.tags["highway"] != nil { roads.append(way) }
            })
        let router = try Town.router(try builder.finish(atlasID: [UInt8](0..<16)))
        var random = SeededGenerator(seed: 20_261_201)
        var (found, differences, broken, beyond) = (0, 0, 0, 0)
        for index in 0..<Self.requests {
            func place() -> Coordinate {
                while true {
                    if let way = roads.randomElement(using: &random),
                        let spot = way.locations.randomElement(using: &random), let spot
                    {
                        return spot
                    }
                }
            }
            var request = RouteRequest(stops: [Stop(place()), Stop(place())])
            request.wishes = Self.wishes(&random)
            if index % 2 == 0, let way = try? router.route(request) {
                // Some of the way itself is closed.
                for _ in 0..<3 {
                    guard let edge = way.legs[0].edges.dropFirst().dropLast().randomElement(using: &random) else {
                        break
                    }
                    request.closures.append(
                        Bool.random(using: &random)
                            ? .way(edge.road.wayID) : .segment(from: edge.nodeIDs[0], to: edge.nodeIDs[1]))
                }
            }
            let route = try? router.route(request)
            let plain = try? router.route(request, guidance: .none)
            if route?.cost != plain?.cost {
                differences += 1
                print(
                    "\(name), request \(index): \(route?.cost ?? -1) instead of \(plain?.cost ?? -1); "
                        + request.wishes.key)
            }
            guard let route else { continue }
            found += 1
            beyond += route.statesSettled > (plain?.statesSettled ?? 0) ? 1 : 0
            if let fault = rules.fault(of: route.legs[0], wishes: request.wishes, closures: request.closures) {
                broken += 1
                print("\(name), request \(index): \(fault); \(request.wishes.key)")
            }
        }
        print("\(name): \(found) of \(Self.requests) requests with wishes have a route, \(differences) differences")
        #expect(differences == 0)
        #expect(broken == 0)
        #expect(beyond == 0)
        #expect(found * 3 > Self.requests)
    }
}

/// The graph of New York of the ninth DIMACS challenge: points and arcs without any tags.
@Suite struct NewYorkTests {
    private static func lines(_ name: String, _ body: ([Substring]) -> Void) throws -> Bool {
        guard let path = ExtractTests.extract("../road-graphs/dimacs9-ny/" + name) else { return false }
        let unpacking = Process()
        unpacking.executableURL = URL(fileURLWithPath: "/bin/gzip")
        unpacking.arguments = ["-dc", path]
        let pipe = Pipe()
        unpacking.standardOutput = pipe
        try unpacking.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        unpacking.waitUntilExit()
        for line in text.split(separator: "\n") { body(line.split(separator: " ")) }
        return true
    }

    @Test func routesThroughNewYorkCostAsDijkstraSays() throws {
        var places: [Int64: Coordinate] = [:]
        let isThere = try Self.lines("USA-road-d.NY.co.gz") { fields in
            guard fields.count == 4, fields[0] == "v", let id = Int64(fields[1]), let x = Double(fields[2]),
                let y = Double(fields[3])
            else { return }
            places[id] = Coordinate(latitude: y / 1e6, longitude: x / 1e6)
        }
        guard isThere else { return }
        var builder = RoadGraphBuilder()
        var count: Int64 = 0
        // Nothing is known of the roads but their length: the longer ones are taken for the quicker ones.
        _ = try Self.lines("USA-road-d.NY.gr.gz") { fields in
            guard fields.count == 4, fields[0] == "a", let from = Int64(fields[1]), let to = Int64(fields[2]),
                let length = Int(fields[3]), from < to
            else { return }
            count += 1
            let tags: Tags = ["highway": length > 8000 ? "trunk" : length > 3000 ? "secondary" : "residential"]
            builder.add(
                OSMWay(id: count, nodes: [from, to], locations: [places[from], places[to]], tags: tags),
                rules: .unknown)
        }
        let graph = try builder.finish(atlasID: [UInt8](0..<16))
        let router = try Router(graph: graph, metrics: [graph.metric(for: .car)])
        let pairs = (ProcessInfo.processInfo.environment["SEXTANT_RANDOM_PAIRS"].flatMap { Int($0) } ?? 100) / 5
        var random = SeededGenerator(seed: 9)
        var (differences, settled, edges) = (0, 0, 0)
        let points = places.sorted { $0.key < $1.key }.map(\.value)
        for index in 0..<pairs {
            guard let a = points.randomElement(using: &random), let b = points.randomElement(using: &random) else {
                break
            }
            let request = RouteRequest(stops: [Stop(a), Stop(b)])
            let sketch = try? router.sketch(request)
            let plain = try? router.route(request, guidance: .none)
            if sketch?.cost != plain?.cost {
                differences += 1
                print("New York, pair \(index): \(sketch?.cost ?? -1) instead of \(plain?.cost ?? -1)")
            }
            settled += sketch?.statesSettled ?? 0
            edges += sketch?.legs[0].count ?? 0
        }
        print("New York: \(pairs) pairs, \(differences) differences; \(settled) settled for \(edges) edges")
        #expect(differences == 0)
        // Turns alone lead astray, and here all roads but a few are alike.
        #expect(settled < 8 * edges)
    }
}

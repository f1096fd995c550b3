import Foundation
import Geometry
import OpenStreetMap
import OpenStreetMapFiles
import Testing

@testable import Routing

/// Walks found paths over raw tags at the moments at which they come to them.
private struct TimedRules {
    var ways: [Int64: OSMWay] = [:]
    var nodes: [Int64: Tags] = [:]

    /// What a path breaks; nil where it breaks nothing.
    ///
    /// Moments are told with fractions of a second lost here and there: what is allowed a tenth of a second earlier or later
    /// counts as allowed.
    func fault(of path: RoadPath, _ times: LegTimes, utcOffset: Int) -> String? {
        func isForbidden(_ moment: Double, _ rule: (Int) -> Bool) -> Bool {
            [moment - 0.1, moment + 0.1].allSatisfy { rule(Int(($0 + Double(utcOffset)) / 60)) }
        }
        var moment = times.departure
        for (index, edge) in path.edges.enumerated() {
            moment += edge.turnDuration
            guard let way = ways[edge.road.wayID] else { return "way \(edge.road.wayID) is not there" }
            let special = ["motorcar", "motor_vehicle", "vehicle"]
            for (key, more) in [("access", special), ("motor_vehicle", ["motorcar"])] {
                guard let text = way.tags[key + ":conditional"], !more.contains(where: { way.tags[$0] != nil }) else {
                    continue
                }
                let parts = TimedTags.parts(text)
                if parts.count == 1, parts[0].value == "no",
                    isForbidden(moment, { TimedTags.holds(parts[0].condition, minutes: $0, weight: nil) })
                {
                    return "way \(way.id) is closed at \(moment)"
                }
            }
            if let node = edge.nodeIDs.first, index > 0, let tags = nodes[node], let hours = tags["opening_hours"],
                tags["barrier"] != nil, path.edges[index - 1].nodeIDs.dropLast().last != edge.nodeIDs.dropFirst().first,
                isForbidden(moment, { !TimedTags.covers(hours, $0) })
            {
                return "node \(node) is closed at \(moment)"
            }
            moment += edge.duration
        }
        if (moment - times.arrival).magnitude > 0.5 { return "the way ends at \(moment), not at \(times.arrival)" }
        return nil
    }
}

/// Real extracts, some of whose roads and gates are given hours, as few of them have any.
@Suite struct TimedExtractTests {
    private static let requests =
        (ProcessInfo.processInfo.environment["SEXTANT_RANDOM_PAIRS"].flatMap { Int($0) } ?? 400) / 10

    @Test(arguments: [
        "countries/monaco-2026-07-07.osm.pbf", "countries/liechtenstein-2024-03-04.osm.pbf",
        "towns/sydney-east-2021-01-15.osm.pbf", "towns/helsinki-centre-2019-04-21.osm.pbf",
        "towns/queens-village-nyc-2016-07-14.osm.pbf", "countries/andorra-2026-04-04.osm.pbf",
    ])
    func routesThroughTimeCostAsDijkstraSaysAndBreakNoRule(_ name: String) throws {
        guard let path = ExtractTests.extract(name) else { return }
        var random = SeededGenerator(seed: 20_261_202)
        var builder = RoadGraphBuilder()
        var rules = TimedRules()
        var roads: [OSMWay] = []
        let hours = ["06:00-22:00", "Mo-Fr 07:00-09:00", "22:00-06:00", "08:00-08:20"]
        let stream = OSMStream([.file(path)])
        try stream.relations { builder.add($0) }
        try stream.objects(
            areaKeys: [],
            node: { node in
                var node = node
                if node.tags["barrier"] != nil, Int.random(in: 0..<3, using: &random) == 0 {
                    node.tags["barrier"] = "lift_gate"
                    node.tags["access"] = "yes"
                    node.tags["opening_hours"] = hours.randomElement(using: &random)
                }
                builder.add(node)
                rules.nodes[node.id] = node.tags
            },
            way: { way in
                var way = way
                if way.tags["highway"] != nil {
                    let hour = hours.randomElement(using: &random) ?? ""
                    switch Int.random(in: 0..<60, using: &random) {
                    case 0, 1: way.tags["access:conditional"] = "no @ (\(hour))"
                    case 2: way.tags["motor_vehicle:conditional"] = "no @ (\(hour))"
                    case 3: way.tags["maxspeed:conditional"] = "10 @ (\(hour))"
                    case 4: way.tags["motor_vehicle:conditional"] = "destination @ (\(hour))"
                    case 5: way.tags["oneway:conditional"] = "no @ (\(hour))"
                    default: break
                    }
                    roads.append(way)
                }
                builder.add(way, rules: .unknown)
                rules.ways[way.id] = way
            })
        let router = try Town.router(try builder.finish(atlasID: [UInt8](0..<16)))
        var (found, differences, broken, waiting, settled, settledPlainly) = (0, 0, 0, 0, 0, 0)
        for index in 0..<Self.requests {
            var ends: [Stop] = []
            while ends.count < 2 {
                if let spot = roads.randomElement(using: &random)?.locations.randomElement(using: &random), let spot {
                    ends.append(Stop(spot))
                }
            }
            var request = RouteRequest(stops: ends)
            request.tellsWhyNot = false
            // Around the hours at which things change.
            let hour = [5.95, 6.9, 7.99, 8.3, 21.9, 3, 12][Int.random(in: 0..<7, using: &random)]
            let moment = 1_796_083_200 + Int64(hour * 3600) + Int64.random(in: 0..<600, using: &random)
            if index % 2 == 0 { request.departure = moment } else { request.arrival = moment }
            if index % 5 == 0 { request.wishes.avoided = .tunnels }
            let route = try? router.route(request)
            let plain = try? router.route(request, guidance: .none)
            if route?.cost != plain?.cost {
                differences += 1
                print("\(name), request \(index): \(route?.cost ?? -1) instead of \(plain?.cost ?? -1)")
            }
            guard let route else { continue }
            found += 1
            settled += route.statesSettled
            settledPlainly += plain?.statesSettled ?? 0
            waiting += route.legs[0].edges.contains { $0.wait > 0 } ? 1 : 0
            if let arrival = request.arrival { #expect(route.times[0].arrival <= Double(arrival) + 0.001) }
            if let departure = request.departure { #expect(route.times[0].departure >= Double(departure)) }
            if let fault = rules.fault(of: route.legs[0], route.times[0], utcOffset: 0) {
                broken += 1
                print("\(name), request \(index): \(fault)")
            }
        }
        print(
            "\(name): \(found) of \(Self.requests) requests with times have a route, \(differences) differences, "
                + "\(waiting) wait; settled \(settled), by Dijkstra's algorithm \(settledPlainly)")
        #expect(differences == 0)
        #expect(broken == 0)
        #expect(found * 3 > Self.requests)
        #expect(settled < settledPlainly)
    }
}

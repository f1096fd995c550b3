import Foundation
import Geometry
import OpenStreetMap
import Routing
import Sextant
import Testing

/// Main & Market Street runs east over the nodes 1, 2, 3; at 2 Cross <Street> leaves it northwards to 4.
private func bend(passing: Bool = false) throws -> Route {
    var builder = RoadGraphBuilder()
    let places: [Int64: Coordinate] = [
        1: Coordinate(latitude: 47.1, longitude: 9.5), 2: Coordinate(latitude: 47.1, longitude: 9.501),
        3: Coordinate(latitude: 47.1, longitude: 9.502), 4: Coordinate(latitude: 47.101, longitude: 9.501),
    ]
    func add(_ id: Int64, _ nodes: [Int64], _ tags: Tags) {
        builder.add(OSMWay(id: id, nodes: nodes, locations: nodes.map { places[$0] }, tags: tags), rules: .unknown)
    }
    add(10, [1, 2, 3], ["highway": "primary", "name": "Main & Market Street"])
    add(11, [2, 4], ["highway": "residential", "name": "Cross <Street>"])
    let router = Router(graph: try builder.finish(atlasID: [UInt8](repeating: 1, count: 16)))
    let stops = [1, 2, 4].compactMap { places[$0] }.map { Stop($0, passesThrough: passing) }
    return try router.directions(RouteRequest(stops: stops))
}

struct RouteTests {
    @Test func aRouteIsTheSumOfItsLegsAndSteps() throws {
        let route = try bend()
        #expect(route.legs.count == 2 && route.waypoints.count == 3)
        for leg in route.legs {
            #expect(abs(leg.steps.reduce(0) { $0 + $1.distance } - leg.distance) < 0.001)
            #expect(abs(leg.segments.reduce(0) { $0 + $1.distance } - leg.distance) < 0.001)
            #expect(leg.segments.count == leg.shape.count - 1 && leg.nodeIDs.count == leg.shape.count)
        }
        #expect(abs(route.legs.reduce(0) { $0 + $1.distance } - route.distance) < 0.001)
        #expect(route.legs[0].shape.last == route.legs[1].shape.first)
        #expect(Polyline.decode(route.polyline(precision: .six), precision: .six) == route.geometry)
    }

    @Test func aLegGoesOnOverAStopThatItOnlyPasses() throws {
        let stopping = try bend()
        let route = try bend(passing: true)
        #expect(route.legs.count == 1 && route.waypoints == stopping.waypoints)
        let leg = try #require(route.legs.first)
        #expect(abs(route.distance - stopping.distance) < 0.001)
        #expect(abs(leg.steps.reduce(0) { $0 + $1.distance } - leg.distance) < 0.001)
        #expect(leg.steps.last?.shape.upperBound == leg.shape.count - 1)
        for (step, next) in zip(leg.steps, leg.steps.dropFirst()) {
            #expect(step.shape.upperBound == next.shape.lowerBound)
        }
    }

    @Test func geoJSONHoldsTheLineAndTheManoeuvres() throws {
        let route = try bend()
        let json = try #require(try JSONSerialization.jsonObject(with: Data(route.geoJSON().utf8)) as? [String: Any])
        let features = try #require(json["features"] as? [[String: Any]])
        #expect(features.count == 1 + route.legs.reduce(0) { $0 + $1.steps.count })
        let line = try #require(features[0]["geometry"] as? [String: Any])
        #expect((line["coordinates"] as? [[Double]])?.count == route.geometry.count)
        let words = features.dropFirst().compactMap { ($0["properties"] as? [String: Any])?["instruction"] as? String }
        #expect(words.first == "Head east on Main & Market Street")
        #expect(words.last?.hasPrefix("You have arrived") == true)
    }

    @Test func gpxEscapesNamesAndHoldsEveryPoint() throws {
        let route = try bend()
        let gpx = route.gpx(name: "To <town> & back")
        #expect(gpx.contains("<name>To &lt;town&gt; &amp; back</name>"))
        #expect(gpx.contains("Cross &lt;Street&gt;"))
        #expect(!gpx.contains("Cross <Street>"))
        #expect(gpx.contains("<copyright author=\"OpenStreetMap contributors\">"))
        #expect(route.geoJSON().contains("\"attribution\":\"© OpenStreetMap contributors (ODbL 1.0)\""))
        let points = gpx.components(separatedBy: "<trkpt ").count - 1
        #expect(points == route.legs.reduce(0) { $0 + $1.shape.count })
        #expect(gpx.contains("<trkpt lat=\"47.1\" lon=\"9.5\"/>"))
    }
}

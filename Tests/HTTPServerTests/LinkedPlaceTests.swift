import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Testing

@testable import HTTPServer

@Suite struct LinkedPlaceTests {
    @Test func anIslandThatIsATownWithABoundaryIsOneAnswer() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("linked-\(UUID().uuidString).sqlite")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        let tags: Tags = ["type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Sandholm"]
        writer.add(
            relation: OSMRelation(id: 1, members: [.init(id: OSMID(.node, 9), role: "label")], tags: tags))
        writer.add(
            node: OSMNode(
                id: 9, location: Coordinate(latitude: 0.05, longitude: 0.05),
                tags: ["place": "town", "natural": "reef", "name": "Sandholm"]))
        let ring = [(0.0, 0.0), (0.0, 0.1), (0.1, 0.1), (0.1, 0.0), (0.0, 0.0)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        writer.add(area: OSMArea(id: OSMID(.relation, 1), polygons: [.init(outer: ring, inner: [])], tags: tags))
        _ = try writer.finish()
        let dialect = NominatimDialect([try Gazetteer(path: path)])
        func objects(_ query: [(name: String, value: String)]) -> Int {
            let response = dialect.respond(to: HTTPRequest(path: "/search", query: query, headers: [:]))
            return String(decoding: response.body, as: UTF8.self).components(separatedBy: "\"osm_id\"").count - 1
        }
        #expect(objects([("q", "Sandholm"), ("format", "jsonv2")]) == 1)
        #expect(objects([("q", "Sandholm"), ("format", "jsonv2"), ("dedupe", "0")]) == 2)
    }
}

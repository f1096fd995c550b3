import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Testing

@testable import HTTPServer

@Suite struct PhotonTests {
    /// Where the worlds of this process lie; removed when it ends.
    private static let folder: URL = {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("sextant-photon-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: PhotonTests.folder) }
        return url
    }()

    private func dialect() throws -> PhotonDialect {
        let path = Self.folder.appendingPathComponent("\(UUID().uuidString).sqlite").path
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        func point(_ x: Double, _ y: Double) -> Coordinate {
            Coordinate(latitude: 47 + y / 1000, longitude: 9 + x / 1000)
        }
        let nodes: [(Double, Double, Tags)] = [
            (3, 5.2, ["addr:housenumber": "5", "addr:street": "Hauptstraße", "addr:postcode": "4040"]),
            (4, 5.2, ["amenity": "pub", "name": "Löwen", "name:en": "Lion"]),
            (8, 5.2, ["amenity": "cafe", "name": "Löwen"]),
            (5, 5, ["place": "town", "name": "Oberfeld"]),
        ]
        for (index, node) in nodes.enumerated() {
            writer.add(node: OSMNode(id: Int64(index + 1), location: point(node.0, node.1), tags: node.2))
        }
        writer.add(
            way: OSMWay(
                id: 5, nodes: [10, 11], locations: [point(1, 5), point(9, 5)],
                tags: ["highway": "residential", "name": "Hauptstraße"]))
        writer.add(
            way: OSMWay(
                id: 6, nodes: [20, 21, 22, 23, 20],
                locations: [point(0, 0), point(10, 0), point(10, 10), point(0, 10), point(0, 0)],
                tags: ["boundary": "administrative", "admin_level": "8", "name": "Oberfeld"]))
        _ = try writer.finish()
        return PhotonDialect([try Gazetteer(path: path)])
    }

    private func ask(_ dialect: PhotonDialect, _ path: String, _ query: [(name: String, value: String)]) throws -> (
        status: Int, properties: [[String: Any]], message: String
    ) {
        let response = dialect.respond(to: HTTPRequest(path: path, query: query))
        let body = try #require(JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
        let features = body["features"] as? [[String: Any]] ?? []
        return (
            response.status, features.compactMap { $0["properties"] as? [String: Any] },
            body["message"] as? String ?? ""
        )
    }

    private func ids(_ properties: [[String: Any]]) -> [Int] { properties.compactMap { $0["osm_id"] as? Int } }

    @Test func anAddressComesWithItsParts() throws {
        let found = try #require(try ask(dialect(), "/api", [("q", "Hauptstraße 5, Oberfeld")]).properties.first)
        for (key, value) in [
            "osm_type": "N", "osm_key": "place", "osm_value": "house", "type": "house", "housenumber": "5",
            "street": "Hauptstraße", "city": "Oberfeld", "postcode": "4040",
        ] {
            #expect(found[key] as? String == value, "\(key)")
        }
    }

    @Test func allThatIsWrongIsToldAtOnce() throws {
        let answer = try ask(
            dialect(), "/photon/api", [("bogus", "1"), ("limit", "many"), ("lat", "91"), ("lon", "1"), ("layer", "x")])
        #expect(answer.status == 400)
        for part in ["'q'", "bogus", "limit", "'lat'", "layer"] { #expect(answer.message.contains(part), "\(part)") }
    }

    @Test func requestsThatCannotBeReadAreRefused() throws {
        let dialect = try dialect()
        for query in [
            [("q", "x"), ("lat", "1")], [("q", "x"), ("lat", "nan"), ("lon", "1")], [("q", "x"), ("bbox", "1,2,3")],
            [("q", "x"), ("bbox", "1,-91,2,3")], [("q", "x"), ("osm_tag", "a:b:c")], [("q", "x"), ("osm_tag", "")],
            [("q", "x"), ("lang", "xx-bad")], [("q", "x"), ("zoom", "far")], [("q", "x"), ("limit", "")],
        ] {
            #expect(try ask(dialect, "/api", query.map { (name: $0.0, value: $0.1) }).status == 400, "\(query)")
        }
        for radius in ["0", "-1", "big", "nan", "inf"] {
            #expect(
                try ask(dialect, "/photon/reverse", [("lat", "47"), ("lon", "9"), ("radius", radius)]).status == 400,
                "\(radius)")
        }
        #expect(try ask(dialect, "/photon/reverse", [("lat", "47")]).status == 400)
        #expect(try ask(dialect, "/photon/nothing", []).status == 404)
        #expect(try ask(dialect, "/photon", []).status == 404)
    }

    @Test func tagFiltersAreReadInAllTheirForms() {
        func holds(_ text: String, _ key: String, _ value: String) -> Bool? {
            PhotonTagFilter(text).map { $0.holds(key: key, value: value) != $0.excludes }
        }
        #expect(holds("amenity", "amenity", "pub") == true)
        #expect(holds("amenity:pub", "amenity", "cafe") == false)
        #expect(holds(":pub", "amenity", "pub") == true)
        #expect(holds("!amenity", "amenity", "pub") == false)
        #expect(holds("!amenity:pub", "amenity", "cafe") == true)
        #expect(holds("!:pub", "amenity", "pub") == false)
        #expect(holds(":!pub", "amenity", "pub") == false)
        #expect(holds("amenity:!pub", "amenity", "cafe") == true)
        #expect(holds("amenity:!pub", "shop", "pub") == false)
        for text in ["", ":", "!", "a:b:c", "!a:!b", "a!b:c", "!!a", "a:!"] {
            #expect(PhotonTagFilter(text) == nil, "\(text)")
        }
    }

    @Test func filtersAndLayersDecideWhatIsShown() throws {
        let dialect = try dialect()
        #expect(ids(try ask(dialect, "/api", [("q", "Löwen"), ("osm_tag", "amenity:cafe")]).properties) == [3])
        #expect(ids(try ask(dialect, "/api", [("q", "Löwen"), ("osm_tag", "!amenity:cafe")]).properties) == [2])
        #expect(
            ids(try ask(dialect, "/api", [("q", "Löwen"), ("bbox", "9.0035,47,9.0045,47.01")]).properties) == [2])
        #expect(try ask(dialect, "/api", [("q", "Löwen"), ("layer", "city")]).properties.isEmpty)
        #expect(try ask(dialect, "/api", [("q", "Hauptstraße"), ("layer", "street")]).properties.count == 1)
        #expect(try ask(dialect, "/api", [("q", "Löwen"), ("limit", "1")]).properties.count == 1)
        let named = try ask(dialect, "/api", [("q", "Löwen"), ("lang", "en"), ("osm_tag", ":pub")]).properties
        #expect(named.first?["name"] as? String == "Lion")
    }

    @Test func whatIsNearTheBiasComesFirst() throws {
        let dialect = try dialect()
        for (longitude, first) in [("9.004", 2), ("9.008", 3)] {
            let found = try ask(
                dialect, "/api", [("q", "Löwen"), ("lat", "47.0052"), ("lon", longitude), ("zoom", "18")])
            #expect(ids(found.properties).first == first)
        }
    }

    @Test func aTextIsAnsweredWhileItIsTyped() throws {
        let dialect = try dialect()
        for (text, first) in [("ober", 4), ("haupts", 5), ("hauptstrasse 5", 1), ("lö", 2), ("obrefeld", 4)] {
            #expect(ids(try ask(dialect, "/api", [("q", text), ("limit", "5")]).properties).first == first, "\(text)")
        }
        #expect(try ask(dialect, "/api", [("q", "ober"), ("layer", "street")]).properties.isEmpty)
    }

    @Test func aTownIsThePlaceNodeThatItsBoundaryTookIn() throws {
        let dialect = try dialect()
        let town = try #require(try ask(dialect, "/api", [("q", "Oberfeld")]).properties.first)
        #expect(
            town["osm_id"] as? Int == 4 && town["osm_value"] as? String == "town" && town["type"] as? String == "city")
        #expect(try ask(dialect, "/api", [("q", "Oberfeld"), ("osm_tag", "!place")]).properties.isEmpty)
    }

    @Test func whatIsNearestComesFirstWithinTheRadius() throws {
        let dialect = try dialect()
        let here = [("lat", "47.0052"), ("lon", "9.0079")].map { (name: $0.0, value: $0.1) }
        #expect(ids(try ask(dialect, "/photon/reverse", here).properties) == [3])
        let amenities = try ask(dialect, "/photon/reverse", here + [("osm_tag", "amenity"), ("limit", "5")])
        #expect(ids(amenities.properties) == [3, 2])
        let close = try ask(
            dialect, "/photon/reverse", here + [("osm_tag", "amenity"), ("limit", "5"), ("radius", "0.1")])
        #expect(ids(close.properties) == [3])
        #expect(ids(try ask(dialect, "/photon/reverse", here + [("layer", "street")]).properties) == [5])
    }
}

import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Sextant
import TestAtlases
import Testing

@testable import HTTPServer

@Suite struct NominatimTests {
    /// Where the worlds of this process lie; removed when it ends.
    private static let folder: URL = {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("sextant-dialects-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: NominatimTests.folder) }
        return url
    }()

    private func dialect() throws -> NominatimDialect {
        let path = Self.folder.appendingPathComponent("\(UUID().uuidString).sqlite").path
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        func point(_ x: Double, _ y: Double) -> Coordinate {
            Coordinate(latitude: 47 + y / 1000, longitude: 9 + x / 1000)
        }
        writer.add(
            node: OSMNode(
                id: 1, location: point(3, 5.2), tags: ["addr:housenumber": "5", "addr:street": "Hauptstraße"]))
        writer.add(
            node: OSMNode(
                id: 2, location: point(4, 5.2),
                tags: ["amenity": "pub", "name": "Löwen \"zum\" & <Bär>", "name:en": "Lion", "phone": "+41 1"]))
        writer.add(
            way: OSMWay(
                id: 3, nodes: [10, 11], locations: [point(1, 5), point(9, 5)],
                tags: ["highway": "residential", "name": "Hauptstraße"]))
        writer.add(
            way: OSMWay(
                id: 4, nodes: [20, 21, 22, 23, 20],
                locations: [point(0, 0), point(10, 0), point(10, 10), point(0, 10), point(0, 0)],
                tags: ["boundary": "administrative", "admin_level": "8", "name": "Oberfeld"]))
        _ = try writer.finish()
        return NominatimDialect([try Gazetteer(path: path)])
    }

    private func ask(
        _ dialect: NominatimDialect, _ path: String, _ query: [(name: String, value: String)],
        headers: [String: String] = [:]
    )
        -> (status: Int, body: String)
    {
        let response = dialect.respond(to: HTTPRequest(path: path, query: query, headers: headers))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    @Test func anAddressComesWithNominatimsFieldsInTheirOrder() throws {
        let (status, body) = ask(
            try dialect(), "/search",
            [("q", "Hauptstraße 5, Oberfeld"), ("format", "jsonv2"), ("addressdetails", "1")])
        #expect(status == 200)
        let keys = [
            "place_id", "licence", "osm_type", "osm_id", "lat", "lon", "category", "type", "place_rank", "importance",
            "addresstype", "name", "display_name", "address", "boundingbox",
        ]
        let places = keys.compactMap { body.range(of: "\"\($0)\":")?.lowerBound }
        #expect(places.count == keys.count)
        #expect(places == places.sorted())
        #expect(body.contains("\"osm_type\":\"node\",\"osm_id\":1,\"lat\":\"47.0052000\",\"lon\":\"9.0030000\""))
        #expect(body.contains("\"display_name\":\"5, Hauptstraße, Oberfeld"))
        #expect(body.contains("\"house_number\":\"5\",\"road\":\"Hauptstraße\""))
    }

    @Test func theJSONFormSaysClassWhereTheSecondSaysCategory() throws {
        let dialect = try dialect()
        #expect(
            ask(dialect, "/search", [("q", "Oberfeld"), ("format", "json")]).body.contains("\"class\":\"boundary\""))
        for query in [[("q", "Oberfeld")], [("q", "Oberfeld"), ("format", "jsonv2")]] {
            #expect(
                ask(dialect, "/search", query.map { (name: $0.0, value: $0.1) }).body.contains(
                    "\"category\":\"boundary\""))
        }
    }

    @Test func theWorldAnswersForATownAndOnce() throws {
        let atlas = try TestAtlas.everything
        let dialects = Dialects(atlas)
        func body(_ path: String, _ query: [(name: String, value: String)]) -> String {
            String(decoding: dialects.respond(to: HTTPRequest(path: path, query: query)).body, as: UTF8.self)
        }
        // Near London, which the World alone knows, by its point.
        let place = Coordinate(latitude: 51.51, longitude: -0.12)
        let reverse = body("/reverse", [("lat", "51.51"), ("lon", "-0.12"), ("format", "jsonv2")])
        #expect(reverse.contains("\"name\":\"London\"") && reverse.contains("\"type\":\"city\""))
        #expect(try atlas.reverse(place)?.name == "London")
        // The town of the detailed atlas is that of the World.
        for path in ["/search", "/photon/api"] {
            let found = body(path, [("q", "Köln"), ("limit", "5")])
            #expect(found.components(separatedBy: "\"name\":\"Köln\"").count == 2, "\(path) \(found)")
        }
    }

    @Test func theTimeOfAnAnswerHasAWholeYear() throws {
        let body = ask(try dialect(), "/search", [("q", "Oberfeld"), ("format", "xml")]).body
        #expect(body.contains(#/timestamp="[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} /#))
    }

    @Test func aPostcodeStandsFirstInItsOwnAnswer() throws {
        let dialects = Dialects(try TestAtlas.cologne)
        let response = dialects.respond(to: HTTPRequest(path: "/search", query: [("q", "50667")]))
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(body.contains("\"addresstype\":\"postcode\",\"name\":\"50667\",\"display_name\":\"50667, "))
    }

    @Test func aBareNumberIsAHouseOfTheBoxThatIsSeen() throws {
        let dialects = Dialects(try TestAtlas.everything)
        let response = dialects.respond(
            to: HTTPRequest(path: "/search", query: [("q", "3"), ("viewbox", "6.89,50.87,6.91,50.89"), ("limit", "1")]))
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(body.contains("\"display_name\":\"3, Gartenweg, ") && body.contains("\"lat\":\"50.88"))
    }

    @Test func everyFormIsWellFormed() throws {
        let dialect = try dialect()
        for form in ["json", "jsonv2", "geojson", "geocodejson"] {
            for path in ["/search", "/lookup", "/reverse"] {
                let body = ask(
                    dialect, path,
                    [
                        ("q", "löwen"), ("osm_ids", "N2,W4,X9,,N0"), ("lat", "47.0052"), ("lon", "9.004"),
                        ("format", form),
                        ("addressdetails", "1"), ("namedetails", "1"), ("extratags", "1"), ("polygon_geojson", "1"),
                    ]
                ).body
                _ = try JSONSerialization.jsonObject(with: Data(body.utf8))
            }
        }
        let xml = ask(dialect, "/search", [("q", "löwen"), ("format", "xml"), ("namedetails", "1")]).body
        #expect(xml.contains("Löwen &quot;zum&quot; &amp; &lt;Bär&gt;"))
        #expect(XMLText.escape("\u{1}a\u{0}") == "a")
    }

    @Test func namesFollowTheLanguagesAsked() throws {
        let dialect = try dialect()
        let query = [("q", "löwen"), ("format", "jsonv2")].map { (name: $0.0, value: $0.1) }
        #expect(
            ask(dialect, "/search", query, headers: ["accept-language": "xx,en;q=0.5"]).body.contains(
                "\"name\":\"Lion\""))
        #expect(
            ask(dialect, "/search", query + [("accept-language", "de")], headers: ["accept-language": "en"]).body
                .contains("\"name\":\"Löwen"))
    }

    @Test func whatCannotBeReadIsRefusedWithAMessage() throws {
        let dialect = try dialect()
        for (path, query) in [
            ("/search", [("q", "")]), ("/search", [("q", "x"), ("format", "yaml")]),
            ("/search", [("q", "x"), ("limit", ");")]),
            ("/search", [("q", "x"), ("viewbox", "1,2,3")]), ("/search", [("q", "x"), ("viewbox", "1,2,1,2")]),
            ("/search", [("q", "x"), ("viewbox", "190,0,200,10")]),
            ("/search", [("q", "x"), ("viewbox", "0,-95,1,-91")]),
            ("/search", [("q", "x"), ("city", "y")]), ("/reverse", [("lat", "1")]),
            ("/reverse", [("lat", "x"), ("lon", "1")]),
            ("/search", [("q", "x"), ("layer", "foo")]), ("/status", [("format", "xml")]),
        ] as [(String, [(String, String)])] {
            let answer = ask(dialect, path, query.map { (name: $0.0, value: $0.1) })
            #expect(answer.status == 400, "\(path) \(query)")
            #expect(answer.body.contains("400"))
        }
        #expect(ask(dialect, "/nothing", []).status == 404)
        #expect(
            ask(dialect, "/search", [("q", "")]).body == #"{"error":{"code":400,"message":"Nothing to search for."}}"#)
    }

    @Test func nothingFoundIsAnEmptyList() throws {
        let dialect = try dialect()
        #expect(ask(dialect, "/search", [("q", "Nirgendwo")]).body == "[]")
        #expect(
            ask(dialect, "/reverse", [("lat", "-60"), ("lon", "0"), ("format", "json")]).body
                == #"{"error":"Unable to geocode"}"#)
        #expect(ask(dialect, "/status", []).body == "OK")
    }

    @Test func kindsAreFoundInBrackets() throws {
        let dialect = try dialect()
        for text in ["[amenity=pub] Oberfeld", "pub in Oberfeld", "[pub] 47.005,9.004", "pubs near 47.005, 9.004"] {
            #expect(ask(dialect, "/search", [("q", text)]).body.contains("\"osm_id\":2,"), "\(text)")
        }
        #expect(
            ask(dialect, "/search", [("q", "pubs"), ("viewbox", "8.9,46.9,8.95,46.95"), ("bounded", "1")]).body == "[]")
        #expect(ask(dialect, "/search", [("amenity", "pub"), ("city", "Oberfeld")]).body.contains("\"osm_id\":2,"))
    }

    @Test func coordinatesAreReadInTheirForms() throws {
        for text in ["47.15,9.5", "47.15 N 9.5 E", "N 47.15° E 9.5°", "47.15° N, 9.5° E"] {
            let found = try #require(CoordinateText.find(in: text), "\(text)")
            #expect(abs(found.coordinate.latitude - 47.15) < 1e-9, "\(text)")
            #expect(abs(found.coordinate.longitude - 9.5) < 1e-9, "\(text)")
        }
        #expect(CoordinateText.find(in: "Main Street 5 12345") == nil)
        #expect(CoordinateText.find(in: "pubs near 47.1, 9.5")?.rest == "pubs")
        for text in ["inf, inf", "nan, 9.5", "0x1.8p3 0x1.8p3", "95.1, 200.2", "pubs 95.1, 200.2", "1e400, 9.5"] {
            #expect(CoordinateText.find(in: text) == nil, "\(text)")
        }
    }

    @Test func tagsThatAreNoNamesAreNoElements() {
        for text in ["a<b", "", "1a", "a b", "-a", "über"] { #expect(XMLText.elementName(text) == "place", "\(text)") }
        for text in ["road", "ISO3166-2-lvl4", "_a.b"] { #expect(XMLText.elementName(text) == text) }
    }

    @Test func eachSourceIsNamedWithItsLicence() throws {
        let names = GazetteerSource(name: "Names", licence: "CC BY 4.0", attribution: "Names, https://example.org")
        #expect(Licence(names).sentence == "Data © Names, https://example.org, CC BY 4.0")
        let map = GazetteerSource(name: "Map", licence: "ODbL 1.0", attribution: "© OpenStreetMap contributors")
        #expect(Licence(map) == .openStreetMap)
        #expect(
            ask(try dialect(), "/search", [("q", "Oberfeld")]).body.contains(
                "\"licence\":\"Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright\""))
    }

    @Test func anObjectIsToldInFull() throws {
        let dialect = try dialect()
        let pub = ask(
            dialect, "/details",
            [("osmtype", "N"), ("osmid", "2"), ("keywords", "1"), ("addressdetails", "1"), ("accept-language", "en")])
        #expect(pub.status == 200)
        for part in [
            #""osm_type":"N","osm_id":2,"category":"amenity","type":"pub","admin_level":15,"localname":"Lion""#,
            #""extratags":{"phone":"+41 1"}"#, #""geometry":{"type":"Point""#, #""token":"lion""#,
            #""localname":"Oberfeld""#,
        ] {
            #expect(pub.body.contains(part), "\(part) in \(pub.body)")
        }
        #expect(!ask(dialect, "/details", [("osmtype", "N"), ("osmid", "2")]).body.contains("keywords"))
        let street = ask(dialect, "/details", [("osmtype", "W"), ("osmid", "3"), ("hierarchy", "1")]).body
        #expect(street.contains(#""hierarchy":["#) && street.contains(#""osm_id":1"#))
        let town = ask(dialect, "/details", [("osmtype", "W"), ("osmid", "4"), ("polygon_geojson", "1")]).body
        #expect(town.contains(#""isarea":true"#) && town.contains(#""geometry":{"type":"Polygon""#))
    }

    @Test func detailsOfNothingAreRefused() throws {
        let dialect = try dialect()
        for (query, status) in [
            ([], 400), ([("osmid", "2")], 400), ([("osmtype", "X"), ("osmid", "2")], 400),
            ([("osmtype", "N"), ("osmid", "two")], 400), ([("osmtype", "N"), ("osmid", "99")], 404),
            ([("osmtype", "N"), ("osmid", "2"), ("class", "shop")], 404), ([("place_id", "99999")], 404),
            ([("place_id", "-1")], 404), ([("place_id", "9223372036854775807")], 404),
        ] as [([(String, String)], Int)] {
            let answer = ask(dialect, "/details", query.map { (name: $0.0, value: $0.1) })
            #expect(answer.status == status, "\(query)")
            #expect(answer.body.hasPrefix(#"{"error":{"code":\#(status)"#), "\(query)")
        }
    }

    @Test func errorsComeInTheFormOfTheAnswer() throws {
        let dialect = try dialect()
        #expect(ask(dialect, "/reverse", [("lat", "1")]).body.hasPrefix("<?xml"))
        #expect(ask(dialect, "/reverse", [("lat", "1"), ("format", "json")]).body.hasPrefix("{\"error\""))
        #expect(
            ask(dialect, "/search", [("q", "x"), ("limit", "y"), ("format", "xml")]).body.contains("<code>400</code>"))
        #expect(ask(dialect, "/search", [("q", "x"), ("format", "yaml")]).body.hasPrefix("ERROR 400"))
    }

    @Test func oneShapeIsShownAndSimplified() throws {
        let dialect = try dialect()
        let both = [("q", "Oberfeld"), ("polygon_svg", "1"), ("polygon_kml", "1")].map { (name: $0.0, value: $0.1) }
        #expect(ask(dialect, "/search", both).status == 400)
        #expect(ask(dialect, "/search", both + [("format", "geojson")]).status == 200)
        for threshold in ["0", "-1", "999"] {
            let body = ask(
                dialect, "/search", [("q", "Oberfeld"), ("polygon_text", "1"), ("polygon_threshold", threshold)]
            ).body
            #expect(body.contains("POLYGON(("), "\(threshold): \(body)")
        }
        #expect(ask(dialect, "/search", [("q", "Oberfeld"), ("polygon_threshold", "1m")]).status == 400)
    }

    @Test func linesKeepWhatLiesFarFromTheSimplerLine() {
        func line(_ points: [(Double, Double)]) -> [Coordinate] {
            points.map { Coordinate(latitude: $0.1, longitude: $0.0) }
        }
        let corner = line([(0, 0), (1, 0.001), (2, 0), (2, 2)])
        #expect(DegreeLine.simplified(corner, 0.01) == line([(0, 0), (2, 0), (2, 2)]))
        #expect(DegreeLine.simplified(corner, 0.0001) == corner)
        #expect(DegreeLine.middle(of: line([(0, 0), (3, 0), (3, 1)])) == line([(2, 0)])[0])
        #expect(DegreeLine.nearest(to: line([(1, 5)])[0], on: corner).longitude == 2)
        let turned = line([(1, 1), (1, 0), (0, 0), (0, 1), (1, 1)])
        guard case .polygons(let normal) = SpatialGeometry.polygons([[turned, turned]]).normalized() else {
            Issue.record("a polygon stays one")
            return
        }
        #expect(normal[0][0] == line([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]))
        #expect(normal[0][1] == line([(0, 0), (0, 1), (1, 1), (1, 0), (0, 0)]))
        let ring = line([(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (0, 2), (0, 0)])
        guard case .polygons(let simple) = SpatialGeometry.polygons([[ring]]).simplified(99) else {
            Issue.record("a polygon stays one")
            return
        }
        #expect(simple[0][0].count == 4 && simple[0][0].first == simple[0][0].last)
    }

    @Test func aStreetComesAsItsWaysWhereRepeatsAreWanted() throws {
        let path = Self.folder.appendingPathComponent("\(UUID().uuidString).sqlite").path
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        for way in 0..<3 {
            let points = (way...way + 1).map { Coordinate(latitude: 47, longitude: 9 + Double($0) / 1000) }
            writer.add(
                way: OSMWay(
                    id: Int64(way + 1), nodes: [Int64(way), Int64(way + 1)], locations: points,
                    tags: ["highway": "residential", "name": "Langgasse"]))
        }
        _ = try writer.finish()
        let dialect = NominatimDialect([try Gazetteer(path: path)])
        func count(_ query: [(name: String, value: String)]) -> Int {
            ask(dialect, "/search", [("q", "Langgasse")] + query).body.components(separatedBy: "\"place_id\"").count - 1
        }
        #expect(count([]) == 1)
        #expect(count([("dedupe", "0")]) == 3)
        #expect(count([("dedupe", "0"), ("limit", "2")]) == 2)
        let near = ask(dialect, "/reverse", [("lat", "47.0001"), ("lon", "9.0025"), ("format", "json")]).body
        #expect(near.contains(#""osm_id":3,"lat":"47.0000000","lon":"9.0025000""#))
    }

    @Test func howARequestWasReadIsShownToPeople() throws {
        let answer = try dialect().respond(
            to: HTTPRequest(path: "/search", query: [("q", "<Oberfeld>"), ("debug", "1")]))
        let body = String(decoding: answer.body, as: UTF8.self)
        #expect(answer.contentType.hasPrefix("text/html") && body.hasPrefix("<!DOCTYPE html>"))
        #expect(body.contains("&lt;Oberfeld&gt;") && body.contains("W4"))
    }

    @Test func theEntrancesOfABuildingAreToldWhereAsked() throws {
        let path = Self.folder.appendingPathComponent("\(UUID().uuidString).sqlite").path
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        let corners = [(0, 0), (3, 0), (3, 2), (0, 2), (0, 0)].map {
            Coordinate(latitude: 47 + Double($0.1) / 10_000, longitude: 9 + Double($0.0) / 10_000)
        }
        writer.add(node: OSMNode(id: 2, location: corners[1], tags: ["entrance": "main", "wheelchair": "yes"]))
        // Of the house beside it.
        writer.add(
            node: OSMNode(id: 9, location: Coordinate(latitude: 47.0001, longitude: 9.0004), tags: ["entrance": "yes"]))
        let tags: Tags = ["building": "yes", "addr:housenumber": "7", "addr:street": "Langgasse", "name": "Rathaus"]
        writer.add(way: OSMWay(id: 5, nodes: [1, 2, 3, 4, 1], locations: corners, tags: tags))
        writer.add(area: OSMArea(id: OSMID(.way, 5), polygons: [.init(outer: corners, inner: [])], tags: tags))
        _ = try writer.finish()
        let dialect = NominatimDialect([try Gazetteer(path: path)])
        let asked = [("osm_ids", "W5"), ("format", "json")].map { (name: $0.0, value: $0.1) }
        let body = ask(dialect, "/lookup", asked + [("entrances", "1")]).body
        #expect(
            body.contains(
                #""entrances":[{"osm_id":2,"type":"main","lat":"47.0000000","lon":"9.0003000","extratags":{"wheelchair":"yes"}}]"#
            ), "\(body)")
        #expect(!ask(dialect, "/lookup", asked).body.contains("entrances"))
    }
}

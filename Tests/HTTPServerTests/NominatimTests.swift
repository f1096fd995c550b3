import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
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
        #expect(ask(dialect, "/search", [("q", "Oberfeld"), ("format", "json")]).body.contains("\"class\":\"boundary\""))
        for query in [[("q", "Oberfeld")], [("q", "Oberfeld"), ("format", "jsonv2")]] {
            #expect(
                ask(dialect, "/search", query.map { (name: $0.0, value: $0.1) }).body.contains(
                    "\"category\":\"boundary\""))
        }
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
}

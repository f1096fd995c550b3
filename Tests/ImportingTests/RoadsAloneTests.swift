import Foundation
import OpenStreetMapFiles
import Sextant
import Testing

@testable import Importing

@Suite struct RoadsAloneTests {
    private static let town = """
        <osm version="0.6">
        <node id="1" version="1" lat="47.000" lon="9.500"/><node id="2" version="1" lat="47.000" lon="9.510"/>
        <node id="3" version="1" lat="47.0001" lon="9.502"><tag k="addr:housenumber" v="4"/><tag k="addr:street" v="Gasse"/></node>
        <node id="4" version="1" lat="47.002" lon="9.505"><tag k="place" v="town"/><tag k="name" v="Vaduz"/></node>
        <way id="9" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Gasse"/></way>
        </osm>
        """

    @Test func anAtlasOfRoadsRoutesAndFindsNothing() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/sextant-roads-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Self.town.write(toFile: folder + "/town.osm", atomically: true, encoding: .utf8)
        var importer = AtlasImporter()
        importer.takesRoadsAlone = true
        _ = try importer.run(files: [folder + "/town.osm"], to: folder + "/x.atlas")
        let atlas = try Atlas.open([folder + "/x.atlas"], verifying: true)
        let route = try atlas.route(
            RouteRequest(
                stops: [
                    Stop(Coordinate(latitude: 47, longitude: 9.501)), Stop(Coordinate(latitude: 47, longitude: 9.509)),
                ]))
        #expect(route.legs.flatMap(\.steps).map(\.name) == ["Gasse", "Gasse"])
        #expect(try atlas.geocode(GeocodeQuery("Vaduz")).places.isEmpty)
        #expect(try atlas.geocode(GeocodeQuery("Gasse 4")).places.isEmpty)
    }
}

import Foundation
import Gazetteer
import Geometry
import Importing
import OpenStreetMap
import OpenStreetMapFiles
import Sextant
import Testing

@Suite struct SearchInWordsTests {
    /// Two villages, a station, car parks and cafés along a street.
    private static let map = """
        <osm version="0.6">
        <node id="1" lat="47.1400" lon="9.5000"/><node id="2" lat="47.1400" lon="9.5600"/>
        <node id="11" lat="47.1401" lon="9.5010"><tag k="amenity" v="cafe"/><tag k="name" v="Anfang"/>
          <tag k="opening_hours" v="Mo-Su 08:00-12:00"/></node>
        <node id="12" lat="47.1401" lon="9.5300"><tag k="amenity" v="cafe"/><tag k="name" v="Mitte"/>
          <tag k="opening_hours" v="Mo-Su 08:00-18:00"/></node>
        <node id="13" lat="47.1401" lon="9.5590"><tag k="amenity" v="cafe"/><tag k="name" v="Ende"/></node>
        <node id="14" lat="47.1600" lon="9.5300"><tag k="amenity" v="cafe"/><tag k="name" v="Abseits"/></node>
        <node id="21" lat="47.1405" lon="9.5020"><tag k="railway" v="station"/><tag k="name" v="Oberdorf"/></node>
        <node id="22" lat="47.1406" lon="9.5030"><tag k="amenity" v="parking"/><tag k="name" v="P1"/></node>
        <node id="23" lat="47.1406" lon="9.5580"><tag k="amenity" v="parking"/><tag k="name" v="P2"/></node>
        <node id="31" lat="47.1300" lon="9.4900"/><node id="32" lat="47.1300" lon="9.5200"/><node id="33" lat="47.1700" lon="9.5200"/>
        <node id="34" lat="47.1700" lon="9.4900"/><node id="35" lat="47.1300" lon="9.5700"/><node id="36" lat="47.1700" lon="9.5700"/>
        <way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Hauptstrasse"/></way>
        <way id="4"><nd ref="31"/><nd ref="32"/><nd ref="33"/><nd ref="34"/><nd ref="31"/></way>
        <way id="5"><nd ref="32"/><nd ref="35"/><nd ref="36"/><nd ref="33"/><nd ref="32"/></way>
        <relation id="1"><member type="way" ref="4" role="outer"/><tag k="type" v="boundary"/>
          <tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Westdorf"/></relation>
        <relation id="2"><member type="way" ref="5" role="outer"/><tag k="type" v="boundary"/>
          <tag k="boundary" v="administrative"/><tag k="admin_level" v="8"/><tag k="name" v="Ostdorf"/></relation>
        </osm>
        """

    private let room: Room
    private let atlas: Atlas

    init() throws {
        room = try Room()
        let path = room.path + "/Words.atlas"
        _ = try AtlasImporter().run([.memory(Array(Self.map.utf8), format: "osm")], to: path)
        atlas = try Atlas.open([path])
    }

    private func names(_ words: String, _ region: SearchQuery.Region = .everywhere) throws -> [String] {
        try atlas.search(SearchQuery(words, in: region)).map { $0.name ?? "-" }
    }

    @Test func aPlaceInTheWordsIsALimit() throws {
        #expect(try names("cafes in Westdorf") == ["Anfang"])
        #expect(try Set(names("Cafés in Ostdorf")) == ["Mitte", "Ende", "Abseits"])
        #expect(try names("cafes Westdorf") == ["Anfang"])
        let east = BoundingBox(west: 9.54, south: 47, east: 9.6, north: 48)
        #expect(try names("cafes in Ostdorf", .box(east)) == ["Ende"])
        #expect(try names("cafes in Nirgendwo").isEmpty)
    }

    @Test func whatIsNearToAKindOrAThingIsSortedByDistance() throws {
        #expect(try names("parking near the station") == ["P1"])
        #expect(try names("cafes near P2") == ["Ende"])
    }

    @Test func alongAWayHoursAreThoseOfTheArrival() throws {
        let corridor = Corridor(
            along: [Coordinate(latitude: 47.14, longitude: 9.5), Coordinate(latitude: 47.14, longitude: 9.56)],
            metres: 300)
        let query = SearchQuery("cafes", in: .corridor(corridor), order: .along(corridor))
        // No World tells the zone: the meridian says UTC+1. A walker needs most of an hour.
        let start = try #require(ISO8601DateFormatter().date(from: "2026-03-04T10:50:00Z"))
        let moment = SearchMoment(start) { $0 / 1.2 }
        let found = try atlas.search(query, at: moment)
        #expect(found.map(\.name) == ["Anfang", "Mitte", "Ende"])
        #expect(found.first?.hours?.state.kind == .open)
        #expect(found.first?.hours?.until?.clock == "12:00")
        #expect(found[1].hours?.moment.hour == 12)
        #expect((found[1].arrival ?? 0) > 1500)
        var open = query
        open.words = "cafes open now"
        #expect(
            try atlas.search(open, at: SearchMoment(start.addingTimeInterval(1800)) { $0 / 1.2 }).map(\.name) == [
                "Mitte"
            ])
    }

    @Test func linesAreReadFromFiles() throws {
        let line = [Coordinate(latitude: 47.14, longitude: 9.5), Coordinate(latitude: 47.15, longitude: 9.51)]
        let geoJSON =
            #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[9.5,47.14],[9.51,47.15]]}}"#
        let gpx =
            "<?xml version='1.0'?><gpx><trk><trkseg><trkpt lat=\"47.14\" lon=\"9.5\"/><trkpt lat='47.15' lon='9.51'></trkpt></trkseg></trk></gpx>"
        for text in [geoJSON, gpx, Polyline.encode(line)] {
            #expect(try WrittenLine.read(Data(text.utf8)) == line, "\(text)")
        }
        for text in [
            "", "{", "{}", "<gpx/>", "!!", #"{"type":"Point","coordinates":[1,2]}"#,
            "{\"type\":\"LineString\",\"coordinates\":[[900,1],[2,3]]}",
        ] {
            #expect(throws: WrittenLineError.self) { try WrittenLine.read(Data(text.utf8)) }
        }
    }
}

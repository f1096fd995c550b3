import Foundation
import Gazetteer
import GazetteerData
import Geometry
import OpenStreetMap
import Testing

@testable import Importing

@Suite struct WorldImporterTests {
    /// A world of five places between all countries, regions and time zones.
    private static let places = """
        # comment
        658225\tHelsinki\t601695\t249354\t658864\tFI\tUusimaa\tEurope/Helsinki\tHelsingfors;Хельсинки;ヘルシンキ\t*
        2988507\tParis\t488534\t23488\t2138551\tFR\tParis\tEurope/Paris\tПариж;巴黎\t*
        1850147\tTokyo\t356895\t1396917\t9733276\tJP\tTokyo\tAsia/Tokyo\tToukyou;東京;Токио\t*
        4717560\tParis\t336609\t-955555\t24782\tUS\tTexas\tAmerica/Chicago\t
        4700168\tHouston\t297633\t-953633\t2304580\t\t\t\tХьюстон

        """

    @Test func theWorldHoldsCountriesRegionsZonesAndPlaces() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-world-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var files = try WorldImporter.files()
        files[0] = folder.appendingPathComponent("places.tsv")
        try Data(Self.places.utf8).write(to: files[0])
        let path = folder.appendingPathComponent("gazetteer.sqlite").path
        let outlines = try CountryOutlines.load()
        let writer = try GazetteerWriter(
            path: path, source: WorldImporter.sources[0],
            options: GazetteerOptions(country: { outlines.country(at: $0)?.lowercased() }))
        try WorldImporter.add(files: files, to: writer)
        let report = try writer.finish()
        #expect(report.features[.country] == 250)
        #expect(report.features[.place] == 5)
        #expect(report.features[.timeZone] == 418)
        #expect((report.features[.region] ?? 0) > 4000)

        let gazetteer = try Gazetteer(path: path)
        func best(_ query: String) throws -> Feature? {
            try gazetteer.geocode(GeocodeQuery(query)).matches.first?.feature
        }
        for (query, number) in [
            ("Helsinki", 658_225), ("Хельсинки", 658_225), ("helsingfors", 658_225), ("東京", 1_850_147),
            ("Paris", 2_988_507), ("Paris, Texas", 4_717_560), ("Houston, United States", 4_700_168),
        ] as [(String, Int64)] {
            #expect(try best(query)?.sourceNumber == number, "\(query)")
        }
        for name in ["Finland", "Suomi", "Финляндия", "Finnland"] {
            let country = try #require(try best(name))
            #expect(country.kind == .country && country.country == "fi", "\(name)")
        }
        let houston = try #require(try best("Houston"))
        #expect(houston.type == "city" && houston.country == "us" && houston.tags["timezone"] == "America/Chicago")
        let address = try gazetteer.address(of: houston)
        #expect(address.state == "Texas" && address.country == "United States")
        let suburb = Coordinate(latitude: 29.83, longitude: -95.45)
        let near = try #require(try gazetteer.nearestPlace(to: suburb))
        #expect(near.feature.sourceNumber == 4_700_168 && (8_000...12_000).contains(near.distance))
        #expect(try gazetteer.nearestPlace(to: suburb, country: "mx") == nil)
        #expect(try gazetteer.nearestPlace(to: Coordinate(latitude: 0, longitude: 0)) == nil)
        #expect(try gazetteer.nearestPlace(to: Coordinate(latitude: .nan, longitude: 0)) == nil)
        let finland = try #require(try best("Finland"))
        #expect(finland.name(in: ["de"]) == "Finnland" && finland.name(in: ["fi"]) == "Suomi")
    }

    @Test func aDamagedTableOfPlacesIsToldByItsLine() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-places-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for line in [
            "1\tA\t1\t2\t3", "x\tA\t1\t2\t3\tFI\tR\tZ\t", "1\tA\t999999\t2\t3\tFI\tR\tZ\t",
            "1\tA\t1.5\t2\t3\tFI\tR\tZ\t",
        ] {
            let path = folder.appendingPathComponent("places.tsv").path
            try Data("# head\n\(line)\n".utf8).write(to: URL(fileURLWithPath: path))
            #expect { try WorldPlaces.forEach(path: path) { _ in } } throws: { "\($0)".contains("line 2") }
        }
    }
}

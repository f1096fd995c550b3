import Cartography
import Foundation
import Gazetteer
import GazetteerData
import Geometry
import Importing
import Sextant
import Testing

@testable import SextantCommand

/// What part of the world a picture of a place shows, and how answers are marked in it.
@Suite struct PlaceFramingTests {
    private static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "framing-\(UUID().uuidString)")

    /// Monaco alone, made once for all tests of this file; its folder goes with the process.
    private static let monaco = Result<Atlas, any Error> {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: PlaceFramingTests.folder) }
        let path = folder.appendingPathComponent("Monaco.atlas").path
        _ = try AtlasImporter().run(files: [try GazetteerData.url("towns/monaco.osm.pbf").path], to: path)
        return try Atlas.open([path])
    }

    private func place(_ name: String) throws -> FoundPlace {
        try #require(try Self.monaco.get().geocode(GeocodeQuery(name, limit: 1)).places.first)
    }

    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> BoundingBox {
        BoundingBox(west: west, south: south, east: east, north: north)
    }

    @Test func aCountryKnownByItsPointIsShownAsFarAsTheAtlasReaches() throws {
        let monaco = try place("Monaco")
        #expect(monaco.feature.boundingBox.west == monaco.feature.boundingBox.east)
        let framing = try PlaceFraming(monaco, outlined: nil, in: Self.monaco.get())
        #expect(!framing.isPinned)
        #expect(framing.box.contains(monaco.coordinate))
        #expect(framing.box.east - framing.box.west < 0.1 && framing.box.north - framing.box.south < 0.1)
        #expect(framing.box.north - framing.box.south > 0.02)
    }

    @Test func aTownOfTheNameOfItsRegionIsShownAsATown() throws {
        var town = try place("Monaco")
        town.coordinate = Coordinate(latitude: 35.69, longitude: 139.69)
        town.feature.rank = 16
        town.feature.population = 9_000_000
        // Its islands lie a thousand kilometres to the south.
        town.feature.boundingBox = box(136, 20, 154, 36)
        let framing = try PlaceFraming(town, outlined: nil, in: Self.monaco.get())
        #expect(abs(framing.box.north - framing.box.south - 0.35) < 1e-9)
        #expect(abs(framing.box.center.longitude - 139.69) < 1e-9)
        // One as large as towns are is taken as it is.
        town.feature.boundingBox = box(139.5, 35.5, 139.95, 35.85)
        #expect(try PlaceFraming(town, outlined: nil, in: Self.monaco.get()).box == town.feature.boundingBox)
    }

    @Test func aHouseIsPinned() throws {
        var house = try place("Monaco")
        house.feature.rank = 30
        #expect(try PlaceFraming(house, outlined: nil, in: Self.monaco.get()).isPinned)
    }

    @Test func landsFarAwayDoNotWidenACountry() throws {
        let (main, isle, next, far) = (
            box(0, 40, 10, 50), box(10.5, 41, 11.5, 42), box(12, 41, 13, 42), box(-60, 3, -50, 6)
        )
        #expect(PlaceFraming.joined([far, isle, next, main]) == box(0, 40, 13, 50))
        #expect(PlaceFraming.joined([]) == nil)
    }

    @Test func pinsAndRowsHaveTheSameNumbersUntilThereAreTooMany() throws {
        let place = try place("Monaco")
        let some = Array(repeating: place, count: 12)
        let parsed = try Arguments(["bars", "--map", "a.png"], options: Subcommand.search.options)
        #expect(parsed.numbers(12) && !parsed.numbers(1) && !parsed.numbers(26))
        #expect(Arguments.pins(some).map(\.glyph) == (1...12).map { "\($0)" })
        let rows = PlaceList.table(some, isNumbered: true).lines
        #expect(rows[0].hasPrefix(" 1  Monaco") && rows[11].hasPrefix("12  Monaco"))
        #expect(PlaceList.table(some).lines[0].hasPrefix("Monaco"))
        let many = Arguments.pins(Array(repeating: place, count: 203))
        #expect(many.allSatisfy { $0.form == .dot && $0.glyph == nil })
    }
}

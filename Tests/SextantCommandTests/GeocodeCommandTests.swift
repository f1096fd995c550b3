import Gazetteer
import Geometry
import Sextant
import TestAtlases
import Testing

@testable import SextantCommand

@Suite struct GeocodeCommandTests {
    private func query(_ words: String...) throws -> GeocodeQuery {
        try GeocodeCommand.query(Arguments(words, options: Subcommand.geocode.options))
    }

    @Test func thePreferencesAndLimitsAreRead() throws {
        let asked = try query(
            "10", "--near", "60.17,24.94", "--bbox", "24.9,60.1,25,60.2", "--bounded", "--layer", "house,street",
            "--countries", "FI, se")
        #expect(asked.text == "10" && asked.near == Coordinate(latitude: 60.17, longitude: 24.94))
        #expect(asked.viewbox == BoundingBox(west: 24.9, south: 60.1, east: 25, north: 60.2) && asked.isBounded)
        #expect(asked.kinds == [.address, .interpolation, .street] && asked.countries == ["fi", "se"])
        let fields = try query("--city", "Monaco", "--county", "A", "--state", "B").fields
        #expect(fields?.county == "A" && fields?.state == "B")
        let plain = try query("Monaco", "--bbox", "7,43,8,44")
        #expect(!plain.isBounded && plain.kinds == nil && plain.countries.isEmpty)
    }

    @Test func whatCannotBeReadIsTold() {
        for words in [
            ["10", "--near", "here"], ["10", "--bounded"], ["10", "--bbox", "1,2,3"], ["10", "--bbox", "7,44,8,43"],
            ["10", "--layer", "moon"], ["10", "--countries", "finland"],
        ] {
            #expect(throws: UsageError.self, "\(words)") {
                try GeocodeCommand.query(Arguments(words, options: Subcommand.geocode.options))
            }
        }
    }

    @Test func aBareNumberIsAHouseNearThePoint() throws {
        let atlas = try TestAtlas.everything
        let near = try atlas.geocode(query("4", "--near", "50.9413,6.9572")).places.first
        #expect(near?.address.houseNumber == "4" && near?.address.street == "Domkloster")
    }

    @Test func aLayerAndABoxLimitTheAnswers() throws {
        let atlas = try TestAtlas.everything
        let streets = try atlas.geocode(query("Gartenweg", "--layer", "street")).places
        #expect(!streets.isEmpty && streets.allSatisfy { $0.feature.kind == .street })
        #expect(try atlas.geocode(query("Gartenweg", "--bbox", "7,43,8,44", "--bounded")).places.isEmpty)
        let south = try atlas.geocode(query("Gartenweg", "--bbox", "6.89,50.87,6.91,50.89", "--bounded")).places
        #expect(south.count == 1 && south[0].coordinate.latitude < 50.9)
    }

    @Test func aWordThatDoesNotFitIsToldByTheCountOfTheOthers() {
        var found = FoundPlaces(unmatchedToken: "Mill")
        found.isUnmatchedTokenKnown = true
        #expect(GeocodeCommand.nothing(GeocodeQuery("Mill Oberfeld"), found).hasSuffix("leave one of them out"))
        #expect(GeocodeCommand.nothing(GeocodeQuery("Mill Lane, Oberfeld"), found).hasSuffix("leave it out"))
        found.unmatchedToken = "Mill Lane"
        #expect(GeocodeCommand.nothing(GeocodeQuery("Mill Lane 5 Oberfeld"), found).hasSuffix("leave them out"))
    }

    @Test func longMessagesAreBrokenAndTheirListsStayIndented() {
        let text = wrappedMessage("one two three four five six seven\n  eight nine ten eleven twelve", columns: 30)
        #expect(
            text == "one two three four\n  five six seven\n  eight nine ten eleven\n    twelve")
    }

    @Test func completionsAreFittedToTheWidth() throws {
        let found = try TestAtlas.everything.complete(CompletionQuery("s", limit: 20))
        for width in [30, 50, 80] {
            let lines = CompleteCommand.table(found, width: width).lines
            #expect(lines.count == found.count && lines.allSatisfy { displayWidth($0) <= width }, "\(width)")
        }
    }

    @Test func aCrossingIsCalledByItsStreetsOnce() throws {
        let atlas = try TestAtlas.cologne
        let place = try #require(try atlas.geocode(query("Rheinuferstraße / Ubierring")).places.first)
        #expect(place.kindText == "intersection" && place.isIntersection)
        #expect(["Rheinuferstraße / Ubierring", "Ubierring / Rheinuferstraße"].contains(place.name))
        #expect(place.title.components(of: "Ubierring") == 1 && place.title.components(of: "Rheinuferstraße") == 1)
        #expect(place.title.contains("Köln"))
        let box = place.feature.boundingBox
        #expect(box.contains(place.coordinate) && box.north - box.south < 0.001 && box.east - box.west < 0.001)
        #expect(PlaceList.json([place]).contains("\"kind\":\"intersection\""))
    }
}

extension String {
    /// How often a word occurs.
    fileprivate func components(of word: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}

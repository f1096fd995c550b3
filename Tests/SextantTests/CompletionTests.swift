import Sextant
import TestAtlases
import Testing

@Suite struct AtlasCompletionTests {
    private func titles(_ text: String, near: Coordinate? = nil) throws -> [String] {
        try TestAtlas.everything.complete(CompletionQuery(text, near: near, languages: ["de"])).map {
            "\($0.title), \($0.subtitle)"
        }
    }

    @Test func aPlaceOfTheWorldThatAFinerAtlasHasIsOfferedOnce() throws {
        let found = try titles("köln")
        #expect(found.filter { $0.hasPrefix("Köln,") }.count == 1)
        #expect(try titles("vadu").first?.hasPrefix("Vaduz") == true)
    }

    @Test func whatOneAtlasKnowsIsNotTakenForAnErrorInAnother() throws {
        let found = try TestAtlas.everything.complete(CompletionQuery("rheinuf"))
        #expect(found.map(\.title) == ["Rheinuferstraße"] && found.allSatisfy { $0.completion.edits == 0 })
        let misspelled = try TestAtlas.everything.complete(CompletionQuery("rhienuf"))
        #expect(misspelled.first?.title == "Rheinuferstraße" && misspelled.first?.completion.edits == 1)
    }

    @Test func aCompletionLeadsToItsPlace() throws {
        let atlas = try TestAtlas.everything
        let near = Coordinate(latitude: 50.94, longitude: 6.957)
        let house = try #require(try atlas.complete(CompletionQuery("Domkloster 4", near: near)).first)
        let place = try #require(try atlas.place(of: house))
        #expect(place.address.houseNumber == "4" && place.address.street == "Domkloster")
        #expect(house.distance.map { $0 < 200 } == true && place.coordinate == house.completion.location)
        let kind = try #require(
            try atlas.complete(CompletionQuery("restaur", languages: ["en"])).first { $0.completion.kind == nil })
        #expect(try atlas.place(of: kind) == nil)
    }

    @Test func placesOfInterestAreFoundAroundAPoint() throws {
        let casino = Coordinate(latitude: 43.7394, longitude: 7.4275)
        let found = try TestAtlas.towns.pointsOfInterest(around: casino, within: 200, limit: 20)
        #expect(found.count == 20)
        let distances = found.compactMap(\.distance)
        #expect(distances == distances.sorted() && distances.allSatisfy { $0 <= 200 })
        #expect(try TestAtlas.towns.pointsOfInterest(around: casino, within: 0, limit: 20).count <= 1)
        #expect(try TestAtlas.towns.pointsOfInterest(around: casino, within: .nan, limit: 20).isEmpty)
    }
}

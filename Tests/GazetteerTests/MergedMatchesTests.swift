import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

/// The matches of a fine gazetteer, index 0, and of the World, index 1, in one list.
@Suite struct MergedMatchesTests {
    private let here = Coordinate(latitude: 47, longitude: 9)

    private func match(
        _ name: String, _ kind: FeatureKind, rank: Int, importance: Double, score: Double = 1,
        at point: Coordinate? = nil, unmatched: [String] = [], corrected: Bool = false, tags: Tags = [:]
    ) -> GeocodeMatch {
        let point = point ?? here
        let feature = Feature(
            id: 1, source: 1, category: "place", type: "town", rank: rank, searchRank: rank, name: name,
            importance: importance, boundingBox: BoundingBox(point), location: point, kind: kind, tags: tags)
        return GeocodeMatch(
            feature: feature, location: point,
            quality: MatchQuality(
                score: score, precision: .place, matched: [], unmatched: unmatched,
                corrections: corrected ? [SpellingCorrection(written: "a", read: "b", edits: 1)] : []))
    }

    private func merged(
        _ text: String, _ fine: [GeocodeMatch], _ world: [GeocodeMatch], near: Coordinate? = nil
    ) throws -> [MergedMatches.Item] {
        try MergedMatches(GeocodeQuery(text, near: near), normalizer: .shared).merged([fine, world]) { $0 == 1 }
    }

    private let far = Coordinate(latitude: 53.9, longitude: 21.5)

    @Test func anotherNameOfATownFarAwayComesAfterTheRiverOfTheDetailedAtlas() throws {
        let river = match("Rhein", .water, rank: 0, importance: 0.32)
        let town = match("Ryn", .place, rank: 16, importance: 0.36, at: far)
        let found = try merged("Rhein", [river], [town])
        #expect(found.map(\.match.feature.name) == ["Rhein", "Ryn"])
    }

    @Test func theCapitalComesBeforeTheCafeThatBearsItsName() throws {
        let cafe = match("Paris", .pointOfInterest, rank: 30, importance: 0.01)
        let city = match("Paris", .place, rank: 16, importance: 0.63, at: far)
        #expect(try merged("Paris", [cafe], [city]).map(\.gazetteer) == [1, 0])
        // Who stands before the café means it.
        #expect(try merged("Paris", [cafe], [city], near: here).map(\.gazetteer) == [0, 1])
        // A small town of that name is not meant, nor is a place of the detailed atlas put behind.
        let town = match("Ryn", .place, rank: 16, importance: 0.4, at: far)
        #expect(try merged("Paris", [cafe], [town]).map(\.gazetteer) == [0, 1])
        let village = match("Paris", .place, rank: 19, importance: 0.2)
        #expect(try merged("Paris", [village], [city]).map(\.gazetteer) == [0, 1])
    }

    @Test func noLaterPlaceOfTheWorldHasAHigherScoreThanWhatExplainsAsMuchBeforeIt() throws {
        let town = match("Schaan", .municipality, rank: 16, importance: 0.4, score: 0.25, unmatched: ["9490"])
        let other = match(
            "Szécsény", .place, rank: 16, importance: 0.38, score: 0.49, at: far, unmatched: ["9490"])
        let found = try merged("9490 Schaan", [town], [other])
        #expect(found.map(\.match.feature.name) == ["Schaan", "Szécsény"])
        #expect(found.map(\.match.quality.score) == [0.25, 0.25])
    }

    @Test func whatExplainsMoreWordsComesFirstWhereverItIsFrom() throws {
        let street = match("Gasse", .street, rank: 26, importance: 0.1, score: 0.5, unmatched: ["Kyoto"])
        let city = match("Kyoto", .place, rank: 16, importance: 0.5, score: 0.6, at: far, unmatched: ["Gasse"])
        #expect(try merged("Kyoto Gasse", [street], [city]).map(\.gazetteer) == [1, 0])
        let corrected = match("Gosse", .place, rank: 16, importance: 0.5, score: 0.9, at: far, corrected: true)
        let exact = match("Gasse", .street, rank: 26, importance: 0.1, score: 0.9)
        #expect(try merged("Gasse", [exact], [corrected]).map(\.gazetteer) == [0, 1])
    }

    @Test func theTownAndTheRegionOfItsNameAreLeftOutWhereTheDetailedAtlasHasTheTown() throws {
        let town = match("Vaduz", .municipality, rank: 16, importance: 0.5)
        let region = match(
            "Vaduz", .region, rank: 8, importance: 0.55, at: Coordinate(latitude: 47.02, longitude: 9.01))
        let namesake = match("Vaduz", .place, rank: 16, importance: 0.3, at: far)
        #expect(try merged("Vaduz", [town], [region, town, namesake]).map(\.gazetteer) == [0, 1])
        // By the name that readers elsewhere know it by, too.
        let local = match("Москва", .municipality, rank: 16, importance: 0.5, tags: ["name:en": "Moscow"])
        let known = match("Moscow", .place, rank: 16, importance: 0.67)
        #expect(try merged("Moscow", [local], [known]).count == 1)
        // A shop of the same name is no town.
        let shop = match("Vaduz", .pointOfInterest, rank: 30, importance: 0.01)
        #expect(try merged("Vaduz", [shop], [town]).count == 2)
    }

    @Test func ofTwoDetailedAtlasesTheOneAtThePreferredPointAnswersFirst() throws {
        let here = match("4", .address, rank: 30, importance: 0),
            there = match("4", .address, rank: 30, importance: 0.1, at: far)
        func order(_ query: GeocodeQuery) throws -> [Int] {
            try MergedMatches(query, normalizer: .shared).merged([[there], [here]]) { _ in false }.map(\.gazetteer)
        }
        #expect(try order(GeocodeQuery("4")) == [0, 1])
        #expect(try order(GeocodeQuery("4", near: self.here)) == [1, 0])
        let box = BoundingBox(west: 8, south: 46, east: 10, north: 48)
        #expect(try order(GeocodeQuery("4", viewbox: box)) == [1, 0])
    }

    @Test func anAbbreviationThatIsATownsNameIsNotWhatWasAsked() throws {
        let museum = match("Landesmuseum", .pointOfInterest, rank: 30, importance: 0.1, score: 0.76)
        let town = match("Mus", .region, rank: 8, importance: 0.55, at: far)
        let found = try merged("Museum", [museum], [town])
        #expect(found.map(\.gazetteer) == [0, 1] && found[1].match.quality.score == 0.76)
    }

    @Test func theCapitalComesBeforeTheVillageThatFitsToTheLetter() throws {
        let village = match("Moskva", .place, rank: 16, importance: 0.28)
        let capital = match("Moscow", .place, rank: 16, importance: 0.67, score: 0.98, at: far)
        let other = match("Moskowo", .place, rank: 16, importance: 0.9, score: 0.9)
        let names = try merged("Москва", [], [village, capital, other]).map(\.match.feature.name)
        #expect(names == ["Moscow", "Moskva", "Moskowo"])
        // What is near is the gazetteer's own business.
        #expect(try merged("Москва", [], [village, capital], near: here).first?.match.feature.name == "Moskva")
    }

    @Test func theFinerGazetteersOrderIsKeptAndNothingIsLost() throws {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        print("merged matches: seed \(seed)")
        var state = seed
        func next(_ bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        for _ in 0..<200 {
            func list(_ letter: String) -> [GeocodeMatch] {
                (0..<Int(next(8))).map { index in
                    match(
                        "\(letter)\(index)", next(2) == 0 ? .place : .pointOfInterest, rank: 16,
                        importance: Double(next(100)) / 100, score: Double(next(100)) / 100,
                        unmatched: next(3) == 0 ? ["x"] : [])
                }
            }
            let (fine, world) = (list("f"), list("w"))
            let found = try merged("x", fine, world)
            let names = found.map { $0.match.feature.name ?? "" }
            #expect(names.filter { $0.hasPrefix("f") } == fine.map { $0.feature.name ?? "" })
            #expect(names.filter { $0.hasPrefix("w") }.sorted() == world.map { $0.feature.name ?? "" }.sorted())
        }
    }
}

extension Feature {
    fileprivate init(
        id: Int64, source: Int64, category: String, type: String, rank: Int, searchRank: Int, name: String,
        importance: Double, boundingBox: BoundingBox, location: Coordinate, kind: FeatureKind, tags: Tags
    ) {
        var tags = tags
        tags["name"] = name
        self.init(
            id: id, source: source, osm: nil, sourceNumber: nil, kind: kind, category: category, type: type, rank: rank,
            searchRank: searchRank, adminLevel: nil, name: name, houseNumber: nil, postcode: nil, country: nil,
            parent: nil, context: nil, importance: importance, population: nil, boundingBox: boundingBox,
            location: location, tags: tags)
    }
}

import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct SearchTests {
    private func world() -> SmallWorld {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.node(1, 1, ["amenity": "restaurant", "name": "Adler", "cuisine": "pizza;italian"])
        world.node(2, 1, ["amenity": "restaurant"])
        world.node(2, 2, ["amenity": "bar;restaurant", "name": "Both"])
        world.node(3, 1, ["amenity": "fast_food", "name": "Restaurant Express", "brand": "Burger Max"])
        world.node(30, 1, ["amenity": "restaurant", "name": "Hirsch", "diet:vegan": "yes"])
        world.node(4, 4, ["amenity": "pharmacy", "name": "Löwen-Apotheke"])
        world.way([(5, 5), (6, 5), (6, 6), (5, 6), (5, 5)], ["amenity": "cafe", "building": "yes", "name": "Mozart"])
        return world
    }

    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> SearchQuery.Region {
        let a = SmallWorld.point(west, south), b = SmallWorld.point(east, north)
        return .box(BoundingBox(west: a.longitude, south: a.latitude, east: b.longitude, north: b.latitude))
    }

    private func names(_ matches: [SearchMatch]) -> [String] { matches.map { $0.feature.name ?? "-" } }

    @Test func aKindGivesItsMembersAndNothingElse() throws {
        let gazetteer = try world().open()
        for word in ["restaurants", "Restaurant", "Gaststätte", "рестораны", "ravintola", "les restaurants"] {
            let found = try gazetteer.search(SearchQuery(word, in: box(0, 0, 10, 10)))
            #expect(Set(names(found)) == ["Adler", "-"], "\(word)")
        }
        #expect(names(try gazetteer.search(SearchQuery("кафе"))) == ["Mozart"])
        #expect(names(try gazetteer.search(SearchQuery("apteekit"))) == ["Löwen-Apotheke"])
    }

    /// However many things an atlas has: a question without a region must not read them all.
    @Test func whatHasAMainTagIsFoundThroughAnIndex() throws {
        try world().open().withDatabase { database in
            let plan = try database.prepare(
                """
                EXPLAIN QUERY PLAN SELECT f.id FROM feature f
                WHERE f.class = ?1 AND f.type = ?2 AND f.\(Schema.mainTagCondition)
                """)
            #expect(try plan.step())
            #expect(plan.text(3)?.contains("INDEX feature_main_tag") == true)
        }
    }

    @Test func aRegionIsAHardLimit() throws {
        let gazetteer = try world().open()
        let center = SmallWorld.point(1, 1)
        let near = try gazetteer.search(
            SearchQuery("restaurants", in: .circle(center: center, metres: 100), order: .nearest(center)))
        #expect(names(near) == ["Adler", "-"])
        let none = try gazetteer.search(SearchQuery("restaurants", in: .circle(center: center, metres: 0)))
        #expect(names(none) == ["Adler"])
        let all = try gazetteer.search(SearchQuery("restaurants", order: .nearest(SmallWorld.point(30, 1))))
        #expect(names(all) == ["Hirsch", "-", "Adler"])
        let town = try #require(try gazetteer.geocode(GeocodeQuery("Oberfeld")).matches.first)
        let within = try gazetteer.search(SearchQuery("restaurants", in: .outline(of: town.feature.id)))
        #expect(Set(names(within)) == ["Adler", "-"])
        #expect(
            try gazetteer.search(
                SearchQuery("restaurants", in: .circle(center: Coordinate(latitude: .nan, longitude: 0), metres: 5))
            ).isEmpty)
    }

    @Test func regionsThatAreNoneOnTheGlobeHoldNothingOrAllOfIt() throws {
        let gazetteer = try world().open()
        let all = BoundingBox(west: -.infinity, south: -.infinity, east: .infinity, north: .infinity)
        #expect(try gazetteer.search(SearchQuery("restaurants", in: .box(all))).count == 3)
        let none = BoundingBox(west: .nan, south: .nan, east: .nan, north: .nan)
        #expect(try gazetteer.search(SearchQuery("restaurants", in: .box(none))).isEmpty)
        for wrong in [Double.nan, .infinity, 400] {
            let ring = [
                Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: wrong, longitude: 5),
                Coordinate(latitude: 80, longitude: 20),
            ]
            #expect(try gazetteer.search(SearchQuery("restaurants", in: .polygons([[ring]]))).isEmpty)
            let corridor = Corridor(along: ring, metres: wrong)
            _ = try gazetteer.search(SearchQuery("restaurants", in: .corridor(corridor)))
            _ = try gazetteer.search(
                SearchQuery("restaurants", in: .circle(center: SmallWorld.point(1, 1), metres: wrong)))
        }
    }

    @Test func namesBrandsAndCuisinesAreFound() throws {
        let gazetteer = try world().open()
        #expect(names(try gazetteer.search(SearchQuery("hirsch"))) == ["Hirsch"])
        #expect(names(try gazetteer.search(SearchQuery("hirsch", in: box(29, 0, 31, 2)))) == ["Hirsch"])
        #expect(try gazetteer.search(SearchQuery("hirsch", in: box(0, 0, 10, 10))).isEmpty)
        #expect(names(try gazetteer.search(SearchQuery("burger max"))) == ["Restaurant Express"])
        #expect(names(try gazetteer.search(SearchQuery("pizza"))) == ["Adler"])
        #expect(names(try gazetteer.search(SearchQuery("vegan restaurant"))) == ["Hirsch"])
        #expect(
            names(try gazetteer.search(SearchQuery(tag: .init(key: "amenity", value: "fast_food")))) == [
                "Restaurant Express"
            ])
        #expect(try gazetteer.search(SearchQuery("zeppelin")).isEmpty)
    }

    @Test func theNameInItsOrderComesBeforeTheWordsInAnother() throws {
        var world = SmallWorld()
        world.node(1, 1, ["railway": "tram_stop", "name": "Monte-Carlo (Casino)"])
        world.node(2, 2, ["amenity": "casino", "name": "Casino de Monte Carlo"])
        let gazetteer = try world.open()
        let found = names(try gazetteer.search(SearchQuery("Casino de Monte-Carlo")))
        #expect(found == ["Casino de Monte Carlo", "Monte-Carlo (Casino)"])
    }

    @Test func boxesOverTheDateLineAreTaken() throws {
        let gazetteer = try world().open()
        let wide = BoundingBox(west: 8, south: 40, east: -170, north: 50)
        #expect(try gazetteer.search(SearchQuery("restaurants", in: .box(wide))).count == 3)
        let other = BoundingBox(west: 170, south: 40, east: -170, north: 50)
        #expect(try gazetteer.search(SearchQuery("restaurants", in: .box(other))).isEmpty)
    }

    /// The same as a linear scan over all places, in random boxes small and large.
    @Test(arguments: [21, 22] as [UInt64])
    func randomBoxesHoldThoseOfALinearScan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var world = SmallWorld()
        var places: [(type: String, point: Coordinate)] = []
        for _ in 0..<400 {
            let type = ["restaurant", "cafe", "bank"].randomElement(using: &random) ?? "cafe"
            let x = Double.random(in: 0...400, using: &random), y = Double.random(in: 0...400, using: &random)
            world.node(x, y, ["amenity": type])
            places.append((type, SmallWorld.point(x, y)))
        }
        let gazetteer = try world.open()
        for _ in 0..<60 {
            let corner = SmallWorld.point(
                Double.random(in: 0...400, using: &random), Double.random(in: 0...400, using: &random))
            let width = Double.random(in: 0.001...0.3, using: &random)
            let box = BoundingBox(
                west: corner.longitude, south: corner.latitude, east: corner.longitude + width,
                north: corner.latitude + width)
            let wanted = places.filter { $0.type == "restaurant" && box.contains($0.point) }.count
            #expect(
                try gazetteer.search(SearchQuery("restaurants", in: .box(box))).count == wanted, "seed \(seed), \(box)")
        }
    }
}

@Suite struct MixedSearchTests {
    private static let world = Result { () throws -> Gazetteer in
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.node(
            1, 1, ["amenity": "cafe", "name": "Ramp", "wheelchair": "yes", "opening_hours": "Mo-Fr 08:00-18:00"])
        world.node(2, 1, ["amenity": "cafe", "name": "Steps", "wheelchair": "no", "opening_hours": "24/7"])
        world.node(3, 1, ["amenity": "cafe", "name": "Silent", "opening_hours": "by arrangement only, call"])
        world.node(
            4, 1, ["amenity": "fuel", "name": "Oberfeld Nord", "brand": "Shell", "opening_hours": "Mo-Su 06:00-22:00"])
        world.node(5, 1, ["amenity": "fuel", "name": "Avia"])
        world.node(6, 1, ["amenity": "fast_food", "name": "Burger King"])
        world.node(7, 1, ["amenity": "fast_food", "name": "Grill King", "cuisine": "burger"])
        world.node(
            8, 1, ["amenity": "place_of_worship", "religion": "christian", "denomination": "lutheran", "name": "A"])
        world.node(
            9, 1, ["amenity": "place_of_worship", "religion": "christian", "denomination": "methodist", "name": "B"])
        return try world.open()
    }

    /// On a Wednesday at noon.
    private func names(_ words: String, in region: SearchQuery.Region = .everywhere) throws -> Set<String> {
        var query = SearchQuery(words, in: region)
        query.clock = { _, _ in .init(moment: .init(year: 2026, month: 3, day: 4, hour: 12)) }
        return Set(try Self.world.get().search(query).map { $0.feature.name ?? "-" })
    }

    @Test func aWishLeavesOutWhatDoesNotSaySo() throws {
        #expect(try names("wheelchair accessible cafe") == ["Ramp"])
        #expect(try names("cafe with free wifi") == [])
    }

    @Test func hoursDecideAtTheAskedMoment() throws {
        #expect(try names("cafe open now") == ["Ramp", "Steps"])
        #expect(try names("cafe open Sunday 10:00") == ["Steps"])
        #expect(try names("cafe open 24 hours") == ["Steps"])
        #expect(try names("cafe open on sunday") == ["Steps"])
        #expect(try names("open at 21:00") == ["Steps", "Oberfeld Nord"])
        #expect(try names("gas station open until 22:00") == ["Oberfeld Nord"])
        // Without a clock nothing is surely open.
        #expect(try Self.world.get().search(SearchQuery("cafe open now")).isEmpty)
    }

    @Test func answersTellWhatMatchedAndUntilWhenTheyAreOpen() throws {
        var query = SearchQuery("wheelchair accessible cafe open now")
        query.clock = { _, _ in .init(moment: .init(year: 2026, month: 3, day: 4, hour: 12)) }
        let match = try #require(try Self.world.get().search(query).first)
        #expect(match.tags == ["amenity=cafe", "wheelchair=yes", "opening_hours=Mo-Fr 08:00-18:00"])
        #expect(match.hours?.until?.clock == "18:00")
    }

    @Test func brandsAndDenominationsTellThingsOfAKindApart() throws {
        #expect(try names("Shell gas station") == ["Oberfeld Nord"])
        #expect(try names("burger king") == ["Burger King", "Grill King"])
        #expect(try names("methodist church") == ["B"])
    }

    @Test func aBrandThatIsAlsoAWordForAKindIsFoundBesideIt() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.node(1, 1, ["railway": "station", "station": "subway", "name": "Markt"])
        world.node(2, 1, ["amenity": "fast_food", "name": "Subway", "brand": "Subway"])
        world.node(3, 1, ["amenity": "fast_food", "name": "Subway Grill"])
        let gazetteer = try world.open()
        #expect(Set(try gazetteer.search(SearchQuery("subway")).map(\.feature.name)) == ["Markt", "Subway"])
    }

    @Test func aCuisineIsFoundByItsOwnWordAndToldAsTheReason() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.node(1, 1, ["amenity": "restaurant", "name": "Udon", "cuisine": "ramen"])
        world.node(2, 1, ["amenity": "restaurant", "name": "Nonna", "cuisine": "pasta"])
        world.node(3, 1, ["amenity": "fast_food", "name": "Cod", "cuisine": "fish_and_chips"])
        world.node(4, 1, ["amenity": "restaurant", "name": "Blatt", "diet:vegan": "yes"])
        let gazetteer = try world.open()
        func found(_ words: String) throws -> [String?] { try gazetteer.search(SearchQuery(words)).map(\.feature.name) }
        #expect(try found("ramen") == ["Udon"])
        #expect(try found("fish and chips") == ["Cod"])
        let vegan = try gazetteer.search(SearchQuery("vegan restaurant"))
        #expect(vegan.map(\.tags) == [["amenity=restaurant", "diet:vegan=yes"]])
    }

    @Test func aCorridorIsALimitAndAnOrder() throws {
        let corridor = Corridor(along: [SmallWorld.point(9.5, 1), SmallWorld.point(0, 1)], metres: 50)
        let query = SearchQuery("fuel", in: .corridor(corridor), order: .along(corridor))
        let found = try Self.world.get().search(query)
        #expect(found.map { $0.feature.name } == ["Avia", "Oberfeld Nord"])
        #expect(found.allSatisfy { ($0.along ?? 0) > 0 })
        let short = Corridor(along: [SmallWorld.point(4.4, 1), SmallWorld.point(0, 1)], metres: 30)
        #expect(try names("fuel", in: .corridor(short)) == ["Oberfeld Nord"])
        let box = BoundingBox(SmallWorld.point(5, 1))
        #expect(try names("fuel", in: .all([.corridor(corridor), .box(box)])) == ["Avia"])
    }

    @Test func aSearchEndsWhenItsTakerHasEnough() throws {
        var count = 0
        let told = try Self.world.get().search(SearchQuery("cafe")) { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2 && told == 2)
    }
}

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

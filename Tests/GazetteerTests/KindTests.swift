import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

/// Which objects a kind answers.
@Suite struct KindTests {
    /// The objects that a kind answers, as `N1`.
    private func objects(_ kind: String, _ gazetteer: Gazetteer) throws -> Set<String> {
        var query = SearchQuery(in: .everywhere)
        query.kinds = [kind]
        return Set(try gazetteer.search(query).flatMap(\.objects).map(\.description))
    }

    @Test func whatHasNoNameIsFoundByItsKindAndByNothingElse() throws {
        var world = World()
        world.way(1, [(0, 0), (1, 0), (1, 1), (0, 0)], ["leisure": "garden"])
        world.way(2, [(0, 5), (5, 5)], ["waterway": "river"])
        world.node(3, 2, 2, ["railway": "subway_entrance"])
        world.node(4, 2, 2, ["natural": "tree"])
        try world.open { (gazetteer, report) throws in
            #expect(try objects("garden", gazetteer) == ["W1"])
            #expect(try objects("river", gazetteer) == ["W2"])
            #expect(try objects("subway", gazetteer) == ["N3"])
            #expect(report.features[.thing] == 3)
            #expect(try gazetteer.geocode(GeocodeQuery("garden")).matches.isEmpty)
            #expect(try gazetteer.reverse(World.at(0.5, 0.2)) == nil)
        }
    }

    @Test func everyWayOfARiverIsNamed() throws {
        var world = World()
        world.way(1, [(0, 0), (1, 0)], ["waterway": "river", "name": "Ache"])
        world.way(2, [(1, 0), (2, 0)], ["waterway": "river", "name": "Ache"])
        world.way(3, [(9, 0), (9, 1)], ["waterway": "river", "name": "Lech"])
        world.way(4, [(9, 1), (9, 2)], ["waterway": "river", "name": "Lech"])
        world.relations.append(
            OSMRelation(
                id: 5, members: [.init(id: OSMID(.way, 3), role: ""), .init(id: OSMID(.way, 4), role: "")],
                tags: ["type": "waterway", "waterway": "river", "name": "Lech"]))
        try world.open { gazetteer, _ in
            var query = SearchQuery(in: .everywhere)
            query.kinds = ["river"]
            let found = try gazetteer.search(query).map { Set($0.objects.map(\.description)) }
            #expect(Set(found) == [["W1", "W2"], ["R5", "W3", "W4"]])
        }
    }

    @Test func aRelationThatIsNoAreaLiesOnItsLargestMember() throws {
        var world = World()
        world.way(1, [(0, 0), (1, 0)], [:])
        world.way(2, [(4, 0), (8, 0), (8, 1)], [:])
        world.relations.append(
            OSMRelation(
                id: 7, members: [.init(id: OSMID(.way, 1), role: ""), .init(id: OSMID(.way, 2), role: "")],
                tags: ["type": "site", "amenity": "university", "name": "Alma"]))
        world.relations.append(
            OSMRelation(
                id: 8, members: [.init(id: OSMID(.way, 99), role: "outer")],
                tags: ["type": "multipolygon", "leisure": "park", "name": "Lost"]))
        try world.open { gazetteer, report in
            #expect(try objects("university", gazetteer) == ["R7"])
            let found = try #require(try gazetteer.feature(osm: OSMID(.relation, 7)))
            #expect(found.location.longitude > 0.0045)
            #expect(try objects("park", gazetteer).isEmpty)
            #expect(report.skipped["relation of a kind without a member in the data"] == 1)
        }
    }

    @Test func aPlaceNodeWithinABoundaryIsNamedByIt() throws {
        var world = World()
        world.boundary(
            1, west: 0, south: 0, east: 10, north: 10, ["admin_level": "8", "name": "Insel"],
            members: [.init(id: OSMID(.node, 2), role: "label")])
        world.node(2, 5, 5, ["place": "island", "name": "Insel", "tourism": "attraction"])
        try world.open { gazetteer, _ in
            var query = SearchQuery(in: .everywhere)
            query.kinds = ["island"]
            let found = try gazetteer.search(query)
            #expect(found.map(\.feature.osm) == [OSMID(.relation, 1)])
            #expect(found.map(\.objects) == [[OSMID(.node, 2)]])
            #expect(try objects("attraction", gazetteer) == ["N2"])
        }
    }
}

import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

/// Two streets: Mill Lane at y = 0 and High Street at y = 3, both from x = 0 to 10.
private func twoStreets() -> World {
    var world = World()
    world.way(1, [(0, 0), (10, 0)], ["highway": "residential", "name": "Mill Lane"])
    world.way(2, [(0, 3), (10, 3)], ["highway": "residential", "name": "High Street"])
    return world
}

@Suite struct ParentTests {
    @Test func aHouseWithoutAStreetBelongsToTheNearestOne() throws {
        var world = twoStreets()
        world.node(1, 5, 1, ["addr:housenumber": "7"])
        world.node(2, 5, 2, ["addr:housenumber": "8"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "7, Mill Lane")
            try #expect(gazetteer.line("N2") == "8, High Street")
        }
    }

    @Test func theStreetTagGoesBeforeTheNearestStreet() throws {
        var world = twoStreets()
        world.node(1, 5, 0.2, ["addr:housenumber": "7", "addr:street": "High St"])
        try world.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "7, High Street") }
    }

    @Test func whateverBearsANumberAndAStreetIsAnAddressOfThatStreet() throws {
        var world = twoStreets()
        world.node(
            1, 5, 0.2,
            ["landuse": "retail", "name": "Mill Centre", "addr:housenumber": "27", "addr:street": "High Street"])
        try world.open { gazetteer, _ in
            let found = try gazetteer.geocode(GeocodeQuery("High Street 27")).matches
            #expect(found.first?.feature.osm == OSMID(.node, 1))
        }
    }

    @Test func aBlockIsNoPartOfTheNumberWhereTheStreetHasAName() throws {
        var world = twoStreets()
        world.node(
            1, 5, 0.2, ["addr:block_number": "26", "addr:housenumber": "146", "addr:street": "High Street"])
        try world.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "146, High Street") }
    }

    @Test func anAssociatedStreetGoesBeforeTheStreetTag() throws {
        var world = twoStreets()
        world.node(1, 5, 0.2, ["addr:housenumber": "7", "addr:street": "High Street"])
        world.relations.append(
            OSMRelation(
                id: 1, members: [.init(id: OSMID(.way, 1), role: "street"), .init(id: OSMID(.node, 1), role: "house")],
                tags: ["type": "associatedStreet"]))
        try world.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "7, Mill Lane") }
    }

    @Test func aStreetTagThatNoWayBearsMakesAStreet() throws {
        var world = twoStreets()
        world.node(1, 5, 0.2, ["addr:housenumber": "7", "addr:street": "Sunset Boulevard"])
        world.node(2, 5, 0.4, ["addr:housenumber": "9", "addr:street": "Sunset Boulevard"])
        try world.open { gazetteer, report in
            try #expect(gazetteer.line("N1") == "7, Sunset Boulevard")
            let first = try gazetteer.feature(osm: OSMID(.node, 1))
            let second = try gazetteer.feature(osm: OSMID(.node, 2))
            #expect(first?.parent == second?.parent)
            #expect(report.skipped["addr:street not on the map, street made"] == 1)
        }
    }

    @Test func aPlaceTagStandsForTheStreet() throws {
        var world = twoStreets()
        world.node(1, 5, 0.2, ["addr:housenumber": "7", "addr:place": "Old Farm"])
        world.node(2, 6, 1, ["place": "hamlet", "name": "Old Farm"])
        try world.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "7, Old Farm") }
    }

    @Test func aShopTakesTheAddressOfItsBuilding() throws {
        var world = twoStreets()
        world.way(
            5, [(4, 1), (6, 1), (6, 1.4), (4, 1.4), (4, 1)],
            ["building": "yes", "addr:housenumber": "12", "addr:street": "High Street"])
        world.node(1, 5, 1.2, ["shop": "bakery", "name": "Crumb"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "Crumb, 12, High Street")
            // The building alone stands for the number.
            try gazetteer.withDatabase { database in
                let rows = try database.prepare("SELECT count(*) FROM address_number")
                try #expect(rows.step() && rows.int(0) == 1)
            }
        }
    }

    @Test func listsAndRangesOfNumbersAreAllFound() throws {
        var world = twoStreets()
        world.node(1, 5, 0.2, ["addr:housenumber": "2;4-8"])
        try world.open { gazetteer, _ in
            try gazetteer.withDatabase { database in
                let rows = try database.prepare("SELECT group_concat(key, ' ') FROM address_number")
                try #expect(rows.step())
                let keys = Set((rows.text(0) ?? "").split(separator: " ").map(String.init))
                #expect(keys.isSuperset(of: ["2", "4", "6", "8"]))
            }
        }
    }
}

@Suite struct StreetTests {
    @Test func waysOfOneNameNearEachOtherAreOneStreet() throws {
        var world = World()
        world.way(1, [(0, 0), (3, 0)], ["highway": "residential", "name": "Long Road"])
        world.way(2, [(3, 0), (9, 0)], ["highway": "residential", "name": "Long Road", "name:de": "Lange Straße"])
        world.way(3, [(60, 0), (66, 0)], ["highway": "residential", "name": "Long Road"])
        try world.open { gazetteer, _ in
            let first = try gazetteer.feature(osm: OSMID(.way, 1))
            let second = try gazetteer.feature(osm: OSMID(.way, 2))
            let third = try gazetteer.feature(osm: OSMID(.way, 3))
            #expect(first?.id == second?.id)
            #expect(first?.id != third?.id)
            #expect(first?.osm == OSMID(.way, 2), "the longest way leads")
            #expect(first?.name(in: ["de"]) == "Lange Straße")
        }
    }

    @Test func waysInTwoMunicipalitiesAreTwoStreets() throws {
        var world = World()
        world.boundary(1, west: -10, south: -10, east: 5, north: 10, ["admin_level": "8", "name": "Westham"])
        world.boundary(2, west: 5, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Eastham"])
        world.way(1, [(0, 0), (5, 0)], ["highway": "residential", "name": "Long Road"])
        world.way(2, [(5, 0), (9, 0)], ["highway": "residential", "name": "Long Road"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("W1") == "Long Road, Westham")
            try #expect(gazetteer.line("W2") == "Long Road, Eastham")
        }
    }
}

@Suite struct PlaceTests {
    @Test func anAddressLiesInAllAreasAroundItAndInTheNearestVillage() throws {
        var world = twoStreets()
        world.boundary(
            1, west: -100, south: -100, east: 100, north: 100, ["admin_level": "2", "name": "Land", "ISO3166-1": "XL"])
        world.boundary(2, west: -50, south: -50, east: 50, north: 50, ["admin_level": "4", "name": "State"])
        world.boundary(3, west: -20, south: -20, east: 30, north: 30, ["admin_level": "8", "name": "Town"])
        world.node(10, 4, 4, ["place": "suburb", "name": "Northside"])
        world.node(11, 4, -6, ["place": "suburb", "name": "Southside"])
        world.node(1, 5, 2.9, ["addr:housenumber": "7", "addr:postcode": "12345"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "7, High Street, Northside, Town, State, 12345, Land")
            let feature = try #require(try gazetteer.feature(osm: OSMID(.node, 1)))
            let parts = try gazetteer.address(of: feature)
            #expect(parts.countryCode == "xl")
            #expect(parts.city == "Town")
            #expect(parts.suburb == "Northside")
            #expect(parts.state == "State")
        }
    }

    @Test func aBoundaryTakesInItsLabel() throws {
        var world = World()
        world.boundary(
            1, west: 0, south: 0, east: 10, north: 10, ["admin_level": "8", "name": "Municipality of Foo"],
            members: [.init(id: OSMID(.node, 5), role: "label")])
        world.node(5, 2, 2, ["place": "town", "name": "Foo", "name:fr": "Fou"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.feature(osm: OSMID(.node, 5)) == nil)
            let feature = try #require(try gazetteer.feature(osm: OSMID(.relation, 1)))
            #expect(feature.tags["linked_place"] == "town")
            #expect(feature.tags["place_name"] == "Foo")
            #expect(feature.name(in: ["fr"]) == "Fou")
            #expect(feature.location == World.at(2, 2))
        }
    }

    @Test func aNodeOfAnotherRankIsNotTakenIn() throws {
        var world = World()
        world.boundary(1, west: 0, south: 0, east: 10, north: 10, ["admin_level": "4", "name": "Foo"])
        world.node(5, 2, 2, ["place": "city", "name": "Foo"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.feature(osm: OSMID(.node, 5)) != nil)
        }
    }

    @Test func aMunicipalityInATownCountyIsFiner() throws {
        var world = World()
        world.boundary(
            1, west: 0, south: 0, east: 20, north: 20, ["admin_level": "6", "place": "town", "name": "Outer"])
        world.boundary(2, west: 0, south: 0, east: 10, north: 10, ["admin_level": "8", "name": "Inner"])
        try world.open { gazetteer, _ in try #expect(gazetteer.line("R2") == "Inner, Outer") }
    }

    @Test func aHamletBeginsWhereItIsNearerThanTheTownsCentre() throws {
        var world = twoStreets()
        world.boundary(1, west: -20, south: -20, east: 30, north: 30, ["admin_level": "8", "name": "Town"])
        world.node(10, 2, 1, ["place": "town", "name": "Town"])
        world.node(11, 9, 1, ["place": "hamlet", "name": "Oakley"])
        world.node(12, 9, 2, ["place": "neighbourhood", "name": "The Oaks"])
        world.node(1, 4, 0.2, ["addr:housenumber": "1"])
        world.node(2, 7, 0.2, ["addr:housenumber": "2"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "1, Mill Lane, Town")
            try #expect(gazetteer.line("N2") == "2, Mill Lane, The Oaks, Oakley, Town")
        }
    }

    @Test func aTownThatIsNotOnTheMapIsStillToldByTheAddress() throws {
        var world = twoStreets()
        world.node(1, 4, 0.2, ["addr:housenumber": "1", "addr:city": "Farport"])
        try world.open { gazetteer, _ in
            let feature = try #require(try gazetteer.feature(osm: OSMID(.node, 1)))
            let address = try gazetteer.address(of: feature)
            #expect(address.line == "1, Mill Lane")
            #expect(address.city == "Farport")
            try gazetteer.withDatabase { database in
                let row = try database.prepare("SELECT name FROM also_in WHERE feature = \(feature.parent ?? 0)")
                try #expect(row.step() && row.text(0) == "Farport")
            }
        }
    }

    @Test func aTagNamesThePlaceWhereOutlinesSayOtherwise() throws {
        var world = twoStreets()
        world.boundary(1, west: -10, south: -10, east: 6, north: 10, ["admin_level": "8", "name": "Left"])
        world.boundary(2, west: 6, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Right"])
        world.node(1, 8, 0.2, ["addr:housenumber": "7", "addr:street": "Mill Lane", "addr:city": "Left"])
        try world.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "7, Mill Lane, Left") }
    }
}

@Suite struct InterpolationTests {
    @Test func numbersBetweenTwoHousesLieAlongTheLine() throws {
        var world = twoStreets()
        world.node(1, 1, 0.2, ["addr:housenumber": "2"])
        world.node(2, 4, 0.2, ["addr:housenumber": "8"])
        world.way(9, [(1, 0.2), (4, 0.2)], ["addr:interpolation": "even"], ids: [1, 2])
        try world.open { gazetteer, _ in
            try gazetteer.withDatabase { database in
                let row = try database.prepare(
                    "SELECT n.first, n.last, n.step, n.geometry, p.name FROM interpolation n JOIN feature p ON p.id = n.parent"
                )
                try #expect(row.step())
                #expect(row.int(0) == 2 && row.int(1) == 8 && row.int(2) == 2)
                #expect(row.text(4) == "Mill Lane")
                guard case .line(let line)? = row.withBlob(3, SpatialBlob.decode) else {
                    Issue.record("no line")
                    return
                }
                let stretch = try #require(InterpolatedLine(first: 2, last: 8, step: 2, line: line))
                let four = try #require(stretch.location(of: 4))
                #expect(four.distance(to: World.at(2, 0.2)) < 0.1)
                #expect(stretch.location(of: 5) == nil)
                #expect(stretch.location(of: 10) == nil)
            }
            let match = try #require(try gazetteer.reverse(World.at(3.02, 0.25)))
            #expect(match.address.line == "6, Mill Lane")
            #expect(match.interpolatedNumber == "6")
            #expect(match.feature.osm == OSMID(.way, 9))
        }
    }

    @Test func numbersMayFallAlongTheWayAndOddOnesAreLeftOutOfEvenLines() throws {
        var world = twoStreets()
        world.node(1, 1, 0.2, ["addr:housenumber": "8"])
        world.node(3, 2, 0.2, ["addr:housenumber": "5"])
        world.node(2, 4, 0.2, ["addr:housenumber": "2"])
        world.way(9, [(1, 0.2), (2, 0.2), (4, 0.2)], ["addr:interpolation": "even"], ids: [1, 3, 2])
        try world.open { gazetteer, _ in
            let match = try #require(try gazetteer.reverse(World.at(3.02, 0.21)))
            #expect(match.address.line == "4, Mill Lane")
        }
    }

    @Test func aLineOfAnUnknownKindIsCounted() throws {
        var world = twoStreets()
        world.node(1, 1, 0.2, ["addr:housenumber": "2"])
        world.node(2, 4, 0.2, ["addr:housenumber": "8"])
        world.way(9, [(1, 0.2), (4, 0.2)], ["addr:interpolation": "some"], ids: [1, 2])
        try world.open { _, report in #expect(report.skipped["interpolation of an unknown kind"] == 1) }
    }
}

@Suite struct PostcodeTests {
    @Test func aPostcodeLiesInTheMiddleOfItsObjects() throws {
        var world = twoStreets()
        world.node(1, 2, 0.2, ["addr:housenumber": "1", "addr:postcode": "12345"])
        world.node(2, 4, 0.2, ["addr:housenumber": "3", "addr:postcode": "12345"])
        try world.open { gazetteer, _ in
            try gazetteer.withDatabase { database in
                let row = try database.prepare("SELECT name, kind, id FROM feature WHERE kind = 7")
                try #expect(row.step() && row.text(0) == "12345")
                let feature = try #require(try gazetteer.feature(id: row.int64(2)))
                #expect(feature.location.distance(to: World.at(3, 0.2)) < 1)
            }
            try #expect(gazetteer.line("W1") == "Mill Lane, 12345", "the street has it from its houses")
        }
    }

    @Test func aPostcodeAreaGoesBeforeItsObjects() throws {
        var world = twoStreets()
        world.boundary(4, west: -1, south: -1, east: 20, north: 5, ["boundary": "postal_code", "postal_code": "999"])
        world.node(1, 2, 0.2, ["addr:housenumber": "1"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "1, Mill Lane, 999")
            try #expect(gazetteer.feature(osm: OSMID(.relation, 4))?.kind == .postcode)
        }
    }
}

@Suite struct DatabaseTests {
    @Test func everyLayerIsAWholeSpatiaLiteLayer() throws {
        var world = twoStreets()
        world.boundary(1, west: -10, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Town"])
        world.node(1, 5, 1, ["addr:housenumber": "7"])
        try world.open { gazetteer, _ in
            try gazetteer.withDatabase { database in
                for (table, _) in Schema.geometryColumns {
                    let counts = try database.prepare(
                        "SELECT (SELECT count(*) FROM \(table)), (SELECT count(*) FROM idx_\(table)_geometry)")
                    try #expect(counts.step())
                    #expect(counts.int(0) == counts.int(1), "\(table)")
                }
                let layers = try database.prepare(
                    "SELECT count(*) FROM geometry_columns WHERE srid = 4326 AND spatial_index_enabled = 1")
                try #expect(layers.step() && layers.int(0) >= Schema.geometryColumns.count)
            }
        }
    }

    @Test func anotherFormatIsRefused() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("old-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let made = try Database(path: path, readOnly: false)
        try made.execute(
            "PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 999; CREATE TABLE t(x)")
        #expect(throws: DatabaseError.self) { _ = try Gazetteer(path: path) }
    }
}

@Suite struct SpatialBlobTests {
    private func decode(_ bytes: [UInt8]) -> SpatialGeometry? { bytes.withUnsafeBytes { SpatialBlob.decode($0) } }
    private func tags(_ text: String) -> Tags? { Array(text.utf8).withUnsafeBytes { TagsJSON.decode($0) } }

    @Test func geometriesComeBackAsTheyWere() {
        let a = Coordinate(latitude: 1, longitude: 2)
        let b = Coordinate(latitude: 3, longitude: -4)
        let c = Coordinate(latitude: -5, longitude: 6)
        #expect(decode(SpatialBlob.point(a)) == .point(a))
        #expect(decode(SpatialBlob.line([a, b, c])) == .line([a, b, c]))
        #expect(decode(SpatialBlob.polygon([[a, b, c, a]])) == .polygons([[[a, b, c, a]]]))
        let two = [
            OSMArea.Polygon(outer: [a, b, c, a], inner: [[c, b, a, c]]),
            OSMArea.Polygon(outer: [b, c, a, b], inner: []),
        ]
        #expect(
            decode(SpatialBlob.multipolygon(two))
                == .polygons([[[a, b, c, a], [c, b, a, c]], [[b, c, a, b]]]))
    }

    @Test func brokenBlobsAreRefusedWithoutHarm() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let points = (0..<9).map { _ in
            Coordinate(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random))
        }
        let blobs = [
            SpatialBlob.point(points[0]), SpatialBlob.line(points), SpatialBlob.polygon([points, points]),
            SpatialBlob.multipolygon([.init(outer: points, inner: [points])]),
        ]
        for blob in blobs {
            for length in 0..<blob.count {
                #expect(decode(Array(blob[..<length])) == nil)
            }
            for _ in 0..<2_000 {
                var broken = blob
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                broken.withUnsafeBytes { bytes in
                    _ = SpatialBlob.decode(bytes)
                    _ = SpatialBlob.decodePoint(bytes)
                    _ = SpatialBlob.forEachRun(bytes) { run, _ in _ = run.contains(points[0]) }
                }
            }
        }
    }

    @Test func tagsComeBackAsTheyWere() {
        let tags: Tags = ["name": "A \"quoted\" \\ name\n\u{1}", "name:ru": "Москва", "x": "", "emoji": "🏔"]
        #expect(self.tags(TagsJSON.encode(tags)) == tags)
        for text in ["", "{", "{\"a\"", "{\"a\":\"b\"", "{\"a\":\"\\u12\"}", "[]", "{\"a\":1}"] {
            #expect(self.tags(text) == nil, "\(text)")
        }
    }
}

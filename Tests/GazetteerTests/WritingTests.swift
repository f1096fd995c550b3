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
            // The node stands for the boundary.
            try #expect(gazetteer.feature(osm: OSMID(.node, 5))?.osm == OSMID(.relation, 1))
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

    @Test func aTagMakesNoPlaceOfAnOutlineThatOnlyLiesNearby() throws {
        var world = twoStreets()
        world.boundary(1, west: -10, south: 4, east: 20, north: 10, ["admin_level": "8", "name": "North"])
        world.node(1, 8, 3.2, ["addr:housenumber": "7", "addr:street": "High Street", "addr:city": "North"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "7, High Street")
            try #expect(gazetteer.geocode(GeocodeQuery("High Street 7, North")).matches.count == 1)
        }
    }

    @Test func aCityWithinACityGoesByItsRank() throws {
        var world = twoStreets()
        world.boundary(1, west: -50, south: -50, east: 50, north: 50, ["admin_level": "8", "name": "Great"])
        let ring = [(-10, -10), (20, -10), (20, 10), (-10, 10), (-10, -10)].map { World.at(Double($0.0), Double($0.1)) }
        world.areas.append(
            OSMArea(
                id: OSMID(.relation, 2), polygons: [.init(outer: ring, inner: [])],
                tags: ["type": "multipolygon", "place": "city", "name": "Small"]))
        world.node(1, 8, 0.2, ["addr:housenumber": "7", "addr:street": "Mill Lane"])
        try world.open { gazetteer, _ in
            let house = try #require(try gazetteer.feature(osm: OSMID(.node, 1)))
            let parts = try gazetteer.address(of: house)
            #expect(parts["city"] == "Great")
            #expect(parts.parts.map(\.name).contains("Small"))
        }
    }

    @Test func thePlaceThatAnAddressNamesGoesBeforeANearerOne() throws {
        var world = World()
        world.node(1, 0, 0, ["place": "isolated_dwelling", "name": "Near"])
        world.node(2, 1, 0, ["place": "isolated_dwelling", "name": "Named"])
        world.node(3, 0.1, 0, ["addr:housenumber": "3", "addr:place": "Named"])
        try world.open { gazetteer, _ in try #expect(gazetteer.line("N3") == "3, Named") }
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

    @Test func lettersBetweenTwoHousesLieAlongTheLine() throws {
        var world = twoStreets()
        world.node(1, 1, 0.2, ["addr:housenumber": "12 E"])
        world.node(2, 5, 0.2, ["addr:housenumber": "12a"])
        world.way(9, [(1, 0.2), (5, 0.2)], ["addr:interpolation": "alphabetic"], ids: [1, 2])
        try world.open { gazetteer, _ in
            let found = try gazetteer.geocode(GeocodeQuery("Mill Lane 12 B")).matches
            let place = try #require(found.first?.feature)
            #expect(place.houseNumber == "12b")
            #expect(abs(place.location.longitude - 0.004) < 1e-6)
            try #expect(gazetteer.line("W9").hasSuffix("Mill Lane"))
        }
    }

    /// The numbers under which the houses of Mill Lane are found.
    private func keys(_ houses: [Tags]) throws -> Set<String> {
        var world = twoStreets()
        for (index, tags) in houses.enumerated() { world.node(Int64(index + 1), Double(index), 0.2, tags) }
        return try world.open { gazetteer, _ in
            try gazetteer.withDatabase { database in
                let rows = try database.prepare("SELECT key FROM address_number")
                var keys: Set<String> = []
                while try rows.step() { keys.insert(rows.text(0) ?? "") }
                return keys
            }
        }
    }

    @Test func aRangeIsCountedAsItsOwnInterpolationSays() throws {
        try #expect(keys([["addr:housenumber": "2-5", "addr:interpolation": "all"]]) == ["2-5", "2", "3", "4", "5"])
        try #expect(keys([["addr:housenumber": "1955-1959"]]) == ["1955-1959", "1955", "1957", "1959"])
        try #expect(keys([["addr:housenumber": "2-10", "addr:interpolation": "4"]]) == ["2-10", "2", "6", "10"])
        try #expect(keys([["addr:housenumber": "1-5", "addr:interpolation": "some"]]) == ["1-5"])
        try #expect(keys([["addr:housenumber": "2a-c"]]) == ["2ac", "2a", "2b", "2c"])
    }

    @Test func aHyphenThatPartsBlockAndHouseIsNoRangeInTheWholeStreet() throws {
        let numbers = ["86-55", "90-12", "90-04", "12-34"]
        try #expect(keys(numbers.map { ["addr:housenumber": $0] }) == Set(numbers))
    }
}

@Suite struct DateLineTests {
    private func world(_ line: [Coordinate], _ tags: Tags) -> World {
        var world = World()
        world.ways.append(OSMWay(id: 1, nodes: line.indices.map { Int64($0 + 1) }, locations: line, tags: tags))
        return world
    }

    @Test func theMiddleOfAStreetLiesOnIt() throws {
        let line = [Coordinate(latitude: -17, longitude: 179.99), Coordinate(latitude: -17, longitude: -179.97)]
        try world(line, ["highway": "residential", "name": "Line Road"]).open { gazetteer, _ in
            let street = try #require(try gazetteer.feature(osm: OSMID(.way, 1)))
            #expect(abs(street.location.longitude + 179.99) < 1e-6)
            for longitude in [179.995, -179.98] {
                let point = Coordinate(latitude: -17.0001, longitude: longitude)
                try #expect(gazetteer.reverse(point)?.feature.name == "Line Road")
            }
            try #expect(gazetteer.reverse(Coordinate(latitude: -17, longitude: 0)) == nil)
        }
    }

    @Test func anAreaHoldsWhatLiesInItOnBothSidesAndNothingElse() throws {
        let (south, north) = (-17.0, -16.9)
        let ring = [(south, 179.9), (south, -179.9), (north, -179.9), (north, 179.9), (south, 179.9)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        var world = World()
        let tags: Tags = ["type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Line Town"]
        world.areas.append(OSMArea(id: OSMID(.relation, 1), polygons: [.init(outer: ring, inner: [])], tags: tags))
        try world.open { gazetteer, _ in
            let town = try #require(try gazetteer.feature(osm: OSMID(.relation, 1)))
            #expect(abs(town.location.longitude) > 179.9)
            for longitude in [179.95, -179.95] {
                let point = Coordinate(latitude: -16.95, longitude: longitude)
                try #expect(gazetteer.reverse(point)?.feature.name == "Line Town")
            }
            try #expect(gazetteer.reverse(Coordinate(latitude: -16.95, longitude: 0)) == nil)
            try #expect(gazetteer.reverse(Coordinate(latitude: -16.95, longitude: 179.8)) == nil)
        }
    }
}

@Suite struct BuildingTests {
    @Test func aBuildingThatNobodySearchesIsKnownByItsNumber() throws {
        var world = twoStreets()
        world.way(7, [(4, 0.2), (6, 0.2), (6, 0.6), (4, 0.6), (4, 0.2)], ["building": "garage"])
        world.node(8, 5, 0.4, ["building": "yes"])
        try world.open { gazetteer, report in
            let garage = try #require(try gazetteer.feature(osm: OSMID(.way, 7)))
            #expect(garage.type == "garage" && garage.location == World.at(5, 0.4))
            try #expect(gazetteer.line("W7") == "Mill Lane")
            try #expect(gazetteer.feature(osm: OSMID(.node, 8)) == nil)
            #expect(report.features[.pointOfInterest] == nil)
        }
    }
}

@Suite struct MendingTests {
    @Test func aPondWhoseRelationHoldsALineTooManyIsKept() throws {
        var world = World()
        world.relations.append(
            OSMRelation(
                id: 1,
                members: [
                    .init(id: OSMID(.way, 1), role: "outer"), .init(id: OSMID(.way, 2), role: ""),
                    .init(id: OSMID(.way, 3), role: "outer"), .init(id: OSMID(.way, 4), role: "outer"),
                ], tags: ["type": "multipolygon", "natural": "water", "name": "Mill Pond"]))
        world.way(1, [(0, 0), (4, 0), (4, 4)], [:])
        world.way(2, [(9, 9), (12, 9)], [:])
        world.way(3, [(0, 0), (0, 4), (4, 4)], [:])
        try world.open { gazetteer, report in
            let pond = try gazetteer.surroundings(of: World.at(1, 1), kinds: [.water])
            #expect(pond.map(\.osm) == [OSMID(.relation, 1)])
            #expect(report.skipped["incomplete multipolygon, kept with the rings that close"] == 1)
        }
    }

    @Test func aBoundaryThatIsCutIsNoPlace() throws {
        var world = World()
        world.relations.append(
            OSMRelation(
                id: 1, members: [.init(id: OSMID(.way, 1), role: "outer"), .init(id: OSMID(.way, 2), role: "outer")],
                tags: ["type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Town"]))
        world.way(1, [(0, 0), (4, 0), (4, 4), (0, 0)], [:])
        try world.open { gazetteer, report in
            try #expect(gazetteer.feature(osm: OSMID(.relation, 1)) == nil)
            #expect(report.skipped["broken or incomplete multipolygon"] == 1)
        }
    }
}

@Suite struct ImportanceTests {
    @Test func sizePeopleAndCapitalsWeigh() throws {
        var world = World()
        func square(_ size: Double) -> [(Double, Double)] { [(0, 0), (size, 0), (size, size), (0, size), (0, 0)] }
        world.way(1, square(1), ["natural": "water", "name": "Pond"])
        world.way(2, square(900), ["natural": "water", "name": "Lake"])
        world.node(1, 0, 0, ["place": "city", "name": "A"])
        world.node(2, 0, 1, ["place": "city", "name": "B", "capital": "4"])
        world.node(3, 0, 2, ["place": "city", "name": "C", "capital": "yes"])
        world.node(4, 0, 3, ["place": "city", "name": "D", "population": "2000000"])
        world.node(5, 0, 4, ["place": "city", "name": "E", "wikidata": "Q1"])
        try world.open { gazetteer, _ in
            func weight(_ type: OSMType, _ id: Int64) throws -> Double {
                try #require(try gazetteer.feature(osm: OSMID(type, id))).importance
            }
            try #expect(weight(.way, 2) > weight(.way, 1) + 0.05)
            let plain = try weight(.node, 1)
            for id in 2...5 { try #expect(weight(.node, Int64(id)) > plain + 0.02, "N\(id)") }
            try #expect(weight(.node, 3) > weight(.node, 2))
        }
    }
}

@Suite struct ScratchTests {
    @Test func numbersAreFoundInAnyOrder() {
        var table = NumberTable()
        for (index, number) in [5, 7, 3, 9, 7, 1].enumerated() { table.set(Int32(index), for: Int64(number)) }
        #expect([1, 3, 5, 7, 9].map { table[Int64($0)] } == [5, 2, 0, 4, 3])
        #expect(table[4] == nil && table[10] == nil)
    }

    @Test func everyRangeOfAScratchFileReadsAsItWasWritten() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("scratch-\(UUID().uuidString)").path
        let file = try ScratchFile(path: path)
        #expect(!FileManager.default.fileExists(atPath: path))
        var all: [UInt8] = []
        for _ in 0..<60 {
            let bytes = (0..<Int.random(in: 0...60_000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            try file.append(bytes)
            all += bytes
            for _ in 0..<20 where !all.isEmpty {
                let start = Int.random(in: 0..<all.count, using: &random)
                let range = start..<min(start + Int.random(in: 0...20_000, using: &random), all.count)
                let same = try file.withBytes(in: range) { $0.elementsEqual(all[range]) }
                #expect(same)
            }
        }
    }

    @Test func namesakesNearAPointAreThoseOfALinearScan() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var index = NamedIndex(cell: 0.05)
        var boxes: [(name: Int32, box: BoundingBox)] = []
        for item in 0..<400 {
            let corner = Coordinate(
                latitude: Double.random(in: -1...1, using: &random),
                longitude: Double.random(in: -1...1, using: &random))
            let size = item % 50 == 0 ? 1.0 : Double.random(in: 0...0.1, using: &random)
            let box = BoundingBox(
                west: corner.longitude, south: corner.latitude, east: corner.longitude + size,
                north: corner.latitude + size / 2)
            boxes.append((Int32(item % 3), box))
            index.insert(Int32(item), named: Int32(item % 3), box)
        }
        for _ in 0..<200 {
            let point = Coordinate(
                latitude: Double.random(in: -1...1, using: &random),
                longitude: Double.random(in: -1...1, using: &random))
            let window = BoundingBox(
                west: point.longitude - 0.03, south: point.latitude - 0.03, east: point.longitude + 0.03,
                north: point.latitude + 0.03)
            var found: Set<Int32> = []
            index.forEach(named: 1, in: window) { found.insert($0) }
            let wanted = boxes.indices.filter { boxes[$0].name == 1 && boxes[$0].box.intersects(window) }
            #expect(found.isSuperset(of: wanted.map { Int32($0) }))
            #expect(found.allSatisfy { boxes[Int($0)].name == 1 })
        }
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

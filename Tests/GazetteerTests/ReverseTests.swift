import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct ReverseTests {
    @Test func theDistanceGoesToTheOutlineNotToItsMiddle() throws {
        var world = World()
        world.way(1, [(0, -3), (20, -3)], ["highway": "residential", "name": "Mill Lane"])
        world.way(
            2, [(0, 0), (8, 0), (8, 0.3), (0, 0.3), (0, 0)],
            ["building": "yes", "addr:housenumber": "1", "addr:street": "Mill Lane"])
        world.node(3, 8.9, 0.1, ["addr:housenumber": "3", "addr:street": "Mill Lane"])
        try world.open { gazetteer, _ in
            // 22 m from the long building's wall, 78 m from the node.
            let match = try #require(try gazetteer.reverse(World.at(8.2, 0.1)))
            #expect(match.address.line == "1, Mill Lane")
            #expect(abs(match.distance - 22.2) < 0.5)
            let inside = try #require(try gazetteer.reverse(World.at(0.5, 0.1)))
            #expect(inside.distance == 0)
        }
    }

    @Test func aRoadNearbyIsToldByItsNearestNumber() throws {
        var world = World()
        world.way(1, [(0, 0), (20, 0)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 5, 0.4, ["addr:housenumber": "5", "addr:street": "Mill Lane"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.reverse(World.at(5.3, 0.01))?.address.line == "5, Mill Lane")
            let far = try #require(try gazetteer.reverse(World.at(15, 0.05)))
            #expect(far.address.line == "Mill Lane")
            #expect(far.feature.kind == .street)
            #expect(abs(far.distance - 5.56) < 0.1)
        }
    }

    @Test func thePartsComeFromTheOutlinesAroundTheAskedPoint() throws {
        var world = World()
        world.boundary(1, west: -10, south: -10, east: 5, north: 10, ["admin_level": "8", "name": "Westham"])
        world.boundary(2, west: 5, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Eastham"])
        world.way(1, [(5.2, -5), (5.2, 5)], ["highway": "residential", "name": "Border Road"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.reverse(World.at(4.9, 0))?.address.line == "Border Road, Westham")
            try #expect(gazetteer.reverse(World.at(5.3, 0))?.address.line == "Border Road, Eastham")
        }
    }

    @Test func whereACoastIsLeftOutTheCountryAnswersForACountry() throws {
        var world = World()
        world.boundary(1, west: -100, south: -100, east: 0, north: 100, ["admin_level": "2", "name": "Land"])
        world.boundary(2, west: -100, south: -100, east: 0, north: 100, ["admin_level": "4", "name": "Shire"])
        try world.open { gazetteer, _ in
            let islet = World.at(20, 0)
            try #expect(gazetteer.nearestArea(to: islet, within: 5_000)?.feature.name == "Shire")
            try #expect(gazetteer.nearestArea(to: islet, within: 5_000, finestRank: 4)?.feature.name == "Land")
            try #expect(gazetteer.nearestArea(to: islet, within: 1_000, finestRank: 4) == nil)
        }
    }

    @Test func aValleyAndALakeLieWhereTheyWereAskedFor() throws {
        var world = World()
        world.boundary(1, west: -10, south: -10, east: 5, north: 10, ["admin_level": "8", "name": "Westham"])
        world.boundary(2, west: 5, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Eastham"])
        world.way(
            3, [(-9, -2), (7, -2), (7, 2), (-9, 2), (-9, -2)], ["natural": "water", "name": "Mere", "water": "lake"])
        world.node(4, 4.9, 8, ["natural": "valley", "name": "Dale"])
        try world.open { gazetteer, _ in
            let options = ReverseOptions(layers: .natural)
            try #expect(gazetteer.reverse(World.at(6, 0), options: options)?.address.line == "Mere, Eastham")
            try #expect(gazetteer.reverse(World.at(-6, 0), options: options)?.address.line == "Mere, Westham")
            try #expect(gazetteer.reverse(World.at(5.2, 8), options: options)?.address.line == "Dale, Eastham")
            let lake = try #require(try gazetteer.reverse(World.at(6, 0), options: options))
            try #expect(gazetteer.address(of: lake.feature, at: World.at(-6, 0)).line == "Mere, Westham")
        }
    }

    @Test func aStationWithANumberIsAnAddressAndAShopThatBorrowsItsNumberIsNot() throws {
        var world = World()
        world.way(1, [(0, 0), (20, 0)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 5, 0.4, ["amenity": "bus_station", "name": "Bus Station", "addr:housenumber": "5"])
        world.way(
            2, [(10, 0.2), (11, 0.2), (11, 0.6), (10, 0.6), (10, 0.2)], ["building": "yes", "addr:housenumber": "9"])
        world.node(3, 10.2, 0.3, ["shop": "bakery", "name": "Crumb"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.reverse(World.at(5, 0.4))?.address.line == "Bus Station, 5, Mill Lane")
            try #expect(gazetteer.reverse(World.at(10.2, 0.3))?.address.line == "9, Mill Lane")
            let shops = ReverseOptions(layers: .pointsOfInterest)
            try #expect(gazetteer.reverse(World.at(10.2, 0.3), options: shops)?.address.line == "Crumb, 9, Mill Lane")
        }
    }

    @Test func aCoarseQuestionGetsAPlace() throws {
        var world = World()
        world.boundary(1, west: -100, south: -100, east: 100, north: 100, ["admin_level": "4", "name": "State"])
        world.boundary(2, west: -10, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Town"])
        world.way(1, [(0, 0), (20, 0)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 5, 0.1, ["addr:housenumber": "5"])
        try world.open { gazetteer, _ in
            func ask(_ zoom: Int) throws -> String? {
                try gazetteer.reverse(
                    World.at(5, 0.1), options: ReverseOptions(finestRank: ReverseOptions.finestRank(zoom: zoom)))?
                    .address.line
            }
            try #expect(ask(18) == "5, Mill Lane, Town, State")
            try #expect(ask(17) == "Mill Lane, Town, State")
            try #expect(ask(10) == "Town, State")
            try #expect(ask(5) == "State")
            try #expect(ask(3) == nil)
        }
    }

    @Test func whereNothingIsNearTheContainingPlaceAnswers() throws {
        var world = World()
        world.boundary(2, west: -100, south: -100, east: 100, north: 100, ["admin_level": "8", "name": "Town"])
        world.way(1, [(0, 0), (5, 0)], ["highway": "residential", "name": "Mill Lane"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.reverse(World.at(80, 80))?.address.line == "Town")
            try #expect(gazetteer.reverse(World.at(180, 80)) == nil)
        }
    }

    @Test func theNearestIsThatOfALinearScan() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var world = World()
        var shapes: [(number: String, points: [Coordinate], isOutline: Bool)] = []
        for index in 0..<300 {
            let x = Double.random(in: 0...12, using: &random)
            let y = Double.random(in: 0...12, using: &random)
            let tags: Tags = ["addr:housenumber": String(index + 1), "addr:place": "Field", "building": "yes"]
            if Bool.random(using: &random) {
                world.node(Int64(index + 1), x, y, tags)
                shapes.append((String(index + 1), [World.at(x, y)], false))
            } else {
                let width = Double.random(in: 0.05...1.5, using: &random)
                let height = Double.random(in: 0.05...0.5, using: &random)
                let ring = [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
                world.way(Int64(index + 1), ring, tags)
                shapes.append((String(index + 1), ring.map { World.at($0.0, $0.1) }, true))
            }
        }
        try world.open { gazetteer, _ in
            for _ in 0..<400 {
                let point = World.at(
                    Double.random(in: -1...14, using: &random), Double.random(in: -1...14, using: &random))
                let distances = shapes.map { shape in
                    shape.isOutline && Polygon.contains(point, rings: [shape.points])
                        ? 0 : point.distance(toLine: shape.points)
                }
                let nearest = distances.min() ?? .infinity
                let match = try gazetteer.reverse(point)
                #expect(match != nil)
                guard let match else { continue }
                #expect(abs(match.distance - nearest) < 0.01)
                guard let index = shapes.firstIndex(where: { $0.number == match.feature.houseNumber }) else {
                    Issue.record("an unknown number")
                    continue
                }
                #expect(abs(distances[index] - nearest) < 0.01)
            }
        }
    }

    @Test func insideASquareOneStandsOnItButNotInsideARingRoad() throws {
        var world = World()
        let ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0), (0.0, 0.0)]
        world.way(1, ring, ["highway": "pedestrian", "area": "yes", "name": "Market Square"])
        world.way(2, ring.map { ($0.0 + 10, $0.1) }, ["highway": "residential", "name": "Ring Road"])
        world.way(3, [(0, 2.5), (14, 2.5)], ["highway": "residential", "name": "Through Road"])
        try world.open { gazetteer, _ in
            let square = try #require(try gazetteer.reverse(World.at(2, 2)))
            #expect(square.feature.name == "Market Square")
            #expect(square.distance == 0)
            try #expect(gazetteer.reverse(World.at(12, 2))?.feature.name == "Through Road")
        }
    }

    @Test func aDamagedFileGivesErrorsAndNoTrap() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var world = World()
        world.boundary(1, west: -10, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Town"])
        world.way(1, [(0, 0), (20, 0)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 1, 0.2, ["addr:housenumber": "2"])
        world.node(2, 4, 0.2, ["addr:housenumber": "8"])
        world.way(9, [(1, 0.2), (4, 0.2)], ["addr:interpolation": "even"], ids: [1, 2])
        try world.open { gazetteer, _ in
            let whole = try Data(contentsOf: URL(fileURLWithPath: gazetteer.path))
            let path = gazetteer.path + ".damaged"
            defer { try? FileManager.default.removeItem(atPath: path) }
            for _ in 0..<150 {
                var broken = whole
                for _ in 0..<4 {
                    broken[Int.random(in: 0..<broken.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
                try broken.write(to: URL(fileURLWithPath: path))
                guard let damaged = try? Gazetteer(path: path) else { continue }
                for x in [0.5, 2, 8] {
                    _ = try? damaged.reverse(World.at(x, 0.1))
                    _ = try? damaged.reverse(World.at(x, 0.1), options: ReverseOptions(finestRank: 16))
                }
                if let feature = try? damaged.feature(osm: OSMID(.node, 1)) { _ = try? damaged.address(of: feature) }
            }
        }
    }

    @Test func aMotorwayAnswersWithItsNumberAndOwnsNoHouse() throws {
        var world = World()
        world.way(1, [(0, 0), (20, 0)], ["highway": "motorway", "ref": "A 13"])
        world.way(2, [(0, 5), (20, 5)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 5, 0.4, ["addr:housenumber": "5"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.reverse(World.at(10, 0.05))?.address.line == "A 13")
            try #expect(gazetteer.line("N1") == "5, Mill Lane")
        }
    }

    @Test func layersChooseAmongWhatLiesThere() throws {
        var world = World()
        world.way(1, [(0, 0), (20, 0)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 5, 0.3, ["addr:housenumber": "5", "addr:street": "Mill Lane"])
        world.node(2, 5, 0.2, ["shop": "bakery", "name": "Crumb"])
        let pond = [(4.0, -4.0), (6.0, -4.0), (6.0, -0.1), (4.0, -0.1), (4.0, -4.0)]
        world.way(3, pond, ["natural": "water", "name": "Mill Pond"])
        world.node(4, 5, -2.1, ["natural": "spring", "name": "Mill Spring"])
        try world.open { gazetteer, _ in
            func ask(_ layers: ReverseOptions.Layers, _ y: Double) throws -> String? {
                try gazetteer.reverse(World.at(5, y), options: ReverseOptions(layers: layers))?.address.line
            }
            try #expect(ask(.streets, 0.25) == "Mill Lane")
            try #expect(ask(.houses, 0.01) == "5, Mill Lane")
            try #expect(ask(.pointsOfInterest, 0.01) == "Crumb, Mill Lane")
            try #expect(ask([.streets, .houses], 0.28) == "5, Mill Lane")
            try #expect(ask([.streets, .houses], 0.05) == "Mill Lane")
            try #expect(ask(.natural, -1.5)?.hasPrefix("Mill Pond") == true)
            try #expect(ask(.natural, 0.5)?.hasPrefix("Mill Pond") == true)
        }
    }

    @Test func detailGoesFromTheCountryToTheHouse() throws {
        var world = World()
        world.boundary(3, west: -500, south: -500, east: 500, north: 500, ["admin_level": "2", "name": "Land"])
        world.boundary(1, west: -100, south: -100, east: 100, north: 100, ["admin_level": "4", "name": "State"])
        world.boundary(2, west: -10, south: -10, east: 20, north: 10, ["admin_level": "8", "name": "Town"])
        world.way(1, [(0, 0), (20, 0)], ["highway": "residential", "name": "Mill Lane"])
        world.node(1, 5, 0.1, ["addr:housenumber": "5"])
        try world.open { gazetteer, _ in
            func ask(_ detail: ReverseOptions.Detail) throws -> String? {
                try gazetteer.reverse(World.at(5, 0.1), options: ReverseOptions(detail: detail))?.address.parts.first?
                    .name
            }
            try #expect(ask(.country) == "Land")
            try #expect(ask(.state) == "State")
            try #expect(ask(.county) == "State")
            try #expect(ask(.city) == "Town")
            try #expect(ask(.street) == "Mill Lane")
            try #expect(ask(.house) == "5")
        }
    }

    @Test func aPointBesideEveryOutlineBelongsToTheNearest() throws {
        var world = World()
        world.boundary(1, west: -100, south: -100, east: 0, north: 100, ["admin_level": "2", "name": "Land"])
        world.boundary(2, west: -50, south: -50, east: 0, north: 50, ["admin_level": "4", "name": "Coast"])
        world.boundary(3, west: 300, south: -100, east: 400, north: 100, ["admin_level": "2", "name": "Far"])
        try world.open { gazetteer, _ in
            let match = try #require(try gazetteer.nearestArea(to: World.at(20, 0), within: 30_000))
            #expect(match.address.line == "Coast, Land")
            #expect(abs(match.distance - 2_224) < 5)
            try #expect(gazetteer.nearestArea(to: World.at(100, 0), within: 5_000) == nil)
        }
    }

    @Test func theNearestTownIsFoundHoweverFar() throws {
        var world = World()
        world.node(1, -900, 0, ["place": "town", "name": "Here", "population": "9000"])
        world.node(2, 3_000, 0, ["place": "town", "name": "There", "population": "9000"])
        try world.open { gazetteer, _ in
            try #expect(gazetteer.nearestPlace(to: World.at(0, 0)) == nil)
            let town = try #require(try gazetteer.nearestTown(to: World.at(0, 0)))
            #expect(town.feature.name == "Here")
            #expect(abs(town.distance - 100_075) < 100)
        }
    }

    @Test func seasAndOceansAreKnownByName() {
        let known: [(String, Double, Double)] = [
            ("North Atlantic Ocean", 40, -40), ("South Atlantic Ocean", -20, -15), ("North Pacific Ocean", 30, -140),
            ("North Pacific Ocean", 8, -95), ("South Pacific Ocean", -30, -85), ("Indian Ocean", -20, 75),
            ("Mediterranean Sea", 35, 18), ("Mediterranean Sea", 38.5, 4), ("Bay of Biscay", 45, -4),
            ("Baltic Sea", 59.9, 25), ("Baltic Sea", 57, 19), ("North Sea", 56, 3), ("Black Sea", 43, 35),
            ("Red Sea", 22, 38), ("Persian Gulf", 27, 51), ("Caribbean Sea", 15, -75), ("Gulf of Mexico", 25, -90),
            ("Sea of Japan", 40, 135), ("Bering Sea", 58, -175), ("Bering Sea", 58, 175), ("Arctic Ocean", 85, 0),
            ("Southern Ocean", -65, 100), ("Tasman Sea", -38, 160), ("Adriatic Sea", 43, 15), ("Irish Sea", 53.8, -5),
        ]
        for (name, latitude, longitude) in known {
            #expect(Seas.name(at: Coordinate(latitude: latitude, longitude: longitude)) == name)
        }
        #expect(Seas.name(at: Coordinate(latitude: .nan, longitude: 0)) == nil)
    }

    @Test func aPointOverTheDateLineFindsTheRoadBehindIt() throws {
        var world = World()
        let west = [Coordinate(latitude: 0, longitude: -179.9999), Coordinate(latitude: 0.01, longitude: -179.9999)]
        world.ways.append(
            OSMWay(id: 1, nodes: [1, 2], locations: west, tags: ["highway": "primary", "name": "Line Road"]))
        try world.open { gazetteer, _ in
            let match = try gazetteer.reverse(Coordinate(latitude: 0.005, longitude: 179.9999))
            #expect(match?.feature.name == "Line Road")
            #expect((match?.distance ?? 0) < 30)
        }
    }
}

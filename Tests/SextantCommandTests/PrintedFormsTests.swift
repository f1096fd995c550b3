import AtlasFiles
import Geometry
import Importing
import Routing
import Sextant
import TestAtlases
import Testing

@testable import SextantCommand

@Suite struct PrintedFormsTests {
    @Test func theOverviewListsEveryCommandAndExitCode() {
        let page = Help.overview
        #expect(page.hasPrefix("sextant demo\n"))
        for command in Subcommand.all { #expect(page.contains("  \(command.name) ")) }
        #expect(page.contains("  0  found, done\n  1  nothing found\n  2  the command was called in a wrong way\n"))
        #expect(page.contains("  3  no route, or no road near a stop\n"))
        #expect(page.hasSuffix("  5  a file to import, a table, or a line of input, cannot be read"))
    }

    @Test func aHelpPageShowsAnExampleFirst() {
        for command in Subcommand.all {
            let lines = Help.page(command).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first?.hasPrefix("sextant \(command.name)") == true)
            #expect(lines.contains { $0.hasPrefix("usage: sextant \(command.name) ") })
            for option in command.options { #expect(lines.contains { $0.contains(option.name) }) }
            #expect(lines.allSatisfy { displayWidth(String($0)) <= 110 })
            #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
        }
    }

    @Test func theHelpOfRouteReadsLikeThis() {
        let expected = """
            sextant route "Casino de Monte-Carlo" "Stade Louis-II"                   # by car, step by step
            sextant route 60.1719,24.9414 60.1617,24.9522 --profile foot             # on foot
            sextant route 60.1719,24.9414 60.1617,24.9522 --gpx > way.gpx            # for a navigation device
            sextant route 60.1719,24.9414 60.1617,24.9522 --avoid tunnel             # in the open air
            sextant route 60.1719,24.9414 60.1617,24.9522 --depart 2026-12-01T08:00  # at that hour

            usage: sextant route FROM [VIA...] TO

            Find the way from one place to another.

            """
        #expect(Help.page(.route).hasPrefix(expected))
    }

    @Test func columnsAreAligned() {
        var table = Table([.right, .left, .left, .right], indent: 1)
        table.add("5 m", "Café", "", "100 %")
        table.add("120 m", "東京", "", "7 %")
        table.add("", "x\u{301}y", "")
        #expect(
            table.lines == [
                "   5 m  Café  100 %",
                " 120 m  東京    7 %",
                "        x\u{301}y",
            ])
    }

    @Test func distancesAndTimesReadLikePeopleSayThem() {
        #expect(
            [0, 4.4, 99.6, 994, 995, 1249, 99_940, 99_950, 1_234_567].map(distanceText)
                == ["0 m", "4 m", "100 m", "990 m", "1.0 km", "1.2 km", "99.9 km", "100 km", "1235 km"])
        #expect(
            [0, 59.4, 59.6, 3569, 3570, 3900, 86_400].map(durationText)
                == ["0 s", "59 s", "1 min", "59 min", "1 h 00 min", "1 h 05 min", "24 h 00 min"])
        #expect(coordinateText(Coordinate(latitude: -0.00000049, longitude: 24.9383785)) == "0.000000,24.938379")
        #expect(
            [999, 1000, 685_110, 999_499, 9_060_000].map(sizeText) == ["999 B", "1 kB", "685 kB", "999 kB", "9.1 MB"])
        #expect([0, 999, 1000, 234_908, -1_234_567].map(countText) == ["0", "999", "1,000", "234,908", "-1,234,567"])
        #expect(decimalText(-1.005, places: 1) == "-1.0" && decimalText(.nan, places: 2) == "nan")
        #expect(distanceText(.infinity) == "" && durationText(.nan) == "")
    }

    @Test func progressTellsShareAndRest() {
        #expect(
            ProgressMeter.line(phase: "reading", done: 250, total: 1000, unit: "", elapsed: 2, bar: true)
                == "  reading              [######..................] 25 %  6 s left")
        #expect(
            ProgressMeter.line(phase: "ways", done: 50_000, total: nil, unit: "ways", elapsed: 2, bar: false)
                == "  ways                 50,000 ways  25,000 ways/s")
    }

    @Test func errorsHaveTheirExitCodes() {
        #expect(SextantCommand.code(for: AtlasError.noSuchAtlas("x")) == .badAtlas)
        #expect(SextantCommand.code(for: AtlasError.diskFull("x")) == .badAtlas)
        #expect(SextantCommand.code(for: ImportError.unreadable("x")) == .unreadableInput)
        #expect(SextantCommand.code(for: TableError(file: "x", reason: "y")) == .unreadableInput)
        #expect(SextantCommand.code(for: ImportError.nothingToImport) == .usage)
        #expect(SextantCommand.code(for: RoutingError.noRoute(from: 0, to: 1, reason: Obstacle())) == .noRoute)
        #expect(SextantCommand.code(for: RoutingError.damagedAtlas(file: "x", reason: "y")) == .badAtlas)
    }

    @Test func aMissingRouteNamesTheEndAndTheReason() {
        let stops = [
            RouteCommand.NamedStop(coordinate: Coordinate(latitude: 60, longitude: 25), name: "Rautatieasema"),
            RouteCommand.NamedStop(coordinate: Coordinate(latitude: 60.1, longitude: 25), name: "Suomenlinna"),
        ]
        #expect(
            RouteCommand.explained(
                .noRoadNearby(stop: 1, coordinate: stops[1].coordinate, distance: 20_000), stops, .car)
                == "no road for a car within 20.0 km of the destination (Suomenlinna)")
        #expect(
            RouteCommand.explained(.noRoute(from: 0, to: 1, reason: Obstacle(end: 1, roads: 7)), stops, .foot)
                == "no route from the start (Rautatieasema) to the destination (Suomenlinna): the road at the destination "
                + "(Suomenlinna) leads nowhere else (7 pieces of road hang together there)")
        let ferry = Obstacle(
            hindrances: [
                Hindrance(
                    rule: .excluded(.ferries), id: OSMID(.way, 7), road: "Lautta",
                    coordinate: Coordinate(latitude: 60, longitude: 25))
            ], reach: Obstacle.Reach(coordinate: Coordinate(latitude: 60, longitude: 25), distance: 1234))
        #expect(
            RouteCommand.explained(.noRoute(from: 0, to: 1, reason: ferry), stops, .car)?.hasSuffix(
                "Lautta (way 7) at \(Coordinate(latitude: 60, longitude: 25)) is excluded by the request (ferry)")
                == true)
        #expect(
            RouteCommand.advice(ferry, "the destination") == [
                "a way would lead there with this: do not exclude ferry",
                "one gets as far as 60.000000,25.000000, 1.2 km from the destination (--as-far-as-possible tells the way)",
            ])
        #expect(
            RouteCommand.explained(.outsideCoverage(stop: 0, of: 2, stops[0].coordinate), stops)
                == "the start (Rautatieasema) lies outside the atlas")
    }

    @Test func aPlaceWithoutANameShowsItsKindInBrackets() throws {
        let places = try TestAtlas.towns.search(SearchQuery("restaurants", in: .everywhere))
        let unnamed = try #require(places.first { $0.name == nil })
        #expect(PlaceList.table([unnamed]).lines.first?.hasPrefix("(restaurant)  restaurant  ") == true)
    }

    @Test func anAreaThatNoAtlasCoversIsTold() throws {
        func isCovered(_ words: String...) throws -> Bool {
            let arguments = try Arguments(words, options: Subcommand.search.options)
            return SearchCommand.isCovered(try SearchCommand.area(arguments).0, by: try TestAtlas.everything)
        }
        #expect(try !isCovered("--near", "48.85,2.35"))
        #expect(try !isCovered("--bbox", "2,48,3,49"))
        #expect(try !isCovered("--near", "89.99,0"))
        #expect(try isCovered("--near", "43.7347,7.4206"))
        #expect(try isCovered("--near", "48.85,2.35", "--radius", "800000"))
        #expect(try isCovered("--bbox", "-180,-90,180,90"))
    }

    @Test func aPlaceWithoutAnOutlineIsToldWithWhatToDo() throws {
        let arguments = try Arguments([], options: Subcommand.search.options)
        let atlas = try TestAtlas.everything
        let told = try SearchCommand.withoutOutline("Helsinki", atlas, arguments)
        #expect(told.hasPrefix("Helsinki, Finland has no outline in the atlas; search around it: --near 60.1"))
        #expect(told.hasSuffix(" --radius 2000"))
        #expect(
            try SearchCommand.withoutOutline("Nirgendwo", atlas, arguments)
                == "no place with an outline found for \"Nirgendwo\"")
    }

    @Test func geocodeTakesACoordinateAsAReverseLookUp() throws {
        let path = try #require(TestAtlas.towns.parts.first?.folder.path)
        for words in [["60.17,24.94"], ["60.17,", "24.94"]] {
            #expect(SextantCommand.run(["geocode"] + words + ["-q", "--no-world", "--atlas", path]) == .found)
        }
        #expect(SextantCommand.run(["geocode", "91,0", "--no-world", "--atlas", path]) == .usage)
        #expect(
            SextantCommand.run(["search", "museums", "--within", "Nirgendwo", "--no-world", "--atlas", path])
                == .nothingFound)
    }

    @Test func wrongCallsEndWithUsage() {
        #expect(SextantCommand.run(["frobnicate"]) == .usage)
        #expect(SextantCommand.run(["geocode"]) == .usage)
        #expect(SextantCommand.run(["route", "1,2"]) == .usage)
        #expect(SextantCommand.run(["route", "1,2", "3,4", "--profile", "boat"]) == .usage)
        #expect(SextantCommand.run(["search", "x", "--near", "1,2", "--json", "--geojson"]) == .usage)
        #expect(SextantCommand.run(["import", "x.osm.pbf"]) == .usage)
        #expect(SextantCommand.run(["import", "x.osm.pbf", "-o", "y.atlas", "--driving-side", "middle"]) == .usage)
        #expect(SextantCommand.run(["info"]) == .usage)
        #expect(SextantCommand.run(["serve", "--port", "70000"]) == .usage)
    }

    @Test func missingFilesAndAtlasesHaveTheirExitCodes() {
        #expect(SextantCommand.run(["info", "/nowhere/at/all.atlas"]) == .badAtlas)
        #expect(SextantCommand.run(["geocode", "x", "--no-world", "--atlas", "/nowhere/at/all.atlas"]) == .badAtlas)
        #expect(
            SextantCommand.run(["import", "/nowhere/at/all.osm.pbf", "-o", "/tmp/never.atlas", "-q"])
                == .unreadableInput)
    }
}

@Test func namesFromTheDataCannotDriveTheTerminal() {
    #expect(Console.harmless("Caf\u{1B}[2Jé\r\u{202E}x\u{7}") == "Caf\u{FFFD}[2Jé\u{FFFD}\u{FFFD}x\u{FFFD}")
    #expect(Console.harmless("\u{1B}[1mVaduz\u{1B}[0m\nok") == "\u{1B}[1mVaduz\u{1B}[0m\nok")
}

import Gazetteer
import Geometry
import Sextant
import Testing

@testable import SextantCommand

@Suite struct ArgumentsTests {
    private func parse(_ arguments: String..., as command: Subcommand = .search) throws -> Arguments {
        try Arguments(arguments, options: command.options)
    }

    private func complaint(_ arguments: String..., as command: Subcommand = .search) -> String? {
        do {
            _ = try Arguments(arguments, options: command.options)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func optionsStandAnywhereAmongTheWords() throws {
        let parsed = try parse("best", "--limit", "5", "pizza", "--json")
        #expect(parsed.words == ["best", "pizza"])
        #expect(try parsed.limit == 5)
        #expect(parsed.has("--json") && !parsed.has("--geojson"))
    }

    @Test func detailAndLayersOfAReverseLookUpAreWords() throws {
        func options(_ arguments: String...) throws -> ReverseOptions {
            try ReverseCommand.options(Arguments(arguments, options: Subcommand.reverse.options))
        }
        #expect(try options("1", "2").layers == ReverseOptions().layers)
        #expect(try options("1", "2", "--level", "city").finestRank == 17)
        #expect(try options("1", "2", "--layer", "street, poi").layers == [.streets, .pointsOfInterest])
        #expect(throws: UsageError.self) { _ = try options("1", "2", "--level", "moon") }
        #expect(throws: UsageError.self) { _ = try options("1", "2", "--layer", "street,moon") }
    }

    @Test func aValueMayFollowAnEqualsSign() throws {
        #expect(try parse("x", "--near=60.17,24.94")["--near"] == "60.17,24.94")
        #expect(try parse("x", "--within=a=b")["--within"] == "a=b")
        #expect(try parse("x", "--within=")["--within"] == "")
    }

    @Test func oneLetterStandsForALongName() throws {
        let parsed = try parse("a.osm.pbf", "-o", "a.atlas", "-q", as: .importing)
        #expect(parsed["--output"] == "a.atlas")
        #expect(parsed.has("--quiet"))
        for written in [["-n", "5"], ["-n5"], ["-n=5"]] {
            #expect(try Arguments(["x"] + written, options: Subcommand.search.options).limit == 5)
        }
    }

    @Test func negativeNumbersAreWordsAndValues() throws {
        #expect(try parse("-33.86", "151.2", as: .reverse).words == ["-33.86", "151.2"])
        #expect(try parse("-.5", "-7", as: .reverse).words == ["-.5", "-7"])
        #expect(try parse("cafe", "--near", "-33.86,151.2")["--near"] == "-33.86,151.2")
        #expect(try parse("cafe", "--bbox", "-1,-2,3,4").numbers("--bbox", count: 4, form: "") == [-1, -2, 3, 4])
    }

    @Test func afterTwoDashesEverythingIsAWord() throws {
        #expect(try parse("--", "--limit", "--json").words == ["--limit", "--json"])
    }

    @Test func severalAtlasesMayBeGiven() throws {
        let parsed = try parse("x", "--atlas", "a", "-a", "b")
        #expect(parsed.all("--atlas") == ["a", "b"])
        #expect(AtlasChoice.named(parsed, environment: ["SEXTANT_ATLAS": "c"]) == ["a", "b"])
        #expect(AtlasChoice.named(try parse("x"), environment: ["SEXTANT_ATLAS": "c:d:"]) == ["c", "d"])
        #expect(AtlasChoice.named(try parse("x"), environment: ["SEXTANT_ATLAS": ""]) == nil)
    }

    @Test func aMistakeIsNamedWithWhatWouldBeRight() {
        #expect(complaint("x", "--limt", "5") == "unknown option --limt; did you mean --limit?")
        #expect(complaint("x", "--frobnicate") == "unknown option --frobnicate")
        #expect(complaint("x", "--limit") == "--limit wants a value: --limit N")
        #expect(complaint("x", "--near", "--json") == "--near wants a value: --near LAT,LON")
        #expect(complaint("x", "--json=yes") == "--json takes no value")
        #expect(complaint("x", "--near", "1,2", "--near", "3,4") == "--near is given twice")
    }

    @Test func numbersAreChecked() throws {
        for wrong in ["0", "1001", "many", "", "1e3", "99999999999999999999"] {
            #expect(throws: UsageError.self) { try parse("x", "--limit=\(wrong)").limit }
        }
        for wrong in ["1,2,3", "1,2,3,x", "1,2,3,nan", "1,2,3,inf", "", "1,,2,3"] {
            #expect(throws: UsageError.self) {
                try parse("x", "--bbox=\(wrong)").numbers("--bbox", count: 4, form: "W,S,E,N")
            }
        }
    }

    @Test func coordinatesAreReadOrLeftAsWords() throws {
        #expect(try Arguments.coordinate("60.17,24.94") == Coordinate(latitude: 60.17, longitude: 24.94))
        #expect(try Arguments.coordinate(" 60.17 , 24.94 ") == Coordinate(latitude: 60.17, longitude: 24.94))
        #expect(try Arguments.coordinate("Mannerheimintie 13, Helsinki") == nil)
        #expect(try Arguments.coordinate("13") == nil)
        #expect(throws: UsageError.self) { try Arguments.coordinate("124.94,60.17") }
    }

    @Test func theAreaOfASearchIsOneOfFour() throws {
        let helsinki = Coordinate(latitude: 60.17, longitude: 24.94)
        #expect(
            try SearchCommand.area(parse("x", "--near", "60.17,24.94")).0
                == .region(.circle(center: helsinki, metres: 1000)))
        #expect(
            try SearchCommand.area(parse("x", "--near", "60.17,24.94", "--radius", "250")).0
                == .region(.circle(center: helsinki, metres: 250)))
        #expect(try SearchCommand.area(parse("x", "--within", "Monaco")).0 == .within("Monaco"))
        #expect(
            try SearchCommand.area(parse("x", "--bbox", "24,60,25,61")).0
                == .region(.box(BoundingBox(west: 24, south: 60, east: 25, north: 61))))
        let (area, _) = try SearchCommand.area(parse("x", "--near", "0,179.9", "--span", "1,1"))
        guard case .region(.box(let box)) = area else {
            Issue.record("a span is a box")
            return
        }
        #expect(box.west > box.east, "the box stands over the date line")
        #expect(box.contains(Coordinate(latitude: 0.2, longitude: -179.9)))
    }

    @Test(arguments: [
        (
            ["x"],
            "where? --near LAT,LON, --bbox W,S,E,N, --within PLACE, --along \"FROM;TO\", or in words: \"cafes in Vaduz\""
        ),
        (["x", "--radius", "5"], "--radius needs a point: --near LAT,LON"),
        (
            ["x", "--near", "1,2", "--bbox", "1,2,3,4", "--within", "y"],
            "--bbox and --within both tell the area; choose one"
        ),
        (["x", "--near", "here"], "--near wants LAT,LON, not \"here\""),
        (["x", "--near", "1,2", "--radius", "-5"], "--radius wants metres, 1 to 20000000"),
        (["x", "--bbox", "1,9,3,4"], "--bbox wants W,S,E,N in degrees, south before north"),
        (["x", "--near", "1,2", "--span", "0,1"], "--span wants two sizes above 0 in degrees, like 0.01,0.01"),
    ])
    func anAreaThatCannotBeIsToldPlainly(_ arguments: [String], _ message: String) {
        #expect {
            try SearchCommand.area(Arguments(arguments, options: Subcommand.search.options))
        } throws: {
            "\($0)" == message
        }
    }

    @Test func aQueryIsFreeTextOrFields() throws {
        #expect(try GeocodeCommand.query(parse("Aleksanterinkatu", "52", as: .geocode)).text == "Aleksanterinkatu 52")
        let fields = try GeocodeCommand.query(parse("--street", "Städtle 13", "--city", "Vaduz", as: .geocode)).fields
        #expect(fields?.street == "Städtle 13" && fields?.city == "Vaduz")
        #expect(throws: UsageError.self) { try GeocodeCommand.query(parse(as: .geocode)) }
        #expect(throws: UsageError.self) { try GeocodeCommand.query(parse("x", "--city", "Vaduz", as: .geocode)) }
    }

    @Test func aPointIsTwoNumbers() throws {
        let point = Coordinate(latitude: 60.17, longitude: 24.94)
        #expect(try ReverseCommand.point(parse("60.17", "24.94", as: .reverse)) == point)
        #expect(try ReverseCommand.point(parse("60.17,24.94", as: .reverse)) == point)
        #expect(try ReverseCommand.point(parse("60.17,", "24.94", as: .reverse)) == point)
        for wrong in [[], ["60.17"], ["60.17", "24.94", "1"], ["here", "there"], ["91", "0"]] {
            #expect(throws: UsageError.self) {
                try ReverseCommand.point(Arguments(wrong, options: Subcommand.reverse.options))
            }
        }
    }

    @Test func theUsersFolderFollowsXDG() {
        #expect(AtlasLocations.folder(environment: ["HOME": "/home/a"]) == "/home/a/.local/share/sextant")
        #expect(AtlasLocations.folder(environment: ["HOME": "/home/a", "XDG_DATA_HOME": "/d"]) == "/d/sextant")
        #expect(
            AtlasLocations.folder(environment: ["HOME": "/home/a", "XDG_DATA_HOME": "relative"])
                == "/home/a/.local/share/sextant")
        #expect(BuiltInAtlas.world.path(environment: ["XDG_DATA_HOME": "/d"]) == "/d/sextant/World.atlas")
    }
}

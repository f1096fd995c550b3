import Foundation
import Geometry
import Importing
import Routing
import Testing

@testable import SextantCommand

@Suite struct WishOptionsTests {
    private func parsed(_ arguments: [String]) throws -> Arguments {
        try Arguments(arguments, options: Subcommand.route.options)
    }

    private func complaint(_ arguments: String...) -> String? {
        do {
            let parsed = try parsed(arguments)
            _ = try WishOptions.wishes(parsed)
            _ = try WishOptions.closures(parsed)
            return nil
        } catch { return "\(error)" }
    }

    @Test func wishesAreReadFromOptions() throws {
        let wishes = try WishOptions.wishes(
            parsed(["--exclude", "toll,ferries", "--avoid=motorway", "--height", "3.8", "--axle-load", "11.5"]))
        #expect(wishes.excluded == [.tolls, .ferries] && wishes.avoided == .motorways)
        #expect(wishes.vehicle.height == 3.8 && wishes.vehicle.axleLoad == 11.5 && wishes.vehicle.weight == nil)
        #expect(try WishOptions.wishes(parsed([])).isEmpty)
    }

    @Test func closedRoadsAreWaysPairsOfNodesAndBoxes() throws {
        let closures = try WishOptions.closures(
            parsed(["--close", "17", "--close", "1,2", "--close", "9.5,47.1,9.6,47.2"]))
        #expect(
            closures == [
                .way(17), .segment(from: 1, to: 2),
                .box(BoundingBox(west: 9.5, south: 47.1, east: 9.6, north: 47.2)),
            ])
    }

    @Test func mistakesAreToldInWords() {
        #expect(
            complaint("--exclude", "cobbles")
                == "--exclude wants some of toll, motorway, ferry, unpaved, tunnel with commas between, not \"cobbles\""
        )
        #expect(complaint("--avoid", "")?.hasPrefix("--avoid wants some of") == true)
        #expect(complaint("--height", "0") == "--height wants a number above 0 and below 1000, not \"0\"")
        #expect(complaint("--weight", "nan")?.hasPrefix("--weight wants a number") == true)
        #expect(complaint("--close", "a") == "--close wants a way, two nodes A,B or a box W,S,E,N, not \"a\"")
        #expect(complaint("--close", "1,2,3")?.hasPrefix("--close wants") == true)
        #expect(complaint("--close", "1,9,2,3")?.hasPrefix("--close wants") == true)
        #expect(complaint("--speeds", "/no/such/file.csv")?.contains("cannot be read") == true)
    }

    @Test func howStopsAreReachedIsReadFromOptions() throws {
        let point = Coordinate(latitude: 47, longitude: 9)
        func stops(_ arguments: String...) throws -> [Stop] {
            try StopOptions(parsed(arguments), stops: 4).stops(at: [point, point, point, point])
        }
        #expect(try stops().allSatisfy { $0 == Stop(point) })
        let some = try stops("--heading", "90,45", "--radius", "50", "--pass", "2, 3")
        #expect(some[0].bearing == BearingRange(degrees: 90, tolerance: 45) && some[1].bearing == nil)
        #expect(some.allSatisfy { $0.radius == 50 } && some.map(\.passesThrough) == [false, true, true, false])
        #expect(try stops("--curb", "--heading", "0").map(\.approach) == [.curb, .curb, .curb, .curb])
        #expect(try StopOptions(parsed(["--go-on", "no"]), stops: 2).continueStraight == false)
        for bad in [
            ["--heading", "north"], ["--heading", "361"], ["--heading", "1,2,3"], ["--radius", "-1"],
            ["--radius", "inf"], ["--pass", "1"], ["--pass", "4"], ["--pass", "2,"], ["--go-on", "maybe"],
        ] {
            #expect(throws: UsageError.self, "\(bad)") { try StopOptions(parsed(bad), stops: 4) }
        }
    }

    @Test func speedsAreReadFromLinesAndFromJSON() throws {
        let folder = NSTemporaryDirectory() + "speeds-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func speeds(_ text: String) throws -> [SegmentSpeeds.Segment] {
            try text.write(toFile: folder + "/speeds", atomically: true, encoding: .utf8)
            return try WishOptions.wishes(parsed(["--speeds", folder + "/speeds"])).speeds?.segments ?? []
        }
        let expected = [
            SegmentSpeeds.Segment(from: 1, to: 2, speed: 30), SegmentSpeeds.Segment(from: 2, to: 1, speed: 0),
        ]
        #expect(try speeds("1,2,30\n2,1,0\n") == expected)
        let list = "[{\"from\": 1, \"to\": 2, \"speed\": 30}, {\"from\": 2, \"to\": 1, \"speed\": 0}]"
        #expect(try speeds(list) == expected)
        #expect(try speeds("{\"segments\": \(list)}") == expected)
        for bad in ["[1]", "{}", "[{\"from\": 1}]", "[{\"from\": 1, \"to\": 2, \"speed\": -1}]", "[", "1,2"] {
            #expect(throws: TableError.self) { try speeds(bad) }
        }
    }
}

import Cartography
import Foundation
import Geometry
import Testing

@testable import SextantCommand

@Suite struct MapCommandTests {
    private func view(_ arguments: String...) throws -> MapCommand.View {
        let parsed = try Arguments(arguments, options: Subcommand.map.options)
        return try MapCommand.view(parsed, hasPins: parsed.has("--pin"))
    }

    private func complaint(_ arguments: String...) -> String? {
        do {
            let parsed = try Arguments(arguments, options: Subcommand.map.options)
            _ = try MapCommand.view(parsed, hasPins: parsed.has("--pin"))
            _ = try MapPicture("--output", parsed)
            _ = try parsed.all("--pin").map(MapCommand.pin)
            return nil
        } catch { return "\(error)" }
    }

    @Test func aPointWithZoomOrSpanOrAloneIsShown() throws {
        let point = Coordinate(latitude: -33.9, longitude: 151.2)
        #expect(try view("--center", "-33.9,151.2") == .center(point, zoom: 15))
        #expect(try view("--center=-33.9,151.2", "--zoom", "9.5") == .center(point, zoom: 9.5))
        #expect(
            try view("--center", "0,179", "--span", "2,4")
                == .box(BoundingBox(west: 177, south: -1, east: -179, north: 1)))
    }

    @Test func aBoxAPlaceOrPinsAreShown() throws {
        #expect(try view("--bbox", "1,2,3,4") == .box(BoundingBox(west: 1, south: 2, east: 3, north: 4)))
        #expect(try view("Port", "Hercule") == .place("Port Hercule"))
        #expect(try view("--pin", "1,2=A") == .pins)
    }

    @Test func pinsHaveTitlesWhereGiven() throws {
        #expect(try MapCommand.pin("1,2=A = B").title == "A = B")
        #expect(try MapCommand.pin("1,2").title == nil && MapCommand.pin("1,2= ").title == nil)
    }

    @Test func mistakesAreToldInWords() {
        #expect(complaint("-o", "a.png")?.hasPrefix("which part of the world?") == true)
        #expect(complaint("--center", "1,2", "--bbox", "1,2,3,4") == "--center and --bbox exclude each other")
        #expect(complaint("--center", "1,2", "Monaco") == "--center and \"Monaco\" exclude each other")
        #expect(complaint("--center", "1,2", "--zoom", "3", "--span", "1,1") == "--zoom and --span exclude each other")
        #expect(complaint("--center", "1,2", "--zoom", "23") == "--zoom wants a number from 0 to 22")
        #expect(complaint("--span", "1,1", "Monaco") == "--span needs a point: --center LAT,LON")
        #expect(complaint("--bbox", "1,4,3,2") == "--bbox wants W,S,E,N in degrees, south before north")
        #expect(complaint("--center", "91,2")?.contains("off the globe") == true)
        #expect(complaint("Monaco", "-o", "a.jpg") == "a map is a .png, .svg or .pdf file, not \"a.jpg\"")
        #expect(complaint("Monaco", "-o", "png") == "a map is a .png, .svg or .pdf file, not \"png\"")
        #expect(
            complaint("Monaco", "-o", "a.png", "--size", "0x9")
                == "--size wants a width and a height from 16 to 16384, like 1024x768, not \"0x9\"")
        #expect(complaint("Monaco", "-o", "a.png", "--style", "neon") == "--style is light, dark, muted, not \"neon\"")
        #expect(complaint("Monaco", "-o", "a.png", "--pin", "here=A") == "--pin wants LAT,LON=TITLE, not \"here=A\"")
    }

    @Test func tooManyPixelsAreAMistakeOfTheCaller() throws {
        let parsed = try Arguments(
            ["-o", "a.png", "--size", "16000x16000", "--scale", "4"], options: Subcommand.map.options)
        let picture = try #require(try MapPicture("--output", parsed))
        #expect(throws: UsageError.self) { try picture.frame(center: Coordinate(latitude: 0, longitude: 0), zoom: 3) }
    }

    @Test func aPictureTakesThePlaceOfAnOldOneWholly() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("picture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("map.png").path
        try MapPicture.replace(path, with: [1, 2, 3])
        try MapPicture.replace(path, with: [4])
        #expect(FileManager.default.contents(atPath: path) == Data([4]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["map.png"])
        let missing = folder.appendingPathComponent("missing/map.png").path
        #expect(throws: PictureError.self) { try MapPicture.replace(missing, with: [1]) }
        // A folder of that name stays, and nothing is left beside it.
        let taken = folder.appendingPathComponent("taken.png")
        try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
        #expect(throws: PictureError.self) { try MapPicture.replace(taken.path, with: [1]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["map.png", "taken.png"])
    }
}

import MapKit
import Sextant
import TestAtlases
import Testing

@testable import SiteSchedule

/// The atlas that these tests ask: Helsinki, Monaco, Cologne and others, and the world beneath.
let isOpen: Bool = {
    guard let atlas = try? TestAtlas.everything else { return false }
    ProcessAtlas.use(atlas)
    return true
}()

private let cologne = """
    name,street,postcode,city,country,latitude,longitude
    Cathedral,Domkloster 4,50667,Köln,DE,,
    Museum,Heinrich-Böll-Platz 1,50667,Köln,DE,,
    No such site,Nirgendsweg 999,50667,Köln,DE,,
    South quay,Ubierring 40,50678,Köln,DE,50.9206,6.9600

    """

/// A folder with a table in it, removed at the end.
final class Desk {
    let path: String
    var table: String { path + "/sites.csv" }
    private(set) var said: [String] = []

    init(_ text: String) throws {
        path = FileManager.default.temporaryDirectory.path + "/sextant-sites-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: table))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var text: String { (try? String(contentsOfFile: table, encoding: .utf8)) ?? "" }
    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

    @MainActor func run(_ words: [String] = [], find: Scheduler.Finder? = nil) async -> Int32 {
        said = []
        return await SiteSchedule.run(
            [table, "--map", path + "/sites.png", "--way", path + "/way.png"] + words, find: find
        ) { self.said.append($0) }
    }
}

@MainActor func placemark(_ latitude: Double, _ longitude: Double) -> CLPlacemark {
    MKPlacemark(coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
}

@MainActor @Suite struct SiteScheduleTests {
    @Test func scenario0_8TheBatchFindsSavesDrawsAndLeads() async throws {
        #expect(isOpen)
        let desk = try Desk(cologne)
        #expect(await desk.run(["--to", "South quay", "--geojson", desk.path + "/way.geojson"]) == 0)
        #expect(desk.said[0] == "Cathedral     50.94130, 6.95719     found: Domkloster 4")
        #expect(desk.said[1] == "Museum        50.94083, 6.96030     found: Heinrich-Böll-Platz 1")
        #expect(desk.said[2].hasPrefix("No such site  -") && desk.said[2].contains("Nirgendsweg"))
        #expect(desk.said[3] == "South quay    50.92060, 6.96000     already known")
        #expect(desk.said[4].hasPrefix("3 of 4 sites on the map"))
        #expect(desk.said[5].hasPrefix("To South quay from Cathedral: ") && desk.said[5].hasSuffix("min by car"))
        #expect(desk.said.count > 7 && desk.said.contains { $0.contains("Rheinuferstraße") })
        let lines = desk.text.split(separator: "\n").map(String.init)
        #expect(lines[1] == "Cathedral,Domkloster 4,50667,Köln,DE,50.941302,6.957189")
        #expect(lines[3] == "No such site,Nirgendsweg 999,50667,Köln,DE,,")
        #expect(lines[4] == "South quay,Ubierring 40,50678,Köln,DE,50.9206,6.9600")
        for picture in ["sites.png", "way.png"] {
            let data = try Data(contentsOf: URL(fileURLWithPath: desk.path + "/" + picture))
            #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]) && data.count > 2_000)
        }
        let way = try Data(contentsOf: URL(fileURLWithPath: desk.path + "/way.geojson"))
        let line = try #require(try MKGeoJSONDecoder().decode(way).first as? MKGeoJSONFeature)
        #expect(line.geometry.first is MKPolyline)
    }

    @Test func scenario0_8ASecondRunAsksOnceAndWritesAnIdenticalFile() async throws {
        #expect(isOpen)
        let desk = try Desk(cologne)
        #expect(await desk.run() == 0)
        let first = desk.text
        let scheduler = Scheduler(try SiteTable(first))
        await scheduler.locate()
        #expect(scheduler.requests == 1)
        #expect(scheduler.table.text == first)
        #expect(await desk.run() == 0)
        #expect(desk.text == first)
    }

    @Test func theFirstSiteMayBeTheOneThatIsNotFound() async throws {
        let table = "name,latitude,longitude\nNone,,\nA,50.9,6.9\nB,51.0,7.0\n"
        let scheduler = Scheduler(try SiteTable(table)) { _ in nil }
        await scheduler.locate()
        let rect = scheduler.showSites()
        let (a, b) = (scheduler.table.sites[1].coordinate, scheduler.table.sites[2].coordinate)
        #expect(abs(rect.minX - MKMapPoint(try #require(a)).x) < 1e-6)
        #expect(abs(rect.maxX - MKMapPoint(try #require(b)).x) < 1e-6)
        #expect(rect.minY > 0 && rect.minX > 0)
        #expect(scheduler.map.annotations.count == 2)
        #expect(scheduler.map.annotations.compactMap { ($0 as? SitePin)?.number }.sorted() == [1, 2])
    }

    @Test func nothingFoundLeavesFileAndMapAlone() async throws {
        #expect(isOpen)
        let text = "name,street,city,country\nA,Nirgendsweg 1,Köln,DE\nB,Nirgendsweg 2,Köln,DE\n"
        let desk = try Desk(text)
        let before = try FileManager.default.attributesOfItem(atPath: desk.table)[.modificationDate] as? Date
        #expect(await desk.run() == 1)
        #expect(desk.text == text && !desk.has("sites.png"))
        #expect(try FileManager.default.attributesOfItem(atPath: desk.table)[.modificationDate] as? Date == before)
        #expect(desk.said.last == "None of the 2 sites has a place: no map.")

        let scheduler = Scheduler(try SiteTable(text)) { _ in nil }
        scheduler.map.centerCoordinate = CLLocationCoordinate2D(latitude: 10, longitude: 20)
        let rect = scheduler.map.visibleMapRect
        await scheduler.locate()
        #expect(scheduler.showSites().isNull)
        #expect(MKMapRectEqualToRect(scheduler.map.visibleMapRect, rect))
    }

    @Test func knownSitesAreNotAskedForAndStillDrawn() async throws {
        #expect(isOpen)
        let desk = try Desk("name,latitude,longitude\nA,50.94,6.957\nB,50.921,6.96\n")
        let text = desk.text
        let status = await desk.run { _ in
            Issue.record("asked")
            return nil
        }
        #expect(status == 0 && desk.text == text && desk.has("sites.png"))
    }

    @Test(arguments: ["", "name,street\n", "name\n\n\n"])
    func noSitesAreDoneAtOnce(_ text: String) async throws {
        let desk = try Desk(text)
        #expect(await desk.run() == 0)
        #expect(desk.said == ["No sites."] && !desk.has("sites.png") && desk.text == text)
    }

    @Test func tenThousandSitesNeedNoDeepStack() async throws {
        for isKnown in [true, false] {
            let rows = (0..<10_000).map { "Site \($0),Domkloster 4,Köln\(isKnown ? ",50.9,6.9" : ",,")" }
            let table = try SiteTable((["name,street,city,latitude,longitude"] + rows).joined(separator: "\n"))
            let scheduler = Scheduler(table) { _ in placemark(50.9413, 6.9571) }
            await scheduler.locate()
            #expect(scheduler.outcomes.count == 10_000 && scheduler.located.count == 10_000)
            #expect(scheduler.requests == (isKnown ? 0 : 10_000))
        }
    }

    @Test func aSiteOutsideTheAtlasIsNotFoundAndTheReasonIsTold() async throws {
        let desk = try Desk("name,street,city,country\nFar,Rue Nulle 1,Nulleville,FR\nHere,Domkloster 4,Köln,DE\n")
        #expect(isOpen)
        #expect(await desk.run() == 0)
        #expect(desk.said[0].contains("Nulle"))
        // Columns that were missing are added.
        #expect(
            desk.text.hasPrefix("name,street,city,country,latitude,longitude\nFar,Rue Nulle 1,Nulleville,FR\nHere,"))
    }

    @Test func anUnknownHouseNumberIsToldAndNotSaved() async throws {
        #expect(isOpen)
        let text = "name,street,city,country,latitude,longitude\nA,Mannerheimintie 9999,Helsinki,FI,,\n"
        let desk = try Desk(text)
        for _ in 1...2 {
            #expect(await desk.run() == 0)
            #expect(desk.said[0].hasSuffix("   found: Mannerheimintie, without the number 9999; not saved"))
            #expect(desk.said[1].hasPrefix("1 of 1 sites on the map") && desk.has("sites.png"))
            #expect(desk.text == text)
        }
    }

    @Test(arguments: [
        "Domkloster 4": "4", "12b Rue Grimaldi": "12b", "Hauptstraße, 12-14": "12-14", "5th Avenue": nil,
        "Straße des 17. Juni": nil, "Kotikatu": nil, "": nil, "9": nil,
    ])
    func aHouseNumberStandsAtAnEndOfTheStreet(_ street: String, _ number: String?) {
        #expect(Site(name: "A", street: street).houseNumber == number)
    }

    @Test func aTableWithoutAddressesTellsTheColumns() async throws {
        let desk = try Desk("name,address\nA,Domkloster 4\n")
        #expect(await desk.run() == 1)
        #expect(
            desk.said[0].hasSuffix(
                "no column with an address; the columns are name, street, postcode, city, country, latitude, longitude")
        )
    }

    @Test(arguments: [["--help"], ["-h"], ["sites.csv", "--help"]])
    func helpIsTheUsageAndNoMistake(_ words: [String]) async {
        let said = LastWord()
        #expect(await SiteSchedule.run(words) { said.text = $0 } == 0)
        #expect(said.text == SiteSchedule.usage)
    }

    @Test func whereSavingFailsTheOldFileIsWhole() async throws {
        let desk = try Desk(cologne)
        var table = try SiteTable(cologne)
        table.locate(0, at: CLLocationCoordinate2D(latitude: 1, longitude: 2))
        // A folder that is not empty cannot be replaced by a file.
        let folder = URL(fileURLWithPath: desk.path)
        #expect { try table.save(to: folder) } throws: { "\($0)".contains("could not be saved and is as it was") }
        #expect(throws: SiteTable.Failure.self) { try table.save(to: folder.appendingPathComponent("no/sites.csv")) }
        #expect(desk.text == cologne)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.path) == ["sites.csv"])
        // A file that is not there is told as well.
        let said = LastWord()
        #expect(await SiteSchedule.run(["/nowhere/sites.csv"]) { said.text = $0 } == 3)
        #expect(said.text.contains("/nowhere/sites.csv"))
    }

    @Test func cancelledHalfWayItSavesWhatItHas() async throws {
        let rows = (0..<10).map { "Site \($0),Domkloster 4,Köln,," }
        let desk = try Desk((["name,street,city,latitude,longitude"] + rows).joined(separator: "\n") + "\n")
        let asked = LastWord()
        let task = Task { @MainActor in
            await desk.run { site in
                asked.count += 1
                if asked.count == 4 {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await CLGeocoder().geocodeAddressString(site.address).first
                }
                return placemark(50.9413, 6.9571)
            }
        }
        #expect(await task.value == 130)
        #expect(asked.count == 4)
        let lines = desk.text.split(separator: "\n")
        #expect(lines[3] == "Site 2,Domkloster 4,Köln,50.941300,6.957100" && lines[4] == "Site 3,Domkloster 4,Köln,,")
        #expect(!desk.has("sites.png"))
    }

    @Test func overTheDateLineTheNarrowerRectangleIsChosen() throws {
        func rect(_ places: [(Double, Double)]) -> MKMapRect {
            .smallest(around: places.map { CLLocationCoordinate2D(latitude: $0.0, longitude: $0.1) })
        }
        let degree = MKMapSize.world.width / 360
        let fiji = rect([(-17, 179), (-18, -179), (-16, 178)])
        #expect(fiji.spans180thMeridian && abs(fiji.width - 3 * degree) < 1e-3)
        #expect(abs(fiji.minX - MKMapPoint(CLLocationCoordinate2D(latitude: 0, longitude: 178)).x) < 1e-3)
        let europe = rect([(50, 7), (40, -3), (60, 25)])
        #expect(!europe.spans180thMeridian && abs(europe.width - 28 * degree) < 1e-3)
        #expect(rect([]).isNull)
        #expect(rect([(50, 7)]).width == 0 && !rect([(50, 7), (50, 7)]).isNull)
        #expect(rect([(50, 7), (50, 7)]).isEmpty)
    }

    @Test func theFacadeGivesTheSameCoordinates() async throws {
        #expect(isOpen)
        let scheduler = Scheduler(try SiteTable(cologne))
        await scheduler.locate()
        let atlas = try TestAtlas.everything
        for site in scheduler.table.sites.prefix(2) {
            let fields = GeocodeQuery.Fields(street: site.street, postcode: site.postcode, city: site.city)
            let place = try #require(
                try atlas.geocode(GeocodeQuery(fields: fields, countries: ["de"])).places.first)
            #expect(place.coordinate.latitude == site.coordinate?.latitude)
            #expect(place.coordinate.longitude == site.coordinate?.longitude)
        }
    }

    @Test func aHundredRealAddressesAreFoundWhereTheyAre() async throws {
        #expect(isOpen)
        let atlas = try TestAtlas.towns
        var rows: [String] = []
        var places: [Coordinate] = []
        var seen: Set<String> = []
        // A walk through the middle of the extract, a house every few steps.
        let box = try #require(atlas.geocode(GeocodeQuery("Helsinki")).places.first?.coordinate)
        for step in 0..<2_000 where rows.count < 100 {
            let point = Coordinate(
                latitude: box.latitude - 0.005 + Double(step % 40) * 2.5e-4,
                longitude: box.longitude - 0.005 + Double(step / 40) * 5e-4)
            guard let found = try atlas.reverse(point, options: ReverseOptions(layers: .address)),
                let street = found.address.street, let number = found.address.houseNumber,
                let city = found.address.city, seen.insert("\(street) \(number)").inserted
            else { continue }
            rows.append("Site \(rows.count);\(street) \(number);\(found.address.postcode ?? "");\(city);FI;;")
            places.append(found.coordinate)
        }
        try #require(rows.count == 100)
        let header = "name;street;postcode;city;country;latitude;longitude"
        let scheduler = Scheduler(try SiteTable(([header] + rows).joined(separator: "\r\n")))
        await scheduler.locate()
        #expect(scheduler.requests == 100)
        let near = zip(scheduler.table.sites, places).filter { site, place in
            site.coordinate.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude).distance(to: place) < 100 }
                ?? false
        }
        #expect(near.count >= 97, "\(near.count) of 100")
        let again = Scheduler(try SiteTable(scheduler.table.text))
        await again.locate()
        #expect(again.requests == 100 - scheduler.located.count)
    }

    @Test func quotesOtherColumnsAndLineEndsAreKept() throws {
        let text =
            "id\tName\tnote\tlongitude\tlatitude\r\n7\t\"A\tB \"\"C\"\"\"\t\"two\nlines\"\t\t\r\n\r\n8\tD\t\t7\t50"
        var table = try SiteTable(text)
        #expect(table.text == text)
        #expect(table.sites.map(\.name) == ["A\tB \"C\"", "D"])
        #expect(table.sites[1].coordinate?.latitude == 50)
        table.locate(0, at: CLLocationCoordinate2D(latitude: 1.5, longitude: -2.25))
        #expect(table.text.contains("\t\"two\nlines\"\t-2.250000\t1.500000\r\n"))
        #expect(throws: SiteTable.Failure.self) { try SiteTable("street,city\nA,B\n") }
    }

    @Test(arguments: [["--to"], ["a.csv", "b.csv"], ["--colour", "red"]])
    func wrongWordsAreToldWithStatusTwo(_ words: [String]) async {
        let said = LastWord()
        #expect(await SiteSchedule.run(words) { said.text = $0 } == 2)
        #expect(said.text.hasPrefix("site-schedule: "))
    }
}

/// Something that a closure can write to.
@MainActor private final class LastWord {
    nonisolated(unsafe) var text = ""
    var count = 0
}

import AtlasFiles
import Foundation
import Gazetteer
import Geometry
import OpenStreetMapFiles
import Sextant
import Tables
import Testing

@testable import Importing

/// A folder for the files of one test, gone with the test.
private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/sextant-register-\(UUID().uuidString)"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = path + "/" + name
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    func file(_ name: String, _ text: String) throws -> String { try file(name, Array(text.utf8)) }

    var atlas: String { path + "/x.atlas" }
}

/// A town at 47 N 9.5 E with one street and two houses.
private let town = """
    <osm version="0.6">
    <node id="1" version="1" lat="47.000" lon="9.500"/><node id="2" version="1" lat="47.000" lon="9.510"/>
    <node id="3" version="1" lat="47.0001" lon="9.502"><tag k="addr:housenumber" v="4"/><tag k="addr:street" v="Mühlegasse"/></node>
    <node id="4" version="1" lat="47.0001" lon="9.504"><tag k="addr:housenumber" v="6"/><tag k="addr:street" v="Mühlegasse"/><tag k="addr:postcode" v="9490"/></node>
    <node id="5" version="1" lat="47.002" lon="9.505"><tag k="place" v="town"/><tag k="name" v="Vaduz"/></node>
    <way id="9" version="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/><tag k="name" v="Mühlegasse"/></way>
    </osm>
    """

private let openAddresses = """
    LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH
    9.5020,47.0001,4,MÜHLEGASSE,,Vaduz,,,9490,,aa
    9.5060,47.0001,8,MÜHLEGASSE,,Vaduz,,,9490,,ab
    9.5080,47.0001,10,MÜHLEGASSE,,Vaduz,,,9490,,ac
    """

@Suite struct SourceKindTests {
    static let head =
        "2960317\tLuxembourg\tLuxembourg\t\t49.6\t6.1\tP\tPPLC\tLU\t\t01\t\t\t\t1\t\t1\tEurope/Luxembourg\t2025-01-01"

    @Test(arguments: [
        ("<?xml version='1.0'?>\n<osm version='0.6'>", SourceKind.openStreetMap),
        ("\u{0}\u{0}\u{0}\u{d}\n\tOSMHeader\u{18}", .openStreetMap), ("BZh91AY", .openStreetMap),
        (SourceKindTests.head, .geoNames), ("LI\t9490\tVaduz\tVaduz\t7001\t\t\t\t\t47.1\t9.5\t6\n", .postcodes),
        ("lat;lon;street\n1;2;x\n", .table(.csv)), ("\u{FEFF}lat\tlon\tname\n", .table(.csv)),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}", .table(.geojson)),
        ("{\n \"type\": \"FeatureCollection\",\n \"features\": [\n", .table(.geojson)),
        ("{\"type\":\"Feature\",\"geometry\":null}\n{\"type\":\"Feature\"}\n", .table(.ndjson)),
        ("[{\"lat\":1}]", .table(.geojson)),
    ])
    func theContentTellsWhatAFileIs(_ content: String, _ kind: SourceKind) throws {
        let folder = try Folder()
        #expect(try SourceKind(path: folder.file("data", content)) == kind)
        // Whatever the name says.
        #expect(try SourceKind(path: folder.file("data.txt", content)) == kind)
    }

    @Test(arguments: ["", "   \n\n", "hello", "\u{0}\u{1}\u{2},\u{3}", "<html><body>", "one\ntwo\nthree"])
    func whatCannotBeToldIsRefused(_ content: String) throws {
        let folder = try Folder()
        let path = try folder.file("data.csv", content)
        #expect(throws: ImportError.self) { try SourceKind(path: path) }
        #expect(throws: ImportError.self) { try AtlasImporter().run(files: [path], to: folder.atlas) }
        #expect(!FileManager.default.fileExists(atPath: folder.atlas))
    }

    @Test func anExtractIsKnownByItsName() throws {
        let folder = try Folder()
        #expect(try SourceKind(path: folder.file("broken.osm.pbf", "LAT,LON\n")) == .openStreetMap)
    }
}

@Suite struct RegisterColumnsTests {
    private func columns(_ names: String, _ named: [String: String] = [:]) throws -> String {
        let names = names.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return try RegisterColumns(
            columns: names, named: named, hasMembers: false, count: names.count, isPlaced: false
        ).description(names)
    }

    @Test func columnsOfOpenAddressesAreKnown() throws {
        #expect(
            try columns("LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH")
                == "lat from \"LAT\", lon from \"LON\", number from \"NUMBER\", street from \"STREET\", unit from \"UNIT\", "
                + "city from \"CITY\", county from \"DISTRICT\", state from \"REGION\", postcode from \"POSTCODE\"")
    }

    @Test func keysOfOpenStreetMapGoBeforeWords() throws {
        #expect(
            try columns("lat,lon,locality,city name,addr:place,addr:street,addr:housenumber,addr:city,addr:substreet")
                == "lat from \"lat\", lon from \"lon\", number from \"addr:housenumber\", street from \"addr:street\", "
                + "place from \"addr:place\", city from \"addr:city\", addr:substreet from \"addr:substreet\"")
    }

    @Test func germanColumnsAreKnownAndARowNumberIsNoHouseNumber() throws {
        #expect(
            try columns("Nr,Straße,Hausnummer,PLZ,Ort,Breite,Länge")
                == "lat from \"Breite\", lon from \"Länge\", number from \"Hausnummer\", street from \"Straße\", "
                + "city from \"Ort\", postcode from \"PLZ\"")
    }

    @Test func whatAPersonNamesGoesFirst() throws {
        #expect(
            try columns("a,b,street,c", ["lat": "a", "lon": "2", "street": "C", "city": "=Vaduz", "phone": "street"])
                == "lat from \"a\", lon from \"b\", street from \"c\", city always \"Vaduz\", phone from \"street\"")
    }

    @Test func pointsAreToldByTheirKind() throws {
        #expect(
            try columns("name,type,lat,lon,opening_hours,note")
                == "lat from \"lat\", lon from \"lon\", name from \"name\", category from \"type\", "
                + "opening_hours from \"opening_hours\"")
        // In a register of addresses a type is that of a building or a road.
        let ofAddresses = try columns("street,number,type,lat,lon")
        #expect(!ofAddresses.contains("category"))
    }

    @Test(
        arguments: [
            ("street,number,city", [:], "coordinates"), ("lat,lon,x1", [:], "addresses or points"),
            ("lat,lon,street", ["number": "HNR"], "no column \"HNR\""),
            ("lat,lon,street", ["colour": "street"], "\"colour\""),
            ("lat,lon,street", ["number": "4"], "no column \"4\""),
        ] as [(String, [String: String], String)])
    func whatStaysUnclearIsAskedFor(_ names: String, _ named: [String: String], _ told: String) {
        #expect {
            try columns(names, named)
        } throws: {
            ($0 as? ColumnFault)?.reason.contains(told) == true
        }
    }
}

@Suite struct RegisterTests {
    private func imported(
        _ folder: Folder, _ files: [String], _ descriptions: [String: SourceDescription] = [:]
    ) throws -> (report: ImportReport, atlas: Atlas) {
        var importer = AtlasImporter()
        importer.descriptions = descriptions
        let report = try importer.run(files: files, to: folder.atlas)
        return (report, try Atlas.open([folder.atlas]))
    }

    private func failure(_ folder: Folder, _ files: [String], columns: [String: String] = [:]) -> String {
        do {
            let descriptions = columns.isEmpty ? [:] : [files[files.count - 1]: SourceDescription(columns: columns)]
            _ = try imported(folder, files, descriptions)
            return "imported"
        } catch {
            #expect(!FileManager.default.fileExists(atPath: folder.atlas), "nothing half-written is left")
            return "\(error)"
        }
    }

    private func expect(
        _ told: String, tells text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(told.contains(text), "\(told)", sourceLocation: sourceLocation)
    }

    @Test func aRegisterJoinsTheMapAndEachAnswerNamesItsSource() throws {
        let folder = try Folder()
        let csv = try folder.file("register.csv", openAddresses)
        let described = SourceDescription(name: "Town register", licence: "CC0", attribution: "Town hall")
        let (report, atlas) = try imported(folder, [csv, folder.file("town.osm", town)], [csv: described])
        let mapped = try #require(try atlas.geocode(GeocodeQuery("Mühlegasse 4, Vaduz")).places.first)
        let found = try #require(try atlas.geocode(GeocodeQuery("Mühlegasse 10, Vaduz")).places.first)
        #expect(mapped.source.licence == "ODbL 1.0" && mapped.address.postcode == "9490")
        #expect(
            found.source == GazetteerSource(name: "Town register", licence: "CC0", attribution: "Town hall"))
        #expect(found.feature.parent == mapped.feature.parent && found.address.street == "Mühlegasse")
        #expect(try atlas.reverse(found.coordinate)?.feature.id == found.feature.id)
        let source = try #require(report.manifest.sources.last)
        #expect(source.counts == ["rows": 3, "kept": 2, "folded": 1])
        #expect(report.skipped["Town register: address that is there already, folded"] == 1)
        // And it stays with the atlas.
        #expect(try AtlasFolder(path: folder.atlas).manifest.sources.last == source)
    }

    @Test func theFormOfTheTableDoesNotMatter() throws {
        let folder = try Folder()
        let features = [("8", 9.506), ("10", 9.508)].map { number, longitude in
            "{\"type\":\"Feature\",\"properties\":{\"number\":\"\(number)\",\"street\":\"Mühlegasse\",\"city\":\"Vaduz\"},"
                + "\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(longitude),47.0001]}}"
        }
        let tables = [
            openAddresses, "\u{FEFF}" + openAddresses.replacing(",", with: ";"),
            openAddresses.replacing(",", with: "\t"),
            openAddresses.replacing("\n", with: "\r\n").replacing("MÜHLEGASSE", with: "\"MÜHLEGASSE\""),
            features.joined(separator: "\n"),
            "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}",
        ]
        for table in tables {
            let (_, atlas) = try imported(folder, [folder.file("x.osm", town), folder.file("data", table)])
            let found = try atlas.geocode(GeocodeQuery("Mühlegasse 10, Vaduz")).places.first
            #expect(found?.source.name == "data" && found?.feature.houseNumber == "10", "\(table.prefix(60))")
            #expect(found?.source.licence == "licence not stated")
        }
    }

    @Test func lettersOfOlderProgramsAreReadWhereTheyAreNamed() throws {
        let folder = try Folder()
        let bytes = Array("lat;lon;street;number\n47.0001;9.506;M".utf8) + [0xFC] + Array("hlegasse;8\n".utf8)
        let table = try folder.file("r.csv", bytes)
        expect(failure(folder, [table]), tells: "windows-1252")
        let (_, atlas) = try imported(folder, [table], [table: SourceDescription(encoding: .windows1252)])
        #expect(try atlas.geocode(GeocodeQuery("Mühlegasse 8")).places.first?.address.street == "Mühlegasse")
        let wide = "\u{FEFF}lat;lon;street;number\n47.0001;9.506;Mühlegasse;8\n"
        let both = try folder.file("w.csv", wide.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
        #expect(try imported(folder, [both]).report.manifest.sources.first?.counts?["kept"] == 1)
    }

    @Test func aNumberBehindItsStreetIsPartedFromIt() throws {
        let folder = try Folder()
        let table = try folder.file(
            "x.csv", "adresse;lat;lon\nMühlegasse 8 a;47.0001;9.506\n12 Mill Street;47.0001;9.507\n5th Avenue;47;9.5\n")
        let (report, atlas) = try imported(folder, [table])
        for text in ["Mühlegasse 8a", "Mill Street 12"] {
            #expect(try atlas.geocode(GeocodeQuery(text)).places.first?.feature.kind == .address, "\(text)")
        }
        #expect(report.skipped["x.csv: row without a house number or name in line 4"] == 1)
    }

    @Test func pointsAreFoundByNameKindAndAWordOfTheirOwn() throws {
        let folder = try Folder()
        let table = try folder.file(
            "points.csv",
            """
            name,category,lat,lon,phone
            Dr. Alpha,amenity=doctors,47.001,9.501,123
            Löwen,Apotheke,47.001,9.502,
            Beta,fast food,47.001,9.503,
            ,Wasserspender,47.001,9.504,
            Marktplatz,Wasserspender,47.001,9.505,
            ,,47.001,9.506,
            """)
        let (report, atlas) = try imported(folder, [table])
        func search(_ words: String) throws -> [String] {
            try atlas.search(
                SearchQuery(words, in: .circle(center: Coordinate(latitude: 47, longitude: 9.5), metres: 2_000))
            ).map { "\($0.feature.category)=\($0.feature.type) \($0.name ?? "")" }.sorted()
        }
        #expect(try search("doctor") == ["amenity=doctors Dr. Alpha"])
        #expect(try search("pharmacy") == ["amenity=pharmacy Löwen"])
        #expect(try search("fast food") == ["amenity=fast_food Beta"])
        #expect(
            try search("Wasserspender") == ["amenity=wasserspender Marktplatz", "amenity=wasserspender Wasserspender"])
        #expect(try search("Dr. Alpha") == ["amenity=doctors Dr. Alpha"])
        #expect(try atlas.geocode(GeocodeQuery("Dr. Alpha")).places.first?.phone == "123")
        #expect(report.skipped["points.csv: neither name nor kind nor street in line 7"] == 1)
    }

    @Test func outlinesOfGeoJSONLieInside() throws {
        let folder = try Folder()
        let table = try folder.file(
            "x.geojson",
            """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"Park","leisure":"park"},"geometry":{"type":"Polygon","coordinates":
            [[[9.5,47.0],[9.52,47.0],[9.52,47.02],[9.5,47.02],[9.5,47.0]]]}},
            {"type":"Feature","properties":{"name":"Halt","railway":"station"},"geometry":{"type":"Point","coordinates":[9.6,47.1,450]}},
            {"type":"Feature","properties":{"name":"Nowhere"},"geometry":null}]}
            """)
        let (report, atlas) = try imported(folder, [table])
        let park = try #require(try atlas.geocode(GeocodeQuery("Park")).places.first)
        #expect(
            park.feature.kind == .park && park.coordinate.distance(to: .init(latitude: 47.01, longitude: 9.51)) < 900)
        #expect(try atlas.geocode(GeocodeQuery("Halt")).places.first?.feature.kind == .stop)
        #expect(report.skipped["x.geojson: no coordinates in line 5"] == 1)
    }

    @Test func aColumnCalledPlaceNamesATownOfAddressesAndTheKindOfASettlement() throws {
        let folder = try Folder()
        let addresses = try folder.file("a.csv", "lat,lon,street,number,place\n47.0001,9.506,Mühlegasse,8,Vaduz\n")
        let address = try imported(folder, [addresses]).atlas.geocode(GeocodeQuery("Mühlegasse 8, Vaduz")).places.first
        #expect(address?.feature.kind == .address && address?.address.street == "Mühlegasse")
        let towns = try folder.file("b.csv", "lat,lon,name,place\n47.0001,9.506,Triesen,village\n")
        let town = try imported(folder, [towns]).atlas.geocode(GeocodeQuery("Triesen")).places.first
        #expect(town?.feature.kind == .place && town?.feature.type == "village")
    }

    @Test func brokenObjectsAreOfOneSort() throws {
        let folder = try Folder()
        let good = "{\"name\":\"A\",\"lat\":47,\"lon\":9.5}"
        let lines = [good] + (1...9).map { String(good.prefix($0 * 3)) }
        let (report, _) = try imported(folder, [folder.file("x.ndjson", lines.joined(separator: "\n"))])
        #expect(report.skipped == ["x.ndjson: row that cannot be read: it is no JSON object, first in line 2": 9])
    }

    @Test func importingTwiceGivesTheSame() throws {
        let folder = try Folder()
        let files = try [folder.file("x.osm", town), folder.file("r.csv", openAddresses)]
        var contents: [[String]] = []
        for _ in 0..<2 {
            let (report, _) = try imported(folder, files)
            let rows = try Gazetteer(path: folder.atlas + "/gazetteer.sqlite").features()
            contents.append(rows + report.skipped.map { "\($0.key) \($0.value)" }.sorted())
        }
        #expect(contents[0] == contents[1] && contents[0].count > 5)
    }

    // MARK: - Hostile files

    @Test func rowsThatCannotBeUsedAreCountedWithTheFirstLine() throws {
        let folder = try Folder()
        let long = String(repeating: "x", count: 400)
        let table = try folder.file(
            "r.csv",
            """
            lat,lon,street,number
            47.0001,9.506,Mühlegasse,8
            nan,9.5,Mühlegasse,1
            47.0,inf,Mühlegasse,2
            ,,Mühlegasse,3
            91,9.5,Mühlegasse,4
            47.0001,9.507,"Mühlegasse,5
            47.0001,9.508,Mühlegasse,10
            47,9.5,\(long),1
            47,9.5,,1
            47,9.5,Mühlegasse,
            47,9.5,Mühlegasse,s/n

            """)
        let (report, atlas) = try imported(folder, [table])
        #expect(
            report.manifest.sources.first?.counts == ["rows": 11, "kept": 2, "folded": 0]
        )
        #expect(
            report.skipped.filter { $0.key.hasPrefix("r.csv") } == [
                "r.csv: coordinates that are no numbers, first in line 3": 2, "r.csv: no coordinates in line 5": 1,
                "r.csv: coordinates off the globe in line 6": 1,
                "r.csv: row that cannot be read: a quote opens a cell and is not closed in line 7": 1,
                "r.csv: text of more than 250 letters (street) in line 9": 1, "r.csv: no street or place in line 10": 1,
                "r.csv: row without a house number or name, first in line 11": 2,
            ])
        #expect(try atlas.geocode(GeocodeQuery("Mühlegasse 10")).places.first?.feature.houseNumber == "10")
    }

    @Test func coordinatesTheOtherWayRoundAreRefused() throws {
        let folder = try Folder()
        let osm = try folder.file("x.osm", town)
        let turned = openAddresses.replacing("LON,LAT", with: "LAT,LON")
        try expect(failure(folder, [osm, folder.file("a.csv", turned)]), tells: "the other way round")
        // Without a map the country tells.
        let isle = "lat,lon,street,number,country\n-4.48,54.15,Albany Road,1,IM\n-4.49,54.15,Albany Road,2,IM\n"
        try expect(failure(folder, [folder.file("b.csv", isle)]), tells: "the other way round")
        let east = "lat,lon,street,number\n139.7,35.6,Dori,1\n139.8,35.7,Dori,2\n"
        try expect(failure(folder, [folder.file("c.csv", east)]), tells: "the other way round")
        // Named the right way they are taken.
        let csv = try folder.file("d.csv", turned)
        let right = SourceDescription(columns: ["lat": "LON", "lon": "LAT"])
        #expect(try imported(folder, [osm, csv], [csv: right]).report.manifest.sources.last?.counts?["kept"] == 2)
    }

    @Test func whatIsNoTableIsRefusedWithAReason() throws {
        let folder = try Folder()
        let metres = "lat,lon,street,number\n2600000,1200000,Gasse,1\n2600001,1200001,Gasse,2\n"
        try expect(failure(folder, [folder.file("metres.csv", metres)]), tells: "WGS 84")
        try expect(failure(folder, [folder.file("head.csv", "lat,lon,street,number\n")]), tells: "has no rows")
        try expect(
            failure(folder, [folder.file("none.csv", "lat,lon,street,number\n,,a,1\n,,b,2\n")]),
            tells: "none of its 2 rows can be used; 2 for this: no coordinates, as in line 2")
        var random = SplitMix(state: 7)
        let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
        try #expect(failure(folder, [folder.file("noise.csv", noise)]) != "imported")
        try #expect(failure(folder, [folder.file("gz.csv", [0x1f, 0x8b, 8, 0, 1, 2, 3])]) != "imported")
        let cut = "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":\"A\"}"
        try expect(failure(folder, [folder.file("cut.geojson", cut)]), tells: "cut short")
        let line = "lat,lon,street,number\n" + String(repeating: "x", count: 17 << 20)
        try expect(failure(folder, [folder.file("line.csv", line)]), tells: "line 2: no line end within 16 MB")
        try expect(
            failure(folder, [folder.file("n.csv", "47.1,9.5,Gasse,1\n47.2,9.5,Gasse,2\n")]), tells: "--columns lat=")
        let bare = try folder.file("bare.csv", "47.1,9.5,Gasse,1\n47.2,9.5,Gasse,2\n")
        let numbered = SourceDescription(columns: ["lat": "1", "lon": "2", "street": "3", "number": "4"])
        #expect(try imported(folder, [bare], [bare: numbered]).report.manifest.sources[0].counts?["rows"] == 2)
    }

    @Test func changedBytesDoNoHarm() throws {
        let folder = try Folder()
        var random = SplitMix(state: 42)
        print("seed 42")
        let whole = Array(openAddresses.utf8)
        var kept = 0
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try folder.file("r.csv", bytes)
            do { kept += try AtlasImporter().run(files: [path], to: folder.atlas).manifest.sources.count } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
        #expect(kept > 0, "some are still read")
    }

    // MARK: - Postal codes

    @Test func postalCodesJoinTheMap() throws {
        let folder = try Folder()
        let codes = try folder.file(
            "LI.txt",
            "CH\t9490\tVaduz\tVaduz\t7001\t\t\t\t\t47.14\t9.52\t6\nLI\t9496\tBalzers\tBalzers\t7003\t\t\t\t\t47.06\t9.50\t6\n"
                + "LI\t\tNone\t\t\t\t\t\t\t47\t9\t6\nLI\t9491\tRuggell\t\t\t\t\t\t\tnan\t9\t6\nbroken\n")
        let (report, atlas) = try imported(folder, [codes, folder.file("x.osm", town)])
        let found = try #require(try atlas.geocode(GeocodeQuery("9496 Balzers")).places.first)
        #expect(found.feature.kind == .postcode && found.source.licence == "CC BY 4.0")
        #expect(found.source.name == "GeoNames postal codes, LI.txt")
        #expect(report.manifest.sources.last?.counts == ["rows": 5, "kept": 1, "folded": 1])
        #expect(report.skipped["GeoNames postal codes, LI.txt: line without a postal code in line 3"] == 1)
        #expect(report.skipped["GeoNames postal codes, LI.txt: line with coordinates off the globe in line 4"] == 1)
        #expect(report.skipped["GeoNames postal codes, LI.txt: line without 12 columns in line 5"] == 1)
    }
}

extension Gazetteer {
    /// Every feature in a line.
    fileprivate func features() throws -> [String] {
        var lines: [String] = []
        var id: Int64 = 1
        while let feature = try feature(id: id) {
            lines.append("\(feature)")
            id += 1
        }
        return lines
    }
}

import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Testing

@testable import Importing

@Suite struct GeoNamesTableTests {
    private func read(_ line: String) -> Result<GeoNamesPlace, GeoNamesTable.LineFault> {
        Array(line.utf8).withUnsafeBufferPointer { GeoNamesTable.place($0) }
    }

    private static let helsinki =
        "658225\tHelsinki\tHelsinki\tHEL,Helsingfors,helsinki,Хельсинки,Helsinki,ヘルシンキ\t60.16952\t24.93545\tP\tPPLC\tFI\t\t01\t011\t091\t"
        + "\t658864\t\t26\tEurope/Helsinki\t2025-01-01"

    private func changed(_ column: Int, _ value: String) -> String {
        var fields = Self.helsinki.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        fields[column] = value
        return fields.joined(separator: "\t")
    }

    @Test func aLineIsReadWithItsNames() throws {
        let place = try read(Self.helsinki).get()
        #expect(place.id == 658_225 && place.name == "Helsinki" && place.country == "FI" && place.regionCode == "01")
        #expect(place.otherNames == ["Helsingfors", "Хельсинки", "ヘルシンキ"], "no airport code, no machine's reading")
        #expect(place.location == Coordinate(latitude: 60.16952, longitude: 24.93545))
        #expect(place.population == 658_864 && place.timeZone == "Europe/Helsinki" && place.elevation == nil)
        let feature = try #require(OutsideFeature(place, regions: ["FI.01": "Uusimaa"]))
        #expect(feature.kind == .place && feature.category == "place" && feature.type == "city")
        #expect(feature.tags["alt_name"] == "Helsingfors;Хельсинки;ヘルシンキ" && feature.tags["capital"] == "yes")
        #expect(feature.tags["is_in:state"] == "Uusimaa" && feature.country == "fi")
    }

    @Test func linesFromWindowsAreReadToo() throws {
        #expect(try read(Self.helsinki + "\r").get().name == "Helsinki")
    }

    @Test func aByteOrderMarkIsNoPartOfTheFirstNumberAndANumberCountsOnce() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("geonames-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = folder.appendingPathComponent("FI.txt").path
        try ("\u{FEFF}" + Self.helsinki + "\n" + Self.helsinki + "\n").write(
            toFile: table, atomically: true, encoding: .utf8)
        let writer = try GazetteerWriter(
            path: folder.appendingPathComponent("x.sqlite").path,
            source: GazetteerSource(name: "GeoNames", licence: "CC BY 4.0", attribution: "GeoNames"))
        let result = try GeoNamesTable.add(path: table, to: writer, source: 1)
        #expect(result.added == 1)
        #expect(result.skipped == ["GeoNames: number seen before": 1])
    }

    @Test func whatCannotBeReadIsToldByReason() {
        #expect(read("a\tb") == .failure(.columns))
        #expect(read(Self.helsinki + "\t") == .failure(.columns))
        for id in ["", "x", "-5", "0", "99999999999999999999"] { #expect(read(changed(0, id)) == .failure(.number)) }
        for name in ["", "  ", "\u{1}", String(repeating: "x", count: 500)] {
            #expect(read(changed(1, name)) == .failure(.name))
        }
        for latitude in ["", "north", "91", "nan", "inf", "1e999", "60,1"] {
            #expect(read(changed(4, latitude)) == .failure(.coordinates))
        }
        for longitude in ["180.001", "-1e9", "nan"] { #expect(read(changed(5, longitude)) == .failure(.coordinates)) }
    }

    @Test func hostileColumnsDoNoHarm() throws {
        for column in 0..<19 {
            for value in [
                "", "\u{0}", "';DROP TABLE feature;--", String(repeating: "9", count: 5000), "\u{202E}x", ",",
            ] {
                if case .success(let place) = read(changed(column, value)) {
                    #expect(place.location.isValid && !place.name.isEmpty && place.population >= 0)
                    _ = OutsideFeature(place)
                }
            }
        }
        #expect(try read(changed(14, "-5")).get().population == 0)
        #expect(try read(changed(14, "99999999999999999999")).get().population == 0)
        #expect(try read(changed(8, "Finland")).get().country == "")
    }

    @Test func bytesThatAreNoTextDoNoHarm() {
        var generator = SplitMix(state: 42)
        print("seed 42")
        let line = Array(Self.helsinki.utf8)
        for _ in 0..<2000 {
            var bytes = line
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 8)
            if case .success(let place) = bytes.withUnsafeBufferPointer({ GeoNamesTable.place($0) }) {
                #expect(place.location.isValid)
                _ = OutsideFeature(place)
            }
        }
    }

    @Test(arguments: [
        ("P", "PPL", 500, "village"), ("P", "PPL", 10_000, "town"), ("P", "PPLA", 100_000, "city"),
        ("P", "PPLC", 0, "city"),
        ("P", "PPLX", 900_000, "suburb"), ("A", "ADM1", 0, "administrative"), ("T", "MT", 0, "peak"),
        ("H", "LK", 0, "water"), ("S", "HTL", 0, "hotel"), ("U", "TRNU", 0, nil), ("R", "RD", 0, nil),
        ("A", "ZN", 0, nil),
    ])
    func kindsFollowFromTheCodes(_ type: String, _ code: String, _ population: Int, _ expected: String?) throws {
        var place = try read(Self.helsinki).get()
        (place.featureClass, place.featureCode, place.population) = (type, code, population)
        #expect(OutsideFeature(place)?.type == expected)
    }

    @Test func aTableIsToldFromAnExtract() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-geonames-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let plain = folder.appendingPathComponent("places").path
        try Data((Self.helsinki + "\n").utf8).write(to: URL(fileURLWithPath: plain))
        #expect(GeoNamesTable.isTable(path: plain))
        #expect(GeoNamesTable.isTable(path: "/nowhere/DE.txt.gz"))
        #expect(!GeoNamesTable.isTable(path: "/nowhere/monaco.osm.pbf"))
        #expect(!GeoNamesTable.isTable(path: "/nowhere/at/all"))
    }

    @Test func brokenFilesAreErrorsWithTheirReason() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-broken-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ bytes: [UInt8]) throws -> String {
            let path = folder.appendingPathComponent(name).path
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            return path
        }
        // gzip of 10 letters, cut in the middle; and one whose checksum does not fit.
        let whole: [UInt8] = [
            0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b, 0x4c, 0x4a, 0x4e, 0x49, 0x4d, 0x4b, 0xcf, 0xc8, 0xcc, 0x02, 0,
        ]
        let cut = try file("cut.txt.gz", Array(whole.prefix(16)))
        #expect(throws: TableError.self) { try GzipReader.forEachLine(of: cut) { _ in } }
        let wrong = try file("wrong.txt.gz", whole + [1, 2, 3, 4, 10, 0, 0, 0])
        #expect(throws: TableError.self) { try GzipReader.forEachLine(of: wrong) { _ in } }
        #expect(throws: TableError.self) { try GzipReader.forEachLine(of: "/nowhere/at/all") { _ in } }
        var lines: [String] = []
        try GzipReader.forEachLine(of: try file("plain.txt", Array("a\n\nb".utf8))) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(lines == ["a", "", "b"])
        let broken = try file("outlines", Array("A\t0 0 1\n".utf8))
        #expect(throws: TableError.self) { try WorldOutlines(path: broken) }
        let far = try file("far", Array("A\t0 0 999999999 5\n".utf8))
        #expect(throws: TableError.self) { try WorldOutlines(path: far) }
        let missing = try file("missing", Array("A\t0 0 1 1 -1 0\nC\tXX\t0 7\n".utf8))
        #expect(throws: TableError.self) { try WorldOutlines(path: missing) }
    }
}

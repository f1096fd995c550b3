import Foundation
import Importing
import Testing

@testable import SextantCommand

@Suite struct SourceOptionsTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/sextant-options-\(UUID().uuidString)"

    /// What arguments say of a table of addresses and a table of postal codes, by the last part of their paths.
    private func descriptions(_ arguments: String...) throws -> [String: SourceDescription] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = ["a.csv", "b.csv", "LI.txt"].map { "\(folder)/\($0)" }
        for file in files.prefix(2) {
            try Data("lat,lon,street,number\n47,9,Gasse,1\n".utf8).write(to: URL(fileURLWithPath: file))
        }
        try Data("LI\t9490\tVaduz\t\t\t\t\t\t\t47\t9\t6\n".utf8).write(to: URL(fileURLWithPath: files[2]))
        let parsed = try Arguments(
            files + ["-o", "x.atlas"] + arguments, options: Subcommand.importing.options)
        return Dictionary(
            uniqueKeysWithValues: try SourceOptions.descriptions(parsed).map {
                (URL(fileURLWithPath: $0.key).lastPathComponent, $0.value)
            })
    }

    @Test func nothingIsSaidWithoutOptions() throws {
        #expect(try descriptions().isEmpty)
    }

    @Test func whatNamesNoFileIsAboutAllTablesOfAddressesAndPoints() throws {
        let told = SourceDescription(licence: "CC BY 4.0: by name")
        #expect(try descriptions("--licence", "CC BY 4.0: by name") == ["a.csv": told, "b.csv": told])
    }

    @Test func whatNamesAFileIsAboutThatOne() throws {
        let told = try descriptions(
            "--licence", "a.csv:CC0", "--licence", "ODbL", "--source-name", "LI.txt:Post", "--columns",
            "\(folder)/b.csv:street=STR, number=2,city==Vaduz,category==amenity=clinic")
        #expect(told["a.csv"] == SourceDescription(licence: "CC0"))
        #expect(
            told["b.csv"]
                == SourceDescription(
                    licence: "ODbL",
                    columns: ["street": "STR", "number": "2", "city": "=Vaduz", "category": "=amenity=clinic"]))
        #expect(try descriptions("--encoding", "b.csv:Windows-1252")["b.csv"]?.encoding == .windows1252)
        #expect(told["LI.txt"] == SourceDescription(name: "Post"))
    }

    @Test(arguments: [
        ["--licence", "CC0", "--licence", "ODbL"], ["--licence", "a.csv:CC0", "--licence", "a.csv:ODbL"],
        ["--columns", "street"], ["--columns", "street=a,street=b"], ["--columns", "=a"], ["--licence", "a.csv:"],
        ["--encoding", "latin"],
        ["--attribution", String(repeating: "x", count: 1_001)],
    ])
    func whatContradictsItselfIsRefused(_ arguments: [String]) {
        #expect(throws: UsageError.self) {
            switch arguments.count {
            case 2: try descriptions(arguments[0], arguments[1])
            default: try descriptions(arguments[0], arguments[1], arguments[2], arguments[3])
            }
        }
    }

    @Test func optionsOfTablesNeedATable() throws {
        let extract = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).osm.pbf")
        try Data("x".utf8).write(to: extract)
        defer { try? FileManager.default.removeItem(at: extract) }
        let arguments = [extract.path, "-o", "x.atlas", "--licence", "CC0"]
        #expect(throws: UsageError.self) {
            try SourceOptions.descriptions(Arguments(arguments, options: Subcommand.importing.options))
        }
    }
}

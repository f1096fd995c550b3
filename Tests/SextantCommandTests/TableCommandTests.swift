import Foundation
import Gazetteer
import Sextant
import Tables
import TestAtlases
import Testing

@testable import SextantCommand

/// Tables through the whole command but for the choice of the atlas.
struct TableCommandTests {
    /// A folder of its own for the files of a test.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/tables-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        subscript(name: String) -> [UInt8]? {
            get { FileManager.default.contents(atPath: "\(path)/\(name)").map { Array($0) } }
            set {
                let url = URL(fileURLWithPath: "\(path)/\(name)")
                if let newValue {
                    try? Data(newValue).write(to: url)
                } else {
                    try? FileManager.default.removeItem(at: url)
                }
            }
        }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    private func command(_ folder: Folder, _ name: String, reverse: Bool = false, _ more: [String] = []) throws
        -> TableCommand
    {
        let options = (reverse ? Subcommand.reverse : Subcommand.geocode).options
        let arguments = try Arguments(
            ["--input", "\(folder.path)/\(name)", "--output", "\(folder.path)/out-\(name)"] + more, options: options)
        return try #require(try TableCommand(arguments, isReverse: reverse))
    }

    private func run(
        _ text: String, _ name: String = "in.csv", reverse: Bool = false, more: [String] = []
    ) throws -> String {
        let folder = try Folder()
        folder[name] = Array(text.utf8)
        _ = try command(folder, name, reverse: reverse, more).run(Console(isQuiet: true)) { try TestAtlas.cologne }
        #expect(folder.names == [name, "out-\(name)"])
        return String(decoding: try #require(folder["out-\(name)"]), as: UTF8.self)
    }

    private let sites = """
        id,Straße,Nr,PLZ,Ort,"Note, kept"
        1,Domkloster,4,50667,Köln,"two
        lines"
        2,Ubierring,40,50678,Köln,
        3,Heinrich-Böll-Platz,1,,Köln,x
        4,Domklostre,4,50667,Köln,misspelt
        5,Nowherestraße,7,,Köln,

        6,,,,,empty
        7,"Dom "" kloster,4
        8,Ubierring,99,50678,Köln,no such house
        9,Gartenweg,3,,Köln,two of them
        10,Domkloster,4,50667,Köln,more,cells

        """

    @Test func aRowStaysARowWithWhatWasFoundBehindIt() throws {
        let lines = try rows(of: run(sites))
        #expect(lines[0].prefix(6) == ["id", "Straße", "Nr", "PLZ", "Ort", "Note, kept"])
        #expect(lines[0].dropFirst(6).map { $0 } == RowAnswer.columns(isReverse: false).map { "found_" + $0 })
        #expect(lines.count == 11)
        let byID = Dictionary(uniqueKeysWithValues: lines.dropFirst().map { ($0[0], Array($0.dropFirst(6))) })
        #expect(
            byID["1"]?.prefix(2) == ["50.9413020", "6.9571890"] && byID["1"]?[3] == "house" && byID["1"]?[11] == "")
        #expect(byID["2"]?[5] == "Ubierring" && byID["2"]?[6] == "40" && byID["2"]?[8] == "Köln")
        #expect(byID["4"]?[3] == "house" && byID["4"]?[11].contains("\"Domklostre\" read as \"Domkloster\"") == true)
        #expect(byID["5"]?[0] == "" && byID["5"]?[11].contains("Nowherestraße") == true)
        #expect(byID["6"]?[11] == "no address in this row")
        #expect(byID["8"]?[3] == "street" && byID["8"]?[11] == "without \"99\"")
        #expect(byID["9"]?[11].contains("fits as well") == true)
        #expect(byID["10"]?[11].contains("7 cells") == true)
        #expect(lines.contains { $0[0].hasPrefix("7,") && $0.last?.contains("not closed") == true })
        #expect(lines.allSatisfy { $0.count == 18 })
    }

    private func rows(of text: String, _ separator: Character = ",") throws -> [[String]] {
        let path = FileManager.default.temporaryDirectory.path + "/rows-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var reader = try TableReader(file, name: path, form: .csv)
        var result = [reader.columns]
        while let row = try reader.next() { result.append(Cells(row.bytes, separator: reader.separator).all) }
        return result
    }

    @Test func semicolonsMarksAndLineEndsStayAsTheyAre() throws {
        let written = try run("\u{FEFF}Adresse;x\r\nUbierring 40, 50678 Köln;1\r\n\r\nDomkloster 4;2")
        #expect(written.hasPrefix("\u{FEFF}Adresse;x;found_lat;"))
        #expect(written.contains("\r\nUbierring 40, 50678 Köln;1;50.9206000;6.9601000;1.000;house;"))
        #expect(written.contains("\r\n\r\nDomkloster 4;2;50.94") && !written.hasSuffix("\n"))
    }

    @Test func aTableOfOneColumnNeedsNoQuotes() throws {
        let lines = try rows(of: run("address\nUbierring 40, 50678 Köln\n"))
        #expect(lines[1].prefix(5) == ["Ubierring 40, 50678 Köln", "50.9206000", "6.9601000", "1.000", "house"])
    }

    @Test func columnsAreNamedOrNumberedAndTextsAreTheSameInAllRows() throws {
        let named = try run("A,B\nUbierring,40\n", more: ["--street", "a", "--number", "2", "--city", "=Köln"])
        #expect(named.contains("\nUbierring,40,50.9206000,"))
        let headless = try run("Ubierring,40\n", more: ["--no-header", "--street", "1", "--number", "2"])
        #expect(headless.hasPrefix("Ubierring,40,50.9206000,"))
    }

    @Test func columnsThatCannotBeGuessedAreAskedFor() throws {
        let error = #expect(throws: UsageError.self) { try run("A,B\n1,2\n") }
        #expect(error?.description.contains("--address") == true && error?.description.contains("\"A\", \"B\"") == true)
        #expect(throws: UsageError.self) { try run("A,B\n1,2\n", more: ["--street", "C"]) }
        #expect(throws: UsageError.self) { try run("address,found_lat\n1,2\n") }
        #expect(throws: TableFault.self) { try run("") }
    }

    @Test func aNumberOfTheRowIsNoHouseNumber() throws {
        let lines = try rows(of: run("No,Street,City\n7,Ubierring 40,Köln\n"))
        #expect(lines[1][6] == "house")
    }

    @Test func linesOfJSONKeepTheirMembers() throws {
        let written = try run(
            "{\"id\":1,\"site\":{\"street\":\"Ubierring 40\",\"city\":\"Köln\"}}\nnonsense\n{\"id\":3}\n", "in.ndjson")
        let lines = written.split(separator: "\n")
        #expect(
            lines[0].hasPrefix(
                "{\"id\":1,\"site\":{\"street\":\"Ubierring 40\",\"city\":\"Köln\"},\"found_lat\":50.9206,"))
        #expect(lines[1].hasPrefix("{\"found_row\":\"nonsense\"") && lines[1].contains("damaged row in line 2"))
        #expect(lines[2].contains("\"found_reason\":\"no address in this row\"") && lines.count == 3)
        for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test func featuresGetThePointThatWasFound() throws {
        let text = """
            {"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"address":"Ubierring 40, Köln"},"geometry":null},
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"address":"Domkloster 4"}}
            ]}
            """
        let written = try run(text, "in.geojson")
        #expect(written.contains("\"geometry\":{\"type\":\"Point\",\"coordinates\":[6.9601,50.9206]}"))
        #expect(written.contains("\"coordinates\":[1,2]") && written.contains("\"found_label\":\"Domkloster 4"))
        let features = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String: Any]
        #expect((features?["features"] as? [Any])?.count == 2)
    }

    @Test func pointsAreLookedUp() throws {
        let lines = try rows(of: run("lat;lon\n50,9206;6,9601\n91;0\nx;\n", reverse: true))
        #expect(
            lines[1].prefix(5) == ["50,9206", "6,9601", "50.9206000", "6.9601000", "0.0"] && lines[1][5] == "house")
        #expect(lines[2].last == "91.0, 0.0 lies off the globe" && lines[3].last == "no point in this row")
        let feature =
            "{\"type\":\"Feature\",\"properties\":null,\"geometry\":{\"type\":\"Polygon\",\"coordinates\":"
            + "[[[6.9600,50.9205],[6.9602,50.9205],[6.9602,50.9207],[6.9600,50.9205]]]}}"
        let written = try run("{\"type\":\"FeatureCollection\",\"features\":[\(feature)]}", "in.geojson", reverse: true)
        #expect(written.contains("\"properties\":{\"found_lat\":50.9206") && written.contains("Ubierring 40"))
    }

    @Test func manyThreadsAnswerAsOneQuestionAfterTheOtherDoes() throws {
        let atlas = try TestAtlas.cologne
        let body = sites.split(separator: "\n", maxSplits: 1)[1]
        let text = "id,Straße,Nr,PLZ,Ort,Note\n" + String(repeating: String(body), count: 40)
        #expect(try run(text, more: ["--jobs", "4"]) == run(text, more: ["--jobs", "1"]))
        let answers = RowAnswers(atlas, template: GeocodeQuery(limit: 2), options: ReverseOptions())
        let questions = (0..<500).map {
            RowQuestion.text(["Ubierring \($0 % 50)", "Domkloster 4 Köln", "Nowhere"][$0 % 3])
        }
        var received: [RowAnswer] = []
        var rest = questions[...]
        try InOrder.run(workers: 4, batch: 3, next: { rest.popFirst() }, work: { try answers.answer($0) }) {
            received.append($0)
        }
        #expect(try received == questions.map { try answers.fresh($0) })
        var order: [String] = []
        try atlas.geocode(all: (0..<200).map { GeocodeQuery("Ubierring \($0)", limit: 1) }) { query, _ in
            order.append(query.text)
        }
        #expect(order == (0..<200).map { "Ubierring \($0)" })
    }

    private struct Killed: Error {}

    @Test(arguments: ["in.csv", "in.ndjson", "in.geojson"]) func killedAnywhereItGoesOnToTheSameTable(_ name: String)
        throws
    {
        let texts = [
            "in.csv": sites + sites.split(separator: "\n", maxSplits: 1)[1],
            "in.ndjson": String(repeating: "{\"address\":\"Ubierring 40\"}\n\n{}\nx\n", count: 5),
            "in.geojson": "{\"features\":["
                + String(
                    repeating: "{\"type\":\"Feature\",\"properties\":{\"address\":\"Ubierring 40\"}}, ", count: 12)
                + "{}]}\n",
        ]
        let atlas = try TestAtlas.cologne
        let folder = try Folder()
        folder[name] = Array(try #require(texts[name]).utf8)
        // What lies on the disk after each row, with states after every second.
        var snapshots: [(part: [UInt8]?, state: [UInt8]?)] = []
        var first = try command(folder, name)
        first.rowsBetweenStates = 2
        first.reached = { _ in snapshots.append((folder["out-\(name).part"], folder["out-\(name).part.state"])) }
        _ = try first.run(Console(isQuiet: true)) { atlas }
        let whole = try #require(folder["out-\(name)"])
        #expect(snapshots.count > 10)
        func goOn(_ part: [UInt8]?, _ state: [UInt8]?) throws -> [UInt8]? {
            folder["out-\(name)"] = nil
            folder["out-\(name).part"] = part
            folder["out-\(name).part.state"] = state
            _ = try command(folder, name).run(Console(isQuiet: true)) { atlas }
            #expect(folder.names == [name, "out-\(name)"])
            return folder["out-\(name)"]
        }
        for snapshot in snapshots {
            #expect(try goOn(snapshot.part, snapshot.state) == whole)
            // More than the state tells, as it is where the program ends between two states.
            #expect(try goOn((snapshot.part ?? []) + Array("half a r".utf8), snapshot.state) == whole)
        }
        // Cut anywhere, what is left is either gone on with or refused, never trusted.
        let last = try #require(snapshots.last)
        let part = try #require(last.part)
        for end in 0...part.count where end % 7 == 0 || end > part.count - 40 {
            do { #expect(try goOn(Array(part[..<end]), last.state) == whole) } catch is UsageError {
                #expect(folder["out-\(name)"] == nil)
            }
        }
        let state = try #require(last.state)
        for end in 0..<state.count { #expect(throws: UsageError.self) { try goOn(part, Array(state[..<end])) } }
        var again = try command(folder, name, ["--restart"])
        again.rowsBetweenStates = 1
        _ = try again.run(Console(isQuiet: true)) { atlas }
        #expect(folder["out-\(name)"] == whole)
    }

    @Test func anotherTaskOrAnotherTableDoesNotGoOn() throws {
        let atlas = try TestAtlas.cologne
        let folder = try Folder()
        folder["in.csv"] = Array(sites.utf8)
        var first = try command(folder, "in.csv")
        first.rowsBetweenStates = 1
        first.reached = { if $0 == 3 { throw Killed() } }
        #expect(throws: Killed.self) { try first.run(Console(isQuiet: true)) { atlas } }
        #expect(folder["out-in.csv"] == nil && folder["out-in.csv.part.state"] != nil)
        let other = #expect(throws: UsageError.self) {
            try command(folder, "in.csv", ["--language", "en"]).run(Console(isQuiet: true)) { atlas }
        }
        #expect(other?.description.contains("--restart") == true)
        folder["in.csv"] = Array(sites.replacingOccurrences(of: "2,Ubierring", with: "2,Ubiering").utf8)
        let changed = #expect(throws: UsageError.self) {
            try command(folder, "in.csv").run(Console(isQuiet: true)) { atlas }
        }
        #expect(changed?.description.contains("no longer what the earlier run read") == true)
    }

    @Test func tablesAndQuestionsAreNotMixed() {
        func refused(_ words: [String]) {
            #expect(throws: UsageError.self) {
                _ = try TableCommand(Arguments(words, options: Subcommand.geocode.options), isReverse: false)
            }
        }
        refused(["--input", "a.csv", "Köln"])
        refused(["--output", "a.csv", "Köln"])
        refused(["--input", "a.csv", "--output", "b.geojson"])
        refused(["--input", "a.xlsx"])
        refused(["--input", "a.csv", "--json"])
        refused(["--input", "a.csv", "--format", "xml"])
        refused(["--address", "x", "Köln"])
    }
}

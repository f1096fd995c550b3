import MapKit
import Testing

@testable import SiteSchedule

/// What a user has written stays, whatever it is.
@MainActor @Suite struct SiteTableTests {
    @Test(arguments: ["43,73490;7,42120", "43.73490;7.42120", "\"43,73490\"; +7,42120 "])
    func aDecimalCommaIsReadWhereCommasDoNotPartTheCells(_ cells: String) async throws {
        let desk = try Desk("name;street;city;latitude;longitude\nQuay;Place du Casino;Monaco;\(cells)\n")
        let text = desk.text
        let scheduler = Scheduler(try SiteTable(text)) { _ in
            Issue.record("asked")
            return nil
        }
        await scheduler.locate()
        let place = try #require(scheduler.table.sites[0].coordinate)
        #expect(place.latitude == 43.7349 && place.longitude == 7.4212)
        #expect(scheduler.table.text == text)
    }

    @Test(arguments: [
        ("nan,inf", "nan; inf"), ("91,0", "91; 0"), ("\"43,7\",7", "43,7; 7"), ("43.7,", "43.7; -"), (",7.4", "-; 7.4"),
        ("north,east", "north; east"), ("0x1p5,1", "0x1p5; 1"), ("1e999,1", "1e999; 1"),
    ])
    func cellsThatAreNoCoordinateAreToldAndLeftAlone(_ cells: String, _ told: String) async throws {
        let row = "C,Place du Casino,Monaco,\(cells)"
        let desk = try Desk("name,street,city,latitude,longitude\n\(row)\nD,Place d Armes,Monaco,,\n")
        #expect(isOpen)
        #expect(await desk.run { _ in placemark(43.73, 7.42) } == 0)
        #expect(desk.said[0].hasPrefix("C  -") && desk.said[0].hasSuffix("coordinates not understood: \(told)"))
        #expect(desk.text.contains("\n\(row)\nD,Place d Armes,Monaco,43.730000,7.420000\n"))
        #expect(desk.said[2].hasPrefix("1 of 2 sites on the map"))
    }

    @Test func newColumnsStandBehindTheLongestRow() async throws {
        let desk = try Desk("name,city\nA,Monaco,a note,another\nB,Monaco\n")
        #expect(isOpen)
        #expect(await desk.run { _ in placemark(43.73, 7.42) } == 0)
        #expect(
            desk.text == """
                name,city,,,latitude,longitude
                A,Monaco,a note,another,43.730000,7.420000
                B,Monaco,,,43.730000,7.420000

                """)
        let second = desk.text
        #expect(await desk.run { _ in nil } == 0)
        #expect(desk.text == second)
    }

    @Test func aByteOrderMarkIsKept() async throws {
        let desk = try Desk("\u{FEFF}name;city;latitude;longitude\nA;Monaco;;\n")
        #expect(isOpen)
        #expect(await desk.run { _ in placemark(43.73, 7.42) } == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: desk.table))
        #expect(Array(bytes) == Array("\u{FEFF}name;city;latitude;longitude\nA;Monaco;43.730000;7.420000\n".utf8))
    }

    @Test func anEditDuringTheRunIsNotLost() async throws {
        let desk = try Desk("name,city\nA,Monaco\n")
        let edited = desk.text + "B,Monaco\n"
        #expect(
            await desk.run { _ in
                try Data(edited.utf8).write(to: URL(fileURLWithPath: desk.table))
                return placemark(43.73, 7.42)
            } == 3)
        #expect(desk.text == edited)
        #expect(desk.said.last?.hasSuffix("was changed since it was read: nothing is written. Run it again.") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.path) == ["sites.csv"])
    }

    @Test func theFileKeepsItsModeAndASymbolicLinkIsFollowed() async throws {
        let desk = try Desk("name,city\nA,Monaco\n")
        let files = FileManager.default
        let target = desk.path + "/there.csv"
        try files.moveItem(atPath: desk.table, toPath: target)
        try files.createSymbolicLink(atPath: desk.table, withDestinationPath: "there.csv")
        #expect(chmod(target, 0o640) == 0)
        #expect(isOpen)
        #expect(await desk.run { _ in placemark(43.73, 7.42) } == 0)
        #expect(try files.destinationOfSymbolicLink(atPath: desk.table) == "there.csv")
        #expect(try String(contentsOfFile: target, encoding: .utf8).contains("43.730000"))
        #expect(try files.attributesOfItem(atPath: target)[.posixPermissions] as? Int == 0o640)
    }

    @Test func aFileThatNobodyMayWriteIsRefused() async throws {
        let desk = try Desk("name,city\nA,Monaco\n")
        let text = desk.text
        #expect(chmod(desk.table, 0o444) == 0)
        #expect(await desk.run { _ in placemark(43.73, 7.42) } == 3)
        #expect(desk.said.last?.hasSuffix("could not be saved and is as it was: it is read-only") == true)
        #expect(desk.text == text)
    }

    @Test func aQuoteInsideACellIsALetter() throws {
        let text = "name,street,city,latitude,longitude\nA 5\" pipe,\"Quai \"\"B\"\", 1\",Monaco\nB 3\",x,Monaco\n"
        let table = try SiteTable(text)
        #expect(table.sites.map(\.name) == ["A 5\" pipe", "B 3\""])
        #expect(table.sites[0].street == "Quai \"B\", 1" && table.text == text)
    }

    @Test(arguments: [("name,city\n\"A\nB\",x\n\"C,Monaco\nD,Monaco\n", 4), ("\"name,city\nA,Monaco\n", 1)])
    func aQuoteThatIsNotClosedIsToldWithItsLine(_ text: String, _ line: Int) {
        #expect { try SiteTable(text) } throws: {
            "\($0)" == "line \(line): a quote opens a cell and is not closed"
        }
    }

    @Test func onlyReturnsAndFeedsEndALine() throws {
        let text = "name,street\rA\u{2028}B,x\u{0B}y\r\nC\u{0C}D,\u{85}z\nE,\u{0301}f"
        let table = try SiteTable(text)
        #expect(table.sites.map(\.name) == ["A\u{2028}B", "C\u{0C}D", "E"])
        #expect(
            table.sites[0].street == "x\u{0B}y"
                && Array(table.text.utf8)
                    == Array(
                        (text.replacingOccurrences(
                            of: "name,street\r", with: "name,street,latitude,longitude\r")).utf8)
        )
    }

    @Test(arguments: [
        "\"na;me\",name,city\nx,A,Monaco\n", "\u{FEFF}\"name\";\"a,b\";city\nA;x;Monaco\n",
        "name,note\tx,city\nA,,Monaco\n", "city\tname\nMonaco\tA\n", " name , city\nA, \"Monaco\"\n",
    ])
    func theSeparatorIsTheOneThatPartsTheColumns(_ text: String) throws {
        let table = try SiteTable(text)
        #expect(table.sites.map(\.name) == ["A"] && table.sites[0].city == "Monaco")
    }

    @Test func namesCannotSteerATerminal() async throws {
        let desk = try Desk("name,city\nA\u{1B}[2J\u{202E}\u{0B}\u{9B}1m\u{2028}B,Monaco\n")
        #expect(await desk.run { _ in nil } == 1)
        #expect(desk.said[0].hasPrefix("A\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}1m\u{FFFD}B"))
    }
}

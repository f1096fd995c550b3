import Foundation
import Testing

@testable import Tables

/// Reads tables that are written down here, through a file.
final class TableReaderTests {
    private var files: [Int32] = []

    deinit { closeFiles() }

    private func closeFiles() {
        for file in files { close(file) }
        files = []
    }

    private func reader(
        _ bytes: [UInt8], _ form: TableForm = .csv, encoding: TableEncoding? = nil, hasHeader: Bool = true
    ) throws -> TableReader {
        let path = FileManager.default.temporaryDirectory.path + "/table-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let file = open(path, O_RDONLY)
        unlink(path)
        files.append(file)
        return try TableReader(file, name: "table", form: form, encoding: encoding, hasHeader: hasHeader)
    }

    private func rows(_ text: String, _ form: TableForm = .csv) throws -> [TableRow] {
        var reader = try reader(Array(text.utf8), form)
        defer { closeFiles() }
        var rows: [TableRow] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    private func cells(_ text: String) throws -> [[String]] {
        var reader = try reader(Array(text.utf8))
        defer { closeFiles() }
        var result = [reader.columns]
        while let row = try reader.next() { result.append(Cells(row.bytes, separator: reader.separator).all) }
        return result
    }

    @Test func cellsInQuotesHoldSeparatorsLineEndsAndQuotes() throws {
        let table = try cells("a,b\r\n\"1, 2\",\"x\ny\"\r\n\"say \"\"hi\"\"\",\r\n")
        #expect(table == [["a", "b"], ["1, 2", "x\ny"], ["say \"hi\"", ""]])
    }

    @Test(arguments: [",", ";", "\t", "|"]) func theSignBetweenCellsIsFoundInTheFirstLine(_ sign: String) throws {
        let table = try cells(["name", "\"street, number\"", "city"].joined(separator: sign) + "\n1\(sign)2\(sign)3")
        #expect(table == [["name", "street, number", "city"], ["1", "2", "3"]])
    }

    @Test func aByteOrderMarkBelongsToNoColumnAndStays() throws {
        let reader = try reader(Array("\u{FEFF}name,city\n".utf8))
        #expect(reader.columns == ["name", "city"] && reader.head.lead == [0xEF, 0xBB, 0xBF])
    }

    /// Letters of two, three and four bytes, cut by the end of the first 256 kB wherever it falls.
    @Test(arguments: ["ж", "名", "🏠"]) func letterThatTheFirstBytesCutIsNoFault(_ letter: String) throws {
        for shift in 0..<4 {
            let line = String(repeating: letter, count: 400_000 / letter.utf8.count)
            let text = "a,b\n" + String(repeating: "x", count: shift) + line + ",1\n"
            let read = try cells(text)
            #expect(read.last?.last == "1" && read.last?.first?.utf8.count == shift + line.utf8.count, "\(shift)")
        }
    }

    @Test func blankLinesAreNoRows() throws {
        let rows = try rows("a\n\n1\n\r\n2\n\n")
        #expect(rows.map { String(decoding: $0.bytes, as: UTF8.self) } == ["1", "2"])
        #expect(rows.map(\.line) == [3, 5])
    }

    @Test func aQuoteThatIsNotClosedDamagesOneRowAlone() throws {
        let rows = try rows("a,b\n1,\"open\n2,x\n3,y\n")
        #expect(rows.map { $0.damage != nil } == [true, false, false])
        let later = try self.rows("a,b\n1,\"open\n2,\"x\"\n3,y\n")
        #expect(later.map { $0.damage != nil } == [true, false, false])
    }

    @Test func quotesAmidATextAreLetters() throws {
        let table = try cells("a,b\nthe \"Bar\",x\n\"Bar\" Adler,y\n")
        #expect(table.dropFirst() == [["the \"Bar\"", "x"], ["\"Bar\" Adler", "y"]])
    }

    @Test func lettersOfOtherEncodingsAreReadOrRefused() throws {
        let text = "Straße;Ort\nStädtle;Zürich €\n"
        let utf16: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(try reader(utf16).columns == ["Straße", "Ort"])
        let windows: [UInt8] = text.unicodeScalars.map { $0 == "€" ? 0x80 : UInt8($0.value) }
        var table = try reader(windows, encoding: .windows1252)
        let row = try table.next()
        #expect(row?.bytes == Array("Städtle;Zürich €".utf8))
        let fault = #expect(throws: TableFault.self) { try reader(windows) }
        #expect(fault?.description.contains("--encoding windows-1252") == true)
        #expect(throws: TableFault.self) { try reader([0x50, 0x4B, 3, 4, 0, 0]) }
    }

    @Test func aLineThatIsNotUTF8IsDamaged() throws {
        // Behind the first bytes, by which the letters are found out.
        var bytes = Array("a\n".utf8)
        for _ in 0..<200_000 { bytes += Array("row\n".utf8) }
        bytes += [0x53, 0x74, 0xE4, 0x64, 0x0A]
        var table = try reader(bytes)
        var damaged: [Int] = []
        while let row = try table.next() { if row.damage != nil { damaged.append(row.line) } }
        #expect(damaged == [200_002])
    }

    @Test func featuresAreReadOneByOne() throws {
        let text = """
            {"type": "FeatureCollection", "name": "[x", "features": [
              {"type": "Feature", "properties": {"a": "}]\\""}, "geometry": null},
              {"type": "Feature"} ], "after": 1}

            """
        var table = try reader(Array(text.utf8), .geojson)
        var rows: [String] = []
        var whole = table.head.lead + table.head.bytes
        while let row = try table.next() {
            rows.append(String(decoding: row.bytes, as: UTF8.self))
            whole += row.lead + row.bytes + row.end
        }
        #expect(
            rows == [
                "{\"type\": \"Feature\", \"properties\": {\"a\": \"}]\\\"\"}, \"geometry\": null}",
                "{\"type\": \"Feature\"}",
            ])
        #expect(String(decoding: whole + table.tail, as: UTF8.self) == text)
        #expect(try self.rows("[{\"a\":1},2,{}]", .geojson).count == 3)
        #expect(throws: TableFault.self) { try self.rows("{\"type\":\"FeatureCollection\",\"features\":[{}", .geojson) }
        #expect(throws: TableFault.self) { try self.rows("{\"type\":\"Feature\"}", .geojson) }
    }

    /// Parts a text that is in memory, the plain way of RFC 4180; nil where a quote makes it no such table.
    private func plainly(_ text: [UInt8]) -> [[String]]? {
        var rows: [[String]] = []
        var row: [String] = []
        var cell: [UInt8] = []
        var index = 0
        while index <= text.count {
            let byte = index < text.count ? text[index] : 10
            if byte == 34 {
                guard cell.isEmpty else { return nil }
                index += 1
                while true {
                    guard index < text.count else { return nil }
                    if text[index] == 34 {
                        if index + 1 < text.count, text[index + 1] == 34 { index += 1 } else { break }
                    }
                    cell.append(text[index])
                    index += 1
                }
                index += 1
                guard index == text.count || text[index] == 44 || text[index] == 10 else { return nil }
                let next = index < text.count ? text[index] : 10
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
                if next == 10 {
                    rows.append(row)
                    row = []
                    if index >= text.count { break }
                }
                index += 1
                if next == 44, index == text.count {
                    rows.append(row + [""])
                    break
                }
                continue
            }
            if byte == 44 || byte == 10 {
                row.append(String(decoding: cell, as: UTF8.self))
                cell = []
                if byte == 10 {
                    if row != [""] || index < text.count { rows.append(row) }
                    row = []
                }
            } else {
                cell.append(byte)
            }
            index += 1
        }
        return rows.filter { $0 != [""] }
    }

    @Test func randomTablesAreReadAsThePlainWayReadsThemAndNothingIsLost() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("seed \(seed)")
        var state = seed
        func random(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        var compared = 0
        for _ in 0..<3_000 {
            let text = (0..<random(24)).map { _ in Array("ab,,\"\"\n".utf8)[random(7)] }
            defer { closeFiles() }
            var table = try reader(Array("a,b\n".utf8) + text)
            var whole = table.head.lead + table.head.bytes + table.head.end
            var rows: [[String]] = []
            var isDamaged = false
            while let row = try table.next() {
                whole += row.lead + row.bytes + row.end
                rows.append(Cells(row.bytes, separator: 44).all)
                if row.damage != nil { isDamaged = true }
            }
            #expect(whole + table.tail == Array("a,b\n".utf8) + text)
            guard let plain = plainly(text) else { continue }
            // A cell in quotes that holds nothing is a row here; a blank line is none.
            let expected = plain.map { $0.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) } }
            let got = rows.filter { $0 != [""] }
            #expect(
                !isDamaged && got == expected.filter { $0 != [""] },
                "\(String(decoding: text, as: UTF8.self).debugDescription)")
            compared += 1
        }
        #expect(compared > 300)
    }

    @Test func cellsAreWrittenSoThatTheyAreReadAlike() {
        for text in ["", "plain", "a,b", "say \"hi\"", "x\ny", " blank ", "\"", "ä;ö"] {
            let written = Cells.written(text, separator: 44)
            #expect(
                Cells(written + [44] + written, separator: 44).all
                    == [text, text].map { $0.trimmingCharacters(in: .whitespaces) })
        }
    }

    @Test func rowsAreFittedToTheColumns() {
        func fitted(_ row: String, _ count: Int) -> String {
            String(decoding: Cells(Array(row.utf8), separator: 44).fitted(to: count, separator: 44), as: UTF8.self)
        }
        #expect(fitted("a", 3) == "a,,")
        #expect(fitted("a,b,,", 2) == "a,b")
        #expect(fitted("a,b,c", 2) == "a,\"b,c\"")
    }
}

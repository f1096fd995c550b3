import Foundation
import Testing

@testable import SextantCommand

@Suite struct FormatAddressTests {
    private func parts(_ line: String) throws -> [String: String] { try FormatAddressCommand.parts(Array(line.utf8)) }

    @Test func textsAndNumbersAreParts() throws {
        #expect(
            try parts(#"{"road": "Städtle", "house_number": 13, "postcode": "09490", "state": null, "x": false}"#)
                == ["road": "Städtle", "house_number": "13", "postcode": "09490"])
        #expect(try parts("{}") == [:])
    }

    @Test(arguments: [
        (#"{"road": "#, "this is no JSON"), ("road", "this is no JSON"), ("[1]", "a list where the parts"),
        ("\"road\"", "a text where the parts"), (#"{"road": ["A"]}"#, "\"road\" is a list where a text is expected"),
        (#"{"road": {"name": "A"}}"#, "\"road\" is an object"), (#"{"road": true}"#, "\"road\" is true or false"),
    ])
    func whatIsNoAddressIsTold(line: String, reason: String) {
        let error = #expect(throws: FormatAddressCommand.LineFault.self) { try parts(line) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func linesAreReadToTheLastWhateverTheirLength() throws {
        let long = String(repeating: "x", count: LineReader.longest + 10)
        let text = "first\r\n\n" + String(repeating: "y", count: 200_000) + "\n" + long + "\nlast"
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-lines-\(UUID().uuidString)")
        try text.write(to: url, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: url) }
        let descriptor = open(url.path, O_RDONLY)
        defer { close(descriptor) }
        var reader = LineReader(descriptor: descriptor)
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        #expect(lines.map(\.number) == [1, 2, 3, 4, 5])
        #expect(lines.map { $0.bytes?.count } == [5, 0, 200_000, nil, 4])
    }

    @Test func whatCannotBeReadAtAllIsAnError() {
        var reader = LineReader(descriptor: -1)
        #expect(throws: POSIXError.self) { try reader.next() }
    }
}

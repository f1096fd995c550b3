import AtlasFiles
import Foundation
import Geometry
import Testing

/// A folder of its own for one test, removed at the end.
private final class Room {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/sextant-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

private func write(_ text: String, to path: String, prepare: (AtlasWriter) -> Void = { _ in }) throws {
    let writer = try AtlasWriter(path: path)
    prepare(writer)
    try Data(text.utf8).write(to: URL(fileURLWithPath: writer.path(of: "roads.graph")))
    let manifest = Manifest(
        atlasID: String(repeating: "a", count: 32), name: "Test", created: "2026-01-01T00:00:00Z", importer: "test",
        sources: [], counts: ["text": text.count], skipped: [:])
    try writer.finish(manifest, files: ["roads.graph"])
}

private func text(of path: String) throws -> String {
    let folder = try AtlasFolder(path: path)
    try folder.verify()
    return String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "roads.graph"))), as: UTF8.self)
}

@Test func anAtlasIsWrittenOpenedAndReplaced() throws {
    let room = try Room()
    try write("one", to: room.path + "/A.atlas")
    #expect(try text(of: room.path + "/A.atlas") == "one")
    try write("two", to: room.path + "/A.atlas/")
    #expect(try text(of: room.path + "/A.atlas") == "two")
    #expect(room.names == ["A.atlas"])
}

@Test(arguments: [false, true])
func aCrashAtAnyStepLeavesTheOldAtlasOrTheNewOne(withoutExchange: Bool) throws {
    let room = try Room()
    let before = try Room()
    try write("old", to: before.path + "/A.atlas")
    for step in AtlasWriter.Step.allCases {
        // What stands on the disk at the moment of the step is what a kill at it would leave.
        let crashed = room.path + "/crashed-\(step)-\(withoutExchange)"
        let work = room.path + "/work-\(step)-\(withoutExchange)"
        try FileManager.default.copyItem(atPath: before.path, toPath: work)
        try write("new", to: work + "/A.atlas") { writer in
            writer.withoutExchange = withoutExchange
            writer.reached = { reached in
                if reached == step { try? FileManager.default.copyItem(atPath: work, toPath: crashed) }
            }
        }
        guard FileManager.default.fileExists(atPath: crashed) else { continue }
        let found = try text(of: crashed + "/A.atlas")
        #expect(found == "old" || found == "new", "after a crash at \(step)")
        // The next writer clears up behind the killed one.
        try write("newer", to: crashed + "/A.atlas")
        #expect(try text(of: crashed + "/A.atlas") == "newer")
        #expect(try FileManager.default.contentsOfDirectory(atPath: crashed) == ["A.atlas"])
    }
}

@Test func aReaderKeepsItsAtlasWhenAnotherTakesItsPlace() throws {
    let room = try Room()
    let path = room.path + "/A.atlas"
    try write("old", to: path)
    let reader = try AtlasFolder(path: path)
    let file = try reader.openFile("roads.graph")
    defer { close(file) }
    try write("new!", to: path)
    var buffer = [UInt8](repeating: 0, count: 10)
    #expect(pread(file, &buffer, 10, 0) == 3)
    #expect(try text(of: path) == "new!")
}

@Test func twoWritersOfOneAtlasKeepApart() throws {
    let room = try Room()
    let first = try AtlasWriter(path: room.path + "/A.atlas")
    #expect(throws: AtlasError.busy(room.path + "/A.atlas")) { try AtlasWriter(path: room.path + "/A.atlas") }
    withExtendedLifetime(first) {}
}

@Test func anAbandonedWriterLeavesNothing() throws {
    let room = try Room()
    do {
        let writer = try AtlasWriter(path: room.path + "/A.atlas")
        try Data("x".utf8).write(to: URL(fileURLWithPath: writer.path(of: "x")))
    }
    #expect(room.names.isEmpty)
}

@Test func aFolderWithOtherThingsInItIsNeverReplaced() throws {
    let room = try Room()
    let path = room.path + "/Photos"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("dear".utf8).write(to: URL(fileURLWithPath: path + "/letter.txt"))
    #expect(throws: AtlasError.self) { try AtlasWriter(path: path) }
    #expect(throws: AtlasError.self) { try AtlasWriter(path: path + "/letter.txt") }
    #expect(FileManager.default.contents(atPath: path + "/letter.txt") == Data("dear".utf8))
}

@Test func everyFlippedByteIsFoundAndNoneCrashes() throws {
    let room = try Room()
    let path = room.path + "/A.atlas"
    try write("some text to flip", to: path)
    for name in ["manifest.json", "roads.graph"] {
        let file = path + "/" + name
        let whole = try #require(FileManager.default.contents(atPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        for index in whole.indices {
            var flipped = whole
            flipped[index] ^= UInt8(1 << (index % 8))
            try flipped.write(to: URL(fileURLWithPath: file))
            #expect(throws: AtlasError.self, "byte \(index) of \(name)") { try AtlasFolder(path: path).verify() }
        }
        try whole.write(to: URL(fileURLWithPath: file))
    }
    try AtlasFolder(path: path).verify()
}

@Test func truncatedMissingNewerAndForeignFoldersAreRefusedWithTheReason() throws {
    let room = try Room()
    let path = room.path + "/A.atlas"
    #expect(throws: AtlasError.noSuchAtlas(path)) { try AtlasFolder(path: path) }
    try write("text", to: path)
    let file = path + "/roads.graph"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    try Data("tex".utf8).write(to: URL(fileURLWithPath: file))
    #expect(throws: AtlasError.damagedAtlas(file: file, reason: "has 3 bytes instead of 4")) {
        try AtlasFolder(path: path)
    }
    try FileManager.default.removeItem(atPath: file)
    #expect(throws: AtlasError.damagedAtlas(file: file, reason: "is missing")) { try AtlasFolder(path: path) }
    let manifest = path + "/manifest.json"
    try FileManager.default.removeItem(atPath: manifest)
    try Data("{\"sextantAtlas\": 99}".utf8).write(to: URL(fileURLWithPath: manifest))
    #expect(throws: AtlasError.newerFormat(manifest, found: 99, known: Manifest.format)) {
        try AtlasFolder(path: path)
    }
    try Data("{\"sextantAtlas\": 1}".utf8).write(to: URL(fileURLWithPath: manifest))
    #expect(throws: AtlasError.oldFormat(manifest, found: 1, known: Manifest.format)) { try AtlasFolder(path: path) }
    try FileManager.default.removeItem(atPath: manifest)
    #expect(throws: AtlasError.self) { try AtlasFolder(path: path) }
}

@Test func coverageIsTheTilesWithTheirHolesFilledAndNotTheBoxAroundThem() throws {
    var builder = CoverageBuilder()
    // A ring of places around a lake, and one far town.
    for step in 0..<360 {
        let angle = Double(step) * .pi / 180
        builder.add(Coordinate(latitude: 47.6 + 0.4 * sin(angle), longitude: 9.4 + 0.6 * cos(angle)))
    }
    builder.add(Coordinate(latitude: 60.17, longitude: 24.94))
    let coverage = builder.finish()
    #expect(coverage.contains(Coordinate(latitude: 47.6, longitude: 9.4)))
    #expect(coverage.contains(Coordinate(latitude: 60.17, longitude: 24.94)))
    #expect(!coverage.contains(Coordinate(latitude: 54, longitude: 17)))
    #expect(!coverage.contains(Coordinate(latitude: .nan, longitude: 17)))
    let copy = try JSONDecoder().decode(Coverage.self, from: JSONEncoder().encode(coverage))
    #expect(copy == coverage)
}

@Test func coverageOffTheGlobeOrOfAnotherZoomIsRefused() {
    for text in [
        #"{"zoom":13,"rows":{}}"#, #"{"rows":{}}"#, #"{"zoom":12,"rows":{"5000":[[1,2]]}}"#,
        #"{"zoom":12,"rows":{"1":[[0,9223372036854775807]]}}"#, #"{"zoom":12,"rows":{"1":[[2,1]]}}"#,
        #"{"zoom":12,"rows":{"x":[[1,2]]}}"#, #"{"zoom":12,"rows":{"1":[[1]]}}"#,
    ] {
        #expect(throws: DecodingError.self, "\(text)") {
            try JSONDecoder().decode(Coverage.self, from: Data(text.utf8))
        }
    }
}

@Test func aFolderWhoseNameBeginsLikeAWorkingFolderIsNoLeftover() throws {
    let room = try Room()
    let other = room.path + "/.A.atlas.new-year"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(
        atPath: room.path + "/.A.atlas.new-12ab", withIntermediateDirectories: true)
    try write("text", to: room.path + "/A.atlas")
    #expect(room.names == [".A.atlas.new-year", "A.atlas"])
}

@Test func anAtlasNamedLikeAnEmptyChecksumIsReadAgain() throws {
    let room = try Room()
    let path = room.path + "/A.atlas"
    let writer = try AtlasWriter(path: path)
    try Data("text".utf8).write(to: URL(fileURLWithPath: writer.path(of: "roads.graph")))
    let zeros = String(repeating: "0", count: 64)
    let manifest = Manifest(
        atlasID: String(repeating: "a", count: 32), name: "\"sha256\" : \"\(zeros)\"", created: zeros, importer: zeros,
        sources: [], counts: [zeros: 1], skipped: [:])
    try writer.finish(manifest, files: ["roads.graph"])
    try AtlasFolder(path: path).verify()
}

@Test(.timeLimit(.minutes(5))) func aPipeInsteadOfAFileIsRefusedAndWaitsForNobody() throws {
    let room = try Room()
    let path = room.path + "/A.atlas"
    try write("text", to: path)
    for name in ["roads.graph", "manifest.json"] {
        try FileManager.default.removeItem(atPath: path + "/" + name)
        #expect(mkfifo(path + "/" + name, 0o644) == 0)
        #expect(throws: AtlasError.self) { try AtlasFolder(path: path) }
    }
}

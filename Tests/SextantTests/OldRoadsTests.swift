import AtlasFiles
import Foundation
import Importing
import OpenStreetMapFiles
import Sextant
import Testing

@testable import Routing

/// The seal of each file is set anew, so that the version alone is what differs.
@Test(arguments: ["roads.graph", "metrics/car.metric"], [-1, 1])
func roadsOfAnotherFormatAreRefusedAsAnOldOrANewAtlas(_ file: String, step: Int) throws {
    let room = try Room()
    let path = try importVillage(into: room)
    let known = Int(file == "roads.graph" ? RoadGraph.formatVersion : RoadMetric.formatVersion)
    let changed = "\(path)/\(file)"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: changed)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: changed)))
    bytes.withUnsafeMutableBytes { memory in
        memory.storeBytes(of: UInt32(known + step), toByteOffset: 8, as: UInt32.self)
        let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[0..<48]))
        memory.storeBytes(of: sum, toByteOffset: 48, as: UInt64.self)
    }
    let handle = try #require(FileHandle(forWritingAtPath: changed))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
    let expected =
        step < 0
        ? AtlasError.oldFormat(changed, found: known + step, known: known)
        : AtlasError.newerFormat(changed, found: known + step, known: known)
    #expect(throws: expected) { try Atlas.open([path]) }
}

@Test(arguments: ["roads", "roads: order", "roads: metrics"])
func anImportThatIsStoppedAtTheRoadsLeavesNothing(_ phase: String) throws {
    struct Enough: Error {}
    let room = try Room()
    var importer = AtlasImporter()
    importer.progress = { if $0.phase == phase { throw Enough() } }
    #expect(throws: Enough.self) {
        try importer.run([.memory(Array(village.utf8), format: "osm")], to: room.path + "/Village.atlas")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: room.path) == [])
}

import Foundation
import Gazetteer
import GazetteerData
import Geometry
import OpenStreetMap
import Testing

@testable import Importing

@Suite struct WorldImporterTests {
    @Test func theWorldHoldsCountriesRegionsZonesAndPlaces() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-world-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let keep = ProcessInfo.processInfo.environment["SX_KEEP"]
        defer { if keep == nil { try? FileManager.default.removeItem(at: folder) } }
        let path = keep ?? folder.appendingPathComponent("gazetteer.sqlite").path
        let clock = ContinuousClock()
        var last = clock.now
        let outlines = try CountryOutlines.load()
        let writer = try GazetteerWriter(
            path: path, source: WorldImporter.sources[0],
            options: GazetteerOptions(country: { outlines.country(at: $0)?.lowercased() }))
        try WorldImporter.add(to: writer)
        print("added", clock.now - last)
        last = clock.now
        var phase = ""
        let report = try writer.finish { progress in
            if progress.phase != phase {
                print(phase, clock.now - last)
                phase = progress.phase
                last = clock.now
            }
        }
        print(phase, clock.now - last)
        print(report)
    }
}

import Foundation
import Gazetteer
import GazetteerData
import Geometry
import Importing
import Sextant
import Testing

/// Points of land and sea in coastal extracts, known from what stands there: `tools/acceptance/ground`.
@Suite struct GroundCases {
    @Test(arguments: [
        ("towns-helsinki", "towns/helsinki.osm.pbf"), ("towns-monaco", "towns/monaco.osm.pbf"),
        ("monaco-2026-07-07", "data/osm/countries/monaco-2026-07-07.osm.pbf"),
        ("monaco-2021-04-21", "data/osm/formats/monaco-2021-04-21.lz4.osm.pbf"),
        ("maldives-2023-05-28", "data/osm/countries/maldives-2023-05-28.osm.pbf"),
        ("helgoland-2026-07-09", "data/osm/towns/helgoland-2026-07-09.osm.pbf"),
        ("helsinki-centre-2019-04-21", "data/osm/towns/helsinki-centre-2019-04-21.osm.pbf"),
        ("sydney-east-2021-01-15", "data/osm/towns/sydney-east-2021-01-15.osm.pbf"),
        ("porto-centre-2020-07-20", "data/osm/towns/porto-centre-2020-07-20.osm.pbf"),
        ("porto-region-roads-2015-06-06", "data/osm/road-networks/porto-region-roads-2015-06-06.osm.pbf"),
        ("ajaccio-ferries", "data/osm/edge-cases/ajaccio-ferries.osm.pbf"),
    ])
    func fiftyPointsAreOnTheirGround(_ name: String, _ path: String) throws {
        let extract = path.hasPrefix("towns/") ? try GazetteerData.url(path) : Shared.file(path)
        guard let extract else { return }
        let folder = FileManager.default.temporaryDirectory.path + "/sextant-ground-\(UUID().uuidString).atlas"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try AtlasImporter().run(files: [extract.path], to: folder)
        let source = try Atlas.open([folder]).mapSource
        let table = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("tools/acceptance/ground/\(name).tsv")
        var count = 0
        for line in try String(contentsOf: table, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            let latitude = try #require(Double(fields[0]))
            let longitude = try #require(Double(fields[1]))
            let point = MercatorPoint(Coordinate(latitude: latitude, longitude: longitude))
            for zoom in [12, 15] {
                #expect(try source.isLand(at: point, zoom: zoom) == (fields[2] == "land"), "zoom \(zoom): \(line)")
            }
            count += 1
        }
        #expect(count == 50)
    }
}

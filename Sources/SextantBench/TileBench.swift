import Cartography
import Foundation
import Gazetteer
import Geometry
import Sextant

/// Times drawing tiles of 256 points, zoom by zoom, one thread, in time of the processor: those around random features of
/// the first atlas, nothing kept from one to the next, and a walk over neighbouring ones.
enum TileBench {
    static func run(_ paths: [String], world: String?, seed: UInt64, count: Int) throws {
        let atlas = try Atlas.open(paths, world: world)
        guard let part = atlas.parts.first else { return }
        let samples = try Sample.all(of: part.gazetteer)
        guard !samples.isEmpty else { throw AtlasHasNothing(path: paths[0]) }
        var random = SeededGenerator(seed: seed)
        var figures: [String: Any] = ["seed": seed]
        // Fonts are loaded once a process.
        _ = try MapPainter(source: atlas.mapSource).tile(zoom: 0, x: 0, y: 0)
        let painter = try MapPainter(source: atlas.mapSource)
        for zoom in 6...18 {
            var alone = Timings()
            var walk = Timings()
            for _ in 0..<count {
                guard let place = samples.randomElement(using: &random)?.location else { continue }
                let point = Mercator.project(place)
                let (x, y) = (Int(point.x * exp2(Double(zoom))), Int(point.y * exp2(Double(zoom))))
                painter.forgetTiles()
                try alone.timeOnProcessor { _ = try painter.tile(zoom: zoom, x: x, y: y) }
            }
            if let place = samples.randomElement(using: &random)?.location {
                let point = Mercator.project(place)
                let side = max(Int(Double(count).squareRoot()), 1)
                let (x, y) = (Int(point.x * exp2(Double(zoom))), Int(point.y * exp2(Double(zoom))))
                for row in 0..<side {
                    for column in 0..<side {
                        let tile = (x + column - side / 2, y + row - side / 2)
                        guard (0..<1 << zoom).contains(tile.0), (0..<1 << zoom).contains(tile.1) else { continue }
                        try walk.timeOnProcessor { _ = try painter.tile(zoom: zoom, x: tile.0, y: tile.1) }
                    }
                }
            }
            figures[zoom < 10 ? "z0\(zoom)" : "z\(zoom)"] = ["alone": alone.figures, "walk": walk.figures]
        }
        try SextantBench.print(figures)
    }

    /// Compares tiles of 512 points with the four of 256 in them, drawn by another painter, from zoom 0 to 19 of the large
    /// ones: around random features and at the date line.
    static func seams(_ paths: [String], world: String?, seed: UInt64, count: Int) throws {
        let atlas = try Atlas.open(paths, world: world)
        guard let part = atlas.parts.first else { return }
        let samples = try Sample.all(of: part.gazetteer)
        var random = SeededGenerator(seed: seed)
        let one = try MapPainter(source: atlas.mapSource)
        let other = try MapPainter(source: atlas.mapSource)
        var compared = 0
        var different: [String] = []
        for zoom in 0...19 {
            var tiles: Set<[Int]> = []
            for _ in 0..<count {
                guard let place = samples.randomElement(using: &random)?.location else { continue }
                let point = Mercator.project(place)
                let y = Int(point.y * exp2(Double(zoom)))
                tiles.insert([Int(point.x * exp2(Double(zoom))), y])
                // Both sides of the date line, in the same latitude.
                tiles.insert([0, y])
                tiles.insert([(1 << zoom) - 1, y])
            }
            for tile in tiles.sorted(by: { ($0[0], $0[1]) < ($1[0], $1[1]) }) {
                let whole = try one.tilePixels(zoom: zoom, x: tile[0], y: tile[1], size: 512)
                for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let (x, y) = (2 * tile[0] + column, 2 * tile[1] + row)
                    let small = try other.tilePixels(zoom: zoom + 1, x: x, y: y)
                    let isEqual = (0..<256).allSatisfy { line in
                        let start = ((row * 256 + line) * 512 + column * 256) * 4
                        return whole[start..<start + 1024] == small[line * 1024..<(line + 1) * 1024]
                    }
                    compared += 1
                    if !isEqual { different.append("\(zoom + 1)/\(x)/\(y)") }
                }
                one.forgetTiles()
            }
        }
        try SextantBench.print(["compared": compared, "different": different])
    }
}

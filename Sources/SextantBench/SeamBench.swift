import Cartography
import Foundation
import Geometry
import Sextant

/// Whether map tiles join: four tiles of 256 pixels against one drawing of 512 pixels of their area, pixel by pixel.
enum SeamBench {
    /// Looks at the areas around random features of the first atlas, and around the date line where it comes near that, at
    /// zooms 0 to 19. The figures are areas compared, and pixels that differ.
    static func run(_ paths: [String], world: String?, seed: UInt64, count: Int) throws {
        let atlas = try Atlas.open(paths, world: world)
        guard let part = atlas.parts.first else { return }
        var places = try Sample.all(of: part.gazetteer).map(\.location)
        guard !places.isEmpty else { throw AtlasHasNothing(path: paths[0]) }
        if let point = places.first(where: { abs($0.longitude) > 179 }) {
            for longitude in [-180, 179.999999] {
                let edge = Coordinate(latitude: point.latitude, longitude: longitude)
                places += Array(repeating: edge, count: places.count / 4)
            }
        }
        let painter = try MapPainter(source: atlas.mapSource)
        var random = SeededGenerator(seed: seed)
        var areas = 0
        var differing = 0
        for zoom in 0...19 {
            for _ in 0..<count {
                guard let place = places.randomElement(using: &random) else { continue }
                differing += try differences(painter, zoom: zoom, around: place)
                areas += 1
            }
        }
        try SextantBench.print(["areas": areas, "differing_pixels": differing, "seed": seed])
    }

    /// Differing pixels between the 512-pixel tile around a place and the four tiles of its area.
    private static func differences(_ painter: MapPainter, zoom: Int, around place: Coordinate) throws -> Int {
        let size = Mercator.world >> Int32(zoom)
        let point = MercatorPoint(place)
        let last = (1 << zoom) - 1
        let (x, y) = (min(Int(point.x / size), last), min(Int(point.y / size), last))
        let whole = try painter.tilePixels(zoom: zoom, x: x, y: y, size: 512)
        var count = 0
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let tile = try painter.tilePixels(zoom: zoom + 1, x: 2 * x + column, y: 2 * y + row)
            for line in 0..<256 {
                let from = ((row * 256 + line) * 512 + column * 256) * 4
                let part = whole[from..<from + 1024]
                let own = tile[line * 1024..<(line + 1) * 1024]
                if part.elementsEqual(own) { continue }
                count += stride(from: 0, to: 1024, by: 4).count {
                    !part.dropFirst($0).prefix(4).elementsEqual(own.dropFirst($0).prefix(4))
                }
            }
        }
        return count
    }
}

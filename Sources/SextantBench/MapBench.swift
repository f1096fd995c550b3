import Cartography
import Foundation
import Gazetteer
import Geometry
import Sextant

/// Times reading the shapes of map tiles, zoom by zoom, one thread, after a warming round; and tells the ground at points.
enum MapBench {
    /// Tiles of 256 pixels, with the margin that labels ask for, around random features of the first atlas.
    static func run(_ paths: [String], world: String?, seed: UInt64, count: Int) throws {
        let atlas = try Atlas.open(paths, world: world)
        guard let part = atlas.parts.first else { return }
        let samples = try Sample.all(of: part.gazetteer)
        guard !samples.isEmpty else { throw AtlasHasNothing(path: paths[0]) }
        let source = atlas.mapSource
        var random = SeededGenerator(seed: seed)
        var figures: [String: Any] = ["seed": seed]
        for zoom in 0...19 {
            let tiles = (0..<count).compactMap { _ in
                samples.randomElement(using: &random).map { Self.tile(around: $0.location, zoom) }
            }
            var timings = Timings()
            var shapes = 0
            var most = 0
            for _ in 0..<2 {
                timings = Timings()
                shapes = 0
                for tile in tiles {
                    var here = 0
                    try timings.time {
                        try source.forEachMapShape(in: tile, zoom: zoom, languages: ["en"]) { _ in here += 1 }
                    }
                    shapes += here
                    most = max(most, here)
                }
            }
            var own = timings.figures
            own["shapes"] = count > 0 ? shapes / count : 0
            own["most_shapes"] = most
            figures[zoom < 10 ? "z0\(zoom)" : "z\(zoom)"] = own
        }
        try SextantBench.print(figures)
    }

    private static func tile(around place: Coordinate, _ zoom: Int) -> MercatorBox {
        let point = MercatorPoint(place)
        let size = Mercator.world >> Int32(zoom)
        let margin = size / 8
        let (x, y) = (point.x / size * size, point.y / size * size)
        return MercatorBox(
            minX: x - margin, minY: max(0, y - margin), maxX: x + size - 1 + margin,
            maxY: min(Mercator.world, y + size - 1 + margin))
    }

    /// Prints each line of a table of latitude, longitude and more with the ground there, `land` or `sea`: by the shapes at
    /// three zooms, and by the colour of most drawings at zooms 16 to 18.
    static func ground(_ paths: [String], world: String?, points: String) throws {
        let source = try Atlas.open(paths, world: world).mapSource
        let painter = try MapPainter(source: source)
        for line in try String(contentsOfFile: points, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            guard fields.count >= 2, let latitude = Double(fields[0]), let longitude = Double(fields[1]) else {
                continue
            }
            let place = MercatorPoint(Coordinate(latitude: latitude, longitude: longitude))
            let grounds = try [6, 12, 19].map { try source.isLand(at: place, zoom: $0) ? "land" : "sea" }
            let blue = try (16...18).count { try isBlue(painter, at: place, zoom: $0) }
            print("\(line)\t\(grounds.joined(separator: "\t"))\t\(blue >= 2 ? "sea" : "land")")
        }
    }

    /// Whether most of the tile around the point, 21 pixels each way, has the colour of water: a name or the line of a ferry
    /// may run over the point itself.
    private static func isBlue(_ painter: MapPainter, at point: MercatorPoint, zoom: Int) throws -> Bool {
        guard let sea = painter.style.colour("sea", painter.look) else { return false }
        let colour = [sea.red, sea.green, sea.blue]
        let unit = Mercator.world >> Int32(zoom + 8)
        let (x, y) = (Int(point.x / unit), Int(point.y / unit))
        let pixels = try painter.tilePixels(zoom: zoom, x: x / 256, y: y / 256)
        var blue = 0
        var all = 0
        for row in max(y % 256 - 10, 0)...min(y % 256 + 10, 255) {
            for column in max(x % 256 - 10, 0)...min(x % 256 + 10, 255) {
                let offset = (row * 256 + column) * 4
                let isBlue = colour.indices.allSatisfy { abs(Double(pixels[offset + $0]) - colour[$0] * 255) < 8 }
                blue += isBlue ? 1 : 0
                all += 1
            }
        }
        return 2 * blue > all
    }
}

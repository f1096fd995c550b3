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

    /// Prints each line of a table of latitude, longitude and more with the ground there: `land` or `sea`.
    static func ground(_ paths: [String], world: String?, points: String) throws {
        let source = try Atlas.open(paths, world: world).mapSource
        for line in try String(contentsOfFile: points, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            guard fields.count >= 2, let latitude = Double(fields[0]), let longitude = Double(fields[1]) else {
                continue
            }
            let place = MercatorPoint(Coordinate(latitude: latitude, longitude: longitude))
            let grounds = try [6, 12, 19].map { try source.isLand(at: place, zoom: $0) ? "land" : "sea" }
            print("\(line)\t\(grounds.joined(separator: "\t"))")
        }
    }
}

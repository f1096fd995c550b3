import Foundation
import Gazetteer
import Geometry
import Testing

@testable import Cartography

struct TileTests {
    /// How many pixels of a 512-point tile differ from the four tiles of 256 points.
    private func differences(_ painter: MapPainter, zoom: Int, x: Int, y: Int, scale: Int = 1) throws -> Int {
        let whole = try painter.tilePixels(zoom: zoom, x: x, y: y, size: 512, scale: scale)
        let side = 256 * scale
        var count = 0
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            // A painter of its own, so that nothing is shared with the other drawing.
            let other = try MapPainter(source: painter.source, style: painter.style, look: painter.look)
            let part = try other.tilePixels(zoom: zoom + 1, x: 2 * x + column, y: 2 * y + row, scale: scale)
            for line in 0..<side {
                let start = ((row * side + line) * 2 * side + column * side) * 4
                if whole[start..<start + side * 4] != part[line * side * 4..<(line + 1) * side * 4] { count += 1 }
            }
        }
        return count
    }

    @Test(arguments: [1, 3, 6, 9, 10, 13, 15, 17, 18, 19])
    func fourTilesAreTheTileOfTwiceTheirSize(zoom: Int) throws {
        let painter = try MapPainter(source: SmallMap.town(zoom: zoom))
        let middle = 1 << (zoom - 1)
        for (x, y) in [(0, 0), (-1, 0), (0, -1)] where zoom > 1 {
            let (column, row) = ((middle + x) / 2, (middle + y) / 2)
            #expect(try differences(painter, zoom: zoom - 1, x: column, y: row) == 0)
        }
        if zoom == 1 { #expect(try differences(painter, zoom: 0, x: 0, y: 0) == 0) }
    }

    @Test func tilesOfTwoPixelsAPointJoinToo() throws {
        let painter = try MapPainter(source: SmallMap.town(zoom: 16), look: .dark)
        #expect(try differences(painter, zoom: 15, x: 1 << 14, y: 1 << 14, scale: 2) == 0)
    }

    @Test(arguments: [6, 13, 16, 18])
    func tilesShowWhatOneDrawingOfTheirAreaShows(zoom: Int) throws {
        let painter = try MapPainter(source: SmallMap.town(zoom: zoom))
        let middle = 1 << (zoom - 1)
        let whole = try painter.square(zoom: zoom, left: middle * 256, top: middle * 256, size: 512, scale: 1).pixels()
        let tile = try painter.tilePixels(zoom: zoom - 1, x: middle / 2, y: middle / 2, size: 512)
        // But for the last bits of smoothed edges.
        let largest = zip(whole, tile).map { abs(Int($0) - Int($1)) }.max() ?? 255
        #expect(largest <= 12)
    }

    @Test func namesCrossTheEdgesOfTiles() throws {
        let painter = try MapPainter(source: SmallMap.town(zoom: 16))
        let cell = try painter.contents(Cell(zoom: 16, column: 1 << 14, row: 1 << 14))
        #expect(cell.labels.count > 20)
        #expect(cell.labels.contains { $0.bounds.minX < 250 && $0.bounds.maxX > 262 })
    }

    @Test func shapesOverTheDateLineShowOnBothSides() throws {
        var map = SmallMap()
        let world = Mercator.world
        map.add(
            .land,
            .area([
                [
                    MercatorPoint(x: world - 9_000_000, y: world / 2),
                    MercatorPoint(x: world + 9_000_000, y: world / 2),
                    MercatorPoint(x: world + 9_000_000, y: world / 2 + 9_000_000),
                    MercatorPoint(x: world - 9_000_000, y: world / 2 + 9_000_000),
                ]
            ]))
        let painter = try MapPainter(source: map)
        let land = try #require(painter.style.colour("land", .light))
        for x in [0, 63] {
            let pixels = try painter.tilePixels(zoom: 6, x: x, y: 32)
            let at = (20 * 256 + (x == 0 ? 5 : 250)) * 4
            #expect(abs(Double(pixels[at]) / 255 - land.red) < 0.01)
        }
        // A picture whose left half is on one side and whose right half on the other.
        let line = Coordinate(latitude: -1, longitude: 180)
        let picture = try painter.pixels(MapFrame(center: line, zoom: 6, width: 200, height: 100))
        for x in [60, 140] { #expect(abs(Double(picture[(50 * 200 + x) * 4]) / 255 - land.red) < 0.01) }
    }

    @Test func tilesThatDoNotExistAreRefused() throws {
        let painter = try MapPainter(source: SmallMap())
        for (zoom, x, y) in [
            (-1, 0, 0), (23, 0, 0), (0, 1, 0), (3, 0, 8), (3, -1, 0), (Int.max, 0, 0), (2, Int.max, Int.min),
        ] {
            #expect(throws: CartographyError.noSuchTile(zoom: zoom, x: x, y: y)) {
                try painter.tile(zoom: zoom, x: x, y: y)
            }
        }
        #expect(throws: CartographyError.self) { try painter.tile(zoom: 0, x: 0, y: 0, size: 300) }
        #expect(throws: CartographyError.self) { try painter.tile(zoom: 0, x: 0, y: 0, scale: 3) }
    }
}

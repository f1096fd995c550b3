import Foundation
import Gazetteer
import Geometry
import Testing

@testable import Cartography

struct TileTests {
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

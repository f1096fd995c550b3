import Geometry
import Testing

@testable import Gazetteer

struct MapCoverTests {
    private let tile = Int32(1) << MapCover.tileShift

    @Test func theReachOfACoverEndsWhereAGapIsWiderThanATile() {
        var cover = MapCover()
        let near = MercatorBox(minX: 10 * tile + 5, minY: 7 * tile + 9, maxX: 12 * tile + 3, maxY: 7 * tile + 99)
        cover.add(near)
        cover.add(MercatorBox(minX: 20 * tile, minY: 7 * tile, maxX: 21 * tile, maxY: 7 * tile + 1))
        let world = MercatorBox(minX: 0, minY: 0, maxX: Mercator.world, maxY: Mercator.world)
        #expect(cover.reach(around: MercatorPoint(x: 11 * tile, y: 7 * tile), in: world) == near)
        // A place just outside is served by its neighbour, one farther off by none.
        #expect(cover.reach(around: MercatorPoint(x: 9 * tile, y: 6 * tile), in: world) == near)
        #expect(cover.reach(around: MercatorPoint(x: 8 * tile, y: 6 * tile), in: world) == nil)
    }

    @Test func aCoverAtTheDateLineOrThePoleIsReadAsItWasWritten() throws {
        let world = Mercator.world
        for box in [
            MercatorBox(minX: world - 9, minY: 5 * tile, maxX: world + tile - 1, maxY: 6 * tile),
            MercatorBox(minX: -tile, minY: 5 * tile, maxX: 9, maxY: 6 * tile),
            MercatorBox(minX: 0, minY: world - 5, maxX: tile, maxY: world + tile),
            MercatorBox(minX: .min, minY: -tile, maxX: .min + 9, maxY: 9),
        ] {
            var cover = MapCover()
            cover.add(box)
            #expect(try #require(MapCover(text: cover.text)) == cover)
        }
    }

    @Test func theReachIsHeldToTheBox() {
        var cover = MapCover()
        cover.add(MercatorBox(minX: 0, minY: 0, maxX: 30 * tile, maxY: 30 * tile))
        let box = MercatorBox(minX: 2 * tile + 1, minY: 3 * tile, maxX: 4 * tile, maxY: 5 * tile + 7)
        #expect(cover.reach(around: MercatorPoint(x: 3 * tile, y: 4 * tile), in: box) == box)
    }
}

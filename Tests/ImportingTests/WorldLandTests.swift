import Geometry
import Testing

@testable import Importing

@Suite struct WorldLandTests {
    @Test func theWorldsLandHasNoSeamsAtBordersAndGoesOnOverTheDateLine() throws {
        let world = WorldLand(try WorldOutlines.load("world/outlines.tsv.gz"))
        func isLand(_ latitude: Double, _ longitude: Double) -> Bool {
            let point = MercatorPoint(Coordinate(latitude: latitude, longitude: longitude))
            return world.land.contains { MercatorRing.contains(point, rings: $0.rings) }
        }
        #expect(isLand(47.14, 9.52))  // Vaduz
        #expect(isLand(-23.7, 133.88))  // Alice Springs
        #expect(!isLand(40, -30) && !isLand(-40, 100))
        #expect(isLand(68, 179.95) && isLand(68, -179.95))  // Chukotka
        #expect(!isLand(0, 179.95) && !isLand(0, -179.95))
        // The Caspian Sea is water within the land, Liechtenstein's border a border.
        #expect(world.land.contains { $0.rings.count > 1 })
        #expect(world.countryBorders.count > 500 && world.regionBorders.count > 3000)
        let box = MercatorRing.box([
            MercatorPoint(Coordinate(latitude: 47.3, longitude: 9.4)),
            MercatorPoint(Coordinate(latitude: 47, longitude: 9.7)),
        ])
        let inland = world.land(in: try #require(box))
        #expect(inland.count == 1)
    }
}

import Testing

@testable import Geometry

@Suite struct MercatorTests {
    @Test func aPointOfTheMapGivesItsCoordinateBackWithinAUnit() {
        for (latitude, longitude) in [(0.0, 0.0), (60.17, 24.94), (-33.9, 151.2), (43.7, 7.4), (84.9, -179.9)] {
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            #expect(MercatorPoint(coordinate).coordinate.distance(to: coordinate) < 0.04)
        }
    }

    @Test func placesFarBeyondTheWorldAreHeldThere() {
        for longitude in [540.0, -900, 1e300, -1e300, .infinity, -.infinity, .nan] {
            let point = MercatorPoint(Coordinate(latitude: 10, longitude: longitude))
            #expect(point.x == .max || point.x == .min)
        }
    }

    @Test func theCornersOfTheWorldAreThoseOfTheSquare() {
        #expect(MercatorPoint(Coordinate(latitude: 90, longitude: -180)) == MercatorPoint(x: 0, y: 0))
        let corner = MercatorPoint(x: Mercator.world, y: Mercator.world)
        #expect(MercatorPoint(Coordinate(latitude: -90, longitude: 180)) == corner)
    }
}

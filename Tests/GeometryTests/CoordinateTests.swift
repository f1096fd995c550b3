import Geometry
import Testing

@Test func oneDegreeAlongTheEquatorIsAsLongAsTheSphereSays() {
    let a = Coordinate(latitude: 0, longitude: 0)
    let b = Coordinate(latitude: 0, longitude: 1)
    #expect(abs(a.distance(to: b) - 111_195.08) < 0.01)
    #expect(a.bearing(to: b) == 90)
    #expect(b.bearing(to: a) == 270)
}

@Test func aPlaceThatIsNoNumberIsNotValid() {
    #expect(!Coordinate(latitude: .nan, longitude: 0).isValid)
    #expect(Coordinate(latitude: 90, longitude: -180).isValid)
}

@Test func aBoxOverTheDateLineHoldsBothSides() {
    let box = BoundingBox(west: 179, south: -20, east: -179, north: -10)
    #expect(box.contains(Coordinate(latitude: -15, longitude: 179.5)))
    #expect(box.contains(Coordinate(latitude: -15, longitude: -179.5)))
    #expect(!box.contains(Coordinate(latitude: -15, longitude: 0)))
    #expect(abs(box.center.longitude) == 180)
}

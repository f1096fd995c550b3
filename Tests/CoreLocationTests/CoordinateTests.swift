import CoreLocation
import Testing

@Suite struct CoordinateTests {
    @Test func scenario0_1ACoordinateIsReadBackLatitudeFirst() {
        let cathedral = CLLocationCoordinate2DMake(50.941302, 6.957189)
        #expect(cathedral.latitude == 50.941302)
        #expect(cathedral.longitude == 6.957189)
        #expect(CLLocationCoordinate2D().latitude == 0)
    }

    @Test(arguments: [
        (90.0, 180.0, true), (-90, -180, true), (90.0001, 0, false), (0, 180.0001, false), (.nan, 0, false),
    ])
    func validityCountsBothEnds(_ latitude: Double, _ longitude: Double, _ valid: Bool) {
        #expect(
            CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: latitude, longitude: longitude)) == valid)
    }

    @Test func theInvalidCoordinateIsInvalid() {
        #expect(kCLLocationCoordinate2DInvalid.latitude == -180)
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }
}

// A program's own conformances must not meet ones of the module.
private protocol Answer { static var isYes: Bool { get } }
extension Answer { static var isYes: Bool { false } }
private struct Asks<T>: Answer {}
extension Asks where T: Equatable { static var isYes: Bool { true } }

extension CoordinateTests {
    @Test func surprise10StructuresHaveNoEqualityOfTheirOwn() {
        #expect(Asks<Int>.isYes)
        #expect(!Asks<CLLocationCoordinate2D>.isYes)
        #expect(!(CLLocationCoordinate2D() as Any is any Hashable))
        #expect(!(CLLocationCoordinate2D() as Any is any Encodable))
    }
}

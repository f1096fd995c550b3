import CoreLocation
import Foundation
import Testing

@Suite struct LocationTests {
    @Test func surprise15APlainLocationClaimsAccuracyZeroAndNoHeight() {
        let before = Date()
        let place = CLLocation(latitude: 50.941302, longitude: 6.957189)
        #expect(place.altitude == 0 && place.horizontalAccuracy == 0 && place.verticalAccuracy == -1)
        #expect(place.course == -1 && place.speed == -1 && place.courseAccuracy == -1 && place.speedAccuracy == -1)
        #expect(place.timestamp >= before && place.timestamp <= Date())
        #expect(place.floor == nil)
        #expect(place.sourceInformation?.isSimulatedBySoftware == false)
        #expect(place.description.hasPrefix("<+50.94130200,+6.95718900> +/- 0.00m"))
    }

    @Test func oneDegreeOnTheEquatorIsAsLongAsItSays() {
        let metres = CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 0, longitude: 1))
        #expect(abs(metres - 111_319.4908) < 5e-5)
    }

    @Test func surprise5LocationsAreMeasuredOnTheEllipsoid() {
        // On a sphere a degree is as long everywhere.
        let atEquator = CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 1, longitude: 0))
        let atPole = CLLocation(latitude: 89, longitude: 0).distance(from: CLLocation(latitude: 90, longitude: 0))
        #expect(abs(atEquator - 110_574.3886) < 1e-3)
        #expect(abs(atPole - 111_693.8647) < 1e-3)
    }

    @Test func antipodesHaveADistanceAndTheShortWayIsTaken() {
        let here = CLLocation(latitude: 0, longitude: 0)
        #expect(abs(here.distance(from: CLLocation(latitude: 0, longitude: 180)) - 20_003_931.4586) < 1e-3)
        #expect(abs(here.distance(from: CLLocation(latitude: 0.5, longitude: 179.7)) - 19_944_127.421) < 1e-3)
        let west = CLLocation(latitude: 0, longitude: 179.5)
        #expect(west.distance(from: CLLocation(latitude: 0, longitude: -179.5)) < 111_320)
    }

    @Test func aFullLocationKeepsEverything() {
        let time = Date(timeIntervalSince1970: 1_700_000_000)
        let source = CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false)
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: -1, longitude: 2), altitude: 3, horizontalAccuracy: 4,
            verticalAccuracy: 5, course: 6, courseAccuracy: 7, speed: 8, speedAccuracy: 9, timestamp: time,
            sourceInfo: source)
        #expect(place.coordinate.latitude == -1 && place.altitude == 3 && place.ellipsoidalAltitude == 3)
        #expect(place.horizontalAccuracy == 4 && place.verticalAccuracy == 5 && place.course == 6)
        #expect(place.courseAccuracy == 7 && place.speed == 8 && place.speedAccuracy == 9 && place.timestamp == time)
        #expect(place.sourceInformation?.isSimulatedBySoftware == true)
        #expect((place.copy() as? CLLocation)?.timestamp == time)
    }

    @Test func locationsAreEqualByIdentity() {
        let a = CLLocation(latitude: 1, longitude: 2)
        #expect(a == a)
        #expect(a != CLLocation(latitude: 1, longitude: 2))
    }

    @Test func aCircleContainsByTheEllipsoidAndANegativeOneNothing() {
        let center = CLLocationCoordinate2D(latitude: 0, longitude: 180)
        let circle = CLCircularRegion(center: center, radius: 111_320, identifier: "a")
        #expect(circle.notifyOnEntry && circle.notifyOnExit)
        #expect(circle.contains(CLLocationCoordinate2D(latitude: 0, longitude: -179)))
        #expect(!circle.contains(CLLocationCoordinate2D(latitude: 0, longitude: -178.99)))
        #expect(!circle.contains(kCLLocationCoordinate2DInvalid))
        let negative = CLCircularRegion(center: center, radius: -1, identifier: "b")
        #expect(negative.radius == -1 && !negative.contains(center))
    }

    @Test func errorsCarryTheirDomainAndNumber() {
        #expect(CLError.errorDomain == "kCLErrorDomain" && kCLErrorDomain == "kCLErrorDomain")
        let error: any Error = CLError(.geocodeCanceled, userInfo: [NSLocalizedDescriptionKey: "stopped"])
        #expect((error as NSError).domain == "kCLErrorDomain" && (error as NSError).code == 10)
        #expect(error.localizedDescription == "stopped" && (error as NSError).localizedDescription == "stopped")
        #expect((error as? CLError)?.code == .geocodeCanceled)
        #expect(CLError(.denied) == CLError(.denied) && CLError(.denied) != CLError(.network))
        #expect(CLError.Code.historicalLocationError.rawValue == 19 && CLError.Code(rawValue: 20) == nil)
    }
}

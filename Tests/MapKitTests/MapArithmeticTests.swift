import MapKit
import Testing

@Suite struct MapArithmeticTests {
    // MARK: Spans and regions

    @Test func aKilometreAtTheEquatorIsThisManyDegrees() {
        let region = MKCoordinateRegion(center: coordinate(0, 0), latitudinalMeters: 1000, longitudinalMeters: 1000)
        #expect(region.span.latitudeDelta == 0.009043695025814083)
    }

    @Test func nothingIsCheckedOrClamped() {
        let region = MKCoordinateRegion(
            center: coordinate(400, -900), span: MKCoordinateSpan(latitudeDelta: -5, longitudeDelta: 1e9))
        #expect(region.center.latitude == 400 && region.center.longitude == -900)
        #expect(region.span.latitudeDelta == -5 && region.span.longitudeDelta == 1e9)
        let empty = MKCoordinateRegion()
        #expect(empty.center.latitude == 0 && empty.span.longitudeDelta == 0)
    }

    @Test func theWorldIsThisRegion() {
        let region = MKCoordinateRegion(.world)
        #expect(region.center.latitude == 0 && region.center.longitude == 0)
        #expect(region.span.latitudeDelta == 170.10225755961318)
        #expect(region.span.longitudeDelta == 360)
    }

    @Test func overTheDateLineTheCentreWraps() {
        let west = MKMapPoint(coordinate(-17, 179))
        let rect = MKMapRect(x: west.x, y: west.y, width: MKMapSize.world.width / 360 * 3, height: 1000)
        let region = MKCoordinateRegion(rect)
        #expect(abs(region.center.longitude - -179.5) < 1e-9)
        #expect(abs(region.span.longitudeDelta - 3) < 1e-9)
    }

    // MARK: Points

    @Test func pointsAndCoordinatesAreEachOthersInverse() {
        for place in [coordinate(50.941302, 6.957189), coordinate(-33.9, 18.4), coordinate(84.9, -179.9)] {
            let back = MKMapPoint(place).coordinate
            #expect(abs(back.latitude - place.latitude) < 1e-12 && abs(back.longitude - place.longitude) < 1e-12)
        }
    }

    @Test func theMapEndsAtBothSidesOfTheDateLine() {
        #expect(MKMapPoint(coordinate(0, 180)).x == 268_435_456)
        #expect(MKMapPoint(coordinate(0, -180)).x == 0)
        #expect(MKMapPoint(coordinate(0, 0)).y == 134_217_728)
        #expect(MKMapPoint(x: 268_435_456 + 1, y: 0).coordinate.longitude < -179.99)
        #expect(MKMapPoint(x: -1, y: 0).coordinate.longitude > 179.99)
    }

    @Test func distanceOfMapPointsIsHaversineOnALocalSphere() {
        let start = MKMapPoint(coordinate(0, 0))
        #expect(abs(start.distance(to: MKMapPoint(coordinate(0, 1))) - 6_378_160 * .pi / 180) < 1e-6)
        let far = MKMapPoint(coordinate(0, 180)).distance(to: start)
        #expect(abs(far - 6_378_160 * .pi) < 1)
        #expect(MKMapPoint(x: .nan, y: 0).distance(to: start).isNaN)
    }

    @Test func pointsPerMetreAreThese() {
        #expect(MKMapPointsPerMeterAtLatitude(0) == 6.74355336508965)
        #expect(MKMapPointsPerMeterAtLatitude(60) == 13.386685395352174)
        for latitude in [85.5, 87, 89.5, -85.5, -89.5, 90.6, 91, -91] {
            #expect(MKMapPointsPerMeterAtLatitude(latitude) == 0)
            #expect(MKMetersPerMapPointAtLatitude(latitude) == .infinity)
        }
        #expect(MKMapPointsPerMeterAtLatitude(.nan).isNaN)
        #expect(MKMapPointsPerMeterAtLatitude(90) > 0)
        for latitude in stride(from: -84.0, through: 84, by: 1) {
            let plain = MKMapSize.world.width / (40_075_017 * cos(latitude * .pi / 180))
            #expect(abs(MKMapPointsPerMeterAtLatitude(latitude) / plain - 1) < 0.0075)
        }
    }

    // MARK: Rectangles

    @Test func nullIsNeutralAndAPointRectangleCountsWithItsPlace() {
        let point = MKMapRect(x: 5, y: 7, width: 0, height: 0)
        #expect(MKMapRectEqualToRect(MKMapRect.null.union(point), point))
        #expect(MKMapRectEqualToRect(point.union(.null), point))
        let both = point.union(MKMapRect(x: 1, y: 9, width: 0, height: 0))
        #expect(MKMapRectEqualToRect(both, MKMapRect(x: 1, y: 7, width: 4, height: 2)))
        #expect(MKMapRect.null.union(.null).isNull)
    }

    @Test func nullGivenAnOriginIsAPoint() {
        var rect = MKMapRect.null
        #expect(rect.isNull && rect.isEmpty)
        rect.origin = MKMapPoint(x: 3, y: 4)
        #expect(!rect.isNull && rect.isEmpty && rect.maxX == 3)
    }

    @Test func intersectionsOfTwoRectangles() {
        let a = MKMapRect(x: 0, y: 0, width: 10, height: 10)
        let b = MKMapRect(x: 5, y: 6, width: 10, height: 10)
        #expect(MKMapRectEqualToRect(a.intersection(b), MKMapRect(x: 5, y: 6, width: 5, height: 4)))
        #expect(a.intersection(MKMapRect(x: 11, y: 0, width: 1, height: 1)).isNull)
        #expect(a.intersection(.null).isNull && !a.intersects(.null))
        #expect(!a.intersects(MKMapRect(x: 2, y: 2, width: 0, height: 5)))
        #expect(a.contains(MKMapPoint(x: 10, y: 10)) && !a.contains(MKMapPoint(x: 10.1, y: 0)))
        #expect(a.contains(a) && a.contains(MKMapRect(x: 10, y: 10, width: 0, height: 0)))
        #expect(!a.contains(b))
    }

    @Test func aNegativeWidthIsNeitherNullNorEmptyAndContainsNothing() {
        let rect = MKMapRect(x: 0, y: 0, width: 4, height: 4).insetBy(dx: 3, dy: 0)
        #expect(rect.width == -2 && !rect.isNull && !rect.isEmpty)
        #expect(!rect.contains(MKMapPoint(x: 2, y: 2)) && !rect.contains(rect))
        #expect(!rect.intersects(rect) && !rect.intersects(MKMapRect(x: -9, y: -9, width: 99, height: 99)))
        #expect(MKMapRect.null.insetBy(dx: 1, dy: 1).isNull)
        #expect(MKMapRect.null.offsetBy(dx: 1, dy: 1).isNull)
        #expect(MKMapRectEqualToRect(rect.offsetBy(dx: 1, dy: 2), MKMapRect(x: 4, y: 2, width: -2, height: 4)))
    }

    @Test func slicesAreCutFromEverySideAndHeldToTheSize() {
        let whole = MKMapRect(x: 0, y: 0, width: 10, height: 20)
        var slice = MKMapRect.null
        var rest = MKMapRect.null
        MKMapRectDivide(whole, &slice, &rest, 4, .minXEdge)
        #expect(slice.width == 4 && slice.minX == 0 && rest.minX == 4 && rest.width == 6)
        MKMapRectDivide(whole, &slice, &rest, 4, .maxXEdge)
        #expect(slice.minX == 6 && rest.minX == 0 && rest.width == 6)
        MKMapRectDivide(whole, &slice, &rest, 99, .minYEdge)
        #expect(slice.height == 20 && rest.height == 0 && rest.minY == 20)
        MKMapRectDivide(whole, &slice, &rest, -1, .maxYEdge)
        #expect(slice.height == 0 && slice.minY == 20 && rest.height == 20)
    }

    @Test func textsHaveOneDecimal() {
        #expect(MKStringFromMapPoint(MKMapPoint(x: 1, y: 2)) == "{1.0, 2.0}")
        #expect(MKStringFromMapSize(MKMapSize(width: 3, height: 4)) == "{3.0, 4.0}")
        #expect(MKStringFromMapRect(MKMapRect(x: 1, y: 2, width: 3, height: 4)) == "{{1.0, 2.0}, {3.0, 4.0}}")
    }

    // MARK: Errors

    @Test func anErrorIsCaughtByItsCodeAndShownAsNSError() {
        func fail() throws { throw MKError(.placemarkNotFound, userInfo: [NSLocalizedDescriptionKey: "nothing here"]) }
        do {
            try fail()
        } catch MKError.placemarkNotFound {
        } catch {
            Issue.record("not caught by its code: \(error)")
        }
        do { try fail() } catch {
            let shown = error as NSError
            #expect(shown.domain == "MKErrorDomain" && shown.code == 4)
            #expect(error.localizedDescription == "nothing here")
            #expect((error as? MKError)?.errorCode == 4)
        }
        #expect(MKErrorDomain == MKError.errorDomain)
        let codes: [MKError.Code] = [
            .unknown, .serverFailure, .loadingThrottled, .placemarkNotFound, .directionsNotFound, .decodingFailed,
        ]
        #expect(codes.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
    }
}

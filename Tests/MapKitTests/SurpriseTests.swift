import MapKit
import Sextant
import TestAtlases
import Testing

/// Where the platform's ways surprise; each test says what is so.
@Suite struct SurpriseTests {
    @Test func invalidCoordinatesProjectToMinusOneAndNotToNaN() {
        for invalid in [kCLLocationCoordinate2DInvalid, coordinate(90.1, 0), coordinate(0, 180.1), coordinate(.nan, 0)]
        {
            let point = MKMapPoint(invalid)
            #expect(point.x == -1 && point.y == -1)
        }
    }

    @Test func latitudesAbove85ShareOneYThoughYZeroUnprojectsToMore() {
        let top = MKMapPoint(coordinate(85, 0)).y
        #expect(top > 0)
        #expect(MKMapPoint(coordinate(89, 0)).y == top && MKMapPoint(coordinate(90, 0)).y == top)
        #expect(abs(MKMapPoint(x: 0, y: 0).coordinate.latitude - 85.05112878) < 1e-8)
    }

    @Test(arguments: [Int.max, .min, -1, 1])
    func aPointThatIsNotThereLiesAtAnEndOfTheLine(_ index: Int) {
        #expect(MKPolyline().location(atPointIndex: index) == 0)
        let line = MKPolyline(coordinates: [coordinate(0, 0), coordinate(0, 1)], count: 2)
        #expect(line.location(atPointIndex: index) == (index < 0 ? 0 : 1))
    }

    @Test(arguments: [
        CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 100), CGRect(x: 0, y: 0, width: 100, height: CGFloat.nan),
        CGRect(x: -CGFloat.infinity, y: 0, width: 100, height: 100),
    ])
    @MainActor func aFrameThatIsNotFiniteIsNone(_ frame: CGRect) {
        let good = CGRect(x: 0, y: 0, width: 100, height: 100)
        let region = MKCoordinateRegion(center: coordinate(60, 24), latitudinalMeters: 800, longitudinalMeters: 800)
        for map in [MKMapView(frame: frame), MKMapView(frame: good)] {
            map.frame = frame
            #expect(map.frame == .zero)
            map.region = region
            map.frame = good
            #expect(abs(map.region.center.latitude - 60) < 1e-9 && abs(map.region.center.longitude - 24) < 1e-9)
            #expect(map.region.span.latitudeDelta.isFinite && map.region.span.latitudeDelta < 0.1)
        }
    }

    @Test func unionCountsEmptyRectangles() {
        let far = MKMapRect(x: 100, y: 100, width: 0, height: 0)
        #expect(far.isEmpty)
        #expect(MKMapRect(x: 0, y: 0, width: 1, height: 1).union(far).maxX == 100)
        #expect(MKMapRect().union(far).minX == 0)
    }

    @Test func touchingRectanglesDoNotIntersectYetTheirIntersectionIsNotNull() {
        let left = MKMapRect(x: 0, y: 0, width: 10, height: 10)
        let right = MKMapRect(x: 10, y: 0, width: 10, height: 10)
        #expect(!left.intersects(right))
        let edge = left.intersection(right)
        #expect(!edge.isNull && edge.width == 0 && edge.height == 10 && edge.minX == 10)
    }

    @Test func distancesAreOfASphereForMapPointsAndOfTheEllipsoidForLocations() {
        let (a, b) = (coordinate(60, 25), coordinate(43.7, 7.4))
        let sphere = MKMapPoint(a).distance(to: MKMapPoint(b))
        let ellipsoid = CLLocation(latitude: 60, longitude: 25).distance(
            from: CLLocation(latitude: 43.7, longitude: 7.4))
        #expect(sphere != ellipsoid)
        #expect(abs(sphere / ellipsoid - 1) < 0.004)
        #expect(
            abs(
                CLLocation(latitude: 0, longitude: 0).distance(from: CLLocation(latitude: 0, longitude: 1))
                    - 111319.4908) < 1e-4)
    }

    @Test func noHitsIsAnErrorForSearchAndGeocoderAndAnEmptyArrayForGeocodingRequests() async throws {
        try #require(Everything.isOpen)
        let words = "Nirgendsweg 999, Köln"
        await #expect { _ = try await MKLocalSearch(request: .init(naturalLanguageQuery: words)).start() } throws: {
            ($0 as? MKError)?.code == .placemarkNotFound
        }
        await #expect { _ = try await CLGeocoder().geocodeAddressString(words) } throws: {
            ($0 as? CLError)?.code == .geocodeFoundNoResult
        }
        #expect(try await MKGeocodingRequest(addressString: words)?.mapItems.isEmpty == true)
        let sea = CLLocation(latitude: -48.9, longitude: -123.4)
        _ = try await MKReverseGeocodingRequest(location: sea)?.mapItems
    }

    @Test func aSearchsRegionIsAHint() async throws {
        try #require(Everything.isOpen)
        // Nobody keeps a pharmacy on this islet off Helsinki.
        let islet = MKCoordinateRegion(
            center: coordinate(60.1400, 24.9500), latitudinalMeters: 200, longitudinalMeters: 200)
        let hint = MKLocalSearch.Request(naturalLanguageQuery: "pharmacy", region: islet)
        #expect(try await !MKLocalSearch(request: hint).start().mapItems.isEmpty)
        hint.regionPriority = .required
        await #expect { _ = try await MKLocalSearch(request: hint).start() } throws: {
            ($0 as? MKError)?.code == .placemarkNotFound
        }
    }

    @Test func aSearchsRegionGrowsButNotIntoAnotherCountry() async throws {
        try #require(Everything.isOpen)
        // No atlas of shops covers Paris; the nearest pizza would be that of Cologne or Monaco.
        let paris = MKCoordinateRegion(
            center: coordinate(48.8534, 2.3488), latitudinalMeters: 5_000, longitudinalMeters: 5_000)
        for words in ["pizza", "vegan restaurant"] {
            let request = MKLocalSearch.Request(naturalLanguageQuery: words, region: paris)
            await #expect { _ = try await MKLocalSearch(request: request).start() } throws: {
                ($0 as? MKError)?.code == .placemarkNotFound
                    && $0.localizedDescription == "no atlas covers 48.9 N, 2.3 E"
            }
        }
        // A region is no smaller for being far north: 50 km east of Helsinki the town is still near.
        let east = MKCoordinateRegion(
            center: coordinate(60.17, 25.8), latitudinalMeters: 1_000, longitudinalMeters: 1_000)
        let found = try await MKLocalSearch(request: .init(naturalLanguageQuery: "pharmacy", region: east)).start()
        #expect(found.mapItems.allSatisfy { $0.placemark.isoCountryCode == "FI" })
    }

    @Test func remainderAndSpans180thMeridianAreProperties() {
        let world = MKMapSize.world.width
        let rect = MKMapRect(x: world - 10, y: 5, width: 30, height: 7)
        #expect(rect.spans180thMeridian)
        #expect(MKMapRectEqualToRect(rect.remainder, MKMapRect(x: 0, y: 5, width: 20, height: 7)))
        let left = MKMapRect(x: -10, y: 5, width: 30, height: 7)
        #expect(MKMapRectEqualToRect(left.remainder, MKMapRect(x: world - 10, y: 5, width: 10, height: 7)))
        #expect(!MKMapRect.world.spans180thMeridian && MKMapRect.world.remainder.isNull)
        #expect(!MKMapRect.null.spans180thMeridian)
    }

    @Test func spansAreFullExtentsAndARegionsCentreIsTheProjectedMiddle() {
        let north = MKMapPoint(coordinate(75, 10))
        let south = MKMapPoint(coordinate(45, 20))
        let region = MKCoordinateRegion(
            MKMapRect(x: north.x, y: north.y, width: south.x - north.x, height: south.y - north.y))
        #expect(abs(region.span.latitudeDelta - 30) < 1e-9 && abs(region.span.longitudeDelta - 10) < 1e-9)
        #expect(abs(region.center.latitude - 63.71) < 0.01)
    }

    @Test func structuresHaveNoEquality() {
        #expect(!(coordinate(0, 0) as Any is any Equatable))
        #expect(!(MKMapPoint() as Any is any Equatable) && !(MKMapRect() as Any is any Hashable))
        #expect(!(MKCoordinateSpan() as Any is any Equatable) && !(MKCoordinateRegion() as Any is any Codable))
        #expect(!(MKMapSize() as Any is any Equatable))
    }

    @Test func geoJSONHasLongitudeFirstAndAllElseLatitude() throws {
        let objects = try MKGeoJSONDecoder().decode(Data(#"{"type":"Point","coordinates":[7.4275,43.7394]}"#.utf8))
        let point = try #require(objects.first as? MKPointAnnotation)
        #expect(point.coordinate.latitude == 43.7394)
    }

    /// The handlers' types differ in isolation: these lines compile only with those of the platform.
    @MainActor @Test func handlersDifferInIsolationFromClassToClass() async throws {
        try #require(Everything.isOpen)
        let log = Log<String>()
        var mainActorState = 0
        let search = MKLocalSearch(request: .init(naturalLanguageQuery: "casino"))
        await withCheckedContinuation { done in
            search.start { _, _ in
                mainActorState += 1
                log.append(MainQueue.isCurrent ? "main" : "elsewhere")
                done.resume()
            }
        }
        await withCheckedContinuation { done in
            MKDirections(request: .init()).calculate { _, error in
                log.append(MainQueue.isCurrent ? "main" : "elsewhere")
                done.resume()
            }
        }
        await withCheckedContinuation { done in
            MKMapSnapshotter(options: .init()).start(with: .global()) { _, _ in
                log.append(MainQueue.isCurrent ? "main" : "elsewhere")
                done.resume()
            }
        }
        #expect(log.all == ["main", "main", "elsewhere"] && mainActorState == 1)
    }

    @Test func theCurrentLocationsItemSitsAtZero() {
        let here = MKMapItem.forCurrentLocation()
        #expect(here.isCurrentLocation)
        #expect(here.placemark.coordinate.latitude == 0 && here.placemark.coordinate.longitude == 0)
        #expect(!MKMapItem(placemark: MKPlacemark(coordinate: coordinate(0, 0))).isCurrentLocation)
    }

    @Test func directionsModeWithMoreThanTwoItemsFails() {
        let items = (0..<3).map { MKMapItem(placemark: MKPlacemark(coordinate: coordinate(60, 24 + Double($0)))) }
        let mode = [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving]
        #expect(!MKMapItem.openMaps(with: items, launchOptions: mode))
    }

    @Test func aPlainLocationClaimsAccuracyAndAltitudeZeroButVerticalAccuracyMinusOne() {
        let item = MKMapItem(placemark: MKPlacemark(coordinate: casino))
        #expect(item.location.horizontalAccuracy == 0 && item.location.altitude == 0)
        #expect(item.location.verticalAccuracy == -1)
    }

    @Test func distancesAreRoundedBeforeTheUnitIsChosen() {
        let formatter = MKDistanceFormatter()
        formatter.units = .metric
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(fromDistance: 999) == "1 km")
        #expect(formatter.string(fromDistance: 940) == "950 m")
    }

    @Test func bothFacesOfGeocodingGiveTheSamePlace() async throws {
        try #require(Everything.isOpen)
        let old = try await CLGeocoder().geocodeAddressString("Domkloster 4, Köln").first?.location?.coordinate
        let new = try await MKGeocodingRequest(addressString: "Domkloster 4, Köln")?.mapItems.first?.location.coordinate
        #expect(old?.latitude == new?.latitude && old?.longitude == new?.longitude && old != nil)
        let place = CLLocation(latitude: 50.941302, longitude: 6.957189)
        let before = try await CLGeocoder().reverseGeocodeLocation(place).first?.name
        let after = try await MKReverseGeocodingRequest(location: place)?.mapItems.first?.name
        #expect(before == after && before != nil)
    }
}

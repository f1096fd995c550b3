@testable import MapKit
import Cartography
import Sextant
import TestAtlases
import Testing

/// The scenarios of the map itself: where it looks, what stands on it.
@MainActor @Suite struct ScenarioMapTests {
    init() throws { try #require(Everything.isOpen) }

    /// Pixels of a PNG's size, read from its header.
    private func pixels(_ data: Data) throws -> CGSize { try #require(UIImage(data: data)).size }

    @Test func scenario0_1ALandmarkByItsCoordinateStandsInTheMiddle() throws {
        let cathedral = coordinate(50.941302, 6.957189)
        let map = newMap()
        map.setRegion(
            MKCoordinateRegion(center: cathedral, latitudinalMeters: 500, longitudinalMeters: 500), animated: false)
        #expect(abs(map.centerCoordinate.latitude - 50.941302) < 1e-9)
        #expect(abs(map.centerCoordinate.longitude - 6.957189) < 1e-9)
        let middle = map.convert(cathedral, toPointTo: map)
        #expect(abs(middle.x - 160) < 1e-3 && abs(middle.y - 240) < 1e-3)
        #expect(try pixels(map.pngData(scale: 2)) == CGSize(width: 640, height: 960))
    }

    @Test func scenario0_2ThreeLooksOfOneMapAreReadBackAndDrawnAlike() throws {
        let map = newMap(200, 200)
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 400, longitudinalMeters: 400)
        var pictures: [Data] = []
        for look in [MKMapType.standard, .satellite, .hybrid] {
            map.mapType = look
            #expect(map.mapType == look)
            pictures.append(try map.pngData())
        }
        #expect(pictures[0] == pictures[1] && pictures[1] == pictures[2])
    }

    @Test func scenario0_4CentreRegionAndRectangle() {
        let map = newMap(320, 480)
        let region = MKCoordinateRegion(
            center: casino, span: MKCoordinateSpan(latitudeDelta: 0.01, longitudeDelta: 0.04))
        map.setRegion(region, animated: false)
        #expect(map.region.contains(region))
        #expect(abs(map.region.span.longitudeDelta - 0.04) < 1e-9 && map.region.span.latitudeDelta > 0.01)
        #expect(abs(map.visibleMapRect.width / map.visibleMapRect.height - 320.0 / 480) < 1e-9)

        let width = map.visibleMapRect.width
        map.setCenter(coordinate(60.17, 24.94), animated: false)
        #expect(abs(map.visibleMapRect.width - width) < 1e-6)
        #expect(abs(map.centerCoordinate.latitude - 60.17) < 1e-9)

        let other = MKMapView(frame: map.frame)
        other.setRegion(region, animated: true)
        other.setCenter(coordinate(60.17, 24.94), animated: true)
        #expect(MKMapRectEqualToRect(other.visibleMapRect, map.visibleMapRect))

        let rect = MKMapRect(x: 1e8, y: 1e8, width: 1000, height: 90_000)
        map.visibleMapRect = rect
        #expect(map.visibleMapRect.contains(rect) && map.visibleMapRect.height == 90_000)
    }

    @Test(arguments: [(320.0, 480.0), (480.0, 320.0)])
    func aCameraShowsWhatItsDistanceSays(_ width: Double, _ height: Double) {
        let map = newMap(width, height)
        map.camera = MKMapCamera(lookingAtCenter: casino, fromDistance: 1000, pitch: 30, heading: 90)
        #expect(abs(map.camera.centerCoordinateDistance - 1000) < 5)
        #expect(abs(map.camera.centerCoordinate.latitude - casino.latitude) < 1e-9)
        let region = map.region
        map.camera = map.camera
        #expect(abs(map.region.span.latitudeDelta / region.span.latitudeDelta - 1) < 0.01)
    }

    @Test func scenario0_4WithoutAFrameTheRegionIsKeptAsGiven() {
        let map = MKMapView()
        let region = MKCoordinateRegion(
            center: casino, span: MKCoordinateSpan(latitudeDelta: 0.3, longitudeDelta: 0.01))
        map.region = region
        #expect(map.region.span.latitudeDelta == 0.3 && map.region.span.longitudeDelta == 0.01)
        map.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        #expect(map.region.contains(region) && map.region.span.longitudeDelta > 0.01)
    }

    @Test func scenario0_4WhatIsNoPlaceChangesNothing() {
        let map = newMap()
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 400, longitudinalMeters: 400)
        let before = map.visibleMapRect
        map.visibleMapRect = .null
        map.centerCoordinate = kCLLocationCoordinate2DInvalid
        map.region = MKCoordinateRegion(
            center: coordinate(.nan, 0), span: MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 1))
        map.region = MKCoordinateRegion(
            center: casino, span: MKCoordinateSpan(latitudeDelta: .infinity, longitudeDelta: 1))
        #expect(MKMapRectEqualToRect(map.visibleMapRect, before))
        // A point is shown at street scale.
        map.visibleMapRect = MKMapRect(origin: MKMapPoint(casino), size: MKMapSize())
        let metres = map.visibleMapRect.width * MKMetersPerMapPointAtLatitude(casino.latitude)
        #expect((100...1000).contains(metres))
    }

    @Test func scenario0_5TheSmallestRectangleAroundPlaces() {
        func around(_ places: [CLLocationCoordinate2D]) -> MKMapRect {
            places.reduce(MKMapRect.null) { rect, place in
                var spot = MKMapRect.null
                spot.origin = MKMapPoint(place)
                return rect.union(spot)
            }
        }
        #expect(around([]).isNull)
        let one = around([casino])
        #expect(one.isEmpty && !one.isNull && MKMapPointEqualToPoint(one.origin, MKMapPoint(casino)))
        #expect(MKMapRectEqualToRect(around([casino, casino]), one))
        let places = [casino, coordinate(60.17, 24.94), coordinate(-33.9, 18.4), coordinate(50.94, 6.957)]
        let all = around(places)
        #expect(MKMapRectEqualToRect(all, around(places.reversed())))
        for place in places { #expect(all.contains(MKMapPoint(place))) }
        // On either side of the date line the union goes round the world.
        let pacific = around([coordinate(-17, 179), coordinate(-17, -179)])
        #expect(pacific.width > MKMapSize.world.width * 0.99)
        // The narrower rectangle stands over the date line.
        let wide = MKMapRect(x: pacific.maxX, y: pacific.minY, width: MKMapSize.world.width - pacific.width, height: 0)
        #expect(wide.spans180thMeridian && abs(MKCoordinateRegion(wide).span.longitudeDelta - 2) < 1e-9)
    }

    // MARK: Where am I

    private final class Follower: NSObject, MKMapViewDelegate {
        var accuracies: [Double] = []
        var failures: [any Error] = []
        var centers: [Double] = []

        func mapView(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation) {
            accuracies.append(userLocation.location?.horizontalAccuracy ?? -1)
            centers.append(mapView.centerCoordinate.latitude)
        }

        func mapView(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error) { failures.append(error) }
    }

    private func fix(_ latitude: Double, _ accuracy: Double, _ second: Double) -> CLLocation {
        CLLocation(
            coordinate: coordinate(latitude, 7.4275), altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1,
            timestamp: Date(timeIntervalSince1970: second))
    }

    private func until(_ isSo: () -> Bool) async throws {
        for _ in 0..<400 where !isSo() { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test func scenario0_3WhereAmI() async throws {
        let map = newMap(200, 200)
        let follower = Follower()
        map.delegate = follower
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 400, longitudinalMeters: 400)
        let empty = try map.pngData()
        map.positionSource = .locations(
            [fix(43.7390, 65, 0), fix(43.7392, 20, 1), fix(43.7394, 5, 2)], speed: .infinity)
        map.showsUserLocation = true
        #expect(map.annotations.contains { $0 === map.userLocation } && map.userLocation.isUpdating)
        try await until { follower.accuracies.count == 3 }
        #expect(follower.accuracies == [65, 20, 5] && follower.failures.isEmpty)
        #expect(map.userLocation.coordinate.latitude == 43.7394 && map.isUserLocationVisible)
        #expect(map.view(for: map.userLocation) == nil)
        #expect(try map.pngData() != empty)
        map.showsUserLocation = false
        #expect(try map.pngData() == empty && map.annotations.isEmpty)
    }

    @Test func scenario0_3WithoutASourceThereIsOneFailureAndNoDot() async throws {
        let map = newMap(200, 200)
        let follower = Follower()
        map.delegate = follower
        let empty = try map.pngData()
        map.showsUserLocation = true
        try await until { !follower.failures.isEmpty }
        try await Task.sleep(for: .milliseconds(30))
        #expect(follower.failures.count == 1 && follower.accuracies.isEmpty)
        #expect((follower.failures.first as? CLError)?.code == .locationUnknown)
        #expect(!map.isUserLocationVisible && !CLLocationCoordinate2DIsValid(map.userLocation.coordinate))
        #expect(try map.pngData() == empty)
    }

    @Test func scenario3_3WhileFollowingTheCentreIsTheUsersPosition() async throws {
        let map = newMap(200, 200)
        let follower = Follower()
        map.delegate = follower
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 400, longitudinalMeters: 400)
        map.positionSource = .locations([fix(43.7390, 65, 0), fix(43.7394, 5, 1)], speed: .infinity)
        map.userTrackingMode = .follow
        #expect(map.showsUserLocation)
        try await until { follower.centers.count == 2 }
        #expect(follower.centers.count == 2 && abs(follower.centers[0] - 43.7390) < 1e-9)
        #expect(abs(map.centerCoordinate.latitude - 43.7394) < 1e-9)
        map.userTrackingMode = .none
        map.centerCoordinate = coordinate(60.17, 24.94)
        #expect(!map.isUserLocationVisible && abs(map.centerCoordinate.latitude - 60.17) < 1e-9)
    }

    // MARK: Pictures

    @Test func overlaysAreDrawnByTheirRenderers() throws {
        final class Lines: NSObject, MKMapViewDelegate {
            var asked = 0
            func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
                asked += 1
                switch overlay {
                case let line as MKPolyline:
                    let renderer = MKPolylineRenderer(polyline: line)
                    renderer.strokeColor = .systemRed
                    renderer.lineWidth = 6
                    renderer.lineDashPattern = [12, 6]
                    return renderer
                case let circle as MKCircle:
                    let renderer = MKCircleRenderer(circle: circle)
                    renderer.fillColor = UIColor.systemBlue.withAlphaComponent(0.3)
                    return renderer
                default: return MKOverlayRenderer(overlay: overlay)
                }
            }
        }
        let map = newMap(200, 200)
        let lines = Lines()
        map.delegate = lines
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 400, longitudinalMeters: 400)
        let plain = try map.pngData()
        let ends = [coordinate(43.7385, 7.4260), coordinate(43.7400, 7.4290)]
        map.addOverlay(MKCircle(center: casino, radius: 80))
        map.addOverlay(MKPolyline(coordinates: ends, count: 2), level: .aboveLabels)
        let drawn = try map.pngData()
        #expect(drawn != plain && map.overlays.count == 2 && lines.asked == 2)
        _ = try map.pngData()
        #expect(lines.asked == 2)
        map.removeOverlays(map.overlays)
        #expect(try map.pngData() == plain)
        #expect(try String(decoding: map.svgData().prefix(200), as: UTF8.self).contains("<svg"))
        #expect(try map.pdfData().starts(with: Data("%PDF".utf8)))
    }

    @Test func buildingsAndKindsOfPlacesCanBeLeftOut() async throws {
        func picture(_ change: (MKMapSnapshotter.Options) -> Void) async throws -> Data? {
            let options = MKMapSnapshotter.Options()
            options.region = MKCoordinateRegion(center: casino, latitudinalMeters: 300, longitudinalMeters: 300)
            change(options)
            return try await MKMapSnapshotter(options: options).start().image.pngData()
        }
        let whole = try await picture { _ in }
        #expect(try await picture { $0.pointOfInterestFilter = .includingAll } == whole)
        #expect(try await picture { $0.showsBuildings = false } != whole)
        #expect(try await picture { $0.pointOfInterestFilter = .excludingAll } != whole)
        let filter = MKPointOfInterestFilter(including: [.cafe])
        #expect(filter.includes(.cafe) && filter.excludes(.bank) && !filter.shows(nil))
        #expect(MKPointOfInterestFilter(excluding: [.cafe]).shows(nil))
        #expect(MKPointOfInterestCategory(lexicon: "fuel") == .gasStation)
    }

    @Test func aMapWithoutAFrameCannotBeDrawn() {
        #expect { try MKMapView().pngData() } throws: { ($0 as? MKError)?.code == .unknown }
    }

    @Test(arguments: [(128.0, 128.0), (1000, 300), (300, 1000), (640, 480)])
    func pointsAreThoseOfThePictureWhereTheWorldDoesNotFit(_ width: Double, _ height: Double) async throws {
        let sydney = coordinate(-33.8688, 151.2093)
        let options = MKMapSnapshotter.Options()
        options.size = CGSize(width: width, height: height)
        let snapshot = try await MKMapSnapshotter(options: options).start()
        // What the painter is given for the whole world.
        let drawn = try MapFrame(
            center: Coordinate(latitude: 0, longitude: 0), zoom: log2(min(width, height) / 256), width: width,
            height: height
        ).point(for: Coordinate(latitude: -33.8688, longitude: 151.2093))
        let map = newMap(width, height)
        map.visibleMapRect = .world
        for point in [snapshot.point(for: sydney), map.convert(sydney, toPointTo: map)] {
            #expect(abs(point.x - drawn.x) < 0.01 && abs(point.y - drawn.y) < 0.01)
        }
        let back = map.convert(map.convert(sydney, toPointTo: map), toCoordinateFrom: map)
        #expect(abs(back.latitude - sydney.latitude) < 1e-6 && abs(back.longitude - sydney.longitude) < 1e-6)
        let inPicture = drawn.x <= width && drawn.y <= height
        let pin = SitePin(1, at: sydney)
        map.addAnnotation(pin)
        #expect((map.view(for: pin) != nil) == inPicture)
    }

    @Test(arguments: [1e300, -1e300, .nan, .infinity, -.infinity, 0, -1, Double.leastNonzeroMagnitude])
    func numbersBeyondMeasureDoNotTrap(_ number: Double) async throws {
        let options = MKMapSnapshotter.Options()
        options.region = MKCoordinateRegion(center: casino, latitudinalMeters: 100, longitudinalMeters: 100)
        options.size = CGSize(width: 20, height: 20)
        options.scale = number
        let scale = try await MKMapSnapshotter(options: options).start().image.scale
        #expect(scale == (number > 4 ? 4 : 1))
        options.scale = 1
        options.size = CGSize(width: number, height: 20)
        await #expect(throws: MKError.self) { _ = try await MKMapSnapshotter(options: options).start() }

        let map = newMap(20, 20)
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: number, longitudinalMeters: number)
        map.visibleMapRect = MKMapRect(x: number, y: number, width: number, height: number)
        map.camera = MKMapCamera(lookingAtCenter: casino, fromDistance: number, pitch: number, heading: number)
        map.setRegion(
            MKCoordinateRegion(center: casino, span: MKCoordinateSpan(latitudeDelta: 1, longitudeDelta: 1)),
            animated: false)
        map.delegate = painter
        map.addOverlay(MKCircle(center: casino, radius: number))
        map.addAnnotation(SitePin(1, at: coordinate(number, number)))
        painter.width = number
        _ = try map.pngData(scale: number)
        map.frame = CGRect(x: number, y: number, width: number, height: number)
        _ = try? map.pngData()
        _ = map.convert(casino, toPointTo: map)

        let driving: [String: Any] = [
            MKLaunchOptionsMapTypeKey: NSNumber(value: number),
            MKLaunchOptionsMapSpanKey: NSValue(
                mkCoordinateSpan: MKCoordinateSpan(latitudeDelta: number, longitudeDelta: number)),
        ]
        _ = MapLink(to: [MKMapItem(placemark: MKPlacemark(coordinate: casino))], options: driving)
        let request = MKDirections.Request()
        request.source = MKMapItem(placemark: MKPlacemark(coordinate: casino))
        request.destination = MKMapItem(placemark: MKPlacemark(coordinate: coordinate(43.7308, 7.4256)))
        request.departureDate = Date(
            timeIntervalSince1970: number.isFinite ? min(max(number, -9.2e18), 9.2e18) : number)
        _ = try? await MKDirections(request: request).calculate()
    }

    private final class Painter: NSObject, MKMapViewDelegate {
        var width = 1.0

        func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
            let renderer = MKCircleRenderer(overlay: overlay)
            renderer.strokeColor = UIColor(red: width, green: 0, blue: 0, alpha: width)
            renderer.lineWidth = width
            renderer.alpha = width
            renderer.lineDashPattern = [NSNumber(value: width)]
            renderer.lineDashPhase = width
            return renderer
        }
    }
    private let painter = Painter()

    @Test func aSnapshotHasItsSizeAndTellsWhereThingsAre() async throws {
        let options = MKMapSnapshotter.Options()
        options.mapRect = .world
        options.region = MKCoordinateRegion(center: casino, latitudinalMeters: 600, longitudinalMeters: 600)
        options.size = CGSize(width: 300, height: 200)
        options.scale = 2
        let snapshotter = MKMapSnapshotter(options: options)
        options.size = .zero
        let snapshot = try await snapshotter.start()
        #expect(snapshot.image.size == CGSize(width: 300, height: 200) && snapshot.image.scale == 2)
        #expect(try pixels(#require(snapshot.image.pngData())) == CGSize(width: 600, height: 400))
        let middle = snapshot.point(for: casino)
        #expect(abs(middle.x - 150) < 1e-3 && abs(middle.y - 100) < 1e-3)
        #expect(snapshot.point(for: coordinate(43.75, 7.4275)).y < 0)
        await #expect(throws: MKError.self) { _ = try await MKMapSnapshotter(options: options).start() }
    }
}

import CoreLocation
import Foundation
import Testing

/// Keeps what a manager tells, and lets a test wait for it.
private final class Listener: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    enum Told: Equatable, Sendable {
        case place(Double, Double)
        case failure(CLError.Code)
        case authorization
        case heading(Double)
        case started(String), entered(String), left(String)
        case state(CLRegionState, String)
        case notMonitored(CLError.Code)
        case visit(arrived: Double, stays: Bool)
    }

    let log = Log<Told>()
    let locations = Log<CLLocation>()
    let messages = Log<String>()
    var onMain: [Bool] = []
    /// Called with the number of positions so far.
    var onPlace: (Int) -> Void = { _ in }

    private func add(_ told: Told) {
        onMain.append(MainQueue.isCurrent)
        log.append(told)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations list: [CLLocation]) {
        for location in list {
            locations.append(location)
            add(.place(location.coordinate.latitude, location.coordinate.longitude))
        }
        onPlace(locations.count)
    }
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        messages.append(error.localizedDescription)
        add(.failure((error as? CLError)?.code ?? .denied))
    }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { add(.authorization) }
    func locationManager(_ manager: CLLocationManager, didUpdateHeading heading: CLHeading) {
        add(.heading(heading.magneticHeading))
    }
    func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
        add(.started(region.identifier))
    }
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        add(.entered(region.identifier))
    }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
        add(.left(region.identifier))
    }
    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        add(.state(state, region.identifier))
    }
    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
    ) {
        add(.notMonitored((error as? CLError)?.code ?? .denied))
    }
    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        add(
            .visit(
                arrived: visit.arrivalDate.timeIntervalSinceReferenceDate, stays: visit.departureDate == .distantFuture)
        )
    }

    /// Waits until something of the log fulfils the condition.
    func wait(_ condition: @Sendable ([Told]) -> Bool) async throws -> [Told] {
        let end = ContinuousClock.now + .seconds(20)
        while !condition(log.all) {
            if ContinuousClock.now > end { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        return log.all
    }
}

/// Positions a second apart along the equator, as many metres apart as given.
private func track(_ count: Int, metres: Double = 100, seconds: Double = 1) -> [CLLocation] {
    (0..<count).map { index in
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 0, longitude: Double(index) * metres / 111_319.4908),
            altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1,
            timestamp: Date(timeIntervalSinceReferenceDate: Double(index) * seconds))
    }
}

private let helsinki = CLPositionSource.fixed(latitude: 60.17, longitude: 24.94)

@Suite struct ManagerTests {
    @Test func scenario1_1UpdatesComeFromTheSourceOnTheMainQueue() async throws {
        let manager = CLLocationManager(positionSource: helsinki)
        let listener = Listener()
        manager.delegate = listener
        manager.startUpdatingLocation()
        let told = try await listener.wait { $0.count >= 2 }
        #expect(told == [.authorization, .place(60.17, 24.94)])
        #expect(listener.onMain.allSatisfy { $0 })
        #expect(manager.location?.coordinate.latitude == 60.17)
        #expect(manager.location?.sourceInformation?.isSimulatedBySoftware == true)
        #expect(manager.authorizationStatus == .authorizedAlways)
    }

    @Test func scenario1_1WhereTheSourceFailsTheDelegateHearsOfThat() async throws {
        let manager = CLLocationManager(positionSource: .gpx("/nowhere/ride.gpx"))
        let listener = Listener()
        manager.delegate = listener
        manager.startUpdatingLocation()
        #expect(try await listener.wait { $0.count >= 2 } == [.authorization, .failure(.locationUnknown)])
        #expect(listener.messages.all.first?.contains("/nowhere/ride.gpx") == true)
    }

    @Test func scenario1_1WithoutASourceNothingStartsAndAMessageSaysSo() async throws {
        guard CLLocationManager.positionSource == nil else { return }
        #expect(!CLLocationManager.locationServicesEnabled())
        let manager = CLLocationManager()
        let listener = Listener()
        manager.delegate = listener
        manager.startUpdatingLocation()
        manager.requestLocation()
        let told = try await listener.wait { $0.count >= 3 }
        #expect(told == [.authorization, .failure(.locationUnknown), .failure(.locationUnknown)])
        #expect(listener.messages.all.first?.contains("SEXTANT_POSITION") == true)
    }

    @Test func scenario0_3ThreeFixesArriveWithTheirAccuracies() async throws {
        let fixes = zip(track(3), [65.0, 20, 5]).map { place, accuracy in
            CLLocation(
                coordinate: place.coordinate, altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1,
                timestamp: place.timestamp)
        }
        let manager = CLLocationManager(positionSource: .locations(fixes, speed: .infinity))
        let listener = Listener()
        manager.delegate = listener
        manager.startUpdatingLocation()
        _ = try await listener.wait { $0.count >= 4 }
        #expect(listener.locations.all.map(\.horizontalAccuracy) == [65, 20, 5])
        #expect(manager.location?.horizontalAccuracy == 5)
    }

    // On the main thread, where no answer comes between two requests.
    @Test @MainActor func aRequestIsAnsweredExactlyOnce() async throws {
        let manager = CLLocationManager(positionSource: .locations(track(50), speed: .infinity))
        let listener = Listener()
        manager.requestLocation()  // nobody to tell: nothing happens
        manager.delegate = listener
        manager.requestLocation()
        manager.requestLocation()
        _ = try await listener.wait { $0.count >= 2 }
        try await Task.sleep(for: .milliseconds(50))
        #expect(listener.locations.count == 1)
        manager.requestLocation()
        _ = try await listener.wait { $0.count >= 3 }
        #expect(listener.locations.count == 2)
    }

    @Test func aRequestToASilentSourceFailsOnce() async throws {
        let manager = CLLocationManager(positionSource: .gpsd(host: "localhost", port: 1))
        let listener = Listener()
        manager.delegate = listener
        manager.requestLocation()
        #expect(try await listener.wait { $0.count >= 2 } == [.authorization, .failure(.locationUnknown)])
    }

    @Test func whoeverAsksAFailedSourceHearsTheReasonOnce() async throws {
        let source = CLPositionSource.gpx("/nowhere/ride.gpx")
        let first = CLLocationManager(positionSource: source, queue: DispatchQueue(label: "test"))
        let listener = Listener()
        first.delegate = listener
        first.startUpdatingLocation()
        _ = try await listener.wait { $0.count >= 2 }
        for asksOnce in [false, true] {
            let later = CLLocationManager(positionSource: source, queue: DispatchQueue(label: "test"))
            let other = Listener()
            later.delegate = other
            if asksOnce { later.requestLocation() } else { later.startUpdatingLocation() }
            _ = try await other.wait { $0.count >= 2 }
            try await Task.sleep(for: .milliseconds(20))
            #expect(other.log.all == [.authorization, .failure(.locationUnknown)])
            #expect(other.messages.all.first?.contains("/nowhere/ride.gpx") == true)
        }
        var updates: [Bool] = []
        for try await update in CLLocationUpdate.liveUpdates(from: source) {
            updates.append(update.locationUnavailable)
        }
        #expect(updates == [true])
        #expect(listener.log.all == [.authorization, .failure(.locationUnknown)])
    }

    @Test func whatWasToldToAnEndedRequestDoesNotAnswerTheNext() async throws {
        let manager = CLLocationManager(
            positionSource: .locations(track(1), speed: .infinity), queue: DispatchQueue(label: "test"))
        let listener = Listener()
        listener.onPlace = { [weak manager] in if $0 < 3 { manager?.requestLocation() } }
        manager.delegate = listener
        manager.requestLocation()
        _ = try await listener.wait { $0.count >= 4 }
        try await Task.sleep(for: .milliseconds(20))
        #expect(listener.log.all == [.authorization, .place(0, 0), .place(0, 0), .place(0, 0)])
    }

    @Test func theDistanceFilterLeavesOutSmallSteps() async throws {
        let manager = CLLocationManager(positionSource: .locations(track(31, metres: 10), speed: .infinity))
        let listener = Listener()
        manager.delegate = listener
        manager.distanceFilter = 99
        manager.startUpdatingLocation()
        _ = try await listener.wait { $0.count >= 5 }
        let steps = listener.locations.all.map { ($0.coordinate.longitude * 111_319.4908).rounded() }
        #expect(steps == [0, 100, 200, 300])
    }

    @Test func nothingComesAfterStopping() async throws {
        let manager = CLLocationManager(positionSource: .locations(track(2_000), speed: 1_000))
        let listener = Listener()
        manager.delegate = listener
        manager.startUpdatingLocation()
        _ = try await listener.wait { $0.count >= 10 }
        let counts = await MainActor.run {
            manager.stopUpdatingLocation()
            return listener.locations.count
        }
        try await Task.sleep(for: .milliseconds(60))
        #expect(listener.locations.count == counts)
        // It goes on where it was; what was under way when it stopped is lost.
        manager.startUpdatingLocation()
        _ = try await listener.wait { $0.count >= counts + 20 }
        let places = listener.locations.all.map { ($0.coordinate.longitude * 1_113.194908).rounded() }
        #expect(places == places.sorted())
    }

    @Test func playedFixesKeepTheIntervalsOfTheFileAndTellSpeedAndCourse() async throws {
        let manager = CLLocationManager(positionSource: .locations(track(4, metres: 20, seconds: 2), speed: .infinity))
        let listener = Listener()
        manager.delegate = listener
        manager.startUpdatingLocation()
        _ = try await listener.wait { $0.count >= 5 }
        let fixes = listener.locations.all
        for (a, b) in zip(fixes, fixes.dropFirst()) {
            #expect(abs(b.timestamp.timeIntervalSince(a.timestamp) - 2) < 1e-6)
            #expect(abs(b.speed - 10) < 1e-3 && abs(b.course - 90) < 1e-6)
        }
        #expect(fixes.first?.speed == -1)
    }

    @Test func regionsAreEnteredAndLeft() async throws {
        let manager = CLLocationManager(positionSource: .locations(track(30), speed: .infinity))
        let listener = Listener()
        manager.delegate = listener
        func circle(_ metres: Double, _ name: String) -> CLCircularRegion {
            CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: 0, longitude: metres / 111_319.4908), radius: 250,
                identifier: name)
        }
        let silent = circle(1_500, "silent")
        silent.notifyOnEntry = false
        manager.startMonitoring(for: silent)
        #expect(manager.monitoredRegions.map(\.identifier) == ["silent"])
        _ = try await listener.wait { $0.contains(.left("silent")) }
        #expect(!listener.log.all.contains(.entered("silent")))
        #expect(listener.log.all.contains(.state(.inside, "silent")))

        let second = CLLocationManager(positionSource: .locations(track(30), speed: .infinity))
        let other = Listener()
        second.delegate = other
        second.startMonitoring(for: circle(1_000, "works"))
        let told = try await other.wait { $0.contains(.left("works")) }
        #expect(
            told.filter { $0 != .authorization } == [
                .started("works"), .state(.inside, "works"), .entered("works"), .state(.outside, "works"),
                .left("works"),
            ])
        second.stopMonitoring(for: circle(0, "works"))
        #expect(second.monitoredRegions.isEmpty)
    }

    @Test func theStateOfARegionIsToldOnce() async throws {
        let manager = CLLocationManager(positionSource: helsinki)
        let listener = Listener()
        manager.delegate = listener
        let here = CLLocationCoordinate2D(latitude: 60.17, longitude: 24.94)
        manager.requestState(for: CLCircularRegion(center: here, radius: 10, identifier: "in"))
        _ = try await listener.wait { $0.contains(.state(.inside, "in")) }
        manager.requestState(for: CLCircularRegion(center: here, radius: -1, identifier: "out"))
        let told = try await listener.wait { $0.contains(.state(.outside, "out")) }
        #expect(told == [.authorization, .state(.inside, "in"), .state(.outside, "out")])
    }

    @Test func aRegionThatIsTooLargeIsRefused() async throws {
        let manager = CLLocationManager(positionSource: helsinki)
        let listener = Listener()
        manager.delegate = listener
        #expect(manager.maximumRegionMonitoringDistance == 2_128_000)
        let center = CLLocationCoordinate2D(latitude: 0, longitude: 0)
        manager.startMonitoring(for: CLCircularRegion(center: center, radius: 2_128_001, identifier: "sea"))
        #expect(
            try await listener.wait { $0.count >= 2 } == [.authorization, .notMonitored(.regionMonitoringFailure)])
    }

    @Test func aStayOfFiveMinutesIsAVisitThatEndsWhenOneLeaves() async throws {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        // On the way for five minutes, then twenty-five at one place, then at another.
        let places = (0..<40).map { (minute: Int) -> CLLocation in
            let longitude = minute < 5 ? Double(minute) / 100 : minute < 30 ? 0.05 : 0.06
            return CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: 0, longitude: longitude), altitude: 0,
                horizontalAccuracy: 5, verticalAccuracy: -1, timestamp: start.addingTimeInterval(Double(minute) * 60))
        }
        let manager = CLLocationManager(positionSource: .locations(places, speed: .infinity))
        let listener = Listener()
        manager.delegate = listener
        manager.startMonitoringVisits()
        let told = try await listener.wait { $0.count >= 4 }
        let visits = told.compactMap { entry -> (Double, Bool)? in
            if case .visit(let arrived, let stays) = entry { (arrived, stays) } else { nil }
        }
        #expect(visits.map(\.1) == [true, false, true])
        #expect(visits.count == 3 && visits[0].0 == visits[1].0)
    }

    @Test func significantChangesLieHalfAKilometreApart() async throws {
        let manager = CLLocationManager(positionSource: .locations(track(16, metres: 101), speed: .infinity))
        let listener = Listener()
        manager.delegate = listener
        manager.startMonitoringSignificantLocationChanges()
        _ = try await listener.wait { $0.count >= 5 }
        let steps = listener.locations.all.map { ($0.coordinate.longitude * 111_319.4908).rounded() }
        #expect(steps == [0, 505, 1_010, 1_515])
    }

    @Test func aStreamOfUpdatesEndsWithItsSource() async throws {
        var places: [Double] = []
        for try await update in CLLocationUpdate.liveUpdates(from: .locations(track(5), speed: .infinity)) {
            places.append(update.location?.coordinate.longitude ?? -1)
            #expect(!update.locationUnavailable && !update.authorizationDenied)
        }
        #expect(places.count == 5 && places == places.sorted())
    }

    @Test func aFixedPlaceIsStationaryAndItsStreamCanBeLeft() async throws {
        var first: CLLocationUpdate?
        for try await update in CLLocationUpdate.liveUpdates(from: helsinki) {
            first = update
            break
        }
        #expect(first?.stationary == true && first?.location?.coordinate.longitude == 24.94)
        let endless = Task {
            var count = 0
            for try await _ in CLLocationUpdate.liveUpdates(from: helsinki) { count += 1 }
            return count
        }
        try await Task.sleep(for: .milliseconds(30))
        endless.cancel()
        #expect(try await endless.value <= 1)
    }

    @Test func constantsHaveTheirNumbers() {
        #expect(kCLLocationAccuracyBestForNavigation == -2 && kCLLocationAccuracyBest == -1)
        #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
        #expect(kCLLocationAccuracyKilometer == 1_000 && kCLLocationAccuracyThreeKilometers == 3_000)
        #expect(kCLLocationAccuracyReduced == 6_380_000 && kCLDistanceFilterNone == -1)
        #expect(CLAuthorizationStatus.authorizedAlways.rawValue == 3 && CLActivityType.other.rawValue == 1)
        let manager = CLLocationManager(positionSource: helsinki)
        #expect(manager.desiredAccuracy == -1 && manager.distanceFilter == -1 && manager.activityType == .other)
    }
}

@testable import MapKit
import Sextant
import TestAtlases
import Testing

/// The scenarios of finding places and ways.
@Suite struct ScenarioWayTests {
    init() throws { try #require(Everything.isOpen) }

    private let monaco = MKCoordinateRegion(
        center: coordinate(43.7384, 7.4246), span: MKCoordinateSpan(latitudeDelta: 0.01, longitudeDelta: 0.01))

    private func item(_ place: CLLocationCoordinate2D) -> MKMapItem {
        MKMapItem(placemark: MKPlacemark(coordinate: place))
    }

    private func request(_ from: CLLocationCoordinate2D, _ to: CLLocationCoordinate2D) -> MKDirections.Request {
        let request = MKDirections.Request()
        request.source = item(from)
        request.destination = item(to)
        return request
    }

    // MARK: From where I stand to where I want to go

    @MainActor @Test func scenario2_1ADestinationThatIsAlreadyDescribed() {
        let map = newMap()
        let destination = MKPointAnnotation(
            coordinate: casino, title: "Casino", subtitle: "Place du Casino, 98000 Monaco")
        map.addAnnotation(destination)
        map.showAnnotations(map.annotations, animated: false)
        map.selectAnnotation(destination, animated: false)
        #expect(map.callout?.title == "Casino" && map.callout?.subtitle == "Place du Casino, 98000 Monaco")
    }

    /// Turns the latest position into the subtitle of the user's mark; the way may be asked for once that is done.
    @MainActor private final class Commuter: NSObject, MKMapViewDelegate {
        private let geocoder = CLGeocoder()
        private(set) var canRoute = false
        private(set) var answers = 0

        func mapView(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation) {
            guard let location = userLocation.location else { return }
            geocoder.cancelGeocode()
            geocoder.reverseGeocodeLocation(location) { placemarks, error in
                let lines = placemarks?.first?.addressDictionary?["FormattedAddressLines"] as? [String]
                MainActor.assumeIsolated {
                    self.answers += 1
                    guard let lines else { return }
                    mapView.userLocation.subtitle = lines.joined(separator: ", ")
                    self.canRoute = true
                }
            }
        }
    }

    @MainActor private func commute(_ places: [CLLocationCoordinate2D]) async throws -> (MKMapView, Commuter) {
        let map = newMap()
        let commuter = Commuter()
        map.delegate = commuter
        map.positionSource = .locations(
            places.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }, speed: .infinity)
        map.showsUserLocation = true
        for _ in 0..<400 where commuter.answers < places.count { try await Task.sleep(for: .milliseconds(5)) }
        return (map, commuter)
    }

    @MainActor @Test func scenario2_2MyOwnAddressBecomesTheSubtitleOfMyMark() async throws {
        let (map, commuter) = try await commute([coordinate(50.941302, 6.957189)])
        let mark = try #require(map.annotations.first { $0 is MKUserLocation })
        #expect(mark.subtitle?.hasPrefix("Domkloster 4, 50667") == true && commuter.canRoute)
    }

    @MainActor @Test func scenario2_2WhereThereIsNoAddressTheWayStaysOff() async throws {
        let (map, commuter) = try await commute([coordinate(-48.9, -123.4)])
        #expect(commuter.answers == 1 && !commuter.canRoute && map.userLocation.subtitle == nil)
    }

    @MainActor @Test func scenario2_2TheLastPositionDecides() async throws {
        let (map, commuter) = try await commute([casino, coordinate(60.1683, 24.9422), coordinate(50.941302, 6.957189)])
        #expect(commuter.answers == 3)
        #expect(map.userLocation.subtitle?.hasPrefix("Domkloster 4") == true)
    }

    private static let signs = "! * ' ( ) ; : @ & = + $ , / ? % # [ ]".split(separator: " ").map(String.init)

    @Test(arguments: signs) func scenario2_3AnAddressWithASignStaysOneParameter(_ sign: String) throws {
        let (from, to) = ("Größe 4\(sign)b, Köln", "\(sign)Domkloster")
        let link = MapLink(.route(from: .text(from), to: .text(to)))
        let bare = String(link.text.dropFirst("https://".count))
        #expect(try MapLink(reading: bare).purpose == .route(from: .text(from), to: .text(to)))
    }

    @Test func scenario2_3ARouteByTwoAddresses() async throws {
        let link = MapLink(
            .route(from: .text("Domkloster 4, Köln"), to: .text("Ubierring 40, 50678 Köln"), mode: .driving))
        let url = try #require(URL(string: link.text))
        let response = try await MKDirections(request: MKDirections.Request(contentsOf: url)).calculate()
        #expect(abs(response.source.placemark.coordinate.latitude - 50.941302) < 1e-4)
        #expect(abs(response.destination.placemark.coordinate.latitude - 50.9206) < 1e-4)
        let route = try #require(response.routes.first)
        #expect(route.distance > 2000 && route.name == "Rheinuferstraße")
    }

    @Test func scenario2_3AnAddressThatIsNotFoundNamesItsEnd() async throws {
        for (from, to, end) in [
            ("Nirgendsweg 9, Köln", "Domkloster 4, Köln", "start"),
            ("Domkloster 4, Köln", "Nirgendsweg 9, Köln", "destination"),
        ] {
            let url = try #require(URL(string: MapLink(.route(from: .text(from), to: .text(to))).text))
            await #expect {
                try await MKDirections(request: MKDirections.Request(contentsOf: url)).calculate()
            } throws: {
                ($0 as? MKError)?.code == .placemarkNotFound && $0.localizedDescription.contains(end)
            }
        }
        #expect(throws: MapLinkError.self) { try MapLink(reading: "maps.apple.com/?saddr=Domkloster&daddr=") }
    }

    @MainActor @Test func scenario2_4TheRouteOnOnesOwnMap() async throws {
        let (from, to) = (coordinate(43.7394, 7.4275), coordinate(43.7308, 7.4256))
        let route = try #require(try await MKDirections(request: request(from, to)).calculate().routes.first)
        let line = route.polyline
        #expect(line.pointCount > 30)
        let points = Array(UnsafeBufferPointer(start: line.points(), count: line.pointCount))
        #expect(points.allSatisfy { line.boundingMapRect.contains($0) })
        #expect(MKMapPoint(from).distance(to: points[0]) < 60)
        #expect(MKMapPoint(to).distance(to: points[points.count - 1]) < 60)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.distance(to: $1) < 400 })

        final class Blue: NSObject, MKMapViewDelegate {
            func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
                let renderer = MKPolylineRenderer(overlay: overlay)
                renderer.strokeColor = .systemBlue
                renderer.lineWidth = 5
                return renderer
            }
        }
        let map = newMap(400, 400)
        let blue = Blue()
        map.delegate = blue
        map.visibleMapRect = line.boundingMapRect
        #expect(map.visibleMapRect.contains(line.boundingMapRect))
        let before = try map.pngData()
        map.addOverlay(line)
        #expect(try map.pngData() != before)
    }

    // MARK: What is near

    @Test func scenario3_3RestaurantsNearMe() async throws {
        let response = try await MKLocalSearch(request: .init(naturalLanguageQuery: "restaurants", region: monaco))
            .start()
        #expect(response.mapItems.count > 10)
        let center = MKMapPoint(monaco.center)
        let distances = response.mapItems.map { MKMapPoint($0.placemark.coordinate).distance(to: center) }
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + 5 })
        for item in response.mapItems {
            let place = item.placemark.coordinate
            #expect(abs(place.latitude - monaco.center.latitude) <= 0.005)
            #expect(abs(place.longitude - monaco.center.longitude) <= 0.005)
            #expect(item.name != "" && item.phoneNumber != "" && item.url?.absoluteString != "")
            #expect(item.pointOfInterestCategory == .restaurant)
        }
        #expect(response.mapItems.contains { $0.phoneNumber?.hasPrefix("+377") == true })
        #expect(response.mapItems.contains { $0.url?.scheme?.hasPrefix("http") == true })
        #expect(monaco.contains(response.boundingRegion))
    }

    @Test(arguments: [
        ["restaurants", "рестораны", "Restaurants"], ["cafés", "кафе", "Cafés"], ["gym", "фитнес", "Fitnessstudio"],
    ])
    func scenario3_3TheSameWordsInRussianAndGermanFindTheSame(_ words: [String]) async throws {
        let city = MKCoordinateRegion(
            center: coordinate(60.170, 24.940), latitudinalMeters: 4000, longitudinalMeters: 4000)
        var found: [[String?]] = []
        for word in words {
            found.append(
                try await MKLocalSearch(request: .init(naturalLanguageQuery: word, region: city)).start().mapItems.map(
                    \.name))
        }
        #expect(!found[0].isEmpty && found.allSatisfy { $0 == found[0] })
    }

    @Test func scenario3_3InsideAndOutsideAreNeverMixed() async throws {
        let quiet = MKCoordinateRegion(
            center: coordinate(43.7330, 7.4330), latitudinalMeters: 200, longitudinalMeters: 200)
        let request = MKLocalSearch.Request(naturalLanguageQuery: "restaurants", region: quiet)
        let outside = try await MKLocalSearch(request: request).start().mapItems
        #expect(!outside.isEmpty)
        for item in outside {
            let place = item.placemark.coordinate
            #expect(
                abs(place.latitude - 43.733) > quiet.span.latitudeDelta / 2
                    || abs(place.longitude - 7.433) > quiet.span.longitudeDelta / 2)
        }
        request.regionPriority = .required
        await #expect { _ = try await MKLocalSearch(request: request).start() } throws: {
            ($0 as? MKError)?.code == .placemarkNotFound && $0.localizedDescription.contains("nothing found")
        }
    }

    @Test func aPlaceWithoutANameIsCalledByItsKind() throws {
        let atlas = try TestAtlas.everything
        let unnamed = try #require(
            try atlas.search(SearchQuery("restaurants", in: .everywhere)).first {
                $0.name == nil && !$0.addressLines.isEmpty
            })
        let words = [["en"]: "Restaurant", ["fi-FI", "en"]: "Ravintola", ["la", "ru"]: "Ресторан"]
        for (languages, word) in words {
            let facts = try ItemFacts(unnamed, in: atlas, languages: languages)
            #expect(facts.name == word && facts.item.placemark.name == word)
        }
        #expect(try ItemFacts(unnamed, in: atlas, languages: ["la"]).name == unnamed.address.street)
        // A pin's title is the address.
        let placemark = try ItemFacts(unnamed, in: atlas, languages: ["en"]).item.placemark
        #expect(placemark.title == unnamed.addressLines.joined(separator: ", "))
    }

    @Test func scenario3_3NamesBrandsAndAddressesAreFoundToo() async throws {
        for words in ["Musée océanographique", "Stockmann", "Aleksanterinkatu 52, Helsinki", "Domkloster 4 Köln"] {
            let items = try await MKLocalSearch(request: .init(naturalLanguageQuery: words, region: monaco)).start()
                .mapItems
            #expect(items.first?.name != nil, "\(words)")
        }
        let address = try await MKLocalSearch(request: .init(naturalLanguageQuery: "Domkloster 4 Köln")).start()
        #expect(abs((address.mapItems.first?.placemark.coordinate.latitude ?? 0) - 50.941302) < 1e-4)
        for words in ["", "   ", "qqqzzxxy"] {
            await #expect { _ = try await MKLocalSearch(request: .init(naturalLanguageQuery: words)).start() } throws: {
                ($0 as? MKError)?.code == .placemarkNotFound
            }
        }
    }

    @MainActor @Test func scenario3_3ANewSearchWhileOneIsRunningIsAnsweredToo() async throws {
        let first = MKLocalSearch(request: .init(naturalLanguageQuery: "restaurants", region: monaco))
        let second = MKLocalSearch(request: .init(naturalLanguageQuery: "pharmacy", region: monaco))
        let log = Log<String>()
        await withCheckedContinuation { done in
            for (name, search) in [("first", first), ("second", second), ("again", first)] {
                search.start { response, error in
                    log.append("\(name) \(response == nil ? "\((error as? MKError)?.code.rawValue ?? 0)" : "ok")")
                    if log.all.count == 3 { done.resume() }
                }
            }
            #expect(first.isSearching && log.all.isEmpty)
        }
        #expect(Set(log.all) == ["first ok", "second ok", "again 1"])
        #expect(!first.isSearching)
    }

    @MainActor @Test func aCancelledSearchIsToldOnceAndTheObjectWorksAgain() async throws {
        let search = MKLocalSearch(request: .init(naturalLanguageQuery: "restaurants", region: monaco))
        let log = Log<Int>()
        search.start { _, error in log.append((error as? MKError)?.errorCode ?? 0) }
        search.cancel()
        #expect(!search.isSearching && log.all.isEmpty)
        #expect(try await !search.start().mapItems.isEmpty)
        try await Task.sleep(for: .milliseconds(50))
        #expect(log.all == [1])
    }

    @Test func everyHandlerIsCalledOnceHoweverOftenRequestsAreCancelled() async throws {
        let (answered, total) = (Log<Int>(), 200)
        let region = monaco
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<total {
                group.addTask {
                    let search = MKLocalSearch(request: .init(naturalLanguageQuery: "pharmacy", region: region))
                    await withCheckedContinuation { done in
                        search.start { _, _ in
                            answered.append(number)
                            done.resume()
                        }
                        if number % 3 == 0 { search.cancel() }
                        if number % 5 == 0 { search.cancel() }
                    }
                }
            }
        }
        #expect(answered.all.sorted() == Array(0..<total))
    }

    @Test func resultsOnBothSidesOfTheDateLineHaveANarrowRegion() {
        let region = MKCoordinateRegion(around: [coordinate(-17, 179), coordinate(-18, -178), coordinate(-16, 178)])
        #expect(region.span.longitudeDelta == 4 && region.center.longitude == 180 && region.center.latitude == -17)
        #expect(MKCoordinateRegion(around: [casino]).span.longitudeDelta == 0)
    }

    @Test func cancellingATaskThrowsItsCancellation() async throws {
        let region = monaco
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await MKLocalSearch(request: .init(naturalLanguageQuery: "restaurants", region: region)).start()
                .mapItems.count
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @MainActor @Test func scenario3_4TheResultsAsPins() async throws {
        let found = try await MKLocalSearch(request: .init(naturalLanguageQuery: "pharmacy", region: monaco)).start()
            .mapItems
        let map = newMap(400, 300)
        let pins = found.map { MKPointAnnotation(coordinate: $0.placemark.coordinate, title: $0.name, subtitle: nil) }
        map.showAnnotations(pins, animated: false)
        #expect(map.annotations.count == found.count && pins.allSatisfy { map.view(for: $0) != nil })
        #expect(pins.allSatisfy { $0.title?.isEmpty == false })
        _ = try map.pngData()
    }

    // MARK: How to get there

    @Test(arguments: [MKDirectionsTransportType.any, .automobile, .walking, .cycling])
    func scenario3_5HowToGetThere(_ type: MKDirectionsTransportType) async throws {
        let request = request(coordinate(60.1719, 24.9414), coordinate(60.1617, 24.9522))
        request.transportType = type
        request.requestsAlternateRoutes = true
        let response = try await MKDirections(request: request).calculate()
        let route = try #require(response.routes.first)
        #expect((1...3).contains(response.routes.count))
        #expect(Set(response.routes.map(\.distance)).count == response.routes.count)
        #expect(route.transportType == (type == .any ? .automobile : type))
        #expect(route.distance > 1000 && route.expectedTravelTime > 60 && !route.name.isEmpty)
        #expect(abs(route.steps.reduce(0) { $0 + $1.distance } - route.distance) < 0.01)
        #expect(route.steps.allSatisfy { !$0.instructions.isEmpty && $0.transportType == route.transportType })
        #expect(route.steps.last?.distance == 0)
        func ends(_ line: MKPolyline) -> (MKMapPoint, MKMapPoint) {
            (line.points()[0], line.points()[line.pointCount - 1])
        }
        for (step, next) in zip(route.steps, route.steps.dropFirst()) {
            #expect(MKMapPointEqualToPoint(ends(step.polyline).1, ends(next.polyline).0))
        }
        #expect(MKMapPointEqualToPoint(ends(route.steps[0].polyline).0, ends(route.polyline).0))
        let eta = try await MKDirections(request: request).calculateETA()
        #expect(eta.expectedTravelTime == route.expectedTravelTime && eta.distance == route.distance)
        #expect(
            abs(eta.expectedArrivalDate.timeIntervalSince(eta.expectedDepartureDate) - eta.expectedTravelTime) < 0.001)
    }

    @Test func scenario3_5TheMapApplicationShowsTheSameWay() throws {
        let (from, to) = (item(casino), item(coordinate(43.7308, 7.4256)))
        let options = [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving]
        let link = try #require(MapLink(to: [from, to], options: options))
        func picture(_ link: MapLink) throws -> Data {
            let ends = [ItemFacts(from), ItemFacts(to)]
            return try DesktopMapOpener.picture(
                of: link, items: ends, way: DesktopMapOpener.way(link, ends)?.answer())
        }
        let way = try #require(UIImage(data: try picture(link)))
        #expect(way.size == CGSize(width: 1024, height: 768))
        let both = try #require(MapLink(to: [from, to], options: [:]))
        #expect(try picture(both) != way.pngData())
    }

    @Test func scenario3_5NoneIsPossible() async throws {
        func code(_ request: MKDirections.Request) async -> (MKError.Code?, String) {
            do {
                _ = try await MKDirections(request: request).calculate()
                return (nil, "")
            } catch { return ((error as? MKError)?.code, error.localizedDescription) }
        }
        #expect(await code(MKDirections.Request()).0 == .placemarkNotFound)
        let half = MKDirections.Request()
        half.source = item(casino)
        #expect(await code(half).1.contains("destination"))
        #expect(await code(request(casino, coordinate(95, 0))).0 == .placemarkNotFound)
        #expect(await code(request(casino, coordinate(-48.9, -123.4))).0 == .directionsNotFound)
        #expect(await code(request(casino, coordinate(60.17, 24.94))).0 == .directionsNotFound)
        let transit = request(casino, coordinate(43.7308, 7.4256))
        transit.transportType = .transit
        #expect(await code(transit).0 == .directionsNotFound)
        transit.transportType = [.transit, .walking]
        #expect(await code(transit).0 == nil)
    }

    @Test func theCurrentLocationIsAskedForAndItsWantIsNamed() async throws {
        func ask(_ source: CLPositionSource?) async throws -> CLLocation {
            try await withCheckedThrowingContinuation { continuation in
                CurrentPosition.ask(from: source) { continuation.resume(with: $0) }
            }
        }
        let fixed = CLPositionSource.fixed(latitude: 43.7394, longitude: 7.4275)
        #expect(CurrentPosition.known(from: fixed)?.coordinate.longitude == 7.4275)
        #expect(try await ask(fixed).coordinate.latitude == 43.7394)
        await #expect { try await ask(nil) } throws: {
            let cause = ($0 as? MKError)?.userInfo[NSUnderlyingErrorKey]
            return ($0 as? MKError)?.code == .placemarkNotFound && (cause as? CLError)?.code == .locationUnknown
        }
    }

    @Test func waitingForAPositionKeepsNoOtherRequestWaiting() async throws {
        try #require(Everything.isOpen)
        func isAnswered() async throws -> Bool {
            try await MKReverseGeocodingRequest(location: CLLocation(latitude: 43.7394, longitude: 7.4275))?
                .mapItems.isEmpty == false
        }
        // The first answer may have to wait for the atlases to be made.
        #expect(try await isAnswered())
        let source = CLPositionSource(player: HeldPlayer())
        let log = Log<String>()
        let runs = (0..<(Engine.queue.maxConcurrentOperationCount + 2)).map { _ in
            let run = SingleRequest<RouteQuestion.Answer>()
            let question = RouteQuestion(
                source: ItemFacts(.forCurrentLocation()), destination: ItemFacts(at: casino), transportType: .any,
                positions: { source })
            run.start(question.begin) { _ in log.append("way") }
            return run
        }
        #expect(try await isAnswered())
        #expect(log.all == [])
        for run in runs { run.cancel() }
    }

    @Test func withoutAnAtlasTheServerFails() {
        let none: @Sendable () throws -> Atlas = { throw SextantError.noAtlas }
        let words = PlaceWords(text: "cafe", region: MKCoordinateRegion(), isLimit: false, open: none)
        #expect { try words.find() } throws: {
            let error = $0 as NSError
            return error.domain == MKErrorDomain && error.code == 2 && error.userInfo[NSUnderlyingErrorKey] != nil
                && error.localizedDescription.contains("SEXTANT_ATLAS")
        }
        let way = RouteQuestion(
            source: ItemFacts(at: casino), destination: ItemFacts(at: casino), transportType: .any, open: none)
        #expect { try way.answer() } throws: { ($0 as? MKError)?.code == .serverFailure }
    }

    @Test func aSearchOutsideTheAtlasSaysSo() async throws {
        let sea = MKCoordinateRegion(
            center: coordinate(-48.9, -123.4), latitudinalMeters: 1000, longitudinalMeters: 1000)
        let request = MKLocalSearch.Request(naturalLanguageQuery: "restaurants", region: sea)
        request.regionPriority = .required
        await #expect { _ = try await MKLocalSearch(request: request).start() } throws: {
            $0.localizedDescription.contains("no atlas covers 48.9 S, 123.4 W")
        }
    }
}

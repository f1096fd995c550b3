@testable import MapKit
import Sextant
import Testing

/// Records what a completer tells.
final class CompleterLog: NSObject, MKLocalSearchCompleterDelegate {
    let answers = Log<(fragment: String, titles: [String], isMain: Bool)>()
    let errors = Log<String>()

    func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {
        answers.append((completer.queryFragment, completer.results.map(\.title), MainQueue.isCurrent))
    }

    func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error) {
        errors.append("\(error)")
    }
}

@MainActor @Suite struct CompleterTests {
    private let monaco = MKCoordinateRegion(center: casino, latitudinalMeters: 2000, longitudinalMeters: 2000)

    init() throws { try #require(Everything.isOpen) }

    /// Waits until the completer is at rest.
    private func settle(_ completer: MKLocalSearchCompleter) async throws {
        for _ in 0..<2000 where completer.isSearching { try await Task.sleep(nanoseconds: 5_000_000) }
        try #require(!completer.isSearching)
        await Task.yield()
    }

    /// The code of the error that the body throws.
    private func failure(_ body: () async throws -> Void) async -> MKError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? MKError)?.code
        }
    }

    private func results(_ text: String, _ change: (MKLocalSearchCompleter) -> Void = { _ in }) async throws
        -> [MKLocalSearchCompletion]
    {
        let completer = MKLocalSearchCompleter()
        completer.region = monaco
        change(completer)
        completer.queryFragment = text
        try await settle(completer)
        return completer.results
    }

    @Test func aFragmentIsCompletedOnTheMainThread() async throws {
        let log = CompleterLog()
        let completer = MKLocalSearchCompleter()
        completer.delegate = log
        completer.queryFragment = "monte-carlo cas"
        // What is set in the same turn counts.
        completer.region = monaco
        #expect(completer.isSearching && completer.results.isEmpty)
        try await settle(completer)
        let answer = try #require(log.answers.all.first)
        #expect(
            log.answers.all.count == 1 && answer.isMain && answer.titles.contains("Monte-Carlo Casino and Opera House"))
        #expect(log.errors.all.isEmpty)
        let first = try #require(completer.results.first { $0.title == "Monte-Carlo Casino and Opera House" })
        let marked = first.titleHighlightRanges.map { (first.title as NSString).substring(with: $0.rangeValue) }
        #expect(marked == ["Monte", "Carlo", "Cas"])
        #expect(first.subtitle.contains("Monaco"))
    }

    @Test func onlyTheLastTextIsAnswered() async throws {
        let log = CompleterLog()
        let completer = MKLocalSearchCompleter()
        completer.region = monaco
        completer.delegate = log
        for length in 1...6 { completer.queryFragment = String("casino".prefix(length)) }
        try await settle(completer)
        #expect(log.answers.all.map(\.fragment) == ["casino"])
        completer.queryFragment = "port"
        completer.cancel()
        #expect(!completer.isSearching)
        try await Task.sleep(nanoseconds: 100_000_000)
        #expect(log.answers.all.count == 1)
        completer.queryFragment = ""
        try await settle(completer)
        #expect(log.answers.all.last?.titles == [] && log.answers.all.count == 2)
        completer.queryFragment = "xqzzwqx"
        try await settle(completer)
        #expect(log.answers.all.last?.titles == [] && log.answers.all.count == 3 && log.errors.all.isEmpty)
    }

    @Test func answersComeInTheOrderOfTheTexts() async throws {
        let log = CompleterLog()
        let completer = MKLocalSearchCompleter()
        completer.region = monaco
        completer.delegate = log
        for length in 1...8 {
            completer.queryFragment = String("boulevard".prefix(length))
            try await Task.sleep(nanoseconds: 2_000_000)
        }
        try await settle(completer)
        let lengths = log.answers.all.map { $0.fragment.count }
        #expect(lengths.last == 8 && lengths == lengths.sorted())
    }

    @Test func theTypesOfResultsAreKept() async throws {
        let addresses = try await results("ca") { $0.resultTypes = .address }
        #expect(!addresses.isEmpty)
        for one in addresses {
            let kind = try #require(one.meaning.completion.completion.kind)
            #expect(!FeatureKind.pointsOfInterest.contains(kind) && !FeatureKind.physicalFeatures.contains(kind))
        }
        let places = try await results("ca") { $0.resultTypes = .pointOfInterest }
        for one in places {
            #expect(FeatureKind.pointsOfInterest.contains(try #require(one.meaning.completion.completion.kind)))
        }
        let queries = try await results("restau") { $0.resultTypes = .query }
        #expect(!queries.isEmpty && queries.allSatisfy { $0.meaning.isKind && $0.subtitle.isEmpty })
        #expect(try await results("ca") { $0.resultTypes = [] }.isEmpty)
        let cafes = try await results("ca") {
            $0.resultTypes = .pointOfInterest
            $0.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe])
        }
        #expect(!cafes.isEmpty && cafes.count <= places.count)
        #expect(
            try await results("monac") {
                $0.resultTypes = .address
                $0.addressFilter = .excludingAll
            }.allSatisfy { [.street, .address].contains($0.meaning.completion.completion.kind) })
    }

    @Test func aRequiredRegionIsALimit() async throws {
        let anywhere = try await results("mannerheim")
        #expect(anywhere.contains { $0.title == "Mannerheimintie" })
        #expect(try await results("mannerheim") { $0.regionPriority = .required }.isEmpty)
    }

    @Test func aRequestFindsExactlyWhatWasCompleted() async throws {
        let completion = try #require(
            try await results("monte-carlo cas").first { $0.title == "Monte-Carlo Casino and Opera House" })
        let request = MKLocalSearch.Request(completion: completion)
        #expect(request.naturalLanguageQuery?.hasPrefix("Monte-Carlo Casino and Opera House") == true)
        let found = try await MKLocalSearch(request: request).start().mapItems
        #expect(found.map(\.name) == ["Monte-Carlo Casino and Opera House"])

        let house = try #require(
            try await results("domkloster 4") { $0.region = MKCoordinateRegion() }.first { $0.title == "Domkloster 4" })
        let address = try await MKLocalSearch(request: .init(completion: house)).start().mapItems
        #expect(address.count == 1 && address[0].placemark.subThoroughfare == "4")
        #expect(address[0].placemark.thoroughfare == "Domkloster")

        // Another text is another question.
        request.naturalLanguageQuery = "Port Hercule"
        let other = try await MKLocalSearch(request: request).start().mapItems
        #expect(other.first?.name != "Monte-Carlo Casino and Opera House")
    }

    @Test func aRequestForACompletedKindFindsItsPlaces() async throws {
        let completion = try #require(try await results("restaura") { $0.resultTypes = .query }.first)
        let request = MKLocalSearch.Request(completion: completion)
        request.region = monaco
        let found = try await MKLocalSearch(request: request).start().mapItems
        #expect(found.count > 3 && found.allSatisfy { $0.pointOfInterestCategory == .restaurant })
    }

    @Test func placesOfInterestAroundAreSortedByDistance() async throws {
        let request = MKLocalPointsOfInterestRequest(center: casino, radius: 400)
        request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe, .restaurant])
        let found = try await MKLocalSearch(request: request).start().mapItems
        #expect(found.count > 2)
        let here = CLLocation(latitude: casino.latitude, longitude: casino.longitude)
        let distances = found.map { $0.location.distance(from: here) }
        #expect(
            zip(distances, distances.dropFirst()).allSatisfy { $0 <= $1 + 0.5 } && distances.allSatisfy { $0 < 402 })
        #expect(found.allSatisfy { $0.pointOfInterestCategory == .cafe || $0.pointOfInterestCategory == .restaurant })

        let all = try await MKLocalSearch(request: MKLocalPointsOfInterestRequest(coordinateRegion: request.region))
            .start().mapItems
        #expect(all.count > found.count)
        #expect(MKLocalPointsOfInterestRequest(center: casino, radius: 1e6).radius == 2000)
        #expect(MKLocalPointsOfInterestRequest.maxRadius == MKPointsOfInterestRequestMaxRadius)
        request.pointOfInterestFilter = .excludingAll
        #expect(await failure { _ = try await MKLocalSearch(request: request).start() } == .placemarkNotFound)
    }

    @Test func aSearchShowsTheTypesOfResultsThatItIsAskedFor() async throws {
        let request = MKLocalSearch.Request(naturalLanguageQuery: "restaurants", region: monaco)
        request.regionPriority = .required
        #expect(try await MKLocalSearch(request: request).start().mapItems.isEmpty == false)
        request.resultTypes = .address
        #expect(await failure { _ = try await MKLocalSearch(request: request).start() } == .placemarkNotFound)
        request.resultTypes = .pointOfInterest
        request.pointOfInterestFilter = MKPointOfInterestFilter(excluding: [.restaurant])
        #expect(await failure { _ = try await MKLocalSearch(request: request).start() } == .placemarkNotFound)
    }

    @Test func anAddressFilterIncludesOrExcludes() {
        let towns = MKAddressFilter(including: .locality)
        #expect(towns.includes(.locality) && !towns.includes(.country) && towns.excludes([.country, .postalCode]))
        let most = MKAddressFilter(excluding: [.postalCode, .country])
        #expect(most.includes([.locality, .subLocality]) && most.excludes(.country) && !most.includes(.postalCode))
        #expect(MKAddressFilter.includingAll.includes(.country) && MKAddressFilter.excludingAll.excludes(.country))
    }
}

internal import Sextant

/// Looks for places by words: a kind of place in many languages, a name, a brand, an address; with wishes ("wheelchair
/// accessible museum", "cafe open now") and a place ("parking near the station").
///
///     let request = MKLocalSearch.Request(naturalLanguageQuery: "restaurants", region: map.region)
///     let response = try await MKLocalSearch(request: request).start()
///     for item in response.mapItems { print(item.name ?? "", item.phoneNumber ?? "") }
///
/// The region is asked first. Where nothing lies inside, the priority is not `.required` and the words name a kind of
/// place, it grows until there is something, by 100 km on each side at most; a name or an address is then taken wherever it is, the nearest first. What
/// lies outside is never mixed with what lies inside. Nothing at all is the error `MKError.placemarkNotFound`.
open class MKLocalSearch: NSObject {
    public typealias CompletionHandler = (Response?, (any Error)?) -> Void

    /// What a region means to a search.
    public enum RegionPriority: Int, Sendable {
        /// A hint.
        case `default` = 0
        /// A limit.
        case required = 1
    }

    /// What is found.
    public struct ResultType: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Countries, towns, streets, houses, postcodes.
        public static let address = ResultType(rawValue: 1)
        /// Shops, sights, stops, parks.
        public static let pointOfInterest = ResultType(rawValue: 2)
        /// Waters, peaks and other natural things.
        public static let physicalFeature = ResultType(rawValue: 4)
    }

    /// What to look for, and where.
    open class Request: NSObject, NSCopying {
        open var naturalLanguageQuery: String?
        /// No region as long as the span is zero.
        open var region = MKCoordinateRegion()
        open var regionPriority = RegionPriority.default
        /// What is found; all at first.
        open var resultTypes: ResultType = [.address, .pointOfInterest, .physicalFeature]
        /// Which points of interest; nil for all.
        open var pointOfInterestFilter: MKPointOfInterestFilter?
        /// Which parts of addresses; nil for all.
        open var addressFilter: MKAddressFilter?
        /// What was completed, as long as the query is its text.
        private var completed: (text: String, place: CompletedPlace)?

        public override init() { super.init() }

        /// Finds exactly what a completer offered: its feature, or places of its kind.
        public convenience init(completion: MKLocalSearchCompletion) {
            self.init()
            let text = completion.description
            naturalLanguageQuery = text
            completed = (text, completion.meaning)
        }

        public convenience init(naturalLanguageQuery: String) {
            self.init()
            self.naturalLanguageQuery = naturalLanguageQuery
        }

        public convenience init(naturalLanguageQuery: String, region: MKCoordinateRegion) {
            self.init(naturalLanguageQuery: naturalLanguageQuery)
            self.region = region
        }

        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = Request()
            copy.naturalLanguageQuery = naturalLanguageQuery
            copy.region = region
            copy.regionPriority = regionPriority
            copy.resultTypes = resultTypes
            copy.pointOfInterestFilter = pointOfInterestFilter
            copy.addressFilter = addressFilter
            copy.completed = completed
            return copy
        }

        /// The question, as a value.
        fileprivate var question: PlaceWords {
            let place = completed.flatMap { $0.text == naturalLanguageQuery ? $0.place : nil }
            return PlaceWords(
                text: place?.isKind == true ? place?.completion.title ?? "" : naturalLanguageQuery ?? "",
                region: region,
                isLimit: regionPriority == .required,
                filter: PlaceFilter(
                    types: resultTypes, pointsOfInterest: pointOfInterestFilter, addresses: addressFilter),
                completed: place?.isKind == false ? place : nil)
        }
    }

    /// What was found; one item at least.
    open class Response: NSObject {
        /// The most fitting first.
        public let mapItems: [MKMapItem]
        /// The smallest region around the items, over the date line where that is the shorter way.
        public let boundingRegion: MKCoordinateRegion

        init(_ found: [ItemFacts]) {
            mapItems = found.map(\.item)
            boundingRegion = MKCoordinateRegion(around: found.map(\.coordinate))
        }
    }

    private let work: @Sendable () throws -> [ItemFacts]
    private let run = SingleRequest<[ItemFacts]>()

    public init(request: Request) {
        let words = request.question
        work = { try words.find() }
    }

    /// Looks for everything of interest around a place.
    public init(request: MKLocalPointsOfInterestRequest) {
        let places = request.question
        work = { try places.find() }
    }

    /// Whether a search is under way.
    open var isSearching: Bool { run.isRunning }

    /// Begins. The handler is called once, later, on the main thread.
    open func start(completionHandler: @escaping @MainActor @Sendable (Response?, (any Error)?) -> Void) {
        run.start(work: work) { result in
            MainActor.assumeIsolated {
                switch result {
                case .success(let found): completionHandler(Response(found), nil)
                case .failure(let error): completionHandler(nil, error)
                }
            }
        }
    }

    /// Searches and waits. Cancelling the task cancels the search.
    nonisolated(nonsending) open func start() async throws -> Response {
        Response(try await run.value(work))
    }

    /// Ends the search under way; its handler gets `MKError.unknown`.
    open func cancel() { run.cancel() }
}

/// Words to look for in or around a region, as a value.
struct PlaceWords: Sendable {
    var text: String
    var region: MKCoordinateRegion
    var isLimit: Bool
    var filter = PlaceFilter()
    /// What a completer offered, to be found instead of the words.
    var completed: CompletedPlace?
    var open: @Sendable () throws -> Atlas = { try Engine.atlas() }

    /// Places of one answer at most.
    private static let mostPlaces = 200

    /// The places, one at least.
    func find() throws -> [ItemFacts] {
        do {
            if let completed {
                guard let place = try completed.atlas.place(of: completed.completion, languages: UserLanguages.current)
                else { throw PlaceFailure.nothingFound(completed.completion.title, unmatched: nil) }
                return [try ItemFacts(place, in: completed.atlas, languages: UserLanguages.current)]
            }
            let words = text.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !words.isEmpty else { throw PlaceFailure.emptyQuery }
            let atlas = try open()
            return try places(words, in: atlas).map { try ItemFacts($0, in: atlas, languages: UserLanguages.current) }
        } catch {
            throw MKError(engine: error, otherwise: .placemarkNotFound)
        }
    }

    private func places(_ words: String, in atlas: Atlas) throws -> [FoundPlace] {
        let languages = UserLanguages.current
        let reading = try Reading(words, in: atlas)
        let isKind = reading != .name
        // "cafes in Monaco": the words say where; a region that is no limit is passed over.
        if !isLimit, let first = try atlas.readings(of: words).first, first.isOfKind, first.place?.relation != nil {
            let center = BoundingBox(region).map { _ in region.center.engine }
            let there = try search(
                SearchQuery(
                    words, order: center.map { .nearest($0) } ?? .best, limit: Self.mostPlaces, languages: languages),
                in: atlas)
            if !there.isEmpty { return there }
        }
        guard let box = BoundingBox(region) else {
            let found =
                reading == .kind
                ? try search(SearchQuery(words, limit: Self.mostPlaces, languages: languages), in: atlas)
                : try byName(words, languages, in: atlas)
            guard !found.isEmpty else { throw PlaceFailure.nothingFound(words, unmatched: nil) }
            return found
        }
        let center = region.center.engine
        let inside = try search(
            SearchQuery(
                words, in: .box(box), order: isKind ? .nearest(center) : .best, limit: Self.mostPlaces,
                languages: languages), in: atlas)
        if !inside.isEmpty { return inside }
        var found: [FoundPlace] = []
        var unmatched: String?
        if isKind, !isLimit { found = try growing(words, around: region, languages, in: atlas) }
        if reading != .kind, found.isEmpty {
            var bounded = GeocodeQuery(
                words, languages: languages, limit: 10, near: center, viewbox: box, isBounded: true)
            // What lies elsewhere under just this name goes before a near name in the region.
            bounded.correctsSpelling = false
            found = try atlas.geocode(bounded).places.filter { box.contains($0.coordinate) && filter.shows($0) }
            if found.isEmpty, !isLimit {
                let anywhere = try atlas.geocode(
                    GeocodeQuery(words, languages: languages, limit: 10, near: center, viewbox: box))
                unmatched = anywhere.unmatchedToken
                found = anywhere.places.filter { filter.shows($0) }
            }
            if found.isEmpty, !isLimit, reading == .name {
                found = try search(
                    SearchQuery(words, order: .nearest(center), limit: 10, languages: languages), in: atlas)
            }
        }
        guard found.isEmpty else { return found }
        guard atlas.covers(center) || atlas.parts.allSatisfy(\.isWorld) else {
            throw PlaceFailure.outside(latitude: center.latitude, longitude: center.longitude)
        }
        throw PlaceFailure.nothingFound(words, unmatched: unmatched)
    }

    /// What bears the name or has the address anywhere: the best reading first, then all others of that name.
    private func byName(_ words: String, _ languages: [String], in atlas: Atlas) throws -> [FoundPlace] {
        let answer = try atlas.geocode(GeocodeQuery(words, languages: languages, limit: 10))
        let bearers = try search(SearchQuery(words, limit: Self.mostPlaces, languages: languages), in: atlas)
        var seen: Set<String> = []
        let found = (answer.places.filter { filter.shows($0) } + bearers).filter {
            seen.insert("\($0.atlasIndex)/\($0.feature.id)").inserted
        }
        if found.isEmpty { throw PlaceFailure.nothingFound(words, unmatched: answer.unmatchedToken) }
        return Array(found.prefix(Self.mostPlaces))
    }

    /// How far a region grows on each side, in degrees of latitude: about 100 km.
    private static let growth = 0.9

    /// The nearest of a kind outside a region in which there is none: of the first larger region that has any.
    private func growing(
        _ words: String, around region: MKCoordinateRegion, _ languages: [String], in atlas: Atlas
    ) throws -> [FoundPlace] {
        var span = region.span
        span.latitudeDelta = abs(span.latitudeDelta)
        span.longitudeDelta = abs(span.longitudeDelta)
        // Meridians draw together towards the poles.
        let shrinking = max(cos(region.center.latitude * .pi / 180), 0.01)
        let height = min(span.latitudeDelta + 2 * Self.growth, 180)
        let width = min(span.longitudeDelta + 2 * Self.growth / shrinking, 360)
        let order = SearchQuery.Order.nearest(region.center.engine)
        while span.latitudeDelta < height || span.longitudeDelta < width {
            span.latitudeDelta = min(max(span.latitudeDelta, 0.005) * 2, height)
            span.longitudeDelta = min(max(span.longitudeDelta, 0.005) * 2, width)
            guard let box = BoundingBox(MKCoordinateRegion(center: region.center, span: span)) else { return [] }
            let found = try search(
                SearchQuery(words, in: .box(box), order: order, limit: Self.mostPlaces, languages: languages), in: atlas
            )
            if !found.isEmpty { return found }
        }
        return []
    }

    /// A search with what the filter leaves.
    private func search(_ query: SearchQuery, in atlas: Atlas) throws -> [FoundPlace] {
        guard !filter.showsAll else { return try atlas.search(query) }
        var all = query
        all.limit = nil
        let found = try atlas.search(all).filter { filter.shows($0) }
        return query.limit.map { Array(found.prefix($0)) } ?? found
    }

    /// What the words are by the lexicon of kinds.
    private enum Reading {
        /// "restaurants"
        case kind
        /// A kind with other words: "vegan restaurant", but "School Road 5" too.
        case mixed
        case name

        init(_ text: String, in atlas: Atlas) throws {
            let words = text.split(whereSeparator: \.isWhitespace).prefix(8)
            func isKind(_ run: ArraySlice<Substring>) throws -> Bool {
                try atlas.parts.contains { try !$0.gazetteer.categories(named: run.joined(separator: " ")).isEmpty }
            }
            if try isKind(words[...]) {
                self = .kind
            } else if try (1..<max(words.count, 1)).contains(where: {
                try isKind(words.prefix($0)) || isKind(words.suffix($0))
            }) {
                self = .mixed
            } else {
                self = .name
            }
        }
    }
}

/// Which places a search shows.
struct PlaceFilter: Sendable {
    var types: MKLocalSearch.ResultType = [.address, .pointOfInterest, .physicalFeature]
    var pointsOfInterest: MKPointOfInterestFilter?
    var addresses: MKAddressFilter?

    var showsAll: Bool {
        types.isSuperset(of: [.address, .pointOfInterest, .physicalFeature]) && addresses == nil
            && pointsOfInterest?.isIncludingAll ?? true
    }

    func shows(_ place: FoundPlace) -> Bool {
        let kind = place.feature.kind
        if FeatureKind.physicalFeatures.contains(kind) { return types.contains(.physicalFeature) }
        // A house that is a shop is found as an address by its number.
        guard FeatureKind.pointsOfInterest.contains(kind), place.quality?.precision != .house else {
            return types.contains(.address) && (addresses?.shows(kind) ?? true)
        }
        guard types.contains(.pointOfInterest) else { return false }
        return pointsOfInterest?.shows(
            MKPointOfInterestCategory(
                key: place.feature.category, value: place.feature.type, tags: place.feature.tags)) ?? true
    }
}

extension BoundingBox {
    /// The box of a region; nil for one without extent, or that is no region of the globe.
    init?(_ region: MKCoordinateRegion) {
        let (center, span) = (region.center, region.span)
        guard CLLocationCoordinate2DIsValid(center), span.latitudeDelta.isFinite, span.longitudeDelta.isFinite,
            span.latitudeDelta != 0 || span.longitudeDelta != 0
        else { return nil }
        self.init(center: center.engine, height: abs(span.latitudeDelta), width: abs(span.longitudeDelta))
    }
}

extension MKCoordinateRegion {
    /// The smallest region around places, over the date line where that is the shorter way. Empty for none.
    init(around places: [CLLocationCoordinate2D]) {
        guard let box = BoundingBox(smallestAround: places.map(\.engine)) else {
            self.init()
            return
        }
        let width = box.east - box.west
        self.init(
            center: CLLocationCoordinate2D(box.center),
            span: MKCoordinateSpan(
                latitudeDelta: box.north - box.south, longitudeDelta: width < 0 ? width + 360 : width))
    }
}

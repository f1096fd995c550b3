internal import Sextant

/// Looks for places by words: a kind of place in many languages, a name, a brand, an address.
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

    /// What to look for, and where.
    open class Request: NSObject, NSCopying {
        open var naturalLanguageQuery: String?
        /// No region as long as the span is zero.
        open var region = MKCoordinateRegion()
        open var regionPriority = RegionPriority.default

        public override init() { super.init() }

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
            return copy
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

    private let words: PlaceWords
    private let run = SingleRequest<[ItemFacts]>()

    public init(request: Request) {
        words = PlaceWords(
            text: request.naturalLanguageQuery ?? "", region: request.region,
            isLimit: request.regionPriority == .required)
    }

    /// Whether a search is under way.
    open var isSearching: Bool { run.isRunning }

    /// Begins. The handler is called once, later, on the main thread.
    open func start(completionHandler: @escaping @MainActor @Sendable (Response?, (any Error)?) -> Void) {
        run.start(work: { [words] in try words.find() }) { result in
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
        Response(try await run.value { [words] in try words.find() })
    }

    /// Ends the search under way; its handler gets `MKError.unknown`.
    open func cancel() { run.cancel() }
}

/// Words to look for in or around a region, as a value.
struct PlaceWords: Sendable {
    var text: String
    var region: MKCoordinateRegion
    var isLimit: Bool
    var open: @Sendable () throws -> Atlas = { try Engine.atlas() }

    /// Places of one answer at most.
    private static let mostPlaces = 200

    /// The places, one at least.
    func find() throws -> [ItemFacts] {
        do {
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
        guard let box = BoundingBox(region) else {
            let found =
                reading == .kind
                ? try atlas.search(SearchQuery(words, limit: Self.mostPlaces, languages: languages))
                : try Self.byName(words, languages, in: atlas)
            guard !found.isEmpty else { throw PlaceFailure.nothingFound(words, unmatched: nil) }
            return found
        }
        let center = region.center.engine
        let inside = try atlas.search(
            SearchQuery(
                words, in: .box(box), order: isKind ? .nearest(center) : .best, limit: Self.mostPlaces,
                languages: languages))
        if !inside.isEmpty { return inside }
        var found: [FoundPlace] = []
        var unmatched: String?
        if isKind, !isLimit { found = try Self.growing(words, around: region, languages, in: atlas) }
        if reading != .kind, found.isEmpty {
            var bounded = GeocodeQuery(
                words, languages: languages, limit: 10, near: center, viewbox: box, isBounded: true)
            // What lies elsewhere under just this name goes before a near name in the region.
            bounded.correctsSpelling = false
            found = try atlas.geocode(bounded).places.filter { box.contains($0.coordinate) }
            if found.isEmpty, !isLimit {
                let anywhere = try atlas.geocode(
                    GeocodeQuery(words, languages: languages, limit: 10, near: center, viewbox: box))
                unmatched = anywhere.unmatchedToken
                found = anywhere.places
            }
            if found.isEmpty, !isLimit, reading == .name {
                found = try atlas.search(
                    SearchQuery(words, order: .nearest(center), limit: 10, languages: languages))
            }
        }
        guard found.isEmpty else { return found }
        guard atlas.covers(center) || atlas.parts.allSatisfy(\.isWorld) else {
            throw PlaceFailure.outside(latitude: center.latitude, longitude: center.longitude)
        }
        throw PlaceFailure.nothingFound(words, unmatched: unmatched)
    }

    /// What bears the name or has the address anywhere: the best reading first, then all others of that name.
    private static func byName(_ words: String, _ languages: [String], in atlas: Atlas) throws -> [FoundPlace] {
        let answer = try atlas.geocode(GeocodeQuery(words, languages: languages, limit: 10))
        let bearers = try atlas.search(SearchQuery(words, limit: mostPlaces, languages: languages))
        var seen: Set<String> = []
        let found = (answer.places + bearers).filter { seen.insert("\($0.atlasIndex)/\($0.feature.id)").inserted }
        if found.isEmpty { throw PlaceFailure.nothingFound(words, unmatched: answer.unmatchedToken) }
        return Array(found.prefix(mostPlaces))
    }

    /// How far a region grows on each side, in degrees of latitude: about 100 km.
    private static let growth = 0.9

    /// The nearest of a kind outside a region in which there is none: of the first larger region that has any.
    private static func growing(
        _ words: String, around region: MKCoordinateRegion, _ languages: [String], in atlas: Atlas
    ) throws -> [FoundPlace] {
        var span = region.span
        span.latitudeDelta = abs(span.latitudeDelta)
        span.longitudeDelta = abs(span.longitudeDelta)
        // Meridians draw together towards the poles.
        let shrinking = max(cos(region.center.latitude * .pi / 180), 0.01)
        let height = min(span.latitudeDelta + 2 * growth, 180)
        let width = min(span.longitudeDelta + 2 * growth / shrinking, 360)
        let order = SearchQuery.Order.nearest(region.center.engine)
        while span.latitudeDelta < height || span.longitudeDelta < width {
            span.latitudeDelta = min(max(span.latitudeDelta, 0.005) * 2, height)
            span.longitudeDelta = min(max(span.longitudeDelta, 0.005) * 2, width)
            guard let box = BoundingBox(MKCoordinateRegion(center: region.center, span: span)) else { return [] }
            let found = try atlas.search(
                SearchQuery(words, in: .box(box), order: order, limit: mostPlaces, languages: languages))
            if !found.isEmpty { return found }
        }
        return []
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

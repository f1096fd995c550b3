internal import Sextant
internal import Locking

/// Told what a completer found. Both members are optional, and called on the main thread.
public protocol MKLocalSearchCompleterDelegate: NSObjectProtocol {
    /// `results` are those of the text as it stands now.
    func completerDidUpdateResults(_ completer: MKLocalSearchCompleter)
    /// No atlas could be asked. That nothing begins so is no error: the results are empty then.
    func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error)
}

extension MKLocalSearchCompleterDelegate {
    public func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {}
    public func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error) {}
}

/// Offers what a text may become while it is being typed.
///
///     let completer = MKLocalSearchCompleter()
///     completer.delegate = self
///     completer.region = map.region
///     completer.queryFragment = "monte"       // completerDidUpdateResults(_:) follows
///
/// Set `queryFragment` on every keystroke: the search begins in the next turn of the main run loop with the properties as
/// they stand then, and takes the place of the one before. The answer to an older text never arrives after that to a newer
/// one. An empty text clears the results and tells the delegate.
open class MKLocalSearchCompleter: NSObject {
    /// What is offered.
    public struct ResultType: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Countries, towns, streets, house numbers, postcodes.
        public static let address = ResultType(rawValue: 1)
        /// Shops, sights, stops, parks.
        public static let pointOfInterest = ResultType(rawValue: 2)
        /// Words for kinds of places, to be searched for: "Restaurants".
        public static let query = ResultType(rawValue: 4)
        /// Waters, peaks and other natural things.
        public static let physicalFeature = ResultType(rawValue: 8)
    }

    /// Told of results and failures.
    open weak var delegate: (any MKLocalSearchCompleterDelegate)?

    /// The text as far as it is typed. Setting it, to the same text too, starts a search.
    open var queryFragment: String = "" { didSet { search.begin(self) } }
    /// Where to look first; no region as long as the span is zero.
    open var region = MKCoordinateRegion()
    /// Whether the region is a limit.
    open var regionPriority = MKLocalSearch.RegionPriority.default
    /// All at first.
    open var resultTypes: ResultType = [.address, .pointOfInterest, .query, .physicalFeature]
    /// Which points of interest; nil for all.
    open var pointOfInterestFilter: MKPointOfInterestFilter?
    /// Which parts of addresses; nil for all.
    open var addressFilter: MKAddressFilter?

    /// What the text may become, best first: that of the last search that ended. It changes on the main thread.
    open var results: [MKLocalSearchCompletion] { search.results }
    /// Whether the text as it stands has yet to be answered.
    open var isSearching: Bool { search.isSearching }

    /// Ends the search under way; the delegate is not called.
    open func cancel() { search.cancel() }

    private let search = CompleterSearch()

    public override init() { super.init() }

    /// The question as the properties stand.
    fileprivate var question: CompleterQuestion {
        CompleterQuestion(
            text: queryFragment, box: BoundingBox(region), center: region.center.engine,
            isLimit: regionPriority == .required, types: resultTypes, pointsOfInterest: pointOfInterestFilter,
            addresses: addressFilter, languages: UserLanguages.current)
    }
}

/// One thing that a text may become.
open class MKLocalSearchCompletion: NSObject, @unchecked Sendable {
    /// The name, or street and number.
    public let title: String
    /// Where it is; empty for a kind of place.
    public let subtitle: String
    /// The parts of the title that were typed: values of `NSRange` in UTF-16 units.
    public let titleHighlightRanges: [NSValue]
    /// The same of the subtitle.
    public let subtitleHighlightRanges: [NSValue]

    /// What it stands for.
    let meaning: CompletedPlace

    init(_ meaning: CompletedPlace) {
        self.meaning = meaning
        let completion = meaning.completion.completion
        title = completion.title
        subtitle = completion.subtitle
        func values(_ ranges: [Range<Int>]) -> [NSValue] {
            ranges.map { NSValue(range: NSRange(location: $0.lowerBound, length: $0.count)) }
        }
        titleHighlightRanges = values(completion.titleHighlights)
        subtitleHighlightRanges = values(completion.subtitleHighlights)
    }

    open override var description: String { subtitle.isEmpty ? title : "\(title), \(subtitle)" }
}

/// A completion with the atlas that it comes from.
struct CompletedPlace: Sendable {
    var completion: AtlasCompletion
    var atlas: Atlas

    /// The kind of place; nil for one place.
    var isKind: Bool {
        if case .category = completion.completion.meaning { return true }
        return false
    }
}

/// What a completer asks, as a value.
struct CompleterQuestion: Sendable {
    var text: String
    var box: BoundingBox?
    var center: Coordinate
    var isLimit: Bool
    var types: MKLocalSearchCompleter.ResultType
    var pointsOfInterest: MKPointOfInterestFilter?
    var addresses: MKAddressFilter?
    var languages: [String]

    private static let mostResults = 15

    /// The kinds of features that are wanted.
    var kinds: Set<FeatureKind> {
        var kinds: Set<FeatureKind> = []
        if types.contains(.address) {
            kinds = [
                .country, .region, .county, .municipality, .place, .suburb, .postcode, .street, .address,
                .interpolation,
            ]
            if let addresses { kinds = kinds.filter { addresses.shows($0) } }
        }
        if types.contains(.pointOfInterest) { kinds.formUnion(FeatureKind.pointsOfInterest) }
        if types.contains(.physicalFeature) { kinds.formUnion(FeatureKind.physicalFeatures) }
        return kinds
    }

    func answer() throws -> [CompletedPlace] {
        guard text.contains(where: { !$0.isWhitespace }) else { return [] }
        let atlas = try Engine.atlas()
        let isFiltered = pointsOfInterest.map { !$0.isIncludingAll } ?? false
        var query = CompletionQuery(
            text, near: box == nil ? nil : center, viewbox: box, isBounded: isLimit && box != nil, kinds: kinds,
            offersCategories: false, languages: languages, limit: Self.mostResults * (isFiltered ? 4 : 1))
        var found: [AtlasCompletion] = []
        if !kinds.isEmpty || types.contains(.query) {
            query.offersCategories = types.contains(.query)
            found = try atlas.complete(query)
        }
        if let filter = pointsOfInterest, isFiltered {
            found = try found.filter { try Self.shows($0, filter, in: atlas) }
        }
        return found.prefix(Self.mostResults).map { CompletedPlace(completion: $0, atlas: atlas) }
    }

    private static func shows(_ one: AtlasCompletion, _ filter: MKPointOfInterestFilter, in atlas: Atlas) throws -> Bool
    {
        if case .category(let name) = one.completion.meaning {
            return filter.shows(MKPointOfInterestCategory(lexicon: name))
        }
        guard let kind = one.completion.kind, FeatureKind.pointsOfInterest.contains(kind) else { return true }
        guard let feature = try atlas.place(of: one)?.feature else { return false }
        return filter.shows(
            MKPointOfInterestCategory(key: feature.category, value: feature.type, tags: feature.tags))
    }
}

extension FeatureKind {
    static let pointsOfInterest: Set<FeatureKind> = [.pointOfInterest, .stop, .park]
    static let physicalFeatures: Set<FeatureKind> = [.water, .peak, .otherNatural]
}

/// The searches of one completer, of which the last counts.
private final class CompleterSearch: @unchecked Sendable {
    private struct State {
        var serial = 0
        var answered = 0
        var results: [MKLocalSearchCompletion] = []
    }

    private let state = Mutex(State())
    // Read on the main thread.
    private weak var completer: MKLocalSearchCompleter?

    var results: [MKLocalSearchCompletion] { state.withLock { $0.results } }
    var isSearching: Bool { state.withLock { $0.serial != $0.answered } }

    func cancel() { state.withLock { $0.answered = $0.serial } }

    private func isLast(_ serial: Int) -> Bool { state.withLock { $0.serial == serial && $0.answered != serial } }

    /// Starts a search in the next turn of the main loop, where nothing newer is asked until then.
    func begin(_ completer: MKLocalSearchCompleter) {
        self.completer = completer
        let serial = state.withLock { state in
            state.serial += 1
            return state.serial
        }
        Engine.deliver { [weak self] in
            guard let self, isLast(serial), let question = self.completer?.question else { return }
            Engine.perform {
                guard self.isLast(serial) else { return }
                let result = Result { try question.answer() }
                Engine.deliver { self.finish(serial, result) }
            }
        }
    }

    private func finish(_ serial: Int, _ result: Result<[CompletedPlace], any Error>) {
        let isCurrent = state.withLock { state in
            guard state.serial == serial, state.answered != serial else { return false }
            state.answered = serial
            if case .success(let found) = result { state.results = found.map { MKLocalSearchCompletion($0) } }
            return true
        }
        guard isCurrent, let completer else { return }
        switch result {
        case .success: completer.delegate?.completerDidUpdateResults(completer)
        case .failure(let error):
            completer.delegate?.completer(
                completer, didFailWithError: MKError(engine: error, otherwise: .placemarkNotFound))
        }
    }
}

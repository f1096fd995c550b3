internal import Sextant

/// What both geocoding requests have in common: they ask once at a time and answer with map items.
open class MKPlaceRequest: NSObject {
    /// The language of names; that of the environment where it is nil.
    open var preferredLocale: Locale?
    private let run = SingleRequest<[ItemFacts]>()

    /// Only the two requests below ask anything.
    override init() {}

    /// Whether the question is under way.
    open var isLoading: Bool { run.isRunning }
    /// Whether it was cancelled.
    open var isCancelled: Bool { run.isCancelled }

    /// Begins. The handler is called once, later, on the main thread.
    open func getMapItems(completionHandler: @escaping @MainActor @Sendable ([MKMapItem]?, (any Error)?) -> Void) {
        run.start(work: work) { Self.hand($0, to: completionHandler) }
    }

    /// The places, the best first; empty where there are none. Cancelling the task cancels the question.
    nonisolated(nonsending) open var mapItems: [MKMapItem] {
        get async throws { try await run.value(work).map(\.item) }
    }

    /// Ends the question under way; its handler gets `MKError.unknown`.
    open func cancel() { run.cancel() }

    /// The question, taken down when it is asked.
    var work: @Sendable () throws -> [ItemFacts] { { [] } }
}

/// Finds the places that an address stands for.
///
///     guard let request = MKGeocodingRequest(addressString: "Place du Casino, Monaco") else { return }
///     let items = try await request.mapItems
///
/// The best place comes first. Where nothing fits the answer is an empty array, not an error.
open class MKGeocodingRequest: MKPlaceRequest {
    public let addressString: String
    /// Places in it come first; no limit. No region as long as its span is zero.
    open var region = MKCoordinateRegion()

    /// Nil for an empty address.
    public init?(addressString: String) {
        guard !addressString.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else { return nil }
        self.addressString = addressString
        super.init()
    }

    override var work: @Sendable () throws -> [ItemFacts] {
        let (text, languages) = (addressString, UserLanguages.of(preferredLocale))
        let bias = BoundingBox(region).map { box in
            let corner = Coordinate(latitude: box.south, longitude: box.west)
            return (center: region.center.engine, radius: region.center.engine.distance(to: corner))
        }
        return {
            try Self.noneIsEmpty {
                let atlas = try Engine.atlas()
                return try PlaceFinder(atlas: atlas, languages: languages).places(.text(text), near: bias)
                    .map { try ItemFacts($0, in: atlas, languages: languages) }
            }
        }
    }
}

/// Finds the address of a place.
///
///     let items = try await MKReverseGeocodingRequest(location: fix)?.mapItems
///
/// The answer is the address nearest to the place; an empty array where nothing is known, as in the open sea.
open class MKReverseGeocodingRequest: MKPlaceRequest {
    public let location: CLLocation

    /// Nil for an invalid coordinate.
    public init?(location: CLLocation) {
        guard CLLocationCoordinate2DIsValid(location.coordinate) else { return nil }
        self.location = location
        super.init()
    }

    override var work: @Sendable () throws -> [ItemFacts] {
        let (point, languages) = (location.coordinate.engine, UserLanguages.of(preferredLocale))
        return {
            try Self.noneIsEmpty {
                let atlas = try Engine.atlas()
                let place = try PlaceFinder(atlas: atlas, languages: languages).place(at: point)
                return [try ItemFacts(place, in: atlas, languages: languages)]
            }
        }
    }
}

extension MKPlaceRequest {
    /// What `body` finds; nothing where it fails for want of an answer.
    fileprivate static func noneIsEmpty(_ body: () throws -> [ItemFacts]) throws -> [ItemFacts] {
        do {
            return try body()
        } catch {
            if case .noResult = EngineFailure(error) { return [] }
            throw MKError(engine: error, otherwise: .placemarkNotFound)
        }
    }

    /// Calls a handler of the main thread, on which this runs, with what was found.
    fileprivate static func hand(
        _ result: Result<[ItemFacts], any Error>,
        to handler: @escaping @MainActor @Sendable ([MKMapItem]?, (any Error)?) -> Void
    ) {
        MainActor.assumeIsolated {
            switch result {
            case .success(let found): handler(found.map(\.item), nil)
            case .failure(let error): handler(nil, error)
            }
        }
    }
}

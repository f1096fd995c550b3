internal import Sextant

/// What a route is travelled by.
public struct MKDirectionsTransportType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let automobile = Self(rawValue: 1)
    public static let walking = Self(rawValue: 2)
    /// An atlas holds no timetables: alone it finds no way.
    public static let transit = Self(rawValue: 4)
    public static let cycling = Self(rawValue: 8)
    /// By car.
    public static let any = Self(rawValue: 0x0FFF_FFFF)
}

/// Finds the way from one place to another.
///
///     let request = MKDirections.Request()
///     request.source = .forCurrentLocation()
///     request.destination = site
///     let route = try await MKDirections(request: request).calculate().routes[0]
///     for step in route.steps { print(step.instructions, step.distance) }
///
/// An error is `MKError.directionsNotFound` where no road is near an end, or none leads from one to the other, and
/// `placemarkNotFound` where an end is missing or unknown; its description tells which. Where no way leads there,
/// `failureReason` tells what is in the way, `recoverySuggestion` what to allow, and `MKError.reachableLocationKey` of
/// `userInfo` how far one gets.
open class MKDirections: NSObject {
    public typealias DirectionsHandler = (Response?, (any Error)?) -> Void
    public typealias ETAHandler = (ETAResponse?, (any Error)?) -> Void

    /// Whether roads of a kind are welcome.
    public enum RoutePreference: Int, Sendable {
        case any = 0
        /// Used only where nothing else leads there within reason; the route's advisory notices tell it then.
        case avoid = 1
    }

    /// From where to where, and how.
    open class Request: NSObject, NSCopying {
        open var source: MKMapItem?
        open var destination: MKMapItem?
        open var transportType = MKDirectionsTransportType.any
        /// Whether other ways may be answered too: up to two besides the best one, where they are worth a thought.
        open var requestsAlternateRoutes = false
        /// When the way begins, for restrictions that hold at times. Leaves out what lives: there is no traffic.
        open var departureDate: Date?
        /// When the way ends; counts where there is no departure.
        open var arrivalDate: Date?
        open var tollPreference = RoutePreference.any
        open var highwayPreference = RoutePreference.any

        public override init() { super.init() }

        /// Reads a map link that asks for a way; empty for another.
        public convenience init(contentsOf url: URL) {
            self.init()
            guard let link = try? MapLink(reading: url.absoluteString),
                case .route(let from, _, let to, let mode) = link.purpose
            else { return }
            source = from.map { ItemFacts($0).item } ?? .forCurrentLocation()
            destination = ItemFacts(to).item
            switch mode {
            case .driving: transportType = .automobile
            case .walking: transportType = .walking
            case .transit: transportType = .transit
            case .cycling: transportType = .cycling
            case nil: break
            }
        }

        /// Whether a link asks for a way.
        open class func isDirectionsRequest(_ url: URL) -> Bool {
            guard let link = try? MapLink(reading: url.absoluteString), case .route = link.purpose else { return false }
            return true
        }

        open func copy(with zone: NSZone? = nil) -> Any {
            let copy = Request()
            copy.source = source
            copy.destination = destination
            copy.transportType = transportType
            copy.requestsAlternateRoutes = requestsAlternateRoutes
            copy.departureDate = departureDate
            copy.arrivalDate = arrivalDate
            copy.tollPreference = tollPreference
            copy.highwayPreference = highwayPreference
            return copy
        }
    }

    /// The ways, the best first.
    open class Response: NSObject {
        /// Where the way begins; the current location as the place that it was.
        public let source: MKMapItem
        public let destination: MKMapItem
        public let routes: [MKRoute]

        init(_ found: RouteQuestion.Answer) {
            source = found.source.item
            destination = found.destination.item
            routes = ([found.route] + found.alternatives).map {
                MKRoute($0, by: found.transportType, besides: found.notices)
            }
        }
    }

    /// How long the best way takes.
    open class ETAResponse: NSObject {
        public let source: MKMapItem
        public let destination: MKMapItem
        /// Seconds.
        public let expectedTravelTime: TimeInterval
        /// Metres.
        public let distance: CLLocationDistance
        public let expectedArrivalDate: Date
        public let expectedDepartureDate: Date
        public let transportType: MKDirectionsTransportType

        init(_ found: RouteQuestion.Answer) {
            source = found.source.item
            destination = found.destination.item
            expectedTravelTime = found.route.duration
            distance = found.route.distance
            expectedDepartureDate = found.departure
            expectedArrivalDate = found.departure.addingTimeInterval(found.route.duration)
            transportType = found.transportType
        }
    }

    private let question: RouteQuestion
    private let run = SingleRequest<RouteQuestion.Answer>()

    public init(request: Request) {
        var question = RouteQuestion(
            source: request.source.map { ItemFacts($0) }, destination: request.destination.map { ItemFacts($0) },
            transportType: request.transportType, departure: request.departureDate, arrival: request.arrivalDate)
        question.alternatives = request.requestsAlternateRoutes ? 2 : 0
        if request.tollPreference == .avoid { question.avoided.insert(.tolls) }
        if request.highwayPreference == .avoid { question.avoided.insert(.motorways) }
        self.question = question
    }

    /// Whether a way is being looked for.
    open var isCalculating: Bool { run.isRunning }

    /// Begins. The handler is called once, later, on the main thread.
    open func calculate(completionHandler: @escaping @Sendable (Response?, (any Error)?) -> Void) {
        run.start(question.begin) { result in
            switch result {
            case .success(let found): completionHandler(Response(found), nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// Looks for the way and waits. Cancelling the task cancels it.
    nonisolated(nonsending) open func calculate() async throws -> Response {
        Response(try await run.value(question.begin))
    }

    /// Begins to look how long it takes. The handler is called once, later, on the main thread.
    open func calculateETA(completionHandler: @escaping @Sendable (ETAResponse?, (any Error)?) -> Void) {
        run.start(question.best.begin) { result in
            switch result {
            case .success(let found): completionHandler(ETAResponse(found), nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// How long it takes, waited for.
    nonisolated(nonsending) open func calculateETA() async throws -> ETAResponse {
        ETAResponse(try await run.value(question.best.begin))
    }

    /// Ends what is under way; its handler gets `MKError.unknown`. The object may be asked again.
    open func cancel() { run.cancel() }
}

import Geometry
import Guidance
import Routing
import Sextant

/// The dialect of OSRM's HTTP interface, version 1: `/route/v1/{profile}/{coordinates}` and `/nearest/v1/...`.
///
/// A pure function from request to response. What cannot be read or answered gives status 400 and OSRM's code and
/// message; hints are counted and not needed; `depart` or `arrive` (seconds since 1970) with `utc_offset` (seconds) are
/// Sextant's own, as `RouteRequest` has them, and answered with `departure` and `arrival` of each leg; `exclude` takes every combination of the classes that `RoadKinds` names. OSRM's
/// other services and formats are `NotImplemented`.
public struct OSRMDialect: Sendable {
    /// Finds the router whose roads hold all the coordinates; nil where there is none.
    public typealias RouterLookup = @Sendable ([Coordinate]) throws -> Router?

    /// The most coordinates that one request may name.
    public static let coordinateLimit = 500

    let router: RouterLookup
    /// What is added to every request: the time at which conditional tags are looked at.
    let departure: Int64?

    public init(departure: Int64? = nil, router: @escaping RouterLookup) {
        self.router = router
        self.departure = departure
    }

    /// A dialect over a single router.
    public init(departure: Int64? = nil, router: Router) {
        self.init(departure: departure) { _ in router }
    }

    /// OSRM's services that are not served.
    private static let unservedServices = ["table", "match", "trip", "tile"]

    /// Whether a path belongs to this dialect.
    public static func serves(path: String) -> Bool {
        let service = path.dropFirst().prefix { $0 != "/" }
        return path.hasPrefix("/") && path.dropFirst(service.count + 1).first == "/"
            && (["route", "nearest"] + unservedServices).contains(String(service))
    }

    public func respond(to request: HTTPRequest) -> HTTPResponse {
        do throws(OSRMError) {
            let service = String(request.path.dropFirst().prefix { $0 != "/" })
            if Self.unservedServices.contains(service) {
                throw OSRMError("NotImplemented", "Service \(service) is not supported; route and nearest are")
            }
            let url = try OSRMURL(path: request.path)
            let options = try OSRMOptions(request.query, coordinates: url.coordinates.count)
            switch url.service {
            case "route": return try route(url, options)
            case "nearest": return try nearest(url, options)
            default: throw OSRMError("InvalidService", "Service \(url.service) not found!")
            }
        } catch {
            return error.response
        }
    }

    private func router(for coordinates: [Coordinate]) throws(OSRMError) -> Router {
        let found: Router?
        do { found = try router(coordinates) } catch { throw OSRMError(error) }
        guard let found else {
            throw OSRMError("NoSegment", "Could not find a matching segment for any coordinate.")
        }
        return found
    }

    private func route(_ url: OSRMURL, _ options: OSRMOptions) throws(OSRMError) -> HTTPResponse {
        guard url.coordinates.count >= 2 else {
            throw OSRMError("InvalidOptions", "Number of coordinates needs to be at least two.")
        }
        let router = try router(for: url.coordinates)
        var request = RouteRequest(stops: options.stops(at: url.coordinates), profile: url.profile)
        request.continueStraight = options.continueStraight
        request.snapsToAnyRoad = options.snapsToAnyRoad
        request.wishes.excluded = options.excluded
        // As the engine has it whose dialect this is: nobody waits for another time.
        request.departure = departure
        request.longestWait = 0
        if options.departure != nil || options.arrival != nil {
            request.departure = options.departure
            request.arrival = options.arrival
            request.utcOffset = options.utcOffset
            request.longestWait = 86_400
        }
        let routes: [Route]
        do {
            routes = try router.directions(request, alternatives: options.alternatives)
        } catch { throw OSRMError(error) }
        return HTTPResponse(body: OSRMWriter(options: options, profile: url.profile).body(routes))
    }

    private func nearest(_ url: OSRMURL, _ options: OSRMOptions) throws(OSRMError) -> HTTPResponse {
        guard url.coordinates.count == 1 else {
            throw OSRMError("InvalidOptions", "Only one input coordinate is supported")
        }
        let router = try router(for: url.coordinates)
        let stop = options.stops(at: url.coordinates)[0]
        let found: [SnappedStop]
        do {
            found = try router.nearestRoads(
                to: stop, count: options.number, profile: url.profile, wishes: RoadWishes(excluded: options.excluded),
                snapsToAnyRoad: options.snapsToAnyRoad)
        } catch { throw OSRMError(error) }
        guard !found.isEmpty else { throw OSRMError("NoSegment", "Could not find a matching segment for coordinate 0") }
        return HTTPResponse(body: OSRMWriter(options: options, profile: url.profile).nearestBody(found))
    }
}

/// An answer that is no route: OSRM's code and message.
///
/// Where there is no route or no road, `obstacle` tells why besides; OSRM has no such field, and who does not know it passes it
/// over.
struct OSRMError: Error {
    var code: String
    var message: String
    var obstacle: Obstacle?
    /// Why there is no road near a coordinate.
    var reason: String?

    init(_ code: String, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: any Error) {
        if case SextantError.outsideCoverage(let stop, _, _)? = error as? SextantError {
            self.init("NoSegment", "Could not find a matching segment for coordinate \(stop)")
            return
        }
        if case SextantError.differentAtlases? = error as? SextantError {
            self.init("NoRoute", "Impossible route between points")
            return
        }
        guard let error = error as? RoutingError else {
            self.init("InternalError", "\(error)")
            return
        }
        switch error {
        case .noRoadNearby(let stop, _, _):
            self.init("NoSegment", "Could not find a matching segment for coordinate \(stop)")
            reason = error.description
        case .noRoute(_, _, let reason):
            self.init("NoRoute", "Impossible route between points")
            obstacle = reason
        case .invalidRequest(let reason): self.init("InvalidOptions", reason)
        default: self.init("InternalError", "\(error)")
        }
    }

    var response: HTTPResponse {
        var json = JSONWriter(reservingCapacity: 128)
        json.object {
            $0.member("code", code)
            $0.member("message", message)
            if let obstacle {
                $0.key("obstacle")
                obstacle.write(to: &$0)
            } else if let reason {
                $0.key("obstacle")
                $0.object { $0.member("reason", reason) }
            }
        }
        return HTTPResponse(status: code == "InternalError" ? 500 : 400, body: json.bytes)
    }
}

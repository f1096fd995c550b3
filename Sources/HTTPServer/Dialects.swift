import Foundation
import Sextant

/// All dialects over one atlas, chosen by the request's path: a pure function from request to response.
public struct Dialects: Sendable {
    private let nominatim: NominatimDialect
    private let osrm: OSRMDialect

    public init(_ atlas: Atlas) {
        nominatim = NominatimDialect(
            atlas.parts.map(\.gazetteer),
            dataUpdated: atlas.parts.lazy.flatMap(\.manifest.sources).compactMap(\.timestamp).first)
        osrm = OSRMDialect { coordinates in try atlas.router(for: coordinates) }
    }

    public func respond(to request: HTTPRequest) -> HTTPResponse {
        if request.path == "/" { return StartPage(request).response }
        if OSRMDialect.serves(path: request.path) { return osrm.respond(to: request) }
        return nominatim.respond(to: request)
    }
}

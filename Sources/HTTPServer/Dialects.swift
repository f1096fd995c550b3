import Foundation
import Sextant

/// All dialects over one atlas, chosen by the request's path: a pure function from request to response.
public struct Dialects: Sendable {
    private let nominatim: NominatimDialect
    private let photon: PhotonDialect
    private let osrm: OSRMDialect

    public init(_ atlas: Atlas) {
        let gazetteers = atlas.parts.map(\.gazetteer)
        let updated = atlas.parts.lazy.flatMap(\.manifest.sources).compactMap(\.timestamp).first
        nominatim = NominatimDialect(
            gazetteers, dataUpdated: updated, endsWithWorld: atlas.parts.last?.isWorld ?? false)
        photon = PhotonDialect(
            gazetteers, dataUpdated: updated, endsWithWorld: atlas.parts.last?.isWorld ?? false)
        osrm = OSRMDialect { coordinates in try atlas.router(for: coordinates) }
    }

    public func respond(to request: HTTPRequest) -> HTTPResponse {
        if request.path == "/" { return StartPage(request).response }
        if OSRMDialect.serves(path: request.path) { return osrm.respond(to: request) }
        if PhotonDialect.serves(path: request.path) { return photon.respond(to: request) }
        return nominatim.respond(to: request)
    }
}

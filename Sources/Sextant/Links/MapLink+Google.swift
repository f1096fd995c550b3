import Foundation
import Geometry

/// The links of `google.*/maps/...`, whose path tells what is asked for, with or without the `api=1` form.
extension MapLink {
    /// - Parameter path: what follows `/maps/`, unescaped: `["place", "NAME", "@60.17,24.94,17z"]`.
    /// - Returns: nil where the path names nothing known, and the parameters alone tell.
    static func google(_ path: [String], _ parameters: LinkParameters) throws(MapLinkError) -> MapLink? {
        let view = try GoogleView(path)
        let words = path.prefix { !$0.hasPrefix("@") && !$0.hasPrefix("data=") }
        switch words.first ?? "" {
        case "search":
            let query: Place?
            if let asked = words.dropFirst().first, !asked.isEmpty {
                query = try LinkParameters.place(asked, in: "search")
            } else {
                query = try parameters.place(parameters["query"] == nil ? "q" : "query")
            }
            switch query {
            case .coordinate(let point)?: return MapLink(.show(query), center: view.center ?? point, zoom: view.zoom)
            case .text(let text)?: return MapLink(.search(text), center: view.center, zoom: view.zoom)
            case nil: throw MapLinkError("a search wants a \"query\"")
            }
        case "place":
            guard let name = words.dropFirst().first, !name.isEmpty else {
                throw MapLinkError("a place wants a name or a coordinate")
            }
            if case .coordinate(let point) = try LinkParameters.place(name, in: "place") {
                return MapLink(.show(.coordinate(point)), center: view.center ?? point, zoom: view.zoom)
            }
            guard let point = view.place ?? view.center else { return MapLink(.search(name)) }
            return MapLink(
                .show(.coordinate(point), label: name), center: view.center ?? point, zoom: view.zoom)
        case "dir": return try googleWay(words.dropFirst().map { $0 }, parameters)
        case "":
            let (given, level) = (try parameters.coordinate("center"), try parameters.zoom())
            guard let center = view.center ?? given else { return nil }
            return MapLink(.show(nil), center: center, zoom: view.zoom ?? level)
        default: return nil
        }
    }

    /// The way through the stops of the path, where an empty first one is the current position; else by parameters.
    private static func googleWay(_ stops: [String], _ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        var mode: Mode?
        switch parameters["travelmode"]?.lowercased() {
        case "driving", "two-wheeler": mode = .driving
        case "walking": mode = .walking
        case "bicycling": mode = .cycling
        case "transit": mode = .transit
        default: break
        }
        let avoids = parameters.all("avoid").flatMap { $0.split(separator: ",").map(String.init) }
        var places: [Place?] = []
        for stop in stops { places.append(stop.isEmpty ? nil : try LinkParameters.place(stop, in: "dir")) }
        if places.count < 2 {
            let origin = try parameters.place("origin")
            places = [origin ?? places.first ?? nil]
            for stop in parameters.all("waypoints").flatMap({ $0.split(separator: "|") }) {
                places.append(try LinkParameters.place(String(stop), in: "waypoints"))
            }
            places.append(try parameters.place("destination"))
        }
        guard let to = places.last ?? nil else { throw MapLinkError("a way needs a \"destination\"") }
        let via = places.dropFirst().dropLast().compactMap { $0 }
        return MapLink(.route(from: places.first ?? nil, via: via, to: to, mode: mode), avoids: avoids)
    }
}

/// What a path of those links shows: `@60.17,24.94,15z`, and the spot of a place in `data=...!3d60.17!4d24.94`.
private struct GoogleView {
    var center: Coordinate?
    var zoom: Double?
    var place: Coordinate?

    init(_ path: [String]) throws(MapLinkError) {
        for part in path {
            if part.hasPrefix("@") {
                let numbers = part.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
                guard numbers.count >= 2 else { continue }
                center = try LinkParameters.coordinate(numbers.prefix(2).joined(separator: ","), in: "@")
                // A size in metres or the angles of a photograph may stand there instead.
                if let last = numbers.dropFirst(2).first(where: { $0.hasSuffix("z") }),
                    let level = Double(last.dropLast()),
                    level.isFinite
                {
                    zoom = min(max(level, 2), 21)
                }
            } else if part.hasPrefix("data=") {
                let fields = part.split(separator: "!")
                // The last pair is that of the place itself.
                guard let latitude = fields.last(where: { $0.hasPrefix("3d") }),
                    let longitude = fields.last(where: { $0.hasPrefix("4d") })
                else { continue }
                place = try? LinkParameters.coordinate("\(latitude.dropFirst(2)),\(longitude.dropFirst(2))", in: "data")
            }
        }
    }
}

import Foundation
import Geometry
import Sextant

/// The page at `/`: what is served here, and where the parameters of a map link lead. Plain HTML that asks no other host.
struct StartPage {
    /// What a link in the request's parameters asks for; nil where they are none.
    private let link: MapLink?

    init(_ request: HTTPRequest) {
        let query = request.query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
        link = query.isEmpty ? nil : try? MapLink(reading: "https://maps.apple.com/?" + query)
    }

    var response: HTTPResponse {
        var asked: [String] = []
        if let link {
            asked.append("<h2>\(Self.harmless(Self.spoken(link)))</h2>")
            for target in Self.targets(link) {
                asked.append("<p><a href=\"\(Self.harmless(target))\">\(Self.harmless(target))</a></p>")
            }
        }
        let body = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Sextant</title></head>
            <body>
            <h1>Sextant</h1>
            \(asked.joined(separator: "\n"))
            <p>Answers for programs, as Nominatim gives them:
            <a href="/search?q=Monaco">/search?q=Monaco</a>,
            <a href="/reverse?lat=43.7395&amp;lon=7.4275">/reverse?lat=43.7395&amp;lon=7.4275</a>,
            /lookup?osm_ids=&hellip;, <a href="/status">/status</a>; as Photon does:
            <a href="/api?q=Monaco">/api?q=Monaco</a>,
            <a href="/photon/reverse?lat=43.7395&amp;lon=7.4275">/photon/reverse?lat=43.7395&amp;lon=7.4275</a>; and as OSRM does:
            /route/v1/driving/LON,LAT;LON,LAT, /nearest/v1/driving/LON,LAT.</p>
            <p>Data &copy; OpenStreetMap contributors (ODbL), GeoNames (CC BY 4.0).</p>
            </body></html>

            """
        return HTTPResponse(contentType: "text/html; charset=utf-8", body: Array(body.utf8))
    }

    /// The addresses on this server that answer a link.
    private static func targets(_ link: MapLink) -> [String] {
        switch link.purpose {
        case .show(.text(let words)?, _): return ["/search?q=" + escaped(words)]
        case .show(.coordinate(let point)?, _): return [reverse(point)]
        case .show(nil, _): return link.center.map { [reverse($0)] } ?? []
        case .search(let words, let near):
            guard case .text(let place)? = near else { return ["/search?q=" + escaped(words)] }
            return ["/search?q=" + escaped("\(words), \(place)")]
        case .route(let from, let via, let to, let mode):
            let stops = ([from] + via + [to]).compactMap { $0 }
            var points: [String] = []
            for case .coordinate(let point) in stops {
                points.append("\(number(point.longitude)),\(number(point.latitude))")
            }
            if points.count == stops.count, points.count > 1 {
                let profile = mode == .walking ? "foot" : mode == .cycling ? "bike" : "driving"
                return ["/route/v1/\(profile)/\(points.joined(separator: ";"))?steps=true"]
            }
            // Where the ends are words or the start is not told, each end is looked up.
            return stops.map { stop in
                switch stop {
                case .coordinate(let point): reverse(point)
                case .text(let words): "/search?q=" + escaped(words)
                }
            }
        }
    }

    private static func spoken(_ link: MapLink) -> String {
        func words(_ place: MapLink.Place?) -> String {
            switch place {
            case .coordinate(let point)?: "\(number(point.latitude)),\(number(point.longitude))"
            case .text(let words)?: words
            case nil: "where you are"
            }
        }
        switch link.purpose {
        case .show(let place, let label):
            return label ?? words(place ?? link.center.map { .coordinate($0) })
        case .search(let asked, let near): return near.map { "\(asked) near \(words($0))" } ?? asked
        case .route(let from, _, let to, _): return "From \(words(from)) to \(words(to))"
        }
    }

    private static func reverse(_ point: Coordinate) -> String {
        "/reverse?lat=\(number(point.latitude))&lon=\(number(point.longitude))"
    }

    private static func number(_ value: Double) -> String { String(format: "%.6f", value) }

    /// For the query of an address.
    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// For the text of a page, and for an attribute between double quotes.
    private static func harmless(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
    }
}

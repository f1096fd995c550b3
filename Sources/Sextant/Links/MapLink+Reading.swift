import Foundation
import Geometry

extension MapLink {
    /// Bytes of a link at most.
    static let longestLink = 65_536

    /// Reads a link. Unknown parameters are left aside.
    ///
    /// - Throws: `MapLinkError` for what names no place, words or way, and for coordinates that are none: off the globe, with
    ///   decimal commas, no numbers.
    public init(reading link: String) throws(MapLinkError) {
        guard link.utf8.count <= Self.longestLink else { throw MapLinkError("it is longer than 64 kB") }
        let link = link.trimmingCharacters(in: .whitespacesAndNewlines)
        let address = try LinkAddress(link)
        let parameters = try LinkParameters(address.query)
        switch address.form {
        case .geo(let path): self = try Self.geo(path, parameters)
        case .google(let path):
            if let link = try Self.google(path, parameters) {
                self = link
            } else {
                self = try Self.classic(parameters)
            }
        case .map(path: "/frame"): self = try Self.frame(parameters)
        case .map(path: "/search"): self = try Self.presentSearch(parameters)
        case .map(path: "/place"): self = try Self.place(parameters)
        case .map(path: "/directions"): self = try Self.directions(parameters)
        case .map: self = try Self.classic(parameters)
        }
    }

    // MARK: The older form

    private static func classic(_ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        var link = MapLink(.show(nil))
        link.kind = kind(parameters["t"])
        let from = try parameters.place("saddr")
        if let to = try parameters.place("daddr") {
            link.purpose = .route(from: from, to: to, mode: mode(parameters["dirflg"]))
            return link
        }
        guard from == nil, parameters["saddr"] == nil, parameters["daddr"] == nil else {
            throw MapLinkError("a way needs a destination, and \"daddr\" is missing or empty")
        }
        let shown = try parameters.coordinate("ll")
        link.center = shown
        link.span = try parameters.span("spn")
        if link.span == nil { link.span = try parameters.span("sspn") }
        if link.span == nil { link.zoom = try parameters.zoom() }
        if let address = parameters["address"] {
            link.purpose = .show(.text(address), label: parameters["q"])
        } else if let shown {
            link.purpose = .show(.coordinate(shown), label: parameters["q"])
        } else if let query = try parameters.place("q") {
            link.center = try parameters.coordinate("sll")
            switch query {
            case .coordinate: link.purpose = .show(query)
            case .text(let words): link.purpose = .search(words, near: try parameters.place("near"))
            }
        } else {
            throw MapLinkError("it names no place, no words to look for and no way")
        }
        return link
    }

    private static func mode(_ letter: String?) -> Mode? {
        switch letter?.lowercased().first {
        case "d": .driving
        case "w": .walking
        case "r": .transit
        case "b", "c": .cycling
        default: nil
        }
    }

    private static func kind(_ letter: String?) -> Kind? {
        switch letter?.lowercased() {
        case "m", "standard", "explore", "driving": .standard
        case "k", "satellite": .satellite
        case "h", "hybrid": .hybrid
        case "r", "transit": .transit
        default: nil
        }
    }

    // MARK: The present form

    private static func frame(_ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        guard let center = try parameters.coordinate("center") else { throw MapLinkError("a frame wants a \"center\"") }
        return MapLink(
            .show(nil), center: center, span: try parameters.span("span"), kind: kind(parameters["map"]))
    }

    private static func presentSearch(_ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        guard let words = parameters["query"] else { throw MapLinkError("a search wants a \"query\"") }
        return MapLink(
            .search(words), center: try parameters.coordinate("center"), span: try parameters.span("span"))
    }

    private static func place(_ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        let name = parameters["name"]
        if let point = try parameters.coordinate("coordinate") {
            return MapLink(
                .show(.coordinate(point), label: name ?? parameters["address"]), center: point,
                kind: kind(parameters["map"]))
        }
        if let address = parameters["address"] {
            return MapLink(.show(.text(address), label: name), kind: kind(parameters["map"]))
        }
        if let name { return MapLink(.search(name), kind: kind(parameters["map"])) }
        guard parameters["place-id"] == nil else {
            throw MapLinkError("a \"place-id\" alone says nothing without the network it comes from")
        }
        throw MapLinkError("a place wants a \"coordinate\" or an \"address\"")
    }

    private static func directions(_ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        guard let to = try parameters.place("destination") else {
            throw MapLinkError("a way needs a \"destination\"")
        }
        var via: [Place] = []
        for text in parameters.all("waypoint") { via.append(try LinkParameters.place(text, in: "waypoint")) }
        let avoids = parameters.all("avoid").flatMap { $0.split(separator: ",").map(String.init) }
        let mode = parameters["mode"].flatMap { Mode(rawValue: $0.lowercased()) }
        return MapLink(
            .route(from: try parameters.place("source"), via: via, to: to, mode: mode), avoids: avoids)
    }

    // MARK: geo:

    /// RFC 5870, with `z` and `q` as phones have them: `geo:0,0?q=words` searches, `q=LAT,LON(label)` labels.
    private static func geo(_ path: String, _ parameters: LinkParameters) throws(MapLinkError) -> MapLink {
        let parts = path.split(separator: ";", omittingEmptySubsequences: false)
        for part in parts.dropFirst() where part.lowercased().hasPrefix("crs=") {
            guard part.lowercased() == "crs=wgs84" else {
                throw MapLinkError("its coordinates are not of WGS84 (\(part))")
            }
        }
        // A third number is a height.
        let numbers = (parts.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
        guard numbers.count == 2 || numbers.count == 3 else { throw MapLinkError("geo: wants LAT,LON") }
        let point = try LinkParameters.coordinate(numbers.prefix(2).joined(separator: ","), in: "geo:")
        var link = MapLink(.show(.coordinate(point)), center: point, zoom: try parameters.zoom())
        guard let query = parameters["q"] else { return link }
        if query.hasSuffix(")"), let open = query.firstIndex(of: "("),
            case .coordinate(let labelled) = try LinkParameters.place(String(query[..<open]), in: "q")
        {
            link.center = labelled
            link.purpose = .show(
                .coordinate(labelled), label: String(query[query.index(after: open)...].dropLast()))
        } else if case .coordinate(let given) = try LinkParameters.place(query, in: "q") {
            link.center = given
            link.purpose = .show(.coordinate(given))
        } else if point == Coordinate(latitude: 0, longitude: 0) {
            link.center = nil
            link.purpose = .search(query)
        } else {
            link.purpose = .show(.coordinate(point), label: query)
        }
        return link
    }
}

/// A link taken apart: which form it has, and what comes behind the question mark.
private struct LinkAddress {
    enum Form {
        case geo(String)
        case map(path: String)
        /// What follows `/maps/` in links of `google.*`, unescaped.
        case google([String])
    }

    var form: Form
    var query: Substring

    init(_ link: String) throws(MapLinkError) {
        let whole = link.prefix { $0 != "#" }
        let mark = whole.firstIndex(of: "?") ?? whole.endIndex
        var head = whole[..<mark]
        query = mark == whole.endIndex ? "" : whole[whole.index(after: mark)...]
        let lower = head.lowercased()
        if lower.hasPrefix("geo:") {
            form = .geo(String(head.dropFirst(4)))
            return
        }
        for scheme in ["maps:", "comgooglemaps:", "mapitem:"] where lower.hasPrefix(scheme) {
            // maps:q=..., maps://?q=..., maps://place?...
            let rest = head.dropFirst(scheme.count)
            if mark == whole.endIndex, !rest.hasPrefix("//") { query = rest }
            form = .map(path: rest.hasPrefix("//") ? "/" + rest.dropFirst(2) : "/")
            return
        }
        for scheme in ["https://", "http://"] where lower.hasPrefix(scheme) { head = head.dropFirst(scheme.count) }
        let slash = head.firstIndex(of: "/") ?? head.endIndex
        let host = head[..<slash].lowercased()
        let path = String(head[slash...])
        var hostName = host[...]
        if let colon = hostName.firstIndex(of: ":") { hostName = hostName[..<colon] }
        if hostName.hasPrefix("www.") { hostName = hostName.dropFirst(4) }
        let isMap =
            hostName == "maps.apple.com" || hostName == "beta.maps.apple.com" || hostName.hasPrefix("maps.google.")
            || (hostName.hasPrefix("google.") && path.hasPrefix("/maps"))
        guard isMap else {
            throw MapLinkError(host.isEmpty ? "it has no host" : "\"\(host)\" is no host of maps")
        }
        if hostName.contains("google."), path.hasPrefix("/maps/") {
            var parts: [String] = []
            for part in path.dropFirst("/maps/".count).split(separator: "/", omittingEmptySubsequences: false) {
                guard let plain = part.replacingOccurrences(of: "+", with: " ").removingPercentEncoding else {
                    throw MapLinkError("\"\(part.prefix(40))\" is escaped in a wrong way")
                }
                parts.append(plain.trimmingCharacters(in: .whitespaces))
            }
            if parts.last == "" { parts.removeLast() }
            form = .google(parts)
            return
        }
        form = .map(path: path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path)
    }
}

/// The parameters behind the question mark, unescaped.
struct LinkParameters {
    private var pairs: [(key: String, value: String)] = []

    init(_ query: Substring) throws(MapLinkError) {
        for part in query.split(separator: "&") {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = (sides.count > 1 ? sides[1] : "").replacingOccurrences(of: "+", with: " ")
            guard let key = sides[0].removingPercentEncoding, let plain = value.removingPercentEncoding else {
                throw MapLinkError("\"\(part.prefix(40))\" is escaped in a wrong way")
            }
            pairs.append((key.lowercased(), plain))
        }
    }

    /// The value without blanks at its ends; nil where it is missing or empty.
    subscript(key: String) -> String? { all(key).first }

    func all(_ key: String) -> [String] {
        pairs.filter { $0.key == key }.map { $0.value.trimmingCharacters(in: .whitespacesAndNewlines) }
            .filter { !$0.isEmpty }
    }

    func place(_ key: String) throws(MapLinkError) -> MapLink.Place? {
        guard let text = self[key] else { return nil }
        return try Self.place(text, in: key)
    }

    /// Numbers between commas are a coordinate or nothing at all; all else is words.
    static func place(_ text: String, in key: String) throws(MapLinkError) -> MapLink.Place {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ Double($0.trimmingCharacters(in: .whitespaces)) != nil }) else {
            return .text(text)
        }
        return .coordinate(try coordinate(text, in: key))
    }

    func coordinate(_ key: String) throws(MapLinkError) -> Coordinate? {
        guard let text = self[key] else { return nil }
        return try Self.coordinate(text, in: key)
    }

    static func coordinate(_ text: String, in key: String) throws(MapLinkError) -> Coordinate {
        let numbers = try Self.numbers(text, in: key, form: "LAT,LON with decimal points")
        let point = Coordinate(latitude: numbers.0, longitude: numbers.1)
        guard point.isValid else {
            throw MapLinkError("\"\(text)\" lies off the globe: latitude comes first, -90 to 90")
        }
        return point
    }

    func span(_ key: String) throws(MapLinkError) -> MapLink.Span? {
        guard let text = self[key] else { return nil }
        let numbers = try Self.numbers(text, in: key, form: "two sizes in degrees")
        guard numbers.0 > 0, numbers.1 > 0, numbers.0 <= 180, numbers.1 <= 360 else {
            throw MapLinkError("\(key) wants two sizes in degrees above 0, not \"\(text)\"")
        }
        return MapLink.Span(latitude: numbers.0, longitude: numbers.1)
    }

    func zoom() throws(MapLinkError) -> Double? {
        guard let text = self["z"] ?? self["zoom"] else { return nil }
        guard let zoom = Double(text), zoom.isFinite else { throw MapLinkError("z wants a number, not \"\(text)\"") }
        return min(max(zoom, 2), 21)
    }

    private static func numbers(_ text: String, in key: String, form: String) throws(MapLinkError) -> (Double, Double) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.trimmingCharacters(in: .whitespaces)) }
        guard parts.count == 2, let a = parts[0], let b = parts[1], a.isFinite, b.isFinite else {
            throw MapLinkError("\(key) wants \(form), not \"\(text)\"")
        }
        return (a, b)
    }
}

import Foundation
import Gazetteer
import Geometry
import OpenStreetMap

/// Answers as Nominatim's HTTP interface does: `/search`, `/reverse`, `/lookup`, `/details` and `/status`, down to field
/// names and error codes. A pure function from a request to a response.
///
///     let dialect = NominatimDialect([gazetteer])
///     dialect.respond(to: HTTPRequest(path: "/search", query: [("q", "Oberfeld"), ("format", "jsonv2")]))
///
/// Several gazetteers are asked in their order, the finest first.
public struct NominatimDialect: Sendable {
    public let gazetteers: [Gazetteer]
    /// The time of the data, ISO 8601, for `/status?format=json`.
    public var dataUpdated: String?

    /// Whether the last of the gazetteers is the World, which knows towns by their points alone.
    public var endsWithWorld: Bool

    public init(_ gazetteers: [Gazetteer], dataUpdated: String? = nil, endsWithWorld: Bool = false) {
        self.gazetteers = gazetteers
        self.endsWithWorld = endsWithWorld
        self.dataUpdated = dataUpdated
    }

    /// The answer to a request; 404 for paths of other dialects, 400 for parameters that cannot be read.
    public func respond(to request: HTTPRequest) -> HTTPResponse {
        let name = request.path.split(separator: "/").first.map { String($0.prefix { $0 != "." }) } ?? ""
        do {
            let parameters = Parameters(request)
            switch name {
            case "search": return try search(parameters)
            case "lookup": return try lookup(parameters)
            case "reverse": return try reverse(parameters)
            case "details": return try details(parameters)
            case "status": return try status(parameters)
            default: throw NominatimError(status: 404, message: "Unknown endpoint '\(name)'.")
            }
        } catch {
            let format = request["format"] ?? ""
            let known = error as? NominatimError ?? NominatimError(status: 500, message: "\(error)")
            // Without a format an error comes in the form that an answer would have had.
            return known.response(
                format: !format.isEmpty ? format : ["reverse", "lookup"].contains(name) ? "xml" : "json")
        }
    }

    // MARK: /search

    private func search(_ parameters: Parameters) throws -> HTTPResponse {
        let form = try parameters.form(default: .jsonv2)
        var options = try AnswerOptions(parameters, form: form)
        let text = parameters["q"]?.trimmingCharacters(in: .whitespacesAndNewlines)
        let names = ["amenity", "street", "city", "county", "state", "postalcode", "country"]
        let structured = names.contains { !(parameters[$0] ?? "").isEmpty }
        if text != nil, !(text ?? "").isEmpty, structured {
            throw NominatimError(
                status: 400,
                message: "Structured query parameters (amenity, street, city, county, state, postalcode, country) "
                    + "cannot be used together with 'q' parameter.")
        }
        guard !(text ?? "").isEmpty || structured else {
            throw NominatimError(status: 400, message: "Nothing to search for.")
        }
        var request = SearchRequest(limit: try parameters.integer("limit", default: 10, in: 1...40))
        request.languages = options.languages
        try request.read(parameters)
        options.query = text ?? names.compactMap { parameters[$0] }.filter { !$0.isEmpty }.joined(separator: ", ")
        options.viewboxText = parameters["viewbox"] ?? parameters["viewboxlbrt"]
        options.excluded = request.excludedText
        // Asked for more than wanted, since what is left out below makes room for others.
        var results: [NominatimResult]
        if structured {
            results = try structuredSearch(parameters, request, options)
        } else {
            results = try freeSearch(text ?? "", request, options)
        }
        results.removeAll { result in
            request.excluded.contains(result.placeID)
                || request.excludedObjects.contains(result.osm.map { "\($0)" } ?? "")
        }
        if let filter = request.layers { results.removeAll { !filter.contains($0.layer) } }
        if !request.dedupes { results = try results.flatMap { try singleWays(of: $0, options) } }
        if let wanted = request.featureType { results.removeAll { !wanted.contains($0.feature.rank) || !$0.isPlace } }
        if request.dedupes {
            var seen: Set<String> = []
            // A place node that is one with its boundary may be an island besides: one answer is enough.
            let linked = try Set(results.compactMap { try linkedNode(of: $0) })
            results = results.filter { result in
                if let osm = result.osm, linked.contains(osm) { return false }
                let key = [result.displayName, result.category, result.type].joined(separator: "\u{1}")
                return seen.insert(key).inserted
            }
        }
        if results.count > request.limit { results.removeLast(results.count - request.limit) }
        if parameters.flag("debug", default: false) { return DebugPage.response("search", parameters, results) }
        return form.response(results, options: options, isList: true)
    }

    private func linkedNode(of result: NominatimResult) throws -> OSMID? {
        let index = Int(result.placeID / NominatimResult.placesInGazetteer)
        guard gazetteers.indices.contains(index) else { return nil }
        return try gazetteers[index].linkedPlace(of: result.feature)?.osm
    }

    /// A street as the ways that it is made of, each a result for itself; anything else as it is.
    private func singleWays(of result: NominatimResult, _ options: AnswerOptions) throws -> [NominatimResult] {
        let (index, _) = result.placeID.quotientAndRemainder(dividingBy: NominatimResult.placesInGazetteer)
        guard result.feature.kind == .street, !result.houseNumberIsFound, gazetteers.indices.contains(Int(index)) else {
            return [result]
        }
        let ways = try gazetteers[Int(index)].ways(ofStreet: result.feature)
        guard ways.count > 1 else { return [result] }
        return ways.map { way in
            var single = result
            single.take(way, options: options)
            return single
        }
    }

    private func freeSearch(_ text: String, _ request: SearchRequest, _ options: AnswerOptions) throws
        -> [NominatimResult]
    {
        // No gazetteer reads further either.
        var text = String(decoding: text.utf8.prefix(4096), as: UTF8.self)
        var near = request.near
        if let found = CoordinateText.find(in: text) {
            near = found.coordinate
            text = found.rest
            if text.trimmingCharacters(in: .whitespaces.union(.punctuationCharacters)).isEmpty {
                return try reverseResult(found.coordinate, options: options, zoom: 18).map { [$0] } ?? []
            }
        }
        // "[amenity=pub] Oberfeld" and "[pub] Oberfeld".
        if let open = text.firstIndex(of: "["), let close = text[open...].firstIndex(of: "]") {
            let inside = text[text.index(after: open)..<close].trimmingCharacters(in: .whitespaces)
            let rest = (String(text[..<open]) + " " + String(text[text.index(after: close)...])).trimmingCharacters(
                in: .whitespaces)
            let parts = inside.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            var query = SearchQuery(in: .everywhere)
            if parts.count == 2 {
                query.tag = .init(key: parts[0], value: parts[1])
            } else {
                query.words = inside
            }
            return try special(query, place: rest.isEmpty ? nil : rest, near: near, request, options)
        }
        let hasRegion = near != nil || request.viewbox != nil
        // The whole text where it is a category and there is a region to look in.
        let isCategory = try hasRegion && gazetteers.contains { try !$0.categories(named: text).isEmpty }
        let meanings = isCategory ? [] : try readings(of: text)
        var wanted = Self.firstKind(in: meanings, of: text) { $0?.relation != nil }
        if isCategory { wanted = (SearchQuery(text), nil) }
        if let (query, place) = wanted {
            let found = try special(query, place: place, near: near, request, options)
            if !found.isEmpty || place != nil { return found }
        }
        var query = GeocodeQuery(
            text, languages: options.languages, limit: max(request.limit, 10) + request.excludedCount + 20, near: near,
            viewbox: request.viewbox, isBounded: request.isBounded, countries: request.countries)
        if request.featureType != nil { query.limit = 200 }
        // A number alone means a house in what the asker sees.
        if near == nil, let box = request.viewbox, Self.isBareNumber(text) { query.near = box.center }
        var results = try geocode(query, options)
        if results.isEmpty, near == nil {
            // A kind of place without a region.
            for gazetteer in gazetteers where try !gazetteer.categories(named: text).isEmpty {
                results = try special(SearchQuery(text), place: nil, near: nil, request, options)
                break
            }
        }
        if results.isEmpty, near == nil,
            let (query, place) = Self.firstKind(in: meanings, of: text, where: { $0 != nil && $0?.relation == nil })
        {
            // "supermarket Schaan"
            results = try special(query, place: place, near: nil, request, options)
        }
        return results
    }

    /// Whether a text is a house number and nothing else: `38`, `12a`.
    private static func isBareNumber(_ text: String) -> Bool {
        let text = text.trimmingCharacters(in: .whitespaces)
        guard text.utf8.count <= 6, let first = text.utf8.first, (0x30...0x39).contains(first) else { return false }
        return text.utf8.drop { (0x30...0x39).contains($0) }.count <= 1
    }

    private func structuredSearch(_ parameters: Parameters, _ request: SearchRequest, _ options: AnswerOptions) throws
        -> [NominatimResult]
    {
        let fields = GeocodeQuery.Fields(
            street: parameters["street"], postcode: parameters["postalcode"], city: parameters["city"],
            county: parameters["county"], state: parameters["state"], country: parameters["country"])
        let amenity = parameters["amenity"] ?? ""
        if !amenity.isEmpty {
            let place = [fields.street, fields.city, fields.county, fields.state, fields.postcode, fields.country]
                .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ", ")
            for gazetteer in gazetteers where try !gazetteer.categories(named: amenity).isEmpty {
                return try special(
                    SearchQuery(amenity), place: place.isEmpty ? nil : place, near: request.near, request, options)
            }
            var named = fields
            named.name = amenity
            return try geocode(request.geocodeQuery("", named, options), options)
        }
        return try geocode(request.geocodeQuery("", fields, options), options)
    }

    private func geocode(_ query: GeocodeQuery, _ options: AnswerOptions) throws -> [NominatimResult] {
        let answers = try GeocodeAnswer.answers(of: gazetteers.count, to: query) { try gazetteers[$0].geocode($1) }
        var found = try MergedMatches(query, normalizer: .shared).merged(answers.map(\.matches)) { isWorld($0) }
        if gazetteers.count > 1, let best = found.map(\.match.quality.score).max() {
            // What explains clearly less of the text than another atlas's answer is not meant.
            let floor = best * 0.9
            found = found.filter { $0.match.quality.score >= floor }
        }
        return try found.map { try NominatimResult($0.match, gazetteers[$0.gazetteer], $0.gazetteer, options) }
    }

    /// Whether the gazetteer of that index is the World beneath finer ones.
    func isWorld(_ index: Int) -> Bool { endsWithWorld && index == gazetteers.count - 1 }

    /// What the words of a search mean, by the gazetteers that hold shops.
    private func readings(of text: String) throws -> [[SearchReading]] {
        try gazetteers.enumerated().filter { !isWorld($0.offset) || gazetteers.count == 1 }.map {
            try $0.element.readings(of: text)
        }
    }

    /// A kind at or beside a place, "pubs in Oberfeld", "supermarket Schaan", as the first gazetteer with such a reading has it.
    private static func firstKind(
        in readings: [[SearchReading]], of text: String, where isWanted: (SearchReading.Place?) -> Bool
    ) -> (query: SearchQuery, place: String?)? {
        for list in readings {
            guard var reading = list.first(where: { $0.isOfKind && $0.name.isEmpty && isWanted($0.place) }) else {
                continue
            }
            let place = reading.place?.text
            reading.place = nil
            var query = SearchQuery(text)
            query.reading = reading
            return (query, place)
        }
        return nil
    }

    /// Things of a kind: within the box, around a point, or in and around a place.
    private func special(
        _ query: SearchQuery, place: String?, near: Coordinate?, _ request: SearchRequest, _ options: AnswerOptions
    ) throws -> [NominatimResult] {
        var results: [NominatimResult] = []
        for (index, gazetteer) in gazetteers.enumerated() {
            var asked = query
            asked.limit = request.countries.isEmpty ? max(request.limit, 10) + request.excludedCount + 20 : nil
            if let near {
                asked.region = .circle(center: near, metres: 5_000)
                asked.order = .nearest(near)
                if !request.countries.isEmpty { asked.region = .circle(center: near, metres: 50_000) }
            } else if let box = request.viewbox {
                asked.region = .box(box)
                asked.order = .nearest(box.center)
            }
            var found: [SearchMatch] = []
            if let place {
                let answer = try gazetteer.geocode(GeocodeQuery(place, languages: options.languages, limit: 3))
                for match in answer.matches where found.isEmpty {
                    asked.order = .nearest(match.location)
                    asked.region = .outline(of: match.feature.id)
                    found = try gazetteer.search(asked)
                    if found.isEmpty {
                        asked.region = .circle(center: match.location, metres: 2_500)
                        found = try gazetteer.search(asked)
                    }
                }
            } else {
                found = try gazetteer.search(asked)
            }
            for match in found {
                if !request.countries.isEmpty {
                    guard let country = match.feature.country, request.countries.contains(country) else { continue }
                }
                if request.isBounded, let box = request.viewbox, !box.contains(match.feature.location) { continue }
                results.append(try NominatimResult(match.feature, gazetteer, index, options))
            }
        }
        return results
    }

    // MARK: /reverse, /lookup, /status

    private func reverse(_ parameters: Parameters) throws -> HTTPResponse {
        let form = try parameters.form(default: .xml)
        var options = try AnswerOptions(parameters, form: form, detailsByDefault: true)
        options.query = ["lat", "lon", "zoom"].compactMap { name in parameters[name].map { "\(name)=\($0)" } }
            .joined(separator: "&")
        let latitude = try parameters.required("lat"), longitude = try parameters.required("lon")
        let zoom = try parameters.integer("zoom", default: 18, in: 0...18)
        let point = Coordinate(latitude: latitude, longitude: longitude)
        guard point.isValid,
            let result = try reverseResult(point, options: options, zoom: zoom, layers: try parameters.layers)
        else {
            return form.nothing(latitude: parameters["lat"] ?? "", longitude: parameters["lon"] ?? "")
        }
        if parameters.flag("debug", default: false) { return DebugPage.response("reverse", parameters, [result]) }
        return form.response([result], options: options, isList: false)
    }

    private func lookup(_ parameters: Parameters) throws -> HTTPResponse {
        let form = try parameters.form(default: .xml)
        let options = try AnswerOptions(parameters, form: form, detailsByDefault: true)
        var results: [NominatimResult] = []
        let asked = (parameters["osm_ids"] ?? "").split(separator: ",")
        guard asked.count <= 50 else {
            throw NominatimError(status: 400, message: "Too many object IDs.")
        }
        for text in asked {
            let id = text.trimmingCharacters(in: .whitespaces)
            guard let type = OSMType(letter: id.prefix(1).uppercased()), let number = Int64(id.dropFirst()), number > 0
            else { continue }
            guard let found = try object(OSMID(type, number), options) else { continue }
            results.append(found.result)
        }
        if parameters.flag("debug", default: false) { return DebugPage.response("lookup", parameters, results) }
        return form.response(results, options: options, isList: true)
    }

    private func status(_ parameters: Parameters) throws -> HTTPResponse {
        switch parameters["format"] {
        case nil, "text":
            return HTTPResponse(contentType: "text/plain; charset=utf-8", body: Array("OK".utf8))
        case "json":
            var json = JSONWriter()
            json.object {
                $0.member("status", 0)
                $0.member("message", "OK")
                if let dataUpdated { $0.member("data_updated", dataUpdated) }
                $0.member("software_version", "5.1.0")
                $0.member("database_version", "5.1.0")
            }
            return HTTPResponse(body: json.bytes)
        default:
            throw NominatimError(status: 400, message: "Parameter 'format' must be one of: text, json")
        }
    }
}

/// An error as Nominatim tells it.
struct NominatimError: Error {
    var status: Int
    var message: String

    func response(format: String?) -> HTTPResponse {
        if format == "xml" {
            let text =
                "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<error><code>\(status)</code><message>"
                + XMLText.escape(message) + "</message></error>"
            return HTTPResponse(status: status, contentType: "text/xml; charset=utf-8", body: Array(text.utf8))
        }
        if format == "json" || format == "jsonv2" || format == "geojson" || format == "geocodejson" {
            var json = JSONWriter()
            json.object {
                $0.key("error")
                $0.object {
                    $0.member("code", status)
                    $0.member("message", message)
                }
            }
            return HTTPResponse(status: status, body: json.bytes)
        }
        return HTTPResponse(
            status: status, contentType: "text/plain; charset=utf-8", body: Array("ERROR \(status): \(message)".utf8))
    }
}

extension OSMType {
    init?(letter: String) {
        switch letter {
        case "N": self = .node
        case "W": self = .way
        case "R": self = .relation
        default: return nil
        }
    }

    /// `node`, `way`, `relation`.
    var word: String {
        switch self {
        case .node: "node"
        case .way: "way"
        case .relation: "relation"
        }
    }
}

/// The query's parameters, read with Nominatim's messages for what cannot be read.
struct Parameters {
    private let request: HTTPRequest

    init(_ request: HTTPRequest) { self.request = request }

    subscript(name: String) -> String? { request[name] }

    func form(default form: NominatimForm) throws -> NominatimForm {
        guard let text = request["format"], !text.isEmpty else { return form }
        guard let known = NominatimForm(rawValue: text) else {
            throw NominatimError(
                status: 400, message: "Parameter 'format' must be one of: xml, geojson, geocodejson, json, jsonv2")
        }
        return known
    }

    func integer(_ name: String, default value: Int, in range: ClosedRange<Int>) throws -> Int {
        guard let text = request[name], !text.isEmpty else { return value }
        guard let number = Int(text) else {
            throw NominatimError(status: 400, message: "Parameter '\(name)' must be a number.")
        }
        return min(max(number, range.lowerBound), range.upperBound)
    }

    func flag(_ name: String, default value: Bool) -> Bool {
        guard let text = request[name], !text.isEmpty else { return value }
        return text != "0"
    }

    func number(_ name: String) throws -> Double? {
        guard let text = request[name], !text.isEmpty else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw NominatimError(status: 400, message: "Parameter '\(name)' must be a number.")
        }
        return number
    }

    func required(_ name: String) throws -> Double {
        guard let number = try number(name) else {
            throw NominatimError(status: 400, message: "Parameter '\(name)' missing.")
        }
        return number
    }

    /// The layers asked for; nil where none are named.
    var layers: Set<NominatimLayer>? {
        get throws {
            guard let text = request["layer"], !text.isEmpty else { return nil }
            let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let layers = names.compactMap(NominatimLayer.init(rawValue:))
            guard layers.count == names.count else {
                throw NominatimError(
                    status: 400,
                    message: "Parameter 'layer' must be a comma-separated list of: "
                        + NominatimLayer.allCases.map(\.rawValue).joined(separator: ", "))
            }
            return Set(layers)
        }
    }

    /// All parameters as they came.
    var all: [(name: String, value: String)] { request.query }

    /// Languages of the parameter, else of the header, best first.
    var languages: [String] {
        let text = request["accept-language"] ?? request.headers["accept-language"] ?? ""
        var ranked: [(quality: Double, order: Int, name: String)] = []
        for (order, part) in text.split(separator: ",").prefix(30).enumerated() {
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = pieces.first, !name.isEmpty, name != "*", name.utf8.count <= 35 else { continue }
            var quality = 1.0
            for piece in pieces.dropFirst() where piece.hasPrefix("q=") { quality = Double(piece.dropFirst(2)) ?? 1 }
            ranked.append((quality, order, name))
        }
        ranked.sort { $0.quality != $1.quality ? $0.quality > $1.quality : $0.order < $1.order }
        return ranked.map(\.name)
    }
}

/// What a search may return.
struct SearchRequest {
    var limit: Int
    var languages: [String] = []
    var viewbox: BoundingBox?
    var isBounded = false
    var near: Coordinate?
    var countries: [String] = []
    var dedupes = true
    var layers: Set<NominatimLayer>?
    /// Address ranks of the wanted kind of place.
    var featureType: ClosedRange<Int>?
    var excluded: Set<Int64> = []
    var excludedObjects: Set<String> = []
    var excludedText: String?

    init(limit: Int) { self.limit = limit }

    var excludedCount: Int { excluded.count + excludedObjects.count }

    mutating func read(_ parameters: Parameters) throws {
        for name in ["viewbox", "viewboxlbrt"] where viewbox == nil {
            guard let text = parameters[name], !text.isEmpty else { continue }
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.trimmingCharacters(in: .whitespaces))
            }
            guard numbers.count == 4, let a = numbers[0], let b = numbers[1], let c = numbers[2], let d = numbers[3],
                [a, b, c, d].allSatisfy(\.isFinite)
            else {
                throw NominatimError(
                    status: 400, message: "Bad bounding box string, expected four comma-separated numbers.")
            }
            guard a != c || b != d else {
                throw NominatimError(status: 400, message: "Bounding box with no area.")
            }
            viewbox = BoundingBox(
                west: max(min(a, c), -180), south: max(min(b, d), -90), east: min(max(a, c), 180),
                north: min(max(b, d), 90))
            // Wholly beside the globe: nothing of it is left.
            guard let box = viewbox, box.west <= box.east, box.south <= box.north else {
                throw NominatimError(status: 400, message: "Bounding box outside of the globe.")
            }
        }
        isBounded = parameters.flag("bounded", default: false) && viewbox != nil
        dedupes = parameters.flag("dedupe", default: true)
        countries = (parameters["countrycodes"] ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }.filter { $0.count == 2 && $0.allSatisfy { ("a"..."z").contains($0) } }
        layers = try parameters.layers
        switch parameters["featureType"] ?? parameters["featuretype"] {
        case "country": featureType = 4...4
        case "state": featureType = 8...8
        case "city": featureType = 14...16
        case "settlement": featureType = 8...20
        default: featureType = nil
        }
        var kept: [String] = []
        for text in (parameters["exclude_place_ids"] ?? "").split(separator: ",").prefix(200) {
            let id = text.trimmingCharacters(in: .whitespaces).uppercased()
            if let number = Int64(id) {
                excluded.insert(number)
                kept.append(id)
            } else if OSMType(letter: String(id.prefix(1))) != nil, Int64(id.dropFirst()) != nil {
                excludedObjects.insert(id)
                kept.append(id)
            }
        }
        if !kept.isEmpty { excludedText = kept.joined(separator: ",") }
    }

    func geocodeQuery(_ text: String, _ fields: GeocodeQuery.Fields?, _ options: AnswerOptions) -> GeocodeQuery {
        GeocodeQuery(
            text, fields: fields, languages: options.languages, limit: max(limit, 10) + excludedCount + 20, near: near,
            viewbox: viewbox, isBounded: isBounded, countries: countries)
    }
}

/// Coordinates written in a query: `47.1,9.5`, `47.1 N 9.5 E`, `N 47.1° E 9.5°`.
enum CoordinateText {
    /// The coordinate at the end or at the beginning of the text, and what else the text says; nil for numbers that are
    /// no place on the globe.
    static func find(in text: String) -> (coordinate: Coordinate, rest: String)? {
        let spaced = text.replacingOccurrences(of: "°", with: " ")
        let letters: Set<Character> = ["N", "S", "E", "W", "O"]
        var words: [(text: String, number: Double?)] = []
        for piece in spaced.split(whereSeparator: { $0 == " " || $0 == "," || $0 == "\t" }) {
            // "inf", "nan" and "0x1p3" are words.
            let isDecimal = piece.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e].contains($0) }
            words.append((String(piece), isDecimal ? Double(piece) : nil))
        }
        guard words.count >= 2 else { return nil }
        func read(_ slice: ArraySlice<(text: String, number: Double?)>) -> Coordinate? {
            var values: [(Double, Character?)] = []
            var pending: Character?
            for word in slice {
                if let number = word.number {
                    values.append((number, pending))
                    pending = nil
                } else if word.text.count == 1, let letter = word.text.uppercased().first, letters.contains(letter) {
                    if let last = values.last, last.1 == nil, values.count == 1 || pending == nil, !values.isEmpty,
                        slice.first?.number != nil
                    {
                        values[values.count - 1].1 = letter
                    } else {
                        pending = letter
                    }
                } else {
                    return nil
                }
            }
            guard values.count == 2 else { return nil }
            func signed(_ value: (Double, Character?)) -> Double {
                value.1 == "S" || value.1 == "W" ? -value.0 : value.0
            }
            let isSwapped = values[0].1.map { "EWO".contains($0) } ?? false
            let latitude = signed(values[isSwapped ? 1 : 0]), longitude = signed(values[isSwapped ? 0 : 1])
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            return coordinate.isValid ? coordinate : nil
        }
        for count in stride(from: min(4, words.count), through: 2, by: -1) {
            let tail = words.suffix(count), head = words.prefix(count)
            // A pair of whole numbers is a house number and a postcode rather than a place on the globe.
            func isExact(_ slice: ArraySlice<(text: String, number: Double?)>) -> Bool {
                slice.filter { $0.number != nil }.allSatisfy { $0.text.contains(".") } || words.count == count
            }
            if isExact(tail), let coordinate = read(tail) {
                return (coordinate, words.dropLast(count).map(\.text).joined(separator: " ").trimmingPlaceWords())
            }
            if isExact(head), let coordinate = read(head) {
                return (coordinate, words.dropFirst(count).map(\.text).joined(separator: " "))
            }
        }
        return nil
    }
}

extension String {
    /// Without a "near" or "in" at the end.
    fileprivate func trimmingPlaceWords() -> String {
        for word in [" near", " in", " around"] where lowercased().hasSuffix(word) {
            return String(dropLast(word.count))
        }
        return self
    }
}

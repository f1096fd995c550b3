import Foundation
import Gazetteer
import Geometry
import OpenStreetMap

/// Answers as Photon's HTTP interface does: `/api`, `/reverse`, `/structured` and `/status`, as GeoJSON. A pure function
/// from a request to a response.
///
///     let dialect = PhotonDialect([gazetteer])
///     dialect.respond(to: HTTPRequest(path: "/api", query: [("q", "Oberf"), ("limit", "5")]))
///
/// Its `/reverse` would clash with Nominatim's: beside other dialects everything of it lies under `/photon/`.
public struct PhotonDialect: Sendable {
    public let gazetteers: [Gazetteer]
    /// The time of the data, ISO 8601, for `/status`.
    public var dataUpdated: String?

    /// Whether the last of the gazetteers is the World, which knows towns by their points alone.
    public var endsWithWorld: Bool

    public init(_ gazetteers: [Gazetteer], dataUpdated: String? = nil, endsWithWorld: Bool = false) {
        self.gazetteers = gazetteers
        self.endsWithWorld = endsWithWorld
        self.dataUpdated = dataUpdated
    }

    /// Whether a path belongs to this dialect where others are served beside it.
    public static func serves(path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.first == "photon" || (parts.first == "api" && parts.count == 1)
    }

    /// The answer to a request; 400 with what is wrong for parameters that cannot be read, 404 for other paths.
    public func respond(to request: HTTPRequest) -> HTTPResponse {
        var parts = request.path.split(separator: "/")
        if parts.first == "photon" { parts.removeFirst() }
        do {
            guard parts.count == 1 else { throw PhotonError(status: 404, message: "Not found") }
            switch parts[0] {
            case "api": return try search(PhotonQuery(request, endpoint: .api))
            case "structured": return try search(PhotonQuery(request, endpoint: .structured))
            case "reverse": return try reverse(PhotonQuery(request, endpoint: .reverse))
            case "status": return status()
            default: throw PhotonError(status: 404, message: "Not found")
            }
        } catch let error as PhotonError {
            return error.response
        } catch {
            return PhotonError(status: 500, message: "\(error)").response
        }
    }

    private func search(_ query: PhotonQuery) throws -> HTTPResponse {
        var found: [(score: Double, result: NominatimResult)] = []
        let matched = try matches(query)
        let normalizer = try TextNormalizer.shared
        var fine: [SamePlace] = []
        for (index, gazetteer) in gazetteers.enumerated() {
            let isWorld = endsWithWorld && index == gazetteers.count - 1
            var here = try matched[index].map { match in
                (Self.standing(match.quality), try NominatimResult(match, gazetteer, index, query.options))
            }
            here += try completions(query, gazetteer, index, besides: Set(here.map(\.1.feature.id)))
            let ordered = here.enumerated().sorted {
                $0.element.0 != $1.element.0 ? $0.element.0 > $1.element.0 : $0.offset < $1.offset
            }
            for (score, result) in ordered.map(\.element) {
                var result = result
                if isWorld, fine.contains(where: { $0.isSame(as: result.feature) }) { continue }
                if endsWithWorld, !isWorld, result.isPlace { fine.append(SamePlace(result.feature, normalizer)) }
                if let place = try gazetteer.linkedPlace(of: result.feature) { result.take(place) }
                found.append((score, result))
            }
        }
        if gazetteers.count > 1, let best = found.map(\.score).max() {
            found = found.filter { $0.score >= best * 0.75 }
        }
        if let near = query.near {
            // Stable: what is as near and as well known stays in its order.
            let ranked = found.enumerated().map { (order: $0, score: query.rank($1.score, $1.result, near), found: $1) }
            found = ranked.sorted { $0.score != $1.score ? $0.score > $1.score : $0.order < $1.order }.map(\.found)
        }
        return PhotonForm.response(query.chosen(found.map(\.result)), query)
    }

    /// What stands there in full comes first, then what the text may become (0.8), then what a mistyped text may mean.
    private static func standing(_ quality: MatchQuality) -> Double {
        quality.corrections.isEmpty ? 0.85 + 0.15 * quality.score : 0.7
    }

    /// What the text or the fields stand for in each of the gazetteers.
    private func matches(_ query: PhotonQuery) throws -> [[GeocodeMatch]] {
        let asked = GeocodeQuery(
            query.text, fields: query.fields, languages: query.languages, limit: query.breadth, near: query.near,
            viewbox: query.box, isBounded: query.box != nil, countries: query.countries)
        let answers = try GeocodeAnswer.answers(of: gazetteers.count, to: asked) { try gazetteers[$0].geocode($1) }
        return try zip(gazetteers, answers).map { try matches(query, asked, $0, found: $1.matches) }
    }

    private func matches(
        _ query: PhotonQuery, _ asked: GeocodeQuery, _ gazetteer: Gazetteer, found: [GeocodeMatch]
    ) throws -> [GeocodeMatch] {
        var asked = asked
        var found = found
        guard query.isFiltered, found.filter({ query.isWanted($0.feature) }).count < query.limit else { return found }
        // What the filters leave may be named less closely than what they take away.
        asked.kinds = [
            .street, .address, .pointOfInterest, .water, .park, .peak, .stop, .otherNatural,
        ]
        let seen = Set(found.map(\.feature.id))
        found += try gazetteer.geocode(asked).matches.filter { !seen.contains($0.feature.id) }
        return found
    }

    /// What the text may become, the last word being unfinished or mistyped.
    private func completions(
        _ query: PhotonQuery, _ gazetteer: Gazetteer, _ index: Int, besides known: Set<Int64>
    ) throws -> [(Double, NominatimResult)] {
        guard query.fields == nil else { return [] }
        var seen = known
        var found: [(Double, NominatimResult)] = []
        let asked = CompletionQuery(
            query.text, near: query.near, viewbox: query.box, isBounded: query.box != nil, kinds: query.kinds,
            offersCategories: false, languages: query.languages, limit: query.breadth)
        for completion in try gazetteer.complete(asked).completions {
            let id: Int64
            switch completion.meaning {
            case .feature(let feature), .house(let feature): id = feature
            case .category: continue
            }
            guard seen.insert(id).inserted, let feature = try gazetteer.feature(id: id) else { continue }
            if !query.countries.isEmpty {
                guard let country = feature.country, query.countries.contains(country) else { continue }
            }
            let score = max(0.1, 0.8 - 0.2 * Double(completion.edits))
            found.append((score, try NominatimResult(feature, gazetteer, index, query.options)))
        }
        return found
    }

    private func reverse(_ query: PhotonQuery) throws -> HTTPResponse {
        guard let point = query.near else { throw PhotonError(messages: ["missing search term 'lat' and/or 'lon'"]) }
        var found: [(distance: Double, result: NominatimResult)] = []
        for (index, gazetteer) in gazetteers.enumerated() {
            let near = try gazetteer.neighbours(of: point, within: query.radius * 1000, limit: query.limit * 2) {
                ($0.name != nil || $0.houseNumber != nil) && $0.kind != .timeZone && query.isWanted($0)
            }
            for neighbour in near {
                found.append(
                    (neighbour.distance, try NominatimResult(neighbour.feature, gazetteer, index, query.options)))
            }
        }
        if gazetteers.count > 1 { found.sort { $0.distance < $1.distance } }
        return PhotonForm.response(query.chosen(found.map(\.result)), query)
    }

    private func status() -> HTTPResponse {
        var json = JSONWriter()
        json.object {
            $0.member("status", "Ok")
            if let dataUpdated { $0.member("import_date", dataUpdated) }
        }
        return HTTPResponse(body: json.bytes)
    }
}

/// An error as Photon tells it: a sentence for all that is wrong.
struct PhotonError: Error {
    var status: Int
    var message: String

    init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    init(messages: [String]) { self.init(status: 400, message: messages.joined(separator: "; ")) }

    var response: HTTPResponse {
        var json = JSONWriter()
        json.object {
            $0.member("status", status)
            $0.member("message", message)
        }
        return HTTPResponse(status: status, body: json.bytes)
    }
}

/// The layers of Photon's results.
enum PhotonLayer: String, CaseIterable {
    case house, street, locality, district, city, county, state, country, other

    /// The layer of an address rank (4 country to 30 house) and a kind of place.
    init(rank: Int, type: String) {
        switch rank {
        case 4: self = .country
        case 5...9: self = .state
        case 10...12: self = .county
        case 13...16: self = .city
        // Small settlements are named like parts of a town, not ranked like them.
        case 17...21: self = ["hamlet", "isolated_dwelling", "farm", "croft"].contains(type) ? .locality : .district
        case 22...25: self = .locality
        case 26...28: self = .street
        case 29...: self = .house
        default: self = .other
        }
    }

    init(_ feature: Feature) {
        switch feature.kind {
        case .address, .pointOfInterest, .stop, .interpolation: self = .house
        case .postcode: self = .other
        default: self.init(rank: feature.rank, type: feature.type)
        }
    }
}

/// One value of `osm_tag`: `key`, `key:value`, `:value`, each with `!` before it or before the value.
struct PhotonTagFilter: Equatable {
    var key: String?
    var value: String?
    /// `key:!value`: of the key, but not this value.
    var isOtherValue = false
    var excludes = false

    /// Nil for a text of another form.
    init?(_ text: String) {
        var text = Substring(text)
        if text.first == "!" {
            excludes = true
            text.removeFirst()
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts.contains(where: { $0.dropFirst().contains("!") }) else {
            return nil
        }
        var value = parts.count == 2 ? parts[1] : ""
        if value.first == "!" {
            // Twice "not" says nothing that a filter could mean.
            guard !excludes else { return nil }
            value.removeFirst()
            guard !value.isEmpty else { return nil }
            if parts[0].isEmpty { excludes = true } else { isOtherValue = true }
        }
        guard !parts[0].contains("!") else { return nil }
        if !parts[0].isEmpty { key = String(parts[0]) }
        if !value.isEmpty { self.value = String(value) }
        if key == nil, self.value == nil { return nil }
    }

    func holds(key: String, value: String) -> Bool {
        if let wanted = self.key, wanted != key { return false }
        guard let wanted = self.value else { return true }
        return (wanted == value) != isOtherValue
    }
}

/// A request's parameters, read with Photon's checks: all that is wrong is told at once.
struct PhotonQuery {
    enum Endpoint {
        case api, reverse, structured

        /// The parameters that it knows; any other is refused.
        var known: Set<String> {
            let common: Set<String> = [
                "lang", "limit", "lon", "lat", "osm_tag", "layer", "debug", "dedupe", "geometry",
            ]
            switch self {
            case .api:
                return common.union(["q", "location_bias_scale", "zoom", "bbox", "countrycode", "suggest_addresses"])
            case .reverse: return common.union(["radius", "distance_sort", "query_string_filter"])
            case .structured:
                return common.union([
                    "location_bias_scale", "zoom", "bbox", "countrycode", "state", "county", "city", "postcode",
                    "district", "housenumber", "street",
                ])
            }
        }
    }

    var text = ""
    var fields: GeocodeQuery.Fields?
    var languages: [String] = []
    var limit = 15
    var near: Coordinate?
    var biasScale = 0.2
    var zoom = 14
    var box: BoundingBox?
    /// Kilometres.
    var radius = 1.0
    var layers: Set<PhotonLayer> = []
    var filters: [PhotonTagFilter] = []
    var countries: [String] = []
    var dedupes = true
    var options: AnswerOptions

    init(_ request: HTTPRequest, endpoint: Endpoint) throws {
        var wrong: [String] = []
        func last(_ name: String) -> String? { request.query.last { $0.name == name }?.value }
        func number(_ name: String, _ range: ClosedRange<Double>) -> Double? {
            guard let text = last(name) else { return nil }
            // Only digits: "nan", "inf" and "0x1" are no numbers here.
            let isDecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            guard isDecimal, let value = Double(text), range.contains(value) else {
                wrong.append(
                    "invalid value for '\(name)': a number from \(range.lowerBound) to \(range.upperBound) is expected")
                return nil
            }
            return value
        }
        let strangers = Set(request.query.map(\.name)).subtracting(endpoint.known)
        if !strangers.isEmpty {
            wrong.append(
                "unknown query parameter \(strangers.sorted().prefix(5).map { "'\($0.prefix(50))'" }.joined(separator: ", "))"
                    + ". Allowed parameters are: \(endpoint.known.sorted().joined(separator: ", "))")
        }
        switch endpoint {
        case .api:
            text = (last("q") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            if text.isEmpty, request.query.allSatisfy({ $0.name != "osm_tag" }) || last("q") == nil {
                wrong.append("missing search term 'q': /api?q=berlin")
            }
        case .structured:
            let street = [last("street"), last("housenumber")].compactMap { $0 }.joined(separator: " ")
            fields = GeocodeQuery.Fields(
                street: street, postcode: last("postcode"),
                city: [last("district"), last("city")].compactMap { $0 }.joined(separator: " "), county: last("county"),
                state: last("state"))
            let names = ["countrycode", "state", "county", "city", "postcode", "district", "housenumber", "street"]
            if names.allSatisfy({ (last($0) ?? "").isEmpty }) {
                wrong.append("at least one of the parameters \(names.joined(separator: ", ")) is required")
            }
        case .reverse:
            limit = 1
            if last("lat") == nil || last("lon") == nil {
                wrong.append("missing search term 'lat' and/or 'lon': /reverse?lat=51.5&lon=8.0")
            }
            if let value = number("radius", 0...5000) {
                if value > 0 { radius = value } else { wrong.append("invalid value for 'radius': it must be above 0") }
            }
        }
        if let text = last("limit") {
            if let value = Int(text), text.utf8.count < 10 {
                limit = min(max(value, 1), 50)
            } else {
                wrong.append("invalid value for 'limit': a whole number is expected")
            }
        }
        let latitude = number("lat", -90...90), longitude = number("lon", -180...180)
        if let latitude, let longitude {
            near = Coordinate(latitude: latitude, longitude: longitude)
        } else if (last("lat") == nil) != (last("lon") == nil), endpoint != .reverse {
            wrong.append("missing 'lat' or 'lon': both are needed")
        }
        if let value = number("location_bias_scale", -1e9...1e9) { biasScale = min(max(value, 0), 1) }
        if let value = number("zoom", -1e9...1e9) { zoom = Int(min(max(value, 0), 18)) }
        if let text = last("bbox") {
            let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
            if numbers.count == 4, numbers.allSatisfy(\.isFinite),
                [numbers[0], numbers[2]].allSatisfy({ abs($0) <= 180 }),
                [numbers[1], numbers[3]].allSatisfy({ abs($0) <= 90 })
            {
                box = BoundingBox(
                    west: min(numbers[0], numbers[2]), south: min(numbers[1], numbers[3]),
                    east: max(numbers[0], numbers[2]), north: max(numbers[1], numbers[3]))
            } else {
                wrong.append("invalid value for 'bbox': minLon,minLat,maxLon,maxLat are expected")
            }
        }
        for text in request.query.filter({ $0.name == "osm_tag" }).map(\.value).prefix(50) {
            if let filter = PhotonTagFilter(text) {
                filters.append(filter)
            } else {
                wrong.append("invalid value for 'osm_tag': '\(text.prefix(100))' is not of the form key:value")
            }
        }
        for text in request.query.filter({ $0.name == "layer" }).flatMap({ $0.value.split(separator: ",") }) {
            if let layer = PhotonLayer(rawValue: String(text)) {
                layers.insert(layer)
            } else {
                wrong.append(
                    "invalid value for 'layer': allowed are "
                        + PhotonLayer.allCases.map(\.rawValue).joined(separator: ", "))
                break
            }
        }
        countries = (last("countrycode") ?? "").split(separator: ",").map { $0.lowercased() }
        if let text = last("lang") {
            if let language = Self.language(text) {
                languages = language
            } else {
                wrong.append("language '\(text.prefix(50))' is not supported; 'default' and ISO 639 codes are")
            }
        } else {
            languages = Parameters(request).languages
        }
        dedupes = last("dedupe") != "0"
        options = AnswerOptions(languages: languages, geoJSON: ["1", "true"].contains(last("geometry") ?? ""))
        if !wrong.isEmpty { throw PhotonError(messages: wrong) }
    }

    private static let knownLanguages = Set(
        Locale.LanguageCode.isoLanguageCodes.flatMap { [$0.identifier, $0.identifier(.alpha3) ?? ""] })

    /// `[]` for `default`, the code for a language of ISO 639 with or without script and region; nil for all else.
    private static func language(_ text: String) -> [String]? {
        if text == "default" || text.isEmpty { return [] }
        let parts = text.split(separator: text.contains("_") ? "_" : "-", omittingEmptySubsequences: false)
        guard parts.count <= 3, let first = parts.first, knownLanguages.contains(first.lowercased()),
            parts.dropFirst().allSatisfy({ (2...4).contains($0.utf8.count) && $0.allSatisfy(\.isLetter) })
        else { return nil }
        return [text.replacingOccurrences(of: "_", with: "-")]
    }

    /// Whether anything but the text decides what may be an answer.
    var isFiltered: Bool { !filters.isEmpty || !layers.isEmpty }
    /// How many candidates are looked at: some that are the same are folded, and filters may leave few of them.
    var breadth: Int { isFiltered ? 200 : min(200, max(20, 3 * limit)) }

    /// The kinds of features that the layers hold; nil where none are named.
    var kinds: Set<FeatureKind>? {
        guard !layers.isEmpty, !layers.contains(.other) else { return nil }
        var kinds: Set<FeatureKind> = []
        for layer in layers {
            switch layer {
            case .house: kinds.formUnion([.address, .interpolation, .pointOfInterest, .stop])
            case .street: kinds.insert(.street)
            default: kinds.formUnion([.country, .region, .county, .municipality, .place, .suburb])
            }
        }
        return kinds
    }

    /// Whether the layers and tag filters let the feature pass: any of the including ones, none of the excluding.
    func isWanted(_ feature: Feature) -> Bool {
        if !layers.isEmpty, !layers.contains(PhotonLayer(feature)) { return false }
        // A boundary that a place node was taken into counts as that place.
        let linked = feature.tags["linked_place"]
        let key = linked == nil ? feature.category : "place", value = linked ?? feature.type
        let including = filters.filter { !$0.excludes }
        if !including.isEmpty, !including.contains(where: { $0.holds(key: key, value: value) }) { return false }
        return !filters.contains { $0.excludes && $0.holds(key: key, value: value) }
    }

    /// Match quality first, in coarse steps, then nearness and, by the bias scale, importance.
    func rank(_ score: Double, _ result: NominatimResult, _ near: Coordinate) -> Double {
        // The radius in which all is near: 250 m at zoom 18, doubled with each zoom less.
        let radius = 0.25 * Double(1 << (18 - zoom)) * 1000
        let nearness = 1 / (1 + near.distance(to: result.location) / radius)
        return (score * 20).rounded() + nearness + biasScale * result.importance
    }

    /// The results that the filters let pass, without those that look the same, cut to the limit.
    func chosen(_ results: [NominatimResult]) -> [NominatimResult] {
        var seen: Set<String> = []
        var chosen: [NominatimResult] = []
        for result in results where isWanted(result.feature) {
            if dedupes {
                var identity = result.osm.map { "\($0)" } ?? "#\(result.placeID)"
                if result.feature.kind == .street {
                    identity = "street " + result.displayName + " " + (result.address.postcode ?? "")
                } else if let number = result.address.houseNumber, result.feature.kind == .interpolation {
                    identity += " " + number
                }
                guard seen.insert(identity).inserted else { continue }
            }
            chosen.append(result)
            if chosen.count == limit { break }
        }
        return chosen
    }
}

/// Photon's form of an answer: GeoJSON whose properties are the parts of the address.
enum PhotonForm {
    static func response(_ results: [NominatimResult], _ query: PhotonQuery) -> HTTPResponse {
        var json = JSONWriter(reservingCapacity: 256 + results.count * 512)
        json.object {
            $0.member("type", "FeatureCollection")
            $0.key("features")
            $0.array { for result in results { feature(result, query, &$0) } }
        }
        return HTTPResponse(body: json.bytes)
    }

    private static func feature(_ result: NominatimResult, _ query: PhotonQuery, _ json: inout JSONWriter) {
        json.object {
            $0.member("type", "Feature")
            $0.key("properties")
            $0.object { properties(result, &$0) }
            $0.key("geometry")
            NominatimForm.geometry(result, &$0, asked: query.options.geoJSON)
        }
    }

    private static func properties(_ result: NominatimResult, _ json: inout JSONWriter) {
        let feature = result.feature
        if let osm = result.osm {
            json.member("osm_type", osm.type.letter)
            json.member("osm_id", osm.number)
        }
        json.member("osm_key", result.category)
        json.member("osm_value", result.type)
        let layer = result.houseNumberIsFound ? .house : PhotonLayer(feature)
        json.member("type", layer.rawValue)
        if let postcode = result.address.postcode { json.member("postcode", postcode) }
        if let code = result.address.countryCode { json.member("countrycode", code.uppercased()) }
        if !result.name.isEmpty, feature.kind != .street || !result.houseNumberIsFound {
            json.member("name", result.name)
        }
        if let number = result.address.houseNumber { json.member("housenumber", number) }
        var said: Set<PhotonLayer> = [layer, .house, .other]
        if layer != .street, let street = result.address.street {
            json.member("street", street)
        }
        said.insert(.street)
        for part in result.address.parts
        where part.rank > 0 && part.feature != feature.id && !["country_code", "postcode"].contains(part.label) {
            let level = PhotonLayer(rank: part.rank, type: part.label)
            guard said.insert(level).inserted else { continue }
            json.member(level.rawValue, part.name)
        }
        if said.insert(.city).inserted, layer == .house || layer == .street, let city = result.address.city {
            json.member("city", city)
        }
        let box = feature.boundingBox
        if box.west != box.east || box.south != box.north {
            json.key("extent")
            json.array {
                for value in [box.west, box.north, box.east, box.south] { $0.number(value, decimals: 7) }
            }
        }
    }
}

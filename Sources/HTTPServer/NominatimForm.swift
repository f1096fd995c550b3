import Foundation
import Gazetteer
import Geometry
import OpenStreetMap

/// The forms in which results are written.
enum NominatimForm: String {
    case xml, json, jsonv2, geojson, geocodejson

    /// The document with these results; a reverse answer (`isList` false) is the one result itself where the form allows.
    func response(_ results: [NominatimResult], options: AnswerOptions, isList: Bool) -> HTTPResponse {
        if self == .xml {
            let body = isList ? XMLForm.list(results, options) : XMLForm.reverse(results, options)
            return HTTPResponse(contentType: "text/xml; charset=utf-8", body: Array(body.utf8))
        }
        var json = JSONWriter(reservingCapacity: 512 + results.count * 1024)
        switch self {
        case .geojson: geojson(results, options, &json)
        case .geocodejson: geocodejson(results, options, &json)
        default:
            if isList {
                json.array { for result in results { plain(result, options, &$0) } }
            } else if let first = results.first {
                plain(first, options, &json)
            }
        }
        return response(json.bytes, options)
    }

    /// The body, or a call of the asker's function with it.
    func response(_ json: [UInt8], _ options: AnswerOptions) -> HTTPResponse {
        guard let callback = options.callback else { return HTTPResponse(body: json) }
        return HTTPResponse(
            contentType: "application/javascript; charset=utf-8",
            body: Array((callback + "(").utf8) + json + Array(")".utf8))
    }

    /// The answer where nothing is at the place.
    func nothing(latitude: String, longitude: String) -> HTTPResponse {
        if self == .xml {
            let text =
                XMLForm.head("reversegeocode", ["querystring": "lat=\(latitude)&lon=\(longitude)"])
                + "<error>Unable to geocode</error></reversegeocode>"
            return HTTPResponse(contentType: "text/xml; charset=utf-8", body: Array(text.utf8))
        }
        var json = JSONWriter()
        json.object { $0.member("error", "Unable to geocode") }
        return HTTPResponse(body: json.bytes)
    }

    // MARK: JSON

    private func plain(_ result: NominatimResult, _ options: AnswerOptions, _ json: inout JSONWriter) {
        json.object {
            $0.member("place_id", result.placeID)
            $0.member("licence", result.licence.sentence)
            object(result, &$0)
            $0.member("lat", Self.degrees(result.location.latitude))
            $0.member("lon", Self.degrees(result.location.longitude))
            $0.member(self == .json ? "class" : "category", result.category)
            $0.member("type", result.type)
            $0.member("place_rank", result.placeRank)
            $0.member("importance", result.importance)
            $0.member("addresstype", result.addressType)
            $0.member("name", result.name)
            $0.member("display_name", result.displayName)
            details(result, options, &$0)
            $0.key("boundingbox")
            $0.array {
                for value in [result.box.south, result.box.north, result.box.west, result.box.east] {
                    $0.string(Self.degrees(value))
                }
            }
            if options.geoJSON {
                $0.key("geojson")
                Self.geometry(result, &$0)
            }
            if options.geometryText { $0.member("geotext", GeometryText.wellKnown(result)) }
            if options.geometrySVG { $0.member("svg", GeometryText.svg(result)) }
            if options.geometryKML { $0.member("geokml", GeometryText.kml(result)) }
        }
    }

    private func object(_ result: NominatimResult, _ json: inout JSONWriter) {
        guard let osm = result.osm else { return }
        json.member("osm_type", osm.type.word)
        json.member("osm_id", osm.number)
    }

    private func details(_ result: NominatimResult, _ options: AnswerOptions, _ json: inout JSONWriter) {
        if options.addressDetails {
            json.key("address")
            json.object { for pair in result.addressPairs { $0.member(pair.label, pair.name) } }
        }
        if options.extraTags {
            json.key("extratags")
            Self.tags(result.extraTags, &json)
        }
        if options.nameDetails {
            json.key("namedetails")
            Self.tags(result.names, &json)
        }
        if options.entrances {
            json.key("entrances")
            json.array {
                for entrance in result.entrances {
                    $0.object {
                        $0.member("osm_id", entrance.node)
                        $0.member("type", entrance.type)
                        $0.member("lat", Self.degrees(entrance.location.latitude))
                        $0.member("lon", Self.degrees(entrance.location.longitude))
                        $0.key("extratags")
                        Self.tags(entrance.tags.pairs.map { ($0.key, $0.value) }, &$0)
                    }
                }
            }
        }
    }

    /// Tags as an object; none as nothing, or as an empty object.
    static func tags(_ pairs: [(String, String)], _ json: inout JSONWriter, orNull: Bool = true) {
        if pairs.isEmpty, orNull { return json.null() }
        json.object { for (key, value) in pairs { $0.member(key, value) } }
    }

    private func geojson(_ results: [NominatimResult], _ options: AnswerOptions, _ json: inout JSONWriter) {
        json.object {
            $0.member("type", "FeatureCollection")
            $0.member("licence", Licence.together(results).sentence)
            $0.key("features")
            $0.array {
                for result in results {
                    $0.object {
                        $0.member("type", "Feature")
                        $0.key("properties")
                        $0.object {
                            $0.member("place_id", result.placeID)
                            object(result, &$0)
                            $0.member("place_rank", result.placeRank)
                            $0.member("category", result.category)
                            $0.member("type", result.type)
                            $0.member("importance", result.importance)
                            $0.member("addresstype", result.addressType)
                            $0.member("name", result.name)
                            $0.member("display_name", result.displayName)
                            details(result, options, &$0)
                        }
                        $0.key("bbox")
                        $0.array {
                            for value in [result.box.west, result.box.south, result.box.east, result.box.north] {
                                $0.number(value, decimals: 7)
                            }
                        }
                        $0.key("geometry")
                        Self.geometry(result, &$0, asked: options.geoJSON)
                    }
                }
            }
        }
    }

    private func geocodejson(_ results: [NominatimResult], _ options: AnswerOptions, _ json: inout JSONWriter) {
        json.object {
            $0.member("type", "FeatureCollection")
            $0.key("geocoding")
            $0.object {
                $0.member("version", "0.1.0")
                let licence = Licence.together(results)
                $0.member("attribution", licence.sentence)
                $0.member("licence", licence.name)
                $0.member("query", options.query)
            }
            $0.key("features")
            $0.array {
                for result in results {
                    $0.object {
                        $0.member("type", "Feature")
                        $0.key("properties")
                        $0.object {
                            $0.key("geocoding")
                            $0.object { geocoding(result, options, &$0) }
                        }
                        $0.key("geometry")
                        Self.geometry(result, &$0, asked: options.geoJSON)
                    }
                }
            }
        }
    }

    private func geocoding(_ result: NominatimResult, _ options: AnswerOptions, _ json: inout JSONWriter) {
        json.member("place_id", result.placeID)
        object(result, &json)
        json.member("osm_key", result.category)
        json.member("osm_value", result.type)
        let rank = result.addressRank > 0 ? result.addressRank : result.placeRank
        let type =
            switch rank {
            case ..<5: "country"
            case 5...9: "state"
            case 10...12: "county"
            case 13...16: "city"
            case 17...21: "district"
            case 22...25: "locality"
            case 26...28: "street"
            default: "house"
            }
        json.member("type", type)
        json.member("label", result.displayName)
        if !result.name.isEmpty { json.member("name", result.name) }
        guard options.addressDetails else { return }
        let address = result.address
        for (key, value) in [
            ("housenumber", address.houseNumber), ("postcode", address.postcode), ("street", address.street),
            ("locality", address["hamlet"]), ("district", address.suburb), ("city", address.city),
            ("county", address.county), ("state", address.state), ("country", address.country),
            ("country_code", address.countryCode),
        ] {
            if let value { json.member(key, value) }
        }
    }

    /// The geometry as GeoJSON text, for the XML form.
    static func geometryJSON(_ result: NominatimResult) -> String {
        var json = JSONWriter()
        geometry(result, &json)
        return json.text
    }

    static func geometry(_ result: NominatimResult, _ json: inout JSONWriter, asked: Bool = true) {
        func position(_ point: Coordinate, _ json: inout JSONWriter) {
            json.array {
                $0.number(point.longitude, decimals: 7)
                $0.number(point.latitude, decimals: 7)
            }
        }
        json.object {
            switch asked ? result.geometry : nil {
            case nil, .point:
                $0.member("type", "Point")
                $0.key("coordinates")
                position(result.location, &$0)
            case .line(let line):
                $0.member("type", "LineString")
                $0.key("coordinates")
                $0.array { for point in line { position(point, &$0) } }
            case .polygons(let polygons):
                let isOne = polygons.count == 1
                $0.member("type", isOne ? "Polygon" : "MultiPolygon")
                $0.key("coordinates")
                func rings(_ polygon: [[Coordinate]], _ json: inout JSONWriter) {
                    json.array { for ring in polygon { $0.array { for point in ring { position(point, &$0) } } } }
                }
                if isOne, let only = polygons.first {
                    rings(only, &$0)
                } else {
                    $0.array { for polygon in polygons { rings(polygon, &$0) } }
                }
            }
        }
    }

    /// Seven decimals without trailing zeros beyond the first.
    static func degrees(_ value: Double) -> String {
        let scaled = (value * 1e7).rounded()
        guard scaled.magnitude < 1e12, let whole = Int64(exactly: scaled) else { return "\(value)" }
        let magnitude = whole.magnitude
        let fraction = String(magnitude % 10_000_000)
        return (whole < 0 ? "-" : "") + String(magnitude / 10_000_000) + "."
            + String(repeating: "0", count: 7 - fraction.count) + fraction
    }
}

/// The XML form.
enum XMLForm {
    static func head(_ element: String, _ attributes: [String: String], _ results: [NominatimResult] = []) -> String {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<\(element) timestamp=\"\(timestamp())\""
        text += " attribution=\"\(XMLText.escape(Licence.together(results).sentence))\""
        for key in attributes.keys.sorted() { text += " \(key)=\"\(XMLText.escape(attributes[key] ?? ""))\"" }
        return text + ">"
    }

    static func list(_ results: [NominatimResult], _ options: AnswerOptions) -> String {
        var attributes = ["querystring": options.query]
        var more = "/search?q=" + XMLText.percent(options.query)
        if let box = options.viewboxText {
            attributes["viewbox"] = box
            more += "&viewbox=" + XMLText.percent(box)
        }
        if let excluded = options.excluded {
            attributes["exclude_place_ids"] = excluded
        } else if !results.isEmpty {
            attributes["exclude_place_ids"] = results.map { String($0.placeID) }.joined(separator: ",")
        }
        if let excluded = attributes["exclude_place_ids"] { more += "&exclude_place_ids=" + XMLText.percent(excluded) }
        attributes["more_url"] = more + "&format=xml"
        var text = head("searchresults", attributes, results)
        for result in results {
            text += "<place" + common(result)
            text += attribute("display_name", result.displayName)
            text += attribute("class", result.category) + attribute("type", result.type)
            text += attribute("importance", "\(result.importance)")
            text += shapes(result, options)
            let inside = details(result, options)
            text += inside.isEmpty ? "/>" : ">\(inside)</place>"
        }
        return text + "</searchresults>"
    }

    static func reverse(_ results: [NominatimResult], _ options: AnswerOptions) -> String {
        var text = head("reversegeocode", ["querystring": options.query], results)
        guard let result = results.first else { return text + "<error>Unable to geocode</error></reversegeocode>" }
        text +=
            "<result" + common(result) + attribute("ref", result.name) + shapes(result, options) + ">"
            + XMLText.escape(result.displayName)
        text += "</result>"
        if options.addressDetails { text += "<addressparts>" + addressElements(result) + "</addressparts>" }
        var rest = options
        rest.addressDetails = false
        return text + details(result, rest) + "</reversegeocode>"
    }

    private static func shapes(_ result: NominatimResult, _ options: AnswerOptions) -> String {
        var text = ""
        if options.geometryText { text += attribute("geotext", GeometryText.wellKnown(result)) }
        if options.geometrySVG { text += attribute("geosvg", GeometryText.svg(result)) }
        if options.geoJSON { text += attribute("geojson", NominatimForm.geometryJSON(result)) }
        return text
    }

    private static func common(_ result: NominatimResult) -> String {
        var text = attribute("place_id", String(result.placeID))
        if let osm = result.osm {
            text += attribute("osm_type", osm.type.word) + attribute("osm_id", String(osm.number))
        }
        text += attribute("lat", NominatimForm.degrees(result.location.latitude))
        text += attribute("lon", NominatimForm.degrees(result.location.longitude))
        let box = [result.box.south, result.box.north, result.box.west, result.box.east].map(NominatimForm.degrees)
        text += attribute("boundingbox", box.joined(separator: ","))
        text +=
            attribute("place_rank", String(result.placeRank)) + attribute("address_rank", String(result.addressRank))
        return text
    }

    private static func details(_ result: NominatimResult, _ options: AnswerOptions) -> String {
        var text = ""
        func entries(_ element: String, _ child: String, _ key: String, _ pairs: [(String, String)]) {
            text += "<\(element)>"
            for (name, value) in pairs {
                text +=
                    child == "tag"
                    ? "<tag" + attribute("key", name) + attribute("value", value) + "/>"
                    : "<\(child)" + attribute(key, name) + ">" + XMLText.escape(value) + "</\(child)>"
            }
            text += "</\(element)>"
        }
        if options.geometryKML { text += "<geokml>" + GeometryText.kml(result) + "</geokml>" }
        if options.extraTags { entries("extratags", "tag", "key", result.extraTags) }
        if options.nameDetails { entries("namedetails", "name", "desc", result.names) }
        if options.addressDetails { text += addressElements(result) }
        return text
    }

    private static func addressElements(_ result: NominatimResult) -> String {
        result.addressPairs.map { pair in
            let element = XMLText.elementName(pair.label)
            return "<\(element)>" + XMLText.escape(pair.name) + "</\(element)>"
        }.joined()
    }

    private static func attribute(_ name: String, _ value: String) -> String {
        " \(name)=\"\(XMLText.escape(value))\""
    }

    private static func timestamp() -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss +00:00"
        return formatter.string(from: Date())
    }
}

/// Text made safe for XML and for addresses of pages.
enum XMLText {
    static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
            default:
                // Other control characters cannot stand in XML.
                if scalar.value >= 0x20, scalar.value != 0xfffe, scalar.value != 0xffff {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }

    /// A tag's value as the name of an element; `place` for one that cannot be a name.
    static func elementName(_ text: String) -> String {
        func begins(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) || byte == 0x5f }
        guard let first = text.utf8.first, begins(first),
            text.utf8.allSatisfy({ begins($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e })
        else { return "place" }
        return text
    }

    static func percent(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._~")))
            ?? ""
    }
}

import Foundation
import HTTPServer

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// A response, taken apart as the README of the cases says: results as rows of fields, and what stands around them.
struct GeocodingAnswer {
    var status: Int
    var contentType: String
    var text: String
    /// The results; empty where the body is no document.
    var rows: [Value] = []
    /// Attributes of an XML root, `geocoding` of GeocodeJSON, fields around the features of GeoJSON.
    var meta: Value = .null
    /// The whole body, where it is JSON.
    var json: Value?
    private var isXML = false

    init(_ response: HTTPResponse) {
        status = response.status
        contentType = response.contentType
        text = String(decoding: response.body, as: UTF8.self)
        if contentType.hasPrefix("text/xml") || contentType.hasPrefix("application/xml") {
            guard let root = XMLNodeReader.read(Data(response.body)) else { return }
            isXML = true
            meta = .object(root.attributes.mapValues { .text($0) })
            rows = Self.rows(root)
        } else if let body = try? Value(json: Data(response.body)) {
            json = body
            rows = Self.rows(body)
            meta = body["geocoding"] ?? body
        }
    }

    /// Whether the body is a document of a form, with a fitting content type.
    func isDocument(_ format: String) -> Bool {
        switch format {
        case "xml": return isXML
        case "html":
            let start = text.prefix(200).lowercased()
            return contentType.hasPrefix("text/html") && (start.contains("<!doctype html") || start.contains("<html"))
        default: break
        }
        guard let json, contentType.hasPrefix("application/json") else { return false }
        switch format {
        case "json": return json["type"]?.text != "FeatureCollection"
        case "geojson": return json["type"]?.text == "FeatureCollection" && json["geocoding"] == nil
        case "geocodejson": return json["type"]?.text == "FeatureCollection" && json["geocoding"] != nil
        default: return false
        }
    }

    /// The results in a document of any JSON form.
    private static func rows(_ body: Value) -> [Value] {
        if case .list(let list) = body { return list }
        guard let features = body["features"]?.list else { return [body] }
        return features.map { feature in
            if let geocoding = feature.at("properties/geocoding") {
                var row = geocoding.object
                row["geojson"] = feature["geometry"]
                return .object(row)
            }
            var row = feature["properties"]?.object ?? [:]
            row["geojson"] = feature["geometry"]
            let box = feature["bbox"]?.list ?? []
            if box.count == 4 { row["boundingbox"] = .list([box[1], box[3], box[0], box[2]]) }
            if let point = feature.at("geometry/coordinates")?.list, point.count == 2 {
                row["lon"] = point[0]
                row["lat"] = point[1]
            }
            return .object(row)
        }
    }

    /// The results in an XML document: `place` elements of a list, or the one `result` with what follows it.
    private static func rows(_ root: XMLNodeReader.Element) -> [Value] {
        switch root.name {
        case "reversegeocode":
            if let error = root.children.first(where: { $0.name == "error" }) {
                return [.object(["error": .text(error.text)])]
            }
            guard let result = root.children.first(where: { $0.name == "result" }) else { return [] }
            var row = result.attributes.mapValues { Value.text($0) }
            row["display_name"] = .text(result.text)
            for child in root.children where child.name == "addressparts" {
                row["address"] = .object(fields(child.children) { $0.name })
            }
            add(root.children.filter { !["result", "addressparts"].contains($0.name) }, to: &row)
            return [.object(row)]
        case "error":
            return [.object(fields(root.children) { $0.name })]
        default:
            return root.children.filter { $0.name == "place" }.map { place in
                var row = place.attributes.mapValues { Value.text($0) }
                add(place.children, to: &row)
                return .object(row)
            }
        }
    }

    private static func fields(_ elements: [XMLNodeReader.Element], _ key: (XMLNodeReader.Element) -> String)
        -> [String: Value]
    {
        Dictionary(elements.map { (key($0), .text($0.text)) }, uniquingKeysWith: { first, _ in first })
    }

    private static func add(_ elements: [XMLNodeReader.Element], to row: inout [String: Value]) {
        var address: [String: Value] = [:]
        for element in elements {
            switch element.name {
            case "extratags":
                row["extratags"] = .object(
                    Dictionary(
                        element.children.map { ($0.attributes["key"] ?? "", .text($0.attributes["value"] ?? "")) },
                        uniquingKeysWith: { first, _ in first }))
            case "namedetails": row["namedetails"] = .object(fields(element.children) { $0.attributes["desc"] ?? "" })
            case "geokml": row["geokml"] = .text(element.written)
            default: address[element.name] = .text(element.text)
            }
        }
        if !address.isEmpty { row["address"] = .object(address) }
    }
}

/// A small XML document as a tree.
private final class XMLNodeReader: NSObject, XMLParserDelegate {
    final class Element {
        let name: String
        let attributes: [String: String]
        var children: [Element] = []
        var text = ""

        init(_ name: String, _ attributes: [String: String]) {
            self.name = name
            self.attributes = attributes
        }

        /// The element as text again, without attributes.
        var written: String { "<\(name)>" + text + children.map(\.written).joined() + "</\(name)>" }
    }

    private var open: [Element] = []
    private var root: Element?

    /// The root; nil for a body that is not well formed.
    static func read(_ data: Data) -> Element? {
        let reader = XMLNodeReader()
        let parser = XMLParser(data: data)
        parser.delegate = reader
        return parser.parse() ? reader.root : nil
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        let element = Element(name, attributes)
        open.last?.children.append(element)
        if root == nil { root = element }
        open.append(element)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) { open.last?.text += text }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if !open.isEmpty { open.removeLast() }
    }
}

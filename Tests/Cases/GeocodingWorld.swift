import Foundation
import Gazetteer
import Geometry
import Importing
import OpenStreetMap
import OpenStreetMapFiles

/// Makes gazetteers of the data that geocoding cases lean on.
enum GeocodingWorld {
    private static let outlines = try? CountryOutlines.load()
    private static let country: @Sendable (Coordinate) -> String? = { outlines?.country(at: $0)?.lowercased() }

    /// A gazetteer of a small world that a case describes.
    static func make(_ world: Value, at path: String) throws -> Gazetteer {
        try make(.memory(Array(xml(world).utf8), format: "osm"), at: path)
    }

    /// A gazetteer of an extract.
    static func make(_ input: OSMInput, at path: String) throws -> Gazetteer {
        let stream = OSMStream([input])
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "case", licence: "none", attribution: "none"),
            options: GazetteerOptions(country: country))
        try stream.relations { writer.add(relation: $0) }
        try stream.objects(
            areaKeys: [
                "boundary", "place", "building", "landuse", "natural", "leisure", "amenity", "shop", "tourism",
                "highway", "addr:housenumber", "addr:interpolation",
            ],
            node: { writer.add(node: $0) }, way: { writer.add(way: $0) }, area: { writer.add(area: $0) })
        _ = try writer.finish()
        return try Gazetteer(path: path)
    }

    /// A gazetteer of GeoNames' dump table, with the names of its regions.
    static func make(geoNames table: String, regions: String?, at path: String) throws -> Gazetteer {
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "GeoNames", licence: "CC BY 4.0", attribution: "GeoNames"),
            options: GazetteerOptions(country: country))
        let names = try regions.map { try GeoNamesTable.admin1Codes(path: $0) } ?? [:]
        _ = try GeoNamesTable.add(path: table, to: writer, source: 0, regions: names)
        _ = try writer.finish()
        return try Gazetteer(path: path)
    }

    /// The world as an OpenStreetMap file.
    static func xml(_ world: Value) -> String {
        var text = "<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\">\n"
        func tags(_ object: Value) -> String {
            (object["tags"]?.object ?? [:]).sorted { $0.key < $1.key }
                .map { "<tag k=\"\(escape($0.key))\" v=\"\(escape($0.value.text ?? ""))\"/>" }.joined()
        }
        func sorted(_ kind: String) -> [Value] {
            (world[kind]?.list ?? []).sorted { ($0["id"]?.number ?? 0) < ($1["id"]?.number ?? 0) }
        }
        for node in sorted("nodes") {
            text +=
                "<node id=\"\(node["id"]?.text ?? "")\" version=\"1\" lat=\"\(plain(node["lat"]))\" lon=\"\(plain(node["lon"]))\">\(tags(node))</node>\n"
        }
        for way in sorted("ways") {
            let nodes = (way["nodes"]?.list ?? []).map { "<nd ref=\"\($0.text ?? "")\"/>" }.joined()
            text += "<way id=\"\(way["id"]?.text ?? "")\" version=\"1\">\(nodes)\(tags(way))</way>\n"
        }
        let kinds = ["N": "node", "W": "way", "R": "relation"]
        for relation in sorted("relations") {
            let members = (relation["members"]?.list ?? []).map { member -> String in
                let parts = member.list
                guard parts.count == 3 else { return "" }
                return
                    "<member type=\"\(kinds[parts[0].text ?? ""] ?? "node")\" ref=\"\(parts[1].text ?? "")\" role=\"\(escape(parts[2].text ?? ""))\"/>"
            }.joined()
            text +=
                "<relation id=\"\(relation["id"]?.text ?? "")\" version=\"1\">\(members)\(tags(relation))</relation>\n"
        }
        return text + "</osm>\n"
    }

    private static func plain(_ value: Value?) -> String {
        String(format: "%.9f", value?.number ?? 0)
    }

    private static func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "\n", with: "&#10;")
    }
}

import Gazetteer
import Geometry

/// A result's shape as text: well-known text, SVG path data, KML.
enum GeometryText {
    static func wellKnown(_ result: NominatimResult) -> String {
        func list(_ points: [Coordinate]) -> String {
            "(" + points.map { plain($0.longitude) + " " + plain($0.latitude) }.joined(separator: ",") + ")"
        }
        func polygon(_ rings: [[Coordinate]]) -> String { "(" + rings.map(list).joined(separator: ",") + ")" }
        switch result.geometry {
        case .line(let line): return "LINESTRING" + list(line)
        case .polygons(let polygons):
            guard polygons.count != 1 else { return "POLYGON" + polygon(polygons[0]) }
            return "MULTIPOLYGON(" + polygons.map(polygon).joined(separator: ",") + ")"
        default: return "POINT" + list([result.location])
        }
    }

    /// Path data with the y axis pointing down, as SVG has it; a point as the attributes of a circle.
    static func svg(_ result: NominatimResult) -> String {
        func path(_ points: some Collection<Coordinate>) -> String {
            let texts = points.map { plain($0.longitude) + " " + plain(-$0.latitude) }
            guard let first = texts.first else { return "" }
            return "M \(first) L " + texts.dropFirst().joined(separator: " ")
        }
        switch result.geometry {
        case .line(let line): return path(line)
        case .polygons(let polygons):
            return polygons.flatMap { $0 }.map { path($0.dropLast()) + " Z" }.joined(separator: " ")
        default:
            return "cx=\"\(plain(result.location.longitude))\" cy=\"\(plain(-result.location.latitude))\""
        }
    }

    static func kml(_ result: NominatimResult) -> String {
        func list(_ points: [Coordinate]) -> String {
            "<coordinates>" + points.map { plain($0.longitude) + "," + plain($0.latitude) }.joined(separator: " ")
                + "</coordinates>"
        }
        func polygon(_ rings: [[Coordinate]]) -> String {
            var text = "<Polygon>"
            for (index, ring) in rings.enumerated() {
                let side = index == 0 ? "outerBoundaryIs" : "innerBoundaryIs"
                text += "<\(side)><LinearRing>" + list(ring) + "</LinearRing></\(side)>"
            }
            return text + "</Polygon>"
        }
        switch result.geometry {
        case .line(let line): return "<LineString>" + list(line) + "</LineString>"
        case .polygons(let polygons):
            guard polygons.count != 1 else { return polygon(polygons[0]) }
            return "<MultiGeometry>" + polygons.map(polygon).joined() + "</MultiGeometry>"
        default: return "<Point>" + list([result.location]) + "</Point>"
        }
    }

    /// At most seven decimals, without trailing zeros.
    private static func plain(_ value: Double) -> String {
        var text = NominatimForm.degrees(value)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

import Gazetteer
import Geometry

/// Lines on the plane of degrees, as databases of maps reckon with them.
enum DegreeLine {
    /// The spot halfway along the line.
    static func middle(of line: [Coordinate]) -> Coordinate {
        let lengths = zip(line, line.dropFirst()).map { length($0, $1) }
        var left = lengths.reduce(0, +) / 2
        for (index, length) in lengths.enumerated() {
            if length > 0, left <= length { return between(line[index], line[index + 1], left / length) }
            left -= length
        }
        return line.first ?? Coordinate(latitude: 0, longitude: 0)
    }

    /// The spot on the line that is nearest to a point. The line must have a point.
    static func nearest(to point: Coordinate, on line: [Coordinate]) -> Coordinate {
        var best = (distance: Double.infinity, spot: line.first ?? point)
        for (a, b) in zip(line, line.dropFirst()) {
            let spot = nearest(to: point, a, b)
            let distance = length(point, spot)
            if distance < best.distance { best = (distance, spot) }
        }
        return best.spot
    }

    /// The indices that remain when points within `tolerance` degrees of the simpler line are left out; ends remain.
    ///
    /// Douglas and Peucker 1973. Expected cost n log n.
    static func simplified(_ line: [Coordinate], _ tolerance: Double) -> [Coordinate] {
        guard tolerance > 0, line.count > 2 else { return line }
        var keeps = [Bool](repeating: false, count: line.count)
        keeps[0] = true
        keeps[line.count - 1] = true
        var open = [(0, line.count - 1)]
        while let (first, last) = open.popLast() {
            guard last - first > 1 else { continue }
            var farthest = (distance: tolerance, index: -1)
            for index in first + 1..<last {
                let distance = length(line[index], nearest(to: line[index], line[first], line[last]))
                if distance > farthest.distance { farthest = (distance, index) }
            }
            guard farthest.index >= 0 else { continue }
            keeps[farthest.index] = true
            open += [(first, farthest.index), (farthest.index, last)]
        }
        return zip(line, keeps).filter(\.1).map(\.0)
    }

    private static func length(_ a: Coordinate, _ b: Coordinate) -> Double {
        let x = b.longitude - a.longitude, y = b.latitude - a.latitude
        return (x * x + y * y).squareRoot()
    }

    private static func between(_ a: Coordinate, _ b: Coordinate, _ fraction: Double) -> Coordinate {
        Coordinate(
            latitude: a.latitude + (b.latitude - a.latitude) * fraction,
            longitude: a.longitude + (b.longitude - a.longitude) * fraction)
    }

    /// The spot on the segment `a b` that is nearest to a point.
    private static func nearest(to point: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Coordinate {
        let dx = b.longitude - a.longitude, dy = b.latitude - a.latitude
        let square = dx * dx + dy * dy
        let along = (point.longitude - a.longitude) * dx + (point.latitude - a.latitude) * dy
        let fraction = square > 0 ? min(max(along / square, 0), 1) : 0
        return between(a, b, fraction)
    }
}

extension SpatialGeometry {
    /// The shape with each ring beginning at its westernmost corner (of those the southernmost), outer rings against the
    /// clock and inner ones with it, as Nominatim's rings are.
    func normalized() -> SpatialGeometry {
        guard case .polygons(let polygons) = self else { return self }
        return .polygons(
            polygons.map { rings in
                rings.enumerated().map { Self.normalized($0.element, againstClock: $0.offset == 0) }
            })
    }

    private static func normalized(_ ring: [Coordinate], againstClock: Bool) -> [Coordinate] {
        guard ring.count > 3, ring.first == ring.last else { return ring }
        var corners = Array(ring.dropLast())
        var area = 0.0
        for (a, b) in zip(ring, ring.dropFirst()) {
            area += (a.longitude - ring[0].longitude) * (b.latitude - ring[0].latitude)
            area -= (b.longitude - ring[0].longitude) * (a.latitude - ring[0].latitude)
        }
        if (area > 0) != againstClock { corners.reverse() }
        let first = corners.indices.min {
            (corners[$0].longitude, corners[$0].latitude) < (corners[$1].longitude, corners[$1].latitude)
        }
        let start = first ?? 0
        corners = Array(corners[start...] + corners[..<start])
        return corners + corners.prefix(1)
    }

    /// The shape without points that lie within some degrees of the simpler one. Rings stay rings.
    func simplified(_ tolerance: Double) -> SpatialGeometry {
        guard tolerance > 0 else { return self }
        switch self {
        case .point: return self
        case .line(let line): return .line(DegreeLine.simplified(line, tolerance))
        case .polygons(let polygons):
            return .polygons(
                polygons.map { rings in
                    rings.map { ring in
                        let simple = DegreeLine.simplified(ring, tolerance)
                        guard simple.count < 4, ring.count > 4 else { return simple.count < 4 ? ring : simple }
                        // Four points are the least that a ring has.
                        let third = (ring.count - 1) / 3
                        return [ring[0], ring[third], ring[2 * third], ring[ring.count - 1]]
                    }
                })
        }
    }
}

extension Gazetteer {
    /// The shape of a thing that the gazetteer knows as a point, such as a building, from the map: true to some
    /// centimetres. Nil for nodes and for what is on no map.
    func mapOutline(of feature: Feature) throws -> SpatialGeometry? {
        guard let id = feature.osm, id.type != .node, let map = try? GazetteerMap(self) else { return nil }
        let window = feature.boundingBox
        let corners = [
            MercatorPoint(Coordinate(latitude: window.north, longitude: window.west)),
            MercatorPoint(Coordinate(latitude: window.south, longitude: window.east)),
            MercatorPoint(feature.location),
        ]
        // Where the box is large, only what passes the feature's own point.
        let isSmall = window.west <= window.east && window.east - window.west < 0.1 && window.north - window.south < 0.1
        guard let box = MercatorRing.box(isSmall ? corners : [MercatorPoint(feature.location)]) else { return nil }
        var polygons: [[[Coordinate]]] = []
        var longest: [Coordinate] = []
        try map.forEachMapShape(in: box, zoom: 19, languages: []) { shape in
            guard shape.osm == id else { return }
            switch shape.geometry {
            case .area(let rings):
                polygons.append(
                    rings.map { ring in
                        let line = ring.map(\.coordinate)
                        // Rings of outlines end where they begin.
                        return line.first == line.last ? line : line + line.prefix(1)
                    })
            case .line(let line) where line.count > longest.count: longest = line.map(\.coordinate)
            default: break
            }
        }
        if !polygons.isEmpty { return .polygons(polygons) }
        return longest.isEmpty ? nil : .line(longest)
    }
}

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

/// A feature of GeoJSON: shapes with an identifier and properties.
open class MKGeoJSONFeature: NSObject, MKGeoJSONObject {
    /// The `id`; a number as its text.
    public let identifier: String?
    /// The `properties` as JSON; nil where there are none.
    public let properties: Data?
    /// Several for a collection of geometries or for several points, none for a feature without a geometry.
    public let geometry: [any MKShape & MKGeoJSONObject]

    init(identifier: String?, properties: Data?, geometry: [any MKShape & MKGeoJSONObject]) {
        self.identifier = identifier
        self.properties = properties
        self.geometry = geometry
    }
}

/// Reads GeoJSON (RFC 7946), which has the longitude first.
///
///     for object in try MKGeoJSONDecoder().decode(data) {
///         if let feature = object as? MKGeoJSONFeature { map.addOverlays(feature.geometry.compactMap { $0 as? MKOverlay }) }
///     }
open class MKGeoJSONDecoder: NSObject {
    /// Bytes of a document at most.
    static let largestDocument = 256 << 20
    /// Geometry collections within each other at most.
    static let deepestCollection = 32

    public override init() { super.init() }

    /// The shapes and features of a document.
    ///
    /// A bare geometry becomes an `MKPointAnnotation`, `MKPolyline`, `MKPolygon`, `MKMultiPolyline` or `MKMultiPolygon`,
    /// and several points an annotation each; a feature becomes an `MKGeoJSONFeature`. A ring that is not closed is
    /// accepted.
    ///
    /// - Throws: `MKError.decodingFailed` for JSON that is not GeoJSON, is larger than 256 MB or nested too deeply;
    ///   Foundation's error for what is not JSON.
    open func decode(_ data: Data) throws -> [any MKGeoJSONObject] {
        guard data.count <= Self.largestDocument else { throw Self.refusal("the document is larger than 256 MB") }
        let document = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
        guard let object = document as? [String: Any] else { throw Self.refusal("the document is no object") }
        switch object["type"] as? String {
        case "FeatureCollection":
            guard let features = object["features"] as? [[String: Any]] else {
                throw Self.refusal("a FeatureCollection wants \"features\"")
            }
            return try features.map(feature)
        case "Feature": return [try feature(object)]
        default: return try shapes(object, depth: 0)
        }
    }

    private static func refusal(_ reason: String) -> MKError {
        MKError(.decodingFailed, "This is not GeoJSON: \(reason).")
    }

    private func feature(_ object: [String: Any]) throws -> MKGeoJSONFeature {
        guard object["type"] as? String == "Feature" else {
            throw Self.refusal("a member of \"features\" is no Feature")
        }
        let identifier: String? =
            switch object["id"] {
            case let text as String: text
            case let number as NSNumber: number.stringValue
            default: nil
            }
        var properties: Data?
        if let members = object["properties"] as? [String: Any] {
            properties = try JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
        }
        var geometry: [any MKShape & MKGeoJSONObject] = []
        if let members = object["geometry"] as? [String: Any] { geometry = try shapes(members, depth: 0) }
        return MKGeoJSONFeature(identifier: identifier, properties: properties, geometry: geometry)
    }

    private func shapes(_ object: [String: Any], depth: Int) throws -> [any MKShape & MKGeoJSONObject] {
        guard let type = object["type"] as? String else { throw Self.refusal("an object has no \"type\"") }
        if type == "GeometryCollection" {
            guard depth < Self.deepestCollection else { throw Self.refusal("its collections are nested too deeply") }
            guard let members = object["geometries"] as? [[String: Any]] else {
                throw Self.refusal("a GeometryCollection wants \"geometries\"")
            }
            return try members.flatMap { try shapes($0, depth: depth + 1) }
        }
        guard let coordinates = object["coordinates"] as? [Any] else {
            throw Self.refusal("\(type) is no geometry with \"coordinates\"")
        }
        switch type {
        case "Point": return [MKPointAnnotation(coordinate: try position(coordinates))]
        case "MultiPoint": return try line(coordinates).map { MKPointAnnotation(coordinate: $0) }
        case "LineString": return [try polyline(coordinates)]
        case "MultiLineString": return [MKMultiPolyline(try coordinates.map(polyline))]
        case "Polygon": return [try polygon(coordinates)]
        case "MultiPolygon": return [MKMultiPolygon(try coordinates.map(polygon))]
        default: throw Self.refusal("there is no geometry \"\(type)\"")
        }
    }

    private func position(_ value: Any) throws -> CLLocationCoordinate2D {
        guard let numbers = value as? [NSNumber], numbers.count >= 2 else {
            throw Self.refusal("a position wants two numbers")
        }
        let place = CLLocationCoordinate2D(latitude: numbers[1].doubleValue, longitude: numbers[0].doubleValue)
        guard place.latitude.isFinite, place.longitude.isFinite else {
            throw Self.refusal("a position wants two numbers")
        }
        return place
    }

    private func line(_ value: Any) throws -> [CLLocationCoordinate2D] {
        guard let positions = value as? [Any] else { throw Self.refusal("a line wants an array of positions") }
        return try positions.map(position)
    }

    private func polyline(_ value: Any) throws -> MKPolyline {
        let points = try line(value)
        return MKPolyline(coordinates: points, count: points.count)
    }

    private func polygon(_ value: Any) throws -> MKPolygon {
        guard let rings = value as? [Any], let outer = rings.first else {
            throw Self.refusal("a polygon wants an array of rings")
        }
        let holes = try rings.dropFirst().map { ring -> MKPolygon in
            let points = try line(ring)
            return MKPolygon(coordinates: points, count: points.count)
        }
        let points = try line(outer)
        return MKPolygon(
            coordinates: points, count: points.count, interiorPolygons: holes.isEmpty ? nil : holes)
    }
}

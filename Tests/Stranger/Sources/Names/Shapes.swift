// Every name of shapes, overlays, renderers, GeoJSON and the distance formatter.
import MapKit

final class Restaurant: NSObject, MKAnnotation {
    let coordinate: CLLocationCoordinate2D
    let title: String?
    let subtitle: String?

    init(coordinate: CLLocationCoordinate2D, title: String, subtitle: String?) {
        self.coordinate = coordinate
        self.title = title
        self.subtitle = subtitle
    }
}

final class Vehicle: NSObject, MKAnnotation {
    var coordinate = CLLocationCoordinate2D()
    var title: String?
}

final class Bare: NSObject, MKAnnotation {
    let coordinate = CLLocationCoordinate2D()
}

final class Ring: MKShape, MKOverlay {
    let boundingMapRect = MKMapRect.world
    override var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D() }
}

final class Trail: MKPolyline {
    var colour = UIColor.red
}

func annotations() -> [any MKAnnotation] {
    let point = MKPointAnnotation()
    point.coordinate = CLLocationCoordinate2D(latitude: 1, longitude: 2)
    point.title = "A"
    point.subtitle = "B"
    return [
        point, MKPointAnnotation(coordinate: point.coordinate),
        MKPointAnnotation(coordinate: point.coordinate, title: "A", subtitle: "B"), Bare(), Vehicle(),
        Restaurant(coordinate: point.coordinate, title: "Adler", subtitle: nil),
    ].sorted { ($0.title ?? "") < ($1.title ?? "") && ($0.subtitle ?? "") <= ($1.subtitle ?? "") }
}

func overlays(_ corners: [CLLocationCoordinate2D]) -> [any MKOverlay] {
    var changing = corners
    let line = MKPolyline(coordinates: &changing, count: changing.count)
    let again = MKPolyline(points: line.points(), count: line.pointCount)
    let area = MKPolygon(coordinates: corners, count: corners.count)
    let holed = MKPolygon(coordinates: corners, count: corners.count, interiorPolygons: [area])
    let byPoints = MKPolygon(points: again.points(), count: again.pointCount, interiorPolygons: holed.interiorPolygons)
    let plain = MKPolygon(points: again.points(), count: again.pointCount)
    let arc = MKGeodesicPolyline(coordinates: corners, count: corners.count)
    let arcByPoints = MKGeodesicPolyline(points: line.points(), count: line.pointCount)
    let circle = MKCircle(center: line.coordinate, radius: 10)
    var back = [CLLocationCoordinate2D](repeating: kCLLocationCoordinate2DInvalid, count: line.pointCount)
    line.getCoordinates(&back, range: NSRange(location: 0, length: line.pointCount))
    let multi: MKMultiPoint = line
    _ = multi.location(atPointIndex: 0) + multi.locations(at: IndexSet(integersIn: 0..<2)).reduce(0, +)
    let lines = MKMultiPolyline([line, again, Trail(coordinates: corners, count: corners.count)])
    let areas = MKMultiPolygon([area, byPoints, plain])
    _ = lines.polylines.count + areas.polygons.count + Int(circle.radius)
    let all: [any MKOverlay] = [
        line, holed, arc, arcByPoints, circle, MKCircle(mapRect: areas.boundingMapRect), lines, areas, Ring(),
    ]
    return all.filter { $0.intersects(line.boundingMapRect) && !$0.canReplaceMapContent }
}

func renderer(for overlay: any MKOverlay) -> MKOverlayRenderer {
    let path: MKOverlayPathRenderer
    switch overlay {
    case let line as MKPolyline: path = MKPolylineRenderer(polyline: line)
    case let area as MKPolygon: path = MKPolygonRenderer(polygon: area)
    case let circle as MKCircle: path = MKCircleRenderer(circle: circle)
    case let lines as MKMultiPolyline: path = MKMultiPolylineRenderer(multiPolyline: lines)
    case let areas as MKMultiPolygon: path = MKMultiPolygonRenderer(multiPolygon: areas)
    default: return MKOverlayRenderer(overlay: overlay)
    }
    path.lineWidth = 3
    path.strokeColor = .systemBlue
    path.fillColor = UIColor(red: 0, green: 0, blue: 1, alpha: 0.2).withAlphaComponent(0.5)
    path.alpha = 0.8
    path.lineDashPattern = [4, 2]
    return path
}

func geoJSON(_ data: Data) throws -> [MKShape] {
    let objects: [any MKGeoJSONObject] = try MKGeoJSONDecoder().decode(data)
    return objects.flatMap { object -> [MKShape] in
        if let feature = object as? MKGeoJSONFeature {
            let properties = feature.properties.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
            return feature.identifier == nil && properties.isEmpty ? [] : feature.geometry
        }
        return (object as? MKShape).map { [$0] } ?? []
    }
}

func distances() -> [String] {
    let formatter = MKDistanceFormatter()
    formatter.locale = Locale(identifier: "de_DE")
    let units: [MKDistanceFormatter.Units] = [.default, .metric, .imperial, .imperialWithYards]
    let styles: [MKDistanceFormatter.DistanceUnitStyle] = [.default, .abbreviated, .full]
    return units.flatMap { unit in
        styles.map { style in
            formatter.units = unit
            formatter.unitStyle = style
            return formatter.string(fromDistance: formatter.distance(from: "1,2 km"))
        }
    }
}

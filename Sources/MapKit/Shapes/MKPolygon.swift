/// An area of the map, which may have holes.
open class MKPolygon: MKMultiPoint, MKOverlay {
    /// The holes; nil for none.
    public private(set) var interiorPolygons: [MKPolygon]?

    public override init() { super.init() }

    /// The area within `count` points of the map, which are copied; the last is joined to the first by itself.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
        self.init(points: points, count: count, interiorPolygons: nil)
    }

    /// The same with holes: areas inside that do not belong to it.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int, interiorPolygons: [MKPolygon]?) {
        self.init()
        store(Array(UnsafeBufferPointer(start: points, count: max(count, 0))))
        self.interiorPolygons = interiorPolygons
    }

    /// The area within `count` coordinates, which are copied; the last is joined to the first by itself.
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init(coordinates: coords, count: count, interiorPolygons: nil)
    }

    /// The same with holes: areas inside that do not belong to it.
    public convenience init(
        coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int, interiorPolygons: [MKPolygon]?
    ) {
        self.init()
        store(coordinates: coords, count: count)
        self.interiorPolygons = interiorPolygons
    }

    /// The coordinate in the middle of the bounding rectangle, which is not the centroid.
    open override var coordinate: CLLocationCoordinate2D { boundingMapRect.middle }
    open var boundingMapRect: MKMapRect { pointBounds }

    open func intersects(_ mapRect: MKMapRect) -> Bool {
        lineTouches(mapRect, isClosed: true) || (!mapRect.isNull && encloses(mapRect.origin))
    }

    /// Whether the point lies inside, holes left out (crossings of a ray counted).
    private func encloses(_ point: MKMapPoint) -> Bool {
        guard let last = mapPoints.last else { return false }
        var isInside = false
        var a = last
        for b in mapPoints {
            if (a.y > point.y) != (b.y > point.y), point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
                isInside.toggle()
            }
            a = b
        }
        return isInside && !(interiorPolygons ?? []).contains { $0.encloses(point) }
    }

    /// The outer ring and the holes.
    final var rings: [[CLLocationCoordinate2D]] { [coordinates] + (interiorPolygons ?? []).map(\.coordinates) }
}

/// Several areas as one overlay.
open class MKMultiPolygon: MKShape, MKOverlay, MKGeoJSONObject {
    public private(set) var polygons: [MKPolygon] = []

    public override init() { super.init() }

    /// The areas in their order, held and not copied.
    public convenience init(_ polygons: [MKPolygon]) {
        self.init()
        self.polygons = polygons
    }

    open override var coordinate: CLLocationCoordinate2D { boundingMapRect.middle }
    open var boundingMapRect: MKMapRect { polygons.reduce(.null) { $0.union($1.boundingMapRect) } }
    open func intersects(_ mapRect: MKMapRect) -> Bool { polygons.contains { $0.intersects(mapRect) } }
}

/// All within some metres of a point.
open class MKCircle: MKShape, MKOverlay {
    private var middle = CLLocationCoordinate2D()
    /// Metres.
    public private(set) var radius: CLLocationDistance = 0
    /// The rectangle whose sides are twice the radius, by the scale of the map at the centre.
    public private(set) var boundingMapRect = MKMapRect.null

    public override init() { super.init() }

    /// A circle by its radius in metres.
    public convenience init(center coord: CLLocationCoordinate2D, radius: CLLocationDistance) {
        self.init()
        middle = coord
        self.radius = radius
        let half = radius * MKMapPointsPerMeterAtLatitude(coord.latitude)
        let point = MKMapPoint(coord)
        boundingMapRect = MKMapRect(x: point.x - half, y: point.y - half, width: 2 * half, height: 2 * half)
    }

    /// The circle in the middle of the rectangle, as wide as its longer side.
    public convenience init(mapRect: MKMapRect) {
        let center = mapRect.middle
        let metres = max(mapRect.width, mapRect.height) / 2 * MKMetersPerMapPointAtLatitude(center.latitude)
        self.init(center: center, radius: metres)
    }

    open override var coordinate: CLLocationCoordinate2D { middle }

    open func intersects(_ mapRect: MKMapRect) -> Bool {
        guard !mapRect.isNull, !boundingMapRect.isNull else { return false }
        let x = min(max(boundingMapRect.midX, mapRect.minX), mapRect.maxX)
        let y = min(max(boundingMapRect.midY, mapRect.minY), mapRect.maxY)
        return hypot(x - boundingMapRect.midX, y - boundingMapRect.midY) <= boundingMapRect.width / 2
    }
}

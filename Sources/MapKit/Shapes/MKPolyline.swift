/// A line over the map.
///
///     let line = MKPolyline(coordinates: stops, count: stops.count)
open class MKPolyline: MKMultiPoint, MKOverlay {
    public override init() { super.init() }

    /// Copies `count` points of the map; none for a count below one.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
        self.init()
        store(Array(UnsafeBufferPointer(start: points, count: max(count, 0))))
    }

    /// Copies `count` coordinates, in their order; an array may be passed as it is. None for a count below one.
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init()
        store(coordinates: coords, count: count)
    }

    /// The coordinate in the middle of the bounding rectangle.
    open override var coordinate: CLLocationCoordinate2D { boundingMapRect.middle }
    open var boundingMapRect: MKMapRect { pointBounds }
    open func intersects(_ mapRect: MKMapRect) -> Bool { lineTouches(mapRect, isClosed: false) }
}

/// A line that follows the shortest way over the globe, with a point for each kilometre.
open class MKGeodesicPolyline: MKPolyline {
    public override init() { super.init() }

    /// The line through `count` points of the map, with those in between added.
    public convenience init(points: UnsafePointer<MKMapPoint>, count: Int) {
        self.init()
        bend(UnsafeBufferPointer(start: points, count: max(count, 0)).map(\.coordinate))
    }

    /// The line through `count` coordinates, with those in between added. Next to an invalid one none are.
    public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        self.init()
        bend(Array(UnsafeBufferPointer(start: coords, count: max(count, 0))))
    }

    private func bend(_ corners: [CLLocationCoordinate2D]) {
        var line = corners.prefix(1).map { MKMapPoint($0) }
        for (from, to) in zip(corners, corners.dropFirst()) {
            line += Self.greatCircle(from, to).dropFirst().map { MKMapPoint($0) }
        }
        store(line)
    }

    /// `ceil(d / 1000) + 1` points from one end to the other, d being the distance in metres.
    private static func greatCircle(_ a: CLLocationCoordinate2D, _ b: CLLocationCoordinate2D)
        -> [CLLocationCoordinate2D]
    {
        guard CLLocationCoordinate2DIsValid(a), CLLocationCoordinate2DIsValid(b) else { return [a, b] }
        let pieces = max(1, Int((MKMapPoint(a).distance(to: MKMapPoint(b)) / 1000).rounded(.up)))
        func vector(_ c: CLLocationCoordinate2D) -> SIMD3<Double> {
            let (φ, λ) = (c.latitude * .pi / 180, c.longitude * .pi / 180)
            return SIMD3(cos(φ) * cos(λ), cos(φ) * sin(λ), sin(φ))
        }
        let (u, v) = (vector(a), vector(b))
        let cross = SIMD3(u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x)
        let sine = (cross * cross).sum().squareRoot()
        let angle = atan2(sine, (u * v).sum())
        // Ends that coincide or lie opposite have no one shortest way.
        guard sine > 1e-12 else { return [a, b] }
        let inner = (1..<pieces).map { index -> CLLocationCoordinate2D in
            let t = Double(index) / Double(pieces)
            let p = u * (sin((1 - t) * angle) / sine) + v * (sin(t * angle) / sine)
            return CLLocationCoordinate2D(
                latitude: atan2(p.z, hypot(p.x, p.y)) * 180 / .pi, longitude: atan2(p.y, p.x) * 180 / .pi)
        }
        return [a] + inner + [b]
    }
}

/// Several lines as one overlay.
open class MKMultiPolyline: MKShape, MKOverlay, MKGeoJSONObject {
    public private(set) var polylines: [MKPolyline] = []

    public override init() { super.init() }

    /// The lines in their order, held and not copied.
    public convenience init(_ polylines: [MKPolyline]) {
        self.init()
        self.polylines = polylines
    }

    open override var coordinate: CLLocationCoordinate2D { boundingMapRect.middle }
    open var boundingMapRect: MKMapRect { polylines.reduce(.null) { $0.union($1.boundingMapRect) } }
    open func intersects(_ mapRect: MKMapRect) -> Bool { polylines.contains { $0.intersects(mapRect) } }
}

extension MKMapRect {
    /// The coordinate in the middle; the invalid one for the null rectangle.
    var middle: CLLocationCoordinate2D {
        isNull ? kCLLocationCoordinate2DInvalid : MKMapPoint(x: midX, y: midY).coordinate
    }
}

internal import Cartography
internal import Sextant

/// What part of the map a view shows.
struct MapSight {
    /// What is visible.
    private(set) var rect = MKMapRect.world
    /// The region as it was set, while there is no frame to grow it to.
    private var given: MKCoordinateRegion?

    /// Map points a point of the frame covers at street scale: 1.2 m on the equator.
    private static let street = 8.0
    /// The finest scale that a picture may have, zoom 22.
    private static let finest = 0.25

    var region: MKCoordinateRegion { given ?? MKCoordinateRegion(rect) }

    /// Grows the rectangle, around its middle, to the shape of the frame. False for one that is no place.
    mutating func show(_ wanted: MKMapRect, in frame: CGSize) -> Bool {
        guard !wanted.isNull, [wanted.minX, wanted.minY, wanted.width, wanted.height].allSatisfy(\.isFinite) else {
            return false
        }
        given = nil
        guard frame.width > 0, frame.height > 0 else {
            rect = wanted
            return true
        }
        var scale = max(abs(wanted.width) / frame.width, abs(wanted.height) / frame.height)
        if scale == 0 { scale = Self.street }
        show(around: MKMapPoint(x: wanted.midX, y: wanted.midY), scale: max(scale, Self.finest), in: frame)
        return true
    }

    /// Shows a region with its centre in the middle. False for one that is no place.
    mutating func show(_ region: MKCoordinateRegion, in frame: CGSize) -> Bool {
        let wanted = MKMapRect(covering: region)
        guard !wanted.isNull else { return false }
        // The middle of the map between two latitudes lies north of their mean: grow to both sides alike.
        let middle = MKMapPoint(region.center)
        let half = max(middle.y - wanted.minY, wanted.maxY - middle.y)
        let even = MKMapRect(x: wanted.minX, y: middle.y - half, width: wanted.width, height: 2 * half)
        guard show(even, in: frame) else { return false }
        if frame.width <= 0 || frame.height <= 0 { given = region }
        return true
    }

    /// Moves the middle and keeps the scale. False for a place off the globe.
    mutating func move(to center: CLLocationCoordinate2D) -> Bool {
        guard CLLocationCoordinate2DIsValid(center) else { return false }
        let point = MKMapPoint(center)
        given?.center = center
        rect.origin = MKMapPoint(x: point.x - rect.width / 2, y: point.y - rect.height / 2)
        return true
    }

    /// Takes over a frame of another size: the first is grown to, others keep the scale.
    mutating func fit(_ size: CGSize, before old: CGSize) {
        guard size.width > 0, size.height > 0 else { return }
        if old.width > 0, old.height > 0 {
            show(around: MKMapPoint(x: rect.midX, y: rect.midY), scale: rect.width / old.width, in: size)
        } else if let given {
            _ = show(given, in: size)
        } else {
            _ = show(rect, in: size)
        }
    }

    private mutating func show(around middle: MKMapPoint, scale: Double, in frame: CGSize) {
        var scale = scale
        // What a picture cannot show is no sight either: it holds the zoom, and the world twice at most.
        let zoom = MapFrame.zoom(mapPoints: scale)
        if let held = try? MapFrame(
            center: Coordinate(latitude: 0, longitude: 0), zoom: zoom, width: frame.width, height: frame.height),
            held.zoom != zoom
        {
            scale = MKMapSize.world.width / held.worldSize
        }
        let (width, height) = (scale * frame.width, scale * frame.height)
        rect = MKMapRect(x: middle.x - width / 2, y: middle.y - height / 2, width: width, height: height)
    }
}

extension MapFrame {
    /// The picture of a part of the map.
    ///
    /// - Throws: `CartographyError.badFrame` where none can be drawn.
    init(showing rect: MKMapRect, size: CGSize, scale: Int = 1) throws {
        try self.init(
            center: MKMapPoint(x: rect.midX, y: rect.midY).coordinate.engine,
            zoom: Self.zoom(mapPoints: rect.width / max(size.width, 1)), width: size.width, height: size.height,
            scale: scale)
    }

    /// The zoom at which a point of the picture is so many map points wide.
    fileprivate static func zoom(mapPoints: Double) -> Double {
        log2(MKMapSize.world.width / 256 / max(mapPoints, .leastNonzeroMagnitude))
    }

    /// Points across the world.
    fileprivate var worldSize: Double { 256 * exp2(zoom) }

    /// Where a coordinate stands in a picture of the rectangle, as it is drawn; without a picture by the map alone.
    static func point(for coordinate: CLLocationCoordinate2D, in rect: MKMapRect, size: CGSize) -> CGPoint {
        if CLLocationCoordinate2DIsValid(coordinate), let frame = try? MapFrame(showing: rect, size: size) {
            let point = frame.point(for: coordinate.engine)
            return CGPoint(x: point.x, y: point.y)
        }
        let world = MKMapSize.world.width
        var point = MKMapPoint(coordinate)
        point.x -= ((point.x - rect.midX) / world).rounded() * world
        let scale = rect.width / max(size.width, 1)
        return CGPoint(x: (point.x - rect.minX) / scale, y: (point.y - rect.minY) / scale)
    }
}

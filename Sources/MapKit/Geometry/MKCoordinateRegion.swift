/// How far a region reaches: the whole extent in degrees, not the half.
public struct MKCoordinateSpan: Sendable {
    /// Degrees from south to north.
    public var latitudeDelta: CLLocationDegrees
    /// Degrees from west to east.
    public var longitudeDelta: CLLocationDegrees

    public init() { self.init(latitudeDelta: 0, longitudeDelta: 0) }

    public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
        self.latitudeDelta = latitudeDelta
        self.longitudeDelta = longitudeDelta
    }
}

/// A part of the earth by its centre and its whole extent. Nothing is checked or clamped.
public struct MKCoordinateRegion: Sendable {
    public var center: CLLocationCoordinate2D
    public var span: MKCoordinateSpan

    public init() { self.init(center: CLLocationCoordinate2D(), span: MKCoordinateSpan()) }

    public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
        self.center = center
        self.span = span
    }

    /// A region of so many metres, by the length of a degree along the ellipsoid at the centre.
    public init(
        center: CLLocationCoordinate2D, latitudinalMeters: CLLocationDistance, longitudinalMeters: CLLocationDistance
    ) {
        self.init(
            center: center,
            span: MKCoordinateSpan(
                latitudeDelta: latitudinalMeters / metresPerDegreeOfLatitude(at: center.latitude),
                longitudeDelta: longitudinalMeters / metresPerDegreeOfLongitude(at: center.latitude)))
    }

    /// The region that a rectangle of the map shows. Its centre is the coordinate in the rectangle's middle: for 45 to 75
    /// degrees north that is 63.71, not 60. Over the date line the centre wraps. The null rectangle gives an invalid
    /// centre without extent.
    public init(_ rect: MKMapRect) {
        guard !rect.isNull else {
            self.init(center: kCLLocationCoordinate2DInvalid, span: MKCoordinateSpan())
            return
        }
        let north = MKMapPoint(x: rect.minX, y: rect.minY).coordinate.latitude
        let south = MKMapPoint(x: rect.minX, y: rect.maxY).coordinate.latitude
        self.init(
            center: MKMapPoint(x: rect.midX, y: rect.midY).coordinate,
            span: MKCoordinateSpan(
                latitudeDelta: north - south, longitudeDelta: rect.width / MKMapSize.world.width * 360))
    }
}

// MARK: - What the module itself needs

extension MKMapRect {
    /// The rectangle that shows all of a region, which may reach beyond the world at the date line. Null where the centre
    /// is invalid or the span is no number. Latitudes are held to the map.
    init(covering region: MKCoordinateRegion) {
        let span = region.span
        guard CLLocationCoordinate2DIsValid(region.center), span.latitudeDelta.isFinite, span.longitudeDelta.isFinite
        else {
            self = .null
            return
        }
        func y(_ latitude: Double) -> Double {
            let held = min(max(latitude, -90), 90)
            return MKMapPoint(CLLocationCoordinate2D(latitude: held, longitude: 0)).y
        }
        let half = abs(span.latitudeDelta) / 2
        let width = min(abs(span.longitudeDelta), 360) / 360 * MKMapSize.world.width
        let north = y(region.center.latitude + half)
        self.init(
            x: MKMapPoint(region.center).x - width / 2, y: north, width: width,
            height: y(region.center.latitude - half) - north)
    }
}

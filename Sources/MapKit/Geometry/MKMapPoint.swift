// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the platform.

/// A point of the flat map: spherical Mercator on a square of 268,435,456 map points, x eastwards from longitude -180,
/// y downwards from the north.
///
///     let point = MKMapPoint(CLLocationCoordinate2D(latitude: 43.7384, longitude: 7.4246))
///     point.coordinate.latitude  // 43.7384
///
/// No `==`, no `Hashable`, no `Codable`, as on the platform: a program that wants them adds them itself. Compare with
/// `MKMapPointEqualToPoint(_:_:)`.
public struct MKMapPoint: Sendable {
    /// Map points east of longitude -180.
    public var x: Double
    /// Map points south of the square's northern edge.
    public var y: Double

    public init() { self.init(x: 0, y: 0) }

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The point of a coordinate. Latitudes beyond 85 degrees share one y; an invalid coordinate gives (-1, -1).
    public init(_ coordinate: CLLocationCoordinate2D) {
        guard CLLocationCoordinate2DIsValid(coordinate) else {
            self.init(x: -1, y: -1)
            return
        }
        let world = MKMapSize.world.width
        let sine = sin(min(max(coordinate.latitude, -85), 85) * .pi / 180)
        self.init(
            x: (coordinate.longitude + 180) / 360 * world,
            y: world / 2 - 0.5 * log((1 + sine) / (1 - sine)) * world / (2 * .pi))
    }

    /// The coordinate at this point; x outside the world wraps, and the latitude at y = 0 is 85.0511.
    public var coordinate: CLLocationCoordinate2D {
        let world = MKMapSize.world.width
        var share = x / world
        if share < 0 || share > 1 { share -= share.rounded(.down) }
        return CLLocationCoordinate2D(
            latitude: atan(sinh(.pi * (1 - 2 * y / world))) * 180 / .pi, longitude: share * 360 - 180)
    }

    /// Metres along a sphere whose radius is that of the earth near this point.
    ///
    /// Differs from `CLLocation.distance(from:)`, which follows the ellipsoid, by up to 0.4 per cent.
    public func distance(to other: MKMapPoint) -> CLLocationDistance {
        let (a, b) = (coordinate, other.coordinate)
        let radians = Double.pi / 180
        let sinLatitude = sin((b.latitude - a.latitude) * radians / 2)
        let sinLongitude = sin((b.longitude - a.longitude) * radians / 2)
        let h =
            sinLatitude * sinLatitude + cos(a.latitude * radians) * cos(b.latitude * radians) * sinLongitude
            * sinLongitude
        // `min` would turn a NaN into 1.
        return 2 * (h > 1 ? Double.pi / 2 : asin(h.squareRoot())) * (6_378_160 - 21_000 * sin(a.latitude * radians))
    }
}

/// A width and a height in map points.
public struct MKMapSize: Sendable {
    public var width: Double
    public var height: Double

    public init() { self.init(width: 0, height: 0) }

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The whole world: 268,435,456 map points each way.
    public static let world = MKMapSize(width: 268_435_456, height: 268_435_456)
}

// MARK: - Scale

/// Metres along the ellipsoid in one degree of latitude at `latitude` degrees.
func metresPerDegreeOfLatitude(at latitude: CLLocationDegrees) -> Double {
    let φ = latitude * .pi / 180
    return 111132.92 - 559.82 * cos(2 * φ) + 1.175 * cos(4 * φ) - 0.0023 * cos(6 * φ)
}

/// Metres along the ellipsoid in one degree of longitude at `latitude` degrees.
func metresPerDegreeOfLongitude(at latitude: CLLocationDegrees) -> Double {
    let φ = latitude * .pi / 180
    return 111412.84 * cos(φ) - 93.5 * cos(3 * φ) + 0.118 * cos(5 * φ)
}

/// How many map points one metre covers at a latitude: about 6.74 at the equator, 13.4 at 60 degrees, 0 where the map
/// ends (85.5 to 89.5 degrees and beyond 90.5).
public func MKMapPointsPerMeterAtLatitude(_ latitude: CLLocationDegrees) -> Double {
    func y(_ latitude: Double) -> Double { MKMapPoint(CLLocationCoordinate2D(latitude: latitude, longitude: 0)).y }
    return abs(y(latitude - 0.5) - y(latitude + 0.5)) / metresPerDegreeOfLatitude(at: latitude)
}

/// How many metres one map point covers at a latitude; infinite where the map ends.
public func MKMetersPerMapPointAtLatitude(_ latitude: CLLocationDegrees) -> CLLocationDistance {
    1 / MKMapPointsPerMeterAtLatitude(latitude)
}

/// The spherical distance in metres, as `MKMapPoint.distance(to:)`.
@available(*, unavailable, renamed: "MKMapPoint.distance(self:to:)")
public func MKMetersBetweenMapPoints(_ a: MKMapPoint, _ b: MKMapPoint) -> CLLocationDistance { a.distance(to: b) }

// MARK: - Comparing and printing

public func MKMapPointEqualToPoint(_ a: MKMapPoint, _ b: MKMapPoint) -> Bool { a.x == b.x && a.y == b.y }

public func MKMapSizeEqualToSize(_ a: MKMapSize, _ b: MKMapSize) -> Bool {
    a.width == b.width && a.height == b.height
}

/// The point as text with one decimal: `{1.0, 2.0}`.
public func MKStringFromMapPoint(_ point: MKMapPoint) -> String { pairText(point.x, point.y) }

/// The size as text with one decimal: `{3.0, 4.0}`.
public func MKStringFromMapSize(_ size: MKMapSize) -> String { pairText(size.width, size.height) }

/// The rectangle as text with one decimal: `{{1.0, 2.0}, {3.0, 4.0}}`.
public func MKStringFromMapRect(_ rect: MKMapRect) -> String {
    "{\(MKStringFromMapPoint(rect.origin)), \(MKStringFromMapSize(rect.size))}"
}

private func pairText(_ a: Double, _ b: Double) -> String { String(format: "{%.1f, %.1f}", a, b) }

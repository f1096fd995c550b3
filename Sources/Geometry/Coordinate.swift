import Glibc

/// A place on the globe: latitude and longitude in degrees, WGS84.
///
/// Values are stored as given. `isValid` tells whether they lie on the globe; NaN does not.
public struct Coordinate: Sendable, Hashable, Codable {
    /// Degrees north of the equator, -90 to 90.
    public var latitude: Double
    /// Degrees east of Greenwich, -180 to 180.
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether both numbers lie on the globe, ends included.
    public var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}

extension Coordinate: CustomStringConvertible {
    public var description: String { "\(latitude),\(longitude)" }
}

/// The mean radius of the Earth in metres (IUGG).
public let earthRadius = 6_371_008.8

extension Coordinate {
    /// Great-circle distance in metres on the mean sphere (haversine; stable for near and antipodal points).
    ///
    /// Off the ellipsoid's true distance by at most 0.56 per cent.
    public func distance(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let φ1 = latitude * radians
        let φ2 = other.latitude * radians
        let sinLatitude = sin((φ2 - φ1) / 2)
        let sinLongitude = sin((other.longitude - longitude) * radians / 2)
        let a = sinLatitude * sinLatitude + cos(φ1) * cos(φ2) * sinLongitude * sinLongitude
        return 2 * earthRadius * asin(a < 1 ? a.squareRoot() : 1)
    }

    /// Initial bearing of the great circle to `other`, degrees clockwise from true north, 0 ..< 360; 0 for the same point.
    public func bearing(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let φ1 = latitude * radians
        let φ2 = other.latitude * radians
        let δ = (other.longitude - longitude) * radians
        let y = sin(δ) * cos(φ2)
        let x = cos(φ1) * sin(φ2) - sin(φ1) * cos(φ2) * cos(δ)
        if x == 0, y == 0 { return 0 }
        let degrees = atan2(y, x) / radians
        return degrees < 0 ? degrees + 360 : degrees
    }
}

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those that programs know.

/// An angle in degrees.
public typealias CLLocationDegrees = Double
/// A length in metres.
public typealias CLLocationDistance = Double
/// The radius of uncertainty in metres; negative where the value it belongs to is invalid.
public typealias CLLocationAccuracy = Double
/// Metres a second; negative where unknown.
public typealias CLLocationSpeed = Double
/// Metres a second; negative where unknown.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north; negative where unknown.
public typealias CLLocationDirection = Double
/// Degrees; negative where unknown.
public typealias CLLocationDirectionAccuracy = Double

/// The finest accuracy, with data of further sensors, for navigation.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The finest accuracy.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// What a program gets that may know the position only roughly.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = 6_380_000
/// Every movement is reported.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// Every turn is reported.
public let kCLHeadingFilterNone: CLLocationDegrees = -1
/// The largest distance there is.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// The longest time there is.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// A place on the globe in degrees, WGS84. The numbers are kept as given; `CLLocationCoordinate2DIsValid` judges them.
///
/// It is not `Equatable`, `Hashable` or `Codable`, so that programs can make it so themselves.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator, -90 to 90.
    public var latitude: CLLocationDegrees
    /// Degrees east of Greenwich, -180 to 180.
    public var longitude: CLLocationDegrees

    /// The place where the equator meets the meridian of Greenwich.
    public init() {
        latitude = 0
        longitude = 0
    }

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// The same as `CLLocationCoordinate2D(latitude:longitude:)`.
public func CLLocationCoordinate2DMake(_ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees)
    -> CLLocationCoordinate2D
{
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude lies in -90...90 and the longitude in -180...180, ends included. NaN is invalid.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

/// A coordinate that is none: (-180, -180).
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

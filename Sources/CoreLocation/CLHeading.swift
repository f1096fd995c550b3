import Foundation

/// One part of the earth's magnetic field in microteslas.
public typealias CLHeadingComponentValue = Double

/// Which way the device points.
///
/// On Linux it comes from a source that tells it, as a receiver does through NMEA (`HDT`, `HDM`, `HDG`) or gpsd.
open class CLHeading: NSObject, NSCopying, @unchecked Sendable {
    /// Degrees from magnetic north, 0 to 360.
    public let magneticHeading: CLLocationDirection
    /// Degrees from true north; negative where unknown.
    public let trueHeading: CLLocationDirection
    /// Degrees; negative where the heading is invalid.
    public let headingAccuracy: CLLocationDirection
    public let x: CLHeadingComponentValue
    public let y: CLHeadingComponentValue
    public let z: CLHeadingComponentValue
    public let timestamp: Date

    package init(
        magneticHeading: CLLocationDirection, trueHeading: CLLocationDirection, headingAccuracy: CLLocationDirection,
        timestamp: Date
    ) {
        self.magneticHeading = magneticHeading
        self.trueHeading = trueHeading
        self.headingAccuracy = headingAccuracy
        self.timestamp = timestamp
        x = 0
        y = 0
        z = 0
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String {
        String(
            format: "magneticHeading %.2f trueHeading %.2f accuracy %.2f", magneticHeading, trueHeading, headingAccuracy
        )
            + " @ \(timestamp.formatted(.iso8601))"
    }
}

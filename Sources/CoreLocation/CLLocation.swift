import Foundation
internal import Geometry

/// A floor of a building.
open class CLFloor: NSObject, NSCopying, @unchecked Sendable {
    /// 0 for the ground floor, negative below it.
    public let level: Int

    package init(level: Int) { self.level = level }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Where a position comes from.
open class CLLocationSourceInformation: NSObject, NSCopying, @unchecked Sendable {
    /// True for positions played from a file, and for a fixed point.
    public let isSimulatedBySoftware: Bool
    /// True for positions that a receiver outside the computer measured, as through gpsd.
    public let isProducedByAccessory: Bool

    public init(softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool) {
        isSimulatedBySoftware = isSoftware
        isProducedByAccessory = isAccessory
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A position that was measured: a coordinate with height, movement, time, and how far each can be trusted.
///
/// Immutable, so it may be shared. Equality is identity; compare the coordinates where places are meant.
open class CLLocation: NSObject, NSCopying, @unchecked Sendable {
    public let coordinate: CLLocationCoordinate2D
    /// Metres above mean sea level; means nothing where `verticalAccuracy` is 0 or less.
    public let altitude: CLLocationDistance
    /// Metres above the WGS84 ellipsoid; means nothing where `verticalAccuracy` is 0 or less.
    public let ellipsoidalAltitude: CLLocationDistance
    /// The radius in metres around the coordinate; negative where the coordinate is invalid.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Metres; 0 or less where the altitude is invalid.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees clockwise from true north; negative where unknown.
    public let course: CLLocationDirection
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// Metres a second; negative where unknown.
    public let speed: CLLocationSpeed
    public let speedAccuracy: CLLocationSpeedAccuracy
    public let timestamp: Date
    /// Nil where the source knows of no floor, as none of those on Linux does.
    public let floor: CLFloor?
    /// Never nil, even for a location that a program made; then nothing is simulated.
    public let sourceInformation: CLLocationSourceInformation?

    /// Everything at once; the other initialisers are this one with less to say.
    package init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, ellipsoidalAltitude: CLLocationDistance,
        horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date, floor: CLFloor?, source: CLLocationSourceInformation
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.ellipsoidalAltitude = ellipsoidalAltitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        self.floor = floor
        sourceInformation = source
    }

    /// A bare place: altitude and accuracy 0, vertical accuracy, course and speed -1, now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// A place with its height and the accuracies of both in metres, negative where they are unknown; course and speed are
    /// unknown. Numbers are kept as given.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: -1, speed: -1, timestamp: timestamp)
    }

    /// A place with movement: `course` in degrees clockwise from true north and `speed` in metres a second, each negative
    /// where it is unknown.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1, timestamp: timestamp)
    }

    /// A place with movement and how far its course (degrees) and speed (metres a second) can be trusted; negative where
    /// that is unknown.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy,
            timestamp: timestamp,
            sourceInfo: CLLocationSourceInformation(
                softwareSimulationState: false, andExternalAccessoryState: false))
    }

    /// The same, with where it comes from.
    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date, sourceInfo: CLLocationSourceInformation
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, ellipsoidalAltitude: altitude, horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy, course: course, courseAccuracy: courseAccuracy, speed: speed,
            speedAccuracy: speedAccuracy, timestamp: timestamp, floor: nil, source: sourceInfo)
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `<+50.94130200,+6.95718900> +/- 0.00m (speed -1.00 mps / course -1.00) @ 2026-01-02T03:04:05Z`
    open override var description: String {
        let place = String(
            format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude, horizontalAccuracy)
        return place + String(format: " (speed %.2f mps / course %.2f)", speed, course)
            + " @ \(timestamp.formatted(.iso8601))"
    }
}

extension CLLocation {
    /// Metres to `location` along the WGS84 ellipsoid, the short way round; height is ignored. NaN where a coordinate is
    /// none.
    ///
    /// `MKMapPoint.distance(to:)` measures on a sphere and differs by up to 0.4 per cent: do not compare the two.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        coordinate.engine.geodesicDistance(to: location.coordinate.engine)
    }
}

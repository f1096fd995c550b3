import Foundation
internal import Geometry

/// Whether a position lies in a region.
public enum CLRegionState: Int, Sendable {
    case unknown = 0
    case inside = 1
    case outside = 2
}

/// An area with a name that a location manager can watch; `CLCircularRegion` is the one kind there is.
open class CLRegion: NSObject, NSCopying, @unchecked Sendable {
    public let identifier: String
    /// Whether entering it is told; true at first.
    ///
    /// A manager takes a copy of what it watches, so a change counts from the next `startMonitoring(for:)`.
    open var notifyOnEntry = true
    /// Whether leaving it is told; true at first.
    open var notifyOnExit = true

    package init(identifier: String) { self.identifier = identifier }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLRegion(identifier: identifier)
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    /// Regions of one identifier are equal, as a manager knows them by it.
    open override func isEqual(_ object: Any?) -> Bool { (object as? CLRegion)?.identifier == identifier }
    open override var hash: Int { identifier.hashValue }
}

/// A circle on the ground.
open class CLCircularRegion: CLRegion, @unchecked Sendable {
    public let center: CLLocationCoordinate2D
    /// Metres. Kept as given; a negative one contains nothing.
    public let radius: CLLocationDistance

    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
        copy.notifyOnEntry = notifyOnEntry
        copy.notifyOnExit = notifyOnExit
        return copy
    }

    /// Whether the place is at most `radius` away, along the ellipsoid.
    open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        center.engine.geodesicDistance(to: coordinate.engine) <= radius
    }

    open override var description: String {
        String(
            format: "CLCircularRegion (identifier:'%@', center:<%+.8f,%+.8f>, radius:%.2fm)", identifier,
            center.latitude,
            center.longitude, radius)
    }
}

/// The looks of a map. An atlas holds no photographs: all are drawn as the standard map, `mutedStandard` in quieter colours.
public enum MKMapType: UInt, Sendable {
    case standard = 0
    case satellite = 1
    case hybrid = 2
    case satelliteFlyover = 3
    case hybridFlyover = 4
    case mutedStandard = 5
}

/// Whether a map view goes with its user.
public enum MKUserTrackingMode: Int, Sendable {
    case none = 0
    case follow = 1
    case followWithHeading = 2
}

/// Whether an overlay lies beneath the map's names or over them.
public enum MKOverlayLevel: Int, Sendable {
    case aboveRoads = 0
    case aboveLabels = 1
}

/// Where the user is, as an annotation of a map view.
open class MKUserLocation: NSObject, MKAnnotation {
    /// The latest position; nil until one is known.
    public internal(set) var location: CLLocation?
    /// Whether positions are being looked for.
    public internal(set) var isUpdating = false
    public internal(set) var heading: CLHeading?
    open var title: String? = "Current Location"
    open var subtitle: String?

    /// The invalid coordinate until the position is known.
    open var coordinate: CLLocationCoordinate2D { location?.coordinate ?? kCLLocationCoordinate2DInvalid }
}

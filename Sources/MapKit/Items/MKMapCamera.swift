/// From where a map is looked at. The map is drawn from straight above; pitch and heading are kept and not drawn.
open class MKMapCamera: NSObject, NSCopying {
    open var centerCoordinate = CLLocationCoordinate2D()
    /// Metres from the camera to the centre.
    open var centerCoordinateDistance: CLLocationDistance = 0
    /// Degrees clockwise from north.
    open var heading: CLLocationDirection = 0
    /// Degrees from straight down.
    open var pitch: CGFloat = 0

    public override init() { super.init() }

    public convenience init(
        lookingAtCenter centerCoordinate: CLLocationCoordinate2D, fromDistance distance: CLLocationDistance,
        pitch: CGFloat, heading: CLLocationDirection
    ) {
        self.init()
        self.centerCoordinate = centerCoordinate
        centerCoordinateDistance = distance
        self.pitch = pitch
        self.heading = heading
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        MKMapCamera(
            lookingAtCenter: centerCoordinate, fromDistance: centerCoordinateDistance, pitch: pitch, heading: heading)
    }

    private static let lens = 2 * tan(15 * Double.pi / 180)

    /// What it sees, a lens of 30 degrees taken: as many metres each way.
    var region: MKCoordinateRegion {
        let metres = max(centerCoordinateDistance, 1) * Self.lens
        return MKCoordinateRegion(center: centerCoordinate, latitudinalMeters: metres, longitudinalMeters: metres)
    }

    /// The camera that sees a region's shorter side.
    convenience init(showing region: MKCoordinateRegion) {
        let latitude = region.center.latitude
        let metres = min(
            region.span.latitudeDelta * metresPerDegreeOfLatitude(at: latitude),
            region.span.longitudeDelta * metresPerDegreeOfLongitude(at: latitude))
        self.init(lookingAtCenter: region.center, fromDistance: metres / Self.lens, pitch: 0, heading: 0)
    }
}

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

    /// What it sees in height: a lens of 30 degrees.
    var region: MKCoordinateRegion {
        let metres = max(centerCoordinateDistance, 1) * 2 * tan(15 * Double.pi / 180)
        return MKCoordinateRegion(center: centerCoordinate, latitudinalMeters: metres, longitudinalMeters: metres)
    }
}

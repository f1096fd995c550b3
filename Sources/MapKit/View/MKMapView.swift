/// A map that nobody sees until it is drawn: it keeps what is on it and where it looks, asks its delegate for views, and is
/// painted to PNG, SVG or PDF.
///
///     let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 640, height: 480))
///     map.delegate = self
///     map.region = MKCoordinateRegion(center: site, latitudinalMeters: 800, longitudinalMeters: 800)
///     map.addAnnotation(pin)
///     try map.pngData(scale: 2).write(to: file)
///
/// A region or rectangle that is set is grown to the frame's shape, so that what is read back contains it, unless a picture
/// cannot show as much (the world in a frame of less than 256 points); without a frame it is kept as given. `animated` changes nothing but what the delegate is told.
@MainActor open class MKMapView: UIView {
    open weak var delegate: (any MKMapViewDelegate)?
    open var mapType = MKMapType.standard
    open var isZoomEnabled = true
    open var isScrollEnabled = true
    open var isRotateEnabled = true
    open var isPitchEnabled = true
    open var showsBuildings = true
    /// Which kinds of places the map names; all where it is nil.
    open var pointOfInterestFilter: MKPointOfInterestFilter?

    // What is shown; see MKMapView+Region.swift.
    var sight = MapSight()

    // What stands on the map; see MKMapView+Annotations.swift and +Overlays.swift.
    var placed: [any MKAnnotation] = []
    var placedIDs: Set<ObjectIdentifier> = []
    var views: [ObjectIdentifier: MKAnnotationView] = [:]
    var reusable: [String: [MKAnnotationView]] = [:]
    var selected: (any MKAnnotation)?
    var needsViews = false
    var isLayingOut = false
    var laid: [(overlay: any MKOverlay, level: MKOverlayLevel)] = []
    var laidIDs: Set<ObjectIdentifier> = []
    var renderers: [ObjectIdentifier: MKOverlayRenderer] = [:]

    // Where the user is; see MKMapView+User.swift.
    public let userLocation = MKUserLocation()
    var tracking = MKUserTrackingMode.none
    var feed: UserFeed?
    /// A source of positions of this map's own; nil for that of the process.
    var positionSource: CLPositionSource?

    public override init(frame: CGRect) { super.init(frame: frame.orZero) }

    public required init?(coder: NSCoder) { nil }

    /// The picture's size in points. Another size keeps the centre and the scale; a frame that is not finite is zero.
    open override var frame: CGRect {
        get { super.frame }
        set {
            let old = super.frame.size
            super.frame = newValue.orZero
            guard frame.size != old else { return }
            sight.fit(frame.size, before: old)
            setNeedsViews()
        }
    }
}

extension CGRect {
    /// The rectangle, or zero where one of its numbers is not finite.
    fileprivate var orZero: CGRect {
        [origin.x, origin.y, size.width, size.height].allSatisfy(\.isFinite) ? self : .zero
    }
}

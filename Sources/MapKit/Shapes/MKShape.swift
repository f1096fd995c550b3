/// Something with a place on the map, and perhaps a title and a subtitle.
///
/// A class with `let` or `var` properties conforms, and so does one with nothing but a coordinate.
public protocol MKAnnotation: NSObjectProtocol {
    var coordinate: CLLocationCoordinate2D { get }
    var title: String? { get }
    var subtitle: String? { get }
}

extension MKAnnotation {
    public var title: String? { nil }
    public var subtitle: String? { nil }
}

/// An annotation that covers a part of the map: a line, an area, a circle.
public protocol MKOverlay: MKAnnotation {
    /// The smallest rectangle that holds it.
    var boundingMapRect: MKMapRect { get }
    /// Whether a part of it may lie in the rectangle.
    func intersects(_ mapRect: MKMapRect) -> Bool
    /// Whether it covers the map below completely.
    var canReplaceMapContent: Bool { get }
}

extension MKOverlay {
    public func intersects(_ mapRect: MKMapRect) -> Bool { !boundingMapRect.intersection(mapRect).isNull }
    public var canReplaceMapContent: Bool { false }
}

/// What all shapes have in common: a title and a subtitle.
open class MKShape: NSObject, MKAnnotation {
    open var title: String?
    open var subtitle: String?
    /// The invalid coordinate; each shape has its own.
    open var coordinate: CLLocationCoordinate2D { kCLLocationCoordinate2DInvalid }

    public override init() { super.init() }
}

/// What `MKGeoJSONDecoder` makes.
public protocol MKGeoJSONObject: NSObjectProtocol {}

/// A point with a title and a subtitle.
open class MKPointAnnotation: MKShape, MKGeoJSONObject {
    private var place = CLLocationCoordinate2D()

    public override init() { super.init() }

    public convenience init(coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate, title: nil, subtitle: nil)
    }

    public convenience init(coordinate: CLLocationCoordinate2D, title: String?, subtitle: String?) {
        self.init()
        self.coordinate = coordinate
        self.title = title
        self.subtitle = subtitle
    }

    open override var coordinate: CLLocationCoordinate2D {
        get { place }
        set { place = newValue }
    }
}

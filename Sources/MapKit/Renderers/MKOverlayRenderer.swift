/// What draws an overlay. This class itself draws nothing; its children do.
open class MKOverlayRenderer: NSObject {
    public let overlay: any MKOverlay
    /// Of the whole, 0 to 1.
    open var alpha: CGFloat = 1

    public init(overlay: any MKOverlay) { self.overlay = overlay }
}

/// The ends of a line.
public enum CGLineCap: Int32, Sendable {
    case butt = 0
    case round = 1
    case square = 2
}

/// The corners of a line.
public enum CGLineJoin: Int32, Sendable {
    case miter = 0
    case round = 1
    case bevel = 2
}

/// What draws lines and areas: a stroke, a filling, or both.
open class MKOverlayPathRenderer: MKOverlayRenderer {
    open var fillColor: UIColor?
    open var strokeColor: UIColor?
    /// Points; 0 for a line as the map sees fit.
    open var lineWidth: CGFloat = 0
    open var lineJoin = CGLineJoin.round
    open var lineCap = CGLineCap.round
    /// Lengths of dashes and gaps in points; nil for a line without gaps.
    open var lineDashPattern: [NSNumber]?
    open var lineDashPhase: CGFloat = 0
}

open class MKPolylineRenderer: MKOverlayPathRenderer {
    public convenience init(polyline: MKPolyline) { self.init(overlay: polyline) }

    open var polyline: MKPolyline { overlay as? MKPolyline ?? MKPolyline() }
}

open class MKPolygonRenderer: MKOverlayPathRenderer {
    public convenience init(polygon: MKPolygon) { self.init(overlay: polygon) }

    open var polygon: MKPolygon { overlay as? MKPolygon ?? MKPolygon() }
}

open class MKCircleRenderer: MKOverlayPathRenderer {
    public convenience init(circle: MKCircle) { self.init(overlay: circle) }

    open var circle: MKCircle { overlay as? MKCircle ?? MKCircle() }
}

open class MKMultiPolylineRenderer: MKOverlayPathRenderer {
    public convenience init(multiPolyline: MKMultiPolyline) { self.init(overlay: multiPolyline) }

    open var multiPolyline: MKMultiPolyline { overlay as? MKMultiPolyline ?? MKMultiPolyline() }
}

open class MKMultiPolygonRenderer: MKOverlayPathRenderer {
    public convenience init(multiPolygon: MKMultiPolygon) { self.init(overlay: multiPolygon) }

    open var multiPolygon: MKMultiPolygon { overlay as? MKMultiPolygon ?? MKMultiPolygon() }
}

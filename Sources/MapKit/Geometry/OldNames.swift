// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the platform.

// Names of old programs. Today's Swift refuses them and tells the new name; so does this module.

@available(*, unavailable, renamed: "MKMapPoint.init(_:)")
public func MKMapPointForCoordinate(_ coordinate: CLLocationCoordinate2D) -> MKMapPoint { MKMapPoint(coordinate) }

@available(*, unavailable, renamed: "getter:MKMapPoint.coordinate(self:)")
public func MKCoordinateForMapPoint(_ point: MKMapPoint) -> CLLocationCoordinate2D { point.coordinate }

@available(*, unavailable, renamed: "MKMapPoint.init(x:y:)")
public func MKMapPointMake(_ x: Double, _ y: Double) -> MKMapPoint { MKMapPoint(x: x, y: y) }

@available(*, unavailable, renamed: "MKMapSize.init(width:height:)")
public func MKMapSizeMake(_ width: Double, _ height: Double) -> MKMapSize { MKMapSize(width: width, height: height) }

@available(*, unavailable, renamed: "MKMapRect.init(x:y:width:height:)")
public func MKMapRectMake(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> MKMapRect {
    MKMapRect(x: x, y: y, width: width, height: height)
}

@available(*, unavailable, renamed: "MKMapRect.null")
public var MKMapRectNull: MKMapRect { .null }

@available(*, unavailable, renamed: "MKMapRect.world")
public var MKMapRectWorld: MKMapRect { .world }

@available(*, unavailable, renamed: "MKMapSize.world")
public var MKMapSizeWorld: MKMapSize { .world }

@available(*, unavailable, renamed: "getter:MKMapRect.isNull(self:)")
public func MKMapRectIsNull(_ rect: MKMapRect) -> Bool { rect.isNull }

@available(*, unavailable, renamed: "getter:MKMapRect.isEmpty(self:)")
public func MKMapRectIsEmpty(_ rect: MKMapRect) -> Bool { rect.isEmpty }

@available(*, unavailable, renamed: "MKMapRect.union(self:_:)")
public func MKMapRectUnion(_ a: MKMapRect, _ b: MKMapRect) -> MKMapRect { a.union(b) }

@available(*, unavailable, renamed: "MKMapRect.intersection(self:_:)")
public func MKMapRectIntersection(_ a: MKMapRect, _ b: MKMapRect) -> MKMapRect { a.intersection(b) }

@available(*, unavailable, renamed: "MKMapRect.intersects(self:_:)")
public func MKMapRectIntersectsRect(_ a: MKMapRect, _ b: MKMapRect) -> Bool { a.intersects(b) }

@available(*, unavailable, renamed: "MKMapRect.contains(self:_:)")
public func MKMapRectContainsPoint(_ rect: MKMapRect, _ point: MKMapPoint) -> Bool { rect.contains(point) }

@available(*, unavailable, renamed: "MKMapRect.contains(self:_:)")
public func MKMapRectContainsRect(_ a: MKMapRect, _ b: MKMapRect) -> Bool { a.contains(b) }

@available(*, unavailable, renamed: "MKMapRect.insetBy(self:dx:dy:)")
public func MKMapRectInset(_ rect: MKMapRect, _ dx: Double, _ dy: Double) -> MKMapRect { rect.insetBy(dx: dx, dy: dy) }

@available(*, unavailable, renamed: "MKMapRect.offsetBy(self:dx:dy:)")
public func MKMapRectOffset(_ rect: MKMapRect, _ dx: Double, _ dy: Double) -> MKMapRect {
    rect.offsetBy(dx: dx, dy: dy)
}

@available(*, unavailable, renamed: "getter:MKMapRect.spans180thMeridian(self:)")
public func MKMapRectSpans180thMeridian(_ rect: MKMapRect) -> Bool { rect.spans180thMeridian }

@available(*, unavailable, renamed: "getter:MKMapRect.remainder(self:)")
public func MKMapRectRemainder(_ rect: MKMapRect) -> MKMapRect { rect.remainder }

@available(*, unavailable, renamed: "MKCoordinateSpan.init(latitudeDelta:longitudeDelta:)")
public func MKCoordinateSpanMake(_ latitudeDelta: Double, _ longitudeDelta: Double) -> MKCoordinateSpan {
    MKCoordinateSpan(latitudeDelta: latitudeDelta, longitudeDelta: longitudeDelta)
}

@available(*, unavailable, renamed: "MKCoordinateRegion.init(center:span:)")
public func MKCoordinateRegionMake(_ center: CLLocationCoordinate2D, _ span: MKCoordinateSpan) -> MKCoordinateRegion {
    MKCoordinateRegion(center: center, span: span)
}

@available(*, unavailable, renamed: "MKCoordinateRegion.init(center:latitudinalMeters:longitudinalMeters:)")
public func MKCoordinateRegionMakeWithDistance(
    _ center: CLLocationCoordinate2D, _ latitudinalMeters: CLLocationDistance, _ longitudinalMeters: CLLocationDistance
) -> MKCoordinateRegion {
    MKCoordinateRegion(
        center: center, latitudinalMeters: latitudinalMeters, longitudinalMeters: longitudinalMeters)
}

@available(*, unavailable, renamed: "MKCoordinateRegion.init(_:)")
public func MKCoordinateRegionForMapRect(_ rect: MKMapRect) -> MKCoordinateRegion { MKCoordinateRegion(rect) }

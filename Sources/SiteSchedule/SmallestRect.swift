import MapKit

extension MKMapRect {
    /// The smallest rectangle around places; null for none, without extent for one.
    ///
    /// Where places lie on both sides of the date line, it is the narrower one that stands over that line.
    static func smallest(around coordinates: [CLLocationCoordinate2D]) -> MKMapRect {
        let points = coordinates.filter(CLLocationCoordinate2DIsValid).map { MKMapPoint($0) }
        let world = MKMapSize.world.width
        // The widest gap between neighbours, round the world, is what the rectangle leaves out.
        let columns = points.map(\.x).sorted()
        guard var edge = columns.first, let last = columns.last else { return .null }
        var widest = world - last + edge
        for (left, right) in zip(columns, columns.dropFirst()) where right - left > widest {
            widest = right - left
            edge = right
        }
        // Begin with the null rectangle, and let each place grow it.
        return points.reduce(.null) { rect, point in
            let x = point.x < edge ? point.x + world : point.x
            return rect.union(MKMapRect(origin: MKMapPoint(x: x, y: point.y), size: MKMapSize(width: 0, height: 0)))
        }
    }
}

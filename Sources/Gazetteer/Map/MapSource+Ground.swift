import Geometry

extension MapSource {
    /// Whether the map shows land at a point, lakes and rivers included; false for the sea.
    ///
    /// As a painter does it: the last shape of land or sea that holds the point decides, and without any it is the sea.
    public func isLand(at point: MercatorPoint, zoom: Int = 19) throws -> Bool {
        var isLand = false
        let box = MercatorBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        try forEachMapShape(in: box, zoom: zoom, languages: []) { shape in
            guard shape.kind == .land || shape.kind == .sea, case .area(let rings) = shape.geometry,
                MercatorRing.contains(point, rings: rings)
            else { return }
            isLand = shape.kind == .land
        }
        return isLand
    }
}

/// Rings of the map, not repeating their first point.
public enum MercatorRing {
    /// Twice the area in square units; positive when the ring runs clockwise as seen on the map (y grows southwards).
    public static func doubleArea(_ ring: [MercatorPoint]) -> Double {
        guard let first = ring.first, var before = ring.last else { return 0 }
        var sum = 0.0
        for point in ring {
            let ax = Double(before.x) - Double(first.x)
            let ay = Double(before.y) - Double(first.y)
            let bx = Double(point.x) - Double(first.x)
            let by = Double(point.y) - Double(first.y)
            sum += ax * by - bx * ay
            before = point
        }
        return sum
    }

    /// Whether `point` lies inside, by the even-odd rule over all rings. Points on an edge may fall on either side.
    public static func contains(_ point: MercatorPoint, rings: [[MercatorPoint]]) -> Bool {
        var inside = false
        let y = Double(point.y) + 0.5
        for ring in rings {
            guard var a = ring.last else { continue }
            for b in ring {
                if (a.y <= point.y) != (b.y <= point.y) {
                    let t = (y - Double(a.y)) / (Double(b.y) - Double(a.y))
                    if Double(point.x) < Double(a.x) + t * (Double(b.x) - Double(a.x)) { inside.toggle() }
                }
                a = b
            }
        }
        return inside
    }

    /// The box around points; nil where there is none.
    public static func box(_ points: some Sequence<MercatorPoint>) -> MercatorBox? {
        var box: MercatorBox?
        for point in points {
            if box?.extend(by: point) == nil {
                box = MercatorBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
            }
        }
        return box
    }
}

extension MercatorBox {
    /// Grows to hold the point.
    public mutating func extend(by point: MercatorPoint) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    public func contains(_ point: MercatorPoint) -> Bool {
        minX <= point.x && point.x <= maxX && minY <= point.y && point.y <= maxY
    }
}

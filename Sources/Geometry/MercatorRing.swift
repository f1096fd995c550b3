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
    @inlinable public static func box(_ points: some Sequence<MercatorPoint>) -> MercatorBox? {
        var rest = points.makeIterator()
        guard let first = rest.next() else { return nil }
        var box = MercatorBox(minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
        while let point = rest.next() { box.extend(by: point) }
        return box
    }
}

extension MercatorBox {
    /// Grows to hold the point.
    @inlinable public mutating func extend(by point: MercatorPoint) {
        minX = min(minX, point.x)
        minY = min(minY, point.y)
        maxX = max(maxX, point.x)
        maxY = max(maxY, point.y)
    }

    public func contains(_ point: MercatorPoint) -> Bool {
        minX <= point.x && point.x <= maxX && minY <= point.y && point.y <= maxY
    }
}

extension MercatorBox {
    public func union(_ other: MercatorBox) -> MercatorBox {
        MercatorBox(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }

    /// What both have; nil where they do not meet.
    public func intersection(_ other: MercatorBox) -> MercatorBox? {
        guard intersects(other) else { return nil }
        return MercatorBox(
            minX: max(minX, other.minX), minY: max(minY, other.minY), maxX: min(maxX, other.maxX),
            maxY: min(maxY, other.maxY))
    }
}

extension MercatorRing {
    /// The part of a ring within a box, by Sutherland and Hodgman's method ("Reentrant Polygon Clipping", CACM 1974). It
    /// may run along the box's edge more than once, which the even-odd rule does not mind. Empty where nothing is left.
    public static func clipped(_ ring: [MercatorPoint], to box: MercatorBox) -> [MercatorPoint] {
        guard let all = self.box(ring), all.intersects(box) else { return [] }
        var ring = ring
        if all.minX < box.minX { ring = clip(ring, atX: box.minX, keepsAbove: true) }
        if all.maxX > box.maxX { ring = clip(ring, atX: box.maxX, keepsAbove: false) }
        if all.minY < box.minY { ring = clip(ring, atY: box.minY, keepsAbove: true) }
        if all.maxY > box.maxY { ring = clip(ring, atY: box.maxY, keepsAbove: false) }
        return ring
    }

    private static func clip(_ ring: [MercatorPoint], atX cut: Int32, keepsAbove: Bool) -> [MercatorPoint] {
        clip(ring) {
            keepsAbove ? $0.x >= cut : $0.x <= cut
        } crossing: { a, b in
            let share = (Double(cut) - Double(a.x)) / (Double(b.x) - Double(a.x))
            let y = Double(a.y) + share * (Double(b.y) - Double(a.y))
            return MercatorPoint(x: cut, y: Int32(y.rounded()))
        }
    }

    private static func clip(_ ring: [MercatorPoint], atY cut: Int32, keepsAbove: Bool) -> [MercatorPoint] {
        clip(ring) {
            keepsAbove ? $0.y >= cut : $0.y <= cut
        } crossing: { a, b in
            let share = (Double(cut) - Double(a.y)) / (Double(b.y) - Double(a.y))
            let x = Double(a.x) + share * (Double(b.x) - Double(a.x))
            return MercatorPoint(x: Int32(x.rounded()), y: cut)
        }
    }

    @inline(__always) private static func clip(
        _ ring: [MercatorPoint], _ isInside: (MercatorPoint) -> Bool,
        crossing: (MercatorPoint, MercatorPoint) -> MercatorPoint
    ) -> [MercatorPoint] {
        guard var before = ring.last else { return [] }
        var kept: [MercatorPoint] = []
        var wasInside = isInside(before)
        for point in ring {
            let inside = isInside(point)
            if inside != wasInside { kept.append(crossing(before, point)) }
            if inside { kept.append(point) }
            before = point
            wasInside = inside
        }
        return kept
    }
}

/// A shape made of several points, which are copied when it is made.
open class MKMultiPoint: MKShape, MKGeoJSONObject {
    /// Room for one point at least, so that there is always something to point at.
    private var start = UnsafeMutablePointer<MKMapPoint>.allocate(capacity: 1)
    private var storage: UnsafeMutableBufferPointer<MKMapPoint>

    public override init() {
        storage = UnsafeMutableBufferPointer(start: start, count: 0)
        super.init()
    }

    deinit { start.deallocate() }

    /// Takes the points in; called once, by an initialiser.
    final func store(_ points: [MKMapPoint]) {
        start.deallocate()
        start = .allocate(capacity: max(points.count, 1))
        start.initialize(from: points, count: points.count)
        storage = UnsafeMutableBufferPointer(start: start, count: points.count)
    }

    final func store(coordinates: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
        store(UnsafeBufferPointer(start: coordinates, count: max(count, 0)).map { MKMapPoint($0) })
    }

    open var pointCount: Int { storage.count }

    /// The points themselves, `pointCount` of them. They live as long as the shape.
    open func points() -> UnsafeMutablePointer<MKMapPoint> {
        start
    }

    /// Writes the coordinates of a range of points. The part of the range that the shape does not have is left alone.
    open func getCoordinates(_ coords: UnsafeMutablePointer<CLLocationCoordinate2D>, range: NSRange) {
        guard range.location >= 0, range.location < storage.count, range.length > 0 else { return }
        let end = range.length > storage.count - range.location ? storage.count : range.location + range.length
        for (index, point) in storage[range.location..<end].enumerated() { coords[index] = point.coordinate }
    }

    /// How much of the length lies before a point, 0 to 1.
    open func location(atPointIndex index: Int) -> CGFloat {
        locations(at: IndexSet(integer: min(max(index, 0), max(storage.count - 1, 0)))).first ?? 0
    }

    /// How much of the length lies before each of the points, 0 to 1, in ascending order of the points.
    open func locations(at indexes: IndexSet) -> [CGFloat] {
        var lengths: [Double] = [0]
        for index in storage.indices.dropFirst() {
            let (a, b) = (storage[index - 1], storage[index])
            lengths.append((lengths.last ?? 0) + hypot(b.x - a.x, b.y - a.y))
        }
        let whole = lengths.last ?? 0
        return indexes.map { index in
            whole > 0 ? CGFloat(lengths[min(index, lengths.count - 1)] / whole) : 0
        }
    }

    // MARK: What lines and areas share

    final var mapPoints: UnsafeMutableBufferPointer<MKMapPoint> { storage }

    final var coordinates: [CLLocationCoordinate2D] { storage.map(\.coordinate) }

    /// The smallest rectangle around the points; null for none.
    final var pointBounds: MKMapRect {
        var rect = MKMapRect.null
        for point in storage { rect = rect.union(MKMapRect(origin: point, size: MKMapSize())) }
        return rect
    }

    /// Whether a line between two neighbouring points, the last and the first included where `isClosed`, has a point in
    /// the rectangle, edges included.
    final func lineTouches(_ rect: MKMapRect, isClosed: Bool) -> Bool {
        guard let first = storage.first, let last = storage.last, !rect.isNull else { return false }
        if storage.count == 1 { return rect.contains(first) }
        for index in storage.indices.dropFirst() where rect.meetsLine(from: storage[index - 1], to: storage[index]) {
            return true
        }
        return isClosed && rect.meetsLine(from: last, to: first)
    }
}

extension MKMapRect {
    /// Whether a straight line has a point in the rectangle, edges included (Liang and Barsky, "A new concept and method
    /// for line clipping", 1984).
    func meetsLine(from a: MKMapPoint, to b: MKMapPoint) -> Bool {
        var (enters, leaves) = (0.0, 1.0)
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        for (p, q) in [(-dx, a.x - minX), (dx, maxX - a.x), (-dy, a.y - minY), (dy, maxY - a.y)] {
            if p == 0 {
                if q < 0 { return false }
            } else if p < 0 {
                enters = max(enters, q / p)
            } else {
                leaves = min(leaves, q / p)
            }
        }
        return enters <= leaves
    }
}

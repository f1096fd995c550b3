/// Leaving out points of lines and rings on the map.
///
/// What remains depends on the points alone, not on where a line starts or which way it runs, so that two areas with a
/// common border are simplified alike along it: some points are pinned by a hash of their place, where it is the least
/// among their neighbours', and between two pins the method of Douglas and Peucker ("Algorithms for the reduction of the
/// number of points required to represent a digitized line", 1973) decides, with ties broken by place. Only the last stretch
/// before two borders part may differ, by no more than the tolerance.
public enum MercatorSimplification {
    /// How far, in points on each side, a pin is alone. About one point in 25 is pinned.
    private static let pinReach = 12

    /// The line without the points that lie within `tolerance` units of the simpler line. Its ends remain; a line of two
    /// points and more keeps two.
    public static func line(_ points: [MercatorPoint], tolerance: Int32) -> [MercatorPoint] {
        guard points.count > 2, tolerance > 0 else { return points }
        var keeps = [Bool](repeating: false, count: points.count)
        var before = 0
        keeps[0] = true
        for index in 1..<points.count where index == points.count - 1 || isPin(index, points) {
            keeps[index] = true
            reduce(points, before, index, tolerance, &keeps)
            before = index
        }
        return zip(points, keeps).compactMap { $1 ? $0 : nil }
    }

    /// The same for a ring that does not repeat its first point; nil where fewer than three points would remain.
    public static func ring(_ points: [MercatorPoint], tolerance: Int32) -> [MercatorPoint]? {
        guard points.count >= 3 else { return nil }
        guard points.count > 3, tolerance > 0 else { return points }
        let count = points.count
        // Start at a place that does not depend on where the ring starts: the first pin in the order of places.
        var start = 0
        for index in 1..<count where precedes(points[index], points[start]) { start = index }
        var turned: [MercatorPoint] = []
        turned.reserveCapacity(count + 1)
        turned += points[start...]
        turned += points[..<start]
        turned.append(points[start])
        var keeps = [Bool](repeating: false, count: count + 1)
        keeps[0] = true
        var anchors = (1..<count).filter { isPinOfRing($0, turned, count) }
        if anchors.isEmpty {
            var far = 1
            for index in 2..<count {
                let (a, b) = (square(turned[0], turned[index]), square(turned[0], turned[far]))
                if a > b || a == b && precedes(turned[index], turned[far]) { far = index }
            }
            anchors = [far]
        }
        var before = 0
        for index in anchors + [count] {
            keeps[index] = true
            reduce(turned, before, index, tolerance, &keeps)
            before = index
        }
        var kept: [MercatorPoint] = []
        for index in 0..<count where keeps[index] { kept.append(turned[index]) }
        return kept.count >= 3 ? kept : nil
    }

    private static func reduce(
        _ points: [MercatorPoint], _ first: Int, _ last: Int, _ tolerance: Int32, _ keeps: inout [Bool]
    ) {
        guard last - first > 1 else { return }
        let limit = Double(tolerance) * Double(tolerance)
        points.withUnsafeBufferPointer { points in
            var open = [(first, last)]
            while let (from, to) = open.popLast() {
                guard to - from > 1 else { continue }
                let isForward = !precedes(points[to], points[from])
                let (a, b) = isForward ? (points[from], points[to]) : (points[to], points[from])
                var worst = limit
                var found = -1
                for index in (from + 1)..<to {
                    let distance = squareDistance(points[index], a, b)
                    if distance > worst
                        || distance == worst && found >= 0 && precedes(points[index], points[found])
                    {
                        worst = distance
                        found = index
                    }
                }
                guard found >= 0 else { continue }
                keeps[found] = true
                open.append((from, found))
                open.append((found, to))
            }
        }
    }

    static func squareDistance(_ point: MercatorPoint, _ a: MercatorPoint, _ b: MercatorPoint) -> Double {
        let ax = Double(a.x)
        let ay = Double(a.y)
        let dx = Double(b.x) - ax
        let dy = Double(b.y) - ay
        let px = Double(point.x) - ax
        let py = Double(point.y) - ay
        let length = dx * dx + dy * dy
        let t = length > 0 ? min(max((px * dx + py * dy) / length, 0), 1) : 0
        let x = px - t * dx
        let y = py - t * dy
        return x * x + y * y
    }

    private static func square(_ a: MercatorPoint, _ b: MercatorPoint) -> Double {
        let dx = Double(a.x) - Double(b.x)
        let dy = Double(a.y) - Double(b.y)
        return dx * dx + dy * dy
    }

    private static func precedes(_ a: MercatorPoint, _ b: MercatorPoint) -> Bool { (a.x, a.y) < (b.x, b.y) }

    // MARK: - Pins

    private static func hash(_ point: MercatorPoint) -> UInt64 {
        // Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014: the finisher.
        var x = UInt64(UInt32(bitPattern: point.x)) << 32 | UInt64(UInt32(bitPattern: point.y))
        x = (x ^ x >> 30) &* 0xbf58_476d_1ce4_e5b9
        x = (x ^ x >> 27) &* 0x94d0_49bb_1331_11eb
        return x ^ x >> 31
    }

    private static func isPin(_ index: Int, _ points: [MercatorPoint]) -> Bool {
        guard index >= pinReach, index + pinReach < points.count else { return false }
        let own = hash(points[index])
        for step in 1...pinReach where hash(points[index - step]) <= own || hash(points[index + step]) <= own {
            return false
        }
        return true
    }

    /// The same in a ring of `count` points, the first repeated at the end of `points`.
    private static func isPinOfRing(_ index: Int, _ points: [MercatorPoint], _ count: Int) -> Bool {
        guard count > 2 * pinReach else { return false }
        let own = hash(points[index])
        for step in 1...pinReach {
            let before = index >= step ? index - step : index - step + count
            let after = index + step < count ? index + step : index + step - count
            if hash(points[before]) <= own || hash(points[after]) <= own { return false }
        }
        return true
    }
}

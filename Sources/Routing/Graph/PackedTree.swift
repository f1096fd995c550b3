import Geometry

/// A static R-tree packed along a Hilbert curve (Kamel and Faloutsos, "On packing R-trees", CIKM 1993).
///
/// Levels lie one after the other in one array of boxes, the leaves first; the children of node `i` of a level are the
/// nodes `16 i` up to `16 i + 15` of the level below. No positions are stored, so none can be wrong.
enum PackedTree {
    static let fanOut = 16
    /// Segments of one leaf: short enough that boxes of bent roads stay small.
    static let segmentsPerLeaf = 8

    /// Sizes of the levels, leaves first. Empty for no leaves.
    static func levels(leaves: Int) -> [Int] {
        guard leaves > 0 else { return [] }
        var sizes = [leaves]
        var size = leaves
        while size > 1 {
            size = (size + fanOut - 1) / fanOut
            sizes.append(size)
        }
        return sizes
    }

    static func boxCount(leaves: Int) -> Int { levels(leaves: leaves).reduce(0, +) }

    /// Orders `leaves` along the curve and builds the levels above.
    static func build(_ leaves: [(box: TreeBox, item: TreeItem)]) -> (boxes: [TreeBox], items: [TreeItem]) {
        var keyed: [(key: UInt64, index: Int)] = []
        keyed.reserveCapacity(leaves.count)
        for (index, leaf) in leaves.enumerated() {
            let latitude = Int32((Int64(leaf.box.south) + Int64(leaf.box.north)) / 2)
            let longitude = Int32((Int64(leaf.box.west) + Int64(leaf.box.east)) / 2)
            keyed.append((HilbertCurve.key(FixedPoint(latitude: latitude, longitude: longitude)), index))
        }
        keyed.sort { $0.key < $1.key || ($0.key == $1.key && $0.index < $1.index) }
        var boxes = keyed.map { leaves[$0.index].box }
        let items = keyed.map { leaves[$0.index].item }
        var start = 0
        for size in levels(leaves: leaves.count).dropLast() {
            var first = start
            while first < start + size {
                var box = boxes[first]
                for child in boxes[first..<min(first + fanOut, start + size)] {
                    box.south = min(box.south, child.south)
                    box.west = min(box.west, child.west)
                    box.north = max(box.north, child.north)
                    box.east = max(box.east, child.east)
                }
                boxes.append(box)
                first += fanOut
            }
            start += size
        }
        return (boxes, items)
    }
}

/// Positions along a Hilbert curve over the globe: near in number is mostly near in place.
enum HilbertCurve {
    static func key(_ point: FixedPoint) -> UInt64 {
        var x = UInt32(bitPattern: point.longitude) ^ 0x8000_0000
        var y = UInt32(bitPattern: point.latitude) ^ 0x8000_0000
        var key: UInt64 = 0
        var side: UInt32 = 0x8000_0000
        while side > 0 {
            let right: UInt32 = x & side > 0 ? 1 : 0
            let upper: UInt32 = y & side > 0 ? 1 : 0
            key = key << 2 | UInt64((3 * right) ^ upper)
            if upper == 0 {
                if right == 1 {
                    x = ~x
                    y = ~y
                }
                swap(&x, &y)
            }
            side >>= 1
        }
        return key
    }
}

/// Lengths on the ground.
enum Ground {
    /// Metres between two near points on the WGS84 ellipsoid, by its two radii of curvature half-way between them; great
    /// circles for points further apart than half a degree, where the plane no longer does.
    static func metres(_ a: FixedPoint, _ b: FixedPoint) -> Double {
        let north = Double(Int64(b.latitude) - Int64(a.latitude)) / 1e7
        var east = Double(Int64(b.longitude) - Int64(a.longitude)) / 1e7
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        if north == 0 && east == 0 { return 0 }
        if north.magnitude > 0.5 || east.magnitude > 0.5 { return a.coordinate.distance(to: b.coordinate) }
        let scale = MetreScale.near(latitude: (Double(a.latitude) + Double(b.latitude)) / 2e7)
        let y = north * scale.perLatitude
        let x = east * scale.perLongitude
        return (x * x + y * y).squareRoot()
    }

    /// Degrees clockwise from north from `a` to a near point `b`.
    static func bearing(_ a: FixedPoint, _ b: FixedPoint) -> Double { a.coordinate.bearing(to: b.coordinate) }
}

import Geometry

/// A static R-tree packed along a Hilbert curve (Kamel and Faloutsos, "On packing R-trees", CIKM 1993).
///
/// Levels lie one after the other in one array of boxes, the leaves first; the children of node `i` of a level are the
/// nodes `16 i` up to `16 i + 15` of the level below. No positions are stored, so none can be wrong. Each box is kept in four
/// bytes, as parts of the box of its parent, and comes back no smaller than it was.
///
/// A leaf is a *part* of an edge: a few of its segments in a row.
struct PackedTree: Sendable {
    static let fanOut = 16
    /// Segments of one part: few enough that boxes of bent roads stay small.
    private static let segmentsPerPart = 8
    private static let mostParts = 256

    /// Of the whole tree; one element.
    private let root: Section<TreeBox>
    private let boxes: Section<PackedBox>
    private let edges: Section<UInt32>
    private let parts: Section<UInt8>
    /// Where each level begins in `boxes`, and how many nodes it has; the leaves first.
    private let levels: [(start: Int, count: Int)]

    /// - Throws: `damagedAtlas` where the sizes do not fit together.
    init(_ reader: SectionReader) throws(RoutingError) {
        root = try reader.section(.treeRoot, count: 1)
        edges = try reader.section(.treeEdges)
        parts = try reader.section(.treeParts, count: edges.count)
        var levels: [(start: Int, count: Int)] = []
        var start = 0
        for count in Self.levels(leaves: edges.count) {
            levels.append((start, count))
            start += count
        }
        self.levels = levels
        boxes = try reader.section(.treeBoxes, count: start)
    }

    /// A node with its box.
    struct Node {
        fileprivate var index: Int
        fileprivate var level: Int
        var box: TreeBox

        var isLeaf: Bool { level == 0 }
    }

    /// Nil where there are no edges.
    var top: Node? { levels.isEmpty ? nil : Node(index: 0, level: levels.count - 1, box: root.base[0]) }

    /// Tells the children of a node that is no leaf.
    @inline(__always)
    func forEachChild(of node: Node, _ body: (Node) -> Void) {
        let level = node.level - 1
        guard level >= 0 else { return }
        let first = node.index * Self.fanOut
        for child in first..<max(first, min(first + Self.fanOut, levels[level].count)) {
            body(
                Node(index: child, level: level, box: boxes.base[levels[level].start + child].unpacked(from: node.box)))
        }
    }

    /// The edge that a leaf is a part of, and which part.
    func item(_ leaf: Node) -> (edge: UInt32, part: Int)? {
        guard let edge = edges[leaf.index], let part = parts[leaf.index] else { return nil }
        return (edge, Int(part))
    }

    /// The segments of a part of an edge; empty where there is no such part.
    static func segments(ofPart part: Int, of count: Int) -> Range<Int> {
        let size = segments(perPartOf: count)
        return min(part * size, count)..<min((part + 1) * size, count)
    }

    static func partCount(of segments: Int) -> Int {
        let size = self.segments(perPartOf: segments)
        return (segments + size - 1) / size
    }

    private static func segments(perPartOf count: Int) -> Int {
        let most = segmentsPerPart * mostParts
        return segmentsPerPart * max(1, (count + most - 1) / most)
    }

    /// Sizes of the levels, leaves first. Empty for no leaves.
    private static func levels(leaves: Int) -> [Int] {
        guard leaves > 0 else { return [] }
        var sizes = [leaves]
        var size = leaves
        while size > 1 {
            size = (size + fanOut - 1) / fanOut
            sizes.append(size)
        }
        return sizes
    }

    /// What a tree is made of.
    struct Leaf {
        var box: TreeBox
        var edge: UInt32
        var part: UInt8
    }

    /// Orders `leaves` along the curve, builds the levels above, and packs all boxes.
    static func add(_ leaves: [Leaf], to writer: inout SectionWriter) {
        var keyed: [(key: UInt64, index: Int)] = []
        keyed.reserveCapacity(leaves.count)
        for (index, leaf) in leaves.enumerated() {
            let latitude = Int32((Int64(leaf.box.south) + Int64(leaf.box.north)) / 2)
            let longitude = Int32((Int64(leaf.box.west) + Int64(leaf.box.east)) / 2)
            keyed.append((HilbertCurve.key(FixedPoint(latitude: latitude, longitude: longitude)), index))
        }
        keyed.sort { $0.key < $1.key || ($0.key == $1.key && $0.index < $1.index) }
        writer.add(.treeEdges, keyed.map { leaves[$0.index].edge })
        writer.add(.treeParts, keyed.map { leaves[$0.index].part })
        var boxes = keyed.map { leaves[$0.index].box }
        let levels = levels(leaves: leaves.count)
        var start = 0
        for size in levels.dropLast() {
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
        let root = boxes.last ?? TreeBox(south: 0, west: 0, north: 0, east: 0)
        writer.add(.treeRoot, [root])
        // From the top down, since each box is a part of what its parent's comes back as.
        var packed = [PackedBox](repeating: PackedBox(), count: boxes.count)
        var parents = [root]
        var end = boxes.count
        for size in levels.reversed() {
            let own = end - size..<end
            var unpacked: [TreeBox] = []
            unpacked.reserveCapacity(size)
            for (number, index) in own.enumerated() {
                let parent = parents[end == boxes.count ? 0 : number / fanOut]
                packed[index] = PackedBox(boxes[index], in: parent)
                unpacked.append(packed[index].unpacked(from: parent))
            }
            parents = unpacked
            end -= size
        }
        writer.add(.treeBoxes, packed)
    }
}

/// A box within another: where its sides lie, in 255ths of the other's height and width.
struct PackedBox {
    private var south: UInt8 = 0
    private var west: UInt8 = 0
    private var north: UInt8 = 0
    private var east: UInt8 = 0

    init() {}

    /// The smallest that holds `box`, which lies in `parent`.
    init(_ box: TreeBox, in parent: TreeBox) {
        func low(_ value: Int32, _ begin: Int32, _ end: Int32) -> UInt8 {
            let span = Int64(end) - Int64(begin)
            return span > 0 ? UInt8(clamping: (Int64(value) - Int64(begin)) * 255 / span) : 0
        }
        func high(_ value: Int32, _ begin: Int32, _ end: Int32) -> UInt8 {
            let span = Int64(end) - Int64(begin)
            return span > 0 ? UInt8(clamping: ((Int64(value) - Int64(begin)) * 255 + span - 1) / span) : 0
        }
        south = low(box.south, parent.south, parent.north)
        north = high(box.north, parent.south, parent.north)
        west = low(box.west, parent.west, parent.east)
        east = high(box.east, parent.west, parent.east)
    }

    @inline(__always)
    func unpacked(from parent: TreeBox) -> TreeBox {
        let height = Int64(parent.north) - Int64(parent.south)
        let width = Int64(parent.east) - Int64(parent.west)
        func low(_ begin: Int32, _ part: UInt8, _ span: Int64) -> Int32 {
            Int32(truncatingIfNeeded: Int64(begin) + span * Int64(part) / 255)
        }
        func high(_ begin: Int32, _ part: UInt8, _ span: Int64) -> Int32 {
            Int32(truncatingIfNeeded: Int64(begin) + (span * Int64(part) + 254) / 255)
        }
        return TreeBox(
            south: low(parent.south, south, height), west: low(parent.west, west, width),
            north: high(parent.south, north, height), east: high(parent.west, east, width))
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

/// The points of edges and their nodes, each edge a run of bytes: how many points lie between its ends, for each of them how
/// much further north and east it lies than the one before, and how much greater the id of its node is.
///
/// The ends are the edge's vertices, so nothing is kept twice. About 8 bytes for each point between two vertices.
struct EdgeShapes: Sendable {
    private let first: Section<UInt32>
    private let bytes: Section<UInt8>

    init(first: Section<UInt32>, bytes: Section<UInt8>) {
        self.first = first
        self.bytes = bytes
    }

    /// Adds an edge's run to `bytes`.
    /// - Parameters:
    ///   - points: along the way, the two ends included; as many as `nodes`, two at least.
    static func append(_ points: ArraySlice<FixedPoint>, nodes: ArraySlice<Int64>, to bytes: inout [UInt8]) {
        guard var last = points.first, var lastNode = nodes.first else { return }
        Varint.append(UInt64(points.count - 2), to: &bytes)
        for point in points.dropFirst().dropLast() {
            Varint.append(signed: Int64(point.latitude) - Int64(last.latitude), to: &bytes)
            Varint.append(signed: Int64(point.longitude) - Int64(last.longitude), to: &bytes)
            last = point
        }
        for node in nodes.dropFirst().dropLast() {
            Varint.append(signed: node &- lastNode, to: &bytes)
            lastNode = node
        }
    }

    /// How many points lie between an edge's ends, and what follows.
    private func run(of edge: UInt32) -> (count: Int, reader: Varint.Reader)? {
        guard let begin = first[edge], let end = first[edge + 1], begin < end, Int(end) <= bytes.count else {
            return nil
        }
        var reader = Varint.Reader(bytes.base, Int(begin)..<Int(end))
        // Each point takes three bytes at least.
        guard let count = reader.number(), count <= UInt64(reader.remaining / 3) else { return nil }
        return (Int(count), reader)
    }

    /// How many points an edge has, its ends included; nil where the file is damaged.
    func pointCount(of edge: UInt32) -> Int? { run(of: edge).map { $0.count + 2 } }

    /// Puts the points of an edge, which begins and ends where told, into `points`; false where the file is damaged.
    func read(_ edge: UInt32, from tail: FixedPoint, to head: FixedPoint, into points: inout [FixedPoint]) -> Bool {
        points.removeAll(keepingCapacity: true)
        guard let (count, run) = run(of: edge) else { return false }
        var reader = run
        points.reserveCapacity(count + 2)
        points.append(tail)
        var (latitude, longitude) = (Int64(tail.latitude), Int64(tail.longitude))
        for _ in 0..<count {
            guard let north = reader.signed(), let east = reader.signed() else { return false }
            latitude &+= north
            longitude &+= east
            points.append(
                FixedPoint(
                    latitude: Int32(truncatingIfNeeded: latitude), longitude: Int32(truncatingIfNeeded: longitude)))
        }
        points.append(head)
        return true
    }

    /// Puts the nodes of an edge into `nodes`; false where the file is damaged.
    func read(_ edge: UInt32, from tail: Int64, to head: Int64, into nodes: inout [Int64]) -> Bool {
        nodes.removeAll(keepingCapacity: true)
        guard let (count, run) = run(of: edge) else { return false }
        var reader = run
        for _ in 0..<2 * count where reader.number() == nil { return false }
        nodes.reserveCapacity(count + 2)
        nodes.append(tail)
        var node = tail
        for _ in 0..<count {
            guard let further = reader.signed() else { return false }
            node &+= further
            nodes.append(node)
        }
        nodes.append(head)
        return true
    }
}

extension GraphArrays {
    /// Puts the points of an edge along its way, its vertices included, into `points`; false where the file is damaged.
    @inline(__always)
    func readPoints(of edge: UInt32, into points: inout [FixedPoint]) -> Bool {
        guard let ends = ends(of: edge) else { return false }
        return shapes.read(edge, from: ends.tail.point, to: ends.head.point, into: &points)
    }

    /// Puts the ids of the nodes of an edge along its way into `nodes`; false where the file is damaged.
    func readNodes(of edge: UInt32, into nodes: inout [Int64]) -> Bool {
        guard let ends = ends(of: edge) else { return false }
        return shapes.read(edge, from: ends.tail.nodeID, to: ends.head.nodeID, into: &nodes)
    }

    private func ends(of edge: UInt32) -> (tail: GraphVertex, head: GraphVertex)? {
        guard Int(edge) < edgeWays.count, let tail = vertices[heads.base[2 * Int(edge) + 1]],
            let head = vertices[heads.base[2 * Int(edge)]]
        else { return nil }
        return (tail, head)
    }
}

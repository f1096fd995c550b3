import OpenStreetMap

/// What of a profile's roads depends on the time: a table beside the graph's arrays, which hold each edge as it is at its best
/// (*at all hours*).
///
/// An edge has *variants*, one for each set of conditions that hold. For some hours an edge may be for those with
/// business there alone: such a variant is *momentarily* restricted, and entering a stretch of them costs what entering
/// any restricted road does.
final class TimedRoads: Sendable {
    /// What a directed edge, or a vertex, changes with.
    struct Entry {
        /// Of `sets`.
        var set: Int
        /// Of the variants.
        var first: Int
    }

    /// In `EdgeTraits`, of variants alone: restricted at this time, and not at all hours.
    static let momentary: UInt8 = 1 << 7

    /// Conditions by number: those of turn rules first, as the graph numbers them.
    let conditions: [RoadCondition]
    /// The conditions of each set, the lowest bit's first.
    let sets: [[Int]]
    private let edges: [UInt32: Entry]
    private let vertices: [UInt32: Entry]
    let variants: [TimedVariant]
    /// For each variant the number of the first one of its edge that is the same.
    let kinds: [UInt8]
    private let blocked: [Bool]
    private let edgeMarks: [UInt64]
    private let vertexMarks: [UInt64]
    private let closing: [UInt64]
    private let blocking: [UInt64]

    /// Whether no edge and no vertex changes; turn rules may all the same.
    var isEmpty: Bool { edges.isEmpty && vertices.isEmpty }

    /// Reads the table of a graph.
    /// - Parameters:
    ///   - speeds: wished speeds, which make all variants of an edge quicker or slower alike.
    ///   - network: the arrays at all hours with all wishes, where they are known already.
    init(
        _ graph: RoadGraph, _ profile: Profile, speeds: SegmentSpeeds?, network: GraphArrays?
    ) throws(RoutingError) {
        let arrays = graph.arrays
        let times = arrays.times
        func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: graph.name, reason: reason) }
        let reader = AttributeReader(graph: graph)
        var conditions: [RoadCondition] = []
        for number in arrays.conditions.elements { conditions.append(RoadCondition(try reader.string(number))) }
        var sets: [[Int]] = []
        var known: [UInt32: Int] = [:]
        for set in 0..<max(times.firstCondition.count - 1, 0) {
            let (begin, end) = (Int(times.firstCondition.base[set]), Int(times.firstCondition.base[set + 1]))
            guard begin <= end, end <= times.conditions.count, end - begin <= ConditionalTags.mostConditions else {
                throw damaged("the conditions of a set are not there")
            }
            var numbers: [Int] = []
            for text in times.conditions.elements[begin..<end] {
                if let number = known[text] {
                    numbers.append(number)
                } else {
                    known[text] = conditions.count
                    numbers.append(conditions.count)
                    conditions.append(RoadCondition(try reader.string(text)))
                }
            }
            sets.append(numbers)
        }
        let applied = speeds.flatMap { $0.isEmpty ? nil : AppliedSpeeds($0) }
        let reached = network?.profile(profile)
        var edges: [UInt32: Entry] = [:]
        var variants: [TimedVariant] = []
        var kinds: [UInt8] = []
        var edgeMarks = [UInt64](repeating: 0, count: arrays.heads.count / 64 + 1)
        var closing = edgeMarks
        for timed in times.edges.elements where timed.user == UInt32(profile.rawValue) {
            guard Int(timed.edge) < arrays.heads.count, Int(timed.set) < sets.count else {
                throw damaged("an edge that changes is not there")
            }
            let count = 1 << sets[Int(timed.set)].count
            guard Int(timed.first) + count <= times.variants.count else {
                throw damaged("the variants of an edge are not there")
            }
            var own = Array(times.variants.elements[Int(timed.first)..<Int(timed.first) + count])
            guard own.allSatisfy({ $0.duration <= $0.weight && $0.duration > 0 && ($0.isOpen || $0.duration == .max) })
            else { throw damaged("the variants of an edge make no sense") }
            if let applied {
                guard let change = applied.change(of: timed.edge, in: arrays) else {
                    throw damaged("the geometry of an edge is not there")
                }
                own = own.map { change.applied(to: $0) }
            }
            if let reached {
                let traits = reached.traits.base[Int(timed.edge)]
                let isClosed = reached.weights.base[Int(timed.edge)] == .max
                own = own.map { variant in
                    guard variant.isOpen, !isClosed else { return .closed }
                    var variant = variant
                    let isRestricted = UInt8(truncatingIfNeeded: variant.traits) & EdgeTraits.restricted != 0
                    let mode = UInt8(truncatingIfNeeded: variant.traits) & EdgeTraits.mode
                    variant.traits = UInt32(traits & ~EdgeTraits.mode | mode)
                    if isRestricted, traits & EdgeTraits.restricted == 0 {
                        variant.traits |= UInt32(Self.momentary)
                    }
                    if traits & EdgeTraits.avoided != 0 { variant.weight = ProfileColumns.avoided(variant.weight) }
                    return variant
                }
            }
            edges[timed.edge] = Entry(set: Int(timed.set), first: variants.count)
            edgeMarks[Int(timed.edge >> 6)] |= 1 << UInt64(timed.edge & 63)
            if own.contains(where: { !$0.isOpen }) { closing[Int(timed.edge >> 6)] |= 1 << UInt64(timed.edge & 63) }
            for variant in own { kinds.append(UInt8(own.firstIndex(of: variant) ?? 0)) }
            variants += own
        }
        var vertices: [UInt32: Entry] = [:]
        var blocked: [Bool] = []
        var vertexMarks = [UInt64](repeating: 0, count: arrays.vertices.count / 64 + 1)
        var blocking = vertexMarks
        for timed in times.vertices.elements {
            guard Int(timed.vertex) < arrays.vertices.count, Int(timed.set) < sets.count else {
                throw damaged("a vertex that changes is not there")
            }
            let count = 1 << sets[Int(timed.set)].count
            guard Int(timed.first) + count <= times.vertexVariants.count else {
                throw damaged("the variants of a vertex are not there")
            }
            let own = times.vertexVariants.elements[Int(timed.first)..<Int(timed.first) + count].map {
                $0 & profile.bit != 0
            }
            let plain = arrays.vertexFacts.base[Int(timed.vertex)] & UInt32(profile.bit) != 0
            guard own.contains(where: { $0 != plain }) else { continue }
            vertices[timed.vertex] = Entry(set: Int(timed.set), first: blocked.count)
            vertexMarks[Int(timed.vertex >> 6)] |= 1 << UInt64(timed.vertex & 63)
            if own.contains(true) { blocking[Int(timed.vertex >> 6)] |= 1 << UInt64(timed.vertex & 63) }
            blocked += own
        }
        self.conditions = conditions
        self.sets = sets
        self.edges = edges
        self.vertices = vertices
        self.variants = variants
        self.kinds = kinds
        self.blocked = blocked
        self.edgeMarks = edgeMarks
        self.vertexMarks = vertexMarks
        self.closing = closing
        self.blocking = blocking
    }

    @inline(__always)
    func entry(of directed: UInt32) -> Entry? {
        edgeMarks[Int(directed >> 6)] >> UInt64(directed & 63) & 1 == 0 ? nil : edges[directed]
    }

    @inline(__always)
    func entry(ofVertex vertex: UInt32) -> Entry? {
        vertexMarks[Int(vertex >> 6)] >> UInt64(vertex & 63) & 1 == 0 ? nil : vertices[vertex]
    }

    /// Whether an edge is closed at some time.
    func mayClose(_ directed: UInt32) -> Bool { closing[Int(directed >> 6)] >> UInt64(directed & 63) & 1 != 0 }

    /// Whether a vertex stops the profile at some time.
    func mayBlock(_ vertex: Int) -> Bool { blocking[vertex >> 6] >> UInt64(vertex & 63) & 1 != 0 }

    func isBlocked(_ entry: Entry, _ mask: Int) -> Bool { blocked[entry.first + mask] }

    func variantCount(_ entry: Entry) -> Int { 1 << sets[entry.set].count }

    /// Sets every edge that changes to its best, and opens the vertices that are open at some time.
    func open(_ columns: inout WishedColumns, _ profile: Profile) {
        for (edge, entry) in edges {
            let directed = Int(edge)
            let own = variants[entry.first..<entry.first + variantCount(entry)].filter(\.isOpen)
            guard let best = own.min(by: { $0.weight < $1.weight }) else {
                columns.columns.close(directed)
                continue
            }
            columns.columns.weights[directed] = best.weight
            columns.columns.durations[directed] = own.map(\.duration).min() ?? best.duration
            var traits = UInt8(truncatingIfNeeded: best.traits) & EdgeTraits.mode
            traits |= columns.columns.traits[directed] & EdgeTraits.deadEnd
            if own.contains(where: { $0.traits & UInt32(EdgeTraits.startable) != 0 }) { traits |= EdgeTraits.startable }
            if own.allSatisfy({ $0.traits & UInt32(EdgeTraits.restricted) != 0 }) { traits |= EdgeTraits.restricted }
            columns.columns.traits[directed] = traits
        }
        for (vertex, entry) in vertices {
            let own = blocked[entry.first..<entry.first + variantCount(entry)]
            if own.contains(false) {
                columns.vertexFacts[Int(vertex)] &= ~UInt32(profile.bit)
            } else {
                columns.vertexFacts[Int(vertex)] |= UInt32(profile.bit)
            }
        }
    }
}

/// Wished speeds, looked up by the nodes of segments.
struct AppliedSpeeds {
    let segments: [SegmentSpeeds.Segment]
    /// Most nodes have none: a bit for each sixteenth of them tells so.
    private let filter: [UInt64]
    private let bits: Int

    init(_ speeds: SegmentSpeeds) {
        segments = speeds.segments
        var bits = 1024
        while bits < 16 * segments.count { bits *= 2 }
        self.bits = bits
        var filter = [UInt64](repeating: 0, count: bits / 64)
        for segment in segments {
            let slot = Self.slot(segment.from, bits)
            filter[slot >> 6] |= 1 << UInt64(slot & 63)
        }
        self.filter = filter
    }

    private static func slot(_ node: Int64, _ bits: Int) -> Int {
        Int((UInt64(bitPattern: node) &* 0x9E37_79B9_7F4A_7C15) >> 20) & (bits - 1)
    }

    /// The number of the segment between two nodes.
    func segment(_ from: Int64, _ to: Int64) -> Int? {
        let slot = Self.slot(from, bits)
        guard filter[slot >> 6] >> UInt64(slot & 63) & 1 != 0 else { return nil }
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if (segments[middle].from, segments[middle].to) < (from, to) { low = middle + 1 } else { high = middle }
        }
        guard low < segments.count, segments[low].from == from, segments[low].to == to else { return nil }
        return low
    }

    /// What speeds make of one edge.
    struct Change {
        var isClosed = false
        /// Seconds of the segments whose speed is wished.
        var seconds = 0.0
        /// Metres of them, and of all.
        var known = 0.0
        var total = 0.0
        /// The numbers of the segments that belong to the edge.
        var matched: [Int] = []

        /// Milliseconds of time and cost, each at its rounding, from those without wishes.
        func applied(duration: UInt32, weight: UInt32) -> (duration: UInt32, weight: UInt32) {
            let old = Double(duration) / 1000
            let seconds = seconds + (total > 0 ? old * max(total - known, 0) / total : 0)
            return (
                ProfileColumns.milliseconds(seconds),
                ProfileColumns.milliseconds(seconds * Double(weight) / Double(duration))
            )
        }

        func applied(to variant: TimedVariant) -> TimedVariant {
            if !variant.isOpen || isClosed { return .closed }
            if matched.isEmpty { return variant }
            let (duration, weight) = applied(duration: variant.duration, weight: variant.weight)
            return TimedVariant(weight: weight, duration: duration, traits: variant.traits)
        }
    }

    /// Nil where the file is damaged.
    func change(of directed: UInt32, in arrays: GraphArrays) -> Change? {
        var nodes: [Int64] = []
        var points: [FixedPoint] = []
        guard arrays.readNodes(of: directed >> 1, into: &nodes) else { return nil }
        return change(of: directed, in: arrays, nodes, &points)
    }

    /// - Parameters:
    ///   - nodes: of the edge.
    ///   - points: empty, or those of the edge; filled when they are needed.
    func change(
        of directed: UInt32, in arrays: GraphArrays, _ nodes: [Int64], _ points: inout [FixedPoint]
    ) -> Change? {
        var change = Change()
        for index in 0..<max(nodes.count - 1, 0) {
            let (a, b) = directed & 1 == 0 ? (index, index + 1) : (index + 1, index)
            guard let number = segment(nodes[a], nodes[b]) else { continue }
            if points.isEmpty {
                guard arrays.readPoints(of: directed >> 1, into: &points), points.count == nodes.count else {
                    return nil
                }
            }
            if change.matched.isEmpty {
                for index in 1..<points.count { change.total += Ground.metres(points[index - 1], points[index]) }
            }
            change.matched.append(number)
            if segments[number].speed == 0 { change.isClosed = true }
            let metres = Ground.metres(points[index], points[index + 1])
            change.known += metres
            change.seconds += metres / max(segments[number].speed, 0.001) * 3.6
        }
        return change
    }
}

/// Weighs the arcs of a hierarchy for one set of edge weights.
///
/// First each arc takes the cheapest edge between its ends, and, from the lowest rank upwards, what going down and up
/// through a lower triangle costs (basic customisation); then, from the highest rank down, what going through higher ranks
/// costs (perfect customisation). Arcs that are no cheaper than such a way are not kept: distances between vertices, up
/// and then down, stay the same. Both phases: Dibbelt, Strasser and Wagner, JEA 2016. Sums saturate at `.max`, which means
/// closed. Cost: a few visits of each triangle; 8 bytes an arc while it runs.
struct Customisation {
    private let hierarchy: Hierarchy
    /// By arc: from the lower to the higher rank, and back.
    private var up: [UInt32]
    private var down: [UInt32]

    /// - Parameters:
    ///   - heads: of the directed edges.
    ///   - weight: of a directed edge in whole milliseconds; `.max` where it is closed, never 0.
    /// - Throws: the reason why the hierarchy's arrays do not fit together.
    init(_ hierarchy: Hierarchy, heads: Section<UInt32>, weight: (Int) -> UInt32) throws(Misfit) {
        self.hierarchy = hierarchy
        try Self.check(hierarchy)
        up = [UInt32](repeating: .max, count: hierarchy.arcCount)
        down = up
        for edge in 0..<hierarchy.edgeArcs.count {
            let arc = hierarchy.edgeArcs.base[edge]
            if arc == .max { continue }
            guard Int(arc) < hierarchy.arcCount, let head = heads[2 * edge], let tail = heads[2 * edge + 1],
                let headRank = hierarchy.ranks[head], let tailRank = hierarchy.ranks[tail]
            else { throw Misfit(reason: "an edge belongs to an arc that is not there") }
            let forward = weight(2 * edge)
            let backward = weight(2 * edge + 1)
            if tailRank < headRank {
                up[Int(arc)] = min(up[Int(arc)], forward)
                down[Int(arc)] = min(down[Int(arc)], backward)
            } else {
                up[Int(arc)] = min(up[Int(arc)], backward)
                down[Int(arc)] = min(down[Int(arc)], forward)
            }
        }
    }

    struct Misfit: Error {
        var reason: String
    }

    /// What the loops below rely on.
    private static func check(_ hierarchy: Hierarchy) throws(Misfit) {
        let count = hierarchy.vertexCount
        let first = hierarchy.firstArc.base
        guard hierarchy.firstArc.count == count + 1, first[0] == 0, Int(first[count]) == hierarchy.arcCount else {
            throw Misfit(reason: "the arcs of a vertex are not there")
        }
        for rank in 0..<count {
            guard first[rank] <= first[rank + 1], Int(first[rank + 1]) <= hierarchy.arcCount else {
                throw Misfit(reason: "the arcs of a vertex are not there")
            }
            var last = rank
            for arc in Int(first[rank])..<Int(first[rank + 1]) {
                let head = Int(hierarchy.heads.base[arc])
                guard head > last, head < count else { throw Misfit(reason: "an arc leads nowhere") }
                last = head
            }
        }
    }

    /// Runs both phases.
    /// - Returns: the arcs that are kept, for each direction.
    mutating func run() -> (up: MetricArcs, down: MetricArcs) {
        customise()
        let isKept = perfect()
        let first = hierarchy.firstArc.base
        var result = (up: MetricArcs(), down: MetricArcs())
        result.up.first = [0]
        result.down.first = [0]
        for rank in 0..<hierarchy.vertexCount {
            for arc in Int(first[rank])..<Int(first[rank + 1]) {
                let head = hierarchy.heads.base[arc]
                if isKept[arc] & 1 != 0 { result.up.arcs.append(MetricArc(rank: head, weight: up[arc])) }
                if isKept[arc] & 2 != 0 { result.down.arcs.append(MetricArc(rank: head, weight: down[arc])) }
            }
            result.up.first.append(UInt32(result.up.arcs.count))
            result.down.first.append(UInt32(result.down.arcs.count))
        }
        return result
    }

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    /// Every pair of higher neighbours of a rank is joined by an arc, which takes the way through the rank.
    private mutating func customise() {
        let first = hierarchy.firstArc.base
        let heads = hierarchy.heads.base
        up.withUnsafeMutableBufferPointer { up in
            down.withUnsafeMutableBufferPointer { down in
                for rank in 0..<hierarchy.vertexCount {
                    let end = Int(first[rank + 1])
                    for low in Int(first[rank])..<end {
                        let (lowUp, lowDown) = (up[low], down[low])
                        if lowUp & lowDown == .max { continue }
                        let lowHead = Int(heads[low])
                        var arc = Int(first[lowHead])
                        let arcEnd = Int(first[lowHead + 1])
                        for high in low + 1..<max(end, low + 1) {
                            let head = heads[high]
                            while arc < arcEnd, heads[arc] < head { arc += 1 }
                            guard arc < arcEnd, heads[arc] == head else { continue }
                            up[arc] = min(up[arc], Self.sum(lowDown, up[high]))
                            down[arc] = min(down[arc], Self.sum(down[high], lowUp))
                        }
                    }
                }
            }
        }
    }

    /// Lowers every arc to the distance of its ends. Bit 1 tells that an arc is needed upwards, bit 2 downwards.
    private mutating func perfect() -> [UInt8] {
        let first = hierarchy.firstArc.base
        let heads = hierarchy.heads.base
        var isKept = [UInt8](repeating: 0, count: hierarchy.arcCount)
        for arc in isKept.indices { isKept[arc] = (up[arc] != .max ? 1 : 0) | (down[arc] != .max ? 2 : 0) }
        up.withUnsafeMutableBufferPointer { up in
            down.withUnsafeMutableBufferPointer { down in
                for rank in stride(from: hierarchy.vertexCount - 1, through: 0, by: -1) {
                    let end = Int(first[rank + 1])
                    for low in Int(first[rank])..<end {
                        let lowHead = Int(heads[low])
                        var arc = Int(first[lowHead])
                        let arcEnd = Int(first[lowHead + 1])
                        for high in low + 1..<max(end, low + 1) {
                            let head = heads[high]
                            while arc < arcEnd, heads[arc] < head { arc += 1 }
                            guard arc < arcEnd, heads[arc] == head else { continue }
                            let (across, back) = (up[arc], down[arc])
                            // Ways that cost as much do as well: they go over a cheaper first arc, so one is kept.
                            let lowUp = Self.sum(up[high], back)
                            if lowUp <= up[low], lowUp != .max {
                                up[low] = lowUp
                                isKept[low] &= ~1
                            }
                            let highUp = Self.sum(up[low], across)
                            if highUp <= up[high], highUp != .max {
                                up[high] = highUp
                                isKept[high] &= ~1
                            }
                            let lowDown = Self.sum(across, down[high])
                            if lowDown <= down[low], lowDown != .max {
                                down[low] = lowDown
                                isKept[low] &= ~2
                            }
                            let highDown = Self.sum(back, down[low])
                            if highDown <= down[high], highDown != .max {
                                down[high] = highDown
                                isKept[high] &= ~2
                            }
                        }
                    }
                }
            }
        }
        return isKept
    }
}

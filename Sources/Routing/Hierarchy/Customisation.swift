/// Weighs the arcs of a hierarchy for one set of edge weights.
///
/// First each arc takes the cheapest edge between its ends, and, from the lowest rank upwards, what going down and up
/// through a lower triangle costs (basic customisation); then, from the highest rank down, what going through higher ranks
/// costs (perfect customisation). Arcs that are no cheaper than such a way are not needed: distances between vertices, up
/// and then down, stay the same without them. Both phases: Dibbelt, Strasser and Wagner, JEA 2016. Sums saturate at `.max`,
/// which means closed. Cost: a few visits of each triangle; 9 bytes an arc.
struct Customisation: Sendable {
    private let arcs: HierarchyArcs
    /// By arc: from the lower to the higher rank, and back; after `run()` the distances of their ends.
    private(set) var up: [UInt32]
    private(set) var down: [UInt32]
    /// By arc, after `run()`: bit 1 tells that it is needed upwards, bit 2 downwards.
    private(set) var isNeeded: [UInt8] = []

    /// - Parameters:
    ///   - heads: of the directed edges.
    ///   - weight: of a directed edge in whole milliseconds; `.max` where it is closed, never 0.
    /// - Throws: the reason why the hierarchy's arrays do not fit together.
    init(
        _ hierarchy: Hierarchy, _ arcs: HierarchyArcs, heads: Section<UInt32>, weight: (Int) -> UInt32
    ) throws(Misfit) {
        self.arcs = arcs
        up = [UInt32](repeating: .max, count: arcs.heads.count)
        down = up
        for edge in 0..<heads.count / 2 {
            let forward = weight(2 * edge)
            let backward = weight(2 * edge + 1)
            if forward & backward == .max { continue }
            guard let headRank = hierarchy.ranks[heads.base[2 * edge]],
                let tailRank = hierarchy.ranks[heads.base[2 * edge + 1]]
            else { throw Misfit(reason: "an edge leads to a vertex that is not there") }
            if headRank == tailRank { continue }
            guard let arc = arcs.arc(from: min(headRank, tailRank), to: max(headRank, tailRank)) else {
                throw Misfit(reason: "an edge belongs to an arc that is not there")
            }
            if tailRank < headRank {
                up[arc] = min(up[arc], forward)
                down[arc] = min(down[arc], backward)
            } else {
                up[arc] = min(up[arc], backward)
                down[arc] = min(down[arc], forward)
            }
        }
    }

    struct Misfit: Error {
        var reason: String
    }

    /// Runs both phases.
    mutating func run() {
        customise()
        perfect()
    }

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    /// Every pair of higher neighbours of a rank is joined by an arc, which takes the way through the rank.
    private mutating func customise() {
        let (first, heads) = (arcs.first, arcs.heads)
        up.withUnsafeMutableBufferPointer { up in
            down.withUnsafeMutableBufferPointer { down in
                for rank in 0..<first.count - 1 {
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

    /// Lowers every arc to the distance of its ends.
    private mutating func perfect() {
        let (first, heads) = (arcs.first, arcs.heads)
        var isNeeded = [UInt8](repeating: 0, count: heads.count)
        for arc in isNeeded.indices { isNeeded[arc] = (up[arc] != .max ? 1 : 0) | (down[arc] != .max ? 2 : 0) }
        up.withUnsafeMutableBufferPointer { up in
            down.withUnsafeMutableBufferPointer { down in
                for rank in stride(from: first.count - 2, through: 0, by: -1) {
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
                                isNeeded[low] &= ~1
                            }
                            let highUp = Self.sum(up[low], across)
                            if highUp <= up[high], highUp != .max {
                                up[high] = highUp
                                isNeeded[high] &= ~1
                            }
                            let lowDown = Self.sum(across, down[high])
                            if lowDown <= down[low], lowDown != .max {
                                down[low] = lowDown
                                isNeeded[low] &= ~2
                            }
                            let highDown = Self.sum(back, down[low])
                            if highDown <= down[high], highDown != .max {
                                down[high] = highDown
                                isNeeded[high] &= ~2
                            }
                        }
                    }
                }
            }
        }
        self.isNeeded = isNeeded
    }
}

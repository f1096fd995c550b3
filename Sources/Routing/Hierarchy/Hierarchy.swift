/// The roads contracted vertex by vertex: a customisable contraction hierarchy (Dibbelt, Strasser and Wagner, JEA 2016)
/// without weights.
///
/// Vertices go by their *rank* here. Contracting one joins all its higher neighbours with each other, so that afterwards
/// the higher neighbours of every vertex are a clique. An *arc* runs from a rank `r` to a higher one, `heads[firstArc[r]..<
/// firstArc[r + 1]]` in rising order; it stands for both directions. All higher neighbours of a rank lie on the way from it
/// to the root of the *elimination tree*, in which `parents` leads from a rank to its lowest higher neighbour.
///
/// The views may come from a file: whatever is read from one is compared with the sizes before it is used.
struct Hierarchy: Sendable {
    /// By vertex.
    let ranks: Section<UInt32>
    /// One more than there are ranks.
    let firstArc: Section<UInt32>
    let heads: Section<UInt32>
    /// By rank; `.max` at a root.
    let parents: Section<UInt32>
    /// By edge: the arc that joins its ends, `.max` where both are the same.
    let edgeArcs: Section<UInt32>

    var vertexCount: Int { ranks.count }
    var arcCount: Int { heads.count }
}

/// The arrays of a hierarchy while they are made.
struct HierarchyArrays {
    var ranks: [UInt32] = []
    var firstArc: [UInt32] = []
    var heads: [UInt32] = []
    var parents: [UInt32] = []
    var edgeArcs: [UInt32] = []

    /// Contracts the vertices in the order of their ranks.
    ///
    /// A vertex hands its higher neighbours on to its parent alone: the parent's come to hold them, and so on upwards.
    /// Cost: linear in the arcs, but for sorting each vertex's own.
    /// - Parameters:
    ///   - heads: of the directed edges, as `RoadGraph` has them.
    ///   - ranks: a permutation of the vertices' numbers.
    /// - Returns: nil where the arcs are more than a file can hold.
    init?(_ graph: UndirectedGraph, edgeHeads: [UInt32], ranks: [UInt32]) {
        let count = graph.vertexCount
        let none = UInt32.max
        var vertexOfRank = [UInt32](repeating: 0, count: count)
        for (vertex, rank) in ranks.enumerated() { vertexOfRank[Int(rank)] = UInt32(vertex) }
        var firstArc: [UInt32] = [0]
        firstArc.reserveCapacity(count + 1)
        var heads: [UInt32] = []
        heads.reserveCapacity(graph.heads.count * 2)
        var parents = [UInt32](repeating: none, count: count)
        var firstChild = [UInt32](repeating: none, count: count)
        var nextChild = [UInt32](repeating: none, count: count)
        var seenBy = [UInt32](repeating: none, count: count)
        for rank in 0..<UInt32(count) {
            let begin = heads.count
            let vertex = Int(vertexOfRank[Int(rank)])
            for index in Int(graph.first[vertex])..<Int(graph.first[vertex + 1]) {
                let head = ranks[Int(graph.heads[index])]
                if head > rank {
                    seenBy[Int(head)] = rank
                    heads.append(head)
                }
            }
            var child = firstChild[Int(rank)]
            while child != none {
                // The child's lowest higher neighbour is this rank itself.
                for index in Int(firstArc[Int(child)]) + 1..<Int(firstArc[Int(child) + 1]) {
                    let head = heads[index]
                    if seenBy[Int(head)] != rank {
                        seenBy[Int(head)] = rank
                        heads.append(head)
                    }
                }
                child = nextChild[Int(child)]
            }
            heads[begin...].sort()
            guard heads.count < Int(none) else { return nil }
            firstArc.append(UInt32(heads.count))
            if begin < heads.count {
                let parent = heads[begin]
                parents[Int(rank)] = parent
                nextChild[Int(rank)] = firstChild[Int(parent)]
                firstChild[Int(parent)] = rank
            }
        }
        self.ranks = ranks
        self.firstArc = firstArc
        self.heads = heads
        self.parents = parents
        edgeArcs = [UInt32](repeating: none, count: edgeHeads.count / 2)
        for edge in edgeArcs.indices {
            let ends = (ranks[Int(edgeHeads[2 * edge])], ranks[Int(edgeHeads[2 * edge + 1])])
            let low = Int(min(ends.0, ends.1))
            let high = max(ends.0, ends.1)
            guard ends.0 != ends.1 else { continue }
            var from = Int(firstArc[low])
            var to = Int(firstArc[low + 1])
            while from < to {
                let middle = (from + to) / 2
                if heads[middle] < high { from = middle + 1 } else { to = middle }
            }
            edgeArcs[edge] = UInt32(from)
        }
    }

    func add(to writer: inout SectionWriter) {
        writer.add(.ranks, ranks)
        writer.add(.firstArc, firstArc)
        writer.add(.arcHeads, heads)
        writer.add(.parents, parents)
        writer.add(.edgeArcs, edgeArcs)
    }
}

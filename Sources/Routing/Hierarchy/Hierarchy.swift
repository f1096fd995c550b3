/// The roads contracted vertex by vertex: a customisable contraction hierarchy (Dibbelt, Strasser and Wagner, JEA 2016)
/// without weights.
///
/// Vertices go by their *rank* here. Contracting one joins all its higher neighbours with each other, so that afterwards
/// the higher neighbours of every vertex are a clique. All higher neighbours of a rank lie on the way from it to the root of
/// the *elimination tree*, in which `parents` leads from a rank to its lowest higher neighbour.
///
/// The views may come from a file: whatever is read from one is compared with the sizes before it is used.
struct Hierarchy: Sendable {
    /// By vertex.
    let ranks: Section<UInt32>
    /// Of all arcs, as numbers of one byte and more: only customisation needs them (`arcs()`).
    let arcBytes: Section<UInt8>
    /// By rank; `.max` at a root.
    let parents: Section<UInt32>

    var vertexCount: Int { ranks.count }

    /// Reads the arcs.
    /// - Throws: the reason why they do not fit together.
    func arcs() throws(Customisation.Misfit) -> HierarchyArcs {
        var reader = Varint.Reader(arcBytes.base, 0..<arcBytes.count)
        var arcs = HierarchyArcs()
        arcs.first.reserveCapacity(vertexCount + 1)
        for rank in 0..<UInt64(vertexCount) {
            guard let count = reader.number(), count <= UInt64(reader.remaining) else {
                throw Customisation.Misfit(reason: "the arcs of a vertex are not there")
            }
            var head = rank
            for _ in 0..<count {
                guard let further = reader.number(), further > 0, further < UInt64(vertexCount) - head else {
                    throw Customisation.Misfit(reason: "an arc leads nowhere")
                }
                head += further
                arcs.heads.append(UInt32(head))
            }
            arcs.first.append(UInt32(truncatingIfNeeded: arcs.heads.count))
        }
        guard arcs.heads.count < Int(UInt32.max) else {
            throw Customisation.Misfit(reason: "it has more arcs than can be")
        }
        return arcs
    }
}

/// The arcs of a hierarchy. An *arc* runs from a rank `r` to a higher one, `heads[first[r]..<first[r + 1]]` in rising order;
/// it stands for both directions.
struct HierarchyArcs: Sendable {
    /// One more than there are ranks.
    var first: [UInt32] = [0]
    var heads: [UInt32] = []

    /// The arc between two ranks; nil where there is none.
    func arc(from low: UInt32, to high: UInt32) -> Int? {
        guard Int(low) + 1 < first.count else { return nil }
        var (from, to) = (Int(first[Int(low)]), Int(first[Int(low) + 1]))
        let end = to
        while from < to {
            let middle = (from + to) / 2
            if heads[middle] < high { from = middle + 1 } else { to = middle }
        }
        return from < end && heads[from] == high ? from : nil
    }
}

/// The arrays of a hierarchy while they are made.
struct HierarchyArrays {
    var ranks: [UInt32]
    var arcs: HierarchyArcs
    var parents: [UInt32]

    /// Contracts the vertices in the order of their ranks.
    ///
    /// A vertex hands its higher neighbours on to its parent alone: the parent's come to hold them, and so on upwards.
    /// Cost: linear in the arcs, but for sorting each vertex's own.
    /// - Parameters:
    ///   - ranks: a permutation of the vertices' numbers.
    /// - Returns: nil where the arcs are more than a file can hold.
    init?(_ graph: UndirectedGraph, ranks: [UInt32]) {
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
        arcs = HierarchyArcs(first: firstArc, heads: heads)
        self.parents = parents
    }

    func add(to writer: inout SectionWriter) {
        var bytes: [UInt8] = []
        for rank in parents.indices {
            let own = arcs.heads[Int(arcs.first[rank])..<Int(arcs.first[rank + 1])]
            Varint.append(UInt64(own.count), to: &bytes)
            var last = UInt32(rank)
            for head in own {
                Varint.append(UInt64(head - last), to: &bytes)
                last = head
            }
        }
        writer.add(.ranks, ranks)
        writer.add(.arcBytes, bytes)
        writer.add(.parents, parents)
    }
}

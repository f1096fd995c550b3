/// The roads without directions, lengths and doubles: what a node order is made from.
///
/// The neighbours of vertex `v` are `heads[first[v]..<first[v + 1]]`, in rising order, each once and never `v` itself.
struct UndirectedGraph {
    private(set) var first: [UInt32]
    private(set) var heads: [UInt32]

    var vertexCount: Int { first.count - 1 }

    /// - Parameters:
    ///   - heads: for each edge its two ends, as `RoadGraph` has them: the heads of `2e` and of `2e + 1`.
    ///   - vertexCount: above every end.
    init(vertexCount: Int, heads ends: [UInt32]) {
        var count = [UInt32](repeating: 0, count: vertexCount + 1)
        for directed in ends.indices where ends[directed] != ends[directed ^ 1] { count[Int(ends[directed]) + 1] += 1 }
        for vertex in 0..<vertexCount { count[vertex + 1] += count[vertex] }
        var next = count
        var all = [UInt32](repeating: 0, count: Int(count[vertexCount]))
        for directed in ends.indices where ends[directed] != ends[directed ^ 1] {
            let vertex = Int(ends[directed])
            all[Int(next[vertex])] = ends[directed ^ 1]
            next[vertex] += 1
        }
        first = [0]
        first.reserveCapacity(vertexCount + 1)
        heads = []
        heads.reserveCapacity(all.count)
        for vertex in 0..<vertexCount {
            let range = Int(count[vertex])..<Int(count[vertex + 1])
            all[range].sort()
            var last = UInt32.max
            for index in range where all[index] != last {
                last = all[index]
                heads.append(last)
            }
            first.append(UInt32(heads.count))
        }
    }

    init(first: [UInt32], heads: [UInt32]) {
        self.first = first
        self.heads = heads
    }

    func neighbours(of vertex: Int) -> ArraySlice<UInt32> { heads[Int(first[vertex])..<Int(first[vertex + 1])] }

    /// The parts of the graph that `part` numbers from 0 to `count - 1`, each with the old numbers of its vertices, in
    /// rising order. Vertices whose part is negative, and all edges between parts, are left out.
    func parts(_ part: [Int32], count: Int) -> [(vertices: [UInt32], graph: UndirectedGraph)] {
        var vertices = [[UInt32]](repeating: [], count: count)
        var number = [UInt32](repeating: 0, count: vertexCount)
        for vertex in 0..<vertexCount where part[vertex] >= 0 {
            let own = Int(part[vertex])
            number[vertex] = UInt32(vertices[own].count)
            vertices[own].append(UInt32(vertex))
        }
        return vertices.map { members in
            var first: [UInt32] = [0]
            first.reserveCapacity(members.count + 1)
            var heads: [UInt32] = []
            for vertex in members {
                let own = part[Int(vertex)]
                for index in Int(self.first[Int(vertex)])..<Int(self.first[Int(vertex) + 1]) {
                    let head = Int(self.heads[index])
                    if part[head] == own { heads.append(number[head]) }
                }
                first.append(UInt32(heads.count))
            }
            return (members, UndirectedGraph(first: first, heads: heads))
        }
    }

    /// The connected parts, numbered from 0, and how many there are.
    func connectedParts() -> (part: [Int32], count: Int) {
        var part = [Int32](repeating: -1, count: vertexCount)
        var stack: [UInt32] = []
        var count: Int32 = 0
        for start in 0..<vertexCount where part[start] < 0 {
            part[start] = count
            stack.append(UInt32(start))
            while let vertex = stack.popLast() {
                for index in Int(first[Int(vertex)])..<Int(first[Int(vertex) + 1]) {
                    let head = Int(heads[index])
                    if part[head] < 0 {
                        part[head] = count
                        stack.append(UInt32(head))
                    }
                }
            }
            count += 1
        }
        return (part, Int(count))
    }
}

import Locking

/// The memory of one search: labels of all states, the queue, and the cached potentials. Reused from search to search:
/// stamps tell what belongs to the present one, so nothing is cleared.
final class Workspace: @unchecked Sendable {
    struct Label {
        var stamp: UInt32
        /// Milliseconds at the head of the state's edge.
        var cost: UInt32
        /// The state before; `Workspace.none` at a start.
        var parent: UInt32
    }

    static let none = UInt32.max

    let labels: UnsafeMutablePointer<Label>
    let stateCount: Int
    /// Room for a number of each vertex: more than any way up the hierarchy needs, of which only what is used costs memory.
    let rankStack: UnsafeMutablePointer<UInt32>
    /// Made when a search first needs them.
    private var potentials: [UnsafeMutablePointer<UInt64>?] = [nil, nil]
    private let vertexCount: Int
    private var potentialStamp: UInt64 = 0
    /// A bit for each directed edge that the request closes, made when the first one does; cleared edge by edge.
    private var closedBits: UnsafeMutablePointer<UInt64>?
    private var closedList: [UInt32] = []
    private(set) var stamp: UInt32 = 0
    var queue = MinimumQueue()

    init(stateCount: Int, vertexCount: Int) {
        self.stateCount = stateCount
        self.vertexCount = vertexCount
        labels = .allocate(capacity: max(stateCount, 1))
        labels.initialize(repeating: Label(stamp: 0, cost: 0, parent: 0), count: max(stateCount, 1))
        rankStack = .allocate(capacity: max(vertexCount, 1))
    }

    deinit {
        labels.deallocate()
        rankStack.deallocate()
        for cache in potentials { cache?.deallocate() }
        closedBits?.deallocate()
        queue.deallocate()
    }

    /// Marks directed edges as closed, in place of those marked before; nil for none.
    /// - Parameter edges: below the number of states.
    func close(_ edges: [UInt32]) -> ClosedEdges? {
        if let bits = closedBits { for edge in closedList { bits[Int(edge >> 6)] = 0 } }
        closedList = edges
        if edges.isEmpty { return nil }
        let words = stateCount / 64 + 1
        let bits = closedBits ?? .allocate(capacity: words)
        if closedBits == nil { bits.initialize(repeating: 0, count: words) }
        closedBits = bits
        for edge in edges { bits[Int(edge >> 6)] |= 1 << UInt64(edge & 63) }
        return ClosedEdges(bits: bits)
    }

    /// Forgets the labels of the last search.
    func begin() -> UInt32 {
        if stamp == .max {
            labels.update(repeating: Label(stamp: 0, cost: 0, parent: 0), count: max(stateCount, 1))
            stamp = 0
        }
        stamp += 1
        queue.removeAll()
        return stamp
    }

    /// Memory for a potential, a number for each vertex, and the first of two stamps that mark its entries.
    ///
    /// - Parameter slot: 0 or 1; a search may use both at once.
    func potentialCache(_ slot: Int) -> (cache: UnsafeMutablePointer<UInt64>, stamp: UInt64) {
        if potentialStamp + 2 > UInt64(UInt32.max) {
            for cache in potentials { cache?.update(repeating: 0, count: max(vertexCount, 1)) }
            potentialStamp = 0
        }
        potentialStamp += 2
        if let cache = potentials[slot] { return (cache, potentialStamp - 1) }
        let cache = UnsafeMutablePointer<UInt64>.allocate(capacity: max(vertexCount, 1))
        cache.initialize(repeating: 0, count: max(vertexCount, 1))
        potentials[slot] = cache
        return (cache, potentialStamp - 1)
    }
}

/// Workspaces that wait for the next search. At most a few are kept.
final class WorkspacePool: Sendable {
    private let free = Mutex<[Workspace]>([])
    private let stateCount: Int
    private let vertexCount: Int

    init(stateCount: Int, vertexCount: Int) {
        self.stateCount = stateCount
        self.vertexCount = vertexCount
    }

    func take() -> Workspace {
        free.withLock { $0.popLast() } ?? Workspace(stateCount: stateCount, vertexCount: vertexCount)
    }

    func give(_ workspace: Workspace) {
        free.withLock { if $0.count < 8 { $0.append(workspace) } }
    }
}

/// A heap with four children to a node of entries whose upper half is the key and whose lower half is the state.
///
/// Entries are not moved when a state gets cheaper; the older one is passed over when it comes up. A search works on a
/// copy in a local variable and hands it back: the memory belongs to the workspace, which frees it.
struct MinimumQueue {
    private var entries: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1024
        entries = .allocate(capacity: capacity)
    }

    func deallocate() { entries.deallocate() }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func push(key: UInt32, state: UInt32) {
        if count == capacity { grow() }
        let entry = UInt64(key) << 32 | UInt64(state)
        var index = count
        count += 1
        while index > 0 {
            let parent = (index - 1) >> 2
            if entries[parent] <= entry { break }
            entries[index] = entries[parent]
            index = parent
        }
        entries[index] = entry
    }

    @inline(__always)
    var minimumKey: UInt32? { count > 0 ? UInt32(entries[0] >> 32) : nil }

    @inline(__always)
    mutating func pop() -> (key: UInt32, state: UInt32)? {
        guard count > 0 else { return nil }
        let top = entries[0]
        count -= 1
        let last = entries[count]
        var index = 0
        while true {
            let first = index * 4 + 1
            if first >= count { break }
            var best = first
            var bestEntry = entries[first]
            var child = first + 1
            let end = min(first + 4, count)
            while child < end {
                if entries[child] < bestEntry {
                    best = child
                    bestEntry = entries[child]
                }
                child += 1
            }
            if last <= bestEntry { break }
            entries[index] = bestEntry
            index = best
        }
        if count > 0 { entries[index] = last }
        return (UInt32(top >> 32), UInt32(truncatingIfNeeded: top))
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
        larger.update(from: entries, count: count)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}

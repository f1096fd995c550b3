import Foundation

/// The words of all names in an atlas, with the number of features that bear each: a trie in one piece of bytes.
///
/// Words are folded (`TextFold`) and as they are written, before the lexicon speaks: `hauptstrasse`, and not `haupt` and
/// `str`. So a misspelled word is near to what it stands for, and what is found is read by the lexicon like a query. Beside
/// them stand words that no name writes but that people do (`isDerived`): a compound's stem (`haupt`), its abbreviated
/// form (`hauptstr`), two words in one.
///
///     header   "SXVO", version (UInt8), three zero bytes, number of words (UInt32 LE), size of the nodes (UInt32 LE)
///     nodes    siblings one after another in the order of their labels, each followed by its children:
///              head       bits 0-3 length of the label less 1, bit 4 a word ends here, bit 5 it is derived,
///                         bit 6 has children, bit 7 zero
///              label      1 to 16 bytes
///              frequency  varint, where a word ends
///              largest    UInt8, where there are children: the number of bits of the largest frequency among them
///              size       varint, where there are children: their bytes
///              children
///
/// Children lie within the bytes of their node and every node is at least two bytes long, so that a walk over damaged
/// bytes ends; what does not fit throws `DatabaseError`.
struct Vocabulary: Sendable {
    static let magic: [UInt8] = Array("SXVO".utf8)
    static let version: UInt8 = 1
    static let headerSize = 16
    /// Longer words are left out.
    static let longestWord = 64

    /// A word and how often it occurs.
    struct Term: Sendable, Equatable {
        var word: String
        /// The features that bear it.
        var frequency: Int
        /// Whether no name writes it like that.
        var isDerived: Bool
    }

    let bytes: [UInt8]
    /// The number of words.
    let count: Int

    /// Words of no atlas.
    static let empty = Vocabulary()

    private init() {
        bytes = []
        count = 0
    }

    /// Takes the bytes that `VocabularyBuilder` made. Cost: none; nodes are checked where they are read.
    init(bytes: [UInt8], subject: String = "vocabulary") throws {
        guard bytes.count >= Self.headerSize, bytes.starts(with: Self.magic), bytes[4] == Self.version,
            Self.number(bytes, at: 12) == bytes.count - Self.headerSize
        else { throw DatabaseError(code: 11, message: "damaged vocabulary", subject: subject) }
        self.bytes = bytes
        count = Self.number(bytes, at: 8)
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    // MARK: Nodes

    /// The top of the trie.
    var root: Range<Int> { min(Self.headerSize, bytes.count)..<bytes.count }

    /// A node as it stands in the bytes.
    struct Node {
        var label: Range<Int>
        /// nil where no word ends.
        var frequency: Int?
        var isDerived: Bool
        /// No frequency below is larger.
        var largestBelow: Int
        var children: Range<Int>
        /// Where the next sibling begins.
        var next: Int
    }

    /// Reads the node at an offset, which lies before `end`, the end of its siblings.
    func node(at offset: Int, end: Int) throws -> Node {
        let head = bytes[offset]
        var position = offset + 1
        let length = Int(head & 0x0f) + 1
        guard head & 0x80 == 0, position + length <= end else { throw damage(at: offset) }
        var node = Node(
            label: position..<position + length, frequency: nil, isDerived: head & 0x20 != 0, largestBelow: 0,
            children: 0..<0, next: 0)
        position += length
        if head & 0x10 != 0 { node.frequency = try varint(&position, end: end) }
        if head & 0x40 != 0 {
            guard position < end else { throw damage(at: offset) }
            let bits = min(Int(bytes[position]), 32)
            node.largestBelow = 1 << bits - 1
            position += 1
            let size = try varint(&position, end: end)
            guard size > 0, size <= end - position else { throw damage(at: offset) }
            node.children = position..<position + size
            position += size
        }
        node.next = position
        return node
    }

    /// Where the node behind the one at an offset begins, which costs less than reading it.
    func next(after offset: Int, end: Int) throws -> Int {
        let head = bytes[offset]
        var position = offset + Int(head & 0x0f) + 2
        guard head & 0x80 == 0, position <= end else { throw damage(at: offset) }
        if head & 0x10 != 0 { _ = try varint(&position, end: end) }
        if head & 0x40 != 0 {
            position += 1
            let size = try varint(&position, end: end)
            guard size > 0, size <= end - position else { throw damage(at: offset) }
            position += size
        }
        return position
    }

    private func varint(_ position: inout Int, end: Int) throws -> Int {
        var value = 0
        var shift = 0
        while position < end, shift < 35 {
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw damage(at: position)
    }

    func damage(at offset: Int) -> DatabaseError {
        DatabaseError(code: 11, message: "damaged vocabulary at byte \(offset)", subject: "vocabulary")
    }

    // MARK: Words

    /// The word's entry; nil for a word that the atlas does not know. Cost: a node for each branching on its way.
    func term(_ word: some Collection<UInt8>) throws -> Term? {
        var nodesLeft = Int.max
        return try term(word, nodesLeft: &nodesLeft)
    }

    /// The same; `nodesLeft` is lessened by the nodes that were read.
    func term(_ word: some Collection<UInt8>, nodesLeft: inout Int) throws -> Term? {
        guard let place = try find(word, &nodesLeft), let node = place.node, place.isAtEnd,
            let frequency = node.frequency
        else {
            return nil
        }
        return Term(word: String(decoding: word, as: UTF8.self), frequency: frequency, isDerived: node.isDerived)
    }

    func contains(_ word: String) throws -> Bool { try term(word.utf8) != nil }

    /// Where a run of letters ends in the trie.
    private struct Place {
        /// The node whose label holds the last letter; nil for the top.
        var node: Node?
        /// What is left of its label.
        var rest: Range<Int>
        var isAtEnd: Bool { rest.isEmpty }
    }

    private func find(_ prefix: some Collection<UInt8>, _ nodesLeft: inout Int) throws -> Place? {
        var siblings = root
        var place = Place(node: nil, rest: 0..<0)
        for letter in prefix {
            if let first = place.rest.first {
                guard bytes[first] == letter else { return nil }
                place.rest = first + 1..<place.rest.upperBound
                continue
            }
            if let node = place.node { siblings = node.children }
            var offset = siblings.lowerBound
            var found: Node?
            while offset < siblings.upperBound {
                nodesLeft -= 1
                let node = try node(at: offset, end: siblings.upperBound)
                if bytes[node.label.lowerBound] == letter {
                    found = node
                    break
                }
                if bytes[node.label.lowerBound] > letter { return nil }
                offset = node.next
            }
            guard let found else { return nil }
            place = Place(node: found, rest: found.label.lowerBound + 1..<found.label.upperBound)
        }
        return place
    }

    /// The words that begin with these letters, the most frequent first, words of one frequency by their letters.
    ///
    /// - Parameters:
    ///   - limit: At most this many.
    ///   - includingDerived: Whether words that no name writes like that count.
    ///   - nodesLeft: Nodes that may still be read; lessened by those that were. Where they run out, the words found so far
    ///     are given.
    func terms(
        withPrefix prefix: String, limit: Int, includingDerived: Bool = false, nodesLeft: inout Int
    ) throws -> [Term] {
        let letters = Array(prefix.utf8)
        guard letters.count <= Self.longestWord, let place = try find(letters, &nodesLeft) else { return [] }
        var queue = BestFirst()
        func push(_ node: Node, _ path: [UInt8]) throws {
            guard path.count <= Self.longestWord else { throw damage(at: node.label.lowerBound) }
            if let frequency = node.frequency, includingDerived || !node.isDerived {
                queue.push(.init(bound: frequency, path: path, children: nil, isDerived: node.isDerived))
            }
            if !node.children.isEmpty {
                queue.push(.init(bound: node.largestBelow, path: path, children: node.children, isDerived: false))
            }
        }
        if let node = place.node {
            try push(node, letters + bytes[place.rest])
        } else {
            queue.push(.init(bound: .max, path: [], children: root, isDerived: false))
        }
        var result: [Term] = []
        while result.count < limit, let best = queue.pop() {
            guard let children = best.children else {
                result.append(
                    Term(
                        word: String(decoding: best.path, as: UTF8.self), frequency: best.bound,
                        isDerived: best.isDerived))
                continue
            }
            var offset = children.lowerBound
            while offset < children.upperBound {
                guard nodesLeft > 0 else { return result }
                nodesLeft -= 1
                let node = try node(at: offset, end: children.upperBound)
                try push(node, best.path + bytes[node.label])
                offset = node.next
            }
        }
        return result
    }
}

/// A queue that gives the entry with the largest bound; of equal ones nodes before words, then by letters.
private struct BestFirst {
    struct Entry {
        var bound: Int
        var path: [UInt8]
        /// nil for a word.
        var children: Range<Int>?
        var isDerived: Bool

        func comes(before other: Entry) -> Bool {
            if bound != other.bound { return bound > other.bound }
            if (children == nil) != (other.children == nil) { return children != nil }
            return path.lexicographicallyPrecedes(other.path)
        }
    }

    private var heap: [Entry] = []

    mutating func push(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].comes(before: heap[parent]) else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    mutating func pop() -> Entry? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var index = 0
        while true {
            var best = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].comes(before: heap[best]) { best = child }
            }
            guard best != index else { return first }
            heap.swapAt(index, best)
            index = best
        }
    }
}

/// Words near to a misspelled one: the trie is walked with a row of the table of edit distances for each letter on the
/// way, cut to the band that can still come within the bound (Ukkonen 1985), and a branch is left where no cell can. The
/// distance is that of optimal string alignment (Damerau 1964): a letter more, less or other, or two neighbours in the
/// wrong order, each count once.
extension Vocabulary {
    /// A word near to the one asked for.
    struct Neighbour: Sendable, Equatable {
        var term: Term
        /// Edits between them.
        var distance: Int
    }

    /// Letters that words begin with, near to the ones asked for.
    struct NearPrefix: Sendable, Equatable {
        var letters: String
        var distance: Int
    }

    /// The words within `distance` edits (at most 3), the word itself included: nearest first, then the most frequent.
    ///
    /// - Parameter nodesLeft: Nodes that may still be read; lessened by those that were. Where they run out, the words found
    ///   so far are given.
    func neighbours(of word: String, within distance: Int, nodesLeft: inout Int) throws -> [Neighbour] {
        guard let walk = SpellingWalk(self, word, within: distance, isPrefix: false, nodesLeft: nodesLeft) else {
            return []
        }
        try walk.descend(root, depth: 0, best: .max)
        nodesLeft = walk.nodesLeft
        return walk.words.sorted {
            if $0.distance != $1.distance { return $0.distance < $1.distance }
            if $0.term.frequency != $1.term.frequency { return $0.term.frequency > $1.term.frequency }
            return $0.term.word.utf8.lexicographicallyPrecedes($1.term.word.utf8)
        }
    }

    /// The beginnings of words within `distance` edits (at most 3) of these letters, nearest first, then by their letters.
    ///
    /// Where one beginning lies within another, it is given only if it is nearer: "haupt" for "hautp", not "hauptst" as well.
    /// Every word that begins with one of them begins with a misspelling of what was typed. `nodesLeft` as above.
    func prefixes(near letters: String, within distance: Int, nodesLeft: inout Int) throws -> [NearPrefix] {
        guard let walk = SpellingWalk(self, letters, within: distance, isPrefix: true, nodesLeft: nodesLeft) else {
            return []
        }
        try walk.descend(root, depth: 0, best: .max)
        nodesLeft = walk.nodesLeft
        return walk.prefixes.sorted {
            $0.distance != $1.distance
                ? $0.distance < $1.distance : $0.letters.utf8.lexicographicallyPrecedes($1.letters.utf8)
        }
    }
}

/// One walk through the trie.
///
/// Its tables are plain memory: they are written for every letter that is looked at, where an array would ask each time
/// whether it is shared. Their indices come from the counts below alone, never from the atlas.
private final class SpellingWalk {
    let vocabulary: Vocabulary
    let bound: Int
    let isPrefix: Bool
    var nodesLeft: Int
    var words: [Vocabulary.Neighbour] = []
    var prefixes: [Vocabulary.NearPrefix] = []

    /// The letters of the word.
    private let word: UnsafeMutableBufferPointer<UInt8>
    /// The letters from the top to here, from 1 on.
    private let path: UnsafeMutableBufferPointer<UInt8>
    /// A row of `word.count + 1` cells for each letter on the path; cells beyond the bound hold `bound + 1`.
    private let rows: UnsafeMutableBufferPointer<UInt8>

    init?(_ vocabulary: Vocabulary, _ word: String, within distance: Int, isPrefix: Bool, nodesLeft: Int) {
        let count = word.utf8.count
        guard count > 0, count <= Vocabulary.longestWord, (0...3).contains(distance) else { return nil }
        self.vocabulary = vocabulary
        bound = distance
        self.isPrefix = isPrefix
        self.nodesLeft = nodesLeft
        self.word = .allocate(capacity: count)
        _ = self.word.initialize(from: word.utf8)
        let depth = min(count + distance, Vocabulary.longestWord)
        path = .allocate(capacity: depth + 1)
        path.initialize(repeating: 0)
        rows = .allocate(capacity: (depth + 2) * (count + 1))
        rows.initialize(repeating: UInt8(distance + 1))
        for column in 0...min(distance, count) { rows[column] = UInt8(column) }
    }

    deinit {
        word.deallocate()
        path.deallocate()
        rows.deallocate()
    }

    /// Goes through siblings that stand `depth` letters below the top.
    ///
    /// - Parameter best: The least distance of a prefix that was found above.
    func descend(_ siblings: Range<Int>, depth: Int, best: Int) throws {
        var offset = siblings.lowerBound
        let letters = letters(below: depth)
        while offset < siblings.upperBound {
            guard nodesLeft > 0 else { return }
            nodesLeft -= 1
            // The first letter of the label stands behind the head.
            if let letters, offset + 1 < siblings.upperBound, !letters.contains(vocabulary.bytes[offset + 1]) {
                offset = try vocabulary.next(after: offset, end: siblings.upperBound)
                continue
            }
            let node = try vocabulary.node(at: offset, end: siblings.upperBound)
            offset = node.next
            var here = depth
            var best = best
            var isAlive = true
            for position in node.label {
                // A path longer than word and bound together has no cell within the bound.
                guard here + 1 < path.count, step(vocabulary.bytes[position], depth: here + 1) else {
                    isAlive = false
                    break
                }
                here += 1
                guard isPrefix else { continue }
                let distance = Int(rows[here * (word.count + 1) + word.count])
                if distance <= bound, distance < best, isWhole(here) {
                    best = distance
                    prefixes.append(.init(letters: String(decoding: path[1...here], as: UTF8.self), distance: distance))
                }
            }
            guard isAlive else { continue }
            if !isPrefix, let frequency = node.frequency {
                let distance = Int(rows[here * (word.count + 1) + word.count])
                if distance <= bound {
                    words.append(
                        .init(
                            term: .init(
                                word: String(decoding: path[1...here], as: UTF8.self), frequency: frequency,
                                isDerived: node.isDerived), distance: distance))
                }
            }
            if !node.children.isEmpty { try descend(node.children, depth: here, best: best) }
        }
    }

    /// Whether the path does not end within a character of several bytes.
    private func isWhole(_ depth: Int) -> Bool {
        guard path[depth] >= 0x80 else { return true }
        var start = depth
        while start > 1, path[start] & 0xc0 == 0x80 { start -= 1 }
        let length = path[start] >= 0xf0 ? 4 : path[start] >= 0xe0 ? 3 : 2
        return depth - start + 1 == length
    }

    /// The letters that can follow where all errors have been made: those that the word has there. Nil where any can.
    private func letters(below depth: Int) -> Letters? {
        let width = word.count + 1
        let row = depth * width
        var letters = Letters()
        for column in max(depth - bound, 0)...min(depth + bound, word.count) {
            if rows[row + column] < bound { return nil }
            if rows[row + column] == bound, column < word.count { letters.insert(word[column]) }
            // Two in the wrong order: the second of them is here already.
            if depth > 0, column > 0, column < word.count, word[column] == path[depth],
                rows[row - width + column - 1] < bound
            {
                letters.insert(word[column - 1])
            }
        }
        return letters
    }

    /// A set of bytes.
    private struct Letters {
        private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        mutating func insert(_ letter: UInt8) {
            let bit = UInt64(1) << UInt64(letter & 63)
            switch letter >> 6 {
            case 0: words.0 |= bit
            case 1: words.1 |= bit
            case 2: words.2 |= bit
            default: words.3 |= bit
            }
        }

        func contains(_ letter: UInt8) -> Bool {
            let bit = UInt64(1) << UInt64(letter & 63)
            switch letter >> 6 {
            case 0: return words.0 & bit != 0
            case 1: return words.1 & bit != 0
            case 2: return words.2 & bit != 0
            default: return words.3 & bit != 0
            }
        }
    }

    /// Fills the row of a letter; whether any cell is within the bound.
    private func step(_ letter: UInt8, depth: Int) -> Bool {
        let width = word.count + 1
        let beyond = UInt8(bound + 1)
        path[depth] = letter
        let row = depth * width
        let above = row - width
        let first = max(depth - bound, 0)
        let last = min(depth + bound, word.count)
        guard first <= last else { return false }
        // What the band leaves out is beyond the bound, whatever an earlier branch wrote there.
        if first > 0 { rows[row + first - 1] = beyond }
        if last < word.count { rows[row + last + 1] = beyond }
        var least = beyond
        if first == 0 {
            rows[row] = min(UInt8(depth), beyond)
            least = rows[row]
        }
        for column in stride(from: max(first, 1), through: last, by: 1) {
            let typed = word[column - 1]
            var cell = rows[above + column - 1] + (typed == letter ? 0 : 1)
            cell = min(cell, min(rows[row + column - 1], rows[above + column]) + 1)
            if depth > 1, column > 1, typed == path[depth - 1], word[column - 2] == letter {
                cell = min(cell, rows[above - width + column - 2] + 1)
            }
            cell = min(cell, beyond)
            rows[row + column] = cell
            least = min(least, cell)
        }
        return least < beyond
    }
}

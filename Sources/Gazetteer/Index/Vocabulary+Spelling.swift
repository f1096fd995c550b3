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
        guard var walk = SpellingWalk(self, word, within: distance, isPrefix: false, nodesLeft: nodesLeft) else {
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
        guard var walk = SpellingWalk(self, letters, within: distance, isPrefix: true, nodesLeft: nodesLeft) else {
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
private struct SpellingWalk {
    let vocabulary: Vocabulary
    let word: [UInt8]
    let bound: Int
    let isPrefix: Bool
    var nodesLeft: Int
    var words: [Vocabulary.Neighbour] = []
    var prefixes: [Vocabulary.NearPrefix] = []

    /// The letters from the top to here.
    private var path: [UInt8]
    /// A row of `word.count + 1` cells for each letter on the path; cells beyond the bound hold `bound + 1`.
    private var rows: [UInt8]

    init?(_ vocabulary: Vocabulary, _ word: String, within distance: Int, isPrefix: Bool, nodesLeft: Int) {
        let letters = Array(word.utf8)
        guard !letters.isEmpty, letters.count <= Vocabulary.longestWord, (0...3).contains(distance) else { return nil }
        self.vocabulary = vocabulary
        self.word = letters
        bound = distance
        self.isPrefix = isPrefix
        self.nodesLeft = nodesLeft
        let depth = min(letters.count + distance, Vocabulary.longestWord)
        path = [UInt8](repeating: 0, count: depth + 1)
        rows = [UInt8](repeating: UInt8(distance + 1), count: (depth + 2) * (letters.count + 1))
        for column in 0...min(distance, letters.count) { rows[column] = UInt8(column) }
    }

    /// Goes through siblings that stand `depth` letters below the top.
    ///
    /// - Parameter best: The least distance of a prefix that was found above.
    mutating func descend(_ siblings: Range<Int>, depth: Int, best: Int) throws {
        var offset = siblings.lowerBound
        while offset < siblings.upperBound {
            guard nodesLeft > 0 else { return }
            nodesLeft -= 1
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

    /// Fills the row of a letter; whether any cell is within the bound.
    private mutating func step(_ letter: UInt8, depth: Int) -> Bool {
        let width = word.count + 1
        let beyond = UInt8(bound + 1)
        path[depth] = letter
        let row = depth * width
        let above = row - width
        let first = max(depth - bound, 0)
        let last = min(depth + bound, word.count)
        guard first <= last else { return false }
        var isWithin = false
        // What the band leaves out is beyond the bound, whatever an earlier branch wrote there.
        if first > 0 { rows[row + first - 1] = beyond }
        if last < word.count { rows[row + last + 1] = beyond }
        for column in first...last {
            var cell = beyond
            if column == 0 {
                cell = UInt8(min(depth, bound + 1))
            } else {
                let typed = word[column - 1]
                cell = min(cell, rows[above + column - 1] + (typed == letter ? 0 : 1))
                cell = min(cell, rows[row + column - 1] + 1)
                cell = min(cell, rows[above + column] + 1)
                if depth > 1, column > 1, typed == path[depth - 1], word[column - 2] == letter {
                    cell = min(cell, rows[above - width + column - 2] + 1)
                }
            }
            rows[row + column] = cell
            if cell <= UInt8(bound) { isWithin = true }
        }
        return isWithin
    }
}

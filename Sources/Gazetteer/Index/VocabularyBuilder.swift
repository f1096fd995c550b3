/// Counts the words of names and writes them as a `Vocabulary`.
struct VocabularyBuilder {
    private struct Count {
        var written: UInt32 = 0
        var derived: UInt32 = 0
    }

    private var counts: [String: Count] = [:]
    /// Canonical tokens of the lexicon that occur in names.
    private var tokens: Set<String> = []

    /// Counts the words of one feature, each once.
    mutating func add(_ words: some Sequence<TextNormalizer.Spelling>) {
        for word in words where (1...Vocabulary.longestWord).contains(word.text.utf8.count) {
            if word.isDerived {
                counts[word.text, default: Count()].derived += 1
            } else {
                counts[word.text, default: Count()].written += 1
            }
        }
    }

    /// Notes that a token of the lexicon occurs, so that its long and short forms are words as well.
    mutating func add(lexiconToken token: String) { tokens.insert(token) }

    /// The bytes of the vocabulary.
    mutating func finish(_ normalizer: TextNormalizer) -> [UInt8] {
        for (variant, token) in normalizer.canonical where tokens.contains(token) && variant.utf8.count >= 4 {
            counts[variant, default: Count()].derived += 1
        }
        return Self.bytes(
            counts.map { word, count in
                .init(
                    word: word, frequency: Int(count.written > 0 ? count.written : count.derived),
                    isDerived: count.written == 0)
            })
    }

    /// The trie of these words, each given once.
    static func bytes(_ terms: [Vocabulary.Term]) -> [UInt8] {
        let sorted = terms.filter { (1...Vocabulary.longestWord).contains($0.word.utf8.count) }
            .map { (letters: Array($0.word.utf8), term: $0) }
            .sorted { $0.letters.lexicographicallyPrecedes($1.letters) }
        var nodes: [UInt8] = []
        _ = append(sorted[...], depth: 0, to: &nodes)
        var result = Vocabulary.magic + [Vocabulary.version, 0, 0, 0]
        for number in [sorted.count, nodes.count] {
            for shift in stride(from: 0, to: 32, by: 8) { result.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return result + nodes
    }

    /// Appends the nodes of words that have their first `depth` letters in common and all have more; the largest frequency.
    private static func append(
        _ terms: ArraySlice<(letters: [UInt8], term: Vocabulary.Term)>, depth: Int, to nodes: inout [UInt8]
    ) -> Int {
        var largest = 0
        var start = terms.startIndex
        while start < terms.endIndex {
            let letter = terms[start].letters[depth]
            var end = start + 1
            while end < terms.endIndex, terms[end].letters[depth] == letter { end += 1 }
            // The letters that all of them have: those of the first and the last, as they are sorted.
            let first = terms[start].letters, last = terms[end - 1].letters
            var length = 1
            while length < 16, depth + length < first.count, depth + length < last.count,
                first[depth + length] == last[depth + length]
            { length += 1 }
            var rest = start
            var head = UInt8(length - 1)
            let term = first.count == depth + length ? terms[start].term : nil
            if let term {
                head |= 0x10 | (term.isDerived ? 0x20 : 0)
                largest = max(largest, term.frequency)
                rest += 1
            }
            if rest < end { head |= 0x40 }
            nodes.append(head)
            nodes += first[depth..<depth + length]
            if let term { append(varint: term.frequency, to: &nodes) }
            if rest < end {
                var children: [UInt8] = []
                let below = append(terms[rest..<end], depth: depth + length, to: &children)
                largest = max(largest, below)
                nodes.append(UInt8(Int.bitWidth - below.leadingZeroBitCount))
                append(varint: children.count, to: &nodes)
                nodes += children
            }
            start = end
        }
        return largest
    }

    private static func append(varint value: Int, to bytes: inout [UInt8]) {
        var rest = UInt32(clamping: value)
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

/// Finds what was typed in a text that is shown.
enum Highlights {
    /// The parts of `text` that the typed words stand for, in UTF-16 units, and which of the words they are.
    ///
    /// A word that is folded to what was typed is marked as far as it was typed: "koln" marks all of "Köln", "hauptstras"
    /// marks "Hauptstraß" of "Hauptstraße". A word that means the same ("st" for "Sankt") is marked as a whole.
    static func find(_ typed: [TypedText.Word], in text: String, normalizer: TextNormalizer)
        -> (ranges: [Range<Int>], found: Set<Int>)
    {
        let words = TextFold.words(text)
        guard !words.isEmpty, !typed.isEmpty else { return ([], []) }
        let tokens = normalizer.read(text)
        var marks: [Range<Int>] = []
        var found: Set<Int> = []
        var used: Set<Int> = []
        func mark(_ index: Int, _ range: Range<Int>) {
            marks.append(range)
            found.insert(index)
        }
        for (index, word) in typed.enumerated() {
            // The whole word before a longer one, and one that is not marked before one that is.
            var best: (rank: Int, position: Int, range: Range<Int>)?
            for (position, shown) in words.enumerated() {
                let letters = Array(shown.text.utf8)
                let rank: Int
                let range: Range<Int>
                if letters == word.text {
                    (rank, range) = (0, shown.start..<shown.end)
                } else if letters.starts(with: word.text) {
                    (rank, range) = (1, shown.start..<end(of: word.text.count, in: shown, of: text))
                } else if let digraph = Digraph.begins(shown, of: text), word.text.elementsEqual(digraph.utf8) {
                    (rank, range) = (2, shown.start..<end(of: 1, in: shown, of: text))
                } else {
                    continue
                }
                let all = rank * 2 + (used.contains(position) ? 20 : 0)
                if best.map({ all < $0.rank }) ?? true { best = (all, position, range) }
            }
            if let best {
                used.insert(best.position)
                mark(index, best.range)
                continue
            }
            // Two words that were typed as one: "oconn" for "O'Connell".
            var isJoined = false
            for first in words.indices.dropLast() {
                let (a, b) = (words[first], words[first + 1])
                let letters = Array((a.text + b.text).utf8)
                guard letters.starts(with: word.text), word.text.count > a.text.utf8.count else { continue }
                mark(index, a.start..<end(of: word.text.count - a.text.utf8.count, in: b, of: text))
                isJoined = true
                break
            }
            if isJoined { continue }
            let meant = word.tokens + word.compound
            let same = tokens.filter { meant.contains(Array($0.text.utf8)) || Array($0.text.utf8) == word.text }
            if let first = same.first {
                mark(index, first.range)
                for other in same.dropFirst() where word.compound.contains(Array(other.text.utf8)) {
                    marks.append(other.range)
                }
                continue
            }
            for correction in word.corrections {
                guard let shown = words.first(where: { correction.fits($0.text.utf8) }) else { continue }
                mark(index, shown.start..<end(of: correction.letters.count, in: shown, of: text))
                break
            }
        }
        return (merged(marks, in: text), found)
    }

    /// Where the shortest beginning of a shown word ends that is folded to at least so many letters, in UTF-8.
    private static func end(of letters: Int, in word: TextFold.Word, of text: String) -> Int {
        let utf8 = text.utf8
        guard letters < word.text.utf8.count,
            let start = utf8.index(utf8.startIndex, offsetBy: word.start, limitedBy: utf8.endIndex),
            let end = utf8.index(utf8.startIndex, offsetBy: word.end, limitedBy: utf8.endIndex)
        else { return word.end }
        var index = start
        while index < end {
            index = text.index(after: index)
            if index >= end { break }
            let beginning = TextFold.words(String(text[start..<index]))
            if beginning.count == 1, beginning[0].text.utf8.count >= letters {
                return utf8.distance(from: utf8.startIndex, to: index)
            }
        }
        return word.end
    }

    /// Ranges in UTF-8 as ranges in UTF-16, in order, those that touch or overlap as one.
    private static func merged(_ ranges: [Range<Int>], in text: String) -> [Range<Int>] {
        var result: [Range<Int>] = []
        for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        let utf8 = text.utf8
        func units(_ offset: Int) -> Int {
            let index = utf8.index(utf8.startIndex, offsetBy: offset, limitedBy: utf8.endIndex) ?? utf8.endIndex
            return index.utf16Offset(in: text)
        }
        return result.map { units($0.lowerBound)..<units($0.upperBound) }
    }
}

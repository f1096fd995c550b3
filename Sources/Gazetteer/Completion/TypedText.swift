import Foundation

/// A text that is being typed, in folded words.
struct TypedText: Sendable {
    /// One word. It may be the beginning of a longer one.
    struct Word: Sendable {
        var text: [UInt8]
        /// Canonical tokens that it stands for: "st" for "sankt", and for "sank" while it is typed.
        var tokens: [[UInt8]] = []
        /// Canonical tokens that it stands for together: "haupt", "str" for "hauptstr".
        var compound: [[UInt8]] = []
        /// Words of the vocabulary that it may be a misspelling of, with the number of errors.
        var corrections: [Correction] = []
        /// Whether the text is written in letters that are not Latin ones.
        var isBeyondLatin = false
        /// Where it stands in the text, in UTF-8.
        var range: Range<Int>

        var string: String { String(decoding: text, as: UTF8.self) }
        var hasDigit: Bool { text.contains { $0 >= 0x30 && $0 <= 0x39 } }
        /// Letters alone count: a Han character is as good as a word.
        var length: Int { text.count }
    }

    /// What a misspelled word may stand for.
    struct Correction: Sendable, Equatable {
        /// A word, or the beginning of some.
        var letters: [UInt8]
        var isBeginning: Bool
        var edits: Int

        func fits(_ word: some Collection<UInt8>) -> Bool {
            isBeginning ? word.starts(with: letters) : word.elementsEqual(letters)
        }
    }

    private(set) var words: [Word] = []
    /// Whether something stands after the last word, so that it is complete.
    var isLastComplete = false

    static let mostWords = 8

    init(_ text: String, normalizer: TextNormalizer, lexicon: LexiconBeginnings) {
        let text = String(text.prefix(200))
        let folded = normalizer.written(text).prefix(Self.mostWords)
        let isBeyondLatin = Self.isBeyondLatin(text)
        isLastComplete = folded.last.map { $0.end < text.utf8.count } ?? false
        for (index, word) in folded.enumerated() {
            let bytes = Array(word.text.utf8.prefix(40))
            var made = Word(text: bytes, isBeyondLatin: isBeyondLatin, range: word.start..<word.end)
            let tokens = normalizer.tokens(word.text)
            if tokens.count == 1 {
                if tokens[0] != word.text { made.tokens.append(Array(tokens[0].utf8)) }
            } else if tokens.count > 1 {
                made.compound = tokens.map { Array($0.utf8) }
            }
            if index == folded.count - 1, !isLastComplete, bytes.count >= 3 {
                for token in lexicon.tokens(beginning: bytes) where token != bytes && !made.tokens.contains(token) {
                    made.tokens.append(token)
                }
            }
            words.append(made)
        }
    }

    /// Whether a text has letters of another script than the Latin one.
    static func isBeyondLatin(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar.value >= 0x370 && !(0x1D00...0x1FFF).contains(scalar.value) && scalar.properties.isAlphabetic
        }
    }

    mutating func correct(_ index: Int, _ corrections: [Correction]) { words[index].corrections = corrections }

    /// How many errors a word may have: one from 4 letters, two from 8, none with a digit.
    static func errorsAllowed(in word: Word) -> Int {
        // A character beyond ASCII is a whole word of its own.
        guard !word.hasDigit, word.text.allSatisfy({ $0 < 0x80 }) else { return 0 }
        return word.text.count >= 8 ? 2 : word.text.count >= 4 ? 1 : 0
    }
}

/// The words of the lexicon in their order, to be found by their first letters.
struct LexiconBeginnings: Sendable {
    private let entries: [(word: [UInt8], token: [UInt8])]
    private let common: Set<[UInt8]>

    /// Reads a lexicon as `TextNormalizer` does: class, language, canonical token, variants.
    init(lexicon: String) {
        var entries: [(word: [UInt8], token: [UInt8])] = []
        var common: Set<[UInt8]> = []
        for line in lexicon.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count >= 4, ["street", "direction", "light", "word", "suffix"].contains(columns[0]) else {
                continue
            }
            let token = TextFold.words(String(columns[2])).map(\.text).joined()
            guard !token.isEmpty else { continue }
            for variant in columns[3].split(separator: ",") {
                let words = TextFold.words(String(variant))
                guard words.count == 1 else { continue }
                entries.append((Array(words[0].text.utf8), Array(token.utf8)))
                if ["street", "light"].contains(columns[0]) { common.insert(Array(words[0].text.utf8)) }
            }
            if ["street", "light"].contains(columns[0]) { common.insert(Array(token.utf8)) }
        }
        self.common = common
        self.entries = entries.sorted { $0.word.lexicographicallyPrecedes($1.word) }
    }

    /// Whether the word is a type of street or an article, before which names may be said to begin.
    func isCommon(_ word: some Collection<UInt8>) -> Bool { common.contains(Array(word)) }

    /// The canonical tokens of words that begin so; eight at most.
    func tokens(beginning start: [UInt8]) -> [[UInt8]] {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].word.lexicographicallyPrecedes(start) { low = middle + 1 } else { high = middle }
        }
        var result: [[UInt8]] = []
        while low < entries.count, entries[low].word.starts(with: start), result.count < 8 {
            if !result.contains(entries[low].token) { result.append(entries[low].token) }
            low += 1
        }
        return result
    }
}

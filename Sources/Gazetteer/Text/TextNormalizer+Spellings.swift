/// The words by which a name may be misspelled.
extension TextNormalizer {
    /// A folded word, and whether people write it where the name has it otherwise.
    struct Spelling: Hashable, Sendable {
        var text: String
        var isDerived: Bool
    }

    /// The words of a name, and for compounds the words that people write instead: the stem alone, the stem with the short
    /// suffix, and one word for a name in two.
    ///
    ///     Hauptstraße     hauptstrasse; derived: haupt, hauptstr
    ///     Haupt Straße    haupt, strasse; derived: hauptstrasse, hauptstr
    func spellings(of words: [TextFold.Word]) -> [Spelling] {
        var result: [Spelling] = []
        result.reserveCapacity(words.count + 2)
        for index in words.indices {
            let text = words[index].text
            result.append(Spelling(text: text, isDerived: false))
            if let (stem, short) = compound(text) {
                result.append(Spelling(text: stem, isDerived: true))
                if short != text { result.append(Spelling(text: short, isDerived: true)) }
            }
            guard index > 0, words[index].separator < .stop,
                let suffix = suffixes.first(where: { $0.bytes.elementsEqual(text.utf8) })
            else { continue }
            let stem = words[index - 1].text
            guard stem.utf8.count >= 4, stem.utf8.allSatisfy({ $0 >= 0x61 }) else { continue }
            result.append(Spelling(text: stem + text, isDerived: true))
            if suffix.token != text { result.append(Spelling(text: stem + suffix.token, isDerived: true)) }
        }
        return result
    }

    /// The stem of a compound word, and the compound with its suffix in the short form; nil for what is none.
    func compound(_ word: String) -> (stem: String, short: String)? {
        let bytes = word.utf8
        guard canonical[word] == nil, bytes.allSatisfy({ $0 >= 0x61 && $0 <= 0x7a }) else { return nil }
        for suffix in suffixes where bytes.count >= suffix.bytes.count + suffix.stem {
            guard bytes.suffix(suffix.bytes.count).elementsEqual(suffix.bytes) else { continue }
            let stem = String(decoding: bytes.dropLast(suffix.bytes.count), as: UTF8.self)
            return (stem, stem + suffix.token)
        }
        return nil
    }
}

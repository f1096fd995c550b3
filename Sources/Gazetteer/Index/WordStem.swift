/// What the forms of a word have in common, by rough rules for each language: "stations" and "station", "Läden" and
/// "Laden", "biblioteche" and "biblioteca".
///
/// Words come in folded letters (`TextFold`), so umlauts and accents are gone. A stem is no word, only a thing to compare:
/// what matters is that the forms of one word meet, and those of different words in the lexicon do not.
enum WordStem {
    static func of(_ word: String, language: String) -> String {
        var bytes = Array(word.utf8)
        guard bytes.count > 3, bytes.allSatisfy({ (0x61...0x7a).contains($0) }) else { return word }
        switch language {
        case "en": english(&bytes)
        case "de": cut(&bytes, ["en", "er", "es", "e", "n", "s"], leaving: 4)
        case "fr": french(&bytes)
        case "es", "pt": iberian(&bytes)
        case "it": italian(&bytes)
        case "nl": dutch(&bytes)
        case "sv":
            cut(&bytes, ["arna", "erna", "orna", "ar", "er", "or", "en", "et", "n", "t", "a", "e"], leaving: 4)
        case "fi": finnish(&bytes)
        case "ru", "uk", "pl": slavic(&bytes)
        default: return word
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func english(_ word: inout [UInt8]) {
        if replace(&word, "ies", "y") || replace(&word, "ves", "f") || replace(&word, "men", "man") { return }
        if !word.ends(with: "ss"), !word.ends(with: "us") {
            for end in ["shes", "ches", "xes", "sses"] where word.ends(with: end) { word.removeLast(1) }
            if word.ends(with: "she") || word.ends(with: "che") || word.ends(with: "xe") || word.ends(with: "sse") {
                word.removeLast()
            } else {
                cut(&word, ["s"], leaving: 2)
            }
        }
        // British and American.
        _ = replace(&word, "tre", "ter") || replace(&word, "our", "or") || replace(&word, "ence", "ense")
    }

    private static func french(_ word: inout [UInt8]) {
        if word.ends(with: "aux"), !word.ends(with: "eaux") {
            _ = replace(&word, "aux", "al")
            return
        }
        while word.ends(with: "ss") { word.removeLast() }
        cut(&word, ["s", "x"], leaving: 3)
        // One letter for both genders: "français", "française".
        cut(&word, ["e"], leaving: 4)
    }

    private static func iberian(_ word: inout [UInt8]) {
        while word.ends(with: "ss") { word.removeLast() }
        if replace(&word, "oes", "ao") || replace(&word, "aes", "ao") || replace(&word, "ais", "al")
            || replace(&word, "eis", "el") || replace(&word, "ois", "ol") || replace(&word, "ns", "m")
            || replace(&word, "ces", "z")
        {
            cut(&word, ["a", "e", "o"], leaving: 3)
            return
        }
        cut(&word, ["es", "s"], leaving: 3)
        cut(&word, ["a", "e", "o"], leaving: 3)
    }

    private static func italian(_ word: inout [UInt8]) {
        guard cut(&word, ["a", "e", "i", "o"], leaving: 3) else { return }
        cut(&word, ["h"], leaving: 3)
        cut(&word, ["i"], leaving: 3)
    }

    private static func dutch(_ word: inout [UInt8]) {
        cut(&word, ["en"], leaving: 3)
        undouble(&word)
        _ = replace(&word, "v", "f") || replace(&word, "z", "s")
        cut(&word, ["s"], leaving: 3)
        cut(&word, ["en", "e"], leaving: 3)
    }

    private static func finnish(_ word: inout [UInt8]) {
        cut(&word, ["oita", "ita", "ia", "ja", "t"], leaving: 4)
        while word.count > 4, let last = word.last, vowels.contains(last) { word.removeLast() }
        undouble(&word)
    }

    private static func slavic(_ word: inout [UInt8]) {
        // Lists made by machines put an English plural behind any word.
        cut(&word, ["s"], leaving: 3)
        undouble(&word)
        cut(&word, ["ov", "ow", "ev", "iv", "ami", "ach", "ych", "ym"], leaving: 4)
        while word.count > 3, let last = word.last, vowels.contains(last) || last == UInt8(ascii: "j") {
            word.removeLast()
        }
    }

    private static let vowels = Set("aeiouy".utf8)

    private static func undouble(_ word: inout [UInt8]) {
        var single: [UInt8] = []
        for letter in word where single.last != letter { single.append(letter) }
        word = single
    }

    /// Takes off the first of the ends that fits and leaves enough letters.
    @discardableResult
    private static func cut(_ word: inout [UInt8], _ ends: [String], leaving count: Int) -> Bool {
        guard let end = ends.first(where: { word.count >= count + $0.utf8.count && word.ends(with: $0) }) else {
            return false
        }
        word.removeLast(end.utf8.count)
        return true
    }

    private static func replace(_ word: inout [UInt8], _ end: String, _ other: String) -> Bool {
        guard word.count > end.utf8.count + 2, word.ends(with: end) else { return false }
        word.removeLast(end.utf8.count)
        word += other.utf8
        return true
    }
}

extension [UInt8] {
    fileprivate func ends(with end: String) -> Bool { suffix(end.utf8.count).elementsEqual(end.utf8) }
}

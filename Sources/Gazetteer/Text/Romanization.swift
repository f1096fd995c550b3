import CICU

/// Latin spellings that people type for names in other letters, beside the one that `TextFold` makes.
///
/// Cyrillic is written as on road signs (х kh, ш sh, я ya), since the fold reads letter for letter (х h, ш s, я a). Han
/// characters, which the fold keeps, are read as Mandarin where they stand in a country that speaks it, and kana as they
/// sound; each also in one piece, as "Beijing" is written.
enum Romanization {
    private static let mandarin: Set<String> = ["cn", "tw", "hk", "mo", "sg"]
    private static let longestJoined = 6

    /// Further spellings of a name; none for text in Latin letters.
    ///
    /// - Parameter country: the code of the country where the name stands, small letters.
    static func spellings(of text: String, country: String?) -> [String] {
        // Cyrillic begins with the byte 0xd0, kana and Han with 0xe3.
        guard text.utf8.contains(where: { $0 >= 0xd0 }) else { return [] }
        var hasCyrillic = false, hasKana = false, hasHan = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x400...0x52f: hasCyrillic = true
            case 0x3040...0x30ff: hasKana = true
            case 0x3400...0x9fff, 0xf900...0xfaff, 0x20000...0x3ffff: hasHan = true
            default: break
            }
        }
        if hasCyrillic { return [signs(text)] }
        guard hasHan || hasKana, !(hasHan && hasKana), !hasHan || mandarin.contains(country ?? "") else { return [] }
        let words = text.split(whereSeparator: { !TextFold.isHanOrKana($0.unicodeScalars.first?.value ?? 0) })
            .map(String.init)
        let read = words.map { word in
            hasKana
                ? [Transliteration.latinText(word)]
                : word.map { Transliteration.latinText(String($0)) }
        }
        guard read.allSatisfy({ $0.allSatisfy { !$0.isEmpty } }), !read.isEmpty else { return [] }
        var result = [read.map { $0.joined(separator: " ") }.joined(separator: " ")]
        if hasHan, read.allSatisfy({ $0.count <= longestJoined }) {
            result.append(read.map { $0.joined() }.joined(separator: " "))
        }
        return result
    }

    private static func signs(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if let letters = cyrillic[scalar.properties.lowercaseMapping] {
                result += letters
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let cyrillic: [String: String] = [
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "yo", "ж": "zh", "з": "z", "и": "i", "й": "y",
        "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f",
        "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu",
        "я": "ya", "і": "i", "ї": "yi", "є": "ye", "ґ": "g", "ў": "u", "ђ": "dj", "ј": "j", "љ": "lj", "њ": "nj",
        "ћ": "c", "џ": "dz",
    ]
}

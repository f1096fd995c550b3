import CICU
import Locking

/// Folds written text to small ASCII letters and digits, the first half of normalisation.
///
/// Case, accents and width go; `ß` becomes `ss`; Cyrillic, Greek and Armenian letters are read one by one from a table
/// that ICU fills once; other alphabets go through an ICU transliterator word by word; Han and kana stay as they are, one
/// character a word, since ICU would read Japanese as Mandarin. Digits of every script become ASCII digits.
enum TextFold {
    /// The letters and digits of a piece of text, and what stood between them.
    struct Word: Equatable {
        /// Folded text: `a`-`z`, `0`-`9`, or one Han or kana character.
        var text: String
        /// Where the word stands in the source, in UTF-8 bytes.
        var start: Int
        var end: Int
        /// What separated it from the word before: the strongest of the characters between them.
        var separator: Separator
        /// Whether a full stop follows at once, as after an abbreviation.
        var isStopped = false
        /// Whether it has letters of another alphabet than the Latin one.
        var isForeign = false
    }

    enum Separator: Int, Comparable {
        case none = 0
        case apostrophe, space, hyphen, slash, stop, comma, line

        static func < (a: Separator, b: Separator) -> Bool { a.rawValue < b.rawValue }
    }

    /// UTF-16 units of one word in letters that only ICU can read; some of its signs stand for a whole phrase.
    private static let longestForeignWord = 96

    /// Splits into folded words. Text beyond 4,096 bytes is cut off.
    static func words(_ text: String) -> [Word] {
        var copy = text
        return copy.withUTF8 { words($0) }
    }

    private static func words(_ bytes: UnsafeBufferPointer<UInt8>) -> [Word] {
        var result: [Word] = []
        var current: [UInt8] = []
        var foreign: [UInt16] = []  // letters of an alphabet that only ICU can read
        var start = 0
        var separator = Separator.none
        let limit = min(bytes.count, 4096)

        func close(at end: Int) {
            if !foreign.isEmpty {
                current += Transliteration.latin(foreign)
                foreign.removeAll(keepingCapacity: true)
            }
            guard !current.isEmpty else { return }
            collapse(&current)
            result.append(
                Word(
                    text: String(decoding: current, as: UTF8.self), start: start, end: end, separator: separator,
                    isStopped: end < bytes.count && bytes[end] == UInt8(ascii: "."),
                    isForeign: isForeign(bytes, from: start, to: end)))
            current.removeAll(keepingCapacity: true)
            separator = .none
        }

        var index = 0
        while index < limit {
            let byte = bytes[index]
            if byte < 0x80 {
                switch byte {
                case 0x61...0x7a, 0x30...0x39:
                    if current.isEmpty, foreign.isEmpty { start = index }
                    if !foreign.isEmpty {
                        current += Transliteration.latin(foreign)
                        foreign.removeAll(keepingCapacity: true)
                    }
                    current.append(byte)
                case 0x41...0x5a:
                    if current.isEmpty, foreign.isEmpty { start = index }
                    current.append(byte | 0x20)
                case UInt8(ascii: "&"), UInt8(ascii: "@"):
                    close(at: index)
                    let text = byte == UInt8(ascii: "&") ? "and" : "at"
                    result.append(Word(text: text, start: index, end: index + 1, separator: separator))
                    separator = .none
                default:
                    close(at: index)
                    separator = max(separator, separatorOf(byte))
                }
                index += 1
                continue
            }
            let (scalar, length) = decode(bytes, at: index)
            let here = index
            index += length
            let value = scalar.value
            if value < UInt32(FoldTable.limit) {
                let folded = FoldTable.shared[value]
                switch folded {
                case .letters(let letters):
                    if current.isEmpty, foreign.isEmpty { start = here }
                    current += letters
                case .nothing: break
                case .separator(let kind):
                    close(at: here)
                    separator = max(separator, kind)
                }
                continue
            }
            if isHanOrKana(value) {
                close(at: here)
                result.append(
                    Word(
                        text: String(Character(scalar)), start: here, end: index, separator: separator,
                        isForeign: true))
                separator = .none
                continue
            }
            if (0x2010...0x2015).contains(value) {
                close(at: here)
                separator = max(separator, .hyphen)
                continue
            }
            if value == 0x2019 || value == 0x2018 || value == 0x02bc {
                close(at: here)
                separator = max(separator, .apostrophe)
                continue
            }
            if value == 0x3001 || value == 0xff0c {
                close(at: here)
                separator = max(separator, .comma)
                continue
            }
            let properties = scalar.properties
            if let number = properties.numericValue, number >= 0, number < 10_000, number == number.rounded() {
                if current.isEmpty, foreign.isEmpty { start = here }
                current += Array(String(Int(number)).utf8)
                continue
            }
            if (0xff21...0xff5a).contains(value), properties.isAlphabetic {
                if current.isEmpty, foreign.isEmpty { start = here }
                current.append(UInt8(truncatingIfNeeded: value - 0xff21 + 0x41) | 0x20)
                continue
            }
            if properties.isAlphabetic || properties.generalCategory == .nonspacingMark
                || properties.generalCategory == .spacingMark
            {
                // The marks and signs of Han that stand apart from its blocks say nothing, and ICU would make its rules
                // for Han ready for them, which takes longer than any question.
                if sx_is_han(value) != 0 { continue }
                if current.isEmpty, foreign.isEmpty { start = here }
                // No word is longer: the rest of it is read as letters that say nothing.
                if foreign.count < longestForeignWord { foreign += Array(String(Character(scalar)).utf16) }
                continue
            }
            if properties.generalCategory == .format { continue }
            close(at: here)
            separator = max(separator, .space)
        }
        close(at: limit)
        return result
    }

    static func separatorOf(_ byte: UInt8) -> Separator {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "`"): .apostrophe
        case UInt8(ascii: "-"): .hyphen
        case UInt8(ascii: "/"): .slash
        case UInt8(ascii: "."): .stop
        case UInt8(ascii: ","), UInt8(ascii: ";"): .comma
        case 10, 13: .line
        default: .space
        }
    }

    /// Whether any letter of the word belongs to another alphabet than the Latin one: U+0370 and above, but for the Latin
    /// letters of U+1E00 to U+1EFF and punctuation.
    private static func isForeign(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Bool {
        for index in start..<min(end, bytes.count) {
            switch bytes[index] {
            case 0xcd...0xe0, 0xe3...0xf4: return true
            case 0xe1: if index + 1 < bytes.count, !(0xb8...0xbb).contains(bytes[index + 1]) { return true }
            default: break
            }
        }
        return false
    }

    /// Whether it is written without spaces, a word a character: Han, the marks that repeat it, and kana of full width.
    static func isHanOrKana(_ value: UInt32) -> Bool {
        (0x3040...0x30ff).contains(value) || (0x3400...0x9fff).contains(value) || (0xf900...0xfaff).contains(value)
            || (0x20000...0x3ffff).contains(value) || value == 0x3005
    }

    /// Lets the two spellings of umlauts and the Nordic letters meet: `ae`, `oe`, `ue` and `aa` lose their second vowel.
    ///
    /// Both sides of every comparison go through it, so that a word which merely contains these letters still equals
    /// itself. `ue` after a, e, o or q stays (`neue`, `bauer`, `que`).
    static func collapse(_ word: inout [UInt8]) {
        guard word.count > 2 else { return }
        let a = UInt8(ascii: "a"), e = UInt8(ascii: "e"), o = UInt8(ascii: "o"), u = UInt8(ascii: "u")
        let q = UInt8(ascii: "q")
        var write = 0
        var hasJustDropped = false
        for read in word.indices {
            let byte = word[read]
            // One letter of a pair, never a whole run: "aaaaaaaa" is no "a".
            if write > 0, !hasJustDropped {
                hasJustDropped = true
                let last = word[write - 1]
                if byte == e, last == a || last == o { continue }
                if byte == a, last == a { continue }
                if byte == e, last == u {
                    let before = write > 1 ? word[write - 2] : 0
                    if before != a, before != e, before != o, before != q { continue }
                }
            }
            hasJustDropped = false
            word[write] = byte
            write += 1
        }
        word.removeLast(word.count - write)
    }

    /// What one letter folds to where letters are read one by one; empty for a mark over another, nil for all else.
    static func letters(_ scalar: Unicode.Scalar) -> [UInt8]? {
        switch scalar.value {
        case 0x61...0x7a: return [UInt8(scalar.value)]
        case 0x41...0x5a: return [UInt8(scalar.value) | 0x20]
        case 0xa0..<UInt32(FoldTable.limit):
            switch FoldTable.shared[scalar.value] {
            case .letters(let letters): return letters
            case .nothing: return []
            case .separator: return nil
            }
        default: return nil
        }
    }

    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (Unicode.Scalar, Int) {
        // The bytes come from a String, so they are well-formed.
        let first = UInt32(bytes[index])
        func tail(_ n: Int) -> UInt32 { index + n < bytes.count ? UInt32(bytes[index + n]) & 0x3f : 0 }
        let value: UInt32
        let length: Int
        if first < 0xe0 {
            value = (first & 0x1f) << 6 | tail(1)
            length = 2
        } else if first < 0xf0 {
            value = (first & 0x0f) << 12 | tail(1) << 6 | tail(2)
            length = 3
        } else {
            value = (first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3)
            length = 4
        }
        return (Unicode.Scalar(value) ?? " ", length)
    }
}

/// What each character up to U+1FFF that is read alone folds to.
private struct FoldTable: Sendable {
    enum Entry: Sendable {
        case letters([UInt8])
        case nothing
        case separator(TextFold.Separator)
    }

    /// Latin, Greek, Cyrillic and Armenian with their supplements; above it ICU or the Unicode properties decide.
    static let limit = 0x590

    static let shared = FoldTable()

    private let entries: [Entry]

    subscript(value: UInt32) -> Entry { entries[Int(value)] }

    private init() {
        var entries = [Entry](repeating: .separator(.space), count: Self.limit)
        for value in 0xa0..<Self.limit {
            guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
            let properties = scalar.properties
            if (0x300...0x36f).contains(value) || (0x483...0x489).contains(value) || value == 0xad {
                entries[value] = .nothing
            } else if value == 0xb4 || (0x2b9...0x2bf).contains(value) {
                entries[value] = .separator(.apostrophe)
            } else if let number = properties.numericValue {
                if number == number.rounded(), number >= 0, number < 1000 {
                    entries[value] = .letters(Array(String(Int(number)).utf8))
                }
            } else if value == 0x419 || value == 0x439 {
                // As its letter without the breve, which is how it is read when the two are written apart.
                entries[value] = .letters([UInt8(ascii: "i")])
            } else if properties.isAlphabetic {
                let latin = Transliteration.latin(Array(String(Character(scalar)).utf16))
                entries[value] = latin.isEmpty ? .nothing : .letters(latin)
            }
        }
        self.entries = entries
    }
}

/// ICU's transliterators, kept open and lent to one thread at a time.
enum Transliteration {
    private struct Lent: @unchecked Sendable {
        // A transliterator is used by one thread at a time: it leaves the list while it is lent.
        var pointer: OpaquePointer
    }

    private static let idle = Mutex<[Lent]>([])

    /// Words that were read before, since a question reads its own many times and an import those of a region. Bounded:
    /// emptied when full.
    private static let known = Mutex<[[UInt16]: [UInt8]]>([:])

    /// Small ASCII letters and digits for text of any alphabet; empty where ICU knows no reading.
    static func latin(_ text: [UInt16]) -> [UInt8] {
        if let known = known.withLock({ $0[text] }) { return known }
        let made = transliterated(text)
        known.withLock {
            if $0.count >= 8_192 { $0.removeAll(keepingCapacity: true) }
            $0[text] = made
        }
        return made
    }

    private static func transliterated(_ text: [UInt16]) -> [UInt8] {
        guard let lent = idle.withLock({ $0.popLast() }) ?? open() else { return [] }
        defer { idle.withLock { $0.append(lent) } }
        let capacity = text.count * 8 + 64
        var buffer = text + [UInt16](repeating: 0, count: capacity - text.count)
        var error: Int32 = 0
        let count = buffer.withUnsafeMutableBufferPointer {
            sx_trans_apply(lent.pointer, $0.baseAddress, Int32(text.count), Int32(capacity), &error)
        }
        guard error <= 0, count >= 0, Int(count) <= capacity else { return [] }
        var result: [UInt8] = []
        for unit in buffer[..<Int(count)] {
            switch unit {
            case 0x61...0x7a, 0x30...0x39: result.append(UInt8(unit))
            case 0x41...0x5a: result.append(UInt8(unit) | 0x20)
            default: break
            }
        }
        return result
    }

    /// The same for a whole text.
    static func latinText(_ text: String) -> String { String(decoding: latin(Array(text.utf16)), as: UTF8.self) }

    /// ICU's version, stored in the atlas: another version may read a script otherwise.
    static var version: String { String(cString: sx_icu_version()) }

    private static func open() -> Lent? {
        let id = Array("Any-Latin; NFKD; [:Mn:] Remove; Latin-ASCII; Lower".utf16)
        var error: Int32 = 0
        guard let pointer = sx_trans_open(id, Int32(id.count), &error), error <= 0 else { return nil }
        return Lent(pointer: pointer)
    }
}

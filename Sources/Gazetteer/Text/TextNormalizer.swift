import Foundation
import GazetteerData

/// Turns names and queries into canonical tokens, the same way on both sides.
///
///     try TextNormalizer.shared.tokens("Hauptstr. 5th Ave")      // ["haupt", "str", "5", "av"]
///
/// Text is folded (`TextFold`), then the lexicon speaks: abbreviations and their long forms become one token, ordinals
/// become numbers, and compound street names lose their suffix to a token of its own (Hauptstraße, Hauptstr., Haupt
/// Straße). The lexicon is plain text, copied into each atlas, so that a query is read as the import read the names.
public struct TextNormalizer: Sendable {
    /// Raised when the same text would give other tokens than before: part of the format of an atlas.
    public static let version = 2

    /// With the lexicon that came with the program. Throws where the resource cannot be found or read.
    public static var shared: TextNormalizer {
        get throws { try bundled.get() }
    }

    private static let bundled: Result<TextNormalizer, any Error> = Result {
        let url = try GazetteerData.url("lexicons/words.tsv")
        return TextNormalizer(lexicon: try String(contentsOf: url, encoding: .utf8))
    }

    /// A word of a text after normalisation.
    public struct Token: Sendable, Equatable {
        /// The canonical form.
        public var text: String
        /// Where it was written, in UTF-8 bytes of the source. Tokens made from one written word share its range.
        public var range: Range<Int>
        /// How many commas or line ends stand before it.
        public var segment: Int
        /// What the lexicon says of it.
        public var role: Role
    }

    /// What kind of word a token is.
    public struct Role: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// A street type (street, rue, straße): common, and no name by itself.
        public static let street = Role(rawValue: 1)
        /// North, south-east ...
        public static let direction = Role(rawValue: 2)
        /// An article or preposition that people leave out.
        public static let light = Role(rawValue: 4)
        /// A unit, floor or care-of word; what follows it is no part of the address.
        public static let unit = Role(rawValue: 8)
        /// And, at, corner of: between the two streets of an intersection.
        public static let joint = Role(rawValue: 16)
        /// A suffix cut off a compound word.
        public static let suffix = Role(rawValue: 32)
        /// Made only of digits.
        public static let number = Role(rawValue: 64)
        /// Has a digit.
        public static let digits = Role(rawValue: 128)
    }

    /// The text that the lexicon was read from.
    public let lexicon: String

    private(set) var canonical: [String: String] = [:]
    private(set) var roles: [String: Role] = [:]
    private var phrases: [String: [(rest: [String], token: String)]] = [:]
    private(set) var suffixes: [(bytes: [UInt8], token: String, stem: Int)] = []
    /// Ends of words and whole words that count only before a full stop: "Mühlg.", "Kasarmik.", "Б. Лубянка"; whole words
    /// by themselves, those of other alphabets apart.
    private var stoppedEnds: [(bytes: [UInt8], token: String)] = []
    private var stoppedWords: [String: String] = [:]
    private var stoppedForeignWords: [String: String] = [:]
    /// Folded words that may stand between the two streets of an intersection, whatever else they mean.
    private(set) var jointWords: Set<String> = []
    /// One-letter and other short words that an apostrophe sets off: d', l', dell'.
    private var elisions: Set<String> = []

    /// Reads a lexicon: lines of `class TAB language TAB canonical TAB variants, separated by commas`; `#` begins a comment.
    ///
    /// Lines of unknown class or with too few columns are passed over.
    public init(lexicon: String) {
        self.lexicon = lexicon
        for line in lexicon.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count >= 4 else { continue }
            let variants = columns[3].split(separator: ",").map { String($0) }
            let token = TextFold.words(String(columns[2])).map(\.text).joined()
            guard !token.isEmpty else { continue }
            let role: Role
            switch columns[0] {
            case "street": role = .street
            case "direction": role = .direction
            case "light": role = .light
            case "unit": role = .unit
            case "joint": role = .joint
            case "between":
                for variant in [String(columns[2])] + variants {
                    jointWords.formUnion(TextFold.words(variant).map(\.text))
                }
                continue
            case "stopped":
                for variant in variants {
                    guard let word = TextFold.words(variant).first else { continue }
                    if variant.hasPrefix("-") {
                        stoppedEnds.append((Array(word.text.utf8), token))
                    } else if word.isForeign {
                        stoppedForeignWords[word.text] = token
                    } else {
                        stoppedWords[word.text] = token
                    }
                }
                continue
            case "word": role = []
            case "elision":
                for variant in [String(columns[2])] + variants {
                    elisions.formUnion(TextFold.words(variant).map(\.text))
                }
                continue
            case "suffix":
                for variant in variants {
                    let bytes = Array(TextFold.words(variant).map(\.text).joined().utf8)
                    guard bytes.count > 1 else { continue }
                    suffixes.append((bytes, token, bytes.count < 4 ? 4 : 3))
                }
                roles[token, default: []].formUnion(.street)
                continue
            default: continue
            }
            roles[token, default: []].formUnion(role)
            for variant in variants + [String(columns[2])] {
                let words = TextFold.words(variant).map(\.text)
                guard let first = words.first else { continue }
                if words.count == 1 {
                    if canonical[first] == nil { canonical[first] = token }
                } else {
                    phrases[first, default: []].append((Array(words.dropFirst()), token))
                }
            }
        }
        for key in phrases.keys { phrases[key]?.sort { $0.rest.count > $1.rest.count } }
        suffixes.sort { $0.bytes.count > $1.bytes.count }
    }

    /// The canonical tokens of a text, in order.
    public func tokens(_ text: String) -> [String] { read(text).map(\.text) }

    /// The tokens joined by spaces: equal for names that mean the same.
    public func key(_ text: String) -> String { tokens(text).joined(separator: " ") }

    /// The canonical tokens with their places in the text and their roles.
    public func read(_ text: String) -> [Token] { read(written(text)) }

    /// The folded words of a text as they are written, before the lexicon speaks.
    func written(_ text: String) -> [TextFold.Word] { joinInitials(TextFold.words(text)) }

    /// The canonical tokens of folded words.
    func read(_ words: [TextFold.Word]) -> [Token] {
        var result: [Token] = []
        result.reserveCapacity(words.count + 2)
        var segment = 0
        var index = 0
        while index < words.count {
            let word = words[index]
            if index > 0, word.separator >= .comma { segment += 1 }
            if let (token, count) = phrase(at: index, in: words) {
                let range = word.start..<words[index + count - 1].end
                result.append(Token(text: token, range: range, segment: segment, role: roles[token] ?? []))
                index += count
                continue
            }
            index += 1
            // "1-й", "2-я": the ending of an ordinal, set off by a hyphen.
            if word.isForeign, word.separator == .hyphen, let last = result.last, last.role.contains(.number),
                last.range.upperBound + 1 == word.start, Self.ordinalEndings.contains(word.text)
            {
                result[result.count - 1].range = last.range.lowerBound..<word.end
                continue
            }
            // "Albert I": the Roman one at the end of a name. Between words it is an "and".
            if word.text == "i", !word.isForeign, word.separator == .space, let last = result.last,
                !last.role.contains(.digits),
                index == words.count || words[index].separator >= .comma
                    || words[index].text.utf8.first.map({ $0 < 58 }) == true
            {
                let range = word.start..<word.end
                result.append(Token(text: "1", range: range, segment: segment, role: [.number, .digits]))
                continue
            }
            append(word, segment: segment, to: &result)
        }
        return result
    }

    /// The text without words that were written twice in a row ("Mill Lane Mill Lane 5 5"); nil where there are none.
    ///
    /// A name may be such a pair itself ("Baden-Baden"): the text as it stands is to be asked first.
    public static func withoutRepeats(_ text: String) -> String? {
        let words = TextFold.words(text)
        var kept: [UInt8] = []
        let source = Array(text.utf8)
        var copied = 0
        var index = 0
        while index < words.count {
            // The longest run first, so that "16/16 16/16" becomes "16/16".
            let length = (1...4).last { length in
                index + 2 * length <= words.count
                    && (0..<length).allSatisfy { words[index + $0].text == words[index + length + $0].text }
            }
            guard let length else {
                index += 1
                continue
            }
            kept += source[copied..<words[index].start]
            copied = words[index + length].start
            index += 2 * length
        }
        guard copied > 0 else { return nil }
        return String(decoding: kept + source[copied...], as: UTF8.self)
    }

    private func append(_ word: TextFold.Word, segment: Int, to result: inout [Token]) {
        let range = word.start..<word.end
        if word.isStopped, let known = (word.isForeign ? stoppedForeignWords : stoppedWords)[word.text] {
            result.append(Token(text: known, range: range, segment: segment, role: roles[known] ?? []))
            return
        }
        if let known = canonical[word.text] {
            var role = roles[known] ?? []
            if known.utf8.allSatisfy({ $0 < 58 }) { role.formUnion([.number, .digits]) }
            result.append(Token(text: known, range: range, segment: segment, role: role))
            return
        }
        let bytes = Array(word.text.utf8)
        var digits = 0
        for byte in bytes where byte >= 0x30 && byte <= 0x39 { digits += 1 }
        if digits > 0 {
            if digits == bytes.count {
                result.append(Token(text: word.text, range: range, segment: segment, role: [.number, .digits]))
            } else if let ordinal = Self.ordinal(bytes, isForeign: word.isForeign) {
                result.append(Token(text: ordinal, range: range, segment: segment, role: [.number, .digits]))
            } else {
                result.append(Token(text: word.text, range: range, segment: segment, role: .digits))
            }
            return
        }
        if word.isStopped {
            for end in stoppedEnds where bytes.count >= end.bytes.count + 3 {
                guard bytes.suffix(end.bytes.count).elementsEqual(end.bytes) else { continue }
                let text = String(decoding: bytes.dropLast(end.bytes.count), as: UTF8.self)
                result.append(Token(text: text, range: range, segment: segment, role: []))
                result.append(
                    Token(
                        text: end.token, range: range, segment: segment,
                        role: (roles[end.token] ?? []).union([.street, .suffix])))
                return
            }
        }
        for suffix in suffixes where bytes.count >= suffix.bytes.count + suffix.stem {
            guard bytes.suffix(suffix.bytes.count).elementsEqual(suffix.bytes) else { continue }
            let text = String(decoding: bytes.dropLast(suffix.bytes.count), as: UTF8.self)
            let stem = canonical[text] ?? text
            result.append(Token(text: stem, range: range, segment: segment, role: roles[stem] ?? []))
            result.append(
                Token(
                    text: suffix.token, range: range, segment: segment,
                    role: (roles[suffix.token] ?? []).union(.suffix)))
            return
        }
        result.append(Token(text: word.text, range: range, segment: segment, role: roles[word.text] ?? []))
    }

    private func phrase(at index: Int, in words: [TextFold.Word]) -> (String, Int)? {
        guard let candidates = phrases[words[index].text] else { return nil }
        for candidate in candidates {
            let end = index + 1 + candidate.rest.count
            guard end <= words.count else { continue }
            var fits = true
            for offset in candidate.rest.indices {
                let word = words[index + 1 + offset]
                if word.text != candidate.rest[offset] || word.separator >= .comma {
                    fits = false
                    break
                }
            }
            if fits { return (candidate.token, candidate.rest.count + 1) }
        }
        return nil
    }

    /// Joins `N.Y.` and `D.C` to one word, and what an apostrophe parts unless it sets off an article (`d'`, `l'`).
    private func joinInitials(_ words: [TextFold.Word]) -> [TextFold.Word] {
        guard words.contains(where: { $0.separator == .apostrophe || $0.separator == .stop }) else { return words }
        var result: [TextFold.Word] = []
        var initials = 0
        for word in words {
            if word.separator == .apostrophe, let last = result.last, last.end + 3 >= word.start,
                !elisions.contains(last.text)
            {
                result[result.count - 1].text += word.text
                result[result.count - 1].end = word.end
                continue
            }
            if word.separator == .stop, let last = result.last, last.end + 1 == word.start, word.text.utf8.count == 1,
                last.text.utf8.count == initials + 1, isLetters(word.text), isLetters(last.text)
            {
                result[result.count - 1].text += word.text
                result[result.count - 1].end = word.end
                initials += 1
                continue
            }
            initials = 0
            result.append(word)
        }
        return result
    }

    private func isLetters(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7a } }

    /// Endings of Russian, Ukrainian and Bulgarian ordinals, folded.
    private static let ordinalEndings: Set<String> = [
        "i", "a", "e", "ii", "yi", "aa", "ee", "oi", "go", "ogo", "ti", "ta", "ma", "ra",
    ]

    /// `5` for 5th, 5e, 5ème, 1er, 5º, 5-я; nil for what is no ordinal.
    static func ordinal(_ bytes: [UInt8], isForeign: Bool = false) -> String? {
        var count = 0
        while count < bytes.count, bytes[count] >= 0x30, bytes[count] <= 0x39 { count += 1 }
        guard count > 0, count < bytes.count else { return nil }
        let ending = String(decoding: bytes[count...], as: UTF8.self)
        let endings = isForeign ? ordinalEndings : latinOrdinalEndings
        return endings.contains(ending) ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    private static let latinOrdinalEndings: Set<String> = [
        "st", "nd", "rd", "th", "e", "er", "eme", "ieme", "nde", "re", "ste", "de",
    ]
}

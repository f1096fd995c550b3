/// The tokens of a value, each with its place in the text. A token is a few plain words, so that looking ahead costs nothing.
struct OpeningHoursTokens {
    enum Mark: Hashable {
        case dash, colon, dot, comma, semicolon, bars, slash, plus, open, close, openSquare, closeSquare
    }

    enum Lexeme: Hashable {
        /// Digits, and how many.
        case number(Int, Int)
        case word(OpeningHoursWord)
        /// Its place in `comments`.
        case comment(Int)
        case mark(Mark)
        case end
    }

    struct Token {
        var lexeme: Lexeme
        var range: Range<String.Index>
        /// Whether it follows another token without a blank.
        var isAttached: Bool
    }

    let text: String
    private(set) var tokens: [Token] = []
    private(set) var comments: [String] = []

    init(_ text: String) throws {
        self.text = text
        let scalars = text.unicodeScalars
        var isAttached = false
        var index = scalars.startIndex
        tokens.reserveCapacity(text.utf8.count / 2 + 1)
        while index < scalars.endIndex {
            let scalar = scalars[index]
            var end = scalars.index(after: index)
            let lexeme: Lexeme
            if let value = Self.digit(scalar) {
                var number = value
                var count = 1
                while end < scalars.endIndex, let next = Self.digit(scalars[end]) {
                    count += 1
                    if count <= 5 { number = number * 10 + next }
                    end = scalars.index(after: end)
                }
                guard count <= 5 else { throw error(.outOfRange(String(text[index..<end].prefix(20))), at: index) }
                lexeme = .number(number, count)
            } else if let mark = Self.mark(scalar) {
                lexeme = .mark(mark)
            } else if Self.isLetter(scalar) {
                while end < scalars.endIndex, Self.isLetter(scalars[end]) || Self.isAccent(scalars[end]) {
                    end = scalars.index(after: end)
                }
                lexeme = try word(from: index, to: &end)
            } else if scalar == " " || scalar.properties.isWhitespace {
                isAttached = false
                index = end
                continue
            } else if scalar == "|" {
                while end < scalars.endIndex, scalars[end] == "|" { end = scalars.index(after: end) }
                guard text[index..<end] == "||" else {
                    throw error(.notUnderstood(String(text[index..<end].prefix(20))), at: index)
                }
                lexeme = .mark(.bars)
            } else if let closing = Self.closing(scalar) {
                let begin = end
                while end < scalars.endIndex, !closing.contains(scalars[end]) { end = scalars.index(after: end) }
                guard end < scalars.endIndex else { throw error(.unclosedComment, at: index) }
                comments.append(String(text[begin..<end].trimmed()))
                lexeme = .comment(comments.count - 1)
                end = scalars.index(after: end)
            } else {
                throw error(.notUnderstood(String(text[index...].prefix(1))), at: index)
            }
            tokens.append(Token(lexeme: lexeme, range: index..<end, isAttached: isAttached))
            isAttached = true
            index = end
        }
        tokens.append(Token(lexeme: .end, range: text.endIndex..<text.endIndex, isAttached: isAttached))
    }

    /// An error about the part that begins at an index.
    func error(_ reason: OpeningHoursError.Reason, at index: String.Index) -> OpeningHoursError {
        OpeningHoursError(reason: reason, position: text.distance(from: text.startIndex, to: index))
    }

    private func word(from index: String.Index, to end: inout String.Index) throws -> Lexeme {
        let letters = text[index..<end]
        // "a.m.", "p.m."; the last point is read as a mark.
        if letters.utf8.count == 1, let half = letters.first, "apAP".contains(half),
            text[end...].prefix(2).lowercased() == ".m"
        {
            end = text.unicodeScalars.index(end, offsetBy: 2)
            return .word("aA".contains(half) ? .beforeNoon : .afterNoon)
        }
        guard let word = OpeningHoursWord(letters) else {
            throw error(.notUnderstood(String(letters.prefix(40))), at: index)
        }
        return .word(word)
    }

    /// ASCII and full-width digits.
    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        switch scalar.value {
        case 0x30...0x39: Int(scalar.value - 0x30)
        case 0xFF10...0xFF19: Int(scalar.value - 0xFF10)
        default: nil
        }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? (0x61...0x7A).contains(scalar.value | 0x20) : scalar.properties.isAlphabetic
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isASCII && scalar.properties.generalCategory == .nonspacingMark
    }

    private static func mark(_ scalar: Unicode.Scalar) -> Mark? {
        switch scalar {
        case "-", "–", "—", "‐", "‑", "‒", "−", "~", "～", "〜", "－", "―": .dash
        case ":", "：": .colon
        case ".": .dot
        case ",", "，", "、", "&": .comma
        case ";", "；": .semicolon
        case "/": .slash
        case "+", "＋": .plus
        case "(", "（": .open
        case ")", "）": .close
        case "[": .openSquare
        case "]": .closeSquare
        default: nil
        }
    }

    /// What ends a comment that begins so.
    private static func closing(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar {
        case "\"": ["\""]
        case "“": ["”", "“", "\""]
        case "”": ["”", "\""]
        case "„": ["“", "”", "\""]
        case "«": ["»"]
        case "»": ["«", "»"]
        case "「": ["」"]
        default: nil
        }
    }
}

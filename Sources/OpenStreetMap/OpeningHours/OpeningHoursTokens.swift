/// The tokens of a value, each with its place in the text.
struct OpeningHoursTokens {
    enum Mark: Hashable {
        case dash, colon, dot, comma, semicolon, bars, slash, plus, open, close, openSquare, closeSquare
    }

    enum Lexeme: Hashable {
        /// Digits, and how many.
        case number(Int, Int)
        case word(OpeningHoursWord)
        case comment(String)
        case mark(Mark)
        case end
    }

    struct Token {
        var lexeme: Lexeme
        var text: Substring
        /// Characters before it.
        var position: Int
        /// Whether it follows another token without a blank.
        var isAttached: Bool
    }

    private(set) var tokens: [Token] = []

    private static let marks: [Character: Mark] = [
        "-": .dash, "–": .dash, "—": .dash, "‐": .dash, "‑": .dash, "‒": .dash, "−": .dash, "~": .dash, "～": .dash,
        "〜": .dash, "ー": .dash, "－": .dash, "―": .dash,
        ":": .colon, "：": .colon, ".": .dot, ",": .comma, "，": .comma, "、": .comma, "&": .comma,
        ";": .semicolon, "；": .semicolon, "/": .slash, "+": .plus, "＋": .plus,
        "(": .open, ")": .close, "（": .open, "）": .close, "[": .openSquare, "]": .closeSquare,
    ]
    /// What ends a comment that begins so.
    private static let quotes: [Character: Set<Character>] = [
        "\"": ["\""], "“": ["”", "“", "\""], "”": ["”", "\""], "„": ["“", "”", "\""], "«": ["»"], "»": ["«", "»"],
        "「": ["」"],
    ]

    init(_ text: String) throws {
        var isAttached = false
        var position = 0
        var index = text.startIndex
        func error(_ reason: OpeningHoursError.Reason) -> OpeningHoursError {
            .init(reason: reason, position: position)
        }

        while index < text.endIndex {
            let character = text[index]
            var end = text.index(after: index)
            var length = 1
            func extend(while condition: (Character) -> Bool) {
                while end < text.endIndex, condition(text[end]) {
                    end = text.index(after: end)
                    length += 1
                }
            }
            var lexeme: Lexeme?
            if character.isWhitespace {
                isAttached = false
                index = end
                position += 1
                continue
            } else if Self.digit(character) != nil {
                extend { Self.digit($0) != nil }
                let digits = text[index..<end]
                guard length <= 5 else { throw error(.outOfRange(String(digits.prefix(20)))) }
                lexeme = .number(digits.reduce(0) { $0 * 10 + (Self.digit($1) ?? 0) }, length)
            } else if let closing = Self.quotes[character] {
                extend { !closing.contains($0) }
                guard end < text.endIndex else { throw error(.unclosedComment) }
                let inner = text[text.index(after: index)..<end]
                end = text.index(after: end)
                length += 1
                lexeme = .comment(String(inner.trimmed()))
            } else if character == "|" {
                guard end < text.endIndex, text[end] == "|" else { throw error(.notUnderstood("|")) }
                extend { $0 == "|" }
                guard length == 2 else { throw error(.notUnderstood(String(text[index..<end].prefix(20)))) }
                lexeme = .mark(.bars)
            } else if let mark = Self.marks[character] {
                lexeme = .mark(mark)
            } else if character.isLetter {
                extend { $0.isLetter }
                let word = text[index..<end]
                // "a.m.", "p.m."
                if length == 1, "apAP".contains(character), text[end...].prefix(2).lowercased() == ".m" {
                    end = text.index(end, offsetBy: 2)
                    length += 2
                }
                guard let known = OpeningHoursWord(text[index..<end]) else {
                    throw error(.notUnderstood(String(word.prefix(40))))
                }
                lexeme = .word(known)
            }
            guard let lexeme else { throw error(.notUnderstood(String(character))) }
            tokens.append(Token(lexeme: lexeme, text: text[index..<end], position: position, isAttached: isAttached))
            isAttached = true
            index = end
            position += length
        }
        tokens.append(Token(lexeme: .end, text: text[text.endIndex...], position: position, isAttached: isAttached))
    }

    /// ASCII and full-width digits.
    private static func digit(_ character: Character) -> Int? {
        guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return nil }
        switch scalar.value {
        case 0x30...0x39: return Int(scalar.value - 0x30)
        case 0xFF10...0xFF19: return Int(scalar.value - 0xFF10)
        default: return nil
        }
    }
}

/// A JSON object as it is written: its members and where their values stand, so that something can be put in without
/// writing the rest anew.
public struct JSONObjectText: Sendable {
    public struct Member: Sendable {
        public var key: String
        /// Where the value is written.
        public var value: Range<Int>
    }

    public let bytes: [UInt8]
    public let members: [Member]
    /// Where the brace is that closes the object.
    public let close: Int

    /// - Throws: `TableFault` where the text is not one JSON object (RFC 8259) and nothing else.
    public init(_ bytes: [UInt8]) throws(TableFault) { try self.init(bytes, 0..<bytes.count) }

    /// The object that is written in a part of the bytes.
    public init(_ bytes: [UInt8], _ range: Range<Int>) throws(TableFault) {
        var parser = Parser(bytes: bytes, index: range.lowerBound, end: range.upperBound)
        parser.skip()
        guard parser.peek == UInt8(ascii: "{") else { throw TableFault("is no JSON object") }
        var members: [Member] = []
        try parser.object(depth: 0) { members.append(Member(key: $0, value: $1)) }
        close = parser.index - 1
        parser.skip()
        guard parser.index == parser.end else { throw parser.fault("something stands behind the object") }
        self.bytes = bytes
        self.members = members
    }

    /// The last member of that name.
    public func range(_ key: String) -> Range<Int>? { members.last { $0.key == key }?.value }

    /// The object that a member holds; nil where it holds none.
    public func object(_ key: String) -> JSONObjectText? {
        guard let range = range(key), bytes[range.lowerBound] == UInt8(ascii: "{") else { return nil }
        return try? JSONObjectText(bytes, range)
    }

    /// A text, number or truth value as text; nil for null, objects and arrays.
    public func text(_ range: Range<Int>) -> String? {
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "n"): return nil
        case UInt8(ascii: "\""):
            var parser = Parser(bytes: bytes, index: range.lowerBound, end: range.upperBound)
            return try? parser.string()
        default: return String(decoding: bytes[range], as: UTF8.self)
        }
    }

    /// What members say, those of inner objects as `outer.inner`.
    public func value(_ path: String) -> String? {
        if let range = range(path) { return text(range) }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return object(String(path[..<dot]))?.value(String(path[path.index(after: dot)...]))
    }

    /// The names under which `value` finds something, of inner objects too.
    public var paths: [String] {
        members.flatMap { member -> [String] in
            if let inner = object(member.key) { return inner.members.map { "\(member.key).\($0.key)" } }
            return [member.key]
        }
    }

    /// The numbers that lie in a value, in their order: the coordinates of a geometry.
    public func numbers(_ range: Range<Int>) -> [Double] {
        bytes[range].split { !"+-.eE0123456789".utf8.contains($0) }
            .compactMap { Double(String(decoding: $0, as: UTF8.self)) }
    }

    /// The bytes with members put in behind those that are there.
    public func adding(_ written: [UInt8]) -> [UInt8] {
        Array(bytes[..<close]) + (members.isEmpty || written.isEmpty ? [] : [UInt8(ascii: ",")]) + written
            + bytes[close...]
    }

    private struct Parser {
        let bytes: [UInt8]
        var index: Int
        let end: Int
        static let deepest = 200

        var peek: UInt8? { index < end ? bytes[index] : nil }

        func fault(_ reason: String) -> TableFault { TableFault("no JSON at byte \(index + 1): \(reason)") }

        mutating func skip() {
            while let byte = peek, byte == 32 || byte == 9 || byte == 10 || byte == 13 { index += 1 }
        }

        mutating func object(depth: Int, _ found: (String, Range<Int>) -> Void) throws(TableFault) {
            guard depth < Self.deepest else { throw fault("too deep") }
            index += 1
            skip()
            if peek == UInt8(ascii: "}") {
                index += 1
                return
            }
            while true {
                skip()
                guard peek == UInt8(ascii: "\"") else { throw fault("a name in quotes is missing") }
                let key = try string()
                skip()
                guard peek == UInt8(ascii: ":") else { throw fault("\":\" is missing") }
                index += 1
                skip()
                let start = index
                try value(depth: depth + 1)
                found(key, start..<index)
                skip()
                let next = peek
                index += 1
                if next == UInt8(ascii: "}") { return }
                guard next == UInt8(ascii: ",") else {
                    index -= 1
                    throw fault("\",\" or \"}\" is missing")
                }
            }
        }

        mutating func value(depth: Int) throws(TableFault) {
            switch peek {
            case UInt8(ascii: "{"): try object(depth: depth) { _, _ in }
            case UInt8(ascii: "["):
                guard depth < Self.deepest else { throw fault("too deep") }
                index += 1
                skip()
                if peek == UInt8(ascii: "]") {
                    index += 1
                    return
                }
                while true {
                    skip()
                    try value(depth: depth + 1)
                    skip()
                    let next = peek
                    index += 1
                    if next == UInt8(ascii: "]") { return }
                    guard next == UInt8(ascii: ",") else {
                        index -= 1
                        throw fault("\",\" or \"]\" is missing")
                    }
                }
            case UInt8(ascii: "\""): _ = try string()
            default:
                let start = index
                while let byte = peek, !" \t\r\n,]}".utf8.contains(byte) { index += 1 }
                let word = String(decoding: bytes[start..<index], as: UTF8.self)
                let isNumber =
                    word.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) } && Double(word) != nil
                guard isNumber || ["true", "false", "null"].contains(word) else {
                    index = start
                    throw fault("a value is missing")
                }
            }
        }

        mutating func string() throws(TableFault) -> String {
            index += 1
            var plain: [UInt8] = []
            while let byte = peek {
                index += 1
                if byte == UInt8(ascii: "\"") { return String(decoding: plain, as: UTF8.self) }
                guard byte == UInt8(ascii: "\\") else {
                    guard byte >= 0x20 else { throw fault("a control character stands in a text") }
                    plain.append(byte)
                    continue
                }
                let letter = peek
                index += 1
                switch letter {
                case UInt8(ascii: "n"): plain.append(10)
                case UInt8(ascii: "t"): plain.append(9)
                case UInt8(ascii: "r"): plain.append(13)
                case UInt8(ascii: "b"): plain.append(8)
                case UInt8(ascii: "f"): plain.append(12)
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(letter ?? 0)
                case UInt8(ascii: "u"):
                    var code = try hex()
                    if (0xD800..<0xDC00).contains(code), index + 1 < end, bytes[index] == UInt8(ascii: "\\"),
                        bytes[index + 1] == UInt8(ascii: "u")
                    {
                        index += 2
                        let low = try hex()
                        if (0xDC00..<0xE000).contains(low) { code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00) }
                    }
                    plain += String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8
                default: throw fault("an escape that JSON does not have")
                }
            }
            throw fault("a quote is not closed")
        }

        private mutating func hex() throws(TableFault) -> UInt32 {
            guard index + 4 <= end, bytes[index..<index + 4].allSatisfy({ Self.isHex($0) }),
                let code = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
            else { throw fault("\\u wants four hexadecimal digits") }
            index += 4
            return code
        }

        private static func isHex(_ byte: UInt8) -> Bool { "0123456789abcdefABCDEF".utf8.contains(byte) }
    }
}

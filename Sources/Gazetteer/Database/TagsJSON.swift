import OpenStreetMap

/// Tags as a flat JSON object of texts, the form of `feature.tags`.
enum TagsJSON {
    /// Appends the object to `bytes`.
    static func append(_ tags: Tags, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for pair in tags.pairs {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            append(text: pair.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            append(text: pair.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    static func encode(_ tags: Tags) -> String {
        var bytes: [UInt8] = []
        append(tags, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(digits[Int(byte >> 4)])
                bytes.append(digits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Reads what `encode` wrote; nil for anything else, such as a damaged column.
    static func decode(_ text: UnsafeRawBufferPointer) -> Tags? {
        var reader = Reader(bytes: text)
        return reader.object()
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var offset = 0

        init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

        mutating func object() -> Tags? {
            guard take(UInt8(ascii: "{")) else { return nil }
            var pairs: [Tags.Pair] = []
            pairs.reserveCapacity(min(bytes.count / 20 + 1, 32))
            if take(UInt8(ascii: "}")) { return Tags() }
            while true {
                guard let key = text(), take(UInt8(ascii: ":")), let value = text() else { return nil }
                pairs.append(Tags.Pair(key: key, value: value))
                if take(UInt8(ascii: "}")) { return Tags(pairs) }
                guard take(UInt8(ascii: ",")) else { return nil }
            }
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            guard offset < bytes.count, bytes[offset] == byte else { return false }
            offset += 1
            return true
        }

        private mutating func text() -> String? {
            guard take(UInt8(ascii: "\"")) else { return nil }
            let start = offset
            // The pointer, since each subscript of a buffer asks whether there is one.
            guard let base = bytes.baseAddress else { return nil }
            while offset < bytes.count {
                let byte = base.load(fromByteOffset: offset, as: UInt8.self)
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
                offset += 1
            }
            guard offset < bytes.count else { return nil }
            if bytes[offset] == UInt8(ascii: "\"") {
                defer { offset += 1 }
                return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<offset]), as: UTF8.self)
            }
            var made = Array(bytes[start..<offset])
            while offset < bytes.count {
                let byte = bytes[offset]
                offset += 1
                if byte == UInt8(ascii: "\"") { return String(decoding: made, as: UTF8.self) }
                guard byte == UInt8(ascii: "\\") else {
                    made.append(byte)
                    continue
                }
                guard offset < bytes.count else { return nil }
                let escaped = bytes[offset]
                offset += 1
                switch escaped {
                case UInt8(ascii: "u"):
                    guard offset + 4 <= bytes.count else { return nil }
                    var value: UInt32 = 0
                    for index in offset..<offset + 4 {
                        guard let digit = Character(UnicodeScalar(bytes[index])).hexDigitValue else { return nil }
                        value = value << 4 | UInt32(digit)
                    }
                    offset += 4
                    guard let scalar = UnicodeScalar(value) else { return nil }
                    made.append(contentsOf: String(Character(scalar)).utf8)
                case UInt8(ascii: "n"): made.append(10)
                case UInt8(ascii: "t"): made.append(9)
                case UInt8(ascii: "r"): made.append(13)
                case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): made.append(escaped)
                default: return nil
                }
            }
            return nil
        }
    }
}

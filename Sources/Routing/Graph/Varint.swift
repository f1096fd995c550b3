/// Numbers of seven bits a byte, the lowest first; the eighth bit tells that more follow.
enum Varint {
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Small numbers of either sign become small ones.
    static func append(signed value: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    /// Reads one number after the other; nil at the end, and for what is none.
    struct Reader {
        private var next: UnsafePointer<UInt8>
        private let end: UnsafePointer<UInt8>

        /// - Parameter range: within `bytes`.
        init(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) {
            next = bytes + range.lowerBound
            end = bytes + range.upperBound
        }

        /// Bytes that are left.
        var remaining: Int { end - next }

        @inline(__always)
        mutating func number() -> UInt64? {
            guard next < end else { return nil }
            let first = next.pointee
            next += 1
            return first < 0x80 ? UInt64(first) : longer(UInt64(first & 0x7F))
        }

        @inline(__always)
        mutating func signed() -> Int64? {
            guard let value = number() else { return nil }
            return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
        }

        @inline(__always)
        private mutating func longer(_ first: UInt64) -> UInt64? {
            var value = first
            var shift: UInt64 = 7
            while next < end, shift < 64 {
                let byte = next.pointee
                next += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            return nil
        }
    }
}

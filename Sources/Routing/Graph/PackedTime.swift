/// A time in 16 bits: whole milliseconds up to 4.095 s, and with twelve significant bits up to 49 days.
///
/// A floating-point number without sign: five bits of exponent, eleven of mantissa, and a twelfth that is not kept, since
/// it is always set but where the exponent is 0. What edges cost is rounded to such times once, when it is made (by 1 in
/// 4,096 at most): they *are* the costs, over which a search is exact.
struct PackedTime: Hashable, BitwiseCopyable {
    let bits: UInt16

    /// What a closed edge has.
    static let closed = UInt16.max
    /// Milliseconds of the longest time.
    static let most: UInt32 = 4095 << 20

    /// The nearest time to whole milliseconds; `.max` is closed.
    init(milliseconds: UInt32) {
        if milliseconds == .max {
            bits = Self.closed
            return
        }
        let exact = UInt64(min(milliseconds, Self.most))
        var shift: UInt64 = 0
        var mantissa = exact
        while mantissa > 4095 {
            shift += 1
            mantissa = (exact + 1 << (shift - 1)) >> shift
        }
        bits = mantissa < 2048 ? UInt16(mantissa) : UInt16((shift + 1) << 11 | (mantissa - 2048))
    }

    /// Whole milliseconds as they come back from 16 bits.
    static func rounded(_ milliseconds: UInt32) -> UInt32 {
        Self.milliseconds(of: PackedTime(milliseconds: milliseconds).bits)
    }

    /// `.max` for what is closed.
    @inline(__always)
    static func milliseconds(of bits: UInt16) -> UInt32 {
        if bits == closed { return .max }
        let exponent = UInt32(bits >> 11)
        let mantissa = UInt32(bits & 0x7FF)
        return exponent == 0 ? mantissa : (mantissa | 0x800) &<< (exponent &- 1)
    }
}

/// Times by directed edge, as whole milliseconds.
struct TimeSection: Sendable {
    private let packed: Section<UInt16>

    init(_ packed: Section<UInt16>) { self.packed = packed }

    /// Reads below `count` only.
    struct Base {
        let bits: UnsafePointer<UInt16>

        @inline(__always)
        subscript(index: Int) -> UInt32 { PackedTime.milliseconds(of: bits[index]) }
    }

    var base: Base { Base(bits: packed.base) }
    var count: Int { packed.count }
    /// All of them, in memory of their own.
    var values: [UInt32] { packed.elements.map { PackedTime.milliseconds(of: $0) } }

    @inline(__always)
    subscript(index: UInt32) -> UInt32? { packed[index].map { PackedTime.milliseconds(of: $0) } }

    @inline(__always)
    subscript(index: Int) -> UInt32? { packed[index].map { PackedTime.milliseconds(of: $0) } }
}

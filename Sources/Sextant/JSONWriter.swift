/// Writes JSON into a growing buffer of bytes, commas and escapes included.
///
/// Calls come in document order; a member's value follows its `key`:
///
///     var json = JSONWriter()
///     json.object {
///         $0.member("code", "Ok")
///         $0.key("location")
///         $0.array { $0.number(7.41908); $0.number(43.73) }
///     }
///     // {"code":"Ok","location":[7.41908,43.73]}
///
/// Numbers that JSON has no form for (not finite) become `null`. Costs no allocation but the buffer's.
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8] = []
    /// Whether a comma must come before the next value or key.
    private var needsComma = false

    public init(reservingCapacity capacity: Int = 1024) {
        bytes.reserveCapacity(capacity)
    }

    /// The text written so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Structure

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// An object whose members `body` writes.
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// An array whose values `body` writes.
    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// The name of the member whose value comes next.
    public mutating func key(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    // MARK: Values

    public mutating func string(_ value: String) {
        separate()
        quote(value)
    }

    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
    public mutating func null() { raw("null") }
    public mutating func integer(_ value: some BinaryInteger) { raw(String(value)) }

    /// The shortest decimal that reads back as the same number.
    public mutating func number(_ value: Double) {
        guard value.isFinite else { return null() }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
            integer(whole)
        } else {
            raw("\(value)")
        }
    }

    /// A number rounded to at most `decimals` places (0 to 9), without trailing zeros.
    public mutating func number(_ value: Double, decimals: Int) {
        var scale = 1.0
        for _ in 0..<min(max(decimals, 0), 9) { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 9e15 else { return number(value) }
        separate()
        needsComma = true
        if scaled < 0 { bytes.append(UInt8(ascii: "-")) }
        let units = UInt64(scaled.magnitude)
        let divisor = UInt64(scale)
        bytes.append(contentsOf: String(units / divisor).utf8)
        var fraction = units % divisor
        guard fraction != 0 else { return }
        bytes.append(UInt8(ascii: "."))
        var place = divisor / 10
        while fraction != 0, place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(fraction / place))
            fraction %= place
            place /= 10
        }
    }

    /// Text that is JSON already, put in as it is.
    public mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    // MARK: Members

    public mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    /// The member, or `null` for it where there is no value.
    public mutating func member(_ name: String, _ value: String?) {
        key(name)
        if let value { string(value) } else { null() }
    }

    public mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    public mutating func member(_ name: String, _ value: some BinaryInteger) {
        key(name)
        integer(value)
    }

    public mutating func member(_ name: String, _ value: Double) {
        key(name)
        number(value)
    }

    public mutating func member(_ name: String, _ value: Double, decimals: Int) {
        key(name)
        number(value, decimals: decimals)
    }

    // MARK: Bytes

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var clean = 0
            for i in utf8.indices {
                let byte = utf8[i]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: utf8[clean..<i])
                clean = i + 1
                escape(byte)
            }
            bytes.append(contentsOf: utf8[clean...])
        }
        bytes.append(UInt8(ascii: "\""))
        needsComma = true
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(digits[Int(byte >> 4)])
            bytes.append(digits[Int(byte & 15)])
        }
    }
}

/// A form of a name and what is written instead, as `address-formats.tsv` puts it: `Landkreis ~`, `~ CP`,
/// `Paris # Arrondissement=Paris`.
///
/// `~` at an end stands for the rest of the name, which stays; `#` for a word that begins with a digit. Small and capital
/// letters of the Latin alphabet are the same.
struct AddressPattern: Sendable {
    private let core: [UInt8]
    private let replacement: [UInt8]
    private let isOpenBefore: Bool
    private let isOpenBehind: Bool

    init(_ text: String) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        var form = sides[0]
        isOpenBefore = form.hasPrefix("~")
        if isOpenBefore { form.removeFirst() }
        isOpenBehind = form.hasSuffix("~")
        if isOpenBehind { form.removeLast() }
        core = form.utf8.map(Self.small)
        replacement = sides.count > 1 ? Array(sides[1].utf8) : []
    }

    /// The name as it is written instead; nil where it has not this form.
    func replaced(in name: String) -> String? {
        var name = name
        return name.withUTF8 { bytes in
            let last = isOpenBefore ? bytes.count - 1 : 0
            guard last >= 0 else { return nil }
            for start in 0...last {
                guard let end = end(in: bytes, from: start), isOpenBehind || end == bytes.count else { continue }
                // `#` makes the form longer or shorter; nothing else does.
                return String(decoding: bytes[..<start] + replacement + bytes[end...], as: UTF8.self)
            }
            return nil
        }
    }

    func matches(_ name: String) -> Bool { replaced(in: name) != nil }

    /// Where the form ends that begins at `start`.
    private func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        for byte in core {
            guard position < bytes.count else { return nil }
            if byte == UInt8(ascii: "#") {
                guard (0x30...0x39).contains(bytes[position]) else { return nil }
                while position < bytes.count, bytes[position] != UInt8(ascii: " ") { position += 1 }
                continue
            }
            guard Self.small(bytes[position]) == byte else { return nil }
            position += 1
        }
        return position
    }

    private static func small(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}

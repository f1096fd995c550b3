import Routing

/// How two roads' names stand to each other.
enum RoadNames {
    /// Whether a driver would say that both stretches are the same road: they share their name, bar a point of the
    /// compass, or where one lacks a name, a route number. Roads without either are never the same.
    static func isSame(_ a: RoadAttributes, _ b: RoadAttributes) -> Bool {
        if a.isKnownToBeNamed(as: b) { return !a.name.isEmpty || !a.ref.isEmpty }
        if !a.name.isEmpty, !b.name.isEmpty { return isSameName(a.name, b.name) }
        return sharesRef(a.ref, b.ref)
    }

    /// Whether going on from `a` onto `b` is worth telling although there is no choice: `b` is called something else.
    /// Losing the name is not worth it, unless a number comes in its place.
    static func isAnnounced(from a: RoadAttributes, to b: RoadAttributes) -> Bool {
        if isSame(a, b) { return false }
        return !b.name.isEmpty || (!b.ref.isEmpty && (a.name.isEmpty || a.ref.isEmpty))
    }

    static func isSameName(_ a: String, _ b: String) -> Bool {
        if a == b { return true }
        var a = a
        var b = b
        return a.withUTF8 { x in b.withUTF8 { y in isSameBarCompass(x, y) } }
    }

    static func sharesRef(_ a: String, _ b: String) -> Bool {
        guard !a.isEmpty, !b.isEmpty else { return false }
        if a == b { return true }
        let others = refs(of: b)
        return refs(of: a).contains { others.contains($0) }
    }

    /// The single route numbers of a tag's value.
    static func refs(of text: String) -> [String] {
        text.utf8.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }.compactMap { part in
            let trimmed = String(Substring(part)).trimmed
            return trimmed.isEmpty ? nil : trimmed
        }
    }

    // MARK: Points of the compass

    /// Words that tell a stretch of a street by a point of the compass, in small letters.
    private static let compassWords: [[UInt8]] = [
        "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest", "nw", "ne", "sw", "se",
        "n", "s", "e", "w", "(north)", "(south)", "(east)", "(west)", "nord", "süd", "ost", "est", "ouest", "sud",
    ].map { Array($0.utf8) }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// Whether two names are the same but for a point of the compass at an end, whether a word of its own or written
    /// together with the word before it.
    private static func isSameBarCompass(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        let x = withoutCompass(a[...])
        let y = withoutCompass(b[...])
        if x.count < a.count || y.count < b.count, x.elementsEqual(y) { return true }
        guard let p = withoutJoinedCompass(a[...]), let q = withoutJoinedCompass(b[...]) else { return false }
        return p.elementsEqual(q)
    }

    /// A name without points of the compass at its ends, unless nothing else remains.
    private static func withoutCompass(_ name: Bytes) -> Bytes {
        var rest = name
        if let blank = rest.firstIndex(of: 0x20), isCompass(rest[..<blank]) { rest = rest[(blank + 1)...] }
        if let blank = rest.lastIndex(of: 0x20), isCompass(rest[(blank + 1)...]) { rest = rest[..<blank] }
        return rest
    }

    private static func withoutJoinedCompass(_ name: Bytes) -> Bytes? {
        guard let last = name.last, last | 0x20 == UInt8(ascii: "t") else { return nil }
        for word in compassWords where word.count == 9 && name.count > 12 {
            if isEqual(name.suffix(9), word) { return name.dropLast(9) }
        }
        return nil
    }

    private static func isCompass(_ word: Bytes) -> Bool {
        guard word.count <= 9 else { return false }
        return compassWords.contains { $0.count == word.count && isEqual(word, $0) }
    }

    /// Whether a word is `small` when its ASCII letters are made small.
    private static func isEqual(_ word: Bytes, _ small: [UInt8]) -> Bool {
        word.elementsEqual(small) { byte, letter in
            byte == letter || ((0x41...0x5A).contains(byte) && byte | 0x20 == letter)
        }
    }
}

extension String {
    /// Without blanks at either end.
    var trimmed: String {
        var part = utf8[...]
        while let first = part.first, first == 0x20 || first == 0x09 { part.removeFirst() }
        while let last = part.last, last == 0x20 || last == 0x09 { part.removeLast() }
        return String(Substring(part))
    }
}

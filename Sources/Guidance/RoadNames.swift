import Routing

/// How two roads' names stand to each other.
enum RoadNames {
    /// Whether a driver would say that both stretches are the same road: they share their name, bar a point of the
    /// compass, or where one lacks a name, a route number. Roads without either are never the same.
    static func isSame(_ a: RoadAttributes, _ b: RoadAttributes) -> Bool {
        if !a.name.isEmpty, !b.name.isEmpty { return isSameName(a.name, b.name) }
        return sharesRef(a.ref, b.ref)
    }

    /// Whether going on from `a` onto `b` is worth telling although there is no choice: `b` is called something else.
    /// Losing the name is not worth it.
    static func isAnnounced(from a: RoadAttributes, to b: RoadAttributes) -> Bool {
        if isSame(a, b) { return false }
        return !b.name.isEmpty || (a.name.isEmpty && !a.ref.isEmpty && !b.ref.isEmpty)
    }

    static func isSameName(_ a: String, _ b: String) -> Bool {
        if a == b { return true }
        let shorter = a.utf8.count < b.utf8.count ? a : b
        let longer = a.utf8.count < b.utf8.count ? b : a
        if withoutCompass(shorter) == withoutCompass(longer) { return true }
        return isJoined(shorter, longer)
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

    /// Words that tell a stretch of a street by a point of the compass, in small letters.
    private static let compassWords: Set<String> = [
        "north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest", "nw", "ne", "sw", "se",
        "n", "s", "e", "w", "(north)", "(south)", "(east)", "(west)", "nord", "süd", "ost", "est", "ouest", "sud",
    ]

    /// The words of a name without points of the compass at its ends, unless nothing else remains.
    private static func withoutCompass(_ name: String) -> [Substring] {
        var words = name.split(separator: " ")[...]
        if words.count > 1, let first = words.first, compassWords.contains(first.lowercased()) { words.removeFirst() }
        if words.count > 1, let last = words.last, compassWords.contains(last.lowercased()) { words.removeLast() }
        return Array(words)
    }

    /// Whether both names end in a point of the compass that is written together with the word before it.
    private static func isJoined(_ a: String, _ b: String) -> Bool {
        guard let x = withoutJoinedCompass(a), let y = withoutJoinedCompass(b) else { return false }
        return x == y
    }

    private static func withoutJoinedCompass(_ name: String) -> Substring? {
        for word in ["northeast", "northwest", "southeast", "southwest"] where name.lowercased().hasSuffix(word) {
            let rest = name.dropLast(word.count)
            if rest.count > 3 { return rest }
        }
        return nil
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

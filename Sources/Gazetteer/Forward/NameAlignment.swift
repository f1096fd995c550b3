/// How a name of a feature lies in a query.
struct NameMatch {
    var feature: Int64
    /// The query's tokens that it explains.
    var mask: QueryReading.Mask
    /// 0 to 1: how much of the name the query says.
    var coverage: Double
    /// The weight of the explained tokens.
    var weight: Double
    var sort: TextIndexBuilder.Sort
}

extension QueryReading {
    /// A token of a stored name: which query token it is, or -1; its weight; and whether it may be left out.
    struct NameToken {
        var position: Int
        var weight: Double
        var isLight: Bool
        var isDirection: Bool
        /// Whether it is a street type.
        var isType = false
    }

    /// Reads the stored form of a name (`TextIndexBuilder`) against the query's tokens.
    func nameTokens(_ stored: UnsafeRawBufferPointer) -> [NameToken] {
        var result: [NameToken] = []
        var index = 0
        while index < stored.count {
            var start = index
            while index < stored.count, stored[index] != 0x20 { index += 1 }
            defer { index += 1 }
            guard start < index else { continue }
            var weight = 1.0
            var isLight = false
            var isDirection = false
            var isType = false
            switch stored[start] {
            case UInt8(ascii: "~"):
                weight = 0.1
                isLight = true
                start += 1
            case UInt8(ascii: "!"):
                weight = 0.35
                isType = true
                start += 1
            case UInt8(ascii: "^"):
                weight = 0.5
                isDirection = true
                start += 1
            default: break
            }
            let count = index - start
            var position = -1
            for candidate in bytes.indices where bytes[candidate].count == count {
                let matches = bytes[candidate].withUnsafeBytes {
                    $0.elementsEqual(UnsafeRawBufferPointer(rebasing: stored[start..<index]))
                }
                if matches {
                    position = candidate
                    break
                }
            }
            result.append(
                NameToken(
                    position: position, weight: weight, isLight: isLight, isDirection: isDirection, isType: isType))
        }
        return result
    }

    /// The places where the name lies in the query, best first, at most three.
    ///
    /// The tokens of the name must stand in its order and together; articles may be left out on both sides, and sides of
    /// the compass and street types may stand at the other end ("State St N" for North State Street, "улица Мясницкая" for
    /// Мясницкая улица).
    func alignments(_ name: [NameToken], within allowed: Mask) -> [(mask: Mask, coverage: Double, weight: Double)] {
        var nameWeight = 0.0
        for token in name { nameWeight += token.weight }
        guard nameWeight > 0 else { return [] }
        var result: [(mask: Mask, coverage: Double, weight: Double)] = []
        for start in tokens.indices where allowed & Self.bit(start) != 0 {
            guard let begin = name.firstIndex(where: { $0.position == same[start] }) else { continue }
            var mask: Mask = 0
            var found = 0.0
            var matchedName: UInt64 = 0
            var i = begin
            var j = start
            var last = start
            while i < name.count, j < tokens.count, allowed & Self.bit(j) != 0 {
                if name[i].position == same[j] {
                    mask |= Self.bit(j)
                    found += name[i].weight
                    if i < 64 { matchedName |= 1 << UInt64(i) }
                    last = j
                    i += 1
                    j += 1
                } else if tokens[j].role.contains(.light), j > start, j + 1 < tokens.count,
                    name[i].position == same[j + 1]
                {
                    j += 1
                } else if i + 1 < name.count, name[i + 1].position == same[j],
                    name[i].isLight || name[i].weight < 1 || mask.nonzeroBitCount > 0
                {
                    i += 1
                } else if name[i].isLight {
                    i += 1
                } else {
                    break
                }
            }
            for i in name.indices where name[i].isDirection && i < 64 && matchedName & (1 << UInt64(i)) == 0 {
                for neighbour in [start - 1, last + 1] where tokens.indices.contains(neighbour) {
                    let bit = Self.bit(neighbour)
                    if name[i].position == same[neighbour], mask & bit == 0, allowed & bit != 0 {
                        mask |= bit
                        found += name[i].weight
                        break
                    }
                }
            }
            let ends =
                name[0].isType || name[name.count - 1].isType ? [(0, last + 1), (name.count - 1, start - 1)] : []
            for (i, neighbour) in ends where name[i].isType && i < 64 {
                guard tokens.indices.contains(neighbour), name[i].position == same[neighbour],
                    matchedName & (1 << UInt64(i)) == 0, matchedName != 0
                else { continue }
                let bit = Self.bit(neighbour)
                // "St Anna" and "Dr King" are no streets.
                guard mask & bit == 0, allowed & bit != 0, tokens[neighbour].segment == tokens[start].segment,
                    !["st", "dr"].contains(tokens[neighbour].text)
                else { continue }
                mask |= bit
                // The order of the name itself is the better fit.
                found += 0.9 * name[i].weight
            }
            // An article of the query inside the run counts as explained.
            for position in start..<last + 1 where tokens[position].role.contains(.light) { mask |= Self.bit(position) }
            let coverage = min(1, found / nameWeight)
            let weight = self.weight(of: mask)
            guard weight > 0 else { continue }
            result.append((mask, coverage, weight))
        }
        if result.count > 1 {
            result.sort { ($0.coverage * $0.weight, $1.mask) > ($1.coverage * $1.weight, $0.mask) }
            if result.count > 3 { result.removeLast(result.count - 3) }
        }
        return result
    }
}

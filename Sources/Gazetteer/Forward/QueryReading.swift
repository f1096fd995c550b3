/// A query taken apart: its tokens with weights, and what runs of them may mean apart from names.
struct QueryReading {
    /// Sets of token positions; queries have at most 60.
    typealias Mask = UInt64

    struct Number {
        var mask: Mask
        var first: Int
        var last: Int
        var key: String
    }

    struct Postcode {
        var mask: Mask
        /// Letters and digits without spaces.
        var compact: String
    }

    struct Region {
        var mask: Mask
        var region: RegionLexicon.Region
    }

    var tokens: [TextNormalizer.Token] = []
    var bytes: [[UInt8]] = []
    /// The first position with the same text.
    var same: [Int] = []
    var weights: [Double] = []
    var numbers: [Number] = []
    /// Runs with digits and words ("C-145", "số 6", "Rainbow 10655", "24 ngách 30"): house numbers where a street has just
    /// that one.
    var codes: [Number] = []
    var postcodes: [Postcode] = []
    var regions: [Region] = []
    /// Words of units and floors: no part of the address.
    var ignored: Mask = 0
    /// Where the text may part into two streets that meet: the tokens that stand between them ("and", "corner"; none for
    /// a slash), as a range.
    var joints: [Range<Int>] = []
    /// Tokens that ask for a crossing and name nothing: "corner of".
    var jointWords: Mask = 0
    var source: [UInt8] = []
    /// All positions that count.
    var significant: Mask = 0
    var total = 0.0

    static func bit(_ index: Int) -> Mask { 1 << UInt64(index) }

    static func bits(_ range: Range<Int>) -> Mask {
        range.reduce(0) { $0 | bit($1) }
    }

    /// The words as they were written, or as they are read instead; each keeps its place in the source.
    var written: [TextFold.Word] = []

    init(_ text: String, _ knowledge: GazetteerText) {
        self.init(text, words: knowledge.normalizer.written(text), knowledge)
    }

    /// Reads a text whose words stand for what was written: misspelled ones are put right.
    init(_ text: String, words: [TextFold.Word], _ knowledge: GazetteerText) {
        source = Array(text.utf8)
        written = words
        tokens = Array(knowledge.normalizer.read(words).prefix(48))
        bytes = tokens.map { Array($0.text.utf8) }
        for index in tokens.indices {
            same.append(tokens.firstIndex { $0.text == tokens[index].text } ?? index)
        }
        readUnits()
        readAnnouncements()
        readNumbers()
        readPostcodes()
        readRegions(knowledge.regions)
        // A part between commas that holds nothing but common words is a name or a code: "Esplanade", "IL".
        let named = Set(tokens.filter { !$0.isCommon }.map(\.segment))
        for index in tokens.indices {
            let role = tokens[index].role
            var weight = Self.weight(role)
            if !named.contains(tokens[index].segment), !role.contains(.joint) { weight = 1 }
            if ignored & Self.bit(index) != 0 { weight = 0 }
            weights.append(weight)
            total += weight
            if weight > 0.15 { significant |= Self.bit(index) }
        }
        readJoints(knowledge.normalizer.jointWords)
    }

    /// Finds the words and signs between two streets.
    private mutating func readJoints(_ words: Set<String>) {
        for index in tokens.indices {
            let isJoint = tokens[index].role.contains(.joint)
            if isJoint { jointWords |= Self.bit(index) }
            if isJoint || words.contains(TextFold.words(slice(index, index)).first?.text ?? "") {
                if let last = joints.last, last.upperBound == index, !last.isEmpty {
                    joints[joints.count - 1] = last.lowerBound..<index + 1
                } else {
                    joints.append(index..<index + 1)
                }
            } else if index > 0, !tokens[index].role.contains(.number) || !tokens[index - 1].role.contains(.number) {
                // Tokens of one compound word share its range: no gap.
                let end = tokens[index - 1].range.upperBound, start = tokens[index].range.lowerBound
                if end >= 0, end < start, start <= source.count,
                    source[end..<start].contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "+") })
                {
                    joints.append(index..<index)
                }
            }
        }
    }

    static func weight(_ role: TextNormalizer.Role) -> Double {
        if role.contains(.light) { return 0.1 }
        if role.contains(.street) { return 0.35 }
        if role.contains(.direction) { return 0.5 }
        if role.contains(.joint) { return 0.2 }
        return 1
    }

    func weight(of mask: Mask) -> Double {
        var sum = 0.0
        var rest = mask
        while rest != 0 {
            let index = rest.trailingZeroBitCount
            rest &= rest - 1
            if index < weights.count { sum += weights[index] }
        }
        return sum
    }

    /// The tokens that were made from these bytes of the source.
    func mask(of span: Range<Int>) -> Mask {
        tokens.indices.reduce(0) { $0 | (tokens[$1].range.overlaps(span) ? Self.bit($1) : 0) }
    }

    /// A piece of the source.
    func text(_ span: Range<Int>) -> String {
        guard span.lowerBound >= 0, span.upperBound <= source.count else { return "" }
        return String(decoding: source[span], as: UTF8.self)
    }

    /// The words of these positions as they were written, each once.
    func words(_ mask: Mask) -> [String] {
        var result: [String] = []
        var last = -1..<0
        for index in tokens.indices where mask & Self.bit(index) != 0 {
            let range = tokens[index].range
            if range == last { continue }
            last = range
            guard range.lowerBound >= 0, range.upperBound <= source.count else { continue }
            result.append(String(decoding: source[range], as: UTF8.self))
        }
        return result
    }

    /// "Apt 5", "Flat 18", "6th floor", "c/o Miller,".
    private mutating func readUnits() {
        for index in tokens.indices where tokens[index].role.contains(.unit) {
            if tokens[index].text == "careof" {
                var end = index
                while end < tokens.count, tokens[end].segment == tokens[index].segment {
                    ignored |= Self.bit(end)
                    end += 1
                }
                continue
            }
            var next = index + 1
            if next < tokens.count, ["no", "nr", "n"].contains(tokens[next].text) { next += 1 }
            if next < tokens.count, tokens[next].segment == tokens[index].segment,
                tokens[next].role.contains(.digits)
                    || (tokens[next].text.utf8.count == 1 && next + 1 < tokens.count
                        && tokens[next + 1].segment > tokens[next].segment)
            {
                // "Mill Lane Apt 12 Oakley": the number belongs to the unit, unless it is all that the text has.
                for position in index...next { ignored |= Self.bit(position) }
            } else if index > 0, tokens[index - 1].segment == tokens[index].segment,
                tokens[index - 1].role.contains(.digits),
                index - 1 == 0 || tokens[index - 2].segment < tokens[index].segment,
                index + 1 == tokens.count || tokens[index + 1].segment > tokens[index].segment
            {
                // ", 6th Floor,"
                ignored |= Self.bit(index) | Self.bit(index - 1)
            }
        }
    }

    /// "г. Москва", "д. 13": words of Russian addresses that announce a town and a house.
    private mutating func readAnnouncements() {
        for index in tokens.indices.dropLast() where ignored & Self.bit(index) == 0 {
            guard let folded = foreignWord(index) else { continue }
            let next = tokens[index + 1]
            guard next.segment == tokens[index].segment else { continue }
            let isHouse = ["d", "dom"].contains(folded) && next.role.contains(.digits)
            let isTown = ["g", "gor"].contains(folded) && !next.role.contains(.digits)
            if isHouse || isTown { ignored |= Self.bit(index) }
        }
    }

    /// The folded word of a token that is written in another alphabet; nil for one in Latin letters.
    private func foreignWord(_ index: Int) -> String? {
        guard let word = TextFold.words(slice(index, index)).first, word.isForeign else { return nil }
        return word.text
    }

    /// Whether a building's number begins here, whatever comma stands before: ", стр. 1".
    private func isPartOfNumber(_ index: Int) -> Bool {
        guard index + 1 < tokens.count, tokens[index + 1].segment == tokens[index].segment,
            tokens[index + 1].role.contains(.digits), let folded = foreignWord(index)
        else { return false }
        return HouseNumber.isPartWord(folded)
    }

    /// Runs of up to four tokens that may be a house number, of up to six with numbers of buildings.
    private mutating func readNumbers() {
        for first in tokens.indices where ignored & Self.bit(first) == 0 {
            guard tokens[first].role.contains(.digits), tokens[first].text.utf8.first.map({ $0 < 58 }) == true else {
                continue
            }
            var last = first
            var isBuilding = false
            while last < min(tokens.count, first + 6) {
                if last > first, ignored & Self.bit(last) != 0 { break }
                if last > first, isPartOfNumber(last) {
                    isBuilding = true
                } else if last > first {
                    guard tokens[last].segment == tokens[last - 1].segment, last < first + 4 || isBuilding else {
                        break
                    }
                    let text = tokens[last].text
                    // What goes on a number: letters or further digits, not a word.
                    guard
                        text.utf8.count <= 2 || tokens[last].role.contains(.digits)
                            || ["bis", "ter", "quater"].contains(text)
                    else { break }
                }
                let written = slice(first, last)
                // Words after a space join only a single letter or a suffix: "12 a", "1 bis", "55 k 3".
                let key = HouseNumber.key(written)
                if HouseNumber.isPlausible(key) || key.contains("-") || key.contains("/"), key.utf8.count <= 12 {
                    numbers.append(
                        Number(mask: Self.bits(first..<last + 1), first: first, last: last, key: key))
                }
                last += 1
            }
        }
        numbers.sort { ($0.last - $0.first, $1.first) > ($1.last - $1.first, $0.first) }
        readCodes()
    }

    /// Runs of up to four tokens that hold a digit and are none of `numbers`.
    private mutating func readCodes() {
        for first in tokens.indices {
            var hasDigits = false
            for last in first..<min(tokens.count, first + 4) {
                guard tokens[last].segment == tokens[first].segment, ignored & Self.bit(last) == 0 else { break }
                hasDigits = hasDigits || tokens[last].role.contains(.digits)
                guard hasDigits else { continue }
                let mask = Self.bits(first..<last + 1)
                guard !numbers.contains(where: { $0.mask == mask }) else { continue }
                codes.append(Number(mask: mask, first: first, last: last, key: HouseNumber.key(slice(first, last))))
            }
        }
        codes.sort { ($0.last - $0.first, $1.first) > ($1.last - $1.first, $0.first) }
    }

    /// The text from one token to another, with a fraction that follows.
    private func slice(_ first: Int, _ last: Int) -> String {
        let start = tokens[first].range.lowerBound
        var end = tokens[last].range.upperBound
        // "½" is no letter and ends the token.
        if end + 1 < source.count, source[end] == 0xc2, (0xbc...0xbe).contains(source[end + 1]) { end += 2 }
        guard start >= 0, start <= end, end <= source.count else { return "" }
        return String(decoding: source[start..<end], as: UTF8.self)
    }

    private mutating func readPostcodes() {
        for first in tokens.indices where ignored & Self.bit(first) == 0 {
            for last in first..<min(tokens.count, first + 3) {
                guard tokens[last].segment == tokens[first].segment else { break }
                let range = first..<last + 1
                guard range.contains(where: { tokens[$0].role.contains(.digits) }) else { continue }
                let compact = range.map { tokens[$0].text }.joined()
                guard (1...11).contains(compact.utf8.count) else { continue }
                postcodes.append(Postcode(mask: Self.bits(range), compact: compact))
            }
        }
        postcodes.sort { $0.mask.nonzeroBitCount > $1.mask.nonzeroBitCount }
    }

    /// Those of the usual length, with two letters before the digits at most: the longest first.
    var likelyPostcodes: [Postcode] {
        postcodes.filter {
            (3...8).contains($0.compact.utf8.count) && $0.compact.utf8.prefix { $0 >= 0x61 }.count <= 2
        }
    }

    private mutating func readRegions(_ lexicon: RegionLexicon) {
        for first in tokens.indices {
            var key = ""
            for last in first..<min(tokens.count, first + lexicon.longest) {
                guard tokens[last].segment == tokens[first].segment else { break }
                key += (last > first ? " " : "") + tokens[last].text
                let found = lexicon[key]
                guard !found.isEmpty else { continue }
                let written = TextFold.words(slice(first, last)).map(\.text).joined()
                // A word that only shares the token of a code (allée and AL) is no code.
                for region in found where !region.isCode || region.written == written {
                    regions.append(Region(mask: Self.bits(first..<last + 1), region: region))
                }
            }
        }
        regions.sort { $0.mask.nonzeroBitCount > $1.mask.nonzeroBitCount }
    }

    /// Whether the token looks like a postcode by itself: three or more characters with digits.
    func looksLikePostcode(_ index: Int) -> Bool {
        tokens[index].role.contains(.digits) && tokens[index].text.utf8.count >= 3
    }
}

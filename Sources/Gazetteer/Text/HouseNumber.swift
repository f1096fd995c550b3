/// House numbers as people write them, brought to keys that can be compared.
///
///     HouseNumber.keys("12 A")        // ["12a"], the same for 12a, 12-a and 12/A
///     HouseNumber.keys("2;4, 12")     // ["2", "4", "12"]
///     HouseNumber.keys("4-8")         // ["4-8", "4", "6", "8"]
///     HouseNumber.keys("2a-c")        // ["2ac", "2a", "2b", "2c"]
///     HouseNumber.keys("203-06")      // ["203-06"]: no range, the dash belongs to the number
public enum HouseNumber {
    /// The longest range whose numbers are listed one by one.
    public static let longestRange = 50

    /// Which numbers of a range count, as `addr:interpolation` on the address itself says.
    public struct RangeStep: Sendable, Equatable {
        /// 0 by habit, below 0 for none.
        var step: Int16

        /// By twos where both ends are odd or even, else all.
        public static let byHabit = RangeStep(step: 0)
        /// The range is a number like any other.
        public static let none = RangeStep(step: -1)

        private init(step: Int16) { self.step = step }

        /// Reads `even`, `odd`, `all`, `alphabetic` or a number; a value of another kind says that nothing lies between.
        public init(tag: String) {
            switch tag {
            case "even", "odd": step = 2
            case "all", "alphabetic": step = 1
            default: step = Int16(tag).flatMap { (1...1_000).contains($0) ? $0 : nil } ?? -1
            }
        }
    }

    /// Keys under which a written number, list or range is found; the closest reading of each entry comes first.
    public static func keys(_ written: String, range: RangeStep = .byHabit) -> [String] {
        var result: [String] = []
        func add(_ key: String) {
            if !key.isEmpty, result.count < 200, !result.contains(key) { result.append(key) }
        }
        let entries = written.split { $0 == ";" || $0 == "," || $0 == "、" || $0 == "\n" }
        for entry in entries { add(key(String(entry))) }
        for entry in entries {
            let key = key(String(entry))
            for number in members(ofRange: key, step: range) { add(number) }
            if range != .none { for number in letters(ofRange: String(entry)) { add(number) } }
            // 641/9: either half is used alone (conscription and street number; unit and house).
            let halves = key.split(separator: "/")
            if halves.count == 2, !entry.contains("½") {
                for half in halves where half.utf8.first.map({ $0 >= 0x30 && $0 <= 0x39 }) == true { add(String(half)) }
            }
        }
        return result
    }

    /// The key of one number: small letters, no spaces, `/` and `-` only between digits; empty for text without
    /// letters or digits.
    public static func key(_ one: String) -> String {
        var result: [UInt8] = []
        let half = "½"
        let text =
            one.contains(half)
            ? one.split(separator: Character(half), omittingEmptySubsequences: false)
                .joined(separator: " 1/2 ") : one
        var words = TextFold.words(text)
        if let first = words.first, words.count > 1,
            ["no", "nr", "num", "n", "hausnr", "numero", "dom", "d", "so"].contains(first.text)
        {
            words.removeFirst()
        }
        for word in words {
            let text = Self.corpus[word.text] ?? word.text
            guard let first = text.utf8.first else { continue }
            if let last = result.last, isDigit(last), isDigit(first) {
                switch word.separator {
                case .slash: result.append(UInt8(ascii: "/"))
                case .hyphen: result.append(UInt8(ascii: "-"))
                default: result.append(UInt8(ascii: " "))
                }
            }
            result += Array(text.utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The numbers of `4-8` (by twos where both ends are odd or even); empty for all else.
    static func members(ofRange key: String, step: RangeStep = .byHabit) -> [String] {
        guard step.step >= 0 else { return [] }
        let ends = key.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first > 0, last > first,
            last - first <= longestRange, !ends[1].hasPrefix("0")
        else { return [] }
        let habit = (last - first) % 2 == 0 ? 2 : 1
        return stride(from: first, through: last, by: step.step > 0 ? Int(step.step) : habit).map(String.init)
    }

    /// The numbers of `2a-c` or `2a-2c`; empty for all else.
    private static func letters(ofRange written: String) -> [String] {
        let words = TextFold.words(written)
        guard words.count == 2, words[1].separator == .hyphen else { return [] }
        return letters(from: words[0].text, to: words[1].text)
    }

    /// The numbers from `2a` to `2c`, or to the letter `c`; empty where they do not have one number with a letter each.
    static func letters(from first: String, to last: String) -> [String] {
        let number = first.prefix { $0.isNumber }
        guard !number.isEmpty, let low = first.utf8.last, first.utf8.count == number.utf8.count + 1 else { return [] }
        let isWhole = last.utf8.count == number.utf8.count + 1 && last.hasPrefix(number)
        guard isWhole || last.utf8.count == 1, let high = last.utf8.last, isLetter(low), isLetter(high), low < high
        else { return [] }
        return (low...high).map { number + String(UnicodeScalar($0)) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7a }

    /// The number without the letters at its end, `30` for `30a`; nil for all that is no number with one or two letters.
    static func withoutLetters(_ key: String) -> String? {
        let digits = key.prefix { $0.isASCII && $0.isNumber }
        let letters = key.dropFirst(digits.count)
        guard !digits.isEmpty, (1...2).contains(letters.count), letters.utf8.allSatisfy(isLetter) else { return nil }
        return String(digits)
    }

    /// Whether a folded word announces a building of a Russian house number: "корп. 2", "стр. 1".
    static func isPartWord(_ folded: String) -> Bool {
        corpus[folded] != nil || corpus.values.contains(folded)
    }

    /// Whether a token of a query can be a house number: begins with a digit, with few letters after it.
    public static func isPlausible(_ token: String) -> Bool {
        guard let first = token.utf8.first, isDigit(first) else { return false }
        let digits = token.utf8.prefix { isDigit($0) }.count
        let letters = token.utf8.filter { $0 >= 0x61 && $0 <= 0x7a }.count
        return digits <= 6 && letters <= 3
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    // Building and block words that follow the number in Russian addresses.
    private static let corpus = [
        "korp": "k", "korpus": "k", "str": "s", "stroenie": "s", "stronie": "s", "stroniye": "s",
    ]
}

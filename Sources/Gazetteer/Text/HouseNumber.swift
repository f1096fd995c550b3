/// House numbers as people write them, brought to keys that can be compared.
///
///     HouseNumber.keys("12 A")        // ["12a"], the same for 12a, 12-a and 12/A
///     HouseNumber.keys("2;4, 12")     // ["2", "4", "12"]
///     HouseNumber.keys("4-8")         // ["4-8", "4", "6", "8"]
///     HouseNumber.keys("203-06")      // ["203-06"]: no range, the dash belongs to the number
public enum HouseNumber {
    /// The longest range whose numbers are listed one by one.
    public static let longestRange = 50

    /// Keys under which a written number, list or range is found; the closest reading of each entry comes first.
    public static func keys(_ written: String) -> [String] {
        var result: [String] = []
        func add(_ key: String) {
            if !key.isEmpty, result.count < 200, !result.contains(key) { result.append(key) }
        }
        let entries = written.split { $0 == ";" || $0 == "," || $0 == "、" || $0 == "\n" }
        for entry in entries { add(key(String(entry))) }
        for entry in entries {
            let key = key(String(entry))
            for number in members(ofRange: key) { add(number) }
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
    static func members(ofRange key: String) -> [String] {
        let ends = key.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first > 0, last > first,
            last - first <= longestRange, !ends[1].hasPrefix("0")
        else { return [] }
        return stride(from: first, through: last, by: (last - first) % 2 == 0 ? 2 : 1).map(String.init)
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
    private static let corpus = ["korp": "k", "korpus": "k", "str": "s", "stroenie": "s", "stroniye": "s"]
}

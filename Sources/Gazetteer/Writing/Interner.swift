/// Strings that occur again and again, each kept once and known by a small number.
struct Interner {
    private var numbers: [String: Int32] = [:]
    private(set) var strings: [String] = []

    /// The number of `text`; a new one where it was never seen.
    mutating func number(of text: String) -> Int32 {
        if let known = numbers[text] { return known }
        let made = Int32(truncatingIfNeeded: strings.count)
        numbers[text] = made
        strings.append(text)
        return made
    }

    /// The number of `text`, `none` for nil.
    mutating func number(of text: String?) -> Int32 {
        guard let text else { return Interner.none }
        return number(of: text)
    }

    /// The number of a text that was seen before.
    func known(_ text: String) -> Int32? { numbers[text] }

    /// The text behind a number; nil for `none`.
    subscript(number: Int32) -> String? { number < 0 ? nil : strings[Int(number)] }

    static let none: Int32 = -1
}

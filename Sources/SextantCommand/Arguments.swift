/// A mistake in the way the command was called. Ends it with `ExitCode.usage`.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and where it helps what would be right.
    var description: String

    init(_ description: String) { self.description = description }
}

/// An option that a subcommand knows.
struct Option: Sendable {
    /// With its dashes: `--limit`.
    var name: String
    /// One letter with its dash, `-o`.
    var short: String?
    /// What the value is called in the help, `N`; nil for a switch.
    var value: String?
    var isRepeatable = false
    var help: String
}

/// Arguments taken apart: options with their values, and the words between them.
///
/// An option stands anywhere, as `--limit 5` or `--limit=5`, `-n 5`, `-n5` or `-n=5`. A word like `-33.9` is a number, not an option, so that
/// coordinates need no quoting; after `--` everything is a word.
struct Arguments: Equatable {
    private(set) var words: [String] = []
    private var values: [String: [String]] = [:]

    init(_ arguments: [String], options: [Option]) throws {
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            if argument == "--" {
                words += arguments[index...]
                break
            }
            guard Self.isOption(argument) else {
                words.append(argument)
                continue
            }
            var parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if argument.dropFirst(2).first?.isNumber == true,
                options.contains(where: { $0.value != nil && $0.short == String(argument.prefix(2)) })
            {
                // -n5
                parts = [String(argument.prefix(2)), String(argument.dropFirst(2))]
            }
            let name = parts.first ?? argument
            guard let option = options.first(where: { $0.name == name || $0.short == name }) else {
                throw Self.unknown(name, options)
            }
            if let wanted = option.value {
                var value = parts.count > 1 ? parts[1] : nil
                if value == nil, index < arguments.count, !Self.isOption(arguments[index]) || option.takesAnything {
                    value = arguments[index]
                    index += 1
                }
                guard let value else { throw UsageError("\(name) wants a value: \(name) \(wanted)") }
                if values[option.name] != nil, !option.isRepeatable {
                    throw UsageError("\(name) is given twice")
                }
                values[option.name, default: []].append(value)
            } else {
                if parts.count > 1 { throw UsageError("\(name) takes no value") }
                values[option.name] = []
            }
        }
    }

    private static func isOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument.utf8.count > 1 else { return false }
        let second = argument.dropFirst().first
        return !(second?.isNumber ?? false) && second != "."
    }

    private static func unknown(_ name: String, _ options: [Option]) -> UsageError {
        let near = options.map { ($0.name, editDistance(name, $0.name)) }.min { $0.1 < $1.1 }
        if let near, near.1 <= max(2, name.count / 3) {
            return UsageError("unknown option \(name); did you mean \(near.0)?")
        }
        return UsageError("unknown option \(name)")
    }

    /// Whether the switch or option was given.
    func has(_ name: String) -> Bool { values[name] != nil }

    /// The option's value; nil where it was not given.
    subscript(name: String) -> String? { values[name]?.last }

    /// All values of a repeatable option.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value as a whole number in a range.
    func whole(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                "\(name) wants a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    /// The value as some numbers between commas.
    func numbers(_ name: String, count: Int, form: String) throws -> [Double]? {
        guard let text = self[name] else { return nil }
        guard let numbers = Self.numbers(text), numbers.count == count else {
            throw UsageError("\(name) wants \(form), not \"\(text)\"")
        }
        return numbers
    }

    /// Numbers between commas; nil where one is none, or not finite.
    static func numbers(_ text: String) -> [Double]? {
        var numbers: [Double] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = Double(part.trimmed), number.isFinite else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}

extension Option {
    /// Whether the value may begin with a dash.
    fileprivate var takesAnything: Bool { value == "WORDS" }
}

extension StringProtocol {
    /// Without blanks at both ends.
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

/// How many letters must be added, removed or changed to make one word of the other (Levenshtein).
func editDistance(_ a: String, _ b: String) -> Int {
    let a = Array(a.prefix(64))
    let b = Array(b.prefix(64))
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
        var corner = row[0]
        row[0] = i + 1
        for (j, y) in b.enumerated() {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, corner + (x == y ? 0 : 1))
            corner = above
        }
    }
    return row[b.count]
}

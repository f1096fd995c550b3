/// Which objects are meant, said by their tags in the words of osmium-tool's filter expressions.
///
///     try TagExpression("amenity=bar,pub | amenity=cafe & cuisine=*cocktail*").holds(tags)
///
/// - `amenity=bar`, `amenity=bar,pub`: the key with exactly one of the values; `amenity=*`: with any.
/// - `cuisine=thai*`, `cuisine=*pizza*`: a value that begins so, or that holds the text anywhere. A list such as
///   `pizza;kebab` is one value.
/// - `shop!=no,vacant`: the key with any value but these.
/// - ` & ` joins what must hold together, `|` parts alternatives; there are no brackets.
///
/// One alternative holds for the objects that `osmium tags-filter` leaves when it is run with each of its parts in turn.
public struct TagExpression: Sendable, Equatable {
    /// What one key must have.
    public struct Term: Sendable, Equatable {
        public enum Values: Sendable, Equatable {
            case oneOf([String])
            case noneOf([String])
            case beginning(String)
            case containing(String)
            case any
        }

        public var key: String
        public var values: Values

        public func holds(_ tags: Tags) -> Bool {
            guard let found = tags[key] else { return false }
            switch values {
            case .oneOf(let values): return values.contains(found)
            case .noneOf(let values): return !values.contains(found)
            case .beginning(let start): return found.utf8.starts(with: start.utf8)
            case .containing(let part): return Self.contains(Array(found.utf8), Array(part.utf8))
            case .any: return true
            }
        }

        private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
            guard part.count <= text.count else { return false }
            return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
        }
    }

    /// Alternatives, each of terms that must hold together; neither is empty.
    public let alternatives: [[Term]]

    /// Reads an expression. Throws `TagExpressionError` for one that is none.
    public init(_ text: String) throws {
        alternatives = try text.split(separator: "|", omittingEmptySubsequences: false).map { alternative in
            try alternative.split(separator: "&", omittingEmptySubsequences: false).map(Self.term)
        }
    }

    private static func term(_ text: Substring) throws -> Term {
        let term = text.trimmingSpaces
        guard let sign = term.firstIndex(of: "=") else {
            throw TagExpressionError(part: String(term), reason: "has no \"=\"")
        }
        let isNegated = term[..<sign].last == "!"
        let key = String(isNegated ? term[..<sign].dropLast() : term[..<sign])
        let value = term[term.index(after: sign)...]
        guard !key.isEmpty, !value.isEmpty, !key.contains("*"), !key.contains(" ") else {
            throw TagExpressionError(part: String(term), reason: "needs a key and a value")
        }
        if value.contains("*") {
            let inner = value.dropFirst(value.first == "*" ? 1 : 0)
            let part = String(inner.last == "*" ? inner.dropLast() : inner)
            guard !isNegated, !part.contains("*"), !part.contains(","), value == "*" || value.last == "*" else {
                throw TagExpressionError(part: String(term), reason: "has a \"*\" where none can stand")
            }
            if value == "*" { return Term(key: key, values: .any) }
            return Term(key: key, values: value.first == "*" ? .containing(part) : .beginning(part))
        }
        let values = value.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingSpaces) }
        guard !values.contains("") else { throw TagExpressionError(part: String(term), reason: "has an empty value") }
        return Term(key: key, values: isNegated ? .noneOf(values) : .oneOf(values))
    }

    /// Whether an object with these tags is meant.
    public func holds(_ tags: Tags) -> Bool {
        alternatives.contains { $0.allSatisfy { $0.holds(tags) } }
    }
}

/// A text that is no `TagExpression`.
public struct TagExpressionError: Error, CustomStringConvertible, Equatable {
    /// The part that cannot be read.
    public var part: String
    public var reason: String

    public var description: String { "\"\(part)\" is no tag expression: it \(reason)" }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}

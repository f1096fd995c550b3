import GazetteerData
import OpenStreetMap

/// The kinds of places that the product knows, by the tags that mark them (`lexicons/categories.tsv`).
///
///     PlaceKinds.shared.kinds(of: ["amenity": "cafe", "cuisine": "cake"], mainKey: "amenity").first?.name   // "cafe"
///
/// What people call them is a matter of languages: see `Gazetteer.categories(named:)`.
public struct PlaceKinds: Sendable {
    /// A line of the table.
    public struct Kind: Sendable {
        public enum Sort: String, Sendable {
            /// Says what a thing is.
            case kind
            /// What it serves or is used for.
            case trait
            /// Gathers several kinds.
            case group
        }

        /// The name in the table, `ice_cream`.
        public var name: String
        public var tags: TagExpression
        /// The kind of MapKit, without `MKPOICategory`: `FoodMarket`.
        public var mapKit: String?
        public var sort: Sort
        /// Whose icon shows it on maps, also where it has no name.
        public var icon: String?
    }

    /// All kinds in the order of the table: of two that fit, the first is the better word.
    public let all: [Kind]
    private var numbers: [String: Int] = [:]
    private var byMapKit: [String: [Int]] = [:]
    private var rules: [String: Rules] = [:]

    /// Alternatives by their first term's key.
    private struct Rules {
        var exact: [String: [Rule]] = [:]
        var other: [Rule] = []
    }

    private struct Rule {
        var kind: Int
        var terms: [TagExpression.Term]
    }

    /// The table that came with the program; empty where it cannot be found or read.
    public static let shared: PlaceKinds = {
        do {
            return try bundled()
        } catch {
            return PlaceKinds()
        }
    }()

    /// The table that came with the program. Throws where it cannot be found, or has a line that cannot be read.
    static func bundled() throws -> PlaceKinds {
        try PlaceKinds(table: GazetteerText.resource("lexicons/categories.tsv"))
    }

    private init() { all = [] }

    /// Reads the table: name, tags, kind in MapKit, sort, icon. Throws `LexiconError` for a line that is none.
    init(table: String) throws {
        var all: [Kind] = []
        for (index, line) in table.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            func wrong(_ reason: String) -> LexiconError { LexiconError(line: index + 1, reason: reason) }
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 5 else { throw wrong("needs five columns, has \(columns.count)") }
            guard let sort = Kind.Sort(rawValue: columns[3]) else { throw wrong("no sort: \(columns[3])") }
            guard numbers[columns[0]] == nil else { throw wrong("\(columns[0]) stands twice") }
            let tags: TagExpression
            do { tags = try TagExpression(columns[1]) } catch { throw wrong("\(error)") }
            let number = all.count
            numbers[columns[0]] = number
            all.append(
                Kind(
                    name: columns[0], tags: tags, mapKit: columns[2] == "-" ? nil : columns[2], sort: sort,
                    icon: columns[4] == "-" ? nil : columns[4]))
            if columns[2] != "-" { byMapKit[columns[2], default: []].append(number) }
            for terms in tags.alternatives {
                guard let first = terms.first else { continue }
                let rule = Rule(kind: number, terms: terms)
                if case .oneOf(let values) = first.values {
                    for value in values { rules[first.key, default: Rules()].exact[value, default: []].append(rule) }
                } else {
                    rules[first.key, default: Rules()].other.append(rule)
                }
            }
        }
        self.all = all
    }

    /// The kind of this name.
    public subscript(name: String) -> Kind? { numbers[name].map { all[$0] } }

    /// The kinds that stand for a kind of MapKit, named without `MKPOICategory`.
    public func kinds(ofMapKit name: String) -> [Kind] { (byMapKit[name] ?? []).map { all[$0] } }

    /// Every kind that an object with these tags is of, in the order of the table.
    ///
    /// - Parameter mainKey: kinds that this key decides come first.
    public func kinds(of tags: Tags, mainKey: String? = nil) -> [Kind] {
        numbers(of: tags, mainKey: mainKey).map { all[$0] }
    }

    /// The first kind or, where there is none, nil: what to call a thing with these tags, and how to draw it.
    public func kind(of tags: Tags, mainKey: String? = nil) -> Kind? {
        numbers(of: tags, mainKey: mainKey).lazy.map { all[$0] }.first { $0.sort == .kind }
    }

    /// The numbers of the kinds in `all`.
    func numbers(of tags: Tags, mainKey: String? = nil) -> [Int] {
        var found: [(isMain: Bool, kind: Int)] = []
        func take(_ rule: Rule) {
            guard rule.terms.count == 1 && isExact(rule) || rule.terms.allSatisfy({ $0.holds(tags) }) else { return }
            let isMain = mainKey.map { key in rule.terms.contains { $0.key == key } } ?? false
            if let known = found.firstIndex(where: { $0.kind == rule.kind }) {
                found[known].isMain = found[known].isMain || isMain
            } else {
                found.append((isMain, rule.kind))
            }
        }
        func isExact(_ rule: Rule) -> Bool {
            if case .oneOf? = rule.terms.first?.values { return true }
            return false
        }
        for pair in tags.pairs {
            guard let candidates = rules[pair.key] else { continue }
            for rule in candidates.exact[pair.value] ?? [] { take(rule) }
            for rule in candidates.other { take(rule) }
        }
        return found.sorted { $0.isMain != $1.isMain ? $0.isMain : $0.kind < $1.kind }.map(\.kind)
    }
}

/// A line of a lexicon that cannot be read.
public struct LexiconError: Error, CustomStringConvertible, Equatable {
    /// The file within the folder of lexicons.
    public var file = "categories.tsv"
    /// Counted from 1.
    public var line: Int
    public var reason: String

    public var description: String { "\(file), line \(line): \(reason)" }
}

import Foundation
import Sextant

/// What an atlas answers for each kind of the lexicon, and which words it knows for kinds.
enum KindsBench {
    /// Prints the objects of every kind, `{"bakery": ["N1", "W2"], ...}`.
    static func objects(_ path: String) throws {
        let atlas = try Atlas.open([path], world: nil)
        var objects: [String: [String]] = [:]
        for kind in PlaceKinds.shared.all {
            var query = SearchQuery(in: .everywhere)
            query.kinds = [kind.name]
            objects[kind.name] = try atlas.search(query).flatMap(\.objects).map(\.description)
        }
        try SextantBench.print(objects)
    }

    /// Prints how many of the terms lead to a kind that has their tag, of those whose tag some kind has.
    ///
    /// - Parameter terms: lines of `KEY=VALUE TAB TERM`.
    static func words(_ path: String, terms: String, misses: String?) throws {
        let atlas = try Atlas.open([path], world: nil)
        var (known, hits) = (0, 0)
        var lost: [String] = []
        var kinds: [Substring: Set<String>] = [:]
        for line in try String(contentsOfFile: terms, encoding: .utf8).split(whereSeparator: \.isNewline) {
            let columns = line.split(separator: "\t")
            guard columns.count == 2, let sign = columns[0].firstIndex(of: "=") else { continue }
            let tags: Tags = [
                String(columns[0][..<sign]): String(columns[0][columns[0].index(after: sign)...])
            ]
            let having = kinds[columns[0]] ?? Set(PlaceKinds.shared.all.filter { has($0, tags) }.map(\.name))
            kinds[columns[0]] = having
            guard !having.isEmpty else { continue }
            known += 1
            let meant = try atlas.parts[0].gazetteer.categories(named: String(columns[1]))
            if having.isDisjoint(with: meant) {
                lost.append("\(line)\t\(meant.joined(separator: " "))")
            } else {
                hits += 1
            }
        }
        if let misses { try lost.joined(separator: "\n").write(toFile: misses, atomically: true, encoding: .utf8) }
        try SextantBench.print([
            "terms": known, "hits": hits, "share": known > 0 ? Double(hits) / Double(known) : 1,
        ])
    }

    /// Whether a kind names the tag, rather than all values of its key.
    private static func has(_ kind: PlaceKinds.Kind, _ tags: Tags) -> Bool {
        kind.tags.alternatives.joined().contains { term in
            switch term.values {
            case .noneOf, .any: false
            default: term.holds(tags)
            }
        }
    }
}

import OpenStreetMap

extension PlaceKinds {
    /// The kind that a word stands for: its name in the table (`fast_food`, "fast food"), or a word of the lexicon in any
    /// of its languages ("Apotheke"); nil for a word that names none.
    ///
    /// Cost: reads the lexicon's words once in a process.
    public func kind(called word: String) -> Kind? {
        let name = word.lowercased().split { $0 == " " || $0 == "-" || $0 == "_" }.joined(separator: "_")
        if let kind = self[name] { return kind }
        guard let words = try? KindWords.shared, let normalizer = try? TextNormalizer.shared else { return nil }
        let key = CategoryLexicon.key(normalizer.read(word)).joined(separator: " ")
        let names = words.names.split(separator: " ")
        let numbers = SortedLines(bytes: words.keys).content(of: key) ?? ""
        let kinds = numbers.split(separator: " ").compactMap { number -> Kind? in
            guard let index = Int(number), names.indices.contains(index) else { return nil }
            return self[String(names[index])]
        }
        return kinds.first { $0.sort == .kind } ?? kinds.first
    }
}

extension PlaceKinds.Kind {
    /// Tags of a thing of this kind and of no more than it says: those of its first alternative.
    public var exampleTags: [Tags.Pair] {
        (tags.alternatives.first ?? []).compactMap { term in
            switch term.values {
            case .oneOf(let values): values.first.map { Tags.Pair(key: term.key, value: $0) }
            case .any: Tags.Pair(key: term.key, value: "yes")
            case .beginning(let part), .containing(let part): Tags.Pair(key: term.key, value: part)
            case .noneOf: nil
            }
        }
    }
}

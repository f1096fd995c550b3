/// The name of an object for readers of some languages, out of its name tags.
public enum Names {
    /// Name keys that are no language of `name`, such as `name:left`.
    private static let notLanguages: Set<String> = [
        "prefix", "suffix", "left", "right", "source", "etymology", "signed", "pronunciation", "botanical", "genitive",
        "UN", "carnaval",
    ]

    /// The best name: `name:xx` for the languages in their order, then `name`, `brand`, the official and short names, and
    /// at last the first name in any language.
    ///
    /// A language is a BCP 47 tag (`de`, `pt-BR`); `zh-Hant` finds `name:zh-Hant`, then `name:zh`.
    public static func best(of tags: Tags, languages: [String]) -> String? {
        for language in languages {
            if let name = value(of: "name:", language: language, in: tags) { return name }
        }
        if let name = tags["name"] ?? tags["brand"] { return name }
        for prefix in ["official_name:", "short_name:"] {
            for language in languages {
                if let name = value(of: prefix, language: language, in: tags) { return name }
            }
        }
        if let name = tags["official_name"] ?? tags["short_name"] ?? tags["ref"] { return name }
        return tags.pairs.first { $0.key.hasPrefix("name:") }?.value ?? tags["addr:housename"]
            ?? tags["alt_name"] ?? tags["loc_name"]
    }

    /// The name in one language: `name:xx`.
    public static func localized(_ tags: Tags, language: String) -> String? {
        value(of: "name:", language: language, in: tags)
    }

    /// The names in languages, `name:de` and so on, in the order of the tags; keys that are no language are left out.
    public static func byLanguage(_ tags: Tags) -> [(language: String, name: String)] {
        tags.pairs.compactMap { pair in
            guard pair.key.utf8.count > 6, pair.key.hasPrefix("name:") else { return nil }
            let language = String(pair.key.dropFirst(5))
            let first = language.prefix { $0 != "-" && $0 != "_" }
            guard (2...3).contains(first.utf8.count), first.utf8.allSatisfy({ (0x61...0x7a).contains($0) }),
                !language.contains(":"), !notLanguages.contains(language)
            else { return nil }
            return (language, pair.value)
        }
    }

    private static func value(of prefix: String, language: String, in tags: Tags) -> String? {
        for pair in tags.pairs where pair.key.hasPrefix(prefix) {
            if pair.key.utf8.count == prefix.utf8.count + language.utf8.count, pair.key.hasSuffix(language) {
                return pair.value
            }
        }
        guard let dash = language.firstIndex(of: "-") else { return nil }
        return value(of: prefix, language: String(language[..<dash]), in: tags)
    }

    /// Name keys whose value stands for the object in a search, `name` itself included.
    private static let plainKeys: Set<String> = [
        "name", "int_name", "nat_name", "reg_name", "loc_name", "old_name", "alt_name", "official_name", "short_name",
        "ref", "iata", "icao", "brand", "operator", "addr:housename", "bridge:name", "tunnel:name", "nickname",
        "place_name",
    ]

    /// Whether `key` holds a name: `name`, `name:de`, `alt_name`, `alt_name:fr`, `alt_name_1`, `old_name:1999` ...
    public static func isNameKey(_ key: String) -> Bool {
        if plainKeys.contains(key) { return true }
        guard let end = key.firstIndex(where: { $0 == ":" }) ?? key.lastIndex(of: "_") else { return false }
        let stem = key[..<end]
        let rest = key[key.index(after: end)...]
        guard stem.hasSuffix("name"), plainKeys.contains(String(stem)), stem != "addr" else { return false }
        if key[end] == "_" { return !rest.isEmpty && rest.allSatisfy(\.isNumber) }
        return !notLanguages.contains(String(rest.prefix { $0 != ":" }))
    }
}

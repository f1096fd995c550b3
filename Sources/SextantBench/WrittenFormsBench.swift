import Foundation
import Gazetteer
import Geometry
import Sextant

/// How many addresses of an extract are found first however they are written: abbreviated, without accents, with a typing
/// error and so on. Only unique addresses are asked; `AddressTable` says what a hit is.
enum WrittenFormsBench {
    static func run(
        _ path: String, world: String? = nil, addresses: String, seed: UInt64, count: Int, misses: String?
    ) throws {
        let atlas = try Atlas.open([path], world: world)
        let table = try AddressTable(addresses, atlas: atlas)
        var random = SeededGenerator(seed: seed)
        let unique = table.all.filter(table.isUnique)
        let asked = Array(unique.shuffled(using: &random).prefix(count))
        let coded = Array(
            table.all.filter { !$0.postcode.isEmpty && table.isUniqueByPostcode($0) }.shuffled(using: &random)
                .prefix(count))
        let names = try RealNames(table.all)
        var figures: [String: Any] = ["addresses": table.all.count, "asked": asked.count, "seed": seed]
        var lines: [String] = []
        for form in WrittenForm.allCases {
            var hits = 0
            var timings = Timings()
            var written = 0
            var queries: [(query: GeocodeQuery, address: AddressTable.Address)] = []
            for address in form == .postcodeOnly ? coded : asked {
                guard let text = form.text(of: address, names: names, using: &random) else { continue }
                var query = GeocodeQuery(text)
                if address.city.isEmpty || form == .withoutCity { query.near = near(address.location, using: &random) }
                queries.append((query, address))
            }
            // A round that warms the pages of the atlas.
            for (query, _) in queries where form == .exact { _ = try atlas.geocode(query) }
            for (query, address) in queries {
                let text = query.text
                written += 1
                let first = try timings.timeOnProcessor { try atlas.geocode(query) }.places.first
                if table.isHit(first, address) {
                    hits += 1
                } else {
                    lines.append("\(form.rawValue)\t\(address.id)\t\(text)\t\(first?.title ?? "nothing")")
                }
            }
            let share = written > 0 ? Double(hits) / Double(written) : 1
            figures[form.rawValue] = ["asked": written, "hits": share, "p99_ms": timings.figures["p99_ms"] ?? 0]
        }
        if let misses { try lines.joined(separator: "\n").write(toFile: misses, atomically: true, encoding: .utf8) }
        try SextantBench.print(figures)
    }

    /// A point some hundred metres off, as one stands near what one asks for.
    private static func near(_ point: Coordinate, using random: inout SeededGenerator) -> Coordinate {
        Coordinate(
            latitude: point.latitude + Double.random(in: -0.004...0.004, using: &random),
            longitude: point.longitude + Double.random(in: -0.004...0.004, using: &random))
    }
}

/// A mechanical way to write an address.
enum WrittenForm: String, CaseIterable {
    case exact, abbreviated, unaccented, lowerCase, noCommas, numberFirst, withoutCity, postcodeOnly, wordsDoubled
    case reversedParts, oneEdit

    /// The address in this form; nil where it cannot be written so.
    func text(of address: AddressTable.Address, names: RealNames, using random: inout SeededGenerator) -> String? {
        let place = address.city.isEmpty ? "" : ", \(address.city)"
        let plain = "\(address.street) \(address.number)" + place
        switch self {
        case .exact: return plain
        case .abbreviated: return Abbreviations.apply(to: address.street) + " \(address.number)" + place
        case .unaccented:
            let folded = plain.replacing("ß", with: "ss").decomposedStringWithCanonicalMapping.unicodeScalars
                .filter { $0.properties.generalCategory != .nonspacingMark }
            return String(String.UnicodeScalarView(folded))
        case .lowerCase: return plain.lowercased()
        case .noCommas: return plain.replacing(",", with: "")
        case .numberFirst: return "\(address.number) \(address.street)" + place
        case .withoutCity: return "\(address.street) \(address.number)"
        case .postcodeOnly: return "\(address.street) \(address.number), \(address.postcode)"
        case .wordsDoubled:
            return plain.split(separator: " ").map { word in
                let bare = word.hasSuffix(",") ? word.dropLast() : word
                return "\(bare) \(word)"
            }.joined(separator: " ")
        case .reversedParts:
            return address.city.isEmpty
                ? "\(address.number) \(address.street)" : "\(address.city), \(address.street) \(address.number)"
        case .oneEdit: return edited(address, names: names, using: &random)
        }
    }

    /// One letter left out, put in, exchanged or swapped with the next in a word of five letters or more of the street or
    /// the city, so that no other real name comes of it; nil where no word is so long.
    private func edited(
        _ address: AddressTable.Address, names: RealNames, using random: inout SeededGenerator
    ) -> String? {
        let text = "\(address.street)\t\(address.city)"
        var words: [Range<String.Index>] = []
        var start: String.Index?
        for index in text.indices {
            if text[index].isLetter {
                start = start ?? index
            } else if let begin = start {
                words.append(begin..<index)
                start = nil
            }
        }
        if let begin = start { words.append(begin..<text.endIndex) }
        words = words.filter { text[$0].count >= 5 && !text[$0].contains { $0.isNumber } }
        guard let word = words.randomElement(using: &random) else { return nil }
        for _ in 0..<50 {
            var letters = Array(text[word])
            let position = Int.random(in: 0..<letters.count, using: &random)
            let alphabet = Array(names.letters)
            let letter = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
            switch Int.random(in: 0..<4, using: &random) {
            case 0: letters.remove(at: position)
            case 1: letters.insert(letter, at: position)
            case 2: letters[position] = letter
            default:
                guard position + 1 < letters.count else { continue }
                letters.swapAt(position, position + 1)
            }
            let other = String(letters)
            guard other != String(text[word]), !names.contains(other) else { continue }
            let parts = text.replacingCharacters(in: word, with: other).split(
                separator: "\t", omittingEmptySubsequences: false)
            return "\(parts[0]) \(address.number)" + (parts[1].isEmpty ? "" : ", \(parts[1])")
        }
        return nil
    }
}

/// The words that streets and cities of a table have, and the letters of most of them.
struct RealNames {
    private var words: Set<String> = []
    /// The letters that the names are written in, each as often as in the names.
    private(set) var letters = ""
    private let normalizer: TextNormalizer

    init(_ addresses: [AddressTable.Address]) throws {
        normalizer = try TextNormalizer.shared
        for name in Set(addresses.flatMap { [$0.street, $0.city] }).sorted() {
            for word in name.split(whereSeparator: { !$0.isLetter }) {
                words.insert(normalizer.key(String(word)))
                letters += word.lowercased()
            }
        }
        if letters.isEmpty { letters = "abcdefghijklmnopqrstuvwxyz" }
    }

    func contains(_ word: String) -> Bool { words.contains(normalizer.key(word)) }
}

/// Street words as people shorten them: whole words, and the ends of compounds.
private enum Abbreviations {
    private static let words = [
        "street": "St", "avenue": "Ave", "road": "Rd", "drive": "Dr", "lane": "Ln", "court": "Ct", "place": "Pl",
        "boulevard": "Blvd", "square": "Sq", "terrace": "Ter", "parkway": "Pkwy", "turnpike": "Tpke",
        "crescent": "Cres",
        "gardens": "Gdns", "mount": "Mt", "saint": "St.", "north": "N", "south": "S", "east": "E", "west": "W",
        "expressway": "Expy", "highway": "Hwy", "sankt": "St.", "straße": "Str.", "strasse": "Str.", "platz": "Pl.",
        "allee": "Al.", "doktor": "Dr.", "professor": "Prof.", "улица": "ул.", "проспект": "пр-т", "переулок": "пер.",
        "площадь": "пл.", "бульвар": "б-р", "набережная": "наб.", "проезд": "пр-д", "шоссе": "ш.", "тупик": "туп.",
        "большая": "Б.", "малая": "М.", "большой": "Б.", "малый": "М.",
    ]
    private static let ends = [
        ("straße", "str."), ("strasse", "str."), ("gasse", "g."), ("platz", "pl."), ("katu", "k."), ("gatan", "g."),
    ]

    static func apply(to street: String) -> String {
        street.split(separator: " ", omittingEmptySubsequences: false).map { word in
            if let short = words[word.lowercased()] { return short }
            for (end, short) in ends where word.count > end.count + 2 && word.hasSuffix(end) {
                return word.dropLast(end.count) + short
            }
            return String(word)
        }.joined(separator: " ")
    }
}

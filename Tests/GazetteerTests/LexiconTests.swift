import Foundation
import GazetteerData
import OpenStreetMap
import Testing

@testable import Gazetteer

/// The lexicon of kinds as it is written: nothing is missing, doubled or unknown.
@Suite struct LexiconTests {
    /// The languages that have words for every kind.
    private static let complete = ["en", "de", "fr", "es", "it", "pt", "nl", "fi", "sv", "ru", "pl", "uk"]

    @Test func thereAreAtLeast250Kinds() throws {
        #expect(try PlaceKinds.bundled().all.count >= 250)
    }

    @Test(arguments: complete)
    func everyKindHasWords(language: String) throws {
        let named = Set(try KindWords.lines(of: language).map(\.kind))
        let missing = try PlaceKinds.bundled().all.map(\.name).filter { !named.contains($0) }
        #expect(missing.isEmpty, "\(language) has no words for \(missing)")
    }

    @Test(arguments: KindWords.languages)
    func everyLineIsOfAKnownKindAndNoneStandsTwice(language: String) throws {
        let kinds = try PlaceKinds.bundled()
        let lines = try KindWords.lines(of: language)
        #expect(Set(lines.map(\.kind)).count == lines.count)
        for line in lines { #expect(kinds[line.kind] != nil, "\(language): \(line.kind)") }
    }

    @Test(arguments: complete)
    func aWordForTwoKindsIsMeantSo(language: String) throws {
        var lines: [String: [KindWords.Line]] = [:]
        for line in try KindWords.lines(of: language) {
            let words = line.words.map { $0.lowercased() }
            #expect(Set(words).count == words.count, "\(language), \(line.kind): a word stands twice")
            for word in Set(words) { lines[word, default: []].append(line) }
        }
        for (word, lines) in lines {
            let isShared = lines.map { line in line.shared.contains { $0.lowercased() == word } }
            if lines.count > 1 {
                #expect(!isShared.contains(false), "\(language): \(word) names \(lines.map(\.kind)) without a mark")
            } else {
                #expect(isShared == [false], "\(language): \(word) is marked but names one kind only")
            }
        }
    }

    @Test func everyIconIsThatOfAKindOnTheMap() throws {
        let style = try JSONSerialization.jsonObject(with: GazetteerData.contents("map-style.json")) as? [String: Any]
        let icons = Set(try #require(style?["categories"] as? [String: Any]).keys)
        for kind in try PlaceKinds.bundled().all {
            if let icon = kind.icon { #expect(icons.contains(icon), "\(kind.name)") }
        }
    }

    /// Tags that no preset of the editors has and that the data has all the same.
    private static let otherTags: Set<String> = [
        "amenity=kiosk", "amenity=market", "amenity=public_market", "amenity=health_centre", "amenity=retirement_home",
        "amenity=letter_box", "amenity=mountain_rescue", "amenity=emergency_phone", "amenity=public_building",
        "amenity=preschool", "amenity=nursery", "amenity=dormitory", "amenity=youth_centre", "amenity=sauna",
        "amenity=gym", "amenity=spa", "amenity=wifi", "amenity=luggage_locker", "amenity=student_accommodation",
        "amenity=festival_grounds", "amenity=left_luggage", "amenity=coworking_space", "amenity=music_venue",
        "amenity=dancing_school", "amenity=nursing_home", "amenity=grave_yard", "amenity=monastery",
        "amenity=kindergarten", "shop=fish", "shop=organic", "shop=food", "shop=general", "shop=fashion",
        "shop=apparel", "shop=drugstore", "shop=printing", "shop=car_dealer", "shop=insurance", "shop=estate_agent",
        "shop=telecommunication", "shop=boutique", "shop=camera", "shop=grocery", "shop=hardware",
        "tourism=bed_and_breakfast", "historic=fortress", "historic=monastery", "historic=tower", "building=fortress",
        "aerialway=drag_lift", "craft=dressmaker", "office=administrative", "office=travel_agent", "man_made=telescope",
        "leisure=spa", "leisure=climbing", "leisure=swimming_area", "highway=trailhead", "information=trailhead",
        "sport=swimming", "healthcare=centre", "internet_access=wifi", "community_centre=youth_centre", "water=oxbow",
        "microbrewery=yes", "organic=only", "breakfast=yes", "station=subway", "theatre:type=concert_hall",
        "mountain_pass=yes", "emergency=mountain_rescue", "landuse=fairground", "social_facility=assisted_living",
        "denomination=roman_catholic", "ruins=yes", "craft=jeweller", "craft=shoemaker", "vending=*",
        "healthcare=doctor", "healthcare=hospital", "railway=stop", "aeroway=heliport", "historic=battlefield",
        "amenity=concert_hall", "boundary=national_park", "water=lagoon",
    ]

    /// Keys whose values describe a place and are open lists.
    private static let openKeys: Set<String> = [
        "cuisine", "religion", "denomination", "sport", "vending", "beauty", "healthcare:speciality",
        "generator:source",
        "information", "recycling_type", "tower:type", "parking", "atm", "social_facility",
    ]

    @Test(.enabled(if: Self.presets != nil)) func everyTagIsOneThatEditorsKnow() throws {
        let presets = try #require(Self.presets)
        for kind in try PlaceKinds.bundled().all {
            for term in kind.tags.alternatives.joined() where !term.key.hasPrefix("diet:") {
                guard case .oneOf(let values) = term.values, !Self.openKeys.contains(term.key) else { continue }
                for value in values {
                    let tag = "\(term.key)=\(value)"
                    #expect(presets.contains(tag) || Self.otherTags.contains(tag), "\(kind.name): \(tag)")
                }
            }
        }
    }

    /// `key=value` of all presets of id-tagging-schema, where they are at hand.
    private static let presets: Set<String>? = {
        guard let shared = ProcessInfo.processInfo.environment["SEXTANT_SHARED"],
            let data = FileManager.default.contents(
                atPath: shared + "/data/categories/id-tagging-schema/presets.min.json"),
            let presets = try? JSONSerialization.jsonObject(with: data) as? [String: [String: Any]]
        else { return nil }
        var tags: Set<String> = []
        for preset in presets.values {
            for (key, value) in preset["tags"] as? [String: String] ?? [:] { tags.insert("\(key)=\(value)") }
        }
        return tags
    }()

    @Test func aTableThatCannotBeReadSaysWhere() {
        let lines = [
            ("a\tb=c\t-\tkind", "categories.tsv, line 2: needs five columns, has 4"),
            ("a\tb\t-\tkind\t-", "categories.tsv, line 2: \"b\" is no tag expression: it has no \"=\""),
            ("a\tb=c\t-\tsort\t-", "categories.tsv, line 2: no sort: sort"),
            ("a\tb=c\t-\tkind\t-\na\tb=d\t-\tkind\t-", "categories.tsv, line 3: a stands twice"),
        ]
        for (line, message) in lines {
            #expect { try PlaceKinds(table: "# kinds\n" + line) } throws: { "\($0)" == message }
        }
        for line in ["bank", "bank\t", "bank\tBank,,Banken", "bank\tBank, Banken", "bank\ta\tb"] {
            #expect(throws: LexiconError.self) { try KindWords.lines(line, language: "de", file: "kinds/de.tsv") }
        }
    }

    @Test func theMainTagDecidesWhatAThingIs() throws {
        let kinds = try PlaceKinds.bundled()
        let tags: Tags = ["amenity": "cafe", "shop": "bakery", "tourism": "hotel"]
        #expect(kinds.kind(of: tags)?.name == "cafe")
        #expect(kinds.kind(of: tags, mainKey: "shop")?.name == "bakery")
        #expect(Set(kinds.kinds(of: tags).map(\.name)).isSuperset(of: ["cafe", "bakery", "hotel", "food", "lodging"]))
        #expect(kinds.kind(of: ["amenity": "place_of_worship", "religion": "muslim"])?.name == "mosque")
        #expect(kinds.kind(of: ["amenity": "place_of_worship"])?.name == "place_of_worship")
        #expect(kinds.kind(of: ["cuisine": "pizza"]) == nil)
    }

    /// The same as asking every expression in turn.
    @Test(arguments: [31, 32] as [UInt64])
    func theIndexOfRulesAgreesWithEachExpression(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let kinds = try PlaceKinds.bundled()
        let terms = kinds.all.flatMap { $0.tags.alternatives.joined() }
        for _ in 0..<2000 {
            var tags = Tags()
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                guard let term = terms.randomElement(using: &random) else { continue }
                switch term.values {
                case .oneOf(let values), .noneOf(let values): tags[term.key] = values.randomElement(using: &random)
                case .beginning(let text):
                    tags[term.key] = text + ["", "x", ";y"][Int.random(in: 0...2, using: &random)]
                case .containing(let text): tags[term.key] = ["", "x;"][Int.random(in: 0...1, using: &random)] + text
                case .any: tags[term.key] = "yes"
                }
            }
            let wanted = kinds.all.indices.filter { kinds.all[$0].tags.holds(tags) }
            #expect(kinds.numbers(of: tags) == wanted, "seed \(seed), \(tags)")
        }
    }

    @Test(arguments: [41, 42] as [UInt64])
    func sortedLinesGiveWhatADictionaryDoes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func word() -> String {
            String((0..<Int.random(in: 1...4, using: &random)).map { _ in "ab c".randomElement(using: &random) ?? "a" })
        }
        var wanted: [String: String] = [:]
        for _ in 0..<200 { wanted[word()] = word() }
        let lines = SortedLines(bytes: SortedLines.bytes(of: wanted.map { ($0.key, $0.value) }))
        for _ in 0..<400 {
            let key = word()
            #expect(lines.content(of: key) == wanted[key], "seed \(seed), \"\(key)\"")
            var found: [String: String] = [:]
            lines.forEach(beginning: key) { found[String($0)] = String($1) }
            #expect(found == wanted.filter { $0.key.hasPrefix(key) }, "seed \(seed), \"\(key)\"")
        }
    }

    @Test func damagedLinesAreOnlyNotFound() {
        for bytes in [[], [0x0a], [0x0a, 0x0a, 0x09], Array("b\ta\nb\tb".utf8), [0xff, 0x09, 0xff]] as [[UInt8]] {
            let lines = SortedLines(bytes: bytes)
            #expect(lines.content(of: "zz") == nil)
            lines.forEach(beginning: "zz") { _, _ in Issue.record("found something") }
        }
    }

    @Test(arguments: [
        ("en", "stations", "station"), ("en", "bakeries", "bakery"), ("en", "churches", "church"),
        ("en", "theatres", "theater"), ("de", "apotheken", "apotheke"), ("fr", "hopitaux", "hopital"),
        ("fr", "chateaux", "chateau"), ("es", "bares", "bar"), ("es", "restaurantes", "restaurante"),
        ("it", "biblioteche", "biblioteca"), ("it", "negozi", "negozio"), ("pt", "estacoes", "estacao"),
        ("nl", "apotheken", "apotheek"), ("nl", "huizen", "huis"), ("ru", "apteki", "apteka"),
        ("pl", "apteki", "apteka"),
        ("fi", "kaupat", "kauppa"), ("sv", "apoteken", "apotek"),
    ])
    func formsOfAWordHaveOneStem(language: String, form: String, word: String) {
        #expect(WordStem.of(form, language: language) == WordStem.of(word, language: language))
    }
}

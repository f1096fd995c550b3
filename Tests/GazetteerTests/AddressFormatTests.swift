import Foundation
import GazetteerData
import Testing

@testable import Gazetteer

@Suite struct AddressFormatTests {
    let formatter: AddressFormatter
    init() throws { formatter = try AddressFormatter.shared }

    /// `number|road|city|...` of an address as people would note it: `road=Main Street, city=Ames`.
    private func lines(_ parts: String, abbreviating: Bool = false, country: String? = nil) -> [String] {
        let pairs = parts.components(separatedBy: "; ").map { $0.components(separatedBy: "=") }
        return formatter.lines(
            Dictionary(pairs.map { ($0[0], $0[1]) }) { first, _ in first }, country: country, abbreviating: abbreviating
        )
    }

    private let house = "house_number=5; road=Main Street; city=Harbour; state=North; postcode=12345; country=Land"

    // MARK: The tables

    @Test func everyCountryHasAFormat() throws {
        let countries = try CountryFacts.load().map { $0.code.lowercased() }
        #expect(countries.count >= 250)
        #expect(countries.filter { !formatter.countries.contains($0) } == [])
        // Two have no streets.
        for country in countries where country != "aq" && country != "pn" {
            let written = lines(house + "; country_code=\(country)")
            #expect(written.contains { $0.contains("Main Street") } && written.joined().contains("5"), "\(country)")
        }
    }

    @Test func theNumberStandsWhereTheCountryHasIt() throws {
        // Two tables of the project that must not contradict each other.
        var contradictions: [String] = []
        for country in try CountryFacts.load() where country.code != "AQ" && country.code != "PN" {
            let street = formatter.street("Main", number: "5", country: country.code)
            if street.hasPrefix("5") != country.numberComesFirst { contradictions.append(country.code) }
        }
        #expect(contradictions == [])
    }

    @Test func everyLanguageOfACountryIsAbbreviatedByItsTable() throws {
        let table = try String(contentsOf: GazetteerData.url("lexicons/abbreviations.tsv"), encoding: .utf8)
        let languages = Set(table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != "\t" } })
        #expect(languages.count >= 25)
        for language in languages {
            let parts = try formatter.formats.abbreviations(in: String(language))
            #expect(parts.values.allSatisfy { $0.allSatisfy { !$0.long.isEmpty && $0.short.count <= $0.long.count } })
            #expect(!parts.isEmpty)
        }
    }

    @Test(arguments: [
        ("country\tde\t{road} {numer}", "there is no part \"numer\""),
        ("country\tde\tsomewhere", "there is no layout \"somewhere\""),
        ("say\tqq\tcity\tA=B", "qq has no format"),
        ("like\tli\tqq", "li is like qq, which has no format"),
        ("omit\tde\tstate\tcity", "\"city\" is not name=text"),
        ("country\tde\t{road", "\"{\" without \"}\" in \"{road\""),
        ("song\tde", "\"song\" with 2 fields is no row of this table"),
    ])
    func aFaultOfTheTableIsToldWithItsLine(row: String, reason: String) throws {
        let parts = try String(contentsOf: GazetteerData.url("lexicons/address-formats.tsv"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("part\t") }.joined(separator: "\n")
        let table = parts + "\nlayout\tplaces\t{city}\ncountry\t*,de\t{road}|{city}\n" + row + "\n"
        let error = #expect(throws: AddressFormatsError.self) { try AddressFormatter(formats: table) }
        #expect(error?.reason == reason)
        #expect(error?.line == table.split(separator: "\n").count)
        #expect(throws: AddressFormatsError.self) { try AddressFormatter(formats: "") }
    }

    // MARK: Lines

    @Test func eachCountryHasItsOrder() {
        func written(_ country: String) -> String {
            lines(house + "; country_code=\(country)").joined(separator: " | ")
        }
        #expect(written("de") == "Main Street 5 | 12345 Harbour | Land")
        #expect(written("fr") == "5 Main Street | 12345 Harbour | Land")
        #expect(written("it") == "Main Street 5 | 12345 Harbour | Land")
        #expect(written("es") == "Main Street, 5 | 12345 Harbour | Land")
        #expect(written("us") == "5 Main Street | Harbour, North 12345 | Land")
        #expect(written("gb") == "5 Main Street | Harbour | 12345 | Land")
        #expect(written("hu") == "12345 Harbour | Main Street 5. | Land")
        #expect(written("ru") == "Main Street, 5 | Harbour | North | Land | 12345")
        #expect(written("kz") == "Land | North | 12345 Harbour | Main Street, 5")
        #expect(written("in") == "5, Main Street | Harbour - 12345 | North | Land")
        #expect(written("GT") == "Main Street 5 | 12345-Harbour | Land")
    }

    @Test func aTerritoryWritesAsItsCountryAndSaysWhatItIs() {
        #expect(
            lines("road=Rue Basse; town=Port; postcode=97100; country_code=gp")
                == ["Rue Basse", "97100 Port", "Guadeloupe, France"])
        #expect(
            lines("town=Port; postcode=AA1; state=Ascension; country_code=sh")
                == ["Port", "AA1", "Ascension", "United Kingdom"])
        #expect(lines("city=Hill; postcode=96910; country_code=gu") == ["Hill, GU 96910", "United States of America"])
        #expect(
            lines("road=Weg; city=Stad; state=Aruba; country=Nederland; country_code=nl") == ["Weg", "Stad", "Aruba"])
        #expect(lines("road=Gasse; town=Ort; postcode=1234; country_code=li") == ["Gasse", "1234 Ort"])
    }

    @Test func withoutStreetAndPostcodePlacesAreWrittenWithinPlaces() {
        #expect(
            lines("suburb=Quay; city=Harbour; state=North; country=Land; country_code=de")
                == ["Quay", "Harbour", "North", "Land"])
        #expect(
            lines("city=Ames; state=Iowa; country=USA; country_code=us") == ["Ames, Iowa", "United States of America"])
        #expect(lines("island=Rock; country_code=no") == ["Rock"])
        #expect(lines("country=Land") == ["Land"])
    }

    @Test func whatIsNoPartOfAnAddressMakesTheFirstLine() {
        #expect(
            lines("restaurant=Anchor; floor=Second Floor; road=Quay; city=Harbour; postcode=1; country_code=dk")
                == ["Second Floor, Anchor", "Quay", "1 Harbour"])
        #expect(
            lines("attention=Ms. Roe; pub=Anchor; road=Quay; city=Harbour; country_code=ie")
                == ["Ms. Roe, Anchor", "Quay", "Harbour"])
    }

    @Test func otherNamesOfAPartStandInForIt() {
        #expect(
            lines("street_number=5; pedestrian=Quay; township=Harbour; postal_code=12345; country_code=us")
                == ["5 Quay", "Harbour, 12345"])
        // The part's own name goes before.
        #expect(lines("footway=Steps; road=Quay; town=Harbour; country_code=at") == ["Quay", "Harbour"])
        // A district is a part of a town in some countries and of a state in others.
        #expect(lines("district=Mitte; city=Harbour; road=Quay; country_code=bw") == ["Quay", "Harbour"])
        #expect(lines("district=Centro; city=Harbour; road=Quay; country_code=ni") == ["Quay", "Centro", "Harbour"])
    }

    @Test func nothingIsSaidTwice() {
        #expect(lines("road=Quay; suburb=Harbour; city=Harbour; country_code=vn") == ["Quay", "Harbour"])
        #expect(lines("road=Quay; city=Limón; state=Limón; suburb=East; country_code=cr") == ["Quay", "Limón, East"])
        #expect(lines("road=Quay; city=New York; state=New York; country_code=us") == ["Quay", "New York, NY"])
        #expect(lines("city=New York; state=New York; country_code=us") == ["New York, New York"])
        #expect(
            lines("city=London; state=England; country=United Kingdom; country_code=gb")
                == ["London", "United Kingdom"])
        #expect(lines("road=Quay; city=Galway; county=County Galway; country_code=ie") == ["Quay", "Galway"])
    }

    @Test func strayMarksAndValuesThatAreNoneAreLeftOut() {
        #expect(
            lines("road=Quay,; city=  Harbour   Town ; state=?; postcode=1; shop=https://a.example; country_code=de")
                == ["Quay", "1 Harbour Town"])
        #expect(lines("road=\u{5e9}\u{5d3}; city=\u{200f}عمان; country_code=jo") == ["\u{5e9}\u{5d3}", "\u{200f}عمان"])
        #expect(formatter.lines([:]) == [] && lines("road=-; city= ; country_code=fr") == [])
        // What a value breaks into lines is put together again.
        #expect(
            formatter.lines(["road": "Long\nQuay", "city": "\tHarbour", "country_code": "se"]) == [
                "Long Quay", "Harbour",
            ])
    }

    @Test func postcodesHaveTheirCountrysForm() {
        func code(_ text: String, _ country: String) -> String {
            lines("road=R; city=C; state=S; postcode=\(text); country_code=\(country)").joined(separator: "|")
        }
        #expect(code("11122", "se").hasSuffix("111 22 C") && code("111 22", "cz").hasSuffix("111 22 C"))
        #expect(code("1234ab", "nl").hasSuffix("1234 ab C") && code("12345", "pl").hasSuffix("12-345 C"))
        #expect(code("1234567", "jp").contains("123-4567") && code("12345678", "br").hasSuffix("12345-678"))
        #expect(code("K1A0B1", "ca").contains("K1A 0B1") && code("W23-P466", "ie").hasSuffix("W23 P466"))
        // What has not this form stays as it is; of a list the first is meant, or none.
        #expect(code("SE-11122", "se").contains("SE-11122 C"))
        #expect(code("11122,11123", "de").hasSuffix("11122 C") && code("11122;11123", "de") == "R|C")
        #expect(code("eleven thousand one hundred", "de") == "R|C")
    }

    @Test func codesOfStatesAreFoundBothWays() {
        #expect(lines("city=Ames; postcode=50010; state=IOWA; country_code=us") == ["Ames, IA 50010"])
        #expect(lines("city=Ames; state=IA; country_code=us") == ["Ames, Iowa"])
        #expect(lines("city=Ames; postcode=50010; state=Iowa; state_code=X; country_code=us") == ["Ames, X 50010"])
        #expect(
            lines("road=Via; town=Oderzo; postcode=31046; county=Provincia di Treviso; country_code=it")
                == ["Via", "31046 Oderzo TV"])
        #expect(formatter.stateCode(of: "new south wales", country: "AU") == "NSW")
        #expect(formatter.stateCode(of: "Atlantis", country: "us") == nil)
    }

    @Test func districtsLoseTheWordsThatSayWhatTheyAre() {
        #expect(
            lines("village=Dorf; county=Landkreis Bach; state=Freistaat Bayern; country_code=de")
                == ["Dorf", "Bayern"])
        #expect(
            lines("city_district=Stadtbezirk 03 Maxvorstadt; city=München; country_code=de")
                == ["Maxvorstadt", "München"])
        #expect(
            lines("road=Rue; city=Paris 11e Arrondissement; postcode=75011; country_code=fr") == ["Rue", "75011 Paris"])
        // Streets keep theirs.
        #expect(lines("road=Gemeinde Platz; city=Ort; country_code=de") == ["Gemeinde Platz", "Ort"])
    }

    @Test func wordsAreShortenedInTheLanguagesOfTheCountry() {
        #expect(lines("road=Augusta Lane; city=Ames; country_code=us", abbreviating: true) == ["Augusta Ln", "Ames"])
        #expect(lines("road=Rue Saint Rue; city=Ville; country_code=fr", abbreviating: true) == ["R St R", "Ville"])
        #expect(lines("road=Willy-Platz; city=Ort; country_code=de", abbreviating: true) == ["Willy-Platz", "Ort"])
        #expect(lines("road=Laneway Streets; city=Ames; country_code=us", abbreviating: true)[0] == "Laneway Streets")
        #expect(
            lines("road=улица Ленина; city=город Томск; country_code=ru", abbreviating: true)
                == ["ул Ленина", "г Томск"])
        #expect(lines("road=Augusta Lane; city=Ames; country_code=us") == ["Augusta Lane", "Ames"])
    }

    @Test func anotherCountryCanBeWrittenFor() {
        let parts = "house_number=5; road=Quay; city=Harbour; postcode=12345; country=Land; country_code=de"
        #expect(lines(parts, country: "US") == ["5 Quay", "Harbour, 12345", "Land"])
        #expect(lines(parts, country: "uk") == ["5 Quay", "Harbour", "12345", "Land"])
        #expect(lines("road=Quay; city=Harbour; country_code=zz") == ["Quay", "Harbour"])
        #expect(lines("road=Quay; city=Harbour; country_code=Germany") == ["Quay", "Harbour"])
    }

    // MARK: Features

    @Test func theAddressOfAFeatureDoesNotNameTheFeature() {
        func address(_ parts: [(String, String)]) -> AddressParts {
            AddressParts(parts: parts.map { .init(label: $0.0, name: $0.1, feature: nil, rank: 20) })
        }
        let shop = address([
            ("shop", "Anchor"), ("building", "Mall"), ("house_number", "5"), ("road", "Quay"), ("town", "Harbour"),
            ("postcode", "1234"), ("country", "Land"), ("country_code", "no"),
        ])
        #expect(formatter.lines(shop) == ["Quay 5", "1234 Harbour", "Land"])
        #expect(formatter.line(shop, name: "Anchor") == "Anchor, Quay 5, 1234 Harbour, Land")
        #expect(formatter.lines(AddressParts()).isEmpty && formatter.lines(AddressParts(), name: "Anchor").isEmpty)
        // A house without a street belongs to its village.
        #expect(
            formatter.lines(
                address([
                    ("house_number", "5"), ("village", "Dorf"), ("postcode", "1234"),
                    ("country_code", "at"),
                ])) == ["Dorf 5", "1234 Dorf"])
        // The country has its name in the reader's language, also where it goes without saying.
        #expect(
            formatter.lines(
                address([
                    ("road", "Rue"), ("city", "Monaco"), ("postcode", "98000"), ("country", "Monaco"),
                    ("country_code", "mc"),
                ])) == ["Rue", "98000 Monaco", "Monaco"])
        #expect(
            formatter.lines(address([("town", "Port"), ("country", "Guadalupe"), ("country_code", "gp")]))
                == ["Port", "Guadalupe"])
        var tagged = address([("road", "Quay"), ("country_code", "pl")])
        tagged.postTown = "Harbour"
        #expect(formatter.lines(tagged) == ["Quay", "Harbour"])
    }

    @Test func streetAndNumberGoTogetherInEveryCountry() {
        #expect(formatter.street("Städtle", number: "13", country: "li") == "Städtle 13")
        #expect(formatter.street("High Street", number: "13", country: "GB") == "13 High Street")
        #expect(formatter.street("Calle Mayor", number: "13", country: "es") == "Calle Mayor, 13")
        // Where they stand in lines of their own, in the order of these.
        #expect(formatter.street("Rue", number: "13", country: "ne") == "13 Rue")
        #expect(formatter.street("Quay", number: nil, country: "us") == "Quay")
        #expect(formatter.street("Quay", number: "13", country: nil) == "Quay 13")
    }

    // MARK: Against slow or loose readings

    @Test func formsOfNamesAreReadAsTheirRegularExpressions() throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededGenerator(seed: seed)
        func text(_ letters: String, _ length: ClosedRange<Int>) -> String {
            let letters = Array(letters)
            return String(
                (0..<Int.random(in: length, using: &random)).map { _ in
                    letters[Int.random(in: letters.indices, using: &random)]
                })
        }
        for _ in 0..<20_000 {
            let core = text("ab# é", 1...4)
            let form = (Bool.random(using: &random) ? "~" : "") + core + (Bool.random(using: &random) ? "~" : "")
            let name = text("aAb1 2é", 0...8)
            let expression =
                (form.hasPrefix("~") ? "^(.*?)" : "^()")
                + NSRegularExpression.escapedPattern(for: core).replacing("#", with: "\u{0}")
                .replacing("\\\u{0}", with: "\u{0}").replacing("\u{0}", with: "[0-9][^ ]*+")
                + (form.hasSuffix("~") ? "(.*)$" : "()$")
            // Letters beyond ASCII keep their case in a form.
            let matcher = try NSRegularExpression(
                pattern: expression.replacing("a", with: "[aA]").replacing("b", with: "[bB]"))
            let match = matcher.firstMatch(in: name, range: NSRange(name.startIndex..., in: name))
            let slow = match.map {
                (name as NSString).substring(with: $0.range(at: 1)) + "X"
                    + (name as NSString).substring(with: $0.range(at: 2))
            }
            #expect(AddressPattern(form + "=X").replaced(in: name) == slow, "seed \(seed): \(form) in \(name)")
        }
    }

    @Test func noAddressHasStrayMarksOrSaysWhatItWasNotTold() {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("addresses: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let names = formatter.partNames.subtracting(["country_code"]).sorted() + ["pub", "museum"]
        for country in formatter.countries.sorted() {
            for _ in 0..<40 {
                var parts = ["country_code": country]
                for name in names where Int.random(in: 0..<5, using: &random) == 0 {
                    parts[name] = ["Old Quay", "Harbour", "North, \(name)", "7", "West\(name)"].randomElement(
                        using: &random)
                }
                let written = formatter.lines(parts)
                #expect(written == formatter.lines(parts), "seed \(seed)")
                #expect(Set(written).count == written.count, "seed \(seed): \(parts): \(written)")
                for line in written {
                    #expect(
                        line == line.trimmingCharacters(in: CharacterSet(charactersIn: " ,-\n")) && !line.contains("  ")
                            && !line.contains(" ,") && !line.contains(",,") && !line.contains("{"),
                        "seed \(seed): \(parts): \(written)")
                }
            }
        }
    }

    @Test func hostileValuesAreWrittenAndNoneCrashes() {
        let seed = UInt64.random(in: 0..<1_000_000)
        print("hostile addresses: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let letters = Array("a1 ,;-/{}|~#=\n\t\u{0}\u{200f}é漢🏠\u{301}\r\u{2028}\u{85}")
        for country in formatter.countries.sorted() {
            for _ in 0..<20 {
                var parts = ["country_code": country]
                for name in ["road", "house_number", "city", "state", "county", "postcode", "country", "suburb", "x"] {
                    parts[name] = String(
                        (0..<Int.random(in: 0..<9, using: &random)).map { _ in
                            letters.randomElement(using: &random) ?? "a"
                        })
                }
                for line in formatter.lines(parts, abbreviating: true) {
                    #expect(!line.contains { $0.isNewline }, "seed \(seed)")
                }
            }
        }
    }
}

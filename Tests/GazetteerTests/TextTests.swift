import Testing

@testable import Gazetteer

@Suite struct TextTests {
    let normalizer: TextNormalizer
    init() throws { normalizer = try TextNormalizer.shared }

    private func meet(_ spellings: String...) -> Bool {
        Set(spellings.map { normalizer.key($0) }).count == 1
    }

    @Test func umlautsMeetTheirTwoSpellings() {
        #expect(meet("Köln", "Koeln", "Koln", "KÖLN", "ko\u{308}ln"))
        #expect(meet("Gräfenroda", "graefenroda", "grafenroda"))
        #expect(meet("Ålesund", "Aalesund", "alesund"))
        #expect(meet("Weiß", "Weiss", "WEISS"))
    }

    /// ICU would read them by its rules for Han, which take long to make ready: marks of repetition that stand apart from
    /// the letters' blocks.
    @Test func marksOfHanAreNoLettersOfAnAlphabet() {
        for mark in ["\u{303b}", "\u{16fe3}", "\u{16ff0}"] {
            #expect(TextFold.words(mark).isEmpty, "\(mark)")
            #expect(TextFold.words("東\(mark)京").map(\.text) == ["東", "京"], "\(mark)")
        }
        #expect(TextFold.words("佐々木").map(\.text) == ["佐", "々", "木"])
    }

    @Test func aWordOfAnotherAlphabetIsReadAlikeEachTime() {
        let first = TextFold.words("თბილისი")
        #expect(first.map(\.text) == ["tbilisi"])
        #expect(TextFold.words("თბილისი") == first)
    }

    @Test func streetTypesMeetTheirAbbreviations() {
        #expect(meet("Hauptstr.", "Hauptstrasse", "Hauptstraße", "Haupt Straße", "HAUPT-STR"))
        #expect(meet("Am Falkpl. ", "Am Falkplatz"))
        #expect(meet("5th Ave", "Fifth Avenue", "5 av."))
        #expect(meet("N State St", "North State Street"))
        #expect(meet("St Kilda Rd", "Saint Kilda Road"))
        #expect(meet("ул. Ленина", "улица Ленина", "ulica Lenina"))
        #expect(meet("Невский пр-т", "Невский проспект"))
        #expect(meet("Bd de la République", "boulevard de la republique"))
        #expect(meet("Old Mill Rd NE", "Old Mill Road North East"))
    }

    @Test func stoppedAbbreviationsMeetWhatTheyStandFor() {
        #expect(meet("Mühlg. 4", "Mühlgasse 4"))
        #expect(meet("Kasarmik. 18", "Kasarmikatu 18"))
        #expect(meet("Б. Никитская ул.", "Большая Никитская улица"))
        #expect(meet("М. Лубянка", "Малая Лубянка"))
        #expect(normalizer.key("Burg 4") == "burg 4")
        #expect(!meet("B Street", "Большая Street"))
        #expect(meet("Mus. of Art", "Museum of Art"))
        #expect(meet("Rhodes Is.", "Rhodes Island"))
    }

    @Test func abbreviationsThatAreNamesThemselvesStayNames() {
        for (name, word) in [
            ("Mus", "Museum"), ("Is", "Island"), ("Lot", "Lotissement"), ("Burg", "Burgemeester"), ("Ob", "Obere"),
            ("Vic", "Vicolo"), ("Cam", "Camino"), ("Cem", "Cemetery"), ("Col", "Colonel"),
        ] {
            #expect(!meet(name, word), "\(name)")
        }
    }

    @Test func ordinalsMeet() {
        #expect(meet("2-я Тверская", "2я Тверская", "Вторая Тверская"))
        #expect(meet("5e avenue", "5th avenue", "fifth avenue", "vijfde avenue"))
        #expect(meet("Boulevard Albert Ier", "Boulevard Albert 1er", "Boulevard Albert I", "Bd. Albert I"))
        #expect(meet("Boulevard Albert I, Monaco", "Boulevard Albert Ier, Monaco"))
        #expect(meet("Avenue Albert II", "Avenue Albert 2"))
        #expect(!meet("Ramón i Cajal", "Ramón 1 Cajal"))
        #expect(!meet("Mill Lane 5 I", "Mill Lane 5 1"))
        #expect(meet("Тверской", "Тверскои", "Тверскои\u{306}"))
    }

    @Test func foreignNamesAreAlsoSpeltAsOnRoadSigns() {
        #expect(Romanization.spellings(of: "Большая Никитская", country: "ru") == ["bolshaya nikitskaya"])
        #expect(Romanization.spellings(of: "北京", country: "cn") == ["bei jing", "beijing"])
        #expect(Romanization.spellings(of: "渋谷", country: "jp").isEmpty)
        #expect(Romanization.spellings(of: "さくら", country: "jp") == ["sakura"])
        #expect(Romanization.spellings(of: "Städtle", country: "li").isEmpty)
    }

    @Test func everyVariantOfTheLexiconIsReadAsItsOwnToken() throws {
        // A variant that an earlier line has taken would be dead weight, or a mistake.
        var taken: [String: String] = [:]
        for line in normalizer.lexicon.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(columns.count == 4, "\(line)")
            guard columns.count == 4, ["street", "word", "direction"].contains(columns[0]) else { continue }
            for variant in columns[3].split(separator: ",") {
                let words = TextFold.words(String(variant)).map(\.text).joined(separator: " ")
                #expect(!words.isEmpty, "\(line)")
                if let other = taken[words], other != columns[2] {
                    Issue.record("\(variant) is both \(other) and \(columns[2])")
                }
                taken[words] = String(columns[2])
            }
        }
    }

    @Test func namesThatDifferStayApart() {
        #expect(!meet("Neustraße", "Neue Straße"))
        #expect(!meet("East Broadway", "West Broadway"))
        #expect(!meet("1st Street", "11th Street"))
    }

    @Test func apostrophesJoinOrPart() {
        #expect(meet("Queen's Road", "Queens Road", "Queen’s Rd"))
        #expect(meet("Carrer d'Aragó", "carrer d arago"))
        #expect(normalizer.tokens("N.Y. D.C") == ["ny", "dc"])
    }

    @Test func otherScriptsAreReadInLatin() {
        #expect(normalizer.tokens("Речицкий") == ["recickii"])
        #expect(normalizer.tokens("Αθήνα") == ["athena"])
        #expect(normalizer.tokens("高槻市") == ["高", "槻", "市"])
        #expect(!normalizer.tokens("الدوحة").isEmpty)
        #expect(normalizer.tokens("④⑤ १२") == ["45", "12"])
    }

    @Test func emptyAndHostileTextIsTaken() {
        #expect(normalizer.tokens("").isEmpty)
        #expect(normalizer.tokens("-- ,;'").isEmpty)
        #expect(normalizer.tokens(String(repeating: "ä", count: 100_000)).count == 1)
        #expect(normalizer.tokens("\u{0}\u{301}\u{202e}").isEmpty)
    }

    @Test func houseNumbersMeet() {
        #expect(Set(["12a", "12 A", "12-a", "12/A", "№12 а"].map { HouseNumber.key($0) }) == ["12a"])
        #expect(HouseNumber.keys("2;4, 12") == ["2", "4", "12"])
        #expect(HouseNumber.keys("4-8") == ["4-8", "4", "6", "8"])
        #expect(HouseNumber.keys("203-06") == ["203-06"])
        #expect(HouseNumber.key("55 к3") == HouseNumber.key("55к3"))
        #expect(HouseNumber.key("16½") == HouseNumber.key("16 1/2"))
        #expect(HouseNumber.key("1 bis") == "1bis")
        #expect(HouseNumber.keys("34/678") == ["34/678", "34", "678"])
        #expect(HouseNumber.key("𑁪𑁫") == "45")
        #expect(HouseNumber.key("Số 6") == "6")
        #expect(HouseNumber.keys("").isEmpty)
    }

    @Test func aRunOfOneLetterIsNoSingleLetter() {
        #expect(TextFold.words("aaaaaaaa").map(\.text) != ["a"])
        #expect(TextFold.words("Aarhus").map(\.text) == TextFold.words("Århus").map(\.text))
        #expect(TextFold.words("Goethe").map(\.text) == TextFold.words("Göthe").map(\.text))
    }
}

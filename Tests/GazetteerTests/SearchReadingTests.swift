import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct SearchReadingTests {
    private static let world = Result { () throws -> Gazetteer in
        var world = SmallWorld()
        world.node(1, 1, ["amenity": "cafe", "name": "Mozart"])
        return try world.open()
    }

    private func readings(_ text: String) throws -> [SearchReading] { try Self.world.get().readings(of: text) }

    private func first(_ text: String) throws -> SearchReading { try #require(try readings(text).first, "\(text)") }

    @Test func aKindAloneIsReadAsThatInAnyLanguage() throws {
        for word in ["cafe", "cafés", "кафе", "kahvilat", "the cafes", "find cafes", "all cafes"] {
            let reading = try first(word)
            #expect(reading.kinds == ["cafe"], "\(word)")
            #expect(reading.name.isEmpty && reading.wishes.isEmpty && reading.place == nil, "\(word)")
        }
    }

    @Test func aTraitBesideAKindMeansThingsOfThatKind() throws {
        for text in ["vegan restaurant", "restaurants vegan"] {
            let reading = try first(text)
            #expect(reading.kinds == ["restaurant"], "\(text)")
            #expect(reading.traits == [["vegan"]], "\(text)")
        }
        let food = try first("italian food")
        #expect(food.kinds.isEmpty)
        #expect(food.traits == [["italian"]])
        #expect(try first("pizza").traits == [["pizza"]])
    }

    @Test func severalKindsAreListed() throws {
        #expect(try first("museums and theatres").kinds == ["museum", "theatre"])
        #expect(try first("Cafés oder Bars").kinds == ["cafe", "bar"])
    }

    @Test func wishesAreTakenOut() throws {
        let expected = [
            "wheelchair accessible museum": ("museum", ["wheelchair"]), "free wifi cafe": ("cafe", ["free_wifi"]),
            "cafe with free wifi": ("cafe", ["free_wifi"]), "rollstuhlgerechte Museen": ("museum", ["wheelchair"]),
            "restaurant avec terrasse": ("restaurant", ["outdoor_seating"]),
            "кафе с бесплатным wifi": ("cafe", ["free_wifi"]),
            "restaurants that have outdoor seating and delivery": ("restaurant", ["outdoor_seating", "delivery"]),
        ]
        for (text, (kind, wishes)) in expected {
            let reading = try first(text)
            #expect(reading.kinds == [kind], "\(text)")
            #expect(reading.wishes == wishes, "\(text)")
        }
        #expect(try first("dog park").wishes.isEmpty)
    }

    @Test func everyPhraseOfAWishIsOneBehindAKind() throws {
        let table = try GazetteerText.resource("lexicons/queries.tsv")
        var count = 0
        for line in table.split(separator: "\n") where line.hasPrefix("wish\t") {
            let columns = line.split(separator: "\t").map(String.init)
            // Written without spaces between words.
            guard !["ja", "zh", "ar"].contains(columns[2]) else { continue }
            for phrase in columns[3].split(separator: ",") {
                let text = "pizza " + phrase.replacing("*", with: "")
                #expect(try first(text).wishes == [columns[1]], "\(text)")
                count += 1
            }
        }
        #expect(count > 300)
    }

    @Test func aTerraceIsNotTakenForOpenAndAJointNotForAPlace() throws {
        let sushi = try first("Sushi zum Mitnehmen")
        #expect(sushi.traits == [["sushi"]] && sushi.wishes == ["takeaway"] && sushi.place == nil)
        let bar = try first("bar all'aperto")
        #expect(bar.kinds == ["bar"] && bar.wishes == ["outdoor_seating"] && bar.opening == nil)
        for text in ["Apotheken die jetzt geöffnet haben", "Apotheken, die jetzt offen sind"] {
            let reading = try first(text)
            #expect(reading.kinds == ["pharmacy"] && reading.opening == .now && reading.name.isEmpty, "\(text)")
        }
    }

    @Test func aWordOfTwoKindsMeansTheOtherWhereTheFirstFindsNothing() throws {
        let found = try readings("chemists")
        #expect(found.map(\.kinds).first == ["chemist"])
        #expect(found.contains { $0.kinds.contains("pharmacy") })
    }

    @Test func aCompoundOfATraitAndRestaurantMeansRestaurants() throws {
        let reading = try first("vegaaniravintola")
        #expect(reading.kinds == ["restaurant"] && reading.traits.contains { $0.contains("vegan") }, "\(reading)")
    }

    @Test func timesAreRead() throws {
        let expected: [(String, SearchReading.Opening)] = [
            ("pharmacy open now", .now), ("open pharmacy", .now), ("Apotheke jetzt geöffnet", .now),
            ("pharmacie ouverte maintenant", .now), ("аптека открыта сейчас", .now), ("apteekki auki nyt", .now),
            ("pharmacy open 24 hours", .always), ("24/7 pharmacy", .always), ("круглосуточная аптека", .always),
            ("pharmacy open Sunday 10:00", .on(.weekday(6), minute: 600)),
            ("pharmacy open on sunday at 10am", .on(.weekday(6), minute: 600)),
            ("Apotheke Sonntag um 10 Uhr geöffnet", .on(.weekday(6), minute: 600)),
            ("pharmacie ouverte dimanche à 10h30", .on(.weekday(6), minute: 630)),
            ("аптека открыта в воскресенье в 10:00", .on(.weekday(6), minute: 600)),
            ("pharmacy open at 9 pm", .on(.today, minute: 1260)),
            ("pharmacy open until 22:00", .on(.today, minute: 1319)),
            ("pharmacy open tomorrow", .on(.tomorrow, minute: nil)),
            ("pharmacy open saturdays", .on(.weekday(5), minute: nil)),
        ]
        for (text, opening) in expected {
            let reading = try first(text)
            #expect(reading.kinds == ["pharmacy"], "\(text)")
            #expect(reading.opening == opening, "\(text)")
        }
        let anything = try first("open Sunday 10:00")
        #expect(anything.opening == .on(.weekday(6), minute: 600))
        #expect(!anything.isOfKind && anything.name.isEmpty)
    }

    @Test func aPlaceBehindAJointIsTold() throws {
        let expected: [(String, SearchReading.Relation, String)] = [
            ("cafes in Vaduz", .inside, "Vaduz"), ("cafe near Kiasma", .near, "Kiasma"),
            ("Cafés in der Nähe von Vaduz", .near, "Vaduz"),
            ("cafés près de la Place du Casino", .near, "Place du Casino"),
            ("cafés cerca de Vaduz", .near, "Vaduz"), ("кафе около Кремля", .near, "Кремля"),
            ("kahvilat Kiasman lähellä", .near, "Kiasman"), ("駅の近くのカフェ", .near, "駅"),
            ("free wifi cafe in Vaduz open now", .inside, "Vaduz"),
        ]
        for (text, relation, place) in expected {
            let reading = try first(text)
            #expect(reading.kinds == ["cafe"], "\(text)")
            #expect(reading.place?.relation == relation, "\(text)")
            #expect(reading.place?.text == place, "\(text)")
        }
        #expect(try first("parking near the station").place?.kinds.isEmpty == false)
        #expect(try readings("restaurants Vaduz").contains { $0.place == .init(relation: nil, text: "Vaduz") })
        let me = try first("cafes near me")
        #expect(me.isNearby && me.place == nil && me.kinds == ["cafe"])
    }

    @Test func aNameStaysWhole() throws {
        #expect(try first("Burger Max 24").kinds.isEmpty)
        let reading = try first("Mannerheimintie 5")
        #expect(!reading.isOfKind && reading.place == nil && !reading.name.isEmpty)
        #expect(try readings("Restaurant am See").contains { $0.place == nil && !$0.name.isEmpty })
        #expect(try readings("").isEmpty)
        #expect(try readings("?!").isEmpty)
    }

    @Test func hostileTextIsReadInBoundedWork() throws {
        let words = ["open", "in", "near", "cafe", "sunday", "10:00", "with", "and", "24", "wifi", "の", "at"]
        var random = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let text = (0..<Int.random(in: 1...60, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            #expect(try readings(text.joined(separator: " ")).count < 200)
        }
        _ = try readings(String(repeating: "in ", count: 5000))
    }

    @Test func theTableOfWordsIsWhole() throws {
        let words = try QueryWords.shared
        #expect(words.wishes.count >= 20)
        #expect(throws: LexiconError.self) { try QueryWords(table: "wish\tnothing\ten\tx") }
        #expect(throws: LexiconError.self) { try QueryWords(table: "tags\ta\t-") }
        #expect(throws: LexiconError.self) { try QueryWords(table: "joint\tin\ten\tin,,at") }
    }
}

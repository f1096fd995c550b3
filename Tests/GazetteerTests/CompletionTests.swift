import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct CompletionTests {
    private static let here = SmallWorld.point(1, 1)

    private func titles(_ gazetteer: Gazetteer, _ text: String, near: Coordinate? = here, limit: Int = 10) throws
        -> [String]
    {
        try gazetteer.complete(CompletionQuery(text, near: near, offersCategories: false, limit: limit)).completions
            .map(\.title)
    }

    private func world() -> SmallWorld {
        var world = SmallWorld()
        world.town("Köln", 0, 0)
        world.town("Vaduz", 20, 0)
        world.street("Hauptstraße", (1, 1), (2, 1))
        world.street("Hauptstraße", (21, 1), (22, 1))
        world.street("Am Dom", (1, 2), (2, 2))
        world.street("Städtle", (23, 3), (24, 3))
        for number in ["4", "40", "49", "5"] { _ = world.house(number, "Städtle", 23.5, 3.1) }
        world.node(3, 3, ["amenity": "restaurant", "name": "Haus Adler"])
        world.node(4, 3, ["amenity": "restaurant", "name": "Zum Hahn"])
        return world
    }

    @Test func everyKeystrokeOfANameOffersIt() throws {
        let gazetteer = try world().open()
        for name in ["Hauptstraße", "Am Dom", "Köln", "Haus Adler", "hauptstrasse köln", "KOELN"] {
            for length in 1...name.count {
                let typed = String(name.prefix(length))
                let wanted = name.hasPrefix("haupt") ? "Hauptstraße" : name == "KOELN" ? "Köln" : name
                #expect(try titles(gazetteer, typed).contains(wanted), "\(typed)")
            }
        }
        #expect(try titles(gazetteer, "").isEmpty && titles(gazetteer, " ,").isEmpty)
    }

    @Test func aTitleIsTheNameThatWasTypedInItsOwnLetters() throws {
        var world = SmallWorld()
        world.node(
            1, 1,
            [
                "place": "city", "name": "Munich", "population": "1200000",
                "alt_name": "Lungsod ng Muenchen;Minga;München;Мюнхен",
            ])
        world.node(
            3, 3,
            [
                "place": "city", "name": "Moscow", "population": "9000000", "capital": "yes",
                "alt_name": "Moskva;Москва;Москова",
            ])
        world.node(6, 6, ["place": "village", "name": "Moskva", "alt_name": "Москва"])
        for (x, name) in ["Münchberg", "Münchhausen", "Moskovo", "Moskvino"].enumerated() {
            world.node(10 + Double(x), 10, ["place": "village", "name": name])
        }
        let gazetteer = try world.open()
        #expect(try titles(gazetteer, "münch", near: nil).first == "München")
        #expect(try titles(gazetteer, "muni", near: nil).first == "Munich")
        #expect(try titles(gazetteer, "моск", near: nil).first == "Москва")
        let first = try gazetteer.complete(CompletionQuery("моск", offersCategories: false)).completions.first
        #expect(try gazetteer.feature(id: #require(first.map(feature)))?.name == "Moscow")
    }

    private func feature(_ completion: Completion) -> Int64 {
        if case .feature(let id) = completion.meaning { id } else { 0 }
    }

    @Test func aVillageStandsBeforeTheStopOfItsNameNextToTheAsker() throws {
        var world = SmallWorld()
        world.node(1.3, 1.3, ["place": "hamlet", "name": "Mühlholz"])
        world.node(1, 1, ["man_made": "monitoring_station", "name": "Mühlholz"])
        let gazetteer = try world.open()
        let found = try gazetteer.complete(
            CompletionQuery("mühlholz", near: Self.here, offersCategories: false)
        ).completions
        #expect(found.map(\.kind) == [.place])
    }

    @Test func wordsStandInAnyOrderAndMayBeThePlaceAround() throws {
        let gazetteer = try world().open()
        #expect(try titles(gazetteer, "vaduz stad") == ["Städtle"])
        #expect(try titles(gazetteer, "städtle vad").first == "Städtle")
        let found = try gazetteer.complete(CompletionQuery("vaduz haupt")).completions
        #expect(found.count == 1 && found[0].subtitle.contains("Vaduz"))
        #expect(found[0].subtitleHighlights.count == 1)
        #expect(try titles(gazetteer, "adler haus") == ["Haus Adler"])
    }

    @Test func aHouseNumberIsOfferedWhileItIsTyped() throws {
        let gazetteer = try world().open()
        #expect(try titles(gazetteer, "Städtle 4") == ["Städtle 4", "Städtle 40", "Städtle 49", "Städtle"])
        #expect(try titles(gazetteer, "Städtle 49") == ["Städtle 49", "Städtle"])
        #expect(try titles(gazetteer, "49 städt").first == "Städtle 49")
        #expect(try titles(gazetteer, "städtle 49 vad").first == "Städtle 49")
        #expect(try titles(gazetteer, "Städtle 7") == ["Städtle"])
        let house = try #require(try gazetteer.complete(CompletionQuery("Städtle 49")).completions.first)
        guard case .house(let id) = house.meaning else {
            Issue.record("no house")
            return
        }
        #expect(try gazetteer.feature(id: id)?.houseNumber == "49")
        #expect(house.kind == .address && house.titleHighlights == [0..<7, 8..<10])
    }

    @Test func aHouseStandsBeforeTheShopsInIt() throws {
        var world = SmallWorld()
        world.street("Ring", (1, 1), (2, 1))
        for name in ["Adler", "Bär", "Hahn"] {
            _ = world.house("7", "Ring", 1.5, 1.2, tags: ["shop": "bakery", "name": name])
        }
        let house = world.house("7", "Ring", 1.5, 1.1)
        _ = world.house("71", "Ring", 1.6, 1.1)
        let gazetteer = try world.open()
        let found = try gazetteer.complete(CompletionQuery("ring 7")).completions
        #expect(found.map(\.title) == ["Ring 7", "Ring 71", "Ring"])
        guard case .house(let id)? = found.first?.meaning else {
            Issue.record("no house")
            return
        }
        #expect(try gazetteer.feature(id: id)?.osm == OSMID(.node, house))
    }

    @Test func aCapitalStandsBeforeTheShopNearByAndTheShopBeforeAFarOne() throws {
        var world = SmallWorld()
        world.node(500, 0, ["place": "city", "name": "Berlin", "population": "3600000", "capital": "yes"])
        world.node(600, 100, ["place": "hamlet", "name": "Berg"])
        world.node(1.5, 1, ["shop": "bakery", "name": "Bertas Brot"])
        world.node(700, 5, ["shop": "bakery", "name": "Berber Brot"])
        let gazetteer = try world.open()
        #expect(try titles(gazetteer, "ber") == ["Berlin", "Bertas Brot", "Berg", "Berber Brot"])
    }

    @Test func theRestOfTheNameDecides() throws {
        var world = SmallWorld()
        world.street("California Street", (1, 1), (2, 1))
        world.node(40, 40, ["tourism": "museum", "name": "California Academy of Sciences"])
        let gazetteer = try world.open()
        #expect(try titles(gazetteer, "California").first == "California Street")
        #expect(try titles(gazetteer, "California Acad").first == "California Academy of Sciences")
    }

    @Test(arguments: [
        ("hautp", "Hauptstraße"), ("hauptsrt", "Hauptstraße"), ("hauptstarse", "Hauptstraße"), ("städlte", "Städtle"),
        ("vduz", "Vaduz"), ("hauptstasse kol", "Hauptstraße"), ("vaduz stadlte", "Städtle"),
    ])
    func typingErrorsAreForgivenFromTheFourthLetter(_ typed: String, _ wanted: String) throws {
        let gazetteer = try world().open()
        let found = try gazetteer.complete(CompletionQuery(typed, near: Self.here)).completions
        #expect(found.first?.title == wanted)
        #expect(found.first.map { $0.edits > 0 } == true)
        #expect(found.first?.titleHighlights.isEmpty == false)
    }

    @Test func threeLettersAreTakenAsTheyStand() throws {
        let gazetteer = try world().open()
        #expect(try titles(gazetteer, "hua").isEmpty)
        #expect(try titles(gazetteer, "Städtle 48").first == "Städtle")
    }

    @Test func whatFitsAsItStandsComesBeforeWhatMayHaveBeenMeant() throws {
        var world = world()
        world.street("Hautpfad", (9, 9), (9, 8))
        let found = try world.open().complete(CompletionQuery("hautp", near: Self.here)).completions
        #expect(found.map(\.title) == ["Hautpfad", "Hauptstraße", "Hauptstraße"])
        #expect(found.map(\.edits) == [0, 1, 1])
    }

    @Test func piecesOfAStreetOfOneTownAreOneAndAFeatureIsOfferedOnce() throws {
        var world = SmallWorld()
        world.town("Köln", 0, 0)
        world.street("Ring", (1, 1), (2, 1))
        world.street("Ring", (8, 8), (9, 8))
        world.node(5, 5, ["place": "city", "name": "Köln", "name:en": "Cologne", "alt_name": "Koln am Rhein"])
        let gazetteer = try world.open()
        #expect(try titles(gazetteer, "ring") == ["Ring"])
        #expect(try titles(gazetteer, "ko") == ["Köln"])
        #expect(try titles(gazetteer, "colog") == ["Cologne"])
        let german = CompletionQuery("colog", languages: ["de"])
        #expect(try gazetteer.complete(german).completions.map(\.title) == ["Köln"])
    }

    @Test func otherScriptsAreTypedAsTheyAreOrInLatin() throws {
        var world = SmallWorld()
        world.node(1, 1, ["place": "city", "name": "Москва"])
        world.node(2, 2, ["place": "city", "name": "東京"])
        world.node(3, 3, ["place": "city", "name": "Αθήνα"])
        world.node(4, 4, ["place": "city", "name": "서울"])
        let gazetteer = try world.open()
        for (typed, name) in [
            ("м", "Москва"), ("Моск", "Москва"), ("mosk", "Москва"), ("東", "東京"), ("東京", "東京"), ("αθη", "Αθήνα"),
            ("athe", "Αθήνα"), ("서울", "서울"), ("seou", "서울"),
        ] {
            #expect(try titles(gazetteer, typed).first == name, "\(typed)")
        }
    }

    @Test func apostrophesHyphensAndAbbreviationsMayBeLeftOut() throws {
        var world = SmallWorld()
        world.street("O’Connell Street", (1, 1), (2, 1))
        world.street("Rue Saint-Denis", (1, 3), (2, 3))
        world.street("Fifth Avenue", (1, 5), (2, 5))
        world.street("Friedrich Straße", (1, 6), (2, 6))
        world.node(3, 3, ["place": "town", "name": "Sankt Gallen"])
        world.node(3, 9, ["place": "town", "name": "Oerlikon"])
        let gazetteer = try world.open()
        for (typed, name) in [
            ("oconn", "O’Connell Street"), ("o'conn", "O’Connell Street"), ("connell", "O’Connell Street"),
            ("saint den", "Rue Saint-Denis"), ("saintden", "Rue Saint-Denis"), ("rue st-d", "Rue Saint-Denis"),
            ("5th av", "Fifth Avenue"), ("fifth aven", "Fifth Avenue"), ("st gal", "Sankt Gallen"),
            ("friedrichstr", "Friedrich Straße"), ("oe", "Oerlikon"), ("oer", "Oerlikon"), ("oerl", "Oerlikon"),
        ] {
            #expect(try titles(gazetteer, typed).first == name, "\(typed)")
        }
    }

    @Test func wordsForKindsOfPlacesAreOffered() throws {
        let gazetteer = try world().open()
        let found = try gazetteer.complete(CompletionQuery("resta", languages: ["en"])).completions
        #expect(found.first?.meaning == .category("restaurant") && found.first?.title == "Restaurant")
        #expect(found.first?.titleHighlights == [0..<5] && found.first?.location == nil)
        let german = try gazetteer.complete(CompletionQuery("gasth", languages: ["de"])).completions
        #expect(german.first?.title == "Gasthaus")
        // There is no pharmacy in that world.
        #expect(try gazetteer.complete(CompletionQuery("pharm")).completions.isEmpty)
        #expect(try titles(gazetteer, "resta").isEmpty)
    }

    @Test func kindsAndABoxLimit() throws {
        let gazetteer = try world().open()
        func found(_ query: CompletionQuery) throws -> [String] {
            try gazetteer.complete(query).completions.map(\.title)
        }
        #expect(try found(CompletionQuery("ha", kinds: [.street])) == ["Hauptstraße", "Hauptstraße"])
        let a = SmallWorld.point(20, 0)
        let box = BoundingBox(
            west: a.longitude, south: a.latitude, east: a.longitude + 0.01, north: a.latitude + 0.01)
        let inside = try gazetteer.complete(CompletionQuery("haupt", viewbox: box, isBounded: true)).completions
        #expect(inside.count == 1 && inside[0].subtitle.contains("Vaduz"))
        #expect(try found(CompletionQuery("am do", viewbox: box, isBounded: true)).isEmpty)
        #expect(try gazetteer.complete(CompletionQuery("haupt", viewbox: box)).completions.count == 2)
    }

    // MARK: Highlights

    @Test(arguments: [
        ("koln", "Köln", [0..<4]), ("ko", "Köln", [0..<2]), ("koln", "Ko\u{308}ln", [0..<5]),
        ("ko", "Ko\u{308}ln", [0..<3]),
        ("hauptstr", "Hauptstraße", [0..<8]), ("hauptstras", "Hauptstraße", [0..<10]),
        ("hauptstrasse", "Hauptstraße", [0..<11]), ("got", "𝔊𝔬𝔱𝔥𝔞 am See", [0..<6]),
        ("see got", "𝔊𝔬𝔱𝔥𝔞 am See", [0..<6, 14..<17]),
        ("oconn", "O’Connell Street", [0..<6]), ("st", "Sankt Gallen", [0..<5]), ("mosk", "Москва", [0..<4]),
        ("haupt str", "Hauptstraße", [0..<11]), ("東", "西東京", [1..<2]), ("x", "Köln", []),
        ("ne york", "New York", [0..<2, 4..<8]),
        ("koeln", "Köln", [0..<4]), ("aarh", "Århus", [0..<3]), ("oe", "Örlikon", [0..<1]),
    ])
    func whatWasTypedIsMarked(_ typed: String, _ text: String, _ ranges: [Range<Int>]) throws {
        let normalizer = try TextNormalizer.shared
        let words = TypedText(
            typed, normalizer: normalizer, lexicon: LexiconBeginnings(lexicon: normalizer.lexicon)
        ).words
        #expect(Highlights.find(words, in: text, normalizer: normalizer).ranges == ranges)
    }

    // MARK: Against a slow reading of everything

    /// Words of a few syllables, so that many begin alike.
    private func word(_ random: inout SeededGenerator) -> String {
        let syllables = ["ba", "ber", "ko", "lin", "ma", "mar", "ta", "tor", "ü", "schö"]
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in syllables.randomElement(using: &random) ?? "" }
            .joined().capitalized
    }

    @Test func theBestOfAllNamesAreFound() throws {
        for seed in [UInt64(1), 2, 3] {
            var random = SeededGenerator(seed: seed)
            var world = SmallWorld()
            for town in 0..<4 { world.town("Town\(["a", "b", "c", "d"][town])", Double(town) * 12, 0) }
            // Few enough that every list is read to its end.
            for index in 0..<100 {
                let (x, y) = (Double.random(in: 0..<48, using: &random), Double.random(in: 0..<10, using: &random))
                // A letter at the end keeps names apart.
                let name = "\(word(&random)) \(word(&random)) \(index)x"
                switch index % 3 {
                case 0: world.street(name, (x, y), (x + 0.5, y))
                case 1: world.node(x, y, ["shop": "bakery", "name": name, "alt_name": word(&random) + " \(index)x"])
                default: world.node(x, y, ["place": "hamlet", "name": name])
                }
            }
            let gazetteer = try world.open()
            for _ in 0..<150 {
                var text = word(&random)
                if Bool.random(using: &random) { text += " " + word(&random) }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    text = "town\("abcd".randomElement(using: &random) ?? "a") " + text
                }
                text = String(text.prefix(Int.random(in: 2...12, using: &random)))
                let near =
                    Bool.random(using: &random) ? SmallWorld.point(Double.random(in: 0..<48, using: &random), 5) : nil
                let query = CompletionQuery(text, near: near, offersCategories: false, limit: 5)
                let slow = try slowly(query, gazetteer)
                let quick = try gazetteer.complete(query).completions.filter { $0.edits == 0 }
                let scores = quick.map { ($0.score * 1e6).rounded() }
                #expect(scores == slow, "seed \(seed), \"\(text)\" near \(String(describing: near))")
            }
        }
    }

    @Test func theBestNearByIsFoundAmongMany() throws {
        for seed in [UInt64(4), 5] {
            var random = SeededGenerator(seed: seed)
            var world = SmallWorld()
            for index in 0..<900 {
                let (x, y) = (Double.random(in: 0..<300, using: &random), Double.random(in: 0..<200, using: &random))
                let name = "\(word(&random)) \(word(&random)) \(index)x"
                if index.isMultiple(of: 2) {
                    world.street(name, (x, y), (x + 0.5, y))
                } else {
                    world.node(x, y, ["shop": "bakery", "name": name])
                }
            }
            let gazetteer = try world.open()
            var isTruncated = false
            for _ in 0..<150 {
                let text = String(word(&random).prefix(Int.random(in: 2...6, using: &random)))
                let near = SmallWorld.point(
                    Double.random(in: 0..<300, using: &random), Double.random(in: 0..<200, using: &random))
                let query = CompletionQuery(text, near: near, offersCategories: false, limit: 3)
                let slow = try slowly(query, gazetteer)
                let quick = try gazetteer.complete(query).completions.filter { $0.edits == 0 }
                isTruncated = isTruncated || slow.count >= 3
                // Whoever is within a few kilometres is looked at.
                guard let best = slow.first, let first = quick.first, let place = first.location,
                    place.distance(to: near) < 3000
                else { continue }
                #expect((first.score * 1e6).rounded() == best, "seed \(seed), \"\(text)\" near \(near)")
            }
            #expect(isTruncated)
        }
    }

    /// The scores of the best, by weighing every row.
    private func slowly(_ query: CompletionQuery, _ gazetteer: Gazetteer) throws -> [Double] {
        try gazetteer.withDatabase { database in
            let text = try gazetteer.text(database)
            let knowledge = try CompletionKnowledge(text, database)
            let search = CompletionSearch(query, gazetteer, database, text, knowledge)
            var best: [Int64: Double] = [:]
            let rows = try database.prepare("SELECT \(CompletionRow.columns) FROM completion c")
            while try rows.step() {
                guard let row = CompletionRow(rows),
                    let fit = try search.fit(row, search.typed.words, isLastOpen: !search.typed.isLastComplete)
                else { continue }
                best[row.feature] = max(best[row.feature] ?? -.infinity, fit.score)
            }
            return best.values.sorted(by: >).prefix(query.limit).map { ($0 * 1e6).rounded() }
        }
    }

    // MARK: Bounds

    @Test func noTextReadsMoreThanItsShare() throws {
        var world = SmallWorld()
        world.town("Berg", 0, 0, size: 40)
        for index in 0..<3000 {
            let name = index.isMultiple(of: 2) ? "Berg Straße \(index)" : "Bergweg"
            world.node(
                Double(index % 60) / 3, Double(index / 60) / 3,
                index.isMultiple(of: 3) ? ["highway": "bus_stop", "name": name] : ["shop": "kiosk", "name": name])
        }
        let gazetteer = try world.open()
        for text in [
            "b", "be", "ber", "berg", "bergs", "berg s", "berg berg b", "b b b b b b b b", "straße berg 2", "brg",
            "bergwge", "berg 1",
            "1 1 1 b", "zzzz zzzz zzzz", "bregstrasse bregstrasse bregstrasse",
        ] {
            let effort = try gazetteer.complete(CompletionQuery(text, near: SmallWorld.point(10, 8))).effort
            #expect(effort.statements <= 1200 && effort.rows <= 9000, "\(text): \(effort)")
        }
        let plain = try gazetteer.complete(CompletionQuery("be", near: SmallWorld.point(10, 8))).effort
        #expect(plain.statements <= 80 && plain.rows <= 1500, "\(plain)")
    }

    @Test func hostileTextsAreAnswered() throws {
        let gazetteer = try world().open()
        let texts = [
            "\"", "' OR 1=1 --", "NEAR(a b)", "a*", "*", "-a", "^a", "a AND", "AND OR NOT", "(((", "@köln", "=a_b",
            "words:ha", "\u{0}ha",
            "\u{202e}ah", "ha\u{200d}", "\u{1f469}\u{200d}\u{1f680}", "ß", "ẞ", "ﬁ", "½", "①", "\u{fffd}", "٣",
            "ha\n\r\t",
            String(repeating: "a", count: 100_000), String(repeating: "a ", count: 50_000),
            String(repeating: "\u{301}", count: 1000), "Städtle 999999999999999999999", "4", "4 4 4", "{}", "|",
            "~a !b",
        ]
        for text in texts { _ = try gazetteer.complete(CompletionQuery(text, near: Self.here)) }
        _ = try gazetteer.complete(CompletionQuery("ha", near: Coordinate(latitude: .nan, longitude: 0), limit: -5))
        _ = try gazetteer.complete(CompletionQuery("ha", near: Coordinate(latitude: 90, longitude: 180), limit: .max))
        for seed in 1...3 {
            var random = SeededGenerator(seed: UInt64(seed))
            for _ in 0..<400 {
                let scalars = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                    Unicode.Scalar(
                        UInt32.random(in: 0...0x10ffff, using: &random) >> UInt32.random(in: 0...14, using: &random))
                }
                var text = ""
                text.unicodeScalars.append(contentsOf: scalars)
                let answer = try gazetteer.complete(CompletionQuery(text, near: Self.here))
                for one in answer.completions {
                    for range in one.titleHighlights {
                        #expect(range.upperBound <= one.title.utf16.count, "seed \(seed)")
                    }
                }
            }
        }
    }
}

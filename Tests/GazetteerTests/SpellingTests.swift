import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct SpellingTests {
    /// Two towns 11 km apart, with streets whose names are near to each other.
    private func world() -> SmallWorld {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.town("Unterfeld", 100, 0)
        world.street("Hauptstraße", (1, 5), (9, 5))
        world.street("Buchgasse", (1, 6), (9, 6))
        world.street("Lange Gasse", (1, 7), (9, 7))
        world.street("Aue", (1, 8), (9, 8))
        world.street("Bachgasse", (101, 6), (109, 6))
        world.street("Baerweg", (101, 7), (109, 7))
        for (index, street) in ["Hauptstraße", "Buchgasse", "Lange Gasse", "Aue"].enumerated() {
            _ = world.house("5", street, Double(index) + 2, Double(index) + 5.1)
        }
        _ = world.house("9", "Bachgasse", 103, 6.1)
        return world
    }

    private func first(_ gazetteer: Gazetteer, _ query: GeocodeQuery) throws -> String {
        let answer = try gazetteer.geocode(query)
        guard let match = answer.matches.first else { return "nothing: \(answer.unmatchedToken ?? "-")" }
        let point = match.location
        var text = "\(match.quality.precision.rawValue) \(Int(((point.longitude - 9) * 1000).rounded()))"
        for correction in match.quality.corrections {
            text += ", \(correction.written) -> \(correction.read) \(correction.edits)"
        }
        return text
    }

    private func first(_ gazetteer: Gazetteer, _ text: String) throws -> String {
        try first(gazetteer, GeocodeQuery(text))
    }

    @Test func oneLetterTooManyTooFewOrOtherIsPutRight() throws {
        let gazetteer = try world().open()
        for word in ["Buchgsse", "Buchgassse", "Buchgosse", "Bcuhgasse", "Xuchgasse", "uchgasse"] {
            for text in ["\(word) 5, Oberfeld", "5 \(word) Oberfeld", "Oberfeld, \(word) 5"] {
                #expect(try first(gazetteer, text) == "house 3, \(word) -> Buchgasse 1", "\(text)")
            }
            let match = try #require(try gazetteer.geocode(GeocodeQuery("\(word) 5, Oberfeld")).matches.first)
            #expect(match.quality.score < 1)
            #expect(match.quality.unmatched.isEmpty)
        }
        #expect(try first(gazetteer, "Buchgasse 5, Oberfled") == "house 3, Oberfled -> Oberfeld 1")
        #expect(try first(gazetteer, "Oberfled") == "place 5, Oberfled -> Oberfeld 1")
    }

    @Test func compoundsArePutRightHoweverTheyAreWritten() throws {
        let gazetteer = try world().open()
        for word in ["Hauptstrsse", "Hauptsrasse", "Haputstraße", "Haputstrasse", "Haputstr."] {
            #expect(try first(gazetteer, "\(word) 5, Oberfeld").hasPrefix("house 2, "), "\(word)")
        }
        #expect(try first(gazetteer, "Haput Straße 5, Oberfeld").hasPrefix("house 2, "))
        #expect(try first(gazetteer, "Langegsse 5, Oberfeld").hasPrefix("house 4, "))
        #expect(try first(gazetteer, "Lnage Gasse 5, Oberfeld") == "house 4, Lnage -> Lange 1")
        #expect(try first(gazetteer, "Buch gasse 5, Oberfeld").hasPrefix("house 3"))
        #expect(try first(gazetteer, "Buchg asse 5, Oberfeld") == "house 3, Buchg asse -> Buchgasse 1")
    }

    @Test func twoLettersFromEightOnAndTwoWordsWithOneEachArePutRight() throws {
        let gazetteer = try world().open()
        #expect(try first(gazetteer, "Huaptstrsase 5, Oberfeld") == "house 2, Huaptstrsase -> Hauptstraße 2")
        #expect(
            try first(gazetteer, "Buchgsse 5, Oberfled")
                == "house 3, Buchgsse -> Buchgasse 1, Oberfled -> Oberfeld 1")
        // Two in a shorter word, or one in a word of three letters, make another word.
        #expect(try first(gazetteer, "Lgnae Gsase 5").hasPrefix("nothing"))
        #expect(try first(gazetteer, "Auf 5, Oberfeld").hasPrefix("house") == false)
    }

    @Test func aKnownWordIsDoubtedWhereItLiesElsewhere() throws {
        let gazetteer = try world().open()
        #expect(try first(gazetteer, "Bachgasse 5, Oberfeld") == "house 3, Bachgasse -> Buchgasse 1")
        #expect(try first(gazetteer, "Bachgasse 9, Unterfeld") == "house 103")
        #expect(try first(gazetteer, "Bachgasse") == "street 105")
        // An unknown number is no reason to doubt the street.
        #expect(try first(gazetteer, "Bachgasse 5, Unterfeld") == "street 105")
    }

    @Test func whatIsFoundAsItIsWrittenIsNotPutRight() throws {
        let gazetteer = try world().open()
        for text in ["Hauptstr. 5 Oberfeld", "Meier AG, Buchgasse 5, Oberfeld", "BUCHGASSE", "Buchgasse 77, Oberfeld"] {
            let match = try #require(try gazetteer.geocode(GeocodeQuery(text)).matches.first, "\(text)")
            #expect(match.quality.corrections.isEmpty, "\(text)")
        }
        var query = GeocodeQuery("Buchgsse 5, Oberfeld")
        query.correctsSpelling = false
        #expect(try first(gazetteer, query) == "nothing: Buchgsse")
        // Nothing is near to it.
        #expect(try first(gazetteer, "Schneckenpfad 5, Oberfeld") == "nothing: Schneckenpfad")
    }

    @Test func oneLetterIsOneInEveryAlphabet() throws {
        var world = SmallWorld()
        world.street("улица Щорса", (1, 5), (9, 5))
        world.street("Жукова улица", (1, 6), (9, 6))
        world.street("Οδός Χαριλάου", (1, 7), (9, 7))
        world.street("Baerweg", (1, 8), (9, 8))
        let gazetteer = try world.open()
        for (text, name) in [
            ("улица Щорта", "улица Щорса"), ("улица Щрса", "улица Щорса"), ("Пукова улица", "Жукова улица"),
            ("ул. Жщукова", "Жукова улица"), ("Οδός Ξαριλάου", "Οδός Χαριλάου"), ("Baxerweg", "Baerweg"),
            ("Bxerweg", "Baerweg"), ("Berweg", "Baerweg"),
        ] {
            let match = try gazetteer.geocode(GeocodeQuery(text)).matches.first
            #expect(match?.feature.name == name, "\(text)")
            #expect(match?.quality.corrections.map(\.edits) == [1], "\(text)")
        }
    }

    @Test func fieldsArePutRightLikeText() throws {
        let gazetteer = try world().open()
        let query = GeocodeQuery(fields: .init(street: "Buchgsse", houseNumber: "5", city: "Oberfeld"))
        #expect(try first(gazetteer, query) == "house 3, Buchgsse -> Buchgasse 1")
        let town = GeocodeQuery(fields: .init(city: "Oberfled"))
        #expect(try first(gazetteer, town) == "place 5, Oberfled -> Oberfeld 1")
    }

    @Test func whatOneAtlasKnowsIsNoMisspellingForAnother() throws {
        var small = SmallWorld()
        small.town("Berlingen", 0, 0)
        var large = SmallWorld()
        large.town("Berlinger", 100, 0)
        let gazetteers = [try small.open(), try large.open()]
        let exact = try GeocodeAnswer.answers(of: 2, to: GeocodeQuery("Berlinger")) { try gazetteers[$0].geocode($1) }
        #expect(exact.map(\.matches.count) == [0, 1])
        let near = try GeocodeAnswer.answers(of: 2, to: GeocodeQuery("Berlingem")) { try gazetteers[$0].geocode($1) }
        #expect(near.map(\.matches.count) == [1, 0])
    }

    // MARK: Explaining

    @Test func anAnswerTellsHowTheTextWasRead() throws {
        let gazetteer = try world().open()
        var query = GeocodeQuery("Buchgsse 5, Oberfeld")
        query.explains = true
        let explanation = try #require(try gazetteer.geocode(query).explanation)
        #expect(explanation.words.map(\.written) == ["Buchgsse", "5", "Oberfeld"])
        #expect(explanation.words.map(\.isKnown) == [false, true, true])
        #expect(explanation.words.map(\.meaning) == [.name, .number, .name])
        #expect(
            explanation.words.map(\.explainedBy) == [
                "the name of the street", "the house number", "Oberfeld, where it lies",
            ])
        #expect(explanation.houseNumbers == ["5"])
        #expect(explanation.corrections == [SpellingCorrection(written: "Buchgsse", read: "Buchgasse", edits: 1)])
        #expect(explanation.candidates.first?.name == "Buchgasse 5")
        #expect(
            explanation.decision.hasPrefix("Buchgasse 5 explains every word, \"Buchgsse\" read as \"Buchgasse\"; "))
        #expect(try gazetteer.geocode(GeocodeQuery("Buchgasse")).explanation == nil)
    }

    @Test func noMatchTellsTheWordAndWhetherItIsKnown() throws {
        let gazetteer = try world().open()
        var query = GeocodeQuery("Schneckenpfad 5, Oberfeld")
        query.explains = true
        let answer = try gazetteer.geocode(query)
        #expect(answer.unmatchedToken == "Schneckenpfad")
        #expect(!answer.isUnmatchedTokenKnown)
        #expect(answer.nearMisses.first?.feature.name == "Oberfeld")
        #expect(
            answer.explanation?.decision
                == "Nothing answers: Oberfeld comes nearest, but it leaves over \"Schneckenpfad\" and \"5\".")
        let nowhere = try gazetteer.geocode(GeocodeQuery("Xyzzyplugh"))
        #expect(nowhere.unmatchedToken == "Xyzzyplugh")
        query.text = "Xyzzyplugh"
        #expect(
            try gazetteer.geocode(query).explanation?.decision
                == "No name in the atlas holds \"Xyzzyplugh\", or a word near to it.")
    }

    @Test func theRunnerUpLosesForAReason() throws {
        let gazetteer = try world().open()
        var query = GeocodeQuery("Hauptstraße, Oberfeld")
        query.explains = true
        let decision = try #require(try gazetteer.geocode(query).explanation).decision
        #expect(decision == "Hauptstraße explains every word; the next, Oberfeld, leaves over \"Hauptstraße\".")
    }

    // MARK: Cost

    @Test func theCostOfAQueryIsBoundedHoweverHostile() throws {
        var world = world()
        for index in 0..<60 { world.street("Langname\(index) Weg", (1, 5), (9, 5)) }
        let gazetteer = try world.open()
        let seed = UInt64.random(in: 0...1_000_000)
        print("seed \(seed)")
        var random = SeededNumbers(state: seed)
        let words = [
            "Buchgsse", "Bachgasse", "Haupt", "straße", "5", "Oberfled", "and", "Langnam", "\"", "*", "OR", "улица",
        ]
        var texts = [
            String(repeating: "a", count: 100_000), String(repeating: "Buchgsse ", count: 500),
            String(repeating: "Щорсв ", count: 300), String(repeating: "abcd,", count: 1000), "\u{0}\u{202e}\"'--",
        ]
        for _ in 0..<60 {
            texts.append(
                (0..<Int.random(in: 1...60, using: &random)).map { _ in
                    words.randomElement(using: &random) ?? ""
                }.joined(separator: " "))
        }
        for text in texts {
            var query = GeocodeQuery(text)
            query.explains = true
            let effort = try #require(try gazetteer.geocode(query).explanation).effort
            #expect(effort.readings <= 1 + SpellingSearch.readings, "\(text.prefix(80))")
            #expect(effort.nodes <= SpellingSearch.nodes + 5_000, "\(text.prefix(80))")
            let most = Int(Geocoder.mostEffort + 2 * Geocoder.effortOfReading)
            #expect(effort.statements <= most && effort.rows <= 4 * most, "\(text.prefix(80)): \(effort)")
        }
        // A plain address costs little, and a misspelled one not much more.
        for (text, statements, rows, readings) in [
            ("Buchgasse 5, Oberfeld", 40, 60, 1), ("Buchgsse 5, Oberfeld", 100, 120, 4),
        ] {
            var query = GeocodeQuery(text)
            query.explains = true
            let effort = try #require(try gazetteer.geocode(query).explanation).effort
            #expect(effort.statements <= statements && effort.rows <= rows && effort.readings <= readings, "\(effort)")
            #expect(effort.statements > 3)
        }
    }
}

/// Random numbers that a seed determines (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

import Geometry
import Testing

@testable import Gazetteer

/// What questions cost, counted: statements asked of SQLite, rows read, nodes of the vocabulary visited. It must not grow
/// with the number of addresses.
@Suite struct EffortTests {
    private static let streets = ["Hauptstraße", "Bergweg", "Lindenallee", "Schulgasse", "Marktplatz", "Am Bach"]
    private static let places = [
        "Alten", "Birken", "Dorn", "Eber", "Falken", "Garten", "Heiden", "Immen", "Kalten", "Linden",
    ]
    private static let ends = ["dorf", "heim", "hausen", "bach", "feld"]

    /// Towns side by side with the same streets and eight houses in each.
    private func towns(_ count: Int) throws -> Gazetteer {
        var world = SmallWorld()
        for index in 0..<count {
            let x = Double(index * 12)
            world.town(Self.name(index), x, 0)
            for (row, street) in Self.streets.enumerated() {
                let y = 1 + Double(row) * 1.5
                world.street(street, (x + 1, y), (x + 9, y))
                for house in 1...8 { _ = world.house("\(house)", street, x + Double(house), y + 0.2) }
            }
        }
        return try world.open()
    }

    private static func name(_ index: Int) -> String {
        places[index % places.count] + ends[index / places.count % ends.count]
    }

    private func effort(_ text: String, _ gazetteer: Gazetteer) throws -> GeocodeEffort {
        var query = GeocodeQuery(text)
        query.explains = true
        let answer = try gazetteer.geocode(query)
        #expect(answer.matches.first?.quality.precision == .house, "\(text)")
        return try #require(answer.explanation).effort
    }

    @Test(arguments: [10, 50])
    func anAddressCostsTheSameAmongFewAndMany(towns count: Int) throws {
        let gazetteer = try towns(count)
        for index in [0, 4, 9] {
            for street in Self.streets {
                let exact = try effort("\(street) 5, \(Self.name(index))", gazetteer)
                #expect(exact.statements <= 240 && exact.rows <= 300 && exact.readings == 1, "\(street): \(exact)")
                #expect(exact.statements > 3 && exact.rows > 3)
            }
            let wrong = try effort("Lindenalee 5, \(Self.name(index))", gazetteer)
            #expect(wrong.statements <= 800 && wrong.rows <= 2_000, "\(wrong)")
            #expect((1...30_000).contains(wrong.nodes) && (2...11).contains(wrong.readings), "\(wrong)")
        }
    }

    @Test func oneOfManyNamesakesIsFoundByItsPostcodeOrNearBy() throws {
        // More streets of one name than rows of a word are read, on a grid of 33 km cells, without a place around them.
        var world = SmallWorld()
        for index in 0..<500 {
            let (x, y) = (Double(index % 25) * 300, Double(index / 25) * 300)
            world.street("Lindenallee", (x, y), (x + 5, y), tags: ["postal_code": "\(30_000 + index)"])
            _ = world.house("7", "Lindenallee", x + 2, y + 0.2, tags: ["addr:postcode": "\(30_000 + index)"])
        }
        let gazetteer = try world.open()
        for index in [3, 333, 499] {
            let (x, y) = (Double(index % 25) * 300 + 2, Double(index / 25) * 300 + 0.2)
            let place = SmallWorld.point(x, y)
            let byCode = try gazetteer.geocode(GeocodeQuery("Lindenallee 7, \(30_000 + index)"))
            #expect(byCode.matches.first?.location.distance(to: place) ?? .infinity < 10, "\(index)")
            let near = try gazetteer.geocode(GeocodeQuery("Lindenallee 7", near: SmallWorld.point(x + 3, y)))
            #expect(near.matches.first?.location.distance(to: place) ?? .infinity < 10, "\(index)")
        }
    }

    @Test func aQuestionCostsTheSameWhateverWasAskedBefore() throws {
        let gazetteer = try towns(50)
        func cost(_ text: String) throws -> Double { try gazetteer.geocode(GeocodeQuery(text)).effort }
        // The first misspelled word also reads the vocabulary.
        _ = try gazetteer.geocode(GeocodeQuery("Schulgase 1, \(Self.name(40))"))
        for text in ["Lindenallee 5, \(Self.name(3))", "Lindenalee 5, \(Self.name(7))", "Bergweg"] {
            let first = try cost(text)
            #expect(try cost(text) == first && first > 0, "\(text)")
        }
    }

    @Test func aTextOfManyAddressesCostsNoMoreThanARequestMay() throws {
        let gazetteer = try towns(50)
        let most = Geocoder.mostEffort + 2 * Geocoder.effortOfReading
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            let words = (0..<12).map { _ in
                let street = Self.streets.randomElement(using: &random) ?? ""
                // Half of them with a letter that is wrong.
                let written =
                    Bool.random(using: &random) ? street : street.replacing("e", with: "x", maxReplacements: 1)
                return
                    "\(written) \(Int.random(in: 1...8, using: &random)) \(Self.name(Int.random(in: 0..<50, using: &random)))"
            }
            let before = try gazetteer.withDatabase(\.effort)
            _ = try gazetteer.geocode(GeocodeQuery(words.prefix(1 + Int(seed) % 12).joined(separator: ", ")))
            let spent = try gazetteer.withDatabase(\.effort) - before
            #expect((1...most).contains(spent), "seed \(seed): \(spent)")
        }
    }

    @Test func whatGazetteersSpendOnOneRequestIsCountedTogether() throws {
        var asked: [Double] = []
        _ = GeocodeAnswer.answers(of: 3, to: GeocodeQuery("Lindenalee 5")) { _, query in
            asked.append(query.effortSpent)
            var answer = GeocodeAnswer()
            answer.effort = 1_000
            return answer
        }
        // Nobody is asked again for misspelled words once the request has spent what it may.
        #expect(asked == [0, 1_000, 2_000])
    }

    @Test(arguments: [10, 50])
    func aReverseLookUpCostsTheSameAmongFewAndMany(towns count: Int) throws {
        let gazetteer = try towns(count)
        for index in [0, 4, 9] {
            let point = SmallWorld.point(Double(index * 12) + 5.1, 2.6)
            let (statements, rows) = try gazetteer.withDatabase { ($0.statementsAsked, $0.rowsRead) }
            let match = try gazetteer.reverse(point)
            let (statementsAfter, rowsAfter) = try gazetteer.withDatabase { ($0.statementsAsked, $0.rowsRead) }
            #expect(match?.feature.houseNumber == "5")
            #expect((1...40).contains(statementsAfter - statements), "\(statementsAfter - statements)")
            #expect((1...200).contains(rowsAfter - rows), "\(rowsAfter - rows)")
        }
    }
}

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

import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

/// A world with a register and postal codes beside its objects.
private struct TwoSources {
    var world = World()
    var outside: [OutsideFeature] = []
    var postcodes: [OutsidePostcode] = []

    mutating func address(_ x: Double, _ y: Double, _ tags: Tags) {
        outside.append(
            OutsideFeature(
                number: nil, kind: .address, category: "place", type: "house", location: World.at(x, y), tags: tags))
    }

    mutating func point(_ x: Double, _ y: Double, _ tags: Tags) throws {
        outside.append(try #require(OutsideFeature(tags: tags, location: World.at(x, y))))
    }

    mutating func postcode(_ code: String, _ place: String, _ x: Double, _ y: Double, isWhole: Bool = true) {
        postcodes.append(
            OutsidePostcode(code: code, country: "li", place: place, location: World.at(x, y), isWhole: isWhole))
    }

    func open<R>(_ body: (Gazetteer, GazetteerReport) throws -> R) throws -> R {
        let path = FileManager.default.temporaryDirectory.path + "/sources-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "map", licence: "ODbL", attribution: "mappers"),
            options: GazetteerOptions(country: { _ in "li" }, foldsSources: true))
        for relation in world.relations { writer.add(relation: relation) }
        for node in world.nodes { writer.add(node: node) }
        for way in world.ways { writer.add(way: way) }
        for area in world.areas { writer.add(area: area) }
        let register = writer.addSource(GazetteerSource(name: "register", licence: "CC0", attribution: "town hall"))
        let codes = writer.addSource(GazetteerSource(name: "codes", licence: "CC BY", attribution: "post"))
        for feature in outside { writer.add(feature, source: register) }
        for postcode in postcodes { writer.add(postcode, source: codes) }
        let report = try writer.finish()
        return try body(Gazetteer(path: path), report)
    }
}

extension Gazetteer {
    fileprivate func first(_ text: String) throws -> (feature: Feature, source: String)? {
        guard let feature = try geocode(GeocodeQuery(text)).matches.first?.feature else { return nil }
        return (feature, try source(of: feature)?.name ?? "none")
    }
}

@Suite struct AddressesOfRegistersTests {
    private func street() -> TwoSources {
        var sources = TwoSources()
        sources.world.way(1, [(0, 0), (10, 0)], ["highway": "residential", "name": "Mill Lane"])
        sources.world.node(1, 2, 0.1, ["addr:housenumber": "4", "addr:street": "Mill Lane"])
        return sources
    }

    @Test func anAddressOfARegisterSharesTheStreetOfTheMap() throws {
        var sources = street()
        sources.address(5, 0.1, ["addr:housenumber": "9", "addr:street": "MILL LN"])
        try sources.open { gazetteer, report in
            let mapped = try #require(try gazetteer.first("Mill Lane 4"))
            let found = try #require(try gazetteer.first("Mill Lane 9"))
            #expect(found.feature.houseNumber == "9" && found.feature.parent == mapped.feature.parent)
            #expect(found.source == "register" && mapped.source == "map")
            #expect(found.feature.parent != nil && report.folded.isEmpty && report.written[1] == 1)
        }
    }

    @Test func whatTheMapHasIsKeptOnce() throws {
        var sources = street()
        sources.address(2.3, 0.2, ["addr:housenumber": "4", "addr:street": "Mill Lane", "addr:postcode": "9490"])
        try sources.open { gazetteer, report in
            let found = try #require(try gazetteer.first("Mill Lane 4"))
            #expect(found.source == "map" && found.feature.postcode == "9490", "it takes the postcode of its double")
            #expect(report.folded == [1: 1] && report.written[1] == nil)
            #expect(report.skipped["register: address that is there already, folded"] == 1)
        }
    }

    @Test func theSameNumberFarAlongTheStreetIsAnotherHouse() throws {
        var sources = street()
        sources.address(9, 0.1, ["addr:housenumber": "4", "addr:street": "Mill Lane"])
        try sources.open { _, report in #expect(report.folded.isEmpty && report.written[1] == 1) }
    }

    @Test func rowsThatSayTheSameAreKeptOnce() throws {
        var sources = street()
        for flat in ["A", "B", "C"] {
            sources.address(5, 0.1, ["addr:housenumber": "9", "addr:street": "Mill Lane", "addr:unit": flat])
        }
        try sources.open { _, report in #expect(report.folded == [1: 2] && report.written[1] == 1) }
    }

    @Test func aNumberOfAListIsFoldedAndARangeIsNot() throws {
        var sources = street()
        sources.world.node(2, 4, 0.1, ["addr:housenumber": "12;14", "addr:street": "Mill Lane"])
        sources.world.node(3, 6, 0.1, ["addr:housenumber": "20-24", "addr:street": "Mill Lane"])
        sources.address(4, 0.2, ["addr:housenumber": "14", "addr:street": "Mill Lane"])
        sources.address(4, 0.2, ["addr:housenumber": "14;16", "addr:street": "Mill Lane"])
        sources.address(6, 0.2, ["addr:housenumber": "22", "addr:street": "Mill Lane"])
        try sources.open { _, report in #expect(report.folded == [1: 1] && report.written[1] == 2) }
    }

    @Test func aHouseIsKnownByItsNameToo() throws {
        var sources = street()
        sources.world.node(2, 4, 0.1, ["addr:housename": "Rose Cottage", "addr:street": "Mill Lane"])
        sources.address(4, 0.2, ["addr:housename": "Rose cottage", "addr:street": "Mill Lane"])
        sources.address(6, 0.2, ["addr:housename": "Ivy House", "addr:street": "Mill Lane"])
        try sources.open { gazetteer, report in
            #expect(report.folded == [1: 1])
            try #expect(gazetteer.first("Ivy House, Mill Lane")?.source == "register")
        }
    }

    @Test func aStreetThatOnlyTheRegisterNamesIsTheRegistersAndLiesAmidItsHouses() throws {
        var sources = street()
        for number in 1...5 {
            sources.address(Double(number), 8, ["addr:housenumber": "\(number)", "addr:street": "Quay Road"])
        }
        try sources.open { gazetteer, _ in
            let found = try #require(try gazetteer.first("Quay Road"))
            #expect(found.feature.kind == .street && found.source == "register")
            #expect(found.feature.location == World.at(3, 8))
        }
    }

    @Test func townsSideBySideHaveStreetsOfOneNameEach() throws {
        var sources = TwoSources()
        for (town, x) in [("Ayton", 0.0), ("Beeton", 12)] {
            sources.address(
                x, 0, ["addr:housenumber": "1", "addr:street": "Church Road", "addr:city": town])
        }
        try sources.open { gazetteer, _ in
            for (town, x) in [("Ayton", 0.0), ("Beeton", 12)] {
                let found = try #require(try gazetteer.first("Church Road 1, \(town)"))
                #expect(found.feature.location == World.at(x, 0))
            }
        }
    }

    @Test func aHouseThatARelationGivesToAnotherStreetIsStillTheOneThatIsWritten() throws {
        var sources = street()
        sources.world.node(2, 4, 0.1, ["addr:housenumber": "40", "addr:street": "Park by Mill Lane"])
        sources.world.relations.append(
            OSMRelation(
                id: 1, members: [.init(id: OSMID(.way, 1), role: "street"), .init(id: OSMID(.node, 2), role: "house")],
                tags: ["type": "street"]))
        sources.address(4, 0.2, ["addr:housenumber": "40", "addr:street": "Park by Mill Lane"])
        sources.address(9, 0.2, ["addr:housenumber": "40", "addr:street": "Park by Mill Lane"])
        try sources.open { _, report in #expect(report.folded == [1: 1]) }
    }

    @Test func aStreetThatOnlyAddressesOfTheMapNameIsSharedWhateverTownTheyName() throws {
        var sources = TwoSources()
        sources.world.node(1, 0, 0, ["addr:housenumber": "1", "addr:street": "Square", "addr:city": "City of Ayton"])
        sources.address(0.5, 0, ["addr:housenumber": "1", "addr:street": "Square", "addr:city": "Ayton"])
        try sources.open { _, report in #expect(report.folded == [1: 1]) }
    }

    @Test func anAtlasOfARegisterAloneDoesNotNameTheMap() throws {
        var sources = TwoSources()
        sources.address(0, 0, ["addr:housenumber": "1", "addr:street": "Church Road", "addr:postcode": "9490"])
        try sources.open { gazetteer, _ in
            for text in ["Church Road 1", "Church Road", "9490"] {
                try #expect(gazetteer.first(text)?.source == "register", "\(text)")
            }
        }
    }

    /// Every fold, found by comparing each address with all before it.
    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func foldingIsThatOfComparingAllWithAll(_ seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        struct House {
            var numbers: Set<String>
            var street: Int
            var x: Double
            var isMapped: Bool
        }
        var sources = TwoSources()
        let streets = ["Mill Lane", "High Street", "Quay Road"]
        for (index, street) in streets.enumerated() {
            let y = Double(index) * 20
            sources.world.way(Int64(index + 1), [(0, y), (9, y)], ["highway": "residential", "name": street])
        }
        var houses: [House] = []
        for number in 0..<120 {
            let count = Int.random(in: 0..<6, using: &random) == 0 ? 2 : 1
            let numbers = Set((0..<count).map { _ in String(Int.random(in: 1...6, using: &random)) })
            let house = House(
                numbers: numbers, street: Int.random(in: 0..<3, using: &random),
                x: Double(Int.random(in: 0...80, using: &random)) / 10, isMapped: number < 25)
            houses.append(house)
            let tags: Tags = [
                "addr:housenumber": numbers.sorted().joined(separator: ";"), "addr:street": streets[house.street],
            ]
            let y = Double(house.street) * 20
            if house.isMapped {
                sources.world.node(Int64(number + 1), house.x, y, tags)
            } else {
                sources.address(house.x, y, tags)
            }
        }
        var kept: [House] = []
        for house in houses {
            let here = World.at(house.x, Double(house.street) * 20)
            let isDouble =
                !house.isMapped
                && kept.contains { other in
                    other.street == house.street && house.numbers.isSubset(of: other.numbers)
                        && here.distance(to: World.at(other.x, Double(other.street) * 20)) <= 200
                }
            if !isDouble { kept.append(house) }
        }
        try sources.open { gazetteer, report in
            #expect(report.folded[1] ?? 0 == houses.count - kept.count)
            let written = try gazetteer.withDatabase { database in
                let rows = try database.prepare(
                    "SELECT housenumber, west, south FROM feature WHERE source = 2 AND kind = 9")
                var list: [String] = []
                while try rows.step() {
                    list.append(
                        "\(rows.text(0) ?? "") \(Int((rows.double(1) * 1e4).rounded())) "
                            + "\(Int((rows.double(2) * 1e3).rounded()))")
                }
                return list.sorted()
            }
            let expected = kept.filter { !$0.isMapped }.map {
                "\($0.numbers.sorted().joined(separator: ";")) \(Int(($0.x * 10).rounded())) \($0.street * 20)"
            }
            #expect(written == expected.sorted())
            #expect(!written.isEmpty && report.folded[1] ?? 0 > 10, "both happen")
        }
    }
}

@Suite struct PointsOfOtherSourcesTests {
    @Test func aShopOfTheMapIsKeptOnceAndANeighbourOfItsKindIsNot() throws {
        var sources = TwoSources()
        sources.world.node(1, 0, 0, ["amenity": "pharmacy", "name": "Löwen Apotheke"])
        try sources.point(0.5, 0, ["amenity": "pharmacy", "name": "Löwen-Apotheke"])
        try sources.point(0.5, 0, ["amenity": "pharmacy", "name": "Bären Apotheke"])
        try sources.point(0.5, 0, ["shop": "florist", "name": "Löwen Apotheke"])
        try sources.point(3, 0, ["amenity": "pharmacy", "name": "Löwen Apotheke"])
        try sources.open { _, report in #expect(report.folded == [1: 1] && report.written[1] == 3) }
    }

    @Test func thingsWithoutANameAreOneOnTheVerySpotOnly() throws {
        var sources = TwoSources()
        sources.world.node(1, 0, 0, ["emergency": "defibrillator"])
        try sources.point(0.05, 0, ["emergency": "defibrillator"])
        try sources.point(0.5, 0, ["emergency": "defibrillator"])
        try sources.open { _, report in #expect(report.folded == [1: 1] && report.written[1] == 1) }
    }

    @Test func aTownOfATableIsTheTownOfTheMap() throws {
        var sources = TwoSources()
        sources.world.boundary(
            1, west: 0, south: 0, east: 30, north: 30, ["name": "Vaduz", "admin_level": "8", "name:ru": "Вадуц"])
        for (name, x) in [("Вадуц", 25.0), ("Schaan", 40)] {
            sources.outside.append(
                OutsideFeature(
                    number: Int64(x), kind: .place, category: "place", type: "village", location: World.at(x, 25),
                    tags: ["name": name, "place": "village"], population: 5_000))
        }
        try sources.open { gazetteer, report in
            #expect(report.folded == [1: 1] && report.written[1] == 1)
            try #expect(gazetteer.first("Vaduz")?.feature.population == 5_000)
            try #expect(gazetteer.first("Schaan")?.source == "register")
        }
    }
}

@Suite struct PostcodesOfTablesTests {
    /// A town with a street and a house that have no postcode.
    private func town() -> TwoSources {
        var sources = TwoSources()
        sources.world.boundary(1, west: 0, south: 0, east: 30, north: 30, ["name": "Triesen", "admin_level": "8"])
        sources.world.way(1, [(5, 5), (15, 5)], ["highway": "residential", "name": "Mill Lane"])
        sources.world.node(1, 7, 5.1, ["addr:housenumber": "4", "addr:street": "Mill Lane"])
        return sources
    }

    @Test func aCodeThatNoObjectBearsIsFoundAloneAndWithItsPlace() throws {
        var sources = town()
        sources.postcode("9999", "Farville", 60, 60)
        sources.postcode("9999", "Nearby", 62, 60)
        try sources.open { gazetteer, report in
            for text in ["9999", "9999 Farville", "Nearby 9999"] {
                let found = try #require(try gazetteer.first(text), "\(text)")
                #expect(found.feature.kind == .postcode && found.feature.postcode == "9999" && found.source == "codes")
            }
            #expect(report.written[2] == 1)
        }
    }

    @Test func aCodeThatTheMapKnowsIsFoldedHoweverItIsWritten() throws {
        var sources = town()
        sources.world.node(2, 9, 5.1, ["addr:housenumber": "6", "addr:street": "Mill Lane", "addr:postcode": "9495"])
        sources.postcode("LI-9495", "Triesen", 10, 10)
        try sources.open { _, report in
            #expect(report.folded == [2: 1] && report.written[2] == nil)
            #expect(report.skipped["codes: postcode that is there already, folded"] == 1)
        }
    }

    @Test func theOneCodeOfATownIsThatOfItsStreets() throws {
        var sources = town()
        sources.postcode("9495", "Triesen", 10, 10)
        try sources.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "4, Mill Lane, Triesen, 9495, Liechtenstein")
            try #expect(gazetteer.first("Mill Lane 4, 9495")?.feature.osm == OSMID(.node, 1))
        }
    }

    @Test func aTownWithTwoCodesGivesNone() throws {
        var sources = town()
        sources.postcode("9495", "Triesen", 10, 10)
        sources.postcode("9497", "Triesen", 20, 20)
        try sources.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "4, Mill Lane, Triesen, Liechtenstein") }
    }

    @Test func aTownWhoseHousesBearAnotherCodeGivesNone() throws {
        var sources = town()
        sources.world.node(2, 29, 29, ["amenity": "cafe", "name": "Alpen", "addr:postcode": "9498"])
        sources.postcode("9495", "Triesen", 10, 10)
        try sources.open { gazetteer, _ in try #expect(gazetteer.line("N1") == "4, Mill Lane, Triesen, Liechtenstein") }
    }

    @Test func theBeginningOfACodeIsNoCodeOfAHouse() throws {
        var sources = town()
        sources.postcode("94", "Triesen", 10, 10, isWhole: false)
        try sources.open { gazetteer, _ in
            try #expect(gazetteer.line("N1") == "4, Mill Lane, Triesen, Liechtenstein")
            try #expect(gazetteer.first("94")?.feature.kind == .postcode)
        }
    }

    @Test(arguments: [
        ("L-4906", "lu", "4906"), ("AD100", "ad", "100"), ("SW1A 1AA", "gb", "SW1A1AA"), ("00100", "fi", "00100"),
        ("SW1", "gb", "SW1"), ("li-9490", "li", "9490"),
    ])
    func codesAreComparedWithoutWhatIsWrittenDifferently(_ code: String, _ country: String, _ plain: String) {
        #expect(GazetteerWriter.plain(postcode: code, country: country) == plain)
    }
}

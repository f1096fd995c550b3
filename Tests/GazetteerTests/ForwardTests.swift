import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct ForwardTests {
    /// Two towns with a street of the same name, and what stands along it.
    private func world() -> SmallWorld {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.town("Unterfeld", 100, 0)
        world.street("Hauptstraße", (1, 5), (9, 5))
        world.street("Bergweg", (5, 1), (5, 9))
        world.street("Hauptstraße", (101, 5), (109, 5))
        world.street("Esplanade", (101, 8), (109, 8))
        _ = world.house("5", "Hauptstraße", 3, 5.2, tags: ["addr:postcode": "9490"])
        _ = world.house("12a", "Hauptstraße", 6, 5.2, tags: ["addr:postcode": "9490"])
        _ = world.house("5", "Hauptstraße", 103, 5.2, tags: ["addr:postcode": "9487"])
        _ = world.house("2;4", "Bergweg", 5.2, 3)
        world.node(2, 5.1, ["amenity": "cafe", "name": "Café Löwen"])
        return world
    }

    private func first(_ gazetteer: Gazetteer, _ text: String) throws -> String {
        let answer = try gazetteer.geocode(GeocodeQuery(text))
        guard let match = answer.matches.first else { return "nothing: \(answer.unmatchedToken ?? "-")" }
        let point = match.location
        return "\(match.quality.precision.rawValue) \(Int(((point.longitude - 9) * 1000).rounded()))"
    }

    @Test func anAddressIsFoundInItsCommonForms() throws {
        let gazetteer = try world().open()
        for text in [
            "Hauptstraße 5, Oberfeld", "5 Hauptstraße, Oberfeld", "hauptstr. 5 oberfeld", "HAUPTSTRASSE 5 OBERFELD",
            "Haupt Strasse 5, 9490 Oberfeld", "9490 Oberfeld, Hauptstr 5", "Oberfeld, Hauptstraße 5",
            "Oberfeld Hauptstraße 5 9490", "Hauptstraße 5, 9490", "Hauptstraße 5 Oberfeld Schweiz",
            "Hauptstraße 5, 3. OG, Oberfeld", "c/o Meier, Hauptstraße 5, Oberfeld",
        ] {
            #expect(try first(gazetteer, text) == "house 3", "\(text)")
        }
        #expect(try first(gazetteer, "Hauptstraße 5, Unterfeld") == "house 103")
        #expect(try first(gazetteer, "Hauptstraße 5, 9487") == "house 103")
        for text in ["Hauptstraße 12a, Oberfeld", "Hauptstraße 12 A Oberfeld", "12-a hauptstr, oberfeld"] {
            #expect(try first(gazetteer, text) == "house 6", "\(text)")
        }
        #expect(try first(gazetteer, "Bergweg 4") == "house 5")
    }

    @Test func numbersThatBeginWithAWordOrHoldOneAreFound() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Hauptstraße", (0, 5), (10, 5))
        for (index, number) in ["C-145", "145", "số 6", "Rainbow - 10655", "24 ngách 30", "A9"].enumerated() {
            _ = world.house(number, "Hauptstraße", Double(index) + 1, 5.1)
        }
        let gazetteer = try world.open()
        for (text, x) in [
            ("Hauptstraße C-145, Oberfeld", 1), ("Hauptstraße c145 Oberfeld", 1),
            ("C-145 Hauptstraße, Oberfeld", 1), ("Hauptstraße 145, Oberfeld", 2),
            ("Hauptstraße 6", 3), ("Hauptstraße số 6, Oberfeld", 3),
            ("Hauptstraße Rainbow - 10655, Oberfeld", 4), ("Hauptstraße 24 ngách 30, Oberfeld", 5),
            ("Hauptstraße A9", 6),
        ] {
            #expect(try first(gazetteer, text) == "house \(x)", "\(text)")
        }
    }

    @Test func ofHousesWithOneNumberTheOneThatNamesTheTownComesFirst() throws {
        var world = SmallWorld()
        world.street("Hauptstraße", (0, 5), (10, 5))
        let shop: Tags = ["shop": "books", "name": "Lesen"]
        _ = world.house("7", "Hauptstraße", 1, 5.1, tags: shop)
        _ = world.house("7", "Hauptstraße", 2, 5.1)
        _ = world.house("7", "Hauptstraße", 6, 5.1, tags: ["addr:city": "Oberfeld"])
        let gazetteer = try world.open()
        #expect(try first(gazetteer, "Hauptstraße 7") == "house 2")
        #expect(try first(gazetteer, "Hauptstraße 7, Oberfeld") == "house 6")
    }

    @Test func aNamesakeWithoutBracketsComesFirst() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Ringweg (alt)", (0, 3), (10, 3))
        world.street("Ringweg", (0, 7), (10, 7))
        let gazetteer = try world.open()
        let answer = try gazetteer.geocode(GeocodeQuery("Ringweg, Oberfeld"))
        #expect(answer.matches.map(\.feature.name) == ["Ringweg", "Ringweg (alt)"])
    }

    @Test func aHouseBetweenThePartsOfATownIsNotInIt() throws {
        // Oberfeld has two parts, and its box holds Unterfeld between them.
        var world = World()
        func part(_ west: Double, _ east: Double) -> OSMArea.Polygon {
            let ring = [(west, 0.0), (east, 0.0), (east, 10.0), (west, 10.0), (west, 0.0)]
            return OSMArea.Polygon(outer: ring.map { World.at($0.0, $0.1) }, inner: [])
        }
        let town: Tags = ["type": "boundary", "boundary": "administrative", "admin_level": "8", "name": "Oberfeld"]
        world.relations.append(OSMRelation(id: 1, members: [], tags: town))
        world.areas.append(OSMArea(id: OSMID(.relation, 1), polygons: [part(0, 10), part(40, 50)], tags: town))
        world.boundary(2, west: 10, south: 0, east: 40, north: 10, ["admin_level": "8", "name": "Unterfeld"])
        world.way(3, [(1, 5), (9, 5)], ["highway": "residential", "name": "Landweg"])
        world.way(4, [(20, 5), (30, 5)], ["highway": "residential", "name": "Landweg"])
        world.node(5, 25, 5.1, ["addr:housenumber": "1", "addr:street": "Landweg"])
        try world.open { gazetteer, _ in
            let match = try gazetteer.geocode(GeocodeQuery("Landweg 1, Oberfeld")).matches.first
            #expect(match?.quality.precision == .street)
            #expect(match?.feature.osm == OSMID(.way, 3))
            let there = try gazetteer.geocode(GeocodeQuery("Landweg 1, Unterfeld")).matches.first
            #expect(there?.feature.osm == OSMID(.node, 5))
        }
    }

    @Test func anUnknownNumberGivesItsStreet() throws {
        let gazetteer = try world().open()
        let answer = try gazetteer.geocode(GeocodeQuery("Bergweg 77, Oberfeld"))
        let match = try #require(answer.matches.first)
        #expect(match.quality.precision == .street)
        #expect(match.feature.name == "Bergweg")
        #expect(match.quality.unmatched == ["77"])
    }

    @Test func anUnknownStreetGivesNoTownButNamesItsWord() throws {
        let gazetteer = try world().open()
        for text in ["Talgasse 5, Oberfeld", "Oberfeld, Talgasse 5", "Talgasse, Oberfeld", "Firma Muster, Oberfeld"] {
            let answer = try gazetteer.geocode(GeocodeQuery(text))
            #expect(answer.matches.isEmpty, "\(text)")
            #expect(answer.nearMisses.contains { $0.feature.name == "Oberfeld" }, "\(text)")
        }
        #expect(try gazetteer.geocode(GeocodeQuery("Talgasse 5, Oberfeld")).unmatchedToken == "Talgasse")
        #expect(try gazetteer.geocode(GeocodeQuery("Quxheim")).unmatchedToken == "Quxheim")
    }

    @Test func aStreetIsFoundByTheSpellingOfItsAddresses() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Sankt-Anna-Weg", (1, 5), (9, 5))
        _ = world.house("3", "Annaweg", 4, 5.1)
        _ = world.house("5", "Sankt-Anna-Weg", 6, 5.1)
        let gazetteer = try world.open()
        #expect(try first(gazetteer, "Annaweg 3, Oberfeld") == "house 4")
        #expect(try first(gazetteer, "St. Anna Weg 5") == "house 6")
    }

    @Test func anAtlasWhoseNamesWereReadOtherwiseIsRefused() throws {
        let gazetteer = try world().open()
        let database = try Database(path: gazetteer.path, readOnly: false)
        try database.execute("UPDATE setting SET value = '0' WHERE name = 'text.version'")
        #expect(throws: DatabaseError.self) { try Gazetteer(path: gazetteer.path) }
    }

    @Test func anAtlasWithAViewInThePlaceOfATableIsRefused() throws {
        let gazetteer = try world().open()
        let database = try Database(path: gazetteer.path, readOnly: false)
        try database.execute(
            """
            DROP TABLE written;
            CREATE VIEW written AS WITH RECURSIVE r(feature) AS (SELECT 1 UNION ALL SELECT feature + 1 FROM r)
            SELECT feature, 'x' AS tokens FROM r
            """)
        #expect(throws: DatabaseError.self) { try Gazetteer(path: gazetteer.path) }
    }

    @Test func namesOfCommonWordsAreFound() throws {
        let gazetteer = try world().open()
        #expect(try first(gazetteer, "Esplanade, Unterfeld") == "street 105")
        #expect(try first(gazetteer, "esplanade") == "street 105")
    }

    @Test func aVenueIsFoundWithAndWithoutItsTown() throws {
        let gazetteer = try world().open()
        #expect(try first(gazetteer, "cafe lowen") == "poi 2")
        #expect(try first(gazetteer, "Café Loewen, Oberfeld") == "poi 2")
    }

    @Test func numbersBetweenTheEndsOfAnInterpolationAreFound() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Hauptstraße", (0, 5), (10, 5))
        let first = world.house("2", "Hauptstraße", 1, 5.1)
        let last = world.house("10", "Hauptstraße", 9, 5.1)
        let line = world.way([(1, 5.1), (9, 5.1)], ["addr:interpolation": "even"])
        world.setNodes(of: line, [first, last])
        let gazetteer = try world.open()
        let match = try #require(try gazetteer.geocode(GeocodeQuery("Hauptstraße 4")).matches.first)
        #expect(match.quality.precision == .interpolated)
        #expect(match.houseNumber == "4")
        #expect(match.location.distance(to: SmallWorld.point(3, 5.1)) < 1)
        let odd = try #require(try gazetteer.geocode(GeocodeQuery("Hauptstraße 5")).matches.first)
        #expect(odd.quality.precision == .street)
    }

    @Test func aStretchBelongsToTheStreetThatItsEndsName() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Hauptstraße", (0, 5), (10, 5))
        world.street("Bergweg", (5, 0), (5, 4.9))
        // One line along both streets: 2 and 10 are of the first, 30 and 40 of the other.
        let nodes = [
            world.house("2", "Hauptstraße", 1, 5.1), world.house("10", "Hauptstraße", 4, 5.1),
            world.house("30", "Bergweg", 5.1, 4), world.house("40", "Bergweg", 5.1, 1),
        ]
        let line = world.way([(1, 5.1), (4, 5.1), (5.1, 4), (5.1, 1)], ["addr:interpolation": "even"])
        world.setNodes(of: line, nodes)
        let gazetteer = try world.open()
        func precision(_ text: String) throws -> MatchQuality.Precision? {
            try gazetteer.geocode(GeocodeQuery(text)).matches.first?.quality.precision
        }
        #expect(try precision("Hauptstraße 4") == .interpolated)
        #expect(try precision("Bergweg 36") == .interpolated)
        #expect(try precision("Hauptstraße 36") == .street)
        #expect(try precision("Hauptstraße 20") == .street)
        #expect(try precision("Bergweg 20") == .street)
        // A number that stands on the line is told before one that is reckoned there.
        let here = try #require(try gazetteer.reverse(SmallWorld.point(5.1, 4)))
        #expect(here.interpolatedNumber == nil)
        #expect(here.address.houseNumber == "30")
        #expect(here.address.street == "Bergweg")
    }

    @Test func aDamagedInterpolationIsNoHouse() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Hauptstraße", (0, 5), (10, 5))
        let first = world.house("2", "Hauptstraße", 1, 5.1)
        let last = world.house("10", "Hauptstraße", 9, 5.1)
        let line = world.way([(1, 5.1), (9, 5.1)], ["addr:interpolation": "even"])
        world.setNodes(of: line, [first, last])
        let gazetteer = try world.open()
        for damage in ["first = \(Int.min)", "first = \(Int.min), last = \(Int.max)", "first = 2, last = 10, step = 0"]
        {
            try Database(path: gazetteer.path, readOnly: false).execute("UPDATE interpolation SET \(damage)")
            let match = try #require(try gazetteer.geocode(GeocodeQuery("Hauptstraße 4")).matches.first)
            #expect(match.quality.precision == .street, "\(damage)")
        }
    }

    @Test func aTownComesBeforeTheStationOfItsName() throws {
        var world = world()
        world.node(4, 4, ["railway": "station", "name": "Oberfeld", "addr:postcode": "9491", "wikidata": "Q1"])
        let gazetteer = try world.open()
        for text in ["Oberfeld", "9491 Oberfeld", "Oberfeld 9491", "9490 Oberfeld"] {
            let match = try #require(try gazetteer.geocode(GeocodeQuery(text)).matches.first, "\(text)")
            #expect(match.quality.precision == .place, "\(text)")
            #expect(match.feature.name == "Oberfeld", "\(text)")
        }
    }

    @Test func anIntersectionLiesWhereTheStreetsMeet() throws {
        let gazetteer = try world().open()
        for text in [
            "Hauptstraße & Bergweg", "Bergweg und Hauptstr.", "corner of Bergweg and Hauptstraße, Oberfeld",
            "Bergweg at Hauptstrasse", "Bergweg / Hauptstraße", "Bergweg/Hauptstr.", "Hauptstr. + Bergweg, Oberfeld",
            "Ecke Bergweg / Hauptstraße", "esquina Bergweg con Hauptstraße", "угол Bergweg и Hauptstraße",
            "intersection of Bergweg and the Hauptstraße", "Bergweg esquina Hauptstraße",
            "angle Bergweg et Hauptstraße",
        ] {
            let match = try #require(try gazetteer.geocode(GeocodeQuery(text)).matches.first, "\(text)")
            #expect(match.quality.precision == .intersection)
            #expect(match.location.distance(to: SmallWorld.point(5, 5)) < 1)
        }
    }

    @Test func streetsThatMeetTwiceCrossNearThePositionAsked() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        let first = world.node(2, 5, ["highway": "crossing"]), second = world.node(8, 5, ["highway": "crossing"])
        let main = world.way([(0, 5), (2, 5), (8, 5), (10, 5)], ["highway": "residential", "name": "Hauptstraße"])
        let loop = world.way([(2, 5), (2, 8), (8, 8), (8, 5)], ["highway": "residential", "name": "Ring"])
        world.setNodes(of: main, [101, first, second, 102])
        world.setNodes(of: loop, [first, 103, 104, second])
        let gazetteer = try world.open()
        for x in [2.0, 8] {
            var query = GeocodeQuery("Ring & Hauptstraße")
            query.near = SmallWorld.point(x, 6)
            let match = try #require(try gazetteer.geocode(query).matches.first)
            #expect(match.location.distance(to: SmallWorld.point(x, 5)) < 1)
        }
    }

    @Test func wordsWrittenTwiceSayNothingNew() throws {
        let gazetteer = try world().open()
        #expect(try first(gazetteer, "Hauptstraße Hauptstraße 5 5, Oberfeld Oberfeld") == "house 3")
        #expect(try first(gazetteer, "Haupt Str. Haupt Str. 12a 12a Oberfeld") == "house 6")
        #expect(TextNormalizer.withoutRepeats("16/16 16/16, Lauf Lauf a.d. Pegnitz") == "16/16, Lauf a.d. Pegnitz")
        #expect(TextNormalizer.withoutRepeats("Hauptstraße 5") == nil)
    }

    @Test func aNameThatIsAPairOfWordsIsItself() throws {
        var world = SmallWorld()
        world.town("Baden", 0, 0)
        world.town("Baden-Baden", 100, 0)
        let gazetteer = try world.open()
        #expect(try first(gazetteer, "Baden Baden") == "place 105")
        #expect(try first(gazetteer, "Baden") == "place 5")
    }

    @Test func aBareNumberIsTheNearestHouseOfThatNumber() throws {
        let gazetteer = try world().open()
        func near(_ x: Double, _ text: String) throws -> String? {
            var query = GeocodeQuery(text)
            query.near = SmallWorld.point(x, 5)
            let match = try gazetteer.geocode(query).matches.first
            return match.map {
                "\($0.feature.houseNumber ?? $0.feature.postcode ?? "") \(Int((($0.location.longitude - 9) * 1000).rounded()))"
            }
        }
        #expect(try near(1, "5") == "5 3")
        #expect(try near(101, "5") == "5 103")
        #expect(try near(5, "12 A") == "12a 6")
        #expect(try near(5, "4") == "2;4 5")
        #expect(try near(5, "777") == nil)
        #expect(try gazetteer.geocode(GeocodeQuery("12a")).matches.isEmpty)
        // The nearest outside the box does not hide the one within.
        var query = GeocodeQuery("5")
        query.near = SmallWorld.point(3, 5)
        query.limit = 1
        query.isBounded = true
        query.viewbox = BoundingBox(SmallWorld.point(4, 0))
        query.viewbox?.extend(by: SmallWorld.point(9, 9))
        #expect(try gazetteer.geocode(query).matches.isEmpty)
    }

    @Test func aCorrectionMustFitWithItsKindOfStreet() throws {
        var world = world()
        world.street("Hainweg", (1, 8), (9, 8))
        _ = world.house("5", "Hainweg", 4, 8.2)
        let gazetteer = try world.open()
        #expect(try first(gazetteer, "Hainwg 5") == "house 4")
        #expect(try first(gazetteer, "Main Street 5").hasPrefix("nothing"))
        #expect(try first(gazetteer, "Hinweg Straße 5").hasPrefix("nothing"))
    }

    /// Two towns of one name in two states, the greater one in the western state; and a third that lies in no known state.
    private func states() -> World {
        var world = World()
        world.boundary(1, west: 0, south: 0, east: 100, north: 100, ["admin_level": "4", "name": "Oregon"])
        world.boundary(2, west: 100, south: 0, east: 200, north: 100, ["admin_level": "4", "name": "Maine"])
        world.node(3, 50, 50, ["place": "city", "name": "Portland", "population": "600000"])
        world.node(4, 150, 50, ["place": "city", "name": "Portland", "population": "60000"])
        world.node(5, 250, 50, ["place": "town", "name": "Salem", "population": "5000"])
        world.node(6, 99, 50, ["place": "town", "name": "Bend", "population": "5000"])
        world.node(7, 99, 40, ["place": "town", "name": "Camas", "population": "9000"])
        world.node(8, 101, 40, ["place": "town", "name": "Camas", "population": "5000"])
        return world
    }

    @Test func aStateTellsTownsOfOneNameApart() throws {
        try states().open(country: { _ in "us" }) { gazetteer, _ in
            func first(_ text: String) throws -> OSMID? {
                try gazetteer.geocode(GeocodeQuery(text)).matches.first?.feature.osm
            }
            for text in ["Portland", "Portland, Oregon", "Portland OR", "Portland, OR, USA"] {
                let found = try first(text)
                #expect(found == OSMID(.node, 3), "\(text)")
            }
            for text in ["Portland, Maine", "Portland, ME", "portland me", "Portland, Maine, USA", "Portland, ME, US"] {
                let found = try first(text)
                #expect(found == OSMID(.node, 4), "\(text)")
            }
            // A town at the border may belong to either side, but the one that lies in the state comes first.
            let (lone, twin) = (try first("Bend, Maine"), try first("Camas, Maine"))
            #expect(lone == OSMID(.node, 6))
            #expect(twin == OSMID(.node, 8))
            // Where no state is known, any of its country may be meant.
            let unknown = try gazetteer.geocode(GeocodeQuery("Salem, Oregon")).matches.first
            #expect(unknown?.quality.isComplete == true)
        }
    }

    @Test func aCodeInTheFieldOfTheCountryIsThatCountry() throws {
        var world = World()
        world.boundary(1, west: 0, south: 0, east: 100, north: 100, ["admin_level": "2", "name": "Liechtenstein"])
        world.node(2, 50, 50, ["place": "town", "name": "Li"])
        world.node(3, 60, 50, ["place": "town", "name": "Vaduz"])
        try world.open(country: { _ in "li" }) { gazetteer, _ in
            func first(_ fields: GeocodeQuery.Fields) throws -> GeocodeMatch? {
                try gazetteer.geocode(GeocodeQuery(fields: fields)).matches.first
            }
            for code in ["LI", "li", "LIE", "Liechtenstein"] {
                let match = try first(.init(country: code))
                #expect(match?.feature.osm == OSMID(.relation, 1), "\(code)")
                #expect(match?.quality.isComplete == true, "\(code)")
                let town = try first(.init(city: "Vaduz", country: code))
                #expect(town?.quality.isComplete == true, "\(code)")
            }
            for code in ["DE", "DEU"] {
                let none = try first(.init(country: code))
                #expect(none == nil, "\(code)")
                let town = try first(.init(city: "Vaduz", country: code))
                #expect(town == nil, "\(code)")
            }
        }
    }

    @Test func theOfficialFormOfARussianAddressIsRead() throws {
        var world = SmallWorld()
        world.town("Москва", 0, 0)
        world.street("Мясницкая улица", (0, 5), (10, 5))
        world.street("Милютинский переулок", (0, 7), (10, 7))
        for (index, number) in ["13", "13 с1", "13 к2 с1"].enumerated() {
            _ = world.house(number, "Мясницкая улица", Double(index) + 1, 5.1)
        }
        _ = world.house("4", "Милютинский переулок", 5, 7.1)
        let gazetteer = try world.open()
        for (text, expected) in [
            ("г. Москва, ул. Мясницкая, д. 13, стр. 1", "house 2"), ("Мясницкая ул., д. 13, стр. 1", "house 2"),
            ("г Москва, ул Мясницкая, д 13 стр 1", "house 2"),
            ("Москва, Мясницкая улица, дом 13, строение 1", "house 2"),
            ("улица Мясницкая, д. 13, корп. 2, стр. 1", "house 3"), ("улица Мясницкая 13", "house 1"),
            ("переулок Милютинский, 4", "house 5"), ("г. Москва", "place 5"),
        ] {
            #expect(try first(gazetteer, text) == expected, "\(text)")
            #expect(
                try gazetteer.geocode(GeocodeQuery(text)).matches.first?.quality.isComplete == true, "\(text)")
        }
    }

    @Test func aStreetTypeMayStandOnTheOtherSideOfTheName() throws {
        let gazetteer = try world().open()
        let best = try gazetteer.geocode(GeocodeQuery("Weg Berg, Oberfeld")).matches.first
        #expect(best?.feature.name == "Bergweg")
        #expect(best?.quality.isComplete == true)
        var saints = SmallWorld()
        saints.street("Anna Street", (0, 5), (10, 5))
        let answer = try saints.open(country: "li").geocode(GeocodeQuery("St Anna"))
        #expect(answer.matches.first?.quality.isComplete != true)
    }

    @Test func aNumberWithALetterThatNobodyHasGivesTheNearestForm() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.street("Auweg", (0, 5), (10, 5))
        for (index, number) in ["30", "31A", "52 A 3", "52"].enumerated() {
            _ = world.house(number, "Auweg", Double(index) + 1, 5.1)
        }
        let gazetteer = try world.open()
        func told(_ text: String) throws -> String {
            let match = try gazetteer.geocode(GeocodeQuery(text)).matches.first
            let unmatched = match?.quality.unmatched.joined(separator: " ") ?? "-"
            return try "\(first(gazetteer, text)) \(unmatched)"
        }
        #expect(try told("Auweg 30a, Oberfeld") == "house 1 30a")
        #expect(try told("Auweg 30 a, Oberfeld") == "house 1 a")
        for number in ["31a", "31 a", "31 A", "31-A"] {
            #expect(try told("Auweg \(number), Oberfeld") == "house 2 ", "\(number)")
        }
        #expect(try told("Auweg 52a, Oberfeld") == "house 3 52a")
        #expect(try told("Auweg 77a, Oberfeld") == "street 5 77a")
    }

    @Test func theStreetOfTheNamedTownComesBeforeAHouseOfTheNextTown() throws {
        var world = SmallWorld()
        world.node(5, 5, ["place": "village", "name": "Oberfeld"])
        world.node(25, 5, ["place": "town", "name": "Unterfeld", "population": "9000"])
        world.street("Landweg", (1, 5), (9, 5))
        world.street("Landweg", (21, 5), (29, 5))
        _ = world.house("4", "Landweg", 5, 5.1, tags: ["addr:city": "Oberfeld"])
        _ = world.house("12", "Landweg", 25, 5.1, tags: ["addr:city": "Unterfeld"])
        let gazetteer = try world.open()
        #expect(try first(gazetteer, "Landweg 12, Oberfeld") == "street 5")
        #expect(try first(gazetteer, "Landweg 4, Oberfeld") == "house 5")
        #expect(try first(gazetteer, "Landweg 12, Unterfeld") == "house 25")
    }

    @Test func theStreetInATownComesBeforeOneThatOnlyHasAddressesOfTheTown() throws {
        var world = SmallWorld()
        world.town("Unterfeld", 20, 0)
        world.town("Oberfeld", 0, 0)
        world.street("Landweg", (21, 5), (29, 5))
        world.street("Landweg", (1, 5), (9, 5))
        _ = world.house("4", "Landweg", 21, 5.1, tags: ["addr:city": "Oberfeld"])
        let gazetteer = try world.open()
        #expect(try first(gazetteer, "Landweg 12, Oberfeld") == "street 5")
    }

    @Test func aCountryThatContradictsLeavesTheTownFirst() throws {
        var world = SmallWorld()
        world.town("Oberfeld", 0, 0)
        world.node(5, 5, ["man_made": "monitoring_station", "name": "Oberfeld", "addr:country": "LI"])
        world.node(6, 6, ["amenity": "cafe", "name": "Oberfeld", "addr:postcode": "9490"])
        let gazetteer = try world.open(country: "li")
        let match = try #require(try gazetteer.geocode(GeocodeQuery("Oberfeld, Germany")).matches.first)
        #expect(match.quality.precision == .place)
        #expect(match.quality.unmatched == ["Germany"])
    }

    @Test func fieldsMustEachBeMet() throws {
        let gazetteer = try world().open()
        func ask(_ fields: GeocodeQuery.Fields) throws -> GeocodeMatch? {
            try gazetteer.geocode(GeocodeQuery(fields: fields)).matches.first
        }
        let house = try #require(try ask(.init(street: "5 Hauptstr.", city: "Unterfeld")))
        #expect(house.location.distance(to: SmallWorld.point(103, 5.2)) < 1)
        #expect(try ask(.init(city: "Oberfeld"))?.feature.name == "Oberfeld")
        #expect(try ask(.init(street: "Oberfeld")) == nil)
        #expect(try ask(.init(street: "Talgasse", city: "Oberfeld")) == nil)
    }

    @Test func aBoundedBoxIsALimitAndAnOpenOneAPreference() throws {
        let gazetteer = try world().open()
        let lower = SmallWorld.point(100, 0), upper = SmallWorld.point(110, 10)
        let box = BoundingBox(
            west: lower.longitude, south: lower.latitude, east: upper.longitude, north: upper.latitude)
        let open = try gazetteer.geocode(GeocodeQuery("Hauptstraße 5", viewbox: box))
        #expect(open.matches.count == 2)
        #expect(open.matches.first.map { box.contains($0.location) } == true)
        let bounded = try gazetteer.geocode(GeocodeQuery("Hauptstraße 5", viewbox: box, isBounded: true))
        #expect(bounded.matches.count == 1)
    }

    @Test func hostileTextIsTaken() throws {
        let gazetteer = try world().open()
        for text in [
            "", ",,,", "\"; DROP TABLE name; --", "* OR =", String(repeating: "a ", count: 5000),
            String(repeating: "Hauptstraße 5 & ", count: 200), "99999999999999999999 5", "\u{0}", "-1 -1 -1", "½",
        ] {
            _ = try gazetteer.geocode(GeocodeQuery(text))
            _ = try gazetteer.search(SearchQuery(text))
        }
    }

    /// The same as a linear scan over the addresses, on random towns.
    @Test(arguments: [11, 12, 13] as [UInt64])
    func randomAddressesAreThoseOfALinearScan(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stems = ["Rosen", "Linden", "Berg", "Kirch", "Mühl", "Bach", "Wald", "Schloss"]
        let types = ["straße", "weg", "gasse", " Platz"]
        let towns = ["Alberg", "Brinzen", "Zollikon"]
        var world = SmallWorld()
        var houses: [(street: String, number: String, town: String, point: Coordinate)] = []
        for (index, town) in towns.enumerated() {
            let x = Double(index) * 200
            world.town(town, x, 0, size: 60)
            for row in 1...8 {
                let name = (stems.randomElement(using: &random) ?? "A") + (types.randomElement(using: &random) ?? "weg")
                let y = Double(row) * 6
                world.street(name, (x + 1, y), (x + 55, y))
                for _ in 0..<6 {
                    let number =
                        String(Int.random(in: 1...30, using: &random))
                        + (["", "a", "b"].randomElement(using: &random) ?? "")
                    let place = (x + Double.random(in: 2...54, using: &random), y + 0.2)
                    _ = world.house(number, name, place.0, place.1)
                    houses.append((name, number, town, SmallWorld.point(place.0, place.1)))
                }
            }
        }
        let gazetteer = try world.open()
        let normalizer = try TextNormalizer.shared
        for house in houses {
            let text =
                [
                    "\(house.street) \(house.number), \(house.town)", "\(house.number) \(house.street) \(house.town)",
                    "\(house.town), \(house.street.uppercased()) \(house.number)",
                ].randomElement(using: &random) ?? ""
            let scan = houses.filter {
                normalizer.key($0.street) == normalizer.key(house.street) && $0.number == house.number
                    && $0.town == house.town
            }
            let matches = try gazetteer.geocode(GeocodeQuery(text, limit: 50)).matches
            let best = try #require(matches.first, "seed \(seed): \(text)")
            #expect(best.quality.precision == .house, "seed \(seed): \(text)")
            #expect(scan.contains { $0.point.distance(to: best.location) < 1 }, "seed \(seed): \(text)")
        }
    }
}

import Geometry
import GazetteerData
import Testing

@testable import Importing

@Suite struct CountryOutlinesTests {
    private func point(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    @Test func citiesLieInTheirCountries() throws {
        let outlines = try CountryOutlines.load()
        let cities: [(String, Double, Double)] = [
            ("FI", 60.1699, 24.9384), ("MC", 43.7384, 7.4246), ("LI", 47.1410, 9.5209), ("CH", 46.9480, 7.4474),
            ("US", 40.7128, -74.0060), ("CA", 45.4215, -75.6972), ("BR", -15.7939, -47.8828),
            ("AU", -33.8688, 151.2093),
            ("NZ", -41.2865, 174.7762), ("JP", 35.6762, 139.6503), ("ZA", -33.9249, 18.4241), ("LS", -29.3142, 27.4833),
            ("SM", 43.9424, 12.4578), ("VA", 41.9029, 12.4534), ("GB", 51.5074, -0.1278), ("IE", 53.3498, -6.2603),
            ("HK", 22.2855, 114.1577), ("SG", 1.2903, 103.8520), ("IS", 64.1466, -21.9426), ("FJ", -18.1416, 178.4419),
            ("RE", -20.8789, 55.4481), ("GP", 16.2650, -61.5510), ("AX", 60.0969, 19.9348), ("GI", 36.1408, -5.3536),
            ("XK", 42.6629, 21.1655), ("TW", 25.0330, 121.5654), ("AD", 42.5063, 1.5218), ("MT", 35.8989, 14.5146),
            ("IM", 54.1509, -4.4818), ("JE", 49.1880, -2.1040),
        ]
        for (code, latitude, longitude) in cities {
            #expect(outlines.country(at: point(latitude, longitude)) == code)
        }
    }

    @Test func aHarbourBelongsToItsCoastAndTheOpenSeaToNobody() throws {
        let outlines = try CountryOutlines.load()
        #expect(outlines.country(at: point(60.10, 24.95)) == "FI")  // off Helsinki
        #expect(outlines.country(at: point(43.70, 7.44)) == "MC" || outlines.country(at: point(43.70, 7.44)) == "FR")
        #expect(outlines.country(at: point(30, -40)) == nil)
        #expect(outlines.country(at: point(0, -179.99)) == nil)
    }

    @Test func placesOffTheGlobeHaveNoCountry() throws {
        let outlines = try CountryOutlines.load(withRegions: true)
        for wrong in [
            point(.nan, 0), point(0, .nan), point(91, 0), point(0, 181), point(.infinity, 0), point(-90.1, -180),
        ] {
            #expect(outlines.country(at: wrong) == nil)
            #expect(outlines.region(at: wrong) == nil)
        }
        _ = outlines.country(at: point(90, 180))
        #expect(outlines.country(at: point(-90, -180)) == "AQ" || outlines.country(at: point(-90, -180)) == nil)
    }

    @Test func regionsAreThoseOfTheirCountry() throws {
        let outlines = try CountryOutlines.load(withRegions: true)
        #expect(outlines.region(at: point(60.1699, 24.9384)) == "Uusimaa")
        #expect(outlines.region(at: point(37.7749, -122.4194)) == "California")
        #expect(outlines.region(at: point(48.1372, 11.5755)) == "Bayern")
    }

    /// The table of places comes from another source than the outlines, so the two check each other.
    @Test func nearlyAllPlacesOfTheWorldLieInTheirCountry() throws {
        let outlines = try CountryOutlines.load()
        var count = 0
        var wrong: [String: Int] = [:]
        try WorldPlaces.forEach(path: GazetteerData.url("world/places.tsv.gz").path) { place in
            count += 1
            let found = outlines.country(at: place.location)
            if found != place.country { wrong["\(place.country) as \(found ?? "none")", default: 0] += 1 }
        }
        let total = wrong.values.reduce(0, +)
        print("\(total) of \(count) places in another country:", wrong.sorted { $0.value > $1.value }.prefix(30))
        #expect(count == 234_908)
        #expect(Double(total) < 0.005 * Double(count))
    }

    /// Beside the bands a plain even-odd test over all rings of each country.
    @Test func theBandsAgreeWithATestOfEveryRing() throws {
        let file = try WorldOutlines.load("world/outlines.tsv.gz")
        let outlines = CountryOutlines(file, withRegions: false)
        let countries = file.areas.filter { $0.kind == .country }
        let rings = countries.map { area in area.polygons.joined().map { file.ring($0) } }
        let seed: UInt64 = 20_231_226
        print("seed", seed)
        var generator = SplitMix(state: seed)
        var onLand = 0
        for _ in 0..<300 {
            let place = point(
                Double.random(in: -60...80, using: &generator), Double.random(in: -180...180, using: &generator))
            let x = place.longitude * 1000
            let y = place.latitude * 1000
            let holder = rings.firstIndex { rings in
                var inside = false
                for ring in rings {
                    for (a, b) in zip(ring, ring.dropFirst()) where (Double(a.y) > y) != (Double(b.y) > y) {
                        let t = (y - Double(a.y)) / Double(b.y - a.y)
                        if Double(a.x) + t * Double(b.x - a.x) > x { inside.toggle() }
                    }
                }
                return inside
            }
            guard let holder else { continue }
            onLand += 1
            #expect(outlines.country(at: place) == countries[holder].fields.first)
        }
        #expect(onLand > 50)
    }

    @Test func everyCountryHasFacts() throws {
        let facts = try CountryFacts.load()
        #expect(facts.count == 250)
        #expect(facts.map(\.code) == facts.map(\.code).sorted())
        for country in facts {
            #expect(country.code.count == 2 && !country.name.isEmpty && !country.languages.isEmpty)
            #expect(country.urbanSpeed <= country.ruralSpeed && country.ruralSpeed <= country.motorwaySpeed)
            #expect((20...150).contains(country.urbanSpeed) && country.motorwaySpeed <= 150)
        }
        let known = Set(facts.map(\.code))
        for area in try WorldOutlines.load("world/outlines.tsv.gz").areas {
            #expect(known.contains(area.fields.first ?? ""))
        }
        let britain = try #require(facts.first { $0.code == "GB" })
        #expect(britain.drivesOnLeft && britain.usesMiles && britain.numberComesFirst)
        let finland = try #require(facts.first { $0.code == "FI" })
        #expect(finland.names.map(\.name) == ["Suomi", "Finland"])
    }
}

/// Sebastiano Vigna's SplitMix64: the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

import Geometry
import Testing

@Suite struct WrittenCoordinateTests {
    @Test(arguments: [
        "47.1410, 9.5209", "47.1410 9.5209", "47.1410,9.5209", "(47.1410, 9.5209)", "47,1410; 9,5209", "47,1410 9,5209",
        "+47.1410+009.5209/", "N 47.1410 E 9.5209", "N47.1410, E9.5209", "47.1410N 9.5209E", "9.5209° E, 47.1410° N",
        "47.1410° 9.5209°", "lat: 47.1410, lon: 9.5209", "lon=9.5209 lat=47.1410", "47°08'27.6\"N 9°31'15.24\"E",
        "47° 8′ 27.6″ N, 9° 31′ 15.24″ E", "N 47° 08.46 E 009° 31.254", "47 08.460 N, 009 31.254 E",
        "47:08:27.6N 9:31:15.24E", "47 8 27.6 N 9 31 15.24 E", "47°08'27.6\" 9°31'15.24\"", "geo:47.1410,9.5209",
        "geo:47.1410,9.5209,450;crs=wgs84;u=35", "geo:47.1410,9.5209?z=17", "geo:0,0?q=47.1410,9.5209(Here)",
        "47.1410° с.ш., 9.5209° в.д.", "47.1410 north 9.5209 east",
    ])
    func oneRiverbankInManyForms(_ text: String) throws {
        let point = try #require(Coordinate(written: text))
        #expect(abs(point.latitude - 47.141) < 1e-9, "\(text): \(point)")
        #expect(abs(point.longitude - 9.5209) < 1e-9, "\(text): \(point)")
    }

    @Test(arguments: [
        ("33°51'31\"S 151°12'51\"E", -33.858611, 151.214167), ("-33.8586, 151.2142", -33.8586, 151.2142),
        ("−33.8586 −70.65", -33.8586, -70.65), ("S 33.5 W 70.25", -33.5, -70.25), ("0.5S 0.25W", -0.5, -0.25),
        ("geo:-33.5,-70.25", -33.5, -70.25),
    ])
    func southAndWestAreNegative(_ text: String, _ latitude: Double, _ longitude: Double) throws {
        let point = try #require(Coordinate(written: text))
        #expect(abs(point.latitude - latitude) < 1e-5 && abs(point.longitude - longitude) < 1e-5, "\(text): \(point)")
    }

    @Test(arguments: [
        "", "47", "47 9", "47, 9", "12 34 56", "Main St 47.1, 9.5", "47.1, 9.5, Vaduz", "1.5 2.5 3.5", "47.1 N 9.5 N",
        "N 47.1", "47°61'00\"N 9°00'00\"E", "47°08'61\"N 9°00'00\"E", "47.5°30'N 9°E", "12-14", "203-06", "5/7", "geo:",
        "geo:47.1", "geo:47.1,9.5;crs=nad27", "47.1 9.5 N E", "N S E W", "47..1 9.5", "٤٧٫١ ٩٫٥", "47.1, , 9.5",
    ])
    func otherTextIsNoCoordinate(_ text: String) { #expect(Coordinate(written: text) == nil, "\(text)") }

    @Test func offTheGlobeIsReadAndTold() { #expect(Coordinate(written: "147.5, 9.5")?.isValid == false) }

    @Test func randomPointsComeBackFromEveryForm() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let latitude = Double.random(in: -90...90, using: &random).rounded(toPlaces: 6)
            let longitude = Double.random(in: -180...180, using: &random).rounded(toPlaces: 6)
            func sexagesimal(_ value: Double, _ positive: String, _ negative: String) -> String {
                let seconds = (abs(value) * 3600 * 1000).rounded() / 1000
                let degrees = Int(seconds / 3600)
                let minutes = Int(seconds / 60) - degrees * 60
                let rest = ((seconds - Double(degrees * 3600 + minutes * 60)) * 1000).rounded() / 1000
                return "\(degrees)°\(minutes)'\(rest)\"\(value < 0 ? negative : positive)"
            }
            for text in [
                "\(latitude), \(longitude)",
                sexagesimal(latitude, "N", "S") + " " + sexagesimal(longitude, "E", "W"),
            ] where !text.contains("e") && !text.contains(".0\"") {
                let point = try #require(Coordinate(written: text), "\(text) (seed 4)")
                #expect(abs(point.latitude - latitude) < 1e-6 && abs(point.longitude - longitude) < 1e-6, "\(text)")
            }
        }
    }
}

@Suite struct OpenLocationCodeTests {
    @Test func aPointAndItsCodeMeetInEveryLength() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1000 {
            let point = Coordinate(
                latitude: Double.random(in: -90...90, using: &random),
                longitude: Double.random(in: -180...180, using: &random))
            for length in [2, 4, 6, 8, 10, 11, 12, 15] {
                let code = OpenLocationCode(point, length: length)
                let read = try #require(OpenLocationCode(code.description), "\(code) (seed 5)")
                let area = try #require(read.area)
                #expect(
                    area.west - 1e-9 <= point.longitude && point.longitude <= area.east + 1e-9
                        && area.south - 1e-9 <= point.latitude && point.latitude <= area.north + 1e-9,
                    "\(code) does not hold \(point)")
            }
        }
    }

    /// Facts of the specification: its own examples.
    @Test func knownCodesStandWhereTheyShould() throws {
        let area = try #require(OpenLocationCode("7FG49Q00+")?.area)
        #expect(abs(area.south - 20.35) < 1e-9 && abs(area.west - 2.75) < 1e-9)
        #expect(abs(area.north - 20.4) < 1e-9 && abs(area.east - 2.8) < 1e-9)
        #expect(OpenLocationCode(Coordinate(latitude: 20.375, longitude: 2.775), length: 6).description == "7FG49Q00+")
        #expect(
            OpenLocationCode(Coordinate(latitude: 47.0000625, longitude: 8.0000625)).description == "8FVC2222+22")
    }

    @Test func aShortCodeMeansTheNearestOfItsKind() throws {
        var random = SeededGenerator(seed: 6)
        for _ in 0..<1000 {
            let point = Coordinate(
                latitude: Double.random(in: -80...80, using: &random),
                longitude: Double.random(in: -170...170, using: &random))
            let full = OpenLocationCode(point)
            let near = Coordinate(
                latitude: point.latitude + Double.random(in: -0.4...0.4, using: &random),
                longitude: point.longitude + Double.random(in: -0.4...0.4, using: &random))
            let short = try #require(OpenLocationCode(String(full.description.dropFirst(4))))
            #expect(!short.isFull && short.area == nil)
            #expect(short.recovered(near: near)?.description == full.description, "seed 6: \(full) near \(near)")
        }
    }

    @Test(arguments: [
        "", "+", "8FVC", "8FVC9G8F+6", "8FVC9G8F6X", "8FVC9G8F++6X", "8FVC9G8+F6X", "8FVC9A8F+6X", "8FV00000+",
        "8F000000+22",
        "XFVC9G8F+6X", "A+B", "12+34",
    ])
    func otherTextIsNoCode(_ text: String) { #expect(OpenLocationCode(text) == nil, "\(text)") }
}

extension Double {
    fileprivate func rounded(toPlaces places: Int) -> Double {
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        return (self * factor).rounded() / factor
    }
}

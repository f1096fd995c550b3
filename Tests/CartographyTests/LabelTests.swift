import Foundation
import Gazetteer
import Geometry
import Testing

@testable import Cartography

struct LabelTests {
    private func labels(_ map: SmallMap, zoom: Double, side: Double = 512) throws -> [PlacedLabel] {
        let painter = try MapPainter(source: map)
        let corner = 128 * exp2(zoom) - side / 2
        let window = Window(zoom: zoom, x: corner, y: corner, width: side, height: side)
        let scene = try Scene(map, box: window.box(margin: 48), zoom: MapPainter.dataZoom(zoom), languages: [])
        return try painter.shapers.withShaper {
            LabelPlacement(window: window, style: painter.style, zoom: zoom, shaper: $0).place(scene)
        }
    }

    @Test(arguments: [5, 8.5, 11, 13.4, 15, 16, 17.3, 18, 19])
    func labelsNeverOverlapAndStayInside(zoom: Double) throws {
        let labels = try labels(.town(zoom: Int(zoom)), zoom: zoom)
        #expect(labels.count > 3)
        for (index, label) in labels.enumerated() {
            #expect(
                label.bounds.minX >= 0 && label.bounds.minY >= 0 && label.bounds.maxX <= 512 && label.bounds.maxY <= 512
            )
            for other in labels[(index + 1)...] {
                let clash = label.boxes.contains { box in other.boxes.contains { $0.intersects(box) } }
                #expect(!clash, "\(label.text) and \(other.text)")
            }
        }
    }

    @Test func namesOfRoadsAreNeverUpsideDown() throws {
        for seed in 1...6 {
            let labels = try labels(.town(zoom: 16, seed: UInt64(seed)), zoom: 16, side: 1024)
            #expect(labels.contains { $0.glyphs.contains { $0.sine != 0 } })
            for label in labels { for glyph in label.glyphs { #expect(glyph.cosine > -0.05, "\(label.text)") } }
        }
    }

    /// A road of one name through points of the picture.
    private func road(_ points: [(Double, Double)], name: String) throws -> [PlacedLabel] {
        var map = SmallMap()
        let unit = Double(Mercator.world) / (256 * exp2(16))
        let corner = Double(Mercator.world) / 2 - 256 * unit
        map.add(
            .street,
            .line(points.map { MercatorPoint(x: Int32(corner + $0.0 * unit), y: Int32(corner + $0.1 * unit)) }),
            name: name)
        return try labels(map, zoom: 16)
    }

    @Test func aNameReadsFromLeftToRightWhicheverWayTheRoadRuns() throws {
        for points in [[(60.0, 250.0), (460, 260)], [(460, 260), (60, 250)]] {
            let label = try #require(try road(points, name: "Mainstreet").first)
            let xs = label.glyphs.map(\.x)
            #expect(xs == xs.sorted() && label.glyphs.count == 10)
        }
    }

    @Test func aRoadThatBendsTooMuchBearsNoName() throws {
        let zigzag = (0..<30).map { (100 + Double($0) * 8, $0.isMultiple(of: 2) ? 200.0 : 230) }
        #expect(try road(zigzag, name: "Zigzag Lane Through The Town").isEmpty)
    }

    @Test func piecesOfARoadAreNamedTogether() throws {
        var map = SmallMap()
        let unit = Double(Mercator.world) / (256 * exp2(16))
        let corner = Double(Mercator.world) / 2 - 256 * unit
        func at(_ x: Double) -> MercatorPoint {
            MercatorPoint(x: Int32(corner + x * unit), y: Int32(corner + 256 * unit))
        }
        for piece in 0..<12 {
            let (a, b) = (at(100 + Double(piece) * 20), at(120 + Double(piece) * 20))
            map.add(.street, .line(piece.isMultiple(of: 2) ? [a, b] : [b, a]), name: "Street of Pieces")
        }
        #expect(try labels(map, zoom: 16).map(\.text) == ["Street of Pieces"])
    }

    @Test func theLargerTownIsNamedWhereThereIsRoomForOne() throws {
        var map = SmallMap()
        map.add(.town, .point(SmallMap.point(0, 0)), name: "Smallville", rank: 5000)
        map.add(.town, .point(SmallMap.point(0.01, 0.01)), name: "Bigville", rank: 90_000)
        #expect(try labels(map, zoom: 8).map(\.text) == ["Bigville"])
    }

    @Test(arguments: [
        ("Arabic", "شارع الملك فيصل"), ("Hebrew", "רחוב הרצל"), ("Thai", "ถนนสุขุมวิท"), ("Thaana", "މާލެ"),
        ("Greek", "Ερμού"), ("Cyrillic", "Невский проспект"), ("Devanagari", "महात्मा गांधी मार्ग"),
    ])
    func scriptsHaveTheirLetters(script: String, name: String) throws {
        try MapPainter(source: SmallMap()).shapers.withShaper { shaper in
            let line = shaper.shape(name, .regular)
            #expect(line.width > 1)
            #expect(line.glyphs.filter { !$0.outline.path.elements.isEmpty }.count >= 4, "no font has \(script)")
        }
    }

    @Test func namesFromTheRightStandInTheOrderOfTheEye() throws {
        try MapPainter(source: SmallMap()).shapers.withShaper { shaper in
            let line = shaper.shape("אבג", .regular)
            let alone = shaper.shape("ג", .regular)
            #expect(line.glyphs.first?.outline === alone.glyphs.first?.outline)
        }
    }

    @Test func controlCharactersAndEndlessNamesAreHarmless() throws {
        try MapPainter(source: SmallMap()).shapers.withShaper { shaper in
            #expect(
                shaper.shape("\u{0}\u{7}\n\u{1B}[31m\u{202E}ab", .regular).width
                    == shaper.shape("[31mab", .regular).width)
            #expect(shaper.shape(String(repeating: "W", count: 10_000), .regular).glyphs.count == 120)
            #expect(shaper.shape(String(repeating: "e\u{301}", count: 10_000), .bold).width < 300)
            #expect(shaper.shape("", .regular).glyphs.isEmpty)
            #expect(shaper.shape("\u{FFFF}\u{10FFFF}", .regular).glyphs.isEmpty)
        }
    }
}

extension LabelTests {
    @Test func aCityIsWrittenLargerThanItsDistricts() throws {
        var map = SmallMap()
        map.add(.city, .point(SmallMap.point(0, 0)), flags: .capital, name: "Paris", rank: 2_138_551)
        map.add(.city, .point(SmallMap.point(0.03, 0)), name: "Vaugirard", rank: 230_000)
        // As large as a district, but a town of its own.
        map.add(.city, .point(SmallMap.point(-0.16, 0.02)), name: "Elsewhere", rank: 230_000)
        let sizes = Dictionary(uniqueKeysWithValues: try labels(map, zoom: 11).map { ($0.text, $0.size) })
        let (city, district, other) = (sizes["Paris"] ?? 0, sizes["Vaugirard"] ?? 99, sizes["Elsewhere"] ?? 0)
        #expect(city > 1.2 * district && other > district && city > 0)
    }
}

import Foundation
import Gazetteer
import Geometry
import Testing

@testable import Cartography

struct PictureTests {
    private let center = Coordinate(latitude: 0, longitude: 0)

    private func everyMark() -> MapMarks {
        var marks = MapMarks()
        let near = Coordinate(latitude: 0.001, longitude: 0.001)
        let nowhere = [Coordinate(latitude: .nan, longitude: 0), Coordinate(latitude: 0, longitude: .infinity)]
        marks.pins = [
            MapMarks.Pin(at: center, title: "Title", subtitle: "Subtitle", showsCallout: true, glyph: "1"),
            MapMarks.Pin(at: near, colour: .pinGreen, form: .dot, title: "A dot"),
            MapMarks.Pin(at: near, form: .none, title: String(repeating: "Long ", count: 3000), showsCallout: true),
        ]
        marks.pins += nowhere.map { MapMarks.Pin(at: $0, title: "Nowhere", showsCallout: true) }
        marks.routes = [
            MapMarks.Route([center, near, Coordinate(latitude: 80, longitude: 170)]), MapMarks.Route(nowhere),
            MapMarks.Route([]), MapMarks.Route([center]),
        ]
        marks.overlays = [
            MapMarks.Overlay(.circle(center: center, radius: 100), stroke: .pinPurple, fill: .pinRed, alpha: 0.3),
            MapMarks.Overlay(.circle(center: center, radius: .infinity), stroke: .pinRed),
            MapMarks.Overlay(.circle(center: center, radius: -5), stroke: .pinRed),
            MapMarks.Overlay(.line([center, near]), stroke: .pinRed, lineWidth: 3, dash: [4, 2], isAboveLabels: true),
            MapMarks.Overlay(.line([center, near]), stroke: .pinRed, dash: [0, 0, -1, .nan]),
            MapMarks.Overlay(.area([[center, near, Coordinate(latitude: 0, longitude: 0.002)], []]), fill: .pinGreen),
            MapMarks.Overlay(.area([nowhere]), stroke: .pinRed, fill: .pinGreen, lineWidth: .nan),
        ]
        marks.user = MapMarks.User(at: near, accuracy: 60, heading: 40)
        return marks
    }

    @Test func picturesAreWellFormedInEveryForm() throws {
        let painter = try MapPainter(source: SmallMap.town(zoom: 16))
        let frame = try MapFrame(center: center, zoom: 16, width: 300, height: 200, scale: 2)
        let png = try painter.png(frame, marks: everyMark())
        #expect(png.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // Width and height, big-endian, after the name of the first chunk.
        #expect(Array(png[16..<24]) == [0, 0, 2, 88, 0, 0, 1, 144])
        let svg = try #require(String(validating: painter.svg(frame, marks: everyMark()), as: UTF8.self))
        #expect(svg.hasPrefix("<?xml") && svg.contains("width=\"300\"") && svg.hasSuffix("</svg>\n"))
        #expect(!svg.contains("font-family"))
        let pdf = try painter.pdf(frame, marks: everyMark())
        #expect(
            pdf.starts(with: Array("%PDF-1.".utf8)) && String(decoding: pdf.suffix(8), as: UTF8.self).contains("%%EOF"))
    }

    @Test func aPictureIsTheSameEachTime() throws {
        let frame = try MapFrame(center: center, zoom: 15.5, width: 256, height: 256)
        let first = try MapPainter(source: SmallMap.town(zoom: 16)).pixels(frame, marks: everyMark())
        #expect(try MapPainter(source: SmallMap.town(zoom: 16)).pixels(frame, marks: everyMark()) == first)
    }

    @Test func manyTasksDrawAtOnce() async throws {
        let painter = try MapPainter(source: SmallMap.town(zoom: 16))
        let middle = 1 << 15
        let alone = try painter.tilePixels(zoom: 16, x: middle, y: middle)
        try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<8 { group.addTask { try painter.tilePixels(zoom: 16, x: middle, y: middle) } }
            for try await pixels in group { #expect(pixels == alone) }
        }
    }

    @Test func aWorldWithoutAnythingIsSea() throws {
        let painter = try MapPainter(source: SmallMap(attributions: []))
        let sea = try #require(painter.style.colour("sea", .light))
        let pixels = try painter.tilePixels(zoom: 3, x: 2, y: 2)
        #expect(pixels.count == 256 * 256 * 4)
        #expect(
            abs(Double(pixels[0]) / 255 - sea.red) < 0.01
                && Array(pixels[0..<4]) == Array(pixels[(pixels.count - 4)...]))
    }

    @Test func thePictureBearsScaleBarAndAttribution() throws {
        let frame = try MapFrame(center: center, zoom: 12, width: 300, height: 200)
        let bare = try MapPainter(source: SmallMap(attributions: [])).pixels(frame)
        let credited = try MapPainter(source: SmallMap()).pixels(frame)
        /// Pixels that are not those of the sea in a part of the picture.
        func drawn(_ pixels: [UInt8], _ columns: Range<Int>) -> Int {
            let sea = Array(pixels[0..<3])
            return (170..<200).reduce(0) { sum, row in
                sum + columns.count { Array(pixels[((row * 300 + $0) * 4)...].prefix(3)) != sea }
            }
        }
        #expect(drawn(bare, 0..<120) > 50 && drawn(bare, 160..<300) == 0 && drawn(credited, 160..<300) > 500)
    }

    @Test func shapesThatAreBrokenAreLeftOut() throws {
        var map = SmallMap()
        let far = MercatorPoint(x: .max, y: .max)
        let low = MercatorPoint(x: .min, y: .min)
        map.shapes = []
        map.add(.street, .line([]), name: "None")
        map.add(.street, .line([far]), name: "One")
        map.add(.street, .line([low, far]), name: "Across everything")
        map.add(.building, .area([]), name: "None")
        map.add(.building, .area([[], [low], [low, far]]), name: "Few")
        map.add(
            .park, .area([[low, MercatorPoint(x: .max, y: .min), far, MercatorPoint(x: .min, y: .max)]]), name: "All")
        map.add(.city, .point(SmallMap.point(0, 0)), name: String(repeating: "Name ", count: 2000), rank: .nan)
        map.add(.pointOfInterest, .point(SmallMap.point(0, 0)), category: "\u{0}", rank: .infinity)
        map.add(.motorway, .line([SmallMap.point(0, -1), SmallMap.point(0, 1)]), ref: ";;\n;")
        let painter = try MapPainter(source: map)
        for zoom in [0, 8, 19] {
            let middle = zoom == 0 ? 0 : 1 << (zoom - 1)
            #expect(try painter.tilePixels(zoom: zoom, x: middle, y: middle).count == 256 * 256 * 4)
        }
    }

    @Test func aFrameOfOnePointIsDrawn() throws {
        let frame = try MapFrame(center: center, zoom: 10, width: 1, height: 1)
        #expect(try MapPainter(source: SmallMap.town(zoom: 10)).pixels(frame, marks: everyMark()).count == 4)
    }

    @Test func aRouteTintsItsWay() throws {
        var marks = MapMarks()
        marks.routes = [
            MapMarks.Route(
                [Coordinate(latitude: 0, longitude: -1), Coordinate(latitude: 0, longitude: 1)], colour: .pinRed)
        ]
        let frame = try MapFrame(center: center, zoom: 8, width: 100, height: 100)
        let pixels = try MapPainter(source: SmallMap(attributions: [])).pixels(frame, marks: marks)
        let at = (50 * 100 + 50) * 4
        #expect(pixels[at] > 200 && pixels[at + 2] < 80)
    }

    @Test func theBoxOfMarksGoesTheShortWayOverTheDateLine() throws {
        var marks = MapMarks()
        marks.pins = [178.0, -179].map { MapMarks.Pin(at: Coordinate(latitude: -17, longitude: $0)) }
        let box = try #require(marks.box)
        #expect(box.west == 178 && box.east == -179)
        #expect(MapMarks().box == nil)
    }
}

struct TitleTests {
    @Test func titlesOfAThousandPinsInOnePlaceStandBesideEachOther() throws {
        var marks = MapMarks()
        let place = Coordinate(latitude: 0, longitude: 0)
        marks.pins = (0..<1000).map { MapMarks.Pin(at: place, title: "Pin \($0)") }
        let frame = try MapFrame(center: place, zoom: 12, width: 200, height: 200)
        let painter = try MapPainter(source: SmallMap(attributions: []))
        let window = Window(zoom: 12, x: frame.origin.x, y: frame.origin.y, width: 200, height: 200)
        let canvas = try Canvas(width: 200, height: 200, scale: 1)
        try painter.shapers.withShaper { shaper in
            let drawing = MarkDrawing(
                canvas: canvas, frame: frame, window: window, style: painter.style, look: .light, shaper: shaper)
            // Below, to the right and to the left.
            let titles = drawing.obstacles(marks).dropFirst(1000)
            #expect(titles.count == 3)
            for title in titles { #expect(titles.count { $0.intersects(title) } == 1) }
            marks.pins = [marks.pins[0]]
            #expect(drawing.obstacles(marks).count == 2)
        }
    }
}

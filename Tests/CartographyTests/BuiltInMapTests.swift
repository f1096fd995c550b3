import CPango
import Foundation
import Gazetteer
import GazetteerData
import Geometry
import Importing
import Sextant
import Testing

@testable import Cartography

/// Maps of the built-in Helsinki and Monaco.
struct BuiltInMapTests {
    private static let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "maps-\(UUID().uuidString)")

    /// The atlas of both, made once for all tests of this file; its folder goes with the process.
    private static let atlas = Result<Atlas, any Error> {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: BuiltInMapTests.folder) }
        let path = folder.appendingPathComponent("Towns.atlas").path
        let files = try ["helsinki", "monaco"].map { try GazetteerData.url("towns/\($0).osm.pbf").path }
        _ = try AtlasImporter().run(files: files, to: path)
        return try Atlas.open([path])
    }

    private static let monaco = Coordinate(latitude: 43.7365, longitude: 7.4235)
    private static let helsinki = Coordinate(latitude: 60.1695, longitude: 24.9420)

    private func painter(_ look: MapLook = .light) throws -> MapPainter {
        try MapPainter(source: Self.atlas.get().mapSource, look: look)
    }

    @Test(arguments: [4, 9, 12, 14, 15, 16, 17, 18])
    func tilesOfTownsJoinWithoutSeams(zoom: Int) throws {
        for place in [Self.monaco, Self.helsinki] {
            let point = Mercator.project(place)
            let (x, y) = (Int(point.x * exp2(Double(zoom))), Int(point.y * exp2(Double(zoom))))
            let whole = try painter().tilePixels(zoom: zoom, x: x, y: y, size: 512)
            for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let part = try painter().tilePixels(zoom: zoom + 1, x: 2 * x + column, y: 2 * y + row)
                let isEqual = (0..<256).allSatisfy { line in
                    let start = ((row * 256 + line) * 512 + column * 256) * 4
                    return whole[start..<start + 1024] == part[line * 1024..<(line + 1) * 1024]
                }
                #expect(isEqual, "\(place) \(zoom + 1) \(column) \(row)")
            }
        }
    }

    @Test func labelsOfTownsNeverOverlap() throws {
        let painter = try painter()
        for place in [Self.monaco, Self.helsinki] {
            for zoom in [14.0, 15.5, 16, 17.5, 18, 19] {
                let frame = try MapFrame(center: place, zoom: zoom, width: 700, height: 500)
                let window = Window(zoom: zoom, x: frame.origin.x, y: frame.origin.y, width: 700, height: 500)
                let scene = try Scene(
                    painter.source, box: window.box(margin: 48), zoom: MapPainter.dataZoom(zoom), languages: [])
                let labels = try painter.shapers.withShaper {
                    LabelPlacement(window: window, style: painter.style, zoom: zoom, shaper: $0).place(scene)
                }
                #expect(!labels.isEmpty)
                for (index, label) in labels.enumerated() {
                    #expect(label.glyphs.allSatisfy { $0.cosine > -0.05 })
                    for other in labels[(index + 1)...] where other.bounds.intersects(label.bounds) {
                        #expect(
                            !label.boxes.contains { box in other.boxes.contains { $0.intersects(box) } },
                            "\(label.text) and \(other.text)")
                    }
                }
            }
        }
    }

    /// A picture, and how it must look: kept in the folder `Golden` of these tests.
    struct Golden: CustomTestStringConvertible, Sendable {
        var name: String
        var center: Coordinate
        var zoom: Double
        var look = MapLook.light
        var isMarked = false
        var testDescription: String { name }
    }

    static let goldens = [
        Golden(name: "monaco-14", center: monaco, zoom: 14),
        Golden(name: "monaco-16-muted", center: monaco, zoom: 16, look: .muted),
        Golden(name: "helsinki-15-dark", center: helsinki, zoom: 15, look: .dark),
        Golden(name: "helsinki-16-marks", center: helsinki, zoom: 16, isMarked: true),
        Golden(name: "helsinki-18", center: helsinki, zoom: 18),
        Golden(name: "monaco-12", center: monaco, zoom: 12),
        Golden(name: "helsinki-17-dark", center: helsinki, zoom: 17, look: .dark),
        Golden(name: "monaco-17", center: monaco, zoom: 17),
        Golden(name: "helsinki-13-muted", center: helsinki, zoom: 13, look: .muted),
        Golden(name: "helsinki-16-marks-dark", center: helsinki, zoom: 16, look: .dark, isMarked: true),
    ]

    private func marks() -> MapMarks {
        func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
            Coordinate(latitude: latitude, longitude: longitude)
        }
        var marks = MapMarks()
        marks.routes = [
            MapMarks.Route([
                at(60.1702, 24.9403), at(60.1700, 24.9432), at(60.1691, 24.9428), at(60.1689, 24.9410),
            ])
        ]
        marks.pins = [
            MapMarks.Pin(at: at(60.1692, 24.9420), title: "Site", subtitle: "Kaivokatu 1", showsCallout: true),
            MapMarks.Pin(at: at(60.1697, 24.9437), colour: .pinGreen, glyph: "2"),
        ]
        marks.overlays = [
            MapMarks.Overlay(
                .circle(center: at(60.1690, 24.9438), radius: 50), stroke: .pinPurple,
                fill: MapColour.pinPurple.faded(to: 0.2))
        ]
        marks.user = MapMarks.User(at: at(60.1697, 24.9398), accuracy: 40)
        return marks
    }

    /// Set this variable to write the pictures anew: then look at each of them.
    private static let isRecording = ProcessInfo.processInfo.environment["SEXTANT_RECORD_GOLDEN"] != nil

    @Test(arguments: goldens)
    func picturesLookAsTheyDid(golden: Golden) throws {
        let frame = try MapFrame(center: golden.center, zoom: golden.zoom, width: 240, height: 180)
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Golden/\(golden.name).png")
        let painter = try painter(golden.look)
        let marks = golden.isMarked ? marks() : MapMarks()
        if Self.isRecording { try Data(painter.png(frame, marks: marks)).write(to: url) }
        let wanted = try Picture(url)
        let drawn = try painter.pixels(frame, marks: marks)
        #expect(wanted.width == 240 && wanted.height == 180)
        // Blurred a little: other versions of fonts and of Cairo smooth edges otherwise, and may move a letter by a pixel.
        let difference = Picture(width: 240, height: 180, pixels: drawn).difference(from: wanted)
        #expect(difference < 2.5)
    }
}

/// A picture read from a PNG file.
private struct Picture {
    var width: Int
    var height: Int
    /// Red, green, blue and one more byte a pixel.
    var pixels: [UInt8]

    init(width: Int, height: Int, pixels: [UInt8]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    init(_ url: URL) throws {
        let surface = try #require(cairo_image_surface_create_from_png(url.path))
        defer { cairo_surface_destroy(surface) }
        try #require(cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, "\(url.path) cannot be read")
        width = Int(cairo_image_surface_get_width(surface))
        height = Int(cairo_image_surface_get_height(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        let data = try #require(cairo_image_surface_get_data(surface))
        pixels = []
        for y in 0..<height {
            for x in 0..<width {
                let at = data + y * stride + x * 4
                pixels += [at[2], at[1], at[0], 255]
            }
        }
    }

    /// The mean difference of squares of 4 by 4 pixels, of 255.
    func difference(from other: Picture) -> Double {
        guard width == other.width, height == other.height else { return 255 }
        var sum = 0.0
        var count = 0
        for y in stride(from: 0, to: height - 3, by: 4) {
            for x in stride(from: 0, to: width - 3, by: 4) {
                for channel in 0..<3 {
                    var (own, its) = (0, 0)
                    for dy in 0..<4 {
                        for dx in 0..<4 {
                            let at = ((y + dy) * width + x + dx) * 4 + channel
                            own += Int(pixels[at])
                            its += Int(other.pixels[at])
                        }
                    }
                    sum += Double(abs(own - its)) / 16
                    count += 1
                }
            }
        }
        return sum / Double(max(count, 1))
    }
}

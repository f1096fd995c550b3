import Foundation
import Gazetteer
import Geometry

/// Draws maps of an atlas: pictures with marks, and tiles.
///
///     let painter = try MapPainter(source: atlas.mapSource)
///     let frame = try MapFrame(center: casino, zoom: 16, width: 640, height: 480, scale: 2)
///     let png = try painter.png(frame, marks: marks)
///
/// May be used from several tasks at once.
public struct MapPainter: Sendable {
    public let source: any MapSource
    public let style: MapStyle
    public let look: MapLook
    /// Languages of names, best first; names as they stand on the spot where it is empty.
    public let languages: [String]
    let shapers: TextShapers
    let cells: CellCache

    /// - Parameter style: the product's own style where it is left out.
    /// - Throws: `CartographyError.badStyle`, `GazetteerDataError`
    public init(
        source: any MapSource, style: MapStyle? = nil, look: MapLook = .light, languages: [String] = []
    ) throws {
        self.source = source
        self.style = try style ?? .standard()
        self.look = look
        self.languages = languages
        shapers = TextShapers(families: self.style.fonts)
        cells = CellCache()
    }

    /// What must stand beside every tile; pictures carry it already.
    public var attributions: [String] { source.attributions }

    /// The colours that drawing asks for by name.
    static let ownColours = [
        "sea", "land", "bridge", "halo", "furniture", "furnitureHalo", "callout", "calloutText", "calloutSubtitle",
        "pinRim",
        "userDot", "routeCasing",
    ]

    /// Forgets what is kept from the tiles drawn last: the shapes and names around them, which their neighbours share.
    public func forgetTiles() { cells.removeAll() }

    // MARK: - Pictures

    /// A picture as PNG, `frame.scale` pixels a point.
    public func png(_ frame: MapFrame, marks: MapMarks = MapMarks()) throws -> [UInt8] {
        try canvas(frame, marks).png()
    }

    /// The picture's pixels row by row, four bytes each: red, green, blue, 255.
    public func pixels(_ frame: MapFrame, marks: MapMarks = MapMarks()) throws -> [UInt8] {
        try canvas(frame, marks).pixels()
    }

    private func canvas(_ frame: MapFrame, _ marks: MapMarks) throws -> Canvas {
        let size = frame.pixelSize
        let canvas = try Canvas(width: size.width, height: size.height, scale: frame.scale)
        try draw(frame, marks, on: canvas)
        return canvas
    }

    /// The picture as an SVG document, its size in points; letters are outlines, so that it needs no fonts.
    public func svg(_ frame: MapFrame, marks: MapMarks = MapMarks()) throws -> [UInt8] {
        let canvas = try Canvas(.svg, width: frame.width, height: frame.height)
        try draw(frame, marks, on: canvas)
        return try canvas.document()
    }

    /// The picture as a PDF of one page, a point of the picture being one of the page.
    public func pdf(_ frame: MapFrame, marks: MapMarks = MapMarks()) throws -> [UInt8] {
        let canvas = try Canvas(.pdf, width: frame.width, height: frame.height)
        try draw(frame, marks, on: canvas)
        return try canvas.document()
    }

    // MARK: - Tiles

    /// A tile of the usual numbering, as PNG.
    ///
    /// Tiles of 256 points at a zoom z join without seams, names over their edges included. A tile of 512 points shows the
    /// same area in the scale of zoom z + 1: the four tiles of 256 points there, pixel by pixel. Tiles carry no attribution:
    /// `attributions` must be shown beside them.
    ///
    /// - Parameters:
    ///   - zoom: 0...22.
    ///   - size: 256 or 512 points.
    ///   - scale: pixels a point, 1, 2 or 4.
    public func tile(zoom: Int, x: Int, y: Int, size: Int = 256, scale: Int = 1) throws -> [UInt8] {
        try tileCanvas(zoom: zoom, x: x, y: y, size: size, scale: scale).png()
    }

    /// The tile's pixels row by row, four bytes each: red, green, blue, 255.
    public func tilePixels(zoom: Int, x: Int, y: Int, size: Int = 256, scale: Int = 1) throws -> [UInt8] {
        try tileCanvas(zoom: zoom, x: x, y: y, size: size, scale: scale).pixels()
    }
}

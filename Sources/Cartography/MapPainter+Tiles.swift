import Foundation
import Gazetteer
import Geometry
import Locking

/// A square of the world at a whole zoom whose names are placed together, none across its edge. A tile lies in one
/// cell wholly, so that all tiles which show a name agree about it.
struct Cell: Sendable, Hashable {
    /// Of tiles with 256 points.
    var zoom: Int
    var column: Int
    var row: Int

    /// Points a side. Names are larger, and shapes fewer, on maps of whole countries.
    static func side(zoom: Int) -> Int {
        let world = zoom < 4 ? 256 << zoom : 4096
        return min(zoom <= 9 ? 1024 : 512, world)
    }
}

/// The cells last drawn: their shapes and the names placed in them. Shared by copies of a painter.
final class CellCache: Sendable {
    struct Contents: Sendable {
        var scene: Scene
        var labels: [PlacedLabel]
    }

    private static let capacity = 12
    private let cells = Mutex<[(cell: Cell, contents: Contents)]>([])

    func removeAll() { cells.withLock { $0.removeAll() } }

    func contents(_ cell: Cell, _ make: () throws -> Contents) rethrows -> Contents {
        let known = cells.withLock { cells in
            guard let index = cells.firstIndex(where: { $0.cell == cell }) else { return Contents?.none }
            let entry = cells.remove(at: index)
            cells.append(entry)
            return entry.contents
        }
        if let known { return known }
        let made = try make()
        cells.withLock { cells in
            guard !cells.contains(where: { $0.cell == cell }) else { return }
            if cells.count >= Self.capacity { cells.removeFirst() }
            cells.append((cell, made))
        }
        return made
    }
}

extension MapPainter {
    /// Spare pixels around a tile, cut off at the end.
    private static let frame = 4

    func tileCanvas(zoom: Int, x: Int, y: Int, size: Int, scale: Int) throws -> Canvas {
        let count = (0...22).contains(zoom) ? 1 << zoom : 0
        guard (0..<count).contains(x), (0..<count).contains(y) else {
            throw CartographyError.noSuchTile(zoom: zoom, x: x, y: y)
        }
        guard size == 256 || size == 512, [1, 2, 4].contains(scale) else {
            throw CartographyError.badFrame("tiles have 256 or 512 points, and 1, 2 or 4 pixels a point")
        }
        if size == 256 { return try square(zoom: zoom, left: x * 256, top: y * 256, size: 256, scale: scale) }
        // Cairo's smoothing of an edge depends a little on what else is on its line of pixels: so that large tiles are the
        // small ones to the last bit, they are drawn in the same squares.
        let canvas = try Canvas(width: 512 * scale, height: 512 * scale, scale: scale)
        for (column, row) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let part = try square(
                zoom: zoom + 1, left: x * 512 + column * 256, top: y * 512 + row * 256, size: 256, scale: scale)
            try canvas.paste(part, x: column * 256 * scale, y: row * 256 * scale)
        }
        return canvas
    }

    /// A square of the world at a zoom, its corner and side in points; it lies within one cell.
    func square(zoom: Int, left: Int, top: Int, size: Int, scale: Int) throws -> Canvas {
        let canvas = try Canvas(width: size * scale, height: size * scale, scale: scale, frame: Self.frame * scale)
        let window = Window(
            zoom: Double(zoom), x: Double(left), y: Double(top), width: Double(size), height: Double(size))
        canvas.paint(style.colour("sea", look) ?? MapColour(red: 1, green: 1, blue: 1))
        let side = Cell.side(zoom: zoom)
        let cell = Cell(zoom: zoom, column: left / side, row: top / side)
        let contents = try cells.contents(cell) { try self.contents(cell) }
        GroundDrawing(canvas: canvas, window: window, style: style, look: look, zoom: Double(zoom)).draw(contents.scene)
        LabelDrawing(canvas: canvas, style: style, look: look).draw(
            contents.labels, dx: Double(cell.column * side - left), dy: Double(cell.row * side - top),
            width: window.width, height: window.height)
        return canvas
    }

    func contents(_ cell: Cell) throws -> CellCache.Contents {
        let side = Double(Cell.side(zoom: cell.zoom))
        let window = Window(
            zoom: Double(cell.zoom), x: Double(cell.column) * side, y: Double(cell.row) * side, width: side,
            height: side)
        let scene = try Scene(
            source, box: window.box(margin: GroundDrawing.margin), zoom: Self.dataZoom(Double(cell.zoom)),
            languages: languages)
        let labels = try shapers.withShaper { shaper in
            LabelPlacement(window: window, style: style, zoom: Double(cell.zoom), shaper: shaper).place(scene)
        }
        return CellCache.Contents(scene: scene, labels: labels)
    }

    static func dataZoom(_ zoom: Double) -> Int { min(max(Int(zoom.rounded()), 0), 19) }
}

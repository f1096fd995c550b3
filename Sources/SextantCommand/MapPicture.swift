import Cartography
import Foundation
import Geometry
import Sextant

/// A picture that the arguments ask for: where it goes, how large it is and how it looks.
struct MapPicture {
    enum Form: String { case png, svg, pdf }

    var path: String
    var form: Form
    var width: Double
    var height: Double
    var scale: Int
    var look: MapLook
    var languages: [String]

    /// The picture of `option`, `--map` or `--output`; nil where it is not given.
    init?(_ option: String, _ arguments: Arguments) throws {
        guard let path = arguments[option] else { return nil }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        guard path.contains("."), let form = Form(rawValue: ending) else {
            throw UsageError("a map is a .png, .svg or .pdf file, not \"\(path)\"")
        }
        self.path = path
        self.form = form
        (width, height) = try Self.size(arguments["--size"] ?? "1024x768")
        scale = try arguments.whole("--scale", in: 1...4) ?? 1
        let name = arguments["--style"] ?? "light"
        guard let look = MapLook(rawValue: name) else {
            throw UsageError("--style is \(MapLook.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(name)\"")
        }
        self.look = look
        languages = arguments.languages
    }

    /// `800x600`, in points.
    private static func size(_ text: String) throws -> (Double, Double) {
        let parts = text.lowercased().split(whereSeparator: { $0 == "x" || $0 == "×" }).map { Int($0) }
        guard parts.count == 2, let width = parts[0], let height = parts[1], (16...16384).contains(width),
            (16...16384).contains(height)
        else { throw UsageError("--size wants a width and a height from 16 to 16384, like 1024x768, not \"\(text)\"") }
        return (Double(width), Double(height))
    }

    func frame(center: Coordinate, zoom: Double) throws -> MapFrame {
        try reported { try MapFrame(center: center, zoom: zoom, width: width, height: height, scale: scale) }
    }

    func frame(fitting box: BoundingBox, padding: Double = 24, maximumZoom: Double = 17) throws -> MapFrame {
        try reported {
            try MapFrame(
                fitting: box, width: width, height: height, scale: scale, padding: padding, maximumZoom: maximumZoom)
        }
    }

    private func reported(_ body: () throws -> MapFrame) throws -> MapFrame {
        do {
            return try body()
        } catch CartographyError.badFrame(let reason) {
            throw UsageError(reason)
        }
    }

    /// Draws the map and puts the file there whole, in the place of one of the same name.
    func write(_ atlas: Atlas, _ frame: MapFrame, _ marks: MapMarks, _ console: Console) throws {
        let painter = try MapPainter(source: atlas.mapSource, look: look, languages: languages)
        let bytes =
            switch form {
            case .png: try painter.png(frame, marks: marks)
            case .svg: try painter.svg(frame, marks: marks)
            case .pdf: try painter.pdf(frame, marks: marks)
            }
        try Self.replace(path, with: bytes)
        console.say("Map: \(path)")
    }

    /// Draws marks with room around them.
    func write(_ atlas: Atlas, around marks: MapMarks, _ console: Console) throws {
        guard let box = marks.box else { return }
        // Pins and their titles stand out from their places.
        let padding = min(width, height) * 0.14
        try write(atlas, frame(fitting: box, padding: padding, maximumZoom: 17), marks, console)
    }

    /// Writes a sibling and renames it, so that nobody sees half a file.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        func failure(_ operation: String) -> PictureError {
            PictureError(path: path, operation: operation, reason: String(cString: strerror(errno)))
        }
        let target = URL(fileURLWithPath: path)
        let temporary = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(getpid()).new").path
        let file = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw failure("write") }
        var isDone = false
        defer { if !isDone { unlink(temporary) } }
        do {
            defer { close(file) }
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(file, $0.baseAddress?.advanced(by: written), $0.count - written)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw failure("write") }
                written += count
            }
        }
        guard rename(temporary, target.path) == 0 else { throw failure("replace") }
        isDone = true
    }
}

/// A picture that cannot be written.
struct PictureError: Error, CustomStringConvertible {
    var path: String
    var operation: String
    var reason: String

    var description: String { "cannot \(operation) \(path): \(reason)" }
}

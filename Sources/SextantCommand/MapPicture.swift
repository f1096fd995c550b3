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

    /// Writes a sibling and renames it, so that nobody sees half a file. A link leads to what is replaced, which keeps its
    /// mode; what is no plain file, such as a pipe, is written to.
    static func replace(_ path: String, with bytes: [UInt8]) throws {
        // Signals that end the program wait until the sibling is gone; a file beyond the limit is an error.
        signal(SIGXFSZ, SIG_IGN)
        var (ending, before) = (sigset_t(), sigset_t())
        sigemptyset(&ending)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&ending, number) }
        pthread_sigmask(SIG_BLOCK, &ending, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        func failure(_ operation: String) -> PictureError {
            PictureError(path: path, operation: operation, reason: String(cString: strerror(errno)))
        }
        var target = path
        var known = stat()
        let exists = stat(path, &known) == 0
        if exists, let resolved = realpath(path, nil) {
            target = String(cString: resolved)
            free(resolved)
        }
        let isPlain = !exists || known.st_mode & S_IFMT == S_IFREG
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
        let temporary = isPlain ? "\(folder).sextant-\(getpid()).new" : target
        let file = open(temporary, (isPlain ? O_CREAT | O_EXCL : 0) | O_WRONLY | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw failure("write") }
        var isDone = !isPlain
        defer { if !isDone { unlink(temporary) } }
        do {
            defer { close(file) }
            if isPlain, exists { fchmod(file, known.st_mode & 0o777) }
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
        guard !isPlain || rename(temporary, target) == 0 else { throw failure("replace") }
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

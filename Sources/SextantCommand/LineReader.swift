import Foundation

/// Reads a file or pipe line by line, however long it is.
///
///     var lines = LineReader(descriptor: 0)
///     while let line = try lines.next() { ... }
struct LineReader {
    /// A line without its end.
    struct Line {
        /// From 1.
        var number: Int
        /// Nil for a line that is longer than `longest`.
        var bytes: [UInt8]?
    }

    /// Lines longer than this are no lines; they are passed over.
    static let longest = 1 << 20

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var number = 0

    /// Reads from an open file; whoever opened it closes it.
    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line; nil at the end. Throws `POSIXError` where the file cannot be read on.
    mutating func next() throws -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            if position == buffer.count {
                guard try fill() else {
                    guard !line.isEmpty || isTooLong else { return nil }
                    break
                }
            }
            let rest = buffer[position...]
            let end = rest.firstIndex(of: 0x0a)
            if line.count + (end ?? buffer.count) - position > Self.longest {
                isTooLong = true
                line = []
            }
            if !isTooLong { line += rest[..<(end ?? buffer.count)] }
            position = end.map { $0 + 1 } ?? buffer.count
            if end != nil { break }
        }
        if line.last == 0x0d { line.removeLast() }
        number += 1
        return Line(number: number, bytes: isTooLong ? nil : line)
    }

    /// Reads the next piece; false at the end.
    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            isAtEnd = count == 0
            piece.removeLast(piece.count - count)
            buffer = piece
            position = 0
            return count > 0
        }
    }
}

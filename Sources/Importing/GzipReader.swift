import CZlib
import Foundation

/// A file that cannot be read as what it should be.
public struct TableError: Error, CustomStringConvertible {
    public var file: String
    public var reason: String

    public init(file: String, reason: String) {
        self.file = file
        self.reason = reason
    }

    public var description: String { "cannot read \(file): \(reason)" }
}

/// The bytes of a plain or gzip-compressed file, unpacked as they are read. Used by one thread.
final class GzipFile {
    let path: String
    /// Bytes of the file itself; 0 where that is not known.
    let size: Int
    private var file: gzFile?

    /// Throws `TableError` for a file that cannot be opened.
    init(path: String) throws {
        self.path = path
        guard let file = gzopen(path, "rb") else {
            throw TableError(file: path, reason: String(cString: strerror(errno)))
        }
        gzbuffer(file, 1 << 18)
        self.file = file
        size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    deinit { if let file { gzclose_r(file) } }

    /// How much of the file has been read, 0 to 1.
    var share: Double {
        guard let file else { return 1 }
        return size > 0 ? min(max(Double(gzoffset(file)) / Double(size), 0), 1) : 0
    }

    /// Writes some of the unpacked bytes and says how many; 0 at the end.
    ///
    /// - Throws: `TableError` for broken data, and at its end for data that is cut short.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let file else { return 0 }
        let count = gzread(file, buffer.baseAddress, UInt32(clamping: buffer.count))
        guard count >= 0 else {
            var code: Int32 = 0
            let message = gzerror(file, &code).map { String(cString: $0) } ?? "broken"
            throw TableError(file: path, reason: code == Z_ERRNO ? String(cString: strerror(errno)) : message)
        }
        if count == 0 {
            self.file = nil
            // A stream that ends too early is told only here.
            if gzclose_r(file) != Z_OK { throw TableError(file: path, reason: "the compressed data ends too early") }
        }
        return Int(count)
    }
}

/// Reads the lines of a plain or gzip-compressed file one after another, in bounded memory.
enum GzipReader {
    /// Longer lines are refused: no table that the product reads has them, and a hostile file could fill the memory.
    static let longestLine = 64 << 20

    /// Calls `body` with each line, without its line feed. The bytes are valid only inside the call.
    ///
    /// - Throws: `TableError` for a missing, broken or truncated file, and whatever `body` throws.
    static func forEachLine(of path: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try forEachLine(of: GzipFile(path: path), body)
    }

    /// The same for a file that is open.
    static func forEachLine(of file: GzipFile, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        var carried: [UInt8] = []
        while true {
            let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
            if count == 0 { break }
            try chunk.withUnsafeBufferPointer { bytes in
                var start = 0
                for index in 0..<count where bytes[index] == 0x0A {
                    if carried.isEmpty {
                        try body(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                    } else {
                        carried.append(contentsOf: bytes[start..<index])
                        try carried.withUnsafeBufferPointer(body)
                        carried.removeAll(keepingCapacity: true)
                    }
                    start = index + 1
                }
                carried.append(contentsOf: bytes[start..<count])
                if carried.count > longestLine {
                    throw TableError(file: file.path, reason: "a line of more than \(longestLine >> 20) MB")
                }
            }
        }
        if !carried.isEmpty { try carried.withUnsafeBufferPointer(body) }
    }
}

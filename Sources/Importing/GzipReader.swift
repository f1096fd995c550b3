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

/// Reads the lines of a plain or gzip-compressed file one after another, in bounded memory.
enum GzipReader {
    /// Longer lines are refused: no table that the product reads has them, and a hostile file could fill the memory.
    static let longestLine = 64 << 20

    /// Calls `body` with each line, without its line feed. The bytes are valid only inside the call.
    ///
    /// - Throws: `TableError` for a missing, broken or truncated file, and whatever `body` throws.
    static func forEachLine(of path: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        guard let file = gzopen(path, "rb") else {
            throw TableError(file: path, reason: String(cString: strerror(errno)))
        }
        var isOpen = true
        defer { if isOpen { gzclose_r(file) } }
        gzbuffer(file, 1 << 18)
        let chunkSize = 1 << 18
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        var carried: [UInt8] = []
        while true {
            let count = chunk.withUnsafeMutableBytes { gzread(file, $0.baseAddress, UInt32(chunkSize)) }
            guard count >= 0 else {
                var code: Int32 = 0
                let message = gzerror(file, &code).map { String(cString: $0) } ?? "broken"
                throw TableError(file: path, reason: code == Z_ERRNO ? String(cString: strerror(errno)) : message)
            }
            if count == 0 { break }
            try chunk.withUnsafeBufferPointer { bytes in
                var start = 0
                for index in 0..<Int(count) where bytes[index] == 0x0A {
                    if carried.isEmpty {
                        try body(UnsafeBufferPointer(rebasing: bytes[start..<index]))
                    } else {
                        carried.append(contentsOf: bytes[start..<index])
                        try carried.withUnsafeBufferPointer(body)
                        carried.removeAll(keepingCapacity: true)
                    }
                    start = index + 1
                }
                carried.append(contentsOf: bytes[start..<Int(count)])
                if carried.count > longestLine {
                    throw TableError(file: path, reason: "a line of more than \(longestLine >> 20) MB")
                }
            }
        }
        if !carried.isEmpty { try carried.withUnsafeBufferPointer(body) }
        isOpen = false
        // A stream that ends too early is told only here.
        if gzclose_r(file) != Z_OK { throw TableError(file: path, reason: "the compressed data ends too early") }
    }
}

import CSQLite
import Glibc

/// A file without a name that is written from front to end and then read anywhere; it is gone when nobody holds it.
final class ScratchFile {
    private let descriptor: Int32
    private let path: String
    private var buffer: [UInt8] = []
    private var flushed = 0

    /// Makes the file under `path` and takes the name away again.
    init(path: String) throws {
        self.path = path
        unlink(path)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path) }
        unlink(path)
        buffer.reserveCapacity(1 << 20)
    }

    /// A stretch of the file that was read before.
    private var window: [UInt8] = []
    private var windowStart = 0
    private static let windowSize = 8_192

    deinit { close(descriptor) }

    /// Runs `body` with some of the bytes that were appended. Cheap for ranges near the one before; holds no more of the
    /// file in memory than a few pages.
    func withBytes<R>(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        if range.lowerBound >= flushed {
            let local = range.lowerBound - flushed..<range.upperBound - flushed
            return try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[local])) }
        }
        if range.upperBound > flushed { try flush() }
        if range.lowerBound < windowStart || range.upperBound > windowStart + window.count {
            let size = min(max(range.count, Self.windowSize), flushed - range.lowerBound)
            window = try [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
                while count < size {
                    let got = pread(
                        descriptor, bytes.baseAddress?.advanced(by: count), size - count,
                        off_t(range.lowerBound + count))
                    if got < 0, errno == EINTR { continue }
                    guard got > 0 else { throw Self.failure(path) }
                    count += got
                }
            }
            windowStart = range.lowerBound
        }
        let local = range.lowerBound - windowStart..<range.upperBound - windowStart
        return try window.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[local])) }
    }

    /// Where the next byte goes.
    var end: Int { flushed + buffer.count }

    func append(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 20 { try flush() }
    }

    /// Runs `body` with everything that was appended.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try flush()
        guard flushed > 0 else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        guard let start = mmap(nil, flushed, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
            throw Self.failure(path)
        }
        defer { munmap(start, flushed) }
        return try body(UnsafeRawBufferPointer(start: start, count: flushed))
    }

    private func flush() throws {
        var done = 0
        while done < buffer.count {
            let written = buffer.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw Self.failure(path) }
            done += written
        }
        flushed += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }

    private static func failure(_ path: String) -> DatabaseError {
        let isFull = errno == ENOSPC || errno == EDQUOT
        return DatabaseError(
            code: isFull ? SQLITE_FULL : SQLITE_IOERR, message: String(cString: strerror(errno)), subject: path)
    }
}

import Foundation

/// The bytes of a file, a pipe or whatever else gives bytes, turned to UTF-8 on the way.
struct ByteStream {
    /// Bytes that the file had so far, in its own letters.
    private(set) var count = 0
    private let origin: Origin
    private let name: String
    private var encoding: TableEncoding?
    /// For UTF-16: whether the big end comes first, and bytes that are half of a letter.
    private var isBigEndian = false
    private var rest: [UInt8] = []
    private let check: () throws -> Void
    private static let chunk = 1 << 18

    private enum Origin {
        case file(Int32)
        /// Writes some bytes and says how many; 0 at the end.
        case function((UnsafeMutableRawBufferPointer) throws -> Int)
    }

    /// - Parameters:
    ///   - file: an open file, which the caller closes.
    ///   - name: what errors call it.
    ///   - encoding: nil to find out: UTF-16 by its mark, otherwise UTF-8.
    ///   - check: called before each wait for bytes and several times a second while waiting; may throw to stop.
    init(_ file: Int32, name: String, encoding: TableEncoding?, check: @escaping () throws -> Void) {
        origin = .file(file)
        self.name = name
        self.encoding = encoding
        self.check = check
    }

    /// - Parameter read: writes some bytes and says how many; 0 at the end.
    init(
        name: String, encoding: TableEncoding?, check: @escaping () throws -> Void,
        reading read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        origin = .function(read)
        self.name = name
        self.encoding = encoding
        self.check = check
    }

    /// Appends some bytes; false at the end.
    mutating func read(into buffer: inout [UInt8]) throws -> Bool {
        let isFirst = count == 0
        var raw = try some()
        // Two bytes tell the mark of UTF-16.
        while isFirst, raw.count == 1 {
            let more = try some()
            if more.isEmpty { break }
            raw += more
        }
        if isFirst { try find(raw) }
        switch encoding ?? .utf8 {
        case .utf8:
            buffer += raw
            return !raw.isEmpty
        case .windows1252:
            for byte in raw { Self.append(Self.letter(byte), to: &buffer) }
            return !raw.isEmpty
        case .utf16:
            let isEnd = raw.isEmpty
            if isEnd, rest.isEmpty { return false }
            decode(rest + raw, isEnd: isEnd, into: &buffer)
            return true
        }
    }

    private mutating func some() throws -> [UInt8] {
        let file: Int32
        switch origin {
        case .file(let number): file = number
        case .function(let read):
            try check()
            let bytes = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, size in
                size = try read(UnsafeMutableRawBufferPointer(buffer))
            }
            count += bytes.count
            return bytes
        }
        while true {
            try check()
            var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, 200)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            var got = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, size in
                got = Foundation.read(file, buffer.baseAddress, Self.chunk)
                size = max(got, 0)
            }
            if got < 0, errno == EINTR || errno == EAGAIN { continue }
            guard got >= 0 else { throw TableFault("\(name) cannot be read: \(String(cString: strerror(errno)))") }
            count += got
            return bytes
        }
    }

    /// Finds out the letters from the first bytes.
    private mutating func find(_ head: [UInt8]) throws {
        let isMarked = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        isBigEndian = head.starts(with: [0xFE, 0xFF])
        if isMarked, encoding == nil || encoding == .utf16 {
            encoding = .utf16
            return
        }
        guard encoding == nil else { return }
        // A letter that the chunk cuts is no fault.
        var whole = head[...]
        if let start = head.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) {
            let length = head[start] >= 0xF0 ? 4 : head[start] >= 0xE0 ? 3 : head[start] >= 0xC0 ? 2 : 1
            if start + length > head.count { whole = head[..<start] }
        }
        if String(validating: whole, as: UTF8.self) == nil, String(validating: head, as: UTF8.self) == nil {
            throw TableFault(
                "\(name) is not written in UTF-8: say how it is, as with --encoding windows-1252, or convert it")
        }
        if head.prefix(512).contains(0) {
            throw TableFault(
                "\(name) holds zero bytes: if it is UTF-16, say --encoding utf-16; a workbook has to be saved as CSV first"
            )
        }
        encoding = .utf8
    }

    private mutating func decode(_ bytes: [UInt8], isEnd: Bool, into buffer: inout [UInt8]) {
        func unit(_ index: Int) -> UInt32 {
            let (a, b) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
            return isBigEndian ? a << 8 | b : b << 8 | a
        }
        var index = 0
        while index + 1 < bytes.count {
            var value = unit(index)
            if (0xD800..<0xDC00).contains(value) {
                guard index + 3 < bytes.count else {
                    if !isEnd { break }
                    Self.append(0xFFFD, to: &buffer)
                    index += 2
                    continue
                }
                let low = unit(index + 2)
                if (0xDC00..<0xE000).contains(low) {
                    value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    index += 2
                } else {
                    value = 0xFFFD
                }
            } else if (0xDC00..<0xE000).contains(value) {
                value = 0xFFFD
            }
            Self.append(value, to: &buffer)
            index += 2
        }
        rest = isEnd ? [] : Array(bytes[index...])
        if isEnd, index < bytes.count { Self.append(0xFFFD, to: &buffer) }
    }

    private static func append(_ scalar: UInt32, to buffer: inout [UInt8]) {
        switch scalar {
        case ..<0x80: buffer.append(UInt8(scalar))
        case ..<0x800: buffer += [UInt8(0xC0 | scalar >> 6), UInt8(0x80 | scalar & 63)]
        case ..<0x10000:
            buffer += [UInt8(0xE0 | scalar >> 12), UInt8(0x80 | scalar >> 6 & 63), UInt8(0x80 | scalar & 63)]
        default:
            buffer += [
                UInt8(0xF0 | scalar >> 18), UInt8(0x80 | scalar >> 12 & 63), UInt8(0x80 | scalar >> 6 & 63),
                UInt8(0x80 | scalar & 63),
            ]
        }
    }

    private static func letter(_ byte: UInt8) -> UInt32 {
        (0x80..<0xA0).contains(byte) ? upper[Int(byte) - 0x80] : UInt32(byte)
    }

    /// What Windows has where Latin-1 has control characters.
    private static let upper: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153,
        0x9D,
        0x017E, 0x0178,
    ]
}

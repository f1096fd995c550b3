import Glibc

/// A file of sections behind a table of contents, as `RoadGraph` describes it byte by byte.
enum SectionFile {
    static let headerLength = 64
    static let entryLength = 40

    /// What tells one kind of file from another.
    struct Form: Sendable {
        /// The first 8 bytes.
        let magic: [UInt8]
        let version: UInt32
        /// As messages call one, and several.
        let kind: String
        let kinds: String
    }

    /// Checks the header and the table of contents, and returns the table.
    static func table(of storage: GraphStorage, form: Form, name: String) throws(RoutingError) -> [TableEntry] {
        let bytes = storage.bytes
        func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: name, reason: reason) }
        guard bytes.count >= headerLength else { throw damaged("shorter than its header") }
        guard bytes[0..<8].elementsEqual(form.magic) else {
            throw damaged("it does not begin as \(form.kind) does")
        }
        let version = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        guard UInt32(littleEndian: 1) == 1 else {
            throw damaged("\(form.kinds) are read on little-endian machines only")
        }
        let headerSum = bytes.loadUnaligned(fromByteOffset: 48, as: UInt64.self)
        guard Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[0..<48])) == headerSum else {
            throw damaged("its header is not what was written")
        }
        guard bytes[56..<64].allSatisfy({ $0 == 0 }) else { throw damaged("its header is not what was written") }
        guard version == form.version else { throw .unsupportedVersion(file: name, version: Int(version)) }
        let length = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
        guard UInt64(bytes.count) == length else { throw damaged("it has \(bytes.count) bytes instead of \(length)") }
        let sectionCount = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        let tableEnd = headerLength + sectionCount * entryLength
        guard sectionCount <= 1000, tableEnd <= bytes.count else { throw damaged("its table of contents is cut off") }
        let tableSum = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        guard Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[headerLength..<tableEnd])) == tableSum else {
            throw damaged("its table of contents is not what was written")
        }
        var table: [TableEntry] = []
        for index in 0..<sectionCount {
            let at = headerLength + index * entryLength
            let elementLength = Int(bytes.loadUnaligned(fromByteOffset: at + 4, as: UInt32.self))
            let offset = bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)
            let count = bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self)
            guard elementLength > 0, elementLength <= 4096, offset <= length, offset % 64 == 0,
                count <= (length - offset) / UInt64(elementLength)
            else { throw damaged("a section reaches beyond the file") }
            table.append(
                TableEntry(
                    id: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self), elementLength: elementLength,
                    offset: Int(offset), count: Int(count),
                    checksum: bytes.loadUnaligned(fromByteOffset: at + 24, as: UInt64.self)))
        }
        return table
    }
}

extension GraphStorage {
    /// Writes the bytes to a new file and waits until they are on the disk; an unfinished file is removed.
    func write(to path: String) throws(RoutingError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .fileError(file: path, reason: String(cString: strerror(errno))) }
        var offset = 0
        var failure: Int32 = 0
        while offset < bytes.count {
            guard let base = bytes.baseAddress else { break }
            let written = Glibc.write(descriptor, base + offset, min(bytes.count - offset, 1 << 24))
            if written > 0 {
                offset += written
                forget(below: offset)
            } else if written < 0 && errno == EINTR {
                continue
            } else {
                failure = written < 0 ? errno : ENOSPC
                break
            }
        }
        if failure == 0, fsync(descriptor) != 0 { failure = errno }
        if close(descriptor) != 0 && failure == 0 { failure = errno }
        if failure != 0 {
            unlink(path)
            if failure == ENOSPC || failure == EDQUOT { throw .diskFull(file: path) }
            throw .fileError(file: path, reason: String(cString: strerror(failure)))
        }
    }

    /// Compares every section with its checksum, and what lies between them with zeros.
    func verify(_ table: [TableEntry], name: String) throws(RoutingError) {
        var end = SectionFile.headerLength + table.count * SectionFile.entryLength
        for entry in table.sorted(by: { $0.offset < $1.offset }) {
            let own = UnsafeRawBufferPointer(rebasing: bytes[entry.offset..<entry.offset + entry.byteCount])
            guard Checksum.of(own) == entry.checksum else {
                throw .damagedAtlas(file: name, reason: "section \(entry.id) is not what was written")
            }
            guard entry.offset >= end, bytes[end..<entry.offset].allSatisfy({ $0 == 0 }) else {
                throw .damagedAtlas(file: name, reason: "the space before section \(entry.id) is not empty")
            }
            end = entry.offset + entry.byteCount
        }
        guard bytes[end...].allSatisfy({ $0 == 0 }) else {
            throw .damagedAtlas(file: name, reason: "there is something behind the last section")
        }
    }
}

/// A line of the table of contents.
struct TableEntry {
    var id: UInt32
    var elementLength: Int
    var offset: Int
    var count: Int
    var checksum: UInt64

    var byteCount: Int { elementLength * count }
}

struct SectionReader {
    let bytes: UnsafeRawBufferPointer
    let table: [TableEntry]
    let name: String

    func section<T: BitwiseCopyable>(_ id: SectionID, count: Int? = nil) throws(RoutingError) -> Section<T> {
        try section(id.rawValue, count: count)
    }

    func section<T: BitwiseCopyable>(_ id: UInt32, count: Int? = nil) throws(RoutingError) -> Section<T> {
        guard let entry = table.first(where: { $0.id == id }) else {
            throw .damagedAtlas(file: name, reason: "section \(id) is missing")
        }
        guard entry.elementLength == MemoryLayout<T>.stride, count == nil || entry.count == count,
            let base = bytes.baseAddress
        else {
            throw .damagedAtlas(file: name, reason: "section \(id) has the wrong size")
        }
        // Offsets are multiples of 64 and mappings begin at pages, so every element is aligned.
        return Section(base: (base + entry.offset).assumingMemoryBound(to: T.self), count: entry.count)
    }
}

/// Collects sections and lays them out as a file.
///
/// Large ones go into a file without a name at once, which is mapped at the end, so that a graph of a country need not be held
/// in memory to be written; small ones, and all where there is no such file, stay in memory.
struct SectionWriter {
    private struct Part {
        var id: UInt32
        var elementLength: Int
        var count: Int
        var checksum: UInt64
        /// Where it stands in the scratch file; else its bytes are here.
        var offset: Int?
        var bytes: [UInt8] = []
        var byteCount: Int { elementLength * count }
    }

    private var parts: [Part] = []
    private var scratch: ScratchSections?
    /// From so many bytes on a section goes into the file.
    private static let large = 1 << 20

    mutating func add<T: BitwiseCopyable>(_ id: SectionID, _ values: [T]) { add(id.rawValue, values) }

    mutating func add<T: BitwiseCopyable>(_ id: UInt32, _ values: [T]) {
        values.withUnsafeBytes { bytes in
            var part = Part(
                id: id, elementLength: MemoryLayout<T>.stride, count: values.count, checksum: Checksum.of(bytes))
            if bytes.count >= Self.large { part.offset = append(bytes) }
            if part.offset == nil { part.bytes = Array(bytes) }
            parts.append(part)
        }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if scratch == nil { scratch = ScratchSections() }
        return scratch?.append(bytes)
    }

    consuming func finish(_ form: SectionFile.Form, atlasID: [UInt8]) -> GraphStorage {
        if let scratch, parts.count <= ScratchSections.mostParts {
            var parts = self.parts
            for index in parts.indices where parts[index].offset == nil {
                parts[index].offset = parts[index].bytes.withUnsafeBytes { scratch.append($0) }
            }
            if parts.allSatisfy({ $0.offset != nil }) {
                let length = scratch.end
                let head = Self.head(parts, offsets: parts.map { $0.offset ?? 0 }, length: length, form, atlasID)
                if let storage = scratch.finish(head: head) { return storage }
            }
        }
        func rounded(_ offset: Int) -> Int { (offset + 63) / 64 * 64 }
        var offset = rounded(SectionFile.headerLength + parts.count * SectionFile.entryLength)
        var offsets: [Int] = []
        for part in parts {
            offsets.append(offset)
            offset = rounded(offset + part.byteCount)
        }
        let head = Self.head(parts, offsets: offsets, length: offset, form, atlasID)
        let (parts, scratch) = (self.parts, self.scratch)
        return GraphStorage.make(count: offset) { memory in
            memory.copyBytes(from: head)
            for (part, offset) in zip(parts, offsets) {
                let room = UnsafeMutableRawBufferPointer(rebasing: memory[offset..<offset + part.byteCount])
                if let own = part.offset { scratch?.read(own, into: room) } else { room.copyBytes(from: part.bytes) }
            }
        }
    }

    /// Header and table of contents.
    private static func head(
        _ parts: [Part], offsets: [Int], length: Int, _ form: SectionFile.Form, _ atlasID: [UInt8]
    ) -> [UInt8] {
        let tableEnd = SectionFile.headerLength + parts.count * SectionFile.entryLength
        var head = [UInt8](repeating: 0, count: tableEnd)
        head.withUnsafeMutableBytes { memory in
            memory.copyBytes(from: form.magic)
            memory.storeBytes(of: form.version, toByteOffset: 8, as: UInt32.self)
            memory.storeBytes(of: UInt32(parts.count), toByteOffset: 12, as: UInt32.self)
            for (index, byte) in atlasID.prefix(16).enumerated() { memory[16 + index] = byte }
            memory.storeBytes(of: UInt64(length), toByteOffset: 32, as: UInt64.self)
            for (index, part) in parts.enumerated() {
                let at = SectionFile.headerLength + index * SectionFile.entryLength
                memory.storeBytes(of: part.id, toByteOffset: at, as: UInt32.self)
                memory.storeBytes(of: UInt32(part.elementLength), toByteOffset: at + 4, as: UInt32.self)
                memory.storeBytes(of: UInt64(offsets[index]), toByteOffset: at + 8, as: UInt64.self)
                memory.storeBytes(of: UInt64(part.count), toByteOffset: at + 16, as: UInt64.self)
                memory.storeBytes(of: part.checksum, toByteOffset: at + 24, as: UInt64.self)
            }
            let table = UnsafeRawBufferPointer(rebasing: memory[SectionFile.headerLength..<tableEnd])
            memory.storeBytes(of: Checksum.of(table), toByteOffset: 40, as: UInt64.self)
            let header = UnsafeRawBufferPointer(rebasing: memory[0..<48])
            memory.storeBytes(of: Checksum.of(header), toByteOffset: 48, as: UInt64.self)
        }
        return head
    }
}

/// A file without a name that large sections wait in.
private final class ScratchSections {
    /// Room for the table of contents, which stands before the sections and is written last.
    static let mostParts = 125
    private let descriptor: Int32
    private(set) var end = (SectionFile.headerLength + mostParts * SectionFile.entryLength + 63) / 64 * 64

    /// Nil where there is no place for one.
    init?() {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array((folder + "/sextant-sections-XXXXXX").utf8CString)
        descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(name)
    }

    deinit { close(descriptor) }

    /// Writes bytes at the next multiple of 64, with zeros behind up to the one after; nil where the disk is full.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let start = end
        var written = 0
        while written < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress?.advanced(by: written), min(bytes.count - written, 1 << 24),
                off_t(start + written))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            written += count
        }
        let next = (start + bytes.count + 63) / 64 * 64
        guard ftruncate(descriptor, off_t(next)) == 0 else { return nil }
        end = next
        return start
    }

    func read(_ offset: Int, into room: UnsafeMutableRawBufferPointer) {
        var got = 0
        while got < room.count {
            let count = pread(descriptor, room.baseAddress?.advanced(by: got), room.count - got, off_t(offset + got))
            if count < 0, errno == EINTR { continue }
            // What is not read does not fit its checksum.
            guard count > 0 else { return }
            got += count
        }
    }

    /// The file with its head, mapped; nil where that does not work.
    func finish(head: [UInt8]) -> GraphStorage? {
        guard pwrite(descriptor, head, head.count, 0) == head.count else { return nil }
        return try? GraphStorage.map(fileDescriptor: descriptor, name: "scratch")
    }
}

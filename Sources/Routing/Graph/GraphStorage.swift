import Glibc

/// The bytes of a graph: a mapped file or memory of our own. Freed with the last reference.
final class GraphStorage: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
    private let release: (UnsafeRawBufferPointer) -> Void
    private let isMapped: Bool

    private init(bytes: UnsafeRawBufferPointer, isMapped: Bool, release: @escaping (UnsafeRawBufferPointer) -> Void) {
        self.bytes = bytes
        self.isMapped = isMapped
        self.release = release
    }

    /// Lets go of the pages of a mapped file below an offset; they come back when they are read.
    func forget(below offset: Int) {
        guard isMapped, let base = bytes.baseAddress else { return }
        madvise(UnsafeMutableRawPointer(mutating: base), offset & ~0xFFFF, MADV_DONTNEED)
    }

    deinit { release(bytes) }

    /// Memory that `fill` writes, beginning with zeros, at a multiple of 64 bytes.
    static func make(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) -> GraphStorage {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 64)
        if let base = memory.baseAddress { memset(base, 0, count) }
        fill(memory)
        return GraphStorage(bytes: UnsafeRawBufferPointer(memory), isMapped: false) { $0.deallocate() }
    }

    static func map(fileDescriptor: Int32, name: String) throws(RoutingError) -> GraphStorage {
        var status = stat()
        guard fstat(fileDescriptor, &status) == 0 else {
            throw .fileError(file: name, reason: String(cString: strerror(errno)))
        }
        let length = Int(status.st_size)
        guard length >= 64 else { throw .damagedAtlas(file: name, reason: "shorter than its header") }
        guard let memory = mmap(nil, length, PROT_READ, MAP_SHARED, fileDescriptor, 0), memory != MAP_FAILED else {
            throw .fileError(file: name, reason: String(cString: strerror(errno)))
        }
        return GraphStorage(bytes: UnsafeRawBufferPointer(start: memory, count: length), isMapped: true) { bytes in
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        }
    }
}

/// A typed view of a section. `base` may be read below `count` only.
struct Section<Element: BitwiseCopyable>: @unchecked Sendable {
    let base: UnsafePointer<Element>
    let count: Int

    /// All elements; they live as long as the storage does.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    /// The element, or nil outside the section.
    @inline(__always)
    subscript(index: Int) -> Element? {
        index >= 0 && index < count ? base[index] : nil
    }

    @inline(__always)
    subscript(index: UInt32) -> Element? {
        Int(index) < count ? base[Int(index)] : nil
    }

    /// The number of the first element that is not below something, `count` where all are, by binary search in a section that
    /// is sorted so.
    @inline(__always)
    func firstIndex(notBelow isBelow: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(base[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first element with a key, in a section that is sorted by it.
    func first(where key: UInt32, _ path: KeyPath<Element, UInt32>) -> Element? {
        let found = self[firstIndex { $0[keyPath: path] < key }]
        return found.flatMap { $0[keyPath: path] == key ? $0 : nil }
    }
}

/// The checksum of tables of contents and sections: FNV-1a over 64-bit words, the rest filled with zeros.
enum Checksum {
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x0000_0100_0000_01B3
            hash ^= hash >> 29
            offset += 8
        }
        var last: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            last |= UInt64(bytes[offset]) << shift
            shift += 8
            offset += 1
        }
        hash = (hash ^ last ^ UInt64(bytes.count)) &* 0x0000_0100_0000_01B3
        return hash ^ hash >> 32
    }
}

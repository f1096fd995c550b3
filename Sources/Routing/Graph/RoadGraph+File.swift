import OpenStreetMap

import Glibc

extension RoadGraph {
    static let magic: [UInt8] = Array("SXROADS\n".utf8)
    static let headerLength = 64
    static let entryLength = 40

    /// Maps a file that `write(to:)` made. Costs next to nothing: pages are read when a route touches them.
    ///
    /// Header and table of contents are checked, the sections' contents where they are used; `verify()` checks all.
    /// - Throws: `fileError`, `damagedAtlas`, `unsupportedVersion`.
    public static func open(path: String) throws(RoutingError) -> RoadGraph {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fileError(file: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        return try open(fileDescriptor: descriptor, name: path)
    }

    /// Maps an open file; the descriptor may be closed afterwards.
    public static func open(fileDescriptor: Int32, name: String = "roads.graph") throws(RoutingError) -> RoadGraph {
        try RoadGraph(storage: GraphStorage.map(fileDescriptor: fileDescriptor, name: name), name: name)
    }

    /// Writes the graph to a new file and waits until it is on the disk.
    /// - Throws: `fileError`; the unfinished file is removed.
    public func write(to path: String) throws(RoutingError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .fileError(file: path, reason: String(cString: strerror(errno))) }
        var offset = 0
        var failure: Int32 = 0
        while offset < storage.bytes.count {
            guard let base = storage.bytes.baseAddress else { break }
            let written = Glibc.write(descriptor, base + offset, min(storage.bytes.count - offset, 1 << 24))
            if written > 0 {
                offset += written
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

    /// Compares every section with its checksum. Reads the whole file.
    /// - Throws: `damagedAtlas` naming the first section that differs.
    public func verify() throws(RoutingError) {
        var end = Self.headerLength + arrays.table.count * Self.entryLength
        for entry in arrays.table.sorted(by: { $0.offset < $1.offset }) {
            let bytes = UnsafeRawBufferPointer(rebasing: storage.bytes[entry.offset..<entry.offset + entry.byteCount])
            guard Checksum.of(bytes) == entry.checksum else {
                throw .damagedAtlas(file: name, reason: "section \(entry.id) is not what was written")
            }
            guard entry.offset >= end, storage.bytes[end..<entry.offset].allSatisfy({ $0 == 0 }) else {
                throw .damagedAtlas(file: name, reason: "the space before section \(entry.id) is not empty")
            }
            end = entry.offset + entry.byteCount
        }
        guard storage.bytes[end...].allSatisfy({ $0 == 0 }) else {
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

/// The sections of a graph as typed views, with sizes that fit together.
///
/// What the sections hold is not checked here: a number read from one must be compared with the size of the section that
/// it points into before it is used.
struct GraphArrays: Sendable {
    let table: [TableEntry]

    let vertices: Section<GraphVertex>
    let vertexFacts: Section<UInt32>
    let vertexNames: Section<VertexName>
    let firstLeaving: Section<UInt32>
    let leaving: Section<UInt32>
    let heads: Section<UInt32>
    let edgeWays: Section<UInt32>
    let firstPoint: Section<UInt32>
    let points: Section<FixedPoint>
    let pointNodes: Section<Int64>
    let bearings: Section<UInt16>
    let arrivals: Section<UInt8>
    let ways: Section<GraphWay>
    let attributes: Section<AttributeRecord>
    let firstStringByte: Section<UInt32>
    let stringBytes: Section<UInt8>
    let treeBoxes: Section<TreeBox>
    let treeItems: Section<TreeItem>
    let firstRule: Section<UInt32>
    let rules: Section<TurnRule>
    let stateEdges: Section<UInt32>
    let conditions: Section<UInt32>
    let topSpeeds: Section<Double>
    let car: ProfileArrays
    let bicycle: ProfileArrays
    let foot: ProfileArrays

    func profile(_ user: RoadUser) -> ProfileArrays {
        switch user {
        case .car: car
        case .bicycle: bicycle
        case .foot: foot
        }
    }

    init(storage: GraphStorage, name: String) throws(RoutingError) {
        let bytes = storage.bytes
        func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: name, reason: reason) }
        guard bytes.count >= RoadGraph.headerLength else { throw damaged("shorter than its header") }
        guard bytes[0..<8].elementsEqual(RoadGraph.magic) else {
            throw damaged("it does not begin as a road graph does")
        }
        let version = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        guard UInt32(littleEndian: 1) == 1 else { throw damaged("road graphs are read on little-endian machines only") }
        let headerSum = bytes.loadUnaligned(fromByteOffset: 48, as: UInt64.self)
        guard Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[0..<48])) == headerSum else {
            throw damaged("its header is not what was written")
        }
        guard bytes[56..<64].allSatisfy({ $0 == 0 }) else { throw damaged("its header is not what was written") }
        guard version == RoadGraph.formatVersion else { throw .unsupportedVersion(file: name, version: Int(version)) }
        let length = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
        guard UInt64(bytes.count) == length else { throw damaged("it has \(bytes.count) bytes instead of \(length)") }
        let sectionCount = Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        let tableEnd = RoadGraph.headerLength + sectionCount * RoadGraph.entryLength
        guard sectionCount <= 1000, tableEnd <= bytes.count else { throw damaged("its table of contents is cut off") }
        let tableSum = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
        guard Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[RoadGraph.headerLength..<tableEnd])) == tableSum else {
            throw damaged("its table of contents is not what was written")
        }
        var table: [TableEntry] = []
        for index in 0..<sectionCount {
            let at = RoadGraph.headerLength + index * RoadGraph.entryLength
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
        self.table = table
        let reader = SectionReader(bytes: bytes, table: table, name: name)
        vertices = try reader.section(.vertices)
        let vertexCount = vertices.count
        vertexFacts = try reader.section(.vertexFacts, count: vertexCount)
        vertexNames = try reader.section(.vertexNames)
        firstLeaving = try reader.section(.firstLeaving, count: vertexCount + 1)
        edgeWays = try reader.section(.edgeWays)
        let edgeCount = edgeWays.count
        guard edgeCount < Int(UInt32.max) / 4 else { throw damaged("it has more edges than can be") }
        leaving = try reader.section(.leaving, count: 2 * edgeCount)
        heads = try reader.section(.heads, count: 2 * edgeCount)
        firstPoint = try reader.section(.firstPoint, count: edgeCount + 1)
        points = try reader.section(.points)
        pointNodes = try reader.section(.pointNodes, count: points.count)
        bearings = try reader.section(.bearings, count: 2 * edgeCount)
        arrivals = try reader.section(.arrivals, count: 2 * edgeCount)
        ways = try reader.section(.ways)
        attributes = try reader.section(.attributes)
        firstStringByte = try reader.section(.firstStringByte)
        stringBytes = try reader.section(.stringBytes)
        treeItems = try reader.section(.treeItems)
        treeBoxes = try reader.section(.treeBoxes, count: PackedTree.boxCount(leaves: treeItems.count))
        stateEdges = try reader.section(.stateEdges)
        firstRule = try reader.section(.firstRule, count: 2 * edgeCount + stateEdges.count + 1)
        rules = try reader.section(.rules)
        conditions = try reader.section(.conditions)
        topSpeeds = try reader.section(.topSpeeds, count: 3)
        car = try ProfileArrays(reader, first: .carWeights, edgeCount: edgeCount)
        bicycle = try ProfileArrays(reader, first: .bicycleWeights, edgeCount: edgeCount)
        foot = try ProfileArrays(reader, first: .footWeights, edgeCount: edgeCount)
    }
}

/// The sections of one profile.
struct ProfileArrays: Sendable {
    let weights: Section<UInt32>
    let durations: Section<UInt32>
    let traits: Section<UInt8>
    let components: Section<UInt32>
    let componentSizes: Section<UInt32>

    init(_ reader: SectionReader, first: SectionID, edgeCount: Int) throws(RoutingError) {
        weights = try reader.section(first.rawValue, count: 2 * edgeCount)
        durations = try reader.section(first.rawValue + 1, count: 2 * edgeCount)
        traits = try reader.section(first.rawValue + 2, count: 2 * edgeCount)
        components = try reader.section(first.rawValue + 3, count: 2 * edgeCount)
        componentSizes = try reader.section(first.rawValue + 4)
    }
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
struct SectionWriter {
    private var sections: [(id: UInt32, elementLength: Int, count: Int, bytes: [UInt8])] = []

    mutating func add<T: BitwiseCopyable>(_ id: SectionID, _ values: [T]) { add(id.rawValue, values) }

    mutating func add<T: BitwiseCopyable>(_ id: UInt32, _ values: [T]) {
        let bytes = values.withUnsafeBytes { Array($0) }
        sections.append((id, MemoryLayout<T>.stride, values.count, bytes))
    }

    consuming func finish(atlasID: [UInt8]) -> GraphStorage {
        func rounded(_ offset: Int) -> Int { (offset + 63) / 64 * 64 }
        var offset = rounded(RoadGraph.headerLength + sections.count * RoadGraph.entryLength)
        var offsets: [Int] = []
        for section in sections {
            offsets.append(offset)
            offset = rounded(offset + section.bytes.count)
        }
        let length = offset
        let sections = self.sections
        return GraphStorage.make(count: length) { memory in
            memory.copyBytes(from: RoadGraph.magic)
            memory.storeBytes(of: RoadGraph.formatVersion, toByteOffset: 8, as: UInt32.self)
            memory.storeBytes(of: UInt32(sections.count), toByteOffset: 12, as: UInt32.self)
            for (index, byte) in atlasID.prefix(16).enumerated() { memory[16 + index] = byte }
            memory.storeBytes(of: UInt64(length), toByteOffset: 32, as: UInt64.self)
            for (index, section) in sections.enumerated() {
                let at = RoadGraph.headerLength + index * RoadGraph.entryLength
                UnsafeMutableRawBufferPointer(rebasing: memory[offsets[index]...]).copyBytes(from: section.bytes)
                memory.storeBytes(of: section.id, toByteOffset: at, as: UInt32.self)
                memory.storeBytes(of: UInt32(section.elementLength), toByteOffset: at + 4, as: UInt32.self)
                memory.storeBytes(of: UInt64(offsets[index]), toByteOffset: at + 8, as: UInt64.self)
                memory.storeBytes(of: UInt64(section.count), toByteOffset: at + 16, as: UInt64.self)
                let sum = section.bytes.withUnsafeBytes { Checksum.of($0) }
                memory.storeBytes(of: sum, toByteOffset: at + 24, as: UInt64.self)
            }
            let tableEnd = RoadGraph.headerLength + sections.count * RoadGraph.entryLength
            let table = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(memory)[RoadGraph.headerLength..<tableEnd])
            memory.storeBytes(of: Checksum.of(table), toByteOffset: 40, as: UInt64.self)
            let header = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[0..<48])
            memory.storeBytes(of: Checksum.of(header), toByteOffset: 48, as: UInt64.self)
        }
    }
}

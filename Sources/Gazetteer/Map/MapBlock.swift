import Geometry

/// A few hundred shapes of the map that lie near each other, as one blob.
///
/// Layout: origin x and y (Int32, little endian), then records, each a varint with its length and then
///
///     byte   form: bits 0-1 point, line, area; 2 flags, 3 layer, 4 name, 5 names by language, 6 ref, 7 category follow
///     byte   kind, an index into the list of kinds in `setting`
///     byte   lowest zoom; bit 6: a highest zoom below 19 follows, bit 7: a rank follows
///     byte   [highest zoom]
///     box    min x and min y from the origin (zigzag varints), width and height (varints; none for a point)
///     id     zigzag varint
///     flags  [varint]   layer [zigzag varint]   rank [Float]
///     texts  [name] [count, then language and name of each] [ref] [category]; each a varint length and UTF-8
///     line   count, then the points; the first from the box's corner, each further one from the one before
///     area   count of rings, each like a line
///
/// Everything that is read is checked against the blob's end.
enum MapBlock {
    static let headSize = 8

    struct Form {
        static let point: UInt8 = 0
        static let line: UInt8 = 1
        static let area: UInt8 = 2
        static let flags: UInt8 = 4
        static let layer: UInt8 = 8
        static let name: UInt8 = 16
        static let names: UInt8 = 32
        static let ref: UInt8 = 64
        static let category: UInt8 = 128
    }
    static let hasHighestZoom: UInt8 = 64
    static let hasRank: UInt8 = 128

    // MARK: - Writing

    static func append(varint value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    static func append(zigzag value: Int64, to bytes: inout [UInt8]) {
        append(varint: UInt64(bitPattern: value << 1 ^ value >> 63), to: &bytes)
    }

    static func append(text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 {
            append(varint: UInt64($0.count), to: &bytes)
            bytes.append(contentsOf: $0)
        }
    }

    static func append(points: [MercatorPoint], from corner: MercatorPoint, to bytes: inout [UInt8]) {
        append(varint: UInt64(points.count), to: &bytes)
        var before = corner
        for point in points {
            append(zigzag: Int64(point.x) - Int64(before.x), to: &bytes)
            append(zigzag: Int64(point.y) - Int64(before.y), to: &bytes)
            before = point
        }
    }

    // MARK: - Reading

    private static let reach = -(Int64(1) << 33)...Int64(1) << 33

    /// What a blob's reader throws; the caller names the block.
    struct Damage: Error {}

    /// Walks over the records of a blob and hands on those that show at `zoom` and meet `box`.
    ///
    /// - Parameters:
    ///   - shift: added to every x, for boxes beyond the edge of the world.
    ///   - languages: in which names are wanted, the most wanted first.
    static func forEachShape(
        of blob: UnsafeRawBufferPointer, kinds: [MapKind], in box: MercatorBox, zoom: Int, shift: Int32,
        languages: [String], _ body: (MapShape) throws -> Void
    ) throws {
        var reader = MapBlockReader(blob)
        let originX = Int64(try reader.int32()) + Int64(shift)
        let originY = Int64(try reader.int32())
        while !reader.isAtEnd {
            let end = try reader.endOfNext()
            let form = try reader.byte()
            let kindNumber = try reader.byte()
            let low = try reader.byte()
            let high = low & hasHighestZoom != 0 ? Int(try reader.byte()) : 19
            guard Int(low & 31) <= zoom, zoom <= high else {
                reader.index = end
                continue
            }
            let (minX, minY) = (originX &+ (try reader.zigzag()), originY &+ (try reader.zigzag()))
            // Twice the world each way, and once more where a copy of it is asked for.
            guard reach.contains(minX), reach.contains(minY) else { throw Damage() }
            let isPoint = form & 3 == Form.point
            let maxX = isPoint ? minX : minX + Int64(try reader.varint() & 0x7fff_ffff)
            let maxY = isPoint ? minY : minY + Int64(try reader.varint() & 0x7fff_ffff)
            guard minX <= Int64(box.maxX), maxX >= Int64(box.minX), minY <= Int64(box.maxY), maxY >= Int64(box.minY)
            else {
                reader.index = end
                continue
            }
            guard kinds.indices.contains(Int(kindNumber)) else { throw Damage() }
            let corner = MercatorPoint(x: Int32(clamping: minX), y: Int32(clamping: minY))
            var shape = MapShape(
                id: try reader.zigzag(), kind: kinds[Int(kindNumber)], geometry: .point(corner))
            if form & Form.flags != 0 {
                shape.flags = MapShape.Flags(rawValue: UInt16(truncatingIfNeeded: try reader.varint()))
            }
            if form & Form.layer != 0 { shape.layer = Int(truncatingIfNeeded: try reader.zigzag()) }
            if low & hasRank != 0 {
                let bits = UInt32(bitPattern: try reader.int32())
                shape.rank = Double(Float(bitPattern: bits))
            }
            if form & Form.name != 0 { shape.name = try reader.text() }
            if form & Form.names != 0 {
                var best = languages.count
                for _ in 0..<(try reader.varint()) {
                    let language = try reader.text()
                    let rank = languages.firstIndex { matches($0, language) } ?? languages.count
                    if rank < best {
                        best = rank
                        shape.name = try reader.text()
                    } else {
                        try reader.skipText()
                    }
                }
            }
            if form & Form.ref != 0 { shape.ref = try reader.text() }
            if form & Form.category != 0 { shape.category = try reader.text() }
            switch form & 3 {
            case Form.point: break
            case Form.line: shape.geometry = .line(try reader.points(from: corner))
            case Form.area:
                let count = try reader.varint()
                guard reader.index <= end, count <= UInt64(end - reader.index) else { throw Damage() }
                var rings: [[MercatorPoint]] = []
                rings.reserveCapacity(Int(count))
                for _ in 0..<count { rings.append(try reader.points(from: corner)) }
                shape.geometry = .area(rings)
            default: throw Damage()
            }
            guard reader.index == end else { throw Damage() }
            try body(shape)
        }
    }

    /// Whether a name of `written` serves a reader of `wanted`: the same, or `zh-Hant` wanted and `zh` written.
    private static func matches(_ wanted: String, _ written: String) -> Bool {
        wanted == written || wanted.utf8.count > written.utf8.count && wanted.hasPrefix(written + "-")
    }
}

/// Reads bytes one after the other; throws `MapBlock.Damage` at the end of the blob.
struct MapBlockReader {
    private let bytes: UnsafeRawBufferPointer
    var index = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { index >= bytes.count }

    /// Reads a length and returns the place after as many bytes.
    mutating func endOfNext() throws -> Int {
        let count = try varint()
        guard count <= UInt64(bytes.count - index) else { throw MapBlock.Damage() }
        return index + Int(count)
    }

    mutating func byte() throws -> UInt8 {
        guard index < bytes.count else { throw MapBlock.Damage() }
        defer { index += 1 }
        return bytes[index]
    }

    mutating func int32() throws -> Int32 {
        guard bytes.count - index >= 4 else { throw MapBlock.Damage() }
        defer { index += 4 }
        return Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: Int32.self))
    }

    @inline(__always) mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while index < bytes.count, shift < 64 {
            let byte = bytes[index]
            index += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw MapBlock.Damage()
    }

    @inline(__always) mutating func zigzag() throws -> Int64 {
        let value = try varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func text() throws -> String {
        let end = try endOfNext()
        defer { index = end }
        return String(decoding: bytes[index..<end], as: UTF8.self)
    }

    mutating func skipText() throws { index = try endOfNext() }

    mutating func points(from corner: MercatorPoint) throws -> [MercatorPoint] {
        let count = try varint()
        // Two bytes a point at least: a damaged count asks for no more memory than the blob is worth.
        guard count <= UInt64(bytes.count - index) / 2 else { throw MapBlock.Damage() }
        var x = Int64(corner.x)
        var y = Int64(corner.y)
        return try [MercatorPoint](unsafeUninitializedCapacity: Int(count)) { buffer, made in
            for place in 0..<Int(count) {
                x &+= try zigzag()
                y &+= try zigzag()
                buffer.initializeElement(
                    at: place, to: MercatorPoint(x: Int32(clamping: x), y: Int32(clamping: y)))
                made = place + 1
            }
        }
    }
}

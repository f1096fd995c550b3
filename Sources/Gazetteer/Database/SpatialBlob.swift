import Geometry
import OpenStreetMap

/// SpatiaLite's form of a geometry in a BLOB column: start byte 0, byte order, SRID, bounding rectangle, class and the
/// geometry itself, end byte 0xFE. ("BLOB-Geometry", little-endian here.)
///
///     0      1 byte   0x00
///     1      1 byte   0x01, little-endian
///     2      4 bytes  SRID
///     6     32 bytes  west, south, east, north
///     38     1 byte   0x7C
///     39     4 bytes  class: 1 point, 2 line string, 3 polygon, 6 multipolygon
///     43     ...      coordinates as pairs of doubles (longitude, latitude), counts as 32-bit numbers;
///                     each polygon of a multipolygon begins with 0x69 and its class
///     last   1 byte   0xFE
public enum SpatialBlob {
    /// WGS84.
    public static let srid: Int32 = 4326

    static let headerSize = 43

    public static func point(_ point: Coordinate) -> [UInt8] {
        var writer = Writer(class: 1, box: BoundingBox(point), capacity: headerSize + 17)
        writer.append(point)
        return writer.finished()
    }

    public static func line(_ points: [Coordinate]) -> [UInt8] {
        var writer = Writer(class: 2, box: box(of: points), capacity: headerSize + 5 + points.count * 16)
        writer.append(points)
        return writer.finished()
    }

    /// The outer ring first. Rings are closed: the first point stands at the end again.
    public static func polygon(_ rings: [[Coordinate]]) -> [UInt8] {
        let count = rings.reduce(0) { $0 + $1.count }
        var writer = Writer(
            class: 3, box: box(of: rings.first ?? []), capacity: headerSize + 5 + rings.count * 4 + count * 16)
        writer.append(UInt32(rings.count))
        for ring in rings { writer.append(ring) }
        return writer.finished()
    }

    public static func multipolygon(_ polygons: [OSMArea.Polygon]) -> [UInt8] {
        var whole = BoundingBox(west: .infinity, south: .infinity, east: -.infinity, north: -.infinity)
        var capacity = headerSize + 5
        for polygon in polygons {
            for point in polygon.outer { whole.extend(by: point) }
            capacity += 9 + (polygon.inner.count + 1) * 4 + polygon.outer.count * 16
            for ring in polygon.inner { capacity += ring.count * 16 }
        }
        var writer = Writer(class: 6, box: whole, capacity: capacity)
        writer.append(UInt32(polygons.count))
        for polygon in polygons {
            writer.append(byte: 0x69)
            writer.append(UInt32(3))
            writer.append(UInt32(polygon.inner.count + 1))
            writer.append(polygon.outer)
            for ring in polygon.inner { writer.append(ring) }
        }
        return writer.finished()
    }

    private static func box(of points: [Coordinate]) -> BoundingBox {
        guard let first = points.first else { return BoundingBox(west: 0, south: 0, east: 0, north: 0) }
        var box = BoundingBox(first)
        for point in points.dropFirst() { box.extend(by: point) }
        return box
    }

    private struct Writer {
        private var bytes: [UInt8]

        init(class kind: UInt32, box: BoundingBox, capacity: Int) {
            bytes = []
            bytes.reserveCapacity(capacity)
            bytes.append(0)
            bytes.append(1)
            append(UInt32(bitPattern: srid))
            append(box.west)
            append(box.south)
            append(box.east)
            append(box.north)
            bytes.append(0x7C)
            append(kind)
        }

        mutating func append(byte: UInt8) { bytes.append(byte) }

        mutating func append(_ value: UInt32) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func append(_ value: Double) {
            withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func append(_ point: Coordinate) {
            append(point.longitude)
            append(point.latitude)
        }

        mutating func append(_ points: [Coordinate]) {
            append(UInt32(points.count))
            for point in points { append(point) }
        }

        mutating func finished() -> [UInt8] {
            bytes.append(0xFE)
            return bytes
        }
    }
}

/// A geometry read from a BLOB.
public enum SpatialGeometry: Sendable, Equatable {
    case point(Coordinate)
    case line([Coordinate])
    /// Each polygon as its rings, the outer one first.
    case polygons([[[Coordinate]]])
}

extension SpatialBlob {
    /// Reads a whole geometry; nil for anything but a well-formed little-endian blob of the four classes.
    public static func decode(_ bytes: UnsafeRawBufferPointer) -> SpatialGeometry? {
        guard let kind = kind(of: bytes) else { return nil }
        var reader = Reader(bytes: bytes, offset: headerSize)
        switch kind {
        case 1:
            guard let point = reader.point(), reader.isAtEnd else { return nil }
            return .point(point)
        case 2:
            guard let line = reader.points(), reader.isAtEnd else { return nil }
            return .line(line)
        case 3:
            guard let rings = reader.rings(), reader.isAtEnd else { return nil }
            return .polygons([rings])
        default:
            guard let count = reader.count(), count <= bytes.count / 13 else { return nil }
            var polygons: [[[Coordinate]]] = []
            for _ in 0..<count {
                guard reader.byte() == 0x69, reader.count() == 3, let rings = reader.rings() else { return nil }
                polygons.append(rings)
            }
            guard reader.isAtEnd else { return nil }
            return .polygons(polygons)
        }
    }

    /// Reads the place of a point blob.
    public static func decodePoint(_ bytes: UnsafeRawBufferPointer) -> Coordinate? {
        guard kind(of: bytes) == 1 else { return nil }
        var reader = Reader(bytes: bytes, offset: headerSize)
        return reader.point()
    }

    /// Calls `body` with each run of points: a line, or a ring of a polygon (`isRing`). False where the blob is broken.
    ///
    /// Nothing is copied: `Run` looks into the bytes.
    static func forEachRun(_ bytes: UnsafeRawBufferPointer, _ body: (Run, Bool) -> Void) -> Bool {
        guard let kind = kind(of: bytes) else { return false }
        var reader = Reader(bytes: bytes, offset: headerSize)
        switch kind {
        case 2:
            guard let run = reader.run() else { return false }
            body(run, false)
        case 3, 6:
            let polygons = kind == 3 ? 1 : reader.count() ?? 0
            for _ in 0..<polygons {
                if kind == 6 { guard reader.byte() == 0x69, reader.count() == 3 else { return false } }
                guard let rings = reader.count() else { return false }
                for _ in 0..<rings {
                    guard let run = reader.run() else { return false }
                    body(run, true)
                }
            }
        default: return false
        }
        return true
    }

    /// The class of a well-framed blob: 1, 2, 3 or 6.
    private static func kind(of bytes: UnsafeRawBufferPointer) -> UInt32? {
        guard bytes.count > headerSize, bytes[0] == 0, bytes[1] == 1, bytes[38] == 0x7C, bytes[bytes.count - 1] == 0xFE
        else { return nil }
        let kind = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 39, as: UInt32.self))
        return [1, 2, 3, 6].contains(kind) ? kind : nil
    }

    /// Points inside the bytes of a blob.
    struct Run {
        fileprivate let bytes: UnsafeRawBufferPointer
        let count: Int

        @inline(__always) subscript(index: Int) -> Coordinate {
            precondition(index >= 0 && index < count)
            let offset = index &* 16
            return Coordinate(
                latitude: Double(
                    bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))),
                longitude: Double(
                    bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))))
        }
    }

    /// Reads forward, refusing to pass the end byte.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var offset: Int

        var isAtEnd: Bool { offset == bytes.count - 1 }
        private var left: Int { bytes.count - 1 - offset }

        mutating func byte() -> UInt8? {
            guard left >= 1 else { return nil }
            defer { offset += 1 }
            return bytes[offset]
        }

        mutating func count() -> Int? {
            guard left >= 4 else { return nil }
            defer { offset += 4 }
            return Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }

        mutating func point() -> Coordinate? {
            guard left >= 16 else { return nil }
            defer { offset += 16 }
            return Run(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 16]), count: 1)[0]
        }

        mutating func run() -> Run? {
            guard let count = count(), count <= left / 16 else { return nil }
            defer { offset += count * 16 }
            return Run(bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count * 16]), count: count)
        }

        mutating func points() -> [Coordinate]? {
            guard let run = run() else { return nil }
            return (0..<run.count).map { run[$0] }
        }

        mutating func rings() -> [[Coordinate]]? {
            guard let count = count(), count <= left / 4 else { return nil }
            var rings: [[Coordinate]] = []
            for _ in 0..<count {
                guard let ring = points() else { return nil }
                rings.append(ring)
            }
            return rings
        }
    }
}

extension SpatialBlob.Run {
    /// Whether a ray from the point to the east crosses this ring an odd number of times.
    func contains(_ point: Coordinate) -> Bool {
        guard count > 0 else { return false }
        var inside = false
        var previous = self[count - 1]
        for index in 0..<count {
            let vertex = self[index]
            if Polygon.crosses(point, previous, vertex) { inside.toggle() }
            previous = vertex
        }
        return inside
    }

    /// Whether the last point is the first again.
    var isClosed: Bool { count > 3 && self[0] == self[count - 1] }

    /// Distance in metres from the plane's origin to this line.
    func distance(_ plane: LocalPlane) -> Double {
        guard count > 0 else { return .infinity }
        var previous = self[0]
        var best = plane.distance(toSegment: previous, previous).metres
        for index in 1..<max(count, 1) {
            let vertex = self[index]
            best = min(best, plane.distance(toSegment: previous, vertex).metres)
            previous = vertex
        }
        return best
    }
}

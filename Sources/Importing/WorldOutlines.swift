import Foundation
import GazetteerData
import Geometry
import OpenStreetMap

/// Outlines kept as shared arcs, as `gazetteer/world/*.tsv.gz` have them: countries, regions, time zones.
///
/// The text has one record a line, fields between tabs. `A` is an arc, numbered from 0: longitude and latitude of its
/// first point in thousandths of a degree, then the difference of each further point. An area's last field is its shape:
/// polygons between `;`, the rings of each between `/` with the outer one first, and the arcs of each ring between
/// spaces, `~n` (that is, -n-1) for arc n walked backwards.
struct WorldOutlines: Sendable {
    /// A point in thousandths of a degree.
    struct Point: Sendable, Equatable {
        var x: Int32
        var y: Int32
    }

    enum Kind: UInt8, Sendable {
        case country = 0x43  // C: code
        case region = 0x52  // R: code, name, another name
        case timeZone = 0x5A  // Z: name
    }

    struct Area: Sendable {
        var kind: Kind
        /// The fields between the kind and the shape.
        var fields: [String]
        /// Polygons of rings of arc numbers.
        var polygons: [[[Int32]]]
    }

    private(set) var areas: [Area] = []
    /// Points of all arcs; arc `i` has `points[starts[i] ..< starts[i + 1]]`.
    private var points: [Point] = []
    private var starts: [Int32] = [0]

    /// Reads a file of the product, `world/outlines.tsv.gz` or `world/timezones.tsv.gz`.
    static func load(_ name: String) throws -> WorldOutlines {
        try WorldOutlines(path: GazetteerData.url(name).path)
    }

    /// Reads a file of this format. Throws `TableError` where it is broken.
    init(path: String) throws {
        points.reserveCapacity(320_000)
        var number = 0
        try GzipReader.forEachLine(of: path) { line in
            number += 1
            guard try read(line) else { throw TableError(file: path, reason: "line \(number) is damaged") }
        }
        for area in areas {
            for polygon in area.polygons {
                for arc in polygon.joined() where !(0..<starts.count - 1).contains(Int(arc < 0 ? ~arc : arc)) {
                    throw TableError(file: path, reason: "an outline refers to arc \(arc), which is not there")
                }
            }
        }
    }

    private mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws -> Bool {
        guard line.count > 2, line[1] == 0x09 else { return line.isEmpty || line[0] == 0x23 }
        if line[0] == 0x41 {
            var scanner = IntegerScanner(line, from: 2)
            var x: Int32 = 0
            var y: Int32 = 0
            while let dx = scanner.next() {
                guard let dy = scanner.next() else { return false }
                x = x &+ dx
                y = y &+ dy
                guard (-180_000...180_000).contains(x), (-90_000...90_000).contains(y) else { return false }
                points.append(Point(x: x, y: y))
            }
            starts.append(Int32(points.count))
            return scanner.isAtEnd
        }
        guard let kind = Kind(rawValue: line[0]), let tab = line.lastIndex(of: 0x09), tab > 1 else { return false }
        let fields = line[2..<tab].split(separator: 0x09, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        var polygons: [[[Int32]]] = [[[]]]
        var index = tab + 1
        while index < line.count {
            switch line[index] {
            case 0x3B:
                polygons.append([[]])
                index += 1
            case 0x2F:
                polygons[polygons.count - 1].append([])
                index += 1
            case 0x20:
                index += 1
            default:
                var scanner = IntegerScanner(line, from: index)
                guard let arc = scanner.next() else { return false }
                let polygon = polygons.count - 1
                polygons[polygon][polygons[polygon].count - 1].append(arc)
                index = scanner.index
            }
        }
        areas.append(Area(kind: kind, fields: fields, polygons: polygons))
        return true
    }

    var arcCount: Int { starts.count - 1 }

    /// The points of an arc.
    func arc(_ number: Int) -> ArraySlice<Point> { points[Int(starts[number])..<Int(starts[number + 1])] }

    /// The points of a ring of arcs, first and last the same.
    func ring(_ arcs: [Int32]) -> [Point] {
        var ring: [Point] = []
        for arc in arcs {
            let number = Int(arc < 0 ? ~arc : arc)
            let slice = points[Int(starts[number])..<Int(starts[number + 1])]
            if arc >= 0 {
                ring.append(contentsOf: ring.isEmpty ? slice : slice.dropFirst())
            } else {
                ring.append(contentsOf: ring.isEmpty ? slice.reversed() : slice.dropLast().reversed())
            }
        }
        return ring
    }

    /// The area's polygons in degrees, as OpenStreetMap's areas have them; rings without extent are left out.
    func polygons(of area: Area) -> [OSMArea.Polygon] {
        area.polygons.compactMap { rings in
            let drawn = rings.map { arcs in
                ring(arcs).map { Coordinate(latitude: Double($0.y) / 1000, longitude: Double($0.x) / 1000) }
            }
            guard let outer = drawn.first, outer.count > 3 else { return nil }
            return OSMArea.Polygon(outer: outer, inner: drawn.dropFirst().filter { $0.count > 3 })
        }
    }
}

/// Reads whole numbers between spaces; anything else ends it. Numbers that overflow wrap around.
struct IntegerScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, from index: Int) {
        self.bytes = bytes
        self.index = index
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func next() -> Int32? {
        while index < bytes.count, bytes[index] == 0x20 { index += 1 }
        var position = index
        let isNegative = position < bytes.count && bytes[position] == 0x2D
        if isNegative { position += 1 }
        let first = position
        var value: Int32 = 0
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            value = value &* 10 &+ Int32(bytes[position] &- 0x30)
            position += 1
        }
        guard position > first else { return nil }
        index = position
        return isNegative ? 0 &- value : value
    }
}

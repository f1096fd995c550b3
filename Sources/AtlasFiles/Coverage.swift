import Geometry
import Glibc

/// Where an atlas knows something: the set of zoom-12 tiles (Web Mercator, about 5 km wide in Europe) that hold an
/// address, a named way or a place, with holes filled.
///
/// A bounding box would lie, as one atlas may hold Helsinki and Monaco. "Outside the atlas" is judged by this.
public struct Coverage: Sendable, Equatable, Codable {
    public static let zoom = 12

    /// Everything on the globe: the coverage of *World*.
    public private(set) var isEverywhere = false
    /// Tile rows from the north, each with ranges of columns, both ends included, in rising order.
    private var rows: [Int: [ClosedRange<Int>]] = [:]

    public init() {}

    public static let everywhere: Coverage = {
        var coverage = Coverage()
        coverage.isEverywhere = true
        return coverage
    }()

    /// Whether the point's tile is covered.
    public func contains(_ point: Coordinate) -> Bool {
        if isEverywhere { return point.isValid }
        guard let tile = Tile(point), let ranges = rows[tile.y] else { return false }
        return ranges.contains { $0.contains(tile.x) }
    }

    /// Whether any tile is covered.
    public var isEmpty: Bool { !isEverywhere && rows.isEmpty }

    /// The number of covered tiles; `Int.max` for everywhere.
    public var tileCount: Int {
        isEverywhere ? Int.max : rows.values.reduce(0) { $0 + $1.reduce(0) { $0 + $1.count } }
    }

    /// The smallest box around the covered tiles, not over the date line; nil where there is none.
    public var boundingBox: BoundingBox? {
        if isEverywhere { return BoundingBox(west: -180, south: -90, east: 180, north: 90) }
        guard let top = rows.keys.min(), let bottom = rows.keys.max() else { return nil }
        let west = rows.values.compactMap { $0.first?.lowerBound }.min() ?? 0
        let east = rows.values.compactMap { $0.last?.upperBound }.max() ?? 0
        let size = Double(1 << Self.zoom)
        func latitude(_ y: Int) -> Double { atan(sinh(Double.pi * (1 - 2 * Double(y) / size))) * 180 / Double.pi }
        return BoundingBox(
            west: Double(west) / size * 360 - 180, south: latitude(bottom + 1),
            east: Double(east + 1) / size * 360 - 180,
            north: latitude(top))
    }

    // As JSON: {"zoom":12,"rows":{"1433":[[2137,2140]]}}, or {"zoom":12,"everywhere":true}.
    private enum Key: String, CodingKey { case zoom, rows, everywhere }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        isEverywhere = try container.decodeIfPresent(Bool.self, forKey: .everywhere) ?? false
        guard try container.decode(Int.self, forKey: .zoom) == Self.zoom else {
            throw DecodingError.dataCorruptedError(forKey: .zoom, in: container, debugDescription: "another zoom")
        }
        let written = try container.decodeIfPresent([String: [[Int]]].self, forKey: .rows) ?? [:]
        let all = 0..<(1 << Self.zoom)
        for (row, ranges) in written {
            guard let y = Int(row), all.contains(y),
                ranges.allSatisfy({ $0.count == 2 && $0[0] <= $0[1] && all.contains($0[0]) && all.contains($0[1]) })
            else {
                throw DecodingError.dataCorruptedError(
                    forKey: .rows, in: container, debugDescription: "no row of tiles")
            }
            rows[y] = ranges.map { $0[0]...$0[1] }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.zoom, forKey: .zoom)
        if isEverywhere {
            try container.encode(true, forKey: .everywhere)
        } else {
            let written = rows.map { (String($0.key), $0.value.map { [$0.lowerBound, $0.upperBound] }) }
            try container.encode(Dictionary(uniqueKeysWithValues: written), forKey: .rows)
        }
    }

    fileprivate init(tiles: Set<Tile>) {
        for (y, row) in Dictionary(grouping: tiles, by: \.y) {
            var ranges: [ClosedRange<Int>] = []
            for x in row.map(\.x).sorted() {
                if let last = ranges.last, last.upperBound == x - 1 {
                    ranges[ranges.count - 1] = last.lowerBound...x
                } else {
                    ranges.append(x...x)
                }
            }
            rows[y] = ranges
        }
    }
}

private struct Tile: Hashable {
    var x: Int
    var y: Int

    init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    init?(_ point: Coordinate) {
        guard point.isValid else { return nil }
        let size = Double(1 << Coverage.zoom)
        let φ = min(max(point.latitude, -85.0511), 85.0511) * Double.pi / 180
        x = min(Int((point.longitude + 180) / 360 * size), 1 << Coverage.zoom - 1)
        y = min(max(Int((1 - asinh(tan(φ)) / Double.pi) / 2 * size), 0), 1 << Coverage.zoom - 1)
    }
}

/// Collects places and makes the coverage of a source from them.
public struct CoverageBuilder: Sendable {
    private var tiles: Set<Tile> = []
    private var last: Tile?

    public init() {}

    public mutating func add(_ point: Coordinate) {
        guard let tile = Tile(point), tile != last else { return }
        last = tile
        tiles.insert(tile)
    }

    /// The tiles with the holes between them filled: a tile is in a hole if no walk over uncovered tiles leads from it to
    /// the outside of its group of touching tiles.
    public func finish() -> Coverage {
        var filled = tiles
        var rest = tiles
        while let start = rest.popFirst() {
            var group: Set<Tile> = [start]
            var open = [start]
            while let tile = open.popLast() {
                for dy in -1...1 {
                    for dx in -1...1 {
                        let next = Tile(x: tile.x + dx, y: tile.y + dy)
                        if rest.remove(next) != nil {
                            group.insert(next)
                            open.append(next)
                        }
                    }
                }
            }
            if group.count > 7 { filled.formUnion(Self.holes(in: group)) }  // fewer cannot surround a tile
        }
        return Coverage(tiles: filled)
    }

    private static func holes(in group: Set<Tile>) -> Set<Tile> {
        let xs = group.map(\.x)
        let ys = group.map(\.y)
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return [] }
        let frame = (x: left - 1...right + 1, y: top - 1...bottom + 1)
        var outside: Set<Tile> = [Tile(x: frame.x.lowerBound, y: frame.y.lowerBound)]
        var open = Array(outside)
        while let tile = open.popLast() {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let next = Tile(x: tile.x + dx, y: tile.y + dy)
                if frame.x.contains(next.x), frame.y.contains(next.y), !group.contains(next),
                    outside.insert(next).inserted
                {
                    open.append(next)
                }
            }
        }
        var holes: Set<Tile> = []
        for y in top...bottom {
            for x in left...right {
                let tile = Tile(x: x, y: y)
                if !group.contains(tile), !outside.contains(tile) { holes.insert(tile) }
            }
        }
        return holes
    }
}

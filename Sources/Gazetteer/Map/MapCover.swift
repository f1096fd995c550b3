import Geometry

/// The part of the world that the map of an atlas covers: boxes of which no two lie in one tile of zoom 12.
public struct MapCover: Sendable, Equatable {
    /// A tile has 2^18 units on a side.
    static let tileShift: Int32 = 18

    private struct Tile: Hashable {
        var x: Int32
        var y: Int32
    }

    private var boxes: [Tile: MercatorBox] = [:]

    public init() {}

    public var isEmpty: Bool { boxes.isEmpty }

    /// Adds the part of a box within each tile that it meets; what a tile had before is joined to one box with it.
    ///
    /// Of the box only what lies on the map counts, and no more than half a world beyond its sides.
    public mutating func add(_ box: MercatorBox) {
        let half = Mercator.world / 2
        let box = MercatorBox(
            minX: max(box.minX, -half), minY: max(box.minY, 0), maxX: min(box.maxX, Mercator.world + half - 1),
            maxY: min(box.maxY, Mercator.world - 1))
        guard box.minX <= box.maxX, box.minY <= box.maxY else { return }
        for y in (box.minY >> Self.tileShift)...(box.maxY >> Self.tileShift) {
            for x in (box.minX >> Self.tileShift)...(box.maxX >> Self.tileShift) {
                let size = Int32(1) << Self.tileShift
                let part = MercatorBox(
                    minX: max(box.minX, x * size), minY: max(box.minY, y * size),
                    maxX: min(box.maxX, (x + 1) * size - 1), maxY: min(box.maxY, (y + 1) * size - 1))
                let known = boxes[Tile(x: x, y: y)]
                boxes[Tile(x: x, y: y)] =
                    known.map {
                        MercatorBox(
                            minX: min($0.minX, part.minX), minY: min($0.minY, part.minY),
                            maxX: max($0.maxX, part.maxX), maxY: max($0.maxY, part.maxY))
                    } ?? part
            }
        }
    }

    public func contains(_ point: MercatorPoint) -> Bool {
        boxes[Tile(x: point.x >> Self.tileShift, y: point.y >> Self.tileShift)]?.contains(point) ?? false
    }

    /// Whether the whole box is covered. Boxes of more than a thousand tiles never are.
    public func contains(_ box: MercatorBox) -> Bool {
        let rows = (box.minY >> Self.tileShift)...(box.maxY >> Self.tileShift)
        let columns = (box.minX >> Self.tileShift)...(box.maxX >> Self.tileShift)
        guard !isEmpty, rows.count * columns.count <= 1000 else { return false }
        let size = Int32(1) << Self.tileShift
        for y in rows {
            for x in columns {
                guard let own = boxes[Tile(x: x, y: y)], own.minX <= max(box.minX, x * size),
                    own.minY <= max(box.minY, y * size), own.maxX >= min(box.maxX, (x + 1) * size - 1),
                    own.maxY >= min(box.maxY, (y + 1) * size - 1)
                else { return false }
            }
        }
        return true
    }

    /// The box around all within `box` that is covered from the tile of `point` on, from neighbour to neighbour; nil where
    /// neither that tile nor one beside it is covered within `box`.
    public func reach(around point: MercatorPoint, in box: MercatorBox) -> MercatorBox? {
        func neighbours(_ tile: Tile) -> [Tile] {
            (-1...1).flatMap { dy in (-1...1).map { dx in Tile(x: tile.x + dx, y: tile.y + dy) } }
        }
        func isCovered(_ tile: Tile) -> Bool { boxes[tile]?.intersects(box) ?? false }
        let own = Tile(x: point.x >> Self.tileShift, y: point.y >> Self.tileShift)
        var waiting = isCovered(own) ? [own] : neighbours(own).filter(isCovered)
        var seen = Set(waiting)
        var result: MercatorBox?
        while let tile = waiting.popLast() {
            guard let part = boxes[tile] else { continue }
            let known = result ?? part
            result = MercatorBox(
                minX: min(known.minX, part.minX), minY: min(known.minY, part.minY), maxX: max(known.maxX, part.maxX),
                maxY: max(known.maxY, part.maxY))
            for next in neighbours(tile) where isCovered(next) && seen.insert(next).inserted { waiting.append(next) }
        }
        return result.map {
            MercatorBox(
                minX: max($0.minX, box.minX), minY: max($0.minY, box.minY), maxX: min($0.maxX, box.maxX),
                maxY: min($0.maxY, box.maxY))
        }
    }

    // MARK: - As text

    /// Boxes as four numbers each between blanks, joined by semicolons; neighbours in a row are one.
    var text: String {
        var runs: [MercatorBox] = []
        for (_, box) in boxes.sorted(by: { ($0.key.y, $0.key.x) < ($1.key.y, $1.key.x) }) {
            if let last = runs.last, last.maxX + 1 == box.minX, last.minY == box.minY, last.maxY == box.maxY {
                runs[runs.count - 1].maxX = box.maxX
            } else {
                runs.append(box)
            }
        }
        return runs.map { "\($0.minX) \($0.minY) \($0.maxX) \($0.maxY)" }.joined(separator: ";")
    }

    /// Reads `text`; nil where it is damaged.
    init?(text: String) {
        for run in text.split(separator: ";") {
            let numbers = run.split(separator: " ").compactMap { Int32($0) }
            let world = Mercator.world
            guard numbers.count == 4, numbers[0] <= numbers[2], numbers[1] <= numbers[3],
                numbers[0] >= -world / 2, numbers[2] < world + world / 2, numbers[1] >= 0, numbers[3] < world
            else { return nil }
            add(MercatorBox(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3]))
        }
    }
}

import Geometry

/// Boxes in the cells of a regular grid of degrees, to find those near a point.
///
/// Built once: `insert` all, then `build`. A box over very many cells is kept in a list that every question looks at.
struct GridIndex {
    private let cell: Double
    private var entries: [(key: UInt64, item: Int32)] = []
    private var starts: [UInt64: Int] = [:]
    private var oversize: [Int32] = []

    init(cell: Double) { self.cell = cell }

    private func column(_ longitude: Double) -> Int { Int((max(-181, min(181, longitude)) + 181) / cell) }
    private func row(_ latitude: Double) -> Int { Int((max(-91, min(91, latitude)) + 91) / cell) }
    private func key(_ column: Int, _ row: Int) -> UInt64 { UInt64(row) << 32 | UInt64(column) }

    mutating func insert(_ item: Int, _ box: BoundingBox) {
        let columns = column(box.west)...max(column(box.west), column(box.east))
        let rows = row(box.south)...max(row(box.south), row(box.north))
        guard columns.count * rows.count <= 4096 else {
            oversize.append(Int32(item))
            return
        }
        for row in rows {
            for column in columns { entries.append((key(column, row), Int32(item))) }
        }
    }

    mutating func insert(_ item: Int, _ point: Coordinate) { insert(item, BoundingBox(point)) }

    mutating func build() {
        entries.sort { $0.key == $1.key ? $0.item < $1.item : $0.key < $1.key }
        var index = 0
        while index < entries.count {
            let key = entries[index].key
            starts[key] = index
            while index < entries.count, entries[index].key == key { index += 1 }
        }
    }

    /// Calls `body` with the items in the cell of a point: every box that contains the point is among them.
    func forEach(at point: Coordinate, _ body: (Int) -> Void) {
        for item in oversize { body(Int(item)) }
        visit(key(column(point.longitude), row(point.latitude)), body)
    }

    /// Calls `body` with the items in all cells that `box` touches; an item in several cells comes several times.
    func forEach(in box: BoundingBox, _ body: (Int) -> Void) {
        for item in oversize { body(Int(item)) }
        let columns = column(box.west)...max(column(box.west), column(box.east))
        let rows = row(box.south)...max(row(box.south), row(box.north))
        for row in rows {
            for column in columns { visit(key(column, row), body) }
        }
    }

    private func visit(_ key: UInt64, _ body: (Int) -> Void) {
        guard var index = starts[key] else { return }
        while index < entries.count, entries[index].key == key {
            body(Int(entries[index].item))
            index += 1
        }
    }
}

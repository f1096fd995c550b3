import Geometry

/// Boxes by a name and by the cells of a grid: those of one name near a point are found without walking through all that
/// bear it. In a country thousands of streets have the same name.
struct NamedIndex {
    private struct Key: Hashable {
        var name: Int32
        var column: Int32
        var row: Int32
    }

    private let cell: Double
    private var items: [Key: [Int32]] = [:]
    /// Boxes over very many cells, by name.
    private var wide: [Int32: [Int32]] = [:]
    private static let mostCells = 64

    /// - Parameter cell: the width of a cell in degrees, somewhat more than questions reach.
    init(cell: Double) { self.cell = cell }

    private func span(_ low: Double, _ high: Double) -> ClosedRange<Int32> {
        func number(_ degrees: Double) -> Int32 { Int32((min(max(degrees, -400), 400) / cell).rounded(.down)) }
        return number(low)...max(number(low), number(high))
    }

    mutating func insert(_ item: Int32, named name: Int32, _ box: BoundingBox) {
        let (columns, rows) = (span(box.west, box.east), span(box.south, box.north))
        guard columns.count * rows.count <= Self.mostCells else {
            wide[name, default: []].append(item)
            return
        }
        for row in rows {
            for column in columns { items[Key(name: name, column: column, row: row), default: []].append(item) }
        }
    }

    /// Calls `body` with the items of the name in all cells that the box touches; an item in several cells comes several
    /// times.
    func forEach(named name: Int32, in box: BoundingBox, _ body: (Int32) -> Void) {
        for row in span(box.south, box.north) {
            for column in span(box.west, box.east) {
                for item in items[Key(name: name, column: column, row: row)] ?? [] { body(item) }
            }
        }
        for item in wide[name] ?? [] { body(item) }
    }
}

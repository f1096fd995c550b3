import Geometry

/// Boxes in the cells of a regular grid of degrees, to find those near a point.
///
/// Built once: `insert` all, then `build`. A box over very many cells is kept in a grid with wider cells, which every
/// question looks at as well, and so on up to cells of some degrees.
struct GridIndex {
    private let cell: Double
    /// Number of a cell by its row and column.
    private var cells: [UInt64: Int32] = [:]
    /// Until `build`: which item lies in which cell.
    private var pairs: [UInt64] = []
    /// Items of cell `c`: `items[starts[c]..<starts[c + 1]]`.
    private var starts: [Int32] = [0]
    private var items: [Int32] = []
    /// The grid with wider cells: one, or none where no box needed it.
    private var coarser: [GridIndex] = []
    private static let widening = 8.0

    init(cell: Double) { self.cell = cell }

    private func column(_ longitude: Double) -> UInt64 {
        longitude.isFinite ? UInt64((longitude.clamped(-180, 180) + 181) / cell) : 0
    }

    private func row(_ latitude: Double) -> UInt64 {
        latitude.isFinite ? UInt64((latitude.clamped(-90, 90) + 91) / cell) : 0
    }

    mutating func insert(_ item: Int, _ box: BoundingBox) {
        let (west, south) = (column(box.west), row(box.south))
        let (east, north) = (max(west, column(box.east)), max(south, row(box.north)))
        guard (east - west + 1) * (north - south + 1) <= 256 || cell > 30 else {
            if coarser.isEmpty { coarser.append(GridIndex(cell: cell * Self.widening)) }
            coarser[0].insert(item, box)
            return
        }
        for y in south...north {
            for x in west...east {
                let key = y << 32 | x
                let number: Int32
                if let known = cells[key] {
                    number = known
                } else {
                    number = Int32(cells.count)
                    cells[key] = number
                }
                pairs.append(UInt64(UInt32(number)) << 32 | UInt64(UInt32(item)))
            }
        }
    }

    mutating func insert(_ item: Int, _ point: Coordinate) { insert(item, BoundingBox(point)) }

    mutating func build() {
        starts = [Int32](repeating: 0, count: cells.count + 1)
        for pair in pairs { starts[Int(pair >> 32) + 1] += 1 }
        for index in 1..<max(starts.count, 1) { starts[index] += starts[index - 1] }
        var next = starts
        items = [Int32](repeating: 0, count: pairs.count)
        for pair in pairs {
            let number = Int(pair >> 32)
            items[Int(next[number])] = Int32(truncatingIfNeeded: pair & 0xffff_ffff)
            next[number] += 1
        }
        pairs = []
        if !coarser.isEmpty { coarser[0].build() }
    }

    /// Calls `body` with the items in the cell of a point: every box that contains the point is among them.
    func forEach(at point: Coordinate, _ body: (Int) -> Void) {
        visit(row(point.latitude) << 32 | column(point.longitude), body)
        if let wider = coarser.first { wider.forEach(at: point, body) }
    }

    /// Calls `body` with the items in all cells that `box` touches; an item in several cells comes several times.
    func forEach(in box: BoundingBox, _ body: (Int) -> Void) {
        let (west, south) = (column(box.west), row(box.south))
        for y in south...max(south, row(box.north)) {
            for x in west...max(west, column(box.east)) { visit(y << 32 | x, body) }
        }
        if let wider = coarser.first { wider.forEach(in: box, body) }
    }

    private func visit(_ key: UInt64, _ body: (Int) -> Void) {
        guard let number = cells[key] else { return }
        for index in starts[Int(number)]..<starts[Int(number) + 1] { body(Int(items[Int(index)])) }
    }
}

extension Double {
    fileprivate func clamped(_ low: Double, _ high: Double) -> Double { self < low ? low : self > high ? high : self }
}

/// What is taken already: boxes in a grid, and which texts stand where.
struct LabelBoard {
    private static let step = 64.0
    let width: Double
    let height: Double
    private let columns: Int
    private let rows: Int
    private var fields: [[LabelBox]]
    /// Boxes along lines that stay whole.
    private var lines: [[LabelBox]]
    private var texts: [String: [(x: Double, y: Double)]] = [:]

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
        columns = Int((width / Self.step).rounded(.up)) + 1
        rows = Int((height / Self.step).rounded(.up)) + 1
        fields = Array(repeating: [], count: columns * rows)
        lines = fields
    }

    /// Whether the box lies inside wholly.
    func holds(_ box: LabelBox) -> Bool {
        box.minX >= 1 && box.minY >= 1 && box.maxX <= width - 1 && box.maxY <= height - 1
    }

    /// The box moved inside; nil where it is too large.
    func inside(_ box: LabelBox) -> LabelBox? {
        guard box.maxX - box.minX <= width - 2, box.maxY - box.minY <= height - 2 else { return nil }
        var box = box
        let dx = box.minX < 1 ? 1 - box.minX : min(width - 1 - box.maxX, 0)
        let dy = box.minY < 1 ? 1 - box.minY : min(height - 1 - box.maxY, 0)
        box.minX += dx
        box.maxX += dx
        box.minY += dy
        box.maxY += dy
        return box
    }

    private func forEachField(_ box: LabelBox, _ body: (Int) -> Bool) {
        func index(_ value: Double, _ count: Int) -> Int { Int(min(max(value / Self.step, 0), Double(count - 1))) }
        for row in index(box.minY, rows)...max(index(box.maxY, rows), index(box.minY, rows)) {
            for column in index(box.minX, columns)...max(index(box.maxX, columns), index(box.minX, columns)) {
                if !body(row * columns + column) { return }
            }
        }
    }

    func isFree(_ box: LabelBox) -> Bool { isFree(box, of: fields) }

    /// Whether no line that stays whole runs through the box.
    func isClearOfLines(_ box: LabelBox) -> Bool { isFree(box, of: lines) }

    func isFreeForText(_ box: LabelBox) -> Bool { isFree(box) && isClearOfLines(box) }

    private func isFree(_ box: LabelBox, of fields: [[LabelBox]]) -> Bool {
        var isFree = true
        forEachField(box) { field in
            isFree = !fields[field].contains { $0.intersects(box) }
            return isFree
        }
        return isFree
    }

    mutating func block(_ box: LabelBox) {
        for field in touched(box) { fields[field].append(box) }
    }

    mutating func blockTexts(_ box: LabelBox) {
        for field in touched(box) { lines[field].append(box) }
    }

    private func touched(_ box: LabelBox) -> [Int] {
        var touched: [Int] = []
        forEachField(box) { field in
            touched.append(field)
            return true
        }
        return touched
    }

    /// Whether the same text is nowhere nearer than `distance`.
    func allows(_ text: String, at place: (x: Double, y: Double), distance: Double) -> Bool {
        guard let others = texts[text] else { return true }
        return others.allSatisfy {
            ($0.x - place.x) * ($0.x - place.x) + ($0.y - place.y) * ($0.y - place.y) >= distance * distance
        }
    }

    mutating func note(_ text: String, at place: (x: Double, y: Double)) {
        if !text.isEmpty { texts[text, default: []].append(place) }
    }
}

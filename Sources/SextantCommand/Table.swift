/// Rows of text in aligned columns.
struct Table {
    enum Alignment { case left, right }

    private var alignments: [Alignment]
    private var rows: [[String]] = []
    private var indent: String

    init(_ alignments: [Alignment], indent: Int = 0) {
        self.alignments = alignments
        self.indent = String(repeating: " ", count: indent)
    }

    /// Adds a row; columns that are missing are empty.
    mutating func add(_ cells: String...) { rows.append(cells) }
    mutating func add(_ cells: [String]) { rows.append(cells) }

    var isEmpty: Bool { rows.isEmpty }

    /// The lines, without blanks at their ends. Columns that are empty in every row take no room.
    var lines: [String] {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? displayWidth($0[column]) : 0 }.max() ?? 0
        }
        return rows.map { row in
            var line = indent
            var isFirst = true
            for (column, alignment) in alignments.enumerated() where widths[column] > 0 {
                let cell = column < row.count ? row[column] : ""
                let room = String(repeating: " ", count: widths[column] - displayWidth(cell))
                line += (isFirst ? "" : "  ") + (alignment == .left ? cell + room : room + cell)
                isFirst = false
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}

/// How many columns of a terminal the text takes: none for marks that stand on other letters, two for East Asian ones.
func displayWidth(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
}

private func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
        return 2
    default: return 1
    }
}

/// The text, or its beginning with a mark where it takes more than `columns`.
func shortened(_ text: String, to columns: Int) -> String {
    guard displayWidth(text) > columns else { return text }
    var result = ""
    var used = 0
    for character in text {
        let size = displayWidth(String(character))
        guard used + size < columns else { break }
        result.append(character)
        used += size
    }
    return result + "…"
}

/// A message of one or several lines, each broken at `columns`; what goes on is indented by two more than its line. Room is
/// left for the program's name in front of the first.
func wrappedMessage(_ text: String, columns: Int) -> String {
    let name = "sextant: ".count
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
        let indent = String(line.prefix { $0 == " " })
        let room = max(columns - (index == 0 ? name : indent.count + 2), 20)
        return wrapped(String(line), columns: room).enumerated().map { part, text in
            (part == 0 ? indent : indent + "  ") + text
        }.joined(separator: "\n")
    }.joined(separator: "\n")
}

/// Breaks text into lines of at most `columns`, at blanks; a longer word has a line of its own.
func wrapped(_ text: String, columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        if !line.isEmpty, displayWidth(line) + 1 + displayWidth(String(word)) > columns {
            lines.append(line)
            line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines
}

import Foundation

// The cells of a table as they are written, and what they mean.
extension SiteTable {
    /// A line's cells, with their quotes, and how the line ends. An empty line has one empty cell.
    struct Line: Sendable {
        var cells: [String]
        var end: String
    }

    /// The sign by which the first line has a column `name`, and the most columns.
    static func separator(of text: String) -> Unicode.Scalar {
        var best: (separator: Unicode.Scalar, count: Int) = (",", 0)
        for separator: Unicode.Scalar in [",", ";", "\t"] {
            let cells = (try? split(text, separator, limit: 1))?.first?.cells ?? []
            let hasName = cells.contains { plain($0).lowercased() == "name" }
            if hasName, cells.count > best.count { best = (separator, cells.count) }
        }
        return best.separator
    }

    /// Parts a text into lines and cells. Only CR, LF and both end a line. A cell that begins with a quote, after blanks at
    /// most, may hold separators and line ends up to the quote that closes it; a quote elsewhere is a letter like any other.
    ///
    /// - Throws: `Failure` with the line of a quote that is not closed.
    static func split(_ text: String, _ separator: Unicode.Scalar, limit: Int = .max) throws -> [Line] {
        var result: [Line] = []
        var cells: [String] = []
        var cell = String.UnicodeScalarView()
        /// Whether nothing but blanks stand in the cell so far.
        var isAtStart = true
        /// The line of the quote that is open.
        var quote: Int?
        var number = 1
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex, result.count < limit {
            let scalar = scalars[index]
            index = scalars.index(after: index)
            let isReturnBeforeFeed = scalar == "\r" && index < scalars.endIndex && scalars[index] == "\n"
            if scalar == "\n" || (scalar == "\r" && !isReturnBeforeFeed) { number += 1 }
            if quote != nil {
                if scalar == "\"" { quote = nil }
                cell.append(scalar)
                // A second quote at once stands for a quote in the cell, and leaves it open.
                if quote == nil, index < scalars.endIndex, scalars[index] == "\"" {
                    quote = number
                    cell.append(scalars[index])
                    index = scalars.index(after: index)
                }
            } else if scalar == separator {
                cells.append(String(cell))
                cell.removeAll()
                isAtStart = true
            } else if scalar == "\n" || scalar == "\r" {
                if isReturnBeforeFeed {
                    index = scalars.index(after: index)
                    number += 1
                }
                result.append(Line(cells: cells + [String(cell)], end: isReturnBeforeFeed ? "\r\n" : String(scalar)))
                cells = []
                cell.removeAll()
                isAtStart = true
            } else {
                if scalar == "\"", isAtStart { quote = number }
                if scalar != " " { isAtStart = false }
                cell.append(scalar)
            }
        }
        if let quote { throw Failure(description: "line \(quote): a quote opens a cell and is not closed") }
        if result.count < limit, !cells.isEmpty || !cell.isEmpty {
            result.append(Line(cells: cells + [String(cell)], end: ""))
        }
        return result
    }

    /// What a cell means: without its quotes, and without blanks around it.
    static func plain(_ cell: String) -> String {
        let cell = cell.trimmingCharacters(in: .whitespaces)
        let scalars = cell.unicodeScalars
        guard scalars.count >= 2, scalars.first == "\"", scalars.last == "\"" else { return cell }
        return String(scalars.dropFirst().dropLast()).replacingOccurrences(of: "\"\"", with: "\"")
            .trimmingCharacters(in: .whitespaces)
    }
}

/// The cells of a row.
public struct Cells: Sendable {
    private let bytes: [UInt8]
    /// Where each cell is written, its quotes with it.
    public let ranges: [Range<Int>]

    public init(_ bytes: [UInt8], separator: UInt8) {
        var ranges: [Range<Int>] = []
        var start = 0
        var index = 0
        var isAtStart = true
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\""), isAtStart, let closing = Self.closing(bytes, from: index + 1) {
                index = closing + 1
                isAtStart = false
                continue
            }
            if byte == separator {
                ranges.append(start..<index)
                start = index + 1
                isAtStart = true
            } else if byte != UInt8(ascii: " ") {
                isAtStart = false
            }
            index += 1
        }
        ranges.append(start..<bytes.count)
        self.bytes = bytes
        self.ranges = ranges
    }

    private static func closing(_ bytes: [UInt8], from first: Int) -> Int? {
        var index = first
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else { return index }
                index += 1
            }
            index += 1
        }
        return nil
    }

    /// What a cell says: without its quotes and the blanks around it. Empty for a cell that the row does not have.
    public subscript(index: Int) -> String {
        guard ranges.indices.contains(index) else { return "" }
        var cell = bytes[ranges[index]]
        func trim() {
            while let first = cell.first, first == 32 || (9...13).contains(first) { cell.removeFirst() }
            while let last = cell.last, last == 32 || (9...13).contains(last) { cell.removeLast() }
        }
        trim()
        let quote = UInt8(ascii: "\"")
        guard cell.count >= 2, cell.first == quote, cell.last == quote else {
            return String(decoding: cell, as: UTF8.self)
        }
        cell = cell.dropFirst().dropLast()
        trim()
        var plain: [UInt8] = []
        var index = cell.startIndex
        while index < cell.endIndex {
            plain.append(cell[index])
            index += cell[index] == quote && index + 1 < cell.endIndex && cell[index + 1] == quote ? 2 : 1
        }
        return String(decoding: plain, as: UTF8.self)
    }

    public var all: [String] { ranges.indices.map { self[$0] } }

    /// A text as a cell: in quotes where it holds what would part it.
    public static func written(_ text: String, separator: UInt8) -> [UInt8] {
        let utf8 = Array(text.utf8)
        let quote = UInt8(ascii: "\"")
        let isPlain = utf8.allSatisfy { $0 != separator && $0 != quote && $0 != 10 && $0 != 13 }
        if isPlain, utf8.first != 32, utf8.last != 32 { return utf8 }
        return [quote] + utf8.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    /// The row with as many cells as `count`, as they are written: missing ones are empty; those too many are part of the
    /// last.
    public func fitted(to count: Int, separator: UInt8) -> [UInt8] {
        if ranges.count <= count { return bytes + [UInt8](repeating: separator, count: count - ranges.count) }
        guard count > 0 else { return bytes }
        // Blanks or empty cells too many are what spreadsheets leave behind.
        if (count..<ranges.count).allSatisfy({ self[$0].isEmpty }) {
            return Array(bytes[..<ranges[count - 1].upperBound])
        }
        let first = ranges[count - 1].lowerBound
        return Array(bytes[..<first])
            + Self.written(String(decoding: bytes[first...], as: UTF8.self), separator: separator)
    }

    /// Whether cells that say something stand behind that many.
    public func overflow(_ count: Int) -> Bool {
        ranges.count > count && (count..<ranges.count).contains { !self[$0].isEmpty }
    }
}

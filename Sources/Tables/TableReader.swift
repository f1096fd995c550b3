/// Reads a table row by row, whatever its size: only the row at hand is in memory.
///
///     var reader = try TableReader(file, name: "sites.csv", form: .csv)
///     while let row = try reader.next() { ... }
///
/// Nothing of a table is lost: `head`, all rows with their `lead` and `end`, and `tail` are the table byte by byte, in UTF-8.
public struct TableReader {
    public let form: TableForm
    /// The sign between cells; a tab, comma, semicolon or bar.
    public private(set) var separator = UInt8(ascii: ",")
    /// What stands before the first row: a byte order mark and the line of the columns, or the beginning of a JSON array.
    public private(set) var head = TableRow()
    /// What stands behind the last row; known when `next` has given nil.
    public private(set) var tail: [UInt8] = []
    /// The columns of the first line; empty for JSON, and for a table without such a line.
    public private(set) var columns: [String] = []
    /// Bytes of the file up to the row at hand, about; more are read ahead.
    public var bytesRead: Int { max(stream.count - (buffer.count - start), 0) }

    private var stream: ByteStream
    private let name: String
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false
    private var line = 1
    private var sum = ByteSum()
    /// Rows that were looked at before they were asked for.
    private var ahead: [TableRow] = []

    /// The longest text within quotes, and the longest row.
    static let longestQuote = 1 << 20
    static let longestRow = 1 << 24

    /// Reads the head of a table.
    ///
    /// - Parameters:
    ///   - file: an open file or pipe, which the caller closes.
    ///   - name: what errors call it.
    ///   - encoding: nil to find out.
    ///   - hasHeader: whether the first line of a CSV table names the columns.
    ///   - check: called now and then while reading and waiting; what it throws ends the reading.
    /// - Throws: `TableFault` for what is no table of this form.
    public init(
        _ file: Int32, name: String, form: TableForm, encoding: TableEncoding? = nil, hasHeader: Bool = true,
        check: @escaping () throws -> Void = {}
    ) throws {
        try self.init(
            ByteStream(file, name: name, encoding: encoding, check: check), name: name, form: form, hasHeader: hasHeader
        )
    }

    /// Reads the head of a table whose bytes come from a function, such as one that unpacks a file.
    ///
    /// - Parameter read: writes some bytes and says how many; 0 at the end.
    /// - Throws: `TableFault` for what is no table of this form, and what `read` throws.
    public init(
        name: String, form: TableForm, encoding: TableEncoding? = nil, hasHeader: Bool = true,
        reading read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) throws {
        try self.init(
            ByteStream(name: name, encoding: encoding, check: {}, reading: read), name: name, form: form,
            hasHeader: hasHeader)
    }

    private init(_ bytes: ByteStream, name: String, form: TableForm, hasHeader: Bool) throws {
        self.form = form
        self.name = name
        stream = bytes
        if byte(0) == nil { try more() }
        while buffer.count < 3, try more() {}
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
            head.lead = Array(buffer[..<3])
            start = 3
        }
        switch form {
        case .csv, .tsv: try readColumns(hasHeader)
        case .geojson: try readOpening()
        case .ndjson: sum.add(head.lead)
        }
    }

    /// The next row; nil behind the last.
    public mutating func next() throws -> TableRow? {
        if !ahead.isEmpty { return ahead.removeFirst() }
        return try read()
    }

    /// The next rows without taking them, at most so many.
    public mutating func peek(_ count: Int) throws -> [TableRow] {
        while ahead.count < count, let row = try read() { ahead.append(row) }
        return Array(ahead.prefix(count))
    }

    private mutating func read() throws -> TableRow? {
        var row: TableRow?
        switch form {
        case .csv, .tsv: row = try delimited()
        case .ndjson: row = try jsonLine()
        case .geojson: row = try element()
        }
        guard var row else { return nil }
        sum.add(row.lead)
        sum.add(row.bytes)
        sum.add(row.end)
        row.sum = sum.value
        if row.damage == nil, String(validating: row.bytes, as: UTF8.self) == nil {
            row.damage = "holds letters that are not UTF-8"
        }
        if row.damage != nil { row.bytes = Array(String(decoding: row.bytes, as: UTF8.self).utf8) }
        return row
    }

    // MARK: Bytes

    /// The byte so far behind the row's start, if it is in memory.
    private func byte(_ offset: Int) -> UInt8? { start + offset < buffer.count ? buffer[start + offset] : nil }

    /// The byte so far behind the row's start; nil behind the end of the file.
    private mutating func at(_ offset: Int) throws -> UInt8? {
        while start + offset >= buffer.count { if try !more() { return nil } }
        return buffer[start + offset]
    }

    @discardableResult private mutating func more() throws -> Bool {
        guard !isAtEnd else { return false }
        if start > 1 << 16, start * 2 > buffer.count {
            buffer.removeFirst(start)
            start = 0
        }
        if try !stream.read(into: &buffer) { isAtEnd = true }
        return !isAtEnd
    }

    /// Takes so many bytes.
    private mutating func take(_ count: Int) -> [UInt8] {
        let bytes = Array(buffer[start..<min(start + count, buffer.count)])
        start += bytes.count
        return bytes
    }

    private static let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    private static let (quote, blank, tab) = (UInt8(ascii: "\""), UInt8(ascii: " "), UInt8(ascii: "\t"))

    /// How long a line end is that begins there: 0 where none does.
    private mutating func lineEnd(_ offset: Int) throws -> Int {
        guard let byte = try at(offset) else { return 0 }
        if byte == Self.feed { return 1 }
        guard byte == Self.carriage else { return 0 }
        return try at(offset + 1) == Self.feed ? 2 : 1
    }

    // MARK: Lines of cells

    private mutating func readColumns(_ hasHeader: Bool) throws {
        if form == .tsv { separator = Self.tab } else { separator = try guessedSeparator() }
        let mark = head.lead
        guard hasHeader else { return sum.add(mark) }
        guard var row = try delimited() else { return }
        row.lead = mark + row.lead
        if let damage = row.damage { throw TableFault("\(name), line \(row.line), which names the columns: \(damage)") }
        guard String(validating: row.bytes, as: UTF8.self) != nil else {
            throw TableFault(
                "\(name), line \(row.line): not in UTF-8: say how it is written, as with --encoding windows-1252")
        }
        head = row
        sum.add(row.lead)
        sum.add(row.bytes)
        sum.add(row.end)
        columns = Cells(row.bytes, separator: separator).all
    }

    /// The sign that parts the first line into the most cells.
    private mutating func guessedSeparator() throws -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        var offset = 0
        var hasText = false
        while let byte = try at(offset), offset < Self.longestRow {
            if byte == Self.quote { isQuoted.toggle() }
            if !isQuoted, byte == Self.feed || byte == Self.carriage {
                if hasText { break }
            } else if !isQuoted {
                if byte != Self.blank { hasText = true }
                counts[byte, default: 0] += 1
            }
            offset += 1
        }
        var best = (sign: UInt8(ascii: ","), count: 0)
        for sign in ",;\t|".utf8 where (counts[sign] ?? 0) > best.count { best = (sign, counts[sign] ?? 0) }
        return best.sign
    }

    /// A row of cells. A quote that opens a cell and is not closed, or is closed amid a text on a later line, would swallow
    /// the rows behind it: such a row ends at its first line end and is told as damaged.
    private mutating func delimited() throws -> TableRow? {
        var row = TableRow()
        row.lead = try blankLines()
        row.line = line
        guard try at(0) != nil else {
            tail = row.lead
            return nil
        }
        var offset = 0
        var isAtStart = true
        while let byte = try at(offset) {
            if byte == Self.quote, isAtStart {
                var firstEnd: Int?
                let closing = try closingQuote(from: offset + 1, &firstEnd)
                if let closing, closing.isClean || firstEnd == nil {
                    offset = closing.offset + 1
                    isAtStart = false
                    continue
                }
                row.damage = "a quote opens a cell and is not closed"
                row.hasOpenQuote = true
                if let firstEnd {
                    offset = firstEnd
                } else {
                    while try at(offset) != nil, offset < Self.longestRow { offset += 1 }
                }
                break
            }
            if byte == Self.feed || byte == Self.carriage { break }
            if byte == separator { isAtStart = true } else if byte != Self.blank { isAtStart = false }
            offset += 1
            guard offset < Self.longestRow else {
                throw TableFault("\(name), line \(line): no line end within 16 MB: it is no table of lines")
            }
        }
        let ending = try lineEnd(offset)
        row.bytes = take(offset)
        row.end = take(ending)
        line += Self.lines(row.bytes) + (ending > 0 ? 1 : 0)
        return row
    }

    /// Where the quote is that closes a cell, and whether the cell ends there; nil where none does within reason.
    private mutating func closingQuote(from first: Int, _ firstEnd: inout Int?) throws
        -> (offset: Int, isClean: Bool)?
    {
        var offset = first
        while let byte = try at(offset), offset - first < Self.longestQuote {
            if byte == Self.quote {
                if try at(offset + 1) == Self.quote {
                    offset += 2
                    continue
                }
                var next = offset + 1
                while try at(next) == Self.blank { next += 1 }
                let after = try at(next)
                return (
                    offset, after == nil || after == separator || after == Self.feed || after == Self.carriage
                )
            }
            if firstEnd == nil, byte == Self.feed || byte == Self.carriage { firstEnd = offset }
            offset += 1
        }
        return nil
    }

    /// Takes lines that hold nothing.
    private mutating func blankLines() throws -> [UInt8] {
        var taken: [UInt8] = []
        while true {
            let ending = try lineEnd(0)
            guard ending > 0 else { return taken }
            taken += take(ending)
            line += 1
        }
    }

    /// The line ends within a text.
    private static func lines(_ bytes: [UInt8]) -> Int {
        var count = 0
        for (index, byte) in bytes.enumerated() {
            if byte == feed || (byte == carriage && (index + 1 == bytes.count || bytes[index + 1] != feed)) {
                count += 1
            }
        }
        return count
    }

    // MARK: JSON

    private mutating func jsonLine() throws -> TableRow? {
        var row = TableRow()
        // A record separator may begin each line (RFC 8142).
        while let byte = try at(0), byte == 0x1E || Self.isSpace(byte) {
            if byte == Self.feed { line += 1 }
            row.lead += take(1)
        }
        row.line = line
        guard try at(0) != nil else {
            tail = row.lead
            return nil
        }
        var offset = 0
        while let byte = try at(offset), byte != Self.feed {
            offset += 1
            guard offset < Self.longestRow else {
                throw TableFault("\(name), line \(line): no line end within 16 MB: it has no JSON object a line")
            }
        }
        if offset > 0, byte(offset - 1) == Self.carriage { offset -= 1 }
        row.bytes = take(offset)
        row.end = take(try lineEnd(0))
        if !row.end.isEmpty { line += 1 }
        return row
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == blank || (9...13).contains(byte) }

    /// Takes everything up to the bracket that opens the array of the rows.
    private mutating func readOpening() throws {
        var offset = 0
        var depth = 0
        var word: [UInt8] = []
        var key: [UInt8] = []
        while let byte = try at(offset) {
            offset += 1
            switch byte {
            case Self.quote:
                word = []
                while let next = try at(offset), next != Self.quote {
                    if next == UInt8(ascii: "\\") { offset += 1 }
                    if word.count < 16 { word.append(next) }
                    offset += 1
                }
                offset += 1
            case UInt8(ascii: ":"): if depth == 1 { key = word }
            case UInt8(ascii: ","): if depth == 1 { key = [] }
            case UInt8(ascii: "["):
                if depth == 0 || (depth == 1 && key == Array("features".utf8)) {
                    head.bytes = take(offset)
                    sum.add(head.lead)
                    sum.add(head.bytes)
                    line += Self.lines(head.bytes)
                    return
                }
                depth += 1
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            guard offset < Self.longestRow else { break }
        }
        throw TableFault("\(name) is no GeoJSON feature collection, nor a JSON array of objects")
    }

    /// A value of the array.
    private mutating func element() throws -> TableRow? {
        guard tail.isEmpty else { return nil }
        var row = TableRow()
        while let byte = try at(0), Self.isSpace(byte) || byte == UInt8(ascii: ",") {
            if byte == Self.feed { line += 1 }
            row.lead += take(1)
        }
        row.line = line
        guard let first = try at(0) else { throw unended() }
        if first == UInt8(ascii: "]") {
            tail = row.lead
            while try at(0) != nil { tail += take(buffer.count - start) }
            return nil
        }
        var offset = 0
        var depth = 0
        while true {
            guard let byte = try at(offset) else { throw unended() }
            if byte == Self.quote {
                offset += 1
                while let next = try at(offset), next != Self.quote { offset += next == UInt8(ascii: "\\") ? 2 : 1 }
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                if depth == 0 { break }
                depth -= 1
                if depth == 0 {
                    offset += 1
                    break
                }
            } else if depth == 0, byte == UInt8(ascii: ",") || Self.isSpace(byte) {
                break
            }
            offset += 1
            guard offset < 4 * Self.longestRow else {
                throw TableFault(
                    "\(name), line \(line): an object is longer than 64 MB, or a quote in it is not closed")
            }
        }
        row.bytes = take(offset)
        line += Self.lines(row.bytes)
        return row
    }

    private func unended() -> TableFault {
        TableFault("\(name) ends within its list of rows, behind line \(line): the file is cut short")
    }
}

/// How a table is written.
public enum TableForm: String, Sendable, CaseIterable {
    /// Cells with commas, semicolons, tabs or bars between, as RFC 4180 has it.
    case csv
    /// The same with tabs, whatever the first line says.
    case tsv
    /// A JSON object a line; a GeoJSON feature a line is one too.
    case ndjson
    /// A GeoJSON feature collection, or a JSON array of objects.
    case geojson

    /// The form that the ending of a file's name stands for; nil for another ending or none.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return nil }
        switch path[path.index(after: dot)...].lowercased() {
        case "csv": self = .csv
        case "tsv", "tab": self = .tsv
        case "ndjson", "jsonl", "ldjson", "jsonlines", "geojsonl", "geojsonseq", "geojsons": self = .ndjson
        case "geojson", "json": self = .geojson
        default: return nil
        }
    }
}

/// In which letters a table is written.
public enum TableEncoding: String, Sendable, CaseIterable {
    case utf8 = "utf-8"
    /// With a byte order mark, or little end first without one.
    case utf16 = "utf-16"
    /// Western European, as older Windows programs write it.
    case windows1252 = "windows-1252"
}

/// Why a table cannot be read any further.
public struct TableFault: Error, Equatable, CustomStringConvertible {
    /// What is wrong, where, and what may be done.
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// A row as it is written.
public struct TableRow: Sendable, Equatable {
    /// What stands before it and is no row: blank lines, or the comma and the blanks between two JSON values.
    public var lead: [UInt8] = []
    /// The row without its line end, in UTF-8.
    public var bytes: [UInt8] = []
    /// Its line end; empty at the end of a file, and in JSON arrays.
    public var end: [UInt8] = []
    /// The line that it begins in, counted from 1.
    public var line = 1
    /// Why the row cannot be read; nil where it can.
    public var damage: String?
    /// Whether a quote opens a cell and is not closed, so that the row must not be written among others as it is.
    public var hasOpenQuote = false
    /// A sum over everything up to the end of this row, by which two runs know that they read the same.
    public var sum: UInt64 = 0
}

/// A running sum over bytes (FNV-1a, 64 bits): tells whether two texts are the same where nobody means to deceive.
public struct ByteSum: Sendable, Equatable {
    public private(set) var value: UInt64

    public init(_ value: UInt64 = 0xcbf2_9ce4_8422_2325) { self.value = value }

    public mutating func add(_ bytes: [UInt8]) { add(bytes[...]) }

    public mutating func add(_ bytes: ArraySlice<UInt8>) {
        var sum = value
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
        value = sum
    }
}

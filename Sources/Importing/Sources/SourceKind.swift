import Foundation
import Tables

/// What a file to import is, told by its content.
public enum SourceKind: Sendable, Equatable {
    /// An extract of OpenStreetMap, in whatever form.
    case openStreetMap
    /// A GeoNames dump: 19 columns between tabs (`GeoNamesTable`).
    case geoNames
    /// GeoNames' postal codes of a country: 12 columns between tabs (`PostcodeTable`).
    case postcodes
    /// Addresses or points of interest, a row each (`RegisterTable`).
    case table(TableForm)

    /// Looks at the first 64 kB of a file, unpacked where gzip packed it. What is named as an extract of OpenStreetMap is
    /// one, and so is a pipe.
    ///
    /// - Throws: `ImportError.unclearFile` where the content tells none of the kinds, `TableError` for a file that cannot be
    ///   read.
    public init(path: String) throws {
        let name = URL(fileURLWithPath: path).lastPathComponent.lowercased()
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
        if attributes?[.type] as? FileAttributeType == .typeDirectory {
            throw ImportError.unclearFile(path, reason: "it is a folder")
        }
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        if Self.extractEndings.contains(where: name.hasSuffix) || !isFile {
            self = .openStreetMap
            return
        }
        let file = try GzipFile(path: path)
        var head = [UInt8](repeating: 0, count: 1 << 16)
        var size = 0
        while size < head.count {
            let count = try head.withUnsafeMutableBytes {
                try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[size...]))
            }
            if count == 0 { break }
            size += count
        }
        guard let kind = try Self.kind(of: Array(head[..<size]), path: path) else {
            throw ImportError.unclearFile(
                path,
                reason: size == 0
                    ? "it is empty"
                    : "it is no OpenStreetMap file, no GeoNames table (19 columns, or 12 of postal codes), no GeoJSON, and no "
                        + "table of text with columns between commas, semicolons or tabs")
        }
        self = kind
    }

    private static let extractEndings = [
        ".pbf", ".osm", ".osm.gz", ".osm.bz2", ".osm.xml", ".o5m", ".osc", ".osc.gz", ".osc.bz2", ".opl", ".osh",
    ]

    static func kind(of head: [UInt8], path: String) throws -> SourceKind? {
        if head.starts(with: Array("BZh".utf8)) || head.starts(with: [0xFF, 0xE0, 0x04]) { return .openStreetMap }
        if head.prefix(64).split(separator: 0x0A).contains(where: { $0.starts(with: Array("\tOSMHeader".utf8)) }) {
            return .openStreetMap
        }
        var text = head[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        while let first = text.first, first == 0x20 || (9...13).contains(first) { text = text.dropFirst() }
        guard let first = text.first else { return nil }
        if first == UInt8(ascii: "<") {
            return String(decoding: text.prefix(4096), as: UTF8.self).contains("<osm") ? .openStreetMap : nil
        }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .table(jsonForm(text, path: path)) }
        let isUTF16 = head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
        guard isUTF16 || !text.prefix(4096).contains(0) else { return nil }
        // A cut last line says nothing.
        var lines = text.split(separator: 0x0A, maxSplits: 12)
        if lines.count > 1 { lines.removeLast() }
        for line in lines where line.first != UInt8(ascii: "#") {
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
            if fields.count == 19, isNumber(fields[0]) { return .geoNames }
            if fields.count == 12, fields[0].count == 2, fields[0].allSatisfy({ (0x41...0x5A).contains($0) }),
                isNumber(fields[9]), isNumber(fields[10])
            {
                return .postcodes
            }
        }
        guard let line = lines.first, isUTF16 || line.contains(where: { ",;\t|".utf8.contains($0) }) else { return nil }
        return .table(.csv)
    }

    private static func isNumber(_ field: ArraySlice<UInt8>) -> Bool {
        Double(String(decoding: field, as: UTF8.self).trimmingCharacters(in: .whitespaces)) != nil
    }

    /// Whether JSON comes as an object a line or as one collection.
    private static func jsonForm(_ text: ArraySlice<UInt8>, path: String) -> TableForm {
        if text.first == UInt8(ascii: "[") { return .geojson }
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        if let object = try? JSONObjectText(Array(line)) {
            return object.range("features") == nil ? .ndjson : .geojson
        }
        // A line that is longer than what was read, or a collection over many lines.
        let isCollection = String(decoding: text.prefix(8192), as: UTF8.self).contains("\"features\"")
        if !isCollection, line.count == text.count, TableForm(path: path) == .ndjson { return .ndjson }
        return .geojson
    }
}

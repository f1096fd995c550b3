import Foundation
import Importing
import Tables

/// What the options of `sextant import` say of the tables among its files.
enum SourceOptions {
    private static let names = ["--source-name", "--licence", "--attribution", "--encoding", "--columns"]

    /// By the files as they are written. An option that begins with a file's name and a colon is about that file, any other
    /// about all tables of addresses and points.
    static func descriptions(_ arguments: Arguments) throws -> [String: SourceDescription] {
        var descriptions: [String: SourceDescription] = [:]
        guard names.contains(where: { arguments.has($0) }) else { return [:] }
        let tables = try arguments.words.filter { file in
            guard FileManager.default.isReadableFile(atPath: file) else { return false }
            if case .table = try SourceKind(path: file) { return true }
            return false
        }
        for name in names {
            // What is about all goes before what is about one.
            var general: String?
            for text in arguments.all(name) {
                if let (file, value) = about(text, arguments.words) {
                    try say(name, value, of: file, &descriptions)
                } else if general == nil {
                    general = text
                } else {
                    throw UsageError("\(name) is given twice; say of which file each is: \(name) FILE:TEXT")
                }
            }
            guard let general else { continue }
            guard !tables.isEmpty else {
                // What cannot be read says so itself when it is imported.
                guard arguments.words.allSatisfy(isReadableFile) else { continue }
                throw UsageError("\(name) goes with a table of addresses or points, and none of the files is one")
            }
            for file in tables where !isSaid(name, of: file, descriptions) {
                try say(name, general, of: file, &descriptions)
            }
        }
        return descriptions
    }

    private static func isReadableFile(_ file: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isReadableFile(atPath: file)
    }

    /// The file that a text is about, and what it says; nil where it begins with no file's name.
    private static func about(_ text: String, _ files: [String]) -> (file: String, value: String)? {
        let named = files.flatMap { file in
            [(file, file), (file, URL(fileURLWithPath: file).lastPathComponent)]
        }.filter { text.hasPrefix($0.1 + ":") }
        return named.max { $0.1.count < $1.1.count }.map { ($0.0, String(text.dropFirst($0.1.count + 1))) }
    }

    private static func isSaid(_ name: String, of file: String, _ descriptions: [String: SourceDescription]) -> Bool {
        guard let known = descriptions[file] else { return false }
        switch name {
        case "--source-name": return known.name != nil
        case "--licence": return known.licence != nil
        case "--attribution": return known.attribution != nil
        case "--encoding": return known.encoding != nil
        default: return !known.columns.isEmpty
        }
    }

    private static func say(
        _ name: String, _ value: String, of file: String, _ descriptions: inout [String: SourceDescription]
    ) throws {
        let value = String(value.trimmed)
        guard !value.isEmpty, value.utf8.count <= 1_000 else {
            throw UsageError("\(name) wants a text of at most 1,000 letters")
        }
        guard !isSaid(name, of: file, descriptions) else { throw UsageError("\(name) is given twice for \(file)") }
        var known = descriptions[file] ?? SourceDescription()
        switch name {
        case "--source-name": known.name = value
        case "--licence": known.licence = value
        case "--attribution": known.attribution = value
        case "--encoding":
            guard let encoding = TableEncoding(rawValue: value.lowercased()) else {
                let known = TableEncoding.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--encoding is one of \(known), not \"\(value)\"")
            }
            known.encoding = encoding
        default: known.columns = try columns(value)
        }
        descriptions[file] = known
    }

    /// Reads `street=STR,number=HNR`.
    static func columns(_ text: String) throws -> [String: String] {
        var columns: [String: String] = [:]
        for item in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, case let word = String(sides[0].trimmed), !word.isEmpty,
                case let column = String(sides[1].trimmed), !column.isEmpty
            else { throw UsageError("--columns wants WHAT=COLUMN,WHAT=COLUMN ..., not \"\(item)\"") }
            guard columns.updateValue(column, forKey: word) == nil else {
                throw UsageError("--columns names \(word) twice")
            }
        }
        return columns
    }
}

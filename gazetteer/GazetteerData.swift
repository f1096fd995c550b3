import Foundation

/// Where the data files that the product carries are found: lexicons, country facts, sources of the built-in atlases.
///
///     let table = try GazetteerData.url("countries.tsv")
///
/// A file is looked for, in this order, and the first place that has it answers:
///
/// 1. in the folder that the environment variable `SEXTANT_DATA` names,
/// 2. beside the program: `gazetteer/`, the resource bundle that SwiftPM puts there, or `../share/sextant/`,
/// 3. in `/usr/share/sextant/`,
/// 4. in the folder that this package was built from.
public enum GazetteerData {
    /// The name of the resource bundle that SwiftPM makes of this target.
    static let bundleName = "sextant_GazetteerData.resources"

    /// The folders to look in, best first, given the environment and the program's path.
    static func folders(environment: [String: String], program: String) -> [URL] {
        var folders: [URL] = []
        if let named = environment["SEXTANT_DATA"], !named.isEmpty {
            folders.append(URL(fileURLWithPath: named, isDirectory: true))
        }
        if !program.isEmpty {
            let beside = URL(fileURLWithPath: program).deletingLastPathComponent()
            folders.append(beside.appendingPathComponent("gazetteer", isDirectory: true))
            folders.append(beside.appendingPathComponent(bundleName, isDirectory: true))
            folders.append(
                beside.deletingLastPathComponent().appendingPathComponent("share/sextant", isDirectory: true))
        }
        folders.append(URL(fileURLWithPath: "/usr/share/sextant", isDirectory: true))
        folders.append(URL(fileURLWithPath: #filePath).deletingLastPathComponent())
        return folders
    }

    /// The file or folder at `relativePath` ("countries.tsv", "towns/monaco.osm.pbf").
    ///
    /// - Throws: `GazetteerDataError` with the folders looked in, where none has it, and where the path is absolute or
    ///   leads upwards.
    public static func url(_ relativePath: String) throws -> URL {
        let parts = relativePath.split(separator: "/", omittingEmptySubsequences: false)
        guard !relativePath.isEmpty, !parts.contains(".."), !relativePath.hasPrefix("/") else {
            throw GazetteerDataError(file: relativePath, folders: [])
        }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let folders = folders(environment: ProcessInfo.processInfo.environment, program: program)
        for folder in folders {
            let candidate = folder.appendingPathComponent(relativePath)
            if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
        }
        throw GazetteerDataError(file: relativePath, folders: folders.map(\.path))
    }

    /// The bytes of the file at `relativePath`.
    public static func contents(_ relativePath: String) throws -> Data {
        try Data(contentsOf: url(relativePath))
    }
}

/// A data file of the product that is nowhere to be found.
public struct GazetteerDataError: Error, CustomStringConvertible {
    /// The path asked for.
    public var file: String
    /// The folders that were looked in.
    public var folders: [String]

    public var description: String {
        guard !folders.isEmpty else { return "\"\(file)\" is not a path inside the data folder" }
        return "the data file \"\(file)\" is missing; looked in " + folders.joined(separator: ", ")
            + " (SEXTANT_DATA may name another folder)"
    }
}

import Foundation

/// Where the shared data and cases lie: `SEXTANT_SHARED`, else the folder `shared` beside the package.
///
/// They are no part of the package; tests that need them skip, and say so, where they are absent.
enum SharedCases {
    static var folder: URL {
        if let path = ProcessInfo.processInfo.environment["SEXTANT_SHARED"], !path.isEmpty {
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared", isDirectory: true)
    }

    /// A file below the folder `cases`; nil where it is absent.
    static func data(_ path: String) -> Data? {
        try? Data(contentsOf: folder.appendingPathComponent("cases").appendingPathComponent(path))
    }
}

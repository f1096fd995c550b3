/// What can be wrong with an atlas, or with writing one.
public enum AtlasError: Error, Equatable, CustomStringConvertible {
    /// Nothing is there under that path.
    case noSuchAtlas(String)
    /// Something is there, but it is no atlas; it is left alone.
    case notAnAtlas(String, reason: String)
    /// Truncated, mixed or altered files.
    case damagedAtlas(file: String, reason: String)
    /// Written by a newer Sextant.
    case newerFormat(String, found: Int, known: Int)
    /// Written by an older Sextant; it has to be imported again.
    case oldFormat(String, found: Int, known: Int)
    /// Another process is writing this atlas.
    case busy(String)
    /// The disk is full; nothing was left behind.
    case diskFull(String)
    /// The system refused an operation.
    case system(operation: String, path: String, reason: String)

    public var description: String {
        switch self {
        case .noSuchAtlas(let path): "no atlas at \(path)"
        case .notAnAtlas(let path, let reason): "\(path) is not an atlas: \(reason)"
        case .damagedAtlas(let file, let reason): "damaged atlas: \(file): \(reason); import it again"
        case .newerFormat(let path, let found, let known):
            "\(path) has format \(found), newer than \(known), which this Sextant reads; update Sextant"
        case .oldFormat(let path, let found, let known):
            "\(path) has the old format \(found), this Sextant reads \(known); import it again"
        case .busy(let path): "another process is writing \(path)"
        case .diskFull(let path): "the disk is full; nothing of \(path) was kept"
        case .system(let operation, let path, let reason): "cannot \(operation) \(path): \(reason)"
        }
    }
}

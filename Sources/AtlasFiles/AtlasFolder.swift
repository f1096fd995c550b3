import CFiles
import Foundation
import Geometry
import Glibc

/// An atlas opened for reading: its folder held open, its manifest read and checked against the sizes of its files.
///
/// Everything is reached from the held folder, so an atlas that is exchanged under a reader stays whole for it. Costs a
/// few system calls; no data file is read.
public final class AtlasFolder: Sendable {
    public static let gazetteer = "gazetteer.sqlite"
    public static let roads = "roads.graph"
    /// What a profile's ways cost: "metrics/car.metric".
    public static func metric(of profile: String) -> String { "metrics/\(profile).metric" }

    /// As it was given.
    public let path: String
    public let manifest: Manifest
    private let descriptor: Int32

    public init(path: String) throws {
        var opened = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if opened < 0, errno == ENOENT, try AtlasWriter.repairFromReader(path: path) {
            opened = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        guard opened >= 0 else {
            switch errno {
            case ENOENT: throw AtlasError.noSuchAtlas(path)
            case ENOTDIR:
                throw AtlasError.notAnAtlas(path, reason: "it is a file; an atlas is a folder made by `sextant import`")
            default: throw AtlasError.failed("open", path)
            }
        }
        do {
            manifest = try Self.readManifest(opened, path)
            for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) {
                guard Self.isPlain(name) else {
                    throw AtlasError.damagedAtlas(file: Manifest.fileName, reason: "names a file outside the atlas")
                }
                var status = stat()
                guard fstatat(opened, name, &status, 0) == 0 else {
                    throw AtlasError.damagedAtlas(file: "\(path)/\(name)", reason: "is missing")
                }
                guard status.st_mode & S_IFMT == S_IFREG else {
                    throw AtlasError.damagedAtlas(file: "\(path)/\(name)", reason: "is no plain file")
                }
                guard Int(status.st_size) == file.size else {
                    throw AtlasError.damagedAtlas(
                        file: "\(path)/\(name)", reason: "has \(status.st_size) bytes instead of \(file.size)")
                }
            }
        } catch {
            close(opened)
            throw error
        }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Whether the atlas has that file.
    public func has(_ name: String) -> Bool { manifest.files[name] != nil }

    /// A path that leads into the held folder, even if another atlas stands under `path` by now. Linux only.
    public func path(of name: String) -> String { "/proc/self/fd/\(descriptor)/\(name)" }

    /// Opens one of the files for reading; the caller closes it.
    public func openFile(_ name: String) throws -> Int32 {
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw AtlasError.failed("open", "\(path)/\(name)") }
        guard Self.isRegular(file) else {
            close(file)
            throw AtlasError.damagedAtlas(file: "\(path)/\(name)", reason: "is no plain file")
        }
        return file
    }

    /// What the sources cover together.
    public func covers(_ point: Coordinate) -> Bool { manifest.sources.contains { $0.coverage.contains(point) } }

    /// Reads every file and compares the checksums; throws at the first that does not fit. `progress` hears of each piece
    /// read, in bytes.
    public func verify(progress: ((Int) throws -> Void)? = nil) throws {
        let again = try Self.readManifest(descriptor, path)
        guard again == manifest else {
            throw AtlasError.damagedAtlas(file: "\(path)/\(Manifest.fileName)", reason: "changed while open")
        }
        for (name, file) in manifest.files.sorted(by: { $0.key < $1.key }) {
            let opened = try openFile(name)
            defer { close(opened) }
            let found = try SHA256.hash(fileDescriptor: opened, path: "\(path)/\(name)", each: progress)
            guard found.size == file.size, found.sha256 == file.sha256 else {
                throw AtlasError.damagedAtlas(
                    file: "\(path)/\(name)", reason: "its checksum does not fit the manifest's")
            }
        }
    }

    private static func isRegular(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("/")
            && !name.split(separator: "/", omittingEmptySubsequences: false).contains {
                $0.isEmpty || $0 == ".." || $0 == "."
            }
    }

    private static func readManifest(_ folder: Int32, _ path: String) throws -> Manifest {
        let file = openat(folder, Manifest.fileName, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { throw AtlasError.notAnAtlas(path, reason: "it has no \(Manifest.fileName)") }
            throw AtlasError.failed("open", "\(path)/\(Manifest.fileName)")
        }
        defer { close(file) }
        guard isRegular(file) else {
            throw AtlasError.damagedAtlas(file: "\(path)/\(Manifest.fileName)", reason: "is no plain file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &buffer, buffer.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw AtlasError.failed("read", "\(path)/\(Manifest.fileName)")
            }
            if count == 0 { break }
            bytes += buffer[..<count]
            if bytes.count > 1 << 28 {
                throw AtlasError.damagedAtlas(
                    file: "\(path)/\(Manifest.fileName)", reason: "is larger than any manifest")
            }
        }
        return try Manifest.decode(bytes, path: "\(path)/\(Manifest.fileName)")
    }
}

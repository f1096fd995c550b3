import CFiles
import Foundation
import Glibc

/// Writes an atlas beside its place and puts it there in one step.
///
/// The files are made in a hidden sibling folder, `.NAME.new-XXXXXXXX`; `finish` syncs them, makes them read-only, writes
/// the manifest, and exchanges the folder with what stood there before (`renameat2` with `RENAME_EXCHANGE`), which it
/// then removes. A crash at any moment leaves the old atlas whole, or the new one, or nothing. Leftovers of killed
/// writers are removed by the next one. A lock on `.NAME.lock` keeps two writers apart; readers take no lock.
///
/// Only an atlas, an empty folder or nothing is ever replaced.
public final class AtlasWriter {
    /// The moments at which a crash is tested.
    public enum Step: String, CaseIterable, Sendable {
        case started, filesWritten, filesSynced, manifestWritten, folderSynced, exchanged, oldMovedAside, newInPlace,
            oldRemoved
    }

    /// Where the atlas will stand.
    public let path: String
    /// The folder to write the files into.
    public let workingPath: String
    /// Called as each step is reached.
    public var reached: (Step) -> Void = { _ in }
    /// Takes the way of file systems that cannot exchange two folders; for tests.
    public var withoutExchange = false

    private let lock: FolderLock
    private var isDone = false

    /// Takes the lock and makes the working folder.
    ///
    /// - Parameter waiting: whether to wait for another writer of the same atlas instead of throwing `busy`.
    public init(path given: String, waiting: Bool = false) throws {
        var trimmed = given
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        path = trimmed
        let parent = Self.parent(of: trimmed)
        let name = Self.name(of: trimmed)
        guard !name.isEmpty, name != ".", name != ".." else {
            throw AtlasError.notAnAtlas(given, reason: "an atlas needs a name of its own")
        }
        try FileManager.default.makeFolder(parent)
        lock = try FolderLock(path: "\(parent)/.\(name).lock", atlas: trimmed, waiting: waiting)
        _ = try Self.repair(path: trimmed)
        try Self.checkReplaceable(trimmed)
        for leftover in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where Self.isLeftover(leftover, of: name) {
            Self.remove("\(parent)/\(leftover)")
        }
        let number = String(UInt32.random(in: .min ... .max), radix: 16)
        workingPath = "\(parent)/.\(name).new-\(number)"
        guard mkdir(workingPath, 0o755) == 0 else { throw AtlasError.failed("make the folder", workingPath) }
    }

    /// Where to write one of the atlas's files.
    public func path(of name: String) -> String { "\(workingPath)/\(name)" }

    /// Makes a folder within the atlas's.
    public func makeFolder(_ name: String) throws {
        guard mkdir(path(of: name), 0o755) == 0 || errno == EEXIST else {
            throw AtlasError.failed("make the folder", path(of: name))
        }
    }

    /// Syncs, seals and puts the atlas in its place; the writer is used up.
    @discardableResult
    public func finish(_ manifest: Manifest, files: [String]) throws -> Manifest {
        var manifest = manifest
        reached(.filesWritten)
        for name in files {
            let file = path(of: name)
            let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw AtlasError.failed("open", file) }
            defer { close(descriptor) }
            guard fsync(descriptor) == 0 else { throw AtlasError.failed("sync", file) }
            let (sum, size) = try SHA256.hash(fileDescriptor: descriptor, path: file)
            manifest.files[name] = Manifest.File(size: size, sha256: sum)
            guard fchmod(descriptor, 0o444) == 0 else { throw AtlasError.failed("protect", file) }
        }
        reached(.filesSynced)
        try Self.write(try manifest.encoded(), to: path(of: Manifest.fileName))
        reached(.manifestWritten)
        for folder in Set(files.map { Self.parent(of: path(of: $0)) }).sorted() where folder != workingPath {
            try Self.sync(folder: folder)
        }
        try Self.sync(folder: workingPath)
        reached(.folderSynced)
        try putInPlace()
        isDone = true
        return manifest
    }

    private func putInPlace() throws {
        let parent = Self.parent(of: path)
        if !Self.exists(path) {
            guard rename(workingPath, path) == 0 else { throw AtlasError.failed("move into place", path) }
            reached(.newInPlace)
            try Self.sync(folder: parent)
            return
        }
        if !withoutExchange, sx_rename_exchange(workingPath, path) == 0 {
            reached(.exchanged)
            try Self.sync(folder: parent)
            Self.remove(workingPath)
        } else {
            // Some file systems know no exchange: for a moment nothing stands under the name. `repair` mends a crash there.
            let old = "\(parent)/.\(Self.name(of: path)).old"
            guard rename(path, old) == 0 else { throw AtlasError.failed("move aside", path) }
            reached(.oldMovedAside)
            guard rename(workingPath, path) == 0 else {
                let failure = AtlasError.failed("move into place", path)
                _ = rename(old, path)
                throw failure
            }
            reached(.newInPlace)
            try Self.sync(folder: parent)
            Self.remove(old)
        }
        reached(.oldRemoved)
    }

    deinit { if !isDone { Self.remove(workingPath) } }

    /// Whether a hidden folder was left by a killed writer of this atlas: `.NAME.old`, or `.NAME.new-` with a number.
    private static func isLeftover(_ folder: String, of name: String) -> Bool {
        if folder == ".\(name).old" { return true }
        let start = ".\(name).new-"
        guard folder.hasPrefix(start) else { return false }
        let number = folder.dropFirst(start.count)
        return (1...8).contains(number.utf8.count) && number.allSatisfy { $0.isHexDigit }
    }

    /// The same for a reader, who must not disturb a writer that is just between moving the old atlas aside and putting
    /// the new one in its place: where one is at work, waits for it.
    static func repairFromReader(path given: String) throws -> Bool {
        var path = given
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard !exists(path), exists("\(parent(of: path))/.\(name(of: path)).old") else { return exists(path) }
        guard
            let lock = try? FolderLock(path: "\(parent(of: path))/.\(name(of: path)).lock", atlas: path, waiting: true)
        else { return false }
        return try withExtendedLifetime(lock) { try repair(path: path) || exists(path) }
    }

    /// Puts an atlas back that a crash left under `.NAME.old`. True where there was one.
    static func repair(path: String) throws -> Bool {
        let old = "\(parent(of: path))/.\(name(of: path)).old"
        guard !exists(path), exists(old) else { return false }
        guard sx_rename_noreplace(old, path) == 0 || rename(old, path) == 0 else {
            throw AtlasError.failed("put back", path)
        }
        return true
    }

    private static func checkReplaceable(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw AtlasError.failed("look at", path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw AtlasError.notAnAtlas(path, reason: "it is a file, which is left alone; choose another name")
        }
        let inside = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard inside?.isEmpty == true || inside?.contains(Manifest.fileName) == true else {
            throw AtlasError.notAnAtlas(
                path, reason: "it is a folder with other things in it, which is left alone; choose another name")
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o444)
        guard file >= 0 else { throw AtlasError.failed("create", path) }
        defer { close(file) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw AtlasError.failed("write", path)
            }
            offset += count
        }
        guard fsync(file) == 0 else { throw AtlasError.failed("sync", path) }
    }

    private static func sync(folder: String) throws {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AtlasError.failed("open", folder) }
        defer { close(descriptor) }
        // Some file systems cannot sync a folder and say EINVAL; there is nothing more that could be done there.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw AtlasError.failed("sync", folder) }
    }

    private static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }
}

/// An exclusive `flock` on a file that is removed when the lock is given back.
private final class FolderLock {
    private let path: String
    private let descriptor: Int32

    init(path: String, atlas: String, waiting: Bool) throws {
        self.path = path
        while true {
            let opened = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard opened >= 0 else { throw AtlasError.failed("lock", path) }
            while flock(opened, LOCK_EX | (waiting ? 0 : LOCK_NB)) != 0 {
                if errno == EINTR { continue }
                let busy = errno == EWOULDBLOCK
                let failure = AtlasError.failed("lock", path)
                close(opened)
                throw busy ? AtlasError.busy(atlas) : failure
            }
            // The file may have been removed by its last holder while we waited: then the lock holds nobody off.
            var here = stat()
            var there = stat()
            if fstat(opened, &here) == 0, stat(path, &there) == 0, here.st_ino == there.st_ino {
                descriptor = opened
                return
            }
            close(opened)
        }
    }

    deinit {
        unlink(path)
        close(descriptor)
    }
}

extension FileManager {
    fileprivate func makeFolder(_ path: String) throws {
        do {
            try createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw AtlasError.system(operation: "make the folder", path: path, reason: error.localizedDescription)
        }
    }
}

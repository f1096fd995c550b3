import Foundation

// Replacing the file of a table.
extension SiteTable {
    /// Writes the table in one step: where that fails, the old file is whole. The file keeps its mode and, where that may
    /// be, its owner; a symbolic link stays, and what it leads to is written.
    ///
    /// - Throws: `Failure` where the file may not be written, or is no longer what was read.
    func save(to url: URL) throws {
        func failure(_ reason: String) -> Failure {
            Failure(description: "\(url.path) could not be saved and is as it was: \(reason)")
        }
        func systemFailure() -> Failure { failure(String(cString: strerror(errno))) }
        guard let resolved = realpath(url.path, nil) else { throw systemFailure() }
        defer { free(resolved) }
        let path = String(cString: resolved)
        var status = stat()
        guard stat(path, &status) == 0 else { throw systemFailure() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("it is no regular file") }
        // The superuser may write everything; a file that nobody may write is meant to stay.
        guard status.st_mode & 0o222 != 0, access(path, W_OK) == 0 else { throw failure("it is read-only") }

        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let draft = "\(folder)/.site-schedule-\(UUID().uuidString)"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw systemFailure() }
        var isInPlace = false
        defer { if !isInPlace { unlink(draft) } }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(text.utf8))
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            guard fchmod(descriptor, status.st_mode & 0o7777) == 0 else { throw systemFailure() }
            try file.synchronize()
            try file.close()
        } catch let error as Failure { throw error } catch { throw failure(error.localizedDescription) }
        guard (try? Data(contentsOf: URL(fileURLWithPath: path))) == original else {
            throw Failure(
                description: "\(url.path) was changed since it was read: nothing is written. Run it again.")
        }
        guard rename(draft, path) == 0 else { throw systemFailure() }
        isInPlace = true
    }
}

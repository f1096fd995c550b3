import Foundation
import Tables

/// How far a table is done: what a run that goes on has to know.
struct TableProgress: Codable, Equatable {
    /// The version of this file.
    var version = 1
    /// What the run was told: a run that is told otherwise does not go on with it.
    var task: String
    /// Rows that are written, and the sum over what was read for them (`TableRow.sum`).
    var rows = 0
    var read: UInt64 = 0
    /// Bytes of the unfinished table up to there, and the sum over them.
    var bytes: UInt64 = 0
    var written = ByteSum().value
    /// Rows by how they ended, and whose data they hold.
    var outcomes: [String: Int] = [:]
    var attributions: Set<String> = []
    /// Seconds of work.
    var seconds = 0.0
}

/// Why a table cannot be written.
struct TableOutputError: Error, CustomStringConvertible {
    var description: String
}

/// Nobody reads the pipe any more.
struct ReaderGone: Error {}

/// Where the rows go: to standard output, or to a file that stands there whole at the end or not at all.
///
/// The rows wait in `NAME.part`. Once a second all of them are on the disk, and `NAME.part.state` tells how many they are and
/// over what (`TableProgress`): it is exchanged in one step after them. Whatever ends the program, the next run cuts what
/// stands behind the last state, and goes on from there.
final class TableOutput {
    let path: String?
    private(set) var progress: TableProgress
    /// Whether an earlier run's rows are kept.
    private(set) var isContinued = false
    private let file: Int32
    private var buffer: [UInt8] = []
    private var sum = ByteSum()
    private var saved = ContinuousClock.now
    private var started = ContinuousClock.now
    private var secondsBefore = 0.0
    /// Rows between two states; nil for one a second. Tests set it.
    var rowsBetweenStates: Int?
    /// Called after each row; tests and fault points end the run there.
    var reached: (Int) throws -> Void = { _ in }
    private var rowsSinceState = 0

    private var part: String { (path ?? "") + ".part" }
    private var state: String { part + ".state" }

    /// Opens the output, and finds what an earlier run has left.
    ///
    /// - Parameters:
    ///   - path: nil for standard output.
    ///   - restarting: whether what was left is thrown away.
    /// - Throws: `UsageError` where what was left belongs to another task; `TableOutputError` where the file cannot be written.
    init(path: String?, task: String, restarting: Bool) throws {
        progress = TableProgress(task: task)
        self.path = path
        guard let path else {
            file = 1
            return
        }
        file = open(path + ".part", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Self.failure("cannot write \(path).part") }
        // An object that is whole is taken apart as any other where its initialiser throws: that closes the file.
        try adopt(restarting)
    }

    private func adopt(_ restarting: Bool) throws {
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            throw TableOutputError(description: "another run is writing \(part); wait for it, or stop it first")
        }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.failure("cannot read \(part)") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TableOutputError(description: "\(part) is no regular file")
        }
        if restarting || status.st_size == 0 {
            try startAnew()
            return
        }
        let again = "; --restart throws it away and begins again"
        guard let data = FileManager.default.contents(atPath: state),
            let left = try? JSONDecoder().decode(TableProgress.self, from: data), left.version == progress.version
        else { throw UsageError("\(part) was left behind, and no \(state) that tells what it is" + again) }
        guard left.task == progress.task else {
            throw UsageError(
                "\(part) was left behind by a run that was told otherwise (\(Self.difference(left.task, progress.task)))"
                    + again)
        }
        guard UInt64(status.st_size) >= left.bytes, try measured(left.bytes) == left.written else {
            throw UsageError("\(part) is not as the earlier run left it" + again)
        }
        guard ftruncate(file, off_t(left.bytes)) == 0, lseek(file, 0, SEEK_END) >= 0 else {
            throw Self.failure("cannot write \(part)")
        }
        progress = left
        sum = ByteSum(left.written)
        secondsBefore = left.seconds
        isContinued = true
    }

    private func startAnew() throws {
        guard ftruncate(file, 0) == 0 else { throw Self.failure("cannot write \(part)") }
        try save()
    }

    /// The first thing that two tasks differ in.
    private static func difference(_ a: String, _ b: String) -> String {
        let (was, new) = (a.split(separator: "\n"), b.split(separator: "\n"))
        for index in 0..<max(was.count, new.count) {
            let pair = (index < was.count ? was[index] : "nothing", index < new.count ? new[index] : "nothing")
            if pair.0 != pair.1 { return "then \(pair.0), now \(pair.1)" }
        }
        return "nothing"
    }

    /// The sum over the first bytes of the unfinished table.
    private func measured(_ count: UInt64) throws -> UInt64 {
        var sum = ByteSum()
        var left = count
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        lseek(file, 0, SEEK_SET)
        while left > 0 {
            let got = read(file, &buffer, min(buffer.count, Int(clamping: left)))
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw Self.failure("cannot read \(part)") }
            sum.add(buffer[..<got])
            left -= UInt64(got)
        }
        return sum.value
    }

    deinit { if path != nil { close(file) } }

    private static func failure(_ what: String) -> TableOutputError {
        TableOutputError(description: "\(what): \(String(cString: strerror(errno)))")
    }

    /// Takes bytes that are no row.
    func add(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count > 1 << 16 { try flush() }
    }

    /// Takes a row.
    func add(_ row: RowWriting.Written) throws {
        try add(row.bytes)
        progress.rows += 1
        progress.read = row.sum
        progress.outcomes[row.outcome, default: 0] += 1
        if let attribution = row.attribution { progress.attributions.insert(attribution) }
        rowsSinceState += 1
        let isDue = rowsBetweenStates.map { rowsSinceState >= $0 } ?? (ContinuousClock.now - saved > .seconds(1))
        if path != nil, isDue { try save() }
        try reached(progress.rows)
    }

    private func flush() throws {
        var rest = buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                if path == nil, errno == EPIPE { throw ReaderGone() }
                throw Self.failure(path == nil ? "cannot write the table" : "cannot write \(part)")
            }
            rest = rest.dropFirst(count)
        }
        sum.add(buffer)
        progress.bytes += UInt64(buffer.count)
        progress.written = sum.value
        buffer.removeAll(keepingCapacity: true)
    }

    /// Brings everything so far to the disk, and says so.
    func save() throws {
        try flush()
        guard path != nil else { return }
        progress.seconds = secondsBefore + (ContinuousClock.now - started).seconds
        guard fdatasync(file) == 0 else { throw Self.failure("cannot write \(part)") }
        let draft = state + ".new"
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            try encoder.encode(progress).write(to: URL(fileURLWithPath: draft))
            guard rename(draft, state) == 0 else { throw Self.failure("cannot write \(state)") }
        } catch {
            unlink(draft)
            if let error = error as? TableOutputError { throw error }
            throw TableOutputError(description: "cannot write \(state): \(error.localizedDescription)")
        }
        saved = .now
        rowsSinceState = 0
    }

    /// Puts the table in its place.
    func finish() throws {
        try flush()
        progress.seconds = secondsBefore + (ContinuousClock.now - started).seconds
        guard let path else { return }
        guard fsync(file) == 0 else { throw Self.failure("cannot write \(part)") }
        guard rename(part, path) == 0 else { throw Self.failure("cannot put \(path) in its place") }
        unlink(state)
    }
}

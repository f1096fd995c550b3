import CSQLite
import Foundation

/// What can go wrong in a gazetteer's database.
public struct DatabaseError: Error, CustomStringConvertible {
    /// SQLite's extended result code.
    public var code: Int32
    public var message: String
    /// The statement or file at fault.
    public var subject: String

    public var description: String { "\(message) (SQLite \(code)): \(subject)" }

    /// Whether the disk was full.
    public var isDiskFull: Bool { code & 0xff == SQLITE_FULL }
    /// Whether the file is not a database or is broken inside.
    public var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff) }
}

/// One SQLite connection. Not shared between threads: a pool hands each thread its own.
public final class Database {
    let handle: OpaquePointer
    private var cached: [String: Statement] = [:]
    /// Statements that were asked for, and rows that were read, since the connection was opened.
    fileprivate(set) var statementsAsked = 0
    fileprivate(set) var rowsRead = 0
    private var charged = 0
    private var knownRows = 0

    /// What was asked since the connection was opened, in units of a plain look-up, about a hundredth of a millisecond:
    /// the same for the same questions, whatever else the machine does.
    var effort: Double { Double(statementsAsked + knownRows + charged) + Double(rowsRead + knownRows) / 4 }

    /// Counts work that no statement or row shows.
    func charge(_ units: Int) { charged += units }

    /// Counts a row that memory knew as if a statement had read it, so that a question costs the same whatever was asked
    /// before it.
    func chargeKnownRow() { knownRows += 1 }

    /// SQLite counts its memory under a lock of the whole process, for which threads wait a tenth of their time.
    private static let countsNoMemory: Void = { _ = sx_sqlite_count_no_memory() }()

    /// Opens the file. Read-only connections promise that nobody writes (`immutable=1`), which saves all locking.
    public init(path: String, readOnly: Bool) throws {
        Self.countsNoMemory
        var opened: OpaquePointer?
        let code: Int32
        if readOnly {
            let escaped = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
            code = sqlite3_open_v2(
                "file:" + escaped + "?immutable=1", &opened,
                SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                nil)
        } else {
            code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        }
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: message, subject: path)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit {
        cached.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs statements that take no parameters and whose rows do not matter.
    public func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        if code != SQLITE_OK { throw failure(sql) }
    }

    /// Prepares a statement for one use or a loop of the caller's own.
    public func prepare(_ sql: String) throws -> Statement {
        try Statement(self, sql)
    }

    /// A statement kept for this connection; it is reset, with its bindings cleared, each time it is asked for.
    ///
    /// Do not ask for the same text again while its rows are still being read.
    public func statement(_ sql: String) throws -> Statement {
        statementsAsked += 1
        if let known = cached[sql] {
            known.reset()
            return known
        }
        let made = try Statement(self, sql)
        cached[sql] = made
        return made
    }

    func failure(_ subject: String) -> DatabaseError {
        DatabaseError(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), subject: subject)
    }
}

/// A prepared statement: bind, step, read columns.
public final class Statement {
    private let handle: OpaquePointer
    private unowned let database: Database
    private let sql: String

    fileprivate init(_ database: Database, _ sql: String) throws {
        var made: OpaquePointer?
        let code = sqlite3_prepare_v3(
            database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil)
        guard code == SQLITE_OK, let made else { throw database.failure(sql) }
        handle = made
        self.database = database
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    public func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Makes ready for another run with the same bindings, or new ones for all of them.
    func rewind() { sqlite3_reset(handle) }

    /// Binds by position, from 1.
    public func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }
    public func bind(_ index: Int32, _ value: Int) { sqlite3_bind_int64(handle, index, Int64(value)) }
    public func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(handle, index, value) }
    public func bind(_ index: Int32, _ value: String) {
        var text = value
        text.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(handle, index, $0.baseAddress ?? emptyText, Int32($0.count), sx_sqlite_transient())
            }
        }
    }
    public func bind(_ index: Int32, blob value: [UInt8]) {
        _ = value.withUnsafeBytes {
            sqlite3_bind_blob(
                handle, index, $0.baseAddress ?? UnsafeRawPointer(emptyText), Int32($0.count), sx_sqlite_transient())
        }
    }
    /// Binds bytes that are copied once, by SQLite.
    func bind(_ index: Int32, blobBytes bytes: UnsafeRawBufferPointer) {
        sqlite3_bind_blob(
            handle, index, bytes.baseAddress ?? UnsafeRawPointer(emptyText), Int32(bytes.count), sx_sqlite_transient())
    }
    /// Binds text given as UTF-8 bytes.
    func bind(_ index: Int32, utf8 bytes: UnsafeRawBufferPointer) {
        sqlite3_bind_text(
            handle, index, bytes.bindMemory(to: CChar.self).baseAddress ?? emptyText, Int32(bytes.count),
            sx_sqlite_transient())
    }
    public func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }
    public func bind(_ index: Int32, _ value: String?) { if let value { bind(index, value) } else { bindNull(index) } }
    public func bind(_ index: Int32, _ value: Int64?) { if let value { bind(index, value) } else { bindNull(index) } }
    public func bind(_ index: Int32, _ value: Int?) { if let value { bind(index, value) } else { bindNull(index) } }
    public func bind(_ index: Int32, _ value: Double?) { if let value { bind(index, value) } else { bindNull(index) } }

    /// Moves to the next row; false at the end.
    public func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
            database.rowsRead += 1
            return true
        case SQLITE_DONE: return false
        default: throw database.failure(sql)
        }
    }

    /// Runs the statement to its end and resets it.
    public func run() throws {
        while try step() {}
        reset()
    }

    /// Columns count from 0.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    public func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
    public func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    public func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    public func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
    /// Runs `body` on the UTF-8 bytes of a text column; nil for NULL.
    public func withText<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> R?) rethrows -> R? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        return try body(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }
    /// Runs `body` on the column's bytes, which are valid only inside it; empty for NULL.
    public func withBlob<R>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let bytes = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return try body(UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
    }
}

// A place to point at for empty text, since a nil pointer would bind NULL.
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
    let byte = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    byte.pointee = 0
    return UnsafePointer(byte)
}()

import CMicroHTTPD
import Foundation
import Glibc

/// Why a server could not start.
public enum ServerError: Error, CustomStringConvertible {
    /// The port is taken, or may not be used.
    case cannotListen(port: UInt16, reason: String)

    public var description: String {
        switch self {
        case .cannotListen(let port, let reason): "cannot listen on 127.0.0.1:\(port): \(reason)"
        }
    }
}

/// A small HTTP server on the loopback address, over libmicrohttpd: two threads answer requests by calling one pure
/// function.
///
/// Only GET, HEAD and OPTIONS are answered. A request's line and headers may take 256 KiB, its target 64 KiB with a thousand
/// parameters (`RequestTarget`). A connection may rest for 5 seconds, within a request or between two, and up to 1,024 may be
/// open at once. The server runs from `init` until `stop` or the end of its life.
public final class Server: Sendable {
    public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

    /// The port in use: the one asked for, or the one that the system chose for port 0.
    public let port: UInt16
    private let box: HandlerBox
    private let daemon: DaemonBox

    /// Listens on 127.0.0.1.
    public init(port wanted: UInt16, threads: Int = 2, handler: @escaping Handler) throws {
        let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listening >= 0 else { throw Self.failure(wanted) }
        var yes: Int32 = 1
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listening, generic, size) == 0 && listen(listening, 256) == 0
                    && getsockname(listening, generic, &size) == 0
            }
        }
        guard bound else {
            let error = Self.failure(wanted)
            close(listening)
            throw error
        }
        let box = HandlerBox(handler)
        // MHD_USE_ITC lets `stop` refuse new connections first.
        let flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_USE_ITC.rawValue
        guard
            let started = sx_mhd_start(
                flags, 0, UInt32(max(1, min(threads, 64))), 5, Self.connections(), 256 * 1024, listening, answer,
                Unmanaged.passUnretained(box).toOpaque(), begin, end)
        else {
            close(listening)
            throw ServerError.cannotListen(port: wanted, reason: "the server library refused to start")
        }
        self.box = box
        daemon = DaemonBox(started)
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Ends the server: waits for requests being answered, then closes all connections. May be called twice.
    public func stop() { daemon.stop() }

    /// How many connections may be open: few enough to leave files for everything else.
    private static func connections() -> UInt32 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
        return UInt32(min(1024, max(64, UInt64(limit.rlim_cur) / 4 * 3)))
    }

    private static func failure(_ port: UInt16) -> ServerError {
        .cannotListen(port: port, reason: String(cString: strerror(errno)))
    }
}

private final class HandlerBox: Sendable {
    let handler: Server.Handler
    init(_ handler: @escaping Server.Handler) { self.handler = handler }
}

/// The library's daemon, stopped once.
private final class DaemonBox: @unchecked Sendable {
    private let lock = NSLock()
    private var daemon: OpaquePointer?

    init(_ daemon: OpaquePointer) { self.daemon = daemon }

    func stop() {
        let last = lock.withLock {
            defer { daemon = nil }
            return daemon
        }
        guard let last else { return }
        // libmicrohttpd 0.9.75 follows a nil pointer when it stops while refusing a request that is too large. So no new
        // connections first, then a moment for those that are open.
        let listening = MHD_quiesce_daemon(last)
        for _ in 0..<200 where sx_mhd_connections(last) > 0 { usleep(10_000) }
        MHD_stop_daemon(last)
        if listening >= 0 { close(listening) }
    }

    deinit { stop() }
}

/// One request from its first line to its end.
private final class RequestState {
    /// As it came: path and query, not decoded.
    let target: String
    /// The first call of the library only says that the head has been read.
    var isHeadRead = false

    init(_ target: String) { self.target = target }
}

private let begin:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) -> UnsafeMutableRawPointer? = {
        _, target, _ in
        guard let target else { return Unmanaged.passRetained(RequestState("")).toOpaque() }
        let state = RequestState(String(cString: target))
        sx_cut_query(target)
        return Unmanaged.passRetained(state).toOpaque()
    }

private let end: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state, let pointer = state.pointee else { return }
    Unmanaged<RequestState>.fromOpaque(pointer).release()
    state.pointee = nil
}

private let answer: MHD_AccessHandlerCallback = { context, connection, _, method, _, _, uploadSize, state in
    guard let context, let connection, let method, let pointer = state?.pointee else { return .NO }
    let request = Unmanaged<RequestState>.fromOpaque(pointer).takeUnretainedValue()
    guard request.isHeadRead else {
        request.isHeadRead = true
        return .YES
    }
    if let uploadSize, uploadSize.pointee > 0 {
        uploadSize.pointee = 0  // a body is read and dropped
        return .YES
    }
    let box = Unmanaged<HandlerBox>.fromOpaque(context).takeUnretainedValue()
    let verb = String(cString: method)
    var response: HTTPResponse
    switch verb {
    case "GET", "HEAD":
        switch RequestTarget.read(request.target) {
        case .success(let target):
            response = box.handler(
                HTTPRequest(method: verb, path: target.path, query: target.query, headers: headers(connection)))
        case .failure(let fault):
            response = HTTPResponse(
                status: fault.status, contentType: "text/plain; charset=utf-8", body: Array((fault.reason + "\n").utf8))
        }
    case "OPTIONS":
        response = HTTPResponse(
            status: 204, headers: [("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")], body: [])
    default:
        response = HTTPResponse(
            status: 405, contentType: "text/plain; charset=utf-8", headers: [("Allow", "GET, HEAD, OPTIONS")],
            body: Array("only GET, HEAD and OPTIONS are answered here\n".utf8))
    }
    response.headers.append(("Access-Control-Allow-Origin", "*"))
    if !response.body.isEmpty { response.headers.append(("Content-Type", response.contentType)) }
    let made = response.body.withUnsafeMutableBytes { bytes in
        MHD_create_response_from_buffer(bytes.count, bytes.baseAddress, .RESPMEM_MUST_COPY)
    }
    guard let made else { return .NO }
    defer { MHD_destroy_response(made) }
    for header in response.headers { _ = MHD_add_response_header(made, header.name, header.value) }
    return MHD_queue_response(connection, UInt32(response.status), made)
}

/// Header fields with names in small letters, the first of each.
private func headers(_ connection: OpaquePointer) -> [String: String] {
    var fields: [String: String] = [:]
    withUnsafeMutablePointer(to: &fields) { pointer in
        _ = MHD_get_connection_values(
            connection, .HEADER_KIND,
            { context, _, name, value in
                guard let context, let name else { return .YES }
                let fields = context.assumingMemoryBound(to: [String: String].self)
                let key = String(cString: name).lowercased()
                if fields.pointee[key] == nil { fields.pointee[key] = value.map { String(cString: $0) } ?? "" }
                return .YES
            }, pointer)
    }
    return fields
}

import Foundation
import Glibc
import HTTPServer
import Testing

/// Sends bytes to the server and reads until it closes the connection.
private func exchange(_ port: UInt16, _ request: String, thenHangUp: Bool = false) -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
    guard connected == 0 else { return "not connected" }
    let bytes = Array(request.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if thenHangUp { shutdown(descriptor, Int32(SHUT_RDWR)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { break }
        answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
}

private func get(_ port: UInt16, _ target: String, method: String = "GET") -> String {
    exchange(
        port, "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nAccept-Language: de\r\nConnection: close\r\n\r\n")
}

private func echo() throws -> Server {
    try Server(port: 0) { request in
        let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
        return HTTPResponse(
            contentType: "text/plain",
            body: Array("\(request.path) \(query) \(request.headers["accept-language"] ?? "")".utf8))
    }
}

@Test func aRequestReachesTheHandlerDecodedAndInOrder() throws {
    let server = try echo()
    defer { server.stop() }
    let answer = get(server.port, "/search?q=Caf%C3%A9+am%26Eck&a=1&a=2")
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    #expect(answer.hasSuffix("/search q=Café am&Eck|a=1|a=2 de"))
    #expect(answer.contains("Access-Control-Allow-Origin: *"))
}

@Test func headGivesNoBodyAndOtherVerbsAreRefused() throws {
    let server = try echo()
    defer { server.stop() }
    #expect(get(server.port, "/x", method: "HEAD").hasSuffix("\r\n\r\n"))
    #expect(get(server.port, "/x", method: "DELETE").hasPrefix("HTTP/1.1 405"))
    #expect(get(server.port, "/x", method: "OPTIONS").hasPrefix("HTTP/1.1 204"))
}

@Test func aBodyThatNobodyAskedForIsDropped() throws {
    let server = try echo()
    defer { server.stop() }
    let answer = exchange(
        server.port, "GET /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
    #expect(answer.hasPrefix("HTTP/1.1 200"))
}

@Test func hostileRequestsGetAnErrorAndTheServerLivesOn() throws {
    let server = try echo()
    defer { server.stop() }
    for request in [
        "\r\n\r\n", "GET\r\n\r\n", String(repeating: "A", count: 100_000) + "\r\n\r\n",
        "GET /\(String(repeating: "x", count: 200_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /%00%ff?%=%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ] {
        _ = exchange(server.port, request, thenHangUp: true)
    }
    #expect(get(server.port, "/alive").contains("/alive"))
}

@Test func aTakenPortIsSaidSo() throws {
    let server = try echo()
    defer { server.stop() }
    #expect(throws: ServerError.self) { try Server(port: server.port) { _ in HTTPResponse(body: []) } }
}

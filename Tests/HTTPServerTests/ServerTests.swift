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

@Test func thousandsOfParametersAndNULsAreRefusedAtOnce() throws {
    let server = try echo()
    defer { server.stop() }
    let many = (0..<4_000).map { "p\($0)=1" }.joined(separator: "&")
    #expect(get(server.port, "/search?\(many)").hasPrefix("HTTP/1.1 400"))
    #expect(get(server.port, "/search?q=a%00b").hasPrefix("HTTP/1.1 400"))
    #expect(get(server.port, "/sea%00rch?q=a").hasPrefix("HTTP/1.1 400"))
    #expect(get(server.port, "/\(String(repeating: "x", count: 70_000))").hasPrefix("HTTP/1.1 414"))
}

@Test func aThousandParametersReachTheHandler() throws {
    let server = try echo()
    defer { server.stop() }
    let most = (0..<RequestTarget.mostParameters).map { "p\($0)=\($0)" }.joined(separator: "&")
    #expect(get(server.port, "/x?\(most)").hasSuffix("p998=998|p999=999 de"))
}

@Test func halfSentRequestsDoNotKeepOthersFromBeingAnswered() throws {
    let server = try echo()
    defer { server.stop() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var open: [Int32] = []
    defer { for descriptor in open { close(descriptor) } }
    for _ in 0..<300 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { break }
        open.append(descriptor)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        _ = send(descriptor, "GET /half", 9, Int32(MSG_NOSIGNAL))
    }
    #expect(get(server.port, "/whole").hasPrefix("HTTP/1.1 200"))
}

@Test func targetsAreDecodedByteByByte() throws {
    func read(_ text: String) throws -> (path: String, query: String) {
        let target = try RequestTarget.read(text).get()
        return (target.path, target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|"))
    }
    #expect(try read("/a%2Fb+c?q=a+b%2Bc&&x&=y&z==").path == "/a/b+c")
    #expect(try read("/a?q=a+b%2Bc&&x&=y&z==").query == "q=a b+c|x=|=y|z==")
    #expect(try read("/a?q=%zz%4").query == "q=%zz%4")
    #expect(try read("/a?q=%ff").query == "q=\u{FFFD}")
    #expect(try read("").path == "/")
    #expect(RequestTarget.read("/a?b=%00").failure?.status == 400)
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

/// A request as the dialects see it, whatever carried it: a pure value.
public struct HTTPRequest: Sendable {
    public var method: String
    /// The path, percent-decoded, beginning with a slash.
    public var path: String
    /// The query's parameters in order, percent-decoded; a name may come several times.
    public var query: [(name: String, value: String)]
    /// Header fields with names in small letters.
    public var headers: [String: String]

    public init(
        method: String = "GET", path: String, query: [(name: String, value: String)] = [],
        headers: [String: String] = [:]
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
    }

    /// The first value of a parameter.
    public subscript(name: String) -> String? { query.first { $0.name == name }?.value }
}

/// An answer: status, content type and body.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var contentType: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(
        status: Int = 200, contentType: String = "application/json; charset=utf-8",
        headers: [(name: String, value: String)] = [], body: [UInt8]
    ) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }
}

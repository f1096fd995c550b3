/// The target of a request, `/search?q=Caf%C3%A9+Eck`, taken apart and decoded.
public struct RequestTarget: Sendable {
    /// Decoded, beginning with a slash.
    public var path: String
    /// In order, decoded; `+` is a blank. A name may come several times.
    public var query: [(name: String, value: String)]

    /// Why a target is refused.
    public struct Fault: Error, Equatable {
        public var status: Int
        public var reason: String
    }

    /// Bytes of a target, and parameters in it, beyond which it is refused.
    public static let longest = 65_536
    public static let mostParameters = 1_000

    /// Reads a target as it came. Bytes that are no UTF-8 become U+FFFD; a `%` that no two digits follow stands for itself.
    ///
    /// 414 for one that is too long, 400 for one with too many parameters or with NUL, which no name of a place has and
    /// which would cut texts short in libraries. Cost: linear.
    public static func read(_ target: String) -> Result<RequestTarget, Fault> {
        let bytes = Array(target.utf8)
        guard bytes.count <= longest else {
            return .failure(Fault(status: 414, reason: "the request's address is longer than \(longest) bytes"))
        }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        guard let path = decoded(bytes[..<(mark ?? bytes.count)], isQuery: false) else { return .failure(nul) }
        var query: [(name: String, value: String)] = []
        if let mark {
            for part in bytes[(mark + 1)...].split(separator: UInt8(ascii: "&")) {
                guard query.count < mostParameters else {
                    return .failure(Fault(status: 400, reason: "more than \(mostParameters) parameters"))
                }
                let equals = part.firstIndex(of: UInt8(ascii: "="))
                let rest = equals.map { part[($0 + 1)...] } ?? part[part.endIndex...]
                guard let name = decoded(part[..<(equals ?? part.endIndex)], isQuery: true),
                    let value = decoded(rest, isQuery: true)
                else { return .failure(nul) }
                query.append((name, value))
            }
        }
        return .success(RequestTarget(path: path.hasPrefix("/") ? path : "/" + path, query: query))
    }

    private static let nul = Fault(status: 400, reason: "a NUL (%00) is in the request's address")

    /// Nil where a NUL is in it.
    private static func decoded(_ bytes: ArraySlice<UInt8>, isQuery: Bool) -> String? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            var byte = bytes[index]
            if byte == UInt8(ascii: "%"), bytes.endIndex - index > 2, let high = digit(bytes[index + 1]),
                let low = digit(bytes[index + 2])
            {
                byte = high << 4 | low
                index += 2
            } else if byte == UInt8(ascii: "+"), isQuery {
                byte = UInt8(ascii: " ")
            }
            guard byte != 0 else { return nil }
            result.append(byte)
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

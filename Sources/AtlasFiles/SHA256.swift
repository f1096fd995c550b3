import CCrypto
import Glibc

/// SHA-256 (FIPS 180-4) by libcrypto, fed piece by piece.
struct SHA256 {
    private final class Context {
        let handle = EVP_MD_CTX_new()
        init() { EVP_DigestInit_ex(handle, EVP_sha256(), nil) }
        deinit { EVP_MD_CTX_free(handle) }
    }

    private let context = Context()

    func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context.handle, bytes.baseAddress, bytes.count)
    }

    /// The digest in small hexadecimal letters; the state must not be fed any more.
    func finish() -> String {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_DigestFinal_ex(context.handle, &digest, nil)
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in digest {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func hash(_ bytes: [UInt8]) -> String {
        let state = SHA256()
        bytes.withUnsafeBytes { state.update($0) }
        return state.finish()
    }

    /// Reads the file from its start; `each` is told the number of bytes of each piece.
    static func hash(fileDescriptor: Int32, path: String, each: ((Int) throws -> Void)? = nil) throws -> (
        sha256: String, size: Int
    ) {
        let state = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset = 0
        while true {
            let count = pread(fileDescriptor, &buffer, buffer.count, off_t(offset))
            if count < 0 {
                if errno == EINTR { continue }
                throw AtlasError.failed("read", path)
            }
            if count == 0 { break }
            buffer.withUnsafeBytes { state.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
            try each?(count)
        }
        return (state.finish(), offset)
    }
}

extension AtlasError {
    /// The error for the current `errno`.
    static func failed(_ operation: String, _ path: String) -> AtlasError {
        let code = errno
        if code == ENOSPC || code == EDQUOT { return .diskFull(path) }
        return .system(operation: operation, path: path, reason: String(cString: strerror(code)))
    }
}

/// The SHA-256 of a file, for manifests.
public func sha256(ofFile path: String) throws -> String {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw AtlasError.failed("open", path) }
    defer { close(descriptor) }
    return try SHA256.hash(fileDescriptor: descriptor, path: path).sha256
}

// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the platform.

/// The domain of `MKError`.
public let MKErrorDomain = "MKErrorDomain"

/// What kept a search, directions or a picture from being made.
///
///     do {
///         let response = try await search.start()
///     } catch MKError.placemarkNotFound {
///         print("nothing found")
///     }
///
/// `localizedDescription` says what a person can do; the engine's own error stands under `NSUnderlyingErrorKey`.
public struct MKError: CustomNSError, LocalizedError, Hashable, @unchecked Sendable {
    public enum Code: UInt, Sendable {
        case unknown = 1
        /// No atlas could be opened, or one is damaged.
        case serverFailure = 2
        /// Never happens here: nothing is rationed.
        case loadingThrottled = 3
        case placemarkNotFound = 4
        case directionsNotFound = 5
        case decodingFailed = 6
    }

    public let code: Code
    public let userInfo: [String: Any]

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    /// An error with a sentence for people, and what caused it.
    init(_ code: Code, _ message: String, underlying: (any Error)? = nil) {
        var info: [String: Any] = [NSLocalizedDescriptionKey: message]
        if let underlying { info[NSUnderlyingErrorKey] = underlying }
        self.init(code, userInfo: info)
    }

    public static var errorDomain: String { MKErrorDomain }
    public var errorCode: Int { Int(code.rawValue) }
    public var errorUserInfo: [String: Any] { userInfo }
    public var errorDescription: String? { userInfo[NSLocalizedDescriptionKey] as? String ?? code.meaning }
    /// Why, where more is known than the description tells: what is in the way.
    public var failureReason: String? { userInfo[NSLocalizedFailureReasonErrorKey] as? String }
    /// What to allow.
    public var recoverySuggestion: String? { userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String }
    /// Of directions that are not found: the reachable place that is nearest to the destination, a `CLLocation`. (Ours.)
    public static let reachableLocationKey = "MKErrorReachableLocation"
    public var localizedDescription: String { errorDescription ?? code.meaning }

    public static var unknown: Code { .unknown }
    public static var serverFailure: Code { .serverFailure }
    public static var loadingThrottled: Code { .loadingThrottled }
    public static var placemarkNotFound: Code { .placemarkNotFound }
    public static var directionsNotFound: Code { .directionsNotFound }
    public static var decodingFailed: Code { .decodingFailed }

    public static func == (a: MKError, b: MKError) -> Bool {
        a.code == b.code && a.localizedDescription == b.localizedDescription
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension MKError.Code {
    /// Lets `catch MKError.placemarkNotFound` match.
    public static func ~= (code: MKError.Code, error: any Error) -> Bool { (error as? MKError)?.code == code }

    fileprivate var meaning: String {
        switch self {
        case .unknown: "the request was not carried out"
        case .serverFailure: "no atlas could be asked"
        case .loadingThrottled: "too many requests"
        case .placemarkNotFound: "nothing was found"
        case .directionsNotFound: "no way was found"
        case .decodingFailed: "this is not GeoJSON"
        }
    }
}

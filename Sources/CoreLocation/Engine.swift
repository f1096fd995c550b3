import Foundation
package import Sextant

/// What both modules need of the engine: the process's atlas, a place to work at, a way to deliver.
package enum Engine {
    /// Work for requests, as much at once as there are processors; each asks the atlas for itself.
    package static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "sextant.requests"
        queue.maxConcurrentOperationCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
        return queue
    }()

    /// The atlas of this process; see `ProcessAtlas`.
    package static func atlas() throws -> Atlas { try ProcessAtlas.current() }

    /// Runs `work` off the calling thread, soon.
    package static func perform(_ work: @escaping @Sendable () -> Void) { queue.addOperation(work) }

    /// Hands an answer over on the main thread, later, and in the order of the calls.
    package static func deliver(_ handler: @escaping @MainActor @Sendable () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(handler) }
    }
}

/// The languages of the person in front of this process, best first.
package enum UserLanguages {
    /// Of the environment (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`), English where it names none.
    package static let current: [String] = reading(ProcessInfo.processInfo.environment)

    /// The language of `locale`, with and without its region; those of the environment where it is nil.
    package static func of(_ locale: Locale?) -> [String] {
        guard let locale else { return current }
        return expanded(locale.identifier)
    }

    static func reading(_ environment: [String: String]) -> [String] {
        var result: [String] = []
        let names = (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
        let first = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty }
        for name in names + [first ?? ""] {
            for language in expanded(name) where !result.contains(language) { result.append(language) }
        }
        return result.isEmpty ? ["en"] : result
    }

    /// `de_DE.UTF-8` as `de-DE`, `de`; nothing for `C` and `POSIX`.
    private static func expanded(_ name: String) -> [String] {
        let bare = name.prefix { $0 != "." && $0 != "@" }.replacingOccurrences(of: "_", with: "-")
        guard !bare.isEmpty, bare != "C", bare != "POSIX" else { return [] }
        let language = String(bare.prefix { $0 != "-" })
        return bare == language ? [language] : [bare, language]
    }
}

extension CLLocationCoordinate2D {
    package init(_ coordinate: Coordinate) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    /// The same place in the engine's type.
    package var engine: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

import Contacts
import Foundation
package import Sextant
internal import Locking

/// Called once with the answer of a geocoder, on the main thread.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Turns addresses into placemarks and coordinates into addresses.
///
///     let geocoder = CLGeocoder()
///     let placemarks = try await geocoder.geocodeAddressString("Place du Casino, Monaco")
///     let here = try await geocoder.reverseGeocodeLocation(CLLocation(latitude: 43.7392, longitude: 7.4273))
///
/// Requests on one geocoder wait in line and are answered in the order in which they were made; there is no quota and no
/// network. Handlers run exactly once, later, on the main thread, so a program that blocks its main thread while it waits
/// for one waits for ever. The geocoder stays alive until the last handler has run.
///
/// Errors are `CLError`: `geocodeFoundNoResult` where nothing fits or lies there, `geocodeCanceled`, and `network` where no
/// atlas could be opened.
open class CLGeocoder: NSObject, @unchecked Sendable {
    typealias Work = @Sendable (PlaceFinder) throws -> [CLPlacemark]
    typealias Handler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

    /// One question in line.
    final class Request: Sendable {
        let languages: [String]
        let work: Work
        private let handler: Mutex<Handler?>

        init(languages: [String], work: @escaping Work, handler: @escaping Handler) {
            self.languages = languages
            self.work = work
            self.handler = Mutex(handler)
        }

        /// Whether nobody waits for the answer any more.
        var isSettled: Bool { handler.withLock { $0 == nil } }

        /// Calls the handler where it has not been called.
        func settle(_ result: Result<[CLPlacemark], any Error>) {
            let handler = handler.withLock { handler in
                defer { handler = nil }
                return handler
            }
            switch result {
            case .success(let placemarks): handler?(placemarks, nil)
            case .failure(let error): handler?(nil, error)
            }
        }
    }

    private struct Line {
        var waiting: [(serial: Int, request: Request)] = []
        /// How many of `waiting` are done; they are dropped together, so that each costs the same.
        var head = 0
        var isWorking = false
        /// Requests whose handler has not been called.
        var unanswered = 0
        var nextSerial = 0
        /// Requests with a lower number are cancelled.
        var cancelledBelow = 0

        mutating func next() -> (serial: Int, request: Request)? {
            guard head < waiting.count else {
                waiting.removeAll()
                head = 0
                isWorking = false
                return nil
            }
            defer { head += 1 }
            if head > 256, head * 2 > waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return waiting[head]
        }
    }

    private let line = Mutex(Line())

    private let atlas: @Sendable () throws -> Atlas

    public override convenience init() { self.init(atlas: Engine.atlas) }

    /// Asks an atlas of its own.
    package init(atlas: @escaping @Sendable () throws -> Atlas) { self.atlas = atlas }

    /// Whether a handler has yet to be called. False inside the last one, so that it may make the next request.
    open var isGeocoding: Bool { line.withLock { $0.unanswered > 0 } }

    /// Fails every request that has not been answered with `geocodeCanceled`, each handler once and later. Without a
    /// request it does nothing; the geocoder remains usable.
    open func cancelGeocode() { line.withLock { $0.cancelledBelow = $0.nextSerial } }

    // MARK: - The line

    private func enqueue(_ request: Request) {
        let starts = line.withLock { line in
            line.waiting.append((line.nextSerial, request))
            line.nextSerial += 1
            line.unanswered += 1
            defer { line.isWorking = true }
            return !line.isWorking
        }
        if starts { Engine.perform { self.answerNext() } }
    }

    /// Answers one request and makes way for other geocoders.
    private func answerNext() {
        while let (serial, request) = line.withLock({ $0.next() }) {
            guard !request.isSettled, !isCancelled(serial) else {
                deliver(.failure(PlaceFailure.cancelled), serial, request)
                continue
            }
            let result = Result {
                try request.work(PlaceFinder(atlas: self.atlas(), languages: request.languages))
            }
            deliver(result, serial, request)
            Engine.perform { self.answerNext() }
            return
        }
    }

    private func isCancelled(_ serial: Int) -> Bool { line.withLock { serial < $0.cancelledBelow } }

    private func deliver(_ result: Result<[CLPlacemark], any Error>, _ serial: Int, _ request: Request) {
        Engine.deliver {
            let isCancelled = self.line.withLock { line in
                line.unanswered -= 1
                return serial < line.cancelledBelow
            }
            let result = isCancelled ? .failure(PlaceFailure.cancelled) : result
            request.settle(result.mapError { CLError(engine: $0) })
        }
    }

    // MARK: - Both faces

    func submit(_ locale: Locale?, _ handler: @escaping Handler, _ work: @escaping Work) {
        enqueue(Request(languages: UserLanguages.of(locale), work: work, handler: handler))
    }

    func answer(_ locale: Locale?, _ work: @escaping Work) async throws -> [CLPlacemark] {
        let pending = Mutex<(request: Request?, isCancelled: Bool)>((nil, false))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[CLPlacemark], any Error>) in
                let request = Request(languages: UserLanguages.of(locale), work: work) { placemarks, error in
                    if let placemarks {
                        continuation.resume(returning: placemarks)
                    } else {
                        continuation.resume(throwing: error ?? CLError(engine: PlaceFailure.cancelled))
                    }
                }
                let isCancelled = pending.withLock { pending in
                    pending.request = request
                    return pending.isCancelled
                }
                if isCancelled { request.settle(.failure(CancellationError())) } else { enqueue(request) }
            }
        } onCancel: {
            let request = pending.withLock { pending in
                pending.isCancelled = true
                return pending.request
            }
            request?.settle(.failure(CancellationError()))
        }
    }
}

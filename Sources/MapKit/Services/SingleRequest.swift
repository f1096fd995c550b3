internal import Sextant
internal import Locking

/// At most one question at a time: what searches, directions, geocoding and pictures have in common.
///
/// The work runs elsewhere. Its end is told exactly once, never before `start` has returned: by the answer, or by
/// `cancel`, whichever is first.
final class SingleRequest<Value: Sendable>: Sendable {
    /// Begins a work, and is given what is to be called once, later, with its end.
    typealias Beginning = @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
    typealias End = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var last = 0
        var running: (id: Int, deliver: Delivery, end: End)?
        var isCancelled = false
    }

    /// How an end is told: on the main thread, on a queue, or at once to a task that waits.
    enum Delivery: Sendable {
        case main
        case queue(DispatchQueue)
        case direct

        fileprivate func run(_ body: @escaping @Sendable () -> Void) {
            switch self {
            case .main: Engine.deliver { body() }
            case .queue(let queue): queue.async { body() }
            case .direct: Engine.perform(body)
            }
        }
    }

    private let state = Mutex(State())

    var isRunning: Bool { state.withLock { $0.running != nil } }
    /// Whether the last question was cancelled.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func newID() -> Int {
        state.withLock {
            $0.last += 1
            return $0.last
        }
    }

    /// Begins; where another question is under way, this one ends with `MKError.unknown` and leaves that alone.
    func start(
        deliver: Delivery = .main, work: @escaping @Sendable () throws -> Value, end: @escaping End
    ) {
        start(newID(), deliver, Self.beginning(work), end)
    }

    /// Begins what must not keep a thread of the engine while it waits.
    func start(_ begin: @escaping Beginning, end: @escaping End) { start(newID(), .main, begin, end) }

    private static func beginning(_ work: @escaping @Sendable () throws -> Value) -> Beginning {
        { done in Engine.perform { done(Result { try work() }) } }
    }

    private func start(
        _ id: Int, _ deliver: Delivery, _ begin: Beginning, _ end: @escaping End
    ) {
        let isFree = state.withLock { state in
            guard state.running == nil else { return false }
            state.running = (id, deliver, end)
            state.isCancelled = false
            return true
        }
        guard isFree else {
            let error = MKError(.unknown, "This object is at work already; wait for its answer, or make another.")
            deliver.run { end(.failure(error)) }
            return
        }
        begin { [self] result in
            guard let deliver = state.withLock({ $0.running?.id == id ? $0.running?.deliver : nil }) else { return }
            deliver.run { self.take(id)?.end(result) }
        }
    }

    private func take(_ id: Int?, cancelling: Bool = false) -> (deliver: Delivery, end: End)? {
        state.withLock { state in
            guard let running = state.running, id == nil || running.id == id else { return nil }
            state.running = nil
            state.isCancelled = cancelling
            return (running.deliver, running.end)
        }
    }

    /// Ends the question under way with `MKError.unknown`, later; does nothing without one.
    func cancel() {
        cancel(nil, MKError(.unknown, "The request was cancelled.", underlying: PlaceFailure.cancelled))
    }

    private func cancel(_ id: Int?, _ error: any Error) {
        guard let taken = take(id, cancelling: true) else { return }
        taken.deliver.run { taken.end(.failure(error)) }
    }

    /// The value, waited for. Cancelling the task cancels the question and throws `CancellationError`.
    nonisolated(nonsending)
        func value(_ work: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await value(Self.beginning(work))
    }

    nonisolated(nonsending)
        func value(_ begin: Beginning) async throws -> Value
    {
        try Task.checkCancellation()
        let id = newID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(id, .direct, begin) { continuation.resume(with: $0) }
                // The task may have been cancelled before there was anything to cancel.
                if Task.isCancelled { cancel(id, CancellationError()) }
            }
        } onCancel: {
            cancel(id, CancellationError())
        }
    }
}

extension MKError {
    /// Why there is no way, what to allow so that there were one, and how far one gets.
    private static func userInfo(_ obstacle: Obstacle, from: Int, underlying: any Error) -> [String: Any] {
        let reason = obstacle.words { $0 == from ? "the start" : "the destination" }
        var info: [String: Any] = [
            NSLocalizedDescriptionKey: "No way leads from the start to the destination: \(reason).",
            NSLocalizedFailureReasonErrorKey: reason.prefix(1).uppercased() + reason.dropFirst() + ".",
            NSUnderlyingErrorKey: underlying,
        ]
        let remedies = obstacle.remedies
        if !remedies.isEmpty {
            info[NSLocalizedRecoverySuggestionErrorKey] =
                "A way would lead there with this: "
                + remedies.joined(separator: "; ") + "."
        }
        if let reach = obstacle.reach {
            info[reachableLocationKey] = CLLocation(
                latitude: reach.coordinate.latitude, longitude: reach.coordinate.longitude)
        }
        return info
    }

    /// The error that stands for one of the engine's.
    ///
    /// - Parameter code: for questions that have no answer.
    init(engine error: any Error, otherwise code: Code) {
        if let error = error as? MKError {
            self = error
            return
        }
        if case RoutingError.noRoute(let from, _, let obstacle)? = error as? RoutingError {
            self.init(code, userInfo: Self.userInfo(obstacle, from: from, underlying: error))
            return
        }
        let own: Code =
            switch error {
            case RoutingError.noRoadNearby, RoutingError.noRoute, RoutingError.invalidRequest: code
            default:
                switch EngineFailure(error) {
                case .noAtlas: .serverFailure
                case .noResult: code
                case .cancelled: .unknown
                }
            }
        self.init(own, userInfo: EngineFailure.userInfo(error))
    }
}

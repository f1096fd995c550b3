internal import Sextant
internal import Locking

/// Where the user is now, for directions from the current location.
enum CurrentPosition {
    private static let queue = DispatchQueue(label: "sextant.current-position")

    /// Asks for one position. `answer` is called once, later, on another thread; no thread waits meanwhile.
    ///
    /// The answer is `MKError.placemarkNotFound`, over the manager's error, where there is none.
    static func ask(
        from source: CLPositionSource? = CLLocationManager.positionSource,
        answer: @escaping @Sendable (Result<CLLocation, any Error>) -> Void
    ) {
        queue.async {
            guard let source else { return answer(.failure(unknown(CLError(.locationUnknown)))) }
            // The manager gives up after some seconds, so that the listener is always called.
            Listener(CLLocationManager(positionSource: source, queue: queue), answer).listen()
        }
    }

    /// The position that needs no waiting: what the source has told last, or where it never moves.
    static func known(from source: CLPositionSource? = CLLocationManager.positionSource) -> CLLocation? {
        source.flatMap { $0.feed.location ?? $0.feed.standing }
    }

    static func unknown(_ cause: any Error) -> MKError {
        MKError(
            .placemarkNotFound,
            "The current location is unknown: name a source of positions (SEXTANT_POSITION), or set a place.",
            underlying: cause)
    }

    /// Keeps its manager, and thereby itself, until there is an answer.
    private final class Listener: NSObject, CLLocationManagerDelegate, Sendable {
        private typealias Waiting = (
            listener: Listener, manager: CLLocationManager, answer: @Sendable (Result<CLLocation, any Error>) -> Void
        )
        private let waiting = Mutex<Waiting?>(nil)

        init(_ manager: CLLocationManager, _ answer: @escaping @Sendable (Result<CLLocation, any Error>) -> Void) {
            super.init()
            waiting.withLock { $0 = (self, manager, answer) }
        }

        func listen() {
            let manager = waiting.withLock { $0?.manager }
            manager?.delegate = self
            manager?.requestLocation()
        }

        private func take(_ result: Result<CLLocation, any Error>) {
            let taken = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            taken?.answer(result)
        }

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            if let last = locations.last { take(.success(last)) }
        }

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
            take(.failure(CurrentPosition.unknown(error)))
        }
    }
}

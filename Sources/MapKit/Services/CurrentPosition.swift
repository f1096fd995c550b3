internal import Sextant
internal import Locking

/// Where the user is now, for directions from the current location.
enum CurrentPosition {
    /// Seconds for which a position is waited for at most; the manager gives up before.
    private static let patience = 15.0

    /// Waits for one position. Not for the main thread.
    ///
    /// - Throws: `MKError.placemarkNotFound`, over the manager's error, where there is none.
    static func wait(from source: CLPositionSource? = CLLocationManager.positionSource) throws -> CLLocation {
        do {
            guard let source else { throw CLError(.locationUnknown) }
            let manager = CLLocationManager(
                positionSource: source, queue: DispatchQueue(label: "sextant.current-position"))
            let listener = Listener()
            manager.delegate = listener
            manager.requestLocation()
            _ = listener.isAnswered.wait(timeout: .now() + patience)
            return try listener.answer.withLock { try ($0 ?? .failure(CLError(.locationUnknown))).get() }
        } catch {
            throw MKError(
                .placemarkNotFound,
                "The current location is unknown: name a source of positions (SEXTANT_POSITION), or set a place.",
                underlying: error)
        }
    }

    private final class Listener: NSObject, CLLocationManagerDelegate, Sendable {
        let isAnswered = DispatchSemaphore(value: 0)
        let answer = Mutex<Result<CLLocation, any Error>?>(nil)

        private func take(_ result: Result<CLLocation, any Error>) {
            answer.withLock { $0 = $0 ?? result }
            isAnswered.signal()
        }

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            if let last = locations.last { take(.success(last)) }
        }

        func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { take(.failure(error)) }
    }
}

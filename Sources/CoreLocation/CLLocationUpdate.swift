import Foundation

/// One step of a stream of positions.
///
///     for try await update in CLLocationUpdate.liveUpdates() {
///         if let place = update.location { print(place.coordinate.latitude, place.coordinate.longitude) }
///     }
public struct CLLocationUpdate: Sendable {
    /// What the positions are for. Accepted; it changes nothing.
    public enum LiveConfiguration: Int, Sendable, Hashable {
        case `default` = 0
        case automotiveNavigation = 1
        case otherNavigation = 2
        case fitness = 3
        case airborne = 4
    }

    /// Nil where nothing is known; a flag tells why.
    public let location: CLLocation?
    /// Whether the position has not moved for some time.
    public let stationary: Bool
    /// Whether there is no source of positions, or it does not know where it is.
    public let locationUnavailable: Bool

    public var isStationary: Bool { stationary }
    // Nobody is asked for permission here, so none of these is ever so.
    public var authorizationDenied: Bool { false }
    public var authorizationDeniedGlobally: Bool { false }
    public var authorizationRestricted: Bool { false }
    public var authorizationRequestInProgress: Bool { false }
    public var accuracyLimited: Bool { false }
    public var insufficientlyInUse: Bool { false }
    public var serviceSessionRequired: Bool { false }

    /// The positions of the process's source, from the first that is known; it ends when the source ends. Without a source
    /// there is one update, with `locationUnavailable`.
    public static func liveUpdates(_ configuration: LiveConfiguration = .default) -> Updates {
        Updates(source: CLPositionSource.ofProcess)
    }

    /// The positions of one source.
    public static func liveUpdates(from source: CLPositionSource) -> Updates { Updates(source: source) }

    /// The updates, in order. Each iteration listens for itself and stops listening when it is dropped or cancelled.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Element = CLLocationUpdate

        let source: CLPositionSource?

        public func makeAsyncIterator() -> Iterator { Iterator(stream().makeAsyncIterator()) }

        private func stream() -> AsyncStream<PositionEvent> {
            AsyncStream { continuation in
                guard let feed = source?.feed else {
                    continuation.yield(.failure(CLPositionSource.failure("there is no source of positions")))
                    return continuation.finish()
                }
                let number = feed.add { event in
                    if case .end = event {
                        // Not here, where the feed is locked: finishing calls back into it.
                        Engine.perform { continuation.finish() }
                    } else {
                        continuation.yield(event)
                    }
                }
                continuation.onTermination = { _ in feed.remove(number) }
            }
        }

        public struct Iterator: AsyncIteratorProtocol {
            private var events: AsyncStream<PositionEvent>.Iterator
            private var rest = RestDetector()

            init(_ events: AsyncStream<PositionEvent>.Iterator) { self.events = events }

            public mutating func next() async throws -> CLLocationUpdate? {
                while let event = await events.next() {
                    switch event {
                    case .location(let location):
                        return CLLocationUpdate(
                            location: location, stationary: rest.take(location), locationUnavailable: false)
                    case .failure:
                        return CLLocationUpdate(location: nil, stationary: false, locationUnavailable: true)
                    case .heading, .end: continue
                    }
                }
                return nil
            }
        }
    }
}

/// Tells standing still from moving: no speed, or half a minute within 10 m.
private struct RestDetector {
    private var anchor: CLLocation?

    mutating func take(_ location: CLLocation) -> Bool {
        if location.speed == 0 { return true }
        guard let anchor, location.distance(from: anchor) <= 10 else {
            anchor = location
            return false
        }
        return location.timestamp.timeIntervalSince(anchor.timestamp) >= 30
    }
}

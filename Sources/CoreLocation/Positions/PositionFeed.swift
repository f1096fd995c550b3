import Foundation
internal import Locking

/// What a source tells.
package enum PositionEvent: Sendable {
    case location(CLLocation)
    case heading(CLHeading)
    /// Nothing is known for now; more may come.
    case failure(CLError)
    /// Nothing more will come.
    case end
}

/// Something that produces positions on a thread of its own.
package protocol PositionPlayer: Sendable {
    /// Whether it may tell headings.
    var tellsHeading: Bool { get }

    /// Whether its last position means nothing once nobody has listened for a while.
    var isLive: Bool { get }

    /// Where it is for ever; nil where it moves.
    var standing: CLLocation? { get }

    /// Tells what it knows, in order, until `stage` is closed or nothing more will come. Called again after a pause, it
    /// goes on where it was. Returns whether it has come to its end.
    func play(on stage: PositionStage) -> Bool
}

extension PositionPlayer {
    package var standing: CLLocation? { nil }
}

/// What a player plays on: where its events go, and how it waits.
package final class PositionStage: Sendable {
    private let tell: @Sendable (PositionEvent) -> Void
    private let closing = NSCondition()
    private let closed = Mutex(false)

    init(_ tell: @escaping @Sendable (PositionEvent) -> Void) { self.tell = tell }

    /// Whether nobody listens any more.
    package var isClosed: Bool { closed.withLock { $0 } }

    package func emit(_ event: PositionEvent) { tell(event) }

    /// Waits; false where nobody listens any more.
    package func wait(until date: Date) -> Bool {
        closing.lock()
        defer { closing.unlock() }
        while !isClosed {
            if date.timeIntervalSinceNow <= 0 { return true }
            // NSCondition cannot count to the distant future.
            _ = closing.wait(until: min(date, Date().addingTimeInterval(3_600)))
        }
        return false
    }

    func close() {
        closing.lock()
        closed.withLock { $0 = true }
        closing.broadcast()
        closing.unlock()
    }
}

/// Hands what one player tells to all who listen. The player's thread runs only while somebody does.
package final class PositionFeed: Sendable {
    package typealias Listener = @Sendable (PositionEvent) -> Void

    private struct State {
        var listeners: [Int: Listener] = [:]
        var nextNumber = 0
        var stage: PositionStage?
        var hasEnded = false
        var location: CLLocation?
        var heading: CLHeading?
        /// Why nothing is known, for those who ask later.
        var failure: CLError?
    }

    let player: any PositionPlayer
    private let state = Mutex(State())

    init(player: any PositionPlayer) { self.player = player }

    /// The latest position that anybody was told.
    package var location: CLLocation? { state.withLock { $0.location } }
    /// The position of a source that never moves.
    package var standing: CLLocation? { player.standing }
    package var heading: CLHeading? { state.withLock { $0.heading } }

    /// Listens until `remove` is called with the number. What is known already is told at once.
    ///
    /// `listener` is called under a lock, in order: it must do no more than hand the event on.
    func add(_ listener: @escaping Listener) -> Int {
        state.withLock { state in
            let number = state.nextNumber
            state.nextNumber += 1
            state.listeners[number] = listener
            if let location = state.location { listener(.location(location)) }
            if let heading = state.heading { listener(.heading(heading)) }
            if let failure = state.failure { listener(.failure(failure)) }
            if state.hasEnded {
                listener(.end)
            } else if state.stage == nil {
                start(&state)
            }
            return number
        }
    }

    func remove(_ number: Int) {
        state.withLock { state in
            state.listeners[number] = nil
            if state.listeners.isEmpty { state.stage?.close() }
        }
    }

    private func start(_ state: inout State) {
        let stage = PositionStage { [weak self] in self?.tell($0) }
        state.stage = stage
        Thread.detachNewThread { [player] in
            let isAtEnd = player.play(on: stage)
            self.finish(stage, isAtEnd: isAtEnd)
        }
    }

    private func tell(_ event: PositionEvent) {
        state.withLock { state in
            switch event {
            case .location(let location):
                state.location = location
                state.failure = nil
            case .heading(let heading): state.heading = heading
            case .failure(let error): state.failure = error
            case .end: break
            }
            for listener in state.listeners.sorted(by: { $0.key < $1.key }) { listener.value(event) }
        }
    }

    private func finish(_ stage: PositionStage, isAtEnd: Bool) {
        state.withLock { state in
            state.stage = nil
            if player.isLive {
                state.location = nil
                state.heading = nil
                state.failure = nil
            }
            if isAtEnd {
                state.hasEnded = true
                for listener in state.listeners.sorted(by: { $0.key < $1.key }) { listener.value(.end) }
            } else if !state.listeners.isEmpty {
                // Somebody came while the thread was leaving.
                start(&state)
            }
        }
    }
}

import Foundation
import Synchronization

/// Thrown by work that was asked to stop with Control-C, SIGTERM or SIGHUP.
struct Interrupted: Error {
    var signal: Int32
    /// What the user is told.
    var message = "stopped; nothing was left behind"
}

/// Turns the signals that end a program into an error at the next step of the work, so that nothing half-written is left.
enum Interruption {
    private static let received = Atomic<Int32>(0)

    /// From now on a signal is only noted; a second one ends the program at once.
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { number in
                Interruption.received.store(number, ordering: .relaxed)
                Foundation.signal(number, SIG_DFL)
            }
        }
    }

    /// Throws `Interrupted` where a signal has come.
    static func check() throws {
        let number = received.load(ordering: .relaxed)
        if number != 0 { throw Interrupted(signal: number) }
    }
}

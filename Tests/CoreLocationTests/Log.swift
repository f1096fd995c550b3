import Foundation
import Locking

/// What happened, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }
    var count: Int { all.count }

    func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

/// Whether code runs on the main queue; its thread need not be the first one under Swift's own main.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

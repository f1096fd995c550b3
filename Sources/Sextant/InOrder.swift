import Foundation

/// Work on many things on several cores, with the results in the order of the things.
///
///     try InOrder.run(next: { readLine() }, work: { $0.count }) { print($0) }
///
/// Things are read and results are received on the caller's thread; only some hundred of them are in memory at once, however
/// many there are.
public enum InOrder {
    /// Runs `work` for all things.
    ///
    /// - Parameters:
    ///   - workers: threads to work on, as many as there are cores without this.
    ///   - batch: things that a thread takes at once.
    ///   - next: gives the things one after the other, and nil behind the last.
    ///   - work: runs on any of the threads.
    ///   - receive: takes the results in the order of the things.
    /// - Throws: what one of the three throws. What was read before `next` or `work` threw is received first.
    public static func run<Thing: Sendable, Result: Sendable>(
        workers: Int = ProcessInfo.processInfo.activeProcessorCount, batch: Int = 32, next: () throws -> Thing?,
        work: @escaping @Sendable (Thing) throws -> Result, receive: (Result) throws -> Void
    ) throws {
        let bench = Workbench(work)
        defer { bench.close() }
        for _ in 0..<max(workers, 1) { bench.hire() }
        let most = 4 * max(workers, 1)
        var (sent, received) = (0, 0)
        var isEnded = false
        var fault: (any Error)?
        while true {
            while !isEnded, sent - received < most {
                var things: [Thing] = []
                do {
                    while things.count < max(batch, 1), let thing = try next() { things.append(thing) }
                } catch {
                    fault = error
                }
                isEnded = things.count < max(batch, 1)
                if things.isEmpty { break }
                bench.put(things)
                sent += 1
            }
            guard received < sent else { break }
            let (results, failure) = bench.take(received)
            received += 1
            for result in results { try receive(result) }
            if let failure { throw failure }
        }
        if let fault { throw fault }
    }

    private final class Workbench<Thing: Sendable, Result: Sendable>: @unchecked Sendable {
        typealias Outcome = (results: [Result], failure: (any Error)?)

        private let work: @Sendable (Thing) throws -> Result
        private let condition = NSCondition()
        /// Batches that nobody works on, in order, and the number of the first.
        private var waiting: [[Thing]] = []
        private var first = 0
        private var done: [Int: Outcome] = [:]
        private var isClosed = false
        private var hired = 0

        init(_ work: @escaping @Sendable (Thing) throws -> Result) { self.work = work }

        func hire() {
            condition.withLock { hired += 1 }
            let thread = Thread { self.labour() }
            thread.stackSize = 8 << 20
            thread.start()
        }

        private func labour() {
            while let (number, things) = batch() {
                var outcome: Outcome = ([], nil)
                outcome.results.reserveCapacity(things.count)
                do { for thing in things { outcome.results.append(try work(thing)) } } catch { outcome.failure = error }
                condition.withLock {
                    done[number] = outcome
                    condition.broadcast()
                }
            }
            condition.withLock {
                hired -= 1
                condition.broadcast()
            }
        }

        private func batch() -> (Int, [Thing])? {
            condition.withLock {
                while waiting.isEmpty, !isClosed { condition.wait() }
                guard !isClosed else { return nil }
                defer { first += 1 }
                return (first, waiting.removeFirst())
            }
        }

        func put(_ things: [Thing]) {
            condition.withLock {
                waiting.append(things)
                condition.broadcast()
            }
        }

        func take(_ number: Int) -> Outcome {
            condition.withLock {
                while true {
                    if let outcome = done.removeValue(forKey: number) { return outcome }
                    condition.wait()
                }
            }
        }

        /// Waits until nobody works any more.
        func close() {
            condition.withLock {
                isClosed = true
                condition.broadcast()
                while hired > 0 { condition.wait() }
            }
        }
    }
}

extension Atlas {
    /// Finds the places of many queries on all cores, and tells the answers in the order of the queries.
    ///
    ///     try atlas.geocode(all: addresses.map { GeocodeQuery($0, limit: 1) }) { query, found in
    ///         print(query.text, found.places.first?.coordinate ?? found.unmatchedToken ?? "?")
    ///     }
    ///
    /// The answers are those of `geocode(_:)` one by one. The queries are read as they are needed, so that a lazy sequence may
    /// be of any length; `receive` is called on the caller's thread and may throw to stop.
    ///
    /// - Parameter workers: threads to work on, as many as there are cores without this.
    public func geocode(
        all queries: some Sequence<GeocodeQuery>, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
        _ receive: (GeocodeQuery, FoundPlaces) throws -> Void
    ) throws {
        var queries = queries.makeIterator()
        try InOrder.run(workers: workers, next: { queries.next() }, work: { ($0, try self.geocode($0)) }) {
            try receive($0, $1)
        }
    }
}

import Foundation
internal import Locking

/// A position of a file, before it is played.
struct PlayedFix: Sendable {
    var coordinate: CLLocationCoordinate2D
    /// Seconds; only differences matter.
    var time: Double
    var altitude: Double?
    /// Metres; nil where the file does not tell.
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    /// Metres a second.
    var speed: Double?
    /// Degrees from true north.
    var course: Double?
    /// Degrees from magnetic and from true north.
    var magneticHeading: Double?
    var trueHeading: Double?

    static let software = CLLocationSourceInformation(
        softwareSimulationState: true, andExternalAccessoryState: false)

    init(_ coordinate: CLLocationCoordinate2D, time: Double) {
        self.coordinate = coordinate
        self.time = time
    }

    init(_ location: CLLocation) {
        self.init(location.coordinate, time: location.timestamp.timeIntervalSinceReferenceDate)
        if location.verticalAccuracy > 0 {
            altitude = location.altitude
            verticalAccuracy = location.verticalAccuracy
        }
        horizontalAccuracy = location.horizontalAccuracy
        if location.speed >= 0 { speed = location.speed }
        if location.course >= 0 { course = location.course }
    }

    func location(at date: Date) -> CLLocation {
        let vertical = altitude == nil ? -1 : verticalAccuracy ?? 10
        return CLLocation(
            coordinate: coordinate, altitude: altitude ?? 0, horizontalAccuracy: horizontalAccuracy ?? 5,
            verticalAccuracy: vertical, course: course ?? -1, courseAccuracy: -1, speed: speed ?? -1,
            speedAccuracy: -1, timestamp: date, sourceInfo: Self.software)
    }

    func heading(at date: Date) -> CLHeading? {
        guard magneticHeading != nil || trueHeading != nil else { return nil }
        return CLHeading(
            magneticHeading: magneticHeading ?? trueHeading ?? 0, trueHeading: trueHeading ?? -1, headingAccuracy: 5,
            timestamp: date)
    }
}

extension Double {
    /// Metres of an error, from zero to the farthest two places can be apart; nil for what says nothing.
    var asAccuracy: Double? { (0...20_037_509).contains(self) ? self : nil }

    /// Metres a second, from standing to the speed of light; nil for what nothing has.
    var asSpeed: Double? { (0...299_792_458).contains(self) ? self : nil }

    /// Degrees from north, as they are told: 0 to 360.
    var asCourse: Double? { (0...360).contains(self) ? self : nil }

    /// Degrees between two norths, to either side.
    var asTurn: Double? { (-180...180).contains(self) ? self : nil }
}

/// Plays positions at their pace, as though the journey began now: the time stamps keep the file's intervals.
final class FilePlayer: PositionPlayer {
    private struct State {
        var fixes: [PlayedFix]?
        var next = 0
    }

    private let read: @Sendable () throws -> [PlayedFix]
    private let speed: Double
    private let isEndless: Bool
    private let state = Mutex(State())

    /// - Parameter isEndless: whether the last position holds for ever, rather than the source ending there.
    /// - Parameter tellsHeading: whether there may be headings.
    init(
        speed: Double, isEndless: Bool = false, tellsHeading: Bool = false,
        read: @escaping @Sendable () throws -> [PlayedFix]
    ) {
        self.read = read
        self.speed = speed > 0 ? speed : 1
        self.isEndless = isEndless
        self.tellsHeading = tellsHeading
    }

    let tellsHeading: Bool
    let isLive = false
    var standing: CLLocation? { isEndless ? (try? read())?.last?.location(at: Date()) : nil }

    func play(on stage: PositionStage) -> Bool {
        let fixes: [PlayedFix]
        do {
            fixes = try state.withLock { state in
                if let fixes = state.fixes { return fixes }
                let fixes = Self.withMovement(try read())
                state.fixes = fixes
                return fixes
            }
        } catch {
            stage.emit(.failure(error as? CLError ?? CLPositionSource.failure(EngineFailure.message(error))))
            return true
        }
        guard !fixes.isEmpty else {
            stage.emit(.failure(CLPositionSource.failure("the source of positions holds none")))
            return true
        }
        let begin = Date()
        var first: Double?
        while let fix = state.withLock({ $0.next < fixes.count ? fixes[$0.next] : nil }) {
            let elapsed = max(0, fix.time - (first ?? fix.time))
            if first == nil { first = fix.time }
            guard stage.wait(until: begin.addingTimeInterval(elapsed / speed)) else { return false }
            state.withLock { $0.next += 1 }
            let date = begin.addingTimeInterval(elapsed)
            if let heading = fix.heading(at: date) { stage.emit(.heading(heading)) }
            stage.emit(.location(fix.location(at: date)))
        }
        if isEndless { _ = stage.wait(until: .distantFuture) }
        return !isEndless
    }

    /// Speed and course where the file does not tell them, from one position to the next. Times never go back.
    private static func withMovement(_ fixes: [PlayedFix]) -> [PlayedFix] {
        var result = fixes
        for index in result.indices.dropFirst() {
            let before = result[index - 1]
            result[index].time = max(result[index].time, before.time)
            let seconds = result[index].time - before.time
            let (a, b) = (before.coordinate.engine, result[index].coordinate.engine)
            let metres = a.geodesicDistance(to: b)
            guard metres.isFinite else { continue }
            if result[index].speed == nil, seconds > 0 { result[index].speed = (metres / seconds).asSpeed }
            if result[index].course == nil, metres > 1 { result[index].course = a.bearing(to: b) }
        }
        return result
    }
}

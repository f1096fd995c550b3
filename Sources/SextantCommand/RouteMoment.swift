import Foundation
import Geometry
import OpenStreetMap
import Routing
import Sextant

/// The time of `--depart` or `--arrive`.
struct RouteMoment {
    private let time: SearchTime
    private let isArrival: Bool
    private let longestWait: Int?

    /// Nil where neither is given. Throws `UsageError` for what is no time, and for both at once.
    init?(_ arguments: Arguments) throws {
        let (departure, arrival) = (arguments["--depart"], arguments["--arrive"])
        guard departure == nil || arrival == nil else {
            throw UsageError("--depart and --arrive are two questions: ask one of them")
        }
        var longestWait: Int?
        if let text = arguments["--longest-wait"] {
            guard let minutes = Int(text), (0...40_000).contains(minutes) else {
                throw UsageError("--longest-wait wants minutes, not \"\(text)\"")
            }
            guard departure != nil || arrival != nil else {
                throw UsageError("--longest-wait says something of a way with --depart or --arrive")
            }
            longestWait = 60 * minutes
        }
        self.longestWait = longestWait
        isArrival = arrival != nil
        guard departure != nil || arrival != nil else { return nil }
        time = try SearchTime(departure ?? arrival, option: isArrival ? "--arrive" : "--depart")
    }

    /// Sets the time of a request, on the clock of its first or last stop.
    func set(in request: inout RouteRequest, _ atlas: Atlas) throws {
        guard let stop = isArrival ? request.stops.last : request.stops.first else { return }
        let date = time.date(in: try atlas.timeZone(at: stop.coordinate) ?? .current)
        let seconds = Int64(date.timeIntervalSince1970.rounded())
        if isArrival { request.arrival = seconds } else { request.departure = seconds }
        if let longestWait { request.longestWait = longestWait }
    }
}

/// When a way begins and ends, on the clocks there.
struct RouteClock {
    /// As `2026-12-01T08:00:00+01:00`.
    let departure: String
    let arrival: String
    let sentence: String

    /// Nil for a way without times.
    init?(_ route: Route, _ stops: [RouteCommand.NamedStop], _ atlas: Atlas) throws {
        guard let first = route.times.first, let last = route.times.last, let start = stops.first, let end = stops.last
        else { return nil }
        let (begin, finish) = (Date(timeIntervalSince1970: first.departure), Date(timeIntervalSince1970: last.arrival))
        let zones = (
            try atlas.timeZone(at: start.coordinate) ?? .current, try atlas.timeZone(at: end.coordinate) ?? .current
        )
        departure = Self.text(begin, zones.0)
        arrival = Self.text(finish, zones.1)
        let (from, to) = (OpeningHours.Moment(begin, in: zones.0), OpeningHours.Moment(finish, in: zones.1))
        sentence = "Departure \(from), arrival \(from.day == to.day ? to.clock : "\(to)")"
    }

    private static func text(_ date: Date, _ zone: TimeZone) -> String {
        let formatter = ISO8601DateFormatter()
        formatter.timeZone = zone
        return formatter.string(from: date)
    }
}

import Foundation
import Geometry
import Routing

// The time on the clocks along a way, by which everything that depends on the time is kept.

extension RouteRequest {
    /// Sets the clock to that of a time zone, its changes within the next weeks included.
    ///
    /// Does nothing for a request without a departure or an arrival.
    public mutating func setClock(to zone: TimeZone) {
        guard let moment = departure ?? arrival else { return }
        let weeks: TimeInterval = 24 * 86_400
        var start = Date(timeIntervalSince1970: Double(moment))
        if departure == nil { start -= weeks }
        utcOffset = zone.secondsFromGMT(for: start)
        clockChanges = []
        var last = start
        while clockChanges.count < 8, let change = zone.nextDaylightSavingTimeTransition(after: last),
            change > last, change < start + weeks
        {
            clockChanges.append(
                ClockChange(
                    moment: Int64(change.timeIntervalSince1970.rounded()),
                    utcOffset: zone.secondsFromGMT(for: change + 1)))
            last = change
        }
    }
}

extension Atlas {
    /// The request with the clock of its first stop's time zone, as the World knows it, or else of the machine's.
    ///
    /// A request without a time stays as it is, and so does one that tells its clock.
    func clocked(_ request: RouteRequest) throws -> RouteRequest {
        guard request.departure != nil || request.arrival != nil, request.utcOffset == 0, request.clockChanges.isEmpty,
            let first = request.stops.first
        else { return request }
        var request = request
        request.setClock(to: try timeZone(at: first.coordinate) ?? .current)
        return request
    }
}

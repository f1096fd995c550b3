import Foundation

// Between the wall clock of a place, on which opening hours are kept, and moments of the world.

extension OpeningHours.Moment {
    /// What the clock shows at a moment in a time zone. Seconds are dropped.
    public init(_ date: Date, in zone: TimeZone) {
        let seconds = date.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: date))
        let held = seconds.isFinite ? min(max(seconds, -300_000_000_000), 300_000_000_000) : 0
        let minutes = Int((held / 60).rounded(.down))
        let days = Int((Double(minutes) / 1440).rounded(.down))
        self.init(day: .init(number: days), minute: minutes - days * 1440)
    }

    /// The moment at which the clock of a time zone shows this. Where a clock is set back it is the first such moment;
    /// where it is set forward over this minute, as long after the change as this lies in the gap.
    public func date(in zone: TimeZone) -> Date {
        let local = Double(day.number * 1440 + minute) * 60
        // A day earlier the clock goes by the offset before any change of this day.
        let before = Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: local - 86_400 - 50_400)))
        let first = Date(timeIntervalSince1970: local - before)
        let after = Double(zone.secondsFromGMT(for: first))
        if after == before { return first }
        let second = Date(timeIntervalSince1970: local - after)
        return Double(zone.secondsFromGMT(for: second)) == after ? second : first
    }
}

extension OpeningHours.Site {
    /// A place with its time zone, such as those that `Atlas.surroundings(of:)` tells.
    public init(coordinate: Coordinate, timeZone: TimeZone) {
        self.init(coordinate: coordinate) { day in
            let noon = Date(timeIntervalSince1970: Double(day.number) * 86_400 + 43_200)
            return timeZone.secondsFromGMT(for: noon) / 60
        }
    }
}

extension Atlas {
    /// The time zone of a point, by the outlines of the World; nil where no open atlas knows it.
    public func timeZone(at point: Coordinate) throws -> TimeZone? {
        for index in parts.indices {
            let zones = try asking(index) { try $0.surroundings(of: point, kinds: [.timeZone]) }
            if let zone = zones.lazy.compactMap({ $0.tags["timezone"].flatMap(TimeZone.init(identifier:)) }).first {
                return zone
            }
        }
        return nil
    }
}

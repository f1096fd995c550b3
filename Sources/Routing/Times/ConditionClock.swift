import OpenStreetMap

/// From a moment on clocks go differently from universal time than before, as where summer time begins.
public struct ClockChange: Sendable, Hashable {
    /// Seconds since 1970.
    public var moment: Int64
    /// Seconds that the clock is ahead of universal time from then on.
    public var utcOffset: Int

    public init(moment: Int64, utcOffset: Int) {
        self.moment = moment
        self.utcOffset = utcOffset
    }
}

/// When conditions hold within a span of time, each looked through once, when it is first asked about.
///
/// Moments are milliseconds since the span's beginning.
struct ConditionClock {
    /// Seconds since 1970.
    let origin: Int64
    /// Milliseconds: what lies before and beyond is not looked at.
    let earliest: UInt32
    let length: UInt32
    private let conditions: [RoadCondition]
    private let vehicle: VehicleSize
    private let site: OpeningHours.Site
    private let utcOffset: Int
    /// In rising order.
    private let changes: [ClockChange]
    /// Seconds since 1970 at which everything is taken to stay as it is; nil where time passes.
    private let stop: Int64?
    private var courses: [Course?]

    /// From each beginning to the next it holds or does not.
    private struct Course {
        var beginnings: [UInt32] = []
        var holds: [Bool] = []

        /// The place of the stretch that holds a moment.
        func index(at moment: UInt32) -> Int {
            var (low, high) = (0, beginnings.count)
            while high - low > 1 {
                let middle = (low + high) / 2
                if beginnings[middle] <= moment { low = middle } else { high = middle }
            }
            return low
        }
    }

    init(
        origin: Int64, earliest: UInt32, length: UInt32, conditions: [RoadCondition], vehicle: VehicleSize,
        site: OpeningHours.Site,
        utcOffset: Int, changes: [ClockChange], stoppedAt stop: Int64? = nil
    ) {
        self.origin = origin
        self.earliest = stop == nil ? earliest : 0
        self.length = stop == nil ? length : .max - 1
        self.stop = stop
        self.conditions = conditions
        self.vehicle = vehicle
        self.site = site
        self.utcOffset = utcOffset
        self.changes = changes.sorted { $0.moment < $1.moment }
        courses = [Course?](repeating: nil, count: conditions.count)
    }

    /// Whether a condition holds at a moment.
    mutating func holds(_ condition: Int, at moment: UInt32) -> Bool {
        let course = course(of: condition)
        return course.holds[course.index(at: moment)]
    }

    /// The first moment after another at which a condition changes; nil where none does within the span.
    mutating func change(of condition: Int, after moment: UInt32) -> UInt32? {
        let course = course(of: condition)
        let next = course.index(at: moment) + 1
        return next < course.beginnings.count ? course.beginnings[next] : nil
    }

    /// The moment since which a condition has been as it is at another one.
    mutating func beginning(of condition: Int, before moment: UInt32) -> UInt32 {
        let course = course(of: condition)
        return course.beginnings[course.index(at: moment)]
    }

    private mutating func course(of condition: Int) -> Course {
        guard courses.indices.contains(condition) else { return Course(beginnings: [0], holds: [false]) }
        if let known = courses[condition] { return known }
        let course = found(conditions[condition])
        courses[condition] = course
        return course
    }

    private func found(_ condition: RoadCondition) -> Course {
        var course = Course()
        let end = origin + Int64(length) / 1000 + 1
        var at = stop ?? origin + Int64(earliest) / 1000
        while true {
            var offset = Int64(utcOffset)
            var pieceEnd: Int64?
            for change in changes {
                if change.moment <= at {
                    offset = Int64(change.utcOffset)
                } else {
                    pieceEnd = change.moment
                    break
                }
            }
            let minutes = Self.floor(at + offset, 60)
            let moment = OpeningHours.Moment(
                day: OpeningHours.Day(number: Int(Self.floor(minutes, 1440))),
                minute: Int(minutes - Self.floor(minutes, 1440) * 1440))
            let holds = condition.holds(at: moment, vehicle: vehicle, in: site)
            if course.holds.last != holds {
                course.beginnings.append(course.holds.isEmpty ? 0 : UInt32(clamping: (at - origin) * 1000))
                course.holds.append(holds)
            }
            if stop != nil { return course }
            let next = condition.nextChange(after: moment, in: site).map {
                (Int64($0.day.number) * 1440 + Int64($0.minute)) * 60 - offset
            }
            guard let following = [next, pieceEnd].compactMap({ $0 }).min(), following > at, following < end else {
                return course
            }
            at = following
        }
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : (value - unit + 1) / unit
    }
}

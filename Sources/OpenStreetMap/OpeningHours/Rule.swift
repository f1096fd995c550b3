extension OpeningHours {
    /// One rule: on which days, at which times, and what is so then.
    struct Rule: Sendable, Hashable {
        /// How a rule joins those before it.
        enum Joint: Sendable, Hashable {
            /// `;`: takes the days that it names from the rules before.
            case normal
            /// `,`: adds to the rules before.
            case additional
            /// `||`: holds where the rules before say closed. A comment alone holds on days without hours; on others it goes
            /// with what is closed.
            case fallback
            /// A comment alone after `;` or `,`: holds where the rules before say closed.
            case otherwise
        }

        var joint = Joint.normal
        var years: [YearRange] = []
        var dates: [DateRange] = []
        var weeks: [StepRange] = []
        var weekdays: [WeekdayRange] = []
        var holidays: [Holiday] = []
        /// Whether weekdays and holidays must both hold, as in "SH Mo-Fr"; else one of them is enough.
        var wantsWeekdayInHoliday = false
        /// No times mean the whole day.
        var times: [TimeSpan] = []
        var kind = Kind.open
        /// Whether `open`, `off` or `unknown` is written.
        var isKindWritten = false
        var comment: String?

        var namesDays: Bool {
            !years.isEmpty || !dates.isEmpty || !weeks.isEmpty || !weekdays.isEmpty || !holidays.isEmpty
        }
        var restsOnComment: Bool { comment != nil && !isKindWritten && kind == .open }
    }

    /// Numbers from a first to a last, each `step`; a last before the first goes on at the beginning.
    struct StepRange: Sendable, Hashable {
        var first: Int
        var last: Int
        var step = 1

        func contains(_ number: Int, in cycle: Int) -> Bool {
            if first <= last { return number >= first && number <= last && (number - first) % step == 0 }
            return number >= first
                ? (number - first) % step == 0 : number <= last && (number + cycle - first) % step == 0
        }
    }

    struct YearRange: Sendable, Hashable {
        var first: Int
        /// The same as the first for one year; 9999 where the end is open.
        var last: Int
        var step = 1

        func contains(_ year: Int) -> Bool { year >= first && year <= last && (year - first) % step == 0 }
    }

    /// Days added to a date, the next or the previous of a weekday first.
    struct DayOffset: Sendable, Hashable {
        /// 0 is Monday.
        var weekday: Int?
        var isWeekdayBefore = false
        var days = 0

        func applied(to day: Day) -> Day {
            var result = day.number
            if let weekday {
                let ahead = (weekday - day.weekday + 7) % 7
                result += isWeekdayBefore ? (ahead == 0 ? 0 : ahead - 7) : ahead
            }
            return Day(number: result + days)
        }
    }

    /// A date that every year has, or one of one year.
    struct YearlyDate: Sendable, Hashable {
        enum Basis: Sendable, Hashable {
            /// A whole month: its first day as a beginning, its last as an end.
            case month(Int)
            case day(month: Int, day: Int)
            /// The nth of a weekday in a month, from its end where negative.
            case weekday(month: Int, weekday: Int, count: Int)
            case easter
        }
        var year: Int?
        var basis: Basis
        var offset = DayOffset()

        /// The date in a year; nil where the year has no such day and it is no end of a range.
        func day(in year: Int, as end: RangeEnd) -> Day? {
            let base: Day
            switch basis {
            case .month(let month):
                base = Day(year: year, month: month, day: end == .last ? Day.count(year: year, month: month) : 1)
            case .day(let month, let day):
                let count = Day.count(year: year, month: month)
                if day > count {
                    switch end {
                    case .only: return nil
                    case .first: base = Day(year: year, month: month, day: count + 1)
                    case .last: base = Day(year: year, month: month, day: count)
                    }
                } else {
                    base = Day(year: year, month: month, day: day)
                }
            case .weekday(let month, let weekday, let count):
                if count > 0 {
                    let first = Day(year: year, month: month, day: 1)
                    base = Day(number: first.number + (weekday - first.weekday + 7) % 7 + 7 * (count - 1))
                } else {
                    let last = Day(year: year, month: month, day: Day.count(year: year, month: month))
                    base = Day(number: last.number - (last.weekday - weekday + 7) % 7 + 7 * (count + 1))
                }
            case .easter: base = Day.easter(year: year)
            }
            return offset.applied(to: base)
        }
    }

    enum RangeEnd { case first, last, only }

    struct DateRange: Sendable, Hashable {
        var first: YearlyDate
        /// Nil for one day, or one month.
        var last: YearlyDate?
        /// `Apr 10+`: until the end of the year, or for good where a year is named.
        var isOpenEnded = false

        func contains(_ day: Day, year: Int) -> Bool {
            if let known = first.year {
                if isOpenEnded {
                    return first.day(in: known, as: .first).map { day >= $0 } ?? false
                }
                return contains(day, beginningIn: known)
            }
            if contains(day, beginningIn: year) { return true }
            // A range over the new year began in the year before; an offset may move a date over it.
            return contains(day, beginningIn: year - 1) || contains(day, beginningIn: year + 1)
        }

        private func contains(_ day: Day, beginningIn year: Int) -> Bool {
            if isOpenEnded {
                guard let begin = first.day(in: year, as: .first) else { return false }
                return day >= begin && day <= Day(year: year, month: 12, day: 31)
            }
            guard let last else {
                if case .month = first.basis, first.offset == DayOffset() {
                    guard let begin = first.day(in: year, as: .first), let end = first.day(in: year, as: .last) else {
                        return false
                    }
                    return day >= begin && day <= end
                }
                return first.day(in: year, as: .only) == day
            }
            guard let begin = first.day(in: year, as: .first), day >= begin else { return false }
            if let known = last.year { return last.day(in: known, as: .last).map { day <= $0 } ?? false }
            guard let end = last.day(in: year, as: .last) else { return false }
            if end >= begin { return day <= end }
            return last.day(in: year + 1, as: .last).map { day <= $0 } ?? false
        }
    }

    struct WeekdayRange: Sendable, Hashable {
        /// 0 is Monday; a last before the first goes on over the end of the week.
        var first: Int
        var last: Int
        /// Which ones of the month, from its end where negative; empty for all.
        var counts: [Int] = []
        /// Days after such a weekday.
        var offset = 0

        func contains(_ day: Day) -> Bool {
            let base = offset == 0 ? day : Day(number: day.number - offset)
            let weekday = base.weekday
            guard first <= last ? weekday >= first && weekday <= last : weekday >= first || weekday <= last else {
                return false
            }
            if counts.isEmpty { return true }
            let (year, month, number) = base.date
            let fromStart = (number - 1) / 7 + 1
            let fromEnd = -((Day.count(year: year, month: month) - number) / 7 + 1)
            return counts.contains(fromStart) || counts.contains(fromEnd)
        }
    }

    struct Holiday: Sendable, Hashable {
        var isSchool: Bool
        /// Days after a holiday.
        var offset = 0
    }

    /// A time of the day, or an event of the sun moved by some minutes.
    struct ClockTime: Sendable, Hashable {
        enum Event: String, Sendable, Hashable { case dawn, sunrise, sunset, dusk }
        var event: Event?
        /// Minutes since midnight, or since the event.
        var minutes: Int

        func minute(_ sun: SunTimes) -> Int {
            switch event {
            case nil: minutes
            case .dawn: min(max(sun.dawn + minutes, 0), 2880)
            case .sunrise: min(max(sun.sunrise + minutes, 0), 2880)
            case .sunset: min(max(sun.sunset + minutes, 0), 2880)
            case .dusk: min(max(sun.dusk + minutes, 0), 2880)
            }
        }
    }

    struct TimeSpan: Sendable, Hashable {
        var start: ClockTime
        /// Nil for a point of time, or where only the beginning is known.
        var end: ClockTime?
        var isOpenEnded = false
        /// Minutes from one repetition to the next, as in `10:00-16:00/90`. It counts as open throughout.
        var repetition: Int?

        static let wholeDay = TimeSpan(start: .init(minutes: 0), end: .init(minutes: 1440))

        /// From a minute to before another, counted from the midnight at which the day begins; nil where it is empty.
        func minutes(_ sun: SunTimes) -> Range<Int>? {
            let from = start.minute(sun)
            guard let end else {
                // A point of time lasts for its minute; an open end for the rest of the day.
                return isOpenEnded ? from..<(from < 1440 ? 1440 : 2880) : from..<from + 1
            }
            var to = end.minute(sun)
            if to == from, start.event != nil, end.event != nil { return nil }
            if to <= from { to += 1440 }
            return to > from ? from..<min(to, from + 2880) : nil
        }
    }

    /// What a list of rules depends on.
    struct Needs: Sendable, Hashable {
        var isConstant = true
        var publicHolidays = false
        var schoolHolidays = false
        var sun = false
        /// How many days hours reach beyond the day on which they begin.
        var daysBefore = 0
        /// After how many days the hours cannot bring anything new, or are not looked at any further. Where holidays are
        /// not known, rules about them bring nothing.
        var horizon = 8
        var horizonWithHolidays = 8

        init(_ rules: [Rule]) {
            for rule in rules {
                if rule.namesDays || !rule.times.isEmpty { isConstant = false }
                for holiday in rule.holidays {
                    if holiday.isSchool { schoolHolidays = true } else { publicHolidays = true }
                }
                for time in rule.times {
                    if time.start.event != nil || time.end?.event != nil {
                        sun = true
                        daysBefore = 2
                        horizon = max(horizon, 370)
                    } else if let minutes = time.minutes(.fixed) {
                        daysBefore = max(daysBefore, min((minutes.upperBound - 1) / 1440, 2))
                    }
                }
                if !rule.years.isEmpty || rule.dates.contains(where: { $0.first.year != nil }) {
                    horizon = max(horizon, 1500)
                } else if !rule.dates.isEmpty || !rule.weeks.isEmpty {
                    horizon = max(horizon, 750)
                }
                if rule.weekdays.contains(where: { !$0.counts.isEmpty }) { horizon = max(horizon, 750) }
            }
            horizon += daysBefore + 1
            horizonWithHolidays = publicHolidays || schoolHolidays ? max(horizon, 750) : horizon
        }
    }
}

import Geometry

extension OpeningHours {
    /// A day of the Gregorian calendar.
    public struct Day: Sendable, Hashable, Comparable, CustomStringConvertible {
        /// Days since 1 January 1970.
        public var number: Int

        /// The day so many days after 1 January 1970; held between the years -9999 and 99999.
        public init(number: Int) { self.number = min(max(number, -4_400_000), 35_900_000) }

        /// The day of a date. A month or day beyond its end counts on: 30 February is 1 or 2 March.
        ///
        /// After Hinnant's "chrono-compatible low-level date algorithms".
        public init(year: Int, month: Int, day: Int) {
            let years = min(max(year, -9999), 99_999)
            let months = min(max(month, -1200), 1200) - 1
            let shift = months >= 0 ? months / 12 : (months - 11) / 12
            let inYear = months - shift * 12
            let y = years + shift - (inYear < 2 ? 1 : 0)
            let era = (y >= 0 ? y : y - 399) / 400
            let yearOfEra = y - era * 400
            let dayOfYear = (153 * (inYear < 2 ? inYear + 10 : inYear - 2) + 2) / 5
            let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
            self.init(number: era * 146_097 + dayOfEra - 719_468 + min(max(day, -40_000), 40_000) - 1)
        }

        /// Year, month (1 is January) and day of the month.
        public var date: (year: Int, month: Int, day: Int) {
            let shifted = number + 719_468
            let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
            let dayOfEra = shifted - era * 146_097
            let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
            let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
            let monthFromMarch = (5 * dayOfYear + 2) / 153
            let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
            let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
            return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
        }

        /// 0 is Monday.
        public var weekday: Int {
            let rest = (number + 3) % 7
            return rest < 0 ? rest + 7 : rest
        }

        /// Week of the year by ISO 8601: week 1 has the year's first Thursday.
        public var week: Int {
            let thursday = Day(number: number - weekday + 3)
            return (thursday.number - Day(year: thursday.date.year, month: 1, day: 1).number) / 7 + 1
        }

        public static func < (a: Day, b: Day) -> Bool { a.number < b.number }

        public var description: String {
            let (year, month, day) = date
            return "\(year)-\(twoDigits(month))-\(twoDigits(day))"
        }

        /// How many days a month has.
        static func count(year: Int, month: Int) -> Int {
            switch month {
            case 4, 6, 9, 11: 30
            case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
            default: 31
            }
        }

        /// Easter Sunday of a year ("anonymous Gregorian" rule; Nature, 20 April 1876).
        static func easter(year: Int) -> Day {
            let a = year % 19
            let b = year / 100
            let c = year % 100
            let d = (19 * a + b - b / 4 - (b - (b + 8) / 25 + 1) / 3 + 15) % 30
            let e = (32 + 2 * (b % 4) + 2 * (c / 4) - d - c % 4) % 7
            let f = d + e - 7 * ((a + 11 * d + 22 * e) / 451) + 114
            return Day(year: year, month: f / 31, day: f % 31 + 1)
        }
    }

    /// A minute on the wall clock of a place.
    public struct Moment: Sendable, Hashable, Comparable, CustomStringConvertible {
        public var day: Day
        /// Minutes since midnight, 0 to 1439.
        public var minute: Int

        /// A minute of a day; minutes beyond the day count on into the days beside it.
        public init(day: Day, minute: Int) {
            let held = min(max(minute, -1_000_000), 1_000_000)
            let days = held >= 0 ? held / 1440 : (held - 1439) / 1440
            self.day = Day(number: day.number + days)
            self.minute = held - days * 1440
        }

        /// A date and a time of the day. What lies beyond a month or day counts on.
        public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) {
            self.init(
                day: Day(year: year, month: month, day: day),
                minute: min(max(hour, -10_000), 10_000) * 60 + min(max(minute, -10_000), 10_000))
        }

        /// The moment so many minutes later.
        public func advanced(byMinutes minutes: Int) -> Moment {
            Moment(day: day, minute: minute + min(max(minutes, -1_000_000), 1_000_000))
        }

        /// 0 to 23.
        public var hour: Int { minute / 60 }

        public static func < (a: Moment, b: Moment) -> Bool { (a.day, a.minute) < (b.day, b.minute) }

        /// "2026-03-07 13:00".
        public var description: String { "\(day) \(clock)" }
        /// "13:00".
        public var clock: String { "\(twoDigits(minute / 60)):\(twoDigits(minute % 60))" }
    }

    /// What hours may depend on besides the clock.
    public struct Site: Sendable {
        /// Where it is, for hours that depend on the sun. Without it the sun rises at 07:00 and sets at 19:00, an hour
        /// after dawn and before dusk.
        public var coordinate: Coordinate?
        /// Minutes that the wall clock is ahead of UTC on a day, for hours that depend on the sun.
        public var minutesFromUTC: @Sendable (Day) -> Int
        /// Tells public holidays; nil where they are not known.
        public var isPublicHoliday: (@Sendable (Day) -> Bool)?
        /// Tells school holidays; nil where they are not known.
        public var isSchoolHoliday: (@Sendable (Day) -> Bool)?

        /// - Parameter coordinate: nil where it is not known or does not matter.
        public init(coordinate: Coordinate? = nil, minutesFromUTC: @escaping @Sendable (Day) -> Int = { _ in 0 }) {
            self.coordinate = coordinate
            self.minutesFromUTC = minutesFromUTC
        }

        /// Nothing is known but the clock.
        public static let unknown = Site()
    }
}

func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

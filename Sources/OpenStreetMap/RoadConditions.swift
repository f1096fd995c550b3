/// Conditions of conditional tags, such as `no_left_turn @ (Mo-Fr 07:00-10:30)`.
public enum RoadConditions {
    /// The parts of a conditional value: each value with its condition, blanks and brackets removed.
    public static func parts(_ value: String) -> [(value: String, condition: String)] {
        var result: [(String, String)] = []
        var depth = 0
        var current = ""
        func close() {
            guard let at = current.firstIndex(of: "@") else { return }
            let name = current[..<at].trimmed()
            var condition = current[current.index(after: at)...].trimmed()
            if condition.hasPrefix("("), condition.hasSuffix(")") {
                condition = condition.dropFirst().dropLast().trimmed()
            }
            if !name.isEmpty, !condition.isEmpty { result.append((String(name), String(condition))) }
        }
        for character in value.prefix(2000) {
            switch character {
            case "(": depth += 1
            case ")": depth = max(0, depth - 1)
            case ";" where depth == 0:
                close()
                current = ""
                continue
            default: break
            }
            current.append(character)
        }
        close()
        return result
    }

    /// Whether a condition of dates, weekdays and hours holds; of several joined by `AND`, whether all do.
    ///
    /// Conditions about anything else (weights, sunrise, visitors) do not hold, nor do those that cannot be read.
    /// - Parameter localSeconds: seconds since 1970 on the clock of the place.
    public static func holds(_ condition: String, localSeconds: Int64) -> Bool {
        let parts = condition.replacing(" and ", with: " AND ").split(separator: " AND ")
        return !parts.isEmpty
            && parts.allSatisfy { part in
                let text = part.trimmed()
                return hoursHold(text, localSeconds: localSeconds) ?? datesHold(text, localSeconds: localSeconds)
            }
    }

    /// The same of conditions with dates, years or weeks, as opening hours are written.
    private static func datesHold(_ condition: Substring, localSeconds: Int64) -> Bool {
        guard condition.contains(where: \.isNumber), !condition.contains("sun"),
            !condition.contains(where: { "<>=\"".contains($0) }), let hours = try? OpeningHours(condition)
        else { return false }
        let days = localSeconds >= 0 ? localSeconds / 86400 : (localSeconds - 86399) / 86400
        let moment = OpeningHours.Moment(
            day: OpeningHours.Day(number: Int(days)), minute: Int((localSeconds - days * 86400) / 60))
        let state = hours.state(at: moment)
        return state.kind == .open && !state.restsOnComment
    }

    /// Whether a condition of weekdays, months and hours holds; nil where something else is in it.
    private static func hoursHold(_ condition: Substring, localSeconds: Int64) -> Bool? {
        let days = localSeconds >= 0 ? localSeconds / 86400 : (localSeconds - 86399) / 86400
        let minute = Int((localSeconds - days * 86400) / 60)
        let weekday = Int(((days + 3) % 7 + 7) % 7)  // 1970 began on a Thursday; Monday is 0.
        let month = monthOfYear(days: days)
        var isReadable = true
        for rule in condition.split(separator: ";") {
            // All alternatives after a comma share the days before it unless they name days of their own.
            var dayMask: UInt8 = 0x7F
            var monthMask: UInt16 = 0xFFF
            var hours: [(Int, Int)] = []
            var readable = true
            var sawSomething = false
            var listed: UInt8 = 0
            func holdsNow() -> Bool {
                guard readable, sawSomething, monthMask & (1 << month) != 0 else { return false }
                if hours.isEmpty { return dayMask & (1 << weekday) != 0 }
                for (start, end) in hours {
                    if end > start {
                        if dayMask & (1 << weekday) != 0, minute >= start, minute < end { return true }
                    } else {
                        if dayMask & (1 << weekday) != 0, minute >= start { return true }
                        if dayMask & (1 << ((weekday + 6) % 7)) != 0, minute < end { return true }
                    }
                }
                return false
            }
            for word in rule.split(separator: " ") {
                for piece in word.split(separator: ",") {
                    if piece == "24/7" {
                        sawSomething = true
                    } else if let range = clock(piece) {
                        hours.append(range)
                        sawSomething = true
                        listed = 0
                    } else if let mask = span(piece, in: weekdays, count: 7) {
                        if !hours.isEmpty {
                            if holdsNow() { return true }
                            hours = []
                        }
                        listed |= UInt8(truncatingIfNeeded: mask)
                        dayMask = listed
                        sawSomething = true
                    } else if let mask = span(piece, in: months, count: 12) {
                        monthMask = UInt16(truncatingIfNeeded: mask)
                        sawSomething = true
                    } else if piece == "PH" || piece == "SH" {
                        // Holidays are not known here; the other days named still count.
                        if listed == 0 { dayMask = 0 }
                        sawSomething = true
                    } else {
                        readable = false
                    }
                }
            }
            if holdsNow() { return true }
            if !readable { isReadable = false }
        }
        return isReadable ? false : nil
    }

    private static let weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Mo`, `Mo-Fr`, `Nov-Mar` as a set of bits.
    private static func span(_ text: Substring, in names: [String], count: Int) -> UInt32? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let head = ends.first, ends.count <= 2, let first = names.firstIndex(of: String(head)) else { return nil }
        guard let tail = ends.last, let last = names.firstIndex(of: String(tail)) else { return nil }
        var mask: UInt32 = 0
        var index = first
        while true {
            mask |= 1 << UInt32(index)
            if index == last { return mask }
            index = (index + 1) % count
        }
    }

    /// `07:00-10:30` in minutes of the day.
    private static func clock(_ text: Substring) -> (Int, Int)? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = minutes(ends[0]), let end = minutes(ends[1]) else { return nil }
        return (start, end)
    }

    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]) else { return nil }
        guard (0...48).contains(hour), (0..<60).contains(minute) else { return nil }
        return hour * 60 + minute
    }

    /// 0 for January. The civil calendar from days since 1970 (Hinnant's algorithm).
    private static func monthOfYear(days: Int64) -> Int {
        let shifted = min(max(days, -100_000_000), 100_000_000) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        return Int(monthFromMarch < 10 ? monthFromMarch + 2 : monthFromMarch - 10)
    }
}

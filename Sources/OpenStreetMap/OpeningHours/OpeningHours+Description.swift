/// The value in the words of the specification, however it was written.
extension OpeningHours: CustomStringConvertible {
    /// Reading this gives hours of the same meaning.
    public var description: String {
        var result = ""
        for (index, rule) in rules.enumerated() {
            if index > 0 {
                switch rule.joint {
                case .normal, .otherwise: result += "; "
                case .additional: result += ", "
                case .fallback: result += " || "
                }
            }
            result += rule.description
            // Without a time a comma would go on with the list of days.
            let isFollowed = index + 1 < rules.count && rules[index + 1].joint == .additional
            if isFollowed, rule.namesDays, rule.times.isEmpty, !rule.isKindWritten, rule.comment == nil {
                result += " 00:00-24:00"
            }
        }
        return result
    }

    static let weekdayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
    static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

extension OpeningHours.Rule: CustomStringConvertible {
    var description: String {
        var parts: [String] = []
        func add(_ list: [String]) { if !list.isEmpty { parts.append(list.joined(separator: ",")) } }
        add(years.map { $0.description })
        add(dates.map { $0.description })
        if !weeks.isEmpty { parts.append("week " + weeks.map { $0.description }.joined(separator: ",")) }
        let days = weekdays.map { $0.description }
        let holidays = holidays.map { ($0.isSchool ? "SH" : "PH") + dayOffset($0.offset) }
        if wantsWeekdayInHoliday {
            add(holidays)
            add(days)
        } else {
            add(days + holidays)
        }
        add(times.map { $0.description })
        if kind == .closed { parts.append("off") }
        if kind == .unknown { parts.append("unknown") }
        if kind == .open, isKindWritten { parts.append("open") }
        if parts.isEmpty, comment == nil { parts.append("24/7") }
        if let comment { parts.append("\"\(comment)\"") }
        return parts.joined(separator: " ")
    }
}

private func dayOffset(_ days: Int) -> String {
    days == 0 ? "" : " \(days > 0 ? "+" : "-")\(abs(days)) day\(abs(days) == 1 ? "" : "s")"
}

extension OpeningHours.StepRange: CustomStringConvertible {
    var description: String { (first == last ? "\(first)" : "\(first)-\(last)") + (step == 1 ? "" : "/\(step)") }
}

extension OpeningHours.YearRange: CustomStringConvertible {
    var description: String {
        first == last
            ? "\(first)" : last == 9999 && step == 1 ? "\(first)+" : "\(first)-\(last)" + (step == 1 ? "" : "/\(step)")
    }
}

extension OpeningHours.YearlyDate: CustomStringConvertible {
    var description: String {
        let names = OpeningHours.monthNames
        var result = year.map { "\($0) " } ?? ""
        switch basis {
        case .month(let month): result += names[month - 1]
        case .day(let month, let day): result += "\(names[month - 1]) \(twoDigits(day))"
        case .weekday(let month, let weekday, let count):
            result += "\(names[month - 1]) \(OpeningHours.weekdayNames[weekday])[\(count)]"
        case .easter: result += "easter"
        }
        if let weekday = offset.weekday {
            result += " \(offset.isWeekdayBefore ? "-" : "+")\(OpeningHours.weekdayNames[weekday])"
        }
        return result + dayOffset(offset.days)
    }
}

extension OpeningHours.DateRange: CustomStringConvertible {
    var description: String {
        first.description + (last.map { "-\($0)" } ?? "") + (isOpenEnded ? "+" : "")
    }
}

extension OpeningHours.WeekdayRange: CustomStringConvertible {
    var description: String {
        let names = OpeningHours.weekdayNames
        return (first == last ? names[first] : "\(names[first])-\(names[last])")
            + (counts.isEmpty ? "" : "[\(counts.map(String.init).joined(separator: ","))]") + dayOffset(offset)
    }
}

extension OpeningHours.ClockTime: CustomStringConvertible {
    var description: String {
        let clock = "\(twoDigits(abs(minutes) / 60)):\(twoDigits(abs(minutes) % 60))"
        guard let event else { return clock }
        return minutes == 0 ? event.rawValue : "(\(event.rawValue)\(minutes < 0 ? "-" : "+")\(clock))"
    }
}

extension OpeningHours.TimeSpan: CustomStringConvertible {
    var description: String {
        start.description + (end.map { "-\($0)" } ?? "") + (isOpenEnded ? "+" : "")
            + (repetition.map { "/\($0)" } ?? "")
    }
}

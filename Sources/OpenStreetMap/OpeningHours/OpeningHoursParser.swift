/// Reads the rules of a value.
///
/// A recursive descent over the tokens with a few tokens of looking ahead. What the grammar leaves open (a number after a
/// month is a day, an hour or a year) is decided by what follows.
struct OpeningHoursParser {
    private typealias Rule = OpeningHours.Rule
    private typealias Mark = OpeningHoursTokens.Mark
    private typealias Token = OpeningHoursTokens.Token

    /// More rules than these are not read.
    static let mostRules = 200
    /// More times, dates or weekdays than these are not read in one rule.
    private static let mostParts = 200

    private let source: OpeningHoursTokens
    private let tokens: [Token]
    private var index = 0

    static func rules(in text: String) throws -> [OpeningHours.Rule] {
        guard text.utf8.count <= 4 * OpeningHours.longestText, text.count <= OpeningHours.longestText else {
            throw OpeningHoursError(reason: .tooLong, position: 0)
        }
        var parser = OpeningHoursParser(try OpeningHoursTokens(text))
        return try parser.rules()
    }

    private init(_ source: OpeningHoursTokens) {
        self.source = source
        tokens = source.tokens
    }

    // MARK: Looking at tokens

    /// The token so many further on; the end behind the last.
    private func token(_ ahead: Int = 0) -> Token {
        let position = index + ahead
        return tokens[min(position, tokens.count - 1)]
    }

    private func isMark(_ mark: Mark, _ ahead: Int = 0) -> Bool {
        if case .mark(let other) = token(ahead).lexeme { other == mark } else { false }
    }

    private func number(_ ahead: Int = 0) -> (value: Int, digits: Int)? {
        if case .number(let value, let digits) = token(ahead).lexeme { (value, digits) } else { nil }
    }

    private func word(_ ahead: Int = 0) -> OpeningHoursWord? {
        if case .word(let word) = token(ahead).lexeme { word } else { nil }
    }

    private func weekday(_ ahead: Int = 0) -> Int? {
        if case .weekday(let day)? = word(ahead) { day } else { nil }
    }

    private func month(_ ahead: Int = 0) -> Int? {
        if case .month(let month)? = word(ahead) { month } else { nil }
    }

    private func isRange(_ ahead: Int = 0) -> Bool {
        switch token(ahead).lexeme {
        case .mark(.dash), .word(.to): true
        default: false
        }
    }

    private mutating func take(_ mark: Mark) -> Bool {
        guard isMark(mark) else { return false }
        index += 1
        return true
    }

    private var isAtEnd: Bool { index >= tokens.count - 1 }

    /// The text of tokens, as errors quote it.
    private func text(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last, last < tokens.count else { return "" }
        return String(source.text[tokens[first].range.lowerBound..<tokens[last].range.upperBound].prefix(40))
    }

    private func error(_ reason: OpeningHoursError.Reason, at position: Int) -> OpeningHoursError {
        source.error(reason, at: tokens[min(max(position, 0), tokens.count - 1)].range.lowerBound)
    }

    private func notUnderstood(_ ahead: Int = 0) -> OpeningHoursError {
        let position = index + ahead
        guard position < tokens.count - 1 else {
            let last = tokens.count - 2
            return error(.incomplete(last >= 0 ? text(last..<last + 1) : ""), at: last)
        }
        return error(.notUnderstood(text(position..<position + 1)), at: position)
    }

    private func outOfRange(_ ahead: Int = 0) -> OpeningHoursError {
        let position = index + ahead
        return error(.outOfRange(text(position..<position + 1)), at: position)
    }

    private var tooLong: OpeningHoursError { error(.tooLong, at: index) }

    // MARK: Rules

    private mutating func rules() throws -> [Rule] {
        var rules: [Rule] = []
        var joint = Rule.Joint.normal
        while true {
            // Empty rules, as after a last semicolon, say nothing.
            while isMark(.semicolon) || isMark(.comma) || isMark(.bars) {
                if isMark(.bars), !rules.isEmpty { joint = .fallback }
                index += 1
            }
            if isAtEnd { break }
            guard rules.count < Self.mostRules else {
                throw tooLong
            }
            let before = index
            var rule = try rule()
            guard index > before else { throw notUnderstood() }
            rule.joint = rules.isEmpty ? .normal : joint
            // A comment alone beside hours, as in `Tu-Fr 15:00-18:30; "and by appointment"`, is about the other times.
            if !rules.isEmpty, rule.joint != .fallback, rule.restsOnComment, !rule.namesDays, rule.times.isEmpty {
                rule.joint = .otherwise
            }
            rules.append(rule)
            switch token().lexeme {
            case .mark(.semicolon): joint = .normal
            case .mark(.bars): joint = .fallback
            case .mark(.comma), .word(.and): joint = .additional
            default: joint = .normal  // "Mo-Fr 09:00-18:00 Sa 09:00-14:00" lacks a separator.
            }
            if word() == .and { index += 1 }
        }
        guard !rules.isEmpty else { throw OpeningHoursError(reason: .empty, position: 0) }
        return rules
    }

    /// Reads up to the end of a rule: its separator, or what can only begin another.
    private mutating func rule() throws -> Rule {
        var rule = Rule()
        var isAlways = false
        /// The year of "2021 Apr 10-16, May 3", the month of "Dec 24,26".
        var year: Int?
        var lastMonth: Int?
        var isAfterComma = false
        // "closed Mo,Tu" and "“Lunch” 12:00-14:00" say first what is so.
        var isSaidFirst = false
        reading: while true {
            let isSaid = !isSaidFirst && (rule.isKindWritten || rule.comment != nil)
            let hasTimes = !rule.times.isEmpty || isAlways
            let isComma = isAfterComma
            isAfterComma = false
            guard rule.times.count + rule.dates.count + rule.weekdays.count + rule.weeks.count < Self.mostParts else {
                throw tooLong
            }
            switch token().lexeme {
            case .end, .mark(.semicolon), .mark(.bars): break reading
            case .mark(.comma), .word(.and):
                if isSaid || isSaidFirst && !rule.namesDays && !hasTimes { break reading }
                if hasTimes {
                    guard beginsTime(1) else { break reading }
                } else if case .comment = token(1).lexeme {
                    break reading
                }
                index += 1
                isAfterComma = true
            case .mark(.colon), .mark(.dot), .word(.filler), .word(.clock):
                // "Apr-Sep: Su", "Mo.-Fr.", "klo 8-16"
                index += 1
            case .mark(.slash) where hasTimes && !isSaid && beginsTime(1):
                // "08:45-12:45 / 14:00-17:45"
                index += 1
            case .comment(let comment):
                if rule.comment != nil { break reading }
                isSaidFirst = isSaidFirst || !rule.namesDays && !hasTimes
                rule.comment = source.comments[comment]
                index += 1
            case .word(.kind(let kind)):
                if rule.isKindWritten { break reading }
                isSaidFirst = isSaidFirst || !rule.namesDays && !hasTimes
                rule.isKindWritten = true
                rule.kind = kind
                index += 1
            case .word(.daily):
                if isSaid && hasTimes || !rule.weekdays.isEmpty { break reading }
                rule.weekdays.append(.init(first: 0, last: 6))
                index += 1
            case .word(.weekday):
                if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid) { break reading }
                // "SH Mo-Fr" are the weekdays of school holidays; "PH Sa-Su", which lacks a comma, holidays and weekends.
                if !rule.holidays.isEmpty, rule.weekdays.isEmpty, !isComma, rule.holidays.allSatisfy(\.isSchool) {
                    rule.wantsWeekdayInHoliday = true
                }
                rule.weekdays.append(try weekdays())
            case .word(.publicHoliday), .word(.schoolHoliday):
                if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid) { break reading }
                let isSchool = word() == .schoolHoliday
                index += 1
                rule.holidays.append(.init(isSchool: isSchool, offset: try offset()))
            case .word(.week):
                if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid) { break reading }
                index += 1
                try weeks(into: &rule)
            case .word(.month), .word(.easter):
                if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid) { break reading }
                let range = try dateRange(year: year)
                lastMonth = range.last?.dayMonth ?? range.first.dayMonth
                rule.dates.append(range)
            case .number(let value, let digits):
                if value == 24, isMark(.slash, 1), number(2)?.value == 7 || number(2)?.value == 24 {
                    if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid), hasTimes || isSaid { break reading }
                    isAlways = true
                    index += 3
                } else if value == 24, word(1) == .hours, number(2) == nil, !isRange(2) {
                    if hasTimes { break reading }
                    isAlways = true
                    index += 2
                } else if isDayBeforeMonth() {
                    if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid) { break reading }
                    let range = try dateRange(year: year)
                    lastMonth = range.last?.dayMonth ?? range.first.dayMonth
                    rule.dates.append(range)
                } else if isComma, let month = lastMonth, digits <= 2, rule.weekdays.isEmpty, !hasTimes, !writesTime() {
                    // "Dec 24,26"
                    rule.dates.append(try dateRange(year: year, month: month))
                } else if digits == 4, (1900...9999).contains(value), rule.weekdays.isEmpty, rule.holidays.isEmpty,
                    !writesTime()
                {
                    if beginsAnotherRule(rule, isAlways: isAlways, isSaid: isSaid) { break reading }
                    if month(1) != nil || word(1) == .easter || isDayBeforeMonth(1) {
                        index += 1
                        year = value
                        let range = try dateRange(year: value)
                        lastMonth = range.last?.dayMonth ?? range.first.dayMonth
                        rule.dates.append(range)
                    } else {
                        rule.years.append(try years())
                    }
                } else {
                    if isSaid, hasTimes { break reading }
                    rule.times.append(try time())
                }
            case .word(.event), .word(.noon), .word(.midnight), .mark(.open):
                if isSaid, hasTimes { break reading }
                rule.times.append(try time())
            default: throw notUnderstood()
            }
        }
        if isAlways || rule.times == [.wholeDay] { rule.times = [] }
        return rule
    }

    /// Whether days or dates after what a rule already has are those of another rule.
    private func beginsAnotherRule(_ rule: Rule, isAlways: Bool, isSaid: Bool) -> Bool {
        // "10:00-12:00 Mo-Fr" names its days last.
        isAlways || !rule.times.isEmpty && rule.namesDays || isSaid && (rule.namesDays || !rule.times.isEmpty)
    }

    // MARK: Days

    /// "Mo", "Mo-Fr", "Mo[1,-1] +1 day".
    private mutating func weekdays() throws -> OpeningHours.WeekdayRange {
        guard let first = weekday() else { throw notUnderstood() }
        index += 1
        if isMark(.dot), token().isAttached { index += 1 }
        var range = OpeningHours.WeekdayRange(first: first, last: first)
        if isRange(), let last = weekday(1) {
            range.last = last
            index += 2
            return range
        }
        if isRange() { throw notUnderstood(1) }
        guard isMark(.openSquare), token().isAttached else { return range }
        index += 1
        range.counts = try counts()
        range.offset = try offset()
        return range
    }

    /// The rest of "[1,3-4,-1]".
    private mutating func counts() throws -> [Int] {
        var counts: [Int] = []
        while true {
            let isNegative = take(.dash)
            guard let (value, _) = number() else { throw notUnderstood() }
            guard (1...5).contains(value) else { throw outOfRange() }
            index += 1
            if !isNegative, isMark(.dash), let (last, _) = number(1) {
                guard (value...5).contains(last) else { throw outOfRange(1) }
                counts += Array(value...last)
                index += 2
            } else {
                counts.append(isNegative ? -value : value)
            }
            if take(.closeSquare) { return Array(Set(counts)).sorted() }
            guard take(.comma), counts.count < 20 else { throw notUnderstood() }
        }
    }

    /// "+2 days"; 0 where none is written.
    private mutating func offset() throws -> Int {
        guard isMark(.plus) || isMark(.dash), let (value, _) = number(1), word(2) == .days else { return 0 }
        guard value <= 1000 else { throw outOfRange(1) }
        let isNegative = isMark(.dash)
        index += 3
        return isNegative ? -value : value
    }

    // MARK: Dates

    /// Whether "15 Jun" stands here, not "15 Jun" of a time.
    private func isDayBeforeMonth(_ ahead: Int = 0) -> Bool {
        guard let (value, digits) = number(ahead), digits <= 2, (1...31).contains(value) else { return false }
        return month(ahead + 1) != nil || isMark(.dot, ahead + 1) && month(ahead + 2) != nil
    }

    /// One date or a range of them. `year` holds for dates that name none; `month` for a day without one.
    private mutating func dateRange(year: Int?, month known: Int? = nil) throws -> OpeningHours.DateRange {
        var first = try date(month: known)
        if first.year == nil { first.year = year }
        var range = OpeningHours.DateRange(first: first)
        if isMark(.plus) {
            index += 1
            range.isOpenEnded = true
            return range
        }
        guard isRange() else { return range }
        let hasYear: Bool =
            number(1).map { $0.digits == 4 && (month(2) != nil || word(2) == .easter || isDayBeforeMonth(2)) } ?? false
        if month(1) != nil || word(1) == .easter || hasYear || isDayBeforeMonth(1) {
            index += 1
            range.last = try date(month: nil, endsRangeOf: first.basis)
        } else if let month = first.dayMonth, let (_, digits) = number(1), digits <= 2 {
            index += 1
            range.last = try date(month: month)
        } else {
            throw notUnderstood(1)
        }
        return range
    }

    /// "Jun", "Jun 7", "7 Jun", "2024 Jun 7", "Jun Su[-1]", "easter -2 days". `month` is that of a day that names none.
    private mutating func date(
        month known: Int?, endsRangeOf first: OpeningHours.YearlyDate.Basis? = nil
    ) throws -> OpeningHours.YearlyDate {
        // "Apr-Oct Su[2]" are months and a weekday, "Mar Su[-1]-Oct Su[-1]" two dates.
        let isEndOfDates: Bool
        switch first {
        case nil, .month: isEndOfDates = false
        default: isEndOfDates = true
        }
        var date = OpeningHours.YearlyDate(basis: .easter)
        if let (value, digits) = number(), digits == 4 {
            guard (1900...9999).contains(value) else { throw outOfRange() }
            date.year = value
            index += 1
        }
        if word() == .easter {
            index += 1
        } else if isDayBeforeMonth(), let (day, _) = number() {
            index += isMark(.dot, 1) ? 2 : 1
            guard let month = month() else { throw notUnderstood() }
            index += 1
            date.basis = .day(month: month, day: day)
        } else if let month = known, let (day, digits) = number(), digits <= 2 {
            guard (1...31).contains(day) else { throw outOfRange() }
            index += 1
            date.basis = .day(month: month, day: day)
        } else if let month = month() {
            index += 1
            if isMark(.dot), token().isAttached { index += 1 }
            date.basis = .month(month)
            if let (day, digits) = number(), digits <= 2, !writesTime() {
                guard (1...31).contains(day) else { throw outOfRange() }
                index += 1
                date.basis = .day(month: month, day: day)
            } else if let weekday = weekday(), isMark(.openSquare, 1) {
                let before = index
                index += 2
                let counts = try counts()
                let moved = try dateOffset()
                let isRangeOfDates = isRange() && (isMonthAhead || word(1) == .easter)
                if let count = counts.first, counts.count == 1, isEndOfDates || isRangeOfDates {
                    date.basis = .weekday(month: month, weekday: weekday, count: count)
                    date.offset = moved
                } else {
                    index = before
                }
                return date
            }
        } else {
            throw notUnderstood()
        }
        date.offset = try dateOffset()
        return date
    }

    /// Whether a month, or a year and a month, follow the token here.
    private var isMonthAhead: Bool { month(1) != nil || number(1) != nil && month(2) != nil }

    /// "+2 days", "+Su", "-Mo -1 day" after a date; "Mar 3+ Mo" has an open end instead.
    private mutating func dateOffset() throws -> OpeningHours.DayOffset {
        var offset = OpeningHours.DayOffset()
        if isMark(.plus) || isMark(.dash), let weekday = weekday(1), token(1).isAttached {
            offset.weekday = weekday
            offset.isWeekdayBefore = isMark(.dash)
            index += 2
        }
        offset.days = try self.offset()
        return offset
    }

    /// "2024", "2024-2026", "2024-2030/2", "2024+".
    private mutating func years() throws -> OpeningHours.YearRange {
        guard let (first, _) = number() else { throw notUnderstood() }
        index += 1
        var range = OpeningHours.YearRange(first: first, last: first)
        if take(.plus) {
            range.last = 9999
        } else if isRange(), let (last, digits) = number(1), digits == 4 {
            guard last >= first else { throw outOfRange(1) }
            range.last = last
            index += 2
            if isMark(.slash), let (step, _) = number(1) {
                guard step > 0 else { throw outOfRange(1) }
                range.step = step
                index += 2
            }
        }
        return range
    }

    /// "1", "1-53/2", "1,5,9" after "week".
    private mutating func weeks(into rule: inout Rule) throws {
        while true {
            guard let (first, _) = number() else { throw notUnderstood() }
            guard (1...53).contains(first) else { throw outOfRange() }
            index += 1
            var range = OpeningHours.StepRange(first: first, last: first)
            if isRange(), let (last, _) = number(1) {
                guard (1...53).contains(last) else { throw outOfRange(1) }
                range.last = last
                index += 2
                if isMark(.slash), let (step, _) = number(1) {
                    guard (1...53).contains(step) else { throw outOfRange(1) }
                    range.step = step
                    index += 2
                }
            }
            rule.weeks.append(range)
            guard rule.weeks.count < 60, isMark(.comma), let (_, digits) = number(1), digits <= 2, !writesTime(1) else {
                return
            }
            index += 1
        }
    }

    // MARK: Times

    private mutating func skipFillers() {
        while case .word(let word) = token().lexeme, word == .filler || word == .clock { index += 1 }
    }

    /// Whether the number here is written as a time: "8:30", "8.30", "8h", "8 am", "8 Uhr".
    private func writesTime(_ ahead: Int = 0) -> Bool {
        guard let (_, digits) = number(ahead), digits <= 2 else { return false }
        // "Oct 15: 09:00-18:00" is a day and then times.
        if isMark(.colon, ahead + 1), number(ahead + 2) != nil { return token(ahead + 2).isAttached }
        if isMark(.dot, ahead + 1), token(ahead + 1).isAttached, let (_, after) = number(ahead + 2), after == 2,
            token(ahead + 2).isAttached
        {
            return true
        }
        switch word(ahead + 1) {
        case .hours, .beforeNoon, .afterNoon, .clock: return true
        default: return false
        }
    }

    /// Whether a time can begin here, after a comma behind other times.
    private func beginsTime(_ ahead: Int) -> Bool {
        switch token(ahead).lexeme {
        case .number(let value, let digits):
            if value == 24, isMark(.slash, ahead + 1) { return false }
            if isDayBeforeMonth(ahead) { return false }
            if digits == 4, month(ahead + 1) != nil || isDayBeforeMonth(ahead + 1) { return false }
            return true
        case .word(.event), .word(.noon), .word(.midnight), .mark(.open): return true
        case .word(.filler): return number(ahead + 1) != nil
        default: return false
        }
    }

    /// "10:00-18:00", "10:00+", "10:00-18:00+", "10:00-16:00/30", "10:00".
    private mutating func time() throws -> OpeningHours.TimeSpan {
        let begin = index
        var (start, isHourAlone, half) = try clock()
        skipFillers()
        guard isRange() else {
            var span = OpeningHours.TimeSpan(start: start)
            if take(.plus) {
                span.isOpenEnded = true
            } else if isHourAlone {
                // A number alone is no time of the day.
                let part = text(begin..<begin + 1)
                throw error(
                    isAtEnd || isMark(.comma) || isMark(.semicolon) ? .incomplete(part) : .notUnderstood(part),
                    at: begin)
            }
            return span
        }
        index += 1
        skipFillers()
        // "16:00-, Sa 14:00-": the end is left open.
        if isAtEnd || isMark(.comma) || isMark(.semicolon) {
            return OpeningHours.TimeSpan(start: start, isOpenEnded: true)
        }
        var (end, _, endHalf) = try clock()
        skipFillers()
        if half == nil, endHalf == .afterNoon, start.event == nil, start.minutes + 720 < end.minutes {
            // "1-5 pm"
            start.minutes += 720
        }
        if end.event == nil, end.minutes > 2880 { end.minutes = 2880 }
        var span = OpeningHours.TimeSpan(start: start, end: end)
        if take(.plus) { span.isOpenEnded = true }
        if isMark(.slash), number(1) != nil, !isList(1) {
            index += 1
            if isMark(.colon, 1) {
                span.repetition = try clock().time.minutes
            } else if let (minutes, _) = number() {
                guard minutes > 0, minutes <= 1440 else { throw outOfRange() }
                span.repetition = minutes
                index += 1
            }
        }
        return span
    }

    /// Whether "14:00-17:45" stands here, not "01:30" alone.
    private func isList(_ ahead: Int) -> Bool {
        guard number(ahead) != nil else { return false }
        if isMark(.colon, ahead + 1) || isMark(.dot, ahead + 1) { return isRange(ahead + 3) }
        return isRange(ahead + 1)
    }

    private enum Half { case beforeNoon, afterNoon }

    /// One time of the day; whether it is an hour without minutes; the half of the day where it is written.
    private mutating func clock() throws -> (time: OpeningHours.ClockTime, isHourAlone: Bool, half: Half?) {
        if take(.open) {
            guard case .event(let event)? = word() else { throw notUnderstood() }
            index += 1
            guard isMark(.plus) || isMark(.dash) else {
                guard take(.close) else { throw notUnderstood() }
                return (.init(event: event, minutes: 0), false, nil)
            }
            let sign = isMark(.dash) ? -1 : 1
            index += 1
            let moved = try clock().time
            guard moved.event == nil, moved.minutes <= 1440 else { throw notUnderstood(-1) }
            guard take(.close) else { throw notUnderstood() }
            return (.init(event: event, minutes: sign * moved.minutes), false, nil)
        }
        switch word() {
        case .event(let event):
            index += 1
            // "sunset+01:00" lacks its brackets.
            if isMark(.plus), number(1) != nil, isMark(.colon, 2) {
                index += 1
                return (.init(event: event, minutes: min(try clock().time.minutes, 1440)), false, nil)
            }
            return (.init(event: event, minutes: 0), false, nil)
        case .noon:
            index += 1
            return (.init(minutes: 720), false, nil)
        case .midnight:
            index += 1
            return (.init(minutes: 1440), false, nil)
        default: break
        }
        guard let (written, digits) = number() else { throw notUnderstood() }
        var hour = written
        let position = index
        var minute = 0
        var isHourAlone = true
        index += 1
        if digits == 4 {
            (hour, minute) = (hour / 100, hour % 100)
            isHourAlone = false
        } else if digits > 2 {
            throw error(.notUnderstood(text(position..<position + 1)), at: position)
        } else if isMark(.colon) && token(1).isAttached || isMark(.dot) && token().isAttached && token(1).isAttached,
            let (value, count) = number(1),
            count == 2 || value == 0 && count == 1 && isMark(.colon)
        {
            minute = value
            index += 2
            isHourAlone = false
            // Seconds say nothing.
            if isMark(.colon), token().isAttached, let (_, count) = number(1), count == 2, token(1).isAttached {
                index += 2
            }
        } else if word() == .hours {
            index += 1
            isHourAlone = false
            if let (value, count) = number(), count == 2, token().isAttached {
                minute = value
                index += 1
            }
        }
        var half: Half?
        switch word() {
        case .beforeNoon: half = .beforeNoon
        case .afterNoon: half = .afterNoon
        case .hours: index += 1
        default: break
        }
        if let half {
            guard (0...12).contains(hour) || hour < 24 && half == .afterNoon else {
                throw error(.outOfRange(text(position..<position + 1)), at: position)
            }
            index += 1
            isHourAlone = false
            if hour < 13 { hour = hour % 12 + (half == .afterNoon ? 12 : 0) }
        }
        guard minute < 60, hour * 60 + minute <= 2880 else {
            throw error(.outOfRange(text(position..<index)), at: position)
        }
        return (.init(minutes: hour * 60 + minute), isHourAlone, half)
    }
}

extension OpeningHours.YearlyDate {
    /// The month of a date that names a day of it.
    fileprivate var dayMonth: Int? {
        if case .day(let month, _) = basis { month } else { nil }
    }
}

import OpenStreetMap
import Testing

/// Random numbers that a seed repeats (SplitMix64; Steele, Lea, Flood 2014).
private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Weekly hours as a table of minutes: slow, and plain enough to be surely right.
private struct PaintedWeeks {
    struct Rule {
        var days: Set<Int>
        /// Minutes from midnight; an end up to 48:00.
        var times: [Range<Int>]
        var kind: OpeningHours.Kind
        var adds: Bool
    }
    var rules: [Rule] = []

    private static let names = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    init(_ random: inout Seeded) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            var times: [Range<Int>] = []
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let start = Int.random(in: 0..<96, using: &random) * 15
                times.append(start..<start + Int.random(in: 1...96, using: &random) * 15)
            }
            rules.append(
                Rule(
                    days: Set(
                        (0..<7).filter { _ in Bool.random(using: &random) } + [Int.random(in: 0..<7, using: &random)]),
                    times: times,
                    kind: [.open, .open, .open, .closed, .unknown].randomElement(using: &random) ?? .open,
                    adds: Bool.random(using: &random)))
        }
        rules[0].adds = false
    }

    var text: String {
        func clock(_ minute: Int) -> String {
            let (hour, rest) = (minute / 60, minute % 60)
            return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
        }
        var result = ""
        for (index, rule) in rules.enumerated() {
            if index > 0 { result += rule.adds ? ", " : "; " }
            result += rule.days.sorted().map { Self.names[$0] }.joined(separator: ",") + " "
            // An end after midnight is written in one of its two ways.
            result += rule.times.map { time in
                let end = time.upperBound > 1440 && time.upperBound % 2 == 1 ? time.upperBound - 1440 : time.upperBound
                return "\(clock(time.lowerBound))-\(clock(end))"
            }.joined(separator: ",")
            switch rule.kind {
            case .open: result += rule.times.isEmpty ? "open" : " open"
            case .closed: result += " off"
            case .unknown: result += " unknown"
            }
        }
        return result
    }

    /// What is painted for each minute of three days that begin with one of the week, by rule, later rules over earlier.
    func paint(from weekday: Int) -> [(rule: Int, kind: OpeningHours.Kind)?] {
        var result = [(rule: Int, kind: OpeningHours.Kind)?](repeating: nil, count: 2880)
        for (index, rule) in rules.enumerated() where rule.days.contains(weekday) {
            let isWholeDay = rule.times.isEmpty || rule.times == [0..<1440] && rule.kind == .closed
            if !rule.adds && rule.kind != .closed || isWholeDay && rule.kind == .closed {
                result = [(rule: Int, kind: OpeningHours.Kind)?](repeating: nil, count: 2880)
            }
            if isWholeDay, rule.kind == .closed { continue }
            for time in isWholeDay ? [0..<1440] : rule.times {
                for minute in time { result[minute] = (index, rule.kind) }
            }
        }
        return result
    }

    /// The kind of each minute of a week that repeats.
    func week() -> [OpeningHours.Kind] {
        let painted = (0..<7).map { paint(from: $0) }
        var result: [OpeningHours.Kind] = []
        for day in 0..<7 {
            for minute in 0..<1440 {
                let own = painted[day][minute]
                let before = painted[(day + 6) % 7][minute + 1440]
                switch (own, before) {
                case (nil, nil): result.append(.closed)
                case (let one?, nil), (nil, let one?): result.append(one.kind)
                case (let own?, let before?): result.append(own.rule >= before.rule ? own.kind : before.kind)
                }
            }
        }
        return result
    }
}

@Test(arguments: 1...150 as ClosedRange<UInt64>)
func randomWeeksAreAsPaintedMinuteByMinute(seed: UInt64) throws {
    var random = Seeded(state: seed)
    let weeks = PaintedWeeks(&random)
    let hours = try OpeningHours(weeks.text)
    #expect(try OpeningHours(hours.description) == hours, "seed \(seed): \(weeks.text)")
    let monday = OpeningHours.Day(year: 2026, month: 3, day: 2)
    let week = weeks.week()
    for _ in 0..<400 {
        let minute = Int.random(in: 0..<week.count, using: &random)
        let moment = OpeningHours.Moment(day: monday, minute: minute)
        let state = hours.state(at: moment)
        guard state.kind == week[minute] else {
            Issue.record("seed \(seed): \(weeks.text) at \(moment): \(state.kind), not \(week[minute])")
            return
        }
    }
    for _ in 0..<20 {
        let minute = Int.random(in: 0..<week.count, using: &random)
        let moment = OpeningHours.Moment(day: monday, minute: minute)
        let steps = (1...week.count).first { week[(minute + $0) % week.count] != week[minute] }
        let back = (1...week.count).first { week[(minute - $0 + week.count) % week.count] != week[minute] }
        let told = "seed \(seed): \(weeks.text) at \(moment)"
        #expect(hours.nextChange(after: moment) == steps.map { moment.advanced(byMinutes: $0) }, "\(told)")
        #expect(hours.lastChange(upTo: moment) == back.map { moment.advanced(byMinutes: 1 - $0) }, "\(told)")
    }
}

/// Values of the whole grammar, put together at random.
private func randomValue(_ random: inout Seeded) -> String {
    func pick(_ words: [String]) -> String { words.randomElement(using: &random) ?? "" }
    func rule() -> String {
        var parts: [String] = []
        if Int.random(in: 0..<4, using: &random) == 0 {
            parts.append(
                pick([
                    "Jan-Mar", "Dec 24-Jan 6", "Feb 29", "Apr,Oct", "week 1-53/2", "week 10-20", "2026", "2025-2027/2",
                    "2026 Mar 5-20", "easter -2 days", "easter-Jun 1", "Mar Su[-1]-Oct Su[-1]", "Mar 3+", "Mar 1 +Su",
                ]))
        }
        if Int.random(in: 0..<3, using: &random) > 0 {
            parts.append(
                pick([
                    "Mo-Fr", "Sa,Su", "Fr-Mo", "Mo[1]", "We[-1]", "Th[2-3] +2 days", "PH", "SH Mo-Fr", "Mo,PH", "Su",
                ]))
        }
        if Int.random(in: 0..<4, using: &random) > 0 {
            parts.append(
                pick([
                    "08:00-12:00,14:00-18:00", "10:00-10:00", "20:00-04:00", "18:00+", "12:00-15:00+", "22:00-46:00",
                    "sunrise-sunset", "(dusk-01:00)-(dawn+00:30)", "09:30", "00:00-24:00", "10:00-16:00/90",
                    "47:00-48:00", "24:00-26:00",
                ]))
        }
        if Int.random(in: 0..<3, using: &random) == 0 || parts.isEmpty {
            parts.append(pick(["off", "open", "unknown", "\"ask\"", "off \"holidays\"", "24/7"]))
        }
        return parts.joined(separator: " ")
    }
    var value = rule()
    for _ in 0..<Int.random(in: 0...3, using: &random) { value += pick(["; ", ", ", " || ", ";"]) + rule() }
    return value
}

@Test(arguments: 1...60 as ClosedRange<UInt64>)
func theNextChangeIsThatOfAScanOfMinutes(seed: UInt64) throws {
    var random = Seeded(state: seed)
    for _ in 0..<5 {
        let value = randomValue(&random)
        let hours: OpeningHours
        do { hours = try OpeningHours(value) } catch {
            Issue.record("seed \(seed): \(value): \(error)")
            return
        }
        let start = OpeningHours.Moment(
            day: OpeningHours.Day(year: 2026, month: 1, day: Int.random(in: 1...365, using: &random)),
            minute: Int.random(in: 0..<1440, using: &random))
        let kind = hours.state(at: start).kind
        let told = "seed \(seed): \(value) at \(start)"
        let minutes = 12 * 1440
        let steps = (1...minutes).first { hours.state(at: start.advanced(byMinutes: $0)).kind != kind }
        let next = hours.nextChange(after: start)
        if let steps {
            #expect(next == start.advanced(byMinutes: steps), "\(told)")
        } else {
            #expect(next.map { $0 > start.advanced(byMinutes: minutes) } ?? true, "\(told)")
        }
        let outlook = hours.outlook(at: start)
        #expect(outlook.until == next && outlook.then == next.map { hours.state(at: $0).kind }, "\(told)")
        if let opens = outlook.opens {
            #expect(hours.state(at: opens).kind == .open, "\(told)")
            #expect(hours.state(at: opens.advanced(byMinutes: -1)).kind != .open, "\(told)")
        }
        let back = (1...minutes).first { hours.state(at: start.advanced(byMinutes: -$0)).kind != kind }
        let last = hours.lastChange(upTo: start)
        if let back {
            #expect(last == start.advanced(byMinutes: 1 - back), "\(told)")
        } else {
            #expect(last.map { $0 <= start.advanced(byMinutes: -minutes) } ?? true, "\(told)")
        }
        #expect(try OpeningHours(hours.description).description == hours.description, "\(told)")
    }
}

@Test(arguments: 1...200 as ClosedRange<UInt64>)
func hostileTextIsReadOrRefusedAndNothingElse(seed: UInt64) {
    var random = Seeded(state: seed)
    let parts = [
        "Mo", "Fr", "-", ",", ";", "||", "|", ":", ".", "/", "+", "[", "]", "(", ")", "\"", "“", "PH", "SH", "week",
        "easter",
        "Jan", "Dec", "31", "99999", "123456789012345678901234567890", "24/7", "10:00", "26:00", "0", "sunrise", "days",
        "off",
        "unknown", " ", "\u{0}", "\u{202E}", "🕐", "é", "e\u{301}", "１２", "am", "bis", "2026", "1899", "-1", "53", "’",
        "\r\n",
    ]
    for _ in 0..<200 {
        var text = ""
        for _ in 0..<Int.random(in: 0...25, using: &random) { text += parts.randomElement(using: &random) ?? "" }
        guard let hours = try? OpeningHours(text) else { continue }
        let moment = OpeningHours.Moment(
            day: .init(number: Int.random(in: -5_000_000...40_000_000, using: &random)), minute: 0)
        _ = hours.state(at: moment)
        #expect((try? OpeningHours(hours.description)) != nil, "seed \(seed): \(text) became \(hours)")
    }
}

@Test func manyRulesAndLongTextsAreBounded() throws {
    let many = Array(repeating: "Mo 1-2", count: 150).joined(separator: ";")
    let hours = try OpeningHours(many)
    #expect(hours.nextChange(after: .init(year: 2026, month: 3, day: 4)) != nil)
    #expect(throws: OpeningHoursError.self) { try OpeningHours(String(repeating: "x", count: 100_000)) }
    #expect(throws: OpeningHoursError.self) { try OpeningHours(String(repeating: "(", count: 2000)) }
    #expect(throws: OpeningHoursError.self) { try OpeningHours(String(repeating: "(sunset+", count: 240)) }
    #expect(throws: OpeningHoursError.self) {
        try OpeningHours(Array(repeating: "1:00", count: 390).joined(separator: ","))
    }
}

@Test(arguments: 1...20 as ClosedRange<UInt64>)
func daysAndDatesCorrespond(seed: UInt64) {
    var random = Seeded(state: seed)
    for _ in 0..<200 {
        let number = Int.random(in: -4_000_000...4_000_000, using: &random)
        let day = OpeningHours.Day(number: number)
        let (year, month, date) = day.date
        guard year > -9990 else { continue }
        #expect(OpeningHours.Day(year: year, month: month, day: date) == day, "seed \(seed): \(number)")
        #expect((1...53).contains(day.week))
    }
}

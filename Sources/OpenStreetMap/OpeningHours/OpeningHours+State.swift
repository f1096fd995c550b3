/// What is so at a moment, and when it changes.
///
/// A rule makes segments of time on the days that it names. A normal rule for a day drops the segments that earlier rules
/// began on that day; hours that began on the day before go on. Where segments overlap, the later rule decides.
extension OpeningHours {
    /// What the hours say of a moment.
    ///
    /// Cost: proportional to the rules.
    public func state(at moment: Moment, in site: Site = .unknown) -> State {
        var state = State(Timetable(self, around: moment.day, in: site).decision(at: moment.minute), of: rules)
        if needs.publicHolidays, site.isPublicHoliday == nil {
            let kind = kind(at: moment, in: site, assuming: .publicHoliday)
            state.onPublicHoliday = kind == state.kind ? nil : kind
        }
        if needs.schoolHolidays, site.isSchoolHoliday == nil {
            let kind = kind(at: moment, in: site, assuming: .schoolHoliday)
            state.onSchoolHoliday = kind == state.kind ? nil : kind
        }
        return state
    }

    private func kind(at moment: Moment, in site: Site, assuming holiday: Assumption) -> Kind {
        Timetable(self, around: moment.day, in: site, assuming: holiday).decision(at: moment.minute)?.kind ?? .closed
    }

    /// The first moment after this one at which open, closed or unknown becomes another of the three; nil where that does
    /// not happen, or not within four years for hours of certain years and two for others.
    ///
    /// Holidays are taken for ordinary days unless the site knows them. A change of the comment alone is none.
    public func nextChange(after moment: Moment, in site: Site = .unknown) -> Moment? {
        if needs.isConstant { return nil }
        var table = Timetable(self, around: moment.day, in: site)
        return nextChange(after: moment, in: &table, until: horizon(in: site))
    }

    /// The same for a timetable of the moment's day, which is that of the change thereafter. Looks so many days ahead.
    func nextChange(after moment: Moment, in table: inout Timetable, until horizon: Int) -> Moment? {
        let kind = table.kind(at: moment.minute)
        var minute = moment.minute
        for ahead in 0...horizon {
            if ahead > 0 {
                table.advance()
                minute = -1
            }
            if let change = table.firstMinute(after: minute, otherThan: kind) {
                return Moment(day: table.day, minute: change)
            }
        }
        return nil
    }

    /// The latest moment up to this one at which the kind of now began; nil where it has been so for as long as is looked.
    public func lastChange(upTo moment: Moment, in site: Site = .unknown) -> Moment? {
        if needs.isConstant { return nil }
        var table = Timetable(self, around: moment.day, in: site)
        let kind = table.kind(at: moment.minute)
        var begin = moment.minute
        for back in 0...horizon(in: site) {
            if back > 0 {
                let last = table
                table = Timetable(self, around: Day(number: moment.day.number - back), in: site)
                if table.kind(at: 1439) != kind { return Moment(day: last.day, minute: 0) }
                begin = 1439
            }
            if let boundary = table.lastMinute(upTo: begin, otherThan: kind) {
                return Moment(day: table.day, minute: boundary)
            }
        }
        return nil
    }

    /// How long what is so at a moment lasts: since when and until when. Nil ends lie beyond what is looked at.
    public func interval(around moment: Moment, in site: Site = .unknown) -> (start: Moment?, end: Moment?) {
        (lastChange(upTo: moment, in: site), nextChange(after: moment, in: site))
    }

    func horizon(in site: Site) -> Int {
        site.isPublicHoliday == nil && site.isSchoolHoliday == nil ? needs.horizon : needs.horizonWithHolidays
    }

    /// What a day is assumed to be.
    enum Assumption: Sendable { case publicHoliday, schoolHoliday }

    /// Part of a day, or of the days after it, for which one rule speaks.
    struct Segment: Equatable {
        /// Minutes from the midnight at which the day begins.
        var minutes: Range<Int>
        var rule: Int
        var kind: Kind
        var isFallback: Bool
        var isOpenEnded: Bool
        /// Whether it only gives a comment to what is closed anyway.
        var isRemark = false
    }

    /// Whether a rule names a day.
    func names(_ day: Day, rule: Rule, in site: Site, assuming holiday: Assumption? = nil) -> Bool {
        if !rule.weekdays.isEmpty || !rule.holidays.isEmpty {
            let isWeekday = rule.weekdays.contains { $0.contains(day) }
            let isHoliday = rule.holidays.contains { wanted in
                let base = Day(number: day.number - wanted.offset)
                if let known = wanted.isSchool ? site.isSchoolHoliday : site.isPublicHoliday { return known(base) }
                return wanted.offset == 0 && holiday == (wanted.isSchool ? .schoolHoliday : .publicHoliday)
            }
            guard rule.wantsWeekdayInHoliday ? isWeekday && isHoliday : isWeekday || isHoliday else { return false }
        }
        if !rule.weeks.isEmpty {
            let week = day.week
            guard rule.weeks.contains(where: { $0.contains(week, in: 53) }) else { return false }
        }
        if !rule.years.isEmpty || !rule.dates.isEmpty {
            let year = day.date.year
            guard rule.years.isEmpty || rule.years.contains(where: { $0.contains(year) }) else { return false }
            guard rule.dates.isEmpty || rule.dates.contains(where: { $0.contains(day, year: year) }) else {
                return false
            }
        }
        return true
    }

    /// The segments that begin on a day, in the order of their rules.
    func segments(of day: Day, in site: Site, assuming holiday: Assumption? = nil) -> [Segment] {
        var result: [Segment] = []
        var sun = SunTimes.fixed
        if needs.sun, let coordinate = site.coordinate {
            sun = SunTimes(on: day, at: coordinate, minutesFromUTC: site.minutesFromUTC(day))
        }
        for (index, rule) in rules.enumerated() where names(day, rule: rule, in: site, assuming: holiday) {
            let isWholeDay = rule.times.isEmpty
            if rule.kind == .closed, isWholeDay {
                // Whatever would begin on this day does not; what began on the day before goes on.
                result.removeAll()
                if rule.comment != nil {
                    result.append(
                        Segment(
                            minutes: 0..<1440, rule: index, kind: .closed, isFallback: false, isOpenEnded: false,
                            isRemark: true))
                }
                continue
            }
            if rule.joint == .normal, rule.kind != .closed { result.removeAll() }
            let isFallback = rule.joint == .fallback || rule.joint == .otherwise
            if isWholeDay {
                // "Mo-Fr 08:00-16:00 || "on appointment"" is closed on Mondays at night, whatever one may arrange.
                let isRemark =
                    rule.joint == .fallback && rule.restsOnComment
                    && result.contains { $0.kind != .closed && !$0.isFallback }
                result.append(
                    Segment(
                        minutes: 0..<1440, rule: index, kind: isRemark ? .closed : rule.kind, isFallback: isFallback,
                        isOpenEnded: false, isRemark: isRemark))
            }
            for time in rule.times {
                guard let minutes = time.minutes(sun) else { continue }
                result.append(
                    Segment(
                        minutes: minutes, rule: index, kind: rule.kind, isFallback: isFallback,
                        isOpenEnded: time.isOpenEnded))
            }
        }
        return result
    }

    /// The segments that matter on one day: its own and those that reach into it.
    struct Timetable {
        private let hours: OpeningHours
        private let site: Site
        private(set) var day: Day
        /// Of the days before, the nearest first, as far as hours reach.
        private var before: [[Segment]] = []
        private var own: [Segment]
        /// All of them in the order of their rules, counted from this day's midnight.
        private var merged: [Segment] = []

        init(_ hours: OpeningHours, around day: Day, in site: Site, assuming holiday: Assumption? = nil) {
            self.hours = hours
            self.site = site
            self.day = day
            own = hours.segments(of: day, in: site, assuming: holiday)
            if hours.needs.daysBefore > 0 {
                before = (1...hours.needs.daysBefore).map { hours.segments(of: Day(number: day.number - $0), in: site) }
            }
            merge()
        }

        /// Goes on to the next day.
        mutating func advance() {
            day = Day(number: day.number + 1)
            if !before.isEmpty {
                before.removeLast()
                before.insert(own, at: 0)
            }
            own = hours.segments(of: day, in: site)
            merge()
        }

        private mutating func merge() {
            merged = own
            guard !before.isEmpty else { return }
            var reaching: [Segment] = []
            for (back, segments) in before.enumerated().reversed() {
                let shift = (back + 1) * 1440
                for var segment in segments where segment.minutes.upperBound > shift {
                    segment.minutes = segment.minutes.lowerBound - shift..<segment.minutes.upperBound - shift
                    reaching.append(segment)
                }
            }
            guard !reaching.isEmpty else { return }
            merged = reaching + own
            // Of one rule those of earlier days come first.
            merged.sort { ($0.rule, $0.minutes.lowerBound) < ($1.rule, $1.minutes.lowerBound) }
        }

        /// The segment that decides about a minute of the day.
        func decision(at minute: Int) -> Segment? {
            var winner: Segment?
            var remark: Segment?
            for segment in merged where segment.minutes.contains(minute) {
                if segment.isRemark {
                    remark = segment
                } else if !segment.isFallback || winner == nil || winner?.kind == .closed {
                    winner = segment
                }
            }
            return winner ?? remark
        }

        func kind(at minute: Int) -> Kind { decision(at: minute)?.kind ?? .closed }

        /// The first minute of the day after another at which the kind is not the given one; -1 asks for all of the day.
        func firstMinute(after minute: Int, otherThan kind: Kind) -> Int? {
            if minute < 0, self.kind(at: 0) != kind { return 0 }
            var at = minute
            while let next = bound(after: at) {
                if self.kind(at: next) != kind { return next }
                at = next
            }
            return nil
        }

        /// The last minute of the day, up to the given one, before which the kind is another; never the first of the day.
        func lastMinute(upTo minute: Int, otherThan kind: Kind) -> Int? {
            var at = minute + 1
            while let last = bound(before: at), last > 0 {
                if self.kind(at: last - 1) != kind { return last }
                at = last
            }
            return nil
        }

        /// The next minute of the day at which a segment begins or ends.
        private func bound(after minute: Int) -> Int? {
            var result = 1440
            for segment in merged {
                let (begin, end) = (segment.minutes.lowerBound, segment.minutes.upperBound)
                if begin > minute, begin < result { result = begin }
                if end > minute, end < result { result = end }
            }
            return result < 1440 ? result : nil
        }

        /// The last minute of the day before another at which a segment begins or ends.
        private func bound(before minute: Int) -> Int? {
            var result = -1
            for segment in merged {
                let (begin, end) = (segment.minutes.lowerBound, segment.minutes.upperBound)
                if begin < minute, begin > result { result = begin }
                if end < minute, end > result { result = end }
            }
            return result >= 0 ? result : nil
        }
    }
}

extension OpeningHours.State {
    /// The state that a segment gives; closed without one.
    init(_ segment: OpeningHours.Segment?, of rules: [OpeningHours.Rule]) {
        guard let segment else {
            self.init(kind: .closed)
            return
        }
        let rule = rules[segment.rule]
        self.init(
            kind: segment.kind, comment: rule.comment,
            restsOnComment: segment.kind == .open && rule.restsOnComment,
            isOpenEnded: segment.isOpenEnded && segment.kind != .closed)
    }
}

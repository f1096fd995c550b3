/// The facts behind "open until 22:00", "opens Mon 08:00" and "closed, opens 14:00".
extension OpeningHours {
    /// What is so at a moment and what comes next, as values to make words of.
    public struct Outlook: Sendable, Hashable {
        /// The moment asked about.
        public var moment: Moment
        /// What is so at that moment.
        public var state: State
        /// When that ends; nil where it does not end as far as is looked.
        public var until: Moment?
        /// What it becomes then: "closed, opens 14:00", "closed, perhaps open from 14:00".
        public var then: Kind?
        /// The next moment at which it opens: the end of a closed or unknown time, or the opening after the closing;
        /// nil where it does not open again as far as is looked.
        public var opens: Moment?
        /// Whether it may stay open after `until`, as in `18:00+` or `12:00-18:00+`.
        public var mayStayOpen: Bool

        /// Whether it is open at all times.
        public var isAlwaysOpen: Bool { state.kind == .open && until == nil }
    }

    /// What is so at a moment and what comes next.
    public func outlook(at moment: Moment, in site: Site = .unknown) -> Outlook {
        let state = state(at: moment, in: site)
        var outlook = Outlook(moment: moment, state: state, mayStayOpen: state.kind == .open && state.isOpenEnded)
        if needs.isConstant { return outlook }
        let horizon = horizon(in: site)
        var table = Timetable(self, around: moment.day, in: site)
        guard let until = nextChange(after: moment, in: &table, until: horizon) else { return outlook }
        outlook.until = until
        outlook.then = table.kind(at: until.minute)
        if state.kind == .open {
            // Which hours end then: those of the minute before, which may lie on the day before.
            let last = until.minute > 0 ? table.decision(at: until.minute - 1) : nil
            outlook.mayStayOpen =
                last.map { $0.isOpenEnded } ?? self.state(at: until.advanced(byMinutes: -1), in: site).isOpenEnded
        }
        var next = until
        // Unknown and closed may alternate for a while: look at some changes only.
        for _ in 0..<20 {
            if table.kind(at: next.minute) == .open {
                outlook.opens = next
                break
            }
            guard let later = nextChange(after: next, in: &table, until: horizon) else { break }
            next = later
        }
        return outlook
    }
}

import OpenStreetMap
import Sextant

extension OpeningHours.Outlook {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// What a person wants to know: "open until 22:00", "opens Mon 08:00", "closed".
    var text: String {
        switch state.kind {
        case .open:
            guard let until else { return "open at all times" }
            // Closing after midnight belongs to the same evening.
            let isSoon =
                until.day.number <= moment.day.number || until < moment.advanced(byMinutes: 1440) && until.hour < 8
            return "open until \(isSoon ? until.clock : text(of: until))" + (mayStayOpen ? " or later" : "")
        case .closed: return opens.map { "opens \(text(of: $0))" } ?? "closed"
        case .unknown: return state.comment.map { "hours: \($0)" } ?? "hours unknown"
        }
    }

    private func text(of time: OpeningHours.Moment) -> String {
        let days = time.day.number - moment.day.number
        if days == 0 { return time.clock }
        return (days < 7 ? Self.days[time.day.weekday] : "\(time.day)") + " " + time.clock
    }

    /// The facts for programs, on the clock of the place.
    func write(to json: inout JSONWriter) {
        json.key("hours")
        json.object { json in
            json.member("at", "\(moment)")
            json.member("state", state.kind.rawValue)
            json.member("text", text)
            if let until { json.member("until", "\(until)") }
            if let opens { json.member("opens", "\(opens)") }
            if mayStayOpen { json.member("mayStayOpen", true) }
            if let comment = state.comment { json.member("comment", comment) }
            if let kind = state.onPublicHoliday { json.member("onPublicHoliday", kind.rawValue) }
        }
    }
}

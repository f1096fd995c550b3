/// When something is open, as the tag `opening_hours` says it.
///
///     let hours = try OpeningHours("Mo-Fr 08:00-18:00; Sa 09:00-13:00; PH off")
///     let moment = OpeningHours.Moment(year: 2026, month: 3, day: 7, hour: 12, minute: 0)
///     hours.state(at: moment).kind        // .open: a Saturday
///     hours.nextChange(after: moment)     // 2026-03-07 13:00
///     hours.outlook(at: moment)           // open until 13:00, opens again on Monday at 08:00
///
/// The grammar is that of OpenStreetMap's specification: rules after `;`, `,` and `||`, years, dates, weeks, weekdays,
/// holidays, times, sun events, states and comments. Sloppy values that have one meaning are read too: "8.00-12.00 Uhr",
/// "Monday to Friday 9am-5pm", "Mo–Fr 0800-1800", missing blanks and separators.
///
/// Everything happens on the wall clock of the place: a `Moment` knows no time zone. Where hours depend on the sun, the
/// place's `Site` says where and how far from UTC it is. Public and school holidays are not known here unless the site
/// knows them; a `State` tells where a holiday would change it.
///
/// Hours that begin on one day and end on the next belong to the first: "Fr-Sa 20:00-03:00; Su off" is open on Sunday at
/// one o'clock.
public struct OpeningHours: Sendable, Hashable {
    /// The rules in the order in which they are written.
    let rules: [Rule]
    /// What the rules depend on, so that evaluating need not look further than it must.
    let needs: Needs

    /// The longest text that is read; tags of OpenStreetMap end at 255 characters.
    public static let longestText = 2000

    /// Reads a value.
    ///
    /// Cost: one pass over the text.
    /// - Throws: `OpeningHoursError`, which tells the place in the text and what is not understood there.
    public init(_ text: some StringProtocol) throws {
        rules = try OpeningHoursParser.rules(in: String(text))
        needs = Needs(rules)
    }

    /// Whether a value says the same at all times: `24/7`, `off`.
    public var isConstant: Bool { needs.isConstant }
    /// Whether a rule is about public holidays.
    public var mentionsPublicHolidays: Bool { needs.publicHolidays }
    /// Whether a rule is about school holidays.
    public var mentionsSchoolHolidays: Bool { needs.schoolHolidays }
    /// Whether a time depends on the sun, so that evaluating wants a `Site`.
    public var dependsOnSun: Bool { needs.sun }
}

/// Open, closed, or not to be told.
extension OpeningHours {
    /// The three things that hours can say of a moment.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case open, closed, unknown
    }

    /// What hours say of a moment.
    public struct State: Sendable, Hashable {
        /// Open, closed or unknown, on a day that is no holiday as far as the site knows.
        public var kind: Kind
        /// The comment of the rule that decided, such as "by appointment".
        public var comment: String?
        /// Whether only a comment says that it is open, as in `Mo "by appointment"`: who lists what is surely open leaves
        /// such places out.
        public var restsOnComment = false
        /// Whether the end of these hours is open, as in `18:00+` or `12:00-18:00+`: it may be open for longer.
        public var isOpenEnded = false
        /// The kind if the day is a public holiday; nil where that makes no difference or the site knows the holidays.
        public var onPublicHoliday: Kind?
        /// The kind if the day lies in the school holidays; nil where that makes no difference or the site knows them.
        public var onSchoolHoliday: Kind?
    }
}

/// Why a value cannot be read, and where.
public struct OpeningHoursError: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Sendable, Hashable {
        /// There is nothing in it.
        case empty
        /// More characters than `OpeningHours.longestText`, or more rules than are read.
        case tooLong
        /// This part is not understood.
        case notUnderstood(String)
        /// A number is beyond what it can be: hour 49, minute 60, day 32.
        case outOfRange(String)
        /// Something is missing after this part, such as the end of a range.
        case incomplete(String)
        /// A comment is not closed by a quotation mark.
        case unclosedComment
    }

    public var reason: Reason
    /// Characters before the part that is meant.
    public var position: Int

    public var description: String {
        let place = "at character \(position + 1)"
        switch reason {
        case .empty: return "opening hours are empty"
        case .tooLong: return "opening hours are too long: at most \(OpeningHours.longestText) characters are read"
        case .notUnderstood(let part): return "opening hours: \"\(part)\" \(place) is not understood"
        case .outOfRange(let part): return "opening hours: \"\(part)\" \(place) is out of range"
        case .incomplete(let part): return "opening hours: something is missing after \"\(part)\" \(place)"
        case .unclosedComment: return "opening hours: the comment that begins \(place) has no end"
        }
    }
}

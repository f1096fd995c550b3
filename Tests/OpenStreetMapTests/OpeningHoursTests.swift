import Geometry
@testable import OpenStreetMap
import Testing

/// A moment written "2026-03-07 13:00".
private func at(_ text: String) -> OpeningHours.Moment {
    let numbers = text.split { "- :".contains($0) }.compactMap { Int($0) }
    return OpeningHours.Moment(
        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4])
}

private func kind(_ value: String, _ moment: String) throws -> OpeningHours.Kind {
    try OpeningHours(value).state(at: at(moment)).kind
}

// The week from Monday 2026-03-02 to Sunday 2026-03-08.

@Test func officeHoursAreOpenOnWeekdaysOnly() throws {
    #expect(try kind("Mo-Fr 08:00-18:00", "2026-03-02 07:59") == .closed)
    #expect(try kind("Mo-Fr 08:00-18:00", "2026-03-02 08:00") == .open)
    #expect(try kind("Mo-Fr 08:00-18:00", "2026-03-02 17:59") == .open)
    #expect(try kind("Mo-Fr 08:00-18:00", "2026-03-02 18:00") == .closed)
    #expect(try kind("Mo-Fr 08:00-18:00", "2026-03-07 12:00") == .closed)
}

@Test func aLaterRuleTakesTheDaysItNames() throws {
    let value = "Mo-Su 10:00-18:00; We 14:00-15:00; Th off"
    #expect(try kind(value, "2026-03-03 11:00") == .open)
    #expect(try kind(value, "2026-03-04 11:00") == .closed)
    #expect(try kind(value, "2026-03-04 14:30") == .open)
    #expect(try kind(value, "2026-03-05 11:00") == .closed)
}

@Test func aRuleAfterACommaAdds() throws {
    let value = "Mo-Fr 08:00-12:00, We 14:00-18:00"
    #expect(try kind(value, "2026-03-04 09:00") == .open)
    #expect(try kind(value, "2026-03-04 15:00") == .open)
    #expect(try kind(value, "2026-03-05 15:00") == .closed)
}

@Test func aBlankAfterACommaBetweenDaysIsStillAList() throws {
    let value = "Mo-Tu, Th 09:30-12:30; Su, PH off"
    #expect(try kind(value, "2026-03-02 08:00") == .closed)
    #expect(try kind(value, "2026-03-05 10:00") == .open)
    #expect(try kind(value, "2026-03-04 10:00") == .closed)
}

@Test func hoursAfterMidnightBelongToTheDayBefore() throws {
    let value = "Fr-Sa 20:00-03:00; Su off"
    #expect(try kind(value, "2026-03-07 02:59") == .open)
    #expect(try kind(value, "2026-03-08 02:59") == .open)
    #expect(try kind(value, "2026-03-08 03:00") == .closed)
    #expect(try kind(value, "2026-03-08 21:00") == .closed)
    #expect(try kind(value, "2026-03-06 01:00") == .closed)
    // A rule for the next day does not end them, one for those very hours does.
    #expect(try kind("Sa 20:00-03:00; Su 10:00-12:00", "2026-03-08 01:00") == .open)
    #expect(try kind("Sa 20:00-03:00; Su 00:00-02:00 off", "2026-03-08 01:00") == .closed)
    #expect(try kind("Sa 20:00-27:00", "2026-03-08 02:59") == .open)
    // What is off on the day itself does not reach into the next.
    #expect(try kind("Mo-Su 20:00-03:00; Sa off", "2026-03-08 01:00") == .closed)
}

@Test func daysGoOverTheEndOfTheWeek() throws {
    #expect(try kind("Sa-Mo 10:00-12:00", "2026-03-08 11:00") == .open)
    #expect(try kind("Sa-Mo 10:00-12:00", "2026-03-02 11:00") == .open)
    #expect(try kind("Sa-Mo 10:00-12:00", "2026-03-03 11:00") == .closed)
}

@Test func weekdaysOfAMonthAreCountedFromBothEnds() throws {
    #expect(try kind("Mo[1] 10:00-12:00", "2026-03-02 11:00") == .open)
    #expect(try kind("Mo[1] 10:00-12:00", "2026-03-09 11:00") == .closed)
    #expect(try kind("Mo[-1] 10:00-12:00", "2026-03-30 11:00") == .open)
    #expect(try kind("Mo[2-4] 10:00-12:00", "2026-03-09 11:00") == .open)
    #expect(try kind("Mo[1,5] 10:00-12:00", "2026-03-30 11:00") == .open)
    #expect(try kind("Mo[1] +2 days 10:00-12:00", "2026-03-04 11:00") == .open)
    #expect(try kind("Su[1] -1 day 10:00-12:00", "2026-02-28 11:00") == .open)
}

@Test func datesGoOverTheNewYear() throws {
    for moment in ["2026-12-24 11:00", "2026-12-31 11:00", "2027-01-06 11:00"] {
        #expect(try kind("Dec 24-Jan 6 10:00-12:00", moment) == .open)
    }
    #expect(try kind("Dec 24-Jan 6 10:00-12:00", "2026-12-23 11:00") == .closed)
    #expect(try kind("Nov-Feb 10:00-12:00", "2026-01-15 11:00") == .open)
    #expect(try kind("2026 Dec 24-Jan 6 10:00-12:00", "2028-01-01 11:00") == .closed)
    #expect(try kind("2026 Dec 24-2027 Jan 6 10:00-12:00", "2027-01-01 11:00") == .open)
    #expect(try kind("Mo-Su 10:00-12:00; Dec 24,25 off", "2026-12-25 11:00") == .closed)
    #expect(try kind("Mo-Su 10:00-12:00; Dec 24,25 off", "2026-12-26 11:00") == .open)
    #expect(try kind("Apr 01-Oct 15: 09:00-18:00", "2026-10-15 09:30") == .open)
}

@Test func aLeapDayIsThereOnlyInLeapYears() throws {
    #expect(try kind("Feb 29 10:00-12:00", "2028-02-29 11:00") == .open)
    #expect(try kind("Feb 29 10:00-12:00", "2027-03-01 11:00") == .closed)
    #expect(try kind("Feb 1-Feb 29 10:00-12:00", "2027-02-28 11:00") == .open)
    #expect(try kind("Feb 1-Feb 29 10:00-12:00", "2027-03-01 11:00") == .closed)
}

@Test func yearsWeeksAndEaster() throws {
    #expect(try kind("2026 10:00-12:00", "2026-03-02 11:00") == .open)
    #expect(try kind("2020-2030/2 10:00-12:00", "2025-03-02 11:00") == .closed)
    #expect(try kind("2025+ 10:00-12:00", "2099-03-02 11:00") == .open)
    // 2026-03-02 lies in week 10; 2027-01-01 still in week 53 of 2026.
    #expect(try kind("week 10 10:00-12:00", "2026-03-02 11:00") == .open)
    #expect(try kind("week 1-53/2 10:00-12:00", "2026-03-02 11:00") == .closed)
    #expect(try kind("week 53 10:00-12:00", "2027-01-01 11:00") == .open)
    // Easter is on 5 April 2026.
    #expect(try kind("easter 10:00-12:00", "2026-04-05 11:00") == .open)
    #expect(try kind("easter -2 days 10:00-12:00", "2026-04-03 11:00") == .open)
    #expect(try kind("easter -2 days - easter +1 day off; 10:00-12:00", "2026-05-03 11:00") == .open)
    #expect(try kind("10:00-12:00; easter -2 days-easter +1 day off", "2026-04-06 11:00") == .closed)
    #expect(try kind("Mar Su[-1]-Oct Su[-1] 10:00-12:00", "2026-03-29 11:00") == .open)
    #expect(try kind("Mar Su[-1]-Oct Su[-1] 10:00-12:00", "2026-03-28 11:00") == .closed)
    #expect(try kind("Dec 25 -Mo 10:00-12:00", "2026-12-21 11:00") == .open)
}

@Test func anOpenEndIsOpenUntilWhatIsToldAndSaysSo() throws {
    let hours = try OpeningHours("Mo-Sa 18:00+; Su 12:00-15:00+")
    #expect(hours.state(at: at("2026-03-02 23:00")).isOpenEnded)
    let outlook = hours.outlook(at: at("2026-03-08 14:00"))
    #expect(outlook.until == at("2026-03-08 15:00"))
    #expect(outlook.mayStayOpen)
    #expect(try kind("Mo 16:00-, Tu 14:00-", "2026-03-03 15:00") == .open)
}

@Test func aHolidayIsNotKnownAndThatIsTold() throws {
    let hours = try OpeningHours("Mo-Fr 08:00-18:00; PH 10:00-12:00; SH off")
    let noon = hours.state(at: at("2026-03-02 13:00"))
    #expect(noon.kind == .open)
    #expect(noon.onPublicHoliday == .closed)
    #expect(noon.onSchoolHoliday == .closed)
    #expect(hours.state(at: at("2026-03-02 11:00")).onPublicHoliday == nil)
    #expect(hours.state(at: at("2026-03-07 11:00")).onPublicHoliday == .open)
    var site = OpeningHours.Site.unknown
    site.isPublicHoliday = { $0 == at("2026-03-02 00:00").day }
    #expect(hours.state(at: at("2026-03-02 13:00"), in: site).kind == .closed)
    #expect(hours.state(at: at("2026-03-02 13:00"), in: site).onPublicHoliday == nil)
    #expect(hours.nextChange(after: at("2026-03-02 09:00"), in: site) == at("2026-03-02 10:00"))
    // Weekdays beside holidays, and weekdays in them.
    #expect(try OpeningHours("PH,Sa 10:00-12:00").state(at: at("2026-03-07 11:00")).kind == .open)
    #expect(try OpeningHours("SH Sa 10:00-12:00").state(at: at("2026-03-07 11:00")).kind == .closed)
    #expect(try OpeningHours("SH Sa 10:00-12:00").state(at: at("2026-03-07 11:00")).onSchoolHoliday == .open)
}

@Test func aCommentAloneIsTold() throws {
    let state = try OpeningHours("\"by appointment\"").state(at: at("2026-03-02 13:00"))
    #expect(state.comment == "by appointment")
    #expect(state.restsOnComment)
    let beside = try OpeningHours("Tu-Fr 15:00-18:30; \"and by appointment\"")
    #expect(beside.state(at: at("2026-03-03 16:00")).comment == nil)
    #expect(beside.state(at: at("2026-03-03 10:00")).restsOnComment)
    let said = try OpeningHours("Mo 10:00-12:00 open \"ring the bell\"").state(at: at("2026-03-02 11:00"))
    #expect(!said.restsOnComment)
    #expect(said.comment == "ring the bell")
    #expect(try OpeningHours("off \"rebuilding\"").state(at: at("2026-03-02 11:00")).comment == "rebuilding")
}

@Test func aFallbackHoldsWhereTheRulesBeforeSayClosed() throws {
    let hours = try OpeningHours("Mo-Fr 08:00-12:00 || unknown \"ask\"")
    #expect(hours.state(at: at("2026-03-02 11:00")).kind == .open)
    #expect(hours.state(at: at("2026-03-02 13:00")).kind == .unknown)
    #expect(hours.state(at: at("2026-03-08 13:00")).kind == .unknown)
    // A comment alone makes no day of hours longer.
    let asked = try OpeningHours("Mo-Fr 08:00-12:00 || \"on appointment\"")
    #expect(asked.state(at: at("2026-03-02 13:00")).kind == .closed)
    #expect(asked.state(at: at("2026-03-02 13:00")).comment == "on appointment")
    #expect(asked.state(at: at("2026-03-08 13:00")).kind == .open)
    #expect(asked.state(at: at("2026-03-08 13:00")).restsOnComment)
}

@Test func sunTimesComeFromThePlace() throws {
    // Helsinki, whose clock is two hours ahead in winter and three in summer.
    let helsinki = OpeningHours.Site(coordinate: Coordinate(latitude: 60.17, longitude: 24.94)) {
        (3...10).contains($0.date.month) ? 180 : 120
    }
    let hours = try OpeningHours("sunrise-sunset")
    // Almanac: 3:54 to 22:50 on 21 June, 9:24 to 15:13 on 21 December 2026.
    #expect(hours.state(at: at("2026-06-21 04:00"), in: helsinki).kind == .open)
    #expect(hours.state(at: at("2026-06-21 03:49"), in: helsinki).kind == .closed)
    #expect(hours.state(at: at("2026-06-21 22:40"), in: helsinki).kind == .open)
    #expect(hours.state(at: at("2026-06-21 22:55"), in: helsinki).kind == .closed)
    #expect(hours.state(at: at("2026-12-21 09:20"), in: helsinki).kind == .closed)
    #expect(hours.state(at: at("2026-12-21 09:28"), in: helsinki).kind == .open)
    let moved = try OpeningHours("(sunrise+01:00)-(sunset-00:30)")
    #expect(moved.state(at: at("2026-12-21 10:20"), in: helsinki).kind == .closed)
    #expect(moved.state(at: at("2026-12-21 10:28"), in: helsinki).kind == .open)
    // Where nothing is known the day goes from seven to seven.
    #expect(hours.nextChange(after: at("2026-03-02 12:00")) == at("2026-03-02 19:00"))
    let pole = OpeningHours.Site(coordinate: Coordinate(latitude: 78.2, longitude: 15.6)) { _ in 60 }
    #expect(hours.state(at: at("2026-06-21 01:00"), in: pole).kind == .open)
    #expect(hours.state(at: at("2026-12-21 12:00"), in: pole).kind == .closed)
}

@Test func whatComesNextIsToldInValues() throws {
    let hours = try OpeningHours("Mo-Fr 08:00-12:00,14:00-18:00")
    let open = hours.outlook(at: at("2026-03-06 15:00"))
    #expect(open.until == at("2026-03-06 18:00"))
    #expect(open.then == .closed)
    #expect(open.opens == at("2026-03-09 08:00"))
    let noon = hours.outlook(at: at("2026-03-06 12:30"))
    #expect(noon.state.kind == .closed)
    #expect(noon.opens == at("2026-03-06 14:00"))
    #expect(try OpeningHours("24/7").outlook(at: at("2026-03-06 15:00")).isAlwaysOpen)
    #expect(try OpeningHours("off").outlook(at: at("2026-03-06 15:00")).opens == nil)
    #expect(hours.lastChange(upTo: at("2026-03-08 15:00")) == at("2026-03-06 18:00"))
    // Where each day begins as the day before ends nothing changes.
    #expect(try OpeningHours("Mo-Su 00:00-24:00").nextChange(after: at("2026-03-06 15:00")) == nil)
    #expect(try OpeningHours("Feb 29").nextChange(after: at("2027-06-06 15:00")) == at("2028-02-29 00:00"))
}

@Test(arguments: [
    ("Mo–Fr 8.00–18.00 Uhr", "Mo-Fr 08:00-18:00"), ("Monday to Friday 9am - 5:30pm", "Mo-Fr 09:00-17:30"),
    ("Mo-Fr08:00-12:00;", "Mo-Fr 08:00-12:00"), ("mo-fr 0800-1300", "Mo-Fr 08:00-13:00"),
    ("Mo-Fr 8-12 Uhr und 14-18 Uhr", "Mo-Fr 08:00-12:00,14:00-18:00"), ("Mo-So 10-18", "Mo-Su 10:00-18:00"),
    ("Mo - Fr 09:00 -12:00, 14:00 - 16:00", "Mo-Fr 09:00-12:00,14:00-16:00"),
    ("Mo-Fr 07:00-22:00 Sa 08:30-22:00", "Mo-Fr 07:00-22:00; Sa 08:30-22:00"),
    ("Mo-Fr 08:45-12:45 / 14:00-17:45", "Mo-Fr 08:45-12:45,14:00-17:45"), ("15 Jun-15 Sep", "Jun 15-Sep 15"),
    ("10:00-16:00/01:30", "10:00-16:00/90"), ("08:00-12:00 Mo-Fr", "Mo-Fr 08:00-12:00"),
    ("Mo-Fr klo 8.00-16.00", "Mo-Fr 08:00-16:00"), ("Lundi-Vendredi 8h30-12h", "Mo-Fr 08:30-12:00"),
    ("1-5 pm", "13:00-17:00"), ("“Lunch” 12:00-14:00", "12:00-14:00 \"Lunch\""), ("Ph off", "PH off"),
    ("24/7", "24/7"), ("Mo: 10:00-12:00", "Mo 10:00-12:00"), ("closed Mo,Tu", "Mo,Tu off"),
    ("Mo-Fr 09:00-18:00,\"on appointment\"", "Mo-Fr 09:00-18:00; \"on appointment\""),
    ("Пн-Пт 9:00-18:00", "Mo-Fr 09:00-18:00"), ("月", nil), ("2021 Apr 10-16 off", "2021 Apr 10-2021 Apr 16 off"),
])
func sloppyValuesAreRead(_ pair: (String, String?)) throws {
    guard let meaning = pair.1 else {
        #expect(throws: OpeningHoursError.self) { try OpeningHours(pair.0) }
        return
    }
    let hours = try OpeningHours(pair.0)
    if pair.0.hasPrefix("2021") { return }
    #expect(hours.description == meaning)
    #expect(try OpeningHours(meaning) == hours)
}

@Test func anErrorTellsWhatAndWhere() {
    func error(_ value: String) -> OpeningHoursError? {
        do {
            _ = try OpeningHours(value)
            return nil
        } catch { return error as? OpeningHoursError }
    }
    #expect(error("") == .init(reason: .empty, position: 0))
    #expect(error(" ; ") == .init(reason: .empty, position: 0))
    #expect(error("Mo-Fr sometimes") == .init(reason: .notUnderstood("sometimes"), position: 6))
    #expect(error("Mo 25:70-26:00") == .init(reason: .outOfRange("25:70"), position: 3))
    #expect(error("Mo-") == .init(reason: .incomplete("-"), position: 2))
    #expect(error("Mo \"by app") == .init(reason: .unclosedComment, position: 3))
    #expect(error("Jun 40") == .init(reason: .outOfRange("40"), position: 4))
    #expect(error("Mo[9]") == .init(reason: .outOfRange("9"), position: 3))
    #expect(error(String(repeating: "Mo;", count: 5000))?.reason == .tooLong)
    #expect(
        error("Mo-Fr sometimes")?.description
            == "opening hours: \"sometimes\" at character 7 is not understood")
}

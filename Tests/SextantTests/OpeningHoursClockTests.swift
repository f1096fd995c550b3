import Foundation
import Geometry
import Sextant
import Testing

private func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

@Test func theWallClockOfAPlaceIsThatOfItsTimeZone() throws {
    let helsinki = try #require(TimeZone(identifier: "Europe/Helsinki"))
    let moment = OpeningHours.Moment(try date("2026-07-01T21:30:59Z"), in: helsinki)
    #expect(moment == .init(year: 2026, month: 7, day: 2, hour: 0, minute: 30))
    #expect(moment.date(in: helsinki) == (try date("2026-07-01T21:30:00Z")))
    let before = OpeningHours.Moment(try date("1969-12-31T23:59:30Z"), in: .gmt)
    #expect(before == .init(year: 1969, month: 12, day: 31, hour: 23, minute: 59))
}

@Test func anHourThatComesTwiceIsItsFirst() throws {
    // On 25 October 2026 the clock goes from 04:00 back to 03:00.
    let helsinki = try #require(TimeZone(identifier: "Europe/Helsinki"))
    let moment = OpeningHours.Moment(year: 2026, month: 10, day: 25, hour: 3, minute: 30)
    #expect(moment.date(in: helsinki) == (try date("2026-10-25T00:30:00Z")))
    #expect(OpeningHours.Moment(try date("2026-10-25T01:30:00Z"), in: helsinki) == moment)
}

@Test func anHourThatIsLeftOutIsAfterTheChange() throws {
    // On 29 March 2026 the clock goes from 03:00 on to 04:00.
    let helsinki = try #require(TimeZone(identifier: "Europe/Helsinki"))
    let moment = OpeningHours.Moment(year: 2026, month: 3, day: 29, hour: 3, minute: 30)
    #expect(moment.date(in: helsinki) == (try date("2026-03-29T01:30:00Z")))
}

@Test func everyMomentOfAYearIsFoundAgain() throws {
    for name in ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"] {
        let zone = try #require(TimeZone(identifier: name))
        let start = try date("2026-01-01T00:00:00Z")
        for step in 0..<1000 {
            let moment = OpeningHours.Moment(start.addingTimeInterval(Double(step) * 31_560), in: zone)
            #expect(OpeningHours.Moment(moment.date(in: zone), in: zone) == moment, "\(name): \(moment)")
        }
    }
}

@Test func datesBeyondAllCalendarsAreHeld() {
    for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
        let moment = OpeningHours.Moment(Date(timeIntervalSince1970: seconds), in: .gmt)
        _ = moment.date(in: .gmt)
    }
}

@Test func theSunOfAPlaceFollowsItsClock() throws {
    let helsinki = try #require(TimeZone(identifier: "Europe/Helsinki"))
    let site = OpeningHours.Site(coordinate: Coordinate(latitude: 60.17, longitude: 24.94), timeZone: helsinki)
    let hours = try OpeningHours("sunrise-sunset")
    let noon = OpeningHours.Moment(year: 2026, month: 6, day: 21, hour: 12)
    let until = try #require(hours.nextChange(after: noon, in: site))
    #expect((22 * 60 + 45...22 * 60 + 55).contains(until.minute))
}

import Foundation
import OpenStreetMap
import Sextant
import Testing

@testable import SextantCommand

@Suite struct SearchTimeTests {
    /// On a Wednesday.
    private func text(_ hours: String, _ hour: Int, _ minute: Int = 0) throws -> String {
        try OpeningHours(hours).outlook(at: .init(year: 2026, month: 3, day: 4, hour: hour, minute: minute)).text
    }

    @Test func hoursAreToldAsPeopleAskForThem() throws {
        #expect(try text("Mo-Fr 08:00-22:00", 12) == "open until 22:00")
        #expect(try text("Mo-Fr 08:00-22:00", 23) == "opens Thu 08:00")
        #expect(try text("Mo-Fr 14:00-22:00", 12) == "opens 14:00")
        #expect(try text("We 20:00-02:00", 23) == "open until 02:00")
        #expect(try text("24/7", 3) == "open at all times")
        #expect(try text("off", 3) == "closed")
        #expect(try text("2026 Dec 01-24 10:00-12:00", 3) == "opens 2026-12-01 10:00")
        #expect(try text("We 12:00-18:00+", 13) == "open until 18:00 or later")
    }

    @Test(arguments: [
        "tomorrow", "2026-13-01T10:00", "2026-12-01", "10:00", "2026-12-01T25:00", "T", "2026-12-01T10:00+",
        "2026-02-30T10:00", "2027-02-29T10:00", "-1-1-1T1:1", "2026-04-31 10:00",
    ])
    func aTimeThatIsNoneIsRefused(_ text: String) {
        #expect(throws: UsageError.self) { try SearchTime(text) }
    }

    @Test func timesAreRead() throws {
        for text in [
            "now", "2026-12-01T10:00", "2026-12-01 10:00:30", "2026-12-01T10:00Z", "2026-12-01T10:00:00+02:00",
        ] {
            _ = try SearchTime(text)
        }
    }
}

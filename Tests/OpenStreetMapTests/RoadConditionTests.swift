import Testing

@testable import OpenStreetMap

@Suite struct RoadConditionTests {
    /// A Tuesday in 2026.
    private func tuesday(_ hour: Int, _ minute: Int = 0) -> OpeningHours.Moment {
        OpeningHours.Moment(year: 2026, month: 12, day: 1, hour: hour, minute: minute)
    }

    @Test func hoursHoldWhileTheyAreOpen() {
        let condition = RoadCondition("Mo-Fr 07:00-09:00,16:00-18:30")
        #expect(!condition.holds(at: tuesday(6, 59)))
        #expect(condition.holds(at: tuesday(7)))
        #expect(!condition.holds(at: tuesday(9)))
        #expect(condition.holds(at: tuesday(18, 29)))
        #expect(condition.nextChange(after: tuesday(8)) == tuesday(9))
        #expect(condition.nextChange(after: tuesday(9)) == tuesday(16))
    }

    @Test func hoursBeyondMidnightHoldOnTheNextMorning() {
        let condition = RoadCondition("22:00-06:00")
        #expect(condition.holds(at: tuesday(3)))
        #expect(!condition.holds(at: tuesday(12)))
        #expect(condition.holds(at: tuesday(23)))
    }

    @Test func allPartsOfAConditionMustHold() {
        let condition = RoadCondition("Mo-Fr 07:00-09:00 AND weight>7.5")
        #expect(!condition.holds(at: tuesday(8)))
        #expect(!condition.holds(at: tuesday(8), vehicle: VehicleSize(weight: 7.5)))
        #expect(condition.holds(at: tuesday(8), vehicle: VehicleSize(weight: 7.6)))
        #expect(!condition.holds(at: tuesday(12), vehicle: VehicleSize(weight: 12)))
        #expect(RoadCondition("height >= 3.5 m").holds(at: tuesday(8), vehicle: VehicleSize(height: 3.5)))
        #expect(RoadCondition("length<10").holds(at: tuesday(8), vehicle: VehicleSize(length: 9.9)))
    }

    @Test(arguments: ["wet", "delivery", "weight>heavy", "hazmat", "axles>2", "\"by appointment\"", "", "winter snow"])
    func whatCannotBeReadNeverHolds(_ text: String) {
        let condition = RoadCondition(text)
        #expect(!condition.isReadable)
        #expect(!condition.holds(at: tuesday(12), vehicle: VehicleSize(height: 9, weight: 99)))
    }

    @Test func openingHoursCloseOutsideOfThem() {
        let condition = RoadCondition(RoadCondition.text(outside: "06:00-22:00"))
        #expect(condition.holds(at: tuesday(5, 59)))
        #expect(!condition.holds(at: tuesday(6)))
        // What cannot be told is no reason to turn away.
        #expect(!RoadCondition(RoadCondition.text(outside: "unknown \"ask\"")).holds(at: tuesday(12)))
    }

    @Test func theLastPartThatHoldsStandsInThePlaceOfTheTag() throws {
        let tags: Tags = [
            "highway": "residential", "motor_vehicle": "yes",
            "motor_vehicle:conditional": "no @ (Mo-Fr 07:00-09:00); destination @ (Tu 08:00-10:00)",
        ]
        let times = try #require(ConditionalTags(tags))
        #expect(times.conditions == ["Mo-Fr 07:00-09:00", "Tu 08:00-10:00"])
        #expect(times.tags(tags, holding: 0)["motor_vehicle"] == "yes")
        #expect(times.tags(tags, holding: 1)["motor_vehicle"] == "no")
        #expect(times.tags(tags, holding: 2)["motor_vehicle"] == "destination")
        #expect(times.tags(tags, holding: 3)["motor_vehicle"] == "destination")
    }

    @Test func whatDoesNotDependOnTheTimeHasNoConditionalTags() {
        #expect(ConditionalTags(["highway": "residential", "hgv:conditional": "no @ (22:00-06:00)"]) == nil)
        #expect(ConditionalTags(["highway": "residential", "access:conditional": "no @ snow"]) == nil)
        #expect(ConditionalTags(["route": "ferry", "opening_hours": "24/7"]) == nil)
        #expect(ConditionalTags(["amenity": "cafe", "opening_hours": "08:00-18:00"], isNode: true) == nil)
        #expect(ConditionalTags(["barrier": "gate", "opening_hours": "08:00-18:00"], isNode: true) != nil)
    }

    @Test func noMoreThanFiveConditionsAreHeeded() throws {
        let parts = (6..<13).map { "no @ (0\($0 % 10):00-0\($0 % 10):30)" }.joined(separator: "; ")
        let times = try #require(ConditionalTags(["highway": "service", "access:conditional": parts]))
        #expect(times.conditions.count == 5)
        #expect(times.leftOut == 2)
    }
}

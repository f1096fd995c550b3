import Testing

@testable import OpenStreetMap

@Suite struct RoadTagsTests {
    private func road(_ tags: Tags) -> RoadTags? { RoadTags(tags, rules: .unknown) }

    /// `><` open in both directions, `>` along, `<` against, empty for closed.
    private func directions(_ tags: Tags, _ user: RoadUser = .car) -> String {
        guard let road = road(tags) else { return "none" }
        return (road[.forward, user].isOpen ? ">" : "") + (road[.backward, user].isOpen ? "<" : "")
    }

    @Test func onewaysAndTheirExceptions() {
        #expect(directions(["highway": "residential"]) == "><")
        #expect(directions(["highway": "residential", "oneway": "yes"]) == ">")
        #expect(directions(["highway": "residential", "oneway": "-1"]) == "<")
        #expect(directions(["highway": "motorway"]) == ">")
        #expect(directions(["highway": "motorway", "oneway": "no"]) == "><")
        #expect(directions(["highway": "motorway_link"]) == "><")
        #expect(directions(["highway": "primary", "junction": "roundabout"]) == ">")
        #expect(directions(["highway": "primary", "junction": "circular"]) == ">")
        #expect(directions(["highway": "primary", "oneway": "reversible"]) == "")
        #expect(directions(["highway": "residential", "oneway": "yes"], .foot) == "><")
        #expect(directions(["highway": "residential", "oneway": "yes", "oneway:bicycle": "no"], .bicycle) == "><")
        let contraflow = road(["highway": "residential", "oneway": "yes", "cycleway": "opposite_lane"])
        #expect(contraflow?[.backward, .bicycle].mode == .cycling)
        let pushed = road(["highway": "residential", "oneway": "yes"])
        #expect(pushed?[.backward, .bicycle].mode == .pushingBike)
    }

    @Test func theMostSpecialAccessKeyDecides() {
        #expect(directions(["highway": "primary", "access": "no"]) == "")
        #expect(directions(["highway": "primary", "access": "no", "motorcar": "yes"]) == "><")
        #expect(directions(["highway": "primary", "access": "yes", "motor_vehicle": "no"]) == "")
        #expect(directions(["highway": "primary", "vehicle:forward": "no"]) == "<")
        #expect(directions(["highway": "primary", "access": "no"], .foot) == "")
        #expect(directions(["highway": "primary", "access": "agricultural;forestry"]) == "")
        #expect(directions(["highway": "footway", "motor_vehicle": "yes"]) == "><")
        #expect(directions(["highway": "steps", "access": "yes"]) == "")
        #expect(
            road(["highway": "primary", "access": "agricultural;destination"])?[.forward, .car].isRestricted == true)
        #expect(road(["highway": "primary", "access": "yes;no"])?[.forward, .car].isRestricted == false)
    }

    @Test func whatIsNoRoadIsNotRead() {
        #expect(road(["highway": "construction"]) == nil)
        #expect(road(["highway": "proposed"]) == nil)
        #expect(road(["building": "yes"]) == nil)
        #expect(road(["route": "bus"]) == nil)
        #expect(road(["highway": "primary", "construction": "yes"]) == nil)
        #expect(directions(["highway": "primary", "construction": "minor"]) == "><")
        #expect(directions(["highway": "pedestrian", "area": "yes"], .foot) == "><")
        #expect(directions(["highway": "service", "area": "yes"]) == "")
    }

    @Test func speedsComeFromSignsSurfacesAndClasses() {
        func speed(_ tags: Tags) -> Double { road(tags)?[.forward, .car].speed ?? 0 }
        #expect(speed(["highway": "primary", "maxspeed": "50"]) == 40)
        #expect(speed(["highway": "primary", "maxspeed": "50", "maxspeed:forward": "100"]) == 80)
        #expect((speed(["highway": "primary", "maxspeed": "50 mph"]) - 64.37).magnitude < 0.01)
        #expect(speed(["highway": "primary", "surface": "gravel"]) == 40)
        #expect(speed(["highway": "primary"]) > speed(["highway": "residential"]))
        #expect(speed(["highway": "primary", "maxspeed": "signals"]) == speed(["highway": "primary"]))
        #expect(speed(["highway": "primary", "smoothness": "impassable"]) == 0)
    }

    @Test func limitsInAllWritings() {
        func limit(_ text: String) -> Double? { RoadSpeeds.limit(text, rules: .unknown) }
        #expect(limit("60") == 60)
        #expect(limit("60 km/h") == 60)
        #expect(limit("30mph").map { ($0 * 100).rounded() } == 4828)
        #expect(limit("10 knots").map { ($0 * 100).rounded() } == 1852)
        #expect(limit("walk") == 7)
        #expect(limit("DE:urban") == 50)
        #expect(limit("DE:rural") == 100)
        #expect(limit("FR:80") == 80)
        #expect(limit("DE:zone30") == 30)
        #expect(limit("AT:zone:30") == 30)
        #expect(limit("50;80") == 50)
        #expect(limit("signals") == nil)
        #expect(limit("") == nil)
        #expect(limit("99999999999999999999") == nil)
    }

    @Test func durationsInAllWritings() {
        #expect(RoadSpeeds.duration("00:20") == 1200)
        #expect(RoadSpeeds.duration("01:30:30") == 5430)
        #expect(RoadSpeeds.duration("45") == 2700)
        #expect(RoadSpeeds.duration("PT1H30M") == 5400)
        #expect(RoadSpeeds.duration("P1D") == 86400)
        #expect(RoadSpeeds.duration("soon") == nil)
        #expect(RoadSpeeds.duration("-5") == nil)
        #expect(RoadSpeeds.duration("") == nil)
    }

    @Test func pathsOfTheirOwnTakeWalkersAndBicyclesOffTheRoad() {
        #expect(directions(["highway": "steps", "conveying": "forward"], .foot) == ">")
        #expect(directions(["highway": "primary", "foot": "use_sidepath"], .foot) == "")
        #expect(directions(["highway": "bridleway"], .foot) == "")
        #expect(directions(["highway": "bridleway", "foot": "yes"], .foot) == "><")
        #expect(directions(["highway": "primary", "motorroad": "yes"], .bicycle) == "")
        #expect(directions(["highway": "motorway", "cycleway": "track"], .bicycle) == ">")
        #expect(directions(["highway": "motorway"], .bicycle) == "")
    }

    @Test func lanesForSeveralPeopleAndTakingTurns() {
        #expect(road(["highway": "motorway", "hov": "designated"])?[.forward, .car].isRestricted == true)
        #expect(
            road(["highway": "primary", "hov:lanes:forward": "designated|designated"])?[.forward, .car].isRestricted
                == true)
        #expect(
            road(["highway": "primary", "hov:lanes:forward": "designated|no"])?[.forward, .car].isRestricted == false)
        let alternating = road(["highway": "primary", "oneway": "alternating"])
        #expect(alternating?[.backward, .car].isOpen == true)
        #expect((alternating?[.forward, .car].factor ?? 0) > 1)
    }

    @Test func ferriesAndTrainsCarryCars() {
        let ferry = road(["route": "ferry", "duration": "00:20"])
        #expect(ferry?[.forward, .car].mode == .ferry)
        #expect(ferry?.duration == 1200)
        #expect(ferry?[.forward, .car].isStartable == false)
        #expect(directions(["route": "ferry", "motor_vehicle": "no"]) == "")
        #expect(directions(["route": "ferry", "motor_vehicle": "no"], .foot) == "><")
        #expect(road(["route": "shuttle_train"])?[.backward, .car].mode == .train)
    }
}

@Suite struct RoadNodeTagsTests {
    private func isBlocked(_ tags: Tags, _ user: RoadUser = .car) -> Bool {
        (RoadNodeTags(tags)?.blocked ?? 0) & user.bit != 0
    }

    @Test func barriersStopCarsUnlessTheyOpen() {
        #expect(isBlocked(["barrier": "bollard"]))
        #expect(!isBlocked(["barrier": "bollard"], .bicycle))
        #expect(!isBlocked(["barrier": "gate"]))
        #expect(isBlocked(["barrier": "gate", "access": "no"]))
        #expect(!isBlocked(["barrier": "gate", "access": "private"]))
        #expect(!isBlocked(["barrier": "toll_booth"]))
        #expect(isBlocked(["barrier": "wall"], .foot))
        #expect(!isBlocked(["barrier": "kerb", "kerb": "lowered"]))
        #expect(isBlocked(["barrier": "kerb"]))
        #expect(isBlocked(["barrier": "height_restrictor", "maxheight": "1.5"]))
        #expect(!isBlocked(["barrier": "height_restrictor", "maxheight": "3"]))
        #expect(isBlocked(["motor_vehicle": "no"]))
        #expect(RoadNodeTags(["amenity": "bench"]) == nil)
    }

    @Test func signsKnowTheirDirection() {
        let signal = RoadNodeTags(["highway": "traffic_signals", "traffic_signals:direction": "backward"])
        #expect(signal?.hasSignal == true)
        #expect(signal?.direction == .backward)
        #expect(RoadNodeTags(["highway": "stop", "direction": "both"])?.isForBoth == true)
        #expect(RoadNodeTags(["highway": "give_way"])?.givesWay == true)
        #expect(RoadNodeTags(["highway": "motorway_junction", "ref": "12a"])?.exitNumber == "12a")
    }
}

@Suite struct RoadConditionsTests {
    /// 1 January 2024 was a Monday.
    private func holds(_ condition: String, day: Int, _ hour: Int, _ minute: Int = 0) -> Bool {
        RoadConditions.holds(
            condition, localSeconds: 1_704_067_200 + Int64(day) * 86400 + Int64(hour) * 3600 + Int64(minute) * 60)
    }

    @Test func weekdaysAndHours() {
        #expect(holds("Mo-Fr 07:00-10:30", day: 0, 8))
        #expect(!holds("Mo-Fr 07:00-10:30", day: 0, 11))
        #expect(holds("Mo-Fr 07:00-10:30", day: 4, 10, 29))
        #expect(!holds("Mo-Fr 07:00-10:30", day: 5, 8))
        #expect(holds("Mo,We 08:00-09:00", day: 2, 8))
        #expect(!holds("Mo,We 08:00-09:00", day: 1, 8))
        #expect(holds("07:00-09:00,16:00-18:00", day: 6, 17))
        #expect(holds("Sa-Su", day: 6, 23))
        #expect(holds("22:00-06:00", day: 1, 3))
        #expect(holds("Fr 22:00-06:00", day: 5, 3))
        #expect(!holds("Fr 22:00-06:00", day: 4, 3))
        #expect(holds("24/7", day: 3, 3))
        #expect(holds("Nov-Mar", day: 0, 12))
        #expect(!holds("Apr-Oct", day: 0, 12))
        #expect(holds("Mo-Fr 07:00-09:00; Sa 10:00-12:00", day: 5, 11))
    }

    @Test func datesAndSeveralConditions() {
        #expect(holds("Dec 20-Jan 10", day: 0, 12))
        #expect(!holds("Jan 02-Mar 31", day: 0, 12))
        #expect(holds("2024 Jan", day: 3, 12) && !holds("2025 Jan", day: 3, 12))
        #expect(holds("Jan 01-Jan 31 Mo-Fr 07:00-09:00", day: 1, 8))
        #expect(!holds("Jan 01-Jan 31 Mo-Fr 07:00-09:00", day: 1, 9))
        #expect(holds("Mo-Fr AND 07:00-09:00", day: 1, 8) && !holds("Mo-Fr AND 07:00-09:00", day: 5, 8))
        #expect(!holds("Mo-Fr 07:00-09:00 AND weight>7.5", day: 1, 8))
    }

    @Test func otherConditionsDoNotHold() {
        for text in ["hgv", "wet", "length>5", "disabled", "AND", "\"by permit\"", "no", "@", "()", ";;;", "Mo-"] {
            #expect(!holds(text, day: 0, 8), "\(text)")
        }
        #expect(!holds("weight>7.5", day: 0, 8))
        #expect(!holds("sunset-sunrise", day: 0, 3))
        #expect(!holds("", day: 0, 3))
        #expect(!holds("99:99-12:00", day: 0, 3))
    }

    @Test func partsAreTakenApart() {
        let parts = RoadConditions.parts(
            "no_left_turn @ (Mo-Fr 07:00-09:00; Sa 08:00-10:00); only_right_turn @ 10:00-11:00")
        #expect(parts.map(\.value) == ["no_left_turn", "only_right_turn"])
        #expect(parts.map(\.condition) == ["Mo-Fr 07:00-09:00; Sa 08:00-10:00", "10:00-11:00"])
        #expect(RoadConditions.parts("no_left_turn").isEmpty)
    }
}

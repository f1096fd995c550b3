import Testing

@testable import OpenStreetMap

/// `><` open in both directions, `>` along, `<` against, empty for closed, `none` for what is no road.
private func directions(_ tags: Tags, _ user: RoadUser = .car) -> String {
    guard let road = RoadTags(tags, rules: .unknown) else { return "none" }
    return (road[.forward, user].isOpen ? ">" : "") + (road[.backward, user].isOpen ? "<" : "")
}

@Suite struct LimitsOfSize {
    private func close(_ value: Double?, _ expected: Double) -> Bool {
        value.map { abs($0 - expected) < 0.001 } == true
    }

    @Test(
        arguments: [
            ("3.8", 3.8), ("3,8", 3.8), ("3.8 m", 3.8), ("3.8m", 3.8), ("4 metres", 4), ("380 cm", 3.8),
            ("2500mm", 2.5),
            ("12'", 3.6576), ("12 ft", 3.6576), ("12'6\"", 3.81), ("12' 6\"", 3.81), ("12'-6\"", 3.81),
            ("12 ft 6 in", 3.81), ("12ft6in", 3.81), ("12′6″", 3.81), ("12’6”", 3.81), ("12'6", 3.81),
            ("7 feet", 2.1336),
            ("72 in", 1.8288), ("72\"", 1.8288), ("6.5'", 1.9812), ("3 yd", 2.7432), ("3.5;3.2", 3.2), ("2.5 m.", 2.5),
        ])
    func lengthsInAllWritings(text: String, metres: Double) {
        #expect(close(Measures.metres(text), metres), "\(text)")
    }

    @Test(
        arguments: [
            ("3.5", 3500), ("3,5", 3500), ("3.5 t", 3500), ("3.5t", 3500), ("7.5 tonnes", 7500), ("3500 kg", 3500),
            ("3500kg", 3500), ("3,500 kg", 3500), ("10000 lbs", 4535.9237), ("10,000 lbs", 4535.9237),
            ("8 st", 7257.478),
            ("8 lt", 8128.375), ("20 cwt", 1016.047), ("10 kips", 4535.9237), ("18 mt", 18000), ("1 lb", 0.45359237),
            ("7.5;3.5", 3500),
        ])
    func weightsInAllWritings(text: String, kilograms: Double) {
        #expect(close(Measures.kilograms(text), kilograms), "\(text)")
    }

    @Test(
        arguments: [
            "", "none", "default", "below_default", "no_sign", "unsigned", "m", "'", "-", "-3", "3.8 parsecs", "nan",
            "inf",
            "0x10", "1e9", "٣", "3.8 m 5 m 2", "99999999999999999999999", "12'6\"7", String(repeating: "9;", count: 60),
        ])
    func whatIsNoMeasureLimitsNothing(text: String) {
        #expect(Measures.metres(text) == nil, "\(text)")
        #expect(directions(["highway": "primary", "maxheight": text, "maxweight": text]) == "><", "\(text)")
    }

    @Test func aCarPassesWhereItFits() {
        func open(_ key: String, _ value: String) -> String { directions(["highway": "primary", key: value]) }
        for key in ["maxheight", "maxheight:physical"] {
            #expect(open(key, "1.9") == "" && open(key, "6'") == "" && open(key, "6'3\"") == "")
            #expect(open(key, "2") == "><" && open(key, "2.1 m") == "><" && open(key, "7'") == "><")
        }
        for key in ["maxwidth", "maxwidth:physical", "width", "est_width"] {
            #expect(open(key, "1.8") == "" && open(key, "6'") == "" && open(key, "72\"") == "")
            #expect(open(key, "1.9") == "><" && open(key, "2.5 m") == "><" && open(key, "narrow") == "><")
        }
        #expect(open("maxlength", "4.5") == "" && open("maxlength", "5") == "><" && open("maxlength", "12 m") == "><")
        #expect(
            open("maxweight", "1.5") == "" && open("maxweight", "1500 kg") == "" && open("maxweight", "4000 lbs") == "")
        #expect(
            open("maxweight", "3.5") == "><" && open("maxweight", "3500 kg") == "><"
                && open("maxweight", "8 st") == "><")
        #expect(open("maxaxleload", "0.5") == "" && open("maxaxleload", "5.5") == "><")
        // A measured clearance goes before the sign, and a direction before both.
        #expect(directions(["highway": "primary", "maxheight:physical": "2.2", "maxheight": "1.8"]) == "><")
        #expect(directions(["highway": "primary", "maxheight:forward": "1.8"]) == "<")
        #expect(directions(["highway": "primary", "maxheight": "3", "maxheight:backward": "1.8"]) == ">")
    }

    @Test func othersPassUnderLowBridges() {
        #expect(directions(["highway": "primary", "maxheight": "1.8"], .bicycle) == "><")
        #expect(directions(["highway": "primary", "maxwidth": "1", "maxweight": "0.5"], .foot) == "><")
    }

    @Test func nodesHaveLimitsToo() {
        func blocks(_ tags: Tags, _ user: RoadUser = .car) -> Bool {
            (RoadNodeTags(tags)?.blocked ?? 0) & user.bit != 0
        }
        #expect(blocks(["barrier": "height_restrictor", "maxheight": "6'"]))
        #expect(!blocks(["barrier": "height_restrictor", "maxheight": "7'"]))
        #expect(blocks(["maxheight": "1.7"]) && !blocks(["maxheight": "1.7"], .bicycle))
        #expect(blocks(["barrier": "width_restrictor", "access": "yes", "maxwidth": "1.5 m"]))
        #expect(!blocks(["maxweight": "3.5"]) && !blocks(["maxheight": "default"]))
    }
}

@Suite struct OnewaySpellings {
    private func primary(_ tags: Tags, _ user: RoadUser = .car) -> String {
        var all = tags
        if all["highway"] == nil { all.pairs.append(Tags.Pair(key: "highway", value: "primary")) }
        return directions(all, user)
    }

    @Test func eachSpellingOfOneDirection() {
        for value in ["yes", "true", "1"] { #expect(primary(["oneway": value]) == ">", "\(value)") }
        for value in ["-1", "reverse"] { #expect(primary(["oneway": value]) == "<", "\(value)") }
        for value in ["no", "false", "0", "", "something"] { #expect(primary(["oneway": value]) == "><", "\(value)") }
        #expect(primary(["oneway": "reversible"]) == "")
        #expect(primary(["oneway": "alternating"]) == "><")
    }

    @Test func whatImpliesOneDirection() {
        #expect(primary(["highway": "motorway"]) == ">")
        #expect(primary(["highway": "motorway_link"]) == "><")
        #expect(primary(["highway": "trunk"]) == "><")
        #expect(primary(["junction": "roundabout"]) == ">")
        #expect(primary(["junction": "circular"]) == ">")
        #expect(primary(["junction": "roundabout", "oneway": "no"]) == "><")
        #expect(primary(["junction": "roundabout", "oneway": "-1"]) == "<")
        #expect(primary(["highway": "motorway", "oneway": "no"]) == "><")
        #expect(primary(["highway": "motorway", "oneway": "-1"]) == "<")
        #expect(primary(["junction": "yes"]) == "><")
    }

    @Test func eachVehicleHasItsOwnKey() {
        #expect(primary(["oneway": "yes", "oneway:motorcar": "no"]) == "><")
        #expect(primary(["oneway:motor_vehicle": "yes"]) == ">")
        #expect(primary(["oneway:vehicle": "-1"]) == "<")
        #expect(primary(["oneway": "yes", "oneway:bicycle": "no"]) == ">")
        #expect(primary(["oneway:bicycle": "yes"]) == "><")
        #expect(primary(["oneway": "yes", "oneway:bus": "no"]) == ">")
    }

    @Test func bicyclesGoAgainstWhereTheyMayAndArePushedElse() {
        func mode(_ tags: Tags) -> TravelMode? {
            RoadTags(tags, rules: .unknown).flatMap {
                $0[.backward, .bicycle].isOpen ? $0[.backward, .bicycle].mode : nil
            }
        }
        #expect(mode(["highway": "primary", "oneway": "yes"]) == .pushingBike)
        #expect(mode(["highway": "primary", "oneway": "yes", "oneway:bicycle": "no"]) == .cycling)
        for value in ["opposite", "opposite_lane", "opposite_track"] {
            #expect(mode(["highway": "primary", "oneway": "yes", "cycleway": value]) == .cycling, "\(value)")
            #expect(mode(["highway": "primary", "oneway": "yes", "cycleway:left": value]) == .cycling, "\(value)")
        }
        #expect(mode(["highway": "primary", "junction": "roundabout"]) == nil)
        #expect(mode(["highway": "primary", "junction": "circular"]) == nil)
        #expect(mode(["highway": "motorway", "bicycle": "yes"]) == nil)
    }

    @Test func walkersHeedOnlyTheirOwn() {
        #expect(primary(["oneway": "yes"], .foot) == "><")
        #expect(primary(["oneway": "-1", "junction": "roundabout"], .foot) == "><")
        #expect(primary(["oneway:foot": "yes"], .foot) == ">")
        #expect(primary(["oneway:foot": "-1"], .foot) == "<")
        #expect(directions(["highway": "steps", "conveying": "backward"], .foot) == "<")
        #expect(directions(["highway": "steps", "conveying": "forward", "oneway": "no"], .foot) == "><")
        #expect(directions(["highway": "residential", "conveying": "forward"], .foot) == "><")
    }
}

@Suite struct WalkersAndBicyclesTests {
    private func passage(_ tags: Tags, _ user: RoadUser) -> RoadPassage? {
        RoadTags(tags, rules: .unknown)?[.forward, user]
    }

    @Test func privateRoadsAreNotWhereOneSetsOut() {
        for value in ["private", "delivery"] {
            for user in [RoadUser.foot, .bicycle] {
                let road = passage(["highway": "primary", "access": value], user)
                #expect(road?.isOpen == true && road?.isStartable == false && road?.isRestricted == true)
            }
            #expect((RoadNodeTags(["access": "private"])?.blocked ?? 0) & RoadUser.foot.bit != 0)
            #expect((RoadNodeTags(["access": "private"])?.blocked ?? 0) & RoadUser.car.bit == 0)
        }
        #expect(passage(["highway": "primary", "access": "destination"], .foot)?.isStartable == true)
    }

    @Test func aSidewalkOfItsOwnIsTakenInsteadOfTheRoad() {
        let beside = passage(["highway": "primary", "sidewalk:right": "separate"], .foot)
        #expect(beside?.isStartable == false && (beside?.factor ?? 0) > 2)
        let allowed = passage(["highway": "primary", "sidewalk": "separate", "foot": "yes"], .foot)
        #expect(allowed?.isStartable == true && (allowed?.factor ?? 9) < 2)
        let other = passage(["highway": "primary", "sidewalk:right": "separate", "sidewalk:left": "yes"], .foot)
        #expect(other?.isStartable == true)
        #expect(passage(["highway": "primary", "cycleway": "separate"], .bicycle)?.isStartable == false)
        #expect(
            passage(["highway": "primary", "cycleway": "separate", "bicycle": "yes"], .bicycle)?.isStartable == true)
    }

    @Test func fastRoadsAreForWalkersOnlyWithASidewalk() {
        #expect(passage(["highway": "trunk"], .foot)?.isOpen == false)
        #expect(passage(["highway": "trunk", "sidewalk": "both"], .foot)?.isOpen == true)
        #expect(passage(["highway": "trunk", "foot": "yes"], .foot)?.isOpen == true)
        #expect(passage(["highway": "cycleway"], .foot)?.isOpen == false)
        #expect(passage(["highway": "cycleway", "foot": "designated"], .foot)?.isOpen == true)
        #expect(passage(["highway": "trunk"], .bicycle)?.isOpen == false)
        #expect(passage(["highway": "trunk", "cycleway": "lane"], .bicycle)?.isOpen == true)
    }

    @Test func bicyclesArePushedWhereWalkersMayGo() {
        #expect(passage(["highway": "bridleway", "foot": "yes"], .bicycle)?.mode == .pushingBike)
        #expect(passage(["highway": "bridleway"], .bicycle)?.isOpen == false)
        #expect(passage(["highway": "motorway", "foot": "yes"], .bicycle)?.mode == .pushingBike)
        #expect(passage(["highway": "primary", "bicycle": "dismount"], .bicycle)?.mode == .pushingBike)
        #expect(passage(["highway": "footway", "foot": "no"], .bicycle)?.isOpen == false)
    }

    @Test func trainsTakeBicyclesWhereTheTagSaysSo() {
        let train = passage(["railway": "rail", "bicycle": "yes"], .bicycle)
        #expect(train?.mode == .train && train?.isStartable == false)
        #expect(RoadTags(["railway": "rail"], rules: .unknown) == nil)
        #expect(RoadTags(["railway": "rail", "bicycle": "no"], rules: .unknown) == nil)
        #expect(RoadTags(["railway": "construction", "bicycle": "yes"], rules: .unknown) == nil)
    }

    @Test func carParksAreWalkedAlongTheirEdge() {
        let park = RoadTags(["amenity": "parking"], rules: .unknown)
        #expect(park?.isOutline == true)
        #expect(park?[.forward, .foot].isOpen == true && park?[.backward, .bicycle].isOpen == true)
        #expect(park?[.forward, .car].isOpen == false)
        #expect(RoadTags(["amenity": "parking", "parking": "underground"], rules: .unknown) == nil)
        #expect(
            RoadTags(["amenity": "parking", "access": "private"], rules: .unknown)?[.forward, .foot].isOpen == false)
    }

    @Test func bicyclesHeedASlowSign() {
        #expect(passage(["highway": "cycleway", "maxspeed": "5"], .bicycle)?.speed == 5)
        #expect((passage(["highway": "cycleway", "maxspeed": "50"], .bicycle)?.speed ?? 0) < 30)
    }
}

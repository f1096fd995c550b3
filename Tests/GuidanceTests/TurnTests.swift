import Geometry
import Guidance
import Testing

struct TurnTests {
    @Test func aTurnOffTheRoadIsToldAndFollowingTheRoadIsNot() {
        let town = Town(
            """
              c
            a b d
              e
            """, ways: ["abd", "cbe"])
        #expect(town.drive("a", "d") == ["depart abd", "arrive"])
        #expect(town.drive("a", "c") == ["depart abd", "turn left cbe", "arrive"])
        #expect(town.drive("a", "e") == ["depart abd", "turn right cbe", "arrive"])
    }

    @Test func aRoadThatTurnsTheCornerIsContinued() {
        let town = Town(
            """
              c
            a b d
            """, ways: ["abc", "bd"])
        #expect(town.drive("a", "c") == ["depart abc", "continue left abc", "arrive"])
        #expect(town.drive("a", "d") == ["depart abc", "turn straight bd", "arrive"])
    }

    @Test func aServiceRoadAheadDoesNotMakeABendATurn() {
        let town = Town(
            """
            a b d
               c
            """, ways: ["abc", "bd highway=service"])
        #expect(town.drive("a", "c") == ["depart abc", "arrive"])
    }

    @Test func twoEqualRoadsAheadAreAFork() {
        let town = Town(
            """
                c
            a b
                d
            """, ways: ["ab", "bc", "bd"])
        #expect(town.drive("a", "c") == ["depart ab", "fork slight left bc", "arrive"])
        #expect(town.drive("a", "d") == ["depart ab", "fork slight right bd", "arrive"])
    }

    @Test func theSecondOfTwoRightTurnsIsSharp() {
        let town = Town(
            """
               f
            a  b  c

              e
               d
            """, ways: ["abc", "bd", "be", "bf"])
        #expect(town.drive("a", "d") == ["depart abc", "turn right bd", "arrive"])
        #expect(town.drive("a", "e") == ["depart abc", "turn sharp right be", "arrive"])
    }

    @Test func aRoadThatPassedACrossingCanEnd() {
        let town = Town(
            """
               f    l
            a  b    c
               e    r
            """, ways: ["abc", "fbe", "lcr"])
        #expect(town.drive("a", "l") == ["depart abc", "end of road left lcr", "arrive"])
        #expect(town.drive("b", "r") == ["depart abc", "turn right lcr", "arrive"])
    }

    @Test func aNewNameIsToldWhereItLasts() {
        let long = Town("a b c", metres: 150, ways: ["ab", "bc"])
        #expect(long.drive("a", "c") == ["depart ab", "new name straight bc", "arrive"])
        let short = Town("a b c", metres: 20, ways: ["ab", "bc"])
        #expect(short.drive("a", "c") == ["depart ab", "arrive"])
        let unnamed = Town("a b c d", metres: 150, ways: ["ab", "bc name=", "cd name=ab"])
        #expect(unnamed.drive("a", "d") == ["depart ab", "arrive"])
    }

    @Test func aNumberIsToldWhereTheNameIsLostOrNeverWas() {
        for name in ["road", ""] {
            let town = Town(
                "a         b         c", metres: 25, ways: ["ab name=\(name)", "bc name= ref=101"])
            let steps = town.steps("a", "c")
            #expect(steps.map { $0.manoeuvre.type } == [.depart, .newName, .arrive], "\(name)")
            #expect(steps[1].ref == "101")
        }
        let lost = Town("a         b         c", metres: 25, ways: ["ab name=road ref=101", "bc name= ref=101"])
        #expect(lost.steps("a", "c").count == 2)
    }

    @Test func pointsOfTheCompassDoNotMakeANewName() {
        let town = Town("a b c", metres: 150, ways: ["ab name=North_Capitol_Street", "bc name=Capitol_Street_SE"])
        #expect(town.drive("a", "c") == ["depart North Capitol Street", "arrive"])
        let refs = Town("a b c", metres: 150, ways: ["ab name= ref=A1;A2", "bc name= ref=A2"])
        #expect(refs.drive("a", "c") == ["depart", "arrive"])
        let others = Town("a b c", metres: 150, ways: ["ab name= ref=A1", "bc name= ref=A2"])
        #expect(others.drive("a", "c") == ["depart", "new name straight", "arrive"])
    }

    @Test func rampsAreTakenAndMergeOntoTheMotorway() {
        let town = Town(
            """
            a b     c
                e
              m   n    o
            """, metres: 20,
            ways: [
                "abc name=High_Street", "be name= highway=motorway_link oneway=yes",
                "en name= highway=motorway_link oneway=yes", "mno name=A1 highway=motorway",
            ])
        #expect(
            town.drive("a", "o") == ["depart High Street", "on ramp slight right", "merge slight right A1", "arrive"])
    }

    @Test func boardingAndLeavingAFerryIsTold() {
        let town = Town(
            "a b c d", metres: 400, ways: ["ab name=Quay", "bc highway= route=ferry name=Seagull", "cd name=Pier"])
        let steps = town.steps("a", "d")
        #expect(
            steps.map(\.sentence) == [
                "Head east on Quay", "Take the ferry Seagull", "Go on onto Pier", "You have arrived",
            ])
        #expect(steps.map(\.mode) == [.driving, .ferry, .driving, .driving])
    }
}

struct JoinedCrossingTests {
    /// Two divided roads cross: each carriageway is one-way, so that the crossing has four vertices.
    private let cross = Town(
        """
          il

        d cb a
        e fg h

          jk
        """, metres: 20,
        ways: [
            "ab name=first oneway=yes", "bc name=first oneway=yes", "cd name=first oneway=yes",
            "ef name=first oneway=yes", "fg name=first oneway=yes", "gh name=first oneway=yes",
            "ic name=second oneway=yes", "cf name=second oneway=yes", "fj name=second oneway=yes",
            "kg name=second oneway=yes", "gb name=second oneway=yes", "bl name=second oneway=yes",
        ])

    @Test func aCrossingOfDividedRoadsIsOneCrossing() {
        #expect(cross.drive("a", "d") == ["depart first", "arrive"])
        #expect(cross.drive("a", "l") == ["depart first", "turn right second", "arrive"])
        #expect(cross.drive("a", "j") == ["depart first", "turn left second", "arrive"])
    }

    @Test func turningBackOverTheMedianIsAUTurn() {
        #expect(cross.drive("a", "h") == ["depart first", "continue uturn first", "arrive"])
    }

    @Test func aStaggeredCrossingOfAFewMetresIsStraightOver() {
        let drawing = """
              j
            abc
              d
              efg
              h
            """
        let ways = ["abc name=Oak", "efg name=Oak", "jcdeh name=Cedar"]
        #expect(Town(drawing, metres: 1, ways: ways).drive("a", "g") == ["depart Oak", "arrive"])
        #expect(
            Town(drawing, metres: 20, ways: ways).drive("a", "g")
                == ["depart Oak", "turn right Cedar", "turn left Oak", "arrive"])
    }
}

struct RoundaboutTests {
    private let circle = """
          a
          b
        dc gh
          e
          f
        """

    @Test func theExitsOfARoundaboutAreCounted() {
        let town = Town(circle, metres: 25, ways: ["ab", "cd", "ef", "gh", "bcegb junction=roundabout name="])
        let steps = town.steps("a", "h")
        #expect(
            steps.map(Town.text) == [
                "depart ab", "roundabout right exit-3 gh", "exit roundabout right exit-3 gh", "arrive",
            ])
        #expect(steps[1].sentence == "At the roundabout take the 3rd exit onto gh")
        #expect(town.drive("b", "d") == ["depart", "exit roundabout right cd", "arrive"])
        #expect(town.drive("a", "e") == ["depart ab", "roundabout right", "arrive"])
    }

    @Test func aLargeRoundaboutWithANameIsARotary() {
        let town = Town(circle, metres: 40, ways: ["ab", "cd", "ef", "gh", "bcegb junction=circular name=Plaza"])
        let steps = town.steps("a", "f")
        #expect(steps.map { $0.manoeuvre.type } == [.depart, .rotary, .exitRotary, .arrive])
        #expect(steps[1].sentence == "At Plaza take the 2nd exit onto ef")
        #expect(steps[1].rotaryName == "Plaza")
    }

    @Test func whereTrafficKeepsLeftRoundaboutsTurnTheOtherWay() {
        let town = Town(
            circle, ways: ["ab", "cd", "ef", "gh", "bgecb junction=roundabout name=ring"], leftHand: true)
        #expect(town.steps("a", "d")[1].manoeuvre.exit == 3)
        #expect(town.steps("a", "h")[1].manoeuvre.exit == 1)
        #expect(town.steps("a", "h").allSatisfy { $0.keepsLeft })
    }

    @Test func aTinyRoundaboutIsTurnedAt() {
        let town = Town(circle, ways: ["ab", "cd", "ef", "gh", "bcegb junction=roundabout name="])
        let steps = town.steps("a", "f")
        #expect(steps.map { $0.manoeuvre.type } == [.depart, .roundaboutTurn, .arrive])
        #expect(steps[1].sentence == "At the roundabout go straight on onto ef")
    }
}

struct SentenceTests {
    @Test func everyManoeuvreHasWordsWithoutEmptySlots() {
        let types: [ManoeuvreType] = [
            .depart, .arrive, .turn, .continue, .newName, .merge, .onRamp, .offRamp, .fork, .endOfRoad, .roundabout,
            .rotary, .roundaboutTurn, .exitRoundabout, .exitRotary, .notification,
        ]
        let modifiers: [ManoeuvreModifier?] = [
            nil, .uturn, .sharpRight, .right, .slightRight, .straight, .slightLeft, .left, .sharpLeft,
        ]
        for type in types {
            for modifier in modifiers {
                for (name, signs) in [("", ""), ("Main Street", ""), ("", "A1: Berlin"), ("Main Street", "Berlin")] {
                    let step = GuidanceStep(
                        manoeuvre: Manoeuvre(
                            type: type, modifier: modifier, exit: 2, location: Coordinate(latitude: 0, longitude: 0)),
                        name: name, destinations: signs, exits: "12", rotaryName: "Plaza")
                    let sentence = step.sentence
                    #expect(!sentence.isEmpty && !sentence.contains("{") && !sentence.contains("}"))
                    #expect(sentence.first?.isUppercase == true && sentence.last != " ", "\(sentence)")
                }
            }
        }
    }

    @Test func signsAndExitNumbersAreRead() {
        let place = Coordinate(latitude: 0, longitude: 0)
        var step = GuidanceStep(
            manoeuvre: Manoeuvre(type: .offRamp, modifier: .slightRight, location: place),
            destinations: "A1: Berlin, Hamburg", exits: "12")
        #expect(step.sentence == "Take exit 12 on the right towards Berlin, Hamburg (A1)")
        step = GuidanceStep(
            manoeuvre: Manoeuvre(type: .turn, modifier: .right, location: place), name: "Aleksanterinkatu",
            ref: "E12; 4")
        #expect(step.sentence == "Turn right onto Aleksanterinkatu (E12/4)")
        step = GuidanceStep(manoeuvre: Manoeuvre(type: .fork, modifier: .slightLeft, location: place), ref: "A2")
        #expect(step.sentence == "Keep left at the fork onto A2")
        step = GuidanceStep(manoeuvre: Manoeuvre(type: .roundabout, exit: 11, location: place))
        #expect(step.sentence == "At the roundabout take the 11th exit")
    }

    @Test func theSideOfTheDestinationIsTold() throws {
        let town = Town("a b", metres: 100, ways: ["ab"])
        var path = try #require(town.path("a", "b"))
        let end = try #require(path.edges[0].shape.last)
        path.requestedEnd = Coordinate(latitude: end.latitude + 0.0002, longitude: end.longitude)
        #expect(Guide.steps(for: path).last?.sentence == "You have arrived; your destination is on the left")
        path.requestedEnd = Coordinate(latitude: end.latitude - 0.0002, longitude: end.longitude)
        #expect(Guide.steps(for: path).last?.sentence == "You have arrived; your destination is on the right")
        path.requestedEnd = end
        #expect(Guide.steps(for: path).last?.sentence == "You have arrived")
    }
}

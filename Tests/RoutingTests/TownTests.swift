import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct OnewayTests {
    @Test func aOneWayStreetIsNotEnteredAtItsEnd() throws {
        let town = try Town(
            """
            a - b - c
                |   |
            d - e - f
            """, ways: ["abc", "def", "cf", "be oneway=yes"])
        #expect(town.drive("d", "a").path == "d e f c b a")
        #expect(town.drive("a", "d").path == "a b e d")
    }

    @Test func aOneWayStreetDrawnAgainstItsDirectionIsReadSo() throws {
        let town = try Town("a - b - c", ways: ["ab", "bc oneway=-1"])
        #expect(town.drive("c", "a").path == "c b a")
        #expect(town.drive("a", "c").path.isEmpty)
    }

    @Test func bothEndsOnOneEdgeWithTheDirectionNeedNoDetour() throws {
        let town = try Town("a 1 2 b", ways: ["ab oneway=yes", "ba oneway=yes"])
        let drive = town.drive("1", "2")
        #expect(drive.path == "")
        #expect(drive.route?.legs[0].edges.count == 1)
        #expect((drive.route?.length ?? 0) > 49 && (drive.route?.length ?? 0) < 51)
    }

    @Test func bothEndsOnOneEdgeAgainstItsDirectionGoRoundTheBlock() throws {
        let town = try Town(
            """
            a 1 2 b
            |     |
            d - - c
            """, ways: ["ab oneway=yes", "bc oneway=yes", "cd oneway=yes", "da oneway=yes"])
        #expect(town.drive("2", "1").path == "b c d a")
        #expect(town.drive("1", "2").path == "")
    }

    @Test func roundaboutsAreDrivenInOneDirection() throws {
        let town = try Town(
            """
              b
            a   c - d
              e
            """, ways: ["aecba junction=roundabout", "cd"])
        #expect(town.drive("a", "d").path == "a e c d")
        #expect(town.drive("d", "a").path == "d c b a")
    }
}

@Suite struct RestrictionTests {
    private static let cross = """
              n
              |
        w - - x - - e
              |
              s
        """
    private static let arms = ["wx", "xe", "nx", "sx"]

    @Test func aForbiddenTurnIsNotTaken() throws {
        let town = try Town(Self.cross, ways: Self.arms, relations: ["no_left_turn wx x nx"])
        #expect(town.drive("w", "n").path != "w x n")
        #expect(town.drive("w", "e").path == "w x e")
        #expect(town.drive("s", "n").path == "s x n")
    }

    @Test func aForbiddenTurnIsDrivenRound() throws {
        let town = try Town(
            """
            a - b - c
                |   |
            d - e - f
            """, ways: ["ab", "bc", "cf", "be", "def"], relations: ["no_right_turn ab b be"])
        #expect(town.drive("a", "d").path == "a b c f e d")
        #expect(town.drive("d", "a").path == "d e b a")
    }

    @Test func anOnlyTurnForbidsAllOthers() throws {
        let town = try Town(Self.cross, ways: Self.arms, relations: ["only_straight_on wx x xe"])
        #expect(town.drive("w", "e").path == "w x e")
        #expect(town.drive("w", "n").path == "w x e x n")
        #expect(town.drive("s", "n").path == "s x n")
    }

    @Test func exceptedVehiclesMayTurn() throws {
        let town = try Town(Self.cross, ways: Self.arms, relations: ["no_left_turn wx x nx except=motorcar"])
        #expect(town.drive("w", "n").path == "w x n")
        let bicycles = try Town(Self.cross, ways: Self.arms, relations: ["no_left_turn wx x nx except=bicycle"])
        #expect(bicycles.drive("w", "n", profile: .bicycle).path == "w x n")
        #expect(bicycles.drive("w", "n").path != "w x n")
        #expect(bicycles.drive("w", "n", profile: .foot).path == "w x n")
    }

    private static let ladder = """
        a - b - c
            |
            |
        d - e - f
        """

    @Test func aRestrictionOverAWayForbidsTheWholeAndNotItsParts() throws {
        let town = try Town(Self.ladder, ways: ["ab", "bc", "be", "de", "ef"], relations: ["no_u_turn ab be de"])
        #expect(town.drive("a", "d").path != "a b e d")
        #expect(town.drive("a", "f").path == "a b e f")
        #expect(town.drive("c", "d").path == "c b e d")
        #expect(town.drive("b", "d").path == "b e d")
    }

    @Test func anOnlyRestrictionOverAWayLeavesNoChoiceAtItsEnd() throws {
        let town = try Town(Self.ladder, ways: ["ab", "bc", "be", "de", "ef"], relations: ["only_left_turn ab be ef"])
        #expect(town.drive("a", "f").path == "a b e f")
        #expect(town.drive("a", "d").path != "a b e d")
        #expect(town.drive("c", "d").path == "c b e d")
    }

    @Test func aRestrictionOverSeveralWaysIsHeeded() throws {
        let town = try Town(
            "a - b - c - d - e - f", ways: ["ab", "bc", "cd", "de", "ef"], relations: ["no_straight_on ab bc,cd de"])
        #expect(town.drive("a", "e").path != "a b c d e")
        #expect(town.drive("b", "e").path == "b c d e")
        #expect(town.drive("a", "d").path == "a b c d")
    }

    @Test func overlappingRestrictionsAreAllHeeded() throws {
        let town = try Town(
            """
            a - b - c - d - e
                |   |   |
                f   g   h
            """, ways: ["ab", "bc", "cd", "de", "bf", "cg", "dh"],
            relations: ["no_straight_on ab bc,cd de", "no_right_turn bc cd dh", "no_right_turn bc c cg"])
        #expect(town.drive("a", "e").path != "a b c d e")
        #expect(town.drive("a", "h").path != "a b c d h")
        #expect(town.drive("a", "g").path != "a b c g")
        #expect(town.drive("c", "h").path == "c d h")
        #expect(town.drive("f", "e").path == "f b c d e")
    }

    @Test func aConditionalRestrictionHoldsInItsHours() throws {
        let town = try Town(
            Self.cross, ways: Self.arms,
            relations: ["- wx x nx restriction:conditional=no_left_turn~@~(Mo-Fr~07:00-10:30)"])
        var request = town.request(["w", "n"])
        // Tuesday, 2 May 2017.
        request.departure = 1_493_676_000 + 8 * 3600 + 7200
        #expect(town.drive(request).path != "w x n")
        request.departure = 1_493_676_000 + 11 * 3600 + 7200
        #expect(town.drive(request).path == "w x n")
        request.departure = nil
        #expect(town.drive(request).path == "w x n")
    }

    @Test func restrictionsWhoseMembersAreMissingAreCounted() throws {
        var builder = RoadGraphBuilder()
        builder.add(
            OSMRelation(
                id: 1,
                members: [
                    .init(id: OSMID(.way, 7), role: "from"), .init(id: OSMID(.node, 1), role: "via"),
                    .init(id: OSMID(.way, 8), role: "to"),
                ], tags: ["type": "restriction", "restriction": "no_left_turn"]))
        _ = try builder.finish(atlasID: [UInt8](0..<16))
        #expect(builder.skipped == ["restriction whose members are not in the data": 1])
    }
}

@Suite struct TurningTests {
    @Test func nobodyTurnsRoundButAtADeadEnd() throws {
        let town = try Town(
            """
            a - b - c
                |
                d
            """, ways: ["abc", "bd"])
        var request = town.request(["a", "d"])
        request.stops[0].bearing = BearingRange(degrees: 270, tolerance: 10)
        // Facing west at a dead end, one turns there.
        #expect(town.drive(request).path == "a b d")
        let via = town.drive("a", "d", "c")
        #expect(via.path == "a b d | d b c")
    }

    @Test func aStopOnTheWayIsPassedInTheSameDirection() throws {
        let town = try Town(
            """
            x - a - 1 - b
                |       |
                d - - - c
            """, ways: ["xa", "ab", "bc", "cd", "da"])
        var request = town.request(["x", "1", "x"])
        #expect(town.drive(request).path == "x a d c b | a x")  // the right turn is cheaper
        request.continueStraight = false
        #expect(town.drive(request).path == "x a | a x")
    }

    @Test func aBarrierEndsTheRoad() throws {
        let town = try Town("a - b - c", ways: ["abc"], nodes: ["b barrier=bollard"])
        #expect(town.drive("a", "c").error != nil)
        #expect(town.drive("a", "b").path == "a b")
        #expect(town.drive("a", "c", profile: .foot).path == "a b c")
        #expect(town.drive("a", "c", profile: .bicycle).path == "a b c")
    }

    @Test func leftTurnsCostMoreWhereTrafficKeepsRight() throws {
        let drawing = """
            n - - - x - - - s
                    |
                    w
            """
        let right = try Town(drawing, ways: ["nx", "xs", "xw"])
        let left = try Town(drawing, ways: ["nx", "xs", "xw"], rules: CountryRules(drivesOnLeft: true))
        let near = right.drive("n", "w").route?.cost ?? 0
        let far = right.drive("s", "w").route?.cost ?? 0
        #expect(far > near)
        #expect((left.drive("n", "w").route?.cost ?? 0) > (left.drive("s", "w").route?.cost ?? 0))
    }

    @Test func signalsStandForTheirDirection() throws {
        let town = try Town(
            "a - b - c", ways: ["abc"], nodes: ["b highway=traffic_signals traffic_signals:direction=forward"])
        let with = town.drive("a", "c").route?.cost ?? 0
        let against = town.drive("c", "a").route?.cost ?? 0
        #expect(with - against == 3000)
    }
}

@Suite struct ConcurrencyTests {
    @Test func manyTasksAtOnceGetTheSameAnswers() async throws {
        let world = RandomWorld(seed: 12)
        let graph = try Town.graph(ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
        let router = Router(graph: graph)
        let places = world.ways.compactMap { $0.locations.first ?? nil }
        let requests = places.flatMap { a in places.map { RouteRequest(stops: [Stop(a), Stop($0)]) } }
        let alone = requests.map { try? router.route($0) }
        let together = await withTaskGroup(of: (Int, FoundRoute?).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, try? router.route(request)) }
            }
            var answers = [FoundRoute?](repeating: nil, count: requests.count)
            for await (index, answer) in group { answers[index] = answer }
            return answers
        }
        #expect(alone == together)
        #expect(alone.contains { $0 != nil })
    }
}

@Suite struct AccessTests {
    @Test func aPrivateRoadIsNoShortcut() throws {
        let town = try Town(
            """
            a - b - - c - d
                |     |
                |     |
                e - - f
            """, ways: ["ab", "cd", "bc access=private", "be", "ef", "fc"])
        #expect(town.drive("a", "d").path == "a b e f c d")
    }

    @Test func aPrivateRoadIsUsedByThoseWhoGoThere() throws {
        let town = try Town("a - b - 1 - c", ways: ["ab", "bc access=private"])
        #expect(town.drive("a", "1").path == "a b")
    }

    @Test func walkersUsePathsThatCarsDoNot() throws {
        let town = try Town(
            """
            a - b
            |   |
            |   |
            d - c
            """, ways: ["ab highway=footway", "ad", "dc", "cb"])
        #expect(town.drive("a", "b").path == "a d c b")
        #expect(town.drive("a", "b", profile: .foot).path == "a b")
    }

    @Test func costsBeyondAllNumbersAreNoRouteAndNoCrash() throws {
        let town = try Town(
            "a - b - - - c - - - d - e",
            ways: ["ab", "bc route=ferry duration=PT1000H", "cd route=ferry duration=PT1000H", "de"])
        #expect(town.drive("a", "c").route != nil)
        #expect(town.drive("a", "e").error != nil)
    }

    @Test func aFerryTakesAsLongAsItSays() throws {
        let town = try Town("a - b - - - c - d", ways: ["ab", "cd", "bc route=ferry duration=00:20"])
        let route = town.drive("a", "d").route
        #expect(route?.legs[0].edges.map(\.mode) == [.driving, .ferry, .driving])
        // Times are kept with twelve bits.
        #expect(((route?.legs[0].edges[1].duration ?? 0) - 1200).magnitude <= 1200.0 / 4096)
    }
}

@Suite struct SnappingTests {
    @Test func nothingNearIsAnErrorThatNamesTheEnd() throws {
        let town = try Town("a - b", ways: ["ab"])
        var request = town.request(["a", "b"])
        request.stops[1] = Stop(Coordinate(latitude: 10, longitude: 10))
        let error = town.drive(request).error
        #expect(
            error == .noRoadNearby(stop: 1, coordinate: Coordinate(latitude: 10, longitude: 10), distance: 20_000))
        #expect(error?.description == "no road within 20000 m of stop 2 at 10.0,10.0")
    }

    @Test func aRadiusLimitsTheDistance() throws {
        let town = try Town(
            """
            a - b
              1
            """, ways: ["ab"])
        var request = town.request(["a", "1"])
        #expect(town.drive(request).route != nil)
        request.stops[1].radius = 20
        #expect(town.drive(request).error != nil)
    }

    @Test func aBearingChoosesTheRoad() throws {
        let town = try Town(
            """
            a - b
              1
            c - d
            """, ways: ["ab oneway=yes", "dc oneway=yes", "bd", "ca"])
        var request = town.request(["1", "b"])
        request.stops[0].bearing = BearingRange(degrees: 90, tolerance: 20)
        #expect(town.drive(request).path == "b")
        request.stops[0].bearing = BearingRange(degrees: 270, tolerance: 20)
        #expect(town.drive(request).path == "c a b")
    }

    @Test func theCurbIsReachedOnItsOwnSide() throws {
        let town = try Town(
            """
            a - - - - b
              1

            c - - - - d
            """, ways: ["ab", "bd", "dc", "ca"], metres: 10)
        var request = town.request(["b", "1"])
        request.stops[1].approach = .unrestricted
        #expect(town.drive(request).path == "b")
        // The stop lies south of its road: eastbound traffic has it on the right.
        request.stops[1].approach = .curb
        #expect(town.drive(request).path == "b d c a")
        request.stops[1].approach = .opposite
        #expect(town.drive(request).path == "b")
    }

    @Test func theNearestRoadsComeInOrder() throws {
        let town = try Town(
            """
            a - b
              1

            c - d
            """, ways: ["ab", "cd", "ac highway=footway"])
        let roads = try town.router.nearestRoads(to: Stop(town.place("1")), count: 5)
        #expect(roads.map(\.name) == ["ab", "cd"])
        #expect(roads[0].distance < roads[1].distance)
        #expect(try town.router.nearestRoads(to: Stop(town.place("1")), count: 5, profile: .foot).count == 3)
        #expect(try town.router.nearestRoads(to: Stop(town.place("1")), count: 1).count == 1)
        #expect(try town.router.nearestRoads(to: Stop(town.place("1"), radius: 10), count: 5).isEmpty)
    }

    @Test func theDateLineIsNoEnd() throws {
        func way(_ id: Int64, _ nodes: [(Int64, Double)]) -> OSMWay {
            OSMWay(
                id: id, nodes: nodes.map(\.0), locations: nodes.map { Coordinate(latitude: -17, longitude: $0.1) },
                tags: ["highway": "primary"])
        }
        let graph = try Town.graph(
            ways: [way(1, [(1, 179.998), (2, -179.999)]), way(2, [(2, -179.999), (3, -179.99)])], nodes: [],
            relations: [])
        let route = try Router(graph: graph).route(
            RouteRequest(stops: [
                Stop(Coordinate(latitude: -17, longitude: 179.9985)),
                Stop(Coordinate(latitude: -17, longitude: -179.991)),
            ]))
        #expect((route.length - 1118).magnitude < 10)
        #expect(route.stops[0].distance < 1)
        let east = Stop(Coordinate(latitude: -17.001, longitude: 179.9999))
        #expect(try Router(graph: graph).nearestRoads(to: east, count: 1).first.map { $0.distance < 120 } == true)
    }

    @Test func unconnectedRoadsAreNoRoute() throws {
        let town = try Town("a - b   c - d", ways: ["ab", "cd"])
        // Nothing can be lifted where there is no road at all.
        let reach = Obstacle.Reach(coordinate: town.spot("b"), distance: town.spot("b").distance(to: town.place("d")))
        #expect(town.drive("a", "d").error == .noRoute(from: 0, to: 1, reason: Obstacle(reach: reach)))
    }

    @Test func theStopTellsWhereItWasMovedTo() throws {
        let town = try Town(
            """
            a - b
              1
            """, ways: ["ab name=High~Street"])
        let stop = town.drive("1", "b").route?.stops[0]
        #expect(stop?.name == "High Street")
        #expect(((stop?.distance ?? 0) - 50).magnitude < 1)
        #expect(stop?.nodeIDs.count == 2)
    }

    @Test func senselessRequestsAreRefused() throws {
        let town = try Town("a - b", ways: ["ab"])
        #expect(town.drive("a").error == .invalidRequest(reason: "it needs two stops at least"))
        var request = town.request(["a", "b"])
        request.stops[0].coordinate.latitude = .nan
        #expect(town.drive(request).error == .invalidRequest(reason: "stop 1 lies off the globe"))
        request = town.request(["a", "b"])
        request.stops[0].radius = -.infinity
        #expect(town.drive(request).error != nil)
        request.stops[0].radius = nil
        request.stops[0].bearing = BearingRange(degrees: .infinity, tolerance: 1)
        #expect(town.drive(request).error != nil)
    }
}

@Suite struct PathTests {
    @Test func junctionsShowAllArmsClockwise() throws {
        let town = try Town(
            """
                n
                |
            w - x - e
                |
                s
            """, ways: ["wx", "xe", "xn oneway=yes", "sx oneway=yes"], relations: ["no_left_turn wx x xn"])
        let junction = try #require(town.drive("w", "e").route?.legs[0].junctions.first)
        #expect(junction.arms.map(\.road.name) == ["xn", "xe", "sx", "wx"])
        #expect(junction.arms.map(\.isTurnAllowed) == [false, true, false, false])
        #expect(junction.arms.map(\.isEnterable) == [true, true, false, true])
        #expect(junction.arms.map(\.isLeavable) == [false, true, true, true])
        #expect(junction.arms.map(\.isPathEntry) == [false, false, false, true])
        #expect(junction.arms.map(\.isPathExit) == [false, true, false, false])
    }

    @Test func namesFollowTheDirection() throws {
        let town = try Town(
            "a - b",
            ways: [
                "ab name=Main~Street ref=A~1;B~2 destination:forward=North;West destination:backward=South "
                    + "turn:lanes:forward=left|right lanes:forward=2 lanes=3"
            ])
        let there = try #require(town.drive("a", "b").route?.legs[0].edges.first?.road)
        #expect(there.ref == "A 1; B 2")
        #expect(there.destinations == "North, West")
        #expect(there.turnLanes == "left|right")
        #expect(there.lanes == 2)
        let back = try #require(town.drive("b", "a").route?.legs[0].edges.first?.road)
        #expect(back.destinations == "South")
        #expect(back.turnLanes == "")
    }

    @Test func aSidewalkGoesByItsStreetsName() throws {
        let town = try Town("a - b", ways: ["ab highway=footway name= is_sidepath:of:name=High~Street"])
        #expect(town.drive("a", "b", profile: .foot).route?.legs[0].edges[0].road.name == "High Street")
    }

    @Test func aPrivateDriveIsSnappedToOnRequest() throws {
        let town = try Town(
            """
            a - b
                |
                1
                |
                c
            """, ways: ["ab", "bc highway=service access=private"])
        var request = town.request(["a", "1"])
        #expect(town.drive(request).route?.stops[1].name == "ab")
        request.snapsToAnyRoad = true
        #expect(town.drive(request).route?.stops[1].name == "bc")
    }

    @Test func aLoopIsCutSoThatItCanBeDriven() throws {
        let town = try Town(
            """
            a - b - c
                |   |
                e - d
            """, ways: ["ab", "bcdeb"])
        #expect(town.drive("a", "d").path == "a b c d" || town.drive("a", "d").path == "a b e d")
        #expect(town.drive("c", "e").route != nil)
    }

    @Test func ofRoadsDrawnTwiceTheNamedOneIsShown() throws {
        let town = try Town("a - b", ways: ["ab name=", "ab name=Street"])
        #expect(town.drive("a", "b").route?.legs[0].edges[0].road.name == "Street")
    }
}

import Geometry
import OpenStreetMap
import Testing

@testable import Routing

/// Turn restrictions at a node, well made and not, on one crossing:
///
///         n
///         |
///     w - x - e
///         |
///         s
@Suite struct NodeRestrictions {
    private static let drawing = """
            n
            |
        w - x - e
            |
            s
        """
    private static let arms = ["nx", "wx", "xe", "xs"]

    /// The letters that lead straight from `w` over the crossing.
    private func ways(
        _ relations: [String], ways: [String] = arms, from: Character = "w", profile: Profile = .car,
        at departure: Int64? = nil
    ) throws -> String {
        let town = try Town(Self.drawing, ways: ways, relations: relations)
        var open = ""
        for letter in "nesw" where letter != from {
            var request = town.request([from, letter], profile: profile)
            request.departure = departure
            if town.drive(request).path == "\(from) x \(letter)" { open.append(letter) }
        }
        return open
    }

    @Test func withoutOneAllWaysAreOpen() throws { #expect(try ways([]) == "nes") }

    @Test(
        arguments: [
            ("no_left_turn wx x nx", "es"), ("no_right_turn wx x xs", "ne"), ("no_straight_on wx x xe", "ns"),
            ("no_entry wx x xe", "ns"), ("no_exit wx x xe", "ns"), ("no_anything wx x xe", "ns"),
            ("only_left_turn wx x nx", "n"), ("only_right_turn wx x xs", "s"), ("only_straight_on wx x xe", "e"),
            ("only_anything wx x xs", "s"), ("no_u_turn wx x wx", "nes"),
        ])
    func eachKindClosesWhatItSays(relation: String, open: String) throws { #expect(try ways([relation]) == open) }

    @Test func itHoldsFromItsOwnArmOnly() throws {
        #expect(try ways(["no_left_turn wx x nx"], from: "s") == "new")
        #expect(try ways(["only_straight_on wx x xe"], from: "e") == "nsw")
    }

    @Test func severalArmsMayBeMeant() throws {
        #expect(try ways(["no_exit wx x nx,xs"]) == "e")
        #expect(try ways(["no_entry wx,xs x nx"]) == "es")
        #expect(try ways(["no_entry wx,xs x nx"], from: "s") == "ew")
        #expect(try ways(["only_straight_on wx x nx,xe"]) == "ne")
    }

    @Test func severalRestrictionsAddUp() throws {
        #expect(try ways(["no_left_turn wx x nx", "no_right_turn wx x xs"]) == "e")
        #expect(try ways(["only_left_turn wx x nx", "only_right_turn wx x xs"]) == "")
        #expect(try ways(["no_left_turn wx x nx", "no_left_turn wx x nx"]) == "es")
    }

    @Test(
        arguments: [
            ("except=motorcar", "nes"), ("except=motor_vehicle", "nes"), ("except=vehicle", "nes"),
            ("except=bus;motorcar", "nes"), ("except=bus;~motorcar", "nes"), ("except=bus,motorcar", "nes"),
            ("except=bus", "es"), ("except=psv;emergency", "es"), ("except=bicycle", "es"), ("except=", "es"),
            ("except=nobody", "es"), ("except=;;", "es"),
        ])
    func exceptedVehiclesAreFree(tag: String, open: String) throws {
        #expect(try ways(["no_left_turn wx x nx \(tag)"]) == open)
    }

    @Test(
        arguments: [
            ("restriction:motorcar=no_left_turn", "es"), ("restriction:motor_vehicle=no_left_turn", "es"),
            ("restriction:vehicle=only_left_turn", "n"), ("restriction:hgv=no_left_turn", "nes"),
            ("restriction:bus=no_left_turn", "nes"), ("restriction:bicycle=no_left_turn", "nes"),
            ("restriction:motorcar=nothing", "nes"),
        ])
    func restrictionsForOneVehicleAreForIt(tag: String, open: String) throws {
        #expect(try ways(["- wx x nx \(tag)"]) == open)
    }

    @Test func bicyclesHeedThemAndWalkersDoNot() throws {
        #expect(try ways(["no_left_turn wx x nx"], profile: .bicycle) == "es")
        #expect(try ways(["no_left_turn wx x nx except=bicycle"], profile: .bicycle) == "nes")
        #expect(try ways(["- wx x nx restriction:motorcar=no_left_turn"], profile: .bicycle) == "nes")
        #expect(try ways(["only_straight_on wx x xe"], profile: .foot) == "nes")
        #expect(try ways(["- wx x nx restriction:foot=no_left_turn"], profile: .foot) == "es")
    }

    @Test(
        arguments: [
            // No kind of turn.
            "yield wx x nx", "NO_LEFT_TURN wx x nx", "no wx x nx", "left wx x nx", "- wx x nx",
            // Parts missing, too many, or of the wrong sort.
            "no_left_turn wx ? nx", "no_left_turn ? x nx", "no_left_turn wx x ?", "no_left_turn ? ? ?",
            "no_left_turn wx x,n nx", "no_left_turn x x nx", "no_left_turn wx x n",
            // A node where the ways do not meet.
            "no_left_turn wx s nx", "no_left_turn wx w nx",
        ])
    func malformedOnesCloseNothing(relation: String) throws { #expect(try ways([relation]) == "nes", "\(relation)") }

    @Test func malformedOnesAreCountedByReason() throws {
        var builder = RoadGraphBuilder()
        let members = [OSMRelation.Member(id: OSMID(.way, 1), role: "from")]
        builder.add(OSMRelation(id: 1, members: members, tags: ["type": "restriction", "restriction": "no_left_turn"]))
        #expect(builder.skipped["restriction without from, via or to"] == 1)
    }

    @Test func aNodeInTheMiddleOfAWayIsNoCornerToTurnAt() throws {
        // The ways pass over the crossing uncut, so that nobody knows which half is meant.
        #expect(try ways(["no_left_turn wxe x nxs"], ways: ["nxs", "wxe"]) == "nes")
    }

    @Test func aConditionHoldsInItsHoursOnly() throws {
        let relation = "- wx x nx restriction:conditional=no_left_turn~@~(Mo-Fr~07:00-10:30)"
        let tuesday: Int64 = 1_493_712_000  // 2 May 2017, 08:00
        #expect(try ways([relation], at: tuesday) == "es")
        #expect(try ways([relation], at: tuesday + 4 * 3600) == "nes")
        #expect(try ways([relation]) == "nes")
    }
}

@Suite struct RoomToTurnTests {
    @Test func oneTurnsRoundWhereThereIsRoom() throws {
        for tag in ["turning_loop", "turning_circle", "mini_roundabout"] {
            let town = try Town("a - - b - - c", ways: ["ab", "bc"], nodes: ["b highway=\(tag)"])
            let there = BearingRange(degrees: 90, tolerance: 10)
            let back = BearingRange(degrees: 270, tolerance: 10)
            var request = town.request(["a", "a"])
            request.stops[0].bearing = there
            request.stops[1].bearing = back
            #expect(town.drive(request).path == "a b a", "\(tag)")
        }
    }

    @Test func fromOneCarriagewayNobodyTurnsRoundOntoTheOther() throws {
        // `ab` and `ba` are drawn on the same nodes; the road goes on to `c`, where it ends.
        let town = try Town("a - - b - - c", ways: ["ab oneway=yes", "ba oneway=yes", "bc"])
        var request = town.request(["a", "a"])
        request.stops[0].bearing = BearingRange(degrees: 90, tolerance: 10)
        request.stops[1].bearing = BearingRange(degrees: 270, tolerance: 10)
        #expect(town.drive(request).path == "a b c b a")
        let alone = try Town("a - - b", ways: ["ab oneway=yes", "ba oneway=yes"])
        #expect(alone.drive(request).path == "a b a")
    }
}

@Suite struct FerryEndsTests {
    private static let drawing = "a - b - - - c - d"
    private static let ways = ["ab", "bc route=ferry duration=00:20", "cd"]

    @Test func aRouteBeginsAndEndsAtThePier() throws {
        let town = try Town(Self.drawing, ways: Self.ways)
        #expect(town.drive("b", "c").path == "b c")
        #expect(town.drive("c", "a").path == "c b a")
        #expect(town.drive("a", "c").path == "a b c")
        #expect(town.drive("b", "c").route?.legs.first?.edges.last?.mode == .ferry)
    }

    @Test func nobodyIsPickedUpAtSea() throws {
        let town = try Town("a - b - 1 - c - d", ways: Self.ways)
        let path = town.drive("1", "d").route?.stops.first?.location
        #expect(path.map { $0.distance(to: town.place("b")) < 1 || $0.distance(to: town.place("c")) < 1 } == true)
    }
}

@Suite struct OutlineTests {
    /// A road to the corner of a car park and one from another corner.
    private func router(parkNodes: [Int64]) throws -> Router {
        let ways = [
            OSMWay.onGrid(1, [10, 11], ["highway": "primary"]), OSMWay.onGrid(2, [12, 13], ["highway": "primary"]),
            OSMWay.onGrid(3, parkNodes, ["amenity": "parking"]),
        ]
        return Router(graph: try Town.graph(ways: ways, nodes: [], relations: []))
    }

    private func request(_ profile: Profile) -> RouteRequest {
        RouteRequest(
            stops: [
                Stop(Coordinate(latitude: 0.999, longitude: 1)), Stop(Coordinate(latitude: 0.999, longitude: 1.003)),
            ], profile: profile)
    }

    @Test func aCarParkThatJoinsRoadsIsCrossedAlongItsEdge() throws {
        let router = try router(parkNodes: [11, 12, 22, 21, 11])
        #expect(try router.route(request(.foot)).legs[0].edges.map(\.road.wayID) == [1, 3, 2])
        #expect(try router.route(request(.bicycle)).legs[0].edges.map(\.road.wayID) == [1, 3, 2])
        #expect(throws: RoutingError.self) { try router.route(request(.car)) }
    }

    @Test func oneThatJoinsNoneOrIsNotClosedIsLeftOut() throws {
        #expect(try router(parkNodes: [21, 22, 32, 31, 21]).graph.wayCount == 2)
        #expect(try router(parkNodes: [11, 12, 22, 21]).graph.wayCount == 2)
        let road = try router(parkNodes: [31, 32, 42, 41, 31]).nearestRoads(
            to: Stop(Coordinate(latitude: 0.9965, longitude: 1.0015)), count: 1, profile: .foot)
        #expect(road.first.map { $0.wayID == 1 || $0.wayID == 2 } == true)
    }
}

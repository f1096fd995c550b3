import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct GroundLevelTests {
    private func ways(_ town: Town, _ profile: Profile = .car) throws -> [Int64] {
        try town.router.nearestRoads(to: Stop(town.place("1")), count: 3, profile: profile).map(\.wayID)
    }

    @Test(arguments: [
        "tunnel=yes", "layer=-1", "level=-2", "indoor=yes", "location=underground", "covered=yes service=parking_aisle",
    ])
    func aPointIsMeantToLieAboveTheGround(_ tags: String) throws {
        // The street is 20 m away, what lies below 10 m.
        let near = try Town(
            "a - b\n\n  1\nc - d", ways: ["ab", "cd highway=service \(tags)"], metres: 5)
        #expect(try ways(near) == [1, 2])
        // Nobody means a street 60 m away.
        let far = try Town(
            "a - b\n\n\n\n\n\n  1\nc - d", ways: ["ab", "cd highway=service \(tags)"], metres: 5)
        #expect(try ways(far) == [2, 1])
    }

    @Test(arguments: ["tunnel=building_passage", "tunnel=no", "layer=-1 bridge=yes", "covered=yes", "layer=1"])
    func whatOneWalksIntoAtGroundLevelIsNoUnderworld(_ tags: String) throws {
        let town = try Town("a - b\n\n  1\nc - d", ways: ["ab", "cd highway=service \(tags)"], metres: 5)
        #expect(try ways(town) == [2, 1])
    }

    /// A car park beside a street, with a lane in it.
    private static let park = """
        s - - - x - - - - t
        p - - - e - - - - q
          1     |
                |
        r - - - f - - - - u
        """

    @Test func inACarParkOneStopsOnItsLane() throws {
        let ways = ["sxt", "xef highway=service service=parking_aisle", "pequrp amenity=parking"]
        let town = try Town(Self.park, ways: ways, metres: 5)
        let drive = try town.router.route(RouteRequest(stops: [Stop(town.place("t")), Stop(town.place("1"))]))
        #expect(drive.stops.last?.wayID == 2)
        // Without the car park the street is nearer.
        let bare = try Town(Self.park, ways: Array(ways.dropLast()), metres: 5)
        let street = try bare.router.route(RouteRequest(stops: [Stop(bare.place("t")), Stop(bare.place("1"))]))
        #expect(street.stops.last?.wayID == 1)
    }

    @Test func aCarParkWithoutLanesIsEnteredFromTheRoadThatJoinsIt() throws {
        // Another street passes nearer to the point, but does not touch the car park.
        let town = try Town(
            """
            v - - - - - - - - w
            p - - - - - - - - q
              1
            r - - - e - - - - u
                    |
            s - - - x - - - - t
            |
            v2
            """.replacing("v2", with: "z"),
            ways: ["vw", "sxt", "xe highway=service", "pqueerp".replacing("ee", with: "e") + " amenity=parking", "sz"],
            metres: 5)
        let route = try town.router.route(RouteRequest(stops: [Stop(town.place("t")), Stop(town.place("1"))]))
        #expect(route.stops.last?.wayID == 3)
        #expect((route.stops.last?.distance ?? 0) > 20)
    }

    @Test func anIslandIsLeftUnlessAskedFor() throws {
        var ways = ["cd"]
        var drawing = ""
        // Enough streets to be no island.
        let letters = Array("abefghijklmnopqrstuvwxyzABDEFGHIJKLMNOPQRSTUVWXYZCéèüöäßøåæñçíóú")
        drawing = letters.map(String.init).joined(separator: " ") + "\n\nc d"
        for (a, b) in zip(letters, letters.dropFirst()) { ways.append("\(a)\(b)") }
        let town = try Town(drawing, ways: ways)
        var request = RouteRequest(stops: [Stop(town.place("z")), Stop(town.place("c"))])
        let route = try town.router.route(request)
        #expect(route.stops.last?.wayID != 1 && (route.stops.last?.distance ?? 0) > 50)
        request.keepsToIslands = true
        #expect(throws: RoutingError.self) { try town.router.route(request) }
        // From one end of the island to the other nobody leaves it.
        #expect(town.drive("c", "d").path == "c d")
    }
}

import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct TimedTownTests {
    /// Seconds since 1970 of a Tuesday, universal time.
    private func tuesday(_ hour: Int, _ minute: Int = 0) -> Int64 {
        1_796_083_200 + Int64(hour * 3600 + minute * 60)
    }

    private func request(_ town: Town, _ names: String, departure: Int64? = nil, arrival: Int64? = nil) -> RouteRequest
    {
        var request = RouteRequest(
            stops: names.compactMap { town.places[$0] }.map { Stop($0) }, departure: departure)
        request.arrival = arrival
        return request
    }

    /// A short way over a gate, and a long one round it.
    private func townWithGate(_ tags: String) throws -> Town {
        try Town(
            """
            a---b---c---d
            |           |
            |           |
            |           |
            e-----------f
            """, ways: ["abcd", "ae", "ef", "fd"], nodes: ["b barrier=lift_gate access=yes \(tags)"], metres: 100)
    }

    @Test func aGateThatOpensSoonIsWaitedFor() throws {
        let town = try townWithGate("opening_hours=06:00-22:00")
        var asked = request(town, "ad", departure: tuesday(5, 59))
        let route = try town.router.route(asked)
        let edges = route.legs[0].edges
        #expect(edges.count == 2)
        let wait = try #require(edges.last).wait
        #expect(wait > 0 && wait < 60)
        // One is there as soon as at six o'clock the rest of the way can be driven.
        #expect((route.times[0].arrival - Double(tuesday(6)) - edges[1].duration).magnitude < 0.01)
        #expect((route.duration - (route.times[0].arrival - route.times[0].departure)).magnitude < 0.01)

        asked.departure = tuesday(3)
        let round = try town.router.route(asked)
        #expect(round.legs[0].edges.allSatisfy { $0.wait == 0 })
        #expect(round.length > route.length)
        asked.departure = tuesday(12)
        #expect(try town.router.route(asked).legs[0].edges.allSatisfy { $0.wait == 0 })
        #expect(try town.router.route(asked).length == route.length)
        // Without a time it is open.
        asked.departure = nil
        #expect(try town.router.route(asked).length == route.length)
        #expect(try town.router.route(asked).times.isEmpty)
    }

    @Test func localTimeIsWhatTheRequestSays() throws {
        let town = try townWithGate("opening_hours=06:00-22:00")
        var asked = request(town, "ad", departure: tuesday(5))
        let round = try town.router.route(asked)
        asked.utcOffset = 3600
        #expect(try town.router.route(asked).length < round.length)
        asked.utcOffset = 0
        asked.clockChanges = [ClockChange(moment: tuesday(4), utcOffset: 7200)]
        #expect(try town.router.route(asked).length < round.length)
        // It is five o'clock until the clock jumps over an hour.
        asked.clockChanges = [ClockChange(moment: tuesday(5) + 120, utcOffset: 3600)]
        let jumped = try town.router.route(asked)
        #expect(jumped.length < round.length)
        #expect(jumped.legs[0].edges.contains { $0.wait > 0 })
    }

    @Test func whoDoesNotWaitFindsEverythingAsItIsAtTheDeparture() throws {
        let town = try townWithGate("opening_hours=06:00-22:00")
        var asked = request(town, "ad", departure: tuesday(5, 59))
        asked.longestWait = 0
        let round = try town.router.route(asked)
        #expect(round.legs[0].edges.allSatisfy { $0.wait == 0 })
        asked.departure = tuesday(6)
        #expect(try town.router.route(asked).length < round.length)
    }

    @Test func whereAWayIsClosedAtThatHourAloneItIsTold() throws {
        let town = try Town(
            "a---b---c---d---e", ways: ["abc", "cd toll=yes", "de"],
            nodes: ["b barrier=lift_gate access=yes opening_hours=06:00-22:00"], metres: 100)
        var asked = request(town, "ac", departure: tuesday(3))
        asked.longestWait = 0
        func obstacle() -> Obstacle? {
            do throws(RoutingError) { _ = try town.router.route(asked) } catch {
                if case .noRoute(_, _, let obstacle) = error { return obstacle }
            }
            return nil
        }
        #expect(obstacle()?.isOpenAtOtherTimes == true)
        #expect(obstacle()?.hindrances.isEmpty == true)
        // What is in the way at any hour is told as it is without a time, and so is the way up to it.
        asked = request(town, "ae", departure: tuesday(12))
        asked.wishes = RoadWishes(excluded: [.tolls])
        #expect(obstacle()?.isOpenAtOtherTimes == false)
        #expect(obstacle()?.hindrances.map(\.rule) == [.excluded(.tolls)])
        asked.goesAsFarAsPossible = true
        let short = try town.router.route(asked)
        #expect(short.shortfall?.stop == 1)
        #expect(short.times.first?.departure == Double(tuesday(12)))
        #expect(town.router.roadCount(closedBy: .way(1 << 40)) == 0)
    }

    @Test func anArrivalIsMetByTheLatestDeparture() throws {
        let town = try townWithGate("opening_hours=06:00-22:00")
        let straight = try town.router.route(request(town, "ad", departure: tuesday(12)))
        let noon = try town.router.route(request(town, "ad", arrival: tuesday(12)))
        #expect(noon.times[0].arrival == Double(tuesday(12)))
        #expect(noon.duration == straight.duration)
        #expect(noon.cost == straight.cost)
        // In the night the way leads round; after the gate has shut one has to be through before.
        let late = try town.router.route(request(town, "ad", arrival: tuesday(3)))
        #expect(late.length > straight.length)
        let shut = try town.router.route(request(town, "ad", arrival: tuesday(22, 0) + 30))
        #expect(shut.length == straight.length)
        #expect(shut.times[0].arrival <= Double(tuesday(22, 0) + 30))
        #expect(shut.times[0].departure < Double(tuesday(22, 0)))
    }

    @Test func aRoadIsClosedForTheHoursOfItsCondition() throws {
        let town = try Town(
            """
            a---b---c
            |       |
            d-------e
            """, ways: ["ab motor_vehicle:conditional=no~@~(Mo-Fr~07:00-09:00)", "bc", "ad", "de", "ec"], metres: 100)
        let open = try town.router.route(request(town, "ac", departure: tuesday(10)))
        let closed = try town.router.route(request(town, "ac", departure: tuesday(7, 30)))
        #expect(closed.length > open.length)
        var walking = request(town, "ac", departure: tuesday(7, 30))
        walking.profile = .foot
        #expect(try town.router.route(walking).length == open.length)
    }

    @Test func speedsAreThoseOfTheHour() throws {
        let town = try Town(
            "a-----------b", ways: ["ab highway=primary maxspeed=80 maxspeed:conditional=20~@~(22:00-06:00)"],
            metres: 100)
        let day = try town.router.route(request(town, "ab", departure: tuesday(12)))
        let night = try town.router.route(request(town, "ab", departure: tuesday(3)))
        #expect((night.duration / day.duration - 4).magnitude < 0.05)
        // Whoever comes a moment before six waits for the day.
        let morning = try town.router.route(request(town, "ab", departure: tuesday(5, 59) + 55))
        #expect(morning.times[0].departure == Double(tuesday(6)))
        #expect(morning.duration == day.duration)
    }

    @Test func eachLegBeginsWhenTheOneBeforeHasEndedAndTheStayIsOver() throws {
        let town = try townWithGate("opening_hours=06:00-22:00")
        var asked = request(town, "eada", departure: tuesday(5))
        asked.continueStraight = false
        asked.stops[1].stay = 7200
        let route = try town.router.route(asked)
        #expect(route.times.count == 3)
        #expect(route.times[1].departure >= route.times[0].arrival + 7200)
        #expect(route.times[2].departure == route.times[1].arrival)
        // By then the gate is open.
        #expect(route.legs[1].edges.count == 2)
        asked.stops[1].stay = 0
        #expect(try town.router.route(asked).legs[1].edges.count > 2)
        let total = route.times[2].arrival - route.times[0].departure
        #expect((total - route.duration - 7200).magnitude < 0.01)
        // The same towards an arrival.
        asked.stops[1].stay = 7200
        asked.departure = nil
        asked.arrival = tuesday(8)
        let back = try town.router.route(asked)
        #expect((back.times[2].arrival - Double(tuesday(8))).magnitude < 0.01)
        #expect(back.times[1].departure >= back.times[0].arrival + 7199.9)
        #expect(back.times[2].departure >= back.times[1].arrival - 0.01)
    }

    @Test func aRoadForThoseWithBusinessThereAtThisHourIsNoWayThrough() throws {
        let town = try Town(
            """
            a---b---c---d
            |           |
            e-----------f
            """,
            ways: [
                "ab", "bc motor_vehicle:conditional=destination~@~(Mo-Fr~07:00-09:00)", "cd", "ae", "ef", "fd",
            ], metres: 100)
        var asked = request(town, "ad", departure: tuesday(10))
        let through = try town.router.route(asked)
        asked.departure = tuesday(7)
        #expect(try town.router.route(asked).length > through.length)
        let there = try #require(town.places["b"]).midpoint(to: try #require(town.places["c"]))
        asked.stops[1] = Stop(there)
        #expect(try town.router.route(asked).length < through.length)
    }

    @Test func afterTheLongestWaitNothingIsWaitedFor() throws {
        let town = try Town(
            "a---b---c", ways: ["ab", "bc access:conditional=no~@~(Mo-Fr~06:00-22:00)"], metres: 100)
        var asked = request(town, "ac", departure: tuesday(8))
        let route = try town.router.route(asked)
        #expect(route.times[0].arrival > Double(tuesday(22)))
        #expect(route.legs[0].edges[1].wait > 13 * 3600)
        asked.longestWait = 3600
        #expect(throws: RoutingError.self) { try town.router.route(asked) }
    }

    @Test func aTurnThatIsForbiddenForAWhileIsWaitedFor() throws {
        let town = try Town(
            """
              n
              |
            w-x-e
              |
              s
            """, ways: ["wx", "nx", "xe", "xs"],
            relations: ["- wx x nx restriction:conditional=no_left_turn~@~(Mo-Fr~07:00-07:30)"], metres: 100)
        let route = try town.router.route(request(town, "wn", departure: tuesday(7, 29)))
        #expect(route.legs[0].edges.count == 2)
        #expect(route.legs[0].edges[1].wait > 20)
    }
}

extension Coordinate {
    fileprivate func midpoint(to other: Coordinate) -> Coordinate {
        Coordinate(
            latitude: (latitude + other.latitude) / 2, longitude: (longitude + other.longitude) / 2)
    }
}

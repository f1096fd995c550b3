@testable import MapKit
import Sextant
import TestAtlases
import Testing

@Suite struct DirectionsNoticeTests {
    /// Two ways of about the same length between two crossings, and a street before and behind them.
    private func world(surface: String = "asphalt", barrier: String = "no") -> DrawnWorld {
        var world = DrawnWorld()
        let start = world.node((47.1, 9.5))
        let end = world.node((47.1, 9.53))
        let first = world.node((47.1, 9.5051))
        let second = world.node((47.1, 9.5249), ["barrier": barrier])
        world.way([start, first], ["highway": "primary", "name": "Erste"])
        world.way(
            [first, world.node((47.101, 9.515)), second],
            ["highway": "primary", "name": "Nord", "surface": surface])
        world.way(
            [first, world.node((47.098, 9.515)), second],
            ["highway": "primary", "name": "Süd", "surface": surface])
        world.way([second, end], ["highway": "primary", "name": "Zweite"])
        return world
    }

    private func question(_ atlas: Atlas) -> RouteQuestion {
        var question = RouteQuestion(
            source: ItemFacts(at: coordinate(47.1, 9.5), name: "A"),
            destination: ItemFacts(at: coordinate(47.1, 9.53), name: "B"), transportType: .automobile)
        question.open = { atlas }
        return question
    }

    private func routes(_ atlas: Atlas, alternatives: Int = 0) throws -> [MKRoute] {
        var question = question(atlas)
        question.alternatives = alternatives
        return MKDirections.Response(try question.answer()).routes
    }

    @Test func otherWaysComeWhereTheyAreAskedFor() throws {
        let atlas = try TestAtlas.make(world())
        #expect(try routes(atlas).count == 1)
        let both = try routes(atlas, alternatives: 2)
        #expect(both.map { $0.steps.map(\.instructions).joined().contains("Nord") } == [true, false])
        #expect(both.count == 2 && both[0].expectedTravelTime <= both[1].expectedTravelTime)
        var question = question(atlas)
        question.alternatives = 2
        #expect(try question.best.answer().alternatives.isEmpty)
    }

    @Test func whatADriverMustKnowIsTold() throws {
        #expect(try routes(TestAtlas.make(world()))[0].advisoryNotices.isEmpty)
        let gravel = try routes(TestAtlas.make(world(surface: "gravel")))[0]
        #expect(gravel.advisoryNotices == ["1.5 km of this way are unpaved."])
        let control = try routes(TestAtlas.make(world(barrier: "border_control")))[0]
        #expect(control.advisoryNotices == ["This way passes a border control."])
        let booth = try routes(TestAtlas.make(world(barrier: "toll_booth")))[0]
        #expect(booth.hasTolls && booth.advisoryNotices == ["This way has tolls."])
    }

    @Test func aWayThatIsNotThereTellsWhyAndHowFar() throws {
        let atlas = try TestAtlas.make(world(barrier: "bollard"))
        do {
            _ = try question(atlas).answer()
            Issue.record("a bollard was passed")
        } catch let error as MKError {
            #expect(error.code == .directionsNotFound)
            #expect(error.localizedDescription.hasPrefix("No way leads from the start to the destination: "))
            #expect(error.failureReason?.contains("bollard") == true)
            #expect(error.recoverySuggestion?.contains("open the barrier at node") == true)
            let reached = try #require(error.userInfo[MKError.reachableLocationKey] as? CLLocation)
            #expect(reached.distance(from: CLLocation(latitude: 47.1, longitude: 9.5249)) < 1)
        }
    }

    @Test func aRoadForThoseWithBusinessThereIsToldAtTheEnd() throws {
        var world = world()
        let end = world.node((47.1, 9.5301))
        world.way([world.node((47.1, 9.53)), end], ["highway": "primary"])
        let drive = world.node((47.102, 9.5301))
        world.way([end, drive], ["highway": "service", "access": "destination"])
        var question = question(try TestAtlas.make(world))
        question.source = ItemFacts(at: coordinate(47.1, 9.53), name: "A")
        question.destination = ItemFacts(at: coordinate(47.102, 9.5301), name: "B")
        let found = try question.answer()
        #expect(found.route.notices == [.privateEnd])
    }
}

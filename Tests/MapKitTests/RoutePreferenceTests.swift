@testable import MapKit
import Sextant
import TestAtlases
import Testing

@Suite struct RoutePreferenceTests {
    private func answer(otherWay: Bool, avoiding kinds: RoadKinds) throws -> MKRoute {
        var world = DrawnWorld()
        let start = world.node((47.1, 9.5))
        let end = world.node((47.1, 9.52))
        let first = world.node((47.1, 9.5051))
        world.way([start, first], ["highway": "primary", "name": "Erste"])
        let second = world.node((47.1, 9.5149))
        world.way([first, second], ["highway": "primary", "name": "Mautstrasse", "toll": "yes"])
        world.way([second, end], ["highway": "primary", "name": "Zweite"])
        if otherWay {
            world.way([first, world.node((47.103, 9.51)), second], ["highway": "primary", "name": "Umweg"])
        }
        let atlas = try TestAtlas.make(world)
        var question = RouteQuestion(
            source: ItemFacts(at: coordinate(47.1, 9.5), name: "A"),
            destination: ItemFacts(at: coordinate(47.1, 9.52), name: "B"), transportType: .automobile)
        question.avoided = kinds
        question.open = { atlas }
        let found = try question.answer()
        return MKRoute(found.route, by: found.transportType, besides: found.notices)
    }

    @Test func tollsAreAvoidedWhereThereIsAnotherWay() throws {
        #expect(try answer(otherWay: true, avoiding: []).hasTolls)
        let route = try answer(otherWay: true, avoiding: .tolls)
        #expect(!route.hasTolls && !route.hasHighways && route.advisoryNotices.isEmpty)
    }

    @Test func whereThereIsNoneTheNoticesTellIt() throws {
        let route = try answer(otherWay: false, avoiding: [.tolls, .motorways])
        #expect(route.hasTolls)
        #expect(route.advisoryNotices == ["This way has tolls.", "No good way without tolls was found."])
    }

    @Test func aCopyKeepsThePreferences() throws {
        let request = MKDirections.Request()
        request.tollPreference = .avoid
        request.highwayPreference = .avoid
        let copy = try #require(request.copy() as? MKDirections.Request)
        #expect(copy.tollPreference == .avoid && copy.highwayPreference == .avoid)
    }
}

import Foundation
import Geometry

/// How near an answer comes to what a case expects, by the three levels of the cases' README. The levels rise: each
/// asks for the one before.
struct RoutingScore {
    /// 0 to 3.
    var level: Int
    /// What is missing for the next level.
    var fault: String
    /// What kind of fault that is: its words without the names of roads and the figures.
    var kind: String {
        if level == 3 { return "" }
        if level == 1 { return "told moves" }
        if fault.hasPrefix("found") { return "a way where there is none" }
        if fault.first?.isUppercase == true { return "no way where there is one" }
        if level == 0 { return fault.hasPrefix("modes") ? "mode" : "roads driven" }
        return String(fault.prefix { $0 != "[" && !$0.isNumber }).trimmingCharacters(in: .whitespaces)
    }

    init(_ answer: RoutingAnswer, _ expect: RoutingCase.Expectation, in scene: RoutingCase) {
        if let fault = Self.roadFault(answer, expect) {
            level = 0
            self.fault = fault
        } else if let fault = Self.moveFault(answer, expect) {
            level = 1
            self.fault = fault
        } else if let fault = Self.detailFault(answer, expect, scene) {
            level = 2
            self.fault = fault
        } else {
            level = 3
            fault = ""
        }
    }

    // MARK: Level 1, the roads

    /// The longest that a road may be which is driven between the expected ones, in metres.
    private static let shortRoad = 100.0

    private static func roadFault(_ answer: RoutingAnswer, _ expect: RoutingCase.Expectation) -> String? {
        if expect.found == false {
            guard answer.isFound else { return nil }
            if let road = expect.road, answer.roads.first != road { return nil }
            return "found \(answer.roads) where there is no way"
        }
        guard answer.isFound else { return "\(answer.code)" }
        if let road = expect.road, answer.roads.first != road {
            return "begins on \(answer.roads.first ?? "") instead of \(road)"
        }
        if let roads = expect.roads, !runs(answer, along: roads) { return "roads \(answer.roads) instead of \(roads)" }
        if let pattern = expect.roadsPattern {
            let text = answer.roads.joined(separator: ",")
            guard let regex = try? Regex("^(?:\(pattern))$"), (try? regex.wholeMatch(in: text)) ?? nil != nil else {
                return "roads \(text) do not match \(pattern)"
            }
        }
        if expect.roads == nil, expect.road == nil, let length = expect.distanceMetres, !length.holds(answer.distance) {
            return "\(answer.distance) m instead of \(length.value)"
        }
        if let mode = expect.mode, answer.modes.contains(where: { $0 != mode }) {
            return "modes \(answer.modes) instead of \(mode)"
        }
        return nil
    }

    /// Whether the steps' roads are the expected ones in order, short ones in between aside. The same road several times
    /// in a row is one road.
    static func runs(_ answer: RoutingAnswer, along roads: [String]) -> Bool {
        var driven: [(name: String, metres: Double)] = []
        for (name, metres) in zip(answer.roads, answer.distances) {
            if driven.last?.name == name {
                driven[driven.count - 1].metres += metres
            } else {
                driven.append((name, metres))
            }
        }
        var expected: [String] = []
        for road in roads where road != expected.last { expected.append(road) }
        guard driven.first?.name == expected.first, driven.last?.name == expected.last else { return false }
        var next = 0
        for part in driven {
            if next < expected.count, part.name == expected[next] {
                next += 1
            } else if part.metres > shortRoad {
                return false
            }
        }
        return next == expected.count
    }

    // MARK: Level 2, the moves

    private static func moveFault(_ answer: RoutingAnswer, _ expect: RoutingCase.Expectation) -> String? {
        guard let turns = expect.turns else { return nil }
        return moves(turns) == moves(answer.turns) ? nil : "moves \(answer.turns) instead of \(turns)"
    }

    /// What a driver must be told: left, right, U-turn, the number of a roundabout's exit. Straight on, slight bends and
    /// merges are left out, and leaving a roundabout, which its exit's number has told.
    static func moves(_ turns: [String]) -> [String] {
        turns.compactMap { turn in
            if turn == "depart" || turn == "arrive" { return nil }
            if turn.hasPrefix("exit roundabout") || turn.hasPrefix("exit rotary") || turn.hasPrefix("merge") {
                return nil
            }
            if let exit = turn.range(of: "exit-") {
                let number = turn[exit.upperBound...]
                return number == "undefined" ? nil : "exit \(number)"
            }
            if turn.hasSuffix("uturn") { return "uturn" }
            if turn.contains(" slight ") || turn.hasSuffix("straight") { return nil }
            if turn.hasSuffix("left") { return "left" }
            if turn.hasSuffix("right") { return "right" }
            return nil
        }
    }

    // MARK: Level 3, the steps

    private static func detailFault(
        _ answer: RoutingAnswer, _ expect: RoutingCase.Expectation, _ scene: RoutingCase
    ) -> String? {
        func differs(_ name: String, _ want: [String]?, _ have: [String]) -> String? {
            guard let want, want != have else { return nil }
            return "\(name) \(have) instead of \(want)"
        }
        guard answer.isFound else { return nil }
        if let fault = differs("roads", expect.roads, answer.roads) ?? differs("turns", expect.turns, answer.turns)
            ?? differs("refs", expect.refs, answer.refs)
            ?? differs("destinations", expect.destinations, answer.destinations)
            ?? differs("exits", expect.exits, answer.exits)
            ?? differs("pronunciations", expect.pronunciations, answer.pronunciations)
            ?? differs("modes", expect.modes, answer.modes)
            ?? differs("driving sides", expect.drivingSides, answer.drivingSides)
            ?? differs("other way", expect.alternativeRoads, answer.alternativeRoads)
        {
            return fault
        }
        if let locations = expect.locations, let fault = locationFault(answer, locations, scene) { return fault }
        if let bearings = expect.bearings, let fault = bearingFault(answer, bearings, room: expect.bearingRoom ?? 0) {
            return fault
        }
        if let lanes = expect.lanes, lanes != answer.lanes { return "lanes \(answer.lanes) instead of \(lanes)" }
        if let distances = expect.distances,
            distances.count != answer.distances.count || !zip(distances, answer.distances).allSatisfy({ $0.holds($1) })
        {
            return "distances \(answer.distances) instead of \(distances.map(\.value))"
        }
        if let length = expect.distanceMetres, !length.holds(answer.distance) {
            return "\(answer.distance) m instead of \(length.value)"
        }
        if let count = expect.waypointCount, count != answer.waypointCount {
            return "\(answer.waypointCount) waypoints instead of \(count)"
        }
        return nil
    }

    private static func locationFault(
        _ answer: RoutingAnswer, _ locations: [String], _ scene: RoutingCase
    ) -> String? {
        guard locations.count == answer.places.count else {
            return "\(answer.places.count) locations instead of \(locations)"
        }
        for (name, place) in zip(locations, answer.places) where name != "_" {
            guard let node = scene.place(name), place.count == 2 else { continue }
            if node.distance(to: Coordinate(latitude: place[1], longitude: place[0])) > 1 {
                return "a step begins at \(place) instead of \(name)"
            }
        }
        return nil
    }

    private static func bearingFault(_ answer: RoutingAnswer, _ bearings: [String], room: Double) -> String? {
        guard bearings.count == answer.bearings.count else {
            return "bearings \(answer.bearings) instead of \(bearings)"
        }
        for (want, have) in zip(bearings, answer.bearings) {
            let a = numbers(want)
            let b = numbers(have)
            for (x, y) in zip(a, b) {
                var difference = abs(x - y).truncatingRemainder(dividingBy: 360)
                if difference > 180 { difference = 360 - difference }
                if difference > max(room, 1) { return "bearings \(answer.bearings) instead of \(bearings)" }
            }
        }
        return nil
    }

    /// The two numbers of `before->after`, each perhaps with a room of its own after `+-`.
    private static func numbers(_ text: String) -> [Double] {
        text.split(separator: ">").map { part in
            Double(part.prefix { $0.isNumber || $0 == "." }) ?? 0
        }
    }
}

import Foundation
import HTTPServer

/// What the dialect answered to a query, in the words of the cases.
struct RoutingAnswer {
    var code: String
    var roads: [String] = []
    var turns: [String] = []
    var refs: [String] = []
    var destinations: [String] = []
    var exits: [String] = []
    var pronunciations: [String] = []
    var modes: [String] = []
    var drivingSides: [String] = []
    var bearings: [String] = []
    var places: [[Double]] = []
    var distances: [Double] = []
    var lanes: [[[RoutingCase.Lane]]] = []
    var distance = 0.0
    var waypointCount = 0
    /// The roads of the first other way; empty without one.
    var alternativeRoads: [String] = []

    var isFound: Bool { code == "Ok" }

    private struct Body: Decodable {
        struct Manoeuvre: Decodable {
            var type: String
            var modifier: String?
            var exit: Int?
            var location: [Double]
            var bearingBefore: Int
            var bearingAfter: Int
        }

        struct Intersection: Decodable {
            var lanes: [RoutingCase.Lane]?
        }

        struct Step: Decodable {
            var name: String
            var ref: String?
            var destinations: String?
            var exits: String?
            var pronunciation: String?
            var rotaryName: String?
            var mode: String
            var drivingSide: String
            var distance: Double
            var maneuver: Manoeuvre
            var intersections: [Intersection]
        }

        struct Leg: Decodable {
            var steps: [Step]
        }

        struct Route: Decodable {
            var legs: [Leg]
            var distance: Double
        }

        struct Waypoint: Decodable {}

        var code: String
        var routes: [Route]?
        var waypoints: [Waypoint]?
    }

    init(_ response: HTTPResponse) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try decoder.decode(Body.self, from: Data(response.body))
        code = body.code
        waypointCount = body.waypoints?.count ?? 0
        guard let route = body.routes?.first else { return }
        if let other = body.routes?.dropFirst().first { alternativeRoads = other.legs.flatMap(\.steps).map(\.name) }
        distance = route.distance
        for step in route.legs.flatMap(\.steps) {
            let manoeuvre = step.maneuver
            roads.append(step.name)
            turns.append(Self.text(manoeuvre, rotary: step.rotaryName))
            refs.append(step.ref ?? "")
            destinations.append(step.destinations ?? "")
            exits.append(step.exits ?? "")
            pronunciations.append(step.pronunciation ?? "")
            modes.append(step.mode)
            drivingSides.append(step.drivingSide)
            bearings.append("\(manoeuvre.bearingBefore)->\(manoeuvre.bearingAfter)")
            places.append(manoeuvre.location)
            distances.append(step.distance)
            lanes.append(step.intersections.map { $0.lanes ?? [] })
        }
    }

    /// A manoeuvre as the cases spell it.
    private static func text(_ manoeuvre: Body.Manoeuvre, rotary: String?) -> String {
        let exit = manoeuvre.exit.map(String.init) ?? "undefined"
        switch manoeuvre.type {
        case "depart", "arrive": return manoeuvre.type
        case "roundabout": return "roundabout-exit-\(exit)"
        case "rotary": return "\(rotary ?? "rotary")-exit-\(exit)"
        case "roundabout turn": return "roundabout turn \(manoeuvre.modifier ?? "") exit-\(exit)"
        default: return manoeuvre.modifier.map { "\(manoeuvre.type) \($0)" } ?? manoeuvre.type
        }
    }
}

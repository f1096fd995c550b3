import Cartography
import Foundation
import Gazetteer
import Geometry
import Guidance
import Routing
import Sextant

/// `sextant route`
enum RouteCommand {
    /// A stop as it was asked for: where it is, and what to call it.
    struct NamedStop {
        var coordinate: Coordinate
        var name: String
        /// The words of the question that nothing explains.
        var unmatched: [String] = []
        /// How well the place fits the question; nil for a point.
        var quality: MatchQuality?
    }

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard arguments.words.count >= 2 else {
            throw UsageError("a route needs two places at least: sextant route FROM [VIA...] TO")
        }
        guard arguments.words.count <= 100 else { throw UsageError("a route has 100 stops at most") }
        let profile = try profile(arguments)
        let wishes = try WishOptions.wishes(arguments)
        let closures = try WishOptions.closures(arguments)
        let alternatives = try alternatives(arguments)
        let shape = try StopOptions(arguments, stops: arguments.words.count)
        let moment = try RouteMoment(arguments)
        let points = try arguments.words.map { try Arguments.coordinate($0) }
        let atlas = try AtlasChoice.open(arguments, console, needsWorld: false)
        var stops: [NamedStop] = []
        for (word, point) in zip(arguments.words, points) {
            if let point {
                stops.append(NamedStop(coordinate: point, name: coordinateText(point)))
            } else if let stop = try find(word, near: stops.last?.coordinate, atlas, arguments.languages) {
                if !stop.unmatched.isEmpty {
                    console.complain(
                        "\"\(word)\": \(stop.name) is taken, without \(stop.unmatched.joined(separator: " "))")
                }
                PlaceList.sayCorrections(stop.quality, console)
                stops.append(stop)
            } else {
                console.complain("nothing found for \"\(word)\"")
                return .nothingFound
            }
        }
        let routes: [Route]
        do {
            var request = RouteRequest(
                stops: shape.stops(at: stops.map(\.coordinate)), profile: profile, wishes: wishes, closures: closures)
            request.continueStraight = shape.continueStraight
            request.goesAsFarAsPossible = arguments.has("--as-far-as-possible")
            try moment?.set(in: &request, atlas)
            routes = try atlas.routes(request, alternatives: alternatives)
            try warn(of: wishes, closures, profile, arguments, atlas, console)
        } catch let error as RoutingError {
            guard let reason = explained(error, stops, profile) else { throw error }
            console.complain(reason)
            if case .noRoute(let from, let to, let obstacle) = error {
                for line in advice(obstacle, label(to, stops)) { console.complain(line) }
                if arguments.has("--json") { console.print(json(reason, from, to, obstacle)) }
            } else if arguments.has("--json"), case .noRoadNearby(let stop, _, let distance) = error {
                console.print(json(reason, noRoadWithin: distance, of: stop))
            }
            return .noRoute
        } catch let error as SextantError {
            console.complain(explained(error, stops))
            return .noRoute
        }
        guard let route = routes.first else { return .noRoute }
        let others = Array(routes.dropFirst())
        if let used = route.notices.lazy.compactMap({ if case .notAvoided(let kinds) = $0 { kinds } else { nil } })
            .first
        {
            console.complain("not all could be avoided: \(used.words)")
        }
        if let shortfall = route.shortfall {
            let end = label(shortfall.stop, stops)
            console.complain(
                "the way ends \(distanceText(shortfall.distance)) before \(end): "
                    + shortfall.obstacle.words { label($0, stops) })
        }
        if others.count < alternatives {
            let none = "No other way is worth a thought"
            console.say(
                !others.isEmpty
                    ? "No more other ways are worth a thought."
                    : moment == nil ? none + "." : none + "; where something depends on the time, none is looked for.")
        }
        if let picture = try MapPicture("--map", arguments) {
            try picture.write(atlas, around: marks(route, stops), console)
        }
        if arguments.has("--json") {
            console.print(json(route, stops, profile, alternatives: others, clock: try RouteClock(route, stops, atlas)))
        } else if arguments.has("--geojson") {
            console.print(route.geoJSON(alternatives: others))
        } else if arguments.has("--gpx") {
            Console.write(route.gpx(name: stops.map(\.name).joined(separator: " - "), alternatives: others), to: 1)
        } else {
            let clock = try RouteClock(route, stops, atlas)
            for line in page(route, stops, profile, console, clock: clock) { console.print(line) }
            for (number, other) in others.enumerated() {
                console.print("")
                for line in page(other, stops, profile, console, alternative: number + 1) { console.print(line) }
            }
        }
        console.say("Data: \(Route.attribution)")
        return .found
    }

    /// Says which closures and speeds are of no road: whoever gives them relies on them.
    private static func warn(
        of wishes: RoadWishes, _ closures: [RoadClosure], _ profile: Profile, _ arguments: Arguments, _ atlas: Atlas,
        _ console: Console
    ) throws {
        let routers = atlas.parts.compactMap(\.router)
        for (closure, text) in zip(closures, arguments.all("--close"))
        where routers.allSatisfy({ $0.roadCount(closedBy: closure) == 0 }) {
            console.complain("--close \(text) closes no road of the atlas")
        }
        if let speeds = wishes.speeds, routers.count == 1 {
            let matched = try routers[0].prepare(profile, wishes: wishes)?.matchedSpeeds ?? 0
            if matched < speeds.segments.count {
                console.complain("\(matched) of the \(speeds.segments.count) speeds are of roads of the atlas")
            }
        }
    }

    /// The line with its ends, and a dot on each stop between them.
    static func marks(_ route: Route, _ stops: [NamedStop]) -> MapMarks {
        var marks = MapMarks()
        marks.routes = [MapMarks.Route(route.geometry)]
        marks.pins = stops.enumerated().map { index, stop in
            let isEnd = index == 0 || index == route.waypoints.count - 1
            return MapMarks.Pin(
                at: isEnd
                    ? route.waypoints.indices.contains(index) ? route.waypoints[index].location : stop.coordinate
                    : stop.coordinate,
                form: isEnd ? .none : .dot, title: stop.name)
        }
        return marks
    }

    static func profile(_ arguments: Arguments) throws -> Profile {
        switch arguments["--profile"] ?? "car" {
        case "car", "driving": return .car
        case "bicycle", "bike", "cycling": return .bicycle
        case "foot", "walking": return .foot
        case let other: throw UsageError("--profile is car, bicycle or foot, not \"\(other)\"")
        }
    }

    /// The place of that name: the best one that the atlases with roads cover, the nearest to the stop before where
    /// several fit equally.
    static func find(_ name: String, near: Coordinate?, _ atlas: Atlas, _ languages: [String]) throws -> NamedStop? {
        let found = try atlas.geocode(GeocodeQuery(name, languages: languages, limit: 10, near: near)).places
        guard let best = found.first else { return nil }
        let chosen = found.first { place in
            !atlas.parts[place.atlasIndex].isWorld && (place.quality?.score ?? 0) >= (best.quality?.score ?? 0) - 0.1
        }
        let place = chosen ?? best
        return NamedStop(
            coordinate: place.coordinate, name: place.name ?? place.addressLines.first ?? name,
            unmatched: place.quality?.unmatched ?? [], quality: place.quality)
    }

    // MARK: - Errors

    private static func label(_ stop: Int, _ stops: [NamedStop]) -> String {
        let name = stops.indices.contains(stop) ? stops[stop].name : ""
        let role = stop == 0 ? "the start" : stop == stops.count - 1 ? "the destination" : "stop \(stop + 1)"
        return "\(role) (\(name))"
    }

    /// The reason why there is no route, in words that name the stops; nil for errors of another kind.
    static func explained(_ error: RoutingError, _ stops: [NamedStop], _ profile: Profile) -> String? {
        switch error {
        case .noRoadNearby(let stop, _, let distance):
            return "no road for \(profileText(profile)) within \(distanceText(distance)) of \(label(stop, stops))"
        case .noRoute(let from, let to, let reason):
            return "no route from \(label(from, stops)) to \(label(to, stops)): \(reason.words { label($0, stops) })"
        default: return nil
        }
    }

    /// How far one gets, and what to allow.
    static func advice(_ obstacle: Obstacle, _ destination: String) -> [String] {
        var lines: [String] = []
        let remedies = obstacle.remedies
        if !remedies.isEmpty { lines.append("a way would lead there with this: " + remedies.joined(separator: "; ")) }
        if let reach = obstacle.reach {
            lines.append(
                "one gets as far as \(coordinateText(reach.coordinate)), \(distanceText(reach.distance)) from \(destination)"
                    + " (--as-far-as-possible tells the way)")
        }
        return lines
    }

    private static func json(_ message: String, _ from: Int, _ to: Int, _ obstacle: Obstacle) -> String {
        var json = JSONWriter(reservingCapacity: 512)
        json.object {
            $0.member("error", message)
            $0.member("from", from)
            $0.member("to", to)
            $0.key("obstacle")
            obstacle.write(to: &$0)
        }
        return json.text
    }

    private static func json(_ message: String, noRoadWithin metres: Double, of stop: Int) -> String {
        var json = JSONWriter(reservingCapacity: 128)
        json.object {
            $0.member("error", message)
            $0.member("stop", stop)
            $0.member("within", metres, decimals: 1)
        }
        return json.text
    }

    private static func alternatives(_ arguments: Arguments) throws -> Int {
        guard let text = arguments["--alternatives"] else { return 0 }
        guard let count = Int(text), (0...3).contains(count) else {
            throw UsageError("--alternatives wants a number from 0 to 3, not \"\(text)\"")
        }
        return count
    }

    static func explained(_ error: SextantError, _ stops: [NamedStop]) -> String {
        switch error {
        case .outsideCoverage(let stop, _, _): "\(label(stop, stops)) lies outside the atlas"
        default: error.description
        }
    }

    // MARK: - Forms

    private static func profileText(_ profile: Profile) -> String {
        switch profile {
        case .car: "a car"
        case .bicycle: "a bicycle"
        case .foot: "walkers"
        }
    }

    /// The list for people: what it is, then a line a step.
    static func page(
        _ route: Route, _ stops: [NamedStop], _ profile: Profile, _ console: Console, alternative: Int = 0,
        clock: RouteClock? = nil
    ) -> [String] {
        let title = stops.map(\.name).joined(separator: " → ")
        var lines = [console.strong(alternative > 0 ? "Another way (\(alternative)): \(title)" : title)]
        let how =
            switch profile {
            case .car: "by car"
            case .bicycle: "by bicycle"
            case .foot: "on foot"
            }
        var summary = "\(distanceText(route.distance)), \(durationText(route.duration)) \(how)"
        let via = route.legs.map(\.summary).filter { !$0.isEmpty }
        if !via.isEmpty { summary += ", by way of " + via.joined(separator: "; ") }
        lines.append(summary)
        if let clock { lines.append(clock.sentence) }
        lines += route.notices.map(\.sentence) + [""]
        var table = Table([.right, .left, .right, .right])
        var number = 0
        for (index, leg) in route.legs.enumerated() {
            for step in leg.steps {
                number += 1
                let isArrival = step.manoeuvre.type == .arrive
                var sentence = step.sentence
                if isArrival, index == route.legs.count - 1, let shortfall = route.shortfall {
                    let end = label(shortfall.stop, stops)
                    sentence = "The way ends here, \(distanceText(shortfall.distance)) before \(end)"
                }
                table.add(
                    "\(number).", sentence, isArrival ? "" : distanceText(step.distance),
                    isArrival ? "" : durationText(step.duration))
            }
        }
        return lines + table.lines
    }

    static func json(
        _ route: Route, _ stops: [NamedStop], _ profile: Profile, alternatives: [Route] = [],
        clock: RouteClock? = nil
    ) -> String {
        var json = JSONWriter(reservingCapacity: 16384)
        json.object { json in
            json.member("profile", "\(profile)")
            json.member("attribution", Route.attribution)
            if let clock {
                json.member("departure", clock.departure)
                json.member("arrival", clock.arrival)
                json.member("waiting", route.waiting, decimals: 1)
            }
            writeFacts(of: route, to: &json)
            json.key("stops")
            json.array { array in
                for (index, stop) in stops.enumerated() {
                    array.object { object in
                        object.member("name", stop.name)
                        object.key("location")
                        object.position(stop.coordinate)
                        if route.waypoints.indices.contains(index) {
                            let snapped = route.waypoints[index]
                            object.key("road")
                            object.position(snapped.location)
                            object.member("roadName", snapped.name)
                            object.member("distance", snapped.distance, decimals: 1)
                        }
                    }
                }
            }
            json.key("legs")
            json.array { array in for leg in route.legs { write(leg, to: &array) } }
            if !alternatives.isEmpty {
                json.key("alternatives")
                json.array { array in
                    for other in alternatives {
                        array.object { object in
                            writeFacts(of: other, to: &object)
                            object.key("legs")
                            object.array { legs in for leg in other.legs { write(leg, to: &legs) } }
                        }
                    }
                }
            }
        }
        return json.text
    }

    private static func writeFacts(of route: Route, to json: inout JSONWriter) {
        json.member("distance", route.distance, decimals: 1)
        json.member("duration", route.duration, decimals: 1)
        json.key("kinds")
        json.array { array in
            for (name, kind) in RoadKinds.names where route.kinds.contains(kind) { array.string(name) }
        }
        json.key("notices")
        json.array { array in
            for notice in route.notices {
                array.object { object in
                    object.member("kind", notice.kind)
                    object.member("text", notice.sentence)
                }
            }
        }
        if let shortfall = route.shortfall {
            json.key("endsBefore")
            json.object { object in
                object.member("stop", shortfall.stop)
                object.member("distance", shortfall.distance, decimals: 1)
                object.key("obstacle")
                shortfall.obstacle.write(to: &object)
            }
        }
        json.member("polyline5", route.polyline())
        json.member("polyline6", route.polyline(precision: .six))
        json.key("geometry")
        json.object { geometry in
            geometry.member("type", "LineString")
            geometry.key("coordinates")
            geometry.positions(route.geometry)
        }
    }

    private static func write(_ leg: RouteLeg, to json: inout JSONWriter) {
        json.object { json in
            json.member("distance", leg.distance, decimals: 1)
            json.member("duration", leg.duration, decimals: 1)
            json.member("summary", leg.summary)
            json.key("steps")
            json.array { array in
                for step in leg.steps {
                    array.object { object in
                        object.member("type", step.manoeuvre.type.rawValue)
                        if let modifier = step.manoeuvre.modifier { object.member("modifier", modifier.rawValue) }
                        if let exit = step.manoeuvre.exit { object.member("exit", exit) }
                        object.member("instruction", step.sentence)
                        object.member("name", step.name)
                        if !step.ref.isEmpty { object.member("ref", step.ref) }
                        let notices = RouteNotice.of(step)
                        if !notices.isEmpty {
                            object.key("notices")
                            object.array { list in for notice in notices { list.string(notice.kind) } }
                        }
                        object.member("distance", step.distance, decimals: 1)
                        object.member("duration", step.duration, decimals: 1)
                        if step.wait > 0 { object.member("waiting", step.wait, decimals: 1) }
                        object.key("location")
                        object.position(step.manoeuvre.location)
                        object.member("bearingBefore", step.manoeuvre.bearingBefore)
                        object.member("bearingAfter", step.manoeuvre.bearingAfter)
                    }
                }
            }
        }
    }
}

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
        let route: Route
        do {
            route = try atlas.route(
                RouteRequest(
                    stops: stops.map { Stop($0.coordinate) }, profile: profile, wishes: wishes, closures: closures))
            let used = route.kinds.intersection(wishes.avoided)
            if !used.isEmpty { console.complain("not all could be avoided: \(WishOptions.text(used))") }
        } catch let error as RoutingError {
            guard let reason = explained(error, stops, profile) else { throw error }
            console.complain(reason)
            return .noRoute
        } catch let error as SextantError {
            console.complain(explained(error, stops))
            return .noRoute
        }
        if let picture = try MapPicture("--map", arguments) {
            try picture.write(atlas, around: marks(route, stops), console)
        }
        if arguments.has("--json") {
            console.print(json(route, stops, profile))
        } else if arguments.has("--geojson") {
            console.print(route.geoJSON())
        } else if arguments.has("--gpx") {
            Console.write(route.gpx(name: stops.map(\.name).joined(separator: " - ")), to: 1)
        } else {
            for line in page(route, stops, profile, console) { console.print(line) }
        }
        console.say("Data: \(Route.attribution)")
        return .found
    }

    /// The line with its ends, and a dot on each stop between them.
    static func marks(_ route: Route, _ stops: [NamedStop]) -> MapMarks {
        var marks = MapMarks()
        marks.routes = [MapMarks.Route(route.geometry)]
        marks.pins = stops.enumerated().map { index, stop in
            let isEnd = index == 0 || index == stops.count - 1
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
            let why =
                switch reason {
                case .island(let stop, _): "the roads at \(label(stop, stops)) lead nowhere else"
                case .notConnected: "the roads at both ends are not connected"
                }
            return "no route from \(label(from, stops)) to \(label(to, stops)): \(why)"
        default: return nil
        }
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
    static func page(_ route: Route, _ stops: [NamedStop], _ profile: Profile, _ console: Console) -> [String] {
        var lines = [console.strong(stops.map(\.name).joined(separator: " → "))]
        let how =
            switch profile {
            case .car: "by car"
            case .bicycle: "by bicycle"
            case .foot: "on foot"
            }
        var summary = "\(distanceText(route.distance)), \(durationText(route.duration)) \(how)"
        let via = route.legs.map(\.summary).filter { !$0.isEmpty }
        if !via.isEmpty { summary += ", by way of " + via.joined(separator: "; ") }
        lines += [summary, ""]
        var table = Table([.right, .left, .right, .right])
        var number = 0
        for leg in route.legs {
            for step in leg.steps {
                number += 1
                let isArrival = step.manoeuvre.type == .arrive
                table.add(
                    "\(number).", step.sentence, isArrival ? "" : distanceText(step.distance),
                    isArrival ? "" : durationText(step.duration))
            }
        }
        return lines + table.lines
    }

    static func json(_ route: Route, _ stops: [NamedStop], _ profile: Profile) -> String {
        var json = JSONWriter(reservingCapacity: 16384)
        json.object { json in
            json.member("profile", "\(profile)")
            json.member("attribution", Route.attribution)
            json.member("distance", route.distance, decimals: 1)
            json.member("duration", route.duration, decimals: 1)
            json.member("polyline5", route.polyline())
            json.member("polyline6", route.polyline(precision: .six))
            json.key("geometry")
            json.object { geometry in
                geometry.member("type", "LineString")
                geometry.key("coordinates")
                geometry.positions(route.geometry)
            }
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
        }
        return json.text
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
                        object.member("distance", step.distance, decimals: 1)
                        object.member("duration", step.duration, decimals: 1)
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

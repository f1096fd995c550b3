import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Routing
import Sextant

/// `sextant search`
enum SearchCommand {
    /// The area of a search as the arguments tell it.
    enum Area: Equatable {
        case region(SearchQuery.Region)
        case within(String)
    }

    private static let nowhere = UsageError(
        "where? --near LAT,LON, --bbox W,S,E,N, --within PLACE, --along \"FROM;TO\", or in words: \"cafes in Vaduz\"")

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let words = arguments.words.joined(separator: " ").trimmed
        guard !words.isEmpty else { throw UsageError("what should be looked for? sextant search WORDS --near LAT,LON") }
        var area = Area.region(.everywhere)
        var near = try arguments.near
        let isPlain = !["--radius", "--span", "--bbox", "--within", "--along"].contains { arguments.has($0) }
        if arguments.has("--along") {
            if let other = ["--radius", "--span", "--bbox", "--within"].first(where: { arguments.has($0) }) {
                throw UsageError("\(other) and --along both tell the area; choose one")
            }
        } else if !isPlain || near != nil {
            (area, near) = try self.area(arguments)
        }
        if arguments.has("--detour"), !arguments.has("--along") {
            throw UsageError("--detour needs a way: --along \"FROM;TO\"")
        }
        let limit = try arguments.limit
        let date = try SearchTime(arguments["--at"])
        let chosen = try order(arguments)
        let atlas = try AtlasChoice.open(arguments, console)
        let readings = try atlas.readings(of: words)
        let isPlaced = readings.first?.place?.relation != nil
        if isPlain {
            // The words may tell the place themselves: then a point alone is no limit.
            if isPlaced {
                area = .region(.everywhere)
            } else if near == nil {
                guard readings.contains(where: { $0.place != nil }) else { throw nowhere }
            }
        }
        var query = SearchQuery(
            words, order: near.map { .nearest($0) } ?? .best, limit: limit, languages: arguments.languages)
        var moment = SearchMoment()
        switch area {
        case .region(let region): query.region = region
        case .within(let name):
            guard let place = try outlined(name, atlas, arguments), let shape = try atlas.shape(of: place) else {
                console.complain(try withoutOutline(name, atlas, arguments))
                return .nothingFound
            }
            console.say("Within \(place.title):")
            query.region = shape
        }
        if let text = arguments["--along"] {
            let metres = try arguments.numbers("--detour", count: 1, form: "metres")?[0] ?? 500
            guard metres > 0, metres <= 100_000 else { throw UsageError("--detour wants metres, 1 to 100000") }
            guard let way = try AlongWay(text, arguments, atlas, console) else { return .nothingFound }
            let corridor = Corridor(along: way.line, metres: metres)
            query.region = .corridor(corridor)
            query.order = near.map { .nearest($0) } ?? .along(corridor)
            moment.secondsAlong = way.seconds(of: corridor)
        }
        switch chosen {
        case nil: break
        case "best": query.order = .best
        case "nearest":
            guard let near else { throw UsageError("--order nearest needs a point: --near LAT,LON") }
            query.order = .nearest(near)
        default:
            guard case .corridor(let corridor) = query.region else {
                throw UsageError("--order along needs a way: --along \"FROM;TO\"")
            }
            query.order = .along(corridor)
        }
        moment.date = try date.date(in: atlas, query)
        return try print(query, moment, atlas, arguments, console) {
            "nothing found for \"\(words)\""
                + (isCovered(area, by: atlas) ? isPlaced ? "" : " in that area" : ": no atlas covers that area")
        }
    }

    private static func order(_ arguments: Arguments) throws -> String? {
        guard let word = arguments["--order"] else { return nil }
        guard ["best", "nearest", "along"].contains(word) else {
            throw UsageError("--order is best, nearest or along, not \"\(word)\"")
        }
        return word
    }

    /// Prints what is found in the form that was asked for; for programs each place as soon as it is there.
    private static func print(
        _ query: SearchQuery, _ moment: SearchMoment, _ atlas: Atlas, _ arguments: Arguments, _ console: Console,
        nothing: () -> String
    ) throws -> ExitCode {
        let isLines = arguments.has("--ndjson")
        guard isLines || arguments.has("--json"), !arguments.has("--map") else {
            let places = try atlas.search(query, at: moment)
            if let place = places.first?.searchedPlace {
                console.say("\(place.isOutline ? "Within" : "Near") \(place.title):")
            }
            try arguments.drawMap(of: places, atlas, console)
            if isLines, !places.isEmpty {
                for place in places {
                    var json = JSONWriter(reservingCapacity: 1024)
                    place.write(to: &json)
                    Console.write(Console.harmless(json.text + "\n"), to: 1)
                }
                PlaceList.sayAttribution(places, console)
                return .found
            }
            return show(places, arguments, console, asTable: true, nothing: nothing())
        }
        // Only what the last lines tell of sources is kept.
        var sources: [FoundPlace] = []
        var buffer = isLines ? "" : "{\"places\":["
        var count = 0
        try atlas.search(query, at: moment) { place in
            var json = JSONWriter(reservingCapacity: 1024)
            place.write(to: &json)
            if count > 0, !isLines { buffer += "," }
            buffer += json.text
            if isLines { buffer += "\n" }
            count += 1
            if !sources.contains(where: { $0.source.attribution == place.source.attribution }) { sources.append(place) }
            if buffer.utf8.count > 1 << 16 {
                Console.write(Console.harmless(buffer), to: 1)
                buffer = ""
            }
            return true
        }
        if !isLines { buffer += "]}\n" }
        Console.write(Console.harmless(buffer), to: 1)
        guard count > 0 else {
            console.complain(wrappedMessage(nothing(), columns: Console.terminalWidth ?? 100))
            return .nothingFound
        }
        PlaceList.sayAttribution(sources, console)
        return .found
    }

    /// Whether an atlas with places of interest knows something in the area; a place within one says so itself.
    static func isCovered(_ area: Area, by atlas: Atlas) -> Bool {
        guard case .region(let region) = area else { return true }
        let asked: BoundingBox
        switch region {
        case .box(let box): asked = box
        case .circle(let center, let metres):
            let height = metres / 111_000 * 2
            asked = BoundingBox(
                center: center, height: height,
                width: height / max(cos(min(abs(center.latitude) + height / 2, 90) * .pi / 180), 0.001))
        case .outline, .polygons, .corridor, .all, .everywhere: return true
        }
        return atlas.covers(asked)
    }

    /// What is wrong with a place that cannot be searched within, and what to do instead.
    static func withoutOutline(_ name: String, _ atlas: Atlas, _ arguments: Arguments) throws -> String {
        if ["node/", "way/", "relation/"].contains(where: { name.hasPrefix($0) }) {
            return
                "\(name) is no object of the atlas with an outline; \"sextant geocode PLACE\" tells the id of a place"
        }
        let query = GeocodeQuery(name, languages: arguments.languages, limit: 1)
        guard let place = try atlas.geocode(query).places.first else {
            return "no place with an outline found for \"\(name)\""
        }
        return "\(place.title) has no outline in the atlas; search around it: "
            + "--near \(coordinateText(place.coordinate)) --radius 2000"
    }

    /// The object of that id, or the area of that name.
    private static func outlined(_ name: String, _ atlas: Atlas, _ arguments: Arguments) throws -> FoundPlace? {
        if ["node/", "way/", "relation/"].contains(where: { name.hasPrefix($0) }) {
            guard let id = OSMID(name) else { return nil }
            return try atlas.lookup(id, languages: arguments.languages)
        }
        return try atlas.area(named: name, languages: arguments.languages)
    }

    static func area(_ arguments: Arguments) throws -> (Area, near: Coordinate?) {
        let near = try arguments.near
        let given = ["--radius", "--span", "--bbox", "--within"].filter { arguments.has($0) }
        if given.count > 1 { throw UsageError("\(given[0]) and \(given[1]) both tell the area; choose one") }
        if let place = arguments["--within"] { return (.within(place), near) }
        if let box = try arguments.box { return (.region(.box(box)), near) }
        guard let near else {
            if let first = given.first { throw UsageError("\(first) needs a point: --near LAT,LON") }
            throw Self.nowhere
        }
        if let span = try arguments.numbers("--span", count: 2, form: "LAT,LON in degrees, like 0.01,0.01") {
            guard span.allSatisfy({ $0 > 0 }), span[0] <= 180, span[1] <= 360 else {
                throw UsageError("--span wants two sizes above 0 in degrees, like 0.01,0.01")
            }
            return (.region(.box(BoundingBox(center: near, height: span[0], width: span[1]))), near)
        }
        let metres = try arguments.numbers("--radius", count: 1, form: "metres")?[0] ?? 1000
        guard metres > 0, metres <= 20_100_000 else { throw UsageError("--radius wants metres, 1 to 20000000") }
        return (.region(.circle(center: near, metres: metres)), near)
    }
}

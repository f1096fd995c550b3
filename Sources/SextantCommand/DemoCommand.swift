import Foundation
import Gazetteer
import Geometry
import Routing
import Sextant

/// `sextant demo`: an address, restaurants near it, and the way between two sites, as the commands themselves answer.
enum DemoCommand {
    static let address = "Aleksanterinkatu 52, Helsinki"
    static let sites = (from: "Amos Rex", to: "Helsingin tuomiokirkko")

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard arguments.words.isEmpty else { throw UsageError("demo takes no places; it brings its own") }
        let clock = ContinuousClock()
        let towns = try BuiltInAtlas.towns.ready(console)
        let world = try BuiltInAtlas.world.ready(console)
        let start = clock.now
        let atlas = try Atlas.open([towns], world: world)
        let opened = clock.now
        console.print(console.strong("Sextant: addresses, places and ways, without a network"))

        heading(1, "An address is found", "sextant geocode \"\(address)\"", console)
        let found = try atlas.geocode(GeocodeQuery(address, languages: arguments.languages, limit: 1)).places
        guard let place = found.first else {
            console.complain("nothing found for \"\(address)\"")
            return .nothingFound
        }
        print(place.card(console), console)

        let point = coordinateText(place.coordinate)
        heading(2, "Restaurants near it", "sextant search restaurants --near \(point) --radius 300", console)
        let meals = try atlas.search(
            SearchQuery(
                "restaurants", in: .circle(center: place.coordinate, metres: 300), order: .nearest(place.coordinate),
                languages: arguments.languages))
        guard !meals.isEmpty else {
            console.complain("no restaurants found near \(point)")
            return .nothingFound
        }
        var table = Table([.right, .left, .left, .left], indent: 2)
        for meal in meals.prefix(8) {
            table.add(
                meal.distance.map(distanceText) ?? "", meal.name ?? "(no name)",
                meal.address.street.map { street in
                    [street, meal.address.houseNumber].compactMap { $0 }.joined(separator: " ")
                } ?? "",
                meal.cuisine?.replacingOccurrences(of: ";", with: ", ").replacingOccurrences(of: "_", with: " ") ?? "")
        }
        print(table.lines, console)
        if meals.count > 8 { console.print("  ... and \(meals.count - 8) more") }

        heading(3, "The way from one site to another", "sextant route \"\(sites.from)\" \"\(sites.to)\"", console)
        guard let from = try RouteCommand.find(sites.from, near: nil, atlas, arguments.languages),
            let to = try RouteCommand.find(sites.to, near: from.coordinate, atlas, arguments.languages)
        else {
            console.complain("nothing found for \"\(sites.from)\" or \"\(sites.to)\"")
            return .nothingFound
        }
        let route: Route
        do {
            route = try atlas.route(RouteRequest(stops: [Stop(from.coordinate), Stop(to.coordinate)]))
        } catch let error as RoutingError {
            guard let reason = RouteCommand.explained(error, [from, to], .car) else { throw error }
            console.complain(reason)
            return .noRoute
        }
        print(RouteCommand.page(route, [from, to], .car, console).map { $0.isEmpty ? "" : "  " + $0 }, console)

        let answered = clock.now
        console.print()
        console.print("Your turn: sextant help. An atlas of your own: sextant import EXTRACT.osm.pbf -o MY.atlas")
        console.say(
            "Atlases opened in \(milliseconds(opened - start)), everything answered in \(milliseconds(answered - opened))."
                + " Data: © OpenStreetMap contributors (ODbL 1.0); GeoNames (CC BY 4.0); Natural Earth.")
        return .found
    }

    private static func heading(_ number: Int, _ title: String, _ command: String, _ console: Console) {
        console.print()
        console.print(console.strong("\(number). \(title)"))
        console.print(console.faint("   $ \(command)"))
        console.print()
    }

    private static func print(_ lines: [String], _ console: Console) {
        for line in lines { console.print(line.isEmpty || line.hasPrefix(" ") ? line : "  " + line) }
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(decimalText(duration.seconds * 1000, places: 0)) ms"
    }
}

import MapKit

/// `site-schedule`: a table of building sites, a map of them, and the way to one.
///
/// Everything is done with MapKit, as on the platform that it comes from; see `Scheduler`.
@main struct SiteSchedule {
    static let usage = """
        site-schedule SITES.csv --to "South quay"

        Finds the places of the sites in a table, writes them into it, and draws a map of them.

          --map FILE        the picture of all sites (sites.png)
          --to NAME         and the way to this site,
          --from NAME       from this one (the first that has a place),
          --way FILE        as a picture (way.png)
          --geojson FILE    and as a line

        The first line of the table names its columns: name, street, postcode, city, country, latitude, longitude.
        Only the name must be there; a site needs an address or a coordinate. Where only the street is found and not the
        house number, the site is on the map, but nothing is written into the table. A coordinate that is not understood is
        told and left as it is.

        """

    static func main() async {
        let task = Task { @MainActor in
            await run(Array(CommandLine.arguments.dropFirst())) { print($0) }
        }
        // Control-C ends the running request; what was found so far is saved.
        signal(SIGINT, SIG_IGN)
        let interruption = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interruption.setEventHandler { task.cancel() }
        interruption.resume()
        exit(await task.value)
    }

    private struct Options {
        var file: String?
        var map = "sites.png"
        var to: String?
        var from: String?
        var way = "way.png"
        var geoJSON: String?
        var wantsHelp = false

        init(_ words: [String]) throws {
            var words = words[...]
            while let word = words.popFirst() {
                func value() throws -> String {
                    guard let value = words.popFirst() else {
                        throw SiteTable.Failure(description: "\(word) needs a value")
                    }
                    return value
                }
                switch word {
                case "--map": map = try value()
                case "--to": to = try value()
                case "--from": from = try value()
                case "--way": way = try value()
                case "--help", "-h": wantsHelp = true
                case "--geojson": geoJSON = try value()
                default:
                    guard file == nil, !word.hasPrefix("-") else {
                        throw SiteTable.Failure(description: "\"\(word)\" is not understood")
                    }
                    file = word
                }
            }
        }
    }

    /// Does what the words say. Returns the exit status: 0 done, 1 no site has a place or the way was not found, 2 wrong
    /// words, 3 a file could not be read or written, 130 cancelled.
    @MainActor static func run(
        _ words: [String], find: Scheduler.Finder? = nil, say: @escaping (String) -> Void
    ) async -> Int32 {
        // The usage has lines; of anything else, the names of the table among it, only letters reach a terminal.
        let tell = say
        let say = { (words: String) in tell(words == usage ? words : printable(words)) }
        let options: Options
        do { options = try Options(words) } catch {
            say("site-schedule: \(error)")
            return 2
        }
        guard !options.wantsHelp, let path = options.file else {
            say(usage)
            return options.wantsHelp ? 0 : 2
        }
        do {
            let file = URL(fileURLWithPath: path)
            let scheduler = Scheduler(try SiteTable(contentsOf: file), find: find)
            let width = scheduler.table.sites.map(\.name.count).max() ?? 0
            await scheduler.locate { site, outcome in say(line(site, outcome, width: width)) }
            if scheduler.outcomes.contains(where: { if case .found = $0 { true } else { false } }) {
                try scheduler.table.save(to: file)
            }
            if scheduler.wasCancelled {
                say("Cancelled; what was found so far is saved.")
                return 130
            }
            return try await draw(scheduler, options, say)
        } catch {
            say("site-schedule: \((error as? SiteTable.Failure)?.description ?? error.localizedDescription)")
            return 3
        }
    }

    /// The pictures, and the way to one site.
    @MainActor private static func draw(
        _ scheduler: Scheduler, _ options: Options, _ say: (String) -> Void
    ) async throws -> Int32 {
        let sites = scheduler.table.sites
        guard !sites.isEmpty else {
            say("No sites.")
            return 0
        }
        let located = scheduler.located
        guard let first = located.first else {
            say("None of the \(sites.count) sites has a place: no map.")
            return 1
        }
        scheduler.showSites()
        try write(try scheduler.map.pngData(), to: options.map)
        say("\(located.count) of \(sites.count) sites on the map, \(options.map)")

        guard let name = options.to else { return 0 }
        func number(_ name: String) -> Int? { located.first { sites[$0].name == name } }
        guard let end = number(name), let start = options.from.map(number) ?? first else {
            say("No site called \"\(number(name) == nil ? name : options.from ?? "")\" has a place.")
            return 1
        }
        let route: MKRoute
        do { route = try await scheduler.way(from: start, to: end) } catch {
            say("No way to \(name) from \(sites[start].name): \(error.localizedDescription)")
            return 1
        }
        let length = MKDistanceFormatter().string(fromDistance: route.distance)
        let minutes = Int((route.expectedTravelTime / 60).rounded(.up))
        say("To \(name) from \(sites[start].name): \(length), \(minutes) min by car")
        for step in route.steps where !step.instructions.isEmpty { say("  \(step.instructions)") }
        for notice in route.advisoryNotices { say("  ! \(notice)") }
        scheduler.show(route, from: start, to: end)
        try write(try scheduler.map.pngData(), to: options.way)
        if let path = options.geoJSON { try write(try route.geoJSON(name: name), to: path) }
        return 0
    }

    private static func write(_ data: Data, to path: String) throws {
        do { try data.write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw SiteTable.Failure(description: "\(path) could not be written: \(error.localizedDescription)")
        }
    }

    /// The words with signs that would steer a terminal or turn its text shown as U+FFFD.
    private static func printable(_ words: String) -> String {
        String(
            String.UnicodeScalarView(
                words.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    case .format where scalar.properties.isBidiControl: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    /// `Cathedral      50.94130, 6.95719   found: Domkloster 4`
    static func line(_ site: Site, _ outcome: Scheduler.Outcome, width: Int) -> String {
        let place = site.coordinate.map { String(format: "%.5f, %.5f", $0.latitude, $0.longitude) } ?? "-"
        let words =
            switch outcome {
            case .known: "already known"
            case .found(let name): "found: \(name)"
            case .street(let name, let number): "found: \(name), without the number \(number); not saved"
            case .notFound(let reason): reason
            case .notUnderstood(let cells): "coordinates not understood: \(cells)"
            }
        return site.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
            + place.padding(toLength: max(22, place.count + 2), withPad: " ", startingAt: 0) + words
    }
}

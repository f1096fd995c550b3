import Foundation
import Geometry
import Sextant

/// `sextant open`: does what a map link says, by the command that a person would have typed.
enum OpenCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        guard arguments.words.count == 1, let text = arguments.words.first else {
            throw UsageError("which link? sextant open LINK; quote it, since & means something to the shell")
        }
        let link = try read(text)
        switch link.purpose {
        case .show(let place, let label): return try show(place, label, link, arguments, console)
        case .search(let words, let near):
            guard let area = try area(link, near: near, arguments, console) else { return .nothingFound }
            return try run(.search, options: area, words: [words], arguments, console)
        case .route(let from, let via, let to, let mode):
            guard let start = try from ?? arguments["--from"].map({ try LinkCommand.place($0) }) else {
                throw UsageError("the link begins where you are; say where that is: --from LAT,LON")
            }
            guard mode != .transit else {
                console.complain("no way by public transport: an atlas holds no timetables")
                return .noRoute
            }
            let profiles: [MapLink.Mode: String] = [.walking: "foot", .cycling: "bicycle"]
            let profile = mode.flatMap { profiles[$0] } ?? "car"
            return try run(
                .route, options: ["--profile", profile], words: ([start] + via + [to]).map(\.words), arguments,
                console)
        }
    }

    static func read(_ text: String) throws -> MapLink {
        do {
            return try MapLink(reading: text)
        } catch {
            throw UsageError(error.description)
        }
    }

    /// Runs another command with options of its own and those that were passed on.
    static func run(
        _ command: Subcommand, options: [String], words: [String], picture: String? = "--map", _ arguments: Arguments,
        _ console: Console
    ) throws -> ExitCode {
        var all = options
        if let file = arguments["--output"], let picture { all.append("\(picture)=\(file)") }
        let spoken = (all + words).map(shellWord)
        for name in ["--language", "--atlas", "--size", "--scale", "--style", "--json", "--geojson", "--no-world"]
        where arguments.has(name) && command.options.contains(where: { $0.name == name }) {
            let values = arguments.all(name)
            all += values.isEmpty ? [name] : values.map { "\(name)=\($0)" }
        }
        let parsed = try Arguments(all + ["--"] + words, options: command.options)
        console.say("= sextant \(command.name) \(spoken.joined(separator: " "))")
        switch command.name {
        case "route": return try RouteCommand.run(parsed, console)
        case "search": return try SearchCommand.run(parsed, console)
        case "geocode": return try GeocodeCommand.run(parsed, console)
        case "map": return try MapCommand.run(parsed, console)
        default: return try ReverseCommand.run(parsed, console)
        }
    }

    /// A word as a person can type it, whatever the link had in it: quoted where the shell would read more into it.
    static func shellWord(_ word: String) -> String {
        let word = oneLine(word)
        let harmless = word.allSatisfy { $0.isLetter || $0.isNumber || "._,/:=+@%- ".contains($0) }
        if harmless, !word.isEmpty { return word.contains(" ") ? "\"\(word)\"" : word }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// The text with its line ends and other control characters as blanks.
    private static func oneLine(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0.properties.generalCategory == .control || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0
                }))
    }

    /// Tells what is at a place and, where a file is named, draws it.
    private static func show(
        _ place: MapLink.Place?, _ label: String?, _ link: MapLink, _ arguments: Arguments, _ console: Console
    ) throws -> ExitCode {
        if let label { console.say(oneLine(label)) }
        let point: Coordinate
        switch place {
        case .text(let address):
            return try run(.geocode, options: ["--limit=1"], words: [address], arguments, console)
        case .coordinate(let shown): point = shown
        case nil:
            guard let center = link.center else { throw UsageError("the link shows no place") }
            point = center
        }
        let spot = coordinateText(point)
        let code = try run(.reverse, options: [], words: [spot], picture: nil, arguments, console)
        guard arguments.has("--output") else { return code }
        var options = ["--center=\(spot)"]
        if let span = link.span {
            options.append("--span=\(span.latitude),\(span.longitude)")
        } else {
            options.append("--zoom=\(decimalText(link.zoom ?? 16, places: 0))")
        }
        if place != nil { options.append("--pin=\(spot)" + (label.map { "=\($0)" } ?? "")) }
        return try run(.map, options: options, words: [], picture: "--output", arguments, console)
    }

    /// Where a link searches, as options of `sextant search`; nil where the place that it names is not found.
    private static func area(_ link: MapLink, near: MapLink.Place?, _ arguments: Arguments, _ console: Console) throws
        -> [String]?
    {
        var center = link.center
        switch near {
        case .coordinate(let point): center = point
        case .text(let name):
            let atlas = try AtlasChoice.open(arguments, console)
            guard let place = try RouteCommand.find(name, near: nil, atlas, arguments.languages) else {
                console.complain("nothing found for \"\(name)\", near which the link searches")
                return nil
            }
            center = place.coordinate
        case nil: break
        }
        guard let center else { return ["--bbox=-180,-90,180,90"] }
        guard let span = link.span else { return ["--near=\(coordinateText(center))"] }
        return ["--near=\(coordinateText(center))", "--span=\(span.latitude),\(span.longitude)"]
    }
}

/// `sextant link`: writes a map link.
enum LinkCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let link = try link(arguments)
        if arguments.has("--geo") {
            guard let geo = link.geo else { throw UsageError("--geo links show a coordinate, and nothing else") }
            console.print(geo)
        } else {
            console.print(link.text)
        }
        return .found
    }

    /// The link that the arguments describe.
    static func link(_ arguments: Arguments) throws -> MapLink {
        let words = arguments.words.joined(separator: " ").trimmed
        var link: MapLink
        if let to = arguments["--to"] {
            guard words.isEmpty else { throw UsageError("--to tells the destination; \"\(words)\" stands beside it") }
            let mode = try arguments["--mode"].map { text in
                guard let mode = MapLink.Mode(rawValue: text) else {
                    throw UsageError("--mode is driving, walking, transit or cycling, not \"\(text)\"")
                }
                return mode
            }
            link = MapLink(.route(from: try arguments["--from"].map { try place($0) }, to: try place(to), mode: mode))
        } else if let search = arguments["--search"]?.trimmed {
            guard !search.isEmpty else { throw UsageError("--search wants words to search for") }
            link = MapLink(.search(search, near: words.isEmpty ? nil : try place(words)))
        } else {
            guard !words.isEmpty else {
                throw UsageError("a link to what? sextant link PLACE, --search WORDS or --to PLACE")
            }
            link = MapLink(.show(try place(words), label: arguments["--label"]))
        }
        if let span = try arguments.numbers("--span", count: 2, form: "LAT,LON in degrees, like 0.01,0.01") {
            // Links have six decimals.
            guard span[0] >= 1e-6, span[1] >= 1e-6, span[0] <= 180, span[1] <= 360 else {
                throw UsageError("--span wants two sizes from 0.000001 degrees, like 0.01,0.01")
            }
            link.span = MapLink.Span(latitude: span[0], longitude: span[1])
        }
        link.zoom = try arguments.whole("--zoom", in: 2...21).map(Double.init)
        return link
    }

    /// A coordinate, or words.
    static func place(_ text: String) throws -> MapLink.Place {
        let text = text.trimmed
        guard !text.isEmpty else { throw UsageError("a place is empty") }
        return try Arguments.coordinate(text).map { .coordinate($0) } ?? .text(text)
    }
}

extension MapLink.Place {
    /// As the other commands take it.
    fileprivate var words: String {
        switch self {
        case .coordinate(let point): coordinateText(point)
        case .text(let text): text
        }
    }
}

import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Sextant

extension Arguments {
    /// The languages that `--language` names, best first.
    var languages: [String] {
        (self["--language"] ?? "").split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
    }

    var limit: Int? { get throws { try whole("--limit", in: 1...1000) } }

    /// A coordinate as `LAT,LON`; nil where the text has another form, an error where it lies off the globe.
    static func coordinate(_ text: String) throws -> Coordinate? {
        guard let numbers = numbers(text), numbers.count == 2 else { return nil }
        let point = Coordinate(latitude: numbers[0], longitude: numbers[1])
        guard point.isValid else { throw UsageError("\(text) lies off the globe: latitude comes first, -90 to 90") }
        return point
    }
}

extension Arguments {
    /// The point that `--near` names.
    var near: Coordinate? {
        get throws {
            guard let text = self["--near"] else { return nil }
            guard let point = try Self.coordinate(text) else {
                throw UsageError("--near wants LAT,LON, not \"\(text)\"")
            }
            return point
        }
    }

    /// The box that `--bbox` names.
    var box: BoundingBox? {
        get throws {
            guard let box = try numbers("--bbox", count: 4, form: "W,S,E,N in degrees") else { return nil }
            guard box[1] <= box[3], (-90...90).contains(box[1]), (-90...90).contains(box[3]),
                (-180...180).contains(box[0]), (-180...180).contains(box[2])
            else { throw UsageError("--bbox wants W,S,E,N in degrees, south before north") }
            return BoundingBox(west: box[0], south: box[1], east: box[2], north: box[3])
        }
    }
}

/// Prints places in the form that was asked for; exit code 1 where there are none.
func show(
    _ places: [FoundPlace], _ arguments: Arguments, _ console: Console, asTable: Bool, nothing: String,
    extra: (inout JSONWriter) -> Void = { _ in }
) -> ExitCode {
    if arguments.has("--json") {
        console.print(PlaceList.json(places, extra: extra))
    } else if arguments.has("--geojson") {
        console.print(PlaceList.geoJSON(places))
    } else if asTable {
        let table = PlaceList.table(
            places, width: Console.terminalWidth, isNumbered: arguments.numbers(places.count))
        for line in table.lines { console.print(line) }
    } else {
        for (index, place) in places.enumerated() {
            if index > 0 { console.print() }
            let number = arguments.numbers(places.count) ? index + 1 : nil
            for line in place.card(console, number: number) { console.print(line) }
        }
    }
    guard !places.isEmpty else {
        console.complain(wrappedMessage(nothing, columns: Console.terminalWidth ?? 100))
        return .nothingFound
    }
    PlaceList.sayAttribution(places, console)
    return .found
}

/// `sextant geocode`
enum GeocodeCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        if let table = try TableCommand(arguments, isReverse: false) { return try table.run(arguments, console) }
        if arguments.words.count <= 2, try query(arguments).fields == nil,
            !["--layer", "--bbox", "--countries"].contains(where: { arguments.has($0) }),
            try Arguments.coordinate(arguments.words.joined(separator: " ")) != nil
        {
            return try ReverseCommand.run(arguments, console)
        }
        var query = try query(arguments)
        query.explains = arguments.has("--explain")
        let atlas = try AtlasChoice.open(arguments, console)
        let found = try atlas.geocode(query)
        let nothing = nothing(query, found)
        try arguments.drawMap(of: found.places, atlas, console)
        let code = show(found.places, arguments, console, asTable: false, nothing: nothing) { json in
            if query.explains { ExplanationText.write(found.explanations, to: &json) }
            json.member("unmatchedToken", found.unmatchedToken)
            json.key("nearMisses")
            json.array { array in for place in found.nearMisses { place.write(to: &array) } }
        }
        if query.explains, !arguments.has("--json"), !arguments.has("--geojson") {
            if !found.places.isEmpty { console.print() }
            let width = Console.terminalWidth ?? 80
            for line in ExplanationText.lines(found.explanations, width: width, console: console) {
                console.print(line)
            }
        }
        return code
    }

    /// That nothing was found, why, and what would have been near.
    static func nothing(_ query: GeocodeQuery, _ found: FoundPlaces) -> String {
        var nothing = "nothing found for \"\(described(query))\""
        if let token = found.unmatchedToken {
            nothing += "; no place explains \"\(token)\""
            if found.isUnmatchedTokenKnown {
                let count = words(described(query)) - words(token)
                let them = words(token) > 1 ? "them" : "it"
                nothing +=
                    count < 1
                    ? ", though the atlas knows the name: ask for it elsewhere"
                    : count == 1
                        ? ", which the atlas knows, but not with the other word: leave one of them out"
                        : ", which the atlas knows, but not with the other words: leave \(them) out"
            } else {
                nothing += ", and no name holds that word or one near it: check its spelling"
            }
        }
        let near = found.nearMisses.prefix(3).map { "  \($0.title)" }
        if !near.isEmpty { nothing += "\nClose, but not what was asked for:\n" + near.joined(separator: "\n") }
        return nothing
    }

    private static func words(_ text: String) -> Int {
        text.split { $0.isWhitespace || $0 == "," }.count
    }

    static func query(_ arguments: Arguments) throws -> GeocodeQuery {
        let fields = GeocodeQuery.Fields(
            street: arguments["--street"], houseNumber: arguments["--housenumber"], postcode: arguments["--postcode"],
            city: arguments["--city"], county: arguments["--county"], state: arguments["--state"],
            country: arguments["--country"])
        let hasFields = fields != GeocodeQuery.Fields()
        let text = arguments.words.joined(separator: " ").trimmed
        if hasFields, !text.isEmpty {
            throw UsageError("either free text or fields, not both: \"\(text)\" stands beside a field")
        }
        guard hasFields || !text.isEmpty else { throw UsageError("what should be found? sextant geocode QUERY") }
        var query = try template(arguments)
        query.text = text
        query.fields = hasFields ? fields : nil
        return query
    }

    /// A query without its text: what the arguments say of where, what and in which languages.
    static func template(_ arguments: Arguments) throws -> GeocodeQuery {
        let box = try arguments.box
        if arguments.has("--bounded"), box == nil { throw UsageError("--bounded needs a box: --bbox W,S,E,N") }
        return GeocodeQuery(
            languages: arguments.languages, limit: try arguments.limit ?? 5, near: try arguments.near, viewbox: box,
            isBounded: arguments.has("--bounded"), countries: try countries(arguments), kinds: try kinds(arguments))
    }

    /// The codes of countries that `--countries` lists, in small letters.
    private static func countries(_ arguments: Arguments) throws -> [String] {
        guard let list = arguments["--countries"] else { return [] }
        return try list.split(separator: ",").map { part in
            let code = part.trimmed.lowercased()
            guard code.utf8.count == 2, code.utf8.allSatisfy({ (0x61...0x7a).contains($0) }) else {
                throw UsageError("--countries wants codes of two letters, like de,at, not \"\(part)\"")
            }
            return code
        }
    }

    /// The kinds of places that `--layer` lists; nil without it.
    private static func kinds(_ arguments: Arguments) throws -> Set<FeatureKind>? {
        guard let list = arguments["--layer"] else { return nil }
        var kinds: Set<FeatureKind> = []
        for word in list.split(separator: ",").map({ $0.trimmed }) {
            guard let layer = layers.first(where: { $0.name == word }) else {
                throw UsageError(
                    "--layer wants \(layers.map(\.name).joined(separator: ", ")) or several, not \"\(word)\"")
            }
            kinds.formUnion(layer.kinds)
        }
        return kinds
    }

    private static let places: Set<FeatureKind> = [.country, .region, .county, .municipality, .place, .suburb]
    private static let layers: [(name: String, kinds: Set<FeatureKind>)] = [
        ("address", places.union([.postcode, .street, .address, .interpolation])), ("place", places),
        ("postcode", [.postcode]), ("street", [.street]), ("house", [.address, .interpolation]),
        ("poi", [.pointOfInterest]), ("stop", [.stop]), ("natural", [.water, .park, .peak, .otherNatural]),
    ]

    private static func described(_ query: GeocodeQuery) -> String {
        guard let fields = query.fields else { return query.text }
        return [
            fields.street, fields.houseNumber, fields.postcode, fields.city, fields.county, fields.state,
            fields.country,
        ].compactMap { $0 }
            .joined(separator: ", ")
    }
}

/// `sextant reverse`
enum ReverseCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        if let table = try TableCommand(arguments, isReverse: true) { return try table.run(arguments, console) }
        let point = try point(arguments)
        let atlas = try AtlasChoice.open(arguments, console)
        let found = try atlas.reverse(point, options: try options(arguments))
        try arguments.drawMap(of: found.map { [$0] } ?? [], atlas, console)
        let around = try atlas.surroundings(of: point, languages: arguments.languages)
        return show(
            found.map { [$0] } ?? [], arguments, console, asTable: false,
            nothing: around.ocean.map { "nothing but the \($0) at \(coordinateText(point))" }
                ?? "nothing known at \(coordinateText(point))"
        ) { json in
            json.member("timeZone", around.timeZone)
            json.member("ocean", around.ocean)
            for (key, names) in [("waters", around.waters), ("areas", around.areas)] {
                json.key(key)
                json.array { array in for name in names { array.string(name) } }
            }
        }
    }

    /// What the arguments say of detail and layers.
    static func options(_ arguments: Arguments) throws -> ReverseOptions {
        var options = ReverseOptions(languages: arguments.languages)
        if let word = arguments["--level"] {
            guard let detail = ReverseOptions.Detail(rawValue: word) else {
                let known = ReverseOptions.Detail.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError("--level wants one of \(known), not \"\(word)\"")
            }
            options.finestRank = detail.finestRank
        }
        if let list = arguments["--layer"] {
            options.layers = []
            for word in list.split(separator: ",").map({ $0.trimmed }) {
                guard let layer = layers.first(where: { $0.name == word })?.layer else {
                    throw UsageError(
                        "--layer wants \(layers.map(\.name).joined(separator: ", ")) or several, not \"\(word)\"")
                }
                options.layers.insert(layer)
            }
        }
        return options
    }

    private static let layers: [(name: String, layer: ReverseOptions.Layers)] = [
        ("address", .address), ("street", .streets), ("house", .houses), ("poi", .pointsOfInterest), ("stop", .stops),
        ("natural", .natural),
    ]

    static func point(_ arguments: Arguments) throws -> Coordinate {
        let text =
            arguments.words.count == 2
            ? arguments.words.map(\.trimmedComma).joined(separator: ",") : arguments.words.first
        guard let text, arguments.words.count <= 2, let point = try Arguments.coordinate(text) else {
            throw UsageError("which point? sextant reverse LAT LON")
        }
        return point
    }
}

extension String {
    /// Without a comma at its end.
    fileprivate var trimmedComma: String { hasSuffix(",") ? String(dropLast()) : self }
}

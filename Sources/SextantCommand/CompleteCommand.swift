import Gazetteer
import Geometry
import Sextant

/// `sextant complete`
enum CompleteCommand {
    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let query = try query(arguments)
        let atlas = try AtlasChoice.open(arguments, console)
        let found = try atlas.complete(query)
        if arguments.has("--json") {
            console.print(json(found))
        } else {
            for line in table(found, width: Console.terminalWidth).lines { console.print(line) }
        }
        guard !found.isEmpty else {
            console.complain("nothing begins with \"\(query.text)\"")
            return .nothingFound
        }
        if found.allSatisfy({ $0.completion.edits > 0 }) {
            console.say("Nothing begins with \"\(query.text)\"; these are near to it.")
        }
        return .found
    }

    static func query(_ arguments: Arguments) throws -> CompletionQuery {
        let text = arguments.words.joined(separator: " ")
        guard !text.trimmed.isEmpty else { throw UsageError("what was typed? sextant complete TEXT") }
        return CompletionQuery(
            text, near: try arguments.near, languages: arguments.languages, limit: try arguments.limit ?? 10)
    }

    /// One line a completion: title, where it is, what it is, how far.
    ///
    /// On a terminal that is too narrow the places around are shortened, then left out, then the titles are shortened.
    static func table(_ found: [AtlasCompletion], width: Int? = nil) -> Table {
        let rows = found.map { one in
            [one.title, one.subtitle, kindText(one.completion), one.distance.map(distanceText) ?? ""]
        }
        func table(title: Int, subtitle: Int) -> Table {
            var table = Table([.left, .left, .left, .right])
            for row in rows {
                table.add(
                    shortened(row[0], to: title), subtitle == 0 ? "" : shortened(row[1], to: subtitle), row[2], row[3])
            }
            return table
        }
        func excess(_ table: Table, _ width: Int) -> Int { (table.lines.map(displayWidth).max() ?? 0) - width }
        func widest(_ column: Int) -> Int { rows.map { displayWidth($0[column]) }.max() ?? 0 }
        let whole = table(title: .max, subtitle: .max)
        guard let width, excess(whole, width) > 0 else { return whole }
        let room = widest(1) - excess(whole, width)
        if room >= 12 { return table(title: .max, subtitle: room) }
        let titles = table(title: .max, subtitle: 0)
        return excess(titles, width) <= 0
            ? titles : table(title: max(widest(0) - excess(titles, width), 8), subtitle: 0)
    }

    /// What it is, in a word.
    static func kindText(_ completion: Completion) -> String {
        guard let kind = completion.kind else { return "search" }
        switch kind {
        case .pointOfInterest: return "place of interest"
        case .otherNatural: return "natural"
        case .timeZone: return "time zone"
        default: return "\(kind)"
        }
    }

    static func json(_ found: [AtlasCompletion]) -> String {
        var json = JSONWriter(reservingCapacity: 256 + found.count * 384)
        json.object { json in
            json.key("completions")
            json.array { array in for one in found { write(one, to: &array) } }
        }
        return json.text
    }

    private static func write(_ one: AtlasCompletion, to json: inout JSONWriter) {
        let completion = one.completion
        json.object { object in
            object.member("title", completion.title)
            object.member("subtitle", completion.subtitle)
            object.member("kind", completion.kind.map { "\($0)" } ?? "category")
            if case .category(let name) = completion.meaning { object.member("category", name) }
            // UTF-16 units: start and length.
            for (name, ranges) in [
                ("titleHighlights", completion.titleHighlights), ("subtitleHighlights", completion.subtitleHighlights),
            ] {
                object.key(name)
                object.array { array in
                    for range in ranges {
                        array.array { pair in
                            pair.integer(range.lowerBound)
                            pair.integer(range.count)
                        }
                    }
                }
            }
            if let location = completion.location {
                object.member("latitude", location.latitude, decimals: 7)
                object.member("longitude", location.longitude, decimals: 7)
            }
            if let distance = one.distance { object.member("distance", distance, decimals: 1) }
            object.member("score", completion.score, decimals: 4)
            object.member("edits", completion.edits)
        }
    }
}

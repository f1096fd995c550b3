import Foundation
import Gazetteer
import Geometry
import HTTPServer
import Sextant

/// Asks for texts that nobody means well: every plane of Unicode, operators of SQL and of full-text search, quotes without
/// their other half, control characters, marks of direction, 100 kB at once, and real addresses torn apart. Any error, any
/// answer of a server that failed, counts; so does the processor time of the slowest first answer. Where it took long the text
/// is asked three times more, and the fastest of those is told beside it: the first alone is held to a limit. The atlas is
/// made ready beforehand, as a server does.
enum HostileBench {
    private static let suspicious = 20.0

    private struct Slow {
        var first: Double
        var again: Double
        var input: Int
        var text: String

        func json(prefix: Int) -> [String: Any] {
            ["ms": first, "again_ms": again, "input": input, "text": String(text.prefix(prefix))]
        }
    }

    static func run(_ path: String, world: String?, seed: UInt64, inputs: Range<Int>) throws {
        let atlas = try Atlas.open([path], world: world)
        guard let part = atlas.parts.first else { return }
        var readiness = Timings()
        try readiness.timeOnProcessor { try atlas.warmUp() }
        let dialects = Dialects(atlas)
        let samples = try Sample.all(of: part.gazetteer)
        var slowest: [String: Slow] = [:]
        var slow: [[String: Any]] = []
        var errors: [String] = []
        var answered = 0
        for input in inputs {
            // Each input from its own seed, so that one alone can be made again.
            var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(input))
            let text = HostileText.make(from: samples, using: &random)
            let near = Bool.random(using: &random) ? samples.randomElement(using: &random)?.location : nil
            func ask(_ name: String, _ body: () throws -> Bool) {
                var timing = Timings()
                do {
                    if try timing.timeOnProcessor(body) { answered += 1 }
                } catch {
                    if errors.count < 100 { errors.append("\(name), seed \(seed), input \(input): \(error)") }
                }
                guard let first = timing.milliseconds.first else { return }
                var answer = Slow(first: first, again: first, input: input, text: text)
                if first > suspicious {
                    // Other programs disturb even processor time: whether it was they, later answers show.
                    var later = Timings()
                    for _ in 0..<3 { _ = try? later.timeOnProcessor(body) }
                    answer.again = later.milliseconds.min() ?? first
                    slow.append(answer.json(prefix: 200).merging(["kind": name]) { old, _ in old })
                }
                if first > slowest[name]?.first ?? 0 { slowest[name] = answer }
            }
            func serve(_ path: String, _ name: String) -> Bool {
                let response = dialects.respond(to: HTTPRequest(path: path, query: [(name, text), ("limit", "5")]))
                if response.status >= 500, errors.count < 100 {
                    errors.append("\(path), seed \(seed), input \(input): status \(response.status)")
                }
                return response.status == 200
            }
            switch input % 5 {
            case 0:
                var fields = GeocodeQuery.Fields(street: text, city: samples.randomElement(using: &random)?.name)
                if Bool.random(using: &random) { swap(&fields.street, &fields.city) }
                ask("fields") { try !atlas.geocode(GeocodeQuery(fields: fields, near: near)).places.isEmpty }
            case 1: ask("complete") { try !atlas.complete(CompletionQuery(text, near: near)).isEmpty }
            case 2: ask("search") { serve("/search", "q") }
            case 3: ask("photon") { serve("/api", "q") }
            default:
                var query = GeocodeQuery(text, near: near)
                query.explains = Bool.random(using: &random)
                ask("geocode") { try !atlas.geocode(query).places.isEmpty }
            }
        }
        try SextantBench.print([
            "inputs": inputs.count, "seed": seed, "warm_up_ms": readiness.milliseconds.first ?? 0, "answered": answered,
            "errors": errors,
            "slowest": slowest.mapValues { $0.json(prefix: 160) },
            "slow": slow, "slowest_ms": slowest.values.map(\.first).max() ?? 0,
        ])
    }
}

/// Texts to be refused or answered, never to fall over.
enum HostileText {
    private static let operators = [
        "'; DROP TABLE feature; --", "\" OR 1=1 --", "NEAR(", "name_text MATCH", "AND", "OR", "NOT", "a NEAR/5 b",
        "col:", "*",
        "^", "\"\"\"", "'", "\"", "(", ")", "{", "}", "[amenity=pub]", "[", "%", "%00", "\\", "\u{0}", "/", "//", "--",
        "/*", "&",
        "=a_b", "@wort", "~", "!", "|", ";", ",", "\u{202e}", "\u{200f}", "\u{200d}", "\u{feff}", "\u{7}", "\u{1b}[31m",
        "\r\n", "\t", "½", "12-14", "1/2", "c/o", "corner of", "and", "postfach", "47.1,9.5", "geo:0,0", "8FVC9G8F+6X",
        "+", "-1",
        "99999999999999999999", "NaN", "inf", "1e999", "🏳️‍🌈", "e\u{301}\u{301}\u{301}", "ß", "İ", "ﷺ", "𝔘𝔫𝔦", "ｆｕｌｌ",
    ]

    static func make(from samples: [Sample], using random: inout SeededGenerator) -> String {
        func real() -> String {
            let sample = samples.randomElement(using: &random)
            return sample?.text ?? sample?.name ?? ""
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return scalars(Int.random(in: 1...60, using: &random), in: 1...0x10ffff, using: &random)
        case 1:
            // A plane at a time.
            let plane = UInt32.random(in: 0...16, using: &random)
            return scalars(
                Int.random(in: 1...200, using: &random), in: max(plane << 16, 1)...(plane << 16 | 0xffff),
                using: &random)
        case 2:
            return (0..<Int.random(in: 1...12, using: &random)).map { _ in operators.randomElement(using: &random) ?? ""
            }
            .joined(separator: Bool.random(using: &random) ? " " : "")
        case 3:
            // Real words with operators between.
            var words = real().split(separator: " ").map(String.init)
            for _ in 0..<3 {
                words.insert(
                    operators.randomElement(using: &random) ?? "", at: Int.random(in: 0...words.count, using: &random))
            }
            return words.joined(separator: " ")
        case 4:
            // Letters exchanged at random in a real address.
            var letters = Array(real())
            for _ in 0..<Int.random(in: 1...6, using: &random) where !letters.isEmpty {
                letters[Int.random(in: 0..<letters.count, using: &random)] =
                    Character(Unicode.Scalar(UInt8.random(in: 32...126, using: &random)))
            }
            return String(letters)
        case 5:
            // Words of many addresses at once.
            return (0..<Int.random(in: 2...30, using: &random)).map { _ in real() }.joined(separator: " ")
        case 6:
            let unit = Bool.random(using: &random) ? real() + " " : operators.randomElement(using: &random) ?? "a"
            guard !unit.isEmpty, Int.random(in: 0..<20, using: &random) == 0 else { return unit + unit + unit }
            return String(repeating: unit, count: 100_000 / max(unit.utf8.count, 1) + 1)
        case 7: return String(real().prefix(Int.random(in: 0...12, using: &random)))
        case 8: return scalars(Int.random(in: 1...80, using: &random), in: 1...0x7f, using: &random)
        default: return real().split(separator: " ").shuffled(using: &random).joined(separator: " ")
        }
    }

    private static func scalars(
        _ count: Int, in range: ClosedRange<UInt32>, using random: inout SeededGenerator
    ) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<count {
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}

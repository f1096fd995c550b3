import Foundation
import Gazetteer
import Geometry
import Sextant

/// Asks an atlas questions that another program wrote down, for a comparison with other engines over the same ones.
///
/// A line a question: kind, text, longitude and latitude of the right answer, its house number. For the kind `reverse` the
/// text is the asked point, `lon,lat`. A hit is the first answer with the house number, within 100 m.
enum QuestionsBench {
    private struct Question {
        var kind: String
        var text: String
        var answer: Coordinate
        var number: String
        /// The asked point of a reverse look-up.
        var point: Coordinate?

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 5, let longitude = Double(fields[2]), let latitude = Double(fields[3]) else {
                return nil
            }
            kind = fields[0]
            text = fields[1]
            answer = Coordinate(latitude: latitude, longitude: longitude)
            number = fields[4]
            guard kind == "reverse" else { return }
            let asked = text.split(separator: ",").compactMap { Double($0) }
            guard asked.count == 2 else { return nil }
            point = Coordinate(latitude: asked[1], longitude: asked[0])
        }
    }

    static func run(_ path: String, questions: String) throws {
        let atlas = try Atlas.open([path])
        let all = try String(contentsOfFile: questions, encoding: .utf8).split(separator: "\n").compactMap(
            Question.init)
        guard !all.isEmpty else { throw AtlasHasNothing(path: questions) }
        var times: [String: Timings] = [:]
        var hits: [String: Int] = [:]
        for question in all.prefix(50) { _ = try answer(question, atlas) }
        for question in all {
            let first = try times[question.kind, default: Timings()].time { try answer(question, atlas) }
            if let first, let number = first.address.houseNumber,
                !Set(HouseNumber.keys(number)).isDisjoint(with: HouseNumber.keys(question.number)),
                first.coordinate.distance(to: question.answer) <= 100
            {
                hits[question.kind, default: 0] += 1
            }
        }
        try SextantBench.print(
            times.reduce(into: [:]) { figures, entry in
                let milliseconds = entry.value.milliseconds
                let total = milliseconds.reduce(0, +)
                figures[entry.key] =
                    [
                        "count": milliseconds.count, "hits": hits[entry.key] ?? 0,
                        "rate": Double(milliseconds.count) / max(total / 1000, 1e-9),
                        "p50_ms": milliseconds.sorted()[milliseconds.count / 2],
                    ] as [String: Any]
            })
    }

    private static func answer(_ question: Question, _ atlas: Atlas) throws -> FoundPlace? {
        if let point = question.point { return try atlas.reverse(point) }
        return try atlas.geocode(GeocodeQuery(question.text, limit: 1)).places.first
    }
}

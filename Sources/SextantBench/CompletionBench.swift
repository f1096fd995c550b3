import Foundation
import Gazetteer
import Geometry
import Sextant

/// Times completion on every keystroke of names and addresses that the atlas holds, one thread, after a warming round, in processor time, near
/// a point some hundred metres from what is meant; every tenth text has two letters exchanged.
enum CompletionBench {
    static func figures(_ atlas: Atlas, seed: UInt64, count: Int) throws -> [String: Any] {
        guard let part = atlas.parts.first else { return [:] }
        var random = SeededGenerator(seed: seed)
        let samples = try Sample.all(of: part.gazetteer)
        var asked: [(text: String, near: Coordinate, isWrong: Bool)] = []
        for index in 0..<count {
            guard let sample = samples.randomElement(using: &random) else { break }
            var letters = Array(index.isMultiple(of: 2) ? sample.name : sample.text ?? sample.name)
            let isWrong = index % 10 == 9 && letters.count > 4
            if isWrong { letters.swapAt(2, 3) }
            let near = Coordinate(
                latitude: sample.location.latitude + Double.random(in: -0.003...0.003, using: &random),
                longitude: sample.location.longitude + Double.random(in: -0.003...0.003, using: &random))
            asked.append((String(letters), near, isWrong))
        }
        var all = Timings()
        var byLength: [Int: Timings] = [:]
        var wrong = Timings()
        var slowest: (milliseconds: Double, text: String) = (0, "")
        var hits = 0
        var lettersToHit = 0
        var most = CompletionEffort()
        for round in 0..<2 {
            for (text, near, isWrong) in asked {
                var isHit = false
                for length in 1...text.count {
                    let typed = String(text.prefix(length))
                    let query = CompletionQuery(typed, near: near)
                    var timing = Timings()
                    let found = try timing.timeOnProcessor { try atlas.complete(query) }
                    guard round == 1, let taken = timing.milliseconds.first else { continue }
                    all.add(taken)
                    byLength[min(length, 12), default: Timings()].add(taken)
                    if isWrong { wrong.add(taken) }
                    if taken > slowest.milliseconds { slowest = (taken, typed) }
                    if !isHit, !isWrong,
                        found.prefix(3).contains(where: { $0.title == text || text.hasPrefix($0.title + ",") })
                    {
                        isHit = true
                        hits += 1
                        lettersToHit += length
                    }
                }
                if round == 1 {
                    for part in atlas.parts {
                        let effort = try part.gazetteer.complete(CompletionQuery(text, near: near)).effort
                        most.statements = max(most.statements, effort.statements)
                        most.rows = max(most.rows, effort.rows)
                    }
                }
            }
        }
        var figures = all.figures
        figures["by_letters"] = Dictionary(uniqueKeysWithValues: byLength.map { ("\($0)", $1.figures) })
        figures["misspelled"] = wrong.figures
        figures["slowest"] = slowest.text
        figures["hits"] = Double(hits) / Double(max(asked.filter { !$0.isWrong }.count, 1))
        figures["letters_to_hit"] = Double(lettersToHit) / Double(max(hits, 1))
        figures["most_statements"] = most.statements
        figures["most_rows"] = most.rows
        return figures
    }
}

import Foundation

/// Counts by level, in all and by capability.
struct RoutingTally {
    struct Count {
        var queries = 0
        /// How many reached each level from 0.
        var reached = [0, 0, 0, 0]

        func share(_ level: Int) -> Double { queries > 0 ? Double(reached[level]) / Double(queries) : 0 }
    }

    var total = Count()
    var byCapability: [String: Count] = [:]
    /// How many queries below level 3 have each kind of fault.
    var byKind: [String: Int] = [:]
    /// A line for each query below level 3.
    var faults: [String] = []

    mutating func add(_ scene: RoutingCase, _ scores: [(RoutingCase.Query, RoutingScore)]) {
        for (query, score) in scores {
            for level in 0...score.level {
                total.reached[level] += 1
                byCapability[scene.capability, default: Count()].reached[level] += 1
            }
            total.queries += 1
            byCapability[scene.capability, default: Count()].queries += 1
            if score.level < 3 {
                byKind[score.kind, default: 0] += 1
                faults.append(
                    "\(score.level) \(scene.id) row \(query.row) \(query.via.joined(separator: ",")): \(score.fault)")
            }
        }
    }

    func summary(of file: String) -> String {
        var lines = [Self.line(file + ".json", total)]
        for (name, count) in byCapability.sorted(by: { $0.value.queries > $1.value.queries }) {
            lines.append(Self.line("    " + name, count))
        }
        for (kind, count) in byKind.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("    fault: \(kind): \(count)")
        }
        return lines.joined(separator: "\n")
    }

    private static func line(_ name: String, _ count: Count) -> String {
        let shares = (1...3).map { level in
            let perMille = Int((count.share(level) * 1000).rounded())
            return "level \(level) \(perMille / 10).\(perMille % 10) %"
        }
        return name.padding(toLength: 60, withPad: " ", startingAt: 0) + "\(count.queries) queries: "
            + shares.joined(separator: ", ")
    }
}

import Foundation

/// What held and what did not of one file of geocoding cases.
struct GeocodingTally {
    struct Problem {
        /// A few words that failures are counted by, such as `field address/city`.
        var reason: String
        /// The request, what was wanted and what was found.
        var line: String
    }

    private var groups: [String: (passed: Int, all: Int)] = [:]
    private var reasons: [String: Int] = [:]
    private var failures: [String: [String]] = [:]

    mutating func add(id: String, group: String, title: String, _ problems: [Problem]) {
        groups[group, default: (0, 0)].all += 1
        guard let first = problems.first else {
            groups[group]?.passed += 1
            return
        }
        reasons[first.reason, default: 0] += 1
        failures[first.reason, default: []] += ["\(id) [\(group)] \(title)"] + problems.map { "    " + $0.line }
    }

    var all: Int { groups.values.reduce(0) { $0 + $1.all } }
    var passed: Int { groups.values.reduce(0) { $0 + $1.passed } }
    var share: Double { all > 0 ? Double(passed) / Double(all) : 1 }

    /// Prints a line for each group and one for the file; writes failures by their reason into the folder of reports.
    func report(_ file: String) {
        for (group, count) in groups.sorted(by: { $0.key < $1.key }) {
            print("  \(group): \(count.passed) of \(count.all)")
        }
        let perMille = Int((share * 1000).rounded(.down))
        print("geocoding/\(file): \(passed) of \(all) hold (\(perMille / 10).\(perMille % 10) %)")
        var lines: [String] = []
        for (reason, count) in reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("\(count) \(reason)")
        }
        for (reason, _) in reasons.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("")
            lines.append("== \(reason)")
            lines += failures[reason] ?? []
        }
        Shared.report("geocoding-" + file.replacingOccurrences(of: ".json", with: ".txt"), lines)
    }
}

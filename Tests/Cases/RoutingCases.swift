import Foundation
import Geometry
import HTTPServer
import Routing
import Testing

/// The shared routing cases, asked through the OSRM dialect in process.
///
/// Prints a line for each file and capability. With `SEXTANT_CASES_REPORT=PATH` the faults go to `PATH.car`,
/// `PATH.engine`, `PATH.guidance` and so on, a line each.
struct RoutingCases {
    /// The file, the level that counts, and the share of queries that must reach it, just under what is reached.
    struct Floor: Sendable, CustomStringConvertible {
        var file: String
        var level: Int
        var share: Double
        var description: String { file }
    }

    static let floors = [
        Floor(file: "car", level: 1, share: 0.96), Floor(file: "engine", level: 1, share: 0.95),
        Floor(file: "guidance", level: 2, share: 0.95),
    ]

    @Test(arguments: floors)
    func theSharedCasesAreAnswered(floor: Floor) throws {
        guard let file = try RoutingCaseFile.read(floor.file) else {
            print("routing cases: \(floor.file).json is not there; skipped")
            return
        }
        var tally = RoutingTally()
        for scene in file.cases { tally.add(scene, try Self.scores(of: scene)) }
        print(tally.summary(of: floor.file))
        if let path = ProcessInfo.processInfo.environment["SEXTANT_CASES_REPORT"], !path.isEmpty {
            try tally.faults.joined(separator: "\n").write(
                toFile: "\(path).\(floor.file)", atomically: true, encoding: .utf8)
        }
        #expect(tally.total.share(floor.level) >= floor.share)
    }

    /// The score of each judged query of a case.
    static func scores(of scene: RoutingCase) throws -> [(RoutingCase.Query, RoutingScore)] {
        let dialect = OSRMDialect(departure: scene.departureUnix, router: Router(graph: try scene.graph()))
        var scores: [(RoutingCase.Query, RoutingScore)] = []
        for query in scene.queries where query.expect.isJudged {
            guard let request = request(query, in: scene) else { continue }
            scores.append(
                (query, RoutingScore(try RoutingAnswer(dialect.respond(to: request)), query.expect, in: scene)))
        }
        return scores
    }

    static func request(_ query: RoutingCase.Query, in scene: RoutingCase) -> HTTPRequest? {
        let places = query.via.compactMap { scene.place($0) }
        guard places.count == query.via.count else { return nil }
        let path = places.map { "\($0.longitude),\($0.latitude)" }.joined(separator: ";")
        var options: [(name: String, value: String)] = [
            ("steps", "true"), ("overview", "full"), ("geometries", "geojson"),
        ]
        for (name, value) in (query.options ?? [:]).sorted(by: { $0.key < $1.key }) { options.append((name, value)) }
        if let bearings = query.bearings {
            options.append(("bearings", bearings.map { $0 == "*" ? "" : $0 }.joined(separator: ";")))
        }
        if let approaches = query.approaches { options.append(("approaches", approaches.joined(separator: ";"))) }
        return HTTPRequest(path: "/route/v1/\(scene.profile)/\(path)", query: options)
    }
}

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

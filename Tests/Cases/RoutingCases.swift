import Testing

/// The shared routing cases, asked through the OSRM dialect in process.
///
/// Prints a line for each file and capability, and how often each kind of fault came. With `SEXTANT_CASES_REPORT` naming a folder, the faults go into files
/// there, a line each.
struct RoutingCases {
    /// The file, the level that counts, and the share of queries that must reach it, just under what is reached.
    struct Floor: Sendable, CustomStringConvertible {
        var file: String
        var level: Int
        var share: Double
        var description: String { file }
    }

    static let floors = [
        Floor(file: "car", level: 3, share: 0.99), Floor(file: "engine", level: 3, share: 0.99),
        Floor(file: "bicycle", level: 3, share: 0.97), Floor(file: "foot", level: 3, share: 0.97),
        Floor(file: "guidance", level: 2, share: 0.96),
    ]

    @Test(arguments: floors)
    func theSharedCasesAreAnswered(floor: Floor) throws {
        guard let file = try RoutingCaseFile.read(floor.file) else {
            print("routing cases: \(floor.file).json is not there; skipped")
            return
        }
        var tally = RoutingTally()
        for scene in file.cases { tally.add(scene, try scene.scores()) }
        print(tally.summary(of: floor.file))
        Shared.report("routing-\(floor.file).txt", tally.faults)
        #expect(tally.total.share(floor.level) >= floor.share)
    }
}

import Foundation
import Routing
import Sextant

/// Measures the engine from inside one process; `tools/bench` and `tools/accept` call it.
@main
struct SextantBench {
    static let usage = """
        usage: sextant-bench import FILE... -o ATLAS   seconds, objects a second and peak memory of an import
               sextant-bench latency ATLAS [--world ATLAS] [--seed N] [--count N]
                                                       p50 and p99 of geocode, reverse, search, completion and route over
                                                       random inputs
               sextant-bench routes ATLAS [--profile PROFILE] [--kilometres N] [--seed N] [--count N] [--list]
                                                       p50 and p99 of ways between random ends, without and with steps,
                                                       and how many states were settled; with --list a line a pair
               sextant-bench complete ATLAS [--world ATLAS] [--seed N] [--count N]
                                                       the same of completion alone, by letters typed, and how often what
                                                       was meant is among the first three
               sextant-bench hits ATLAS ADDRESSES.tsv [--seed N] [--count N] [--misses FILE]
                                                       how many addresses are found again, forward and reverse
               sextant-bench forms ATLAS ADDRESSES.tsv [--world ATLAS] [--seed N] [--count N] [--misses FILE]
                                                       the same written in ten mechanical ways
               sextant-bench crossings ATLAS CROSSINGS.tsv [--seed N] [--count N] [--misses FILE]
                                                       how many crossings of two streets are found
               sextant-bench questions ATLAS QUESTIONS.tsv
                                                       rate and hits of questions that another program wrote down
               sextant-bench hostile ATLAS [--world ATLAS] [--seed N] [--count N] [--from N]
                                                       errors and slowest answers over texts that mean no good
               sextant-bench categories ATLAS [--seed N] [--count N]
                                                       times of kinds in random boxes, and of 5,000 places at once
               sextant-bench kinds ATLAS               the objects of every kind of the lexicon
               sextant-bench words ATLAS TERMS.tsv [--misses FILE]
                                                       how many of the terms lead to a kind with the tag before them
               sextant-bench map ATLAS... [--world ATLAS] [--seed N] [--count N]
                                                       times of reading the shapes of random tiles at each zoom
               sextant-bench tiles ATLAS... [--world ATLAS] [--seed N] [--count N]
                                                       processor time of drawing tiles, alone and in a walk
               sextant-bench seams ATLAS... [--world ATLAS] [--seed N] [--count N]
                                                       tiles that differ from the large tile that they are part of
               sextant-bench ground ATLAS... --points FILE.tsv [--world ATLAS]
                                                       adds land or sea at zooms 6, 12 and 19, and as drawn, to each line
               sextant-bench hours MOMENTS.tsv [--place LATITUDE,LONGITUDE --zone NAME]
                                                       a letter for what opening hours say of each moment
        Each but the last two prints one JSON object.
        """

    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        func option(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            let value = arguments[index + 1]
            arguments.removeSubrange(index...index + 1)
            return value
        }
        let seed = option("--seed").flatMap { UInt64($0) } ?? 1
        let count = option("--count").flatMap { Int($0) } ?? 1000
        let first = option("--from").flatMap { Int($0) } ?? 0
        let output = option("-o")
        let misses = option("--misses")
        let world = option("--world")
        let points = option("--points")
        let place = option("--place")
        let zone = option("--zone")
        let profileName = option("--profile") ?? "car"
        let profile = Profile.allCases.first { "\($0)" == profileName }
        let kilometres = option("--kilometres").flatMap { Double($0) }
        let pairs = option("--pairs")
        let excluded = option("--exclude").flatMap { RoadKinds($0) } ?? []
        let avoided = option("--avoid").flatMap { RoadKinds($0) } ?? []
        let closures = option("--closures").flatMap { Int($0) } ?? 0
        let lists = arguments.contains("--list")
        arguments.removeAll { $0 == "--list" }
        do {
            switch (arguments.first, arguments.count) {
            case ("import", 2...):
                guard let output else { fail(usage) }
                try ImportBench.run(Array(arguments.dropFirst()), to: output)
            case ("latency", 2): try LatencyBench.run(arguments[1], world: world, seed: seed, count: count)
            case ("routes", 2):
                guard let profile else { fail(usage) }
                try RoutesBench(
                    profile: profile, seed: seed, count: count, kilometres: kilometres, pairsFile: pairs,
                    excluded: excluded, avoided: avoided, closures: closures, lists: lists
                ).run(arguments[1])
            case ("complete", 2):
                let atlas = try Atlas.open([arguments[1]], world: world)
                try print(CompletionBench.figures(atlas, seed: seed, count: count))
            case ("hits", 3):
                try HitsBench.run(arguments[1], addresses: arguments[2], seed: seed, count: count, misses: misses)
            case ("forms", 3):
                try WrittenFormsBench.run(
                    arguments[1], world: world, addresses: arguments[2], seed: seed, count: count, misses: misses)
            case ("hostile", 2):
                try HostileBench.run(arguments[1], world: world, seed: seed, inputs: first..<first + max(count, 0))
            case ("crossings", 3):
                try CrossingsBench.run(
                    arguments[1], crossings: arguments[2], seed: seed, count: count, misses: misses)
            case ("questions", 3): try QuestionsBench.run(arguments[1], questions: arguments[2])
            case ("categories", 2): try CategoriesBench.run(arguments[1], seed: seed, count: count)
            case ("kinds", 2): try KindsBench.objects(arguments[1])
            case ("words", 3): try KindsBench.words(arguments[1], terms: arguments[2], misses: misses)
            case ("map", 2...):
                try MapBench.run(Array(arguments.dropFirst()), world: world, seed: seed, count: count)
            case ("tiles", 2...):
                try TileBench.run(Array(arguments.dropFirst()), world: world, seed: seed, count: count)
            case ("seams", 2...):
                try TileBench.seams(Array(arguments.dropFirst()), world: world, seed: seed, count: count)
            case ("ground", 2...):
                guard let points else { fail(usage) }
                try MapBench.ground(Array(arguments.dropFirst()), world: world, points: points)
            case ("hours", 2): try HoursBench.run(arguments[1], place: place, zone: zone)
            default: fail(usage)
            }
        } catch {
            fail("sextant-bench: \(error)")
        }
    }

    static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(2)
    }

    /// Prints the figures as JSON with sorted keys.
    static func print(_ figures: [String: Any]) throws {
        let data = try JSONSerialization.data(withJSONObject: figures, options: [.sortedKeys, .prettyPrinted])
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    }
}

/// The largest amount of memory that the process has held so far, in MB; nil where the system does not tell.
func peakMemory() -> Double? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Double($0) }.map { $0 / 1000 }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same on every machine.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Milliseconds that questions took, one figure a question.
struct Timings {
    private(set) var milliseconds: [Double] = []

    mutating func add(_ one: Double) { milliseconds.append(one) }

    /// Times the body once.
    mutating func time<R>(_ body: () throws -> R) rethrows -> R {
        let start = ContinuousClock.now
        defer {
            let elapsed = (ContinuousClock.now - start).components
            milliseconds.append(Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15)
        }
        return try body()
    }

    /// The same in time of the processor, which other programs beside do not lengthen.
    mutating func timeOnProcessor<R>(_ body: () throws -> R) rethrows -> R {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        defer { milliseconds.append(now() - start) }
        return try body()
    }

    var figures: [String: Any] {
        let sorted = milliseconds.sorted()
        func percentile(_ share: Double) -> Double {
            guard !sorted.isEmpty else { return 0 }
            let value = sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
            return (value * 1000).rounded() / 1000
        }
        return [
            "count": sorted.count, "p50_ms": percentile(0.5), "p95_ms": percentile(0.95), "p99_ms": percentile(0.99),
            "max_ms": percentile(1),
        ]
    }
}

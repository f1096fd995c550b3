import Foundation
import Importing

enum ImportBench {
    static func run(_ files: [String], to path: String) throws {
        let phases = PhaseClock()
        var importer = AtlasImporter()
        importer.progress = { phases.enter($0.phase) }
        let report = try importer.run(files: files, to: path)
        phases.enter("sealing")
        let input = try files.reduce(0) { sum, file in
            sum + (try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
        }
        let size = report.manifest.files.values.reduce(0) { $0 + $1.size }
        let objects = ["nodes read", "ways read", "relations read"].reduce(0) { $0 + (report.counts[$1] ?? 0) }
        try SextantBench.print([
            "seconds": report.seconds, "input_mb": Double(input) / 1e6, "atlas_mb": Double(size) / 1e6,
            "objects_per_second": report.seconds > 0 ? Double(objects) / report.seconds : 0,
            "peak_memory_mb": peakMemory() ?? -1, "seconds_by_phase": phases.seconds,
            "mb_by_file": report.manifest.files.mapValues { Double($0.size) / 1e6 },
        ])
    }
}

/// How long each phase of an import took, from when it was first told to when another one was.
private final class PhaseClock: @unchecked Sendable {
    private let lock = NSLock()
    private var current: (phase: String, since: ContinuousClock.Instant)?
    private var spent: [String: Duration] = [:]

    func enter(_ phase: String) {
        lock.withLock {
            guard current?.phase != phase else { return }
            let now = ContinuousClock.now
            if let current { spent[current.phase, default: .zero] += now - current.since }
            current = (phase, now)
        }
    }

    var seconds: [String: Double] {
        lock.withLock { spent.mapValues { Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18 } }
    }
}

import Foundation
import Importing

enum ImportBench {
    static func run(_ files: [String], to path: String) throws {
        let report = try AtlasImporter().run(files: files, to: path)
        let input = try files.reduce(0) { sum, file in
            sum + (try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0)
        }
        let size = report.manifest.files.values.reduce(0) { $0 + $1.size }
        let objects = ["nodes read", "ways read", "relations read"].reduce(0) { $0 + (report.counts[$1] ?? 0) }
        try SextantBench.print([
            "seconds": report.seconds, "input_mb": Double(input) / 1e6, "atlas_mb": Double(size) / 1e6,
            "objects_per_second": report.seconds > 0 ? Double(objects) / report.seconds : 0,
            "peak_memory_mb": peakMemory() ?? -1,
        ])
    }
}

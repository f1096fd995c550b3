import AtlasFiles
import Foundation

/// Ends the process as a power cut would, at a named step of writing an atlas or a table: `SEXTANT_FAULT_POINT=exchanged
/// sextant import ...`. Tests set it; nobody else should.
enum FaultPoint {
    private static var named: String? { ProcessInfo.processInfo.environment["SEXTANT_FAULT_POINT"] }

    static let kill: @Sendable (AtlasWriter.Step) -> Void = { step in
        if named == step.rawValue { _ = Foundation.kill(getpid(), SIGKILL) }
    }

    /// Ends the process after a row of a table: `SEXTANT_FAULT_POINT=row-1234`.
    static let row: @Sendable (Int) -> Void = {
        let wanted = named.flatMap { $0.hasPrefix("row-") ? Int($0.dropFirst(4)) : nil }
        return { row in if row == wanted { _ = Foundation.kill(getpid(), SIGKILL) } }
    }()

    /// Whether the step is met only where a file system cannot exchange two folders.
    static var liesWithoutExchange: Bool {
        [AtlasWriter.Step.oldMovedAside, .newInPlace].contains { $0.rawValue == named }
    }
}

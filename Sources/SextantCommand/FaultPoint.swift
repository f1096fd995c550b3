import AtlasFiles
import Foundation

/// Ends the process as a power cut would, at a named step of writing an atlas: `SEXTANT_FAULT_POINT=exchanged sextant
/// import ...`. Tests set it; nobody else should.
enum FaultPoint {
    static let kill: @Sendable (AtlasWriter.Step) -> Void = { step in
        if ProcessInfo.processInfo.environment["SEXTANT_FAULT_POINT"] == step.rawValue {
            _ = Foundation.kill(getpid(), SIGKILL)
        }
    }
}

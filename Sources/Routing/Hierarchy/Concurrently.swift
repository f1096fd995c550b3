import Dispatch

/// The results of `work` for 0 to `count - 1`, in this order, made on all cores.
func concurrently<Result: Sendable>(_ count: Int, _ work: @Sendable (Int) -> Result) -> [Result] {
    if count == 1 { return [work(0)] }
    return [Result](unsafeUninitializedCapacity: count) { buffer, initialized in
        let results = ResultMemory(base: buffer.baseAddress)
        DispatchQueue.concurrentPerform(iterations: count) { index in
            results.base.map { ($0 + index).initialize(to: work(index)) }
        }
        initialized = count
    }
}

/// Each thread writes its own elements.
private struct ResultMemory<Result>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Result>?
}

import Foundation

/// Where the command writes: answers to standard output, messages to standard error.
struct Console: Sendable {
    /// Whether messages and progress are left out. Errors are always told.
    var isQuiet = false

    /// Writes a line of an answer.
    func print(_ line: String = "") { Self.write(Self.harmless(line) + "\n", to: 1) }

    /// Writes a message for people, unless quiet.
    func say(_ message: String) {
        if !isQuiet { Self.write(Self.harmless(message) + "\n", to: 2) }
    }

    /// Writes an error.
    func complain(_ message: String) { Self.write("sextant: \(Self.harmless(message))\n", to: 2) }

    /// The text without what could drive a terminal or turn its lines round: control characters of names in the data
    /// become a mark, but for line ends and for the letters that `strong` and `faint` put in.
    static func harmless(_ text: String) -> String {
        func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case 0x0A: false
            case 0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        guard text.unicodeScalars.contains(where: isHarmful) else { return text }
        let marks = ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"]
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if let mark = marks.first(where: { rest.starts(with: $0.unicodeScalars) }) {
                result.append(contentsOf: mark.unicodeScalars)
                rest = rest.dropFirst(mark.unicodeScalars.count)
                continue
            }
            result.append(isHarmful(scalar) ? "\u{FFFD}" : scalar)
            rest = rest.dropFirst()
        }
        return String(result)
    }

    /// Whether standard output is a terminal that shows bold letters.
    static var isTerminal: Bool { isatty(1) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil }

    /// How many columns the terminal on standard output has; nil for a file or a pipe.
    static var terminalWidth: Int? {
        var size = winsize()
        guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return nil }
        return Int(size.ws_col)
    }

    /// The text in bold letters on a terminal, as it is elsewhere.
    func strong(_ text: String) -> String { Self.isTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    /// The text in faint letters on a terminal, as it is elsewhere.
    func faint(_ text: String) -> String { Self.isTerminal ? "\u{1B}[2m\(text)\u{1B}[0m" : text }

    /// Writes all bytes. A reader that went away (`| head`) ends the program quietly, as pipes are meant to.
    static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { write($0, to: descriptor) }
    }

    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
        var rest = UnsafeRawBufferPointer(bytes)
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 {
                // A reader that went away is no fault; a full disk is, and the answer would be cut short unseen.
                if descriptor == 1, errno != EPIPE {
                    let reason = String(cString: strerror(errno))
                    write("sextant: cannot write the answer: \(reason)\n", to: 2)
                    exit(ExitCode.badAtlas.rawValue)
                }
                return
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
    }
}

/// Shows how far a long piece of work is: a bar on a terminal, a line now and then in a log, nothing where quiet.
final class ProgressMeter: @unchecked Sendable {
    private let console: Console
    private let isTerminal: Bool
    private let lock = NSLock()
    private var phase = ""
    private var started = ContinuousClock.now
    private var shown: ContinuousClock.Instant?
    private var hasLine = false

    init(_ console: Console) {
        self.console = console
        isTerminal = isatty(2) == 1
    }

    /// Tells the state: a phase's name, the units done and, where known, all units.
    func report(phase: String, done: Int, total: Int?, unit: String) {
        guard !console.isQuiet else { return }
        lock.withLock {
            let now = ContinuousClock.now
            if phase != self.phase {
                endLine()
                self.phase = phase
                started = now
                shown = nil
                if !isTerminal { Console.write("  \(phase)\n", to: 2) }
            }
            let pause = isTerminal ? Duration.milliseconds(100) : .seconds(5)
            if let shown, shown.duration(to: now) < pause { return }
            if shown == nil, !isTerminal {
                shown = now
                return
            }
            shown = now
            let elapsed = started.duration(to: now).seconds
            let line = Self.line(phase: phase, done: done, total: total, unit: unit, elapsed: elapsed, bar: isTerminal)
            if isTerminal {
                Console.write("\r\u{1B}[K\(line)", to: 2)
                hasLine = true
            } else {
                Console.write("\(line)\n", to: 2)
            }
        }
    }

    /// Clears the bar.
    func finish() {
        lock.withLock { endLine() }
    }

    private func endLine() {
        if hasLine { Console.write("\r\u{1B}[K", to: 2) }
        hasLine = false
    }

    /// One line: `  ways            [#######.............] 35 %  120,000 ways/s, 4 s left`.
    static func line(phase: String, done: Int, total: Int?, unit: String, elapsed: Double, bar: Bool) -> String {
        var line = "  \(phase.padding(toLength: max(phase.count, 20), withPad: " ", startingAt: 0))"
        let rate = elapsed > 0.2 ? Double(done) / elapsed : 0
        var share: Double?
        if let total, total > 0 { share = min(Double(done) / Double(total), 1) }
        if let share {
            if bar {
                let filled = Int(share * 24)
                line += " [" + String(repeating: "#", count: filled) + String(repeating: ".", count: 24 - filled) + "]"
            }
            line += " \(Int(share * 100)) %"
        } else {
            line += " \(countText(done)) \(unit)"
        }
        if rate > 0 {
            if !unit.isEmpty {
                line += unit == "B" ? "  \(sizeText(Int(rate)))/s" : "  \(countText(Int(rate))) \(unit)/s"
            }
            if let total, total > done, share != nil, elapsed > 1 {
                line += "  \(durationText(Double(total - done) / rate)) left"
            }
        }
        return line
    }
}

extension Duration {
    /// The whole duration in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// An outline of lines and cubic curves: an icon, a letter.
struct VectorPath: Sendable, Hashable {
    enum Element: Sendable, Hashable {
        case move(Double, Double)
        case line(Double, Double)
        case curve(Double, Double, Double, Double, Double, Double)
        case close
    }

    var elements: [Element] = []

    init(_ elements: [Element] = []) { self.elements = elements }

    /// Reads the commands M, L, H, V, C, Q and Z of an SVG path, capital (absolute) and small (relative) ones; nil where
    /// there is anything else.
    init?(svg: String) {
        var scanner = Scanner(svg)
        var current = (x: 0.0, y: 0.0)
        var start = current
        while let command = scanner.command() {
            let relative = command.isLowercase
            let kind = Character(command.uppercased())
            if kind == "Z" {
                elements.append(.close)
                current = start
                continue
            }
            var isFirst = true
            while isFirst || scanner.hasNumber {
                func point() -> (x: Double, y: Double)? {
                    guard let x = scanner.number(), let y = scanner.number() else { return nil }
                    return relative ? (current.x + x, current.y + y) : (x, y)
                }
                switch kind {
                case "M":
                    guard let to = point() else { return nil }
                    if isFirst {
                        elements.append(.move(to.x, to.y))
                        start = to
                    } else {
                        elements.append(.line(to.x, to.y))
                    }
                    current = to
                case "L":
                    guard let to = point() else { return nil }
                    elements.append(.line(to.x, to.y))
                    current = to
                case "H":
                    guard let x = scanner.number() else { return nil }
                    current.x = relative ? current.x + x : x
                    elements.append(.line(current.x, current.y))
                case "V":
                    guard let y = scanner.number() else { return nil }
                    current.y = relative ? current.y + y : y
                    elements.append(.line(current.x, current.y))
                case "C":
                    guard let a = point(), let b = point(), let to = point() else { return nil }
                    elements.append(.curve(a.x, a.y, b.x, b.y, to.x, to.y))
                    current = to
                case "Q":
                    guard let a = point(), let to = point() else { return nil }
                    elements.append(
                        .curve(
                            current.x + (a.x - current.x) * 2 / 3, current.y + (a.y - current.y) * 2 / 3,
                            to.x + (a.x - to.x) * 2 / 3, to.y + (a.y - to.y) * 2 / 3, to.x, to.y))
                    current = to
                default: return nil
                }
                isFirst = false
            }
        }
        guard scanner.isAtEnd, !elements.isEmpty, case .move = elements[0] else { return nil }
    }

    /// Reads numbers and letters off a path's text.
    private struct Scanner {
        private var text: Substring.UTF8View

        init(_ text: String) { self.text = Substring(text).utf8 }

        private mutating func skipBlanks() {
            while let byte = text.first, byte == 0x20 || byte == 0x2C || byte == 0x0A { text.removeFirst() }
        }

        var isAtEnd: Bool {
            var copy = self
            copy.skipBlanks()
            return copy.text.isEmpty
        }

        mutating func command() -> Character? {
            skipBlanks()
            guard let byte = text.first, byte >= 0x41 else { return nil }
            text.removeFirst()
            return Character(UnicodeScalar(byte))
        }

        var hasNumber: Bool {
            var copy = self
            return copy.number() != nil
        }

        mutating func number() -> Double? {
            skipBlanks()
            var digits = ""
            var hasPoint = false
            while let byte = text.first {
                if byte == 0x2D, digits.isEmpty {
                } else if byte == 0x2E, !hasPoint {
                    hasPoint = true
                } else if !(0x30...0x39).contains(byte) {
                    break
                }
                digits.unicodeScalars.append(UnicodeScalar(byte))
                text.removeFirst()
            }
            return Double(digits)
        }
    }

    /// The outline moved, turned by `angle` and enlarged; rounded to 1/1024 so that whole steps of the origin move every
    /// point alike.
    func placed(x: Double, y: Double, scale: Double, cosine: Double = 1, sine: Double = 0, into path: inout [Element]) {
        func at(_ px: Double, _ py: Double) -> (Double, Double) {
            let (dx, dy) = (px * scale, py * scale)
            return (
                x + ((dx * cosine - dy * sine) * 1024).rounded() / 1024,
                y + ((dx * sine + dy * cosine) * 1024).rounded() / 1024
            )
        }
        for element in elements {
            switch element {
            case .move(let px, let py):
                let to = at(px, py)
                path.append(.move(to.0, to.1))
            case .line(let px, let py):
                let to = at(px, py)
                path.append(.line(to.0, to.1))
            case .curve(let ax, let ay, let bx, let by, let px, let py):
                let a = at(ax, ay)
                let b = at(bx, by)
                let to = at(px, py)
                path.append(.curve(a.0, a.1, b.0, b.1, to.0, to.1))
            case .close: path.append(.close)
            }
        }
    }
}

import Geometry

/// House numbers in equal steps along a line: the first at its start, the last at its end.
public struct InterpolatedLine: Sendable, Equatable {
    public var first: Int
    public var last: Int
    public var step: Int
    public var line: [Coordinate]

    /// Nil for steps that cannot be counted or a line of no point, as a damaged row may hold.
    public init?(first: Int, last: Int, step: Int, line: [Coordinate]) {
        guard step > 0, step <= 1_000, (0...10_000_000).contains(first), (first...10_000_000).contains(last),
            !line.isEmpty
        else { return nil }
        self.first = first
        self.last = last
        self.step = step
        self.line = line
    }

    /// Where a number lies; nil for one that is not in the row.
    public func location(of number: Int) -> Coordinate? {
        guard number >= first, number <= last, (number - first) % step == 0 else { return nil }
        return LineReference.point(at: last == first ? 0 : Double(number - first) / Double(last - first), of: line)
    }

    /// The number whose place is nearest to the point's projection on the line.
    public func nearest(to point: Coordinate) -> (number: Int, location: Coordinate) {
        let plane = LocalPlane(origin: point)
        var best = Double.infinity
        var along = 0.0
        var total = 0.0
        for index in line.indices.dropFirst() {
            let length = LineReference.length(of: [line[index - 1], line[index]])
            let (metres, fraction) = plane.distance(toSegment: line[index - 1], line[index])
            if metres < best {
                best = metres
                along = total + fraction * length
            }
            total += length
        }
        let share = total > 0 && total.isFinite && along.isFinite ? min(along / total, 1) : 0
        let steps = ((Double(last - first) * share) / Double(step)).rounded()
        let number = min(first + Int(steps) * step, last)
        return (number, location(of: number) ?? line[0])
    }
}

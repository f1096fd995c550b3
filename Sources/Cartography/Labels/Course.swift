import Foundation
import Geometry

/// A line of the picture to write along.
struct Course {
    let points: [(x: Double, y: Double)]
    /// How far along each point is.
    private let lengths: [Double]
    var length: Double { lengths.last ?? 0 }

    init(_ points: [(x: Double, y: Double)]) {
        var kept: [(x: Double, y: Double)] = []
        var lengths: [Double] = []
        for point in points {
            if let last = kept.last, let length = lengths.last {
                let step = ((point.x - last.x) * (point.x - last.x) + (point.y - last.y) * (point.y - last.y))
                    .squareRoot()
                guard step > 0 else { continue }
                lengths.append(length + step)
            } else {
                lengths.append(0)
            }
            kept.append(point)
        }
        self.points = kept
        self.lengths = lengths
    }

    /// The point so far along; held to the ends.
    func point(_ along: Double) -> (x: Double, y: Double) {
        guard points.count > 1 else { return points.first ?? (0, 0) }
        var low = 0
        var high = points.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if lengths[middle] <= along { low = middle } else { high = middle }
        }
        let share = min(max((along - lengths[low]) / (lengths[high] - lengths[low]), 0), 1)
        return (
            points[low].x + (points[high].x - points[low].x) * share,
            points[low].y + (points[high].y - points[low].y) * share
        )
    }

    /// Where to try labels that repeat: one in the middle, or several evenly.
    func places(distance: Double) -> [Double] {
        let count = min(max(Int(length / distance), 1), 64)
        return (0..<count).map { (Double($0) + 0.5) * length / Double(count) }
    }

    /// Letters along the course around `middle`, upright; nil where it bends too much for them.
    func written(
        _ line: ShapedText, middle: Double, size: Double, spacing: Double
    ) -> (glyphs: [PlacedLabel.Glyph], boxes: [LabelBox])? {
        let width = (line.width + spacing * Double(max(line.glyphs.count - 1, 0))) * size
        let start = middle - width / 2
        let from = point(start)
        let to = point(start + width)
        // The letters run from left to right; straight up is written upwards.
        let isReversed = to.x < from.x || (to.x == from.x && to.y > from.y)
        var glyphs: [PlacedLabel.Glyph] = []
        var boxes: [LabelBox] = []
        var lastAngle: Double?
        let firstAngle = atan2(isReversed ? from.y - to.y : to.y - from.y, abs(to.x - from.x))
        let mostBend = line.isConnected ? 0.22 : 0.45
        let half = size * 0.62
        var covered = -Double.infinity
        for (index, glyph) in line.glyphs.enumerated() {
            let offset = (glyph.x + spacing * Double(index)) * size
            let advance = max(glyph.advance * size, 1)
            // Over a bit more than the letter itself, so that small bends do not shake it.
            let reach = max(advance, size * 0.7) / 2
            let center = offset + advance / 2
            func at(_ place: Double) -> (x: Double, y: Double) {
                point(isReversed ? start + width - place : start + place)
            }
            let before = at(max(center - reach, 0))
            let after = at(min(center + reach, width))
            let on = at(center)
            let angle = atan2(after.y - before.y, after.x - before.x)
            // Never upside down, and no letter against the run of the whole.
            guard abs(angle) <= .pi / 2 + 0.02, abs(angle - firstAngle) < 1 else { return nil }
            if let lastAngle, abs(angle - lastAngle) > mostBend { return nil }
            lastAngle = angle
            let (cosine, sine) = (cos(angle), sin(angle))
            let (back, down) = (-advance / 2, size * 0.34 + glyph.y * size)
            glyphs.append(
                PlacedLabel.Glyph(
                    outline: glyph.outline, x: LabelPlacement.snapped(on.x + back * cosine - down * sine),
                    y: LabelPlacement.snapped(on.y + back * sine + down * cosine), cosine: cosine, sine: sine))
            if center - covered > size * 0.5 || index == line.glyphs.count - 1 {
                boxes.append(LabelBox(minX: on.x - half, minY: on.y - half, maxX: on.x + half, maxY: on.y + half))
                covered = center
            }
        }
        return boxes.isEmpty ? nil : (glyphs, boxes)
    }
}

/// Joins the pieces of a road, and cuts it at the edge of a part of the world.
enum LineJoining {
    /// Lines joined where exactly two ends meet. The order of the lines decides where joining begins.
    static func joined(_ lines: [[MercatorPoint]]) -> [[MercatorPoint]] {
        guard lines.count > 1 else { return lines }
        var ends: [MercatorPoint: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            guard let first = line.first, let last = line.last, first != last else { continue }
            ends[first, default: []].append(index)
            ends[last, default: []].append(index)
        }
        var isUsed = Array(repeating: false, count: lines.count)
        var result: [[MercatorPoint]] = []
        for index in lines.indices where !isUsed[index] {
            isUsed[index] = true
            var line = lines[index]
            for _ in 0..<2 {
                while let last = line.last, let meeting = ends[last], meeting.count == 2,
                    let next = meeting.first(where: { !isUsed[$0] })
                {
                    isUsed[next] = true
                    let piece = lines[next]
                    line += piece.first == last ? Array(piece.dropFirst()) : Array(piece.reversed().dropFirst())
                }
                line.reverse()
            }
            result.append(line)
        }
        return result
    }

    /// The parts of the line inside the window, cut at its edge; points of the picture.
    static func inside(_ line: [MercatorPoint], _ window: Window) -> [[(x: Double, y: Double)]] {
        var runs: [[(x: Double, y: Double)]] = []
        var run: [(x: Double, y: Double)] = []
        guard let first = line.first else { return [] }
        var a = (x: window.x(Double(first.x)), y: window.y(Double(first.y)))
        for point in line.dropFirst() {
            let b = (x: window.x(Double(point.x)), y: window.y(Double(point.y)))
            defer { a = b }
            // Liang and Barsky's clipping.
            var (low, high) = (0.0, 1.0)
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            var isOutside = false
            for (step, room) in [(-dx, a.x), (dx, window.width - a.x), (-dy, a.y), (dy, window.height - a.y)] {
                if step == 0 {
                    if room < 0 { isOutside = true }
                } else if step < 0 {
                    low = max(low, room / step)
                } else {
                    high = min(high, room / step)
                }
            }
            guard !isOutside, low <= high else {
                if run.count > 1 { runs.append(run) }
                run = []
                continue
            }
            if run.isEmpty { run.append((a.x + dx * low, a.y + dy * low)) }
            run.append((a.x + dx * high, a.y + dy * high))
            if high < 1 {
                runs.append(run)
                run = []
            }
        }
        if run.count > 1 { runs.append(run) }
        return runs
    }
}

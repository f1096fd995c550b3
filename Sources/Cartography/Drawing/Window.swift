import Foundation
import Geometry

/// The part of the world that is being drawn, and how its units become points of the picture.
///
/// Long shapes are cut to what is near the picture, because Cairo counts in 24.8 bits. Whatever is visible keeps its
/// points to the last bit, wherever the picture's corner is: segments are halved at places that only depend on them, and
/// cuts are made far outside.
struct Window: Sendable {
    /// Points of the picture a unit of `MercatorPoint`; a power of two at whole zooms.
    let scale: Double
    /// The picture's upper left corner in units.
    let originX: Double
    let originY: Double
    /// Points.
    let width: Double
    let height: Double

    init(scale: Double, originX: Double, originY: Double, width: Double, height: Double) {
        self.scale = scale
        self.originX = originX
        self.originY = originY
        self.width = width
        self.height = height
    }

    /// A window whose corner is this point of the world at `zoom`, both in points.
    init(zoom: Double, x: Double, y: Double, width: Double, height: Double) {
        let scale = 256 * exp2(zoom) / Double(Mercator.world)
        self.init(scale: scale, originX: x / scale, originY: y / scale, width: width, height: height)
    }

    @inline(__always) func x(_ unit: Double) -> Double { (unit - originX) * scale }
    @inline(__always) func y(_ unit: Double) -> Double { (unit - originY) * scale }

    /// The box of units in the picture and `margin` points around it.
    func box(margin: Double) -> MercatorBox {
        // Twice the world each way: pictures reach over the date line.
        func bound(_ value: Double) -> Int32 { Int32(min(max(value, Double(Int32.min)), Double(Int32.max))) }
        return MercatorBox(
            minX: bound(((originX - margin / scale)).rounded(.down)),
            minY: bound(((originY - margin / scale)).rounded(.down)),
            maxX: bound((originX + (width + margin) / scale).rounded(.up)),
            maxY: bound((originY + (height + margin) / scale).rounded(.up)))
    }

    /// Longer segments are halved before they are cut; points.
    private static let longest = 4096.0

    /// Calls `body` for the runs of the line that come within `margin` points of the picture: points of the picture, and
    /// how far along the line the run begins, in points.
    func forEachRun(
        _ line: [MercatorPoint], margin: Double, _ body: (_ run: [(x: Double, y: Double)], _ start: Double) -> Void
    ) {
        let (lowX, lowY, highX, highY) = (-margin, -margin, width + margin, height + margin)
        var run: [(x: Double, y: Double)] = []
        var start = 0.0
        var length = 0.0
        guard let first = line.first else { return }
        var a = (x: x(Double(first.x)), y: y(Double(first.y)))

        func add(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double), from: Double, long: Double) {
            let isNear =
                min(a.x, b.x) <= highX && max(a.x, b.x) >= lowX && min(a.y, b.y) <= highY && max(a.y, b.y) >= lowY
            guard isNear else {
                if run.count > 1 { body(run, start) }
                run.removeAll(keepingCapacity: true)
                return
            }
            if long > Self.longest {
                let middle = (x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
                add(a, middle, from: from, long: long / 2)
                add(middle, b, from: from + long / 2, long: long / 2)
                return
            }
            if run.isEmpty {
                start = from
                run.append(a)
            }
            run.append(b)
        }
        for point in line.dropFirst() {
            let b = (x: x(Double(point.x)), y: y(Double(point.y)))
            // Of whole units, so that it is the same from every corner.
            let long = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
            add(a, b, from: length, long: long)
            length += long
            a = b
        }
        if run.count > 1 { body(run, start) }
    }

    /// The ring in points of the picture, cut to a box far around it; empty where nothing is left.
    func ring(_ points: [MercatorPoint]) -> [(x: Double, y: Double)] {
        var ring: [(x: Double, y: Double)] = []
        ring.reserveCapacity(points.count)
        var step = 0.0
        var (minX, minY, maxX, maxY) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for point in points {
            let (px, py) = (x(Double(point.x)), y(Double(point.y)))
            if let last = ring.last { step = max(step, abs(px - last.x), abs(py - last.y)) }
            ring.append((px, py))
            minX = min(minX, px)
            maxX = max(maxX, px)
            minY = min(minY, py)
            maxY = max(maxY, py)
        }
        if let first = ring.first, let last = ring.last {
            step = max(step, abs(first.x - last.x), abs(first.y - last.y))
        }
        let far = 2 * Self.longest
        if step <= Self.longest, minX >= -far, minY >= -far, maxX <= width + far, maxY <= height + far { return ring }
        ring = halved(ring)
        for side in 0..<4 where !ring.isEmpty { ring = cut(ring, side: side, far: far) }
        return ring
    }

    /// The ring with its long segments halved until they are short or away from the picture.
    private func halved(_ ring: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        let near = 64.0
        var result: [(x: Double, y: Double)] = []
        result.reserveCapacity(ring.count)
        func add(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) {
            let isNear =
                min(a.x, b.x) <= width + near && max(a.x, b.x) >= -near && min(a.y, b.y) <= height + near
                && max(a.y, b.y) >= -near
            if isNear, max(abs(b.x - a.x), abs(b.y - a.y)) > Self.longest {
                let middle = (x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
                add(a, middle)
                add(middle, b)
            } else {
                result.append(a)
            }
        }
        for index in ring.indices { add(ring[index], ring[index + 1 == ring.count ? 0 : index + 1]) }
        return result
    }

    /// One step of Sutherland and Hodgman's: what lies within one side of the far box.
    private func cut(_ ring: [(x: Double, y: Double)], side: Int, far: Double) -> [(x: Double, y: Double)] {
        /// How far inside.
        func depth(_ point: (x: Double, y: Double)) -> Double {
            switch side {
            case 0: point.x + far
            case 1: width + far - point.x
            case 2: point.y + far
            default: height + far - point.y
            }
        }
        var result: [(x: Double, y: Double)] = []
        result.reserveCapacity(ring.count)
        var a = ring[ring.count - 1]
        var depthA = depth(a)
        for b in ring {
            let depthB = depth(b)
            if (depthA < 0) != (depthB < 0) {
                let share = depthA / (depthA - depthB)
                result.append((a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share))
            }
            if depthB >= 0 { result.append(b) }
            (a, depthA) = (b, depthB)
        }
        return result
    }

    /// The dashes of a line that come near the picture: each a list of points. The pattern begins at the line's start, so
    /// that it is the same in every picture.
    func dashes(
        _ run: [(x: Double, y: Double)], start: Double, dash: Double, gap: Double,
        _ body: ([(x: Double, y: Double)]) -> Void
    ) {
        let period = dash + gap
        guard period > 0.1, dash > 0 else { return body(run) }
        var along = start
        var piece: [(x: Double, y: Double)] = []
        for (a, b) in zip(run, run.dropFirst()) {
            let long = ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
            guard long > 0 else { continue }
            func at(_ place: Double) -> (x: Double, y: Double) {
                let share = (place - along) / long
                // Rounded, for the same reason as letters are.
                return (
                    ((a.x + (b.x - a.x) * share) * 1024).rounded() / 1024,
                    ((a.y + (b.y - a.y) * share) * 1024).rounded() / 1024
                )
            }
            var place = along
            while place < along + long {
                let cycle = (place / period).rounded(.down)
                let phase = place - cycle * period
                if phase < dash {
                    let end = min(cycle * period + dash, along + long)
                    if piece.isEmpty { piece.append(at(place)) }
                    piece.append(at(end))
                    if end < along + long {
                        body(piece)
                        piece.removeAll(keepingCapacity: true)
                    }
                    place = max(end, place.nextUp)
                } else {
                    if piece.count > 1 { body(piece) }
                    piece.removeAll(keepingCapacity: true)
                    place = max(cycle * period + period, place.nextUp)
                }
            }
            along += long
        }
        if piece.count > 1 { body(piece) }
    }
}

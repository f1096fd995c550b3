/// Land out of coastlines: open ends are closed against the box that the data covers, with the land on the left.
///
/// An extract ends where it was cut. A line that leaves the box is cut at its edge; one that ends inside goes on to the
/// nearest end of another line, if that is nearer than the edge, and straight to the edge otherwise. Then each line's end
/// goes along the edge of the box, with the inside on its left, to the next line's start.
public struct CoastlineClosing: Sendable {
    /// What lies where no coastline says it.
    public enum Ground: Sendable, Equatable { case land, sea }

    /// Outer rings of land, each with the waters inside it.
    public private(set) var land: [[[MercatorPoint]]] = []
    /// What the box is where no ring is: sea around islands, land around a lagoon.
    public private(set) var ground = Ground.sea

    private let box: MercatorBox

    /// - Parameters:
    ///   - evidence: places that are on land for certain, as houses are; lines that would drown most of them are taken
    ///     to run in the wrong direction.
    public init(_ chains: [Coastline.Chain], in box: MercatorBox, evidence: [MercatorPoint] = []) {
        self.box = box
        let rings = chains.filter(\.isClosed).map(\.points)
        let pieces = join(chains.filter { !$0.isClosed }.flatMap { clip($0.points) }).map(extended)
        if pieces.isEmpty {
            (land, ground) = Self.nested(rings, evidence, box)
            return
        }
        let drawn = closed(pieces)
        var coast = Self.nested(drawn + rings, evidence, box)
        let dry = evidence.lazy.filter { Self.isLand($0, coast.land) }.count
        if evidence.count >= 8, dry * 4 < evidence.count {
            let turned = closed(pieces.map { $0.reversed() })
            coast = Self.nested(turned + rings, evidence, box)
        }
        land = coast.land
    }

    private init(box: MercatorBox) { self.box = box }

    /// The water of a polygon that lacks some of its lines, because the extract ends there. Its lines have no direction:
    /// along the edge of the box water and land take turns, and `evidence`, which is on land, says with which it begins;
    /// without any, the smaller of the two is the water. Rings by the even-odd rule.
    public static func water(
        _ chains: [Coastline.Chain], in box: MercatorBox, evidence: [MercatorPoint] = []
    ) -> [[MercatorPoint]] {
        let closing = CoastlineClosing(box: box)
        let rings = chains.filter(\.isClosed).map(\.points)
        let pieces = closing.join(chains.filter { !$0.isClosed }.flatMap { closing.clip($0.points) })
            .map(closing.extended)
        let whole = rings + pieces.filter { $0.first == $0.last }.map { Array($0.dropLast()) }.filter { $0.count >= 3 }
        let lines = pieces.filter { $0.first != $0.last }
        guard !lines.isEmpty else { return whole }
        let candidates = [0, 1].map { whole + closing.alternating(lines, first: $0) }
        let drowned = candidates.map { rings in
            evidence.lazy.filter { MercatorRing.contains($0, rings: rings) }.count
        }
        if drowned[0] != drowned[1] { return drowned[0] < drowned[1] ? candidates[0] : candidates[1] }
        let areas = candidates.map { $0.reduce(0) { $0 + abs(MercatorRing.doubleArea($1)) } }
        return areas[0] <= areas[1] ? candidates[0] : candidates[1]
    }

    /// Rings of lines from edge to edge, each end joined along the edge to the next end (`first` 0) or to the one before
    /// (`first` 1), counted from the south-west corner.
    private func alternating(_ lines: [[MercatorPoint]], first: Int) -> [[MercatorPoint]] {
        var ends: [(place: Int64, line: Int, isLast: Bool)] = []
        for (index, line) in lines.enumerated() {
            ends.append((place(of: line[0]), index, false))
            ends.append((place(of: line[line.count - 1]), index, true))
        }
        ends.sort { ($0.place, $0.line, $0.isLast ? 1 : 0) < ($1.place, $1.line, $1.isLast ? 1 : 0) }
        var positions = [Int](repeating: 0, count: ends.count)
        for (position, end) in ends.enumerated() { positions[2 * end.line + (end.isLast ? 1 : 0)] = position }
        var isUsed = [Bool](repeating: false, count: lines.count)
        var rings: [[MercatorPoint]] = []
        for start in lines.indices where !isUsed[start] {
            var ring: [MercatorPoint] = []
            var (line, isForward) = (start, true)
            while !isUsed[line] {
                isUsed[line] = true
                ring += isForward ? lines[line] : lines[line].reversed()
                let here = positions[2 * line + (isForward ? 1 : 0)]
                let isLow = (here + first) % 2 == 0
                let there = (here + (isLow ? 1 : ends.count - 1)) % ends.count
                let (low, high) = isLow ? (ends[here], ends[there]) : (ends[there], ends[here])
                let between = corners(from: low.place, way: way(from: low.place, to: high.place))
                ring += isLow ? between : between.reversed()
                (line, isForward) = (ends[there].line, !ends[there].isLast)
            }
            if ring.count >= 3 { rings.append(ring) }
        }
        return rings
    }

    private static func isLand(_ point: MercatorPoint, _ land: [[[MercatorPoint]]]) -> Bool {
        land.contains { MercatorRing.contains(point, rings: $0) }
    }

    // MARK: - Lines in the box

    /// A part of a line inside the box.
    private struct Piece {
        var points: [MercatorPoint]
        /// Whether the first and the last point lie on the edge.
        var startsAtEdge: Bool
        var endsAtEdge: Bool
    }

    private func clip(_ points: [MercatorPoint]) -> [Piece] {
        var pieces: [Piece] = []
        var piece: Piece?
        func finish() {
            if let made = piece, made.points.count > 1 { pieces.append(made) }
            piece = nil
        }
        for (a, b) in zip(points, points.dropFirst()) {
            guard let (start, end) = crossing(a, b) else {
                finish()
                continue
            }
            let from = start > 0 ? onEdge(a, b, start) : a
            let to = end < 1 ? onEdge(a, b, end) : b
            if start > 0 { finish() }
            if piece == nil {
                piece = Piece(points: [from], startsAtEdge: start > 0, endsAtEdge: false)
            }
            if piece?.points.last != to { piece?.points.append(to) }
            if end < 1 {
                piece?.endsAtEdge = true
                finish()
            }
        }
        finish()
        return pieces
    }

    /// The shares of the stretch from `a` to `b` between which it is inside (Liang and Barsky, "A new concept and method
    /// for line clipping", 1984); nil where none is.
    private func crossing(_ a: MercatorPoint, _ b: MercatorPoint) -> (Double, Double)? {
        var start = 0.0
        var end = 1.0
        let dx = Double(b.x) - Double(a.x)
        let dy = Double(b.y) - Double(a.y)
        for (step, room) in [
            (-dx, Double(a.x) - Double(box.minX)), (dx, Double(box.maxX) - Double(a.x)),
            (-dy, Double(a.y) - Double(box.minY)), (dy, Double(box.maxY) - Double(a.y)),
        ] {
            if step == 0 {
                if room < 0 { return nil }
            } else if step < 0 {
                start = max(start, room / step)
            } else {
                end = min(end, room / step)
            }
        }
        return start < end ? (start, end) : nil
    }

    private func onEdge(_ a: MercatorPoint, _ b: MercatorPoint, _ share: Double) -> MercatorPoint {
        let x = Double(a.x) + (Double(b.x) - Double(a.x)) * share
        let y = Double(a.y) + (Double(b.y) - Double(a.y)) * share
        return nearestOnEdge(MercatorPoint(x: Int32(x.rounded()), y: Int32(y.rounded())))
    }

    private func nearestOnEdge(_ point: MercatorPoint) -> MercatorPoint {
        var point = point
        point.x = min(max(point.x, box.minX), box.maxX)
        point.y = min(max(point.y, box.minY), box.maxY)
        let (west, east) = (point.x - box.minX, box.maxX - point.x)
        let (north, south) = (point.y - box.minY, box.maxY - point.y)
        switch min(west, east, north, south) {
        case west: point.x = box.minX
        case east: point.x = box.maxX
        case north: point.y = box.minY
        default: point.y = box.maxY
        }
        return point
    }

    private func distanceToEdge(_ point: MercatorPoint) -> Double {
        Double(max(0, min(point.x - box.minX, box.maxX - point.x, point.y - box.minY, box.maxY - point.y)))
    }

    // MARK: - Gaps

    /// Joins ends that lie inside to the starts that lie inside, the nearest first, where no edge is nearer. A piece
    /// joined to itself is a ring, whose first point is repeated.
    private func join(_ pieces: [Piece]) -> [Piece] {
        var pieces = pieces
        // Data in shreds is not worth the time that joining every end with every start would take.
        while pieces.lazy.filter({ !$0.endsAtEdge || !$0.startsAtEdge }).count <= 500 {
            var best: (distance: Double, end: Int, start: Int)?
            for (e, ending) in pieces.enumerated() where !ending.endsAtEdge {
                guard let end = ending.points.last, end != ending.points.first else { continue }
                let reach = distanceToEdge(end)
                for (s, starting) in pieces.enumerated() where !starting.startsAtEdge {
                    guard let start = starting.points.first, start != starting.points.last else { continue }
                    let dx = Double(start.x) - Double(end.x)
                    let dy = Double(start.y) - Double(end.y)
                    let distance = (dx * dx + dy * dy).squareRoot()
                    if distance < min(reach, distanceToEdge(start)), distance < best?.distance ?? .infinity {
                        best = (distance, e, s)
                    }
                }
            }
            guard let best else { return pieces }
            if best.end == best.start {
                pieces[best.end].points.append(pieces[best.end].points[0])
            } else {
                pieces[best.end].points += pieces[best.start].points
                pieces[best.end].endsAtEdge = pieces[best.start].endsAtEdge
                pieces.remove(at: best.start)
            }
        }
        return pieces
    }

    /// The points of a piece, from edge to edge; or a ring with its first point repeated.
    private func extended(_ piece: Piece) -> [MercatorPoint] {
        guard let first = piece.points.first, let last = piece.points.last, first != last else { return piece.points }
        return (piece.startsAtEdge ? [] : [nearestOnEdge(first)]) + piece.points
            + (piece.endsAtEdge ? [] : [nearestOnEdge(last)])
    }

    // MARK: - Round the box

    private func closed(_ lines: [[MercatorPoint]]) -> [[MercatorPoint]] {
        var rings: [[MercatorPoint]] = []
        var open: [(points: [MercatorPoint], start: Int64, end: Int64)] = []
        for line in lines {
            guard let first = line.first, let last = line.last else { continue }
            if first == last, line.count > 3 {
                rings.append(Array(line.dropLast()))
            } else {
                open.append((line, place(of: first), place(of: last)))
            }
        }
        open.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        var isUsed = [Bool](repeating: false, count: open.count)
        for first in open.indices where !isUsed[first] {
            var ring: [MercatorPoint] = []
            var current = first
            while true {
                isUsed[current] = true
                ring += open[current].points
                let end = open[current].end
                // The next start along the edge that is still free, or the one where this ring began.
                var next = first
                var way = Int64.max
                for index in open.indices where index == first || !isUsed[index] {
                    let distance = self.way(from: end, to: open[index].start)
                    if distance < way {
                        way = distance
                        next = index
                    }
                }
                ring += corners(from: end, way: way)
                if next == first { break }
                current = next
            }
            if ring.count >= 3 { rings.append(ring) }
        }
        return rings
    }

    private var width: Int64 { Int64(box.maxX) - Int64(box.minX) }
    private var height: Int64 { Int64(box.maxY) - Int64(box.minY) }

    /// Units along the edge from the south-west corner: eastwards, northwards, westwards, southwards.
    private func place(of point: MercatorPoint) -> Int64 {
        if point.y == box.maxY { return Int64(point.x) - Int64(box.minX) }
        if point.x == box.maxX { return width + Int64(box.maxY) - Int64(point.y) }
        if point.y == box.minY { return width + height + Int64(box.maxX) - Int64(point.x) }
        return 2 * width + height + Int64(point.y) - Int64(box.minY)
    }

    private func way(from a: Int64, to b: Int64) -> Int64 { b >= a ? b - a : b - a + 2 * (width + height) }

    private func corners(from start: Int64, way: Int64) -> [MercatorPoint] {
        let corners: [(Int64, MercatorPoint)] = [
            (width, MercatorPoint(x: box.maxX, y: box.maxY)),
            (width + height, MercatorPoint(x: box.maxX, y: box.minY)),
            (2 * width + height, MercatorPoint(x: box.minX, y: box.minY)),
            (2 * (width + height), MercatorPoint(x: box.minX, y: box.maxY)),
        ]
        return corners.map { (self.way(from: start, to: $0.0), $0.1) }.filter { $0.0 > 0 && $0.0 < way }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    // MARK: - Rings within rings

    /// Sorts rings into land, by the direction in which they run, and the waters inside it.
    private static func nested(
        _ rings: [[MercatorPoint]], _ evidence: [MercatorPoint], _ box: MercatorBox
    ) -> (land: [[[MercatorPoint]]], ground: Ground) {
        var outer: [(ring: [MercatorPoint], box: MercatorBox, area: Double)] = []
        var inner: [(ring: [MercatorPoint], box: MercatorBox, area: Double)] = []
        for ring in rings {
            guard let box = MercatorRing.box(ring) else { continue }
            let area = MercatorRing.doubleArea(ring)
            if area < 0 { outer.append((ring, box, -area)) } else if area > 0 { inner.append((ring, box, area)) }
        }
        var ground = Ground.sea
        if outer.isEmpty, !inner.isEmpty {
            // Waters in the land, unless all that is surely land lies inside them: then they are islands drawn the wrong
            // way round.
            let wet = evidence.lazy.filter { point in
                inner.contains { $0.box.contains(point) && MercatorRing.contains(point, rings: [$0.ring]) }
            }.count
            if wet == 0 || wet * 2 < evidence.count {
                ground = .land
                outer = [
                    (
                        [
                            MercatorPoint(x: box.minX, y: box.maxY), MercatorPoint(x: box.maxX, y: box.maxY),
                            MercatorPoint(x: box.maxX, y: box.minY), MercatorPoint(x: box.minX, y: box.minY),
                        ], box, .infinity
                    )
                ]
            }
        }
        outer.sort { $0.area > $1.area }
        var land = outer.map { [$0.ring] }
        for water in inner {
            // Into the smallest land around it; one in the open sea is an island drawn the wrong way round.
            let holder = outer.indices.last { index in
                outer[index].area > water.area && outer[index].box.intersects(water.box)
                    && MercatorRing.contains(water.ring[0], rings: [outer[index].ring])
            }
            if let holder { land[holder].append(water.ring) } else { land.append([water.ring]) }
        }
        return (land, ground)
    }
}

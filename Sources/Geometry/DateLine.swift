/// Lines and areas over the date line, cut there into pieces whose longitudes lie within ±180.
///
/// Neighbouring points more than 180 degrees apart are taken to be joined the short way round.
public enum DateLine {
    /// Whether a line goes over the date line.
    public static func isCrossed(by line: [Coordinate]) -> Bool {
        for index in line.indices.dropFirst() where abs(line[index].longitude - line[index - 1].longitude) > 180 {
            return true
        }
        return false
    }

    /// The line with each point on the near side of the one before: longitudes go on beyond ±180.
    public static func continued(_ line: [Coordinate]) -> [Coordinate] {
        guard isCrossed(by: line), let first = line.first else { return line }
        var turn = 0.0
        var before = first.longitude
        return line.map { point in
            if point.longitude - before > 180 { turn -= 360 } else if point.longitude - before < -180 { turn += 360 }
            before = point.longitude
            return Coordinate(latitude: point.latitude, longitude: point.longitude + turn)
        }
    }

    /// The pieces of a line, in its order.
    public static func pieces(of line: [Coordinate]) -> [[Coordinate]] {
        guard isCrossed(by: line) else { return [line] }
        var pieces: [[Coordinate]] = []
        var piece = [line[0]]
        for index in line.indices.dropFirst() {
            let (from, to) = (line[index - 1], line[index])
            if abs(to.longitude - from.longitude) > 180 {
                let edge = from.longitude > 0 ? 180.0 : -180
                let width = to.longitude + 2 * edge - from.longitude
                let share = width == 0 ? 0 : (edge - from.longitude) / width
                let latitude = from.latitude + share * (to.latitude - from.latitude)
                piece.append(Coordinate(latitude: latitude, longitude: edge))
                pieces.append(piece)
                piece = [Coordinate(latitude: latitude, longitude: -edge)]
            }
            piece.append(to)
        }
        return pieces + [piece]
    }

    /// The pieces of a polygon: an outer ring and those inside it, each closed. A polygon around a pole stays as it is.
    ///
    /// Sutherland and Hodgman, "Reentrant polygon clipping", 1974: pieces of a bent ring may hang together along the line.
    public static func pieces(ofPolygon rings: [[Coordinate]]) -> [[[Coordinate]]] {
        guard rings.contains(where: isCrossed), let outer = rings.first.map(continued), let first = outer.first,
            let last = outer.last, abs(last.longitude - first.longitude) < 180
        else { return [rings] }
        var pieces: [[[Coordinate]]] = []
        for turn in [-360.0, 0, 360] {
            let cut = clipped(outer, turn)
            guard cut.count >= 4 else { continue }
            let holes = rings.dropFirst().map { ring in
                // A hole lies on the same turn as the ring around it.
                let hole = continued(ring)
                let shift = (((first.longitude - (hole.first?.longitude ?? 0)) / 360).rounded()) * 360
                return clipped(
                    hole.map { Coordinate(latitude: $0.latitude, longitude: $0.longitude + shift) }, turn)
            }
            pieces.append([cut] + holes.filter { $0.count >= 4 })
        }
        return pieces.isEmpty ? [rings] : pieces
    }

    /// The part of a closed ring between -180 and 180 after `turn` is taken from its longitudes; empty for none.
    private static func clipped(_ ring: [Coordinate], _ turn: Double) -> [Coordinate] {
        let all = ring.dropLast().map { Coordinate(latitude: $0.latitude, longitude: $0.longitude - turn) }
        var points = clipped(all, at: 180, keepsWest: true)
        points = clipped(points, at: -180, keepsWest: false)
        guard let first = points.first, points.contains(where: { $0.longitude != first.longitude }) else { return [] }
        return points + [first]
    }

    private static func clipped(_ points: [Coordinate], at edge: Double, keepsWest: Bool) -> [Coordinate] {
        guard var before = points.last else { return [] }
        var result: [Coordinate] = []
        func isKept(_ point: Coordinate) -> Bool { keepsWest ? point.longitude <= edge : point.longitude >= edge }
        for point in points {
            if isKept(point) != isKept(before) {
                let share = (edge - before.longitude) / (point.longitude - before.longitude)
                result.append(
                    Coordinate(
                        latitude: before.latitude + share * (point.latitude - before.latitude), longitude: edge))
            }
            if isKept(point) { result.append(point) }
            before = point
        }
        return result
    }
}

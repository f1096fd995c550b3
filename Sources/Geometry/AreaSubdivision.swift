/// Cutting large polygons into small ones, so that point-in-area reads few vertices.
public enum AreaSubdivision {
    /// Cuts a polygon (outer ring first) by lines of longitude and latitude into parts of at most `vertices` vertices.
    ///
    /// Halves the longer side again and again; each half is clipped with Sutherland and Hodgman's algorithm
    /// ("Reentrant Polygon Clipping", CACM 1974). A clipped ring may run along the cut more than once, which the even-odd
    /// rule of `Polygon.contains` does not mind. Every point inside the polygon lies inside one part, but for points on
    /// a cut. Parts without area are left out. Depth is bounded.
    public static func parts(of rings: [[Coordinate]], vertices limit: Int) -> [[[Coordinate]]] {
        guard let first = rings.first?.first else { return [] }
        var box = BoundingBox(first)
        for ring in rings { for vertex in ring { box.extend(by: vertex) } }
        var parts: [[[Coordinate]]] = []
        split(rings, box, limit: max(limit, 8), depth: 0, into: &parts)
        return parts
    }

    private static func split(
        _ rings: [[Coordinate]], _ box: BoundingBox, limit: Int, depth: Int, into parts: inout [[[Coordinate]]]
    ) {
        let count = rings.reduce(0) { $0 + $1.count }
        guard count > limit, depth < 40 else {
            if count >= 4 { parts.append(rings) }
            return
        }
        let isWide = box.east - box.west > box.north - box.south
        let cut = isWide ? (box.west + box.east) / 2 : (box.south + box.north) / 2
        for keepsLow in [true, false] {
            var half = box
            if isWide {
                if keepsLow { half.east = cut } else { half.west = cut }
            } else {
                if keepsLow { half.north = cut } else { half.south = cut }
            }
            var clipped: [[Coordinate]] = []
            for (index, ring) in rings.enumerated() {
                let piece = clip(ring, isWide: isWide, cut: cut, keepsLow: keepsLow)
                if piece.count >= 4 { clipped.append(piece) } else if index == 0 { break }
            }
            if !clipped.isEmpty { split(clipped, half, limit: limit, depth: depth + 1, into: &parts) }
        }
    }

    /// The part of a closed ring on one side of a line; closed again, empty where nothing is left.
    static func clip(_ ring: [Coordinate], isWide: Bool, cut: Double, keepsLow: Bool) -> [Coordinate] {
        guard var previous = ring.last else { return [] }
        var kept: [Coordinate] = []
        kept.reserveCapacity(ring.count)
        func value(_ point: Coordinate) -> Double { isWide ? point.longitude : point.latitude }
        func isInside(_ point: Coordinate) -> Bool { keepsLow ? value(point) <= cut : value(point) >= cut }
        var wasInside = isInside(previous)
        for vertex in ring {
            let inside = isInside(vertex)
            if inside != wasInside {
                let t = (cut - value(previous)) / (value(vertex) - value(previous))
                kept.append(
                    isWide
                        ? Coordinate(
                            latitude: previous.latitude + t * (vertex.latitude - previous.latitude), longitude: cut)
                        : Coordinate(
                            latitude: cut, longitude: previous.longitude + t * (vertex.longitude - previous.longitude)))
            }
            if inside { kept.append(vertex) }
            previous = vertex
            wasInside = inside
        }
        guard let first = kept.first else { return [] }
        if kept.last != first { kept.append(first) }
        return kept
    }
}

/// Rings and points, in degrees on a flat map: ring edges are straight in longitude and latitude, as GEOS sees them.
public enum Polygon {
    /// Whether the edge from `a` to `b` crosses the ray from `point` to the east. Half-open in latitude, so that a vertex
    /// on the ray counts once.
    @inlinable public static func crosses(_ point: Coordinate, _ a: Coordinate, _ b: Coordinate) -> Bool {
        guard (a.latitude > point.latitude) != (b.latitude > point.latitude) else { return false }
        let t = (point.latitude - a.latitude) / (b.latitude - a.latitude)
        return point.longitude < a.longitude + t * (b.longitude - a.longitude)
    }

    /// Whether `point` lies inside, by the even-odd rule over all rings (outer and inner together).
    ///
    /// Points on an edge may fall on either side. Cost: one pass over the vertices.
    public static func contains(_ point: Coordinate, rings: [[Coordinate]]) -> Bool {
        var inside = false
        for ring in rings {
            guard var previous = ring.last else { continue }
            for vertex in ring {
                if crosses(point, previous, vertex) { inside.toggle() }
                previous = vertex
            }
        }
        return inside
    }

    /// Whether `point` lies inside or on an edge, within a ten-billionth of a degree.
    public static func covers(_ point: Coordinate, rings: [[Coordinate]]) -> Bool {
        contains(point, rings: rings) || rings.contains { touches(point, $0) }
    }

    private static func touches(_ point: Coordinate, _ ring: [Coordinate]) -> Bool {
        let tolerance = 1e-10
        guard var a = ring.last else { return false }
        for b in ring {
            if point.longitude >= min(a.longitude, b.longitude) - tolerance,
                point.longitude <= max(a.longitude, b.longitude) + tolerance,
                point.latitude >= min(a.latitude, b.latitude) - tolerance,
                point.latitude <= max(a.latitude, b.latitude) + tolerance
            {
                let dx = b.longitude - a.longitude
                let dy = b.latitude - a.latitude
                let length = (dx * dx + dy * dy).squareRoot()
                let cross = dx * (point.latitude - a.latitude) - dy * (point.longitude - a.longitude)
                if abs(cross) <= tolerance * max(length, tolerance) { return true }
            }
            a = b
        }
        return false
    }

    /// Twice the signed area of a ring in square degrees; positive when it runs counter-clockwise.
    static func doubleArea(_ ring: [Coordinate]) -> Double {
        guard let origin = ring.first, var previous = ring.last else { return 0 }
        var sum = 0.0
        for vertex in ring {
            sum +=
                (previous.longitude - origin.longitude) * (vertex.latitude - origin.latitude)
                - (vertex.longitude - origin.longitude) * (previous.latitude - origin.latitude)
            previous = vertex
        }
        return sum
    }

    /// The area in square degrees, inner rings taken off. The outer ring stands first.
    public static func area(_ rings: [[Coordinate]]) -> Double {
        guard let outer = rings.first else { return 0 }
        return rings.dropFirst().reduce(abs(doubleArea(outer))) { $0 - abs(doubleArea($1)) } / 2
    }

    /// A point inside: the centroid where it lies inside, else the middle of the widest stretch inside on the line of
    /// latitude through the middle of the polygon. For a ring without area: its middle vertex. Nil for no vertex at all.
    public static func representativePoint(_ rings: [[Coordinate]]) -> Coordinate? {
        guard let outer = rings.first, let first = outer.first else { return nil }
        let double = doubleArea(outer)
        guard abs(double) > 0 else { return outer[outer.count / 2] }
        var x = 0.0
        var y = 0.0
        var previous = outer[outer.count - 1]
        for vertex in outer {
            let px = previous.longitude - first.longitude
            let py = previous.latitude - first.latitude
            let vx = vertex.longitude - first.longitude
            let vy = vertex.latitude - first.latitude
            let cross = px * vy - vx * py
            x += (px + vx) * cross
            y += (py + vy) * cross
            previous = vertex
        }
        let centroid = Coordinate(
            latitude: first.latitude + y / (3 * double), longitude: first.longitude + x / (3 * double))
        if contains(centroid, rings: rings) { return centroid }
        return pointOnScanline(rings) ?? outer[outer.count / 2]
    }

    private static func pointOnScanline(_ rings: [[Coordinate]]) -> Coordinate? {
        let latitudes = rings[0].map(\.latitude)
        guard let south = latitudes.min(), let north = latitudes.max() else { return nil }
        // A line through a vertex may touch without crossing: other heights are tried where the middle finds nothing.
        for share in [0.5, 0.487, 0.531, 0.25, 0.75] {
            let latitude = south + (north - south) * share
            var crossings: [Double] = []
            for ring in rings {
                guard var a = ring.last else { continue }
                for b in ring {
                    if (a.latitude > latitude) != (b.latitude > latitude) {
                        let t = (latitude - a.latitude) / (b.latitude - a.latitude)
                        crossings.append(a.longitude + t * (b.longitude - a.longitude))
                    }
                    a = b
                }
            }
            crossings.sort()
            var best: (width: Double, middle: Double)?
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                let width = crossings[index + 1] - crossings[index]
                if width > best?.width ?? 0 { best = (width, (crossings[index] + crossings[index + 1]) / 2) }
            }
            if let best { return Coordinate(latitude: latitude, longitude: best.middle) }
        }
        return nil
    }
}

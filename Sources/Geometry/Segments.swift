import Glibc

/// A flat map around one point, in metres: longitude is scaled by the cosine of the point's latitude.
///
/// For distances up to some kilometres; the error grows with the distance and with the latitude (below 0.1 per cent
/// within 10 km up to 60 degrees). Longitudes are taken the short way round, so that it works over the date line.
public struct LocalPlane: Sendable {
    public let origin: Coordinate
    /// Metres in a degree of latitude, and in a degree of longitude at the origin.
    public let metresPerLatitude: Double
    public let metresPerLongitude: Double

    public init(origin: Coordinate) {
        self.origin = origin
        metresPerLatitude = earthRadius * .pi / 180
        metresPerLongitude = metresPerLatitude * max(cos(origin.latitude * .pi / 180), 1e-9)
    }

    /// Metres east and north of the origin.
    @inlinable public func project(_ point: Coordinate) -> (x: Double, y: Double) {
        var east = point.longitude - origin.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return (east * metresPerLongitude, (point.latitude - origin.latitude) * metresPerLatitude)
    }

    /// Distance in metres from the origin to the segment `a b`, and how far along it the nearest point lies (0 to 1).
    @inlinable public func distance(toSegment a: Coordinate, _ b: Coordinate) -> (metres: Double, fraction: Double) {
        let (ax, ay) = project(a)
        let (bx, by) = project(b)
        let dx = bx - ax
        let dy = by - ay
        let square = dx * dx + dy * dy
        var t = square > 0 ? -(ax * dx + ay * dy) / square : 0
        t = t < 0 ? 0 : t > 1 ? 1 : t
        let x = ax + t * dx
        let y = ay + t * dy
        return ((x * x + y * y).squareRoot(), t)
    }

    /// A window of `metres` around the origin, in degrees. Does not wrap at the date line.
    public func window(_ metres: Double) -> BoundingBox {
        let north = metres / metresPerLatitude
        let east = metres / metresPerLongitude
        return BoundingBox(
            west: origin.longitude - east, south: origin.latitude - north, east: origin.longitude + east,
            north: origin.latitude + north)
    }
}

extension Coordinate {
    /// Distance in metres to a line of one point or more; infinite for none.
    public func distance(toLine line: [Coordinate]) -> Double {
        guard let first = line.first else { return .infinity }
        let plane = LocalPlane(origin: self)
        var best = plane.distance(toSegment: first, first).metres
        for index in line.indices.dropFirst() {
            best = min(best, plane.distance(toSegment: line[index - 1], line[index]).metres)
        }
        return best
    }
}

/// Points along a line.
public enum LineReference {
    /// The length in degrees of latitude, with longitudes scaled by the cosine of the first point's latitude.
    public static func length(of line: [Coordinate]) -> Double {
        guard let first = line.first else { return 0 }
        let scale = cos(first.latitude * .pi / 180)
        var total = 0.0
        for index in line.indices.dropFirst() {
            let x = (line[index].longitude - line[index - 1].longitude) * scale
            let y = line[index].latitude - line[index - 1].latitude
            total += (x * x + y * y).squareRoot()
        }
        return total
    }

    /// The point at `fraction` (0 to 1) of the line's length, measured in degrees with longitudes scaled by the latitude
    /// of the first point; nil for an empty line.
    public static func point(at fraction: Double, of line: [Coordinate]) -> Coordinate? {
        guard let first = line.first, let last = line.last else { return nil }
        let scale = cos(first.latitude * .pi / 180)
        var lengths: [Double] = []
        var total = 0.0
        for index in line.indices.dropFirst() {
            let x = (line[index].longitude - line[index - 1].longitude) * scale
            let y = line[index].latitude - line[index - 1].latitude
            let length = (x * x + y * y).squareRoot()
            lengths.append(length)
            total += length
        }
        guard total > 0, fraction > 0 else { return first }
        var left = min(fraction, 1) * total
        for (index, length) in lengths.enumerated() {
            if left <= length, length > 0 {
                let t = left / length
                return Coordinate(
                    latitude: line[index].latitude + t * (line[index + 1].latitude - line[index].latitude),
                    longitude: line[index].longitude + t * (line[index + 1].longitude - line[index].longitude))
            }
            left -= length
        }
        return last
    }
}

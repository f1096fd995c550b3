import Glibc

/// Lines of coordinates: lengths, spots along them, distances to them, simplification and encoding.
///
/// All work on the mean sphere; short distances use a plane that touches the globe at the line.
public enum Polyline {
    /// Metres along the line.
    public static func length(of line: [Coordinate]) -> Double {
        var sum = 0.0
        for i in line.indices.dropFirst() { sum += line[i - 1].distance(to: line[i]) }
        return sum
    }

    /// The spot `metres` along the line, on one of its segments; the ends beyond either end. Nil for an empty line.
    public static func point(on line: [Coordinate], at metres: Double) -> Coordinate? {
        guard let first = line.first, let last = line.last else { return nil }
        guard metres > 0 else { return first }
        var left = metres
        for i in line.indices.dropFirst() {
            let step = line[i - 1].distance(to: line[i])
            if step >= left, step > 0 {
                let t = left / step
                return Coordinate(
                    latitude: line[i - 1].latitude + t * (line[i].latitude - line[i - 1].latitude),
                    longitude: line[i - 1].longitude + t * (line[i].longitude - line[i - 1].longitude))
            }
            left -= step
        }
        return last
    }

    /// The shortest distance in metres from a point to the line, infinite for an empty line.
    public static func distance(from point: Coordinate, to line: [Coordinate]) -> Double {
        guard let first = line.first else { return .infinity }
        if line.count == 1 { return point.distance(to: first) }
        let plane = Plane(at: point)
        var best = Double.infinity
        for i in line.indices.dropFirst() {
            best = min(best, Plane.squaredDistanceFromOrigin(plane.place(line[i - 1]), plane.place(line[i])))
        }
        return best.squareRoot()
    }

    /// The indices that remain when points within `tolerance` metres of the simpler line are left out; ends remain.
    ///
    /// Douglas and Peucker, "Algorithms for the reduction of the number of points required to represent a digitized
    /// line", 1973. Expected cost n log n.
    public static func simplifiedIndices(of line: [Coordinate], tolerance: Double) -> [Int] {
        guard line.count > 2 else { return Array(line.indices) }
        let plane = Plane(at: line[0])
        let points = line.map(plane.place)
        var keeps = [Bool](repeating: false, count: line.count)
        keeps[0] = true
        keeps[line.count - 1] = true
        var open = [(0, line.count - 1)]
        while let (from, to) = open.popLast() {
            guard to - from > 1 else { continue }
            var worst = tolerance * tolerance
            var index = -1
            for i in (from + 1)..<to {
                let origin = points[i]
                let a = (points[from].x - origin.x, points[from].y - origin.y)
                let b = (points[to].x - origin.x, points[to].y - origin.y)
                let distance = Plane.squaredDistanceFromOrigin(a, b)
                if distance > worst {
                    worst = distance
                    index = i
                }
            }
            guard index >= 0 else { continue }
            keeps[index] = true
            open.append((from, index))
            open.append((index, to))
        }
        return keeps.indices.filter { keeps[$0] }
    }

    /// The line without the points within `tolerance` metres of the simpler line.
    public static func simplified(_ line: [Coordinate], tolerance: Double) -> [Coordinate] {
        simplifiedIndices(of: line, tolerance: tolerance).map { line[$0] }
    }
}

/// An equirectangular plane in metres around a point: true to a part in a million within some kilometres.
struct Plane {
    private let origin: Coordinate
    private let metresPerLongitude: Double
    private let metresPerLatitude: Double

    init(at origin: Coordinate) {
        self.origin = origin
        let radians = Double.pi / 180
        metresPerLatitude = earthRadius * radians
        metresPerLongitude = earthRadius * radians * cos(origin.latitude * radians)
    }

    func place(_ point: Coordinate) -> (x: Double, y: Double) {
        var east = point.longitude - origin.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return (east * metresPerLongitude, (point.latitude - origin.latitude) * metresPerLatitude)
    }

    static func squaredDistanceFromOrigin(_ a: (x: Double, y: Double), _ b: (x: Double, y: Double)) -> Double {
        nearestToOrigin(a, b).squaredDistance
    }

    /// The point of the segment from `a` to `b` that is nearest to the origin: its share of the way, and how far it is.
    static func nearestToOrigin(
        _ a: (x: Double, y: Double), _ b: (x: Double, y: Double)
    ) -> (share: Double, squaredDistance: Double) {
        let dx = b.x - a.x
        let dy = b.y - a.y
        let square = dx * dx + dy * dy
        let t = square > 0 ? min(max(-(a.x * dx + a.y * dy) / square, 0), 1) : 0
        let x = a.x + t * dx
        let y = a.y + t * dy
        return (t, x * x + y * y)
    }
}

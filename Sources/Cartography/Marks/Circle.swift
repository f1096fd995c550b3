import Foundation
import Geometry

extension Mercator {
    /// The outline of the circle of `metres` on the globe; longitudes go on beyond ±180 where it lies over the date line.
    static func circle(around center: Coordinate, metres: Double, steps: Int) -> [Coordinate] {
        let radians = Double.pi / 180
        let angle = min(metres / earthRadius, .pi * 0.999)
        let latitude = center.latitude * radians
        return (0..<max(steps, 3)).map { step in
            let bearing = 2 * .pi * Double(step) / Double(steps)
            let sine = sin(latitude) * cos(angle) + cos(latitude) * sin(angle) * cos(bearing)
            let to = asin(min(max(sine, -1), 1))
            let turn = atan2(sin(bearing) * sin(angle) * cos(latitude), cos(angle) - sin(latitude) * sin(to))
            return Coordinate(latitude: to / radians, longitude: center.longitude + turn / radians)
        }
    }
}

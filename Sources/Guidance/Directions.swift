import Geometry
import Glibc

/// The change from one bearing to another in degrees, above -180 up to 180, positive to the right.
func deviation(from before: Double, to after: Double) -> Double {
    var change = (after - before).truncatingRemainder(dividingBy: 360)
    if change > 180 { change -= 360 } else if change <= -180 { change += 360 }
    return change
}

/// How far apart two bearings are, 0 to 180 degrees.
func angle(between a: Double, and b: Double) -> Double { abs(deviation(from: a, to: b)) }

/// The bearing in the middle between two, along the shorter arc.
func middle(_ a: Double, _ b: Double) -> Double {
    let bearing = a + deviation(from: a, to: b) / 2
    return bearing < 0 ? bearing + 360 : bearing >= 360 ? bearing - 360 : bearing
}

/// A bearing as a whole number of degrees, 0 ... 359.
func wholeBearing(_ bearing: Double) -> Int {
    let whole = Int(bearing.rounded())
    return whole >= 360 ? whole - 360 : whole
}

/// The bearing in which a line sets out, looked at over its first `metres` (all of it where it is shorter).
func initialBearing(of line: [Coordinate], over metres: Double) -> Double {
    guard let start = line.first else { return 0 }
    return FlatPlace(start).bearing(over: metres, of: line.lazy.dropFirst())
}

/// The bearing in which a line arrives, looked at over its last `metres`.
func finalBearing(of line: [Coordinate], over metres: Double) -> Double {
    guard let end = line.last else { return 0 }
    let back = FlatPlace(end).bearing(over: metres, of: line.dropLast().reversed())
    return back >= 180 ? back - 180 : back + 180
}

/// A place on the sphere with the plane that touches it there: bearings and distances of near places cost no sines.
struct FlatPlace {
    private let origin: Coordinate
    /// How much shorter a degree of longitude is than one of latitude.
    private let narrowing: Double

    init(_ origin: Coordinate) {
        self.origin = origin
        narrowing = cos(origin.latitude * .pi / 180)
    }

    /// Degrees of latitude that a place lies to the east and to the north, the shorter way round the globe.
    private func offset(of place: Coordinate) -> (east: Double, north: Double) {
        var east = place.longitude - origin.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return (east * narrowing, place.latitude - origin.latitude)
    }

    /// Metres that a near place lies to the east and to the north.
    func metres(to place: Coordinate) -> (east: Double, north: Double) {
        let (east, north) = offset(of: place)
        return (east * Self.metresPerDegree, north * Self.metresPerDegree)
    }

    private static let metresPerDegree = earthRadius * .pi / 180

    /// The bearing of the spot at `metres` along a line that begins here, or of its end; 0 where the line leads nowhere.
    func bearing(over metres: Double, of line: some Sequence<Coordinate>) -> Double {
        var left = metres / Self.metresPerDegree
        var last = (east: 0.0, north: 0.0)
        for point in line {
            let next = offset(of: point)
            let (east, north) = (next.east - last.east, next.north - last.north)
            let step = (east * east + north * north).squareRoot()
            if step >= left, step > 0 {
                last = (last.east + east * left / step, last.north + north * left / step)
                break
            }
            left -= step
            last = next
        }
        let bearing = atan2(last.east, last.north) * 180 / .pi
        return bearing < 0 ? bearing + 360 : bearing
    }
}

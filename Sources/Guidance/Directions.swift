import Geometry

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
    guard let start = line.first, let spot = Polyline.point(on: line, at: metres) else { return 0 }
    return start.bearing(to: spot)
}

/// The bearing in which a line arrives, looked at over its last `metres`.
func finalBearing(of line: [Coordinate], over metres: Double) -> Double {
    guard let end = line.last else { return 0 }
    var left = metres
    var i = line.count - 1
    while i > 0 {
        let step = line[i].distance(to: line[i - 1])
        if step >= left, step > 0 {
            let t = left / step
            let spot = Coordinate(
                latitude: line[i].latitude + t * (line[i - 1].latitude - line[i].latitude),
                longitude: line[i].longitude + t * (line[i - 1].longitude - line[i].longitude))
            return spot.bearing(to: end)
        }
        left -= step
        i -= 1
    }
    return line[0].bearing(to: end)
}

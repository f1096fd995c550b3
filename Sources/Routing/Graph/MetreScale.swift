import Glibc

/// Metres for a degree at a latitude, on the WGS84 ellipsoid.
struct MetreScale {
    let perLatitude: Double
    let perLongitude: Double

    private init(perLatitude: Double, perLongitude: Double) {
        self.perLatitude = perLatitude
        self.perLongitude = perLongitude
    }

    /// For each hundredth of a degree from the equator on.
    private static let table = (0...9001).map { MetreScale(latitude: Double($0) / 100) }

    /// The same to eight digits, between entries of a table: no sine is computed.
    static func near(latitude: Double) -> MetreScale {
        let place = min(latitude.magnitude * 100, 9000)
        let index = Int(place)
        let part = place - Double(index)
        return table.withUnsafeBufferPointer { table in
            let (a, b) = (table[index], table[index + 1])
            return MetreScale(
                perLatitude: a.perLatitude + (b.perLatitude - a.perLatitude) * part,
                perLongitude: a.perLongitude + (b.perLongitude - a.perLongitude) * part)
        }
    }

    init(latitude: Double) {
        let radians = latitude * .pi / 180
        let sine = sin(radians)
        let cosine = max(cos(radians), 1e-6)
        let e2 = 0.00669437999014
        let w = 1 - e2 * sine * sine
        let root = w.squareRoot()
        let equator = 6_378_137.0
        perLatitude = equator * (1 - e2) / (w * root) * .pi / 180
        perLongitude = equator / root * cosine * .pi / 180
    }
}

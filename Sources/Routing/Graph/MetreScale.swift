import Glibc

/// Metres for a degree at a latitude, on the WGS84 ellipsoid.
struct MetreScale {
    let perLatitude: Double
    let perLongitude: Double

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

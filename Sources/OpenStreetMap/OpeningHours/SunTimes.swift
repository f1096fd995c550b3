import Geometry

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// When the sun rises and sets on a day, in minutes of the wall clock.
///
/// The equations of NOAA's solar calculator (after Meeus, Astronomical Algorithms, 1991): right to about a minute between
/// the polar circles. Dawn and dusk are those of civil twilight, the sun 6 degrees below the horizon. Where the sun does
/// not rise, dawn to dusk is empty at noon; where it does not set, it is the whole day.
struct SunTimes: Equatable {
    var dawn: Int
    var sunrise: Int
    var sunset: Int
    var dusk: Int

    /// For places that are not known.
    static let fixed = SunTimes(dawn: 360, sunrise: 420, sunset: 1140, dusk: 1200)

    init(dawn: Int, sunrise: Int, sunset: Int, dusk: Int) {
        self.dawn = dawn
        self.sunrise = sunrise
        self.sunset = sunset
        self.dusk = dusk
    }

    init(on day: OpeningHours.Day, at coordinate: Coordinate, minutesFromUTC offset: Int) {
        let latitude = min(max(coordinate.latitude, -89.9), 89.9)
        func minute(_ zenith: Double, rising: Bool) -> Int {
            // Begin at the local noon, then ask again for the sun's place at the time found.
            var utc = 720 - 4 * coordinate.longitude
            for _ in 0..<3 {
                let sun = Self.sun(days: Double(day.number) + utc / 1440)
                let cosine =
                    (cos(zenith * .pi / 180) / (cos(latitude * .pi / 180) * cos(sun.declination)))
                    - tan(latitude * .pi / 180) * tan(sun.declination)
                let angle = acos(min(max(cosine, -1), 1)) * 180 / .pi
                utc = 720 - 4 * (coordinate.longitude + (rising ? angle : -angle)) - sun.equationOfTime
            }
            return Int((utc + Double(min(max(offset, -1080), 1080))).rounded(.down))
        }
        guard coordinate.latitude.isFinite, coordinate.longitude.isFinite else {
            self = .fixed
            return
        }
        dawn = minute(96, rising: true)
        sunrise = minute(90.833, rising: true)
        sunset = minute(90.833, rising: false)
        dusk = minute(96, rising: false)
    }

    /// The sun's declination in radians and the equation of time in minutes, so many days after 1 January 1970, 0:00 UTC.
    private static func sun(days: Double) -> (declination: Double, equationOfTime: Double) {
        let radians = Double.pi / 180
        let t = (days + 2_440_587.5 - 2_451_545) / 36_525
        let longitude = (280.46646 + t * (36_000.76983 + t * 0.0003032)) * radians
        let anomaly = (357.52911 + t * (35_999.05029 - 0.0001537 * t)) * radians
        let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
        let centre =
            sin(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
            + sin(2 * anomaly) * (0.019993 - 0.000101 * t) + sin(3 * anomaly) * 0.000289
        let node = (125.04 - 1934.136 * t) * radians
        let apparent = longitude + (centre - 0.00569 - 0.00478 * sin(node)) * radians
        let obliquity =
            (23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60 + 0.00256 * cos(node))
            * radians
        let declination = asin(sin(obliquity) * sin(apparent))
        let y = tan(obliquity / 2) * tan(obliquity / 2)
        let equation =
            y * sin(2 * longitude) - 2 * eccentricity * sin(anomaly)
            + 4 * eccentricity * y * sin(anomaly) * cos(2 * longitude) - 0.5 * y * y * sin(4 * longitude)
            - 1.25 * eccentricity * eccentricity * sin(2 * anomaly)
        return (declination, 4 * equation / radians)
    }
}

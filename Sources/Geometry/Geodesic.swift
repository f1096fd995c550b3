import Glibc

/// Lengths of geodesics on the WGS84 ellipsoid.
///
/// The inverse problem after Karney, "Algorithms for geodesics" (Journal of Geodesy 87, 2013): the azimuth at one end is
/// found by Newton's method on the longitude that the other end is reached at, inside a bracket that is halved wherever
/// Newton's step leaves it. So it ends for every pair of points, antipodes included. Equation numbers are the paper's; the
/// series go to the sixth order of the third flattening, good to some nanometres.
enum Geodesic {
    private static let a = 6_378_137.0
    private static let f = 1 / 298.257223563
    private static let b = a * (1 - f)
    private static let n = f / (2 - f)
    /// The second eccentricity squared.
    private static let e2 = f * (2 - f) / ((1 - f) * (1 - f))
    private static let epsilon = Double.ulpOfOne

    /// Sine and cosine of an angle, kept apart so that small and near-right angles lose nothing.
    private struct Angle {
        var sine: Double
        var cosine: Double

        init(_ sine: Double, _ cosine: Double) {
            let length = hypot(sine, cosine)
            self.sine = sine / length
            self.cosine = cosine / length
        }

        init(degrees: Double) {
            self.init(sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        }

        /// The angle from `self` to `other`, not less than 0 (and not -0, which would turn the other way round).
        func turn(to other: Angle) -> (sine: Double, cosine: Double) {
            (max(0, cosine * other.sine - sine * other.cosine) + 0, cosine * other.cosine + sine * other.sine)
        }
    }

    /// Metres along the shortest geodesic; NaN where a number is not finite or a latitude is off the globe.
    static func distance(_ from: Coordinate, _ to: Coordinate) -> Double {
        guard abs(from.latitude) <= 90, abs(to.latitude) <= 90, from.longitude.isFinite, to.longitude.isFinite else {
            return .nan
        }
        let difference = abs((to.longitude - from.longitude).remainder(dividingBy: 360))
        // By symmetry the first point can be the one farther from the equator, on the southern side.
        var (first, second) = (from.latitude, to.latitude)
        if abs(first) < abs(second) { swap(&first, &second) }
        if first > 0 { (first, second) = (-first, -second) }
        return Problem(latitude1: first, latitude2: second, longitude: difference).solve()
    }

    /// One canonical pair: latitude 1 is not positive and not nearer to the equator than latitude 2.
    private struct Problem {
        /// Degrees, 0 to 180.
        let longitude: Double
        /// The same as an angle.
        let λ12: Angle
        /// Reduced latitudes.
        let β1: Angle
        let β2: Angle
        let dn1: Double
        let dn2: Double

        init(latitude1: Double, latitude2: Double, longitude: Double) {
            self.longitude = longitude
            let rest = Angle(degrees: longitude > 90 ? 180 - longitude : longitude)
            λ12 = longitude > 90 ? Angle(rest.sine, -rest.cosine) : rest
            func reduced(_ latitude: Double) -> Angle {
                let angle = Angle(degrees: latitude)
                return Angle((1 - f) * angle.sine, max(angle.cosine, 1e-150))
            }
            β1 = reduced(latitude1)
            // The same number where the latitudes are mirrored, so that later differences vanish exactly.
            β2 =
                abs(latitude2) == abs(latitude1) && latitude2 != latitude1
                ? Angle(-β1.sine, β1.cosine) : latitude2 == latitude1 ? β1 : reduced(latitude2)
            dn1 = (1 + e2 * β1.sine * β1.sine).squareRoot()
            dn2 = (1 + e2 * β2.sine * β2.sine).squareRoot()
        }

        func solve() -> Double {
            if λ12.sine == 0 || longitude == 0 || longitude == 180 || β1.cosine < 1e-100, let length = meridian() {
                return length
            }
            // Along the equator, unless the point is so near to the antipode that a way past a pole is shorter.
            if β1.sine == 0, longitude <= (1 - f) * 180 { return a * longitude * .pi / 180 }
            if let short = shortLine() { return short }
            return newton()
        }

        /// The way along a meridian; nil where it is not the shortest.
        private func meridian() -> Double? {
            // Over the pole where the points lie on opposite sides.
            let σ1 = Angle(β1.sine, λ12.cosine < 0 ? -β1.cosine : β1.cosine)
            let σ2 = β2
            let turn = σ1.turn(to: σ2)
            let σ12 = atan2(turn.sine, turn.cosine)
            let lengths = lengths(third: n, σ12: σ12, σ1: σ1, σ2: σ2)
            return σ12 < 1 || lengths.reduced >= 0 ? lengths.distance * b : nil
        }

        /// The length over a sphere that fits the middle, exact for lines of some centimetres; nil for longer ones.
        private func shortLine() -> Double? {
            let λ = longitude * .pi / 180
            let sineOfDifference = β2.sine * β1.cosine - β2.cosine * β1.sine
            guard sineOfDifference >= 0, sineOfDifference < 1e-7, β2.cosine * λ < 1e-7,
                β2.cosine * β1.cosine + β2.sine * β1.sine > 0
            else { return nil }
            let sum = (sines: β1.sine + β2.sine, cosines: β1.cosine + β2.cosine)
            let middle = sum.sines * sum.sines / (sum.sines * sum.sines + sum.cosines * sum.cosines)
            let dn = (1 + e2 * middle).squareRoot()
            let ω = λ / ((1 - f) * dn)
            let east = β2.cosine * sin(ω)
            let north = sineOfDifference + β2.cosine * β1.sine * sin(ω) * sin(ω) / (1 + cos(ω))
            return hypot(east, north) * b * dn
        }

        /// Newton's method on the azimuth at the first point.
        private func newton() -> Double {
            var α = start()
            // Azimuths 0 and 180: the longitude reached grows from one to the other.
            var low = Angle(1e-150, 1)
            var high = Angle(1e-150, -1)
            var result = 0.0
            for _ in 0..<100 {
                let reached = reach(α)
                result = reached.distance
                if abs(reached.excess) <= 2 * epsilon { break }
                if reached.excess > 0 {
                    if α.cosine / α.sine > high.cosine / high.sine { high = α }
                } else if α.cosine / α.sine < low.cosine / low.sine {
                    low = α
                }
                let step = -reached.excess / reached.slope
                var next = Angle(
                    α.sine * cos(step) + α.cosine * sin(step), α.cosine * cos(step) - α.sine * sin(step))
                let isInside =
                    next.sine > 0 && abs(step) < .pi
                    && next.cosine / next.sine < low.cosine / low.sine
                    && next.cosine / next.sine > high.cosine / high.sine
                if !isInside { next = Angle((low.sine + high.sine) / 2, (low.cosine + high.cosine) / 2) }
                // Near the equator the cosine is tiny and each of its digits counts.
                if next.sine == α.sine, next.cosine == α.cosine { break }
                α = next
            }
            return result * b
        }

        /// The azimuth on a sphere; for points that are almost antipodes the bracket's middle serves as well.
        private func start() -> Angle {
            let sineOfDifference = β2.sine * β1.cosine - β2.cosine * β1.sine
            let sineOfSum = β2.sine * β1.cosine + β2.cosine * β1.sine
            let east = β2.cosine * λ12.sine
            let s2 = λ12.sine * λ12.sine
            let north =
                λ12.cosine >= 0
                ? sineOfDifference + β2.cosine * β1.sine * s2 / (1 + λ12.cosine)
                : sineOfSum - β2.cosine * β1.sine * s2 / (1 - λ12.cosine)
            return east > 0 ? Angle(east, north) : Angle(1, 0)
        }

        /// How far beyond the wanted longitude the geodesic with this azimuth meets latitude 2 (radians), how fast that
        /// grows with the azimuth, and the length so far in units of b.
        private func reach(_ α1: Angle) -> (excess: Double, slope: Double, distance: Double) {
            let sinα0 = α1.sine * β1.cosine
            let cosα0 = hypot(α1.cosine, α1.sine * β1.sine)
            let σ1 = Angle(β1.sine, α1.cosine * β1.cosine)
            let ω1 = Angle(sinα0 * β1.sine, α1.cosine * β1.cosine)
            // cos α2 from the difference of squares that loses least (eq. 45).
            let across = α1.cosine * β1.cosine
            let squares =
                β1.cosine < -β1.sine
                ? (β2.cosine - β1.cosine) * (β1.cosine + β2.cosine) : (β1.sine - β2.sine) * (β1.sine + β2.sine)
            let cosα2 =
                β2.cosine == β1.cosine && abs(β2.sine) == -β1.sine
                ? abs(α1.cosine) : max(0, across * across + squares).squareRoot() / β2.cosine
            let σ2 = Angle(β2.sine, cosα2 * β2.cosine)
            let ω2 = Angle(sinα0 * β2.sine, cosα2 * β2.cosine)
            let σ = σ1.turn(to: σ2)
            let σ12 = atan2(σ.sine, σ.cosine)
            let ω = ω1.turn(to: ω2)
            let η = atan2(ω.sine * λ12.cosine - ω.cosine * λ12.sine, ω.cosine * λ12.cosine + ω.sine * λ12.sine)
            let k2 = cosα0 * cosα0 * e2
            let ε = k2 / (2 * (1 + (1 + k2).squareRoot()) + k2)
            let c3 = Series.c3(ε, n)
            let i3 = Series.a3(ε, n) * (σ12 + Series.sum(c3, σ2.sine, σ2.cosine) - Series.sum(c3, σ1.sine, σ1.cosine))
            let lengths = lengths(third: ε, σ12: σ12, σ1: σ1, σ2: σ2)
            let slope =
                cosα2 == 0 ? -2 * (1 - f) * dn1 / β1.sine : lengths.reduced * (1 - f) / (cosα2 * β2.cosine)
            return (η - f * sinα0 * i3, slope, lengths.distance)
        }

        /// Distance (eq. 7) and reduced length (eq. 38) between two arcs of one geodesic, in units of b.
        private func lengths(third ε: Double, σ12: Double, σ1: Angle, σ2: Angle) -> (distance: Double, reduced: Double)
        {
            let (a1, a2) = (Series.a1(ε), Series.a2(ε))
            let (c1, c2) = (Series.c1(ε), Series.c2(ε))
            let b1 = Series.sum(c1, σ2.sine, σ2.cosine) - Series.sum(c1, σ1.sine, σ1.cosine)
            let b2 = Series.sum(c2, σ2.sine, σ2.cosine) - Series.sum(c2, σ1.sine, σ1.cosine)
            let j12 = (a1 - a2) * σ12 + (a1 * b1 - a2 * b2)
            let reduced =
                dn2 * (σ1.cosine * σ2.sine) - dn1 * (σ1.sine * σ2.cosine) - σ1.cosine * σ2.cosine * j12
            return (a1 * (σ12 + b1), reduced)
        }
    }

    /// The paper's series in ε, and Clenshaw's sum of their sines.
    private enum Series {
        typealias Six = (Double, Double, Double, Double, Double, Double)

        static func a1(_ ε: Double) -> Double {
            let ε2 = ε * ε
            return (1 + ε2 * (1 / 4.0 + ε2 * (1 / 64.0 + ε2 / 256))) / (1 - ε)
        }

        static func c1(_ ε: Double) -> Six {
            let ε2 = ε * ε
            let ε3 = ε2 * ε
            return (
                ε * (-1 / 2.0 + ε2 * (3 / 16.0 - ε2 / 32)), ε2 * (-1 / 16.0 + ε2 * (1 / 32.0 - ε2 * 9 / 2_048)),
                ε3 * (-1 / 48.0 + ε2 * 3 / 256), ε2 * ε2 * (-5 / 512.0 + ε2 * 3 / 512), ε3 * ε2 * (-7 / 1_280.0),
                ε3 * ε3 * (-7 / 2_048.0)
            )
        }

        static func a2(_ ε: Double) -> Double {
            let ε2 = ε * ε
            return (1 + ε2 * (1 / 4.0 + ε2 * (9 / 64.0 + ε2 * 25 / 256))) * (1 - ε)
        }

        static func c2(_ ε: Double) -> Six {
            let ε2 = ε * ε
            let ε3 = ε2 * ε
            return (
                ε * (1 / 2.0 + ε2 * (1 / 16.0 + ε2 / 32)), ε2 * (3 / 16.0 + ε2 * (1 / 32.0 + ε2 * 35 / 2_048)),
                ε3 * (5 / 48.0 + ε2 * 5 / 256), ε2 * ε2 * (35 / 512.0 + ε2 * 7 / 512), ε3 * ε2 * 63 / 1_280,
                ε3 * ε3 * 77 / 2_048
            )
        }

        static func a3(_ ε: Double, _ n: Double) -> Double {
            let n2 = n * n
            let (c1, c2) = ((1 - n) / 2, 1 / 4.0 + n / 8 - 3 * n2 / 8)
            let (c3, c4) = (1 / 16.0 + 3 * n / 16 + n2 / 16, 3 / 64.0 + n / 32)
            return 1 - ε * (c1 + ε * (c2 + ε * (c3 + ε * (c4 + ε * 3 / 128))))
        }

        static func c3(_ ε: Double, _ n: Double) -> Six {
            let n2 = n * n
            let ε2 = ε * ε
            let ε3 = ε2 * ε
            let first =
                (1 - n) / 4 + ε * ((1 - n2) / 8 + ε * ((3 + 3 * n - n2) / 64 + ε * ((5 + 2 * n) / 128 + ε * 3 / 128)))
            let second = (2 - 3 * n + n2) / 32 + ε * ((3 - 2 * n - 3 * n2) / 64 + ε * ((3 + n) / 128 + ε * 5 / 256))
            let third = (5 - 9 * n + 5 * n2) / 192 + ε * ((9 - 10 * n) / 384 + ε * 7 / 512)
            let fourth = (7 - 14 * n) / 512 + ε * 7 / 512
            return (ε * first, ε2 * second, ε3 * third, ε2 * ε2 * fourth, ε3 * ε2 * 21 / 2_560, 0)
        }

        /// c₁ sin 2σ + c₂ sin 4σ + ...
        static func sum(_ c: Six, _ sine: Double, _ cosine: Double) -> Double {
            let twice = 2 * (cosine - sine) * (cosine + sine)
            var (y0, y1) = (c.5, 0.0)
            (y0, y1) = (twice * y0 - y1 + c.4, y0)
            (y0, y1) = (twice * y0 - y1 + c.3, y0)
            (y0, y1) = (twice * y0 - y1 + c.2, y0)
            (y0, y1) = (twice * y0 - y1 + c.1, y0)
            (y0, y1) = (twice * y0 - y1 + c.0, y0)
            return 2 * sine * cosine * y0
        }
    }
}

extension Coordinate {
    /// The length in metres of the shortest line to `other` on the WGS84 ellipsoid, to some nanometres.
    ///
    /// Ends for every pair of points, antipodes too. NaN where a number is not finite or a latitude is off the globe;
    /// longitudes may be beyond 180. Cost: about a microsecond, some more for antipodes.
    public func geodesicDistance(to other: Coordinate) -> Double { Geodesic.distance(self, other) }
}

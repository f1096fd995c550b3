import OpenStreetMap

import Glibc

/// What turning costs a profile, in milliseconds; cost and lost time are the same.
///
/// A turn costs little while it is a bend and most of `sharpest` beyond a right angle, a smooth step between (a logistic
/// function of the angle). Turns across the oncoming traffic, left where traffic keeps right, begin to cost at smaller
/// angles. Nothing is ever negative, so the search may be goal-directed.
struct TurnCosts: Sendable {
    /// By angle in 256ths of a turn, clockwise; the second 256 where traffic keeps left.
    private(set) var byAngle = [UInt32](repeating: 0, count: 512)
    /// By `ArrivalFacts.costs`.
    private(set) var byArrival = [UInt32](repeating: 0, count: 32)
    let turningRound: UInt32
    /// For entering a road that only those with business there may use: more than any detour round it (some two days), and
    /// little enough for a leg to do so a dozen times.
    let enteringRestricted: UInt32 = 200_000_000

    init(_ user: RoadUser) {
        let sharpest: Double
        let nearSide: Double
        let farSide: Double
        var delays: [(UInt8, Double)]
        switch user {
        case .car:
            (sharpest, nearSide, farSide) = (7.5, 97, 84)
            delays = [
                (ArrivalFacts.signal, 3), (ArrivalFacts.stop, 3), (ArrivalFacts.giveWay, 1.5), (ArrivalFacts.gate, 60),
                (ArrivalFacts.tollBooth, 15),
            ]
            turningRound = 20_000
        case .bicycle:
            (sharpest, nearSide, farSide) = (4, 105, 80)
            delays = [
                (ArrivalFacts.signal, 3), (ArrivalFacts.stop, 2), (ArrivalFacts.giveWay, 1), (ArrivalFacts.gate, 5),
            ]
            turningRound = 8_000
        case .foot:
            (sharpest, nearSide, farSide) = (0, 90, 90)
            delays = [(ArrivalFacts.signal, 3), (ArrivalFacts.gate, 3)]
            turningRound = 0
        }
        if sharpest > 0 {
            for step in 0..<256 {
                let angle = Double(step < 128 ? step : step - 256) * 360 / 256  // clockwise, -180 ..< 180
                for leftHand in [false, true] {
                    let isNearSide = leftHand ? angle < 0 : angle > 0
                    let middle = isNearSide ? nearSide : farSide
                    let cost = sharpest / (1 + exp((middle - angle.magnitude) / 14))
                    byAngle[step + (leftHand ? 256 : 0)] = UInt32((cost * 1000).rounded())
                }
            }
        }
        for facts in 0..<32 {
            for (bit, seconds) in delays where UInt8(facts) & bit != 0 { byArrival[facts] += UInt32(seconds * 1000) }
        }
    }

    static let car = TurnCosts(.car)
    static let bicycle = TurnCosts(.bicycle)
    static let foot = TurnCosts(.foot)

    static func of(_ user: RoadUser) -> TurnCosts {
        switch user {
        case .car: car
        case .bicycle: bicycle
        case .foot: foot
        }
    }
}

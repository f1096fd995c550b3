import Geometry
import OpenStreetMap
import Routing

/// A junction as the driver sees it on arrival: where the roads lead, relative to the direction of travel.
///
/// Two carriageways of one road that leave the junction side by side count as one, in the middle between them: a driver
/// sees a road, not its parts. The carriageway opposite to the one that the driver comes on is part of the same road.
struct JunctionView {
    struct Exit {
        /// Degrees from straight on, positive to the right.
        var deviation: Double
        var road: RoadAttributes
        var mode: TravelMode
        /// Whether one may drive in from where one comes.
        var isOpen: Bool
        /// Whether it is open to traffic, although perhaps not from here.
        var isEnterable: Bool
        /// Whether traffic comes out of it.
        var isLeavable: Bool
        var isChosen: Bool
        /// Whether it stands for both carriageways of a divided road.
        var isMerged = false

        var turn: Double { abs(deviation) }
    }

    /// Where the driver comes from.
    var entry: RoadAttributes
    var entryMode: TravelMode
    /// All roads but the one the driver comes on, from the left end to the right; the chosen one is among them.
    var exits: [Exit]
    var chosen: Int
    /// The number of roads before carriageways were merged.
    var armCount: Int
    /// Whether the path turns round and goes back the way it came.
    var turnsBack: Bool

    /// How far along a road the driver looks to see where it leads, in metres.
    static let sight = 15.0

    /// Nil where the path's edges are not among the junction's arms.
    init?(
        _ junction: PathJunction, from incoming: PathEdge, to outgoing: PathEdge, approach: [Coordinate],
        departure way: [Coordinate]
    ) {
        guard let back = junction.arms.firstIndex(where: \.isPathEntry),
            let ahead = junction.arms.firstIndex(where: \.isPathExit)
        else { return nil }
        entry = incoming.road
        entryMode = incoming.mode
        armCount = junction.arms.count

        let arrival = finalBearing(of: approach, over: Self.sight)
        let departure = initialBearing(of: way, over: Self.sight)
        turnsBack = back == ahead

        // Bearings as seen, then pairs of carriageways folded into one.
        var arms = junction.arms.indices.map { i in
            Arm(
                index: i,
                bearing: i == back
                    ? (arrival + 180).truncatingRemainder(dividingBy: 360)
                    : i == ahead ? departure : initialBearing(of: junction.arms[i].shape, over: Self.sight))
        }
        var heading = arrival
        if back != ahead { Self.mergeCarriageways(&arms, of: junction) }
        if let own = arms.first(where: { $0.index == back || $0.partner == back }) {
            heading = (own.bearing + 180).truncatingRemainder(dividingBy: 360)
        }

        exits = []
        for arm in arms {
            let isOwn = arm.index == back || arm.partner == back
            let isChosen = arm.index == ahead || arm.partner == ahead
            if isOwn, !isChosen { continue }
            let sides = [arm.index, arm.partner].compactMap { $0 }
            exits.append(
                Exit(
                    deviation: back == ahead ? 180 : Guidance.deviation(from: heading, to: arm.bearing),
                    road: isChosen ? outgoing.road : junction.arms[arm.index].road,
                    mode: junction.arms[arm.index].mode,
                    isOpen: isChosen || sides.contains { junction.arms[$0].isTurnAllowed },
                    isEnterable: sides.contains { junction.arms[$0].isEnterable },
                    isLeavable: sides.contains { junction.arms[$0].isLeavable }, isChosen: isChosen,
                    isMerged: arm.partner != nil))
        }
        exits.sort { $0.deviation < $1.deviation }
        guard let index = exits.firstIndex(where: \.isChosen) else { return nil }
        chosen = index
    }

    var exit: Exit { exits[chosen] }

    private struct Arm {
        var index: Int
        var bearing: Double
        /// The other carriageway where the arm stands for both.
        var partner: Int?
    }

    /// Folds pairs of one-way arms of one road, one in and one out, that leave the junction within 60 degrees.
    private static func mergeCarriageways(_ arms: inout [Arm], of junction: PathJunction) {
        var i = 0
        while i < arms.count {
            var best: (index: Int, spread: Double)?
            if arms[i].partner == nil, junction.arms[arms[i].index].isOneway {
                for j in arms.indices where j > i && arms[j].partner == nil {
                    let spread = angle(between: arms[i].bearing, and: arms[j].bearing)
                    guard spread < 60, spread < best?.spread ?? 360,
                        areCarriageways(junction.arms[arms[i].index], junction.arms[arms[j].index])
                    else { continue }
                    best = (j, spread)
                }
            }
            if let best {
                arms[i].bearing = middle(arms[i].bearing, arms[best.index].bearing)
                arms[i].partner = arms[best.index].index
                arms.remove(at: best.index)
            }
            i += 1
        }
    }

    /// Whether one is one-way out of the junction and the other one-way into it, and both are one road.
    private static func areCarriageways(_ a: JunctionArm, _ b: JunctionArm) -> Bool {
        a.isOneway && b.isOneway && a.isEnterable != b.isEnterable && !a.road.isCircle && !b.road.isCircle
            && RoadNames.isSame(a.road, b.road)
    }
}

extension JunctionArm {
    /// Whether traffic either only leaves the junction over the arm or only comes in.
    var isOneway: Bool { isEnterable != isLeavable }
}

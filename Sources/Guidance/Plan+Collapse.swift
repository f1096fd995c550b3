import Geometry
import Routing

/// Manoeuvres that follow each other so closely that a driver makes them as one.
extension Plan {
    // MARK: Divided roads

    /// The longest way across the median of a divided road, in metres.
    private static let widestMedian = 45.0

    /// Takes the vertices of a crossing of divided roads as one crossing.
    mutating func takeDividedRoadsAsOne() {
        var i = 1
        while i < edges.count - 1 {
            guard isWithinCrossing(i) else {
                i += 1
                continue
            }
            var last = i
            while last + 1 < edges.count - 1, isWithinCrossing(last + 1) { last += 1 }
            join(moves: (i - 1)...last)
            i = last + 1
        }
    }

    /// Whether an edge lies inside the crossing of a divided road: short, and at its ends the two carriageways pass in
    /// opposite directions.
    private func isWithinCrossing(_ i: Int) -> Bool {
        let edge = edges[i]
        guard edge.length <= Self.widestMedian, !edge.road.isCircle, edge.mode == .driving else { return false }
        guard junctions[i - 1].arms.contains(where: { $0.isOneway && !$0.isPathExit }),
            junctions[i].arms.contains(where: { $0.isOneway && !$0.isPathEntry })
        else { return false }
        let bearing = edge.shape[0].bearing(to: edge.shape[edge.shape.count - 1])
        let before = junctions[i - 1].arms.filter { !$0.isPathExit }.compactMap(Self.flow)
        let after = junctions[i].arms.filter { !$0.isPathEntry }.compactMap(Self.flow)
        return before.contains { a in
            after.contains { b in
                angle(between: a.bearing, and: b.bearing) > 130
                    && (45...135).contains(angle(between: a.bearing, and: bearing))
                    && (45...135).contains(angle(between: b.bearing, and: bearing))
                    && RoadNames.isSame(a.road, b.road)
            }
        }
    }

    /// The direction of traffic on a one-way arm; nil for the others.
    private static func flow(_ arm: JunctionArm) -> (bearing: Double, road: RoadAttributes)? {
        guard arm.isOneway else { return nil }
        let out = arm.isEnterable
        return ((out ? arm.bearing : arm.bearing + 180).truncatingRemainder(dividingBy: 360), arm.road)
    }

    /// Joins the moves of `range` into one at its first junction.
    private mutating func join(moves range: ClosedRange<Int>) {
        let first = range.lowerBound
        let last = range.upperBound
        let from = edges[first]
        let onto = edges[last + 1]
        guard !range.contains(where: { moves[$0].type == .notification }) else { return }
        let sum = range.reduce(0) { $0 + moves[$1].deviation }
        let before = finalBearing(of: from.shape, over: 30)
        let after = initialBearing(of: onto.shape, over: 30)
        var turn = deviation(from: before, to: after)
        // Turning all the way round may come out on either side of 180 degrees.
        if sum > 0, turn < -120 { turn += 360 } else if sum < 0, turn > 120 { turn -= 360 }
        for k in range.dropFirst() { moves[k].silence() }

        let isSame = RoadNames.isSame(from.road, onto.road)
        moves[first].deviation = turn
        moves[first].namingEdge = last + 1
        moves[first].hasChoice = true
        if abs(turn) >= 150, abs(sum) >= 120 {
            moves[first].type = isSame ? .continue : .turn
            moves[first].modifier = isSame ? .uturn : (turn > 0 ? .sharpRight : .sharpLeft)
        } else if abs(turn) <= (isSame ? 60 : 35) {
            moves[first].modifier = ManoeuvreModifier(deviation: turn)
            moves[first].type = RoadNames.isAnnounced(from: from.road, to: onto.road) ? .newName : nil
        } else {
            moves[first].modifier = ManoeuvreModifier(deviation: turn)
            moves[first].type =
                !from.road.isRamp && onto.road.isRamp
                ? (from.road.isMotorwayLike ? .offRamp : .onRamp) : isSame ? .continue : .turn
        }
    }

    // MARK: Staggered crossings

    /// Left and right within three metres across another road is straight over; the same side twice with no more than
    /// a carriageway between is turning back.
    mutating func takeStaggeredCrossingsAsOne() {
        for i in moves.indices.dropLast() {
            let between = edges[i + 1]
            let next = i + 1
            guard isTurn(i), isTurn(next), edges[i].mode == between.mode, edges[next + 1].mode == between.mode else {
                continue
            }
            let isSame = RoadNames.isSame(edges[i].road, edges[next + 1].road)
            if between.length <= 3, moves[i].deviation * moves[next].deviation < 0 {
                let sum = moves[i].deviation + moves[next].deviation
                guard abs(sum) <= 40 else { continue }
                moves[next].silence()
                moves[i].deviation = sum
                moves[i].modifier = ManoeuvreModifier(deviation: sum)
                moves[i].type =
                    RoadNames.isAnnounced(from: edges[i].road, to: edges[next + 1].road) ? .newName : nil
                moves[i].namingEdge = next + 1
            } else if isSame, between.length <= 30, moves[i].deviation * moves[next].deviation > 0,
                !RoadNames.isSame(edges[i].road, between.road) || between.length <= 10,
                abs(moves[i].deviation + moves[next].deviation) >= 150
            {
                moves[next].silence()
                moves[i].deviation = moves[i].deviation > 0 ? 180 : -180
                moves[i].modifier = .uturn
                moves[i].type = .continue
                moves[i].namingEdge = next + 1
            }
        }
    }

    private func isTurn(_ i: Int) -> Bool {
        switch moves[i].type {
        case .turn, .continue, .endOfRoad, .fork: true
        default: false
        }
    }

    // MARK: Slip roads

    /// A short one-way road without a name of its own that leads round a corner belongs to the turn it serves.
    mutating func takeSlipRoadsAsOne() {
        for i in moves.indices.dropLast() {
            let next = i + 1
            let slip = edges[next]
            guard slip.length <= 80, slip.road.isOneway, !slip.road.isCircle, isTurn(i),
                edges[i].mode == slip.mode, edges[next + 1].mode == slip.mode,
                moves[next].type != .notification, moves[next].hasChoice,
                slip.road.roadClass.isLink || slip.road.name.isEmpty || RoadNames.isSame(edges[i].road, slip.road)
                    || RoadNames.isSame(slip.road, edges[next + 1].road),
                slip.road.roadClass.isLink || abs(moves[i].deviation) <= 50
            else { continue }
            guard moves[next].type != nil || RoadNames.isAnnounced(from: edges[i].road, to: edges[next + 1].road) else {
                continue
            }
            guard !edges[next + 1].road.isRamp, moves[next].type != .fork, moves[next].type != .merge else { continue }
            let before = finalBearing(of: edges[i].shape, over: 30)
            let after = initialBearing(of: edges[next + 1].shape, over: 30)
            let turn = deviation(from: before, to: after)
            guard abs(turn) > 45, turn * moves[i].deviation > 0, moves[next].deviation * turn >= -400 else { continue }
            let isSame = RoadNames.isSame(edges[i].road, edges[next + 1].road)
            moves[next].silence()
            moves[i].deviation = turn
            moves[i].modifier = ManoeuvreModifier(deviation: turn)
            moves[i].type = isSame ? .continue : .turn
            moves[i].namingEdge = next + 1
        }
    }

    // MARK: Names

    /// A turn onto a stretch of a few metres is a turn onto the road that follows it without choice.
    mutating func takeShortStretchesAsOne() {
        for i in moves.indices where isTurn(i) {
            var k = i + 1
            var length = edges[i + 1].length
            while k < moves.count, moves[k].type == nil, length <= Self.shortestStretch {
                length += edges[k + 1].length
                k += 1
            }
            guard k < moves.count, length <= Self.shortestStretch, isStraightOn(k) else { continue }
            moves[k].silence()
            moves[i].namingEdge = k + 1
            if moves[i].type == .turn || moves[i].type == .continue {
                moves[i].type = RoadNames.isSame(edges[i].road, edges[k + 1].road) ? .continue : .turn
            }
        }
    }

    /// Metres.
    private static let shortestStretch = 30.0

    /// Whether a move only tells another name for the way straight on.
    private func isStraightOn(_ i: Int) -> Bool {
        moves[i].type == .newName || (moves[i].type == .turn && abs(moves[i].deviation) <= 20)
    }

    /// The shortest stretch, in metres, whose name is worth telling.
    private static let shortestName = 105.0

    /// Silences new names that last only for a short while or that the driver has been told already.
    mutating func silenceShortNames() {
        var told = edges[0].road
        for i in moves.indices {
            guard let type = moves[i].type else { continue }
            let onto = edges[moves[i].namingEdge ?? i + 1].road
            if type == .newName,
                distanceToNextMove(after: i) < Self.shortestName || !RoadNames.isAnnounced(from: told, to: onto)
            {
                moves[i].silence()
                continue
            }
            // Who was not told the road's name does not stay on it.
            if type == .continue, moves[i].modifier != .uturn, !RoadNames.isSame(told, onto), !onto.name.isEmpty {
                moves[i].type = .turn
            }
            told = onto
        }
    }

    // MARK: Ends of roads

    /// Only a road that passed another crossing comes to an end; one that begins and ends at neighbouring crossings
    /// is simply left.
    mutating func tellEndsOfRoad() {
        for i in moves.indices where moves[i].type == .endOfRoad {
            var k = i - 1
            while k >= 0, moves[k].type == nil, !moves[k].hasChoice { k -= 1 }
            if k < 0 || moves[k].type != nil { moves[i].type = .turn }
        }
    }
}

import Geometry
import Routing

/// Roundabouts are told as one manoeuvre with the number of the exit, and a second one on leaving.
extension Plan {
    mutating func takeRoundaboutsAsOne() {
        var i = 0
        while i < edges.count {
            guard edges[i].road.isCircle, edges[i].mode != .ferry else {
                if i > 0 { takeTouchedRoundabout(at: i - 1) }
                i += 1
                continue
            }
            var last = i
            while last + 1 < edges.count, edges[last + 1].road.isCircle { last += 1 }
            takeRoundabout(edges: i...last)
            i = last + 1
        }
    }

    /// The run of circle edges `run`, entered at junction `run.lowerBound - 1` and left at `run.upperBound`.
    private mutating func takeRoundabout(edges run: ClosedRange<Int>) {
        let entry = run.lowerBound - 1
        let leaving = run.upperBound
        let isLeft = leaving < junctions.count
        for k in run where k < leaving { moves[k].silence() }

        let circle = edges[run.lowerBound].road
        let name = rotaryName(of: run)
        let isRotary = !name.isEmpty
        if isLeft {
            moves[leaving].type = isRotary ? .exitRotary : .exitRoundabout
            moves[leaving].exit = nil
            moves[leaving].rotaryName = name
            moves[leaving].modifier = ManoeuvreModifier(deviation: exitDeviation(at: leaving))
        }
        guard entry >= 0 else { return }

        var count = exitsBeforeCircle(at: entry)
        for k in run where k < junctions.count {
            count += junctions[k].arms.filter { $0.isEnterable && !$0.road.isCircle && !($0.isPathExit) }.count
        }
        if isLeft {
            count += 1
            // Exits beyond the one taken at the same vertex do not count.
            count -= exitsBehindChosen(at: leaving)
        }
        moves[entry].type = isRotary ? .rotary : .roundabout
        moves[entry].rotaryName = name
        moves[entry].exit = isLeft ? max(count, 1) : nil
        moves[entry].namingEdge = isLeft ? leaving + 1 : run.upperBound
        moves[entry].modifier = ManoeuvreModifier(deviation: moves[entry].deviation)
        _ = circle

        if isLeft, let turn = smallCircleTurn(run) {
            moves[entry].type = .roundaboutTurn
            moves[entry].deviation = turn
            moves[entry].modifier = ManoeuvreModifier(deviation: turn)
            moves[entry].rotaryName = ""
            moves[leaving].silence()
        }
        if isLeft { moves[leaving].exit = moves[entry].exit }
    }

    /// Where a path only touches a circle at one vertex it is told as leaving it.
    private mutating func takeTouchedRoundabout(at junction: Int) {
        guard junction + 1 < edges.count, !edges[junction].road.isCircle, !edges[junction + 1].road.isCircle,
            edges[junction].mode == edges[junction + 1].mode
        else { return }
        let arms = junctions[junction].arms
        guard arms.contains(where: { $0.road.isCircle && $0.isEnterable }),
            arms.contains(where: { $0.road.isCircle && $0.isLeavable })
        else { return }
        moves[junction].type = .exitRoundabout
        moves[junction].exit = 1
        moves[junction].modifier = ManoeuvreModifier(deviation: moves[junction].deviation)
    }

    /// Exits at the very vertex of entry that come before the circle does.
    private func exitsBeforeCircle(at entry: Int) -> Int {
        let junction = junctions[entry]
        let heading = finalBearing(of: edges[entry].shape, over: JunctionView.sight)
        guard let on = junction.arms.first(where: \.isPathExit) else { return 0 }
        let onto = deviation(from: heading, to: on.bearing)
        guard let from = junction.arms.first(where: { $0.road.isCircle && $0.isLeavable && !$0.isPathExit }) else {
            return 0
        }
        let off = deviation(from: heading, to: from.bearing)
        let isAnticlockwise = onto > off
        return junction.arms.filter { arm in
            guard arm.isEnterable, !arm.road.isCircle, !arm.isPathEntry else { return false }
            let turn = deviation(from: heading, to: arm.bearing)
            return isAnticlockwise ? turn > onto : turn < onto
        }.count
    }

    private func exitsBehindChosen(at leaving: Int) -> Int { 0 }

    /// The direction of leaving, from the tangent of the circle at the exit.
    private func exitDeviation(at leaving: Int) -> Double {
        let before = finalBearing(of: edges[leaving].shape, over: 10)
        let after = initialBearing(of: edges[leaving + 1].shape, over: 10)
        return deviation(from: before, to: after)
    }

    /// The name of a circle large enough and named otherwise than the roads that meet there; else empty.
    private func rotaryName(of run: ClosedRange<Int>) -> String {
        guard let edge = run.first(where: { !edges[$0].road.name.isEmpty }) else { return "" }
        let name = edges[edge].road.rotaryName.isEmpty ? edges[edge].road.name : edges[edge].road.rotaryName
        let isUsedOutside = [run.lowerBound - 1, run.upperBound + 1].contains {
            edges.indices.contains($0) && !edges[$0].road.isCircle && edges[$0].road.name == name
        }
        return isUsedOutside || circleRadius(run) <= 15 ? "" : name
    }

    /// The radius of a circle in metres, from three points far apart among what is known of it.
    private func circleRadius(_ run: ClosedRange<Int>) -> Double {
        var points: [Coordinate] = []
        for k in [run.lowerBound - 1, run.upperBound] where junctions.indices.contains(k) {
            for arm in junctions[k].arms where arm.road.isCircle && !arm.isPathEntry && !arm.isPathExit {
                if let end = arm.shape.last { points.append(end) }
            }
        }
        for k in run { points.append(contentsOf: edges[k].shape) }
        guard let a = points.first, let b = points.max(by: { a.distance(to: $0) < a.distance(to: $1) }) else {
            return 0
        }
        func spread(_ p: Coordinate) -> Double { min(p.distance(to: a), p.distance(to: b)) }
        guard let c = points.max(by: { spread($0) < spread($1) }) else { return 0 }
        // The circle through three points has the radius abc / 4 area.
        let x = b.distance(to: c)
        let y = a.distance(to: c)
        let z = a.distance(to: b)
        let s = (x + y + z) / 2
        let area = max(s * (s - x) * (s - y) * (s - z), 0).squareRoot()
        return area > 0.01 ? x * y * z / (4 * area) : max(x, y, z) / 2
    }

    /// The change of direction over a roundabout that reads as an ordinary crossing: small, unnamed, and each road
    /// meets it at a vertex of its own, at right angles to the others; else nil.
    private func smallCircleTurn(_ run: ClosedRange<Int>) -> Double? {
        let entry = run.lowerBound - 1
        let leaving = run.upperBound
        guard circleRadius(run) <= 15, run.allSatisfy({ edges[$0].road.name.isEmpty }) else { return nil }
        for k in entry...leaving where junctions[k].arms.count != 3 { return nil }
        for k in [entry, leaving] {
            guard junctions[k].arms.contains(where: { !$0.road.isCircle && $0.isEnterable && $0.isLeavable }) else {
                return nil
            }
        }
        let before = finalBearing(of: edges[entry].shape, over: 10)
        let after = initialBearing(of: edges[leaving + 1].shape, over: 10)
        let turn = deviation(from: before, to: after)
        let nearest = (turn / 90).rounded() * 90
        guard abs(turn - nearest) <= 25, abs(nearest) < 180 else { return nil }
        return turn
    }
}

import Geometry
import Glibc
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

        let name = rotaryName(of: run)
        let isRotary = !name.isEmpty
        if isLeft {
            moves[leaving].type = isRotary ? .exitRotary : .exitRoundabout
            moves[leaving].exit = nil
            moves[leaving].rotaryName = name
            moves[leaving].modifier = ManoeuvreModifier(deviation: exitDeviation(at: leaving))
        }
        guard entry >= 0 else { return }

        let exits = countExits(run)
        moves[entry].type = isRotary ? .rotary : .roundabout
        moves[entry].rotaryName = name
        moves[entry].exit = isLeft ? exits : nil
        moves[entry].namingEdge = isLeft ? leaving + 1 : run.upperBound
        moves[entry].modifier = ManoeuvreModifier(deviation: moves[entry].deviation)

        if isLeft, let turn = smallCircleTurn(run) {
            moves[entry].type = .roundaboutTurn
            moves[entry].deviation = turn
            moves[entry].modifier = ManoeuvreModifier(deviation: turn)
            moves[entry].rotaryName = ""
            // Who has to get off the bicycle is told where.
            if edges[leaving].mode == edges[leaving + 1].mode {
                moves[leaving].silence()
            } else {
                moves[leaving].type = .exitRoundabout
            }
        }
        if isLeft { moves[leaving].exit = moves[entry].exit }
    }

    /// Where a path only touches a circle at one vertex it is told as leaving it.
    private mutating func takeTouchedRoundabout(at junction: Int) {
        guard junction + 1 < edges.count, !edges[junction].road.isCircle, !edges[junction + 1].road.isCircle,
            edges[junction].mode == edges[junction + 1].mode
        else { return }
        let arms = junctions[junction].arms
        guard let out = arms.first(where: { $0.road.isCircle && $0.isEnterable })?.bearing,
            let into = arms.first(where: { $0.road.isCircle && $0.isLeavable })?.bearing,
            let from = arms.first(where: \.isPathEntry)?.bearing, let to = arms.first(where: \.isPathExit)?.bearing
        else { return }
        // A road that crosses the circle into its inside passes straight over.
        func turn(_ bearing: Double) -> Double {
            let clockwise = (bearing - out).truncatingRemainder(dividingBy: 360)
            return clockwise < 0 ? clockwise + 360 : clockwise
        }
        guard (turn(from) < turn(into)) == (turn(to) < turn(into)) else { return }
        moves[junction].type = .exitRoundabout
        moves[junction].exit = 1
        moves[junction].modifier = ManoeuvreModifier(deviation: moves[junction].deviation)
    }

    /// The number of the exit taken: how many roads lead out of the circle from where it is entered, the last included.
    ///
    /// Roads to the inside of the circle, service roads and second arms in the same direction do not count. At the
    /// vertex of entry those count that come before the circle itself does.
    private func countExits(_ run: ClosedRange<Int>) -> Int {
        let entry = run.lowerBound - 1
        let isClockwise = turnsClockwise(run)
        var count = 0
        for k in entry...run.upperBound where junctions.indices.contains(k) {
            let arms = junctions[k].arms
            guard let into = arms.first(where: { $0.road.isCircle && $0.isLeavable && !$0.isPathExit })?.bearing,
                let outOf = arms.first(where: { $0.road.isCircle && $0.isEnterable && !$0.isPathEntry })?.bearing
            else { continue }
            // How far round from the circle's way on, over the outer side, a road lies; roads on the inner side lie
            // beyond the circle's way in.
            func turn(_ bearing: Double) -> Double {
                let clockwise = (bearing - outOf).truncatingRemainder(dividingBy: 360)
                let positive = clockwise < 0 ? clockwise + 360 : clockwise
                return isClockwise ? 360 - positive : positive
            }
            let entering = k == entry ? arms.first(where: \.isPathEntry).map { turn($0.bearing) } : nil
            let isFromOutside = entering.map { $0 < turn(into) } ?? false
            let leaving = k == run.upperBound ? arms.first(where: \.isPathExit).map { turn($0.bearing) } : nil
            var counted: [Double] = []
            for arm in arms where arm.isEnterable && !arm.road.isCircle && !arm.road.isMinor {
                let place = turn(arm.bearing)
                guard !arm.isPathEntry, !arm.isPathExit, place < turn(into),
                    !isFromOutside || place < entering ?? 0, leaving.map({ place > $0 }) ?? true,
                    !counted.contains(where: { abs($0 - place) < 1 })
                else { continue }
                counted.append(place)
            }
            if leaving != nil { count += 1 }
            count += counted.count
        }
        return max(count, 1)
    }

    /// The sense of a circle, from the bends along what the path drives of it and the arms beside.
    private func turnsClockwise(_ run: ClosedRange<Int>) -> Bool {
        var line: [Coordinate] = []
        if junctions.indices.contains(run.lowerBound - 1),
            let into = junctions[run.lowerBound - 1].arms.first(where: {
                $0.road.isCircle && $0.isLeavable && !$0.isPathExit
            })
        {
            line = into.shape.reversed()
        }
        for k in run { line.append(contentsOf: edges[k].shape.dropFirst(line.isEmpty ? 0 : 1)) }
        if junctions.indices.contains(run.upperBound),
            let out = junctions[run.upperBound].arms.first(where: {
                $0.road.isCircle && $0.isEnterable && !$0.isPathEntry
            })
        {
            line.append(contentsOf: out.shape.dropFirst())
        }
        guard let origin = line.first else { return false }
        let plane = FlatPlace(origin)
        let places = line.map { plane.metres(to: $0) }
        var sum = 0.0
        for i in places.indices.dropFirst(2) {
            let (x, y) = (places[i - 1].east - places[i - 2].east, places[i - 1].north - places[i - 2].north)
            let (u, v) = (places[i].east - places[i - 1].east, places[i].north - places[i - 1].north)
            sum += atan2(u * y - x * v, x * u + y * v)
        }
        return sum > 0
    }

    /// The direction of leaving, from the tangent of the circle at the exit.
    private func exitDeviation(at leaving: Int) -> Double {
        let before = finalBearing(of: edges[leaving].shape, over: 10)
        let after = initialBearing(of: edges[leaving + 1].shape, over: 10)
        return deviation(from: before, to: after)
    }

    /// The name of a circle large enough and named otherwise than the roads that meet there; else empty.
    private func rotaryName(of run: ClosedRange<Int>) -> String {
        var names = Set(run.map { edges[$0].road.rotaryName.isEmpty ? edges[$0].road.name : edges[$0].road.rotaryName })
        for k in [run.lowerBound - 1, run.upperBound] where junctions.indices.contains(k) {
            for arm in junctions[k].arms where arm.road.isCircle {
                names.insert(arm.road.rotaryName.isEmpty ? arm.road.name : arm.road.rotaryName)
            }
        }
        guard names.count == 1, let name = names.first, !name.isEmpty else { return "" }
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
        guard let origin = points.first else { return 0 }
        let plane = FlatPlace(origin)
        let places = points.map { plane.metres(to: $0) }
        func distance(_ p: (east: Double, north: Double), _ q: (east: Double, north: Double)) -> Double {
            let (east, north) = (p.east - q.east, p.north - q.north)
            return (east * east + north * north).squareRoot()
        }
        func farthest(_ far: ((east: Double, north: Double)) -> Double) -> (east: Double, north: Double) {
            var best = (place: places[0], far: -1.0)
            for place in places {
                let own = far(place)
                if own > best.far { best = (place, own) }
            }
            return best.place
        }
        let a = places[0]
        let b = farthest { distance($0, a) }
        let c = farthest { min(distance($0, a), distance($0, b)) }
        // The circle through three points has the radius abc / 4 area.
        let x = distance(b, c)
        let y = distance(a, c)
        let z = distance(a, b)
        let s = (x + y + z) / 2
        let area = max(s * (s - x) * (s - y) * (s - z), 0).squareRoot()
        return area > 0.01 ? x * y * z / (4 * area) : max(x, y, z) / 2
    }

    /// The change of direction over a roundabout that reads as an ordinary crossing: small, and each road
    /// meets it at a vertex of its own, at right angles to the others; else nil.
    private func smallCircleTurn(_ run: ClosedRange<Int>) -> Double? {
        let entry = run.lowerBound - 1
        let leaving = run.upperBound
        let radius = circleRadius(run)
        guard radius <= 15 else { return nil }
        for k in entry...leaving where junctions[k].arms.count != 3 { return nil }
        for k in [entry, leaving] {
            guard junctions[k].arms.contains(where: { !$0.road.isCircle && $0.isEnterable && $0.isLeavable }) else {
                return nil
            }
        }
        // No two roads meet the circle close to each other.
        let arcs =
            run.map { edges[$0].shape }
            + [entry, leaving].flatMap { k in
                junctions[k].arms.filter { $0.road.isCircle && !$0.isPathEntry && !$0.isPathExit }.map(\.shape)
            }
        for arc in arcs {
            if let first = arc.first, let last = arc.last, first.distance(to: last) < radius * 1.1 { return nil }
        }
        let before = finalBearing(of: edges[entry].shape, over: 10)
        let after = initialBearing(of: edges[leaving + 1].shape, over: 10)
        let turn = deviation(from: before, to: after)
        let nearest = (turn / 90).rounded() * 90
        guard abs(turn - nearest) <= 25, abs(nearest) < 180 else { return nil }
        return turn
    }
}

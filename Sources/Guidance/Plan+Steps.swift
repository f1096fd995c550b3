import Geometry
import Routing

/// From decided moves to steps.
extension Plan {
    var steps: [GuidanceStep] {
        // Where each joined edge begins in the leg's shape.
        var starts = [0]
        for edge in edges { starts.append(starts[starts.count - 1] + edge.shape.count - 1) }
        let end = starts[edges.count]

        let lanes = lanesByJunction()
        var steps: [GuidanceStep] = []
        var begun = departure()
        var from = 0
        func addEdge(_ i: Int, to step: inout GuidanceStep, withTurn: Bool) {
            step.distance += edges[i].length
            step.duration += edges[i].duration + (withTurn ? edges[i].turnDuration : 0)
            step.weight += edges[i].weight + (withTurn ? edges[i].turnWeight : 0)
            step.wait += withTurn ? edges[i].wait : 0
        }
        addEdge(0, to: &begun, withTurn: true)
        for i in moves.indices {
            if let type = moves[i].type {
                // The time lost in a turn belongs to the way towards it.
                begun.duration += edges[i + 1].turnDuration
                begun.weight += edges[i + 1].turnWeight
                begun.wait += edges[i + 1].wait
                begun.shape = from...starts[i + 1]
                steps.append(begun)
                from = starts[i + 1]
                begun = step(type, at: i)
                begun.intersections = [intersection(at: i, lanes[i], shapeIndex: starts[i + 1])]
                addEdge(i + 1, to: &begun, withTurn: false)
            } else {
                if isCrossing(i) {
                    begun.intersections.append(intersection(at: i, lanes[i], shapeIndex: starts[i + 1]))
                }
                addEdge(i + 1, to: &begun, withTurn: true)
            }
        }
        begun.shape = from...end
        steps.append(begun)
        steps.append(arrival(shapeIndex: end))
        return steps
    }

    /// Whether a silent junction is one to a driver: a third road, or another kind of road ahead.
    private func isCrossing(_ i: Int) -> Bool {
        let before = edges[i]
        let after = edges[i + 1]
        return junctions[i].arms.count > 2 || before.road.name != after.road.name || before.road.ref != after.road.ref
            || before.mode != after.mode || classes(of: before) != classes(of: after)
    }

    private func named(_ manoeuvre: Manoeuvre, _ edge: PathEdge) -> GuidanceStep {
        let road = edge.road
        return GuidanceStep(
            manoeuvre: manoeuvre, name: road.name, ref: road.ref, destinations: road.destinations, exits: road.exits,
            pronunciation: road.pronunciation, mode: edge.mode, keepsLeft: road.isLeftHandTraffic)
    }

    private func step(_ type: ManoeuvreType, at i: Int) -> GuidanceStep {
        let move = moves[i]
        var step = named(
            Manoeuvre(
                type: type, modifier: move.modifier, exit: move.exit, location: junctions[i].location,
                bearingBefore: wholeBearing(finalBearing(of: edges[i].shape, over: 10)),
                bearingAfter: wholeBearing(initialBearing(of: edges[i + 1].shape, over: 10))),
            edges[move.namingEdge ?? i + 1])
        step.mode = edges[i + 1].mode
        step.rotaryName = move.rotaryName
        return step
    }

    private func departure() -> GuidanceStep {
        let edge = edges[0]
        let bearing = wholeBearing(initialBearing(of: edge.shape, over: 10))
        var step = named(
            Manoeuvre(
                type: .depart, modifier: side(of: path.requestedStart, beside: edge.shape, atEnd: false),
                location: edge.shape[0], bearingAfter: bearing), edge)
        step.intersections = [
            StepIntersection(
                location: edge.shape[0], bearings: [bearing], entries: [true], incoming: nil, outgoing: 0,
                classes: classes(of: edge), shapeIndex: 0)
        ]
        return step
    }

    private func arrival(shapeIndex: Int) -> GuidanceStep {
        let edge = edges[edges.count - 1]
        let location = edge.shape[edge.shape.count - 1]
        let bearing = wholeBearing(finalBearing(of: edge.shape, over: 10))
        var step = named(
            Manoeuvre(
                type: .arrive, modifier: side(of: path.requestedEnd, beside: edge.shape, atEnd: true),
                location: location, bearingBefore: bearing), edge)
        step.shape = shapeIndex...shapeIndex
        step.intersections = [
            StepIntersection(
                location: location, bearings: [(bearing + 180) % 360], entries: [true], incoming: 0, outgoing: nil,
                shapeIndex: shapeIndex)
        ]
        return step
    }

    /// On which side of the road a stop lies; nil where it lies on the road or far off.
    private func side(of stop: Coordinate, beside shape: [Coordinate], atEnd: Bool) -> ManoeuvreModifier? {
        guard let spot = atEnd ? shape.last : shape.first else { return nil }
        guard (5...300).contains(spot.distance(to: stop)) else { return nil }
        let heading = atEnd ? finalBearing(of: shape, over: 10) : initialBearing(of: shape, over: 10)
        let turn = deviation(from: heading, to: spot.bearing(to: stop))
        return abs(turn) < 30 ? .straight : abs(turn) > 150 ? nil : turn > 0 ? .right : .left
    }

    private func intersection(at i: Int, _ lanes: CrossingLanes?, shapeIndex: Int) -> StepIntersection {
        let junction = junctions[i]
        let bearings = junction.arms.map { wholeBearing($0.bearing) }
        let order = bearings.indices.sorted { bearings[$0] < bearings[$1] }
        return StepIntersection(
            location: junction.location, bearings: order.map { bearings[$0] },
            entries: order.map { junction.arms[$0].isTurnAllowed || junction.arms[$0].isPathExit },
            incoming: order.firstIndex { junction.arms[$0].isPathEntry },
            outgoing: order.firstIndex { junction.arms[$0].isPathExit },
            lanes: lanes.map { l in zip(l.indications, l.isValid).map { StepLane(indications: $0, isValid: $1) } }
                ?? [], classes: classes(of: edges[i + 1]), shapeIndex: shapeIndex)
    }

    private func classes(of edge: PathEdge) -> [String] {
        var classes: [String] = []
        if edge.road.isToll { classes.append("toll") }
        if edge.road.roadClass == .motorway || edge.road.roadClass == .motorwayLink { classes.append("motorway") }
        if edge.mode == .ferry { classes.append("ferry") }
        if edge.road.isRestricted { classes.append("restricted") }
        if edge.road.isTunnel { classes.append("tunnel") }
        return classes
    }
}

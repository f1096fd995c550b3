import Geometry
import Routing

/// Turns a path into what a driver is told.
///
///     let steps = Guide.steps(for: path)
///     for step in steps { print(Sentences.english.sentence(for: step)) }
///
/// Each junction is first judged by itself (`Move`); passes over the list of moves then take what belongs together as
/// one: a roundabout from entry to exit, the carriageways of divided roads, staggered crossings, names that last for a
/// few metres. What is left becomes the steps.
///
/// Guidance is a pure function of the path. It reads the path's junctions, not its edges: splitting a way changes
/// nothing. Cost: linear in the path's points and arms.
public enum Guide {
    /// The steps of a path, departure and arrival included; none for a path without edges.
    public static func steps(for path: RoadPath) -> [GuidanceStep] {
        guard !path.edges.isEmpty, path.junctions.count == path.edges.count - 1,
            path.edges.allSatisfy({ !$0.shape.isEmpty })
        else { return [] }
        let plan = Plan(path)
        return plan.steps
    }
}

/// A path whose pass-through vertices are gone, and the move at each of its junctions.
struct Plan {
    /// The path with neighbouring edges of the same road joined; its shape is the original's.
    var edges: [PathEdge]
    var junctions: [PathJunction]
    var moves: [Move]
    let path: RoadPath

    init(_ path: RoadPath) {
        self.path = path
        (edges, junctions) = Self.joined(path)
        moves = []
        trimEnds()
        moves.reserveCapacity(junctions.count)
        for i in junctions.indices {
            if isPlainlyAhead(i) {
                var silent = Move.silent
                silent.hasChoice = junctions[i].arms.count > 2
                moves.append(silent)
            } else {
                moves.append(
                    Move(
                        at: junctions[i], from: edges[i], to: edges[i + 1], approach: approach(to: i),
                        departure: way(from: i)))
            }
        }
        takeRoundaboutsAsOne()
        takeDividedRoadsAsOne()
        takeStaggeredCrossingsAsOne()
        takeSlipRoadsAsOne()
        takeShortStretchesAsOne()
        silenceShortNames()
        tellEndsOfRoad()
    }

    /// Joins edges at junctions where nothing can be decided: no third road, same road on both sides.
    private static func joined(_ path: RoadPath) -> ([PathEdge], [PathJunction]) {
        var edges = [path.edges[0]]
        var junctions: [PathJunction] = []
        for i in path.junctions.indices {
            let next = path.edges[i + 1]
            let junction = path.junctions[i]
            let turnsBack = junction.arms.contains { $0.isPathEntry && $0.isPathExit }
            if junction.arms.count == 2, !turnsBack, looksAlike(edges[edges.count - 1], next) {
                edges[edges.count - 1].absorb(after: next)
                // The lanes of the piece at the end are those before the next junction.
                edges[edges.count - 1].road.turnLanes = next.road.turnLanes
                edges[edges.count - 1].road.lanes = next.road.lanes
            } else {
                edges.append(next)
                junctions.append(junction)
            }
        }
        return (edges, junctions)
    }

    /// Folds a piece of less than a metre at either end, which comes from a stop at a vertex, into the edge beside it.
    private mutating func trimEnds() {
        while edges.count > 1, edges[0].length < 1, !isTurningBack(0) {
            edges[1].absorb(before: edges[0])
            edges.removeFirst()
            junctions.removeFirst()
        }
        while edges.count > 1, edges[edges.count - 1].length < 1, !isTurningBack(junctions.count - 1) {
            edges[edges.count - 2].absorb(after: edges[edges.count - 1])
            edges.removeLast()
            junctions.removeLast()
        }
    }

    private func isTurningBack(_ i: Int) -> Bool { junctions[i].arms.contains { $0.isPathEntry && $0.isPathExit } }

    private static func looksAlike(_ a: PathEdge, _ b: PathEdge) -> Bool {
        guard a.mode == b.mode else { return false }
        if a.road.isSame(as: b.road) { return true }
        guard a.road.name == b.road.name, a.road.roadClass == b.road.roadClass else { return false }
        var road = b.road
        road.wayID = a.road.wayID
        road.isUnpaved = a.road.isUnpaved
        road.turnLanes = a.road.turnLanes
        road.lanes = a.road.lanes
        return a.road == road
    }

    /// Whether nothing can be told at a junction: the same road goes straight on, and all others leave to the side. Most
    /// junctions are so, and this is cheap.
    private func isPlainlyAhead(_ i: Int) -> Bool {
        let arms = junctions[i].arms
        guard edges[i].mode == edges[i + 1].mode,
            edges[i].road.isKnownToBeNamed(as: edges[i + 1].road) || edges[i].road.name == edges[i + 1].road.name,
            !edges[i].road.name.isEmpty,
            edges[i].road.roadClass == edges[i + 1].road.roadClass,
            let back = arms.first(where: \.isPathEntry)?.bearing,
            let ahead = arms.first(where: \.isPathExit)?.bearing,
            angle(between: back, and: ahead) > 170
        else { return false }
        return arms.allSatisfy {
            $0.isPathEntry || $0.isPathExit || (angle(between: $0.bearing, and: ahead) > 45 && !$0.road.isCircle)
        }
    }

    /// The shape that leads to a junction, lengthened backwards over vertices without a third road.
    private func approach(to i: Int) -> [Coordinate] {
        var shape = edges[i].shape
        var k = i
        while k > 0, junctions[k - 1].arms.count == 2, Polyline.length(of: shape) < JunctionView.sight {
            k -= 1
            shape = edges[k].shape + shape.dropFirst()
        }
        return shape
    }

    /// The shape that leads on from a junction, lengthened forwards over vertices without a third road.
    private func way(from i: Int) -> [Coordinate] {
        var shape = edges[i + 1].shape
        var k = i + 1
        while k < junctions.count, junctions[k].arms.count == 2, Polyline.length(of: shape) < JunctionView.sight {
            k += 1
            shape.append(contentsOf: edges[k].shape.dropFirst())
        }
        return shape
    }

    /// Metres from junction `i` to the next junction at which something is told, or to the end.
    func distanceToNextMove(after i: Int) -> Double {
        var sum = edges[i + 1].length
        var k = i + 1
        while k < moves.count, moves[k].type == nil {
            sum += edges[k + 1].length
            k += 1
        }
        return sum
    }
}

extension PathEdge {
    /// Goes on over the edge that follows. Nodes are left as they are: nothing is told of them.
    mutating func absorb(after next: PathEdge) {
        shape.append(contentsOf: next.shape.dropFirst())
        length += next.length
        duration += next.duration + next.turnDuration
        weight += next.weight + next.turnWeight
    }

    /// Begins with the edge before.
    mutating func absorb(before previous: PathEdge) {
        shape = previous.shape + shape.dropFirst()
        length += previous.length
        duration += previous.duration + turnDuration
        weight += previous.weight + turnWeight
        turnDuration = previous.turnDuration
        turnWeight = previous.turnWeight
    }
}

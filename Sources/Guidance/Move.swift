import Geometry
import Routing

/// What is told at one junction of a path, while it is being decided. Passes over the list of a path's moves join,
/// rename and silence them.
struct Move {
    /// Nil where nothing is told.
    var type: ManoeuvreType?
    /// Change of direction in degrees, positive to the right; of the whole manoeuvre where several were joined.
    var deviation: Double
    var modifier: ManoeuvreModifier
    /// Whether the driver has no real choice, or the road ahead is plain.
    var isObvious = true
    /// Whether the junction has roads beside those of the path.
    var hasChoice = true
    /// Number of the exit of a roundabout.
    var exit: Int?
    var rotaryName = ""
    /// The edge that names the road of the step; nil for the edge after the junction.
    var namingEdge: Int?

    static let silent = Move(type: nil, deviation: 0, modifier: .straight)

    mutating func silence() { type = nil }
}

extension Move {
    /// What the junction between two edges asks for, seen by itself.
    ///
    /// - Parameters:
    ///   - approach: the shape that leads to the junction.
    ///   - departure: the shape that leads on.
    init(
        at junction: PathJunction, from incoming: PathEdge, to outgoing: PathEdge, approach: [Coordinate],
        departure: [Coordinate]
    ) {
        guard
            let view = JunctionView(junction, from: incoming, to: outgoing, approach: approach, departure: departure)
        else {
            self = .silent
            return
        }
        self.init(type: nil, deviation: view.exit.deviation, modifier: view.modifier)
        hasChoice = view.armCount > 2
        isObvious = view.isObvious
        // Nobody steers on a ferry.
        if view.entryMode == .ferry, outgoing.mode == .ferry, RoadNames.isSame(view.entry, outgoing.road) { return }
        if isObvious, let merge = Self.merge(view, to: outgoing) {
            type = .merge
            modifier = merge
            return
        }
        type = isObvious ? Self.obviousType(view, to: outgoing) : chosenType(view, to: outgoing)
    }

    /// What is told where the way on is plain: a change of mode or of name, a merge, or nothing.
    private static func obviousType(_ view: JunctionView, to outgoing: PathEdge) -> ManoeuvreType? {
        if view.entryMode != outgoing.mode { return .notification }
        if outgoing.road.isRamp, !view.entry.isRamp {
            return view.entry.isMotorwayLike ? .offRamp : .onRamp
        }
        guard RoadNames.isAnnounced(from: view.entry, to: outgoing.road) else { return nil }
        return view.joinsThroughRoad ? .turn : .newName
    }

    /// From a ramp onto a motorway that comes from behind: the side towards which one merges.
    private static func merge(_ view: JunctionView, to outgoing: PathEdge) -> ManoeuvreModifier? {
        guard view.entry.isRamp, outgoing.road.isMotorwayLike, !outgoing.road.isRamp,
            !RoadNames.isSame(view.entry, outgoing.road),
            let through = view.exits.first(where: {
                !$0.isChosen && $0.isLeavable && $0.road.isMotorwayLike && !$0.road.isRamp && $0.turn > 100
            })
        else { return nil }
        return through.deviation > 0 ? .slightRight : .slightLeft
    }

    /// What is told where there is a choice.
    private mutating func chosenType(_ view: JunctionView, to outgoing: PathEdge) -> ManoeuvreType {
        let isSameRoad = RoadNames.isSame(view.entry, outgoing.road)
        if view.turnsBack || view.exit.turn >= 179 {
            modifier = .uturn
            return isSameRoad || view.turnsBack ? .continue : .turn
        }
        let partners = view.forkPartners
        if outgoing.road.isRamp, !view.entry.isRamp {
            return view.entry.isMotorwayLike ? .offRamp : .onRamp
        }
        if !partners.isEmpty {
            let left = partners.contains { $0 < view.chosen }
            let right = partners.contains { $0 > view.chosen }
            modifier = left && right ? .straight : left ? .slightRight : .slightLeft
            return .fork
        }
        if view.isEndOfRoad, !isSameRoad {
            modifier = deviation > 0 ? .right : .left
            return .endOfRoad
        }
        return isSameRoad ? .continue : .turn
    }
}

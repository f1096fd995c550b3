import Routing

/// What the driver must be told at one junction, seen by itself.
extension JunctionView {
    /// Whether a driver who is told nothing takes the chosen exit.
    var isObvious: Bool {
        let own = exit
        if own.turn >= 150, exits.count > 1 || armCount > 2 { return false }
        if exits.count == 1 { return true }
        let staysOnRoad = RoadNames.isSame(entry, own.road)
        if !staysOnRoad, leavesMotorway { return false }

        for (i, other) in exits.enumerated() where i != chosen {
            guard competes(other) else { continue }
            if other.isOpen {
                if !isDistinct(from: other, staysOnRoad: staysOnRoad) { return false }
            } else if own.turn > 45, other.turn < own.turn {
                // A closed road ahead still makes a bend look like a turn.
                return false
            }
        }
        return own.turn <= (staysOnRoad ? 60 : 45) || !exits.enumerated().contains { $0 != chosen && competes($1) }
    }

    /// Whether `other` could be taken for the road ahead at all.
    private func competes(_ other: Exit) -> Bool {
        let own = exit
        if other.turn > 165 { return false }
        if other.road.isMinor, !own.road.isMinor { return false }
        return true
    }

    /// Whether the chosen exit stands out as the road ahead beside an open one.
    private func isDistinct(from other: Exit, staysOnRoad: Bool) -> Bool {
        let own = exit
        let otherStays = RoadNames.isSame(entry, other.road)
        let step = other.road.rank - own.road.rank
        if staysOnRoad, !otherStays {
            if other.road.isRamp, !own.road.isRamp { return own.turn <= 60 }
            if step >= 0.5, own.turn <= 50, other.turn + 20 >= own.turn { return true }
            if step >= 2, own.turn <= 60 { return true }
            return own.turn <= 45 && (other.turn >= own.turn * 1.4 && other.turn - own.turn >= 10)
        }
        if otherStays, !staysOnRoad {
            if step >= 2 { return own.turn <= 30 && other.turn >= 40 }
            return own.turn <= 20 && other.turn >= 60 && step >= 0 && !exitIsLess
        }
        if other.road.isRamp, !own.road.isRamp, own.turn <= 60 { return true }
        if step >= 3, own.turn <= 40 { return true }
        return own.turn <= 40 && other.turn >= max(own.turn * 2, 25)
    }

    /// Whether the chosen road is less than the one the driver comes on.
    private var exitIsLess: Bool { exit.road.rank > entry.rank + 1 }

    /// Whether the exit leaves a motorway over a ramp.
    var leavesMotorway: Bool {
        entry.roadClass == .motorway && exit.road.isRamp
            && exits.contains { !$0.isChosen && $0.isOpen && !$0.road.isRamp }
    }

    /// The other exits that divide the road ahead together with the chosen one; empty where it is no fork.
    var forkPartners: [Int] {
        let own = exit
        guard own.turn <= 45 else { return [] }
        var partners: [Int] = []
        for (i, other) in exits.enumerated() where i != chosen && other.isOpen {
            guard other.turn <= 50 else {
                // A further road nearby makes it a crossing.
                if other.turn < 65 { return [] }
                continue
            }
            guard !other.road.isMinor || own.road.isMinor, abs(other.road.rank - own.road.rank) <= 1,
                other.road.roadClass.isLink == own.road.roadClass.isLink,
                abs(other.deviation - own.deviation) <= 75
            else { return [] }
            partners.append(i)
        }
        return partners
    }

    /// Whether the road ends here: the only ways on lead to the left and to the right.
    var isEndOfRoad: Bool {
        guard exits.count == 2, armCount == 3, let left = exits.first, let right = exits.last else { return false }
        return (-130 ... -50).contains(left.deviation) && (50...130).contains(right.deviation)
            && !left.road.isMinor && !right.road.isMinor
    }

    /// The word for the chosen exit's direction, told apart from its neighbours.
    var modifier: ManoeuvreModifier { ManoeuvreModifier(deviation: exit.deviation) }
}

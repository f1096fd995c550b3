import Routing

/// What the driver must be told at one junction, seen by itself.
extension JunctionView {
    /// Whether a driver who is told nothing takes the chosen exit.
    var isObvious: Bool { isObvious(chosen) }

    /// Whether a driver who is told nothing takes another exit than the chosen one.
    var isOtherObvious: Bool {
        exits.indices.contains { $0 != chosen && exits[$0].isOpen && exits[$0].turn < 60 && isObvious($0) }
    }

    private func isObvious(_ index: Int) -> Bool {
        let own = exits[index]
        if turnsBack || (own.turn >= 150 && armCount > 2) { return false }
        if exits.count == 1 { return true }
        if isOnlyWay(index) { return true }
        let staysOnRoad = RoadNames.isSame(entry, own.road)
        if !staysOnRoad, leavesMotorway(over: index) { return false }

        for (i, other) in exits.enumerated() where i != index {
            guard competes(other, with: own) else { continue }
            if other.isOpen {
                if !isDistinct(own, from: other, staysOnRoad: staysOnRoad) { return false }
            } else if own.turn > 45, other.turn < own.turn {
                // A closed road ahead still makes a bend look like a turn.
                return false
            }
        }
        // A sharp bend beside a road of some weight is told in any case.
        return own.turn <= (staysOnRoad ? 60 : 50)
            || !exits.enumerated().contains {
                $0 != index && competes($1, with: own)
                    && !(staysOnRoad && $1.road.rank - own.road.rank >= 2 && own.turn <= 75)
            }
    }

    /// Whether `other` could be taken for the road ahead at all.
    private func competes(_ other: Exit, with own: Exit) -> Bool {
        if other.turn > 165, own.turn < 120 { return false }
        if other.road.isMinor, !own.road.isMinor { return false }
        return true
    }

    /// Whether the chosen exit stands out as the road ahead beside an open one.
    private func isDistinct(_ own: Exit, from other: Exit, staysOnRoad: Bool) -> Bool {
        let otherStays = RoadNames.isSame(entry, other.road)
        let step = other.road.rank - own.road.rank
        if staysOnRoad, !otherStays {
            if other.road.isRamp, !own.road.isRamp { return own.turn <= 60 }
            if step >= 0.5, own.turn <= 40, other.turn + 20 >= own.turn { return true }
            if step >= 2, own.turn <= 75 { return true }
            return own.turn <= (other.turn > 100 ? 60 : 45) && other.turn >= own.turn * 1.5
                && other.turn - own.turn >= 10
        }
        // The road itself turns off: only where it becomes much smaller does the other one look like it.
        if otherStays, !staysOnRoad { return step >= 2 && own.turn <= 30 && other.turn >= 40 }
        if other.road.isRamp, !own.road.isRamp, own.turn <= 60 { return true }
        if step >= 3, own.turn <= 40 { return true }
        return own.turn <= 46 && other.turn >= max(own.turn * 1.95, RoadNames.isSame(own.road, other.road) ? 20 : 25)
    }

    /// Whether the chosen road comes from elsewhere and passes the junction more nearly straight than the driver does,
    /// so that the driver joins it.
    var joinsThroughRoad: Bool {
        if entry.isRamp, exit.road.isRamp { return false }
        return exits.contains { other in
            guard !other.isChosen, other.isLeavable, other.turn > 90, RoadNames.isSame(other.road, exit.road) else {
                return false
            }
            return angle(between: other.deviation + 180, and: exit.deviation) < exit.turn
        }
    }

    /// Whether an exit leaves a motorway over a ramp.
    private func leavesMotorway(over index: Int) -> Bool {
        entry.roadClass == .motorway && exits[index].road.isRamp
            && exits.enumerated().contains { $0 != index && $1.isOpen && !$1.road.isRamp }
    }

    /// The other exits that divide the road ahead together with the chosen one; empty where it is no fork.
    var forkPartners: [Int] {
        let own = exit
        guard own.turn <= 45, !isOtherObvious else { return [] }
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
        guard exits.count == 2, armCount == 3, entryMode != .ferry, let left = exits.first, let right = exits.last
        else { return false }
        return (-130 ... -50).contains(left.deviation) && (50...130).contains(right.deviation)
            && !left.road.isMinor && !right.road.isMinor && left.isOpen && right.isOpen
    }

    /// An open exit that leads on more nearly straight than the chosen one.
    private var straighter: Exit? {
        exits.first { !$0.isChosen && $0.isOpen && $0.turn + 3 < exit.turn && abs($0.deviation - exit.deviation) >= 5 }
    }

    /// Whether nothing else is open and all other roads come in from behind, as where carriageways or ramps join.
    private func isOnlyWay(_ index: Int) -> Bool {
        exits[index].turn <= 75 && exits.enumerated().allSatisfy { $0 == index || (!$1.isEnterable && $1.turn > 80) }
    }

    /// The word for the chosen exit's direction, told apart from an open neighbour that would have the same word: the
    /// nearer to straight on becomes slight where it is not too wide, else the wider becomes sharp.
    var modifier: ManoeuvreModifier {
        let plain = ManoeuvreModifier(deviation: exit.deviation)
        if plain == .straight, let other = straighter {
            return exit.deviation > other.deviation ? .slightRight : .slightLeft
        }
        if plain == .sharpLeft || plain == .sharpRight, exit.turn <= 130,
            exits.contains(where: {
                !$0.isChosen && $0.isOpen && $0.turn > exit.turn && ManoeuvreModifier(deviation: $0.deviation) == plain
            })
        {
            return plain == .sharpLeft ? .left : .right
        }
        guard plain == .left || plain == .right else { return plain }
        let isRight = plain == .right
        for (i, other) in exits.enumerated() where i != chosen && other.isOpen {
            guard ManoeuvreModifier(deviation: other.deviation) == plain else { continue }
            let near = min(exit.turn, other.turn)
            let isNear = exit.turn < other.turn
            if near <= 70 {
                if isNear { return isRight ? .slightRight : .slightLeft }
            } else if !isNear {
                return isRight ? .sharpRight : .sharpLeft
            }
        }
        return plain
    }
}

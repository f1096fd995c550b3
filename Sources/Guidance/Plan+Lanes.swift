import Geometry
import Routing

/// The lanes before a crossing: what is painted on them, and which may be used.
struct CrossingLanes {
    /// The arrows of each lane in OSRM's words, left to right.
    var indications: [[String]]
    /// Whether each lane leads where the path goes.
    var isValid: [Bool]

    var validCount: Int { isValid.reduce(0) { $0 + ($1 ? 1 : 0) } }
    /// How many lanes lie to the right of the last valid one.
    var countRightOfValid: Int { isValid.reversed().prefix { !$0 }.count }

    /// Keeps `count` of the valid lanes: those with `right` valid ones to their right, as far as there are so many.
    mutating func keep(_ count: Int, leavingOnTheRight right: Int) {
        let valid = isValid.indices.filter { isValid[$0] }
        guard count > 0, count < valid.count else { return }
        let end = valid.count - min(right, valid.count - count)
        let kept = Set(valid[(end - count)..<end])
        for i in isValid.indices { isValid[i] = kept.contains(i) }
    }
}

extension Plan {
    /// From how far before a turn, in metres, the lanes of the crossing before are chosen for it.
    private static let lookahead = 410.0

    /// The lanes at each junction, those already left out from which the next turn could not be reached.
    func lanesByJunction() -> [CrossingLanes?] {
        var lanes = junctions.indices.map { paintedLanes(at: $0) }
        var next: (lanes: CrossingLanes, isTold: Bool, distance: Double)?
        for i in junctions.indices.reversed() {
            let length = edges[i + 1].length
            next = next.map { ($0.lanes, $0.isTold, $0.distance + length) }
            guard var own = lanes[i] else {
                // Where a turn has no lanes told, what follows it says nothing about the lanes before.
                if moves[i].type != nil, moves[i].hasChoice { next = nil }
                continue
            }
            let isTold = moves[i].type != nil
            if let next, next.distance <= Self.lookahead, next.lanes.validCount < own.validCount,
                next.lanes.validCount == 1 || next.lanes.isValid.count <= own.validCount + 1,
                next.isTold || isTold || next.lanes.validCount == 1
            {
                own.keep(next.lanes.validCount, leavingOnTheRight: next.lanes.countRightOfValid)
                lanes[i] = own
            }
            next = (own, isTold, 0)
        }
        return lanes
    }

    private func paintedLanes(at i: Int) -> CrossingLanes? {
        let text = edges[i].road.turnLanes
        guard !text.isEmpty, text.utf8.count < 1000, junctions[i].arms.count > 2, !edges[i].road.isCircle,
            !edges[i + 1].road.isCircle
        else { return nil }
        let indications = text.split(separator: "|", omittingEmptySubsequences: false).map { lane in
            lane.split(separator: ";").map { Self.indication($0) }.sorted { Self.order($0) < Self.order($1) }
        }.map { $0.isEmpty ? ["none"] : $0 }
        guard indications.contains(where: { $0 != ["none"] }) else { return nil }
        var wanted = Self.fitting(
            indications, moves[i].type == .merge ? ManoeuvreModifier(deviation: moves[i].deviation) : moves[i].modifier,
            deviation: moves[i].deviation)
        if wanted.isEmpty { wanted = Set(indications.joined()) }
        return CrossingLanes(
            indications: indications, isValid: indications.map { words in words.contains { wanted.contains($0) } })
    }

    /// OSRM's word for an arrow of `turn:lanes`.
    private static func indication(_ text: Substring) -> String {
        switch text {
        case "through": "straight"
        case "slight_left": "slight left"
        case "slight_right": "slight right"
        case "sharp_left": "sharp left"
        case "sharp_right": "sharp right"
        case "merge_to_left": "slight right"
        case "merge_to_right": "slight left"
        case "reverse": "uturn"
        case "left", "right": String(text)
        default: "none"
        }
    }

    /// The place of an arrow in OSRM's lists.
    private static func order(_ word: String) -> Int {
        [
            "none", "straight", "sharp left", "left", "slight left", "slight right", "right", "sharp right", "uturn",
        ].firstIndex(of: word) ?? 9
    }

    /// The arrows for a direction: the nearest that is painted on any lane.
    private static func fitting(_ lanes: [[String]], _ modifier: ManoeuvreModifier, deviation: Double) -> Set<String> {
        let right = ["slight right", "right", "sharp right"]
        let left = ["slight left", "left", "sharp left"]
        let order: [[String]] =
            switch modifier {
            case .straight:
                [
                    ["straight", "none"], [deviation > 0 ? "slight right" : "slight left"],
                    [deviation > 0 ? "right" : "left"],
                ]
            case .slightRight: [["slight right"], ["right"], ["straight", "none"], ["sharp right"]]
            case .slightLeft: [["slight left"], ["left"], ["straight", "none"], ["sharp left"]]
            case .right: [["right"], ["slight right"], ["sharp right"], ["straight", "none"]]
            case .left: [["left"], ["slight left"], ["sharp left"], ["straight", "none"]]
            case .sharpRight: [["sharp right"], ["right"], ["slight right"]]
            case .sharpLeft: [["sharp left"], ["left"], ["slight left"]]
            case .uturn: [["uturn"], deviation > 0 ? right : left]
            }
        for words in order where lanes.contains(where: { $0.contains { words.contains($0) } }) { return Set(words) }
        return []
    }
}

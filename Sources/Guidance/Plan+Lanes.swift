import Routing

/// Lanes before a crossing and which of them lead where the path goes.
extension Plan {
    func lanes(at i: Int) -> [StepLane] {
        let text = edges[i].road.turnLanes
        guard !text.isEmpty, text.utf8.count < 1000, junctions[i].arms.count > 2, !edges[i].road.isCircle else {
            return []
        }
        let lanes = text.split(separator: "|", omittingEmptySubsequences: false).map { lane in
            lane.split(separator: ";").map { Self.indication($0) }
        }.map { $0.isEmpty ? ["none"] : $0 }
        let wanted = Self.fitting(lanes, moves[i].modifier, deviation: moves[i].deviation)
        return lanes.map { indications in
            StepLane(indications: indications, isValid: indications.contains { wanted.contains($0) })
        }
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

    /// The arrows for a direction: the nearest that is painted on any lane.
    private static func fitting(_ lanes: [[String]], _ modifier: ManoeuvreModifier, deviation: Double) -> Set<String> {
        let right = ["slight right", "right", "sharp right"]
        let left = ["slight left", "left", "sharp left"]
        let order: [[String]]
        switch modifier {
        case .straight:
            order = [
                ["straight"], ["none"], [deviation > 0 ? "slight right" : "slight left"],
                [deviation > 0 ? "right" : "left"],
            ]
        case .slightRight: order = [["slight right"], ["right"], ["straight", "none"], ["sharp right"]]
        case .slightLeft: order = [["slight left"], ["left"], ["straight", "none"], ["sharp left"]]
        case .right: order = [["right"], ["slight right"], ["sharp right"], ["straight", "none"]]
        case .left: order = [["left"], ["slight left"], ["sharp left"], ["straight", "none"]]
        case .sharpRight: order = [["sharp right"], ["right"], ["slight right"]]
        case .sharpLeft: order = [["sharp left"], ["left"], ["slight left"]]
        case .uturn: order = [["uturn"], deviation > 0 ? right : left]
        }
        for words in order where lanes.contains(where: { $0.contains { words.contains($0) } }) { return Set(words) }
        return []
    }
}

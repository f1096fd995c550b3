import Guidance
import OpenStreetMap
import Routing

/// Something on a way that its traveller should know of before setting out.
public enum RouteNotice: Sendable, Hashable {
    case toll
    case ferry
    /// A train that carries vehicles.
    case train
    /// The way begins on a road with limited access.
    case privateStart
    /// It ends on one.
    case privateEnd
    /// It passes one in between, since no other way leads there.
    case limitedAccess
    /// It passes a border control.
    case border
    /// Seconds of waiting for something that is closed at that hour.
    case wait(seconds: Double)
    /// Metres, driven or ridden, of roads whose surface is not sealed.
    case unpaved(metres: Double)
    /// Kinds of road that were to be avoided and are used all the same.
    case notAvoided(RoadKinds)
    /// A stop, counted from 0, lies away from the road by so many metres.
    case offRoad(stop: Int, of: Int, metres: Double)
    /// The way ends so many metres before a stop, counted from 0, since none leads there.
    case endsBefore(stop: Int, of: Int, metres: Double)

    /// A word for programs.
    public var kind: String {
        switch self {
        case .toll: "toll"
        case .ferry: "ferry"
        case .train: "train"
        case .privateStart: "privateStart"
        case .privateEnd: "privateEnd"
        case .limitedAccess: "limitedAccess"
        case .border: "border"
        case .wait: "wait"
        case .unpaved: "unpaved"
        case .notAvoided: "notAvoided"
        case .offRoad: "offRoad"
        case .endsBefore: "endsBefore"
        }
    }

    /// A sentence for people.
    public var sentence: String {
        switch self {
        case .toll: return "This way has tolls."
        case .ferry: return "This way uses a ferry."
        case .train: return "This way uses a train that carries vehicles."
        case .privateStart: return "The way begins on a road with limited access."
        case .privateEnd: return "The way ends on a road with limited access."
        case .limitedAccess: return "This way uses roads with limited access."
        case .border: return "This way passes a border control."
        case .wait(let seconds):
            let minutes = max(Int((seconds / 60).rounded()), 1)
            let text = minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
            return "\(text) of waiting for what is closed at this hour."
        case .unpaved(let metres): return "\(Self.text(metres)) of this way are unpaved."
        case .notAvoided(let kinds):
            return Self.plurals.filter { kinds.contains($0.kind) }
                .map { "No good way without \($0.words) was found." }.joined(separator: " ")
        case .offRoad(let stop, let count, let metres):
            let end = SextantError.end(stop, of: count)
            return "\(end.prefix(1).uppercased())\(end.dropFirst()) lies \(Self.text(metres)) away from the road."
        case .endsBefore(let stop, let count, let metres):
            return "The way ends \(Self.text(metres)) before \(SextantError.end(stop, of: count)): none leads there."
        }
    }

    private static let plurals: [(kind: RoadKinds, words: String)] = [
        (.tolls, "tolls"), (.motorways, "motorways"), (.ferries, "ferries"), (.unpaved, "unpaved roads"),
        (.tunnels, "tunnels"),
    ]

    private static func text(_ metres: Double) -> String {
        if metres < 995 { return "\(Int((metres / 10).rounded()) * 10) m" }
        let tenths = Int((metres / 100).rounded())
        return tenths < 1000 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10) km" : "\(tenths / 10) km"
    }

    /// Metres beyond which a stop counts as away from the road, and unpaved roads are worth telling.
    private static let farFromRoad = 100.0
    private static let muchUnpaved = 50.0

    /// What a step has.
    public static func of(_ step: GuidanceStep) -> [RouteNotice] {
        var notices: [RouteNotice] = []
        let classes = Set(step.intersections.flatMap(\.classes))
        if classes.contains("toll") { notices.append(.toll) }
        if step.mode == .ferry { notices.append(.ferry) }
        if step.mode == .train { notices.append(.train) }
        if classes.contains("restricted") { notices.append(.limitedAccess) }
        if step.wait > 0 { notices.append(.wait(seconds: step.wait)) }
        return notices
    }

    /// What a way has, in the order of the cases.
    static func of(_ found: FoundRoute, avoiding avoided: RoadKinds) -> [RouteNotice] {
        let edges = found.legs.flatMap(\.edges)
        var notices: [RouteNotice] = []
        let kinds = found.kinds
        if kinds.contains(.tolls) { notices.append(.toll) }
        if kinds.contains(.ferries) { notices.append(.ferry) }
        if edges.contains(where: { $0.mode == .train }) { notices.append(.train) }
        let limited = edges.map(\.road.isRestricted)
        let begin = limited.firstIndex(of: false) ?? limited.count
        let end = limited.lastIndex(of: false).map { $0 + 1 } ?? 0
        if begin > 0 { notices.append(.privateStart) }
        if end < limited.count { notices.append(.privateEnd) }
        if begin < end, limited[begin..<end].contains(true) { notices.append(.limitedAccess) }
        if found.legs.contains(where: { $0.junctions.contains { $0.barrier == "border_control" } }) {
            notices.append(.border)
        }
        let wait = edges.reduce(0) { $0 + $1.wait }
        if wait > 0 { notices.append(.wait(seconds: wait)) }
        let unpaved = edges.reduce(0.0) { sum, edge in
            edge.road.isUnpaved && (edge.mode == .driving || edge.mode == .cycling) ? sum + edge.length : sum
        }
        if unpaved >= muchUnpaved { notices.append(.unpaved(metres: unpaved)) }
        let used = kinds.intersection(avoided)
        if !used.isEmpty { notices.append(.notAvoided(used)) }
        let count = found.stops.count
        for (index, stop) in found.stops.enumerated() where stop.distance > farFromRoad {
            if index == found.shortfall?.stop { continue }
            notices.append(.offRoad(stop: index, of: count, metres: stop.distance))
        }
        if let shortfall = found.shortfall {
            notices.append(.endsBefore(stop: shortfall.stop, of: count, metres: shortfall.distance))
        }
        return notices
    }
}

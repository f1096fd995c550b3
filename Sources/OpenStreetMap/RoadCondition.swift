/// When a part of a conditional tag holds, read once: hours, and what the vehicle measures, all of which must be so.
///
///     let condition = RoadCondition("Mo-Fr 07:00-10:30 AND weight>7.5")
///     condition.holds(at: moment, vehicle: VehicleSize(weight: 12))
///
/// Hours are read as `OpeningHours`, on the clock of the place; holidays are days like others there unless the site knows
/// them. Vehicles are compared by `height`, `width`, `length`, `weight` and `axleload`; of a size that is not known no
/// comparison holds. What cannot be read (`wet`, `delivery`) never holds, nor do hours that a comment alone explains.
public struct RoadCondition: Sendable, Hashable {
    private enum Term: Sendable, Hashable {
        case hours(OpeningHours)
        /// Holds while these are not open; hours that cannot be told count as open.
        case outside(OpeningHours)
        case vehicle(Measure, Comparison, Double)
    }

    private enum Measure: String, Sendable, Hashable {
        case height, width, length, weight, axleload

        func value(of vehicle: VehicleSize) -> Double? {
            switch self {
            case .height: vehicle.height
            case .width: vehicle.width
            case .length: vehicle.length
            case .weight: vehicle.weight
            case .axleload: vehicle.axleLoad
            }
        }
    }

    private enum Comparison: Sendable, Hashable { case less, atMost, more, atLeast, equal }

    /// Nil for what never holds.
    private let terms: [Term]?

    /// Reads a condition as `RoadConditions.parts` gives it, or one that `text(outside:)` made.
    public init(_ text: String) {
        if text.first == "!" {
            terms = (try? OpeningHours(text.dropFirst())).map { [.outside($0)] }
            return
        }
        var terms: [Term] = []
        for part in text.replacing(" and ", with: " AND ").split(separator: " AND ") {
            guard let term = Self.term(part.trimmed()) else {
                self.terms = nil
                return
            }
            terms.append(term)
        }
        self.terms = terms.isEmpty ? nil : terms
    }

    /// The condition that holds outside of opening hours, as text.
    public static func text(outside hours: String) -> String { "!" + hours }

    private static func term(_ text: Substring) -> Term? {
        if let index = text.firstIndex(where: { "<>=".contains($0) }) {
            guard let measure = Measure(rawValue: text[..<index].trimmed().lowercased()) else { return nil }
            let sign = text[index...].prefix { "<>=".contains($0) }
            let comparison: Comparison
            switch sign {
            case "<": comparison = .less
            case "<=", "=<": comparison = .atMost
            case ">": comparison = .more
            case ">=", "=>": comparison = .atLeast
            case "=", "==": comparison = .equal
            default: return nil
            }
            let number = String(text[sign.endIndex...].trimmed())
            let value =
                measure == .weight || measure == .axleload
                ? Measures.kilograms(number).map { $0 / 1000 } : Measures.metres(number)
            guard let value, value.isFinite else { return nil }
            return .vehicle(measure, comparison, value)
        }
        // A comment is no time.
        guard !text.contains("\""), let hours = try? OpeningHours(text) else { return nil }
        return .hours(hours)
    }

    /// Whether it can hold at all.
    public var isReadable: Bool { terms != nil }

    /// Whether it holds in a minute on the clock of the place, for a vehicle.
    public func holds(
        at moment: OpeningHours.Moment, vehicle: VehicleSize = VehicleSize(), in site: OpeningHours.Site = .unknown
    ) -> Bool {
        guard let terms else { return false }
        return terms.allSatisfy { term in
            switch term {
            case .hours(let hours):
                let state = hours.state(at: moment, in: site)
                return state.kind == .open && !state.restsOnComment
            case .outside(let hours): return hours.state(at: moment, in: site).kind == .closed
            case .vehicle(let measure, let comparison, let limit):
                guard let value = measure.value(of: vehicle) else { return false }
                switch comparison {
                case .less: return value < limit
                case .atMost: return value <= limit
                case .more: return value > limit
                case .atLeast: return value >= limit
                case .equal: return value == limit
                }
            }
        }
    }

    /// The first minute after this one at which it may hold where it did not, or not hold where it did; nil where nothing
    /// changes for as long as `OpeningHours` looks ahead.
    public func nextChange(
        after moment: OpeningHours.Moment, in site: OpeningHours.Site = .unknown
    ) -> OpeningHours.Moment? {
        var next: OpeningHours.Moment?
        for term in terms ?? [] {
            switch term {
            case .hours(let hours), .outside(let hours):
                guard let change = hours.nextChange(after: moment, in: site) else { continue }
                next = next.map { min($0, change) } ?? change
            case .vehicle: break
            }
        }
        return next
    }
}

/// The tags of a way or node that hold at times, and what the others become while they do.
///
/// `access:conditional` and its kin for modes and directions, `oneway:conditional`, `maxspeed:conditional`, and the
/// `opening_hours` of ways and barriers, outside of which nobody passes. While the condition of a part holds, its value stands in
/// the place of the plain tag's; of several parts of one tag that hold the last one counts. Parts that can never be
/// read are left out.
public struct ConditionalTags: Sendable {
    /// More conditions than these are not heeded on one way or node.
    public static let mostConditions = 5

    private struct Part: Sendable {
        /// Nil for opening hours.
        var key: String?
        var value: String
        var condition: Int
    }

    /// Texts for `RoadCondition`, each once.
    public private(set) var conditions: [String] = []
    /// Conditions that were one too many.
    public private(set) var leftOut = 0
    private var parts: [Part] = []

    /// Nil where nothing depends on the time.
    public init?(_ tags: Tags, isNode: Bool = false) {
        var hours: String?
        for pair in tags.pairs {
            if pair.key.hasSuffix(":conditional") {
                let key = String(pair.key.dropLast(12))
                guard Self.isKnown(key, isNode: isNode) else { continue }
                for part in RoadConditions.parts(pair.value) { add(key, part.value, part.condition) }
            } else if pair.key == "opening_hours" {
                hours = pair.value
            }
        }
        // A node without a barrier is something beside the road.
        if let hours, !isNode || tags["barrier"] != nil, let read = try? OpeningHours(hours),
            !read.isConstant || read.state(at: OpeningHours.Moment(year: 2026, month: 1, day: 1)).kind == .closed
        {
            add(nil, "no", RoadCondition.text(outside: hours))
        }
        if parts.isEmpty { return nil }
    }

    private mutating func add(_ key: String?, _ value: String, _ condition: String) {
        guard RoadCondition(condition).isReadable else { return }
        if let known = conditions.firstIndex(of: condition) {
            parts.append(Part(key: key, value: value, condition: known))
        } else if conditions.count < Self.mostConditions {
            parts.append(Part(key: key, value: value, condition: conditions.count))
            conditions.append(condition)
        } else {
            leftOut += 1
        }
    }

    private static func isKnown(_ key: String, isNode: Bool) -> Bool {
        var base = Substring(key)
        if base.hasSuffix(":forward") { base.removeLast(8) } else if base.hasSuffix(":backward") { base.removeLast(9) }
        switch base {
        case "access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot": return true
        case "oneway", "oneway:bicycle", "oneway:foot", "oneway:motorcar", "oneway:motor_vehicle", "oneway:vehicle",
            "maxspeed", "maxspeed:advisory":
            return !isNode
        default: return false
        }
    }

    /// Whether opening hours close it while certain conditions hold.
    /// - Parameter mask: a bit for each of `conditions`.
    public func isClosed(holding mask: Int) -> Bool {
        parts.contains { $0.key == nil && mask >> $0.condition & 1 != 0 }
    }

    /// The tags while certain conditions hold.
    public func tags(_ tags: Tags, holding mask: Int) -> Tags {
        var result = tags
        for part in parts where mask >> part.condition & 1 != 0 {
            if let key = part.key { result[key] = part.value }
        }
        return result
    }
}

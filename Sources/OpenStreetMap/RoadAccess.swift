/// What an access tag grants.
public enum RoadAccess: UInt8, Sendable, Hashable, Comparable {
    case forbidden = 0
    /// Only for the owner and those who are let in: `private`, `delivery`, `residents`, ...
    case closed = 1
    /// Only for those who have business there: `destination`, `customers`, ...
    case restricted = 2
    case allowed = 3

    /// Whether only some may pass.
    public var isLimited: Bool { self == .closed || self == .restricted }

    public static func < (a: RoadAccess, b: RoadAccess) -> Bool { a.rawValue < b.rawValue }

    /// What the keys of `user`, the most special first, say in one direction; nil where no key says anything known.
    ///
    /// `:forward` and `:backward` go before the plain key. Of several values parted by semicolons the most generous
    /// decides, since each names a group that may pass.
    public static func of(
        _ tags: Tags, for user: RoadUser, direction: RoadDirection?, keys: [StaticAccessKey]? = nil
    ) -> RoadAccess? {
        for key in keys ?? StaticAccessKey.hierarchy(user) {
            if let direction, let value = tags[direction == .forward ? key.forward : key.backward] {
                return reading(value, for: user)
            }
            if let value = tags[key.plain] {
                // A word that nobody knows leaves the question to the road's class.
                return reading(value, for: user)
            }
        }
        return nil
    }

    /// The tag that keeps `user` out, or lets in only some, as `motor_vehicle=no`; nil where none does.
    public static func closingTag(_ tags: Tags, for user: RoadUser) -> String? {
        for key in StaticAccessKey.hierarchy(user) {
            for name in [key.plain, key.forward, key.backward] {
                guard let value = tags[name] else { continue }
                guard let access = reading(value, for: user), access == .forbidden || access == .closed else {
                    return nil
                }
                return "\(name)=\(value)"
            }
        }
        return nil
    }

    /// The meaning of a value such as `yes` or `agricultural;destination`; nil for words without one.
    static func reading(_ value: String, for user: RoadUser) -> RoadAccess? {
        guard value.utf8.contains(UInt8(ascii: ";")) else { return word(Substring(value), for: user) }
        var best: RoadAccess?
        for part in value.split(separator: ";") {
            if let access = word(part.trimmed(), for: user) { best = max(best ?? access, access) }
        }
        return best
    }

    private static func word(_ value: Substring, for user: RoadUser) -> RoadAccess? {
        switch value {
        case "yes", "permissive", "designated", "official", "public", "allowed":
            return value == "official" && user == .car ? .forbidden : .allowed
        case "hov", "motorcar", "motor_vehicle", "vehicle": return user == .car ? .allowed : .forbidden
        case "destination", "customers": return .restricted
        case "private", "delivery", "permit", "residents", "resident", "key": return .closed
        case "foot": return user == .foot ? .allowed : .forbidden
        case "bicycle": return user == .bicycle ? .allowed : .forbidden
        // Lanes for buses are closed to cars; whoever walks or cycles asks the road's class.
        case "psv", "bus", "taxi", "share_taxi", "minibus": return user == .car ? .forbidden : nil
        case "no", "agricultural", "forestry", "agricultural_vehicles", "emergency", "emergency_vehicle", "military",
            "restricted", "none", "never", "impassable", "authorized":
            return .forbidden
        case "dismount": return user == .bicycle ? .restricted : nil
        case "use_sidepath": return .forbidden
        default: return nil
        }
    }
}

/// Along a way as it is drawn, or against it.
public enum RoadDirection: UInt8, Sendable, Hashable {
    case forward = 0
    case backward = 1
}

/// An access key with its two directed forms.
public struct StaticAccessKey: Sendable {
    let plain: String
    let forward: String
    let backward: String

    init(_ key: String) {
        plain = key
        forward = key + ":forward"
        backward = key + ":backward"
    }

    private static let car = ["motorcar", "motor_vehicle", "vehicle", "access"].map(StaticAccessKey.init)
    private static let bicycle = ["bicycle", "vehicle", "access"].map(StaticAccessKey.init)
    private static let foot = ["foot", "access"].map(StaticAccessKey.init)

    static func hierarchy(_ user: RoadUser) -> [StaticAccessKey] {
        switch user {
        case .car: car
        case .bicycle: bicycle
        case .foot: foot
        }
    }
}

/// How large and heavy a vehicle may be that passes along a way or a node, as the `max...` tags tell.
///
/// Lengths are whole millimetres and weights tens of kilograms, since limits are compared and kept in files; 0 stands for
/// no limit. What is only physically so (`maxheight:physical`) counts as what is signed, and the smaller one decides.
public struct RoadLimits: Sendable, Hashable {
    public var height: UInt16 = 0
    public var width: UInt16 = 0
    public var length: UInt16 = 0
    public var weight: UInt16 = 0
    public var axleLoad: UInt16 = 0

    public init() {}

    /// Reads the tags of a way in one direction, or of a node with a nil direction. Nil where nothing is limited.
    public init?(_ tags: Tags, direction: RoadDirection?) {
        for pair in tags.pairs where pair.key.hasPrefix("max") {
            var key = Substring(pair.key)
            if key.hasSuffix(":forward") {
                if direction == .backward { continue }
                key.removeLast(8)
            } else if key.hasSuffix(":backward") {
                if direction == .forward { continue }
                key.removeLast(9)
            }
            switch key {
            case "maxheight", "maxheight:physical": Self.lower(&height, Self.millimetres(pair.value))
            case "maxwidth", "maxwidth:physical": Self.lower(&width, Self.millimetres(pair.value))
            case "maxlength": Self.lower(&length, Self.millimetres(pair.value))
            case "maxweight", "maxweightrating": Self.lower(&weight, Self.tensOfKilograms(pair.value))
            case "maxaxleload": Self.lower(&axleLoad, Self.tensOfKilograms(pair.value))
            default: continue
            }
        }
        if self == RoadLimits() { return nil }
    }

    /// Takes the smaller of a limit and a value, in the limit's unit; what exceeds 16 bits limits nothing.
    private static func lower(_ limit: inout UInt16, _ value: Double?) {
        guard let value, value > 0, value < 65_535.5 else { return }
        let whole = max(UInt16(value.rounded()), 1)
        if limit == 0 || whole < limit { limit = whole }
    }

    private static func millimetres(_ value: String) -> Double? { Measures.metres(value).map { $0 * 1000 } }

    private static func tensOfKilograms(_ value: String) -> Double? { Measures.kilograms(value).map { $0 / 10 } }
}

/// What a vehicle measures and weighs. Nil for what is not known and does not matter.
public struct VehicleSize: Sendable, Hashable {
    /// Metres.
    public var height: Double?
    public var width: Double?
    public var length: Double?
    /// Tonnes.
    public var weight: Double?
    public var axleLoad: Double?

    public init(
        height: Double? = nil, width: Double? = nil, length: Double? = nil, weight: Double? = nil,
        axleLoad: Double? = nil
    ) {
        self.height = height
        self.width = width
        self.length = length
        self.weight = weight
        self.axleLoad = axleLoad
    }

    /// Whether limits let it pass: what is exactly as large as its limit does.
    public func passes(_ limits: RoadLimits) -> Bool {
        func fits(_ value: Double?, _ limit: UInt16, _ scale: Double) -> Bool {
            guard let value, limit > 0 else { return true }
            return (value * scale).rounded() <= Double(limit)
        }
        return fits(height, limits.height, 1000) && fits(width, limits.width, 1000)
            && fits(length, limits.length, 1000) && fits(weight, limits.weight, 100)
            && fits(axleLoad, limits.axleLoad, 100)
    }
}

extension RoadTags {
    /// Whether the tags of a way tell of a surface that is not sealed; unknown ones of tracks count as such.
    public static func isUnpaved(_ tags: Tags) -> Bool {
        if let surface = tags["surface"] {
            switch surface {
            case "unpaved", "compacted", "fine_gravel", "gravel", "pebblestone", "ground", "dirt", "earth", "grass",
                "grass_paver", "mud", "sand", "clay", "rock", "rocky", "stone", "woodchips", "snow", "ice", "salt",
                "shells", "rubble", "gravel_turf", "stepping_stones":
                return true
            default: return false
            }
        }
        switch tags["tracktype"] {
        case "grade1": return false
        case "grade2", "grade3", "grade4", "grade5": return true
        default: return tags.has("highway", "track") || tags.has("highway", "ice_road")
        }
    }
}

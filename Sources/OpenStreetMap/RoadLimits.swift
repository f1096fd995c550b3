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

    private static func lower(_ limit: inout UInt16, _ value: UInt16?) {
        if let value, limit == 0 || value < limit { limit = value }
    }

    /// Whole millimetres, 1 at least, of a value such as `3.8`, `3,8 m`, `380 cm`, `12'6"`, `12 ft 6 in`; of several
    /// parted by semicolons the least. Nil for text and for more than 65 m.
    static func millimetres(_ value: String) -> UInt16? {
        least(value) { amount, unit in
            switch unit {
            case "", "m", "metre", "metres", "meter", "meters": amount * 1000
            case "cm": amount * 10
            case "mm": amount
            case "'", "ft", "feet", "foot", "′": amount * 304.8
            case "\"", "in", "inch", "inches", "″", "''": amount * 25.4
            default: nil
            }
        }
    }

    /// Tens of kilograms, 1 at least, of a value such as `7.5`, `7.5 t`, `7500 kg`, `16500 lbs`, `8 st` (short tons).
    static func tensOfKilograms(_ value: String) -> UInt16? {
        least(value) { amount, unit in
            switch unit {
            case "", "t", "ton", "tons", "tonne", "tonnes": amount * 100
            case "kg": amount / 10
            case "lb", "lbs": amount * 0.0453592
            case "st", "short_ton", "short_tons": amount * 90.7185
            case "lt", "long_ton", "long_tons": amount * 101.6047
            case "cwt": amount * 5.08023
            default: nil
            }
        }
    }

    private static func least(_ value: String, _ scale: (Double, Substring) -> Double?) -> UInt16? {
        var least: UInt16?
        for part in value.prefix(100).split(separator: ";") {
            guard let sum = sum(part.trimmed(), scale), sum > 0, sum < 65_535.5 else { continue }
            let whole = max(UInt16(sum.rounded()), 1)
            least = min(least ?? whole, whole)
        }
        return least
    }

    /// The sum of numbers that each have a unit behind them; nil where anything is neither.
    private static func sum(_ text: Substring, _ scale: (Double, Substring) -> Double?) -> Double? {
        var rest = text
        var total: Double?
        while !rest.isEmpty {
            var digits = ""
            while let first = rest.utf8.first {
                if first >= 0x30 && first <= 0x39 {
                    digits.unicodeScalars.append(Unicode.Scalar(first))
                } else if first == 0x2E || first == 0x2C {
                    digits += "."
                } else {
                    break
                }
                rest.removeFirst()
            }
            guard digits.utf8.count <= 12, let amount = Double(digits) else { return nil }
            rest = rest.trimmed()
            let unit = rest.prefix { !$0.isNumber && $0 != " " }
            rest = rest.dropFirst(unit.count).trimmed()
            // In 12'6 and 12 ft 6 the second number is of inches.
            let isInch = total != nil && unit.isEmpty
            guard let scaled = scale(amount, isInch ? "\"" : unit) else { return nil }
            total = (total ?? 0) + scaled
        }
        return total
    }
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

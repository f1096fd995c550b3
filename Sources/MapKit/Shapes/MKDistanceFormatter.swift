/// Distances as people say them: `350 m`, `1.2 km`, `0.3 mi`.
///
/// A distance is rounded first, and then the unit is chosen: 999 m is `1 km`.
open class MKDistanceFormatter: Formatter {
    public enum Units: UInt, Sendable {
        /// Those of the locale's region.
        case `default` = 0
        case metric = 1
        /// Miles and feet.
        case imperial = 2
        /// Miles and yards.
        case imperialWithYards = 3
    }

    public enum DistanceUnitStyle: UInt, Sendable {
        /// As `abbreviated`.
        case `default` = 0
        case abbreviated = 1
        /// The unit's whole name.
        case full = 2
    }

    /// Where the words and the decimal sign come from; the current locale at first.
    open var locale: Locale! = .current
    open var units = Units.default
    open var unitStyle = DistanceUnitStyle.default

    public override init() { super.init() }

    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// The distance in words; empty for what is no number.
    open func string(fromDistance distance: CLLocationDistance) -> String {
        guard distance.isFinite else { return "" }
        let rounded = RoundedDistance(metres: abs(distance), system: system)
        let sign = distance < 0 && rounded.value > 0 ? "-" : ""
        let words = DistanceWords.of(language: language)
        let unit =
            unitStyle == .full ? words.name(of: rounded.unit, count: rounded.value) : words.symbol(of: rounded.unit)
        return "\(sign)\(number(rounded)) \(unit)"
    }

    /// Metres that the text stands for; negative where it cannot be read.
    open func distance(from distance: String) -> CLLocationDistance {
        let text = distance.trimmingCharacters(in: .whitespacesAndNewlines)
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "," || $0 == separator.first || $0 == "-" }
        let plain = String(digits).replacingOccurrences(of: separator, with: ".")
        guard let value = Double(plain), value.isFinite, value >= 0 else { return -1 }
        let unit = text.dropFirst(digits.count).trimmingCharacters(in: .whitespaces).lowercased()
        guard !unit.isEmpty else { return -1 }
        let own = DistanceWords.of(language: language)
        for words in [own, DistanceWords.english] {
            for known in DistanceUnit.allCases where words.all(of: known).contains(unit) {
                return value * known.metres
            }
        }
        return -1
    }

    open override func string(for obj: Any?) -> String? {
        switch obj {
        case let number as Double: string(fromDistance: number)
        case let number as NSNumber: string(fromDistance: number.doubleValue)
        default: nil
        }
    }

    private var language: String { (locale ?? .current).language.languageCode?.identifier ?? "en" }
    private var separator: String { (locale ?? .current).decimalSeparator ?? "." }

    private var system: Units {
        guard units == .default else { return units }
        switch (locale ?? .current).measurementSystem {
        case .us: return .imperial
        case .uk: return .imperialWithYards
        default: return .metric
        }
    }

    private func number(_ distance: RoundedDistance) -> String {
        distance.value == distance.value.rounded()
            ? String(format: "%.0f", distance.value)
            : String(format: "%.1f", distance.value).replacingOccurrences(of: ".", with: separator)
    }
}

private enum DistanceUnit: CaseIterable {
    case metre, kilometre, foot, yard, mile

    var metres: Double {
        switch self {
        case .metre: 1
        case .kilometre: 1000
        case .foot: 0.3048
        case .yard: 0.9144
        case .mile: 1609.344
        }
    }
}

/// A distance rounded, in the unit that suits it then.
private struct RoundedDistance {
    var value: Double
    var unit: DistanceUnit

    init(metres: Double, system: MKDistanceFormatter.Units) {
        let small: DistanceUnit =
            switch system {
            case .imperial: .foot
            case .imperialWithYards: .yard
            default: .metre
            }
        let large: DistanceUnit = small == .metre ? .kilometre : .mile
        // Small units up to a kilometre, a tenth of a mile in feet, a quarter of a mile in yards.
        let limit: Double = small == .metre ? 1000 : small == .foot ? 528 : 440
        let count = metres / small.metres
        let step: Double = count < 10 ? 1 : count < 100 ? 5 : 50
        let near = (count / step).rounded() * step
        if near < limit {
            (value, unit) = (near, small)
        } else {
            let far = metres / large.metres
            unit = large
            value = far < 9.95 ? (far * 10).rounded() / 10 : far.rounded()
        }
    }
}

/// What units are called in one language: symbol, name for one, name for several (and the one for two to four in Russian).
private struct DistanceWords: Sendable {
    var names: [DistanceUnit: [String]]
    var isSlavic = false

    func symbol(of unit: DistanceUnit) -> String { names[unit]?.first ?? "" }

    func name(of unit: DistanceUnit, count: Double) -> String {
        guard let forms = names[unit], forms.count >= 3 else { return symbol(of: unit) }
        guard isSlavic else { return count == 1 ? forms[1] : forms[2] }
        guard let whole = Int(exactly: count) else { return forms[3] }
        let (tens, ones) = (whole % 100 / 10, whole % 10)
        if tens != 1, ones == 1 { return forms[1] }
        return tens != 1 && (2...4).contains(ones) ? forms[3] : forms[2]
    }

    func all(of unit: DistanceUnit) -> [String] { (names[unit] ?? []).map { $0.lowercased() } }

    static func of(language: String) -> DistanceWords {
        switch language {
        case "de": german
        case "fr": french
        case "fi": finnish
        case "ru": russian
        default: english
        }
    }

    static let english = DistanceWords(names: [
        .metre: ["m", "meter", "meters", "metre", "metres"],
        .kilometre: ["km", "kilometer", "kilometers", "kilometre", "kilometres"],
        .foot: ["ft", "foot", "feet"], .yard: ["yd", "yard", "yards"], .mile: ["mi", "mile", "miles"],
    ])
    static let german = DistanceWords(names: [
        .metre: ["m", "Meter", "Meter"], .kilometre: ["km", "Kilometer", "Kilometer"], .foot: ["ft", "Fuß", "Fuß"],
        .yard: ["yd", "Yard", "Yards"], .mile: ["mi", "Meile", "Meilen"],
    ])
    static let french = DistanceWords(names: [
        .metre: ["m", "mètre", "mètres"], .kilometre: ["km", "kilomètre", "kilomètres"],
        .foot: ["pi", "pied", "pieds"],
        .yard: ["vg", "yard", "yards"], .mile: ["mi", "mille", "milles"],
    ])
    static let finnish = DistanceWords(names: [
        .metre: ["m", "metri", "metriä"], .kilometre: ["km", "kilometri", "kilometriä"],
        .foot: ["jlk", "jalka", "jalkaa"], .yard: ["jd", "jaardi", "jaardia"], .mile: ["mi", "maili", "mailia"],
    ])
    static let russian = DistanceWords(
        names: [
            .metre: ["м", "метр", "метров", "метра"], .kilometre: ["км", "километр", "километров", "километра"],
            .foot: ["фт", "фут", "футов", "фута"], .yard: ["ярд", "ярд", "ярдов", "ярда"],
            .mile: ["миля", "миля", "миль", "мили"],
        ], isSlavic: true)
}

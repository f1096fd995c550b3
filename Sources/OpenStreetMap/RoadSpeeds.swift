/// Speeds and lengths of time as tags write them.
public enum RoadSpeeds {
    /// The speed in km/h that a `maxspeed` value tells; nil for values that tell none (`signals`, `variable`, ...).
    ///
    /// Plain numbers are km/h; `mph` and `knots` are converted; `walk` is 7 km/h, `none` 140 km/h. Of several values the
    /// first counts. A zone such as `DE:urban` is looked up in a table of countries, else read with `rules`.
    public static func limit(_ value: String, rules: CountryRules) -> Double? {
        var text = Substring(value)
        if let end = text.firstIndex(where: { $0 == ";" || $0 == "|" }) { text = text[..<end] }
        text = text.trimmed()
        guard let first = text.utf8.first else { return nil }
        if first >= 0x30 && first <= 0x39 { return number(text) }
        switch text {
        case "walk", "walking": return 7
        case "none": return 140
        default: break
        }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let country = text[..<colon].lowercased()
        let zone = text[text.index(after: colon)...]
        if let byte = zone.utf8.first, byte >= 0x30 && byte <= 0x39 { return number(zone) }
        if zone.hasPrefix("zone"), let digits = zone.firstIndex(where: { $0.isNumber }) {
            return number(zone[digits...])
        }
        return zoneLimit(country: country, zone: String(zone), rules: rules)
    }

    private static func zoneLimit(country: String, zone: String, rules: CountryRules) -> Double? {
        switch zone {
        case "living_street", "walk": return 10
        case "bicycle_road": return 30
        case "school": return 30
        default: break
        }
        // Facts of national road codes, where they differ from the common 50, 90, 110, 130.
        switch (country, zone) {
        case ("gb", "nsl_single"), ("uk", "nsl_single"), ("gb", "rural"): return 96.56
        case ("gb", "nsl_dual"), ("uk", "nsl_dual"), ("gb", "motorway"), ("uk", "motorway"): return 112.65
        case ("gb", "nsl_restricted"), ("uk", "nsl_restricted"), ("gb", "urban"): return 48.28
        case ("de", "rural"), ("at", "rural"), ("hu", "rural_trunk"): return 100
        case ("de", "motorway"): return 140
        case ("at", "trunk"), ("ch", "trunk"), ("nl", "trunk"), ("no", "trunk"): return 100
        case ("ch", "rural"), ("fr", "rural"), ("nl", "rural"), ("dk", "rural"), ("fi", "rural"), ("no", "rural"),
            ("li", "rural"):
            return 80
        case ("ch", "motorway"), ("be", "motorway"), ("fi", "motorway"), ("es", "motorway"), ("pt", "motorway"),
            ("ie", "motorway"):
            return 120
        case ("be-vlg", "rural"): return 70
        case ("ru", "urban"), ("by", "urban"), ("kz", "urban"): return 60
        case ("ru", "motorway"), ("by", "motorway"), ("se", "motorway"), ("no", "motorway"): return 110
        default: break
        }
        let own = !rules.code.isEmpty && country == rules.code
        switch zone {
        case "urban", "nsl_restricted": return own ? rules.urbanSpeed : 50
        case "rural", "nsl_single": return own ? rules.ruralSpeed : 90
        case "trunk", "nsl_dual", "express", "expressway":
            return own ? (rules.ruralSpeed + rules.motorwaySpeed) / 2 : 110
        case "motorway": return own ? rules.motorwaySpeed : 130
        default: return nil
        }
    }

    /// The number at the head of `text`, with its unit converted to km/h.
    static func number(_ text: Substring) -> Double? {
        var value = 0.0
        var scale = 1.0
        var seenPoint = false
        var digits = 0
        var index = text.utf8.startIndex
        while index < text.utf8.endIndex {
            let byte = text.utf8[index]
            if byte >= 0x30 && byte <= 0x39 {
                digits += 1
                if digits > 9 { return nil }
                if seenPoint {
                    scale /= 10
                    value += Double(byte - 0x30) * scale
                } else {
                    value = value * 10 + Double(byte - 0x30)
                }
            } else if (byte == 0x2E || byte == 0x2C) && !seenPoint {
                seenPoint = true
            } else {
                break
            }
            index = text.utf8.index(after: index)
        }
        guard digits > 0 else { return nil }
        let unit = text[index...].trimmed()
        switch unit {
        case "mph", "mi": return value * 1.609344
        case "knots", "knot", "kn", "kt": return value * 1.852
        default: return value
        }
    }

    /// Seconds that a `duration` value tells: `HH:MM`, `HH:MM:SS`, a number of minutes, or ISO 8601 (`PT1H30M`).
    public static func duration(_ value: String) -> Double? {
        let text = Substring(value).trimmed()
        guard !text.isEmpty, text.utf8.count <= 32 else { return nil }
        if text.first == "P" || text.first == "p" { return isoDuration(text.dropFirst()) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return nil }
        var numbers: [Double] = []
        for part in parts {
            guard let number = Double(String(part)), number >= 0, number < 100_000 else { return nil }
            numbers.append(number)
        }
        switch numbers.count {
        case 1: return numbers[0] * 60
        case 2: return numbers[0] * 3600 + numbers[1] * 60
        case 3: return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
        default: return nil
        }
    }

    private static func isoDuration(_ text: Substring) -> Double? {
        var seconds = 0.0
        var inTime = false
        var digits = ""
        for character in text {
            switch character {
            case "T", "t": inTime = true
            case "0"..."9", ".": digits.append(character)
            default:
                guard let number = Double(digits), number < 1_000_000 else { return nil }
                digits = ""
                switch (character, inTime) {
                case ("D", _): seconds += number * 86400
                case ("W", _): seconds += number * 604_800
                case ("H", true): seconds += number * 3600
                case ("M", true): seconds += number * 60
                case ("S", true): seconds += number
                default: return nil
                }
            }
        }
        return digits.isEmpty && seconds > 0 ? seconds : nil
    }
}

extension Substring {
    /// Without ASCII blanks at both ends.
    func trimmed() -> Substring {
        var text = self
        while let first = text.utf8.first, first == 0x20 || first == 0x09 { text.removeFirst() }
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }
}

/// Lengths and weights as tags of limits write them.
///
/// Lengths without a unit are metres, weights without one tonnes, as the map's conventions say. Feet and inches come in
/// many spellings: `12'6"`, `12 ft 6 in`, `12'-6"`, `12′`.
public enum Measures {
    /// Metres that a value of `maxheight`, `width`, `maxlength` ... tells; nil for values that tell none.
    public static func metres(_ value: String) -> Double? { least(value, read: length) }

    /// Kilograms that a value of `maxweight`, `maxaxleload` ... tells; nil for values that tell none.
    public static func kilograms(_ value: String) -> Double? { least(value, read: weight) }

    /// The smallest of values parted by semicolons, each of which must be heeded.
    private static func least(_ value: String, read: (Substring) -> Double?) -> Double? {
        guard value.utf8.count <= 64 else { return nil }
        return value.split(separator: ";").compactMap { part in
            let part = part.trimmed()
            return part.first?.isNumber == true ? read(part) : nil
        }.min()
    }

    private static func length(_ text: Substring) -> Double? {
        var rest = text
        var sum = 0.0
        var lastUnit = 1.0
        var isFirst = true
        while !rest.isEmpty {
            guard let number = number(&rest) else { return nil }
            var unit = word(&rest)
            // Feet may be followed by inches that do not say so.
            if unit.isEmpty { unit = isFirst ? "m" : lastUnit == foot ? "in" : "?" }
            guard let scale = lengthUnit(unit) else { return nil }
            sum += number * scale
            lastUnit = scale
            isFirst = false
        }
        return isFirst ? nil : sum
    }

    private static func weight(_ text: Substring) -> Double? {
        var rest = text
        guard let number = number(&rest), let scale = weightUnit(word(&rest)), rest.isEmpty else { return nil }
        return number * scale
    }

    private static let foot = 0.3048

    private static func lengthUnit(_ unit: String) -> Double? {
        switch unit {
        case "m", "metre", "metres", "meter", "meters", "mtr": 1
        case "cm": 0.01
        case "mm": 0.001
        case "km": 1000
        case "'", "′", "’", "‘", "ft", "foot", "feet": foot
        case "\"", "″", "”", "“", "''", "′′", "’’", "in", "inch", "inches": 0.0254
        case "yd", "yards": 0.9144
        default: nil
        }
    }

    private static func weightUnit(_ unit: String) -> Double? {
        switch unit {
        case "", "t", "mt", "to", "tonne", "tonnes", "metric ton", "metric tons": 1000
        case "kg", "kgs": 1
        case "lb", "lbs", "pound", "pounds": pound
        case "kip", "kips": 1000 * pound
        // Short tons of 2000 pounds; long ones of 2240, and their hundredweight.
        case "st", "ton", "tons", "short ton", "short tons": 2000 * pound
        case "lt", "long ton", "long tons": 2240 * pound
        case "cwt": 112 * pound
        default: nil
        }
    }

    private static let pound = 0.45359237

    /// Takes a decimal number off the head; a comma is a point, unless three digits follow it and a unit of small measure.
    private static func number(_ text: inout Substring) -> Double? {
        while let first = text.first, first == " " || first == "-" { text.removeFirst() }
        var digits = ""
        var hasPoint = false
        while let first = text.first {
            if first.isASCII, first.isNumber {
                digits.append(first)
            } else if first == "." || first == ",", !hasPoint, !digits.isEmpty {
                // "26,000 lbs" is a number with its thousands parted.
                if first == ",", isThousands(text.dropFirst()) {
                    text.removeFirst()
                    continue
                }
                digits.append(".")
                hasPoint = true
            } else {
                break
            }
            text.removeFirst()
        }
        guard digits.count <= 12, digits.first != nil, let number = Double(digits), number.isFinite else { return nil }
        return number
    }

    private static func isThousands(_ text: Substring) -> Bool {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).trimmed().lowercased()
        return digits.count == 3 && (unit.hasPrefix("lb") || unit.hasPrefix("kg") || unit.hasPrefix("pound"))
    }

    /// Takes the unit off the head, in small letters.
    private static func word(_ text: inout Substring) -> String {
        while text.first == " " { text.removeFirst() }
        let end = text.firstIndex { $0.isNumber || $0 == "-" } ?? text.endIndex
        var unit = text[..<end].trimmed()
        if unit.last == "." { unit.removeLast() }
        text = text[end...]
        return unit.lowercased()
    }
}

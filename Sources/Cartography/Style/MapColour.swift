/// A colour with alpha, each part 0...1, sRGB, not premultiplied.
public struct MapColour: Sendable, Hashable {
    public var red: Double
    public var green: Double
    public var blue: Double
    public var alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Reads `#rgb`, `#rrggbb` or `#rrggbbaa`; nil for anything else.
    public init?(_ text: String) {
        guard text.hasPrefix("#") else { return nil }
        var digits: [Int] = []
        for character in text.dropFirst() {
            guard let digit = character.hexDigitValue, character.isASCII else { return nil }
            digits.append(digit)
        }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6 || digits.count == 8 else { return nil }
        func part(_ index: Int) -> Double { Double(digits[index] * 16 + digits[index + 1]) / 255 }
        self.init(red: part(0), green: part(2), blue: part(4), alpha: digits.count == 8 ? part(6) : 1)
    }

    /// The same colour, its alpha multiplied by `opacity`.
    public func faded(to opacity: Double) -> MapColour {
        var colour = self
        colour.alpha *= min(max(opacity, 0), 1)
        return colour
    }

    /// Between this colour (`share` 0) and the other (1).
    public func mixed(with other: MapColour, share: Double) -> MapColour {
        MapColour(
            red: red + (other.red - red) * share, green: green + (other.green - green) * share,
            blue: blue + (other.blue - blue) * share, alpha: alpha + (other.alpha - alpha) * share)
    }

    /// The three colours that pins have had since maps on telephones began.
    public static let pinRed = MapColour(red: 0.86, green: 0.20, blue: 0.18)
    public static let pinGreen = MapColour(red: 0.20, green: 0.62, blue: 0.28)
    public static let pinPurple = MapColour(red: 0.53, green: 0.28, blue: 0.76)
    public static let routeBlue = MapColour(red: 0.16, green: 0.45, blue: 0.91)
}

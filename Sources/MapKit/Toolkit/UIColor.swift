/// A colour of four parts, 0 to 1: a stand-in for the interface toolkit's, which Linux does not have.
open class UIColor: NSObject, NSCopying, @unchecked Sendable {
    let red, green, blue, alpha: Double

    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        func held(_ part: CGFloat) -> Double { part.isFinite ? min(max(Double(part), 0), 1) : 0 }
        (self.red, self.green, self.blue, self.alpha) = (held(red), held(green), held(blue), held(alpha))
    }

    public convenience init(white: CGFloat, alpha: CGFloat) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    private convenience init(hex: UInt32) {
        func part(_ shift: UInt32) -> CGFloat { CGFloat((hex >> shift) & 0xFF) / 255 }
        self.init(red: part(16), green: part(8), blue: part(0), alpha: 1)
    }

    /// The same colour, more or less transparent.
    open func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
        UIColor(red: CGFloat(red), green: CGFloat(green), blue: CGFloat(blue), alpha: alpha)
    }

    /// Writes the four parts to where the pointers point.
    @discardableResult
    open func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        red?.pointee = CGFloat(self.red)
        green?.pointee = CGFloat(self.green)
        blue?.pointee = CGFloat(self.blue)
        alpha?.pointee = CGFloat(self.alpha)
        return true
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UIColor else { return false }
        return (red, green, blue, alpha) == (other.red, other.green, other.blue, other.alpha)
    }

    open override var hash: Int { [red, green, blue, alpha].hashValue }
    open override var description: String { "UIColor(\(red), \(green), \(blue), \(alpha))" }

    public static let black = UIColor(white: 0, alpha: 1)
    public static let darkGray = UIColor(white: 1 / 3, alpha: 1)
    public static let gray = UIColor(white: 0.5, alpha: 1)
    public static let lightGray = UIColor(white: 2 / 3, alpha: 1)
    public static let white = UIColor(white: 1, alpha: 1)
    public static let clear = UIColor(white: 0, alpha: 0)
    public static let red = UIColor(hex: 0xFF0000)
    public static let green = UIColor(hex: 0x00FF00)
    public static let blue = UIColor(hex: 0x0000FF)
    public static let cyan = UIColor(hex: 0x00FFFF)
    public static let yellow = UIColor(hex: 0xFFFF00)
    public static let magenta = UIColor(hex: 0xFF00FF)
    public static let orange = UIColor(hex: 0xFF8000)
    public static let purple = UIColor(hex: 0x800080)
    public static let brown = UIColor(hex: 0x996633)
    public static let systemRed = UIColor(hex: 0xE5342B)
    public static let systemOrange = UIColor(hex: 0xF28C1B)
    public static let systemYellow = UIColor(hex: 0xF5C518)
    public static let systemGreen = UIColor(hex: 0x34B455)
    public static let systemTeal = UIColor(hex: 0x2FA6B8)
    public static let systemBlue = UIColor(hex: 0x1F6FEB)
    public static let systemIndigo = UIColor(hex: 0x5A55D0)
    public static let systemPurple = UIColor(hex: 0xA553D6)
    public static let systemPink = UIColor(hex: 0xF0325A)
    public static let systemBrown = UIColor(hex: 0x9C8160)
    public static let systemGray = UIColor(hex: 0x8E8E93)
}

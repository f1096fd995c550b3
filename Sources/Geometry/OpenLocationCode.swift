import Glibc

/// A short code for a small area of the globe, such as `8FVC4GRC+8X` (the Open Location Code specification, "Plus codes").
///
/// A full code stands for itself; a short one (`4GRC+8X`) lacks its first digits and means the nearest area of that code to
/// a place that both sides know.
public struct OpenLocationCode: Sendable, Hashable, CustomStringConvertible {
    /// The code in capital letters.
    public let description: String
    /// The digits without the plus sign and without padding.
    private let digits: [Int]
    /// How many digits before the plus sign are left out.
    private let missing: Int

    private static let alphabet = Array("23456789CFGHJMPQRVWX".utf8)
    private static let pairDigits = 10
    private static let longest = 15
    private static let gridRows = 5.0
    private static let gridColumns = 4.0

    /// Reads a full or short code; nil for text of another form.
    public init?(_ text: String) {
        guard (2...20).contains(text.utf8.count) else { return nil }
        var digits: [Int] = []
        var plus: Int?
        var padding = 0
        var position = 0
        for byte in text.uppercased().utf8 {
            if byte == UInt8(ascii: "+") {
                guard plus == nil else { return nil }
                plus = position
                continue
            }
            position += 1
            if byte == UInt8(ascii: "0") {
                // Padding fills up to the plus sign, and nothing follows it.
                guard plus == nil else { return nil }
                padding += 1
                continue
            }
            guard padding == 0, let digit = Self.alphabet.firstIndex(of: byte) else { return nil }
            digits.append(digit)
        }
        guard let plus, plus <= 8, plus % 2 == 0, digits.count <= Self.longest else { return nil }
        let after = digits.count - plus + padding
        if padding > 0 {
            guard plus == 8, padding % 2 == 0, padding < 8, after == 0 else { return nil }
        } else {
            guard after != 1, plus > 0 || after > 0 else { return nil }
        }
        self.missing = 8 - plus
        self.digits = digits
        self.description = text.uppercased()
        // The first digits of latitude and longitude end at 90 and 180 degrees.
        if missing == 0 {
            guard digits.count >= 2, digits[0] < 9, digits[1] < 18 else { return nil }
        }
    }

    /// The code of a point with a number of digits: 2, 4, 6, 8, 10 (some 14 m), 11 (some 3 m) to 15.
    ///
    /// Lengths between are rounded up; latitudes are clipped and longitudes wrapped.
    public init(_ point: Coordinate, length: Int = 10) {
        var length = min(max(length, 2), Self.longest)
        if length < Self.pairDigits, length % 2 == 1 { length += 1 }
        let latitude = point.latitude.isFinite ? min(max(point.latitude, -90), 90) : 0
        var longitude = point.longitude.isFinite ? point.longitude.truncatingRemainder(dividingBy: 360) : 0
        if longitude < -180 { longitude += 360 }
        if longitude >= 180 { longitude -= 360 }
        // Whole numbers of the smallest steps: 1/8000 degree for pairs, then a grid of 5 by 4.
        let rows = 8000.0 * pow(Self.gridRows, 5), columns = 8000.0 * pow(Self.gridColumns, 5)
        var y = Int((latitude + 90) * rows), x = Int((longitude + 180) * columns)
        y = min(max(y, 0), Int(180 * rows) - 1)
        x = min(max(x, 0), Int(360 * columns) - 1)
        var reversed: [Int] = []
        for _ in 0..<5 {
            reversed.append((y % 5) * 4 + x % 4)
            y /= 5
            x /= 4
        }
        for _ in 0..<5 {
            reversed.append(x % 20)
            reversed.append(y % 20)
            x /= 20
            y /= 20
        }
        digits = Array(reversed.reversed().prefix(length))
        missing = 0
        var text = digits.map { Self.alphabet[$0] }
        text += [UInt8](repeating: UInt8(ascii: "0"), count: max(0, 8 - text.count))
        text.insert(UInt8(ascii: "+"), at: 8)
        description = String(decoding: text, as: UTF8.self)
    }

    /// Whether the code stands for itself.
    public var isFull: Bool { missing == 0 }

    /// The area of a full code; nil for a short one.
    public var area: BoundingBox? {
        guard isFull else { return nil }
        var south = -90.0, west = -180.0
        var height = 400.0, width = 400.0
        for (index, digit) in digits.enumerated() {
            if index < Self.pairDigits {
                if index % 2 == 0 {
                    height /= 20
                    south += Double(digit) * height
                } else {
                    width /= 20
                    west += Double(digit) * width
                }
            } else {
                height /= Self.gridRows
                width /= Self.gridColumns
                south += Double(digit / 4) * height
                west += Double(digit % 4) * width
            }
        }
        return BoundingBox(west: west, south: south, east: west + width, north: min(south + height, 90))
    }

    /// The full code whose area lies nearest to a point; a full code is returned as it is.
    public func recovered(near point: Coordinate) -> OpenLocationCode? {
        guard !isFull else { return self }
        guard point.isValid else { return nil }
        let prefix = OpenLocationCode(point, length: 10).description.prefix(missing)
        guard let first = OpenLocationCode(prefix + description), let area = first.area else { return nil }
        // The area of the left-out digits around the point may be the wrong neighbour.
        let size = pow(20, 2 - Double(missing / 2))
        var center = area.center
        if point.latitude + size / 2 < center.latitude, center.latitude - size >= -90 {
            center.latitude -= size
        } else if point.latitude - size / 2 > center.latitude, center.latitude + size <= 90 {
            center.latitude += size
        }
        if point.longitude + size / 2 < center.longitude {
            center.longitude -= size
        } else if point.longitude - size / 2 > center.longitude {
            center.longitude += size
        }
        return OpenLocationCode(center, length: max(digits.count + missing, 8))
    }
}

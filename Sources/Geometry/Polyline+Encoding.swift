/// The encoded polyline format: differences of rounded coordinates, zigzag, in groups of five bits as printable ASCII.
///
/// The format is Google's "Encoded Polyline Algorithm Format"; five decimals there, six in OSRM's `polyline6`.
extension Polyline {
    /// How many decimals the encoded coordinates keep.
    public enum Precision: Int, Sendable {
        case five = 100_000
        case six = 1_000_000
    }

    /// The line as text. Coordinates are rounded, so the error does not add up along the line.
    public static func encode(_ line: [Coordinate], precision: Precision = .five) -> String {
        let scale = Double(precision.rawValue)
        return encode(
            steps: line.lazy.filter(\.isValid).map {
                (latitude: Int(($0.latitude * scale).rounded()), longitude: Int(($0.longitude * scale).rounded()))
            })
    }

    /// Coordinates that are whole numbers of the smallest step already, as text.
    public static func encode(steps: some Sequence<(latitude: Int, longitude: Int)>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(steps.underestimatedCount * 6)
        var lastLatitude = 0
        var lastLongitude = 0
        for (latitude, longitude) in steps {
            append(latitude - lastLatitude, to: &bytes)
            append(longitude - lastLongitude, to: &bytes)
            lastLatitude = latitude
            lastLongitude = longitude
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The line that `text` stands for; nil where it breaks off, has a character of no meaning or leaves the globe.
    public static func decode(_ text: String, precision: Precision = .five) -> [Coordinate]? {
        let scale = Double(precision.rawValue)
        var line: [Coordinate] = []
        var latitude = 0
        var longitude = 0
        var bytes = text.utf8.makeIterator()
        while let first = bytes.next() {
            guard let north = number(beginning: first, from: &bytes), let second = bytes.next(),
                let east = number(beginning: second, from: &bytes)
            else { return nil }
            latitude += north
            longitude += east
            let point = Coordinate(latitude: Double(latitude) / scale, longitude: Double(longitude) / scale)
            guard point.isValid else { return nil }
            line.append(point)
        }
        return line
    }

    private static func append(_ difference: Int, to bytes: inout [UInt8]) {
        var rest = difference < 0 ? ~(difference << 1) : difference << 1
        while rest >= 0x20 {
            bytes.append(UInt8(0x20 | (rest & 0x1F)) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(rest) + 63)
    }

    private static func number(beginning first: UInt8, from bytes: inout String.UTF8View.Iterator) -> Int? {
        var value = 0
        var shift = 0
        var byte = first
        while true {
            guard (63...126).contains(byte), shift <= 30 else { return nil }
            let group = Int(byte) - 63
            value |= (group & 0x1F) << shift
            shift += 5
            if group < 0x20 { return value & 1 == 1 ? ~(value >> 1) : value >> 1 }
            guard let next = bytes.next() else { return nil }
            byte = next
        }
    }
}

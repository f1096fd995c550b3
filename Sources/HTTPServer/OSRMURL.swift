import Geometry
import Routing

/// The path of a request: `/{service}/{version}/{profile}/{coordinates}[.json]`.
struct OSRMURL {
    var service: String
    var profile: Profile
    var coordinates: [Coordinate]

    init(path: String) throws(OSRMError) {
        let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: true)
        guard parts.count == 4 else {
            throw OSRMError(
                "InvalidUrl", "URL string malformed close to position \(path.utf8.count): \"\(path.suffix(20))\"")
        }
        service = String(parts[0])
        guard parts[1] == "v1" else {
            throw OSRMError("InvalidVersion", "Version \(parts[1]) not found!")
        }
        switch parts[2] {
        case "car", "driving", "auto", "driving-traffic": profile = .car
        case "bike", "bicycle", "cycling": profile = .bicycle
        case "foot", "walking", "pedestrian": profile = .foot
        default: throw OSRMError("InvalidUrl", "Profile \(parts[2]) is not served; try car, bike or foot")
        }
        var text = parts[3]
        if text.hasSuffix(".json") { text = text.dropLast(5) }
        if text.hasSuffix(".flatbuffers") { throw Self.unknownFormat("flatbuffers") }
        coordinates = try Self.coordinates(text, path: path)
        guard coordinates.count <= OSRMDialect.coordinateLimit else {
            throw OSRMError(
                "TooBig",
                "Number of entries \(coordinates.count) is higher than current maximum (\(OSRMDialect.coordinateLimit))"
            )
        }
        guard coordinates.allSatisfy(\.isValid) else { throw OSRMError("InvalidValue", "Invalid coordinate value.") }
    }

    static func unknownFormat(_ name: String) -> OSRMError {
        OSRMError("NotImplemented", "Format \(name.prefix(20)) is not supported; answers are JSON")
    }

    private static func coordinates(_ text: Substring, path: String) throws(OSRMError) -> [Coordinate] {
        for (prefix, precision) in [("polyline(", Polyline.Precision.five), ("polyline6(", .six)]
        where text.hasPrefix(prefix) {
            guard text.hasSuffix(")"),
                let line = Polyline.decode(String(text.dropFirst(prefix.count).dropLast()), precision: precision),
                !line.isEmpty
            else { break }
            return line
        }
        var coordinates: [Coordinate] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let numbers = part.split(separator: ",", omittingEmptySubsequences: false)
            guard numbers.count == 2, let longitude = number(numbers[0]), let latitude = number(numbers[1]) else {
                let position = path.utf8.distance(from: path.utf8.startIndex, to: part.startIndex)
                throw OSRMError(
                    "InvalidUrl", "URL string malformed close to position \(position): \"\(part.prefix(20))\"")
            }
            coordinates.append(Coordinate(latitude: latitude, longitude: longitude))
        }
        return coordinates
    }

    /// A plain decimal number; no names such as `inf` or `nan`, no hexadecimal.
    static func number(_ text: Substring) -> Double? {
        guard !text.isEmpty, text.utf8.count < 40,
            text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) })
        else { return nil }
        return Double(text)
    }
}

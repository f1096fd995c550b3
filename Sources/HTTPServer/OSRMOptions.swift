import Geometry
import Routing

/// The options of a request.
struct OSRMOptions {
    enum Overview { case simplified, full, none }
    enum Geometries { case polyline, polyline6, geojson }

    struct Annotations: OptionSet {
        var rawValue: Int
        static let nodes = Annotations(rawValue: 1)
        static let distance = Annotations(rawValue: 2)
        static let duration = Annotations(rawValue: 4)
        static let weight = Annotations(rawValue: 8)
        static let speed = Annotations(rawValue: 16)
        static let datasources = Annotations(rawValue: 32)
        static let all: Annotations = [.nodes, .distance, .duration, .weight, .speed, .datasources]
    }

    var steps = false
    var overview = Overview.simplified
    var geometries = Geometries.polyline
    var annotations: Annotations = []
    var continueStraight: Bool?
    var generatesHints = true
    var skipsWaypoints = false
    /// Whether a route may begin and end on roads that are otherwise left to through traffic.
    var snapsToAnyRoad = false
    /// Kinds of road that may not be used: toll, motorway, ferry, unpaved, tunnel, in any combination.
    var excluded: RoadKinds = []
    /// How many answers `nearest` gives.
    var number = 1
    /// How many ways beside the best one are wanted at most.
    var alternatives = 0
    var bearings: [BearingRange?] = []
    var radiuses: [Double?] = []
    var approaches: [Approach] = []
    /// The coordinates at which legs end; empty for all.
    var waypoints: [Int] = []
    /// Sextant's own options: when one sets out or wants to be there, in seconds since 1970, and what local time is ahead of
    /// universal time, in seconds.
    var departure: Int64?
    var arrival: Int64?
    var utcOffset = 0
    private var hintCount = 0

    /// The most answers of `nearest`, and the most ways beside the best one.
    static let numberLimit = 100
    static let alternativesLimit = 3

    /// Reads the query. A name that is unknown or a value that cannot be read is an error, as in OSRM.
    init(_ query: [(name: String, value: String)], coordinates: Int) throws(OSRMError) {
        for (name, value) in query { try read(name, value, coordinates: coordinates) }
        try check(bearings.count, "bearings", coordinates)
        try check(radiuses.count, "radiuses", coordinates)
        try check(approaches.count, "approaches", coordinates)
        try check(hintCount, "hints", coordinates)
    }

    private func check(_ count: Int, _ name: String, _ coordinates: Int) throws(OSRMError) {
        guard count == 0 || count == coordinates else {
            throw OSRMError(
                "InvalidOptions",
                "Number of elements in \(name) size \(count) does not match coordinate size \(coordinates)")
        }
    }

    private mutating func read(_ name: String, _ value: String, coordinates: Int) throws(OSRMError) {
        switch name {
        case "steps": steps = try Self.bool(value)
        case "overview":
            switch value {
            case "simplified": overview = .simplified
            case "full": overview = .full
            case "false": overview = .none
            default: throw Self.malformed(value)
            }
        case "geometries":
            switch value {
            case "polyline": geometries = .polyline
            case "polyline6": geometries = .polyline6
            case "geojson": geometries = .geojson
            default: throw Self.malformed(value)
            }
        case "annotations": annotations = try Self.annotations(value)
        case "alternatives":
            alternatives = try value == "true" ? 1 : value == "false" ? 0 : Self.count(value)
            guard alternatives <= Self.alternativesLimit else {
                throw OSRMError(
                    "TooBig",
                    "Requested number of alternatives is higher than current maximum (\(Self.alternativesLimit))")
            }
        case "continue_straight": continueStraight = value == "default" ? nil : try Self.bool(value)
        case "generate_hints": generatesHints = try Self.bool(value)
        case "skip_waypoints": skipsWaypoints = try Self.bool(value)
        case "bearings": bearings = try Self.list(value, Self.bearing)
        case "radiuses": radiuses = try Self.list(value, Self.radius)
        case "approaches": approaches = try Self.list(value, Self.approach)
        case "waypoints": waypoints = try Self.waypoints(value, coordinates: coordinates)
        case "number":
            number = try Self.count(value)
            guard number >= 1 else { throw OSRMError("InvalidOptions", "Number of results must be at least one") }
            guard number <= Self.numberLimit else {
                throw OSRMError(
                    "TooBig",
                    "Number of results \(number) is higher than current maximum (\(Self.numberLimit))")
            }
        case "snapping":
            guard value == "default" || value == "any" else { throw Self.malformed(value) }
            snapsToAnyRoad = value == "any"
        case "hints":
            // Snapping is quick: hints are counted, and not needed.
            hintCount = value.isEmpty ? 0 : value.utf8.reduce(1) { $0 + ($1 == UInt8(ascii: ";") ? 1 : 0) }
        case "depart": departure = try Self.seconds(value)
        case "arrive": arrival = try Self.seconds(value)
        case "utc_offset":
            guard let seconds = Int(value), seconds.magnitude <= 86_400 else { throw Self.malformed(value) }
            utcOffset = seconds
        case "format":
            guard value == "json" else { throw OSRMURL.unknownFormat(value) }
        case "exclude":
            guard let kinds = RoadKinds(value) else {
                throw OSRMError("InvalidValue", "Exclude flag combination is not supported.")
            }
            excluded = kinds
        default: throw OSRMError("InvalidQuery", "Query string malformed close to position 0: \"\(name)\"")
        }
    }

    // MARK: Values

    private static func seconds(_ value: String) throws(OSRMError) -> Int64 {
        guard let seconds = Int64(value), seconds.magnitude < 1 << 40 else { throw malformed(value) }
        return seconds
    }

    private static func malformed(_ value: String) -> OSRMError {
        OSRMError("InvalidQuery", "Query string malformed close to \"\(value.prefix(20))\"")
    }

    /// A whole number without a sign; one beyond all limits is as large as can be.
    private static func count(_ text: String) throws(OSRMError) -> Int {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { throw malformed(text) }
        return Int(text) ?? .max
    }

    private static func bool(_ text: String) throws(OSRMError) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw malformed(text)
        }
    }

    private static func annotations(_ text: String) throws(OSRMError) -> Annotations {
        var set: Annotations = []
        for word in text.split(separator: ",") {
            switch word {
            case "true": set = .all
            case "false": break
            case "nodes": set.insert(.nodes)
            case "distance": set.insert(.distance)
            case "duration": set.insert(.duration)
            case "weight": set.insert(.weight)
            case "speed": set.insert(.speed)
            case "datasources": set.insert(.datasources)
            default: throw malformed(text)
            }
        }
        return set
    }

    private static func list<T>(_ text: String, _ read: (Substring) throws(OSRMError) -> T) throws(OSRMError) -> [T] {
        var list: [T] = []
        for part in text.split(separator: ";", maxSplits: OSRMDialect.coordinateLimit, omittingEmptySubsequences: false)
        {
            list.append(try read(part))
        }
        return list
    }

    private static func bearing(_ text: Substring) throws(OSRMError) -> BearingRange? {
        if text.isEmpty { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let degrees = OSRMURL.number(parts[0]), let room = OSRMURL.number(parts[1]) else {
            throw malformed(String(text))
        }
        guard (0...360).contains(degrees), (0...180).contains(room) else {
            throw OSRMError("InvalidOptions", "Bearing values are out of range: \(text)")
        }
        return BearingRange(degrees: degrees, tolerance: room)
    }

    private static func radius(_ text: Substring) throws(OSRMError) -> Double? {
        if text.isEmpty || text == "unlimited" { return nil }
        guard let metres = OSRMURL.number(text), metres.isFinite, metres >= 0 else { throw malformed(String(text)) }
        return metres
    }

    private static func approach(_ text: Substring) throws(OSRMError) -> Approach {
        switch text {
        case "", "unrestricted": return .unrestricted
        case "curb": return .curb
        case "opposite": return .opposite
        default: throw malformed(String(text))
        }
    }

    private static func waypoints(_ text: String, coordinates: Int) throws(OSRMError) -> [Int] {
        var indices: [Int] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            indices.append(try count(String(part)))
        }
        guard indices.allSatisfy({ $0 < coordinates }) else {
            throw OSRMError("InvalidOptions", "Waypoints must be indices of the \(coordinates) coordinates")
        }
        guard indices.count >= 2, indices.first == 0, indices.last == coordinates - 1,
            zip(indices, indices.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw OSRMError("InvalidValue", "First and last waypoints need to be specified, all in rising order.") }
        return indices
    }

    /// The stops of a request with their bearings, radiuses and approaches.
    func stops(at coordinates: [Coordinate]) -> [Stop] {
        coordinates.indices.map { i in
            Stop(
                coordinates[i], bearing: bearings.indices.contains(i) ? bearings[i] : nil,
                radius: radiuses.indices.contains(i) ? radiuses[i] : nil,
                approach: approaches.indices.contains(i) ? approaches[i] : .unrestricted,
                passesThrough: !waypoints.isEmpty && !waypoints.contains(i))
        }
    }
}

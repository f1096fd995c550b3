import OpenStreetMap

/// Kinds of roads that one may wish not to use.
public struct RoadKinds: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Roads with `toll=yes`, and toll booths on the way.
    public static let tolls = RoadKinds(rawValue: 1)
    /// Motorways and their slip roads.
    public static let motorways = RoadKinds(rawValue: 2)
    public static let ferries = RoadKinds(rawValue: 4)
    /// Roads whose surface is not sealed.
    public static let unpaved = RoadKinds(rawValue: 8)
    public static let tunnels = RoadKinds(rawValue: 16)

    static let all: RoadKinds = [.tolls, .motorways, .ferries, .unpaved, .tunnels]

    /// By name, in the order of their bits.
    public static let names: [(name: String, kind: RoadKinds)] = [
        ("toll", .tolls), ("motorway", .motorways), ("ferry", .ferries), ("unpaved", .unpaved), ("tunnel", .tunnels),
    ]

    /// Reads names parted by commas, in singular or plural; nil where one is none.
    public init?(_ text: String) {
        self = []
        for part in text.split(separator: ",") {
            var word = part.lowercased()[...]
            while word.first == " " { word.removeFirst() }
            while word.last == " " { word.removeLast() }
            switch word {
            case "toll", "tolls": insert(.tolls)
            case "motorway", "motorways", "highway", "highways": insert(.motorways)
            case "ferry", "ferries": insert(.ferries)
            case "unpaved": insert(.unpaved)
            case "tunnel", "tunnels": insert(.tunnels)
            default: return nil
            }
        }
    }
}

/// What a request wishes of all roads alike, whatever its ends and its time are.
///
///     var wishes = RoadWishes()
///     wishes.excluded = [.ferries]
///     wishes.avoided = [.tolls, .motorways]
///     wishes.vehicle = VehicleSize(height: 3.8, weight: 12)
///
/// Wishes other than none make a metric of their own when they are first asked for, which takes seconds on a country; it is
/// kept for the next ones (`MetricCache`).
public struct RoadWishes: Sendable, Hashable {
    /// Roads that may not be used.
    public var excluded: RoadKinds = []
    /// Roads that are used as little as possible: each second on them costs `avoidedFactor`, and entering a stretch of them
    /// `enteringAvoided` besides. What the route takes is told as it is.
    public var avoided: RoadKinds = []
    public var vehicle = VehicleSize()
    /// Speeds that are driven at present, nil for the roads' own.
    public var speeds: SegmentSpeeds?

    public init(
        excluded: RoadKinds = [], avoided: RoadKinds = [], vehicle: VehicleSize = VehicleSize(),
        speeds: SegmentSpeeds? = nil
    ) {
        self.excluded = excluded
        self.avoided = avoided
        self.vehicle = vehicle
        self.speeds = speeds
    }

    /// What a second on an avoided road costs, in seconds.
    public static let avoidedFactor = 4
    /// What entering a stretch of avoided roads costs: five minutes, in milliseconds.
    public static let enteringAvoided: UInt32 = 300_000

    /// Whether nothing is wished.
    public var isEmpty: Bool {
        excluded.isEmpty && avoided.isEmpty && vehicle == VehicleSize() && (speeds?.isEmpty ?? true)
    }

    /// The wishes in words that two equal ones share and two others do not, with a checksum in place of the speeds.
    var key: String {
        var parts: [String] = []
        func add(_ name: String, _ kinds: RoadKinds) {
            let words = RoadKinds.names.filter { kinds.contains($0.kind) }.map(\.name)
            if !words.isEmpty { parts.append(name + " " + words.joined(separator: ",")) }
        }
        add("exclude", excluded)
        // What is excluded is not avoided besides.
        add("avoid", avoided.subtracting(excluded))
        func add(_ name: String, _ value: Double?, _ scale: Double) {
            if let value { parts.append("\(name) \(Int((value * scale).rounded()))") }
        }
        add("height", vehicle.height, 1000)
        add("width", vehicle.width, 1000)
        add("length", vehicle.length, 1000)
        add("weight", vehicle.weight, 100)
        add("axle load", vehicle.axleLoad, 100)
        if let speeds, !speeds.isEmpty { parts.append("speeds \(speeds.key)") }
        return parts.joined(separator: "; ")
    }

    /// Why the wishes make no sense; nil where they do.
    var fault: String? {
        for (name, value) in [
            ("height", vehicle.height), ("width", vehicle.width), ("length", vehicle.length),
            ("weight", vehicle.weight), ("axle load", vehicle.axleLoad),
        ] {
            if let value, !(value > 0 && value < 1000) { return "the vehicle's \(name) is no size" }
        }
        return nil
    }
}

/// Speeds on pieces of road between two neighbouring nodes, each in one direction, as files of live traffic tell them.
public struct SegmentSpeeds: Sendable, Hashable {
    public struct Segment: Sendable, Hashable {
        public var from: Int64
        public var to: Int64
        /// Kilometres an hour; 0 closes the piece of road between two junctions that the segment lies on.
        public var speed: Double

        public init(from: Int64, to: Int64, speed: Double) {
            self.from = from
            self.to = to
            self.speed = speed
        }
    }

    /// By nodes, each pair once.
    public let segments: [Segment]
    /// A checksum of them.
    let checksum: UInt64

    public var isEmpty: Bool { segments.isEmpty }

    /// - Parameter segments: of two for the same nodes the later one counts; speeds that are none, or negative, are left out.
    public init(_ segments: [Segment]) {
        var kept: [Segment] = []
        kept.reserveCapacity(segments.count)
        let order = segments.indices.sorted {
            let (a, b) = (segments[$0], segments[$1])
            return (a.from, a.to, $0) < (b.from, b.to, $1)
        }
        for index in order {
            let segment = segments[index]
            guard segment.speed.isFinite, segment.speed >= 0 else { continue }
            if let last = kept.last, last.from == segment.from, last.to == segment.to { kept.removeLast() }
            kept.append(segment)
        }
        self.segments = kept
        checksum = kept.withUnsafeBytes { Checksum.of($0) }
    }

    /// The speed on the piece from one node to a neighbouring one; nil where none is told.
    func speed(from: Int64, to: Int64) -> Double? {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if (segments[middle].from, segments[middle].to) < (from, to) { low = middle + 1 } else { high = middle }
        }
        guard low < segments.count, segments[low].from == from, segments[low].to == to else { return nil }
        return segments[low].speed
    }

    var key: String { "\(segments.count) \(String(checksum, radix: 16))" }

    /// Reads lines of `from node,to node,km/h`, as OSRM's files of speeds have them; what stands behind is passed over.
    ///
    /// Empty lines and lines that begin with `#` are passed over as well.
    /// - Throws: `invalidRequest` naming the first line that cannot be read.
    public init(csv: some Sequence<UInt8>) throws(RoutingError) {
        var segments: [Segment] = []
        var line = 1
        var text: [UInt8] = []
        func take() throws(RoutingError) {
            while let last = text.last, last == 0x0D || last == 0x20 { text.removeLast() }
            defer { text.removeAll(keepingCapacity: true) }
            guard let first = text.first, first != UInt8(ascii: "#") else { return }
            let fields = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard fields.count >= 3, let from = Self.number(fields[0]), let to = Self.number(fields[1]),
                let speed = Double(String(decoding: fields[2], as: UTF8.self).filter { $0 != " " }),
                speed.isFinite, speed >= 0
            else {
                throw .invalidRequest(
                    reason: "line \(line) of the speeds is no \"from node,to node,km/h\": "
                        + String(decoding: text.prefix(60), as: UTF8.self))
            }
            segments.append(Segment(from: from, to: to, speed: speed))
        }
        for byte in csv {
            if byte == 0x0A {
                try take()
                line += 1
            } else {
                text.append(byte)
            }
        }
        try take()
        self.init(segments)
    }

    private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        Int64(String(decoding: field, as: UTF8.self).filter { $0 != " " })
    }
}

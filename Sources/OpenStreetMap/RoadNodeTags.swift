/// What the tags of a node on a road mean for traffic.
public struct RoadNodeTags: Sendable, Equatable {
    /// Users that cannot pass, as `RoadUser.bit`s.
    public var blocked: UInt8 = 0
    public var hasSignal = false
    public var hasStop = false
    public var givesWay = false
    /// Seconds lost at a gate, toll booth or border post.
    public var delay: Double = 0
    /// Whether signal, stop or give-way stand only for traffic along the way, or only against it; nil for both or unknown.
    public var direction: RoadDirection?
    /// Whether the tags say that the sign stands for both directions.
    public var isForBoth = false
    /// Whether there is room to turn round: a turning circle or loop, a mini-roundabout.
    public var allowsTurning = false
    /// The exit number of a `motorway_junction`.
    public var exitNumber = ""
    /// The name of a named junction or exit.
    public var name = ""
    /// The kind of barrier, or the tag that forbids to pass (`motor_vehicle=no`), where one of them stops somebody or costs
    /// time; empty for others.
    public var barrier = ""

    /// Reads a node. Nil where nothing on it matters to traffic.
    public init?(_ tags: Tags) {
        guard !tags.isEmpty else { return nil }
        var matters = false
        for pair in tags.pairs {
            switch pair.key {
            case "highway":
                switch pair.value {
                case "traffic_signals", "traffic_signal":
                    hasSignal = true
                    readDirection(tags, key: "traffic_signals:direction")
                case "stop":
                    hasStop = true
                    readDirection(tags, key: "direction")
                    if tags.has("stop", "all") { isForBoth = true }
                case "give_way":
                    givesWay = true
                    readDirection(tags, key: "direction")
                case "motorway_junction":
                    exitNumber = tags["ref"] ?? ""
                    name = tags["name"] ?? ""
                case "turning_circle", "turning_loop", "mini_roundabout": allowsTurning = true
                case "toll_gantry": break
                case "crossing":
                    if tags.has("crossing", "traffic_signals") || tags.has("crossing:signals", "yes") {
                        hasSignal = true
                        readDirection(tags, key: "traffic_signals:direction")
                    } else {
                        continue
                    }
                default: continue
                }
                matters = true
            case "barrier":
                readBarrier(pair.value, tags)
                matters = true
            case "junction":
                if pair.value == "yes", let name = tags["name"] {
                    self.name = name
                    matters = true
                }
            case "access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot", "maxheight", "maxheight:physical",
                "maxwidth", "maxwidth:physical", "maxlength", "maxweight", "maxaxleload":
                matters = true
            default: break
            }
        }
        guard matters else { return nil }
        if tags["barrier"] == nil { readAccess(tags) }
        if !CarClearance(tags).admitsCar { blocked |= RoadUser.car.bit }
        if blocked != 0 || delay > 0 { barrier = tags["barrier"] ?? Self.closing(tags, blocked) }
        guard
            blocked != 0 || hasSignal || hasStop || givesWay || delay > 0 || allowsTurning || !exitNumber.isEmpty
                || !name.isEmpty
        else {
            return nil
        }
    }

    /// The tag that keeps the first of the stopped users out.
    private static func closing(_ tags: Tags, _ blocked: UInt8) -> String {
        for user in RoadUser.allCases where blocked & user.bit != 0 {
            if let tag = RoadAccess.closingTag(tags, for: user) { return tag }
        }
        return tags.pairs.first { $0.key.hasPrefix("max") }.map { "\($0.key)=\($0.value)" } ?? "barrier"
    }

    private mutating func readDirection(_ tags: Tags, key: String) {
        switch tags[key] ?? tags["direction"] {
        case "forward": direction = .forward
        case "backward": direction = .backward
        case "both": isForBoth = true
        default: break
        }
    }

    /// Access tags without a barrier, as on a node that closes a road.
    private mutating func readAccess(_ tags: Tags) {
        for user in RoadUser.allCases {
            guard let access = RoadAccess.of(tags, for: user, direction: nil), stops(access, user) else { continue }
            // `foot=no` on a crossing tells walkers where not to cross, not that the road ends.
            if user != .car && tags["highway"] == "crossing" { continue }
            blocked |= user.bit
        }
    }

    /// A private gate opens for the cars of those who live behind it; nobody walks through without being let in.
    private func stops(_ access: RoadAccess, _ user: RoadUser) -> Bool {
        access == .forbidden || (access == .closed && user != .car)
    }

    private mutating func readBarrier(_ barrier: String, _ tags: Tags) {
        switch barrier {
        case "no", "entrance", "cattle_grid", "height_restrictor", "arch", "sally_port": break
        case "border_control": delay = 60
        case "toll_booth": delay = 15
        case "gate", "lift_gate", "swing_gate", "sliding_gate":
            if RoadAccess.of(tags, for: .car, direction: nil) != .allowed { delay = 60 }
        default: break
        }
        for user in RoadUser.allCases where isBlocked(for: user, barrier, tags) { blocked |= user.bit }
    }

    private func isBlocked(for user: RoadUser, _ barrier: String, _ tags: Tags) -> Bool {
        if let access = RoadAccess.of(tags, for: user, direction: nil) {
            return stops(access, user)
        }
        if user == .car, RoadAccess.of(tags, for: .bicycle, direction: nil, keys: Self.bicycleOnly) != nil,
            barrier == "bollard"
        {
            return true
        }
        switch barrier {
        case "no", "entrance", "cattle_grid", "height_restrictor", "arch", "sally_port", "border_control", "toll_booth",
            "gate", "lift_gate", "swing_gate", "sliding_gate":
            return false
        case "rising_bollard":
            return user == .car
        case "bollard":
            if user != .car { return false }
            return !tags.has("bollard", "rising")
        case "kerb":
            guard user == .car else { return false }
            // Lowered or flush, or where people cross: a kerb along the crossing, not across the road.
            switch tags["kerb"] {
            case "lowered", "flush", "no", "rolled": return false
            default: break
            }
            if tags["highway"] == "crossing" { return false }
            if let height = tags["height"].flatMap(Measures.metres), height <= 0.07 { return false }
            return true
        case "block", "chain", "cycle_barrier", "motorcycle_barrier", "bus_trap", "sump_buster", "jersey_barrier",
            "log",
            "planter", "debris":
            return user == .car
        case "stile", "turnstile", "kissing_gate", "full-height_turnstile", "step":
            return user == .car || (user == .bicycle && barrier != "kissing_gate")
        case "wicket_gate", "hampshire_gate", "bump_gate": return user == .car && barrier == "wicket_gate"
        case "yes", "fence", "wall", "hedge", "retaining_wall", "city_wall", "guard_rail", "ditch":
            // Rumble strips are mapped as audible fences.
            if let sense = tags["sensory"], sense.hasPrefix("audi") { return false }
            return true
        default:
            return user == .car
        }
    }

    private static let bicycleOnly = [StaticAccessKey("bicycle")]
}

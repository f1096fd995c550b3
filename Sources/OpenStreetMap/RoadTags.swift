/// How one user passes along a road in one direction.
public struct RoadPassage: Sendable, Equatable {
    /// Kilometres an hour; 0 where the road is closed in this direction.
    public var speed = 0.0
    public var mode = TravelMode.driving
    /// Only for those who have business there.
    public var isRestricted = false
    /// Cost of a second on the road, 1 or more: what makes it unattractive beyond its time.
    public var factor = 1.0
    /// Whether a route may start or end on it (not on ferries and trains).
    public var isStartable = true

    public init() {}

    public var isOpen: Bool { speed > 0 }

    static let closed = RoadPassage()
}

/// What the tags of a way mean for traffic.
public struct RoadTags: Sendable, Equatable {
    public var roadClass = RoadClass.other
    /// By `RoadUser.rawValue`.
    public var forward = [RoadPassage](repeating: .closed, count: 3)
    public var backward = [RoadPassage](repeating: .closed, count: 3)
    /// Seconds for the whole way, from `duration`, for ferries, trains and movable bridges.
    public var duration: Double?
    /// Whether motor traffic is one-way, in either direction.
    public var isOneway = false
    public var isRoundabout = false
    public var isCircular = false
    public var isBridge = false
    public var isTunnel = false
    /// Whether it lies under the ground or within a building, so that nobody on the ground above stands on it.
    public var isUnderground = false
    public var isToll = false
    /// Whether this is the edge of an area (a car park, a running track) that matters only where it joins roads.
    public var isOutline = false

    /// Reads a way. Nil where it is nothing that anyone could travel on.
    ///
    /// Roads that are closed to all are read all the same, with every passage closed: a driver sees them at junctions.
    public init?(_ tags: Tags, rules: CountryRules) {
        var highway: String?
        var route: String?
        var other: String?
        var railway: String?
        var outline: String?
        for pair in tags.pairs {
            switch pair.key {
            case "highway": highway = pair.value
            case "route": route = pair.value
            case "man_made", "public_transport", "railway", "bridge":
                if pair.value == "pier" || pair.value == "platform" || pair.value == "movable" { other = pair.value }
                if pair.key == "railway" { railway = pair.value }
            case "amenity" where pair.value == "parking", "leisure" where pair.value == "track": outline = pair.value
            default: break
            }
        }
        if let highway {
            switch highway {
            case "proposed", "planned", "abandoned", "razed", "demolished", "dismantled", "disused", "no", "elevator",
                "rest_area", "services", "bus_stop", "street_lamp", "traffic_signals", "emergency_bay", "historic":
                return nil
            case "construction": return nil
            default: break
            }
            if Self.isUnderConstruction(tags) { return nil }
            readRoad(tags, highway: highway, rules: rules)
        } else if let route, route == "ferry" || route == "shuttle_train" {
            readCarrier(tags, isFerry: route == "ferry")
        } else if other == "pier" || other == "platform" {
            readRoad(tags, highway: "platform", rules: rules)
            if !forward[RoadUser.foot.index].isOpen && !backward[RoadUser.foot.index].isOpen { return nil }
        } else if other == "movable" && tags.has("bridge", "movable") {
            readRoad(tags, highway: "unclassified", rules: rules)
        } else if let railway, !["construction", "proposed", "razed"].contains(railway), let bicycle = tags["bicycle"],
            RoadAccess.reading(bicycle, for: .bicycle) == .allowed
        {
            readRailway(railway, tags)
        } else if let outline, tags["parking"].map({ $0 == "surface" || $0 == "yes" }) ?? true {
            isOutline = true
            readOutline(tags, isForBicycles: outline == "parking")
        } else {
            return nil
        }
        isBridge = tags["bridge"].map { $0 != "no" } ?? false
        isTunnel = tags["tunnel"].map { $0 != "no" } ?? false
        isUnderground = Self.isUnderground(tags, isTunnel: isTunnel)
        isToll = tags["toll"].map { $0 == "yes" } ?? false
    }

    private static func isUnderground(_ tags: Tags, isTunnel: Bool) -> Bool {
        if isTunnel {
            switch tags["tunnel"] {
            // One drives in at ground level and out again.
            case "building_passage", "avalanche_protector", "covered": break
            default: return true
            }
        }
        if tags.has("indoor", "yes") || tags.has("location", "underground") { return true }
        if tags.has("parking", "underground") || tags.has("parking", "multi-storey") { return true }
        if tags.has("covered", "yes"), tags.has("service", "parking_aisle") { return true }
        if let layer = tags["layer"].flatMap({ Int($0) }), layer < 0, tags["bridge"] == nil { return true }
        if let level = tags["level"].flatMap({ Double($0) }), level < 0 { return true }
        return false
    }

    private static func isUnderConstruction(_ tags: Tags) -> Bool {
        if let value = tags["construction"], value != "no", value != "minor", value != "widening" { return true }
        return false
    }

    // MARK: Ferries and trains

    private mutating func readCarrier(_ tags: Tags, isFerry: Bool) {
        roadClass = isFerry ? .ferry : .other
        duration = tags["duration"].flatMap(RoadSpeeds.duration)
        let oneway = OnewayTag(tags["oneway"])
        isOneway = oneway == .forward || oneway == .backward
        for user in RoadUser.allCases {
            for direction in [RoadDirection.forward, .backward] {
                let access = RoadAccess.of(tags, for: user, direction: direction)
                guard access != .forbidden else { continue }
                if oneway == .backward && direction == .forward { continue }
                if oneway == .forward && direction == .backward { continue }
                var passage = RoadPassage()
                passage.speed = isFerry ? 12 : 30
                passage.mode = isFerry ? .ferry : .train
                passage.isStartable = false
                passage.isRestricted = access?.isLimited == true
                self[direction, user] = passage
            }
        }
    }

    /// Trains take bicycles where a tag says so.
    private mutating func readRailway(_ railway: String, _ tags: Tags) {
        var passage = RoadPassage()
        switch railway {
        case "train", "rail", "subway", "light_rail", "monorail", "tram", "narrow_gauge", "funicular":
            passage.mode = .train
            passage.speed = 30
            passage.isStartable = false
        default:
            passage.mode = .cycling
            passage.speed = 12
        }
        forward[RoadUser.bicycle.index] = passage
        backward[RoadUser.bicycle.index] = passage
    }

    /// Walkers cross a car park along its edge, and so do bicycles.
    private mutating func readOutline(_ tags: Tags, isForBicycles: Bool) {
        roadClass = .other
        for (user, mode, speed) in [(RoadUser.foot, TravelMode.walking, 5.0), (.bicycle, .cycling, 10)] {
            if user == .bicycle && !isForBicycles { continue }
            let access = RoadAccess.of(tags, for: user, direction: nil)
            if access == .forbidden || access == .closed { continue }
            var passage = RoadPassage()
            passage.mode = mode
            passage.speed = speed
            passage.isRestricted = false
            forward[user.index] = passage
            backward[user.index] = passage
        }
    }

    subscript(direction: RoadDirection, user: RoadUser) -> RoadPassage {
        get { direction == .forward ? forward[user.index] : backward[user.index] }
        set {
            if direction == .forward { forward[user.index] = newValue } else { backward[user.index] = newValue }
        }
    }

    // MARK: Roads

    private mutating func readRoad(_ tags: Tags, highway: String, rules: CountryRules) {
        roadClass = RoadClass(highway: highway, service: tags["service"])
        if let junction = tags["junction"] {
            isRoundabout = junction == "roundabout"
            isCircular = junction == "circular"
        }
        if tags.has("bridge", "movable") { duration = tags["duration"].flatMap(RoadSpeeds.duration) }
        if tags.has("impassable", "yes") || tags.has("status", "impassable") || tags.has("smoothness", "impassable") {
            return
        }
        // The outline of a square: walkers and bicycles may follow it, cars have no lane there.
        if !tags.has("area", "yes") { readCar(tags, highway: highway, rules: rules) }
        readBicycle(tags, highway: highway, rules: rules)
        readFoot(tags, highway: highway)
    }

    // MARK: Car

    private mutating func readCar(_ tags: Tags, highway: String, rules: CountryRules) {
        var oneway = OnewayTag(
            tags["oneway:motorcar"] ?? tags["oneway:motor_vehicle"] ?? tags["oneway:vehicle"] ?? tags["oneway"])
        let isAlternating = oneway == .alternating
        if oneway == .unknown || isAlternating, isRoundabout || isCircular || highway == "motorway" {
            oneway = .forward
        }
        isOneway = oneway == .forward || oneway == .backward
        guard oneway != .closed, highway != "steps" else { return }
        let base = Self.carSpeed(highway)
        for direction in [RoadDirection.forward, .backward] {
            if oneway == .backward && direction == .forward { continue }
            if oneway == .forward && direction == .backward { continue }
            let access = RoadAccess.of(tags, for: .car, direction: direction)
            if access == .forbidden { continue }
            if access == nil && base == nil { continue }
            if access?.isLimited == true && base == nil { continue }
            if !CarClearance(tags, direction: direction).admitsCar { continue }
            if tags.has("service", "emergency_access") && access != .allowed { continue }
            var passage = RoadPassage()
            passage.isRestricted = access?.isLimited == true || Self.isForHighOccupancy(tags, direction)
            // Private drives are used by those who live there; whoever asks near one mostly means the street.
            if highway == "service" && access == .closed && isPrivate(tags, direction) {
                passage.isStartable = false
            }
            var speed = base ?? 10
            if let limit = Self.carLimit(tags, direction: direction, rules: rules) {
                speed = Self.speed(underLimit: limit, highway: highway)
            } else if highway == "motorway" {
                speed = min(speed, rules.motorwaySpeed * 0.85)
            }
            if let advisory = Self.directed("maxspeed:advisory", tags, direction).flatMap({
                RoadSpeeds.limit($0, rules: rules)
            }) {
                speed = min(speed, advisory)
            }
            if let practical = Self.directed("maxspeed:practical", tags, direction).flatMap({
                RoadSpeeds.limit($0, rules: rules)
            }) {
                speed = practical
            }
            speed = min(speed, Self.surfaceSpeed(tags))
            if speed <= 0 { continue }
            passage.speed = max(min(speed, 140), 1)
            passage.factor = Self.carFactor(tags, isOneway: isOneway)
            if isAlternating { passage.factor *= 2.5 }
            if tags.has("bridge", "movable") {
                passage.mode = .driving
                if duration == nil { passage.speed = min(passage.speed, 10) }
            }
            self[direction, .car] = passage
        }
    }

    private func isPrivate(_ tags: Tags, _ direction: RoadDirection) -> Bool {
        for key in StaticAccessKey.hierarchy(.car) {
            if let value = tags[direction == .forward ? key.forward : key.backward] ?? tags[key.plain] {
                return value == "private"
            }
        }
        return false
    }

    /// Free-flow speeds of cars where no sign is known, in km/h; nil for ways that are not for cars.
    private static func carSpeed(_ highway: String) -> Double? {
        switch highway {
        case "motorway": 100
        case "motorway_link": 50
        case "trunk": 85
        case "trunk_link": 42
        case "primary": 65
        case "primary_link": 32
        case "secondary": 55
        case "secondary_link": 28
        case "tertiary": 42
        case "tertiary_link": 22
        case "unclassified": 30
        case "residential": 25
        case "living_street": 10
        case "service": 15
        case "winter_road": 20
        case "ice_road": 15
        default: nil
        }
    }

    /// What traffic makes of a limit: seldom all of it, and less still in side streets, where cars park, children play
    /// and every corner gives way.
    private static func speed(underLimit limit: Double, highway: String) -> Double {
        let common = limit * 0.8
        switch highway {
        case "residential", "living_street", "service": return min(common, 25 + max(limit - 30, 0) * 0.4)
        case "unclassified": return min(common, 30 + max(limit - 40, 0) * 0.6)
        default: return common
        }
    }

    private static func directed(_ key: String, _ tags: Tags, _ direction: RoadDirection) -> String? {
        tags[key + (direction == .forward ? ":forward" : ":backward")] ?? tags[key]
    }

    private static func carLimit(_ tags: Tags, direction: RoadDirection, rules: CountryRules) -> Double? {
        if let value = tags[direction == .forward ? "maxspeed:forward" : "maxspeed:backward"],
            let limit = RoadSpeeds.limit(value, rules: rules), limit > 0
        {
            return limit
        }
        for key in ["maxspeed", "maxspeed:type", "zone:maxspeed", "source:maxspeed", "zone:traffic"] {
            if let value = tags[key], let limit = RoadSpeeds.limit(value, rules: rules), limit > 0 { return limit }
        }
        return nil
    }

    /// The most that the road's surface allows a car, in km/h.
    private static func surfaceSpeed(_ tags: Tags) -> Double {
        var speed = Double.infinity
        if let surface = tags["surface"] {
            switch surface {
            case "cement", "compacted", "fine_gravel": speed = 80
            case "paving_stones", "metal", "bricks": speed = 60
            case "grass", "wood", "sett", "grass_paver", "gravel", "unpaved", "ground", "dirt", "pebblestone", "tartan":
                speed = 40
            case "cobblestone", "clay", "unhewn_cobblestone": speed = 30
            case "earth", "stone", "rocky", "sand": speed = 20
            case "mud": speed = 10
            default: break
            }
        }
        if let grade = tags["tracktype"] {
            switch grade {
            case "grade1": speed = min(speed, 60)
            case "grade2": speed = min(speed, 40)
            case "grade3": speed = min(speed, 30)
            case "grade4": speed = min(speed, 25)
            case "grade5": speed = min(speed, 20)
            default: break
            }
        }
        if let smoothness = tags["smoothness"] {
            switch smoothness {
            case "intermediate": speed = min(speed, 80)
            case "bad": speed = min(speed, 40)
            case "very_bad": speed = min(speed, 20)
            case "horrible": speed = min(speed, 10)
            case "very_horrible": speed = min(speed, 5)
            default: break
            }
        }
        return speed
    }

    /// Whether all lanes of the direction are for cars with several people.
    private static func isForHighOccupancy(_ tags: Tags, _ direction: RoadDirection) -> Bool {
        if tags.has("hov", "designated") { return true }
        guard let lanes = directed("hov:lanes", tags, direction) else { return false }
        return lanes.split(separator: "|", omittingEmptySubsequences: false).allSatisfy { $0 == "designated" }
    }

    private static func carFactor(_ tags: Tags, isOneway: Bool) -> Double {
        var factor = 1.0
        switch tags["service"] {
        case "alley", "parking", "parking_aisle", "driveway", "drive-through", "drive-thru": factor = 2
        default: break
        }
        if tags.has("side_road", "yes") || tags.has("side_road", "rotary") { factor *= 1.25 }
        if !isOneway {
            // Oncoming cars cannot pass each other.
            let width = tags["width"].flatMap(Measures.metres) ?? .infinity
            let lanes = tags["lanes"].flatMap { Int($0) } ?? 2
            if width <= 3 || (lanes <= 1 && lanes > 0) { factor = max(factor, 1.5) }
        }
        return factor
    }

    // MARK: Bicycle

    private mutating func readBicycle(_ tags: Tags, highway: String, rules: CountryRules) {
        var oneway = OnewayTag(tags["oneway:bicycle"] ?? tags["oneway"])
        if tags["oneway:bicycle"] == nil {
            if oneway == .unknown && (isRoundabout || isCircular || highway == "motorway") { oneway = .forward }
            if oneway == .forward || oneway == .backward, Self.hasContraflow(tags) { oneway = .both }
        }
        if oneway == .closed || oneway == .alternating { oneway = .both }
        var base = Self.bicycleSpeed(highway)
        // Where there is a track or lane of their own, bicycles may go whatever the road is.
        if Self.hasCycleFacility(tags) { base = base ?? 15 } else if tags.has("motorroad", "yes") { base = nil }
        let pushing = tags.has("motorroad", "yes") ? nil : Self.pushingSpeed(highway)
        // Whoever rides where a track of their own runs beside the road must be told to.
        let hasOwnTrack = ["cycleway", "cycleway:both", "cycleway:left", "cycleway:right"].contains {
            tags.has($0, "separate")
        }
        let surface = Self.bicycleSurfaceSpeed(tags)
        for direction in [RoadDirection.forward, .backward] {
            let access = RoadAccess.of(tags, for: .bicycle, direction: direction)
            let dismount = tags.has("bicycle", "dismount")
            let against =
                (oneway == .backward && direction == .forward) || (oneway == .forward && direction == .backward)
            var passage = RoadPassage()
            passage.mode = .cycling
            passage.isRestricted = access?.isLimited == true && !dismount
            let mayRide =
                (access.map { $0 != .forbidden } ?? (base != nil)) && !dismount
                && (highway != "steps" || tags["bicycle"] != nil)
            // A walker's permission is one to push, whatever the road is.
            let onFoot = RoadAccess.of(tags, for: .foot, direction: direction, keys: Self.footOnly)
            let pushing = pushing ?? (onFoot == .allowed ? 4 : nil)
            if mayRide && !against {
                passage.speed = min(base ?? (highway == "steps" ? 4 : 12), surface)
                if let limit = Self.carLimit(tags, direction: direction, rules: rules) {
                    passage.speed = min(passage.speed, limit)
                }
                passage.factor = Self.bicycleFactor(tags, highway: highway)
                passage.isStartable = access != .closed
                if hasOwnTrack && access == nil {
                    passage.isStartable = false
                    passage.factor = max(passage.factor, Self.besideOwnWay)
                }
            } else {
                // What cannot be ridden may be walked, with the bicycle at one's side.
                guard let pushing, !(isRoundabout || isCircular) || !against else { continue }
                if access == .forbidden && !dismount && onFoot != .allowed { continue }
                if let access = RoadAccess.of(tags, for: .foot, direction: direction), access <= .closed { continue }
                passage.mode = .pushingBike
                passage.speed = min(pushing, surface)
                passage.factor = 1.2
                passage.isRestricted = false
            }
            if passage.speed > 0 { self[direction, .bicycle] = passage }
        }
    }

    private static let footOnly = [StaticAccessKey("foot")]
    /// What a second costs on a road that has a path of one's own beside it: the way of last choice.
    private static let besideOwnWay = 5.0

    private static func hasCycleFacility(_ tags: Tags) -> Bool {
        for key in ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"] {
            switch tags[key] {
            case "track", "lane", "shared", "shared_lane", "share_busway", "sharrow", "opposite", "opposite_lane",
                "opposite_track":
                return true
            default: break
            }
        }
        return false
    }

    private static func hasContraflow(_ tags: Tags) -> Bool {
        for key in ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"] {
            if let value = tags[key], value.hasPrefix("opposite") { return true }
        }
        return tags.has("cycleway:left:oneway", "-1") || tags.has("cycleway:right:oneway", "-1")
            || tags.has("cycleway:left:oneway", "no") || tags.has("cycleway:right:oneway", "no")
    }

    private static func bicycleSpeed(_ highway: String) -> Double? {
        switch highway {
        case "cycleway": 16
        case "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link", "unclassified",
            "residential", "living_street":
            15
        case "service": 14
        case "track": 12
        case "path": 12
        default: nil
        }
    }

    private static func pushingSpeed(_ highway: String) -> Double? {
        switch highway {
        case "motorway", "motorway_link", "construction", "bridleway": nil
        case "steps": 2
        case "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link", "unclassified",
            "residential", "living_street", "service", "track", "path", "pedestrian", "footway", "platform",
            "cycleway", "crossing", "corridor":
            4
        default: nil
        }
    }

    private static func bicycleSurfaceSpeed(_ tags: Tags) -> Double {
        switch tags["surface"] {
        case "cobblestone", "unhewn_cobblestone", "pebblestone", "gravel", "stone": 7
        case "sett", "unpaved", "ground", "dirt", "grass_paver", "earth", "clay": 10
        case "compacted", "fine_gravel", "wood": 13
        case "grass", "mud", "sand": 5
        default: .infinity
        }
    }

    private static func bicycleFactor(_ tags: Tags, highway: String) -> Double {
        if tags.has("bicycle", "designated") || highway == "cycleway" || tags.has("bicycle_road", "yes") { return 1 }
        switch highway {
        case "trunk", "trunk_link": return 2.2
        case "primary", "primary_link": return 1.5
        case "secondary", "secondary_link": return 1.3
        case "tertiary", "tertiary_link": return 1.1
        default: return 1.05
        }
    }

    // MARK: Foot

    private mutating func readFoot(_ tags: Tags, highway: String) {
        var base = tags.has("motorroad", "yes") ? nil : Self.footSpeed(highway)
        var oneway = OnewayTag(tags["oneway:foot"])
        // Moving stairs and walks.
        switch highway {
        case "steps", "footway", "corridor", "path", "pedestrian":
            if oneway == .unknown, OnewayTag(tags["oneway"]) != .both {
                if tags.has("conveying", "forward") { oneway = .forward }
                if tags.has("conveying", "backward") { oneway = .backward }
            }
        default: break
        }
        var hasSidewalk = false
        var hasOwnSidewalk = false
        for key in ["sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right"] {
            switch tags[key] {
            case "separate": hasOwnSidewalk = true
            case "yes", "both", "left", "right": hasSidewalk = true
            default: break
            }
        }
        // Nobody walks beside fast traffic, or on a way for bicycles, unless there is room to.
        if hasSidewalk, base == nil, !tags.has("motorroad", "yes") {
            switch highway {
            case "trunk", "trunk_link", "cycleway": base = 5
            default: break
            }
        }
        for direction in [RoadDirection.forward, .backward] {
            if oneway == .backward && direction == .forward { continue }
            if oneway == .forward && direction == .backward { continue }
            let access = RoadAccess.of(tags, for: .foot, direction: direction)
            if access == .forbidden || (access == nil && base == nil) { continue }
            var passage = RoadPassage()
            passage.mode = .walking
            passage.isRestricted = access?.isLimited == true
            passage.isStartable = access != .closed
            passage.speed = base ?? 5
            if hasOwnSidewalk && !hasSidewalk && access == nil {
                passage.isStartable = false
                passage.factor = Self.besideOwnWay
            }
            switch tags["surface"] {
            case "fine_gravel", "gravel", "pebblestone": passage.speed *= 0.85
            case "mud", "sand": passage.speed *= 0.6
            default: break
            }
            if tags.has("sac_scale", "mountain_hiking") { passage.speed *= 0.7 }
            if let scale = tags["sac_scale"], scale.contains("demanding") || scale.contains("alpine") {
                passage.speed *= 0.5
            }
            switch highway {
            case "primary", "primary_link", "trunk", "trunk_link": passage.factor = max(passage.factor, 1.3)
            case "secondary", "secondary_link": passage.factor = max(passage.factor, 1.15)
            default: break
            }
            self[direction, .foot] = passage
        }
    }

    private static func footSpeed(_ highway: String) -> Double? {
        switch highway {
        case "primary", "primary_link", "secondary", "secondary_link", "tertiary", "tertiary_link", "unclassified",
            "residential", "road", "living_street", "service", "track", "path", "pedestrian", "footway", "platform",
            "pier", "crossing", "corridor", "winter_road", "ice_road":
            5
        case "steps": 3
        default: nil
        }
    }
}

extension RoadUser {
    var index: Int { Int(rawValue) }
}

/// What a `oneway` tag says.
enum OnewayTag {
    case unknown
    case both
    case forward
    case backward
    /// `reversible`: closed to who does not know the hour.
    case closed
    /// Both directions take turns.
    case alternating

    init(_ value: String?) {
        switch value {
        case "yes", "1", "true": self = .forward
        case "-1", "reverse": self = .backward
        case "no", "0", "false": self = .both
        case "reversible": self = .closed
        case "alternating": self = .alternating
        default: self = .unknown
        }
    }
}

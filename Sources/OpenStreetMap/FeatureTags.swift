/// What an object is to somebody who searches: its main tag, whether it is worth keeping, which tags go with it.
public struct FeatureTags: Sendable, Equatable {
    /// Key and value of the main tag: `amenity` and `restaurant`; `place` and `house` for a bare address.
    public var key: String
    public var value: String

    public init(key: String, value: String) {
        self.key = key
        self.value = value
    }
}

/// The form of an object, as far as the choice of its main tag depends on it.
public enum FeatureShape: Sendable {
    case node
    /// A way that stands for a line.
    case line
    case area
}

extension FeatureTags {
    /// The main tag of an object with these tags; nil for what nobody searches.
    ///
    /// Where several keys qualify, the order of `order` decides, but a named street keeps being a street. An object
    /// with nothing but an address is `place=house`.
    public init?(_ tags: Tags, shape: FeatureShape) {
        var best: (position: Int, key: String, value: String)?
        let isNamed = Self.isNamed(tags)
        for pair in tags.pairs {
            guard let position = Self.order[pair.key], pair.value != "no", !pair.value.isEmpty,
                position < best?.position ?? .max,
                Self.isWorthKeeping(pair.key, pair.value, tags: tags, isNamed: isNamed, shape: shape)
            else { continue }
            best = (position, pair.key, pair.value)
        }
        if shape == .line, let best, best.key != "highway", isNamed || best.position > 20, let road = tags["highway"],
            road != "no", Self.isWorthKeeping("highway", road, tags: tags, isNamed: isNamed, shape: shape)
        {
            self.init(key: "highway", value: road)
            return
        }
        if let best {
            self.init(key: best.key, value: best.value.contains(";") ? Self.first(of: best.value) : best.value)
        } else if shape != .line, isNamed, let other = Self.other(tags) {
            self.init(key: other.key, value: Self.first(of: other.value))
        } else if AddressTags(tags).hasNumber {
            self.init(key: "place", value: "house")
        } else {
            return nil
        }
    }

    /// Whether the main tag has one of the keys that tell what things are, rather than the first at hand.
    public var isMainKey: Bool { Self.order[key] != nil }

    /// What a named object is where no main key tells: a power plant, a gate, a slide. Its first key that says what it is.
    private static func other(_ tags: Tags) -> Tags.Pair? {
        // A main key that is not worth keeping stays so: a crossing with a name.
        guard tags["name"] != nil, !AddressTags(tags).hasNumber,
            !tags.pairs.contains(where: { order[$0.key] != nil && $0.value != "no" })
        else { return nil }
        return tags.pairs.first { pair in
            !describingKeys.contains(pair.key) && !pair.key.hasSuffix("name") && pair.value != "no"
                && pair.value != "yes" && !pair.value.isEmpty && pair.value.utf8.count <= 40
                && pair.key.utf8.allSatisfy { (0x61...0x7a).contains($0) || $0 == UInt8(ascii: "_") }
                && pair.value.utf8.allSatisfy { $0 > 0x20 && !(0x30...0x39).contains($0) }
        }
    }

    /// Keys that tell something about an object, not what it is.
    private static let describingKeys: Set<String> = [
        "abandoned", "access", "admin_level", "area", "bicycle", "brand", "capital", "capacity", "colour", "created_by",
        "crossing",
        "cuisine", "denomination", "description", "designation", "direction", "disused", "ele", "email", "fee", "fixme",
        "foot",
        "ford", "height", "horse", "image", "import", "indoor", "inscription", "intermittent", "layer", "level", "lit",
        "location", "material", "motor_vehicle", "name", "network", "note", "oneway", "opening_hours", "operator",
        "ownership", "phone", "population", "postal_code", "postcode", "ref", "religion", "service", "shelter",
        "smoothness", "source", "sport", "start_date", "status", "surface", "symbol", "todo", "toll", "tracktype",
        "traffic_sign", "traffic_signals", "type", "upload_tag", "url", "vehicle", "voltage", "water", "website",
        "wheelchair",
        "width", "wikidata", "wikipedia",
    ]

    private static func first(of list: String) -> String {
        String(list.prefix { $0 != ";" })
    }

    /// Main keys, the most telling first.
    private static let order: [String: Int] = {
        let keys = [
            "boundary", "place", "amenity", "shop", "information", "tourism", "healthcare", "leisure", "craft",
            "office", "club",
            "emergency", "historic", "military", "aeroway", "aerialway", "railway", "public_transport", "highway",
            "man_made",
            "natural", "waterway", "mountain_pass", "bridge", "tunnel", "junction", "landuse", "building", "entrance",
        ]
        return Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, $0) })
    }()

    private static func isNamed(_ tags: Tags) -> Bool {
        tags.pairs.contains {
            $0.key == "name" || $0.key == "ref" || $0.key.hasPrefix("name:") && $0.key != "name:source"
                || $0.key == "brand" || $0.key == "alt_name" || $0.key == "official_name" || $0.key == "addr:housename"
        }
    }

    private static let pathsAndLinks: Set<String> = [
        "service", "footway", "cycleway", "path", "steps", "bridleway", "track", "byway", "corridor", "via_ferrata",
        "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link", "raceway", "escape", "busway",
        "elevator", "platform", "rest_area", "services", "traffic_signals", "motorway_junction", "turning_circle",
        "mini_roundabout", "passing_place", "milestone", "toll_gantry", "turning_loop",
    ]
    private static let pathMarks: Set<String> = ["route_marker", "trail_blaze", "marker"]
    private static let roadFurniture: Set<String> = [
        "crossing", "street_lamp", "stop", "give_way", "speed_camera", "traffic_mirror", "proposed", "no", "razed",
        "abandoned", "traffic_calming", "noexit",
    ]
    private static let stations: Set<String> = [
        "station", "halt", "stop", "tram_stop", "subway_entrance", "funicular", "level_crossing", "platform",
        "abandoned", "disused",
    ]

    private static func isWorthKeeping(_ key: String, _ value: String, tags: Tags, isNamed: Bool, shape: FeatureShape)
        -> Bool
    {
        switch key {
        case "boundary":
            if shape == .line { return false }
            return isNamed || (value == "postal_code" && tags["postal_code"] != nil)
                || (value == "administrative" && tags["admin_level"] != nil)
        case "place": return value != "house" && value != "house_number" && value != "houses"
        case "highway":
            if roadFurniture.contains(value) { return false }
            // A building with a ramp or an elevator is a building.
            if shape == .area, let building = tags["building"], building != "no",
                !["platform", "services", "rest_area"].contains(value)
            {
                return false
            }
            if value == "footway" || value == "path" || value == "cycleway",
                let part = tags["footway"] ?? tags["cycleway"],
                part == "sidewalk" || part == "crossing"
            {
                return false
            }
            return isNamed || (!pathsAndLinks.contains(value) && value != "construction" && value != "pedestrian")
        case "railway": return isNamed && stations.contains(value) && value != "level_crossing"
        case "public_transport": return isNamed && value != "stop_area_group"
        case "amenity", "shop", "craft", "office", "club", "healthcare", "emergency": return true
        case "information":
            // An office is what people look for by the name of `tourism=information`; marks along a path are none.
            return tags["tourism"] == "information" && !["yes", "office", "visitor_centre"].contains(value)
                && !pathMarks.contains(value)
        case "tourism":
            return value != "information" || !(tags["information"].map(pathMarks.contains) ?? false)
        case "leisure": return isNamed || !["garden", "outdoor_seating", "track", "swimming_pool"].contains(value)
        case "aeroway": return isNamed || ["aerodrome", "helipad", "terminal"].contains(value)
        case "natural":
            return isNamed
                ? !["coastline", "yes"].contains(value) : ["peak", "spring", "beach"].contains(value) && shape == .node
        case "waterway":
            return isNamed
        case "bridge", "tunnel": return tags[key + ":name"] != nil
        case "junction": return isNamed && value != "roundabout" && value != "circular"
        case "mountain_pass": return isNamed
        case "building":
            return isNamed || AddressTags(tags).hasNumber
        case "entrance": return false
        default: return isNamed
        }
    }

    /// Keys that tell nothing to anybody who asks about a place: editing notes and traces of imports.
    private static let droppedKeys: Set<String> = [
        "created_by", "note", "fixme", "FIXME", "todo", "comment", "attribution", "import", "odbl", "source_ref",
        "type", "note_ref", "check_date", "survey:date",
    ]
    private static let droppedPrefixes = [
        "source", "note:", "tiger:", "gnis:", "NHD:", "nhd:", "osak:", "KSJ2:", "yh:", "CLC:", "naptan:", "3dshapes:",
        "lacounty:",
        "geobase:", "canvec:", "was:", "abandoned:", "check_date:", "linz:", "LINZ:", "mvdgis:", "dcgis:", "nycdoitt:",
        "raba:", "swisstopo:", "roof:", "building:colour", "building:material", "statscan:",
    ]

    /// The tags worth keeping with a feature: all but editing notes and traces of imports.
    public static func kept(_ tags: Tags) -> Tags {
        Tags(
            tags.pairs.filter { pair in
                !droppedKeys.contains(pair.key) && !droppedPrefixes.contains { pair.key.hasPrefix($0) }
                    && !(pair.key == "name:source") && pair.value.utf8.count <= 4096
            })
    }
}

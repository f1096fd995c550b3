import OpenStreetMap

/// What a main tag means in a gazetteer: the kind of feature and its ranks.
///
/// Ranks are Nominatim's scale: 4 country, 8 state, 12 county, 16 town, 20 suburb, 26 street, 30 house. The address rank
/// is 0 for what is no part of addresses; the search rank tells how large a thing is.
struct FeatureRanks {
    var kind: FeatureKind
    var search: Int
    var address: Int

    init(_ kind: FeatureKind, _ search: Int, _ address: Int) {
        self.kind = kind
        self.search = search
        self.address = address
    }

    init(key: String, value: String, adminLevel: Int?, tags: Tags, hasNumber: Bool) {
        switch key {
        case "boundary": self = Self.boundary(value, adminLevel: adminLevel, place: tags["place"])
        case "place":
            self = hasNumber && value == "house" ? Self(.address, 30, 30) : Self.places[value] ?? Self(.place, 25, 0)
        case "highway": self = Self.highway(value)
        case "railway": self = Self(.stop, value == "station" ? 24 : 30, 30)
        case "public_transport": self = Self(.stop, 30, 30)
        case "waterway": self = Self(.water, value == "river" ? 19 : value == "canal" ? 20 : 22, 0)
        case "natural": self = Self.natural[value] ?? Self(.otherNatural, 24, 0)
        case "mountain_pass": self = Self(.peak, 20, 0)
        case "leisure":
            self =
                ["park", "garden", "nature_reserve", "common", "recreation_ground"].contains(value)
                ? Self(.park, 24, 30) : Self(.pointOfInterest, 30, 30)
        case "landuse":
            self =
                ["recreation_ground", "village_green", "cemetery"].contains(value)
                ? Self(.park, 24, 0) : Self(.otherNatural, 24, 0)
        case "aeroway": self = Self(.pointOfInterest, value == "aerodrome" ? 22 : 30, 30)
        case "aerialway": self = Self(value == "station" ? .stop : .pointOfInterest, 30, 30)
        case "amenity":
            self = Self(["bus_station", "ferry_terminal"].contains(value) ? .stop : .pointOfInterest, 30, 30)
        case "bridge", "tunnel", "junction": self = Self(.pointOfInterest, 27, 0)
        case "building": self = hasNumber ? Self(.address, 30, 30) : Self(.pointOfInterest, 30, 30)
        default: self = Self(.pointOfInterest, 30, 30)
        }
    }

    private static func boundary(_ value: String, adminLevel: Int?, place: String?) -> Self {
        switch value {
        case "administrative":
            guard let level = adminLevel, (2...12).contains(level) else { return Self(.suburb, 25, 0) }
            let kind: FeatureKind =
                switch level {
                case 2: .country
                case 3...5: .region
                case 6...7: .county
                case 8: .municipality
                default: .suburb
                }
            if let place, let known = places[place], known.address > 0 {
                return Self(
                    known.kind == .place && kind == .municipality ? .municipality : known.kind, level * 2, known.address
                )
            }
            return Self(kind, level * 2, level * 2)
        case "postal_code": return Self(.postcode, 21, 11)
        case "national_park", "protected_area": return Self(.park, 25, 0)
        default: return Self(.otherNatural, 25, 0)
        }
    }

    private static let places: [String: Self] = [
        "ocean": Self(.otherNatural, 2, 0), "sea": Self(.otherNatural, 4, 0), "continent": Self(.otherNatural, 2, 0),
        "archipelago": Self(.otherNatural, 13, 0), "island": Self(.otherNatural, 17, 0),
        "islet": Self(.otherNatural, 20, 0), "locality": Self(.otherNatural, 22, 0), "country": Self(.country, 4, 4),
        "state": Self(.region, 8, 8), "province": Self(.region, 8, 8), "region": Self(.region, 18, 0),
        "county": Self(.county, 12, 12), "district": Self(.county, 12, 12), "municipality": Self(.municipality, 16, 16),
        "city": Self(.place, 16, 16), "town": Self(.place, 18, 16), "village": Self(.place, 19, 16),
        "borough": Self(.suburb, 18, 18), "suburb": Self(.suburb, 19, 20), "hamlet": Self(.place, 20, 20),
        "quarter": Self(.suburb, 20, 22), "farm": Self(.place, 22, 22), "isolated_dwelling": Self(.place, 22, 22),
        "croft": Self(.place, 22, 22), "neighbourhood": Self(.suburb, 22, 24), "allotments": Self(.suburb, 22, 24),
        "subdivision": Self(.suburb, 22, 24), "city_block": Self(.suburb, 25, 25), "plot": Self(.suburb, 25, 0),
        "square": Self(.street, 25, 25),
    ]

    /// The ranks of a `place` value; nil for values that say nothing.
    static func place(_ value: String) -> Self? { places[value] }

    private static let minorRoads: Set<String> = [
        "service", "footway", "cycleway", "path", "steps", "bridleway", "track", "byway", "corridor", "via_ferrata",
        "motorway_link", "trunk_link", "primary_link", "secondary_link", "tertiary_link",
    ]
    private static let notRoads: Set<String> = [
        "motorway_junction", "traffic_signals", "services", "rest_area", "elevator", "milestone", "turning_circle",
        "mini_roundabout", "passing_place", "toll_gantry", "turning_loop", "information", "emergency_bay",
        "emergency_access_point", "phone",
    ]

    private static func highway(_ value: String) -> Self {
        if value == "bus_stop" || value == "platform" { return Self(.stop, 30, 30) }
        if notRoads.contains(value) { return Self(.pointOfInterest, 30, 30) }
        return minorRoads.contains(value) ? Self(.street, 27, 27) : Self(.street, 26, 26)
    }

    private static let natural: [String: Self] = [
        "peak": Self(.peak, 18, 0), "volcano": Self(.peak, 18, 0), "mountain_range": Self(.peak, 18, 0),
        "saddle": Self(.peak, 20, 0), "ridge": Self(.peak, 20, 0), "water": Self(.water, 22, 0),
        "bay": Self(.water, 20, 0), "strait": Self(.water, 20, 0), "spring": Self(.water, 24, 0),
        "hot_spring": Self(.water, 24, 0), "glacier": Self(.otherNatural, 20, 0),
    ]

    /// How far a place known by a point alone reaches, in degrees, by its search rank.
    static func reach(search rank: Int) -> Double {
        switch rank {
        case ...16: 0.08
        case 17...18: 0.04
        case 19: 0.03
        case 20: 0.0095
        case 21, 22: 0.0045
        default: 0.006
        }
    }
}

import OpenStreetMap

/// What an object is on a map: its kind, and what goes with it before its geometry is known.
///
/// A pure function of the tags: `MapMeaning.all(of:form:)`. One object may be several things, as a hotel's building is a
/// building, a point of interest and a house number.
struct MapMeaning: Sendable, Equatable {
    /// The form of the object at hand.
    enum Form: Sendable {
        case node
        /// A way; a closed one is read as a line first and as an area then.
        case line
        case area
    }

    /// What is drawn: the line or area itself, or a point of it.
    enum Drawn: Sendable {
        case itself, point
    }

    var kind: MapKind
    var drawn = Drawn.itself
    var flags: MapShape.Flags = []
    var layer = 0
    var ref: String?
    var rank = 0.0
    /// The lowest zoom at which it may show; the size of an area may ask for a higher one.
    var zoom: Int
    /// Whether names go with it.
    var isNamed = true
    /// Whether the rank of an area is its size: the side of a square of that size, in metres.
    var isRankedBySize = false
    /// Whether the category of the lexicon is to be looked up.
    var hasCategory = false

    init(
        _ kind: MapKind, zoom: Int, drawn: Drawn = .itself, rank: Double = 0, ref: String? = nil, isNamed: Bool = true
    ) {
        self.kind = kind
        self.zoom = zoom
        self.drawn = drawn
        self.rank = rank
        self.ref = ref
        self.isNamed = isNamed
    }

    /// Everything that an object with these tags is on a map, in the order of drawing.
    static func all(of tags: Tags, form: Form) -> [MapMeaning] {
        guard tags.pairs.contains(where: { mainKeys.contains($0.key) }) else { return [] }
        var found: [MapMeaning] = []
        switch form {
        case .node:
            if let place = place(tags, isArea: false) { found.append(place) }
            if let summit = summit(tags) { found.append(summit) }
        case .line:
            if let way = way(tags) { found.append(way) }
            if let line = otherLine(tags) { found.append(line) }
        case .area:
            if let area = area(tags) { found.append(area) }
            if let building = building(tags) { found.append(building) }
            if let place = place(tags, isArea: true) { found.append(place) }
        }
        if form != .line {
            if let point = pointOfInterest(tags, isArea: form == .area) { found.append(point) }
            if let number = houseNumber(tags, form) { found.append(number) }
        }
        return found
    }

    private static let mainKeys: Set<String> = [
        "highway", "railway", "building", "building:part", "landuse", "natural", "leisure", "amenity", "shop",
        "tourism",
        "waterway", "water", "aeroway", "aerialway", "man_made", "place", "boundary", "barrier", "power", "route",
        "addr:housenumber", "historic", "office", "healthcare", "craft", "emergency", "public_transport", "military",
        "area:highway",
    ]

    // MARK: - Areas

    private static func area(_ tags: Tags) -> MapMeaning? {
        guard let (kind, zoom) = ground(tags) else { return nil }
        var meaning = MapMeaning(kind, zoom: zoom)
        meaning.isRankedBySize = true
        meaning.layer = layer(tags)
        if kind == .water || kind == .wetland, isYes(tags["intermittent"]) || isYes(tags["seasonal"]) {
            meaning.flags.insert(.intermittent)
        }
        if tags["location"] == "underground" || isCovered(tags["tunnel"]) { meaning.flags.insert(.underground) }
        if let access = tags["access"], access == "private" || access == "no" { meaning.flags.insert(.privateAccess) }
        return meaning
    }

    /// Kind of ground and the lowest zoom at which an area of it may show.
    private static func ground(_ tags: Tags) -> (MapKind, Int)? {
        if let natural = tags["natural"], let found = naturalGround(natural) { return found }
        if tags["waterway"] == "riverbank" || tags["waterway"] == "dock" { return (.water, 4) }
        if let landuse = tags["landuse"] {
            if let found = landGround[landuse] { return found }
            if landuse == "basin" || landuse == "reservoir" { return (.water, 4) }
        }
        if let leisure = tags["leisure"], let found = leisureGround[leisure] { return found }
        if let amenity = tags["amenity"], let found = amenityGround[amenity] { return found }
        if let aeroway = tags["aeroway"] {
            switch aeroway {
            case "aerodrome", "heliport": return (.airport, 9)
            case "apron", "helipad": return (.taxiway, 13)
            case "runway": return (.runway, 11)
            case "taxiway": return (.taxiway, 13)
            default: break
            }
        }
        if tags["military"] != nil, tags["building"] == nil { return (.military, 10) }
        if tags["tourism"] == "camp_site" || tags["tourism"] == "caravan_site" { return (.park, 12) }
        if tags["tourism"] == "zoo" || tags["tourism"] == "theme_park" { return (.park, 11) }
        if let structure = tags["man_made"], ["pier", "breakwater", "groyne", "quay"].contains(structure) {
            return (.pier, 12)
        }
        if tags["man_made"] == "bridge" { return (.pedestrianArea, 14) }
        if let road = tags["area:highway"] ?? (tags["area"] == "yes" ? tags["highway"] : nil) {
            switch road {
            case "pedestrian", "footway", "path", "living_street", "steps", "platform": return (.pedestrianArea, 13)
            case "services", "rest_area": return (.parking, 13)
            default: return nil
            }
        }
        if tags["highway"] == "pedestrian", tags["type"] == "multipolygon" { return (.pedestrianArea, 13) }
        if tags["highway"] == "services" || tags["highway"] == "rest_area" { return (.parking, 13) }
        if tags["place"] == "square" { return (.pedestrianArea, 14) }
        if tags["railway"] == "platform" || tags["public_transport"] == "platform" { return (.pedestrianArea, 15) }
        if let kind = tags["boundary"], kind == "national_park" { return (.park, 8) }
        return nil
    }

    private static func naturalGround(_ value: String) -> (MapKind, Int)? {
        switch value {
        case "water": (.water, 0)
        case "bay", "strait": nil
        case "wood": (.wood, 5)
        case "scrub", "shrubbery": (.scrub, 8)
        case "heath", "fell", "moor": (.heath, 8)
        case "grassland", "grass": (.meadow, 8)
        case "sand", "beach", "dune", "shoal": (.sand, 8)
        case "bare_rock", "scree", "shingle", "rock", "stone", "mud": (.rock, 8)
        case "glacier": (.glacier, 5)
        case "wetland", "marsh": (.wetland, 8)
        default: nil
        }
    }

    private static let landGround: [String: (MapKind, Int)] = [
        "residential": (.residential, 7), "industrial": (.industrial, 9), "quarry": (.rock, 9),
        "landfill": (.industrial, 10), "construction": (.industrial, 12), "brownfield": (.industrial, 12),
        // No ports: their outlines hold the water of the basins.
        "depot": (.industrial, 12),
        "commercial": (.commercial, 9), "retail": (.commercial, 9), "farmland": (.farmland, 8),
        "farmyard": (.farmland, 12), "orchard": (.farmland, 10), "vineyard": (.farmland, 10),
        "greenhouse_horticulture": (.farmland, 11), "plant_nursery": (.farmland, 11), "meadow": (.meadow, 8),
        "grass": (.meadow, 10), "greenfield": (.meadow, 11), "village_green": (.park, 11), "forest": (.wood, 5),
        "allotments": (.garden, 11), "flowerbed": (.garden, 15), "recreation_ground": (.park, 10),
        "cemetery": (.cemetery, 10), "military": (.military, 10), "railway": (.railwayYard, 11),
        "education": (.school, 11), "salt_pond": (.wetland, 9), "aquaculture": (.water, 9),
        "winter_sports": (.meadow, 12),
    ]

    private static let leisureGround: [String: (MapKind, Int)] = [
        "park": (.park, 8), "garden": (.garden, 12), "golf_course": (.golf, 10), "pitch": (.pitch, 13),
        "track": (.pitch, 13), "playground": (.playground, 14), "dog_park": (.park, 13), "common": (.park, 11),
        "nature_reserve": (.park, 8), "recreation_ground": (.park, 10), "swimming_pool": (.swimmingPool, 14),
        "sports_centre": (.pitch, 12), "stadium": (.pitch, 12), "horse_riding": (.pitch, 13),
    ]

    private static let amenityGround: [String: (MapKind, Int)] = [
        "school": (.school, 11), "kindergarten": (.school, 13), "university": (.school, 11), "college": (.school, 11),
        "hospital": (.hospital, 11), "clinic": (.hospital, 13), "parking": (.parking, 13),
        "grave_yard": (.cemetery, 11), "marketplace": (.pedestrianArea, 14), "bicycle_parking": (.parking, 17),
        "motorcycle_parking": (.parking, 16), "fountain": (.swimmingPool, 15),
    ]

    private static func building(_ tags: Tags) -> MapMeaning? {
        guard let value = tags["building"], value != "no", tags["location"] != "underground" else { return nil }
        var meaning = MapMeaning(.building, zoom: 13, isNamed: tags["name"] != nil)
        meaning.isRankedBySize = true
        meaning.layer = layer(tags)
        return meaning
    }

    // MARK: - Points

    private static func houseNumber(_ tags: Tags, _ form: Form) -> MapMeaning? {
        guard let number = tags["addr:housenumber"], !number.isEmpty, number.utf8.count <= 40 else { return nil }
        return MapMeaning(
            .houseNumber, zoom: 16, drawn: form == .node ? .itself : .point,
            ref: number.replacing(";", with: ", "), isNamed: false)
    }

    private static func summit(_ tags: Tags) -> MapMeaning? {
        guard let natural = tags["natural"], natural == "peak" || natural == "volcano" else { return nil }
        let height = tags["ele"].flatMap { Double($0.prefix { $0.isNumber || $0 == "." || $0 == "-" }) }
        let rank = max(height ?? 0, 0)
        return MapMeaning(
            .peak, zoom: tags["name"] == nil ? 14 : rank >= 2000 ? 10 : rank >= 1000 ? 11 : 12, rank: rank,
            ref: height.flatMap { abs($0) < 100_000 ? String(Int($0.rounded())) : nil })
    }

    private static func place(_ tags: Tags, isArea: Bool) -> MapMeaning? {
        guard let value = tags["place"], Names.best(of: tags, languages: []) != nil else { return nil }
        let population = tags["population"].map(population) ?? 0
        // A boundary with a place tag has its node too; islands have an outline alone.
        if isArea, value != "island", value != "islet", value != "square",
            tags["boundary"] != nil || tags["type"] == "boundary"
        {
            return nil
        }
        guard
            var meaning = MapMeaning(
                place: value, population: population, isCapital: tags["capital"] == "yes", isArea: isArea)
        else { return nil }
        meaning.drawn = isArea ? .point : .itself
        return meaning
    }

    /// A place by the value of its `place` tag and its number of people; nil for what is no label.
    init?(place value: String, population: Int, isCapital: Bool, isArea: Bool = false) {
        let people = Double(population)
        switch value {
        case "continent": self.init(.continent, zoom: 0, rank: max(people, 1e9))
        case "country": self.init(.country, zoom: 2, rank: max(people, 1e6))
        case "state", "province", "region": self.init(.region, zoom: 5, rank: max(people, 1e5))
        case "city":
            let zoom = people >= 1e6 ? 4 : people >= 4e5 ? 5 : people >= 1e5 ? 6 : 7
            self.init(.city, zoom: isCapital ? min(zoom, 5) : zoom, rank: people > 0 ? people : 1e5)
        case "town":
            let zoom = people >= 5e4 ? 7 : people >= 1e4 ? 8 : 9
            self.init(.town, zoom: isCapital ? min(zoom, 6) : zoom, rank: people > 0 ? people : 1e4)
        case "borough": self.init(.suburb, zoom: 10, rank: people > 0 ? people : 3e4)
        case "village":
            self.init(.village, zoom: people >= 2000 ? 10 : 11, rank: people > 0 ? people : 1000)
        case "suburb": self.init(.suburb, zoom: 11, rank: people > 0 ? people : 1e4)
        case "quarter", "neighbourhood", "city_block":
            self.init(.quarter, zoom: 13, rank: people > 0 ? people : value == "quarter" ? 2000 : 1000)
        case "hamlet": self.init(.hamlet, zoom: 12, rank: people > 0 ? people : 100)
        case "isolated_dwelling", "farm": self.init(.hamlet, zoom: 14, rank: people > 0 ? people : 5)
        case "locality": self.init(.locality, zoom: 14, rank: 1)
        case "square": self.init(.locality, zoom: 15, rank: 10)
        case "island", "islet", "archipelago", "atoll":
            self.init(.island, zoom: value == "islet" ? 13 : 8, rank: max(people, 1))
            isRankedBySize = isArea
        case "sea", "ocean": self.init(.seaName, zoom: value == "ocean" ? 1 : 4, rank: value == "ocean" ? 1e6 : 1e5)
        default: return nil
        }
        if isCapital { flags.insert(.capital) }
    }

    private static func population(_ text: String) -> Int {
        var value = 0
        for byte in text.utf8 {
            guard let digit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? Int(byte - 48) : nil else {
                if [UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "'")].contains(byte) { continue }
                break
            }
            value = value * 10 + digit
            if value > 20_000_000_000 { return 0 }
        }
        return value
    }

    private static func pointOfInterest(_ tags: Tags, isArea: Bool) -> MapMeaning? {
        let drawn = isArea ? Drawn.point : .itself
        let isKnown = tags["wikidata"] != nil || tags["wikipedia"] != nil
        func stop(_ kind: MapKind, _ zoom: Int, _ rank: Double) -> MapMeaning {
            var meaning = MapMeaning(kind, zoom: zoom, drawn: drawn, rank: rank, ref: tags["local_ref"] ?? tags["ref"])
            meaning.hasCategory = true
            if tags["location"] == "underground" || isCovered(tags["tunnel"]) { meaning.flags.insert(.underground) }
            return meaning
        }
        if let natural = tags["natural"], natural == "bay" || natural == "strait" || natural == "cape" {
            guard tags["name"] != nil else { return nil }
            var meaning = MapMeaning(natural == "cape" ? .locality : .seaName, zoom: 11, drawn: drawn, rank: 100)
            meaning.isRankedBySize = isArea
            return meaning
        }
        switch tags["railway"] {
        case "station", "halt":
            let isLight = tags["station"] == "subway" || tags["station"] == "light_rail" || tags["subway"] == "yes"
            return stop(.station, isLight ? 13 : tags["railway"] == "halt" ? 13 : 12, isLight ? 20 : 30)
        case "tram_stop": return stop(.stop, 15, 8)
        case "subway_entrance", "train_station_entrance": return stop(.stop, 16, 6)
        default: break
        }
        if tags["highway"] == "bus_stop" || tags["amenity"] == "ferry_terminal" || tags["aerialway"] == "station" {
            let isBus = tags["highway"] == "bus_stop"
            return stop(.stop, isBus ? 16 : 13, isBus ? 4 : 10)
        }
        if tags["highway"] == "motorway_junction" {
            guard tags["ref"] != nil || tags["name"] != nil else { return nil }
            return MapMeaning(.stop, zoom: 13, rank: 1, ref: tags["ref"])
        }
        guard let (zoom, rank) = importance(tags) else { return nil }
        var meaning = MapMeaning(
            .pointOfInterest, zoom: zoom, drawn: drawn, rank: rank + (isKnown ? 5 : 0) + (tags["name"] != nil ? 2 : 0))
        meaning.hasCategory = true
        return meaning
    }

    /// The lowest zoom of a point of interest and its rank; nil for what is none.
    private static func importance(_ tags: Tags) -> (Int, Double)? {
        if let amenity = tags["amenity"], amenity != "no" {
            switch amenity {
            case "hospital", "university": return (13, 25)
            case "townhall", "college", "theatre", "courthouse": return (14, 20)
            case "police", "fire_station", "library", "school", "place_of_worship", "cinema", "embassy",
                "community_centre", "arts_centre", "marketplace":
                return (15, 14)
            case "bench", "waste_basket", "post_box", "vending_machine", "telephone", "recycling", "bicycle_parking",
                "motorcycle_parking", "waste_disposal", "parking_entrance", "parking_space", "clock", "hunting_stand",
                "shelter", "fountain", "drinking_water", "grit_bin", "charging_station":
                return tags["access"] == "private" ? nil : (18, 1)
            case "parking": return tags["access"] == "private" ? nil : (tags["name"] != nil ? 15 : 16, 3)
            case "atm", "toilets": return (17, 4)
            default: return (16, 10)
            }
        }
        if let tourism = tags["tourism"], tourism != "no" {
            switch tourism {
            case "museum", "attraction", "zoo", "theme_park": return (14, 20)
            case "viewpoint", "alpine_hut", "wilderness_hut", "camp_site": return (14, 12)
            case "hotel", "hostel", "guest_house", "gallery", "motel": return (15, 12)
            case "information": return tags["information"] == "office" ? (15, 12) : (18, 1)
            default: return (17, 5)
            }
        }
        if tags["aeroway"] == "aerodrome" { return tags["iata"] != nil ? (9, 60) : (12, 15) }
        if tags["aeroway"] == "helipad" || tags["aeroway"] == "terminal" { return (15, 8) }
        if let shop = tags["shop"], shop != "no", shop != "vacant" {
            switch shop {
            case "mall", "department_store": return (15, 16)
            case "supermarket": return (16, 12)
            default: return (17, 8)
            }
        }
        if let historic = tags["historic"], historic != "no" {
            switch historic {
            case "castle", "fort", "ruins", "archaeological_site", "monastery", "palace": return (13, 18)
            case "monument", "city_gate", "church": return (15, 12)
            default: return tags["name"] != nil ? (17, 4) : nil
            }
        }
        if let leisure = tags["leisure"] {
            switch leisure {
            case "park", "nature_reserve", "golf_course", "stadium", "water_park":
                return tags["name"] != nil ? (14, 12) : nil
            case "sports_centre", "marina", "fitness_centre", "ice_rink", "swimming_area": return (15, 9)
            case "playground": return (17, 3)
            default: break
            }
        }
        if tags["healthcare"] != nil || tags["craft"] != nil { return (17, 6) }
        if tags["office"] != nil { return tags["name"] != nil ? (17, 5) : nil }
        if tags["natural"] == "beach" || tags["natural"] == "spring" || tags["natural"] == "cave_entrance" {
            return tags["name"] != nil ? (15, 8) : nil
        }
        if let structure = tags["man_made"], ["lighthouse", "tower", "windmill", "observatory"].contains(structure) {
            return (15, 7)
        }
        return nil
    }
}

import OpenStreetMap

extension MapMeaning {
    // MARK: - Roads, rails, ferries

    /// The road, rail, lift, runway or ferry that a way is.
    static func way(_ tags: Tags) -> MapMeaning? {
        guard var meaning = road(tags) ?? rail(tags) ?? otherWay(tags) else { return nil }
        meaning.layer = layer(tags)
        if let bridge = tags["bridge"], bridge != "no" { meaning.flags.insert(.bridge) }
        if isCovered(tags["tunnel"]) { meaning.flags.insert(.tunnel) }
        if tags["location"] == "underground" { meaning.flags.insert([.underground, .tunnel]) }
        return meaning
    }

    private static func road(_ tags: Tags) -> MapMeaning? {
        guard let highway = tags["highway"], tags["area"] != "yes" else { return nil }
        var meaning: MapMeaning
        let value = highway.hasSuffix("_link") ? String(highway.dropLast(5)) : highway
        switch value {
        case "motorway": meaning = MapMeaning(.motorway, zoom: 5, rank: 100)
        case "trunk": meaning = MapMeaning(.trunk, zoom: 5, rank: 90)
        case "primary": meaning = MapMeaning(.primary, zoom: 7, rank: 80)
        case "secondary": meaning = MapMeaning(.secondary, zoom: 9, rank: 70)
        case "tertiary": meaning = MapMeaning(.tertiary, zoom: 10, rank: 60)
        case "unclassified", "residential", "road": meaning = MapMeaning(.street, zoom: 12, rank: 50)
        case "busway", "bus_guideway": meaning = MapMeaning(.service, zoom: 13, rank: 40)
        case "living_street": meaning = MapMeaning(.livingStreet, zoom: 12, rank: 45)
        case "pedestrian": meaning = MapMeaning(.pedestrian, zoom: 13, rank: 44)
        case "service":
            let isMinor = ["parking_aisle", "driveway", "drive-through", "emergency_access"].contains(
                tags["service"] ?? "")
            meaning = MapMeaning(.service, zoom: isMinor ? 15 : 13, rank: isMinor ? 25 : 30)
        case "track": meaning = MapMeaning(.track, zoom: 13, rank: 20)
        case "cycleway": meaning = MapMeaning(.cycleway, zoom: 13, rank: 18)
        case "footway", "platform", "corridor":
            let isMinor = tags["footway"] == "sidewalk" || tags["footway"] == "crossing" || value != "footway"
            if value == "corridor" || isYes(tags["indoor"]) { return nil }
            meaning = MapMeaning(.footway, zoom: isMinor ? 16 : 14, rank: isMinor ? 8 : 15)
        case "path", "bridleway", "via_ferrata": meaning = MapMeaning(.path, zoom: 13, rank: 12)
        case "steps": meaning = MapMeaning(.steps, zoom: 15, rank: 10)
        case "construction", "proposed":
            guard value == "construction" else { return nil }
            meaning = MapMeaning(.construction, zoom: 12, rank: 5)
        case "raceway": meaning = MapMeaning(.service, zoom: 13, rank: 20)
        default: return nil
        }
        if value != highway {
            meaning.flags.insert(.link)
            meaning.zoom = max(meaning.zoom, meaning.zoom <= 7 ? 10 : 12)
            meaning.rank -= 5
        }
        meaning.ref = tags["ref"]
        switch tags["oneway"] {
        case "yes", "true", "1": meaning.flags.insert(.oneway)
        case "-1", "reverse": meaning.flags.insert(.onewayReversed)
        case nil where highway == "motorway" || tags["junction"] == "roundabout": meaning.flags.insert(.oneway)
        default: break
        }
        if isYes(tags["toll"]) { meaning.flags.insert(.toll) }
        if let access = tags["motor_vehicle"] ?? tags["vehicle"] ?? tags["access"],
            access == "private" || access == "no", meaning.rank >= 20
        {
            meaning.flags.insert(.privateAccess)
        } else if tags["access"] == "private" || tags["access"] == "no" {
            meaning.flags.insert(.privateAccess)
        }
        if let surface = tags["surface"], unpaved.contains(surface) { meaning.flags.insert(.unpaved) }
        return meaning
    }

    private static let unpaved: Set<String> = [
        "unpaved", "gravel", "fine_gravel", "dirt", "earth", "ground", "grass", "mud", "sand", "compacted",
        "pebblestone",
        "woodchips", "rock",
    ]

    private static func rail(_ tags: Tags) -> MapMeaning? {
        guard let railway = tags["railway"] else { return nil }
        let isSide = tags["service"] != nil
        switch railway {
        case "rail":
            return MapMeaning(.rail, zoom: isSide ? 13 : tags["usage"] == "main" ? 7 : 9, rank: isSide ? 1 : 30)
        case "narrow_gauge": return MapMeaning(.rail, zoom: isSide ? 13 : 9, rank: isSide ? 1 : 20)
        case "light_rail", "monorail": return MapMeaning(.lightRail, zoom: isSide ? 13 : 10, rank: 15)
        case "tram": return MapMeaning(.tram, zoom: isSide ? 14 : 12, rank: 10)
        case "subway":
            var meaning = MapMeaning(.subway, zoom: isSide ? 14 : 12, rank: 12)
            if isCovered(tags["tunnel"]) { meaning.flags.insert(.underground) }
            return meaning
        case "funicular": return MapMeaning(.funicular, zoom: 12, rank: 10)
        case "preserved", "miniature": return MapMeaning(.lightRail, zoom: 14, rank: 5)
        default: return nil
        }
    }

    private static func otherWay(_ tags: Tags) -> MapMeaning? {
        if tags["route"] == "ferry" { return MapMeaning(.ferry, zoom: 6, rank: 10) }
        if let aerialway = tags["aerialway"], !["station", "pylon", "no"].contains(aerialway) {
            return MapMeaning(.aerialway, zoom: 12, rank: 5)
        }
        switch tags["aeroway"] {
        case "runway": return MapMeaning(.runway, zoom: 10, rank: 5, ref: tags["ref"])
        case "taxiway": return MapMeaning(.taxiway, zoom: 13, rank: 1, ref: tags["ref"])
        default: return nil
        }
    }

    // MARK: - Water, ground, barriers

    /// The watercourse, cliff, pier, wall or power line that a way is.
    static func otherLine(_ tags: Tags) -> MapMeaning? {
        if let waterway = tags["waterway"] {
            var meaning: MapMeaning
            switch waterway {
            case "river": meaning = MapMeaning(.river, zoom: 7, rank: 30)
            case "canal": meaning = MapMeaning(.canal, zoom: 9, rank: 20)
            case "stream", "brook", "tidal_channel": meaning = MapMeaning(.stream, zoom: 12, rank: 10)
            case "ditch", "drain": meaning = MapMeaning(.stream, zoom: 14, rank: 2)
            case "dam", "weir": meaning = MapMeaning(.wall, zoom: 14, rank: 2)
            default: return nil
            }
            meaning.layer = layer(tags)
            if isYes(tags["intermittent"]) || isYes(tags["seasonal"]) { meaning.flags.insert(.intermittent) }
            if isCovered(tags["tunnel"]) { meaning.flags.insert([.tunnel, .underground]) }
            return meaning
        }
        switch tags["natural"] {
        case "coastline": return MapMeaning(.coastline, zoom: 0, isNamed: false)
        case "cliff", "earth_bank": return MapMeaning(.cliff, zoom: 13)
        default: break
        }
        switch tags["man_made"] {
        case "pier", "breakwater", "groyne": return MapMeaning(.pier, zoom: 13)
        case "embankment": return MapMeaning(.cliff, zoom: 14)
        default: break
        }
        switch tags["barrier"] {
        case "hedge": return MapMeaning(.hedge, zoom: 16, isNamed: false)
        case "wall", "city_wall", "retaining_wall", "fence":
            let isGreat = tags["barrier"] == "city_wall"
            return MapMeaning(.wall, zoom: isGreat ? 14 : tags["barrier"] == "fence" ? 17 : 16, isNamed: isGreat)
        default: break
        }
        switch tags["power"] {
        case "line": return MapMeaning(.powerLine, zoom: 12, isNamed: false)
        case "minor_line": return MapMeaning(.powerLine, zoom: 14, isNamed: false)
        default: return nil
        }
    }

    /// A boundary of this administrative level; nil for levels that no map shows.
    init?(boundaryLevel level: Int) {
        switch level {
        case 2: self.init(.countryBoundary, zoom: 0, isNamed: false)
        case 3, 4: self.init(.regionBoundary, zoom: 4, isNamed: false)
        case 5, 6: self.init(.municipalityBoundary, zoom: 8, isNamed: false)
        case 7, 8: self.init(.municipalityBoundary, zoom: 10, isNamed: false)
        default: return nil
        }
    }

    // MARK: - Values

    static func layer(_ tags: Tags) -> Int {
        tags["layer"].flatMap { Int($0) }.map { min(max($0, -5), 5) } ?? 0
    }

    static func isYes(_ value: String?) -> Bool { value != nil && value != "no" }

    static func isCovered(_ tunnel: String?) -> Bool { tunnel != nil && tunnel != "no" }
}

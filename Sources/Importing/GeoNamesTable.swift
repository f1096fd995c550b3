import Foundation
import Gazetteer
import Geometry
import OpenStreetMap

/// Reads GeoNames' dump tables: 19 columns between tabs, one thing a line, plain or compressed with gzip.
///
/// The columns are geonameid, name, asciiname, alternatenames (between commas), latitude, longitude, feature class,
/// feature code, country, cc2, admin1, admin2, admin3, admin4, population, elevation, dem, timezone and modification date
/// (https://download.geonames.org/export/dump/readme.txt). Lines that do not fit are left out and counted by reason.
public enum GeoNamesTable {
    /// Whether the file looks like such a table: its name ends in `.txt` or `.txt.gz`, or its first line has 19 columns.
    public static func isTable(path: String) -> Bool {
        let name = path.lowercased()
        if name.hasSuffix(".txt") || name.hasSuffix(".txt.gz") { return true }
        if name.hasSuffix(".pbf") || name.contains(".osm") { return false }
        var columns = 0
        struct Enough: Error {}
        try? GzipReader.forEachLine(of: path) { line in
            columns = line.count { $0 == 0x09 } + 1
            throw Enough()
        }
        return columns == 19
    }

    /// Adds everything in the table to a gazetteer.
    ///
    /// - Parameters:
    ///   - regions: names of first-order regions by `DE.02`, as `admin1Codes(path:)` reads them.
    ///   - found: told where each feature lies.
    ///   - progress: told the number of lines read, every few thousand; throw to stop.
    /// - Returns: the number of features added, and of lines left out by reason.
    /// - Throws: `TableError` where the file cannot be read, or where none of its lines has 19 columns.
    public static func add(
        path: String, to writer: GazetteerWriter, source: Int, regions: [String: String] = [:],
        found: (Coordinate) -> Void = { _ in }, progress: ((Int) throws -> Void)? = nil
    ) throws -> (added: Int, skipped: [String: Int]) {
        var added = 0
        var lines = 0
        var skipped: [String: Int] = [:]
        var seen: Set<Int64> = []
        try GzipReader.forEachLine(of: path) { line in
            lines += 1
            var line = line
            // A byte order mark before the first number.
            if lines == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) {
                line = UnsafeBufferPointer(rebasing: line.dropFirst(3))
            }
            if lines % 4096 == 0 { try progress?(lines) }
            guard line.contains(where: { $0 != 0x0D && $0 != 0x20 && $0 != 0x09 }), line.first != 0x23 else { return }
            switch place(line) {
            case .failure(let reason): skipped[reason.rawValue, default: 0] += 1
            case .success(let place):
                guard seen.insert(place.id).inserted else {
                    skipped["GeoNames: number seen before", default: 0] += 1
                    return
                }
                guard let feature = OutsideFeature(place, regions: regions) else {
                    skipped["GeoNames: kind of feature not kept", default: 0] += 1
                    return
                }
                writer.add(feature, source: source)
                found(feature.location)
                added += 1
            }
        }
        if added == 0, lines > 0, skipped.values.reduce(0, +) == skipped[LineFault.columns.rawValue] {
            throw TableError(file: path, reason: "no line has the 19 columns of a GeoNames table")
        }
        return (added, skipped)
    }

    /// Reads `admin1CodesASCII.txt`: names of first-order regions by their codes (`DE.02`).
    public static func admin1Codes(path: String) throws -> [String: String] {
        var names: [String: String] = [:]
        try GzipReader.forEachLine(of: path) { line in
            let fields = line.split(separator: 0x09, maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count >= 2, !fields[0].isEmpty, !fields[1].isEmpty else { return }
            names[String(decoding: fields[0], as: UTF8.self)] = String(decoding: fields[1], as: UTF8.self)
        }
        return names
    }

    enum LineFault: String, Error {
        case columns = "GeoNames: line without 19 columns"
        case number = "GeoNames: line without a number"
        case name = "GeoNames: line without a name"
        case coordinates = "GeoNames: line with coordinates off the globe"
    }

    /// Reads one line.
    static func place(_ line: UnsafeBufferPointer<UInt8>) -> Result<GeoNamesPlace, LineFault> {
        var line = line
        if line.last == 0x0D { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
        let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
        guard fields.count == 19 else { return .failure(.columns) }
        func text(_ index: Int) -> String { TableText.clean(String(decoding: fields[index], as: UTF8.self)) }
        guard let id = Int64(text(0)), id > 0 else { return .failure(.number) }
        let name = text(1)
        guard !name.isEmpty, name.utf8.count <= 400 else { return .failure(.name) }
        guard let latitude = Double(text(4)), let longitude = Double(text(5)) else { return .failure(.coordinates) }
        let location = Coordinate(latitude: latitude, longitude: longitude)
        guard location.isValid else { return .failure(.coordinates) }
        var seen: Set<String> = [name]
        let others = fields[3].split(separator: 0x2C).prefix(500).map {
            TableText.clean(String(decoding: $0, as: UTF8.self))
        }
        .filter { isName($0) && seen.insert($0).inserted }
        let country = text(8).uppercased()
        return .success(
            GeoNamesPlace(
                id: id, name: name, otherNames: others, location: location, featureClass: text(6), featureCode: text(7),
                country: country.utf8.count == 2 ? country : "", regionCode: text(10),
                population: max(0, Int(text(14)) ?? 0), elevation: Int(text(15)), timeZone: text(17)))
    }

    /// Whether another name is one: no airport code, no web address, no transliteration by machine (all small letters).
    private static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, name.utf8.count <= 400 else { return false }
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        if isASCII, name.utf8.count <= 3, name.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) { return false }
        if isASCII, first.properties.isLowercase { return false }
        return !name.contains("://") && !name.contains(";")
    }
}

extension OutsideFeature {
    /// What a place of GeoNames is in a gazetteer; nil for what nobody asks for (undersea features, roads, areas of
    /// statistics).
    init?(_ place: GeoNamesPlace, regions: [String: String] = [:]) {
        guard let kind = GeoNamesKind(place) else { return nil }
        var tags: [Tags.Pair] = [.init(key: "name", value: place.name)]
        if !place.otherNames.isEmpty {
            tags.append(.init(key: "alt_name", value: place.otherNames.joined(separator: ";")))
        }
        if kind.category == "place" { tags.append(.init(key: "place", value: kind.type)) }
        if place.featureCode == "PPLC" { tags.append(.init(key: "capital", value: "yes")) }
        if place.population > 0 { tags.append(.init(key: "population", value: String(place.population))) }
        if let elevation = place.elevation { tags.append(.init(key: "ele", value: String(elevation))) }
        if !place.timeZone.isEmpty { tags.append(.init(key: "timezone", value: place.timeZone)) }
        if !place.regionCode.isEmpty, let region = regions[place.country + "." + place.regionCode] {
            tags.append(.init(key: "is_in:state", value: region))
        }
        self.init(
            number: place.id, kind: kind.kind, category: kind.category, type: kind.type, location: place.location,
            tags: Tags(tags), country: place.country.isEmpty ? nil : place.country.lowercased(),
            adminLevel: kind.adminLevel, population: place.population > 0 ? place.population : nil)
    }
}

/// What GeoNames' classes and codes mean in OpenStreetMap's words.
struct GeoNamesKind {
    var kind: FeatureKind
    var category: String
    var type: String
    var adminLevel: Int?

    init(_ kind: FeatureKind, _ category: String, _ type: String, _ adminLevel: Int? = nil) {
        self.kind = kind
        self.category = category
        self.type = type
        self.adminLevel = adminLevel
    }

    init?(_ place: GeoNamesPlace) {
        switch place.featureClass {
        case "P":
            self = Self.places[place.featureCode] ?? Self.settlement(place)
        case "A":
            guard let known = Self.areas[place.featureCode] else { return nil }
            self = known
        case "H", "L", "S", "T", "V":
            guard let known = Self.things[place.featureCode] else { return nil }
            self = known
        default: return nil
        }
    }

    /// City, town or village by its people; capitals are cities whatever their size.
    private static func settlement(_ place: GeoNamesPlace) -> Self {
        if place.featureCode == "PPLC" || place.population >= 100_000 { return Self(.place, "place", "city") }
        return Self(.place, "place", place.population >= 10_000 ? "town" : "village")
    }

    private static let places: [String: Self] = [
        "PPLX": Self(.suburb, "place", "suburb"), "PPLL": Self(.place, "place", "hamlet"),
        "PPLF": Self(.place, "place", "hamlet"), "PPLH": Self(.otherNatural, "place", "locality"),
        "PPLQ": Self(.otherNatural, "place", "locality"), "PPLW": Self(.otherNatural, "place", "locality"),
    ]

    private static let areas: [String: Self] = [
        "PCLI": Self(.country, "boundary", "administrative", 2),
        "PCLD": Self(.country, "boundary", "administrative", 2),
        "PCLF": Self(.country, "boundary", "administrative", 2),
        "PCLS": Self(.country, "boundary", "administrative", 2),
        "PCLIX": Self(.country, "boundary", "administrative", 2),
        "PCL": Self(.country, "boundary", "administrative", 2),
        "TERR": Self(.country, "boundary", "administrative", 2),
        "ADM1": Self(.region, "boundary", "administrative", 4), "ADM2": Self(.county, "boundary", "administrative", 6),
        "ADM3": Self(.municipality, "boundary", "administrative", 8),
        "ADM4": Self(.municipality, "boundary", "administrative", 8),
        "ADM5": Self(.suburb, "boundary", "administrative", 9),
    ]

    /// Water, parks, mountains and things that people look for by name.
    private static let things: [String: Self] = [
        "LK": Self(.water, "natural", "water"), "LKS": Self(.water, "natural", "water"),
        "RSV": Self(.water, "natural", "water"), "PND": Self(.water, "natural", "water"),
        "LGN": Self(.water, "natural", "water"), "STM": Self(.water, "waterway", "river"),
        "STMI": Self(.water, "waterway", "stream"), "CNL": Self(.water, "waterway", "canal"),
        "BAY": Self(.water, "natural", "bay"), "GULF": Self(.water, "natural", "bay"),
        "STRT": Self(.water, "natural", "strait"), "SPNG": Self(.water, "natural", "spring"),
        "FLLS": Self(.water, "waterway", "waterfall"), "GLCR": Self(.otherNatural, "natural", "glacier"),
        "SEA": Self(.otherNatural, "place", "sea"), "OCN": Self(.otherNatural, "place", "ocean"),
        "HBR": Self(.water, "natural", "bay"),
        "MT": Self(.peak, "natural", "peak"), "PK": Self(.peak, "natural", "peak"),
        "HLL": Self(.peak, "natural", "peak"),
        "VLC": Self(.peak, "natural", "volcano"), "MTS": Self(.peak, "natural", "mountain_range"),
        "PASS": Self(.peak, "mountain_pass", "yes"), "RDGE": Self(.peak, "natural", "ridge"),
        "ISL": Self(.otherNatural, "place", "island"), "ISLS": Self(.otherNatural, "place", "archipelago"),
        "CAPE": Self(.otherNatural, "natural", "cape"), "BCH": Self(.otherNatural, "natural", "beach"),
        "VAL": Self(.otherNatural, "natural", "valley"), "DSRT": Self(.otherNatural, "natural", "desert"),
        "PEN": Self(.otherNatural, "natural", "peninsula"), "CLF": Self(.otherNatural, "natural", "cliff"),
        "PRK": Self(.park, "leisure", "park"), "RESN": Self(.park, "leisure", "nature_reserve"),
        "RESW": Self(.park, "leisure", "nature_reserve"), "FRST": Self(.otherNatural, "natural", "wood"),
        "CONT": Self(.otherNatural, "place", "continent"), "LCTY": Self(.otherNatural, "place", "locality"),
        "AIRP": Self(.pointOfInterest, "aeroway", "aerodrome"), "RSTN": Self(.stop, "railway", "station"),
        "RSTP": Self(.stop, "railway", "halt"), "MTRO": Self(.stop, "railway", "station"),
        "BUSTN": Self(.stop, "amenity", "bus_station"), "FY": Self(.stop, "amenity", "ferry_terminal"),
        "PRT": Self(.pointOfInterest, "harbour", "yes"), "HTL": Self(.pointOfInterest, "tourism", "hotel"),
        "GHSE": Self(.pointOfInterest, "tourism", "guest_house"), "MUS": Self(.pointOfInterest, "tourism", "museum"),
        "ZOO": Self(.pointOfInterest, "tourism", "zoo"), "REST": Self(.pointOfInterest, "amenity", "restaurant"),
        "HSP": Self(.pointOfInterest, "amenity", "hospital"), "SCH": Self(.pointOfInterest, "amenity", "school"),
        "UNIV": Self(.pointOfInterest, "amenity", "university"), "SCHC": Self(.pointOfInterest, "amenity", "college"),
        "LIBR": Self(.pointOfInterest, "amenity", "library"), "THTR": Self(.pointOfInterest, "amenity", "theatre"),
        "OPRA": Self(.pointOfInterest, "amenity", "theatre"), "PO": Self(.pointOfInterest, "amenity", "post_office"),
        "PP": Self(.pointOfInterest, "amenity", "police"), "EMBS": Self(.pointOfInterest, "office", "diplomatic"),
        "CH": Self(.pointOfInterest, "amenity", "place_of_worship"),
        "MSQE": Self(.pointOfInterest, "amenity", "place_of_worship"),
        "TMPL": Self(.pointOfInterest, "amenity", "place_of_worship"),
        "SYG": Self(.pointOfInterest, "amenity", "place_of_worship"),
        "CSTL": Self(.pointOfInterest, "historic", "castle"), "PAL": Self(.pointOfInterest, "historic", "castle"),
        "MNMT": Self(.pointOfInterest, "historic", "monument"), "RUIN": Self(.pointOfInterest, "historic", "ruins"),
        "TOWR": Self(.pointOfInterest, "man_made", "tower"), "LTHSE": Self(.pointOfInterest, "man_made", "lighthouse"),
        "STDM": Self(.pointOfInterest, "leisure", "stadium"), "MALL": Self(.pointOfInterest, "shop", "mall"),
        "CMTY": Self(.park, "landuse", "cemetery"), "BDG": Self(.pointOfInterest, "man_made", "bridge"),
    ]
}

import Gazetteer
import Geometry
import OpenStreetMap

/// What the asker wants to see of each result.
struct AnswerOptions {
    var addressDetails: Bool
    var nameDetails: Bool
    var extraTags: Bool
    var geoJSON: Bool
    /// Well-known text, SVG path, KML.
    var geometryText: Bool
    var geometrySVG: Bool
    var geometryKML: Bool
    /// Entrances of buildings.
    var entrances = false
    /// By how many degrees shapes may be off.
    var threshold = 0.0
    var showsGeometry: Bool { geoJSON || geometryText || geometrySVG || geometryKML }
    var languages: [String]
    var callback: String?
    var query = ""
    var viewboxText: String?
    var excluded: String?

    /// Names in these languages, and nothing beyond the address; the shape where it is wanted.
    init(languages: [String], geoJSON: Bool = false) {
        addressDetails = true
        nameDetails = false
        extraTags = false
        self.geoJSON = geoJSON
        geometryText = false
        geometrySVG = false
        geometryKML = false
        self.languages = languages
    }

    init(_ parameters: Parameters, form: NominatimForm, detailsByDefault: Bool = false) throws {
        addressDetails = parameters.flag("addressdetails", default: detailsByDefault)
        nameDetails = parameters.flag("namedetails", default: false)
        extraTags = parameters.flag("extratags", default: false)
        geoJSON = parameters.flag("polygon_geojson", default: false)
        geometryText = parameters.flag("polygon_text", default: false)
        geometrySVG = parameters.flag("polygon_svg", default: false)
        geometryKML = parameters.flag("polygon_kml", default: false)
        languages = parameters.languages
        entrances = parameters.flag("entrances", default: false)
        threshold = max(0, try parameters.number("polygon_threshold") ?? 0)
        // The GeoJSON forms show no shape of another kind, so those do not count there.
        let others = form == .geojson || form == .geocodejson ? [] : [geometryText, geometrySVG, geometryKML]
        guard ([geoJSON] + others).filter({ $0 }).count <= 1 else {
            throw NominatimError(status: 400, message: "Too many polygon output options selected.")
        }
        if let name = parameters["json_callback"], !name.isEmpty {
            let isName =
                name.utf8.allSatisfy {
                    (0x61...0x7a).contains($0 | 0x20) || (0x30...0x39).contains($0)
                        || [0x5f, 0x24, 0x2e, 0x5b, 0x5d].contains($0)
                } && name.first.map { !$0.isNumber } == true
            callback = isName ? name : nil
            if !isName, form != .xml {
                throw NominatimError(status: 400, message: "Invalid json_callback value")
            }
        }
    }
}

/// Whose data a result is.
struct Licence: Hashable {
    /// What must be shown beside the result.
    var sentence: String
    /// The licence by its name.
    var name: String

    /// In Nominatim's words.
    static let openStreetMap = Licence(
        sentence: "Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright", name: "ODbL")

    private init(sentence: String, name: String) {
        self.sentence = sentence
        self.name = name
    }

    /// The source's own; that of OpenStreetMap where none is known.
    init(_ source: GazetteerSource?) {
        guard let source, !source.attribution.contains("OpenStreetMap") else {
            self = .openStreetMap
            return
        }
        let holder = source.attribution.hasPrefix("© ") ? String(source.attribution.dropFirst(2)) : source.attribution
        let mark = source.licence == "public domain" ? "" : "Data © "
        self.init(sentence: "\(mark)\(holder), \(source.licence)", name: source.licence)
    }

    /// Those of all results together, each once; OpenStreetMap's where there is no result.
    static func together(_ results: [NominatimResult]) -> Licence {
        var each: [Licence] = []
        for result in results where !each.contains(result.licence) { each.append(result.licence) }
        guard each.count > 1 else { return each.first ?? .openStreetMap }
        return Licence(
            sentence: each.map(\.sentence).joined(separator: "; "), name: each.map(\.name).joined(separator: "; "))
    }
}

/// One result with all that the forms show.
struct NominatimResult {
    var feature: Feature
    var placeID: Int64
    var osm: OSMID?
    /// Whose data it is: the sentence that must be shown beside it, and the licence by its name.
    var licence: Licence
    var location: Coordinate
    var category: String
    var type: String
    var placeRank: Int
    var addressRank: Int
    var importance: Double
    var addressType: String
    var name: String
    var displayName: String
    var address: AddressParts
    var box: BoundingBox
    /// The ISO 3166-2 code of an address part, by its label.
    var codes: [String: (label: String, code: String)] = [:]
    /// The entrances of a building, where they were asked for.
    var entrances: [Entrance] = []
    /// Lines and rings where the geometry was asked for.
    var geometry: SpatialGeometry?

    /// Whether the number was found within an interpolated line or a list of numbers.
    var houseNumberIsFound = false

    var isPlace: Bool { feature.kind.rawValue <= FeatureKind.postcode.rawValue }

    /// The layer that the result belongs to.
    var layer: NominatimLayer { houseNumberIsFound ? .address : NominatimLayer(feature) }

    /// Several gazetteers number their features from 1: the place in the list keeps them apart.
    static let placesInGazetteer: Int64 = 1_000_000_000_000

    init(_ match: GeocodeMatch, _ gazetteer: Gazetteer, _ index: Int, _ options: AnswerOptions) throws {
        try self.init(
            match.feature, gazetteer, index, options, location: match.location, houseNumber: match.houseNumber)
        if match.crossing != nil { box = BoundingBox(around: match.location, metres: 25) }
    }

    init(
        _ feature: Feature, _ gazetteer: Gazetteer, _ index: Int, _ options: AnswerOptions, location: Coordinate? = nil,
        houseNumber: String? = nil
    ) throws {
        self.feature = feature
        placeID = feature.id &+ Int64(index) &* Self.placesInGazetteer
        osm = feature.osm
        licence = try feature.osm == nil ? Licence(gazetteer.source(of: feature)) : .openStreetMap
        self.location = location ?? feature.location
        category = feature.category
        type = feature.type
        placeRank = feature.searchRank
        addressRank = feature.rank
        importance = feature.importance
        houseNumberIsFound = houseNumber != nil
        if houseNumber != nil {
            category = "place"
            type = "house"
            placeRank = 30
        }
        address = try gazetteer.address(of: feature, languages: options.languages, houseNumber: houseNumber)
        let own = address.parts.first
        name = own.map { $0.feature == feature.id ? $0.name : "" } ?? ""
        if feature.kind == .postcode {
            name = feature.postcode ?? feature.name ?? ""
            if let place = address.parts.firstIndex(where: { $0.label == "postcode" }) {
                address.parts.insert(address.parts.remove(at: place), at: 0)
            }
        }
        addressType =
            houseNumber != nil || feature.kind == .address
            ? "place"
            : feature.kind == .postcode
                ? "postcode"
                : own.map { $0.feature == feature.id ? $0.label : feature.category } ?? feature.category
        displayName = Self.displayName(address)
        box = feature.boundingBox
        if houseNumber != nil || (box.west == box.east && box.south == box.north) {
            let isHouse = houseNumber != nil || feature.kind == .address
            let reach = Self.reach(rank: isHouse ? 30 : feature.searchRank)
            box = BoundingBox(
                west: self.location.longitude - reach, south: self.location.latitude - reach,
                east: self.location.longitude + reach, north: self.location.latitude + reach)
        }
        if options.showsGeometry, houseNumber == nil {
            geometry = try (gazetteer.outline(of: feature) ?? gazetteer.mapOutline(of: feature))?
                .normalized().simplified(options.threshold)
        }
        if options.entrances, feature.osm.map({ $0.type != .node }) == true, feature.rank == 30,
            let shape = try gazetteer.outline(of: feature) ?? gazetteer.mapOutline(of: feature)
        {
            entrances = try gazetteer.entrances(on: shape)
        }
        for part in address.parts {
            guard let id = part.feature, let code = try gazetteer.place(id)?.tags["ISO3166-2"] else { continue }
            codes[part.label] = ("ISO3166-2-lvl\(max(part.rank / 2, 2))", code)
        }
    }

    /// One way of the street stands for it: with its middle, or the spot on it that is nearest to a point.
    mutating func take(_ way: StreetWay, near point: Coordinate? = nil, options: AnswerOptions) {
        guard let first = way.line.first else { return }
        if let id = way.osm { osm = id }
        box = way.line.reduce(into: BoundingBox(first)) { $0.extend(by: $1) }
        location = point.map { DegreeLine.nearest(to: $0, on: way.line) } ?? DegreeLine.middle(of: way.line)
        if options.showsGeometry { geometry = SpatialGeometry.line(way.line).simplified(options.threshold) }
    }

    /// The place node that is one with a boundary stands for it, with its own point.
    mutating func take(_ place: LinkedPlace) {
        osm = place.osm
        category = "place"
        type = place.type
        location = place.location
    }

    /// Replaces the address by one that was made for another point, such as the asked one.
    mutating func take(_ address: AddressParts) {
        self.address = address
        displayName = Self.displayName(address)
    }

    private static func displayName(_ address: AddressParts) -> String {
        var shown: [String] = []
        for part in address.parts where part.label != "country_code" && part.name != shown.last {
            shown.append(part.name)
        }
        return shown.joined(separator: ", ")
    }

    /// How far around its point a place of some rank is taken to reach, in degrees.
    private static func reach(rank: Int) -> Double {
        switch rank {
        case ..<9: 2
        case 9...12: 0.5
        case 13...16: 0.16
        case 17: 0.08
        case 18...19: 0.04
        case 20...21: 0.02
        case 22...25: 0.01
        case 26...27: 0.005
        default: 0.00005
        }
    }

    /// The address as pairs of label and name, each label once.
    var addressPairs: [(label: String, name: String)] {
        var pairs: [(label: String, name: String)] = []
        for part in address.parts where !pairs.contains(where: { $0.label == part.label }) {
            pairs.append((part.label, part.name))
            if let code = codes[part.label] { pairs.append((code.label, code.code)) }
        }
        return pairs
    }

    /// Names in all languages, as the source has them.
    var names: [(String, String)] {
        feature.tags.pairs.filter { Names.isNameKey($0.key) && $0.key != "operator" }.map { ($0.key, $0.value) }
    }

    /// Tags that are neither names nor address nor the main tag.
    var extraTags: [(String, String)] {
        feature.tags.pairs.filter {
            !($0.key == feature.category && $0.value == feature.type) && !$0.key.hasPrefix("addr:")
                && (!Names.isNameKey($0.key) || $0.key == "operator")
        }.map { ($0.key, $0.value) }
    }
}

import Geometry
import OpenStreetMap

/// Where data came from, as the atlas tells it.
public struct GazetteerSource: Sendable, Equatable {
    public var name: String
    public var licence: String
    public var attribution: String

    public init(name: String, licence: String, attribution: String) {
        self.name = name
        self.licence = licence
        self.attribution = attribution
    }
}

/// What the writer must be told.
public struct GazetteerOptions: Sendable {
    /// The country (ISO 3166-1 alpha-2, small letters) at a place, from outlines. `admin_level=2` areas of the data with
    /// their ISO code take precedence.
    public var country: @Sendable (Coordinate) -> String?
    /// Whether what several sources have is kept once.
    public var foldsSources: Bool

    public init(country: @escaping @Sendable (Coordinate) -> String? = { _ in nil }, foldsSources: Bool = false) {
        self.country = country
        self.foldsSources = foldsSources
    }
}

/// A feature from a source that is not OpenStreetMap, such as a table of towns or outlines of countries.
public struct OutsideFeature: Sendable {
    /// The source's own number.
    public var number: Int64?
    public var kind: FeatureKind
    /// Key and value as a main tag would have them: `place` and `city`, `boundary` and `administrative`.
    public var category: String
    public var type: String
    public var location: Coordinate
    public var polygons: [OSMArea.Polygon]
    /// Names in every language and whatever else is worth telling.
    public var tags: Tags
    public var country: String?
    public var adminLevel: Int?
    public var population: Int?

    public init(
        number: Int64?, kind: FeatureKind, category: String, type: String, location: Coordinate,
        polygons: [OSMArea.Polygon] = [], tags: Tags, country: String? = nil, adminLevel: Int? = nil,
        population: Int? = nil
    ) {
        self.number = number
        self.kind = kind
        self.category = category
        self.type = type
        self.location = location
        self.polygons = polygons
        self.tags = tags
        self.country = country
        self.adminLevel = adminLevel
        self.population = population
    }
}

/// What came of an import, and what was left out and why.
public struct GazetteerReport: Sendable, Equatable {
    /// Features written, by kind.
    public var features: [FeatureKind: Int] = [:]
    /// What was left out or had to be guessed, counted by reason.
    public var skipped: [String: Int] = [:]
    /// Features written, by the number of their source.
    public var written: [Int: Int] = [:]
    /// What an earlier source, or an earlier row, had already, by the number of the source.
    public var folded: [Int: Int] = [:]

    public init() {}

    mutating func skip(_ reason: String, by count: Int = 1) {
        if count > 0 { skipped[reason, default: 0] += count }
    }
}

/// A step of `GazetteerWriter.finish`.
public struct GazetteerProgress: Sendable {
    public var phase: String
    /// 0 to 1 within `finish`.
    public var fraction: Double
}

/// Makes `gazetteer.sqlite` out of a stream of objects: relations first, then nodes, ways and areas.
///
///     let writer = try GazetteerWriter(path: path, source: source, options: options)
///     for relation in relations { writer.add(relation: relation) }
///     ... add(node:), add(way:), add(area:) ...
///     let report = try writer.finish()
///
/// The thinking (which places contain what, streets out of ways, parents of addresses) happens in `finish`. Until then
/// features are kept in memory, some 150 bytes each, texts once; tags and outlines lie in files without a name beside
/// the database. Used by one thread.
public final class GazetteerWriter {
    let path: String
    let options: GazetteerOptions
    let normalizer: TextNormalizer
    let map: MapWriter
    let kinds: PlaceKinds
    var sources: [GazetteerSource]
    var report = GazetteerReport()

    var texts = Interner()
    var features: [StagedFeature] = []
    /// Tags as JSON, one object after the other.
    let tagFile: ScratchFile
    /// Outlines as SpatiaLite blobs.
    let outlineFile: ScratchFile
    /// Buildings that are no features: see `keepBuilding`.
    let buildingFile: ScratchFile
    /// What went wrong with the scratch files; `finish` throws it.
    var scratchFailure: (any Error)?
    var outlines: [StagedOutline] = []
    var lines: [StagedLine] = []
    var linePoints: [Coordinate] = []
    var interpolations: [StagedInterpolation] = []

    /// Nodes that are kept, by their number: for interpolation lines, relations and labels.
    var nodeFeatures = NumberTable()
    var wayFeatures = NumberTable()

    // What relations say (pass 1).
    /// House to street, from associatedStreet relations: member ids as `OSMID` to a list of street ways.
    var associatedStreets: [OSMID: Int32] = [:]
    /// The same from `type=street` relations, which count less than `addr:street`.
    var gatheredStreets: [OSMID: Int32] = [:]
    var streetRelations: [(streets: [Int64], name: String?)] = []
    /// Boundary relation to its label and admin_centre nodes.
    var boundaryNodes: [Int64: (label: Int64?, centre: Int64?)] = [:]
    /// Waterway relation by its member ways.
    var waterwayMembers: [Int64: Int64] = [:]
    var waterways: [Int64: Waterway] = [:]
    var awaitedAreas: [Int64: AwaitedArea] = [:]
    /// Ways of awaited areas with the number of those that want them, and their lines.
    var awaitedWays: [Int64: Int] = [:]
    var awaitedLines: [Int64: [Coordinate]] = [:]
    /// Ways with `addr:interpolation`, resolved when all nodes are known.
    var interpolationWays: [InterpolationWay] = []

    /// What addresses call their street where it is another name than the street's own.
    var spellings: [Int32: Set<Int32>] = [:]
    /// Nodes with `entrance`, which buildings tell of.
    var entrances: [(id: Int64, location: Coordinate, tags: Tags)] = []

    /// Boundary to the place node that it took in.
    var linked: [Int: Int] = [:]
    /// Feature to the one that it was merged into.
    var mergedInto: [Int32: Int32] = [:]
    /// Text to its normalised form.
    var keyCache: [Int32: Int32] = [:]
    /// Sets of places that tags name: those of a town's houses are the same.
    var placeNames: [[PlaceName]] = []
    var placeNameNumbers: [[PlaceName]: Int32] = [:]
    /// Outlines of places in parts, by feature.
    var areaParts: [(feature: Int, parts: [[[Coordinate]]])] = []
    /// Sets of containing places, finest first, the postcode area last.
    var contexts: [[Int32]] = []
    var contextNumbers: [[Int32]: Int32] = [:]

    /// Sets of kinds of the lexicon, as texts of the interner.
    var kindSets: [[Int32]] = []
    var kindSetNumbers: [[Int32]: Int32] = [:]
    var cuisineKinds: [String: [Int32]] = [:]
    /// Relations of a kind that may come as no area, with a place on them as far as it is known.
    var gatherings: [Int64: Gathering] = [:]
    /// Members of those relations.
    var gathered: [OSMID: [Int64]] = [:]

    /// Postcodes of objects that are no features.
    var postcodeSpots: [(location: Coordinate, postcode: Int32, source: UInt16)] = []
    /// Postcodes out of tables.
    var stagedPostcodes: [StagedPostcode] = []

    struct Waterway {
        var tags: Tags
        var members: [Int64]
        var longest: (points: [Coordinate], length: Double)?
        var box: BoundingBox?
    }

    struct InterpolationWay {
        var way: Int64
        var nodes: [Int64]
        var locations: [Coordinate?]
        var tags: Tags
        var feature: Int32
    }

    /// - Parameter path: where the database is made; a file that stands there is replaced.
    public init(path: String, source: GazetteerSource, options: GazetteerOptions = GazetteerOptions()) throws {
        self.path = path
        self.options = options
        sources = [source]
        normalizer = try TextNormalizer.shared
        tagFile = try ScratchFile(path: path + "-tags")
        outlineFile = try ScratchFile(path: path + "-outlines")
        buildingFile = try ScratchFile(path: path + "-buildings")
        kinds = try PlaceKinds.bundled()
        map = try MapWriter(path: path + "-map", kinds: kinds)
    }

    /// Adds a further source; its number goes with `add(_:source:)`. At most 65,536.
    public func addSource(_ source: GazetteerSource) -> Int {
        sources.append(source)
        return sources.count - 1
    }

    // MARK: - Pass 1

    /// Takes note of relations that say how other objects belong together. Before all nodes, ways and areas.
    public func add(relation: OSMRelation) {
        map.add(relation: relation)
        gather(relation)
        switch relation.tags["type"] {
        case "associatedStreet", "street":
            let streets = relation.members.filter { $0.id.type == .way && $0.role == "street" }.map(\.id.number)
            guard !streets.isEmpty || relation.tags["name"] != nil else { return }
            let index = Int32(streetRelations.count)
            streetRelations.append((streets, relation.tags["name"]))
            // `type=street` gathers whatever lies along a street; only associatedStreet says where a house belongs.
            let isAddress = relation.tags["type"] == "associatedStreet"
            for member in relation.members where member.role != "street" {
                if isAddress { associatedStreets[member.id] = index } else { gatheredStreets[member.id] = index }
            }
        case "boundary", "multipolygon":
            guard FeatureTags(relation.tags, shape: .area) != nil else { return }
            expect(relation)
            let label = relation.members.first { $0.id.type == .node && $0.role == "label" }?.id.number
            let centre = relation.members.first { $0.id.type == .node && $0.role.hasPrefix("admin_cent") }?.id.number
            if label != nil || centre != nil { boundaryNodes[relation.id] = (label, centre) }
        case "waterway":
            guard relation.tags["name"] != nil, relation.tags["waterway"] != nil else { return }
            let members = relation.members.filter { $0.id.type == .way }.map(\.id.number)
            waterways[relation.id] = Waterway(tags: relation.tags, members: members)
            for member in members { waterwayMembers[member] = relation.id }
        default: break
        }
    }

    // MARK: - Pass 2

    public func add(node: OSMNode) {
        guard node.location.isValid else { return }
        map.add(node: node)
        if node.tags["entrance"] != nil { entrances.append((node.id, node.location, node.tags)) }
        locate(OSMID(.node, node.id), at: node.location, size: 0)
        guard let main = FeatureTags(node.tags, shape: .node) else {
            let id = OSMID(.node, node.id)
            if !addThing(id, tags: node.tags, at: node.location, box: BoundingBox(node.location)) {
                keepPostcode(of: node.tags, at: node.location)
            }
            return
        }
        let index = stage(
            main, id: OSMID(.node, node.id), tags: node.tags, location: node.location, box: BoundingBox(node.location))
        nodeFeatures.set(index, for: node.id)
    }

    public func add(way: OSMWay) {
        guard
            !way.tags.isEmpty || waterwayMembers[way.id] != nil || map.boundaryLevels[way.id] != nil
                || awaitedWays[way.id] != nil || gathered[OSMID(.way, way.id)] != nil
        else { return }
        let places = way.locations.compactMap { $0.flatMap { $0.isValid ? $0 : nil } }
        keepLine(of: way, places)
        locate(way, places)
        map.add(way: way, places: places)
        if let relation = waterwayMembers[way.id] { extend(waterway: relation, by: places) }
        guard !way.tags.isEmpty else { return }
        if way.tags["addr:interpolation"] != nil, way.tags["building"] == nil, AddressTags(way.tags).houseNumber == nil
        {
            interpolationWays.append(
                InterpolationWay(way: way.id, nodes: way.nodes, locations: way.locations, tags: way.tags, feature: -1))
            if FeatureTags(way.tags, shape: .line) == nil {
                addThing(way, places, isLine: true)
                return
            }
        }
        let isLine = !way.isClosed || Self.isLine(way.tags)
        guard let main = FeatureTags(way.tags, shape: isLine ? .line : .area) else {
            if !addThing(way, places, isLine: isLine), let first = places.first {
                keepPostcode(of: way.tags, at: first)
            }
            if !isLine { keepBuilding(way, places) }
            return
        }
        if isLine {
            guard !places.isEmpty else {
                report.skip("way without any node")
                return
            }
            if places.count < way.locations.count { report.skip("way with missing nodes, kept with the others") }
            addLine(way.id, main, tags: way.tags, points: places)
        } else {
            guard places.count == way.locations.count else {
                report.skip("outline with missing nodes")
                addThing(way, places, isLine: true)
                return
            }
            addArea(
                OSMID(.way, way.id), main, tags: way.tags, polygons: [OSMArea.Polygon(outer: places, inner: [])])
        }
    }

    /// Areas of closed ways come by `add(way:)` already and are passed over here.
    public func add(area: OSMArea) {
        guard area.id.type == .relation else { return }
        stopAwaiting(area.id.number)
        map.add(area: area)
        locate(area)
        guard let main = FeatureTags(area.tags, shape: .area) else {
            addThing(area)
            return
        }
        addArea(area.id, main, tags: area.tags, polygons: area.polygons)
    }

    /// Adds a feature of another source.
    public func add(_ outside: OutsideFeature, source: Int) {
        guard outside.location.isValid, sources.indices.contains(source) else {
            report.skip("feature outside the globe")
            return
        }
        let index = stage(
            FeatureTags(key: outside.category, value: outside.type), id: nil, tags: outside.tags,
            location: outside.location, box: BoundingBox(outside.location))
        let slot = Int(index)
        features[slot].source = UInt16(truncatingIfNeeded: source)
        features[slot].kind = outside.kind
        features[slot].number = outside.number ?? 0
        features[slot].country = texts.number(of: outside.country)
        if let level = outside.adminLevel, (1...15).contains(level) {
            features[slot].adminLevel = UInt8(level)
            if outside.category == "boundary", level >= 2, level <= 12 {
                features[slot].rank = UInt8(level * 2)
                features[slot].searchRank = UInt8(level * 2)
            }
        }
        if let population = outside.population { features[slot].population = UInt32(clamping: population) }
        if !outside.polygons.isEmpty { attach(outside.polygons, to: slot, keepsLocation: true) }
        map.add(outside)
    }

    /// Notes the postcode of an object that is no feature itself.
    private func keepPostcode(of tags: Tags, at location: Coordinate) {
        guard let postcode = tags["addr:postcode"], postcode.utf8.count <= 16, !postcode.contains(";") else { return }
        postcodeSpots.append((location, texts.number(of: postcode), 0))
    }

    /// Whether a closed way with these tags is a line all the same.
    private static func isLine(_ tags: Tags) -> Bool {
        if tags["area"] == "yes" { return false }
        if tags["area"] == "no" { return true }
        if let highway = tags["highway"] { return !["services", "rest_area", "platform"].contains(highway) }
        if let waterway = tags["waterway"] {
            return ["river", "stream", "canal", "ditch", "drain", "brook"].contains(waterway)
        }
        return tags["barrier"] != nil && tags.pairs.count <= 2
    }

    private func addLine(_ id: Int64, _ main: FeatureTags, tags: Tags, points: [Coordinate]) {
        guard var middle = LineReference.point(at: 0.5, of: DateLine.continued(points)) else { return }
        middle.longitude = BoundingBox.wrapped(middle.longitude)
        let pieces = DateLine.pieces(of: points)
        var box = BoundingBox(points[0])
        for point in pieces.joined() { box.extend(by: point) }
        let index = stage(main, id: OSMID(.way, id), tags: tags, location: middle, box: box)
        wayFeatures.set(index, for: id)
        if features[Int(index)].kind == .street || main.key == "waterway" {
            for piece in pieces {
                var box = BoundingBox(piece[0])
                for point in piece { box.extend(by: point) }
                addLine(id, feature: index, points: piece, box: box)
            }
        }
    }

    private func addLine(_ way: Int64, feature: Int32, points: [Coordinate], box: BoundingBox) {
        let start = linePoints.count
        linePoints.append(contentsOf: points)
        lines.append(
            StagedLine(
                way: way, feature: feature, points: start..<linePoints.count, box: box,
                length: LineReference.length(of: points)))
    }

    func addArea(_ id: OSMID, _ main: FeatureTags, tags: Tags, polygons: [OSMArea.Polygon]) {
        guard let first = polygons.first?.outer.first else {
            report.skip("outline without a ring")
            return
        }
        let polygons = polygons.flatMap { polygon in
            DateLine.pieces(ofPolygon: [polygon.outer] + polygon.inner).map {
                OSMArea.Polygon(outer: $0[0], inner: Array($0.dropFirst()))
            }
        }
        let index = stage(main, id: id, tags: tags, location: first, box: BoundingBox(first))
        if id.type == .way { wayFeatures.set(index, for: id.number) }
        attach(polygons, to: Int(index), keepsLocation: false)
        let isStreet = features[Int(index)].kind == .street
        if isStreet, let ring = polygons.max(by: { $0.outer.count < $1.outer.count })?.outer {
            addLine(id.type == .way ? id.number : 0, feature: index, points: ring, box: features[Int(index)].box)
        }
    }

    /// Stores the outline of a feature; its box and its point follow from it.
    private func attach(_ polygons: [OSMArea.Polygon], to slot: Int, keepsLocation: Bool) {
        var box = BoundingBox(west: .infinity, south: .infinity, east: -.infinity, north: -.infinity)
        var size = 0.0
        var largest: (size: Double, rings: [[Coordinate]])?
        for polygon in polygons {
            for point in polygon.outer { box.extend(by: point) }
            let rings = [polygon.outer] + polygon.inner
            let own = Polygon.area(rings)
            size += own
            if largest.map({ own > $0.size }) ?? true { largest = (own, rings) }
        }
        guard box.west <= box.east, box.west >= -180, box.east <= 180, box.south >= -90, box.north <= 90, let largest,
            let point = Polygon.representativePoint(largest.rings)
        else { return }
        features[slot].box = box
        if !keepsLocation { features[slot].location = point }
        let blob = keep(SpatialBlob.multipolygon(polygons), in: outlineFile)
        features[slot].outline = Int32(outlines.count)
        outlines.append(StagedOutline(feature: Int32(slot), blob: blob, box: box, size: size))
    }

    private func extend(waterway relation: Int64, by points: [Coordinate]) {
        guard var waterway = waterways[relation], let first = points.first else { return }
        var box = waterway.box ?? BoundingBox(first)
        for point in points { box.extend(by: point) }
        waterway.box = box
        let length = LineReference.length(of: points)
        if length >= waterway.longest?.length ?? -1 { waterway.longest = (points, length) }
        waterways[relation] = waterway
    }

    /// Puts a feature on the stage and returns its index.
    func stage(_ main: FeatureTags, id: OSMID?, tags: Tags, location: Coordinate, box: BoundingBox) -> Int32 {
        let address = AddressTags(tags)
        let level = tags["admin_level"].flatMap { Int($0) }
        let ranks = FeatureRanks(
            key: main.key, value: main.value, adminLevel: level, tags: tags, hasNumber: address.hasNumber)
        var tags = tags
        // A road or bridge without a name or number of its own goes by that of the bridge or tunnel.
        if tags["name"] == nil, tags["ref"] == nil, let name = tags["bridge:name"] ?? tags["tunnel:name"] {
            tags["name"] = name
        }
        var bytes: [UInt8] = []
        TagsJSON.append(FeatureTags.kept(tags), to: &bytes)
        // All areas of postcodes are alike, whether drawn or gathered.
        let shown = ranks.kind == .postcode ? FeatureTags(key: "place", value: "postcode") : main
        var feature = StagedFeature(
            main, id: id, ranks: ranks, key: texts.number(of: shown.key), value: texts.number(of: shown.value),
            name: texts.number(of: Names.best(of: tags, languages: [])), tags: keep(bytes, in: tagFile),
            location: location, box: box)
        feature.adminLevel = level.flatMap { (1...15).contains($0) ? UInt8($0) : nil } ?? 0
        feature.houseNumber = texts.number(of: address.houseNumber)
        feature.street = texts.number(of: address.street)
        feature.place = texts.number(of: address.place)
        feature.postcode = texts.number(of: address.postcode)
        if main.key == "boundary", main.value == "postal_code", feature.name < 0 { feature.name = feature.postcode }
        for pair in tags.pairs {
            switch pair.key {
            case "wikidata": feature.wikidata = texts.number(of: pair.value)
            case "capital":
                feature.isCapital = pair.value == "yes" || pair.value == "2"
                feature.isRegionalCapital = pair.value == "4"
            case "wikipedia": feature.hasArticle = true
            case "population": feature.population = Self.population(pair.value)
            case "addr:interpolation":
                if address.houseNumber != nil { feature.range = HouseNumber.RangeStep(tag: pair.value) }
            default: break
            }
        }
        feature.namedPlaces = placeNames(in: tags)
        feature.kinds = kindSet(of: tags)
        features.append(feature)
        return Int32(features.count - 1)
    }

    /// "1 234 567", "1,234,567", "12000 (2019)" ... as a number; 0 where there is none.
    private static func population(_ text: String) -> UInt32 {
        var value: UInt64 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + UInt64(byte - UInt8(ascii: "0"))
                if value > 20_000_000_000 { return 0 }
            case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "'"): continue
            default: return UInt32(clamping: value)
            }
        }
        return UInt32(clamping: value)
    }

    /// Appends bytes to a scratch file; where they lie.
    private func keep(_ bytes: [UInt8], in file: ScratchFile) -> Range<Int> {
        let start = file.end
        do { try file.append(bytes) } catch { scratchFailure = scratchFailure ?? error }
        return start..<start + bytes.count
    }

    /// A place that a tag names.
    struct PlaceName: Hashable {
        /// Index in `AddressTags.placeKeys`.
        var key: Int
        var name: Int32
    }

    /// The number of the set of places that these tags name (`addr:city` ...), -1 for none.
    func placeNames(in tags: Tags) -> Int32 {
        var names: [PlaceName] = []
        for pair in tags.pairs where pair.key.utf8.count > 6 && pair.key.hasPrefix("addr:") {
            if let key = AddressTags.placeKeys.firstIndex(where: { $0.key == pair.key }) {
                names.append(PlaceName(key: key, name: texts.number(of: pair.value)))
            }
        }
        guard !names.isEmpty else { return -1 }
        names.sort { $0.key < $1.key }
        if let known = placeNameNumbers[names] { return known }
        let made = Int32(placeNames.count)
        placeNames.append(names)
        placeNameNumbers[names] = made
        return made
    }

    /// The kept tags of a staged feature.
    func tags(of index: Int) -> Tags {
        do {
            return try tagFile.withBytes(in: features[index].tags) { TagsJSON.decode($0) } ?? Tags()
        } catch {
            scratchFailure = scratchFailure ?? error
            return Tags()
        }
    }

    /// Replaces the kept tags of a staged feature.
    func setTags(_ tags: Tags, of index: Int) {
        var bytes: [UInt8] = []
        TagsJSON.append(tags, to: &bytes)
        features[index].tags = keep(bytes, in: tagFile)
    }
}

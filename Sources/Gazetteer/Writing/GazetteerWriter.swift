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

    public init(country: @escaping @Sendable (Coordinate) -> String? = { _ in nil }) {
        self.country = country
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
/// features are kept in memory, about 300 bytes each; texts once. Used by one thread.
public final class GazetteerWriter {
    let path: String
    let options: GazetteerOptions
    let normalizer: TextNormalizer
    let map: MapWriter
    var sources: [GazetteerSource]
    var report = GazetteerReport()

    var texts = Interner()
    var features: [StagedFeature] = []
    /// Tags as JSON, one object after the other.
    var tagArena: [UInt8] = []
    /// Outlines as SpatiaLite blobs.
    var blobArena: [UInt8] = []
    var outlines: [StagedOutline] = []
    var lines: [StagedLine] = []
    var linePoints: [Coordinate] = []
    var interpolations: [StagedInterpolation] = []

    /// Nodes that are kept, by their number: for interpolation lines, relations and labels.
    var nodeFeatures: [Int64: Int32] = [:]
    var wayFeatures: [Int64: Int32] = [:]
    var relationFeatures: [Int64: Int32] = [:]

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
    var awaitedAreas: Set<Int64> = []
    /// Ways with `addr:interpolation`, resolved when all nodes are known.
    var interpolationWays: [InterpolationWay] = []

    /// Boundary to the place node that it took in.
    var linked: [Int: Int] = [:]
    /// Feature to the one that it was merged into.
    var mergedInto: [Int32: Int32] = [:]
    /// Text to its normalised form.
    var keyCache: [Int32: Int32] = [:]
    /// Outlines of places in parts, by feature.
    var areaParts: [(feature: Int, parts: [[[Coordinate]]])] = []
    /// Sets of containing places, finest first, the postcode area last.
    var contexts: [[Int32]] = []
    var contextNumbers: [[Int32]: Int32] = [:]

    /// Postcodes of objects that are no features.
    var postcodeSpots: [(location: Coordinate, postcode: Int32)] = []

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
        map = try MapWriter(
            path: path + "-map",
            categories: CategoryLexicon(
                text: GazetteerText.resource("lexicons/categories.tsv"), normalizer: normalizer))
    }

    /// Adds a further source; its number goes with `add(_:source:)`.
    public func addSource(_ source: GazetteerSource) -> Int {
        sources.append(source)
        return sources.count - 1
    }

    // MARK: - Pass 1

    /// Takes note of relations that say how other objects belong together. Before all nodes, ways and areas.
    public func add(relation: OSMRelation) {
        map.add(relation: relation)
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
            awaitedAreas.insert(relation.id)
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
        guard let main = FeatureTags(node.tags, shape: .node) else {
            keepPostcode(of: node.tags, at: node.location)
            return
        }
        let index = stage(
            main, id: OSMID(.node, node.id), tags: node.tags, location: node.location, box: BoundingBox(node.location))
        nodeFeatures[node.id] = index
    }

    public func add(way: OSMWay) {
        guard !way.tags.isEmpty || waterwayMembers[way.id] != nil || map.boundaryLevels[way.id] != nil else { return }
        let places = way.locations.compactMap { $0.flatMap { $0.isValid ? $0 : nil } }
        map.add(way: way, places: places)
        if let relation = waterwayMembers[way.id] { extend(waterway: relation, by: places) }
        guard !way.tags.isEmpty else { return }
        if way.tags["addr:interpolation"] != nil, way.tags["building"] == nil, AddressTags(way.tags).houseNumber == nil
        {
            interpolationWays.append(
                InterpolationWay(way: way.id, nodes: way.nodes, locations: way.locations, tags: way.tags, feature: -1))
            if FeatureTags(way.tags, shape: .line) == nil { return }
        }
        let isLine = !way.isClosed || Self.isLine(way.tags)
        guard let main = FeatureTags(way.tags, shape: isLine ? .line : .area) else {
            if let first = places.first { keepPostcode(of: way.tags, at: first) }
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
                return
            }
            addArea(
                OSMID(.way, way.id), main, tags: way.tags, polygons: [OSMArea.Polygon(outer: places, inner: [])])
        }
    }

    /// Areas of closed ways come by `add(way:)` already and are passed over here.
    public func add(area: OSMArea) {
        guard area.id.type == .relation else { return }
        awaitedAreas.remove(area.id.number)
        map.add(area: area)
        guard let main = FeatureTags(area.tags, shape: .area) else { return }
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
        features[slot].source = UInt8(truncatingIfNeeded: source)
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
        if let population = outside.population { features[slot].population = Int64(population) }
        if !outside.polygons.isEmpty { attach(outside.polygons, to: slot, keepsLocation: true) }
        map.add(outside)
    }

    /// Notes the postcode of an object that is no feature itself.
    private func keepPostcode(of tags: Tags, at location: Coordinate) {
        guard let postcode = tags["addr:postcode"], postcode.utf8.count <= 16, !postcode.contains(";") else { return }
        postcodeSpots.append((location, texts.number(of: postcode)))
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
        guard let middle = LineReference.point(at: 0.5, of: points) else { return }
        var box = BoundingBox(points[0])
        for point in points.dropFirst() { box.extend(by: point) }
        let index = stage(main, id: OSMID(.way, id), tags: tags, location: middle, box: box)
        wayFeatures[id] = index
        if features[Int(index)].kind == .street || main.key == "waterway" {
            addLine(id, feature: index, points: points, box: box)
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

    private func addArea(_ id: OSMID, _ main: FeatureTags, tags: Tags, polygons: [OSMArea.Polygon]) {
        guard let first = polygons.first?.outer.first else {
            report.skip("outline without a ring")
            return
        }
        let index = stage(main, id: id, tags: tags, location: first, box: BoundingBox(first))
        if id.type == .way { wayFeatures[id.number] = index } else { relationFeatures[id.number] = index }
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
        let start = blobArena.count
        blobArena.append(contentsOf: SpatialBlob.multipolygon(polygons))
        features[slot].outline = Int32(outlines.count)
        outlines.append(
            StagedOutline(feature: Int32(slot), blob: start..<blobArena.count, box: box, size: size))
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
        let kept = FeatureTags.kept(tags)
        let start = tagArena.count
        TagsJSON.append(kept, to: &tagArena)
        var feature = StagedFeature(
            number: id?.number ?? 0, osmType: id?.type.rawValue ?? 0, source: 0, kind: ranks.kind,
            rank: UInt8(ranks.address), searchRank: UInt8(ranks.search),
            adminLevel: level.flatMap { (1...15).contains($0) ? UInt8($0) : nil } ?? 0,
            key: texts.number(of: main.key), value: texts.number(of: main.value),
            name: texts.number(of: Names.best(of: tags, languages: [])), tags: start..<tagArena.count,
            location: location, box: box)
        feature.houseNumber = texts.number(of: address.houseNumber)
        feature.street = texts.number(of: address.street)
        feature.place = texts.number(of: address.place)
        feature.postcode = texts.number(of: address.postcode)
        if main.key == "boundary", main.value == "postal_code", feature.name < 0 { feature.name = feature.postcode }
        for pair in tags.pairs {
            switch pair.key {
            case "wikidata": feature.wikidata = texts.number(of: pair.value)
            case "capital": feature.isCapital = pair.value == "yes"
            case "wikipedia": feature.hasArticle = true
            case "population": feature.population = Self.population(pair.value)
            default:
                if pair.key.hasPrefix("addr:"), AddressTags.placeKeys.contains(where: { $0.key == pair.key }) {
                    feature.namesPlaces = true
                }
            }
        }
        features.append(feature)
        return Int32(features.count - 1)
    }

    /// "1 234 567", "1,234,567", "12000 (2019)" ... as a number; 0 where there is none.
    private static func population(_ text: String) -> Int64 {
        var value: Int64 = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                if value > 20_000_000_000 { return 0 }
            case UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "'"): continue
            default: return value
            }
        }
        return value
    }

    /// The kept tags of a staged feature.
    func tags(of index: Int) -> Tags {
        let range = features[index].tags
        return tagArena.withUnsafeBytes { TagsJSON.decode(UnsafeRawBufferPointer(rebasing: $0[range])) } ?? Tags()
    }

    /// Replaces the kept tags of a staged feature.
    func setTags(_ tags: Tags, of index: Int) {
        let start = tagArena.count
        TagsJSON.append(tags, to: &tagArena)
        features[index].tags = start..<tagArena.count
    }
}

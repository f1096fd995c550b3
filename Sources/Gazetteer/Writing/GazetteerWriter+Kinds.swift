import Geometry
import OpenStreetMap

/// Kinds of the lexicon: which ones an object is of, and features of those that nothing else makes one.
///
/// Every object that osmium would find by the tags of a kind, and that lies somewhere in the data, becomes a feature or
/// is named by the one that it went into.
extension GazetteerWriter {
    /// A relation of a kind, until its area comes. One that never comes lies at the middle of its largest member.
    struct Gathering {
        var tags: Tags
        var location: Coordinate?
        /// Square degrees of the member's box.
        var size = -1.0
    }

    // MARK: - Which kinds

    /// The number of the set of kinds of an object with these tags, -1 for none. Cuisines are kinds of their own.
    func kindSet(of tags: Tags) -> Int32 {
        var set = kinds.numbers(of: tags).map { texts.number(of: kinds.all[$0].name) }
        if let cuisine = tags["cuisine"] { set += cuisineKinds(cuisine) }
        guard !set.isEmpty else { return -1 }
        if let known = kindSetNumbers[set] { return known }
        let made = Int32(kindSets.count)
        kindSets.append(set)
        kindSetNumbers[set] = made
        return made
    }

    private func cuisineKinds(_ list: String) -> [Int32] {
        if let known = cuisineKinds[list] { return known }
        var made: [Int32] = []
        for cuisine in list.split(separator: ";").prefix(20) {
            let tokens = normalizer.tokens(String(cuisine).replacing("_", with: " "))
            let kind = texts.number(of: "cuisine=" + tokens.joined(separator: "_"))
            if !tokens.isEmpty, !made.contains(kind) { made.append(kind) }
        }
        cuisineKinds[list] = made
        return made
    }

    // MARK: - Features of a kind and of nothing else

    /// Makes a feature of an object that is of a kind, though nobody asks for it by a name. False for one of no kind.
    @discardableResult
    func addThing(_ id: OSMID, tags: Tags, at location: Coordinate, box: BoundingBox) -> Bool {
        guard let number = kinds.numbers(of: tags).first else { return false }
        let terms = kinds.all[number].tags.alternatives.first { $0.allSatisfy { $0.holds(tags) } }
        guard let key = terms?.first?.key, let value = tags[key] else { return false }
        let index = Int(stage(FeatureTags(key: key, value: value), id: id, tags: tags, location: location, box: box))
        features[index].kind = .thing
        features[index].rank = 30
        features[index].searchRank = 30
        return true
    }

    @discardableResult
    func addThing(_ way: OSMWay, _ places: [Coordinate], isLine: Bool) -> Bool {
        guard let first = places.first else { return false }
        var box = BoundingBox(first)
        for place in DateLine.continued(places) { box.extend(by: place) }
        guard
            let middle = isLine
                ? Self.middle(of: places) : Polygon.representativePoint([places]) ?? Self.middle(of: places)
        else { return false }
        return addThing(OSMID(.way, way.id), tags: way.tags, at: middle, box: Self.clamped(box, at: middle))
    }

    func addThing(_ area: OSMArea) {
        let rings = area.polygons.map { [$0.outer] + $0.inner }
        guard let largest = rings.max(by: { Polygon.area($0) < Polygon.area($1) }),
            let point = Polygon.representativePoint(largest) ?? largest.first?.first
        else { return }
        var box = BoundingBox(point)
        for place in area.polygons.map(\.outer).joined() { box.extend(by: place) }
        addThing(area.id, tags: area.tags, at: point, box: Self.clamped(box, at: point))
    }

    private static func middle(of line: [Coordinate]) -> Coordinate? {
        guard var middle = LineReference.point(at: 0.5, of: DateLine.continued(line)) ?? line.first else { return nil }
        middle.longitude = BoundingBox.wrapped(middle.longitude)
        return middle
    }

    /// The box of something over the date line is its point.
    private static func clamped(_ box: BoundingBox, at point: Coordinate) -> BoundingBox {
        box.west >= -180 && box.east <= 180 && box.east - box.west < 180 ? box : BoundingBox(point)
    }

    // MARK: - Relations that are no areas

    /// Notes a relation of a kind: a site, or a multipolygon that may turn out to be broken.
    func gather(_ relation: OSMRelation) {
        guard !kinds.numbers(of: relation.tags).isEmpty else { return }
        gatherings[relation.id] = Gathering(tags: relation.tags)
        for member in relation.members.prefix(10_000) { gathered[member.id, default: []].append(relation.id) }
    }

    func locate(_ way: OSMWay, _ places: [Coordinate]) {
        guard gathered[OSMID(.way, way.id)] != nil, let first = places.first, let middle = Self.middle(of: places)
        else {
            return
        }
        var box = BoundingBox(first)
        for place in places { box.extend(by: place) }
        locate(OSMID(.way, way.id), at: middle, size: (box.east - box.west) * (box.north - box.south))
    }

    /// An area that came: where it lies, for the relations that hold it; it is itself no longer waited for.
    func locate(_ area: OSMArea) {
        gatherings[area.id.number] = nil
        guard gathered[area.id] != nil else { return }
        for polygon in area.polygons {
            let rings = [polygon.outer] + polygon.inner
            if let point = Polygon.representativePoint(rings) { locate(area.id, at: point, size: Polygon.area(rings)) }
        }
    }

    func locate(_ member: OSMID, at location: Coordinate, size: Double) {
        guard let relations = gathered[member] else { return }
        for relation in relations where size > gatherings[relation]?.size ?? .infinity {
            gatherings[relation]?.location = location
            gatherings[relation]?.size = size
        }
    }

    /// Makes features of the relations that came as no area and that nothing else made one of.
    func finishGatherings() {
        var lost = 0
        for (relation, gathering) in gatherings.sorted(by: { $0.key < $1.key }) {
            guard let location = gathering.location else {
                lost += 1
                continue
            }
            addThing(
                OSMID(.relation, relation), tags: gathering.tags, at: location, box: BoundingBox(location))
        }
        report.skip("relation of a kind without a member in the data", by: lost)
        (gatherings, gathered) = ([:], [:])
    }

    // MARK: - Writing

    /// The objects of each kind, by the feature that they are or went into.
    func writeKinds(_ database: Database, _ identifiers: [Int64]) throws {
        struct Membership: Hashable {
            var kind: Int32
            /// Its place in `features`.
            var index: Int
        }
        let insert = try database.prepare(
            """
            INSERT OR IGNORE INTO feature_category(category, cell, feature, lon, lat, importance, objects)
            VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        func write(_ membership: Membership, _ objects: String?) throws {
            let feature = features[membership.index]
            insert.bind(1, texts[membership.kind])
            insert.bind(2, CategoryCell.number(of: feature.location))
            insert.bind(3, identifiers[membership.index])
            insert.bind(4, feature.location.longitude)
            insert.bind(5, feature.location.latitude)
            insert.bind(6, Double(feature.importance))
            insert.bind(7, objects)
            try insert.run()
        }
        func name(_ feature: StagedFeature) -> String? { feature.osm.map { "\($0.type.letter)\($0.number)" } }
        let takenIn = Dictionary(linked.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        var folded: [Membership: [String]] = [:]
        for index in features.indices where features[index].isDropped && features[index].kinds >= 0 {
            var target = index
            while let next = mergedInto[Int32(target)] ?? takenIn[target].map(Int32.init), features[target].isDropped {
                target = Int(next)
            }
            guard !features[target].isDropped, identifiers[target] > 0, let object = name(features[index]) else {
                continue
            }
            // A place node that is something else besides stays as that.
            let rest = features[index].osmType == OSMType.node.rawValue ? nodeFeatures[features[index].number] : nil
            let kept = rest.map {
                $0 != index && features[Int($0)].kinds >= 0 ? kindSets[Int(features[Int($0)].kinds)] : []
            }
            for kind in kindSets[Int(features[index].kinds)] where kept?.contains(kind) != true {
                folded[Membership(kind: kind, index: target), default: []].append(object)
            }
        }
        for index in features.indices where identifiers[index] > 0 && features[index].kinds >= 0 {
            for kind in kindSets[Int(features[index].kinds)] {
                let membership = Membership(kind: kind, index: index)
                let others = folded.removeValue(forKey: membership)
                try write(
                    membership, others.map { ([name(features[index])].compactMap { $0 } + $0).joined(separator: " ") })
            }
        }
        for (membership, objects) in folded { try write(membership, objects.joined(separator: " ")) }
    }
}

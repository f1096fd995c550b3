import Geometry
import OpenStreetMap

import Glibc

extension GazetteerWriter {
    /// Does the thinking and writes the database. The writer is spent afterwards.
    ///
    /// - Parameter progress: told the phase and how far it is; throw to stop.
    public func finish(progress: ((GazetteerProgress) throws -> Void)? = nil) throws -> GazetteerReport {
        func tell(_ phase: String, _ fraction: Double) throws {
            try progress?(GazetteerProgress(phase: phase, fraction: fraction))
        }
        mendAreas()
        try tell("places", 0)
        finishWaterways()
        finishGatherings()
        linkPlaces()
        if options.foldsSources { foldThings() }
        let hierarchy = buildHierarchy()
        try tell("streets", 0.1)
        mergeLines(hierarchy)
        makeInterpolations()
        try tell("containing places", 0.2)
        findContexts(hierarchy)
        try tell("addresses", 0.35)
        findParents()
        if options.foldsSources { foldAddresses() }
        centreStreetsOfRegisters()
        try tell("postcodes", 0.45)
        var alsoIn = placesNamedByAddresses()
        alsoIn.merge(makePostcodes(hierarchy)) { $0.union($1) }
        giveOnlyPostcodes()
        weigh()
        try tell("writing", 0.5)
        if let scratchFailure { throw scratchFailure }
        try write(alsoIn: alsoIn) { try tell($0, 0.5 + $1 / 2) }
        try tell("done", 1)
        return report
    }

    // MARK: - Places that only tags name

    /// For each street and address parent: names of places that tags give and no containing place bears.
    private func placesNamedByAddresses() -> [Int32: Set<Int32>] {
        var named: [Int32: Set<Int32>] = [:]
        var contextKeys: [Int32: Set<String>] = [:]
        struct Pair: Hashable {
            var context: Int32
            var names: Int32
        }
        // The names of a set that no place of a context bears: the same for all houses of a street.
        var foreign: [Pair: [Int32]] = [:]
        for index in features.indices where !features[index].isDropped && features[index].namedPlaces >= 0 {
            let feature = features[index]
            let holder = feature.kind == .street ? Int32(index) : feature.parent
            guard holder >= 0 else { continue }
            // What the street's own places are called; an address may lie in another place than its street.
            let context = features[Int(holder)].context
            let pair = Pair(context: context, names: feature.namedPlaces)
            if foreign[pair] == nil {
                if contextKeys[context] == nil {
                    var keys: Set<String> = []
                    if context >= 0 { for place in contexts[Int(context)] { keys.formUnion(nameKeys(of: Int(place))) } }
                    contextKeys[context] = keys
                }
                foreign[pair] = placeNames[Int(feature.namedPlaces)].map(\.name).filter {
                    contextKeys[context]?.contains(nameKey(texts[$0] ?? "")) == false
                }
            }
            if let names = foreign[pair], !names.isEmpty { named[holder, default: []].formUnion(names) }
        }
        return named
    }

    // MARK: - Postcodes

    /// A postcode as its country writes it.
    static func written(postcode: String, country: String?) -> String {
        let plain = postcode.split(separator: " ").joined(separator: " ").uppercased()
        if country == "ad" {
            let digits = plain.filter(\.isNumber)
            return digits.count == 3 ? "AD" + digits : plain
        }
        return plain
    }

    /// Gives streets and addresses the postcode that is nearest at hand, and makes a feature of each postcode.
    ///
    /// - Returns: names of places of postcodes, by feature.
    private func makePostcodes(_ hierarchy: PlaceHierarchy) -> [Int32: Set<Int32>] {
        struct Spot {
            var latitude = 0.0
            var longitude = 0.0
            var count = 0.0
            var box: BoundingBox?
            var sample = -1
            /// The first that tells of it.
            var source: UInt16?

            mutating func take(_ location: Coordinate, _ feature: Int?, source: UInt16) {
                self.source = min(self.source ?? source, source)
                latitude += location.latitude
                longitude += location.longitude
                count += 1
                if let feature { sample = feature }
                if box?.extend(by: location) == nil { box = BoundingBox(location) }
            }
        }
        struct Key: Hashable {
            var country: Int32
            var postcode: Int32
        }
        var spots: [Key: Spot] = [:]
        var ofStreet: [Int32: [Int32: Int]] = [:]
        var areas: Set<Key> = []
        var grid = GridIndex(cell: 0.01)
        var nearby: [(location: Coordinate, country: Int32, postcode: Int32)] = []
        for index in features.indices where !features[index].isDropped && features[index].postcode >= 0 {
            let feature = features[index]
            guard let text = texts[feature.postcode], text.utf8.count <= 16,
                !text.contains(where: { $0 == ";" || $0 == "," })
            else {
                features[index].postcode = Interner.none
                continue
            }
            let written = texts.number(of: Self.written(postcode: text, country: texts[feature.country]))
            features[index].postcode = written
            let key = Key(country: feature.country, postcode: written)
            if feature.kind == .postcode {
                areas.insert(key)
                features[index].name = written
                continue
            }
            // Postcodes of towns and counties say nothing of where the postcode lies.
            if isContainer(feature) && feature.rank < 16 { continue }
            spots[key, default: Spot()].take(feature.location, index, source: feature.source)
            if feature.parent >= 0, !feature.hasInheritedNumber {
                ofStreet[feature.parent, default: [:]][written, default: 0] += 1
            }
            if feature.rank >= 26 { nearby.append((feature.location, feature.country, written)) }
        }
        // Objects that nobody searches may carry a postcode all the same.
        for bare in postcodeSpots {
            let country = countryInside(bare.location, hierarchy) ?? options.country(bare.location)
            let key = Key(
                country: texts.number(of: country),
                postcode: texts.number(of: Self.written(postcode: texts[bare.postcode] ?? "", country: country)))
            spots[key, default: Spot()].take(bare.location, nil, source: bare.source)
            nearby.append((bare.location, key.country, key.postcode))
        }
        for (number, spot) in nearby.enumerated() { grid.insert(number, spot.location) }
        grid.build()
        for index in features.indices
        where !features[index].isDropped && features[index].postcode < 0 && features[index].kind == .street {
            let feature = features[index]
            if feature.context >= 0, let area = contexts[Int(feature.context)].last,
                features[Int(area)].kind == .postcode
            {
                features[index].postcode = features[Int(area)].postcode
            } else if feature.context >= 0,
                let place = contexts[Int(feature.context)].first(where: {
                    features[Int($0)].rank >= 13 && features[Int($0)].postcode >= 0
                })
            {
                features[index].postcode = features[Int(place)].postcode
            } else if let counts = ofStreet[Int32(index)],
                let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
            {
                features[index].postcode = most.key
            } else {
                var best: (distance: Double, postcode: Int32)?
                let point = feature.location
                grid.forEach(in: LocalPlane(origin: point).window(600)) { other in
                    guard nearby[other].country == feature.country else { return }
                    let distance = point.distance(to: nearby[other].location)
                    if distance < best?.distance ?? 600 { best = (distance, nearby[other].postcode) }
                }
                if let best { features[index].postcode = best.postcode }
            }
        }
        for (key, spot) in spots.sorted(by: { ($0.key.country, $0.key.postcode) < ($1.key.country, $1.key.postcode) })
        where !areas.contains(key) {
            guard let text = texts[key.postcode] else { continue }
            let point = Coordinate(latitude: spot.latitude / spot.count, longitude: spot.longitude / spot.count)
            let index = Int(
                stage(
                    FeatureTags(key: "place", value: "postcode"), id: nil, tags: ["name": text], location: point,
                    box: spot.box ?? BoundingBox(point)))
            features[index].kind = .postcode
            features[index].rank = 11
            features[index].searchRank = 21
            features[index].postcode = key.postcode
            features[index].country = key.country
            features[index].source = spot.source ?? 0
            // The places that contain its objects; finer ones than towns would say too much.
            let sample = spot.sample < 0 ? -1 : features[spot.sample].context
            if sample >= 0 {
                let coarse = contexts[Int(sample)].filter {
                    features[Int($0)].rank <= 12 && features[Int($0)].kind != .postcode
                }
                features[index].context = Int32(contexts.count)
                contexts.append(coarse)
            }
        }
        let known = Set(spots.keys).union(areas).map { (country: $0.country, code: $0.postcode) }
        return makePostcodesOfTables(known: known, hierarchy)
    }

    /// The country of an `admin_level=2` outline around a point.
    private func countryInside(_ point: Coordinate, _ hierarchy: PlaceHierarchy) -> String? {
        hierarchy.areas(at: point).map(Int.init)
            .filter { features[$0].rank == 4 && features[$0].country >= 0 }
            .min { hierarchy.size(of: Int32($0)) < hierarchy.size(of: Int32($1)) }
            .flatMap { texts[features[$0].country] }
    }

    // MARK: - Importance

    /// How well known a feature is, 0 to 1: its rank, its population, whether an encyclopaedia knows it, whether it is a
    /// capital, and how large it is, for waters, parks and islands.
    private func weigh() {
        for index in features.indices where !features[index].isDropped {
            let feature = features[index]
            var weight = 0.75 - Double(feature.searchRank) / 40
            if feature.population > 0 { weight = max(weight, 0.15 + 0.06 * log10(Double(feature.population))) }
            if feature.wikidata >= 0 || feature.hasArticle { weight += feature.searchRank >= 26 ? 0.1 : 0.05 }
            if feature.rank == 16, feature.isCapital { weight += 0.1 }
            if feature.rank == 16, feature.isRegionalCapital { weight += 0.03 }
            if feature.outline >= 0, [.water, .park, .otherNatural].contains(feature.kind) {
                // Square kilometres; a tenth of one says nothing yet, ten thousand are a great lake.
                let scale = 111.2 * 111.2 * cos(feature.location.latitude * .pi / 180)
                let size = outlines[Int(feature.outline)].size * scale
                weight += 0.02 * min(max(log10(max(size, 1e-9)) + 1, 0), 5)
            }
            features[index].importance = Float(min(max(weight, 0.00001), 1))
        }
    }
}

import Geometry
import OpenStreetMap

/// Administrative areas and places: linking them to each other, ranking them, and asking which ones contain a point.
extension GazetteerWriter {
    /// Whether a feature is a place that can contain others.
    func isContainer(_ feature: StagedFeature) -> Bool {
        switch feature.kind {
        case .country, .region, .county, .municipality, .place, .suburb:
            feature.rank > 0 && feature.rank < 25 && feature.name >= 0
        default: false
        }
    }

    /// Whether a point lies within an outline, by the even-odd rule over its encoded rings.
    func contains(_ point: Coordinate, outline: StagedOutline) -> Bool {
        guard outline.box.contains(point) else { return false }
        var inside = false
        withBlob(of: outline) { bytes in
            _ = SpatialBlob.forEachRun(bytes) { run, _ in
                if run.contains(point) { inside.toggle() }
            }
        }
        return inside
    }

    private func withBlob(of outline: StagedOutline, _ body: (UnsafeRawBufferPointer) -> Void) {
        do { try outlineFile.withBytes(in: outline.blob, body) } catch { scratchFailure = scratchFailure ?? error }
    }

    func polygons(of outline: StagedOutline) -> [[[Coordinate]]] {
        var geometry: SpatialGeometry?
        withBlob(of: outline) { geometry = SpatialBlob.decode($0) }
        if case .polygons(let polygons) = geometry { return polygons }
        return []
    }

    /// A name for comparing: the normalised tokens, joined.
    func nameKey(_ text: String) -> String {
        let number = texts.number(of: text)
        if let known = keyCache[number] { return texts[known] ?? "" }
        let key = normalizer.key(text)
        keyCache[number] = texts.number(of: key)
        return key
    }

    // MARK: - Linking

    /// Lets each boundary take in the place node that stands for the same thing: its label, the node with the same
    /// Wikidata item, or one of the same name and rank inside. The boundary then carries the node's names and point, and
    /// the node is no feature of its own any more (but as what else it may be, an island for instance).
    func linkPlaces() {
        let boundary = texts.known("boundary") ?? -2
        let administrative = texts.known("administrative") ?? -2
        let place = texts.known("place") ?? -2
        var byWikidata: [Int32: [Int]] = [:]
        var byName: [String: [Int]] = [:]
        for (index, feature) in features.enumerated()
        where feature.key == place && feature.source == 0 && feature.osmType != 0 {
            if feature.wikidata >= 0, feature.outline < 0 { byWikidata[feature.wikidata, default: []].append(index) }
            if feature.name >= 0, let name = texts[feature.name], isContainer(feature) {
                byName[nameKey(name), default: []].append(index)
            }
        }
        let boundaries = features.indices.filter {
            features[$0].key == boundary && features[$0].value == administrative && features[$0].outline >= 0
        }.sorted { (features[$0].searchRank, $0) < (features[$1].searchRank, $1) }
        var taken: Set<Int> = []
        func take(_ node: Int, into area: Int) {
            guard taken.insert(node).inserted else { return }
            link(node, into: area)
        }
        for area in boundaries {
            let feature = features[area]
            guard feature.osmType == OSMType.relation.rawValue, let nodes = boundaryNodes[feature.number],
                let label = nodes.label, let node = nodeFeatures[label]
            else { continue }
            // The label may be tagged as something else first.
            if features[Int(node)].key == place || tags(of: Int(node))["place"] != nil { take(Int(node), into: area) }
        }
        for area in boundaries where linked[area] == nil {
            let feature = features[area]
            let outline = outlines[Int(feature.outline)]
            if feature.osmType == OSMType.relation.rawValue, let centre = boundaryNodes[feature.number]?.centre,
                let node = nodeFeatures[centre].map(Int.init), features[node].key == place, !taken.contains(node),
                sharesName(area, node)
            {
                take(node, into: area)
                continue
            }
            if feature.wikidata >= 0,
                let node = byWikidata[feature.wikidata]?.first(where: {
                    !taken.contains($0) && contains(features[$0].location, outline: outline)
                })
            {
                take(node, into: area)
                continue
            }
            guard let name = texts[feature.name] else { continue }
            if let node = byName[nameKey(name)]?.first(where: {
                $0 != area && !taken.contains($0) && features[$0].rank == feature.rank
                    && (features[$0].wikidata < 0 || feature.wikidata < 0 || features[$0].wikidata == feature.wikidata)
                    && contains(features[$0].location, outline: outline)
            }) {
                take(node, into: area)
            }
        }
    }

    private func sharesName(_ first: Int, _ second: Int) -> Bool {
        let own = Set(tags(of: first).pairs.filter { Names.isNameKey($0.key) }.map { nameKey($0.value) })
        return tags(of: second).pairs.contains { Names.isNameKey($0.key) && own.contains(nameKey($0.value)) }
    }

    private func link(_ node: Int, into area: Int) {
        var areaTags = tags(of: area)
        let nodeTags = tags(of: node)
        let placeValue = nodeTags["place"] ?? "place"
        for pair in nodeTags.pairs where pair.key != "place" {
            if let own = areaTags[pair.key] {
                if pair.key == "name", own != pair.value { areaTags["place_name"] = pair.value }
            } else {
                areaTags[pair.key] = pair.value
            }
        }
        areaTags["linked_place"] = placeValue
        setTags(areaTags, of: area)
        features[area].name = texts.number(of: Names.best(of: areaTags, languages: []))
        if features[area].population == 0 { features[area].population = features[node].population }
        if features[area].wikidata < 0 { features[area].wikidata = features[node].wikidata }
        if features[node].isCapital { features[area].isCapital = true }
        if features[node].isRegionalCapital { features[area].isRegionalCapital = true }
        if features[node].hasArticle { features[area].hasArticle = true }
        if let ranks = FeatureRanks.place(placeValue), (13...24).contains(ranks.address), features[area].rank >= 10 {
            features[area].rank = UInt8(ranks.address)
        }
        if contains(features[node].location, outline: outlines[Int(features[area].outline)]) {
            features[area].location = features[node].location
        }
        linked[area] = node
        // What else the node is stays: an island, a harbour.
        var other = nodeTags
        other["place"] = nil
        if texts[features[node].key] != "place" { return }
        guard let main = FeatureTags(other, shape: .node), main.isMainKey, main.value != "house" else {
            features[node].isDropped = true
            return
        }
        let copy = features[node]
        features[node].isDropped = true
        let index = stage(main, id: copy.osm, tags: other, location: copy.location, box: copy.box)
        nodeFeatures.set(index, for: copy.number)
    }

    // MARK: - Hierarchy

    /// Ranks nested areas so that each is finer than what contains it, and builds the index of all places.
    func buildHierarchy() -> PlaceHierarchy {
        var hierarchy = PlaceHierarchy()
        var containers: [Int] = []
        for (index, feature) in features.enumerated() where feature.outline >= 0 && !feature.isDropped {
            let isPostcode = feature.kind == .postcode
            guard isPostcode || isContainer(feature) else { continue }
            let outline = outlines[Int(feature.outline)]
            let parts = polygons(of: outline).flatMap { AreaSubdivision.parts(of: $0, vertices: 64) }
            areaParts.append((index, parts))
            hierarchy.add(
                area: Int32(index), parts: parts, rank: 0, size: outline.size, isPostcode: isPostcode)
            if !isPostcode { containers.append(index) }
        }
        hierarchy.seal()
        containers.sort {
            (features[$0].rank, -outlines[Int(features[$0].outline)].size, $0)
                < (features[$1].rank, -outlines[Int(features[$1].outline)].size, $1)
        }
        // Ranks are 0 until set: what is asked is always ranked already, coarser or larger.
        for index in containers {
            var rank = features[index].rank
            if rank > 4 {
                let size = hierarchy.size(of: Int32(index))
                var coarsest: UInt8 = 0
                var isDouble = false
                for area in hierarchy.areas(at: features[index].location) where area != Int32(index) {
                    guard let other = hierarchy.ranks[area], other > 0, hierarchy.size(of: area) >= size else {
                        continue
                    }
                    // Areas of one level may overlap, but do not contain each other.
                    let level = features[index].adminLevel
                    if level == 0 || level != features[Int(area)].adminLevel { coarsest = max(coarsest, other) }
                    if features[index].wikidata >= 0, features[Int(area)].wikidata == features[index].wikidata {
                        isDouble = true
                    }
                }
                if isDouble {
                    rank = 0
                } else if rank <= coarsest {
                    rank = coarsest + 2 <= 24 ? coarsest + 2 : 0
                }
            }
            features[index].rank = rank
            hierarchy.setRank(rank, of: Int32(index))
        }
        let takenIn = Dictionary(linked.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        for index in features.indices {
            let feature = features[index]
            guard feature.outline < 0, isContainer(feature) else { continue }
            if feature.isDropped {
                guard let area = takenIn[index] else { continue }
                _ = hierarchy.add(
                    point: Int32(index), at: feature.location, rank: feature.rank,
                    searchRank: Int(feature.searchRank), isSettlement: feature.kind == .place, linkedTo: Int32(area))
            } else if feature.rank >= 13 {
                features[index].rank = hierarchy.add(
                    point: Int32(index), at: feature.location, rank: feature.rank,
                    searchRank: Int(feature.searchRank), isSettlement: feature.kind == .place, linkedTo: -1)
            }
        }
        hierarchy.sealPoints()
        return hierarchy
    }

    // MARK: - Contexts

    /// Finds country and containing places of every feature.
    func findContexts(_ hierarchy: PlaceHierarchy) {
        var countryOfArea: [Int32: Int32] = [:]
        for index in features.indices where features[index].rank == 4 && features[index].outline >= 0 {
            let tags = tags(of: index)
            let code = tags["ISO3166-1:alpha2"] ?? tags["ISO3166-1"] ?? tags["country_code_iso3166_1_alpha_2"]
            let known = features[index].country
            if known >= 0 {
                countryOfArea[Int32(index)] = known
            } else if let code, code.utf8.count == 2 {
                countryOfArea[Int32(index)] = texts.number(of: code.lowercased())
            } else if let code = options.country(features[index].location) {
                countryOfArea[Int32(index)] = texts.number(of: code)
            }
        }
        var placesByName: [String: [Int32]] = [:]
        if !placeNames.isEmpty {
            for index in features.indices where !features[index].isDropped && isContainer(features[index]) {
                for key in nameKeys(of: index) { placesByName[key, default: []].append(Int32(index)) }
            }
        }
        var countryCells = CountryCells(ask: options.country)
        for index in features.indices where !features[index].isDropped {
            let feature = features[index]
            let limit: UInt8 = isContainer(feature) ? feature.rank : 25
            var (places, postcode) = hierarchy.places(at: feature.location, below: limit, except: Int32(index))
            if feature.namedPlaces >= 0 {
                prefer(placesNamedBy: index, byName: placesByName, hierarchy: hierarchy, in: &places)
            }
            if feature.country < 0 {
                if feature.rank == 4, let own = countryOfArea[Int32(index)] {
                    features[index].country = own
                } else if let area = places.last(where: { countryOfArea[$0.feature] != nil }) {
                    features[index].country = countryOfArea[area.feature] ?? -1
                } else {
                    features[index].country = texts.number(of: countryCells.country(at: feature.location))
                }
            }
            var list = places.map(\.feature)
            if let postcode { list.append(postcode) }
            features[index].context = context(list)
        }
    }

    /// The number of a set of places.
    func context(_ list: [Int32]) -> Int32 {
        if let known = contextNumbers[list] { return known }
        let made = Int32(contexts.count)
        contexts.append(list)
        contextNumbers[list] = made
        return made
    }

    /// Names of a feature for comparing, without doubles.
    func nameKeys(of index: Int) -> [String] {
        var keys: [String] = []
        for pair in tags(of: index).pairs where Names.isNameKey(pair.key) && !Self.isNoOwnName(pair.key) {
            for name in pair.value.split(separator: ";") {
                let key = nameKey(String(name))
                if !key.isEmpty, !keys.contains(key) { keys.append(key) }
            }
        }
        return keys
    }

    private static func isNoOwnName(_ key: String) -> Bool {
        key == "operator" || key == "brand" || key == "ref" || key == "addr:housename" || key == "iata" || key == "icao"
    }

    /// Lets `addr:city` and its like decide where they name a place nearby that the outlines do not give.
    private func prefer(
        placesNamedBy index: Int, byName: [String: [Int32]], hierarchy: PlaceHierarchy,
        in places: inout [PlaceHierarchy.Found]
    ) {
        let point = features[index].location
        for named in placeNames[Int(features[index].namedPlaces)] {
            let ranks = AddressTags.placeKeys[named.key].ranks
            guard let candidates = byName[nameKey(texts[named.name] ?? "")] else { continue }
            if places.contains(where: { candidates.contains($0.feature) }) { continue }
            var best: (distance: Double, feature: Int32)?
            for candidate in candidates where candidate != Int32(index) {
                let feature = features[Int(candidate)]
                guard ranks.contains(Int(feature.rank)) || ranks.contains(Int(feature.searchRank)) || feature.rank == 16
                else { continue }
                let isArea = feature.outline >= 0
                // Between outlines of one rank the tag decides; where none holds the point, a touch makes none.
                if isArea, !places.contains(where: { $0.isArea && $0.rank == feature.rank }) { continue }
                let distance = point.distance(to: isArea ? feature.box.nearest(to: point) : feature.location)
                if distance < 15_000, distance < best?.distance ?? .infinity { best = (distance, candidate) }
            }
            guard let best else { continue }
            let rank = features[Int(best.feature)].rank
            // Finer places stay only inside the one named.
            let outline = features[Int(best.feature)].outline
            places.removeAll {
                $0.rank == rank
                    || $0.rank > rank && outline >= 0
                        && !contains(features[Int($0.feature)].location, outline: outlines[Int(outline)])
            }
            let position = places.firstIndex { $0.rank < rank } ?? places.count
            places.insert(.init(feature: best.feature, rank: rank, isArea: outline >= 0), at: position)
        }
    }
}

/// Countries at places, asked once for each cell of a grid where the whole cell lies in one country.
private struct CountryCells {
    let ask: @Sendable (Coordinate) -> String?
    private static let size = 0.05
    private var cells: [Int64: String??] = [:]

    init(ask: @escaping @Sendable (Coordinate) -> String?) { self.ask = ask }

    mutating func country(at point: Coordinate) -> String? {
        let column = (point.longitude / Self.size).rounded(.down)
        let row = (point.latitude / Self.size).rounded(.down)
        let key = Int64(row) << 32 | Int64(column) & 0xffff_ffff
        if let known = cells[key] {
            if let country = known { return country }
            return ask(point)
        }
        var corners: [String?] = []
        for (dx, dy) in [(0.0, 0.0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)] {
            corners.append(
                ask(Coordinate(latitude: (row + dy) * Self.size, longitude: (column + dx) * Self.size)))
        }
        let first = corners[0]
        let isUniform = corners.allSatisfy { $0 == first }
        cells[key] = .some(isUniform ? .some(first) : nil)
        return isUniform ? first : ask(point)
    }
}

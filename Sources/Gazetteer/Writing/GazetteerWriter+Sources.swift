import Geometry
import OpenStreetMap

/// A postal code out of a table: a code at a place. A code with several places comes several times.
public struct OutsidePostcode: Sendable {
    public var code: String
    /// ISO 3166-1 alpha-2, small letters.
    public var country: String
    /// The town or quarter that has the code; may be empty.
    public var place: String
    public var location: Coordinate
    /// Whether the table has all codes of the country as addresses bear them, rather than their beginnings.
    public var isWhole: Bool

    public init(code: String, country: String, place: String, location: Coordinate, isWhole: Bool) {
        self.code = code
        self.country = country
        self.place = place
        self.location = location
        self.isWhole = isWhole
    }
}

extension OutsideFeature {
    /// A thing known by tags, as an object of OpenStreetMap would be; nil for tags that nobody searches.
    public init?(tags: Tags, location: Coordinate) {
        guard let main = FeatureTags(tags, shape: .node), main.key != "boundary" else { return nil }
        let ranks = FeatureRanks(
            key: main.key, value: main.value, adminLevel: nil, tags: tags, hasNumber: AddressTags(tags).hasNumber)
        self.init(
            number: nil, kind: ranks.kind, category: main.key, type: main.value, location: location, tags: tags)
    }
}

/// Several sources in one gazetteer: what two of them have is kept once, as the earlier one has it.
extension GazetteerWriter {
    /// A postal code on its way into the database; texts are numbers of the interner.
    struct StagedPostcode {
        /// As its country writes it.
        var code: Int32
        var country: Int32
        var place: Int32
        var location: Coordinate
        var source: UInt16
        var isWhole: Bool
    }

    /// Adds a postal code. It becomes a feature where no object of the gazetteer bears it.
    public func add(_ postcode: OutsidePostcode, source: Int) {
        guard postcode.location.isValid, sources.indices.contains(source) else { return }
        stagedPostcodes.append(
            StagedPostcode(
                code: texts.number(of: Self.written(postcode: postcode.code, country: postcode.country)),
                country: texts.number(of: postcode.country),
                place: postcode.place.isEmpty ? Interner.none : texts.number(of: postcode.place),
                location: postcode.location, source: UInt16(truncatingIfNeeded: source), isWhole: postcode.isWhole))
    }

    /// Notes where a postal code is used by something that is no feature itself.
    public func add(postcode: String, at location: Coordinate, source: Int) {
        guard location.isValid, !postcode.isEmpty, postcode.utf8.count <= 16, !postcode.contains(";") else { return }
        postcodeSpots.append((location, texts.number(of: postcode), UInt16(truncatingIfNeeded: source)))
    }

    /// Counts something that another source, or an earlier row, has already.
    private func countFolded(_ index: Int, _ what: String) {
        countFolded(source: features[index].source, what)
    }

    private func countFolded(source: UInt16, _ what: String) {
        report.folded[Int(source), default: 0] += 1
        report.skip("\(sources[Int(source)].name): \(what)")
    }

    private func fold(_ index: Int, into target: Int, _ what: String) {
        features[index].isDropped = true
        mergedInto[Int32(index)] = Int32(target)
        countFolded(index, what)
    }

    // MARK: - Places and things

    /// Folds places and things of a later source into those of the same name and sort that an earlier one has at the same
    /// spot; before the places are ranked, so that nothing lies in its own double.
    func foldThings() {
        let outside = features.indices.filter { isFoldable(features[$0]) && features[$0].source > 0 }
        guard !outside.isEmpty, sources.count > 1 else { return }
        var wanted: Set<Int32> = []
        for index in outside { wanted.insert(foldingKey(features[index])) }
        // Shops are compared with what is beside them, places with what is far around.
        var places = NamedIndex(cell: 0.05)
        var points = NamedIndex(cell: 0.002)
        for number in features.indices where isFoldable(features[number]) {
            var keys = [foldingKey(features[number])]
            if features[number].name >= 0 { keys += nameKeys(of: number).compactMap { texts.known($0) } }
            for key in Set(keys) where wanted.contains(key) {
                if isPoint(features[number]) {
                    points.insert(Int32(number), named: key, features[number].box)
                } else {
                    places.insert(Int32(number), named: key, features[number].box)
                }
            }
        }
        for number in outside {
            let feature = features[number]
            let isPoint = isPoint(feature)
            let window = LocalPlane(origin: feature.location).window(isPoint ? Self.pointReach : Self.widestFold)
            var best: (difference: Int, distance: Double, index: Int32)?
            (isPoint ? points : places).forEach(named: foldingKey(feature), in: window) { candidate in
                guard Int(candidate) != number, !features[Int(candidate)].isDropped,
                    let fit = fit(number, with: Int(candidate)),
                    (fit.difference, fit.distance, candidate)
                        < (best?.difference ?? .max, best?.distance ?? .infinity, best?.index ?? .max)
                else { return }
                best = (fit.difference, fit.distance, candidate)
            }
            guard let best else { continue }
            let target = Int(best.index)
            if features[target].population == 0 { features[target].population = feature.population }
            fold(number, into: target, "place or thing that is there already, folded")
        }
    }

    private static let widestFold = 12_000.0
    private static let pointReach = 100.0

    private func isPoint(_ feature: StagedFeature) -> Bool {
        feature.kind == .pointOfInterest || feature.kind == .thing
    }

    private func isFoldable(_ feature: StagedFeature) -> Bool {
        guard !feature.isDropped else { return false }
        switch feature.kind {
        case .street, .address, .postcode, .timeZone, .interpolation: return false
        default: return true
        }
    }

    /// Text to look doubles up by: the name, or what an unnamed thing is.
    private func foldingKey(_ feature: StagedFeature) -> Int32 {
        guard let name = texts[feature.name] else {
            return texts.number(of: "\u{1}\(texts[feature.key] ?? "")=\(texts[feature.value] ?? "")")
        }
        return texts.number(of: nameKey(name))
    }

    /// How well a feature fits one of another source: by how much their ranks differ, and metres; nil where they are not
    /// the same thing.
    private func fit(_ number: Int, with other: Int) -> (difference: Int, distance: Double)? {
        let (feature, known) = (features[number], features[other])
        let isSameSource = known.source == feature.source
        guard known.source < feature.source || isSameSource && other < number else { return nil }
        var difference = 0
        var reach: Double
        switch feature.kind {
        case .country, .region, .county:
            guard known.kind == feature.kind, !isSameSource else { return nil }
            reach = Self.widestFold
        case .municipality, .place, .suburb:
            guard !isSameSource, [.municipality, .place, .suburb, .county].contains(known.kind), known.rank > 0 else {
                return nil
            }
            difference = abs(Int(known.searchRank) - Int(feature.searchRank))
            guard abs(Int(known.rank) - Int(feature.rank)) <= 6 else { return nil }
            let rank = min(Int(known.searchRank), Int(feature.searchRank))
            reach = min(FeatureRanks.reach(search: rank) * 111_195, Self.widestFold)
        case .water, .otherNatural: reach = known.kind == feature.kind ? 2_000 : -1
        case .peak: reach = known.kind == feature.kind ? 1_500 : -1
        case .park, .stop: reach = known.kind == feature.kind ? 500 : -1
        default:
            let isOne =
                known.key == feature.key && known.value == feature.value
                || known.kinds >= 0 && feature.kinds >= 0
                    && !Set(kindSets[Int(known.kinds)]).isDisjoint(with: kindSets[Int(feature.kinds)])
            guard isOne, known.kind == .pointOfInterest || known.kind == .thing else { return nil }
            // Two without a name are one only on the very spot.
            reach = feature.name < 0 || known.name < 0 ? 15 : Self.pointReach
            if feature.houseNumber >= 0, known.houseNumber >= 0, feature.houseNumber != known.houseNumber { return nil }
        }
        // Rows of one table are doubles only where they say the same.
        if isSameSource {
            guard feature.name == known.name, feature.key == known.key, feature.value == known.value,
                feature.kind == .pointOfInterest
            else { return nil }
            reach = min(reach, 10)
        }
        guard reach >= 0 else { return nil }
        var distance = feature.location.distance(to: known.box.nearest(to: feature.location))
        if known.outline >= 0, [.municipality, .place, .suburb, .county].contains(known.kind), distance == 0 {
            // Within the box, but not within the outline: as far as the place itself.
            let isInside = contains(feature.location, outline: outlines[Int(known.outline)])
            if !isInside { distance = feature.location.distance(to: known.location) }
        }
        return distance <= reach ? (difference, distance) : nil
    }

    // MARK: - Addresses

    /// How far apart two addresses of one street and number may lie and be one, in metres.
    private static let addressReach = 200.0
    /// The same for two that write one street and belong to different ones.
    private static let writtenReach = 50.0

    /// Folds addresses of later sources, and of later rows, into those of the same street and number. One that has no
    /// postcode takes that of its double.
    func foldAddresses() {
        guard features.contains(where: { $0.source > 0 && $0.kind == .address && !$0.isDropped }) else { return }
        var isAsked = [Bool](repeating: false, count: features.count)
        var isWritten: Set<Int32> = []
        for feature in features where feature.source > 0 && feature.kind == .address && !feature.isDropped {
            if feature.parent >= 0 { isAsked[Int(feature.parent)] = true }
            if let street = writtenStreet(feature) { isWritten.insert(street) }
        }
        struct Entry {
            /// The street or place; below 0 for the name of a street as addresses write it.
            var parent: Int32
            var key: Int32
            var index: Int32
        }
        var entries: [Entry] = []
        for (index, feature) in features.enumerated() where !feature.isDropped && feature.kind != .interpolation {
            let isOfStreet = feature.parent >= 0 && isAsked[Int(feature.parent)]
            let street = writtenStreet(feature).flatMap { isWritten.contains($0) ? -1 - $0 : nil }
            guard isOfStreet || street != nil else { continue }
            for key in addressKeys(index) {
                if isOfStreet { entries.append(Entry(parent: feature.parent, key: key, index: Int32(index))) }
                if let street { entries.append(Entry(parent: street, key: key, index: Int32(index))) }
            }
        }
        entries.sort { ($0.parent, $0.key, $0.index) < ($1.parent, $1.key, $1.index) }
        var start = 0
        while start < entries.count {
            let first = entries[start]
            var end = start + 1
            while end < entries.count, entries[end].parent == first.parent, entries[end].key == first.key { end += 1 }
            // Those of the group that are not folded.
            var kept = [Int(first.index)]
            for position in start + 1..<max(end, start + 1) {
                let number = Int(entries[position].index)
                let feature = features[number]
                guard !feature.isDropped else { continue }
                var isFolded = false
                defer { if !isFolded { kept.append(number) } }
                guard feature.source > 0, feature.kind == .address else { continue }
                let own = Set(addressKeys(number))
                var best: (distance: Double, index: Int)?
                for other in kept {
                    guard !features[other].isDropped, other != number else { continue }
                    // A relation of the map may give a house to another street than it writes.
                    let isOfStreet = first.parent >= 0
                    guard isOfStreet || features[other].source < feature.source else { continue }
                    let distance = feature.location.distance(to: features[other].box.nearest(to: feature.location))
                    guard distance <= (isOfStreet ? Self.addressReach : Self.writtenReach),
                        distance < best?.distance ?? .infinity,
                        own.count == 1 || own.isSubset(of: addressKeys(other))
                    else { continue }
                    best = (distance, other)
                }
                guard let best else { continue }
                if features[best.index].postcode < 0 { features[best.index].postcode = feature.postcode }
                isFolded = true
                fold(
                    number, into: best.index,
                    features[best.index].source == feature.source
                        ? "address given twice, or for each of its flats, folded"
                        : "address that is there already, folded")
            }
            start = end
        }
    }

    /// The street that an address writes, as its normalised name.
    private func writtenStreet(_ feature: StagedFeature) -> Int32? {
        texts[feature.street].map { texts.number(of: nameKey($0)) }
    }

    /// What an address is known by in its street: its numbers, each as its key, or else its name. What is more than an
    /// address is known by its names besides.
    private func addressKeys(_ index: Int) -> [Int32] {
        let feature = features[index]
        var keys: [Int32] = []
        if let number = texts[feature.houseNumber], !feature.hasInheritedNumber {
            for one in number.split(whereSeparator: { $0 == ";" || $0 == "," }) {
                let key = texts.number(of: "\u{2}" + HouseNumber.key(String(one)))
                if !keys.contains(key) { keys.append(key) }
            }
        }
        if feature.name >= 0, keys.isEmpty || feature.source == 0 {
            var names = nameKeys(of: index)
            // Its name is how a house without a number is known.
            if let house = texts[feature.name], !names.contains(nameKey(house)) { names.append(nameKey(house)) }
            for name in names { keys.append(texts.number(of: "\u{3}" + name)) }
        }
        return keys
    }

    /// Puts streets that only registers name to the house that is nearest to their middle.
    func centreStreetsOfRegisters() {
        var nearest: [Int32: (distance: Double, house: Int)] = [:]
        for (index, feature) in features.enumerated() where !feature.isDropped && feature.parent >= 0 {
            let street = features[Int(feature.parent)]
            guard street.source > 0, street.kind == .street, street.osmType == 0 else { continue }
            let distance = feature.location.distance(to: street.box.center)
            if distance < nearest[feature.parent]?.distance ?? .infinity { nearest[feature.parent] = (distance, index) }
        }
        for (street, house) in nearest { features[Int(street)].location = features[house.house].location }
    }

    // MARK: - Postal codes

    /// A code without what people write differently: blanks, hyphens, and the country's letters before figures.
    static func plain(postcode: String, country: String?) -> String {
        var plain = postcode.uppercased().filter { $0.isLetter || $0.isNumber }
        let letters = plain.prefix { $0.isLetter }
        if let country, !letters.isEmpty, plain.dropFirst(letters.count).allSatisfy(\.isNumber),
            plain.count > letters.count + 2, letters == country.uppercased() || postcode.hasPrefix(letters + "-")
        {
            plain.removeFirst(letters.count)
        }
        return plain
    }

    /// Makes features of the codes that no object bears.
    ///
    /// - Parameter known: codes that objects bear, each with the number of its country.
    /// - Returns: names of the places of the codes, by feature, where there is more than one.
    func makePostcodesOfTables(known: [(country: Int32, code: Int32)], _ hierarchy: PlaceHierarchy) -> [Int32: Set<
        Int32
    >] {
        struct Key: Hashable {
            var country: Int32
            var code: Int32
        }
        guard !stagedPostcodes.isEmpty else { return [:] }
        func key(_ country: Int32, _ code: Int32) -> Key {
            let plain = Self.plain(postcode: texts[code] ?? "", country: texts[country])
            return Key(country: country, code: texts.number(of: plain))
        }
        let isKnown = Set(known.map { key($0.country, $0.code) })
        var groups: [Key: [Int]] = [:]
        var order: [Key] = []
        for (number, postcode) in stagedPostcodes.enumerated() {
            let key = key(postcode.country, postcode.code)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(number)
        }
        var names: [Int32: Set<Int32>] = [:]
        for key in order {
            guard let members = groups[key]?.map({ stagedPostcodes[$0] }), let first = members.first else { continue }
            if isKnown.contains(key) {
                countFolded(source: first.source, "postcode that is there already, folded")
                continue
            }
            var box = BoundingBox(first.location)
            for member in members { box.extend(by: member.location) }
            guard
                let middle = members.min(by: {
                    $0.location.distance(to: box.center) < $1.location.distance(to: box.center)
                })
            else { continue }
            var tags: Tags = ["name": texts[first.code] ?? ""]
            if let place = texts[middle.place] { tags["addr:city"] = place }
            let index = Int(
                stage(
                    FeatureTags(key: "place", value: "postcode"), id: nil, tags: tags, location: middle.location,
                    box: box))
            features[index].kind = .postcode
            features[index].rank = 11
            features[index].searchRank = 21
            features[index].postcode = first.code
            features[index].country = first.country
            features[index].source = first.source
            let around = hierarchy.places(at: middle.location, below: 13, except: -1).places
            features[index].context = context(around.map(\.feature))
            let places = Set(members.map(\.place)).subtracting([middle.place, Interner.none])
            if !places.isEmpty { names[Int32(index)] = places }
        }
        return names
    }

    /// Gives streets, and addresses without a street, the code of their town where tables know one code for the town and
    /// nothing in the data says otherwise.
    func giveOnlyPostcodes() {
        guard stagedPostcodes.contains(where: \.isWhole) else { return }
        // Codes by country and normalised name of the place.
        struct Place: Hashable {
            var country: Int32
            var name: Int32
        }
        var codes: [Place: [StagedPostcode]] = [:]
        for postcode in stagedPostcodes where postcode.isWhole && postcode.place >= 0 {
            guard let name = texts[postcode.place] else { continue }
            codes[Place(country: postcode.country, name: texts.number(of: nameKey(name))), default: []].append(postcode)
        }
        func town(_ feature: StagedFeature) -> Int32? {
            guard feature.context >= 0 else { return nil }
            let around = contexts[Int(feature.context)]
            // The outline of a postcode says it better.
            if let last = around.last, features[Int(last)].kind == .postcode { return nil }
            return around.first { (13...17).contains(features[Int($0)].rank) && features[Int($0)].name >= 0 }
        }
        // What objects of a town bear: its one code, or none where they differ.
        var borne: [Int32: Int32] = [:]
        for feature in features where !feature.isDropped && feature.postcode >= 0 && feature.kind != .postcode {
            guard let town = town(feature) else { continue }
            if borne[town, default: feature.postcode] == feature.postcode {
                borne[town] = feature.postcode
            } else {
                borne[town] = Interner.none
            }
        }
        var only: [Int32: StagedPostcode?] = [:]
        func onlyCode(of town: Int32) -> StagedPostcode? {
            if let known = only[town] { return known }
            let place = features[Int(town)]
            let found = nameKeys(of: Int(town)).flatMap { key in
                texts.known(key).flatMap { codes[Place(country: place.country, name: $0)] } ?? []
            }.filter { $0.location.distance(to: place.box.nearest(to: $0.location)) < 15_000 }
            var code = found.first
            if let first = code {
                let isOne = found.allSatisfy { $0.code == first.code }
                if !isOne || borne[town].map({ $0 != first.code }) ?? false { code = nil }
            }
            only[town] = .some(code)
            return code
        }
        for index in features.indices where !features[index].isDropped && features[index].postcode < 0 {
            let feature = features[index]
            let isAddress =
                feature.kind == .address && (feature.parent < 0 || features[Int(feature.parent)].kind != .street)
            guard feature.kind == .street || isAddress, let town = town(feature), let code = onlyCode(of: town) else {
                continue
            }
            features[index].postcode = code.code
            report.skip("\(sources[Int(code.source)].name): street or address given the one postcode of its town")
        }
    }
}

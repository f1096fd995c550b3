import Geometry
import OpenStreetMap

/// The street or place that each address and place of interest belongs to.
extension GazetteerWriter {
    /// How far a street named by `addr:street` may lie, in metres.
    private static let namedStreetReach = 2_500.0
    /// How far a place named by `addr:place` may lie, in metres.
    private static let namedPlaceReach = 8_000.0
    /// How far the nearest street may lie, in metres.
    private static let nearestStreetReach = 3_000.0

    /// Streets by name and by place, places by name, buildings by place.
    struct ParentIndex {
        /// Lines of streets by the normalised names of the street.
        var linesByName = NamedIndex(cell: 0.05)
        var placesByName = NamedIndex(cell: 0.2)
        /// Lines of named streets.
        var grid = GridIndex(cell: 0.005)
        /// Outlines of buildings and grounds that have an address.
        var buildings = GridIndex(cell: 0.002)
        /// Streets and places that only addresses name.
        var unmapped: [String: [Int32]] = [:]
        /// The towns that the first address of each of them names.
        var townOfUnmapped: [Int32: Int32] = [:]
    }

    func makeParentIndex() -> ParentIndex {
        var index = ParentIndex()
        var keys: [Int32: [String]] = [:]
        for (number, line) in lines.enumerated() {
            let feature = features[Int(line.feature)]
            guard feature.kind == .street, !feature.isDropped, feature.name >= 0 else { continue }
            if keys[line.feature] == nil { keys[line.feature] = nameKeys(of: Int(line.feature)) }
            for key in keys[line.feature] ?? [] {
                index.linesByName.insert(Int32(number), named: texts.number(of: key), line.box)
            }
            index.grid.insert(number, line.box)
        }
        index.grid.build()
        for number in features.indices where !features[number].isDropped {
            let feature = features[number]
            if feature.name >= 0,
                isContainer(feature) || (feature.kind == .otherNatural && texts[feature.key] == "place")
            {
                for key in nameKeys(of: number) {
                    index.placesByName.insert(Int32(number), named: texts.number(of: key), feature.box)
                }
            }
            if feature.outline >= 0, feature.kind != .street, feature.rank == 30,
                feature.houseNumber >= 0 || feature.street >= 0
                    || feature.osm.map({ associatedStreets[$0] != nil }) ?? false
            {
                index.buildings.insert(number, feature.box)
            }
        }
        index.buildings.build()
        return index
    }

    /// Finds the parent of every address and place of interest, in this order: its associatedStreet relation, the street
    /// that `addr:street` names, the place that `addr:place` names, the building around it, the nearest named street.
    func findParents() {
        guard features.contains(where: { !$0.isDropped && Self.belongsToStreet($0) }) else { return }
        var index = makeParentIndex()
        var second: [Int] = []
        for number in features.indices {
            let feature = features[number]
            guard !feature.isDropped, Self.belongsToStreet(feature) else { continue }
            if let parent = tagged(number, &index) {
                features[number].parent = parent
                if feature.street >= 0, feature.street != features[Int(parent)].name,
                    features[Int(parent)].kind == .street, spellings[parent, default: []].count < 20
                {
                    spellings[parent, default: []].insert(feature.street)
                }
            } else {
                second.append(number)
            }
        }
        for number in second {
            let feature = features[number]
            if feature.street < 0, feature.place < 0, inherit(number, index) { continue }
            if let street = nearestStreet(to: feature.location, outline: feature, index) {
                features[number].parent = street
                if feature.street >= 0 { report.skip("addr:street not found, nearest street taken") }
            } else if feature.houseNumber >= 0 {
                report.skip("address without a street")
                if feature.context >= 0,
                    let place = contexts[Int(feature.context)].first(where: { features[Int($0)].rank >= 16 })
                {
                    features[number].parent = place
                }
            }
        }
        // Parents of a building may have come after those of what is in it.
        for number in features.indices {
            let parent = features[number].parent
            if parent >= 0, features[Int(parent)].kind == .address {
                features[number].parent = features[Int(parent)].parent
            }
        }
    }

    /// Addresses and places of interest, and whatever else bears a house number: a shopping area, a churchyard, a ramp.
    private static func belongsToStreet(_ feature: StagedFeature) -> Bool {
        feature.rank == 30 || feature.kind == .address
            || feature.houseNumber >= 0 && (feature.street >= 0 || feature.place >= 0)
    }

    /// The parent that tags or relations give.
    private func tagged(_ number: Int, _ index: inout ParentIndex) -> Int32? {
        let feature = features[number]
        if let osm = feature.osm, let relation = associatedStreets[osm],
            let street = street(ofRelation: Int(relation), near: feature.location, index)
        {
            return street
        }
        if feature.street >= 0, let name = texts[feature.street] {
            if let street = street(named: nameKey(name), near: feature.location, index) { return street }
            for pair in tags(of: number).pairs where pair.key.hasPrefix("addr:street:") {
                if let street = street(named: nameKey(pair.value), near: feature.location, index) { return street }
            }
            if let street = similarStreet(nameKey(name), near: feature.location, index) { return street }
            if let street = gathered(feature, index) { return street }
            // A register knows its streets; in the map a name may be a slip.
            guard feature.source > 0 || feature.houseNumber >= 0 && feature.place < 0 else { return nil }
            return unmapped(name, asStreet: true, near: number, &index)
        }
        if feature.place >= 0, let name = texts[feature.place] {
            let key = nameKey(name)
            if let place = place(named: key, near: feature.location, index) { return place }
            if let street = street(named: key, near: feature.location, index) { return street }
            guard feature.houseNumber >= 0 || feature.name >= 0 else { return nil }
            return unmapped(name, asStreet: false, near: number, &index)
        }
        return gathered(feature, index)
    }

    /// The street of a `type=street` relation.
    private func gathered(_ feature: StagedFeature, _ index: ParentIndex) -> Int32? {
        guard let osm = feature.osm, let relation = gatheredStreets[osm] else { return nil }
        return street(ofRelation: Int(relation), near: feature.location, index)
    }

    private func street(ofRelation relation: Int, near point: Coordinate, _ index: ParentIndex) -> Int32? {
        var best: (distance: Double, street: Int32)?
        for way in streetRelations[relation].streets {
            guard var feature = wayFeatures[way] else { continue }
            while let target = mergedInto[feature] { feature = target }
            guard features[Int(feature)].kind == .street, features[Int(feature)].name >= 0 else { continue }
            let distance = point.distance(to: features[Int(feature)].location)
            if distance < best?.distance ?? .infinity { best = (distance, feature) }
        }
        if let best { return best.street }
        guard let name = streetRelations[relation].name else { return nil }
        return street(named: nameKey(name), near: point, index)
    }

    /// The nearest street of a (normalised) name.
    private func street(named key: String, near point: Coordinate, _ index: ParentIndex) -> Int32? {
        guard let name = texts.known(key) else { return nil }
        let plane = LocalPlane(origin: point)
        let window = plane.window(Self.namedStreetReach)
        var best: (distance: Double, line: Int32, street: Int32)?
        index.linesByName.forEach(named: name, in: window) { candidate in
            let line = lines[Int(candidate)]
            guard line.box.intersects(window) else { return }
            let distance = distance(plane, to: line)
            if distance <= Self.namedStreetReach,
                (distance, candidate) < (best?.distance ?? .infinity, best?.line ?? .max)
            {
                best = (distance, candidate, line.feature)
            }
        }
        return best?.street
    }

    /// The nearest place of a (normalised) name: one that contains the point or lies within its reach.
    private func place(named key: String, near point: Coordinate, _ index: ParentIndex) -> Int32? {
        guard let name = texts.known(key) else { return nil }
        var best: (distance: Double, place: Int32)?
        let window = LocalPlane(origin: point).window(Self.namedPlaceReach)
        index.placesByName.forEach(named: name, in: window) { candidate in
            let feature = features[Int(candidate)]
            let distance = point.distance(to: feature.box.nearest(to: point))
            if distance <= Self.namedPlaceReach,
                (distance, candidate) < (best?.distance ?? .infinity, best?.place ?? .max)
            {
                best = (distance, candidate)
            }
        }
        return best?.place
    }

    /// A street close by whose name differs by one letter.
    private func similarStreet(_ key: String, near point: Coordinate, _ index: ParentIndex) -> Int32? {
        guard key.utf8.count >= 5 else { return nil }
        let plane = LocalPlane(origin: point)
        var best: (distance: Double, street: Int32)?
        var seen: Set<Int32> = []
        index.grid.forEach(in: plane.window(400)) { number in
            let line = lines[number]
            guard seen.insert(Int32(number)).inserted, let name = texts[features[Int(line.feature)].name],
                isOneEdit(key, nameKey(name))
            else { return }
            let distance = distance(plane, to: line)
            if distance <= 400, distance < best?.distance ?? .infinity { best = (distance, line.feature) }
        }
        return best?.street
    }

    /// Whether the texts differ by one inserted, left out or changed letter, digits excepted.
    private func isOneEdit(_ first: String, _ second: String) -> Bool {
        let a = Array(first.utf8)
        let b = Array(second.utf8)
        guard abs(a.count - b.count) <= 1, a != b else { return false }
        var start = 0
        while start < a.count, start < b.count, a[start] == b[start] { start += 1 }
        var endA = a.count
        var endB = b.count
        while endA > start, endB > start, a[endA - 1] == b[endB - 1] {
            endA -= 1
            endB -= 1
        }
        guard endA - start <= 1, endB - start <= 1 else { return false }
        let isDigit = { (byte: UInt8) in byte >= 0x30 && byte <= 0x39 }
        return !(a[start..<endA].contains(where: isDigit) || b[start..<endB].contains(where: isDigit))
    }

    /// A street or place that no way or node stands for, made from the addresses that name it. Addresses within some
    /// kilometres share it.
    private func unmapped(_ name: String, asStreet: Bool, near number: Int, _ index: inout ParentIndex) -> Int32 {
        let key = (asStreet ? "s " : "p ") + nameKey(name)
        let point = features[number].location
        let town = features[number].source > 0 ? townNamed(by: number) : nil
        for known in index.unmapped[key] ?? [] where point.distance(to: features[Int(known)].location) < 3_000 {
            // Towns in a register that lie side by side have streets of one name each.
            if let town, features[Int(known)].source > 0, let other = index.townOfUnmapped[known], other != town {
                continue
            }
            features[Int(known)].box.extend(by: point)
            return known
        }
        let made = stage(
            FeatureTags(key: "place", value: asStreet ? "street" : "locality"), id: nil, tags: ["name": name],
            location: point, box: BoundingBox(point))
        let slot = Int(made)
        features[slot].kind = asStreet ? .street : .place
        features[slot].rank = asStreet ? 26 : 25
        features[slot].searchRank = asStreet ? 26 : 25
        features[slot].country = features[number].country
        features[slot].context = features[number].context
        features[slot].source = features[number].source
        if let town = townNamed(by: number) { index.townOfUnmapped[made] = town }
        index.unmapped[key, default: []].append(made)
        report.skip(asStreet ? "addr:street not on the map, street made" : "addr:place not on the map, place made")
        return made
    }

    /// The normalised name of the town in an address (`addr:city`).
    private func townNamed(by number: Int) -> Int32? {
        guard features[number].namedPlaces >= 0,
            let city = AddressTags.placeKeys.firstIndex(where: { $0.key == "addr:city" }),
            let named = placeNames[Int(features[number].namedPlaces)].first(where: { $0.key == city }),
            let name = texts[named.name]
        else { return nil }
        return texts.number(of: nameKey(name))
    }

    /// Gives a feature without any address of its own that of the building around it.
    private func inherit(_ number: Int, _ index: ParentIndex) -> Bool {
        let feature = features[number]
        var best: (size: Double, building: Int)?
        index.buildings.forEach(at: feature.location) { building in
            guard building != number else { return }
            let outline = outlines[Int(features[building].outline)]
            guard feature.houseNumber < 0 || feature.houseNumber == features[building].houseNumber else { return }
            guard outline.size < best?.size ?? .infinity, contains(feature.location, outline: outline) else { return }
            best = (outline.size, building)
        }
        guard let building = best?.building else { return false }
        let source = features[building]
        if feature.outline >= 0, outlines[Int(feature.outline)].size >= best?.size ?? 0 { return false }
        let parent =
            source.parent >= 0
            ? source.parent : nearestStreet(to: source.location, outline: source, index)
        guard let parent else { return false }
        features[number].parent = parent
        if feature.houseNumber < 0, source.houseNumber >= 0 {
            features[number].houseNumber = source.houseNumber
            features[number].hasInheritedNumber = true
        }
        if feature.postcode < 0 { features[number].postcode = source.postcode }
        return true
    }

    /// The named street whose line comes nearest to a point.
    private func nearestStreet(to point: Coordinate, outline: StagedFeature, _ index: ParentIndex) -> Int32? {
        let plane = LocalPlane(origin: point)
        let motorway = outline.houseNumber >= 0 ? texts.known("motorway") ?? -2 : -2
        for radius in [80.0, 300, 1_000, Self.nearestStreetReach] {
            var best: (distance: Double, street: Int32, way: Int64)?
            var last = -1
            index.grid.forEach(in: plane.window(radius)) { number in
                guard number != last else { return }
                last = number
                let line = lines[number]
                // No house has its number along a motorway.
                guard features[Int(line.feature)].value != motorway else { return }
                let nearest = line.box.nearest(to: point)
                let (x, y) = plane.project(nearest)
                guard (x * x + y * y).squareRoot() <= (best?.distance ?? radius) + 1e-6 else { return }
                let distance = distance(plane, to: line)
                guard distance <= radius else { return }
                // Of streets that are equally near, the one drawn first.
                let margin = distance - (best?.distance ?? .infinity)
                if margin < -1e-6 || (margin < 1e-6 && line.way < best?.way ?? 0) {
                    best = (distance, line.feature, line.way)
                }
            }
            if let best { return best.street }
        }
        return nil
    }

    // MARK: - Interpolation

    /// Turns `addr:interpolation` ways into stretches between the addresses on them.
    func makeInterpolations() {
        for way in interpolationWays {
            if way.tags["addr:interpolation"] == "alphabetic" {
                makeLetters(of: way)
                continue
            }
            guard let step = Self.step(way.tags["addr:interpolation"] ?? "") else {
                report.skip("interpolation of an unknown kind")
                continue
            }
            let parity: Int? =
                switch way.tags["addr:interpolation"] {
                case "even": 0
                case "odd": 1
                default: nil
                }
            var stretches: [Stretch] = []
            var start: (number: Int, position: Int, address: Int)?
            for (position, node) in way.nodes.enumerated() {
                guard let address = nodeFeatures[node].map(Int.init), let text = texts[features[address].houseNumber],
                    let number = Self.number(text), parity.map({ abs(number) % 2 == $0 }) ?? true
                else { continue }
                if let start, start.number != number {
                    let line = way.locations[start.position...position].compactMap(\.self)
                    if line.count >= 2, abs(number - start.number) > step, abs(number - start.number) <= 2_000 {
                        stretches.append(
                            Stretch(first: start.number, last: number, line: line, ends: (start.address, address)))
                    }
                }
                start = (number, position, address)
            }
            guard !stretches.isEmpty else {
                report.skip("interpolation without two numbers")
                continue
            }
            stageInterpolations(of: way, stretches, step: step)
        }
    }

    /// Stages the addresses between `12a` and `12e`.
    private func makeLetters(of way: InterpolationWay) {
        var start: (position: Int, address: Int)?
        var made = 0
        for (position, node) in way.nodes.enumerated() {
            guard let address = nodeFeatures[node].map(Int.init), let last = texts[features[address].houseNumber] else {
                continue
            }
            if let start, let first = texts[features[start.address].houseNumber] {
                let line = way.locations[start.position...position].compactMap(\.self)
                let (low, high) = (HouseNumber.key(first), HouseNumber.key(last))
                let rising = HouseNumber.letters(from: low, to: high)
                let numbers = rising.isEmpty ? HouseNumber.letters(from: high, to: low).reversed() : rising
                for (index, number) in numbers.enumerated().dropFirst().dropLast() {
                    guard
                        let place = LineReference.point(
                            at: Double(index) / Double(max(numbers.count - 1, 1)), of: line)
                    else { continue }
                    stageLetter(number, at: place, of: way, after: start.address)
                    made += 1
                }
            }
            start = (position, address)
        }
        if made == 0 { report.skip("interpolation without two numbers") }
    }

    private func stageLetter(_ number: String, at place: Coordinate, of way: InterpolationWay, after address: Int) {
        var tags = way.tags
        tags["addr:interpolation"] = nil
        tags["addr:housenumber"] = number
        let slot = Int(
            stage(
                FeatureTags(key: "place", value: "house"), id: OSMID(.way, way.way), tags: tags, location: place,
                box: BoundingBox(place)))
        if features[slot].street < 0, features[slot].place < 0 {
            features[slot].street = features[address].street
            features[slot].place = features[address].place
        }
        if features[slot].postcode < 0 { features[slot].postcode = features[address].postcode }
    }

    /// Numbers between two addresses on an interpolation way.
    private struct Stretch {
        var first: Int
        var last: Int
        var line: [Coordinate]
        /// The addresses at its ends.
        var ends: (first: Int, last: Int)
    }

    /// What a stretch says of its street: the texts of `addr:street` and `addr:place`, or none.
    private struct NamedParent: Hashable {
        var street: Int32
        var place: Int32
        var isKnown: Bool { street >= 0 || place >= 0 }
    }

    /// Stages a feature for each street that the stretches of a way belong to: the one that the way names, else the one
    /// that the addresses at both ends name.
    private func stageInterpolations(of way: InterpolationWay, _ stretches: [Stretch], step: Int) {
        func named(_ address: Int) -> NamedParent {
            NamedParent(street: features[address].street, place: features[address].place)
        }
        let own = AddressTags(way.tags)
        let isNamed = own.street != nil || own.place != nil
        var groups: [NamedParent: [Stretch]] = [:]
        var order: [NamedParent] = []
        for stretch in stretches {
            let first = named(stretch.ends.first)
            let last = named(stretch.ends.last)
            if !isNamed, first.isKnown, last.isKnown, first != last {
                report.skip("interpolation between two streets")
                continue
            }
            let parent = isNamed ? NamedParent(street: -1, place: -1) : first.isKnown ? first : last
            if groups[parent] == nil { order.append(parent) }
            groups[parent, default: []].append(stretch)
        }
        for parent in order {
            guard let group = groups[parent], let first = group.first,
                let middle = LineReference.point(at: 0.5, of: first.line)
            else { continue }
            var box = BoundingBox(middle)
            for stretch in group { for point in stretch.line { box.extend(by: point) } }
            let feature = stage(
                FeatureTags(key: "place", value: "houses"), id: OSMID(.way, way.way), tags: way.tags, location: middle,
                box: box)
            let slot = Int(feature)
            features[slot].kind = .interpolation
            features[slot].rank = 30
            features[slot].searchRank = 30
            features[slot].name = Interner.none
            features[slot].houseNumber = Interner.none
            if parent.isKnown {
                features[slot].street = parent.street
                features[slot].place = parent.place
            } else {
                // Addresses on the line that name no street take the line's.
                for stretch in group {
                    for address in [stretch.ends.first, stretch.ends.last] where !named(address).isKnown {
                        features[address].street = features[slot].street
                        features[address].place = features[slot].place
                    }
                }
            }
            if features[slot].postcode < 0 { features[slot].postcode = features[first.ends.first].postcode }
            for stretch in group {
                let rises = stretch.first < stretch.last
                interpolations.append(
                    StagedInterpolation(
                        feature: feature, first: min(stretch.first, stretch.last),
                        last: max(stretch.first, stretch.last),
                        step: step, line: rises ? stretch.line : stretch.line.reversed()))
            }
        }
    }

    private static func step(_ kind: String) -> Int? {
        switch kind {
        case "even", "odd": 2
        case "all": 1
        default: Int(kind).flatMap { (1...1_000).contains($0) ? $0 : nil }
        }
    }

    /// The number that a house number begins with.
    private static func number(_ text: String) -> Int? {
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard !digits.isEmpty, digits.count <= 6 else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}

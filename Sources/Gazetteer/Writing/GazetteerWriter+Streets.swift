import Geometry
import OpenStreetMap

/// Streets out of ways, rivers out of ways and relations.
extension GazetteerWriter {
    /// How far apart two ways of one name in one municipality may lie and still be one street, in metres.
    private static let streetGap = 400.0

    /// Makes a feature of each waterway relation; its ways of the same name are part of it.
    func finishWaterways() {
        for (relation, waterway) in waterways.sorted(by: { $0.key < $1.key }) {
            guard let box = waterway.box, let longest = waterway.longest,
                let middle = LineReference.point(at: 0.5, of: longest.points),
                let main = FeatureTags(waterway.tags, shape: .line)
            else {
                report.skip("waterway relation without a way")
                continue
            }
            let name = waterway.tags["name"].map(nameKey)
            gatherings[relation] = nil
            let index = stage(
                main, id: OSMID(.relation, relation), tags: waterway.tags, location: middle, box: box)
            for member in waterway.members {
                guard let way = wayFeatures[member].map(Int.init), features[way].kind == .water,
                    let own = texts[features[way].name], nameKey(own) == name
                else { continue }
                features[way].isDropped = true
                mergedInto[Int32(way)] = index
            }
        }
    }

    /// Merges the ways of one name within one municipality that lie near each other: streets, and rivers.
    func mergeLines(_ hierarchy: PlaceHierarchy) {
        struct Group: Hashable {
            var name: Int32
            var municipality: Int32
            var isStreet: Bool
        }
        var groups: [Group: [Int]] = [:]
        for (index, line) in lines.enumerated() {
            let feature = features[Int(line.feature)]
            guard !feature.isDropped, feature.name >= 0, feature.outline < 0 else { continue }
            let isStreet = feature.kind == .street
            let municipality = isStreet ? municipality(at: feature.location, hierarchy) : -1
            groups[Group(name: feature.name, municipality: municipality, isStreet: isStreet), default: []].append(index)
        }
        for (group, members) in groups where members.count > 1 {
            merge(members, gap: group.isStreet ? Self.streetGap : 3 * Self.streetGap)
        }
    }

    /// The finest area of the rank of a county, town or village that contains the point.
    private func municipality(at point: Coordinate, _ hierarchy: PlaceHierarchy) -> Int32 {
        var best: (rank: UInt8, area: Int32) = (0, -1)
        for area in hierarchy.areas(at: point) {
            guard let rank = hierarchy.ranks[area], (10...17).contains(rank) else { continue }
            if (rank, area) > best { best = (rank, area) }
        }
        return best.area
    }

    /// Joins lines that come within `gap` metres of each other (single linkage).
    private func merge(_ members: [Int], gap: Double) {
        let sorted = members.sorted { lines[$0].box.south < lines[$1].box.south }
        var root = Array(sorted.indices)
        func find(_ item: Int) -> Int {
            var item = item
            while root[item] != item {
                root[item] = root[root[item]]
                item = root[item]
            }
            return item
        }
        let degrees = gap / 111_195
        for i in sorted.indices {
            let box = lines[sorted[i]].box
            let plane = LocalPlane(origin: box.center)
            let east = gap / plane.metresPerLongitude
            for j in sorted.indices[(i + 1)...] {
                let other = lines[sorted[j]].box
                if other.south > box.north + degrees { break }
                guard find(i) != find(j), other.west <= box.east + east, box.west <= other.east + east,
                    isNear(lines[sorted[i]], lines[sorted[j]], gap)
                else { continue }
                root[find(j)] = find(i)
            }
        }
        var clusters: [Int: [Int]] = [:]
        for i in sorted.indices { clusters[find(i), default: []].append(sorted[i]) }
        for cluster in clusters.values where cluster.count > 1 { join(cluster) }
    }

    /// Whether an end of one line lies within `gap` metres of the other.
    private func isNear(_ first: StagedLine, _ second: StagedLine, _ gap: Double) -> Bool {
        for (line, other) in [(first, second), (second, first)] {
            for index in [line.points.lowerBound, line.points.upperBound - 1] {
                if distance(from: linePoints[index], to: other) <= gap { return true }
            }
        }
        return false
    }

    /// Metres from a point to a staged line.
    func distance(from point: Coordinate, to line: StagedLine) -> Double {
        let plane = LocalPlane(origin: point)
        return distance(plane, to: line)
    }

    func distance(_ plane: LocalPlane, to line: StagedLine) -> Double {
        linePoints.withUnsafeBufferPointer { points in
            var best = Double.infinity
            var index = line.points.lowerBound
            if line.points.count == 1 { return plane.distance(toSegment: points[index], points[index]).metres }
            while index + 1 < line.points.upperBound {
                best = min(best, plane.distance(toSegment: points[index], points[index + 1]).metres)
                index += 1
            }
            return best
        }
    }

    /// Makes one feature of several lines: the longest leads, and names that only others have join its own.
    private func join(_ cluster: [Int]) {
        // The most important road class, then the longest way, then the smallest number.
        guard
            let leader = cluster.min(by: {
                let (a, b) = (lines[$0], lines[$1])
                let (x, y) = (features[Int(a.feature)], features[Int(b.feature)])
                return (x.searchRank, -a.length, a.way) < (y.searchRank, -b.length, b.way)
            })
        else { return }
        let target = lines[leader].feature
        let slot = Int(target)
        var merged: Tags?
        var box = features[slot].box
        for index in cluster where index != leader {
            let other = Int(lines[index].feature)
            guard other != slot else { continue }
            box.extend(by: Coordinate(latitude: features[other].box.south, longitude: features[other].box.west))
            box.extend(by: Coordinate(latitude: features[other].box.north, longitude: features[other].box.east))
            for pair in tags(of: other).pairs
            where Names.isNameKey(pair.key) || pair.key == "wikidata" || pair.key == "wikipedia"
                || pair.key.hasPrefix("addr:")
            {
                if merged == nil { merged = tags(of: slot) }
                if merged?[pair.key] == nil { merged?[pair.key] = pair.value }
            }
            if features[slot].postcode < 0 { features[slot].postcode = features[other].postcode }
            features[other].isDropped = true
            mergedInto[Int32(other)] = target
            lines[index].feature = target
        }
        if let merged {
            setTags(merged, of: slot)
            features[slot].namedPlaces = placeNames(in: merged)
        }
        features[slot].box = box
    }
}

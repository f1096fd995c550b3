import Gazetteer
import Geometry
import OpenStreetMap

/// Something that a text may become, and the atlas that says so.
public struct AtlasCompletion: Sendable, Equatable, Identifiable {
    /// Which of the open atlases it comes from, counted from 0; the World comes last.
    public var atlasIndex: Int
    public var completion: Completion
    /// Metres from the query's `near`; nil without one, and for a kind of place.
    public var distance: Double?

    /// Distinct among the completions of one query.
    public var id: String { "\(atlasIndex)/\(completion.meaning)" }
    public var title: String { completion.title }
    public var subtitle: String { completion.subtitle }
}

extension Atlas {
    /// What a text that is being typed may become, in all open atlases together, best first. Ask it on every keystroke.
    ///
    ///     for line in try atlas.complete(CompletionQuery("vad", near: here)) { print(line.title, line.subtitle) }
    ///
    /// A place of the World that a finer atlas has too is left out. Cost: that of `Gazetteer.complete` in each atlas.
    public func complete(_ query: CompletionQuery) throws -> [AtlasCompletion] {
        var found: [AtlasCompletion] = []
        func ask(_ index: Int, _ tolerance: CompletionQuery.Tolerance) throws {
            var query = query
            query.tolerance = tolerance
            found += try asking(index) { try $0.complete(query) }.completions.map { completion in
                AtlasCompletion(
                    atlasIndex: index, completion: completion,
                    distance: query.near.flatMap { near in completion.location?.distance(to: near) })
            }
        }
        guard parts.count > 1 else {
            if !parts.isEmpty { try ask(0, .all) }
            return found
        }
        // What one atlas explains is not doubted in the next.
        for index in parts.indices { try ask(index, found.isEmpty ? .places : .none) }
        let words = query.text.split(whereSeparator: \.isWhitespace).count
        if CompletionSearch.mayBeMisspelled(words, found: found.count { $0.completion.kind != nil }) {
            let before = found.count
            // Several words that one atlas explains with an error were hardly meant for another.
            for index in parts.indices where words == 1 || found.count == before { try ask(index, .errors) }
        }
        let order = found.enumerated().sorted { a, b in
            let (x, y) = (a.element.completion, b.element.completion)
            if x.edits != y.edits { return x.edits < y.edits }
            return x.score != y.score ? x.score > y.score : a.offset < b.offset
        }
        var kept: [AtlasCompletion] = []
        var seen: Set<String> = []
        for (_, one) in order where kept.count < min(max(query.limit, 1), 100) {
            if parts[one.atlasIndex].isWorld, try found.contains(where: { try isSame($0, one) }) { continue }
            guard seen.insert("\(one.title.lowercased())\u{0}\(one.subtitle)").inserted else { continue }
            kept.append(one)
        }
        return kept
    }

    /// Whether a place of a finer atlas is the same as one of the World.
    private func isSame(_ fine: AtlasCompletion, _ world: AtlasCompletion) throws -> Bool {
        guard !parts[fine.atlasIndex].isWorld, let kind = fine.completion.kind,
            kind.rawValue < FeatureKind.postcode.rawValue,
            fine.title.lowercased() == world.title.lowercased(), let point = world.completion.location,
            case .feature(let id) = fine.completion.meaning,
            let feature = try asking(fine.atlasIndex, { try $0.feature(id: id) })
        else { return false }
        var box = feature.boundingBox
        // A place without an outline reaches some kilometres; outlines of the World are coarse.
        let reach = box.west == box.east ? 0.1 : 0.03
        box = BoundingBox(
            west: box.west - reach, south: box.south - reach, east: box.east + reach, north: box.north + reach)
        return box.contains(point)
    }

    /// The place that a completion stands for, with its address; nil for a kind of place, which is to be searched for.
    public func place(of completed: AtlasCompletion, languages: [String] = []) throws -> FoundPlace? {
        let id: Int64
        switch completed.completion.meaning {
        case .feature(let number), .house(let number): id = number
        case .category: return nil
        }
        guard parts.indices.contains(completed.atlasIndex),
            let feature = try asking(completed.atlasIndex, { try $0.feature(id: id) })
        else { return nil }
        return try place(
            feature, completed.atlasIndex, at: feature.location, distance: completed.distance, languages: languages)
    }
}

extension Atlas {
    /// Shops, sights, stops and parks within a circle, the nearest first; `isWanted` is asked for each.
    public func pointsOfInterest(
        around center: Coordinate, within metres: Double, languages: [String] = [], limit: Int = 100,
        where isWanted: (Feature) throws -> Bool = { _ in true }
    ) throws -> [FoundPlace] {
        var found: [FoundPlace] = []
        for index in parts.indices where !parts[index].isWorld {
            found += try asking(index) {
                try $0.pointsOfInterest(around: center, within: metres, limit: limit, where: isWanted)
            }.map { feature, distance in
                try place(feature, index, at: feature.location, distance: distance, languages: languages)
            }
        }
        var seen: Set<OSMID> = []
        found.removeAll { place in place.feature.osm.map { !seen.insert($0).inserted } ?? false }
        found.sort { ($0.distance ?? .infinity) < ($1.distance ?? .infinity) }
        return Array(found.prefix(limit))
    }
}

import Geometry
import OpenStreetMap

/// The matches of several gazetteers in one order.
///
/// The order of each gazetteer is kept, but for the *World*, whose better known places come first among those that fit about
/// equally well and where no position is preferred. A place of the World (of `isCoarse`) comes before a match of a finer gazetteer only
/// where it explains clearly more of the text, or where it is so much better known that it must be meant: the city before
/// the café that bears its name. A place of the World that a finer gazetteer has too is left out. Cost: the product of the
/// counts of both for the names that are compared, which is some thousand steps for common limits.
package struct MergedMatches {
    /// A match and where it comes from.
    package struct Item {
        /// The place of its gazetteer in the list of answers.
        package var gazetteer: Int
        package var match: GeocodeMatch
        fileprivate var isCoarse: Bool
    }

    private let query: GeocodeQuery
    private let normalizer: TextNormalizer

    package init(_ query: GeocodeQuery, normalizer: TextNormalizer) {
        self.query = query
        self.normalizer = normalizer
    }

    /// - Parameters:
    ///   - lists: the matches of each gazetteer, best first.
    ///   - isCoarse: whether the gazetteer of that index is the World.
    /// - Returns: all that are kept, best first. What of the World stands behind a finer match that explains as much has no
    ///   higher score than that.
    package func merged(_ lists: [[GeocodeMatch]], isCoarse: (Int) -> Bool) -> [Item] {
        var queues = lists.enumerated().map { index, list in
            list.map { Item(gazetteer: index, match: $0, isCoarse: isCoarse(index)) }
        }
        let fine = queues.joined().filter { !$0.isCoarse }.map { SamePlace($0.match.feature, normalizer) }
        if !fine.isEmpty {
            for index in queues.indices where isCoarse(index) {
                queues[index].removeAll { item in fine.contains { $0.isSame(as: item.match.feature) } }
            }
        }
        if query.near == nil, query.viewbox == nil {
            for index in queues.indices where isCoarse(index) { queues[index] = Self.bestKnownFirst(queues[index]) }
        }
        queues.removeAll(where: \.isEmpty)
        guard queues.count > 1 else { return queues.first ?? [] }
        var heads = queues.map { _ in 0 }
        var result: [Item] = []
        var last: Item?
        while true {
            var best: Int?
            for index in queues.indices where heads[index] < queues[index].count {
                guard let known = best else {
                    best = index
                    continue
                }
                if comesFirst(queues[index][heads[index]], before: queues[known][heads[known]]) { best = index }
            }
            guard let best else { return result }
            var item = queues[best][heads[best]]
            heads[best] += 1
            if item.isCoarse, let last, Self.explainsAsMuch(last, as: item) {
                item.match.quality.score = min(item.match.quality.score, last.match.quality.score)
            }
            if !item.isCoarse { last = item }
            result.append(item)
        }
    }

    /// The matches of the World with the better known first among those whose scores are about equal: it has names in so
    /// many languages that a village often fits to the letter.
    private static func bestKnownFirst(_ items: [Item]) -> [Item] {
        var rest = items
        var result: [Item] = []
        result.reserveCapacity(items.count)
        while let first = rest.first {
            var best = 0
            for index in rest.indices.dropFirst() {
                guard rest[index].match.quality.score >= first.match.quality.score - 0.05 else { break }
                if rest[index].match.feature.importance > rest[best].match.feature.importance { best = index }
            }
            result.append(rest.remove(at: best))
        }
        return result
    }

    /// Whether `a`, which stands in a later list, goes before `b`.
    private func comesFirst(_ a: Item, before b: Item) -> Bool {
        if a.isCoarse != b.isCoarse { return a.isCoarse ? coarseLeads(a, b) : !coarseLeads(b, a) }
        let (p, q) = (a.match.quality.score, b.match.quality.score)
        if abs(p - q) > 0.05 { return p > q }
        if let box = query.viewbox, box.contains(a.match.location) != box.contains(b.match.location) {
            return box.contains(a.match.location)
        }
        if let near = query.near { return near.distance(to: a.match.location) < near.distance(to: b.match.location) }
        return a.match.feature.importance > b.match.feature.importance
    }

    private func coarseLeads(_ coarse: Item, _ fine: Item) -> Bool {
        let (p, q) = (coarse.match.quality.score, fine.match.quality.score)
        guard Self.explainsAsMuch(fine, as: coarse) else { return p > q + 0.02 }
        guard p >= 0.9, p >= q - 0.05, !(1..<26).contains(fine.match.feature.rank) else { return false }
        if let near = query.near, near.distance(to: fine.match.location) < Self.neighbourhood { return false }
        let known = coarse.match.feature.importance
        if known < Self.knownEverywhere, !isNamedExactly(coarse.match.feature) { return false }
        return known >= fine.match.feature.importance + 0.1
    }

    /// The importance of large capitals, which are meant by their names in any language.
    private static let knownEverywhere = 0.6

    /// In metres: what lies so near to the preferred point is meant before what is far and famous.
    private static let neighbourhood = 50_000.0

    /// Whether each word that the fine match leaves over or corrects, the coarse one does too.
    private static func explainsAsMuch(_ fine: Item, as coarse: Item) -> Bool {
        let (a, b) = (fine.match.quality, coarse.match.quality)
        return a.corrections.count <= b.corrections.count
            && a.unmatched.allSatisfy { word in b.unmatched.contains(word) }
    }

    /// Whether the text says the name that the place goes by; not one in another language or script.
    private func isNamedExactly(_ feature: Feature) -> Bool {
        guard query.fields == nil else { return true }
        // As they are written: "Mus" is a town and no museum.
        let words = Set(normalizer.written(query.text).map(\.text))
        return [feature.name, feature.name(in: query.languages)].contains { name in
            name.map { name in
                let own = normalizer.written(name)
                return !own.isEmpty && own.allSatisfy { words.contains($0.text) }
            } ?? false
        }
    }
}

/// A place with an extent or a neighbourhood, to tell whether the World means the same by one of its names.
package struct SamePlace {
    private var keys: Set<String> = []
    private var box: BoundingBox
    private var country: String?
    private let normalizer: TextNormalizer

    package init(_ feature: Feature, _ normalizer: TextNormalizer) {
        self.normalizer = normalizer
        box = feature.boundingBox
        country = feature.country
        guard (1..<26).contains(feature.rank) else { return }
        for name in [feature.name] + Self.names.map({ feature.tags[$0] }) {
            if let name { keys.insert(normalizer.key(name)) }
        }
        // A place without an outline reaches some kilometres; outlines of the World are coarse.
        let reach = box.west == box.east ? 0.1 : 0.03
        box = BoundingBox(
            west: box.west - reach, south: box.south - reach, east: box.east + reach, north: box.north + reach)
    }

    private static let names = ["name:en", "int_name", "official_name"]

    /// Whether a place of the World is this one: a town, or the region that is named after it.
    package func isSame(as world: Feature) -> Bool {
        guard !keys.isEmpty, world.rank < 26, let name = world.name, keys.contains(normalizer.key(name)) else {
            return false
        }
        if let country, let other = world.country, country != other { return false }
        return box.contains(world.location)
    }
}

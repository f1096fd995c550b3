import Foundation
import Geometry
import OpenStreetMap

extension Gazetteer {
    /// Everything of a kind or name within a region, without a page's limit.
    ///
    /// Words that name a category of the lexicon give its members and nothing else; words that hold one beside others
    /// ("vegan restaurant") give the members whose name, brand or cuisine has the other words; all else is looked up among
    /// names, brands and cuisines. Cost: in a small region the features of the region, else the members of the category;
    /// for a name, all bearers of its words.
    public func search(_ query: SearchQuery) throws -> [SearchMatch] {
        try withDatabase { database in
            try LocalSearch(query: query, knowledge: text(database), database: database).matches()
        }
    }

    /// The names of the lexicon's categories (`PlaceKinds`) that these words stand for, in whatever form and language; empty
    /// where they stand for none.
    public func categories(named words: String) throws -> [String] {
        try withDatabase { database in
            let knowledge = try text(database)
            return knowledge.categories.categories(
                meantBy: CategoryLexicon.key(Array(knowledge.normalizer.read(words).prefix(24))))
        }
    }

    /// The word for the kind of a place ("restaurant"), in the first of the languages that the lexicon has one in.
    public func kindWord(of feature: Feature, languages: [String]) throws -> String? {
        try withDatabase { database in
            guard let kind = PlaceKinds.shared.kind(of: feature.tags, mainKey: feature.category) else { return nil }
            return try text(database).categories.word(for: kind.name, languages: languages)
        }
    }
}

private struct LocalSearch {
    let query: SearchQuery
    let knowledge: GazetteerText
    let database: Database

    /// Boxes of a smaller size, in square degrees, are read through the spatial index, larger ones by category.
    private static let smallBox = 0.02

    func matches() throws -> [SearchMatch] {
        guard let region = try Region(query.region, database: database) else { return [] }
        var found: [SearchMatch] = []
        if !query.kinds.isEmpty {
            found = try categoryMembers(query.kinds, region)
        } else if let tag = query.tag {
            let features = try members(in: region, small: "f.class = ?1 AND f.type = ?2", bind: [tag.key, tag.value])
            found = features.map { match($0, .tag, 1) }
        } else {
            found = try byWords(region)
        }
        return arrange(found)
    }

    private func byWords(_ region: Region) throws -> [SearchMatch] {
        let tokens = knowledge.normalizer.read(query.words).filter { !$0.role.contains(.light) }.prefix(12)
        let words = tokens.map(\.text)
        guard !words.isEmpty else { return [] }
        let whole = knowledge.categories.categories(meantBy: words)
        if !whole.isEmpty { return try categoryMembers(whole, region) }
        // A category at one end, and other words that its members' names must have.
        for count in stride(from: words.count - 1, to: 0, by: -1) where count <= knowledge.categories.longest {
            for isHead in [true, false] {
                let run = isHead ? words.prefix(count) : words.suffix(count)
                let rest = Set(isHead ? words.dropFirst(count) : words.dropLast(count))
                let categories = knowledge.categories.categories(meantBy: Array(run))
                guard !categories.isEmpty else { continue }
                let members = try categoryMembers(categories, region).filter { saysAll(rest, $0.feature) }
                // All the words may be a name as well: "Monte-Carlo (Casino)".
                if !members.isEmpty { return try members + byName(words, region) }
            }
        }
        var result = try byName(words, region)
        for member in try members(in: region, category: "cuisine=" + words.joined(separator: "_")) {
            result.append(match(member.feature, .cuisine, 0.9))
        }
        return result
    }

    private func categoryMembers(_ categories: [String], _ region: Region) throws -> [SearchMatch] {
        try categories.flatMap { category in
            try members(in: region, category: category).map { member in
                var match = match(member.feature, .category(category), 1)
                match.objects = member.objects
                return match
            }
        }
    }

    /// Whether the feature's names, brand or cuisine hold all of these tokens.
    private func saysAll(_ words: Set<String>, _ feature: Feature) -> Bool {
        var left = words
        for pair in feature.tags.pairs
        where pair.key == "cuisine" || pair.key.hasPrefix("diet:") || Names.isNameKey(pair.key) {
            let text = pair.key.hasPrefix("diet:") && pair.value != "no" ? String(pair.key.dropFirst(5)) : pair.value
            left.subtract(knowledge.normalizer.tokens(text.replacing("_", with: " ")))
            if left.isEmpty { return true }
        }
        return left.isEmpty
    }

    // MARK: By category

    private func members(in region: Region, category: String) throws -> [(feature: Feature, objects: [OSMID])] {
        var result: [(feature: Feature, objects: [OSMID])] = []
        func take(_ statement: Statement) throws {
            defer { statement.reset() }
            while try statement.step() {
                guard let feature = try feature(statement, in: region) else { continue }
                let objects = statement.text(Feature.columnCount)?.split(separator: " ").compactMap {
                    OSMID(String($0))
                }
                result.append((feature, objects ?? feature.osm.map { [$0] } ?? []))
            }
        }
        guard let boxes = region.boxes, region.area < Self.smallBox else {
            let statement = try database.statement(
                """
                SELECT \(Feature.columns), c.objects FROM feature_category c CROSS JOIN feature f ON f.id = c.feature
                WHERE c.category = ?1
                """)
            statement.bind(1, category)
            try take(statement)
            return result
        }
        for box in boxes {
            let statement = try database.statement(
                """
                SELECT \(Feature.columns), c.objects FROM idx_feature_geometry i
                CROSS JOIN feature_category c ON c.category = ?1 AND c.feature = i.pkid
                CROSS JOIN feature f ON f.id = i.pkid
                WHERE i.xmin <= ?2 AND i.xmax >= ?3 AND i.ymin <= ?4 AND i.ymax >= ?5
                """)
            statement.bind(1, category)
            statement.bind(2, box.east)
            statement.bind(3, box.west)
            statement.bind(4, box.north)
            statement.bind(5, box.south)
            try take(statement)
        }
        return result
    }

    private func members(in region: Region, small condition: String, bind: [String]) throws -> [Feature] {
        if let boxes = region.boxes { return try members(in: region, boxes: boxes, condition: condition, bind: bind) }
        let statement = try database.statement("SELECT \(Feature.columns) FROM feature f WHERE \(condition)")
        for (index, text) in bind.enumerated() { statement.bind(Int32(index + 1), text) }
        return try read(statement, region)
    }

    private func members(in region: Region, boxes: [BoundingBox], condition: String, bind: [String]) throws -> [Feature]
    {
        var result: [Feature] = []
        for box in boxes {
            let statement = try database.statement(
                """
                SELECT \(Feature.columns) FROM idx_feature_geometry i CROSS JOIN feature f ON f.id = i.pkid
                WHERE i.xmin <= ?3 AND i.xmax >= ?4 AND i.ymin <= ?5 AND i.ymax >= ?6 AND \(condition)
                """)
            for (index, text) in bind.enumerated() { statement.bind(Int32(index + 1), text) }
            statement.bind(3, box.east)
            statement.bind(4, box.west)
            statement.bind(5, box.north)
            statement.bind(6, box.south)
            result += try read(statement, region)
        }
        return result
    }

    private func read(_ statement: Statement, _ region: Region) throws -> [Feature] {
        defer { statement.reset() }
        var result: [Feature] = []
        while try statement.step() {
            if let feature = try feature(statement, in: region) { result.append(feature) }
        }
        return result
    }

    /// The feature of a row; nil for one outside of the region.
    private func feature(_ row: Statement, in region: Region) throws -> Feature? {
        // The point first: most rows of a large set lie outside.
        guard let point = row.withBlob(Feature.columnCount - 1, { SpatialBlob.decodePoint($0) }),
            region.contains(point)
        else { return nil }
        return try Feature(row: row)
    }

    // MARK: By name

    private func byName(_ words: [String], _ region: Region) throws -> [SearchMatch] {
        let statement = try database.statement(
            """
            SELECT n.feature, n.sort, n.tokens FROM name_text t CROSS JOIN name n ON n.id = t.rowid
            WHERE name_text MATCH ?1 ORDER BY t.rowid
            """)
        statement.bind(1, words.map { "\"\($0)\"" }.joined(separator: " "))
        defer { statement.reset() }
        var quality: [Int64: Double] = [:]
        var order: [Int64] = []
        while try statement.step() {
            let feature = statement.int64(0)
            if quality[feature] == nil, try !mayLie(feature, in: region) { continue }
            let isBusiness = statement.int(1) == TextIndexBuilder.Sort.business.rawValue
            let score = Self.likeness(of: statement.text(2) ?? "", to: words) * (isBusiness ? 0.95 : 1)
            if quality[feature] == nil { order.append(feature) }
            quality[feature] = max(quality[feature] ?? 0, score)
        }
        var result: [SearchMatch] = []
        for id in order {
            let row = try database.statement("SELECT \(Feature.columns) FROM feature f WHERE f.id = ?1")
            row.bind(1, id)
            for feature in try read(row, region) {
                result.append(match(feature, .name, 0.5 + 0.5 * (quality[id] ?? 0)))
            }
        }
        return result
    }

    /// The part of a name that the words say, 0 to 1; a little less where they stand in another order there.
    private static func likeness(of name: String, to words: [String]) -> Double {
        var said = 0.0
        var all = 0.0
        var positions: [Int] = []
        for token in name.split(separator: " ") {
            // "~" marks a light word, which is not asked for, "!" and "^" the type of a street and a direction.
            let mark = token.first.map { "~!^".contains($0) } == true
            if token.first == "~" { continue }
            all += 1
            let text = mark ? token.dropFirst() : token
            if let position = words.firstIndex(where: { $0 == text }) {
                said += 1
                positions.append(position)
            }
        }
        let isInOrder = zip(positions, positions.dropFirst()).allSatisfy { $0 <= $1 }
        return all > 0 ? said / all * (isInOrder ? 1 : 0.97) : 0
    }

    /// Whether the feature's box, which is quick to read, touches the region's.
    private func mayLie(_ feature: Int64, in region: Region) throws -> Bool {
        guard let boxes = region.boxes else { return true }
        let row = try database.statement("SELECT west, south, east, north FROM feature WHERE id = ?1")
        row.bind(1, feature)
        defer { row.reset() }
        guard try row.step() else { return false }
        let box = BoundingBox(west: row.double(0), south: row.double(1), east: row.double(2), north: row.double(3))
        // A box over the date line is left to the test of the point.
        return box.west > box.east || boxes.contains { $0.intersects(box) }
    }

    // MARK: Order

    private func match(_ feature: Feature, _ reason: SearchMatch.Reason, _ score: Double) -> SearchMatch {
        let precision: MatchQuality.Precision =
            switch feature.kind {
            case .street: .street
            case .address: .house
            case let kind where kind.rawValue <= FeatureKind.postcode.rawValue: .place
            default: .pointOfInterest
            }
        return SearchMatch(
            feature: feature, distance: nil, reason: reason,
            quality: MatchQuality(score: score, precision: precision, matched: [query.words], unmatched: []))
    }

    private func arrange(_ found: [SearchMatch]) -> [SearchMatch] {
        var seen: Set<String> = []
        var result: [SearchMatch] = []
        let center: Coordinate? =
            switch (query.order, query.region) {
            case (.nearest(let point), _): point
            case (_, .circle(let point, _)): point
            default: nil
            }
        for var match in found {
            let identity = match.feature.osm.map(\.description) ?? "#\(match.feature.id)"
            guard seen.insert(identity).inserted else { continue }
            match.distance = center.map { $0.distance(to: match.feature.location) }
            result.append(match)
        }
        if case .nearest = query.order {
            result.sort { ($0.distance ?? 0, $0.feature.id) < ($1.distance ?? 0, $1.feature.id) }
        } else {
            result.sort {
                if $0.quality.score != $1.quality.score { return $0.quality.score > $1.quality.score }
                if $0.feature.importance != $1.feature.importance {
                    return $0.feature.importance > $1.feature.importance
                }
                if let left = $0.distance, let right = $1.distance, left != right { return left < right }
                return $0.feature.id < $1.feature.id
            }
        }
        if let limit = query.limit, result.count > max(0, limit) { result.removeLast(result.count - max(0, limit)) }
        return result
    }

    /// A region made ready for tests of points.
    private struct Region {
        /// One box, two over the date line; nil for everywhere.
        var boxes: [BoundingBox]?
        /// Square degrees.
        var area = Double.infinity
        private let shape: SearchQuery.Region
        private var polygons: [[[Coordinate]]] = []

        init?(_ shape: SearchQuery.Region, database: Database) throws {
            self.shape = shape
            switch shape {
            case .everywhere: boxes = nil
            case .box(let box): take(box)
            case .circle(let center, let metres):
                guard center.isValid, metres >= 0 else { return nil }
                let height = metres / 111_195
                let shrink = max(cos(center.latitude * .pi / 180), 0.01)
                var box = BoundingBox(
                    west: center.longitude - height / shrink, south: center.latitude - height,
                    east: center.longitude + height / shrink, north: center.latitude + height)
                if box.east - box.west >= 360 {
                    box.west = -180
                    box.east = 180
                } else {
                    if box.west < -180 { box.west += 360 }
                    if box.east > 180 { box.east -= 360 }
                }
                take(box)
            case .outline(let id):
                guard let feature = try Feature.load(id, database) else { return nil }
                take(feature.boundingBox)
                let statement = try database.statement("SELECT geometry FROM area WHERE feature = ?1")
                statement.bind(1, id)
                defer { statement.reset() }
                while try statement.step() {
                    if case .polygons(let rings) = statement.withBlob(0, { SpatialBlob.decode($0) }) {
                        polygons += rings
                    }
                }
                if polygons.isEmpty { return nil }
            }
        }

        private mutating func take(_ box: BoundingBox) {
            if box.west <= box.east {
                boxes = [box]
                area = (box.east - box.west) * (box.north - box.south)
            } else {
                boxes = [
                    BoundingBox(west: box.west, south: box.south, east: 180, north: box.north),
                    BoundingBox(west: -180, south: box.south, east: box.east, north: box.north),
                ]
                area = (box.east + 360 - box.west) * (box.north - box.south)
            }
        }

        func contains(_ point: Coordinate) -> Bool {
            switch shape {
            case .everywhere: true
            case .box(let box): box.contains(point)
            case .circle(let center, let metres): center.distance(to: point) <= metres
            case .outline: polygons.contains { Polygon.contains(point, rings: $0) }
            }
        }
    }
}

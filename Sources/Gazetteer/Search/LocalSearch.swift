import Foundation
import Geometry
import OpenStreetMap

extension Gazetteer {
    /// Everything of a kind or name within a region, without a page's limit.
    ///
    /// Words that name a category of the lexicon give its members and nothing else; words that hold one beside others
    /// ("Shell petrol station") give the members whose name, brand or cuisine has the other words; all else is looked up
    /// among names, brands and cuisines. How words are read is told by `readings(of:)`; the readings that look elsewhere are
    /// passed over here. Cost: the members of the category in the cells of the region; for a name, all bearers of its words;
    /// for wishes alone, everything in the region.
    public func search(_ query: SearchQuery) throws -> [SearchMatch] {
        var found: [SearchMatch] = []
        try search(query) { match in
            found.append(match)
            return true
        }
        return found
    }

    /// The same, handed over one by one in their order: only numbers and places of all are held at a time.
    ///
    /// - Parameter take: given each match; false ends the search.
    /// - Returns: how many were handed over.
    @discardableResult
    public func search(_ query: SearchQuery, take: (SearchMatch) throws -> Bool) throws -> Int {
        try withDatabase { database in
            try LocalSearch(query: query, knowledge: text(database), database: database).run(take)
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

    /// What may be an answer, before its row is read.
    private struct Candidate {
        var feature: Int64
        var location: Coordinate
        var importance: Double
        var score: Double
        var reason: SearchMatch.Reason
        var objects: String?
        var distance: Double?
        var along: Double?
        /// Its names need not be looked at: they were found by the words.
        var isNamed = false
    }

    func run(_ take: (SearchMatch) throws -> Bool) throws -> Int {
        guard let region = try SearchRegion(query.region, database: database) else { return 0 }
        if !query.kinds.isEmpty {
            var reading = SearchReading()
            reading.kinds = query.kinds
            return try hand(try candidates(for: reading, region), reading, take)
        }
        if let tag = query.tag {
            return try hand(try members(of: tag, region), SearchReading(), take)
        }
        if let reading = query.reading { return try hand(try candidates(for: reading, region), reading, take) }
        var reader = try knowledge.reader(query.words, database)
        for reading in reader.readings() where reading.place == nil {
            let count = try hand(try candidates(for: reading, region), reading, take)
            if count > 0 { return count }
        }
        return 0
    }

    // MARK: Candidates

    private func candidates(for reading: SearchReading, _ region: SearchRegion) throws -> [Candidate] {
        var found: [Candidate] = []
        if !reading.kinds.isEmpty {
            found = try members(of: reading.kinds, region)
        } else if let first = reading.traits.first {
            found = try members(of: first, region)
        } else if reading.name.isEmpty {
            return reading.wishes.isEmpty && reading.opening == nil ? [] : try everything(region)
        }
        for trait in reading.kinds.isEmpty ? reading.traits.dropFirst() : reading.traits[...] {
            let wanted = Set(try members(of: trait, region).map(\.feature))
            found.removeAll { !wanted.contains($0.feature) }
        }
        guard !reading.name.isEmpty else {
            guard !reading.allWords.isEmpty else { return found }
            let known = Set(found.map(\.feature))
            return found
                + (try bearers(of: reading.allWords, region, isBrand: true).filter { !known.contains($0.feature) })
        }
        let isOfKind = reading.isOfKind
        let named = try bearers(of: isOfKind && !reading.allWords.isEmpty ? reading.allWords : reading.name, region)
        if !isOfKind {
            // "fish_and_chips" is written with all its words.
            let words = [reading.name, TextFold.words(query.words).map(\.text)].map { $0.joined(separator: "_") }
            let others = try members(of: words.map { "cuisine=" + $0 }, region).map { member in
                var member = member
                (member.score, member.reason, member.objects, member.isNamed) = (0.9, .cuisine, nil, true)
                return member
            }
            return named + others
        }
        // What bears kind and name in its name, "Burger King", besides those of the kind that bear the rest.
        let words = Set(named.map(\.feature))
        return found.filter { !words.contains($0.feature) } + named
    }

    /// The members of kinds in the region.
    private func members(of kinds: [String], _ region: SearchRegion) throws -> [Candidate] {
        var found: [Candidate] = []
        func read(_ statement: Statement, _ reason: SearchMatch.Reason) throws {
            defer { statement.reset() }
            while try statement.step() {
                let point = Coordinate(latitude: statement.double(2), longitude: statement.double(1))
                guard region.contains(point) else { continue }
                found.append(
                    Candidate(
                        feature: statement.int64(0), location: point, importance: statement.double(3), score: 1,
                        reason: reason, objects: statement.isNull(4) ? "" : statement.text(4)))
            }
        }
        for kind in kinds {
            guard let ranges = region.cells else {
                let statement = try database.statement(
                    "SELECT feature, lon, lat, importance, objects FROM feature_category WHERE category = ?1")
                statement.bind(1, kind)
                try read(statement, .category(kind))
                continue
            }
            for range in ranges {
                let statement = try database.statement(
                    """
                    SELECT feature, lon, lat, importance, objects FROM feature_category
                    WHERE category = ?1 AND cell BETWEEN ?2 AND ?3
                    """)
                statement.bind(1, kind)
                statement.bind(2, range.lowerBound)
                statement.bind(3, range.upperBound)
                try read(statement, .category(kind))
            }
        }
        guard kinds.count > 1 else { return found }
        var seen: Set<Int64> = []
        return found.filter { seen.insert($0.feature).inserted }
    }

    private func members(of tag: SearchQuery.MainTag, _ region: SearchRegion) throws -> [Candidate] {
        try rows(region, "f.class = ?5 AND f.type = ?6 AND f.\(Schema.mainTagCondition)", .tag) { statement in
            statement.bind(5, tag.key)
            statement.bind(6, tag.value)
        }
    }

    private static let kindsWithHours: [FeatureKind] = [
        .address, .pointOfInterest, .water, .park, .peak, .stop, .otherNatural, .thing,
    ]

    /// Everything that may have opening hours and the like.
    private func everything(_ region: SearchRegion) throws -> [Candidate] {
        let kinds = Self.kindsWithHours.map { String($0.rawValue) }.joined(separator: ", ")
        return try rows(region, "f.kind IN (\(kinds))", .wish) { _ in }
    }

    /// The features of the region that fulfil a condition, through the spatial index where there is a region.
    private func rows(
        _ region: SearchRegion, _ condition: String, _ reason: SearchMatch.Reason, bind: (Statement) -> Void
    ) throws -> [Candidate] {
        var found: [Candidate] = []
        func read(_ statement: Statement) throws {
            defer { statement.reset() }
            while try statement.step() {
                guard let point = statement.withBlob(2, { SpatialBlob.decodePoint($0) }), region.contains(point) else {
                    continue
                }
                found.append(
                    Candidate(
                        feature: statement.int64(0), location: point, importance: statement.double(1), score: 1,
                        reason: reason, isNamed: true))
            }
        }
        guard let boxes = region.boxes else {
            let statement = try database.statement(
                "SELECT f.id, f.importance, f.geometry FROM feature f WHERE \(condition)")
            bind(statement)
            try read(statement)
            return found
        }
        for box in boxes {
            let statement = try database.statement(
                """
                SELECT f.id, f.importance, f.geometry FROM idx_feature_geometry i CROSS JOIN feature f ON f.id = i.pkid
                WHERE i.xmin <= ?1 AND i.xmax >= ?2 AND i.ymin <= ?3 AND i.ymax >= ?4 AND \(condition)
                """)
            statement.bind(1, box.east)
            statement.bind(2, box.west)
            statement.bind(3, box.north)
            statement.bind(4, box.south)
            bind(statement)
            try read(statement)
        }
        guard boxes.count > 1 else { return found }
        var seen: Set<Int64> = []
        return found.filter { seen.insert($0.feature).inserted }
    }

    /// What has all of these words in a name, brand or the like.
    ///
    /// - Parameter isBrand: whether only a brand or an operator that is called just so counts.
    private func bearers(of words: [String], _ region: SearchRegion, isBrand: Bool = false) throws -> [Candidate] {
        let statement = try database.statement(
            """
            SELECT n.feature, n.sort, n.tokens FROM name_text t CROSS JOIN name n ON n.id = t.rowid
            WHERE name_text MATCH ?1 ORDER BY t.rowid
            """)
        statement.bind(1, words.map { "\"\($0)\"" }.joined(separator: " "))
        defer { statement.reset() }
        var found: [Int64: Candidate] = [:]
        var outside: Set<Int64> = []
        var order: [Int64] = []
        while try statement.step() {
            let feature = statement.int64(0)
            if outside.contains(feature) { continue }
            let isBusiness = statement.int(1) == TextIndexBuilder.Sort.business.rawValue
            var likeness = Self.likeness(of: statement.text(2) ?? "", to: words)
            if isBrand, likeness < 1 { continue }
            if isBusiness { likeness *= 0.95 }
            let score = 0.5 + 0.5 * likeness
            if let known = found[feature] {
                if known.score < score { found[feature]?.score = score }
                continue
            }
            let row = try database.statement("SELECT importance, geometry FROM feature WHERE id = ?1")
            row.bind(1, feature)
            defer { row.reset() }
            guard try row.step(), let point = row.withBlob(1, { SpatialBlob.decodePoint($0) }), region.contains(point)
            else {
                outside.insert(feature)
                continue
            }
            if isBrand, !isBusiness, try !hasBrand(feature, words) {
                outside.insert(feature)
                continue
            }
            found[feature] = Candidate(
                feature: feature, location: point, importance: row.double(0), score: score, reason: .name,
                isNamed: true)
            order.append(feature)
        }
        return order.compactMap { found[$0] }
    }

    /// Whether the brand or operator, which may be the name as well, is called by just these words.
    private func hasBrand(_ feature: Int64, _ words: [String]) throws -> Bool {
        guard let tags = try Feature.load(feature, database)?.tags else { return false }
        return ["brand", "operator"].contains { key in
            tags[key].map { knowledge.normalizer.tokens($0) == words } ?? false
        }
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

    // MARK: Order

    /// Hands over what fulfils the reading, in the query's order.
    private func hand(
        _ candidates: [Candidate], _ reading: SearchReading, _ take: (SearchMatch) throws -> Bool
    ) throws -> Int {
        let ordered = ordered(candidates)
        let limit = query.limit.map { max($0, 0) } ?? .max
        let words = Set(reading.name)
        let wishes = try wishes(of: reading)
        var seen: Set<OSMID> = []
        seen.reserveCapacity(min(ordered.count, limit))
        var count = 0
        let row = try database.statement("SELECT \(Feature.columns) FROM feature f WHERE f.id = ?1")
        defer { row.reset() }
        var expressions: [String: TagExpression] = [:]
        for candidate in ordered {
            guard count < limit else { break }
            row.rewind()
            row.bind(1, candidate.feature)
            guard try row.step() else { continue }
            let feature = try Feature(row: row)
            if let osm = feature.osm, !seen.insert(osm).inserted { continue }
            var match = match(feature, candidate)
            if case .category(let name) = candidate.reason {
                if let known = expressions[name] {
                    match.tags = known.reasons(in: feature.tags)
                } else if let tags = PlaceKinds.shared[name]?.tags {
                    expressions[name] = tags
                    match.tags = tags.reasons(in: feature.tags)
                }
            }
            for kind in reading.traits.joined() {
                for tag in PlaceKinds.shared[kind]?.tags.reasons(in: feature.tags) ?? [] where !match.tags.contains(tag)
                {
                    match.tags.append(tag)
                }
            }
            if !words.isEmpty, !candidate.isNamed {
                guard let tags = saying(words, feature) else { continue }
                match.tags += tags
            }
            guard
                wishes.allSatisfy({ wish in
                    let tags = wish.reasons(in: feature.tags)
                    match.tags += tags
                    return !tags.isEmpty
                }), try isOpen(feature, reading, &match)
            else { continue }
            count += 1
            guard try take(match) else { break }
        }
        return count
    }

    /// What candidates are sorted by: numbers alone, since they move about.
    private struct Rank {
        var index: Int
        var feature: Int64
        /// Smaller ones first, one after the other.
        var first = 0.0
        var second = 0.0
        var third = 0.0

        static func < (a: Rank, b: Rank) -> Bool {
            if a.first != b.first { return a.first < b.first }
            if a.second != b.second { return a.second < b.second }
            if a.third != b.third { return a.third < b.third }
            return a.feature < b.feature
        }
    }

    private func ordered(_ candidates: [Candidate]) -> [Candidate] {
        var result = candidates
        var ranks: [Rank] = []
        ranks.reserveCapacity(result.count)
        for index in result.indices {
            var rank = Rank(index: index, feature: result[index].feature)
            switch query.order {
            case .nearest(let point):
                rank.first = point.distance(to: result[index].location)
                result[index].distance = rank.first
            case .along(let corridor):
                let spot = corridor.spot(of: result[index].location)
                (result[index].along, result[index].distance) = (spot?.along, spot?.distance)
                rank.first = spot?.along ?? .infinity
            case .best:
                (rank.first, rank.second) = (-result[index].score, -result[index].importance)
                guard case .circle(let point, _) = query.region else { break }
                rank.third = point.distance(to: result[index].location)
                result[index].distance = rank.third
            }
            ranks.append(rank)
        }
        ranks.sort { $0 < $1 }
        return ranks.map { result[$0.index] }
    }

    private func match(_ feature: Feature, _ candidate: Candidate) -> SearchMatch {
        let precision: MatchQuality.Precision =
            switch feature.kind {
            case .street: .street
            case .address: .house
            case let kind where kind.rawValue <= FeatureKind.postcode.rawValue: .place
            default: .pointOfInterest
            }
        var match = SearchMatch(
            feature: feature, distance: candidate.distance, along: candidate.along, reason: candidate.reason,
            quality: MatchQuality(
                score: candidate.score, precision: precision, matched: query.words.isEmpty ? [] : [query.words],
                unmatched: []))
        if let objects = candidate.objects {
            match.objects =
                objects.isEmpty
                ? feature.osm.map { [$0] } ?? [] : objects.split(separator: " ").compactMap { OSMID(String($0)) }
        }
        if candidate.reason == .cuisine, let cuisine = feature.tags["cuisine"] {
            match.tags = ["cuisine=\(cuisine)"]
        } else if candidate.reason == .tag {
            match.tags = ["\(feature.category)=\(feature.type)"]
        }
        return match
    }

    // MARK: Wishes

    /// What the wishes of a reading ask of the tags.
    private func wishes(of reading: SearchReading) throws -> [TagExpression] {
        guard !reading.wishes.isEmpty else { return [] }
        let known = try QueryWords.shared.wishes
        return reading.wishes.compactMap { known[$0] }
    }

    /// The tags whose values hold all of these tokens: names, brand, cuisine and what else tells one of a kind from others.
    private func saying(_ words: Set<String>, _ feature: Feature) -> [String]? {
        var left = words
        var tags: [String] = []
        for pair in feature.tags.pairs {
            let isDiet = pair.key.hasPrefix("diet:")
            guard isDiet || Self.tellingKeys.contains(pair.key) || Names.isNameKey(pair.key) else { continue }
            let text = isDiet ? pair.value == "no" ? "" : String(pair.key.dropFirst(5)) : pair.value
            let tokens = knowledge.normalizer.tokens(text.replacing("_", with: " "))
            let before = left.count
            left.subtract(tokens)
            if left.count < before { tags.append("\(pair.key)=\(pair.value)") }
            if left.isEmpty { return tags }
        }
        return nil
    }

    /// Keys besides names whose values people name.
    private static let tellingKeys: Set<String> = [
        "cuisine", "religion", "denomination", "sport", "network", "vending", "fuel", "product", "clothes",
        "healthcare",
        "healthcare:speciality", "craft", "shop", "species", "artwork_type", "tower:type", "museum",
    ]

    /// Whether it is surely open when the reading asks for it. Notes what its hours say.
    private func isOpen(_ feature: Feature, _ reading: SearchReading, _ match: inout SearchMatch) throws -> Bool {
        guard let clocks = query.clock, let value = feature.tags["opening_hours"],
            let hours = try? OpeningHours(value), let clock = try clocks(feature.location, match.along)
        else { return reading.opening == nil }
        guard let opening = reading.opening else {
            match.hours = hours.outlook(at: clock.moment, in: clock.site)
            return true
        }
        func isSurelyOpen(_ moment: OpeningHours.Moment) -> Bool {
            let state = hours.state(at: moment, in: clock.site)
            return state.kind == .open && !state.restsOnComment
        }
        var moment = clock.moment
        var holds = false
        switch opening {
        case .now: holds = isSurelyOpen(moment)
        case .always:
            holds = isSurelyOpen(moment) && hours.nextChange(after: moment, in: clock.site) == nil
        case .on(let day, let minute):
            var ahead = 0
            switch day {
            case .today: ahead = 0
            case .tomorrow: ahead = 1
            case .weekday(let number):
                ahead = (number - moment.day.weekday + 7) % 7
                if ahead == 0, let minute, minute < moment.minute { ahead = 7 }
            }
            let start = OpeningHours.Moment(
                day: .init(number: moment.day.number + ahead),
                minute: minute ?? (ahead == 0 && day == .today ? moment.minute : 0))
            moment = start
            holds = isSurelyOpen(start)
            if minute == nil {
                // Any time of that day.
                let end = OpeningHours.Moment(day: .init(number: start.day.number + 1), minute: 0)
                for _ in 0..<20 where !holds {
                    guard let next = hours.nextChange(after: moment, in: clock.site), next < end else { break }
                    moment = next
                    holds = isSurelyOpen(next)
                }
            }
        }
        if holds {
            match.hours = hours.outlook(at: moment, in: clock.site)
            match.tags.append("opening_hours=\(value)")
        }
        return holds
    }
}

extension TagExpression {
    /// The tags for which it holds, as `key=value`; empty where it does not.
    func reasons(in tags: Tags) -> [String] {
        guard let terms = alternatives.first(where: { $0.allSatisfy { $0.holds(tags) } }) else { return [] }
        return terms.map { term in
            var reason = term.key
            reason += "="
            reason += tags[term.key] ?? ""
            return reason
        }
    }
}

import Geometry

/// Looking names up: from the rarer words of the text to the features that may be meant.
extension Geocoder {
    mutating func retrieve() throws {
        try findCountryOfField()
        var seen: Set<Int64> = []
        let count = reading.tokens.count
        for index in 0..<count where reading.same[index] == index {
            let token = reading.tokens[index]
            guard !token.isCommon, reading.ignored & QueryReading.bit(index) == 0 else { continue }
            if token.role.contains(.number), token.text.utf8.count > 8 { continue }
            let isFull = try lookUp("\"\(token.text)\"", isSingle: true, hint: false, seen: &seen)
            guard isFull else { continue }
            // Too common alone: near the point that is preferred, with the postcode, with words of the places around.
            try lookUpNearBy(token.text, seen: &seen)
            var isSettled = try lookUp("\"\(token.text)\"", withPostcodeBeside: index, seen: &seen)
            for place in 0..<count where reading.same[place] == place && place != index {
                guard !reading.tokens[place].isCommon, !reading.tokens[place].role.contains(.digits) else { continue }
                let before = hinted.count
                let isFull = try lookUp("\"\(token.text)\" \"@\(reading.tokens[place].text)\"", hint: true, seen: &seen)
                if hinted.count > before, !isFull { isSettled = true }
            }
            // With its neighbours, where no place has told.
            for occurrence in index..<count where reading.same[occurrence] == index && !isSettled {
                for neighbour in [occurrence - 1, occurrence + 1] where (0..<count).contains(neighbour) {
                    guard reading.same[neighbour] != index else { continue }
                    let other = reading.tokens[neighbour].text
                    _ = try lookUp("\"\(token.text)\" \"\(other)\"", hint: false, seen: &seen)
                    for place in 0..<count where place != neighbour && place != occurrence {
                        guard reading.same[place] == place, !reading.tokens[place].isCommon,
                            !reading.tokens[place].role.contains(.digits)
                        else { continue }
                        _ = try lookUp(
                            "\"\(token.text)\" \"\(other)\" \"@\(reading.tokens[place].text)\"", hint: true, seen: &seen
                        )
                    }
                }
            }
        }
        // Names of common words only: "The Avenue", "Esplanade", "Am Weg".
        for first in 0..<count where reading.tokens[first].isCommon {
            var run = ""
            for last in first..<min(count, first + 5) {
                guard reading.tokens[last].isCommon else { break }
                run += (last > first ? "_" : "=") + reading.tokens[last].text
                let isFull = try lookUp("\"\(run)\"", isSingle: true, hint: false, seen: &seen)
                guard isFull else { continue }
                for place in 0..<count where !reading.tokens[place].isCommon {
                    _ = try lookUp("\"\(run)\" \"@\(reading.tokens[place].text)\"", hint: true, seen: &seen)
                }
            }
        }
    }

    /// Finds the country itself where the only field is that of the country and holds a code.
    private mutating func findCountryOfField() throws {
        guard let code = countryOfField, let mask = fieldMasks[.country], fieldMasks.count == 1 else { return }
        for key in knowledge.regions.names(ofCountry: code) {
            let words = key.split(separator: " ").map { "\"\($0)\"" }.joined(separator: " ")
            let statement = try database.statement(
                """
                SELECT n.feature FROM name_text t CROSS JOIN name n ON n.id = t.rowid JOIN feature f ON f.id = n.feature
                WHERE name_text MATCH ?1 AND f.kind = ?2 AND f.country = ?3 ORDER BY t.rowid LIMIT 1
                """)
            statement.bind(1, words)
            statement.bind(2, FeatureKind.country.rawValue)
            statement.bind(3, code)
            defer { statement.reset() }
            guard try statement.step() else { continue }
            let feature = statement.int64(0)
            if names[feature] == nil { order.append(feature) }
            insert(
                NameMatch(feature: feature, mask: mask, coverage: 1, weight: reading.weight(of: mask), sort: .name))
            return
        }
    }

    /// Looks names up with the postcodes of the text; whether one has told which are meant.
    private mutating func lookUp(_ name: String, withPostcodeBeside index: Int, seen: inout Set<Int64>) throws -> Bool {
        var isSettled = false
        for code in reading.likelyPostcodes.prefix(3) where code.mask & QueryReading.bit(index) == 0 {
            let before = hinted.count
            let isFull = try lookUp("\(name) \"@\(code.compact)\"", hint: true, seen: &seen)
            if hinted.count > before, !isFull { isSettled = true }
        }
        return isSettled
    }

    /// Reads the names with a word that lie around the point that is preferred; some 10 km.
    private mutating func lookUpNearBy(_ word: String, seen: inout Set<Int64>) throws {
        guard let near = query.near ?? query.viewbox?.center, near.isValid else { return }
        for cell in CompletionIndex.Grid.town.cells(around: near) {
            guard lookUpsLeft > Self.lookUpsOfSingleWords, nameRowsLeft > 0, !isSpent else { return }
            lookUpsLeft -= 1
            let statement = try database.statement(
                """
                SELECT n.id, n.feature, n.sort, n.tokens FROM completion_near c CROSS JOIN name n ON n.id = c.name
                WHERE c.cell = ?1 AND c.word = ?2 LIMIT \(Self.rowsPerCell)
                """)
            statement.bind(1, cell)
            statement.bind(2, word)
            defer { statement.reset() }
            while try statement.step() {
                nameRowsLeft -= 1
                nearBy.insert(statement.int64(1))
                take(statement, seen: &seen)
            }
        }
    }

    /// Reads the names that the expression finds; whether there may be more. Nothing is read once the query has spent its
    /// look-ups or rows, and the last of them are not for expressions of several words.
    mutating func lookUp(
        _ expression: String, isSingle: Bool = false, hint: Bool, seen: inout Set<Int64>
    ) throws -> Bool {
        guard lookUpsLeft > (isSingle ? 0 : Self.lookUpsOfSingleWords), nameRowsLeft > 0, isSingle || !isSpent else {
            return false
        }
        lookUpsLeft -= 1
        database.charge(Self.chargeOfExpression)
        let statement = try database.statement(
            """
            SELECT n.id, n.feature, n.sort, n.tokens FROM name_text t CROSS JOIN name n ON n.id = t.rowid
            WHERE name_text MATCH ?1 ORDER BY t.rowid LIMIT \(Self.rowsPerWord)
            """)
        statement.bind(1, expression)
        defer { statement.reset() }
        var count = 0
        while try statement.step() {
            count += 1
            if hint { hinted.insert(statement.int64(1)) }
            take(statement, seen: &seen)
        }
        nameRowsLeft -= count
        return count >= Self.rowsPerWord
    }

    /// Takes the name in a row of number, feature, sort and tokens.
    private mutating func take(_ row: Statement, seen: inout Set<Int64>) {
        guard seen.insert(row.int64(0)).inserted else { return }
        let feature = row.int64(1)
        let sort = TextIndexBuilder.Sort(rawValue: row.int(2)) ?? .other
        let tokens = row.withText(3) { reading.nameTokens($0) } ?? []
        for found in reading.alignments(tokens, within: ~reading.ignored) where found.coverage >= 0.3 {
            if names[feature] == nil { order.append(feature) }
            insert(
                NameMatch(
                    feature: feature, mask: found.mask, coverage: found.coverage, weight: found.weight, sort: sort))
        }
    }

    /// Keeps the best match for each set of tokens, at most six for a feature.
    mutating func insert(_ match: NameMatch) {
        var list = names[match.feature] ?? []
        if let index = list.firstIndex(where: { $0.mask == match.mask }) {
            if Self.value(match) > Self.value(list[index]) { list[index] = match }
        } else {
            list.append(match)
            list.sort { Self.value($0) > Self.value($1) }
            if list.count > 6 { list.removeLast() }
        }
        names[match.feature] = list
    }

    static func value(_ match: NameMatch) -> Double {
        match.weight * match.coverage * match.coverage * factor(match.sort)
    }

    static func factor(_ sort: TextIndexBuilder.Sort) -> Double {
        switch sort {
        case .name: 1
        case .other: 0.98
        case .business: 0.85
        }
    }

    /// Finds out which of many namesakes lie in the places that the text names.
    mutating func lookNamesakesUp(of feature: Int64) throws {
        guard let mask = names[feature]?.first?.mask else { return }
        func isRare(_ index: Int) -> Bool {
            reading.same[index] == index && !reading.tokens[index].isCommon
                && !reading.tokens[index].role.contains(.digits) && reading.ignored & QueryReading.bit(index) == 0
        }
        let own = reading.tokens.indices.filter { mask & QueryReading.bit($0) != 0 && isRare($0) }
        let others = reading.tokens.indices.filter { mask & QueryReading.bit($0) == 0 && isRare($0) }
        guard !own.isEmpty else { return }
        let name = own.map { "\"\(reading.tokens[$0].text)\"" }.joined(separator: " ")
        var seen: Set<Int64> = []
        for place in others.prefix(4) {
            _ = try lookUp("\(name) \"@\(reading.tokens[place].text)\"", hint: true, seen: &seen)
        }
        if let first = own.first { _ = try lookUp(name, withPostcodeBeside: first, seen: &seen) }
    }

    /// The features whose names say most of the text, best first, with what they say.
    func promisingFeatures() -> [(feature: Int64, value: Double)] {
        var scored: [(value: Double, position: Int)] = []
        scored.reserveCapacity(order.count)
        for position in order.indices {
            guard let best = names[order[position]]?.first else { continue }
            let feature = order[position]
            let hint = hinted.contains(feature) ? 0.5 : nearBy.contains(feature) ? 0.25 : 0
            scored.append((Self.value(best) + hint, position))
        }
        scored.sort { ($0.value, -$0.position) > ($1.value, -$1.position) }
        return scored.prefix(Self.candidatesInFull).map { (order[$0.position], $0.value) }
    }

    /// Loads features, and remembers the places among them.
    mutating func candidates(_ features: [Int64]) throws -> [Candidate] {
        var candidates: [Candidate] = []
        for feature in features {
            if candidates.count >= Self.candidatesAtFirst, isSpent { break }
            guard let candidate = try load(feature) else { continue }
            candidates.append(candidate)
            guard candidate.isPlace else { continue }
            for match in names[candidate.id] ?? [] where match.coverage > 0.98 {
                knownPlaces.append((match.mask, candidate))
            }
        }
        return candidates
    }

    mutating func load(_ id: Int64) throws -> Candidate? {
        if let known = rows[id] { return known }
        let statement = try database.statement(
            """
            SELECT kind, rank, search_rank, postcode, country, parent, context, importance, west, south, east, north,
              housenumber FROM feature WHERE id = ?1
            """)
        statement.bind(1, id)
        defer { statement.reset() }
        guard try statement.step(), let kind = FeatureKind(rawValue: statement.int(0)) else { return nil }
        let candidate = Candidate(
            id: id, kind: kind, rank: statement.int(1), searchRank: statement.int(2), postcode: statement.text(3),
            country: statement.text(4), parent: statement.isNull(5) ? nil : statement.int64(5),
            context: statement.isNull(6) ? nil : statement.int64(6), importance: statement.double(7),
            box: BoundingBox(
                west: statement.double(8), south: statement.double(9), east: statement.double(10),
                north: statement.double(11)), houseNumber: statement.text(12))
        rows[id] = candidate
        return candidate
    }
}

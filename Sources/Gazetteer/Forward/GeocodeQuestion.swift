/// A forward query from its words to its answer: as it is written, and where that does not explain all of it, with words
/// put right.
struct GeocodeQuestion {
    private var asked: Geocoder
    /// Readings with corrections that are better than the text as it was written, best first.
    private var corrected: [Geocoder] = []
    private var spelling: SpellingSearch?
    /// The most tokens of a text whose words are put right: no address is longer.
    private static let longestCorrected = 18

    init(_ query: GeocodeQuery, knowledge: GazetteerText, database: Database) {
        asked = Geocoder(query, knowledge: knowledge, database: database)
    }

    mutating func answer() throws -> GeocodeAnswer {
        let database = asked.database
        let (statements, rows, before) = (database.statementsAsked, database.rowsRead, database.effort)
        var answer = try find()
        answer.effort = database.effort - before
        guard asked.query.explains else { return answer }
        var effort = GeocodeEffort()
        effort.statements = database.statementsAsked - statements
        effort.rows = database.rowsRead - rows
        effort.nodes = spelling.map { SpellingSearch.nodes - $0.nodesLeft } ?? 0
        effort.readings = 1 + (spelling?.outcomes.count ?? 0)
        answer.explanation = try explanation(answer, effort)
        return answer
    }

    private mutating func find() throws -> GeocodeAnswer {
        try asked.run()
        let limit = min(max(asked.query.limit, 1), 1000)
        let houses = try asked.housesNearBy()
        if !houses.isEmpty {
            // A postcode that is just this number is meant before a house.
            let codes = try asked.matches(asked.accepted, limit: limit).filter {
                $0.feature.kind == .postcode && $0.quality.isComplete
            }
            var answer = GeocodeAnswer(matches: Array((codes + houses).prefix(limit)))
            answer.isExact = true
            return answer
        }
        try dropRepeats()
        let isExact =
            asked.explainsEverything && (asked.accepted.first?.coverage ?? 0) >= SpellingSearch.coverageOfPart
        if asked.query.correctsSpelling, !isExact, !asked.isSpent,
            (1...Self.longestCorrected).contains(asked.reading.tokens.count)
        {
            var search = try SpellingSearch(asked)
            corrected = try search.run()
            spelling = search
        }
        var answer = GeocodeAnswer()
        if corrected.isEmpty {
            answer.matches = try asked.matches(asked.accepted, limit: limit)
            answer.isExact = isExact
        } else {
            var seen: Set<String> = []
            for var geocoder in corrected where answer.matches.count < limit {
                for match in try geocoder.matches(geocoder.accepted, limit: limit) where answer.matches.count < limit {
                    let identity = "\(match.feature.id)/\(match.houseNumber ?? "")/\(match.crossing?.id ?? 0)"
                    if seen.insert(identity).inserted { answer.matches.append(match) }
                }
            }
        }
        if answer.matches.isEmpty {
            answer.nearMisses = try nearMisses(limit: min(limit, 5))
            let unmatched = asked.reading.significant & ~(asked.refused.first?.used ?? 0)
            answer.unmatchedToken = asked.firstWord(unmatched)
            if let token = answer.unmatchedToken {
                let words = asked.knowledge.normalizer.written(token)
                let vocabulary = try asked.knowledge.vocabulary(asked.database)
                answer.isUnmatchedTokenKnown =
                    try !words.isEmpty && words.allSatisfy { try vocabulary.contains($0.text) }
            }
        }
        return answer
    }

    /// Words written twice in a row say nothing new, unless a name is such a pair.
    private mutating func dropRepeats() throws {
        guard asked.accepted.first.map({ asked.reading.significant & ~$0.used != 0 }) ?? true,
            asked.query.fields == nil, let text = TextNormalizer.withoutRepeats(asked.query.text)
        else { return }
        var once = asked.query
        once.text = text
        var other = Geocoder(once, knowledge: asked.knowledge, database: asked.database)
        try other.run()
        if (other.accepted.first?.score ?? 0) > (asked.accepted.first?.score ?? 0) { asked = other }
    }

    private func explanation(_ answer: GeocodeAnswer, _ effort: GeocodeEffort) throws -> GeocodeExplanation {
        var explanation = GeocodeExplanation()
        let geocoders = corrected + [asked] + (corrected.isEmpty ? spelling?.outcomes.map(\.geocoder) ?? [] : [])
        let winner = corrected.first ?? asked
        explanation.words = try winner.explainedWords(
            winner.accepted.first ?? winner.refused.first, winner.knowledge.vocabulary(winner.database))
        let reading = winner.reading
        func once(_ texts: [String]) -> [String] {
            var seen: Set<String> = []
            return texts.filter { seen.insert($0).inserted }
        }
        explanation.houseNumbers = once(reading.numbers.map(\.key))
        explanation.postcodes = once(reading.likelyPostcodes.map(\.compact))
        explanation.regions = once(
            reading.regions.map { region in
                [region.region.country, region.region.state].compactMap { $0 }.joined(separator: "-").uppercased()
            })
        explanation.corrections = answer.matches.first?.quality.corrections ?? []
        // The answers, then what was left out for them, then what is none.
        var candidates: [GeocodeExplanation.Candidate] = []
        var seen: Set<String> = []
        func add(_ geocoder: Geocoder, _ readings: [Geocoder.Reading], most: Int) throws {
            for reading in readings.prefix(4 * most) where candidates.count < most {
                let candidate = try geocoder.candidate(reading)
                // Namesakes that fit alike say nothing new.
                let isAnswer = candidate.refusal == nil && candidates.count < 2
                let identity =
                    "\(candidate.name)|\(candidate.kind)|\(candidate.unmatched)"
                    + (isAnswer ? "|\(candidate.feature)" : "")
                if seen.insert(identity).inserted { candidates.append(candidate) }
            }
        }
        for geocoder in geocoders { try add(geocoder, geocoder.accepted, most: 6) }
        let answers = candidates.count
        for geocoder in geocoders { try add(geocoder, geocoder.refused, most: 8) }
        candidates[answers...].sort { $0.score > $1.score }
        for index in candidates.indices where index < answer.matches.count {
            let match = answer.matches[index]
            if candidates[index].feature == match.feature.id {
                candidates[index].corrections = match.quality.corrections
            }
        }
        explanation.candidates = candidates
        explanation.considered = asked.evaluated + (spelling?.outcomes.reduce(0) { $0 + $1.geocoder.evaluated } ?? 0)
        explanation.decision = GeocodeExplanation.decision(candidates, words: explanation.words)
        explanation.effort = effort
        return explanation
    }

    /// The coarser and the nearly fitting places: whole names before parts of names.
    private mutating func nearMisses(limit: Int) throws -> [GeocodeMatch] {
        var readings: [(geocoder: Int, reading: Geocoder.Reading, value: Double)] = []
        var geocoders = [asked] + (spelling?.outcomes.map(\.geocoder) ?? [])
        for (index, geocoder) in geocoders.enumerated() {
            for reading in geocoder.refused.prefix(20) {
                var value = reading.score * (reading.coverage > 0.98 ? 1 : 0.6)
                // A number alone is no name; towns and streets say more of where it may be than venues.
                if reading.own & ~geocoder.digits == 0 { value *= 0.3 }
                if !reading.candidate.isPlace, reading.candidate.kind != .street { value *= 0.8 }
                readings.append((index, reading, value))
            }
        }
        readings.sort { $0.value != $1.value ? $0.value > $1.value : $0.geocoder < $1.geocoder }
        var result: [GeocodeMatch] = []
        for entry in readings where result.count < limit {
            for match in try geocoders[entry.geocoder].matches([entry.reading], limit: 1) {
                if !result.contains(where: { $0.feature.id == match.feature.id }) { result.append(match) }
            }
        }
        return result
    }
}

import Geometry

/// What explains the words that a name leaves over: the places around it, its postcode, its country.
extension Geocoder {
    mutating func evaluate(_ candidate: Candidate, _ match: NameMatch) throws -> Reading {
        var result = Reading(
            candidate: candidate, own: match.mask, used: match.mask, coverage: match.coverage, sort: match.sort)
        if query.explains { result.parts = [(match.mask, .name)] }
        if !candidate.isPlace, candidate.kind != .street, let parent = candidate.parent {
            if let street = names[parent]?.first(where: { $0.mask & result.used == 0 && $0.coverage > 0.6 }) {
                result.used |= street.mask
                result.matchedStreet = true
                result.parts?.append((street.mask, .street(parent)))
            }
        }
        // Unless it is a place, the number beside the name is not for a place's name to take.
        let reserved = candidate.isPlace ? 0 : numberBeside(match.mask)
        try explainPlaces(&result, except: reserved)
        return result
    }

    /// The first token of a number that stands right before or after the name.
    func numberBeside(_ mask: Mask) -> Mask {
        let first = mask.trailingZeroBitCount
        let last = 63 - mask.leadingZeroBitCount
        for number in reading.numbers where number.mask & mask == 0 && number.first == number.last {
            if number.last + 1 == first || number.first == last + 1 { return number.mask }
        }
        return 0
    }

    mutating func explainPlaces(_ result: inout Reading, except reserved: Mask) throws {
        let candidate = result.candidate
        try explainPlaces(&result, context: candidate.context, except: reserved)
        try explainWritten(of: candidate.id, &result, except: reserved)
        // The name again, or another of its names.
        for match in names[candidate.id] ?? [] where match.coverage > 0.98 && match.mask & (result.used | reserved) == 0
        {
            result.used |= match.mask
            result.loose |= match.mask
            result.parts?.append((match.mask, .ownNameAgain))
        }
    }

    /// Lets the places of a context, and the parent, explain what is left.
    func explainPlaces(_ result: inout Reading, context: Int64?, except reserved: Mask) throws {
        var around: [Int64] = []
        if let context { around = try knowledge.places(ofContext: context, database) }
        if let parent = result.candidate.parent, parent != result.candidate.id { around.append(parent) }
        var explained: [(mask: Mask, weight: Double, place: Int64)] = []
        for id in around where id != result.candidate.id {
            for match in names[id] ?? [] where match.coverage > 0.7 && match.mask & (result.used | reserved) == 0 {
                explained.append((match.mask, match.weight * match.coverage, id))
            }
        }
        explained.sort { $0.weight > $1.weight }
        for entry in explained where entry.mask & result.used == 0 {
            result.used |= entry.mask
            result.matchedContext = true
            result.parts?.append((entry.mask, .place(entry.place)))
        }
    }

    /// Lets the places that the tags of a street and of its addresses name explain what is left.
    ///
    /// - Parameter reserved: asked only where anything is left to explain.
    func explainWritten(
        of feature: Int64, _ result: inout Reading, except reserved: @autoclosure () throws -> Mask
    ) throws {
        guard ~result.used & ~reading.ignored & reading.significant != 0 else { return }
        let statement = try database.statement("SELECT tokens FROM written WHERE feature = ?1")
        statement.bind(1, feature)
        defer { statement.reset() }
        if try statement.step(), let phrases = statement.text(0) {
            explain(phrases: phrases, &result, except: try reserved())
        }
    }

    func explain(phrases: String, _ result: inout Reading, except reserved: Mask) {
        for phrase in phrases.split(separator: "|") {
            var text = String(phrase)
            let tokens = text.withUTF8 { reading.nameTokens(UnsafeRawBufferPointer($0)) }
            let rest = ~result.used & ~reading.ignored & ~reserved
            guard let best = reading.alignments(tokens, within: rest).first, best.coverage > 0.6 else { continue }
            result.used |= best.mask
            result.matchedContext = true
            result.byTag |= best.mask
            result.parts?.append((best.mask, .addressTag))
        }
    }

    func explainPostcode(_ postcode: String?, _ result: inout Reading) {
        guard let postcode, reading.postcodes.contains(where: { $0.mask & result.used == 0 }) else { return }
        let code = TextFold.words(postcode).map(\.text).joined()
        guard !code.isEmpty else { return }
        for candidate in reading.postcodes where candidate.mask & result.used == 0 {
            let matches =
                candidate.compact == code
                || (candidate.compact.utf8.count >= 4 && code.hasPrefix(candidate.compact))
                || (code.utf8.count >= 4 && candidate.compact.hasPrefix(code)
                    && candidate.compact.utf8.count <= code.utf8.count + 4)
            if matches {
                result.used |= candidate.mask
                result.matchedContext = true
                result.parts?.append((candidate.mask, .postcode))
                return
            }
        }
    }

    /// Lets countries and states explain what is left: their words fit where the place lies in them, or where it is not
    /// known in which it lies. The name of another one contradicts.
    ///
    /// - Parameter context: the context of the place, `Candidate.context`.
    mutating func explainRegions(country: String?, context: Int64?, _ result: inout Reading) throws {
        guard !reading.regions.isEmpty else { return }
        var state: String?
        var isStateRead = false
        var index = 0
        while index < reading.regions.count {
            let mask = reading.regions[index].mask
            var end = index
            var fits = false
            var hasName = false
            var otherState: String?
            while end < reading.regions.count, reading.regions[end].mask == mask {
                let region = reading.regions[end].region
                if country == nil || country == region.country {
                    if let asked = region.state, country != nil {
                        if !isStateRead {
                            state = try self.state(of: result.candidate, context: context)
                            isStateRead = true
                        }
                        if state == nil || state == asked { fits = true } else { otherState = asked }
                    } else {
                        fits = true
                    }
                }
                if !region.isCode { hasName = true }
                end += 1
            }
            index = end
            guard mask & result.used == 0 else { continue }
            if fits {
                result.used |= mask
                result.parts?.append((mask, .region))
            } else if let otherState, result.candidate.isPlace,
                try statesNear(result.candidate.center, of: country).contains(otherState)
            {
                result.used |= mask
                result.loose |= mask
                result.parts?.append((mask, .region))
            } else if hasName, mask & reading.significant != 0 {
                result.contradicts = true
            }
        }
    }

    /// The code of the state that a place lies in or is; nil where no place around it is a state that the lexicon knows.
    private mutating func state(of candidate: Candidate, context: Int64?) throws -> String? {
        var around = [candidate.id]
        if let context { around += try knowledge.places(ofContext: context, database) }
        for id in around {
            if let state = try code(ofState: id) { return state }
        }
        return nil
    }

    /// The code of the state that a feature is; nil for one that is none, or none that the lexicon knows.
    private mutating func code(ofState id: Int64) throws -> String? {
        guard let place = try load(id), place.kind == .region, let country = place.country else { return nil }
        let statement = try database.statement("SELECT name FROM feature WHERE id = ?1")
        statement.bind(1, id)
        defer { statement.reset() }
        guard try statement.step(), let name = statement.text(0) else { return nil }
        let regions = knowledge.regions[knowledge.normalizer.key(name)]
        return regions.first { $0.country == country && $0.state != nil }?.state
    }

    /// How far beyond the outline of a state a town may seem to lie, in metres: outlines of states are drawn roughly, and
    /// many towns lie on the rivers between them.
    private static let stateReach = 3_000.0

    private mutating func statesNear(_ point: Coordinate, of country: String?) throws -> [String] {
        let plane = LocalPlane(origin: point)
        let window = plane.window(Self.stateReach)
        let statement = try database.statement(
            """
            SELECT p.feature, p.geometry FROM idx_area_part_geometry i JOIN area_part p ON p.id = i.pkid
            WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3 AND p.rank BETWEEN 5 AND 9 LIMIT 200
            """)
        statement.bind(1, window.west)
        statement.bind(2, window.east)
        statement.bind(3, window.south)
        statement.bind(4, window.north)
        var near: Set<Int64> = []
        while try statement.step() {
            statement.withBlob(1) { bytes in
                _ = SpatialBlob.forEachRun(bytes) { run, _ in
                    if run.contains(point) || run.distance(plane) <= Self.stateReach { near.insert(statement.int64(0)) }
                }
            }
        }
        statement.reset()
        return try near.sorted().compactMap { id in
            try load(id)?.country == country ? try code(ofState: id) : nil
        }
    }

    func score(_ result: inout Reading) {
        let explained = reading.weight(of: result.used) - 0.3 * reading.weight(of: result.loose)
        var score = reading.total > 0 ? max(0, explained) / reading.total : 0
        score *= 0.55 + 0.45 * result.coverage
        score *= Self.factor(result.sort)
        if result.contradicts { score *= 0.5 }
        for correction in corrections { score *= correction.factor }
        result.score = min(1, score)
    }
}

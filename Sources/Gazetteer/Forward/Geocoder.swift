import Foundation
import Geometry
import OpenStreetMap

extension Gazetteer {
    /// Finds an address, a place or a name.
    ///
    /// An unknown house number gives its street. A street, or a name that leads the text, that nothing is found for gives
    /// no match: `unmatchedToken` names the word and `nearMisses` the coarser places. Cost: commonly a few dozen look-ups
    /// of names, at most 300 however long the text and common its words; then the places around at most 160 features, and
    /// the house numbers of at most 60. Throws `DatabaseError` for a damaged atlas.
    public func geocode(_ query: GeocodeQuery) throws -> GeocodeAnswer {
        try withDatabase { database in
            var geocoder = try Geocoder(query, knowledge: text(database), database: database)
            return try geocoder.answer()
        }
    }
}

/// One forward query at work.
///
/// The names that lie in the text are looked up from its rarer words (`retrieve`). Each feature so found is a candidate:
/// what its name leaves over must be explained by the places around it, its postcode, a house number, country and state
/// words (`evaluate`). The share of the text that is explained is its score.
struct Geocoder {
    typealias Mask = QueryReading.Mask

    /// Rows read for one word, and features whose surroundings are looked at. Names are stored by importance, so that the
    /// best-known bearers of a common word are among them.
    private static let rowsPerWord = 300
    private static let candidatesInFull = 160
    private static let candidatesWithNumbers = 60

    let query: GeocodeQuery
    let knowledge: GazetteerText
    let database: Database
    let reading: QueryReading
    /// Positions of the tokens of each structured field.
    private var fieldMasks: [Field: Mask] = [:]

    enum Field { case name, street, postcode, city, county, state, country }

    var names: [Int64: [NameMatch]] = [:]
    private var order: [Int64] = []
    private var hinted: Set<Int64> = []
    private var rows: [Int64: Candidate] = [:]
    var knownPlaces: [(mask: Mask, candidate: Candidate)] = []
    var streetLines: [Int64: [(line: [Coordinate], box: BoundingBox)]] = [:]
    /// Look-ups of names that are left to the query: some for words together, the last for each word by itself.
    private var lookUpsLeft = 300
    private static let lookUpsOfSingleWords = 100

    /// The columns of a feature that scoring needs.
    struct Candidate {
        var id: Int64
        var kind: FeatureKind
        var rank: Int
        var searchRank: Int
        var postcode: String?
        var country: String?
        var parent: Int64?
        var context: Int64?
        var importance: Double
        var box: BoundingBox
        var houseNumber: String?

        var isPlace: Bool { kind.rawValue <= FeatureKind.postcode.rawValue }
        var center: Coordinate {
            Coordinate(latitude: (box.south + box.north) / 2, longitude: (box.west + box.east) / 2)
        }
    }

    /// One way of reading the query.
    struct Reading {
        var candidate: Candidate
        /// The tokens of the name alone.
        var own: Mask
        var used: Mask
        /// Of those, the ones explained only loosely (a place near by).
        var loose: Mask = 0
        var coverage: Double
        var sort: TextIndexBuilder.Sort
        var house: House?
        var crossing: (street: Int64, at: Coordinate)?
        var matchedStreet = false
        var matchedContext = false
        var contradicts = false
        var numberMask: Mask = 0
        var score = 0.0
        /// Whether a town of the same name stands before it where both explain the text equally well.
        var yieldsToTown = false
    }

    /// A house number that was found.
    struct House {
        var feature: Feature
        var location: Coordinate
        var number: String?
        var isInterpolated: Bool
    }

    init(_ query: GeocodeQuery, knowledge: GazetteerText, database: Database) throws {
        self.query = query
        self.knowledge = knowledge
        self.database = database
        guard let fields = query.fields else {
            reading = QueryReading(query.text, knowledge)
            return
        }
        var text = ""
        var spans: [(Field, Range<Int>)] = []
        func add(_ field: Field, _ value: String?) {
            guard let value, !value.trimmingCharacters(in: .whitespaces).isEmpty else { return }
            if !text.isEmpty { text += ", " }
            let start = text.utf8.count
            text += value.replacingOccurrences(of: ",", with: " ")
            spans.append((field, start..<text.utf8.count))
        }
        add(.name, fields.name)
        add(.street, [fields.street, fields.houseNumber].compactMap { $0 }.joined(separator: " "))
        add(.city, fields.city)
        add(.county, fields.county)
        add(.state, fields.state)
        add(.postcode, fields.postcode)
        add(.country, fields.country)
        reading = QueryReading(text, knowledge)
        for (field, span) in spans {
            var mask: Mask = 0
            for index in reading.tokens.indices where span.contains(reading.tokens[index].range.lowerBound) {
                mask |= QueryReading.bit(index)
            }
            fieldMasks[field] = mask
        }
    }

    mutating func answer() throws -> GeocodeAnswer {
        guard !reading.tokens.isEmpty else { return GeocodeAnswer() }
        try retrieve()
        let candidates = try chooseCandidates()
        var readings: [Reading] = []
        for candidate in candidates {
            for match in names[candidate.id] ?? [] where match.coverage >= 0.45 {
                readings.append(try evaluate(candidate, match))
            }
        }
        readings.sort { Self.comesFirst($0, $1) }
        if readings.count > Self.candidatesWithNumbers {
            readings.removeLast(readings.count - Self.candidatesWithNumbers)
        }
        for index in readings.indices { try findHouse(&readings[index]) }
        readings += try intersections(candidates)
        readings = readings.filter(passesFilters)
        preferPlaces(&readings)

        var accepted: [Reading] = []
        var refused: [Reading] = []
        for reading in readings {
            if isAnswer(reading) { accepted.append(reading) } else { refused.append(reading) }
        }
        rank(&accepted)
        rank(&refused)
        if let best = accepted.first {
            let enough = best.score * 0.9
            accepted.removeAll { $0.score < enough }
        }
        let limit = min(max(query.limit, 1), 1000)
        var answer = GeocodeAnswer()
        answer.matches = try matches(accepted, limit: limit)
        if answer.matches.isEmpty {
            answer.nearMisses = try matches(refused, limit: min(limit, 5))
            let unmatched = reading.significant & ~(refused.first?.used ?? 0)
            answer.unmatchedToken = firstWord(unmatched)
        }
        return answer
    }

    // MARK: Looking names up

    private mutating func retrieve() throws {
        var seen: Set<Int64> = []
        let count = reading.tokens.count
        for index in 0..<count where reading.same[index] == index {
            let token = reading.tokens[index]
            guard !token.isCommon, reading.ignored & QueryReading.bit(index) == 0 else { continue }
            if token.role.contains(.number), token.text.utf8.count > 8 { continue }
            let isFull = try lookUp("\"\(token.text)\"", isSingle: true, hint: false, seen: &seen)
            guard isFull else { continue }
            // Too common alone: with its neighbours, and with words of the places around.
            for occurrence in index..<count where reading.same[occurrence] == index {
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
                for place in 0..<count where place != occurrence {
                    guard reading.same[place] == place, !reading.tokens[place].isCommon,
                        !reading.tokens[place].role.contains(.digits)
                    else { continue }
                    _ = try lookUp("\"\(token.text)\" \"@\(reading.tokens[place].text)\"", hint: true, seen: &seen)
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

    /// Reads the names that the expression finds; whether there may be more. Nothing is read once the query has spent its
    /// look-ups, and the last of them are not for expressions of several words.
    private mutating func lookUp(
        _ expression: String, isSingle: Bool = false, hint: Bool, seen: inout Set<Int64>
    ) throws -> Bool {
        guard lookUpsLeft > (isSingle ? 0 : Self.lookUpsOfSingleWords) else { return false }
        lookUpsLeft -= 1
        let statement = try database.statement(
            """
            SELECT n.id, n.feature, n.sort, n.tokens FROM name_text t CROSS JOIN name n ON n.id = t.rowid
            WHERE name_text MATCH ?1 ORDER BY t.rowid LIMIT \(Self.rowsPerWord)
            """)
        statement.bind(1, expression)
        defer { statement.reset() }
        var count = 0
        let everything = ~reading.ignored
        while try statement.step() {
            count += 1
            let feature = statement.int64(1)
            if hint { hinted.insert(feature) }
            guard seen.insert(statement.int64(0)).inserted else { continue }
            let sort = TextIndexBuilder.Sort(rawValue: statement.int(2)) ?? .other
            let tokens = statement.withText(3) { reading.nameTokens($0) } ?? []
            for found in reading.alignments(tokens, within: everything) where found.coverage >= 0.3 {
                if names[feature] == nil { order.append(feature) }
                insert(
                    NameMatch(
                        feature: feature, mask: found.mask, coverage: found.coverage, weight: found.weight, sort: sort))
            }
        }
        return count >= Self.rowsPerWord
    }

    /// Keeps the best match for each set of tokens, at most six for a feature.
    private mutating func insert(_ match: NameMatch) {
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

    private static func factor(_ sort: TextIndexBuilder.Sort) -> Double {
        switch sort {
        case .name: 1
        case .other: 0.98
        case .business: 0.85
        }
    }

    /// Loads the most promising features.
    private mutating func chooseCandidates() throws -> [Candidate] {
        var scored: [(value: Double, position: Int)] = []
        scored.reserveCapacity(order.count)
        for position in order.indices {
            guard let best = names[order[position]]?.first else { continue }
            scored.append((Self.value(best) + (hinted.contains(order[position]) ? 0.5 : 0), position))
        }
        scored.sort { ($0.value, -$0.position) > ($1.value, -$1.position) }
        var candidates: [Candidate] = []
        for entry in scored.prefix(Self.candidatesInFull) {
            guard let candidate = try load(order[entry.position]) else { continue }
            candidates.append(candidate)
            guard candidate.isPlace else { continue }
            for match in names[candidate.id] ?? [] where match.coverage > 0.98 {
                knownPlaces.append((match.mask, candidate))
            }
        }
        return candidates
    }

    private mutating func load(_ id: Int64) throws -> Candidate? {
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

    // MARK: Explaining the rest

    mutating func evaluate(_ candidate: Candidate, _ match: NameMatch) throws -> Reading {
        var result = Reading(
            candidate: candidate, own: match.mask, used: match.mask, coverage: match.coverage, sort: match.sort)
        if !candidate.isPlace, candidate.kind != .street, let parent = candidate.parent {
            if let street = names[parent]?.first(where: { $0.mask & result.used == 0 && $0.coverage > 0.6 }) {
                result.used |= street.mask
                result.matchedStreet = true
            }
        }
        // Unless it is a place, the number beside the name is not for a place's name to take.
        let reserved = candidate.isPlace ? 0 : numberBeside(match.mask)
        try explainPlaces(&result, except: reserved)
        return result
    }

    /// The first token of a number that stands right before or after the name.
    private func numberBeside(_ mask: Mask) -> Mask {
        let first = mask.trailingZeroBitCount
        let last = 63 - mask.leadingZeroBitCount
        for number in reading.numbers where number.mask & mask == 0 && number.first == number.last {
            if number.last + 1 == first || number.first == last + 1 { return number.mask }
        }
        return 0
    }

    private mutating func explainPlaces(_ result: inout Reading, except reserved: Mask) throws {
        let candidate = result.candidate
        try explainPlaces(&result, context: candidate.context, except: reserved)
        try explainWritten(of: candidate.id, &result, except: reserved)
        // The name again, or another of its names.
        for match in names[candidate.id] ?? [] where match.coverage > 0.98 && match.mask & (result.used | reserved) == 0
        {
            result.used |= match.mask
            result.loose |= match.mask
        }
    }

    /// Lets the places of a context, and the parent, explain what is left.
    private func explainPlaces(_ result: inout Reading, context: Int64?, except reserved: Mask) throws {
        var around: [Int64] = []
        if let context { around = try knowledge.places(ofContext: context, database) }
        if let parent = result.candidate.parent, parent != result.candidate.id { around.append(parent) }
        var explained: [(mask: Mask, weight: Double)] = []
        for id in around where id != result.candidate.id {
            for match in names[id] ?? [] where match.coverage > 0.7 && match.mask & (result.used | reserved) == 0 {
                explained.append((match.mask, match.weight * match.coverage))
            }
        }
        explained.sort { $0.weight > $1.weight }
        for entry in explained where entry.mask & result.used == 0 {
            result.used |= entry.mask
            result.matchedContext = true
        }
    }

    /// Lets the places that the tags of a street and of its addresses name explain what is left.
    ///
    /// - Parameter reserved: asked only where anything is left to explain.
    private func explainWritten(
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

    private func explain(phrases: String, _ result: inout Reading, except reserved: Mask) {
        for phrase in phrases.split(separator: "|") {
            var text = String(phrase)
            let tokens = text.withUTF8 { reading.nameTokens(UnsafeRawBufferPointer($0)) }
            let rest = ~result.used & ~reading.ignored & ~reserved
            guard let best = reading.alignments(tokens, within: rest).first, best.coverage > 0.6 else { continue }
            result.used |= best.mask
            result.matchedContext = true
        }
    }

    /// Looks for the house number, then lets postcode, country, state and places near by explain what is left.
    private mutating func findHouse(_ result: inout Reading) throws {
        let candidate = result.candidate
        let nameMask = result.used
        var numbers = reading.numbers.filter { $0.mask & nameMask == 0 }
        if let street = fieldMasks[.street] { numbers.removeAll { $0.mask & ~street != 0 } }
        // Beside the street first; the longer reading first ("12 a" before "12").
        if numbers.count > 1 {
            numbers.sort {
                let left = isBeside($0, nameMask), right = isBeside($1, nameMask)
                return left != right ? left : ($0.last - $0.first) > ($1.last - $1.first)
            }
        }
        if candidate.kind == .street || candidate.isPlace || candidate.kind == .park || candidate.kind == .otherNatural
        {
            for number in numbers.prefix(8) {
                if let (house, more) = try house(number.key, at: candidate, reading: result, mask: number.mask) {
                    result.house = house
                    result.numberMask = number.mask
                    result.used = more.used
                    result.matchedContext = more.matchedContext
                    break
                }
            }
            if !candidate.isPlace {
                try findCodedHouse(&result, nameMask: nameMask)
                if result.house == nil { try findNamedHouse(&result) }
            }
        } else if let own = candidate.houseNumber {
            let keys = HouseNumber.keys(own)
            // A number right beside a venue's name, and nothing else, reads as that of a street by this name.
            if let number = numbers.first(where: { keys.contains($0.key) }),
                result.matchedStreet || result.matchedContext
            {
                result.used |= number.mask
                result.numberMask = number.mask
            }
        }
        let country = result.house?.feature.country ?? candidate.country
        explainPostcode(result.house?.feature.postcode ?? candidate.postcode, &result)
        explainRegions(country: country, &result)
        try explainNearbyPlaces(&result)
        score(&result)
    }

    private func isBeside(_ number: QueryReading.Number, _ mask: Mask) -> Bool {
        number.first > 0 && mask & QueryReading.bit(number.first - 1) != 0
            || number.last < 62 && mask & QueryReading.bit(number.last + 1) != 0
    }

    /// Houses whose number begins with a letter, `Mill Lane C-145`; a run that says more than the number found so far.
    private mutating func findCodedHouse(_ result: inout Reading, nameMask: Mask) throws {
        let street = fieldMasks[.street] ?? ~0
        let codes = reading.codes.filter {
            $0.mask & result.own == 0 && $0.mask & ~street == 0 && result.numberMask & ~$0.mask == 0
        }
        for code in codes.prefix(8) {
            var start = result
            start.used = nameMask & ~code.mask | result.own
            guard let (house, more) = try house(code.key, at: result.candidate, reading: start, mask: code.mask) else {
                continue
            }
            result.house = house
            result.numberMask = code.mask
            result.used = more.used
            result.matchedContext = more.matchedContext
            return
        }
    }

    /// Houses that go by a word: `Mill Lane Larchwood` where the number is "Larchwood".
    private mutating func findNamedHouse(_ result: inout Reading) throws {
        let rest = reading.significant & ~result.used
        guard rest != 0, rest.nonzeroBitCount <= 3 else { return }
        let first = rest.trailingZeroBitCount
        let last = 63 - rest.leadingZeroBitCount
        guard last - first + 1 == rest.nonzeroBitCount else { return }
        let key = (first...last).map { reading.tokens[$0].text }.joined()
        guard !key.utf8.contains(where: { $0 < 58 }) else { return }
        if let (house, more) = try house(key, at: result.candidate, reading: result, mask: rest) {
            result.house = house
            result.numberMask = rest
            result.used = more.used
        }
    }

    private mutating func house(_ key: String, at candidate: Candidate, reading start: Reading, mask: Mask) throws
        -> (House, Reading)?
    {
        let statement = try database.statement(
            "SELECT feature FROM address_number WHERE parent = ?1 AND key = ?2 LIMIT 24")
        statement.bind(1, candidate.id)
        statement.bind(2, key)
        var found: [Int64] = []
        while try statement.step() { found.append(statement.int64(0)) }
        statement.reset()
        // Tells houses of one number apart.
        let askedName =
            found.count > 1 ? knowledge.normalizer.key(reading.words(start.own).joined(separator: " ")) : nil
        var best: (house: House, reading: Reading, value: Double)?
        for id in found {
            guard let feature = try Feature.load(id, database) else { continue }
            // What is around the house counts, not around the whole street: a long street passes through several towns.
            var more = start
            more.used = start.own | mask
            more.loose = 0
            more.matchedContext = false
            let phrases = TextIndexBuilder.writtenWords(
                feature.tags, kind: .street, normalizer: knowledge.normalizer)
            var hasOwnPlace = false
            if phrases.isEmpty {
                try explainPlaces(&more, context: feature.context ?? candidate.context, except: 0)
                try explainWritten(of: candidate.id, &more, except: try outlinesElsewhere(from: feature.location))
            } else {
                explain(phrases: phrases, &more, except: 0)
                hasOwnPlace = more.matchedContext
                try explainPlaces(&more, context: feature.context ?? candidate.context, except: 0)
            }
            for match in names[id] ?? [] where match.coverage > 0.9 && match.mask & more.used == 0 {
                more.used |= match.mask
                more.matchedContext = true
            }
            var withPostcode = more
            explainPostcode(feature.postcode ?? candidate.postcode, &withPostcode)
            let written = feature.houseNumber ?? ""
            var value = reading.weight(of: withPostcode.used)
            if HouseNumber.key(written) == key {
                value += 0.02
            } else if !written.split(whereSeparator: { $0 == ";" || $0 == "," }).contains(where: {
                HouseNumber.key(String($0)) == key
            }) {
                value -= 0.01
            }
            // What the house itself says of its town and street before what others say; the house before a shop in it.
            if hasOwnPlace { value += 0.008 }
            if feature.kind == .address { value += 0.005 }
            if let askedName, let street = feature.tags["addr:street"],
                knowledge.normalizer.key(street) == askedName
            {
                value += 0.003
            }
            value += feature.importance * 0.001
            if best.map({ value > $0.value }) ?? true {
                best = (
                    House(feature: feature, location: feature.location, number: nil, isInterpolated: false), more, value
                )
            }
        }
        if let best { return (best.house, best.reading) }
        guard let number = Int(key), let house = try interpolated(number, at: candidate.id) else { return nil }
        var more = start
        more.used |= mask
        return (house, more)
    }

    /// The point of a number within an interpolation line of a street.
    private func interpolated(_ number: Int, at parent: Int64) throws -> House? {
        let statement = try database.statement(
            """
            SELECT feature, first, last, step, geometry FROM interpolation
            WHERE parent = ?1 AND first <= ?2 AND last >= ?2 LIMIT 50
            """)
        statement.bind(1, parent)
        statement.bind(2, number)
        defer { statement.reset() }
        while try statement.step() {
            guard case .line(let line) = statement.withBlob(4, { SpatialBlob.decode($0) }),
                let row = InterpolatedLine(
                    first: statement.int(1), last: statement.int(2), step: statement.int(3), line: line),
                let location = row.location(of: number),
                let feature = try Feature.load(statement.int64(0), database)
            else { continue }
            return House(feature: feature, location: location, number: String(number), isInterpolated: true)
        }
        return nil
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
                return
            }
        }
    }

    func explainRegions(country: String?, _ result: inout Reading) {
        var index = 0
        while index < reading.regions.count {
            let mask = reading.regions[index].mask
            var end = index
            var fits = false
            var hasName = false
            while end < reading.regions.count, reading.regions[end].mask == mask {
                let region = reading.regions[end].region
                if country == nil || country == region.country { fits = true }
                if !region.isCode { hasName = true }
                end += 1
            }
            index = end
            guard mask & result.used == 0 else { continue }
            if fits {
                result.used |= mask
            } else if hasName, mask & reading.significant != 0 {
                result.contradicts = true
            }
        }
    }

    /// A town's bare name means the town, not the station or shop that is called like it.
    ///
    /// Such a venue's postcode is its town's too: a town that has none of its own still explains it. A text that names a
    /// kind of place ("station") asks for the venue.
    private func preferPlaces(_ readings: inout [Reading]) {
        func isVenue(_ kind: FeatureKind) -> Bool { kind == .pointOfInterest || kind == .stop }
        let towns = readings.indices.filter {
            let candidate = readings[$0].candidate
            return (candidate.kind == .place || candidate.kind == .municipality)
                && (13...19).contains(candidate.searchRank) && readings[$0].house == nil
                && readings[$0].coverage > 0.98
        }
        guard !towns.isEmpty else { return }
        for venue in readings.indices where isVenue(readings[venue].candidate.kind) {
            guard readings[venue].house == nil, readings[venue].numberMask == 0 else { continue }
            let own = readings[venue].own
            guard !namesKind(apartFrom: own) else { continue }
            for town in towns where readings[town].own == own {
                let more = readings[venue].used & ~readings[town].used
                let point = readings[venue].candidate.center
                let center = readings[town].candidate.center
                let isInside = readings[town].candidate.box.contains(point) || center.distance(to: point) <= 12_000
                guard isInside else { continue }
                readings[venue].yieldsToTown = true
                if more & ~digits == 0, readings[town].score < readings[venue].score {
                    readings[town].score = readings[venue].score
                    readings[town].used |= more
                }
            }
        }
    }

    /// Whether words beside these name a kind of place, such as "station".
    private func namesKind(apartFrom own: Mask) -> Bool {
        let categories = knowledge.categories
        for first in reading.tokens.indices where own & QueryReading.bit(first) == 0 {
            var key = ""
            for last in first..<min(reading.tokens.count, first + categories.longest) {
                guard own & QueryReading.bit(last) == 0 else { break }
                key += (last > first ? " " : "") + reading.tokens[last].text
                if !categories.categories(named: key).isEmpty { return true }
            }
        }
        return false
    }

    func score(_ result: inout Reading) {
        let explained = reading.weight(of: result.used) - 0.3 * reading.weight(of: result.loose)
        var score = reading.total > 0 ? max(0, explained) / reading.total : 0
        score *= 0.55 + 0.45 * result.coverage
        score *= Self.factor(result.sort)
        if result.contradicts { score *= 0.5 }
        result.score = min(1, score)
    }

    // MARK: Judging

    /// Whether the reading answers the query, or only something coarser or other than it.
    private func isAnswer(_ result: Reading) -> Bool {
        guard result.coverage >= 0.45, fitsFields(result) else { return false }
        let candidate = result.candidate
        let unmatched = reading.significant & ~result.used
        if unmatched == 0 { return true }
        // Half a name that leaves words over is another name; so is a number alone.
        if result.coverage < 0.7 || result.used & reading.significant & ~digits == 0 { return false }
        let isHouse = result.house != nil || result.numberMask != 0
        if !isHouse, hasStreetPhrase(unmatched) { return false }
        if isHouse, !result.matchedContext, hasStreetPhrase(unmatched) { return false }
        if let lead = leadingWord(), unmatched & QueryReading.bit(lead) != 0, !isHouse { return false }
        let words = unmatched & ~digits
        if candidate.isPlace, result.house == nil {
            // A word beside a number that is no postcode stands in the place of a street.
            var rest = words
            while rest != 0 {
                let index = rest.trailingZeroBitCount
                rest &= rest - 1
                for number in reading.numbers where number.mask & result.used == 0 && number.first == number.last {
                    if reading.tokens[number.first].segment == reading.tokens[index].segment,
                        number.last + 1 == index || index + 1 == number.first, !reading.looksLikePostcode(number.first)
                    {
                        return false
                    }
                }
            }
            // More of the text unknown than known.
            if words != 0, reading.weight(of: words) >= reading.weight(of: result.used) { return false }
        } else if candidate.kind != .street, !isHouse, !result.matchedStreet {
            // A number that is not the venue's own belongs to a street that was not found.
            var rest = unmatched & digits
            while rest != 0 {
                let index = rest.trailingZeroBitCount
                rest &= rest - 1
                if !reading.looksLikePostcode(index) { return false }
            }
        }
        var left = reading.weight(of: words)
        for number in reading.numbers where number.first == number.last && number.mask & unmatched != 0 {
            left += reading.looksLikePostcode(number.first) ? 0.5 : 1
        }
        return left <= 1.2 * reading.weight(of: result.used)
    }

    private var digits: Mask {
        reading.tokens.indices.reduce(0) {
            $0 | (reading.tokens[$1].role.contains(.digits) ? QueryReading.bit($1) : 0)
        }
    }

    /// The first word that could be a name: no number, article, country or state.
    private func leadingWord() -> Int? {
        for index in reading.tokens.indices {
            let bit = QueryReading.bit(index)
            guard reading.significant & bit != 0, reading.weights[index] >= 1, digits & bit == 0 else { continue }
            return index
        }
        return nil
    }

    /// Whether the tokens hold a street's name with its type: "Mill Lane".
    private func hasStreetPhrase(_ unmatched: Mask) -> Bool {
        var hasType = false
        var hasName = false
        var last = -2
        for index in reading.tokens.indices where unmatched & QueryReading.bit(index) != 0 {
            let token = reading.tokens[index]
            if index != last + 1 || (last >= 0 && reading.tokens[last].segment != token.segment) {
                hasType = false
                hasName = false
            }
            last = index
            if token.role.contains(.street) {
                // "St Gallen": a saint at the head of a name. Short suffixes end many names of towns too.
                if token.role.contains(.suffix) ? token.text.utf8.count >= 3 : token.text != "st" || hasName {
                    hasType = true
                }
            } else if reading.weights[index] >= 1 {
                hasName = true
            }
            if hasType, hasName { return true }
        }
        return false
    }

    private func fitsFields(_ result: Reading) -> Bool {
        guard query.fields != nil else { return true }
        let candidate = result.candidate
        if let mask = fieldMasks[.name], mask & reading.significant & ~result.used == mask & reading.significant {
            return false
        }
        if let street = fieldMasks[.street] {
            let words = street & reading.significant & ~digits
            if words & ~result.used != 0 { return false }
            // The street's name must come from the street field.
            let own = (names[candidate.id] ?? []).contains { $0.mask & ~street == 0 }
            return candidate.kind == .street || candidate.kind == .address || result.matchedStreet
                || (own && (result.house != nil || !candidate.isPlace))
        }
        if fieldMasks[.name] != nil { return true }
        let kind = candidate.kind
        let rank = candidate.rank > 0 ? candidate.rank : candidate.searchRank
        if let mask = fieldMasks[.city] {
            guard (names[candidate.id] ?? []).contains(where: { $0.mask & ~mask == 0 }) else { return false }
            return candidate.isPlace && (13...25).contains(rank) && kind != .postcode
        }
        if fieldMasks[.county] != nil { return candidate.isPlace && (10...12).contains(rank) }
        if fieldMasks[.state] != nil { return candidate.isPlace && (5...9).contains(rank) }
        if fieldMasks[.postcode] != nil { return kind == .postcode }
        if fieldMasks[.country] != nil { return kind == .country }
        return true
    }

    private func passesFilters(_ result: Reading) -> Bool {
        let kind = result.house?.feature.kind ?? result.candidate.kind
        if let kinds = query.kinds, !kinds.contains(kind) { return false }
        if !query.countries.isEmpty {
            guard let country = result.house?.feature.country ?? result.candidate.country,
                query.countries.contains(country)
            else { return false }
        }
        if query.isBounded, let box = query.viewbox, !box.contains(point(of: result)) { return false }
        return true
    }

    private func point(of result: Reading) -> Coordinate {
        result.house?.location ?? result.crossing?.at ?? result.candidate.center
    }

    private static func comesFirst(_ a: Reading, _ b: Reading) -> Bool {
        if a.score != b.score { return a.score > b.score }
        let left = Double(a.used.nonzeroBitCount) * a.coverage
        let right = Double(b.used.nonzeroBitCount) * b.coverage
        if left != right { return left > right }
        if a.candidate.importance != b.candidate.importance { return a.candidate.importance > b.candidate.importance }
        return a.candidate.id < b.candidate.id
    }

    /// Match quality first, then towns before what is called like them, then importance, then nearness.
    private func rank(_ readings: inout [Reading]) {
        let keyed = readings.map { reading -> (Reading, Double, Double, Double) in
            let quality = (reading.score * 200).rounded() / 200
            let importance = reading.house?.feature.importance ?? reading.candidate.importance
            let point = point(of: reading)
            var distance = 0.0
            if let near = query.near {
                distance = near.distance(to: point)
            } else if let box = query.viewbox {
                distance = box.contains(point) ? 0 : box.center.distance(to: point)
            }
            let isBiased = query.near != nil || query.viewbox != nil
            // A bias outweighs small differences of importance.
            let pull = isBiased ? max(0, 0.3 * (1 - log10(1 + distance / 1000) / 4)) : 0
            return (reading, quality, importance + pull, distance)
        }
        readings = keyed.sorted {
            if $0.1 != $1.1 { return $0.1 > $1.1 }
            if $0.0.yieldsToTown != $1.0.yieldsToTown { return $1.0.yieldsToTown }
            if $0.2 != $1.2 { return $0.2 > $1.2 }
            if $0.3 != $1.3 { return $0.3 < $1.3 }
            return $0.0.candidate.id < $1.0.candidate.id
        }.map(\.0)
    }

    private func firstWord(_ mask: Mask) -> String? {
        var best: Mask = 0
        for index in reading.tokens.indices where mask & QueryReading.bit(index) != 0 {
            if reading.weights[index] >= 1 {
                best = QueryReading.bit(index)
                break
            }
            if best == 0 { best = QueryReading.bit(index) }
        }
        return reading.words(best).first
    }

    private mutating func matches(_ readings: [Reading], limit: Int) throws -> [GeocodeMatch] {
        var result: [GeocodeMatch] = []
        var seen: Set<String> = []
        for reading in readings where result.count < limit {
            let feature: Feature
            var location: Coordinate
            var number: String?
            var crossing: Feature?
            var precision: MatchQuality.Precision
            if let house = reading.house {
                feature = house.feature
                location = house.location
                number = house.number
                precision = house.isInterpolated ? .interpolated : .house
            } else {
                guard let found = try Feature.load(reading.candidate.id, database) else { continue }
                feature = found
                location = found.location
                switch found.kind {
                case .street: precision = .street
                case .address: precision = .house
                case _ where reading.candidate.isPlace: precision = .place
                default: precision = .pointOfInterest
                }
                if let meeting = reading.crossing {
                    location = meeting.at
                    crossing = try Feature.load(meeting.street, database)
                    precision = .intersection
                }
            }
            let identity = "\(feature.id)/\(number ?? "")/\(crossing?.id ?? 0)"
            guard seen.insert(identity).inserted else { continue }
            let quality = MatchQuality(
                score: reading.score, precision: precision, matched: self.reading.words(reading.used),
                unmatched: self.reading.words(self.reading.significant & ~reading.used))
            result.append(
                GeocodeMatch(
                    feature: feature, location: location, houseNumber: number, crossing: crossing, quality: quality))
        }
        return result
    }
}

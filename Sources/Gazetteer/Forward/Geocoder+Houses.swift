import OpenStreetMap

/// House numbers along a street or in a place.
extension Geocoder {
    /// Looks for the house number, then lets postcode, country, state and places near by explain what is left.
    mutating func findHouse(_ result: inout Reading) throws {
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
                    result.parts = more.parts
                    break
                }
                if let key = try flatKey(number.key, at: candidate), try takeNear(key, number, &result) { break }
            }
            if result.house == nil {
                // "30a" where only 30 is known.
                for number in numbers.prefix(8) where number.first == number.last {
                    guard let key = HouseNumber.withoutLetters(number.key) else { continue }
                    if try takeNear(key, number, &result) { break }
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
                result.parts?.append((number.mask, .houseNumber))
            }
        }
        let country = result.house?.feature.country ?? candidate.country
        explainPostcode(result.house?.feature.postcode ?? candidate.postcode, &result)
        try explainRegions(
            country: country, context: result.house?.feature.context ?? candidate.context, &result)
        try explainNearbyPlaces(&result)
        score(&result)
    }

    /// Takes a house whose number is not quite the one that was asked for: its words stay unexplained.
    private mutating func takeNear(
        _ key: String, _ number: QueryReading.Number, _ result: inout Reading
    ) throws -> Bool {
        guard let (house, more) = try house(key, at: result.candidate, reading: result, mask: number.mask) else {
            return false
        }
        result.house = house
        result.used = more.used & ~number.mask
        result.matchedContext = more.matchedContext
        result.parts = more.parts?.filter { $0.mask & number.mask == 0 }
        return true
    }

    /// The first number of a street that goes on from a number with a letter: `52a3`, a flat, for `52a`.
    private func flatKey(_ key: String, at candidate: Candidate) throws -> String? {
        guard HouseNumber.withoutLetters(key) != nil else { return nil }
        let statement = try database.statement(
            "SELECT key FROM address_number WHERE parent = ?1 AND key >= ?2 AND key < ?3 ORDER BY key LIMIT 1")
        statement.bind(1, candidate.id)
        statement.bind(2, key + "0")
        statement.bind(3, key + ":")
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : nil
    }

    func isBeside(_ number: QueryReading.Number, _ mask: Mask) -> Bool {
        number.first > 0 && mask & QueryReading.bit(number.first - 1) != 0
            || number.last < 62 && mask & QueryReading.bit(number.last + 1) != 0
    }

    /// Houses whose number begins with a letter, `Mill Lane C-145`; a run that says more than the number found so far.
    mutating func findCodedHouse(_ result: inout Reading, nameMask: Mask) throws {
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
            result.parts = more.parts
            return
        }
    }

    /// Houses that go by a word: `Mill Lane Larchwood` where the number is "Larchwood".
    mutating func findNamedHouse(_ result: inout Reading) throws {
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
            result.parts = more.parts
        }
    }

    mutating func house(_ key: String, at candidate: Candidate, reading start: Reading, mask: Mask) throws
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
            if start.parts != nil { more.parts = [(start.own, .name), (mask, .houseNumber)] }
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
        more.parts?.append((mask, .houseNumber))
        return (house, more)
    }

    /// The point of a number within an interpolation line of a street.
    func interpolated(_ number: Int, at parent: Int64) throws -> House? {
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
}

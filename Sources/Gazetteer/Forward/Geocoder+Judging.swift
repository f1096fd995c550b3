/// Which readings answer the query, and which are only something coarser or other.
extension Geocoder {
    /// A town's bare name means the town, not the station or shop that is called like it.
    ///
    /// Such a venue's postcode is its town's too: a town that has none of its own still explains it. A text that names a
    /// kind of place ("station") asks for the venue.
    func preferPlaces(_ readings: inout [Reading]) {
        preferStreetsInside(&readings)
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

    /// A house outside the town that the text names comes after the street of that name in the town, even where the number
    /// is not known there. One that lies just beside that street stays: the street may go on over the border.
    private func preferStreetsInside(_ readings: inout [Reading]) {
        for index in readings.indices where readings[index].house != nil && readings[index].loose != 0 {
            let outside = readings[index]
            let point = self.point(of: outside)
            var best: Double?
            for inside in readings where inside.candidate.kind == .street && inside.house == nil {
                guard inside.own == outside.own, inside.candidate.id != outside.candidate.id,
                    inside.coverage >= outside.coverage, !inside.contradicts,
                    inside.used & ~inside.loose & outside.loose == outside.loose,
                    inside.candidate.box.nearest(to: point).distance(to: point) > Self.streetReach
                else { continue }
                best = max(best ?? 0, inside.score)
            }
            if let best { readings[index].score = min(outside.score, best - 0.01) }
        }
    }

    /// How far beside a street's box a house may still stand on it, in metres.
    private static let streetReach = 300.0

    /// Whether words beside these name a kind of place, such as "station".
    func namesKind(apartFrom own: Mask) -> Bool {
        let categories = knowledge.categories
        for first in reading.tokens.indices where own & QueryReading.bit(first) == 0 {
            var key = ""
            for last in first..<min(reading.tokens.count, first + categories.longest) {
                guard own & QueryReading.bit(last) == 0 else { break }
                if reading.tokens[last].role.contains(.light) { continue }
                key += (key.isEmpty ? "" : " ") + reading.tokens[last].text
                if !categories.categories(named: key).isEmpty { return true }
            }
        }
        return false
    }

    /// Why a reading is no answer to the query, but something coarser or other.
    enum Refusal: String {
        case partOfName = "only a part of its name was asked for"
        case otherField = "it is not what the fields ask for"
        case numberAlone = "only a number fits it"
        case noStreet = "the street is left over"
        case noLeadingWord = "the first word is left over"
        case wordBesideNumber = "a word beside the number is left over"
        case leavesMost = "most of the text is left over"
        case otherNumber = "the number is not its own"
    }

    /// Why the reading does not answer the query; nil for one that does.
    func refusal(of result: Reading) -> Refusal? {
        guard result.coverage >= 0.45 else { return .partOfName }
        guard fitsFields(result) else { return .otherField }
        let candidate = result.candidate
        let unmatched = reading.significant & ~result.used
        if unmatched == 0 { return nil }
        // Half a name that leaves words over is another name; so is a number alone.
        if result.coverage < 0.7 { return .partOfName }
        if result.used & reading.significant & ~digits == 0 { return .numberAlone }
        let isHouse = result.house != nil || result.numberMask != 0
        if !isHouse, hasStreetPhrase(unmatched) { return .noStreet }
        if isHouse, !result.matchedContext, hasStreetPhrase(unmatched) { return .noStreet }
        if let lead = leadingWord(), unmatched & QueryReading.bit(lead) != 0, !isHouse { return .noLeadingWord }
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
                        return .wordBesideNumber
                    }
                }
            }
            // More of the text unknown than known. Another country's name is known, if wrong.
            if words & ~(query.fields == nil ? regionNames : 0) != 0,
                reading.weight(of: words) >= reading.weight(of: result.used)
            {
                return .leavesMost
            }
        } else if candidate.kind != .street, !isHouse, !result.matchedStreet {
            // A number that is not the venue's own belongs to a street that was not found.
            var rest = unmatched & digits
            while rest != 0 {
                let index = rest.trailingZeroBitCount
                rest &= rest - 1
                if !reading.looksLikePostcode(index) { return .otherNumber }
            }
        }
        var left = reading.weight(of: words)
        for number in reading.numbers where number.first == number.last && number.mask & unmatched != 0 {
            left += reading.looksLikePostcode(number.first) ? 0.5 : 1
        }
        return left <= 1.2 * reading.weight(of: result.used) ? nil : .leavesMost
    }

    /// The words that name countries and states in full.
    private var regionNames: Mask {
        reading.regions.reduce(0) { $1.region.isCode ? $0 : $0 | $1.mask }
    }

    var digits: Mask {
        reading.tokens.indices.reduce(0) {
            $0 | (reading.tokens[$1].role.contains(.digits) ? QueryReading.bit($1) : 0)
        }
    }

    /// The first word that could be a name: no number, article, country or state.
    func leadingWord() -> Int? {
        for index in reading.tokens.indices {
            let bit = QueryReading.bit(index)
            guard reading.significant & bit != 0, reading.weights[index] >= 1, digits & bit == 0 else { continue }
            return index
        }
        return nil
    }

    /// Whether the tokens hold a street's name with its type: "Mill Lane".
    func hasStreetPhrase(_ unmatched: Mask) -> Bool {
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

    func fitsFields(_ result: Reading) -> Bool {
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

    func passesFilters(_ result: Reading) -> Bool {
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
}

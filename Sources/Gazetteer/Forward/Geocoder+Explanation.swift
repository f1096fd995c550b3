/// How the text was read and what was found, for people.
extension Geocoder {
    /// What of a place explains words of the query.
    enum Part {
        case name, ownNameAgain, crossing
        case street(Int64)
        case place(Int64)
        case nearbyPlace(Int64)
        case addressTag
        case houseNumber
        case houseName
        case postcode
        case region
    }

    /// Reads the words of the query, with what of the best reading they stand for.
    func explainedWords(_ best: Reading?, _ vocabulary: Vocabulary) throws -> [GeocodeExplanation.Word] {
        var parts: [(mask: Mask, text: String)] = []
        if let best {
            let own = try name(of: best)
            for part in best.parts ?? [] { parts.append((part.mask, try describe(part.by, own: own, of: best))) }
        }
        var result: [GeocodeExplanation.Word] = []
        var last = -1..<0
        for word in reading.written {
            let span = word.start..<word.end
            guard span != last else { continue }
            last = span
            let mask = reading.mask(of: span)
            let tokens = reading.tokens.indices.filter { mask & QueryReading.bit($0) != 0 }.map { reading.tokens[$0] }
            let folded = knowledge.normalizer.written(reading.text(span)).map(\.text)
            let isNumber = tokens.contains { $0.role.contains(.digits) }
            let isKnown =
                try isNumber
                || folded.allSatisfy { try knowledge.normalizer.canonical[$0] != nil || vocabulary.contains($0) }
            let explained = best.map { mask != 0 && mask & reading.significant & ~$0.used == 0 } ?? false
            let by = explained ? parts.first { $0.mask & mask != 0 }?.text : nil
            result.append(
                .init(
                    written: reading.text(span), canonical: tokens.map(\.text),
                    meaning: meaning(of: tokens, isIgnored: mask & reading.ignored != 0), explainedBy: by,
                    isKnown: isKnown))
        }
        return result
    }

    private func meaning(of tokens: [TextNormalizer.Token], isIgnored: Bool) -> GeocodeExplanation.Meaning {
        if isIgnored { return .ignored }
        if tokens.contains(where: { $0.role.contains(.digits) }) { return .number }
        guard let first = tokens.first, tokens.allSatisfy(\.isCommon) || first.role.contains(.joint) else {
            return .name
        }
        if first.role.contains(.joint) { return .joint }
        if first.role.contains(.light) { return .article }
        return first.role.contains(.direction) ? .direction : .streetType
    }

    private func name(of id: Int64) throws -> String {
        try Feature.load(id, database)?.name ?? "?"
    }

    /// The name of a reading's place with the house number.
    func name(of result: Reading) throws -> String {
        var name = try name(of: result.candidate.id)
        if let house = result.house {
            name += " " + (house.number ?? house.feature.houseNumber ?? "")
        } else if let number = result.candidate.houseNumber, result.numberMask != 0 {
            name += " " + number
        }
        if let crossing = result.crossing { name += " / " + (try self.name(of: crossing.street)) }
        return name
    }

    private func describe(_ part: Part, own: String, of result: Reading) throws -> String {
        switch part {
        case .name: return "the name of the \(Self.word(for: result.candidate.kind))"
        case .ownNameAgain: return "another of its names"
        case .crossing: return "the street that it meets"
        case .street(let id): return "its street, \(try name(of: id))"
        case .place(let id): return "\(try name(of: id)), where it lies"
        case .nearbyPlace(let id): return "\(try name(of: id)), which is near"
        case .addressTag: return "its address as the map has it"
        case .houseNumber: return "the house number"
        case .houseName: return "the name of the house"
        case .postcode: return "its postcode"
        case .region: return "its country or state"
        }
    }

    static func word(for kind: FeatureKind) -> String {
        switch kind {
        case .country: "country"
        case .region: "region"
        case .county: "county"
        case .municipality: "municipality"
        case .place: "place"
        case .suburb: "suburb"
        case .postcode: "postcode"
        case .street: "street"
        case .address: "house"
        case .pointOfInterest: "venue"
        case .water: "water"
        case .park: "park"
        case .peak: "peak"
        case .stop: "stop"
        case .otherNatural: "landscape"
        case .timeZone: "time zone"
        case .interpolation: "row of houses"
        case .thing: "thing"
        }
    }

    /// A reading as a candidate of the explanation.
    func candidate(_ result: Reading) throws -> GeocodeExplanation.Candidate {
        let point = point(of: result)
        let kind = result.house?.feature.kind ?? result.candidate.kind
        let left = reading.significant & ~result.used
        return .init(
            name: try name(of: result), kind: kind, feature: result.house?.feature.id ?? result.candidate.id,
            score: result.score,
            explained: reading.total > 0
                ? min(
                    1, max(0, reading.weight(of: result.used) - 0.3 * reading.weight(of: result.loose)) / reading.total)
                : 0, nameCoverage: result.coverage,
            importance: result.house?.feature.importance ?? result.candidate.importance,
            distance: query.near.map { $0.distance(to: point) } ?? query.viewbox.map { $0.center.distance(to: point) },
            matched: reading.words(result.used), unmatched: reading.words(left),
            corrections: corrections.map {
                SpellingCorrection(
                    written: reading.text($0.span), read: $0.words.joined(separator: " "), edits: $0.edits)
            }, refusal: refusal(of: result)?.rawValue)
    }
}

extension GeocodeExplanation {
    /// Why the first of the candidates won, or why none did.
    static func decision(_ candidates: [Candidate], words: [Word]) -> String {
        guard let best = candidates.first else {
            let unknown = words.filter { !$0.isKnown }.map { "\"\($0.written)\"" }
            if unknown.isEmpty { return words.isEmpty ? "There is nothing to read." : "No name holds these words." }
            return
                "No name in the atlas holds \(list(unknown)), or a word near to \(unknown.count > 1 ? "them" : "it")."
        }
        guard best.refusal == nil else {
            let left = list(best.unmatched.map { "\"\($0)\"" })
            return "Nothing answers: \(best.name) comes nearest, but "
                + (best.unmatched.isEmpty ? best.refusal ?? "it does not fit" : "it leaves over \(left)") + "."
        }
        var text = best.name
        text +=
            best.unmatched.isEmpty
            ? " explains every word"
            : " explains the most, though it leaves over \(list(best.unmatched.map { "\"\($0)\"" }))"
        for correction in best.corrections.prefix(2) {
            text += ", \"\(correction.written)\" read as \"\(correction.read)\""
        }
        guard let second = candidates.dropFirst().first else { return text + "; nothing else fits." }
        return text + "; the next, \(second.name), \(difference(best, second))."
    }

    private static func difference(_ best: Candidate, _ second: Candidate) -> String {
        let more = second.unmatched.filter { !best.unmatched.contains($0) }
        if !more.isEmpty { return "leaves over \(list(more.map { "\"\($0)\"" }))" }
        if (best.score * 200).rounded() > (second.score * 200).rounded() {
            if second.corrections.count > best.corrections.count { return "needs more corrections" }
            if second.nameCoverage < best.nameCoverage - 0.01 { return "has a longer name than was asked for" }
            if second.explained < best.explained - 0.005 { return "lies only near what the text names" }
            return "fits less well"
        }
        if let refusal = second.refusal { return "is no answer: \(refusal)" }
        if best.importance > second.importance { return "fits as well and is less important" }
        if let near = best.distance, let far = second.distance, near < far { return "fits as well and is farther away" }
        return "fits as well"
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last else { return "" }
        return words.count < 2 ? last : words.dropLast().joined(separator: ", ") + " and " + last
    }
}

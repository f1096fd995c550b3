import Gazetteer
import Sextant

/// How an answer came about, for `sextant geocode --explain`.
enum ExplanationText {
    /// Lines for a terminal of that many columns.
    static func lines(_ explanations: [AtlasExplanation], width: Int, console: Console) -> [String] {
        let columns = max(min(width, 100), 40)
        var lines: [String] = []
        // Those that have an answer; where none has, one speaks for all: the first that considered anything.
        var told = explanations.filter { $0.explanation.candidates.first.map { $0.refusal == nil } ?? false }
        if told.isEmpty {
            let considered = explanations.first { !$0.explanation.candidates.isEmpty }
            told = [considered ?? explanations.first].compactMap { $0 }
        }
        for entry in told {
            if !lines.isEmpty { lines.append("") }
            lines += one(entry, columns: columns, isNamed: explanations.count > 1, console)
        }
        return lines
    }

    private static func one(_ entry: AtlasExplanation, columns: Int, isNamed: Bool, _ console: Console) -> [String] {
        let explanation = entry.explanation
        var lines = [console.strong("How it was read" + (isNamed ? ", in \(entry.atlas)" : ""))]
        var words = Table([.left, .left, .left, .left], indent: 2)
        for word in explanation.words {
            words.add(
                word.written, word.canonical.joined(separator: " "), word.meaning.rawValue,
                word.explainedBy ?? (word.meaning == .ignored || word.meaning == .joint ? "" : "nothing explains it"))
        }
        lines += words.lines.map { shortened($0, to: columns) }
        for correction in explanation.corrections {
            lines += paragraph(
                "\"\(correction.written)\" was read as \"\(correction.read)\", "
                    + (correction.edits == 1 ? "one letter away." : "\(correction.edits) letters away."), columns)
        }
        let corrected = Set(explanation.corrections.map(\.written))
        let unknown = explanation.words.filter { !$0.isKnown && !corrected.contains($0.written) }.map {
            "\"\($0.written)\""
        }
        if !unknown.isEmpty {
            lines += paragraph("In no name of the atlas: \(unknown.joined(separator: ", ")).", columns)
        }
        for (title, list) in [
            ("May be a house number", explanation.houseNumbers), ("May be a postcode", explanation.postcodes),
            ("Names a country or state", explanation.regions),
        ] where !list.isEmpty {
            lines += paragraph("\(title): \(list.prefix(12).joined(separator: ", ")).", columns)
        }
        if !explanation.candidates.isEmpty {
            lines += ["", console.strong("What was considered")]
            var table = Table([.right, .left, .left, .right, .right, .right, .right], indent: 2)
            let hasDistance = explanation.candidates.contains { $0.distance != nil }
            table.add("score", "place", "kind", "text", "name", "rank", hasDistance ? "away" : "")
            let room = max(columns - 48 - (hasDistance ? 9 : 0), 16)
            for candidate in explanation.candidates {
                table.add(
                    decimalText(candidate.score, places: 2), shortened(candidate.place, to: room),
                    word(for: candidate.kind), "\(Int((candidate.explained * 100).rounded())) %",
                    "\(Int((candidate.nameCoverage * 100).rounded())) %", decimalText(candidate.importance, places: 2),
                    candidate.distance.map(distanceText) ?? "")
            }
            let rows = table.lines
            lines.append(console.faint(rows[0]))
            for (row, candidate) in zip(rows.dropFirst(), explanation.candidates) {
                lines.append(row)
                var notes: [String] = []
                if !candidate.unmatched.isEmpty {
                    notes.append("leaves over \(candidate.unmatched.joined(separator: ", "))")
                }
                if let refusal = candidate.refusal { notes.append("no answer, \(refusal)") }
                if !notes.isEmpty {
                    lines.append(console.faint(shortened("         " + notes.joined(separator: "; "), to: columns)))
                }
            }
            lines += paragraph(
                "text: how much of the query it explains; name: how much of its name was asked for; "
                    + "rank: how well known it is.", columns
            ).map(console.faint)
        }
        lines += ["", console.strong("Why")]
        lines += paragraph(explanation.decision, columns)
        let effort = explanation.effort
        lines += paragraph(
            "\(counted(explanation.considered, "possible meaning")) weighed in \(counted(effort.readings, "spelling")) "
                + "of the text, with \(counted(effort.statements, "question")) to the atlas that gave "
                + "\(counted(effort.rows, "row"))"
                + (effort.nodes > 0 ? " and \(counted(effort.nodes, "look")) for words spelled alike." : "."), columns
        ).map(console.faint)
        return lines
    }

    private static func counted(_ count: Int, _ thing: String) -> String {
        "\(countText(count)) \(thing)\(count == 1 ? "" : "s")"
    }

    private static func paragraph(_ text: String, _ columns: Int) -> [String] {
        wrapped(text, columns: columns - 2).map { "  " + $0 }
    }

    private static func word(for kind: FeatureKind) -> String {
        switch kind {
        case .address, .interpolation: "house"
        case .pointOfInterest: "venue"
        case .otherNatural: "landscape"
        case .timeZone: "time zone"
        default: "\(kind)"
        }
    }

    /// The same as a member of the answer's JSON.
    static func write(_ explanations: [AtlasExplanation], to json: inout JSONWriter) {
        func strings(_ name: String, _ list: [String], _ object: inout JSONWriter) {
            object.key(name)
            object.array { for text in list { $0.string(text) } }
        }
        json.key("explanation")
        json.array { array in
            for entry in explanations {
                let explanation = entry.explanation
                array.object { json in
                    json.member("atlas", entry.atlas)
                    json.key("words")
                    json.array { array in
                        for word in explanation.words {
                            array.object { json in
                                json.member("written", word.written)
                                strings("canonical", word.canonical, &json)
                                json.member("meaning", word.meaning.rawValue)
                                json.member("explainedBy", word.explainedBy)
                                json.member("isKnown", word.isKnown)
                            }
                        }
                    }
                    strings("houseNumbers", explanation.houseNumbers, &json)
                    strings("postcodes", explanation.postcodes, &json)
                    strings("regions", explanation.regions, &json)
                    json.key("corrections")
                    json.array { for correction in explanation.corrections { correction.write(to: &$0) } }
                    json.key("candidates")
                    json.array { array in
                        for candidate in explanation.candidates {
                            array.object { json in
                                json.member("name", candidate.name)
                                json.member("kind", word(for: candidate.kind))
                                json.member("surroundings", candidate.surroundings)
                                json.member("score", candidate.score, decimals: 3)
                                json.member("explained", candidate.explained, decimals: 3)
                                json.member("nameCoverage", candidate.nameCoverage, decimals: 3)
                                json.member("importance", candidate.importance, decimals: 4)
                                if let distance = candidate.distance {
                                    json.member("distance", distance, decimals: 1)
                                }
                                strings("matched", candidate.matched, &json)
                                strings("unmatched", candidate.unmatched, &json)
                                json.member("refusal", candidate.refusal)
                            }
                        }
                    }
                    json.member("considered", explanation.considered)
                    json.member("decision", explanation.decision)
                    json.key("effort")
                    json.object { json in
                        json.member("statements", explanation.effort.statements)
                        json.member("rows", explanation.effort.rows)
                        json.member("nodes", explanation.effort.nodes)
                        json.member("readings", explanation.effort.readings)
                    }
                }
            }
        }
    }
}

extension GeocodeExplanation.Candidate {
    /// The name with the town around it.
    fileprivate var place: String { surroundings.map { "\(name), \($0)" } ?? name }
}

extension SpellingCorrection {
    /// As an object.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("written", written)
            json.member("read", read)
            json.member("edits", edits)
        }
    }
}

import Foundation
import Sextant
import Tables

/// Puts a question out of a row, and an answer into it.
struct RowWriting: Sendable {
    var form: TableForm
    var separator: UInt8
    /// How many cells a row has; 0 where the first row tells.
    var count: Int
    var plan: ColumnPlan
    var isReverse: Bool
    /// What the names of added columns begin with.
    var prefix: String

    /// A row with what was found, and how it ended.
    struct Written: Sendable {
        var bytes: [UInt8]
        var outcome: String
        var attribution: String?
        var sum: UInt64
    }

    /// The line of the columns with the new ones.
    func head(_ head: TableRow) -> [UInt8] {
        guard form == .csv || form == .tsv, !head.bytes.isEmpty else { return head.lead + head.bytes + head.end }
        var bytes = head.lead + head.bytes
        for name in names { bytes += [separator] + Cells.written(name, separator: separator) }
        return bytes + head.end
    }

    var names: [String] { RowAnswer.columns(isReverse: isReverse).map { prefix + $0 } }

    /// A row's question is answered by `answer`.
    func written(_ row: TableRow, _ answer: (RowQuestion) throws -> RowAnswer) throws -> Written {
        let (bytes, told) =
            form == .csv || form == .tsv ? try cells(row, answer) : try object(row, answer)
        return Written(
            bytes: row.lead + bytes + row.end, outcome: told.outcome, attribution: told.attribution, sum: row.sum)
    }

    private static func damaged(_ row: TableRow, _ reason: String) -> RowAnswer {
        RowAnswer(RowAnswer.damaged, reason: "damaged row in line \(row.line): \(reason)")
    }

    // MARK: Cells

    private func cells(_ row: TableRow, _ answer: (RowQuestion) throws -> RowAnswer) throws -> ([UInt8], RowAnswer) {
        let cells = Cells(row.bytes, separator: separator)
        let told: RowAnswer
        var bytes = cells.fitted(to: count, separator: separator)
        if let damage = row.damage {
            told = Self.damaged(row, damage)
            if row.hasOpenQuote { bytes = Self.quoted(row.bytes, count: count, separator: separator) }
        } else if count > 1, cells.overflow(count) {
            told = Self.damaged(row, "it has \(cells.ranges.count) cells, and there are \(count) columns")
        } else {
            // The line of a table of one column is the cell, whatever it holds.
            let whole = count == 1 ? Cells(bytes, separator: separator) : cells
            told = try answer(
                question(
                    plan.values { source in
                        if case .column(let index) = source { whole[index] } else { nil }
                    }))
        }
        for value in told.values(isReverse: isReverse) {
            bytes.append(separator)
            switch value {
            case .number(let number?, let decimals): bytes += decimalText(number, places: decimals).utf8
            case .number: break
            case .text(let text): bytes += Cells.written(text, separator: separator)
            }
        }
        return (bytes, told)
    }

    /// A row that cannot be parted, as one cell, and the others empty.
    private static func quoted(_ bytes: [UInt8], count: Int, separator: UInt8) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        return [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
            + [UInt8](repeating: separator, count: max(count - 1, 0))
    }

    private func question(_ values: [ColumnMeaning: String]) -> RowQuestion {
        isReverse ? RowQuestion(point: values) : RowQuestion(address: values, texts: plan.texts)
    }

    // MARK: Objects

    private func object(_ row: TableRow, _ answer: (RowQuestion) throws -> RowAnswer) throws -> ([UInt8], RowAnswer) {
        var damage = row.damage
        if damage == nil {
            do {
                let object = try JSONObjectText(row.bytes)
                let isFeature = object.value("type") == "Feature"
                let holder = isFeature ? object.object("properties") : object
                if let member = holder?.members.first(where: { names.contains($0.key) }) {
                    damage = "it has a member \"\(member.key)\" already"
                } else if isFeature {
                    return try feature(object, answer)
                } else {
                    let told = try answer(question(plan.values(Self.reading(object))))
                    return (object.adding(members(told)), told)
                }
            } catch let fault as TableFault {
                damage = fault.description
            }
        }
        let told = Self.damaged(row, damage ?? "")
        var json = JSONWriter()
        json.object { json in
            if form == .geojson {
                json.member("type", "Feature")
                json.key("geometry")
                json.null()
                json.key("properties")
                json.beginObject()
            }
            json.member(prefix + "row", String(decoding: row.bytes, as: UTF8.self))
            write(told, to: &json)
            if form == .geojson { json.endObject() }
        }
        return (json.bytes, told)
    }

    private static func reading(_ object: JSONObjectText) -> (ColumnPlan.Source) -> String? {
        { source in if case .member(let name) = source { object.value(name) } else { nil } }
    }

    /// A feature is asked by its properties, or for its point; the point that is found becomes its geometry where it has none.
    private func feature(_ object: JSONObjectText, _ answer: (RowQuestion) throws -> RowAnswer) throws
        -> ([UInt8], RowAnswer)
    {
        let properties = object.object("properties")
        let geometry = object.object("geometry")
        let asked: RowQuestion
        if isReverse, plan == .geometry {
            asked = geometry.map(Self.middle) ?? .none("the feature has no geometry")
        } else {
            asked = question(plan.values { source in properties.flatMap { Self.reading($0)(source) } })
        }
        let told = try answer(asked)
        var changes: [(range: Range<Int>, bytes: [UInt8])] = []
        var added: [UInt8] = []
        let written = members(told)
        if let properties {
            // Within the feature's text: the brace that closes the properties has its place there.
            let comma = properties.members.isEmpty ? [] : [UInt8(ascii: ",")]
            changes.append((properties.close..<properties.close, comma + written))
        } else {
            let whole = [UInt8(ascii: "{")] + written + [UInt8(ascii: "}")]
            if let range = object.range("properties") {
                changes.append((range, whole))
            } else {
                added += Array(",\"properties\":".utf8) + whole
            }
        }
        if !isReverse, geometry == nil, let latitude = told.latitude, let longitude = told.longitude {
            var json = JSONWriter()
            json.object { json in
                json.member("type", "Point")
                json.key("coordinates")
                json.array { array in
                    array.number(longitude, decimals: 7)
                    array.number(latitude, decimals: 7)
                }
            }
            if let range = object.range("geometry") {
                changes.append((range, json.bytes))
            } else {
                added += Array(",\"geometry\":".utf8) + json.bytes
            }
        }
        changes.append((object.close..<object.close, added))
        var bytes: [UInt8] = []
        var index = 0
        for change in changes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            bytes += object.bytes[index..<change.range.lowerBound] + change.bytes
            index = change.range.upperBound
        }
        return (bytes + object.bytes[index...], told)
    }

    /// The point of a geometry, or the middle of the box around its points.
    private static func middle(_ geometry: JSONObjectText) -> RowQuestion {
        guard let range = geometry.range("coordinates") else { return .none("the geometry has no coordinates") }
        let text = geometry.bytes[range]
        // A position is a list of two numbers or three; only the innermost lists hold numbers.
        var (west, east, south, north) = (Double.infinity, -Double.infinity, Double.infinity, -Double.infinity)
        for part in text.split(separator: UInt8(ascii: "]")) {
            guard let open = part.lastIndex(of: UInt8(ascii: "[")) else { continue }
            let numbers = geometry.numbers(open..<part.endIndex)
            guard numbers.count >= 2 else { continue }
            (west, east) = (min(west, numbers[0]), max(east, numbers[0]))
            (south, north) = (min(south, numbers[1]), max(north, numbers[1]))
        }
        guard west.isFinite, south.isFinite else { return .none("the geometry has no coordinates") }
        return RowQuestion(latitude: (south + north) / 2, longitude: (west + east) / 2)
    }

    /// The members of the answer, without the braces around them.
    private func members(_ told: RowAnswer) -> [UInt8] {
        var json = JSONWriter()
        json.object { write(told, to: &$0) }
        return Array(json.bytes.dropFirst().dropLast())
    }

    private func write(_ told: RowAnswer, to json: inout JSONWriter) {
        for (name, value) in zip(names, told.values(isReverse: isReverse)) {
            json.key(name)
            switch value {
            case .number(let number?, let decimals): json.number(number, decimals: decimals)
            case .number: json.null()
            case .text(let text): if text.isEmpty { json.null() } else { json.string(text) }
            }
        }
    }
}

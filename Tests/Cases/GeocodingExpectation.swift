import Foundation

/// What a check expects, after the README of the cases.
enum GeocodingExpectation {
    /// An expectation of a kind that is not read here does not hold.
    static func holds(_ expectation: Value, _ answer: GeocodingAnswer) -> Bool {
        let row = expectation["row"] ?? .null
        let rows = answer.rows
        switch expectation["kind"]?.text {
        // The asker compares the status before it comes here.
        case "status": return true
        case "body": return answer.text == expectation["is"]?.text
        case "document": return answer.isDocument(expectation["format"]?.text ?? "")
        case "meta": return rowMatches(answer.meta, row)
        case "meta-keys": return hasKeys(expectation, answer.meta)
        case "keys":
            if expectation["scope"]?.text == "single", rows.count != 1 { return false }
            return !rows.isEmpty && rows.allSatisfy { hasKeys(expectation, $0) }
        case "count":
            let n = Int(expectation["n"]?.number ?? 0)
            switch expectation["cmp"]?.text {
            case "exactly": return rows.count == n
            case "more than": return rows.count > n
            default: return rows.count < n
            }
        case "at":
            let index = Int(expectation["index"]?.number ?? 0)
            return rows.indices.contains(index) && rowMatches(rows[index], row)
        case "every": return !rows.isEmpty && rows.allSatisfy { rowMatches($0, row) }
        case "single": return rows.count == 1 && rowMatches(rows[0], row)
        case "none":
            return (expectation["rows"]?.list ?? []).allSatisfy { wanted in !rows.contains { rowMatches($0, wanted) } }
        case "some":
            var left = rows
            for wanted in expectation["rows"]?.list ?? [] {
                guard let index = left.firstIndex(where: { rowMatches($0, wanted) }) else { return false }
                left.remove(at: index)
            }
            return expectation["only"] != .bool(true) || left.isEmpty
        default: return false
        }
    }

    private static func hasKeys(_ expectation: Value, _ found: Value) -> Bool {
        (expectation["present"]?.list ?? []).allSatisfy { found.at($0.text ?? "") != nil }
            && (expectation["absent"]?.list ?? []).allSatisfy { found.at($0.text ?? "") == nil }
    }

    static func object(_ row: Value) -> String? {
        guard let type = row["osm_type"]?.text, let id = row["osm_id"]?.text else { return nil }
        return type.prefix(1).uppercased() + id
    }

    /// Why an expectation does not hold, in a few words that failures can be counted by.
    static func reason(_ expectation: Value, _ answer: GeocodingAnswer) -> String {
        let kind = expectation["kind"]?.text ?? ""
        guard !answer.rows.isEmpty || kind == "document" || kind == "meta" else { return "no results" }
        switch kind {
        case "count": return "number of results"
        case "none": return "a result that should not be there"
        case "some": return "a result is missing"
        case "at", "every", "single":
            let row = expectation["row"] ?? .null
            let index = Int(expectation["index"]?.number ?? 0)
            let found: Value
            if kind == "at" {
                guard answer.rows.indices.contains(index) else { return "too few results" }
                found = answer.rows[index]
            } else {
                found = answer.rows.first { !rowMatches($0, row) } ?? .null
            }
            let wrong = row.object.filter { !rowMatches(found, .object([$0.key: $0.value])) }.keys.sorted()
            return wrong.contains("object") ? "another object" : "field " + wrong.joined(separator: ", ")
        default: return kind
        }
    }

    private static func rowMatches(_ found: Value, _ wanted: Value) -> Bool {
        wanted.object.allSatisfy { path, value in
            switch path {
            case "object":
                return matches(object(found).map { .text($0) }, value)
            case "position":
                guard let lon = found["lon"]?.number, let lat = found["lat"]?.number else { return false }
                return matches(.list([.number(lon), .number(lat)]), value)
            case "address" where value["includes"] != nil:
                return (found["address"]?.object ?? [:]).values.contains { $0.text == value["includes"]?.text }
            case "address" where value["excludes"] != nil:
                return !(found["address"]?.object ?? [:]).values.contains { $0.text == value["excludes"]?.text }
            default: return matches(found.at(path), value)
            }
        }
    }

    private static func matches(_ found: Value?, _ wanted: Value) -> Bool {
        guard case .object(let form) = wanted else {
            guard let found else { return false }
            if let a = found.number, let b = wanted.number { return a == b }
            switch found {
            case .list, .object:
                // Lists and objects are compared as JSON.
                return (try? Value(json: Data((wanted.text ?? "").utf8))) == found
            default: break
            }
            return found == wanted || (found.text != nil && found.text == wanted.text)
        }
        if form["absent"] != nil { return Value.isEmpty(found) }
        if let any = form["any"] { return any.list.contains { matches(found, $0) } }
        guard let found else { return false }
        if let text = form["ci"]?.text { return found.text?.lowercased() == text.lowercased() }
        if let pattern = form["re"]?.text {
            guard let text = found.text,
                let expression = try? NSRegularExpression(
                    pattern: "^(?:\(pattern))$", options: .dotMatchesLineSeparators)
            else { return false }
            return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        }
        let numbers =
            found.list.isEmpty
            ? (found.text ?? "").split(separator: ",").compactMap { Double($0) } : found.list.compactMap(\.number)
        if let near = form["near"]?.list.compactMap(\.number), near.count == 2 {
            return numbers.count == 2 && abs(numbers[0] - near[0]) <= 0.000003 && abs(numbers[1] - near[1]) <= 0.000003
        }
        if let box = form["within"]?.list.compactMap(\.number), box.count == 4 {
            return numbers.count == 4 && numbers[0] >= box[0] && numbers[1] <= box[1] && numbers[2] >= box[2]
                && numbers[3] <= box[3]
        }
        if let box = form["within_lonlat"]?.list.compactMap(\.number), box.count == 4 {
            return numbers.count == 2 && (box[0]...box[2]).contains(numbers[0])
                && (box[1]...box[3]).contains(numbers[1])
        }
        if let exact = form["dict"] {
            return found.object.mapValues { $0.text ?? "" } == exact.object.mapValues { $0.text ?? "" }
        }
        if let some = form["has"] { return some.object.allSatisfy { found[$0.key]?.text == $0.value.text } }
        if let set = form["set"] { return Set(found.list.compactMap(\.text)) == Set(set.list.compactMap(\.text)) }
        if let ints = form["ints"] { return found.list.compactMap(\.number) == ints.list.compactMap(\.number) }
        if let format = form["fmt"]?.list, format.count == 2, let spec = format[0].text, let wanted = format[1].text {
            guard let number = found.number, spec.hasSuffix("f") else { return found.text == wanted }
            return String(format: "%" + spec, number) == wanted
        }
        return false
    }

    static func printed(_ expectation: Value) -> String {
        var text = expectation["kind"]?.text ?? ""
        for key in ["cmp", "n", "index", "format", "scope"] {
            if let value = expectation[key]?.text { text += " \(value)" }
        }
        if let row = expectation["row"] { text += " " + printed(value: row) }
        if let keys = expectation["present"] { text += " present " + printed(value: keys) }
        if let keys = expectation["absent"] { text += " absent " + printed(value: keys) }
        if let rows = expectation["rows"] { text += " " + printed(value: rows) }
        return text
    }

    private static func printed(value: Value) -> String {
        switch value {
        case .null: "null"
        case .list(let list): "[" + list.map { printed(value: $0) }.joined(separator: ", ") + "]"
        case .object(let object):
            "{"
                + object.sorted { $0.key < $1.key }.map { "\($0.key): \(printed(value: $0.value))" }.joined(
                    separator: ", ") + "}"
        default: value.text ?? ""
        }
    }
}

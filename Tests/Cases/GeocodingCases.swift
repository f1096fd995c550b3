import Foundation
import Gazetteer
import Geometry
import HTTPServer
#if canImport(Importing)
    import Importing
#endif
import OpenStreetMap
import OpenStreetMapFiles
import Testing

/// The shared geocoding cases, asked of the Nominatim dialect in this process. Prints figures for each group and asserts
/// that they do not fall below a floor.
@Suite(.serialized) struct GeocodingCases {
    @Test func scenes() throws {
        let passed = try run("scenes.json")
        if let passed { #expect(passed >= 0.90) }
    }

    @Test func freeText() throws {
        let passed = try run("free-text.json")
        if let passed { #expect(passed >= 0.99) }
    }

    /// The Nominatim interface on a real extract; its XML forms are left to people and counted as not asked.
    @Test func interfaceOnAnExtract() throws {
        guard let url = Shared.file("cases/geocoding/api-extract.json"),
            let extract = Shared.file("data/osm/mixed/liechtenstein-and-autauga-2021-01-06.osm.pbf")
        else { return }
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("sextant-cases-\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let dialect = NominatimDialect([try importInput(.file(extract.path), to: path)])
        var groups: [String: (passed: Int, all: Int)] = [:]
        var failures: [String] = []
        for entry in try Value(json: Data(contentsOf: url))["cases"]?.list ?? [] {
            let group = entry["group"]?.text ?? ""
            let checks = (entry["stages"]?.list ?? []).flatMap { $0["checks"]?.list ?? [] }
            let isAsked = checks.allSatisfy { check in
                let format = check.at("params/format")?.text
                let request = check["request"]?.text
                return request != "details" && format != "xml"
                    && (format != nil || request == "search" || request == "status")
            }
            guard isAsked else { continue }
            let problems = checks.flatMap { self.problems($0, dialect) }
            groups[group, default: (0, 0)].all += 1
            if problems.isEmpty {
                groups[group]?.passed += 1
            } else {
                failures.append("\(entry["id"]?.text ?? "") [\(group)]")
                failures += problems.map { "    " + $0 }
            }
        }
        let all = groups.values.reduce(0) { $0 + $1.all }, passed = groups.values.reduce(0) { $0 + $1.passed }
        for (group, count) in groups.sorted(by: { $0.key < $1.key }) {
            print("  \(group): \(count.passed) of \(count.all)")
        }
        print("geocoding/api-extract.json, JSON forms: \(passed) of \(all) hold")
        Shared.report("geocoding-api-extract.txt", failures)
        #expect(Double(passed) >= 0.77 * Double(all))
    }

    /// The part of the file's cases that hold; nil where the file is absent.
    private func run(_ name: String) throws -> Double? {
        guard let url = Shared.file("cases/geocoding/" + name) else { return nil }
        let cases = try Value(json: Data(contentsOf: url))["cases"]?.list ?? []
        let wanted = ProcessInfo.processInfo.environment["SEXTANT_CASE"]
        var groups: [String: (passed: Int, all: Int)] = [:]
        var failures: [String] = []
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-cases-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for entry in cases {
            let id = entry["id"]?.text ?? "", group = entry["group"]?.text ?? ""
            if let wanted, wanted != id { continue }
            var problems: [String] = []
            for (stage, content) in (entry["stages"]?.list ?? []).enumerated() {
                let path = folder.appendingPathComponent("world.sqlite").path
                do {
                    let gazetteer = try importWorld(content["world"] ?? .null, to: path)
                    let dialect = NominatimDialect([gazetteer])
                    for check in content["checks"]?.list ?? [] {
                        problems += self.problems(check, dialect).map { "stage \(stage): \($0)" }
                    }
                } catch {
                    problems.append("stage \(stage): \(error)")
                }
            }
            groups[group, default: (0, 0)].all += 1
            if problems.isEmpty {
                groups[group]?.passed += 1
            } else {
                failures.append("\(id) [\(group)] \(entry["title"]?.text ?? "")")
                failures += problems.map { "    " + $0 }
            }
        }
        let all = groups.values.reduce(0) { $0 + $1.all }, passed = groups.values.reduce(0) { $0 + $1.passed }
        for (group, count) in groups.sorted(by: { $0.key < $1.key }) {
            print("  \(group): \(count.passed) of \(count.all)")
        }
        let share = all > 0 ? Double(passed) / Double(all) : 1
        print("geocoding/\(name): \(passed) of \(all) hold (\(Int((share * 1000).rounded()) / 10) %)")
        Shared.report("geocoding-" + name.replacingOccurrences(of: ".json", with: ".txt"), failures)
        return wanted == nil ? share : nil
    }

    // MARK: Worlds

    #if canImport(Importing)
        private static let outlines = try? CountryOutlines.load()
        private static let country: @Sendable (Coordinate) -> String? = { outlines?.country(at: $0) }
    #else
        private static let country: @Sendable (Coordinate) -> String? = { _ in nil }
    #endif

    private func importWorld(_ world: Value, to path: String) throws -> Gazetteer {
        try importInput(.memory(Array(Self.xml(world).utf8), format: "osm"), to: path)
    }

    private func importInput(_ input: OSMInput, to path: String) throws -> Gazetteer {
        let stream = OSMStream([input])
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "case", licence: "none", attribution: "none"),
            options: GazetteerOptions(country: Self.country))
        try stream.relations { writer.add(relation: $0) }
        try stream.objects(
            areaKeys: [
                "boundary", "place", "building", "landuse", "natural", "leisure", "amenity", "shop", "tourism",
                "highway", "addr:housenumber", "addr:interpolation",
            ],
            node: { writer.add(node: $0) }, way: { writer.add(way: $0) }, area: { writer.add(area: $0) })
        _ = try writer.finish()
        return try Gazetteer(path: path)
    }

    /// The world as an OpenStreetMap file.
    static func xml(_ world: Value) -> String {
        var text = "<?xml version='1.0' encoding='UTF-8'?>\n<osm version=\"0.6\">\n"
        func tags(_ object: Value) -> String {
            (object["tags"]?.object ?? [:]).sorted { $0.key < $1.key }
                .map { "<tag k=\"\(escape($0.key))\" v=\"\(escape($0.value.text ?? ""))\"/>" }.joined()
        }
        func sorted(_ kind: String) -> [Value] {
            (world[kind]?.list ?? []).sorted { ($0["id"]?.number ?? 0) < ($1["id"]?.number ?? 0) }
        }
        for node in sorted("nodes") {
            text +=
                "<node id=\"\(node["id"]?.text ?? "")\" version=\"1\" lat=\"\(plain(node["lat"]))\" lon=\"\(plain(node["lon"]))\">\(tags(node))</node>\n"
        }
        for way in sorted("ways") {
            let nodes = (way["nodes"]?.list ?? []).map { "<nd ref=\"\($0.text ?? "")\"/>" }.joined()
            text += "<way id=\"\(way["id"]?.text ?? "")\" version=\"1\">\(nodes)\(tags(way))</way>\n"
        }
        let kinds = ["N": "node", "W": "way", "R": "relation"]
        for relation in sorted("relations") {
            let members = (relation["members"]?.list ?? []).map { member -> String in
                let parts = member.list
                guard parts.count == 3 else { return "" }
                return
                    "<member type=\"\(kinds[parts[0].text ?? ""] ?? "node")\" ref=\"\(parts[1].text ?? "")\" role=\"\(escape(parts[2].text ?? ""))\"/>"
            }.joined()
            text +=
                "<relation id=\"\(relation["id"]?.text ?? "")\" version=\"1\">\(members)\(tags(relation))</relation>\n"
        }
        return text + "</osm>\n"
    }

    private static func plain(_ value: Value?) -> String {
        String(format: "%.9f", value?.number ?? 0)
    }

    private static func escape(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "\n", with: "&#10;")
    }

    // MARK: Checks

    /// The results in a document of any JSON form.
    private static func rows(_ body: Value) -> [Value] {
        if case .list(let list) = body { return list }
        guard let features = body["features"]?.list else { return [body] }
        return features.map { feature in
            if let geocoding = feature.at("properties/geocoding") {
                var row = geocoding.object
                row["geojson"] = feature["geometry"]
                return .object(row)
            }
            var row = feature["properties"]?.object ?? [:]
            row["geojson"] = feature["geometry"]
            let box = feature["bbox"]?.list ?? []
            if box.count == 4 { row["boundingbox"] = .list([box[1], box[3], box[0], box[2]]) }
            if let point = feature.at("geometry/coordinates")?.list, point.count == 2 {
                row["lon"] = point[0]
                row["lat"] = point[1]
            }
            return .object(row)
        }
    }

    private func problems(_ check: Value, _ dialect: NominatimDialect) -> [String] {
        var query: [(name: String, value: String)] = []
        for (name, value) in (check["params"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            if case .list(let several) = value {
                query += several.map { (name, $0.text ?? "") }
            } else {
                query.append((name, value.text ?? ""))
            }
        }
        let headers = (check["headers"]?.object ?? [:]).mapValues { $0.text ?? "" }
        let path = "/" + (check["request"]?.text ?? "")
        let response = dialect.respond(to: HTTPRequest(path: path, query: query, headers: headers))
        let shown =
            path + "?"
            + query.filter { !["format", "addressdetails", "namedetails", "extratags"].contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let expectations = check["expect"]?.list ?? []
        let status = expectations.first { $0["kind"]?.text == "status" }?["is"]?.number ?? 200
        guard Double(response.status) == status else { return ["\(shown): status \(response.status)"] }
        if let wanted = expectations.first(where: { $0["kind"]?.text == "body" })?["is"]?.text {
            return String(decoding: response.body, as: UTF8.self) == wanted ? [] : ["\(shown): another body"]
        }
        if status != 200 { return [] }
        guard let body = try? Value(json: Data(response.body)) else { return ["\(shown): no JSON"] }
        let rows = Self.rows(body)
        var problems: [String] = []
        for expectation in expectations {
            guard !Expectation.holds(expectation, rows, body, type: response.contentType) else { continue }
            let found = rows.prefix(4).map { row in
                let object = Expectation.object(row) ?? "?"
                return object + " " + (row["display_name"]?.text ?? "")
            }
            problems.append("\(shown): wanted \(Expectation.printed(expectation)), found \(rows.count): \(found)")
        }
        return problems
    }
}

/// What a check expects, after the README of the cases.
private enum Expectation {
    /// An expectation of a kind that is not read here does not hold.
    static func holds(_ expectation: Value, _ rows: [Value], _ body: Value, type: String) -> Bool {
        let row = expectation["row"] ?? .null
        switch expectation["kind"]?.text {
        // The asker compares these before it comes here.
        case "status", "body": return true
        case "document":
            guard type.hasPrefix("application/json") else { return false }
            switch expectation["format"]?.text {
            case "json": return body["type"]?.text != "FeatureCollection"
            case "geojson": return body["type"]?.text == "FeatureCollection" && body["geocoding"] == nil
            case "geocodejson": return body["type"]?.text == "FeatureCollection" && body["geocoding"] != nil
            default: return false
            }
        case "meta": return rowMatches(body["geocoding"] ?? body, row)
        case "keys":
            guard !rows.isEmpty else { return false }
            return rows.allSatisfy { found in
                (expectation["present"]?.list ?? []).allSatisfy { found.at($0.text ?? "") != nil }
                    && (expectation["absent"]?.list ?? []).allSatisfy { found.at($0.text ?? "") == nil }
            }
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

    static func object(_ row: Value) -> String? {
        guard let type = row["osm_type"]?.text, let id = row["osm_id"]?.text else { return nil }
        return type.prefix(1).uppercased() + id
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
        let numbers = found.list.compactMap(\.number)
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
        if let format = form["fmt"]?.list, format.count == 2 { return found.text == format[1].text }
        return false
    }

    static func printed(_ expectation: Value) -> String {
        var text = expectation["kind"]?.text ?? ""
        for key in ["cmp", "n", "index"] { if let value = expectation[key]?.text { text += " \(value)" } }
        if let row = expectation["row"] { text += " " + printed(value: row) }
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

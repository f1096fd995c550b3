import Foundation
import Gazetteer
import Geometry
import HTTPServer
import Testing

/// The shared geocoding cases, asked of the Nominatim and Photon dialects in this process.
///
/// Prints a line for each group and file, and asserts that no file falls below its floor. `SEXTANT_CASES_REPORT` names a
/// folder for the failures, `SEXTANT_CASE` the one case to ask.
@Suite(.serialized) struct GeocodingCases {
    /// A file of worlds with checks, and the share of its cases that must hold.
    struct Floor: Sendable, CustomStringConvertible {
        var file: String
        var share: Double
        var description: String { file }
    }

    static let floors = [
        Floor(file: "scenes.json", share: 0.95), Floor(file: "tag-reading.json", share: 0.95),
        Floor(file: "free-text.json", share: 0.97), Floor(file: "photon.json", share: 0.95),
    ]

    @Test(arguments: floors)
    func theSharedWorldsAreAnswered(floor: Floor) throws {
        guard let url = Shared.file("cases/geocoding/" + floor.file) else { return }
        let folder = try Folder()
        var tally = GeocodingTally()
        for entry in try Self.cases(url) {
            var problems: [GeocodingTally.Problem] = []
            for (stage, content) in (entry["stages"]?.list ?? []).enumerated() {
                do {
                    let gazetteer = try GeocodingWorld.make(content["world"] ?? .null, at: folder.path("world.sqlite"))
                    let asker = Asker([gazetteer])
                    for check in content["checks"]?.list ?? [] {
                        problems += asker.problems(check).map {
                            .init(reason: $0.reason, line: "stage \(stage): \($0.line)")
                        }
                    }
                } catch {
                    problems.append(.init(reason: "import", line: "stage \(stage): \(error)"))
                }
            }
            tally.add(entry, problems)
        }
        tally.report(floor.file)
        if !Self.isOneCase { #expect(tally.share >= floor.share) }
    }

    @Test func theInterfaceIsAnsweredOnAnExtract() throws {
        guard let url = Shared.file("cases/geocoding/api-extract.json"),
            let extract = Shared.file("data/osm/mixed/liechtenstein-and-autauga-2021-01-06.osm.pbf")
        else { return }
        let folder = try Folder()
        let asker = Asker([try GeocodingWorld.make(.file(extract.path), at: folder.path("extract.sqlite"))])
        var tally = GeocodingTally()
        for entry in try Self.cases(url) {
            let checks = (entry["stages"]?.list ?? []).flatMap { $0["checks"]?.list ?? [] }
            tally.add(entry, checks.flatMap { asker.problems($0) })
        }
        tally.report("api-extract.json")
        if !Self.isOneCase { #expect(tally.share >= 0.90) }
    }

    @Test func citiesAreFoundInATableOfGeoNames() throws {
        guard let url = Shared.file("cases/geocoding/city-search.json"),
            let table = Shared.file("data/places/geonames/cities15000-dump.txt.gz")
        else { return }
        let folder = try Folder()
        let gazetteer = try GeocodingWorld.make(
            geoNames: table.path, regions: Shared.file("data/places/geonames/admin1CodesASCII.txt")?.path,
            at: folder.path("cities.sqlite"))
        let asker = Asker([gazetteer])
        var tally = GeocodingTally()
        for entry in try Self.cases(url) {
            let problem = asker.cityProblem(entry)
            tally.add(
                id: entry["id"]?.text ?? "", group: entry["set"]?.text ?? "", title: entry["query"]?.text ?? "",
                problem.map { [$0] } ?? [])
        }
        tally.report("city-search.json")
        if !Self.isOneCase { #expect(tally.share >= 0.98) }
    }

    @Test func addressesAreWrittenAsTheirCountriesDo() throws {
        guard let url = Shared.file("cases/geocoding/address-formatting.json") else { return }
        let formatter = try AddressFormatter.shared
        var tally = GeocodingTally()
        for entry in try Self.cases(url) {
            let parts = entry["components"]?.object.compactMapValues(\.text) ?? [:]
            let lines = formatter.lines(parts, abbreviating: entry["abbreviate"] == .bool(true))
            let wanted = (entry["lines"]?.list ?? []).compactMap(\.text)
            tally.add(
                id: entry["id"]?.text ?? "", group: "addresses", title: entry["country"]?.text ?? "",
                lines == wanted
                    ? [] : [.init(reason: "other lines", line: "\(parts): wanted \(wanted), found \(lines)")])
        }
        tally.report("address-formatting.json")
        if !Self.isOneCase { #expect(tally.share >= 0.98) }
    }

    // MARK: -

    private static let isOneCase = ProcessInfo.processInfo.environment["SEXTANT_CASE"] != nil

    /// The cases of a file; the one that `SEXTANT_CASE` names, where it does.
    private static func cases(_ url: URL) throws -> [Value] {
        let cases = try Value(json: Data(contentsOf: url))["cases"]?.list ?? []
        guard let wanted = ProcessInfo.processInfo.environment["SEXTANT_CASE"] else { return cases }
        return cases.filter { $0["id"]?.text == wanted }
    }

    /// A folder for the length of a test.
    private final class Folder {
        private let url: URL

        init() throws {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("sextant-cases-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        func path(_ name: String) -> String { url.appendingPathComponent(name).path }

        deinit { try? FileManager.default.removeItem(at: url) }
    }
}

extension GeocodingTally {
    fileprivate mutating func add(_ entry: Value, _ problems: [Problem]) {
        add(
            id: entry["id"]?.text ?? "", group: entry["group"]?.text ?? "", title: entry["title"]?.text ?? "", problems)
    }
}

/// Asks the dialects over some gazetteers and says what does not hold.
private struct Asker {
    private let nominatim: NominatimDialect
    private let photon: PhotonDialect

    init(_ gazetteers: [Gazetteer]) {
        nominatim = NominatimDialect(gazetteers)
        photon = PhotonDialect(gazetteers)
    }

    func problems(_ check: Value) -> [GeocodingTally.Problem] {
        let request = request(check)
        let isPhoton = check["interface"]?.text == "photon"
        let answer = GeocodingAnswer(isPhoton ? photon.respond(to: request) : nominatim.respond(to: request))
        let shown =
            request.path + "?"
            + request.query.filter { !["addressdetails", "namedetails"].contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        let expectations = check["expect"]?.list ?? []
        let status = Int(expectations.first { $0["kind"]?.text == "status" }?["is"]?.number ?? 200)
        guard answer.status == status else {
            return [.init(reason: "status", line: "\(shown): status \(answer.status) \(answer.text.prefix(200))")]
        }
        var problems: [GeocodingTally.Problem] = []
        for expectation in expectations where !GeocodingExpectation.holds(expectation, answer) {
            let found = answer.rows.prefix(4).map { row in
                (GeocodingExpectation.object(row) ?? "?") + " "
                    + (row["display_name"]?.text ?? row["label"]?.text ?? row["name"]?.text ?? "")
            }
            problems.append(
                .init(
                    reason: GeocodingExpectation.reason(expectation, answer),
                    line: "\(shown): wanted \(GeocodingExpectation.printed(expectation)), found \(answer.rows.count): "
                        + "\(found)"))
        }
        return problems
    }

    private func request(_ check: Value) -> HTTPRequest {
        var query: [(name: String, value: String)] = []
        for (name, value) in (check["params"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
            if case .list(let several) = value {
                query += several.map { (name, $0.text ?? "") }
            } else {
                query.append((name, value.text ?? ""))
            }
        }
        let headers = (check["headers"]?.object ?? [:]).mapValues { $0.text ?? "" }
        let base = check["interface"]?.text == "photon" ? "/photon/" : "/"
        return HTTPRequest(path: base + (check["request"]?.text ?? ""), query: query, headers: headers)
    }

    /// What is wrong with the first result of a query for a city.
    func cityProblem(_ entry: Value) -> GeocodingTally.Problem? {
        let text = entry["query"]?.text ?? ""
        var query: [(name: String, value: String)] = [("q", text), ("format", "jsonv2")]
        for (name, value) in entry["params"]?.object ?? [:] { query.append((name, value.text ?? "")) }
        let answer = GeocodingAnswer(nominatim.respond(to: HTTPRequest(path: "/search", query: query)))
        let point = (entry["point"]?.list ?? []).compactMap(\.number)
        guard point.count == 2, let limit = entry["km"]?.number else {
            return .init(reason: "case that cannot be read", line: text)
        }
        guard let first = answer.rows.first, let lon = first["lon"]?.number, let lat = first["lat"]?.number else {
            return .init(reason: "no results", line: text)
        }
        let distance =
            Coordinate(latitude: lat, longitude: lon).distance(to: Coordinate(latitude: point[1], longitude: point[0]))
            / 1000
        guard distance > limit else { return nil }
        let found = first["display_name"]?.text ?? ""
        return .init(reason: "another place", line: "\(text): \(found), \(Int(distance)) km away")
    }
}

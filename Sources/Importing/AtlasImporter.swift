import AtlasFiles
import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import OpenStreetMapFiles
import Routing
import Tables

/// How far an import is.
public struct ImportProgress: Sendable {
    /// What is being done: "reading", "roads", "gazetteer: addresses" ...
    public var phase: String
    /// From 0 to 1 within the phase.
    public var fraction: Double
}

/// What an import brought and what it left out.
public struct ImportReport: Sendable {
    public var path: String
    public var manifest: Manifest
    /// Which columns of each table of addresses or points were read as what, a line each.
    public var columns: [String]
    public var seconds: Double

    /// Numbers by kind, as in the manifest.
    public var counts: [String: Int] { manifest.counts }
    /// Numbers by reason, as in the manifest.
    public var skipped: [String: Int] { manifest.skipped }
}

/// What keeps an import from being done.
public enum ImportError: Error, CustomStringConvertible {
    case nothingToImport
    /// The data holds neither a road nor anything that can be found.
    case nothingFound([String])
    case unreadable(String)
    case noSuchFile(String)
    /// It is not clear what a file holds, or what its columns are; the reason says what to do.
    case unclearFile(String, reason: String)

    public var description: String {
        switch self {
        case .nothingToImport: "no file to import was named"
        case .nothingFound(let files): "nothing that can be found or travelled in \(files.joined(separator: ", "))"
        case .unreadable(let message): "cannot read \(message)"
        case .noSuchFile(let message): message
        case .unclearFile(let file, let reason): "cannot import \(file): \(reason)"
        }
    }
}

/// Makes atlases: reads the sources as streams, fills the gazetteer and the road graph, and puts the folder in its place
/// in one step.
///
///     let report = try AtlasImporter().run(files: ["liechtenstein.osm.pbf"], to: "Liechtenstein.atlas")
///     print(report.counts)
///
/// Memory grows with the places of the nodes, the road graph and the short facts of the features, not with the files'
/// tags. An error or a stop leaves what stood under the path as it was.
public struct AtlasImporter: Sendable {
    public enum DrivingSide: String, Sendable {
        case left, right
    }

    /// Written into the manifest.
    public static let version = "Sextant 0.1.0"

    /// Overrides the side that the country of a road has.
    public var drivingSide: DrivingSide?
    /// What is known of tables besides what they say themselves, by path: names, licences, columns.
    public var descriptions: [String: SourceDescription] = [:]
    /// GeoNames' `admin1CodesASCII.txt`, for the names of regions in GeoNames tables.
    public var regionNames: String?
    /// Whether to take the roads alone: such an atlas routes, and finds nothing.
    public var takesRoadsAlone = false
    /// Told the phase and how far it is; throw to stop the import.
    public var progress: (@Sendable (ImportProgress) throws -> Void)?
    /// Told the steps of writing, for tests of crashes.
    public var reached: (@Sendable (AtlasWriter.Step) -> Void)?
    /// Takes the way of file systems that cannot exchange two folders; for tests.
    public var withoutExchange = false
    /// Whether to wait for another import of the same atlas instead of failing.
    public var waitsForOthers = false

    public init() {}

    /// Imports files of OpenStreetMap, GeoNames tables, and tables of addresses and points into one atlas.
    ///
    /// The content of a file tells what it is (`SourceKind`). Extracts come first, tables in their order; what an earlier one
    /// has is kept, and doubles of it are folded and counted.
    ///
    /// - Throws: `ImportError`, `TableError`, `TableFault`, `AtlasError`, or what `progress` threw.
    public func run(files: [String], to path: String) throws -> ImportReport {
        guard !files.isEmpty else { throw ImportError.nothingToImport }
        for file in files where !FileManager.default.isReadableFile(atPath: file) {
            throw ImportError.noSuchFile(
                FileManager.default.fileExists(atPath: file)
                    ? "\(file) cannot be read: permission denied" : "no file \(file)")
        }
        let kinds = try files.map { try SourceKind(path: $0) }
        let extracts = zip(files, kinds).filter { $0.1 == .openStreetMap }.map { $0.0 }
        if let described = extracts.first(where: { descriptions[$0] != nil }) {
            throw ImportError.unclearFile(
                described, reason: "it is an OpenStreetMap file, whose name, licence and columns are known")
        }
        return try write(to: path) { state in
            try state.read(extracts, of: self)
            for (file, kind) in zip(files, kinds) where kind != .openStreetMap {
                try state.read(table: file, kind, of: self)
            }
        }
    }

    /// Imports OpenStreetMap data in memory; for tests and tools.
    public func run(_ inputs: [OSMInput], to path: String) throws -> ImportReport {
        try write(to: path) { state in
            try state.read(inputs, names: inputs.indices.map { "data in memory \($0 + 1)" }, of: self)
        }
    }

    /// Makes the built-in *World*: places, countries, regions and time zones, without roads.
    public func runWorld(to path: String) throws -> ImportReport {
        try runWorld(to: path, files: WorldImporter.files())
    }

    /// The same from other files of the same forms: places, outlines, time zones.
    package func runWorld(to path: String, files: [URL]) throws -> ImportReport {
        // Towns, regions and time zones of one name are not the same.
        try write(to: path, gazetteerSources: WorldImporter.sources, foldsSources: false) { state in
            for (file, source) in zip(files, WorldImporter.sources) {
                state.sources.append(
                    Manifest.Source(
                        name: source.name, sha256: try sha256(ofFile: file.path), timestamp: nil,
                        licence: source.licence,
                        attribution: source.attribution, coverage: .everywhere))
            }
            try WorldImporter.add(files: files, to: state.gazetteer) { try tell("reading", $0) }
        }
    }

    func tell(_ phase: String, _ fraction: Double) throws {
        try progress?(ImportProgress(phase: phase, fraction: fraction))
    }

    private func write(
        to path: String, gazetteerSources: [GazetteerSource] = [.openStreetMap], foldsSources: Bool = true,
        _ read: (ImportState) throws -> Void
    ) throws -> ImportReport {
        let clock = ContinuousClock()
        let start = clock.now
        do {
            let writer = try AtlasWriter(path: path, waiting: waitsForOthers)
            if let reached { writer.reached = reached }
            writer.withoutExchange = withoutExchange
            writer.reached(.started)
            let state = try ImportState(
                gazetteerPath: writer.path(of: AtlasFolder.gazetteer), sources: gazetteerSources,
                drivingSide: drivingSide, foldsSources: foldsSources)
            try read(state)
            let manifest = try state.finish(writer, name: Self.name(of: path), importer: self)
            let elapsed = clock.now - start
            return ImportReport(
                path: writer.path, manifest: manifest, columns: state.columns,
                seconds: Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
        } catch let error as DatabaseError where error.isDiskFull {
            throw AtlasError.diskFull(path)
        } catch RoutingError.diskFull {
            throw AtlasError.diskFull(path)
        }
    }

    private static func name(of path: String) -> String {
        let last = URL(fileURLWithPath: path).lastPathComponent
        return last.hasSuffix(".atlas") ? String(last.dropLast(6)) : last
    }
}

extension GazetteerSource {
    static let openStreetMap = GazetteerSource(
        name: "OpenStreetMap", licence: "ODbL 1.0", attribution: "© OpenStreetMap contributors")
    static let geoNames = GazetteerSource(
        name: "GeoNames", licence: "CC BY 4.0", attribution: "GeoNames, https://www.geonames.org")
}

/// What one import has gathered so far.
final class ImportState {
    let gazetteer: GazetteerWriter
    var sources: [Manifest.Source] = []
    /// Which columns of each table were read as what.
    private(set) var columns: [String] = []
    private var graph = RoadGraphBuilder()
    private var counts: [String: Int] = [:]
    private var skipped: [String: Int] = [:]
    private let worldOutlines: WorldOutlines
    private let outlines: CountryOutlines
    private let rules: [String: CountryRules]
    private let drivingSide: AtlasImporter.DrivingSide?
    /// Sides that country relations of the file itself tell, by capital code.
    private var toldSides: [String: Bool] = [:]

    /// Tables by the number of their source in the gazetteer: where they are in `sources`, and how many features they gave;
    /// nil where the gazetteer makes them at its end.
    private var tables: [Int: (index: Int, added: Int?)] = [:]

    init(
        gazetteerPath: String, sources: [GazetteerSource], drivingSide: AtlasImporter.DrivingSide?, foldsSources: Bool
    ) throws {
        worldOutlines = try WorldOutlines.load("world/outlines.tsv.gz")
        let outlines = CountryOutlines(worldOutlines, withRegions: false)
        self.outlines = outlines
        self.drivingSide = drivingSide
        rules = try CountryRules.all()
        gazetteer = try GazetteerWriter(
            path: gazetteerPath, source: sources.first ?? .openStreetMap,
            options: GazetteerOptions(
                country: { outlines.country(at: $0)?.lowercased() }, foldsSources: foldsSources))
    }

    func read(_ files: [String], of importer: AtlasImporter) throws {
        guard !files.isEmpty else { return }
        try read(files.map { .file($0) }, names: files, of: importer)
    }

    func read(_ inputs: [OSMInput], names: [String], of importer: AtlasImporter) throws {
        guard !inputs.isEmpty else { return }
        do {
            try readStream(inputs, names: names, of: importer)
        } catch OSMFileError.noSuchFile(let message) {
            throw ImportError.noSuchFile(message)
        } catch OSMFileError.unreadable(let message) {
            throw ImportError.unreadable(message)
        }
    }

    private func readStream(_ inputs: [OSMInput], names: [String], of importer: AtlasImporter) throws {
        let stream = OSMStream(inputs)
        var land = LandBuilder()
        let isRoadsAlone = importer.takesRoadsAlone
        func progress(_ phase: String) -> (UInt64, UInt64) throws -> Void {
            { done, total in try importer.tell(phase, total > 0 ? Double(done) / Double(total) : 0) }
        }
        try stream.relations(progress: progress("reading relations")) { relation in
            self.note(country: relation)
            self.graph.add(relation)
            if isRoadsAlone { return }
            self.gazetteer.add(relation: relation)
            land.add(relation)
        }
        var coverage = CoverageBuilder()
        let report = try stream.objects(
            areaKeys: isRoadsAlone ? [] : Self.areaKeys,
            node: { node in
                self.graph.add(node)
                if isRoadsAlone { return }
                if Self.isCovering(node.tags) {
                    coverage.add(node.location)
                    land.add(node.location, isDry: node.tags["addr:housenumber"] != nil)
                }
                self.gazetteer.add(node: node)
            },
            way: { way in
                if Self.isCovering(way.tags) || way.tags["highway"] != nil && way.tags["name"] != nil {
                    for location in way.locations { if let location { coverage.add(location) } }
                }
                if !isRoadsAlone {
                    self.gazetteer.add(way: way)
                    land.add(way)
                }
                if way.tags["highway"] != nil || way.tags["route"] != nil || way.tags["railway"] != nil
                    || way.tags["junction"] != nil || way.tags["man_made"] != nil || way.tags["leisure"] != nil
                    || way.tags["public_transport"] != nil || way.tags.has("amenity", "parking")
                    || way.tags.has("bridge", "movable")
                {
                    self.graph.add(way, rules: self.rules(of: way))
                }
            },
            area: { area in
                self.gazetteer.add(area: area)
                land.add(area)
            }, progress: progress("reading"))
        if !isRoadsAlone {
            land.finish(into: gazetteer, heads: stream.boxes()) { WorldLand(self.worldOutlines, withBorders: false) }
        }
        counts["nodes read"] = report.nodes
        counts["ways read"] = report.ways
        counts["relations read"] = report.relations
        skip("ways with missing nodes", report.waysWithoutNode)
        skip("areas whose rings do not close or cross", report.brokenAreas)
        skip("areas with missing members", report.incompleteRelations)
        skip("older copies of objects in several files", report.duplicates)
        let alone =
            try inputs.count > 1
            ? Self.each(of: inputs) : [(coverage: coverage.finish(), newest: report.newestTimestamp)]
        for (index, input) in inputs.enumerated() {
            var sum = ""
            if case .file(let path) = input { sum = try sha256(ofFile: path) }
            sources.append(
                Manifest.Source(
                    name: URL(fileURLWithPath: names[index]).lastPathComponent, sha256: sum,
                    timestamp: alone[index].newest.map(Self.text), licence: "ODbL 1.0",
                    attribution: "© OpenStreetMap contributors", coverage: alone[index].coverage))
        }
    }

    /// Reads a file that is no extract.
    func read(table path: String, _ kind: SourceKind, of importer: AtlasImporter) throws {
        let file = URL(fileURLWithPath: path).lastPathComponent
        let told = importer.descriptions[path] ?? SourceDescription()
        let source = Self.source(of: kind, file: file, told)
        let number = gazetteer.addSource(source)
        var coverage = CoverageBuilder()
        var rows = 0
        var added: Int?
        func progress(_ share: Double) throws { try importer.tell("reading \(file)", share) }
        try progress(0)
        switch kind {
        case .openStreetMap: return
        case .geoNames:
            let regions = try importer.regionNames.map { try GeoNamesTable.admin1Codes(path: $0) } ?? [:]
            let result = try GeoNamesTable.add(
                path: path, to: gazetteer, source: number, regions: regions, found: { coverage.add($0) }
            ) { _ in try progress(0) }
            for (reason, count) in result.skipped { skip(reason, count) }
            rows = result.added + result.skipped.values.reduce(0, +)
            counts["GeoNames lines", default: 0] += result.added
            added = result.added
        case .postcodes:
            let result = try PostcodeTable.add(path: path, to: gazetteer, source: number, progress: progress)
            rows = result.rows
            skip(result.skipped, of: source.name)
        case .table(let form):
            var table = RegisterTable(path: path, form: form, description: told)
            let known = sources.map(\.coverage).filter { !$0.isEmpty }
            if !known.isEmpty { table.isKnownGround = { place in known.contains { $0.contains(place) } } }
            table.country = { self.outlines.country(at: $0) }
            let result = try table.add(
                to: gazetteer, source: number, found: { coverage.add($0) }, progress: progress)
            rows = result.rows
            added = result.addresses + result.points
            skip(result.skipped, of: source.name)
            columns.append("\(file): \(result.columns)")
        }
        tables[number] = (sources.count, added)
        sources.append(
            Manifest.Source(
                name: source.name, sha256: try sha256(ofFile: path), timestamp: nil, licence: source.licence,
                attribution: source.attribution, coverage: coverage.finish(), counts: ["rows": rows]))
    }

    /// How answers name a file.
    private static func source(of kind: SourceKind, file: String, _ told: SourceDescription) -> GazetteerSource {
        let known: GazetteerSource
        switch kind {
        case .openStreetMap: known = .openStreetMap
        case .geoNames, .postcodes:
            known = .geoNames
        case .table:
            known = GazetteerSource(
                name: file, licence: SourceDescription.unstatedLicence, attribution: told.name ?? file)
        }
        return GazetteerSource(
            name: told.name ?? (kind == .postcodes ? "GeoNames postal codes, \(file)" : known.name),
            licence: told.licence ?? known.licence, attribution: told.attribution ?? known.attribution)
    }

    private func skip(_ reasons: [String: (count: Int, line: Int)], of name: String) {
        for (reason, told) in reasons {
            skip("\(name): \(reason)\(told.count > 1 ? ", first" : "") in line \(told.line)", told.count)
        }
    }

    func finish(_ writer: AtlasWriter, name: String, importer: AtlasImporter) throws -> Manifest {
        let id = Manifest.newAtlasID()
        let idText = Manifest.text(ofAtlasID: id)
        var files = [AtlasFolder.gazetteer]
        if graph.wayCount > 0 {
            let roads = try makeRoads(id, importer)
            try roads.write(to: writer.path(of: AtlasFolder.roads))
            counts["road vertices"] = roads.vertexCount
            counts["road edges"] = roads.edgeCount
            for (reason, count) in graph.skipped { skip(reason, count) }
            files.append(AtlasFolder.roads)
            files += try writeMetrics(of: roads, writer, importer)
        }
        graph = RoadGraphBuilder()
        let report = try gazetteer.finish { try importer.tell("gazetteer: \($0.phase)", $0.fraction) }
        for (kind, count) in report.features { counts["\(kind)"] = count }
        for (reason, count) in report.skipped { skip(reason, count) }
        for (number, table) in tables {
            let folded = report.folded[number] ?? 0
            sources[table.index].counts?["kept"] = table.added.map { $0 - folded } ?? report.written[number] ?? 0
            sources[table.index].counts?["folded"] = folded
        }
        guard report.features.values.contains(where: { $0 > 0 }) || files.count > 1 else {
            throw ImportError.nothingFound(sources.map(\.name))
        }
        let database = try Database(path: writer.path(of: AtlasFolder.gazetteer), readOnly: false)
        try database.execute("INSERT OR REPLACE INTO setting(name, value) VALUES ('atlas_id', '\(idText)')")
        return try writer.finish(
            Manifest(
                atlasID: idText, name: name, created: Self.text(Int64(Date().timeIntervalSince1970)),
                importer: AtlasImporter.version, sources: sources, counts: counts, skipped: skipped),
            files: files)
    }

    private func makeRoads(_ id: [UInt8], _ importer: AtlasImporter) throws -> RoadGraph {
        // The builder knows one error of its own; what the progress threw is thrown on here.
        var fault: (any Error)?
        do {
            return try graph.finish(atlasID: id) { phase, fraction in
                do {
                    try importer.tell(phase == .roads ? "roads" : "roads: order", fraction)
                } catch {
                    fault = error
                }
                return fault == nil
            }
        } catch {
            throw fault ?? error
        }
    }

    /// Customises the roads for every profile.
    private func writeMetrics(
        of roads: RoadGraph, _ writer: AtlasWriter, _ importer: AtlasImporter
    ) throws -> [String] {
        try writer.makeFolder("metrics")
        var files: [String] = []
        for profile in Profile.allCases {
            try importer.tell("roads: metrics", Double(files.count) / Double(Profile.allCases.count))
            let file = AtlasFolder.metric(of: "\(profile)")
            try roads.metric(for: profile).write(to: writer.path(of: file))
            files.append(file)
        }
        try importer.tell("roads: metrics", 1)
        return files
    }

    private func skip(_ reason: String, _ count: Int) {
        if count > 0 { skipped[reason, default: 0] += count }
    }

    // MARK: - Countries

    private func note(country relation: OSMRelation) {
        guard relation.tags["admin_level"] == "2",
            let code = relation.tags["ISO3166-1:alpha2"] ?? relation.tags["ISO3166-1"],
            let side = relation.tags["driving_side"]
        else { return }
        toldSides[code.uppercased()] = side == "left"
    }

    private func rules(of way: OSMWay) -> CountryRules {
        var found = CountryRules.unknown
        if let place = way.locations.lazy.compactMap({ $0 }).first, let code = outlines.country(at: place) {
            found = rules[code] ?? .unknown
            if let left = toldSides[code] { found.drivesOnLeft = left }
        }
        if let side = way.tags["driving_side"] { found.drivesOnLeft = side == "left" }
        if let drivingSide { found.drivesOnLeft = drivingSide == .left }
        return found
    }

    // MARK: - Coverage

    private static func isCovering(_ tags: Tags) -> Bool {
        tags.pairs.contains { $0.key == "addr:housenumber" || $0.key == "place" || $0.key == "addr:street" }
    }

    /// The coverage and the newest object's time of each input alone, which takes a second reading.
    private static func each(of inputs: [OSMInput]) throws -> [(coverage: Coverage, newest: Int64?)] {
        try inputs.map { input in
            var coverage = CoverageBuilder()
            let report = try OSMStream([input]).objects(
                areaKeys: [], node: { if isCovering($0.tags) { coverage.add($0.location) } },
                way: { way in
                    guard isCovering(way.tags) || way.tags["highway"] != nil && way.tags["name"] != nil else { return }
                    for location in way.locations { if let location { coverage.add(location) } }
                })
            return (coverage.finish(), report.newestTimestamp)
        }
    }

    /// Keys of relations whose outlines the gazetteer wants.
    private static let areaKeys = [
        "boundary", "place", "natural", "leisure", "landuse", "amenity", "shop", "tourism", "historic", "building",
        "man_made", "waterway", "water", "aeroway", "railway", "public_transport", "office", "craft", "healthcare",
        "military", "club", "emergency", "highway", "addr:housenumber", "education", "power",
    ]

    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

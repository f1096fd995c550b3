import AtlasFiles
import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Routing

/// One or several atlases opened together, with the built-in *World* beneath where it is wanted.
///
///     let atlas = try Atlas.open(["Liechtenstein.atlas"])
///     let answer = try atlas.geocode(GeocodeQuery("Städtle 13, Vaduz"))
///     let lunch = try atlas.search(SearchQuery("restaurants", in: .circle(center: place, metres: 500)))
///     let route = try atlas.route(RouteRequest(stops: [Stop(home), Stop(work)]))
///
/// Opening reads the manifests and the heads of the files and takes some milliseconds. An open atlas is immutable, safe to
/// ask from many tasks at once, and stays whole while another is written in its place. There is no global state.
public final class Atlas: Sendable {
    /// One of the open atlases.
    public struct Part: Sendable {
        public let folder: AtlasFolder
        public let gazetteer: Gazetteer
        /// Nil for an atlas without roads.
        public let router: Router?
        public let isWorld: Bool
        /// What of it is drawn on a map.
        public let map: GazetteerMap
        /// The gazetteer's sources by their numbers.
        let sources: [Int64: GazetteerSource]

        public var manifest: Manifest { folder.manifest }
        public var name: String { folder.manifest.name }
    }

    /// The atlases in the order in which they were named; the World last.
    public let parts: [Part]
    private let formatter: AddressFormatter
    private let normalizer: TextNormalizer

    private init(parts: [Part]) throws {
        self.parts = parts
        formatter = try AddressFormatter.shared
        normalizer = try TextNormalizer.shared
    }

    /// Opens atlases.
    ///
    /// - Parameters:
    ///   - paths: folders made by `sextant import`; they are asked in this order.
    ///   - world: the folder of the World atlas, which answers where the others end; nil for none.
    ///   - verifying: whether to compare every file's checksum, which reads all of them.
    /// - Throws: `AtlasError` for what is missing, damaged, mixed, or of another format.
    public static func open(_ paths: [String], world: String? = nil, verifying: Bool = false) throws -> Atlas {
        guard !paths.isEmpty || world != nil else { throw SextantError.noAtlas }
        return try Atlas(
            parts: paths.map { try part($0, isWorld: false, verifying: verifying) }
                + (world.map { [try part($0, isWorld: true, verifying: verifying)] } ?? []))
    }

    private static func part(_ path: String, isWorld: Bool, verifying: Bool) throws -> Part {
        let folder = try AtlasFolder(path: path)
        if verifying { try folder.verify() }
        guard folder.has(AtlasFolder.gazetteer) else {
            throw AtlasError.damagedAtlas(
                file: "\(path)/\(Manifest.fileName)", reason: "names no \(AtlasFolder.gazetteer)")
        }
        func damaged(_ file: String, _ reason: String) -> AtlasError {
            .damagedAtlas(file: "\(path)/\(file)", reason: reason)
        }
        do {
            let gazetteer = try Gazetteer(path: folder.path(of: AtlasFolder.gazetteer))
            let (id, sources) = try gazetteer.withDatabase { database in
                let statement = try database.prepare("SELECT value FROM setting WHERE name = 'atlas_id'")
                return (try statement.step() ? statement.text(0) : nil, try Self.sources(database))
            }
            guard id == folder.manifest.atlasID else {
                throw damaged(AtlasFolder.gazetteer, "belongs to another atlas")
            }
            var router: Router?
            if folder.has(AtlasFolder.roads) {
                let file = try folder.openFile(AtlasFolder.roads)
                defer { close(file) }
                let graph = try RoadGraph.open(fileDescriptor: file, name: "\(path)/\(AtlasFolder.roads)")
                guard Manifest.text(ofAtlasID: graph.atlasID) == folder.manifest.atlasID else {
                    throw damaged(AtlasFolder.roads, "belongs to another atlas")
                }
                router = try Router(
                    graph: graph, metrics: metrics(in: folder),
                    cache: MetricCache(
                        folder: AtlasLocations.metricFolder(environment: ProcessInfo.processInfo.environment)))
            }
            return Part(
                folder: folder, gazetteer: gazetteer, router: router, isWorld: isWorld,
                map: try GazetteerMap(gazetteer),
                sources: sources)
        } catch let error as DatabaseError {
            throw damaged(AtlasFolder.gazetteer, error.message)
        } catch RoutingError.damagedAtlas(let file, let reason) {
            throw AtlasError.damagedAtlas(file: file, reason: reason)
        } catch RoutingError.unsupportedVersion(let file, let version) {
            let known = Int(file.hasSuffix(AtlasFolder.roads) ? RoadGraph.formatVersion : RoadMetric.formatVersion)
            throw version < known
                ? AtlasError.oldFormat(file, found: version, known: known)
                : AtlasError.newerFormat(file, found: version, known: known)
        }
    }

    /// The metrics that the atlas has, one a profile.
    private static func metrics(in folder: AtlasFolder) throws -> [RoadMetric] {
        var metrics: [RoadMetric] = []
        for profile in Profile.allCases {
            let name = AtlasFolder.metric(of: "\(profile)")
            guard folder.has(name) else { continue }
            let file = try folder.openFile(name)
            defer { close(file) }
            let metric = try RoadMetric.open(fileDescriptor: file, name: "\(folder.path)/\(name)")
            guard metric.profile == profile else {
                throw AtlasError.damagedAtlas(file: "\(folder.path)/\(name)", reason: "is of another profile")
            }
            metrics.append(metric)
        }
        return metrics
    }

    private static func sources(_ database: Database) throws -> [Int64: GazetteerSource] {
        var sources: [Int64: GazetteerSource] = [:]
        let rows = try database.prepare("SELECT id, name, licence, attribution FROM source")
        while try rows.step() {
            sources[rows.int64(0)] = GazetteerSource(
                name: rows.text(1) ?? "", licence: rows.text(2) ?? "", attribution: rows.text(3) ?? "")
        }
        return sources
    }

    /// Reads what the first questions would else wait for: lexicons, ICU's rules for alphabets, the first pages of indexes.
    /// A program that serves others calls it before it does so; costs about a tenth of a second.
    public func warmUp() throws {
        for text in ["Hauptstrase 1, Москва", "Main Street & Rue de la Gare"] {
            _ = try geocode(GeocodeQuery(text, limit: 1))
            _ = try complete(CompletionQuery(text, limit: 1))
        }
        _ = try search(SearchQuery("restaurants", in: .everywhere, limit: 1), at: SearchMoment())
        for part in parts {
            guard let center = part.manifest.sources.lazy.compactMap({ $0.coverage.boundingBox }).first?.center else {
                continue
            }
            _ = try reverse(center)
        }
    }

    /// Whether any of the atlases, the World left aside, knows the neighbourhood of the point.
    public func covers(_ point: Coordinate) -> Bool { parts.contains { !$0.isWorld && $0.folder.covers(point) } }

    /// Whether any of the atlases, the World left aside, may know something in the box.
    public func covers(_ box: BoundingBox) -> Bool {
        parts.contains { part in
            !part.isWorld
                && part.manifest.sources.contains { $0.coverage.boundingBox.map { $0.intersects(box) } ?? false }
        }
    }

    /// All that is drawn on a map of these atlases: each where it covers, the first named above the others, the World
    /// beneath.
    public var mapSource: any MapSource {
        LayeredMap(parts.map(\.map), endsWithWorld: parts.last?.isWorld ?? false)
    }

    // MARK: - Finding

    /// The places that an address, a name or the fields of an address stand for, best first.
    ///
    /// An empty list comes with the word that nothing explains and with the places that would fit without it
    /// (`nearMisses`): finding nothing is an answer, not an error. A text that writes a position down (`Coordinate(written:)`,
    /// `OpenLocationCode`) is looked up in reverse.
    public func geocode(_ query: GeocodeQuery) throws -> FoundPlaces {
        if let point = try writtenPosition(query) { return try place(at: point, as: query) }
        var found = FoundPlaces()
        let answers = try GeocodeAnswer.answers(of: parts.count, to: query) { index, query in
            try asking(index) { try $0.geocode(query) }
        }
        for (index, answer) in answers.enumerated() {
            if found.unmatchedToken == nil { found.unmatchedToken = answer.unmatchedToken }
            if answer.unmatchedToken == found.unmatchedToken, answer.isUnmatchedTokenKnown {
                found.isUnmatchedTokenKnown = true
            }
            if var explanation = answer.explanation {
                for candidate in explanation.candidates.indices {
                    explanation.candidates[candidate].surroundings = try surroundings(
                        of: explanation.candidates[candidate], index, query)
                }
                found.explanations.append(AtlasExplanation(atlas: parts[index].name, explanation: explanation))
            }
        }
        found.places = try merged(answers.map(\.matches), query)
        found.nearMisses = try merged(answers.map(\.nearMisses), query)
        if !found.places.isEmpty { found.unmatchedToken = nil }
        return found
    }

    /// What lies at a point: the nearest address, else street, else the finest place around it; nil where no atlas knows
    /// anything, as in the open sea.
    public func reverse(_ point: Coordinate, options: ReverseOptions = ReverseOptions()) throws -> FoundPlace? {
        var fallback: FoundPlace?
        for index in parts.indices {
            var match = try asking(index) { try $0.reverse(point, options: options) }
            // A point on land that the simplified outlines leave out belongs to the nearest of them.
            if match == nil, fallback == nil, parts[index].isWorld, options.layers.contains(.address) {
                match = try asking(index) {
                    try $0.nearestArea(
                        to: point, within: Self.coastalReach, finestRank: options.finestRank,
                        languages: options.languages)
                }
            }
            // The World knows towns by their points alone: the one at hand says more than the region's outline.
            if parts[index].isWorld, match.map({ $0.feature.rank < 16 }) ?? true, options.finestRank >= 16,
                options.layers.contains(.address),
                let near = try asking(index, { try $0.nearestPlace(to: point, country: match?.feature.country) })
            {
                return try place(
                    near.feature, index, at: near.feature.location, distance: near.distance,
                    languages: options.languages)
            }
            guard let match else { continue }
            // Of two that are coarse the detailed atlas's own goes first where it is as fine.
            if parts[index].isWorld, let fallback, fallback.feature.rank >= match.feature.rank { return fallback }
            var found = try place(
                match.feature, index, at: match.location, address: match.address, distance: match.distance,
                languages: options.languages)
            if parts[index].isWorld, match.feature.rank < 16, options.finestRank >= 16,
                options.layers.contains(.address),
                let town = try asking(
                    index,
                    {
                        try $0.nearestTown(to: point, country: match.feature.country) ?? $0.nearestTown(to: point)
                    }), let name = town.feature.name(in: options.languages)
            {
                found.nearestTown = .init(name: name, distance: town.distance, coordinate: town.feature.location)
            }
            // A country outline of a detailed atlas says less than a town of the World.
            if match.feature.rank >= 16 || parts[index].isWorld { return found }
            if fallback == nil { fallback = found }
        }
        return fallback
    }

    /// How far around its point a crossing reaches, in metres.
    private static let reachOfCrossing = 25.0

    /// How far from the nearest outline a point of the coast may lie, in metres.
    private static let coastalReach = 30_000.0

    /// The best place of that name that has an outline: a country, a municipality, a park. The finest atlas that has one
    /// is taken, and the World only where none does; what merely holds the words in a longer name is not. Nil where no
    /// such place has an outline.
    public func area(named name: String, languages: [String] = []) throws -> FoundPlace? {
        var query = GeocodeQuery(name, languages: languages, limit: 20)
        query.correctsSpelling = false
        var second: FoundPlace?
        for index in parts.indices {
            for match in try asking(index, { try $0.geocode(query) }).matches where match.quality.score >= 0.95 {
                guard case .polygons(let polygons)? = try asking(index, { try $0.outline(of: match.feature) }),
                    !polygons.isEmpty
                else { continue }
                let found = try place(match, index, query)
                if (1..<26).contains(match.feature.rank) { return found }
                if second == nil { second = found }
            }
        }
        return second
    }

    /// The feature made from an object of OpenStreetMap.
    public func lookup(_ id: OSMID, languages: [String] = []) throws -> FoundPlace? {
        for index in parts.indices {
            if let feature = try asking(index, { try $0.feature(osm: id) }) {
                return try place(feature, index, at: feature.location, languages: languages)
            }
        }
        return nil
    }

    // MARK: - Driving

    /// The cheapest way through the stops, with steps and sentences.
    ///
    /// A request that has a time and tells neither `utcOffset` nor `clockChanges` goes by the clock of its first stop: by the
    /// time zones of the World where that is open, else by the machine's.
    /// - Throws: `SextantError` where a stop lies outside, or the stops lie in different atlases; `RoutingError` where no
    ///   road is near or no way leads there.
    public func route(_ request: RouteRequest) throws -> Route {
        try router(for: request.stops.map(\.coordinate)).directions(try clocked(request))
    }

    /// The cheapest way and up to `alternatives` others, as `Router.routes(_:alternatives:)` chooses them.
    ///
    /// - Throws: as `route(_:)` does.
    public func routes(_ request: RouteRequest, alternatives: Int) throws -> [Route] {
        try router(for: request.stops.map(\.coordinate)).directions(try clocked(request), alternatives: alternatives)
    }

    /// The router of the first atlas whose roads hold all the points.
    public func router(for points: [Coordinate]) throws -> Router {
        let routed = parts.filter { $0.router != nil }
        guard !routed.isEmpty else { throw SextantError.noRoads }
        let candidates = routed.filter { part in points.allSatisfy { Self.holds(part, $0) } }.compactMap(\.router)
        if candidates.count > 1 {
            // An atlas may know a place without having its roads.
            let near = candidates.first { router in
                points.allSatisfy { point in
                    (try? router.nearestRoads(to: Stop(point), count: 1, profile: .foot))?.isEmpty == false
                }
            }
            if let near { return near }
        }
        if let router = candidates.first { return router }
        for (index, point) in points.enumerated() where !routed.contains(where: { Self.holds($0, point) }) {
            throw SextantError.outsideCoverage(stop: index, of: points.count, point)
        }
        throw SextantError.differentAtlases(
            points.map { point in routed.first { Self.holds($0, point) }?.name ?? "" })
    }

    private static func holds(_ part: Part, _ point: Coordinate) -> Bool {
        if part.folder.covers(point) { return true }
        // Roads without a single name or address have no coverage of their own: their box must do.
        guard part.manifest.sources.allSatisfy({ $0.coverage.isEmpty }), let box = part.router?.graph.boundingBox else {
            return false
        }
        return box.contains(point)
    }

    // MARK: - Answers

    func asking<R>(_ index: Int, _ body: (Gazetteer) throws -> R) throws -> R {
        do {
            return try body(parts[index].gazetteer)
        } catch let error as DatabaseError where error.isDamage {
            throw AtlasError.damagedAtlas(
                file: "\(parts[index].folder.path)/\(AtlasFolder.gazetteer)", reason: error.message)
        }
    }

    private func place(_ match: GeocodeMatch, _ index: Int, _ query: GeocodeQuery) throws -> FoundPlace {
        try place(
            match.feature, index, at: match.location,
            address: asking(index) {
                try $0.address(of: match.feature, languages: query.languages, houseNumber: match.houseNumber)
            }, distance: query.near.map { match.location.distance(to: $0) }, quality: match.quality,
            crossing: match.crossing, languages: query.languages)
    }

    func place(
        _ feature: Feature, _ index: Int, at coordinate: Coordinate, address: AddressParts? = nil,
        distance: Double? = nil,
        quality: MatchQuality? = nil, crossing: Feature? = nil, languages: [String]
    ) throws -> FoundPlace {
        let address = try address ?? asking(index) { try $0.address(of: feature, languages: languages) }
        var feature = feature
        var name: String?
        if feature.kind != .address, feature.kind != .interpolation {
            // The address says it already, but for what it has another word for.
            name = address.parts.first { $0.feature == feature.id }?.name ?? feature.name(in: languages)
        }
        var written: AddressParts?
        if let first = name, let second = crossing?.name(in: languages) {
            name = "\(first) / \(second)"
            // The name says both streets; the crossing is no longer than they are wide.
            var parts = address
            parts.parts.removeAll { $0.feature == feature.id }
            written = parts
            feature.boundingBox = BoundingBox(around: coordinate, metres: Self.reachOfCrossing)
        }
        return FoundPlace(
            atlasIndex: index, feature: feature, coordinate: coordinate, name: name, address: address,
            writtenAddress: written, formatter: formatter, distance: distance, quality: quality,
            source: parts[index].sources[feature.source]
                ?? GazetteerSource(name: parts[index].name, licence: "", attribution: ""))
    }

    /// The matches of the atlases in one order (`MergedMatches`).
    private func merged(_ lists: [[GeocodeMatch]], _ query: GeocodeQuery) throws -> [FoundPlace] {
        let merged = MergedMatches(query, normalizer: normalizer).merged(lists) { parts[$0].isWorld }
        return try merged.prefix(max(query.limit, 0)).map { try place($0.match, $0.gazetteer, query) }
    }

    /// The town that a considered place lies in, or the country of a town.
    private func surroundings(of candidate: GeocodeExplanation.Candidate, _ index: Int, _ query: GeocodeQuery) throws
        -> String?
    {
        guard let feature = try asking(index, { try $0.feature(id: candidate.feature) }) else { return nil }
        let address = try asking(index) { try $0.address(of: feature, languages: query.languages) }
        let around = (1...17).contains(feature.rank) ? address.country : address.city ?? address.country
        return around == feature.name(in: query.languages) ? nil : around
    }
}

/// What a forward search found.
public struct FoundPlaces: Sendable {
    /// Best first.
    public var places: [FoundPlace] = []
    /// Where nothing was found: the word that no place explains.
    public var unmatchedToken: String?
    /// Whether some name of an atlas holds that word, if not together with the others.
    public var isUnmatchedTokenKnown = false
    /// Coarser places that fit all but that word.
    public var nearMisses: [FoundPlace] = []
    /// How each of the atlases came to its answer, where the query asks for it (`GeocodeQuery.explains`).
    public var explanations: [AtlasExplanation] = []

    public init(places: [FoundPlace] = [], unmatchedToken: String? = nil, nearMisses: [FoundPlace] = []) {
        self.places = places
        self.unmatchedToken = unmatchedToken
        self.nearMisses = nearMisses
    }
}

/// What one of several atlases has to say of its answer.
public struct AtlasExplanation: Sendable, Equatable {
    /// The atlas's name.
    public var atlas: String
    public var explanation: GeocodeExplanation
}

/// What keeps a question from being answered, besides the errors of the atlases and of the router.
public enum SextantError: Error, Equatable, CustomStringConvertible {
    case noAtlas
    /// None of the atlases has roads.
    case noRoads
    /// The stop (counted from 0) lies where no atlas has roads.
    case outsideCoverage(stop: Int, of: Int, Coordinate)
    /// Each stop is covered, but not all by one atlas; their names by stop.
    case differentAtlases([String])

    public var description: String {
        switch self {
        case .noAtlas: "no atlas was named"
        case .noRoads: "no atlas with roads is open"
        case .outsideCoverage(let stop, let count, let point):
            "\(Self.end(stop, of: count)) (\(point)) lies outside the atlas"
        case .differentAtlases(let names):
            "the ends lie in different atlases (\(names.joined(separator: ", "))); a route needs one that holds both"
        }
    }

    static func end(_ stop: Int, of count: Int) -> String {
        stop == 0 ? "the start" : stop == count - 1 ? "the destination" : "stop \(stop + 1)"
    }
}

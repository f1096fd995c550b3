import Foundation
import Geometry
import OpenStreetMap
import Locking

/// An open `gazetteer.sqlite`: reads features, addresses and the places around them. Safe from many threads at once.
public final class Gazetteer: Sendable {
    /// Where the file lies.
    public let path: String

    private let pool: ConnectionPool
    let cache = PlaceCache()
    private let knowledge = Mutex<GazetteerText?>(nil)
    let completing = Mutex<CompletionKnowledge?>(nil)
    private let knownSources = Mutex<[Int64: GazetteerSource]?>(nil)

    /// Opens the database read-only. Throws for a file that is missing, damaged, or of another format version.
    public init(path: String, maximumConnections: Int = 16) throws {
        self.path = path
        pool = ConnectionPool(path: path, limit: max(1, maximumConnections))
        try pool.withDatabase { database in
            let application = try database.prepare("PRAGMA application_id")
            let version = try database.prepare("PRAGMA user_version")
            guard try application.step(), application.int(0) == Schema.applicationID, try version.step() else {
                throw DatabaseError(code: 26, message: "not a gazetteer", subject: path)
            }
            guard version.int(0) == Schema.version else {
                throw DatabaseError(
                    code: 1, message: "gazetteer of format \(version.int(0)), this program reads \(Schema.version)",
                    subject: path)
            }
            try Self.refuseViews(database, path: path)
            try GazetteerText.checkVersion(database, path: path)
        }
    }

    /// A crafted file may hold a view in the place of a table, whose rows never end.
    private static func refuseViews(_ database: Database, path: String) throws {
        let views = try database.prepare(
            """
            SELECT name FROM sqlite_master WHERE type = 'view' AND (lower(name) LIKE 'idx%' OR lower(name) LIKE 'map%'
              OR lower(name) IN ('source', 'feature', 'context', 'also_in', 'address_number', 'interpolation', 'street_way',
                'area', 'area_part', 'building', 'feature_category', 'setting', 'name', 'name_text', 'written', 'completion',
                'completion_text', 'completion_near', 'vocabulary')) LIMIT 1
            """)
        if try views.step() {
            throw DatabaseError(code: 11, message: "\"\(views.text(0) ?? "")\" is a view, not a table", subject: path)
        }
    }

    /// Runs `body` with a connection of its own. Waits where all connections are busy; a thread that holds one already
    /// never waits for a second.
    public func withDatabase<R>(_ body: (Database) throws -> R) throws -> R {
        try pool.withDatabase(body)
    }

    /// The atlas's lexicons, read once when first asked for.
    func text(_ database: Database) throws -> GazetteerText {
        try knowledge.withLock { known in
            if let known { return known }
            let made = try GazetteerText(database: database, path: path)
            known = made
            return made
        }
    }

    /// Where the feature's data comes from, with its licence and attribution; nil for one of no known source.
    public func source(of feature: Feature) throws -> GazetteerSource? {
        if let known = knownSources.withLock({ $0 }) { return known[feature.source] }
        let sources = try withDatabase { database in
            var sources: [Int64: GazetteerSource] = [:]
            let rows = try database.prepare("SELECT id, name, licence, attribution FROM source")
            while try rows.step() {
                sources[rows.int64(0)] = GazetteerSource(
                    name: rows.text(1) ?? "", licence: rows.text(2) ?? "", attribution: rows.text(3) ?? "")
            }
            return sources
        }
        knownSources.withLock { $0 = sources }
        return sources[feature.source]
    }

    /// The feature with this number.
    public func feature(id: Int64) throws -> Feature? {
        try withDatabase { database in
            let statement = try database.statement("SELECT \(Feature.columns) FROM feature f WHERE f.id = ?1")
            statement.bind(1, id)
            defer { statement.reset() }
            return try statement.step() ? Feature(row: statement) : nil
        }
    }

    /// The feature made from this object. A way that was merged into a street gives that street. A building without a name or
    /// an address is told with the street nearest to it; its `id` is negative, and it has no row of its own.
    public func feature(osm: OSMID) throws -> Feature? {
        try withDatabase { database in
            let statement = try database.statement(
                "SELECT \(Feature.columns) FROM feature f WHERE f.osm_id = ?1 AND f.osm_type = ?2 ORDER BY f.id LIMIT 1"
            )
            statement.bind(1, osm.number)
            statement.bind(2, osm.type.letter)
            defer { statement.reset() }
            if try statement.step() { return try Feature(row: statement) }
            if osm.type == .node {
                // A place node that is one with a boundary.
                let linked = try database.statement("SELECT feature FROM linked_place WHERE osm_id = ?1 LIMIT 1")
                linked.bind(1, osm.number)
                defer { linked.reset() }
                return try linked.step() ? feature(id: linked.int64(0)) : nil
            }
            guard osm.type == .way else { return nil }
            let merged = try database.statement("SELECT feature FROM street_way WHERE osm_id = ?1 LIMIT 1")
            merged.bind(1, osm.number)
            defer { merged.reset() }
            guard try merged.step() else { return try building(way: osm.number, database) }
            return try feature(id: merged.int64(0))
        }
    }

    private func building(way: Int64, _ database: Database) throws -> Feature? {
        let statement = try database.statement("SELECT type, lon, lat FROM building WHERE way = ?1")
        defer { statement.reset() }
        statement.bind(1, way)
        guard try statement.step(), let type = statement.text(0) else { return nil }
        let location = Coordinate(latitude: statement.double(2), longitude: statement.double(1))
        let street = try reverse(location, options: ReverseOptions(layers: .streets))?.feature
        return Feature(
            id: -way, source: 1, osm: OSMID(.way, way), sourceNumber: nil, kind: .pointOfInterest,
            category: "building", type: type, rank: 30, searchRank: 30, adminLevel: nil, name: nil, houseNumber: nil,
            postcode: nil, country: street?.country, parent: street?.id, context: street?.context, importance: 0,
            population: nil, boundingBox: BoundingBox(location), location: location, tags: ["building": type])
    }

    /// The places of a context, finest first. Kept in memory once read.
    public func places(ofContext context: Int64) throws -> [Place] {
        if let known = cache.context(context) { return known }
        let places = try withDatabase { database -> [Place] in
            let statement = try database.statement("SELECT places FROM context WHERE id = ?1")
            statement.bind(1, context)
            defer { statement.reset() }
            guard try statement.step(), let list = statement.text(0) else { return [] }
            return try identifiers(inList: list).compactMap { try place($0) }
        }
        cache.keep(places, context: context)
        return places
    }

    /// One place (or street) as it stands in addresses. Kept in memory once read.
    public func place(_ id: Int64) throws -> Place? {
        if let known = cache.place(id) { return known }
        guard let feature = try feature(id: id) else { return nil }
        let place = Place(feature)
        cache.keep(place)
        return place
    }

    private func identifiers(inList list: String) -> [Int64] {
        list.split { !$0.isNumber && $0 != "-" }.compactMap { Int64($0) }
    }
}

/// A containing place or a street: what addresses need of it.
public struct Place: Sendable, Equatable, Identifiable {
    public var id: Int64
    public var kind: FeatureKind
    public var category: String
    public var type: String
    public var rank: Int
    public var country: String?
    public var postcode: String?
    public var osm: OSMID?
    public var location: Coordinate
    public var importance: Double
    /// All kept tags, names in every language among them.
    public var tags: Tags
    /// What it is called in an address: `city`, `suburb`, `road` ...
    public var label: String
    /// Whether it has an outline, rather than a point alone.
    public var isArea: Bool
    /// The area of its bounding box in square degrees.
    var size: Double
    /// Its name where no language is asked for.
    private let plainName: String?

    /// Whether it is a street with an extent: a square, or a pedestrian area.
    var isSquare: Bool { kind == .street && (category == "place" || tags["area"] == "yes") }

    /// For sorting finest first with postcode areas last.
    var sortRank: Int { kind == .postcode ? -1 : rank }

    init(_ feature: Feature) {
        id = feature.id
        kind = feature.kind
        category = feature.category
        type = feature.type
        rank = feature.rank
        country = feature.country
        postcode = feature.postcode
        osm = feature.osm
        location = feature.location
        importance = feature.importance
        tags = feature.tags
        plainName = Names.best(of: feature.tags, languages: [])
        let box = feature.boundingBox
        size = (box.east - box.west) * (box.north - box.south)
        isArea = size > 0 && feature.kind != .street
        label = AddressParts.label(
            category: feature.category, type: feature.type, rank: feature.rank, tags: feature.tags,
            country: feature.country)
    }

    /// The best name for readers of these languages. Countries are named in every language, whatever the source knows.
    public func name(in languages: [String]) -> String? {
        if languages.isEmpty { return plainName }
        if rank == 4, let country {
            for language in languages {
                if let name = Names.localized(tags, language: language) { return name }
                if let name = CountryNames.localized(country, language: language) { return name }
            }
        }
        return Names.best(of: tags, languages: languages)
    }
}

/// Places and contexts that were read before. Bounded: emptied when full.
final class PlaceCache: @unchecked Sendable {
    private let lock = NSLock()
    private var places: [Int64: Place] = [:]
    private var contexts: [Int64: [Place]] = [:]
    private var ends: [Key: AddressEnd] = [:]
    private var streets: [Key: AddressStreet] = [:]

    /// A context or street as readers of some languages see it.
    struct Key: Hashable {
        var id: Int64
        var languages: [String]
    }

    func place(_ id: Int64) -> Place? { lock.withLock { places[id] } }
    func context(_ id: Int64) -> [Place]? { lock.withLock { contexts[id] } }

    func end(_ key: Key) -> AddressEnd? { lock.withLock { ends[key] } }
    func street(_ key: Key) -> AddressStreet? { lock.withLock { streets[key] } }

    func keep(_ end: AddressEnd, _ key: Key) {
        lock.withLock {
            if ends.count >= 20_000 { ends.removeAll() }
            ends[key] = end
        }
    }

    func keep(_ street: AddressStreet, _ key: Key) {
        lock.withLock {
            if streets.count >= 20_000 { streets.removeAll() }
            streets[key] = street
        }
    }

    func keep(_ place: Place) {
        lock.withLock {
            if places.count >= 20_000 { places.removeAll() }
            places[place.id] = place
        }
    }

    func keep(_ list: [Place], context: Int64) {
        lock.withLock {
            if contexts.count >= 20_000 { contexts.removeAll() }
            contexts[context] = list
        }
    }
}

/// Read-only connections, at most `limit` in use at once (but for a thread that holds one and asks for another).
private final class ConnectionPool: @unchecked Sendable {
    private let path: String
    private let limit: Int
    private let condition = NSCondition()
    private var idle: [Database] = []
    private var inUse = 0
    /// Threads that hold connections, with how many.
    private var holders: [UInt: Int] = [:]

    init(path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    func withDatabase<R>(_ body: (Database) throws -> R) throws -> R {
        let database = try take()
        defer { giveBack(database) }
        return try body(database)
    }

    private func take() throws -> Database {
        let thread = UInt(pthread_self())
        condition.lock()
        while inUse >= limit, holders[thread] == nil { condition.wait() }
        inUse += 1
        holders[thread, default: 0] += 1
        let known = idle.popLast()
        condition.unlock()
        if let known { return known }
        do {
            let made = try Database(path: path, readOnly: true)
            try made.execute("PRAGMA mmap_size = 2147418112; PRAGMA cache_size = -4000; PRAGMA query_only = 1")
            return made
        } catch {
            release(thread)
            throw error
        }
    }

    private func giveBack(_ database: Database) {
        let thread = UInt(pthread_self())
        condition.lock()
        if idle.count < limit { idle.append(database) }
        condition.unlock()
        release(thread)
    }

    private func release(_ thread: UInt) {
        condition.lock()
        inUse -= 1
        if let count = holders[thread] { holders[thread] = count > 1 ? count - 1 : nil }
        condition.signal()
        condition.unlock()
    }
}

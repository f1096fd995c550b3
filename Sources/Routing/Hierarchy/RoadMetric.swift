import OpenStreetMap

/// What one profile's ways cost over the hierarchy of a road graph, so that a search knows from every vertex what remains.
///
///     let metric = try graph.metric(for: .bicycle)
///     try metric.write(to: "Monaco.atlas/metrics/bicycle.metric")
///     let router = try Router(graph: graph, metrics: [metric])
///
/// It knows edges, and of turns what every way pays (`TurnFloors`): no restrictions, no times of day, all of which make a way
/// dearer and never cheaper.
/// Arcs have two weights. For the *open* ones roads for those with business there are closed, as on a way's middle they are;
/// for the *free* ones they are open, for the few ways that lead nowhere else. With neither is there a way through a barrier.
/// Most arcs have the same: the free weight is kept where it differs.
///
/// **The file** has the form of `RoadGraph`, begins with "SXMETRIC", and holds the sections listed at `MetricSectionID`. Its
/// version rises with any change of meaning. It belongs to the one graph that bears its atlas id.
///
/// A metric of wishes holds besides what the wishes make of the profile's roads (`WishedArrays`): the search reads these
/// in place of the graph's own.
public final class RoadMetric: Sendable {
    public static let formatVersion: UInt32 = 3

    static let form = SectionFile.Form(
        magic: Array("SXMETRIC".utf8), version: formatVersion, kind: "a metric", kinds: "metrics")

    /// Whose costs these are.
    public let profile: Profile
    let storage: GraphStorage
    /// Arcs to higher ranks, by their lower ends, and arcs from higher ranks.
    let up: MetricArcs
    let down: MetricArcs
    let leaving: Section<UInt16>
    /// The profile and the wishes in words (`RoadNetwork.key`).
    let key: String
    /// Nil where nothing is wished.
    let wished: WishedArrays?
    /// How many of the wished speeds are of pieces of road that the graph has.
    public let matchedSpeeds: Int
    private let table: [TableEntry]
    /// What messages call the file.
    let name: String

    init(storage: GraphStorage, name: String) throws(RoutingError) {
        self.storage = storage
        self.name = name
        table = try SectionFile.table(of: storage, form: Self.form, name: name)
        let reader = SectionReader(bytes: storage.bytes, table: table, name: name)
        let facts: Section<UInt32> = try reader.section(MetricSectionID.facts.rawValue, count: 4)
        guard facts.base[0] <= UInt8.max, let profile = Profile(rawValue: UInt8(facts.base[0])) else {
            throw .damagedAtlas(file: name, reason: "it belongs to no profile")
        }
        self.profile = profile
        matchedSpeeds = Int(facts.base[3])
        let vertexCount = Int(facts.base[1])
        let words: Section<UInt8> = try reader.section(MetricSectionID.wishes.rawValue)
        key = String(decoding: words.elements, as: UTF8.self)
        wished =
            words.count > 0
            ? try WishedArrays(reader, vertexCount: vertexCount, edgeCount: Int(facts.base[2])) : nil
        leaving = try reader.section(MetricSectionID.leaving.rawValue, count: 2 * Int(facts.base[2]))
        up = try MetricArcs(reader, first: .upFirst, vertexCount: vertexCount)
        down = try MetricArcs(reader, first: .downFirst, vertexCount: vertexCount)
    }

    /// The 16 bytes that all files of an atlas share.
    public var atlasID: [UInt8] { Array(storage.bytes[16..<32]) }
    public var byteCount: Int { storage.bytes.count }
    /// Arcs that are kept, of both directions.
    public var arcCount: Int { up.arcs.count + down.arcs.count }
    var vertexCount: Int { up.first.count - 1 }
    var edgeCount: Int { leaving.count / 2 }

    func fits(_ graph: RoadGraph) -> Bool {
        atlasID == graph.atlasID && vertexCount == graph.vertexCount && edgeCount == graph.edgeCount
    }

    /// Compares every section with its checksum. Reads the whole file.
    /// - Throws: `damagedAtlas` naming the first section that differs.
    public func verify() throws(RoutingError) { try storage.verify(table, name: name) }

    /// Writes the metric to a new file and waits until it is on the disk.
    /// - Throws: `fileError`, `diskFull`; the unfinished file is removed.
    public func write(to path: String) throws(RoutingError) { try storage.write(to: path) }

    /// Maps an open file, which may be closed afterwards. Costs next to nothing.
    ///
    /// Header and table of contents are checked, the sections' contents where they are used; `verify()` checks all.
    /// - Throws: `fileError`, `damagedAtlas`, `unsupportedVersion`.
    public static func open(fileDescriptor: Int32, name: String = "metric") throws(RoutingError) -> RoadMetric {
        try RoadMetric(storage: GraphStorage.map(fileDescriptor: fileDescriptor, name: name), name: name)
    }
}

enum MetricSectionID: UInt32 {
    /// UInt32 profile, UInt32 V, UInt32 E, UInt32 wished speeds that belong to an edge
    case facts = 1
    /// 2E × UInt16 milliseconds: what turns out of a directed edge cost at least beyond what turns into the next one do
    case leaving = 3

    // For arcs to higher ranks, and from them, at 16 and 32.
    /// (V + 1) × UInt32: where the arcs of a rank begin
    case upFirst = 16
    /// { UInt32 higher rank, UInt32 milliseconds }; the highest bit of the rank tells that the free weight is another
    case upArcs = 17
    /// { UInt32 arc, UInt32 milliseconds }: the free weights that are others, by arc
    case upFree = 18
    case downFirst = 32
    case downArcs = 33
    case downFree = 34

    /// UTF-8: profile and wishes in words; empty where nothing is wished, and the rest is missing then
    case wishes = 48
    /// As the graph has them for a profile: weights, traits and parts, from here to 53
    case weights = 49
    /// 2E × UInt16 of `PackedTime`: travel
    case durations = 54
    /// V × UInt32 of `VertexFacts`
    case vertexFacts = 55
    /// As the graph has them
    case topSpeeds = 56
}

/// What wishes make of the roads of a profile.
struct WishedArrays: Sendable {
    let profile: ProfileArrays
    let vertexFacts: Section<UInt32>
    let topSpeeds: Section<Double>

    init(_ reader: SectionReader, vertexCount: Int, edgeCount: Int) throws(RoutingError) {
        profile = try ProfileArrays(
            reader, firstID: MetricSectionID.weights.rawValue, durations: MetricSectionID.durations.rawValue,
            edgeCount: edgeCount)
        vertexFacts = try reader.section(MetricSectionID.vertexFacts.rawValue, count: vertexCount)
        topSpeeds = try reader.section(MetricSectionID.topSpeeds.rawValue, count: 3)
    }
}

/// The higher end of an arc, and its open weight.
struct MetricArc {
    /// Of `rankAndMark`: the free weight is another.
    static let differs: UInt32 = 1 << 31

    fileprivate(set) var rankAndMark: UInt32
    fileprivate(set) var weight: UInt32

    var rank: UInt32 { rankAndMark & ~Self.differs }
}

struct FreeWeight {
    var arc: UInt32
    var weight: UInt32
}

/// The arcs of one direction, by their lower ends.
struct MetricArcs: Sendable {
    let first: Section<UInt32>
    let arcs: Section<MetricArc>
    private let free: Section<FreeWeight>

    init(_ reader: SectionReader, first id: MetricSectionID, vertexCount: Int) throws(RoutingError) {
        first = try reader.section(id.rawValue, count: vertexCount + 1)
        arcs = try reader.section(id.rawValue + 1)
        free = try reader.section(id.rawValue + 2)
    }

    /// The free weight of a marked arc; nil where the file is damaged.
    @inline(never)
    func freeWeight(of arc: Int) -> UInt32? {
        guard let found = free[free.firstIndex { Int($0.arc) < arc }], Int(found.arc) == arc else { return nil }
        return found.weight
    }

    /// Adds what two customisations of the same arcs need, of one direction.
    /// - Parameters:
    ///   - weights: by arc, of the open and the free customisation.
    ///   - isNeeded: whether one of them needs an arc.
    static func add(
        _ arcs: HierarchyArcs, open: [UInt32], free: [UInt32], isNeeded: (Int) -> Bool, first id: MetricSectionID,
        to writer: inout SectionWriter
    ) {
        var first: [UInt32] = [0]
        first.reserveCapacity(arcs.first.count)
        var kept: [MetricArc] = []
        var others: [FreeWeight] = []
        for rank in 0..<arcs.first.count - 1 {
            for arc in Int(arcs.first[rank])..<Int(arcs.first[rank + 1]) where isNeeded(arc) {
                var mark: UInt32 = 0
                if open[arc] != free[arc] {
                    mark = MetricArc.differs
                    others.append(FreeWeight(arc: UInt32(kept.count), weight: free[arc]))
                }
                kept.append(MetricArc(rankAndMark: arcs.heads[arc] | mark, weight: open[arc]))
            }
            first.append(UInt32(kept.count))
        }
        writer.add(id.rawValue, first)
        writer.add(id.rawValue + 1, kept)
        writer.add(id.rawValue + 2, others)
    }
}

extension RoadGraph {
    /// Customises the hierarchy for a profile, on two cores; 26 bytes an arc and what is kept while it runs.
    /// - Throws: `damagedAtlas`.
    public func metric(for profile: Profile) throws(RoutingError) -> RoadMetric {
        try metric(for: profile, over: arrays, key: "", matchedSpeeds: 0, columns: nil)
    }

    /// Customises the hierarchy for a profile with wishes, a few times the work and memory of one without.
    /// - Throws: `damagedAtlas`, `invalidRequest` for wishes without sense.
    public func metric(for profile: Profile, wishes: RoadWishes) throws(RoutingError) -> RoadMetric {
        try metric(for: profile, wishes: wishes, isAtAllHours: false)
    }

    /// - Parameter isAtAllHours: see `columns(for:wishes:isAtAllHours:)`.
    func metric(for profile: Profile, wishes: RoadWishes, isAtAllHours: Bool) throws(RoutingError) -> RoadMetric {
        if wishes.isEmpty, !isAtAllHours { return try metric(for: profile) }
        let wished = try columns(for: profile, wishes: wishes, isAtAllHours: isAtAllHours)
        var writer = SectionWriter()
        try add(wished, profile, to: &writer)
        // The same arrays in memory of their own: what is customised is the graph as the wishes see it.
        let storage = writer.finish(RoadMetric.form, atlasID: atlasID)
        let reader = SectionReader(
            bytes: storage.bytes, table: try SectionFile.table(of: storage, form: RoadMetric.form, name: name),
            name: name)
        let columns = try WishedArrays(reader, vertexCount: vertexCount, edgeCount: edgeCount)
        var arrays = self.arrays
        arrays.setProfile(profile, to: columns.profile)
        arrays.vertexFacts = columns.vertexFacts
        let metric = try metric(
            for: profile, over: arrays, key: RoadNetwork.key(profile, wishes, isAtAllHours: isAtAllHours),
            matchedSpeeds: wished.matchedSpeeds,
            columns: wished)
        return withExtendedLifetime(storage) { metric }
    }

    private func add(_ wished: WishedColumns, _ profile: Profile, to writer: inout SectionWriter) throws(RoutingError) {
        wished.columns.add(to: &writer, first: MetricSectionID.weights.rawValue)
        writer.add(
            MetricSectionID.durations.rawValue, wished.columns.durations.map { PackedTime(milliseconds: $0).bits })
        writer.add(MetricSectionID.vertexFacts.rawValue, wished.vertexFacts)
        var topSpeeds = Array(arrays.topSpeeds.elements)
        topSpeeds[Int(profile.rawValue)] = wished.columns.topSpeed
        writer.add(MetricSectionID.topSpeeds.rawValue, topSpeeds)
    }

    private func metric(
        for profile: Profile, over arrays: GraphArrays, key: String, matchedSpeeds: Int, columns wished: WishedColumns?
    ) throws(RoutingError) -> RoadMetric {
        let columns = arrays.profile(profile)
        let blocked = UInt32(profile.bit)
        let floors: TurnFloors
        let arcs: HierarchyArcs
        do {
            floors = try TurnFloors(arrays, user: profile)
            arcs = try arrays.hierarchy.arcs()
        } catch {
            throw .damagedAtlas(file: name, reason: error.reason)
        }
        let sets = concurrently(2) { set -> Result<Customisation, Customisation.Misfit> in
            Result { () throws(Customisation.Misfit) in
                var customisation = try Customisation(arrays.hierarchy, arcs, heads: arrays.heads) { directed in
                    // Whoever comes to a barrier goes back: that is no matter of this metric.
                    let tail = arrays.heads.base[directed ^ 1]
                    guard let facts = arrays.vertexFacts[tail], facts & blocked == 0 else { return .max }
                    if set == 0, columns.traits.base[directed] & EdgeTraits.restricted != 0 { return .max }
                    let weight = columns.weights.base[directed]
                    let turns = UInt32(floors.entering[directed]) + UInt32(floors.leaving[directed])
                    return weight == .max
                        ? .max : weight.addingReportingOverflow(turns).overflow ? .max : weight + turns
                }
                customisation.run()
                return customisation
            }
        }
        let (open, free): (Customisation, Customisation)
        do { (open, free) = (try sets[0].get(), try sets[1].get()) } catch {
            throw .damagedAtlas(file: name, reason: error.reason)
        }
        var writer = SectionWriter()
        writer.add(
            MetricSectionID.facts.rawValue,
            [UInt32(profile.rawValue), UInt32(vertexCount), UInt32(edgeCount), UInt32(clamping: matchedSpeeds)])
        writer.add(MetricSectionID.wishes.rawValue, Array(key.utf8))
        if let wished { try add(wished, profile, to: &writer) }
        writer.add(MetricSectionID.leaving.rawValue, floors.leaving)
        MetricArcs.add(
            arcs, open: open.up, free: free.up, isNeeded: { (open.isNeeded[$0] | free.isNeeded[$0]) & 1 != 0 },
            first: .upFirst, to: &writer)
        MetricArcs.add(
            arcs, open: open.down, free: free.down, isNeeded: { (open.isNeeded[$0] | free.isNeeded[$0]) & 2 != 0 },
            first: .downFirst, to: &writer)
        return try RoadMetric(
            storage: writer.finish(RoadMetric.form, atlasID: atlasID), name: "the metric of \(profile)")
    }
}

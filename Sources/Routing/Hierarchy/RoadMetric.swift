import OpenStreetMap

/// What one profile's ways cost over the hierarchy of a road graph, so that a search knows from every vertex what remains.
///
///     let metric = try graph.metric(for: .bicycle)
///     try metric.write(to: "Monaco.atlas/metrics/bicycle.metric")
///     let router = try Router(graph: graph, metrics: [metric])
///
/// It knows edges, and of turns what every way pays (`TurnFloors`): no restrictions, no times of day, all of which make a way
/// dearer and never cheaper.
/// Two sets of arcs are kept. On the *open* one roads for those with business there are closed, as on a way's middle they
/// are; on the *free* one they are open, for the few ways that lead nowhere else. On neither is there a way through a
/// barrier.
///
/// **The file** has the form of `RoadGraph`, begins with "SXMETRIC", and holds the sections listed at `MetricSectionID`. Its
/// version rises with any change of meaning. It belongs to the one graph that bears its atlas id.
///
/// A metric of wishes holds besides what the wishes make of the profile's roads (`WishedArrays`): the search reads these
/// in place of the graph's own.
public final class RoadMetric: Sendable {
    public static let formatVersion: UInt32 = 2

    static let form = SectionFile.Form(
        magic: Array("SXMETRIC".utf8), version: formatVersion, kind: "a metric", kinds: "metrics")

    /// Whose costs these are.
    public let profile: Profile
    let storage: GraphStorage
    let open: MetricGraph
    let free: MetricGraph
    let entering: Section<UInt16>
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
        entering = try reader.section(MetricSectionID.entering.rawValue, count: 2 * Int(facts.base[2]))
        leaving = try reader.section(MetricSectionID.leaving.rawValue, count: 2 * Int(facts.base[2]))
        open = try MetricGraph(reader, first: .openUpFirst, vertexCount: vertexCount)
        free = try MetricGraph(reader, first: .freeUpFirst, vertexCount: vertexCount)
    }

    /// The 16 bytes that all files of an atlas share.
    public var atlasID: [UInt8] { Array(storage.bytes[16..<32]) }
    public var byteCount: Int { storage.bytes.count }
    /// Arcs that are kept, of both sets and both directions.
    public var arcCount: Int {
        open.upArcs.count + open.downArcs.count + free.upArcs.count + free.downArcs.count
    }
    var vertexCount: Int { open.upFirst.count - 1 }
    var edgeCount: Int { entering.count / 2 }

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
    /// 2E × UInt16 milliseconds: what turns into a directed edge cost at least
    case entering = 2
    /// 2E × UInt16 milliseconds: what turns out of a directed edge cost at least beyond that
    case leaving = 3

    // For each set of arcs, at 16 and 32.
    /// (V + 1) × UInt32: where the arcs up from a rank begin
    case openUpFirst = 16
    /// { UInt32 rank, UInt32 milliseconds }: to a higher rank, and what going there costs
    case openUpArcs = 17
    /// (V + 1) × UInt32: where the arcs down to a rank begin
    case openDownFirst = 18
    /// { UInt32 rank, UInt32 milliseconds }: from a higher rank, and what coming from there costs
    case openDownArcs = 19
    case freeUpFirst = 32
    case freeUpArcs = 33
    case freeDownFirst = 34
    case freeDownArcs = 35

    /// UTF-8: profile and wishes in words; empty where nothing is wished, and the rest is missing then
    case wishes = 48
    /// As the graph has them for a profile, and V vertex facts, and three top speeds.
    case weights = 49
    case durations = 50
    case traits = 51
    case components = 52
    case componentSizes = 53
    case vertexFacts = 54
    case topSpeeds = 55
}

/// What wishes make of the roads of a profile.
struct WishedArrays: Sendable {
    let profile: ProfileArrays
    let vertexFacts: Section<UInt32>
    let topSpeeds: Section<Double>

    init(_ reader: SectionReader, vertexCount: Int, edgeCount: Int) throws(RoutingError) {
        profile = try ProfileArrays(reader, firstID: MetricSectionID.weights.rawValue, edgeCount: edgeCount)
        vertexFacts = try reader.section(MetricSectionID.vertexFacts.rawValue, count: vertexCount)
        topSpeeds = try reader.section(MetricSectionID.topSpeeds.rawValue, count: 3)
    }
}

struct MetricArc {
    var rank: UInt32
    var weight: UInt32
}

/// Arcs of one direction while they are made.
struct MetricArcs: Sendable {
    var first: [UInt32] = []
    var arcs: [MetricArc] = []
}

/// One set of arcs by their lower ends.
struct MetricGraph: Sendable {
    let upFirst: Section<UInt32>
    let upArcs: Section<MetricArc>
    let downFirst: Section<UInt32>
    let downArcs: Section<MetricArc>

    init(_ reader: SectionReader, first: MetricSectionID, vertexCount: Int) throws(RoutingError) {
        upFirst = try reader.section(first.rawValue, count: vertexCount + 1)
        upArcs = try reader.section(first.rawValue + 1)
        downFirst = try reader.section(first.rawValue + 2, count: vertexCount + 1)
        downArcs = try reader.section(first.rawValue + 3)
    }
}

extension RoadGraph {
    /// Customises the hierarchy for a profile, on two cores; 16 bytes an arc and what is kept while it runs.
    /// - Throws: `damagedAtlas`.
    public func metric(for profile: Profile) throws(RoutingError) -> RoadMetric {
        try metric(for: profile, over: arrays, key: "", matchedSpeeds: 0, columns: nil)
    }

    /// Customises the hierarchy for a profile with wishes, a few times the work and memory of one without.
    /// - Throws: `damagedAtlas`, `invalidRequest` for wishes without sense.
    public func metric(for profile: Profile, wishes: RoadWishes) throws(RoutingError) -> RoadMetric {
        if wishes.isEmpty { return try metric(for: profile) }
        let wished = try columns(for: profile, wishes: wishes)
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
            for: profile, over: arrays, key: RoadNetwork.key(profile, wishes), matchedSpeeds: wished.matchedSpeeds,
            columns: wished)
        return withExtendedLifetime(storage) { metric }
    }

    private func add(_ wished: WishedColumns, _ profile: Profile, to writer: inout SectionWriter) throws(RoutingError) {
        writer.add(MetricSectionID.weights.rawValue, wished.columns.weights)
        writer.add(MetricSectionID.durations.rawValue, wished.columns.durations)
        writer.add(MetricSectionID.traits.rawValue, wished.columns.traits)
        writer.add(MetricSectionID.components.rawValue, wished.columns.components)
        writer.add(MetricSectionID.componentSizes.rawValue, wished.columns.componentSizes)
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
        do { floors = try TurnFloors(arrays, user: profile) } catch {
            throw .damagedAtlas(file: name, reason: error.reason)
        }
        let sets = concurrently(2) { set -> Result<(up: MetricArcs, down: MetricArcs), Customisation.Misfit> in
            Result { () throws(Customisation.Misfit) in
                var customisation = try Customisation(arrays.hierarchy, heads: arrays.heads) { directed in
                    // Whoever comes to a barrier goes back: that is no matter of this metric.
                    let tail = arrays.heads.base[directed ^ 1]
                    guard let facts = arrays.vertexFacts[tail], facts & blocked == 0 else { return .max }
                    if set == 0, columns.traits.base[directed] & EdgeTraits.restricted != 0 { return .max }
                    let weight = columns.weights.base[directed]
                    let turns = UInt32(floors.entering[directed]) + UInt32(floors.leaving[directed])
                    return weight == .max
                        ? .max : weight.addingReportingOverflow(turns).overflow ? .max : weight + turns
                }
                return customisation.run()
            }
        }
        var writer = SectionWriter()
        writer.add(
            MetricSectionID.facts.rawValue,
            [UInt32(profile.rawValue), UInt32(vertexCount), UInt32(edgeCount), UInt32(clamping: matchedSpeeds)])
        writer.add(MetricSectionID.wishes.rawValue, Array(key.utf8))
        if let wished { try add(wished, profile, to: &writer) }
        writer.add(MetricSectionID.entering.rawValue, floors.entering)
        writer.add(MetricSectionID.leaving.rawValue, floors.leaving)
        for (first, set) in zip([MetricSectionID.openUpFirst, .freeUpFirst], sets) {
            let (up, down): (MetricArcs, MetricArcs)
            do { (up, down) = try set.get() } catch { throw .damagedAtlas(file: name, reason: error.reason) }
            writer.add(first.rawValue, up.first)
            writer.add(first.rawValue + 1, up.arcs)
            writer.add(first.rawValue + 2, down.first)
            writer.add(first.rawValue + 3, down.arcs)
        }
        return try RoadMetric(
            storage: writer.finish(RoadMetric.form, atlasID: atlasID), name: "the metric of \(profile)")
    }
}

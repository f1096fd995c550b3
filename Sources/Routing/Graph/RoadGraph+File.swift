import OpenStreetMap

import Glibc

extension RoadGraph {
    static let form = SectionFile.Form(
        magic: Array("SXROADS\n".utf8), version: formatVersion, kind: "a road graph", kinds: "road graphs")

    /// Maps a file that `write(to:)` made. Costs next to nothing: pages are read when a route touches them.
    ///
    /// Header and table of contents are checked, the sections' contents where they are used; `verify()` checks all.
    /// - Throws: `fileError`, `damagedAtlas`, `unsupportedVersion`.
    public static func open(path: String) throws(RoutingError) -> RoadGraph {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fileError(file: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        return try open(fileDescriptor: descriptor, name: path)
    }

    /// Maps an open file; the descriptor may be closed afterwards.
    public static func open(fileDescriptor: Int32, name: String = "roads.graph") throws(RoutingError) -> RoadGraph {
        try RoadGraph(storage: GraphStorage.map(fileDescriptor: fileDescriptor, name: name), name: name)
    }

    /// Writes the graph to a new file and waits until it is on the disk.
    /// - Throws: `fileError`, `diskFull`; the unfinished file is removed.
    public func write(to path: String) throws(RoutingError) { try storage.write(to: path) }

    /// Compares every section with its checksum. Reads the whole file.
    /// - Throws: `damagedAtlas` naming the first section that differs.
    public func verify() throws(RoutingError) { try storage.verify(arrays.table, name: name) }
}

/// The sections of a graph as typed views, with sizes that fit together.
///
/// What the sections hold is not checked here: a number read from one must be compared with the size of the section that
/// it points into before it is used.
struct GraphArrays: Sendable {
    let table: [TableEntry]

    let vertices: Section<GraphVertex>
    var vertexFacts: Section<UInt32>
    let vertexNames: Section<VertexName>
    let firstLeaving: Section<UInt32>
    let leaving: Section<UInt32>
    let heads: Section<UInt32>
    let edgeWays: Section<UInt32>
    let shapes: EdgeShapes
    let bearings: Section<UInt16>
    let arrivals: Section<UInt8>
    let ways: WaySection
    let attributes: Section<AttributeRecord>
    let firstStringByte: Section<UInt32>
    let stringBytes: Section<UInt8>
    let tree: PackedTree
    let ruledStates: Section<UInt32>
    let firstRule: Section<UInt32>
    let rules: Section<TurnRule>
    let stateEdges: Section<UInt32>
    let conditions: Section<UInt32>
    var topSpeeds: Section<Double>
    let limits: Section<LimitRecord>
    let wayLimits: Section<WayLimits>
    let vertexLimits: Section<VertexLimits>
    let times: TimeSections
    let barriers: Section<VertexBarrier>
    let closedWays: Section<ClosedWay>
    var car: ProfileArrays
    var bicycle: ProfileArrays
    var foot: ProfileArrays
    let hierarchy: Hierarchy

    func profile(_ user: RoadUser) -> ProfileArrays {
        switch user {
        case .car: car
        case .bicycle: bicycle
        case .foot: foot
        }
    }

    mutating func setProfile(_ user: RoadUser, to arrays: ProfileArrays) {
        switch user {
        case .car: car = arrays
        case .bicycle: bicycle = arrays
        case .foot: foot = arrays
        }
    }

    init(storage: GraphStorage, name: String) throws(RoutingError) {
        func damaged(_ reason: String) -> RoutingError { .damagedAtlas(file: name, reason: reason) }
        table = try SectionFile.table(of: storage, form: RoadGraph.form, name: name)
        let reader = SectionReader(bytes: storage.bytes, table: table, name: name)
        vertices = try reader.section(.vertices)
        let vertexCount = vertices.count
        vertexFacts = try reader.section(.vertexFacts, count: vertexCount)
        vertexNames = try reader.section(.vertexNames)
        firstLeaving = try reader.section(.firstLeaving, count: vertexCount + 1)
        edgeWays = try reader.section(.edgeWays)
        let edgeCount = edgeWays.count
        guard edgeCount < Int(UInt32.max) / 4 else { throw damaged("it has more edges than can be") }
        leaving = try reader.section(.leaving, count: 2 * edgeCount)
        heads = try reader.section(.heads, count: 2 * edgeCount)
        shapes = EdgeShapes(
            first: try reader.section(.firstShapeByte, count: edgeCount + 1), bytes: try reader.section(.shapeBytes))
        bearings = try reader.section(.bearings, count: 2 * edgeCount)
        arrivals = try reader.section(.arrivals, count: 2 * edgeCount)
        ways = try WaySection(reader)
        attributes = try reader.section(.attributes)
        firstStringByte = try reader.section(.firstStringByte)
        stringBytes = try reader.section(.stringBytes)
        tree = try PackedTree(reader)
        stateEdges = try reader.section(.stateEdges)
        ruledStates = try reader.section(.ruledStates)
        firstRule = try reader.section(.firstRule, count: ruledStates.count + 1)
        rules = try reader.section(.rules)
        conditions = try reader.section(.conditions)
        topSpeeds = try reader.section(.topSpeeds, count: 3)
        limits = try reader.section(.limits)
        wayLimits = try reader.section(.wayLimits)
        vertexLimits = try reader.section(.vertexLimits)
        times = try TimeSections(reader)
        barriers = try reader.section(.barriers)
        closedWays = try reader.section(.closedWays)
        car = try ProfileArrays(reader, first: .carWeights, edgeCount: edgeCount)
        bicycle = try ProfileArrays(reader, first: .bicycleWeights, edgeCount: edgeCount)
        foot = try ProfileArrays(reader, first: .footWeights, edgeCount: edgeCount)
        hierarchy = Hierarchy(
            ranks: try reader.section(.ranks, count: vertexCount), arcBytes: try reader.section(.arcBytes),
            parents: try reader.section(.parents, count: vertexCount))
    }

    /// Where a state's rules lie in `rules`; empty where it has none, nil where the file is damaged.
    ///
    /// Costs a binary search: edges that have rules are marked (`ArrivalFacts.rules`), others need not be asked about.
    func rules(of state: UInt32) -> Range<Int>? {
        let index = ruledStates.firstIndex { $0 < state }
        guard ruledStates[index] == state else { return 0..<0 }
        let (begin, end) = (Int(firstRule.base[index]), Int(firstRule.base[index + 1]))
        guard begin <= end, end <= rules.count else { return nil }
        return begin..<end
    }

    /// Milliseconds that a directed edge takes; `.max` where it is closed, nil where the file is damaged.
    func duration(of directed: UInt32, _ user: RoadUser) -> UInt32? {
        let profile = profile(user)
        if let durations = profile.durations { return durations[directed] }
        guard let weight = profile.weights[directed] else { return nil }
        if weight == .max { return .max }
        guard let way = edgeWays[directed >> 1], let factor = ways.factor(way, user, isForward: directed & 1 == 0),
            factor >= 256
        else { return nil }
        return WayFactors.duration(weight, factor)
    }
}

/// What depends on the time.
struct TimeSections: Sendable {
    let edges: Section<TimedEdge>
    let variants: Section<TimedVariant>
    let firstCondition: Section<UInt32>
    let conditions: Section<UInt32>
    let vertices: Section<TimedVertex>
    let vertexVariants: Section<UInt8>

    init(_ reader: SectionReader) throws(RoutingError) {
        edges = try reader.section(.timedEdges)
        variants = try reader.section(.timedVariants)
        firstCondition = try reader.section(.firstSetCondition)
        conditions = try reader.section(.setConditions)
        vertices = try reader.section(.timedVertices)
        vertexVariants = try reader.section(.vertexVariants)
    }
}

/// The sections of one profile.
struct ProfileArrays: Sendable {
    let weights: TimeSection
    /// Where they do not follow from the weights (`GraphArrays.duration(of:_:)`).
    let durations: TimeSection?
    let traits: Section<UInt8>
    let parts: RoadParts

    init(_ reader: SectionReader, first: SectionID, edgeCount: Int) throws(RoutingError) {
        try self.init(reader, firstID: first.rawValue, durations: nil, edgeCount: edgeCount)
    }

    /// - Parameters:
    ///   - first: the section of the weights, behind which the others lie.
    ///   - durations: the section of the durations.
    init(_ reader: SectionReader, firstID first: UInt32, durations: UInt32?, edgeCount: Int) throws(RoutingError) {
        weights = TimeSection(try reader.section(first, count: 2 * edgeCount))
        if let durations {
            self.durations = TimeSection(try reader.section(durations, count: 2 * edgeCount))
        } else {
            self.durations = nil
        }
        traits = try reader.section(first + 1, count: 2 * edgeCount)
        let edges: Section<UInt32> = try reader.section(first + 2)
        parts = RoadParts(
            edges: edges, numbers: try reader.section(first + 3, count: edges.count),
            sizes: try reader.section(first + 4))
    }
}

/// The strongly connected parts of a profile's directed edges. Most edges are in the largest, which is not written down.
struct RoadParts: Sendable {
    /// Those in other parts, in rising order.
    fileprivate let edges: Section<UInt32>
    fileprivate let numbers: Section<UInt32>
    /// How many directed edges each part has, the largest first.
    private let sizes: Section<UInt32>

    fileprivate init(edges: Section<UInt32>, numbers: Section<UInt32>, sizes: Section<UInt32>) {
        self.edges = edges
        self.numbers = numbers
        self.sizes = sizes
    }

    /// Directed edges in the largest part.
    var largest: Int { sizes[0].map { Int($0) } ?? 0 }

    /// The part of an open directed edge: 0 is the largest.
    func part(of directed: UInt32) -> UInt32 {
        let index = edges.firstIndex { $0 < directed }
        return edges[index] == directed ? numbers.base[index] : 0
    }

    /// How many directed edges the part of an open one has; nil where the file is damaged.
    func size(around directed: UInt32) -> Int? { sizes[part(of: directed)].map { Int($0) } }
}

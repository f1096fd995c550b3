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
    let firstPoint: Section<UInt32>
    let points: Section<FixedPoint>
    let pointNodes: Section<Int64>
    let bearings: Section<UInt16>
    let arrivals: Section<UInt8>
    let ways: Section<GraphWay>
    let attributes: Section<AttributeRecord>
    let firstStringByte: Section<UInt32>
    let stringBytes: Section<UInt8>
    let treeBoxes: Section<TreeBox>
    let treeItems: Section<TreeItem>
    let firstRule: Section<UInt32>
    let rules: Section<TurnRule>
    let stateEdges: Section<UInt32>
    let conditions: Section<UInt32>
    var topSpeeds: Section<Double>
    let limits: Section<LimitRecord>
    let wayLimits: Section<WayLimits>
    let vertexLimits: Section<VertexLimits>
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
        firstPoint = try reader.section(.firstPoint, count: edgeCount + 1)
        points = try reader.section(.points)
        pointNodes = try reader.section(.pointNodes, count: points.count)
        bearings = try reader.section(.bearings, count: 2 * edgeCount)
        arrivals = try reader.section(.arrivals, count: 2 * edgeCount)
        ways = try reader.section(.ways)
        attributes = try reader.section(.attributes)
        firstStringByte = try reader.section(.firstStringByte)
        stringBytes = try reader.section(.stringBytes)
        treeItems = try reader.section(.treeItems)
        treeBoxes = try reader.section(.treeBoxes, count: PackedTree.boxCount(leaves: treeItems.count))
        stateEdges = try reader.section(.stateEdges)
        firstRule = try reader.section(.firstRule, count: 2 * edgeCount + stateEdges.count + 1)
        rules = try reader.section(.rules)
        conditions = try reader.section(.conditions)
        topSpeeds = try reader.section(.topSpeeds, count: 3)
        limits = try reader.section(.limits)
        wayLimits = try reader.section(.wayLimits)
        vertexLimits = try reader.section(.vertexLimits)
        barriers = try reader.section(.barriers)
        closedWays = try reader.section(.closedWays)
        car = try ProfileArrays(reader, first: .carWeights, edgeCount: edgeCount)
        bicycle = try ProfileArrays(reader, first: .bicycleWeights, edgeCount: edgeCount)
        foot = try ProfileArrays(reader, first: .footWeights, edgeCount: edgeCount)
        hierarchy = Hierarchy(
            ranks: try reader.section(.ranks, count: vertexCount),
            firstArc: try reader.section(.firstArc, count: vertexCount + 1),
            heads: try reader.section(.arcHeads), parents: try reader.section(.parents, count: vertexCount),
            edgeArcs: try reader.section(.edgeArcs, count: edgeCount))
    }
}

/// The sections of one profile.
struct ProfileArrays: Sendable {
    let weights: Section<UInt32>
    let durations: Section<UInt32>
    let traits: Section<UInt8>
    let components: Section<UInt32>
    let componentSizes: Section<UInt32>

    init(_ reader: SectionReader, first: SectionID, edgeCount: Int) throws(RoutingError) {
        try self.init(reader, firstID: first.rawValue, edgeCount: edgeCount)
    }

    init(_ reader: SectionReader, firstID first: UInt32, edgeCount: Int) throws(RoutingError) {
        weights = try reader.section(first, count: 2 * edgeCount)
        durations = try reader.section(first + 1, count: 2 * edgeCount)
        traits = try reader.section(first + 2, count: 2 * edgeCount)
        components = try reader.section(first + 3, count: 2 * edgeCount)
        componentSizes = try reader.section(first + 4)
    }
}

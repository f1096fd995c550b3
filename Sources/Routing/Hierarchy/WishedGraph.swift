import OpenStreetMap

/// What wishes make of a profile: its roads with other costs, some of them closed.
struct WishedColumns {
    var columns: ProfileColumns
    var vertexFacts: [UInt32]
    /// How many of the wished speeds are of pieces of road that the graph has.
    var matchedSpeeds = 0
}

extension RoadGraph {
    /// The graph as the wishes of a metric see it; itself where there are none.
    convenience init(_ base: RoadGraph, as metric: RoadMetric) {
        var arrays = base.arrays
        if let wished = metric.wished {
            arrays.setProfile(metric.profile, to: wished.profile)
            arrays.vertexFacts = wished.vertexFacts
            arrays.topSpeeds = wished.topSpeeds
        }
        self.init(storage: base.storage, arrays: arrays, name: base.name, metric: metric)
    }

    /// Applies wishes to a profile's roads, one pass over the edges for each sort of wish that is there.
    /// - Throws: `damagedAtlas`, `invalidRequest` for wishes without sense.
    /// - Parameter isAtAllHours: whether roads that change with the time are taken at their best (`TimedRoads`).
    func columns(
        for profile: Profile, wishes: RoadWishes, isAtAllHours: Bool = false
    ) throws(RoutingError) -> WishedColumns {
        if let fault = wishes.fault { throw .invalidRequest(reason: fault) }
        try checkTopology()
        let base = arrays.profile(profile)
        let edgeCount = arrays.heads.count
        var columns = ProfileColumns(count: 0)
        columns.weights = base.weights.values
        columns.durations = try (0..<UInt32(edgeCount)).map { directed throws(RoutingError) in
            guard let duration = arrays.duration(of: directed, profile) else {
                throw misfit("the factors of a way are not there")
            }
            return duration
        }
        columns.traits = Array(base.traits.elements)
        var result = WishedColumns(columns: columns, vertexFacts: Array(arrays.vertexFacts.elements))
        if let speeds = wishes.speeds, !speeds.isEmpty {
            result.matchedSpeeds = try apply(speeds, to: &result.columns)
        }
        let times = isAtAllHours ? try TimedRoads(self, profile, speeds: wishes.speeds, network: nil) : nil
        times?.open(&result, profile)
        try close(wishes, profile, &result)
        if wishes.vehicle != VehicleSize() { try close(wishes.vehicle, profile, &result) }
        ProfileColumns.markDeadEnds(
            weights: result.columns.weights, traits: &result.columns.traits,
            firstLeaving: arrays.firstLeaving.elements, leaving: arrays.leaving.elements,
            // Before what is closed at times one may always turn round.
            mayClose: { times?.mayClose($0) ?? false }
        ) { result.vertexFacts[$0] & UInt32(profile.bit) != 0 || times?.mayBlock($0) ?? false }
        result.columns.findParts(
            heads: Array(arrays.heads.elements), firstLeaving: Array(arrays.firstLeaving.elements),
            leaving: Array(arrays.leaving.elements), vertexFacts: result.vertexFacts, user: profile)
        // The straight line leads from vertex to vertex: no edge may be quicker than that.
        for directed in 0..<edgeCount where result.columns.weights[directed] != .max {
            guard let head = arrays.vertices[arrays.heads.base[directed]],
                let tail = arrays.vertices[arrays.heads.base[directed ^ 1]]
            else { throw misfit("an edge leads to a vertex that is not there") }
            let metres = tail.coordinate.distance(to: head.coordinate)
            result.columns.topSpeed = max(
                result.columns.topSpeed, metres * 1000 / Double(result.columns.weights[directed]))
        }
        return result
    }

    /// That the edges of vertices and the vertices of edges are there, which what follows takes for granted.
    private func checkTopology() throws(RoutingError) {
        let vertexCount = arrays.vertices.count
        let first = arrays.firstLeaving.base
        for vertex in 0..<vertexCount where first[vertex] > first[vertex + 1] {
            throw misfit("the edges of a vertex are not there")
        }
        guard Int(first[vertexCount]) <= arrays.leaving.count,
            arrays.leaving.elements.allSatisfy({ Int($0) < arrays.heads.count })
        else { throw misfit("a vertex has an edge that is not there") }
        guard arrays.heads.elements.allSatisfy({ Int($0) < vertexCount }) else {
            throw misfit("an edge leads to a vertex that is not there")
        }
    }

    private func misfit(_ reason: String) -> RoutingError { .damagedAtlas(file: name, reason: reason) }

    /// The kinds of every way, forwards and backwards.
    private func kindsOfWays() throws(RoutingError) -> [RoadKinds] {
        var kinds: [RoadKinds] = []
        kinds.reserveCapacity(2 * arrays.ways.count)
        for number in 0..<UInt32(arrays.ways.count) {
            guard let way = arrays.ways[number] else { throw misfit("the look of a way is not there") }
            for number in [way.forward, way.backward] {
                guard let record = arrays.attributes[number] else {
                    throw misfit("the attributes of a way are not there")
                }
                kinds.append(record.kinds)
            }
        }
        return kinds
    }

    /// Closes what is excluded, and makes dear what is avoided.
    private func close(_ wishes: RoadWishes, _ profile: Profile, _ result: inout WishedColumns) throws(RoutingError) {
        let (excluded, avoided) = (wishes.excluded, wishes.avoided.subtracting(wishes.excluded))
        guard !excluded.union(avoided).isEmpty else { return }
        let kinds = try kindsOfWays()
        for directed in 0..<arrays.heads.count where result.columns.weights[directed] != .max {
            let way = Int(arrays.edgeWays.base[directed >> 1])
            guard way < arrays.ways.count else { throw misfit("a way is not there") }
            var kind = kinds[2 * way + directed & 1]
            if result.columns.traits[directed] & EdgeTraits.mode == TravelMode.ferry.rawValue { kind.insert(.ferries) }
            // One may come to a toll booth and turn round, but not pass it.
            let isBooth = profile == .car && arrays.arrivals.base[directed] & ArrivalFacts.tollBooth != 0
            if isBooth, excluded.contains(.tolls) {
                let head = Int(arrays.heads.base[directed])
                guard head < result.vertexFacts.count else { throw misfit("an edge leads nowhere") }
                result.vertexFacts[head] |= UInt32(profile.bit)
            }
            if !kind.isDisjoint(with: excluded) {
                result.columns.close(directed)
                continue
            }
            if isBooth { kind.insert(.tolls) }
            if !kind.isDisjoint(with: avoided) {
                result.columns.weights[directed] = ProfileColumns.avoided(result.columns.weights[directed])
                result.columns.traits[directed] |= EdgeTraits.avoided
            }
        }
    }

    /// Closes ways and nodes that are too small or too weak for a vehicle.
    private func close(_ vehicle: VehicleSize, _ profile: Profile, _ result: inout WishedColumns) throws(RoutingError) {
        let suffices = arrays.limits.elements.map { vehicle.passes($0.limits) }
        func passes(_ limit: UInt32) throws(RoutingError) -> Bool {
            if limit == .max { return true }
            guard Int(limit) < suffices.count else { throw misfit("a limit is not there") }
            return suffices[Int(limit)]
        }
        var closed = [UInt8](repeating: 0, count: arrays.ways.count)
        var isAnyClosed = false
        for limited in arrays.wayLimits.elements {
            guard Int(limited.way) < closed.count else { throw misfit("a way is not there") }
            if try !passes(limited.forward) { closed[Int(limited.way)] |= 1 }
            if try !passes(limited.backward) { closed[Int(limited.way)] |= 2 }
            isAnyClosed = isAnyClosed || closed[Int(limited.way)] != 0
        }
        for limited in arrays.vertexLimits.elements {
            guard Int(limited.vertex) < result.vertexFacts.count else { throw misfit("a vertex is not there") }
            if try !passes(limited.limits) { result.vertexFacts[Int(limited.vertex)] |= UInt32(profile.bit) }
        }
        guard isAnyClosed else { return }
        for directed in 0..<arrays.heads.count {
            let way = Int(arrays.edgeWays.base[directed >> 1])
            guard way < closed.count else { throw misfit("a way is not there") }
            if closed[way] >> UInt8(directed & 1) & 1 != 0 { result.columns.close(directed) }
        }
    }

    /// Gives edges the time that their segments take at wished speeds; segments without one keep their part of the time.
    ///
    /// The cost stays in proportion to the time. Returns how many of the speeds belong to a segment.
    private func apply(_ speeds: SegmentSpeeds, to columns: inout ProfileColumns) throws(RoutingError) -> Int {
        let applied = AppliedSpeeds(speeds)
        var matched = [Bool](repeating: false, count: applied.segments.count)
        var points: [FixedPoint] = []
        var nodes: [Int64] = []
        for edge in 0..<arrays.edgeWays.count {
            guard arrays.readNodes(of: UInt32(edge), into: &nodes) else {
                throw misfit("the geometry of an edge is not there")
            }
            points.removeAll(keepingCapacity: true)
            for directed in 2 * edge...2 * edge + 1 {
                let (duration, weight) = (columns.durations[directed], columns.weights[directed])
                if weight == .max { continue }
                guard let change = applied.change(of: UInt32(directed), in: arrays, nodes, &points) else {
                    throw misfit("the geometry of an edge is not there")
                }
                if change.matched.isEmpty { continue }
                for number in change.matched { matched[number] = true }
                if change.isClosed {
                    columns.close(directed)
                    continue
                }
                (columns.durations[directed], columns.weights[directed]) = change.applied(
                    duration: duration, weight: weight)
            }
        }
        return matched.count { $0 }
    }
}

extension ProfileColumns {
    /// At least 1, so that every edge costs something; below the mark of closed edges, and as `PackedTime` rounds it.
    static func milliseconds(_ seconds: Double) -> UInt32 {
        guard seconds.isFinite else { return PackedTime.most }
        return PackedTime.rounded(UInt32(min(max((seconds * 1000).rounded(.up), 1), Double(PackedTime.most))))
    }

    /// What an edge costs that is avoided.
    static func avoided(_ weight: UInt32) -> UInt32 {
        let (product, overflow) = weight.multipliedReportingOverflow(by: UInt32(RoadWishes.avoidedFactor))
        return overflow ? PackedTime.most : PackedTime.rounded(product)
    }

    mutating func close(_ directed: Int) {
        weights[directed] = .max
        durations[directed] = .max
        traits[directed] = 0
    }

    /// Marks the open edges at whose heads there is no other way on than turning round.
    /// - Parameter mayClose: which open edges cannot be relied on as a way on.
    static func markDeadEnds(
        weights: [UInt32], traits: inout [UInt8], firstLeaving: UnsafeBufferPointer<UInt32>,
        leaving: UnsafeBufferPointer<UInt32>, mayClose: (UInt32) -> Bool = { _ in false }, isBlocked: (Int) -> Bool
    ) {
        for vertex in 0..<firstLeaving.count - 1 {
            let (begin, end) = (Int(firstLeaving[vertex]), Int(firstLeaving[vertex + 1]))
            guard begin <= end, end <= leaving.count else { continue }
            var leavable = 0
            var lastLeavable = UInt32.max
            for index in begin..<end where Int(leaving[index]) < weights.count {
                if weights[Int(leaving[index])] != .max, !mayClose(leaving[index]) {
                    leavable += 1
                    lastLeavable = leaving[index]
                }
            }
            let isBlocked = isBlocked(vertex)
            for index in begin..<end where Int(leaving[index]) < weights.count {
                let directed = leaving[index]
                let arriving = Int(directed ^ 1)
                if weights[arriving] == .max { continue }
                if isBlocked || leavable == 0 || (leavable == 1 && lastLeavable == directed) {
                    traits[arriving] |= EdgeTraits.deadEnd
                }
            }
        }
    }
}

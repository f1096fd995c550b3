import Geometry
import OpenStreetMap

/// Turns what a builder has collected into the arrays of a graph.
struct GraphAssembly {
    private var builder: RoadGraphBuilder
    private(set) var skipped: [String: Int] = [:]

    private var nodeTable = NodeTable()
    /// For each place in `builder.nodeIDs`, the node's number.
    private var nodeNumbers: [UInt32] = []
    /// For each node number, its vertex or `.max`.
    private var vertexOfNode: [UInt32] = []
    private var vertices: [GraphVertex] = []
    private var vertexFacts: [UInt32] = []
    private var vertexNames: [VertexName] = []
    private var barriers: [VertexBarrier] = []
    private var arrivalAtVertex: [UInt32: RoadNodeTags] = [:]
    /// Vertices at which there is room to turn round.
    private var turningPlaces: Set<UInt32> = []

    private struct Edge {
        var tail: UInt32
        var head: UInt32
        var way: UInt32
        var first: Int
        var count: Int
        /// Metres.
        var length: Double
    }
    private var edges: [Edge] = []
    private var heads: [UInt32] = []
    private var bearings: [UInt16] = []
    private var firstLeaving: [UInt32] = []
    private var leaving: [UInt32] = []
    private var arrivals: [UInt8] = []

    init(_ builder: RoadGraphBuilder) {
        self.builder = builder
        self.builder.forgetLookups()
    }

    /// - Parameter progress: see `RoadGraphBuilder.finish`.
    mutating func build(
        atlasID: [UInt8], progress: (RoadGraphBuilder.Phase, Double) -> Bool
    ) throws(RoutingError) -> RoadGraph {
        guard progress(.roads, 0) else { throw .stopped(during: "roads") }
        dropLoneOutlines()
        chooseVertices()
        cutWays()
        guard edges.count < Int(UInt32.max) / 4, builder.points.count < Int(UInt32.max) else {
            throw .invalidRequest(reason: "more roads than one graph can hold")
        }
        connect()
        markArrivals()
        let compiled = compileRestrictions()
        for state in 0..<2 * edges.count where compiled.first[state] != compiled.first[state + 1] {
            arrivals[state] |= ArrivalFacts.rules
        }

        var writer = SectionWriter()
        addLimits(&writer)
        addTimes(&writer)
        // What is not needed any more makes room for what comes.
        nodeTable = NodeTable()
        nodeNumbers = []
        vertexOfNode = []
        var topSpeeds: [Double] = []
        for (user, section) in [
            (RoadUser.car, SectionID.carWeights), (.bicycle, .bicycleWeights), (.foot, .footWeights),
        ] {
            var columns = weigh(for: user)
            columns.findParts(
                heads: heads, firstLeaving: firstLeaving, leaving: leaving, vertexFacts: vertexFacts, user: user)
            topSpeeds.append(columns.topSpeed)
            let first = section.rawValue
            columns.add(to: &writer, first: first)
        }
        writer.add(.vertices, vertices)
        writer.add(.vertexFacts, vertexFacts)
        writer.add(.vertexNames, vertexNames.sorted { $0.vertex < $1.vertex })
        writer.add(.barriers, barriers)
        writer.add(
            .closedWays,
            builder.ways.enumerated().filter { $1.closing != 0 }.map { number, way in
                let tags = builder.closings[Int(way.closing)]
                return ClosedWay(way: UInt32(number), car: tags[0], bicycle: tags[1], foot: tags[2])
            })
        writer.add(.firstLeaving, firstLeaving)
        writer.add(.leaving, leaving)
        writer.add(.heads, heads)
        writer.add(.edgeWays, edges.map(\.way))
        writer.add(.bearings, bearings)
        writer.add(.arrivals, arrivals)
        addRules(compiled.first, &writer)
        writer.add(.rules, compiled.rules)
        writer.add(.stateEdges, compiled.stateEdges)
        firstLeaving = []
        leaving = []
        bearings = []
        arrivals = []
        writer.add(.conditions, compiled.conditions.map { builder.strings.intern($0) })
        writer.add(.topSpeeds, topSpeeds)
        addStrings(&writer)
        try addShapes(&writer)
        addTree(&writer)
        addWays(&writer)
        writer.add(.attributes, builder.attributes)
        edges = []
        builder = RoadGraphBuilder()
        guard progress(.roads, 1) else { throw .stopped(during: "roads") }
        let graph = UndirectedGraph(vertexCount: vertices.count, heads: heads)
        let ranks = NestedDissection.ranks(of: graph, at: vertices) { progress(.order, $0) }
        guard let ranks else { throw .stopped(during: "order") }
        guard let hierarchy = HierarchyArrays(graph, ranks: ranks) else {
            throw .invalidRequest(reason: "more roads than one graph can hold")
        }
        hierarchy.add(to: &writer)
        return try RoadGraph(storage: writer.finish(RoadGraph.form, atlasID: atlasID), name: "the road graph")
    }

    // MARK: Vertices

    /// Leaves out the edges of areas at which no road arrives: whoever is there would stand on an island.
    private mutating func dropLoneOutlines() {
        guard builder.ways.contains(where: \.isOutline) else { return }
        var outlined: Set<Int64> = []
        for way in builder.ways where way.isOutline {
            outlined.formUnion(builder.nodeIDs[way.first..<way.first + way.count])
        }
        var joined: Set<Int64> = []
        for way in builder.ways where !way.isOutline {
            for id in builder.nodeIDs[way.first..<way.first + way.count] where outlined.contains(id) {
                joined.insert(id)
            }
        }
        // Limits are known by the numbers of ways, which move up.
        var limits: [UInt32: (forward: RoadLimits, backward: RoadLimits)] = [:]
        var times: [UInt32: RoadGraphBuilder.WayTimes] = [:]
        var kept = 0
        for number in builder.ways.indices {
            let way = builder.ways[number]
            if way.isOutline,
                !builder.nodeIDs[way.first..<way.first + way.count].contains(where: { joined.contains($0) })
            {
                continue
            }
            limits[UInt32(kept)] = builder.wayLimits[UInt32(number)]
            times[UInt32(kept)] = builder.wayTimes[UInt32(number)]
            builder.ways[kept] = way
            kept += 1
        }
        builder.ways.removeLast(builder.ways.count - kept)
        builder.wayLimits = limits
        builder.wayTimes = times
    }

    private mutating func chooseVertices() {
        nodeNumbers.reserveCapacity(builder.nodeIDs.count)
        var uses: [UInt8] = []
        for id in builder.nodeIDs {
            let number = nodeTable.insert(id)
            if Int(number) == uses.count { uses.append(0) }
            nodeNumbers.append(number)
        }
        for way in builder.ways {
            for number in nodeNumbers[way.first..<way.first + way.count] {
                uses[Int(number)] = min(uses[Int(number)] + 1, 2)
            }
            uses[Int(nodeNumbers[way.first])] = 2
            uses[Int(nodeNumbers[way.first + way.count - 1])] = 2
        }
        for id in builder.facts.keys {
            if let number = nodeTable.find(id), uses[Int(number)] > 0 { uses[Int(number)] = 2 }
        }
        for id in builder.nodeLimits.keys {
            if let number = nodeTable.find(id), uses[Int(number)] > 0 { uses[Int(number)] = 2 }
        }
        for id in builder.nodeTimes.keys {
            if let number = nodeTable.find(id), uses[Int(number)] > 0 { uses[Int(number)] = 2 }
        }
        // A piece that returns to where it began is cut in the middle, so that both ends of an edge differ.
        for way in builder.ways {
            var start = way.first
            for index in way.first + 1..<way.first + way.count where uses[Int(nodeNumbers[index])] >= 2 {
                if nodeNumbers[start] == nodeNumbers[index], index - start > 1 {
                    uses[Int(nodeNumbers[(start + index) / 2])] = 2
                }
                start = index
            }
        }
        // Vertices lie along a Hilbert curve, so that neighbours share pages.
        var place = [Int](repeating: -1, count: uses.count)
        for (index, number) in nodeNumbers.enumerated() where place[Int(number)] < 0 { place[Int(number)] = index }
        var keyed: [(key: UInt64, node: UInt32)] = []
        for (number, use) in uses.enumerated() where use >= 2 {
            keyed.append((HilbertCurve.key(builder.points[place[number]]), UInt32(number)))
        }
        keyed.sort { $0.key < $1.key || ($0.key == $1.key && $0.node < $1.node) }
        vertexOfNode = [UInt32](repeating: .max, count: uses.count)
        vertices.reserveCapacity(keyed.count)
        for (_, node) in keyed {
            let vertex = UInt32(vertices.count)
            vertexOfNode[Int(node)] = vertex
            let point = builder.points[place[Int(node)]]
            let id = nodeTable.ids[Int(node)]
            vertices.append(GraphVertex(nodeID: id, latitude: point.latitude, longitude: point.longitude))
            var facts: UInt32 = 0
            if let tags = builder.facts[id] {
                facts = UInt32(tags.blocked)
                if tags.hasSignal { facts |= VertexFacts.signal }
                if !tags.barrier.isEmpty {
                    barriers.append(VertexBarrier(vertex: vertex, kind: builder.strings.intern(tags.barrier)))
                }
                if tags.allowsTurning { turningPlaces.insert(vertex) }
                if !tags.name.isEmpty || !tags.exitNumber.isEmpty {
                    facts |= VertexFacts.hasName
                    vertexNames.append(
                        VertexName(
                            vertex: vertex, name: builder.strings.intern(tags.name),
                            exit: builder.strings.intern(tags.exitNumber)))
                }
                if tags.hasSignal || tags.hasStop || tags.givesWay || tags.delay > 0 { arrivalAtVertex[vertex] = tags }
            }
            vertexFacts.append(facts)
        }
    }

    // MARK: Edges

    private mutating func cutWays() {
        for (number, way) in builder.ways.enumerated() {
            var start = way.first
            for index in way.first + 1..<way.first + way.count {
                let head = vertexOfNode[Int(nodeNumbers[index])]
                guard head != .max else { continue }
                let tail = vertexOfNode[Int(nodeNumbers[start])]
                var length = 0.0
                for point in start..<index { length += Ground.metres(builder.points[point], builder.points[point + 1]) }
                edges.append(
                    Edge(
                        tail: tail, head: head, way: UInt32(number), first: start, count: index - start + 1,
                        length: length))
                start = index
            }
        }
        // Of roads drawn twice the named one comes first, and is taken where both cost the same.
        let names = builder.ways.map { builder.attributes[Int($0.forward)].name }
        let texts = builder.strings.texts
        edges.sort {
            if ($0.tail, $0.head) != ($1.tail, $1.head) { return ($0.tail, $0.head) < ($1.tail, $1.head) }
            let (a, b) = (names[Int($0.way)], names[Int($1.way)])
            if a != b { return b == 0 || (a != 0 && texts[Int(a)] < texts[Int(b)]) }
            return ($0.way, $0.first) < ($1.way, $1.first)
        }
    }

    private mutating func connect() {
        let edgeCount = edges.count
        heads.reserveCapacity(2 * edgeCount)
        bearings.reserveCapacity(2 * edgeCount)
        var degrees = [UInt32](repeating: 0, count: vertices.count + 1)
        for edge in edges {
            heads.append(edge.head)
            heads.append(edge.tail)
            degrees[Int(edge.tail) + 1] += 1
            degrees[Int(edge.head) + 1] += 1
            bearings.append(bearing(of: edge, backwards: false))
            bearings.append(bearing(of: edge, backwards: true))
        }
        for vertex in 0..<vertices.count { degrees[vertex + 1] += degrees[vertex] }
        firstLeaving = degrees
        var next = degrees
        leaving = [UInt32](repeating: 0, count: 2 * edgeCount)
        for directed in 0..<2 * edgeCount {
            let tail = Int(heads[directed ^ 1])
            leaving[Int(next[tail])] = UInt32(directed)
            next[tail] += 1
        }
        for vertex in 0..<vertices.count {
            let range = Int(firstLeaving[vertex])..<Int(firstLeaving[vertex + 1])
            if range.count > 1 {
                leaving[range].sort { (bearings[Int($0)], $0) < (bearings[Int($1)], $1) }
            }
        }
    }

    /// The direction in which an edge leaves its end, taken to a point about ten metres on: the first node may lie
    /// nearer to the junction than it was drawn exactly.
    private func bearing(of edge: Edge, backwards: Bool) -> UInt16 {
        var walked = 0.0
        let start = backwards ? edge.first + edge.count - 1 : edge.first
        var index = start
        let end = backwards ? edge.first : edge.first + edge.count - 1
        let origin = builder.points[start]
        var target = origin
        while index != end {
            let next = backwards ? index - 1 : index + 1
            let a = builder.points[index]
            let b = builder.points[next]
            let length = Ground.metres(a, b)
            if walked + length >= 10 && length > 0 {
                target = a.towards(b, part: (10 - walked) / length)
                break
            }
            walked += length
            target = b
            index = next
        }
        let degrees = Ground.bearing(origin, target)
        return UInt16(truncatingIfNeeded: Int((degrees / 360 * 65536).rounded()))
    }

    // MARK: Signs

    /// Marks signals, signs and gates on the directed edges that arrive at them.
    private mutating func markArrivals() {
        arrivals = [UInt8](repeating: 0, count: 2 * edges.count)
        for (index, edge) in edges.enumerated() where builder.ways[Int(edge.way)].isLeftHand {
            arrivals[2 * index] = ArrivalFacts.leftHand
            arrivals[2 * index + 1] = ArrivalFacts.leftHand
        }
        for (vertex, tags) in arrivalAtVertex {
            let out = leaving[Int(firstLeaving[Int(vertex)])..<Int(firstLeaving[Int(vertex) + 1])]
            for directed in out {
                let arriving = Int(directed ^ 1)
                if tags.delay > 0 {
                    arrivals[arriving] |= tags.delay >= 30 ? ArrivalFacts.gate : ArrivalFacts.tollBooth
                }
                let isForward = arriving & 1 == 0
                if let direction = tags.direction, (direction == .forward) != isForward { continue }
                if tags.direction == nil && !tags.isForBoth && (tags.hasStop || tags.givesWay) {
                    guard signMeans(arriving: arriving, vertex: vertex, out: out) else { continue }
                }
                if tags.hasSignal { arrivals[arriving] |= ArrivalFacts.signal }
                if tags.hasStop { arrivals[arriving] |= ArrivalFacts.stop }
                if tags.givesWay { arrivals[arriving] |= ArrivalFacts.giveWay }
            }
        }
    }

    /// Whether a stop or give-way sign without a direction stands for an arriving edge: on a junction for the lesser
    /// roads, shortly before one for those who go there, else for all.
    private func signMeans(arriving: Int, vertex: UInt32, out: ArraySlice<UInt32>) -> Bool {
        func roadClass(_ directed: Int) -> RoadClass { builder.ways[Int(edges[directed >> 1].way)].roadClass }
        if out.count > 2 {
            let best = out.map { roadClass(Int($0)) }.min()
            let worst = out.map { roadClass(Int($0)) }.max()
            return best == worst || roadClass(arriving) != best
        }
        guard let onward = out.first(where: { Int($0) != arriving ^ 1 }) else { return true }
        func ahead(_ directed: Int) -> Double {
            let head = Int(heads[directed])
            let isJunction = firstLeaving[head + 1] - firstLeaving[head] > 2
            return isJunction ? edges[directed >> 1].length : .infinity
        }
        let before = ahead(arriving ^ 1)
        let after = ahead(Int(onward))
        return after <= before || after > 50 && before > 50
    }

    // MARK: Restrictions

    private mutating func compileRestrictions() -> (
        first: [UInt32], rules: [TurnRule], stateEdges: [UInt32], conditions: [String]
    ) {
        var wanted: Set<Int64> = []
        for restriction in builder.relations.restrictions {
            wanted.formUnion(restriction.from)
            wanted.formUnion(restriction.to)
            wanted.formUnion(restriction.viaWays)
        }
        // Edges are sorted by place; the chains need them in the order of their ways.
        var pieces: [UInt32: [(first: Int, edge: UInt32)]] = [:]
        for (index, edge) in edges.enumerated() where wanted.contains(builder.ways[Int(edge.way)].id) {
            pieces[edge.way, default: []].append((edge.first, UInt32(index)))
        }
        var chains: [Int64: WayChain] = [:]
        for (way, list) in pieces.sorted(by: { $0.key < $1.key }) {
            let sorted = list.sorted { $0.first < $1.first }
            guard let start = sorted.first else { continue }
            var chain = WayChain(vertices: [edges[Int(start.edge)].tail], edges: [])
            for piece in sorted {
                chain.vertices.append(edges[Int(piece.edge)].head)
                chain.edges.append(piece.edge)
            }
            // A way that was cut by missing nodes keeps its first run.
            if chains[builder.ways[Int(way)].id] == nil { chains[builder.ways[Int(way)].id] = chain }
        }
        let table = nodeTable
        let vertexOfNode = self.vertexOfNode
        let firstLeaving = self.firstLeaving
        let leaving = self.leaving
        let heads = self.heads
        var compiler = RuleCompiler(
            chains: chains,
            vertexOfNode: { id in
                guard let number = table.find(id), vertexOfNode[Int(number)] != .max else { return nil }
                return vertexOfNode[Int(number)]
            },
            leaving: { Array(leaving[Int(firstLeaving[Int($0)])..<Int(firstLeaving[Int($0) + 1])]) },
            head: { heads[Int($0)] }, edgeStates: 2 * edges.count)
        for restriction in builder.relations.restrictions { compiler.add(restriction) }
        for (edge, back) in carriagewaysBack() {
            compiler.forbid([edge, back], users: RoadUser.car.bit | RoadUser.bicycle.bit)
        }
        for (reason, count) in compiler.skipped { skipped[reason, default: 0] += count }
        let compiled = compiler.compile()
        return (compiled.first, compiled.rules, compiled.stateEdges, compiler.conditions)
    }

    /// Turns from a one-way road onto the one that leads straight back to where it came from, where there is another way
    /// on: as good as turning round on a road.
    private func carriagewaysBack() -> [(UInt32, UInt32)] {
        func isOpen(_ directed: UInt32) -> Bool {
            let way = builder.ways[Int(edges[Int(directed >> 1)].way)]
            let user = Int(RoadUser.car.rawValue) + (directed & 1 == 0 ? 0 : 3)
            return builder.passages[Int(way.passages)].all[user].traits != 0
        }
        func isOneway(_ directed: UInt32) -> Bool { isOpen(directed) && !isOpen(directed ^ 1) }
        var turns: [(UInt32, UInt32)] = []
        for arriving in 0..<UInt32(heads.count)
        where builder.ways[Int(edges[Int(arriving >> 1)].way)].isOneway && isOneway(arriving) {
            let vertex = heads[Int(arriving)]
            let origin = heads[Int(arriving ^ 1)]
            let out = leaving[Int(firstLeaving[Int(vertex)])..<Int(firstLeaving[Int(vertex) + 1])]
            for back in out where back != arriving ^ 1 && heads[Int(back)] == origin && isOneway(back) {
                let angle = bearings[Int(back)] &- bearings[Int(arriving ^ 1)]
                // Ten degrees in 65536ths of a turn.
                guard min(angle, 0 &- angle) < 1820, out.contains(where: { $0 != back && isOpen($0) }) else {
                    continue
                }
                turns.append((arriving, back))
            }
        }
        return turns
    }

    // MARK: Weights

    /// Weighs every directed edge for one user, and marks junctions and dead ends.
    private mutating func weigh(for user: RoadUser) -> ProfileColumns {
        var columns = ProfileColumns(count: 2 * edges.count)
        let wayLengths = lengthsOfTimedWays()
        let index = Int(user.rawValue)
        for (number, edge) in edges.enumerated() {
            let way = builder.ways[Int(edge.way)]
            let passages = builder.passages[Int(way.passages)].all
            for direction in 0..<2 {
                let passage = passages[index + 3 * direction]
                guard passage.traits != 0 else { continue }
                columns.weights[2 * number + direction] = weight(of: edge, passage, wayLengths)
                columns.traits[2 * number + direction] = passage.traits
            }
        }
        for vertex in 0..<vertices.count {
            let out = leaving[Int(firstLeaving[vertex])..<Int(firstLeaving[vertex + 1])]
            let usable = out.count { directed in
                columns.weights[Int(directed)] != .max || columns.weights[Int(directed ^ 1)] != .max
            }
            if usable >= 3 { vertexFacts[vertex] |= UInt32(user.bit) << VertexFacts.junctionShift }
        }
        let facts = vertexFacts
        firstLeaving.withUnsafeBufferPointer { first in
            leaving.withUnsafeBufferPointer { leaving in
                ProfileColumns.markDeadEnds(
                    weights: columns.weights, traits: &columns.traits, firstLeaving: first, leaving: leaving
                ) { facts[$0] & UInt32(user.bit) != 0 }
            }
        }
        for vertex in turningPlaces {
            for directed in leaving[Int(firstLeaving[Int(vertex)])..<Int(firstLeaving[Int(vertex) + 1])]
            where columns.weights[Int(directed)] != .max && columns.weights[Int(directed ^ 1)] != .max {
                columns.traits[Int(directed ^ 1)] |= EdgeTraits.deadEnd
            }
        }
        // The straight line bounds the search: no edge may get nearer to anywhere faster than the top speed.
        for (number, edge) in edges.enumerated() {
            let straight = vertices[Int(edge.tail)].coordinate.distance(to: vertices[Int(edge.head)].coordinate)
            for directed in 2 * number...2 * number + 1 where columns.weights[directed] != .max {
                let metres = max(straight, edge.length)
                columns.topSpeed = max(columns.topSpeed, metres * 1000 / Double(columns.weights[directed]))
            }
        }
        return columns
    }

    /// Metres of the ways whose time is tagged.
    private func lengthsOfTimedWays() -> [UInt32: Double] {
        var lengths: [UInt32: Double] = [:]
        for edge in edges where builder.ways[Int(edge.way)].duration > 0 {
            lengths[edge.way, default: 0] += edge.length
        }
        return lengths
    }

    /// Milliseconds of cost.
    private func weight(
        of edge: Edge, _ passage: RoadGraphBuilder.Passages.Passage, _ wayLengths: [UInt32: Double]
    ) -> UInt32 {
        let way = builder.ways[Int(edge.way)]
        var seconds = edge.length / (Double(passage.speed) / 100 / 3.6)
        if way.duration > 0, let length = wayLengths[edge.way], length > 0 {
            seconds = Double(way.duration) * edge.length / length
        }
        return ProfileColumns.milliseconds(seconds * Double(passage.factor) / 256)
    }

    // MARK: Times

    /// Writes what edges and vertices are while conditions hold.
    private mutating func addTimes(_ writer: inout SectionWriter) {
        var sets: [[String]] = []
        var numbers: [[String]: UInt32] = [:]
        func number(_ conditions: [String]) -> UInt32 {
            if let known = numbers[conditions] { return known }
            let number = UInt32(sets.count)
            numbers[conditions] = number
            sets.append(conditions)
            return number
        }
        var timed: [TimedEdge] = []
        var variants: [TimedVariant] = []
        let wayLengths = lengthsOfTimedWays()
        for user in RoadUser.allCases where !builder.wayTimes.isEmpty {
            for (edgeNumber, edge) in edges.enumerated() {
                guard let times = builder.wayTimes[edge.way] else { continue }
                for direction in 0..<2 {
                    let place = Int(user.rawValue) + 3 * direction
                    let plain = builder.passages[Int(builder.ways[Int(edge.way)].passages)].all[place]
                    let own = times.passages.map { builder.passages[Int($0)].all[place] }
                    guard own.contains(where: { $0 != plain }) else { continue }
                    timed.append(
                        TimedEdge(
                            edge: UInt32(2 * edgeNumber + direction), user: UInt32(user.rawValue),
                            set: number(times.conditions), first: UInt32(variants.count)))
                    for passage in own {
                        guard passage.traits != 0 else {
                            variants.append(.closed)
                            continue
                        }
                        let weight = weight(of: edge, passage, wayLengths)
                        variants.append(
                            TimedVariant(
                                weight: weight,
                                duration: PackedTime.rounded(WayFactors.duration(weight, passage.factor)),
                                traits: UInt32(passage.traits)))
                    }
                }
            }
        }
        var timedVertices: [TimedVertex] = []
        var blocked: [UInt8] = []
        for (node, times) in builder.nodeTimes.sorted(by: { $0.key < $1.key }) {
            guard let place = nodeTable.find(node), vertexOfNode[Int(place)] != .max else { continue }
            timedVertices.append(
                TimedVertex(
                    vertex: vertexOfNode[Int(place)], set: number(times.conditions), first: UInt32(blocked.count)))
            blocked += times.blocked
        }
        timedVertices.sort { $0.vertex < $1.vertex }
        var first: [UInt32] = [0]
        var conditions: [UInt32] = []
        for set in sets {
            conditions += set.map { builder.strings.intern($0) }
            first.append(UInt32(conditions.count))
        }
        writer.add(.timedEdges, timed)
        writer.add(.timedVariants, variants)
        writer.add(.firstSetCondition, first)
        writer.add(.setConditions, conditions)
        writer.add(.timedVertices, timedVertices)
        writer.add(.vertexVariants, blocked)
    }

    // MARK: Limits

    private func addLimits(_ writer: inout SectionWriter) {
        var records: [LimitRecord] = []
        var numbers: [LimitRecord: UInt32] = [:]
        func number(_ limits: RoadLimits) -> UInt32 {
            if limits == RoadLimits() { return .max }
            let record = LimitRecord(limits)
            if let known = numbers[record] { return known }
            let number = UInt32(records.count)
            numbers[record] = number
            records.append(record)
            return number
        }
        let ways = builder.wayLimits.sorted { $0.key < $1.key }.map { way, limits in
            WayLimits(way: way, forward: number(limits.forward), backward: number(limits.backward))
        }
        var vertices: [VertexLimits] = []
        for (node, limits) in builder.nodeLimits.sorted(by: { $0.key < $1.key }) {
            guard let place = nodeTable.find(node), vertexOfNode[Int(place)] != .max else { continue }
            vertices.append(VertexLimits(vertex: vertexOfNode[Int(place)], limits: number(limits)))
        }
        vertices.sort { $0.vertex < $1.vertex }
        writer.add(.limits, records)
        writer.add(.wayLimits, ways)
        writer.add(.vertexLimits, vertices)
    }

    // MARK: Geometry and texts

    private func addShapes(_ writer: inout SectionWriter) throws(RoutingError) {
        var first: [UInt32] = [0]
        first.reserveCapacity(edges.count + 1)
        var bytes: [UInt8] = []
        for edge in edges {
            let own = edge.first..<edge.first + edge.count
            EdgeShapes.append(builder.points[own], nodes: builder.nodeIDs[own], to: &bytes)
            guard bytes.count < Int(UInt32.max) else {
                throw .invalidRequest(reason: "more roads than one graph can hold")
            }
            first.append(UInt32(bytes.count))
        }
        writer.add(.firstShapeByte, first)
        writer.add(.shapeBytes, bytes)
    }

    private func addWays(_ writer: inout SectionWriter) {
        let factors = builder.passages.map { WayFactors($0.all.map(\.factor)) }
        var numbers: [WayLook: UInt32] = [:]
        var looks: [WayLook] = []
        var factorNumbers: [WayFactors: UInt32] = [:]
        var allFactors: [WayFactors] = []
        let wayLooks = builder.ways.map { way in
            let own = factors[Int(way.passages)]
            let number = factorNumbers[own] ?? UInt32(allFactors.count)
            if Int(number) == allFactors.count {
                factorNumbers[own] = number
                allFactors.append(own)
            }
            let look = WayLook(forward: way.forward, backward: way.backward, factors: number)
            if let known = numbers[look] { return known }
            let new = UInt32(looks.count)
            numbers[look] = new
            looks.append(look)
            return new
        }
        writer.add(.ways, zip(builder.ways, wayLooks).map { WayRecord(wayID: $0.id, look: $1) })
        writer.add(.looks, looks)
        writer.add(.factors, allFactors)
    }

    /// - Parameter first: where each state's rules begin, and the end.
    private func addRules(_ first: [UInt32], _ writer: inout SectionWriter) {
        var states: [UInt32] = []
        var begins: [UInt32] = []
        for state in 0..<max(first.count - 1, 0) where first[state] != first[state + 1] {
            states.append(UInt32(state))
            begins.append(first[state])
        }
        begins.append(first.last ?? 0)
        writer.add(.ruledStates, states)
        writer.add(.firstRule, begins)
    }

    private func addStrings(_ writer: inout SectionWriter) {
        var first: [UInt32] = []
        var bytes: [UInt8] = []
        for text in builder.strings.texts {
            first.append(UInt32(truncatingIfNeeded: bytes.count))
            bytes += text.utf8
        }
        first.append(UInt32(truncatingIfNeeded: bytes.count))
        writer.add(.firstStringByte, first)
        writer.add(.stringBytes, bytes)
    }

    private func addTree(_ writer: inout SectionWriter) {
        var leaves: [PackedTree.Leaf] = []
        for (number, edge) in edges.enumerated() {
            let passages = builder.passages[Int(builder.ways[Int(edge.way)].passages)].all
            guard passages.contains(where: { $0.traits != 0 }) || builder.wayTimes[edge.way] != nil else { continue }
            for part in 0..<PackedTree.partCount(of: edge.count - 1) {
                let segments = PackedTree.segments(ofPart: part, of: edge.count - 1)
                var box = TreeBox(south: .max, west: .max, north: .min, east: .min)
                for point in builder.points[edge.first + segments.lowerBound...edge.first + segments.upperBound] {
                    box.south = min(box.south, point.latitude)
                    box.north = max(box.north, point.latitude)
                    box.west = min(box.west, point.longitude)
                    box.east = max(box.east, point.longitude)
                }
                leaves.append(PackedTree.Leaf(box: box, edge: UInt32(number), part: UInt8(clamping: part)))
            }
        }
        PackedTree.add(leaves, to: &writer)
    }
}

/// What one profile adds to the directed edges.
struct ProfileColumns {
    /// As `PackedTime` rounds them.
    var weights: [UInt32]
    /// The same, where they do not follow from the weights; else empty.
    var durations: [UInt32] = []
    var traits: [UInt8]
    /// By directed edge; `.max` where it is closed.
    private var parts: [UInt32] = []
    /// The largest first.
    private var partSizes: [UInt32] = []
    /// Metres a second; above 0.
    var topSpeed = 1.0

    init(count: Int) {
        weights = [UInt32](repeating: .max, count: count)
        traits = [UInt8](repeating: 0, count: count)
    }

    /// Adds all but the durations as sections from `first` on.
    func add(to writer: inout SectionWriter, first: UInt32) {
        writer.add(first, weights.map { PackedTime(milliseconds: $0).bits })
        writer.add(first + 1, traits)
        let edges = parts.indices.filter { parts[$0] != 0 && parts[$0] != .max }
        writer.add(first + 2, edges.map { UInt32($0) })
        writer.add(first + 3, edges.map { parts[$0] })
        writer.add(first + 4, partSizes)
    }

    /// Finds the strongly connected parts of the directed edges, turn restrictions left aside (Tarjan 1972, without
    /// recursion). Closed edges belong to none.
    mutating func findParts(
        heads: [UInt32], firstLeaving: [UInt32], leaving: [UInt32], vertexFacts: [UInt32], user: RoadUser
    ) {
        let count = heads.count
        parts = [UInt32](repeating: .max, count: count)
        partSizes = []
        let unseen = UInt32.max
        var order = [UInt32](repeating: unseen, count: count)
        var low = [UInt32](repeating: 0, count: count)
        var onStack = [Bool](repeating: false, count: count)
        var stack: [UInt32] = []
        var frames: [(edge: UInt32, next: UInt32)] = []
        var counter: UInt32 = 0
        for start in 0..<count where weights[start] != .max && order[start] == unseen {
            frames.append((UInt32(start), firstLeaving[Int(heads[start])]))
            order[start] = counter
            low[start] = counter
            counter += 1
            stack.append(UInt32(start))
            onStack[start] = true
            while let frame = frames.last {
                let edge = Int(frame.edge)
                let vertex = Int(heads[edge])
                if frame.next < firstLeaving[vertex + 1] {
                    frames[frames.count - 1].next += 1
                    let onward = Int(leaving[Int(frame.next)])
                    guard weights[onward] != .max else { continue }
                    if onward == edge ^ 1 {
                        guard traits[edge] & EdgeTraits.deadEnd != 0 else { continue }
                    } else if vertexFacts[vertex] & UInt32(user.bit) != 0 {
                        continue
                    }
                    if order[onward] == unseen {
                        order[onward] = counter
                        low[onward] = counter
                        counter += 1
                        stack.append(UInt32(onward))
                        onStack[onward] = true
                        frames.append((UInt32(onward), firstLeaving[Int(heads[onward])]))
                    } else if onStack[onward] {
                        low[edge] = min(low[edge], order[onward])
                    }
                } else {
                    frames.removeLast()
                    if let parent = frames.last { low[Int(parent.edge)] = min(low[Int(parent.edge)], low[edge]) }
                    if low[edge] == order[edge] {
                        let part = UInt32(partSizes.count)
                        var size: UInt32 = 0
                        while let member = stack.popLast() {
                            onStack[Int(member)] = false
                            parts[Int(member)] = part
                            size += 1
                            if Int(member) == edge { break }
                        }
                        partSizes.append(size)
                    }
                }
            }
        }
        guard let most = partSizes.max(), let largest = partSizes.firstIndex(of: most), largest > 0 else { return }
        partSizes.swapAt(0, largest)
        for index in parts.indices {
            if parts[index] == 0 { parts[index] = UInt32(largest) } else if parts[index] == largest { parts[index] = 0 }
        }
    }
}

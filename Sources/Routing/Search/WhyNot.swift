import Geometry
import OpenStreetMap

/// Finds out why a leg has no way: which rules would have to be lifted, and how far one gets.
///
/// The search for the former goes over the roads that are closed as well. Lifting a rule costs more than any way does, so
/// that the fewest are lifted and of those ways the quickest is taken. Nobody asks this of a route that there is: labels lie
/// in a dictionary, and at most `limit` states are settled. Where that is not enough, as on a country whose one island is
/// cut off, the search begins at the smaller end and stops where the other end's network begins; restrictions over several
/// edges are passed over then.
struct WhyNot {
    /// As the request's wishes see it.
    let graph: RoadGraph
    /// As the map has it.
    let base: RoadGraph
    let user: RoadUser
    let wishes: RoadWishes
    let search: EdgeSearch
    let closed: ClosedEdges?
    var limit = 200_000

    /// Why an edge cannot be entered; there may be several reasons. What the edge before has as well needs no permission again.
    private struct Fault: Equatable {
        /// Ways by their numbers, since each needs a permission of its own.
        var closedWay: UInt32?
        var slowWay: UInt32?
        var onewayWay: UInt32?
        var closedByTagWay: UInt32?
        var isUnsuited = false
        var excluded: RoadKinds = []
        /// The number of a limit that the vehicle exceeds.
        var limit: UInt32?

        static let none = Fault()

        /// What is left for someone who has the permissions of `other`.
        func without(_ other: Fault) -> Fault {
            var left = self
            if other.closedWay == closedWay { left.closedWay = nil }
            if other.slowWay == slowWay { left.slowWay = nil }
            if other.onewayWay == onewayWay { left.onewayWay = nil }
            if other.closedByTagWay == closedByTagWay { left.closedByTagWay = nil }
            if other.isUnsuited { left.isUnsuited = false }
            left.excluded.subtract(other.excluded)
            if other.limit == limit { left.limit = nil }
            return left
        }

        var count: Int {
            [closedWay, slowWay, onewayWay, closedByTagWay, limit].count { $0 != nil } + (isUnsuited ? 1 : 0)
                + (excluded.isEmpty ? 0 : 1)
        }
    }

    /// What one lifted rule adds to a key, whose lower bits are milliseconds.
    private static let lifted: UInt64 = 1 << 44

    // MARK: What is in the way

    /// The least that would have to be lifted; empty where nothing helps or the bounds were too narrow.
    func hindrances(from start: [EdgePlace], to goal: [EdgePlace]) -> [Hindrance] {
        let seeds = ends(of: start)
        let targets = Set(ends(of: goal))
        if 2 * graph.edgeCount > limit {
            let (start, end) = (largestPart(seeds), largestPart(Array(targets)))
            if let start, let end, start.part != end.part {
                let profile = graph.arrays.profile(user)
                func belongs(_ part: UInt32) -> (UInt32) -> Bool {
                    { edge in profile.weights[edge] != .max && profile.parts.part(of: edge) == part && !isClosed(edge) }
                }
                let backwards = { way(from: Array(targets), to: belongs(start.part), backwards: true) }
                let forwards = { way(from: seeds, to: belongs(end.part), backwards: false) }
                for search in end.size <= start.size ? [backwards, forwards] : [forwards, backwards] {
                    if let states = search() { return hindrances(along: states) }
                }
                return []
            }
        }
        return way(from: seeds, to: { targets.contains($0) }, backwards: false).map { hindrances(along: $0) } ?? []
    }

    private func open(_ places: [EdgePlace]) -> [UInt32] {
        places.flatMap { place in [2 * place.edge, 2 * place.edge + 1].filter { place.isOpen($0) } }
    }

    /// The directions in which a stop may be left or reached, and those in which a rule forbids it.
    private func ends(of places: [EdgePlace]) -> [UInt32] {
        places.flatMap { place in
            [2 * place.edge, 2 * place.edge + 1].filter { place.isOpen($0) || fault(of: $0) != .none }
        }
    }

    private func largestPart(_ edges: [UInt32]) -> (part: UInt32, size: Int)? {
        let profile = graph.arrays.profile(user)
        var best: (part: UInt32, size: Int)?
        for edge in edges {
            guard profile.weights[edge] != .max, let size = profile.parts.size(around: edge) else { continue }
            if best.map({ $0.size < size }) ?? true { best = (profile.parts.part(of: edge), size) }
        }
        return best
    }

    /// States from a seed to an edge that is a goal, in the order of travel, with as few rules lifted as may be; nil where
    /// there is none within the bounds.
    private func way(from seeds: [UInt32], to isGoal: (UInt32) -> Bool, backwards: Bool) -> [UInt32]? {
        let arrays = graph.arrays
        var labels: [UInt32: (key: UInt64, next: UInt32)] = [:]
        var queue = BinaryHeap<(key: UInt64, state: UInt32)> { $0.key < $1.key }
        for seed in seeds {
            // Backwards the end's own fault counts where it is entered.
            let key = backwards ? 0 : UInt64(fault(of: seed).count) * Self.lifted
            labels[seed] = (key, .max)
            queue.push((key, seed))
        }
        var hit: (key: UInt64, from: UInt32, goal: UInt32)?
        var settled = 0
        while let (key, state) = queue.pop() {
            if let hit, hit.key <= key { break }
            guard let label = labels[state], label.key == key, let edge = search.edge(of: state) else { continue }
            settled += 1
            if settled > limit { return nil }
            guard let vertex = arrays.heads[backwards ? edge ^ 1 : edge], let begin = arrays.firstLeaving[vertex],
                let end = arrays.firstLeaving[vertex + 1], begin <= end, Int(end) <= arrays.leaving.count
            else { return nil }
            for index in begin..<end {
                let leaving = arrays.leaving.base[Int(index)]
                guard Int(leaving) < arrays.heads.count else { return nil }
                let (before, entered) = backwards ? (leaving ^ 1, edge) : (edge, leaving)
                guard let move = move(from: backwards ? before : state, over: before, into: entered) else { continue }
                let reached = backwards ? before : entered
                let total = key + move.key
                if isGoal(reached), hit.map({ total < $0.key }) ?? true { hit = (total, state, reached) }
                let next = backwards ? before : move.next
                let sum = total + milliseconds(on: reached)
                if let old = labels[next], old.key <= sum { continue }
                labels[next] = (sum, state)
                queue.push((sum, next))
            }
        }
        guard let hit else { return nil }
        var states = [hit.goal]
        var state = hit.from
        while state != .max, states.count <= labels.count + 1 {
            states.append(state)
            state = labels[state]?.next ?? .max
        }
        return backwards ? states : states.reversed()
    }

    /// What going on costs, and the state that follows; nil where not even lifting a rule helps.
    private func move(from state: UInt32, over edge: UInt32, into onward: UInt32) -> (key: UInt64, next: UInt32)? {
        let fault = fault(of: onward)
        if onward == edge ^ 1 {
            guard fault == .none, let turn = search.turn(from: state, into: onward) else { return nil }
            return (UInt64(turn.cost), turn.next)
        }
        let isBlocked = isBlocked(after: edge)
        if fault == .none, !isBlocked {
            if let turn = search.turn(from: state, into: onward) { return (UInt64(turn.cost), turn.next) }
            return (Self.lifted, onward)
        }
        var lifts = (isBlocked ? 1 : 0) + fault.without(self.fault(of: edge)).count
        let next = search.next(after: state, into: onward)
        if next == nil { lifts += 1 }
        return (UInt64(lifts) * Self.lifted, next ?? onward)
    }

    private func isBlocked(after edge: UInt32) -> Bool {
        guard let vertex = graph.arrays.heads[edge], let facts = graph.arrays.vertexFacts[vertex] else { return false }
        return facts & UInt32(user.bit) != 0
    }

    private func isClosed(_ directed: UInt32) -> Bool {
        graph.arrays.profile(user).weights[directed] == .max || closed?.contains(directed) == true
    }

    /// What an edge costs; a closed one as at a bicycle's pace.
    private func milliseconds(on directed: UInt32) -> UInt64 {
        if let weight = graph.arrays.profile(user).weights[directed], weight != .max { return UInt64(weight) }
        if let weight = base.arrays.profile(user).weights[directed], weight != .max { return UInt64(weight) }
        guard let head = graph.arrays.heads[directed].flatMap({ graph.location(ofVertex: Int($0)) }),
            let tail = graph.arrays.heads[directed ^ 1].flatMap({ graph.location(ofVertex: Int($0)) })
        else { return 1 }
        return UInt64(head.distance(to: tail) * 240) + 1
    }

    private func fault(of directed: UInt32) -> Fault {
        var fault = Fault()
        let way = way(of: directed)
        if closed?.contains(directed) == true { fault.closedWay = way }
        guard let weight = graph.arrays.profile(user).weights[directed], weight == .max else { return fault }
        if wishes.vehicle != VehicleSize(), let limit = limit(of: directed), let record = base.arrays.limits[limit],
            !wishes.vehicle.passes(record.limits)
        {
            fault.limit = limit
        }
        if !wishes.excluded.isEmpty { fault.excluded = excludedKinds(directed) }
        let plain = base.arrays.profile(user)
        if plain.weights[directed] != .max {
            if fault.limit == nil, fault.excluded.isEmpty { fault.slowWay = way }
            return fault
        }
        if closesBySpeed(directed) { fault.slowWay = way }
        if let back = plain.weights[directed ^ 1], back != .max {
            fault.onewayWay = way
        } else if closingTag(directed) != nil {
            fault.closedByTagWay = way
        } else {
            fault.isUnsuited = true
        }
        return fault
    }

    /// Whether the request's speeds close a piece of an edge.
    private func closesBySpeed(_ directed: UInt32) -> Bool {
        var nodes: [Int64] = []
        guard let speeds = wishes.speeds, base.arrays.readNodes(of: directed >> 1, into: &nodes) else { return false }
        return nodes.indices.dropLast().contains { point in
            let (a, b) = directed & 1 == 0 ? (point, point + 1) : (point + 1, point)
            return speeds.speed(from: nodes[a], to: nodes[b]) == 0
        }
    }

    private func way(of directed: UInt32) -> UInt32 { graph.arrays.edgeWays[directed >> 1] ?? 0 }

    // MARK: Told to people

    private func hindrances(along states: [UInt32]) -> [Hindrance] {
        var reader = AttributeReader(graph: base)
        var found: [Hindrance] = []
        var before: UInt32?
        for state in states {
            let last = before
            before = state
            guard let onward = search.edge(of: state), let vertex = graph.arrays.heads[onward ^ 1],
                let place = graph.arrays.vertices[vertex]
            else { continue }
            // The first edge is where the way sets out: only its own fault counts.
            let edge = last.flatMap { search.edge(of: $0) }
            if let edge, onward == edge ^ 1 { continue }
            let fault = fault(of: onward)
            let isBlocked = edge.map { self.isBlocked(after: $0) } ?? false
            let road = try? reader.road(onward)
            let name = road.map { $0.name.isEmpty ? $0.ref : $0.name } ?? ""
            func add(_ rule: Hindrance.Rule, _ id: OSMID, _ road: String) {
                found.append(Hindrance(rule: rule, id: id, road: road, coordinate: place.coordinate))
            }
            if isBlocked { add(barrier(at: vertex), OSMID(.node, place.nodeID), "") }
            if let last, search.next(after: last, into: onward) == nil {
                add(.turnRestriction(into: road?.wayID ?? 0), OSMID(.node, place.nodeID), "")
            }
            let left = edge.map { fault.without(self.fault(of: $0)) } ?? fault
            let way = OSMID(.way, road?.wayID ?? 0)
            if left.closedWay != nil { add(.closure, way, name) }
            if !left.excluded.isEmpty { add(.excluded(left.excluded), way, name) }
            if let limit = left.limit.flatMap({ base.arrays.limits[$0] }) {
                add(.tooLarge(wishes.vehicle.exceeded(limit.limits)), way, name)
            }
            if left.slowWay != nil { add(.speed, way, name) }
            if left.onewayWay != nil { add(.oneway, way, name) }
            if left.closedByTagWay != nil { add(.access(closingTag(onward) ?? ""), way, name) }
            if left.isUnsuited { add(.unsuited(road?.roadClass ?? .other), way, name) }
        }
        return found
    }

    private func barrier(at vertex: UInt32) -> Hindrance.Rule {
        let arrays = base.arrays
        if let facts = arrays.vertexFacts[vertex], facts & UInt32(user.bit) != 0 {
            let known = arrays.barriers.first(where: vertex, \.vertex)
            let kind = known.flatMap { try? AttributeReader(graph: base).string($0.kind) } ?? ""
            return .barrier(kind.isEmpty ? "barrier" : kind)
        }
        if let limit = arrays.vertexLimits.first(where: vertex, \.vertex),
            let record = arrays.limits[limit.limits], !wishes.vehicle.passes(record.limits)
        {
            return .tooLarge(wishes.vehicle.exceeded(record.limits))
        }
        return .excluded(.tolls)
    }

    private func closingTag(_ directed: UInt32) -> String? {
        guard let closed = base.arrays.closedWays.first(where: way(of: directed), \.way) else { return nil }
        let string =
            switch user {
            case .car: closed.car
            case .bicycle: closed.bicycle
            case .foot: closed.foot
            }
        return string == 0 ? nil : try? AttributeReader(graph: base).string(string)
    }

    /// The number of a road's limits.
    private func limit(of directed: UInt32) -> UInt32? {
        guard let limited = base.arrays.wayLimits.first(where: way(of: directed), \.way) else { return nil }
        let limit = directed & 1 == 0 ? limited.forward : limited.backward
        return limit == .max ? nil : limit
    }

    private func excludedKinds(_ directed: UInt32) -> RoadKinds {
        guard let record = base.arrays.ways[way(of: directed)],
            let attributes = base.arrays.attributes[directed & 1 == 0 ? record.forward : record.backward]
        else { return [] }
        var kinds = attributes.kinds
        if let traits = base.arrays.profile(user).traits[directed],
            traits & EdgeTraits.mode == TravelMode.ferry.rawValue
        {
            kinds.insert(.ferries)
        }
        return kinds.intersection(wishes.excluded)
    }

    // MARK: How far one gets

    /// The place nearest to a stop that can be reached from the start.
    ///
    /// All of what can be reached is looked at where that is not much; otherwise the roads around the stop are asked, the
    /// nearer first, whether a way leads there.
    /// - Parameter reaches: whether a way leads to a place; costs a search, and is asked `tries` times at most.
    func nearestReachable(
        to stop: Coordinate, from starts: [EdgePlace], snapper: Snapper, tries: Int,
        reaches: (EdgePlace) throws(RoutingError) -> Bool
    ) throws(RoutingError) -> EdgePlace? {
        if let (edges, entered) = reachable(from: starts) {
            var best: EdgePlace?
            for edge in edges {
                guard var place = try snapper.place(onEdge: edge >> 1, near: stop) else { continue }
                let isEntered = entered.contains(edge)
                place.isForwardOpen = place.isForwardOpen && edge & 1 == 0
                place.isBackwardOpen = place.isBackwardOpen && edge & 1 == 1
                guard place.isOpen(edge) else { continue }
                if !isEntered {
                    // Of the start's own road, only what lies ahead.
                    guard let start = starts.first(where: { $0.edge == edge >> 1 && $0.isOpen(edge) }) else { continue }
                    if place.fraction(along: edge) < start.fraction(along: edge) {
                        place.segment = start.segment
                        place.point = start.point
                        place.fraction = start.fraction
                        place.distance = start.point.coordinate.distance(to: stop)
                    }
                }
                if best.map({ place.distance < $0.distance }) ?? true { best = place }
            }
            return best
        }
        var farthest = 0.0
        for start in starts { farthest = max(farthest, start.point.coordinate.distance(to: stop)) }
        let profile = graph.arrays.profile(user)
        var failed: [UInt32: Int] = [:]
        var left = tries
        var seen = 0
        var best: EdgePlace?
        try snapper.nearest(to: Stop(stop), within: farthest) { (place) throws(RoutingError) in
            seen += 1
            for directed in [2 * place.edge, 2 * place.edge + 1] where place.isOpen(directed) && !isClosed(directed) {
                let part = profile.parts.part(of: directed)
                // What hangs together can be reached together, but for restrictions.
                if failed[part, default: 0] > 1 { continue }
                var one = place
                one.isForwardOpen = directed & 1 == 0
                one.isBackwardOpen = directed & 1 == 1
                left -= 1
                if try reaches(one) {
                    best = one
                    return false
                }
                failed[part, default: 0] += 1
            }
            return left > 0 && seen < 20_000
        }
        return best
    }

    /// The edges that can be reached, and those of them that are entered at their beginning; nil where they are more than
    /// half of `limit`.
    private func reachable(from starts: [EdgePlace]) -> (edges: Set<UInt32>, entered: Set<UInt32>)? {
        let arrays = graph.arrays
        var states = Set(open(starts))
        var edges = states
        var entered: Set<UInt32> = []
        var waiting = Array(states)
        while let state = waiting.popLast() {
            guard let edge = search.edge(of: state), let vertex = arrays.heads[edge],
                let begin = arrays.firstLeaving[vertex], let end = arrays.firstLeaving[vertex + 1], begin <= end,
                Int(end) <= arrays.leaving.count
            else { continue }
            for index in begin..<end {
                let onward = arrays.leaving.base[Int(index)]
                guard let turn = search.turn(from: state, into: onward) else { continue }
                entered.insert(onward)
                edges.insert(onward)
                if states.insert(turn.next).inserted { waiting.append(turn.next) }
            }
            if states.count > limit / 2 { return nil }
        }
        return (edges, entered)
    }
}

extension VehicleSize {
    /// What a limit allows at most of that which is too large, as "3.5 m high, 7.5 t".
    func exceeded(_ limits: RoadLimits) -> String {
        var texts: [String] = []
        func add(_ value: Double?, _ limit: UInt16, _ scale: Double, _ words: String) {
            guard let value, limit > 0, (value * scale).rounded() > Double(limit) else { return }
            let hundredths = Int((Double(limit) / scale * 100).rounded())
            var text = "\(hundredths / 100)"
            if hundredths % 100 != 0 {
                let rest = hundredths % 100
                text += rest % 10 == 0 ? ".\(rest / 10)" : rest < 10 ? ".0\(rest)" : ".\(rest)"
            }
            texts.append(text + words)
        }
        add(height, limits.height, 1000, " m high")
        add(width, limits.width, 1000, " m wide")
        add(length, limits.length, 1000, " m long")
        add(weight, limits.weight, 100, " t")
        add(axleLoad, limits.axleLoad, 100, " t an axle")
        return texts.joined(separator: ", ")
    }
}

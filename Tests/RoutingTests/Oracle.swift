import Geometry
import OpenStreetMap

@testable import Routing

/// A slow router that reads ways and relations as they are and knows nothing of `RoadGraph`.
///
/// It cuts ways into pieces at shared nodes, and runs Dijkstra's algorithm over whole histories: a label is the last few
/// pieces driven, and every restriction is compared with them, member by member, at every turn. Only the tables of
/// speeds and turn costs are the router's.
struct Oracle {
    struct Piece: Hashable {
        var way: Int
        /// Places in the way's list of nodes; `from > to` is against the way.
        var from: Int
        var to: Int
    }

    let ways: [OSMWay]
    let relations: [OSMRelation]
    let tags: [RoadTags?]
    let facts: [Int64: RoadNodeTags]
    let user = RoadUser.car
    let rules: CountryRules
    /// What is wished of all roads, read from their tags.
    let wishes: RoadWishes
    /// Closed ways by their numbers, and pieces by two nodes, of one request.
    let closures: [RoadClosure]
    private(set) var pieces: [Piece] = []
    private(set) var leaving: [Int64: [Int]] = [:]
    let memory: Int
    let booths: Set<Int64>
    /// Nodes that the wishes do not let pass.
    let closedNodes: Set<Int64>

    init(
        ways: [OSMWay], nodes: [OSMNode], relations: [OSMRelation], rules: CountryRules = .unknown,
        wishes: RoadWishes = RoadWishes(), closures: [RoadClosure] = [], cuts: Set<Int64> = []
    ) {
        self.wishes = wishes
        self.closures = closures
        self.ways = ways
        self.relations = relations
        self.rules = rules
        tags = ways.map { RoadTags($0.tags, rules: rules) }
        var facts: [Int64: RoadNodeTags] = [:]
        for node in nodes { facts[node.id] = RoadNodeTags(node.tags) }
        let booths = Set(nodes.filter { $0.tags["barrier"] == "toll_booth" }.map(\.id))
        closedNodes = Set(
            nodes.filter { node in
                !Self.passes(node.tags, wishes.vehicle, forward: nil)
                    || (wishes.excluded.contains(.tolls) && booths.contains(node.id))
            }.map(\.id))
        self.booths = booths
        let limited = Set(nodes.filter { $0.tags.pairs.contains { $0.key.hasPrefix("max") } }.map(\.id))
        self.facts = facts
        var uses: [Int64: Int] = [:]
        for way in ways {
            for (index, node) in way.nodes.enumerated() {
                uses[node, default: 0] += index == 0 || index == way.nodes.count - 1 ? 2 : 1
            }
        }
        // A restriction looks back over its from way and all pieces of its via ways.
        memory = 2 + 4 * (relations.map { $0.members.filter { $0.role == "via" }.count }.max() ?? 0)
        for (number, way) in ways.enumerated() where tags[number] != nil {
            var start = 0
            for index in 1..<way.nodes.count
            where uses[way.nodes[index], default: 0] >= 2 || facts[way.nodes[index]] != nil
                || limited.contains(way.nodes[index]) || cuts.contains(way.nodes[index])
            {
                pieces.append(Piece(way: number, from: start, to: index))
                pieces.append(Piece(way: number, from: index, to: start))
                start = index
            }
        }
        for (index, piece) in pieces.enumerated() { leaving[tail(piece), default: []].append(index) }
    }

    func tail(_ piece: Piece) -> Int64 { ways[piece.way].nodes[piece.from] }
    func head(_ piece: Piece) -> Int64 { ways[piece.way].nodes[piece.to] }
    func points(_ piece: Piece) -> [FixedPoint] {
        let range = min(piece.from, piece.to)...max(piece.from, piece.to)
        let points = ways[piece.way].locations[range].map { FixedPoint($0 ?? Coordinate(latitude: 0, longitude: 0)) }
        return piece.from < piece.to ? points : points.reversed()
    }

    func passage(_ piece: Piece) -> RoadPassage? {
        guard let tags = tags[piece.way] else { return nil }
        let passage = (piece.from < piece.to ? tags.forward : tags.backward)[Int(user.rawValue)]
        return passage.isOpen ? passage : nil
    }

    func length(_ points: [FixedPoint]) -> Double {
        zip(points, points.dropFirst()).reduce(0) { $0 + Ground.metres($1.0, $1.1) }
    }

    /// Milliseconds without any wish; nil where closed.
    func plainWeight(_ piece: Piece) -> UInt32? {
        guard let passage = passage(piece) else { return nil }
        let speed = (passage.speed * 100).rounded(.down) / 100 / 3.6
        return Self.kept(length(points(piece)) / speed * factor(passage) / 256 * 1000)
    }

    /// What a second costs, in whole 256ths.
    func factor(_ passage: RoadPassage) -> Double { (passage.factor * 256).rounded(.down) }

    /// Milliseconds as a graph keeps them: rounded up to whole ones, then to the nearest with twelve bits.
    static func kept(_ milliseconds: Double) -> UInt32 {
        let whole = max(milliseconds.rounded(.up), 1)
        var unit = 1.0
        while (whole / unit).rounded() > 4095 { unit *= 2 }
        return UInt32((whole / unit).rounded() * unit)
    }

    static func passes(_ tags: Tags, _ vehicle: VehicleSize, forward: Bool?) -> Bool {
        func limit(_ key: String) -> Double? {
            let directed = forward.flatMap { tags[key + ($0 ? ":forward" : ":backward")] }
            return [directed, tags[key]].compactMap { $0.flatMap(Double.init) }.min()
        }
        for (key, size) in [
            ("maxheight", vehicle.height), ("maxwidth", vehicle.width), ("maxlength", vehicle.length),
            ("maxweight", vehicle.weight), ("maxaxleload", vehicle.axleLoad),
        ] {
            if let size, let limit = limit(key), size > limit { return false }
        }
        return true
    }

    /// The kinds of a way that one may wish to avoid, from its tags.
    static func kinds(_ tags: Tags) -> RoadKinds {
        var kinds: RoadKinds = []
        if tags["toll"] == "yes" { kinds.insert(.tolls) }
        if tags["highway"] == "motorway" || tags["highway"] == "motorway_link" { kinds.insert(.motorways) }
        if tags["route"] == "ferry" { kinds.insert(.ferries) }
        if let tunnel = tags["tunnel"], tunnel != "no" { kinds.insert(.tunnels) }
        if RoadTags.isUnpaved(tags) { kinds.insert(.unpaved) }
        return kinds
    }

    func isAvoided(_ piece: Piece) -> Bool {
        var kinds = Self.kinds(ways[piece.way].tags)
        if booths.contains(head(piece)) { kinds.insert(.tolls) }
        return !kinds.isDisjoint(with: wishes.avoided.subtracting(wishes.excluded))
    }

    /// Milliseconds as the wishes have it; nil where closed, for this request or by them.
    func weight(_ piece: Piece) -> UInt32? {
        guard var weight = plainWeight(piece), let passage = passage(piece) else { return nil }
        let way = ways[piece.way]
        if !Self.kinds(way.tags).isDisjoint(with: wishes.excluded) { return nil }
        if !Self.passes(way.tags, wishes.vehicle, forward: piece.from < piece.to) { return nil }
        let nodes = stride(from: piece.from, through: piece.to, by: piece.from < piece.to ? 1 : -1).map {
            way.nodes[$0]
        }
        for closure in closures {
            switch closure {
            case .way(let id): if id == way.id { return nil }
            case .segment(let from, let to):
                if zip(nodes, nodes.dropFirst()).contains(where: { $0.0 == from && $0.1 == to }) { return nil }
            default: break
            }
        }
        if let speeds = wishes.speeds {
            // In whole milliseconds, as the graph knows the time of an edge.
            let plain = (Double(weight) * 256 / factor(passage)).rounded()
            let line = points(piece)
            var seconds = 0.0
            var rest = 0.0
            var isKnown = false
            for (index, (from, to)) in zip(nodes, nodes.dropFirst()).enumerated() {
                let metres = Ground.metres(line[index], line[index + 1])
                if let own = speeds.segments.first(where: { $0.from == from && $0.to == to }) {
                    isKnown = true
                    if own.speed == 0 { return nil }
                    seconds += metres / own.speed * 3.6
                } else {
                    rest += metres
                }
            }
            if isKnown {
                seconds += plain / 1000 * rest / length(line)
                // The time is kept as the cost is.
                weight = Self.kept(seconds * Double(weight) / plain * 1000)
            }
        }
        return isAvoided(piece) ? weight * UInt32(RoadWishes.avoidedFactor) : weight
    }

    func isReverse(_ a: Piece, _ b: Piece) -> Bool { a.way == b.way && a.from == b.to && a.to == b.from }

    /// Milliseconds lost between two pieces; nil where one may not go from one to the other.
    func turn(_ history: [Int], _ next: Int) -> UInt32? {
        guard let lastIndex = history.last else { return nil }
        let last = pieces[lastIndex]
        let onward = pieces[next]
        let node = head(last)
        let costs = TurnCosts.car
        let isBlocked = (facts[node]?.blocked ?? 0) & user.bit != 0 || closedNodes.contains(node)
        let around = leaving[node, default: []].map { pieces[$0] }
        var cost: UInt32 = 0
        if facts[node]?.hasSignal == true { cost += costs.byArrival[Int(ArrivalFacts.signal)] }
        if booths.contains(node) { cost += costs.byArrival[Int(ArrivalFacts.tollBooth)] }
        if isReverse(last, onward) {
            let others = around.filter { weight($0) != nil && !isReverse(last, $0) }
            guard isBlocked || others.isEmpty else { return nil }
            cost += costs.turningRound
        } else {
            if isBlocked { return nil }
            let usable = around.filter { piece in
                plainWeight(piece) != nil || plainWeight(Piece(way: piece.way, from: piece.to, to: piece.from)) != nil
            }
            if usable.count >= 3 {
                func bearing(_ points: [FixedPoint]) -> UInt16 {
                    // Segments of these towns are longer than the ten metres at which bearings are taken.
                    let length = Ground.metres(points[0], points[1])
                    let part = 10 / length
                    let mark = points[0].towards(points[1], part: part)
                    let degrees = points[0].coordinate.bearing(to: mark.coordinate)
                    return UInt16(truncatingIfNeeded: Int((degrees / 360 * 65536).rounded()))
                }
                let arriving = bearing(points(last).reversed()) &+ 32768
                cost += costs.byAngle[Int((bearing(points(onward)) &- arriving) >> 8) + (rules.drivesOnLeft ? 256 : 0)]
            }
        }
        if passage(onward)?.isRestricted == true, passage(last)?.isRestricted != true {
            cost += costs.enteringRestricted
        }
        if isAvoided(onward), !isAvoided(last) { cost += RoadWishes.enteringAvoided }
        for relation in relations where forbids(relation, history, onward) { return nil }
        return cost
    }

    /// Whether a restriction forbids `next` after `history`.
    func forbids(_ relation: OSMRelation, _ history: [Int], _ next: Piece) -> Bool {
        guard let kind = relation.tags["restriction"], let from = relation.members.first(where: { $0.role == "from" }),
            let to = relation.members.first(where: { $0.role == "to" })
        else { return false }
        let via = relation.members.filter { $0.role == "via" }
        var path = history.map { pieces[$0] }
        let node = tail(next)
        let toWay = ways[Int(to.id.number) - 1]
        let isTo = next.way == Int(to.id.number) - 1 && (next.from == 0 || next.from == toWay.nodes.count - 1)
        // The choice is made where the to way begins.
        guard toWay.nodes.first == node || toWay.nodes.last == node else { return false }
        if via.first?.id.type == .node {
            guard via[0].id.number == node else { return false }
        } else {
            // Backwards over the via ways: each is driven in one direction, piece by piece.
            for member in via.reversed() {
                let way = Int(member.id.number) - 1
                var taken = 0
                var direction: Bool?
                while let last = path.last, last.way == way {
                    let forward = last.from < last.to
                    if let direction, direction != forward { break }
                    direction = forward
                    path.removeLast()
                    taken += 1
                    // The way before may meet this one in its middle.
                    if path.last.map({ $0.way != way }) ?? true { break }
                }
                if taken == 0 { return false }
            }
        }
        guard let last = path.last, last.way == Int(from.id.number) - 1 else { return false }
        let fromWay = ways[last.way]
        guard last.to == 0 || last.to == fromWay.nodes.count - 1 else { return false }
        return kind.hasPrefix("only_") ? !isTo : isTo
    }

    /// The least cost from a place to another; nil where there is no way.
    func cost(from start: Place, to end: Place) -> Int? {
        struct Label: Hashable { var history: [Int] }
        var best: [Label: UInt32] = [:]
        var queue = BinaryHeap<(UInt32, Label)> { $0.0 < $1.0 }
        var answer = UInt32.max
        let starts = start.starts(self)
        let ends = end.ends(self)
        for (piece, fraction) in starts {
            guard let weight = weight(pieces[piece]) else { continue }
            for (other, to) in ends where other == piece && fraction <= to {
                answer = min(answer, UInt32((Double(weight) * (to - fraction)).rounded(.down)))
            }
            if fraction >= 1 { continue }
            let label = Label(history: [piece])
            let cost = UInt32((Double(weight) * (1 - fraction)).rounded(.down))
            if cost < best[label] ?? .max {
                best[label] = cost
                queue.push((cost, label))
            }
        }
        while let (cost, label) = queue.pop() {
            if cost >= answer { break }
            if cost > best[label] ?? .max { continue }
            guard let last = label.history.last else { continue }
            for next in leaving[head(pieces[last]), default: []] {
                guard let weight = weight(pieces[next]), let turn = turn(label.history, next) else { continue }
                for (piece, fraction) in ends where piece == next && fraction > 0 {
                    answer = min(answer, cost + turn + UInt32((Double(weight) * fraction).rounded(.down)))
                }
                let following = Label(history: Array((label.history + [next]).suffix(memory)))
                let total = cost + turn + weight
                if total < best[following] ?? .max {
                    best[following] = total
                    queue.push((total, following))
                }
            }
        }
        return answer == .max ? nil : Int(answer)
    }

    /// A node at which ways meet or end, or a spot within a piece.
    enum Place {
        case node(Int64)
        case spot(piece: Int, FixedPoint)

        /// Pieces with the part of them that lies behind the place.
        func starts(_ oracle: Oracle) -> [(Int, Double)] {
            switch self {
            case .node(let node):
                return oracle.pieces.indices.compactMap { index in
                    if oracle.tail(oracle.pieces[index]) == node { return (index, 0) }
                    return oracle.head(oracle.pieces[index]) == node ? (index, 1) : nil
                }
            case .spot(let piece, let point):
                let forward = oracle.pieces[piece].from < oracle.pieces[piece].to ? piece : piece ^ 1
                let points = oracle.points(oracle.pieces[forward])
                // The spot's segment is the nearest one.
                var before = 0.0
                var best = (distance: Double.infinity, before: 0.0)
                for (a, b) in zip(points, points.dropFirst()) {
                    let excess = Ground.metres(a, point) + Ground.metres(point, b) - Ground.metres(a, b)
                    if excess < best.distance { best = (excess, before + Ground.metres(a, point)) }
                    before += Ground.metres(a, b)
                }
                let fraction = min(best.before / before, 1)
                return [(forward, fraction), (forward ^ 1, 1 - fraction)]
            }
        }

        func ends(_ oracle: Oracle) -> [(Int, Double)] { starts(oracle) }
    }

    func tailNode(_ piece: Int) -> Int64 { tail(pieces[piece]) }
    func line(_ piece: Int) -> [FixedPoint] { points(pieces[piece]) }
}

extension Oracle {
    /// Milliseconds that a piece takes as the wishes have it; nil where it is closed.
    func duration(_ piece: Piece) -> UInt32? {
        guard let weight = plainWeight(piece), let passage = passage(piece), self.weight(piece) != nil else {
            return nil
        }
        let plain = (Double(weight) * 256 / factor(passage)).rounded()
        guard let speeds = wishes.speeds else { return Self.kept(plain) }
        let way = ways[piece.way]
        let nodes = stride(from: piece.from, through: piece.to, by: piece.from < piece.to ? 1 : -1).map {
            way.nodes[$0]
        }
        let line = points(piece)
        var seconds = 0.0
        var rest = 0.0
        var isKnown = false
        for (index, (from, to)) in zip(nodes, nodes.dropFirst()).enumerated() {
            let metres = Ground.metres(line[index], line[index + 1])
            if let own = speeds.segments.first(where: { $0.from == from && $0.to == to }) {
                isKnown = true
                seconds += metres / own.speed * 3.6
            } else {
                rest += metres
            }
        }
        return Self.kept(isKnown ? (seconds + plain / 1000 * rest / length(line)) * 1000 : plain)
    }

    /// Milliseconds for the angle between two pieces, where there is a choice.
    func angleCost(_ last: Piece, _ onward: Piece) -> UInt32 {
        let usable = leaving[head(last), default: []].map { pieces[$0] }.filter { piece in
            plainWeight(piece) != nil || plainWeight(Piece(way: piece.way, from: piece.to, to: piece.from)) != nil
        }
        guard usable.count >= 3 else { return 0 }
        func bearing(_ points: [FixedPoint]) -> UInt16 {
            let mark = points[0].towards(points[1], part: 10 / Ground.metres(points[0], points[1]))
            let degrees = points[0].coordinate.bearing(to: mark.coordinate)
            return UInt16(truncatingIfNeeded: Int((degrees / 360 * 65536).rounded()))
        }
        let arriving = bearing(points(last).reversed()) &+ 32768
        return TurnCosts.car.byAngle[
            Int((bearing(points(onward)) &- arriving) >> 8) + (rules.drivesOnLeft ? 256 : 0)]
    }
}

import OpenStreetMap

/// A turn restriction as its relation tells it: ways and nodes, not yet edges.
struct Restriction {
    var relation: Int64
    /// `only_...`, else `no_...`.
    var isOnly: Bool
    var from: [Int64]
    var to: [Int64]
    var viaNode: Int64?
    var viaWays: [Int64]
    /// `RoadUser.bit`s of those who must heed it.
    var users: UInt8
    /// When it holds; empty for always.
    var condition: String
}

/// Gathers restrictions, and the tags of ferry relations for their ways.
struct RestrictionCollector {
    var restrictions: [Restriction] = []
    var ferryTags: [Int64: Tags] = [:]

    /// Returns why a relation that should be a restriction is none.
    mutating func add(_ relation: OSMRelation) -> String? {
        guard let type = relation.tags["type"] else { return nil }
        if type == "route", let route = relation.tags["route"], route == "ferry" {
            for member in relation.members where member.id.type == .way {
                ferryTags[member.id.number] = Tags(
                    relation.tags.pairs.filter { ["route", "name", "ref"].contains($0.key) || Self.isAccess($0.key) })
            }
            return nil
        }
        guard type == "restriction" || type.hasPrefix("restriction:") else { return nil }
        var from: [Int64] = []
        var to: [Int64] = []
        var viaWays: [Int64] = []
        var viaNodes: [Int64] = []
        for member in relation.members {
            switch (member.role, member.id.type) {
            case ("from", .way): from.append(member.id.number)
            case ("to", .way): to.append(member.id.number)
            case ("via", .way): viaWays.append(member.id.number)
            case ("via", .node): viaNodes.append(member.id.number)
            default: break
            }
        }
        let rules = Self.rules(relation.tags, type: type)
        if rules.isEmpty { return nil }
        guard !from.isEmpty, !to.isEmpty, !viaWays.isEmpty || !viaNodes.isEmpty else {
            return "restriction without from, via or to"
        }
        guard !viaWays.isEmpty || viaNodes.count == 1 else { return "restriction with several via nodes" }
        guard from.count * to.count <= 64, viaWays.count <= 32 else { return "restriction with too many members" }
        guard Set(viaWays).count == viaWays.count else { return "restriction with a via way twice" }
        for rule in rules {
            restrictions.append(
                Restriction(
                    relation: relation.id, isOnly: rule.isOnly, from: from, to: to,
                    viaNode: viaWays.isEmpty ? viaNodes.first : nil, viaWays: viaWays, users: rule.users,
                    condition: rule.condition))
        }
        return nil
    }

    private static func isAccess(_ key: String) -> Bool {
        let plain = key.hasSuffix(":conditional") ? String(key.dropLast(12)) : key
        return ["access", "vehicle", "motor_vehicle", "motorcar", "bicycle", "foot", "duration", "opening_hours"]
            .contains(plain)
    }

    private struct Rule {
        var isOnly: Bool
        var users: UInt8
        var condition: String
    }

    private static func rules(_ tags: Tags, type: String) -> [Rule] {
        var rules: [Rule] = []
        let excepted = exceptions(tags["except"] ?? "")
        // The plain tag is for vehicles; special ones name whom they mean.
        var special: UInt8 = 0
        for (suffix, users) in Self.vehicles {
            var value = tags["restriction:" + suffix]
            if value == nil, type == "restriction:" + suffix { value = tags["restriction"] }
            if let value {
                special |= users
                if let isOnly = kind(value) {
                    rules.append(Rule(isOnly: isOnly, users: users & ~excepted, condition: ""))
                }
            }
            if let value = tags["restriction:" + suffix + ":conditional"] {
                for part in RoadConditions.parts(value) {
                    if let isOnly = kind(part.value) {
                        rules.append(Rule(isOnly: isOnly, users: users & ~excepted, condition: part.condition))
                    }
                }
            }
        }
        let common = (RoadUser.car.bit | RoadUser.bicycle.bit) & ~excepted
        if type == "restriction" {
            if let value = tags["restriction"], let isOnly = kind(value) {
                rules.append(Rule(isOnly: isOnly, users: common & ~special, condition: ""))
            }
            if let value = tags["restriction:conditional"] {
                for part in RoadConditions.parts(value) {
                    if let isOnly = kind(part.value) {
                        rules.append(Rule(isOnly: isOnly, users: common, condition: part.condition))
                    }
                }
            }
        }
        return rules.filter { $0.users != 0 }
    }

    private static let vehicles: [(String, UInt8)] = [
        ("motorcar", RoadUser.car.bit), ("motor_vehicle", RoadUser.car.bit),
        ("vehicle", RoadUser.car.bit | RoadUser.bicycle.bit), ("bicycle", RoadUser.bicycle.bit),
        ("foot", RoadUser.foot.bit),
    ]

    /// True for `only_...`, false for `no_...`; nil for other words.
    private static func kind(_ value: String) -> Bool? {
        if value.hasPrefix("only_") { return true }
        if value.hasPrefix("no_") { return false }
        return nil
    }

    private static func exceptions(_ value: String) -> UInt8 {
        var users: UInt8 = 0
        for word in value.split(whereSeparator: { $0 == ";" || $0 == " " || $0 == "," }) {
            switch word {
            case "motorcar", "motor_vehicle": users |= RoadUser.car.bit
            case "vehicle": users |= RoadUser.car.bit | RoadUser.bicycle.bit
            case "bicycle": users |= RoadUser.bicycle.bit
            case "foot": users |= RoadUser.foot.bit
            default: break
            }
        }
        return users
    }
}

/// The chain of edges that a way was cut into, in the way's direction.
struct WayChain {
    /// One more than the edges.
    var vertices: [UInt32]
    var edges: [UInt32]

    /// The directed edge of the chain that arrives at `vertex`, if the chain ends there. A closed chain has two.
    func arriving(_ vertex: UInt32) -> [UInt32] {
        var result: [UInt32] = []
        guard let firstEdge = edges.first, let lastEdge = edges.last else { return [] }
        if vertices.last == vertex { result.append(2 * lastEdge) }
        if vertices.first == vertex { result.append(2 * firstEdge + 1) }
        return result
    }

    func leaving(_ vertex: UInt32) -> [UInt32] { arriving(vertex).map { $0 ^ 1 } }

    var ends: [UInt32] { [vertices.first, vertices.last].compactMap { $0 } }

    /// The walks over the whole chain from one end: along it, against it, or either where it is closed. A via way is
    /// travelled from end to end; a restriction over a part of one names ways that were never cut.
    func walks(from start: UInt32) -> [(edges: [UInt32], end: UInt32)] {
        var result: [([UInt32], UInt32)] = []
        guard let first = vertices.first, let last = vertices.last else { return [] }
        if first == start { result.append((edges.map { 2 * $0 }, last)) }
        if last == start { result.append((edges.reversed().map { 2 * $0 + 1 }, first)) }
        return result
    }
}

/// Compiles restrictions into the rules of states.
struct RuleCompiler {
    let chains: [Int64: WayChain]
    let vertexOfNode: (Int64) -> UInt32?
    /// All directed edges that leave a vertex.
    let leaving: (UInt32) -> [UInt32]
    let head: (UInt32) -> UInt32
    let edgeStates: Int

    private(set) var skipped: [String: Int] = [:]
    private(set) var conditions: [String] = []

    /// A word whose last edge is forbidden after the others.
    private struct Word: Hashable {
        var edges: [UInt32]
        var users: UInt8
        var condition: UInt16
    }
    private var words: [Word] = []
    private var seen: Set<Word> = []

    init(
        chains: [Int64: WayChain], vertexOfNode: @escaping (Int64) -> UInt32?, leaving: @escaping (UInt32) -> [UInt32],
        head: @escaping (UInt32) -> UInt32, edgeStates: Int
    ) {
        self.chains = chains
        self.vertexOfNode = vertexOfNode
        self.leaving = leaving
        self.head = head
        self.edgeStates = edgeStates
    }

    mutating func add(_ restriction: Restriction) {
        guard let condition = number(restriction.condition) else {
            skipped["restriction with one condition too many", default: 0] += 1
            return
        }
        // (edges up to and with the last via way, the vertex where the choice is made)
        var openings: [([UInt32], UInt32)] = []
        var missing = false
        for from in restriction.from {
            guard let chain = chains[from] else {
                missing = true
                continue
            }
            if let node = restriction.viaNode {
                guard let vertex = vertexOfNode(node) else {
                    missing = true
                    continue
                }
                for edge in chain.arriving(vertex) { openings.append(([edge], vertex)) }
            } else {
                openings += self.openings(from: chain, via: restriction.viaWays, to: restriction.to, missing: &missing)
            }
        }
        var used = false
        for (opening, vertex) in openings {
            var targets: [UInt32] = []
            for to in restriction.to {
                guard let chain = chains[to] else {
                    missing = true
                    continue
                }
                targets += chain.leaving(vertex)
            }
            if targets.isEmpty { continue }
            used = true
            let forbidden = restriction.isOnly ? leaving(vertex).filter { !targets.contains($0) } : targets
            for edge in forbidden {
                // Turning round where one came from is no turn into the street that is named.
                if !restriction.isOnly, restriction.viaNode != nil, edge == opening[0] ^ 1,
                    restriction.from != restriction.to
                {
                    continue
                }
                let word = Word(edges: opening + [edge], users: restriction.users, condition: condition)
                if seen.insert(word).inserted { words.append(word) }
            }
        }
        if !used {
            let reason =
                missing
                ? "restriction whose members are not in the data"
                : "restriction whose members do not meet at their ends"
            skipped[reason, default: 0] += 1
        }
    }

    /// Forbids the last edge after the others.
    mutating func forbid(_ edges: [UInt32], users: UInt8) {
        let word = Word(edges: edges, users: users, condition: 0)
        if seen.insert(word).inserted { words.append(word) }
    }

    private mutating func number(_ condition: String) -> UInt16? {
        if condition.isEmpty { return 0 }
        if let index = conditions.firstIndex(of: condition) { return UInt16(index + 1) }
        guard conditions.count < 65000 else { return nil }
        conditions.append(condition)
        return UInt16(conditions.count)
    }

    /// Walks from `from` over the via ways in their order, or in the other where that fits.
    private func openings(
        from: WayChain, via: [Int64], to: [Int64], missing: inout Bool
    ) -> [([UInt32], UInt32)] {
        var viaChains: [WayChain] = []
        for id in via {
            guard let chain = chains[id] else {
                missing = true
                return []
            }
            viaChains.append(chain)
        }
        let toChains = to.compactMap { chains[$0] }
        var result: [([UInt32], UInt32)] = []
        var budget = 10_000  // steps; ways that share many vertices have more walks than anybody could mean
        for order in [viaChains, viaChains.reversed()] {
            for start in Set(from.ends).sorted() {
                for edge in from.arriving(start) {
                    walk(order[...], at: start, path: [edge], toChains: toChains, budget: &budget, result: &result)
                }
            }
            if !result.isEmpty || viaChains.count == 1 { break }
        }
        return result
    }

    private func walk(
        _ rest: ArraySlice<WayChain>, at vertex: UInt32, path: [UInt32], toChains: [WayChain], budget: inout Int,
        result: inout [([UInt32], UInt32)]
    ) {
        guard let chain = rest.first else {
            if toChains.contains(where: { $0.ends.contains(vertex) }) { result.append((path, vertex)) }
            return
        }
        budget -= 1
        guard budget > 0, path.count < 4096 else { return }
        for (edges, end) in chain.walks(from: vertex) where edges.first != path.last.map({ $0 ^ 1 }) {
            walk(rest.dropFirst(), at: end, path: path + edges, toChains: toChains, budget: &budget, result: &result)
        }
    }

    /// The rules of all states: `first` has a line for each state and one more; `stateEdges` the last edge of each further
    /// state.
    func compile() -> (first: [UInt32], rules: [TurnRule], stateEdges: [UInt32]) {
        // States below `edgeStates` are edges; the others are made here, shorter prefixes before longer ones.
        var stateEdges: [UInt32] = []
        var children: [Int: [UInt32: Int]] = [:]
        var own: [Int: [TurnRule]] = [:]
        var byLength: [[(state: Int, parent: Int, edge: UInt32)]] = []
        for word in words.sorted(by: { $0.edges.lexicographicallyPrecedes($1.edges) }) {
            var state = Int(word.edges[0])
            for (depth, edge) in word.edges.dropFirst().dropLast().enumerated() {
                if let next = children[state]?[edge] {
                    state = next
                } else {
                    let next = edgeStates + stateEdges.count
                    stateEdges.append(edge)
                    children[state, default: [:]][edge] = next
                    while byLength.count <= depth { byLength.append([]) }
                    byLength[depth].append((next, state, edge))
                    state = next
                }
            }
            guard let last = word.edges.last else { continue }
            own[state, default: []].append(
                TurnRule(edge: last, next: TurnRule.banned, condition: word.condition, users: word.users))
        }
        var rules: [Int: [TurnRule]] = [:]
        var fallback: [Int: Int] = [:]
        func ownRules(_ state: Int) -> [TurnRule] {
            var result = own[state] ?? []
            for (edge, next) in (children[state] ?? [:]).sorted(by: { $0.key < $1.key }) {
                result.append(TurnRule(edge: edge, next: UInt32(next - edgeStates), condition: 0, users: 0b111))
            }
            return result
        }
        for state in Set(own.keys).union(children.keys) where state < edgeStates { rules[state] = ownRules(state) }
        for level in byLength {
            for (state, parent, edge) in level {
                // The longest proper suffix of this prefix that is a state: where the parent's fallback goes with `edge`.
                var suffix = Int(edge)
                if let parentFallback = fallback[parent], let next = step(parentFallback, edge, children, fallback) {
                    suffix = next
                }
                fallback[state] = suffix
                var merged = ownRules(state)
                let continued = Set(merged.filter { $0.next != TurnRule.banned }.map(\.edge))
                for rule in rules[suffix] ?? [] {
                    if rule.next != TurnRule.banned && continued.contains(rule.edge) { continue }
                    if !merged.contains(rule) { merged.append(rule) }
                }
                rules[state] = merged
            }
        }
        var first: [UInt32] = []
        first.reserveCapacity(edgeStates + stateEdges.count + 1)
        var all: [TurnRule] = []
        for state in 0..<edgeStates + stateEdges.count {
            first.append(UInt32(all.count))
            if let some = rules[state] {
                all += some.filter { $0.next == TurnRule.banned } + some.filter { $0.next != TurnRule.banned }
            }
        }
        first.append(UInt32(all.count))
        return (first, all, stateEdges)
    }

    /// Where the automaton goes from `state` with `edge`: the longest suffix that goes on, the plain edge at least.
    private func step(_ state: Int, _ edge: UInt32, _ children: [Int: [UInt32: Int]], _ fallback: [Int: Int]) -> Int? {
        var current: Int? = state
        while let at = current {
            if let next = children[at]?[edge] { return next }
            current = fallback[at]
        }
        return Int(edge)
    }
}

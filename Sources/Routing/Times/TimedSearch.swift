import OpenStreetMap

/// A way within some state's edge at its time: what has been decided about one edge of a path.
struct TimedStep {
    var state: UInt32
    /// The moment at which the edge is entered.
    var entered: UInt32
    /// What the edge is then, over its whole length.
    var variant: TimedVariant
}

/// Where a search through time may start: on a directed edge, from a moment on.
struct TimedSeed {
    var state: UInt32
    /// The part of the edge that remains.
    var part: Double
    /// From this moment on.
    var ready: UInt32
    /// Milliseconds paid before beyond the time that has passed.
    var excess: UInt32
}

/// Where it may end.
struct TimedTarget {
    var edge: UInt32
    /// The part of the edge that is driven.
    var part: Double
    /// The state on the edge; nil for any.
    var state: UInt32?
}

/// How an end was reached.
struct TimedHit {
    /// Milliseconds of cost, counted from the cheapest seed, or back from the latest deadline.
    var cost: UInt32
    var excess: UInt32
    /// Forwards the moment of arrival; backwards that of setting out.
    var moment: UInt32
    /// Of the label before the last step; -1 where there is none.
    var label: Int
    var step: TimedStep
    /// Backwards the moment at which the next edge is entered, which the turn into it may have made earlier.
    var following: UInt32 = 0
}

/// The exact search through time, over the same states as `EdgeSearch`.
///
/// Rules are read at the moment an edge is entered, the turn into it done. One may wait before it, for as long as one likes but
/// not beyond the clock's end: nothing that changes with the time is entered later than that. What costs is
/// the cost of roads and turns as without a time, and each second of waiting a second.
///
/// A label holds the time at which one is at the head of a state's edge, and the *excess*: what has been paid beyond
/// the time that has passed (Hansen 1980, "Bicriterion path problems"; the cost is both together). Of two labels of a state the
/// one that is not later and has not more excess can do all that the other can: it waits until the other's moment, and what
/// that costs both have paid then. So only labels that no other one dominates are kept, and the search is exact
/// though the quickest way may not be the cheapest. Of an edge in one variant the first moment from now on at which it may be
/// entered is the best.
///
/// Backwards the same is done with the latest moments. A label then belongs to a state and a variant of its edge, and
/// holds the latest moment at which that edge may be entered so that all that follows is in time.
///
/// The potential bounds costs at all hours, over which waiting only adds.
struct TimedSearch {
    struct Label {
        var state: UInt32
        /// Forwards at the head of the edge; backwards at its tail.
        var moment: UInt32
        var excess: UInt32
        var entered: UInt32
        var variant: TimedVariant
        /// The variant's number; 255 for edges that do not change.
        var kind: UInt8
        var isDominated = false
        /// -1 for none.
        var before: Int32
        /// The next label of the same state; -1 for none.
        var next: Int32
        /// As `TimedHit.following`.
        var following: UInt32 = 0
    }

    struct Outcome {
        /// By target; nil where it was not reached.
        var hits: [TimedHit?]
        var settled = 0
        var isInVain = false
    }

    private let graph: GraphArrays
    private let profile: ProfileArrays
    private let user: RoadUser
    private let turns: TurnCosts
    private let edgeStates: UInt32
    private let roads: TimedRoads
    private let closed: ClosedEdges?
    private let workspace: Workspace
    private var clock: ConditionClock
    private(set) var labels: [Label] = []
    /// The file led to nonsense.
    private(set) var damage: String?
    /// Memory for `moments`.
    private var found: [Entrance] = []

    init(
        graph: GraphArrays, user: RoadUser, roads: TimedRoads, closed: ClosedEdges?, workspace: Workspace,
        clock: ConditionClock
    ) {
        self.graph = graph
        self.user = user
        profile = graph.profile(user)
        turns = TurnCosts.of(user)
        edgeStates = UInt32(graph.heads.count)
        self.roads = roads
        self.closed = closed
        self.workspace = workspace
        self.clock = clock
    }

    // MARK: Moments

    private static let unchanging: UInt8 = 255

    /// A moment at which an edge may be entered, and what it is then.
    private struct Entrance {
        var moment: UInt32
        var variant: TimedVariant
        var kind: UInt8
    }

    /// What decides whether one edge may be entered from another.
    struct Gate {
        var edge: UInt32
        /// The vertex that is passed; nil where one turns round before it, or begins behind it.
        var vertex: UInt32?
        /// Conditions under which the turn is forbidden.
        var bans: [Int] = []
    }

    private mutating func mask(_ set: Int, at moment: UInt32) -> Int {
        var mask = 0
        for (bit, condition) in roads.sets[set].enumerated() where clock.holds(condition, at: moment) {
            mask |= 1 << bit
        }
        return mask
    }

    /// The edge as it is at all hours; nil where the file is damaged.
    private mutating func unchanged(_ edge: UInt32) -> TimedVariant? {
        guard let weight = profile.weights[edge], let traits = profile.traits[edge],
            let duration = graph.duration(of: edge, user)
        else {
            damage = "an edge is not there"
            return nil
        }
        return TimedVariant(
            weight: weight, duration: min(PackedTime.rounded(duration), weight), traits: UInt32(traits))
    }

    /// Whether a gate lets through at a moment, its edge's variants left aside.
    private mutating func isOpen(_ gate: Gate, _ vertex: TimedRoads.Entry?, at moment: UInt32) -> Bool {
        for ban in gate.bans where clock.holds(ban, at: moment) { return false }
        if let vertex, roads.isBlocked(vertex, mask(vertex.set, at: moment)) { return false }
        return true
    }

    /// Fills `found` with the first moments from one on at which a gate is open, one for each variant of its edge.
    private mutating func lookAhead(_ gate: Gate, from first: UInt32) {
        found.removeAll(keepingCapacity: true)
        guard let best = unchanged(gate.edge) else { return }
        let entry = roads.entry(of: gate.edge)
        let vertex = gate.vertex.flatMap { roads.entry(ofVertex: $0) }
        if entry == nil, vertex == nil, gate.bans.isEmpty {
            found.append(Entrance(moment: first, variant: best, kind: Self.unchanging))
            return
        }
        var moment = first
        var seen: UInt32 = 0
        while moment <= clock.length {
            if isOpen(gate, vertex, at: moment) {
                guard let entry else {
                    found.append(Entrance(moment: moment, variant: best, kind: Self.unchanging))
                    return
                }
                let number = entry.first + mask(entry.set, at: moment)
                let (variant, kind) = (roads.variants[number], roads.kinds[number])
                if variant.isOpen, seen >> UInt32(kind) & 1 == 0 {
                    seen |= 1 << UInt32(kind)
                    found.append(Entrance(moment: moment, variant: variant, kind: kind))
                    if isBest(variant, best) { return }
                }
            }
            var next: UInt32?
            func take(_ change: UInt32?) {
                if let change { next = min(next ?? .max, change) }
            }
            for ban in gate.bans { take(clock.change(of: ban, after: moment)) }
            if let vertex {
                for condition in roads.sets[vertex.set] { take(clock.change(of: condition, after: moment)) }
            }
            if let entry { for condition in roads.sets[entry.set] { take(clock.change(of: condition, after: moment)) } }
            guard let next else { return }
            moment = next
        }
    }

    private func isBest(_ variant: TimedVariant, _ best: TimedVariant) -> Bool {
        variant.weight == best.weight && variant.duration == best.duration
            && variant.traits & UInt32(TimedRoads.momentary) == 0
    }

    /// The latest moment up to another one at which a gate is open and its edge of a kind; nil where there is none.
    private mutating func lookBack(_ gate: Gate, upTo last: UInt32, kind: UInt8) -> UInt32? {
        let entry = kind == Self.unchanging ? nil : roads.entry(of: gate.edge)
        let vertex = gate.vertex.flatMap { roads.entry(ofVertex: $0) }
        if entry == nil, vertex == nil, gate.bans.isEmpty { return last }
        var moment = min(last, clock.length)
        while moment >= clock.earliest {
            if isOpen(gate, vertex, at: moment) {
                guard let entry else { return moment }
                if roads.kinds[entry.first + mask(entry.set, at: moment)] == kind { return moment }
            }
            var beginning: UInt32 = 0
            for ban in gate.bans { beginning = max(beginning, clock.beginning(of: ban, before: moment)) }
            if let vertex {
                for condition in roads.sets[vertex.set] {
                    beginning = max(beginning, clock.beginning(of: condition, before: moment))
                }
            }
            if let entry {
                for condition in roads.sets[entry.set] {
                    beginning = max(beginning, clock.beginning(of: condition, before: moment))
                }
            }
            if beginning == 0 { return nil }
            moment = beginning - 1
        }
        return nil
    }

    /// Fills `found` with the latest moments at which an edge may be entered so that a part of it is behind one in time, one
    /// for each of its variants.
    private mutating func lookBack(_ edge: UInt32, part: Double, before last: UInt32) {
        found.removeAll(keepingCapacity: true)
        guard let best = unchanged(edge) else { return }
        guard let entry = roads.entry(of: edge) else {
            let duration = LegPlanner.part(best.duration, part)
            if duration <= last {
                found.append(Entrance(moment: last - duration, variant: best, kind: Self.unchanging))
            }
            return
        }
        for mask in 0..<roads.variantCount(entry) {
            let variant = roads.variants[entry.first + mask]
            let kind = roads.kinds[entry.first + mask]
            guard variant.isOpen, Int(kind) == mask else { continue }
            let duration = LegPlanner.part(variant.duration, part)
            guard duration <= last,
                let moment = lookBack(Gate(edge: edge), upTo: last - duration, kind: kind)
            else { continue }
            found.append(Entrance(moment: moment, variant: variant, kind: kind))
        }
    }

    // MARK: Turns

    /// A turn from a state into an edge.
    struct Turn {
        /// Milliseconds that it takes.
        var duration: UInt32
        var next: UInt32
        var gate: Gate
    }

    func edge(of state: UInt32) -> UInt32? {
        if state < edgeStates { return state }
        guard let edge = graph.stateEdges[state - edgeStates], edge < edgeStates else { return nil }
        return edge
    }

    /// The turn from a state into an edge that leaves its edge's head; nil where it is never allowed.
    mutating func turn(from state: UInt32, into onward: UInt32) -> Turn? {
        guard let edge = edge(of: state), let vertex = graph.heads[edge], let facts = graph.vertexFacts[vertex],
            let arrival = graph.arrivals[edge], let traits = profile.traits[edge],
            let weight = profile.weights[onward], let bearingIn = graph.bearings[edge ^ 1],
            let bearingOut = graph.bearings[onward]
        else {
            damage = "an edge or a vertex is not there"
            return nil
        }
        if weight == .max || closed?.contains(onward) == true { return nil }
        var turn = Turn(
            duration: turns.byArrival[Int(arrival & ArrivalFacts.costs)], next: onward,
            gate: Gate(edge: onward, vertex: vertex))
        if onward == edge ^ 1 {
            if traits & EdgeTraits.deadEnd == 0 {
                guard closed != nil, isCutOff(after: edge, at: vertex) else { return nil }
            }
            turn.gate.vertex = nil
            turn.duration += turns.turningRound
        } else {
            if facts & UInt32(user.bit) != 0 { return nil }
            if facts & UInt32(user.bit) << VertexFacts.junctionShift != 0 {
                let angle = Int((bearingOut &- (bearingIn &+ 32768)) >> 8)
                turn.duration += turns.byAngle[(arrival & ArrivalFacts.leftHand != 0 ? 256 : 0) + angle]
            }
        }
        if state >= edgeStates || arrival & ArrivalFacts.rules != 0 {
            guard let own = graph.rules(of: state) else {
                damage = "the rules of a turn are not there"
                return nil
            }
            for index in own {
                guard let rule = graph.rules[index], rule.edge == onward else { continue }
                if rule.next != TurnRule.banned {
                    guard Int(rule.next) < graph.stateEdges.count else {
                        damage = "a restriction leads to a state that is not there"
                        return nil
                    }
                    turn.next = edgeStates + rule.next
                } else if rule.users & user.bit != 0 {
                    if rule.condition == 0 { return nil }
                    let condition = Int(rule.condition) - 1
                    if !turn.gate.bans.contains(condition) { turn.gate.bans.append(condition) }
                }
            }
        }
        return turn
    }

    /// Whether closures, and what is closed at times, leave no way on from an edge but back.
    private func isCutOff(after edge: UInt32, at vertex: UInt32) -> Bool {
        for onward in leaving(vertex) where onward != edge ^ 1 {
            if profile.weights[onward] ?? .max == .max || roads.mayClose(onward) { continue }
            if closed?.contains(onward) != true { return false }
        }
        return true
    }

    private func leaving(_ vertex: UInt32) -> UnsafeBufferPointer<UInt32> {
        guard let begin = graph.firstLeaving[vertex], let end = graph.firstLeaving[vertex + 1], begin <= end,
            Int(end) <= graph.leaving.count
        else { return UnsafeBufferPointer(start: nil, count: 0) }
        return UnsafeBufferPointer(start: graph.leaving.base + Int(begin), count: Int(end - begin))
    }

    /// What entering a variant costs beyond its time and the turn's.
    private func charge(_ own: UInt32, after before: UInt32) -> UInt32 {
        let entered = UInt8(truncatingIfNeeded: own & ~before)
        var charge: UInt32 = 0
        if entered & EdgeTraits.restricted != 0 { charge += turns.enteringRestricted }
        if entered & TimedRoads.momentary != 0 { charge += turns.enteringRestricted }
        if entered & EdgeTraits.avoided != 0 { charge += RoadWishes.enteringAvoided }
        return charge
    }

    private static let charged = UInt32(EdgeTraits.charged | TimedRoads.momentary)

    // MARK: Labels

    private mutating func begin() {
        _ = workspace.begin()
        labels.removeAll(keepingCapacity: true)
    }

    /// Keeps a label where no other one of its state dominates it; returns its number.
    private mutating func keep(_ label: Label, isBackwards: Bool) -> Int? {
        let slot = Int(label.state)
        let known = workspace.labels[slot]
        let first = known.stamp == workspace.stamp ? Int32(bitPattern: known.cost) : -1
        var number = first
        while number >= 0 {
            let other = labels[Int(number)]
            if isBackwards {
                if other.kind == label.kind {
                    if other.moment >= label.moment, other.excess <= label.excess { return nil }
                    if label.moment >= other.moment, label.excess <= other.excess {
                        labels[Int(number)].isDominated = true
                    }
                }
            } else {
                let (own, its) = (label.variant.traits & Self.charged, other.variant.traits & Self.charged)
                if other.moment <= label.moment, other.excess <= label.excess, own & ~its == 0 { return nil }
                if label.moment <= other.moment, label.excess <= other.excess, its & ~own == 0 {
                    labels[Int(number)].isDominated = true
                }
            }
            number = other.next
        }
        var label = label
        label.next = first
        let place = labels.count
        labels.append(label)
        workspace.labels[slot] = Workspace.Label(
            stamp: workspace.stamp, cost: UInt32(bitPattern: Int32(place)), parent: Workspace.none)
        return place
    }

    /// What a weight is beyond a duration: no less than nothing, even where a file is damaged.
    @inline(__always)
    private static func excess(_ weight: UInt32, _ duration: UInt32) -> UInt32 { weight - min(weight, duration) }

    @inline(__always)
    private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }

    private var labelLimit: Int { min(64 * workspace.stateCount + 4096, Int(Int32.max) / 2) }

    /// The steps of a label and of those before it, the first first.
    func steps(to label: Int) -> [TimedStep] {
        var steps: [TimedStep] = []
        var number = label
        while number >= 0, steps.count <= labels.count {
            let label = labels[number]
            steps.append(TimedStep(state: label.state, entered: label.entered, variant: label.variant))
            number = Int(label.before)
        }
        return steps.reversed()
    }

    /// The steps of a search backwards, from where it ended to the deadline.
    func stepsBackwards(_ hit: TimedHit) -> [TimedStep] {
        var steps = [hit.step]
        var (number, entered) = (hit.label, hit.following)
        while number >= 0, steps.count <= labels.count {
            let label = labels[number]
            steps.append(TimedStep(state: label.state, entered: entered, variant: label.variant))
            (number, entered) = (Int(label.before), label.following)
        }
        return steps
    }

    // MARK: Forwards

    /// - Parameter wantsAll: find every target's cheapest way, not only the cheapest target.
    mutating func run<P: Potential>(
        seeds: [TimedSeed], targets: [TimedTarget], wantsAll: Bool, potential: inout P
    ) -> Outcome {
        begin()
        var outcome = Outcome(hits: [TimedHit?](repeating: nil, count: targets.count))
        var queue = workspace.queue
        defer { workspace.queue = queue }
        var limit = UInt32.max
        let ceiling = potential.ceiling
        let stateCount = UInt32(workspace.stateCount)

        func add(_ label: Label, cost: UInt32, _ potential: inout P) {
            guard let edge = edge(of: label.state), let head = graph.heads[edge], Int(head) < graph.vertices.count
            else {
                damage = "an edge leads to a vertex that is not there"
                return
            }
            let key = Self.sum(cost, potential.lowerBound(over: Int(edge), at: Int(head)))
            guard cost != .max, key != .max, key <= limit, let place = keep(label, isBackwards: false) else { return }
            queue.push(key: key, state: UInt32(place))
        }
        // What all have paid and waited alike is no matter of the search.
        let base = seeds.map { Self.sum($0.ready, $0.excess) }.min() ?? 0
        for seed in seeds where seed.state < stateCount {
            guard let edge = edge(of: seed.state) else { continue }
            lookAhead(Gate(edge: edge), from: seed.ready)
            for entrance in found {
                let driving = LegPlanner.part(entrance.variant.duration, seed.part)
                let beyond = Self.excess(LegPlanner.part(entrance.variant.weight, seed.part), driving)
                let (time, excess) = (Self.sum(entrance.moment, driving), Self.sum(seed.excess, beyond))
                guard Self.sum(time, excess) != .max else { continue }
                add(
                    Label(
                        state: seed.state, moment: time, excess: excess, entered: entrance.moment,
                        variant: entrance.variant, kind: entrance.kind, before: -1, next: -1),
                    cost: time + excess - base, &potential)
            }
        }
        while let (key, place) = queue.pop() {
            if key > limit || damage != nil { break }
            if key >= ceiling {
                outcome.isInVain = true
                break
            }
            let label = labels[Int(place)]
            if label.isDominated { continue }
            outcome.settled += 1
            if labels.count > labelLimit {
                damage = "the search does not come to an end"
                break
            }
            guard let edge = edge(of: label.state), let vertex = graph.heads[edge] else { continue }
            for onward in leaving(vertex) where onward < edgeStates {
                guard profile.weights.base[Int(onward)] != .max, let turn = turn(from: label.state, into: onward)
                else { continue }
                lookAhead(turn.gate, from: Self.sum(label.moment, turn.duration))
                for entrance in found {
                    let variant = entrance.variant
                    let before = Self.sum(label.excess, charge(variant.traits, after: label.variant.traits))
                    for (number, target) in targets.enumerated()
                    where target.edge == onward && target.state ?? turn.next == turn.next {
                        let driving = LegPlanner.part(variant.duration, target.part)
                        let moment = Self.sum(entrance.moment, driving)
                        let excess = Self.sum(
                            before, Self.excess(LegPlanner.part(variant.weight, target.part), driving))
                        let total = Self.sum(moment, excess)
                        if total == .max { continue }
                        let cost = total - base
                        if let hit = outcome.hits[number], (hit.cost, hit.moment) <= (cost, moment) { continue }
                        outcome.hits[number] = TimedHit(
                            cost: cost, excess: excess, moment: moment, label: Int(place),
                            step: TimedStep(state: turn.next, entered: entrance.moment, variant: variant))
                        limit = Self.limit(outcome.hits, wantsAll: wantsAll)
                    }
                    let time = Self.sum(entrance.moment, variant.duration)
                    let excess = Self.sum(before, Self.excess(variant.weight, variant.duration))
                    let total = Self.sum(time, excess)
                    guard total != .max else { continue }
                    add(
                        Label(
                            state: turn.next, moment: time, excess: excess, entered: entrance.moment,
                            variant: variant, kind: entrance.kind, before: Int32(place), next: -1),
                        cost: total - base, &potential)
                }
            }
        }
        if potential.isDamaged { damage = "the hierarchy does not fit together" }
        return outcome
    }

    private static func limit(_ hits: [TimedHit?], wantsAll: Bool) -> UInt32 {
        wantsAll ? hits.map { $0?.cost ?? .max }.max() ?? .max : hits.compactMap { $0?.cost }.min() ?? .max
    }

    // MARK: Backwards

    /// From where and when a search backwards begins: a state whose edge must be behind one, up to a part, at a moment.
    struct Deadline {
        var state: UInt32
        /// The part of the edge that is driven.
        var part: Double
        var moment: UInt32
        /// Milliseconds to be paid afterwards beyond the time that passes.
        var excess: UInt32
    }

    /// Where it ends: in a state, with a part of its edge to drive.
    struct Beginning {
        var state: UInt32
        var part: Double
    }

    /// Finds the ways that set out latest, by the least cost when what remains until `latest` counts as waiting.
    /// - Parameters:
    ///   - prefixes: for directed edges the further states that end on them.
    mutating func runBackwards(
        deadlines: [Deadline], beginnings: [Beginning], wantsAll: Bool, prefixes: [UInt32: [UInt32]],
        potential: inout BackwardPotential
    ) -> Outcome {
        begin()
        var outcome = Outcome(hits: [TimedHit?](repeating: nil, count: beginnings.count))
        var queue = workspace.queue
        defer { workspace.queue = queue }
        var limit = UInt32.max
        let latest = deadlines.map(\.moment).max() ?? 0

        func add(_ label: Label, _ potential: inout BackwardPotential) {
            guard let edge = edge(of: label.state) else { return }
            let key = Self.sum(Self.sum(latest - label.moment, label.excess), potential.lowerBound(before: edge))
            guard key != .max, key <= limit, let place = keep(label, isBackwards: true) else { return }
            queue.push(key: key, state: UInt32(place))
        }
        for deadline in deadlines {
            guard let edge = edge(of: deadline.state) else { continue }
            lookBack(edge, part: deadline.part, before: deadline.moment)
            for entrance in found {
                let driving = LegPlanner.part(entrance.variant.duration, deadline.part)
                let beyond = Self.excess(LegPlanner.part(entrance.variant.weight, deadline.part), driving)
                add(
                    Label(
                        state: deadline.state, moment: entrance.moment, excess: Self.sum(deadline.excess, beyond),
                        entered: entrance.moment, variant: entrance.variant, kind: entrance.kind, before: -1, next: -1),
                    &potential)
            }
        }
        while let (key, place) = queue.pop() {
            if key > limit || damage != nil { break }
            let label = labels[Int(place)]
            if label.isDominated { continue }
            outcome.settled += 1
            if labels.count > labelLimit {
                damage = "the search does not come to an end"
                break
            }
            guard let onward = edge(of: label.state), let tail = graph.heads[onward ^ 1] else { continue }
            for back in leaving(tail) where back < edgeStates {
                let arriving = back ^ 1
                guard profile.weights.base[Int(arriving)] != .max, closed?.contains(arriving) != true else { continue }
                let further = prefixes[arriving]
                for index in 0...(further?.count ?? 0) {
                    let state = index == 0 ? arriving : further?[index - 1] ?? arriving
                    guard let turn = turn(from: state, into: onward), turn.next == label.state,
                        let entered = lookBack(turn.gate, upTo: label.moment, kind: label.kind),
                        entered >= turn.duration
                    else { continue }
                    let last = entered - turn.duration
                    for (number, beginning) in beginnings.enumerated() where beginning.state == state {
                        lookBack(arriving, part: beginning.part, before: last)
                        for entrance in found {
                            let variant = entrance.variant
                            let beyond =
                                LegPlanner.part(variant.weight, beginning.part)
                                - LegPlanner.part(variant.duration, beginning.part)
                            let excess = Self.sum(
                                Self.sum(label.excess, charge(label.variant.traits, after: variant.traits)), beyond)
                            let cost = Self.sum(latest - entrance.moment, excess)
                            if let hit = outcome.hits[number],
                                hit.cost < cost || (hit.cost == cost && hit.moment >= entrance.moment)
                            {
                                continue
                            }
                            outcome.hits[number] = TimedHit(
                                cost: cost, excess: excess, moment: entrance.moment, label: Int(place),
                                step: TimedStep(state: state, entered: entrance.moment, variant: variant),
                                following: entered)
                            limit = Self.limit(outcome.hits, wantsAll: wantsAll)
                        }
                    }
                    lookBack(arriving, part: 1, before: last)
                    for entrance in found {
                        let variant = entrance.variant
                        let excess = Self.sum(
                            Self.sum(label.excess, charge(label.variant.traits, after: variant.traits)),
                            Self.excess(variant.weight, variant.duration))
                        guard excess != .max else { continue }
                        add(
                            Label(
                                state: state, moment: entrance.moment, excess: excess, entered: entrance.moment,
                                variant: variant, kind: entrance.kind, before: Int32(place), next: -1,
                                following: entered), &potential)
                    }
                }
            }
        }
        if potential.isDamaged { damage = "the hierarchy does not fit together" }
        return outcome
    }

    // MARK: Within one edge

    /// The cheapest way from one place of an edge to a later one; `label` of what is found says nothing.
    mutating func along(_ state: UInt32, part: Double, from ready: UInt32, excess: UInt32) -> TimedHit? {
        guard let edge = edge(of: state) else { return nil }
        lookAhead(Gate(edge: edge), from: ready)
        var best: TimedHit?
        for entrance in found {
            let driving = LegPlanner.part(entrance.variant.duration, part)
            let beyond = Self.excess(LegPlanner.part(entrance.variant.weight, part), driving)
            let (moment, excess) = (Self.sum(entrance.moment, driving), Self.sum(excess, beyond))
            let cost = Self.sum(moment, excess)
            if let best, (best.cost, best.moment) <= (cost, moment) { continue }
            best = TimedHit(
                cost: cost, excess: excess, moment: moment, label: -1,
                step: TimedStep(state: state, entered: entrance.moment, variant: entrance.variant))
        }
        return best
    }

    /// The same backwards: so that one is there by a deadline.
    mutating func along(_ state: UInt32, part: Double, by deadline: UInt32, excess: UInt32) -> TimedHit? {
        guard let edge = edge(of: state) else { return nil }
        lookBack(edge, part: part, before: deadline)
        var best: TimedHit?
        for entrance in found {
            let driving = LegPlanner.part(entrance.variant.duration, part)
            let excess = Self.sum(excess, Self.excess(LegPlanner.part(entrance.variant.weight, part), driving))
            let cost = Self.sum(deadline - entrance.moment, excess)
            if let best, best.cost < cost || (best.cost == cost && best.moment >= entrance.moment) { continue }
            best = TimedHit(
                cost: cost, excess: excess, moment: entrance.moment, label: -1,
                step: TimedStep(state: state, entered: entrance.moment, variant: entrance.variant))
        }
        return best
    }
}

/// What is between the places where a route may begin and an edge, at least.
struct BackwardPotential {
    private var distances: HierarchyDistances?
    private let floors: TurnFloors.Lookup
    private let tails: UnsafePointer<UInt32>
    private let vertexCount: Int

    /// - Parameters:
    ///   - metric: nil where nothing is known.
    ///   - beginnings: directed edges on which one may begin, with what is left of them, in milliseconds.
    init(
        graph: GraphArrays, metric: RoadMetric?, user: RoadUser, beginnings: [(edge: UInt32, cost: UInt32)],
        workspace: Workspace
    ) {
        floors = TurnFloors.Lookup(graph, user: user)
        tails = graph.heads.base
        vertexCount = graph.vertices.count
        guard let metric else { return }
        var ends: [(vertex: UInt32, cost: UInt32)] = []
        for beginning in beginnings {
            guard let head = graph.heads[beginning.edge], let leaving = metric.leaving[Int(beginning.edge)] else {
                continue
            }
            let (cost, overflow) = beginning.cost.addingReportingOverflow(UInt32(leaving))
            ends.append((head, overflow ? .max : cost))
        }
        // The other way round arcs lead up that led down.
        distances = HierarchyDistances(
            graph.hierarchy, up: metric.down, down: metric.up, isFree: true, ends: ends, workspace: workspace, slot: 0)
    }

    var isDamaged: Bool { distances?.isDamaged ?? false }

    /// Milliseconds of cost from a beginning until an edge is entered, at least.
    mutating func lowerBound(before edge: UInt32) -> UInt32 {
        let tail = Int(tails[Int(edge ^ 1)])
        guard distances != nil, tail < vertexCount, let distance = distances?.distance(from: tail) else { return 0 }
        let (sum, overflow) = distance.addingReportingOverflow(UInt32(floors.entering(edge)))
        return overflow ? .max : sum
    }
}

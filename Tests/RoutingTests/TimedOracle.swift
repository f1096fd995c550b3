import Geometry
import OpenStreetMap

@testable import Routing

/// Reads conditional tags of made-up worlds, by hand and in few words.
enum TimedTags {
    /// Values with their conditions: `no @ (Mo-Fr 07:00-09:00); destination @ (Sa,Su)`.
    static func parts(_ text: String) -> [(value: String, condition: String)] {
        text.split(separator: ")").compactMap { part in
            let pieces = part.split(separator: "@")
            guard pieces.count == 2 else { return nil }
            return (
                String(pieces[0].filter { $0 != ";" && $0 != " " }),
                String(pieces[1].drop { $0 == " " || $0 == "(" })
            )
        }
    }

    private static let days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// - Parameters:
    ///   - minutes: of the local clock since 1970.
    static func holds(_ condition: String, minutes: Int, weight: Double?) -> Bool {
        condition.split(separator: "&").flatMap { splitAnd(String($0)) }.allSatisfy { part in
            if part.hasPrefix("weight>") {
                guard let weight, let limit = Double(part.dropFirst(7)) else { return false }
                return weight > limit
            }
            return covers(part, minutes)
        }
    }

    private static func splitAnd(_ text: String) -> [String] {
        var parts: [String] = []
        var words: [Substring] = []
        for word in text.split(separator: " ") {
            if word == "AND" {
                parts.append(words.joined(separator: " "))
                words = []
            } else {
                words.append(word)
            }
        }
        return parts + [words.joined(separator: " ")]
    }

    static func covers(_ hours: String, _ minutes: Int) -> Bool {
        let today = minutes.quotientAndRemainder(dividingBy: 1440)
        let weekday = (today.quotient + 3) % 7
        var named = Set(0..<7)
        var spans: [(Int, Int)] = []
        for word in hours.split(separator: " ") {
            if word.first?.isLetter == true {
                named = []
                for range in word.split(separator: ",") {
                    let ends = range.split(separator: "-").compactMap { days.firstIndex(of: String($0)) }
                    guard let first = ends.first, let last = ends.last else { continue }
                    for day in first...last { named.insert(day) }
                }
            } else {
                for range in word.split(separator: ",") {
                    let ends = range.split(separator: "-").map { clock in
                        let parts = clock.split(separator: ":").compactMap { Int($0) }
                        return parts[0] * 60 + parts[1]
                    }
                    spans.append((ends[0], ends[1]))
                }
            }
        }
        if spans.isEmpty { return named.contains(weekday) }
        return spans.contains { start, end in
            if start < end { return named.contains(weekday) && today.remainder >= start && today.remainder < end }
            return (named.contains(weekday) && today.remainder >= start)
                || (named.contains((weekday + 6) % 7) && today.remainder < end)
        }
    }
}

/// A slow router through time that reads raw ways, nodes and relations.
///
/// For every moment there is an `Oracle` of the tags as they stand then. Conditions change at quarters of an hour alone, and at
/// each of them it is tried to go on.
final class TimedOracle {
    let plain: Oracle
    /// Milliseconds after the origin until which what changes may be entered.
    let span: Int
    private let origin: Int64
    private let utcOffset: Int
    private let changes: [ClockChange]
    private let wishes: RoadWishes
    private let world: RandomWorld
    private let closures: [RoadClosure]
    private var conditions: [String] = []
    private var frozen: [Int: Oracle] = [:]
    private var quarters: [Int: Oracle] = [:]
    private let cuts: Set<Int64>
    /// By way and direction, and by node, everything that can be at any time.
    private var passages: [Int: [RoadPassage?]] = [:]
    private var blocked: [Int64: [Bool]] = [:]

    private static let keys = [
        "access", "motor_vehicle", "motorcar", "motor_vehicle:forward", "motor_vehicle:backward", "maxspeed", "oneway",
    ]

    /// The moment at which everything stands still; nil where time passes.
    private let stop: Int?
    /// Milliseconds after the origin from which on what changes may be entered.
    private let earliest: Int

    init(
        _ world: RandomWorld, wishes: RoadWishes, closures: [RoadClosure], origin: Int64, span: Int, utcOffset: Int,
        changes: [ClockChange], stop: Int? = nil, earliest: Int = 0
    ) {
        self.stop = stop
        self.earliest = stop == nil ? earliest : 0
        self.world = world
        self.wishes = wishes
        self.closures = closures
        self.origin = origin
        self.span = span
        self.utcOffset = utcOffset
        self.changes = changes
        var cuts: Set<Int64> = []
        for node in world.nodes where node.tags["barrier"] != nil || RoadNodeTags(node.tags) != nil {
            cuts.insert(node.id)
        }
        self.cuts = cuts
        plain = Oracle(
            ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules, wishes: wishes,
            closures: closures, cuts: cuts)
        for tags in world.ways.map(\.tags) + world.nodes.map(\.tags) + world.relations.map(\.tags) {
            for condition in Self.conditions(of: tags) where !conditions.contains(condition) {
                conditions.append(condition)
            }
        }
        for (number, way) in world.ways.enumerated() {
            let own = Self.conditions(of: way.tags)
            if own.isEmpty { continue }
            for direction in 0..<2 {
                passages[2 * number + direction] = (0..<1 << own.count).map { mask in
                    let holding = Set(own.indices.filter { mask >> $0 & 1 != 0 }.map { own[$0] })
                    guard let tags = Self.effective(way.tags, holding),
                        let road = RoadTags(tags, rules: world.rules)
                    else { return nil }
                    let passage = (direction == 0 ? road.forward : road.backward)[0]
                    return passage.isOpen ? passage : nil
                }
            }
        }
        for node in world.nodes {
            let own = Self.conditions(of: node.tags)
            if own.isEmpty { continue }
            blocked[node.id] = (0..<1 << own.count).map { mask in
                let holding = Set(own.indices.filter { mask >> $0 & 1 != 0 }.map { own[$0] })
                guard let tags = Self.effective(node.tags, holding) else { return true }
                return (RoadNodeTags(tags)?.blocked ?? 0) & 1 != 0
            }
        }
    }

    private static func conditions(of tags: Tags) -> [String] {
        var found: [String] = []
        for key in keys + ["restriction"] {
            for part in tags[key + ":conditional"].map(TimedTags.parts) ?? [] where !found.contains(part.condition) {
                found.append(part.condition)
            }
        }
        if let hours = tags["opening_hours"] { found.append("closed " + hours) }
        return found
    }

    /// The tags while conditions hold; nil for what is not open.
    private static func effective(_ tags: Tags, _ holding: Set<String>) -> Tags? {
        var result = tags
        for key in keys + ["restriction"] {
            for part in tags[key + ":conditional"].map(TimedTags.parts) ?? [] where holding.contains(part.condition) {
                result[key] = part.value
            }
        }
        if let hours = tags["opening_hours"], holding.contains("closed " + hours) { return nil }
        return result
    }

    private func minutes(_ moment: Int) -> Int {
        let seconds = Int(origin) + moment / 1000
        var offset = utcOffset
        for change in changes where Int(change.moment) <= seconds { offset = change.utcOffset }
        return (seconds + offset) / 60
    }

    /// The world as it is at a moment.
    private func world(at moment: Int) -> Oracle {
        let moment = stop ?? moment
        let quarter = (Int(origin) * 1000 + moment) / 900_000
        if let known = quarters[quarter] { return known }
        let found = found(at: moment)
        quarters[quarter] = found
        return found
    }

    private func found(at moment: Int) -> Oracle {
        let minutes = minutes(moment)
        var mask = 0
        for (number, condition) in conditions.enumerated() {
            let holds =
                condition.hasPrefix("closed ")
                ? !TimedTags.covers(String(condition.dropFirst(7)), minutes)
                : TimedTags.holds(condition, minutes: minutes, weight: wishes.vehicle.weight)
            if holds { mask |= 1 << number }
        }
        if let known = frozen[mask] { return known }
        let holding = Set(conditions.indices.filter { mask >> $0 & 1 != 0 }.map { conditions[$0] })
        let closed: Tags = ["highway": "residential", "access": "no"]
        let made = Oracle(
            ways: world.ways.map { way in
                var way = way
                way.tags = Self.effective(way.tags, holding) ?? closed
                return way
            },
            nodes: world.nodes.map { node in
                var node = node
                node.tags = Self.effective(node.tags, holding) ?? ["barrier": "gate", "access": "no"]
                return node
            },
            relations: world.relations.map { relation in
                var relation = relation
                relation.tags = Self.effective(relation.tags, holding) ?? relation.tags
                return relation
            }, rules: world.rules, wishes: wishes, closures: closures, cuts: cuts)
        frozen[mask] = made
        return made
    }

    // MARK: Pieces

    /// What a piece is at some moment.
    struct Look: Hashable {
        var weight: Int
        var duration: Int
        /// Restricted at all hours, restricted at this hour, avoided.
        var charged: [Bool]
    }

    private func possible(_ piece: Int) -> [RoadPassage?]? {
        let piece = plain.pieces[piece]
        return passages[2 * piece.way + (piece.from < piece.to ? 0 : 1)]
    }

    private func changes(_ piece: Int) -> Bool {
        guard let possible = possible(piece) else { return false }
        let usual = plain.passage(plain.pieces[piece])
        return possible.contains { $0 != usual }
    }

    private func mayClose(_ piece: Int) -> Bool { changes(piece) && possible(piece)?.contains(nil) == true }

    private func isAlwaysRestricted(_ piece: Int) -> Bool {
        guard changes(piece), let possible = possible(piece) else {
            return plain.passage(plain.pieces[piece])?.isRestricted == true
        }
        return possible.allSatisfy { $0?.isRestricted ?? true }
    }

    /// Nil where the piece is closed.
    private func look(_ piece: Int, at moment: Int) -> Look? {
        let world = changes(piece) ? world(at: moment) : plain
        let own = world.pieces[piece]
        guard let weight = world.weight(own), let duration = world.duration(own) else { return nil }
        let always = isAlwaysRestricted(piece)
        return Look(
            weight: Int(weight), duration: Int(duration),
            charged: [always, world.passage(own)?.isRestricted == true && !always, world.isAvoided(own)])
    }

    // MARK: Turns

    private func changes(atNode node: Int64) -> Bool {
        guard let possible = blocked[node] else { return false }
        let usual = (plain.facts[node]?.blocked ?? 0) & 1 != 0
        return possible.contains { $0 != usual }
    }

    private func bans(_ history: [Int], _ next: Int) -> (always: Bool, sometimes: Bool) {
        var result = (always: false, sometimes: false)
        for relation in world.relations {
            if relation.tags["restriction"] != nil, plain.forbids(relation, history, plain.pieces[next]) {
                result.always = true
            }
            for part in relation.tags["restriction:conditional"].map(TimedTags.parts) ?? [] {
                var made = relation
                made.tags["restriction"] = part.value
                if plain.forbids(made, history, plain.pieces[next]) { result.sometimes = true }
            }
        }
        return result
    }

    /// Milliseconds of a turn; nil where it is never allowed.
    private func turn(_ history: [Int], _ next: Int) -> Int? {
        guard let lastIndex = history.last else { return nil }
        let (last, onward) = (plain.pieces[lastIndex], plain.pieces[next])
        let node = plain.head(last)
        let costs = TurnCosts.car
        var cost: UInt32 = 0
        if plain.facts[node]?.hasSignal == true { cost += costs.byArrival[Int(ArrivalFacts.signal)] }
        if plain.booths.contains(node) { cost += costs.byArrival[Int(ArrivalFacts.tollBooth)] }
        let usual = (plain.facts[node]?.blocked ?? 0) & 1 != 0
        let possible = changes(atNode: node) ? blocked[node] ?? [] : [usual]
        let isShut = possible.allSatisfy { $0 } || plain.closedNodes.contains(node)
        let around = plain.leaving[node, default: []]
        if plain.isReverse(last, onward) {
            let others = around.filter { other in
                !plain.isReverse(last, plain.pieces[other]) && !mayClose(other) && look(other, at: 0) != nil
            }
            guard isShut || possible.contains(true) || others.isEmpty else { return nil }
            cost += costs.turningRound
        } else {
            if isShut { return nil }
            cost += plain.angleCost(last, onward)
        }
        return bans(history, next).always ? nil : Int(cost)
    }

    /// When a piece may be entered after others from a moment on, the first time for each look.
    private func entrances(_ history: [Int], _ next: Int, from first: Int) -> [(moment: Int, look: Look)] {
        let last = history.last.map { plain.pieces[$0] }
        let onward = plain.pieces[next]
        let isReverse = last.map { plain.isReverse($0, onward) } ?? true
        let node = plain.tail(onward)
        let asksNode = !isReverse && changes(atNode: node)
        let asksTurn = last != nil && bans(history, next).sometimes
        guard changes(next) || asksNode || asksTurn else {
            return look(next, at: first).map { [(first, $0)] } ?? []
        }
        if first < earliest { return [] }
        var result: [(moment: Int, look: Look)] = []
        var moment = first
        while stop != nil || moment <= span {
            let world = world(at: moment)
            let isOpen =
                !(asksNode && (world.facts[node]?.blocked ?? 0) & 1 != 0)
                && !(asksTurn && world.relations.contains { world.forbids($0, history, onward) })
            if isOpen, let look = look(next, at: moment), !result.contains(where: { $0.look == look }) {
                result.append((moment, look))
            }
            if stop != nil { break }
            // The next quarter of an hour.
            let seconds = (Int(origin) * 1000 + moment) / 900_000 * 900_000 + 900_000
            moment = seconds - Int(origin) * 1000
        }
        return result
    }

    /// The latest moment up to one at which a piece may be entered and looks so.
    private func latest(_ history: [Int], _ next: Int, upTo last: Int, as look: Look) -> Int? {
        var moment = last
        while moment >= 0 {
            let found = entrances(history, next, from: moment)
            if let first = found.first(where: { $0.look == look }), first.moment == moment { return moment }
            if moment < earliest { return nil }
            if stop != nil { return nil }
            // The last millisecond before the quarter of an hour that has begun.
            let quarter = (Int(origin) * 1000 + moment) / 900_000 * 900_000 - Int(origin) * 1000
            moment = quarter - 1
        }
        return nil
    }

    private func charge(_ own: Look, _ before: Look) -> Int {
        let prices = [TurnCosts.car.enteringRestricted, TurnCosts.car.enteringRestricted, RoadWishes.enteringAvoided]
        return zip(prices, zip(own.charged, before.charged)).reduce(0) { $0 + ($1.1.0 && !$1.1.1 ? Int($1.0) : 0) }
    }

    private static func part(_ value: Int, _ fraction: Double) -> Int {
        fraction > 0 ? Int((Double(value) * min(fraction, 1)).rounded(.down)) : 0
    }

    // MARK: Departures

    struct Answer: Comparable {
        var cost: Int
        var moment: Int

        static func < (a: Answer, b: Answer) -> Bool { (a.cost, a.moment) < (b.cost, b.moment) }
    }

    /// The least cost from a place to another and the earliest arrival with it, by labels that keep whole histories.
    func answer(from start: Oracle.Place, to end: Oracle.Place) -> Answer? {
        struct Label {
            var history: [Int]
            var moment: Int
            var excess: Int
            var look: Look
        }
        var kept: [[Int]: [Label]] = [:]
        var queue = BinaryHeap<Label> { $0.moment + $0.excess < $1.moment + $1.excess }
        var best: Answer?
        func take(_ cost: Int, _ moment: Int) {
            let answer = Answer(cost: cost, moment: moment)
            best = best.map { min($0, answer) } ?? answer
        }
        func push(_ label: Label) {
            for other in kept[label.history, default: []]
            where other.moment <= label.moment && other.excess <= label.excess
                && zip(label.look.charged, other.look.charged).allSatisfy({ !$0 || $1 })
            {
                return
            }
            kept[label.history, default: []].append(label)
            queue.push(label)
        }
        let ends = end.ends(plain)
        for (piece, fraction) in start.starts(plain) {
            for (moment, look) in entrances([], piece, from: 0) {
                for (other, to) in ends where other == piece && fraction <= to {
                    let duration = Self.part(look.duration, to - fraction)
                    take(moment + Self.part(look.weight, to - fraction), moment + duration)
                }
                if fraction >= 1 { continue }
                let duration = Self.part(look.duration, 1 - fraction)
                push(
                    Label(
                        history: [piece], moment: moment + duration,
                        excess: Self.part(look.weight, 1 - fraction) - duration, look: look))
            }
        }
        while let label = queue.pop() {
            if let best, label.moment + label.excess > best.cost { break }
            guard let last = label.history.last else { continue }
            for next in plain.leaving[plain.head(plain.pieces[last]), default: []] {
                guard let turn = turn(label.history, next) else { continue }
                for (moment, look) in entrances(label.history, next, from: label.moment + turn) {
                    let excess = label.excess + charge(look, label.look)
                    for (piece, fraction) in ends where piece == next && fraction > 0 {
                        let duration = Self.part(look.duration, fraction)
                        take(moment + excess + Self.part(look.weight, fraction), moment + duration)
                    }
                    push(
                        Label(
                            history: Array((label.history + [next]).suffix(plain.memory)),
                            moment: moment + look.duration,
                            excess: excess + look.weight - look.duration, look: look))
                }
            }
        }
        return best
    }

    // MARK: All walks

    /// Every walk of a few pieces, with what its ends have of the first and the last.
    private func walks(
        from start: Oracle.Place, to end: Oracle.Place, longest: Int,
        _ body: (_ pieces: [Int], _ begin: Double, _ finish: Double) -> Void
    ) {
        let ends = end.ends(plain)
        func go(_ pieces: [Int], _ begin: Double) {
            for (piece, fraction) in ends where piece == pieces.last {
                if pieces.count == 1 ? begin <= fraction : fraction > 0 { body(pieces, begin, fraction) }
            }
            guard pieces.count < longest, let last = pieces.last, pieces.count > 1 || begin < 1 else { return }
            for next in plain.leaving[plain.head(plain.pieces[last]), default: []]
            where turn(Array(pieces.suffix(plain.memory)), next) != nil {
                go(pieces + [next], begin)
            }
        }
        for (piece, fraction) in start.starts(plain) { go([piece], fraction) }
    }

    /// The same by all walks of at most so many pieces, all ways of waiting on each, and nothing left out.
    func answerByAllWalks(from start: Oracle.Place, to end: Oracle.Place, longest: Int) -> Answer? {
        var best: Answer?
        walks(from: start, to: end, longest: longest) { pieces, begin, finish in
            func go(_ index: Int, _ moment: Int, _ excess: Int, _ before: Look?) {
                let history = Array(pieces[..<index].suffix(plain.memory))
                let turn = index == 0 ? 0 : self.turn(history, pieces[index]) ?? 0
                for (entered, look) in entrances(history, pieces[index], from: moment + turn) {
                    let isLast = index == pieces.count - 1
                    let part = (isLast ? finish : 1) - (index == 0 ? begin : 0)
                    let duration = Self.part(look.duration, part)
                    let paid = excess + (before.map { charge(look, $0) } ?? 0) + Self.part(look.weight, part) - duration
                    if let best, entered + duration + paid > best.cost { continue }
                    if isLast {
                        let answer = Answer(cost: entered + duration + paid, moment: entered + duration)
                        best = best.map { min($0, answer) } ?? answer
                    } else {
                        go(index + 1, entered + duration, paid, look)
                    }
                }
            }
            go(0, 0, 0, nil)
        }
        return best
    }

    // MARK: Arrivals

    /// The least cost of being there by a moment, and when one sets out, by all walks of at most so many pieces.
    func departureByAllWalks(
        from start: Oracle.Place, to end: Oracle.Place, by deadline: Int, longest: Int
    ) -> (cost: Int, departure: Int)? {
        var best: (cost: Int, departure: Int)?
        walks(from: start, to: end, longest: longest) { pieces, begin, finish in
            // All looks that each piece can have.
            let looks = pieces.map { piece in
                entrances([], piece, from: earliest).map(\.look)
            }
            func go(_ index: Int, _ deadline: Int, _ excess: Int, _ behind: Look?) {
                let history = Array(pieces[..<index].suffix(plain.memory))
                let turn = index == 0 ? 0 : self.turn(history, pieces[index]) ?? 0
                let isLast = index == pieces.count - 1
                let part = (isLast ? finish : 1) - (index == 0 ? begin : 0)
                for look in looks[index] {
                    let duration = Self.part(look.duration, part)
                    let paid = excess + (behind.map { charge($0, look) } ?? 0) + Self.part(look.weight, part) - duration
                    guard let entered = latest(history, pieces[index], upTo: deadline - duration, as: look) else {
                        continue
                    }
                    if index == 0 {
                        let cost = self.span - entered + paid
                        if best == nil || (cost, -entered) < (best?.cost ?? 0, -(best?.departure ?? 0)) {
                            best = (cost, entered)
                        }
                    } else {
                        go(index - 1, entered - turn, paid, look)
                    }
                }
            }
            go(pieces.count - 1, deadline, 0, nil)
        }
        return best
    }
}

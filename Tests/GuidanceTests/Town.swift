import Geometry
import Guidance
import OpenStreetMap
import Routing

/// A small made-up town for tests: its nodes drawn as letters on a grid, its ways named by their nodes.
///
///     let town = Town("""
///           c
///         a b d
///         """, ways: ["abd", "bc name=High_Street oneway=yes"])
///     town.drive("a", "c")   // ["depart abd", "turn left High Street", "arrive"]
///
/// A way is called like its nodes unless it has a `name` (underscores stand for blanks); it is a primary road unless it
/// has a `highway`. The finder is a plain search over edges and knows one-way streets and turn restrictions at a node,
/// nothing else: guidance is what is tested.
struct Town {
    struct Way {
        var nodes: [String]
        var tags: [String: String]
        /// The index of the way that it was split from.
        var origin = 0
    }

    struct Restriction {
        var from: Int
        var via: String
        var to: Int
        var isOnly: Bool
    }

    /// A directed edge between two vertices.
    struct Edge {
        var way: Int
        var nodes: [String]
        var isForward: Bool
        var isOpen: Bool
        var reverse: Int
    }

    var places: [String: Coordinate] = [:]
    var ways: [Way]
    var restrictions: [Restriction]
    var leftHand = false
    private(set) var edges: [Edge] = []
    private(set) var leaving: [String: [Int]] = [:]

    init(_ drawing: String, metres: Double = 10, ways: [String], leftHand: Bool = false) {
        var places: [String: Coordinate] = [:]
        let degree = 360 / (2 * Double.pi * earthRadius)
        for (row, line) in drawing.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for (column, letter) in line.enumerated() where letter != " " {
                places[String(letter)] = Coordinate(
                    latitude: 1 - Double(row) * metres * degree, longitude: 1 + Double(column) * metres * degree)
            }
        }
        let parsed = ways.map { text in
            let parts = text.split(separator: " ")
            var tags = ["highway": "primary", "name": parts.first.map(String.init) ?? ""]
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard pair.count == 2 else { continue }
                tags[String(pair[0])] =
                    pair[0] == "name" ? String(pair[1].map { $0 == "_" ? " " : $0 }) : String(pair[1])
            }
            return Way(nodes: (parts.first ?? "").map { String($0) }, tags: tags)
        }
        self.init(places: places, ways: parsed, leftHand: leftHand)
    }

    /// - Parameter cuts: nodes at which ways are cut although no other way meets them.
    init(
        places: [String: Coordinate], ways: [Way], restrictions: [Restriction] = [], leftHand: Bool = false,
        cuts: Set<String> = []
    ) {
        self.places = places
        self.ways = ways
        self.restrictions = restrictions
        self.leftHand = leftHand
        var uses: [String: Int] = [:]
        for way in ways {
            for (i, node) in way.nodes.enumerated() {
                uses[node, default: 0] += i == 0 || i == way.nodes.count - 1 ? 2 : 1
            }
        }
        for (index, way) in ways.enumerated() {
            let access = Self.access(way.tags)
            guard access.forward || access.backward || way.tags["highway"] != nil else { continue }
            var begun = [way.nodes.first ?? ""]
            for node in way.nodes.dropFirst() {
                begun.append(node)
                if uses[node, default: 0] > 1 || cuts.contains(node) {
                    addEdge(index, begun, access)
                    begun = [node]
                }
            }
        }
    }

    private mutating func addEdge(_ way: Int, _ nodes: [String], _ access: (forward: Bool, backward: Bool)) {
        guard nodes.count > 1, let first = nodes.first, let last = nodes.last else { return }
        let index = edges.count
        edges.append(Edge(way: way, nodes: nodes, isForward: true, isOpen: access.forward, reverse: index + 1))
        edges.append(Edge(way: way, nodes: nodes.reversed(), isForward: false, isOpen: access.backward, reverse: index))
        leaving[first, default: []].append(index)
        leaving[last, default: []].append(index + 1)
    }

    private static func access(_ tags: [String: String]) -> (forward: Bool, backward: Bool) {
        let isRound = tags["junction"] == "roundabout" || tags["junction"] == "circular"
        switch tags["oneway"] {
        case "yes", "1": return (true, false)
        case "-1": return (false, true)
        case "no": return (true, true)
        default: return (true, !isRound && tags["highway"] != "motorway")
        }
    }

    // MARK: Attributes

    private static let classes: [String: (RoadClass, Double)] = [
        "motorway": (.motorway, 110), "motorway_link": (.motorwayLink, 50), "trunk": (.trunk, 90),
        "trunk_link": (.trunkLink, 45), "primary": (.primary, 65), "primary_link": (.primaryLink, 30),
        "secondary": (.secondary, 55), "secondary_link": (.secondaryLink, 25), "tertiary": (.tertiary, 40),
        "tertiary_link": (.tertiaryLink, 20), "unclassified": (.unclassified, 25), "residential": (.residential, 25),
        "living_street": (.livingStreet, 10), "service": (.service, 15),
    ]

    private func road(_ edge: Edge) -> RoadAttributes {
        let tags = ways[edge.way].tags
        var road = RoadAttributes()
        road.wayID = Int64(edge.way + 1)
        road.name = tags["name"] ?? ""
        road.ref = tags["ref"] ?? ""
        let directed = tags["turn:lanes:" + (edge.isForward ? "forward" : "backward")]
        road.turnLanes = directed ?? (edge.isForward ? tags["turn:lanes"] ?? "" : "")
        road.roadClass = tags["route"] == "ferry" ? .ferry : Self.classes[tags["highway"] ?? ""]?.0 ?? .other
        road.isRoundabout = tags["junction"] == "roundabout"
        road.isCircular = tags["junction"] == "circular"
        road.isOneway = edge.isOpen != edges[edge.reverse].isOpen
        road.isLeftHandTraffic = leftHand
        return road
    }

    private func mode(_ edge: Edge) -> TravelMode { ways[edge.way].tags["route"] == "ferry" ? .ferry : .driving }

    private func shape(_ edge: Edge) -> [Coordinate] { edge.nodes.compactMap { places[$0] } }

    private func seconds(_ edge: Edge) -> Double {
        let speed = mode(edge) == .ferry ? 10 : Self.classes[ways[edge.way].tags["highway"] ?? ""]?.1 ?? 10
        return Polyline.length(of: shape(edge)) / speed * 3.6
    }

    // MARK: Search

    private func isTurnAllowed(_ from: Int, _ to: Int) -> Bool {
        guard edges[to].isOpen, let via = edges[from].nodes.last else { return false }
        if edges[from].reverse == to { return leaving[via, default: []].count == 1 }
        if cutsAcrossCircle(from, to, at: via) { return false }
        for rule in restrictions where rule.via == via && rule.from == ways[edges[from].way].origin {
            let isTo = rule.to == ways[edges[to].way].origin
            if rule.isOnly ? !isTo : isTo { return false }
        }
        return true
    }

    /// Whether a turn between two roads at a vertex of a roundabout would cross the roundabout.
    private func cutsAcrossCircle(_ from: Int, _ to: Int, at via: String) -> Bool {
        func isCircle(_ edge: Int) -> Bool {
            ["roundabout", "circular"].contains(ways[edges[edge].way].tags["junction"])
        }
        func bearing(_ edge: Int) -> Double {
            let line = shape(edges[edge])
            return line.count > 1 ? line[0].bearing(to: line[1]) : 0
        }
        guard !isCircle(from), !isCircle(to) else { return false }
        let arms = leaving[via, default: []]
        guard let out = arms.first(where: { isCircle($0) && edges[$0].isOpen }),
            let into = arms.first(where: { isCircle($0) && !edges[$0].isOpen })
        else { return false }
        func clockwise(_ edge: Int) -> Double {
            let turn = (bearing(edge) - bearing(edges[from].reverse)).truncatingRemainder(dividingBy: 360)
            return turn < 0 ? turn + 360 : turn
        }
        return clockwise(into) < clockwise(out) ? clockwise(to) < clockwise(into) : clockwise(to) > clockwise(into)
    }

    /// The quickest way between two nodes at which edges end; nil where there is none.
    func path(_ from: String, _ to: String) -> RoadPath? {
        var best = [Double](repeating: .infinity, count: edges.count)
        var parent = [Int](repeating: -1, count: edges.count)
        var done = [Bool](repeating: false, count: edges.count)
        for edge in leaving[from, default: []] where edges[edge].isOpen { best[edge] = seconds(edges[edge]) }
        while let next = best.indices.filter({ !done[$0] && best[$0] < .infinity }).min(by: { best[$0] < best[$1] }) {
            done[next] = true
            if edges[next].nodes.last == to {
                var chain = [next]
                while let last = chain.last, parent[last] >= 0 { chain.append(parent[last]) }
                return made(chain.reversed())
            }
            for turn in leaving[edges[next].nodes.last ?? "", default: []] where isTurnAllowed(next, turn) {
                let cost = best[next] + seconds(edges[turn]) + 0.01
                if cost < best[turn], !done[turn] {
                    best[turn] = cost
                    parent[turn] = next
                }
            }
        }
        return nil
    }

    private func made(_ chain: [Int]) -> RoadPath {
        let parts = chain.map { index in
            let shape = shape(edges[index])
            return PathEdge(
                road: road(edges[index]), mode: mode(edges[index]), shape: shape,
                nodeIDs: [Int64](repeating: 1, count: shape.count), length: Polyline.length(of: shape),
                duration: seconds(edges[index]), weight: seconds(edges[index]) * 10)
        }
        var junctions: [PathJunction] = []
        for (before, after) in zip(chain, chain.dropFirst()) {
            let node = edges[before].nodes.last ?? ""
            let arms = leaving[node, default: []].map { index in
                let line = shape(edges[index])
                return JunctionArm(
                    bearing: line[0].bearing(to: line[1]), road: road(edges[index]), isEnterable: edges[index].isOpen,
                    isLeavable: edges[edges[index].reverse].isOpen, isTurnAllowed: isTurnAllowed(before, index),
                    mode: mode(edges[index]), shape: Self.beginning(of: line, metres: 30),
                    isPathEntry: index == edges[before].reverse, isPathExit: index == after)
            }
            junctions.append(
                PathJunction(
                    nodeID: 0, location: places[node] ?? Coordinate(latitude: 0, longitude: 0),
                    arms: arms.sorted { $0.bearing < $1.bearing }))
        }
        let start = parts.first?.shape.first ?? Coordinate(latitude: 0, longitude: 0)
        let end = parts.last?.shape.last ?? start
        return RoadPath(edges: parts, junctions: junctions, requestedStart: start, requestedEnd: end)
    }

    private static func beginning(of line: [Coordinate], metres: Double) -> [Coordinate] {
        var part: [Coordinate] = []
        var sum = 0.0
        for (i, point) in line.enumerated() {
            if i > 0 { sum += line[i - 1].distance(to: point) }
            part.append(point)
            if sum > metres { break }
        }
        return part
    }

    // MARK: Telling

    func steps(_ from: String, _ to: String) -> [GuidanceStep] { path(from, to).map(Guide.steps(for:)) ?? [] }

    /// The steps as short texts: type, modifier, exit and road.
    func drive(_ from: String, _ to: String) -> [String] { steps(from, to).map(Self.text) }

    static func text(_ step: GuidanceStep) -> String {
        let manoeuvre = step.manoeuvre
        var words = [manoeuvre.type.rawValue]
        if let modifier = manoeuvre.modifier { words.append(modifier.rawValue) }
        if let exit = manoeuvre.exit { words.append("exit-\(exit)") }
        if !step.name.isEmpty, manoeuvre.type != .arrive { words.append(step.name) }
        return words.joined(separator: " ")
    }
}

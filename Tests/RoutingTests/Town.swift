import Geometry
import OpenStreetMap

@testable import Routing

/// A small made-up town, drawn in letters.
///
///     let town = try Town("""
///         a - b - c
///             |   |
///         d - e - f
///         """, ways: ["abc", "def", "cf", "be oneway=yes"])
///     town.drive("d", "a").path   // "d e f c b a"
///
/// Letters and digits are places, 25 m apart from column to column and 50 m from line to line; all other signs are
/// decoration. A way is named by its nodes, followed by tags (`~` stands for a blank); it is residential unless it
/// has a `highway`, `route` or `amenity`. `nodes` gives nodes tags. A relation is written `no_left_turn abc b bd`, or with ways
/// parted by commas as its via: `only_straight_on ab bc,cd de`; more tags may follow.
struct Town {
    var places: [Character: Coordinate] = [:]
    var ways: [OSMWay] = []
    var nodes: [OSMNode] = []
    var relations: [OSMRelation] = []
    let graph: RoadGraph
    let router: Router
    private let letters: [Int64: Character]

    init(
        _ drawing: String, ways: [String], nodes: [String] = [], relations: [String] = [],
        rules: CountryRules = .unknown,
        metres: Double = 25
    ) throws {
        let degree = 1 / 111_195.0
        var ids: [Character: Int64] = [:]
        var places: [Character: Coordinate] = [:]
        for (row, line) in drawing.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            for (column, letter) in line.enumerated() where letter.isLetter || letter.isNumber {
                places[letter] = Coordinate(
                    latitude: 1 - Double(row) * 2 * metres * degree, longitude: 1 + Double(column) * metres * degree)
                ids[letter] = Int64(ids.count + 1)
            }
        }
        func tags(_ words: [Substring]) -> Tags {
            Tags(
                words.compactMap { word in
                    let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    guard pair.count == 2 else { return nil }
                    return Tags.Pair(key: String(pair[0]), value: String(pair[1].map { $0 == "~" ? " " : $0 }))
                })
        }
        for (index, text) in ways.enumerated() {
            let words = text.split(separator: " ")
            let names = Array(words[0])
            var tags = tags(Array(words.dropFirst()))
            if tags["highway"] == nil, tags["route"] == nil, tags["amenity"] == nil { tags["highway"] = "residential" }
            if tags["name"] == nil { tags["name"] = String(words[0]) }
            self.ways.append(
                OSMWay(
                    id: Int64(index + 1), nodes: names.compactMap { ids[$0] }, locations: names.map { places[$0] },
                    tags: tags))
        }
        for text in nodes {
            let words = text.split(separator: " ")
            guard let letter = words.first?.first, let id = ids[letter], let place = places[letter] else { continue }
            self.nodes.append(OSMNode(id: id, location: place, tags: tags(Array(words.dropFirst()))))
        }
        let wayIDs = Dictionary(
            ways.enumerated().map { (String($1.split(separator: " ")[0]), Int64($0 + 1)) },
            uniquingKeysWith: { a, _ in a })
        for (index, text) in relations.enumerated() {
            let words = text.split(separator: " ")
            var members: [OSMRelation.Member] = []
            func add(_ word: Substring, _ role: String) {
                for part in word.split(separator: ",") {
                    if let way = wayIDs[String(part)] {
                        members.append(.init(id: OSMID(.way, way), role: role))
                    } else if let letter = part.first, part.count == 1, let node = ids[letter] {
                        members.append(.init(id: OSMID(.node, node), role: role))
                    }
                }
            }
            add(words[1], "from")
            add(words[2], "via")
            add(words[3], "to")
            var all = tags(Array(words.dropFirst(4)))
            all["type"] = "restriction"
            if words[0] != "-" { all["restriction"] = String(words[0]) }
            self.relations.append(OSMRelation(id: Int64(index + 1), members: members, tags: all))
        }
        self.places = places
        letters = Dictionary(ids.map { ($1, $0) }, uniquingKeysWith: { a, _ in a })
        graph = try Self.graph(ways: self.ways, nodes: self.nodes, relations: self.relations, rules: rules)
        router = try Self.router(graph)
    }

    static func graph(
        ways: [OSMWay], nodes: [OSMNode], relations: [OSMRelation], rules: CountryRules = .unknown
    ) throws -> RoadGraph {
        var builder = RoadGraphBuilder()
        for relation in relations { builder.add(relation) }
        for node in nodes { builder.add(node) }
        for way in ways { builder.add(way, rules: rules) }
        return try builder.finish(atlasID: [UInt8](0..<16))
    }

    /// A router with a metric for every profile.
    static func router(_ graph: RoadGraph) throws -> Router {
        try Router(graph: graph, metrics: Profile.allCases.map { try graph.metric(for: $0) })
    }

    func place(_ letter: Character) -> Coordinate { places[letter] ?? Coordinate(latitude: 0, longitude: 0) }

    /// The same as the graph keeps it.
    func spot(_ letter: Character) -> Coordinate { FixedPoint(place(letter)).coordinate }

    func request(_ letters: [Character], profile: Profile = .car) -> RouteRequest {
        RouteRequest(stops: letters.map { Stop(place($0)) }, profile: profile)
    }

    /// A route as letters, or why there is none.
    struct Drive {
        /// The nodes passed, parted by blanks; a bar between legs.
        var path = ""
        var route: FoundRoute?
        var error: RoutingError?
    }

    func drive(_ letters: Character..., profile: Profile = .car) -> Drive { drive(request(letters, profile: profile)) }

    func drive(_ request: RouteRequest) -> Drive {
        do throws(RoutingError) {
            let route = try router.route(request)
            let legs = route.legs.map { leg in
                var names: [String] = []
                for id in leg.edges.flatMap(\.nodeIDs) {
                    guard let letter = self.letters[id], names.last != String(letter) else { continue }
                    names.append(String(letter))
                }
                return names.joined(separator: " ")
            }
            return Drive(path: legs.joined(separator: " | "), route: route)
        } catch {
            return Drive(error: error)
        }
    }
}

extension OSMWay {
    /// A way on a grid of thousandths of a degree: node `10 y + x` lies at column x of row y, rows counted southwards.
    static func onGrid(_ id: Int64, _ nodes: [Int64], _ tags: Tags) -> OSMWay {
        OSMWay(
            id: id, nodes: nodes,
            locations: nodes.map {
                Coordinate(latitude: 1 - Double($0 / 10) * 0.001, longitude: 1 + Double($0 % 10) * 0.001)
            }, tags: tags)
    }
}

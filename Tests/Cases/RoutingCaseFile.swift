import Foundation
import Geometry
import OpenStreetMap
import Routing

/// A file of routing cases, as its README describes it.
struct RoutingCaseFile: Decodable {
    var cases: [RoutingCase]

    static func read(_ name: String) throws -> RoutingCaseFile? {
        guard let data = SharedCases.data("routing/\(name).json") else { return nil }
        return try JSONDecoder().decode(RoutingCaseFile.self, from: data)
    }
}

/// A made-up road network and what is asked on it.
struct RoutingCase: Decodable {
    struct Node: Decodable {
        var name: String
        var id: Int64?
        var lat: Double
        var lon: Double
        var tags: [String: String]?

        var location: Coordinate { Coordinate(latitude: lat, longitude: lon) }
    }

    struct Way: Decodable {
        var id: Int64
        var nodes: [String]
        var tags: [String: String]
    }

    struct Member: Decodable {
        var type: String
        var ref: Int64
        var role: String
    }

    struct Relation: Decodable {
        var id: Int64
        var tags: [String: String]
        var members: [Member]
    }

    struct Query: Decodable {
        var row: Int
        var via: [String]
        var options: [String: String]?
        var bearings: [String]?
        var approaches: [String]?
        var expect: Expectation
    }

    struct Length: Decodable {
        var value: Double
        var plusMinus: Double?
        var percent: Double?

        func holds(_ metres: Double) -> Bool {
            let room = plusMinus ?? percent.map { value * $0 / 100 } ?? max(value / 100, 1)
            return abs(metres - value) <= room
        }
    }

    struct Lane: Decodable, Equatable {
        var indications: [String]
        var valid: Bool
    }

    struct Expectation: Decodable {
        var found: Bool?
        var road: String?
        var roads: [String]?
        var roadsPattern: String?
        var turns: [String]?
        var refs: [String]?
        var destinations: [String]?
        var exits: [String]?
        var pronunciations: [String]?
        var modes: [String]?
        var drivingSides: [String]?
        var locations: [String]?
        var lanes: [[[Lane]]]?
        var bearings: [String]?
        var bearingRoom: Double?
        var distances: [Length]?
        var distanceMetres: Length?
        var mode: String?
        var waypointCount: Int?
        var alternativeRoads: [String]?

        /// Whether there is anything to judge but times and speeds.
        var isJudged: Bool {
            found != nil || road != nil || roads != nil || roadsPattern != nil || turns != nil || distanceMetres != nil
                || mode != nil || modes != nil
        }
    }

    var id: String
    var capability: String
    var profile: String
    var nodes: [Node]
    var points: [Node]?
    var ways: [Way]
    var relations: [Relation]?
    var queries: [Query]
    var drivingSide: String?
    var departureUnix: Int64?

    /// The graph of the case alone.
    func graph() throws -> RoadGraph {
        var builder = RoadGraphBuilder()
        for relation in relations ?? [] {
            builder.add(
                OSMRelation(
                    id: relation.id,
                    members: relation.members.map { member in
                        let type: OSMType = member.type == "node" ? .node : member.type == "way" ? .way : .relation
                        return OSMRelation.Member(id: OSMID(type, member.ref), role: member.role)
                    }, tags: Self.tags(relation.tags)))
        }
        var byName: [String: Node] = [:]
        for node in nodes {
            byName[node.name] = node
            if let id = node.id, let tags = node.tags, !tags.isEmpty {
                builder.add(OSMNode(id: id, location: node.location, tags: Self.tags(tags)))
            }
        }
        let rules = CountryRules(drivesOnLeft: drivingSide == "left")
        for way in ways {
            let members = way.nodes.compactMap { byName[$0] }
            builder.add(
                OSMWay(
                    id: way.id, nodes: members.compactMap(\.id), locations: members.map(\.location),
                    tags: Self.tags(way.tags)), rules: rules)
        }
        return try builder.finish(atlasID: [UInt8](repeating: 0, count: 16))
    }

    /// Where a node or point lies.
    func place(_ name: String) -> Coordinate? {
        (nodes.first { $0.name == name } ?? points?.first { $0.name == name })?.location
    }

    private static func tags(_ tags: [String: String]) -> Tags {
        Tags(tags.sorted { $0.key < $1.key }.map { Tags.Pair(key: $0.key, value: $0.value) })
    }
}

import Foundation
import Geometry
import OpenStreetMap

@testable import Gazetteer

/// A small world in code. Places are given in thousandths of a degree (about 111 m), x to the east, y to the north.
struct World {
    var nodes: [OSMNode] = []
    var ways: [OSMWay] = []
    var areas: [OSMArea] = []
    var relations: [OSMRelation] = []

    static func at(_ x: Double, _ y: Double) -> Coordinate { Coordinate(latitude: y / 1000, longitude: x / 1000) }

    mutating func node(_ id: Int64, _ x: Double, _ y: Double, _ tags: Tags) {
        nodes.append(OSMNode(id: id, location: Self.at(x, y), tags: tags))
    }

    /// A line, or an outline when the first point stands at the end again; `ids` names nodes that have tags.
    mutating func way(_ id: Int64, _ points: [(Double, Double)], _ tags: Tags, ids: [Int64] = []) {
        var nodes = points.indices.map { Int64(1_000_000) + id * 1000 + Int64($0) }
        if let first = points.first, let last = points.last, points.count > 2, first == last {
            nodes[points.count - 1] = nodes[0]
        }
        for (index, known) in ids.enumerated() where known > 0 { nodes[index] = known }
        ways.append(OSMWay(id: id, nodes: nodes, locations: points.map { Self.at($0.0, $0.1) }, tags: tags))
    }

    /// A boundary relation with a rectangle for an outline.
    mutating func boundary(
        _ id: Int64, west: Double, south: Double, east: Double, north: Double, _ tags: Tags,
        members: [OSMRelation.Member] = []
    ) {
        var all = tags
        all["type"] = "boundary"
        if all["boundary"] == nil { all["boundary"] = "administrative" }
        let ring = [(west, south), (east, south), (east, north), (west, north), (west, south)].map {
            Self.at($0.0, $0.1)
        }
        relations.append(OSMRelation(id: id, members: members, tags: all))
        areas.append(OSMArea(id: OSMID(.relation, id), polygons: [.init(outer: ring, inner: [])], tags: all))
    }

    /// Imports the world into a file of its own and opens it; the file lives until `body` is done.
    func open<R>(
        country: @escaping @Sendable (Coordinate) -> String? = { _ in nil },
        _ body: (Gazetteer, GazetteerReport) throws -> R
    ) throws -> R {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("world-\(UUID().uuidString).sqlite")
            .path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "world", licence: "none", attribution: "nobody"),
            options: GazetteerOptions(country: country))
        for relation in relations { writer.add(relation: relation) }
        for node in nodes { writer.add(node: node) }
        for way in ways { writer.add(way: way) }
        for area in areas { writer.add(area: area) }
        let report = try writer.finish()
        return try body(Gazetteer(path: path), report)
    }
}

extension Gazetteer {
    /// The address of an object (`N1`, `W1`, `R1`) in one line, without the country's code.
    func line(_ object: String) throws -> String {
        let type: OSMType = object.hasPrefix("N") ? .node : object.hasPrefix("W") ? .way : .relation
        guard let number = Int64(object.dropFirst()), let feature = try feature(osm: OSMID(type, number)) else {
            return "nothing"
        }
        return try address(of: feature).line
    }
}

extension AddressParts {
    /// All names, finest first, without the country's code.
    var line: String { parts.filter { $0.label != "country_code" }.map(\.name).joined(separator: ", ") }
}

/// Random numbers that a printed seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

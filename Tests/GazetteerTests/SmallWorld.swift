import Foundation
import Geometry
import OpenStreetMap

@testable import Gazetteer

/// A few objects on the map, imported into a gazetteer of their own.
struct SmallWorld {
    private(set) var nodes: [OSMNode] = []
    fileprivate(set) var ways: [OSMWay] = []
    private var next: Int64 = 1

    /// Where the worlds of this process lie; removed when it ends.
    private static let folder: URL = {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("sextant-worlds-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: SmallWorld.folder) }
        return url
    }()

    /// A point, `x` and `y` in units of 0.001 degrees (about 111 m) from the corner 47 N 9 E.
    static func point(_ x: Double, _ y: Double) -> Coordinate {
        Coordinate(latitude: 47 + y / 1000, longitude: 9 + x / 1000)
    }

    @discardableResult
    mutating func node(_ x: Double, _ y: Double, _ tags: Tags) -> Int64 {
        nodes.append(OSMNode(id: next, location: Self.point(x, y), tags: tags))
        next += 1
        return next - 1
    }

    @discardableResult
    mutating func way(_ points: [(Double, Double)], _ tags: Tags) -> Int64 {
        let isClosed = points.count > 3 && points.first.map { $0 == points[points.count - 1] } == true
        var ids: [Int64] = points.indices.map { Int64(1_000_000 + ways.count * 100 + $0) }
        if isClosed { ids[ids.count - 1] = ids[0] }
        ways.append(OSMWay(id: next, nodes: ids, locations: points.map { Self.point($0.0, $0.1) }, tags: tags))
        next += 1
        return next - 1
    }

    mutating func street(_ name: String, _ points: (Double, Double)..., tags: Tags = [:]) {
        var all: Tags = ["highway": "residential", "name": name]
        for pair in tags.pairs { all[pair.key] = pair.value }
        way(points, all)
    }

    mutating func house(_ number: String, _ street: String, _ x: Double, _ y: Double, tags: Tags = [:]) -> Int64 {
        var all: Tags = ["addr:housenumber": number, "addr:street": street]
        for pair in tags.pairs { all[pair.key] = pair.value }
        return node(x, y, all)
    }

    /// A square town with its boundary and its node in the middle.
    mutating func town(_ name: String, _ x: Double, _ y: Double, size: Double = 10, tags: Tags = [:]) {
        var all: Tags = ["boundary": "administrative", "admin_level": "8", "name": name]
        for pair in tags.pairs { all[pair.key] = pair.value }
        way([(x, y), (x + size, y), (x + size, y + size), (x, y + size), (x, y)], all)
    }

    /// Imports the world.
    func open(country: String? = nil) throws -> Gazetteer {
        let path = Self.folder.appendingPathComponent("\(UUID().uuidString).sqlite").path
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"),
            options: GazetteerOptions(country: { _ in country }))
        for node in nodes { writer.add(node: node) }
        for way in ways { writer.add(way: way) }
        _ = try writer.finish()
        return try Gazetteer(path: path)
    }
}

extension SmallWorld {
    /// Gives a way the nodes of other objects, such as the ends of an interpolation.
    mutating func setNodes(of way: Int64, _ ids: [Int64]) {
        guard let index = ways.firstIndex(where: { $0.id == way }) else { return }
        ways[index].nodes = ids
    }
}

import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Gazetteer

@Suite struct MapReadingTests {
    private static let everywhere = MercatorBox(minX: 0, minY: 0, maxX: Mercator.world - 1, maxY: Mercator.world - 1)

    private func shapes(_ map: GazetteerMap, _ box: MercatorBox, _ zoom: Int, _ languages: [String] = []) throws
        -> [MapShape]
    {
        var shapes: [MapShape] = []
        try map.forEachMapShape(in: box, zoom: zoom, languages: languages) { shapes.append($0) }
        return shapes
    }

    private func box(_ shape: MapShape) -> MercatorBox? {
        switch shape.geometry {
        case .point(let point): MercatorRing.box([point])
        case .line(let points): MercatorRing.box(points)
        case .area(let rings): MercatorRing.box(rings.joined())
        }
    }

    @Test func readingABoxGivesWhatALinearScanGives() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var world = SmallWorld()
        let kinds: [Tags] = [
            ["highway": "residential"], ["highway": "motorway"], ["building": "yes"], ["landuse": "forest"],
            ["natural": "water", "name": "See"], ["waterway": "river"],
        ]
        for _ in 0..<600 {
            let tags = kinds.randomElement(using: &random) ?? Tags()
            let x = Double.random(in: 0...300, using: &random)
            let y = Double.random(in: 0...300, using: &random)
            let size = pow(10, Double.random(in: -1...2, using: &random))
            var points = (0..<Int.random(in: 3...12, using: &random)).map { _ in
                (x + Double.random(in: 0...size, using: &random), y + Double.random(in: 0...size, using: &random))
            }
            if tags["highway"] == nil, tags["waterway"] == nil { points.append(points[0]) }
            world.way(points, tags)
            if Bool.random(using: &random) { world.node(x, y, ["place": "hamlet", "name": "Hof"]) }
        }
        let map = try GazetteerMap(world.open())
        for zoom in [0, 5, 7, 9, 11, 12, 13, 14, 16, 19] {
            let all = try shapes(map, Self.everywhere, zoom)
            #expect(zoom < 9 || !all.isEmpty)
            for _ in 0..<20 {
                let corner = MercatorPoint(
                    SmallWorld.point(.random(in: -50...350, using: &random), .random(in: -50...350, using: &random)))
                let size = Int32.random(in: 1...400_000, using: &random)
                let box = MercatorBox(minX: corner.x, minY: corner.y, maxX: corner.x + size, maxY: corner.y + size)
                let expected = all.filter { self.box($0)?.intersects(box) ?? false }.map(\.id)
                #expect(try shapes(map, box, zoom).map(\.id) == expected)
            }
        }
    }

    @Test func aShapeComesBackWithEverythingItHas() throws {
        var world = SmallWorld()
        let way = world.way(
            [(0, 0), (1, 0), (1, 1)],
            [
                "highway": "primary", "name": "Straße", "name:en": "Street", "name:de": "Straße", "ref": "B 1",
                "bridge": "yes", "layer": "1",
            ])
        world.node(0.5, 0.5, ["amenity": "cafe", "name": "Kranz", "cuisine": "pizza"])
        let map = try GazetteerMap(world.open())
        let all = try shapes(map, Self.everywhere, 17, ["en-GB", "de"])
        let road = try #require(all.first { $0.kind == .primary })
        #expect(road.id >> 5 == way)
        #expect(road.name == "Street")
        #expect(road.ref == "B 1")
        #expect(road.flags == .bridge)
        #expect(road.layer == 1)
        guard case .line(let points) = road.geometry else {
            Issue.record("no line")
            return
        }
        #expect(points == [(0, 0), (1, 0), (1, 1)].map { MercatorPoint(SmallWorld.point($0.0, $0.1)) })
        let cafe = try #require(all.first { $0.kind == .pointOfInterest })
        #expect(cafe.category == "cafe")
        #expect(cafe.name == "Kranz")
        #expect(try shapes(map, Self.everywhere, 17, ["fr"]).first { $0.kind == .primary }?.name == "Straße")
        // The number stays from zoom to zoom.
        #expect(try shapes(map, Self.everywhere, 9).first { $0.kind == .primary }?.id == road.id)
        #expect(map.attributions == ["none"])
    }

    @Test func aShapeOverTheDateLineIsFoundFromBothSides() throws {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-map-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        writer.add(
            way: OSMWay(
                id: 1, nodes: [1, 2],
                locations: [
                    Coordinate(latitude: -17, longitude: 179.99), Coordinate(latitude: -17, longitude: -179.99),
                ],
                tags: ["highway": "primary", "name": "Date Line Road"]))
        _ = try writer.finish()
        let map = try GazetteerMap(Gazetteer(path: path))
        let y = MercatorPoint(Coordinate(latitude: -17, longitude: 0)).y
        func line(_ minX: Int32, _ maxX: Int32) throws -> [MercatorPoint] {
            let box = MercatorBox(minX: minX, minY: y - 100, maxX: maxX, maxY: y + 100)
            guard case .line(let points)? = try shapes(map, box, 14).first?.geometry else { return [] }
            return points
        }
        let world = Mercator.world
        let step = Int32((0.01 / 360 * Double(world)).rounded())
        #expect(try line(world - 1000, world - 1).map { $0.x - world } == [-step, step])
        #expect(try line(0, 1000).map(\.x) == [-step, step])
        #expect(try line(world, world + 1000).map { $0.x - world } == [-step, step])
        #expect(try line(world / 2, world / 2 + 1000).isEmpty)
        // A picture that is wider than the world, or asks for more than units can say, shows every copy.
        for box in [
            MercatorBox(minX: -world / 4, minY: y - 100, maxX: world + world / 4, maxY: y + 100),
            MercatorBox(minX: .min, minY: y - 100, maxX: .max, maxY: y + 100),
        ] {
            let found = try shapes(map, box, 14)
            let starts = found.compactMap { shape -> Int32? in
                guard case .line(let points) = shape.geometry else { return nil }
                return points.first?.x
            }
            #expect(starts.contains(-step) && starts.contains(world - step))
        }
    }

    @Test func aLineIsCutWhereNodesAreMissing() throws {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-map-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try GazetteerWriter(
            path: path, source: GazetteerSource(name: "test", licence: "none", attribution: "none"))
        let places = (0..<7).map { $0 == 3 ? nil : SmallWorld.point(Double($0), Double($0 % 2)) }
        writer.add(
            way: OSMWay(id: 9, nodes: Array(1...7), locations: places, tags: ["natural": "coastline"]))
        _ = try writer.finish()
        let lines = try shapes(GazetteerMap(Gazetteer(path: path)), Self.everywhere, 16)
        #expect(lines.map(\.kind) == [.coastline, .coastline])
        #expect(Set(lines.map(\.id)).count == 1)
        #expect(lines.allSatisfy { if case .line(let points) = $0.geometry { points.count == 3 } else { false } })
    }

    @Test func damagedBlocksAreToldAndNeverCrash() throws {
        var world = SmallWorld()
        for number in 0..<40 {
            world.way(
                [(0, 0), (Double(number), 3), (5, 7), (0, 0)], ["landuse": "forest", "name": "Wald", "name:en": "Wood"])
        }
        let gazetteer = try world.open()
        let blobs = try gazetteer.withDatabase { database in
            var blobs: [[UInt8]] = []
            let rows = try database.prepare("SELECT shapes FROM map_block")
            while try rows.step() { blobs.append(rows.withBlob(0) { Array($0) }) }
            return blobs
        }
        var random = SeededGenerator(seed: 3)
        var refused = 0
        for _ in 0..<3000 {
            guard var blob = blobs.randomElement(using: &random) else { return }
            if Bool.random(using: &random) {
                blob.removeLast(Int.random(in: 1..<blob.count, using: &random))
            } else {
                blob[Int.random(in: 0..<blob.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                // Numbers of 64 bits, whose sums are beyond what any place can be.
                let start = Int.random(in: 0..<blob.count, using: &random)
                if start % 3 == 0 {
                    for index in start..<min(start + 9, blob.count) { blob[index] = 0xff }
                    if start + 9 < blob.count { blob[start + 9] = 1 }
                }
            }
            do {
                try blob.withUnsafeBytes {
                    try MapBlock.forEachShape(
                        of: $0, kinds: MapKind.allCases, in: Self.everywhere, zoom: 14, shift: 0, languages: ["en"]
                    ) { _ in }
                }
            } catch is MapBlock.Damage {
                refused += 1
            }
        }
        #expect(refused > 1000)
    }
}

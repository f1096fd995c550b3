import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct GraphFileTests {
    private static func town() throws -> Town {
        try Town(
            """
            a - b - c - g
            |   |   |
            d - e - f - h
            """,
            ways: [
                "abc name=High~Street ref=A~1", "def", "ad oneway=yes", "be", "cf access=destination", "cg",
                "fh highway=footway",
            ], nodes: ["e highway=traffic_signals", "c highway=motorway_junction ref=12 name=Exit"],
            relations: [
                "no_right_turn abc b be", "only_left_turn ad def cf", "no_u_turn def be abc",
                "- be e def restriction:conditional=no_left_turn~@~(Mo-Fr~07:00-10:30)",
            ])
    }

    private static func questions(_ town: Town) -> [RouteRequest] {
        var requests: [RouteRequest] = []
        for (from, to) in [("a", "h"), ("d", "g"), ("g", "a"), ("h", "d"), ("c", "e")] as [(Character, Character)] {
            for profile in Profile.allCases {
                var request = town.request([from, "b", to], profile: profile)
                request.departure = 1_493_712_000
                requests.append(request)
            }
        }
        return requests
    }

    private static func temporaryPath() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("roads-\(UUID().uuidString).graph").path
    }

    @Test func aWrittenGraphAnswersAsTheOneInMemory() throws {
        let town = try Self.town()
        let path = Self.temporaryPath()
        defer { unlink(path) }
        try town.graph.write(to: path)
        let graph = try RoadGraph.open(path: path)
        try graph.verify()
        let metrics = [try graph.metric(for: .car), try town.graph.metric(for: .car)]
        #expect(metrics[0].storage.bytes.elementsEqual(metrics[1].storage.bytes))
        withExtendedLifetime(metrics) {}
        #expect(graph.atlasID == [UInt8](0..<16))
        #expect(graph.edgeCount == town.graph.edgeCount)
        let router = try Town.router(graph)
        for request in Self.questions(town) {
            let before = try? town.router.route(request)
            let after = try? router.route(request)
            #expect(before == after)
        }
    }

    @Test func buildingTwiceGivesTheSameBytes() throws {
        let first = try Self.town().graph
        let second = try Self.town().graph
        #expect(first.storage.bytes.elementsEqual(second.storage.bytes))
        withExtendedLifetime((first, second)) {}
    }

    @Test func whatIsNoGraphIsRefused() throws {
        let path = Self.temporaryPath()
        defer { unlink(path) }
        #expect(throws: RoutingError.fileError(file: path, reason: "No such file or directory")) {
            try RoadGraph.open(path: path)
        }
        try Data("no graph at all, but long enough to have a header of sixty-four bytes".utf8)
            .write(to: URL(fileURLWithPath: path))
        #expect(throws: RoutingError.damagedAtlas(file: path, reason: "it does not begin as a road graph does")) {
            try RoadGraph.open(path: path)
        }
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: RoutingError.self) { try RoadGraph.open(path: path) }
    }

    @Test func aNewerVersionIsRefused() throws {
        let original = try Self.town().graph
        defer { withExtendedLifetime(original) {} }
        let bytes = original.storage.bytes
        let storage = GraphStorage.make(count: bytes.count) { memory in
            memory.copyMemory(from: bytes)
            memory.storeBytes(of: RoadGraph.formatVersion + 1, toByteOffset: 8, as: UInt32.self)
            let sum = Checksum.of(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[0..<48]))
            memory.storeBytes(of: sum, toByteOffset: 48, as: UInt64.self)
        }
        #expect(throws: RoutingError.unsupportedVersion(file: "x", version: Int(RoadGraph.formatVersion) + 1)) {
            try RoadGraph(storage: storage, name: "x")
        }
    }

    @Test func everyTruncationIsRefused() throws {
        let town = try Self.town()
        defer { withExtendedLifetime(town.graph) {} }
        let bytes = town.graph.storage.bytes
        for count in stride(from: 0, to: bytes.count, by: 97) {
            let storage = GraphStorage.make(count: max(count, 1)) { memory in
                memory.copyBytes(from: bytes[0..<min(count, memory.count)])
            }
            #expect(throws: RoutingError.self, "\(count) bytes") { try RoadGraph(storage: storage, name: "x") }
        }
    }

    /// A changed byte gives an error or an answer, never a crash or a search without end, and `verify` finds it.
    @Test func flippedBytesDoNoHarmAndAreFound() throws {
        let town = try Self.town()
        defer { withExtendedLifetime(town.graph) {} }
        let bytes = town.graph.storage.bytes
        let questions = Self.questions(town)
        let metrics = try Profile.allCases.map { try town.graph.metric(for: $0) }
        let flips = ProcessInfo.processInfo.environment["SEXTANT_FLIPS"].flatMap { Int($0) } ?? 1500
        let seed = UInt64(20_260_801)
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<flips {
            let offset = Int.random(in: 0..<bytes.count, using: &random)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            let storage = GraphStorage.make(count: bytes.count) { memory in
                memory.copyMemory(from: bytes)
                memory[offset] ^= bit
            }
            do {
                let graph = try RoadGraph(storage: storage, name: "x")
                #expect(throws: RoutingError.self, "seed \(seed), byte \(offset), bit \(bit)") { try graph.verify() }
                let router = try Router(graph: graph, metrics: metrics)
                for request in questions {
                    do { _ = try router.route(request) } catch { refused += 1 }
                }
                // A metric can be made of it, or the reason why not is told.
                do { _ = try graph.metric(for: .car) } catch { refused += 1 }
                do { _ = try graph.metric(for: .car, wishes: RoadWishes(excluded: [.tolls])) } catch { refused += 1 }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test func nothingIsKeptOfADamagedGraph() throws {
        let town = try Self.town()
        let bytes = town.graph.storage.bytes
        let weights = try #require(town.graph.arrays.table.first { $0.id == SectionID.carWeights.rawValue })
        let storage = GraphStorage.make(count: bytes.count) { memory in
            memory.copyMemory(from: bytes)
            memory[weights.offset] ^= 1
        }
        let router = Router(graph: try RoadGraph(storage: storage, name: "x"))
        #expect(throws: RoutingError.self) { try router.prepare(.car, wishes: RoadWishes(excluded: [.tolls])) }
    }

    /// The same for a metric, all of whose bytes matter less but are read as boldly.
    @Test func flippedAndMissingBytesOfAMetricDoNoHarmAndAreFound() throws {
        let town = try Self.town()
        let metric = try town.graph.metric(for: .car)
        defer { withExtendedLifetime((town, metric)) {} }
        let bytes = metric.storage.bytes
        for count in stride(from: 0, to: bytes.count, by: 61) {
            let storage = GraphStorage.make(count: max(count, 1)) { memory in
                memory.copyBytes(from: bytes[0..<min(count, memory.count)])
            }
            #expect(throws: RoutingError.self, "\(count) bytes") { try RoadMetric(storage: storage, name: "x") }
        }
        let questions = Self.questions(town).filter { $0.profile == .car }
        let seed = UInt64(20_261_201)
        var random = SeededGenerator(seed: seed)
        var refused = 0
        for _ in 0..<1500 {
            let offset = Int.random(in: 0..<bytes.count, using: &random)
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
            let storage = GraphStorage.make(count: bytes.count) { memory in
                memory.copyMemory(from: bytes)
                memory[offset] ^= bit
            }
            do {
                let metric = try RoadMetric(storage: storage, name: "x")
                #expect(throws: RoutingError.self, "seed \(seed), byte \(offset), bit \(bit)") { try metric.verify() }
                let router = try Router(graph: town.graph, metrics: [metric])
                for request in questions {
                    do { _ = try router.route(request) } catch { refused += 1 }
                }
            } catch {
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test func aMetricOfAnotherGraphIsRefused() throws {
        let town = try Self.town()
        let other = try Town("a - b", ways: ["ab"])
        #expect(throws: RoutingError.damagedAtlas(file: "the metric of foot", reason: "belongs to another atlas")) {
            try Router(graph: town.graph, metrics: [other.graph.metric(for: .foot)])
        }
    }
}

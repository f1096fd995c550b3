import Foundation
import Geometry
import OpenStreetMap
import Testing

@testable import Routing

@Suite struct RoadLimitsTests {
    @Test(arguments: [
        ("3.8", 3800), ("3,8 m", 3800), ("3.8m", 3800), ("380 cm", 3800), ("12'6\"", 3810), ("12 ft 6 in", 3810),
        ("12'6", 3810), ("11ft", 3353), ("14'", 4267), ("4.2;3.9", 3900), (" 2 ", 2000),
    ])
    func heightsAreReadInMetresAndFeet(_ value: String, _ millimetres: UInt16) {
        #expect(RoadLimits(["maxheight": value], direction: nil)?.height == millimetres)
    }

    @Test(arguments: [
        ("7.5", 750), ("7,5 t", 750), ("7500 kg", 750), ("16500 lbs", 748), ("8 st", 726), ("3.5t", 350),
        ("2.8 tonnes", 280),
    ])
    func weightsAreReadInTonnesKilogramsAndPounds(_ value: String, _ tens: UInt16) {
        #expect(RoadLimits(["maxweight": value], direction: nil)?.weight == tens)
    }

    @Test(arguments: [
        "default", "none", "below_default", "", "-3", "0", "nan", "1e9", "3..5", "3 elephants", "'", "99999999999999",
    ])
    func textThatTellsNoLimitTellsNone(_ value: String) {
        #expect(RoadLimits(["maxheight": value, "maxweight": value], direction: nil) == nil)
    }

    @Test func aLimitOfOneDirectionIsNoneOfTheOther() {
        let tags: Tags = ["maxheight:forward": "3", "maxwidth": "2", "maxheight:physical": "3.5"]
        let forward = RoadLimits(tags, direction: .forward)
        let backward = RoadLimits(tags, direction: .backward)
        #expect(forward?.height == 3000 && forward?.width == 2000)
        #expect(backward?.height == 3500 && backward?.width == 2000)
    }

    @Test func whatIsJustAsHighAsTheLimitPasses() {
        var limits = RoadLimits()
        limits.height = 3800
        #expect(VehicleSize(height: 3.8).passes(limits))
        #expect(!VehicleSize(height: 3.81).passes(limits))
        #expect(VehicleSize(width: 9).passes(limits))
    }
}

@Suite struct WishTests {
    /// The short way over b has what is wished away; the long one over e has not.
    private static let drawing = """
        a - b - c
        |       |
        d - e - f
        """

    private func town(_ tags: String, nodes: [String] = []) throws -> Town {
        try Town(Self.drawing, ways: ["ab", "bc \(tags)", "ad", "def", "cf"], nodes: nodes)
    }

    private func path(_ town: Town, _ wishes: RoadWishes, _ from: Character = "a", _ to: Character = "c") -> String {
        var request = town.request([from, to])
        request.wishes = wishes
        return town.drive(request).path
    }

    @Test(arguments: [
        ("toll=yes", RoadKinds.tolls), ("highway=motorway oneway=no", .motorways),
        ("highway=motorway_link", .motorways),
        ("tunnel=yes", .tunnels), ("surface=gravel", .unpaved), ("tracktype=grade3", .unpaved),
        ("route=ferry duration=0:00:01", .ferries),
    ])
    func whatIsExcludedIsNotUsed(_ tags: String, _ kind: RoadKinds) throws {
        // Nobody sets out or arrives on a ferry: a street goes on behind it.
        let town = try Town(
            """
            a - b - c - g
            |       |
            d - e - f
            """, ways: ["ab", "bc \(tags)", "ad", "def", "cf", "cg"])
        #expect(path(town, RoadWishes(), "a", "g") == "a b c g")
        #expect(path(town, RoadWishes(excluded: kind), "a", "g") == "a d e f c g")
        #expect(path(town, RoadWishes(excluded: RoadKinds.all.subtracting(kind)), "a", "g") == "a b c g")
        #expect(path(town, RoadWishes(avoided: kind), "a", "g") == "a d e f c g")
    }

    @Test func whatIsAvoidedIsUsedWhereThereIsNoOtherWayAndTold() throws {
        let town = try Town("a - b - c - d", ways: ["ab", "bc toll=yes", "cd"])
        var request = town.request(["a", "d"])
        request.wishes.avoided = [.tolls, .ferries]
        let drive = town.drive(request)
        #expect(drive.path == "a b c d")
        #expect(drive.route?.kinds == .tolls)
        let plain = town.drive("a", "d")
        #expect(drive.route?.duration == plain.route?.duration)
        // Once entered, and four times the cost of 100 m.
        let more = (drive.route?.cost ?? 0) - (plain.route?.cost ?? 0)
        let charge = Int(RoadWishes.enteringAvoided)
        #expect((charge + 1..<charge + 60_000).contains(more))
        request.wishes = RoadWishes(excluded: .tolls)
        #expect(town.drive(request).path.isEmpty)
        if case .noRoute? = town.drive(request).error {} else { Issue.record("a toll road that was excluded was used") }
    }

    @Test func aTollBoothIsNotPassedWithoutTolls() throws {
        let town = try town("", nodes: ["b barrier=toll_booth"])
        #expect(path(town, RoadWishes()) == "a b c")
        #expect(path(town, RoadWishes(excluded: .tolls)) == "a d e f c")
        #expect(path(town, RoadWishes(excluded: .tolls), "a", "b") == "a b")
    }

    @Test func aLorryKeepsToRoadsThatBearIt() throws {
        for (tags, nodes) in [
            ("maxheight=3.5", []), ("maxweight=10", []), ("maxlength=8~m", []), ("maxwidth=7'", []),
            ("maxaxleload=5", []), ("", ["b barrier=height_restrictor maxheight=3.5"]), ("", ["b maxweight=7500~kg"]),
        ] {
            let town = try town(tags, nodes: nodes)
            let lorry = VehicleSize(height: 3.8, width: 2.55, length: 12, weight: 12, axleLoad: 8)
            #expect(path(town, RoadWishes(vehicle: lorry)) == "a d e f c", "\(tags) \(nodes)")
            #expect(path(town, RoadWishes(vehicle: VehicleSize(height: 2, weight: 3))) == "a b c", "\(tags) \(nodes)")
            #expect(path(town, RoadWishes()) == "a b c")
        }
    }

    /// A car park at which no road arrives is left out of the graph, and the roads behind it keep their own limits.
    @Test func limitsStayWithTheirRoadsWhereAWayBeforeThemIsLeftOut() throws {
        let router = Router(
            graph: try Town.graph(
                ways: [
                    OSMWay.onGrid(1, [51, 52, 62, 61, 51], ["amenity": "parking"]),
                    OSMWay.onGrid(2, [10, 11], ["highway": "primary"]),
                    OSMWay.onGrid(3, [11, 12], ["highway": "primary", "maxheight": "3"]),
                    OSMWay.onGrid(4, [11, 21, 22, 12], ["highway": "primary"]),
                    OSMWay.onGrid(5, [12, 13], ["highway": "primary"]),
                ], nodes: [], relations: []))
        var request = RouteRequest(stops: [
            Stop(Coordinate(latitude: 0.999, longitude: 1)), Stop(Coordinate(latitude: 0.999, longitude: 1.003)),
        ])
        #expect(try router.route(request).legs[0].edges.map(\.road.wayID) == [2, 3, 5])
        request.wishes.vehicle = VehicleSize(height: 3.8)
        #expect(try router.route(request).legs[0].edges.map(\.road.wayID) == [2, 4, 5])
    }

    @Test func presentSpeedsDecide() throws {
        let town = try town("")
        // Nodes are numbered from a on, line by line.
        let slow = SegmentSpeeds([.init(from: 2, to: 3, speed: 1)])
        #expect(path(town, RoadWishes(speeds: slow)) == "a d e f c")
        #expect(path(town, RoadWishes(speeds: slow), "c", "a") == "c b a")
        let closed = SegmentSpeeds([.init(from: 3, to: 2, speed: 0)])
        #expect(path(town, RoadWishes(speeds: closed), "c", "a") == "c f e d a")
        let quick = SegmentSpeeds([
            .init(from: 1, to: 4, speed: 200), .init(from: 4, to: 5, speed: 200), .init(from: 5, to: 6, speed: 200),
            .init(from: 6, to: 3, speed: 200),
        ])
        #expect(path(town, RoadWishes(speeds: quick)) == "a d e f c")
        var request = town.request(["a", "c"])
        request.wishes.speeds = quick
        let route = try town.router.route(request)
        let metres = route.length
        #expect(route.duration < metres / 55 + 16)
    }

    @Test func aFileOfSpeedsIsReadLineByLine() throws {
        let text = "# made at noon\n1,2,30\r\n\n2,1,0,5\n 3 , 4 , 12.5 \n1,2,40"
        let speeds = try SegmentSpeeds(csv: Array(text.utf8))
        #expect(speeds.segments.map(\.from) == [1, 2, 3])
        #expect(speeds.segments.map(\.speed) == [40, 0, 12.5])
        for bad in ["1,2", "1,2,x", "a,2,3", "1,2,-3", "1,2,nan", "1,2,inf", ",,", "99999999999999999999,1,2"] {
            #expect {
                try SegmentSpeeds(csv: Array("1,2,3\n\(bad)\n".utf8))
            } throws: { error in
                "\(error)".contains("line 2")
            }
        }
    }

    @Test func wishesWithoutSenseAreRefused() throws {
        let town = try town("")
        for vehicle in [
            VehicleSize(height: -1), VehicleSize(weight: .nan), VehicleSize(length: .infinity), VehicleSize(width: 0),
        ] {
            var request = town.request(["a", "c"])
            request.wishes.vehicle = vehicle
            if case .invalidRequest? = town.drive(request).error {} else { Issue.record("\(vehicle) was taken") }
        }
    }

    @Test func namesOfKindsAreReadInSingularAndPlural() {
        #expect(RoadKinds("toll, Motorways") == [.tolls, .motorways])
        #expect(RoadKinds("") == [])
        #expect(RoadKinds("toll,bridge") == nil)
    }

    @Test func differentWishesHaveDifferentWords() throws {
        var random = SeededGenerator(seed: 3)
        let world = RandomWorld(seed: 3, isDecorated: true)
        var seen: [String: RoadWishes] = [:]
        for _ in 0..<500 {
            var wishes = world.wishes(&random)
            // What is excluded is not avoided besides.
            wishes.avoided.subtract(wishes.excluded)
            if wishes.speeds?.isEmpty == true { wishes.speeds = nil }
            if let other = seen[wishes.key] { #expect(other == wishes) }
            seen[wishes.key] = wishes
        }
        #expect(seen.count > 300)
    }

    /// What the potential says never exceeds what the next edge costs and what it says behind that.
    @Test func thePotentialOfWishesIsConsistent() throws {
        var compared = 0
        for seed in 1...200 as ClosedRange<UInt64> {
            let world = RandomWorld(seed: seed, isDecorated: true)
            let base = try Town.graph(
                ways: world.ways, nodes: world.nodes, relations: world.relations, rules: world.rules)
            guard base.edgeCount > 0 else { continue }
            var random = SeededGenerator(seed: seed &* 104_729)
            let wishes = world.wishes(&random)
            let metric = try base.metric(for: .car, wishes: wishes)
            let graph = RoadGraph(base, as: metric)
            let arrays = graph.arrays
            let workspace = Workspace(
                stateCount: arrays.heads.count + arrays.stateEdges.count, vertexCount: graph.vertexCount)
            let closed = workspace.close(
                (0..<2).map { _ in UInt32.random(in: 0..<UInt32(arrays.heads.count), using: &random) })
            let search = EdgeSearch(graph: arrays, user: .car, closed: closed)
            for reach in [HierarchyPotential.Reach.open, .both, .free] {
                let edge = UInt32.random(in: 0..<UInt32(arrays.heads.count), using: &random)
                guard let own = arrays.car.weights[edge], own != .max else { continue }
                let target = SearchTarget(edge: edge, cost: UInt32.random(in: 0...own, using: &random))
                var potential = HierarchyPotential(
                    graph: arrays, metric: metric, targets: [target], reach: reach, workspace: workspace)
                func bound(_ directed: UInt32) -> UInt64 {
                    UInt64(potential.lowerBound(over: Int(directed), at: Int(arrays.heads.base[Int(directed)])))
                }
                for state in 0..<UInt32(workspace.stateCount) {
                    let edge = try #require(search.edge(of: state))
                    guard arrays.car.weights.base[Int(edge)] != .max else { continue }
                    let here = bound(edge)
                    let head = Int(arrays.heads.base[Int(edge)])
                    for index in arrays.firstLeaving.base[head]..<arrays.firstLeaving.base[head + 1] {
                        let onward = arrays.leaving.base[Int(index)]
                        guard let turn = search.turn(from: state, into: onward) else { continue }
                        compared += 1
                        if onward == target.edge { #expect(here <= UInt64(turn.cost) + UInt64(target.cost)) }
                        let there = bound(onward)
                        if there == UInt64(UInt32.max) { continue }
                        let weight = UInt64(arrays.car.weights.base[Int(onward)])
                        #expect(
                            here <= UInt64(turn.cost) + weight + there,
                            "world \(seed), \(wishes.key), \(reach): \(edge) to \(onward)")
                    }
                }
                #expect(!potential.isDamaged)
            }
        }
        #expect(compared > 3000)
    }

    @Test func severalThreadsWithDifferentWishesGetTheirOwnRoutes() async throws {
        let town = try town("toll=yes")
        try await withThrowingTaskGroup(of: (Bool, String).self) { group in
            for index in 0..<64 {
                group.addTask {
                    var request = town.request(["a", "c"])
                    if index % 2 == 0 { request.wishes.excluded = .tolls }
                    return (index % 2 == 0, town.drive(request).path)
                }
            }
            for try await (isWithout, path) in group { #expect(path == (isWithout ? "a d e f c" : "a b c")) }
        }
        #expect(town.router.cache.count == 1)
    }
}

@Suite struct ClosureTests {
    private static let drawing = """
        a - b - c
        |       |
        d - e - f - g
        """
    private static let ways = ["abc", "ad", "def", "cf", "fg"]

    private func path(_ closures: RoadClosure..., from: Character = "a", to: Character = "c") throws -> String {
        let town = try Town(Self.drawing, ways: Self.ways)
        var request = town.request([from, to])
        request.closures = closures
        return town.drive(request).path
    }

    @Test func aClosedWayIsDrivenRound() throws {
        #expect(try path() == "a b c")
        #expect(try path(.way(1)) == "a d e f c")
        #expect(try path(.way(999)) == "a b c")
    }

    @Test func aSegmentIsClosedInOneDirection() throws {
        // The whole of abc is one road between junctions.
        #expect(try path(.segment(from: 2, to: 3)) == "a d e f c")
        #expect(try path(.segment(from: 3, to: 2)) == "a b c")
        #expect(try path(.segment(from: 3, to: 2), from: "c", to: "a") == "c f e d a")
    }

    @Test func aBoxOverTheDateLineClosesNothingElsewhere() throws {
        #expect(try path(.box(BoundingBox(west: 179, south: -80, east: -179, north: 80))) == "a b c")
        let town = try Town("a - b - c", ways: ["abc"], metres: 100)
        #expect(town.router.roadCount(closedBy: .box(BoundingBox(west: -179, south: -80, east: 179, north: 80))) > 0)
    }

    @Test func allThatTouchesAnAreaIsClosed() throws {
        let town = try Town(Self.drawing, ways: Self.ways)
        let spot = town.place("b")
        #expect(try path(.box(BoundingBox(around: spot, metres: 5))) == "a d e f c")
        #expect(
            try path(
                .polygon([
                    Coordinate(latitude: spot.latitude + 1e-4, longitude: spot.longitude + 1e-5),
                    Coordinate(latitude: spot.latitude - 1e-4, longitude: spot.longitude + 1e-5),
                    Coordinate(latitude: spot.latitude - 1e-4, longitude: spot.longitude + 2e-5),
                ])) == "a d e f c")
        let beside = BoundingBox(
            around: Coordinate(latitude: spot.latitude - 4e-4, longitude: spot.longitude), metres: 5)
        #expect(try path(.box(beside)) == "a b c")
        #expect(try path(.polygon([])) == "a b c")
    }

    @Test func whoStandsBeforeAClosureMayTurnRound() throws {
        let town = try Town("a - b - c - d", ways: ["ab", "bc", "cd"])
        var request = town.request(["a", "d"])
        request.closures = [.way(3)]
        // There is no way past, and the stop itself lies on the closed road.
        #expect(town.drive(request).route == nil || town.drive(request).path == "a b c")
        let spot = Coordinate(
            latitude: town.place("b").latitude,
            longitude: (town.place("b").longitude + town.place("c").longitude) / 2)
        var back = RouteRequest(
            stops: [Stop(spot, bearing: BearingRange(degrees: 90, tolerance: 30)), Stop(town.place("a"))])
        back.closures = [.way(3)]
        #expect(town.drive(back).path == "c b a")
    }

    @Test func closuresOfOneRequestAreGoneInTheNext() throws {
        let town = try Town(Self.drawing, ways: Self.ways)
        for _ in 0..<3 {
            var request = town.request(["a", "c"])
            request.closures = [.way(1), .box(BoundingBox(around: town.place("b"), metres: 1))]
            #expect(town.drive(request).path == "a d e f c")
            #expect(town.drive("a", "c").path == "a b c")
        }
    }
}

@Suite struct MetricCacheTests {
    private func folder() throws -> String {
        let path = NSTemporaryDirectory() + "metrics-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func files(_ folder: String) -> [String] {
        (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).filter {
            $0.hasSuffix(".metric") || $0.hasSuffix(".part")
        }.map { folder + "/" + $0 }.sorted()
    }

    private func town() throws -> Town {
        try Town("a - b - c\n|       |\nd - e - f", ways: ["ab", "bc toll=yes tunnel=yes", "ad", "def", "cf"])
    }

    private func router(_ town: Town, _ cache: MetricCache) throws -> Router {
        try Router(graph: town.graph, metrics: Profile.allCases.map { try town.graph.metric(for: $0) }, cache: cache)
    }

    @Test func theMemoryKeepsWhatWasAskedForLast() throws {
        let town = try town()
        let size = try town.graph.metric(for: .car, wishes: RoadWishes(excluded: .tolls)).byteCount
        let router = try router(town, MetricCache(memoryLimit: size * 5 / 2))
        let first = try router.prepare(.car, wishes: RoadWishes(excluded: .tolls))
        try router.prepare(.car, wishes: RoadWishes(excluded: .tunnels))
        #expect(try router.prepare(.car, wishes: RoadWishes(excluded: .tolls)) === first)
        try router.prepare(.car, wishes: RoadWishes(excluded: .ferries))
        #expect(router.cache.count == 2)
        #expect(try router.prepare(.car, wishes: RoadWishes(excluded: .tolls)) === first)
    }

    @Test func theNextProcessFindsTheFile() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let town = try town()
        let wishes = RoadWishes(excluded: .tolls)
        try router(town, MetricCache(folder: folder)).prepare(.car, wishes: wishes)
        let written = files(folder)
        #expect(written.count == 1)
        let before = try #require(
            try FileManager.default.attributesOfItem(atPath: written[0])[.systemFileNumber] as? Int)
        let second = try router(town, MetricCache(folder: folder))
        try second.prepare(.car, wishes: wishes)
        #expect(files(folder) == written)
        #expect(try FileManager.default.attributesOfItem(atPath: written[0])[.systemFileNumber] as? Int == before)
        var request = town.request(["a", "c"])
        request.wishes = wishes
        #expect(try second.route(request).legs[0].edges.count > 2)
    }

    @Test func aDamagedFileIsMadeAnew() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let town = try town()
        let wishes = RoadWishes(avoided: .tunnels, vehicle: VehicleSize(height: 3))
        let whole = try #require(try router(town, MetricCache(folder: folder)).prepare(.car, wishes: wishes))
        let path = try #require(files(folder).first)
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        var request = town.request(["a", "c"])
        request.wishes = wishes
        let expected = try router(town, MetricCache()).route(request).cost
        var random = SeededGenerator(seed: 99)
        for round in 0..<60 {
            var broken = bytes
            if round % 3 == 0 {
                broken.removeLast(Int.random(in: 1...broken.count, using: &random))
            } else {
                broken[Int.random(in: 0..<broken.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try Data(broken).write(to: URL(fileURLWithPath: path))
            let router = try router(town, MetricCache(folder: folder))
            #expect(try router.route(request).cost == expected, "round \(round)")
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes, "round \(round)")
        }
        #expect(whole.byteCount == bytes.count)
        #expect(files(folder) == [path])
    }

    @Test func filesBeyondTheLimitGoTheOldestFirst() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let town = try town()
        let size = try town.graph.metric(for: .car, wishes: RoadWishes(excluded: .tolls)).byteCount
        let cache = MetricCache(folder: folder, diskLimit: size * 5 / 2)
        let router = try router(town, cache)
        try router.prepare(.car, wishes: RoadWishes(excluded: .tolls))
        let first = try #require(files(folder).first)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: first)
        try router.prepare(.car, wishes: RoadWishes(excluded: .tunnels))
        #expect(files(folder).count == 2)
        try router.prepare(.car, wishes: RoadWishes(excluded: .ferries))
        #expect(files(folder).count == 2 && !files(folder).contains(first))
        // Who uses the removed one goes on with it.
        var request = town.request(["a", "c"])
        request.wishes.excluded = .tolls
        #expect(try router.route(request).legs[0].edges.count > 2)
    }

    @Test func whereNothingCanBeWrittenTheMemoryMustDo() throws {
        let town = try town()
        let router = try router(town, MetricCache(folder: "/proc/no/such/folder"))
        var request = town.request(["a", "c"])
        request.wishes.excluded = .tolls
        #expect(try router.route(request).legs[0].edges.count > 2)
        #expect(router.cache.count == 1)
    }
}

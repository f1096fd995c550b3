import Testing

@testable import Geometry

/// A coast drawn in letters: each letter is a node where it stands, a unit of the map for each column and row; ways are
/// given by letters in their order, with the land on their left. "abc" has its places; a letter in brackets has none.
private struct Coast {
    let places: [Character: MercatorPoint]
    let box: MercatorBox
    static let unit: Int32 = 1000

    /// The drawing's first and last rows and columns lie outside the box.
    init(_ drawing: String) {
        let rows = drawing.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        var places: [Character: MercatorPoint] = [:]
        for (y, row) in rows.enumerated() {
            for (x, letter) in row.enumerated() where letter.isLetter {
                places[letter] = MercatorPoint(x: Int32(x) * Self.unit, y: Int32(y) * Self.unit)
            }
        }
        self.places = places
        let width = Int32(rows.map(\.count).max() ?? 0)
        box = MercatorBox(
            minX: Self.unit, minY: Self.unit, maxX: (width - 2) * Self.unit, maxY: (Int32(rows.count) - 2) * Self.unit)
    }

    func closing(_ ways: String..., missing: String = "", evidence: [(Int32, Int32)] = []) -> CoastlineClosing {
        var coastline = Coastline()
        for way in ways {
            coastline.add(
                nodes: way.map { Int64($0.asciiValue ?? 0) },
                places: way.map { missing.contains($0) ? nil : places[$0] })
        }
        return CoastlineClosing(coastline.chains(), in: box, evidence: evidence.map { spot($0.0, $0.1) })
    }

    func spot(_ x: Int32, _ y: Int32) -> MercatorPoint { MercatorPoint(x: x * Self.unit + 500, y: y * Self.unit + 500) }

    /// The ground at the middle of every unit within the box, a row a line: # land, . sea.
    func ground(_ closing: CoastlineClosing) -> String {
        let rows = (box.minY / Self.unit)..<(box.maxY / Self.unit)
        let columns = (box.minX / Self.unit)..<(box.maxX / Self.unit)
        return rows.map { y in
            columns.map { x in
                closing.land.contains { MercatorRing.contains(spot(x, y), rings: $0) } ? "#" : "."
            }.joined()
        }.joined(separator: "\n")
    }
}

@Suite struct CoastlineTests {
    @Test func anIslandIsLandAndTheRestIsSea() {
        let coast = Coast(
            """
            ........
            ........
            ..a..b..
            ........
            ..d..c..
            ........
            ........
            """)
        let island = """
            .....
            .###.
            .###.
            .....
            """
        #expect(coast.ground(coast.closing("adcba")) == island)
        // In two ways; and one of them drawn in the wrong direction.
        #expect(coast.ground(coast.closing("adc", "cba")) == island)
        #expect(coast.ground(coast.closing("adcb", "ab")) == island)
        // The wrong way round, with a house on it.
        #expect(coast.ground(coast.closing("abcda", evidence: [(3, 3)])) == island)
    }

    @Test func aLagoonInTheLandIsSeaAndTheRestIsLand() {
        let coast = Coast(
            """
            ........
            ........
            ..a..b..
            ........
            ..d..c..
            ........
            ........
            """)
        let closing = coast.closing("abcda", evidence: [(1, 1), (6, 4)])
        #expect(closing.ground == .land)
        #expect(
            coast.ground(closing) == """
                #####
                #...#
                #...#
                #####
                """)
    }

    @Test func aCoastCutOnOneSideIsClosedAlongIt() {
        let coast = Coast(
            """
            ........
            ........
            ....b..a
            ........
            ....c..d
            ........
            ........
            """)
        #expect(
            coast.ground(coast.closing("abcd")) == """
                .....
                ...##
                ...##
                .....
                """)
        // The same line the other way: a bay.
        #expect(
            coast.ground(coast.closing("dcba")) == """
                #####
                ###..
                ###..
                #####
                """)
        // A line that would drown every house was drawn in the wrong direction.
        let houses: [(Int32, Int32)] = [(5, 2), (5, 3), (4, 2), (4, 3), (5, 2), (5, 3), (4, 2), (4, 3)]
        #expect(
            coast.ground(coast.closing("dcba", evidence: houses)) == """
                .....
                ...##
                ...##
                .....
                """)
    }

    @Test func aCoastThroughTheBoxHasLandOnItsLeft() {
        let coast = Coast(
            """
            ...a....
            ........
            ........
            ........
            ........
            ........
            ...b....
            """)
        let west = """
            ##...
            ##...
            ##...
            ##...
            """
        let east = """
            ..###
            ..###
            ..###
            ..###
            """
        #expect(coast.ground(coast.closing("ab")) == east)
        #expect(coast.ground(coast.closing("ba")) == west)
    }

    @Test func coastsCutOnFourSidesMakeAStrait() {
        let coast = Coast(
            """
            ...ae...
            ........
            ........
            ........
            b......f
            c......g
            ........
            ........
            ........
            ...dh...
            """)
        #expect(
            coast.ground(coast.closing("ba", "ef", "dc", "gh")) == """
                #...#
                .....
                .....
                .....
                .....
                .....
                #...#
                """)
    }

    @Test func aGapInTheCoastIsClosedWhereNoEdgeIsNearer() {
        let coast = Coast(
            """
            ...........
            ...........
            ...........
            ...ab..c...
            ...........
            ...e...d...
            ...........
            ...........
            ...........
            """)
        // The way from b to a is not in the file.
        #expect(
            coast.ground(coast.closing("aedcb")) == """
                ........
                ........
                ..####..
                ..####..
                ........
                ........
                """)
    }

    @Test func anIslandInABayAndALineThatEndsInsideAreClosed() {
        let coast = Coast(
            """
            ..........
            ..........
            a.......b.
            ..........
            ...p.q....
            ...s.r....
            ..........
            ..........
            """)
        // The coast ends at the eastern edge, without a node beyond it.
        #expect(
            coast.ground(coast.closing("ab", "psrqp")) == """
                #######
                .......
                .......
                ..##...
                .......
                """)
        #expect(
            coast.ground(coast.closing("ba", "psrqp")) == """
                .......
                #######
                #######
                #######
                #######
                """)
    }

    @Test func waterThatTheExtractCutsIsClosedOnTheSideWhereNoHouseStands() {
        let coast = Coast(
            """
            ..a....b..
            ..........
            ..........
            ..........
            ..........
            ..c....d..
            """)
        // A river from north to south, its shores drawn in any direction.
        for shores in [["ac", "bd"], ["ca", "bd"]] {
            var lines = Coastline()
            for shore in shores {
                lines.add(nodes: shore.map { Int64($0.asciiValue ?? 0) }, places: shore.map { coast.places[$0] })
            }
            for (evidence, river) in [([(1, 2), (8, 2)], true), ([(4, 2), (5, 3)], false)] {
                let rings = CoastlineClosing.water(
                    lines.chains(), in: coast.box, evidence: evidence.map { coast.spot(Int32($0.0), Int32($0.1)) })
                #expect(MercatorRing.contains(coast.spot(4, 2), rings: rings) == river)
                #expect(MercatorRing.contains(coast.spot(1, 2), rings: rings) == !river)
                #expect(MercatorRing.contains(coast.spot(7, 3), rings: rings) == !river)
            }
        }
    }

    @Test func nodesWithoutAPlaceCutTheLineWhereTheExtractWasCut() {
        let coast = Coast(
            """
            ..........
            a........b
            ..........
            ....cd....
            ..........
            ..........
            """)
        // c and d are in the file, a and b are not: the line goes on to the nearest edge.
        let closing = coast.closing("bdca", missing: "ab")
        #expect(!closing.land.isEmpty)
    }

    @Test func randomCoastsAgreeWithTheShapeTheyWereCutFrom() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            // A blob around a centre, larger or smaller than the box, with its corners as nodes.
            let box = MercatorBox(minX: 0, minY: 0, maxX: 100_000, maxY: 80_000)
            let centre = (
                x: Double.random(in: -20_000...120_000, using: &random),
                y: Double.random(in: -20_000...100_000, using: &random)
            )
            let corners = Int.random(in: 5...60, using: &random)
            let isIsland = Bool.random(using: &random)
            var blob = (0..<corners).map { corner -> MercatorPoint in
                let angle = Double(corner) / Double(corners) * 2 * .pi
                let radius = Double.random(in: 10_000...90_000, using: &random)
                return MercatorPoint(
                    x: Int32(centre.x + radius * cosine(angle)), y: Int32(centre.y - radius * cosine(angle - .pi / 2)))
            }
            if !isIsland { blob.reverse() }
            // Where no coast reaches the box, nothing tells what is in it.
            let comesIn = zip(blob, blob.dropFirst() + blob.prefix(1)).contains { a, b in
                (0...100).contains { share in
                    box.contains(
                        MercatorPoint(x: a.x + (b.x - a.x) / 100 * share, y: a.y + (b.y - a.y) / 100 * share))
                }
            }
            guard comesIn else { continue }
            var coastline = Coastline()
            // Ways of some nodes each, in any order.
            var ways: [[Int]] = []
            var start = 0
            while start < corners {
                let end = min(corners, start + Int.random(in: 1...9, using: &random))
                ways.append(Array(start...end))
                start = end
            }
            for way in ways.shuffled(using: &random) {
                coastline.add(
                    nodes: way.map { Int64($0 % corners) }, places: way.map { blob[$0 % corners] })
            }
            let closing = CoastlineClosing(Self.reachable(coastline.chains(), box), in: box)
            for _ in 0..<40 {
                let point = MercatorPoint(
                    x: Int32.random(in: 1..<100_000, using: &random), y: Int32.random(in: 1..<80_000, using: &random))
                let expected = MercatorRing.contains(point, rings: [blob]) == isIsland
                let isNear = zip(blob, blob.dropFirst() + blob.prefix(1)).contains {
                    MercatorSimplification.squareDistance(point, $0, $1) < 100
                }
                let found = closing.land.contains { MercatorRing.contains(point, rings: $0) }
                if !isNear { #expect(found == expected, "\(point) in \(blob)") }
            }
        }
    }

    /// What an extract has of a ring: cut open where it leaves the box.
    private static func reachable(_ chains: [Coastline.Chain], _ box: MercatorBox) -> [Coastline.Chain] {
        chains.flatMap { chain -> [Coastline.Chain] in
            guard chain.isClosed, let outside = chain.points.firstIndex(where: { !box.contains($0) }) else {
                return [chain]
            }
            let turned = chain.points[outside...] + chain.points[...outside]
            return [Coastline.Chain(points: Array(turned), isClosed: false)]
        }
    }
}

/// The cosine by its series, as the module has no maths library of its own; good to a thousandth.
private func cosine(_ angle: Double) -> Double {
    var angle = angle
    while angle > .pi { angle -= 2 * .pi }
    while angle < -.pi { angle += 2 * .pi }
    let square = angle * angle
    return 1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90))))
}

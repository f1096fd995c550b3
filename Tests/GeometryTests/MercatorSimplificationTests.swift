import Testing

@testable import Geometry

@Suite struct MercatorSimplificationTests {
    private func walk(_ count: Int, from start: MercatorPoint, _ random: inout SeededGenerator) -> [MercatorPoint] {
        var point = start
        return (0..<count).map { _ in
            point.x += Int32.random(in: 50...400, using: &random)
            point.y += Int32.random(in: -300...300, using: &random)
            return point
        }
    }

    @Test func endsRemainAndEveryPointLeftOutIsWithinTheTolerance() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let line = walk(Int.random(in: 2...400, using: &random), from: MercatorPoint(x: 0, y: 0), &random)
            for tolerance: Int32 in [1, 100, 1000, 100_000] {
                let simple = MercatorSimplification.line(line, tolerance: tolerance)
                #expect(simple.first == line.first && simple.last == line.last && simple.count >= 2)
                let limit = Double(tolerance) * Double(tolerance)
                for point in line {
                    let nearest = zip(simple, simple.dropFirst()).map {
                        MercatorSimplification.squareDistance(point, $0, $1)
                    }.min()
                    #expect((nearest ?? .infinity) <= limit)
                }
                #expect(MercatorSimplification.line(line.reversed(), tolerance: tolerance) == simple.reversed())
            }
        }
    }

    @Test func aRingIsTheSameWhereverItStartsAndWhicheverWayItRuns() throws {
        var random = SeededGenerator(seed: 4)
        let top = walk(90, from: MercatorPoint(x: 0, y: 0), &random)
        let ring = top + walk(90, from: MercatorPoint(x: 0, y: 90_000), &random).reversed()
        let simple = try #require(MercatorSimplification.ring(ring, tolerance: 300))
        #expect(simple.count < ring.count)
        for turn in [1, 17, 120] {
            let turned = Array(ring[turn...] + ring[..<turn])
            #expect(MercatorSimplification.ring(turned, tolerance: 300) == simple)
            let back = try #require(MercatorSimplification.ring(turned.reversed(), tolerance: 300))
            #expect(Set(back) == Set(simple))
        }
    }

    @Test func twoAreasKeepTheSamePointsAlongTheirBorder() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20 {
            let border = walk(300, from: MercatorPoint(x: 0, y: 0), &random)
            let (first, last) = (border[0], border[299])
            let north = border + [MercatorPoint(x: last.x, y: -90_000), MercatorPoint(x: first.x, y: -90_000)]
            let south =
                Array(border.reversed())
                + [MercatorPoint(x: first.x - 5, y: 80_000), MercatorPoint(x: last.x + 9, y: 80_000)]
            let a = Set(try #require(MercatorSimplification.ring(north, tolerance: 250)))
            let b = Set(try #require(MercatorSimplification.ring(south, tolerance: 250)))
            // Away from where they part, which is two pins at either end.
            let middle = Set(border[60..<240])
            #expect(a.intersection(middle) == b.intersection(middle))
            #expect(!a.intersection(middle).isEmpty)
        }
    }

    @Test func aRingThatCollapsesIsNone() {
        let sliver = [
            MercatorPoint(x: 0, y: 0), MercatorPoint(x: 100, y: 1), MercatorPoint(x: 200, y: 0),
            MercatorPoint(x: 100, y: -1),
        ]
        #expect(MercatorSimplification.ring(sliver, tolerance: 10) == nil)
        #expect(MercatorSimplification.ring(sliver, tolerance: 0)?.count == 4)
    }

    @Test func clippingKeepsWhatLiesInTheBox() {
        let ring = [
            MercatorPoint(x: -100, y: -100), MercatorPoint(x: 300, y: -100), MercatorPoint(x: 300, y: 300),
            MercatorPoint(x: -100, y: 300),
        ]
        let box = MercatorBox(minX: 0, minY: 0, maxX: 200, maxY: 100)
        let clipped = MercatorRing.clipped(ring, to: box)
        #expect(MercatorRing.box(clipped) == box)
        #expect(abs(MercatorRing.doubleArea(clipped)) == 40_000)
        let far = MercatorBox(minX: 400, minY: 0, maxX: 500, maxY: 10)
        #expect(MercatorRing.clipped(ring, to: far).isEmpty)
    }
}

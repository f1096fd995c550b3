import Testing

@testable import Geometry

/// Random numbers that a printed seed repeats.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}

/// A star-shaped ring around the middle, closed.
private func star(_ count: Int, around middle: Coordinate, size: Double, _ random: inout Seeded) -> [Coordinate] {
    var angles = (0..<count).map { _ in Double.random(in: 0..<(2 * .pi), using: &random) }.sorted()
    angles.append(angles[0])
    var radii = (0..<count).map { _ in Double.random(in: 0.3...1, using: &random) * size }
    radii.append(radii[0])
    return zip(angles, radii).map { angle, radius in
        // A chord stands for sine and cosine: any curve round the middle will do.
        let t = angle / (2 * .pi) * 4
        let side = Int(t)
        let along = t - Double(side)
        let corner = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)]
        let x = corner[side].0 + along * (corner[side + 1].0 - corner[side].0)
        let y = corner[side].1 + along * (corner[side + 1].1 - corner[side].1)
        return Coordinate(latitude: middle.latitude + radius * y, longitude: middle.longitude + radius * x)
    }
}

@Suite struct PolygonTests {
    @Test func holesAreOutside() {
        func square(_ half: Double) -> [Coordinate] {
            [(-half, -half), (half, -half), (half, half), (-half, half), (-half, -half)].map {
                Coordinate(latitude: $0.1, longitude: $0.0)
            }
        }
        let rings = [square(2), square(1)]
        #expect(Polygon.contains(Coordinate(latitude: 1.5, longitude: 0), rings: rings))
        #expect(!Polygon.contains(Coordinate(latitude: 0, longitude: 0), rings: rings))
        #expect(!Polygon.contains(Coordinate(latitude: 3, longitude: 0), rings: rings))
        #expect(Polygon.area(rings) == 12)
        #expect(Polygon.representativePoint(rings).map { Polygon.contains($0, rings: rings) } == true)
    }

    @Test func anEdgeIsCoveredThoughTheRuleOfRaysMayNotSay() {
        let ring = [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0), (0.0, 0.0)].map {
            Coordinate(latitude: $0.1, longitude: $0.0)
        }
        for (x, y) in [(2.0, 2.0), (2, 0), (0, 1), (4, 1), (4, 2), (1, 1)] {
            #expect(Polygon.covers(Coordinate(latitude: y, longitude: x), rings: [ring]))
        }
        #expect(!Polygon.covers(Coordinate(latitude: 2.000001, longitude: 2), rings: [ring]))
        #expect(!Polygon.covers(Coordinate(latitude: 2, longitude: 4.000001), rings: [ring]))
    }

    @Test func thePartsOfAnAreaHoldWhatTheAreaHolds() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Seeded(state: seed)
        for _ in 0..<200 {
            let middle = Coordinate(latitude: 10, longitude: 20)
            let count = Int.random(in: 3...120, using: &random)
            var rings = [star(count, around: middle, size: 2, &random)]
            if Bool.random(using: &random) { rings.append(star(8, around: middle, size: 0.2, &random)) }
            let parts = AreaSubdivision.parts(of: rings, vertices: 16)
            for _ in 0..<100 {
                let point = Coordinate(
                    latitude: 10 + Double.random(in: -2...2, using: &random),
                    longitude: 20 + Double.random(in: -2...2, using: &random))
                let holders = parts.filter { Polygon.contains(point, rings: $0) }.count
                #expect(holders == (Polygon.contains(point, rings: rings) ? 1 : 0))
            }
            let inner = Polygon.representativePoint(rings)
            #expect(inner.map { Polygon.contains($0, rings: rings) } == true)
        }
    }

    @Test func theDistanceToASegmentIsThatOfItsNearestPoint() {
        let a = Coordinate(latitude: 47, longitude: 9)
        let b = Coordinate(latitude: 47.001, longitude: 9.002)
        let point = Coordinate(latitude: 47.0012, longitude: 9.0005)
        let scanned =
            (0...10_000).map { step -> Double in
                let t = Double(step) / 10_000
                return point.distance(
                    to: Coordinate(
                        latitude: a.latitude + t * (b.latitude - a.latitude),
                        longitude: a.longitude + t * (b.longitude - a.longitude)))
            }.min() ?? 0
        #expect(abs(point.distance(toLine: [a, b]) - scanned) < 0.01)
    }

    @Test func aLineIsMeasuredAlong() {
        let line = [
            Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: 1),
            Coordinate(latitude: 1, longitude: 1),
        ]
        #expect(LineReference.point(at: 0.25, of: line) == Coordinate(latitude: 0, longitude: 0.5))
        #expect(LineReference.point(at: 0.75, of: line) == Coordinate(latitude: 0.5, longitude: 1))
        #expect(LineReference.point(at: 2, of: line) == line[2])
        #expect(LineReference.point(at: 0.5, of: []) == nil)
    }
}

import Testing

@testable import Geometry

@Suite struct CorridorTests {
    @Test func aPlaceBesideTheLineTellsHowFarAlongItIs() throws {
        let line = [Coordinate(latitude: 47, longitude: 9), Coordinate(latitude: 47, longitude: 9.02)]
        let corridor = Corridor(along: line, metres: 200)
        let spot = try #require(corridor.spot(of: Coordinate(latitude: 47.001, longitude: 9.01)))
        #expect(abs(spot.distance - 111) < 1)
        #expect(abs(spot.along - corridor.length / 2) < 1)
        #expect(corridor.spot(of: Coordinate(latitude: 47.002, longitude: 9.01)) == nil)
        #expect(Corridor(along: [], metres: 10).spot(of: line[0]) == nil)
        #expect(Corridor(along: [line[0]], metres: 10).spot(of: line[0])?.along == 0)
    }

    /// The same as a look at every segment, for random lines, some of them over the date line.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func piecesMissNothing(seed: UInt64) {
        var random = SystemlessGenerator(state: seed)
        for round in 0..<40 {
            let start = round % 4 == 0 ? 179.9 : 9.0
            var line = [Coordinate(latitude: 47, longitude: start)]
            for _ in 0..<Int.random(in: 0...120, using: &random) {
                guard let last = line.last else { continue }
                line.append(
                    Coordinate(
                        latitude: last.latitude + Double.random(in: -0.01...0.01, using: &random),
                        longitude: BoundingBox.wrapped(
                            last.longitude + Double.random(in: -0.005...0.02, using: &random))))
            }
            let metres = Double.random(in: 10...3000, using: &random)
            let corridor = Corridor(along: line, metres: metres)
            for _ in 0..<50 {
                let near = line.randomElement(using: &random) ?? line[0]
                let point = Coordinate(
                    latitude: near.latitude + Double.random(in: -0.03...0.03, using: &random),
                    longitude: BoundingBox.wrapped(near.longitude + Double.random(in: -0.03...0.03, using: &random)))
                let distance = Polyline.distance(from: point, to: line)
                let spot = corridor.spot(of: point)
                #expect((spot != nil) == (distance <= metres), "seed \(seed), \(point), \(distance) of \(metres)")
                if let spot { #expect(abs(spot.distance - distance) < 1e-6) }
                if spot != nil { #expect(corridor.boxes.contains { $0.contains(point) }) }
            }
        }
    }
}

private struct SystemlessGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (state >> 33) ^ (state << 31)
    }
}

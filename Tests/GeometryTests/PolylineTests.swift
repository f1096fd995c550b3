import Geometry
import Testing

struct PolylineTests {
    @Test func knownLinesAreEncoded() {
        // The example of Google's description of the format.
        let line = [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)].map {
            Coordinate(latitude: $0.0, longitude: $0.1)
        }
        #expect(Polyline.encode(line) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@")
        #expect(Polyline.decode("_p~iF~ps|U_ulLnnqC_mqNvxq`@") == line)
        #expect(Polyline.encode(line, precision: .six) == "_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI")
    }

    @Test func decodingRefusesWhatIsNoPolyline() {
        for text in ["_", "_p~iF", "_p~iF~ps|U_", "\u{1}\u{2}", "~~~~~~~~~~~~~~~~~~~~?", "é?"] {
            #expect(Polyline.decode(text) == nil)
        }
        #expect(Polyline.decode("") == [])
    }

    @Test func encodingGoesThereAndBack() {
        for seed in 1...50 as ClosedRange<UInt64> {
            var random = SystemSeed(state: seed)
            let line = (0..<40).map { _ in
                Coordinate(
                    latitude: Double(Int(random.next() % 180_000_001)) / 1e6 - 90,
                    longitude: Double(Int(random.next() % 360_000_001)) / 1e6 - 180)
            }
            let back = Polyline.decode(Polyline.encode(line, precision: .six), precision: .six) ?? []
            #expect(back.count == line.count, "seed \(seed)")
            for (a, b) in zip(line, back) {
                #expect(abs(a.latitude - b.latitude) < 1e-9 && abs(a.longitude - b.longitude) < 1e-9, "seed \(seed)")
            }
        }
    }

    @Test func simplifyingKeepsWithinTheTolerance() {
        for seed in 1...50 as ClosedRange<UInt64> {
            var random = SystemSeed(state: seed)
            var place = Coordinate(latitude: 47, longitude: 9)
            var line = [place]
            for _ in 0..<200 {
                place.latitude += Double(random.next() % 200) / 1e6
                place.longitude += (Double(random.next() % 300) - 100) / 1e6
                line.append(place)
            }
            let simple = Polyline.simplified(line, tolerance: 10)
            #expect(simple.count < line.count && simple.first == line.first && simple.last == line.last, "seed \(seed)")
            for point in line { #expect(Polyline.distance(from: point, to: simple) <= 10.01, "seed \(seed)") }
        }
    }

    @Test func spotsAlongALine() {
        let line = [0.0, 1, 2].map { Coordinate(latitude: 0, longitude: $0) }
        let half = Polyline.length(of: line) / 4
        #expect(abs((Polyline.point(on: line, at: half)?.longitude ?? 0) - 0.5) < 1e-9)
        #expect(Polyline.point(on: line, at: -1) == line.first)
        #expect(Polyline.point(on: line, at: 1e9) == line.last)
        #expect(Polyline.point(on: [], at: 1) == nil)
        #expect(Polyline.distance(from: line[0], to: []) == .infinity)
    }
}

/// SplitMix64.
private struct SystemSeed {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

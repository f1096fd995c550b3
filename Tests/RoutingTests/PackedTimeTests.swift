import Testing

@testable import Routing

@Suite struct PackedTimeTests {
    @Test func shortTimesAreKeptToTheMillisecond() {
        for milliseconds in 0...4096 as ClosedRange<UInt32> {
            #expect(PackedTime.rounded(milliseconds) == milliseconds)
        }
    }

    @Test func longTimesAreKeptWithTwelveBits() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<100_000 {
            let milliseconds =
                UInt32.random(in: 0...PackedTime.most, using: &random) >> UInt32.random(in: 0..<22, using: &random)
            let kept = PackedTime.rounded(milliseconds)
            let error = Double(kept) - Double(milliseconds)
            #expect(error.magnitude <= Double(milliseconds) / 4096, "\(milliseconds) came back as \(kept)")
            #expect(PackedTime.rounded(kept) == kept)
        }
    }

    @Test func aLongerTimeIsNeverKeptAsAShorterOne() {
        var last: UInt32 = 0
        var milliseconds: UInt32 = 1
        while milliseconds < PackedTime.most / 2 {
            let kept = PackedTime.rounded(milliseconds)
            #expect(kept >= last)
            last = kept
            milliseconds += max(1, milliseconds / 5000)
        }
    }

    @Test func whatIsClosedStaysClosedAndNothingElseIs() {
        #expect(PackedTime.rounded(.max) == .max)
        #expect(PackedTime.rounded(.max - 1) == PackedTime.most)
        #expect(PackedTime.rounded(PackedTime.most) == PackedTime.most)
        // Four times a time is a time again: what is avoided stays in proportion.
        for milliseconds in [1, 999, 4095, 70_000, 5_000_000] as [UInt32] {
            let kept = PackedTime.rounded(milliseconds)
            #expect(PackedTime.rounded(4 * kept) == 4 * kept)
        }
    }
}

@Suite struct EdgeShapeTests {
    @Test func pointsAndNodesComeBackAsTheyWere() throws {
        var random = SeededGenerator(seed: 99)
        for round in 0..<200 {
            var first: [UInt32] = [0]
            var bytes: [UInt8] = []
            var edges: [(points: [FixedPoint], nodes: [Int64])] = []
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let count = Int.random(in: 2...30, using: &random)
                // Near points as roads have them, and any at all, over the date line as well.
                let isFar = Int.random(in: 0..<4, using: &random) == 0
                let reach: Int32 = isFar ? 1_799_999_999 : 5000
                let points = (0..<count).map { _ in
                    FixedPoint(
                        latitude: .random(in: -reach / 2...reach / 2, using: &random),
                        longitude: .random(in: -reach...reach, using: &random))
                }
                let nodes = (0..<count).map { _ in
                    isFar
                        ? Int64.random(in: .min ... .max, using: &random)
                        : .random(in: 1...12_000_000_000, using: &random)
                }
                EdgeShapes.append(points[...], nodes: nodes[...], to: &bytes)
                first.append(UInt32(bytes.count))
                edges.append((points, nodes))
            }
            try first.withUnsafeBufferPointer { first in
                try bytes.withUnsafeBufferPointer { bytes in
                    let shapes = EdgeShapes(
                        first: Section(base: try #require(first.baseAddress), count: first.count),
                        bytes: Section(base: try #require(bytes.baseAddress), count: bytes.count))
                    var points: [FixedPoint] = []
                    var nodes: [Int64] = []
                    for (number, edge) in edges.enumerated() {
                        let (start, end) = (edge.points[0], edge.points[edge.points.count - 1])
                        #expect(shapes.read(UInt32(number), from: start, to: end, into: &points), "round \(round)")
                        #expect(points == edge.points, "round \(round)")
                        #expect(
                            shapes.read(
                                UInt32(number), from: edge.nodes[0], to: edge.nodes[edge.nodes.count - 1], into: &nodes),
                            "round \(round)")
                        #expect(nodes == edge.nodes, "round \(round)")
                    }
                    #expect(!shapes.read(UInt32(edges.count), from: Int64(0), to: 0, into: &nodes))
                }
            }
        }
    }

    @Test func partsOfAnEdgeHoldEachOfItsSegmentsOnce() {
        for count in [1, 7, 8, 9, 100, 2047, 2048, 2049, 5000, 65_000, 1_000_000] {
            let parts = PackedTree.partCount(of: count)
            #expect(parts <= 256)
            var next = 0
            for part in 0..<parts {
                let segments = PackedTree.segments(ofPart: part, of: count)
                #expect(segments.lowerBound == next && !segments.isEmpty)
                next = segments.upperBound
            }
            #expect(next == count)
            #expect(PackedTree.segments(ofPart: parts, of: count).isEmpty)
        }
    }

    @Test func aPackedBoxHoldsWhatWasPacked() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<10_000 {
            func span(_ limit: Int32) -> (Int32, Int32) {
                let (a, b) = (
                    Int32.random(in: -limit...limit, using: &random), Int32.random(in: -limit...limit, using: &random)
                )
                return (min(a, b), max(a, b))
            }
            let (south, north) = span(900_000_000)
            let (west, east) = span(1_800_000_000)
            let parent = TreeBox(south: south, west: west, north: north, east: east)
            let (a, b) = (
                Int32.random(in: south...north, using: &random), Int32.random(in: south...north, using: &random)
            )
            let (c, d) = (Int32.random(in: west...east, using: &random), Int32.random(in: west...east, using: &random))
            let box = TreeBox(south: min(a, b), west: min(c, d), north: max(a, b), east: max(c, d))
            let back = PackedBox(box, in: parent).unpacked(from: parent)
            #expect(
                back.south <= box.south && back.west <= box.west && back.north >= box.north && back.east >= box.east)
            #expect(back.south >= south && back.west >= west && back.north <= north && back.east <= east)
        }
    }
}

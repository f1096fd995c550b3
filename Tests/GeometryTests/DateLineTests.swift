import Testing

@testable import Geometry

@Suite struct DateLineTests {
    private func line(_ points: (Double, Double)...) -> [Coordinate] {
        points.map { Coordinate(latitude: $0.0, longitude: $0.1) }
    }

    @Test func aLineIsCutWhereItMeetsTheDateLine() {
        #expect(DateLine.pieces(of: line((0, 10), (0, -10))).count == 1)
        #expect(
            DateLine.pieces(of: line((0, 179), (2, -179), (3, -178)))
                == [line((0, 179), (1, 180)), line((1, -180), (2, -179), (3, -178))])
        #expect(
            DateLine.pieces(of: line((0, -179), (0, 178)))
                == [line((0, -179), (0, -180)), line((0, 180), (0, 178))])
        #expect(DateLine.continued(line((0, 179), (2, -179), (3, 178))).map(\.longitude) == [179, 181, 178])
    }

    @Test func aPolygonKeepsItsSizeAndItsHole() {
        let outer = line((0, 176), (0, -176), (8, -176), (8, 176), (0, 176))
        let hole = line((2, -179), (2, -178), (4, -178), (4, -179), (2, -179))
        let pieces = DateLine.pieces(ofPolygon: [outer, hole])
        #expect(pieces.count == 2)
        #expect(abs(pieces.reduce(0) { $0 + Polygon.area($1) } - 62) < 1e-9)
        for ring in pieces.joined() { #expect(ring.first == ring.last && ring.allSatisfy(\.isValid)) }
        for (longitude, isInside) in [(177.0, true), (-177.5, true), (-178.5, false), (175, false), (0, false)] {
            let point = Coordinate(latitude: 3, longitude: longitude)
            #expect(pieces.contains { Polygon.contains(point, rings: $0) } == isInside)
        }
    }

    @Test func aPolygonAroundThePoleStaysWhole() {
        let ring = line((80, 0), (80, 120), (80, -120), (80, 0))
        #expect(DateLine.pieces(ofPolygon: [ring]) == [[ring]])
    }
}

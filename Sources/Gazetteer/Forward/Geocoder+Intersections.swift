import Foundation
import Geometry

/// Two streets that meet: "Mill Lane and High Street".
extension Geocoder {
    /// Pairs of streets that are tried for a crossing.
    private static let crossingsInFull = 120
    /// Streets that come this near to each other, in metres, cross.
    private static let crossingReach = 30.0

    mutating func intersections(_ candidates: [Candidate]) throws -> [Reading] {
        var result: [Reading] = []
        let streets = candidates.filter { $0.kind == .street }
        guard !streets.isEmpty else { return [] }
        var pairs = 0
        let count = reading.tokens.count
        for joint in reading.joints where joint.lowerBound > 0 && joint.upperBound < count {
            let left = QueryReading.bits(0..<joint.lowerBound)
            let right = QueryReading.bits(joint.upperBound..<count)
            let from = sided(streets, within: left) { $0 & QueryReading.bit(joint.lowerBound - 1) != 0 }
            let to = sided(streets, within: right) { $0 & beginning(at: joint.upperBound) != 0 }
            for (a, matchA) in from {
                for (b, matchB) in to where a.id != b.id && pairs < Self.crossingsInFull {
                    guard Self.mayCross(a.box, b.box) else { continue }
                    pairs += 1
                    guard let (point, isShared) = try crossing(a.id, b.id) else { continue }
                    var both = matchA
                    both.mask |= matchB.mask | QueryReading.bits(joint) | reading.jointWords
                    both.coverage = min(matchA.coverage, matchB.coverage)
                    var reading = try evaluate(a, both)
                    reading.crossing = (b.id, point)
                    // A square and its road may bear one name: the one that the other street really joins comes first.
                    if !isShared { reading.loose |= matchB.mask }
                    reading.parts?.append((matchB.mask, .crossing))
                    explainPostcode(a.postcode ?? b.postcode, &reading)
                    try explainRegions(country: a.country ?? b.country, context: a.context, &reading)
                    try explainNearbyPlaces(&reading)
                    score(&reading)
                    result.append(reading)
                }
            }
        }
        return result
    }

    /// The first token from a position on that is no article: "the corner of the High Street".
    private func beginning(at start: Int) -> Mask {
        let first = (start..<reading.tokens.count).first { !reading.tokens[$0].role.contains(.light) }
        return QueryReading.bit(first ?? start)
    }

    private func sided(_ streets: [Candidate], within side: Mask, touching: (Mask) -> Bool) -> [(Candidate, NameMatch)]
    {
        var result: [(Candidate, NameMatch)] = []
        for street in streets {
            let fitting = (names[street.id] ?? []).filter {
                $0.mask & ~side == 0 && touching($0.mask) && $0.coverage > 0.55
            }
            if let best = fitting.max(by: { Self.value($0) < Self.value($1) }) { result.append((street, best)) }
        }
        return Array(result.sorted { Self.value($0.1) > Self.value($1.1) }.prefix(40))
    }

    /// The point where two streets meet: a vertex that both have, the one nearest to the position that is preferred; else
    /// where they cross or come within 30 metres of each other.
    private mutating func crossing(_ a: Int64, _ b: Int64) throws -> (point: Coordinate, isShared: Bool)? {
        let first = try lines(a), second = try lines(b)
        if let shared = sharedVertex(first, second) { return (shared, true) }
        var best: (distance: Double, point: Coordinate)?
        for (line, box) in first {
            for (other, otherBox) in second where Self.mayCross(box, otherBox) {
                guard let found = Self.nearest(line, other) else { continue }
                if best.map({ found.distance < $0.distance }) ?? true { best = found }
            }
        }
        guard let best, best.distance <= Self.crossingReach else { return nil }
        return (best.point, false)
    }

    private func sharedVertex(
        _ first: [(line: [Coordinate], box: BoundingBox)], _ second: [(line: [Coordinate], box: BoundingBox)]
    ) -> Coordinate? {
        var shared: [(point: Coordinate, isOutline: Bool)] = []
        for (line, box) in first {
            for (other, otherBox) in second where Self.mayCross(box, otherBox) {
                let vertices = Set(other)
                let isOutline = line.first == line.last || other.first == other.last
                shared += line.filter(vertices.contains).map { ($0, isOutline) }
            }
        }
        // A square has many corners; a road that leads to it ends where people cross.
        if shared.contains(where: { !$0.isOutline }) { shared.removeAll(where: \.isOutline) }
        guard let near = query.near else { return shared.first?.point }
        return shared.min { near.distance(to: $0.point) < near.distance(to: $1.point) }?.point
    }

    /// Whether things in these boxes can be within the reach of a crossing.
    private static func mayCross(_ a: BoundingBox, _ b: BoundingBox) -> Bool {
        // A little more than the reach, for the roundness of the Earth.
        let latitude = 1.01 * crossingReach / 111_195
        let poleward = max(a.north.magnitude, a.south.magnitude, b.north.magnitude, b.south.magnitude)
        let longitude = latitude / max(cos(min(poleward, 89.9) * .pi / 180), 0.001)
        return a.west - longitude <= b.east && b.west - longitude <= a.east && a.south - latitude <= b.north
            && b.south - latitude <= a.north
    }

    /// The lines of a street with the boxes around them; read once for a query.
    private mutating func lines(_ street: Int64) throws -> [(line: [Coordinate], box: BoundingBox)] {
        if let known = streetLines[street] { return known }
        let statement = try database.statement("SELECT geometry FROM street_way WHERE feature = ?1 LIMIT 200")
        statement.bind(1, street)
        defer { statement.reset() }
        var result: [(line: [Coordinate], box: BoundingBox)] = []
        while try statement.step() {
            guard case .line(let line) = statement.withBlob(0, { SpatialBlob.decode($0) }), let first = line.first
            else { continue }
            var box = BoundingBox(first)
            for point in line { box.extend(by: point) }
            result.append((line, box))
        }
        streetLines[street] = result
        return result
    }

    /// The nearest points of two lines: a point of the first on the plane of its parallel, and the distance in metres.
    static func nearest(_ a: [Coordinate], _ b: [Coordinate]) -> (distance: Double, point: Coordinate)? {
        guard let origin = a.first, a.count * b.count <= 40_000 else { return nil }
        let metres = 111_195.0
        let shrink = cos(origin.latitude * .pi / 180)
        func plane(_ c: Coordinate) -> (x: Double, y: Double) {
            ((c.longitude - origin.longitude) * shrink * metres, (c.latitude - origin.latitude) * metres)
        }
        let p = a.map(plane), q = b.map(plane)
        var best = (distance: Double.infinity, x: 0.0, y: 0.0)
        func project(_ s: (x: Double, y: Double), _ u: (x: Double, y: Double), _ v: (x: Double, y: Double)) -> (
            x: Double, y: Double
        ) {
            let dx = v.x - u.x, dy = v.y - u.y
            let square = dx * dx + dy * dy
            let t = square > 0 ? min(1, max(0, ((s.x - u.x) * dx + (s.y - u.y) * dy) / square)) : 0
            return (u.x + t * dx, u.y + t * dy)
        }
        func consider(_ s: (x: Double, y: Double), _ t: (x: Double, y: Double), keep: (x: Double, y: Double)) {
            let distance = ((s.x - t.x) * (s.x - t.x) + (s.y - t.y) * (s.y - t.y)).squareRoot()
            if distance < best.distance { best = (distance, keep.x, keep.y) }
        }
        for i in p.indices {
            for j in q.indices {
                let next = j + 1 < q.count ? q[j + 1] : q[j]
                consider(p[i], project(p[i], q[j], next), keep: p[i])
                guard i + 1 < p.count else { continue }
                let foot = project(q[j], p[i], p[i + 1])
                consider(q[j], foot, keep: foot)
                // Lines that cross without a common node.
                let d1 = (p[i + 1].x - p[i].x, p[i + 1].y - p[i].y), d2 = (next.x - q[j].x, next.y - q[j].y)
                let cross = d1.0 * d2.1 - d1.1 * d2.0
                guard cross != 0 else { continue }
                let t = ((q[j].x - p[i].x) * d2.1 - (q[j].y - p[i].y) * d2.0) / cross
                let u = ((q[j].x - p[i].x) * d1.1 - (q[j].y - p[i].y) * d1.0) / cross
                if (0...1).contains(t), (0...1).contains(u) {
                    best = (0, p[i].x + t * d1.0, p[i].y + t * d1.1)
                }
            }
        }
        guard best.distance.isFinite, shrink > 0 else { return nil }
        return (
            best.distance,
            Coordinate(
                latitude: origin.latitude + best.y / metres, longitude: origin.longitude + best.x / metres / shrink)
        )
    }
}

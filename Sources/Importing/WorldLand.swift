import Geometry

/// The land of the World and the borders on it, out of the arcs that countries and regions share: an arc of one country
/// alone is coast, one of two countries is a border between them, one of two regions within a country a border of regions.
struct WorldLand: Sendable {
    /// Land in pieces: an outer ring with the waters inside it, first points not repeated.
    private(set) var land: [(rings: [[MercatorPoint]], box: MercatorBox)] = []
    let countryBorders: [[MercatorPoint]]
    let regionBorders: [[MercatorPoint]]

    init(_ outlines: WorldOutlines, withBorders: Bool = true) {
        var ofCountries = [UInt8](repeating: 0, count: outlines.arcCount)
        var ofRegions = ofCountries
        /// Whether a country's ring runs along the arc or against it.
        var isAlong = [Bool](repeating: true, count: outlines.arcCount)
        for area in outlines.areas {
            for arc in area.polygons.joined().joined() {
                let number = Int(arc < 0 ? ~arc : arc)
                if area.kind == .country {
                    ofCountries[number] = min(ofCountries[number] + 1, 2)
                    isAlong[number] = arc >= 0
                } else if area.kind == .region {
                    ofRegions[number] = min(ofRegions[number] + 1, 2)
                }
            }
        }
        func borders(_ isWanted: (Int) -> Bool) -> [[MercatorPoint]] {
            guard withBorders else { return [] }
            return (0..<outlines.arcCount).filter(isWanted).map { Self.project(outlines.arc($0)) }
        }
        countryBorders = borders { ofCountries[$0] == 2 }
        regionBorders = borders { ofCountries[$0] == 0 && ofRegions[$0] == 2 }
        land = Self.nested(Self.coast(outlines, isAlong) { ofCountries[$0] == 1 })
    }

    /// The land within a box, cut at its edges.
    func land(in box: MercatorBox) -> [[[MercatorPoint]]] {
        land.filter { $0.box.intersects(box) }.compactMap { piece in
            let rings = piece.rings.map { MercatorRing.clipped($0, to: box) }.filter { $0.count >= 3 }
            return rings.isEmpty ? nil : rings
        }
    }

    private static func project(_ points: some Sequence<WorldOutlines.Point>) -> [MercatorPoint] {
        points.map { point in
            // The outlines end a tenth of a degree from the date line on either side; land goes on over it.
            let x = abs(point.x) >= 179_899 ? (point.x > 0 ? 180_000 : -180_000) : point.x
            return MercatorPoint(Coordinate(latitude: Double(point.y) / 1000, longitude: Double(x) / 1000))
        }
    }

    /// Arcs of the coast joined into rings.
    private static func coast(
        _ outlines: WorldOutlines, _ isAlong: [Bool], _ isCoast: (Int) -> Bool
    ) -> [[MercatorPoint]] {
        struct Key: Hashable {
            var x: Int32
            var y: Int32
        }
        func ends(_ arc: Int) -> (first: Key, last: Key)? {
            let points = outlines.arc(arc)
            guard let first = points.first, let last = points.last else { return nil }
            let (a, b) = (Key(x: first.x, y: first.y), Key(x: last.x, y: last.y))
            return isAlong[arc] ? (a, b) : (b, a)
        }
        let arcs = (0..<outlines.arcCount).filter(isCoast)
        var starting: [Key: [Int]] = [:]
        for arc in arcs { if let first = ends(arc)?.first { starting[first, default: []].append(arc) } }
        var isUsed = [Bool](repeating: false, count: outlines.arcCount)
        var rings: [[MercatorPoint]] = []
        for start in arcs where !isUsed[start] {
            guard let first = ends(start)?.first else { continue }
            var ring: [MercatorPoint] = []
            var arc = start
            while true {
                isUsed[arc] = true
                let points = project(outlines.arc(arc))
                ring += (isAlong[arc] ? points : points.reversed()).dropLast()
                guard let last = ends(arc)?.last, last != first,
                    let next = starting[last]?.first(where: { !isUsed[$0] })
                else { break }
                arc = next
            }
            if ring.count >= 3 { rings.append(ring) }
        }
        return rings
    }

    /// Waters, which run the other way round than land, into the land around them.
    private static func nested(_ rings: [[MercatorPoint]]) -> [(rings: [[MercatorPoint]], box: MercatorBox)] {
        var land: [(rings: [[MercatorPoint]], box: MercatorBox)] = []
        var waters: [[MercatorPoint]] = []
        for ring in rings {
            guard let box = MercatorRing.box(ring) else { continue }
            // Outer rings run clockwise in the file.
            if MercatorRing.doubleArea(ring) >= 0 { land.append(([ring], box)) } else { waters.append(ring) }
        }
        for water in waters {
            let holder = land.firstIndex {
                $0.box.contains(water[0]) && MercatorRing.contains(water[0], rings: [$0.rings[0]])
            }
            if let holder { land[holder].rings.append(water) }
        }
        return land
    }
}

import Geometry
import OpenStreetMap

/// Areas whose relations lack a member or hold one too many: an extract's edge cuts them, or a line was added by mistake.
extension GazetteerWriter {
    /// An area that a relation announces and that has not come yet.
    struct AwaitedArea {
        var tags: Tags
        /// The ways of its outer rings.
        var ways: [Int64]
    }

    /// Keeps the line of a way as long as an area that it belongs to is awaited.
    func keepLine(of way: OSMWay, _ places: [Coordinate]) {
        guard awaitedWays[way.id] != nil, places.count == way.locations.count, places.count > 1 else { return }
        awaitedLines[way.id] = places
    }

    /// Notes that the area of a relation is to come.
    func expect(_ relation: OSMRelation) {
        var ways: [Int64] = []
        // The map draws boundaries that are cut; as places they would hold less than they do.
        if relation.tags["boundary"] == nil, relation.tags["name"] != nil, relation.members.count <= 1_000 {
            ways = relation.members.filter { $0.id.type == .way && ($0.role == "outer" || $0.role.isEmpty) }
                .map(\.id.number)
        }
        awaitedAreas[relation.id] = AwaitedArea(tags: relation.tags, ways: ways)
        for way in ways { awaitedWays[way, default: 0] += 1 }
    }

    /// Says that the area of a relation has come.
    func stopAwaiting(_ relation: Int64) {
        guard let area = awaitedAreas.removeValue(forKey: relation) else { return }
        for way in area.ways {
            guard let count = awaitedWays[way] else { continue }
            awaitedWays[way] = count > 1 ? count - 1 : nil
            if count <= 1 { awaitedLines[way] = nil }
        }
    }

    /// Makes areas of those outer rings that close all the same.
    func mendAreas() {
        var broken = 0
        for (relation, area) in awaitedAreas.sorted(by: { $0.key < $1.key }) {
            let rings = Self.rings(of: area.ways.compactMap { awaitedLines[$0] })
            guard !rings.isEmpty, let main = FeatureTags(area.tags, shape: .area) else {
                broken += 1
                continue
            }
            gatherings[relation] = nil
            addArea(
                OSMID(.relation, relation), main, tags: area.tags,
                polygons: rings.map { OSMArea.Polygon(outer: $0, inner: []) })
            report.skip("incomplete multipolygon, kept with the rings that close")
        }
        report.skip("broken or incomplete multipolygon", by: broken)
        (awaitedAreas, awaitedWays, awaitedLines) = ([:], [:], [:])
    }

    /// Closed rings out of lines that meet at their ends; lines that lead nowhere are left out.
    static func rings(of lines: [[Coordinate]]) -> [[Coordinate]] {
        var rings: [[Coordinate]] = []
        var open: [[Coordinate]] = []
        for line in lines {
            if line.count > 3, line.first == line.last { rings.append(line) } else { open.append(line) }
        }
        while var ring = open.popLast() {
            while let end = ring.last, end != ring[0],
                let next = open.firstIndex(where: { $0.first == end || $0.last == end })
            {
                let line = open.remove(at: next)
                ring += line.first == end ? line.dropFirst() : line.reversed().dropFirst()
            }
            if ring.count > 3, ring.first == ring.last { rings.append(ring) }
        }
        return rings
    }
}

import Foundation
import GazetteerData
import Geometry

/// Tells the country and the region of a point, from the simplified outlines that the product carries.
///
/// The outlines are Natural Earth's: borders are right to some hundred metres, and every country, island and enclave of
/// ISO 3166-1 with land of its own in that map is there. A point in the sea belongs to the nearest outline within
/// `coastalReach`, so that harbours, causeways and small islands have a country.
///
///     let outlines = try CountryOutlines.load()
///     outlines.country(at: Coordinate(latitude: 43.7384, longitude: 7.4246))  // "MC"
///
/// How it works: the edges of all outlines lie in bands of latitude a tenth of a degree high. A ray to the east crosses
/// the outline of the country that holds the point an odd number of times, so one pass over the band's edges, some
/// hundreds, answers: about a microsecond on land.
public struct CountryOutlines: Sendable {
    /// How far from an outline a point in the sea still belongs to it, in degrees of a great circle.
    public static let coastalReach = 0.3

    /// Upper-case ISO codes by number.
    private let codes: [String]
    private let countries: Bands
    private let regionNames: [(code: String, name: String)]
    private let regions: Bands?

    /// Reads the outlines, which takes some 50 ms; keep the result.
    ///
    /// - Parameter withRegions: whether `region(at:)` is wanted, which takes as much memory again.
    public static func load(withRegions: Bool = false) throws -> CountryOutlines {
        CountryOutlines(try WorldOutlines.load("world/outlines.tsv.gz"), withRegions: withRegions)
    }

    init(_ outlines: WorldOutlines, withRegions: Bool) {
        let countryAreas = outlines.areas.filter { $0.kind == .country }
        codes = countryAreas.map { $0.fields.first ?? "" }
        countries = Bands(outlines, countryAreas)
        let regionAreas = withRegions ? outlines.areas.filter { $0.kind == .region } : []
        regionNames = regionAreas.map { ($0.fields.first ?? "", $0.fields.count > 1 ? $0.fields[1] : "") }
        regions = withRegions ? Bands(outlines, regionAreas) : nil
    }

    /// The upper-case ISO 3166-1 code of the country that holds the point or whose coast is near; nil at sea.
    public func country(at point: Coordinate) -> String? {
        guard let index = countries.area(at: point) ?? countries.nearest(to: point, within: Self.coastalReach) else {
            return nil
        }
        return codes[index]
    }

    /// The name of the first-order region (state, province, department) at the point; nil at sea, in countries without
    /// regions, and where regions were not loaded.
    public func region(at point: Coordinate) -> String? {
        regionIndex(at: point).map { regionNames[$0].name }
    }

    /// The number of the region among the regions of the file.
    func regionIndex(at point: Coordinate) -> Int? {
        guard let regions else { return nil }
        return regions.area(at: point) ?? regions.nearest(to: point, within: Self.coastalReach)
    }
}

/// Edges of areas in bands of latitude.
private struct Bands: Sendable {
    /// An edge in thousandths of a degree, from south to north, with its area's number.
    struct Edge {
        var x1: Int32
        var y1: Int32
        var x2: Int32
        var y2: Int32
        var area: Int32
    }

    /// Height of a band in thousandths of a degree.
    static let height: Int32 = 100
    static let count = 1800

    /// Edges of band b: `edges[starts[b] ..< starts[b + 1]]`; an edge stands in each band that it touches.
    private var edges: [Edge] = []
    private var starts = [Int](repeating: 0, count: Bands.count + 1)

    init(_ outlines: WorldOutlines, _ areas: [WorldOutlines.Area]) {
        var all: [Edge] = []
        for (number, area) in areas.enumerated() {
            for ring in area.polygons.joined() {
                let points = outlines.ring(ring)
                guard var before = points.first else { continue }
                for point in points.dropFirst() {
                    let edge = Edge(x1: before.x, y1: before.y, x2: point.x, y2: point.y, area: Int32(number))
                    all.append(
                        before.y <= point.y
                            ? edge : Edge(x1: point.x, y1: point.y, x2: before.x, y2: before.y, area: Int32(number)))
                    before = point
                }
            }
        }
        var sizes = [Int](repeating: 0, count: Bands.count)
        for edge in all {
            for band in Bands.band(edge.y1)...Bands.band(edge.y2) { sizes[band] += 1 }
        }
        for band in 0..<Bands.count { starts[band + 1] = starts[band] + sizes[band] }
        var next = starts
        edges = [Edge](repeating: Edge(x1: 0, y1: 0, x2: 0, y2: 0, area: 0), count: starts[Bands.count])
        for edge in all {
            for band in Bands.band(edge.y1)...Bands.band(edge.y2) {
                edges[next[band]] = edge
                next[band] += 1
            }
        }
    }

    private static func band(_ y: Int32) -> Int {
        min(max(Int((y &+ 90_000) / height), 0), count - 1)
    }

    /// The area that holds the point; of two that overlap, the one found first.
    func area(at point: Coordinate) -> Int? {
        guard point.isValid else { return nil }
        let x = point.longitude * 1000
        let y = point.latitude * 1000
        let band = Bands.band(Int32(y.rounded(.down)))
        // Areas crossed an odd number of times so far: a handful at most, but for rays along many islands.
        var odd: [Int32] = []
        edges.withUnsafeBufferPointer { edges in
            for index in starts[band]..<starts[band + 1] {
                let edge = edges[index]
                let y1 = Double(edge.y1)
                let y2 = Double(edge.y2)
                guard y1 <= y, y < y2 else { continue }
                let x1 = Double(edge.x1)
                let x2 = Double(edge.x2)
                if x1 <= x, x2 <= x { continue }
                if x1 + (y - y1) / (y2 - y1) * (x2 - x1) <= x { continue }
                if let known = odd.firstIndex(of: edge.area) {
                    odd.swapAt(known, odd.count - 1)
                    odd.removeLast()
                } else {
                    odd.append(edge.area)
                }
            }
        }
        return odd.first.map(Int.init)
    }

    /// The area whose outline comes nearest to the point within `reach` degrees.
    func nearest(to point: Coordinate, within reach: Double) -> Int? {
        guard point.isValid else { return nil }
        let x = point.longitude * 1000
        let y = point.latitude * 1000
        let shrink = max(cos(point.latitude * .pi / 180), 0.01)
        var best = reach * 1000 * reach * 1000
        var found: Int?
        let margin = Int32(reach * 1000)
        let row = Int32(y.rounded(.down))
        edges.withUnsafeBufferPointer { edges in
            for band in Bands.band(row &- margin)...Bands.band(row &+ margin) {
                for index in starts[band]..<starts[band + 1] {
                    let edge = edges[index]
                    // East and west of the point, over the date line too.
                    var ax = Double(edge.x1) - x
                    var bx = Double(edge.x2) - x
                    if ax > 180_000 {
                        ax -= 360_000
                        bx -= 360_000
                    } else if ax < -180_000 {
                        ax += 360_000
                        bx += 360_000
                    }
                    ax *= shrink
                    bx *= shrink
                    let ay = Double(edge.y1) - y
                    let dx = bx - ax
                    let dy = Double(edge.y2) - y - ay
                    let length = dx * dx + dy * dy
                    let t = length == 0 ? 0 : min(max(-(ax * dx + ay * dy) / length, 0), 1)
                    let px = ax + t * dx
                    let py = ay + t * dy
                    let distance = px * px + py * py
                    if distance < best {
                        best = distance
                        found = Int(edge.area)
                    }
                }
            }
        }
        return found
    }
}

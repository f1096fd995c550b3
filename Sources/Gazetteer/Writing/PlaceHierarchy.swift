import Geometry
import OpenStreetMap

/// Which places contain a point: areas by their outlines, places known by a point alone by their reach.
///
/// One place a rank. Areas go before points. A point place counts only inside the finest area coarser than itself, and
/// within the reach of the point place chosen before it (a quarter belongs to its own village, not to the next one).
struct PlaceHierarchy {
    private struct Part {
        var feature: Int32
        var rings: [[Coordinate]]
    }

    private struct PointPlace {
        var feature: Int32
        var location: Coordinate
        var rank: UInt8
        var reach: Double
        /// A town, village or farm of its own, rather than a part of one.
        var isSettlement: Bool
        /// Areas that contain it.
        var areas: [Int32]
        /// The boundary that took it in: it only keeps others away from the boundary's centre.
        var linkedTo: Int32
    }

    /// A place found around a point.
    struct Found {
        var feature: Int32
        var rank: UInt8
        var isArea: Bool
    }

    private var parts: [Part] = []
    private var partGrid = GridIndex(cell: 0.02)
    private var points: [PointPlace] = []
    private var pointGrid = GridIndex(cell: 0.05)
    /// By feature: address rank and size in square degrees, for areas.
    private(set) var ranks: [Int32: UInt8] = [:]
    private var sizes: [Int32: Double] = [:]
    private var postcodeAreas: Set<Int32> = []
    private static let widestReach = 0.08

    /// Adds an area, subdivided. Before `seal`.
    mutating func add(area feature: Int32, parts rings: [[[Coordinate]]], rank: UInt8, size: Double, isPostcode: Bool) {
        for piece in rings {
            guard let first = piece.first?.first else { continue }
            var box = BoundingBox(first)
            for point in piece[0] { box.extend(by: point) }
            partGrid.insert(parts.count, box)
            parts.append(Part(feature: feature, rings: piece))
        }
        ranks[feature] = rank
        sizes[feature] = size
        if isPostcode { postcodeAreas.insert(feature) }
    }

    /// After all areas, before any question.
    mutating func seal() { partGrid.build() }

    mutating func setRank(_ rank: UInt8, of area: Int32) { ranks[area] = rank }

    /// Areas that contain the point or have it on their edge, in no order.
    func areas(at point: Coordinate) -> [Int32] {
        var found: [Int32] = []
        partGrid.forEach(at: point) { index in
            let part = parts[index]
            guard !found.contains(part.feature), Polygon.covers(point, rings: part.rings) else { return }
            found.append(part.feature)
        }
        return found
    }

    func size(of area: Int32) -> Double { sizes[area] ?? 0 }

    /// Adds a place known by its point alone. After `seal`; before `sealPoints`.
    ///
    /// Inside an area of its own rank it is a part of that area, one step finer. Returns the rank that it got.
    mutating func add(
        point feature: Int32, at location: Coordinate, rank: UInt8, searchRank: Int, isSettlement: Bool, linkedTo: Int32
    ) -> UInt8 {
        let around = areas(at: location)
        var own = rank
        if around.contains(where: { ranks[$0] == own && !postcodeAreas.contains($0) }) { own = min(own + 2, 24) }
        pointGrid.insert(points.count, location)
        points.append(
            PointPlace(
                feature: feature, location: location, rank: own, reach: FeatureRanks.reach(search: searchRank),
                isSettlement: isSettlement, areas: around, linkedTo: linkedTo))
        return own
    }

    mutating func sealPoints() { pointGrid.build() }

    /// The places around a point with a rank below `limit`, finest first; `own` is left out. The postcode area that
    /// contains the point is told apart.
    func places(at point: Coordinate, below limit: UInt8, except own: Int32) -> (places: [Found], postcode: Int32?) {
        var slots = [Int32](repeating: -1, count: 26)
        var isArea = [Bool](repeating: false, count: 26)
        var postcode: Int32?
        for area in areas(at: point) where area != own {
            if postcodeAreas.contains(area) {
                if postcode.map({ size(of: area) < size(of: $0) }) ?? true { postcode = area }
                continue
            }
            let rank = ranks[area] ?? 0
            guard rank > 0, rank < limit, rank < 25 else { continue }
            let slot = Int(rank)
            if slots[slot] < 0 || size(of: area) < size(of: slots[slot]) { slots[slot] = area }
            isArea[slot] = true
        }
        addPoints(around: point, below: limit, except: own, slots: &slots, isArea: isArea)
        var found: [Found] = []
        for rank in stride(from: 25, through: 1, by: -1) where slots[rank] >= 0 {
            found.append(Found(feature: slots[rank], rank: UInt8(rank), isArea: isArea[rank]))
        }
        return (found, postcode)
    }

    private func addPoints(
        around point: Coordinate, below limit: UInt8, except own: Int32, slots: inout [Int32], isArea: [Bool]
    ) {
        let plane = LocalPlane(origin: point)
        let scale = plane.metresPerLatitude
        var candidates: [(rank: UInt8, distance: Double, index: Int)] = []
        let box = plane.window(Self.widestReach * scale)
        pointGrid.forEach(in: box) { index in
            let place = points[index]
            guard place.rank < limit, place.rank < 25, place.feature != own, !isArea[Int(place.rank)] else { return }
            let (x, y) = plane.project(place.location)
            let distance = (x * x + y * y).squareRoot() / scale
            if distance <= place.reach { candidates.append((place.rank, distance, index)) }
        }
        guard !candidates.isEmpty else { return }
        candidates.sort { ($0.rank, $0.distance, $0.index) < ($1.rank, $1.distance, $1.index) }
        var chosen: PointPlace?
        var filled: UInt8 = 0
        // The distance to the centre of the coarsest settlement found so far.
        var centre = Double.infinity
        for candidate in candidates where candidate.rank != filled {
            let place = points[candidate.index]
            let rank = Int(place.rank)
            if let area = slots[..<rank].indices.last(where: { isArea[$0] && slots[$0] >= 0 }).map({ slots[$0] }),
                !place.areas.contains(area)
            {
                continue
            }
            // A hamlet beside a town begins where it is nearer than the town's centre.
            if place.isSettlement, candidate.distance > centre { continue }
            if let chosen, place.location.distance(to: chosen.location) >= chosen.reach * scale { continue }
            filled = place.rank
            if place.isSettlement { centre = min(centre, candidate.distance) }
            // Nearest of all is the centre of the containing boundary itself: no village beside it.
            if place.linkedTo >= 0 { continue }
            slots[rank] = place.feature
            chosen = place
        }
    }
}

import Geometry

/// Towns that the text names though they do not contain what was found.
extension Geocoder {
    /// How far outside an outline its place still counts, in metres: post towns and borders drawn roughly.
    private static let outlineReach = 500.0

    /// Towns of the query that lie near, though their outline does not hold the place; and those that do not.
    func explainNearbyPlaces(_ result: inout Reading) throws {
        guard reading.significant & ~result.used != 0 else { return }
        for place in knownPlaces where place.mask & result.used == 0 && place.candidate.id != result.candidate.id {
            guard place.mask & reading.significant != 0, place.candidate.searchRank >= 13 else { continue }
            if let here = result.candidate.country, let there = place.candidate.country, here != there { continue }
            if try isNear(place.candidate, result.house?.location ?? result.candidate.center) {
                result.used |= place.mask
                result.loose |= place.mask
                result.parts?.append((place.mask, .nearbyPlace(place.candidate.id)))
                result.matchedContext = true
                return
            }
        }
        if knownPlaces.contains(where: { $0.mask & result.used == 0 && $0.mask & reading.significant != 0 }) {
            result.contradicts = true
        }
    }

    /// The words of places whose outlines end well before the point: a house there is not in them, though other houses of
    /// its street are.
    func outlinesElsewhere(from point: Coordinate) throws -> Mask {
        var elsewhere: Mask = 0
        var here: Mask = 0
        for place in knownPlaces where hasOutline(place.candidate) {
            if try isNear(place.candidate, point) { here |= place.mask } else { elsewhere |= place.mask }
        }
        return elsewhere & ~here
    }

    private func hasOutline(_ place: Candidate) -> Bool {
        place.box.west < place.box.east && place.box.south < place.box.north
    }

    /// Whether the point belongs to the place in the eyes of people: a place with an outline ends there, give or take; one
    /// known as a point reaches as far as such places do.
    private func isNear(_ place: Candidate, _ point: Coordinate) throws -> Bool {
        let reach: Double =
            switch place.searchRank {
            case _ where hasOutline(place): Self.outlineReach
            case ..<16: 12_000
            case 16...17: 8_000
            case 18: 5_000
            default: 3_000
            }
        guard place.box.nearest(to: point).distance(to: point) <= reach else { return false }
        guard hasOutline(place) else { return true }
        // The box of a town with exclaves holds its neighbours too.
        let plane = LocalPlane(origin: point)
        let window = plane.window(reach)
        let statement = try database.statement(
            """
            SELECT p.geometry FROM idx_area_part_geometry i JOIN area_part p ON p.id = i.pkid
            WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3 AND p.feature = ?5
            """)
        statement.bind(1, window.west)
        statement.bind(2, window.east)
        statement.bind(3, window.south)
        statement.bind(4, window.north)
        statement.bind(5, place.id)
        defer { statement.reset() }
        while try statement.step() {
            var isInside = false
            var distance = Double.infinity
            statement.withBlob(0) { bytes in
                _ = SpatialBlob.forEachRun(bytes) { run, _ in
                    if run.contains(point) { isInside.toggle() }
                    distance = min(distance, run.distance(plane))
                }
            }
            if isInside || distance <= reach { return true }
        }
        return false
    }
}

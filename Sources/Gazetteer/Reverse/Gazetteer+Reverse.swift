import Geometry
import OpenStreetMap

extension Gazetteer {
    /// What lies at a point: the nearest address or road, or the finest place that contains the point where none is near.
    ///
    /// Distances go to the true geometry: an outline (0 inside it), a line, a node. Where a road is nearest, the nearest
    /// number of that road within 100 m speaks for it. Where only natural features are asked for, the water, park or ground
    /// that holds the point comes before one beside it. Nil where nothing of this gazetteer is near or contains the point.
    /// Cost: some dozens of rows through the R*Trees, whose window grows until nothing nearer can lie outside.
    public func reverse(_ point: Coordinate, options: ReverseOptions = ReverseOptions()) throws -> ReverseMatch? {
        guard point.isValid else { return nil }
        return try withDatabase { database in
            let search = NearestSearch(gazetteer: self, database: database, point: point, options: options)
            let areas = try containingAreas(point, database)
            let found = try search.nearest()
            if options.layers == .natural, found.map({ $0.distance > 0 }) ?? true,
                let ground = try surroundings(of: point, kinds: [.water, .park, .peak, .otherNatural]).first(where: {
                    $0.name != nil
                })
            {
                return ReverseMatch(
                    feature: ground, address: try address(of: ground, within: areas, languages: options.languages),
                    distance: 0, location: ground.location, interpolatedNumber: nil)
            }
            if let found {
                if let match = try finish(found, point: point, areas: areas, options: options) { return match }
            }
            return try coarse(point, areas: areas, database: database, options: options)
        }
    }

    /// The places whose outlines contain the point, finest first, the postcode area last.
    func containingAreas(_ point: Coordinate, _ database: Database) throws -> [Place] {
        let statement = try database.statement(
            """
            SELECT p.feature, p.geometry FROM idx_area_part_geometry i JOIN area_part p ON p.id = i.pkid
            WHERE i.xmin <= ?1 AND i.xmax >= ?1 AND i.ymin <= ?2 AND i.ymax >= ?2
            """)
        statement.bind(1, point.longitude)
        statement.bind(2, point.latitude)
        defer { statement.reset() }
        var found: [Int64] = []
        while try statement.step() {
            let feature = statement.int64(0)
            guard !found.contains(feature) else { continue }
            var inside = false
            statement.withBlob(1) { bytes in
                _ = SpatialBlob.forEachRun(bytes) { run, _ in
                    if run.contains(point) { inside.toggle() }
                }
            }
            if inside { found.append(feature) }
        }
        let places = try found.compactMap { try place($0) }.filter { $0.rank > 0 }
        var best: [Place] = []
        for place in places.sorted(by: { ($0.sortRank, $1.size) > ($1.sortRank, $0.size) })
        where best.last.map({ $0.rank != place.rank || place.kind == .postcode }) ?? true {
            best.append(place)
        }
        return best
    }

    /// The address of what lies at a point, a river or a valley, with the places that hold the point rather than its middle.
    public func address(of feature: Feature, at point: Coordinate, languages: [String] = []) throws -> AddressParts {
        guard point.isValid else { return try address(of: feature, languages: languages) }
        let areas = try withDatabase { try containingAreas(point, $0) }
        return try address(of: feature, within: areas, languages: languages)
    }

    private func address(of feature: Feature, within areas: [Place], languages: [String]) throws -> AddressParts {
        guard !areas.isEmpty else { return try address(of: feature, languages: languages) }
        var base = feature
        base.context = nil
        base.postcode = nil
        base.country = areas.last { $0.rank <= 4 && $0.kind != .postcode }?.country ?? feature.country
        if [.water, .otherNatural].contains(feature.kind) { base.parent = nil }
        return try address(of: base, languages: languages, houseNumber: nil, places: areas)
    }

    /// Whether the outline of any place contains the point.
    public func holdsLand(at point: Coordinate) throws -> Bool {
        guard point.isValid else { return false }
        return try withDatabase { try !containingAreas(point, $0).isEmpty }
    }

    /// The places of an answer: outlines that contain the asked point, and of the feature's own places those that have no
    /// outline, where they lie in the same outlines.
    private func places(areas: [Place], feature: Feature) throws -> [Place] {
        guard let context = feature.context else { return areas }
        let own = try places(ofContext: context)
        let ownAreas = own.filter(\.isArea).map(\.id)
        if ownAreas == areas.map(\.id) || areas.isEmpty { return own }
        var result = areas
        for place in own where !place.isArea && !result.contains(where: { $0.rank == place.rank }) {
            // A village counts only where the outlines coarser than it are the same.
            let coarser = own.first { $0.isArea && $0.rank < place.rank && $0.kind != .postcode }
            let here = areas.first { $0.rank < place.rank && $0.kind != .postcode }
            guard coarser?.id == here?.id else { continue }
            result.insert(place, at: result.firstIndex { $0.rank < place.rank } ?? result.count)
        }
        return result
    }

    private func finish(_ found: NearestSearch.Found, point: Coordinate, areas: [Place], options: ReverseOptions) throws
        -> ReverseMatch?
    {
        guard let feature = try feature(id: found.feature) else { return nil }
        if [.water, .park, .peak, .otherNatural].contains(feature.kind) {
            return ReverseMatch(
                feature: feature, address: try self.address(of: feature, within: areas, languages: options.languages),
                distance: found.distance, location: found.location ?? feature.location, interpolatedNumber: nil)
        }
        let places = try places(areas: areas, feature: feature)
        let number = found.number
        var base = feature
        base.context = nil
        if base.country == nil { base.country = areas.last { $0.rank <= 4 }?.country }
        var address = try self.address(of: base, languages: options.languages, houseNumber: number, places: places)
        if options.finestRank < 28 { address.parts.removeAll { $0.rank > options.finestRank && $0.rank > 27 } }
        return ReverseMatch(
            feature: feature, address: address, distance: found.distance, location: found.location ?? feature.location,
            interpolatedNumber: number)
    }

    /// The country or region whose outline comes nearest to a point that none contains: a harbour, an islet, a spit of land
    /// that a simplified outline leaves out. Nil where none lies within `reach` metres. With `finestRank` 4 countries alone.
    ///
    /// Cost: the pieces of outlines whose boxes lie within reach.
    public func nearestArea(
        to point: Coordinate, within reach: Double, finestRank: Int = 12, languages: [String] = []
    ) throws -> ReverseMatch? {
        guard point.isValid else { return nil }
        return try withDatabase { database in
            let plane = LocalPlane(origin: point)
            var best: (distance: Double, rank: Int, feature: Int64)?
            for box in plane.window(reach).withTurns {
                let statement = try database.statement(
                    """
                    SELECT p.feature, p.rank, p.geometry FROM idx_area_part_geometry i JOIN area_part p ON p.id = i.pkid
                    WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3
                      AND p.rank BETWEEN 4 AND ?5
                    """)
                defer { statement.reset() }
                statement.bind(1, box.west)
                statement.bind(2, box.east)
                statement.bind(3, box.south)
                statement.bind(4, box.north)
                statement.bind(5, min(max(finestRank, 4), 12))
                while try statement.step() {
                    var distance = Double.infinity
                    statement.withBlob(2) { bytes in
                        _ = SpatialBlob.forEachRun(bytes) { run, _ in distance = min(distance, run.distance(plane)) }
                    }
                    guard distance <= reach else { continue }
                    // Outlines of a country and of its region run along one coast: the region says more.
                    let rank = statement.int(1)
                    let margin = distance - (best?.distance ?? .infinity)
                    if margin < -10 || margin < 10 && rank > best?.rank ?? 0 {
                        best = (distance, rank, statement.int64(0))
                    }
                }
            }
            guard let best, let feature = try feature(id: best.feature) else { return nil }
            return ReverseMatch(
                feature: feature, address: try address(of: feature, languages: languages), distance: best.distance,
                location: feature.location, interpolatedNumber: nil)
        }
    }

    /// The finest place of the wanted rank: an outline around the point, or a place of the nearest street.
    private func coarse(_ point: Coordinate, areas: [Place], database: Database, options: ReverseOptions) throws
        -> ReverseMatch?
    {
        guard options.layers.contains(.address) else { return nil }
        var places = areas
        if (17...25).contains(min(options.finestRank, 25)) {
            var wide = options
            wide.finestRank = 27
            wide.layers = .address
            wide.reach = 3_000
            let search = NearestSearch(gazetteer: self, database: database, point: point, options: wide)
            if let street = try search.nearestStreet(), let feature = try feature(id: street.feature) {
                places = try self.places(areas: areas, feature: feature)
            }
        }
        let limit = min(options.finestRank, 25)
        guard
            let best = places.first(where: { $0.rank <= limit && $0.kind != .postcode && $0.name(in: []) != nil }),
            let feature = try feature(id: best.id)
        else { return nil }
        var base = feature
        base.context = nil
        let around = places.filter { $0.rank < best.rank || $0.kind == .postcode }
        let distance = best.isArea ? 0 : point.distance(to: feature.location)
        return ReverseMatch(
            feature: feature,
            address: try address(of: base, languages: options.languages, houseNumber: nil, places: around),
            distance: distance, location: feature.location, interpolatedNumber: nil)
    }
}

/// One search for the nearest address, road or point of interest.
private struct NearestSearch {
    let gazetteer: Gazetteer
    let database: Database
    let point: Coordinate
    let options: ReverseOptions
    let plane: LocalPlane

    /// How far a house may lie from the point to speak for the road, in metres.
    static let houseOfStreetReach = 110.0

    struct Found {
        var feature: Int64
        var distance: Double
        var parent: Int64?
        /// Has a house number of its own.
        var isAddress: Bool
        /// To the feature's point, to decide between outlines that all contain the asked point.
        var pointDistance: Double
        var number: String?
        var location: Coordinate?
    }

    init(gazetteer: Gazetteer, database: Database, point: Coordinate, options: ReverseOptions) {
        self.gazetteer = gazetteer
        self.database = database
        self.point = point
        self.options = options
        plane = LocalPlane(origin: point)
    }

    func nearest() throws -> Found? {
        guard options.finestRank >= 26 else { return nil }
        let street = options.layers.hasStreets ? try nearestStreet() : nil
        guard options.finestRank >= 28, options.layers != .streets else { return street }
        let limit = max(street?.distance ?? options.reach, 1)
        guard let spot = try nearestSpot(within: limit, ofStreet: nil) else {
            guard let street, options.layers.contains(.address) else { return street }
            return try nearestSpot(within: Self.houseOfStreetReach, ofStreet: street.feature) ?? street
        }
        guard let street, street.distance < spot.distance else { return spot }
        guard options.layers.contains(.address) else { return street }
        return try nearestSpot(within: Self.houseOfStreetReach, ofStreet: street.feature) ?? street
    }

    /// Windows of growing size, in metres, the last one `reach`.
    private func windows(_ reach: Double) -> [Double] {
        [60.0, 250].filter { $0 < reach } + [reach]
    }

    // MARK: - Streets

    /// The named street (or square) whose line comes nearest.
    func nearestStreet() throws -> Found? {
        for window in windows(options.reach) {
            var found: [(feature: Int64, distance: Double, isEncircled: Bool)] = []
            try query(
                """
                SELECT w.feature, w.geometry FROM idx_street_way_geometry i JOIN street_way w ON w.id = i.pkid
                WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3
                """, window
            ) { row in
                var distance = Double.infinity
                var isEncircled = false
                row.withBlob(1) { bytes in
                    _ = SpatialBlob.forEachRun(bytes) { run, _ in
                        distance = min(distance, run.distance(plane))
                        if run.isClosed, run.contains(point) { isEncircled.toggle() }
                    }
                }
                if distance <= window || isEncircled { found.append((row.int64(0), distance, isEncircled)) }
            }
            // Inside a square one stands on it; inside a ring road one does not.
            for index in found.indices where found[index].isEncircled {
                if try gazetteer.place(found[index].feature)?.isSquare == true { found[index].distance = 0 }
            }
            found.removeAll { $0.distance > window }
            found.sort { ($0.distance, $0.feature) < ($1.distance, $1.feature) }
            for candidate in found {
                guard let street = try gazetteer.place(candidate.feature), street.rank <= options.finestRank,
                    street.name(in: []) != nil
                else { continue }
                return Found(
                    feature: candidate.feature, distance: candidate.distance, parent: nil, isAddress: false,
                    pointDistance: candidate.distance)
            }
        }
        return nil
    }

    // MARK: - Addresses and points of interest

    /// The nearest address or point of interest within some metres; of one street alone where `street` is given.
    private func nearestSpot(within reach: Double, ofStreet street: Int64?) throws -> Found? {
        for window in windows(reach) {
            var best: Found?
            try collectPoints(window, ofStreet: street, into: &best)
            try collectOutlines(window, ofStreet: street, into: &best)
            if options.layers.hasHouses { try collectInterpolations(window, ofStreet: street, into: &best) }
            if let best, best.distance <= window { return best }
        }
        return nil
    }

    /// Nearer wins; at the same distance a number of its own, then one not interpolated, then the nearer point, then the
    /// older row.
    private func offer(_ found: Found, to best: inout Found?) {
        guard let known = best else {
            best = found
            return
        }
        if abs(found.distance - known.distance) > 0.005 {
            if found.distance < known.distance { best = found }
        } else if found.isAddress != known.isAddress {
            if found.isAddress { best = found }
        } else if (found.number == nil) != (known.number == nil) {
            // A number that stands there before one that is reckoned.
            if found.number == nil { best = found }
        } else if (found.pointDistance, found.feature) < (known.pointDistance, known.feature) {
            best = found
        }
    }

    /// Whether a row (id, kind, housenumber, name, parent, point, own address) may be an answer; nil where it may not, else
    /// whether it has a number of its own, not that of the building around it.
    private func judge(_ row: Statement, ofStreet street: Int64?) -> Bool? {
        let kind = FeatureKind(rawValue: row.int(1))
        let hasNumber = !row.isNull(2)
        let hasOwnNumber = kind == .address || (hasNumber && row.int(6) > 0)
        if let street {
            guard hasNumber, options.layers.hasHouses, row.int64(4) == street else { return nil }
            return hasOwnNumber
        }
        if hasOwnNumber, options.layers.hasHouses { return true }
        let layer: ReverseOptions.Layers
        switch kind {
        case .address: return options.layers.hasHouses && (hasNumber || !row.isNull(3)) ? false : nil
        case .pointOfInterest: layer = .pointsOfInterest
        case .stop: layer = .stops
        case .water, .park, .peak, .otherNatural: layer = .natural
        default: return nil
        }
        return options.layers.contains(layer) && (hasNumber || !row.isNull(3)) ? false : nil
    }

    private func collectPoints(_ window: Double, ofStreet street: Int64?, into best: inout Found?) throws {
        var nearest = best
        try query(
            """
            SELECT f.id, f.kind, f.housenumber, f.name, f.parent, f.geometry,
              CASE WHEN f.kind <> 9 AND f.housenumber IS NOT NULL THEN instr(f.tags, '"addr:housenumber"')
                + instr(f.tags, '"addr:conscriptionnumber"') + instr(f.tags, '"addr:streetnumber"') END
            FROM idx_feature_geometry i JOIN feature f ON f.id = i.pkid
            WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3
            """, window
        ) { row in
            guard let isAddress = judge(row, ofStreet: street), let location = row.withBlob(5, SpatialBlob.decodePoint)
            else { return }
            let distance = plane.distance(toSegment: location, location).metres
            offer(
                Found(
                    feature: row.int64(0), distance: distance, parent: row.int64(4), isAddress: isAddress,
                    pointDistance: distance), to: &nearest)
        }
        best = nearest
    }

    private func collectOutlines(_ window: Double, ofStreet street: Int64?, into best: inout Found?) throws {
        var nearest = best
        // Outlines of whole regions are no spots.
        try query(
            """
            SELECT f.id, f.kind, f.housenumber, f.name, f.parent, f.geometry,
              CASE WHEN f.kind <> 9 AND f.housenumber IS NOT NULL THEN instr(f.tags, '"addr:housenumber"')
                + instr(f.tags, '"addr:conscriptionnumber"') + instr(f.tags, '"addr:streetnumber"') END, a.geometry
            FROM idx_area_geometry i JOIN area a ON a.id = i.pkid JOIN feature f ON f.id = a.feature
            WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3 AND i.xmax - i.xmin < 0.05
            """, window
        ) { row in
            guard let isAddress = judge(row, ofStreet: street), let location = row.withBlob(5, SpatialBlob.decodePoint)
            else { return }
            var isInside = false
            var distance = Double.infinity
            row.withBlob(7) { bytes in
                _ = SpatialBlob.forEachRun(bytes) { run, _ in
                    if run.contains(point) { isInside.toggle() }
                    distance = min(distance, run.distance(plane))
                }
            }
            offer(
                Found(
                    feature: row.int64(0), distance: isInside ? 0 : distance, parent: row.int64(4),
                    isAddress: isAddress,
                    pointDistance: plane.distance(toSegment: location, location).metres), to: &nearest)
        }
        best = nearest
    }

    private func collectInterpolations(_ window: Double, ofStreet street: Int64?, into best: inout Found?) throws {
        var nearest = best
        try query(
            """
            SELECT n.feature, n.parent, n.first, n.last, n.step, n.geometry
            FROM idx_interpolation_geometry i JOIN interpolation n ON n.id = i.pkid
            WHERE i.xmin <= ?2 AND i.xmax >= ?1 AND i.ymin <= ?4 AND i.ymax >= ?3
            """, window
        ) { row in
            let parent = row.int64(1)
            guard street == nil || parent == street else { return }
            let geometry = row.withBlob(5, SpatialBlob.decode)
            guard case .line(let line)? = geometry,
                let stretch = InterpolatedLine(first: row.int(2), last: row.int(3), step: row.int(4), line: line)
            else { return }
            let (number, location) = stretch.nearest(to: point)
            let distance = plane.distance(toSegment: location, location).metres
            offer(
                Found(
                    feature: row.int64(0), distance: distance, parent: parent, isAddress: true,
                    pointDistance: distance, number: String(number), location: location), to: &nearest)
        }
        best = nearest
    }

    /// Runs a query over a window of some metres around the point, also across the date line.
    private func query(_ sql: String, _ metres: Double, _ each: (Statement) throws -> Void) throws {
        for box in plane.window(metres).withTurns {
            let statement = try database.statement(sql)
            statement.bind(1, box.west)
            statement.bind(2, box.east)
            statement.bind(3, box.south)
            statement.bind(4, box.north)
            while try statement.step() { try each(statement) }
            statement.reset()
        }
    }
}

extension BoundingBox {
    private func shifted(by degrees: Double) -> BoundingBox {
        BoundingBox(west: west + degrees, south: south, east: east + degrees, north: north)
    }

    /// The box, and the same a turn further on where it reaches over the date line beyond ±180.
    var withTurns: [BoundingBox] {
        var boxes = [self]
        if west < -180 { boxes.append(shifted(by: 360)) }
        if east > 180 { boxes.append(shifted(by: -360)) }
        return boxes
    }
}

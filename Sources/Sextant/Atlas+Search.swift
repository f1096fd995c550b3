import Foundation
import Gazetteer
import Geometry
import Locking
import OpenStreetMap

/// When a search happens, for "open now" and for what opening hours say.
public struct SearchMoment: Sendable {
    public var date: Date
    /// Seconds after `date` at which one comes to a spot so many metres along the line of `SearchQuery.Order.along`.
    public var secondsAlong: (@Sendable (Double) -> Double)?

    public init(_ date: Date = Date(), secondsAlong: (@Sendable (Double) -> Double)? = nil) {
        self.date = date
        self.secondsAlong = secondsAlong
    }
}

extension Atlas {
    /// Everything of a kind or name within a region, which is a hard limit.
    ///
    ///     try atlas.search(SearchQuery("vegan restaurants near Kiasma open Sunday 18:00"), at: SearchMoment())
    ///
    /// The words may hold wishes, times and a place (`SearchReading`); where they name a place, what lies outside of it, or
    /// farther than it is near, is left out as well. The World is asked for things only where no other atlas is open: it
    /// holds no shops.
    ///
    /// - Parameter moment: when; each answer then says what its opening hours are (`FoundPlace.hours`). Without it they are
    ///   looked at only where the words ask for it, as of now.
    public func search(_ query: SearchQuery, at moment: SearchMoment? = nil) throws -> [FoundPlace] {
        var found: [FoundPlace] = []
        try search(query, at: moment) { place in
            found.append(place)
            return true
        }
        return found
    }

    /// The same, handed over one by one in their order. With one atlas besides the World nothing but numbers and places of
    /// all is held at a time.
    ///
    /// - Parameter take: given each place; false ends the search.
    /// - Returns: how many were handed over.
    @discardableResult
    public func search(
        _ query: SearchQuery, at moment: SearchMoment? = nil, take: (FoundPlace) throws -> Bool
    ) throws -> Int {
        guard query.reading == nil, query.kinds.isEmpty, query.tag == nil else {
            return try hand(query, query.reading?.opening != nil ? moment ?? SearchMoment() : moment, take)
        }
        for reading in try readings(of: query.words) {
            var asked = query
            asked.reading = reading
            let moment = reading.opening != nil ? moment ?? SearchMoment() : moment
            guard let place = reading.place else {
                let count = try hand(asked, moment, take)
                if count > 0 { return count }
                continue
            }
            for region in try regions(of: place, asked) {
                asked.region = query.region == .everywhere ? region.shape : .all([query.region, region.shape])
                if let center = region.center {
                    if case .along = query.order {} else { asked.order = .nearest(center) }
                }
                let count = try hand(asked, moment) { found in
                    var found = found
                    found.searchedPlace = region.place
                    return try take(found)
                }
                if count > 0 { return count }
            }
        }
        return 0
    }

    /// Everything of a kind or name within the outline of a place that was found before.
    public func search(
        _ words: String, within place: FoundPlace, order: SearchQuery.Order = .best, limit: Int? = nil,
        languages: [String] = [], at moment: SearchMoment? = nil
    ) throws -> [FoundPlace] {
        guard let shape = try shape(of: place) else { return [] }
        return try search(SearchQuery(words, in: shape, order: order, limit: limit, languages: languages), at: moment)
    }

    /// The outline of a place as a region of a search, whichever atlas it is in; nil for one without an outline.
    public func shape(of place: FoundPlace) throws -> SearchQuery.Region? {
        let outline = try asking(place.atlasIndex) { try $0.outline(of: place.feature) }
        guard case .polygons(let polygons)? = outline, !polygons.isEmpty else { return nil }
        return .polygons(polygons)
    }

    /// What the words may mean in the atlases together, the likeliest first. Where several know the words, a kind goes first.
    public func readings(of words: String) throws -> [SearchReading] {
        var result: [SearchReading] = []
        for index in searched {
            for reading in try asking(index, { try $0.readings(of: words) }) where !result.contains(reading) {
                result.append(reading)
            }
        }
        return result
    }

    /// The atlases that hold shops: all but the World, where there are any.
    private var searched: [Int] { parts.indices.filter { !parts[$0].isWorld || parts.count == 1 } }

    // MARK: Handing over

    private func hand(
        _ query: SearchQuery, _ moment: SearchMoment?, _ take: (FoundPlace) throws -> Bool
    ) throws -> Int {
        var query = query
        if query.clock == nil, let moment { query.clock = clock(moment) }
        let indices = searched.filter { index in
            if case .outline = query.region { return index == 0 }
            return true
        }
        func found(_ match: SearchMatch, _ index: Int) throws -> FoundPlace {
            var place = try place(
                match.feature, index, at: match.feature.location, distance: match.distance, quality: match.quality,
                languages: query.languages)
            place.objects = match.objects
            place.matchedTags = match.tags
            place.hours = match.hours
            place.along = match.along
            if let along = match.along { place.arrival = moment?.secondsAlong?(along) }
            return place
        }
        guard indices.count > 1 else {
            var count = 0
            for index in indices {
                count += try asking(index) { try $0.search(query) { try take(try found($0, index)) } }
            }
            return count
        }
        var all: [(match: SearchMatch, index: Int)] = []
        var seen: Set<OSMID> = []
        for index in indices {
            for match in try asking(index, { try $0.search(query) })
            where match.feature.osm.map({ seen.insert($0).inserted }) ?? true {
                all.append((match, index))
            }
        }
        let order = all.enumerated().sorted { a, b in
            let (x, y) = (a.element.match, b.element.match)
            switch query.order {
            case .nearest:
                if x.distance != y.distance { return (x.distance ?? .infinity) < (y.distance ?? .infinity) }
            case .along: if x.along != y.along { return (x.along ?? .infinity) < (y.along ?? .infinity) }
            case .best:
                if x.quality.score != y.quality.score { return x.quality.score > y.quality.score }
                if x.feature.importance != y.feature.importance { return x.feature.importance > y.feature.importance }
            }
            return a.offset < b.offset
        }
        var count = 0
        for (_, one) in order.prefix(query.limit.map { max($0, 0) } ?? .max) {
            count += 1
            guard try take(try found(one.match, one.index)) else { break }
        }
        return count
    }

    // MARK: Places in words

    /// How far around a place things are near to it, in metres: the first that holds anything.
    private static let reaches = [1_000.0, 2_000, 4_000, 8_000]

    /// Where the place of a reading lets one look, the likeliest first; `center` is what answers are sorted by, where the
    /// place asks for that.
    private func regions(
        of place: SearchReading.Place, _ query: SearchQuery
    ) throws -> [(shape: SearchQuery.Region, center: Coordinate?, place: SearchedPlace)] {
        guard let found = try self.place(place, query) else { return [] }
        var searched = SearchedPlace(title: found.title, coordinate: found.coordinate, isOutline: false)
        let box = found.feature.boundingBox
        let isArea = box.west <= box.east && box != BoundingBox(found.feature.location)
        // Half of its diagonal, for what is larger than a building or a square.
        var extent =
            isArea
            ? Coordinate(latitude: box.south, longitude: box.west).distance(
                to: Coordinate(latitude: box.north, longitude: box.east)) / 2 : 0
        if extent < 300 { extent = 0 }
        if place.relation != .near {
            if let shape = try shape(of: found) {
                searched.isOutline = true
                return [(shape, nil, searched)]
            }
            // A town that is a point reaches as far as towns of its size do.
            let reach =
                switch found.feature.kind == .suburb ? 30 : found.feature.searchRank {
                case ...16: 5_000.0
                case 17...18: 3_000.0
                case 19...20: 2_000.0
                default: 1_000.0
                }
            return [(.circle(center: found.coordinate, metres: max(reach, extent)), found.coordinate, searched)]
        }
        return Self.reaches.map {
            (.circle(center: found.coordinate, metres: $0 + min(extent, 20_000)), found.coordinate, searched)
        }
    }

    /// The place that the words of a reading mean.
    private func place(_ place: SearchReading.Place, _ query: SearchQuery) throws -> FoundPlace? {
        let center = center(of: query)
        if !place.kinds.isEmpty {
            // "the station": the nearest one.
            var nearest = SearchQuery(in: query.region, limit: 1, languages: query.languages)
            nearest.kinds = place.kinds
            if let center { nearest.order = .nearest(center) }
            var first: FoundPlace?
            for region in query.region == .everywhere ? [.everywhere] : [query.region, .everywhere] where first == nil {
                nearest.region = region
                _ = try hand(nearest, nil) { place in
                    first = place
                    return false
                }
            }
            if first != nil { return first }
        }
        if place.relation == .inside, let area = try area(named: place.text, languages: query.languages) { return area }
        let asked = GeocodeQuery(place.text, languages: query.languages, limit: 5, near: center)
        let found = try geocode(asked).places.filter { ($0.quality?.isComplete ?? false) }
        guard place.relation != nil else {
            // What merely stands beside the kind is a place only where a town or a quarter is called so.
            return found.first { Self.settlements.contains($0.feature.kind) && ($0.quality?.score ?? 0) >= 0.9 }
        }
        if place.relation == .inside, let town = found.first(where: { Self.settlements.contains($0.feature.kind) }) {
            return town
        }
        return found.first
    }

    private static let settlements: Set<FeatureKind> = [
        .country, .region, .county, .municipality, .place, .suburb, .postcode,
    ]

    /// The middle of what is searched; nil where it has none.
    package func center(of query: SearchQuery) -> Coordinate? {
        switch query.order {
        case .nearest(let point): return point
        case .along(let corridor): return corridor.line.first
        case .best: break
        }
        func middle(_ region: SearchQuery.Region) -> Coordinate? {
            switch region {
            case .box(let box): box.center
            case .circle(let center, _): center
            case .corridor(let corridor): corridor.line.first
            case .polygons(let polygons): BoundingBox(smallestAround: polygons.flatMap { $0.first ?? [] })?.center
            case .all(let regions): regions.lazy.compactMap { middle($0) }.first
            case .outline, .everywhere: nil
            }
        }
        if let middle = middle(query.region) { return middle }
        return searched.first.flatMap { index in
            parts[index].manifest.sources.compactMap { $0.coverage.boundingBox }.first?.center
        }
    }

    // MARK: Time

    /// What the opening hours of a place say at a moment, on the clock of the place; nil where it has none that can be read.
    public func hours(of place: FoundPlace, at date: Date = Date()) throws -> OpeningHours.Outlook? {
        guard let value = place.openingHours, let hours = try? OpeningHours(value),
            let clock = try clock(SearchMoment(date))(place.coordinate, nil)
        else { return nil }
        return hours.outlook(at: clock.moment, in: clock.site)
    }

    /// The clocks of places. Zones are looked up once for each square of some 2 km.
    private func clock(_ moment: SearchMoment) -> @Sendable (Coordinate, Double?) throws -> SearchQuery.Clock? {
        let zones = ZoneCache()
        return { [self] point, along in
            let zone = try zones.zone(at: point) { try self.timeZone(at: point) }
            let seconds = along.flatMap { moment.secondsAlong?($0) } ?? 0
            let date = moment.date.addingTimeInterval(seconds)
            return SearchQuery.Clock(
                moment: OpeningHours.Moment(date, in: zone),
                site: OpeningHours.Site(coordinate: point, timeZone: zone))
        }
    }
}

private final class ZoneCache: Sendable {
    private struct Cell: Hashable {
        var x: Int
        var y: Int
    }

    private let known = Mutex<[Cell: TimeZone]>([:])

    /// The zone of the cell that holds the point; that of its meridian where nobody knows it.
    func zone(at point: Coordinate, find: () throws -> TimeZone?) rethrows -> TimeZone {
        let cell = Cell(
            x: Int((point.longitude * 50).rounded(.down)), y: Int((point.latitude * 50).rounded(.down)))
        if let known = known.withLock({ $0[cell] }) { return known }
        let hours = Int((point.longitude / 15).rounded())
        let found = try find() ?? TimeZone(secondsFromGMT: hours * 3600) ?? .gmt
        known.withLock { $0[cell] = found }
        return found
    }
}

import Foundation
import Gazetteer
import Geometry
import OpenStreetMap

/// Nominatim's layers.
enum NominatimLayer: String, CaseIterable {
    case address, poi, railway, natural, manmade

    init(_ feature: Feature) {
        switch feature.category {
        case "natural", "water", "waterway": self = .natural
        case "railway": self = .railway
        default:
            if feature.kind == .address || feature.kind == .interpolation || (1...29).contains(feature.rank) {
                self = .address
            } else if feature.kind != .park, feature.searchRank == 30 {
                self = .poi
            } else {
                self = .manmade
            }
        }
    }
}

extension NominatimDialect {
    /// What is at a point, for the map's zoom; nil where nothing is near.
    func reverseResult(_ point: Coordinate, options: AnswerOptions, zoom: Int, layers: Set<NominatimLayer>? = nil)
        throws
        -> NominatimResult?
    {
        let layers = layers ?? [.address, .poi]
        let finest = max(4, ReverseOptions.finestRank(zoom: zoom))
        var best: NominatimResult?
        if layers.contains(.address) {
            var kinds: ReverseOptions.Layers = .address
            if layers.contains(.poi) { kinds.insert(.pointsOfInterest) }
            best = try addressResult(point, options, finest, kinds)
            if finest >= 26, best?.placeRank ?? 0 >= 26 { return best }
        } else if layers.contains(.poi), finest == 30, let poi = try nearestPointOfInterest(point, options) {
            return poi
        }
        let features = layers.intersection([.natural, .manmade, .railway])
        guard !features.isEmpty, let other = try largeFeature(point, options, finest, features) else { return best }
        return best.map { $0.placeRank >= other.placeRank ? $0 : other } ?? other
    }

    private func addressResult(
        _ point: Coordinate, _ options: AnswerOptions, _ finest: Int, _ kinds: ReverseOptions.Layers
    ) throws -> NominatimResult? {
        let asked = ReverseOptions(languages: options.languages, finestRank: finest, layers: kinds)
        var coarse: NominatimResult?
        for (index, gazetteer) in gazetteers.enumerated() {
            var match = try gazetteer.reverse(point, options: asked)
            if endsWithWorld, index == gazetteers.count - 1 {
                // A point of the coast that the simplified outlines leave out belongs to the nearest of them.
                if match == nil, coarse == nil {
                    match = try gazetteer.nearestArea(
                        to: point, within: 30_000, finestRank: finest, languages: options.languages)
                }
                // The World knows towns by their points alone: the one at hand says more than the region's outline.
                if finest >= 16, match.map({ $0.feature.rank < 16 }) ?? true,
                    let town = try gazetteer.nearestPlace(to: point, country: match?.feature.country)
                {
                    return try NominatimResult(town.feature, gazetteer, index, options)
                }
            }
            guard let match else { continue }
            var result = try NominatimResult(
                match.feature, gazetteer, index, options, location: match.location,
                houseNumber: match.interpolatedNumber)
            result.take(match.address)
            if match.feature.kind == .street, match.interpolatedNumber == nil {
                // The way that is nearest stands for its street, by the spot nearest to the point.
                let ways = try gazetteer.ways(ofStreet: match.feature)
                let nearest = ways.min { point.distance(toLine: $0.line) < point.distance(toLine: $1.line) }
                if let nearest { result.take(nearest, near: point, options: options) }
            }
            // The outline of a country in a fine atlas says less than a town of a coarser one.
            if match.feature.rank >= 16 || match.feature.rank == 0 { return result }
            if coarse == nil { coarse = result }
        }
        return coarse
    }

    /// The place of interest whose ground holds the point, or the nearest within 600 m, with a name or without.
    private func nearestPointOfInterest(_ point: Coordinate, _ options: AnswerOptions) throws -> NominatimResult? {
        for (index, gazetteer) in gazetteers.enumerated() {
            let around = try gazetteer.surroundings(of: point, kinds: [.pointOfInterest])
            if let ground = around.first(where: { NominatimLayer($0) == .poi }) {
                return try NominatimResult(ground, gazetteer, index, options)
            }
            let near = try gazetteer.neighbours(of: point, within: 600, limit: 20) { NominatimLayer($0) == .poi }
            let ranked = try near.map { neighbour -> (distance: Double, feature: Feature) in
                // Large grounds are as far as their edge.
                guard case .polygons(let polygons) = try gazetteer.outline(of: neighbour.feature) else {
                    return (neighbour.distance, neighbour.feature)
                }
                let rings = polygons.flatMap { $0 }
                return (rings.map { point.distance(toLine: $0) }.min() ?? neighbour.distance, neighbour.feature)
            }
            if let nearest = ranked.min(by: { $0.distance < $1.distance }) {
                return try NominatimResult(nearest.feature, gazetteer, index, options)
            }
        }
        return nil
    }

    /// Named water, peaks, parks ... that hold the point or lie as near as their size reaches: the finest of them.
    private func largeFeature(
        _ point: Coordinate, _ options: AnswerOptions, _ finest: Int, _ layers: Set<NominatimLayer>
    ) throws -> NominatimResult? {
        for (index, gazetteer) in gazetteers.enumerated() {
            func isWanted(_ feature: Feature) -> Bool {
                feature.name != nil && (5...finest).contains(feature.searchRank)
                    && layers.contains(NominatimLayer(feature)) && feature.kind != .timeZone
            }
            var found: [(feature: Feature, distance: Double)] = []
            for ground in try gazetteer.surroundings(
                of: point, kinds: [.water, .park, .peak, .otherNatural, .pointOfInterest, .stop])
            where isWanted(ground) {
                found.append((ground, 0))
            }
            for near in try gazetteer.neighbours(of: point, within: 9_000, limit: 200, where: isWanted) {
                // Areas that do not hold the point are no answer.
                let isArea = if case .polygons = try gazetteer.outline(of: near.feature) { true } else { false }
                if !isArea, near.feature.category != "waterway",
                    near.distance <= Self.reach(rank: near.feature.searchRank)
                {
                    found.append(near)
                }
            }
            if layers.contains(.natural) { found += try waterways(point, gazetteer).filter { isWanted($0.feature) } }
            found.sort { ($1.feature.searchRank, $0.distance) < ($0.feature.searchRank, $1.distance) }
            if let best = found.first {
                var result = try NominatimResult(best.feature, gazetteer, index, options)
                result.take(try gazetteer.address(of: best.feature, at: point, languages: options.languages))
                return result
            }
        }
        return nil
    }

    /// How far a place that is a point is taken to reach, in metres.
    private static func reach(rank: Int) -> Double {
        switch rank {
        case ...17: 17_000
        case 18: 8_900
        case 19: 4_400
        default: 2_200
        }
    }

    /// The named rivers within two kilometres and streams within some hundred metres, the nearest first. Their lines are those of the map.
    private func waterways(_ point: Coordinate, _ gazetteer: Gazetteer) throws -> [(feature: Feature, distance: Double)]
    {
        guard let map = try? GazetteerMap(gazetteer) else { return [] }
        var nearest: [String: (id: OSMID?, distance: Double)] = [:]
        let window = LocalPlane(origin: point).window(2_200)
        let corners = [
            MercatorPoint(Coordinate(latitude: window.north, longitude: window.west)),
            MercatorPoint(Coordinate(latitude: window.south, longitude: window.east)),
        ]
        guard let box = MercatorRing.box(corners) else { return [] }
        try map.forEachMapShape(in: box, zoom: 15, languages: []) { shape in
            guard [.river, .stream, .canal].contains(shape.kind), let name = shape.name,
                case .line(let line) = shape.geometry
            else { return }
            let distance = point.distance(toLine: line.map(\.coordinate))
            let reach = shape.kind == .stream ? 400.0 : 2_200
            if distance < nearest[name]?.distance ?? reach { nearest[name] = (shape.osm, distance) }
        }
        var found: [(feature: Feature, distance: Double)] = []
        for (name, spot) in nearest.sorted(by: { ($0.value.distance, $0.key) < ($1.value.distance, $1.key) }).prefix(10)
        {
            var feature = try spot.id.flatMap { try gazetteer.feature(osm: $0) }
            if feature?.category != "waterway" {
                // A river's ways are one with its relation: by its name, the one whose box holds the point.
                var query = SearchQuery(name, in: .everywhere)
                query.limit = 50
                feature = try gazetteer.search(query).map(\.feature).filter {
                    $0.category == "waterway" && $0.name == name
                }.min {
                    $0.boundingBox.nearest(to: point).distance(to: point)
                        < $1.boundingBox.nearest(to: point).distance(to: point)
                }
            }
            if let feature { found.append((feature, spot.distance)) }
        }
        return found
    }
}

extension MapShape {
    /// The object in OpenStreetMap that the shape was made of; nil for land, sea and what is from elsewhere.
    var osm: OSMID? {
        guard id >> 5 > 0, let type = OSMType(rawValue: numericCast((id >> 3) & 3)) else { return nil }
        return OSMID(type, id >> 5)
    }
}

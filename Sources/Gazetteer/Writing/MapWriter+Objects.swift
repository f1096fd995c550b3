import Foundation
import Geometry
import OpenStreetMap

/// From objects of OpenStreetMap to shapes of the map.
extension MapWriter {
    /// Notes which ways are boundaries. Before all nodes, ways and areas.
    func add(relation: OSMRelation) {
        guard relation.tags["boundary"] == "administrative", relation.tags["type"] == "boundary",
            let level = relation.tags["admin_level"].flatMap({ UInt8($0) }), (2...8).contains(level)
        else { return }
        for member in relation.members where member.id.type == .way {
            boundaryLevels[member.id.number] = min(boundaryLevels[member.id.number] ?? level, level)
        }
    }

    func add(node: OSMNode) {
        let meanings = MapMeaning.all(of: node.tags, form: .node)
        guard !meanings.isEmpty else { return }
        let point = MercatorPoint(node.location)
        for (part, meaning) in meanings.enumerated() {
            add(meaning, OSMID(.node, node.id), part, .point(point), node.tags, side: 0)
        }
    }

    /// - Parameter places: the places of the way's nodes, as far as they are known.
    func add(way: OSMWay, places: [Coordinate]) {
        let level = boundaryLevels[way.id] ?? Self.boundaryLevel(way.tags)
        let lines = MapMeaning.all(of: way.tags, form: .line)
        let isComplete = way.isClosed && places.count == way.locations.count && places.count > 3
        // Without `area=no` a closed way may be both: a pedestrian square by its `highway`, a park by its `leisure`.
        let areas = isComplete && way.tags["area"] != "no" ? MapMeaning.all(of: way.tags, form: .area) : []
        guard level != nil || !lines.isEmpty || !areas.isEmpty else { return }
        let id = OSMID(.way, way.id)
        // Where nodes are missing the line is cut: it went elsewhere, outside the extract.
        let stretches = places.count == way.locations.count ? [Self.project(places)] : Self.stretches(way.locations)
        for points in stretches where points.count >= 2 {
            for (part, meaning) in lines.enumerated() {
                // A pier or a runway that is an area needs no line as well.
                if areas.contains(where: { $0.kind == meaning.kind }) { continue }
                add(meaning, id, part, .line(points), way.tags, side: 0)
            }
        }
        if !areas.isEmpty { add(areas, id, from: lines.count, [places], stretches, way.tags) }
        if let level, let boundary = MapMeaning(boundaryLevel: Int(level)),
            way.tags["maritime"] != "yes", way.tags["natural"] != "coastline"
        {
            for points in stretches where points.count >= 2 { add(boundary, id, 7, .line(points), Tags(), side: 0) }
        }
    }

    /// An area of a relation; areas of closed ways come as ways.
    func add(area: OSMArea) {
        let meanings = MapMeaning.all(of: area.tags, form: .area)
        guard !meanings.isEmpty else { return }
        let places = area.polygons.flatMap { [$0.outer] + $0.inner }
        guard let origin = places.first?.first else { return }
        add(meanings, area.id, from: 0, places, places.map { Self.project($0, near: origin) }, area.tags)
    }

    /// An area of rings that do not repeat their first point.
    func add(_ id: OSMID, rings: [[MercatorPoint]], _ tags: Tags) {
        let meanings = MapMeaning.all(of: tags, form: .area).filter { $0.drawn == .itself }
        let places = rings.map { $0.map(\.coordinate) }
        if !meanings.isEmpty { add(meanings, id, from: 0, places, rings, tags) }
    }

    private func add(
        _ meanings: [MapMeaning], _ id: OSMID, from first: Int, _ places: [[Coordinate]], _ rings: [[MercatorPoint]],
        _ tags: Tags
    ) {
        let open = rings.map { $0.first == $0.last ? Array($0.dropLast()) : $0 }.filter { $0.count >= 3 }
        guard !open.isEmpty, let latitude = places.first?.first?.latitude else { return }
        // Inner rings of a multipolygon run the other way round than outer ones in no fixed order: even-odd decides.
        var area = 0.0
        for ring in open { area = max(area, abs(MercatorRing.doubleArea(ring)) / 2) }
        let side = area.squareRoot()
        let metres = side * 40_075_016.7 / Double(Mercator.world) * cos(latitude * .pi / 180)
        var label: MercatorPoint?
        for (number, meaning) in meanings.enumerated() {
            var meaning = meaning
            if meaning.isRankedBySize { meaning.rank = metres }
            switch meaning.drawn {
            case .itself: add(meaning, id, first + number, .area(open), tags, side: side)
            case .point:
                if label == nil { label = Polygon.representativePoint(places).map { MercatorPoint($0) } }
                guard let label else { continue }
                add(meaning, id, first + number, .point(label), tags, side: side)
            }
        }
    }

    /// - Parameter side: of a square as large as the area, in units; 0 for what is no area.
    private func add(
        _ meaning: MapMeaning, _ id: OSMID, _ part: Int, _ geometry: MapShape.Geometry, _ tags: Tags, side: Double
    ) {
        var lowest = meaning.zoom
        if meaning.isRankedBySize, side > 0 {
            // An area shows from about two pixels, the label of one from the width of a short word.
            let least = meaning.drawn == .point ? 24.0 : 2
            while lowest < 19, side < least * Double(MapBand.pixel(atZoom: lowest)) { lowest += 1 }
        }
        var shape = MapShape(
            id: id.number << 5 | Int64(id.type.rawValue) << 3 | Int64(min(part, 7)), kind: meaning.kind,
            geometry: geometry, flags: meaning.flags, layer: meaning.layer, ref: meaning.ref, rank: meaning.rank)
        var names: [(language: String, name: String)] = []
        if meaning.isNamed {
            shape.name = tags["name"] ?? (meaning.hasCategory ? tags["brand"] : nil)
            names = Names.byLanguage(tags).filter { $0.name != shape.name }
        }
        if meaning.hasCategory {
            let kind = kinds.kind(of: tags)
            shape.category = kind?.name
            if shape.kind == .pointOfInterest, shape.name == nil, kind?.icon == nil { return }
        }
        if shape.name == nil, shape.kind == .building { shape.rank = 0 }
        add(shape, names: names, zooms: lowest...19)
    }

    // MARK: - Other sources

    /// The label of a place, region or country of another source.
    func add(_ outside: OutsideFeature) {
        let name = outside.tags["name"]
        var meaning: MapMeaning
        switch outside.kind {
        case .country where !outside.polygons.isEmpty, .region where !outside.polygons.isEmpty:
            var square = 0.0
            for polygon in outside.polygons {
                square = max(square, abs(MercatorRing.doubleArea(Self.project(polygon.outer)) / 2))
            }
            let isCountry = outside.kind == .country
            let zooms = isCountry ? 2...6 : 4...9
            let side = square.squareRoot()
            let fitting = zooms.first { side >= (isCountry ? 32 : 64) * Double(MapBand.pixel(atZoom: $0)) }
            meaning = MapMeaning(
                isCountry ? .country : .region, zoom: fitting ?? zooms.upperBound,
                rank: side * 40_075_016.7 / Double(Mercator.world) * cos(outside.location.latitude * .pi / 180))
        default:
            guard outside.category == "place", name != nil,
                let place = MapMeaning(
                    place: outside.type, population: outside.population ?? 0,
                    isCapital: outside.tags["capital"] == "yes")
            else { return }
            meaning = place
        }
        grounds += 1
        add(
            MapShape(
                id: Int64(grounds) << 5, kind: meaning.kind, geometry: .point(MercatorPoint(outside.location)),
                flags: meaning.flags, name: name, rank: meaning.rank),
            names: Names.byLanguage(outside.tags).filter { $0.name != name }, zooms: meaning.zoom...19)
    }

    // MARK: - Ground and borders

    func add(ground kind: MapKind, rings: [[MercatorPoint]]) {
        grounds += 1
        add(MapShape(id: Int64(grounds) << 5, kind: kind, geometry: .area(rings)), zooms: 0...19)
    }

    func add(border kind: MapKind, _ line: [MercatorPoint]) {
        guard line.count >= 2 else { return }
        grounds += 1
        let lowest = kind == .countryBoundary ? 0 : kind == .regionBoundary ? 4 : 10
        add(MapShape(id: Int64(grounds) << 5, kind: kind, geometry: .line(line)), zooms: lowest...19)
    }

    private static func boundaryLevel(_ tags: Tags) -> UInt8? {
        guard tags["boundary"] == "administrative", let level = tags["admin_level"].flatMap({ UInt8($0) }),
            (2...8).contains(level)
        else { return nil }
        return level
    }

    /// The runs of nodes whose places are known.
    private static func stretches(_ places: [Coordinate?]) -> [[MercatorPoint]] {
        places.split { !($0?.isValid ?? false) }.map { project($0.compactMap { $0 }) }
    }

    /// Places on the map; over the date line they go on beyond its edge. Equal neighbours are one.
    ///
    /// - Parameter origin: what the first place is near to, where that is not the place itself.
    static func project(_ places: [Coordinate], near origin: Coordinate? = nil) -> [MercatorPoint] {
        var points: [MercatorPoint] = []
        points.reserveCapacity(places.count)
        var before = origin?.longitude ?? places.first?.longitude ?? 0
        for place in places {
            let place = place.continued(from: before)
            before = place.longitude
            let point = MercatorPoint(place)
            if points.last != point { points.append(point) }
        }
        return points
    }
}

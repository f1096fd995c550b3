import Gazetteer
import Geometry
import OpenStreetMap

/// Land, sea and cover of an extract, from its coastlines and from where it has anything at all.
///
/// What the extract covers falls into groups of touching tiles of zoom 12, as one file may hold Helsinki and Monaco. Each
/// group has a box: where its tiles lie, cut to the box that the file's head tells. Coastlines are closed against that
/// box. A group without a coastline has the land that the World's outlines give it, all of it inland. Multipolygons of
/// water that lack some of their ways are closed against the box too.
struct LandBuilder {
    private struct Tile: Hashable {
        var x: Int32
        var y: Int32

        init(_ point: MercatorPoint) {
            x = point.x >> 18
            y = point.y >> 18
        }

        init(x: Int32, y: Int32) {
            self.x = x
            self.y = y
        }
    }

    /// A group of touching tiles.
    private struct Group {
        var tiles: [Tile] = []
        var data: MercatorBox?
        var evidence: [MercatorPoint] = []
    }

    private var coast = Coastline()
    /// Tiles with the box of what lies in them.
    private var tiles: [Tile: MercatorBox] = [:]
    /// Places on land, at most one in each square of 2^14 units.
    private var dry: [MercatorPoint] = []
    private var dryCells: Set<UInt64> = []
    private var lastCell = UInt64.max

    /// Relations of water by their member ways; what is still here at the end lacks some of them.
    private var waterMembers: [Int64: [Int64]] = [:]
    private var waters: [Int64: (tags: Tags, lines: Coastline)] = [:]

    /// Adds a place that the extract covers.
    ///
    /// - Parameter isDry: whether it is surely on land.
    mutating func add(_ place: Coordinate, isDry: Bool) {
        guard place.isValid else { return }
        add(MercatorPoint(place), isDry: isDry)
    }

    private mutating func add(_ point: MercatorPoint, isDry: Bool) {
        if tiles[Tile(point)]?.extend(by: point) == nil {
            tiles[Tile(point)] = MercatorBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
        }
        guard isDry else { return }
        let cell = UInt64(UInt32(bitPattern: point.x >> 14)) << 32 | UInt64(UInt32(bitPattern: point.y >> 14))
        if cell != lastCell, dryCells.insert(cell).inserted { dry.append(point) }
        lastCell = cell
    }

    /// Notes a multipolygon of water, which may turn out to be cut. Before all ways.
    mutating func add(_ relation: OSMRelation) {
        guard relation.tags["type"] == "multipolygon",
            relation.tags["natural"] == "water" || relation.tags["waterway"] == "riverbank"
        else { return }
        waters[relation.id] = (relation.tags, Coastline())
        for member in relation.members where member.id.type == .way {
            waterMembers[member.id.number, default: []].append(relation.id)
        }
    }

    /// Takes an area, which is whole.
    mutating func add(_ area: OSMArea) {
        if area.id.type == .relation { waters[area.id.number] = nil }
    }

    /// Takes a way that may be a coastline, a shore or a road.
    mutating func add(_ way: OSMWay) {
        for relation in waterMembers[way.id] ?? [] {
            let places = way.locations.map { $0.flatMap { $0.isValid ? MercatorPoint($0) : nil } }
            waters[relation]?.lines.add(nodes: way.nodes, places: places)
        }
        if way.tags["natural"] == "coastline" {
            var before = way.locations.lazy.compactMap { $0 }.first?.longitude ?? 0
            let places = way.locations.map { place -> MercatorPoint? in
                guard let place, place.isValid else { return nil }
                let next = place.continued(from: before)
                before = next.longitude
                return MercatorPoint(next)
            }
            for place in places { if let place { add(place, isDry: false) } }
            coast.add(nodes: way.nodes, places: places)
        } else if way.tags["highway"] != nil || way.tags["building"] != nil {
            let isDry = way.tags["bridge"] == nil && way.tags["tunnel"] == nil && way.tags["layer"] == nil
            for place in [way.locations.first, way.locations.last] {
                if let place = place ?? nil { add(place, isDry: isDry) }
            }
        }
    }

    /// Gives the gazetteer its land, sea and cover.
    ///
    /// - Parameters:
    ///   - heads: the boxes that the heads of the files tell; nil for a file that tells none.
    ///   - world: asked only where a group has no coastline.
    func finish(into gazetteer: GazetteerWriter, heads: [BoundingBox?], world: () -> WorldLand) {
        let told = heads.compactMap { $0.map(Self.box) }
        let chains = coast.chains()
        let chainBoxes = chains.map { MercatorRing.box($0.points) }
        var isTaken = [Bool](repeating: false, count: chains.count)
        for group in groups() {
            guard let data = group.data else { continue }
            var box = Self.outer(group.tiles)
            let near = told.filter { $0.intersects(box) }
            if told.count == heads.count, let first = near.first {
                let joined = near.dropFirst().reduce(first) { $0.union($1) }
                box = box.intersection(joined) ?? box
            }
            let own = chains.indices.filter { chainBoxes[$0]?.intersects(box) ?? false }
            let hasOpen = own.contains { !chains[$0].isClosed }
            // Without a told box the data's own is the best guess at where a line was cut.
            if hasOpen, near.isEmpty || told.count < heads.count { box = data }
            addWaters(in: box, group, to: gazetteer)
            for tile in group.tiles {
                guard let part = Self.outer([tile]).intersection(box) else { continue }
                gazetteer.addCover(part)
            }
            if own.isEmpty {
                addLand(of: group, box, world(), to: gazetteer)
                continue
            }
            let rings = own.filter { !chains[$0].isClosed || !isTaken[$0] }
            for index in own { isTaken[index] = true }
            gazetteer.addGround(.sea, rings: [Self.ring(box)])
            let closing = CoastlineClosing(rings.map { chains[$0] }, in: box, evidence: group.evidence)
            for rings in closing.land { gazetteer.addGround(.land, rings: rings) }
        }
    }

    /// Waters of which the extract has a part only: harbours, lakes and rivers at its edge.
    private func addWaters(in box: MercatorBox, _ group: Group, to gazetteer: GazetteerWriter) {
        for (id, water) in waters.sorted(by: { $0.key < $1.key }) where !water.lines.isEmpty {
            let chains = water.lines.chains().filter { MercatorRing.box($0.points)?.intersects(box) ?? false }
            guard !chains.isEmpty else { continue }
            let rings = CoastlineClosing.water(chains, in: box, evidence: group.evidence)
            gazetteer.addArea(OSMID(.relation, id), rings: rings, tags: water.tags)
        }
    }

    /// Land of a group without a coastline.
    private func addLand(of group: Group, _ box: MercatorBox, _ world: WorldLand, to gazetteer: GazetteerWriter) {
        // Inland, land goes on around the data: three tiles, should no other map lie beneath.
        for margin: Int32 in [3 << 18, 0] {
            let wide = MercatorBox(
                minX: box.minX - margin, minY: max(0, box.minY - margin), maxX: box.maxX + margin,
                maxY: min(Mercator.world, box.maxY + margin))
            let land = world.land(in: wide)
            var share = 0.0
            for ring in land.joined() { share += MercatorRing.doubleArea(ring) }
            share /= abs(MercatorRing.doubleArea(Self.ring(wide)))
            if share > 0.999 {
                gazetteer.addGround(.land, rings: [Self.ring(wide)])
                return
            }
            if margin == 0 {
                gazetteer.addGround(.sea, rings: [Self.ring(box)])
                for rings in land { gazetteer.addGround(.land, rings: rings) }
            }
        }
    }

    // MARK: - Groups

    private func groups() -> [Group] {
        var rest = Set(tiles.keys)
        var groups: [Group] = []
        var numbers: [Tile: Int] = [:]
        for start in tiles.keys.sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) where rest.remove(start) != nil {
            var group = Group()
            var open = [start]
            while let tile = open.popLast() {
                group.tiles.append(tile)
                numbers[tile] = groups.count
                if let box = tiles[tile] { group.data = group.data.map { $0.union(box) } ?? box }
                for dy: Int32 in -1...1 {
                    for dx: Int32 in -1...1 {
                        let next = Tile(x: tile.x + dx, y: tile.y + dy)
                        if rest.remove(next) != nil { open.append(next) }
                    }
                }
            }
            groups.append(group)
        }
        for point in dry {
            // A few hundred say enough.
            if let number = numbers[Tile(point)], groups[number].evidence.count < 400 {
                groups[number].evidence.append(point)
            }
        }
        return groups
    }

    private static func outer(_ tiles: [Tile]) -> MercatorBox {
        let xs = tiles.map(\.x)
        let ys = tiles.map(\.y)
        let size: Int32 = 1 << 18
        return MercatorBox(
            minX: (xs.min() ?? 0) * size, minY: (ys.min() ?? 0) * size, maxX: ((xs.max() ?? 0) + 1) * size - 1,
            maxY: ((ys.max() ?? 0) + 1) * size - 1)
    }

    private static func ring(_ box: MercatorBox) -> [MercatorPoint] {
        [
            MercatorPoint(x: box.minX, y: box.minY), MercatorPoint(x: box.maxX, y: box.minY),
            MercatorPoint(x: box.maxX, y: box.maxY), MercatorPoint(x: box.minX, y: box.maxY),
        ]
    }

    private static func box(_ box: BoundingBox) -> MercatorBox {
        let low = MercatorPoint(Coordinate(latitude: box.north, longitude: box.west))
        let high = MercatorPoint(Coordinate(latitude: box.south, longitude: box.east))
        return MercatorBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }
}

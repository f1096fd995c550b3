import Foundation
import Geometry
import OpenStreetMap

/// Collects the shapes of the map and writes them as blocks.
///
/// Shapes lie encoded in a temporary file, once for each simplified form and the bands of zooms that it serves; in memory
/// stays a key of 16 bytes for each, which sorts them by bands, size and place.
final class MapWriter {
    /// How many shapes came.
    private(set) var count = 0

    private struct Entry {
        /// Group of zooms, class of size, place on a Z-curve.
        var key: UInt64
        var offset: UInt64
    }

    private static let kindNumbers = Dictionary(
        uniqueKeysWithValues: MapKind.allCases.enumerated().map { ($1, UInt8($0)) })
    /// Bytes after which a block is full.
    private static let blockSize = 8192

    private var entries: [Entry] = []
    private let file: ScratchFile
    private var record: [UInt8] = []
    let kinds: PlaceKinds
    /// The lowest administrative level of the boundaries that a way is part of.
    var boundaryLevels: [Int64: UInt8] = [:]
    /// Shapes that are no objects, which number themselves.
    var grounds = 0
    /// What the map covers.
    var cover = MapCover()
    /// The first error of writing, thrown by `write(into:)`.
    private var failure: (any Error)?

    /// - Parameter path: where the temporary file may be made; it has no name any more when this returns.
    init(path: String, kinds: PlaceKinds) throws {
        file = try ScratchFile(path: path)
        self.kinds = kinds
    }

    /// Takes one shape.
    ///
    /// - Parameters:
    ///   - names: names by language, where they differ from `name`.
    ///   - zooms: where it shows.
    func add(_ shape: MapShape, names: [(language: String, name: String)] = [], zooms: ClosedRange<Int>) {
        guard failure == nil else { return }
        count += 1
        do {
            if case .point(let point) = shape.geometry {
                // Points look the same at every zoom: they are kept once, in the group of the zoom where they begin.
                let box = MercatorBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y)
                let begin = MapBand.index(of: zooms.lowerBound)
                let group = MapBand.all.count * MapBand.all.count + begin
                try append(shape, names, zooms, box, group: group, band: MapBand.all[begin])
                return
            }
            var geometry = shape.geometry
            var form: (geometry: MapShape.Geometry, bands: ClosedRange<Int>)?
            for number in MapBand.all.indices.reversed() {
                let band = MapBand.all[number]
                guard band.zooms.upperBound >= zooms.lowerBound, let simple = Self.simplified(geometry, band) else {
                    break
                }
                geometry = simple
                guard band.zooms.overlaps(zooms) else { continue }
                if let finer = form, Self.pointCount(finer.geometry) == Self.pointCount(simple) {
                    // Nothing was left out: the finer form serves this band as well.
                    form = (finer.geometry, number...finer.bands.upperBound)
                } else {
                    if let form { try append(shape, names, zooms, form.geometry, form.bands) }
                    form = (simple, number...number)
                }
            }
            if let form { try append(shape, names, zooms, form.geometry, form.bands) }
        } catch {
            failure = error
        }
    }

    /// Appends one form of a line or an area, which serves some bands.
    private func append(
        _ shape: MapShape, _ names: [(language: String, name: String)], _ zooms: ClosedRange<Int>,
        _ geometry: MapShape.Geometry, _ bands: ClosedRange<Int>
    ) throws {
        let (low, high) = (MapBand.all[bands.lowerBound], MapBand.all[bands.upperBound])
        let own = zooms.clamped(to: low.zooms.lowerBound...high.zooms.upperBound)
        let group = bands.lowerBound * MapBand.all.count + bands.upperBound
        guard let box = Self.box(geometry) else { return }
        for part in shape.kind == .land ? Self.parts(of: geometry, box, low) : [geometry] {
            guard let box = Self.box(part) else { continue }
            var shape = shape
            shape.geometry = part
            try append(shape, names, own, box, group: group, band: high)
        }
    }

    private static func pointCount(_ geometry: MapShape.Geometry) -> Int {
        switch geometry {
        case .point: 1
        case .line(let points): points.count
        case .area(let rings): rings.reduce(rings.count << 32) { $0 + $1.count }
        }
    }

    /// The form for a band; nil where nothing of it remains visible there.
    private static func simplified(_ geometry: MapShape.Geometry, _ band: MapBand) -> MapShape.Geometry? {
        switch geometry {
        case .point: return geometry
        case .line(let points):
            let simple = MercatorSimplification.line(points, tolerance: band.tolerance)
            return simple.count >= 2 ? .line(simple) : nil
        case .area(let rings):
            // Rings of less than a pixel at the finest zoom of the band are left out; in the last band only empty ones.
            let pixel = Double(MapBand.pixel(atZoom: band.zooms.upperBound))
            let least = band.zooms.upperBound == 19 ? 1 : 2 * pixel * pixel
            let simple = rings.compactMap { MercatorSimplification.ring($0, tolerance: band.tolerance) }
                .filter { abs(MercatorRing.doubleArea($0)) >= least }
            return simple.isEmpty ? nil : .area(simple)
        }
    }

    private static func box(_ geometry: MapShape.Geometry) -> MercatorBox? {
        switch geometry {
        case .point(let point): MercatorRing.box(CollectionOfOne(point))
        case .line(let points): MercatorRing.box(points)
        case .area(let rings): MercatorRing.box(rings.joined())
        }
    }

    /// Land in parts of some hundred points, so that a tile far inland does not read a continent's coast. The cuts are the
    /// same for every tile, and parts overlap by some pixels, lest the sea shine through between them.
    private static func parts(of geometry: MapShape.Geometry, _ box: MercatorBox, _ band: MapBand)
        -> [MapShape.Geometry]
    {
        let margin = 4 * MapBand.pixel(atZoom: band.zooms.lowerBound)
        var parts: [MapShape.Geometry] = []
        func split(_ rings: [[MercatorPoint]], _ box: MercatorBox) {
            let (width, height) = (Int64(box.maxX) - Int64(box.minX), Int64(box.maxY) - Int64(box.minY))
            guard rings.reduce(0, { $0 + $1.count }) > 400, max(width, height) > 16 * Int64(margin) else {
                if !rings.isEmpty { parts.append(.area(rings)) }
                return
            }
            var (low, high) = (box, box)
            if width > height {
                low.maxX = Int32((Int64(box.minX) + Int64(box.maxX)) / 2)
                high.minX = low.maxX
            } else {
                low.maxY = Int32((Int64(box.minY) + Int64(box.maxY)) / 2)
                high.minY = low.maxY
            }
            for half in [low, high] {
                let wide = MercatorBox(
                    minX: half.minX - margin, minY: half.minY - margin, maxX: half.maxX + margin,
                    maxY: half.maxY + margin)
                split(rings.map { MercatorRing.clipped($0, to: wide) }.filter { $0.count >= 3 }, half)
            }
        }
        guard case .area(let rings) = geometry else { return [geometry] }
        split(rings, box)
        return parts
    }

    // MARK: - Staging

    /// Appends one record: its length, its box, then what `MapBlock` describes without the box.
    private func append(
        _ shape: MapShape, _ names: [(language: String, name: String)], _ zooms: ClosedRange<Int>, _ box: MercatorBox,
        group: Int, band: MapBand
    ) throws {
        record.removeAll(keepingCapacity: true)
        for value in [0, box.minX, box.minY, box.maxX, box.maxY] { Self.append(int32: value, to: &record) }
        var form: UInt8
        switch shape.geometry {
        case .point: form = MapBlock.Form.point
        case .line: form = MapBlock.Form.line
        case .area: form = MapBlock.Form.area
        }
        if !shape.flags.isEmpty { form |= MapBlock.Form.flags }
        if shape.layer != 0 { form |= MapBlock.Form.layer }
        if shape.name != nil { form |= MapBlock.Form.name }
        if !names.isEmpty { form |= MapBlock.Form.names }
        if shape.ref != nil { form |= MapBlock.Form.ref }
        if shape.category != nil { form |= MapBlock.Form.category }
        record.append(form)
        record.append(Self.kindNumbers[shape.kind] ?? 0)
        let isCutAbove = zooms.upperBound < 19
        record.append(
            UInt8(zooms.lowerBound) | (isCutAbove ? MapBlock.hasHighestZoom : 0)
                | (shape.rank != 0 ? MapBlock.hasRank : 0))
        if isCutAbove { record.append(UInt8(zooms.upperBound)) }
        MapBlock.append(zigzag: shape.id, to: &record)
        if !shape.flags.isEmpty { MapBlock.append(varint: UInt64(shape.flags.rawValue), to: &record) }
        if shape.layer != 0 { MapBlock.append(zigzag: Int64(shape.layer), to: &record) }
        if shape.rank != 0 {
            Self.append(int32: Int32(bitPattern: Float(shape.rank).bitPattern), to: &record)
        }
        if let name = shape.name { MapBlock.append(text: name, to: &record) }
        if !names.isEmpty {
            MapBlock.append(varint: UInt64(names.count), to: &record)
            for (language, name) in names {
                MapBlock.append(text: language, to: &record)
                MapBlock.append(text: name, to: &record)
            }
        }
        if let ref = shape.ref { MapBlock.append(text: ref, to: &record) }
        if let category = shape.category { MapBlock.append(text: category, to: &record) }
        let corner = MercatorPoint(x: box.minX, y: box.minY)
        switch shape.geometry {
        case .point: break
        case .line(let points): MapBlock.append(points: points, from: corner, to: &record)
        case .area(let rings):
            MapBlock.append(varint: UInt64(rings.count), to: &record)
            for ring in rings { MapBlock.append(points: ring, from: corner, to: &record) }
        }
        let length = UInt32(record.count)
        for byte in 0..<4 { record[byte] = UInt8(truncatingIfNeeded: length >> UInt32(8 * byte)) }
        entries.append(Entry(key: Self.key(of: box, shape.kind, group: group, band: band), offset: UInt64(file.end)))
        try file.append(record)
    }

    private static func append(int32 value: Int32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func key(of box: MercatorBox, _ kind: MapKind, group: Int, band: MapBand) -> UInt64 {
        // Sea comes before all else, land is laid over it. Shapes much larger than a tile have blocks of their own, lest they
        // make the boxes of small ones large.
        let size = max(Int64(box.maxX) - Int64(box.minX), Int64(box.maxY) - Int64(box.minY))
        var sizeClass: UInt64 = kind == .sea || kind == .land ? 0 : 1
        var reach = (Int64(Mercator.world) >> Int64(band.zooms.upperBound)) * 2
        while sizeClass > 0, size > reach, sizeClass < 15 {
            sizeClass += 1
            reach *= 4
        }
        let x = (Int64(box.minX) + Int64(box.maxX)) / 2 + Int64(Mercator.world)
        let y = (Int64(box.minY) + Int64(box.maxY)) / 2 + Int64(Mercator.world)
        // 25 bits of each, of the 32 that hold three worlds side by side.
        let curve = spread(UInt32(clamping: x >> 7)) | spread(UInt32(clamping: y >> 7)) << 1
        return UInt64(kind == .sea ? 0 : group + 1) << 56 | sizeClass << 52 | curve & ((1 << 52) - 1)
    }

    private static func spread(_ value: UInt32) -> UInt64 {
        var x = UInt64(value)
        x = (x | x << 16) & 0x0000_ffff_0000_ffff
        x = (x | x << 8) & 0x00ff_00ff_00ff_00ff
        x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
        x = (x | x << 2) & 0x3333_3333_3333_3333
        return (x | x << 1) & 0x5555_5555_5555_5555
    }

    // MARK: - Blocks

    /// Writes everything into `map_block` and `map_box`. The writer is spent afterwards.
    func write(into database: Database) throws {
        if let failure { throw failure }
        let setting = try database.prepare("INSERT OR REPLACE INTO setting(name, value) VALUES(?1, ?2)")
        for (name, value) in [
            ("map.kinds", MapKind.allCases.map(\.rawValue).joined(separator: ",")), ("map.cover", cover.text),
        ] {
            setting.bind(1, name)
            setting.bind(2, value)
            try setting.run()
        }
        entries.sort { ($0.key, $0.offset) < ($1.key, $1.offset) }
        let insert = try database.prepare("INSERT INTO map_block(id, shapes) VALUES(?1, ?2)")
        let index = try database.prepare("INSERT INTO map_box VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        var number = 0
        try file.withBytes { bytes in
            var start = 0
            var size = 0
            for position in entries.indices {
                let entry = entries[position]
                let length = Int(bytes.loadUnaligned(fromByteOffset: Int(entry.offset), as: UInt32.self))
                let isNewClass = position > start && entries[start].key >> 52 != entry.key >> 52
                if position > start, isNewClass || size + length > Self.blockSize {
                    number += 1
                    try write(start..<position, number, bytes, insert, index)
                    start = position
                    size = 0
                }
                size += length
            }
            if start < entries.count {
                number += 1
                try write(start..<entries.count, number, bytes, insert, index)
            }
        }
    }

    private func write(
        _ range: Range<Int>, _ number: Int, _ bytes: UnsafeRawBufferPointer, _ insert: Statement, _ index: Statement
    ) throws {
        var union: MercatorBox?
        var zooms: ClosedRange<Int>?
        func box(_ offset: Int) -> MercatorBox {
            func value(_ place: Int) -> Int32 {
                Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4 * place, as: Int32.self))
            }
            return MercatorBox(minX: value(1), minY: value(2), maxX: value(3), maxY: value(4))
        }
        for entry in entries[range] {
            let own = box(Int(entry.offset))
            union =
                union.map {
                    MercatorBox(
                        minX: min($0.minX, own.minX), minY: min($0.minY, own.minY), maxX: max($0.maxX, own.maxX),
                        maxY: max($0.maxY, own.maxY))
                } ?? own
        }
        guard let union else { return }
        var blob: [UInt8] = []
        Self.append(int32: union.minX, to: &blob)
        Self.append(int32: union.minY, to: &blob)
        for entry in entries[range] {
            let offset = Int(entry.offset)
            let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            let own = box(offset)
            let head = offset + 20
            let low = bytes[head + 2]
            let hasHighest = low & MapBlock.hasHighestZoom != 0
            let highest = hasHighest ? Int(bytes[head + 3]) : 19
            let own19 = Int(low & 31)...max(highest, Int(low & 31))
            zooms = zooms.map { min($0.lowerBound, own19.lowerBound)...max($0.upperBound, own19.upperBound) } ?? own19
            record.removeAll(keepingCapacity: true)
            let rest = head + (hasHighest ? 4 : 3)
            record.append(contentsOf: bytes[head..<rest])
            MapBlock.append(zigzag: Int64(own.minX) - Int64(union.minX), to: &record)
            MapBlock.append(zigzag: Int64(own.minY) - Int64(union.minY), to: &record)
            if bytes[head] & 3 != MapBlock.Form.point {
                MapBlock.append(varint: UInt64(Int64(own.maxX) - Int64(own.minX)), to: &record)
                MapBlock.append(varint: UInt64(Int64(own.maxY) - Int64(own.minY)), to: &record)
            }
            record.append(contentsOf: bytes[rest..<(offset + length)])
            MapBlock.append(varint: UInt64(record.count), to: &blob)
            blob.append(contentsOf: record)
        }
        insert.bind(1, number)
        insert.bind(2, blob: blob)
        try insert.run()
        index.bind(1, number)
        for (place, value) in [union.minX, union.maxX, union.minY, union.maxY].enumerated() {
            index.bind(Int32(place + 2), Int(value))
        }
        index.bind(6, zooms?.lowerBound ?? 0)
        index.bind(7, zooms?.upperBound ?? 19)
        try index.run()
    }
}

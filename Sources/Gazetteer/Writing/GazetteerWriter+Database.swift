import CSpatiaLite
import Foundation
import Geometry
import OpenStreetMap

/// Writing the staged features into a SpatiaLite database.
extension GazetteerWriter {
    /// Writes everything. `tell` is given a phase and a share from 0 to 1.
    func write(alsoIn: [Int32: Set<Int32>], tell: (String, Double) throws -> Void) throws {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(path + suffix) }
        let database = try Database(path: path, readOnly: false)
        let spatial = SpatiaLiteConnection(database)
        defer { spatial.close() }
        // The file is a temporary one until the importer has synced and moved it: no journal needed.
        try database.execute(
            """
            PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;
            PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version);
            BEGIN;
            """)
        try spatial.call("SELECT InitSpatialMetaDataFull(0, 'WGS84')")
        try database.execute(Schema.tables)
        for (table, type) in Schema.geometryColumns {
            try database.execute("ALTER TABLE \(table) ADD COLUMN geometry \(type)")
        }
        let order = writingOrder()
        var identifiers = [Int64](repeating: 0, count: features.count)
        for (position, index) in order.enumerated() { identifiers[index] = Int64(position + 1) }
        try writeFeatures(database, order: order, identifiers: identifiers, tell: tell)
        try writeSources(database)
        try writeContexts(database, identifiers)
        try writeNumbers(database, order: order, identifiers: identifiers)
        try writeLines(database, identifiers)
        try writeAreas(database, identifiers)
        try writeBuildings(database)
        try writeAlsoIn(database, alsoIn, identifiers)
        try writeLinkedPlaces(database, identifiers)
        try writeEntrances(database)
        try writeKinds(database, identifiers)
        try map.write(into: database)
        try tell("indexes", 0.5)
        try database.execute(Schema.indexes)
        for (table, type) in Schema.geometryColumns {
            try spatial.call(
                "SELECT RecoverGeometryColumn('\(table)', 'geometry', \(SpatialBlob.srid), '\(type)', 'XY')")
            try spatial.call("SELECT CreateSpatialIndex('\(table)', 'geometry')")
        }
        try tell("search index", 0.6)
        var spelled: [Int64: [String]] = [:]
        for (street, names) in spellings {
            spelled[identifiers[Int(street)]] = names.compactMap { texts[$0] }.sorted()
        }
        try TextIndexBuilder.build(database: database, spelled: spelled)
        try tell("statistics", 0.95)
        try database.execute("ANALYZE; COMMIT;")
    }

    /// Places first, the coarsest before the finer; then all else along a Z-curve, so that neighbours on the ground are
    /// neighbours in the file.
    private func writingOrder() -> [Int] {
        func spread(_ value: UInt32) -> UInt64 {
            var x = UInt64(value)
            x = (x | x << 16) & 0x0000_ffff_0000_ffff
            x = (x | x << 8) & 0x00ff_00ff_00ff_00ff
            x = (x | x << 4) & 0x0f0f_0f0f_0f0f_0f0f
            x = (x | x << 2) & 0x3333_3333_3333_3333
            return (x | x << 1) & 0x5555_5555_5555_5555
        }
        var keyed: [(group: UInt8, curve: UInt64, index: Int)] = []
        for (index, feature) in features.enumerated() where !feature.isDropped {
            let x = UInt32((feature.location.longitude + 180) / 360 * 4_294_967_295)
            let y = UInt32((feature.location.latitude + 90) / 180 * 4_294_967_295)
            let group: UInt8 = isContainer(feature) ? feature.rank : feature.kind == .street ? 26 : 30
            keyed.append((group, spread(x) | spread(y) << 1, index))
        }
        keyed.sort { ($0.group, $0.curve, $0.index) < ($1.group, $1.curve, $1.index) }
        return keyed.map(\.index)
    }

    private func writeSources(_ database: Database) throws {
        let insert = try database.prepare("INSERT INTO source VALUES(?1, ?2, ?3, ?4)")
        // An atlas without OpenStreetMap does not name it.
        for (index, source) in sources.enumerated() where index > 0 || sources.count == 1 || report.written[0] != nil {
            insert.bind(1, index + 1)
            insert.bind(2, source.name)
            insert.bind(3, source.licence)
            insert.bind(4, source.attribution)
            try insert.run()
        }
    }

    private func writeLinkedPlaces(_ database: Database, _ identifiers: [Int64]) throws {
        let insert = try database.prepare("INSERT INTO linked_place VALUES(?1, ?2, ?3, ?4, ?5)")
        for (area, node) in linked.sorted(by: { $0.key < $1.key }) {
            guard identifiers[area] > 0, let osm = features[node].osm, osm.type == .node else { continue }
            insert.bind(1, identifiers[area])
            insert.bind(2, osm.number)
            insert.bind(3, tags(of: area)["linked_place"] ?? "place")
            insert.bind(4, features[node].location.longitude)
            insert.bind(5, features[node].location.latitude)
            try insert.run()
        }
    }

    private func writeEntrances(_ database: Database) throws {
        let insert = try database.prepare("INSERT OR IGNORE INTO entrance VALUES(?1, ?2, ?3, ?4, ?5)")
        for entrance in entrances {
            insert.bind(1, entrance.id)
            insert.bind(2, entrance.tags["entrance"] ?? "yes")
            insert.bind(3, entrance.location.longitude)
            insert.bind(4, entrance.location.latitude)
            insert.bind(5, TagsJSON.encode(Tags(entrance.tags.pairs.filter { $0.key != "entrance" })))
            try insert.run()
        }
    }

    private func writeFeatures(
        _ database: Database, order: [Int], identifiers: [Int64], tell: (String, Double) throws -> Void
    ) throws {
        let insert = try database.prepare(
            """
            INSERT INTO feature(id, source, osm_type, osm_id, kind, class, type, rank, search_rank, admin_level, name,
              housenumber, postcode, country, parent, context, importance, population, west, south, east, north, tags,
              geometry)
            VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24)
            """)
        for (position, index) in order.enumerated() {
            let feature = features[index]
            report.features[feature.kind, default: 0] += 1
            report.written[Int(feature.source), default: 0] += 1
            insert.bind(1, identifiers[index])
            insert.bind(2, Int(feature.source) + 1)
            insert.bind(3, feature.osm?.type.letter)
            insert.bind(4, feature.number == 0 && feature.osmType == 0 ? nil : feature.number)
            insert.bind(5, feature.kind.rawValue)
            insert.bind(6, texts[feature.key])
            insert.bind(7, texts[feature.value])
            insert.bind(8, Int(feature.rank))
            insert.bind(9, Int(feature.searchRank))
            insert.bind(10, feature.adminLevel == 0 ? nil : Int(feature.adminLevel))
            insert.bind(11, texts[feature.name])
            insert.bind(12, texts[feature.houseNumber])
            insert.bind(13, texts[feature.postcode])
            insert.bind(14, texts[feature.country])
            insert.bind(15, feature.parent < 0 ? nil : identifiers[Int(feature.parent)])
            insert.bind(16, feature.context < 0 ? nil : Int(feature.context) + 1)
            insert.bind(17, Double(feature.importance))
            insert.bind(18, feature.population == 0 ? nil : Int(feature.population))
            insert.bind(19, feature.box.west)
            insert.bind(20, feature.box.south)
            insert.bind(21, feature.box.east)
            insert.bind(22, feature.box.north)
            try tagFile.withBytes(in: feature.tags) { insert.bind(23, utf8: $0) }
            insert.bind(24, blob: SpatialBlob.point(feature.location))
            try insert.run()
            if position % 20_000 == 19_999 { try tell("writing", 0.4 * Double(position) / Double(order.count)) }
        }
    }

    private func writeContexts(_ database: Database, _ identifiers: [Int64]) throws {
        let insert = try database.prepare("INSERT INTO context VALUES(?1, ?2)")
        for (index, list) in contexts.enumerated() {
            insert.bind(1, index + 1)
            insert.bind(2, "[" + list.map { String(identifiers[Int($0)]) }.joined(separator: ",") + "]")
            try insert.run()
        }
    }

    private func writeNumbers(_ database: Database, order: [Int], identifiers: [Int64]) throws {
        // Houses street by street; those of a street are few.
        var houses = order.indices.filter {
            let feature = features[order[$0]]
            return feature.parent >= 0 && feature.houseNumber >= 0 && !feature.hasInheritedNumber
        }
        houses.sort {
            let (a, b) = (identifiers[Int(features[order[$0]].parent)], identifiers[Int(features[order[$1]].parent)])
            return (a, $0) < (b, $1)
        }
        let insert = try database.prepare("INSERT OR IGNORE INTO address_number VALUES(?1, ?2, ?3)")
        var known: [Int32: [String]] = [:]
        func keys(_ feature: StagedFeature, _ range: HouseNumber.RangeStep) -> [String] {
            guard range == .byHabit else { return HouseNumber.keys(texts[feature.houseNumber] ?? "", range: range) }
            if let keys = known[feature.houseNumber] { return keys }
            let made = HouseNumber.keys(texts[feature.houseNumber] ?? "")
            known[feature.houseNumber] = made
            return made
        }
        var start = 0
        while start < houses.count {
            let parent = features[order[houses[start]]].parent
            let end = houses[start...].firstIndex { features[order[$0]].parent != parent } ?? houses.count
            let street = houses[start..<end].map { (feature: features[order[$0]], id: Int64($0 + 1)) }
            let hasRanges = !isNumberedWithHyphens(street.map(\.feature))
            var rows: [(key: String, feature: Int64)] = []
            for house in street {
                let range = house.feature.range == .byHabit && !hasRanges ? .none : house.feature.range
                for key in keys(house.feature, range) { rows.append((key, house.id)) }
            }
            rows.sort { ($0.key, $0.feature) < ($1.key, $1.feature) }
            for row in rows {
                insert.bind(1, identifiers[Int(parent)])
                insert.bind(2, row.key)
                insert.bind(3, row.feature)
                try insert.run()
            }
            start = end
        }
    }

    /// Whether hyphens in the numbers of a street part block and house, as in Queens, rather than the ends of a range: most
    /// of those with a hyphen fall after it.
    private func isNumberedWithHyphens(_ street: [StagedFeature]) -> Bool {
        var counts = (falling: 0, rising: 0)
        for house in street {
            let halves = (texts[house.houseNumber] ?? "").split(separator: "-")
            guard halves.count == 2, let first = Int(halves[0]), let last = Int(halves[1]) else { continue }
            if last < first || halves[1].hasPrefix("0") { counts.falling += 1 } else { counts.rising += 1 }
        }
        return counts.falling >= 3 && counts.falling > counts.rising
    }

    private func writeLines(_ database: Database, _ identifiers: [Int64]) throws {
        let insert = try database.prepare("INSERT INTO street_way(feature, osm_id, geometry) VALUES(?1, ?2, ?3)")
        let sorted = lines.indices.filter {
            let feature = features[Int(lines[$0].feature)]
            return feature.kind == .street && !feature.isDropped
        }.sorted {
            (identifiers[Int(lines[$0].feature)], lines[$0].way) < (identifiers[Int(lines[$1].feature)], lines[$1].way)
        }
        for index in sorted {
            let line = lines[index]
            insert.bind(1, identifiers[Int(line.feature)])
            insert.bind(2, line.way == 0 ? nil : line.way)
            insert.bind(3, blob: SpatialBlob.line(Array(linePoints[line.points])))
            try insert.run()
        }
        let stretch = try database.prepare(
            "INSERT INTO interpolation(feature, parent, first, last, step, geometry) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        for interpolation in interpolations {
            let feature = features[Int(interpolation.feature)]
            guard feature.parent >= 0 else {
                report.skip("interpolation without a street")
                continue
            }
            stretch.bind(1, identifiers[Int(interpolation.feature)])
            stretch.bind(2, identifiers[Int(feature.parent)])
            stretch.bind(3, interpolation.first)
            stretch.bind(4, interpolation.last)
            stretch.bind(5, interpolation.step)
            stretch.bind(6, blob: SpatialBlob.line(interpolation.line))
            try stretch.run()
        }
    }

    private func writeAreas(_ database: Database, _ identifiers: [Int64]) throws {
        let insert = try database.prepare(
            "INSERT INTO area(feature, name, class, type, admin_level, geometry) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
        let sorted = outlines.indices.filter { !features[Int(outlines[$0].feature)].isDropped }
            .sorted { identifiers[Int(outlines[$0].feature)] < identifiers[Int(outlines[$1].feature)] }
        for index in sorted {
            let outline = outlines[index]
            let feature = features[Int(outline.feature)]
            insert.bind(1, identifiers[Int(outline.feature)])
            insert.bind(2, texts[feature.name])
            insert.bind(3, texts[feature.key])
            insert.bind(4, texts[feature.value])
            insert.bind(5, feature.adminLevel == 0 ? nil : Int(feature.adminLevel))
            try outlineFile.withBytes(in: outline.blob) { insert.bind(6, blobBytes: $0) }
            try insert.run()
        }
        let part = try database.prepare("INSERT INTO area_part(feature, rank, geometry) VALUES(?1, ?2, ?3)")
        for (feature, pieces) in areaParts where !features[feature].isDropped {
            for rings in pieces {
                part.bind(1, identifiers[feature])
                part.bind(2, Int(features[feature].rank))
                part.bind(3, blob: SpatialBlob.polygon(rings))
                try part.run()
            }
        }
    }

    private func writeAlsoIn(_ database: Database, _ named: [Int32: Set<Int32>], _ identifiers: [Int64]) throws {
        let insert = try database.prepare("INSERT OR IGNORE INTO also_in VALUES(?1, ?2)")
        for (feature, names) in named.sorted(by: { identifiers[Int($0.key)] < identifiers[Int($1.key)] }) {
            for name in names.compactMap({ texts[$0] }).sorted() {
                insert.bind(1, identifiers[Int(feature)])
                insert.bind(2, name)
                try insert.run()
            }
        }
    }
}

/// SpatiaLite's functions loaded into one connection. Only writing needs them.
private final class SpatiaLiteConnection {
    private let database: Database
    private var state: UnsafeMutableRawPointer?

    init(_ database: Database) {
        self.database = database
        state = spatialite_alloc_connection()
        spatialite_init_ex(database.handle, state, 0)
    }

    /// Runs a SELECT of a function that answers 1 when it worked.
    func call(_ sql: String) throws {
        let statement = try database.prepare(sql)
        guard try statement.step(), statement.int(0) == 1 else {
            let failure = database.failure(sql)
            // A full disk shows as such; SpatiaLite itself only says 0.
            throw (2...99).contains(failure.code & 0xff)
                ? failure : DatabaseError(code: 1, message: "SpatiaLite refused", subject: sql)
        }
    }

    func close() {
        if let state { spatialite_cleanup_ex(state) }
        state = nil
    }
}

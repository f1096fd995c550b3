import CSQLite
import Geometry
import Locking

/// The map of one gazetteer. Safe from many tasks at once; each reading takes a connection of the gazetteer's pool.
public struct GazetteerMap: MapSource {
    public let gazetteer: Gazetteer
    public let attributions: [String]
    /// What the map covers; empty for the World, which has land and sea everywhere.
    public let cover: MapCover
    /// Kinds by the numbers that the blocks have for them; those that this program does not know are left out.
    private let kinds: [MapKind]

    /// - Throws: `DatabaseError` where the gazetteer has no map.
    public init(_ gazetteer: Gazetteer) throws {
        self.gazetteer = gazetteer
        (kinds, attributions, cover) = try gazetteer.withDatabase { database in
            guard let names = try GazetteerText.setting("map.kinds", database) else {
                throw DatabaseError(
                    code: SQLITE_CORRUPT, message: "the map's kinds are missing", subject: gazetteer.path)
            }
            let kinds = try names.split(separator: ",").map { name in
                guard let kind = MapKind(rawValue: String(name)) else {
                    throw DatabaseError(
                        code: SQLITE_CORRUPT, message: "the map has a kind \(name)", subject: gazetteer.path)
                }
                return kind
            }
            var attributions: [String] = []
            let rows = try database.prepare("SELECT attribution FROM source ORDER BY id")
            while try rows.step() {
                if let text = rows.text(0), !text.isEmpty, !attributions.contains(text) { attributions.append(text) }
            }
            guard let cover = MapCover(text: try GazetteerText.setting("map.cover", database) ?? "") else {
                throw DatabaseError(
                    code: SQLITE_CORRUPT, message: "the map's cover is damaged", subject: gazetteer.path)
            }
            return (kinds, attributions, cover)
        }
    }

    public func forEachMapShape(
        in box: MercatorBox, zoom: Int, languages: [String], _ body: (MapShape) throws -> Void
    ) throws {
        let zoom = min(max(zoom, 0), 19)
        try gazetteer.withDatabase { database in
            // What lies beyond an edge of the world stands at the other edge.
            for shift in [0, -Mercator.world, Mercator.world] {
                let shifted = MercatorBox(
                    minX: Int32(clamping: Int(box.minX) - Int(shift)), minY: box.minY,
                    maxX: Int32(clamping: Int(box.maxX) - Int(shift)), maxY: box.maxY)
                for block in try Self.blocks(database, shifted, zoom) {
                    let read = try database.statement("SELECT shapes FROM map_block WHERE id = ?1")
                    read.bind(1, block)
                    defer { read.reset() }
                    guard try read.step() else { throw damage("block \(block) is missing") }
                    do {
                        try read.withBlob(0) { blob in
                            try MapBlock.forEachShape(
                                of: blob, kinds: kinds, in: box, zoom: zoom, shift: shift, languages: languages, body)
                        }
                    } catch is MapBlock.Damage {
                        throw damage("block \(block) is damaged")
                    }
                }
            }
        }
    }

    private func damage(_ reason: String) -> DatabaseError {
        DatabaseError(code: SQLITE_CORRUPT, message: "the map's \(reason)", subject: gazetteer.path)
    }

    /// Blocks that may hold something, in rising order, so that the order of the shapes is always the same.
    private static func blocks(_ database: Database, _ box: MercatorBox, _ zoom: Int) throws -> [Int64] {
        let find = try database.statement(
            """
            SELECT id FROM map_box WHERE min_x <= ?1 AND max_x >= ?2 AND min_y <= ?3 AND max_y >= ?4
              AND min_zoom <= ?5 AND max_zoom >= ?5
            """)
        find.bind(1, Int(box.maxX))
        find.bind(2, Int(box.minX))
        find.bind(3, Int(box.maxY))
        find.bind(4, Int(box.minY))
        find.bind(5, zoom)
        defer { find.reset() }
        var blocks: [Int64] = []
        while try find.step() { blocks.append(find.int64(0)) }
        return blocks.sorted()
    }
}

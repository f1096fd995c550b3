import Geometry
import OpenStreetMap

/// Outlines of buildings that nobody searches: a number, a kind and a place each, for look-ups by number.
extension GazetteerWriter {
    /// Appends 20 bytes to the scratch file: number of the way, ten-millionths of a degree, number of the text.
    func keepBuilding(_ way: OSMWay, _ places: [Coordinate]) {
        guard let kind = way.tags["building"], kind != "no", kind.utf8.count <= 64, let first = places.first else {
            return
        }
        var box = BoundingBox(first)
        for place in places { box.extend(by: place) }
        guard box.east - box.west < 1 else { return }
        let words: [UInt32] = [
            UInt32(truncatingIfNeeded: way.id), UInt32(truncatingIfNeeded: way.id >> 32),
            UInt32(bitPattern: Int32((box.center.longitude * 1e7).rounded())),
            UInt32(bitPattern: Int32((box.center.latitude * 1e7).rounded())),
            UInt32(bitPattern: texts.number(of: kind)),
        ]
        do {
            try buildingFile.append(
                words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
        } catch {
            scratchFailure = scratchFailure ?? error
        }
    }

    func writeBuildings(_ database: Database) throws {
        let insert = try database.prepare("INSERT OR IGNORE INTO building VALUES(?1, ?2, ?3, ?4)")
        try buildingFile.withBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: 20) {
                func word(_ index: Int) -> UInt32 {
                    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4 * index, as: UInt32.self))
                }
                insert.bind(1, Int64(bitPattern: UInt64(word(0)) | UInt64(word(1)) << 32))
                insert.bind(2, texts[Int32(bitPattern: word(4))] ?? "yes")
                insert.bind(3, Double(Int32(bitPattern: word(2))) / 1e7)
                insert.bind(4, Double(Int32(bitPattern: word(3))) / 1e7)
                try insert.run()
            }
        }
    }
}

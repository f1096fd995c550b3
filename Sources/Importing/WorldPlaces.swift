import Foundation
import GazetteerData
import Geometry

/// A populated place of GeoNames, from the product's own table or from a dump table.
struct GeoNamesPlace: Sendable, Equatable {
    /// GeoNames' number.
    var id: Int64
    var name: String
    /// Names in other languages and scripts, in no order; GeoNames does not say of which language.
    var otherNames: [String] = []
    var location: Coordinate
    /// GeoNames' feature class and code: `P` and `PPLC` for a capital. `P`, `PPL` where the table does not say.
    var featureClass = "P"
    var featureCode = "PPL"
    /// ISO 3166-1 alpha-2 in capital letters; empty where unknown.
    var country = ""
    /// The first-order region: its name.
    var region = ""
    /// The code of the first-order region in GeoNames, `01`.
    var regionCode = ""
    /// 0 where unknown.
    var population = 0
    /// Metres above the sea.
    var elevation: Int?
    /// A zone of the IANA database; empty where unknown.
    var timeZone = ""
}

/// The places of the World atlas, `gazetteer/world/places.tsv.gz`.
///
/// One place a line, columns between tabs: GeoNames id, name, latitude and longitude in ten-thousandths of a degree,
/// population, country, region, time zone, other names between semicolons, and `*` in a tenth column for a capital. Country, region and time zone are empty where
/// they are those of the line before; `-` says that there is none.
enum WorldPlaces {
    /// Calls `body` with each place in the order of the file, which is by country, region and time zone.
    static func forEach(path: String, _ body: (GeoNamesPlace) throws -> Void) throws {
        var before = ("", "", "")
        var number = 0
        try GzipReader.forEachLine(of: path) { line in
            number += 1
            guard let first = line.first, first != 0x23 else { return }
            let fields = line.split(separator: 0x09, omittingEmptySubsequences: false)
            guard (9...10).contains(fields.count), let id = whole(fields[0]), let latitude = whole(fields[2]),
                let longitude = whole(fields[3]), let population = whole(fields[4])
            else { throw TableError(file: path, reason: "line \(number) is damaged") }
            func column(_ index: Int, _ known: String) -> String {
                if fields[index].isEmpty { return known }
                return fields[index].elementsEqual([0x2D]) ? "" : text(fields[index])
            }
            before = (column(5, before.0), column(6, before.1), column(7, before.2))
            let location = Coordinate(latitude: Double(latitude) / 10_000, longitude: Double(longitude) / 10_000)
            guard location.isValid else { throw TableError(file: path, reason: "line \(number) lies off the globe") }
            try body(
                GeoNamesPlace(
                    id: Int64(id), name: text(fields[1]),
                    otherNames: fields[8].split(separator: 0x3B).map(text), location: location,
                    featureCode: fields.count == 10 ? "PPLC" : "PPL", country: before.0,
                    region: before.1, population: population, timeZone: before.2))
        }
    }

    private typealias Field = Slice<UnsafeBufferPointer<UInt8>>

    private static func text(_ field: Field) -> String { String(decoding: field, as: UTF8.self) }

    private static func whole(_ field: Field) -> Int? {
        var scanner = IntegerScanner(UnsafeBufferPointer(rebasing: field), from: 0)
        guard let value = scanner.next(), scanner.isAtEnd else { return nil }
        return Int(value)
    }
}

import Foundation
import Gazetteer
import Geometry
import OpenStreetMap
import Sextant

/// How many addresses of an extract are found again: `geocode "STREET NUMBER, CITY"` must give the same street and number
/// first, within 50 m; `reverse` at the address's point must give them too.
///
/// The table has a line an address: OSM id such as `W12`, street, number, city (may be empty), latitude, longitude. Where
/// the city is empty, the place that contains the address stands for it. Only addresses whose street, number and city are
/// unique are asked.
enum HitsBench {
    private struct Address {
        var id: String
        var street: String
        var number: String
        var city: String
        var location: Coordinate
    }

    static func run(_ path: String, addresses table: String, seed: UInt64, count: Int, misses: String?) throws {
        let atlas = try Atlas.open([path])
        let normalizer = try TextNormalizer.shared
        var all: [Address] = []
        for line in try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 6, let latitude = Double(fields[4]), let longitude = Double(fields[5]) else {
                continue
            }
            let location = Coordinate(latitude: latitude, longitude: longitude)
            var city = fields[3]
            if city.isEmpty, let id = OSMID(fields[0]), let place = try atlas.lookup(id) {
                city = place.address.city ?? ""
            }
            all.append(Address(id: fields[0], street: fields[1], number: fields[2], city: city, location: location))
        }
        func key(_ address: Address) -> String {
            [
                normalizer.key(address.street), HouseNumber.keys(address.number).first ?? "",
                normalizer.key(address.city),
            ]
            .joined(separator: "|")
        }
        // Where neither the tags nor the map know the city, street and number alone must be unique.
        func bareKey(_ address: Address) -> String {
            var bare = address
            bare.city = ""
            return key(bare)
        }
        var bearers: [String: Int] = [:]
        for address in all {
            bearers[key(address), default: 0] += 1
            if !address.city.isEmpty { bearers[bareKey(address), default: 0] += 1 }
        }
        var random = SeededGenerator(seed: seed)
        let asked = all.filter { bearers[key($0)] == 1 }.shuffled(using: &random).prefix(count)
        var forward = 0
        var reverse = 0
        var lines: [String] = []
        func isSame(_ place: FoundPlace?, _ address: Address) -> Bool {
            guard let place, let number = place.address.houseNumber,
                !Set(HouseNumber.keys(number)).isDisjoint(with: HouseNumber.keys(address.number))
            else { return false }
            let streets = [place.address.street, place.feature.tags["addr:street"], place.feature.tags["addr:place"]]
            return streets.contains { $0.map(normalizer.key) == normalizer.key(address.street) }
        }
        for address in asked {
            let text = "\(address.street) \(address.number)" + (address.city.isEmpty ? "" : ", \(address.city)")
            let first = try atlas.geocode(GeocodeQuery(text)).places.first
            // The object itself is a hit wherever its point lies: a large outline has many middles.
            if let first, isSame(first, address),
                first.feature.osm?.description == address.id || first.coordinate.distance(to: address.location) <= 50
            {
                forward += 1
            } else {
                lines.append("forward\t\(address.id)\t\(text)\t\(first?.title ?? "nothing")")
            }
            let here = try atlas.reverse(address.location)
            if isSame(here, address) {
                reverse += 1
            } else {
                lines.append("reverse\t\(address.id)\t\(text)\t\(here?.title ?? "nothing")")
            }
        }
        if let misses { try lines.joined(separator: "\n").write(toFile: misses, atomically: true, encoding: .utf8) }
        let total = Double(max(asked.count, 1))
        try SextantBench.print([
            "addresses": all.count, "asked": asked.count, "seed": seed, "forward": Double(forward) / total,
            "reverse": Double(reverse) / total,
        ])
    }
}

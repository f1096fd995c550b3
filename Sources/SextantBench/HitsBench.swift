import Foundation
import Gazetteer
import Sextant

/// How many addresses of an extract are found again: `geocode "STREET NUMBER, CITY"` must give the same street and number
/// first, within 50 m; `reverse` at the address's point must give them too. Only unique addresses are asked.
enum HitsBench {
    static func run(_ path: String, addresses: String, seed: UInt64, count: Int, misses: String?) throws {
        let atlas = try Atlas.open([path])
        let table = try AddressTable(addresses, atlas: atlas)
        var random = SeededGenerator(seed: seed)
        let asked = table.all.filter(table.isUnique).shuffled(using: &random).prefix(count)
        var forward = 0
        var reverse = 0
        var lines: [String] = []
        for address in asked {
            let text = "\(address.street) \(address.number)" + (address.city.isEmpty ? "" : ", \(address.city)")
            let first = try atlas.geocode(GeocodeQuery(text)).places.first
            if table.isHit(first, address) {
                forward += 1
            } else {
                lines.append("forward\t\(address.id)\t\(text)\t\(first?.title ?? "nothing")")
            }
            let here = try atlas.reverse(address.location)
            if table.isSame(here, address) {
                reverse += 1
            } else {
                lines.append("reverse\t\(address.id)\t\(text)\t\(here?.title ?? "nothing")")
            }
        }
        if let misses { try lines.joined(separator: "\n").write(toFile: misses, atomically: true, encoding: .utf8) }
        let total = Double(max(asked.count, 1))
        try SextantBench.print([
            "addresses": table.all.count, "asked": asked.count, "seed": seed, "forward": Double(forward) / total,
            "reverse": Double(reverse) / total,
        ])
    }
}

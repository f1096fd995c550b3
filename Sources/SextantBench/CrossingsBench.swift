import Foundation
import Gazetteer
import Geometry
import Sextant

/// How many crossings of two streets are found within 10 m of a node that both share.
///
/// A line a crossing: the names of the streets, then the nodes they share as `LATITUDE,LONGITUDE` parted by spaces. The
/// city is asked with it where the atlas knows one at the node; else the question has a position near by.
enum CrossingsBench {
    static func run(_ path: String, crossings: String, seed: UInt64, count: Int, misses: String?) throws {
        let atlas = try Atlas.open([path])
        var random = SeededGenerator(seed: seed)
        let lines = try String(contentsOfFile: crossings, encoding: .utf8).split(separator: "\n").shuffled(
            using: &random)
        let joints = [" & ", " and ", " / "]
        var hits = 0
        var missed: [String] = []
        let asked = lines.prefix(count)
        for (index, line) in asked.enumerated() {
            let fields = line.split(separator: "\t")
            guard fields.count == 3 else { continue }
            let points = fields[2].split(separator: " ").compactMap { pair -> Coordinate? in
                let numbers = pair.split(separator: ",").compactMap { Double($0) }
                return numbers.count == 2 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
            }
            guard let point = points.first else { continue }
            var query = GeocodeQuery(fields[0] + joints[index % joints.count] + fields[1])
            // Of the street: what a house beside it writes may be a city of its own.
            let street = try atlas.reverse(point, options: ReverseOptions(finestRank: 27))
            if index % 2 == 0, let city = street?.address.city {
                query.text += ", " + city
            } else {
                query.near = point
            }
            let first = try atlas.geocode(query).places.first
            if let first, points.contains(where: { $0.distance(to: first.coordinate) <= 10 }) {
                hits += 1
            } else {
                missed.append(
                    "\(query.text)\t\(fields[2])\t\(first?.title ?? "nothing")\t\(first?.coordinate.description ?? "")")
            }
        }
        if let misses { try missed.joined(separator: "\n").write(toFile: misses, atomically: true, encoding: .utf8) }
        try SextantBench.print([
            "crossings": lines.count, "asked": asked.count, "seed": seed,
            "hits": Double(hits) / Double(max(asked.count, 1)),
        ])
    }
}

import Foundation
import Gazetteer
import Geometry
import Routing
import Sextant

/// Times questions made from what the atlas holds, one thread, after a warming round.
enum LatencyBench {
    static func run(_ path: String, world: String? = nil, seed: UInt64, count: Int) throws {
        let open = ContinuousClock.now
        let atlas = try Atlas.open([path], world: world)
        let opened = (ContinuousClock.now - open).components
        guard let part = atlas.parts.first else { return }
        var random = SeededGenerator(seed: seed)
        let samples = try Sample.all(of: part.gazetteer)
        guard !samples.isEmpty else { throw AtlasHasNothing(path: path) }
        let addresses = samples.filter { $0.text != nil }
        let asked = (0..<count).compactMap { _ in
            (addresses.isEmpty ? samples : addresses).randomElement(using: &random)
        }
        let points = (0..<count).compactMap { _ in
            samples.randomElement(using: &random).map { sample in
                Coordinate(
                    latitude: sample.location.latitude + Double.random(in: -0.002...0.002, using: &random),
                    longitude: sample.location.longitude + Double.random(in: -0.002...0.002, using: &random))
            }
        }
        let words = [
            "restaurants", "cafe", "pharmacy", "supermarket", "parking", "hotel", "school", "bank", "bakery", "fuel",
        ]

        var geocode = Timings()
        var reverse = Timings()
        var search = Timings()
        var found = 0
        for round in 0..<2 {
            let warm = round == 1
            var rounds = (Timings(), Timings(), Timings())
            for sample in asked {
                let query = GeocodeQuery(sample.text ?? sample.name)
                if try rounds.0.time({ try atlas.geocode(query) }).places.isEmpty == false, warm { found += 1 }
            }
            for point in points { _ = try rounds.1.time { try atlas.reverse(point) } }
            for (index, point) in points.enumerated() {
                let box = BoundingBox(
                    west: point.longitude - 0.005, south: point.latitude - 0.005, east: point.longitude + 0.005,
                    north: point.latitude + 0.005)
                let query = SearchQuery(words[index % words.count], in: .box(box), order: .nearest(point))
                _ = try rounds.2.time { try atlas.search(query) }
            }
            if warm { (geocode, reverse, search) = rounds }
        }
        var figures: [String: Any] = [
            "open_ms": Double(opened.seconds) * 1e3 + Double(opened.attoseconds) / 1e15, "seed": seed,
            "geocode": geocode.figures, "geocode_found": found, "reverse": reverse.figures, "search": search.figures,
        ]
        if part.router != nil {
            var route = Timings()
            var failed = 0
            var settled = 0
            for index in 0..<min(count, points.count - 1) {
                let request = RouteRequest(stops: [Stop(points[index]), Stop(points[index + 1])])
                do {
                    let way = try route.time { () -> Route in
                        let way = try atlas.route(request)
                        _ = way.geometry.count + way.legs.reduce(0) { $0 + $1.steps.count }
                        return way
                    }
                    settled += way.legs.count
                } catch {
                    failed += 1
                }
            }
            figures["route"] = route.figures
            figures["routes_without_way"] = failed
        }
        figures["complete"] = try CompletionBench.figures(atlas, seed: seed, count: max(count / 10, 1))
        figures["peak_memory_mb"] = peakMemory() ?? -1
        try SextantBench.print(figures)
    }
}

struct AtlasHasNothing: Error, CustomStringConvertible {
    var path: String
    var description: String { "\(path) holds nothing to ask for" }
}

/// Something in the atlas that questions are made from.
struct Sample {
    var name: String
    /// "STREET NUMBER, CITY" for an address.
    var text: String?
    var location: Coordinate

    static func all(of gazetteer: Gazetteer) throws -> [Sample] {
        let ids = try gazetteer.withDatabase { database in
            var ids: [Int64] = []
            let rows = try database.prepare(
                "SELECT id FROM feature WHERE housenumber IS NOT NULL OR (name IS NOT NULL AND kind NOT IN (16, 18)) ORDER BY id"
            )
            while try rows.step() { ids.append(rows.int64(0)) }
            return ids
        }
        let step = max(1, ids.count / 20_000)
        return try stride(from: 0, to: ids.count, by: step).compactMap { index in
            guard let feature = try gazetteer.feature(id: ids[index]) else { return nil }
            let address = try gazetteer.address(of: feature)
            var text: String?
            if let street = address.street, let number = address.houseNumber {
                text = [street + " " + number, address.city].compactMap { $0 }.joined(separator: ", ")
            }
            guard let name = feature.name ?? text else { return nil }
            return Sample(name: name, text: text, location: feature.location)
        }
    }
}

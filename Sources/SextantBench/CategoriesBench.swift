import Foundation
import Gazetteer
import Geometry
import Sextant

/// Times kinds of places in boxes, and streams of thousands of them, in processor time, one thread, after a warming round.
enum CategoriesBench {
    static func run(_ path: String, seed: UInt64, count: Int) throws {
        let atlas = try Atlas.open([path], world: nil)
        guard let part = atlas.parts.first else { return }
        var random = SeededGenerator(seed: seed)
        let samples = try Sample.all(of: part.gazetteer)
        guard !samples.isEmpty else { throw AtlasHasNothing(path: path) }
        let kinds = PlaceKinds.shared.all
        let common = ["restaurants", "cafe", "Apotheke", "parking", "benches", "кафе", "boulangerie", "hotel", "bank"]
        var boxes: [(String, BoundingBox, String)] = []
        for _ in 0..<count {
            guard let sample = samples.randomElement(using: &random), let kind = kinds.randomElement(using: &random)
            else { continue }
            let size = Double.random(in: 0.002...0.05, using: &random)
            boxes.append(
                (
                    common.randomElement(using: &random) ?? "",
                    BoundingBox(center: sample.location, height: size, width: size),
                    kind.name
                ))
        }
        var byWords = Timings()
        var byKind = Timings()
        var found = 0
        for round in 0..<2 {
            var timings = (Timings(), Timings())
            for (word, box, kind) in boxes {
                let order = SearchQuery.Order.nearest(box.center)
                let places = try timings.0.timeOnProcessor {
                    try atlas.search(SearchQuery(word, in: .box(box), order: order))
                }
                if round == 1 { found += places.count }
                var query = SearchQuery(in: .box(box), order: order)
                query.kinds = [kind]
                _ = try timings.1.timeOnProcessor { try atlas.search(query) }
            }
            (byWords, byKind) = timings
        }
        // Thousands at once: of all kinds there are, since no kind alone has so many in a small atlas.
        var all = SearchQuery(in: .everywhere, limit: 5000)
        all.kinds = kinds.map(\.name)
        var stream = Timings()
        var plain = Timings()
        var streamed = 0
        for round in 0..<12 {
            var places = Timings()
            var features = Timings()
            try places.timeOnProcessor {
                streamed = try atlas.search(all) { _ in true }
            }
            try features.timeOnProcessor { _ = try part.gazetteer.search(all) { _ in true } }
            if round >= 2 {
                stream.add(places.milliseconds[0])
                plain.add(features.milliseconds[0])
            }
        }
        try SextantBench.print([
            "seed": seed, "words_in_box": byWords.figures, "kind_in_box": byKind.figures, "found": found,
            "streamed": streamed, "stream": stream.figures, "stream_without_addresses": plain.figures,
        ])
    }
}

import Gazetteer
import Geometry

extension NominatimDialect {
    /// What is at a point, for the map's zoom; nil where nothing is near.
    func reverseResult(_ point: Coordinate, options: AnswerOptions, zoom: Int, layers: ReverseOptions.Layers? = nil)
        throws
        -> NominatimResult?
    {
        var asked = ReverseOptions(
            languages: options.languages, finestRank: max(4, ReverseOptions.finestRank(zoom: zoom)))
        if let layers { asked.layers = layers }
        var coarse: NominatimResult?
        for (index, gazetteer) in gazetteers.enumerated() {
            guard let match = try gazetteer.reverse(point, options: asked) else { continue }
            var result = try NominatimResult(
                match.feature, gazetteer, index, options, location: match.location,
                houseNumber: match.interpolatedNumber)
            result.take(match.address)
            // The outline of a country in a fine atlas says less than a town of a coarser one.
            if match.feature.rank >= 16 || match.feature.rank == 0 { return result }
            if coarse == nil { coarse = result }
        }
        return coarse
    }
}

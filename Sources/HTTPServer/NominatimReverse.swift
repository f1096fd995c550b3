import Gazetteer
import Geometry

extension NominatimDialect {
    /// What is at a point, for the map's zoom; nil where nothing is near.
    func reverseResult(_ point: Coordinate, options: AnswerOptions, zoom: Int) throws -> NominatimResult? {
        nil
    }
}

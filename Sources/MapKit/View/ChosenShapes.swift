internal import Sextant

/// The map of an atlas without its buildings, or without some kinds of places.
struct ChosenShapes: MapSource {
    var whole: any MapSource
    var showsBuildings: Bool
    var places: MKPointOfInterestFilter

    var attributions: [String] { whole.attributions }

    func forEachMapShape(
        in box: MercatorBox, zoom: Int, languages: [String], _ body: (MapShape) throws -> Void
    ) throws {
        try whole.forEachMapShape(in: box, zoom: zoom, languages: languages) { shape in
            switch shape.kind {
            case .building where !showsBuildings: return
            case .pointOfInterest:
                let category = shape.category.flatMap { MKPointOfInterestCategory(lexicon: $0) }
                guard places.shows(category) else { return }
            case .station, .stop: guard places.shows(.publicTransport) else { return }
            default: break
            }
            try body(shape)
        }
    }
}

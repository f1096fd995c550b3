/// What can go wrong when a map is drawn.
public enum CartographyError: Error, Equatable, CustomStringConvertible {
    /// The style file cannot be read as one; `place` names the entry.
    case badStyle(file: String, place: String, reason: String)
    /// A frame that cannot be drawn: no size, too large, or no place on the globe.
    case badFrame(String)
    /// A tile that does not exist.
    case noSuchTile(zoom: Int, x: Int, y: Int)
    /// The drawing library refused, as where memory has run out.
    case drawingFailed(String)

    public var description: String {
        switch self {
        case .badStyle(let file, let place, let reason):
            "\(file): " + (place.isEmpty ? "" : "\(place): ") + reason
        case .badFrame(let reason): reason
        case .noSuchTile(let zoom, let x, let y): "there is no tile \(zoom)/\(x)/\(y)"
        case .drawingFailed(let reason): "the map cannot be drawn: \(reason)"
        }
    }
}

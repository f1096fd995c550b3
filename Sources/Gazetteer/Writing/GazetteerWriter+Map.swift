import Geometry
import OpenStreetMap

/// What the importer adds to the map besides the objects of its files.
extension GazetteerWriter {
    /// Ground of a map; see `MapSource`.
    public enum Ground: Sendable {
        case land, sea
    }

    /// Says that the map covers a box: coarser maps are drawn outside only.
    public func addCover(_ box: MercatorBox) { map.cover.add(box) }

    /// Adds land or sea: an outer ring with those inside it, which do not repeat their first points. Paint of one is laid
    /// over what came before.
    public func addGround(_ ground: Ground, rings: [[MercatorPoint]]) {
        map.add(ground: ground == .land ? .land : .sea, rings: rings)
    }

    /// Draws an area of an object whose lines were mended: rings by the even-odd rule that do not repeat their first point.
    public func addArea(_ id: OSMID, rings: [[MercatorPoint]], tags: Tags) { map.add(id, rings: rings, tags) }

    /// Adds the borders of a map that has no ways.
    public func addBorder(_ kind: MapKind, _ line: [MercatorPoint]) { map.add(border: kind, line) }
}

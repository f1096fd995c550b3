import Gazetteer
import Geometry

extension Atlas {
    /// The part of `box` that the map of the first atlas which covers `point` covers around it without a gap, to the
    /// width of some kilometres; nil where the World alone has a map there, and for boxes over the date line.
    public func mapCoverage(around point: Coordinate, in box: BoundingBox) -> BoundingBox? {
        guard point.isValid, box.west <= box.east else { return nil }
        let low = MercatorPoint(Coordinate(latitude: box.south, longitude: box.west))
        let high = MercatorPoint(Coordinate(latitude: box.north, longitude: box.east))
        let whole = MercatorBox(minX: low.x, minY: high.y, maxX: high.x, maxY: low.y)
        for part in parts where !part.isWorld {
            guard let covered = part.map.cover.reach(around: MercatorPoint(point), in: whole) else { continue }
            let northWest = MercatorPoint(x: covered.minX, y: covered.minY).coordinate
            let southEast = MercatorPoint(x: covered.maxX, y: covered.maxY).coordinate
            return BoundingBox(
                west: northWest.longitude, south: southEast.latitude, east: southEast.longitude,
                north: northWest.latitude)
        }
        return nil
    }
}

/// A rectangle in degrees. `west` may exceed `east`: the box then stands over the date line.
public struct BoundingBox: Sendable, Hashable, Codable {
    public var west: Double
    public var south: Double
    public var east: Double
    public var north: Double

    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// The box of one point, without extent.
    public init(_ point: Coordinate) {
        self.init(west: point.longitude, south: point.latitude, east: point.longitude, north: point.latitude)
    }

    /// Whether the point lies inside or on the edge.
    public func contains(_ point: Coordinate) -> Bool {
        guard point.latitude >= south, point.latitude <= north else { return false }
        return west <= east
            ? point.longitude >= west && point.longitude <= east
            : point.longitude >= west || point.longitude <= east
    }

    /// Grows the box so that it holds `point`. The box must not stand over the date line.
    public mutating func extend(by point: Coordinate) {
        west = min(west, point.longitude)
        east = max(east, point.longitude)
        south = min(south, point.latitude)
        north = max(north, point.latitude)
    }

    /// The middle of the box.
    public var center: Coordinate {
        let width = west <= east ? east - west : east - west + 360
        var longitude = west + width / 2
        if longitude > 180 { longitude -= 360 }
        return Coordinate(latitude: (south + north) / 2, longitude: longitude)
    }

    /// The point of the box nearest to `point` (the point itself inside). The box must not stand over the date line.
    public func nearest(to point: Coordinate) -> Coordinate {
        Coordinate(
            latitude: min(max(point.latitude, south), north), longitude: min(max(point.longitude, west), east))
    }

    /// Whether the boxes share a point. Neither may stand over the date line.
    public func intersects(_ other: BoundingBox) -> Bool {
        west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }
}

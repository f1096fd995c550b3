import Foundation

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

    /// The box that reaches some metres from a point to each side; at the poles as wide as a hundredth of the Earth allows.
    public init(around point: Coordinate, metres: Double) {
        let height = 2 * metres / 111_195
        self.init(
            center: point, height: height, width: min(height / max(cos(point.latitude * .pi / 180), 0.01), 360))
    }

    /// The middle of the box.
    public var center: Coordinate {
        let width = west <= east ? east - west : east - west + 360
        let longitude = west + width / 2
        return Coordinate(latitude: (south + north) / 2, longitude: Self.wrapped(longitude))
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

// Over the date line.
extension BoundingBox {
    /// A longitude of at most one turn too much or too little, within ±180.
    public static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }

    /// The box of so many degrees each way around a centre, held at the poles; a width of a whole turn is all longitudes.
    public init(center: Coordinate, height: Double, width: Double) {
        let isWhole = width >= 360
        self.init(
            west: isWhole ? -180 : Self.wrapped(center.longitude - width / 2),
            south: max(center.latitude - height / 2, -90),
            east: isWhole ? 180 : Self.wrapped(center.longitude + width / 2),
            north: min(center.latitude + height / 2, 90))
    }

    /// The narrowest box that holds all coordinates on the globe among these, over the date line where that is narrower;
    /// nil for none.
    public init?(smallestAround coordinates: [Coordinate]) {
        let valid = coordinates.filter(\.isValid)
        guard let first = valid.first else { return nil }
        var box = BoundingBox(first)
        for coordinate in valid.dropFirst() { box.extend(by: coordinate) }
        if box.east - box.west > 180 {
            // The widest gap between neighbouring longitudes is where the box is not.
            let longitudes = valid.map(\.longitude).sorted()
            var widest = (longitudes[0] + 360 - longitudes[longitudes.count - 1], longitudes.count - 1)
            for (index, pair) in zip(longitudes, longitudes.dropFirst()).enumerated() where pair.1 - pair.0 > widest.0 {
                widest = (pair.1 - pair.0, index)
            }
            if widest.1 < longitudes.count - 1 {
                box.east = longitudes[widest.1]
                box.west = longitudes[widest.1 + 1]
            }
        }
        self = box
    }
}

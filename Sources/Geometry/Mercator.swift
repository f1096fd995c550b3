import Foundation

/// A point of the spherical Mercator map (EPSG:3857) in whole units: the world is a square of 2^30 units, x eastwards from
/// longitude -180, y southwards from latitude 85.0511. One unit is 3.7 cm on the equator, a quarter of a pixel of a
/// 512-pixel tile at zoom 19.
///
/// `x` may leave 0 ..< `Mercator.world`: a shape over the date line goes on beyond the edge instead of jumping.
public struct MercatorPoint: Sendable, Hashable {
    public var x: Int32
    public var y: Int32

    @inlinable public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// The point of `coordinate`; latitudes beyond 85.0511 are held to the edge of the square.
    ///
    /// Longitudes may go on beyond ±180, to twice the world; what is further away is held there.
    public init(_ coordinate: Coordinate) {
        let point = Mercator.project(coordinate)
        let world = Double(Mercator.world)
        self.init(x: Self.unit(point.x * world), y: Self.unit(point.y * world))
    }

    /// The nearest whole unit; twice the world away is as far as units go.
    private static func unit(_ value: Double) -> Int32 {
        value > Double(Int32.min) ? Int32(min(value.rounded(), Double(Int32.max))) : Int32.min
    }

    public var coordinate: Coordinate {
        Mercator.unproject(x: Double(x) / Double(Mercator.world), y: Double(y) / Double(Mercator.world))
    }
}

extension Coordinate {
    /// The same place with its longitude on the near side of the date line as seen from `longitude`, beyond ±180 where need
    /// be: so lines go on over the edge of the map.
    public func continued(from longitude: Double) -> Coordinate {
        var place = self
        if place.longitude - longitude > 180 {
            place.longitude -= 360
        } else if place.longitude - longitude < -180 {
            place.longitude += 360
        }
        return place
    }
}

/// A box of the map in the units of `MercatorPoint`; minX <= maxX, and minY is the northern edge.
public struct MercatorBox: Sendable, Hashable {
    public var minX: Int32
    public var minY: Int32
    public var maxX: Int32
    public var maxY: Int32

    @inlinable public init(minX: Int32, minY: Int32, maxX: Int32, maxY: Int32) {
        self.minX = minX
        self.minY = minY
        self.maxX = maxX
        self.maxY = maxY
    }

    @inlinable public func intersects(_ other: MercatorBox) -> Bool {
        minX <= other.maxX && other.minX <= maxX && minY <= other.maxY && other.minY <= maxY
    }
}

/// Spherical Mercator with the world as the unit square.
public enum Mercator {
    /// Units of `MercatorPoint` across the world.
    public static let world: Int32 = 1 << 30
    /// The latitude at the northern edge of the square, in degrees.
    public static let maximumLatitude = 85.051128779806604

    /// 0...1 from west to east and from north to south; latitudes are held to the square, longitudes are not wrapped.
    public static func project(_ coordinate: Coordinate) -> (x: Double, y: Double) {
        let latitude = min(max(coordinate.latitude, -maximumLatitude), maximumLatitude)
        let sine = sin(latitude * .pi / 180)
        return (
            x: (coordinate.longitude + 180) / 360,
            y: min(max(0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi), 0), 1)
        )
    }

    /// The coordinate at a place of the unit square; longitudes beyond its sides come back beyond ±180.
    public static func unproject(x: Double, y: Double) -> Coordinate {
        Coordinate(latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: x * 360 - 180)
    }
}

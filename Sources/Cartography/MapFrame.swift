import Foundation
import Geometry

/// What part of the world a picture shows, and how large: a centre, a zoom, and a size in points.
///
/// At zoom z the world is 256 * 2^z points wide. `scale` is how many pixels make a point; lines and letters grow with it,
/// the part of the world shown stays.
public struct MapFrame: Sendable, Hashable {
    public let center: Coordinate
    /// 0...22, fractions allowed.
    public let zoom: Double
    /// Points.
    public let width: Double
    public let height: Double
    /// Pixels a point, 1...4.
    public let scale: Int

    public static let zooms: ClosedRange<Double> = 0...22
    /// No side may have more pixels.
    public static let maximumPixels = 16384
    private static let maximumArea = 100_000_000.0

    /// - Parameter zoom: held to 0...22, and to where the picture holds the world twice at most.
    /// - Throws: `CartographyError.badFrame` for a centre off the globe, a size that is not positive, or one beyond
    ///   16,384 pixels a side or 100 million in all.
    public init(center: Coordinate, zoom: Double, width: Double, height: Double, scale: Int = 1) throws {
        guard center.isValid else { throw CartographyError.badFrame("\(center) is no place on the globe") }
        guard zoom.isFinite else { throw CartographyError.badFrame("the zoom is no number") }
        guard (1...4).contains(scale) else { throw CartographyError.badFrame("the scale must be 1 to 4, not \(scale)") }
        guard width >= 1, height >= 1, width.isFinite, height.isFinite else {
            throw CartographyError.badFrame("a map needs a width and a height of 1 point at least")
        }
        let pixels = (width * Double(scale), height * Double(scale))
        guard max(pixels.0, pixels.1) <= Double(Self.maximumPixels), pixels.0 * pixels.1 <= Self.maximumArea else {
            throw CartographyError.badFrame(
                "a map may have \(Self.maximumPixels) pixels a side and 100 million in all at most")
        }
        self.center = center
        // The world may stand side by side with itself once, not more.
        let least = max(Self.zooms.lowerBound, log2(max(width, height) / 512))
        self.zoom = min(max(zoom, least), Self.zooms.upperBound)
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// The frame that shows all of `box` and, around it, `padding` points at least.
    ///
    /// A box over the date line (`west` > `east`) is fitted as it stands. A box without extent gives `maximumZoom`.
    public init(
        fitting box: BoundingBox, width: Double, height: Double, scale: Int = 1, padding: Double = 24,
        maximumZoom: Double = 17
    ) throws {
        let south = Coordinate(latitude: box.south, longitude: box.west)
        let north = Coordinate(latitude: box.north, longitude: box.east)
        guard south.isValid, north.isValid, box.south <= box.north else {
            throw CartographyError.badFrame("the box \(box.west),\(box.south),\(box.east),\(box.north) is none")
        }
        let low = Mercator.project(south)
        var high = Mercator.project(north)
        if box.west > box.east { high.x += 1 }
        let center = Mercator.unproject(x: (low.x + high.x) / 2, y: (low.y + high.y) / 2)
        let room = (max(width - 2 * padding, width / 4), max(height - 2 * padding, height / 4))
        let size = (high.x - low.x, low.y - high.y)
        let zoom = min(
            size.0 > 0 ? log2(room.0 / (256 * size.0)) : .infinity,
            size.1 > 0 ? log2(room.1 / (256 * size.1)) : .infinity, maximumZoom)
        try self.init(
            center: Coordinate(latitude: center.latitude, longitude: Self.wrapped(center.longitude)), zoom: zoom,
            width: width, height: height, scale: scale)
    }

    /// The frame that shows all of `box`.
    public init(
        fitting box: MercatorBox, width: Double, height: Double, scale: Int = 1, padding: Double = 24,
        maximumZoom: Double = 17
    ) throws {
        let northWest = MercatorPoint(x: box.minX, y: box.minY).coordinate
        let southEast = MercatorPoint(x: box.maxX, y: box.maxY).coordinate
        try self.init(
            fitting: BoundingBox(
                west: Self.wrapped(northWest.longitude), south: southEast.latitude,
                east: Self.wrapped(southEast.longitude), north: northWest.latitude),
            width: width, height: height, scale: scale, padding: padding, maximumZoom: maximumZoom)
    }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
    }
}

extension MapFrame {
    /// Points across the world.
    var worldSize: Double { 256 * exp2(zoom) }

    /// The corner at the upper left, in points from the world's.
    var origin: (x: Double, y: Double) {
        let middle = Mercator.project(center)
        return (middle.x * worldSize - width / 2, middle.y * worldSize - height / 2)
    }

    /// Where a coordinate stands in the picture: points from its upper left corner, y downwards, outside the picture for
    /// places outside. Of the world's copies side by side the one nearest to the centre counts.
    public func point(for coordinate: Coordinate) -> (x: Double, y: Double) {
        var place = Mercator.project(coordinate)
        let middle = Mercator.project(center)
        place.x -= (place.x - middle.x).rounded()
        return ((place.x - middle.x) * worldSize + width / 2, (place.y - middle.y) * worldSize + height / 2)
    }

    /// The coordinate at a point of the picture; its longitude is within ±180.
    public func coordinate(for point: (x: Double, y: Double)) -> Coordinate {
        let corner = origin
        let x = (corner.x + point.x) / worldSize
        let y = min(max((corner.y + point.y) / worldSize, 0), 1)
        return Mercator.unproject(x: x - x.rounded(.down), y: y)
    }

    /// Metres that a point of the picture covers at its centre.
    public var metresPerPoint: Double {
        2 * .pi * 6_378_137 * cos(center.latitude * .pi / 180) / worldSize
    }

    /// The picture's size in pixels.
    public var pixelSize: (width: Int, height: Int) {
        (Int((width * Double(scale)).rounded(.up)), Int((height * Double(scale)).rounded(.up)))
    }
}

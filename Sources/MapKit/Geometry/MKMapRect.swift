// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the platform.

/// A rectangle of the flat map in map points.
///
/// Begin a union with `.null`, never with `MKMapRect()`: the latter is a point in the map's north-western corner, and an
/// empty rectangle counts with its place.
///
///     let all = coordinates.reduce(MKMapRect.null) { rect, coordinate in
///         rect.union(MKMapRect(origin: MKMapPoint(coordinate), size: MKMapSize()))
///     }
///
/// Nothing here knows that the world is round: union, intersection and contains do not wrap at the date line.
public struct MKMapRect: Sendable {
    /// The north-western corner.
    public var origin: MKMapPoint
    public var size: MKMapSize

    public init() { self.init(origin: MKMapPoint(), size: MKMapSize()) }

    public init(origin: MKMapPoint, size: MKMapSize) {
        self.origin = origin
        self.size = size
    }

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(origin: MKMapPoint(x: x, y: y), size: MKMapSize(width: width, height: height))
    }

    /// No rectangle: origin (+inf, +inf), size 0. Given an origin it is a point.
    public static let null = MKMapRect(x: .infinity, y: .infinity, width: 0, height: 0)
    /// The whole map.
    public static let world = MKMapRect(origin: MKMapPoint(), size: .world)

    public var minX: Double { origin.x }
    public var midX: Double { origin.x + size.width / 2 }
    public var maxX: Double { origin.x + size.width }
    public var minY: Double { origin.y }
    public var midY: Double { origin.y + size.height / 2 }
    public var maxY: Double { origin.y + size.height }
    public var width: Double { size.width }
    public var height: Double { size.height }

    /// Whether the origin is infinite.
    public var isNull: Bool { origin.x.isInfinite || origin.y.isInfinite }
    /// Null, or without width, or without height. A negative size is not empty.
    public var isEmpty: Bool { isNull || size.width == 0 || size.height == 0 }

    private init(from minX: Double, _ minY: Double, to maxX: Double, _ maxY: Double) {
        self.init(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
    }

    /// The smallest rectangle around both. Null counts for nothing, an empty rectangle with its place.
    public func union(_ other: MKMapRect) -> MKMapRect {
        if isNull { return other }
        if other.isNull { return self }
        return MKMapRect(
            from: min(minX, other.minX), min(minY, other.minY), to: max(maxX, other.maxX), max(maxY, other.maxY))
    }

    /// What both have in common. Rectangles that touch share a line or a point, which is empty and not null.
    public func intersection(_ other: MKMapRect) -> MKMapRect {
        guard !isNull, !other.isNull else { return .null }
        let (left, right) = (max(minX, other.minX), min(maxX, other.maxX))
        let (top, bottom) = (max(minY, other.minY), min(maxY, other.maxY))
        guard left <= right, top <= bottom else { return .null }
        return MKMapRect(from: left, top, to: right, bottom)
    }

    /// Whether both share an area: not where they merely touch, and never for an empty one.
    public func intersects(_ other: MKMapRect) -> Bool {
        let common = intersection(other)
        return common.size.width > 0 && common.size.height > 0
    }

    /// Whether the point lies inside or on any edge.
    public func contains(_ point: MKMapPoint) -> Bool {
        !isNull && point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
    }

    /// Whether the other rectangle lies inside, edges included. A negative size contains nothing.
    public func contains(_ other: MKMapRect) -> Bool {
        !isNull && !other.isNull && other.minX >= minX && other.maxX <= maxX && other.minY >= minY
            && other.maxY <= maxY && size.width >= 0 && size.height >= 0
    }

    /// The rectangle with each side moved inwards. May turn its size negative.
    public func insetBy(dx: Double, dy: Double) -> MKMapRect {
        if isNull { return self }
        return MKMapRect(
            x: origin.x + dx, y: origin.y + dy, width: size.width - 2 * dx, height: size.height - 2 * dy)
    }

    /// The rectangle moved.
    public func offsetBy(dx: Double, dy: Double) -> MKMapRect {
        if isNull { return self }
        return MKMapRect(x: origin.x + dx, y: origin.y + dy, width: size.width, height: size.height)
    }

    /// Whether a part lies west of longitude -180 or east of 180.
    public var spans180thMeridian: Bool { !isNull && (minX < 0 || maxX > MKMapSize.world.width) }

    /// The part that lies outside the world, moved to where it shows on the other side; null where there is none.
    public var remainder: MKMapRect {
        guard spans180thMeridian else { return .null }
        let world = MKMapSize.world.width
        var part = MKMapRect.null
        if minX < 0 {
            part = MKMapRect(x: minX + world, y: minY, width: min(maxX, 0) - minX, height: height)
        }
        if maxX > world {
            let left = max(minX, world)
            part = part.union(MKMapRect(x: left - world, y: minY, width: maxX - left, height: height))
        }
        return part
    }
}

public func MKMapRectEqualToRect(_ a: MKMapRect, _ b: MKMapRect) -> Bool {
    MKMapPointEqualToPoint(a.origin, b.origin) && MKMapSizeEqualToSize(a.size, b.size)
}

/// Cuts a slice of `amount` map points from the side `edge`; the amount is held to 0 ... the rectangle's size.
public func MKMapRectDivide(
    _ rect: MKMapRect, _ slice: UnsafeMutablePointer<MKMapRect>, _ remainder: UnsafeMutablePointer<MKMapRect>,
    _ amount: Double, _ edge: CGRectEdge
) {
    if rect.isNull {
        slice.pointee = .null
        remainder.pointee = .null
        return
    }
    let isAcross = edge == .minXEdge || edge == .maxXEdge
    let whole = isAcross ? rect.width : rect.height
    let cut = max(0, min(amount, whole))
    var (first, rest) = (rect, rect)
    if isAcross {
        first.size.width = cut
        rest.size.width -= cut
        if edge == .minXEdge { rest.origin.x += cut } else { first.origin.x += rest.size.width }
    } else {
        first.size.height = cut
        rest.size.height -= cut
        if edge == .minYEdge { rest.origin.y += cut } else { first.origin.y += rest.size.height }
    }
    slice.pointee = first
    remainder.pointee = rest
}

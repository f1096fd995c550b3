// What programs add to the platform's structures; none of it may be there already.
import MapKit

extension CLLocationCoordinate2D: @retroactive Equatable {
    public static func == (a: Self, b: Self) -> Bool { a.latitude == b.latitude && a.longitude == b.longitude }
}

extension CLLocationCoordinate2D: @retroactive Hashable {
    public func hash(into hasher: inout Hasher) {
        hasher.combine(latitude)
        hasher.combine(longitude)
    }
}

extension CLLocationCoordinate2D: @retroactive Codable {
    private enum Part: String, CodingKey { case latitude = "lat", longitude = "lon" }

    public init(from decoder: any Decoder) throws {
        let parts = try decoder.container(keyedBy: Part.self)
        self.init(
            latitude: try parts.decode(Double.self, forKey: .latitude),
            longitude: try parts.decode(Double.self, forKey: .longitude))
    }

    public func encode(to encoder: any Encoder) throws {
        var parts = encoder.container(keyedBy: Part.self)
        try parts.encode(latitude, forKey: .latitude)
        try parts.encode(longitude, forKey: .longitude)
    }
}

extension CLLocationCoordinate2D: @retroactive CustomStringConvertible {
    public var description: String { "\(latitude) \(longitude)" }
}

extension MKMapPoint: @retroactive Equatable {
    public static func == (a: Self, b: Self) -> Bool { MKMapPointEqualToPoint(a, b) }
}

extension MKMapSize: @retroactive Equatable {
    public static func == (a: Self, b: Self) -> Bool { MKMapSizeEqualToSize(a, b) }
}

extension MKMapRect: @retroactive Equatable, @retroactive CustomStringConvertible {
    public static func == (a: Self, b: Self) -> Bool { MKMapRectEqualToRect(a, b) }
    public var description: String { MKStringFromMapRect(self) }
}

extension MKMapRect: @retroactive Codable {
    public init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        self.init(
            x: try numbers.decode(Double.self), y: try numbers.decode(Double.self),
            width: try numbers.decode(Double.self), height: try numbers.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        for number in [minX, minY, width, height] { try numbers.encode(number) }
    }
}

extension MKCoordinateSpan: @retroactive Equatable {
    public static func == (a: Self, b: Self) -> Bool {
        a.latitudeDelta == b.latitudeDelta && a.longitudeDelta == b.longitudeDelta
    }
}

extension MKCoordinateRegion: @retroactive Equatable {
    public static func == (a: Self, b: Self) -> Bool { a.center == b.center && a.span == b.span }
}

/// A value that synthesises its own conformances from these.
struct Viewport: Codable, Equatable {
    var center: CLLocationCoordinate2D
    var rect: MKMapRect
}

/// A line for a list. Elsewhere a title is optional twice, and code for both says so.
func line(for annotation: any MKAnnotation) -> String {
    ((annotation.title ?? nil) ?? "") + " " + annotation.coordinate.description
}

extension MKMultiPoint {
    /// All coordinates.
    var all: [CLLocationCoordinate2D] {
        var all = [CLLocationCoordinate2D](repeating: kCLLocationCoordinate2DInvalid, count: pointCount)
        getCoordinates(&all, range: NSRange(location: 0, length: pointCount))
        return all
    }
}

extension MKPolyline {
    convenience init(_ places: [CLLocationCoordinate2D]) { self.init(coordinates: places, count: places.count) }

    /// Metres along the line.
    var length: CLLocationDistance {
        zip(all, all.dropFirst()).reduce(0) { sum, pair in
            sum
                + CLLocation(latitude: pair.0.latitude, longitude: pair.0.longitude)
                .distance(from: CLLocation(latitude: pair.1.latitude, longitude: pair.1.longitude))
        }
    }
}

extension Array where Element == CLLocation {
    /// The stretch between the first and the last that are accurate to 50 m.
    var accurate: [CLLocation] { filter { $0.horizontalAccuracy >= 0 && $0.horizontalAccuracy <= 50 } }
}

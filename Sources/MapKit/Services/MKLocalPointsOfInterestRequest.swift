// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the platform.

internal import Sextant

/// The largest radius of a request for points of interest, in metres.
public let MKPointsOfInterestRequestMaxRadius: CLLocationDistance = 2000

/// Asks for everything of interest around a place: shops, sights, stops, parks.
///
///     let request = MKLocalPointsOfInterestRequest(center: here, radius: 300)
///     request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe, .bakery])
///     let response = try await MKLocalSearch(request: request).start()
///
/// The answers are sorted by distance.
open class MKLocalPointsOfInterestRequest: NSObject, NSCopying {
    /// The largest radius, in metres.
    public static let maxRadius: CLLocationDistance = MKPointsOfInterestRequestMaxRadius

    public let coordinate: CLLocationCoordinate2D
    /// In metres, at most `maxRadius`; for a region, half of its diagonal.
    public let radius: CLLocationDistance
    public let region: MKCoordinateRegion
    /// Which kinds; nil for all.
    open var pointOfInterestFilter: MKPointOfInterestFilter?
    /// Whether the region and not the circle is the limit.
    private let isRegion: Bool

    /// All within a circle. A larger radius is taken as `maxRadius`, a negative one as zero.
    public init(center coordinate: CLLocationCoordinate2D, radius: CLLocationDistance) {
        self.coordinate = coordinate
        self.radius = radius.isFinite ? min(max(radius, 0), Self.maxRadius) : radius > 0 ? Self.maxRadius : 0
        region = MKCoordinateRegion(
            center: coordinate, latitudinalMeters: self.radius * 2, longitudinalMeters: self.radius * 2)
        isRegion = false
    }

    /// All within a region, of which only what lies within `maxRadius` of its centre is looked at.
    public init(coordinateRegion region: MKCoordinateRegion) {
        coordinate = region.center
        self.region = region
        let height = abs(region.span.latitudeDelta) * 111_195
        let width = abs(region.span.longitudeDelta) * 111_195 * max(cos(region.center.latitude * .pi / 180), 0)
        let half = (height * height + width * width).squareRoot() / 2
        radius = half.isFinite ? min(half, Self.maxRadius) : 0
        isRegion = true
    }

    private init(_ other: MKLocalPointsOfInterestRequest) {
        coordinate = other.coordinate
        radius = other.radius
        region = other.region
        isRegion = other.isRegion
        pointOfInterestFilter = other.pointOfInterestFilter
    }

    open func copy(with zone: NSZone? = nil) -> Any { MKLocalPointsOfInterestRequest(self) }

    /// The question, as a value.
    var question: PlacesAround {
        PlacesAround(
            center: coordinate.engine, radius: radius, box: isRegion ? BoundingBox(region) : nil,
            filter: pointOfInterestFilter)
    }
}

/// Points of interest around a place.
struct PlacesAround: Sendable {
    var center: Coordinate
    var radius: Double
    var box: BoundingBox?
    var filter: MKPointOfInterestFilter?
    var open: @Sendable () throws -> Atlas = { try Engine.atlas() }

    private static let mostPlaces = 200

    func find() throws -> [ItemFacts] {
        do {
            guard center.isValid else {
                throw PlaceFailure.invalidCoordinate(latitude: center.latitude, longitude: center.longitude)
            }
            let atlas = try open()
            let languages = UserLanguages.current
            let found = try atlas.pointsOfInterest(
                around: center, within: radius, languages: languages, limit: Self.mostPlaces
            ) { feature in
                if let box, !box.contains(feature.location) { return false }
                let category = MKPointOfInterestCategory(
                    key: feature.category, value: feature.type, tags: feature.tags)
                guard let filter, !filter.isIncludingAll else { return category != nil || feature.name != nil }
                return filter.shows(category)
            }
            guard !found.isEmpty else {
                if !atlas.covers(center), !atlas.parts.allSatisfy(\.isWorld) {
                    throw PlaceFailure.outside(latitude: center.latitude, longitude: center.longitude)
                }
                throw PlaceFailure.nothingFound("points of interest", unmatched: nil)
            }
            return try found.map { try ItemFacts($0, in: atlas, languages: languages) }
        } catch {
            throw MKError(engine: error, otherwise: .placemarkNotFound)
        }
    }
}

internal import PhoneNumbers
internal import Sextant

/// A place with what people want to know of it.
///
///     let item = MKMapItem(placemark: MKPlacemark(coordinate: site.coordinate))
///     item.name = site.name
///     item.openInMaps(launchOptions: [MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving])
open class MKMapItem: NSObject {
    public let placemark: MKPlacemark
    /// Whether it stands for the user's position, whatever that is when it is used. Its placemark lies at (0, 0).
    public let isCurrentLocation: Bool
    open var name: String?
    /// In international form where the data allows.
    open var phoneNumber: String?
    open var url: URL?
    open var timeZone: TimeZone?
    open var pointOfInterestCategory: MKPointOfInterestCategory?
    private let ownAddress: MKAddress?

    private init(
        placemark: MKPlacemark, address: MKAddress?, isCurrentLocation: Bool
    ) {
        self.placemark = placemark
        self.isCurrentLocation = isCurrentLocation
        ownAddress = address
        name = placemark.name
        timeZone = placemark.timeZone
    }

    public convenience init(placemark: MKPlacemark) {
        self.init(placemark: placemark, address: nil, isCurrentLocation: false)
    }

    public convenience init(location: CLLocation, address: MKAddress?) {
        var parts = CLPlacemark.Parts()
        parts.location = location
        parts.name = address?.shortAddress
        if let address { parts.formattedAddressLines = address.fullAddress.components(separatedBy: "\n") }
        self.init(
            placemark: MKPlacemark(parts: parts, coordinate: location.coordinate), address: address,
            isCurrentLocation: false)
    }

    /// The user's position.
    open class func forCurrentLocation() -> MKMapItem {
        let item = MKMapItem(
            placemark: MKPlacemark(coordinate: CLLocationCoordinate2D()), address: nil, isCurrentLocation: true)
        item.name = "Current Location"
        return item
    }

    /// Where it is.
    open var location: CLLocation {
        let place = placemark.coordinate
        return placemark.location ?? CLLocation(latitude: place.latitude, longitude: place.longitude)
    }

    /// The address as text; nil where none is known.
    open var address: MKAddress? {
        ownAddress
            ?? MKAddress(
                fullAddress: placemark.parts.formattedAddressLines.joined(separator: "\n"),
                shortAddress: placemark.parts.street)
    }

    /// The address in several forms; nil where none is known.
    open var addressRepresentations: MKAddressRepresentations? {
        let parts = placemark.parts
        return parts.formattedAddressLines.isEmpty && parts.locality == nil && parts.country == nil
            ? nil : MKAddressRepresentations(parts)
    }

    open override var description: String {
        "<MKMapItem \(name ?? "without a name") at \(placemark.coordinate.latitude), \(placemark.coordinate.longitude)>"
    }
}

/// What a map item is made of, as a value that crosses threads.
struct ItemFacts: Sendable {
    var parts: CLPlacemark.Parts
    var coordinate: CLLocationCoordinate2D
    var name: String?
    var phone: String?
    var url: URL?
    var timeZone: TimeZone?
    var category: MKPointOfInterestCategory?
    var isCurrentLocation = false

    /// Reads a found place. A place of interest without a name is called by its kind ("Restaurant") in the first of the
    /// languages that has a word for it, else by its address.
    init(_ place: FoundPlace, in atlas: Atlas, languages: [String]) throws {
        parts = try CLPlacemark.Parts(place, in: atlas, languages: languages)
        coordinate = CLLocationCoordinate2D(place.coordinate)
        if place.name == nil, [.pointOfInterest, .park].contains(place.feature.kind),
            place.quality?.precision != .house,
            let word = try atlas.parts[place.atlasIndex].gazetteer.kindWord(of: place.feature, languages: languages)
        {
            parts.name = word.prefix(1).uppercased() + word.dropFirst()
        }
        name = parts.name
        phone = place.phone.flatMap { Self.first(of: $0) }.map {
            PhoneNumbers.international($0, country: place.feature.country)
        }
        url = place.website.flatMap { Self.url($0) }
        timeZone = parts.timeZone
        category = MKPointOfInterestCategory(
            key: place.feature.category, value: place.feature.type, tags: place.feature.tags)
    }

    /// Reads an item.
    init(_ item: MKMapItem) {
        parts = item.placemark.parts
        coordinate = item.placemark.coordinate
        name = item.name
        phone = item.phoneNumber
        url = item.url
        timeZone = item.timeZone
        category = item.pointOfInterestCategory
        isCurrentLocation = item.isCurrentLocation
    }

    /// A bare place.
    init(at place: CLLocationCoordinate2D, name: String? = nil) {
        parts = CLPlacemark.Parts()
        parts.location = CLLocation(latitude: place.latitude, longitude: place.longitude)
        coordinate = place
        self.name = name
    }

    var item: MKMapItem {
        let item = MKMapItem(placemark: MKPlacemark(parts: parts, coordinate: coordinate))
        item.name = name
        item.phoneNumber = phone
        item.url = url
        item.timeZone = timeZone
        item.pointOfInterestCategory = category
        return item
    }

    /// A tag may hold several numbers with ";" between.
    private static func first(of text: String) -> String? {
        text.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }.flatMap {
            $0.isEmpty ? nil : $0
        }
    }

    /// A tag may leave the scheme out.
    private static func url(_ text: String) -> URL? {
        guard let first = first(of: text) else { return nil }
        return URL(string: first.contains("://") ? first : "http://" + first)
    }
}

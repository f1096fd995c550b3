public import Contacts
internal import Sextant

/// A place in words and numbers that can stand on a map.
///
///     let site = MKPlacemark(coordinate: place, addressDictionary: ["Street": "Domkloster 4", "City": "Köln"])
open class MKPlacemark: CLPlacemark, MKAnnotation, @unchecked Sendable {
    private let place: CLLocationCoordinate2D

    public convenience init(coordinate: CLLocationCoordinate2D) {
        self.init(coordinate: coordinate, addressDictionary: nil)
    }

    /// Reads the classic keys (`Street`, `City`, `State`, `ZIP`, `Country`, `CountryCode` ...); others are left aside.
    public convenience init(coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?) {
        self.init(
            parts: Parts(classic: addressDictionary ?? [:], at: coordinate), coordinate: coordinate)
    }

    public convenience init(coordinate: CLLocationCoordinate2D, postalAddress: CNPostalAddress) {
        let members = [
            "Street": postalAddress.street, "City": postalAddress.city, "State": postalAddress.state,
            "ZIP": postalAddress.postalCode, "Country": postalAddress.country,
            "CountryCode": postalAddress.isoCountryCode, "SubLocality": postalAddress.subLocality,
            "SubAdministrativeArea": postalAddress.subAdministrativeArea,
        ]
        self.init(coordinate: coordinate, addressDictionary: members)
    }

    /// The same place as another placemark; the invalid coordinate where that has no location.
    public override init(placemark: CLPlacemark) {
        place = placemark.location?.coordinate ?? kCLLocationCoordinate2DInvalid
        super.init(placemark: placemark)
    }

    init(parts: Parts, coordinate: CLLocationCoordinate2D) {
        place = coordinate
        super.init(parts: parts)
    }

    open var coordinate: CLLocationCoordinate2D { place }
    /// ISO 3166-1 alpha-2, as `isoCountryCode`.
    open var countryCode: String? { isoCountryCode }
    /// The address on one line, else the name.
    open var title: String? {
        parts.formattedAddressLines.isEmpty ? name : parts.formattedAddressLines.joined(separator: ", ")
    }
    open var subtitle: String? { nil }
}

extension CLPlacemark.Parts {
    /// What a dictionary under the classic keys says; texts of any string type count, empty ones do not.
    init(classic members: [String: Any], at coordinate: CLLocationCoordinate2D) {
        self.init()
        func text(_ key: String) -> String? { PlaceFinder.Question.words(members[key]) }
        street = text("Street")
        thoroughfare = text("Thoroughfare") ?? street
        subThoroughfare = text("SubThoroughfare")
        locality = text("City")
        subLocality = text("SubLocality")
        administrativeArea = text("State")
        subAdministrativeArea = text("SubAdministrativeArea")
        postalCode = text("ZIP")
        country = text("Country")
        isoCountryCode = text("CountryCode")?.uppercased()
        name = text("Name") ?? street
        formattedAddressLines = members["FormattedAddressLines"] as? [String] ?? envelope
        location =
            CLLocationCoordinate2DIsValid(coordinate)
            ? CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude) : nil
    }

    /// The address in lines in the order of its country.
    private var envelope: [String] {
        var known: [AddressParts.Part] = []
        func add(_ label: String, _ text: String?, rank: Int) {
            if let text { known.append(.init(label: label, name: text, feature: nil, rank: rank)) }
        }
        add("road", street, rank: 26)
        add("city", locality, rank: 16)
        add("state", administrativeArea, rank: 8)
        add("postcode", postalCode, rank: 5)
        add("country", country, rank: 4)
        guard !known.isEmpty else { return [] }
        add("country_code", isoCountryCode?.lowercased(), rank: 4)
        return (try? AddressFormatter.shared.lines(AddressParts(parts: known))) ?? []
    }
}

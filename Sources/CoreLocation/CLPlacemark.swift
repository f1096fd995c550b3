import Contacts
import Foundation

/// A place in words: its address in parts, its name, and where it is.
///
/// What is unknown is nil. Names are in the language that was asked for, each part for itself, else in the local one.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
    /// What a placemark holds, as a value.
    package struct Parts: Sendable {
        package var location: CLLocation?
        package var region: CLRegion?
        package var name: String?
        package var thoroughfare: String?
        package var subThoroughfare: String?
        package var locality: String?
        package var subLocality: String?
        package var administrativeArea: String?
        package var subAdministrativeArea: String?
        package var postalCode: String?
        package var isoCountryCode: String?
        package var country: String?
        package var inlandWater: String?
        package var ocean: String?
        package var areasOfInterest: [String]?
        package var timeZone: TimeZone?
        /// Street and number in the country's order.
        package var street: String?
        /// The address as on an envelope, a line each.
        package var formattedAddressLines: [String] = []

        package init() {}
    }

    package let parts: Parts

    package init(parts: Parts) { self.parts = parts }

    /// The same place again.
    public init(placemark: CLPlacemark) { parts = placemark.parts }

    /// The place itself; its horizontal accuracy tells how fine the match is: about 10 m for an address, 100 m for a
    /// street, else the radius of the place.
    open var location: CLLocation? { parts.location }
    /// A circle around the place.
    open var region: CLRegion? { parts.region }
    /// The place's name, else street and number in the country's order.
    open var name: String? { parts.name }
    /// The street.
    open var thoroughfare: String? { parts.thoroughfare }
    /// The house number.
    open var subThoroughfare: String? { parts.subThoroughfare }
    /// The town.
    open var locality: String? { parts.locality }
    /// A part of the town.
    open var subLocality: String? { parts.subLocality }
    /// The state, as its short form in countries that write addresses with one ("CA").
    open var administrativeArea: String? { parts.administrativeArea }
    /// The county.
    open var subAdministrativeArea: String? { parts.subAdministrativeArea }
    open var postalCode: String? { parts.postalCode }
    /// ISO 3166-1 alpha-2, in capital letters.
    open var isoCountryCode: String? { parts.isoCountryCode }
    open var country: String? { parts.country }
    /// The lake or river at the place.
    open var inlandWater: String? { parts.inlandWater }
    /// The sea at the place.
    open var ocean: String? { parts.ocean }
    /// Parks, museums and other places of note that hold the place or stand for it.
    open var areasOfInterest: [String]? { parts.areasOfInterest }
    open var timeZone: TimeZone? { parts.timeZone }

    /// The address under the classic keys: `Street`, `City`, `State`, `ZIP`, `Country`, `CountryCode`, `Name`,
    /// `Thoroughfare`, `SubThoroughfare`, `SubLocality`, `SubAdministrativeArea`, all strings, and
    /// `FormattedAddressLines`, the lines of an envelope in the country's order. Nil where no part is known.
    open var addressDictionary: [AnyHashable: Any]? {
        let strings = [
            "Name": parts.name, "Street": parts.street, "Thoroughfare": parts.thoroughfare,
            "SubThoroughfare": parts.subThoroughfare, "SubLocality": parts.subLocality, "City": parts.locality,
            "SubAdministrativeArea": parts.subAdministrativeArea, "State": parts.administrativeArea,
            "ZIP": parts.postalCode, "Country": parts.country, "CountryCode": parts.isoCountryCode,
        ]
        var result: [AnyHashable: Any] = strings.compactMapValues { $0 }
        if !parts.formattedAddressLines.isEmpty { result["FormattedAddressLines"] = parts.formattedAddressLines }
        return result.isEmpty ? nil : result
    }

    /// The address for the `Contacts` module; nil where no part is known.
    open var postalAddress: CNPostalAddress? {
        guard parts.street ?? parts.locality ?? parts.postalCode ?? parts.country ?? parts.isoCountryCode != nil else {
            return nil
        }
        let address = CNMutablePostalAddress()
        address.street = parts.street ?? ""
        address.subLocality = parts.subLocality ?? ""
        address.city = parts.locality ?? ""
        address.subAdministrativeArea = parts.subAdministrativeArea ?? ""
        address.state = parts.administrativeArea ?? ""
        address.postalCode = parts.postalCode ?? ""
        address.country = parts.country ?? ""
        address.isoCountryCode = parts.isoCountryCode ?? ""
        return address.copy() as? CNPostalAddress
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// `Domkloster 4, 50667 Köln, Deutschland @ <+50.94130200,+6.95718900> +/- 10.00m`
    open override var description: String {
        let lines = parts.formattedAddressLines
        var words = lines
        if let name = parts.name, !lines.contains(name) { words.insert(name, at: 0) }
        let place = parts.location.map { "\($0)" } ?? "nowhere"
        return "\(words.joined(separator: ", ")) @ \(place)"
    }
}

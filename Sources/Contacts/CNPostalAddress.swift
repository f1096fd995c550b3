// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those that programs know.

import Foundation

// The keys of the parts, for `CNPostalAddress.localizedString(forKey:)`.

/// The key of `street`.
public let CNPostalAddressStreetKey = "street"
/// The key of `subLocality`.
public let CNPostalAddressSubLocalityKey = "subLocality"
/// The key of `city`.
public let CNPostalAddressCityKey = "city"
/// The key of `subAdministrativeArea`.
public let CNPostalAddressSubAdministrativeAreaKey = "subAdministrativeArea"
/// The key of `state`.
public let CNPostalAddressStateKey = "state"
/// The key of `postalCode`.
public let CNPostalAddressPostalCodeKey = "postalCode"
/// The key of `country`.
public let CNPostalAddressCountryKey = "country"
/// The key of `isoCountryCode`.
public let CNPostalAddressISOCountryCodeKey = "ISOCountryCode"

/// A postal address in parts, each of them empty text where it is unknown. Two with the same parts are equal.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying, @unchecked Sendable {
    /// The parts, also for the mutable kind below.
    struct Parts: Hashable, Sendable {
        var street = ""
        var subLocality = ""
        var city = ""
        var subAdministrativeArea = ""
        var state = ""
        var postalCode = ""
        var country = ""
        var isoCountryCode = ""
    }

    var parts: Parts

    /// An address without any part.
    public override init() { parts = Parts() }

    init(parts: Parts) { self.parts = parts }

    /// Street with house number, in the country's order; several lines are parted by line breaks.
    open var street: String { parts.street }
    /// A part of the town.
    open var subLocality: String { parts.subLocality }
    /// The town.
    open var city: String { parts.city }
    /// The county.
    open var subAdministrativeArea: String { parts.subAdministrativeArea }
    /// The state, province or canton, as its country writes it on envelopes.
    open var state: String { parts.state }
    /// The postal code, without the country's letters.
    open var postalCode: String { parts.postalCode }
    /// The country's name, in any language.
    open var country: String { parts.country }
    /// ISO 3166-1 alpha-2.
    open var isoCountryCode: String { parts.isoCountryCode }

    /// The local name of a key, in English; the key itself where it is none.
    open class func localizedString(forKey key: String) -> String {
        switch key {
        case CNPostalAddressStreetKey: "Street"
        case CNPostalAddressSubLocalityKey: "Neighborhood"
        case CNPostalAddressCityKey: "City"
        case CNPostalAddressSubAdministrativeAreaKey: "County"
        case CNPostalAddressStateKey: "State"
        case CNPostalAddressPostalCodeKey: "ZIP"
        case CNPostalAddressCountryKey: "Country"
        case CNPostalAddressISOCountryCodeKey: "Country Code"
        default: key
        }
    }

    open func copy(with zone: NSZone? = nil) -> Any { CNPostalAddress(parts: parts) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { CNMutablePostalAddress(parts: parts) }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CNPostalAddress)?.parts == parts }
    open override var hash: Int { parts.hashValue }

    open override var description: String {
        "<CNPostalAddress: street=\(street), subLocality=\(subLocality), city=\(city), "
            + "subAdministrativeArea=\(subAdministrativeArea), state=\(state), postalCode=\(postalCode), "
            + "country=\(country), countryCode=\(isoCountryCode)>"
    }
}

/// A postal address whose parts can be set. Not to be shared between threads while it changes.
open class CNMutablePostalAddress: CNPostalAddress, @unchecked Sendable {
    open override var street: String {
        get { parts.street }
        set { parts.street = newValue }
    }
    open override var subLocality: String {
        get { parts.subLocality }
        set { parts.subLocality = newValue }
    }
    open override var city: String {
        get { parts.city }
        set { parts.city = newValue }
    }
    open override var subAdministrativeArea: String {
        get { parts.subAdministrativeArea }
        set { parts.subAdministrativeArea = newValue }
    }
    open override var state: String {
        get { parts.state }
        set { parts.state = newValue }
    }
    open override var postalCode: String {
        get { parts.postalCode }
        set { parts.postalCode = newValue }
    }
    open override var country: String {
        get { parts.country }
        set { parts.country = newValue }
    }
    open override var isoCountryCode: String {
        get { parts.isoCountryCode }
        set { parts.isoCountryCode = newValue }
    }
}

/// Keys of the address dictionaries that `CLGeocoder.geocodeAddressDictionary` and `MKPlacemark` read, by the names that
/// older programs know them under. They are plain strings; `kABPersonAddressCityKey as String` compiles as well.

/// Street with house number.
public let kABPersonAddressStreetKey = "Street"
/// The town.
public let kABPersonAddressCityKey = "City"
/// State or province.
public let kABPersonAddressStateKey = "State"
/// The postcode.
public let kABPersonAddressZIPKey = "ZIP"
/// The country's name.
public let kABPersonAddressCountryKey = "Country"
/// The country's code, ISO 3166-1 alpha-2.
public let kABPersonAddressCountryCodeKey = "CountryCode"

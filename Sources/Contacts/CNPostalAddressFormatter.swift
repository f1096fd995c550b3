import Foundation
internal import Gazetteer

/// How much of an address is written.
public enum CNPostalAddressFormatterStyle: Int, Sendable {
    /// As on an envelope, a line for each part.
    case mailingAddress = 0
}

/// Writes postal addresses in the order of their country.
///
///     let address = CNMutablePostalAddress()
///     address.street = "Domkloster 4"
///     address.postalCode = "50667"
///     address.city = "Köln"
///     address.isoCountryCode = "DE"
///     CNPostalAddressFormatter.string(from: address, style: .mailingAddress)  // "Domkloster 4\n50667 Köln"
open class CNPostalAddressFormatter: Formatter, @unchecked Sendable {
    /// How `string(from:)` writes.
    open var style: CNPostalAddressFormatterStyle = .mailingAddress

    /// The lines of the address, parted by line breaks; empty where it has no part.
    open class func string(from postalAddress: CNPostalAddress, style: CNPostalAddressFormatterStyle) -> String {
        func present(_ text: String) -> String? { text.isEmpty ? nil : text }
        var parts: [AddressParts.Part] = []
        func add(_ label: String, _ name: String, _ rank: Int) {
            if !name.isEmpty { parts.append(.init(label: label, name: name, feature: nil, rank: rank)) }
        }
        add("road", postalAddress.street, 26)
        add("suburb", postalAddress.subLocality, 20)
        add("city", postalAddress.city, 16)
        add("county", postalAddress.subAdministrativeArea, 12)
        add("state", postalAddress.state, 8)
        add("state_code", postalAddress.state, 8)
        add("postcode", postalAddress.postalCode, 5)
        add("country", postalAddress.country, 4)
        add("country_code", postalAddress.isoCountryCode.lowercased(), 4)
        let lines = (try? AddressFormatter.shared.lines(AddressParts(parts: parts))) ?? []
        return lines.joined(separator: "\n")
    }

    /// The lines of the address in this formatter's style, parted by line breaks.
    open func string(from postalAddress: CNPostalAddress) -> String {
        Self.string(from: postalAddress, style: style)
    }

    /// The same for `Formatter`'s users; nil for what is no postal address.
    open override func string(for obj: Any?) -> String? { (obj as? CNPostalAddress).map { string(from: $0) } }
}

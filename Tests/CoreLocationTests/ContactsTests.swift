import AddressBook
import Contacts
import Testing

@Suite struct ContactsTests {
    @Test func partsThatAreUnsetAreEmpty() {
        let address = CNPostalAddress()
        for part in [
            address.street, address.subLocality, address.city, address.subAdministrativeArea, address.state,
            address.postalCode, address.country, address.isoCountryCode,
        ] { #expect(part == "") }
        #expect(CNPostalAddressFormatter.string(from: address, style: .mailingAddress) == "")
    }

    @Test(arguments: [
        ("de", "Domkloster 4\n50667 Köln\nLand"), ("US", "Domkloster 4\nKöln, NW 50667\nLand"),
        ("GB", "Domkloster 4\nKöln\n50667\nLand"), ("", "Domkloster 4\n50667 Köln\nLand"),
    ])
    func anEnvelopeHasTheOrderOfItsCountry(_ code: String, _ text: String) {
        let address = CNMutablePostalAddress()
        address.street = "Domkloster 4"
        address.city = "Köln"
        address.state = "NW"
        address.postalCode = "50667"
        address.country = "Land"
        address.isoCountryCode = code
        #expect(CNPostalAddressFormatter.string(from: address, style: .mailingAddress) == text)
        #expect(CNPostalAddressFormatter().string(from: address) == text)
        #expect(CNPostalAddressFormatter().string(for: address) == text)
    }

    @Test func aCopyIsEqualAndDoesNotChangeWithItsOriginal() throws {
        let address = CNMutablePostalAddress()
        address.city = "Köln"
        let copy = try #require(address.copy() as? CNPostalAddress)
        #expect(copy == address && copy.hash == address.hash && !(copy is CNMutablePostalAddress))
        address.city = "Bonn"
        #expect(copy.city == "Köln" && copy != address)
        #expect((copy.mutableCopy() as? CNMutablePostalAddress)?.city == "Köln")
    }

    @Test func keysHaveTheirValues() {
        #expect(CNPostalAddressStreetKey == "street" && CNPostalAddressISOCountryCodeKey == "ISOCountryCode")
        #expect(CNPostalAddressSubAdministrativeAreaKey == "subAdministrativeArea")
        #expect(kABPersonAddressStreetKey as String == "Street" && kABPersonAddressCityKey as String == "City")
        #expect(kABPersonAddressStateKey == "State" && kABPersonAddressZIPKey == "ZIP")
        #expect(kABPersonAddressCountryKey == "Country" && kABPersonAddressCountryCodeKey == "CountryCode")
    }
}

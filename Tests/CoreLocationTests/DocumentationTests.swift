import CoreLocation
import Foundation
import Sextant
import TestAtlases
import Testing

/// The example of the module's page, on the atlas that it asks.
@Test func theExampleOfThePageWorks() async throws {
    let geocoder = CLGeocoder { try TestAtlas.everything }
    let casino = try await geocoder.geocodeAddressString("Place du Casino, Monaco")
    let here = CLLocation(latitude: 43.7384, longitude: 7.4246)
    let there = try #require(casino.first?.location)
    #expect((100...500).contains(there.distance(from: here)))
    let places = try await geocoder.reverseGeocodeLocation(here, preferredLocale: Locale(identifier: "de"))
    let lines = try #require(places.first?.addressDictionary?["FormattedAddressLines"] as? [String])
    #expect(lines.count >= 2 && lines.last == "Monaco")
    #expect(places.first?.timeZone?.identifier == "Europe/Monaco")
}

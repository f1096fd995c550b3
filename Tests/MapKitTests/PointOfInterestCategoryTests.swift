import Gazetteer
import OpenStreetMap
import Testing

@testable import MapKit

/// MapKit's kinds of places and those of the lexicon.
@Suite struct PointOfInterestCategoryTests {
    private static let all: [MKPointOfInterestCategory] = [
        .atm, .airport, .amusementPark, .animalService, .aquarium, .automotiveRepair, .bakery, .bank, .baseball,
        .basketball, .beach, .beauty, .bowling, .brewery, .cafe, .campground, .carRental, .castle, .conventionCenter,
        .distillery, .evCharger, .fairground, .fireStation, .fishing, .fitnessCenter, .foodMarket, .fortress,
        .gasStation, .goKart, .golf, .hiking, .hospital, .hotel, .kayaking, .landmark, .laundry, .library, .mailbox,
        .marina, .miniGolf, .movieTheater, .museum, .musicVenue, .nationalMonument, .nationalPark, .nightlife, .park,
        .parking, .pharmacy, .planetarium, .police, .postOffice, .publicTransport, .rvPark, .restaurant, .restroom,
        .rockClimbing, .school, .skatePark, .skating, .skiing, .soccer, .spa, .stadium, .store, .surfing, .swimming,
        .tennis, .theater, .university, .volleyball, .winery, .zoo,
    ]

    @Test func everyKindOfMapKitHasOneInTheLexicon() {
        #expect(Set(Self.all).count == 73)
        for category in Self.all {
            let name = String(category.rawValue.dropFirst("MKPOICategory".count))
            #expect(!PlaceKinds.shared.kinds(ofMapKit: name).isEmpty, "\(name)")
        }
    }

    @Test func everyKindOfTheLexiconHasOneOfMapKitAtMost() {
        let names = Set(Self.all.map(\.rawValue))
        for kind in PlaceKinds.shared.all {
            guard let name = kind.mapKit else { continue }
            #expect(names.contains("MKPOICategory" + name), "\(kind.name)")
            #expect(MKPointOfInterestCategory(lexicon: kind.name)?.rawValue == "MKPOICategory" + name)
        }
    }

    @Test func theMainTagDecides() {
        func category(_ key: String, _ value: String, _ tags: Tags = [:]) -> MKPointOfInterestCategory? {
            MKPointOfInterestCategory(key: key, value: value, tags: tags)
        }
        #expect(category("amenity", "restaurant", ["tourism": "hotel"]) == .restaurant)
        #expect(category("leisure", "pitch", ["sport": "soccer;tennis"]) == .soccer)
        #expect(category("amenity", "bank", ["atm": "yes"]) == .bank)
        #expect(category("shop", "shoes") == .store)
        #expect(category("railway", "platform") == .publicTransport)
        #expect(category("natural", "tree") == nil)
    }
}

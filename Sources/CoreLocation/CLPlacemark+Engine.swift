import Foundation
package import Sextant

extension CLPlacemark {
    /// The placemark of a found place.
    package convenience init(_ place: FoundPlace, in atlas: Atlas, languages: [String]) throws {
        self.init(parts: try Parts(place, in: atlas, languages: languages))
    }
}

extension CLPlacemark.Parts {
    /// Reads a found place: the short name of its state, its time zone and what holds it are asked of the atlas.
    package init(_ place: FoundPlace, in atlas: Atlas, languages: [String] = []) throws {
        self.init()
        let address = place.address
        let feature = place.feature
        thoroughfare = address.street
        subThoroughfare = address.houseNumber
        locality = address.city
        subLocality = address.suburb == locality ? nil : address.suburb
        subAdministrativeArea = address.county
        postalCode = address.postcode
        country = address.country
        isoCountryCode = address.countryCode?.uppercased()
        administrativeArea = try Self.state(of: place, in: atlas)
        formattedAddressLines = place.addressLines
        street = Self.street(thoroughfare, subThoroughfare, country: address.countryCode)
        name = place.name ?? street ?? place.addressLines.first
        let surroundings = try atlas.surroundings(of: place.coordinate, languages: languages)
        timeZone = (feature.tags["timezone"] ?? surroundings.timeZone).flatMap { TimeZone(identifier: $0) }
        inlandWater = surroundings.waters.first
        var areas = surroundings.areas
        if [.pointOfInterest, .park].contains(feature.kind), let name = place.name, !areas.contains(name) {
            areas.insert(name, at: 0)
        }
        areasOfInterest = areas.isEmpty ? nil : areas
        // A sea is known by its point alone: only it itself is in the sea.
        ocean = surroundings.ocean
        if feature.category == "place", ["sea", "ocean"].contains(feature.type) { ocean = place.name }

        let accuracy = Self.accuracy(of: place)
        let centre = CLLocationCoordinate2D(place.coordinate)
        location = CLLocation(
            coordinate: centre, altitude: 0, horizontalAccuracy: accuracy, verticalAccuracy: -1, timestamp: Date())
        region = CLCircularRegion(center: centre, radius: max(accuracy, 50), identifier: name ?? place.id)
    }

    /// Its short form in the countries whose envelopes carry it, else its name.
    private static func state(of place: FoundPlace, in atlas: Atlas) throws -> String? {
        guard let country = place.address.countryCode, let name = place.address.state else {
            return place.address.state
        }
        guard ["us", "ca", "au", "br"].contains(country) else { return name }
        return try atlas.stateCode(of: place) ?? AddressFormatter.shared.stateCode(of: name, country: country) ?? name
    }

    /// Street and number in the order of the country; nil without a street.
    static func street(_ street: String?, _ number: String?, country: String?) -> String? {
        guard let street else { return nil }
        return (try? AddressFormatter.shared)?.street(street, number: number, country: country) ?? street
    }

    /// Metres: about 10 for an address or a place of interest, 100 for a street, else half the diagonal of the place's box.
    static func accuracy(of place: FoundPlace) -> Double {
        let box = place.feature.boundingBox
        let south = Coordinate(latitude: box.south, longitude: box.west)
        let north = Coordinate(latitude: box.north, longitude: box.east)
        let radius = south.distance(to: north) / 2
        switch place.feature.rank {
        case 28...: return 10
        case 26...27: return place.address.houseNumber == nil ? 100 : 10
        case 0 where place.feature.population == nil: return max(10, radius)
        default:
            if radius > 1 { return radius }
            // A place that is a mere point: as far as its people need room.
            return 1_000 + 8 * Double(max(place.feature.population ?? 0, 0)).squareRoot()
        }
    }
}

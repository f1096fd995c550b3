import Contacts
import Foundation
package import Sextant

/// Addresses to placemarks and back, for `CLGeocoder` and for those that came after it. Blocking; asks one atlas.
package struct PlaceFinder: Sendable {
    /// What is to be found.
    package enum Question: Sendable {
        case text(String)
        /// By the classic keys; see `AddressKeys`.
        case fields(GeocodeQuery.Fields, countryCode: String?)
    }

    package let atlas: Atlas
    package let languages: [String]

    package init(atlas: Atlas, languages: [String]) {
        self.atlas = atlas
        self.languages = languages
    }

    /// The best place, and others only where they are just as good.
    ///
    /// - Parameter near: a circle whose places come first; no limit.
    /// - Throws: `PlaceFailure.nothingFound` with the word that no place explains, `.emptyQuery`.
    package func places(_ question: Question, near region: (center: Coordinate, radius: Double)? = nil) throws
        -> [FoundPlace]
    {
        var query: GeocodeQuery
        let asked: String
        switch question {
        case .text(let text):
            asked = text.trimmingCharacters(in: .whitespacesAndNewlines)
            query = GeocodeQuery(asked.replacingOccurrences(of: "\n", with: ", "))
        case .fields(let fields, let code):
            asked = Self.text(of: fields)
            query = GeocodeQuery(fields: fields, countries: code.map { [$0.lowercased()] } ?? [])
        }
        guard !asked.isEmpty else { throw PlaceFailure.emptyQuery }
        query.languages = languages
        if let region, region.center.isValid { query.near = region.center }
        let answer = try atlas.geocode(query)
        guard let best = answer.places.first else {
            throw PlaceFailure.nothingFound(asked, unmatched: answer.unmatchedToken)
        }
        var equals = answer.places.filter { Self.isAsGood($0, as: best) }
        if let region {
            let inside = equals.filter { $0.coordinate.geodesicDistance(to: region.center) <= region.radius }
            if !inside.isEmpty { equals = inside }
        }
        return equals
    }

    /// What lies at a coordinate: the nearest address, else street, else the areas around it.
    ///
    /// - Throws: `PlaceFailure.invalidCoordinate`, `.outside` where nothing is known, as in the open sea.
    package func place(at point: Coordinate) throws -> FoundPlace {
        guard point.isValid else {
            throw PlaceFailure.invalidCoordinate(latitude: point.latitude, longitude: point.longitude)
        }
        let options = ReverseOptions(languages: languages, layers: .address)
        guard let found = try atlas.reverse(point, options: options) else {
            throw PlaceFailure.outside(latitude: point.latitude, longitude: point.longitude)
        }
        return found
    }

    package func placemarks(_ question: Question, near region: (center: Coordinate, radius: Double)? = nil) throws
        -> [CLPlacemark]
    {
        try places(question, near: region).map { try CLPlacemark($0, in: atlas, languages: languages) }
    }

    package func placemark(at point: Coordinate) throws -> CLPlacemark {
        try CLPlacemark(place(at: point), in: atlas, languages: languages)
    }

    /// Whether nothing in the question tells the two apart: two streets of one name in a town, but not a city and the
    /// village of its name.
    private static func isAsGood(_ place: FoundPlace, as best: FoundPlace) -> Bool {
        guard let a = place.quality, let b = best.quality else { return false }
        if place.id == best.id { return true }
        guard abs(a.score - b.score) < 0.005, a.precision == b.precision, place.feature.kind == best.feature.kind else {
            return false
        }
        return abs(place.feature.importance - best.feature.importance) < 0.02
    }

    private static func text(of fields: GeocodeQuery.Fields) -> String {
        let street = [fields.street, fields.houseNumber].compactMap { $0 }.joined(separator: " ")
        let city = [fields.postcode, fields.city].compactMap { $0 }.joined(separator: " ")
        return [fields.name ?? "", street, city, fields.county ?? "", fields.state ?? "", fields.country ?? ""]
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension PlaceFinder.Question {
    /// From a dictionary with the classic keys. Unknown keys and values that are no text are ignored.
    package init(addressDictionary: [AnyHashable: Any]) {
        func text(_ keys: String...) -> String? {
            for key in keys {
                let value = addressDictionary[key] ?? addressDictionary[NSString(string: key)]
                if let words = Self.words(value) { return words }
            }
            return nil
        }
        var fields = GeocodeQuery.Fields()
        fields.street = text("Street") ?? text("Thoroughfare")
        if text("Street") == nil { fields.houseNumber = text("SubThoroughfare") }
        fields.city = text("City")
        fields.state = text("State")
        fields.county = text("SubAdministrativeArea")
        fields.postcode = text("ZIP")
        fields.country = text("Country")
        let code = text("CountryCode")
        // Without anything else the country itself is asked for.
        if fields == GeocodeQuery.Fields(), let code {
            fields.country = Locale(identifier: "en").localizedString(forRegionCode: code.uppercased())
        }
        self = .fields(fields, countryCode: code)
    }

    /// The text of a value of an address: a string of any type, or a number; nil for others and for white space.
    package static func words(_ value: Any?) -> String? {
        let words: String? =
            switch value {
            case let value as String: value
            case let value as NSNumber: value.stringValue
            case let value as NSString: String(describing: value)
            case let value as any StringProtocol: String(value)
            default: nil
            }
        let trimmed = words?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return trimmed.isEmpty ? nil : trimmed
    }

    /// From a postal address.
    package init(postalAddress: CNPostalAddress) {
        self.init(addressDictionary: [
            "Street": postalAddress.street.replacingOccurrences(of: "\n", with: ", "), "City": postalAddress.city,
            "State": postalAddress.state, "ZIP": postalAddress.postalCode, "Country": postalAddress.country,
            "CountryCode": postalAddress.isoCountryCode,
        ])
    }
}

import Gazetteer
import Geometry

/// Positions that a text states itself: coordinates, `geo:` links, Open Location Codes.
extension Atlas {
    /// The position that the whole text writes down; nil where it is something to look up.
    ///
    /// A short Open Location Code needs a place beside it ("4GRC+8X Vaduz") or the position that the query prefers; without
    /// either it stands for nothing.
    func writtenPosition(_ query: GeocodeQuery) throws -> Coordinate? {
        guard query.fields == nil, query.text.utf8.count <= 400 else { return nil }
        if let point = Coordinate(written: query.text) { return point.isValid ? point : nil }
        let words = query.text.split { $0 == " " || $0 == "," }
        for (index, word) in words.enumerated() where word.contains("+") {
            guard let code = OpenLocationCode(String(word)) else { continue }
            let rest = (words[..<index] + words[(index + 1)...]).joined(separator: " ")
            if let area = code.area { return area.center }
            if rest.isEmpty {
                return query.near.flatMap { code.recovered(near: $0)?.area?.center }
            }
            var place = query
            place.text = rest
            place.limit = 1
            guard let reference = try geocode(place).places.first else { return nil }
            return code.recovered(near: reference.coordinate)?.area?.center
        }
        return nil
    }

    /// What lies at a written position.
    func place(at point: Coordinate, as query: GeocodeQuery) throws -> FoundPlaces {
        if query.isBounded, let box = query.viewbox, !box.contains(point) { return FoundPlaces() }
        guard var place = try reverse(point, options: ReverseOptions(languages: query.languages)) else {
            return FoundPlaces()
        }
        if !query.countries.isEmpty, !query.countries.contains(place.feature.country ?? "") { return FoundPlaces() }
        place.quality = MatchQuality(
            score: 1, precision: MatchQuality.Precision(of: place.feature), matched: [query.text], unmatched: [])
        return FoundPlaces(places: [place])
    }
}

extension MatchQuality.Precision {
    /// How exactly a feature stands for a point that lies at it.
    fileprivate init(of feature: Feature) {
        switch feature.kind {
        case .address: self = .house
        case .interpolation: self = .interpolated
        case .street: self = .street
        case .country, .region, .county, .municipality, .place, .suburb, .postcode: self = .place
        default: self = .pointOfInterest
        }
    }
}

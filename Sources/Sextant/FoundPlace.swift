import Foundation
import Gazetteer
import Geometry
import OpenStreetMap

/// An answer of the gazetteer: a place with its address, and how well it matched.
public struct FoundPlace: Sendable, Identifiable {
    /// Which of the open atlases it comes from, counted from 0; the World comes last.
    public var atlasIndex: Int
    public var feature: Feature
    /// The place itself; for a house number between two known ones a place on the line.
    public var coordinate: Coordinate
    /// The name in the asked languages; nil for an address.
    public var name: String?
    public var address: AddressParts
    /// What the lines are written from where it is not `address`, and who writes them.
    let writtenAddress: AddressParts?
    let formatter: AddressFormatter
    /// The postal address, a line of an envelope each, in the order of the country. Written when it is asked for, which costs
    /// some microseconds.
    public var addressLines: [String] { formatter.lines(writtenAddress ?? address) }
    /// The objects of OpenStreetMap that are of the kind looked for and went into the place, such as all ways of a river;
    /// empty where no kind was looked for.
    public var objects: [OSMID] = []
    /// Metres from the asked point, where one was given.
    public var distance: Double?
    /// Metres along the line that was searched beside, and seconds until one comes by; nil where there was none.
    public var along: Double?
    public var arrival: Double?
    /// The place that the words of a search named, "near Kiasma": answers lie in it, or are sorted by the distance from it.
    public var searchedPlace: SearchedPlace?
    /// The tags that made it an answer of a search besides its name, as `key=value`: `cuisine=pizza`, `wheelchair=yes`.
    public var matchedTags: [String] = []
    /// What its opening hours say at the asked moment, or on arrival; nil where none was asked for, or where it has no hours
    /// that can be read.
    public var hours: OpeningHours.Outlook?
    /// How well it fits the question; nil for a reverse look-up.
    public var quality: MatchQuality?
    /// Name, licence and attribution of the data it comes from.
    public var source: GazetteerSource
    /// The town nearest to the asked point, where a reverse look-up has nothing finer than a country or region.
    public var nearestTown: NearestTown?

    /// A town and how far it is.
    public struct NearestTown: Sendable, Equatable {
        public var name: String
        /// Metres from the asked point.
        public var distance: Double
        public var coordinate: Coordinate
    }

    /// Distinct among the answers of one `Atlas`.
    public var id: String { "\(atlasIndex)/\(feature.id)/\(address.houseNumber ?? "")" }

    /// Name and address in one line, without repeating what both say.
    public var title: String {
        let lines = addressLines
        guard let name, let first = lines.first, first != name, !first.hasPrefix(name + ",") else {
            return lines.isEmpty ? name ?? "" : lines.joined(separator: ", ")
        }
        return ([name] + lines).joined(separator: ", ")
    }

    /// Whether two streets meet here: `name` says both, `feature` is the first of them.
    public var isIntersection: Bool { quality?.precision == .intersection }

    /// As it was written, `phone` before `contact:phone`.
    public var phone: String? { first("phone", "contact:phone", "contact:mobile") }
    public var website: String? { first("website", "contact:website", "url") }
    public var openingHours: String? { first("opening_hours") }
    public var cuisine: String? { first("cuisine") }
    public var wheelchair: String? { first("wheelchair") }

    private func first(_ keys: String...) -> String? {
        for key in keys { if let value = feature.tags[key], !value.isEmpty { return value } }
        return nil
    }
}

/// A place that the words of a search named.
public struct SearchedPlace: Sendable, Equatable {
    /// Its name and address in one line.
    public var title: String
    public var coordinate: Coordinate
    /// Whether answers lie within its outline, rather than around it.
    public var isOutline: Bool
}

import Geometry

/// What a reverse look-up asks for.
public struct ReverseOptions: Sendable, Equatable {
    /// The kinds of features that may be the answer.
    public struct Layers: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// House numbers, streets and the places around.
        public static let address = Layers(rawValue: 1)
        /// Named shops, sights, schools ...
        public static let pointsOfInterest = Layers(rawValue: 2)
        /// Stations and stops.
        public static let stops = Layers(rawValue: 4)
        /// Water, peaks, parks and other natural features.
        public static let natural = Layers(rawValue: 8)
        /// Streets alone; a motorway by its number where it has no name.
        public static let streets = Layers(rawValue: 16)
        /// House numbers alone.
        public static let houses = Layers(rawValue: 32)

        var hasStreets: Bool { !isDisjoint(with: [.address, .streets]) }
        var hasHouses: Bool { !isDisjoint(with: [.address, .houses]) }
    }

    /// How fine an answer is wanted, from the country to the house.
    public enum Detail: String, Sendable, CaseIterable {
        case country, state, county, city, suburb, street, house

        /// The finest rank of answers of this detail.
        public var finestRank: Int {
            switch self {
            case .country: 4
            case .state: 9
            case .county: 13
            case .city: 17
            case .suburb: 24
            case .street: 27
            case .house: 30
            }
        }
    }

    /// Preferred languages of the address, best first.
    public var languages: [String]
    /// The finest rank wanted: 4 country, 8 state, 12 county, 16 town, 20 suburb, 26 larger streets, 27 all streets,
    /// 30 houses.
    public var finestRank: Int
    public var layers: Layers
    /// How far an address, street or point of interest may lie, in metres.
    public var reach: Double

    public init(
        languages: [String] = [], finestRank: Int = 30, layers: Layers = [.address, .pointsOfInterest],
        reach: Double = 1_000
    ) {
        self.languages = languages
        self.finestRank = finestRank
        self.layers = layers
        self.reach = reach
    }

    /// The same with the finest rank told by a word.
    public init(
        detail: Detail, languages: [String] = [], layers: Layers = [.address, .pointsOfInterest], reach: Double = 1_000
    ) {
        self.init(languages: languages, finestRank: detail.finestRank, layers: layers, reach: reach)
    }

    /// The finest rank for a zoom level of a map, as Nominatim's `zoom` has it: 3 country, 5 state, 8 county, 10 city,
    /// 12 town, 13 village or suburb, 14 neighbourhood, 16 larger streets, 17 all streets, 18 houses.
    public static func finestRank(zoom: Int) -> Int {
        switch zoom {
        case ..<3: 2
        case 3...4: 4
        case 5...7: 8
        case 8...9: 12
        case 10...11: 16
        case 12: 18
        case 13: 20
        case 14: 22
        case 15: 25
        case 16: 26
        case 17: 27
        default: 30
        }
    }
}

/// What lies at a point.
public struct ReverseMatch: Sendable {
    /// The address, street, point of interest or place.
    public var feature: Feature
    /// The address: number and street of the feature, places from the outlines that contain the asked point.
    public var address: AddressParts
    /// From the asked point to the feature's geometry, in metres; 0 inside an outline.
    public var distance: Double
    /// The place of the answer: the feature's own, or that of the number on an interpolated line.
    public var location: Coordinate
    /// A number found by interpolation; nil where the feature has its own.
    public var interpolatedNumber: String?
}

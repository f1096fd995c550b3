import Geometry

/// What to find: an address or a name, as free text or in fields.
///
///     let answer = try gazetteer.geocode(GeocodeQuery("Städtle 49, Vaduz"))
///     answer.matches.first?.location
public struct GeocodeQuery: Sendable {
    /// An address taken apart by the asker. Empty texts count as absent.
    public struct Fields: Sendable, Equatable {
        /// The name of a place of interest.
        public var name: String?
        /// The street, with or without its house number.
        public var street: String?
        public var houseNumber: String?
        public var postcode: String?
        public var city: String?
        public var county: String?
        public var state: String?
        public var country: String?

        public init(
            name: String? = nil, street: String? = nil, houseNumber: String? = nil, postcode: String? = nil,
            city: String? = nil, county: String? = nil, state: String? = nil, country: String? = nil
        ) {
            self.name = name
            self.street = street
            self.houseNumber = houseNumber
            self.postcode = postcode
            self.city = city
            self.county = county
            self.state = state
            self.country = country
        }
    }

    /// Free text; ignored where there are fields.
    public var text: String
    public var fields: Fields?
    /// Preferred languages of names in answers.
    public var languages: [String]
    /// At most this many matches, 1 to 1,000.
    public var limit: Int
    /// Matches near to it come first where all else is equal.
    public var near: Coordinate?
    /// A box that is preferred, or with `isBounded` the only place where matches may lie.
    public var viewbox: BoundingBox?
    public var isBounded: Bool
    /// ISO 3166-1 codes in small letters; empty for all countries.
    public var countries: [String]
    /// Only features of these kinds; nil for all.
    public var kinds: Set<FeatureKind>?

    public init(
        _ text: String = "", fields: Fields? = nil, languages: [String] = [], limit: Int = 10, near: Coordinate? = nil,
        viewbox: BoundingBox? = nil, isBounded: Bool = false, countries: [String] = [], kinds: Set<FeatureKind>? = nil
    ) {
        self.text = text
        self.fields = fields
        self.languages = languages
        self.limit = limit
        self.near = near
        self.viewbox = viewbox
        self.isBounded = isBounded
        self.countries = countries
        self.kinds = kinds
    }
}

/// What was found, or why nothing was.
public struct GeocodeAnswer: Sendable {
    /// Best first.
    public var matches: [GeocodeMatch]
    /// Where there are no matches: the word that nothing was found for, as the asker wrote it.
    public var unmatchedToken: String?
    /// Coarser or weaker places that were found instead, which do not answer the query.
    public var nearMisses: [GeocodeMatch]

    public init(matches: [GeocodeMatch] = [], unmatchedToken: String? = nil, nearMisses: [GeocodeMatch] = []) {
        self.matches = matches
        self.unmatchedToken = unmatchedToken
        self.nearMisses = nearMisses
    }
}

/// One place that was found.
public struct GeocodeMatch: Sendable {
    public var feature: Feature
    /// The house's own point, the interpolated one, the crossing, or the feature's.
    public var location: Coordinate
    /// The number that was found within an interpolated line, or of a list of numbers.
    public var houseNumber: String?
    /// The other street of an intersection.
    public var crossing: Feature?
    public var quality: MatchQuality
}

/// How well a place fits the query.
public struct MatchQuality: Sendable, Equatable {
    /// How exactly the point stands for what was asked.
    public enum Precision: String, Sendable {
        case house, interpolated, intersection, street, place
        case pointOfInterest = "poi"
    }

    /// 0 to 1: the part of the query's words that the place explains, lessened where its name says more than was asked.
    public var score: Double
    public var precision: Precision
    /// The words that were explained, as the asker wrote them.
    public var matched: [String]
    /// The words that nothing explains.
    public var unmatched: [String]

    public init(score: Double, precision: Precision, matched: [String], unmatched: [String]) {
        self.score = score
        self.precision = precision
        self.matched = matched
        self.unmatched = unmatched
    }

    /// Whether the place explains every word.
    public var isComplete: Bool { unmatched.isEmpty }
}

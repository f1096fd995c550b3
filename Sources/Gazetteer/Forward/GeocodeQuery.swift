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
    /// Whether words may be read as near ones where nothing fits as it is written.
    public var correctsSpelling = true
    /// Whether the answer tells how it came about (`GeocodeAnswer.explanation`). Costs some further look-ups.
    public var explains = false
    /// What the gazetteers that were asked before have spent on the same request (`Database.effort`).
    var effortSpent = 0.0

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
    /// Whether the first match explains every word, numbers apart, as it was written: nothing was corrected.
    public var isExact = false
    /// Whether some name holds `unmatchedToken`, if not together with the other words.
    public var isUnmatchedTokenKnown = false
    /// How the query was read and why the answer is what it is, where the query asks for it.
    public var explanation: GeocodeExplanation?
    /// What it cost (`Database.effort`).
    var effort = 0.0

    public init(matches: [GeocodeMatch] = [], unmatchedToken: String? = nil, nearMisses: [GeocodeMatch] = []) {
        self.matches = matches
        self.unmatchedToken = unmatchedToken
        self.nearMisses = nearMisses
    }

    /// The answers of several gazetteers, finest first, to one query.
    ///
    /// Words are corrected only where no gazetteer explains all of them as they were written, and only up to the first
    /// gazetteer that then explains them all: what one knows well is no misspelling of what another knows. None is asked
    /// after one that found the whole address. `ask` answers for the gazetteer of that index. What all of them spend
    /// together is bounded.
    public static func answers(
        of count: Int, to query: GeocodeQuery, _ ask: (Int, GeocodeQuery) throws -> GeocodeAnswer
    ) rethrows -> [GeocodeAnswer] {
        var asWritten = query
        if count > 1 { asWritten.correctsSpelling = false }
        var answers: [GeocodeAnswer] = []
        for index in 0..<count {
            answers.append(try ask(index, asWritten))
            asWritten.effortSpent += answers[index].effort
            // A house that explains every word is the answer: a coarser gazetteer has no better one.
            if answers[index].matches.first?.isWholeAddress == true {
                return answers + [GeocodeAnswer](repeating: GeocodeAnswer(), count: count - index - 1)
            }
        }
        guard query.correctsSpelling, count > 1 else { return answers }
        if answers.contains(where: \.isExact) { return answers }
        var query = query
        query.effortSpent = asWritten.effortSpent
        for index in 0..<count {
            // Reading the text as it stands costs about as much again as it did before.
            guard query.effortSpent + answers[index].effort < Geocoder.mostEffort else { break }
            answers[index] = try ask(index, query)
            query.effortSpent += answers[index].effort
            if let best = answers[index].matches.first,
                best.quality.unmatched.allSatisfy({ $0.contains(where: \.isNumber) })
            {
                break
            }
        }
        return answers
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

    /// Whether it is a house or a crossing that explains every word of the query.
    var isWholeAddress: Bool {
        switch quality.precision {
        case .house, .interpolated, .intersection: quality.isComplete && quality.score > 0.98
        case .street, .place, .pointOfInterest: false
        }
    }
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
    /// The words that were read otherwise than they were written.
    public var corrections: [SpellingCorrection] = []

    public init(
        score: Double, precision: Precision, matched: [String], unmatched: [String],
        corrections: [SpellingCorrection] = []
    ) {
        self.score = score
        self.precision = precision
        self.matched = matched
        self.unmatched = unmatched
        self.corrections = corrections
    }

    /// Whether the place explains every word.
    public var isComplete: Bool { unmatched.isEmpty }
}

/// A word that was taken for another.
public struct SpellingCorrection: Sendable, Equatable {
    /// As the asker wrote it.
    public var written: String
    /// As it was read, in the letters of the name that it stands for where that is known, else folded to small letters.
    public var read: String
    /// Letters more, less, other or in the wrong order.
    public var edits: Int

    public init(written: String, read: String, edits: Int) {
        self.written = written
        self.read = read
        self.edits = edits
    }
}

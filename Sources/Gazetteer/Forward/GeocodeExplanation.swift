/// How a query was read, what was considered, and why the first answer came first.
public struct GeocodeExplanation: Sendable, Equatable {
    /// A word of the query.
    public struct Word: Sendable, Equatable {
        /// As it was written.
        public var written: String
        /// The canonical tokens that it was read as, after corrections, abbreviations and compounds.
        public var canonical: [String]
        public var meaning: Meaning
        /// What of the best place it stands for; nil for a word that is left over.
        public var explainedBy: String?
        /// Whether a name of the atlas holds it as it was written. Numbers are known.
        public var isKnown: Bool
    }

    public enum Meaning: String, Sendable {
        case name, number
        case streetType = "street type"
        case article
        case direction
        case joint = "between streets"
        /// Of a flat, a floor or a person: no part of the address.
        case ignored
    }

    /// A place that was considered.
    public struct Candidate: Sendable, Equatable {
        /// Its name, with the house number that was found.
        public var name: String
        public var kind: FeatureKind
        /// The town, or for a town the country, that it lies in; filled in by an `Atlas`.
        public var surroundings: String?
        public var feature: Int64
        /// 0 to 1, the product of the next ones and of what corrections cost.
        public var score: Double
        /// The part of the query's words that it explains, 0 to 1.
        public var explained: Double
        /// How much of its name the query says, 0 to 1.
        public var nameCoverage: Double
        public var importance: Double
        /// Metres from the point or the middle of the box that answers should be near to; nil where there is none.
        public var distance: Double?
        public var matched: [String]
        public var unmatched: [String]
        public var corrections: [SpellingCorrection]
        /// Why it is no answer; nil for one.
        public var refusal: String?
    }

    public var words: [Word] = []
    /// What may be house numbers, postcodes, and the countries and states that words name.
    public var houseNumbers: [String] = []
    public var postcodes: [String] = []
    public var regions: [String] = []
    /// What was corrected for the best answer.
    public var corrections: [SpellingCorrection] = []
    /// The best readings, answers first, at most eight.
    public var candidates: [Candidate] = []
    /// Readings that were judged, with those of corrected texts.
    public var considered = 0
    /// Why the first answer comes first, or why there is none: one sentence or two.
    public var decision = ""
    public var effort = GeocodeEffort()

    public init() {}
}

/// What an answer cost.
public struct GeocodeEffort: Sendable, Equatable {
    /// SQL statements, and the rows that they gave.
    public var statements = 0
    public var rows = 0
    /// Nodes of the vocabulary's trie.
    public var nodes = 0
    /// Readings of the whole text: one as it is written, the others with corrections.
    public var readings = 0

    public init() {}
}

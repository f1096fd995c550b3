import Geometry

/// What somebody has typed so far.
///
///     let answer = try gazetteer.complete(CompletionQuery("vaduz stad", near: here))
///     answer.completions.first?.title    // Städtle
public struct CompletionQuery: Sendable {
    /// The text, of which at most the first 200 characters and 8 words count. The last word may be unfinished.
    public var text: String
    /// Where the asker is: streets and shops near to it come first.
    public var near: Coordinate?
    /// A box that is preferred where there is no `near`, or with `isBounded` the only place where completions may lie.
    public var viewbox: BoundingBox?
    public var isBounded: Bool
    /// Only features of these kinds; nil for all. `.address` stands for houses, numbers of a street among them.
    public var kinds: Set<FeatureKind>?
    /// Whether words for kinds of places ("restaurants") are offered too.
    public var offersCategories: Bool
    /// Preferred languages of names.
    public var languages: [String]
    /// At most this many, 1 to 100.
    public var limit: Int

    /// What is forgiven where the text does not fit.
    package enum Tolerance: Sendable {
        /// Nothing: each word fits the name or a place of its town.
        case none
        /// Words of countries and far places, which take longer to find.
        case places
        /// Those, and typing errors where nothing fits.
        case all
        /// Only what holds a typing error.
        case errors
    }

    package var tolerance = Tolerance.all

    public init(
        _ text: String = "", near: Coordinate? = nil, viewbox: BoundingBox? = nil, isBounded: Bool = false,
        kinds: Set<FeatureKind>? = nil, offersCategories: Bool = true, languages: [String] = [], limit: Int = 10
    ) {
        self.text = text
        self.near = near
        self.viewbox = viewbox
        self.isBounded = isBounded
        self.kinds = kinds
        self.offersCategories = offersCategories
        self.languages = languages
        self.limit = limit
    }
}

/// Something that the text may become.
public struct Completion: Sendable, Equatable {
    /// What it stands for.
    public enum Meaning: Sendable, Equatable {
        /// A feature of the gazetteer, by its number.
        case feature(Int64)
        /// A house number of a street or place: the number of the house's own feature.
        case house(Int64)
        /// A kind of place, by its name in the lexicon: to be looked for near by.
        case category(String)
    }

    public var meaning: Meaning
    /// The name; street and number, in the country's order, for a house; the word for a category.
    public var title: String
    /// Where it is: the address, or the places around it. Empty for a category.
    public var subtitle: String
    /// The parts of the title that were typed, in UTF-16 units, in order and apart from each other.
    public var titleHighlights: [Range<Int>]
    /// The same of the subtitle.
    public var subtitleHighlights: [Range<Int>]
    /// What kind of feature; nil for a category.
    public var kind: FeatureKind?
    /// Nil for a category.
    public var location: Coordinate?
    /// For ordering completions of several gazetteers: how well the text fits, how important it is and how near.
    public var score: Double
    /// How many typing errors were forgiven. Completions with more come after those with fewer.
    public var edits: Int
}

/// The completions, best first, and what they cost.
public struct CompletionAnswer: Sendable {
    public var completions: [Completion] = []
    public var effort = CompletionEffort()

    public init() {}
}

/// What one completion cost.
public struct CompletionEffort: Sendable, Equatable {
    /// Statements that were run.
    public var statements = 0
    /// Rows that were read by them.
    public var rows = 0

    public init() {}
}

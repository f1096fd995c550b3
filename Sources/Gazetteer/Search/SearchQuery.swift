import Geometry
import OpenStreetMap

/// Things of a kind or a name within a region.
///
///     let near = Coordinate(latitude: 43.738, longitude: 7.424)
///     try gazetteer.search(SearchQuery("restaurants", in: .circle(center: near, metres: 500), order: .nearest(near)))
public struct SearchQuery: Sendable {
    /// Where matches may lie: a hard limit on their representative point.
    public enum Region: Sendable, Equatable {
        /// `west` may exceed `east` over the date line.
        case box(BoundingBox)
        case circle(center: Coordinate, metres: Double)
        /// The outline of a place, by its feature's number. A place without an outline holds nothing.
        case outline(of: Int64)
        /// Polygons of an outer ring and holes; none may lie over the date line.
        case polygons([[[Coordinate]]])
        /// Beside a line.
        case corridor(Corridor)
        /// What lies in all of them.
        case all([Region])
        case everywhere
    }

    public enum Order: Sendable, Equatable {
        case nearest(Coordinate)
        /// Best match first, then importance.
        case best
        /// As one comes by on the way; what is not beside it comes last.
        case along(Corridor)
    }

    /// A tag that matches must have as their main tag.
    public struct MainTag: Sendable, Equatable {
        public var key: String
        public var value: String

        public init(key: String, value: String) {
            self.key = key
            self.value = value
        }
    }

    /// The wall clock of a place.
    public struct Clock: Sendable {
        public var moment: OpeningHours.Moment
        public var site: OpeningHours.Site

        public init(moment: OpeningHours.Moment, site: OpeningHours.Site = .unknown) {
            self.moment = moment
            self.site = site
        }
    }

    /// What is looked for: a word for a kind of place ("restaurants", "кафе"), a name, a brand, a cuisine; wishes and times
    /// ("open now"); or several of them.
    public var words: String
    /// Instead of words: exactly this tag.
    public var tag: MainTag?
    /// Instead of words: kinds of the lexicon by their names there (`PlaceKinds`).
    public var kinds: [String] = []
    /// Instead of words: what they were read as. Its place is not looked for: the region tells it.
    public var reading: SearchReading?
    public var region: Region
    public var order: Order
    /// At most this many; nil for all.
    public var limit: Int?
    public var languages: [String]
    /// Tells what the clock shows at a place when the asker is there, for "open now". Without it nothing is known to be open.
    ///
    /// Given the place and, where the order goes along a line, the metres along it.
    public var clock: (@Sendable (Coordinate, Double?) throws -> Clock?)?

    public init(
        _ words: String = "", tag: MainTag? = nil, in region: Region = .everywhere, order: Order = .best,
        limit: Int? = nil, languages: [String] = []
    ) {
        self.words = words
        self.tag = tag
        self.region = region
        self.order = order
        self.limit = limit
        self.languages = languages
    }
}

/// One thing that a search found.
public struct SearchMatch: Sendable {
    /// Why it is among the answers.
    public enum Reason: Sendable, Hashable {
        /// A category of the lexicon, by its name there.
        case category(String)
        case name
        case cuisine
        case tag
        /// It fulfils the wishes, or is open then.
        case wish
    }

    public var feature: Feature
    /// The objects of OpenStreetMap that are of the kind looked for and went into the feature: for a river all its ways. Empty
    /// where no kind was looked for.
    public var objects: [OSMID] = []
    /// Metres from the point of `Order.nearest` or from the middle of a circle; nil where there is none.
    public var distance: Double?
    /// Metres along the line of `Order.along`; nil for another order.
    public var along: Double?
    public var reason: Reason
    /// The tags that made it an answer besides its name, as `key=value`.
    public var tags: [String] = []
    /// What its opening hours say at the moment of the query's clock; nil where it has none that can be read.
    public var hours: OpeningHours.Outlook?
    public var quality: MatchQuality
}

import Geometry

/// What a thing on a map is. The style file names these by their raw values and decides how, and from which zoom, each is
/// drawn.
public enum MapKind: String, Sendable, Hashable, CaseIterable {
    // Areas, from the ground up. Sea is where no land is: `land` comes from coastlines closed against the coverage; `sea` is
    // what a map covers, laid over the land of a coarser map before its own land (see `MapSource`).
    case land, sea
    case residential, industrial, commercial, farmland, meadow, heath, wood, scrub, sand, rock, glacier, wetland
    case park, garden, golf, pitch, playground, cemetery, school, hospital, military, railwayYard, airport, parking
    case pedestrianArea, pier
    case water, swimmingPool
    case building
    // Lines of water and ground.
    case river, stream, canal, cliff, coastline, hedge, wall, powerLine
    // Roads and ways, with `MapShape.Flags` for bridge, tunnel, one-way, link and so on.
    case motorway, trunk, primary, secondary, tertiary, street, livingStreet, pedestrian, service, track
    case cycleway, footway, path, steps, construction
    // Rails, ferries, runways, lifts.
    case rail, lightRail, tram, subway, funicular, ferry, aerialway, runway, taxiway
    // Boundaries.
    case countryBoundary, regionBoundary, municipalityBoundary
    // Labels: points with a name and a rank.
    case continent, country, region, city, town, village, suburb, quarter, hamlet, locality, island, seaName, peak
    // Points of interest (with `category`), stations, house numbers.
    case pointOfInterest, station, stop, houseNumber
}

/// One thing to draw, as the map of an atlas holds it for a zoom.
public struct MapShape: Sendable {
    public enum Geometry: Sendable {
        case point(MercatorPoint)
        /// At least two points.
        case line([MercatorPoint])
        /// Rings of three points and more, closed without repeating the first; filled by the even-odd rule.
        case area([[MercatorPoint]])
    }

    public struct Flags: OptionSet, Sendable, Hashable {
        public let rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        public static let bridge = Flags(rawValue: 1)
        public static let tunnel = Flags(rawValue: 2)
        /// Traffic runs along the points of the line only, ...
        public static let oneway = Flags(rawValue: 4)
        /// ... or against them only.
        public static let onewayReversed = Flags(rawValue: 8)
        /// A ramp or link road of its class.
        public static let link = Flags(rawValue: 16)
        public static let toll = Flags(rawValue: 32)
        public static let privateAccess = Flags(rawValue: 64)
        public static let unpaved = Flags(rawValue: 128)
        public static let intermittent = Flags(rawValue: 256)
        /// The capital of its country (places).
        public static let capital = Flags(rawValue: 512)
        public static let underground = Flags(rawValue: 1024)
    }

    /// Of the shape within its gazetteer; the same thing has the same number at every zoom.
    public var id: Int64
    public var kind: MapKind
    public var geometry: Geometry
    public var flags: Flags
    /// The `layer` tag, -5...5; 0 where there is none.
    public var layer: Int
    /// The name in the asked language where there is one, else the local one.
    public var name: String?
    /// Road number ("A 13;E 43"), platform or exit number; for a house number the number itself; for a peak its height.
    public var ref: String?
    /// Category of the lexicon ("restaurant") of a point of interest.
    public var category: String?
    /// What is labelled first where there is room for one only: larger first. For a place about its population.
    public var rank: Double

    public init(
        id: Int64, kind: MapKind, geometry: Geometry, flags: Flags = [], layer: Int = 0, name: String? = nil,
        ref: String? = nil, category: String? = nil, rank: Double = 0
    ) {
        self.id = id
        self.kind = kind
        self.geometry = geometry
        self.flags = flags
        self.layer = layer
        self.name = name
        self.ref = ref
        self.category = category
        self.rank = rank
    }
}

/// Where the painter takes its shapes from: a gazetteer, several of them, or a few shapes made by a test.
///
/// Land and sea: the painter fills the picture with the colour of the sea, then paints the shapes of the kinds `land` and
/// `sea` in the order in which they come, and then all else by its kind. A source of several maps gives the land of the
/// coarsest first; each finer one adds a `sea` area, which is all that it covers, and its own land upon that. So the
/// finest map wins within its cover, and the World's outlines show outside. Land may be cut into parts that overlap a
/// little: neither `land` nor `sea` is to be drawn with an outline (`coastline` lines are there for that).
///
/// Names: an area that bears a name has it in `name`; whoever labels it finds its own place inside. Points of interest,
/// stations, islands and house numbers that are areas in the data come as points besides.
public protocol MapSource: Sendable {
    /// Calls `body` for every shape that belongs on a map of `zoom` (0...19, of 256-pixel tiles) and may reach into `box`,
    /// simplified for that zoom; in an order that is always the same.
    func forEachMapShape(
        in box: MercatorBox, zoom: Int, languages: [String], _ body: (MapShape) throws -> Void
    ) throws
    /// What must stand on every map drawn from it, as "© OpenStreetMap contributors".
    var attributions: [String] { get }
}

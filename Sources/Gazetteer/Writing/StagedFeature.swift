import Geometry
import OpenStreetMap

/// A feature on its way into the database. Texts are numbers of the writer's interner, -1 for none; tags and outlines
/// lie encoded in the writer's arenas.
struct StagedFeature {
    var number: Int64
    /// 0 for what is no object of OpenStreetMap.
    var osmType: UInt8
    var source: UInt8
    var kind: FeatureKind
    var rank: UInt8
    var searchRank: UInt8
    /// 0 for none.
    var adminLevel: UInt8
    var key: Int32
    var value: Int32
    var name: Int32
    var houseNumber: Int32 = -1
    var street: Int32 = -1
    var place: Int32 = -1
    var postcode: Int32 = -1
    var country: Int32 = -1
    var wikidata: Int32 = -1
    var tags: Range<Int>
    var location: Coordinate
    var box: BoundingBox
    /// Index of the feature that it belongs to.
    var parent: Int32 = -1
    var context: Int32 = -1
    /// Index into the writer's outlines.
    var outline: Int32 = -1
    var population: Int64 = 0
    var importance: Float = 0
    /// Merged into another feature, or taken in by one: not written.
    var isDropped = false
    /// Took its house number from the building around it.
    var hasInheritedNumber = false
    /// Has tags that name the places around it (`addr:city` ...).
    var namesPlaces = false

    /// An encyclopaedia has an article on it.
    var hasArticle = false
    /// The capital of a country.
    var isCapital = false

    var osm: OSMID? { OSMType(rawValue: osmType).map { OSMID($0, number) } }
}

/// An outline: its encoded multipolygon in the writer's arena, with its size.
struct StagedOutline {
    var feature: Int32
    var blob: Range<Int>
    var box: BoundingBox
    /// Square degrees.
    var size: Double
}

/// The line of a way that is part of a street.
struct StagedLine {
    var way: Int64
    var feature: Int32
    var points: Range<Int>
    var box: BoundingBox
    /// Degrees, with longitudes scaled.
    var length: Double
}

/// An interpolated stretch between two numbers.
struct StagedInterpolation {
    var feature: Int32
    var first: Int
    var last: Int
    var step: Int
    var line: [Coordinate]
}

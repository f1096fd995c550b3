import Geometry
import OpenStreetMap

/// A feature on its way into the database. Texts are numbers of the writer's interner, -1 for none; tags and outlines
/// lie encoded in the writer's scratch files. A country has millions of them: 112 bytes each.
struct StagedFeature {
    var number: Int64
    /// Where the tags begin in the scratch file, and their bytes.
    private var tagStart: Int
    private var tagCount: UInt32
    /// 0 for what is no object of OpenStreetMap.
    var osmType: UInt8
    var source: UInt16
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
    /// Sets of places that tags name (`addr:city` ...), in the writer's list.
    var namedPlaces: Int32 = -1
    private var latitude: Int32
    private var longitude: Int32
    private var west: Int32
    private var south: Int32
    private var east: Int32
    private var north: Int32
    /// Index of the feature that it belongs to.
    var parent: Int32 = -1
    var context: Int32 = -1
    /// Index into the writer's outlines.
    var outline: Int32 = -1
    /// Set of kinds of the lexicon that its own object is of, in the writer's list.
    var kinds: Int32 = -1
    var population: UInt32 = 0
    var importance: Float = 0
    /// Merged into another feature, or taken in by one: not written.
    var isDropped = false
    /// Took its house number from the building around it.
    var hasInheritedNumber = false
    /// An encyclopaedia has an article on it.
    var hasArticle = false
    /// The capital of a country.
    var isCapital = false
    /// The capital of a state or region.
    var isRegionalCapital = false
    /// `addr:interpolation` on the address itself: the numbers of its range that count.
    var range = HouseNumber.RangeStep.byHabit

    init(
        _ main: FeatureTags, id: OSMID?, ranks: FeatureRanks, key: Int32, value: Int32, name: Int32, tags: Range<Int>,
        location: Coordinate, box: BoundingBox
    ) {
        number = id?.number ?? 0
        osmType = id?.type.rawValue ?? 0
        source = 0
        kind = ranks.kind
        rank = UInt8(ranks.address)
        searchRank = UInt8(ranks.search)
        adminLevel = 0
        self.key = key
        self.value = value
        self.name = name
        tagStart = tags.lowerBound
        tagCount = UInt32(truncatingIfNeeded: tags.count)
        (latitude, longitude) = (Self.fixed(location.latitude), Self.fixed(location.longitude))
        (west, south) = (Self.fixed(box.west), Self.fixed(box.south))
        (east, north) = (Self.fixed(box.east), Self.fixed(box.north))
    }

    /// Where the encoded tags lie in the writer's scratch file.
    var tags: Range<Int> {
        get { tagStart..<tagStart + Int(tagCount) }
        set {
            tagStart = newValue.lowerBound
            tagCount = UInt32(truncatingIfNeeded: newValue.count)
        }
    }

    /// To a ten-millionth of a degree, as OpenStreetMap has it.
    var location: Coordinate {
        get { Coordinate(latitude: Self.degrees(latitude), longitude: Self.degrees(longitude)) }
        set { (latitude, longitude) = (Self.fixed(newValue.latitude), Self.fixed(newValue.longitude)) }
    }

    var box: BoundingBox {
        get {
            BoundingBox(
                west: Self.degrees(west), south: Self.degrees(south), east: Self.degrees(east),
                north: Self.degrees(north))
        }
        set {
            (west, south) = (Self.fixed(newValue.west), Self.fixed(newValue.south))
            (east, north) = (Self.fixed(newValue.east), Self.fixed(newValue.north))
        }
    }

    private static func fixed(_ degrees: Double) -> Int32 {
        degrees.isFinite ? Int32(min(max((degrees * 1e7).rounded(), -1.8e9), 1.8e9)) : 0
    }

    private static func degrees(_ fixed: Int32) -> Double { Double(fixed) / 1e7 }

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

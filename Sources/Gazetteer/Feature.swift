import Geometry
import OpenStreetMap

/// Something that can be an answer: a country, a street, an address, a restaurant, a peak.
public struct Feature: Sendable, Equatable, Identifiable {
    /// The number within its gazetteer.
    public var id: Int64
    public var source: Int64
    /// The object in OpenStreetMap; nil for features from other sources and for what the import derived.
    public var osm: OSMID?
    /// The number in a source that is not OpenStreetMap.
    public var sourceNumber: Int64?
    public var kind: FeatureKind
    /// Key and value of the main tag: `amenity` and `restaurant`.
    public var category: String
    public var type: String
    /// The place in an address, 4 for a country to 30 for a house; 0 for what is no part of addresses.
    public var rank: Int
    /// How important things of this kind are in a search, 0 to 30 ("place rank").
    public var searchRank: Int
    public var adminLevel: Int?
    /// The default name, as the source has it.
    public var name: String?
    public var houseNumber: String?
    public var postcode: String?
    /// ISO 3166-1 alpha-2, small letters.
    public var country: String?
    /// The street or place that an address or place of interest belongs to.
    public var parent: Int64?
    /// The set of places that contain it.
    public var context: Int64?
    /// 0 to 1.
    public var importance: Double
    public var population: Int?
    public var boundingBox: BoundingBox
    /// A point inside an area, on a street, or the node itself.
    public var location: Coordinate
    /// All kept tags: names in every language, `addr:*`, phone, website ...
    public var tags: Tags

    /// The best name for readers of these languages; nil for what has no name.
    public func name(in languages: [String]) -> String? {
        Names.best(of: tags, languages: languages)
    }
}

extension Feature {
    /// The columns that `init(row:)` reads, in this order, for `SELECT` statements over `feature f`.
    static let columns = """
        f.id, f.source, f.osm_type, f.osm_id, f.kind, f.class, f.type, f.rank, f.search_rank, f.admin_level, f.name, \
        f.housenumber, f.postcode, f.country, f.parent, f.context, f.importance, f.population, f.west, f.south, f.east, \
        f.north, f.tags, f.geometry
        """

    /// How many columns `columns` has; a statement's own columns follow them.
    static let columnCount: Int32 = 24

    /// Reads the current row of a statement that selects `columns` first. Throws where the row is damaged.
    init(row: Statement) throws {
        guard let kind = FeatureKind(rawValue: row.int(4)), let category = row.text(5), let type = row.text(6),
            let location = row.withBlob(23, SpatialBlob.decodePoint),
            let tags = row.withText(22, TagsJSON.decode)
        else {
            throw DatabaseError(code: 11, message: "damaged feature", subject: "feature \(row.int64(0))")
        }
        id = row.int64(0)
        source = row.int64(1)
        let number: Int64? = row.isNull(3) ? nil : row.int64(3)
        switch row.withText(2, { $0.count == 1 ? $0.first : nil }) {
        case UInt8(ascii: "N"): osm = number.map { OSMID(.node, $0) }
        case UInt8(ascii: "W"): osm = number.map { OSMID(.way, $0) }
        case UInt8(ascii: "R"): osm = number.map { OSMID(.relation, $0) }
        default: sourceNumber = number
        }
        self.kind = kind
        self.category = category
        self.type = type
        rank = row.int(7)
        searchRank = row.int(8)
        adminLevel = row.isNull(9) ? nil : row.int(9)
        name = row.text(10)
        houseNumber = row.text(11)
        postcode = row.text(12)
        country = row.text(13)
        parent = row.isNull(14) ? nil : row.int64(14)
        context = row.isNull(15) ? nil : row.int64(15)
        importance = row.double(16)
        population = row.isNull(17) ? nil : row.int(17)
        boundingBox = BoundingBox(
            west: row.double(18), south: row.double(19), east: row.double(20), north: row.double(21))
        self.location = location
        self.tags = tags
    }
}

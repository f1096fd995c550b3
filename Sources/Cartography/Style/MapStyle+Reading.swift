import Foundation
import Gazetteer
import GazetteerData

extension MapStyle {
    /// The style that the product carries, `gazetteer/map-style.json`.
    public static func standard() throws -> MapStyle {
        let url = try GazetteerData.url("map-style.json")
        return try MapStyle(contentsOf: Data(contentsOf: url), file: url.lastPathComponent)
    }

    /// The style of a file of the reader's own.
    public init(contentsOf url: URL) throws {
        try self.init(contentsOf: Data(contentsOf: url), file: url.lastPathComponent)
    }

    /// Reads and checks a style.
    ///
    /// - Parameter file: what error messages call it.
    /// - Throws: `CartographyError.badStyle` with the entry at fault, for text that is not JSON, unknown kinds, colours,
    ///   icons and words, and kinds that no rule draws and `undrawn` does not name.
    public init(contentsOf data: Data, file: String) throws {
        guard data.count < 4_000_000 else {
            throw CartographyError.badStyle(file: file, place: "", reason: "too large for a style")
        }
        do {
            let written = try JSONDecoder().decode(WrittenStyle.self, from: data)
            self = try written.checked(file)
        } catch let error as DecodingError {
            throw Self.explained(error, file)
        }
    }

    private static func explained(_ error: DecodingError, _ file: String) -> CartographyError {
        func place(_ path: [any CodingKey]) -> String {
            path.reduce(into: "") { text, key in
                if let index = key.intValue {
                    text += "[\(index)]"
                } else {
                    text += (text.isEmpty ? "" : ".") + key.stringValue
                }
            }
        }
        switch error {
        case .keyNotFound(let key, let context):
            return .badStyle(file: file, place: place(context.codingPath), reason: "\"\(key.stringValue)\" is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return .badStyle(file: file, place: place(context.codingPath), reason: context.debugDescription)
        case .dataCorrupted(let context):
            let reason = context.codingPath.isEmpty ? "not JSON: \(context.debugDescription)" : context.debugDescription
            return .badStyle(file: file, place: place(context.codingPath), reason: reason)
        @unknown default: return .badStyle(file: file, place: "", reason: "\(error)")
        }
    }
}

/// The style as the file has it, before names are looked up.
private struct WrittenStyle: Decodable {
    var version: Int
    var palettes: [String: [String: String]]
    var fonts: [String: String]
    var ground: [WrittenRule]
    var ways: [WrittenRule]
    var top: [WrittenRule]
    var labels: [WrittenLabel]
    var icons: [String: String]
    var categories: [String: WrittenCategory]
    var undrawn: [String]
}

private struct WrittenRule: Decodable {
    var kinds: [String]
    var from: Double?
    var to: Double?
    var opacity: WrittenStops?
    var fill: String?
    var outline: String?
    var outlineWidth: WrittenStops?
    var minimumSide: Double?
    var line: String?
    var width: WrittenStops?
    var casing: String?
    var casingWidth: WrittenStops?
    var dash: [Double]?
    var dashUnit: String?
    var cap: String?
    var inner: String?
    var innerWidth: WrittenStops?
    var innerDash: [Double]?
    var arrowsFrom: Double?
    var arrow: String?
}

private struct WrittenLabel: Decodable {
    var kinds: [String]
    var from: Double?
    var to: Double?
    var placement: String
    var priority: Double
    var minimumRank: WrittenStops?
    var font: String?
    var size: WrittenStops
    var growth: Double?
    var colour: String
    var halo: String?
    var haloWidth: Double?
    var uppercase: Bool?
    var spacing: Double?
    var wrap: Double?
    var distance: Double?
    var padding: Double?
    var dot: WrittenStops?
    var plate: String?
    var icon: String?
    var text: String?
    var capitalsOnly: Bool?
}

private struct WrittenCategory: Decodable {
    var icon: String
    var colour: String
    var from: Double
    var priority: Double?
}

/// A number, or stops.
private struct WrittenStops: Decodable {
    var stops: [(zoom: Double, value: Double)]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            stops = [(0, number)]
            return
        }
        let pairs = try container.decode([[Double]].self)
        let isRising = zip(pairs, pairs.dropFirst()).allSatisfy { $0.first ?? 0 < $1.first ?? 0 }
        guard !pairs.isEmpty, pairs.allSatisfy({ $0.count == 2 }), isRising else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "stops are pairs [zoom, value] with rising zooms")
        }
        stops = pairs.map { ($0[0], $0[1]) }
    }
}

extension WrittenStyle {
    func checked(_ file: String) throws -> MapStyle {
        func fail(_ place: String, _ reason: String) -> CartographyError {
            .badStyle(file: file, place: place, reason: reason)
        }
        guard version == 1 else { throw fail("version", "this program reads version 1, not \(version)") }

        var colours: [MapLook: [String: MapColour]] = [:]
        for look in MapLook.allCases {
            guard let palette = palettes[look.rawValue] else {
                throw fail("palettes", "\"\(look.rawValue)\" is missing")
            }
            colours[look] = [:]
            for (name, text) in palette {
                guard let colour = MapColour(text) else {
                    throw fail("palettes.\(look.rawValue).\(name)", "\"\(text)\" is no colour like #4a90d9")
                }
                colours[look]?[name] = colour
            }
        }
        func colour(_ name: String?, _ place: String) throws -> String? {
            guard let name else { return nil }
            for look in MapLook.allCases where colours[look]?[name] == nil {
                throw fail(place, "the palette \"\(look.rawValue)\" has no colour \"\(name)\"")
            }
            return name
        }
        for name in MapPainter.ownColours { _ = try colour(name, "palettes") }
        func kinds(_ names: [String], _ place: String) throws -> [MapKind] {
            guard !names.isEmpty else { throw fail(place, "names no kinds") }
            return try names.map { name in
                guard let kind = MapKind(rawValue: name) else { throw fail(place, "there is no kind \"\(name)\"") }
                return kind
            }
        }
        func zooms(_ from: Double?, _ to: Double?, _ place: String) throws -> Range<Double> {
            let (from, to) = (from ?? 0, to ?? 100)
            guard from < to else { throw fail(place, "\"from\" must be less than \"to\"") }
            return from..<to
        }
        func stops(_ written: WrittenStops?, _ fallback: Double) -> MapStyle.Stops {
            written.map { MapStyle.Stops($0.stops) } ?? MapStyle.Stops(fallback)
        }

        func rules(_ written: [WrittenRule], _ section: String) throws -> [MapStyle.Rule] {
            try written.enumerated().map { index, rule in
                let place = "\(section)[\(index)]"
                let unit = rule.dashUnit ?? "points"
                guard ["points", "widths"].contains(unit) else {
                    throw fail(place, "\"dashUnit\" is \"points\" or \"widths\", not \"\(unit)\"")
                }
                let cap = rule.cap ?? "round"
                guard ["round", "butt"].contains(cap) else {
                    throw fail(place, "\"cap\" is \"round\" or \"butt\", not \"\(cap)\"")
                }
                for dash in [rule.dash, rule.innerDash] {
                    guard let dash else { continue }
                    guard dash.count == 2, dash.allSatisfy({ $0 > 0 }) else {
                        throw fail(place, "a dash is two lengths above 0: [dash, gap]")
                    }
                }
                return MapStyle.Rule(
                    kinds: try kinds(rule.kinds, place), zooms: try zooms(rule.from, rule.to, place),
                    opacity: stops(rule.opacity, 1), fill: try colour(rule.fill, place),
                    outline: try colour(rule.outline, place), outlineWidth: stops(rule.outlineWidth, 1),
                    minimumSide: rule.minimumSide ?? 0, line: try colour(rule.line, place),
                    width: stops(rule.width, 1), casing: try colour(rule.casing, place),
                    casingWidth: stops(rule.casingWidth, 0), dash: rule.dash ?? [], dashesByWidth: unit == "widths",
                    isRound: cap == "round", inner: try colour(rule.inner, place),
                    innerWidth: stops(rule.innerWidth, 1), innerDash: rule.innerDash ?? [],
                    arrowsFrom: rule.arrowsFrom, arrow: try colour(rule.arrow, place))
            }
        }

        var outlines: [String: MapStyle.Icon] = [:]
        for (name, path) in icons {
            guard let path = VectorPath(svg: path) else { throw fail("icons.\(name)", "cannot be read as an SVG path") }
            outlines[name] = MapStyle.Icon(path: path)
        }
        func icon(_ name: String, _ place: String) throws -> String {
            guard outlines[name] != nil else { throw fail(place, "there is no icon \"\(name)\"") }
            return name
        }
        var known: [String: MapStyle.Category] = [:]
        for (name, category) in categories {
            let place = "categories.\(name)"
            known[name] = MapStyle.Category(
                icon: try icon(category.icon, place), colour: try colour(category.colour, place) ?? "",
                from: category.from, priority: category.priority ?? 0)
        }
        guard known["default"] != nil else { throw fail("categories", "\"default\" is missing") }

        let labelRules = try labels.enumerated().map { index, label in
            let place = "labels[\(index)]"
            guard let placement = MapStyle.LabelRule.Placement(rawValue: label.placement) else {
                throw fail(place, "\"placement\" is point, line, shield or icon, not \"\(label.placement)\"")
            }
            guard let font = MapStyle.Font(rawValue: label.font ?? "regular") else {
                throw fail(place, "\"font\" is regular, bold or italic, not \"\(label.font ?? "")\"")
            }
            guard ["name", "ref"].contains(label.text ?? "name") else {
                throw fail(place, "\"text\" is \"name\" or \"ref\", not \"\(label.text ?? "")\"")
            }
            guard label.wrap ?? 9 > 0 else { throw fail(place, "\"wrap\" is the ems of a line, more than 0") }
            return MapStyle.LabelRule(
                kinds: try kinds(label.kinds, place), zooms: try zooms(label.from, label.to, place),
                placement: placement, priority: label.priority, minimumRank: stops(label.minimumRank, -.infinity),
                font: font, size: stops(label.size, 11), growth: label.growth ?? 0,
                colour: try colour(label.colour, place) ?? "", halo: try colour(label.halo ?? "halo", place) ?? "",
                haloWidth: label.haloWidth ?? 1.4, isUppercase: label.uppercase ?? false,
                spacing: label.spacing ?? 0, wrap: label.wrap ?? 9, distance: max(label.distance ?? 250, 20),
                padding: label.padding ?? 2, dot: stops(label.dot, 0), plate: try colour(label.plate, place),
                icon: try label.icon.map { try icon($0, place) }, usesRef: label.text == "ref",
                capitalsOnly: label.capitalsOnly ?? false)
        }

        var families: [MapStyle.Font: String] = [:]
        for font in MapStyle.Font.allCases {
            guard let family = fonts[font.rawValue] else { throw fail("fonts", "\"\(font.rawValue)\" is missing") }
            families[font] = family
        }

        let style = MapStyle(
            palettes: colours, fonts: families, ground: try rules(ground, "ground"), ways: try rules(ways, "ways"),
            top: try rules(top, "top"), labels: labelRules, icons: outlines, categories: known,
            undrawn: Set(undrawn.isEmpty ? [] : try kinds(undrawn, "undrawn")))
        let drawn = Set(
            GroundDrawing.orderedKinds + (style.ground + style.ways + style.top).flatMap(\.kinds)
                + labelRules.flatMap(\.kinds))
        if let missing = MapKind.allCases.first(where: { !drawn.contains($0) && !style.undrawn.contains($0) }) {
            throw fail("undrawn", "nothing draws \"\(missing.rawValue)\", nor is it named here")
        }
        return style
    }
}

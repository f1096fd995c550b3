import Foundation
import Gazetteer

/// How a map looks: the contents of the style file, checked.
///
///     let style = try MapStyle.standard()
///     let painter = MapPainter(source: source, style: style, look: .dark)
///
/// The file is JSON. `palettes` gives each look its named colours; `ground`, `ways` and `top` are rules for areas and
/// lines, drawn in the order of the file; `labels` are rules for writing and icons, placed in the order of their
/// priority; `icons` are outlines in the notation of SVG paths; `categories` give points of interest their icon. A value
/// that depends on the zoom is a list of stops, `[[10, 0.5], [16, 8]]`, between which it grows evenly.
public struct MapStyle: Sendable {
    /// The colours of each look by name.
    var palettes: [MapLook: [String: MapColour]]
    var fonts: [Font: String]
    /// What lies on the ground, bottom first.
    var ground: [Rule]
    /// Roads and rails, minor ones first; drawn as tunnels, on the ground, and as bridges.
    var ways: [Rule]
    /// Over the ways: boundaries, cables.
    var top: [Rule]
    var labels: [LabelRule]
    var icons: [String: Icon]
    var categories: [String: Category]
    /// Kinds that are left out on purpose.
    var undrawn: Set<MapKind>

    /// How a kind of the lexicon is shown: by its own icon, by the one it shares, or as any place of interest.
    func category(ofKind name: String?) -> Category? {
        let own = name.flatMap { categories[$0] ?? PlaceKinds.shared[$0]?.icon.flatMap { categories[$0] } }
        return own ?? categories["default"]
    }

    /// A number for each zoom: stops, between which it grows evenly; the same beyond them.
    struct Stops: Sendable, Hashable {
        var stops: [(zoom: Double, value: Double)]

        init(_ value: Double) { stops = [(0, value)] }
        init(_ stops: [(zoom: Double, value: Double)]) { self.stops = stops }

        func callAsFunction(_ zoom: Double) -> Double {
            guard let first = stops.first else { return 0 }
            if zoom <= first.zoom { return first.value }
            for (low, high) in zip(stops, stops.dropFirst()) where zoom < high.zoom {
                return low.value + (high.value - low.value) * (zoom - low.zoom) / (high.zoom - low.zoom)
            }
            return stops[stops.count - 1].value
        }

        static func == (a: Stops, b: Stops) -> Bool {
            a.stops.elementsEqual(b.stops) { $0.zoom == $1.zoom && $0.value == $1.value }
        }

        func hash(into hasher: inout Hasher) {
            for stop in stops {
                hasher.combine(stop.zoom)
                hasher.combine(stop.value)
            }
        }
    }

    /// How areas and lines of some kinds are drawn.
    struct Rule: Sendable {
        var kinds: [MapKind]
        var zooms: Range<Double>
        var opacity: Stops
        /// Areas.
        var fill: String?
        var outline: String?
        var outlineWidth: Stops
        /// Areas smaller than this are left out; points of the picture, as a square's side.
        var minimumSide: Double
        /// Lines.
        var line: String?
        var width: Stops
        var casing: String?
        var casingWidth: Stops
        /// In points, or in line widths where `dashesByWidth`.
        var dash: [Double]
        var dashesByWidth: Bool
        var isRound: Bool
        /// A second line upon the first: the sleepers of a railway, the steps of stairs.
        var inner: String?
        var innerWidth: Stops
        var innerDash: [Double]
        /// From which zoom arrows tell the direction of one-way roads.
        var arrowsFrom: Double?
        var arrow: String?
    }

    enum Font: String, Sendable, Hashable, CaseIterable { case regular, bold, italic }

    /// How things of some kinds are named.
    struct LabelRule: Sendable {
        enum Placement: String, Sendable { case point, line, shield, icon }

        var kinds: [MapKind]
        var zooms: Range<Double>
        var placement: Placement
        /// Larger ones are placed first; among equals the larger rank.
        var priority: Double
        /// Shapes with a smaller rank are left out.
        var minimumRank: Stops
        var font: Font
        /// Points from line to line are 1.2 of it.
        var size: Stops
        /// How much larger a label is for each tenfold rank beyond `minimumRank`; points.
        var growth: Double
        var colour: String
        var halo: String
        var haloWidth: Double
        var isUppercase: Bool
        /// Between letters, in ems.
        var spacing: Double
        /// Lines are broken at about so many ems.
        var wrap: Double
        /// Along lines: points from one label to the next.
        var distance: Double
        /// Around labels, where no other may stand; points.
        var padding: Double
        /// The radius of a dot on the place; 0 for none.
        var dot: Stops
        /// The background of shields.
        var plate: String?
        /// Icons for kinds without a category.
        var icon: String?
        /// Write `ref` instead of the name.
        var usesRef: Bool
        /// Capitals only.
        var capitalsOnly: Bool
    }

    /// A small picture: outlines in a square of 16 units.
    struct Icon: Sendable {
        var path: VectorPath
    }

    /// How points of interest of a category are shown.
    struct Category: Sendable {
        var icon: String
        var colour: String
        /// The first zoom at which they appear at all.
        var from: Double
        var priority: Double
    }

    /// The colour that a look gives a name of the palette, such as `sea`; nil for a name that it does not have.
    public func colour(_ name: String?, _ look: MapLook) -> MapColour? {
        guard let name else { return nil }
        return palettes[look]?[name]
    }
}

/// The looks that the style file knows.
public enum MapLook: String, Sendable, Hashable, CaseIterable {
    /// Bright, for paper and day.
    case light
    /// For the night.
    case dark
    /// Pale, as a ground for data.
    case muted
}

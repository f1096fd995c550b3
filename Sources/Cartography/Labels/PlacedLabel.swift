/// A rectangle in points.
struct LabelBox: Sendable, Hashable {
    var minX: Double
    var minY: Double
    var maxX: Double
    var maxY: Double

    func intersects(_ other: LabelBox) -> Bool {
        minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
    }

    func grown(by margin: Double) -> LabelBox {
        LabelBox(minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin)
    }

    func union(_ other: LabelBox) -> LabelBox {
        LabelBox(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }
}

/// A name, icon or shield that has found its place; points from the corner of the part of the world it was placed in.
struct PlacedLabel: Sendable {
    struct Glyph: Sendable {
        var outline: GlyphOutline
        var x: Double
        var y: Double
        var cosine: Double
        var sine: Double
    }
    struct Mark: Sendable {
        enum Form: Sendable, Hashable {
            case dot
            /// By name, in a disc.
            case icon(String)
            /// A rounded rectangle behind the letters.
            case plate(width: Double, height: Double)
        }
        var form: Form
        var x: Double
        var y: Double
        /// The radius; half the height of a plate.
        var size: Double
        var colour: String
    }

    var text: String
    var glyphs: [Glyph] = []
    var size: Double
    var colour: String
    var halo: String
    var haloWidth: Double
    var mark: Mark?
    /// What it covers, no two labels' boxes overlap.
    var boxes: [LabelBox]
    var bounds: LabelBox
}

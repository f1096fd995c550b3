/// A line of writing, shaped: which letters stand where, in units of the font's size, the baseline at y 0.
struct ShapedText: Sendable {
    struct Glyph: Sendable {
        var outline: GlyphOutline
        /// Where its origin is, ems from the line's start.
        var x: Double
        var y: Double
        /// How far it moves on, ems.
        var advance: Double
    }

    var glyphs: [Glyph]
    /// Ems.
    var width: Double
    /// Whether its letters hang together, so that it must not be bent much (Arabic, Devanagari).
    var isConnected: Bool

    static let empty = ShapedText(glyphs: [], width: 0, isConnected: false)
}

/// A letter's outline, shared by all its uses; for a font of size 1.
final class GlyphOutline: Sendable {
    let path: VectorPath

    init(_ path: VectorPath) { self.path = path }
}

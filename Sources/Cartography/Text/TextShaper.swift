import CPango
import Locking

/// Turns names into outlines, with Pango: bidirectional text, ligatures, fallback fonts.
///
/// One thread at a time may use a shaper; `TextShapers` sees to that. Outlines are made once for a size of 64 and scaled,
/// so that a label looks the same at every zoom, and letters turn and move by fractions of a pixel.
final class TextShaper {
    private static let referenceSize = 64.0
    /// Longer names are cut off.
    static let maximumLength = 120

    private struct Key: Hashable {
        var text: String
        var font: MapStyle.Font
    }
    private struct GlyphKey: Hashable {
        var font: OpaquePointer
        var glyph: UInt32
    }

    private let map: OpaquePointer
    private let context: OpaquePointer
    private let layout: OpaquePointer
    private let scratch: OpaquePointer
    private let scratchSurface: OpaquePointer
    private let fonts: [MapStyle.Font: OpaquePointer]
    /// Scaled fonts seen, held so that their addresses stay theirs.
    private var held: Set<OpaquePointer> = []
    private var outlines: [GlyphKey: GlyphOutline] = [:]
    private var shaped: [Key: ShapedText] = [:]

    init(families: [MapStyle.Font: String]) throws {
        guard let map = pango_cairo_font_map_new(), let context = pango_font_map_create_context(map),
            let layout = pango_layout_new(context),
            let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1), let scratch = cairo_create(surface),
            let options = cairo_font_options_create()
        else { throw CartographyError.drawingFailed("no fonts") }
        self.map = map
        self.context = context
        self.layout = layout
        self.scratch = scratch
        scratchSurface = surface
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
        var fonts: [MapStyle.Font: OpaquePointer] = [:]
        for font in MapStyle.Font.allCases {
            guard let description = pango_font_description_new() else { continue }
            pango_font_description_set_family(description, families[font] ?? "Sans")
            pango_font_description_set_absolute_size(description, Self.referenceSize * Double(SX_PANGO_SCALE))
            if font == .bold { pango_font_description_set_weight(description, Int32(SX_WEIGHT_BOLD)) }
            if font == .italic { pango_font_description_set_style(description, Int32(SX_STYLE_ITALIC)) }
            fonts[font] = description
        }
        self.fonts = fonts
        pango_layout_set_single_paragraph_mode(layout, 1)
    }

    deinit {
        for font in fonts.values { pango_font_description_free(font) }
        for font in held { cairo_scaled_font_destroy(font) }
        g_object_unref(UnsafeMutableRawPointer(layout))
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(map))
        cairo_destroy(scratch)
        cairo_surface_destroy(scratchSurface)
    }

    /// The text in one line. Control characters are left out, and what is beyond 120 characters is cut off.
    func shape(_ text: String, _ font: MapStyle.Font) -> ShapedText {
        let key = Key(text: text, font: font)
        if let known = shaped[key] { return known }
        let result = lineShaped(text, font)
        if shaped.count > 20_000 { shaped.removeAll() }
        shaped[key] = result
        return result
    }

    private func lineShaped(_ text: String, _ font: MapStyle.Font) -> ShapedText {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(4 * Self.maximumLength) where !Self.isControl(scalar) {
            clean.append(scalar)
        }
        var line = String(clean)
        if line.count > Self.maximumLength { line = line.prefix(Self.maximumLength - 1) + "…" }
        guard !line.isEmpty, let description = fonts[font] else { return .empty }
        pango_layout_set_font_description(layout, description)
        pango_layout_set_text(layout, line, Int32(line.utf8.count))

        var glyphs: [ShapedText.Glyph] = []
        var x = 0.0
        let unit = 1 / (Double(SX_PANGO_SCALE) * Self.referenceSize)
        guard let iterator = pango_layout_get_iter(layout) else { return .empty }
        defer { pango_layout_iter_free(iterator) }
        repeat {
            guard let run = pango_layout_iter_get_run_readonly(iterator) else { continue }
            guard let item = run.pointee.item, let string = run.pointee.glyphs, let font = item.pointee.analysis.font,
                let scaled = pango_cairo_font_get_scaled_font(font)
            else { continue }
            for index in 0..<Int(string.pointee.num_glyphs) {
                let info = string.pointee.glyphs[index]
                let advance = Double(info.geometry.width) * unit
                if info.glyph & UInt32(SX_GLYPH_UNKNOWN_FLAG) == 0, info.glyph != UInt32(SX_GLYPH_EMPTY) {
                    glyphs.append(
                        ShapedText.Glyph(
                            outline: outline(info.glyph, scaled), x: x + Double(info.geometry.x_offset) * unit,
                            y: Double(info.geometry.y_offset) * unit, advance: advance))
                }
                x += advance
            }
        } while pango_layout_iter_next_run(iterator) != 0
        return ShapedText(glyphs: glyphs, width: x, isConnected: line.unicodeScalars.contains(where: Self.isConnected))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
        // Embeddings and overrides without an end would turn what follows.
        default: (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
        }
    }

    /// Scripts whose letters are joined: Arabic and its kin, the Indian ones.
    private static func isConnected(_ scalar: Unicode.Scalar) -> Bool {
        (0x0600...0x07BF).contains(scalar.value) || (0x0900...0x0DFF).contains(scalar.value)
            || (0xFB50...0xFEFC).contains(scalar.value)
    }

    private func outline(_ glyph: UInt32, _ font: OpaquePointer) -> GlyphOutline {
        let key = GlyphKey(font: font, glyph: glyph)
        if let known = outlines[key] { return known }
        if held.insert(font).inserted { cairo_scaled_font_reference(font) }
        cairo_set_scaled_font(scratch, font)
        cairo_new_path(scratch)
        var single = cairo_glyph_t(index: UInt(glyph), x: 0, y: 0)
        cairo_glyph_path(scratch, &single, 1)
        var elements: [VectorPath.Element] = []
        let unit = 1 / Self.referenceSize
        if let path = cairo_copy_path(scratch) {
            var index = 0
            let count = Int(path.pointee.num_data)
            while index < count {
                let at = Int32(index)
                func x(_ step: Int32) -> Double { sx_path_x(path, at + step) * unit }
                func y(_ step: Int32) -> Double { sx_path_y(path, at + step) * unit }
                switch cairo_path_data_type_t(rawValue: UInt32(sx_path_type(path, at))) {
                case CAIRO_PATH_MOVE_TO: elements.append(.move(x(1), y(1)))
                case CAIRO_PATH_LINE_TO: elements.append(.line(x(1), y(1)))
                case CAIRO_PATH_CURVE_TO: elements.append(.curve(x(1), y(1), x(2), y(2), x(3), y(3)))
                default: elements.append(.close)
                }
                index += max(Int(sx_path_length(path, at)), 1)
            }
            cairo_path_destroy(path)
        }
        let outline = GlyphOutline(VectorPath(elements))
        outlines[key] = outline
        return outline
    }
}

/// Shapers that wait to be used, so that several tasks may draw at once.
final class TextShapers: Sendable {
    private struct Idle: @unchecked Sendable {
        // A shaper waits here unused; one taken out belongs to who took it.
        var shapers: [TextShaper] = []
    }

    private let families: [MapStyle.Font: String]
    private let idle = Mutex(Idle())

    init(families: [MapStyle.Font: String]) { self.families = families }

    func withShaper<Result>(_ body: (TextShaper) throws -> Result) throws -> Result {
        let box = Lent(
            shaper: try idle.withLock { Lent(shaper: $0.shapers.popLast()) }.shaper ?? TextShaper(families: families))
        defer { idle.withLock { $0.shapers.append(box.shaper) } }
        return try body(box.shaper)
    }

    private struct Lent<Shaper>: @unchecked Sendable { var shaper: Shaper }
}

import CPango

/// A surface to draw on, with Cairo's pen: pixels, or a page of SVG or PDF.
///
/// Coordinates are points with y downwards; a pixel surface may have a frame of spare pixels around it that is cut off at
/// the end, so that nothing which Cairo does at a surface's edge shows. Not Sendable: one thread draws on it.
final class Canvas {
    enum Form { case svg, pdf }

    private let surface: OpaquePointer
    let pen: OpaquePointer
    private let sink = ByteSink()
    /// Pixels of the picture, the frame left out.
    let width: Int
    let height: Int
    private let frame: Int

    /// Pixels; `scale` of them make a point.
    init(width: Int, height: Int, scale: Int, frame: Int = 0) throws {
        guard
            let surface = cairo_image_surface_create(
                CAIRO_FORMAT_RGB24, Int32(width + 2 * frame), Int32(height + 2 * frame)),
            let pen = cairo_create(surface)
        else { throw CartographyError.drawingFailed("out of memory") }
        self.surface = surface
        self.pen = pen
        self.width = width
        self.height = height
        self.frame = frame
        cairo_translate(pen, Double(frame), Double(frame))
        cairo_scale(pen, Double(scale), Double(scale))
        try check()
    }

    /// A page of so many points.
    init(_ form: Form, width: Double, height: Double) throws {
        let closure = Unmanaged.passUnretained(sink).toOpaque()
        let surface: OpaquePointer? =
            switch form {
            case .svg: cairo_svg_surface_create_for_stream(ByteSink.write, closure, width, height)
            case .pdf: cairo_pdf_surface_create_for_stream(ByteSink.write, closure, width, height)
            }
        guard let surface, let pen = cairo_create(surface) else {
            throw CartographyError.drawingFailed("out of memory")
        }
        if form == .svg { cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX) }
        self.surface = surface
        self.pen = pen
        self.width = Int(width)
        self.height = Int(height)
        frame = 0
        try check()
    }

    deinit {
        cairo_destroy(pen)
        cairo_surface_destroy(surface)
    }

    private func check() throws {
        for status in [cairo_status(pen), cairo_surface_status(surface)] where status != CAIRO_STATUS_SUCCESS {
            throw CartographyError.drawingFailed(String(cString: cairo_status_to_string(status)))
        }
    }

    /// The page's bytes; the canvas is finished then.
    func document() throws -> [UInt8] {
        cairo_show_page(pen)
        try check()
        cairo_surface_finish(surface)
        try check()
        return sink.bytes
    }

    /// The pixels row by row, four bytes each: red, green, blue, 255.
    func pixels() throws -> [UInt8] {
        cairo_surface_flush(surface)
        try check()
        guard let data = cairo_image_surface_get_data(surface) else {
            throw CartographyError.drawingFailed("no pixels")
        }
        let stride = Int(cairo_image_surface_get_stride(surface))
        let (width, height, frame) = (width, height, frame)
        return [UInt8](unsafeUninitializedCapacity: width * height * 4) { bytes, count in
            var target = 0
            for y in 0..<height {
                let row = (data + (y + frame) * stride + frame * 4).withMemoryRebound(to: UInt32.self, capacity: width)
                { $0 }
                for x in 0..<width {
                    let pixel = row[x]
                    bytes[target] = UInt8(truncatingIfNeeded: pixel >> 16)
                    bytes[target + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
                    bytes[target + 2] = UInt8(truncatingIfNeeded: pixel)
                    bytes[target + 3] = 255
                    target += 4
                }
            }
            count = target
        }
    }

    /// Copies the pixels of another canvas, its corner at this pixel.
    func paste(_ other: Canvas, x: Int, y: Int) throws {
        cairo_surface_flush(surface)
        cairo_surface_flush(other.surface)
        try check()
        try other.check()
        guard let target = cairo_image_surface_get_data(surface),
            let source = cairo_image_surface_get_data(other.surface),
            x >= 0, y >= 0, x + other.width <= width, y + other.height <= height
        else { throw CartographyError.drawingFailed("no pixels") }
        let (stride, otherStride) = (
            Int(cairo_image_surface_get_stride(surface)), Int(cairo_image_surface_get_stride(other.surface))
        )
        for row in 0..<other.height {
            let from = source + (row + other.frame) * otherStride + other.frame * 4
            (target + (y + frame + row) * stride + (x + frame) * 4).update(from: from, count: other.width * 4)
        }
        cairo_surface_mark_dirty(surface)
    }

    /// The picture as PNG.
    func png() throws -> [UInt8] {
        cairo_surface_flush(surface)
        try check()
        guard let data = cairo_image_surface_get_data(surface) else {
            throw CartographyError.drawingFailed("no pixels")
        }
        let stride = cairo_image_surface_get_stride(surface)
        // The same memory without its frame.
        guard
            let cut = cairo_image_surface_create_for_data(
                data + frame * Int(stride) + frame * 4, CAIRO_FORMAT_RGB24, Int32(width), Int32(height), stride)
        else { throw CartographyError.drawingFailed("out of memory") }
        defer { cairo_surface_destroy(cut) }
        let status = cairo_surface_write_to_png_stream(cut, ByteSink.write, Unmanaged.passUnretained(sink).toOpaque())
        guard status == CAIRO_STATUS_SUCCESS else {
            throw CartographyError.drawingFailed(String(cString: cairo_status_to_string(status)))
        }
        return sink.bytes
    }
}

/// Takes the bytes that Cairo writes.
private final class ByteSink {
    var bytes: [UInt8] = []

    static let write: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UInt32) -> cairo_status_t = {
        closure, data, length in
        guard let closure, let data else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue()
            .bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
        return CAIRO_STATUS_SUCCESS
    }
}

// The pen's strokes.
extension Canvas {
    func move(_ x: Double, _ y: Double) { cairo_move_to(pen, x, y) }
    func line(_ x: Double, _ y: Double) { cairo_line_to(pen, x, y) }
    func closePath() { cairo_close_path(pen) }
    func clearPath() { cairo_new_path(pen) }

    func circle(_ x: Double, _ y: Double, _ radius: Double) {
        cairo_new_sub_path(pen)
        cairo_arc(pen, x, y, radius, 0, 2 * .pi)
        cairo_close_path(pen)
    }

    func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0) {
        guard radius > 0 else {
            cairo_rectangle(pen, x, y, width, height)
            return
        }
        let radius = min(radius, width / 2, height / 2)
        cairo_new_sub_path(pen)
        cairo_arc(pen, x + width - radius, y + radius, radius, -.pi / 2, 0)
        cairo_arc(pen, x + width - radius, y + height - radius, radius, 0, .pi / 2)
        cairo_arc(pen, x + radius, y + height - radius, radius, .pi / 2, .pi)
        cairo_arc(pen, x + radius, y + radius, radius, .pi, .pi * 3 / 2)
        cairo_close_path(pen)
    }

    func path(_ elements: [VectorPath.Element]) {
        for element in elements {
            switch element {
            case .move(let x, let y): cairo_move_to(pen, x, y)
            case .line(let x, let y): cairo_line_to(pen, x, y)
            case .curve(let ax, let ay, let bx, let by, let x, let y): cairo_curve_to(pen, ax, ay, bx, by, x, y)
            case .close: cairo_close_path(pen)
            }
        }
    }

    private func setColour(_ colour: MapColour) {
        cairo_set_source_rgba(pen, colour.red, colour.green, colour.blue, colour.alpha)
    }

    /// Everything in one colour.
    func paint(_ colour: MapColour) {
        setColour(colour)
        cairo_paint(pen)
    }

    /// Fills the path, and forgets it unless `keeping`.
    func fill(_ colour: MapColour, evenOdd: Bool = false, keeping: Bool = false) {
        setColour(colour)
        cairo_set_fill_rule(pen, evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        if keeping { cairo_fill_preserve(pen) } else { cairo_fill(pen) }
    }

    /// Draws along the path, and forgets it unless `keeping`.
    func stroke(
        _ colour: MapColour, width: Double, cap: MapMarks.Cap = .round, join: MapMarks.Join = .round,
        dash: [Double] = [], dashPhase: Double = 0, keeping: Bool = false
    ) {
        setColour(colour)
        cairo_set_line_width(pen, width)
        switch cap {
        case .butt: cairo_set_line_cap(pen, CAIRO_LINE_CAP_BUTT)
        case .round: cairo_set_line_cap(pen, CAIRO_LINE_CAP_ROUND)
        case .square: cairo_set_line_cap(pen, CAIRO_LINE_CAP_SQUARE)
        }
        switch join {
        case .miter: cairo_set_line_join(pen, CAIRO_LINE_JOIN_MITER)
        case .round: cairo_set_line_join(pen, CAIRO_LINE_JOIN_ROUND)
        case .bevel: cairo_set_line_join(pen, CAIRO_LINE_JOIN_BEVEL)
        }
        cairo_set_dash(pen, dash, Int32(dash.count), dashPhase)
        if keeping { cairo_stroke_preserve(pen) } else { cairo_stroke(pen) }
    }

    /// Draws what `body` draws through a window.
    func clipped(x: Double, y: Double, width: Double, height: Double, _ body: () throws -> Void) rethrows {
        cairo_save(pen)
        cairo_rectangle(pen, x, y, width, height)
        cairo_clip(pen)
        defer { cairo_restore(pen) }
        try body()
    }

    /// Draws what `body` draws as one thing that shines through.
    func faded(_ alpha: Double, _ body: () throws -> Void) rethrows {
        guard alpha < 1 else { return try body() }
        cairo_push_group(pen)
        defer {
            cairo_pop_group_to_source(pen)
            cairo_paint_with_alpha(pen, max(alpha, 0))
        }
        try body()
    }
}

import Foundation

/// Draws names, icons and shields where they were placed.
struct LabelDrawing {
    let canvas: Canvas
    let style: MapStyle
    let look: MapLook

    /// - Parameters:
    ///   - dx: where the labels' corner lies in the picture, whole points on tiles.
    func draw(_ labels: [PlacedLabel], dx: Double, dy: Double, width: Double, height: Double) {
        let visible = LabelBox(minX: -8 - dx, minY: -8 - dy, maxX: width + 8 - dx, maxY: height + 8 - dy)
        // The most important last, though they never overlap: haloes may touch.
        for label in labels.reversed() where label.bounds.intersects(visible) {
            if let mark = label.mark { draw(mark, label, dx, dy) }
            drawText(label, dx, dy)
        }
    }

    private func drawText(_ label: PlacedLabel, _ dx: Double, _ dy: Double) {
        guard !label.glyphs.isEmpty, let colour = style.colour(label.colour, look) else { return }
        var path: [VectorPath.Element] = []
        for glyph in label.glyphs {
            glyph.outline.path.placed(
                x: glyph.x + dx, y: glyph.y + dy, scale: label.size, cosine: glyph.cosine, sine: glyph.sine, into: &path
            )
        }
        canvas.path(path)
        if let halo = style.colour(label.halo, look), label.haloWidth > 0 {
            canvas.stroke(halo, width: 2 * label.haloWidth, keeping: true)
        }
        canvas.fill(colour)
    }

    private func draw(_ mark: PlacedLabel.Mark, _ label: PlacedLabel, _ dx: Double, _ dy: Double) {
        guard let colour = style.colour(mark.colour, look) else { return }
        let (x, y) = (mark.x + dx, mark.y + dy)
        switch mark.form {
        case .dot:
            canvas.circle(x, y, mark.size + 1)
            canvas.fill(style.colour(label.halo, look) ?? colour)
            canvas.circle(x, y, mark.size)
            canvas.fill(colour)
        case .icon(let name):
            guard let icon = style.icons[name] else { return }
            canvas.circle(x, y, mark.size + 1)
            canvas.fill(style.colour("iconRim", look) ?? colour)
            canvas.circle(x, y, mark.size)
            canvas.fill(colour)
            var path: [VectorPath.Element] = []
            // Icons fill a square of 16 units; the disc's inner square is a bit more than its radius wide.
            let scale = mark.size * 1.3 / 16
            icon.path.placed(x: x - 8 * scale, y: y - 8 * scale, scale: scale, into: &path)
            canvas.path(path)
            canvas.fill(style.colour("icon", look) ?? colour, evenOdd: true)
        case .plate(let width, let height):
            canvas.rectangle(x - width / 2 - 1, y - height / 2 - 1, width + 2, height + 2, radius: 4)
            canvas.fill(style.colour(label.halo, look) ?? colour)
            canvas.rectangle(x - width / 2, y - height / 2, width, height, radius: 3)
            canvas.fill(colour)
        }
    }
}

import Foundation
import Geometry

/// The scale bar and the line of attribution that stand on every picture.
struct Furniture {
    let canvas: Canvas
    let frame: MapFrame
    let style: MapStyle
    let look: MapLook
    let shaper: TextShaper

    private struct Bar {
        var metres: Double
        var width: Double
        var text: ShapedText
        var box: LabelBox
    }

    /// The longest round distance that fits; nil on pictures too small for one.
    private var bar: Bar? {
        let room = min(frame.width * 0.3, 110)
        guard room > 36, frame.height > 60, frame.metresPerPoint > 0 else { return nil }
        let most = room * frame.metresPerPoint
        let power = pow(10, floor(log10(most)))
        guard let metres = [5, 2, 1].map({ $0 * power }).first(where: { $0 <= most }) else { return nil }
        let label =
            metres >= 1000 ? "\(Int(metres / 1000)) km" : metres >= 1 ? "\(Int(metres)) m" : "\(Int(metres * 100)) cm"
        let width = metres / frame.metresPerPoint
        return Bar(
            metres: metres, width: width, text: shaper.shape(label, .regular),
            box: LabelBox(minX: 8, minY: frame.height - 24, maxX: 8 + width, maxY: frame.height - 6))
    }

    private struct Credit {
        var text: ShapedText
        var size: Double
        var box: LabelBox
    }

    private func credit(_ attributions: [String]) -> Credit? {
        guard !attributions.isEmpty else { return nil }
        let text = shaper.shape(attributions.joined(separator: " · "), .regular)
        // Small pictures get small letters rather than none.
        let size = min(9.5, (frame.width - 8) / max(text.width, 1))
        guard size > 2 else { return nil }
        let width = text.width * size + 8
        return Credit(
            text: text, size: size,
            box: LabelBox(
                minX: frame.width - width, minY: frame.height - size * 1.2 - 4, maxX: frame.width, maxY: frame.height))
    }

    func obstacles(_ attributions: [String]) -> [LabelBox] {
        [bar?.box.grown(by: 4), credit(attributions)?.box].compactMap { $0 }
    }

    func draw(_ attributions: [String]) {
        guard let ink = style.colour("furniture", look), let paper = style.colour("furnitureHalo", look) else { return }
        let credit = credit(attributions)
        if let credit {
            canvas.rectangle(
                credit.box.minX, credit.box.minY, credit.box.maxX - credit.box.minX, credit.box.maxY - credit.box.minY)
            canvas.fill(paper.faded(to: 0.75))
            write(
                credit.text, x: credit.box.minX + 4, baseline: frame.height - credit.size * 0.27 - 2, size: credit.size,
                ink)
        }
        guard let bar, credit.map({ !$0.box.intersects(bar.box) }) ?? true else { return }
        let y = frame.height - 8.5
        for (width, colour) in [(4.5, paper), (1.5, ink)] {
            canvas.move(8, y - 5)
            canvas.line(8, y)
            canvas.line(8 + bar.width, y)
            canvas.line(8 + bar.width, y - 5)
            canvas.stroke(colour, width: width, cap: .square, join: .miter)
        }
        let x = 8 + (bar.width - bar.text.width * 10) / 2
        write(bar.text, x: x, baseline: y - 4, size: 10, ink, halo: paper)
    }

    private func write(
        _ text: ShapedText, x: Double, baseline: Double, size: Double, _ colour: MapColour, halo: MapColour? = nil
    ) {
        var path: [VectorPath.Element] = []
        for glyph in text.glyphs {
            glyph.outline.path.placed(x: x + glyph.x * size, y: baseline + glyph.y * size, scale: size, into: &path)
        }
        canvas.path(path)
        if let halo { canvas.stroke(halo, width: 2.6, keeping: true) }
        canvas.fill(colour)
    }
}

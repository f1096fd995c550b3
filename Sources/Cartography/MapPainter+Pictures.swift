import Foundation
import Gazetteer
import Geometry

extension MapPainter {
    func draw(_ frame: MapFrame, _ marks: MapMarks, on canvas: Canvas) throws {
        let origin = frame.origin
        let window = Window(zoom: frame.zoom, x: origin.x, y: origin.y, width: frame.width, height: frame.height)
        canvas.paint(style.colour("sea", look) ?? MapColour(red: 1, green: 1, blue: 1))
        let scene = try Scene(
            source, box: window.box(margin: GroundDrawing.margin), zoom: Self.dataZoom(frame.zoom),
            languages: languages)
        GroundDrawing(canvas: canvas, window: window, style: style, look: look, zoom: frame.zoom).draw(scene)
        try shapers.withShaper { shaper in
            let markDrawing = MarkDrawing(
                canvas: canvas, frame: frame, window: window, style: style, look: look, shaper: shaper)
            let furniture = Furniture(canvas: canvas, frame: frame, style: style, look: look, shaper: shaper)
            markDrawing.drawBelowLabels(marks)
            let labels = LabelPlacement(window: window, style: style, zoom: frame.zoom, shaper: shaper)
                .place(
                    scene, around: markDrawing.obstacles(marks) + furniture.obstacles(attributions),
                    off: markDrawing.lines(marks))
            LabelDrawing(canvas: canvas, style: style, look: look).draw(
                labels, dx: 0, dy: 0, width: frame.width, height: frame.height)
            markDrawing.drawAboveLabels(marks)
            furniture.draw(attributions)
        }
    }
}

import Geometry

extension MarkDrawing {
    /// How far a letter's halo stands out, in points.
    private static let haloReach = 2.0

    /// Boxes along the lines that lie beneath the names of the map and stay whole: names, with their halos, keep off them.
    func lines(_ marks: MapMarks) -> [LabelBox] {
        var lines = marks.routes.map { ($0.coordinates, $0.width + 4) }
        for overlay in marks.overlays where !overlay.isAboveLabels && overlay.alpha > 0.2 {
            guard case .line(let line) = overlay.geometry, let stroke = overlay.stroke, stroke.alpha > 0.2 else {
                continue
            }
            lines.append((line, overlay.lineWidth))
        }
        return lines.flatMap { line, width in
            width.isFinite ? boxes(along: line, width: min(max(width, 1), 100)) : []
        }
    }

    private func boxes(along coordinates: [Coordinate], width: Double) -> [LabelBox] {
        let step = max(width / 2, 4)
        let reach = width / 2 + Self.haloReach
        let picture = LabelBox(minX: 0, minY: 0, maxX: frame.width, maxY: frame.height).grown(by: reach)
        var boxes: [LabelBox] = []
        window.forEachRun(unrolled(coordinates), margin: reach) { run, _ in
            let course = Course(run.map { ($0.x, $0.y) })
            let count = min(Int(course.length / step), 100_000) + 1
            for index in 0...count {
                let (x, y) = course.point(course.length * Double(index) / Double(count))
                let box = LabelBox(minX: x, minY: y, maxX: x, maxY: y).grown(by: reach)
                if box.intersects(picture) { boxes.append(box) }
            }
        }
        return boxes
    }
}

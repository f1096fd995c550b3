import Foundation
import Gazetteer
import Geometry

/// Draws areas and lines by the style's rules: the map without its writing.
struct GroundDrawing {
    let canvas: Canvas
    let window: Window
    let style: MapStyle
    let look: MapLook
    let zoom: Double
    private let visible: MercatorBox

    /// Nothing is drawn wider than this beyond a line's own points.
    static let margin = 48.0

    init(canvas: Canvas, window: Window, style: MapStyle, look: MapLook, zoom: Double) {
        self.canvas = canvas
        self.window = window
        self.style = style
        self.look = look
        self.zoom = zoom
        visible = window.box(margin: Self.margin)
    }

    func draw(_ scene: Scene) {
        drawLandAndSea(scene)
        for rule in style.ground { draw(rule, scene) }
        let ways = WayDrawing(ground: self, scene: scene)
        ways.draw()
        for rule in style.top { draw(rule, scene) }
    }

    /// The shapes of the rule's kinds that may show.
    func items(_ rule: MapStyle.Rule, _ scene: Scene) -> [Scene.Item] {
        guard rule.zooms.contains(zoom) else { return [] }
        var found: [Scene.Item] = []
        for kind in rule.kinds {
            guard let items = scene.items[kind] else { continue }
            for item in items where item.box.intersects(visible) { found.append(item) }
        }
        return found
    }

    func draw(_ rule: MapStyle.Rule, _ scene: Scene) {
        let items = items(rule, scene)
        let opacity = rule.opacity(zoom)
        guard !items.isEmpty, opacity > 0 else { return }
        fillAreas(items, rule, opacity)
        let solid = items.filter { !$0.shape.flags.contains(.intermittent) }
        strokeLines(solid, rule, opacity, dash: rule.dash)
        let broken = items.filter { $0.shape.flags.contains(.intermittent) }
        strokeLines(broken, rule, opacity, dash: rule.dash.isEmpty ? [5, 3] : rule.dash)
    }

    /// Kinds that are drawn in the order of the source, not by rules.
    static let orderedKinds: [MapKind] = [.land, .sea]

    private func drawLandAndSea(_ scene: Scene) {
        let items = scene.landAndSea.filter { $0.box.intersects(visible) }
        for (index, item) in items.enumerated() {
            guard case .area(let rings) = item.shape.geometry else { continue }
            trace(rings)
            // Parts of one land are filled as one, so that no seam shows between them.
            if index + 1 < items.count, items[index + 1].shape.kind == item.shape.kind { continue }
            guard let colour = style.colour(item.shape.kind == .land ? "land" : "sea", look) else { continue }
            // Land on the sea of its own map ends where that sea does: a little more of it, or the smoothed edges of both
            // would show as a hairline.
            let liesOnSea = item.shape.kind == .land && items[..<index].contains { $0.shape.kind == .sea }
            canvas.fill(colour, keeping: liesOnSea)
            if liesOnSea { canvas.stroke(colour, width: 1, join: .bevel) }
        }
    }

    @discardableResult private func trace(_ rings: [[MercatorPoint]]) -> Bool {
        var isEmpty = true
        for points in rings {
            let ring = window.ring(points)
            guard ring.count > 2 else { continue }
            canvas.move(ring[0].x, ring[0].y)
            for point in ring.dropFirst() { canvas.line(point.x, point.y) }
            canvas.closePath()
            isEmpty = false
        }
        return !isEmpty
    }

    private func fillAreas(_ items: [Scene.Item], _ rule: MapStyle.Rule, _ opacity: Double) {
        let fill = style.colour(rule.fill, look)
        let outline = style.colour(rule.outline, look)
        guard fill != nil || outline != nil else { return }
        var isEmpty = true
        for item in items {
            guard case .area(let rings) = item.shape.geometry else { continue }
            if rule.minimumSide > 0 {
                let width = (Double(item.box.maxX) - Double(item.box.minX)) * window.scale
                let height = (Double(item.box.maxY) - Double(item.box.minY)) * window.scale
                if width * height < rule.minimumSide * rule.minimumSide { continue }
            }
            if trace(rings) { isEmpty = false }
        }
        guard !isEmpty else { return }
        let width = rule.outlineWidth(zoom)
        let outlined = width > 0 ? outline : nil
        if let fill { canvas.fill(fill.faded(to: opacity), keeping: outlined != nil) }
        if let outlined { canvas.stroke(outlined.faded(to: opacity), width: width, join: .miter) }
        canvas.clearPath()
    }

    private func strokeLines(_ items: [Scene.Item], _ rule: MapStyle.Rule, _ opacity: Double, dash: [Double]) {
        guard let colour = style.colour(rule.line, look) else { return }
        let width = rule.width(zoom)
        guard width > 0 else { return }
        let runs = runs(items, dash: dash.map { $0 * (rule.dashesByWidth ? width : 1) })
        guard !runs.isEmpty else { return }
        let casing = rule.casingWidth(zoom)
        if let casingColour = style.colour(rule.casing, look), casing > 0 {
            trace(runs)
            canvas.stroke(casingColour.faded(to: opacity), width: width + 2 * casing)
        }
        trace(runs)
        canvas.stroke(colour.faded(to: opacity), width: width, cap: rule.isRound ? .round : .butt)
        if let inner = style.colour(rule.inner, look), rule.innerWidth(zoom) > 0 {
            trace(self.runs(items, dash: rule.innerDash))
            canvas.stroke(inner.faded(to: opacity), width: rule.innerWidth(zoom), cap: .butt)
        }
    }

    typealias Run = [(x: Double, y: Double)]

    /// The visible parts of lines, taken apart into dashes where there is a pattern.
    func runs(_ items: [Scene.Item], dash: [Double]) -> [Run] {
        var runs: [Run] = []
        func add(_ line: [MercatorPoint]) {
            window.forEachRun(line, margin: Self.margin) { run, start in
                if dash.count == 2 {
                    window.dashes(run, start: start, dash: dash[0], gap: dash[1]) { runs.append($0) }
                } else {
                    runs.append(run)
                }
            }
        }
        for item in items {
            switch item.shape.geometry {
            case .line(let line): add(line)
            case .area, .point: continue
            }
        }
        return runs
    }

    func trace(_ runs: [Run]) {
        for run in runs {
            canvas.move(run[0].x, run[0].y)
            for point in run.dropFirst() { canvas.line(point.x, point.y) }
        }
    }
}

import Foundation
import Gazetteer
import Geometry

/// Draws roads and rails: tunnels pale beneath, then what lies on the ground, then bridges, layer by layer. Of each the
/// casings come first and the fills after, so that roads of a kind flow into each other.
struct WayDrawing {
    let ground: GroundDrawing
    let scene: Scene

    /// Roads that are drawn alike.
    private struct Group {
        var rule: MapStyle.Rule
        var width: Double
        var casing: Double
        var opacity: Double
        var runs: [GroundDrawing.Run]
        var dashes: [GroundDrawing.Run]
        var inner: [GroundDrawing.Run]
        var arrows: [Scene.Item]
    }

    private enum Level: Equatable {
        case tunnel, ground
        case bridge(Int)
    }

    func draw() {
        let zoom = ground.zoom
        var all: [(rule: MapStyle.Rule, items: [Scene.Item])] = []
        var layers: Set<Int> = []
        for rule in ground.style.ways {
            let items = ground.items(rule, scene)
            guard !items.isEmpty, rule.width(zoom) > 0, rule.opacity(zoom) > 0 else { continue }
            all.append((rule, items))
            for item in items where Self.isBridge(item) { layers.insert(item.shape.layer) }
        }
        draw(all, .tunnel)
        draw(all, .ground)
        for layer in layers.sorted() { draw(all, .bridge(layer)) }
    }

    private static func isBridge(_ item: Scene.Item) -> Bool {
        item.shape.flags.contains(.bridge) && !isTunnel(item)
    }

    private static func isTunnel(_ item: Scene.Item) -> Bool {
        item.shape.flags.contains(.tunnel) || item.shape.flags.contains(.underground)
    }

    private func draw(_ all: [(rule: MapStyle.Rule, items: [Scene.Item])], _ level: Level) {
        let groups = all.flatMap { rule, items in
            self.groups(
                rule,
                items.filter { item in
                    switch level {
                    case .tunnel: Self.isTunnel(item)
                    case .ground: !Self.isTunnel(item) && !Self.isBridge(item)
                    case .bridge(let layer): Self.isBridge(item) && item.shape.layer == layer
                    }
                }, level)
        }
        for group in groups { drawCasing(group, level) }
        for group in groups { drawFill(group, level) }
        for group in groups { drawArrows(group) }
    }

    /// Links and roads without access are narrower than the others of their kind.
    private func groups(_ rule: MapStyle.Rule, _ items: [Scene.Item], _ level: Level) -> [Group] {
        guard !items.isEmpty else { return [] }
        let zoom = ground.zoom
        var groups: [Group] = []
        for isLink in [true, false] {
            let part = items.filter { $0.shape.flags.contains(.link) == isLink }
            guard !part.isEmpty else { continue }
            let width = rule.width(zoom) * (isLink ? 0.7 : 1)
            let dash = rule.dash.map { $0 * (rule.dashesByWidth ? width : 1) }
            let runs = ground.runs(part, dash: [])
            groups.append(
                Group(
                    rule: rule, width: width, casing: rule.casingWidth(zoom), opacity: rule.opacity(zoom), runs: runs,
                    dashes: dash.isEmpty ? runs : ground.runs(part, dash: dash),
                    inner: rule.inner == nil ? [] : ground.runs(part, dash: rule.innerDash),
                    arrows: zoom >= rule.arrowsFrom ?? .infinity ? part : []))
        }
        return groups
    }

    private func drawCasing(_ group: Group, _ level: Level) {
        let style = ground.style
        let canvas = ground.canvas
        var opacity = group.opacity
        var casing = group.casing
        var colour = style.colour(group.rule.casing, ground.look)
        var cap = MapMarks.Cap.round
        switch level {
        case .tunnel:
            // Only the edges of a tunnel are drawn, broken.
            guard let colour, casing > 0 else { return }
            ground.trace(group.runs)
            canvas.stroke(
                colour.faded(to: 0.55 * opacity), width: group.width + 2 * casing, cap: .butt)
            return
        case .bridge:
            // A footbridge has a casing though the path has none.
            if ground.zoom >= 14 {
                colour = style.colour("bridge", ground.look)
                casing = max(casing, 1)
                opacity = 1
            }
            cap = .butt
        case .ground: break
        }
        guard let colour, casing > 0, !group.runs.isEmpty else { return }
        ground.trace(group.runs)
        canvas.stroke(colour.faded(to: opacity), width: group.width + 2 * casing, cap: cap)
        if case .bridge = level, !group.rule.dash.isEmpty, let land = style.colour("land", ground.look) {
            ground.trace(group.runs)
            canvas.stroke(land, width: group.width + casing, cap: .butt)
        }
    }

    private func drawFill(_ group: Group, _ level: Level) {
        let style = ground.style
        guard var colour = style.colour(group.rule.line, ground.look), !group.runs.isEmpty else { return }
        var opacity = group.opacity
        if level == .tunnel {
            if group.casing > 0, let land = style.colour("land", ground.look) {
                colour = colour.mixed(with: land, share: 0.6)
            } else {
                opacity *= 0.5
            }
        }
        ground.trace(group.dashes)
        ground.canvas.stroke(
            colour.faded(to: opacity), width: group.width, cap: group.rule.isRound ? .round : .butt)
        if let inner = style.colour(group.rule.inner, ground.look), !group.inner.isEmpty {
            let width = group.rule.innerWidth(ground.zoom)
            guard width > 0 else { return }
            ground.trace(group.inner)
            ground.canvas.stroke(inner.faded(to: opacity), width: width, cap: .butt)
        }
    }

    /// An arrow every so often on one-way roads, counted from the line's start.
    private func drawArrows(_ group: Group) {
        guard let colour = ground.style.colour(group.rule.arrow, ground.look) else { return }
        let spacing = 96.0
        let size = min(max(group.width * 0.5, 2.6), 5)
        var isEmpty = true
        for item in group.arrows {
            let flags = item.shape.flags
            guard flags.contains(.oneway) || flags.contains(.onewayReversed) else { continue }
            guard case .line(let line) = item.shape.geometry else { continue }
            let direction = flags.contains(.onewayReversed) ? -1.0 : 1
            ground.window.forEachRun(line, margin: GroundDrawing.margin) { run, start in
                var along = start
                for (a, b) in zip(run, run.dropFirst()) {
                    let (dx, dy) = (b.x - a.x, b.y - a.y)
                    let long = (dx * dx + dy * dy).squareRoot()
                    guard long > 0 else { continue }
                    var place = ((along / spacing - 0.5).rounded(.up) + 0.5) * spacing
                    while place < along + long {
                        let share = (place - along) / long
                        let (ux, uy) = (dx / long * direction * size, dy / long * direction * size)
                        let x = ((a.x + dx * share) * 1024).rounded() / 1024
                        let y = ((a.y + dy * share) * 1024).rounded() / 1024
                        func point(_ forward: Double, _ sideways: Double) -> (x: Double, y: Double) {
                            (
                                x + ((ux * forward - uy * sideways) * 1024).rounded() / 1024,
                                y + ((uy * forward + ux * sideways) * 1024).rounded() / 1024
                            )
                        }
                        let outline = [
                            (-1.7, 0.16), (0.1, 0.16), (0.1, 0.7), (1.5, 0), (0.1, -0.7), (0.1, -0.16), (-1.7, -0.16),
                        ]
                        for (index, corner) in outline.enumerated() {
                            let to = point(corner.0, corner.1)
                            if index == 0 { ground.canvas.move(to.x, to.y) } else { ground.canvas.line(to.x, to.y) }
                        }
                        ground.canvas.closePath()
                        isEmpty = false
                        place += spacing
                    }
                    along += long
                }
            }
        }
        if !isEmpty { ground.canvas.fill(colour) }
    }
}

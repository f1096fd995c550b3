import Foundation
import Gazetteer
import Geometry

/// Decides which names, icons and shields are shown in a part of the world, and where.
///
/// Candidates belong to the part that their place lies in. They are placed one after the other, the most important first,
/// each at the first of its possible positions that is free; what finds none is left out. Nothing crosses the edge of the
/// part: names are moved inwards where they would. So the outcome depends on the part alone, and neighbouring parts cannot
/// disagree.
struct LabelPlacement {
    let window: Window
    let style: MapStyle
    let zoom: Double
    let shaper: TextShaper

    /// Something that could be written.
    private struct Candidate {
        var rule: Int
        var item: Scene.Item
        var place: (x: Double, y: Double)
        /// For lines: the visible parts.
        var run: [(x: Double, y: Double)] = []
        var category: MapStyle.Category?
        var text: String
        var priority: Double
        /// Whether it lies in a much larger city, whose name is to be the larger one.
        var isPartOfCity = false
    }

    /// - Parameters:
    ///   - obstacles: where no label stands.
    ///   - lines: boxes along lines that no text covers; the dot of a town may stand on them.
    func place(_ scene: Scene, around obstacles: [LabelBox] = [], off lines: [LabelBox] = []) -> [PlacedLabel] {
        var board = LabelBoard(width: window.width, height: window.height)
        for obstacle in obstacles { board.block(obstacle) }
        for line in lines { board.blockTexts(line) }
        var candidates = candidates(scene)
        candidates.sort(by: Self.precedes)
        var placed: [PlacedLabel] = []
        for candidate in candidates {
            let rule = style.labels[candidate.rule]
            switch rule.placement {
            case .point: placePoint(candidate, rule, &board, &placed)
            case .icon: placeIcon(candidate, rule, &board, &placed)
            case .line: placeAlong(candidate, rule, &board, &placed)
            case .shield: placeShields(candidate, rule, &board, &placed)
            }
        }
        return placed
    }

    private static func precedes(_ a: Candidate, _ b: Candidate) -> Bool {
        if a.priority != b.priority { return a.priority > b.priority }
        if a.item.shape.rank != b.item.shape.rank { return a.item.shape.rank > b.item.shape.rank }
        if a.run.count != b.run.count { return a.run.count > b.run.count }
        if a.item.shape.id != b.item.shape.id { return a.item.shape.id < b.item.shape.id }
        return (a.place.x, a.place.y) < (b.place.x, b.place.y)
    }

    private static let settlements: Set<MapKind> = [.city, .town, .village, .suburb, .quarter, .hamlet]

    // MARK: - Candidates

    private func candidates(_ scene: Scene) -> [Candidate] {
        var all: [Candidate] = []
        let cities = LargeCities(scene)
        for (index, rule) in style.labels.enumerated() where rule.zooms.contains(zoom) {
            let minimumRank = rule.minimumRank(zoom)
            for kind in rule.kinds {
                let items = (scene.items[kind] ?? []).filter { item in
                    item.shape.rank >= minimumRank && (!rule.capitalsOnly || item.shape.flags.contains(.capital))
                }
                if items.isEmpty { continue }
                switch rule.placement {
                case .line, .shield: addLines(items, index, rule, to: &all)
                case .point, .icon:
                    let first = all.count
                    addPoints(items, index, rule, to: &all)
                    guard Self.settlements.contains(kind) else { continue }
                    for place in first..<all.count { all[place].isPartOfCity = cities.hold(all[place].item.shape) }
                }
            }
        }
        return all
    }

    private func addPoints(_ items: [Scene.Item], _ index: Int, _ rule: MapStyle.LabelRule, to all: inout [Candidate]) {
        for item in items {
            var category: MapStyle.Category?
            if rule.placement == .icon, rule.icon == nil {
                category = style.category(ofKind: item.shape.category)
                guard let category, zoom >= category.from else { continue }
            }
            let text = text(item.shape, rule)
            if text.isEmpty, rule.placement == .point { continue }
            guard let place = anchor(item.shape, rule, text) else { continue }
            guard place.x >= 0, place.y >= 0, place.x < window.width, place.y < window.height else { continue }
            all.append(
                Candidate(
                    rule: index, item: item, place: place, category: category, text: text,
                    priority: rule.priority + (category?.priority ?? 0)))
        }
    }

    private func text(_ shape: MapShape, _ rule: MapStyle.LabelRule) -> String {
        let text = (rule.usesRef ? shape.ref : shape.name) ?? ""
        return rule.isUppercase ? text.uppercased() : text
    }

    /// Where the name of a point or an area stands; nil for areas that are too small to be named.
    private func anchor(_ shape: MapShape, _ rule: MapStyle.LabelRule, _ text: String) -> (x: Double, y: Double)? {
        switch shape.geometry {
        case .point(let point): return (window.x(Double(point.x)), window.y(Double(point.y)))
        case .line: return nil
        case .area(let rings):
            guard let largest = rings.max(by: { abs(MercatorRing.doubleArea($0)) < abs(MercatorRing.doubleArea($1)) })
            else { return nil }
            let area = abs(MercatorRing.doubleArea(largest)) / 2 * window.scale * window.scale
            let letters = Double(min(text.count, 40))
            let size = rule.size(zoom)
            guard area > 1.2 * size * size * max(letters, 4) else { return nil }
            guard let point = Self.inside(rings, largest) else { return nil }
            return (window.x(point.x), window.y(point.y))
        }
    }

    /// A point well inside an area: the middle of the widest stretch among some lines across its largest ring.
    private static func inside(_ rings: [[MercatorPoint]], _ largest: [MercatorPoint]) -> (x: Double, y: Double)? {
        guard let low = largest.map(\.y).min(), let high = largest.map(\.y).max(), low < high else { return nil }
        var best: (score: Double, x: Double, y: Double)?
        for step in 1...7 {
            let y = Double(low) + (Double(high) - Double(low)) * (Double(step) / 8) + 0.25
            var crossings: [Double] = []
            for ring in rings {
                guard var last = ring.last else { continue }
                for next in ring {
                    if (Double(last.y) > y) != (Double(next.y) > y) {
                        let share = (y - Double(last.y)) / (Double(next.y) - Double(last.y))
                        crossings.append(Double(last.x) + (Double(next.x) - Double(last.x)) * share)
                    }
                    last = next
                }
            }
            crossings.sort()
            for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
                let width = crossings[pair + 1] - crossings[pair]
                // The middle is better than the ends, all else being equal.
                let score = width * (1 - 0.12 * abs(Double(step) - 4))
                if score > best?.score ?? 0 { best = (score, (crossings[pair] + crossings[pair + 1]) / 2, y) }
            }
        }
        return best.map { ($0.x, $0.y) }
    }

    /// Lines of one name are joined end to end, and cut at the edge.
    private func addLines(_ items: [Scene.Item], _ index: Int, _ rule: MapStyle.LabelRule, to all: inout [Candidate]) {
        var byText: [String: [Scene.Item]] = [:]
        var order: [String] = []
        for item in items {
            guard case .line = item.shape.geometry else { continue }
            let text = text(item.shape, rule)
            guard !text.isEmpty else { continue }
            if byText[text] == nil { order.append(text) }
            byText[text, default: []].append(item)
        }
        for text in order {
            guard let parts = byText[text], let first = parts.first else { continue }
            let lines = parts.compactMap { item -> [MercatorPoint]? in
                if case .line(let line) = item.shape.geometry { line } else { nil }
            }
            for line in LineJoining.joined(lines) {
                for run in LineJoining.inside(line, window) {
                    guard let place = run.first else { continue }
                    all.append(
                        Candidate(rule: index, item: first, place: place, run: run, text: text, priority: rule.priority)
                    )
                }
            }
        }
    }

    // MARK: - Placing

    /// The text in lines of about `rule.wrap` ems, the lines as even as can be.
    func lines(_ text: String, _ rule: MapStyle.LabelRule) -> [ShapedText] {
        let whole = shaper.shape(text, rule.font)
        let count = min(max(Int((whole.width / rule.wrap).rounded(.up)), 1), 4)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard count > 1, words.count > 1 else { return [whole] }
        let goal = whole.width / Double(count)
        var lines: [ShapedText] = []
        var line: [Substring] = []
        var used = 0.0
        for word in words {
            let width = shaper.shape(String(word), rule.font).width
            // A word goes where more than half of it lies.
            if !line.isEmpty, lines.count < count - 1, used + width / 2 > goal {
                lines.append(shaper.shape(line.joined(separator: " "), rule.font))
                line = []
                used = 0
            }
            line.append(word)
            used += width + 0.27
        }
        if !line.isEmpty { lines.append(shaper.shape(line.joined(separator: " "), rule.font)) }
        return lines
    }

    static func snapped(_ value: Double) -> Double { (value * 64).rounded() / 64 }

    private enum Alignment { case left, middle, right }

    /// Letters of lines one below the other, the block's corner at `x`, `y`.
    private func glyphs(
        _ lines: [ShapedText], x: Double, y: Double, width: Double, size: Double, spacing: Double,
        _ alignment: Alignment
    ) -> [PlacedLabel.Glyph] {
        var glyphs: [PlacedLabel.Glyph] = []
        for (index, line) in lines.enumerated() {
            let lineWidth = lineWidth(line, spacing) * size
            let indent =
                switch alignment {
                case .left: 0.0
                case .middle: (width - lineWidth) / 2
                case .right: width - lineWidth
                }
            let left = Self.snapped(x + indent)
            let baseline = Self.snapped(y + (Double(index) * 1.2 + 0.93) * size)
            for (position, glyph) in line.glyphs.enumerated() {
                let gap = line.isConnected ? 0 : spacing * Double(position)
                glyphs.append(
                    PlacedLabel.Glyph(
                        outline: glyph.outline, x: Self.snapped(left + (glyph.x + gap) * size),
                        y: Self.snapped(baseline + glyph.y * size), cosine: 1, sine: 0))
            }
        }
        return glyphs
    }

    private func lineWidth(_ line: ShapedText, _ spacing: Double) -> Double {
        line.width + (line.isConnected ? 0 : spacing * Double(max(line.glyphs.count - 1, 0)))
    }

    private func placePoint(
        _ candidate: Candidate, _ rule: MapStyle.LabelRule, _ board: inout LabelBoard, _ placed: inout [PlacedLabel]
    ) {
        var size = rule.size(zoom)
        if rule.growth > 0 {
            let excess = candidate.item.shape.rank / max(rule.minimumRank(zoom), 1)
            if candidate.isPartOfCity {
                size *= 0.85
            } else if excess > 1 {
                size += min(rule.growth * log10(excess), size * 0.6)
            }
        }
        size = (size * 4).rounded() / 4
        guard board.allows(candidate.text, at: candidate.place, distance: rule.distance) else { return }
        let lines = lines(candidate.text, rule)
        let width = (lines.map { lineWidth($0, rule.spacing) }.max() ?? 0) * size
        let height = Double(lines.count) * 1.2 * size
        let dot = rule.dot(zoom)
        var label = PlacedLabel(
            text: candidate.text, size: size, colour: rule.colour, halo: rule.halo, haloWidth: rule.haloWidth,
            boxes: [],
            bounds: LabelBox(minX: 0, minY: 0, maxX: 0, maxY: 0))
        let (x, y) = (Self.snapped(candidate.place.x), Self.snapped(candidate.place.y))
        if dot > 0 {
            guard let mark = board.inside(LabelBox(minX: x, minY: y, maxX: x, maxY: y).grown(by: dot + 1.5)),
                board.isFree(mark)
            else { return }
            let (x, y) = ((mark.minX + mark.maxX) / 2, (mark.minY + mark.maxY) / 2)
            label.mark = PlacedLabel.Mark(form: .dot, x: x, y: y, size: dot, colour: rule.colour)
            let gap = dot + 3
            let positions: [(Double, Double, Alignment)] = [
                (x + gap, y - height / 2, .left), (x - gap - width, y - height / 2, .right),
                (x - width / 2, y - gap - height, .middle), (x - width / 2, y + gap, .middle),
            ]
            for (left, top, alignment) in positions {
                let box = LabelBox(minX: left, minY: top, maxX: left + width, maxY: top + height)
                guard board.holds(box), board.isFreeForText(box.grown(by: rule.padding)) else { continue }
                label.glyphs = glyphs(
                    lines, x: left, y: top, width: width, size: size, spacing: rule.spacing, alignment)
                finish(&label, [mark, box], candidate, &board, &placed)
                return
            }
            return
        }
        let wanted = LabelBox(minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2)
        for (dx, dy) in shifts(candidate, width, height, wanted, board) {
            let moved = LabelBox(
                minX: wanted.minX + dx, minY: wanted.minY + dy, maxX: wanted.maxX + dx, maxY: wanted.maxY + dy)
            guard let box = board.inside(moved), board.isFreeForText(box.grown(by: rule.padding)) else { continue }
            label.glyphs = glyphs(
                lines, x: box.minX, y: box.minY, width: width, size: size, spacing: rule.spacing, .middle)
            finish(&label, [box], candidate, &board, &placed)
            return
        }
    }

    /// How far from its place a name may stand: the name of a settlement steps aside where a line runs through it.
    private func shifts(
        _ candidate: Candidate, _ width: Double, _ height: Double, _ box: LabelBox, _ board: LabelBoard
    ) -> [(Double, Double)] {
        guard Self.settlements.contains(candidate.item.shape.kind), !board.isClearOfLines(box) else { return [(0, 0)] }
        let (side, up) = (Self.snapped(width / 2 + 10), Self.snapped(height))
        return [(0, 0), (0, -up), (0, up), (0, -2 * up), (0, 2 * up), (side, 0), (-side, 0), (side, -up), (-side, up)]
    }

    private func finish(
        _ label: inout PlacedLabel, _ boxes: [LabelBox], _ candidate: Candidate, _ board: inout LabelBoard,
        _ placed: inout [PlacedLabel]
    ) {
        label.boxes = boxes
        label.bounds = boxes.dropFirst().reduce(boxes[0]) { $0.union($1) }
        for box in boxes { board.block(box) }
        board.note(candidate.text, at: candidate.place)
        placed.append(label)
    }

    private func placeIcon(
        _ candidate: Candidate, _ rule: MapStyle.LabelRule, _ board: inout LabelBoard, _ placed: inout [PlacedLabel]
    ) {
        guard let icon = candidate.category?.icon ?? rule.icon else { return }
        if !candidate.text.isEmpty {
            guard board.allows(candidate.text, at: candidate.place, distance: rule.distance) else { return }
        }
        let radius = max(rule.dot(zoom), 2)
        let (x, y) = (Self.snapped(candidate.place.x), Self.snapped(candidate.place.y))
        guard let disc = board.inside(LabelBox(minX: x, minY: y, maxX: x, maxY: y).grown(by: radius + 1)),
            board.isFreeForText(disc.grown(by: 1))
        else { return }
        let middle = (x: (disc.minX + disc.maxX) / 2, y: (disc.minY + disc.maxY) / 2)
        let colour = candidate.category?.colour ?? rule.colour
        let size = rule.size(zoom)
        var label = PlacedLabel(
            text: candidate.text, size: size, colour: colour, halo: rule.halo, haloWidth: rule.haloWidth,
            mark: PlacedLabel.Mark(form: .icon(icon), x: middle.x, y: middle.y, size: radius, colour: colour),
            boxes: [], bounds: disc)
        if !candidate.text.isEmpty, size > 0 {
            let lines = lines(candidate.text, rule)
            let width = (lines.map(\.width).max() ?? 0) * size
            let height = Double(lines.count) * 1.2 * size
            let positions: [(Double, Double, Alignment)] = [
                (middle.x - width / 2, disc.maxY + 0.5, .middle), (disc.maxX + 2, middle.y - height / 2, .left),
                (disc.minX - 2 - width, middle.y - height / 2, .right),
                (middle.x - width / 2, disc.minY - 0.5 - height, .middle),
            ]
            for (left, top, alignment) in positions {
                let box = LabelBox(minX: left, minY: top, maxX: left + width, maxY: top + height)
                guard board.holds(box), board.isFreeForText(box.grown(by: rule.padding)) else { continue }
                label.glyphs = glyphs(lines, x: left, y: top, width: width, size: size, spacing: 0, alignment)
                finish(&label, [disc, box], candidate, &board, &placed)
                return
            }
        }
        // The picture alone tells something too.
        finish(&label, [disc], candidate, &board, &placed)
    }

    private func placeShields(
        _ candidate: Candidate, _ rule: MapStyle.LabelRule, _ board: inout LabelBoard, _ placed: inout [PlacedLabel]
    ) {
        let text = candidate.text.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        guard !text.isEmpty, text.count <= 8 else { return }
        let line = shaper.shape(text, rule.font)
        let size = rule.size(zoom)
        let (width, height) = (line.width * size + 7, size + 5)
        let course = Course(candidate.run)
        guard course.length > max(width * 1.5, 40) else { return }
        for middle in course.places(distance: rule.distance) {
            for shift in [0, 0.15, -0.15, 0.3, -0.3] {
                let along = middle + shift * min(rule.distance, course.length)
                guard along > 0, along < course.length else { continue }
                let at = course.point(along)
                guard board.allows(text, at: at, distance: rule.distance * 0.7) else { continue }
                let (x, y) = (Self.snapped(at.x), Self.snapped(at.y))
                let box = LabelBox(minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2)
                guard board.holds(box.grown(by: 1)), board.isFreeForText(box.grown(by: rule.padding)) else { continue }
                var label = PlacedLabel(
                    text: text, size: size, colour: rule.colour, halo: rule.halo, haloWidth: 0,
                    mark: PlacedLabel.Mark(
                        form: .plate(width: width, height: height), x: x, y: y, size: height / 2,
                        colour: rule.plate ?? rule.halo),
                    boxes: [], bounds: box)
                label.glyphs = glyphs(
                    [line], x: x - line.width * size / 2, y: y - size * 0.57, width: line.width * size, size: size,
                    spacing: 0, .left)
                var own = candidate
                own.text = text
                own.place = at
                finish(&label, [box.grown(by: 1)], own, &board, &placed)
                break
            }
        }
    }

    private func placeAlong(
        _ candidate: Candidate, _ rule: MapStyle.LabelRule, _ board: inout LabelBoard, _ placed: inout [PlacedLabel]
    ) {
        let line = shaper.shape(candidate.text, rule.font)
        let size = rule.size(zoom)
        let course = Course(candidate.run)
        let width = lineWidth(line, rule.spacing) * size
        guard width > 0, course.length > width + size else { return }
        for middle in course.places(distance: max(rule.distance, width * 1.5)) {
            for shift in [0, 0.12, -0.12, 0.24, -0.24, 0.36, -0.36] {
                let along = middle + shift * min(max(rule.distance, width), course.length - width)
                guard along - width / 2 >= 0, along + width / 2 <= course.length else { continue }
                let at = course.point(along)
                guard board.allows(candidate.text, at: at, distance: rule.distance * 0.6) else { continue }
                guard
                    let written = course.written(
                        line, middle: along, size: size, spacing: line.isConnected ? 0 : rule.spacing)
                else { continue }
                guard
                    written.boxes.allSatisfy({ board.holds($0) && board.isFreeForText($0.grown(by: rule.padding)) })
                else { continue }
                var label = PlacedLabel(
                    text: candidate.text, glyphs: written.glyphs, size: size, colour: rule.colour, halo: rule.halo,
                    haloWidth: rule.haloWidth, boxes: [], bounds: written.boxes[0])
                var own = candidate
                own.place = at
                finish(&label, written.boxes, own, &board, &placed)
                break
            }
        }
    }
}

import Foundation
import Geometry

/// Draws pins, callouts, routes, overlays and the user's place over a map.
struct MarkDrawing {
    let canvas: Canvas
    let frame: MapFrame
    let window: Window
    let style: MapStyle
    let look: MapLook
    let shaper: TextShaper

    /// Points from the tip to the middle of a pin's head, and the head's radius.
    private static let pinHeight = 21.0
    private static let pinRadius = 9.5

    func drawBelowLabels(_ marks: MapMarks) {
        for overlay in marks.overlays where !overlay.isAboveLabels { draw(overlay) }
        for route in marks.routes { draw(route) }
    }

    func drawAboveLabels(_ marks: MapMarks) {
        for overlay in marks.overlays where overlay.isAboveLabels { draw(overlay) }
        for route in marks.routes where route.marksEnds { drawEnds(route) }
        if let user = marks.user { draw(user) }
        let pins = marks.pins.filter { $0.coordinate.isValid }.sorted {
            $0.coordinate.latitude > $1.coordinate.latitude
        }
        for pin in pins { draw(pin) }
        for title in titles(marks) { draw(title) }
        for pin in pins where pin.showsCallout { drawCallout(pin) }
    }

    /// Where the map's names make room.
    func obstacles(_ marks: MapMarks) -> [LabelBox] {
        var boxes = marks.pins.flatMap(boxes) + titles(marks).map(\.box)
        for route in marks.routes where route.marksEnds {
            let line = route.coordinates.filter(\.isValid)
            for end in [line.first, line.last].compactMap({ $0 }) {
                let (x, y) = frame.point(for: end)
                boxes.append(LabelBox(minX: x, minY: y, maxX: x, maxY: y).grown(by: 9))
            }
        }
        if let user = marks.user, user.coordinate.isValid {
            let (x, y) = frame.point(for: user.coordinate)
            boxes.append(LabelBox(minX: x, minY: y, maxX: x, maxY: y).grown(by: 10))
        }
        let picture = LabelBox(minX: 0, minY: 0, maxX: frame.width, maxY: frame.height)
        return boxes.filter { $0.intersects(picture) }
    }

    /// What a pin and its callout cover.
    private func boxes(_ pin: MapMarks.Pin) -> [LabelBox] {
        guard pin.coordinate.isValid else { return [] }
        let (x, y) = frame.point(for: pin.coordinate)
        let place = LabelBox(minX: x, minY: y, maxX: x, maxY: y)
        var boxes: [LabelBox] = []
        switch pin.form {
        case .pin:
            let (radius, top) = (Self.pinRadius, y - Self.pinHeight - Self.pinRadius)
            boxes.append(LabelBox(minX: x - radius, minY: top, maxX: x + radius, maxY: y))
        case .dot: boxes.append(place.grown(by: 7))
        case .none: break
        }
        if pin.showsCallout, let callout = callout(pin) { boxes.append(callout.box) }
        return boxes
    }

    // MARK: - Lines and areas

    /// Units of the world, in the copy of it that is nearest to the picture; points follow each other the shorter way.
    func unrolled(_ coordinates: [Coordinate]) -> [MercatorPoint] {
        let world = Double(Mercator.world)
        var last = Mercator.project(frame.center).x
        return coordinates.compactMap { coordinate in
            guard coordinate.latitude.isFinite, abs(coordinate.latitude) <= 90, abs(coordinate.longitude) <= 360 else {
                return nil
            }
            var place = Mercator.project(coordinate)
            place.x -= (place.x - last).rounded()
            last = place.x
            return MercatorPoint(
                x: Int32(min(max(place.x * world, -world), 1.99 * world)), y: Int32((place.y * world).rounded()))
        }
    }

    private func trace(_ line: [MercatorPoint], margin: Double) -> Bool {
        var isEmpty = true
        window.forEachRun(line, margin: margin) { run, _ in
            canvas.move(run[0].x, run[0].y)
            for point in run.dropFirst() { canvas.line(point.x, point.y) }
            isEmpty = false
        }
        return !isEmpty
    }

    private func draw(_ overlay: MapMarks.Overlay) {
        guard overlay.alpha > 0 else { return }
        canvas.faded(min(overlay.alpha, 1)) {
            switch overlay.geometry {
            case .line(let coordinates):
                guard let stroke = overlay.stroke else { return }
                drawLine(unrolled(coordinates), overlay, stroke)
            case .area(let rings): drawArea(rings.map(unrolled), overlay)
            case .circle(let center, let radius):
                guard center.isValid, radius > 0, radius.isFinite else { return }
                drawArea([unrolled(Mercator.circle(around: center, metres: radius, steps: 180))], overlay)
            }
        }
    }

    private func drawLine(_ line: [MercatorPoint], _ overlay: MapMarks.Overlay, _ stroke: MapColour) {
        let width = min(max(overlay.lineWidth, 0), 1000)
        guard width > 0 else { return }
        // Cairo's own dashes begin where its line begins: each run tells how far along that is.
        let dash =
            overlay.dash.allSatisfy { $0 >= 0 && $0.isFinite } && overlay.dash.contains { $0 > 0 } ? overlay.dash : []
        if dash.isEmpty {
            if trace(line, margin: width + 4) {
                canvas.stroke(stroke, width: width, cap: overlay.cap, join: overlay.join)
            }
            return
        }
        window.forEachRun(line, margin: width + 4) { run, start in
            canvas.move(run[0].x, run[0].y)
            for point in run.dropFirst() { canvas.line(point.x, point.y) }
            canvas.stroke(
                stroke, width: width, cap: overlay.cap, join: overlay.join, dash: dash,
                dashPhase: start + overlay.dashPhase)
        }
    }

    private func drawArea(_ rings: [[MercatorPoint]], _ overlay: MapMarks.Overlay) {
        if let fill = overlay.fill {
            for points in rings {
                let ring = window.ring(points)
                guard ring.count > 2 else { continue }
                canvas.move(ring[0].x, ring[0].y)
                for point in ring.dropFirst() { canvas.line(point.x, point.y) }
                canvas.closePath()
            }
            canvas.fill(fill, evenOdd: true)
        }
        guard let stroke = overlay.stroke else { return }
        for ring in rings where ring.count > 1 { drawLine(ring + [ring[0]], overlay, stroke) }
    }

    private func draw(_ route: MapMarks.Route) {
        let line = unrolled(route.coordinates)
        let width = min(max(route.width, 1), 100)
        guard let casing = style.colour("routeCasing", look), trace(line, margin: width + 6) else { return }
        canvas.stroke(casing, width: width + 4, keeping: true)
        canvas.stroke(
            route.colour.mixed(with: MapColour(red: 0, green: 0, blue: 0), share: 0.25), width: width + 1.5,
            keeping: true)
        canvas.stroke(route.colour, width: width)
    }

    private func drawEnds(_ route: MapMarks.Route) {
        let line = route.coordinates.filter(\.isValid)
        guard let first = line.first, let last = line.last, let rim = style.colour("pinRim", look) else { return }
        for (end, inner) in [(first, rim), (last, MapColour(red: 0.13, green: 0.13, blue: 0.15))] {
            let (x, y) = frame.point(for: end)
            canvas.circle(x, y, 7)
            canvas.fill(rim)
            canvas.circle(x, y, 6)
            canvas.fill(route.colour.mixed(with: MapColour(red: 0, green: 0, blue: 0), share: 0.25))
            canvas.circle(x, y, 3.4)
            canvas.fill(inner)
        }
    }

    // MARK: - The user

    private func draw(_ user: MapMarks.User) {
        guard user.coordinate.isValid, let colour = style.colour("userDot", look),
            let rim = style.colour("pinRim", look)
        else { return }
        let (x, y) = frame.point(for: user.coordinate)
        if user.accuracy > 0, user.accuracy.isFinite {
            let ring = window.ring(
                unrolled(Mercator.circle(around: user.coordinate, metres: user.accuracy, steps: 120)))
            if ring.count > 2 {
                canvas.move(ring[0].x, ring[0].y)
                for point in ring.dropFirst() { canvas.line(point.x, point.y) }
                canvas.closePath()
                canvas.fill(colour.faded(to: 0.16), keeping: true)
                canvas.stroke(colour.faded(to: 0.5), width: 1)
            }
        }
        if let heading = user.heading, heading.isFinite {
            let angle = (heading - 90) * .pi / 180
            canvas.move(x + 15 * cos(angle), y + 15 * sin(angle))
            canvas.line(x + 7 * cos(angle + 0.9), y + 7 * sin(angle + 0.9))
            canvas.line(x + 7 * cos(angle - 0.9), y + 7 * sin(angle - 0.9))
            canvas.closePath()
            canvas.fill(colour)
        }
        for spread in [3.0, 2.0, 1.0] {
            canvas.circle(x, y + 0.6, 8 + spread)
            canvas.fill(MapColour(red: 0, green: 0, blue: 0, alpha: 0.06))
        }
        canvas.circle(x, y, 8)
        canvas.fill(rim)
        canvas.circle(x, y, 5.6)
        canvas.fill(colour)
    }

    // MARK: - Pins

    private func draw(_ pin: MapMarks.Pin) {
        let (x, y) = frame.point(for: pin.coordinate)
        guard x > -40, y > -20, x < frame.width + 40, y < frame.height + 60 else { return }
        let rim = style.colour("pinRim", look) ?? pin.colour
        let dark = pin.colour.mixed(with: MapColour(red: 0, green: 0, blue: 0), share: 0.3)
        switch pin.form {
        case .none: return
        case .dot:
            canvas.circle(x, y, 7)
            canvas.fill(rim)
            canvas.circle(x, y, 5.5)
            canvas.fill(pin.colour)
        case .pin:
            let (radius, middle) = (Self.pinRadius, y - Self.pinHeight)
            // A soft shadow on the ground.
            for spread in [3.5, 2.4, 1.3] {
                canvas.circle(x, y, spread)
                canvas.fill(MapColour(red: 0, green: 0, blue: 0, alpha: 0.12))
            }
            canvas.move(x, y)
            canvas.path([
                .curve(x - 1.6, y - 6, x - radius, middle + 8, x - radius, middle),
                .curve(x - radius, middle - radius * 0.5523, x - radius * 0.5523, middle - radius, x, middle - radius),
                .curve(x + radius * 0.5523, middle - radius, x + radius, middle - radius * 0.5523, x + radius, middle),
                .curve(x + radius, middle + 8, x + 1.6, y - 6, x, y), .close,
            ])
            canvas.stroke(rim, width: 3, keeping: true)
            canvas.stroke(dark, width: 1.2, keeping: true)
            canvas.fill(pin.colour)
            if let glyph = pin.glyph.map({ String($0.prefix(2)) }), !glyph.isEmpty {
                write(shaper.shape(glyph, .bold), middle: x, baseline: middle + 4, size: 11, rim)
            } else {
                canvas.circle(x, middle, 3.6)
                canvas.fill(rim)
            }
        }
    }

    private func write(
        _ text: ShapedText, middle x: Double, baseline: Double, size: Double, _ colour: MapColour,
        halo: MapColour? = nil
    ) {
        var path: [VectorPath.Element] = []
        let left = x - text.width * size / 2
        for glyph in text.glyphs {
            glyph.outline.path.placed(x: left + glyph.x * size, y: baseline + glyph.y * size, scale: size, into: &path)
        }
        canvas.path(path)
        if let halo { canvas.stroke(halo, width: 3, keeping: true) }
        canvas.fill(colour)
    }

    private struct Title {
        var text: ShapedText
        var box: LabelBox
    }

    private static let titleSize = 12.0

    /// The titles of pins without callouts, each below its pin or beside it; those that would cover another are left out.
    private func titles(_ marks: MapMarks) -> [Title] {
        let taken = marks.pins.map(boxes)
        var ways = LabelBoard(width: frame.width, height: frame.height)
        for box in lines(marks) { ways.block(box) }
        var titles: [Title] = []
        for (index, pin) in marks.pins.enumerated() {
            guard !pin.showsCallout, pin.coordinate.isValid, let name = pin.title, !name.isEmpty else { continue }
            let text = shaper.shape(name, .bold)
            let width = text.width * Self.titleSize
            let (x, y) = frame.point(for: pin.coordinate)
            guard width > 0, width < frame.width - 4, x >= 0, x <= frame.width, y >= 0, y <= frame.height else {
                continue
            }
            let middle = pin.form == .pin ? y - Self.pinHeight - 8 : y - 8
            let gap = pin.form == .pin ? Self.pinRadius + 3 : 9
            let below = (min(max(x - width / 2, 2), frame.width - width - 2), y + (pin.form == .pin ? 4 : 8))
            let above = (below.0, y - (pin.form == .pin ? Self.pinHeight + Self.pinRadius + 17 : 24))
            func crosses(_ place: (Double, Double)) -> Bool {
                let (left, top) = place
                return !ways.isFree(LabelBox(minX: left, minY: top, maxX: left + width, maxY: top + 15))
            }
            let places = [below, (x + gap, middle), (x - gap - width, middle)]
            // Those that leave lines whole come first, and above the pin is better than upon a line.
            let clear = places.filter { !crosses($0) }
            let last = clear.count == places.count || crosses(above) ? [] : [above]
            for (left, top) in clear + last + places.filter(crosses) {
                let box = LabelBox(minX: left, minY: top, maxX: left + width, maxY: top + 15)
                guard left >= 0, left + width <= frame.width, top >= 0, top + 15 <= frame.height else { continue }
                let isFree = taken.enumerated().allSatisfy { other, boxes in
                    (other == index && left == below.0) || !boxes.contains { $0.intersects(box) }
                }
                guard isFree, !titles.contains(where: { $0.box.intersects(box) }) else { continue }
                titles.append(Title(text: text, box: box))
                break
            }
        }
        return titles
    }

    private func draw(_ title: Title) {
        guard let colour = style.colour("furniture", look) else { return }
        write(
            title.text, middle: (title.box.minX + title.box.maxX) / 2, baseline: title.box.minY + 11.5,
            size: Self.titleSize, colour, halo: style.colour("furnitureHalo", look))
    }

    private struct Callout {
        var title: ShapedText
        var subtitle: ShapedText?
        /// Of the bubble; the tip is outside of it.
        var box: LabelBox
        var tip: (x: Double, y: Double)
        var isBelow: Bool
    }

    /// The title, shortened to what the picture has room for.
    private func fitted(_ text: String, _ font: MapStyle.Font, size: Double, width: Double) -> ShapedText {
        let shaped = shaper.shape(text, font)
        guard shaped.width * size > width else { return shaped }
        let share = max(Int(Double(min(text.count, TextShaper.maximumLength)) * width / (shaped.width * size)) - 1, 1)
        return shaper.shape(text.prefix(share) + "…", font)
    }

    private func callout(_ pin: MapMarks.Pin) -> Callout? {
        guard let name = pin.title ?? pin.subtitle, !name.isEmpty else { return nil }
        let (x, y) = frame.point(for: pin.coordinate)
        guard x >= -20, x <= frame.width + 20, y >= -20, y <= frame.height + 40 else { return nil }
        let room = min(max(frame.width - 32, 30), 260)
        let title = fitted(name, .bold, size: 13, width: room)
        var subtitle: ShapedText?
        if pin.title != nil, let text = pin.subtitle, !text.isEmpty {
            subtitle = fitted(text, .regular, size: 11, width: room)
        }
        let width = max(title.width * 13, (subtitle?.width ?? 0) * 11, 20) + 22
        let height = subtitle == nil ? 28.0 : 44
        let lift = pin.form == .pin ? Self.pinHeight + Self.pinRadius + 3 : pin.form == .dot ? 9 : 1
        var top = y - lift - 8 - height
        // Below the place where there is no room above it.
        let isBelow = top < 2 && y + 12 + height < frame.height
        if isBelow { top = y + 12 }
        let left = min(max(x - width / 2, 4), max(frame.width - width - 4, 4))
        let tipX = min(max(x, left + 12), left + width - 12)
        return Callout(
            title: title, subtitle: subtitle,
            box: LabelBox(minX: left, minY: top, maxX: left + width, maxY: top + height),
            tip: (tipX, isBelow ? y + 4 : y - lift), isBelow: isBelow)
    }

    private func drawCallout(_ pin: MapMarks.Pin) {
        guard let callout = callout(pin), let paper = style.colour("callout", look),
            let ink = style.colour("calloutText", look), let pale = style.colour("calloutSubtitle", look)
        else { return }
        let box = callout.box
        func bubble(_ dy: Double) {
            canvas.rectangle(box.minX, box.minY + dy, box.maxX - box.minX, box.maxY - box.minY, radius: 8)
            let edge = (callout.isBelow ? box.minY + 0.5 : box.maxY - 0.5) + dy
            // The same way round as the bubble, so that both are one.
            let side = callout.isBelow ? -1.0 : 1
            canvas.move(callout.tip.x + 8 * side, edge)
            canvas.line(callout.tip.x, callout.tip.y + dy)
            canvas.line(callout.tip.x - 8 * side, edge)
            canvas.closePath()
        }
        for (spread, dy) in [(7.0, 2.5), (4.5, 2.0), (2.0, 1.2)] {
            bubble(dy)
            canvas.stroke(MapColour(red: 0, green: 0, blue: 0, alpha: 0.05), width: spread)
        }
        bubble(0)
        canvas.fill(paper)
        let middle = (box.minX + box.maxX) / 2
        write(callout.title, middle: middle, baseline: box.minY + 18.5, size: 13, ink)
        if let subtitle = callout.subtitle {
            write(subtitle, middle: middle, baseline: box.minY + 35, size: 11, pale)
        }
    }
}

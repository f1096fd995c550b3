import Foundation
import Gazetteer
import Geometry
import Testing

@testable import Cartography

/// Names and the lines of routes.
struct LineMarkTests {
    private let frame: MapFrame

    init() throws {
        frame = try MapFrame(center: Coordinate(latitude: 0, longitude: 0), zoom: 16, width: 500, height: 400)
    }

    private func at(_ x: Double, _ y: Double) -> Coordinate { frame.coordinate(for: (x, y)) }

    /// The names of a map with these marks.
    private func labels(_ map: SmallMap, _ marks: MapMarks) throws -> [PlacedLabel] {
        let painter = try MapPainter(source: map)
        let window = Window(
            zoom: frame.zoom, x: frame.origin.x, y: frame.origin.y, width: frame.width, height: frame.height)
        let scene = try Scene(map, box: window.box(margin: 48), zoom: 16, languages: [])
        return try painter.shapers.withShaper { shaper in
            let drawing = MarkDrawing(
                canvas: try Canvas(width: 8, height: 8, scale: 1), frame: frame, window: window, style: painter.style,
                look: .light, shaper: shaper)
            return LabelPlacement(window: window, style: painter.style, zoom: frame.zoom, shaper: shaper)
                .place(scene, around: drawing.obstacles(marks), off: drawing.lines(marks))
        }
    }

    private var crossing: [Coordinate] { [at(10, 30), at(250, 200), at(300, 380), at(490, 10)] }

    @Test func noNameOrIconCoversARouteOrALine() throws {
        var (route, overlay) = (MapMarks(), MapMarks())
        route.routes = [MapMarks.Route(crossing, marksEnds: false)]
        overlay.overlays = [MapMarks.Overlay(.line(crossing), stroke: .routeBlue, lineWidth: 5)]
        let course = Course(crossing.map { frame.point(for: $0) })
        let points = stride(from: 0, through: course.length, by: 1).map(course.point)
        func touching(_ labels: [PlacedLabel]) -> Int {
            labels.count { label in
                label.boxes.contains { box in points.contains { box.grown(by: 3).contains($0) } }
            }
        }
        let map = SmallMap.town(zoom: 16)
        #expect(try touching(labels(map, MapMarks())) > 3)
        for marks in [route, overlay] {
            let labels = try labels(map, marks)
            #expect(labels.count > 10 && touching(labels) == 0)
        }
    }

    @Test func theNameOfASettlementStepsAside() throws {
        var (map, marks) = (SmallMap(), MapMarks())
        map.add(.suburb, .point(MercatorPoint(at(250, 200))), name: "Kallio")
        marks.routes = [MapMarks.Route([at(0, 200), at(500, 200)], marksEnds: false)]
        let label = try #require(try labels(map, marks).first)
        #expect(label.bounds.maxY < 196 || label.bounds.minY > 204)
        #expect(abs((label.bounds.minX + label.bounds.maxX) / 2 - 250) < 1)
    }
}

extension LabelBox {
    fileprivate func contains(_ point: (x: Double, y: Double)) -> Bool {
        point.x > minX && point.x < maxX && point.y > minY && point.y < maxY
    }
}

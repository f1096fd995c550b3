internal import Cartography
internal import Sextant
internal import Locking

/// A picture as a value: what part of the map, how large, in which look, with which marks.
struct MapDrawing: Sendable {
    enum Format: Sendable { case png, svg, pdf }

    var rect: MKMapRect
    /// Points.
    var size: CGSize
    var scale: Int
    var look: MapLook
    var marks = MapMarks()
    var showsBuildings = true
    var places = MKPointOfInterestFilter.includingAll

    init(rect: MKMapRect, size: CGSize, scale: CGFloat, mapType: MKMapType) {
        self.rect = rect
        self.size = size
        self.scale = scale.isNaN ? 1 : Int(min(max(scale.rounded(), 1), 4))
        look = mapType == .mutedStandard ? .muted : .light
    }

    /// Draws the atlas of this process.
    func data(_ format: Format) throws -> Data {
        do {
            let painter = try painter(for: Engine.atlas())
            let frame = try MapFrame(showing: rect, size: size, scale: scale)
            switch format {
            case .png: return Data(try painter.png(frame, marks: marks))
            case .svg: return Data(try painter.svg(frame, marks: marks))
            case .pdf: return Data(try painter.pdf(frame, marks: marks))
            }
        } catch let error as CartographyError {
            throw MKError(.unknown, error.description, underlying: error)
        } catch {
            throw MKError(engine: error, otherwise: .unknown)
        }
    }

    // MARK: - The painter

    private func painter(for atlas: Atlas) throws -> MapPainter {
        if showsBuildings, places.isIncludingAll { return try Self.painter(for: atlas, look) }
        let source = ChosenShapes(whole: atlas.mapSource, showsBuildings: showsBuildings, places: places)
        return try MapPainter(source: source, look: look, languages: UserLanguages.current)
    }

    private struct Kept: Sendable {
        var atlas: ObjectIdentifier
        var look: MapLook
        var painter: MapPainter
    }

    private static let kept = Mutex<Kept?>(nil)

    /// The painter of the whole map of an atlas; the last one is kept, since it remembers what it has drawn.
    static func painter(for atlas: Atlas, _ look: MapLook) throws -> MapPainter {
        try kept.withLock { kept in
            if let kept, kept.atlas == ObjectIdentifier(atlas), kept.look == look { return kept.painter }
            let painter = try MapPainter(source: atlas.mapSource, look: look, languages: UserLanguages.current)
            kept = Kept(atlas: ObjectIdentifier(atlas), look: look, painter: painter)
            return painter
        }
    }
}

extension UIColor {
    var map: MapColour { MapColour(red: red, green: green, blue: blue, alpha: alpha) }
}

extension MKOverlayRenderer {
    /// What a picture needs to draw the overlay; empty for a renderer that draws nothing.
    func marks(level: MKOverlayLevel) -> [MapMarks.Overlay] {
        guard let path = self as? MKOverlayPathRenderer else { return [] }
        return overlay.mapGeometries.map { geometry in
            MapMarks.Overlay(
                geometry, stroke: path.strokeColor?.map, fill: path.fillColor?.map,
                lineWidth: path.lineWidth > 0 ? path.lineWidth : 2,
                dash: (path.lineDashPattern ?? []).map(\.doubleValue), dashPhase: path.lineDashPhase,
                cap: [.butt, .round, .square][Int(path.lineCap.rawValue)],
                join: [.miter, .round, .bevel][Int(path.lineJoin.rawValue)], alpha: alpha,
                isAboveLabels: level == .aboveLabels)
        }
    }
}

extension MKOverlay {
    fileprivate var mapGeometries: [MapMarks.Overlay.Geometry] {
        switch self {
        case let line as MKPolyline: [.line(line.coordinates.map(\.engine))]
        case let area as MKPolygon: [.area(area.rings.map { $0.map(\.engine) })]
        case let circle as MKCircle: [.circle(center: circle.coordinate.engine, radius: circle.radius)]
        case let lines as MKMultiPolyline: lines.polylines.map { .line($0.coordinates.map(\.engine)) }
        case let areas as MKMultiPolygon: areas.polygons.map { .area($0.rings.map { $0.map(\.engine) }) }
        default: []
        }
    }
}

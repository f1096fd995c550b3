internal import Cartography
internal import Sextant

extension MKMapView {
    /// The map as a PNG, with everything that stands on it.
    ///
    /// - Parameter scale: pixels of a point, 1 to 4.
    /// - Throws: `MKError.serverFailure` where no atlas can be opened, `unknown` for a frame without extent or beyond 16,384
    ///   pixels a side.
    public func pngData(scale: CGFloat = 1) throws -> Data { try drawing(scale: scale).data(.png) }

    /// The map as an SVG document.
    public func svgData() throws -> Data { try drawing(scale: 1).data(.svg) }

    /// The map as a PDF of one page.
    public func pdfData() throws -> Data { try drawing(scale: 1).data(.pdf) }

    private func drawing(scale: CGFloat) -> MapDrawing {
        layoutIfNeeded()
        var drawing = MapDrawing(rect: sight.rect, size: frame.size, scale: scale, mapType: mapType)
        drawing.showsBuildings = showsBuildings
        if let pointOfInterestFilter { drawing.places = pointOfInterestFilter }
        for (overlay, level) in laid.sorted(by: { $0.level.rawValue < $1.level.rawValue })
        where overlay.intersects(sight.rect) || sight.rect.spans180thMeridian {
            drawing.marks.overlays += renderer(for: overlay)?.marks(level: level) ?? []
        }
        // In the order in which they were added, the selected one last.
        let inOrder = annotations.filter { $0 !== selected } + selectedAnnotations
        drawing.marks.pins = inOrder.compactMap { pin(for: $0) }
        if showsUserLocation, let location = userLocation.location, views[ObjectIdentifier(userLocation)] == nil {
            drawing.marks.user = MapMarks.User(
                at: location.coordinate.engine, accuracy: location.horizontalAccuracy,
                heading: tracking == .followWithHeading ? userLocation.heading.map(\.magneticHeading) : nil)
        }
        return drawing
    }

    private func pin(for annotation: any MKAnnotation) -> MapMarks.Pin? {
        guard let view = views[ObjectIdentifier(annotation)], !view.isHidden else { return nil }
        let isOpen = annotation === selected && callout != nil
        let isPin = view is MKPinAnnotationView
        // The standard marker tells its title without being tapped.
        let showsTitle = isOpen || view.isStandard
        let colour = (view as? MKPinAnnotationView)?.pinTintColor ?? view.tintColor ?? .systemBlue
        return MapMarks.Pin(
            at: annotation.coordinate.engine, colour: colour.map.faded(to: view.alpha), form: isPin ? .pin : .dot,
            title: showsTitle ? annotation.title : nil, subtitle: isOpen ? annotation.subtitle : nil,
            showsCallout: isOpen)
    }
}

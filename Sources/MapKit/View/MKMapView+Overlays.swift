extension MKMapView {
    /// What covers the map, the lowest first: all above the roads, then all above the names.
    public var overlays: [any MKOverlay] {
        overlays(in: .aboveRoads) + overlays(in: .aboveLabels)
    }

    public func overlays(in level: MKOverlayLevel) -> [any MKOverlay] {
        laid.filter { $0.level == level }.map(\.overlay)
    }

    /// Adds an overlay beneath the map's names.
    public func addOverlay(_ overlay: any MKOverlay) { addOverlay(overlay, level: .aboveRoads) }

    public func addOverlay(_ overlay: any MKOverlay, level: MKOverlayLevel) { addOverlays([overlay], level: level) }

    public func addOverlays(_ overlays: [any MKOverlay]) { addOverlays(overlays, level: .aboveRoads) }

    public func addOverlays(_ overlays: [any MKOverlay], level: MKOverlayLevel) {
        for overlay in overlays where laidIDs.insert(ObjectIdentifier(overlay)).inserted {
            laid.append((overlay, level))
        }
    }

    public func removeOverlay(_ overlay: any MKOverlay) { removeOverlays([overlay]) }

    public func removeOverlays(_ overlays: [any MKOverlay]) {
        let gone = Set(overlays.map { ObjectIdentifier($0) })
        laid.removeAll { gone.contains(ObjectIdentifier($0.overlay)) }
        laidIDs.subtract(gone)
        for id in gone { renderers[id] = nil }
    }

    /// What draws an overlay of this map; the delegate is asked once for each.
    public func renderer(for overlay: any MKOverlay) -> MKOverlayRenderer? {
        if let known = renderers[ObjectIdentifier(overlay)] { return known }
        guard laidIDs.contains(ObjectIdentifier(overlay)) else { return nil }
        let renderer = delegate?.mapView(self, rendererFor: overlay) ?? MKOverlayRenderer(overlay: overlay)
        renderers[ObjectIdentifier(overlay)] = renderer
        delegate?.mapView(self, didAdd: [renderer])
        return renderer
    }
}

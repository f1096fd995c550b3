internal import Cartography

extension MKMapView {
    /// The middle of what is shown. Setting it keeps the scale.
    public var centerCoordinate: CLLocationCoordinate2D {
        get { sight.region.center }
        set { setCenter(newValue, animated: false) }
    }

    public func setCenter(_ coordinate: CLLocationCoordinate2D, animated: Bool) {
        change(animated) { $0.move(to: coordinate) }
    }

    /// What is shown. A region whose shape is not the frame's is grown to it, never cut.
    public var region: MKCoordinateRegion {
        get { sight.region }
        set { setRegion(newValue, animated: false) }
    }

    public func setRegion(_ region: MKCoordinateRegion, animated: Bool) {
        let size = frame.size
        change(animated) { $0.show(region, in: size) }
    }

    /// The region as it would be shown.
    public func regionThatFits(_ region: MKCoordinateRegion) -> MKCoordinateRegion {
        var trial = sight
        return trial.show(region, in: frame.size) ? trial.region : region
    }

    /// What is shown, in map points. A point is shown at street scale, the null rectangle changes nothing.
    public var visibleMapRect: MKMapRect {
        get { sight.rect }
        set { setVisibleMapRect(newValue, animated: false) }
    }

    public func setVisibleMapRect(_ mapRect: MKMapRect, animated: Bool) {
        let size = frame.size
        change(animated) { $0.show(mapRect, in: size) }
    }

    /// The rectangle as it would be shown.
    public func mapRectThatFits(_ mapRect: MKMapRect) -> MKMapRect {
        var trial = sight
        return trial.show(mapRect, in: frame.size) ? trial.rect : mapRect
    }

    /// From where the map is looked at. Heading and pitch are not kept: the map is drawn from straight above.
    public var camera: MKMapCamera {
        get { MKMapCamera(showing: region) }
        set { setCamera(newValue, animated: false) }
    }

    public func setCamera(_ camera: MKMapCamera, animated: Bool) { setRegion(camera.region, animated: animated) }

    /// Shows all of these, with some room around them.
    public func showAnnotations(_ annotations: [any MKAnnotation], animated: Bool) {
        let added = annotations.filter { !($0 is MKUserLocation) }
        addAnnotations(added)
        var rect = MKMapRect.null
        for annotation in annotations where CLLocationCoordinate2DIsValid(annotation.coordinate) {
            rect = rect.union(MKMapRect(origin: MKMapPoint(annotation.coordinate), size: MKMapSize()))
        }
        setVisibleMapRect(rect.insetBy(dx: -0.2 * rect.width, dy: -0.2 * rect.height), animated: animated)
    }

    private func change(_ animated: Bool, _ body: (inout MapSight) -> Bool) {
        var sight = self.sight
        guard body(&sight) else { return }
        delegate?.mapView(self, regionWillChangeAnimated: animated)
        self.sight = sight
        setNeedsViews()
        delegate?.mapViewDidChangeVisibleRegion(self)
        delegate?.mapView(self, regionDidChangeAnimated: animated)
    }

    // MARK: - Points of the frame

    /// Where a coordinate stands in this view's frame; outside it for places out of sight. Of the copies of the world side by
    /// side the one nearest to the middle counts.
    public func convert(_ coordinate: CLLocationCoordinate2D, toPointTo view: UIView?) -> CGPoint {
        MapFrame.point(for: coordinate, in: sight.rect, size: frame.size)
    }

    /// The coordinate at a point of this view's frame.
    public func convert(_ point: CGPoint, toCoordinateFrom view: UIView?) -> CLLocationCoordinate2D {
        let scale = sight.rect.width / max(frame.width, 1)
        return MKMapPoint(x: sight.rect.minX + point.x * scale, y: sight.rect.minY + point.y * scale).coordinate
    }
}

extension MKMapView {
    /// What stands on the map, in the order in which it was added; the user's location too while it is shown.
    public var annotations: [any MKAnnotation] { showsUserLocation ? placed + [userLocation] : placed }

    /// Adds an annotation; one that is there already is left as it is.
    public func addAnnotation(_ annotation: any MKAnnotation) { addAnnotations([annotation]) }

    public func addAnnotations(_ annotations: [any MKAnnotation]) {
        for annotation in annotations where !(annotation is MKUserLocation) {
            if placedIDs.insert(ObjectIdentifier(annotation)).inserted { placed.append(annotation) }
        }
        setNeedsViews()
    }

    public func removeAnnotation(_ annotation: any MKAnnotation) { removeAnnotations([annotation]) }

    public func removeAnnotations(_ annotations: [any MKAnnotation]) {
        let gone = Set(annotations.map { ObjectIdentifier($0) }).intersection(placedIDs)
        guard !gone.isEmpty else { return }
        if let selected, gone.contains(ObjectIdentifier(selected)) { deselectAnnotation(selected, animated: false) }
        placedIDs.subtract(gone)
        placed.removeAll { gone.contains(ObjectIdentifier($0)) }
        for id in gone { retire(id) }
    }

    // MARK: - Views

    /// The view of an annotation that is in sight; nil for others.
    public func view(for annotation: any MKAnnotation) -> MKAnnotationView? {
        let id = ObjectIdentifier(annotation)
        let isIn = placedIDs.contains(id) && Self.isVisible(annotation.coordinate, in: sight.rect)
        if needsViews || isIn != (views[id] != nil) { layoutIfNeeded() }
        guard let view = views[id] else { return nil }
        if isIn { view.center = convert(annotation.coordinate, toPointTo: self) }
        return view
    }

    /// A view that went out of sight, to be used for another annotation; nil where there is none of that name.
    public func dequeueReusableAnnotationView(withIdentifier identifier: String) -> MKAnnotationView? {
        guard let view = reusable[identifier]?.popLast() else { return nil }
        view.prepareForReuse()
        return view
    }

    /// Asks for views soon, once for all changes of this turn of the main thread.
    func setNeedsViews() {
        guard !needsViews else { return }
        needsViews = true
        Task { @MainActor [weak self] in self?.layoutIfNeeded() }
    }

    /// Brings the views up to date at once: what went out of sight gives its view back, what came into sight gets one.
    ///
    /// Happens by itself on the main thread's next turn, and before the map is drawn, tapped or asked for a view: an
    /// annotation may have moved without telling.
    public func layoutIfNeeded() {
        // The delegate may ask for a view while it makes one.
        guard !isLayingOut else { return }
        isLayingOut = true
        defer { isLayingOut = false }
        // Where the delegate had no view for the user it is not asked at every picture.
        let isNews = needsViews
        needsViews = false
        let sight = self.sight.rect
        var seen: [any MKAnnotation] = []
        for annotation in annotations {
            if Self.isVisible(annotation.coordinate, in: sight) {
                seen.append(annotation)
            } else if views[ObjectIdentifier(annotation)] != nil {
                retire(ObjectIdentifier(annotation))
            }
        }
        var added: [MKAnnotationView] = []
        for annotation in seen
        where views[ObjectIdentifier(annotation)] == nil && (isNews || !(annotation is MKUserLocation)) {
            guard let view = delegate?.mapView(self, viewFor: annotation) ?? standardView(for: annotation) else {
                continue
            }
            view.annotation = annotation
            views[ObjectIdentifier(annotation)] = view
            added.append(view)
        }
        for (id, view) in views where id != ObjectIdentifier(userLocation) {
            if let annotation = view.annotation { view.center = convert(annotation.coordinate, toPointTo: self) }
        }
        if !added.isEmpty { delegate?.mapView(self, didAdd: added) }
    }

    /// The red pin; nothing for the user, whose dot is no view of ours.
    private func standardView(for annotation: any MKAnnotation) -> MKAnnotationView? {
        if annotation is MKUserLocation { return nil }
        let view = MKPinAnnotationView(annotation: annotation, reuseIdentifier: nil)
        view.canShowCallout = true
        view.isStandard = true
        return view
    }

    /// Whether the place lies in the rectangle, which may reach over the date line.
    static func isVisible(_ coordinate: CLLocationCoordinate2D, in rect: MKMapRect) -> Bool {
        guard CLLocationCoordinate2DIsValid(coordinate) else { return false }
        let point = MKMapPoint(coordinate)
        let world = MKMapSize.world.width
        for turn in [0, -world, world] where rect.contains(MKMapPoint(x: point.x + turn, y: point.y)) { return true }
        return false
    }

    func retire(_ id: ObjectIdentifier) {
        guard let view = views.removeValue(forKey: id) else { return }
        view.isSelected = false
        if let name = view.reuseIdentifier { reusable[name, default: []].append(view) }
    }

    // MARK: - Selecting and tapping

    public var selectedAnnotations: [any MKAnnotation] {
        get { selected.map { [$0] } ?? [] }
        set {
            if let selected, !newValue.contains(where: { $0 === selected }) {
                deselectAnnotation(selected, animated: false)
            }
            if let first = newValue.first { selectAnnotation(first, animated: false) }
        }
    }

    /// Selects an annotation that is on the map; its callout opens where its view allows one.
    public func selectAnnotation(_ annotation: any MKAnnotation, animated: Bool) {
        guard selected !== annotation, annotations.contains(where: { $0 === annotation }) else { return }
        if let selected { deselectAnnotation(selected, animated: animated) }
        selected = annotation
        if let view = view(for: annotation) {
            view.setSelected(true, animated: animated)
            delegate?.mapView(self, didSelect: view)
        }
        delegate?.mapView(self, didSelect: annotation)
    }

    public func deselectAnnotation(_ annotation: (any MKAnnotation)?, animated: Bool) {
        guard let selected, annotation == nil || annotation === selected else { return }
        self.selected = nil
        if let view = views[ObjectIdentifier(selected)] {
            view.setSelected(false, animated: animated)
            delegate?.mapView(self, didDeselect: view)
        }
        delegate?.mapView(self, didDeselect: selected)
    }

    /// The bubble over a selected annotation.
    public struct Callout {
        public let title: String?
        public let subtitle: String?
        public let left: UIView?
        public let right: UIView?
    }

    /// The bubble that is open; nil where nothing is selected, or its view shows none.
    public var callout: Callout? {
        guard let selected, let title = selected.title, !title.isEmpty else { return nil }
        guard let view = view(for: selected) else {
            return selected is MKUserLocation
                ? Callout(title: title, subtitle: selected.subtitle, left: nil, right: nil) : nil
        }
        guard view.canShowCallout else { return nil }
        return Callout(
            title: title, subtitle: selected.subtitle, left: view.leftCalloutAccessoryView,
            right: view.rightCalloutAccessoryView)
    }

    /// Does what a tap at a point of the frame does: selects the nearest annotation within 22 points, or ends the selection
    /// where there is none.
    public func tap(at point: CGPoint) {
        layoutIfNeeded()
        var near: (annotation: any MKAnnotation, distance: CGFloat)?
        for annotation in annotations where Self.isVisible(annotation.coordinate, in: sight.rect) {
            let spot = convert(annotation.coordinate, toPointTo: self)
            let distance = hypot(spot.x - point.x, spot.y - point.y)
            if distance <= 22, distance < near?.distance ?? .infinity { near = (annotation, distance) }
        }
        if let near {
            selectAnnotation(near.annotation, animated: true)
        } else {
            deselectAnnotation(nil, animated: true)
        }
    }

    /// Does what a tap on a control at either side of the open callout does: the delegate is told.
    ///
    /// - Returns: false where the control does not stand in the open callout, or is not enabled.
    @discardableResult
    public func tapCalloutAccessory(_ control: UIControl) -> Bool {
        guard let callout, control === callout.left || control === callout.right, control.isEnabled, let selected,
            let view = view(for: selected)
        else { return false }
        delegate?.mapView(self, annotationView: view, calloutAccessoryControlTapped: control)
        return true
    }
}

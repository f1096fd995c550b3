extension MKMapView {
    /// Whether the user's position is looked for and shown as a blue dot in a ring of its accuracy.
    ///
    /// Positions come from the source that `CLLocationManager` has. Without one the delegate hears of one failure, and
    /// there is no dot.
    public var showsUserLocation: Bool {
        get { feed != nil }
        set {
            guard newValue != showsUserLocation else { return }
            if newValue {
                let feed = UserFeed(map: self, source: positionSource)
                self.feed = feed
                userLocation.isUpdating = true
                delegate?.mapViewWillStartLocatingUser(self)
                feed.start()
            } else {
                feed?.stop()
                feed = nil
                userLocation.isUpdating = false
                retire(ObjectIdentifier(userLocation))
                tracking = .none
                delegate?.mapViewDidStopLocatingUser(self)
            }
            setNeedsViews()
        }
    }

    /// Whether the map goes with the user. Following shows the user too.
    public var userTrackingMode: MKUserTrackingMode {
        get { tracking }
        set { setUserTrackingMode(newValue, animated: false) }
    }

    public func setUserTrackingMode(_ mode: MKUserTrackingMode, animated: Bool) {
        guard mode != tracking else { return }
        if mode != .none { showsUserLocation = true }
        tracking = mode
        feed?.turn(following: mode == .followWithHeading)
        if mode != .none, let place = userLocation.location?.coordinate { setCenter(place, animated: animated) }
        delegate?.mapView(self, didChange: mode, animated: animated)
    }

    /// Whether the user's dot is in sight.
    public var isUserLocationVisible: Bool {
        showsUserLocation && Self.isVisible(userLocation.coordinate, in: sight.rect)
    }

    fileprivate func take(_ location: CLLocation) {
        // The delegate may have ended it meanwhile.
        guard showsUserLocation else { return }
        userLocation.location = location
        if tracking != .none { setCenter(location.coordinate, animated: true) }
        setNeedsViews()
        delegate?.mapView(self, didUpdate: userLocation)
    }

    fileprivate func take(_ heading: CLHeading) {
        userLocation.heading = heading
        delegate?.mapView(self, didUpdate: userLocation)
    }

    fileprivate func take(_ error: any Error) {
        delegate?.mapView(self, didFailToLocateUserWithError: error)
    }
}

/// Brings positions from a location manager to a map view. All of it happens on the main thread, where it is made.
final class UserFeed: NSObject, CLLocationManagerDelegate, @unchecked Sendable {
    private weak var map: MKMapView?
    private let manager: CLLocationManager

    /// - Parameter source: nil for the source of the process.
    @MainActor init(map: MKMapView, source: CLPositionSource?) {
        self.map = map
        manager = source.map { CLLocationManager(positionSource: $0) } ?? CLLocationManager()
    }

    @MainActor func start() {
        manager.delegate = self
        manager.startUpdatingLocation()
    }

    @MainActor func turn(following: Bool) {
        if following { manager.startUpdatingHeading() } else { manager.stopUpdatingHeading() }
    }

    @MainActor func stop() {
        manager.delegate = nil
        manager.stopUpdatingLocation()
        manager.stopUpdatingHeading()
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        MainActor.assumeIsolated {
            for location in locations { map?.take(location) }
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        MainActor.assumeIsolated { map?.take(newHeading) }
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
        MainActor.assumeIsolated { map?.take(error) }
    }
}

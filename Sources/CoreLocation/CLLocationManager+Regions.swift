import Foundation

// Regions: whether one is in them, and when one enters and leaves.
extension CLLocationManager {
    /// Metres: the largest radius of a region that can be watched.
    public var maximumRegionMonitoringDistance: CLLocationDistance { 2_128_000 }

    /// The regions that this manager watches.
    public var monitoredRegions: Set<CLRegion> { locked { Set(regions.values.map(\.region)) } }

    /// Watches a region: the delegate hears when a position is the first inside or outside after one on the other side.
    /// A region takes the place of one with the same identifier. There may be as many as one likes.
    public func startMonitoring(for region: CLRegion) {
        guard let circle = region as? CLCircularRegion, circle.radius <= maximumRegionMonitoringDistance,
            CLLocationCoordinate2DIsValid(circle.center), let copy = circle.copy() as? CLCircularRegion
        else {
            let error = CLError(
                .regionMonitoringFailure,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "only circles of up to \(Int(maximumRegionMonitoringDistance)) m are watched"
                ])
            return tell { manager, delegate in
                delegate.locationManager(manager, monitoringDidFailFor: region, withError: error)
            }
        }
        let identifier = copy.identifier
        leave(.region(identifier))
        locked { regions[identifier] = (copy, .unknown) }
        tell { manager, delegate in delegate.locationManager(manager, didStartMonitoringFor: copy) }
        listen(.region(identifier))
    }

    /// Ends the watch over the region of that identifier; does nothing where there is none.
    public func stopMonitoring(for region: CLRegion) {
        leave(.region(region.identifier))
        locked { regions[region.identifier] = nil }
    }

    /// Tells through `didDetermineState` whether the position lies in a region, once; `unknown` where there is none.
    public func requestState(for region: CLRegion) {
        guard let copy = region.copy() as? CLRegion else { return }
        let identifier = copy.identifier
        locked { askedStates[identifier] = copy }
        guard hasSource else { return tell { manager, _ in manager.determine(.unknown, identifier) } }
        listen(.state(identifier))
    }

    func state(of identifier: String, at location: CLLocation) -> CLRegionState {
        let region = locked { askedStates[identifier] ?? regions[identifier]?.region }
        guard let circle = region as? CLCircularRegion, location.horizontalAccuracy >= 0 else { return .unknown }
        return circle.contains(location.coordinate) ? .inside : .outside
    }

    func determine(_ state: CLRegionState, _ identifier: String) {
        leave(.state(identifier))
        guard let region = locked({ askedStates.removeValue(forKey: identifier) }) else { return }
        delegate?.locationManager(self, didDetermineState: state, for: region)
    }

    func watch(_ identifier: String, _ location: CLLocation) {
        let change = locked { () -> (region: CLRegion, before: CLRegionState, after: CLRegionState)? in
            guard let (region, before) = regions[identifier], let circle = region as? CLCircularRegion,
                location.horizontalAccuracy >= 0
            else { return nil }
            let after: CLRegionState = circle.contains(location.coordinate) ? .inside : .outside
            guard after != before else { return nil }
            regions[identifier]?.state = after
            return (region, before, after)
        }
        // Where one was at the beginning is no news.
        guard let change, change.before != .unknown, let delegate else { return }
        delegate.locationManager(self, didDetermineState: change.after, for: change.region)
        if change.after == .inside, change.region.notifyOnEntry {
            delegate.locationManager(self, didEnterRegion: change.region)
        }
        if change.after == .outside, change.region.notifyOnExit {
            delegate.locationManager(self, didExitRegion: change.region)
        }
    }
}

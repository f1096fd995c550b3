import Foundation

/// Whether a program may know the position. Here it always may.
public enum CLAuthorizationStatus: Int32, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case authorizedAlways = 3
    case authorizedWhenInUse = 4
}

public enum CLAccuracyAuthorization: Int, Sendable {
    case fullAccuracy = 0
    case reducedAccuracy = 1
}

/// What the positions are for. Accepted; it changes nothing.
public enum CLActivityType: Int, Sendable {
    case other = 1
    case automotiveNavigation = 2
    case fitness = 3
    case otherNavigation = 4
    case airborne = 5
}

public enum CLDeviceOrientation: Int32, Sendable {
    case unknown = 0
    case portrait = 1
    case portraitUpsideDown = 2
    case landscapeLeft = 3
    case landscapeRight = 4
    case faceUp = 5
    case faceDown = 6
}

/// Tells a delegate where the program is.
///
/// Positions come from a source that the program (`CLLocationManager.positionSource`) or the environment
/// (`SEXTANT_POSITION`) names; see `CLPositionSource`. Without a source `locationServicesEnabled()` is false, and whoever
/// asks for positions is told `CLError.locationUnknown` once. Nobody is asked for permission.
///
/// The delegate hears on the main queue, or on the queue that the manager was made with; so a command runs its main loop
/// (`RunLoop.main.run()`, `dispatchMain()` or `async` main). A manager without a delegate keeps `location` up to date.
open class CLLocationManager: NSObject, @unchecked Sendable {
    /// What somebody listens for; each has its own place among the source's listeners.
    enum Purpose: Hashable {
        case updates, request, heading, significantChanges, visits
        case region(String)
        case state(String)
    }

    private let lock = NSRecursiveLock()
    private let ownSource: CLPositionSource?
    let queue: DispatchQueue
    /// How long `requestLocation` waits for a source that says nothing, in seconds.
    package var patience = 10.0

    // All guarded by `lock`.
    private var subscriptions: [Purpose: (feed: PositionFeed, number: Int, id: Int)] = [:]
    private var lastSubscription = 0
    private weak var weakDelegate: (any CLLocationManagerDelegate)?
    private var latest: CLLocation?
    private var latestHeading: CLHeading?
    private var lastReported: CLLocation?
    private var lastSignificant: CLLocation?
    private var lastReportedHeading: CLLocationDirection?
    private var requestNumber = 0
    private var settings = Settings()
    var regions: [String: (region: CLRegion, state: CLRegionState)] = [:]
    /// Regions whose state was asked for.
    var askedStates: [String: CLRegion] = [:]
    private var visits = VisitDetector()

    private struct Settings {
        var desiredAccuracy = kCLLocationAccuracyBest
        var distanceFilter = kCLDistanceFilterNone
        var headingFilter: CLLocationDegrees = 1
        var headingOrientation = CLDeviceOrientation.portrait
        var activityType = CLActivityType.other
        var pausesLocationUpdatesAutomatically = true
        var allowsBackgroundLocationUpdates = false
        var showsBackgroundLocationIndicator = false
    }

    /// A manager of the process's source, telling its delegate on the main queue.
    public override convenience init() { self.init(source: nil, queue: .main) }

    /// A manager of its own source, telling its delegate on a queue.
    public convenience init(positionSource: CLPositionSource, queue: DispatchQueue = .main) {
        self.init(source: positionSource, queue: queue)
    }

    private init(source: CLPositionSource?, queue: DispatchQueue) {
        ownSource = source
        self.queue = queue
    }

    deinit { for (feed, number, _) in subscriptions.values { feed.remove(number) } }

    /// The source of all managers that have none of their own; nil where neither the program nor the environment names one.
    public class var positionSource: CLPositionSource? {
        get { CLPositionSource.ofProcess }
        set { CLPositionSource.ofProcess = newValue }
    }

    private var source: CLPositionSource? { ownSource ?? CLPositionSource.ofProcess }

    var hasSource: Bool { source != nil }

    func locked<R>(_ body: () throws -> R) rethrows -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    // MARK: - What is so

    /// Whether there is a source of positions.
    open class func locationServicesEnabled() -> Bool { CLPositionSource.ofProcess != nil }
    /// Whether the source may tell which way one looks.
    open class func headingAvailable() -> Bool { CLPositionSource.ofProcess?.feed.player.tellsHeading ?? false }
    /// Whether there is a source of positions: any will do.
    open class func significantLocationChangeMonitoringAvailable() -> Bool { locationServicesEnabled() }
    /// True for circles.
    open class func isMonitoringAvailable(for regionClass: AnyClass) -> Bool {
        regionClass is CLCircularRegion.Type && locationServicesEnabled()
    }
    /// Always granted: no one is asked here.
    open class func authorizationStatus() -> CLAuthorizationStatus { .authorizedAlways }

    /// Always granted: no one is asked here.
    open var authorizationStatus: CLAuthorizationStatus { .authorizedAlways }
    /// Always full.
    open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }
    open var isAuthorizedForWidgetUpdates: Bool { true }

    /// The latest position, nil until one is known.
    open var location: CLLocation? { locked { latest ?? source?.feed.location } }
    /// The latest heading, nil until one is known.
    open var heading: CLHeading? { locked { latestHeading ?? source?.feed.heading } }

    /// Held weakly. Whoever is set hears of the authorisation, once and later.
    open weak var delegate: (any CLLocationManagerDelegate)? {
        get { locked { weakDelegate } }
        set {
            let isNew = locked {
                defer { weakDelegate = newValue }
                return newValue != nil && weakDelegate !== newValue
            }
            guard isNew else { return }
            tell { manager, delegate in
                delegate.locationManagerDidChangeAuthorization(manager)
                delegate.locationManager(manager, didChangeAuthorization: .authorizedAlways)
            }
        }
    }

    // MARK: - Settings

    /// Accepted; a source is as accurate as it is.
    open var desiredAccuracy: CLLocationAccuracy {
        get { locked { settings.desiredAccuracy } }
        set { locked { settings.desiredAccuracy = newValue } }
    }
    /// Metres that lie at least between two reported positions; `kCLDistanceFilterNone` for all.
    open var distanceFilter: CLLocationDistance {
        get { locked { settings.distanceFilter } }
        set { locked { settings.distanceFilter = newValue } }
    }
    /// Degrees between two reported headings; `kCLHeadingFilterNone` for all.
    open var headingFilter: CLLocationDegrees {
        get { locked { settings.headingFilter } }
        set { locked { settings.headingFilter = newValue } }
    }
    /// Accepted.
    open var headingOrientation: CLDeviceOrientation {
        get { locked { settings.headingOrientation } }
        set { locked { settings.headingOrientation = newValue } }
    }
    /// Accepted.
    open var activityType: CLActivityType {
        get { locked { settings.activityType } }
        set { locked { settings.activityType = newValue } }
    }
    /// Accepted; updates never pause.
    open var pausesLocationUpdatesAutomatically: Bool {
        get { locked { settings.pausesLocationUpdatesAutomatically } }
        set { locked { settings.pausesLocationUpdatesAutomatically = newValue } }
    }
    /// Accepted.
    open var allowsBackgroundLocationUpdates: Bool {
        get { locked { settings.allowsBackgroundLocationUpdates } }
        set { locked { settings.allowsBackgroundLocationUpdates = newValue } }
    }
    /// Accepted.
    open var showsBackgroundLocationIndicator: Bool {
        get { locked { settings.showsBackgroundLocationIndicator } }
        set { locked { settings.showsBackgroundLocationIndicator = newValue } }
    }

    /// Nothing to ask: the authorisation is there from the start.
    open func requestWhenInUseAuthorization() {}
    /// Nothing to ask: the authorisation is there from the start.
    open func requestAlwaysAuthorization() {}
    /// There is no panel to dismiss.
    open func dismissHeadingCalibrationDisplay() {}

    // MARK: - Starting and stopping

    /// Tells the delegate every position of the source from now on, the last one that is known at once; `distanceFilter`
    /// leaves small steps out. A source that fails is told of once, by `CLError.locationUnknown` with the reason; gpsd is
    /// tried again every few seconds. Starting twice changes nothing but that the next position counts as the first.
    open func startUpdatingLocation() {
        locked { lastReported = nil }
        listen(.updates)
    }

    /// Ends the updates, and a request that has not been answered.
    open func stopUpdatingLocation() {
        leave(.updates)
        leave(.request)
    }

    /// Tells one position, or one failure. A second request before the answer changes nothing. Without a delegate it does
    /// nothing.
    open func requestLocation() {
        guard delegate != nil else { return }
        let number = locked { () -> Int? in
            guard subscriptions[.request] == nil else { return nil }
            requestNumber += 1
            return requestNumber
        }
        guard let number else { return }
        listen(.request)
        queue.asyncAfter(deadline: .now() + patience) { [weak self] in
            guard let self, self.locked({ self.requestNumber == number && self.subscriptions[.request] != nil }) else {
                return
            }
            self.leave(.request)
            self.fail(CLPositionSource.failure("the source told no position within \(self.patience) seconds"))
        }
    }

    /// Tells headings that differ by `headingFilter` at least; `CLError.headingFailure` where the source has none.
    open func startUpdatingHeading() {
        guard source?.feed.player.tellsHeading ?? true else {
            let reason = [NSLocalizedDescriptionKey: "the source of positions tells no heading"]
            return fail(CLError(.headingFailure, userInfo: reason))
        }
        locked { lastReportedHeading = nil }
        listen(.heading)
    }

    /// Ends the headings.
    open func stopUpdatingHeading() { leave(.heading) }

    /// Tells positions that lie 500 m and more from the one before.
    open func startMonitoringSignificantLocationChanges() {
        locked { lastSignificant = nil }
        listen(.significantChanges)
    }

    /// Ends what `startMonitoringSignificantLocationChanges` began.
    open func stopMonitoringSignificantLocationChanges() { leave(.significantChanges) }

    /// Tells stays of five minutes within 100 m: once when they are seen, again when they end.
    open func startMonitoringVisits() {
        locked { visits = VisitDetector() }
        listen(.visits)
    }

    /// Ends the visits; one that still goes on is not told of again.
    open func stopMonitoringVisits() { leave(.visits) }

    // MARK: - Listening

    func listen(_ purpose: Purpose) {
        guard let feed = source?.feed else {
            return fail(
                CLPositionSource.failure(
                    "there is no source of positions: set SEXTANT_POSITION or CLLocationManager.positionSource"))
        }
        locked {
            guard subscriptions[purpose] == nil else { return }
            lastSubscription += 1
            let id = lastSubscription
            let number = feed.add { [weak self, queue] event in
                queue.async { [weak self] in self?.take(event, for: purpose, of: id) }
            }
            subscriptions[purpose] = (feed, number, id)
        }
    }

    func leave(_ purpose: Purpose) {
        locked {
            guard let (feed, number, _) = subscriptions.removeValue(forKey: purpose) else { return }
            feed.remove(number)
        }
    }

    /// Calls the delegate later, on the manager's queue.
    func tell(_ call: @escaping @Sendable (CLLocationManager, any CLLocationManagerDelegate) -> Void) {
        queue.async {
            if let delegate = self.delegate { call(self, delegate) }
        }
    }

    private func fail(_ error: CLError) {
        tell { manager, delegate in delegate.locationManager(manager, didFailWithError: error) }
    }

    /// Handles what the source told a subscription, on the manager's queue; nothing where that has been stopped meanwhile,
    /// even if another of its purpose has begun.
    private func take(_ event: PositionEvent, for purpose: Purpose, of id: Int) {
        guard locked({ subscriptions[purpose]?.id == id }) else { return }
        switch (event, purpose) {
        case (.location(let location), _):
            locked { latest = location }
            take(location, for: purpose)
        case (.heading(let heading), .heading):
            let isNews = locked {
                latestHeading = heading
                if let last = lastReportedHeading, settings.headingFilter > 0 {
                    let turn = abs((heading.magneticHeading - last).remainder(dividingBy: 360))
                    if turn < settings.headingFilter { return false }
                }
                lastReportedHeading = heading.magneticHeading
                return true
            }
            if isNews { delegate?.locationManager(self, didUpdateHeading: heading) }
        case (.failure(let error), .updates): delegate?.locationManager(self, didFailWithError: error)
        case (.failure(let error), .request):
            leave(.request)
            delegate?.locationManager(self, didFailWithError: error)
        case (.failure, .state(let identifier)), (.end, .state(let identifier)): determine(.unknown, identifier)
        case (.end, .request):
            leave(.request)
            delegate?.locationManager(
                self, didFailWithError: CLPositionSource.failure("the source of positions has ended"))
        default: break
        }
    }

    private func take(_ location: CLLocation, for purpose: Purpose) {
        switch purpose {
        case .updates:
            let isNews = locked {
                if let last = lastReported, settings.distanceFilter > 0,
                    last.distance(from: location) < settings.distanceFilter
                {
                    return false
                }
                lastReported = location
                return true
            }
            if isNews { delegate?.locationManager(self, didUpdateLocations: [location]) }
        case .request:
            leave(.request)
            delegate?.locationManager(self, didUpdateLocations: [location])
        case .significantChanges:
            let isNews = locked {
                if let last = lastSignificant, last.distance(from: location) < 500 { return false }
                lastSignificant = location
                return true
            }
            if isNews { delegate?.locationManager(self, didUpdateLocations: [location]) }
        case .visits:
            if let visit = locked({ visits.take(location) }) { delegate?.locationManager(self, didVisit: visit) }
        case .region(let identifier): watch(identifier, location)
        case .state(let identifier): determine(state(of: identifier, at: location), identifier)
        case .heading: break
        }
    }
}

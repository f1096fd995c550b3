// Every name of locations, placemarks, the geocoder, the location manager and regions.
import Contacts
import CoreLocation

final class Fix: CLLocation, @unchecked Sendable {}
final class Spot: CLPlacemark, @unchecked Sendable {}

func locations() -> CLLocationDistance {
    let plain = CLLocation(latitude: 50.941302, longitude: 6.957189)
    let measured = CLLocation(
        coordinate: plain.coordinate, altitude: 1, horizontalAccuracy: 2, verticalAccuracy: 3, timestamp: Date())
    let moving = CLLocation(
        coordinate: plain.coordinate, altitude: 1, horizontalAccuracy: 2, verticalAccuracy: 3, course: 4, speed: 5,
        timestamp: Date())
    let source = CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false)
    let whole = CLLocation(
        coordinate: plain.coordinate, altitude: 1, horizontalAccuracy: 2, verticalAccuracy: 3, course: 4,
        courseAccuracy: 5, speed: 6, speedAccuracy: 7, timestamp: Date(), sourceInfo: source)
    let bounded = CLLocation(
        coordinate: plain.coordinate, altitude: 1, horizontalAccuracy: 2, verticalAccuracy: 3, course: 4,
        courseAccuracy: 5, speed: 6, speedAccuracy: 7, timestamp: Date())
    _ = [
        whole.altitude, whole.horizontalAccuracy, whole.verticalAccuracy, whole.course, whole.speed,
        whole.courseAccuracy, whole.speedAccuracy, whole.ellipsoidalAltitude, Double(whole.floor?.level ?? 0),
    ]
    _ = (whole.timestamp, whole.sourceInformation?.isSimulatedBySoftware, source.isProducedByAccessory)
    return plain.distance(from: measured) + moving.distance(from: bounded)
}

func read(_ placemark: CLPlacemark) -> [String] {
    let copy = CLPlacemark(placemark: placemark)
    let parts: [String?] = [
        copy.name, copy.thoroughfare, copy.subThoroughfare, copy.locality, copy.subLocality, copy.postalCode,
        copy.administrativeArea, copy.subAdministrativeArea, copy.isoCountryCode, copy.country, copy.inlandWater,
        copy.ocean, copy.areasOfInterest?.first, copy.timeZone?.identifier, copy.region?.identifier,
    ]
    let keys: [AnyHashable: Any] = copy.addressDictionary ?? [:]
    let lines = keys["FormattedAddressLines"] as? [String] ?? []
    let spot: CLLocation? = copy.location
    return parts.compactMap { $0 } + lines + ["\(spot?.coordinate.latitude ?? 0)", copy.postalAddress?.city ?? ""]
}

func geocoder() async throws -> [CLPlacemark] {
    let geocoder = CLGeocoder()
    let handler: CLGeocodeCompletionHandler = { _, _ in }
    _ = handler
    let keys: [AnyHashable: Any] = ["Street": "Domkloster 4", "City": "Köln"]
    geocoder.geocodeAddressDictionary(keys) { placemarks, error in print(placemarks?.count ?? 0, error ?? "") }
    geocoder.geocodeAddressString("Köln") { placemarks, _ in print(placemarks?.first?.name ?? "") }
    let place = CLLocation(latitude: 50.941302, longitude: 6.957189)
    geocoder.reverseGeocodeLocation(place) { placemarks, _ in print(placemarks?.first?.locality ?? "") }
    geocoder.cancelGeocode()
    let circle = CLCircularRegion(center: place.coordinate, radius: 1000, identifier: "near")
    let german = Locale(identifier: "de_DE")
    geocoder.geocodeAddressString("Köln", in: circle) { _, _ in }
    geocoder.geocodeAddressString("Köln", in: circle, preferredLocale: german) { _, _ in }
    geocoder.reverseGeocodeLocation(place, preferredLocale: german) { _, _ in }
    let address = CNMutablePostalAddress()
    address.city = "Köln"
    geocoder.geocodePostalAddress(address) { _, _ in }
    geocoder.geocodePostalAddress(address, preferredLocale: german) { _, _ in }
    var all = try await geocoder.geocodeAddressDictionary(keys)
    all += try await geocoder.geocodeAddressString("Köln")
    all += try await geocoder.geocodeAddressString("Köln", in: circle)
    all += try await geocoder.geocodeAddressString("Köln", in: circle, preferredLocale: german)
    all += try await geocoder.geocodeAddressString(
        "Köln", inRegionCenteredAt: place, inRegionRadius: 1000, preferredLocale: german)
    all += try await geocoder.reverseGeocodeLocation(place)
    all += try await geocoder.reverseGeocodeLocation(place, preferredLocale: german)
    all += try await geocoder.geocodePostalAddress(address)
    all += try await geocoder.geocodePostalAddress(address, preferredLocale: german)
    return geocoder.isGeocoding ? [] : all
}

func contacts() -> String {
    let address = CNMutablePostalAddress()
    address.street = "Domkloster 4"
    address.city = "Köln"
    address.state = ""
    address.postalCode = "50667"
    address.country = "Deutschland"
    address.isoCountryCode = "DE"
    address.subLocality = ""
    address.subAdministrativeArea = ""
    let plain: CNPostalAddress = address
    _ = [
        CNPostalAddressStreetKey, CNPostalAddressCityKey, CNPostalAddressStateKey, CNPostalAddressPostalCodeKey,
        CNPostalAddressCountryKey, CNPostalAddressISOCountryCodeKey, CNPostalAddressSubLocalityKey,
        CNPostalAddressSubAdministrativeAreaKey,
    ]
    return CNPostalAddressFormatter.string(from: plain, style: .mailingAddress)
}

@MainActor final class Compass: NSObject, @preconcurrency CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private(set) var told: [String] = []

    func begin() {
        guard CLLocationManager.locationServicesEnabled() else { return }
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyBest
        manager.distanceFilter = kCLDistanceFilterNone
        manager.activityType = .other
        manager.requestWhenInUseAuthorization()
        let statuses: [CLAuthorizationStatus] = [
            .notDetermined, .restricted, .denied, .authorizedAlways, .authorizedWhenInUse,
        ]
        if statuses.contains(manager.authorizationStatus) { manager.startUpdatingLocation() }
        manager.stopUpdatingLocation()
        manager.requestLocation()
        manager.startUpdatingHeading()
        manager.stopUpdatingHeading()
        manager.startMonitoringSignificantLocationChanges()
        manager.stopMonitoringSignificantLocationChanges()
        manager.startMonitoringVisits()
        manager.stopMonitoringVisits()
        _ = (manager.location, manager.heading)
        _ = [
            kCLLocationAccuracyBestForNavigation, kCLLocationAccuracyNearestTenMeters,
            kCLLocationAccuracyHundredMeters, kCLLocationAccuracyKilometer, kCLLocationAccuracyThreeKilometers,
            kCLLocationAccuracyReduced,
        ]
        let home = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 100, identifier: "home")
        home.notifyOnEntry = true
        home.notifyOnExit = true
        _ = (home.center, home.radius, home.identifier, home.contains(CLLocationCoordinate2D()))
        manager.startMonitoring(for: home)
        manager.requestState(for: home)
        manager.stopMonitoring(for: home)
        _ = (manager.monitoredRegions, manager.maximumRegionMonitoringDistance)
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        told.append(locations.last.map { "\($0)" } ?? "")
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) { told.append("\(error)") }
    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) { told.append("allowed") }
    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) { told.append("in") }
    func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) { told.append("out") }

    func locationManager(_ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion) {
        if [.inside, .outside, .unknown].contains(state) { told.append(region.identifier) }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        told.append("\(newHeading.magneticHeading) \(newHeading.trueHeading) \(newHeading.headingAccuracy)")
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        told.append("\(visit.coordinate) \(visit.arrivalDate) \(visit.departureDate) \(visit.horizontalAccuracy)")
    }
}

/// A delegate that is not of the main actor.
final class Recorder: NSObject, CLLocationManagerDelegate {
    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
    func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
}

func live() async throws -> Int {
    let kinds: [CLLocationUpdate.LiveConfiguration] = [
        .default, .automotiveNavigation, .otherNavigation, .fitness, .airborne,
    ]
    var count = 0
    for try await update in CLLocationUpdate.liveUpdates(kinds[0]) {
        if update.location != nil, !update.stationary { count += 1 }
    }
    return count
}

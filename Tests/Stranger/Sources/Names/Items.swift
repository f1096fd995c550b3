// Every name of placemarks, map items, launch options, search and directions.
import AddressBook
import Contacts
import MapKit

func items(at place: CLLocationCoordinate2D) -> [MKMapItem] {
    let address: [String: Any] = [
        kABPersonAddressStreetKey as String: "Domkloster 4", kABPersonAddressCityKey as String: "Köln",
        kABPersonAddressStateKey as String: "NW", kABPersonAddressZIPKey as String: "50667",
        kABPersonAddressCountryKey as String: "Deutschland", kABPersonAddressCountryCodeKey as String: "DE",
    ]
    let bare = MKPlacemark(coordinate: place)
    let known = MKPlacemark(coordinate: place, addressDictionary: address)
    let again = MKPlacemark(placemark: known)
    let item = MKMapItem(placemark: known)
    item.name = again.name ?? known.countryCode
    item.phoneNumber = "+49 221 123"
    item.url = URL(string: "https://example.org")
    item.timeZone = TimeZone(identifier: "Europe/Berlin")
    item.pointOfInterestCategory = .landmark
    _ = (bare.coordinate, item.isCurrentLocation, item.placemark.title ?? "")
    let location = CLLocation(latitude: place.latitude, longitude: place.longitude)
    let address26 = MKAddress(fullAddress: "Domkloster 4, 50667 Köln", shortAddress: "Domkloster 4")
    let modern = MKMapItem(location: location, address: address26)
    _ = (modern.location, modern.address?.fullAddress, modern.address?.shortAddress)
    if let forms = modern.addressRepresentations {
        let styles: [MKAddressRepresentations.ContextStyle] = [.automatic, .short, .full]
        _ = styles.map { forms.cityWithContext($0) } + [forms.cityName, forms.cityWithContext, forms.regionName]
        _ = (forms.region, forms.fullAddress(includingRegion: true, singleLine: false))
    }
    return [item, modern, .forCurrentLocation()]
}

func handOver(_ items: [MKMapItem]) {
    let options: [String: Any] = [
        MKLaunchOptionsDirectionsModeKey: MKLaunchOptionsDirectionsModeDriving,
        MKLaunchOptionsMapTypeKey: NSNumber(value: MKMapType.standard.rawValue),
        MKLaunchOptionsMapCenterKey: NSValue(mkCoordinate: CLLocationCoordinate2D()),
        MKLaunchOptionsMapSpanKey: NSValue(mkCoordinateSpan: MKCoordinateSpan()),
        MKLaunchOptionsShowsTrafficKey: true, MKLaunchOptionsCameraKey: MKMapCamera(),
    ]
    _ = [
        MKLaunchOptionsDirectionsModeWalking, MKLaunchOptionsDirectionsModeTransit,
        MKLaunchOptionsDirectionsModeCycling, MKLaunchOptionsDirectionsModeDefault,
    ]
    items.first?.openInMaps()
    items.first?.openInMaps(launchOptions: options)
    items.first?.openInMaps(launchOptions: options) { isOpen in print(isOpen) }
    MKMapItem.openMaps(with: items)
    let isOpen = MKMapItem.openMaps(with: items, launchOptions: options)
    MKMapItem.openMaps(with: items, launchOptions: options) { print($0) }
    let value = NSValue(mkCoordinate: CLLocationCoordinate2D())
    _ = (isOpen, value.mkCoordinateValue, NSValue(mkCoordinateSpan: MKCoordinateSpan()).mkCoordinateSpanValue)
}

func handOverAndWait(_ items: [MKMapItem]) async -> Bool {
    let first = await items[0].openInMaps(launchOptions: nil)
    return await MKMapItem.openMaps(with: items, launchOptions: nil) && first
}

@MainActor final class Finder {
    private(set) var found: [MKMapItem] = []
    private var search: MKLocalSearch?

    func find(_ words: String, in region: MKCoordinateRegion) {
        let request = MKLocalSearch.Request()
        request.naturalLanguageQuery = words
        request.region = region
        request.regionPriority = .required
        let search = MKLocalSearch(request: request)
        self.search = search
        // The handler runs on the main actor: what belongs to it may be touched.
        search.start { [weak self] response, error in
            self?.found = error == nil ? response?.mapItems ?? [] : []
        }
        if search.isSearching { search.cancel() }
    }

    func findAndWait(_ words: String) async throws -> MKCoordinateRegion {
        let search = MKLocalSearch(request: MKLocalSearch.Request(naturalLanguageQuery: words))
        self.search = search
        let response: MKLocalSearch.Response = try await search.start()
        found = response.mapItems
        return response.boundingRegion
    }

    func within(_ region: MKCoordinateRegion) async throws -> Int {
        try await MKLocalSearch(request: .init(naturalLanguageQuery: "cafe", region: region)).start().mapItems.count
    }

    let handler: MKLocalSearch.CompletionHandler = { _, _ in }

    func around(_ place: CLLocationCoordinate2D) async throws -> [MKMapItem] {
        let request = MKLocalPointsOfInterestRequest(center: place, radius: MKPointsOfInterestRequestMaxRadius)
        request.pointOfInterestFilter = MKPointOfInterestFilter(including: [.cafe, .bakery])
        let region = MKLocalPointsOfInterestRequest(coordinateRegion: request.region)
        _ = (request.coordinate, request.radius, region.pointOfInterestFilter?.includes(.cafe) ?? true)
        return try await MKLocalSearch(request: request).start().mapItems
    }

    func completed(_ completion: MKLocalSearchCompletion) async throws -> [MKMapItem] {
        let request = MKLocalSearch.Request(completion: completion)
        request.resultTypes = [.address, .pointOfInterest, .physicalFeature]
        request.pointOfInterestFilter = MKPointOfInterestFilter(excluding: [.parking])
        request.addressFilter = MKAddressFilter(including: [.locality, .subLocality])
        return try await MKLocalSearch(request: request).start().mapItems
    }
}

/// Completes what is typed, as a view model would.
final class Typing: NSObject, MKLocalSearchCompleterDelegate {
    private let completer = MKLocalSearchCompleter()
    private(set) var lines: [String] = []

    override init() {
        super.init()
        completer.delegate = self
        completer.resultTypes = [.address, .pointOfInterest, .query, .physicalFeature]
        completer.pointOfInterestFilter = .includingAll
        completer.addressFilter = MKAddressFilter(
            excluding: [.country, .administrativeArea, .subAdministrativeArea, .postalCode])
        completer.regionPriority = .default
    }

    func typed(_ text: String, in region: MKCoordinateRegion) {
        completer.region = region
        completer.queryFragment = text
        if text.isEmpty, completer.isSearching { completer.cancel() }
    }

    func completerDidUpdateResults(_ completer: MKLocalSearchCompleter) {
        lines = completer.results.map { completion in
            let marked = (completion.titleHighlightRanges + completion.subtitleHighlightRanges).map(\.rangeValue.length)
            return "\(completion.title), \(completion.subtitle): \(marked)"
        }
    }

    func completer(_ completer: MKLocalSearchCompleter, didFailWithError error: any Error) { lines = ["\(error)"] }
}

func directions(from source: MKMapItem, to destination: MKMapItem) async throws -> [String] {
    let request = MKDirections.Request()
    request.source = source
    request.destination = destination
    let types: [MKDirectionsTransportType] = [.automobile, .walking, .transit, .cycling, .any]
    request.transportType = types[0]
    request.requestsAlternateRoutes = true
    request.departureDate = Date()
    request.arrivalDate = nil
    let directions = MKDirections(request: request)
    directions.calculate { response, error in print(response?.routes.count ?? 0, error ?? "") }
    directions.calculateETA { response, _ in print(response?.expectedTravelTime ?? 0) }
    if directions.isCalculating { directions.cancel() }
    let response: MKDirections.Response = try await directions.calculate()
    _ = (response.source, response.destination)
    var lines: [String] = []
    for route in response.routes as [MKRoute] {
        lines.append("\(route.name) \(route.distance) \(route.expectedTravelTime) \(route.transportType)")
        lines += route.advisoryNotices + ["\(route.polyline.pointCount)"]
        for step in route.steps as [MKRoute.Step] {
            lines.append(
                "\(step.instructions) \(step.notice ?? "") \(step.distance) \(step.polyline) \(step.transportType)")
        }
    }
    let eta = try await directions.calculateETA()
    lines.append("\(eta.distance) \(eta.expectedDepartureDate) \(eta.expectedArrivalDate) \(eta.transportType)")
    let handlers: (MKDirections.DirectionsHandler, MKDirections.ETAHandler) = ({ _, _ in }, { _, _ in })
    _ = handlers
    return lines
}

func geocoding(_ text: String, at place: CLLocation) async throws -> [MKMapItem] {
    guard let request = MKGeocodingRequest(addressString: text),
        let reverse = MKReverseGeocodingRequest(location: place)
    else { return [] }
    request.region = MKCoordinateRegion(.world)
    request.preferredLocale = Locale(identifier: "de_DE")
    reverse.preferredLocale = request.preferredLocale
    request.getMapItems { items, error in print(items?.count ?? 0, error ?? "") }
    if request.isLoading, !request.isCancelled { request.cancel() }
    let found = try await request.mapItems
    reverse.getMapItems { items, _ in print(items?.first?.name ?? "") }
    reverse.cancel()
    _ = (reverse.isLoading, reverse.isCancelled)
    return try await found + reverse.mapItems
}

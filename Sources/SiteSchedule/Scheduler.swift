import MapKit

/// A site on the map: a tap on it leads back to the site by its number.
final class SitePin: NSObject, MKAnnotation {
    let number: Int
    let coordinate: CLLocationCoordinate2D
    let title: String?
    let subtitle: String?

    init(number: Int, site: Site, coordinate: CLLocationCoordinate2D) {
        self.number = number
        self.coordinate = coordinate
        title = site.name
        subtitle = site.address
    }
}

/// Goes through the sites of a table: finds those that are not known, keeps what is found, and puts all on a map.
@MainActor final class Scheduler: NSObject, MKMapViewDelegate {
    /// What came of one site.
    enum Outcome: Sendable {
        case known
        case found(String)
        /// The street alone, without the house number: on the map, but not kept, since the site is only somewhere there.
        case street(String, without: String)
        case notFound(String)
        /// The table holds something for the coordinate that is none: the site is left as it is, and not asked for.
        case notUnderstood(String)
    }

    typealias Finder = @MainActor (Site) async throws -> CLPlacemark?

    private(set) var table: SiteTable
    private(set) var outcomes: [Outcome] = []
    private(set) var requests = 0
    private(set) var wasCancelled = false
    let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 960, height: 720))
    private let find: Finder

    /// - Parameter find: what finds a site's place; a geocoder where nothing else is given.
    init(_ table: SiteTable, find: Finder? = nil) {
        self.table = table
        let geocoder = CLGeocoder()
        self.find = find ?? { site in try await geocoder.geocodeAddressDictionary(site.addressDictionary).first }
        super.init()
        map.delegate = self
    }

    /// The numbers of the sites whose place is known.
    var located: [Int] { table.sites.indices.filter { table.sites[$0].coordinate != nil } }

    /// Finds the sites in their order. `report` hears of each. Ends early where the task is cancelled: what was found so
    /// far is kept.
    func locate(_ report: (Site, Outcome) -> Void = { _, _ in }) async {
        for index in table.sites.indices {
            let outcome: Outcome
            if table.sites[index].coordinate != nil {
                outcome = .known
            } else if let cells = table.sites[index].unreadableCoordinate {
                outcome = .notUnderstood(cells)
            } else {
                guard !Task.isCancelled, let answer = await ask(index) else {
                    wasCancelled = true
                    return
                }
                outcome = answer
            }
            outcomes.append(outcome)
            report(table.sites[index], outcome)
        }
    }

    /// Asks for one site; nil where the request was cancelled.
    private func ask(_ index: Int) async -> Outcome? {
        guard !table.sites[index].addressDictionary.isEmpty else {
            return .notFound(
                table.hasAddresses
                    ? "no address"
                    : "no column with an address; the columns are \(SiteTable.columns.joined(separator: ", "))")
        }
        requests += 1
        do {
            guard let place = try await find(table.sites[index]), let coordinate = place.location?.coordinate else {
                return .notFound("nothing found")
            }
            let number = table.sites[index].houseNumber
            if let number, place.subThoroughfare == nil, let street = place.thoroughfare, !street.contains(number) {
                table.show(index, at: coordinate)
                return .street(place.name ?? street, without: number)
            }
            table.locate(index, at: coordinate)
            return .found(place.name ?? "")
        } catch is CancellationError {
            return nil
        } catch CLError.geocodeCanceled {
            return nil
        } catch {
            return .notFound(error.localizedDescription)
        }
    }

    // MARK: - On the map

    /// Puts a pin at each located site and shows the smallest rectangle around them, with a margin. Without any the map
    /// stays as it is. Returns the rectangle without the margin.
    @discardableResult
    func showSites() -> MKMapRect {
        map.removeAnnotations(map.annotations)
        let pins = located.compactMap { number in
            table.sites[number].coordinate.map { SitePin(number: number, site: table.sites[number], coordinate: $0) }
        }
        let rect = MKMapRect.smallest(around: pins.map(\.coordinate))
        guard !rect.isNull else { return rect }
        map.addAnnotations(pins)
        map.setVisibleMapRect(Self.withMargin(rect), animated: false)
        return rect
    }

    /// An eighth on each side, so that no pin stands at the edge.
    private static func withMargin(_ rect: MKMapRect) -> MKMapRect {
        rect.insetBy(dx: -rect.width / 8, dy: -rect.height / 8)
    }

    /// The way from one site to another, by car.
    func way(from start: Int, to end: Int) async throws -> MKRoute {
        let request = MKDirections.Request()
        request.source = item(start)
        request.destination = item(end)
        request.transportType = .automobile
        let response = try await MKDirections(request: request).calculate()
        guard let route = response.routes.first else { throw MKError(.directionsNotFound) }
        return route
    }

    private func item(_ number: Int) -> MKMapItem? {
        let site = table.sites[number]
        guard let coordinate = site.coordinate else { return nil }
        let item = MKMapItem(placemark: MKPlacemark(coordinate: coordinate))
        item.name = site.name
        return item
    }

    /// Shows a way with its two ends alone.
    func show(_ route: MKRoute, from start: Int, to end: Int) {
        let others = map.annotations.filter { annotation in
            (annotation as? SitePin).map { $0.number != start && $0.number != end } ?? false
        }
        map.removeAnnotations(others)
        map.addOverlay(route.polyline)
        map.setVisibleMapRect(Self.withMargin(route.polyline.boundingMapRect), animated: false)
    }

    func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        guard let line = overlay as? MKPolyline else { return MKOverlayRenderer(overlay: overlay) }
        let renderer = MKPolylineRenderer(polyline: line)
        renderer.strokeColor = .systemBlue
        renderer.lineWidth = 5
        return renderer
    }
}

extension MKRoute {
    /// The way as GeoJSON: one line, longitude first.
    func geoJSON(name: String) throws -> Data {
        let count = polyline.pointCount
        let points = UnsafeBufferPointer(start: polyline.points(), count: count)
        let line = points.map { [$0.coordinate.longitude, $0.coordinate.latitude] }
        let feature: [String: Any] = [
            "type": "Feature",
            "properties": ["name": name, "distance": distance, "duration": expectedTravelTime],
            "geometry": ["type": "LineString", "coordinates": line],
        ]
        return try JSONSerialization.data(withJSONObject: feature, options: [.sortedKeys, .withoutEscapingSlashes])
    }
}

import MapKit
import Sextant
import Testing

private final class Site: NSObject, MKAnnotation {
    let coordinate: CLLocationCoordinate2D
    let title: String?

    init(_ title: String, _ coordinate: CLLocationCoordinate2D) {
        self.title = title
        self.coordinate = coordinate
    }
}

@MainActor private final class Sites: NSObject, MKMapViewDelegate {
    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
        guard annotation is Site else { return nil }
        let view =
            mapView.dequeueReusableAnnotationView(withIdentifier: "site")
            ?? MKPinAnnotationView(annotation: annotation, reuseIdentifier: "site")
        view.annotation = annotation
        view.canShowCallout = true
        return view
    }
}

@MainActor private final class Lines: NSObject, MKMapViewDelegate {
    func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        guard let line = overlay as? MKPolyline else { return MKOverlayRenderer(overlay: overlay) }
        let renderer = MKPolylineRenderer(polyline: line)
        renderer.strokeColor = .systemBlue
        renderer.lineWidth = 5
        return renderer
    }
}

@MainActor private func picture(of address: String) async throws -> Data {
    let placemarks = try await CLGeocoder().geocodeAddressString(address)
    guard let place = placemarks.first?.location else { throw MKError(.placemarkNotFound) }
    let sites = Sites()
    let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 480, height: 320))
    map.delegate = sites
    let site = Site(address, place.coordinate)
    map.addAnnotation(site)
    map.region = MKCoordinateRegion(center: place.coordinate, latitudinalMeters: 400, longitudinalMeters: 400)
    map.selectAnnotation(site, animated: false)
    return try map.pngData(scale: 2)
}

/// The examples of the module's pages, as they stand there.
@MainActor @Suite struct DocumentationTests {
    init() throws { try #require(Everything.isOpen) }

    @Test func theExampleOfTheModulesPageRuns() async throws {
        let monaco = MKCoordinateRegion(
            center: CLLocationCoordinate2D(latitude: 43.7384, longitude: 7.4246), latitudinalMeters: 1000,
            longitudinalMeters: 1000)
        let request = MKLocalSearch.Request(naturalLanguageQuery: "restaurants", region: monaco)
        let found = try await MKLocalSearch(request: request).start().mapItems
        let way = MKDirections.Request()
        way.source = MKMapItem(placemark: MKPlacemark(coordinate: monaco.center))
        way.destination = found[0]
        way.transportType = .walking
        let route = try await MKDirections(request: way).calculate().routes[0]
        #expect(route.steps.allSatisfy { !$0.instructions.isEmpty })
        let lines = Lines()
        let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 640, height: 480))
        map.delegate = lines
        map.addOverlay(route.polyline)
        map.showAnnotations(found.map(\.placemark), animated: false)
        let picture = try map.pngData(scale: 2)
        #expect(UIImage(data: picture)?.size.width == 1280)
        // The way is on it.
        map.removeOverlay(route.polyline)
        #expect(try map.pngData(scale: 2) != picture)
    }

    @Test func theExampleOfTheArticleDrawsAPicture() async throws {
        let image = try #require(UIImage(data: try await picture(of: "Domkloster 4, Köln"), scale: 2))
        #expect(image.size == CGSize(width: 480, height: 320))
    }
}

// Every name of the map view, its delegate, its views and the snapshotter.
import MapKit

@MainActor final class Screen: NSObject, MKMapViewDelegate {
    let map = MKMapView(frame: CGRect(x: 0, y: 0, width: 320, height: 480))
    var told: [String] = []

    func setUp() {
        map.delegate = self
        let types: [MKMapType] = [
            .standard, .satellite, .hybrid, .satelliteFlyover, .hybridFlyover, .mutedStandard,
        ]
        for type in types { map.mapType = type }
        map.showsUserLocation = true
        let modes: [MKUserTrackingMode] = [.none, .follow, .followWithHeading]
        map.userTrackingMode = modes[1]
        map.isZoomEnabled = true
        map.isScrollEnabled = true
        map.isRotateEnabled = false
        map.isPitchEnabled = false
        map.centerCoordinate = CLLocationCoordinate2D(latitude: 43.7394, longitude: 7.4275)
        map.setCenter(map.centerCoordinate, animated: true)
        map.region = MKCoordinateRegion(center: map.centerCoordinate, latitudinalMeters: 500, longitudinalMeters: 500)
        map.setRegion(map.region, animated: false)
        map.visibleMapRect = MKMapRect.world
        map.setVisibleMapRect(map.visibleMapRect, animated: false)
        let pin = Restaurant(coordinate: map.centerCoordinate, title: "Adler", subtitle: "Hauptstrasse 2")
        map.addAnnotation(pin)
        map.addAnnotations([Bare(), Vehicle()])
        map.removeAnnotation(pin)
        map.removeAnnotations(map.annotations)
        _ = map.view(for: pin)
        let line = MKPolyline(coordinates: [map.centerCoordinate], count: 1)
        map.addOverlay(line)
        map.addOverlay(line, level: .aboveLabels)
        map.addOverlays([line], level: .aboveRoads)
        _ = map.overlays.count
        let user: MKUserLocation = map.userLocation
        user.title = "Me"
        user.subtitle = "here"
        _ = (user.location, user.isUpdating, user.heading, user.coordinate)
    }

    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
        if annotation is MKUserLocation { return nil }
        if let known = mapView.dequeueReusableAnnotationView(withIdentifier: "pin") {
            known.annotation = annotation
            return known
        }
        let view = MKPinAnnotationView(annotation: annotation, reuseIdentifier: "pin")
        view.pinTintColor = .green
        view.animatesDrop = true
        view.canShowCallout = true
        view.isDraggable = false
        let button = UIButton(type: .detailDisclosure)
        button.tag = 20
        button.setTitle("Go", for: .normal)
        view.rightCalloutAccessoryView = button
        view.leftCalloutAccessoryView = UIView(frame: .zero)
        _ = (view.reuseIdentifier, view.isSelected)
        return view
    }

    func mapView(
        _ mapView: MKMapView, annotationView view: MKAnnotationView, calloutAccessoryControlTapped control: UIControl
    ) {
        let title = view.annotation?.title ?? ""
        told.append("\(control.tag) \(title)")
    }

    func mapView(_ mapView: MKMapView, didUpdate userLocation: MKUserLocation) { told.append("moved") }

    func mapView(_ mapView: MKMapView, didFailToLocateUserWithError error: any Error) {
        told.append(error.localizedDescription)
    }

    func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) { told.append("\(animated)") }

    func mapView(_ mapView: MKMapView, rendererFor overlay: any MKOverlay) -> MKOverlayRenderer {
        renderer(for: overlay)
    }
}

final class Mark: MKAnnotationView {
    override init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
        super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
        canShowCallout = true
    }

    required init?(coder aDecoder: NSCoder) { super.init(coder: aDecoder) }
}

@MainActor func snapshots(_ done: @escaping @MainActor @Sendable (Data?) -> Void) async throws -> CGPoint {
    let options = MKMapSnapshotter.Options()
    options.region = MKCoordinateRegion(.world)
    options.mapRect = .world
    options.camera = MKMapCamera(
        lookingAtCenter: CLLocationCoordinate2D(), fromDistance: 1000, pitch: 0, heading: 0)
    options.mapType = .standard
    options.size = CGSize(width: 256, height: 256)
    options.scale = 2
    options.showsBuildings = false
    let filter = MKPointOfInterestFilter(including: [.cafe, .restaurant])
    options.pointOfInterestFilter = filter.includes(.cafe) ? filter : .excludingAll
    let snapshotter = MKMapSnapshotter(options: options)
    snapshotter.start { snapshot, error in done(error == nil ? snapshot?.image.pngData() : nil) }
    snapshotter.cancel()
    MKMapSnapshotter(options: options).start(with: DispatchQueue.global()) { snapshot, _ in _ = snapshot }
    let snapshot: MKMapSnapshotter.Snapshot = try await snapshotter.start()
    let image: UIImage = snapshot.image
    _ = (image.size, image.scale, snapshotter.isLoading)
    return snapshot.point(for: CLLocationCoordinate2D())
}

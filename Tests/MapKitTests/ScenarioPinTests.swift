import MapKit
import Testing

/// The scenarios of what stands on a map.
@MainActor @Suite struct ScenarioPinTests {
    init() throws { try #require(Everything.isOpen) }

    private final class Delegate: NSObject, MKMapViewDelegate {
        var asked: [Int] = []
        var made = 0
        var taps: [(tag: Int, site: Int)] = []
        var regions: [Bool] = []
        var users = 0

        func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
            if annotation is MKUserLocation {
                users += 1
                return nil
            }
            guard let pin = annotation as? SitePin else { return nil }
            asked.append(pin.site)
            if let known = mapView.dequeueReusableAnnotationView(withIdentifier: "site") as? MKPinAnnotationView {
                known.annotation = annotation
                return known
            }
            made += 1
            let view = MKPinAnnotationView(annotation: annotation, reuseIdentifier: "site")
            view.canShowCallout = true
            let (left, right) = (UIButton(type: .infoLight), UIButton(type: .detailDisclosure))
            left.tag = 10
            right.tag = 20
            view.leftCalloutAccessoryView = left
            view.rightCalloutAccessoryView = right
            return view
        }

        func mapView(
            _ mapView: MKMapView, annotationView view: MKAnnotationView,
            calloutAccessoryControlTapped control: UIControl
        ) {
            if let pin = view.annotation as? SitePin { taps.append((control.tag, pin.site)) }
        }

        func mapView(_ mapView: MKMapView, regionDidChangeAnimated animated: Bool) { regions.append(animated) }
    }

    @Test func scenario0_9PinsAreAddedRemovedAndListed() {
        let map = newMap()
        let pins = (0..<4).map { SitePin($0, at: casino) }
        map.addAnnotation(pins[0])
        map.addAnnotations(Array(pins[1...]))
        map.addAnnotation(pins[0])
        #expect(map.annotations.compactMap { ($0 as? SitePin)?.site } == [0, 1, 2, 3])
        map.removeAnnotation(pins[2])
        map.removeAnnotations([pins[0], SitePin(9, at: casino)])
        #expect(map.annotations.compactMap { ($0 as? SitePin)?.site } == [1, 3])
    }

    @Test func scenario0_9AViewThatLeftTheScreenIsOfferedAgain() {
        let map = newMap()
        let delegate = Delegate()
        let (monaco, helsinki) = (SitePin(1, at: casino), SitePin(2, at: coordinate(60.17, 24.94)))
        map.addAnnotations([monaco, helsinki])
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 1000, longitudinalMeters: 1000)
        // Set after the annotations, but before the next turn.
        map.delegate = delegate
        let first = map.view(for: monaco)
        #expect(delegate.asked == [1] && map.view(for: helsinki) == nil)
        map.setCenter(helsinki.coordinate, animated: true)
        #expect(map.view(for: helsinki) === first && first?.annotation === helsinki)
        #expect(delegate.asked == [1, 2] && delegate.made == 1)
        #expect(map.view(for: monaco) == nil && delegate.regions == [true])
    }

    private final class MovingPin: NSObject, MKAnnotation {
        var coordinate = casino
    }

    @Test func anAnnotationThatMovesIsFoundWhereItIs() throws {
        let map = newMap()
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 1000, longitudinalMeters: 1000)
        let pin = MovingPin()
        map.addAnnotation(pin)
        let view = try #require(map.view(for: pin))
        #expect(abs(view.center.x - 160) < 0.01)
        let empty = try map.pngData()
        pin.coordinate = coordinate(60.17, 24.94)
        #expect(try map.pngData() != empty && map.view(for: pin) == nil)
        pin.coordinate = coordinate(43.7394, 7.4285)
        let again = try #require(map.view(for: pin))
        #expect(again.center == map.convert(pin.coordinate, toPointTo: map) && again.center.x > 161)
        pin.coordinate = casino
        #expect(try map.pngData() == empty)
        #expect(again.center == map.convert(casino, toPointTo: map))
        pin.coordinate = coordinate(0, 0)
        map.layoutIfNeeded()
        pin.coordinate = casino
        map.tap(at: CGPoint(x: 160, y: 240))
        #expect(map.selectedAnnotations.first === pin && map.view(for: pin)?.isSelected == true)
    }

    @Test func scenario0_9ViewsComeByThemselvesOnTheNextTurn() async throws {
        let map = newMap()
        let delegate = Delegate()
        map.delegate = delegate
        map.addAnnotation(SitePin(5, at: casino))
        for _ in 0..<100 where delegate.asked.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        #expect(delegate.asked == [5])
    }

    @Test func scenario0_9TheTwoButtonsOfACalloutAreToldApart() throws {
        let map = newMap()
        let delegate = Delegate()
        map.delegate = delegate
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 1000, longitudinalMeters: 1000)
        let pin = SitePin(7, at: casino, title: "Casino", subtitle: "Place du Casino")
        map.addAnnotation(pin)
        #expect(map.callout == nil)
        map.tap(at: CGPoint(x: 160, y: 236))
        #expect(map.selectedAnnotations.first === pin && map.view(for: pin)?.isSelected == true)
        let callout = try #require(map.callout)
        #expect(callout.title == "Casino" && callout.subtitle == "Place du Casino")
        let left = try #require(callout.left as? UIControl)
        let right = try #require(callout.right as? UIControl)
        #expect(map.tapCalloutAccessory(left) && map.tapCalloutAccessory(right))
        #expect(!map.tapCalloutAccessory(UIButton()))
        #expect(delegate.taps.map(\.tag) == [10, 20] && delegate.taps.map(\.site) == [7, 7])
        map.tap(at: CGPoint(x: 5, y: 5))
        #expect(map.callout == nil && map.selectedAnnotations.isEmpty)
        #expect(!map.tapCalloutAccessory(left))
    }

    @Test func tenThousandPinsAndOverlaysComeAndGo() {
        let map = newMap()
        let pins = (0..<10_000).map { SitePin($0, at: coordinate(43.73 + Double($0 % 100) / 1e5, 7.42)) }
        for pin in pins { map.addAnnotation(pin) }
        #expect(map.view(for: pins[9_999]) != nil && map.annotations.count == 10_000)
        let circles = pins.map { MKCircle(center: $0.coordinate, radius: 5) }
        for circle in circles { map.addOverlay(circle) }
        #expect(map.overlays.count == 10_000 && map.renderer(for: circles[5]) != nil)
        map.removeAnnotations(pins)
        map.removeOverlays(circles)
        #expect(map.annotations.isEmpty && map.overlays.isEmpty && map.renderer(for: circles[5]) == nil)
    }

    // MARK: One red pin

    /// Read-only, set by its initialiser.
    private final class Place: NSObject, MKAnnotation {
        let coordinate: CLLocationCoordinate2D
        let title: String?
        let subtitle: String?

        init(coordinate: CLLocationCoordinate2D, title: String, subtitle: String) {
            self.coordinate = coordinate
            self.title = title
            self.subtitle = subtitle
        }
    }

    private final class Bare: NSObject, MKAnnotation {
        var coordinate = casino
    }

    @Test func scenario1_2AnAnnotationOfOnesOwn() throws {
        let map = newMap()
        let place = Place(
            coordinate: coordinate(50.82191692907181, -0.13811767101287842), title: "Sea front", subtitle: "Brighton")
        map.addAnnotation(place)
        map.region = MKCoordinateRegion(center: place.coordinate, latitudinalMeters: 600, longitudinalMeters: 600)
        #expect(map.annotations.count == 1 && map.annotations.first === place)
        let pin = try #require(map.view(for: place) as? MKPinAnnotationView)
        #expect(pin.pinTintColor == MKPinAnnotationView.redPinColor())
        let without = try {
            map.removeAnnotation(place)
            return try map.pngData()
        }()
        map.addAnnotation(place)
        #expect(try map.pngData() != without)
        let bare = Bare()
        #expect((bare as any MKAnnotation).title == nil)
        map.addAnnotation(bare)
        #expect(map.annotations.count == 2)
    }

    private final class Coloured: NSObject, MKAnnotation {
        let coordinate: CLLocationCoordinate2D
        let colour: UIColor
        let title: String? = "A pin"

        init(_ colour: UIColor, at coordinate: CLLocationCoordinate2D) {
            self.colour = colour
            self.coordinate = coordinate
        }
    }

    private final class Painter: NSObject, MKMapViewDelegate {
        weak var own: MKMapView?
        var made = 0

        func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
            guard mapView === own, let coloured = annotation as? Coloured else { return nil }
            let name = coloured.colour == .green ? "green" : "purple"
            if let view = mapView.dequeueReusableAnnotationView(withIdentifier: name) {
                view.annotation = annotation
                return view
            }
            made += 1
            let view = MKPinAnnotationView(annotation: annotation, reuseIdentifier: name)
            view.pinTintColor = coloured.colour
            view.canShowCallout = true
            return view
        }
    }

    @Test func scenario1_3PinsOfDifferentColoursAreReusedWithinTheirColour() throws {
        let map = newMap()
        let painter = Painter()
        painter.own = map
        map.delegate = painter
        map.region = MKCoordinateRegion(center: casino, latitudinalMeters: 1000, longitudinalMeters: 1000)
        let near = [Coloured(.green, at: casino), Coloured(.purple, at: coordinate(43.7380, 7.4250))]
        let away = [Coloured(.purple, at: coordinate(60.17, 24.94)), Coloured(.green, at: coordinate(60.1705, 24.942))]
        map.addAnnotations(near + away)
        func colours(_ pins: [Coloured]) -> [UIColor?] {
            pins.map { (map.view(for: $0) as? MKPinAnnotationView)?.pinTintColor }
        }
        #expect(colours(near) == [.green, .purple])
        let png = try map.pngData()
        map.centerCoordinate = coordinate(60.17, 24.94)
        #expect(colours(away) == [.purple, .green] && painter.made == 2)
        map.centerCoordinate = casino
        #expect(colours(near) == [.green, .purple] && painter.made == 2)
        #expect(try map.pngData() == png)
        let other = newMap()
        other.delegate = painter
        other.addAnnotation(Bare())
        #expect(other.view(for: other.annotations[0]) is MKPinAnnotationView)
    }
}

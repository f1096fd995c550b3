import MapKit
import Sextant
import Locking
import TestAtlases
import Testing

/// The atlas that all of these tests ask: Helsinki, Monaco, Cologne, Brighton, Sebastopol, and the world beneath.
enum Everything {
    static let isOpen: Bool = {
        guard let atlas = try? TestAtlas.everything else { return false }
        ProcessAtlas.use(atlas)
        return true
    }()
}

/// What happened, in order, from any thread.
final class Log<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func append(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

/// Whether code runs on the main queue; its thread need not be the first one under Swift's own main.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}

func coordinate(_ latitude: Double, _ longitude: Double) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A pin that knows which site it stands for.
final class SitePin: NSObject, MKAnnotation {
    let coordinate: CLLocationCoordinate2D
    let title: String?
    let subtitle: String?
    let site: Int

    init(_ site: Int, at coordinate: CLLocationCoordinate2D, title: String? = nil, subtitle: String? = nil) {
        self.site = site
        self.coordinate = coordinate
        self.title = title
        self.subtitle = subtitle
    }
}

/// A source that tells one place once it is let go.
final class HeldPlayer: PositionPlayer {
    private let letGo = Mutex(false)
    let tellsHeading = false
    let isLive = false

    func release() { letGo.withLock { $0 = true } }

    func play(on stage: PositionStage) -> Bool {
        while !letGo.withLock({ $0 }) {
            guard stage.wait(until: Date().addingTimeInterval(0.005)) else { return false }
        }
        stage.emit(.location(CLLocation(latitude: casino.latitude, longitude: casino.longitude)))
        return true
    }
}

let casino = coordinate(43.7394, 7.4275)

@MainActor func newMap(_ width: Double = 320, _ height: Double = 480) -> MKMapView {
    MKMapView(frame: CGRect(x: 0, y: 0, width: width, height: height))
}

extension MKCoordinateRegion {
    /// Whether all of the other region lies inside, a hair's breadth aside.
    func contains(_ other: MKCoordinateRegion) -> Bool {
        func inside(_ a: Double, _ aSpan: Double, _ b: Double, _ bSpan: Double) -> Bool {
            b - bSpan / 2 >= a - aSpan / 2 - 1e-9 && b + bSpan / 2 <= a + aSpan / 2 + 1e-9
        }
        return inside(center.latitude, span.latitudeDelta, other.center.latitude, other.span.latitudeDelta)
            && inside(center.longitude, span.longitudeDelta, other.center.longitude, other.span.longitudeDelta)
    }
}

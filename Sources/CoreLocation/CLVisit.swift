import Foundation
internal import Geometry

/// A stay of some minutes at one place.
open class CLVisit: NSObject, NSCopying, @unchecked Sendable {
    /// `distantPast` where the arrival was not seen.
    public let arrivalDate: Date
    /// `distantFuture` while the stay goes on.
    public let departureDate: Date
    public let coordinate: CLLocationCoordinate2D
    /// The radius of the place in metres.
    public let horizontalAccuracy: CLLocationAccuracy

    package init(
        coordinate: CLLocationCoordinate2D, horizontalAccuracy: CLLocationAccuracy, arrivalDate: Date,
        departureDate: Date
    ) {
        self.coordinate = coordinate
        self.horizontalAccuracy = horizontalAccuracy
        self.arrivalDate = arrivalDate
        self.departureDate = departureDate
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// Finds stays in a row of positions: five minutes within 100 m of the first of them.
struct VisitDetector {
    private static let radius = 100.0
    private static let stay = 300.0

    private var anchor: CLLocation?
    private var last: CLLocation?
    private var isAnnounced = false

    /// The visit that this position begins or ends; nil for none.
    mutating func take(_ location: CLLocation) -> CLVisit? {
        guard let anchor, let last else {
            settle(at: location)
            return nil
        }
        guard location.distance(from: anchor) <= Self.radius else {
            let visit = isAnnounced ? Self.visit(anchor, until: last.timestamp) : nil
            settle(at: location)
            return visit
        }
        self.last = location
        guard !isAnnounced, location.timestamp.timeIntervalSince(anchor.timestamp) >= Self.stay else { return nil }
        isAnnounced = true
        return Self.visit(anchor, until: .distantFuture)
    }

    private mutating func settle(at location: CLLocation) {
        anchor = location
        last = location
        isAnnounced = false
    }

    private static func visit(_ anchor: CLLocation, until departure: Date) -> CLVisit {
        CLVisit(
            coordinate: anchor.coordinate, horizontalAccuracy: max(anchor.horizontalAccuracy, radius / 2),
            arrivalDate: anchor.timestamp, departureDate: departure)
    }
}

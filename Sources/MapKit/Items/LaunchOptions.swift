// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of the platform.

internal import Sextant

/// Launch option: how to get there, one of `MKLaunchOptionsDirectionsModeDriving` ...
public let MKLaunchOptionsDirectionsModeKey = "MKLaunchOptionsDirectionsMode"
/// Launch option: an `NSNumber` of an `MKMapType`.
public let MKLaunchOptionsMapTypeKey = "MKLaunchOptionsMapType"
/// Launch option: a Bool. Accepted; there is no traffic to show.
public let MKLaunchOptionsShowsTrafficKey = "MKLaunchOptionsShowsTraffic"
/// Launch option: an `NSValue(mkCoordinate:)`.
public let MKLaunchOptionsMapCenterKey = "MKLaunchOptionsMapCenter"
/// Launch option: an `NSValue(mkCoordinateSpan:)`.
public let MKLaunchOptionsMapSpanKey = "MKLaunchOptionsMapSpan"
/// Launch option: an `MKMapCamera`.
public let MKLaunchOptionsCameraKey = "MKLaunchOptionsCameraKey"

public let MKLaunchOptionsDirectionsModeDefault = "MKLaunchOptionsDirectionsModeDefault"
public let MKLaunchOptionsDirectionsModeDriving = "MKLaunchOptionsDirectionsModeDriving"
public let MKLaunchOptionsDirectionsModeWalking = "MKLaunchOptionsDirectionsModeWalking"
public let MKLaunchOptionsDirectionsModeTransit = "MKLaunchOptionsDirectionsModeTransit"
public let MKLaunchOptionsDirectionsModeCycling = "MKLaunchOptionsDirectionsModeCycling"

extension MapLink {
    /// The link for a hand-over of items; nil where there is none: no items, or a way through three and more.
    init?(to items: [MKMapItem], options: [String: Any]) {
        guard let first = items.first, let last = items.last else { return nil }
        let modes: [String: Mode?] = [
            MKLaunchOptionsDirectionsModeDefault: Mode?.none, MKLaunchOptionsDirectionsModeDriving: .driving,
            MKLaunchOptionsDirectionsModeWalking: .walking, MKLaunchOptionsDirectionsModeTransit: .transit,
            MKLaunchOptionsDirectionsModeCycling: .cycling,
        ]
        if let wanted = options[MKLaunchOptionsDirectionsModeKey] as? String, let mode = modes[wanted] {
            guard items.count <= 2 else { return nil }
            let start = items.count == 2 && !first.isCurrentLocation ? Place(first) : nil
            self.init(.route(from: start, to: Place(last), mode: mode))
        } else if items.count == 1 {
            self.init(.show(Place(first), label: first.isCurrentLocation ? nil : first.name))
        } else {
            self.init(.show(nil))
        }
        if case .show = purpose {
            if items.count > 1 {
                let all = MKCoordinateRegion(around: items.map(\.placemark.coordinate))
                frame(center: all.center, span: all.span)
            }
            if let camera = options[MKLaunchOptionsCameraKey] as? MKMapCamera {
                frame(center: camera.region.center, span: camera.region.span)
            }
            let given = (options[MKLaunchOptionsMapCenterKey] as? NSValue)?.mkCoordinateValue
            let extent = (options[MKLaunchOptionsMapSpanKey] as? NSValue)?.mkCoordinateSpanValue
            frame(center: given, span: extent)
            // A link that shows a place is centred on it.
            if case .show(.coordinate(let point)?, _) = purpose { center = point }
        }
        if let number = options[MKLaunchOptionsMapTypeKey] as? NSNumber,
            let type = MKMapType(rawValue: number.uintValue)
        {
            switch type {
            case .standard, .mutedStandard: kind = .standard
            case .satellite, .satelliteFlyover: kind = .satellite
            case .hybrid, .hybridFlyover: kind = .hybrid
            }
        }
    }

    private mutating func frame(center: CLLocationCoordinate2D?, span: MKCoordinateSpan?) {
        if let center, CLLocationCoordinate2DIsValid(center) { self.center = center.engine }
        if let span, (0...180).contains(span.latitudeDelta), (0...360).contains(span.longitudeDelta),
            span.latitudeDelta > 0, span.longitudeDelta > 0
        {
            self.span = Span(latitude: span.latitudeDelta, longitude: span.longitudeDelta)
        }
    }
}

extension MapLink.Place {
    /// An item's coordinate, or its address where it has none.
    fileprivate init(_ item: MKMapItem) {
        let coordinate = item.placemark.coordinate
        if item.isCurrentLocation {
            self = .text(item.name ?? "Current Location")
        } else if CLLocationCoordinate2DIsValid(coordinate) {
            self = .coordinate(coordinate.engine)
        } else {
            self = .text(item.address?.fullAddress.replacingOccurrences(of: "\n", with: ", ") ?? item.name ?? "")
        }
    }
}
